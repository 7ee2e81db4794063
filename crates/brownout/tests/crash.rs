//! `brownout crash`: the examples, what a user reads, and what ends with which exit code.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "crash/parts.rs"]
mod parts;
#[path = "crash/told.rs"]
mod told;
#[path = "crash/ways.rs"]
mod ways;

use std::path::{Path, PathBuf};
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, Tool, execute};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(240);

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(arguments.to_vec());
    execute(command.current_dir(folder), LIMIT).unwrap()
}

fn document(folder: &Path, status: i32, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    let ended = run(folder, &arguments);
    assert_eq!(
        ended.status,
        Some(status),
        "{arguments:?}: {}",
        ended.stderr
    );
    serde_json::from_slice(&ended.stdout).unwrap()
}

/// A program and its configuration in a folder of their own.
fn scratch(program: &str, config: &str) -> Scratch {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("store.c", program).unwrap();
    scratch.file("brownout.toml", config).unwrap();
    scratch
}

const EXAMPLES: [(&str, u64); 4] = [
    ("bootloader/{}/boot.c", 2),
    ("keyvalue/{}/store.c", 1),
    ("eeprom/{}/eeprom.c", 2),
    ("journal/{}/fs.c", 1),
];

#[test]
fn examples_break_as_found_and_hold_repaired() {
    let folder = project("examples");
    for (path, failures) in EXAMPLES {
        let found = document(&folder, 1, &["crash", &path.replace("{}", "as-found")]);
        let first = &found["findings"][0];
        assert_eq!(first["rule"], "crash-consistency", "{path}");
        let count = first["failures"].as_array().unwrap().len() as u64;
        assert_eq!(count, failures, "{path}");
        let repaired = document(&folder, 0, &["crash", &path.replace("{}", "repaired")]);
        assert_eq!(repaired["coverage"]["complete"], true, "{path}");
        assert_eq!(repaired["coverage"]["left"], 0, "{path}");
    }
}

#[test]
fn an_id_leads_to_what_it_was_given_for() {
    let folder = project("examples");
    let program = "bootloader/as-found/boot.c";
    let found = document(&folder, 1, &["crash", program]);
    let id = found["findings"][0]["replay"].as_str().unwrap();
    let ended = run(&folder, &["replay", id, program]);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(told.contains("boot 3\n"), "{told}");
    assert!(
        told.contains("`assert(flash[SLOT1] == OLD)` does not hold"),
        "{told}"
    );
    assert_eq!(
        run(&folder, &["replay", "b1.op9999", program]).status,
        Some(2)
    );
    // The first failure alone does no harm.
    let alone = id.split('/').next().unwrap();
    assert_eq!(run(&folder, &["replay", alone, program]).status, Some(0));
}

#[test]
fn threads_and_pruning_change_nothing() {
    let folder = project("examples");
    let program = "eeprom/as-found/eeprom.c";
    let one = document(&folder, 1, &["crash", program, "--jobs", "1"]);
    let two = document(&folder, 1, &["crash", program, "--jobs", "2"]);
    assert_eq!(one["findings"], two["findings"]);
    assert_eq!(one["coverage"], two["coverage"]);
    let plain = document(&folder, 1, &["crash", program, "--no-memo"]);
    assert_eq!(one["findings"], plain["findings"]);
    assert_eq!(one["coverage"]["states"], plain["coverage"]["states"]);
}

/// As block devices of file systems are: functions in a structure, blocks and offsets.
const DEVICE: &str = "\
#include <assert.h>
#include <stdint.h>
#include <string.h>
struct config {
    int (*read)(const struct config *c, uint32_t block, uint32_t off, void *buffer, uint32_t size);
    int (*prog)(const struct config *c, uint32_t block, uint32_t off, const void *buffer, uint32_t size);
    int (*erase)(const struct config *c, uint32_t block);
};
static uint8_t disk[4 * 128];
static int bd_read(const struct config *c, uint32_t block, uint32_t off, void *buffer, uint32_t size) { memcpy(buffer, disk + 999, 1); return -5; }
static int bd_prog(const struct config *c, uint32_t block, uint32_t off, const void *buffer, uint32_t size) { return -5; }
static int bd_erase(const struct config *c, uint32_t block) { return -5; }
static const struct config config = { bd_read, bd_prog, bd_erase };
int main(void)
{
    const struct config *c = &config;
    uint8_t head[16], data[16];
    assert(c->read(c, 1, 16, head, 16) == 0);
    assert(c->read(c, 2, 0, data, 16) == 0);
    if (head[0] == 1)
        assert(data[15] == 7);
    assert(c->erase(c, 1) == 0 && c->erase(c, 2) == 0);
    memset(data, 7, 16);
    memset(head, 1, 16);
    assert(c->FIRST == 0);
    assert(c->SECOND == 0);
    return 0;
}
";

const CONFIG: &str = "\
target = 'x86_64'
[[flash]]
object = 'disk'
erase-block = 128
program-unit = 8
program-function = { name = 'bd_prog', address = 'arg1 * 128 + arg2', data = 'arg3', length = 'arg4' }
read-function = { name = 'bd_read', address = 'arg1 * 128 + arg2', data = 'arg3', length = 'arg4' }
erase-function = { name = 'bd_erase', address = 'arg1 * 128' }
";

#[test]
fn block_devices_are_called_through_pointers() {
    let head = "prog(c, 1, 16, head, 16)";
    let data = "prog(c, 2, 0, data, 16)";
    for (status, first, second) in [(1, head, data), (0, data, head)] {
        let program = DEVICE.replace("FIRST", first).replace("SECOND", second);
        let scratch = scratch(&program, CONFIG);
        let found = document(
            scratch.path(),
            status,
            &["crash", "store.c", "--failures", "all"],
        );
        assert_eq!(found["coverage"]["closed"], true);
    }
}

#[test]
fn optimisation_changes_no_verdict() {
    let folder = project("examples");
    for (path, _) in EXAMPLES {
        for (version, status) in [("as-found", 1), ("repaired", 0)] {
            let program = path.replace("{}", version);
            let ended = run(&folder, &["crash", &program, "--", "-O1"]);
            assert_eq!(ended.status, Some(status), "{program}: {}", ended.stderr);
        }
    }
}

/// What the compiler takes for known is not there to be explored, and that is said.
#[test]
fn a_part_that_is_optimised_away_is_noticed() {
    let program = "\
#include <assert.h>
#include <stdint.h>
static uint8_t disk[4 * 128];
void bd_prog(uint32_t, uint32_t, uint32_t, const void *, uint32_t);
int main(void)
{
    if (disk[0] != '0')
        bd_prog(0, 0, 0, \"0123456\", 8);
    assert(disk[0] == '0');
    return 0;
}
";
    let line = CONFIG
        .lines()
        .filter(|line| !line.starts_with("read") && !line.starts_with("erase-f"));
    let config: Vec<&str> = line.collect();
    let scratch = scratch(program, &config.join("\n"));
    assert_eq!(run(scratch.path(), &["crash", "store.c"]).status, Some(0));
    let ended = run(scratch.path(), &["crash", "store.c", "--", "-O1"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("disk"), "{}", ended.stderr);
}

#[test]
fn what_was_not_explored_is_not_fine() {
    let nothing = scratch(
        "#include <brownout.h>\nBROWNOUT_NV int x;\nint main(void) { return x; }\n",
        "",
    );
    let ended = run(nothing.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(2));
    assert!(
        ended.stderr.contains("there was no power failure to try"),
        "{}",
        ended.stderr
    );
    let endless = scratch(
        "#include <brownout.h>\nBROWNOUT_NV int x;\nint main(void) { for (;;) x++; }\n",
        "",
    );
    let ended = run(
        endless.path(),
        &["crash", "store.c", "--max-instructions", "100000"],
    );
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("explore.until"), "{}", ended.stderr);
    let counter = scratch(
        "#include <brownout.h>\nBROWNOUT_NV long x;\nint main(void) { x++; return 0; }\n",
        "[explore]\nfailures = 'all'\n",
    );
    let document = document(
        counter.path(),
        2,
        &["crash", "store.c", "--time-limit", "1"],
    );
    assert_eq!(document["coverage"]["complete"], false);
    assert!(document["coverage"]["left"].as_u64().unwrap() > 0);
}

#[test]
fn boots_are_held_against_the_undisturbed_one() {
    let head = "#include <brownout.h>\n#include <stdlib.h>\nBROWNOUT_NV int half, whole;\n";
    let cases = [
        // A boot that never ends, and one that ends in the loop in which all of them do.
        (
            "int main(void) { if (half != whole) for (;;); half++; whole++; return 0; }",
            1,
            "endless-boot",
        ),
        (
            "int main(void) { if (half != whole) whole = half; if (half < 3) { half++; whole++; } for (;;); }",
            0,
            "",
        ),
        (
            "int main(void) { if (half != whole) exit(3); half++; whole++; return 0; }",
            1,
            "exit-status",
        ),
        (
            "int main(void) { if (half != whole) abort(); half++; whole++; return 0; }",
            1,
            "abort",
        ),
        (
            "int main(void) { if (half != whole) *(volatile int *)0 = 1; half++; whole++; return 0; }",
            1,
            "null-pointer",
        ),
    ];
    for (body, status, name) in cases {
        let scratch = scratch(&format!("{head}{body}\n"), "");
        let found = document(
            scratch.path(),
            status,
            &["crash", "store.c", "--failures", "1"],
        );
        if status == 1 {
            assert_eq!(found["findings"][0]["assertion"]["name"], name, "{body}");
        }
    }
}

#[test]
fn failures_begin_and_boots_end_where_the_scenario_says() {
    let program = "\
#include <assert.h>
#include <brownout.h>
BROWNOUT_NV int formatted, count;
int main(void)
{
    if (!formatted) {
        count = 7;
        formatted = 1;
    } else {
        assert(count >= 8);
    }
    count++;
    if (count > 9)
        count = 9;
    for (;;)
        count ^= 64;
}
";
    let until = "[explore]\nuntil = 'store.c:16'\n";
    let all = scratch(program, until);
    assert_eq!(run(all.path(), &["crash", "store.c"]).status, Some(1));
    let later = scratch(program, &format!("{until}from = 'store.c:13'\n"));
    let ended = run(later.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let nowhere = scratch(program, "[explore]\nuntil = 'store.c:2'\n");
    assert_eq!(run(nowhere.path(), &["crash", "store.c"]).status, Some(2));
}

/// A boot that dies because flash is not erased has looked at what is there: a state in which it is erased
/// boots otherwise.
#[test]
fn what_programming_finds_decides_a_boot() {
    let program = r"
        #include <assert.h>
        #include <brownout.h>
        unsigned char flash[512];
        BROWNOUT_GHOST unsigned begun;
        void program(unsigned at, const void *data, unsigned length);
        int main(void) {
            unsigned start = begun;
            unsigned long one = 1;
            if (begun < 2) begun++;
            program(128, &one, 4);
            assert(start < 1);
            return 0;
        }";
    let config = r#"
        [[flash]]
        object = "flash"
        erase-block = 128
        program-unit = 4
        program-function = { name = "program", address = "arg0", data = "arg1", length = "arg2" }
        "#;
    let scratch = scratch(program, config);
    let arguments = ["crash", "store.c", "--failures", "2"];
    let found = document(scratch.path(), 1, &arguments);
    let findings = found["findings"].as_array().unwrap();
    let titles: Vec<&str> = findings
        .iter()
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert!(
        titles
            .iter()
            .any(|title| title.contains("assert(start < 1)")),
        "{titles:?}"
    );
    for finding in findings {
        let id = finding["replay"].as_str().unwrap();
        let ended = run(scratch.path(), &["replay", id, "store.c"]);
        assert_eq!(ended.status, Some(1), "{id}: {}", ended.stderr);
    }
}

#[test]
fn an_exported_test_fails_while_the_bug_exists() {
    let found = std::fs::read_to_string(project("examples/journal/as-found/fs.c")).unwrap();
    let repaired = std::fs::read_to_string(project("examples/journal/repaired/fs.c")).unwrap();
    let scratch = scratch(&found, "");
    let ended = run(
        scratch.path(),
        &["crash", "store.c", "--export", "test.toml"],
    );
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    assert_eq!(run(scratch.path(), &["run", "test.toml"]).status, Some(1));
    scratch.file("store.c", &repaired).unwrap();
    assert_eq!(run(scratch.path(), &["run", "test.toml"]).status, Some(0));
    // The failure has moved, and the bug is still there.
    let moved = found.replace(
        "    replay();\n    assert",
        "    disk.entries[0].file = 0;\n    replay();\n    assert",
    );
    assert_ne!(moved, found);
    scratch.file("store.c", &moved).unwrap();
    assert_eq!(run(scratch.path(), &["run", "test.toml"]).status, Some(1));
}

#[test]
fn every_format_is_printed() {
    let folder = project("examples");
    let program = "journal/as-found/fs.c";
    for format in ["human", "concise", "json", "sarif", "html"] {
        let ended = run(&folder, &["crash", program, "--format", format]);
        assert_eq!(ended.status, Some(1), "{format}: {}", ended.stderr);
        let text = String::from_utf8(ended.stdout).unwrap();
        assert!(text.contains("crash-consistency"), "{format}: {text}");
    }
}
