//! Inputs and outputs against the naive way to find out: execute every region again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what is wrong by panicking"
)]

mod inputs;
mod outputs;
mod support;
