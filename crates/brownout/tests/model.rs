//! The tool held against the formal model of OOPSLA'20, over random programs (`docs/model.md`).
//!
//! `cargo xtask model --bridge N` compares as many programs as one likes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::time::Duration;

use brownout_calculus::bridge::{compare, printed};
use brownout_calculus::c::{library, whole};
use brownout_calculus::correct::Scope;
use brownout_calculus::explore::Outcome;
use brownout_calculus::generate::{IN_C, Random, SMALL, Shape, generate};
use brownout_calculus::harmless::{harmless, repeatable_anywhere, unaffected};
use brownout_calculus::program::Program;
use brownout_calculus::syntax::Value as Number;
use brownout_testkit::{Scratch, Tool, execute};
use serde_json::Value;

/// Long enough for some programs, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

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

/// The errors that `check` finds of memory and inputs: the evidence of each, by program.
type Errors = BTreeMap<u64, Vec<String>>;

/// How many programs one run of the tool checks.
const TOGETHER: usize = 25;

/// Adds the errors of some programs with this configuration.
fn check_all(programs: &[(u64, &Program)], config: &str, errors: &mut Errors) {
    for programs in programs.chunks(TOGETHER) {
        let scratch = scratch();
        let config = scratch.file("brownout.toml", config).unwrap();
        let mut command = tool().command(["check", "--format", "json", "--policy", "static"]);
        command.arg("--config").arg(config);
        for (seed, program) in programs {
            let name = format!("{seed}.c");
            scratch.file(&name, whole(program)).unwrap();
            command.arg(name);
        }
        let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
        let document: Value = serde_json::from_slice(&ended.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
        // Each of them was checked.
        let checked = document["programs"].as_array().map_or(1, Vec::len);
        assert_eq!(checked, programs.len(), "{}", ended.stderr);
        let rules = ["war", "repeated-input", "tainted-address"];
        for finding in document["findings"].as_array().unwrap() {
            if finding["severity"] != "error" || !rules.iter().any(|rule| finding["rule"] == *rule)
            {
                continue;
            }
            // Findings of a program that is alone do not name it.
            let seed = match finding["program"].as_str() {
                Some(name) => name.parse().unwrap(),
                None => programs[0].0,
            };
            let evidence = finding["evidence"].as_str().unwrap().to_owned();
            let of_program: &mut Vec<String> = errors.entry(seed).or_default();
            of_program.push(evidence);
        }
    }
}

/// The errors of all programs, for each order of the values that inputs give.
fn errors(programs: &[(u64, Program)]) -> Errors {
    let reads = |program: &Program| whole(program).contains("= sense();");
    let programs = programs.iter().map(|(seed, program)| (*seed, program));
    let (reading, others): (Vec<_>, Vec<_>) = programs.partition(|(_, program)| reads(program));
    let mut errors = Errors::new();
    check_all(&others, "", &mut errors);
    for values in ["0, 3", "3, 0"] {
        let config = format!("[[input]]\nfunction = \"sense\"\nvalues = [{values}]\n");
        check_all(&reading, &config, &mut errors);
    }
    errors
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
    let all: Vec<(u64, Program)> = programs()
        .map(|seed| (seed, generate(seed, IN_C)))
        .collect();
    let errors = errors(&all);
    let (mut harmful, mut several, mut possible) = (0, 0, 0);
    for (seed, program) in &all {
        let is_harmed = |failures: u8| {
            let failures = Some(failures);
            let scope = Scope {
                failures,
                ..Scope::default()
            };
            match harmless(program, &scope) {
                Outcome::Holds(_) => false,
                Outcome::Fails(..) => true,
                Outcome::Undecided => panic!("program {seed} has too many states"),
            }
        };
        let errors = errors.get(seed).map_or(&[][..], Vec::as_slice);
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
