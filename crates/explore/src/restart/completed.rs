//! Rounds that power cut, completed: what they would have come to had power lasted.
//!
//! Nobody knows what a round would have read from there on, or which handlers would have come: each way of completing it
//! gives a reference at the quiet moment after it.

use std::borrow::Cow;
use std::sync::Arc;

use brownout_vm::{Machine, OtherReadings, Readings};

use super::attempt::Cut;
use super::boot::{After, Kept, Reference, References, World};
use super::compare::with;
use super::{FIRST_VISITS, LEAST_BUDGET, RestartExplorer};
use crate::emissions::Emission;
use crate::{chosen_events, event_sets};

/// A round that was cut is completed with other readings of what it had not asked for: as far as inputs can give that at
/// any time, with what is mostly tested for.
pub(super) const FREQUENT_READINGS: [OtherReadings; 3] = [
    OtherReadings::Always(0),
    OtherReadings::Always(1),
    OtherReadings::Always(i64::MAX),
];

/// And with what the scenario gives so many readings later.
pub(super) const LATER_READINGS: [OtherReadings; 8] = [
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

/// A quiet moment after a round, and what the world sees of the round.
pub(super) type Completed<'i> = (Reference<'i>, Vec<Emission>);

/// Readings that begin with others.
pub(super) fn before_others(first: &Readings, others: &Readings) -> Readings {
    let later = others.iter().map(|(&place, &value)| {
        let asked = first.range(place.all_there()).count() as u32;
        (place.later(asked), value)
    });
    let first = first.iter().map(|(&place, &value)| (place, value));
    first.chain(later).collect()
}

impl<'i> RestartExplorer<'_, 'i> {
    /// References for the handlers that came in the failed attempt, which were real events: they run at the quiet moment
    /// before. And the round completed without those that had not come yet, which have not happened.
    pub(super) fn with_handlers(
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
        interrupted.extend(self.completed_by(rest, World::default(), made, references));
        interrupted
    }

    /// The round completed with other readings of what it had not asked for when power failed: nobody knows what it would
    /// have got. Nor of what it has asked for since a write before, if the failure left nothing of that: then these get
    /// to the same state.
    pub(super) fn completed_with_other_readings(
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
                let world = World::noting_rewritten();
                let completed = self.completed_by(rest, world, made, references);
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

    /// Completed rounds after which a boot begins with all that they have shown, if that depends on what they have read: a
    /// message that is sent until an answer comes. What the world had not seen when power failed is sent once less.
    pub(super) fn repeated_by_boots(
        &mut self,
        made: &[Emission],
        completed: Vec<Completed<'i>>,
        references: &References<'_, 'i>,
    ) -> Vec<Completed<'i>> {
        let Some(after) = references.after.as_deref() else {
            return Vec::new();
        };
        let round = self.completed_like(after, &after.reference.machine, &after.emissions);
        let mut all = vec![(round, after.emissions.clone())];
        all.extend(completed);
        let is_repeated = |(reference, seen): &Completed<'i>| {
            !seen.is_empty() && reference.boot.emissions.starts_with(seen)
        };
        let (repeated, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_repeated);
        let is_answered = |(_, seen): &Completed<'i>| others.iter().any(|(_, other)| other == seen);
        repeated
            .into_iter()
            .filter(is_answered)
            .map(|(reference, _)| (reference, made.to_vec()))
            .collect()
    }

    /// The quiet moment after a round whose rest this machine executes, with all that the world sees of the round. None if
    /// it does not get there, or if that is the moment which is known already, or if a reading would only by chance have been
    /// what is there anyway.
    fn completed_by(
        &mut self,
        mut rest: Machine<'i>,
        mut world: World,
        made: &[Emission],
        references: &References<'_, 'i>,
    ) -> Option<Completed<'i>> {
        let after = references.after.as_deref()?;
        let begun = rest.now();
        let round = after.reference.time.saturating_sub(references.before.time);
        let most = (LONGER_ROUNDS * round).clamp(SHORT_ROUND, LEAST_BUDGET);
        let arrives = self.go(&mut rest, &mut world, references.goal, most);
        self.spent += rest.now() - begun;
        let seen = with(made, &world.emissions);
        let is_known = rest.memory() == after.reference.machine.memory() && seen == after.emissions;
        if !arrives || is_known || self.is_by_chance(&rest, &world, after) {
            return None;
        }
        Some((self.completed_like(after, &rest, &seen), seen))
    }

    /// Whether a round that was completed with other readings has stored to non-volatile memory what was there already,
    /// where the round itself stores something else: that a calibration comes to zero does not excuse that it was never made.
    fn is_by_chance(&self, rest: &Machine<'i>, world: &World, after: &After<'i>) -> bool {
        let mut rewritten = world.rewritten.iter().flatten();
        rewritten.any(|range| {
            let segment = self.image.layout().segment(range.start);
            let range = range.start as usize..range.end as usize;
            segment.is_some_and(|segment| segment.nonvolatile)
                && rest.memory().get(range.clone()) != after.reference.machine.memory().get(range)
        })
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

    /// The next choice of what may have been kept that makes a difference: what the boot of the quiet moment before reads
    /// first, and the round completed. What a boot that was cut as well may have kept comes after that.
    pub(super) fn next_kept(
        &mut self,
        kept: &mut impl Iterator<Item = (Readings, Readings)>,
        (machine, cut): (&Machine<'i>, &Cut<'_>),
        asked: &Readings,
        references: &References<'_, 'i>,
    ) -> Option<(Readings, Option<Completed<'i>>)> {
        // What the boots after the round ask for.
        let mut later = Cow::Borrowed(asked);
        if cut.is_second() {
            later.to_mut().extend(self.read_in_round(machine));
        }
        kept.find_map(|(round, by_boot)| {
            let completed = self.completed(&round, &later, cut, references);
            let before = before_others(&round, &by_boot);
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
        let readings = machine.readings().into_iter().flatten();
        readings
            .filter(|(place, _)| !place.is_interrupt())
            .map(|(&place, &value)| (place, value))
            .collect()
    }
}
