//! What static analysis says a checkpoint has to save is enough (OOPSLA'20, Theorem 4).
//!
//! Random programs with inputs are executed naively: up to a commit, on with some inputs until
//! power fails after some write, and again with other inputs up to the next commit. The words of
//! the static sets are restored, everything else stays as it was. The result must be the state of
//! an execution without a failure that reads the inputs of the second attempt. Taking single words
//! out of the sets again shows how many of them are there for nothing. `repeating` asks the same of what is
//! reported, which is less: what settles itself is not.

#![allow(
    clippy::panic,
    reason = "a program that the test itself got wrong ends the test"
)]

mod program;
mod repeating;
mod restarts;
mod sets;
mod text;

use std::collections::BTreeSet;

use program::{Execution, Program, Random, State, WORDS};
use sets::{Question, static_sets};
use text::text;

/// All sequences of inputs that are tried: three readings, then they repeat.
fn sequences() -> Vec<[u16; 3]> {
    let mut all = Vec::new();
    for number in 0..27_u16 {
        all.push([number / 9, number / 3 % 3, number % 3]);
    }
    all
}

/// Whether some failure in the region after a commit does harm when `saved` is restored.
fn harmed(
    program: &Program,
    prefix: &dyn Fn(usize) -> u16,
    commit: usize,
    saved: &dyn Fn(Option<usize>) -> BTreeSet<usize>,
    inputs: &[[u16; 3]],
) -> Option<String> {
    let start = start_of(program, prefix, commit)?;
    let restored = saved(start.1);
    let finals: Vec<Option<State>> = inputs
        .iter()
        .map(|then| {
            let then = |index: usize| then[index % 3];
            let state = Execution::new(program, prefix, commit, &then).run();
            state.map(|(state, ..)| state)
        })
        .collect();
    let mut dirty = BTreeSet::new();
    for first in inputs {
        let first_inputs = |index: usize| first[index % 3];
        let Some((_, writes, _)) = Execution::new(program, prefix, commit, &first_inputs).run()
        else {
            continue;
        };
        for count in 1..=writes {
            let mut execution = Execution::new(program, prefix, commit, &first_inputs);
            execution.writes = Some(count);
            if let Some((state, ..)) = execution.run() {
                let mut words = state.words;
                for &word in &restored {
                    words[word] = start.0[word];
                }
                dirty.insert((words, *first, count));
            }
        }
    }
    let mut seen = BTreeSet::new();
    for (words, first, count) in dirty {
        if !seen.insert(words) {
            continue;
        }
        for (then, expected) in inputs.iter().zip(&finals) {
            let inputs = |index: usize| then[index % 3];
            let mut execution = Execution::new(program, prefix, commit, &inputs);
            execution.dirty = Some(words);
            let state = execution.run().map(|(state, ..)| state);
            if state != *expected {
                return Some(format!(
                    "inputs {first:?}, power fails after write {count} behind commit {commit} (checkpoint {:?}), then {then:?}: {state:?} instead of {expected:?}",
                    start.1
                ));
            }
        }
    }
    None
}

/// Memory at a commit, and the checkpoint that committed.
fn start_of(
    program: &Program,
    prefix: &dyn Fn(usize) -> u16,
    commit: usize,
) -> Option<([u16; WORDS], Option<usize>)> {
    let zero = |_: usize| 0;
    let mut execution = Execution::new(program, prefix, commit, &zero);
    execution.writes = Some(usize::MAX);
    let (_, _, began) = execution.run()?;
    let memory = Execution::memory_at(program, prefix, commit)?;
    Some((memory, began))
}

const PROGRAMS: u64 = 2_500;
/// How many memories each program starts with.
const MEMORIES: usize = 3;
/// How many regions of an execution are looked at.
const COMMITS: usize = 4;

/// Reads the next numbers of `random` as a memory to start with and inputs before the region.
fn vary(program: &mut Program, random: &mut Random) -> [u16; 2] {
    program.memory = std::array::from_fn(|_| random.below(4) as u16);
    [random.below(3) as u16, random.below(3) as u16]
}

#[test]
fn what_is_to_be_saved_is_enough() {
    let inputs = sequences();
    let mut harmed_without = 0;
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1);
        let (mut program, question) = match seed % 2 {
            0 => (Program::random(&mut random), Question::Saved),
            _ => (Program::branching(&mut random), Question::Decided),
        };
        let text = text(&program);
        let sets = static_sets(&text, program.checkpoints, question);
        let mut is_harmed = false;
        for _ in 0..MEMORIES {
            let before = vary(&mut program, &mut random);
            let prefix = move |index: usize| before[index % 2];
            for commit in 0..COMMITS {
                let saved = |at: Option<usize>| sets.get(&at).cloned().unwrap_or_default();
                if let Some(harm) = harmed(&program, &prefix, commit, &saved, &inputs) {
                    panic!(
                        "program {seed}: {harm}\n{sets:?}\n{:#?}\n{text}",
                        program.statements
                    );
                }
                is_harmed |= !is_harmed
                    && harmed(&program, &prefix, commit, &|_| BTreeSet::new(), &inputs).is_some();
            }
        }
        harmed_without += u32::from(is_harmed);
    }
    // The programs are worth testing: most of them need a checkpoint that saves something.
    assert!(
        harmed_without > 1_000,
        "only {harmed_without} programs are harmed"
    );
}

/// How much of what is saved had to be. The figures are in docs/static-analysis.md.
#[test]
fn what_is_to_be_saved_is_not_much_too_much() {
    let inputs = sequences();
    let (mut needed, mut total) = (0, 0);
    for seed in 0..250 {
        let mut random = Random::new(seed + 1);
        let mut program = Program::random(&mut random);
        let sets = static_sets(&text(&program), program.checkpoints, Question::Saved);
        let mut open: BTreeSet<(Option<usize>, usize)> = sets
            .iter()
            .flat_map(|(at, words)| words.iter().map(|word| (*at, *word)))
            .collect();
        let mut reached = BTreeSet::new();
        for _ in 0..8 {
            let before = vary(&mut program, &mut random);
            let prefix = move |index: usize| before[index % 2];
            for commit in 0..COMMITS {
                let Some((_, at)) = start_of(&program, &prefix, commit) else {
                    continue;
                };
                reached.insert(at);
                open.retain(|&(start, word)| {
                    let without = |_: Option<usize>| {
                        let mut fewer = sets.get(&at).cloned().unwrap_or_default();
                        fewer.remove(&word);
                        fewer
                    };
                    start != at || harmed(&program, &prefix, commit, &without, &inputs).is_none()
                });
            }
        }
        let asked = |at: &Option<usize>| reached.contains(at);
        total += sets
            .iter()
            .filter(|(at, _)| asked(at))
            .map(|(_, words)| words.len())
            .sum::<usize>();
        needed += sets
            .iter()
            .filter(|(at, _)| asked(at))
            .map(|(_, words)| words.len())
            .sum::<usize>()
            - open.iter().filter(|(at, _)| asked(at)).count();
    }
    assert!(
        needed * 100 >= total * LEAST_NEEDED,
        "{needed} of {total} words are needed"
    );
}

/// Per cent of the words that some execution was seen to need.
const LEAST_NEEDED: usize = 40;
