//! Analyses: programs go in; facts that passes rely on come out. Nothing is changed here.

pub(crate) mod branch_facts;
pub(crate) mod count_bound;
pub(crate) mod effects;
pub(crate) mod liveness;
pub(crate) mod singleton;
pub(crate) mod superset;
pub(crate) mod use_counts;
