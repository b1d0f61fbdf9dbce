//! Board tables.
