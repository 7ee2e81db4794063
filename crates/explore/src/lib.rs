//! Lets power fail, tries again and compares: the one engine (EWSN'21 §5.3, SEMANTICS §2, §3.2).
//!
//! **Property.** For a checkpoint and a power failure: run to the checkpoint, on to the failure,
//! restore, execute again, and judge by SEMANTICS §2 whether the failure shows: [`Outcome`].
//!
//! **Algorithm.** One machine walks over the program once. At the start of each region it marks and
//! executes the region continuously (`reference`), then rolls back. The first attempt goes from
//! failure to failure; at each, the last attempt is emulated, compared (`attempt`, `compare`) and
//! undone. A test costs its region, and its state never leaks into the next: both rest on the undo
//! journal. Regions are split over threads; results do not depend on how many there are.
//!
//! What differs is followed: bytes to their next access (`future`), registers to the next point at
//! which both executions can be compared. What the world sees is judged over all attempts
//! (`emissions`). Inputs give what they gave at the same place.
//!
//! An effect belongs to the write without which it would not be there: what a failure right before a
//! write does as well is not that write's doing.
//!
//! [`evaluate`] emulates given occurrences of hazards. [`explore`] looks for the failures of a region
//! itself: only a failure after a write to a byte that the region has read before (a *producer*) can
//! change anything. If the attempt after it takes another path, the writes after it are tried as
//! well; if not, they make no difference.
//!
//! **False positives.** None of the definition: the difference was seen.
//!
//! **False negatives.** What is not emulated: a benign verdict says how much was. What could not be
//! settled is [`Outcome::Undecided`].
//!
//! **Invariant:** no rule is known here. Analyses ask which failure does what, and decide themselves
//! what that is worth.

mod attempt;
mod calls;
mod compare;
mod departure;
mod emissions;
mod explorer;
mod exposed;
mod future;
mod heap;
mod known;
mod meet;
mod midway;
mod monitor;
mod objects;
mod outcome;
mod own;
mod parts;
mod readings;
mod reference;
mod region;
pub mod restart;
mod rounds;
mod stores;
mod values;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use brownout_diag::{Torn, When};
use brownout_vm::Image;

pub use brownout_scenario::{Exposure, Recovery};
pub use calls::{Activation, Calls, CheckpointCall, Context, Follower, step, user_operation};
pub use emissions::Tags;
use explorer::Explorer;
pub use future::Horizon;
use known::{Known, Manner};
pub use midway::{Midway, advance_midway};
pub use monitor::{Monitor, Stage, watch};
pub use objects::{Object, Objects, Part, global_bytes};
pub use outcome::{Difference, DifferenceKind, Outcome, Undecided};
pub use parts::{DividedCounters, Parts};
pub use readings::{Readings, Turn};
use region::Region;
pub use region::{Instance, LONGEST_REGION};
pub use rounds::{Patience, RoundCounter, Rounds};
pub use stores::{Store, Tear, tears};

/// Of so many interrupts of a failed attempt, up to which number all sets are tried.
const MOST_EVENTS: usize = 4;

/// The sets of interrupts of a failed attempt that an execution without failures may have as well, each
/// by its bits: all of them, all but the last one, whose handler may not have ended, then any others.
fn event_sets(came: usize) -> Vec<u64> {
    let all = match came {
        0 => return Vec::new(),
        1..64 => (1 << came) - 1,
        _ => u64::MAX,
    };
    let last = 1 << came.saturating_sub(1).min(63);
    let mut sets = vec![all];
    if came > 1 {
        sets.push(all ^ last);
    }
    if came <= MOST_EVENTS {
        let known = sets.clone();
        sets.extend((1..all).rev().filter(|set| !known.contains(set)));
    }
    sets
}

/// The interrupts of a set.
fn chosen_events<T>(came: &[T], set: u64) -> impl Iterator<Item = &T> {
    let chosen = came.iter().enumerate();
    let chosen = chosen.filter(move |&(number, _)| set >> number.min(63) & 1 == 1);
    chosen.map(|(_, event)| event)
}

/// One failure to emulate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The occurrence.
    pub instance: Instance,
    /// Whose occurrence it is: a number of the caller's.
    pub hazard: usize,
}

/// When the two executions were compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// At the end of the region.
    AtItsEnd,
    /// Where the attempt, on another path, was at the same place as often.
    WhereTheyMeet,
    /// Later: at its end they were at different commits, or differed in registers only.
    Afterwards,
}

/// A power failure that was emulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// What it comes to.
    pub outcome: Outcome,
    /// When that was seen.
    pub seen: Seen,
    /// How often power failed.
    pub failures: u32,
    /// Offsets that are not compared and that the last attempt found otherwise.
    pub found: Vec<u32>,
    /// How far the continuous execution had come when the two were compared.
    pub continuous: Reached,
    /// How far the last attempt had.
    pub intermittent: Reached,
}

/// How far an execution came from its checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Instructions executed.
    pub instructions: u64,
    /// What ended it.
    pub halt: Halt,
}

/// What ended an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The next checkpoint.
    Commit,
    /// The program itself.
    Stop,
    /// It was followed no further.
    Rest,
}

/// One power failure, or several in a row, after one checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PowerFailure {
    /// When the checkpoint commits, or after how many instructions it sits.
    pub checkpoint: u64,
    /// When power fails.
    pub failure: u64,
    /// How often in a row.
    pub failures: u32,
    /// Under `restart`: after how many instructions of the boot power fails again.
    pub again: Option<u64>,
    /// What the last instruction writes of what it stores, if it is torn.
    pub torn: Option<Torn>,
}

impl PowerFailure {
    /// A single one of a program that starts again at its entry.
    pub const fn at(failure: u64) -> Self {
        Self {
            checkpoint: 0,
            failure,
            failures: 1,
            again: None,
            torn: None,
        }
    }
}

/// What one power failure does.
#[derive(Clone, Debug)]
pub struct Emulated {
    /// What it comes to.
    pub trial: Trial,
    /// What of the last instruction was not written, if it was torn.
    pub tear: Option<Tear>,
    /// What the continuous execution reads that it is held against.
    pub readings: Arc<brownout_vm::Readings>,
    /// How often each input was read before what an attempt asks for that the continuous execution does not.
    pub read: Vec<u64>,
    /// Under `restart`, the quiet moment at which power fails in the execution that it is held
    /// against.
    pub quiet: Option<u64>,
}

/// Why there is nothing to say of a power failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Miss {
    /// The region is over before, after so many instructions of the program.
    TooLate(u64),
    /// Under `restart` power fails at most twice.
    TooOften,
    /// The last instruction stores so many bytes of non-volatile memory: too few to be torn like this.
    NotTorn(u32),
}

/// What a test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The test.
    pub test: Test,
    /// What the failure does that one right before the write does not.
    pub trial: Trial,
    /// Instructions executed for it.
    pub instructions: u64,
}

impl Trial {
    /// What a failure does that comes too late.
    fn too_late() -> Self {
        Self {
            outcome: Outcome::Converged,
            seen: Seen::AtItsEnd,
            failures: 1,
            found: Vec::new(),
            continuous: Reached::NOTHING,
            intermittent: Reached::NOTHING,
        }
    }

    /// What differs.
    pub fn differences(&self) -> &[Difference] {
        self.outcome.differences()
    }

    /// What is left of a failure after a write without what other failures do as well. Where these were compared at
    /// other places, the values of what is wrong say nothing.
    fn without(&self, others: &[&Self], written: u32) -> Outcome {
        (others.iter()).fold(self.outcome.clone(), |own, other| {
            let own = own.without(&other.outcome);
            let is_same_place = self.continuous.instructions == other.continuous.instructions
                || (self.seen, other.seen) == (Seen::AtItsEnd, Seen::AtItsEnd);
            match is_same_place {
                true => own,
                false => own.without_what_was_wrong(&other.outcome, written),
            }
        })
    }

    /// When the differences were seen, in words that users know.
    pub fn when(&self) -> When {
        match (self.seen, self.continuous.halt) {
            (_, Halt::Stop) => When::ProgramEnd,
            (Seen::AtItsEnd, Halt::Commit) => When::NextCheckpoint,
            _ => When::Elsewhere,
        }
    }
}

impl Reached {
    const NOTHING: Self = Self {
        instructions: 0,
        halt: Halt::Rest,
    };
}

/// How much longer than the continuous execution an attempt may take.
const PATIENCE: u64 = 4;
/// The least an attempt may take: a 16-bit counter that missed its end comes round again.
const LEAST_BUDGET: u64 = 1_000_000;

/// How many instructions an attempt at a region may take that takes `length` without a failure.
pub fn attempt_budget(length: u64) -> u64 {
    length.saturating_mul(PATIENCE).max(LEAST_BUDGET)
}

/// What is emulated, and how.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// When reads are exposed.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'s [Range<u32>],
    /// Failures in a row: once, then twice, and so on up to this.
    pub failures: u32,
    /// Threads.
    pub jobs: usize,
    /// How many bytes a store writes at once, if it can be torn.
    pub atomic_write: Option<u32>,
    /// How far the continuous execution is known.
    pub horizon: Horizon,
    /// Offsets whose contents may differ.
    pub ignored: &'s [Range<u32>],
    /// Those of them that are meant to: the execution that an attempt is held against finds there what
    /// the attempt finds.
    pub meant: &'s [Range<u32>],
    /// What outputs mean to the world.
    pub tags: &'s Tags,
}

impl Setting<'_> {
    /// One failure at a time of a program that is followed for so long, where everything counts.
    pub const fn plain(limit: u64) -> Self {
        Self {
            exposure: Exposure::Region,
            saved: &[],
            failures: 1,
            jobs: 1,
            atomic_write: None,
            horizon: Horizon {
                limit,
                is_end: false,
            },
            ignored: &[],
            meant: &[],
            tags: const { &Tags::NONE },
        }
    }
}

/// Emulates all `tests`; results by hazard and occurrence, without those that came
/// after `monitor` said stop.
pub fn evaluate(
    image: &Image,
    setting: Setting<'_>,
    tests: &[Test],
    monitor: &dyn Monitor,
) -> Vec<Evaluation> {
    monitor.begin(Stage::Evaluating, Some(tests.len() as u64));
    let mut sorted: Vec<(Region, Test)> = tests
        .iter()
        .map(|&test| (Region::of(setting.exposure, test.instance), test))
        .collect();
    sorted.sort_by_key(|&(region, test)| (region, test.instance.produced, test));
    let parts = split(&sorted, setting.jobs.max(1), |one, other| one.0 == other.0);
    let results = in_parallel(parts, |part| {
        Explorer::new(image, setting).evaluate(part, monitor)
    });
    let mut results: Vec<Evaluation> = results.into_iter().flatten().collect();
    results.sort_by_key(|result| (result.test.hazard, result.test.instance));
    results
}

/// What surrounds the processor, where that is not as the scenario says.
#[derive(Clone, Copy, Debug)]
pub struct World<'w> {
    /// What inputs give.
    pub readings: Option<&'w Readings>,
    /// Device registers that a failure clears.
    pub cleared: &'w [Range<u32>],
}

/// Emulates one power failure, exactly as it is asked for. The `further` failures come after these
/// numbers of instructions from the checkpoint.
pub fn emulate(
    image: &Image,
    setting: Setting<'_>,
    failure: PowerFailure,
    further: &[u64],
    world: World<'_>,
) -> Result<Emulated, Miss> {
    let mut explorer = Explorer::new(image, setting);
    explorer.surround(world);
    let region = Region::at(setting.exposure, failure.checkpoint);
    explorer.emulate(region, failure, further)
}

/// What power failures right after the commits at these times do, which are sorted, and the
/// instructions that were executed for it.
pub fn after_commits(
    image: &Image,
    setting: Setting<'_>,
    times: &[u64],
    monitor: &dyn Monitor,
) -> (BTreeMap<u64, Trial>, u64) {
    let mut explorer = Explorer::new(image, setting);
    let trials = explorer.after_commits(times, monitor);
    (trials, explorer.spent)
}

/// Who reads first what the write before a failure left at `offset`, in the attempt after it: an
/// operation of the user's code, if anybody does.
pub fn reader(
    image: &Image,
    setting: Setting<'_>,
    failure: PowerFailure,
    offset: u32,
) -> Option<u32> {
    Explorer::new(image, setting).reader(failure, offset)
}

/// Where the last attempt after each of the `failures` leaves the path of the continuous execution:
/// the operation of the user's code before.
pub fn departures(
    image: &Image,
    setting: Setting<'_>,
    failures: &[PowerFailure],
    monitor: &dyn Monitor,
) -> BTreeMap<PowerFailure, u32> {
    let mut sorted = failures.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let parts = split(&sorted, setting.jobs.max(1), |one, other| {
        one.checkpoint == other.checkpoint
    });
    let found = in_parallel(parts, |part| {
        Explorer::new(image, setting).departures(part, monitor)
    });
    found.into_iter().flatten().collect()
}

/// A harmful failure that [`explore`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harm {
    /// The failure.
    pub failure: PowerFailure,
    /// The pairs of the write before it: consumer and producer.
    pub pairs: Vec<(u32, u32)>,
    /// The operation of the user's code that writes.
    pub producer: u32,
    /// The first byte that it writes.
    pub offset: u32,
    /// What it does that a failure right before the write does not.
    pub trial: Trial,
}

/// What [`explore`] did.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Failures that changed something that no earlier one of the same pairs did, in order.
    pub harm: Vec<Harm>,
    /// The first failure of each pair that was not settled.
    pub open: BTreeMap<(u32, u32), Trial>,
    /// How many failures were not settled.
    pub undecided: u64,
    /// Regions looked at.
    pub regions: u64,
    /// Failures emulated.
    pub failures: u64,
    /// Failures among them in the middle of a store, by consumer and producer.
    pub tears: BTreeMap<(u32, u32), u64>,
    /// Instructions executed.
    pub instructions: u64,
    /// What a reboot loses whatever a task writes, each once.
    pub lost: Vec<Difference>,
    /// Whether every region was explored, and every failure that can matter in it.
    pub complete: bool,
    /// Regions in which there was more to do than was allowed.
    unfinished: Vec<Region>,
}

impl Explored {
    /// Adds what was found elsewhere.
    fn add(&mut self, other: Self) {
        for (pair, trial) in other.open {
            self.open.entry(pair).or_insert(trial);
        }
        self.lose(&Outcome::Differs(other.lost));
        self.undecided += other.undecided;
        for (pair, tears) in other.tears {
            *self.tears.entry(pair).or_default() += tears;
        }
        self.harm.extend(other.harm);
        self.regions += other.regions;
        self.failures += other.failures;
        self.instructions += other.instructions;
        self.complete &= other.complete;
        self.unfinished.extend(other.unfinished);
    }

    /// Notes what a failure does that no write causes.
    fn lose(&mut self, outcome: &Outcome) {
        for difference in outcome.differences() {
            let kind = difference.kind();
            if !self.lost.iter().any(|known| known.kind() == kind) {
                self.lost.push(difference.clone());
            }
        }
    }
}

/// How many regions are explored before the budget is looked at again, and what they showed is
/// known to the others: the same for any number of threads.
const BATCH: usize = 64;
/// So many of the last regions are explored in any case: what is wrong after them stays so.
const LAST: usize = 8;

/// Emulates every failure that can matter after the checkpoints at `positions` (in
/// order), until about `budget` instructions are spent.
pub fn explore(
    image: &Image,
    setting: Setting<'_>,
    positions: &[u64],
    budget: u64,
    monitor: &dyn Monitor,
) -> Explored {
    monitor.begin(Stage::Exploring, Some(positions.len() as u64));
    let regions: Vec<Region> = positions
        .iter()
        .map(|&position| Region::at(setting.exposure, position))
        .collect();
    let (first, last) = regions.split_at(match regions.len() {
        0..=BATCH => regions.len(),
        many => many - LAST,
    });
    let mut exploration = Exploration {
        image,
        setting,
        known: Arc::default(),
        all: Explored {
            complete: true,
            ..Explored::default()
        },
    };
    // A batch spends about the budget at most.
    let allowance = (budget / BATCH as u64).max(1);
    exploration.explore(first, allowance, budget - budget / 4, monitor);
    exploration.explore(last, allowance, budget, monitor);
    // What is left of the budget is for regions that need more.
    let unfinished = std::mem::take(&mut exploration.all.unfinished);
    let left = budget.saturating_sub(exploration.all.instructions);
    let larger = left / (unfinished.len() as u64).max(1);
    if larger > allowance {
        exploration.explore(&unfinished, larger, u64::MAX, monitor);
    } else {
        exploration.all.unfinished = unfinished;
    }
    let mut all = exploration.all;
    all.complete &= all.unfinished.is_empty();
    all.harm.sort_by_key(|harm| harm.failure);
    all
}

/// What is known while regions are explored.
struct Exploration<'i, 's> {
    image: &'i Image,
    setting: Setting<'s>,
    known: Arc<Known>,
    all: Explored,
}

impl Exploration<'_, '_> {
    /// Explores regions (in order), each with so many instructions, until so many are spent in all.
    fn explore(&mut self, regions: &[Region], allowance: u64, budget: u64, monitor: &dyn Monitor) {
        let jobs = self.setting.jobs.max(1);
        // Each goes on from batch to batch and walks over the program once.
        let explorers: Vec<Mutex<Explorer<'_>>> = (0..jobs.min(regions.len()))
            .map(|_| Mutex::new(Explorer::new(self.image, self.setting)))
            .collect();
        for batch in regions.chunks(BATCH) {
            if self.all.instructions >= budget || monitor.is_interrupted() {
                self.all.complete = false;
                break;
            }
            let parts = split(batch, explorers.len(), |_, _| false);
            let shared = &self.known;
            let pieces: Vec<_> = explorers.iter().zip(parts).collect();
            let results: Vec<Explored> = in_parallel(pieces, |(explorer, part)| {
                let mut explorer = explorer.lock().unwrap_or_else(PoisonError::into_inner);
                explorer.explore(part, shared, allowance, monitor)
            });
            let known = Arc::make_mut(&mut self.known);
            for result in results {
                for harm in &result.harm {
                    known.add(Manner::of(harm.failure.torn), &harm.pairs, &harm.trial);
                }
                self.all.add(result);
            }
        }
    }
}

/// Does parts of some work, each on a thread of its own; the results are in the order of the parts.
fn in_parallel<P: Copy + Send, R: Send>(parts: Vec<P>, work: impl Fn(P) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .into_iter()
            .map(|part| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || work(part));
                // What no thread can be had for is done by this one.
                thread.map_err(|_| part)
            })
            .collect();
        let results = threads.into_iter().map(|thread| match thread {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(part) => work(part),
        });
        results.collect()
    })
}

/// Cuts the work into `jobs` stretches at most, never between two pieces that belong together.
fn split<T>(sorted: &[T], jobs: usize, together: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let mut rest = sorted;
    for left in (1..=jobs).rev() {
        let mut end = rest.len().div_ceil(left);
        while end > 0 && end < rest.len() && together(&rest[end], &rest[end - 1]) {
            end += 1;
        }
        let (part, others) = rest.split_at(end);
        if !part.is_empty() {
            parts.push(part);
        }
        rest = others;
    }
    parts
}
