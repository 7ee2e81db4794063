//! One state in which a program commits, and every power failure behind it.

mod harm;
mod sequences;
mod successors;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use brownout_diag::{InputValues, ReplayId, ResumePoint};
use brownout_ir::Func;
use brownout_vm::{Forced, Machine, Mark, Stop};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use self::harm::Reference;
use crate::search::{Mode, Setting};
use crate::tour::{AtCheckpoints, Reading, Tour, contains};

/// How many states that failures leave behind are started from.
const STATES: usize = 400;
/// Executions behind one commit.
const EXECUTIONS: u64 = 6_000;
/// Instructions behind one commit.
const INSTRUCTIONS: u64 = 30_000_000;
/// Instructions that any tour may take.
const PATIENCE: u64 = 10_000;
/// Instructions from one commit to the next, at most, as the scenario has it.
const REGION: u64 = 300_000;
/// How many readings of a tour are varied.
const VARIED: usize = 64;
/// Candidates for one target from one commit.
const CANDIDATES: usize = 3;

/// A state of the program in which it commits.
pub(crate) struct Instance<'i> {
    /// Right behind the commit.
    pub(crate) machine: Machine<'i>,
    /// What the checkpoint saves.
    pub(crate) saves: Vec<Range<u32>>,
    pub(crate) resume: ResumePoint,
    /// When it commits.
    pub(crate) time: u64,
    /// What inputs have given since the program began, by input.
    pub(crate) history: Vec<Vec<u64>>,
    /// How many of these are not what the scenario says.
    pub(crate) deviations: usize,
    /// Whether power can fail behind it; at a place that is only passed it cannot.
    pub(crate) resumes: bool,
}

/// A failure that does harm to a target.
pub(crate) struct Candidate {
    pub(crate) target: usize,
    pub(crate) id: ReplayId,
}

/// What was found behind a commit.
#[derive(Default)]
pub(crate) struct Behind<'i> {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) successors: Vec<Instance<'i>>,
    pub(crate) executions: u64,
    pub(crate) instructions: u64,
    /// Instructions after which power could fail.
    pub(crate) points: u64,
    /// What they come down to.
    pub(crate) classes: u64,
    /// Whether something was left out.
    pub(crate) left_out: bool,
}

/// How a tour ended.
#[derive(Clone, PartialEq, Eq)]
struct End {
    stop: Stop,
    committed: bool,
    place: (u32, Vec<(Func, u32)>),
    outputs: Vec<u64>,
}

/// What a failure leaves behind.
struct Remains {
    /// Sequence of the first attempt.
    reads: Vec<Reading>,
    failure: u64,
    /// The non-volatile bytes that are not as at the commit.
    offsets: Vec<u32>,
}

pub(crate) struct Explorer<'s, 'i> {
    setting: &'s Setting<'s>,
    nonvolatile: &'s [Range<u32>],
    instance: &'s Instance<'i>,
    /// Targets that need no more candidates.
    done: &'s [bool],
    machine: Machine<'i>,
    /// Another one, for continuous executions in the middle of failing ones.
    calm: Machine<'i>,
    /// The commit, in both of them.
    start: Mark,
    outside: Vec<u64>,
    references: FxHashMap<Vec<Reading>, Arc<Reference>>,
    /// Offsets that differ with the same inputs before and after the failure.
    innate: FxHashMap<Vec<Reading>, Arc<BTreeSet<u32>>>,
    found: Vec<usize>,
    behind: Behind<'i>,
    /// How many instructions a tour may take.
    patience: u64,
    /// How many the longest took that came to an end.
    longest: u64,
    /// The part of the budget that may be spent so far, as a divisor.
    share: u64,
}

impl<'s, 'i> Explorer<'s, 'i> {
    pub(crate) fn new(
        setting: &'s Setting<'s>,
        nonvolatile: &'s [Range<u32>],
        instance: &'s Instance<'i>,
        done: &'s [bool],
    ) -> Self {
        let mut machine = instance.machine.clone();
        machine.forget();
        machine.keep_journal(true);
        machine.commit(&instance.saves);
        let start = machine.mark();
        Self {
            setting,
            nonvolatile,
            instance,
            done,
            outside: machine.inputs_read(),
            calm: machine.clone(),
            machine,
            start,
            references: FxHashMap::default(),
            innate: FxHashMap::default(),
            found: vec![0; setting.targets.len()],
            behind: Behind::default(),
            patience: REGION,
            longest: 0,
            share: 4,
        }
    }

    /// Tries everything that can happen between this commit and the next one.
    pub(crate) fn explore(mut self) -> Behind<'i> {
        let start = self.start.clone();
        let mut remains: Vec<Remains> = Vec::new();
        let mut known = FxHashMap::default();
        let mut successors = FxHashSet::default();
        self.sequences(&start, &mut |explorer, tour, _, deviations| {
            explorer.succeed(tour, deviations, &mut successors);
            if explorer.instance.resumes {
                explorer.collect(tour, &mut known, &mut remains);
            }
        });
        self.share = 1;
        // What touches a target comes first, and what is easy to tell.
        let targets = &self.setting.targets;
        let open = |offset: u32| {
            let mut targets = targets.iter().zip(self.done);
            targets.any(|(target, done)| !done && contains(&target.offsets, offset))
        };
        remains.sort_by_key(|remains| {
            let touches = remains.offsets.iter().any(|&offset| open(offset));
            (!touches, remains.reads.len())
        });
        self.behind.left_out |= remains.len() > STATES;
        for left in remains.iter().take(STATES) {
            if self.is_spent() || self.is_done() {
                self.behind.left_out |= self.is_spent();
                break;
            }
            self.start_again(left);
        }
        self.behind
    }

    fn is_spent(&self) -> bool {
        self.behind.executions >= EXECUTIONS / self.share
            || self.behind.instructions >= INSTRUCTIONS / self.share
    }

    /// Whether every target has enough candidates.
    fn is_done(&self) -> bool {
        let mut targets = self.found.iter().zip(self.done);
        targets.all(|(found, done)| *done || *found >= CANDIDATES)
    }

    /// Makes inputs give these values from the commit on.
    fn force(&mut self, reads: &[Reading]) {
        let values = self.values(reads, &|history| history.len() as u64);
        let forced = values.into_iter().map(|input| Forced {
            from: input.from,
            values: input.values,
        });
        self.machine.force_inputs(forced.collect());
    }

    fn values(&self, reads: &[Reading], from: &dyn Fn(&Vec<u64>) -> u64) -> Vec<InputValues> {
        let mut values: Vec<InputValues> = self
            .instance
            .history
            .iter()
            .map(|history| InputValues {
                from: from(history),
                values: history[from(history) as usize..].to_vec(),
            })
            .collect();
        for read in reads {
            values[read.input as usize].values.push(read.value);
        }
        values
    }

    /// Runs to the next commit, or as long as anyone wants to wait.
    fn run(&mut self) -> (Tour<'s>, End) {
        let budget = self.patience;
        let (at_checkpoints, budget) = match self.setting.mode {
            Mode::Regions => (AtCheckpoints::Stop, budget),
            Mode::Anywhere { .. } if !self.instance.resumes => (AtCheckpoints::Pass, budget),
            Mode::Anywhere { depth } | Mode::Calls { depth } => {
                (AtCheckpoints::Pass, depth.min(budget))
            }
        };
        let mut tour = Tour::new(self.nonvolatile, at_checkpoints);
        let begun = self.machine.now();
        let stop = self.machine.watch(&mut tour, begun.saturating_add(budget));
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        let end = End {
            stop,
            committed: tour.committed.is_some(),
            place: (self.machine.pc(), self.machine.backtrace()),
            outputs: std::mem::take(&mut tour.outputs),
        };
        (tour, end)
    }

    /// Notes what failures in a tour leave behind, as far as that is new.
    fn collect(
        &mut self,
        tour: &Tour<'_>,
        known: &mut FxHashMap<u64, usize>,
        remains: &mut Vec<Remains>,
    ) {
        self.behind.points += self.machine.now().saturating_sub(self.instance.time);
        let saves = &self.instance.saves;
        let mut bytes: BTreeMap<u32, (u8, u8)> = BTreeMap::new();
        for same in tour.changes.chunk_by(|one, other| one.time == other.time) {
            let Some(first) = same.first() else { continue };
            self.behind.classes += 1;
            for change in same {
                for (index, (&old, &new)) in change.old.iter().zip(&change.new).enumerate() {
                    let offset = change.offset + index as u32;
                    if !contains(saves, offset) {
                        bytes.entry(offset).or_insert((old, old)).1 = new;
                    }
                }
            }
            let left = || bytes.iter().filter(|(_, (then, now))| then != now);
            let mut hasher = FxHasher::default();
            for (offset, (_, now)) in left() {
                (offset, now).hash(&mut hasher);
            }
            if left().next().is_none() {
                continue;
            }
            let before = tour
                .times
                .iter()
                .take_while(|&&time| time <= first.time)
                .count();
            let new = Remains {
                reads: tour.reads[..before].to_vec(),
                failure: first.time,
                offsets: left().map(|(&offset, _)| offset).collect(),
            };
            // Of the ways to the same state the one that reads least is told.
            match known.entry(hasher.finish()) {
                Entry::Vacant(place) => {
                    place.insert(remains.len());
                    remains.push(new);
                }
                Entry::Occupied(place) => {
                    let old = &mut remains[*place.get()];
                    if new.reads.len() < old.reads.len() {
                        *old = new;
                    }
                }
            }
        }
    }

    /// Lets power fail in the first attempt and tries all second ones.
    fn start_again(&mut self, remains: &Remains) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(&remains.reads);
        self.fail_at(remains.failure);
        let again = self.machine.mark();
        self.sequences(&again, &mut |explorer, tour, end, _| {
            if !explorer.is_done() {
                explorer.compare(remains, tour, end);
            }
        });
    }

    /// Runs on to the failure and restores the checkpoint.
    fn fail_at(&mut self, failure: u64) {
        let begun = self.machine.now();
        self.machine.advance(failure);
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        self.machine.fail_power();
        let outside = self.outside.clone();
        self.machine.replay_inputs(&outside);
    }
}

/// What tells states apart.
pub(crate) fn fingerprint(machine: &Machine<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    machine.memory().hash(&mut hasher);
    machine.pc().hash(&mut hasher);
    machine.backtrace().hash(&mut hasher);
    hasher.finish()
}
