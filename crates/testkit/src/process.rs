//! Running processes that may hang.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt;

use crate::error::Error;

/// How a process ended and what it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Its exit status, unless a signal ended it.
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error, as text.
    pub stderr: String,
}

/// Runs `command` without input. A process that takes longer than `limit` is stopped.
///
/// # Errors
/// If it cannot be started or does not end in time.
pub fn execute(command: &mut Command, limit: Duration) -> Result<Ended, Error> {
    let shown = || format!("{command:?}").replace('"', "");
    let shown = shown();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Error::Start {
            command: shown.clone(),
            error,
        })?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = child.wait_timeout(limit).map_err(|error| Error::Start {
        command: shown.clone(),
        error,
    })?;
    let Some(status) = status else {
        // It may have ended a moment ago; either way it is gone afterwards.
        let _ = child.kill();
        let _ = child.wait();
        return Err(Error::TimedOut {
            command: shown,
            limit,
        });
    };
    Ok(Ended {
        status: status.code(),
        signal: status.signal(),
        stdout: stdout.join().unwrap_or_default(),
        stderr: String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned(),
    })
}

/// Reads a pipe to its end, so that the process never waits for us.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error still counts.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}
