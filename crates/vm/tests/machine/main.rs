//! The machine against models that are too simple to be wrong: an interpreter
//! that walks the IR (`reference`), full copies of memory instead of a journal,
//! and small programs written by hand.
//!
//! Random programs are functions of a list of numbers (`generate`), so that a
//! failing one shrinks; the lists themselves are the same in every run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may"
)]

mod agree;
mod bindings;
mod code;
mod faults;
mod frames;
mod generate;
mod journal;
mod locals;
mod observe;
mod pause;
mod power;
mod record;
mod reference;
mod speed;
mod support;
