//! Dynamic taint: rule by rule, and against naive executions of random programs.

#![allow(
    clippy::panic,
    reason = "a program that the test itself got wrong ends the test"
)]
#![allow(dead_code, reason = "the programs are shared with other tests")]

mod device;
mod naive;
#[path = "../../../flow/tests/soundness/program.rs"]
mod program;
mod random;
mod rules;
#[path = "../../../flow/tests/soundness/sets.rs"]
mod sets;
#[path = "../../../flow/tests/soundness/text.rs"]
mod text;
