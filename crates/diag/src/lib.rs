//! What brownout says about a program: findings, as plain data.
//!
//! The shape follows the JSON document of the user interface, one type per JSON object, so that a
//! renderer only has to spell the fields out. The rules and the evidence are those of the project's
//! semantics, §3.
//!
//! **Invariant**: this crate knows neither the intermediate representation nor any analysis, does
//! no I/O and depends on nothing. Findings are sorted by [`Finding::order`]; evidence has an order for each
//! question, and none of its own.

mod behaviour;
mod crash;
mod effect;
mod finding;
mod object;
mod place;
mod replay;
mod rule;
mod story;

pub use behaviour::{Behaviour, InputBehaviour, OutputBehaviour, Repetition};
pub use crash::{CrashId, CrashIdError, CrashPoint, Extent};
pub use effect::{Crash, Effect, Outlet, OutputChange, When};
pub use finding::{
    Event, Evidence, Finding, Fix, Identity, Locus, ObjectRef, Pair, Related, Replay, Severity,
    Side, SidedObject, Subject, Witness,
};
pub use object::{Named, ObjectId, Segment};
pub use place::SourcePlace;
pub use replay::{
    InputValues, ReplayId, ReplayIdError, ReplayInputs, ReplayInterrupt, ResumePoint, Torn,
};
pub use rule::{Role, Rule, Words};
pub use story::{
    Action, Again, AlsoContinuous, Amid, Attempt, Compared, Continuous, Ending, Retention, Step,
    Story, Watched,
};

/// So many of something.
pub fn plural(count: impl Into<u128>, word: &str) -> String {
    match count.into() {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    }
}
