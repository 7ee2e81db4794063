//! Why a program and a scenario make no device.

use std::fmt;

use brownout_scenario::{ConfigError, Doubt};

/// Why there is nothing to execute.
#[derive(Debug)]
pub enum Error {
    /// The configuration is wrong, or does not fit the program.
    Config(Vec<ConfigError>),
    /// No such function.
    NoEntry {
        /// The name asked for.
        name: String,
        /// One that exists.
        nearest: Option<String>,
    },
    /// Nothing survives a reboot, as far as anybody has said; what may mean that something does.
    NothingNonvolatile(Vec<Doubt>),
    /// Functions that nobody defines or describes.
    Missing {
        /// Their names.
        names: Vec<String>,
        /// The object that stands for a flash part, which they may be about.
        part: Option<String>,
    },
    /// Code that can be reached and that we cannot execute.
    Unsupported {
        /// What and where.
        gaps: Vec<String>,
    },
    /// A checkpoint that the configuration describes is not there.
    NoCheckpoint {
        /// Where it should be.
        at: String,
    },
    /// A table of inputs that cannot be used.
    Inputs {
        /// What is wrong.
        problem: String,
    },
    /// A call of code without a `main` that cannot be made.
    Harness {
        /// The function.
        function: String,
        /// Why not.
        problem: String,
    },
    /// The program does not fit.
    Image(brownout_vm::ImageError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(errors) => {
                for (index, error) in errors.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "\n" })?;
                    error.fmt(f)?;
                }
                Ok(())
            }
            Self::NoEntry { name, .. } => {
                write!(f, "the program has no function `{name}` to start at")
            }
            Self::NothingNonvolatile(doubts) => {
                f.write_str(
                    "nothing to check: every reboot starts at the entry, and nothing is said to be non-volatile",
                )?;
                doubts.iter().try_for_each(|doubt| write!(f, "; {doubt}"))
            }
            Self::Missing { names, .. } => {
                let list = names
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", ");
                match names.len() {
                    1 => write!(
                        f,
                        "function {list} is called but neither defined nor described"
                    ),
                    count => write!(
                        f,
                        "{count} functions are called but neither defined nor described: {list}"
                    ),
                }
            }
            Self::Unsupported { gaps } => {
                write!(
                    f,
                    "not supported yet: {}",
                    gaps.join("\n       not supported yet: ")
                )
            }
            Self::NoCheckpoint { at } => {
                write!(f, "`checkpoint.at` is `{at}`, and no checkpoint is there")
            }
            Self::Inputs { problem } => f.write_str(problem),
            Self::Harness { function, problem } => {
                write!(f, "`harness.args`: `{function}` {problem}")
            }
            Self::Image(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
