//! All states that power failures lead to, breadth first (semantics §5).
//!
//! States of one level are booted in batches of a fixed size, the boots of a batch on all threads,
//! and what they lead to is looked at in their order: the result is the same for any number of
//! threads.
//!
//! **Invariant**: a state is left out only if one equal to it is kept; `complete` is said only if
//! every state of up to the failures asked for was booted and every boot came to an end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use brownout_diag::{CrashId, CrashPoint, Extent};
use brownout_ir::Id;
use brownout_vm::{Image, Machine, Segment, SegmentKind};

use crate::boot::{Booter, End, Recording, Settled};
use crate::calls::Paths;
use crate::memo::Memory;
use crate::nonvolatile::Nonvolatile;
use crate::operation::Cuts;
use crate::report::{Assertion, Coverage, Explored, Shortfall, Violation};
use crate::scratch::Scratch;
use crate::state::{Origin, StateId, States};
use crate::{Memo, Monitor, Request, places, replay};

/// How many states are booted before what they lead to is looked at.
const BATCH: usize = 64;

/// A boot after a failure may take so many times longer than the undisturbed one.
const PATIENCE: u64 = 64;

/// And so many instructions in any case.
const LEAST: u64 = 5_000_000;

/// Boots every state that power failures can leave.
pub fn explore(image: &Image, request: &Request, monitor: &dyn Monitor) -> Explored {
    let nonvolatile = Nonvolatile::new(image, request);
    // The allocator's map of the heap is read by the machine itself, which nobody sees.
    let keeps_heap =
        |segment: &Segment| segment.kind == SegmentKind::HeapMap && segment.nonvolatile;
    let request = &Request {
        memo: match image.layout().segments().iter().any(keeps_heap) {
            true => Memo::Off,
            false => request.memo,
        },
        ..request.clone()
    };
    let fresh = Machine::new(image);
    let mut states = States::default();
    let scratch = Scratch::new(&nonvolatile, &fresh, &mut states);
    let mut closure = Closure {
        image,
        request,
        monitor,
        nonvolatile: &nonvolatile,
        fresh: &fresh,
        cuts: Cuts::new(image, request, &nonvolatile),
        scratch,
        states,
        memory: Memory::default(),
        paths: Paths::default(),
        broken: Vec::new(),
        coverage: Coverage {
            failures: request.failures,
            ..Coverage::default()
        },
        undecided: 0,
        sampled: 0,
        limit: request.instructions,
        goal: End::Undecided,
    };
    closure.run();
    closure.finish()
}

struct Closure<'c> {
    image: &'c Image,
    request: &'c Request,
    monitor: &'c dyn Monitor,
    nonvolatile: &'c Nonvolatile,
    fresh: &'c Machine<'c>,
    cuts: Cuts<'c>,
    scratch: Scratch<'c>,
    states: States,
    memory: Memory,
    paths: Paths,
    /// States whose boot breaks something.
    broken: Vec<(StateId, Assertion)>,
    coverage: Coverage,
    undecided: u64,
    sampled: u64,
    /// Most instructions of a boot.
    limit: u64,
    /// How the undisturbed program ends.
    goal: End,
}

impl Closure<'_> {
    fn run(&mut self) {
        let environment = self.fresh.environment().to_vec();
        let outside = self.states.outside(environment);
        let first = self.states.insert(0, std::iter::empty(), outside, || None);
        let mut level: Vec<StateId> = first.into_iter().collect();
        let mut failures = 0;
        while !level.is_empty() {
            let is_last = self.request.failures.is_some_and(|most| failures >= most);
            let mut next = Vec::new();
            for batch in level.chunks(BATCH) {
                let is_over = self.boot_batch(batch, is_last, failures, &mut next);
                if let Some(shortfall) = is_over {
                    self.coverage.shortfalls.push(shortfall);
                    return;
                }
            }
            self.coverage.closed = next.is_empty() && !is_last;
            if !next.is_empty() {
                failures += 1;
                self.coverage.deepest = failures;
            }
            level = next;
        }
    }

    /// Boots some states, and finds those that failures in their boots lead to.
    fn boot_batch(
        &mut self,
        batch: &[StateId],
        is_last: bool,
        failures: u32,
        next: &mut Vec<StateId>,
    ) -> Option<Shortfall> {
        let mut boots: Vec<Option<Arc<Recording>>> = Vec::new();
        for &id in batch {
            let state = self.states.get(id);
            let found = match self.request.memo {
                Memo::On => {
                    self.scratch.load(&self.states, state);
                    self.memory.find(state.outside, &self.scratch)
                }
                Memo::Off => None,
            };
            self.coverage.derived += u64::from(found.is_some());
            boots.push(found);
        }
        let known: Vec<bool> = boots.iter().map(Option::is_some).collect();
        self.execute(batch, &mut boots);
        for ((&id, boot), known) in batch.iter().zip(boots).zip(known) {
            // A boot that was stopped is none.
            let Some(recording) = boot else {
                return Some(Shortfall::Interrupted);
            };
            if recording.end == End::Undecided && recording.instructions < self.limit {
                return Some(Shortfall::Interrupted);
            }
            self.coverage.booted += 1;
            if id == 0 {
                self.begin(&recording);
                if recording.end == End::Undecided {
                    self.undecided += 1;
                    return Some(Shortfall::Undecided {
                        boots: 1,
                        limit: self.request.instructions,
                    });
                }
            }
            if !known {
                self.coverage.instructions += recording.instructions;
            }
            self.judge(id, &recording);
            let state = self.states.get(id).clone();
            self.scratch.load(&self.states, &state);
            if !known && self.request.memo == Memo::On && recording.end != End::Undecided {
                self.memory.insert(state.outside, &self.scratch, &recording);
            }
            if !is_last {
                self.children(id, &recording, next);
            }
            if self.states.bytes() + self.memory.bytes() > self.request.memory {
                // What was derived can be booted again; states cannot be given up.
                self.memory = Memory::default();
                if self.states.bytes() > self.request.memory {
                    return Some(Shortfall::Memory);
                }
            }
        }
        self.monitor
            .advance(self.states.len(), self.coverage.booted, failures);
        self.monitor
            .is_interrupted()
            .then_some(Shortfall::Interrupted)
    }

    /// Boots the states whose boot is not known.
    fn execute(&self, batch: &[StateId], boots: &mut [Option<Arc<Recording>>]) {
        let missing: Vec<usize> = (0..batch.len())
            .filter(|&index| boots[index].is_none())
            .collect();
        let done: Vec<Mutex<Option<Recording>>> =
            missing.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut booter = Booter::new(self.image, self.request, self.nonvolatile, self.fresh);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&which) = missing.get(index) else {
                    return;
                };
                let state = self.states.get(batch[which]);
                let recording = booter.boot(&self.states, state, self.limit, self.monitor);
                if let Ok(mut slot) = done[index].lock() {
                    *slot = Some(recording);
                }
            }
        };
        let threads = self.request.jobs.min(missing.len());
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
        let operations = recording.operations.len() as u64;
        self.coverage.operations = operations.saturating_sub(recording.before.into());
        let patience = recording.instructions.saturating_mul(PATIENCE).max(LEAST);
        self.limit = self.request.instructions.min(patience);
    }

    fn judge(&mut self, id: StateId, recording: &Recording) {
        if recording.end == End::Undecided {
            self.undecided += 1;
        }
        let is_first = id == 0;
        if let Some(assertion) = broken(self.image, &self.goal, recording, is_first) {
            self.broken.push((id, assertion));
        }
    }

    /// The states that a failure in this boot leaves.
    fn children(&mut self, id: StateId, recording: &Recording, next: &mut Vec<StateId>) {
        let paths: Vec<u32> = recording
            .paths
            .iter()
            .map(|path| self.paths.number(path.clone()))
            .collect();
        let outsides: Vec<u32> = recording
            .outside
            .iter()
            .map(|outside| self.states.outside(outside.clone()))
            .collect();
        // Failures begin in the first boot at some place, and are everywhere after that.
        let before = if id == 0 { recording.before } else { 0 };
        for (number, operation) in recording.operations.iter().enumerate() {
            let new = recording.new_bytes(operation);
            let outside = operation.outside.map(|index| outsides[index as usize]);
            let mut add =
                |states: &mut States, scratch: &Scratch<'_>, bytes: &[u8], extent: &Extent| {
                    let found = scratch.child(states, operation.offset, bytes, outside, || {
                        Some(Origin {
                            parent: id,
                            operation: number as u32,
                            extent: extent.clone(),
                            path: paths[operation.path as usize],
                        })
                    });
                    match found {
                        Some(child) => next.push(child),
                        None => self.coverage.repeated += 1,
                    }
                };
            if number as u32 >= before {
                let old = self.scratch.bytes(operation.offset, new.len());
                let cut = self
                    .cuts
                    .extents(operation.kind, operation.offset, &old, new);
                self.sampled += u64::from(cut.is_sample);
                for extent in &cut.extents {
                    let both = (&old[..], new);
                    let torn = self
                        .cuts
                        .torn(operation.kind, operation.offset, both, extent);
                    if let Some(torn) = torn {
                        add(&mut self.states, &self.scratch, &torn, extent);
                    }
                }
                add(&mut self.states, &self.scratch, new, &Extent::Whole);
            }
            self.scratch
                .apply(&mut self.states, operation.offset, new, outside);
        }
    }

    fn finish(mut self) -> Explored {
        self.coverage.states = self.states.len();
        self.coverage.left = self.coverage.states - self.coverage.booted;
        if self.undecided > 0
            && !(self.coverage.shortfalls.iter())
                .any(|shortfall| matches!(shortfall, Shortfall::Undecided { .. }))
        {
            self.coverage.shortfalls.push(Shortfall::Undecided {
                boots: self.undecided,
                limit: self.limit,
            });
        }
        if self.sampled > 0 {
            self.coverage.shortfalls.push(Shortfall::Sampled {
                operations: self.sampled,
            });
        }
        self.coverage.complete = self.coverage.shortfalls.is_empty() && self.coverage.left == 0;
        self.coverage.closed &= self.coverage.complete;
        let violations = self.violations();
        Explored {
            undisturbed: self.goal,
            violations,
            coverage: self.coverage,
        }
    }

    /// What is broken, grouped by what and by the call paths of the failures.
    fn violations(&self) -> Vec<Violation> {
        let mut all: BTreeMap<Key, (u64, u32)> = BTreeMap::new();
        let mut groups: BTreeMap<(Key, Vec<u32>), (u64, StateId, &Assertion)> = BTreeMap::new();
        for (id, assertion) in &self.broken {
            let (points, paths) = self.way(*id);
            let key = key(assertion);
            let failures = points.len() as u32;
            let (count, fewest) = all.entry(key.clone()).or_insert((0, failures));
            *count += 1;
            *fewest = failures.min(*fewest);
            let group = groups.entry((key, paths)).or_insert((0, *id, assertion));
            group.0 += 1;
        }
        let mut found: Vec<(StateId, Violation)> = groups
            .into_iter()
            .map(|((key, _), (states, id, assertion))| {
                let (points, _) = self.way(id);
                let crash = CrashId {
                    workload: None,
                    points,
                };
                let (all_states, fewest) = all.get(&key).copied().unwrap_or((states, 0));
                let violation = Violation {
                    assertion: assertion.clone(),
                    failures: replay::failures(self.image, self.request, &crash, self.limit),
                    id: crash,
                    states,
                    all_states,
                    fewest,
                };
                (id, violation)
            })
            .collect();
        // States are numbered by the number of failures, then in the order of discovery.
        found.sort_by_key(|(id, _)| *id);
        found.into_iter().map(|(_, violation)| violation).collect()
    }

    /// The failures that lead to a state, and the call paths of their operations.
    fn way(&self, id: StateId) -> (Vec<CrashPoint>, Vec<u32>) {
        let mut points = Vec::new();
        let mut paths = Vec::new();
        let mut state = self.states.get(id);
        while let Some(origin) = &state.origin {
            points.push(CrashPoint {
                operation: u64::from(origin.operation) + 1,
                extent: origin.extent.clone(),
            });
            paths.push(origin.path);
            state = self.states.get(origin.parent);
        }
        points.reverse();
        paths.reverse();
        (points, paths)
    }
}

/// What makes two broken assertions the same.
type Key = (&'static str, Option<String>, Option<(String, u32, u32)>);

fn key(assertion: &Assertion) -> Key {
    let place = assertion.place.as_ref();
    let position = place.map(|place| (place.file.clone(), place.line, place.column));
    // Messages about faults name addresses.
    let text = (assertion.is_stated() || position.is_none()).then(|| assertion.text.clone());
    (assertion.name, text, position)
}

/// What a boot breaks.
pub(crate) fn broken(
    image: &Image,
    goal: &End,
    recording: &Recording,
    is_first: bool,
) -> Option<Assertion> {
    let assertion = |name: &'static str, text: String, place| Some(Assertion { name, text, place });
    if let Some(&number) = recording.broken.first() {
        let invariant = image.bindings().invariants.get(number as usize);
        let text = invariant.map_or_else(String::new, |invariant| invariant.text.clone());
        return assertion("invariant", format!("`{text}`"), None);
    }
    match (&recording.end, goal) {
        (End::Died(assertion), _) => Some((**assertion).clone()),
        (End::Undecided | End::Arrived, _) => None,
        (End::Exited { .. } | End::Settled(_), _) if is_first => None,
        (End::Exited { status }, End::Exited { status: 0 }) if *status != 0 => {
            assertion("exit-status", format!("exit status {status}"), None)
        }
        (End::Exited { .. }, End::Exited { .. }) => None,
        (End::Settled(settled), End::Settled(goal)) if settled.meets(goal) => None,
        (End::Settled(settled), _) => assertion(
            "endless-boot",
            "a boot that never ends".to_owned(),
            settled.place(image),
        ),
        (End::Exited { status }, _) => assertion(
            "other-end",
            format!(
                "an end of the program (status {status}) that the undisturbed one does not come to"
            ),
            None,
        ),
    }
}

impl Settled {
    /// Whether two loops are the same.
    fn meets(&self, other: &Self) -> bool {
        self.0.intersection(&other.0).next().is_some()
    }

    /// Where it is.
    pub(crate) fn place(&self, image: &Image) -> Option<brownout_diag::SourcePlace> {
        let known = self.0.iter().filter(|&&pc| image.place(pc).is_some());
        let &pc = known.chain(&self.0).next()?;
        let function = image
            .function(pc)
            .filter(|function| function.index() < usize::MAX)?;
        places::frames(image, &[(function, pc)])
    }
}
