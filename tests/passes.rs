//! Plans as text, and passes on them: what is printed reads back, and each pass makes of a small
//! plan what its file says.

use lusoria::interp::Engine;
use lusoria::plan::{linearize, parse_code, parse_plan, print_code, print_plan};

use crate::common::shipped_games;

#[test]
fn plans_of_all_games_read_back() {
    let mut plans = 0;
    for game in shipped_games() {
        let Ok(engine) = Engine::new(game.model()) else { continue };
        let plan = engine.plan();
        let text = print_plan(plan);
        let read = parse_plan(&text).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        assert!(read == *plan, "{}: another plan is read back", game.name());
        let code = linearize(plan).expect("it was laid out before");
        let text = text + &print_code(&code);
        let (_, read) = parse_code(&text).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        assert!(read == code, "{}: other code is read back", game.name());
        assert_eq!(print_plan(plan) + &print_code(&read), text);
        plans += 1;
    }
    assert!(plans > 20, "{plans}");
}
