//! Judges what power failures do to a program, naively: the oracle that the engine is held against.
//!
//! The specification is the project's semantics, §1 and §2. A program is executed continuously and
//! with a power failure at every place where one can make a difference; devices are copied as
//! wholes, power failures and restores are done by hand on these copies, and each failure is judged
//! by following both executions. Clarity goes before speed, and nothing is shared with the engine.
//!
//! **Invariant:** knows the intermediate representation, the machine and scenarios, and nothing of
//! how findings are made. No product crate depends on it.

mod clause;
mod device;
mod follow;
mod judge;
mod loops;
mod outputs;
mod regions;
mod restart;
mod setting;
pub mod table;
mod verdict;

pub use clause::Clause;
pub use device::Output;
pub use judge::{Options, Repetition, judge};
pub use setting::{Policy, Setting, Subject, Tag, Unjudgeable};
pub use verdict::{Blame, Effect, Failure, Judged, Last, Verdict, Why, Write, causes, own_effects};
