//! What the configuration says of flash parts, and what is told where that cannot be, or where a test tests nothing.

use super::{run, scratch};

/// A counter that is programmed, with a check in front of it.
const COUNTER: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
#include <string.h>
uint8_t flash[64];
int put(uint32_t at, const void *from, uint32_t size);
void wipe(uint32_t at);
GHOST uint32_t counted;
int main(void)
{
    uint32_t value;
    memcpy(&value, flash, 4);
    if (counted > 0)
        assert(value == counted || value == counted + 1);
    AFTER
    while (counted < 2) {
        value = counted + 1;
        wipe(0);
        if (put(0, &value, 4) != WRITTEN)
            return 1;
        counted++;
    }
    return 0;
}
";

fn counter(ghost: &str, after: &str, written: &str) -> String {
    let program = COUNTER.replace("GHOST", ghost).replace("AFTER", after);
    program.replace("WRITTEN", written)
}

fn part(put: &str) -> String {
    format!(
        "target = 'riscv32'\n[[flash]]\nobject = 'flash'\nerase-block = 64\nprogram-unit = 4\n\
         program-function = {{ name = 'put'{put} }}\nerase-function = {{ name = 'wipe' }}\n"
    )
}

/// What is told of a configuration or a program that is wrong.
fn told(program: &str, config: &str, status: i32, wanted: &[&str]) {
    let scratch = scratch(program, config);
    let ended = run(scratch.path(), &["crash", "store.c"]);
    let told = String::from_utf8_lossy(&ended.stdout).into_owned() + &ended.stderr;
    assert_eq!(ended.status, Some(status), "{told}");
    for part in wanted {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn arguments_that_do_not_exist_are_refused() {
    let program = counter("BROWNOUT_GHOST", "", "0");
    let has = "`put` has 3 arguments, arg0 to arg2";
    for (put, key) in [
        (
            ", length = 'arg3'",
            "6:45: `flash.program-function.length` mentions `arg3`",
        ),
        (
            ", data = 'arg7'",
            "`flash.program-function.data` mentions `arg7`",
        ),
        (
            ", address = 'arg0 + arg4'",
            "`flash.program-function.address` mentions `arg4`",
        ),
        (
            ", returns = 'arg3'",
            "`flash.program-function.returns` mentions `arg3`",
        ),
    ] {
        told(&program, &part(put), 2, &[key, has]);
    }
    let short = program.replace("const void *from, uint32_t size)", "const void *from)");
    let short = short.replace("put(0, &value, 4)", "put(0, &value)");
    let wanted = "`flash.program-function.length` is not given, which means `arg2`, but `put` has 2 arguments";
    told(&short, &part(""), 2, &[wanted]);
    told(&short, &part(", length = '4'"), 1, &[]);
}

#[test]
fn inputs_and_outputs_are_held_to_their_arguments_as_well() {
    let program = "#include <brownout.h>\nBROWNOUT_NV int kept;\nint get(int *to);\nvoid show(int what);\n\
                   int main(void) { int got; get(&got); kept = got; show(kept); return 0; }\n";
    let config = |input: &str, output: &str| {
        format!(
            "target = 'riscv32'\n[environment]\nshown = 0\n[[input]]\nfunction = 'get'\nvalues = [1]\nwidth = 4\n{input}\n\
             [[output]]\nfunction = 'show'\n{output}\n"
        )
    };
    let one = "has 1 argument, arg0";
    let good = "fills = 'arg0'";
    let effect = "effect = 'shown = arg0'";
    told(program, &config(good, effect), 0, &[]);
    told(
        program,
        &config("fills = 'arg1'", effect),
        2,
        &["`input.fills`", one],
    );
    let length = "fills = 'arg0'\nlength = 'arg1'";
    told(
        program,
        &config(length, effect),
        2,
        &["`input.length`", one],
    );
    told(
        program,
        &config(good, "effect = 'shown = arg1'"),
        2,
        &["`output.effect`", one],
    );
    told(
        program,
        &config(good, "script = 'shown = arg1'"),
        2,
        &["`output.script`", "arg1"],
    );
}

#[test]
fn functions_return_what_their_arguments_say() {
    let program = counter("BROWNOUT_GHOST", "", "4");
    told(
        &program,
        &part(", returns = 'arg2'"),
        1,
        &["1 power failure breaks"],
    );
    told(&program, &part(""), 0, &["exits with status 1"]);
}

#[test]
fn operations_tell_where_they_leave_the_part() {
    let program = counter("BROWNOUT_GHOST", "", "0");
    let outside = "outside of the part: 4 bytes at offset 62, and the part has 64";
    told(&program, &part(", address = 'arg0 + 62'"), 1, &[outside]);
    let misaligned = "not aligned to 4 bytes: 4 bytes at offset 2";
    told(&program, &part(", address = 'arg0 + 2'"), 1, &[misaligned]);
}

#[test]
fn assertions_that_no_boot_comes_to_are_told() {
    let note = "`assert` at store.c:14 was executed in none of the boots";
    told(&counter("static", "", "0"), &part(""), 0, &[note]);
    let scratch = scratch(&counter("BROWNOUT_GHOST", "", "0"), &part(""));
    let ended = run(scratch.path(), &["crash", "store.c"]);
    assert!(
        !ended.stderr.contains("none of the boots"),
        "{}",
        ended.stderr
    );
    // A condition of several parts is executed when the first of them is.
    let parts = counter("BROWNOUT_GHOST", "assert(counted <= 2 || value == 7);", "0");
    let several = super::scratch(&parts, &part(""));
    let ended = run(several.path(), &["crash", "store.c"]);
    assert!(
        !ended.stderr.contains("none of the boots"),
        "{}",
        ended.stderr
    );
}

#[test]
fn programs_that_stay_in_a_loop_are_told() {
    let stays = "volatile uint32_t go = 1; wipe(0);\n    while (go) { }";
    let note = "the undisturbed program does not return: it stays in a loop at store.c:16";
    told(
        &counter("BROWNOUT_GHOST", stays, "0"),
        &part(""),
        0,
        &[note],
    );
}

#[test]
fn parts_that_overwrite_may_be_programmed_again() {
    let program = counter("BROWNOUT_GHOST", "", "0").replace("wipe(0);", "");
    let overwrite = part("").replace("program-unit", "program = 'overwrite'\nprogram-unit");
    told(&program, &overwrite, 0, &["complete"]);
    let refused = overwrite.replace("program-unit", "reprogram = 'error'\nprogram-unit");
    told(&program, &refused, 1, &["not erased"]);
}

/// Two copies, and which of them counts.
const COPIES: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
#include <string.h>
uint8_t disk[48];
void put(uint32_t at, const void *from, uint32_t size);
void flush(void);
BROWNOUT_GHOST uint32_t saved;
int main(void)
{
    uint32_t which, copy;
    memcpy(&which, disk + 32, 4);
    memcpy(&copy, disk + which % 2 * 16, 4);
    assert(copy >= saved);
    while (saved < 2) {
        which++;
        copy = saved + 1;
        put(which % 2 * 16, &copy, 4);
        WAIT
        put(32, &which, 4);
        flush();
        saved++;
    }
    return 0;
}
";

#[test]
fn units_of_a_part_that_is_not_erased_are_done_in_any_order() {
    let config = "target = 'riscv32'\n[[flash]]\nobject = 'disk'\nprogram-unit = 4\nprogram = 'overwrite'\nerased = 0\n\
                  order = 'until-sync'\nsync-function = 'flush'\nprogram-function = { name = 'put' }\n";
    told(
        &COPIES.replace("WAIT", ""),
        config,
        1,
        &["1 power failure breaks"],
    );
    told(
        &COPIES.replace("WAIT", "flush();"),
        config,
        0,
        &["complete"],
    );
    let erased = COPIES.replace("WAIT", "wipe(0);");
    let erased = erased.replace("void flush", "void wipe(uint32_t at);\nvoid flush");
    let config = format!("{config}erase-function = {{ name = 'wipe' }}\n");
    told(
        &erased,
        &config,
        2,
        &["7:9: `flash.order` needs `erase-block`"],
    );
}

#[test]
fn tables_of_one_part_do_not_contradict_each_other() {
    let program = counter("BROWNOUT_GHOST", "", "0");
    let first = "target = 'riscv32'\n[[flash]]\nobject = 'flash'\nerase-block = 64\nerase-function = { name = 'wipe' }\n";
    let second =
        "[[flash]]\nobject = 'flash'\nprogram-unit = 4\nprogram-function = { name = 'put' }\n";
    let agreed = format!("{first}{second}");
    told(&program, &agreed, 1, &["1 power failure breaks"]);
    let other = format!(
        "{first}{}",
        second.replace("program-unit", "erase-block = 32\nprogram-unit")
    );
    let wanted = "8:15: `flash.erase-block`: another `[[flash]]` says something else of `flash`";
    told(&program, &other, 2, &[wanted]);
    let table = "target = 'riscv32'\n[flash]\nobject = 'flash'\n";
    told(
        &program,
        table,
        2,
        &["must be a list of tables, as in `[[flash]]`"],
    );
}

#[test]
fn functions_without_a_body_may_read_the_part() {
    let program = counter("BROWNOUT_GHOST", "get(0, &value, 4);", "0");
    let program = program.replace(
        "void wipe",
        "void get(uint32_t at, void *to, uint32_t size);\nvoid wipe",
    );
    told(
        &program,
        &part(""),
        2,
        &["object = \"flash\"", "read-function = { name = \"get\""],
    );
}

const CLASS: &str = "\
#include <assert.h>
#include <brownout.h>
#include <stdint.h>
uint8_t flash[32];
struct Driver {
    void put(uint32_t at, const void *from, uint32_t size);
    void wipe(uint32_t page);
    void wipe(const char *page);
};
struct Logger { void say(int what); void rest(); };
void Driver::put(uint32_t, const void *, uint32_t) {}
void Driver::wipe(uint32_t) {}
void Driver::wipe(const char *) {}
BROWNOUT_GHOST uint32_t saved;
template <class T> struct Store {
    Driver driver;
    void save(T value) { driver.wipe(0u); driver.wipe(\"\"); driver.put(0, &value, sizeof value); saved = value; }
};
int main()
{
    assert(flash[0] == saved || saved == 0);
    Logger logger;
    logger.say(1);
    logger.rest();
    Store<uint8_t> store;
    store.save(7);
    return 0;
}
";

#[test]
fn methods_are_named_as_people_write_them() {
    let config = |wipe: &str| {
        format!(
            "target = 'riscv32'\nignore = ['Driver::wipe(char const*)', 'Logger::*']\n[[flash]]\nobject = 'flash'\nerase-block = 32\n\
             program-function = {{ name = 'Driver::put', address = 'arg1', data = 'arg2', length = 'arg3' }}\n\
             erase-function = {{ name = '{wipe}', address = 'arg1 * 32' }}\n"
        )
    };
    let told = |config: &str, status: i32, wanted: &[&str]| {
        let scratch = scratch("", config);
        scratch.file("store.cpp", CLASS).unwrap();
        let ended = run(scratch.path(), &["crash", "store.cpp"]);
        let told = String::from_utf8_lossy(&ended.stdout).into_owned() + &ended.stderr;
        assert_eq!(ended.status, Some(status), "{told}");
        for part in wanted {
            assert!(told.contains(part), "{part}: {told}");
        }
        assert!(!told.contains("_ZN"), "{told}");
    };
    let found = [
        "2 power failures break",
        "Store<unsigned char>::save(unsigned char)",
    ];
    told(&config("Driver::wipe(unsigned int)"), 1, &found);
    told(&config("Driver::wipe( unsigned int )"), 1, &found);
    let several = "is `Driver::wipe`, which several functions are called: write `Driver::wipe(";
    told(&config("Driver::wipe"), 2, &[several]);
    told(
        &config("Driver::wype"),
        2,
        &["the program has no such function"],
    );
}
