//! Other processes that do a part of the work: clang, and the child that reads foreign bitcode.
//!
//! They get what they read on their standard input, what they print is kept, and they are ended with
//! the command: when its time is over, the user presses Ctrl-C, or somebody kills it.

use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::limits;

/// How a child ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Why there is no result of a child.
pub(crate) enum NoResult {
    /// It could not be started, or not be talked to.
    System(io::Error),
    /// The command is over.
    Over,
}

impl From<io::Error> for NoResult {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Runs a child to its end, with `input` to read.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Result<Ended, NoResult> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    limits::tie(command);
    let mut child = command.spawn()?;
    limits::hold(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let writer = std::thread::Builder::new().spawn_scoped(scope, move || {
            // A child that does not read has its reasons, which it tells.
            stdin.map(|mut stdin| stdin.write_all(input))
        });
        let output = std::thread::Builder::new().spawn_scoped(scope, move || all_of(stdout));
        let errors = std::thread::Builder::new().spawn_scoped(scope, move || all_of(stderr));
        let (Ok(_), Ok(output), Ok(errors)) = (writer, output, errors) else {
            end(&mut child);
            return Err(io::Error::from(io::ErrorKind::OutOfMemory).into());
        };
        let status = wait(&mut child);
        // Both end when the child has.
        let joined = |thread: std::thread::ScopedJoinHandle<'_, io::Result<Vec<u8>>>| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let (stdout, stderr) = (joined(output), joined(errors));
        Ok(Ended {
            status: status?,
            stdout: stdout?,
            stderr: stderr?,
        })
    })
}

fn all_of(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Waits for the end of a child, or of the command.
fn wait(child: &mut Child) -> Result<ExitStatus, NoResult> {
    /// The first pause; later ones are longer.
    const SHORTEST: Duration = Duration::from_micros(200);
    const LONGEST: Duration = Duration::from_millis(10);
    let mut pause = SHORTEST;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                // Ctrl-C reaches the whole group of processes, and this one may be the last to hear of it.
                let is_interrupted = matches!(status.signal(), Some(libc::SIGINT | libc::SIGTERM));
                let is_over = limits::is_over() || is_interrupted && limits::comes_to_be_over();
                return match status.success() || !is_over {
                    true => Ok(status),
                    false => Err(NoResult::Over),
                };
            }
            Ok(None) if limits::is_over() => {
                end(child);
                return Err(NoResult::Over);
            }
            Ok(None) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(LONGEST);
            }
            Err(error) => {
                end(child);
                return Err(error.into());
            }
        }
    }
}

/// Ends a child and whatever it still has to say.
fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}
