//! The game as resolved.
