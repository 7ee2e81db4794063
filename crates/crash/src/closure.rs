//! All states that power failures lead to under one workload, breadth first (semantics §5).
//!
//! States of one level are booted in batches of a fixed size, the boots of a batch on all threads,
//! and what they lead to is looked at in their order: the result is the same for any number of
//! threads. Within a level, states come first whose failure came by a call path that was seen less
//! often, so that findings come early; that decides nothing else.
//!
//! **Invariant**: a state is left out only if one equal to it is kept, or if it belongs to another
//! shard; `complete` is said only if every state of up to the failures asked for was booted and
//! every boot came to an end.

mod children;
mod told;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use brownout_vm::{Image, Machine};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::atomic;
use crate::boot::{Booter, End, Interest, Patience, Recording};
use crate::calls::Paths;
use crate::gather::{Found, broken};
use crate::memo::Memory;
use crate::nonvolatile::Nonvolatile;
use crate::operation::Cuts;
use crate::places;
use crate::report::{Assertion, Coverage, Shortfall};
use crate::scratch::Scratch;
use crate::state::{Origin, StateId, States};
use crate::workload::{Reading, Workload};
use crate::{Memo, Monitor, Overflow, Request};

/// How many states are booted before what they lead to is looked at.
const BATCH: usize = 64;

/// What boots did takes no more than one part in so many of the memory.
const RECORDINGS: u64 = 8;

/// What takes so many more failures than the shortest way to the same is not told by itself.
const FURTHER: u32 = 16;

/// What an exploration works with.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'c> {
    pub(crate) image: &'c Image,
    pub(crate) request: &'c Request,
    pub(crate) nonvolatile: &'c Nonvolatile,
    /// The device at its first power-on.
    pub(crate) fresh: &'c Machine<'c>,
    pub(crate) overflow: Option<&'c dyn Overflow>,
    pub(crate) monitor: &'c dyn Monitor,
}

impl Setting<'_> {
    /// Does something with the device that a program and a request describe.
    pub(crate) fn with<T>(
        image: &Image,
        request: &Request,
        overflow: Option<&dyn Overflow>,
        monitor: &dyn Monitor,
        work: impl FnOnce(Setting<'_>) -> T,
    ) -> T {
        work(Setting {
            image,
            request,
            nonvolatile: &Nonvolatile::new(image, request),
            fresh: &Machine::new(image),
            overflow,
            monitor,
        })
    }
}

/// What the closure of one workload came to.
pub(crate) struct Closed {
    /// How the undisturbed program ends.
    pub(crate) goal: End,
    pub(crate) coverage: Coverage,
    /// States whose boot breaks something.
    pub(crate) found: Vec<Found>,
    /// Readings that boots made, in the order in which they came up.
    pub(crate) readings: Vec<Reading>,
}

/// Boots every state that power failures can leave under one workload.
pub(crate) fn close(setting: Setting<'_>, workload: &Workload) -> Closed {
    let mut states = States::new(setting.overflow);
    let scratch = Scratch::new(setting.nonvolatile, setting.fresh, &mut states);
    let mut closure = Closure {
        setting,
        workload,
        cuts: Cuts::new(setting.image, setting.request, setting.nonvolatile),
        scratch,
        states,
        memory: Memory::default(),
        paths: Paths::default(),
        broken: Vec::new(),
        said: Texts::default(),
        flights: Vec::new(),
        readings: Vec::new(),
        coverage: Coverage {
            failures: setting.request.failures,
            ..Coverage::default()
        },
        undecided: 0,
        sampled: 0,
        lower: 0,
        borrowed: FxHashSet::default(),
        begins_late: false,
        again: None,
        patience: Patience::first(setting.request.instructions),
        goal: End::Undecided,
    };
    closure.run();
    closure.finish()
}

/// What boots say, each text once.
#[derive(Default)]
struct Texts {
    texts: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
    /// What the boot of a state says, and which boot it was, by state; nothing if it came to no end.
    by_state: Vec<Option<(u32, u64)>>,
}

impl Texts {
    fn note(&mut self, state: StateId, text: Option<&[u8]>, boot: u64) {
        let number = text.map(|text| match self.numbers.get(text) {
            Some(&number) => number,
            None => {
                let number = self.texts.len() as u32;
                self.texts.push(text.to_vec());
                self.numbers.insert(text.to_vec(), number);
                number
            }
        });
        let index = state as usize;
        if self.by_state.len() <= index {
            self.by_state.resize(index + 1, None);
        }
        self.by_state[index] = number.map(|number| (number, boot));
    }

    fn get(&self, state: StateId) -> Option<&[u8]> {
        let (number, _) = self.by_state.get(state as usize).copied().flatten()?;
        self.texts.get(number as usize).map(Vec::as_slice)
    }

    /// Which boot was the last one of these states.
    fn last(&self, states: [StateId; 3]) -> Option<u64> {
        let boot = |state: StateId| Some(self.by_state.get(state as usize).copied().flatten()?.1);
        states.into_iter().filter_map(boot).max()
    }
}

/// A failure inside an operation of the program.
struct Flight {
    /// How the state after it came about; the state may have come about in another way first.
    origin: Origin,
    child: StateId,
    /// The states in which the operation was not begun, and is done.
    without: StateId,
    with: StateId,
}

struct Closure<'c> {
    setting: Setting<'c>,
    workload: &'c Workload,
    cuts: Cuts<'c>,
    scratch: Scratch<'c>,
    states: States<'c>,
    memory: Memory,
    paths: Paths,
    /// States whose boot breaks something, with how many failures they take.
    broken: Vec<(StateId, u32, Assertion)>,
    said: Texts,
    flights: Vec<Flight>,
    readings: Vec<Reading>,
    coverage: Coverage,
    undecided: u64,
    sampled: u64,
    /// How many states take fewer failures than were asked for.
    lower: u64,
    /// States that belong to other shards, and are booted to hold others against what they say.
    borrowed: FxHashSet<StateId>,
    /// Whether power does not fail from the start of the first boot on; and the first state once
    /// more, after a failure: then it does.
    begins_late: bool,
    again: Option<StateId>,
    patience: Patience,
    /// How the undisturbed program ends.
    goal: End,
}

/// States that take the same number of failures.
#[derive(Clone, Copy)]
struct Level {
    failures: u32,
    /// Whether failures in these boots are not asked for.
    is_last: bool,
    /// Whether the next level is the last one.
    is_next_last: bool,
}

impl Closure<'_> {
    fn run(&mut self) {
        let environment = self.setting.fresh.environment().to_vec();
        let outside = self.states.outside(environment);
        let sum = self.states.sum(0, outside);
        let first = self.states.insert(sum, std::iter::empty(), outside, None);
        let most = self.setting.request.failures;
        let mut states = vec![first];
        let mut failures = 0;
        while !states.is_empty() {
            let level = Level {
                failures,
                is_last: most.is_some_and(|most| failures >= most),
                is_next_last: most.is_some_and(|most| failures + 1 >= most),
            };
            if !level.is_last || failures == 0 {
                self.lower = self.states.len();
            }
            self.sort(&mut states);
            let mut next = Vec::new();
            for batch in states.chunks(BATCH) {
                if let Some(shortfall) = self.boot_batch(batch, level, &mut next) {
                    self.coverage.shortfalls.push(shortfall);
                    return;
                }
            }
            self.coverage.closed = next.is_empty() && !level.is_last;
            if !next.is_empty() {
                failures += 1;
                self.coverage.deepest = failures;
            }
            states = next;
        }
    }

    /// Puts states first whose failure came by a path that fewer states before them have.
    fn sort(&self, states: &mut [StateId]) {
        let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
        let mut turn = |id: &StateId| {
            let origin = self.states.get(*id).origin.as_ref();
            let seen = seen
                .entry(origin.map_or(0, |origin| origin.path))
                .or_insert(0);
            *seen += 1;
            *seen
        };
        states.sort_by_cached_key(|id| turn(id));
    }

    /// Whether this shard is the one that counts what happens in boots of a level.
    fn tells(&self, level: Level) -> bool {
        let shard = self.setting.request.shard;
        shard.is_none_or(|shard| shard.index == 0 || level.is_last && level.failures > 0)
    }

    /// Whether the state of a failure in a boot of a level is left to this shard.
    fn is_mine(&self, level: Level, sum: u64) -> bool {
        let shard = self.setting.request.shard;
        shard.is_none_or(|shard| {
            !level.is_next_last || sum % u64::from(shard.count) == shard.index.into()
        })
    }

    /// Boots some states, and finds those that failures in their boots lead to.
    fn boot_batch(
        &mut self,
        batch: &[StateId],
        level: Level,
        next: &mut Vec<StateId>,
    ) -> Option<Shortfall> {
        let request = self.setting.request;
        let tells =
            |closure: &Self, id: StateId| closure.tells(level) && !closure.borrowed.contains(&id);
        let mut boots: Vec<Option<Arc<Recording>>> = Vec::new();
        for &id in batch {
            let state = self.states.get(id);
            let found = match request.memo {
                Memo::On => {
                    self.scratch.load(&self.states, state);
                    self.memory.find(state.outside, &self.scratch)
                }
                Memo::Off => None,
            };
            self.coverage.derived += u64::from(found.is_some() && tells(self, id));
            boots.push(found);
        }
        let known: Vec<bool> = boots.iter().map(Option::is_some).collect();
        let interest = match level.is_last && level.failures > 0 {
            true => Interest::End,
            false => Interest::All,
        };
        self.execute(batch, interest, &mut boots);
        for ((&id, boot), known) in batch.iter().zip(boots).zip(known) {
            // A boot that was stopped is none.
            let Some(recording) = boot else {
                return Some(Shortfall::Interrupted);
            };
            if recording.end == End::Undecided && recording.instructions < self.patience.limit {
                return Some(Shortfall::Interrupted);
            }
            let tells = tells(self, id);
            self.coverage.booted += u64::from(tells);
            if id == 0 {
                self.begin(&recording);
            }
            for &reading in &recording.readings {
                if !self.readings.contains(&reading) {
                    self.readings.push(reading);
                }
            }
            if id == 0 && recording.end == End::Undecided {
                self.undecided += 1;
                return Some(Shortfall::Undecided {
                    boots: 1,
                    limit: request.instructions,
                });
            }
            if !known {
                self.coverage.instructions += recording.instructions;
                self.coverage.passed.extend(&recording.passed);
            }
            self.judge(id, level.failures, &recording, tells);
            let state = self.states.get(id);
            let outside = state.outside;
            self.scratch.load(&self.states, state);
            if !known && request.memo == Memo::On && recording.end != End::Undecided {
                self.memory.insert(outside, &self.scratch, &recording);
            }
            if !level.is_last {
                self.children(id, &recording, level, next);
            }
            if let Some(shortfall) = self.make_room() {
                return Some(shortfall);
            }
        }
        let monitor = self.setting.monitor;
        monitor.advance(self.states.len(), self.coverage.booted, level.failures);
        monitor.is_interrupted().then_some(Shortfall::Interrupted)
    }

    /// Keeps to the memory that states may take.
    fn make_room(&mut self) -> Option<Shortfall> {
        let most = self.setting.request.memory;
        // What was derived can be booted again; states cannot be given up.
        let is_full = self.states.bytes() + self.memory.bytes() > most;
        if is_full || self.memory.bytes() > most / RECORDINGS {
            self.memory = Memory::default();
            if self.states.bytes() > most
                && !(self.states.make_room() && self.states.bytes() <= most)
            {
                return Some(Shortfall::Memory);
            }
        }
        self.states.is_broken().then_some(Shortfall::Memory)
    }

    /// Boots the states whose boot is not known.
    fn execute(&self, batch: &[StateId], interest: Interest, boots: &mut [Option<Arc<Recording>>]) {
        let missing: Vec<usize> = (0..batch.len())
            .filter(|&index| boots[index].is_none())
            .collect();
        let done: Vec<Mutex<Option<Recording>>> =
            missing.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut booter = Booter::new(self.setting, self.workload, interest);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&which) = missing.get(index) else {
                    return;
                };
                let state = self.states.get(batch[which]);
                let recording = booter.boot(&self.states, state, self.patience);
                if let Ok(mut slot) = done[index].lock() {
                    *slot = Some(recording);
                }
            }
        };
        let threads = self.setting.request.jobs.min(missing.len());
        if threads <= 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    // A thread that cannot be had is none: this one does the work as well.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, work);
                }
                work();
            });
        }
        for (which, slot) in missing.into_iter().zip(done) {
            boots[which] = slot.into_inner().ok().flatten().map(Arc::new);
        }
    }

    /// Learns from the undisturbed boot what others are held against.
    fn begin(&mut self, recording: &Recording) {
        self.goal = recording.end.clone();
        self.begins_late = recording.before > 0;
        let operations = recording.operations.len() as u64;
        self.coverage.operations = operations.saturating_sub(recording.before.into());
        let limit = self.setting.request.instructions;
        self.patience = Patience::later(recording.instructions, limit);
        let bypass = recording.bypass.and_then(|number| {
            let path = recording.operations[number as usize].path;
            places::place(self.setting.image, &recording.paths[path as usize])
        });
        self.coverage.bypass = bypass;
    }

    /// Notes what a boot breaks, if this shard tells that, and what it says.
    fn judge(&mut self, id: StateId, failures: u32, recording: &Recording, tells: bool) {
        if recording.end == End::Undecided && tells {
            self.undecided += 1;
        }
        let is_first = id == 0;
        let found = broken(self.setting.image, &self.goal, recording, is_first);
        if self.setting.request.atomic.is_some() {
            let said = match found {
                Some(_) => None,
                None => atomic::said(recording),
            };
            self.said.note(id, said, self.coverage.booted);
        }
        // The same state is not told twice.
        let is_told = self.again == Some(id) && self.broken.iter().any(|(state, ..)| *state == 0);
        if let Some(assertion) = found.filter(|_| tells && !is_told) {
            self.coverage
                .first_broken
                .get_or_insert(self.coverage.booted);
            self.broken.push((id, failures, assertion));
        }
    }
}
