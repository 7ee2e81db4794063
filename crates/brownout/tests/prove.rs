//! Programs of `tests/prove` get the verdict that their comments say, at two levels of optimisation.
//!
//! `//@ verdict: V` is what `brownout prove` must say; `//@ finding: RULE OBJECT` a finding that must
//! be among the counterexamples; `//@ assumes: TEXT` an assumption that must be listed;
//! `//@ reason: TEXT` a part of why it is unknown; `//@ args: ARGS` more arguments.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn brownout(file: &Path, arguments: &[&str], flags: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
        .arg("prove")
        .args(["--solver", "z3 -in"])
        .args(arguments)
        .arg(file)
        .arg("--")
        .args(flags)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    if text.is_empty() {
        panic!(
            "{}: {}",
            file.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    (output.status.code(), text)
}

#[test]
fn programs_get_their_verdicts() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/prove"));
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let said = |key: &str| -> Vec<String> {
            let prefix = format!("//@ {key}: ");
            text.lines()
                .filter_map(|line| line.strip_prefix(&prefix))
                .map(str::to_owned)
                .collect()
        };
        let verdicts = said("verdict");
        let [verdict] = &verdicts[..] else {
            panic!("{}: no verdict", file.display());
        };
        let more = said("args").join(" ");
        let mut arguments: Vec<&str> = more.split_whitespace().collect();
        arguments.extend(["-q", "--format", "json"]);
        for level in ["-O0", "-O1"] {
            let (code, text) = brownout(file, &arguments, &[level]);
            let document: Value = serde_json::from_str(&text).unwrap();
            let expected = match verdict.as_str() {
                "proved" => 0,
                "counterexample" => 1,
                _ => 2,
            };
            let mut fine = document["verdict"] == verdict.as_str() && code == Some(expected);
            fine &= document["reason"].is_null() == (verdict != "unknown");
            let findings = document["findings"].as_array().unwrap();
            fine &= findings.is_empty() == (verdict != "counterexample");
            for finding in said("finding") {
                let (rule, object) = finding.split_once(' ').unwrap();
                fine &= findings.iter().any(|found| {
                    found["rule"] == rule
                        && found["object"]["name"] == object
                        && found["evidence"] == "confirmed"
                        && found["replay"].is_string()
                });
            }
            let reason = document["reason"].as_str().unwrap_or_default();
            fine &= said("reason").iter().all(|part| reason.contains(part));
            for assumption in said("assumes") {
                let all = document["assumptions"].as_array().unwrap();
                fine &= all.iter().any(|found| *found == assumption);
            }
            if !fine {
                wrong.push(format!(
                    "{} {level}: expected {verdict}, got {text}",
                    file.display()
                ));
            }
        }
    }
    assert!(files.len() > 15);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_a_solver_what_needs_one_is_unknown() {
    let file = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/prove/set_bit.c"
    ));
    for solver in [["--solver", "no-such-solver"], ["--solver-time", "0"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .arg("prove")
            .args(match solver[0] {
                "--solver" => &[][..],
                _ => &["--solver", "z3 -in"][..],
            })
            .args(solver)
            .args(["-q", "--format", "json"])
            .arg(file)
            .output()
            .unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["verdict"], "unknown", "{solver:?}");
        assert_eq!(output.status.code(), Some(2), "{solver:?}");
    }
}

#[test]
fn every_question_can_be_asked_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-questions");
    let _ = fs::remove_dir_all(&folder);
    let file = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/prove/set_bit.c"
    ));
    let path = folder.to_str().unwrap();
    let (code, text) = brownout(file, &["--dump-smt", path], &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("proved: "), "{text}");
    let questions: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    assert!(!questions.is_empty());
    for question in questions {
        let answer = Command::new("z3").arg(&question).output().unwrap();
        assert_eq!(
            String::from_utf8_lossy(&answer.stdout).trim(),
            "unsat",
            "{question:?}"
        );
    }
}

/// What `fix --minimise` writes, as calls and as configuration, is proved in turn, and `check` finds
/// nothing in it.
#[test]
fn the_least_that_is_saved_is_enough() {
    let run = |folder: &Path, words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .args(words)
            .arg("program.c")
            .current_dir(folder)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text, errors)
    };
    for name in [
        "incremented_missing",
        "branch_without_w",
        "fill_in_place",
        "one_member",
    ] {
        let source = format!("{}/../../tests/prove/{name}.c", env!("CARGO_MANIFEST_DIR"));
        for written in ["calls", "configuration"] {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{written}"));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            fs::copy(&source, folder.join("program.c")).unwrap();
            let (code, text, errors) = match written {
                "calls" => run(&folder, &["fix", "--minimise", "--apply"]),
                _ => run(&folder, &["fix", "--minimise", "--print"]),
            };
            assert_eq!(code, Some(0), "{name}: {text}{errors}");
            assert!(text.starts_with("checkpoint program.c:"), "{name}: {text}");
            if written == "configuration" {
                let toml = text.find("# brownout.toml").unwrap();
                let patch = text.find("--- ").unwrap_or(text.len());
                fs::write(folder.join("brownout.toml"), &text[toml..patch]).unwrap();
            }
            let (code, text, errors) = run(&folder, &["prove"]);
            assert_eq!(code, Some(0), "{name}, {written}: {text}{errors}");
            let (code, text, errors) = run(&folder, &["check"]);
            assert_eq!(code, Some(0), "{name}, {written}: {text}{errors}");
        }
    }
}

/// False alarms of static analysis that are known are refuted, and drop out of the report.
#[test]
fn what_is_impossible_is_refuted() {
    for name in ["complementary", "range_guard"] {
        let file = format!(
            "{}/../../tests/ui/repeated-input/pass/{name}.c",
            env!("CARGO_MANIFEST_DIR")
        );
        let findings = |more: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
                .args(["check", "--static", "-v", "--format", "json"])
                .args(more)
                .arg(&file)
                .output()
                .unwrap();
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            (document["findings"].as_array().unwrap().len(), errors)
        };
        let (before, _) = findings(&[]);
        let (after, told) = findings(&["--prove"]);
        assert!(
            before > 0 && after == 0,
            "{name}: {before}, {after}\n{told}"
        );
        assert!(told.contains("refuted: "), "{name}: {told}");
    }
}
