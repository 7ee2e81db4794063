//! Chores of the repository: `cargo xtask CHORE`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]

mod csmith;
mod damage;
mod dependencies;
mod eval;
mod model;
mod plot;
mod proofs;

use std::process::ExitCode;

use clap::Parser;

/// Chores of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Compare the tool with the native build on random programs
    Csmith(csmith::Options),
    /// Give the tool damaged inputs of every kind
    Damage(damage::Options),
    /// Hold what we depend on against `deny.toml`
    Dependencies(dependencies::Options),
    /// Make the figures of the documentation
    Eval(eval::Options),
    /// Ask the formal model about a program, or its claims of many
    Model(model::Options),
    /// Hold what is proved of random programs against every power failure
    Proofs(proofs::Options),
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Csmith(options) => csmith::run(&options).map_err(|error| error.to_string()),
        Chore::Damage(options) => damage::run(&options).map_err(|error| error.to_string()),
        Chore::Dependencies(options) => dependencies::run(&options),
        Chore::Eval(options) => eval::run(&options).map_err(|error| error.to_string()),
        Chore::Model(options) => model::run(&options),
        Chore::Proofs(options) => proofs::run(&options),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
