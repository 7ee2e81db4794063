//! What a reading of an earlier region decides: `check` never calls a program harmless that some reading harms.
//!
//! Random programs read a number, pass a checkpoint, of which there may be two to choose from, and work on four
//! words. A naive interpreter of this file, which shares no code with the tool, tries all readings and all
//! sequences of power failures.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use brownout_testkit::{Scratch, Tool};
use serde_json::Value;

const WORDS: [&str; 4] = ["a", "b", "c", "d"];
/// Readings and words have these values: 0 to 3.
const VALUES: u8 = 4;
const PROGRAMS: u64 = 90;

type State = [u8; WORDS.len()];

#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(u8),
    Word(usize),
    Reading,
}

#[derive(Debug)]
enum Statement {
    /// `word = (operand + more) & 3`.
    Assign(usize, Operand, u8),
    /// `if (operand > bound)`.
    If(Operand, u8, Vec<Statement>, Vec<Statement>),
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
            0 => Operand::Constant(self.below(4) as u8),
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
                let bound = self.below(3) as u8;
                let then = self.statements(depth + 1);
                let other = match self.below(2) {
                    0 => Vec::new(),
                    _ => self.statements(depth + 1),
                };
                Statement::If(on, bound, then, other)
            }
            _ => {
                let more = self.below(2) as u8;
                Statement::Assign(self.below(WORDS.len()), self.operand(), more)
            }
        });
        all.collect()
    }
}

struct Program {
    initial: State,
    /// A word that the checkpoint saves if the reading is more than a bound.
    saved: Option<(usize, u8)>,
    body: Vec<Statement>,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        Self {
            initial: std::array::from_fn(|_| random.below(4) as u8),
            saved: (random.below(3) == 0)
                .then(|| (random.below(WORDS.len()), random.below(3) as u8)),
            body: random.statements(0),
        }
    }

    fn text(&self) -> String {
        let mut text = String::from("#include <brownout.h>\nint in(void) BROWNOUT_INPUT;\n");
        text.push_str("#ifndef WORD\n#define WORD unsigned char\n#endif\n");
        for (name, value) in WORDS.iter().zip(self.initial) {
            let _ = writeln!(text, "BROWNOUT_NV WORD {name} = {value};");
        }
        text.push_str("int main(void) {\nint k = in();\n");
        if let Some((word, bound)) = self.saved {
            let name = WORDS[word];
            let _ = writeln!(
                text,
                "if (k > {bound}) brownout_checkpoint_with(&{name}, sizeof {name}); else"
            );
        }
        text.push_str("brownout_checkpoint();\n");
        write(&self.body, &mut text);
        text.push_str("brownout_checkpoint();\nreturn 0;\n}\n");
        text
    }

    /// Whether power failures can leave something else than an execution without them.
    fn is_harmed(&self, reading: u8) -> bool {
        let saved = self.saved.filter(|(_, bound)| reading > *bound);
        let run = |state: State, writes: usize| {
            let mut attempt = Attempt {
                state,
                reading,
                left: writes,
            };
            let is_over = attempt.all(&self.body);
            (attempt.state, is_over)
        };
        let right = run(self.initial, usize::MAX).0;
        let mut known = BTreeSet::from([self.initial]);
        let mut open = vec![self.initial];
        while let Some(state) = open.pop() {
            if run(state, usize::MAX).0 != right {
                return true;
            }
            for writes in 1.. {
                let (mut failed, is_over) = run(state, writes);
                if let Some((word, _)) = saved {
                    failed[word] = self.initial[word];
                }
                if known.insert(failed) {
                    open.push(failed);
                }
                if is_over {
                    break;
                }
            }
        }
        false
    }
}

fn name(operand: Operand) -> String {
    match operand {
        Operand::Constant(value) => value.to_string(),
        Operand::Word(word) => WORDS[word].to_owned(),
        Operand::Reading => "k".to_owned(),
    }
}

fn write(statements: &[Statement], text: &mut String) {
    for statement in statements {
        match statement {
            Statement::Assign(to, from, more) => {
                let _ = writeln!(text, "{} = ({} + {more}) & 3;", WORDS[*to], name(*from));
            }
            Statement::If(on, bound, then, other) => {
                let _ = writeln!(text, "if ({} > {bound}) {{", name(*on));
                write(then, text);
                text.push_str("} else {\n");
                write(other, text);
                text.push_str("}\n");
            }
        }
    }
}

/// One attempt, which power may end after some writes.
struct Attempt {
    state: State,
    reading: u8,
    left: usize,
}

impl Attempt {
    fn value(&self, operand: Operand) -> u8 {
        match operand {
            Operand::Constant(value) => value,
            Operand::Word(word) => self.state[word],
            Operand::Reading => self.reading,
        }
    }

    /// Whether power is still there afterwards.
    fn all(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Assign(to, from, more) => {
                self.state[*to] = (self.value(*from) + more) & 3;
                self.left -= 1;
                self.left > 0
            }
            Statement::If(on, bound, then, other) => {
                let side = if self.value(*on) > *bound {
                    then
                } else {
                    other
                };
                self.all(side)
            }
        })
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

fn check(level: &str) {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let first = number("BROWNOUT_SEED", 0);
    let programs = number("BROWNOUT_CASES", PROGRAMS);
    let (mut harmed, mut confirmed) = (0, 0);
    let mut wrong = String::new();
    for seed in first..first + programs {
        let program = Program::new(seed);
        let text = program.text();
        let is_harmed = (0..VALUES).any(|reading| program.is_harmed(reading));
        let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        let source = scratch.file("program.c", &text).unwrap();
        let config = "[[input]]\nfunction = \"in\"\nrange = [0, 3]\n";
        scratch.file("brownout.toml", config).unwrap();
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
        let is_missed = || checked(&["-DWORD=volatile unsigned char"]).status == Some(0);
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
    check("-O0");
}

#[test]
fn no_reading_is_forgotten_in_optimised_code() {
    check("-O1");
}
