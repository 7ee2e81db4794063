//! What a reading of an earlier region decides: `check` never calls a program harmless that some reading harms.
//!
//! Random programs read a number, pass a checkpoint, of which there may be two to choose from, and work on four
//! words, of one byte each or of two that are not written at once. A naive interpreter of this file, which shares no code
//! with the tool, tries all readings and all sequences of power failures, also in the middle of stores.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use brownout_testkit::{Scratch, Tool};
use serde_json::Value;

const WORDS: [&str; 4] = ["a", "b", "c", "d"];
/// Readings and words have these values: 0 to 3, or each of these in both bytes.
const VALUES: u16 = 4;
const PROGRAMS: u64 = 90;

type State = [u16; WORDS.len()];

/// How many bytes a word has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    One,
    /// They are written one by one, in any order.
    Two,
}

impl Width {
    /// A number in every byte.
    const fn number(self, value: u16) -> u16 {
        match self {
            Self::One => value,
            Self::Two => value * 0x0101,
        }
    }

    /// The bytes that a store may have written when power fails, as a mask of bits.
    const fn written(self) -> &'static [u16] {
        match self {
            Self::One => &[0xffff],
            Self::Two => &[0xffff, 0x00ff, 0xff00],
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(u16),
    Word(usize),
    Reading,
}

#[derive(Debug)]
enum Statement {
    /// `word = (operand + more) & 3`.
    Assign(usize, Operand, u16),
    /// `if (operand > bound)`.
    If(Operand, u16, Vec<Statement>, Vec<Statement>),
}

/// A source of choices: the same seed gives the same program.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // Steele, Lea and Flood, OOPSLA 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % end
    }

    fn operand(&mut self) -> Operand {
        match self.below(4) {
            0 => Operand::Constant(self.below(4) as u16),
            1 => Operand::Reading,
            _ => Operand::Word(self.below(WORDS.len())),
        }
    }

    fn statements(&mut self, depth: u32) -> Vec<Statement> {
        let count = 1 + self.below(3);
        let all = (0..count).map(|_| match self.below(5) {
            0 | 1 if depth < 2 => {
                let on = match self.below(3) {
                    0 => self.operand(),
                    _ => Operand::Reading,
                };
                let bound = self.below(3) as u16;
                let then = self.statements(depth + 1);
                let other = match self.below(2) {
                    0 => Vec::new(),
                    _ => self.statements(depth + 1),
                };
                Statement::If(on, bound, then, other)
            }
            _ => {
                let more = self.below(2) as u16;
                Statement::Assign(self.below(WORDS.len()), self.operand(), more)
            }
        });
        all.collect()
    }
}

struct Program {
    width: Width,
    initial: State,
    /// A word that the checkpoint saves if the reading is more than a bound.
    saved: Option<(usize, u16)>,
    body: Vec<Statement>,
}

impl Program {
    fn new(seed: u64, width: Width) -> Self {
        let mut random = Random(seed);
        Self {
            width,
            initial: std::array::from_fn(|_| width.number(random.below(4) as u16)),
            saved: (random.below(3) == 0)
                .then(|| (random.below(WORDS.len()), random.below(3) as u16)),
            body: random.statements(0),
        }
    }

    fn text(&self) -> String {
        let mut text = String::from("#include <brownout.h>\nint in(void) BROWNOUT_INPUT;\n");
        let ty = match self.width {
            Width::One => "unsigned char",
            Width::Two => "unsigned short",
        };
        let _ = writeln!(
            text,
            "#ifndef MORE\n#define MORE\n#endif\ntypedef MORE {ty} word;"
        );
        for (name, value) in WORDS.iter().zip(self.initial) {
            let _ = writeln!(text, "BROWNOUT_NV word {name} = {value};");
        }
        text.push_str("int main(void) {\nint k = in();\n");
        if let Some((word, bound)) = self.saved {
            let (name, bound) = (WORDS[word], self.width.number(bound));
            let _ = writeln!(
                text,
                "if (k > {bound}) brownout_checkpoint_with(&{name}, sizeof {name}); else"
            );
        }
        text.push_str("brownout_checkpoint();\n");
        self.write(&self.body, &mut text);
        text.push_str("brownout_checkpoint();\nreturn 0;\n}\n");
        text
    }

    fn name(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(value) => self.width.number(value).to_string(),
            Operand::Word(word) => WORDS[word].to_owned(),
            Operand::Reading => "k".to_owned(),
        }
    }

    fn write(&self, statements: &[Statement], text: &mut String) {
        for statement in statements {
            match statement {
                Statement::Assign(to, from, more) => {
                    let (name, more) = (self.name(*from), self.width.number(*more));
                    let mask = self.width.number(3);
                    let _ = writeln!(text, "{} = ({name} + {more}) & {mask};", WORDS[*to]);
                }
                Statement::If(on, bound, then, other) => {
                    let (name, bound) = (self.name(*on), self.width.number(*bound));
                    let _ = writeln!(text, "if ({name} > {bound}) {{");
                    self.write(then, text);
                    text.push_str("} else {\n");
                    self.write(other, text);
                    text.push_str("}\n");
                }
            }
        }
    }

    /// Whether power failures can leave something else than an execution without them.
    fn is_harmed(&self, reading: u16) -> bool {
        let saved = self.saved.filter(|(_, bound)| reading > *bound);
        let run = |state: State, writes: usize, written: u16| {
            let mut attempt = Attempt {
                width: self.width,
                state,
                reading: self.width.number(reading),
                left: writes,
                written,
            };
            let is_over = attempt.all(&self.body);
            (attempt.state, is_over)
        };
        let right = run(self.initial, usize::MAX, 0).0;
        let mut known = BTreeSet::from([self.initial]);
        let mut open = vec![self.initial];
        while let Some(state) = open.pop() {
            if run(state, usize::MAX, 0).0 != right {
                return true;
            }
            for writes in 1.. {
                let mut is_last = false;
                for &written in self.width.written() {
                    let (mut failed, is_over) = run(state, writes, written);
                    if let Some((word, _)) = saved {
                        failed[word] = self.initial[word];
                    }
                    if known.insert(failed) {
                        open.push(failed);
                    }
                    is_last |= is_over;
                }
                if is_last {
                    break;
                }
            }
        }
        false
    }
}

/// One attempt, which power may end after some writes.
struct Attempt {
    width: Width,
    state: State,
    reading: u16,
    left: usize,
    /// What of the last write is written.
    written: u16,
}

impl Attempt {
    fn value(&self, operand: Operand) -> u16 {
        match operand {
            Operand::Constant(value) => self.width.number(value),
            Operand::Word(word) => self.state[word],
            Operand::Reading => self.reading,
        }
    }

    /// Whether power is still there afterwards.
    fn all(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Assign(to, from, more) => {
                let value = self.value(*from) + self.width.number(*more);
                let value = value & self.width.number(3);
                self.left -= 1;
                let written = if self.left > 0 { 0xffff } else { self.written };
                let word = &mut self.state[*to];
                *word = *word & !written | value & written;
                self.left > 0
            }
            Statement::If(on, bound, then, other) => {
                let is_more = self.value(*on) > self.width.number(*bound);
                let side = if is_more { then } else { other };
                self.all(side)
            }
        })
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

fn check(level: &str, width: Width) {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let first = number("BROWNOUT_SEED", 0);
    let programs = number("BROWNOUT_CASES", PROGRAMS);
    let (mut harmed, mut confirmed) = (0, 0);
    let mut wrong = String::new();
    for seed in first..first + programs {
        let program = Program::new(seed, width);
        let text = program.text();
        let is_harmed = (0..VALUES).any(|reading| program.is_harmed(reading));
        let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        let source = scratch.file("program.c", &text).unwrap();
        let values: Vec<u16> = (0..VALUES).map(|value| width.number(value)).collect();
        let config = format!(
            "[memory]\natomic-write = 1\n[[input]]\nfunction = \"in\"\nvalues = {values:?}\n"
        );
        scratch.file("brownout.toml", &config).unwrap();
        let source = source.to_string_lossy().into_owned();
        let checked = |more: &[&str]| {
            let arguments = ["check", "-q", &source, "--format", "json", "--", level];
            tool.run(arguments.iter().chain(more)).unwrap()
        };
        let ended = checked(&[]);
        let document: Value = serde_json::from_slice(&ended.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{text}", ended.stderr));
        let mut findings = document["findings"].as_array().unwrap().iter();
        let is_confirmed = findings.any(|finding| finding["evidence"] == "confirmed");
        harmed += u32::from(is_harmed);
        confirmed += u32::from(is_confirmed);
        if is_confirmed && !is_harmed {
            let _ = writeln!(
                wrong,
                "seed {seed}: confirmed, and no reading does harm\n{text}"
            );
        }
        // A compiler may have removed the store that does the harm.
        let is_missed = || checked(&["-DMORE=volatile"]).status == Some(0);
        if is_harmed && ended.status == Some(0) && (level == "-O0" || is_missed()) {
            let _ = writeln!(
                wrong,
                "seed {seed}: nothing found, and a reading does harm\n{text}"
            );
        }
    }
    assert!(wrong.is_empty(), "at {level}:\n{wrong}");
    assert!(harmed * 4 > programs as u32, "only {harmed} do harm");
    assert!(
        confirmed * 10 >= harmed * 9,
        "only {confirmed} of {harmed} are confirmed"
    );
}

#[test]
fn no_reading_is_forgotten() {
    check("-O0", Width::One);
}

#[test]
fn no_reading_is_forgotten_in_optimised_code() {
    check("-O1", Width::One);
}

#[test]
fn no_torn_store_is_forgotten() {
    check("-O0", Width::Two);
}

#[test]
fn no_torn_store_is_forgotten_in_optimised_code() {
    check("-O1", Width::Two);
}
