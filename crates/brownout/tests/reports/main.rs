//! What users read and what their tools read: every format of `check`, and `explain`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod ci;
mod docs;
mod explain;
mod html;
mod human;
mod memory;
mod project;
mod sarif;
mod schema;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(120);

/// Reads, prints and overwrites.
const SENSE: &str = "\
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int count;

int main(void)
{
    brownout_checkpoint();
    int i = count;
    printf(\"reading %d\\n\", i);
    count = i + 1;
    brownout_checkpoint();
    return 0;
}
";

/// The folder of one test.
fn scratch() -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap()
}

/// The tool, to be run in `folder`.
fn tool(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(arguments);
    command.current_dir(folder);
    command
}

/// Runs the tool in `folder`; it must end with this exit code.
#[track_caller]
fn ran(status: i32, folder: &Path, arguments: &[&str]) -> Ended {
    let ended = execute(&mut tool(folder, arguments), LIMIT).unwrap();
    let stdout = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(
        ended.status,
        Some(status),
        "{arguments:?}\n{stdout}\n{}",
        ended.stderr
    );
    ended
}

/// What the tool prints on stdout.
#[track_caller]
fn printed(status: i32, folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(ran(status, folder, arguments).stdout).unwrap()
}

/// The document that the tool prints on stdout.
#[track_caller]
fn document(status: i32, folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(status, folder, arguments)).unwrap()
}

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The files of a folder of the project and its folders, but for what is built.
fn files_under(folder: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match path.is_dir() {
                true if name == "target" || name.starts_with('.') => {}
                true => walk(&path, files),
                false => files.push(path),
            }
        }
    }
    let mut files = Vec::new();
    walk(&project(folder), &mut files);
    files.sort();
    files
}

/// The elements of an array.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
