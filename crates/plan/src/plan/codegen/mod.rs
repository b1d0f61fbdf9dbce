//! Code generation: trees of blocks go in; linear code for each executor comes out, through a
//! pipeline of passes.

pub mod edit;
pub mod jump_threading;
pub mod layout;
pub mod linearize;
pub mod peephole;
pub mod scalar;
pub mod sink;
pub mod skip_empty;

use crate::plan::code::{BoardFacts, Code, FusedCode, RegLayout};
use crate::plan::codegen::edit::Edit;
use crate::plan::codegen::jump_threading::thread;
use crate::plan::op::Stage;
use crate::plan::verify::verified;

/// A pass over linear code, by itself.
pub struct CodePass {
    pub name: &'static str,
    /// The stage of the code that it takes.
    pub takes: Stage,
    /// The stage of the code that it makes.
    pub makes: Stage,
    pub run: CodeRun,
}

/// What a pass works on.
pub enum CodeRun {
    Linear(fn(Code, RegLayout, BoardFacts<'_>) -> Code),
    /// Code that has superinstructions, or gets them.
    Fused(fn(FusedCode, RegLayout, BoardFacts<'_>) -> FusedCode),
}

/// All passes over linear code. `peephole` leaves branches as they are.
pub const CODE_PASSES: [CodePass; 7] = [
    CodePass {
        name: "attack_filter",
        takes: Stage::Fused,
        makes: Stage::Fused,
        run: CodeRun::Fused(scalar::attack_filter::filter_attacks),
    },
    CodePass { name: "fuse", takes: Stage::Polished, makes: Stage::Fused, run: CodeRun::Fused(scalar::fuse) },
    CodePass {
        name: "jump_threading",
        takes: Stage::Linear,
        makes: Stage::Threaded,
        run: CodeRun::Linear(|mut code, _, _| {
            thread(&mut code);
            code
        }),
    },
    CodePass {
        name: "layout",
        takes: Stage::Threaded,
        makes: Stage::Threaded,
        run: CodeRun::Linear(|code, _, _| code.reached()),
    },
    CodePass {
        name: "peephole",
        takes: Stage::Linear,
        makes: Stage::Structured,
        run: CodeRun::Linear(|code, layout, _| {
            edited(code, layout, true, |edit| {
                let life = edit.simplify(false);
                edit.combine(&life);
            })
        }),
    },
    CodePass {
        name: "sink",
        takes: Stage::Threaded,
        makes: Stage::Polished,
        run: CodeRun::Linear(|code, layout, _| {
            edited(code, layout, false, |edit| {
                let mut life = edit.life();
                edit.sink(&mut life);
            })
        }),
    },
    CodePass {
        name: "skip_empty",
        takes: Stage::Threaded,
        makes: Stage::Polished,
        run: CodeRun::Linear(|code, layout, _| {
            edited(code, layout, false, |edit| {
                let life = edit.life();
                edit.skip_empty(&life);
            })
        }),
    },
];

fn edited(code: Code, layout: RegLayout, structured: bool, run: impl Fn(&mut Edit)) -> Code {
    let mut edit = Edit::new(code, layout, structured);
    run(&mut edit);
    edit.packed()
}

impl Code {
    /// The same with fewer operations. `tells`: it still tells of choices.
    pub fn optimized(&self, layout: RegLayout, tells: bool) -> Code {
        let check = |code, pass| verified(code, layout.shared, Stage::Threaded, pass);
        let mut code = self.clone();
        thread(&mut code);
        let code = check(check(code, "jump_threading").reached(), "layout");
        let mut edit = Edit::new(code, layout, false);
        let mut life = edit.simplify(tells);
        edit.sink(&mut life);
        edit.combine(&life);
        edit.skip_empty(&life);
        verified(edit.packed(), layout.shared, Stage::Polished, "peephole")
    }

    /// [`Code::optimized`], but with its branches and rounds as they are laid out.
    pub fn optimized_structured(&self, layout: RegLayout) -> Code {
        let mut edit = Edit::new(self.clone(), layout, true);
        let life = edit.simplify(false);
        edit.combine(&life);
        verified(edit.packed(), layout.shared, Stage::Structured, "peephole")
    }

    /// The same for the scalar interpreter, sooner at its jumps.
    pub fn fused(&self, layout: RegLayout, board: BoardFacts<'_>) -> FusedCode {
        verified(scalar::fuse(self.to_fused(), layout, board), layout.shared, Stage::Fused, "fuse")
    }
}
