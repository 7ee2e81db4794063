//! Attempts: power fails in a region, the last attempt is compared ([`super::meet`]), and all of it is undone.

use std::ops::RangeInclusive;
use std::sync::Arc;

use brownout_vm::{Readings, Stop, join_handlers};

use super::compare::{End, Pause, Watch};
use super::emissions::Emission;
use super::explorer::Explorer;
use super::reference::{Course, KnownRegion, Variation};
use super::{Outcome, Seen, Tear, Trial, attempt_budget, chosen_events, event_sets};
use crate::readings::Turn;

/// What it takes to execute a single instruction, in instructions executed at a stretch.
pub(super) const SINGLE: u64 = 8;

/// What must be known of the continuous execution before an attempt can be judged.
pub(super) enum Need {
    /// Another continuous execution.
    Course(Variation),
    /// One more point of a course.
    Point(usize),
    /// How often a course has been at the place of a point.
    Visits(usize, usize),
    /// What becomes of bytes after this time.
    Future(u64, Vec<u32>),
}

/// When and how often power fails.
#[derive(Clone, Debug)]
pub(super) struct Failing<'f> {
    /// When.
    pub(super) failure: u64,
    /// How often in a row: the fewest, up to the most if these do no harm.
    pub(super) failures: RangeInclusive<u32>,
    /// After how many instructions from the checkpoint the further ones come, if not after as many.
    pub(super) further: &'f [u64],
    /// What of the instruction before the failure is not written.
    pub(super) tear: Option<Tear>,
}

/// Interrupts of failed attempts that an execution without failures has as well: they were real events.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Events {
    /// Which of them.
    set: u64,
    /// Whether they come at the start of the region, and not where they came.
    at_start: bool,
}

impl Events {
    /// All that is worth trying if so many came.
    fn choices(came: usize) -> impl Iterator<Item = Self> {
        let sets = event_sets(came).into_iter();
        let all = |at_start| move |set| Self { set, at_start };
        sets.clone().map(all(false)).chain(sets.map(all(true)))
    }
}

/// Whether an attempt did what the continuous execution did, with other values at most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Same,
    Another,
}

/// The last attempt, ready to begin.
pub(super) struct LastAttempt {
    /// The continuous execution that it is held against.
    pub(super) course: usize,
    /// What the world saw of the attempts before.
    pub(super) before: Vec<Emission>,
    /// When it began.
    pub(super) begun: u64,
    pub(super) failures: u32,
    /// Offsets that are not compared and that it finds otherwise.
    pub(super) found: Vec<u32>,
    /// How many interrupts came in the attempts before.
    pub(super) came: usize,
}

impl Explorer<'_> {
    /// Runs on for `budget` instructions, or to a pause.
    pub(super) fn advance(&mut self, pause: Pause, budget: u64) -> (End, u64) {
        let now = self.machine.now();
        let mut watch = Watch::new(pause, now);
        let stop = self.machine.run(&mut watch, now.saturating_add(budget));
        self.spent += self.machine.now() - now;
        let footprints = watch.footprints;
        (self.end(stop, watch), footprints)
    }

    /// Goes on with the first attempt to the failure, lets power fail there as often as asked, compares,
    /// and comes back to the moment before the failure. Nothing if the region is over before.
    pub(super) fn fail(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
    ) -> Option<(Trial, Path)> {
        let mut failing = failing.clone();
        loop {
            let (mut trial, path) = self.fail_and_compare(known, &failing)?;
            if trial.differences().is_empty() || trial.found.is_empty() {
                return Some((trial, path));
            }
            // What flows from what is meant to change is not there if that is put back.
            let added = std::mem::take(&mut self.added);
            let as_often = Failing {
                failures: trial.failures..=trial.failures,
                ..failing.clone()
            };
            self.puts_back = true;
            let alike = self.fail_and_compare(known, &as_often);
            self.puts_back = false;
            if alike.is_none_or(|(alike, _)| alike.outcome != Outcome::Converged) {
                self.added = added;
                return Some((trial, path));
            }
            self.added.clear();
            if trial.failures >= *failing.failures.end() {
                trial.outcome = Outcome::Converged;
                return Some((trial, path));
            }
            failing.failures = trial.failures + 1..=*failing.failures.end();
        }
    }

    fn fail_and_compare(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
    ) -> Option<(Trial, Path)> {
        self.added.clear();
        self.go_to_failure(known, failing)?;
        let mut moment = self.machine.mark();
        let mut result: Option<(Trial, Path)> = None;
        // Once, then twice in a row, and so on: each may do harm that the others do not.
        let mut failures = *failing.failures.start();
        // Which interrupts of the failed attempt the execution without failures has as well, which others
        // it may have, and what the attempt comes to without them.
        let (mut events, mut others) = (Events::default(), None);
        let mut once: Option<(Trial, Path)> = None;
        while failures <= *failing.failures.end() {
            let (trial, path, came) = match self.attempts(known, failing, failures, events) {
                Ok(result) => result,
                Err(need) => {
                    self.learn(known, need);
                    // Knowing more, the same failure again.
                    self.go_to_failure(known, failing)?;
                    moment = self.machine.mark();
                    continue;
                }
            };
            self.machine.rollback(&moment);
            // The execution that it comes closest to counts.
            let (trial, path) = match (once.take(), &trial.outcome) {
                (None, _) | (_, Outcome::Converged) => (trial, path),
                (Some((once, _)), Outcome::Differs(these))
                    if these.len() < once.differences().len() =>
                {
                    (trial, path)
                }
                (Some(once), _) => once,
            };
            // The interrupts of the failed attempt were real events: an execution without failures may
            // have them as well.
            if trial.outcome != Outcome::Converged {
                let mut choices = others.take().unwrap_or_else(|| Events::choices(came));
                if let Some(more) = choices.next() {
                    (events, others, once) = (more, Some(choices), Some((trial, path)));
                    continue;
                }
            }
            (events, others) = (Events::default(), None);
            let settled = trial.outcome != Outcome::Converged;
            // The path is that after the first failure.
            let path = result.map_or(path, |(_, path)| path);
            result = Some((trial, path));
            if settled {
                break;
            }
            failures += 1;
        }
        result
    }

    /// The first attempt, up to the failure; nothing if the region is over before.
    fn go_to_failure(&mut self, known: &KnownRegion, failing: &Failing<'_>) -> Option<()> {
        if self.machine.now() > failing.failure {
            self.machine.rollback(&known.mark);
        }
        let now = self.machine.now();
        if now == known.begun && (self.readings.is_some() || self.image.is_interruptible()) {
            self.read(Turn::Failing(0));
            self.machine.begin_readings(Arc::default());
        }
        let pause = self.pause_of(known.region);
        let (end, _) = self.advance(pause, failing.failure.saturating_sub(now));
        if end.is_finished() {
            // What comes after the region is not for the next failure.
            self.machine.rollback(&known.mark);
            return None;
        }
        Some(())
    }

    /// Lets power fail, and leaves the machine at the start of the last attempt; nothing if the region
    /// is over before, or an attempt gets through before power fails again.
    pub(super) fn begin_last_attempt(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
    ) -> Option<()> {
        loop {
            self.go_to_failure(known, failing)?;
            match self.fail_power(known, failing, *failing.failures.start(), Events::default()) {
                Ok((_, Some(_))) => return None,
                Ok((_, None)) => return Some(()),
                Err(need) => self.learn(known, need),
            }
        }
    }

    /// Goes back to the start of the region and finds out what is needed there.
    fn learn(&mut self, known: &mut KnownRegion, need: Need) {
        match need {
            Need::Course(variation) => {
                let course = self.course(known, variation);
                known.courses.push(course);
            }
            Need::Point(course) => self.add_point(known, course),
            Need::Visits(course, point) => self.count_visits(known, course, point),
            Need::Future(time, bytes) => self.follow(known, time, &bytes),
        }
    }

    /// Power fails here; after `failures` of them the last attempt is compared.
    fn attempts(
        &mut self,
        known: &KnownRegion,
        failing: &Failing<'_>,
        failures: u32,
        events: Events,
    ) -> Result<(Trial, Path, usize), Need> {
        let (attempt, early) = self.fail_power(known, failing, failures, events)?;
        let came = attempt.came;
        let course = &known.courses[attempt.course];
        let (end, footprints) = match early {
            // This attempt gets through before power can fail again.
            Some(early) => early,
            None if known.region.ends_at_commit() => {
                // Where the continuous execution stays in a loop, the attempt need not be given longer.
                let budget = match course.end().head {
                    Some(_) => course.budget.max(attempt_budget(0)),
                    None => attempt_budget(course.end().length),
                };
                self.advance(self.pause_of(known.region), budget)
            }
            None => {
                let start = self.machine.mark();
                let (end, footprints) = self.advance(Pause::Never, course.budget);
                if footprints == course.footprints {
                    (self.at_end_of(course, end), footprints)
                } else {
                    // An attempt that took another path may be early or late, which is no harm.
                    self.machine.rollback(&start);
                    let trial = self.meet(known, &attempt, 0, None)?;
                    return Ok((trial, Path::Another, came));
                }
            }
        };
        let path = match footprints == course.footprints {
            true => Path::Same,
            false => Path::Another,
        };
        let trial = if !known.region.ends_at_commit() {
            let seen = Seen::AtItsEnd;
            match self.judge(known, &attempt, course.end(), &end, seen)? {
                Some(trial)
                    if trial.outcome == Outcome::Converged
                        || !self.may_heal(&trial.outcome)
                            && !self.looks_later
                            && !self.is_hidden(course.end(), &end) =>
                {
                    trial
                }
                // Registers differ, or values that may heal: a later place decides.
                differing => {
                    self.machine.rollback(&self.attempt_start);
                    self.meet(known, &attempt, 1, differing)?
                }
            }
        } else if end.is_finished() || matches!(end.stop, Stop::Faulted(_)) {
            self.at_commits(known, &attempt, end)?
        } else if course.end().end.is_finished() {
            self.without_progress(known, &attempt, &end)
        } else {
            // A region that does not end: the same visit of the same place.
            self.machine.rollback(&self.attempt_start);
            self.meet(known, &attempt, 0, None)?
        };
        Ok((trial, path, came))
    }

    /// Where an attempt is that has executed as many instructions as a course. That may have ended at the head of a loop,
    /// which takes no time: there it has just passed the head.
    fn at_end_of(&mut self, course: &Course, end: End) -> End {
        if course.end().head.is_none() {
            return end;
        }
        self.machine.pass_loop_head();
        End {
            pc: self.machine.pc(),
            calls: self.machine.backtrace(),
            ..end
        }
    }

    /// Power fails here, `failures` times in a row: the last attempt is ready to begin. If an attempt
    /// gets through before power can fail again, its end and its footprints. The execution that it is
    /// held against has these `events`, interrupts of the failed attempts, besides its own.
    fn fail_power(
        &mut self,
        known: &KnownRegion,
        failing: &Failing<'_>,
        failures: u32,
        events: Events,
    ) -> Result<(LastAttempt, Option<(End, u64)>), Need> {
        // What the first attempt output is what the continuous execution outputs up to there.
        let distance = failing.failure.saturating_sub(known.begun);
        let mut before: Vec<Emission> = match &self.readings {
            None => {
                let emissions = known.courses[0].points.last();
                let emissions = emissions.into_iter().flat_map(|point| &point.end.emissions);
                emissions
                    .take_while(|(time, _)| *time <= distance)
                    .map(|(_, emission)| emission.clone())
                    .collect()
            }
            // With other readings, what it output is known only from itself.
            Some(_) => self.emitted_so_far(known, failing),
        };
        let mut came = self.machine.interrupts().to_vec();
        let mut got = self.machine.end_readings();
        if let Some(tear) = &failing.tear {
            tear.apply(&mut self.machine);
        }
        // What each attempt finds in what is meant to change; the last one counts.
        let mut contents = Vec::new();
        let mut early = None;
        for number in 1..failures {
            self.restore(known, Turn::Failing(number));
            contents = self.changed_contents(known);
            let further = failing.further.get(number as usize - 1);
            let failure = further.map_or(failing.failure, |&distance| {
                known.region.position().saturating_add(distance)
            });
            let distance = failure.saturating_sub(known.begun);
            let begun = self.machine.now();
            let (end, footprints) = self.advance(self.pause_of(known.region), distance);
            if end.is_finished() {
                early = Some((end, footprints, begun));
                break;
            }
            before.extend(end.seen());
            came.extend_from_slice(self.machine.interrupts());
            got.extend(self.machine.end_readings());
        }
        let begun = match &early {
            Some((_, _, begun)) => *begun,
            None => {
                self.restore(known, Turn::Last);
                if self.puts_back {
                    self.put_back(known);
                }
                contents = self.changed_contents(known);
                self.machine.now()
            }
        };
        self.attempt_start = self.machine.mark();
        let mut first = Vec::new();
        let readings = match &self.readings {
            None if events.set == 0 => None,
            None => {
                let mut readings = Readings::clone(&known.courses[0].readings);
                for &(place, handlers) in chosen_events(&came, events.set) {
                    if events.at_start {
                        first.push(handlers);
                        continue;
                    }
                    let own = readings.entry(place).or_default();
                    *own = join_handlers(handlers, *own);
                }
                Some(Arc::new(readings))
            }
            // Where the last attempt does not ask, the earlier ones are asked; of their interrupts those come that were
            // chosen.
            Some(_) => {
                let own = self.readings_of_attempt(known);
                for (place, _) in &came {
                    got.remove(place);
                }
                for &(place, handlers) in chosen_events(&came, events.set) {
                    match events.at_start {
                        true => first.push(handlers),
                        false => _ = got.insert(place, handlers),
                    }
                }
                got.extend(own);
                Some(Arc::new(got))
            }
        };
        let found = contents.iter().map(|&(offset, _)| offset).collect();
        let variation = Variation {
            contents,
            readings,
            first,
        };
        let course = known
            .courses
            .iter()
            .position(|course| course.variation == variation)
            .ok_or(Need::Course(variation))?;
        let attempt = LastAttempt {
            course,
            before,
            begun,
            failures,
            found,
            came: came.len(),
        };
        if early.is_none() && self.readings.is_none() {
            // What inputs gave is the same wherever both of them ask.
            let course = if events.set > 0 { 0 } else { course };
            let given = Arc::clone(&known.courses[course].readings);
            self.machine.begin_readings(given);
            self.machine.give_interrupts();
            self.attempt_start = self.machine.mark();
        }
        Ok((attempt, early.map(|(end, footprints, _)| (end, footprints))))
    }

    /// Power fails and comes back.
    fn restore(&mut self, known: &KnownRegion, turn: Turn) {
        self.machine.fail_power();
        self.read(turn);
        if self.readings.is_some() {
            // Chosen values are numbered from the start of the region.
            self.machine.replay_inputs(&known.outside);
        }
        let given = match self.readings {
            None => {
                // What nobody has asked for yet is the same after every failure.
                self.machine.replay_inputs(&known.courses[0].read);
                Arc::clone(&known.courses[0].readings)
            }
            Some(_) => Arc::default(),
        };
        self.machine.begin_readings(given);
        self.machine.give_interrupts();
    }

    /// What the first attempt output on its way to the failure: it is executed again, and is where
    /// it was then.
    fn emitted_so_far(&mut self, known: &KnownRegion, failing: &Failing<'_>) -> Vec<Emission> {
        self.machine.rollback(&known.mark);
        self.read(Turn::Failing(0));
        self.machine.begin_readings(Arc::default());
        let distance = failing.failure.saturating_sub(known.begun);
        let (end, _) = self.advance(self.pause_of(known.region), distance);
        end.seen()
    }

    /// What is meant to change and is otherwise than at the start of the region.
    fn changed_contents(&self, known: &KnownRegion) -> Vec<(u32, u8)> {
        if self.meant.is_empty() {
            return Vec::new();
        }
        let written = self.machine.written_since(&known.mark);
        let meant = |offset: &u32| self.meant.iter().any(|range| range.contains(offset));
        let offsets: Vec<u32> = written.into_iter().filter(meant).collect();
        let original = self.machine.bytes_at(&known.mark, &offsets);
        let now = offsets
            .iter()
            .map(|&offset| (offset, self.machine.memory()[offset as usize]));
        now.zip(original)
            .filter(|((_, now), original)| now != original)
            .map(|(contents, _)| contents)
            .collect()
    }

    /// What is meant to change becomes as at the start of the region.
    fn put_back(&mut self, known: &KnownRegion) {
        let changed = self.changed_contents(known).into_iter();
        let offsets: Vec<u32> = changed.map(|(offset, _)| offset).collect();
        let original = self.machine.bytes_at(&known.mark, &offsets);
        for (&offset, byte) in offsets.iter().zip(original) {
            self.machine.tear(offset, &[byte]);
        }
    }

    /// What the attempt that is about to begin gets if inputs were chosen.
    fn readings_of_attempt(&mut self, known: &KnownRegion) -> Readings {
        let start = self.machine.mark();
        let budget = attempt_budget(known.courses[0].end().length);
        let pause = self.pause_of(known.region);
        self.advance(pause, budget);
        let own = self.machine.end_readings();
        self.machine.rollback(&start);
        own
    }
}
