//! Where results go, and places they cannot go to.

use std::ffi::OsStr;
use std::io::Read;
use std::process::Stdio;

use crate::{arguments, program, refused_with, report, run, scratch, tool};

const TALKATIVE: &str = "#include <stdio.h>\nint main(void) { for (long i = 0; i < 40000; i++) puts(\"hello, world\"); return 0; }";

#[test]
fn output_that_is_not_text_passes_through() {
    let scratch = scratch();
    let text = "#include <stdio.h>\nint main(void) { putchar(0xff); putchar(0); putchar(0xc3); puts(\"x\"); return 0; }";
    let ended = run(&arguments([&"run", &"-q", &program(&scratch, text)]));
    assert_eq!(ended.stdout, b"\xff\0\xc3x\n");
    assert_eq!(ended.stderr, "");
    assert_eq!(
        report(text, &[]).outcome().unwrap().output,
        "\u{fffd}\0\u{fffd}x\n"
    );
}

/// Runs the tool with a reader that goes away after the first byte.
fn with_a_reader_that_leaves(command: &[&str], text: &str) {
    let scratch = scratch();
    let source = program(&scratch, text);
    let mut child = tool()
        .command(command)
        .arg(&source)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(
        ended
            .status
            .code()
            .is_some_and(|code| code == 0 || code == 2),
        "{:?}:\n{stderr}",
        ended.status
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_reader_that_leaves() {
    with_a_reader_that_leaves(&["run", "-q"], TALKATIVE);
    with_a_reader_that_leaves(&["run", "-q", "--format", "json"], TALKATIVE);
    with_a_reader_that_leaves(&["dump", "ir"], TALKATIVE);
}

#[test]
fn nobody_reads_messages() {
    let scratch = scratch();
    for text in [
        TALKATIVE,
        "int main(void) { return 1 / 0; }",
        "int main(void) { return x; }",
    ] {
        let source = program(&scratch, text);
        let mut child = tool()
            .command(["run"])
            .arg(&source)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        let status = child.wait().unwrap();
        assert!(
            status.code().is_some_and(|code| code == 0 || code == 2),
            "{status:?}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_written() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let nowhere = scratch.path().join("nowhere").join("out");
    for command in [&["run"][..], &["run", "--format", "json"], &["dump", "ir"]] {
        for (path, part) in [
            (nowhere.as_path(), "no such file or directory"),
            (scratch.path(), "is a directory"),
        ] {
            let options = arguments([&source, &"--output", &path]);
            let list: Vec<&OsStr> = command.iter().map(OsStr::new).chain(options).collect();
            refused_with(&list, &[part]);
        }
    }
}

#[test]
fn a_full_disk() {
    let scratch = scratch();
    let source = program(&scratch, TALKATIVE);
    for command in [
        &["run", "-q"][..],
        &["run", "-q", "--format", "json"],
        &["dump", "ir"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let ended = tool()
            .command(command)
            .arg(&source)
            .stdout(full)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{command:?}: {stderr}");
        assert!(
            stderr.contains("error: stdout: no space left on device"),
            "{command:?}: {stderr}"
        );
    }
}

#[test]
fn output_into_a_file() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }",
    );
    let path = scratch.path().join("out");
    let ended = run(&arguments([&"run", &"-q", &"--output", &path, &source]));
    assert_eq!((ended.status, ended.stdout.len()), (Some(0), 0));
    assert_eq!(std::fs::read(&path).unwrap(), b"hello\n");
    run(&arguments([
        &"run",
        &"--format",
        &"json",
        &"--output",
        &path,
        &source,
    ]));
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("\"exit_status\": 3")
    );
}

#[test]
fn messages_go_to_standard_error() {
    let scratch = scratch();
    let text = "#include <stdio.h>\nint main(void) { fputs(\"bad\\n\", stderr); puts(\"good\"); return 0; }";
    let ended = run(&arguments([&"run", &program(&scratch, text)]));
    assert_eq!(ended.stdout, b"good\n");
    assert!(ended.stderr.contains("bad\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("exit status 0;"), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("note: non-volatile: globals (nothing says so); policy: restart"),
        "{}",
        ended.stderr
    );
}
