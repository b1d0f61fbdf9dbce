//! Command `plan`: a game goes in; what the scalar executor does in a turn comes out, as a page.

use std::process::ExitCode;

use serde::Serialize;

use crate::batch;
use crate::cli::args::PlanArgs;
use crate::cli::{Failure, Outcome, RULES};
use crate::plan::{Node, Plan, SeatPlan, TreeOp, print_plan};

#[derive(Serialize)]
struct Planned {
    game: String,
    planned: bool,
    /// What has no plan, and where it stands.
    why: Option<String>,
    place: Option<String>,
    words: Option<usize>,
    /// Games that are simulated at a time; none if they are played one after the other.
    lanes: Option<usize>,
    /// Why they are.
    alone: Option<String>,
    /// They can be played in lock step, if that is asked for.
    can_batch: bool,
    player: String,
    /// What goes cell by cell or move by move, and what would lift that.
    one_by_one: Vec<String>,
    program: Option<String>,
}

/// What a program does not do for all cells or all moves at once.
#[derive(Default)]
struct OneByOne {
    cells: usize,
    groups: usize,
    calls: usize,
    choices: usize,
}

impl OneByOne {
    fn of(seat: &SeatPlan) -> OneByOne {
        let mut found = OneByOne::default();
        seat.programs().for_each(|(_, block)| block.iter().for_each(|node| found.count(node)));
        found
    }

    fn count(&mut self, node: &Node) {
        match node {
            Node::Each { .. } => self.cells += 1,
            Node::EachGroup { .. } => self.groups += 1,
            Node::Op(TreeOp::Call { .. }) => self.calls += 1,
            Node::Choose(arms) if arms.iter().any(|arm| arm.bound.is_unknown()) => self.choices += 1,
            _ => {}
        }
        node.blocks().into_iter().flatten().for_each(|node| self.count(node));
    }

    /// A sentence for each kind of them.
    fn sentences(&self, plan: &Plan) -> Vec<String> {
        let number = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let mut told = Vec::new();
        let mut tell = |count: usize, one, many, lifted: &str| {
            if count > 0 {
                told.push(format!("{}: {lifted}", number(count, one, many)));
            }
        };
        tell(
            self.cells,
            "loop goes cell by cell",
            "loops go cell by cell",
            "a condition is asked of all cells at once if it has no height, group or run of the cell",
        );
        tell(
            self.groups,
            "loop goes group by group",
            "loops go group by group",
            "a question such as `some liberties(group(c, own))` needs no loop",
        );
        tell(
            self.calls,
            "call of a define that calls itself",
            "calls of defines that call themselves",
            "`repeat` on a set of cells goes on from all of them at once",
        );
        tell(
            self.choices,
            "choice is gone through",
            "choices are gone through",
            "where as many moves at most stand behind each option, one is drawn by its number",
        );
        if plan.ambiguity.is_some() {
            told.push(
                "all moves are compared with each other: branches that pick other cells need no comparison".to_string(),
            );
        }
        told
    }
}

pub fn run(args: &PlanArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?;
    let model = game.model();
    let player = match &args.player {
        None => crate::board::Player(0),
        Some(name) => model
            .players()
            .find(|player| model.player(*player).name.eq_ignore_ascii_case(name))
            .ok_or_else(|| Failure::usage(format!("no player `{name}` in {}", game.name())))?,
    };
    let (engine, why) = match game.engine() {
        Ok(engine) => (Some(engine), None),
        Err(why) => (None, Some(why)),
    };
    if let Some(engine) = engine.as_ref().filter(|_| args.full) {
        crate::cli::print(&print_plan(engine.plan()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (lanes, alone, can_batch) = match engine.as_ref().map(batch::fits) {
        Some(Ok(fit)) => match fit.slow {
            Some(why) => (None, Some(format!("it has {why}")), true),
            None => (Some(batch::DEFAULT_LANES), None, true),
        },
        Some(Err(why)) => (None, Some(why.to_string()), false),
        None => (None, None, false),
    };
    let doubtful = engine.as_ref().and_then(|engine| {
        let plan = engine.plan();
        plan.ambiguity.and_then(|doubt| plan.spans.get(usize::from(doubt.place.0))).map(|site| site.span)
    });
    let planned = Planned {
        lanes,
        alone,
        can_batch,
        game: game.name().to_string(),
        planned: engine.is_some(),
        why: why.map(|why| why.why.to_string()),
        place: why.and_then(|why| why.span).or(doubtful).map(|span| model.sources.place(span)),
        words: engine.as_ref().map(|engine| engine.plan().bitboard.words),
        player: model.player(player).name.clone(),
        one_by_one: engine.as_ref().map_or_else(Vec::new, |engine| {
            let plan = engine.plan();
            plan.seats.get(player.index()).map_or_else(Vec::new, |seat| OneByOne::of(seat).sentences(plan))
        }),
        program: engine.map(|engine| engine.page(player)),
    };
    if args.json {
        crate::cli::print_json(&planned)?
    } else {
        crate::cli::print(&text(&planned))?
    }
    Ok(if planned.planned { ExitCode::SUCCESS } else { ExitCode::from(RULES) })
}

fn text(planned: &Planned) -> String {
    let game = &planned.game;
    match (&planned.program, &planned.why) {
        (Some(program), _) => {
            let bits = 64 * planned.words.unwrap_or(0);
            let place = planned.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
            let simulated = match (planned.lanes, &planned.alone) {
                (Some(lanes), _) => format!("simulated {lanes} games at a time on each thread"),
                (None, why) => {
                    format!("simulated one game after the other: {}{place}", why.as_deref().unwrap_or("no batch"))
                }
            };
            let one_by_one: String = planned.one_by_one.iter().map(|told| format!("- {told}\n")).collect();
            format!("{game}: sets of {bits} bits; {simulated}\n{one_by_one}\n{program}")
        }
        (None, why) => {
            let why = why.as_deref().unwrap_or_default();
            let place = planned.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
            format!("{game} is played by the reference executor: there is no plan yet for {why}{place}\n")
        }
    }
}
