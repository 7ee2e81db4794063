//! The search finds what exists, and nothing else.
//!
//! Random programs whose input gives 0, 1 or 2 are executed naively with all inputs before the
//! region and in every attempt, and with up to three power failures per region, after all writes. The
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

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use brownout_confirm::{Blame, Domain, Setting, Target, search};
use brownout_ir::{Func, Global, Id, parse};
use brownout_scenario::Exposure;
use brownout_scenario::ValueSource;
use brownout_vm::{Binding, Bindings, Image, MemoryPlan, add_start};

use program::{
    ELEMENTS, Execution, LOCALS, Place, Program, Random, SCALARS, State, Statement, Value, WORDS,
};

/// How often power fails in a region.
const FAILURES: usize = 3;
/// How many readings there may be before the region, and in it.
const READINGS: usize = 3;
/// Stands for the place where a region ends.
const END: usize = WORDS + LOCALS;

fn sequences() -> Vec<Inputs> {
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

type Words = [u16; WORDS];
type Inputs = [u16; READINGS];

/// What an attempt does.
#[derive(Clone)]
struct Attempt {
    end: State,
    /// What failures after its writes leave behind.
    remains: Vec<Words>,
}

/// One region: a commit and the inputs before it.
struct Region<'p> {
    program: &'p Program,
    prefix: Inputs,
    commit: usize,
    start: Words,
    /// The most readings seen.
    readings: &'p Cell<usize>,
    /// Attempts that were executed before, by what they begin with and read.
    known: RefCell<BTreeMap<(Words, Inputs), Option<Attempt>>>,
}

impl Region<'_> {
    fn run(&self, words: Words, then: Inputs, writes: Option<usize>) -> Option<(State, usize)> {
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
        execution.dirty = Some(words);
        execution.writes = writes;
        let (state, count, _) = execution.run()?;
        Some((state, count))
    }

    fn attempt(&self, words: Words, then: Inputs) -> Option<Attempt> {
        if let Some(known) = self.known.borrow().get(&(words, then)) {
            return known.clone();
        }
        let attempt = self.run(words, then, None).map(|(end, writes)| {
            let failures = (1..=writes).filter_map(|count| self.run(words, then, Some(count)));
            Attempt {
                end,
                remains: failures.map(|(state, _)| state.words).collect(),
            }
        });
        let mut known = self.known.borrow_mut();
        known.insert((words, then), attempt.clone());
        attempt
    }

    /// What is left behind after one failure, two and so on, where it cannot be after fewer; every
    /// attempt reads one of `inputs`, and `mended` is put back after every failure.
    fn remains(&self, inputs: &[Inputs], mended: Option<usize>) -> Vec<BTreeSet<Words>> {
        let mut known = BTreeSet::from([self.start]);
        let mut levels: Vec<BTreeSet<Words>> = Vec::new();
        for _ in 0..FAILURES {
            let before = levels.last().unwrap_or(&known).clone();
            let attempts = before.iter().flat_map(|&words| {
                let attempts = inputs
                    .iter()
                    .filter_map(move |&then| self.attempt(words, then));
                attempts.flat_map(|attempt| attempt.remains)
            });
            let mended = attempts.map(|mut words| {
                if let Some(word) = mended {
                    words[word] = self.start[word];
                }
                words
            });
            let level: BTreeSet<Words> = mended.filter(|words| !known.contains(words)).collect();
            known.extend(&level);
            levels.push(level);
        }
        levels
    }

    /// Where an attempt that starts from `words` differs from the continuous execution, and how
    /// much it reads.
    fn differs(&self, words: Words, then: Inputs) -> Option<(BTreeSet<usize>, usize)> {
        let expected = self.attempt(self.start, then)?.end;
        let state = self.attempt(words, then)?.end;
        Some((differing(self.program, &state, &expected), state.read))
    }

    /// What differs when all attempts read the same, with one failure, up to two and so on.
    fn innate(&self, then: Inputs) -> Vec<BTreeSet<usize>> {
        let mut all = BTreeSet::new();
        let levels = self.remains(&[then], None).into_iter();
        levels
            .map(|level| {
                let differences = level.iter().filter_map(|&words| self.differs(words, then));
                all.extend(differences.flat_map(|(differing, _)| differing));
                all.clone()
            })
            .collect()
    }

    /// The words that some failure harms, directly or by what they make others do: with one
    /// failure, up to two and so on.
    fn harmed(&self) -> Vec<BTreeSet<usize>> {
        let inputs = sequences();
        let levels = self.remains(&inputs, None);
        let mended: Vec<_> = (0..WORDS)
            .map(|word| self.remains(&inputs, Some(word)))
            .collect();
        let innate: BTreeMap<Inputs, Vec<BTreeSet<usize>>> = (inputs.iter())
            .map(|&then| (then, self.innate(then)))
            .collect();
        let mut harmed = BTreeSet::new();
        let mut all = Vec::new();
        for (index, level) in levels.iter().enumerate() {
            for (&words, &then) in level
                .iter()
                .flat_map(|words| inputs.iter().map(move |then| (words, then)))
            {
                let Some((mut caused, read)) = self.differs(words, then) else {
                    continue;
                };
                // Whatever the continuous execution reads where the attempt reads nothing any more.
                for (other, innate) in &innate {
                    let read = read.min(READINGS);
                    if other[..read] == then[..read]
                        && let Some((others, _)) = self.differs(words, *other)
                    {
                        caused.retain(|place| {
                            others.contains(place) && !innate[index].contains(place)
                        });
                    }
                }
                if caused.is_empty() {
                    continue;
                }
                harmed.extend(caused.iter().filter(|&&place| place < WORDS));
                let is_gone = |words: Words| {
                    let still = self.differs(words, then);
                    still.is_some_and(|(still, _)| caused.is_disjoint(&still))
                };
                for word in 0..WORDS {
                    let mut back = words;
                    back[word] = self.start[word];
                    // Put back after the last failure, or after all of them, whatever they were.
                    let mut without = mended[word][..=index].iter().flatten();
                    let is_cause = back != words && is_gone(back);
                    if is_cause || index > 0 && without.all(|&words| is_gone(words)) {
                        harmed.insert(word);
                    }
                }
            }
            all.push(harmed.clone());
        }
        all
    }
}

/// What the naive executions say, with one failure, up to two and so on; nothing if there are more
/// readings than are tried.
fn expected(program: &Program) -> Option<Vec<BTreeSet<usize>>> {
    let readings = Cell::new(0);
    let mut harmed = vec![BTreeSet::new(); FAILURES];
    let mut known = BTreeSet::new();
    for prefix in sequences() {
        for commit in 0..=8 {
            let used = Cell::new(0);
            let before = |index: usize| {
                used.set(used.get().max(index + 1));
                prefix[index % READINGS]
            };
            let Some(start) = Execution::memory_at(program, &before, commit) else {
                break;
            };
            readings.set(readings.get().max(used.get()));
            if commit == 8 || readings.get() > READINGS {
                return None;
            }
            if !known.insert((commit, prefix[..used.get()].to_vec())) {
                continue;
            }
            let region = Region {
                program,
                prefix,
                commit,
                start,
                readings: &readings,
                known: RefCell::default(),
            };
            for (all, more) in harmed.iter_mut().zip(region.harmed()) {
                all.extend(more);
            }
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
        ..MemoryPlan::default()
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
            innate: false,
            blame: Blame::Any,
        })
        .collect()
}

/// The words that the search has witnesses for, and whether it tried everything.
fn found(program: &Program, seed: u64, failures: usize) -> (BTreeSet<usize>, bool) {
    let image = image(program);
    let targets = targets(&image);
    let setting = Setting {
        exposure: Exposure::Region,
        saved: &[],
        domains: vec![Domain::below(3)],
        texts: vec![],
        invented: vec![],
        answers: vec![],
        private: vec![],
        optional: vec![],
        failures: failures as u32,
        atomic_write: None,
        targets: &targets,
        instructions: brownout_confirm::INSTRUCTIONS,
        jobs: 1 + (seed % 2) as usize,
        interrupt: &|| false,
    };
    let searched = search(&image, &setting, &mut |_| true);
    let witnesses = searched.witnesses.iter();
    let found: BTreeSet<usize> = witnesses.map(|witness| witness.target).collect();
    let is_all = searched.exhausted || found.len() == targets.len();
    (found, is_all)
}

#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    /// Something goes wrong.
    harmful: usize,
    /// More goes wrong with two failures than with one, and with three than with two.
    twice: usize,
    thrice: usize,
    /// The budget was too small for everything.
    cut: usize,
}

/// A program that passes on from variable to variable what a reading left, and clears most of them
/// in the end: to do harm, power has to fail again before it comes to that.
fn relay(random: &mut Random) -> Program {
    let scalar = |index: usize| Place::Scalar(index % SCALARS);
    let set = |place: Place, value: u16| Statement::Assign(place, Value::Constant(value));
    let (first, length) = (random.below(SCALARS), 1 + random.below(SCALARS - 1));
    let mut statements: Vec<Statement> = (first..first + length)
        .rev()
        .map(|index| {
            let then = vec![set(scalar(index + 1), 1)];
            Statement::If(Value::Of(scalar(index)), 1, vec![], then)
        })
        .collect();
    statements.push(Statement::Input(Place::Local(0)));
    let limit = 1 + random.below(2) as u16;
    let then = vec![set(scalar(first), 1)];
    statements.push(Statement::If(
        Value::Of(Place::Local(0)),
        limit,
        then,
        vec![],
    ));
    for index in first..first + length {
        if random.below(8) > 0 {
            statements.push(set(scalar(index), 0));
        }
    }
    // Something else somewhere.
    let noise = match random.below(4) {
        0 => Statement::Input(scalar(random.below(SCALARS))),
        1 => set(scalar(random.below(SCALARS)), random.below(2) as u16),
        2 => Statement::Assign(
            scalar(random.below(SCALARS)),
            Value::Plus(scalar(random.below(SCALARS)), 1),
        ),
        _ => Statement::CopyPair,
    };
    statements.insert(random.below(statements.len() + 1), noise);
    Program {
        memory: [0; WORDS],
        statements,
        checkpoints: 0,
        repeating: false,
        branching: false,
    }
}

/// Compares the search with the naive executions of some programs.
fn compare(programs: usize, program: impl Fn(&mut Random) -> Program) -> Tally {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.compared < programs {
        seed += 1;
        let program = program(&mut Random::new(seed));
        let Some(expected) = expected(&program) else {
            continue;
        };
        let failures = 1 + (seed % FAILURES as u64) as usize;
        let (found, is_all) = found(&program, seed, failures);
        let expected_found = &expected[failures - 1];
        assert!(
            found == *expected_found || !is_all && found.is_subset(expected_found),
            "program {seed}, {failures} failures: {found:?} of {expected:?}\n{:?}",
            program.statements
        );
        tally.compared += 1;
        tally.cut += usize::from(!is_all);
        tally.harmful += usize::from(!expected[0].is_empty());
        tally.twice += usize::from(failures > 1 && expected[0] != expected[1]);
        tally.thrice += usize::from(failures > 2 && expected[1] != expected[2]);
    }
    tally
}

#[test]
fn witnesses_are_what_the_naive_executions_find() {
    let tally = compare(400, Program::random);
    // Otherwise nothing was compared.
    assert!(tally.harmful * 10 > tally.compared, "{tally:?}");
    assert!(tally.cut * 50 < tally.compared, "{tally:?}");
}

#[test]
fn so_they_are_where_power_has_to_fail_again() {
    let tally = compare(300, relay);
    assert!(tally.twice > 20 && tally.thrice > 2, "{tally:?}");
    assert_eq!(tally.cut, 0, "{tally:?}");
}
