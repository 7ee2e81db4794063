//! The tool held against the formal model of OOPSLA'20, over random programs (`docs/model.md`).
//!
//! `cargo xtask model --bridge N` compares as many programs as one likes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use brownout_calculus::bridge::{compare, printed};
use brownout_calculus::c::{library, whole};
use brownout_calculus::correct::Scope;
use brownout_calculus::explore::Outcome;
use brownout_calculus::generate::{IN_C, Random, SMALL, Shape, generate};
use brownout_calculus::harmless::{harmless, repeatable_anywhere, unaffected};
use brownout_calculus::program::Program;
use brownout_calculus::syntax::Value as Number;
use brownout_testkit::{Scratch, Tool};
use serde_json::Value;

/// Which programs are compared: the first 300, or those that `BROWNOUT_PROGRAMS` says (`300..600`).
fn programs() -> Range<u64> {
    let Ok(wanted) = std::env::var("BROWNOUT_PROGRAMS") else {
        return 0..300;
    };
    let (start, end) = wanted.split_once("..").unwrap();
    start.parse().unwrap()..end.parse().unwrap()
}

/// How many that are.
fn count() -> u64 {
    let programs = programs();
    programs.end - programs.start
}

fn scratch() -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap()
}

fn tool() -> Tool {
    Tool::new(env!("CARGO_BIN_EXE_brownout"))
}

/// How many elements the sets have that agree.
fn sets_agree(shape: Shape) -> usize {
    let scratch = scratch();
    let programs: Vec<Program> = programs().map(|seed| generate(seed, shape)).collect();
    let mut elements = 0;
    for programs in programs.chunks(50) {
        let file = scratch.file("programs.c", library(programs)).unwrap();
        let ended = tool()
            .run(["dump".as_ref(), "regions".as_ref(), file.as_os_str()])
            .unwrap();
        let text = String::from_utf8(ended.stdout).unwrap();
        for (program, sets) in programs.iter().zip(printed(programs, &text)) {
            let sets = sets.unwrap_or_else(|| panic!("{program}\n{text}{}", ended.stderr));
            elements +=
                compare(program, &sets).unwrap_or_else(|problem| panic!("{problem}\n{program}"));
            // The comparison notices an element that is missing.
            for at in 0..sets.len() {
                let mut fewer = sets.clone();
                if fewer[at].exclusive.pop_first().is_some() && !shape.arrays {
                    assert!(compare(program, &fewer).is_err(), "{program}");
                }
            }
        }
    }
    elements
}

#[test]
fn static_analysis_finds_the_sets_of_the_paper() {
    let elements = sets_agree(Shape {
        arrays: false,
        ..SMALL
    });
    assert!(elements > 500, "{elements}");
}

#[test]
fn static_analysis_finds_no_more_for_arrays_and_enough() {
    let elements = sets_agree(SMALL);
    assert!(elements > 500, "{elements}");
}

/// The evidence of the errors that `check` finds of memory and inputs, when inputs give these values.
fn evidence(scratch: &Scratch, program: &Program, values: &str) -> Vec<String> {
    let text = whole(program);
    let file = scratch.file("program.c", &text).unwrap();
    let config = if text.contains("= sense();") {
        format!("[[input]]\nfunction = \"sense\"\nvalues = [{values}]\n")
    } else {
        String::new()
    };
    let config = scratch.file("brownout.toml", config).unwrap();
    let ended = tool()
        .run([
            "check".as_ref(),
            "--format".as_ref(),
            "json".as_ref(),
            "--policy".as_ref(),
            "static".as_ref(),
            "--config".as_ref(),
            config.as_os_str(),
            file.as_os_str(),
        ])
        .unwrap();
    let document: Value = serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{text}", ended.stderr));
    let rules = ["war", "repeated-input", "tainted-address"];
    document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["severity"] == "error")
        .filter(|finding| rules.iter().any(|rule| finding["rule"] == *rule))
        .map(|finding| finding["evidence"].as_str().unwrap().to_owned())
        .collect()
}

/// `check` confirms harm in every program that one power failure per region does harm in, and in no
/// program that several do no harm in. Two differences are few, and are counted:
///
/// * what only several failures do is found where `check` looks for other inputs;
/// * where an attempt reads at other places than the one that failed, the search for other inputs holds
///   it against the execution that reads the same values one after the other; harm by the readings of
///   each place stays a `possible` error.
#[test]
fn check_confirms_what_is_not_harmless() {
    let scratch = scratch();
    let (mut harmful, mut several, mut possible) = (0, 0, 0);
    for seed in programs() {
        let program = generate(seed, IN_C);
        let is_harmed = |failures: u8| {
            let failures = Some(failures);
            let scope = Scope {
                failures,
                ..Scope::default()
            };
            match harmless(&program, &scope) {
                Outcome::Holds(_) => false,
                Outcome::Fails(..) => true,
                Outcome::Undecided => panic!("program {seed} has too many states"),
            }
        };
        let errors: Vec<String> = ["0, 3", "3, 0"]
            .iter()
            .flat_map(|values| evidence(&scratch, &program, values))
            .collect();
        let confirmed = errors.iter().any(|evidence| evidence == "confirmed");
        let once = is_harmed(1);
        harmful += u64::from(once);
        match (confirmed, once) {
            (true, false) => {
                assert!(is_harmed(3), "program {seed} is harmless:\n{program}");
                several += 1;
            }
            (false, true) => {
                assert!(!errors.is_empty(), "program {seed} is not:\n{program}");
                possible += 1;
            }
            (true, true) | (false, false) => {}
        }
    }
    assert!(harmful > count() / 10, "{harmful}");
    assert!(several <= count() / 100, "{several}");
    assert!(possible <= count() / 100, "{possible}");
}

/// What `prove` says: proved, counterexample or unknown, with the reason.
fn proved(scratch: &Scratch, program: &Program) -> (String, String) {
    let text = whole(program);
    let file = scratch.file("program.c", &text).unwrap();
    let ended = tool()
        .run([
            "prove".as_ref(),
            "--format".as_ref(),
            "json".as_ref(),
            "--policy".as_ref(),
            "static".as_ref(),
            "--solver".as_ref(),
            "z3 -in".as_ref(),
            file.as_os_str(),
        ])
        .unwrap();
    let document: Value = serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{text}", ended.stderr));
    let verdict = document["verdict"].as_str().unwrap().to_owned();
    (verdict, document["reason"].to_string())
}

/// How many memories a start is tried with: enough for one in a few hundred to be among them.
const MEMORIES: u64 = 5000;

/// What is proved shows nothing of failed attempts, what is refuted does. A proof goes region by region
/// and knows nothing of the memory that a region begins with; so the converse is about all memories: what
/// is repeatable for each of them is proved.
#[test]
fn check_proves_what_is_repeatable() {
    let scratch = scratch();
    let inputs = |values: RangeInclusive<i16>| Scope {
        domain: values.map(Number::Number).collect(),
        // Any number of them may make any number of states.
        failures: Some(2),
        ..Scope::default()
    };
    // On both sides of every constant in the programs.
    let scope = inputs(-2..=5);
    let (mut proofs, mut counterexamples) = (0, 0);
    for seed in programs() {
        let program = generate(seed, IN_C);
        let (verdict, reason) = proved(&scratch, &program);
        let holds = unaffected(&program, &scope).holds();
        let context = || format!("program {seed}: {verdict} {reason}\n{program}");
        match verdict.as_str() {
            "proved" => {
                assert!(holds, "{}", context());
                proofs += 1;
            }
            "counterexample" => {
                // Sums of constants may need other values.
                let holds = holds && unaffected(&program, &inputs(-12..=12)).holds();
                assert!(!holds, "{}", context());
                counterexamples += 1;
            }
            _ => {
                let random = &mut Random::new(seed);
                let anywhere = repeatable_anywhere(&program, &scope, MEMORIES, random);
                assert!(matches!(anywhere, Outcome::Fails(..)), "{}", context());
            }
        }
    }
    assert!(proofs > count() / 2, "{proofs}");
    assert!(counterexamples > count() / 8, "{counterexamples}");
}
