//! Programs of `tests/prove` get the verdict that their comments say, at two levels of optimisation.
//!
//! `//@ verdict: V` is what `brownout prove` must say; `//@ finding: RULE OBJECT` a finding that must
//! be among the counterexamples; `//@ assumes: TEXT` an assumption that must be listed;
//! `//@ reason: TEXT` a part of why it is unknown; `//@ args: ARGS` more arguments.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

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

/// What needs a solver is unknown if it has a millisecond, and never proved; what needs none is not said to be
/// settled by one.
#[test]
fn only_answers_of_a_solver_count() {
    let run = |name: &str, arguments: &[&str]| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/prove");
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .arg("prove")
            .args(arguments)
            .args(["-q", "--format", "json"])
            .arg(format!("{folder}/{name}.c"))
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let z3 = ["--solver", "z3 -in"];
    for name in ["set_bit", "length_in_place"] {
        let document = run(name, &[z3[0], z3[1], "--solver-time", "1"]);
        assert_eq!(document["verdict"], "unknown", "{name}: {document}");
        let reason = document["reason"].as_str().unwrap();
        assert!(reason.contains("the solver gave up"), "{name}: {reason}");
        let document = run(name, &z3);
        assert_eq!(document["verdict"], "proved", "{name}: {document}");
        assert!(document["obligations"]["solver"].as_u64() > Some(0));
    }
    let document = run("set_pin", &["--solver", "no-such-solver"]);
    assert_eq!(document["verdict"], "proved", "{document}");
    assert_eq!(document["obligations"]["solver"], 0, "{document}");
}

/// A solver that never answers does not hold up the command, and what is settled by then is told.
#[test]
fn a_time_limit_holds_while_the_solver_works() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-time");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("program.c");
    let program = "#include <brownout.h>
BROWNOUT_NV int flags, count;
int main(void)
{
    brownout_checkpoint_with(&count, sizeof count);
    count++;
    flags |= 4;
    brownout_checkpoint();
    return 0;
}
";
    fs::write(&file, program).unwrap();
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
        .args(["prove", "--solver", "sleep 100", "--solver-time", "90000"])
        .args(["--time-limit", "2", "-q", "--format", "json"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(begun.elapsed() < Duration::from_secs(8), "{begun:?}");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "unknown", "{document}");
    let reason = document["reason"].as_str().unwrap();
    assert!(
        reason.contains("stopped before there was an answer"),
        "{reason}"
    );
    let obligations = &document["obligations"];
    let count = |name: &str| obligations[name].as_u64().unwrap();
    assert!(count("total") > 0 && count("dataflow") > 0, "{document}");
    assert_eq!(count("solver"), 0, "{document}");
}

/// What emulation shows is a counterexample without any solver. What the user has allowed is none, and no proof either.
#[test]
fn a_program_that_is_wrong_needs_no_solver() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-wrong");
    fs::create_dir_all(&folder).unwrap();
    let program = |comment: &str| {
        format!(
            "#include <brownout.h>
int next(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned sum;
int main(void)
{{
    for (int packet = 0; packet < 4; packet++) {{
        brownout_checkpoint();
        for (int i = 0; i < 16; i++)
            for (int bit = 0; bit < 8; bit++)
                sum = (sum << 1 ^ (sum & 0x8000 ? 0x1021 : 0)) + next(); {comment}
    }}
    return 0;
}}
"
        )
    };
    let run = |comment: &str, more: &[&str]| {
        fs::write(folder.join("program.c"), program(comment)).unwrap();
        let begun = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .args(["prove", "--solver", "sleep 100", "--solver-time", "90000"])
            .args(["-q", "--format", "json", "program.c"])
            .args(more)
            .current_dir(&folder)
            .output()
            .unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), document, begun.elapsed())
    };
    let (code, document, time) = run("", &[]);
    assert_eq!(code, Some(1), "{document}");
    assert!(time < Duration::from_secs(20), "{time:?}");
    assert_eq!(document["verdict"], "counterexample", "{document}");
    assert!(document["reason"].is_null(), "{document}");
    assert_eq!(document["obligations"]["solver"], 0, "{document}");
    let finding = &document["findings"][0];
    assert_eq!(finding["rule"], "war", "{document}");
    assert_eq!(finding["evidence"], "confirmed", "{document}");
    assert!(finding["replay"].is_string(), "{document}");
    let allowed = "// brownout: allow(war) it is a random number";
    let limit = ["--time-limit", "2"];
    for (comment, more) in [
        (allowed, &limit[..]),
        ("", &["--skip", "war", "--time-limit", "2"]),
    ] {
        let (code, document, _) = run(comment, more);
        assert_eq!(code, Some(2), "{document}");
        assert_eq!(document["verdict"], "unknown", "{document}");
        assert!(document["reason"].is_string(), "{document}");
    }
}

/// An output that is called relative and is not is an error of the tag. Power failures do nothing there.
#[test]
fn a_wrong_tag_is_no_counterexample() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-tag");
    fs::create_dir_all(&folder).unwrap();
    let toml = "[[output]]\nfunction = \"clear\"\nsemantics = \"relative\"\neffect = \"count = 0\"\n\
                [environment]\ncount = 7\n";
    fs::write(folder.join("brownout.toml"), toml).unwrap();
    let program = "#include <brownout.h>
void clear(void);
int main(void)
{
    brownout_checkpoint();
    clear();
    return 0;
}
";
    fs::write(folder.join("program.c"), program).unwrap();
    for (command, expected) in [("check", Some(1)), ("prove", Some(0))] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_brownout"));
        let tool = tool.args([command, "-q", "program.c"]);
        let output = tool.current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), expected, "{output:?}");
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

/// What `fix --minimise` keeps of volatile state, in memory and in registers, is enough: it is proved,
/// and `check` finds nothing. Without any one of it nothing is proved, and `check` sees the loss, as the document says.
#[test]
fn volatile_state_is_kept_as_far_as_it_is_needed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("volatile");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = "#include <brownout.h>
BROWNOUT_NV int total, log[4];
int scale = 3, unused;
static int step(int round, int sum)
{
    int dead = round * 2;
    log[round & 3] = dead;
    brownout_checkpoint();
    dead = sum + 1;
    return dead * scale;
}
int main(void)
{
    int sum = 1;
    unused = 7;
    for (int i = 0; i < 3; i++) {
        sum = step(i, sum);
        total = sum;
    }
    return total;
}
";
    fs::write(folder.join("program.c"), program).unwrap();
    let run = |command: &str, more: &[&str], level: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .arg(command)
            .args(more)
            .args(["-q", "program.c", "--", level])
            .current_dir(&folder)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text + &errors)
    };
    for level in ["-O0", "-O1"] {
        let _ = fs::remove_file(folder.join("brownout.toml"));
        let (_, text) = run("fix", &["--minimise", "--format", "json"], level);
        let document: Value = serde_json::from_str(&text).unwrap();
        let elements = document["checkpoints"][0]["saves"].as_array().unwrap();
        assert!(elements.len() > 2, "{text}");
        for element in elements {
            assert_eq!(element["needed"], "counterexample", "{level}: {element}");
        }
        let (code, text) = run("fix", &["--minimise", "--print"], level);
        assert_eq!(code, Some(0), "{level}: {text}");
        let line = text
            .lines()
            .find(|line| line.starts_with("volatile = "))
            .unwrap_or_else(|| panic!("{level}: {text}"));
        let names: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        assert!(
            names.len() > 2 && names.contains(&"scale"),
            "{level}: {text}"
        );
        let needless = ["unused", "step::dead", "step::round"];
        assert!(!names.iter().any(|name| needless.contains(name)), "{text}");
        let configure = |names: &[&str]| {
            let line = &format!("volatile = {names:?}");
            let toml = format!("[[checkpoint]]\nat = \"program.c:8\"\nsaves = []\n{line}\n");
            fs::write(folder.join("brownout.toml"), toml).unwrap();
        };
        configure(&names);
        for command in ["prove", "check"] {
            let (code, text) = run(command, &[], level);
            assert_eq!(code, Some(0), "{command} {level}: {text}");
        }
        for without in 0..names.len() {
            let mut fewer = names.clone();
            let name = fewer.remove(without);
            configure(&fewer);
            let (code, text) = run("check", &[], level);
            assert_eq!(code, Some(1), "{level} without {name}: {text}");
            assert!(
                text.contains("error[lost-state]"),
                "{level} without {name}: {text}"
            );
            let (code, text) = run("prove", &[], level);
            assert_eq!(code, Some(1), "{level} without {name}: {text}");
        }
    }
    // What is not there is not kept in silence.
    for (name, said) in [
        ("step::deaf", "did you mean"),
        ("nothing", "nothing"),
        ("non::x", "non"),
    ] {
        let toml = format!("[[checkpoint]]\nat = \"program.c:8\"\nvolatile = [\"{name}\"]\n");
        fs::write(folder.join("brownout.toml"), toml).unwrap();
        let (code, text) = run("check", &[], "-O0");
        assert_eq!(code, Some(2), "{text}");
        assert!(
            text.contains("checkpoint.volatile") && text.contains(said),
            "{text}"
        );
    }
}

/// Values that inputs are declared to give hold in the proof; without them it fails.
#[test]
fn declared_values_of_inputs_hold() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("declared");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = "#include <brownout.h>
int level(void) BROWNOUT_INPUT;
int get(char *buffer) BROWNOUT_INPUT;
BROWNOUT_NV int alarm, seen;
int main(void)
{
    char buffer[2];
    brownout_checkpoint();
    if (level() > 100)
        alarm = 1;
    if (get(buffer) != 0)
        seen = 1;
    brownout_checkpoint();
    return alarm + seen;
}
";
    fs::write(folder.join("program.c"), program).unwrap();
    let get = "[[input]]\nfunction = \"get\"\nfills = \"arg0\"\nlength = \"2\"\n";
    for (level, returns, code) in [
        ("range = [0, 100]", "returns = 0", 0),
        ("values = [7, 100, -5]", "returns = 0", 0),
        ("constant = 100", "returns = 0", 0),
        ("range = [0, 101]", "returns = 0", 1),
        ("values = [7, 101]", "returns = 0", 1),
        ("range = [0, 100]", "", 1),
        ("seed = 3", "returns = 0", 1),
    ] {
        let toml = format!("[[input]]\nfunction = \"level\"\n{level}\n{get}{returns}\n");
        fs::write(folder.join("brownout.toml"), toml).unwrap();
        for optimisation in ["-O0", "-O1"] {
            let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
                .args(["prove", "-q", "program.c", "--", optimisation])
                .current_dir(&folder)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let text = text + &String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(code),
                "{level} {returns}: {text}"
            );
            let named = text.contains("assumes: input `level` gives ");
            assert_eq!(named, !level.starts_with("seed"), "{text}");
        }
    }
}

/// A false alarm of static analysis that is known is refuted, and drops out of the report.
#[test]
fn what_is_impossible_is_refuted() {
    let file = format!(
        "{}/../../tests/ui/repeated-input/pass/range_guard.c",
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
    assert!(before > 0 && after == 0, "{before}, {after}\n{told}");
    assert!(told.contains("refuted: "), "{told}");
}

/// Bitcode that `fix` writes has the checkpoints that were proved to be enough; without them it does harm.
#[test]
fn instrumented_bitcode_is_accepted() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove-bitcode");
    fs::create_dir_all(&folder).unwrap();
    let program = "#include <brownout.h>
BROWNOUT_NV int count, last;
int add(int by);
int sense(void) BROWNOUT_INPUT;
int main(void)
{
    brownout_checkpoint();
    last = sense();
    count = add(1);
    brownout_checkpoint();
    return 0;
}
";
    let other = "extern int count;
int add(int by) { return count + by; }
";
    fs::write(folder.join("program.c"), program).unwrap();
    fs::write(folder.join("other.c"), other).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_brownout"))
            .current_dir(&folder)
            .args(arguments)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    let files = ["program.c", "other.c"];
    let (before, _) = run(&[&["prove", "-q"][..], &files].concat());
    assert_eq!(before, Some(1));
    for (kind, least) in [("least", &["--minimise"][..]), ("sets", &[][..])] {
        let name = format!("{kind}.bc");
        let written = ["-q", "--bitcode", &name];
        let (code, errors) = run(&[&["fix"][..], least, &written, &files].concat());
        assert_eq!(code, Some(0), "{errors}");
        for command in ["prove", "check"] {
            let (code, errors) = run(&[command, "-q", &name]);
            assert_eq!(code, Some(0), "{command} {name}: {errors}");
        }
    }
    // The sources are what they were.
    assert_eq!(
        fs::read_to_string(folder.join("program.c")).unwrap(),
        program
    );
}
