//! A second of fuzzing for every target, with the same damaged texts every time.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use brownout_fuzz::{TARGETS, Target};
use brownout_scenario::splitmix64;

/// How many texts each target reads.
const TEXTS: u64 = 4000;

/// A sequence of numbers.
struct Numbers {
    seed: u64,
    index: u64,
}

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.index += 1;
        (splitmix64(self.seed, self.index) % end.max(1) as u64) as usize
    }
}

/// A seed with a few changes: bytes replaced, parts left out, repeated and put in.
fn damaged(target: &Target, seed: u64) -> Vec<u8> {
    let mut numbers = Numbers { seed, index: 0 };
    let mut text = target.seeds[numbers.below(target.seeds.len())]
        .as_bytes()
        .to_vec();
    for _ in 0..numbers.below(4) {
        let at = numbers.below(text.len() + 1);
        let end = (at + numbers.below(24)).min(text.len());
        match numbers.below(4) {
            0 if at < text.len() => text[at] = numbers.below(256) as u8,
            1 => drop(text.drain(at..end)),
            2 => {
                let part = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            _ => {
                let piece = target.pieces[numbers.below(target.pieces.len())];
                text.splice(at..at, piece.bytes());
            }
        }
    }
    text
}

/// Reads many damaged texts; the text is told that is not survived.
fn survives(name: &str) {
    let target = brownout_fuzz::target(name).expect("a target of that name");
    for seed in target.seeds {
        assert!((target.exercise)(seed.as_bytes()), "refused: {seed}");
    }
    let mut accepted = 0;
    for seed in 0..TEXTS {
        let text = damaged(target, seed);
        match catch_unwind(AssertUnwindSafe(|| (target.exercise)(&text))) {
            Ok(good) => accepted += u64::from(good),
            Err(_) => panic!("{name}: {:?}", String::from_utf8_lossy(&text)),
        }
    }
    // Damage that is always noticed, or never, would show nothing.
    assert!(
        (TEXTS / 50..TEXTS).contains(&accepted),
        "{accepted} of {TEXTS} texts were accepted"
    );
}

#[test]
fn programs_as_text() {
    survives("ir-text");
}

#[test]
fn configurations() {
    survives("config");
}

#[test]
fn replay_ids() {
    survives("replay-id");
}

#[test]
fn recordings() {
    survives("trace");
}

#[test]
fn scripts() {
    survives("script");
}

#[test]
fn every_target_can_be_fuzzed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("the manifest");
    for target in TARGETS {
        let source = format!("fuzz_targets/{}.rs", target.name);
        assert!(manifest.contains(&source), "{source}");
        let text = fs::read_to_string(folder.join(&source)).expect("the source");
        assert!(text.contains(&format!("\"{}\"", target.name)), "{source}");
    }
}
