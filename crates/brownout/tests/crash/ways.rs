//! Workloads, the judge that needs no assertions, shards, schedules, chains of programs, parts that
//! reorder, and what goes to a file.

use std::path::Path;
use std::process::Command;

use super::{document, project, run, scratch};

/// A store with the operations of public libraries: a descriptor, and functions in a structure.
const DRIVER: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
#include <string.h>
struct geometry { uint32_t sector, sectors; };
struct flash_dev { const struct driver *driver; uint32_t base; struct geometry *geometry; };
struct driver {
    int (*read)(const struct flash_dev *, uint32_t, void *, uint32_t);
    int (*program)(const struct flash_dev *, uint32_t, const void *, uint32_t);
    int (*erase)(const struct flash_dev *, uint32_t);
};
struct other { char name[6]; uint32_t base; };
struct other unrelated = { \"other\", 7 };
int drv_read(const struct flash_dev *, uint32_t, void *, uint32_t);
int drv_program(const struct flash_dev *, uint32_t, const void *, uint32_t);
int drv_erase(const struct flash_dev *, uint32_t);
static const struct driver driver = { drv_read, drv_program, drv_erase };
static struct geometry geometry = { 128, 2 };
static struct flash_dev dev = { &driver, 256, &geometry };
uint8_t part[512];
BROWNOUT_GHOST uint32_t saved;
struct record { uint32_t number, check; };
static int load(uint32_t slot, struct record *record)
{
    assert(dev.driver->read(&dev, slot * 128, record, sizeof *record) == 0);
    return record->check == ~record->number;
}
int main(void)
{
    struct record a, b;
    uint32_t one = load(0, &a) ? a.number : 0, two = load(1, &b) ? b.number : 0;
    uint32_t last = one > two ? one : two;
    assert(part[0] == 0xff && last >= saved);
    while (last < 4) {
        struct record next = { last + 1, ~(last + 1) };
        uint32_t slot = SLOT;
        assert(dev.driver->erase(&dev, slot) == 0);
        assert(dev.driver->program(&dev, slot * 128, &next, sizeof next) == 0);
        saved = ++last;
        one = slot == 0 ? last : one;
        two = slot == 1 ? last : two;
    }
    return 0;
}
";

const DRIVER_CONFIG: &str = "\
target = 'riscv32'
[[flash]]
object = 'part'
erase-block = 128
program-unit = 4
program-function = { name = 'drv_program', address = 'arg0->flash_dev::base + arg1', data = 'arg2', length = 'arg3' }
read-function = { name = 'drv_read', address = 'arg0->flash_dev::base + arg1', data = 'arg2', length = 'arg3' }
erase-function = { name = 'drv_erase', address = 'arg0->flash_dev::base + arg1 * arg0->geometry->sector', length = 'arg0->geometry->sector' }
";

#[test]
fn addresses_are_made_of_what_arguments_point_to() {
    let right = DRIVER.replace("SLOT", "one > two");
    for (program, status) in [(right.clone(), 0), (DRIVER.replace("SLOT", "0"), 1)] {
        let scratch = scratch(&program, DRIVER_CONFIG);
        for level in ["-O0", "-O1"] {
            let ended = run(scratch.path(), &["crash", "store.c", "--", level]);
            assert_eq!(ended.status, Some(status), "{level}: {}", ended.stderr);
        }
    }
    let ambiguous = scratch(&right, &DRIVER_CONFIG.replace("flash_dev::", ""));
    let ended = run(ambiguous.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(2));
    assert!(
        ended.stderr.contains("in several structures"),
        "{}",
        ended.stderr
    );
    let unknown = scratch(&right, &DRIVER_CONFIG.replace("sector'", "sectr'"));
    let ended = run(unknown.path(), &["crash", "store.c"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("sectr"), "{}", ended.stderr);
}

/// Deleting twice in a row and then adding is what goes wrong.
const WORKLOAD: &str = "\
#include <assert.h>
#include <brownout.h>
int next_operation(void);
BROWNOUT_NV volatile int count, shadow;
BROWNOUT_GHOST int done;
int main(void)
{
    int operations[3];
    for (int i = 0; i < 3; i++)
        operations[i] = next_operation();
    if (shadow != count)
        shadow = count;
    assert(count >= -1);
    for (; done < 3; done++) {
        if (operations[done] == 1)
            count = count + 1;
        if (operations[done] == 2)
            count = count - 1;
        shadow = count;
    }
    return 0;
}
";

#[test]
fn workloads_are_all_combinations_and_findings_name_theirs() {
    let config = "target = 'riscv32'\n[[input]]\nfunction = 'next_operation'\nvalues = [0, 1, 2]\n";
    let scratch = scratch(WORKLOAD, config);
    // The values in their order: nothing goes wrong.
    let once = ["crash", "store.c", "--failures", "1"];
    let plain = document(scratch.path(), 0, &once);
    assert_eq!(plain["coverage"]["workloads"], serde_json::Value::Null);
    let arguments = ["crash", "store.c", "--workload", "3", "--failures", "1"];
    let found = document(scratch.path(), 1, &arguments);
    assert_eq!(found["coverage"]["workloads"], 27);
    let first = &found["findings"][0];
    let workload = &first["workload"][0];
    assert_eq!(workload["input"], "next_operation");
    // Undone twice more by the failures: from -2 on it is broken.
    let values: Vec<i64> = serde_json::from_value(workload["values"].clone()).unwrap();
    assert!(
        values.iter().filter(|&&value| value == 2).count() >= 1,
        "{values:?}"
    );
    let id = first["replay"].as_str().unwrap();
    assert!(id.starts_with('w'), "{id}");
    let ended = run(
        scratch.path(),
        &["replay", id, "store.c", "--set", "explore.workload=3"],
    );
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(
        told.starts_with("workload: `next_operation` gives"),
        "{told}"
    );
    let ended = run(scratch.path(), &arguments);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(
        told.contains("= workload: `next_operation` gives"),
        "{told}"
    );
    assert!(
        ended.stderr.contains("checked: 27 workloads"),
        "{}",
        ended.stderr
    );
    let nothing = super::scratch(
        WORKLOAD,
        "[[input]]\nfunction = 'next_operation'\nconstant = 1\n",
    );
    let ended = run(nothing.path(), &["crash", "store.c", "--workload", "2"]);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
}

/// Two words that change together, or one after the other.
const PAIR: &str = "\
#include <brownout.h>
#include <stdio.h>
BROWNOUT_NV volatile unsigned a[2], b[2], which;
static void put(unsigned value)
{
    unsigned next = NEXT;
    a[next] = value;
    b[next] = value;
    which = next;
}
int main(void)
{
    printf(\"%u %u\\n\", a[which], b[which]);
    put(5);
    put(6);
    return 0;
}
";

#[test]
fn operations_are_done_or_not_done() {
    let config = "target = 'riscv32'\n";
    let atomic = ["crash", "store.c", "--oracle", "atomic"];
    let half = scratch(&PAIR.replace("NEXT", "0"), config);
    assert_eq!(run(half.path(), &["crash", "store.c"]).status, Some(0));
    let found = document(half.path(), 1, &atomic);
    let first = &found["findings"][0];
    assert_eq!(first["assertion"]["name"], "not-atomic");
    let text = first["assertion"]["text"].as_str().unwrap();
    assert!(
        text.contains("`put` half done") && text.contains("`5 0`"),
        "{text}"
    );
    let id = first["replay"].as_str().unwrap();
    let replay = ["replay", id, "store.c", "--set", "explore.oracle=atomic"];
    let ended = run(half.path(), &replay);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let whole = scratch(&PAIR.replace("NEXT", "!which"), config);
    let found = document(whole.path(), 0, &atomic);
    assert_eq!(found["coverage"]["complete"], true);
    // Both calls as one operation: between them it is half done.
    let both = PAIR
        .replace("NEXT", "!which")
        .replace("    put(5);\n    put(6);\n", "    work();\n")
        .replace(
            "int main",
            "static void work(void) { put(5); put(6); }\nint main",
        );
    let both = scratch(&both, config);
    assert_eq!(run(both.path(), &atomic).status, Some(1));
    both.file(
        "brownout.toml",
        "target = 'riscv32'\n[explore]\noperations = ['put']\n",
    )
    .unwrap();
    assert_eq!(run(both.path(), &atomic).status, Some(0));
}

#[test]
fn shards_together_tell_what_one_run_tells() {
    let folder = project("examples");
    let program = "eeprom/as-found/eeprom.c";
    let store = scratch("", "");
    let store = store.path().to_str().unwrap();
    let whole = document(&folder, 1, &["crash", program]);
    for shard in ["1/3", "2/3", "3/3"] {
        let merge = run(&folder, &["crash", program, "--merge", "--store", store]);
        assert_eq!(merge.status, Some(2), "{}", merge.stderr);
        let ended = run(
            &folder,
            &["crash", program, "--shard", shard, "--store", store],
        );
        assert!(matches!(ended.status, Some(0 | 1)), "{}", ended.stderr);
    }
    let merged = document(&folder, 1, &["crash", program, "--merge", "--store", store]);
    assert_eq!(merged["findings"], whole["findings"]);
    for key in [
        "states", "booted", "left", "complete", "repeated", "closed", "deepest",
    ] {
        assert_eq!(merged["coverage"][key], whole["coverage"][key], "{key}");
    }
    let other = run(
        &folder,
        &[
            "crash",
            "eeprom/repaired/eeprom.c",
            "--merge",
            "--store",
            store,
        ],
    );
    assert_eq!(other.status, Some(2));
    assert!(other.stderr.contains("another program"), "{}", other.stderr);
}

/// What an operation is held against may belong to another shard.
#[test]
fn shards_judge_operations() {
    let scratch = scratch(&PAIR.replace("NEXT", "0"), "target = 'riscv32'\n");
    let plain = ["crash", "store.c", "--oracle", "atomic"];
    let whole = document(scratch.path(), 1, &plain);
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        let arguments = [&plain[..], &["--shard", shard, "--store", "states"]].concat();
        let ended = run(scratch.path(), &arguments);
        assert!(matches!(ended.status, Some(0 | 1)), "{}", ended.stderr);
    }
    let arguments = [&plain[..], &["--merge", "--store", "states"]].concat();
    let merged = document(scratch.path(), 1, &arguments);
    assert_eq!(merged["findings"], whole["findings"]);
    for key in ["states", "booted", "complete", "repeated", "closed"] {
        assert_eq!(merged["coverage"][key], whole["coverage"][key], "{key}");
    }
}

#[test]
fn shards_divide_workloads() {
    let config = "target = 'riscv32'\n[[input]]\nfunction = 'next_operation'\nvalues = [0, 1, 2]\n";
    let scratch = scratch(WORKLOAD, config);
    let plain = ["crash", "store.c", "--workload", "3", "--failures", "1"];
    let whole = document(scratch.path(), 1, &plain);
    let mut workloads = 0;
    for shard in ["1/3", "2/3", "3/3"] {
        let arguments = [&plain[..], &["--shard", shard, "--store", "states"]].concat();
        let arguments = [&arguments[..], &["--format", "json"]].concat();
        let ended = run(scratch.path(), &arguments);
        assert!(matches!(ended.status, Some(0 | 1)), "{}", ended.stderr);
        let part: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
        let share = part["coverage"]["workloads"].as_u64().unwrap();
        assert!((1..27).contains(&share), "{share}");
        workloads += share;
    }
    assert_eq!(workloads, 27);
    let arguments = [&plain[..], &["--merge", "--store", "states"]].concat();
    let merged = document(scratch.path(), 1, &arguments);
    assert_eq!(merged["findings"], whole["findings"]);
    for key in ["states", "booted", "complete", "workloads", "closed"] {
        assert_eq!(merged["coverage"][key], whole["coverage"][key], "{key}");
    }
}

/// Executes lines of the documentation, with this program and this tool.
fn shell(lines: &str, folder: &Path) {
    let tool = env!("CARGO_BIN_EXE_brownout");
    let lines = lines.replace("brownout crash", &format!("{tool} crash -q"));
    let ended = Command::new("sh")
        .args(["-e", "-c", &lines])
        .current_dir(folder)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{lines}: {told}");
}

/// A folder with a test of a store that holds, as the documentation calls it.
fn store_test() -> brownout_testkit::Scratch {
    let example = |name: &str| {
        let path = project("examples/eeprom/repaired").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let scratch = scratch("", &example("brownout.toml"));
    scratch.file("store_test.c", example("eeprom.c")).unwrap();
    scratch
}

#[test]
fn shards_run_as_the_documentation_says() {
    let page = std::fs::read_to_string(project("docs/crash.md")).unwrap();
    let (_, from) = page.split_once("```bash\n").unwrap();
    let (lines, _) = from.split_once("```").unwrap();
    let merge = lines.lines().find(|line| line.contains("--merge")).unwrap();
    for runner in ["xargs", "parallel"] {
        let line = lines.lines().find(|line| line.contains(runner)).unwrap();
        shell(&format!("{line}\n{merge}"), store_test().path());
    }
}

/// The steps of the matrix, one after the other.
#[test]
fn shards_run_as_the_matrix_says() {
    let file = std::fs::read_to_string(project("docs/examples/crash-shards.yml")).unwrap();
    let steps = file
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "));
    let steps: Vec<&str> = steps.filter(|step| step.starts_with("brownout")).collect();
    let &[shard, merge] = &steps[..] else {
        panic!("{steps:?}");
    };
    let shards = (1..=4).map(|number| shard.replace("${{ matrix.shard }}", &number.to_string()));
    let lines: Vec<String> = shards.chain([merge.to_owned()]).collect();
    shell(&lines.join("\n"), store_test().path());
}

#[test]
fn schedules_count_operations_and_tear_them() {
    let folder = project("examples");
    let found = "keyvalue/as-found/store.c";
    let repaired = "keyvalue/repaired/store.c";
    for schedule in ["linear", "log", "random:3"] {
        let ended = run(&folder, &["run", repaired, "--schedule", schedule]);
        assert_eq!(ended.status, Some(0), "{schedule}: {}", ended.stderr);
    }
    let ended = run(&folder, &["run", repaired, "--schedule", "linear"]);
    assert!(ended.stderr.contains("inside "), "{}", ended.stderr);
    let ended = run(&folder, &["run", found, "--schedule", "every-write"]);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let ended = run(&folder, &["run", repaired, "--schedule", "exhaustive:1"]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("up to 1 failure, complete"),
        "{}",
        ended.stderr
    );
    let nothing = "int main(void) { return 0; }\nunsigned char part[64];\n";
    let nothing = scratch(nothing, "[[flash]]\nobject = 'part'\n");
    for schedule in ["linear", "log", "random:1", "every-write", "exhaustive"] {
        let ended = run(nothing.path(), &["run", "store.c", "--schedule", schedule]);
        assert_eq!(ended.status, Some(2), "{schedule}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("no power failure to try"),
            "{}",
            ended.stderr
        );
    }
    // The same is said of memory without a part.
    let plain = scratch(
        "int x;\nint main(void) { return x; }\n",
        "memory.nonvolatile = ['globals']\n",
    );
    for schedule in ["linear", "every-write"] {
        let ended = run(plain.path(), &["run", "store.c", "--schedule", schedule]);
        assert_eq!(ended.status, Some(2), "{schedule}: {}", ended.stderr);
    }
}

const REORDERED: &str = "\
#include <assert.h>
#include <stdint.h>
uint8_t disk[256];
void prog(uint32_t, const void *, uint32_t);
void flush(void);
int main(void)
{
    if (disk[128] == 1)
        assert(disk[0] == 7);
    if (disk[0] == 0xff)
        prog(0, \"\\7\", 1);
    WAIT;
    if (disk[128] == 0xff)
        prog(128, \"\\1\", 1);
    return 0;
}
";

#[test]
fn operations_since_the_last_wait_can_be_missing() {
    let config = "[[flash]]\nobject = 'disk'\nerase-block = 64\nprogram-function = { name = 'prog' }\n\
                  sync-function = 'flush'\norder = 'until-sync'\n";
    let without = scratch(
        &REORDERED.replace("WAIT", "if (disk[255] == 5) flush()"),
        config,
    );
    let found = document(without.path(), 1, &["crash", "store.c"]);
    let first = &found["findings"][0];
    assert_eq!(first["failures"][0]["not_done"], serde_json::json!([1]));
    let id = first["replay"].as_str().unwrap();
    assert_eq!(id, "b1.op2~1");
    assert_eq!(
        run(without.path(), &["replay", id, "store.c"]).status,
        Some(1)
    );
    let with = scratch(&REORDERED.replace("WAIT", "flush()"), config);
    assert_eq!(run(with.path(), &["crash", "store.c"]).status, Some(0));
    let strict = config.replace("until-sync", "strict");
    let strict = scratch(
        &REORDERED.replace("WAIT", "if (disk[255] == 5) flush()"),
        &strict,
    );
    assert_eq!(run(strict.path(), &["crash", "store.c"]).status, Some(0));
}

#[test]
fn a_bootloader_starts_its_application() {
    let boot = "\
#include <stdint.h>
#include <brownout.h>
uint8_t flash[256];
BROWNOUT_GHOST int acknowledged;
void hal_program(uint32_t, const void *, uint32_t);
void jump(void) { __asm__ volatile(\"jmp elsewhere\"); }
static int count;
int main(void)
{
    count++;
    if (flash[0] == 0xff)
        hal_program(0, \"B\", 1);
    jump();
    return 9;
}
";
    let app = "\
#include <assert.h>
#include <stdint.h>
uint8_t flash[256];
extern int acknowledged;
int count = 40;
void hal_program(uint32_t a, const void *data, uint32_t n) { flash[a] = n; }
int main(void)
{
    assert(flash[0] == 'B' && count == 40);
    assert(!acknowledged || flash[1] == 'A');
    EARLY
    if (flash[1] == 0xff)
        hal_program(1, \"A\", 1);
    acknowledged = 1;
    return 0;
}
";
    let config = "target = 'x86_64'\n[[flash]]\nobject = 'flash'\nprogram-function = { name = 'hal_program' }\n\
                  [[chain]]\nname = 'application'\nsources = ['app.c']\nstart = 'jump'\n";
    let scratch = scratch(boot, config);
    scratch.file("app.c", app.replace("EARLY", "")).unwrap();
    let found = document(scratch.path(), 0, &["crash", "store.c"]);
    assert_eq!(found["coverage"]["operations"], 3);
    scratch
        .file("app.c", app.replace("EARLY", "acknowledged = 1;"))
        .unwrap();
    let found = document(scratch.path(), 1, &["crash", "store.c"]);
    let stack = &found["findings"][0]["failures"][0]["stack"];
    assert_eq!(
        stack[stack.as_array().unwrap().len() - 1],
        "application.main"
    );
}

#[test]
fn stores_into_a_part_are_noticed() {
    let program = "\
#include <string.h>
unsigned char flash[64];
static void ram_program(unsigned a, const void *data, unsigned n) { memcpy(flash + a, data, n); }
int main(void) { ram_program(0, \"abcd\", 4); return 0; }
";
    let scratch = scratch(
        program,
        "[[flash]]\nobject = 'flash'\nreprogram = 'allow'\n",
    );
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert!(
        ended.stderr.contains("changed by plain stores"),
        "{}",
        ended.stderr
    );
    let named = "[[flash]]\nobject = 'flash'\nreprogram = 'allow'\nprogram-function = { name = 'ram_program' }\n";
    scratch.file("brownout.toml", named).unwrap();
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert!(!ended.stderr.contains("plain stores"), "{}", ended.stderr);
}

#[test]
fn a_page_shows_the_blocks() {
    let folder = project("examples");
    let ended = run(
        &folder,
        &["crash", "eeprom/as-found/eeprom.c", "--format", "html"],
    );
    let page = String::from_utf8(ended.stdout).unwrap();
    assert!(page.contains("Boot by boot"), "no picture");
    assert!(page.contains("<rect class=\"changed\""), "no cells");
    assert!(page.contains("boot 3:"), "not all boots");
}

/// A driver of a flash controller that is programmed by values, through registers.
const CONTROLLER: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
#define STATUS (*(volatile uint32_t *)0x4002200c)
#define CONTROL (*(volatile uint32_t *)0x40022010)
uint8_t flash[2048];
BROWNOUT_GHOST int saved;
static void program(volatile uint16_t *at, uint16_t value)
{
    while (STATUS & 1) ;
    CONTROL |= 1;
    *at = value;
    CONTROL &= ~1u;
}
static void erase(volatile uint16_t *page)
{
    while (STATUS & 1) ;
    CONTROL |= 2;
}
int main(void)
{
    volatile uint16_t *page = (volatile uint16_t *)flash;
    for (int boot = 0; boot < 2; boot++) {
        if (saved)
            assert(page[0] == 7 && page[1] == 8);
        erase(page);
        program(page, 7);
        program(page + 1, 8);
        saved = 1;
    }
    return 0;
}
";

#[test]
fn controllers_are_driven_by_values() {
    let part = "\
target = 'thumbv7m'
[[flash]]
object = 'flash'
erase-block = 1024
program-unit = 2
";
    let functions = "\
program-function = { name = 'program', value = 'arg1' }
erase-function = { name = 'erase' }
";
    let known = scratch(CONTROLLER, &format!("{part}{functions}"));
    let found = document(known.path(), 1, &["crash", "store.c"]);
    let first = &found["findings"][0]["failures"][0];
    assert_eq!(first["kind"], "erase", "{found}");
    // Nobody knows what the controller does.
    let unknown = run(scratch(CONTROLLER, part).path(), &["crash", "store.c"]);
    assert_eq!(unknown.status, Some(2), "{}", unknown.stderr);
    assert!(
        unknown.stderr.contains("`0x4002200c` is read"),
        "{}",
        unknown.stderr
    );
}

/// A boot that reads all of a part again and again for what is not there.
const SEARCH: &str = "\
#include <brownout.h>
#include <stdint.h>
uint8_t flash[65536];
int main(void)
{
    uint32_t record = 42;
    volatile uint32_t *words = (volatile uint32_t *)flash;
    for (int found = 0; words[0] == record && !found;)
        for (unsigned i = 1; i < sizeof flash / 4; i++)
            found |= words[i] == record;
    brownout_flash_erase(flash, 65536);
    brownout_flash_program(flash, &record, 4);
    brownout_flash_program(flash + 65532, &record, 4);
    return 0;
}
";

#[test]
fn a_search_without_end_is_a_boot_without_end() {
    let scratch = scratch(SEARCH, "target = 'riscv32'\n[[flash]]\nobject = 'flash'\n");
    let found = document(scratch.path(), 1, &["crash", "store.c"]);
    assert_eq!(found["coverage"]["complete"], true, "{found}");
    assert_eq!(found["findings"][0]["assertion"]["name"], "endless-boot");
    assert_eq!(found["findings"][0]["replay"], "b1.op2");
}

/// The same with rounds of more than a million operations.
#[test]
fn a_long_search_without_end_is_a_boot_without_end() {
    let program = SEARCH
        .replace("65536", "1048576")
        .replace("65532", "1048572");
    let config = "target = 'riscv32'\n[[flash]]\nobject = 'flash'\nerase-block = 4096\n";
    let scratch = scratch(&program, config);
    for level in ["-O0", "-O1"] {
        let arguments = ["crash", "--failures", "1", "store.c", "--", level];
        let ended = run(scratch.path(), &arguments);
        assert_eq!(ended.status, Some(1), "{level}: {}", ended.stderr);
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(told.contains("a boot that never ends"), "{level}: {told}");
        assert!(ended.stderr.contains("complete"), "{}", ended.stderr);
        assert!(!ended.stderr.contains("not complete"), "{}", ended.stderr);
    }
}

/// One failure breaks it; a failure before that changes nothing about it.
const EARLY: &str = "\
#include <assert.h>
#include <brownout.h>
BROWNOUT_NV volatile int boots, valid, value;
int main(void)
{
    assert(!valid || value == 42);
    boots = boots + 1;
    valid = 1;
    value = 42;
    return 0;
}
";

#[test]
fn a_longer_way_to_the_same_is_not_told_again() {
    let scratch = scratch(EARLY, "target = 'riscv32'\n");
    let found = document(scratch.path(), 1, &["crash", "--failures", "3", "store.c"]);
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{found}");
    assert_eq!(findings[0]["failures"].as_array().unwrap().len(), 1);
    // After one, two and three boots.
    assert_eq!(findings[0]["states"], 3);
    assert_eq!(findings[0]["all_states"], 3);
}
