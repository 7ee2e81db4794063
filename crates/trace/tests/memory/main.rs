//! Locate, evaluate and brute force against each other and against definitions
//! too simple to be wrong: a log of all accesses for Locate (`pairs`), full copies
//! of the machine for Evaluate (`copies`, and brute force itself).
//!
//! Random programs are functions of a list of numbers (`generate`), so that a
//! failing one shrinks; the lists themselves are the same in every run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may"
)]

mod copies;
mod evaluate;
mod generate;
mod known;
mod locate;
mod pairs;
mod replay;
mod support;
