//! Random programs by csmith, and the comparison of the tool with itself and
//! with the native build on them.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::compare::{Outcome, compare};
use crate::error::Error;
use crate::native;
use crate::process::execute;
use crate::tool::{Report, Tool};

/// Where the package puts the headers of generated programs.
const HEADERS: &str = "/usr/include/csmith";

/// How many seconds of a processor generating and running natively may take: programs that need
/// more are left out.
const MOST_SECONDS: u32 = 4;

/// How long anything may take that does not come to its own limit before, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(900);

/// Programs that emulate more than this are left out: a second or so natively.
const MOST_INSTRUCTIONS: &str = "1000000000";

/// What became of one program.
#[derive(Debug)]
pub enum Verdict {
    /// All results are the same.
    Same,
    /// It runs too long to tell, or is too large for the device.
    Skipped,
    /// Results differ, or the tool could not run it.
    Wrong {
        /// At which level of optimisation.
        level: &'static str,
        /// What is wrong.
        error: Error,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Skipped => f.write_str("skipped: it runs too long or is too large"),
            Self::Wrong { level, error } => write!(f, "{level}: {error}"),
        }
    }
}

/// Whether csmith and its headers are there.
pub fn is_installed() -> bool {
    Path::new(HEADERS).join("csmith.h").is_file()
        && Command::new("csmith")
            .arg("--version")
            // Even for this it leaves a file in the working directory.
            .current_dir(std::env::temp_dir())
            .output()
            .is_ok()
}

/// Writes the program of `seed` to `path`.
///
/// # Errors
/// If csmith cannot be run or does not end in time.
pub fn generate(seed: u64, path: &Path) -> Result<(), Error> {
    let mut command = within_seconds(MOST_SECONDS, "csmith");
    // Programs as they are by default; the seed makes each reproducible.
    command
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(path);
    // csmith leaves a file of its own in the working directory.
    command.current_dir(path.parent().unwrap_or(Path::new(".")));
    let ended = execute(&mut command, PATIENCE)?;
    match ended.status {
        Some(0) => Ok(()),
        None => Err(Error::TimedOut {
            command: format!("csmith --seed {seed}"),
            limit: Duration::from_secs(MOST_SECONDS.into()),
        }),
        _ => Err(Error::Failed {
            command: format!("csmith --seed {seed}"),
            message: ended.stderr,
        }),
    }
}

/// Generates the program of `seed` in `folder` and checks it. For x86_64 the native build
/// says what is right; for other targets the level without optimisation does.
///
/// # Errors
/// If csmith or clang fail.
pub fn check(tool: &Tool, target: &str, seed: u64, folder: &Path) -> Result<Verdict, Error> {
    let source = source(folder, seed);
    // csmith reads the sizes of the target's types from this file, and writes this computer's if there is none.
    if target == "msp430" {
        let (draft, sizes) = (
            folder.join(format!("{seed}.info")),
            folder.join("platform.info"),
        );
        // Renamed into place: another thread may be reading it.
        fs::write(&draft, "integer size = 2\npointer size = 2\n")
            .and_then(|()| fs::rename(&draft, &sizes))
            .map_err(|error| Error::file(sizes, error))?;
    }
    match generate(seed, &source) {
        Err(Error::TimedOut { .. }) => return Ok(Verdict::Skipped),
        other => other?,
    }
    let expected = if target == "x86_64" {
        let program = source.with_extension("native");
        let flags = ["-w", "-O0", "-I", HEADERS].map(str::to_owned);
        native::build(std::slice::from_ref(&source), &flags, &program)?;
        let ended = execute(&mut within_seconds(MOST_SECONDS, &program), PATIENCE)?;
        fs::remove_file(&program).map_err(|error| Error::file(&program, error))?;
        match native::outcome(&ended) {
            Some(outcome) => Some(outcome),
            None => return Ok(Verdict::Skipped),
        }
    } else {
        None
    };
    let first = match emulate(tool, target, &source, "-O0") {
        Ok(Emulated::Ended(outcome)) => outcome,
        Ok(Emulated::TooLong) => return Ok(Verdict::Skipped),
        // What never ends natively has been left out above; elsewhere nobody else knows.
        Ok(Emulated::Endless) if expected.is_none() => return Ok(Verdict::Skipped),
        Ok(Emulated::Endless) => {
            return Ok(Verdict::Wrong {
                level: "-O0",
                error: endless(),
            });
        }
        Err(error) => {
            return Ok(Verdict::Wrong {
                level: "-O0",
                error,
            });
        }
    };
    if let Some(Err(error)) = expected.as_ref().map(|expected| compare(expected, &first)) {
        return Ok(Verdict::Wrong {
            level: "-O0",
            error,
        });
    }
    let second = match emulate(tool, target, &source, "-O2") {
        Ok(Emulated::Ended(outcome)) => outcome,
        Ok(Emulated::TooLong) => return Ok(Verdict::Skipped),
        Ok(Emulated::Endless) => {
            return Ok(Verdict::Wrong {
                level: "-O2",
                error: endless(),
            });
        }
        Err(error) => {
            return Ok(Verdict::Wrong {
                level: "-O2",
                error,
            });
        }
    };
    match compare(&first, &second) {
        Ok(()) => Ok(Verdict::Same),
        Err(error) => Ok(Verdict::Wrong {
            level: "-O2",
            error,
        }),
    }
}

/// Runs a program that the system ends with a signal when it has used so many seconds of a processor. Unlike
/// time on the clock, these do not depend on what else the machine is doing.
fn within_seconds(seconds: u32, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -t {seconds}; exec \"$0\" \"$@\"");
    command.args(["-c", &limited]).arg(program);
    command
}

/// Where the program of `seed` is kept in `folder`.
pub fn source(folder: &Path, seed: u64) -> PathBuf {
    folder.join(format!("{seed}.c"))
}

/// What the program does in the emulator.
enum Emulated {
    Ended(Outcome),
    /// It comes back to the same state for ever.
    Endless,
    /// A limit ended it, or there is no room for it.
    TooLong,
}

fn endless() -> Error {
    Error::Fault {
        message: "the program comes back to the same state for ever".to_owned(),
    }
}

fn emulate(tool: &Tool, target: &str, source: &Path, level: &str) -> Result<Emulated, Error> {
    let mut command = tool.command(["run", "--format", "json", "--target", target]);
    // On a busy machine it is the clock that runs out.
    command.args([
        "--max-instructions",
        MOST_INSTRUCTIONS,
        "--time-limit",
        "600",
    ]);
    if target == "msp430" {
        command.args([
            "--set",
            "memory.stack-size=16384",
            "--set",
            "memory.heap-size=512",
        ]);
    }
    // Without this macro csmith's headers for the MSP430 need its compiler of old.
    command
        .arg(source)
        .args(["--", "-w", level, "-UMSP430", "-I", HEADERS]);
    let ended = execute(&mut command, PATIENCE)?;
    let Some(report) = Report::read(&ended) else {
        if ended.stderr.contains("the target's address space has") {
            return Ok(Emulated::TooLong);
        }
        let document: Option<Value> = serde_json::from_slice(&ended.stdout).ok();
        if document.is_some_and(|document| document["complete"] == true) {
            return Ok(Emulated::Endless);
        }
        return Err(Error::NotAReport {
            command: format!("{command:?}").replace('"', ""),
            printed: format!("{}{}", String::from_utf8_lossy(&ended.stdout), ended.stderr),
        });
    };
    let too_deep = report
        .fault
        .as_ref()
        .is_some_and(|fault| fault.starts_with("stack overflow"));
    if report.document["complete"] == false || (too_deep && target == "msp430") {
        return Ok(Emulated::TooLong);
    }
    report.outcome().cloned().map(Emulated::Ended)
}
