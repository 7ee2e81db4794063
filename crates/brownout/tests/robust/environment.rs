//! Mistakes in traces and scripts: named with file and line; and what a right one does.

use std::fs;
use std::path::Path;

use crate::{arguments, program, run, scratch};

const SOURCE: &str = "#include <stdio.h>\nint sensor(void);\n\
    int main(void) { for (int i = 0; i < 5; i++) printf(\"%d \", sensor()); return 0; }";

/// What `run` says of the program above with that input, and a file beside it.
#[track_caller]
fn told(input: &str, name: &str, content: &str) -> (Option<i32>, String, String) {
    let scratch = scratch();
    let source = program(&scratch, SOURCE);
    scratch.file(name, content).unwrap();
    let config = format!("[environment]\nheat = 10\n[[input]]\nfunction = \"sensor\"\n{input}\n");
    scratch.file("brownout.toml", &config).unwrap();
    let ended = run(&arguments([&"run", &source]));
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    (ended.status, stdout, ended.stderr)
}

#[track_caller]
fn refused(input: &str, name: &str, content: &str, message: &str) {
    let (status, _, stderr) = told(input, name, content);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains(message), "{message:?} is not in\n{stderr}");
}

#[track_caller]
fn prints(input: &str, name: &str, content: &str, output: &str) -> String {
    let (status, stdout, stderr) = told(input, name, content);
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(stdout, output, "{stderr}");
    stderr
}

#[test]
fn scripts_that_fail() {
    let script = "script = \"model.script\"";
    let cases = [
        (
            "let a = 0;\nwhile 1 { a += 1; }",
            "model.script:2: it does not end within",
        ),
        (
            "\n\nheat / (heat - 10)",
            "model.script:3: it divides by zero",
        ),
        (
            "heat = 3",
            "model.script: an input needs a value, and this ends without one",
        ),
        ("let a = ;", "model.script:1: "),
        ("cold + 1", "model.script:1: "),
    ];
    for (content, message) in cases {
        refused(script, "model.script", content, message);
    }
    refused("script = \"1 / 0\"", "x", "", "script, line 1: ");
    refused("script = \"nowhere.script\"", "x", "", "nowhere.script");
}

#[test]
fn scripts_that_work() {
    let script = "script = \"heat += 5; heat + index\"";
    prints(script, "x", "", "15 21 27 33 39 ");
    let file = "// twice at first\nlet twice = heat * 2;\nif index == 0 { twice } else { heat }";
    prints(
        "script = \"model.script\"",
        "model.script",
        file,
        "20 10 10 10 10 ",
    );
}

#[test]
fn traces_that_are_wrong() {
    let trace = "trace = \"t.csv\"";
    let cases = [
        ("", "t.csv has no values"),
        ("time,value\n", "t.csv has no values"),
        ("1\n2\nwarm\n", "t.csv:3 has no integer as its value"),
        (
            "time,value\n5,1\n4,2\n",
            "t.csv:3 has a time or index that is not after",
        ),
        ("index,value\nx,1\n", "t.csv:2 has no integer from 0 on"),
    ];
    for (content, message) in cases {
        refused(trace, "t.csv", content, message);
    }
}

#[test]
fn traces_end_as_the_scenario_says() {
    let ends = |at_end: &str| format!("trace = \"t.csv\"\n{at_end}");
    let note = "holds the last value of t.csv when it ends";
    let stderr = prints(&ends(""), "t.csv", "7\n8\n", "7 8 8 8 8 ");
    assert!(stderr.contains(note), "{stderr}");
    let stderr = prints(&ends("at-end = \"hold\""), "t.csv", "7\n8\n", "7 8 8 8 8 ");
    assert!(!stderr.contains(note), "{stderr}");
    prints(
        &ends("at-end = \"repeat\""),
        "t.csv",
        "7\n8\n",
        "7 8 7 8 7 ",
    );
    prints(&ends("at-end = \"stop\""), "t.csv", "7\n8\n", "7 8 ");
    prints(&ends(""), "t.csv", "index,value\n0,7\n3,8\n", "7 7 7 8 8 ");
}

/// The example has one finding of each kind as it was found, and none when repaired.
#[test]
fn the_greenhouse() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/greenhouse");
    let check = |version: &str| {
        let mut sources: Vec<_> = fs::read_dir(folder.join(version))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        sources.sort();
        let mut list = arguments([&"check", &"--format", &"concise"]);
        list.extend(sources.iter().map(|path| path.as_os_str()));
        let ended = run(&list);
        let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
        (ended.status, stdout, ended.stderr)
    };
    let (status, stdout, stderr) = check("as-found");
    assert_eq!(status, Some(1), "{stdout}{stderr}");
    let found = [
        "error[repeated-input]: an input that is read again after a power failure decides whether `frosty` and `mild` are written; a power failure leaves",
        "error[war]",
        "error[stale-input]: a reading of `read_temperature`",
        "error[stale-input]: readings of different power cycles",
        "error[output-semantics]: `valve_turn`",
        "error[peripheral-state]: `UCA0BR0`",
    ];
    for part in found {
        assert!(stdout.contains(part), "{part} is not in\n{stdout}");
    }
    // Not only possible: an execution shows it.
    assert!(!stdout.contains("possible"), "{stdout}");
    let (status, stdout, stderr) = check("repaired");
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    assert!(!stdout.contains("error["), "{stdout}");
}
