//! Inputs, outputs and device registers of a configuration.

use crate::{arguments, printed, program, run, scratch};

const SENSE: &str = "#include <stdio.h>\nint read_temp(void);\n\
    int main(void) { for (int i = 0; i < 5; i++) printf(\"%d \", read_temp()); return 0; }";

#[test]
fn values_are_cycled() {
    assert_eq!(
        printed(
            SENSE,
            "[[input]]\nfunction = \"read_temp\"\nvalues = [21, -22, 40]\n",
            &[]
        ),
        "21 -22 40 21 -22 "
    );
}

#[test]
fn a_constant() {
    assert_eq!(
        printed(
            SENSE,
            "[[input]]\nfunction = \"read_temp\"\nconstant = 7\n",
            &[]
        ),
        "7 7 7 7 7 "
    );
}

#[test]
fn a_range() {
    let numbers = |seed: u32| {
        let config =
            format!("[[input]]\nfunction = \"read_temp\"\nrange = [-5, 5]\nseed = {seed}\n");
        let text = printed(SENSE, &config, &[]);
        text.split_whitespace()
            .map(|number| number.parse::<i32>().unwrap())
            .collect::<Vec<_>>()
    };
    assert!(numbers(7).iter().all(|number| (-5..=5).contains(number)));
    assert_eq!(numbers(7), numbers(7));
    assert_ne!(numbers(7), numbers(8));
}

#[test]
fn a_trace() {
    let scratch = scratch();
    scratch.file("temps.csv", "1,30\n2,31\n3,32\n").unwrap();
    scratch
        .file(
            "brownout.toml",
            "[[input]]\nfunction = \"read_temp\"\ntrace = \"temps.csv\"\n",
        )
        .unwrap();
    let ended = run(&arguments([&"run", &"-q", &program(&scratch, SENSE)]));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "30 31 32 32 32 ");
}

#[test]
fn an_input_without_values_is_random_and_says_so() {
    let scratch = scratch();
    scratch
        .file("brownout.toml", "[[input]]\nfunction = \"read_temp\"\n")
        .unwrap();
    let source = program(&scratch, SENSE);
    let ended = run(&arguments([&"run", &source]));
    assert_eq!(ended.status, Some(0));
    assert!(ended.stderr.contains("read_temp"), "{}", ended.stderr);
    assert_eq!(run(&arguments([&"run", &source])).stdout, ended.stdout);
}

#[test]
fn an_annotated_input() {
    let text = "#include <brownout.h>\n#include <stdio.h>\nint read_temp(void) BROWNOUT_INPUT;\n\
                int main(void) { int a = read_temp(); printf(\"%d\", a == a); return 0; }";
    assert_eq!(printed(text, "", &[]), "1");
}

#[test]
fn an_input_takes_the_place_of_a_definition() {
    let text = "#include <stdio.h>\n__attribute__((noinline)) int read_temp(void) { return 1; }\n\
                int main(void) { printf(\"%d\", read_temp()); return 0; }";
    assert_eq!(
        printed(
            text,
            "[[input]]\nfunction = \"read_temp\"\nconstant = 9\n",
            &[]
        ),
        "9"
    );
}

#[test]
fn inputs_of_every_width() {
    for (ty, format, expected) in [
        ("signed char", "%d", "-2"),
        ("unsigned char", "%d", "254"),
        ("long", "%ld", "-2"),
        ("unsigned short", "%u", "65534"),
        ("long long", "%lld", "-2"),
        ("_Bool", "%d", "0"),
    ] {
        let text = format!(
            "#include <stdio.h>\n{ty} sense(void);\nint main(void) {{ printf(\"{format}\", sense()); return 0; }}"
        );
        for target in ["msp430", "x86_64"] {
            let config = "[[input]]\nfunction = \"sense\"\nconstant = -2\n";
            assert_eq!(
                printed(&text, config, &["--target", target]),
                expected,
                "{ty} on {target}"
            );
        }
    }
}

#[test]
fn outputs_and_ignored_functions_do_nothing() {
    let text = "#include <stdio.h>\nvoid rotate(int degrees); int beep(long, double); struct s { int a[8]; };\n\
                struct s state(void); void variadic(const char *, ...);\n\
                int main(void) { rotate(3); variadic(\"x\", 1, 2.0); printf(\"%d %d\", beep(1, 2), state().a[7]); return 0; }";
    let config = "ignore = [\"beep\", \"state\", \"variadic\"]\n[[output]]\nfunction = \"rotate\"\nsemantics = \"relative\"\n";
    assert_eq!(printed(text, config, &[]), "0 0");
}

#[test]
fn checkpoints_need_no_definition() {
    let text = "#include <brownout.h>\n#include <stdio.h>\nBROWNOUT_NV int count;\n\
                int main(void) {\n  brownout_checkpoint();\n  count++;\n  brownout_checkpoint_with(&count, sizeof count);\n\
                  brownout_atomic_begin();\n  brownout_atomic_end();\n  printf(\"%d\", count);\n  return 0;\n}";
    assert_eq!(printed(text, "", &[]), "1");
    assert_eq!(printed(text, "", &["--target", "x86_64", "--", "-O2"]), "1");
}

#[test]
fn registers_can_be_read_and_written() {
    let text = "#include <stdio.h>\nextern volatile unsigned char P1OUT, P1DIR; extern volatile unsigned ADC[4];\n\
                int main(void) { P1OUT = 3; P1OUT |= 0x80; ADC[3] = 7; printf(\"%d %d %u\", P1OUT, P1DIR, ADC[3]); return 0; }";
    assert_eq!(printed(text, "", &[]), "131 0 7");
    let scratch = scratch();
    let ended = run(&arguments([&"run", &program(&scratch, text)]));
    let line = ended
        .stderr
        .lines()
        .find(|line| line.starts_with("device registers:"))
        .unwrap();
    for name in ["P1OUT", "P1DIR", "ADC"] {
        assert!(line.contains(name), "{line}");
    }
}

#[test]
fn a_register_that_is_an_input() {
    let text = "#include <stdio.h>\nextern volatile unsigned ADC12MEM0;\n\
                int main(void) { for (int i = 0; i < 4; i++) printf(\"%u \", ADC12MEM0); return 0; }";
    assert_eq!(
        printed(
            text,
            "[[input]]\nregister = \"ADC12MEM0\"\nvalues = [1, 2, 3]\n",
            &[]
        ),
        "1 2 3 1 "
    );
}

#[test]
fn registers_of_a_device_header() {
    let text = "#include <msp430.h>\nint main(void) { WDTCTL = WDTPW | WDTHOLD; P1DIR |= BIT0; P1OUT ^= BIT0; return P1OUT - 1; }";
    assert_eq!(printed(text, "", &[]), "");
}

#[test]
fn registers_at_fixed_addresses() {
    let text = "#include <stdint.h>\n#include <stdio.h>\n#define R (*(volatile uint16_t *)0x0200)\n\
                int main(void) { R = 0x1234; R += 1; printf(\"%x\", (unsigned)R); return 0; }";
    assert_eq!(printed(text, "", &[]), "1235");
    let text = text.replace("0x0200", "0x40020000u");
    assert_eq!(printed(&text, "", &["--target", "thumbv6m"]), "1235");
}

#[test]
fn registers_at_fixed_addresses_are_inputs_and_outputs() {
    let text = "#include <stdint.h>\n#include <stdio.h>\n#define R (*(volatile uint16_t *)0x0200)\n\
                volatile uintptr_t where = 0x0340;\n\
                int main(void) { volatile uint16_t *p = (volatile uint16_t *)where;\n\
                for (int i = 0; i < 3; i++) printf(\"%u %u \", (unsigned)R, (unsigned)*p); return 0; }";
    // The second address is computed: only the configuration knows it.
    let config = "[[input]]\nregister = \"0x200\"\nmask = 0x0f\nvalues = [0x31, 0x32]\n\
                  [[input]]\nregister = \"0X0340\"\nvalues = [7, 8, 9]\n";
    assert_eq!(printed(text, config, &[]), "1 7 2 8 1 9 ");
}

#[test]
fn registers_cannot_be_where_variables_are() {
    for (address, message) in [
        ("0x1c10", "a device register cannot be at 0x1c10"),
        ("0x4", "a device register cannot be at 0x4"),
        ("0xfffffffffffffffff", "0xfffffffffffffffff"),
        ("0xADCMEM", "0xADCMEM"),
    ] {
        let scratch = scratch();
        let config = format!("[[input]]\nregister = \"{address}\"\nconstant = 1\n");
        scratch.file("brownout.toml", &config).unwrap();
        let source = program(&scratch, "int x = 1; int main(void) { return x; }");
        let ended = run(&arguments([&"run", &source]));
        assert_eq!(ended.status, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
}

/// What `check` says of a program with a configuration, and its exit status.
pub(crate) fn checked(text: &str, config: &str, options: &[&str]) -> (Option<i32>, String) {
    let scratch = scratch();
    let config = scratch.file("brownout.toml", config).unwrap();
    let source = program(&scratch, text);
    let mut all = arguments([&"check", &source, &"--config", &config]);
    all.extend(options.iter().map(std::ffi::OsStr::new));
    let ended = run(&all);
    (ended.status, ended.stderr)
}

/// A register that nothing describes is zero in the emulator: what depends on it was not checked.
#[test]
fn registers_that_nothing_describes_are_unknown() {
    let by_name = "#include <msp430.h>\n#pragma PERSISTENT(total)\nunsigned total = 0;\n\
                   int main(void) { for (int i = 0; i < 5; i++) if (ADC12MEM0 > 100) total += i; return 0; }";
    let by_address = "__attribute__((section(\".persistent\"))) unsigned total;\n\
                      static unsigned read(unsigned long at) { return *(volatile unsigned short *)at; }\n\
                      int main(void) { for (int i = 0; i < 5; i++) if (read(0x0700) > 100) total += i; return 0; }";
    for (text, name) in [(by_name, "ADC12MEM0"), (by_address, "0x0700")] {
        let (status, told) = checked(text, "", &[]);
        assert_eq!(status, Some(2), "{told}");
        let message = format!("error: `{name}` is read, and nothing says what it gives");
        assert!(told.contains(&message), "{told}");
        assert!(told.contains(&format!("register = \"{name}\"")), "{told}");
        let config = format!("[[input]]\nregister = \"{name}\"\nconstant = 7\n");
        let (_, told) = checked(text, &config, &[]);
        assert!(!told.contains("error:"), "{told}");
    }
    // What was written is what is read.
    let written = "#include <msp430.h>\n#pragma PERSISTENT(total)\nunsigned total = 0;\n\
                   int main(void) { P1DIR |= BIT0; P1OUT ^= BIT0; total = 1; return 0; }";
    let (status, told) = checked(written, "", &[]);
    assert_eq!(status, Some(0), "{told}");
}

/// Tasks of a kernel that is not there are checked as entries: under `restart` nothing but executions
/// looks at them.
#[test]
fn tasks_of_a_kernel_are_entries() {
    let text = "void start(void (*task)(void *), void *);\nvoid run(void);\nint adc(void);\n\
                __attribute__((section(\".persistent\"))) static int count, sum;\n\
                static void sense(void *unused) { for (;;) { ORDER } }\n\
                static void blink(void *unused) { for (;;) run(); }\n\
                int main(void) { start(sense, 0); start(blink, 0); run(); for (;;) ; }";
    let config = "ignore = [\"start\", \"run\"]\n[[input]]\nfunction = \"adc\"\nrange = [1, 9]\n";
    let torn = text.replace("ORDER", "sum += adc(); count++;");
    let (status, told) = checked(&torn, config, &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("summary of sense: 1 error"), "{told}");
    assert!(told.contains("summary of blink: nothing found"), "{told}");
    let whole = text.replace("ORDER", "sum += adc();");
    let (status, told) = checked(&whole, config, &[]);
    assert_eq!(status, Some(0), "{told}");
}

/// What a receiver keeps in a register is not the program's; interrupts come while it waits for a flag.
#[test]
fn an_interrupt_driven_receiver() {
    let text = "#include <msp430.h>\n#include <stdint.h>\n#define N 8\n\
        #pragma PERSISTENT(ring)\nstatic uint8_t ring[N] = {0};\n\
        #pragma PERSISTENT(head)\nstatic volatile uint8_t head = 0;\n\
        #pragma PERSISTENT(tail)\nstatic volatile uint8_t tail = 0;\n\
        #pragma PERSISTENT(total)\nstatic uint16_t total = 0;\n\
        #pragma vector=USCI_A0_VECTOR\n\
        __interrupt void receive(void) { switch (__even_in_range(UCA0IV, 8)) { case 2: {\n\
          uint8_t c = UCA0RXBUF, next = (head + 1) % N;\n\
          if (next != tail) { ring[head] = c; head = next; }\n\
          __bic_SR_register_on_exit(LPM0_bits); } default: break; } }\n\
        int main(void) { WDTCTL = WDTPW | WDTHOLD; UCA0IE |= UCRXIE;\n\
          for (;;) { __bis_SR_register(LPM0_bits | GIE);\n\
            while (tail != head) { uint8_t c = ring[tail]; while (!(UCA0IFG & UCTXIFG)) {}\n\
              UCA0TXBUF = c; ORDER } } }\n";
    let config = "chip = \"msp430fr5969\"\n[[register]]\nname = \"UCA0TXBUF\"\nmmio = \"output\"\n";
    // Counted after it is taken out of the ring: lost if power fails in between.
    let lost = text.replace("ORDER", "tail = (tail + 1) % N; total += c;");
    let (status, told) = checked(&lost, config, &[]);
    assert_eq!(status, Some(1), "{told}");
    // Nothing is kept but the ring.
    let kept = text.replace("ORDER", "tail = (tail + 1) % N;");
    let (status, told) = checked(&kept, config, &[]);
    assert_eq!(status, Some(0), "{told}");
}

/// A loop that waits for ticks ends after as many as it waits for, at once, awake or asleep; a handler that decides something
/// comes one time after the other, with the same result.
#[test]
fn ticks_that_a_program_waits_for() {
    let awake = "#include <stdint.h>\n#include <stdio.h>\n\
        __attribute__((section(\".fram\"))) int kept;\n\
        volatile uint32_t ms, tens; volatile uint16_t twice;\n\
        void SysTick_Handler(void) { ms++; twice += 2; DECIDES }\n\
        int main(void) { uint32_t start = ms;\n\
        while ((uint16_t)(twice - 2 * start) < 600) {} printf(\"%u \", (unsigned)(ms - start));\n\
        start = ms; while (ms < start + 30000) {} printf(\"%u \", (unsigned)(ms - start));\n\
        start = ms; while (ms - start != 77) {} printf(\"%u\", (unsigned)(ms - start)); return 0; }\n";
    let asleep = "#include <stdint.h>\n#include <stdio.h>\n\
        __attribute__((section(\".fram\"))) int kept;\n\
        volatile uint32_t ms, tens;\n\
        void SysTick_Handler(void) { ms++; DECIDES }\n\
        int main(void) { uint32_t start = ms;\n\
        while (ms - start < 7000) __asm__ volatile(\"wfi\");\n\
        printf(\"%u\", (unsigned)(ms - start)); return 0; }\n";
    let scratch = scratch();
    let source = program(&scratch, awake);
    for (text, expected) in [(awake, "300 30000 77"), (asleep, "7000")] {
        for (decides, is_skipped) in [("", true), ("if (ms % 10 == 0) tens++;", false)] {
            std::fs::write(&source, text.replace("DECIDES", decides)).unwrap();
            let ended = run(&arguments([
                &"run",
                &"--target",
                &"thumbv7m",
                &"--max-instructions",
                &"10000",
                &source,
            ]));
            let told = String::from_utf8_lossy(&ended.stdout);
            assert_eq!(
                told.as_ref() == expected,
                is_skipped,
                "{told}{}",
                ended.stderr
            );
            let ended = run(&arguments([&"run", &"--target", &"thumbv7m", &source]));
            let told = String::from_utf8_lossy(&ended.stdout);
            assert_eq!(told, expected, "{}", ended.stderr);
        }
    }
}
