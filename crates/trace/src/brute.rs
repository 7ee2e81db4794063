//! The brute-force oracle (EWSN'21 §6.1 "Layman", SEMANTICS §3.2).
//!
//! **Property.** For every checkpoint position that the policy allows and every
//! failure point in its window: what is different at the end of the window, over
//! the whole state, from the continuous execution.
//!
//! **Algorithm.** None worth the name, and that is the point: it works on full
//! copies of the machine, never on the undo log, and knows nothing of reads,
//! writes and pairs. A restore is a copy of the machine at the checkpoint whose
//! non-volatile bytes, but for those the checkpoint saved, are taken from the
//! machine that failed. The last attempt reads the same inputs as the continuous
//! execution does (OOPSLA'20, Def. 1).
//!
//! * `Region`: positions are the start of the program and every commit, windows
//!   reach to the next commit or the end of the program.
//! * `SinceCall`: the same positions, windows reach `depth` instructions from the
//!   call, across other calls: those did not commit. That of the start ends at the
//!   first call.
//! * `Anywhere`: every instruction is a position; its window ends `depth`
//!   instructions after it, as SEMANTICS §3.1 measures from the first read.
//!
//! Two states are equal if they are at the same place of the same calls, wrote
//! the same, and no byte of a global, of the heap or of a stack object that
//! lives in both is different. Which registers are still wanted shows only
//! later: if nothing else differs, both executions are followed a little. In
//! windows of a given length, an attempt that took another way is compared where
//! it passes the same place as often as the continuous execution did.
//!
//! **False positives.** Differences at the end of a `depth` window may vanish
//! soon after it.
//!
//! **False negatives.** None on the path executed, for one failure per window.

mod cost;

pub use cost::{Cost, brute_force_cost, layman_cost};

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use brownout_explore::{Exposure, Monitor, Object, Objects, attempt_budget, user_operation};
use brownout_ir::Func;
use brownout_vm::{Bounds, Fault, Image, Machine, Moment, Observer, SegmentKind, Stop, Stream};

/// How much work is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions of the continuous execution.
    pub continuous: u64,
    /// Instructions of everything.
    pub emulated: u64,
}

/// How far two executions are followed whose registers differ after a region of `length`.
fn beyond(length: u64) -> u64 {
    length.clamp(2_000, 50_000)
}

/// What one failure changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// Objects with other contents.
    pub objects: BTreeSet<Object>,
    /// Whether execution is somewhere else.
    pub position: bool,
    /// Whether the last attempt wrote something else, or ended with another status.
    pub output: bool,
    /// What the program died of, and where; nothing else is compared then.
    pub crash: Option<(Fault, u32)>,
    /// Whether the window was not finished; nothing else is compared then.
    pub no_progress: bool,
    /// Objects that became different only after the window: at its end a register was wrong.
    pub afterwards: BTreeSet<Object>,
}

impl Change {
    /// Whether something is different at the end of the window already.
    fn is_at_the_end(&self) -> bool {
        !self.is_same() && self.afterwards.is_empty()
    }

    /// Whether it changed nothing.
    pub fn is_same(&self) -> bool {
        *self == Self::default()
    }
}

/// One emulated failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Where the checkpoint is: after that many instructions.
    pub checkpoint: u64,
    /// When power fails: right after that instruction.
    pub failure: u64,
    /// What it changed.
    pub outcome: Change,
}

/// What all failures changed.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    /// Failures emulated.
    pub executions: u64,
    /// Instructions executed for them.
    pub instructions: u64,
    /// Whether everything was tried.
    pub complete: bool,
    /// Objects that some failure changed.
    pub differing: BTreeSet<Object>,
    /// What some failure makes the program die of, and where.
    pub crashes: Vec<(Fault, u32)>,
    /// The failures that changed something, in order.
    pub attempts: Vec<Attempt>,
}

/// Tries every failure at every checkpoint position. Bytes in `saved` are in every
/// checkpoint; before the first one has committed, nothing is. What was done when `monitor` says
/// stop is not complete.
pub fn brute_force(
    image: &Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    limits: Limits,
    monitor: &dyn Monitor,
) -> BruteForce {
    let found = BruteForce {
        complete: true,
        ..BruteForce::default()
    };
    let mut search = Search {
        image,
        exposure,
        objects: Objects::new(image),
        limits,
        monitor,
        found,
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let anywhere = matches!(exposure, Exposure::Anywhere { .. });
    // A program that has not committed yet starts again, with nothing restored.
    let saves = if anywhere { saved.to_vec() } else { Vec::new() };
    let mut position = Position {
        machine: machine.clone(),
        at: 0,
        saves,
    };
    loop {
        search.position(&position);
        let mut watch = Watch {
            pause: !anywhere,
            ..Watch::new(image)
        };
        let until = if anywhere {
            machine.now() + 1
        } else {
            limits.continuous
        };
        let stop = machine.watch(&mut watch, until);
        if stop != Stop::Paused || !search.found.complete {
            break;
        }
        if machine.now() >= limits.continuous {
            search.found.complete = false;
            break;
        }
        let (at, saves) = watch.commit.unwrap_or_else(|| (machine.now(), Vec::new()));
        let saves = saved.iter().cloned().chain(saves).collect();
        position = Position {
            machine: machine.clone(),
            at,
            saves,
        };
    }
    search.found
}

/// Where a checkpoint may be.
struct Position<'i> {
    machine: Machine<'i>,
    /// When it commits.
    at: u64,
    /// Non-volatile bytes it saves.
    saves: Vec<Range<u32>>,
}

/// An execution at the end of a window.
struct End<'i> {
    machine: Machine<'i>,
    stop: Stop,
    /// Whether a commit ended it.
    committed: bool,
    output: Vec<u8>,
    /// All accesses: after how many instructions, by which operation, where.
    accesses: Vec<(u64, u32, u32)>,
    /// Instructions executed.
    length: u64,
}

struct Search<'m, 'i> {
    image: &'i Image,
    monitor: &'m dyn Monitor,
    exposure: Exposure,
    objects: Objects<'i>,
    limits: Limits,
    found: BruteForce,
}

impl<'i> Search<'_, 'i> {
    /// When a window that starts at `position` ends by itself, if the next commit does not end it.
    fn until(&self, position: &Position<'i>) -> Option<u64> {
        match self.exposure {
            Exposure::Region => None,
            Exposure::Anywhere { depth } => Some(position.at + depth + 1),
            // Once a checkpoint was called, one has committed: the program does not start again.
            Exposure::SinceCall { .. } if position.at == 0 => None,
            Exposure::SinceCall { depth } => Some(position.at + depth),
        }
    }

    /// Runs to `until`, or to a commit that ends the window of a position.
    fn run(&mut self, position: &Position<'i>, mut machine: Machine<'i>, until: u64) -> End<'i> {
        let begun = machine.now();
        let mut watch = Watch {
            pause: self.until(position).is_none(),
            ..Watch::new(self.image)
        };
        let stop = machine.watch(&mut watch, until);
        self.end(machine, stop, watch, begun)
    }

    fn end(&mut self, machine: Machine<'i>, stop: Stop, watch: Watch<'i>, begun: u64) -> End<'i> {
        let length = machine.now() - begun;
        self.found.instructions += length;
        let accesses = watch.accesses.into_iter();
        End {
            machine,
            stop,
            committed: watch.commit.is_some(),
            output: watch.output,
            accesses: accesses
                .map(|(time, pc, offset)| (time - begun, pc, offset))
                .collect(),
            length,
        }
    }

    /// Every failure in the window of one position.
    fn position(&mut self, position: &Position<'i>) {
        let until = self.until(position);
        let reference = self.run(
            position,
            position.machine.clone(),
            until.unwrap_or(self.limits.continuous),
        );
        if until.is_none() && reference.stop == Stop::Paused && !reference.committed {
            self.found.complete = false;
            return;
        }
        let length = reference.machine.now() - position.machine.now();
        let attempt_until = until.unwrap_or_else(|| {
            position
                .machine
                .now()
                .saturating_add(attempt_budget(length))
        });
        let mut failing = position.machine.clone();
        while until.is_none_or(|until| failing.now() < until) {
            let failure = failing.now() + 1;
            let step = self.run(position, failing, failure);
            if step.stop != Stop::Paused || step.committed {
                break;
            }
            if self.found.instructions >= self.limits.emulated || self.monitor.is_interrupted() {
                self.found.complete = false;
                break;
            }
            failing = step.machine;
            self.found.executions += 1;
            self.monitor.advance(1);
            let restored = self.restore(position, &failing);
            let end = self.run(position, restored.clone(), attempt_until);
            let mut outcome = self.compare(&reference, &end);
            if let Some(until) = until
                && outcome.is_at_the_end()
                && end.accesses != reference.accesses
            {
                let budget = until.saturating_sub(position.machine.now());
                let meeting = self.meet(&position.machine, &restored, budget, reference.length);
                outcome = meeting.unwrap_or(outcome);
            }
            self.note(Attempt {
                checkpoint: position.at,
                failure,
                outcome,
            });
        }
    }

    fn restore(&self, position: &Position<'i>, failed: &Machine<'i>) -> Machine<'i> {
        let mut machine = position.machine.clone();
        for segment in self
            .image
            .layout()
            .segments()
            .iter()
            .filter(|segment| segment.nonvolatile)
        {
            let bytes =
                &failed.memory()[segment.offsets.start as usize..segment.offsets.end as usize];
            machine.set_memory(segment.offsets.start, bytes);
        }
        for saved in &position.saves {
            let bytes = &position.machine.memory()[saved.start as usize..saved.end as usize];
            machine.set_memory(saved.start, bytes);
        }
        machine.lose_unrestored();
        machine
    }

    fn compare(&mut self, continuous: &End<'i>, intermittent: &End<'i>) -> Change {
        let mut outcome = self.states(continuous, intermittent);
        if outcome.is_same()
            && intermittent.stop == Stop::Paused
            && continuous.machine.registers() != intermittent.machine.registers()
        {
            let further = beyond(continuous.length);
            let (one, other) = (
                self.follow(continuous, further),
                self.follow(intermittent, further),
            );
            outcome.afterwards = self.states(&one, &other).objects;
        }
        outcome
    }

    /// What becomes of an execution without another failure.
    fn follow(&mut self, end: &End<'i>, further: u64) -> End<'i> {
        let mut machine = end.machine.clone();
        let begun = machine.now();
        let mut watch = Watch::new(self.image);
        let stop = machine.watch(&mut watch, begun + further);
        self.end(machine, stop, watch, begun)
    }

    /// Compares where both executions from `position` and `restored` are at the same place as
    /// often: where the first one is after `budget` instructions, or some time later.
    fn meet(
        &mut self,
        position: &Machine<'i>,
        restored: &Machine<'i>,
        budget: u64,
        length: u64,
    ) -> Option<Change> {
        for further in [0, length / 4, length / 2, length / 4 * 4] {
            let budget = budget + further;
            let (places, continuous) = self.steps(position, budget, |_| false);
            let end = places.last().cloned();
            let passes = places.iter().filter(|&place| Some(place) == end.as_ref());
            let mut left = passes.count().max(1);
            let (_, attempt) = self.steps(restored, budget * 2, |place| {
                left -= usize::from(continuous.stop == Stop::Paused && Some(place) == end.as_ref());
                left == 0
            });
            let met = match continuous.stop {
                Stop::Paused => left == 0,
                _ => attempt.stop != Stop::Paused,
            };
            if met {
                return Some(self.states(&continuous, &attempt));
            }
        }
        None
    }

    /// Executes one operation after the other until `enough`; where it was after each.
    fn steps(
        &mut self,
        from: &Machine<'i>,
        budget: u64,
        mut enough: impl FnMut(&Place) -> bool,
    ) -> (Vec<Place>, End<'i>) {
        let mut machine = from.clone();
        let begun = machine.now();
        let mut watch = Watch::new(self.image);
        let mut places = Vec::new();
        let mut stop = Stop::Paused;
        while machine.now() < begun + budget {
            let next = machine.now() + 1;
            stop = machine.watch(&mut watch, next);
            if stop != Stop::Paused {
                break;
            }
            let place = (machine.pc(), machine.backtrace());
            let done = enough(&place);
            places.push(place);
            if done {
                break;
            }
        }
        (places, self.end(machine, stop, watch, begun))
    }

    fn states(&self, continuous: &End<'i>, intermittent: &End<'i>) -> Change {
        let mut outcome = Change::default();
        let (one, other) = (&continuous.machine, &intermittent.machine);
        if let Stop::Faulted(fault) = &intermittent.stop
            && intermittent.stop != continuous.stop
        {
            outcome.crash = Some((fault.clone(), user_operation(self.image, other)));
            return outcome;
        }
        // A window without an end of its own that did not come to one.
        let unfinished = |end: &End<'i>| end.stop == Stop::Paused && !end.committed;
        if self.exposure == Exposure::Region && unfinished(intermittent) && !unfinished(continuous)
        {
            outcome.no_progress = true;
            return outcome;
        }
        outcome.output = intermittent.output != continuous.output;
        match (&continuous.stop, &intermittent.stop) {
            // Another status is something the environment sees, like output.
            (Stop::Exited { status }, Stop::Exited { status: other }) => {
                outcome.output |= status != other;
            }
            (stop, other_stop) => {
                outcome.position = stop != other_stop
                    || one.pc() != other.pc()
                    || one.backtrace() != other.backtrace();
            }
        }
        let (stack, other_stack) = (one.call_stack(), other.call_stack());
        for segment in self.image.layout().segments() {
            for offset in segment.offsets.clone() {
                if one.memory()[offset as usize] == other.memory()[offset as usize] {
                    continue;
                }
                let owner = stack.owner(offset);
                match segment.kind {
                    SegmentKind::HeapMap => continue,
                    // A stack object must live in both.
                    SegmentKind::Stack if owner.is_none() || owner != other_stack.owner(offset) => {
                        continue;
                    }
                    _ => outcome
                        .objects
                        .insert(self.objects.scalar(offset, owner).object),
                };
            }
        }
        outcome
    }

    fn note(&mut self, attempt: Attempt) {
        if attempt.outcome == Change::default() {
            return;
        }
        self.found
            .differing
            .extend(attempt.outcome.objects.iter().copied());
        self.found
            .differing
            .extend(attempt.outcome.afterwards.iter().copied());
        if let Some(crash) = &attempt.outcome.crash
            && !self.found.crashes.contains(crash)
        {
            self.found.crashes.push(crash.clone());
        }
        self.found.attempts.push(attempt);
    }
}

/// A place of the program: operation and calls.
type Place = (u32, Vec<(Func, u32)>);

/// Pauses at commits and keeps output and accesses.
struct Watch<'i> {
    image: &'i Image,
    pause: bool,
    commit: Option<(u64, Vec<Range<u32>>)>,
    output: Vec<u8>,
    accesses: Vec<(u64, u32, u32)>,
}

impl<'i> Watch<'i> {
    fn new(image: &'i Image) -> Self {
        Self {
            image,
            pause: false,
            commit: None,
            output: Vec::new(),
            accesses: Vec::new(),
        }
    }
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, _: &[u8]) {
        self.accesses.push((at.time, at.pc, offset));
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        self.accesses.push((at.time, at.pc, offset));
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if !self.pause {
            return ControlFlow::Continue(());
        }
        self.commit = Some((
            at.time,
            saves
                .iter()
                .map(|&(offset, size)| offset..offset + size)
                .collect(),
        ));
        ControlFlow::Break(())
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        self.output
            .extend_from_slice(self.image.output_text(index, args).as_bytes());
    }
}
