//! Every-day manners: lists, suggestions, units, one line per finding.

use std::ffi::OsStr;

use crate::{arguments, program, refused_with, run, scratch};

const COUNTER: &str = "#include <brownout.h>\nint count;\nint main(void) {\n  brownout_checkpoint();\n  count = count + 1;\n  brownout_checkpoint();\n  return 0;\n}\n";

#[test]
fn rules_are_listed() {
    let ended = run(&arguments([&"explain"]));
    let text = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status, Some(0));
    assert!(
        text.contains("war ") && text.contains("read, then overwritten"),
        "{text}"
    );
    assert!(text.lines().count() >= 9, "{text}");
}

#[test]
fn slips_are_suggested() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    refused_with(
        &arguments([&"check", &"--only", &"wra", &source]),
        &["did you mean `war`?"],
    );
    refused_with(
        &arguments([&"check", &"--target", &"msp", &source]),
        &["did you mean `msp430`?"],
    );
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let ended = run(&arguments([&"--help"]));
    let text = String::from_utf8(ended.stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    names.collect()
}

#[test]
fn every_command_has_a_page() {
    let commands = commands();
    assert!(commands.len() >= 14, "{commands:?}");
    for command in commands {
        let ended = run(&arguments([&"man", &command]));
        let text = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status, Some(0), "{command}");
        assert!(
            text.contains(&format!("brownout\\-{command}")) && text.contains(".SH DESCRIPTION"),
            "{command}: {text}"
        );
    }
    refused_with(
        &arguments([&"man", &"nothing"]),
        &["there is no command `nothing`"],
    );
}

#[test]
fn completions_know_values() {
    for shell in ["bash", "zsh", "fish"] {
        let ended = run(&arguments([&"completions", &shell]));
        let text = String::from_utf8_lossy(&ended.stdout);
        for value in [
            "torn-write",      // rules
            "thumbv7m",        // targets
            "reactive",        // policies
            "function-return", // placements
            "sarif",           // formats
        ] {
            assert!(text.contains(value), "{value} is not in those of {shell}");
        }
        // Fish is not told the values of arguments without an option.
        for value in ["msp430fr5969", "points-to"] {
            let known = shell == "fish" || text.contains(value);
            assert!(known, "{value} is not in those of {shell}");
        }
        for command in commands() {
            assert!(
                text.contains(&command),
                "{command} is not in those of {shell}"
            );
        }
    }
}

#[test]
fn quantities_have_units() {
    refused_with(
        &arguments([&"ed", &"--capacitance", &"10"]),
        &["`--capacitance 10`: the unit is missing", "10uF"],
    );
    let list = [
        "ed",
        "--capacitance",
        "10uF",
        "--v-trigger",
        "2.2",
        "--v-min",
        "1.88",
        "--current",
        "270uA",
        "--clock",
        "1MHz",
        "--checkpoint-time",
        "1.4ms",
    ];
    let ended = run(&list.map(OsStr::new));
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(text.ends_with(" instructions\n"), "{text}");
}

/// Everything that can be printed of values: names of enumerations, targets of pointers.
const VALUES: &str = "#include <brownout.h>\n\
    enum state { IDLE, SENSING = 5, RUNNING = 7 } state;\n\
    int buf[8], *p = buf, count; static void on(void) {} static void off(void) {}\n\
    void (*handler)(void) = on;\n\
    int main(void) {\n  for (int i = 0; i < 3; i++) {\n    brownout_checkpoint();\n\
        state = state == IDLE ? SENSING : RUNNING;\n    p = p + 1;\n    handler = handler == on ? off : on;\n\
        count = count + 1;\n  }\n  brownout_checkpoint();\n  return 0;\n}\n";

#[test]
fn values_have_names() {
    let scratch = scratch();
    let source = program(&scratch, VALUES);
    let ended = run(&arguments([&"check", &source]));
    let text = String::from_utf8_lossy(&ended.stdout);
    for part in [
        "`state` = RUNNING (7) at the next checkpoint; a continuous run has SENSING (5)",
        "`p` = &buf[2] at the next checkpoint; a continuous run has &buf[1]",
        "`handler` = &on at the next checkpoint; a continuous run has &off",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    let ended = run(&arguments([&"replay", &"c1:f5", &source]));
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(text.contains("state = SENSING (5)"), "{text}");
}

#[test]
fn concise_is_a_line_for_each_finding_and_nothing_else() {
    let scratch = scratch();
    for text in [COUNTER, VALUES] {
        let source = program(&scratch, text);
        let ended = run(&arguments([&"check", &"--format", &"concise", &source]));
        assert_eq!(ended.status, Some(1), "{}", ended.stderr);
        assert_eq!(ended.stderr, "");
        let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
        let ended = run(&arguments([&"check", &"-q", &"--format", &"json", &source]));
        let document: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
        let findings = document["findings"].as_array().unwrap();
        assert_eq!(lines.lines().count(), findings.len(), "{lines}");
        for (line, finding) in lines.lines().zip(findings) {
            // file:line:column: severity[rule]: message
            let (_, rest) = line.split_once("program.c").unwrap();
            let parts: Vec<&str> = rest.splitn(5, ':').collect();
            let [_, row, column, kind, message] = parts[..] else {
                panic!("{line}");
            };
            assert_eq!(row, finding["producer"]["line"].to_string(), "{line}");
            assert_eq!(column, finding["producer"]["column"].to_string(), "{line}");
            let severity = finding["severity"].as_str().unwrap();
            let rule = finding["rule"].as_str().unwrap();
            assert_eq!(kind, format!(" {severity}[{rule}]"), "{line}");
            let told = finding["message"].as_str().unwrap();
            assert!(message.trim_start().starts_with(told), "{line}");
        }
    }
}

#[test]
fn git_takes_the_patch() {
    let scratch = scratch();
    let folder = scratch.path();
    std::fs::create_dir_all(folder.join("src/deep")).unwrap();
    let limit = std::time::Duration::from_secs(60);
    let git = |list: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(list).current_dir(folder);
        let ended = brownout_testkit::execute(&mut command, limit).unwrap();
        assert_eq!(ended.status, Some(0), "{list:?}: {}", ended.stderr);
    };
    git(&["init", "-q", "."]);
    let endings = COUNTER.replace('\n', "\r\n");
    let cases = [
        ("plain.c", COUNTER),
        ("./src/deep/../endings.c", &endings),
        ("src/unended.c", COUNTER.trim_end()),
    ];
    for (name, text) in cases {
        std::fs::write(folder.join(name), text).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brownout"));
        command
            .args(["fix", "-q", name, "--output", "it.patch"])
            .current_dir(folder);
        let ended = brownout_testkit::execute(&mut command, limit).unwrap();
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        git(&["apply", "it.patch"]);
        let changed = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(
            changed.contains("_with(&count, sizeof count);"),
            "{changed}"
        );
    }
}

#[test]
fn fixes_are_applied() {
    let scratch = scratch();
    let source = program(
        &scratch,
        &COUNTER.replace("#include <brownout.h>", "#include <brownout.h>\n"),
    );
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brownout"));
    command
        .args(["fix", "--apply", "program.c"])
        .current_dir(scratch.path());
    let limit = std::time::Duration::from_secs(60);
    let ended = brownout_testkit::execute(&mut command, limit).unwrap();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let text = std::fs::read_to_string(&source).unwrap();
    assert!(
        text.contains("brownout_checkpoint_with(&count, sizeof count);"),
        "{text}"
    );
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

/// A variable of a function has no name that every call could write: what is missing then is said, and the lines that
/// configure it are enough.
#[test]
fn a_fix_that_is_not_whole_says_so() {
    let scratch = scratch();
    let program = "#include <brownout.h>
BROWNOUT_NV int total;
int main(void) {
    static BROWNOUT_NV int calls;
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint();
        total++;
        calls++;
    }
    brownout_checkpoint();
    return 0;
}
";
    scratch.file("program.c", program).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brownout"));
        command
            .args(arguments)
            .arg("program.c")
            .current_dir(scratch.path());
        brownout_testkit::execute(&mut command, std::time::Duration::from_secs(60)).unwrap()
    };
    for apply in [&["fix", "--apply"][..], &["fix", "--apply", "--minimise"]] {
        let ended = run(apply);
        assert_eq!(ended.status, Some(2), "{apply:?}: {}", ended.stderr);
        let (_, lines) = ended
            .stderr
            .split_once("brownout.toml can say it:")
            .unwrap();
        assert!(lines.contains("\"main.calls\""), "{apply:?}: {lines}");
        scratch.file("brownout.toml", lines).unwrap();
        let ended = run(&["check"]);
        assert_eq!(ended.status, Some(0), "{apply:?}: {}", ended.stderr);
        scratch.file("brownout.toml", "").unwrap();
        scratch.file("program.c", program).unwrap();
    }
}

#[test]
fn sources_come_from_the_configuration() {
    let scratch = scratch();
    program(&scratch, COUNTER);
    scratch
        .file("brownout.toml", "sources = [\"program.c\"]\n")
        .unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brownout"));
    command.arg("check").current_dir(scratch.path());
    let limit = std::time::Duration::from_secs(60);
    let ended = brownout_testkit::execute(&mut command, limit).unwrap();
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    scratch.file("brownout.toml", "").unwrap();
    let ended = brownout_testkit::execute(&mut command, limit).unwrap();
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("nothing says what to read"),
        "{}",
        ended.stderr
    );
}

#[test]
fn faults_of_the_program_have_a_place() {
    let scratch = scratch();
    let text = "#include <brownout.h>\nint count;\nstatic int get(int *p) {\n  return *p;\n}\nint main(void) {\n\
                brownout_checkpoint();\n  count = get(0);\n  return 0;\n}\n";
    let source = program(&scratch, text);
    refused_with(
        &arguments([&"check", &source]),
        &[
            "null pointer: read of 2 bytes",
            "program.c:4:",
            "in `get`",
            "program.c:8:",
            "in `main`",
        ],
    );
}

#[test]
fn stores_past_the_end_are_told() {
    let cases = [
        (
            "int buf[5]; int other;",
            "for (i = 0; i <= 5; i++) buf[i] = i;",
            "`buf`: at byte 10, and it has 10 bytes",
            "write of 2 bytes past the end of",
        ),
        (
            "int other;",
            "int local[4]; for (i = 0; i <= 4; i++) local[i] = i; other = local[1];",
            "`local`: at byte 8, and it has 8 bytes",
            "past the end",
        ),
        (
            "char name[4]; int other;",
            "strcpy(name, \"abcd\");",
            "`name`: at byte 4, and it has 4 bytes",
            "write of 1 byte past the end",
        ),
    ];
    for (globals, body, object, side) in cases {
        let scratch = scratch();
        let text = format!(
            "#include <brownout.h>\n#include <string.h>\n{globals}\nint main(void) {{\n  int i = 0;\n  brownout_checkpoint();\n  {body}\n  return other + i - i;\n}}\n"
        );
        let source = program(&scratch, &text);
        let ended = run(&arguments([&"check", &source]));
        for part in [
            "warning: write of",
            object,
            side,
            "program.c:7:",
            "in `main`",
        ] {
            assert!(
                ended.stderr.contains(part),
                "`{part}` is not in:\n{}",
                ended.stderr
            );
        }
    }
    // What keeps to its objects is left alone.
    let scratch = scratch();
    let text = "int buf[5]; int other; int main(void) { int local[3]; int i; for (i = 0; i < 5; i++) { buf[i] = i; local[i % 3] = i; } other = local[2]; return 0; }";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"check", &source]));
    assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
}

#[test]
fn time_limits_hold_while_compiling() {
    let scratch = scratch();
    let fake = scratch.file("clang", "#!/bin/sh\nexec sleep 60\n").unwrap();
    let limit = std::time::Duration::from_secs(30);
    let mut command = std::process::Command::new("chmod");
    brownout_testkit::execute(command.arg("+x").arg(&fake), limit).unwrap();
    let source = program(&scratch, COUNTER);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_brownout"));
    command
        .args(["check", "--time-limit", "0.5"])
        .arg(&source)
        .env("BROWNOUT_CLANG", &fake);
    let ended = brownout_testkit::execute(&mut command, limit).unwrap();
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    let told = ended
        .stderr
        .contains("stopped by `--time-limit` before the program was compiled");
    assert!(told, "{}", ended.stderr);
}
