//! The solver that a command asks.

use std::time::Duration;

use brownout_solver::{Limits, Process, Solver};

use crate::limits;

/// How long the solver may take for one question, if the user does not say.
const MILLISECONDS: u64 = 20_000;

/// Solvers that are asked if the user names none, those that do best first.
const SOLVERS: [&[&str]; 3] = [
    &["bitwuzla", "--lang", "smt2", "-"],
    &["z3", "-in"],
    &["cvc5", "--lang", "smt2", "--incremental"],
];

/// The solver that was asked for, else the embedded one, else the first one that is installed.
pub(crate) fn solver(command: Option<&str>, milliseconds: Option<u64>) -> Box<dyn Solver> {
    let time = Duration::from_millis(milliseconds.unwrap_or(MILLISECONDS));
    let limits = Limits {
        time,
        ..Limits::default()
    };
    #[cfg(feature = "embedded-solver")]
    if command.is_none() {
        return Box::new(brownout_solver::Embedded::new(limits).until(limits::is_up));
    }
    let words = match command {
        Some(command) => shlex::split(command).unwrap_or_else(|| vec![command.to_owned()]),
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let is_installed =
                |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
            let mut installed = SOLVERS.iter().filter(|words| is_installed(words[0]));
            let chosen = installed.next().unwrap_or(&SOLVERS[1]);
            chosen.iter().map(|word| (*word).to_owned()).collect()
        }
    };
    let process = Process::new(words, limits).until(limits::is_up);
    Box::new(process.prepared(limits::tie))
}
