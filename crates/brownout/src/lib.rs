//! The pipeline: files and options in, results out.
//!
//! This is the only crate that reads files and environment variables, starts
//! processes, prints, and decides exit codes.
//!
//! **Invariant:** no analysis lives here; this crate connects the others.

mod allow;
mod baseline;
mod brute_force;
mod changed;
mod check;
mod child;
mod chips;
mod clang;
pub mod cli;
mod config;
mod console;
mod crash;
mod database;
mod declared;
mod dialect;
mod diff;
mod document;
mod dump;
mod ed;
mod edited;
mod error;
mod examined;
mod explain;
mod failure_test;
mod fix;
mod foreign;
mod front_end;
mod handlers;
mod headers;
mod implied;
mod init;
mod judge;
mod language;
mod limits;
mod linker;
mod load;
mod memory;
mod minimise;
mod missing;
mod outages;
mod persistent;
mod placing;
mod present;
mod progress;
mod project;
mod prove;
mod ready;
mod redefined;
mod regression;
mod replay;
mod run;
mod saving;
mod schema;
mod scratch;
mod shell;
mod sketch;
mod solvers;
mod sources;
mod terminal;
mod tokens;
mod uncured;

pub use error::Error;
pub use limits::out_of_memory;

use std::process::ExitCode;

use cli::{Arguments, Command};

/// Runs the command line `arguments`; the process ends with the code given.
pub fn main(arguments: Arguments) -> ExitCode {
    limits::end_without_memory();
    let result = match &arguments.command {
        Command::Check(options) => check::check(options),
        Command::Run(options) => run::run(options),
        Command::Crash(options) => crash::crash(options),
        Command::Replay(options) => replay::replay(options),
        Command::Fix(options) => fix::fix(options),
        Command::Schema(options) => schema::schema(options),
        Command::Completions(options) => shell::completions(options),
        Command::Man(options) => shell::manual(options),
        Command::Prove(options) => prove::prove(options),
        Command::Explain(options) => explain::explain(options),
        Command::Chips(options) => chips::chips(options),
        Command::Profiles(options) => chips::profiles(options),
        Command::Dump(options) => dump::dump(options),
        Command::Init(options) => init::init(options),
        Command::Ed(options) => ed::ed(options),
        Command::Lift(options) => front_end::lift(options),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            console::error(&error);
            ExitCode::from(2)
        }
    }
}
