//! Programs as other compilers take them: each is checked as it is, and every word that places an
//! object is understood or said not to be.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use crate::{arguments, run, scratch};

const SKETCH: &str = "\
#include <Arduino.h>
class Counter {
public:
  constexpr explicit Counter(int step) : step(step) {}
  virtual void press() { total = total + step; }
  int value() const { return total; }
protected:
  int step;
  int total = 0;
};
__attribute__((section(\".persistent\"))) Counter presses(1);
__attribute__((section(\".persistent\"))) int seen;
const int led = 13;
void setup() { pinMode(led, OUTPUT); }
void loop() {
  if (presses.value() < 5) {
    presses.press();
    seen = presses.value();
  }
  digitalWrite(led, seen & 1 ? HIGH : LOW);
}
";

const TI: &str = "\
#include <msp430fr5969.h>
#include <stdint.h>
#pragma PERSISTENT(samples)
uint16_t samples = 0;
#pragma NOINIT(last)
uint16_t last;
#pragma DATA_SECTION(table, \".TI.persistent\")
uint16_t table[4] = {1, 2, 3, 4};
#pragma LOCATION(info, 0x1880)
uint16_t info = 7;
#pragma RETAIN(info)
volatile uint16_t ready;
#pragma vector = ADC12_VECTOR
__interrupt void adc(void) { last = ADC12MEM0; ready = 1; __bic_SR_register_on_exit(LPM0_bits); }
void main(void) {
  WDTCTL = WDTPW | WDTHOLD;
  PM5CTL0 &= ~LOCKLPM5;
  P1DIR |= BIT0;
  samples = samples + 1;
  table[samples & 3] = samples;
  P1OUT ^= BIT0;
  __no_operation();
}
";

const IAR: &str = "\
#include <io430.h>
#include <intrinsics.h>
#include \"kept.h\"
__persistent unsigned int total = 0;
static unsigned int config @ \".FRAM\" = 3;
__root const char version[] = \"1.0\";
#pragma location = 0x1900
__no_init unsigned int calibration;
#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) { __low_power_mode_off_on_exit(); }
int main(void) {
  WDTCTL = WDTPW + WDTHOLD;
  __disable_interrupt();
  boots = boots + 1;
  total = total + config + placed;
  __no_operation();
  return 0;
}
";

/// A header with `@`, as IAR's projects have them.
const KEPT: &str = "\
#define INFO_D 0x1800u
#define FRAM \".fram_kept\"
__no_init unsigned int boots @ 0x1880;
unsigned int placed @ INFO_D;
unsigned int named @ FRAM;
";

const OLD: &str = "\
#define NV __attribute__((section(\".nv\")))
NV int total;
NV static log[4];
add(a, b)
int a, b;
{
  return a + b;
}
char *name(n)
{
  return n ? \"odd\" : \"even\";
}
main()
{
  register i;
  for (i = 0; i < 3; i++) {
    total = add(total, i);
    log[i] = total;
    printf(\"%s %d\\n\", name(total & 1), total);
  }
  exit(0);
}
";

#[test]
fn programs_of_other_compilers_are_checked_as_they_are() {
    let scratch = scratch();
    scratch.file("kept.h", KEPT).unwrap();
    let cases = [
        ("sketch.cpp", SKETCH, "`presses"),
        ("ti.c", TI, "`samples`"),
        ("iar.c", IAR, "`boots`"),
        ("old.c", OLD, "`total`"),
    ];
    for (name, text, object) in cases {
        let source = scratch.file(name, text).unwrap();
        let ended = run(&arguments([&"check", &source]));
        assert_eq!(ended.status, Some(1), "{name}: {}", ended.stderr);
        let text = String::from_utf8_lossy(&ended.stdout);
        assert!(
            text.contains("error[war]") && text.contains(object),
            "{name}: {text}"
        );
    }
}

/// Declarations of `x`, each with a number of its own.
fn numbered(words: &[&str]) -> String {
    let words = words.iter().enumerate();
    let words = words.map(|(number, word)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut text = String::new();
        let mut rest = *word;
        while let Some(at) = rest.find('x') {
            let before = rest[..at].chars().next_back();
            let after = rest[at + 1..].chars().next();
            let alone = !before.is_some_and(is_part) && !after.is_some_and(is_part);
            text.push_str(&rest[..=at]);
            if alone {
                text.push_str(&number.to_string());
            }
            rest = &rest[at + 1..];
        }
        text + rest + "\n"
    });
    words.collect()
}

/// How `dump memory` says that objects are kept.
fn kept(source: &Path, options: &[&str]) -> BTreeMap<String, bool> {
    let mut list = arguments([&"dump", &"memory", &source]);
    list.extend(options.iter().map(OsStr::new));
    let ended = run(&list);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let lines = text.lines().filter_map(|line| {
        let mut columns = line.split_whitespace().skip(1);
        let name = columns.next()?.to_owned();
        Some((name, columns.nth(1)? == "non-volatile"))
    });
    lines.collect()
}

#[test]
fn every_word_that_places_an_object() {
    let words = [
        "#pragma PERSISTENT(x)\nint x = 1;",
        "#pragma PERSISTENT\nint x = 1;",
        "#pragma NOINIT(x)\nint x;",
        "#pragma DATA_SECTION(x, \".fram_log\")\nint x;",
        "#pragma DATA_SECTION(\".fram_log\")\nint x;",
        "#pragma SET_DATA_SECTION(\".fram_all\")\nint x;\n#pragma SET_DATA_SECTION()",
        "#pragma location = \".FRAM\"\nint x;",
        "#define KEEP _Pragma(\"PERSISTENT(x)\")\nKEEP\nint x = 1;",
        "__attribute__((persistent)) int x = 1;",
        "int __attribute__((noinit)) x;",
        "#define NVM __attribute__((persistent))\nNVM int x = 1;",
        "#include \"nvm.h\"\nNVM int x = 1;",
        "__attribute__((section(\".fram\"))) int x;",
        "__attribute__((section(\".fram_vars\"))) int x;",
        "__attribute__((section(\"FRAMVARS\"))) int x;",
        "__attribute__((section(\".mram\"))) int x;",
        "__attribute__((section(\".nvram\"))) int x;",
        "__attribute__((section(\".backup\"))) int x;",
        "__attribute__((section(\".TI.persistent\"))) int x = 1;",
        "__attribute__((section(\".upper.persistent\"))) int x = 1;",
        "__persistent int x = 1;",
        "__no_init int x;",
        "int x @ \".FRAM\";",
        "#define WHERE \".FRAM\"\nint x @ WHERE;",
    ];
    let scratch = scratch();
    scratch
        .file("nvm.h", "#define NVM __attribute__((persistent))\n")
        .unwrap();
    scratch
        .file("placed.h", "/* a@b */ extern int y;\nint z @ \".FRAM\";\n")
        .unwrap();
    let text = format!(
        "#include \"placed.h\"\n{}int y;\nint main(void) {{ return y; }}\n",
        numbered(&words)
    );
    let source = scratch.file("program.c", text).unwrap();
    let kept = kept(&source, &[]);
    for (number, word) in words.iter().enumerate() {
        assert_eq!(kept.get(&format!("x{number}")), Some(&true), "{word}");
    }
    assert_eq!(kept.get("y"), Some(&false));
    assert_eq!(kept.get("z"), Some(&true));
}

#[test]
fn addresses_are_understood_with_a_chip_and_pointed_out_without() {
    let words = [
        "#pragma LOCATION(x, 0x1880)\nint x;",
        "#pragma LOCATION(0x1880)\nint x;",
        "#pragma location = 0x1880\nint x;",
        "__attribute__((location(0x1880))) int x;",
        "int x @ 0x1880;",
        "#define INFO 0x1880u\nint x @ INFO;",
    ];
    let scratch = scratch();
    let text = format!(
        "{}__attribute__((section(\".nv\"))) int kept;\nint main(void) {{ kept = kept + 1; return 0; }}\n",
        numbered(&words)
    );
    let source = scratch.file("program.c", text).unwrap();
    let kept = kept(&source, &["--set", "chip=\"msp430fr5969\""]);
    let ended = run(&arguments([&"check", &source]));
    for (number, word) in words.iter().enumerate() {
        assert_eq!(kept.get(&format!("x{number}")), Some(&true), "{word}");
        let told = ended.stderr.contains(&format!("`x{number}`"));
        assert!(told, "{word}: {}", ended.stderr);
    }
    assert!(
        ended.stderr.contains("taken to be volatile"),
        "{}",
        ended.stderr
    );
}

#[test]
fn places_in_rewritten_files_are_those_of_the_files() {
    let scratch = scratch();
    scratch.file("kept.h", KEPT).unwrap();
    let source = scratch.file("iar.c", IAR).unwrap();
    let ended = run(&arguments([&"check", &"--format", &"concise", &source]));
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(text.contains("iar.c:14:"), "{text}");
}
