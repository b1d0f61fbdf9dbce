//! Python package: games, positions and what the commands do go in as calls of Python; the library answers.
//!
//! It holds what must be fast or needs threads. The rest, and all documentation for users, is in `lusoria/`.

mod actions;
mod error;
mod forms;
mod functions;
mod game;
mod group;
mod lane;
mod observe;
mod position;
mod record;
mod run;
mod search;
mod spread;
mod state;
mod vector;

use pyo3::prelude::*;

#[pymodule]
fn _lusoria(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<position::Move>()?;
    module.add_class::<position::Outcome>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vector::VectorCore>()?;
    module.add_class::<functions::Player>()?;
    module.add_class::<search::Tree>()?;
    module.add_class::<record::Counts>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::loads, module)?)?;
    module.add_function(wrap_pyfunction!(game::shipped, module)?)?;
    module.add_function(wrap_pyfunction!(functions::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(functions::part, module)?)?;
    module.add_function(wrap_pyfunction!(functions::merge, module)?)?;
    module.add_function(wrap_pyfunction!(functions::report, module)?)?;
    module.add_function(wrap_pyfunction!(functions::rollouts, module)?)?;
    module.add_function(wrap_pyfunction!(record::record, module)?)?;
    module.add_function(wrap_pyfunction!(state::state_of, module)?)?;
    module.add_function(wrap_pyfunction!(game::rules, module)?)?;
    module.add_function(wrap_pyfunction!(game::with_rules, module)?)?;
    module.add_function(wrap_pyfunction!(functions::perft, module)?)?;
    module.add_function(wrap_pyfunction!(functions::analyse, module)?)?;
    module.add_function(wrap_pyfunction!(functions::strength, module)?)
}
