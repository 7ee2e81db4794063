//! Building and running programs on this computer: the other implementation
//! that the tool is compared with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compare::Outcome;
use crate::error::Error;
use crate::process::{Ended, execute};

/// The compiler. The same as the tool's, so that both agree on what C means.
pub const CLANG: &str = "clang-22";

/// How long a compiler may take.
const BUILD_LIMIT: Duration = Duration::from_secs(120);

/// Compiles with `arguments`.
///
/// # Errors
/// If the compiler rejects something.
pub fn clang(arguments: &mut Command) -> Result<(), Error> {
    let ended = execute(arguments, BUILD_LIMIT)?;
    match ended.status {
        Some(0) => Ok(()),
        _ => Err(Error::Failed {
            command: format!("{arguments:?}").replace('"', ""),
            message: ended.stderr,
        }),
    }
}

/// Builds `sources` into the program `output`.
///
/// # Errors
/// If the compiler rejects them.
pub fn build(sources: &[PathBuf], flags: &[String], output: &Path) -> Result<(), Error> {
    clang(
        Command::new(CLANG)
            .args(flags)
            .args(sources)
            .arg("-o")
            .arg(output)
            .arg("-lm"),
    )
}

/// Runs a program that [`build`] made. Output that is not text is made text as the tool does it.
///
/// # Errors
/// If a signal ends it, or it takes longer than `limit`.
pub fn run(program: &Path, limit: Duration) -> Result<Outcome, Error> {
    let ended = execute(&mut Command::new(program), limit)?;
    outcome(&ended).ok_or_else(|| Error::Failed {
        command: program.display().to_string(),
        message: format!("signal {}", ended.signal.unwrap_or_default()),
    })
}

/// What a program did; nothing if a signal ended it.
pub fn outcome(ended: &Ended) -> Option<Outcome> {
    ended.status.map(|status| Outcome {
        output: String::from_utf8_lossy(&ended.stdout).into_owned(),
        status: i64::from(status),
    })
}
