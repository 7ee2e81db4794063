//! Locate against a definition too simple to be wrong: a log of all accesses (`pairs`). What emulated
//! failures come to is held against the naive judge of `brownout-oracle`, in that crate's tests.
//!
//! Random programs are functions of a list of numbers (`generate`), so that a
//! failing one shrinks; the lists themselves are the same in every run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may"
)]

mod generate;
mod locate;
mod pairs;
mod rounds;
mod support;
