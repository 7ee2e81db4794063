//! The embedded solver against z3, over the text of every question; and its limits.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::{Duration, Instant};

use brownout_solver::{Answer, Binary, Dumping, Embedded, Limits, Process, Solver, Term, Terms};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

const OPERATORS: [Binary; 11] = [
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Mul,
    Binary::UDiv,
    Binary::URem,
    Binary::SDiv,
    Binary::SRem,
    Binary::Shl,
    Binary::LShr,
    Binary::AShr,
];

/// A random condition over a few variables of eight bits and a function.
fn condition(random: &mut Random, terms: &mut Terms, known: &mut Vec<Term>) -> Term {
    let function = terms.function(&[8], 8);
    for _ in 0..12 {
        let a = known[random.below(known.len())];
        let b = known[random.below(known.len())];
        known.push(match random.below(5) {
            0 => terms.apply(function, &[a]),
            1 => terms.add(a, b),
            2 => {
                let less = terms.binary(Binary::SLess, a, b);
                terms.choice(less, b, a)
            }
            _ => terms.binary(OPERATORS[random.below(OPERATORS.len())], a, b),
        });
    }
    let (a, b) = (known[known.len() - 1], known[known.len() - 2]);
    match random.below(3) {
        0 => terms.binary(Binary::ULess, a, b),
        1 => terms.equal(a, b),
        _ => terms.differ(a, b),
    }
}

#[test]
fn answers_are_those_of_another_solver() {
    let limits = Limits {
        time: Duration::from_secs(10),
        ..Limits::default()
    };
    let mut other = Process::new(vec!["z3".to_owned(), "-in".to_owned()], limits);
    other.answers().unwrap();
    let mut embedded = Embedded::new(limits);
    let mut asked = 0;
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..300_u64 {
        let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut terms = Terms::new();
        let mut known: Vec<Term> = (0..3).map(|_| terms.variable(8)).collect();
        known.push(terms.constant(8, 3));
        let required: Vec<Term> = (0..3)
            .map(|_| condition(&mut random, &mut terms, &mut known))
            .collect();
        // The text of the question is what the other one is asked.
        let mut text = String::new();
        let answer = {
            let mut told = |question: &str, _: &Answer| text = question.to_owned();
            let mut dumping = Dumping::new(&mut embedded, &mut told);
            dumping.push();
            for term in &required {
                dumping.assert(&terms, *term);
            }
            dumping.check()
        };
        if answer == Answer::Sat {
            sat += 1;
            // The example makes everything true.
            for term in &required {
                assert_eq!(
                    embedded.value(&terms, *term),
                    Some(1),
                    "case {case}\n{text}"
                );
            }
        }
        unsat += usize::from(answer == Answer::Unsat);
        embedded.pop();
        other.push();
        for term in &required {
            other.assert(&terms, *term);
        }
        let expected = other.check();
        other.pop();
        if !matches!(expected, Answer::Unknown(_)) {
            asked += 1;
            assert_eq!(answer, expected, "case {case}\n{text}");
        }
    }
    assert!(
        asked > 250 && sat > 30 && unsat > 15,
        "{asked} {sat} {unsat}"
    );
}

/// Two factors of a large number: that takes hours.
fn hard(terms: &mut Terms) -> Vec<Term> {
    let (a, b) = (terms.variable(64), terms.variable(64));
    let product = {
        let (a, b) = (terms.zero_extend(a, 128), terms.zero_extend(b, 128));
        terms.binary(Binary::Mul, a, b)
    };
    let number = terms.constant(128, 340_282_366_920_938_460_843_936_948_965_011_886_881);
    let one = terms.constant(64, 1);
    vec![
        terms.equal(product, number),
        terms.binary(Binary::ULess, one, a),
        terms.binary(Binary::ULess, a, b),
    ]
}

#[test]
fn limits_hold() {
    let memory = 2 << 30;
    let time = Duration::from_millis(300);
    for (limits, said) in [
        (Limits { time, memory }, "no answer within 300ms"),
        (
            Limits {
                time: Duration::from_secs(60),
                memory: 2 << 20,
            },
            "the solver took too much memory",
        ),
        (
            Limits {
                time: Duration::ZERO,
                memory,
            },
            "no answer",
        ),
    ] {
        let mut terms = Terms::new();
        let mut solver = Embedded::new(limits);
        let required = hard(&mut terms);
        for term in &required {
            solver.assert(&terms, *term);
        }
        let begun = Instant::now();
        assert_eq!(solver.check(), Answer::Unknown(said.to_owned()));
        assert!(begun.elapsed() < Duration::from_secs(30), "{said}");
        assert_eq!(solver.value(&terms, required[0]), None);
    }
    let mut stopped = Embedded::new(Limits::default()).until(|| true);
    assert!(matches!(stopped.check(), Answer::Unknown(_)));
    // Without any limit in the way it answers.
    assert_eq!(Embedded::new(Limits::default()).check(), Answer::Sat);
}
