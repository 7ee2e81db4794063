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

/// How often it is looked at how much memory a process has.
const LOOK: Duration = Duration::from_millis(5);

/// Runs `command` without input. A process that takes longer than `limit` is stopped.
///
/// # Errors
/// If it cannot be started or does not end in time.
pub fn execute(command: &mut Command, limit: Duration) -> Result<Ended, Error> {
    let (ended, ()) = execute_beside(command, limit, |_| ())?;
    Ok(ended)
}

/// The same, with the most memory that the process had, in KiB, as far as that was seen. None where the system does not say.
///
/// # Errors
/// If it cannot be started or does not end in time.
pub fn execute_measured(
    command: &mut Command,
    limit: Duration,
) -> Result<(Ended, Option<u64>), Error> {
    let (ended, memory) = execute_beside(command, limit, watch_memory)?;
    Ok((ended, memory.join().unwrap_or_default()))
}

/// Runs `command` while something is done beside it, which is told its number.
fn execute_beside<T>(
    command: &mut Command,
    limit: Duration,
    beside: impl FnOnce(u32) -> T,
) -> Result<(Ended, T), Error> {
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
    let beside = beside(child.id());
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
    let ended = Ended {
        status: status.code(),
        signal: status.signal(),
        stdout: stdout.join().unwrap_or_default(),
        stderr: String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned(),
    };
    Ok((ended, beside))
}

/// Follows how much memory a process has, to its end.
fn watch_memory(process: u32) -> thread::JoinHandle<Option<u64>> {
    thread::spawn(move || {
        let path = format!("/proc/{process}/status");
        let mut most = None;
        // What has ended has no memory any more.
        while let Some(now) = std::fs::read_to_string(&path)
            .ok()
            .and_then(|it| memory(&it))
        {
            most = most.max(Some(now));
            thread::sleep(LOOK);
        }
        most
    })
}

/// The most memory that a process had so far, in what Linux says of it.
fn memory(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
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

#[cfg(test)]
mod tests {
    use super::{Command, Duration, execute_measured};

    #[test]
    fn memory_is_seen() {
        let mut command = Command::new("sleep");
        let measured = execute_measured(command.arg("0.1"), Duration::from_secs(10));
        let memory = measured.map(|(_, memory)| memory);
        assert!(matches!(memory, Ok(Some(100..100_000))), "{memory:?}");
    }
}
