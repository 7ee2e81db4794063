//! Walks over a program once and emulates power failures on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use brownout_vm::{Bounds, Image, Machine, Mark, Moment, Observer, Reboot};

use super::attempt::{Failing, Path};
use super::emissions::Tags;
use super::exposed::{Exposed, Tearing, Writing};
use super::future::Future;
use super::heap::Blocks;
use super::known::{Known, Manner};
use super::own::can_wait;
use super::reference::KnownRegion;
use super::region::Region;
use super::stores;
use super::{
    Difference, DifferenceKind, Emulated, Evaluation, Explored, Harm, Miss, Outcome, PowerFailure,
    Setting, Tear, Test, Trial, World,
};
use crate::calls::{Calls, follow_calls};
use crate::monitor::Monitor;
use crate::objects::Objects;
use crate::readings::{Readings, Turn};
use brownout_scenario::Exposure;

pub(super) struct Explorer<'i> {
    pub(super) image: &'i Image,
    exposure: Exposure,
    pub(super) saved: Vec<Range<u32>>,
    pub(super) failures: u32,
    atomic_write: Option<u32>,
    pub(super) machine: Machine<'i>,
    pub(super) objects: Objects<'i>,
    pub(super) calls: Calls<'i>,
    pub(super) exposed: Exposed,
    /// The blocks at the start of the region.
    pub(super) blocks: Blocks,
    /// What becomes of bytes in the continuous execution.
    pub(super) future: Future,
    /// What is not compared.
    pub(super) ignored: Vec<Range<u32>>,
    /// Those of them that are meant to differ.
    pub(super) meant: Vec<Range<u32>>,
    /// Outputs that may get lost.
    pub(super) tags: Tags,
    /// Device registers that a failure clears, and whose contents count.
    pub(super) cleared: Vec<Range<u32>>,
    /// Where the last attempt began.
    pub(super) attempt_start: Mark,
    /// What failures of pairs are known to do, from earlier regions and from this one.
    known: Arc<Known>,
    known_here: Known,
    /// What inputs give, if not what the scenario says.
    pub(super) readings: Option<Readings>,
    /// Whether what differs is followed to places where it may have healed.
    pub(super) is_patient: bool,
    /// Whether what differs is looked at again later on, where more may differ.
    pub(super) looks_later: bool,
    /// Whether what is meant to change is as it was when the last attempt begins.
    pub(super) puts_back: bool,
    /// What the last failure was seen to change only there, because registers differed before.
    pub(super) added: Vec<DifferenceKind>,
    /// The heads of loops that no path leaves, once somebody had to know.
    pub(super) endless: Option<Arc<BTreeSet<u32>>>,
    /// Instructions executed; those executed one by one count for more.
    pub(super) spent: u64,
}

impl<'i> Explorer<'i> {
    pub(super) fn new(image: &'i Image, setting: Setting<'_>) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        let tearing = match setting.atomic_write {
            None => Tearing::Never,
            Some(_) => Tearing::Possible,
        };
        Self {
            image,
            exposure: setting.exposure,
            saved: setting.saved.to_vec(),
            failures: setting.failures.max(1),
            attempt_start: machine.mark(),
            machine,
            objects: Objects::new(image),
            calls: Calls::new(image),
            exposed: Exposed::new(image, tearing),
            blocks: Blocks::default(),
            future: Future::new(setting.horizon),
            ignored: setting.ignored.to_vec(),
            meant: setting.meant.to_vec(),
            tags: setting.tags.clone(),
            cleared: Vec::new(),
            atomic_write: setting.atomic_write,
            known: Arc::default(),
            known_here: Known::default(),
            readings: None,
            is_patient: false,
            looks_later: false,
            puts_back: false,
            added: Vec::new(),
            endless: None,
            spent: 0,
        }
    }

    /// Inputs give what they give in this turn.
    pub(super) fn read(&mut self, turn: Turn) {
        if let Some(readings) = &self.readings {
            self.machine.force_inputs(readings.of(turn));
        }
    }

    /// The world around the processor.
    pub(super) fn surround(&mut self, world: World<'_>) {
        self.readings = world.readings.cloned();
        self.cleared = world.cleared.to_vec();
        self.machine.clear_at_failures(world.cleared);
    }

    /// Emulates tests that are sorted by region and failure.
    pub(super) fn evaluate(
        &mut self,
        part: &[(Region, Test)],
        monitor: &dyn Monitor,
    ) -> Vec<Evaluation> {
        let mut results = Vec::new();
        for group in part.chunk_by(|a, b| a.0 == b.0) {
            if monitor.is_interrupted() {
                break;
            }
            let Some(&(region, _)) = group.first() else {
                continue;
            };
            let Some(mut known) = self.enter(region) else {
                continue;
            };
            let writings: Vec<Writing> = std::mem::take(&mut self.exposed.writings);
            for same in group.chunk_by(|a, b| a.1.instance.produced == b.1.instance.produced) {
                let Some(&(_, first)) = same.first() else {
                    continue;
                };
                if monitor.is_interrupted() {
                    break;
                }
                let before = self.spent;
                let trial = self.own_trial(&mut known, &writings, first.instance.produced);
                let instructions = self.spent - before;
                monitor.advance(same.len() as u64);
                results.extend(same.iter().map(|&(_, test)| Evaluation {
                    test,
                    trial: trial.clone(),
                    instructions: instructions / same.len() as u64,
                }));
            }
            self.leave(&known);
        }
        results
    }

    /// Emulates every failure of `regions` that can matter, spending at most about `allowance`
    /// instructions on each of them. What is `known` is not looked at closely.
    pub(super) fn explore(
        &mut self,
        regions: &[Region],
        known: &Arc<Known>,
        allowance: u64,
        monitor: &dyn Monitor,
    ) -> Explored {
        self.known = Arc::clone(known);
        let mut explored = Explored {
            complete: true,
            ..Explored::default()
        };
        for &region in regions {
            if monitor.is_interrupted() {
                explored.complete = false;
                break;
            }
            let before = self.spent;
            let Some(mut known) = self.enter(region) else {
                continue;
            };
            explored.regions += 1;
            self.explore_region(&mut known, allowance, monitor, &mut explored);
            explored.instructions += self.spent - before;
            monitor.advance(1);
            self.leave(&known);
        }
        explored
    }

    fn explore_region(
        &mut self,
        known: &mut KnownRegion,
        allowance: u64,
        monitor: &dyn Monitor,
        explored: &mut Explored,
    ) {
        let writings: Vec<Writing> = std::mem::take(&mut self.exposed.writings);
        self.known_here = Known::default();
        let begun = self.spent;
        // What a failure right before the next write does, and right before the call of the library
        // that the last one belongs to.
        let (mut inherited, mut departed) = self.at_start(known);
        // What single checkpoints do not restore is a finding of its own.
        if self.image.bindings().reboot == Reboot::Task {
            explored.lose(&inherited.outcome);
        }
        let (mut call, mut before_call) = (None, inherited.clone());
        let (mut latest, mut time_before) = (None, None);
        for writing in &writings {
            let is_producer = !writing.pairs.is_empty();
            if !is_producer && !departed {
                continue;
            }
            if self.spent - begun >= allowance || monitor.is_interrupted() {
                explored.unfinished.push(known.region);
                break;
            }
            let failing = Failing {
                failure: writing.time,
                failures: 1..=self.failures,
                further: &[],
                tear: None,
            };
            let Some((trial, path)) = self.fail(known, &failing) else {
                break;
            };
            if is_producer && !self.reboots() {
                departed = path == Path::Another;
            }
            explored.failures += 1;
            if writing.call.is_none() || writing.call != call {
                (call, before_call) = (writing.call, inherited);
                time_before = latest;
            }
            latest = Some(writing.time);
            let before = match time_before {
                Some(failure) => {
                    let earlier = Failing {
                        failure,
                        failures: trial.failures..=trial.failures,
                        ..failing.clone()
                    };
                    self.as_late(known, &earlier, (before_call.clone(), &trial.outcome))
                }
                None => before_call.clone(),
            };
            self.tear(known, writing, [&before, &trial], explored);
            inherited = trial.clone();
            let own = Trial {
                outcome: trial.without(&[&before], writing.offset),
                ..trial
            };
            let others = [&before.outcome];
            self.note(known, writing, &failing, (own, &others), explored);
        }
    }

    /// Whether a reboot does more than restore a checkpoint.
    fn reboots(&self) -> bool {
        let bindings = self.image.bindings();
        bindings.reboot != Reboot::Restore || !bindings.retained.is_empty()
    }

    /// What power failures right after the commits at these times do.
    pub(super) fn after_commits(
        &mut self,
        times: &[u64],
        monitor: &dyn Monitor,
    ) -> BTreeMap<u64, Trial> {
        let mut found = BTreeMap::new();
        for &time in times {
            if monitor.is_interrupted() {
                break;
            }
            let Some(mut known) = self.enter(Region::at(self.exposure, time)) else {
                break;
            };
            let failing = Failing {
                failure: known.begun,
                failures: 1..=1,
                further: &[],
                tear: None,
            };
            if let Some((trial, _)) = self.fail(&mut known, &failing) {
                found.insert(time, trial);
            }
            self.leave(&known);
        }
        found
    }

    /// What a power failure right at the checkpoint does, whatever the region writes: volatile variables
    /// are lost. Also whether the attempt after it may take another path.
    pub(super) fn at_start(&mut self, known: &mut KnownRegion) -> (Trial, bool) {
        if !self.reboots() {
            return (Trial::too_late(), false);
        }
        let failing = Failing {
            failure: known.begun,
            failures: 1..=1,
            further: &[],
            tear: None,
        };
        let trial = self.fail(known, &failing).map(|(trial, _)| trial);
        (trial.unwrap_or_else(Trial::too_late), true)
    }

    /// Power fails inside a store, between the parts of it that are written at once. What failures
    /// before and after all of it do is not the tear's doing.
    fn tear(
        &mut self,
        known: &mut KnownRegion,
        writing: &Writing,
        others: [&Trial; 2],
        explored: &mut Explored,
    ) {
        let Some(atomic) = self.atomic_write else {
            return;
        };
        for torn in stores::tears(self.image.layout(), &writing.stores, atomic) {
            let failing = Failing {
                failure: writing.time,
                failures: 1..=self.failures,
                further: &[],
                tear: Tear::new(&writing.stores, torn),
            };
            let Some((trial, _)) = self.fail(known, &failing) else {
                return;
            };
            explored.failures += 1;
            for &pair in &writing.pairs {
                *explored.tears.entry(pair).or_default() += 1;
            }
            let own = Trial {
                outcome: trial.without(&others, writing.offset),
                ..trial
            };
            let others = others.map(|other| &other.outcome);
            self.note(known, writing, &failing, (own, &others), explored);
        }
    }

    /// Notes what a failure does that others do not, if that is news.
    fn note(
        &mut self,
        known: &mut KnownRegion,
        writing: &Writing,
        failing: &Failing<'_>,
        (trial, others): (Trial, &[&Outcome]),
        explored: &mut Explored,
    ) {
        let torn = failing.tear.as_ref().map(|tear| tear.torn);
        let manner = Manner::of(torn);
        if let Outcome::Undecided(_) = trial.outcome {
            explored.undecided += 1;
            for &pair in &writing.pairs {
                explored.open.entry(pair).or_insert_with(|| trial.clone());
            }
            return;
        }
        if !self.is_news(manner, &writing.pairs, trial.differences()) {
            return;
        }
        let trial = self.lasting(known, failing, trial, others);
        if trial.outcome == Outcome::Converged {
            return;
        }
        self.known_here.add(manner, &writing.pairs, &trial);
        explored.harm.push(Harm {
            failure: PowerFailure {
                checkpoint: known.region.position(),
                failure: failing.failure,
                failures: trial.failures,
                again: None,
                torn,
            },
            pairs: writing.pairs.clone(),
            producer: writing.pc,
            offset: writing.offset,
            trial,
        });
    }

    /// Emulates one failure, exactly as it is asked for.
    pub(super) fn emulate(
        &mut self,
        region: Region,
        failure: PowerFailure,
        further: &[u64],
    ) -> Result<Emulated, Miss> {
        let mut known = self.enter(region).ok_or(Miss::TooLate(0))?;
        let failing = Failing {
            further,
            ..self.failing(failure)?
        };
        let end = known.begun + known.courses[0].end().length;
        self.is_patient = can_wait(&known);
        let trial = self.fail(&mut known, &failing);
        self.is_patient = false;
        let (trial, _) = trial.ok_or(Miss::TooLate(end))?;
        // Attempts get the interrupts of the execution that the program makes by itself.
        let course = match self.readings.is_none() && self.image.is_interruptible() {
            true => known.courses.first(),
            false => known.courses.last(),
        };
        Ok(Emulated {
            trial,
            tear: failing.tear,
            readings: course.map_or_else(Arc::default, |course| Arc::clone(&course.readings)),
            read: (known.courses.first()).map_or_else(Vec::new, |course| course.read.clone()),
            quiet: None,
        })
    }

    /// A failure in the region that was entered.
    fn failing(&self, failure: PowerFailure) -> Result<Failing<'static>, Miss> {
        let tear = match failure.torn {
            None => None,
            Some(torn) => {
                let mut writings = self.exposed.writings.iter();
                let writing = writings.find(|writing| writing.time == failure.failure);
                let stores = writing.map_or(&[][..], |writing| &writing.stores);
                let tear = Tear::new(stores, torn);
                Some(tear.ok_or(Miss::NotTorn(stores::size(stores)))?)
            }
        };
        Ok(Failing {
            failure: failure.failure,
            failures: failure.failures..=failure.failures,
            further: &[],
            tear,
        })
    }

    /// Where attempts leave the path of the continuous execution; `failures` are sorted.
    pub(super) fn departures(
        &mut self,
        failures: &[PowerFailure],
        monitor: &dyn Monitor,
    ) -> Vec<(PowerFailure, u32)> {
        let mut found = Vec::new();
        for same in failures.chunk_by(|one, other| one.checkpoint == other.checkpoint) {
            let Some(first) = same.first().filter(|_| !monitor.is_interrupted()) else {
                break;
            };
            let region = Region::at(self.exposure, first.checkpoint);
            let Some(mut known) = self.enter(region) else {
                continue;
            };
            for &failure in same {
                let failing = self.failing(failure);
                let pc = failing
                    .ok()
                    .and_then(|failing| self.departure(&mut known, &failing));
                found.extend(pc.map(|pc| (failure, pc)));
            }
            self.leave(&known);
        }
        found
    }

    /// Who reads first what a write left, in the attempt after a failure.
    pub(super) fn reader(&mut self, failure: PowerFailure, offset: u32) -> Option<u32> {
        let region = Region::at(self.exposure, failure.checkpoint);
        let mut known = self.enter(region)?;
        let failing = self.failing(failure).ok()?;
        self.begin_last_attempt(&mut known, &failing)?;
        let mut reader = FirstReader {
            calls: self.calls.clone(),
            ..FirstReader::new(self.image, offset)
        };
        let until = self.machine.now() + super::attempt_budget(known.courses[0].end().length);
        self.machine.watch(&mut reader, until);
        self.leave(&known);
        reader.found()
    }

    /// Whether some of the differences are not known of all of these pairs.
    fn is_news(&self, manner: Manner, pairs: &[(u32, u32)], differences: &[Difference]) -> bool {
        let known = |difference: &Difference| {
            let kind = difference.kind();
            let has = |known: &Known, pair| known.has(manner, pair, kind);
            !pairs.is_empty()
                && pairs
                    .iter()
                    .all(|&pair| has(&self.known, pair) || has(&self.known_here, pair))
        };
        !differences.iter().all(known)
    }
}

/// Looks for the first read of a byte, before it is overwritten.
pub(super) struct FirstReader<'i> {
    calls: Calls<'i>,
    offset: u32,
    /// The operation of the user's code; none if it was overwritten first.
    found: Option<Option<u32>>,
}

impl<'i> FirstReader<'i> {
    pub(super) fn new(image: &'i Image, offset: u32) -> Self {
        Self {
            calls: Calls::new(image),
            offset,
            found: None,
        }
    }

    /// The operation of the user's code that reads it first.
    pub(super) fn found(&self) -> Option<u32> {
        self.found.flatten()
    }
}

impl Observer for FirstReader<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        if self.found.is_none() && (offset..offset + bytes.len() as u32).contains(&self.offset) {
            self.found = Some(Some(self.calls.blame(at.pc)));
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if self.found.is_none() && (offset..offset + new.len() as u32).contains(&self.offset) {
            self.found = Some(None);
        }
    }

    follow_calls!();
}
