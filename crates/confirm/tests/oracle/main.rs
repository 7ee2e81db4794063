//! The search finds what exists, and nothing else.
//!
//! Random programs whose input gives 0, 1 or 2 are executed naively with all inputs before the
//! region, in the first and in the second attempt, and with a power failure after every write. The
//! words that this leaves wrong are those that the search has witnesses for.

#![allow(
    clippy::panic,
    reason = "a program that the test itself got wrong ends the test"
)]
#![allow(dead_code, reason = "the programs are shared with another test")]

#[path = "../../../flow/tests/soundness/program.rs"]
mod program;
#[path = "../../../flow/tests/soundness/text.rs"]
mod text;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use brownout_confirm::{Domain, Mode, Setting, Target, search};
use brownout_ir::{Func, Global, Id, parse};
use brownout_scenario::ValueSource;
use brownout_vm::{Binding, Bindings, Image, MemoryPlan, add_start};

use program::{ELEMENTS, Execution, LOCALS, Program, Random, SCALARS, State, WORDS};

/// How many programs are compared.
const PROGRAMS: usize = 700;
/// How many readings there may be before the region, and in it.
const READINGS: usize = 3;
/// Stands for the place where a region ends.
const END: usize = WORDS + LOCALS;

fn sequences() -> Vec<[u16; READINGS]> {
    let all = 0..27_u16;
    all.map(|number| [number / 9, number / 3 % 3, number % 3])
        .collect()
}

/// Where two executions that end differ.
fn differing(program: &Program, one: &State, other: &State) -> BTreeSet<usize> {
    let words = (0..WORDS).filter(|&word| one.words[word] != other.words[word]);
    // Locals are gone at the end of the program, and nobody's elsewhere.
    let are_there = one.at == other.at && one.at != Some(program.checkpoints);
    let locals = (0..LOCALS).filter(|&local| are_there && one.locals[local] != other.locals[local]);
    let end = (one.at != other.at).then_some(END);
    words
        .chain(locals.map(|local| WORDS + local))
        .chain(end)
        .collect()
}

/// One region: a commit and the inputs before it.
struct Region<'p> {
    program: &'p Program,
    prefix: [u16; READINGS],
    commit: usize,
    /// The most readings seen.
    readings: &'p Cell<usize>,
}

impl Region<'_> {
    fn run(
        &self,
        then: [u16; READINGS],
        dirty: Option<[u16; WORDS]>,
        writes: Option<usize>,
    ) -> Option<(State, usize)> {
        let seen = |index: usize| self.readings.set(self.readings.get().max(index + 1));
        let prefix = |index: usize| {
            seen(index);
            self.prefix[index % READINGS]
        };
        let then = |index: usize| {
            seen(index);
            then[index % READINGS]
        };
        let mut execution = Execution::new(self.program, &prefix, self.commit, &then);
        execution.dirty = dirty;
        execution.writes = writes;
        let (state, count, _) = execution.run()?;
        Some((state, count))
    }

    /// What failures of an attempt leave behind.
    fn remains(&self, first: [u16; READINGS]) -> BTreeSet<[u16; WORDS]> {
        let writes = self.run(first, None, None).map_or(0, |(_, writes)| writes);
        let failures = (1..=writes).filter_map(|count| self.run(first, None, Some(count)));
        failures.map(|(state, _)| state.words).collect()
    }

    /// Where an attempt that starts from `words` differs from the continuous execution, and how
    /// much it reads.
    fn differs(
        &self,
        words: [u16; WORDS],
        then: [u16; READINGS],
    ) -> Option<(BTreeSet<usize>, usize)> {
        let (expected, _) = self.run(then, None, None)?;
        let (state, _) = self.run(then, Some(words), None)?;
        Some((differing(self.program, &state, &expected), state.read))
    }

    /// What differs when both attempts read the same.
    fn innate(&self, then: [u16; READINGS]) -> BTreeSet<usize> {
        let remains = self.remains(then).into_iter();
        remains
            .filter_map(|words| Some(self.differs(words, then)?.0))
            .flatten()
            .collect()
    }

    /// The words that some failure harms, directly or by what they make others do.
    fn harmed(&self, start: [u16; WORDS]) -> BTreeSet<usize> {
        let mut harmed = BTreeSet::new();
        let all: BTreeSet<[u16; WORDS]> = sequences()
            .into_iter()
            .flat_map(|first| self.remains(first))
            .collect();
        let innate: BTreeMap<[u16; READINGS], BTreeSet<usize>> = sequences()
            .into_iter()
            .map(|then| (then, self.innate(then)))
            .collect();
        for then in sequences() {
            for &words in &all {
                let Some((mut caused, read)) = self.differs(words, then) else {
                    continue;
                };
                // Whatever the continuous execution reads where the attempt reads nothing any more.
                for (other, innate) in &innate {
                    let read = read.min(READINGS);
                    if other[..read] == then[..read]
                        && let Some((others, _)) = self.differs(words, *other)
                    {
                        caused.retain(|place| others.contains(place) && !innate.contains(place));
                    }
                }
                harmed.extend(caused.iter().filter(|&&place| place < WORDS));
                for word in (0..WORDS).filter(|&word| words[word] != start[word]) {
                    let mut mended = words;
                    mended[word] = start[word];
                    let still = self.differs(mended, then);
                    if !caused.is_empty()
                        && still.is_some_and(|(still, _)| caused.is_disjoint(&still))
                    {
                        harmed.insert(word);
                    }
                }
            }
        }
        harmed
    }
}

/// What the naive executions say; nothing if there are more readings than are tried.
fn expected(program: &Program) -> Option<BTreeSet<usize>> {
    let readings = Cell::new(0);
    let mut harmed = BTreeSet::new();
    for prefix in sequences() {
        for commit in 0..=8 {
            let region = Region {
                program,
                prefix,
                commit,
                readings: &readings,
            };
            let before = |index: usize| {
                readings.set(readings.get().max(index + 1));
                prefix[index % READINGS]
            };
            let Some(start) = Execution::memory_at(program, &before, commit) else {
                break;
            };
            if commit == 8 || readings.get() > READINGS {
                return None;
            }
            harmed.extend(region.harmed(start));
        }
    }
    (readings.get() <= READINGS).then_some(harmed)
}

fn image(program: &Program) -> Image {
    let text = text::text(program);
    let mut parsed = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let start = add_start(&mut parsed, Func::from_index(0));
    let mut bindings = Bindings {
        inputs: vec![ValueSource::Range {
            low: 0,
            high: 2,
            seed: 1,
        }],
        ..Bindings::default()
    };
    bindings
        .functions
        .insert(Func::from_index(1), Binding::Input(0));
    for number in 0..program.checkpoints {
        bindings
            .functions
            .insert(Func::from_index(4 + number), Binding::Checkpoint);
    }
    let plan = MemoryPlan {
        stack_size: Some(256),
        heap_size: Some(64),
        nonvolatile: (0..=SCALARS).map(Global::from_index).collect(),
        stack_nonvolatile: false,
        heap_nonvolatile: false,
    };
    Image::new(parsed, start, &plan, bindings).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The bytes of the words.
fn targets(image: &Image) -> Vec<Target> {
    let base = image.layout().segments().first().map_or(0, |segment| {
        segment.address - u64::from(segment.offsets.start)
    });
    let offset = |global: usize| (image.layout().global(Global::from_index(global)) - base) as u32;
    let scalars = (0..SCALARS).map(offset);
    let elements = (0..ELEMENTS).map(|element| offset(SCALARS) + 2 * element as u32);
    scalars
        .chain(elements)
        .map(|start| Target {
            offsets: std::iter::once(start..start + 2).collect(),
        })
        .collect()
}

#[test]
fn witnesses_are_what_the_naive_executions_find() {
    let (mut compared, mut harmful) = (0, 0);
    let mut seed = 0;
    while compared < PROGRAMS {
        seed += 1;
        let program = Program::random(&mut Random::new(seed));
        let Some(expected) = expected(&program) else {
            continue;
        };
        let image = image(&program);
        let targets = targets(&image);
        let setting = Setting {
            mode: Mode::Regions,
            saved: &[],
            domains: vec![Domain::below(3)],
            texts: vec![],
            invented: vec![],
            targets: &targets,
            jobs: 1 + (seed % 2) as usize,
            interrupt: &|| false,
        };
        let searched = search(&image, &setting, &mut |_| true);
        let found: BTreeSet<usize> = searched
            .witnesses
            .iter()
            .map(|witness| witness.target)
            .collect();
        let all_found = found.len() == targets.len();
        assert!(
            found == expected && (searched.exhausted || all_found),
            "program {seed}: {found:?} instead of {expected:?}, {searched:?}\n{:?}",
            program.statements
        );
        compared += 1;
        harmful += usize::from(!expected.is_empty());
    }
    // Otherwise nothing was compared.
    assert!(harmful * 10 > compared, "{harmful} of {compared}");
}
