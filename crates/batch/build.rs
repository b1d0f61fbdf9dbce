//! Chooses the vector instructions that lock step is compiled for: each takes the compiler as long as
//! the rest of the program.
//!
//! A build for the machine at hand has those of its processor. Where the program is built for
//! another machine, or `LUSORIA_VECTORS=all` asks for it, it has all of them. In any case the program
//! looks at run time what the processor has, and plays one game after the other if it finds none.

use std::env;

/// The configuration for each kind of vectors, the widest first, and whether this processor has
/// them.
fn kinds() -> [(&'static str, bool); 2] {
    #[cfg(target_arch = "x86_64")]
    {
        let [has_avx512, has_avx2] = [
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq"),
            is_x86_feature_detected!("avx2"),
        ];
        [("lusoria_avx512", has_avx512), ("lusoria_avx2", has_avx2)]
    }
    #[cfg(not(target_arch = "x86_64"))]
    [("lusoria_avx512", false), ("lusoria_avx2", false)]
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LUSORIA_VECTORS");
    for (kind, _) in kinds() {
        println!("cargo::rustc-check-cfg=cfg({kind})");
    }
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    let native = env::var("HOST") == env::var("TARGET") && env::var("LUSORIA_VECTORS").as_deref() != Ok("all");
    let widest = kinds().into_iter().find(|(_, has)| native && *has);
    for (kind, _) in kinds() {
        if widest.is_none_or(|(widest, _)| widest == kind) {
            println!("cargo::rustc-cfg={kind}");
        }
    }
}
