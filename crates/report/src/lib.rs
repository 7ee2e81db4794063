//! Renders findings and replays: one file per format.
//!
//! **Invariant:** knows findings and stories, not the analyses that made them; reads no
//! files (the sources are handed in).

mod behaviour;
mod concise;
mod effects;
mod extent;
mod human;
mod json;
mod replay;
mod replay_json;

pub use behaviour::{input_json, input_line, output_json, output_line};
pub use concise::concise;
pub use human::{Sources, human};
pub use json::finding as json_finding;
pub use replay::replay;
pub use replay_json::replay as json_replay;
