//! Random programs: the observer against naive executions and against static analysis.

use std::collections::BTreeSet;
use std::ops::Range;

use brownout_ir::{Global, Id};
use brownout_vm::{Image, Machine, Moment, Observer};

use crate::device::{Device, bytes, image};
use crate::naive::{Naive, Stop};
use crate::program::{Program, Random, SCALARS, WORDS};
use crate::sets::{Question, static_sets};
use crate::text::text;

/// How many programs are executed.
const PROGRAMS: u64 = 2_000;
/// How often each one is.
const EXECUTIONS: usize = 4;
/// Power failures of an execution, at most.
const FAILURES: usize = 4;
/// Time enough for every program here.
const LONG: u64 = 100_000;

/// When non-volatile variables are written.
struct Stores {
    range: Range<u32>,
    times: Vec<u64>,
}

impl Observer for Stores {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        if self.range.contains(&offset) {
            self.times.push(at.time);
        }
    }
}

/// The bytes of a word.
fn word(image: &Image, word: usize) -> Range<u32> {
    let global = bytes(image, Global::from_index(word.min(SCALARS)));
    let start = global.start + 2 * word.saturating_sub(SCALARS) as u32;
    start..start + 2
}

/// When words will be stored if power lasts.
fn stores(image: &Image, machine: &Machine<'_>) -> Vec<u64> {
    let mut stores = Stores {
        range: word(image, 0).start..word(image, WORDS - 1).end,
        times: vec![],
    };
    machine.clone().watch(&mut stores, machine.now() + LONG);
    stores.times
}

/// Hits by variable: the scalars, and the array.
fn by_variable(device: &Device<'_>) -> [u64; SCALARS + 1] {
    let mut found = [0; SCALARS + 1];
    for hit in device.taint.hits() {
        let global = hit.global.unwrap_or_else(|| panic!("{hit:?} is nowhere"));
        found[global.index()] += hit.count;
    }
    found
}

/// What one execution came to.
struct Executed {
    hits: [u64; SCALARS + 1],
    tainted: bool,
}

/// Executes a program naively and on a machine, with power failures behind the same stores, and
/// compares.
fn execute(
    image: &Image,
    program: &Program,
    inputs: &[u16],
    saved: &dyn Fn(Option<usize>) -> BTreeSet<usize>,
    random: &mut Random,
) -> Option<Executed> {
    let mut naive = Naive::new(program, inputs, saved);
    let mut device = Device::new(image, &[]);
    let ranges = |number: Option<usize>| -> Vec<Range<u32>> {
        let words = saved(number).into_iter();
        words.map(|number| word(image, number)).collect()
    };
    for (number, value) in program.memory.iter().enumerate() {
        let start = word(image, number).start;
        device.machine.set_memory(start, &value.to_le_bytes());
    }
    // The device is delivered with a checkpoint of the state in which it starts.
    device.planned.push_back(ranges(None));
    device.commit();
    let mut tainted = false;
    for attempt in 0..=FAILURES {
        let times = stores(image, &device.machine);
        let fails = attempt < FAILURES && !times.is_empty();
        let count = if fails {
            1 + random.below(times.len())
        } else {
            usize::MAX
        };
        let commits = naive.commits.len();
        let stop = naive.run(count);
        if stop == Stop::Endless {
            return None;
        }
        let numbers = naive.commits[commits..].iter();
        device.planned = numbers.map(|&number| ranges(Some(number))).collect();
        match times.get(count - 1) {
            Some(&time) => drop(device.run(time)),
            None => assert!(device.run(u64::MAX), "it does not end"),
        }
        for (number, expected) in naive.words.iter().enumerate() {
            let range = word(image, number);
            let found = &device.machine.memory()[range.start as usize..range.end as usize];
            assert_eq!(found, expected.value.to_le_bytes(), "word {number}");
            let bits = range.map(|byte| device.taint.is_tainted(byte));
            assert!(
                bits.into_iter().all(|bit| bit == expected.tainted),
                "word {number}, attempt {attempt}"
            );
            tainted |= expected.tainted;
        }
        if stop == Stop::Ended {
            break;
        }
        naive.fail();
        device.fail();
    }
    let mut hits = [0; SCALARS + 1];
    for (number, count) in naive.hits.iter().enumerate() {
        hits[number.min(SCALARS)] += count;
    }
    assert_eq!(by_variable(&device), hits);
    Some(Executed { hits, tainted })
}

/// Executes random programs; what `saved` says is given their text.
fn execute_all(
    statements: impl Fn(&Program) -> bool,
    saved: impl Fn(&str, &Program) -> Box<dyn Fn(Option<usize>) -> BTreeSet<usize>>,
    mut see: impl FnMut(&Executed),
) {
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1);
        let mut program = Program::random(&mut random);
        if !statements(&program) {
            continue;
        }
        let text = text(&program);
        let saved = saved(&text, &program);
        for _ in 0..EXECUTIONS {
            program.memory = std::array::from_fn(|_| random.below(4) as u16);
            let inputs: Vec<u16> = (0..23).map(|_| random.below(3) as u16).collect();
            let values: Vec<i64> = inputs.iter().map(|&value| value.into()).collect();
            let image = image(&text, &values);
            let run = std::panic::AssertUnwindSafe(|| {
                execute(&image, &program, &inputs, &*saved, &mut random)
            });
            match std::panic::catch_unwind(run) {
                Ok(executed) => executed.iter().for_each(&mut see),
                Err(_) => panic!(
                    "program {seed}, inputs {inputs:?}, memory {:?}\n{:?}\n{text}",
                    program.memory, program.statements
                ),
            }
        }
    }
}

#[test]
fn taint_and_hits_are_what_the_naive_executions_find() {
    let (mut executions, mut tainted, mut hit) = (0, 0, 0);
    execute_all(
        |_| true,
        |_, _| Box::new(|_| BTreeSet::new()),
        |executed| {
            executions += 1;
            tainted += u32::from(executed.tainted);
            hit += u32::from(executed.hits.iter().any(|&count| count > 0));
        },
    );
    // Otherwise nothing was compared.
    assert!(
        executions > 7_000 && tainted * 2 > executions && hit * 20 > executions,
        "{hit} hits, {tainted} tainted of {executions}"
    );
}

#[test]
fn nothing_is_stale_if_all_is_saved_that_static_analysis_asks_for() {
    let mut tainted = 0;
    execute_all(
        |_| true,
        |text, program| {
            let sets = static_sets(text, program.checkpoints, Question::Saved);
            Box::new(move |at| sets.get(&at).cloned().unwrap_or_default())
        },
        |executed| {
            tainted += u32::from(executed.tainted);
            assert_eq!(executed.hits, [0; SCALARS + 1]);
        },
    );
    assert!(tainted > 3_000, "only {tainted} are tainted");
}

#[test]
fn without_inputs_nothing_is_tainted() {
    execute_all(
        |program| !format!("{:?}", program.statements).contains("Input("),
        |_, _| Box::new(|_| BTreeSet::new()),
        |executed| assert!(!executed.tainted && executed.hits == [0; SCALARS + 1]),
    );
}
