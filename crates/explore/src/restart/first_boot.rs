//! The first boot: what the undisturbed execution reads, where it ends or stays, and which of its loops have quiet moments.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use brownout_vm::{Bounds, Fault, Image, Loops, Machine, Observer, Readings, Stop};

use super::boot::{Boot, World};
use super::{Pauses, visited};
use crate::emissions::Emission;

/// The first boot, in which power does not fail.
pub(super) struct FirstBoot<'i> {
    /// What it dies of, if it does.
    fault: Option<Fault>,
    /// What it reads, by place.
    pub(super) all: Arc<Readings>,
    /// What later boots read: mostly they find the world as it was.
    pub(super) readings: Arc<Readings>,
    /// Its end and what the world has seen by then, if it comes to one.
    pub(super) end: Option<(Machine<'i>, Vec<Emission>)>,
    /// If it comes to none: the first visit of the head of the loop that it stays in.
    pub(super) settled: Option<(Machine<'i>, Vec<Emission>)>,
    image: &'i Image,
    /// How long it was followed, and what it has executed by then, once somebody has asked.
    instructions: u64,
    executed: OnceCell<Executed>,
    /// The heads of loops that only compute: it leaves them, and no round of theirs took anything in or
    /// showed anything. And of those that only wait. A failure between two of these rounds is a failure in the middle
    /// of the work.
    computing: BTreeSet<u32>,
    /// The heads of loops with rounds that took something in or showed something, and that are not the set-up of another.
    pub(super) acting: BTreeSet<u32>,
    /// If it comes to no end: the heads of loops that it can stay in. What comes before is set-up, which is one piece of
    /// work, whatever it takes in: a sum of samples that is half done when power fails is not begun anew by itself.
    stays_in: Option<BTreeSet<u32>>,
}

/// Who does not end within so many instructions is taken not to.
const LONGEST_BOOT: u64 = 10_000_000;
/// Of a loop without end, readings of so many rounds are enough, if they take so many instructions.
const ROUNDS: u64 = 256;
const LONG: u64 = 1 << 17;
/// The first visits of so many loops are kept.
const HEADS: usize = 16;

impl<'i> FirstBoot<'i> {
    /// Whether a program without end never comes to this fault unless power fails. A boot that does is no reference then:
    /// power must not have failed at its quiet moment either.
    pub(super) fn goes_on_without(&self, fault: &Fault) -> bool {
        self.end.is_none() && self.fault.as_ref() != Some(fault)
    }

    /// Whether a program without end never comes to where this boot ends, or stays, unless power fails.
    pub(super) fn never_comes_to(&self, boot: &Boot) -> bool {
        match &boot.end {
            Some((Stop::Faulted(fault), _)) => self.goes_on_without(fault),
            Some((Stop::Exited { .. }, _)) => false,
            Some((Stop::Paused, _)) => self.is_never_in(&boot.stands_in),
            None => {
                let last = boot.visits.last();
                last.is_some_and(|last| self.is_never_in(&[last.head]))
            }
        }
    }

    /// Whether a program without end never comes to one of these operations, unless power fails.
    pub(super) fn is_never_in(&self, operations: &[u32]) -> bool {
        let is_known = |operation| self.acting.contains(operation);
        if self.end.is_some() || operations.iter().all(is_known) {
            return false;
        }
        let executed = self.executed.get_or_init(|| {
            let mut machine = Machine::new(self.image);
            machine.set_bounds(Bounds::Lenient);
            let mut executed = Executed(vec![false; self.image.operations()]);
            machine.watch(&mut executed, self.instructions);
            executed
        });
        !operations.iter().all(|&pc| executed.0[pc as usize])
    }

    /// Whether visits of the head of an outermost loop are quiet moments.
    pub(super) fn is_quiet(&self, head: u32) -> bool {
        match &self.stays_in {
            Some(heads) => heads.contains(&head),
            None => !self.computing.contains(&head),
        }
    }

    pub(super) fn new(image: &'i Image) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        machine.begin_readings(Arc::default());
        let mut world = World::default();
        let loops = Loops::of(image);
        let endless = loops.endless(image);
        let mut rounds = 0;
        let (mut firsts, mut last) = (BTreeMap::new(), None);
        // The heads of loops with rounds that only compute, and of those with others; and what the world
        // had been asked and shown at the last visit.
        let (mut computing, mut others, mut contacts) = (BTreeSet::new(), BTreeSet::new(), 0);
        let stop = loop {
            let stop = machine.watch(&mut world, LONGEST_BOOT);
            let head = visited(&machine);
            if world.passes_head() && loops.is_outermost(&machine) {
                let is_silent = std::mem::replace(&mut contacts, world.contacts()) == contacts;
                let has_left = world.has_left();
                if last == Some(head) && !has_left {
                    let rounds = if is_silent {
                        &mut computing
                    } else {
                        &mut others
                    };
                    rounds.insert(head);
                }
                last = Some(head);
                if firsts.len() < HEADS && !firsts.contains_key(&head) {
                    firsts.insert(head, (machine.clone(), world.emissions.clone()));
                }
            }
            // A loop that no path leaves has no end.
            rounds += u64::from(endless.contains(&head));
            let is_endless = rounds > ROUNDS && machine.now() > LONG;
            if stop != Stop::Paused || machine.now() >= LONGEST_BOOT || is_endless {
                break stop;
            }
        };
        let readings = Arc::new(machine.end_readings());
        let ended = matches!(stop, Stop::Exited { .. });
        let instructions = machine.now();
        if !ended && let Some(last) = last {
            others.insert(last);
        }
        let stays = last.filter(|_| !ended);
        // Where handlers come, a loop may wait for them.
        match image.is_interruptible() {
            true => computing.clear(),
            false => {
                computing.retain(|head| !others.contains(head));
                let waits = loops.waits(image).into_iter();
                computing.extend(waits.filter(|head| Some(*head) != stays));
            }
        }
        let stays_in: Option<BTreeSet<u32>> =
            stays.map(|last| endless.iter().copied().chain([last]).collect());
        let mut acting: BTreeSet<u32> = others.difference(&computing).copied().collect();
        if let Some(heads) = &stays_in {
            acting.retain(|head| heads.contains(head));
        }
        let fault = match stop {
            Stop::Faulted(fault) => Some(fault),
            Stop::Exited { .. } | Stop::Paused => None,
        };
        Self {
            fault,
            all: Arc::clone(&readings),
            readings,
            settled: last
                .filter(|_| !ended)
                .and_then(|last| firsts.remove(&last)),
            end: ended.then_some((machine, world.emissions)),
            image,
            instructions,
            executed: OnceCell::new(),
            computing,
            acting,
            stays_in,
        }
    }
}

/// Notes which operations are executed.
struct Executed(Vec<bool>);

impl Observer for Executed {
    fn flow(&self) -> bool {
        true
    }

    fn execute(&mut self, pc: u32) {
        self.0[pc as usize] = true;
    }
}
