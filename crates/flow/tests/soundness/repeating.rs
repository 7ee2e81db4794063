//! What static analysis does not report because it settles itself does no harm (semantics §2).
//!
//! Random programs with updates and guards are executed like the others, but inputs are matched by place: the
//! execution without a failure gets what the last attempt got at a place or, where that did not ask, what the failed
//! one got. Only what is reported is restored. The region's end and memory there must be the same, and memory at the
//! end of the program, which shows what volatile state was worth.

use std::collections::BTreeSet;

use crate::program::{Asked, Execution, Program, Random, Seen};
use crate::sets::{Question, static_sets};
use crate::text::text;
use crate::{COMMITS, MEMORIES, start_of, vary};

const PROGRAMS: u64 = 3_000;

/// The sequences of readings that are tried.
const READINGS: [[u16; 3]; 8] = [
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 3],
    [3, 0, 1],
    [0, 3, 0],
];

/// What inputs give by place: each statement goes through the sequence from another element on.
fn reading(inputs: &[*const crate::program::Statement], of: &[u16; 3], asked: Asked) -> u16 {
    let number = inputs.iter().position(|&input| input == asked.0);
    of[(number.unwrap_or(0) + asked.1) % 3]
}

/// Whether some failure in the region after a commit does harm when `saved` is restored.
fn harmed(
    program: &Program,
    prefix: &dyn Fn(usize) -> u16,
    commit: usize,
    saved: &dyn Fn(Option<usize>) -> BTreeSet<usize>,
) -> Option<String> {
    let start = start_of(program, prefix, commit)?;
    let restored = saved(start.1);
    let inputs = program.inputs();
    let zero = |_: usize| 0;
    let run = |dirty, places: &dyn Fn(Asked) -> u16| -> Option<(Seen, Vec<Asked>)> {
        let mut execution = Execution::new(program, prefix, commit, &zero);
        execution.dirty = dirty;
        execution.places = Some(places);
        execution.run_on()
    };
    let finals: Vec<Option<Seen>> = READINGS
        .iter()
        .map(|then| {
            let places = |asked: Asked| reading(&inputs, then, asked);
            run(None, &places).map(|(seen, _)| seen)
        })
        .collect();
    let mut known = BTreeSet::new();
    for first in &READINGS {
        let given = |asked: Asked| reading(&inputs, first, asked);
        for count in 1.. {
            let mut failed = Execution::new(program, prefix, commit, &zero);
            failed.places = Some(&given);
            failed.writes = Some(count);
            let Some((mut words, asked)) = failed.fail() else {
                break;
            };
            for &word in &restored {
                words[word] = start.0[word];
            }
            let failed: Vec<(Asked, u16)> = asked.iter().map(|&it| (it, given(it))).collect();
            if !known.insert((words, failed.clone())) {
                continue;
            }
            for (then, expected) in READINGS.iter().zip(&finals) {
                let last = |asked: Asked| reading(&inputs, then, asked);
                let seen = run(Some(words), &last);
                if seen.as_ref().map(|(seen, _)| *seen) == *expected {
                    continue;
                }
                let asked = seen.as_ref().map_or(&[][..], |(_, asked)| asked);
                // Where the last attempt did not ask, the failed one did.
                let mixed = |place: Asked| {
                    let earlier = failed.iter().find(|(other, _)| *other == place);
                    match earlier.filter(|_| !asked.contains(&place)) {
                        Some((_, value)) => *value,
                        None => last(place),
                    }
                };
                let continuous = run(None, &mixed).map(|(seen, _)| seen);
                if seen.as_ref().map(|(seen, _)| *seen) != continuous {
                    return Some(format!(
                        "readings {first:?}, power fails after write {count} after commit {commit} (checkpoint {:?}), then {then:?}: {seen:?} instead of {continuous:?}",
                        start.1
                    ));
                }
            }
        }
    }
    None
}

#[test]
fn what_settles_itself_does_no_harm() {
    let (mut fewer, mut all) = (0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1);
        let mut program = Program::repeating(&mut random);
        let text = text(&program);
        let reported = static_sets(&text, program.checkpoints, Question::Reported);
        let saved = static_sets(&text, program.checkpoints, Question::Saved);
        let count = |sets: &crate::sets::Sets| sets.values().map(BTreeSet::len).sum::<usize>();
        all += count(&saved);
        fewer += count(&saved) - count(&reported);
        for _ in 0..MEMORIES {
            let before = vary(&mut program, &mut random);
            let prefix = move |index: usize| before[index % 2];
            for commit in 0..COMMITS {
                let saved = |at: Option<usize>| reported.get(&at).cloned().unwrap_or_default();
                if let Some(harm) = harmed(&program, &prefix, commit, &saved) {
                    panic!(
                        "program {seed}: {harm}\n{reported:?}\n{:#?}\n{text}",
                        program.statements
                    );
                }
            }
        }
    }
    // The programs are worth testing: much of what is read and overwritten settles itself.
    assert!(fewer * 20 > all, "only {fewer} of {all} words settle");
}
