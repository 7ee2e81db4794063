//! Attempts: a boot after a power failure, compared with the boots of both references.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use brownout_ir::Func;
use brownout_vm::{
    Machine, Moment, Observer, OtherReadings, Readings, SegmentKind, Standstill, Stop, Stream,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::blame::Judged;
use super::boot::{After, Arrived, Kept, Reference, References, World};
use super::compare::{Side, with};
use super::further::FAR;
use super::round::Round;
use super::{
    FIRST_VISITS, LATE_VISITS, LEAST_BUDGET, LONGEST_LOOP, Pauses, RestartExplorer, VISITS,
};
use crate::emissions::Emission;
use crate::stores::Tear;
use crate::{
    Difference, Halt, Outcome, Reached, Seen, Trial, Undecided, chosen_events, event_sets,
};

/// Boots that come back to the same state within so many operations are stuck: a counter of 16 bits that
/// missed its end has come round again by then.
const LONGEST_CIRCLE: u32 = 1 << 20;

/// A round that was cut is completed with other readings of what it had not asked for: as far as inputs can give that at
/// any time, with what is mostly tested for.
const FREQUENT_READINGS: [OtherReadings; 3] = [
    OtherReadings::Always(0),
    OtherReadings::Always(1),
    OtherReadings::Always(i64::MAX),
];

/// And with what the scenario gives so many readings later.
const LATER_READINGS: [OtherReadings; 8] = [
    OtherReadings::Later(1),
    OtherReadings::Later(2),
    OtherReadings::Later(3),
    OtherReadings::Later(4),
    OtherReadings::Later(5),
    OtherReadings::Later(6),
    OtherReadings::Later(7),
    OtherReadings::Later(8),
];

/// With other readings a round is followed for so many times what it takes with its own, and for so many instructions
/// however short it is: it may wait for a reading that does not come then.
const LONGER_ROUNDS: u64 = 64;
const SHORT_ROUND: u64 = 4_000;

/// What a program writes in several rounds fits again after so many.
const ROUNDS_TO_LIFE: u32 = 64;

/// The references have to be followed for so many visits.
struct NeedsMore(usize);

/// What the boots of references read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// What all boots read.
    AsGiven,
    /// What the attempt reads and, where it does not ask, what the boot that failed had read.
    WhereNotAsked,
    /// What may have been kept of what the round had read when power failed is read first: by the boot of the quiet
    /// moment before, and by the round, as if power had failed after it.
    Kept,
}

/// A quiet moment after a round, and what the world sees of the round.
type Completed<'i> = (Reference<'i>, Vec<Emission>);

/// A power failure as its references are told of it.
pub(super) struct Cut<'f> {
    /// What the world has seen since the quiet moment before.
    pub(super) made: &'f [Emission],
    /// What of the write before it is not there.
    pub(super) tear: Option<&'f Tear>,
    /// If it is the second one, in the boot after the first: how much of that this boot has shown.
    shown_by_boot: Option<usize>,
}

impl<'f> Cut<'f> {
    /// A second failure, after a boot that has shown so much.
    pub(super) fn second(made: &'f [Emission], shown_by_boot: usize) -> Self {
        Self {
            made,
            tear: None,
            shown_by_boot: Some(shown_by_boot),
        }
    }

    fn is_second(&self) -> bool {
        self.shown_by_boot.is_some()
    }
}

/// Readings that begin with others.
fn before_others(first: &Readings, others: &Readings) -> Readings {
    let later = others.iter().map(|(&place, &value)| {
        let asked = first.range(place.all_there()).count() as u32;
        (place.later(asked), value)
    });
    let first = first.iter().map(|(&place, &value)| (place, value));
    first.chain(later).collect()
}

impl<'i> RestartExplorer<'_, 'i> {
    /// Power fails here; the boot after it is compared with both references, and all of it is undone.
    pub(super) fn fail(
        &mut self,
        machine: &mut Machine<'i>,
        round: &Round<'i>,
        seen: usize,
        tear: Option<&Tear>,
        references: &mut References<'_, 'i>,
    ) -> Judged {
        let cut = Cut {
            made: &round.emissions[..seen.min(round.emissions.len())],
            tear,
            shown_by_boot: None,
        };
        // Most failures that do no harm agree soon with some reference, and few of those late.
        self.follows_late = false;
        self.was_late = false;
        let soon = self.fail_against_all(machine, &cut, references);
        self.follows_late = true;
        let judged = match soon.trial.outcome == Outcome::Converged || !self.was_late {
            true => soon,
            false => self.fail_against_all(machine, &cut, references),
        };
        match judged.is_dead_end && self.is_dead_end_passing(references) {
            true => judged.dead(),
            false => judged,
        }
    }

    /// The same, held against all references that there may be.
    fn fail_against_all(
        &mut self,
        machine: &mut Machine<'i>,
        cut: &Cut<'_>,
        references: &mut References<'_, 'i>,
    ) -> Judged {
        let plain = self.fail_against(machine, cut, references, &mut []);
        let is_settled = |judged: &Judged| judged.trial.outcome == Outcome::Converged;
        if is_settled(&plain) {
            return plain;
        }
        let mut judged = plain;
        if self.image.is_interruptible() {
            let mut interrupted = self.with_handlers(machine, cut.made, references);
            if !interrupted.is_empty() {
                judged = self.fail_against(machine, cut, references, &mut interrupted);
            }
        }
        // What comes in after an output may be an answer to it: the world knows what it would have been.
        let is_free = cut.made.is_empty() && !self.first_boot.all.is_empty();
        if !is_settled(&judged) && is_free {
            for readings in [&FREQUENT_READINGS[..], &LATER_READINGS] {
                let mut others =
                    self.completed_with_other_readings(machine, cut.made, readings, references);
                if others.is_empty() {
                    continue;
                }
                let otherwise = self.fail_against(machine, cut, references, &mut others);
                if is_settled(&otherwise) {
                    return Judged {
                        reads_otherwise: true,
                        ..otherwise
                    };
                }
            }
        }
        judged
    }

    /// References for the handlers that came in the failed attempt, which were real events: they run at the quiet moment
    /// before. And the round completed without those that had not come yet, which have not happened.
    fn with_handlers(
        &mut self,
        machine: &Machine<'i>,
        made: &[Emission],
        references: &References<'_, 'i>,
    ) -> Vec<Completed<'i>> {
        let came: Vec<u64> = machine.interrupts().iter().map(|&(_, list)| list).collect();
        let mut interrupted: Vec<Completed<'i>> = event_sets(came.len())
            .into_iter()
            .filter_map(|events| {
                let events: Vec<u64> = chosen_events(&came, events).copied().collect();
                self.reference_after(&references.before.machine, &events)
            })
            .collect();
        let mut rest = machine.clone();
        rest.give_interrupts();
        interrupted.extend(self.completed_by(rest, made, references));
        interrupted
    }

    /// The round completed with other readings of what it had not asked for when power failed: nobody knows what it would
    /// have got. Nor of what it has asked for since a write before, if the failure left nothing of that: then these get
    /// to the same state.
    fn completed_with_other_readings(
        &mut self,
        machine: &Machine<'i>,
        made: &[Emission],
        others: &[OtherReadings],
        references: &References<'_, 'i>,
    ) -> Vec<Completed<'i>> {
        let read = self.read_in_round(machine);
        // As if nothing of the round had happened is as if power had failed before it.
        let is_earlier = |kept: &&Kept| kept.readings != read && !kept.readings.is_empty();
        let mut earlier = references.kept.iter().filter(is_earlier);
        let earlier = earlier.next().map(|kept| {
            let mut earlier = references.before.machine.clone();
            earlier.begin_readings(Arc::default());
            earlier.advance(kept.since);
            earlier
        });
        let mut found: Vec<Completed<'i>> = Vec::new();
        for begun in [machine.clone()].into_iter().chain(earlier) {
            for &readings in others {
                let mut rest = begun.clone();
                rest.read_otherwise(readings);
                let completed = self.completed_by(rest, made, references);
                let is_known = |(reference, seen): &Completed<'i>| {
                    let mut known = found.iter();
                    known.any(|(other, seen_there)| {
                        other.machine.memory() == reference.machine.memory() && seen_there == seen
                    })
                };
                found.extend(completed.filter(|completed| !is_known(completed)));
            }
        }
        found
    }

    /// The quiet moment after a round whose rest this machine executes, with all that the world sees of the round. None if
    /// it does not get there, or if that is the moment which is known already.
    fn completed_by(
        &mut self,
        mut rest: Machine<'i>,
        made: &[Emission],
        references: &References<'_, 'i>,
    ) -> Option<Completed<'i>> {
        let after = references.after.as_deref()?;
        let begun = rest.now();
        let round = after.reference.time.saturating_sub(references.before.time);
        let most = (LONGER_ROUNDS * round).clamp(SHORT_ROUND, LEAST_BUDGET);
        let mut world = World::default();
        let arrives = self.go(&mut rest, &mut world, references.goal, most);
        self.spent += rest.now() - begun;
        let seen = with(made, &world.emissions);
        let is_known = rest.memory() == after.reference.machine.memory() && seen == after.emissions;
        if !arrives || is_known {
            return None;
        }
        Some((self.completed_like(after, &rest, &seen), seen))
    }

    /// The reference after a round that was completed in another way than the one that is known.
    fn completed_like(
        &mut self,
        after: &After<'i>,
        machine: &Machine<'i>,
        seen: &[Emission],
    ) -> Reference<'i> {
        let reference = self.reference(machine, FIRST_VISITS);
        match after.reference.set_ups.is_empty() {
            true => reference,
            false => reference.after_set_ups(vec![seen.len()]),
        }
    }

    /// The same, held against the references at the quiet moments before and after, and against these
    /// at which handlers have run.
    pub(super) fn fail_against(
        &mut self,
        machine: &mut Machine<'i>,
        cut: &Cut<'_>,
        references: &mut References<'_, 'i>,
        others: &mut [(Reference<'i>, Vec<Emission>)],
    ) -> Judged {
        let made_since_entry = (references.entry.as_deref())
            .map(|entry| with(&entry.emissions, cut.made))
            .unwrap_or_default();
        let given = Arc::clone(&self.first_boot.readings);
        let kept = references.kept.clone().into_iter();
        let mut kept = kept.map(|kept| kept.readings);
        self.judged_with = Arc::clone(&given);
        let mut reads = Reads::AsGiven;
        // What it comes to with these, and what the reference reads then that may read kept ones first.
        let (mut found, mut others_read) = (None, None);
        let mut completed = None;
        let judged = loop {
            let mut sides = references.sides(cut.made, &made_since_entry);
            for (reference, emissions) in others.iter_mut().chain(&mut completed) {
                sides.push((reference, emissions.as_slice(), cut.made));
            }
            let moment = machine.mark();
            if let Some(tear) = cut.tear {
                tear.apply(machine);
            }
            machine.fail_power();
            machine.begin_boot(Arc::clone(&given));
            let contents = self.meant_contents(machine);
            for (reference, ..) in &mut sides {
                self.give(reference, &contents);
            }
            let mut attempt = Attempt::new(machine.now(), cut.shown_by_boot.unwrap_or(0));
            let judged = self.attempt(machine, &mut attempt, &sides);
            self.recovering.extend(attempt.writers);
            let converged = |judged: &Judged| judged.trial.outcome == Outcome::Converged;
            let asked = match &judged {
                Ok(judged) if !converged(judged) => machine.readings().cloned(),
                _ => None,
            };
            machine.rollback(&moment);
            let judged = match judged {
                Ok(judged) => judged,
                // Recovery takes longer: the references have to be known for longer.
                Err(NeedsMore(visits)) => {
                    for (reference, ..) in &mut sides {
                        self.extend(reference, visits);
                    }
                    continue;
                }
            };
            let Some(asked) = asked else {
                break judged;
            };
            if reads == Reads::AsGiven && !Arc::ptr_eq(&given, &self.first_boot.all) {
                // Where the attempt does not ask, the references get what the one that failed has got.
                reads = Reads::WhereNotAsked;
                let mut all = Readings::clone(&self.first_boot.all);
                all.extend(asked);
                let asked = Arc::new(all);
                self.judged_with = Arc::clone(&asked);
                for (reference, ..) in &mut sides {
                    self.boot_with(reference, (&asked, 0));
                }
            } else if let Some((first, more)) =
                self.next_kept(&mut kept, (machine, cut), &asked, references)
            {
                // What was read in the round may have been kept: as if all of the round came after the failure, and
                // nothing had to be asked for again; or as if it had been completed with what boots read.
                reads = Reads::Kept;
                found.get_or_insert(judged);
                completed = more;
                let before = &mut *references.before;
                let others = others_read.get_or_insert_with(|| Arc::clone(&before.readings));
                let readings = match first.is_empty() {
                    true => Arc::clone(others),
                    false => Arc::new(before_others(&first, others)),
                };
                self.boot_with(before, (&readings, first.len()));
            } else {
                break found.unwrap_or(judged);
            }
        };
        for (reference, ..) in references.sides(cut.made, &made_since_entry) {
            self.boot_with(reference, (&given, 0));
        }
        for (reference, _) in others {
            self.boot_with(reference, (&given, 0));
        }
        judged
    }

    /// The next choice of what may have been kept that makes a difference: what the boot of the quiet moment before reads
    /// first, and the round completed. What a boot that was cut as well has read is kept after that.
    fn next_kept(
        &mut self,
        kept: &mut impl Iterator<Item = Readings>,
        (machine, cut): (&Machine<'i>, &Cut<'_>),
        asked: &Readings,
        references: &References<'_, 'i>,
    ) -> Option<(Readings, Option<Completed<'i>>)> {
        // What the boots after the round ask for.
        let mut later = Cow::Borrowed(asked);
        let of_cut_boot = match cut.is_second() {
            false => Readings::new(),
            true => self.read_in_round(machine),
        };
        if cut.is_second() {
            later.to_mut().extend(of_cut_boot.clone());
        }
        kept.find_map(|round| {
            let completed = self.completed(&round, &later, cut, references);
            let before = match cut.is_second() {
                false => round,
                true => before_others(&round, &of_cut_boot),
            };
            (completed.is_some() || !before.is_empty()).then_some((before, completed))
        })
    }

    /// The quiet moment after the round that was cut, with all that the world sees of it, if the round first reads what
    /// was kept, and then what the boots after it read: what the round had not asked for yet, or has lost, these ask for.
    /// What nobody asks for again is as the round had read it.
    fn completed(
        &mut self,
        kept: &Readings,
        later: &Readings,
        cut: &Cut<'_>,
        references: &References<'_, 'i>,
    ) -> Option<Completed<'i>> {
        let after = references.after.as_deref()?;
        if self.image.is_interruptible() || self.first_boot.all.is_empty() {
            return None;
        }
        let mut round = references.before.machine.clone();
        let begun = round.now();
        let mut readings = (references.kept.first())
            .map(|kept| kept.readings.clone())
            .unwrap_or_default();
        readings.extend(before_others(kept, later));
        round.begin_boot(Arc::new(readings));
        let mut world = World::default();
        let arrives = self.go(&mut round, &mut world, references.goal, LEAST_BUDGET);
        self.spent += round.now() - begun;
        let is_known = round.memory() == after.reference.machine.memory();
        if !arrives || is_known {
            return None;
        }
        let reference = self.completed_like(after, &round, &world.emissions);
        let completed = (reference, world.emissions);
        match cut.is_second() {
            false => Some(completed),
            true => {
                let (reference, seen) = &completed;
                self.after_one_more_boot(&[(reference, seen)], references.goal)
                    .pop()
            }
        }
    }

    /// What the round has read so far.
    pub(super) fn read_in_round(&self, machine: &Machine<'i>) -> Readings {
        let inputs = self.image.bindings().inputs.len() as u32;
        let readings = machine.readings().into_iter().flatten();
        readings
            .filter(|(place, _)| place.input < inputs)
            .map(|(&place, &value)| (place, value))
            .collect()
    }

    fn attempt(
        &mut self,
        machine: &mut Machine<'i>,
        attempt: &mut Attempt,
        references: &[(&mut Reference<'i>, &[Emission], &[Emission])],
    ) -> Result<Judged, NeedsMore> {
        let known = references.iter().map(|(reference, ..)| &reference.boot);
        let longest = known.clone().map(|boot| boot.instructions).max();
        let begun = machine.mark();
        let is_known_for = |visits: usize| {
            let mut boots = known.clone();
            boots.all(|boot| boot.end.is_some() || boot.wanted >= visits)
        };
        let longest_boot = known.clone().map(|boot| boot.visits.len()).max();
        let longest_boot = longest_boot.unwrap_or(0).max(VISITS);
        let extended = is_known_for(VISITS);
        let budget = longest.unwrap_or(0).saturating_mul(4).max(LEAST_BUDGET);
        let until = attempt.begun + budget;
        let mut sides: Vec<Side<'_>> = references
            .iter()
            .map(|(reference, round, made)| {
                Side::new(reference, made).after(round, &references[0].0.boot, self.setting.tags)
            })
            .collect();
        let arrived = loop {
            let arrived = self.to_head(machine, attempt, until);
            self.spent += machine.now() - attempt.begun - attempt.counted;
            attempt.counted = machine.now() - attempt.begun;
            let Arrived::AtHead(head) = arrived else {
                break arrived;
            };
            let shown = attempt.emissions.len();
            attempt.begun_loops.entry(head).or_insert(shown);
            for side in &mut sides {
                if self.compare(machine, attempt, head, side) {
                    return Ok(Judged {
                        trial: self.trial(machine, attempt, Outcome::Converged),
                        time: side.time,
                        against: Vec::new(),
                        reads_otherwise: false,
                        is_dead_end: self.is_dead_end(machine, &Arrived::AtHead(head)),
                    });
                }
            }
            attempt.follow(head, &sides);
            attempt.visits += 1;
            if attempt.visits >= FIRST_VISITS && !extended {
                return Err(NeedsMore(VISITS));
            }
            // What differs and was not accessed yet may still be; a program that ends is compared there. What lies where in
            // a flash part may be another matter for good.
            let is_shifted = |side: &Side<'_>| {
                let mut last = side.last.iter();
                !side.last.is_empty() && last.all(|&(offset, _)| self.is_in_flash(offset))
            };
            let is_open = self.first_boot.end.is_some()
                || sides.iter().any(|side| side.followed.is_some())
                    && !sides.iter().any(is_shifted);
            if attempt.visits >= VISITS && is_open && !self.follows_late {
                self.was_late = true;
                return Ok(Judged {
                    trial: self.trial(machine, attempt, Outcome::Undecided(Undecided::NoMeeting)),
                    time: 0,
                    against: Vec::new(),
                    reads_otherwise: false,
                    is_dead_end: false,
                });
            }
            if attempt.visits >= VISITS && is_open && !is_known_for(LATE_VISITS) {
                return Err(NeedsMore(LATE_VISITS));
            }
            let most = if is_open { longest_boot } else { VISITS };
            if attempt.visits >= most {
                break arrived;
            }
        };
        let longest = match arrived {
            Arrived::Nowhere => LONGEST_CIRCLE,
            Arrived::AtHead(_) | Arrived::Stopped(Stop::Paused) => LONGEST_LOOP,
            Arrived::Stopped(_) => 0,
        };
        let standstill = machine.standstill(longest);
        let is_stuck = |still: &Standstill| !self.waits_for_the_world(still);
        attempt.is_stuck = standstill.as_ref().is_some_and(is_stuck);
        self.spent += u64::from(longest);
        // A loop that the attempt stays in need not be followed for longer than it takes.
        let is_at_rest = (standstill.as_ref()).is_some_and(|still| still.inputs.is_empty());
        let far = standstill.map_or(FAR, |still| (still.after + 2 * still.round).min(FAR));
        let further = match arrived {
            Arrived::AtHead(_) => {
                self.look_further(machine, attempt, &mut sides, references, (far, is_at_rest))
            }
            _ => vec![None; sides.len()],
        };
        let mut worst: Option<(Outcome, u64)> = None;
        let mut against = Vec::new();
        for (side, further) in sides.iter_mut().zip(further) {
            let outcome =
                further.unwrap_or_else(|| self.conclude(machine, attempt, &arrived, side));
            let held = (&*side, &references[0].0.boot);
            let outcome = self.after_next_boots((machine, &begun), &arrived, held, outcome);
            against.push(outcome.clone());
            let better = match (&outcome, &worst) {
                (Outcome::Converged, _) | (_, None) => true,
                (Outcome::Undecided(_), Some((Outcome::Differs(_), _))) => true,
                // Of two with as many differences the later one is told: it is about the round that was cut.
                (Outcome::Differs(these), Some((Outcome::Differs(others), _))) => {
                    self.distance(these) <= self.distance(others)
                }
                _ => false,
            };
            if better {
                worst = Some((outcome, side.time));
            }
        }
        let (outcome, time) = worst.unwrap_or((Outcome::Undecided(Undecided::NoMeeting), 0));
        if outcome != Outcome::Converged && !extended {
            return Err(NeedsMore(VISITS));
        }
        Ok(Judged {
            is_dead_end: outcome == Outcome::Converged && self.is_dead_end(machine, &arrived),
            trial: self.trial(machine, attempt, outcome),
            time,
            against,
            reads_otherwise: false,
        })
    }

    /// How far an attempt is from a reference from which it differs so. What lies where in a flash part may differ and be
    /// right, so that comes before all else.
    fn distance(&self, differences: &[Difference]) -> (bool, usize) {
        let is_in_flash = |difference: &Difference| match difference {
            Difference::Value { offset, .. } => self.is_in_flash(*offset),
            _ => false,
        };
        (!differences.iter().all(is_in_flash), differences.len())
    }

    /// Whether a byte belongs to a flash part.
    fn is_in_flash(&self, offset: u32) -> bool {
        let globals = &self.image.program().globals;
        self.image.bindings().parts.iter().any(|part| {
            let start = self.image.layout().offset_of(part.global);
            let inside = offset.checked_sub(start);
            inside.is_some_and(|inside| u64::from(inside) < globals[part.global].size)
        })
    }

    /// Whether a boot has come to a loop that an undisturbed program without end never comes to, does nothing there, and
    /// stays for ever. Firmware that finds its memory damaged mostly dies so.
    fn is_dead_end(&self, machine: &mut Machine<'i>, arrived: &Arrived) -> bool {
        let loops = match arrived {
            Arrived::AtHead(head) => vec![*head],
            Arrived::Stopped(Stop::Paused) => self.loops.all_around(machine),
            Arrived::Stopped(_) | Arrived::Nowhere => Vec::new(),
        };
        let mut is_stuck = || {
            let standstill = machine.standstill(LONGEST_LOOP);
            standstill.is_some_and(|still| !self.waits_for_the_world(&still))
        };
        self.first_boot.is_never_in(&loops) && is_stuck()
    }

    /// Whether boots come out of a dead end again if power fails a few rounds later: what the program writes in several
    /// rounds does not fit in between. A device that has done its work for good stays where it is.
    fn is_dead_end_passing(&mut self, references: &References<'_, 'i>) -> bool {
        let Some(after) = references.after.as_deref() else {
            return false;
        };
        let mut machine = after.reference.machine.clone();
        for _ in 0..ROUNDS_TO_LIFE {
            let begun = machine.now();
            let goes_on = self.go(
                &mut machine,
                &mut World::default(),
                references.goal,
                LEAST_BUDGET,
            );
            self.spent += machine.now() - begun;
            if !goes_on {
                return false;
            }
            let boot = self.reference(&machine, FIRST_VISITS).boot;
            if boot.end.is_none() && !self.first_boot.never_comes_to(&boot) {
                return true;
            }
        }
        false
    }

    /// Whether a loop waits for what a peripheral may do.
    fn waits_for_the_world(&self, standstill: &Standstill) -> bool {
        let mut reads = standstill.reads.iter();
        standstill.waits
            && reads.any(|&(offset, _)| {
                let segment = self.image.layout().segment(offset);
                let kind = segment.map(|segment| segment.kind);
                matches!(kind, Some(SegmentKind::Registers | SegmentKind::Window))
            })
    }

    fn trial(&self, machine: &Machine<'i>, attempt: &Attempt, outcome: Outcome) -> Trial {
        let reached = Reached {
            instructions: machine.now() - attempt.begun,
            halt: Halt::Rest,
        };
        Trial {
            outcome,
            seen: Seen::WhereTheyMeet,
            failures: 1,
            found: Vec::new(),
            continuous: reached,
            intermittent: reached,
        }
    }
}

/// The first access to a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Overwritten,
}

/// The boot after a failure.
#[derive(Clone)]
pub(super) struct Attempt {
    pub(super) begun: u64,
    pub(super) counted: u64,
    /// How much the boot before had shown, if that was cut as well.
    pub(super) shown_by_cut_boot: usize,
    pub(super) emissions: Vec<Emission>,
    /// How often each loop head has been visited before.
    pub(super) heads: FxHashMap<u32, u32>,
    /// How much the world had seen at the first visit of each.
    pub(super) begun_loops: FxHashMap<u32, usize>,
    pub(super) visits: usize,
    /// Whether it comes back to the same state again and again, and waits for nothing from outside.
    pub(super) is_stuck: bool,
    /// Bytes that are followed, with their first access since.
    pub(super) accesses: FxHashMap<u32, Option<Access>>,
    /// The operations that have written something, or called a function.
    pub(super) writers: FxHashSet<u32>,
    pub(super) passes_head: bool,
}

impl Attempt {
    fn new(begun: u64, shown_by_cut_boot: usize) -> Self {
        Self {
            begun,
            counted: 0,
            shown_by_cut_boot,
            emissions: Vec::new(),
            heads: FxHashMap::default(),
            begun_loops: FxHashMap::default(),
            visits: 0,
            is_stuck: false,
            accesses: FxHashMap::default(),
            writers: FxHashSet::default(),
            passes_head: false,
        }
    }

    /// From here on these bytes are followed.
    pub(super) fn follow(&mut self, head: u32, sides: &[Side<'_>]) {
        *self.heads.entry(head).or_default() += 1;
        self.accesses.clear();
        let followed = sides.iter().filter_map(|side| side.followed.as_ref());
        self.accesses
            .extend(followed.flatten().map(|&offset| (offset, None)));
    }

    #[inline]
    fn note(&mut self, offset: u32, size: u32, access: Access) {
        if self.accesses.is_empty() {
            return;
        }
        for offset in offset..offset + size {
            if let Some(first) = self.accesses.get_mut(&offset) {
                first.get_or_insert(access);
            }
        }
    }
}

impl Observer for Attempt {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        self.note(offset, bytes.len() as u32, Access::Read);
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.writers.insert(at.pc);
        self.note(offset, new.len() as u32, Access::Overwritten);
    }

    fn call(&mut self, at: Moment, _: Func, _: u32) {
        self.writers.insert(at.pc);
    }

    fn loop_head(&mut self, _: Moment) -> ControlFlow<()> {
        self.passes_head = true;
        ControlFlow::Break(())
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.emissions.push(Emission::Text(bytes.to_vec()));
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        let args = args.to_vec();
        self.emissions.push(Emission::Output { index, args });
    }
}

impl Pauses for Attempt {
    fn passes_head(&mut self) -> bool {
        std::mem::take(&mut self.passes_head)
    }
}
