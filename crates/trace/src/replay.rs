//! Replay: one power failure, or several after one checkpoint, step by step (SEMANTICS §3.2).
//!
//! **Property.** The story has every access to the watched objects, every input
//! and output, the failure, the restore and the attempts that follow, in the
//! order in which they happened, and it ends where and with what
//! [`crate::explore`] says of the same failure.
//!
//! **Algorithm.** A machine runs to the checkpoint. A copy of it is the
//! continuous execution; the machine itself commits, runs, fails and starts
//! again. From then on the two go hand in hand, one operation of the user's
//! code at a time, with all that the library does for it, so each step of an
//! attempt stands beside the same step of the continuous execution until the
//! two are at different operations: there the paths part. What differs in the
//! end, and where that is, [`crate::explore`] says beforehand; the story ends
//! there.
//!
//! **False positives.** None: everything told was seen.
//!
//! **False negatives.** Steps in loops are told once, with how often they
//! repeat; after some hundreds, steps are counted only. Without names from the
//! user eight objects are watched. After the point where the paths part, steps
//! have nothing to be compared with.

mod error;
mod position;
mod record;
mod steps;
mod watch;

pub use error::ReplayError;

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use brownout_diag::{
    Action, AlsoContinuous, Amid, Attempt, Effect, Ending, Outlet, OutputChange, ReplayId,
    ResumePoint, SourcePlace, Step, Story, Watched,
};
use brownout_explore::{
    Difference, Emulated, Exposure, Halt, Horizon, LONGEST_REGION, Miss, Part, PowerFailure,
    Reached, Readings, Recovery, Seen, Setting, Tags, Trial, Turn, World, advance_midway,
    attempt_budget, emulate, restart,
};
use brownout_vm::{Image, Machine, Moment, Observer, Stop};

use crate::signs::InputSigns;
use crate::wording;
use position::Position;
use record::{AtCheckpoints, Execution, Overwritten};
use steps::{Steps, Surroundings, Twin};
use watch::{Beside, WatchList, compared};

/// Of an attempt that makes no progress, so many instructions are told.
const STUCK: u64 = 20_000;

/// What to replay, and what to show of it.
#[derive(Clone, Debug)]
pub struct ReplayRequest<'r> {
    /// The failure.
    pub id: ReplayId,
    /// The checkpoint policy.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'r [Range<u32>],
    /// Names of the objects to show; none means those concerned.
    pub names: &'r [String],
    /// What inputs are called, by number.
    pub inputs: &'r [String],
    /// What outputs are called, by number.
    pub outputs: &'r [String],
    /// Offsets of device registers, which [`ReplayId::resets_registers`] is about.
    pub registers: &'r [Range<u32>],
    /// Most instructions up to the checkpoint.
    pub limit: u64,
    /// Most instructions after it.
    pub reach: u64,
    /// Offsets whose contents may differ.
    pub ignored: &'r [Range<u32>],
    /// Those of them that are meant to: what follows from their contents may differ, too.
    pub meant: &'r [Range<u32>],
    /// What outputs mean to the world.
    pub tags: &'r Tags,
    /// Outputs that must not be made twice, by number.
    pub once: &'r [u32],
    /// Where execution goes on after a power failure.
    pub recovery: Recovery,
}

/// A replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// What happened.
    pub story: Story,
    /// How the end differs from the continuous execution.
    pub trial: Trial,
}

/// Replays one failure.
///
/// # Errors
/// If the id does not fit the program or its policy, or a name means nothing.
pub fn replay(image: &Image, request: &ReplayRequest<'_>) -> Result<Replayed, ReplayError> {
    let named = WatchList::named(image, request.names)?;
    let replayer = replayer(image, request)?;
    if request.names.is_empty() {
        replayer.tell(&replayer.choose())
    } else {
        replayer.tell(&named)
    }
}

/// How the end of a failure differs from the continuous execution, without what happened.
///
/// # Errors
/// If the id does not fit the program or its policy.
pub fn judge(image: &Image, request: &ReplayRequest<'_>) -> Result<Trial, ReplayError> {
    Ok(replayer(image, request)?.emulated.trial)
}

fn replayer<'r, 'i>(
    image: &'i Image,
    request: &'r ReplayRequest<'r>,
) -> Result<Replayer<'r, 'i>, ReplayError> {
    let reactive = matches!(request.exposure, Exposure::Anywhere { .. });
    if reactive != matches!(request.id.resume, ResumePoint::Instruction(_)) {
        return Err(ReplayError::WrongPolicy {
            id: Box::new(request.id.clone()),
        });
    }
    if request.id.resets_registers && request.registers.is_empty() {
        return Err(ReplayError::NoRegisters {
            id: Box::new(request.id.clone()),
        });
    }
    Replayer::new(image, request, Position::reach(image, request)?)
}

/// The outputs that were made.
#[derive(Default)]
struct Made {
    /// By number, with the operation and the arguments.
    outputs: Vec<(u32, u32, Vec<u64>)>,
    /// Whether a checkpoint ends it.
    stops_at_checkpoints: bool,
}

impl Observer for Made {
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.outputs.push((index, at.pc, args.to_vec()));
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        match self.stops_at_checkpoints {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// How many instructions an execution needs to get as far; one that comes to an end does so by itself.
fn budget(reached: Reached) -> u64 {
    match reached.halt {
        Halt::Stop => reached.instructions.saturating_add(LONGEST_REGION),
        Halt::Commit | Halt::Rest => reached.instructions,
    }
}

/// An attempt, told, and its machine.
struct Told<'w, 'i> {
    execution: Execution<'w, 'i>,
    steps: Vec<Step>,
    left_out: u64,
    /// Where it left the path of the continuous execution.
    branch: Option<SourcePlace>,
}

struct Replayer<'r, 'i> {
    image: &'i Image,
    request: &'r ReplayRequest<'r>,
    position: Position<'i>,
    at_checkpoints: AtCheckpoints,
    /// Instructions from the machine's position to the failure of each attempt but the last.
    distances: Vec<u64>,
    /// What it does.
    emulated: Emulated,
    /// What inputs give, if not what the scenario says.
    readings: Option<Readings>,
    signs: InputSigns,
}

impl<'r, 'i> Replayer<'r, 'i> {
    fn new(
        image: &'i Image,
        request: &'r ReplayRequest<'r>,
        position: Position<'i>,
    ) -> Result<Self, ReplayError> {
        let id = &request.id;
        let depth = match request.exposure {
            Exposure::Region => None,
            Exposure::Anywhere { depth } => Some(depth.saturating_add(1)),
            Exposure::SinceCall { depth } => Some(depth),
        };
        let too_late = |length: u64| ReplayError::FailureTooLate {
            distance: id.distance,
            length,
        };
        let farthest = id.distances().max();
        if let Some(length) = depth.filter(|&length| farthest > Some(length)) {
            return Err(too_late(length));
        }
        let setting = Setting {
            exposure: request.exposure,
            saved: request.saved,
            failures: id.failures(),
            jobs: 1,
            // Stores are looked at if one of them is torn.
            atomic_write: id.torn.map(|_| 1),
            horizon: Horizon {
                limit: position
                    .time
                    .saturating_add(request.reach)
                    .min(request.limit),
                is_end: false,
            },
            ignored: request.ignored,
            meant: request.meant,
            tags: request.tags,
        };
        let asked = PowerFailure {
            checkpoint: position.time,
            failure: position.time.saturating_add(id.distance),
            failures: id.failures(),
            again: id.further.first().copied(),
            torn: id.torn,
        };
        let readings = id.inputs.as_ref().map(Readings::new);
        let world = World {
            readings: readings.as_ref(),
            cleared: &position.cleared,
        };
        let emulated = match request.recovery {
            Recovery::Checkpoint | Recovery::Task => {
                emulate(image, setting, asked, &id.further, world)
            }
            Recovery::Restart if id.further.len() > 1 => Err(Miss::TooOften),
            Recovery::Restart => restart::emulate(image, setting, asked, request.limit),
        };
        let emulated = emulated.map_err(|miss| match miss {
            Miss::TooLate(end) => too_late(end.saturating_sub(position.time)),
            Miss::TooOften => ReplayError::TooOften {
                id: Box::new(id.clone()),
            },
            Miss::NotTorn(size) => ReplayError::NotTorn {
                id: Box::new(id.clone()),
                size,
            },
        })?;
        let at_checkpoints = match (request.exposure, emulated.trial.seen) {
            _ if request.recovery == Recovery::Restart => AtCheckpoints::Pass,
            (Exposure::Region, Seen::AtItsEnd) => AtCheckpoints::Stop,
            (Exposure::Region, _) => AtCheckpoints::GoOn,
            (Exposure::Anywhere { .. } | Exposure::SinceCall { .. }, _) => AtCheckpoints::Pass,
        };
        // Instructions without an operation of their own may have passed already.
        let passed = position.machine.now().saturating_sub(position.time);
        let distances = id
            .distances()
            .map(|distance| distance.saturating_sub(passed));
        Ok(Self {
            image,
            request,
            at_checkpoints,
            distances: distances.collect(),
            emulated,
            position,
            readings,
            signs: InputSigns::new(image),
        })
    }

    fn trial(&self) -> &Trial {
        &self.emulated.trial
    }

    fn execution<'w>(
        &self,
        machine: Machine<'i>,
        watches: &'w WatchList<'i>,
        budget: u64,
    ) -> Execution<'w, 'i> {
        let calls = self.position.calls.clone();
        Execution::new(machine, calls, watches, self.at_checkpoints, budget)
    }

    /// The continuous execution, at the checkpoint.
    fn continuous<'w>(&self, watches: &'w WatchList<'i>) -> Execution<'w, 'i> {
        let budget = match self.at_checkpoints {
            AtCheckpoints::Stop => LONGEST_REGION,
            AtCheckpoints::Pass | AtCheckpoints::GoOn => budget(self.trial().continuous),
        };
        let mut machine = self.position.machine.clone();
        self.read(&mut machine, Turn::Last);
        if let Some(quiet) = self.emulated.quiet {
            machine.advance(quiet);
            machine.fail_power();
        }
        self.begin_readings(&mut machine);
        if self.readings.is_some() {
            machine.begin_readings(Arc::clone(&self.emulated.readings));
        }
        self.execution(machine, watches, budget)
    }

    /// How many instructions the last attempt may take.
    fn last_budget(&self) -> u64 {
        let trial = self.trial();
        let budget = match self.at_checkpoints {
            AtCheckpoints::Stop => attempt_budget(trial.continuous.instructions),
            AtCheckpoints::Pass | AtCheckpoints::GoOn => budget(trial.intermittent),
        };
        let is_stuck =
            |difference: &Difference| matches!(difference, Difference::NoProgress { .. });
        match trial.differences().iter().any(is_stuck) {
            true => budget.min(STUCK),
            false => budget,
        }
    }

    /// The objects concerned: those that differ at the end, then registers that are lost, then what is
    /// overwritten after it was read.
    fn choose(&self) -> WatchList<'i> {
        let differences = self.trial().differences().iter();
        let differing = differences.filter_map(|difference| match difference {
            Difference::Value { part, offset, .. } => Some((*part, Some(*offset))),
            Difference::Path { .. }
            | Difference::Output { .. }
            | Difference::Lost { .. }
            | Difference::Crash { .. }
            | Difference::Broken { .. }
            | Difference::NoProgress { .. } => None,
        });
        let nothing = WatchList::empty(self.image);
        let lost = self.lost(&nothing).into_iter();
        let overwritten = self.overwritten(&nothing).into_iter();
        let others = lost.chain(overwritten).map(|part| (part, None));
        WatchList::chosen(self.image, differing.chain(others))
    }

    /// Registers that hold something at the checkpoint, and lose it.
    fn lost(&self, nothing: &WatchList<'i>) -> Vec<Part> {
        let memory = self.position.machine.memory();
        let cleared = self.position.cleared.iter();
        let holding = cleared.filter(|register| {
            let mut offsets = (*register).clone();
            offsets.any(|at| memory.get(at as usize) != Some(&self.image.after_reset(at)))
        });
        holding
            .map(|register| nothing.objects.scalar(register.start, None))
            .collect()
    }

    /// What the first attempt reads and then overwrites.
    fn overwritten(&self, nothing: &WatchList<'i>) -> Vec<Part> {
        let mut machine = self.position.machine.clone();
        self.read(&mut machine, Turn::Failing(0));
        let mut observer = Overwritten::new(
            self.image,
            &nothing.objects,
            &self.position.saves,
            self.position.calls.clone(),
            machine.memory().len(),
        );
        let distance = self.distances.first().copied().unwrap_or_default();
        let until = machine.now().saturating_add(distance);
        machine.watch(&mut observer, until);
        observer.parts
    }

    /// The whole story, with these objects in it.
    fn tell(&self, watches: &WatchList<'i>) -> Result<Replayed, ReplayError> {
        let mut reference = self.continuous(watches);
        reference.finish();
        let mut machine = self.position.machine.clone();
        machine.commit(&self.position.saves);
        let mut attempts = Vec::new();
        let mut last = None;
        for (number, &distance) in (0..).zip(&self.distances) {
            self.read(&mut machine, Turn::Failing(number));
            let execution = self.execution(machine.clone(), watches, distance);
            let told = self.attempt(execution, watches, Turn::Failing(number));
            if told.execution.is_finished() {
                // An attempt that gets through before power can fail again is the last one.
                if !self.reads_the_same(Turn::Failing(number)) {
                    return Err(ReplayError::GotThrough {
                        id: Box::new(self.request.id.clone()),
                        attempt: number + 1,
                    });
                }
                last = Some(told);
                break;
            }
            let (attempt, failed) = self.fail(told, watches, number);
            attempts.push(attempt);
            machine = failed;
        }
        let last = last.unwrap_or_else(|| {
            self.read(&mut machine, Turn::Last);
            let execution = self.execution(machine, watches, self.last_budget());
            self.attempt(execution, watches, Turn::Last)
        });
        let mut effects = self.effects(&last, watches);
        if effects.is_empty() {
            effects = self.surroundings(&reference.machine);
        }
        effects.extend(self.made_again());
        attempts.push(self.finished(last, watches, &reference));
        Ok(Replayed {
            story: self.story(watches, attempts, effects),
            trial: self.trial().clone(),
        })
    }

    /// What outputs that were made more than once do to the world, when the device itself is as it
    /// should be. In the attempts above it is put back, so that inputs give the same.
    fn surroundings(&self, continuous: &Machine<'_>) -> Vec<Effect> {
        let mut machine = self.position.machine.clone();
        machine.commit(&self.position.saves);
        for (number, &distance) in (0..).zip(&self.distances) {
            self.read(&mut machine, Turn::Failing(number));
            let failure = machine.now().saturating_add(distance);
            let environment = advance_midway(&mut machine, self.image, failure);
            machine.fail_power();
            machine.set_environment(&environment);
            self.begin_readings(&mut machine);
        }
        self.read(&mut machine, Turn::Last);
        let length = self.trial().intermittent.instructions;
        machine.advance(machine.now().saturating_add(length));
        wording::surroundings(continuous, &machine)
    }

    /// Outputs that must not be made twice, and are.
    fn made_again(&self) -> Vec<Effect> {
        let mut machine = self.position.machine.clone();
        machine.commit(&self.position.saves);
        let Some(&distance) = self
            .distances
            .first()
            .filter(|_| !self.request.once.is_empty())
        else {
            return Vec::new();
        };
        self.read(&mut machine, Turn::Failing(0));
        let failure = machine.now().saturating_add(distance);
        let mut made = Made::default();
        machine.watch(&mut made, failure);
        machine.fail_power();
        self.begin_readings(&mut machine);
        self.read(&mut machine, Turn::Last);
        let mut again = Made {
            stops_at_checkpoints: self.request.exposure == Exposure::Region,
            ..Made::default()
        };
        let until = machine.now().saturating_add(self.last_budget());
        machine.watch(&mut again, until);
        let is_again = |output: u32, pc: u32| match self.request.recovery {
            Recovery::Checkpoint | Recovery::Task => again
                .outputs
                .iter()
                .any(|&(other, at, _)| (other, at) == (output, pc)),
            Recovery::Restart => {
                restart::repeats(self.image, (failure, output), self.request.limit)
            }
        };
        let mut told = BTreeSet::new();
        let twice = made.outputs.iter().rev().filter(|(output, pc, _)| {
            self.request.once.contains(output) && told.insert(*output) && is_again(*output, *pc)
        });
        let effect = |(output, _, args): &(u32, u32, Vec<u64>)| Effect::Output {
            output: Outlet::Named(
                self.request
                    .outputs
                    .get(*output as usize)
                    .cloned()
                    .unwrap_or_default(),
            ),
            change: OutputChange::Added {
                intermittent: wording::arguments(self.image, *output, args),
            },
        };
        twice.map(effect).collect()
    }

    /// Whether an attempt reads what the continuous execution reads.
    fn reads_the_same(&self, turn: Turn) -> bool {
        let readings = self.readings.as_ref();
        readings.is_none_or(|readings| readings.of(turn) == readings.of(Turn::Last))
    }

    /// Inputs give what they give in this turn.
    fn read(&self, machine: &mut Machine<'_>, turn: Turn) {
        if let Some(readings) = &self.readings {
            machine.force_inputs(readings.of(turn));
        }
    }

    /// Wherever the continuous execution asks as well, inputs give the same (SEMANTICS §2), unless
    /// they were chosen.
    fn begin_readings(&self, machine: &mut Machine<'_>) {
        if self.emulated.quiet.is_some() {
            machine.begin_boot(Arc::clone(&self.emulated.readings));
        } else if self.readings.is_none() {
            machine.begin_readings(Arc::clone(&self.emulated.readings));
            machine.replay_inputs(&self.emulated.read);
            machine.give_interrupts();
        } else {
            // Chosen values are numbered from the checkpoint on.
            machine.replay_inputs(self.position.machine.inputs_read());
        }
    }

    /// The differences in words.
    fn effects(&self, told: &Told<'_, 'i>, watches: &WatchList<'i>) -> Vec<Effect> {
        let differences = self.trial().differences();
        let when = self.trial().when();
        let branch = told.branch.as_ref();
        wording::worth_telling(self.image, differences)
            .flat_map(|difference| {
                wording::effects(self.image, &watches.objects, difference, branch, when)
            })
            .collect()
    }

    fn story(
        &self,
        watches: &WatchList<'i>,
        attempts: Vec<Attempt>,
        effects: Vec<Effect>,
    ) -> Story {
        let position = &self.position;
        Story {
            id: self.request.id.clone(),
            checkpoint: position.pc.and_then(|pc| wording::place(self.image, pc)),
            values: watches.values(
                (position.machine.memory(), &position.calls),
                Beside::Itself,
                position,
            ),
            attempts,
            effects,
        }
    }

    /// Runs an attempt to its end, beside the continuous execution.
    fn attempt<'w>(
        &self,
        mut execution: Execution<'w, 'i>,
        watches: &'w WatchList<'i>,
        turn: Turn,
    ) -> Told<'w, 'i> {
        // The first attempt is the continuous execution up to the failure, if it reads the same.
        let (is_first, is_same) = (turn == Turn::Failing(0), self.reads_the_same(turn));
        let mut continuous = (!is_first && is_same).then(|| self.continuous(watches));
        let surroundings = Surroundings {
            inputs: self.request.inputs,
            outputs: self.request.outputs,
            signs: &self.signs,
        };
        let mut steps = Steps::default();
        let mut branch = None;
        while execution.ended().is_none() {
            execution.step();
            if let Some(other) = &mut continuous {
                other.step();
            }
            let (twin, beside) = match &continuous {
                Some(other) => (
                    Twin::Events(&other.recorder.events),
                    Beside::Other(other.machine.memory(), &other.recorder.calls),
                ),
                None if is_first && is_same => (Twin::Itself, Beside::Itself),
                None => (Twin::Nobody, Beside::Nobody),
            };
            let here = (execution.machine.memory(), &execution.recorder.calls);
            let values = || watches.values(here, beside, &self.position);
            let events = &execution.recorder.events;
            steps.add(watches, self.image, surroundings, events, twin, &values);
            let Some(other) = &continuous else { continue };
            if execution.ended().is_none() && other.machine.pc() != execution.machine.pc() {
                let (pc, step) = self.departure(&execution, other, values());
                branch.clone_from(&step.place);
                steps.depart(pc, step);
                continuous = None;
            } else if other.ended().is_some() {
                continuous = None;
            }
        }
        let (steps, left_out) = steps.finish();
        Told {
            execution,
            steps,
            left_out,
            branch,
        }
    }

    /// The step after which the two executions are at different operations.
    fn departure(
        &self,
        execution: &Execution<'_, 'i>,
        other: &Execution<'_, 'i>,
        values: Vec<Watched>,
    ) -> (u32, Step) {
        let next = |execution: &Execution<'_, 'i>| {
            let pc = execution.recorder.calls.blame(execution.machine.pc());
            wording::place(self.image, pc)
        };
        let pc = execution.last.unwrap_or_default();
        let step = Step {
            action: Action::Departure {
                continuous: next(other),
                intermittent: next(execution),
            },
            place: wording::place(self.image, pc),
            values,
            again: None,
        };
        (pc, step)
    }

    /// Power fails, and the checkpoint is restored.
    fn fail(
        &self,
        told: Told<'_, 'i>,
        watches: &WatchList<'i>,
        number: u32,
    ) -> (Attempt, Machine<'i>) {
        let position = &self.position;
        let midway = told.execution.midway();
        let mut machine = told.execution.machine;
        let tear = self.emulated.tear.as_ref().filter(|_| number == 0);
        if let Some(tear) = tear {
            tear.apply(&mut machine);
        }
        let amid = match (tear, midway) {
            (Some(tear), _) => Some(Amid::Store {
                torn: tear.torn,
                size: tear.size,
            }),
            (None, Some(midway)) => Some(Amid::Output {
                done: midway.done,
                takes: midway.takes,
            }),
            (None, None) => None,
        };
        machine.fail_power();
        self.begin_readings(&mut machine);
        let values = watches.values(
            (machine.memory(), &position.calls),
            Beside::Other(position.machine.memory(), &position.calls),
            position,
        );
        let last = told.execution.last.or(position.pc);
        let attempt = Attempt {
            steps: told.steps,
            left_out: told.left_out,
            ending: Ending::PowerFailure { amid },
            place: last.and_then(|pc| wording::place(self.image, pc)),
            values,
        };
        (attempt, machine)
    }

    /// The last attempt.
    fn finished(
        &self,
        told: Told<'_, 'i>,
        watches: &WatchList<'i>,
        reference: &Execution<'_, 'i>,
    ) -> Attempt {
        let execution = &told.execution;
        let values = watches.values(
            (execution.machine.memory(), &execution.recorder.calls),
            Beside::Other(reference.machine.memory(), &reference.recorder.calls),
            &self.position,
        );
        let ending = match execution.ended() {
            Some(Stop::Faulted(fault)) => Ending::Crashed {
                crash: wording::crash(fault),
                message: fault.to_string(),
                also_continuous: if reference.ended() == execution.ended() {
                    AlsoContinuous::Yes
                } else {
                    AlsoContinuous::No
                },
            },
            Some(Stop::Exited { status }) => {
                let other = match reference.ended() {
                    Some(Stop::Exited { status }) => Some(status.to_string()),
                    _ => None,
                };
                Ending::Exited {
                    status: compared(status.to_string(), other),
                }
            }
            Some(Stop::Paused) | None => match (self.trial().seen, self.at_checkpoints) {
                (Seen::WhereTheyMeet, _) => Ending::Met,
                (Seen::Afterwards, _) => Ending::Followed,
                (Seen::AtItsEnd, _) if execution.recorder.committed.is_some() => Ending::Committed,
                (Seen::AtItsEnd, AtCheckpoints::Stop) => Ending::GivenUp {
                    budget: self.last_budget(),
                },
                (Seen::AtItsEnd, AtCheckpoints::Pass | AtCheckpoints::GoOn) => Ending::WindowOver,
            },
        };
        let place = execution.last;
        Attempt {
            place: place.and_then(|pc| wording::place(self.image, pc)),
            steps: told.steps,
            left_out: told.left_out,
            ending,
            values,
        }
    }
}
