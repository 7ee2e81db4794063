//! Programs of `tests/prove` get the verdict that their comments say, at two levels of optimisation.
//!
//! `//@ verdict: V` is what `brownout prove` must say; `//@ finding: RULE OBJECT` a finding that must
//! be among the counterexamples; `//@ assumes: TEXT` an assumption that must be listed;
//! `//@ args: ARGS` more arguments.

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
