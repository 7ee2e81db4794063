//! `brownout check`: what a user reads, as a whole.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(120);

const SENSE: &str = "\
/* Counts what it has sensed. */
void checkpoint(void);
void rest(void);

int count;

int main(void)
{
    checkpoint();
    int i = count;
    rest();
    count = i + 1;
    checkpoint();
    rest();
    checkpoint();
    return 0;
}
";

fn check(arguments: &[&str]) -> Ended {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("sense.c", SENSE).unwrap();
    let config = "[[output]]\nfunction = \"rest\"\n";
    scratch.file("brownout.toml", config).unwrap();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check"]);
    command.args(arguments).arg("sense.c");
    execute(command.current_dir(scratch.path()), LIMIT).unwrap()
}

#[test]
fn a_finding_tells_all_there_is_to_know() {
    let ended = check(&[]);
    let told = String::from_utf8(ended.stdout).unwrap();
    let expected = "\
error[war]: `count` is read, then overwritten before the next checkpoint
  --> sense.c:12:11
   |
 9 |     checkpoint();
   |     ------------ execution resumes here after a power failure
10 |     int i = count;
   |             ----- first read
11 |     rest();
12 |     count = i + 1;
   |     ^^^^^^^^^^^^^ if power fails right after this write:
   |
   = effect: it leaves `count` = 2 at the next checkpoint; a continuous run has 1
   = help: save `count` in the checkpoint at sense.c:9, or put a checkpoint between lines 10 and 12
   = replay: brownout replay c1:f6 sense.c

";
    assert!(told == expected, "printed:\n{told}\nexpected:\n{expected}");
    let assumed = "note: non-volatile: globals; policy: static (3 calls of `checkpoint`)\n";
    assert!(ended.stderr.starts_with(assumed), "{}", ended.stderr);
    assert_eq!(ended.status, Some(1));
}

/// The command that is printed can be copied to a shell, whatever is in it.
#[test]
fn the_command_of_a_replay_is_one_for_shells() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("it's a $program.c", SENSE).unwrap();
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let arguments = [
        "check",
        "--nv",
        "symbol:c*,!stack",
        "--set",
        "output=[{ function = \"rest\" }]",
        "it's a $program.c",
    ];
    let mut command = tool.command(arguments);
    let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
    let told = String::from_utf8(ended.stdout).unwrap();
    let replay = told.lines().find_map(|line| line.split_once("= replay: "));
    let (_, line) = replay.unwrap_or_else(|| panic!("{told}\n{}", ended.stderr));
    let line = line.replacen("brownout", env!("CARGO_BIN_EXE_brownout"), 1);
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(scratch.path());
    let ended = execute(&mut shell, LIMIT).unwrap();
    assert_eq!(ended.status, Some(1), "{line}\n{}", ended.stderr);
}

/// All formats name the same position.
#[test]
fn formats_agree_on_the_position() {
    let concise = String::from_utf8(check(&["--format", "concise"]).stdout).unwrap();
    assert!(
        concise.starts_with("sense.c:12:11: error[war]: "),
        "{concise}"
    );
    let document = check(&["--format", "json"]).stdout;
    let document: Value = serde_json::from_slice(&document).unwrap();
    let finding = &document["findings"][0];
    assert_eq!(finding["producer"]["line"], 12);
    assert_eq!(finding["producer"]["column"], 11);
    assert_eq!(finding["replay"], "c1:f6");
    let expected: Value = serde_json::from_str(
        r#"{ "kind": "value", "object": "count", "continuous": "1", "intermittent": "2" }"#,
    )
    .unwrap();
    assert_eq!(finding["effects"][0], expected);
}

/// What `check` says about a program of which this is the end, and its exit code.
fn ending(end: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let text = format!(
        "#include <brownout.h>\n\
         extern volatile unsigned char IFG1;\n\
         volatile int ready;\n\
         static void delay(int turns) {{ while (turns) turns--; }}\n\
         int main(void) {{\n\
         brownout_checkpoint();\n\
         delay(2);\n\
         {end}\n\
         }}\n"
    );
    scratch.file("program.c", &text).unwrap();
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let mut command = tool.command(["check", "--max-instructions", "3000000", "program.c"]);
    command.args(arguments);
    let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
    (ended.status, ended.stderr)
}

#[test]
fn programs_that_never_end() {
    let rests = "note: the program ends in a loop at program.c:8 that does nothing\n";
    let unknown = |name: &str| format!("error: `{name}` is read, and nothing says what it gives");
    let device_answers = &unknown("IFG1");
    let address_answers = &unknown("0x0140");
    let waits_for_device = "error: the program waits at program.c:8 for `IFG1`, which nothing changes \
        (describe it: `[[input]]` with `register = \"IFG1\"`); the rest was not checked\n";
    let waits_for_address = "error: the program waits at program.c:8 for `0x0140`, which nothing changes \
        (describe it: `[[input]]` with `register = \"0x0140\"`); the rest was not checked\n";
    let waits_for_interrupt = "error: the program waits at program.c:8 for `ready`, which nothing changes \
        (no interrupt handler that runs does); the rest was not checked\n";
    let nothing_new =
        "note: main loop (program.c:8) executed 65545 times; nothing new after the 9th\n";
    let comes_back =
        "note: the program goes round at program.c:8, and comes back to where it has been\n";
    let cases = [
        ("for (;;) {}", Some(0), rests),
        ("for (;;) brownout_checkpoint();", Some(0), rests),
        ("for (;;) delay(100);", Some(0), rests),
        ("for (int i = 0;;) if (i % 10) ready = 1;", Some(0), rests),
        ("while (!(IFG1 & 2)) ;", Some(2), device_answers),
        (
            "while (!*(volatile unsigned *)0x140) ;",
            Some(2),
            address_answers,
        ),
        ("while (!ready) ;", Some(2), waits_for_interrupt),
        ("for (;;) ready++;", Some(1), nothing_new),
        (
            "for (;;) { ready ^= 1; if (IFG1) ready = 2; }",
            Some(1),
            comes_back,
        ),
    ];
    let of_state = [
        ("while (!(IFG1 & 2)) ;", waits_for_device),
        ("while (!*(volatile unsigned *)0x140) ;", waits_for_address),
    ];
    for (end, message) in of_state {
        let (code, told) = ending(end, &["--set", "mmio=state"]);
        assert!(code == Some(2) && told.contains(message), "{end}: {told}");
    }
    for (end, status, message) in cases {
        let (code, told) = ending(end, &[]);
        assert!(
            code == status && told.contains(message),
            "{end}: {code:?}\n{told}"
        );
    }
}

/// Code whose inputs nobody knows is not clean: what it needs to be analysed can be pasted.
#[test]
fn what_is_not_known_is_not_nothing() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let driver = "\
int bus_read(void *bus, unsigned char *data, int length);
static int mode;
int sample(void *bus)
{
    unsigned char data[2];
    if (bus_read(bus, data, 2))
        return -1;
    if (data[0] & 1)
        mode = data[1];
    return 0;
}
int is_ready(void *bus)
{
    unsigned char status;
    return bus_read(bus, &status, 1) == 0 && status & 1;
}
int current_mode(void) { return mode; }
";
    scratch.file("driver.c", driver).unwrap();
    let check = || {
        let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check", "driver.c"]);
        execute(command.current_dir(scratch.path()), LIMIT).unwrap()
    };
    let ended = check();
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("no input is known"),
        "{}",
        ended.stderr
    );
    let pasted: String = ended
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(
        pasted.contains("fills = \"arg1\"\nlength = \"arg2\""),
        "{pasted}"
    );
    scratch.file("brownout.toml", &pasted).unwrap();
    let ended = check();
    assert_eq!(ended.status, Some(1), "{pasted}\n{}", ended.stderr);
}

/// One input that is known says nothing of others: functions without a body that would decide something,
/// assembly, what somebody types. One that would decide nothing is no reason to complain.
#[test]
fn one_known_input_is_not_all_of_them() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let known = "#include <brownout.h>\nint known(void) BROWNOUT_INPUT;\nstatic int last, high;\n\
        void poll(void) { last = known(); }\nint state(void) { return last + high; }\n";
    let cases = [
        (
            "int other(void);\nvoid look(void) { if (other() > 5) high = 1; }\n",
            2,
            "`other` may read some and decide what is in `high`",
        ),
        (
            "int other(void);\nvoid look(void) { other(); high = 1; }\n",
            0,
            "",
        ),
        (
            "void look(void) { unsigned v; __asm__ volatile(\"mov &0x140, %0\" : \"=r\"(v)); if (v > 5) high = 1; }\n",
            2,
            "`look` was not analysed in full",
        ),
        (
            "#include <stdio.h>\nvoid look(void) { if (getchar() == 'x') high = 1; }\n",
            2,
            "`getchar` may read some",
        ),
        (
            "static int (*answer)(void);\nvoid set(int (*to)(void)) { answer = to; }\nvoid look(void) { if (answer && answer() > 5) high = 1; }\n",
            1,
            "",
        ),
        (
            "void drop(int) BROWNOUT_OUTPUT(at_most_once);\nvoid look(int v) { if (v == 77) drop(1); }\n",
            2,
            "what repeating `drop` does was not looked at",
        ),
    ];
    for (code, status, text) in cases {
        scratch.file("driver.c", format!("{known}{code}")).unwrap();
        let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check", "driver.c"]);
        let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
        assert_eq!(ended.status, Some(status), "{code}\n{}", ended.stderr);
        assert!(ended.stderr.contains(text), "{code}\n{}", ended.stderr);
    }
}

/// What `init` writes is enough to find what is wrong with a driver.
#[test]
fn a_first_configuration_is_written() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let driver = "\
int adc_sample(void);
void bus_send(int value);
static int alarm, last;
static void on_tick(void)
{
    int value = adc_sample();
    if (value > 10)
        alarm = 1;
    last = value;
    bus_send(value);
}
void every_second(void (*callback)(void));
void set_up(void) { every_second(on_tick); }
int alarms(void) { return alarm + last; }
";
    scratch.file("driver.c", driver).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(arguments);
        execute(command.current_dir(scratch.path()), LIMIT).unwrap()
    };
    let ended = run(&["init", "driver.c"]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let text = std::fs::read_to_string(scratch.path().join("brownout.toml")).unwrap();
    let ended = run(&["check"]);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status, Some(1), "{text}\n{}", ended.stderr);
    assert!(told.contains("error[repeated-input]"), "{text}\n{told}");
    assert!(told.contains("`alarm`"), "{text}\n{told}");
    // What the user has corrected is not overwritten.
    let ended = run(&["init", "driver.c"]);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
}

/// However a file is named, what its attributes say holds.
#[test]
fn attributes_hold_whatever_the_path() {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let text =
        "__attribute__((persistent)) int boots = 0;\nint main(void) { boots++; return 0; }\n";
    let path = scratch.file("boots.c", text).unwrap();
    for name in [Path::new("boots.c"), &path] {
        let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check"]);
        command.arg(name).current_dir(scratch.path());
        let ended = execute(&mut command, LIMIT).unwrap();
        // One more for each boot: nothing to complain about.
        assert_eq!(ended.status, Some(0), "{name:?}: {}", ended.stderr);
        let is_said = ended.stderr.contains("section:.persistent");
        assert!(is_said, "{name:?}: {}", ended.stderr);
    }
}
