//! One state in which a program commits, and every power failure after it.

mod blame;
mod harm;
mod left;
mod seen;
mod sequences;
mod successors;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use brownout_diag::{InputValues, ReplayId, ResumePoint};
use brownout_ir::Func;
use brownout_scenario::Exposure;
use brownout_vm::{Forced, Machine, Mark, Parked, SegmentKind, Stop};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use self::harm::{Innate, Mended, Reference};
use self::left::{Failed, Left, Remains};
use crate::search::{BlamedWrite, Setting};
use crate::tour::{AtCheckpoints, Emission, Reading, Tour, contains};

/// How many states that one more failure leaves behind are started from.
const STATES: usize = 400;
/// How many ways to tear one store are tried.
const TEARS: usize = 64;
/// Executions after one commit.
const EXECUTIONS: u64 = 8_000;
/// Instructions after one commit.
const INSTRUCTIONS: u64 = 40_000_000;
/// Beginning an execution and comparing it afterwards takes as long as so many instructions.
const PER_EXECUTION: u64 = 2_000;
/// So does giving a value to an input, and remembering it.
const PER_READING: u64 = 30;
/// Instructions that any tour may take.
const PATIENCE: u64 = 10_000;
/// Instructions from one commit to the next, at most, as the scenario has it.
const REGION: u64 = 300_000;
/// How many readings of a tour are varied.
const VARIED: usize = 64;
/// Candidates for one target from one commit.
const CANDIDATES: usize = 3;
/// How often something else may be to blame before nobody looks any more.
const REJECTIONS: usize = 200;

/// A state of the program in which it commits.
pub(crate) struct Instance<'i> {
    /// Right after the commit, beside the machine at the beginning of the search.
    pub(crate) machine: Parked<'i>,
    /// The operation that it goes on with.
    pub(crate) pc: u32,
    /// What tells it from other states.
    pub(crate) fingerprint: u64,
    /// What the checkpoint saves.
    pub(crate) saves: Vec<Range<u32>>,
    pub(crate) resume: ResumePoint,
    /// When it commits.
    pub(crate) time: u64,
    /// What inputs have given since the program began, by input.
    pub(crate) history: Vec<Vec<u64>>,
    /// How many of these are not what the scenario says, and how much else speaks for others first.
    pub(crate) deviations: usize,
    /// Whether power can fail after it; at a place that is only passed it cannot.
    pub(crate) resumes: bool,
}

/// Places in memory.
type Offsets = Arc<BTreeSet<u32>>;

/// A failure that does harm to a target.
pub(crate) struct Candidate {
    pub(crate) target: usize,
    pub(crate) id: ReplayId,
    pub(crate) write: Option<BlamedWrite>,
}

/// What was found after a commit.
#[derive(Default)]
pub(crate) struct Behind<'i> {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) successors: Vec<Instance<'i>>,
    pub(crate) executions: u64,
    /// How many of them a fault ended, by its kind.
    pub(crate) faults: BTreeMap<&'static str, u64>,
    pub(crate) instructions: u64,
    /// What inputs gave, in how many readings.
    pub(crate) readings: u64,
    /// Instructions after which power could fail.
    pub(crate) points: u64,
    /// What they come down to.
    pub(crate) classes: u64,
    /// Whether something was left out.
    pub(crate) left_out: bool,
    /// Whether further failures would leave nothing else behind.
    pub(crate) closed: bool,
}

/// How a tour ended.
#[derive(Clone, PartialEq, Eq)]
struct End {
    stop: Stop,
    committed: bool,
    place: (u32, Vec<(Func, u32)>),
    outputs: Vec<Emission>,
}

impl End {
    /// Whether it came to an end by itself.
    fn is_over(&self) -> bool {
        self.committed || self.stop != Stop::Paused
    }

    /// Whether this is where another tour ended, and how.
    fn is_at(&self, other: &Self) -> bool {
        self.stop == other.stop && self.committed == other.committed && self.place == other.place
    }
}

pub(crate) struct Explorer<'s, 'i> {
    setting: &'s Setting<'s>,
    nonvolatile: &'s [Range<u32>],
    instance: &'s Instance<'i>,
    /// The machine at the beginning of the search.
    beginning: &'s Machine<'i>,
    /// Ways that calls take whose arguments were chosen here.
    ways: FxHashSet<u64>,
    /// What the checkpoint saves.
    saves: Vec<Range<u32>>,
    /// Targets that need no more candidates.
    done: &'s [bool],
    machine: Machine<'i>,
    /// Another one, for continuous executions in the middle of failing ones.
    calm: Machine<'i>,
    /// The commit, in both of them, and when they stand there.
    start: Mark,
    begun: u64,
    outside: Vec<u64>,
    references: FxHashMap<Vec<Reading>, Arc<Reference>>,
    /// How attempts that read this from a state that failures leave behind differ from the
    /// continuous execution.
    differing: FxHashMap<(Option<u64>, Vec<Reading>), Offsets>,
    /// What differs with the same inputs in all attempts, by these and the number of failures.
    innate: FxHashMap<(Vec<Reading>, usize), Arc<Innate>>,
    /// What there would be to go wrong if the checkpoint saved a target.
    mended: BTreeMap<usize, Mended<'s, 'i>>,
    found: Vec<usize>,
    /// How often harm was done that something else is to blame for, by target.
    rejected: Vec<usize>,
    behind: Behind<'i>,
    /// How many instructions a tour may take.
    patience: u64,
    /// How many the longest took that came to an end.
    longest: u64,
    /// How many quarters of the budget may be spent so far.
    quarters: u64,
}

impl<'s, 'i> Explorer<'s, 'i> {
    pub(crate) fn new(
        setting: &'s Setting<'s>,
        nonvolatile: &'s [Range<u32>],
        instance: &'s Instance<'i>,
        beginning: &'s Machine<'i>,
        done: &'s [bool],
    ) -> Self {
        Self::with_saves(setting, nonvolatile, (instance, beginning), done, &[])
    }

    /// As if the checkpoint saved `more`.
    fn with_saves(
        setting: &'s Setting<'s>,
        nonvolatile: &'s [Range<u32>],
        (instance, beginning): (&'s Instance<'i>, &'s Machine<'i>),
        done: &'s [bool],
        more: &[Range<u32>],
    ) -> Self {
        let saves: Vec<Range<u32>> = instance.saves.iter().chain(more).cloned().collect();
        let mut machine = instance.machine.wake(beginning);
        machine.keep_journal(true);
        machine.commit(&saves);
        let start = machine.mark();
        Self {
            setting,
            nonvolatile,
            instance,
            beginning,
            ways: FxHashSet::default(),
            saves,
            done,
            outside: machine.inputs_read(),
            calm: machine.clone(),
            begun: machine.now(),
            machine,
            start,
            references: FxHashMap::default(),
            differing: FxHashMap::default(),
            innate: FxHashMap::default(),
            mended: BTreeMap::new(),
            found: vec![0; setting.targets.len()],
            rejected: vec![0; setting.targets.len()],
            behind: Behind::default(),
            patience: REGION,
            longest: 0,
            quarters: 1,
        }
    }

    /// Tries everything that can happen between this commit and the next one.
    pub(crate) fn explore(mut self) -> Behind<'i> {
        let start = self.start.clone();
        let mut left = Left::default();
        let mut successors = FxHashSet::default();
        self.sequences(&start, &mut |explorer, tour, _, deviations| {
            explorer.succeed(tour, deviations, &mut successors);
            if explorer.instance.resumes {
                explorer.behind.count(&explorer.machine, tour);
                explorer.collect(&Remains::default(), tour, &mut left);
            }
        });
        let most = self.setting.failures as usize;
        for failures in 1..=most {
            if left.after(failures).next().is_none() {
                break;
            }
            // The shortest way to break something is the one to tell.
            self.quarters = if failures < most { 3 } else { 4 };
            for remains in self.best_first(&left, failures) {
                if self.is_spent() || self.is_done() {
                    self.behind.left_out |= self.is_spent();
                    break;
                }
                self.start_again(&remains, &mut left, failures < most);
            }
        }
        // Of several ways to one state one is kept: another may have been to blame.
        self.behind.left_out |= self.rejected.iter().any(|&rejected| rejected > 0);
        self.behind.closed = left.after(most + 1).next().is_none();
        self.behind
    }

    /// What so many failures leave behind: what touches a target comes first, and what is easy to
    /// tell.
    fn best_first(&mut self, left: &Left, failures: usize) -> Vec<Remains> {
        let targets = &self.setting.targets;
        let open = |offset: u32| {
            let mut targets = targets.iter().zip(self.done);
            targets.any(|(target, done)| !done && contains(&target.offsets, offset))
        };
        let mut remains: Vec<Remains> = left.after(failures).cloned().collect();
        remains.sort_by_cached_key(|remains| {
            let touches = remains.offsets().any(open);
            (!touches, remains.readings())
        });
        self.behind.left_out |= remains.len() > STATES;
        remains.truncate(STATES);
        remains
    }

    fn is_spent(&self) -> bool {
        self.behind.executions >= EXECUTIONS / 4 * self.quarters
            || self.behind.length() >= INSTRUCTIONS / 4 * self.quarters
    }

    /// Whether every target has enough candidates.
    fn is_done(&self) -> bool {
        let mut targets = (0..).zip(self.done);
        targets.all(|(number, done)| *done || self.has_enough(number))
    }

    /// Whether a target has enough candidates, or harm was too often another's.
    fn has_enough(&self, number: usize) -> bool {
        self.found[number] >= CANDIDATES || self.rejected[number] >= REJECTIONS
    }

    /// Makes inputs give these values from the commit on.
    fn force(&mut self, reads: &[Reading]) {
        let values = self.values(reads, &|history| history.len() as u64);
        let forced = values.into_iter().map(|input| Forced {
            from: input.from,
            values: input.values,
            ..Forced::default()
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
        let (at_checkpoints, budget) = self.extent();
        let begun = self.machine.now();
        let mut tour = Tour::new(self.nonvolatile, at_checkpoints, begun);
        let stop = self.machine.watch(&mut tour, begun.saturating_add(budget));
        self.behind.executions += 1;
        if let Stop::Faulted(fault) = &stop {
            *self.behind.faults.entry(fault.kind()).or_default() += 1;
        }
        self.behind.instructions += self.machine.now() - begun;
        self.behind.readings += tour.reads.len() as u64;
        let end = End {
            stop,
            committed: tour.committed.is_some(),
            place: (self.machine.pc(), self.machine.backtrace()),
            outputs: (tour.outputs.iter())
                .map(|(_, output)| output.clone())
                .collect(),
        };
        (tour, end)
    }

    /// What ends a tour, and how many instructions it may take.
    fn extent(&self) -> (AtCheckpoints, u64) {
        let budget = self.patience;
        match self.setting.exposure {
            Exposure::Region => (AtCheckpoints::Stop, budget),
            Exposure::Anywhere { .. } if !self.instance.resumes => (AtCheckpoints::Pass, budget),
            Exposure::Anywhere { depth } | Exposure::SinceCall { depth } => {
                (AtCheckpoints::Pass, depth.min(budget))
            }
        }
    }

    /// Lets power fail as it did and tries all attempts that may come then.
    fn start_again(&mut self, remains: &Remains, left: &mut Left, fails_again: bool) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.fail_like(remains);
        let again = self.machine.mark();
        self.sequences(&again, &mut |explorer, tour, end, _| {
            if fails_again {
                explorer.behind.count(&explorer.machine, tour);
            }
            explorer.collect(remains, tour, left);
            if !explorer.is_done() {
                explorer.compare(remains, tour, end);
            }
        });
    }

    /// Repeats the attempts that failed, from the commit.
    fn fail_like(&mut self, remains: &Remains) {
        for attempt in &remains.failed {
            self.force(attempt.reads());
            let begun = self.machine.now();
            self.machine.advance(attempt.failure);
            self.behind.executions += 1;
            self.behind.instructions += self.machine.now() - begun;
            self.restart(attempt);
        }
    }

    /// Lets power fail here, as it did in an attempt, and restores the checkpoint.
    fn restart(&mut self, attempt: &Failed) {
        if let Some(tear) = &attempt.tear {
            tear.apply(&mut self.machine);
        }
        self.machine.fail_power();
        let outside = self.outside.clone();
        self.machine.replay_inputs(&outside);
    }
}

impl Behind<'_> {
    /// How long executions took, in instructions.
    fn length(&self) -> u64 {
        self.instructions + PER_READING * self.readings
    }

    /// How long everything took, in instructions.
    pub(crate) fn work(&self) -> u64 {
        self.length() + PER_EXECUTION * self.executions
    }

    /// Counts the failures in a tour, at whose end the machine is.
    fn count(&mut self, machine: &Machine<'_>, tour: &Tour<'_>) {
        self.points += machine.now().saturating_sub(tour.begun);
        let times = tour.changes.chunk_by(|one, other| one.time == other.time);
        self.classes += times.count() as u64;
    }
}

/// What tells states apart: memory but for what is left of calls that are over, and registers that matter.
pub(crate) fn fingerprint(machine: &Machine<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    let mut segments = machine.image().layout().segments().iter();
    let live = machine.live_stack().start as usize;
    let stack = segments.find(|segment| segment.kind == SegmentKind::Stack);
    let stack = stack.map_or(live, |stack| stack.offsets.start as usize);
    machine.memory()[..stack.min(live)].hash(&mut hasher);
    machine.memory()[live..].hash(&mut hasher);
    machine.pc().hash(&mut hasher);
    machine.backtrace().hash(&mut hasher);
    machine.live_registers().hash(&mut hasher);
    hasher.finish()
}
