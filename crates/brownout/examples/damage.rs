//! `cargo run -p brownout --example damage -- KIND COUNT [START]`: what `cargo xtask damage` does, ten times
//! as fast. Most of what a short command takes is loading libLLVM; here one process has loaded it, and every
//! damaged input is given to a copy of that process.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a chore, and it talks to whoever runs it"
)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout::cli::Arguments;
use brownout_testkit::damage::{Fate, Kind, Patient, judged};
use brownout_testkit::{Ended, Error, Scratch, Tool};
use clap::Parser;

/// What nothing takes that is damaged: longer is hanging.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // The tool starts itself to read bitcode.
    if arguments.get(1).is_some_and(|first| first == "lift") {
        return brownout::main(Arguments::parse_from(arguments));
    }
    let word = |at: usize| arguments.get(at).and_then(|word| word.to_str());
    let number = |at: usize| word(at).and_then(|word| word.parse::<u64>().ok());
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| word(1) == Some(kind.name()));
    let (Some(kind), Some(count)) = (kind, number(2)) else {
        let names = Kind::ALL.map(Kind::name).join("|");
        eprintln!("usage: damage {names} COUNT [START]");
        return ExitCode::from(2);
    };
    match damage(kind, count, number(3).unwrap_or(0)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// How many of so many damaged inputs did harm.
fn damage(kind: Kind, count: u64, start: u64) -> Result<usize, Error> {
    let this = std::env::current_exe().map_err(|error| Error::file("damage", error))?;
    // Samples are made by the tool itself, which cargo builds beside its examples.
    let tool = this
        .ancestors()
        .nth(2)
        .map(|folder| folder.join("brownout"));
    let folder = std::env::temp_dir();
    let scratch = Scratch::new(&folder)?;
    let patient = Patient::new(kind, &Tool::new(tool.unwrap_or_default()), scratch.path())?;
    let (mut accepted, mut refused, mut harmful) = (0, 0, Vec::new());
    for number in start..start.saturating_add(count) {
        match survive(&patient, number, scratch.path())? {
            Ok(Fate::Accepted) => accepted += 1,
            Ok(Fate::Refused) => refused += 1,
            Err(what) => {
                let kept = folder.join(format!("harmful-{kind}-{number}"));
                fs::write(&kept, patient.damaged(number))
                    .map_err(|error| Error::file(&kept, error))?;
                println!("{kind} {number}: {what}\nkept as {}", kept.display());
                harmful.push(number);
            }
        }
    }
    println!(
        "{kind}: {count} damaged from {start}, {accepted} accepted, {refused} refused, {} harmful {harmful:?}",
        harmful.len()
    );
    Ok(harmful.len())
}

/// Gives the damage of a number to a copy of this process.
fn survive(patient: &Patient, number: u64, folder: &Path) -> Result<Result<Fate, String>, Error> {
    let command = patient.command(&patient.damaged(number), folder)?;
    let arguments: Vec<OsString> = std::iter::once("brownout".into())
        .chain(command.get_args().map(Into::into))
        .collect();
    let path = folder.join("said");
    let open = || {
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
    };
    let mut said = open().map_err(|error| Error::file(&path, error))?;
    // SAFETY: this process has one thread, so the copy is complete; it never returns from here.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let _ = std::env::set_current_dir(folder);
        // SAFETY: both files are open. What is printed on standard output does not matter.
        unsafe {
            libc::dup2(said.as_raw_fd(), 2);
            if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
                libc::dup2(nowhere.as_raw_fd(), 1);
            }
        }
        let code = std::panic::catch_unwind(|| match Arguments::try_parse_from(arguments) {
            Ok(arguments) => brownout::main(arguments),
            Err(error) => {
                eprint!("{error}");
                ExitCode::from(2)
            }
        });
        let code = code.unwrap_or(ExitCode::from(101));
        let number = (0..=u8::MAX).find(|&number| ExitCode::from(number) == code);
        std::process::exit(number.map_or(101, i32::from))
    }
    let began = Instant::now();
    let mut status = 0;
    // SAFETY: the child was started above, and `status` outlives the calls.
    while unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == 0 {
        if began.elapsed() > LIMIT {
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &raw mut status, 0);
            }
            return Ok(Err("hangs".to_owned()));
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let mut stderr = Vec::new();
    let read = said.rewind().and_then(|()| said.read_to_end(&mut stderr));
    read.map_err(|error| Error::file(&path, error))?;
    Ok(judged(&Ended {
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        stdout: Vec::new(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }))
}
