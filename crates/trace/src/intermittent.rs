//! One execution with power failures at moments that somebody chose, as hand-made validation does it
//! (OOPSLA'19 §5), and how it differs from the continuous one.
//!
//! **What is kept.** What attempts read and write that power failures undo does not count: a
//! continuous execution is given the readings of the attempts that committed, and has to write the
//! same text, make the same outputs, and leave the same in non-volatile memory and surroundings.
//!
//! **Policies.** Under `static` and `tasks` every checkpoint commits. Under `conditional` those do
//! that are at most the execution depth in front of a failure. Under `reactive` the device commits
//! once, the execution depth in front of the failure, or when the supply warns; if power does not
//! last as long, it goes back to the commit before.

mod every_write;
mod schedule;

pub use every_write::{EveryWrite, every_write};
pub use schedule::{Line, Rhythm, Schedule};

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use brownout_diag::{Effect, SourcePlace, When};
use brownout_explore::{Difference, Exposure, Monitor, Objects, user_operation, watch};
use brownout_scenario::Occasion;
use brownout_vm::{
    Both, Bounds, Forced, Image, Machine, Moment, Observer, SegmentKind, Stop, Stream, Witness,
};

use crate::wording;
use schedule::{Outage, Progress};

/// How many instructions are executed between two looks at the monitor.
const SLICE: u64 = 20_000_000;

/// After how many failures in a row without a commit there is no progress any more.
const STUCK: u64 = 1000;

/// How many failures are remembered.
const REMEMBERED: usize = 1000;

/// How many differences are told.
const TOLD: usize = 20;

/// The device, and when power fails.
#[derive(Clone, Debug)]
pub struct Outages<'r> {
    /// The checkpoint policy.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'r [Range<u32>],
    /// When power fails.
    pub schedule: Schedule,
    /// Most instructions.
    pub limit: u64,
    /// What counts when executions are compared.
    pub compared: Arc<Compared>,
}

/// What counts when executions are compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Offsets whose contents may differ.
    pub ignored: Vec<Range<u32>>,
    /// Whether outputs do not count, and what they change in the environment.
    pub without_outputs: bool,
}

impl Compared {
    fn ignores(&self, offset: u32) -> bool {
        self.ignored.iter().any(|range| range.contains(&offset))
    }
}

/// A power failure that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// After how many instructions.
    pub time: u64,
    /// What would have been executed next.
    pub place: Option<SourcePlace>,
    /// Where execution went on: what the device had committed last, if anything.
    pub resumed: Option<SourcePlace>,
    /// How much of the last write was done, if it was not all of it.
    pub torn: Option<Torn>,
}

/// A write that power failed inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Torn {
    /// Bytes that were written.
    pub bytes: u32,
    /// Bytes that were to be written.
    pub of: u32,
}

/// An execution with power failures.
pub struct Ran<'i> {
    /// The machine at the end.
    pub machine: Machine<'i>,
    /// How it ended; paused if it was stopped.
    pub stop: Stop,
    /// The first power failures, in order.
    pub failures: Vec<Failed>,
    /// How many there were.
    pub failed: u64,
    /// Whether it was given up because power failed again and again before the next commit.
    pub stuck: bool,
    /// How often it committed.
    pub commits: u64,
    /// Instructions that power failures undid.
    pub lost: u64,
    /// What has to hold and did not.
    pub broken: Vec<Broken>,
    kept: Kept,
    compared: Arc<Compared>,
}

/// An invariant that did not hold, for the first time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The condition.
    pub expression: String,
    /// After how many instructions.
    pub time: u64,
    /// Where the program was.
    pub place: Option<SourcePlace>,
}

/// What an execution reads and writes, as far as it was not undone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Kept {
    readings: Vec<Vec<u64>>,
    text: Vec<u8>,
}

impl Kept {
    fn new(image: &Image) -> Self {
        Self {
            readings: vec![Vec::new(); image.bindings().inputs.len()],
            text: Vec::new(),
        }
    }

    /// How much there is.
    fn lengths(&self) -> (Vec<usize>, usize) {
        (
            self.readings.iter().map(Vec::len).collect(),
            self.text.len(),
        )
    }

    fn truncate(&mut self, (readings, text): &(Vec<usize>, usize)) {
        for (reading, &length) in self.readings.iter_mut().zip(readings) {
            reading.truncate(length);
        }
        self.text.truncate(*text);
    }
}

/// Keeps what is read and written; pauses at checkpoints.
#[derive(Clone)]
struct Recorder<'i> {
    image: &'i Image,
    kept: Kept,
    compared: Arc<Compared>,
    pauses: bool,
    /// The checkpoint that it paused at, and what that saves.
    checkpoint: Option<Vec<Range<u32>>>,
}

impl Observer for Recorder<'_> {
    fn checkpoint(&mut self, _: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if !self.pauses {
            return ControlFlow::Continue(());
        }
        let ranges = saves.iter().map(|&(offset, size)| offset..offset + size);
        self.checkpoint = Some(ranges.collect());
        ControlFlow::Break(())
    }

    fn input(&mut self, _: Moment, index: u32, value: u64) {
        self.kept.readings[index as usize].push(value);
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        if self.compared.without_outputs {
            return;
        }
        let text = self.image.output_text(index, args);
        self.kept.text.extend_from_slice(text.as_bytes());
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.kept.text.extend_from_slice(bytes);
    }
}

/// Executes a program with power failures. What it writes goes to `text`; `witness` sees everything.
pub fn intermittent<'i>(
    image: &'i Image,
    outages: Outages<'_>,
    text: &mut dyn Observer,
    witness: &mut dyn Witness,
    monitor: &dyn Monitor,
) -> Ran<'i> {
    let mut execution = Execution::new(image, &outages);
    if outages.schedule.is_empty() {
        execution.machine.set_bounds(Bounds::Strict);
    }
    let (mut failures, mut failed, mut lost, mut in_vain) = (Vec::new(), 0, 0, 0);
    let mut schedule = outages.schedule;
    let mut progress = Progress::Some;
    let stop = loop {
        let outage = schedule.next(&execution.machine, progress, outages.limit);
        let commits = execution.commits;
        match execution.until(outage, text, witness, monitor) {
            Some(stop) => break stop,
            None => {
                lost += execution.machine.now() - execution.committed.time;
                let failure = execution.fail();
                if failures.len() < REMEMBERED {
                    failures.push(failure);
                }
                failed += 1;
                witness.restarted();
            }
        }
        (progress, in_vain) = match execution.commits == commits {
            true => (Progress::None, in_vain + 1),
            false => (Progress::Some, 0),
        };
        if in_vain == STUCK {
            break Stop::Paused;
        }
    };
    if matches!(stop, Stop::Exited { .. }) {
        execution.hold(Occasion::Exit);
    }
    Ran {
        failures,
        failed,
        stuck: in_vain == STUCK,
        lost,
        ..execution.ran(stop)
    }
}

/// The last commit, or the start.
#[derive(Clone)]
struct Committed {
    place: Option<SourcePlace>,
    time: u64,
    lengths: (Vec<usize>, usize),
}

#[derive(Clone)]
struct Execution<'i, 'r> {
    machine: Machine<'i>,
    recorder: Recorder<'i>,
    exposure: Exposure,
    saved: &'r [Range<u32>],
    limit: u64,
    committed: Committed,
    commits: u64,
    /// By number of the invariant.
    broken: BTreeMap<u32, Broken>,
}

impl<'i, 'r> Execution<'i, 'r> {
    /// One that has not begun.
    fn new(image: &'i Image, outages: &Outages<'r>) -> Self {
        let mut machine = Machine::new(image);
        // What heap blocks were is not known any more to a program that starts again.
        machine.set_bounds(Bounds::Lenient);
        machine.keep_journal(true);
        Self {
            machine,
            recorder: Recorder {
                image,
                kept: Kept::new(image),
                compared: Arc::clone(&outages.compared),
                pauses: !matches!(outages.exposure, Exposure::Anywhere { .. }),
                checkpoint: None,
            },
            exposure: outages.exposure,
            saved: outages.saved,
            limit: outages.limit,
            committed: Committed {
                place: None,
                time: 0,
                lengths: Kept::new(image).lengths(),
            },
            commits: 0,
            broken: BTreeMap::new(),
        }
    }

    /// What it came to, without what its power failures did.
    fn ran(self, stop: Stop) -> Ran<'i> {
        Ran {
            broken: self.broken.into_values().collect(),
            machine: self.machine,
            stop,
            failures: Vec::new(),
            failed: 0,
            stuck: false,
            commits: self.commits,
            lost: 0,
            kept: self.recorder.kept,
            compared: self.recorder.compared,
        }
    }

    /// Goes on until the outage. Says how the execution ended if it did before.
    fn until(
        &mut self,
        outage: Option<Outage>,
        text: &mut dyn Observer,
        witness: &mut dyn Witness,
        monitor: &dyn Monitor,
    ) -> Option<Stop> {
        let begun = self.machine.now();
        let end = outage.map_or(u64::MAX, |outage| outage.at);
        let mut warning = match self.exposure {
            Exposure::Anywhere { depth } => outage.and_then(|outage| {
                let depth_before = outage.at.checked_sub(depth);
                outage.warning.or(depth_before).filter(|&at| at >= begun)
            }),
            _ => None,
        };
        loop {
            let now = self.machine.now();
            if warning.is_some_and(|warning| now >= warning) {
                warning = None;
                self.commit(&[], witness);
            }
            if now >= end {
                return None;
            }
            if now >= self.limit || monitor.is_interrupted() {
                return Some(Stop::Paused);
            }
            let until = now.saturating_add(SLICE).min(end).min(self.limit);
            let mut ours = Both {
                first: text,
                second: &mut self.recorder,
            };
            let mut both = Both {
                first: witness,
                second: &mut ours,
            };
            let stop = self
                .machine
                .watch(&mut both, until.min(warning.unwrap_or(until)));
            if let Some(saves) = self.recorder.checkpoint.take() {
                self.hold(Occasion::Checkpoint);
                let commits = match self.exposure {
                    Exposure::SinceCall { depth } => {
                        end.saturating_sub(self.machine.now()) <= depth
                    }
                    _ => true,
                };
                if commits {
                    self.commit(&saves, witness);
                }
            }
            if stop != Stop::Paused {
                return Some(stop);
            }
        }
    }

    fn commit(&mut self, saves: &[Range<u32>], witness: &mut dyn Witness) {
        let saves: Vec<Range<u32>> = self.saved.iter().chain(saves).cloned().collect();
        // What was undone before is history.
        self.machine.forget();
        self.machine.commit(&saves);
        self.commits += 1;
        self.committed = Committed {
            place: self.place(),
            time: self.machine.now(),
            lengths: self.recorder.kept.lengths(),
        };
        witness.committed(&saves);
    }

    /// Notes what has to hold here and does not.
    fn hold(&mut self, occasion: Occasion) {
        for number in self.machine.broken(occasion) {
            let invariant = self
                .recorder
                .image
                .bindings()
                .invariants
                .get(number as usize);
            let broken = Broken {
                expression: invariant.map_or_else(String::new, |invariant| invariant.text.clone()),
                time: self.machine.now(),
                place: self.place(),
            };
            self.broken.entry(number).or_insert(broken);
        }
    }

    fn fail(&mut self) -> Failed {
        let failed = Failed {
            time: self.machine.now(),
            place: self.place(),
            resumed: self.committed.place.clone(),
            torn: None,
        };
        self.machine.fail_power();
        self.recorder.kept.truncate(&self.committed.lengths);
        self.committed.time = self.machine.now();
        failed
    }

    fn place(&self) -> Option<SourcePlace> {
        wording::place(
            self.recorder.image,
            user_operation(self.recorder.image, &self.machine),
        )
    }
}

/// How an execution with power failures and the continuous one that read the same differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// All there is; nothing means that power failures made no difference.
    pub effects: Vec<Effect>,
    /// How many there are beyond those.
    pub more: usize,
    /// How the continuous execution ended; paused if it was stopped.
    pub stop: Stop,
    /// Instructions of the continuous execution.
    pub instructions: u64,
}

/// A continuous execution with readings that were given to it.
struct Continuous<'i> {
    machine: Machine<'i>,
    kept: Kept,
    stop: Stop,
    given: Vec<Vec<u64>>,
}

impl Continuous<'_> {
    /// Whether it was given what an execution has read.
    fn read_like(&self, kept: &Kept) -> bool {
        self.given == kept.readings
    }
}

impl<'i> Ran<'i> {
    /// Executes the program continuously with the readings that were kept, and compares.
    pub fn compare(&self, limit: u64, monitor: &dyn Monitor) -> Comparison {
        self.compare_with(&self.continuous(limit, monitor))
    }

    fn compare_with(&self, continuous: &Continuous<'_>) -> Comparison {
        let Continuous {
            machine,
            kept,
            stop,
            ..
        } = continuous;
        let mut effects = self.differences(machine, kept, stop);
        let more = effects.len().saturating_sub(TOLD);
        effects.truncate(TOLD);
        Comparison {
            effects,
            more,
            stop: stop.clone(),
            instructions: machine.now(),
        }
    }

    /// Executes the program continuously with the readings that were kept.
    fn continuous(&self, limit: u64, monitor: &dyn Monitor) -> Continuous<'i> {
        let image = self.machine.image();
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        let readings = self.kept.readings.iter().map(|values| Forced {
            from: 0,
            values: values.clone(),
            ..Forced::default()
        });
        machine.force_inputs(readings.collect::<Arc<[Forced]>>());
        let mut recorder = Recorder {
            image,
            kept: Kept::new(image),
            compared: Arc::clone(&self.compared),
            pauses: false,
            checkpoint: None,
        };
        let stop = watch(&mut machine, &mut recorder, limit, monitor).unwrap_or(Stop::Paused);
        Continuous {
            machine,
            kept: recorder.kept,
            stop,
            given: self.kept.readings.clone(),
        }
    }

    fn differences(&self, continuous: &Machine<'_>, kept: &Kept, stop: &Stop) -> Vec<Effect> {
        let image = self.machine.image();
        let objects = Objects::new(image);
        let mut differences = Vec::new();
        match (stop, &self.stop) {
            (continuous, intermittent) if continuous == intermittent => {}
            (_, Stop::Faulted(fault)) => differences.push(Difference::Crash {
                fault: fault.clone(),
                pc: user_operation(image, &self.machine),
            }),
            (Stop::Exited { status: one }, Stop::Exited { status: other }) => {
                differences.push(Difference::exit_status(*one, *other));
            }
            (_, _) => differences.push(Difference::Path {
                continuous: continuous.pc(),
                intermittent: self.machine.pc(),
            }),
        }
        if kept.text != self.kept.text {
            differences.push(Difference::Output {
                continuous: kept.text.clone(),
                intermittent: self.kept.text.clone(),
                unexpected: Vec::new(),
                lost: Vec::new(),
            });
        }
        differences.extend(values(&objects, continuous, &self.machine, &self.compared));
        let mut effects: Vec<Effect> = differences
            .iter()
            .flat_map(|difference| {
                wording::effects(image, &objects, difference, None, When::ProgramEnd)
            })
            .collect();
        if !self.compared.without_outputs {
            effects.extend(wording::surroundings(continuous, &self.machine));
        }
        effects
    }
}

/// Non-volatile globals that differ.
fn values(
    objects: &Objects<'_>,
    continuous: &Machine<'_>,
    intermittent: &Machine<'_>,
    compared: &Compared,
) -> Vec<Difference> {
    let (one, other) = (continuous.memory(), intermittent.memory());
    let segments = intermittent.image().layout().segments();
    let segments = segments
        .iter()
        .filter(|segment| segment.nonvolatile && segment.kind == SegmentKind::Globals);
    let mut differences = Vec::new();
    for segment in segments {
        let mut offset = segment.offsets.start;
        while offset < segment.offsets.end {
            if one[offset as usize] == other[offset as usize] || compared.ignores(offset) {
                offset += 1;
                continue;
            }
            let part = objects.scalar(offset, None);
            let inside = objects.inside(offset, None).saturating_sub(part.start) as u32;
            let start = offset - inside.min(offset);
            let end = (start + (part.end - part.start) as u32).max(offset + 1);
            differences.push(Difference::Value {
                part,
                offset: start,
                continuous: one[start as usize..end as usize].to_vec(),
                intermittent: other[start as usize..end as usize].to_vec(),
            });
            offset = end;
        }
    }
    differences
}
