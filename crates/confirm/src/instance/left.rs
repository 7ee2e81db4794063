//! What power failures leave behind in non-volatile memory.
//!
//! **Invariant**: of the ways to the same state the one with the fewest failures is kept, and of
//! these the one that reads least.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use brownout_explore::{Tear, tears};
use rustc_hash::{FxHashMap, FxHasher};

use super::{Explorer, STATES, VARIED};
use crate::tour::{Change, Emission, Reading, Tour, contains};

/// What failures leave behind; nothing at first.
#[derive(Clone, Default)]
pub(super) struct Remains {
    /// The attempts that failed, in their order.
    pub(super) failed: Vec<Failed>,
    /// Non-volatile bytes, at the commit and now.
    bytes: BTreeMap<u32, (u8, u8)>,
}

/// An attempt that failed.
#[derive(Clone)]
pub(super) struct Failed {
    /// What it and its tour read: as many of these as it came to.
    tour: Arc<[Reading]>,
    read: usize,
    /// When power failed.
    pub(super) failure: u64,
    /// So many instructions after the checkpoint.
    pub(super) distance: u64,
    /// What the last instruction did not write, if it was torn.
    pub(super) tear: Option<Tear>,
    /// What the world saw of its tour: as much of this as it came to.
    outputs: Arc<[Emission]>,
    shown: usize,
}

impl Failed {
    /// What it read.
    pub(super) fn reads(&self) -> &[Reading] {
        &self.tour[..self.read]
    }

    /// What the world saw of it.
    fn outputs(&self) -> &[Emission] {
        &self.outputs[..self.shown]
    }
}

/// Everything that failures leave behind.
#[derive(Default)]
pub(super) struct Left {
    known: FxHashMap<u64, usize>,
    remains: Vec<Remains>,
}

impl Remains {
    /// The non-volatile bytes that are not as at the commit.
    pub(super) fn offsets(&self) -> impl Iterator<Item = u32> {
        let changed = self.bytes.iter().filter(|(_, (then, now))| then != now);
        changed.map(|(&offset, _)| offset)
    }

    /// The non-volatile bytes that may not have been as at the commit after some failure.
    pub(super) fn touched(&self) -> impl Iterator<Item = u32> {
        self.bytes.keys().copied()
    }

    /// How much was read in all attempts.
    pub(super) fn readings(&self) -> usize {
        self.failed.iter().map(|attempt| attempt.read).sum()
    }

    /// What a last attempt reads, and then what inputs gave attempts that failed and asked more often.
    pub(super) fn and_failed_readings(&self, reads: &[Reading]) -> Vec<Reading> {
        let mut all = reads.to_vec();
        for attempt in &self.failed {
            let mut asked: FxHashMap<u32, usize> = FxHashMap::default();
            for read in attempt.reads() {
                let number = asked.entry(read.input).or_default();
                *number += 1;
                let given = all.iter().filter(|other| other.input == read.input);
                if given.count() < *number {
                    all.push(*read);
                }
            }
        }
        all
    }

    /// What tells it from other states; nothing if it is the one at the commit.
    pub(super) fn state(&self) -> Option<u64> {
        fingerprint(&self.bytes, &self.world())
    }

    /// What the world has seen.
    pub(super) fn seen(&self) -> Vec<&Emission> {
        let failed = self.failed.iter();
        failed.flat_map(Failed::outputs).collect()
    }

    /// The same, as the beginning of a fingerprint.
    fn world(&self) -> FxHasher {
        let mut world = FxHasher::default();
        self.seen().iter().for_each(|seen| seen.hash(&mut world));
        world
    }

    /// The state in which some bytes are as at the commit.
    pub(super) fn state_without(&self, offsets: &[u32]) -> Option<u64> {
        let mut bytes = self.bytes.clone();
        bytes.retain(|offset, _| !offsets.contains(offset));
        let world = self.world();
        let has_seen = !self.seen().is_empty();
        fingerprint(&bytes, &world).or_else(|| has_seen.then(|| world.finish()))
    }

    /// The same attempts, but one of them fails right before what it did at this time.
    pub(super) fn failing_before(&self, number: usize, time: u64) -> Self {
        let mut failed = self.failed.clone();
        let earlier = (self.failed.get(number))
            .map_or(0, |attempt| (attempt.failure + 1).saturating_sub(time));
        for attempt in failed.iter_mut().skip(number) {
            attempt.failure = attempt.failure.saturating_sub(earlier);
        }
        if let Some(attempt) = failed.get_mut(number) {
            attempt.distance = attempt.distance.saturating_sub(earlier);
            attempt.tear = None;
        }
        Self {
            failed,
            bytes: BTreeMap::new(),
        }
    }

    /// How hard it is to tell how this came about.
    fn cost(&self) -> (usize, usize) {
        (self.failed.len(), self.readings())
    }
}

/// What tells states apart, of memory and of the world; nothing if memory is as at the commit.
fn fingerprint(bytes: &BTreeMap<u32, (u8, u8)>, world: &FxHasher) -> Option<u64> {
    let mut hasher = world.clone();
    let mut changed = bytes
        .iter()
        .filter(|(_, (then, now))| then != now)
        .peekable();
    changed.peek()?;
    for (offset, (_, now)) in changed {
        (offset, now).hash(&mut hasher);
    }
    Some(hasher.finish())
}

impl Left {
    /// What takes so many failures, those between two instructions first.
    pub(super) fn after(&self, failures: usize) -> impl Iterator<Item = &Remains> {
        let of = move |is_torn: bool| {
            self.remains.iter().filter(move |remains| {
                let mut tears = remains.failed.iter().map(|attempt| attempt.tear.is_some());
                remains.failed.len() == failures && tears.any(|torn| torn) == is_torn
            })
        };
        of(false).chain(of(true))
    }

    /// Adds a state unless there is a way to it that is as good. Whether it is a new one.
    fn add(&mut self, state: u64, cost: (usize, usize), new: impl FnOnce() -> Remains) -> bool {
        match self.known.entry(state) {
            Entry::Vacant(place) => {
                place.insert(self.remains.len());
                self.remains.push(new());
                true
            }
            Entry::Occupied(place) => {
                let old = &mut self.remains[*place.get()];
                if cost < old.cost() {
                    *old = new();
                }
                false
            }
        }
    }
}

impl Explorer<'_, '_> {
    /// Notes what failures in a tour leave behind that began with what earlier ones left. Of a tour that
    /// reads on and on, or shows something again and again, its beginning is enough: whatever takes few
    /// readings is looked at first.
    pub(super) fn collect(&mut self, before: &Remains, tour: &Tour<'_>, left: &mut Left) {
        let reads: Arc<[Reading]> = tour.reads.as_slice().into();
        let outputs: Arc<[Emission]> = (tour.outputs.iter())
            .map(|(_, output)| output.clone())
            .collect();
        let (mut read, mut shown, mut new) = (0, 0, 0);
        // Instructions may have passed between the commit and where the machine stands.
        let passed = self.begun.saturating_sub(self.instance.time);
        let (mut bytes, mut world) = (before.bytes.clone(), before.world());
        for same in tour.changes.chunk_by(|one, other| one.time == other.time) {
            let Some(failure) = same.first().map(|change| change.time) else {
                continue;
            };
            for Change { store, .. } in same {
                for (offset, (&old, &new)) in (store.offset..).zip(store.old.iter().zip(&store.new))
                {
                    if !contains(&self.saves, offset) {
                        bytes.entry(offset).or_insert((old, old)).1 = new;
                    }
                }
            }
            let made = tour.outputs[shown..].iter();
            for (_, output) in made.take_while(|(time, _)| *time <= failure) {
                output.hash(&mut world);
                shown += 1;
            }
            let times = tour.times[read..].iter();
            read += times.take_while(|&&time| time <= failure).count();
            if new >= STATES && (read > VARIED || shown > VARIED) {
                self.behind.left_out = true;
                break;
            }
            let (failures, readings) = before.cost();
            let mut add = |bytes: &BTreeMap<u32, (u8, u8)>, tear: Option<Tear>| {
                let Some(state) = fingerprint(bytes, &world) else {
                    return;
                };
                let is_new = left.add(state, (failures + 1, readings + read), || {
                    let last = Failed {
                        tour: Arc::clone(&reads),
                        read,
                        failure,
                        distance: failure - tour.begun + passed,
                        tear,
                        outputs: Arc::clone(&outputs),
                        shown,
                    };
                    Remains {
                        failed: before.failed.iter().cloned().chain([last]).collect(),
                        bytes: bytes.clone(),
                    }
                });
                new += usize::from(is_new);
            };
            add(&bytes, None);
            // A replay id says how the first failure tears a store.
            for tear in self.tears(same).filter(|_| before.failed.is_empty()) {
                let mut torn = bytes.clone();
                for (offset, old) in tear.undone() {
                    torn.entry(offset).and_modify(|(_, now)| *now = old);
                }
                add(&torn, Some(tear));
            }
        }
    }

    /// The ways to tear what an instruction stores.
    fn tears<'c>(&self, changes: &'c [Change]) -> impl Iterator<Item = Tear> + use<'c> {
        let layout = self.machine.image().layout();
        let torn = match (self.setting.atomic_write, changes) {
            (Some(atomic), [Change { store, .. }]) => {
                tears(layout, std::slice::from_ref(store), atomic)
            }
            _ => Vec::new(),
        };
        let stores = changes
            .first()
            .map(|change| std::slice::from_ref(&change.store));
        torn.into_iter()
            .filter_map(move |torn| Tear::new(stores?, torn))
    }
}
