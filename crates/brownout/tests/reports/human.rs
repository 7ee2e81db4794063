//! What people read, as a whole. `UPDATE_EXPECT=1 cargo test` writes the texts down again.

use std::path::Path;

use expect_test::{Expect, expect};

use crate::{SENSE, printed, ran, scratch};

/// What `check` prints about a program on stdout, then on stderr.
#[track_caller]
fn check(text: &str, status: i32, arguments: &[&str], expected: &Expect) {
    let scratch = scratch();
    scratch.file("program.c", text).unwrap();
    check_in(scratch.path(), status, arguments, expected);
}

#[track_caller]
fn check_in(folder: &Path, status: i32, arguments: &[&str], expected: &Expect) {
    let mut words = vec!["check", "program.c"];
    words.extend(arguments);
    let ended = ran(status, folder, &words);
    let stdout = String::from_utf8(ended.stdout).unwrap();
    expected.assert_eq(&format!("{stdout}--- stderr\n{}", ended.stderr));
}

#[test]
fn inlined_code_and_macros_are_where_the_user_wrote_them() {
    let scratch = scratch();
    let header = "\
#define STEP(x) do { (x) = (x) + 1; } while (0)
static inline __attribute__((always_inline)) void add(int *p, int n)
{
    *p = *p + n;
}
";
    let program = "\
#include <brownout.h>
#include \"steps.h\"
BROWNOUT_NV int a;
BROWNOUT_NV int b;
int main(void)
{
    brownout_checkpoint();
    STEP(a);
    add(&b, 2);
    return 0;
}
";
    scratch.file("steps.h", header).unwrap();
    scratch.file("program.c", program).unwrap();
    for level in ["-O0", "-O1"] {
        let text = printed(
            1,
            scratch.path(),
            &["check", "-v", "program.c", "--", level],
        );
        for wanted in [
            "--> program.c:8:5",
            "--> steps.h:4:8",
            "note: line 8 in main\n",
            "note: line 4 in main > add\n",
        ] {
            assert!(text.contains(wanted), "{level}: {wanted}\n{text}");
        }
    }
}

#[test]
fn a_finding_and_the_summary() {
    check(
        SENSE,
        1,
        &[],
        &expect![[r#"
            error[war]: `count` is read, then overwritten before the next checkpoint
              --> program.c:11:11
               |
             8 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
             9 |     int i = count;
               |             ----- first read
            10 |     printf("reading %d\n", i);
            11 |     count = i + 1;
               |     ^^^^^^^^^^^^^ if power fails right after this write:
               |
               = effect: it outputs "reading 1\n"; a continuous run outputs "reading 0\n"
               = effect: it leaves `count` = 2 at the next checkpoint; a continuous run has 1
               = help: save `count` in the checkpoint at program.c:8, or put a checkpoint between lines 9 and 11
               = replay: brownout replay c1:f585 program.c

            --- stderr
            note: non-volatile: symbol:count; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error
              war: 1 confirmed
              checked: 589 instructions, 2 checkpoints; 2 power failures emulated (6427 instructions)
        "#]],
    );
}

#[test]
fn quiet_is_findings_only() {
    check(
        SENSE,
        1,
        &["-q"],
        &expect![[r#"
            error[war]: `count` is read, then overwritten before the next checkpoint
              --> program.c:11:11
               |
             8 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
             9 |     int i = count;
               |             ----- first read
            10 |     printf("reading %d\n", i);
            11 |     count = i + 1;
               |     ^^^^^^^^^^^^^ if power fails right after this write:
               |
               = effect: it outputs "reading 1\n"; a continuous run outputs "reading 0\n"
               = effect: it leaves `count` = 2 at the next checkpoint; a continuous run has 1
               = help: save `count` in the checkpoint at program.c:8, or put a checkpoint between lines 9 and 11
               = replay: brownout replay c1:f585 program.c

            --- stderr
        "#]],
    );
}

#[test]
fn one_line_for_editors() {
    check(
        SENSE,
        1,
        &["--format", "concise", "-q"],
        &expect![[r#"
        program.c:11:11: error[war]: `count` is read, then overwritten before the next checkpoint; a power failure outputs "reading 1\n"; a continuous run outputs "reading 0\n"
        --- stderr
    "#]],
    );
}

#[test]
fn nothing_found() {
    let repaired = SENSE.replace(
        "brownout_checkpoint();\n    int",
        "brownout_checkpoint_with(&count, sizeof count);\n    int",
    );
    check(
        &repaired,
        0,
        &[],
        &expect![[r#"
            --- stderr
            note: non-volatile: symbol:count; policy: static (__brownout_checkpoint_with, 1 call of `brownout_checkpoint`)
            summary: nothing found
              checked: 591 instructions, 2 checkpoints; 0 power failures emulated (591 instructions)
        "#]],
    );
}

/// Several rules, calls, a function that is not executed, and a pair that is silent.
const CALLS: &str = "\
#include <brownout.h>
#include <stdlib.h>

BROWNOUT_NV int total;
BROWNOUT_NV int mode = 1;

static void add(int n)
{
    total = total + n;
}

static void left_out(void)
{
    total = 0;
}

static void day(void)
{
    add(2);
    if (mode == 7)
        left_out();
    mode = mode;
}

int main(void)
{
    brownout_checkpoint();
    add(1);
    day();
    char *block = malloc(4);
    brownout_checkpoint();
    return block[0];
}
";

#[test]
fn counts_by_rule_and_evidence() {
    check(
        CALLS,
        1,
        &["--set", "memory.nonvolatile=symbol:total,symbol:mode,heap"],
        &expect![[r#"
            note[heap-leak]: a block allocated here leaks when power fails before the next checkpoint
              --> program.c:30:19
               |
            30 |     char *block = malloc(4);
               |                   ^^^^^^^^^ allocated again by the next attempt

            error[war]: `total` is read, then overwritten before the next checkpoint
              --> program.c:9:11
               |
             9 |     total = total + n;
               |     ^^^^^^^^-----^^^^
               |     |       |
               |     |       first read
               |     if power fails right after this write:
            ...
            27 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
               |
               = effect: it leaves `total` = 4 at the next checkpoint; a continuous run has 3
               = pair: also `total` read at program.c:9:13, overwritten at program.c:14:11: possible
               = note: in 2 call paths: main > add, main > day > add
               = help: save `total` in the checkpoint at program.c:27, or declare `total` BROWNOUT_INTERMITTENCE_AWARE if it is meant to count power failures, too
               = replay: brownout replay c1:f6 program.c --set 'memory.nonvolatile=symbol:total,symbol:mode,heap'

            --- stderr
            note: non-volatile: symbol:mode, symbol:total, heap; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error, 1 note
              war: 1 confirmed
              heap-leak: 1 located
              not shown: 1 finding that writes what it has read (-v)
              not covered: `left_out` was never called
              checked: 240 instructions, 2 checkpoints; 16 power failures emulated (4608 instructions)
        "#]],
    );
}

#[test]
fn call_paths_and_silent_pairs_when_verbose() {
    check(
        CALLS,
        1,
        &["-v"],
        &expect![[r#"
            error[war]: `total` is read, then overwritten before the next checkpoint
              --> program.c:9:11
               |
             9 |     total = total + n;
               |     ^^^^^^^^-----^^^^
               |     |       |
               |     |       first read
               |     if power fails right after this write:
            ...
            27 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
               |
               = effect: it leaves `total` = 4 at the next checkpoint; a continuous run has 3
               = pair: also `total` read at program.c:9:13, overwritten at program.c:14:11: possible
               = note: in 2 call paths: main > add, main > day > add
               = note: line 9 in main > add
               = help: save `total` in the checkpoint at program.c:27, or declare `total` BROWNOUT_INTERMITTENCE_AWARE if it is meant to count power failures, too
               = replay: brownout replay c1:f6 program.c

            note[war]: `mode` is read, then overwritten before the next checkpoint
              --> program.c:22:10
               |
            20 |     if (mode == 7)
               |         ---- first read
            21 |         left_out();
            22 |     mode = mode;
               |     ^^^^^^^^^^^ overwritten here
            ...
            27 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
               |
               = pair: also `mode` read at program.c:22:12, overwritten at program.c:22:10: located
               = note: every write stores the very value that was read
               = note: line 20 in main > day
               = note: line 22 in main > day

            --- stderr
            note: non-volatile: symbol:mode, symbol:total; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error
              war: 1 confirmed
              not covered: `left_out` was never called
              checked: 240 instructions, 2 checkpoints; 4 power failures emulated (2158 instructions)
        "#]],
    );
}

#[test]
fn located_only() {
    check(
        SENSE,
        1,
        &["--no-evaluate"],
        &expect![[r#"
            error[war]: `count` is read, then overwritten before the next checkpoint
              --> program.c:11:11
               |
             8 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
             9 |     int i = count;
               |             ----- first read
            10 |     printf("reading %d\n", i);
            11 |     count = i + 1;
               |     ^^^^^^^^^^^^^ overwritten here
               |
               = help: save `count` in the checkpoint at program.c:8, or put a checkpoint between lines 9 and 11

            --- stderr
            note: non-volatile: symbol:count; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error
              war: 1 located
              checked: 589 instructions, 2 checkpoints; 0 power failures emulated (0 instructions)
        "#]],
    );
}

#[test]
fn macros_show_where_they_are_used() {
    let text = "\
#include <brownout.h>

#define BUMP(x) do { int old = (x); (x) = old + 1; } while (0)

BROWNOUT_NV int count;

int main(void)
{
    brownout_checkpoint();
    BUMP(count);
    brownout_checkpoint();
    return 0;
}
";
    check(
        text,
        1,
        &[],
        &expect![[r#"
            error[war]: `count` is read, then overwritten before the next checkpoint
              --> program.c:10:5
               |
             9 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
            10 |     BUMP(count);
               |     ^^^^^-----^
               |     |    |
               |     |    first read
               |     if power fails right after this write:
               |
               = effect: it leaves `count` = 2 at the next checkpoint; a continuous run has 1
               = help: save `count` in the checkpoint at program.c:9, or declare `count` BROWNOUT_INTERMITTENCE_AWARE if it is meant to count power failures, too
               = replay: brownout replay c1:f6 program.c

            --- stderr
            note: non-volatile: symbol:count; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error
              war: 1 confirmed
              checked: 11 instructions, 2 checkpoints; 2 power failures emulated (85 instructions)
        "#]],
    );
}

#[test]
fn inlined_code_shows_where_it_was_written() {
    let text = "\
#include <brownout.h>

BROWNOUT_NV int count;

static inline __attribute__((always_inline)) void bump(int by)
{
    count = count + by;
}

int main(void)
{
    brownout_checkpoint();
    bump(3);
    brownout_checkpoint();
    return 0;
}
";
    check(
        text,
        1,
        &["--", "-O2"],
        &expect![[r#"
            error[war]: `count` is read, then overwritten before the next checkpoint
              --> program.c:7:11
               |
             7 |     count = count + by;
               |     ^^^^^^^^-----^^^^^
               |     |       |
               |     |       first read
               |     if power fails right after this write:
            ...
            12 |     brownout_checkpoint();
               |     --------------------- execution resumes here after a power failure
               |
               = effect: it leaves `count` = 6 at the next checkpoint; a continuous run has 3
               = help: save `count` in the checkpoint at program.c:12, or declare `count` BROWNOUT_INTERMITTENCE_AWARE if it is meant to count power failures, too
               = replay: brownout replay c1:f3 program.c -- -O2

            --- stderr
            note: non-volatile: symbol:count; policy: static (2 calls of `brownout_checkpoint`)
            summary: 1 error
              war: 1 confirmed
              checked: 7 instructions, 2 checkpoints; 2 power failures emulated (45 instructions)
        "#]],
    );
}

#[test]
fn what_was_assumed_and_what_stopped_it() {
    let text = "\
int sense(void);
int total;

int main(void)
{
    for (;;)
        total += sense();
}
";
    let scratch = scratch();
    scratch.file("program.c", text).unwrap();
    scratch
        .file("brownout.toml", "[[input]]\nfunction = \"sense\"\n")
        .unwrap();
    let limit = ["--max-instructions", "500"];
    check_in(
        scratch.path(),
        2,
        &limit,
        &expect![[r#"
            --- stderr
            note: non-volatile: globals (nothing says so); policy: restart: every reboot starts at the entry, and nothing is saved (--policy static, reactive or tasks if yours does more)
            error: nothing to check: every reboot starts at the entry, and nothing is said to be non-volatile
            help: say what is in non-volatile memory (`--nv globals`, `--nv section:.fram`, `BROWNOUT_NV`), or name the checkpoints (`power.checkpoints`, `--policy`)
        "#]],
    );
}

#[test]
fn colours_only_where_they_are_asked_for() {
    let scratch = scratch();
    scratch.file("program.c", SENSE).unwrap();
    let escapes = |arguments: &[&str]| {
        let mut words = vec!["check", "program.c"];
        words.extend(arguments);
        let ended = ran(1, scratch.path(), &words);
        let file = std::fs::read(scratch.path().join("out.txt")).unwrap_or_default();
        ended.stdout.contains(&0x1b) || file.contains(&0x1b)
    };
    assert!(!escapes(&[]), "standard output is no terminal");
    assert!(!escapes(&["--color", "never"]));
    assert!(!escapes(&["--output", "out.txt"]));
    assert!(escapes(&["--color", "always"]));
}
