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
        "extern __attribute__((persistent)) int x;\nint x = 1;",
        "int x = 1;\nextern int x __attribute__((persistent));",
        "#pragma location=\".FRAM\"\nstruct { int a, b; } x = {0, 0};",
        "#pragma PERSISTENT\nstruct { struct { int a; } b; } x = { { 1 } };",
        "#pragma NOINIT\nenum { FIRST, SECOND } x;",
        "[[gnu::persistent]] int x = 1;",
        "int x [[gnu::noinit]];",
        "[[gnu::section(\".fram\")]] int x;",
        "#pragma object_attribute=__persistent\nint x = 1;",
        "#pragma type_attribute=__no_init\nint x;",
        "#pragma default_variable_attributes = @ \".FRAM\"\nint x;\n#pragma default_variable_attributes =",
        "#pragma dataseg=FRAM_SEG\nint x;\n#pragma dataseg=default",
        "int plain_before_x, x __attribute__((persistent)) = 0;",
        "int (*x[2])(void) __attribute__((noinit));",
        "int f(void);\nint g(void) { static int other; return other; }\n__attribute__((noinit)) int x[sizeof(int)];",
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
    let plain = kept.iter().filter(|(name, _)| name.starts_with("plain"));
    assert!(plain.clone().count() == 1 && plain.clone().all(|(_, is_kept)| !is_kept));
}

/// A program with `x` behind a word that the command line explains.
const EXPLAINED: &str = "\
__attribute__((persistent)) int boots = 1;
NVM int x = 1;
int y;
int main(void) { return x + y + boots; }
";

#[test]
fn words_that_the_command_line_explains() {
    let scratch = scratch();
    let source = scratch.file("program.c", EXPLAINED).unwrap();
    let header = "#define NVM __attribute__((persistent))\n";
    let header = scratch.file("nvm_words.h", header).unwrap();
    let header = header.to_str().unwrap();
    let folder = source.parent().unwrap().to_str().unwrap();
    let of_iar = scratch.file("iar_words.h", "#define NVM __persistent\n");
    let of_iar = of_iar.unwrap();
    let cases: [&[&str]; 6] = [
        &["--", "-DNVM=__attribute__((persistent))"],
        &["--", "-DNVM=__persistent"],
        &["--", "-include", header],
        &["--", "-imacros", header],
        &["--", "-include", of_iar.to_str().unwrap()],
        &["--", "-isystem", folder, "-include", "nvm_words.h"],
    ];
    for options in cases {
        let kept = kept(&source, options);
        assert_eq!(kept.get("x"), Some(&true), "{options:?}");
        assert_eq!(kept.get("y"), Some(&false), "{options:?}");
    }
    let included = format!("#include <nvm_words.h>\n{EXPLAINED}");
    let source = scratch.file("included.c", included).unwrap();
    let kept = kept(&source, &["--", "-isystem", folder]);
    assert_eq!(kept.get("x"), Some(&true));
}

#[test]
fn members_of_classes_and_namespaces() {
    let text = "\
class Meter { public: static unsigned a, plain; static __attribute__((persistent)) unsigned b; };
[[gnu::persistent]] unsigned Meter::a = 0;
unsigned Meter::b = 0;
unsigned Meter::plain = 0;
namespace one { [[gnu::noinit]] int c; }
namespace two { int plain_too; extern int d; }
[[using gnu: persistent]] int d{3};
int two::d = 4;
template<class T> struct Of { static T e; };
template<class T> [[gnu::persistent]] T Of<T>::e = 0;
int main() { return Meter::a + Meter::b + Meter::plain + one::c + two::plain_too + Of<int>::e + d + two::d; }
";
    let scratch = scratch();
    let source = scratch.file("program.cpp", text).unwrap();
    let ended = run(&arguments([&"dump", &"memory", &source]));
    let told = String::from_utf8_lossy(&ended.stdout);
    let count = |words: [&str; 2]| {
        let lines = told.lines();
        let found = lines.filter(|line| words.iter().all(|word| line.contains(word)));
        found.count()
    };
    for (name, kept, plain) in [
        ("a", 1, 0),
        ("b", 1, 0),
        ("c", 1, 0),
        ("d", 1, 1),
        ("e", 1, 0),
    ] {
        let name = format!(" {name} ");
        assert_eq!(
            count([&name, ".persistent "]) + count([&name, ".noinit "]),
            kept,
            "{name}: {told}"
        );
        assert_eq!(count([&name, "globals "]), plain, "{name}: {told}");
    }
    let plain = ["plain", "plain_too"].map(|name| count([&format!(" {name} "), "globals "]));
    assert_eq!(plain, [1, 1], "{told}");
}

#[test]
fn what_is_said_about_one_object_is_not_said_about_others() {
    let scratch = scratch();
    // A pragma is about its translation unit.
    let one = "#pragma NOINIT(state)\nstatic unsigned state;\nvoid log_it(void);\n\
        int main(void) { state = 7; log_it(); return 0; }\n";
    let other = "static unsigned state;\nvoid log_it(void) { state = state + 1; }\n";
    let one = scratch.file("one.c", one).unwrap();
    let other = scratch.file("other.c", other).unwrap();
    let ended = run(&arguments([&"dump", &"memory", &one, &other]));
    let told = String::from_utf8_lossy(&ended.stdout);
    let of_state: Vec<&str> = told
        .lines()
        .filter(|line| line.contains(" state "))
        .collect();
    let said = of_state.iter().filter(|line| line.starts_with(".noinit "));
    assert_eq!((of_state.len(), said.count()), (2, 1), "{told}");
    // An attribute after a name is about that one, a keyword before all names is about all.
    let text = "\
unsigned n, keep __attribute__((persistent)) = 0;
__no_init unsigned q, r @ 0x1980;
int main(void) { n++; keep++; q++; return r; }
";
    let source = scratch.file("commas.c", text).unwrap();
    let kept = kept(&source, &[]);
    let expected = [("n", false), ("keep", true), ("q", true), ("r", true)];
    for (name, is_kept) in expected {
        assert_eq!(kept.get(name), Some(&is_kept), "{name}");
    }
}

#[test]
fn words_that_nobody_understands_are_said() {
    let text = "\
__attribute__((persistent)) unsigned boots = 1;
#pragma arm section zidata = \".nv_zone\"
unsigned x0;
#pragma arm section
unsigned y0;
#pragma DATA_SEG MINE
unsigned x1;
#pragma DATA_SEG DEFAULT
unsigned y1;
__attribute__((battery_backed)) unsigned x2;
__attribute__((upper)) unsigned x3;
__attribute__((at(0x1800))) unsigned x4;
__attribute__((address(0x1800 + 4))) unsigned x5;
__attribute__((aligned(2), used)) unsigned y2;
#pragma pack(1)
unsigned y3;
int main(void) { x0++; x1++; x2++; x3++; x4++; x5++; y0++; y1++; y2++; y3++; return boots; }
";
    let scratch = scratch();
    let source = scratch.file("program.c", text).unwrap();
    let ended = run(&arguments([&"check", &source]));
    let told = ended.stderr;
    let is_said = |name: &str| {
        let name = format!("`{name}`");
        let mut lines = told.lines();
        lines.any(|line| {
            line.contains("  assumed:")
                && line.contains("taken to be volatile")
                && line.contains(&name)
        })
    };
    for number in 0..6 {
        assert!(is_said(&format!("x{number}")), "x{number}: {told}");
        assert!(!is_said(&format!("y{number}")), "y{number}: {told}");
    }
}

#[test]
fn texts_that_the_preprocessor_has_made() {
    let scratch = scratch();
    let text = "# 1 \"main.c\"\n#pragma PERSISTENT(x)\nint x = 1;\nint main(void) { return x; }\n";
    let source = scratch.file("program.i", text).unwrap();
    assert_eq!(kept(&source, &[]).get("x"), Some(&true));
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

#[test]
fn words_of_mspgcc() {
    let scratch = scratch();
    for header in ["signal.h", "legacymsp430.h"] {
        let text = format!(
            "#include <io.h>\n#include <{header}>\n\
            __attribute__((section(\".nv\"))) int n;\n\
            interrupt (TIMERA0_VECTOR) tick(void) {{ n = n + 1; LPM0_EXIT; }}\n\
            int main(void) {{ WDTCTL = WDTPW + WDTHOLD; DCOCTL = DCOFSEL; UCTL0 = 1; TXBUF0 = sizeof RXBUF0; _nop(); eint(); LPM0; return n; }}\n"
        );
        let source = scratch.file("program.c", text).unwrap();
        let ended = run(&arguments([&"check", &source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    }
}
