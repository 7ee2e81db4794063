//! Running the tool.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::compare::Outcome;
use crate::error::Error;
use crate::process::{Ended, execute};

/// Long enough for everything a test asks for, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// The tool, as a program to run.
#[derive(Clone, Debug)]
pub struct Tool {
    path: PathBuf,
}

/// What `run --format json` says.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The whole document.
    pub document: Value,
    /// What the program did, if it ended.
    pub outcome: Option<Outcome>,
    /// What it died of, if it did.
    pub fault: Option<String>,
}

impl Tool {
    /// The tool at `path`.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
        }
    }

    /// The command that runs the tool with `arguments`.
    pub fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(arguments)
            .env_remove("NO_COLOR")
            .env_remove("BROWNOUT_CLANG");
        command
    }

    /// Runs the tool.
    ///
    /// # Errors
    /// If it cannot be started or hangs.
    pub fn run(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<Ended, Error> {
        execute(&mut self.command(arguments), LIMIT)
    }

    /// Emulates `sources` for `target`; `clang` are arguments for the compiler.
    ///
    /// # Errors
    /// If there is no report.
    pub fn emulate(
        &self,
        target: &str,
        sources: &[PathBuf],
        clang: &[String],
    ) -> Result<Report, Error> {
        let mut command = self.command(["run", "--format", "json", "--target", target]);
        command.args(sources).arg("--").args(clang);
        let ended = execute(&mut command, LIMIT)?;
        Report::read(&ended).ok_or_else(|| Error::NotAReport {
            command: format!("{command:?}").replace('"', ""),
            printed: format!("{}{}", String::from_utf8_lossy(&ended.stdout), ended.stderr),
        })
    }
}

impl Report {
    /// Reads the report that a run printed.
    pub fn read(ended: &Ended) -> Option<Self> {
        let document: Value = serde_json::from_slice(&ended.stdout).ok()?;
        let output = document["output"].as_str()?.to_owned();
        let outcome = document["exit_status"]
            .as_i64()
            .map(|status| Outcome { output, status });
        let fault = document["fault"]["message"].as_str().map(str::to_owned);
        (outcome.is_some() || fault.is_some()).then_some(Self {
            document,
            outcome,
            fault,
        })
    }

    /// What the program did.
    ///
    /// # Errors
    /// If it died.
    pub fn outcome(&self) -> Result<&Outcome, Error> {
        self.outcome.as_ref().ok_or_else(|| Error::Fault {
            message: self.fault.clone().unwrap_or_default(),
        })
    }
}
