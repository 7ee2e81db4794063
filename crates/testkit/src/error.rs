//! Why a check could not be made, or did not hold.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What is wrong.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A process cannot be started.
    Start {
        /// The command.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// A process did not end in time and was stopped.
    TimedOut {
        /// The command.
        command: String,
        /// How long it was given.
        limit: Duration,
    },
    /// A process failed that should not have.
    Failed {
        /// The command.
        command: String,
        /// What it wrote to standard error.
        message: String,
    },
    /// What the tool printed is not the document it promises.
    NotAReport {
        /// The command.
        command: String,
        /// What it printed.
        printed: String,
    },
    /// The emulated program died.
    Fault {
        /// What the tool says.
        message: String,
    },
    /// Two runs gave different results.
    Differs {
        /// The first difference.
        difference: String,
    },
    /// A directive that the harness does not know.
    Directive {
        /// The file.
        path: PathBuf,
        /// The line.
        line: String,
    },
}

impl Error {
    /// A file that cannot be read or written.
    pub fn file(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::File {
            path: path.into(),
            error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Start { command, error } => write!(f, "`{command}` cannot be started: {error}"),
            Self::TimedOut { command, limit } => write!(f, "`{command}` took more than {limit:?}"),
            Self::Failed { command, message } => write!(f, "`{command}` failed:\n{message}"),
            Self::NotAReport { command, printed } => {
                write!(f, "`{command}` printed no report:\n{printed}")
            }
            Self::Fault { message } => write!(f, "the emulated program died: {message}"),
            Self::Differs { difference } => f.write_str(difference),
            Self::Directive { path, line } => {
                write!(f, "{}: unknown directive `{line}`", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}
