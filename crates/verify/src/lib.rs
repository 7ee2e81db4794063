//! The proof that no power failure shows (semantics §4).
//!
//! VMCAI'18 compares a program with itself under power failures; OOPSLA'20 says which locations may
//! differ. Here the proof is made region by region:
//!
//! * [`question`]: what is to be proved, and what came of it;
//! * [`contents`]: what checkpoints restore;
//! * [`dataflow`]: what sets of reads and writes settle;
//! * [`known`]: what variables hold when a region starts;
//! * [`graph`], [`execute`] (with `instructions`, `memory`, `closed` and `counted`): a region as one symbolic
//!   execution of all its ways, over [`world`], the symbols, and [`state`], the states;
//! * [`operators`]: every operator of the IR as a term;
//! * [`region`] (with `compare`): failed attempt, last attempt and continuous execution compared;
//! * `handlers`: what runs at any time;
//! * [`prove`]: all regions;
//! * [`minimise`]: the least that checkpoints have to save.
//!
//! **Invariants**: nothing is executed here, nothing is known of machines, scenarios or files.
//! Whatever is not understood leaves an obligation open: nothing is proved by default.

pub mod alive;
pub mod closed;
mod compare;
pub mod contents;
mod counted;
pub mod dataflow;
pub mod execute;
pub mod graph;
mod handlers;
mod instructions;
pub mod known;
mod memory;
pub mod minimise;
pub mod operators;
mod outputs;
pub mod prove;
pub mod question;
pub mod region;
pub mod state;
pub mod world;

pub use contents::{Contents, Kept};
pub use prove::{Proved, Prover};
pub use question::{
    Change, Difference, Effect, Given, Obligations, Open, Operand, Operator, Outcome, Output,
    Question, Seen, Source, Values, Volatile, Why,
};
