//! Renders findings and replays: one file per format.
//!
//! **Invariant:** knows findings and stories, not the analyses that made them; reads no
//! files (the sources are handed in).

mod behaviour;
mod concise;
mod document;
mod edit;
mod effects;
mod extent;
mod fingerprint;
mod flow;
mod html;
mod human;
mod json;
mod replay;
mod replay_json;
mod sarif;
mod source;
mod summary;
mod words;

pub use behaviour::{input_json, input_line, output_json, output_line};
pub use concise::concise;
pub use document::{Boot, BootStep, Document, Entry, FlashContents, Overview, Standing};
pub use edit::{Edit, edits};
pub use effects::describe as effect_line;
pub use fingerprint::{PairPrints, fingerprints, pair_prints, prints_of_pairs};
pub use html::html;
pub use human::{Detail, human};
pub use json::{JsonFinding, effect as json_effect, finding as json_finding, place as json_place};
pub use replay::replay;
pub use replay_json::replay as json_replay;
pub use sarif::sarif;
pub use source::Sources;
pub use summary::{Totals, summary};
pub use words::way;
