//! Deliberate mistakes, each in one rule. The claim that the rule matters for has to notice.
//!
//! A check that has become too lenient accepts a program that is not correct (Theorem 4); one that has
//! become too strict rejects what collection has rewritten (Lemma 5); a collection that finds too
//! little violates Lemma 5, one that finds too much has an element too many; a system that does
//! something else is not related to the known one any more.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    reason = "tests that show what they found"
)]

mod rules;
mod systems;

use brownout_calculus::claims::{self, Answer};
use brownout_calculus::collect::collect_all;
use brownout_calculus::correct::{Scope, correct};
use brownout_calculus::generate::{SMALL, generate};
use brownout_calculus::program::Program;
use brownout_calculus::shrink::shrink;

/// Among the first 50,000 programs is one that shows the mistake; it is printed, shrunk.
fn caught(mistake: &str, ask: impl Fn(&Program) -> Answer) {
    let fails = |program: &Program| matches!(ask(program), Answer::Fails(_));
    let seed = (0..50_000).find(|seed| fails(&generate(*seed, SMALL)));
    let seed = seed.unwrap_or_else(|| panic!("nobody notices: {mistake}"));
    let smallest = shrink(&generate(seed, SMALL), &fails);
    let Answer::Fails(reason) = ask(&smallest) else {
        panic!("shrinking lost the mistake: {mistake}")
    };
    println!("{mistake}: noticed in program {seed}, shrunk to\n{smallest}{reason}\n");
}

/// Theorem 4 for other checks, for the program and for versions of it that save a little too little.
fn theorem_4(accepts: impl Fn(&Program) -> bool, program: &Program) -> Answer {
    let mut versions = claims::one_less(&collect_all(program).0);
    versions.push(program.clone());
    let wrong = versions
        .iter()
        .find(|version| accepts(version) && !correct(version, &Scope::default()).holds());
    match wrong {
        Some(version) => Answer::Fails(format!("accepted, but not correct:\n{version}")),
        None => Answer::Holds,
    }
}
