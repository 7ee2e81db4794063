//! Renders findings: one file per format.
//!
//! **Invariant:** knows findings, not the analyses that made them; reads no
//! files (the sources are handed in).

mod concise;
mod effects;
mod extent;
mod human;
mod json;

pub use concise::concise;
pub use human::{Sources, human};
pub use json::finding as json_finding;
