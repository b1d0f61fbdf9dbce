//! Every kind of mistake: found at its place, worded, rendered.
