//! `brownout run` with power failures, and tests made of replays: what a user sees.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(120);

/// A folder with files in it.
struct Folder(Scratch);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        for (name, text) in files {
            scratch.file(name, text).unwrap();
        }
        Self(scratch)
    }

    fn brownout(&self, arguments: &[&str]) -> Ended {
        let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
        let mut command = tool.command(arguments);
        execute(command.current_dir(self.0.path()), LIMIT).unwrap()
    }

    /// What `run` prints on stdout and stderr, without notes and summary.
    #[track_caller]
    fn ran(&self, status: i32, arguments: &[&str]) -> (String, String) {
        let mut all = vec!["run"];
        all.extend(arguments);
        let ended = self.brownout(&all);
        assert_eq!(ended.status, Some(status), "{}", ended.stderr);
        let told = ended.stderr.lines().filter(|line| {
            let summary = line.starts_with("exit status") || line.starts_with("stopped");
            !line.starts_with("note: ") && !summary
        });
        let told: String = told.map(|line| format!("{line}\n")).collect();
        (String::from_utf8(ended.stdout).unwrap(), told)
    }

    #[track_caller]
    fn json(&self, status: i32, arguments: &[&str]) -> Value {
        let mut all = vec!["--format", "json"];
        all.extend(arguments);
        serde_json::from_str(&self.ran(status, &all).0).unwrap()
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str], message: &str) {
        let (_, told) = self.ran(2, arguments);
        assert!(told.starts_with(&format!("error: {message}\n")), "{told}");
    }
}

/// Counts twice if power fails behind line 10.
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

/// The same with the counter saved.
const SAVED: &str = "\
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int count;

int main(void)
{
    brownout_checkpoint_with(&count, sizeof count);
    int i = count;
    count = i + 1;
    printf(\"reading %d\\n\", i);
    brownout_checkpoint();
    return 0;
}
";

/// Both flags are set if the reading changes between two attempts.
const ALARM: &str = "\
#include <brownout.h>

BROWNOUT_NV int alarm;
BROWNOUT_NV int ok;
int read_temp(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    int t = read_temp();
    if (t > 50)
        alarm = 1;
    else
        ok = 1;
    brownout_checkpoint();
    return 0;
}
";

#[test]
fn power_fails_at_a_line() {
    let folder = Folder::new(&[("count.c", COUNT)]);
    let (output, told) = folder.ran(0, &["--fail-at", "count.c:11", "count.c"]);
    assert_eq!(output, "reading 1\n");
    let expected = "\
1 power failure, 2 commits; ";
    assert!(told.starts_with(expected), "{told}");
    assert!(
        told.contains("  power failed at count.c:11 after ")
            && told.contains(" and the program went on at count.c:9\n"),
        "{told}"
    );
    let (output, told) = folder.ran(1, &["--fail-at", "count.c:11", "--compare", "count.c"]);
    assert_eq!(output, "reading 1\n");
    assert!(
        told.contains(
            "error: it leaves `count` = 2 at the end of the program; a continuous run has 1\n"
        ),
        "{told}"
    );
    assert!(
        told.contains(
            "error: it outputs \"reading 1\\n\"; a continuous run outputs \"reading 0\\n\"\n"
        ),
        "{told}"
    );
    // Before the write a failure does no harm, nor does one that never comes.
    for line in ["count.c:10", "count.c:11:3"] {
        let (_, told) = folder.ran(0, &["--fail-at", line, "--compare", "count.c"]);
        assert!(
            told.ends_with("a continuous run that reads the same does the same\n"),
            "{told}"
        );
    }
    // The second time execution gets there is in the second attempt.
    let twice = [
        "--fail-at",
        "count.c:11",
        "--fail-at",
        "count.c:11:2",
        "--compare",
        "count.c",
    ];
    let (_, told) = folder.ran(1, &twice);
    assert!(told.starts_with("2 power failures"), "{told}");
    assert!(told.contains("`count` = 3"), "{told}");
}

#[test]
fn power_fails_after_instructions() {
    // Without the text, which takes most of the instructions.
    let silent = |text: &str| text.replace("    printf(\"reading %d\\n\", i);\n", "");
    let (count, saved) = (silent(COUNT), silent(SAVED));
    let folder = Folder::new(&[("count.c", &count), ("saved.c", &saved)]);
    // Somewhere behind the write, whatever the numbers are: all points are tried.
    let harmful = |file: &str| {
        let length = folder.json(0, &[file])["stats"]["instructions"]
            .as_u64()
            .unwrap();
        let points = (1..length).map(|point| point.to_string());
        let ended = points.map(|point| {
            let arguments = ["run", "-q", "--compare", "--fail-after", &point, file];
            folder.brownout(&arguments).status
        });
        let ended: Vec<Option<i32>> = ended.collect();
        assert!(
            ended.iter().all(|status| matches!(status, Some(0 | 1))),
            "{ended:?}"
        );
        ended.iter().filter(|status| **status == Some(1)).count()
    };
    assert!(harmful("count.c") > 0);
    assert_eq!(harmful("saved.c"), 0);
}

#[test]
fn every_write() {
    let folder = Folder::new(&[("count.c", COUNT), ("saved.c", SAVED)]);
    let (told, _) = folder.ran(1, &["--schedule", "every-write", "count.c"]);
    assert!(
        told.starts_with("1 of 1 power failure after a write to non-volatile memory make a difference\nerror: power failed at count.c:11 after "),
        "{told}"
    );
    assert!(told.contains("  it leaves `count` = 2"), "{told}");
    let (told, _) = folder.ran(0, &["--schedule", "every-write", "saved.c"]);
    assert!(told.starts_with("0 of 1 power failure"), "{told}");
    let document = folder.json(1, &["--schedule", "every-write", "count.c"]);
    assert_eq!(document["executions"], 1);
    assert_eq!(document["harmful"][0]["place"]["line"], 11);
    assert_eq!(
        document["harmful"][0]["comparison"]["effects"][0]["kind"],
        "output"
    );
}

/// What the configuration leaves out of comparisons, and a variable that is to count attempts, may differ.
#[test]
fn what_is_not_compared_may_differ() {
    let text = "\
#include <brownout.h>

BROWNOUT_NV int tries, boots BROWNOUT_INTERMITTENCE_AWARE, stored;

int main(void)
{
    brownout_checkpoint();
    tries++;
    boots++;
    stored = 4;
    return 0;
}
";
    let folder = Folder::new(&[("note.c", text)]);
    let failing = |status: i32, more: &[&str]| {
        for when in [
            &["--schedule", "every-write"][..],
            &["--fail-at", "note.c:11"],
        ] {
            let all = [&["--compare"], when, more, &["note.c"]].concat();
            let (told, also) = folder.ran(status, &all);
            let told = told + &also;
            assert_eq!(told.contains("`tries` = 2"), status == 1, "{told}");
            assert!(!told.contains("`boots`"), "{told}");
        }
    };
    failing(1, &[]);
    failing(0, &["--set", "compare.ignore=symbol:tries"]);
    failing(0, &["--set", "compare.only=symbol:stored"]);
    failing(1, &["--set", "compare.only=symbol:tries"]);
}

/// A program without an end has no state at its end, so nothing is compared, and nobody says that there is no harm.
#[test]
fn a_main_loop_is_not_compared() {
    let text = "\
#include <brownout.h>

BROWNOUT_NV volatile int given = 100, taken;

int main(void)
{
    for (;;) {
        given = given - 1;
        taken = taken + 1;
    }
}
";
    let folder = Folder::new(&[("loop.c", text)]);
    let limited = ["--schedule", "every-write", "--max-instructions", "1000"];
    let options = [&limited[..], &["--policy", "restart", "loop.c"]].concat();
    let (told, also) = folder.ran(2, &options);
    assert_eq!(told, "no power failure was tried\n");
    assert!(
        also.starts_with("error: stopped before the program came to its end: nothing was compared"),
        "{also}"
    );
}

/// Many writes, all of which survive.
const SAFE: &str = "\
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int squares[40];

int main(void)
{
    for (int i = 0; i < 40; i++) {
        brownout_checkpoint();
        squares[i] = i * i;
    }
    brownout_checkpoint();
    printf(\"%d\\n\", squares[39]);
    return 0;
}
";

#[test]
fn schedules_make_progress() {
    let folder = Folder::new(&[("safe.c", SAFE)]);
    for schedule in ["linear", "log", "random:1", "random:2"] {
        let document = folder.json(0, &["--compare", "--schedule", schedule, "safe.c"]);
        assert_eq!(
            document["output"].as_str().unwrap().lines().last(),
            Some("1521")
        );
        assert_eq!(document["comparison"]["same"], true);
        assert!(
            !document["failures"].as_array().unwrap().is_empty(),
            "{schedule}"
        );
    }
    // 40 writes, and one more for each failure: 1 + 2 + … + 9 of them come before the ninth.
    let document = folder.json(0, &["--schedule", "linear", "safe.c"]);
    assert_eq!(document["failures"].as_array().unwrap().len(), 9);
    let document = folder.json(0, &["--schedule", "log", "safe.c"]);
    assert_eq!(document["failures"].as_array().unwrap().len(), 5);
    // The same for the same seed.
    let one = folder.json(0, &["--schedule", "random:7", "safe.c"]);
    let other = folder.json(0, &["--schedule", "random:7", "safe.c"]);
    assert_eq!(one["failures"], other["failures"]);
}

const ENERGY: &str = "\
[energy]
capacitance = \"10uF\"
v-trigger = 2.0
v-min = 1.88
v-on = 2.4
current = \"270uA\"
clock = \"1MHz\"
";

#[test]
fn power_fails_as_the_supply_has_it() {
    let supply = "time,voltage\n0,3.0\n0.0008,1.0\n0.003,0\n";
    let short = "time,voltage\n0,3.0\n0.0001,1.0\n0.001,0\n";
    let folder = Folder::new(&[
        ("safe.c", SAFE),
        ("brownout.toml", ENERGY),
        ("supply.csv", supply),
        ("short.csv", short),
    ]);
    let arguments = ["--compare", "--power", "supply.csv", "safe.c"];
    let document = folder.json(0, &arguments);
    assert_eq!(document["failures"][0]["instructions"], 816);
    assert_eq!(document["comparison"]["same"], true);
    // Every 16 instructions the voltage is looked at. The last region is longer than power lasts.
    let arguments = ["--power", "short.csv", "safe.c"];
    let document = folder.json(1, &arguments);
    assert_eq!(document["failures"][0]["instructions"], 112);
    assert_eq!(document["stuck"], true);
    let (_, told) = folder.ran(1, &arguments);
    let last = told.lines().last().unwrap();
    assert_eq!(
        last,
        "error: power fails again and again before the next commit: the program makes no progress"
    );
    // A reactive device commits when the voltage is low; here it never notices in time.
    let arguments = ["--policy", "reactive", "--power", "short.csv", "safe.c"];
    let (_, told) = folder.ran(1, &arguments);
    assert!(told.contains(", 0 commits; "), "{told}");
}

#[test]
fn inputs_from_a_table() {
    let files = [
        ("alarm.c", ALARM),
        ("hot.csv", "read_temp\n60\n20\n"),
        ("cold.csv", "20\n"),
        ("other.csv", "read_heat\n1\n"),
    ];
    let folder = Folder::new(&files);
    // Power fails behind the write of `alarm`; the second attempt reads 20.
    let arguments = [
        "--inputs",
        "hot.csv",
        "--fail-at",
        "alarm.c:15",
        "--compare",
        "alarm.c",
    ];
    let (_, told) = folder.ran(1, &arguments);
    assert!(
        told.contains(
            "error: it leaves `alarm` = 1 at the end of the program; a continuous run has 0\n"
        ),
        "{told}"
    );
    let arguments = [
        "--inputs",
        "cold.csv",
        "--fail-at",
        "alarm.c:15",
        "--compare",
        "alarm.c",
    ];
    folder.ran(0, &arguments);
    let refused = |table: &str, message: &str| {
        folder.refused(&["--inputs", table, "alarm.c"], message);
    };
    refused(
        "other.csv",
        "other.csv: there is no input `read_heat`; inputs are read_temp",
    );
    refused("none.csv", "none.csv: no such file or directory");
}

#[test]
fn taint_tells_who_reads_what_was_left_behind() {
    let text = ALARM.replace("    return 0;", "    return alarm;");
    // The last checkpoint is gone: what was left behind is read in the attempt after it.
    let text = text.replace(
        "        ok = 1;\n    brownout_checkpoint();",
        "        ok = 1;",
    );
    let folder = Folder::new(&[("alarm.c", &text), ("hot.csv", "read_temp\n60\n20\n")]);
    let arguments = [
        "--taint",
        "--inputs",
        "hot.csv",
        "--fail-at",
        "alarm.c:15",
        "alarm.c",
    ];
    let (_, told) = folder.ran(0, &arguments);
    assert!(
        told.contains("; 1 read of what an attempt that failed has left\n  alarm.c:15 reads `alarm`, which alarm.c:12 has written depending on `read_temp` at alarm.c:10 before a power failure\n"),
        "{told}"
    );
    let document = folder.json(0, &arguments);
    assert_eq!(document["taint"]["loads"], 1);
    assert_eq!(document["taint"]["hits"][0]["object"], "alarm");
    let document = folder.json(0, &["--taint", "--inputs", "hot.csv", "alarm.c"]);
    assert_eq!(document["taint"]["loads"], 0);
}

#[test]
fn invariants_are_checked() {
    let config = "[[invariant]]\nexpr = \"alarm + ok <= 1\"\n";
    let files = [
        ("alarm.c", ALARM),
        ("hot.csv", "read_temp\n60\n20\n"),
        ("brownout.toml", config),
    ];
    let folder = Folder::new(&files);
    let arguments = ["--inputs", "hot.csv", "--fail-at", "alarm.c:15", "alarm.c"];
    let (_, told) = folder.ran(1, &arguments);
    assert!(
        told.contains("error: alarm + ok <= 1 does not hold at alarm.c:16, after "),
        "{told}"
    );
    folder.ran(0, &["--inputs", "hot.csv", "alarm.c"]);
    let ended = folder.brownout(&["check", "alarm.c"]);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let printed = String::from_utf8(ended.stdout).unwrap();
    assert!(
        printed.contains("breaks what has to hold: alarm + ok <= 1"),
        "{printed}"
    );
}

#[test]
fn invariants_that_never_held_are_told() {
    let config = "[[invariant]]\nexpr = \"count > 5\"\nat = \"exit\"\n";
    let folder = Folder::new(&[("saved.c", SAVED), ("brownout.toml", config)]);
    let ended = folder.brownout(&["check", "saved.c"]);
    assert_eq!(ended.status, Some(2));
    assert!(
        ended
            .stderr
            .contains("error: count > 5 does not hold, even without a power failure\n"),
        "{}",
        ended.stderr
    );
}

#[test]
fn invariants_about_nothing_are_refused() {
    let cases = [
        (
            "count >",
            "brownout.toml:2:8: `invariant.expr`: `count >` ends where a variable or a number should be",
        ),
        (
            "cuont > 1",
            "brownout.toml:2:8: `invariant.expr`: `cuont` is wrong: no such variable in memory",
        ),
        (
            "count.x > 1",
            "brownout.toml:2:8: `invariant.expr`: `count.x` is wrong: what stands before the last `.` or `[` has no parts",
        ),
    ];
    for (text, message) in cases {
        let config = format!("[[invariant]]\nexpr = \"{text}\"\n");
        let folder = Folder::new(&[("count.c", COUNT), ("brownout.toml", &config)]);
        let (_, told) = folder.ran(2, &["count.c"]);
        assert!(told.contains(message), "{told}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = Folder::new(&[("count.c", COUNT), ("bad.csv", "time\n0\n")]);
    folder.refused(
        &["--fail-at", "count.c:2", "count.c"],
        "`--fail-at count.c:2`: there is no code\nhelp: the nearest lines with code: 8, 9",
    );
    folder.refused(
        &["--fail-at", "other.c:2", "count.c"],
        "`--fail-at other.c:2`: there is no code",
    );
    folder.refused(
        &["--power", "bad.csv", "count.c"],
        "nothing says what energy the device has: `[energy]` is missing",
    );
    let energy = Folder::new(&[
        ("count.c", COUNT),
        ("bad.csv", "time\n0\n"),
        ("brownout.toml", ENERGY),
    ]);
    energy.refused(
        &["--power", "bad.csv", "count.c"],
        "bad.csv: the first line must name the columns: `time`, and `voltage` or `power`",
    );
    for arguments in [
        ["--schedule", "never", "count.c"],
        ["--fail-at", "count.c", "count.c"],
        ["--fail-at", "count.c:0", "count.c"],
        ["--fail-after", "x", "count.c"],
    ] {
        let (_, told) = folder.ran(2, &arguments);
        assert!(told.starts_with("error: invalid value"), "{told}");
    }
}

#[test]
fn a_replay_becomes_a_test() {
    let folder = Folder::new(&[("count.c", COUNT), ("alarm.c", ALARM)]);
    let finding = |file: &str| {
        let ended = folder.brownout(&["check", "--format", "json", file]);
        let document: Value = serde_json::from_slice(&ended.stdout).unwrap();
        let findings = document["findings"].as_array().unwrap().iter();
        let mut ids = findings.filter_map(|finding| Some(finding["replay"].as_str()?.to_owned()));
        ids.next().unwrap()
    };
    for (file, repaired) in [
        ("count.c", SAVED.to_owned()),
        // The reading is committed before it is used.
        (
            "alarm.c",
            ALARM.replace(
                "int t = read_temp();",
                "int t = read_temp(); brownout_checkpoint();",
            ),
        ),
    ] {
        let id = finding(file);
        let ended = folder.brownout(&["replay", &id, "--export", "test.toml", file]);
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let (told, _) = folder.ran(1, &["test.toml"]);
        assert!(
            told.starts_with(&format!("test.toml: fails, power failure {id}\n  it ")),
            "{told}"
        );
        // The bug moves, and is still found.
        let program = if file == "count.c" { COUNT } else { ALARM };
        let moved = program.replace("    return 0;", "    return count_nothing();").replace(
            "int main(void)\n{\n    brownout_checkpoint();\n",
            "int nothing;\nint count_nothing(void) { return nothing; }\nint main(void)\n{\n    brownout_checkpoint();\n    for (int i = 0; i < 7; i++) nothing = 0;\n",
        );
        folder.0.file(file, &moved).unwrap();
        let (told, _) = folder.ran(1, &["test.toml"]);
        assert!(told.contains("test.toml: fails"), "{told}");
        folder.0.file(file, &repaired).unwrap();
        let (told, _) = folder.ran(0, &["test.toml"]);
        assert!(told.starts_with("test.toml: passes, "), "{told}");
        assert_eq!(folder.json(0, &["test.toml"])["passed"], true);
    }
}

#[test]
fn tests_that_make_no_sense_are_refused() {
    let cases = [
        ("", "has no section `[replay]`"),
        ("[replay]\nid = 3\n", "`id` must be a text"),
        ("[replay]\nid = \"c1:f2\"\n", "needs `id` and `inputs`"),
        ("[replay]\nids = \"c1:f2\"\n", "there is no key `ids`"),
    ];
    for (text, message) in cases {
        let folder = Folder::new(&[("test.toml", text)]);
        folder.refused(&["test.toml"], &format!("test.toml: {message}"));
    }
    let folder = Folder::new(&[("count.c", SAVED)]);
    let ended = folder.brownout(&["replay", "c1:f2", "--export", "test.toml", "count.c"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("does no harm"), "{}", ended.stderr);
}
