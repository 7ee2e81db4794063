//! `brownout replay`: what a user reads, as a whole.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(120);

/// Runs `replay` on a program, in the folder of the program.
fn replay(text: &str, config: &str, arguments: &[&str]) -> Ended {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("program.c", text).unwrap();
    scratch.file("brownout.toml", config).unwrap();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["replay", "-q"]);
    command.args(arguments).arg("program.c");
    execute(command.current_dir(scratch.path()), LIMIT).unwrap()
}

/// What `replay` prints, which must end with this exit code.
#[track_caller]
fn told(status: i32, text: &str, config: &str, arguments: &[&str]) -> String {
    let ended = replay(text, config, arguments);
    assert_eq!(ended.status, Some(status), "{}", ended.stderr);
    String::from_utf8(ended.stdout).unwrap()
}

#[track_caller]
fn refused(text: &str, arguments: &[&str], message: &str) {
    let ended = replay(text, "", arguments);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert_eq!(ended.stderr, format!("error: {message}\n"));
}

#[track_caller]
fn assert_text(told: &str, expected: &str) {
    assert!(told == expected, "printed:\n{told}\nexpected:\n{expected}");
}

/// Reads, prints and overwrites; the failure comes right after the write.
const COUNT: &str = "\
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int count;

int main(void)
{
    brownout_checkpoint();
    int i = count;
    count = i + 1;
    printf(\"reading %d\\n\", i);
    brownout_checkpoint();
    return 0;
}
";

#[test]
fn a_value_and_an_output_change() {
    let expected = r#"replay c1:f5: power fails 5 instructions after checkpoint 1

first attempt
  --> program.c, in main
     8 | brownout_checkpoint();      checkpoint 1: count = 0
     9 | int i = count;              reads count: 0
    10 | count = i + 1;              sets count = 1

power fails after program.c:10
  back to checkpoint 1, program.c:8
  count = 1  non-volatile: stays as it is; was 0 at the checkpoint

second attempt
  --> program.c, in main
     9 | int i = count;              reads count: 1        (continuous run: 0)
    10 | count = i + 1;              sets count = 2        (continuous run: 1)
    11 | printf("reading %d\n", i);  prints "reading 1\n"  (continuous run: "reading 0\n")
    12 | brownout_checkpoint();      reaches the next checkpoint

the power failure
  outputs "reading 1\n"; a continuous run outputs "reading 0\n"
  leaves `count` = 2 at the next checkpoint; a continuous run has 1
"#;
    assert_text(&told(1, COUNT, "", &["c1:f5"]), expected);
}

#[test]
fn nothing_changes() {
    let expected = r#"replay c1:f1: power fails 1 instruction after checkpoint 1

first attempt
  --> program.c, in main
     8 | brownout_checkpoint();      checkpoint 1: count = 0
     9 | int i = count;              reads count: 0

power fails after program.c:9
  back to checkpoint 1, program.c:8
  count = 0  non-volatile: stays as it is

second attempt
  --> program.c, in main
     9 | int i = count;              reads count: 0
    10 | count = i + 1;              sets count = 1
    11 | printf("reading %d\n", i);  prints "reading 0\n"
    12 | brownout_checkpoint();      reaches the next checkpoint

no difference: a continuous run ends in the same state
"#;
    assert_text(
        &told(0, COUNT, "", &["c1:f1", "--values", "count"]),
        expected,
    );
}

#[test]
fn power_fails_several_times() {
    let told = told(1, COUNT, "", &["c1:f5:x3", "--values", "count"]);
    for part in [
        "power fails 3 times in a row",
        "attempt 4",
        "sets count = 4",
    ] {
        assert!(told.contains(part), "{part}:\n{told}");
    }
}

/// What a first attempt leaves makes a second one open a valve, which the third finds open.
const VALVE: &str = include_str!("../../../tests/ui/repeated-input/fail/passed_on_twice.c");

#[test]
fn every_attempt_reads_something_else() {
    let told = told(1, VALVE, "", &["c1:f12:f9:v301/201/100"]);
    let parts = [
        "power fails twice in a row, 12 and 9 instructions after checkpoint 1\n",
        "first attempt\n",
        "input water_level gives 301\n",
        "sets high = 1\n",
        "second attempt\n",
        "input water_level gives 201\n",
        "sets valve = 1\n",
        "third attempt\n",
        "input water_level gives 100\n",
        "reaches the next checkpoint\n",
        "the last power failure\n  leaves `valve` = 1 at the next checkpoint; a continuous run has 0\n",
    ];
    let mut rest = told.as_str();
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else {
            panic!("{part}:\n{told}");
        };
        rest = behind;
    }
    // Values for two attempts are for the first and for all others.
    let alike = ["c1:f12:f9:v301/100", "c1:f12:f9:v301/100/100"];
    let [two, three] = alike.map(|id| replay(VALVE, "", &[id]));
    let behind = |ended: &Ended| {
        let told = String::from_utf8_lossy(&ended.stdout).into_owned();
        told.split_once('\n').map(|(_, told)| told.to_owned())
    };
    assert_eq!(behind(&two), behind(&three));
    assert_eq!(two.status, Some(0));
    refused(
        VALVE,
        &["c1:f12:f19:v301/201/100"],
        "attempt 2 of `c1:f12:f19:v301/201/100` comes to its end before power fails",
    );
}

/// Inputs of all kinds.
const SIGNS: &str = "\
#include <brownout.h>
#include <stdint.h>

int celsius(void) BROWNOUT_INPUT;
unsigned counter(void) BROWNOUT_INPUT;
int8_t trim(void) BROWNOUT_INPUT;
uint8_t level(void) BROWNOUT_INPUT;
long depth(void) BROWNOUT_INPUT;
BROWNOUT_NV int cold;
BROWNOUT_NV uint32_t sum;

int main(void)
{
    brownout_checkpoint();
    int t = celsius();
    if (t < -5)
        cold = 1;
    if (counter() > 7)
        sum = 1;
    sum += trim();
    sum += level();
    sum += depth();
    brownout_checkpoint();
    return 0;
}
";

#[test]
fn inputs_have_signs_where_they_have_them_in_c() {
    // In the order of their names.
    let all = "65526+65526+4294967286+246+246";
    let told = told(0, SIGNS, "", &[&format!("c1:f5:v{all}/{all}")]);
    for part in [
        "celsius gives -10\n",
        "counter gives 65526\n",
        "trim gives -10\n",
        "level gives 246\n",
        "depth gives -10\n",
    ] {
        assert!(told.contains(part), "{part}:\n{told}");
    }
    // What is printed is what `check` says, too.
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("program.c", SIGNS).unwrap();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check", "program.c"]);
    let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
    let findings = String::from_utf8(ended.stdout).unwrap();
    let note = findings
        .lines()
        .find(|line| line.contains("`celsius` gives -"));
    assert!(
        note.is_some_and(|note| note.ends_with("after it gives -5")),
        "{findings}"
    );
}

/// A field of a structure decides where the second attempt goes; a loop repeats; an output is made twice.
const DEVICE: &str = "\
#include <brownout.h>

struct calibration { int gain; int offset; };
BROWNOUT_NV struct calibration cal = { 3, 1 };
BROWNOUT_NV int sum;
int read_adc(void);
void rotate(int degrees);

int main(void)
{
    brownout_checkpoint();
    int x = read_adc();
    for (int i = 0; i < 5; i++)
        sum += x * cal.gain;
    rotate(sum);
    if (cal.offset > 1)
        rotate(0);
    else
        cal.offset++;
    brownout_checkpoint();
    return 0;
}
";

const DEVICE_CONFIG: &str = "\
[[input]]
function = \"read_adc\"
values = [7, 9]

[[output]]
function = \"rotate\"
";

#[test]
fn a_field_a_loop_and_an_output() {
    let expected = r#"replay c1:f85: power fails 85 instructions after checkpoint 1

first attempt
  --> program.c, in main
    11 | brownout_checkpoint();  checkpoint 1: sum = 0, cal.offset = 1
    12 | int x = read_adc();     input read_adc gives 7
    14 | sum += x * cal.gain;    reads sum: 0
       |                         sets sum = 21
       |                         … these 2 steps 4 more times, last: sets sum = 105
    15 | rotate(sum);            reads sum: 105
       |                         output rotate(105)
    16 | if (cal.offset > 1)     reads cal.offset: 1
    19 | cal.offset++;           reads cal.offset: 1
       |                         sets cal.offset = 2

power fails after program.c:19
  back to checkpoint 1, program.c:11
  sum = 105       non-volatile: stays as it is; was 0 at the checkpoint
  cal.offset = 2  non-volatile: stays as it is; was 1 at the checkpoint

second attempt
  --> program.c, in main
    12 | int x = read_adc();     input read_adc gives 7
    14 | sum += x * cal.gain;    reads sum: 105                    (continuous run: 0)
       |                         sets sum = 126                    (continuous run: 21)
       |                         … these 2 steps 4 more times, last: sets sum = 210  (continuous run: 105)
    15 | rotate(sum);            reads sum: 210                    (continuous run: 105)
       |                         output rotate(210)                (continuous run: rotate(105))
    16 | if (cal.offset > 1)     reads cal.offset: 2               (continuous run: 1)
       |                         leaves the path: goes to line 17  (continuous run: goes to line 19)
    17 | rotate(0);              output rotate(0)
    20 | brownout_checkpoint();  reaches the next checkpoint

the power failure
  outputs "rotate(210)\nrotate(0)\n"; a continuous run outputs "rotate(105)\n"
  leaves `sum` = 210 at the next checkpoint; a continuous run has 105
"#;
    assert_text(&told(1, DEVICE, DEVICE_CONFIG, &["c1:f85"]), expected);
}

#[test]
fn only_what_is_asked_for() {
    let arguments = ["c1:f85", "--values", "cal.offset,main::i"];
    let told = told(1, DEVICE, DEVICE_CONFIG, &arguments);
    assert!(told.contains("reads cal.offset: 2"), "{told}");
    assert!(told.contains("sets i = 0"), "{told}");
    assert!(!told.contains("sets sum"), "{told}");
}

/// What the first attempt wrote is not what the second one expects.
const CRASH: &str = "\
#include <brownout.h>
#include <assert.h>

BROWNOUT_NV int used;

int main(void)
{
    brownout_checkpoint();
    assert(used == 0);
    used = 1;
    brownout_checkpoint();
    return 0;
}
";

#[test]
fn the_second_attempt_crashes() {
    let expected = r#"replay c1:f5: power fails 5 instructions after checkpoint 1

first attempt
  --> program.c, in main
     8 | brownout_checkpoint();  checkpoint 1: used = 0
     9 | assert(used == 0);      reads used: 0
    10 | used = 1;               sets used = 1

power fails after program.c:10
  back to checkpoint 1, program.c:8
  used = 1  non-volatile: stays as it is; was 0 at the checkpoint

second attempt
  --> program.c, in main
     9 | assert(used == 0);      reads used: 1  (continuous run: 0)
       |                         leaves the path
       |                         crashes (failed-assertion): assertion `used == 0` failed at program.c:9  (continuous run: goes on)

the power failure
  crashes (failed-assertion) at program.c:9:5
"#;
    assert_text(&told(1, CRASH, "", &["c1:f5"]), expected);
}

/// No checkpoint in the program: the device makes them.
const REACTIVE: &str = "\
int ticks;

static void tick(void)
{
    ticks = ticks + 1;
}

int main(void)
{
    tick();
    tick();
    return ticks - 2;
}
";

#[test]
fn a_reactive_device() {
    let expected = r#"replay i6:f4: power fails 4 instructions after a checkpoint after instruction 6

first attempt
  --> program.c, in main
    11 | tick();             checkpoint before this: ticks = 1
  --> program.c, in tick
     5 | ticks = ticks + 1;  reads ticks: 1
       |                     sets ticks = 2

power fails after program.c:5
  back to the checkpoint, before program.c:11
  ticks = 2  non-volatile: stays as it is; was 1 at the checkpoint

second attempt
  --> program.c, in tick
     5 | ticks = ticks + 1;  reads ticks: 2                  (continuous run: 1)
       |                     sets ticks = 3                  (continuous run: 2)
  --> program.c, in main
    12 | return ticks - 2;   reads ticks: 3                  (continuous run: 2)
       |                     the program ends with status 1  (continuous run: 0)

the power failure
  outputs "exit status 1"; a continuous run outputs "exit status 0"
  leaves `ticks` = 3 at the end of the program; a continuous run has 2
"#;
    assert_text(
        &told(
            1,
            REACTIVE,
            "",
            &["i6:f4", "--policy", "reactive", "--execution-depth", "12"],
        ),
        expected,
    );
}

/// A word where 16 bits are written at once.
const STAMP: &str = "\
#include <brownout.h>
#include <stdint.h>

BROWNOUT_NV uint32_t stamp = 0x0000ffff;

int main(void)
{
    brownout_checkpoint();
    stamp = stamp + 1;
    brownout_checkpoint();
    return 0;
}
";

#[test]
fn a_torn_store() {
    let expected = r#"replay c1:f3:b2: power fails 3 instructions after checkpoint 1

first attempt
  --> program.c, in main
     8 | brownout_checkpoint();  checkpoint 1: stamp = 65535
     9 | stamp = stamp + 1;      reads stamp: 65535
       |                         sets stamp = 65536

power fails in the middle of program.c:9
  2 of the 4 bytes that it stores are written
  back to checkpoint 1, program.c:8
  stamp = 0  non-volatile: stays as it is; was 65535 at the checkpoint

second attempt
  --> program.c, in main
     9 | stamp = stamp + 1;      reads stamp: 0  (continuous run: 65535)
       |                         sets stamp = 1  (continuous run: 65536)
    10 | brownout_checkpoint();  reaches the next checkpoint

the power failure
  leaves `stamp` = 1 at the next checkpoint; a continuous run has 65536
"#;
    assert_text(&told(1, STAMP, "", &["c1:f3:b2"]), expected);
    let document = told(1, STAMP, "", &["c1:f3:b2", "--format", "json"]);
    let document: Value = serde_json::from_str(&document).unwrap();
    let torn = &document["replay"]["attempts"][0]["end"]["torn"];
    assert_eq!((&torn["written"], &torn["size"]), (&2.into(), &4.into()));
}

/// Sets a port up, and relies on it after the checkpoint.
const PORT: &str = "\
#include <brownout.h>

extern volatile unsigned char P1DIR;

int main(void)
{
    P1DIR = 1;
    brownout_checkpoint();
    P1DIR |= 2;
    return P1DIR;
}
";

#[test]
fn registers_that_are_reset() {
    let expected = r#"replay c1:f0:r: power fails 0 instructions after checkpoint 1

first attempt
  --> program.c, in main
     8 | brownout_checkpoint();  checkpoint 1: P1DIR = 1

power fails after program.c:8
  back to checkpoint 1, program.c:8
  P1DIR = 0  a device register: no checkpoint saves it; was 1 at the checkpoint

second attempt
  --> program.c, in main
     9 | P1DIR |= 2;             reads P1DIR: 0                  (continuous run: 1)
       |                         sets P1DIR = 2                  (continuous run: 3)
    10 | return P1DIR;           reads P1DIR: 2                  (continuous run: 3)
       |                         the program ends with status 2  (continuous run: 3)

the power failure
  outputs "exit status 2"; a continuous run outputs "exit status 3"
  leaves `P1DIR` = 2 at the end of the program; a continuous run has 3
"#;
    let config = "mmio = \"state\"\n[power]\npolicy = \"static\"\n";
    assert_text(&told(1, PORT, config, &["c1:f0:r"]), expected);
    // A checkpoint brings them back otherwise.
    told(0, PORT, config, &["c1:f0"]);
}

/// A valve that is half open when power fails opens further than it should.
const SLOW_VALVE: &str = "\
#include <brownout.h>

void open_to(int percent);

int main(void)
{
    brownout_checkpoint();
    open_to(100);
    brownout_checkpoint();
    return 0;
}
";

const SLOW_VALVE_CONFIG: &str = r#"
[power]
policy = "static"
[[output]]
function = "open_to"
script = "if opened == 0 { opened = arg0 } else { opened += arg0 }"
takes = 40
[environment]
opened = 0
"#;

#[test]
fn in_the_middle_of_an_output() {
    let expected = r#"replay c1:f11: power fails 11 instructions after checkpoint 1

first attempt
  --> program.c, in main
     7 | brownout_checkpoint();  checkpoint 1
     8 | open_to(100);           output open_to(100)

power fails in the middle of program.c:8
  10 of the 40 instructions that the output takes have passed
  back to checkpoint 1, program.c:7

second attempt
  --> program.c, in main
     8 | open_to(100);           output open_to(100)
     9 | brownout_checkpoint();  reaches the next checkpoint

the power failure
  leaves `opened` = 125; a continuous run has 100
"#;
    assert_text(
        &told(1, SLOW_VALVE, SLOW_VALVE_CONFIG, &["c1:f11"]),
        expected,
    );
    let document = told(
        1,
        SLOW_VALVE,
        SLOW_VALVE_CONFIG,
        &["c1:f11", "--format", "json"],
    );
    let document: Value = serde_json::from_str(&document).unwrap();
    let output = &document["replay"]["attempts"][0]["end"]["output"];
    assert_eq!(
        (&output["done"], &output["takes"]),
        (&10.into(), &40.into())
    );
}

#[test]
fn a_document() {
    let document = told(1, DEVICE, DEVICE_CONFIG, &["c1:f85", "--format", "json"]);
    let document: Value = serde_json::from_str(&document).unwrap();
    let replay = &document["replay"];
    assert_eq!(replay["id"], "c1:f85");
    assert_eq!(replay["resume"]["checkpoint"], 1);
    assert_eq!(replay["attempts"][0]["end"]["kind"], "power-failure");
    let steps = replay["attempts"][1]["steps"].as_array().unwrap();
    let sum = steps
        .iter()
        .find(|step| step["kind"] == "write" && step["object"] == "sum")
        .unwrap();
    assert_eq!(sum["value"], "126");
    assert_eq!(sum["continuous"], "21");
    assert_eq!(sum["repeats"], 4);
    assert_eq!(sum["last"]["value"], "210");
    assert_eq!(sum["values"]["sum"]["after_failure"], "kept");
    assert!(steps.iter().any(|step| step["kind"] == "departure"));
    assert_eq!(document["scenario"]["policy"], "static");
}

#[test]
fn ids_that_cannot_be_replayed() {
    let cases = [
        (
            "3:f1",
            "`3:f1`: a replay id starts with a checkpoint, `c` and its number, or `i` and a number of instructions, \
             as in `c3:f41`",
        ),
        ("c3:f1", "there is no checkpoint 3: the program executes 2"),
        (
            "i3:f1",
            "`i3:f1` has its checkpoint between two instructions: only policy `reactive` does that",
        ),
        (
            "c1:f1:b1",
            "`c1:f1:b1` tears the store before the failure; that instruction writes 0 bytes of non-volatile memory",
        ),
        (
            "c1:f5:b2",
            "`c1:f5:b2` tears the store before the failure; that instruction writes 2 bytes of non-volatile memory",
        ),
    ];
    for (id, message) in cases {
        refused(COUNT, &[id], message);
    }
    refused(
        COUNT,
        &["c1:f1:r"],
        "`c1:f1:r` resets device registers; no `[[peripheral]]` names any, and `mmio` is not set",
    );
    let message = "there is no instruction 5000: the program executes";
    let ended = replay(REACTIVE, "", &["i5000:f1", "--policy", "reactive"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains(message), "{}", ended.stderr);
    let ended = replay(COUNT, "", &["c1:f5000"]);
    assert_eq!(ended.status, Some(2));
    let message = "power cannot fail 5000 instructions after the checkpoint";
    assert!(ended.stderr.contains(message), "{}", ended.stderr);
}

#[test]
fn names_that_mean_nothing() {
    let cases = [
        (
            "cout",
            "`cout`: no such variable in memory\nhelp: did you mean `count`?",
        ),
        (
            "count.x",
            "`count.x`: what stands before the last `.` or `[` has no parts",
        ),
        ("loop::i", "`loop::i`: no such function in the program"),
    ];
    for (name, message) in cases {
        refused(COUNT, &["c1:f5", "--values", name], message);
    }
}

/// Memory is as it should be; the world is not.
#[test]
fn what_was_done_twice_to_the_world_is_told() {
    let text = "\
#include <brownout.h>

void rotate(int degrees);

int main(void)
{
    brownout_checkpoint();
    rotate(45);
    brownout_checkpoint();
    return 0;
}
";
    let config = "\
[[output]]
function = \"rotate\"
semantics = \"absolute\"
effect = \"angle += arg0\"

[environment]
angle = 0
";
    // One instruction after the checkpoint nothing has happened yet; later it has.
    let stories: Vec<(Option<i32>, String)> = (1..4)
        .map(|distance| replay(text, config, &[&format!("c1:f{distance}")]))
        .filter(|ended| ended.status != Some(2))
        .map(|ended| (ended.status, String::from_utf8(ended.stdout).unwrap()))
        .collect();
    let twice = "leaves `angle` = 90; a continuous run has 45";
    assert!(
        stories
            .iter()
            .any(|(status, told)| *status == Some(1) && told.contains(twice)),
        "{stories:?}"
    );
}
