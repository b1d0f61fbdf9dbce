//! Analyses: programs go in; facts that passes rely on come out. Nothing is changed here.

pub mod branch_facts;
pub mod count_bound;
pub mod effects;
pub mod liveness;
pub mod singleton;
pub mod superset;
pub mod use_counts;
