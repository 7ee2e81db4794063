//! Outputs under power failures (EWSN'21 §4.2, VMCAI'18 §5.3, SEMANTICS §3.4): what does doing it
//! again do?
//!
//! **Property.** An output is *absolute* if the environment is the same after it was repeated by a
//! power failure, and *relative* if not. That must be what its tag says. The repetition has the
//! same arguments, and it happens.
//!
//! **Algorithm.** One machine walks over the program, region by region. In each it notes the
//! outputs, rolls back, and for each of them runs the region again up to right after it (and, if
//! the output takes time, into the middle of it: half way, after its first instruction and before
//! its last, with the environment as far on its way), lets power fail
//! and runs to the same output of the second attempt: the same place as often. Only the values that
//! the output changes are compared: what other outputs do is their affair. An output that is not
//! made again has not been repeated, so it changes nothing. Both attempts read the same inputs.
//!
//! Where a region begins and how far it reaches is the policy's affair ([`positions`]): from commit
//! to commit, from every call that may commit as far as the charge lasts, or from anywhere.
//!
//! With a failure right before it, an output that is then not made at all is *lost*.
//!
//! Two outputs of a region do not *commute* if the environment depends on their order.
//!
//! **False positives.** None: the difference was seen.
//!
//! **False negatives.** What lies beyond the budget; outputs whose effect nobody describes. Under
//! the reactive policy, arguments that change only with checkpoints between two events: the memory
//! rules try these.

mod attempt;
mod positions;
mod repeat;
mod wording;

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::{Finding, OutputBehaviour, Repetition};
use brownout_scenario::{Exposure, Recovery, Scenario};
use brownout_vm::{Bounds, Image, Machine, Mark};

use self::attempt::{Emitted, Recorder};
use self::positions::Reach;

/// What repeated outputs show.
#[derive(Debug)]
pub struct OutputsChecked {
    /// Outputs that behave in another way than their tags say, and pairs that do not commute.
    pub findings: Vec<Finding>,
    /// How every output with a described effect behaves, by its place.
    pub behaviours: Vec<OutputBehaviour>,
    /// Power failures emulated.
    pub tests: u64,
    /// Instructions executed for them.
    pub instructions: u64,
    /// Whether the outputs of every place were repeated, those of each region at least a number of times.
    pub complete: bool,
}

/// Instructions that are spent on repeating outputs.
const BUDGET: u64 = 50_000_000;
/// How many outputs of one region are repeated, and paired with each other; the first one of each place always is.
const OUTPUTS: usize = 64;
/// How many of one place are looked at more closely, because they may be the next ones.
const CANDIDATES: u32 = 16;

/// Repeats the outputs of one execution of at most `limit` instructions.
pub fn check_outputs(
    image: &Image,
    scenario: &Scenario,
    saved: &[Range<u32>],
    limit: u64,
    interrupt: &dyn Fn() -> bool,
) -> OutputsChecked {
    let mut walk = Walk {
        recovery: scenario.power.policy.recovery(),
        limit,
        ..Walk::new(image, saved)
    };
    match scenario.power.policy.exposure() {
        Exposure::Region => walk.calls(Reach::NextCommit, limit, interrupt),
        Exposure::SinceCall { depth } => walk.calls(Reach::Depth(depth), limit, interrupt),
        Exposure::Anywhere { depth } => walk.events(depth, limit, interrupt),
    }
    OutputsChecked {
        findings: wording::findings(image, scenario, &walk),
        behaviours: wording::behaviours(image, &walk),
        tests: walk.tests,
        instructions: walk.instructions,
        complete: walk.complete,
    }
}

/// An output of the program: which one, and the operation of the user's code that makes it.
type Site = (u32, u32);

/// What was seen of the outputs at one place.
#[derive(Clone, Debug, Default)]
struct Verdict {
    /// Repetitions that changed nothing, and that did.
    absolute: u64,
    relative: u64,
    /// The first repetition that changed something, and the first that did not.
    first_relative: Option<Repeated>,
    first_absolute: Option<Repeated>,
    /// The first time that it was made again, whatever that did.
    first_again: Option<Repeated>,
}

/// One output that was repeated.
#[derive(Clone, Debug)]
struct Repeated {
    /// Checkpoint calls before it; none under the reactive policy.
    commits: Option<u64>,
    /// The last of them, or the start of the program.
    checkpoint: Option<u32>,
    /// Instructions from there to the failure, and of the whole execution to the checkpoint.
    distance: u64,
    start: u64,
    /// When power failed.
    strike: Strike,
    first: Emitted,
    second: Option<Emitted>,
    /// Values of the environment after the first attempt and after the second: name, both values.
    changed: Vec<(usize, i64, i64)>,
}

/// When power fails, as an output sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strike {
    Before,
    During(Stage),
    After,
}

/// How far an output that takes time has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Half,
    /// After its first instruction.
    Begun,
    /// Before its last one.
    Nearly,
}

impl Stage {
    /// Those of an output that takes so many instructions, of which none is divided.
    fn of(takes: u64) -> &'static [Self] {
        match takes {
            0 | 1 => &[],
            2 => &[Self::Half],
            _ => &[Self::Half, Self::Begun, Self::Nearly],
        }
    }

    /// How many of its instructions were executed.
    fn instructions(self, takes: u64) -> u64 {
        match self {
            Self::Half => takes / 2,
            Self::Begun => 1,
            Self::Nearly => takes - 1,
        }
    }
}

struct Walk<'i> {
    image: &'i Image,
    machine: Machine<'i>,
    saved: &'i [Range<u32>],
    verdicts: BTreeMap<Site, Verdict>,
    /// Pairs that do not commute, with the region's first values: both orders.
    disordered: BTreeMap<(Site, Site), (usize, i64, i64)>,
    tests: u64,
    instructions: u64,
    complete: bool,
    commits: u64,
    recovery: Recovery,
    limit: u64,
    /// How many outputs of each place were looked at more closely.
    candidates: BTreeMap<Site, u32>,
}

/// A region: where it begins, and what it needs to begin again.
struct Region<'i> {
    mark: Mark,
    recorder: Recorder<'i>,
    inputs: Vec<u64>,
    commits: Option<u64>,
    checkpoint: Option<u32>,
    start: u64,
    length: u64,
}

impl<'i> Walk<'i> {
    fn new(image: &'i Image, saved: &'i [Range<u32>]) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        Self {
            image,
            machine,
            saved,
            verdicts: BTreeMap::new(),
            disordered: BTreeMap::new(),
            tests: 0,
            instructions: 0,
            complete: true,
            commits: 0,
            recovery: Recovery::Checkpoint,
            limit: u64::MAX,
            candidates: BTreeMap::new(),
        }
    }
}

impl Verdict {
    fn repetition(&self) -> Repetition {
        match (self.absolute, self.relative) {
            (_, 0) => Repetition::Absolute,
            (0, _) => Repetition::Relative,
            (_, _) => Repetition::Varies,
        }
    }
}
