//! What is not known is not nothing: no program of these ends with "nothing found" and exit code 0.

use std::time::Duration;

use brownout_testkit::execute;

use crate::devices::checked;
use crate::{arguments, program, refused_with, run, scratch, tool};

const NV: &str = "__attribute__((section(\".persistent\"))) ";

#[track_caller]
fn unknown(text: &str, config: &str, message: &str) {
    let (status, told) = checked(text, config, &[]);
    assert_eq!(status, Some(2), "{told}");
    assert!(told.contains(message), "`{message}` is not in:\n{told}");
}

#[track_caller]
fn fine(text: &str, config: &str) {
    let (status, told) = checked(text, config, &[]);
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn constants_that_nobody_defines_are_said() {
    let sense = "[[input]]\nfunction = \"sense\"\nrange = [0, 9]\n";
    let library = "extern const int limit;\nint sense(void);\nint last;\n\
                   int poll(void) { last = sense(); return last / limit; }";
    unknown(
        library,
        sense,
        "error: `limit` is read, and nothing says what it gives",
    );
    fine(
        &library.replace("extern const int limit;", "const int limit = 5;"),
        sense,
    );
    let described = format!("{sense}[[input]]\nregister = \"limit\"\nconstant = 5\n");
    fine(library, &described);
    // An element that is computed is read as well.
    let table = "extern const unsigned char table[4];\nint sense(void);\nint last;\n\
                 int poll(unsigned at) { last = sense(); return table[at & 3]; }";
    unknown(table, sense, "error: `table` is read");
}

#[test]
fn a_constant_is_the_same_in_every_attempt() {
    let sense = "[[input]]\nfunction = \"sense\"\n";
    let text = format!(
        "extern const int revision;\nint sense(void);\n{NV}int gain, last;\n\
         void setup(void) {{ if (revision >= 3) gain = 8; last = sense(); }}"
    );
    let input = format!("{sense}[[input]]\nregister = \"revision\"\n");
    unknown(&text, &input, "error: `revision` is read");
    unknown(&text, &input, "it is no input");
    unknown(
        &text,
        &format!("mmio = \"input\"\n{sense}"),
        "error: `revision` is read",
    );
    // A register that the program only reads does change.
    let register = text.replace("const", "const volatile");
    let (status, told) = checked(&register, &input, &[]);
    assert_eq!(status, Some(1), "{told}");
}

#[test]
fn main_runs_before_its_callbacks() {
    let kernel = "void timer_every(unsigned, void (*)(void));\nvoid wait_for_event(void);\nint sense(void);\n";
    let config =
        "ignore = [\"timer_every\", \"wait_for_event\"]\n[[input]]\nfunction = \"sense\"\n";
    let waits = "timer_every(100, tick); for (;;) wait_for_event(); }";
    // A log that `main` rolls back.
    let undone = format!(
        "{kernel}{NV}int sum, old;\n{NV}volatile int busy;\n\
         static void recover(void) {{ if (busy) {{ sum = old; busy = 0; }} }}\n\
         static void tick(void) {{ int v = sense(); old = sum; busy = 1; sum += v; busy = 0; }}\n\
         int main(void) {{ recover(); {waits}"
    );
    fine(&undone, config);
    // A variable that `main` sets, which lets the callback do everything twice.
    let step = format!(
        "{kernel}{NV}int sum, n;\nstatic int counts;\n\
         static void tick(void) {{ sum += sense(); if (counts) n++; }}\n\
         int main(void) {{ counts = 1; {waits}"
    );
    let (status, told) = checked(&step, config, &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("1 confirmed"), "{told}");
    // A callback that no execution gives away.
    let never = step.replace("timer_every", "if (counts > 1) timer_every");
    unknown(
        &never.replace("void if (counts > 1)", "void"),
        config,
        "error: `tick` was not checked: no execution came to where it is given away",
    );
}

#[test]
fn the_order_of_callbacks_is_not_known() {
    let kernel = "void every(void (*)(void));\nvoid wait_for_event(void);\n";
    let config = "ignore = [\"every\", \"wait_for_event\"]\n";
    let both = format!(
        "{kernel}{NV}int a, b;\nstatic int n = 1;\nstatic void tick(void) {{ n++; }}\n\
         static void press(void) {{ a += n; b += n; }}\n\
         int main(void) {{ every(tick); every(press); for (;;) wait_for_event(); }}"
    );
    unknown(
        &both,
        config,
        "`press` was not checked as it runs: it reads `n`, which `tick` may write",
    );
    let apart = both.replace("n++", "");
    let (status, told) = checked(&apart, config, &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("1 confirmed"), "{told}");
}

#[test]
fn a_callback_is_called_with_what_it_was_given_last() {
    let kernel = "void every(void (*)(void *), void *);\nvoid wait_for_event(void);\n";
    let config = "ignore = [\"every\", \"wait_for_event\"]\n";
    let text = format!(
        "{kernel}{NV}int first, second;\nstatic void tick(void *it) {{ ++*(int *)it; }}\n\
         int main(void) {{ every(tick, &first); every(tick, &second); for (;;) wait_for_event(); }}"
    );
    unknown(
        &text,
        config,
        "`tick` was not checked with everything that it is given",
    );
    fine(&text.replace("every(tick, &first);", ""), config);
}

#[test]
fn a_fault_says_what_may_have_caused_it() {
    let text = format!(
        "extern const int divisor;\n{NV}int n;\nint main(void) {{ n = 7; n = 100 / divisor; return 0; }}"
    );
    unknown(
        &text,
        "",
        "division by zero; it is checked up to there; it may be because of `divisor`, which is taken to be 0",
    );
    fine(
        &text.replace("extern const int divisor;", "const int divisor = 3;"),
        "",
    );
}

#[test]
fn tasks_that_nobody_starts_are_said() {
    let text = format!(
        "void os_start(void);\n{NV}int a, b;\nstatic void task(void) {{ a = 1; b = 2; }}\n\
         void (*table[])(void) = {{ task }};\nint main(void) {{ os_start(); return START; }}"
    );
    let config = "ignore = [\"os_start\"]";
    let never = text.replace("START", "0");
    unknown(&never, config, "error: `task` was not checked");
    unknown(&never, config, "`--entry task`");
    // A program that calls what its table holds starts it itself.
    fine(&text.replace("START", "(table[0](), 0)"), config);
    // One that calls what another table holds does not.
    let other = never.replace(
        "int main(void) {",
        "static void own(void) {}\nvoid (*volatile hook)(void) = own;\nint main(void) { hook();",
    );
    unknown(&other, config, "error: `task` was not checked");
}

#[test]
fn a_main_that_does_nothing_is_said() {
    let text =
        format!("void os_main(void);\n{NV}int a;\nint main(void) {{ WORK os_main(); return 0; }}");
    let config = "ignore = [\"os_main\"]";
    unknown(
        &text.replace("WORK", ""),
        config,
        "error: nothing was checked: `main` does nothing but call `os_main`, which is ignored",
    );
    fine(&text.replace("WORK", "a = 1;"), config);
}

#[test]
fn old_encodings_are_shown() {
    let scratch = scratch();
    let text = b"int sense(void);\nint hot; // temp\xe9rature\n\
        void poll(void) { if (sense() > 3) hot = 1; /* \xb0C */ }\n";
    scratch.file("program.c", text).unwrap();
    let config = "[[input]]\nfunction = \"sense\"\nrange = [0, 9]\n";
    scratch.file("brownout.toml", config).unwrap();
    let mut command = tool().command(["check", "program.c"]);
    command.current_dir(scratch.path());
    let ended = execute(&mut command, Duration::from_secs(60)).unwrap();
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8_lossy(&ended.stdout).into_owned() + &ended.stderr;
    assert!(told.contains("hot = 1; /* ?C */ }"), "{told}");
}

#[test]
fn a_missing_header_says_how_to_find_it() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "#include <boards/pins.h>\nint main(void) { return 0; }",
    );
    refused_with(
        &arguments([&"check", &source]),
        &[
            "clang could not compile it",
            "`-- -Iinclude`",
            "that has `boards`",
            "built in are",
        ],
    );
}

#[test]
fn a_header_that_the_project_has_is_found() {
    let scratch = scratch();
    let folder = scratch.path().join("vendor").join("inc");
    std::fs::create_dir_all(folder.join("boards")).unwrap();
    std::fs::create_dir_all(scratch.path().join(".git")).unwrap();
    std::fs::write(folder.join("boards/pins.h"), "").unwrap();
    std::fs::write(folder.join("stm32l4xx_hal.h"), "").unwrap();
    for (header, further) in [
        ("boards/pins.h", "built in are"),
        ("stm32l4xx_hal.h", "`--set chip=stm32l4`"),
    ] {
        let text = format!("#include \"{header}\"\nint main(void) {{ return 0; }}");
        let source = program(&scratch, &text);
        let give = format!("-I{}", folder.display());
        refused_with(&arguments([&"check", &source]), &[&give, further]);
        let ended = run(&arguments([&"run", &"-q", &source, &"--", &give.as_str()]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    }
}

#[test]
fn runtime_code_is_analysed_and_not_reported() {
    let scratch = scratch();
    let kernel = "void commit(void);\nextern int shared;\nint ticks;\n\
                  void kernel_step(void) { commit(); ticks++; shared = ticks; commit(); }\n";
    let kernel = scratch.file("kernel.c", kernel).unwrap();
    let text = "void commit(void);\nvoid kernel_step(void);\nint shared, count;\n\
                int main(void) { commit(); count++; kernel_step(); return 0; }";
    let source = program(&scratch, text);
    let config = "[memory]\nnonvolatile = [\"globals\"]\n[power]\ncheckpoints = [\"commit\"]\n";
    let findings = |config: &str| {
        scratch.file("brownout.toml", config).unwrap();
        let ended = run(&arguments([
            &"check",
            &source,
            &kernel,
            &"--format",
            &"concise",
        ]));
        assert_eq!(ended.status, Some(1), "{}", ended.stderr);
        String::from_utf8(ended.stdout).unwrap()
    };
    let all = findings(config);
    assert!(all.contains("`ticks`") && all.contains("`count`"), "{all}");
    let own = findings(&format!("runtime = [\"kern[a-f]l.c\"]\n{config}"));
    assert!(!own.contains("`ticks`") && own.contains("`count`"), "{own}");
}

/// A program that takes bits of a register and comes to rest, because the register always gives the same here.
#[test]
fn registers_of_programs_that_come_to_rest_are_said() {
    let text = "#include <msp430.h>\n__attribute__((section(\".persistent\"))) unsigned taken, sum;\n\
                int main(void) { for (;;) { unsigned v = ADC12MEM0; sum += v & 7; taken += v & 7; } }";
    unknown(
        text,
        "",
        "error: `ADC12MEM0` is read, and nothing says what it gives",
    );
    // What the program has written itself is known.
    let own = text.replace("for (;;)", "ADC12MEM0 = 8; for (;;)");
    fine(&own, "");
}

#[test]
fn what_may_be_nonvolatile_is_said() {
    let other = "__attribute__((section(\".persistent\"))) unsigned other;\n";
    let rest = "unsigned hours, days;\n\
                int main(void) { for (;;) { hours++; if (hours == 24) { hours = 0; days++; } other++; } }";
    for (words, message, kept) in [
        (
            "__attribute__((section(\".my_fram\")))",
            "error: section `.my_fram` (`days`, `hours`) may be non-volatile",
            "nonvolatile = [\"section:.persistent\", \"section:.my_fram\"]",
        ),
        (
            "__attribute__((battery))",
            "error: what `__attribute__((battery))` says of `days`, `hours` is not understood",
            "nonvolatile = [\"section:.persistent\", \"symbol:days\", \"symbol:hours\"]",
        ),
        (
            "#pragma FRAM_KEEP(hours)\n",
            "error: what `#pragma FRAM_KEEP(hours)` says of `days`, `hours` is not understood",
            "nonvolatile = [\"section:.persistent\", \"symbol:days\", \"symbol:hours\"]",
        ),
    ] {
        let text = format!("{other}{words} {rest}");
        unknown(&text, "", message);
        unknown(&text, "", kept);
        let lost = match words.contains("section") {
            true => "[memory]\nnonvolatile = [\"!section:.my_fram\"]\n",
            false => "[memory]\nnonvolatile = [\"!symbol:days\", \"!symbol:hours\"]\n",
        };
        fine(&text, lost);
        let (status, told) = checked(&text, &format!("[memory]\n{kept}\n"), &[]);
        assert_eq!(status, Some(1), "{told}");
    }
    // Where it is the only thing that is said of memory.
    let alone = format!(
        "__attribute__((section(\".my_fram\"))) {}",
        rest.replace("other++;", "")
    );
    unknown(
        &alone,
        "",
        "nothing is said to be non-volatile; section `.my_fram` (`days`, `hours`) may be",
    );
    unknown(&alone, "", "nonvolatile = [\"section:.my_fram\"]");
    // Memory that does not sound like it, and what nobody writes.
    fine(
        &format!("{other}__attribute__((section(\".ramfunc\"))) {rest}"),
        "",
    );
    fine(
        &format!(
            "{other}__attribute__((section(\".flash_log\"))) int limit = 3;\nint main(void) {{ other = limit; return 0; }}"
        ),
        "",
    );
}

#[test]
fn a_library_without_anything_non_volatile_is_said() {
    let text = "static unsigned total;\nvoid tick(void) { total++; }";
    let chip = "chip = \"msp430fr5969\"\n";
    let message =
        "no memory that these functions write is non-volatile: there was nothing to check";
    unknown(text, chip, message);
    let passed = "void tick(unsigned *total) { (*total)++; }";
    unknown(
        passed,
        &format!("{chip}[memory]\nnonvolatile = []\n"),
        message,
    );
    let (status, told) = checked(passed, chip, &[]);
    assert_eq!(status, Some(1), "{told}");
    fine("void tick(unsigned *total) { *total = 1; }", chip);
    // What writes nothing keeps nothing.
    fine("int doubled(int x) { return 2 * x; }", chip);
    let scratch = scratch();
    let source = program(&scratch, text);
    let ended = run(&arguments([
        &"prove",
        &"--set",
        &"chip=msp430fr5969",
        &source,
    ]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    // `init` guesses the chip, and does not say that nothing is non-volatile.
    let guessed = scratch.path().join("pump.c");
    std::fs::write(&guessed, format!("// for the MSP430FR5969\n{passed}")).unwrap();
    let ended = run(&arguments([&"init", &guessed]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let ended = run(&arguments([&"check", &guessed]));
    assert!(
        ended
            .stderr
            .contains("chip: msp430fr5969; non-volatile: what callers pass"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
}
