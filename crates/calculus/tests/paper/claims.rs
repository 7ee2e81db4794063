//! The claims of the paper and ours, asked of 5,000 random programs each.
//!
//! `cargo xtask model --sweep N` asks as many as one likes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use brownout_calculus::claims::{Answer, CLAIMS, lemma_5_as_printed};
use brownout_calculus::generate::{SMALL, generate};

const PROGRAMS: u64 = 5000;

/// The claim holds for all programs, and for at least so many its premises do.
fn holds(name: &str, at_least: u64) {
    let claim = CLAIMS.iter().find(|claim| claim.name == name).unwrap();
    match claim.sweep(0..PROGRAMS) {
        Ok(count) => {
            assert_eq!(count.programs, PROGRAMS);
            assert!(count.hold >= at_least, "{name}: {count:?}");
        }
        Err(counterexample) => panic!("{counterexample}"),
    }
}

#[test]
fn definition_1_is_decided_by_visiting_pairs() {
    holds("Definition 1 is decided by visiting pairs", PROGRAMS);
}

#[test]
fn theorem_4() {
    holds("Theorem 4", 4000);
}

#[test]
fn theorem_4_one_element_fewer() {
    holds("Theorem 4, one element fewer", 2000);
}

#[test]
fn definitions_2_and_3_are_invariants() {
    holds("Definitions 2 and 3 are invariants", 4000);
}

#[test]
fn lemma_5() {
    holds("Lemma 5", PROGRAMS);
}

/// As printed it does not hold: some of the programs show it.
#[test]
fn lemma_5_with_the_rules_as_printed() {
    let fails = (0..PROGRAMS)
        .filter(|seed| {
            matches!(
                lemma_5_as_printed(&generate(*seed, SMALL)),
                Answer::Fails(_)
            )
        })
        .count();
    assert!(fails > 10, "{fails}");
}

#[test]
fn undo_logging_simulates_checkpoints() {
    holds("§8: undo logging simulates checkpoints", PROGRAMS);
}

#[test]
fn redo_logging_simulates_checkpoints() {
    holds("§8.1: redo logging simulates checkpoints", PROGRAMS);
}

#[test]
fn idempotent_regions_simulate_checkpoints() {
    holds("§8: idempotent regions simulate checkpoints", PROGRAMS);
}

#[test]
fn tasks_simulate_redo_logging() {
    holds("§8.2: tasks simulate redo logging", PROGRAMS);
}

#[test]
fn correct_implies_repeatable_implies_harmless() {
    holds(
        "Definition 1 implies repeatable, that unaffected, and that harmless",
        3000,
    );
}

/// No claim is left out above.
#[test]
fn every_claim_has_its_test() {
    let this = include_str!("claims.rs");
    for claim in CLAIMS {
        assert!(this.contains(claim.name), "{}", claim.name);
    }
}
