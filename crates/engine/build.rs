//! Chooses whether the widest sets are compiled for processors without BMI2 and AVX2 too, which takes
//! the compiler a seventh of the engine's time.
//!
//! A build for the machine at hand leaves them out if its processor has both. Where the program is
//! built for another machine, or `LUSORIA_VECTORS=all` asks for it, it has them. A program without
//! them plays by the reference executor on a processor that lacks either.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LUSORIA_VECTORS");
    println!("cargo::rustc-check-cfg=cfg(lusoria_baseline)");
    let native = env::var("HOST") == env::var("TARGET") && env::var("LUSORIA_VECTORS").as_deref() != Ok("all");
    if !(native && has_bmi2_and_avx2()) {
        println!("cargo::rustc-cfg=lusoria_baseline");
    }
}

#[cfg(target_arch = "x86_64")]
fn has_bmi2_and_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Other processors have one version of each function.
#[cfg(not(target_arch = "x86_64"))]
fn has_bmi2_and_avx2() -> bool {
    false
}
