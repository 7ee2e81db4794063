//! Files that were damaged on the way: truncated, with flipped bits, with
//! text exchanged. The tool may accept or refuse them, but never crash or hang.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use brownout_testkit::{Scratch, native};

use crate::{arguments, assert_no_crash, program, run, scratch, tool};

/// A program with a bit of everything; it needs no headers.
const SAMPLE: &str = "int printf(const char *, ...), strcmp(const char *, const char *);\nchar *strcpy(char *, const char *);\n\
    struct pair { int key; const char *text; } table[] = {{1, \"one\"}, {2, \"two\"}};\n\
    static int (*const order[])(const char *, const char *) = {strcmp};\n\
    static long sum(int n, ...) {\n\
      __builtin_va_list list; __builtin_va_start(list, n);\n\
      long total = 0;\n\
      while (n--) total += __builtin_va_arg(list, long);\n\
      __builtin_va_end(list);\n\
      return total;\n\
    }\n\
    int main(int argc, char **argv) {\n\
      volatile double scale = 0.5;\n\
      char copy[16]; struct pair local = table[argc];\n\
      switch (argc) { case 1: strcpy(copy, local.text); break; case 7: copy[0] = 'x'; break; default: return 3; }\n\
      for (unsigned i = 0; i < 3; i++) printf(\"%s %ld %d\\n\", copy, sum(2, 3L, (long)i), (int)(i * scale));\n\
      return order[0](copy, \"two\");\n\
    }\n";

/// Numbers that are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % limit.max(1)
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Runs the tool on every variant, two at a time. Whatever is refused must be refused properly.
fn survive(name: &str, variants: Vec<Vec<u8>>) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let scratch = scratch();
                while let Some(variant) = variants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    survive_one(&scratch, name, variant);
                }
            });
        }
    });
}

fn survive_one(scratch: &Scratch, name: &str, variant: &[u8]) {
    let path = scratch.file(name, variant).unwrap();
    // `-q`: nothing but the error may be on standard error, apart from what the program writes itself.
    let list = arguments([&"run", &"-q", &"--max-instructions", &"200000", &path]);
    let ended = tool()
        .run(list)
        .unwrap_or_else(|error| panic!("{}: {error}", keep(name, variant).display()));
    let proper = ended.signal.is_none()
        && !ended.stderr.contains("panicked")
        && match ended.status {
            Some(0) => true,
            Some(2) => {
                ended
                    .stderr
                    .lines()
                    .filter(|line| line.starts_with("error: "))
                    .count()
                    == 1
            }
            _ => false,
        };
    if !proper {
        let kept = keep(name, variant);
        panic!(
            "{}: exit {:?}, signal {:?}\n{}",
            kept.display(),
            ended.status,
            ended.signal,
            ended.stderr
        );
    }
    assert_no_crash(&ended);
}

/// Leaves a variant that did harm where it can be looked at.
fn keep(name: &str, variant: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("harmful-{name}"));
    fs::write(&path, variant).unwrap();
    path
}

/// The sample as LLVM IR.
fn module(form: &str, flags: &[&str]) -> Vec<u8> {
    let scratch = scratch();
    let source = program(&scratch, SAMPLE);
    let module = scratch.path().join("module");
    let mut command = Command::new(native::CLANG);
    command
        .args(["-w", "-emit-llvm", form, "-o"])
        .arg(&module)
        .args(flags)
        .arg(&source);
    native::clang(&mut command).unwrap();
    fs::read(module).unwrap()
}

/// The sample in our own text.
fn dump() -> Vec<u8> {
    let scratch = scratch();
    let source = program(&scratch, SAMPLE);
    run(&arguments([&"dump", &"ir", &source])).stdout
}

/// About `count` beginnings of `whole`.
fn beginnings(whole: &[u8], count: usize) -> Vec<Vec<u8>> {
    let step = (whole.len() / count).max(1);
    (0..whole.len())
        .step_by(step)
        .map(|length| whole[..length].to_vec())
        .collect()
}

/// `count` copies of `whole`, each with a few bits flipped.
fn flipped(whole: &[u8], count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut dice = Dice(seed);
    let damage = |_| {
        let mut bytes = whole.to_vec();
        for _ in 0..1 + dice.below(3) {
            let at = dice.below(bytes.len());
            bytes[at] ^= 1 << dice.below(8);
        }
        bytes
    };
    (0..count).map(damage).collect()
}

/// `count` copies of the text `whole`, each with lines or words exchanged.
fn edited(whole: &[u8], count: usize, seed: u64) -> Vec<Vec<u8>> {
    const NUMBERS: &[&str] = &[
        "0",
        "1",
        "2",
        "7",
        "64",
        "129",
        "65536",
        "4294967295",
        "18446744073709551615",
        "-1",
    ];
    let text = String::from_utf8_lossy(whole);
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut dice = Dice(seed);
    let damage = |_| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        for _ in 0..1 + dice.below(2) {
            let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
            match dice.below(5) {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, other),
                2 => lines.insert(at, lines[other].clone()),
                kind => {
                    let line = &lines[at];
                    let found: Vec<&str> = line
                        .split(|c: char| !c.is_alphanumeric())
                        .filter(|word| !word.is_empty())
                        .collect();
                    if found.is_empty() {
                        continue;
                    }
                    let new = if kind == 3 {
                        *dice.pick(&words)
                    } else {
                        *dice.pick(NUMBERS)
                    };
                    lines[at] = line.replacen(*dice.pick(&found), new, 1);
                }
            }
        }
        lines.join("\n").into_bytes()
    };
    (0..count).map(damage).collect()
}

#[test]
fn truncated_bitcode() {
    survive(
        "truncated.bc",
        beginnings(&module("-c", &["--target=msp430", "-g"]), 60),
    );
}

#[test]
fn bitcode_with_flipped_bits() {
    survive(
        "flipped.bc",
        flipped(&module("-c", &["--target=msp430"]), 150, 1),
    );
    survive("flipped.bc", flipped(&module("-c", &["-O1", "-g"]), 100, 2));
}

#[test]
fn truncated_assembly() {
    survive(
        "truncated.ll",
        beginnings(&module("-S", &["--target=msp430"]), 80),
    );
}

#[test]
fn edited_assembly() {
    survive(
        "edited.ll",
        edited(&module("-S", &["--target=msp430", "-g"]), 120, 3),
    );
    survive("edited.ll", edited(&module("-S", &["-O1"]), 120, 4));
}

#[test]
fn assembly_with_flipped_bits() {
    survive(
        "flipped.ll",
        flipped(&module("-S", &["--target=msp430"]), 100, 5),
    );
}

#[test]
fn truncated_text() {
    survive("truncated.ir", beginnings(&dump(), 60));
}

#[test]
fn edited_text() {
    survive("edited.ir", edited(&dump(), 250, 6));
}

#[test]
fn text_with_flipped_bits() {
    survive("flipped.ir", flipped(&dump(), 100, 7));
}

/// LLVM's reader of assembly uses an uninitialised number after this mistake. Whether that
/// crashes depends on the heap, and that on the length of the name.
#[test]
fn assembly_with_a_label_that_is_too_large() {
    let text = String::from_utf8(module("-S", &["--target=msp430", "-g"])).unwrap();
    let start = text.find("br i1 ").unwrap();
    let label = start + text[start..].find("label %").unwrap() + "label %".len();
    let end = label + text[label..].find(',').unwrap();
    let damaged = format!("{}18446744073709551615{}", &text[..label], &text[end..]);
    let scratch = scratch();
    for length in 1..=24 {
        survive_one(
            &scratch,
            &format!("{}.ll", "a".repeat(length)),
            damaged.as_bytes(),
        );
    }
}
