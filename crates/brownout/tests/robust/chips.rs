//! What a chip says of memory, registers and interrupts.

use crate::devices::checked;
use crate::{arguments, printed, program, run, scratch};

const CHIP: &str = "chip = \"msp430fr5969\"\n";

#[test]
fn registers_hold_what_a_reset_leaves() {
    let text = "#include <msp430.h>\n#include <stdio.h>\n\
        int main(void) { UCA0IFG &= ~UCRXIFG; PM5CTL0 |= 2; P1OUT |= 0;\n\
          printf(\"%u %u %u %u\", UCA0IFG, PM5CTL0, WDTCTL, *(volatile unsigned *)0x05dc); return 0; }";
    let config = format!("{CHIP}[[register]]\nname = \"WDTCTL\"\nmmio = \"state\"\n");
    assert_eq!(printed(text, &config, &[]), "2 3 26884 2");
}

#[test]
fn objects_are_where_the_source_puts_them() {
    let text = "#include <stdio.h>\n#pragma LOCATION(x, 0x1904)\nint x = 5;\n\
        __no_init int y @ 0x1906;\nchar big[600] @ 0x2000;\nint plain = 3;\n\
        int main(void) { y = 7; int *p = (int *)0x1904; big[599] = 1;\n\
          printf(\"%d %d %d %d \", p[0], p[1], &x == p, *(char *)(0x2000 + 599));\n\
          p[1] = 9; printf(\"%d %d\", y, plain); return 0; }";
    for config in ["", CHIP] {
        assert_eq!(printed(text, config, &[]), "5 7 1 1 9 3", "{config}");
    }
    let text = "#include <stdio.h>\n__attribute__((location(0x10000010))) int x = 5;\n\
        int main(void) { printf(\"%d %d\", *(int *)0x10000010, &x == (int *)0x10000010); return 0; }";
    assert_eq!(printed(text, "chip = \"cortex-m4\"\n", &[]), "5 1");
}

#[test]
fn linker_scripts_place_sections() {
    let text = "#include <brownout.h>\n__attribute__((section(\".log\"))) int log = 1;\n\
        __attribute__((section(\".noinit\"))) int fast = 1;\n\
        int main(void) { brownout_checkpoint(); log = log + 1; fast = fast + 1; brownout_checkpoint(); return 0; }";
    let regions =
        "MEMORY { RAM (rw) : ORIGIN = 0x1C00, LENGTH = 2K FRAM : ORIGIN = 0x4400, LENGTH = 32K }\n";
    let kept = "SECTIONS { .log : { *(.log) } > FRAM .noinit (NOLOAD) : { *(.noinit) } > RAM }";
    let lost = "SECTIONS { .log : { *(.log) } > RAM }";
    let scratch = scratch();
    let source = program(&scratch, text);
    let findings = |chip: bool, sections: &str, as_flag: bool| {
        let script = scratch
            .file("app.ld", format!("{regions}{sections}"))
            .unwrap();
        let mut list = arguments([&"check", &"--format", &"concise", &source]);
        if chip {
            list.extend(arguments([&"--set", &"chip=msp430fr5969"]));
        }
        match as_flag {
            true => list.extend(arguments([&"--", &"-T", &script])),
            false => list.extend(arguments([&script])),
        }
        let ended = run(&list);
        let told = String::from_utf8_lossy(&ended.stdout).into_owned();
        (told.contains("`log`"), told.contains("`fast`"))
    };
    for as_flag in [true, false] {
        // Where a chip knows the address, it says what is there; else names do.
        assert_eq!(findings(true, kept, as_flag), (true, false));
        assert_eq!(findings(false, kept, as_flag), (true, true));
        assert_eq!(findings(true, lost, as_flag), (false, true));
        assert_eq!(findings(false, lost, as_flag), (false, true));
    }
    let missing = scratch.path().join("none.ld");
    let ended = run(&arguments([&"check", &source, &missing]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("none.ld"), "{}", ended.stderr);
}

/// What a linker script does not load holds anything before the first boot: a program that takes zeros for granted is told.
#[test]
fn sections_that_are_not_loaded() {
    let text = "#include <stdio.h>\n__attribute__((section(\".log\"))) int log;\n\
        int main(void) { printf(\"%d\", log == 0); return 0; }";
    let scratch = scratch();
    let source = program(&scratch, text);
    let regions = "MEMORY { FRAM : ORIGIN = 0x4400, LENGTH = 32K }\n";
    for (mark, zero) in [("", "1"), ("(NOLOAD)", "0")] {
        let sections = format!("{regions}SECTIONS {{ .log {mark} : {{ *(.log) }} > FRAM }}");
        let script = scratch.file("app.ld", sections).unwrap();
        let list = arguments([
            &"run",
            &"-q",
            &"--set",
            &"chip=msp430fr5969",
            &source,
            &script,
        ]);
        let ended = run(&list);
        assert_eq!(
            String::from_utf8_lossy(&ended.stdout),
            zero,
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn addresses_that_the_target_does_not_reach() {
    for address in ["0x10000", "0x2", "0xfffe", "0xffffffffffffffff", "0"] {
        let text = format!(
            "#include <stdio.h>\nint x[2] @ {address};\nint y = 4;\n\
             int main(void) {{ x[1] = 3; printf(\"%d %d\", x[1], y); return 0; }}"
        );
        for config in ["", CHIP] {
            assert_eq!(printed(&text, config, &[]), "3 4", "{address}");
        }
    }
}

#[test]
fn memory_at_addresses_has_contents() {
    let scratch = scratch();
    let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
    scratch.file("info.bin", bytes).unwrap();
    let config =
        "[[memory.map]]\nat = \"0x8000\"\nsize = 512\nnonvolatile = true\nimage = \"info.bin\"\n";
    scratch.file("brownout.toml", config).unwrap();
    let text = "#include <stdio.h>\n#pragma LOCATION(x, 0x8002)\nunsigned char x;\n\
        int main(void) { unsigned sum = 0; unsigned char *p = (unsigned char *)0x8000;\n\
          for (int i = 0; i < 512; i++) sum += p[i]; printf(\"%u %d\", sum, x); return 0; }";
    let ended = run(&arguments([&"run", &"-q", &program(&scratch, text)]));
    assert_eq!(
        String::from_utf8_lossy(&ended.stdout),
        format!("{} 2", 255 * 256),
        "{}",
        ended.stderr
    );
    scratch
        .file("brownout.toml", config.replace("info", "none"))
        .unwrap();
    let ended = run(&arguments([&"run", &program(&scratch, text)]));
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("none.bin"), "{}", ended.stderr);
}

#[test]
fn nobody_wakes_a_program_that_enables_nothing() {
    let text = "#include <msp430.h>\n#pragma PERSISTENT(count)\nunsigned count = 0;\n\
        void __attribute__((interrupt(PORT1_VECTOR))) press(void) { count++; LPM4_EXIT; }\n\
        int main(void) { P1IE ENABLED BIT3; for (;;) { __bis_SR_register(LPM4_bits | GIE); P1IE &= ~BIT3; } }";
    let (status, told) = checked(&text.replace("ENABLED", "="), CHIP, &[]);
    assert_eq!(status, Some(2), "{told}");
    assert!(told.contains("no interrupt is enabled"), "{told}");
    // Somebody enables it of whom nothing is seen.
    let (status, told) = checked(&text.replace("ENABLED", "&="), CHIP, &[]);
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn interrupts_that_the_chip_does_not_have() {
    let text = "#include <msp430.h>\n#pragma PERSISTENT(count)\nunsigned count = 0;\n\
        #define TIMER7_A0_VECTOR 5\n\
        void __attribute__((interrupt(TIMER7_A0_VECTOR))) tick(void) { count++; }\n\
        int main(void) { __enable_interrupt(); for (;;) { } }";
    let (_, told) = checked(text, CHIP, &[]);
    let expected = "`tick` handles `TIMER7_A0_VECTOR`, which is no interrupt of msp430fr5969";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn what_a_chip_computes_is_no_reading() {
    let text = "#include <msp430.h>\n#pragma PERSISTENT(large)\nunsigned large = 0;\n\
        void checkpoint(void);\nint main(void) { WDTCTL = WDTPW | WDTHOLD; checkpoint();\n\
        MPY = 7; OP2 = 20; if (RESLO > 100) large = 1; checkpoint(); return 0; }";
    let (status, told) = checked(text, CHIP, &[]);
    assert_eq!(status, Some(2), "{told}");
    let expected = "`RESLO`: what the chip computes is not emulated";
    assert!(told.contains(expected), "{told}");
    assert!(!told.contains("nothing says what"), "{told}");
}

#[test]
fn a_chip_defines_its_macro() {
    let text = "#include <msp430.h>\n#ifndef __MSP430FR5969__\n#error another chip\n#endif\n\
        #pragma PERSISTENT(count)\nunsigned count = 0;\n\
        int main(void) { WDTCTL = WDTPW | WDTHOLD; count = 1; return 0; }";
    let (status, told) = checked(text, CHIP, &[]);
    assert_eq!(status, Some(0), "{told}");
}

const TASKS: &str = "#define NV __attribute__((section(\".nv\")))\n\
    typedef void (*task_t)(void);\nvoid sense(void); void report(void);\n\
    NV task_t current = sense;\nNV unsigned total;\nunsigned reading;\n\
    void sense(void) { reading = 21; current = report; }\n\
    void report(void) { total = READ; current = sense; }\n\
    int main(void) { for (;;) current(); }\n";

#[test]
fn ram_that_tasks_hand_on_is_lost() {
    let config =
        "[power]\npolicy = \"tasks\"\ntasks = [\"sense\", \"report\"]\nrestart = \"main\"\n";
    let (status, told) = checked(&TASKS.replace("READ", "reading"), config, &[]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("a reboot loses `reading`"), "{told}");
    let (status, told) = checked(&TASKS.replace("READ", "21"), config, &[]);
    assert_eq!(status, Some(0), "{told}");
    assert!(!told.contains("a reboot loses"), "{told}");
}

#[test]
fn tasks_that_the_compiler_drops_do_nothing() {
    let text = "int count, copy;\nstatic void store(void) {}\n\
        static void compute(void) { copy = count + 1; count = copy; }\n\
        int main(void) { compute(); store(); return 0; }\n";
    let config = "[power]\npolicy = \"tasks\"\ntasks = [\"compute\", \"store\"]\n";
    let (status, told) = checked(text, config, &["--", "-O1"]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("task `store` does nothing"), "{told}");
    let (status, told) = checked(text, &config.replace("store", "restore"), &["--", "-O1"]);
    assert_eq!(status, Some(2), "{told}");
}
