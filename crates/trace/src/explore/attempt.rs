//! Attempts: power fails in a scene, the last attempt is compared, and all of it is undone.

use std::ops::RangeInclusive;

use brownout_vm::Stop;

use super::compare::{Comparison, End, Pause, Reference, Watch};
use super::known::Manner;
use super::scene::{Meeting, Scene};
use super::walker::Walker;
use super::{Damage, Difference, Reached, Seen, Tear, attempt_budget, beyond};
use crate::readings::Turn;

/// What it takes to execute a single instruction, in instructions executed at a stretch.
const SINGLE: u64 = 8;

/// How many places are tried: the end of the window and some behind it.
const MEETINGS: usize = 4;

/// What must be known of the continuous execution before an attempt can be judged.
enum Need {
    Beyond,
    Meeting,
}

/// Power fails, as often and where.
#[derive(Clone, Debug)]
pub(super) struct Blow<'b> {
    /// When.
    pub(super) failure: u64,
    /// How often in a row: the fewest, up to the most if these do no harm.
    pub(super) failures: RangeInclusive<u32>,
    /// After how many instructions behind the checkpoint the further ones come, if not after as many.
    pub(super) further: &'b [u64],
    /// Whose failure it is: what is known of these pairs need not be looked at closely.
    pub(super) pairs: &'b [(u32, u32)],
    /// What of the instruction before the failure is not written.
    pub(super) tear: Option<Tear>,
}

/// Whether an attempt did what the continuous execution did, with other values at most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Same,
    Another,
}

impl Walker<'_> {
    /// Runs on for `budget` instructions, or to a pause.
    pub(super) fn advance(&mut self, pause: Pause, budget: u64) -> (End, u64) {
        let now = self.machine.now();
        let mut watch = Watch::new(self.image, pause, now);
        let stop = self.machine.run(&mut watch, now.saturating_add(budget));
        self.spent += self.machine.now() - now;
        let footprints = watch.footprints;
        (self.end(stop, watch), footprints)
    }

    /// Goes on with the first attempt to the failure, lets power fail there as often as asked, compares,
    /// and comes back to the moment before the failure. Nothing if the window is over before.
    pub(super) fn fail(&mut self, scene: &mut Scene, blow: &Blow<'_>) -> Option<(Damage, Path)> {
        let pause = Pause::of(scene.window);
        let failure = blow.failure;
        let begun = self.machine.now();
        self.read(Turn::Failing(0));
        let (end, _) = self.advance(pause, failure.saturating_sub(begun));
        if end.is_finished() {
            return None;
        }
        let mut moment = self.machine.mark();
        let mut result: Option<(Damage, Path)> = None;
        // Once, then twice in a row, and so on: each may do harm that the others do not.
        let mut failures = *blow.failures.start();
        while failures <= *blow.failures.end() {
            let (damage, path) = match self.attempts(scene, blow, failures) {
                Ok(result) => result,
                Err(need) => {
                    self.learn(scene, &need);
                    // Knowing more, the same failure again.
                    self.read(Turn::Failing(0));
                    self.advance(pause, failure.saturating_sub(self.machine.now()));
                    moment = self.machine.mark();
                    continue;
                }
            };
            self.machine.rollback(&moment);
            let harmful = !damage.differences.is_empty();
            // The path is that after the first failure.
            let path = result.map_or(path, |(_, path)| path);
            result = Some((damage, path));
            if harmful {
                break;
            }
            failures += 1;
        }
        result
    }

    /// Goes back to the start of the window and finds out what is needed there.
    fn learn(&mut self, scene: &mut Scene, need: &Need) {
        self.machine.rollback(&scene.mark);
        self.read(Turn::Last);
        let length = scene.reference.length;
        match need {
            Need::Beyond => {
                let budget = length + beyond(length);
                scene.beyond = Some(self.continuous(&scene.mark, budget));
            }
            Need::Meeting => {
                // The end of the window, then further and further behind it.
                let further = match scene.meetings.len() {
                    0 => 0,
                    count => (length / 4) << (count - 1),
                };
                let budget = scene.reference.budget + further;
                let reference = self.continuous(&scene.mark, budget);
                let passes = self.passes(&reference.end, reference.length);
                self.machine.rollback(&scene.mark);
                scene.meetings.push(Meeting { reference, passes });
            }
        }
    }

    /// How often an execution is at the place where it ends after `length` instructions.
    fn passes(&mut self, end: &End, length: u64) -> u64 {
        let until = self.machine.now() + length;
        let mut passes = 0;
        while self.machine.now() < until && self.machine.step() == Stop::Paused {
            passes += u64::from(self.is_at(end));
        }
        self.spent += length * SINGLE;
        passes.max(1)
    }

    fn is_at(&self, end: &End) -> bool {
        self.machine.pc() == end.pc && self.machine.backtrace() == end.calls
    }

    /// Power fails here; after `failures` of them the last attempt is compared.
    fn attempts(
        &mut self,
        scene: &Scene,
        blow: &Blow<'_>,
        failures: u32,
    ) -> Result<(Damage, Path), Need> {
        let (window, reference) = (scene.window, &scene.reference);
        let (begun, early) = self.strike_down(scene, blow, failures);
        let judged = |walker: &Self, differences, seen, reference: &Reference, end: &End| Damage {
            differences,
            seen,
            failures,
            continuous: Reached {
                instructions: reference.length,
                halt: reference.end.halt(),
            },
            intermittent: Reached {
                instructions: walker.machine.now() - begun,
                halt: end.halt(),
            },
        };
        if let Some((end, footprints)) = early {
            // This attempt gets through before power can fail again.
            let differences = self.differences(scene, reference, &end);
            let damage = judged(self, differences, Seen::AtItsEnd, reference, &end);
            return Ok((damage, Path::of(reference, footprints)));
        }
        let start = self.machine.mark();
        let pause = Pause::of(window);
        let budget = if window.is_region() {
            attempt_budget(reference.length)
        } else {
            reference.budget
        };
        let (end, footprints) = self.advance(pause, budget);
        let path = Path::of(reference, footprints);
        let differences = self.differences(scene, reference, &end);
        let damage = judged(self, differences, Seen::AtItsEnd, reference, &end);
        if damage.differences.is_empty() {
            let only_registers =
                end.stop == Stop::Paused && self.machine.registers() != reference.registers;
            if !only_registers {
                return Ok((damage, path));
            }
            let reference = scene.beyond.as_ref().ok_or(Need::Beyond)?;
            let (differences, end) = self.go_beyond(scene, reference, &end);
            let damage = judged(self, differences, Seen::Afterwards, reference, &end);
            return Ok((damage, path));
        }
        // An attempt that took another path may be early or late, which is no harm.
        let manner = Manner::of(blow.tear.as_ref().map(|tear| tear.written));
        if !window.is_region()
            && path == Path::Another
            && self.is_news(manner, blow.pairs, &damage.differences)
        {
            self.machine.rollback(&start);
            if let Some((end, reference)) = self.meet(scene)? {
                let differences = self.differences(scene, reference, &end);
                let damage = judged(self, differences, Seen::WhereTheyMeet, reference, &end);
                return Ok((damage, path));
            }
        }
        Ok((damage, path))
    }

    /// Power fails here, `failures` times in a row: when the last attempt began. If that is one which
    /// gets through before power can fail again, its end and its footprints.
    pub(super) fn strike_down(
        &mut self,
        scene: &Scene,
        blow: &Blow<'_>,
        failures: u32,
    ) -> (u64, Option<(End, u64)>) {
        if let Some(tear) = &blow.tear {
            tear.apply(&mut self.machine);
        }
        for number in 1..failures {
            self.restore(&scene.reference, Turn::Failing(number));
            let begun = self.machine.now();
            let further = blow.further.get(number as usize - 1);
            let failure = further.map_or(blow.failure, |&distance| {
                scene.window.position().saturating_add(distance)
            });
            let distance = failure.saturating_sub(scene.begun);
            let (end, footprints) = self.advance(Pause::of(scene.window), distance);
            if end.is_finished() {
                return (begun, Some((end, footprints)));
            }
        }
        self.restore(&scene.reference, Turn::Last);
        (self.machine.now(), None)
    }

    /// Power fails and comes back.
    fn restore(&mut self, reference: &Reference, turn: Turn) {
        self.machine.fail_power();
        self.read(turn);
        // The attempt that counts reads what the continuous execution reads (OOPSLA'20, Def. 1).
        self.machine.replay_inputs(&reference.inputs);
    }

    fn differences(&self, scene: &Scene, reference: &Reference, end: &End) -> Vec<Difference> {
        let comparison = Comparison {
            image: self.image,
            objects: &self.objects,
            machine: &self.machine,
            mark: &scene.mark,
            blocks: &self.blocks,
        };
        comparison.differences(scene.window, reference, end)
    }

    /// At the end of the window only registers are different: what becomes of them?
    fn go_beyond(
        &mut self,
        scene: &Scene,
        reference: &Reference,
        end: &End,
    ) -> (Vec<Difference>, End) {
        let (mut later, _) = self.advance(Pause::Never, beyond(scene.reference.length));
        later.output.splice(0..0, end.output.iter().copied());
        (self.differences(scene, reference, &later), later)
    }

    /// Follows the last attempt, from its start, to a place where the continuous execution was
    /// as often, if there is such a place; where that is, and what it is to be compared with.
    fn meet<'s>(&mut self, scene: &'s Scene) -> Result<Option<(End, &'s Reference)>, Need> {
        let start = self.machine.mark();
        for number in 0..MEETINGS {
            let meeting = scene.meetings.get(number).ok_or(Need::Meeting)?;
            let reference = &meeting.reference;
            let budget = reference.budget.saturating_mul(2);
            let end = if reference.end.stop == Stop::Paused {
                self.follow(&reference.end, meeting.passes, budget)
            } else {
                let end = self.advance(Pause::Never, budget).0;
                (end.stop != Stop::Paused).then_some(end)
            };
            if let Some(end) = end {
                return Ok(Some((end, reference)));
            }
            self.machine.rollback(&start);
        }
        Ok(None)
    }

    /// Runs to where `end` is, the time that is the `passes`-th.
    fn follow(&mut self, end: &End, passes: u64, budget: u64) -> Option<End> {
        let now = self.machine.now();
        let mut watch = Watch::new(self.image, Pause::Never, now);
        let mut left = passes;
        while self.machine.now() < now.saturating_add(budget) {
            let next = self.machine.now() + 1;
            self.spent += SINGLE;
            if self.machine.run(&mut watch, next) != Stop::Paused {
                return None;
            }
            if self.is_at(end) {
                left -= 1;
                if left == 0 {
                    return Some(self.end(Stop::Paused, watch));
                }
            }
        }
        None
    }
}

impl Path {
    fn of(reference: &Reference, footprints: u64) -> Self {
        if reference.footprints == footprints {
            Self::Same
        } else {
            Self::Another
        }
    }
}
