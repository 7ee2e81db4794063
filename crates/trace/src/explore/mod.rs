//! Evaluate (EWSN'21 §5.3, SEMANTICS §3.2): emulate the failure and compare.
//!
//! **Property.** For a checkpoint position and a failure point: run to the
//! checkpoint, on to the failure, restore, execute again to the end of the window,
//! and compare memory, position and output with the continuous execution at the
//! same point of the program.
//!
//! **Algorithm.** One machine walks over the program once. At the start of each
//! window it marks, runs the window continuously and notes what changed, then
//! rolls back. The first attempt goes from failure point to failure point; at
//! each, the second attempt is emulated and undone. A test costs its window, and
//! its state never leaks into the next: both rest on the undo journal. Windows
//! are split over threads; results do not depend on how many there are.
//!
//! [`evaluate`] emulates given occurrences of hazards. [`explore`] looks for the
//! failure points of a window itself: only a failure after a write to a byte that
//! the window has read before (a *producer*) can change anything. If the attempt
//! after it takes another path, the writes behind it are tried as well; if not,
//! they make no difference.
//!
//! Where windows end after a number of instructions, an attempt that took another
//! path is compared where it passes the same place as often as the continuous
//! execution did. Registers count as soon as they matter: if nothing but
//! registers is different, both executions go on for a while.
//!
//! **False positives.** None: the difference was seen.
//!
//! **False negatives.** What is not emulated: a benign verdict says how much was.

mod attempt;
mod compare;
mod departure;
mod exposed;
mod heap;
mod known;
mod scene;
mod stores;
mod walker;
mod window;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use brownout_diag::When;
use brownout_vm::{Fault, Image};
use rustc_hash::FxHasher;

use crate::exposure::Exposure;
use crate::locate::Instance;
use crate::monitor::{Monitor, Stage};
use crate::objects::{Object, Part};
use crate::readings::Readings;
use known::{Known, Manner};
pub(crate) use stores::Tear;
use walker::Walker;
pub(crate) use window::LONGEST_WINDOW;
use window::Window;

/// One failure to emulate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The occurrence.
    pub instance: Instance,
    /// Whose occurrence it is: a number of the caller's.
    pub hazard: usize,
}

/// Something that is not as in a continuous execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A scalar in memory.
    Value {
        /// What it belongs to.
        part: Part,
        /// Where its first byte is.
        offset: u32,
        /// Its bytes in the continuous execution.
        continuous: Vec<u8>,
        /// Its bytes after the failure.
        intermittent: Vec<u8>,
    },
    /// The two are at different places of the program.
    Path {
        /// The operation the continuous execution is at.
        continuous: u32,
        /// The operation the other one is at.
        intermittent: u32,
    },
    /// The text that was written.
    Output {
        /// By the continuous execution.
        continuous: Vec<u8>,
        /// By the last attempt.
        intermittent: Vec<u8>,
    },
    /// The program died.
    Crash {
        /// What of.
        fault: Fault,
        /// At which operation of the user's code.
        pc: u32,
    },
    /// What has to hold does not.
    Broken {
        /// Which invariant.
        invariant: u32,
    },
    /// The window was not finished.
    NoProgress {
        /// Instructions after which it was given up.
        budget: u64,
    },
}

impl Difference {
    /// What makes two differences the same effect, whatever the values are.
    pub(crate) fn kind(&self) -> DifferenceKind {
        match self {
            // Bytes without a name are one effect.
            Self::Value { part, .. } if matches!(part.object, Object::Segment(_)) => {
                DifferenceKind::Value(part.object, 0)
            }
            Self::Value { part, .. } => DifferenceKind::Value(part.object, part.start),
            Self::Path { .. } => DifferenceKind::Path,
            Self::Output { .. } => DifferenceKind::Output,
            Self::Crash { fault, pc } => DifferenceKind::Crash(*pc, fingerprint(fault)),
            Self::Broken { invariant } => DifferenceKind::Broken(*invariant),
            Self::NoProgress { .. } => DifferenceKind::NoProgress,
        }
    }
}

/// What tells faults apart.
fn fingerprint(fault: &Fault) -> u64 {
    let mut hasher = FxHasher::default();
    format!("{fault:?}").hash(&mut hasher);
    hasher.finish()
}

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DifferenceKind {
    Broken(u32),
    Value(Object, u64),
    Path,
    Output,
    /// Where, and what of.
    Crash(u32, u64),
    NoProgress,
}

/// When the differences were seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// At the end of the window.
    AtItsEnd,
    /// Where the attempt, on another path, was at the same place as often.
    WhereTheyMeet,
    /// Behind it: at its end they were in registers only.
    Afterwards,
}

/// What a failure changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// All differences; none means that the states converged.
    pub differences: Vec<Difference>,
    /// When they were seen.
    pub seen: Seen,
    /// How often power failed.
    pub failures: u32,
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

/// One failure, or several in a row, behind one checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Strike {
    /// When the checkpoint commits, or after how many instructions it sits.
    pub(crate) checkpoint: u64,
    /// When power fails.
    pub(crate) failure: u64,
    /// How often in a row.
    pub(crate) failures: u32,
    /// How many bytes of what the last instruction stores are written, if it is torn.
    pub(crate) torn: Option<u32>,
}

/// What a strike does.
#[derive(Clone, Debug)]
pub(crate) struct Struck {
    pub(crate) damage: Damage,
    /// What of the last instruction was not written, if it was torn.
    pub(crate) tear: Option<Tear>,
}

/// Why there is nothing to say of a strike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Miss {
    /// The window is over before, after so many instructions of the program.
    TooLate(u64),
    /// The last instruction stores so many bytes of non-volatile memory: too few to be torn like this.
    NotTorn(u32),
}

/// What a test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The test.
    pub test: Test,
    /// What the failure changed.
    pub damage: Damage,
    /// Instructions executed for it.
    pub instructions: u64,
}

impl Damage {
    /// What a failure does that comes too late.
    fn none() -> Self {
        Self {
            differences: Vec::new(),
            seen: Seen::AtItsEnd,
            failures: 1,
            continuous: Reached::NOTHING,
            intermittent: Reached::NOTHING,
        }
    }

    /// When the differences were seen, in words that users know.
    pub(crate) fn when(&self) -> When {
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

/// How much longer than the continuous window an attempt may take.
const PATIENCE: u64 = 4;
/// The least an attempt may take: a 16-bit counter that missed its end comes round again.
const LEAST_BUDGET: u64 = 1_000_000;

/// How many instructions an attempt at a region may take that takes `length` without a failure.
pub(crate) fn attempt_budget(length: u64) -> u64 {
    length.saturating_mul(PATIENCE).max(LEAST_BUDGET)
}

/// How far two executions are followed whose registers differ behind a window of `length`.
pub(crate) fn beyond(length: u64) -> u64 {
    length.clamp(2_000, 50_000)
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
    let mut sorted: Vec<(Window, Test)> = tests
        .iter()
        .map(|&test| (Window::of(setting.exposure, test.instance), test))
        .collect();
    sorted.sort_by_key(|&(window, test)| (window, test.instance.produced, test));
    let parts = split(&sorted, setting.jobs.max(1), |one, other| one.0 == other.0);
    let mut results = in_parallel(parts, |part| {
        Walker::new(image, setting).evaluate(part, monitor)
    });
    results.sort_by_key(|result| (result.test.hazard, result.test.instance));
    results
}

/// What surrounds the processor, where that is not as the scenario says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'w> {
    /// What inputs give.
    pub(crate) readings: Option<&'w Readings>,
    /// Device registers that a failure clears.
    pub(crate) cleared: &'w [Range<u32>],
}

/// Emulates one strike, exactly as it is asked for. The `further` failures come after these
/// numbers of instructions behind the checkpoint.
pub(crate) fn strike(
    image: &Image,
    setting: Setting<'_>,
    strike: Strike,
    further: &[u64],
    world: World<'_>,
) -> Result<Struck, Miss> {
    let mut walker = Walker::new(image, setting);
    walker.readings = world.readings.cloned();
    walker.machine.clear_at_failures(world.cleared);
    let window = Window::at(setting.exposure, strike.checkpoint);
    walker.strike(window, strike, further)
}

/// Where the last attempt after each of the `strikes` leaves the path of the continuous execution:
/// the operation of the user's code before.
pub(crate) fn departures(
    image: &Image,
    setting: Setting<'_>,
    strikes: &[Strike],
    monitor: &dyn Monitor,
) -> BTreeMap<Strike, u32> {
    let mut sorted = strikes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let parts = split(&sorted, setting.jobs.max(1), |one, other| {
        one.checkpoint == other.checkpoint
    });
    let found = in_parallel(parts, |part| {
        Walker::new(image, setting).departures(part, monitor)
    });
    found.into_iter().collect()
}

/// A harmful failure that [`explore`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harm {
    /// When the checkpoint commits, or after how many instructions it sits.
    pub checkpoint: u64,
    /// When power fails.
    pub failure: u64,
    /// The pairs of the last producer before it: consumer and producer.
    pub pairs: Vec<(u32, u32)>,
    /// What it changed.
    pub damage: Damage,
    /// So many bytes were written of what the last instruction stores.
    pub torn: Option<u32>,
}

/// What [`explore`] did.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Failures that changed something that no earlier one of the same pairs did, in order.
    pub harm: Vec<Harm>,
    /// Windows looked at.
    pub windows: u64,
    /// Failures emulated.
    pub failures: u64,
    /// Failures among them in the middle of a store, by consumer and producer.
    pub tears: BTreeMap<(u32, u32), u64>,
    /// Instructions executed.
    pub instructions: u64,
    /// Whether every window was explored, and every failure that can matter in it.
    pub complete: bool,
}

/// How many windows are explored before the budget is looked at again, and what they showed is
/// known to the others: the same for any number of threads.
const BATCH: usize = 64;

/// Emulates every failure that can matter behind the checkpoints at `positions` (in
/// order), until about `budget` instructions are spent.
pub fn explore(
    image: &Image,
    setting: Setting<'_>,
    positions: &[u64],
    budget: u64,
    monitor: &dyn Monitor,
) -> Explored {
    monitor.begin(Stage::Exploring, Some(positions.len() as u64));
    let windows: Vec<Window> = positions
        .iter()
        .map(|&position| Window::at(setting.exposure, position))
        .collect();
    let mut all = Explored {
        complete: true,
        ..Explored::default()
    };
    let jobs = setting.jobs.max(1);
    let mut known: Arc<Known> = Arc::default();
    // Walkers go on from batch to batch: each walks over the program once.
    let mut walkers: Vec<Walker<'_>> = (0..jobs.min(windows.len()))
        .map(|_| Walker::new(image, setting))
        .collect();
    for batch in windows.chunks(BATCH) {
        if all.instructions >= budget || monitor.is_interrupted() {
            all.complete = false;
            break;
        }
        let parts = split(batch, walkers.len(), |_, _| false);
        // A batch spends about the budget at most.
        let allowance = (budget / BATCH as u64).max(1);
        let shared = &known;
        let results: Vec<Explored> = std::thread::scope(|scope| {
            let threads: Vec<_> = walkers
                .iter_mut()
                .zip(parts)
                .map(|(walker, part)| {
                    scope.spawn(move || walker.explore(part, shared, allowance, monitor))
                })
                .collect();
            threads.into_iter().map(join).collect()
        });
        let known = Arc::make_mut(&mut known);
        for result in results {
            for harm in &result.harm {
                known.add(Manner::of(harm.torn), &harm.pairs, &harm.damage);
            }
            for (pair, tears) in result.tears {
                *all.tears.entry(pair).or_default() += tears;
            }
            all.harm.extend(result.harm);
            all.windows += result.windows;
            all.failures += result.failures;
            all.instructions += result.instructions;
            all.complete &= result.complete;
        }
    }
    all.harm.sort_by_key(|harm| (harm.checkpoint, harm.failure));
    all
}

/// Does parts of some work on threads of their own.
fn in_parallel<'t, T: Sync, R: Send>(
    parts: Vec<&'t [T]>,
    work: impl Fn(&'t [T]) -> Vec<R> + Sync,
) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .into_iter()
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        threads.into_iter().flat_map(join).collect()
    })
}

fn join<R>(thread: std::thread::ScopedJoinHandle<'_, R>) -> R {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Cuts the work into `jobs` stretches, never between two pieces that belong together.
fn split<T>(sorted: &[T], jobs: usize, together: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let mut rest = sorted;
    for left in (1..=jobs).rev() {
        let mut end = rest.len().div_ceil(left);
        while end > 0 && end < rest.len() && together(&rest[end], &rest[end - 1]) {
            end += 1;
        }
        let (part, others) = rest.split_at(end);
        parts.push(part);
        rest = others;
    }
    parts
}
