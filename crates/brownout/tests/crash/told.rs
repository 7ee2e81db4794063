//! What a user reads and can say: names instead of addresses, functions that are never called, settings
//! of parts, the end by a signal, a program that breaks by itself, and boots that never end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{document, project, run, scratch};

/// A log that reuses a slot that is half programmed.
const LOG: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
#include <string.h>
uint8_t disk[1024];
BROWNOUT_GHOST uint32_t saved;
void hal_program(uint32_t, const void *, uint32_t);
void hal_erase(uint32_t);
static uint32_t word(uint32_t at) { uint32_t value; memcpy(&value, disk + at, 4); return value; }
int main(void)
{
    uint32_t at = 256, last = 0;
    while (word(at + 4) == ~word(at))
        last = word(at), at += 8;
    assert(last >= saved);
    while (last < 4) {
        uint32_t record[2] = { last + 1, ~(last + 1) };
        hal_program(at, record, 8);
        saved = ++last;
        at += 8;
    }
    return 0;
}
";

const PART: &str = "\
target = 'riscv32'
[[flash]]
object = 'disk'
erase-block = 256
program-unit = 4
program-function = { name = 'hal_program', address = 'arg0', data = 'arg1', length = 'arg2' }
erase-function = { name = 'hal_erase', address = 'arg0' }
";

#[test]
fn findings_name_objects_instead_of_addresses() {
    let scratch = scratch(LOG, PART);
    let ended = run(scratch.path(), &["crash", "store.c", "--failures", "1"]);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(
        told.contains(
            "1 power failure leads to flash program at `disk+0x100`, where it is not erased"
        ),
        "{told}"
    );
    assert!(!told.contains("at address"), "{told}");
    // What runs over the end is told from the start of the part.
    let over = LOG.replace("hal_program(at,", "hal_program(at + 764,");
    scratch.file("store.c", over).unwrap();
    let ended = run(scratch.path(), &["crash", "store.c"]);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(told.contains("`disk+0x3fc`, outside of the part"), "{told}");
}

/// The log never erases: its driver can, which is no mistake. A slip of the pen is one.
#[test]
fn a_function_that_is_never_called_is_a_note() {
    let scratch = scratch(LOG, PART);
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert!(
        ended
            .stderr
            .contains("`flash.erase-function` names `hal_erase`, which the program never calls"),
        "{}",
        ended.stderr
    );
    let slip = PART.replace("'hal_erase'", "'mian'");
    scratch.file("brownout.toml", slip).unwrap();
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    let slip = PART
        .replace("'hal_program'", "'write_flash'")
        .replace("'hal_erase'", "'erase_flash'");
    scratch.file("brownout.toml", slip).unwrap();
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("the program has no such function"),
        "{}",
        ended.stderr
    );
}

#[test]
fn keys_of_parts_are_set_on_the_command_line() {
    let scratch = scratch(LOG, PART);
    let all = ["crash", "store.c", "--failures", "1"];
    assert_eq!(run(scratch.path(), &all).status, Some(1));
    let whole = [&all[..], &["--set", "flash.tear=none"]].concat();
    assert_eq!(run(scratch.path(), &whole).status, Some(0));
    let allowed = [&all[..], &["--set", "flash.reprogram=allow"]].concat();
    let found = document(scratch.path(), 0, &allowed);
    assert_eq!(found["coverage"]["complete"], true);
    for (setting, told) in [
        ("flash.taer=none", "tear"),
        ("flash.tear=half", "half"),
        ("flash=none", "a list of tables"),
    ] {
        let ended = run(scratch.path(), &["crash", "store.c", "--set", setting]);
        assert_eq!(ended.status, Some(2), "{setting}: {}", ended.stderr);
        assert!(ended.stderr.contains(told), "{setting}: {}", ended.stderr);
    }
    // There is nothing to set without a part.
    scratch
        .file("brownout.toml", "target = 'riscv32'\n")
        .unwrap();
    let ended = run(
        scratch.path(),
        &["crash", "store.c", "--set", "flash.tear=none"],
    );
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
}

/// A block whose header is good although what follows is erased already: it has to be given up before it
/// is erased.
const HEADER: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
uint32_t flash[128];
BROWNOUT_GHOST uint32_t saved;
int main(void)
{
    uint32_t header = 0x600d, zero = 0, value = 7;
    if (flash[0] != header) {
        brownout_flash_erase(flash, 256);
        brownout_flash_program(flash + 60, &value, 4);
        brownout_flash_program(flash, &header, 4);
    }
    assert(flash[60] == value);
    GIVE_UP
    brownout_flash_erase(flash, 256);
    return 0;
}
";

#[test]
fn the_end_of_a_block_may_be_erased_before_its_beginning() {
    let part = "target = 'riscv32'\n[[flash]]\nobject = 'flash'\nerase-block = 256\n\
                program-unit = 4\nreprogram = 'allow'\nerase-tear = 'garbage'\n";
    let given_up = "brownout_flash_program(flash, &zero, 4);";
    for (give_up, status) in [(given_up, 0), ("", 1)] {
        let scratch = scratch(&HEADER.replace("GIVE_UP", give_up), part);
        let ended = run(scratch.path(), &["crash", "store.c"]);
        assert_eq!(ended.status, Some(status), "{}", ended.stderr);
        let told = String::from_utf8(ended.stdout).unwrap();
        let says = told.contains("inside erase 4 of boot 1, its last three quarters erased");
        assert_eq!(says, status == 1, "{told}");
        let prefix = ["crash", "store.c", "--set", "flash.erase-tear=prefix"];
        assert_eq!(run(scratch.path(), &prefix).status, Some(0));
    }
}

/// Schedulers send this signal before they end a job.
#[test]
fn what_was_found_is_told_when_somebody_ends_it() {
    let program = "\
#include <brownout.h>
#include <stdlib.h>
BROWNOUT_NV volatile long long x, y;
int main(void) { if (x == 3 && y != 3) abort(); x++; y = x; return 0; }
";
    let scratch = scratch(program, "target = 'riscv32'\n");
    let child = Command::new(env!("CARGO_BIN_EXE_brownout"))
        .args(["crash", "store.c", "--failures", "all", "--format", "json"])
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let begun = Instant::now();
    // Some send it to the process and then to its group.
    let number = child.id().to_string();
    let kill = Command::new("kill").args([&number, &number]).status();
    assert!(kill.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let told: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(told["findings"][0]["assertion"]["name"], "abort");
    assert_eq!(told["coverage"]["complete"], false);
    assert!(told["coverage"]["left"].as_u64().unwrap() > 0);
}

/// It breaks when it is booted for the first time, and never again.
#[test]
fn a_program_that_breaks_by_itself_is_told_as_such() {
    let program = "\
#include <assert.h>
#include <brownout.h>
BROWNOUT_NV volatile int begun, sum;
int main(void)
{
    if (!begun) {
        begun = 1;
        assert(sum == 1);
    }
    return 0;
}
";
    let scratch = scratch(program, "target = 'riscv32'\n");
    let found = document(scratch.path(), 1, &["crash", "store.c"]);
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{found}");
    assert_eq!(findings[0]["replay"], "b1");
    let ended = run(scratch.path(), &["crash", "store.c"]);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(
        told.contains("`assert(sum == 1)` does not hold, even without a power failure"),
        "{told}"
    );
    assert!(
        ended.stderr.contains("breaks without any power failure"),
        "{}",
        ended.stderr
    );
}

/// A main loop that polls an input and prints: every boot settles in it.
#[test]
fn a_loop_that_talks_to_the_world_is_where_boots_settle() {
    let program = "\
#include <brownout.h>
#include <stdio.h>
int sensor(void);
BROWNOUT_NV volatile int half, whole;
int main(void)
{
    if (half != whole)
        RECOVER
    half = 7;
    whole = 7;
    for (;;)
        printf(\"%d\\n\", sensor());
}
";
    let endless = "for (;;) printf(\"?%d\\n\", sensor());";
    // Also one that gives several values, over and over.
    for values in ["constant = 4", "values = [3, 1, 4, 1, 5]"] {
        let config = format!("target = 'riscv32'\n[[input]]\nfunction = 'sensor'\n{values}\n");
        for (recover, status) in [("whole = half;", 0), (endless, 1)] {
            let scratch = scratch(&program.replace("RECOVER", recover), &config);
            let found = document(scratch.path(), status, &["crash", "store.c"]);
            assert_eq!(found["coverage"]["complete"], true, "{values}: {found}");
            if status == 1 {
                assert_eq!(found["findings"][0]["assertion"]["name"], "endless-boot");
            }
        }
    }
}

/// A boot without end that counts: all that it leaves is booted, and nobody keeps it all.
#[test]
fn a_boot_that_counts_for_ever_takes_little_memory() {
    let program = "\
#include <brownout.h>
#include <stdint.h>
BROWNOUT_NV volatile uint8_t flag, done;
BROWNOUT_NV volatile uint8_t n;
int main(void)
{
    if (flag == 1 && !done)
        for (;;)
            n++;
    flag = 1;
    done = 1;
    return 0;
}
";
    let scratch = scratch(program, "target = 'riscv32'\n");
    let arguments = ["crash", "store.c", "--memory-limit", "160M"];
    let found = document(scratch.path(), 1, &arguments);
    assert_eq!(found["findings"][0]["assertion"]["name"], "endless-boot");
    assert_eq!(found["coverage"]["states"], 258);
    assert_eq!(found["coverage"]["complete"], true);
}

/// The judge that needs no assertion says when it found something first, too.
#[test]
fn half_done_operations_have_a_first_violation() {
    let program = "\
#include <brownout.h>
#include <stdio.h>
BROWNOUT_NV volatile unsigned a, b;
static void put(unsigned value) { a = value; b = value; }
int main(void) { printf(\"%u %u\\n\", a, b); put(5); return 0; }
";
    let scratch = scratch(program, "target = 'riscv32'\n");
    let found = document(
        scratch.path(),
        1,
        &["crash", "store.c", "--oracle", "atomic"],
    );
    // The first boot, the state inside and the state after.
    assert_eq!(found["coverage"]["first_violation"], 3, "{found}");
}

/// Boots with their operations, in the formats of code scanning and of browsers.
#[test]
fn reports_tell_boot_by_boot() {
    let folder = project("examples");
    let program = "bootloader/as-found/boot.c";
    let ended = run(&folder, &["crash", program, "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let flow = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = flow.as_array().unwrap();
    let texts: Vec<&str> = steps
        .iter()
        .map(|step| step["location"]["message"]["text"].as_str().unwrap())
        .collect();
    let told = |wanted: &str| texts.iter().any(|text| text.contains(wanted));
    assert!(told("boot 1: power fails inside"), "{texts:?}");
    assert!(told("boot 2: power fails"), "{texts:?}");
    assert!(
        told("boot 3: `assert(") && told("does not hold"),
        "{texts:?}"
    );
    for step in steps {
        let location = &step["location"]["physicalLocation"];
        assert!(location["region"]["startLine"].is_u64(), "{step}");
    }
    let ended = run(&folder, &["crash", program, "--format", "html"]);
    let page = String::from_utf8(ended.stdout).unwrap();
    assert!(page.contains("flash before the boot"), "no picture");
    assert!(page.contains("main &gt; "), "no calls");
    assert!(!page.contains("without a checkpoint"), "one execution");
}
