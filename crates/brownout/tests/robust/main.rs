//! Nothing a user can type or feed panics, hangs or crashes: exit code 2 and
//! one clear message, a test for each.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod chips;
mod config;
mod damage;
mod devices;
mod dialects;
mod environment;
mod faults;
mod files;
mod languages;
mod limits;
mod manners;
mod output;
mod profiles;
mod round_trip;
mod unknown;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use brownout_testkit::{Ended, Report, Scratch, Tool};

fn tool() -> Tool {
    Tool::new(env!("CARGO_BIN_EXE_brownout"))
}

/// The folder of one test.
fn scratch() -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap()
}

/// Arguments of all kinds as one list.
fn arguments<const N: usize>(list: [&dyn AsRef<OsStr>; N]) -> Vec<&OsStr> {
    list.into_iter().map(AsRef::as_ref).collect()
}

/// Runs the tool; whatever it is given, it ends by itself and without a panic.
fn run(arguments: &[&OsStr]) -> Ended {
    let ended = tool().run(arguments).unwrap();
    assert_no_crash(&ended);
    ended
}

fn assert_no_crash(ended: &Ended) {
    assert_eq!(ended.signal, None, "ended by a signal:\n{}", ended.stderr);
    assert!(
        !ended.stderr.contains("panicked at"),
        "panicked:\n{}",
        ended.stderr
    );
    assert!(
        matches!(ended.status, Some(0..=2)),
        "exit code {:?}:\n{}",
        ended.status,
        ended.stderr
    );
}

/// The tool must refuse, with one error; gives the message.
#[track_caller]
fn refused(arguments: &[&OsStr]) -> String {
    let ended = run(arguments);
    assert_eq!(ended.status, Some(2), "not refused:\n{}", ended.stderr);
    let errors = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("error:"))
        .count();
    assert_eq!(errors, 1, "not one error:\n{}", ended.stderr);
    let start = ended
        .stderr
        .lines()
        .position(|line| line.starts_with("error:"))
        .unwrap();
    ended
        .stderr
        .lines()
        .skip(start)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The tool must refuse with a message that has all of `parts`.
#[track_caller]
fn refused_with(arguments: &[&OsStr], parts: &[&str]) {
    let message = refused(arguments);
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in:\n{message}");
    }
}

/// A program in C, written to a file in `scratch`.
fn program(scratch: &Scratch, text: &str) -> PathBuf {
    scratch.file("program.c", text).unwrap()
}

/// Runs a program in C with more `options`; it must end well. Gives what it prints.
#[track_caller]
fn printed(text: &str, config: &str, options: &[&str]) -> String {
    let scratch = scratch();
    let source = program(&scratch, text);
    scratch.file("brownout.toml", config).unwrap();
    let mut arguments = arguments([&"run", &"-q", &source]);
    arguments.extend(options.iter().map(OsStr::new));
    let ended = run(&arguments);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    String::from_utf8(ended.stdout).unwrap()
}

/// Emulates a program in C and gives the report; exit code and report must agree.
#[track_caller]
fn report(text: &str, options: &[&str]) -> Report {
    let scratch = scratch();
    let source = program(&scratch, text);
    let mut arguments = arguments([&"run", &"--format", &"json", &source]);
    arguments.extend(options.iter().map(OsStr::new));
    let ended = run(&arguments);
    let report = Report::read(&ended).unwrap_or_else(|| panic!("no report:\n{}", ended.stderr));
    assert_eq!(
        ended.status,
        Some(if report.fault.is_some() { 2 } else { 0 })
    );
    report
}
