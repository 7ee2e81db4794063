//! What power failures leave behind in non-volatile memory.
//!
//! **Invariant**: of the ways to the same state the one with the fewest failures is kept, and of
//! these the one that reads least.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use brownout_explore::{Tear, tears};
use rustc_hash::{FxHashMap, FxHasher};

use super::{Explorer, STATES, TEARS, VARIED};
use crate::tour::{Change, Emission, Reading, Tour, contains};

/// What failures leave behind; nothing at first.
#[derive(Clone, Default)]
pub(super) struct Remains {
    /// The attempts that failed, in their order.
    pub(super) failed: Vec<Failed>,
    /// Non-volatile memory, as if the last failure had torn nothing: states that differ by their tears share it.
    whole: Arc<Bytes>,
    /// What tells memory apart, with that tear.
    sum: Sum,
}

/// Non-volatile bytes that were written.
#[derive(Clone, Default)]
struct Bytes {
    /// What they were at the commit and what they are now.
    values: BTreeMap<u32, (u8, u8)>,
    sum: Sum,
}

impl Bytes {
    /// Notes that a byte was written.
    fn write(&mut self, offset: u32, old: u8, new: u8) {
        let (then, now) = self.values.entry(offset).or_insert((old, old));
        self.sum.change(offset, *then, *now, new);
        *now = new;
    }

    /// What the sum is after a tear.
    fn torn_sum(&self, tear: &Tear) -> Sum {
        let mut sum = self.sum;
        for (offset, old) in tear.undone() {
            if let Some((then, now)) = self.values.get(&offset) {
                sum.change(offset, *then, *now, old);
            }
        }
        sum
    }

    /// The bytes after a tear.
    fn torn(&self, tear: &Tear) -> Self {
        let mut torn = self.clone();
        for (offset, old) in tear.undone() {
            if torn.values.contains_key(&offset) {
                torn.write(offset, old, old);
            }
        }
        torn
    }
}

/// What tells apart the contents of non-volatile memory: a sum over the bytes that are not as at the commit, which
/// changes with each of them and need not be made anew.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// How many bytes that are.
    changed: usize,
    sum: u64,
}

impl Sum {
    /// A byte that was `then` at the commit becomes another one.
    fn change(&mut self, offset: u32, then: u8, old: u8, new: u8) {
        if old != then {
            self.changed -= 1;
            self.sum = self.sum.wrapping_sub(mixed(offset, old));
        }
        if new != then {
            self.changed += 1;
            self.sum = self.sum.wrapping_add(mixed(offset, new));
        }
    }
}

/// A number for a byte at an offset, as if drawn at random (Steele, Lea and Flood, OOPSLA 2014).
fn mixed(offset: u32, byte: u8) -> u64 {
    let number = (u64::from(offset) << 8 | u64::from(byte)) + 1;
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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
        let torn = self.tear().map(Tear::undone).into_iter().flatten();
        let torn: FxHashMap<u32, u8> = torn.collect();
        let bytes = self.whole.values.iter();
        let changed =
            bytes.filter(move |(offset, (then, now))| torn.get(offset).unwrap_or(now) != then);
        changed.map(|(&offset, _)| offset)
    }

    /// How the last failure tore a store, if it did.
    fn tear(&self) -> Option<&Tear> {
        self.failed.last()?.tear.as_ref()
    }

    /// Non-volatile memory.
    fn bytes(&self) -> Bytes {
        let tear = self.tear();
        tear.map_or_else(|| (*self.whole).clone(), |tear| self.whole.torn(tear))
    }

    /// The non-volatile bytes that may not have been as at the commit after some failure.
    pub(super) fn touched(&self) -> impl Iterator<Item = u32> {
        self.whole.values.keys().copied()
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
        fingerprint(self.sum, &self.world())
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
        let (bytes, mut sum) = (self.bytes(), self.sum);
        for offset in offsets.iter().collect::<BTreeSet<_>>() {
            if let Some(&(then, now)) = bytes.values.get(offset) {
                sum.change(*offset, then, now, then);
            }
        }
        let world = self.world();
        let has_seen = !self.seen().is_empty();
        fingerprint(sum, &world).or_else(|| has_seen.then(|| world.finish()))
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
            ..Self::default()
        }
    }

    /// How hard it is to tell how this came about.
    fn cost(&self) -> (usize, usize) {
        (self.failed.len(), self.readings())
    }
}

/// What tells states apart, of memory and of the world; nothing if memory is as at the commit.
fn fingerprint(memory: Sum, world: &FxHasher) -> Option<u64> {
    let mut hasher = world.clone();
    memory.sum.hash(&mut hasher);
    (memory.changed > 0).then(|| hasher.finish())
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
        let (mut bytes, mut world) = (before.bytes(), before.world());
        for same in tour.changes.chunk_by(|one, other| one.time == other.time) {
            let Some(failure) = same.first().map(|change| change.time) else {
                continue;
            };
            for Change { store, .. } in same {
                for (offset, (&old, &new)) in (store.offset..).zip(store.old.iter().zip(&store.new))
                {
                    if !contains(&self.saves, offset) {
                        bytes.write(offset, old, new);
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
            // Made for the first state that is new.
            let mut whole = None;
            let mut add = |tear: Option<Tear>| {
                let sum = (tear.as_ref()).map_or(bytes.sum, |tear| bytes.torn_sum(tear));
                let Some(state) = fingerprint(sum, &world) else {
                    return;
                };
                let is_new = left.add(state, (failures + 1, readings + read), || {
                    let whole = whole.get_or_insert_with(|| Arc::new(bytes.clone()));
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
                        whole: Arc::clone(whole),
                        sum,
                    }
                });
                new += usize::from(is_new);
            };
            add(None);
            // A replay id says how the first failure tears a store.
            if before.failed.is_empty() {
                let mut tears = self.tears(same);
                tears.by_ref().take(TEARS).for_each(|tear| add(Some(tear)));
                self.behind.left_out |= tears.next().is_some();
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
