//! Attempts: power fails in a scene, the last attempt is compared, and all of it is undone.

use brownout_vm::Stop;

use super::compare::{Comparison, End, Pause, Reference, Watch};
use super::scene::{Meeting, Scene};
use super::walker::Walker;
use super::{Damage, Difference, Seen, attempt_budget, beyond};

/// What it takes to execute a single instruction, in instructions executed at a stretch.
const SINGLE: u64 = 8;

/// How many places are tried: the end of the window and some behind it.
const MEETINGS: usize = 4;

/// What must be known of the continuous execution before an attempt can be judged.
enum Need {
    Beyond,
    Meeting,
}

/// Whether an attempt did what the continuous execution did, with other values at most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Same,
    Another,
}

impl Walker<'_> {
    /// Runs on for `budget` instructions, or to a pause.
    fn advance(&mut self, pause: Pause, budget: u64) -> (End, u64) {
        let now = self.machine.now();
        let mut watch = Watch::new(self.image, pause, now);
        let stop = self.machine.run(&mut watch, now.saturating_add(budget));
        self.spent += self.machine.now() - now;
        let footprints = watch.footprints;
        (self.end(stop, watch), footprints)
    }

    /// Goes on with the first attempt to `failure`, lets power fail there as often as asked, compares,
    /// and comes back to the moment before the failure.
    ///
    /// `pairs` are whose failure it is: what is known of them need not be looked at closely. `tear` is
    /// what the store before the failure does not overwrite, and where.
    pub(super) fn fail(
        &mut self,
        scene: &mut Scene,
        failure: u64,
        pairs: &[(u32, u32)],
        tear: Option<(u32, &[u8])>,
    ) -> (Damage, Path) {
        let pause = Pause::of(scene.window);
        let begun = self.machine.now();
        let (end, _) = self.advance(pause, failure.saturating_sub(begun));
        let mut moment = self.machine.mark();
        let mut path = Path::Same;
        let mut damage = Damage::none(1);
        if end.is_finished() {
            // The window is over before power can fail.
            return (damage, path);
        }
        let distance = failure.saturating_sub(scene.begun);
        // Once, then twice in a row, and so on: each may do harm that the others do not.
        let mut failures = 1;
        while failures <= self.failures {
            let (found, way) = match self.attempts(scene, distance, failures, pairs, tear) {
                Ok(result) => result,
                Err(need) => {
                    self.learn(scene, &need);
                    // Knowing more, the same failure again.
                    self.advance(pause, failure.saturating_sub(self.machine.now()));
                    moment = self.machine.mark();
                    continue;
                }
            };
            self.machine.rollback(&moment);
            if failures == 1 {
                path = way;
            }
            damage = found;
            if !damage.differences.is_empty() {
                break;
            }
            failures += 1;
        }
        (damage, path)
    }

    /// Goes back to the start of the window and finds out what is needed there.
    fn learn(&mut self, scene: &mut Scene, need: &Need) {
        self.machine.rollback(&scene.mark);
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
        distance: u64,
        failures: u32,
        pairs: &[(u32, u32)],
        tear: Option<(u32, &[u8])>,
    ) -> Result<(Damage, Path), Need> {
        if let Some((offset, old)) = tear {
            self.machine.tear(offset, old);
        }
        let (window, reference) = (scene.window, &scene.reference);
        let pause = Pause::of(window);
        for failure in 1..=failures {
            self.restore(reference);
            if failure < failures {
                let (end, footprints) = self.advance(pause, distance);
                if end.is_finished() {
                    // This attempt gets through before power can fail again.
                    let differences = self.differences(scene, reference, &end);
                    let damage = Damage::new(differences, Seen::AtItsEnd, failures);
                    return Ok((damage, Path::of(reference, footprints)));
                }
            }
        }
        let start = self.machine.mark();
        let budget = if window.is_region() {
            attempt_budget(reference.length)
        } else {
            reference.budget
        };
        let (end, footprints) = self.advance(pause, budget);
        let path = Path::of(reference, footprints);
        let differences = self.differences(scene, reference, &end);
        if differences.is_empty() {
            let only_registers =
                end.stop == Stop::Paused && self.machine.registers() != reference.registers;
            let damage = if only_registers {
                self.go_beyond(scene, &end, failures)?
            } else {
                Damage::none(failures)
            };
            return Ok((damage, path));
        }
        // An attempt that took another path may be early or late, which is no harm.
        if !window.is_region() && path == Path::Another && self.is_news(pairs, &differences) {
            self.machine.rollback(&start);
            if let Some(differences) = self.meet(scene)? {
                let damage = Damage::new(differences, Seen::WhereTheyMeet, failures);
                return Ok((damage, path));
            }
        }
        Ok((Damage::new(differences, Seen::AtItsEnd, failures), path))
    }

    /// Power fails and comes back.
    fn restore(&mut self, reference: &Reference) {
        self.machine.fail_power();
        // The attempt that counts reads what the continuous execution reads (OOPSLA'20, Def. 1).
        self.machine.replay_inputs(&reference.inputs);
    }

    fn differences(&self, scene: &Scene, reference: &Reference, end: &End) -> Vec<Difference> {
        let comparison = Comparison {
            image: self.image,
            objects: &self.objects,
            machine: &self.machine,
            mark: &scene.mark,
        };
        comparison.differences(scene.window, reference, end)
    }

    /// At the end of the window only registers are different: do they matter?
    fn go_beyond(&mut self, scene: &Scene, end: &End, failures: u32) -> Result<Damage, Need> {
        let reference = scene.beyond.as_ref().ok_or(Need::Beyond)?;
        let (mut later, _) = self.advance(Pause::Never, beyond(scene.reference.length));
        later.output.splice(0..0, end.output.iter().copied());
        let differences = self.differences(scene, reference, &later);
        Ok(Damage::new(differences, Seen::Afterwards, failures))
    }

    /// Follows the last attempt, from its start, to a place where the continuous execution was
    /// as often; what is different there, if there is such a place.
    fn meet(&mut self, scene: &Scene) -> Result<Option<Vec<Difference>>, Need> {
        let start = self.machine.mark();
        for number in 0..MEETINGS {
            let meeting = scene.meetings.get(number).ok_or(Need::Meeting)?;
            let reference = &meeting.reference;
            let budget = reference.budget.saturating_mul(2);
            let end = if reference.end.stop == Stop::Paused {
                self.follow(&reference.end, meeting.passes, budget)
            } else {
                Some(self.advance(Pause::Never, budget).0)
            };
            let met = end.map(|end| {
                let differences = self.differences(scene, reference, &end);
                (differences, end)
            });
            self.machine.rollback(&start);
            match met {
                Some((differences, end))
                    if reference.end.stop == Stop::Paused || end.stop != Stop::Paused =>
                {
                    return Ok(Some(differences));
                }
                _ => {}
            }
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
