//! Profiles: those that come with the tool, and files of the user's own.

use crate::{arguments, program, refused_with, run, scratch};

const LIBRARY: &str = "int bus_read(int reg, unsigned char *data, int length);\nvoid bus_wait(int ms);\n\
    static int hot;\nint poll(void) { unsigned char data[1]; int result = bus_read(1, data, 1);\n\
    if (result != 0) return result;\nbus_wait(5);\nif (data[0] > 9) hot = 1;\nreturn 0; }\n\
    int state(void) { return hot; }\n";

const PROFILE: &str = "about = \"our bus\"\nignore = [\"bus_wait\", \"bus_never\"]\n\
    [[input]]\nfunction = \"bus_re*\"\nfills = \"arg1\"\nlength = \"arg2\"\nreturns = 0\n";

#[test]
fn a_file_of_the_user() {
    let scratch = scratch();
    let source = program(&scratch, LIBRARY);
    scratch.file("bus.toml", PROFILE).unwrap();
    scratch
        .file("brownout.toml", "profile = [\"bus.toml\"]\n")
        .unwrap();
    let ended = run(&arguments([&"check", &source, &"--format", &"concise"]));
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(told.contains("a power failure leaves `hot` = 1"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn what_is_wrong_in_it_is_told_where_it_is() {
    let scratch = scratch();
    let source = program(&scratch, LIBRARY);
    scratch
        .file("bus.toml", "about = \"our bus\"\nignor = []\n")
        .unwrap();
    scratch
        .file("brownout.toml", "profile = [\"bus.toml\"]\n")
        .unwrap();
    refused_with(
        &arguments([&"check", &source]),
        &[
            "bus.toml:2:1",
            "unknown key `ignor`, did you mean `ignore`?",
        ],
    );
    scratch
        .file("brownout.toml", "profile = [\"bs.toml\"]\n")
        .unwrap();
    refused_with(&arguments([&"check", &source]), &["bs.toml"]);
    scratch
        .file("brownout.toml", "profile = [\"freertoss\"]\n")
        .unwrap();
    refused_with(
        &arguments([&"check", &source]),
        &["did you mean `freertos`?"],
    );
}

#[test]
fn they_are_listed_and_shown() {
    let all = run(&arguments([&"profiles"]));
    assert_eq!(all.status, Some(0));
    let all = String::from_utf8(all.stdout).unwrap();
    assert!(all.contains("stm32-hal     STM32 HAL"), "{all}");
    let one = run(&arguments([&"profiles", &"stm32-hal"]));
    assert!(
        String::from_utf8(one.stdout)
            .unwrap()
            .contains("function = \"HAL_I2C_Mem_Read\"")
    );
    refused_with(
        &arguments([&"profiles", &"stm32"]),
        &["did you mean `stm32-hal`?"],
    );
}

/// `init` writes the profiles that fit, and guesses only what they do not describe.
#[test]
fn init_recognises_several() {
    let scratch = scratch();
    let text = "unsigned HAL_GetTick(void);\nvoid HAL_Delay(unsigned ms);\nvoid vTaskDelay(unsigned ticks);\n\
                int modem_send(const char *text);\nvoid delay(unsigned long ms);\n\
                void step(void) { HAL_Delay(HAL_GetTick()); vTaskDelay(1); modem_send(\"x\"); delay(1); }";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"init", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let config = std::fs::read_to_string(scratch.path().join("brownout.toml")).unwrap();
    for part in [
        "# freertos: vTaskDelay\n",
        "# stm32-hal: HAL_GetTick, HAL_Delay\n",
        "profile = [\"freertos\", \"stm32-hal\"]\n",
        "ignore = [\"delay\"]\n",
        "function = \"modem_send\"\n",
    ] {
        assert!(config.contains(part), "`{part}` is not in:\n{config}");
    }
    assert!(!config.contains("function = \"HAL_GetTick\""), "{config}");
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

/// What a folder above says is about other programs.
#[test]
fn init_below_another_configuration() {
    let scratch = scratch();
    let folder = scratch.path().join("driver");
    std::fs::create_dir(&folder).unwrap();
    let other = "profile = [\"freertos\"]\n[[input]]\nfunction = \"elsewhere\"\n";
    scratch.file("brownout.toml", other).unwrap();
    let source = folder.join("driver.c");
    std::fs::write(&source, LIBRARY).unwrap();
    let ended = run(&arguments([&"init", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let config = std::fs::read_to_string(folder.join("brownout.toml")).unwrap();
    assert!(config.contains("function = \"bus_read\""), "{config}");
    assert!(!config.contains("profile = "), "{config}");
}

/// Names of C++ are those of the source where people read them, and those of the linker where the tool does.
#[test]
fn names_of_methods_are_readable() {
    let scratch = scratch();
    let source = scratch.path().join("meter.cpp");
    let text = "int adc(unsigned char channel);\nclass Meter { int total; bool over; public: void poll(); bool isOver() const; };\n\
                void Meter::poll() { if (adc(2) > 9) over = true; }\nbool Meter::isOver() const { return over; }\n";
    std::fs::write(&source, text).unwrap();
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    for part in [
        "`adc(unsigned char)` may read some",
        "function = \"_Z3adch\"    # adc(unsigned char)",
    ] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    let ended = run(&arguments([&"init", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let told = String::from_utf8(ended.stdout).unwrap();
    for part in [
        "power fails in `Meter::poll()`",
        "`this->over` = true",
        "`adc(unsigned char)` gives",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

/// A runtime of tasks is recognised by the function that is told which task comes next.
#[test]
fn init_recognises_tasks() {
    let scratch = scratch();
    let text = "typedef struct { void (*run)(void); unsigned index; } task_t;\n\
                void transition_to(const task_t *next);\n\
                __attribute__((section(\".nv_vars\"))) int count, copy;\n\
                void task_count(void); void task_keep(void);\n\
                const task_t counting = {task_count, 1}, keeping = {task_keep, 2};\n\
                void task_count(void) { copy = count + 1; transition_to(&keeping); }\n\
                void task_keep(void) { count = copy; transition_to(&counting); }\n\
                void first(void) { transition_to(&counting); }\n";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"init", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let config = std::fs::read_to_string(scratch.path().join("brownout.toml")).unwrap();
    for part in [
        "entry = \"first\"\n",
        "policy = \"tasks\"",
        "tasks = [\"first\", \"task_count\", \"task_keep\"]\n",
        "transition = [\"transition_to\"]\n",
    ] {
        assert!(config.contains(part), "`{part}` is not in:\n{config}");
    }
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let harmful = text.replace("count = copy;", "count = count + copy;");
    std::fs::write(&source, harmful).unwrap();
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
}

/// A program none of whose variables is known to be non-volatile has nothing to check, also after `init`.
#[test]
fn init_does_not_make_variables_nonvolatile() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "int seconds; int main(void) { for (;;) seconds++; }",
    );
    let elsewhere = scratch.path().join("below");
    std::fs::create_dir(&elsewhere).unwrap();
    let config = elsewhere.join("brownout.toml");
    let ended = run(&arguments([&"init", &source, &"--output", &config]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let text = std::fs::read_to_string(&config).unwrap();
    let name = source.file_name().unwrap().display();
    let named = format!("sources = [\"../{name}\"]");
    assert!(text.contains(&named), "`{named}` is not in:\n{text}");
    refused_with(
        &arguments([&"check", &"--config", &config, &source]),
        &["nothing is said to be non-volatile"],
    );
}

/// Programs that include the headers of a vendor are for the vendor's processors.
#[test]
fn headers_say_what_a_program_is_for() {
    let scratch = scratch();
    let text = "#include \"board.h\"\n__attribute__((section(\".noinit\"))) volatile unsigned long total;\n\
                int main(void) { for (;;) total = total + GPIOA->IDR; }";
    scratch.file("board.h", "#include <stm32l4xx.h>\n").unwrap();
    let source = program(&scratch, text);
    let ended = run(&arguments([
        &"run",
        &"--max-instructions",
        &"1000",
        &source,
    ]));
    let told = "compiled for thumbv7m, because of `stm32l4xx.h`";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let ended = run(&arguments([
        &"run",
        &"--limit",
        &"1000",
        &"--target",
        &"thumbv6m",
        &source,
    ]));
    assert!(!ended.stderr.contains("compiled for"), "{}", ended.stderr);
}

/// What programs flash is neither an input nor an output: somebody has to say what it is.
#[test]
fn init_does_not_take_flash_for_an_input() {
    let scratch = scratch();
    let text = "int HAL_FLASH_Program(unsigned kind, unsigned at, unsigned long long value);\n\
                __attribute__((section(\".nv\"))) unsigned saved;\n\
                int main(void) { saved++; return HAL_FLASH_Program(1, 0x0803f800, saved); }";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"init", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let config = std::fs::read_to_string(scratch.path().join("brownout.toml")).unwrap();
    assert!(config.contains("# [[flash]]"), "{config}");
    assert!(
        !config.contains("\nfunction = \"HAL_FLASH_Program\""),
        "{config}"
    );
    refused_with(&arguments([&"check", &source]), &["HAL_FLASH_Program"]);
}

/// What the chip writes by itself is not emulated, and said.
#[test]
fn memory_that_the_chip_writes_by_itself() {
    let scratch = scratch();
    let text = |target: &str| {
        format!(
            "#include <msp430.h>\n__attribute__((persistent)) unsigned kept[8] = {{0}};\nunsigned lost[8], from[8];\n\
             int main(void) {{ DMA0SA = from; DMA0DA = {target}; DMA0CTL = DMAEN | DMAREQ; kept[0] = lost[0]; return 0; }}"
        )
    };
    let source = program(&scratch, &text("kept"));
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("`DMA0DA` makes the chip write memory"),
        "{}",
        ended.stderr
    );
    let source = program(&scratch, &text("lost"));
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let flash = "#include <msp430.h>\n__attribute__((persistent)) unsigned kept = 0;\n\
                 int main(void) { FCTL1 = FWKEY + ERASE; kept = 1; return 0; }";
    let ended = run(&arguments([&"check", &program(&scratch, flash)]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("`FCTL1` makes the chip write its flash"),
        "{}",
        ended.stderr
    );
    let eeprom = "#include <avr/eeprom.h>\n#include <avr/io.h>\nEEMEM unsigned char number;\n\
                  int main(void) { EEDR = eeprom_read_byte(&number); EECR |= 1 << EEPE; return 0; }";
    let ended = run(&arguments([&"check", &program(&scratch, eeprom)]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("`EECR` makes the chip write its EEPROM"),
        "{}",
        ended.stderr
    );
}

/// Functions that say by their names that they commit are checkpoints, and it is said why.
#[test]
fn init_guesses_what_commits() {
    let init = |declared: &str, call: &str| {
        let scratch = scratch();
        let text = format!(
            "{declared}\n__attribute__((section(\".fram\"))) unsigned count;\n\
             int main(void) {{ for (int i = 0; i < 4; i++) {{ {call}; count++; }} return 0; }}"
        );
        let source = program(&scratch, &text);
        let ended = run(&arguments([&"init", &source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let ended = run(&arguments([&"check", &source]));
        assert_eq!(ended.status, Some(1), "{text}{}", ended.stderr);
        std::fs::read_to_string(scratch.path().join("brownout.toml")).unwrap()
    };
    for (name, params, args) in [
        ("__dino_task_boundary", "int", "1"),
        ("checkpoint_now", "void", ""),
        ("runtime_save_context", "void", ""),
        ("coala_next_task", "unsigned", "2"),
    ] {
        let config = init(
            &format!("void {name}({params});"),
            &format!("{name}({args})"),
        );
        let checkpoints = format!("checkpoints = [\"{name}\"]\n");
        assert!(config.contains(&checkpoints), "{config}");
        assert!(
            config.contains("policy = \"static\"    # a guess: "),
            "{config}"
        );
        assert!(!config.contains("[[output]]"), "{config}");
    }
    let config = init(
        "void checkpoint(void);\nvoid door_transition(int to);",
        "checkpoint(); door_transition(i)",
    );
    assert!(
        config.contains("checkpoints = [\"checkpoint\"]\n"),
        "{config}"
    );
    assert!(
        config.contains("function = \"door_transition\""),
        "{config}"
    );
}
