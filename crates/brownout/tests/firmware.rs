//! Firmware as its community writes it, checked with `brownout init` and `brownout check` alone: the
//! planted bug is found, and the repaired program is clean.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};

const LIMIT: Duration = Duration::from_secs(120);

/// What `brownout check` says of a program after `brownout init`.
fn check(name: &str, target: &str) -> Ended {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/firmware");
    let text = std::fs::read(folder.join(name)).unwrap();
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("main.c", text).unwrap();
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let mut init = tool.command(["init", "--target", target, "main.c"]);
    let begun = execute(init.current_dir(scratch.path()), LIMIT).unwrap();
    assert_eq!(begun.status, Some(0), "{}", begun.stderr);
    let mut check = tool.command(["check", "--format", "concise"]);
    execute(check.current_dir(scratch.path()), LIMIT).unwrap()
}

/// The bug is found in this object or a part of it, and in no other; the repaired program has none.
fn holds(folder: &str, target: &str, object: &str) {
    let ended = check(&format!("{folder}/bug.c"), target);
    let told = String::from_utf8(ended.stdout).unwrap();
    let errors: Vec<&str> = told.lines().filter(|line| line.contains("error")).collect();
    let names = format!("`{object}");
    let is_right = !errors.is_empty() && errors.iter().all(|error| error.contains(&names));
    assert!(is_right, "{told}{}", ended.stderr);
    assert_eq!(ended.status, Some(1), "{told}{}", ended.stderr);
    let ended = check(&format!("{folder}/repaired.c"), target);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status, Some(0), "{told}{}", ended.stderr);
}

#[test]
fn a_sampler_that_sleeps_for_its_converter() {
    holds("sampler", "msp430", "sum");
}

#[test]
fn a_superloop_with_a_serial_port() {
    holds("uart", "msp430", "threshold");
}

#[test]
fn two_tasks_of_a_kernel() {
    holds("freertos", "thumbv7m", "log_sum");
}

#[test]
fn a_logger_on_a_chip_that_its_sources_name() {
    holds("logger", "msp430", "log_count");
}

#[test]
fn a_console_on_a_chip_that_its_sources_name() {
    holds("console", "msp430", "settings");
}
