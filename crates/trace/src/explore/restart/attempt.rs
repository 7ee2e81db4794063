//! Attempts: a boot after a power failure, compared with the boots of both references.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use brownout_vm::{Fault, Machine, Moment, Observer, Readings, SegmentKind, Stop, Stream};
use rustc_hash::{FxHashMap, FxHashSet};

use super::boot::{self, After, Arrived, Boot, Entry, Reference};
use super::round::{Round, Writing};
use super::{FIRST_VISITS, LATE_VISITS, LEAST_BUDGET, Pauses, RestartExplorer, VISITS};
use crate::calls::user_operation;
use crate::explore::emissions::{self, Emission};
use crate::explore::stores::Tear;
use crate::explore::{
    Difference, Halt, Outcome, Reached, Seen, Trial, Undecided, chosen_events, event_sets,
};
use crate::objects::Object;

/// Boots that come back to the same state within so many operations are stuck: a counter of 16 bits that
/// missed its end has come round again by then.
const LONGEST_CIRCLE: u32 = 1 << 20;

/// The references have to be followed for so many visits.
struct NeedsMore(usize);

/// What a failure comes to.
pub(super) struct Judged {
    /// Held against the reference that it comes closest to.
    pub(super) trial: Trial,
    /// When the quiet moment of that one is.
    pub(super) time: u64,
    /// Held against each of them, unless it agrees with one.
    against: Vec<Outcome>,
}

impl Judged {
    /// What is left of it without what another failure of the round does as well. Of a round that is half
    /// done already, a write adds to what differs from the round not done: it does harm of its own if it
    /// adds to what differs from every reference. What is wrong already, and only gets another wrong value
    /// from what is written elsewhere, is not added.
    pub(super) fn without(&self, other: &Self, writing: &Writing) -> Outcome {
        let own = |outcome: &Outcome, other: &Outcome| {
            let own = outcome.clone().without(other);
            without_what_was_wrong(own, other, writing)
        };
        let mut pairs = self.against.iter().zip(&other.against);
        let adds_nothing = |(outcome, other): (&Outcome, &Outcome)| {
            matches!(outcome, Outcome::Differs(_)) && own(outcome, other) == Outcome::Converged
        };
        if pairs.any(adds_nothing) {
            return Outcome::Converged;
        }
        let closest = self.against.iter().zip(&other.against);
        let closest = closest.rev().find(|(one, _)| **one == self.trial.outcome);
        match closest {
            Some((one, other)) => own(one, other),
            None => own(&self.trial.outcome, &other.trial.outcome),
        }
    }
}

/// What the boots of references read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum References {
    /// What all boots read.
    AsGiven,
    /// What the attempt reads and, where it does not ask, what the boot that failed had read.
    WhereNotAsked,
    /// That of the quiet moment before first reads what the round had read when power failed.
    Kept,
}

/// Readings that begin with others.
fn before_others(first: &Readings, others: &Readings) -> Readings {
    let mut all = first.clone();
    for (&place, &value) in others {
        let asked = first.keys().filter(|one| one.is_where(place)).count() as u32;
        all.insert(place.later(asked), value);
    }
    all
}

/// What is left without objects that were wrong before a write, and that it does not write.
fn without_what_was_wrong(outcome: Outcome, before: &Outcome, writing: &Writing) -> Outcome {
    let (Outcome::Differs(mut own), Outcome::Differs(before)) = (outcome.clone(), before) else {
        return outcome;
    };
    own.retain(|one| match one {
        Difference::Value {
            offset, continuous, ..
        } => {
            let is_written = (*offset..*offset + continuous.len() as u32).contains(&writing.offset);
            let is_same = |other: &Difference| matches!(other, Difference::Value { offset: at, .. } if at == offset);
            is_written || !before.iter().any(is_same)
        }
        _ => true,
    });
    match own.is_empty() {
        true => Outcome::Converged,
        false => Outcome::Differs(own),
    }
}

impl<'i> RestartExplorer<'_, 'i> {
    /// Power fails here; the boot after it is compared with both references, and all of it is undone.
    pub(super) fn fail(
        &mut self,
        machine: &mut Machine<'i>,
        round: &Round<'i>,
        seen: usize,
        tear: Option<&Tear>,
        (before, after, mut entry): (
            &mut Reference<'i>,
            Option<&mut After<'i>>,
            Option<&mut Entry<'i>>,
        ),
    ) -> Judged {
        let made = &round.emissions[..seen.min(round.emissions.len())];
        let came: Vec<u64> = machine.interrupts().iter().map(|&(_, list)| list).collect();
        let sides = (&mut *before, after, entry.as_deref_mut());
        let (plain, after) = self.fail_against(machine, made, tear, sides, &mut []);
        if plain.trial.outcome == Outcome::Converged || came.is_empty() {
            return plain;
        }
        // As if the handlers of the failed attempt had run at the quiet moment before: interrupts are
        // real events.
        let mut interrupted: Vec<(Reference<'i>, Vec<Emission>)> = event_sets(came.len())
            .into_iter()
            .filter_map(|events| {
                let events: Vec<u64> = chosen_events(&came, events).copied().collect();
                self.reference_after(&before.machine, &events)
            })
            .collect();
        let sides = (before, after, entry);
        let (judged, _) = self.fail_against(machine, made, tear, sides, &mut interrupted);
        judged
    }

    /// The same, held against the references at the quiet moments before and after, and against these
    /// at which handlers have run.
    pub(super) fn fail_against<'a>(
        &mut self,
        machine: &mut Machine<'i>,
        made: &[Emission],
        tear: Option<&Tear>,
        (before, mut after, entry): (
            &mut Reference<'i>,
            Option<&'a mut After<'i>>,
            Option<&mut Entry<'i>>,
        ),
        interrupted: &mut [(Reference<'i>, Vec<Emission>)],
    ) -> (Judged, Option<&'a mut After<'i>>) {
        // As if power had failed after the round: the world has to see all of it, in the end.
        let mut sides = vec![(before, &[][..], made)];
        if let Some(After {
            reference,
            emissions,
        }) = after.as_deref_mut()
        {
            sides.push((reference, emissions.as_slice(), made));
        }
        let made_since_entry;
        if let Some(entry) = entry {
            made_since_entry = with(&entry.emissions, made);
            sides.push((&mut entry.reference, &[], &made_since_entry));
        }
        for (reference, emissions) in &mut *interrupted {
            sides.push((reference, emissions.as_slice(), made));
        }
        let given = Arc::clone(&self.first_boot.readings);
        let kept = self.read_in_round(machine);
        self.judged_with = Arc::clone(&given);
        let mut references_read = References::AsGiven;
        let mut found: Option<Judged> = None;
        let judged = loop {
            let moment = machine.mark();
            if let Some(tear) = tear {
                tear.apply(machine);
            }
            machine.fail_power();
            machine.begin_boot(Arc::clone(&given));
            let contents = self.meant_contents(machine);
            for (reference, ..) in &mut sides {
                self.give(reference, &contents);
            }
            let mut attempt = Attempt::new(machine.now());
            let judged = self.attempt(machine, &mut attempt, &sides);
            self.recovering.extend(attempt.writers);
            let mut asked = machine.readings().cloned().unwrap_or_default();
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
            if judged.trial.outcome == Outcome::Converged {
                break judged;
            }
            if references_read == References::AsGiven && !Arc::ptr_eq(&given, &self.first_boot.all)
            {
                // Where the attempt does not ask, the references get what the one that failed has got.
                references_read = References::WhereNotAsked;
                for (&place, &value) in self.first_boot.all.iter() {
                    asked.entry(place).or_insert(value);
                }
                let asked = Arc::new(asked);
                self.judged_with = Arc::clone(&asked);
                for (reference, ..) in &mut sides {
                    self.boot_with(reference, (&asked, 0));
                }
            } else if references_read != References::Kept && !kept.is_empty() {
                // What was read in the round may have been kept: as if all of the round came after the
                // failure, and nothing had to be asked for again.
                references_read = References::Kept;
                found = Some(judged);
                if let Some((before, ..)) = sides.first_mut() {
                    let first = Arc::new(before_others(&kept, &before.readings));
                    self.boot_with(before, (&first, kept.len()));
                }
            } else {
                break found.unwrap_or(judged);
            }
        };
        for (reference, ..) in &mut sides {
            self.boot_with(reference, (&given, 0));
        }
        (judged, after)
    }

    /// What the round has read so far.
    fn read_in_round(&self, machine: &Machine<'i>) -> Readings {
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
            .map(|(reference, round, made)| Side {
                round,
                ..Side::new(reference, made)
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
                    });
                }
            }
            attempt.follow(head, &sides);
            attempt.visits += 1;
            if attempt.visits >= FIRST_VISITS && !extended {
                return Err(NeedsMore(VISITS));
            }
            // What differs and was not accessed yet may still be; a program that ends is compared there.
            let is_open =
                self.first_boot.end.is_some() || sides.iter().any(|side| side.followed.is_some());
            if attempt.visits >= VISITS && is_open && !is_known_for(LATE_VISITS) {
                return Err(NeedsMore(LATE_VISITS));
            }
            let most = if is_open { longest_boot } else { VISITS };
            if attempt.visits >= most {
                break arrived;
            }
        };
        if matches!(arrived, Arrived::Nowhere) {
            attempt.is_stuck = machine.standstill(LONGEST_CIRCLE).is_some();
            self.spent += u64::from(LONGEST_CIRCLE);
        }
        let further = match arrived {
            Arrived::AtHead(_) => self.look_further(machine, attempt, &mut sides, references),
            _ => vec![None; sides.len()],
        };
        let mut worst: Option<(Outcome, u64)> = None;
        let mut against = Vec::new();
        for (side, further) in sides.iter_mut().zip(further) {
            let outcome =
                further.unwrap_or_else(|| self.conclude(machine, attempt, &arrived, side));
            against.push(outcome.clone());
            let better = match (&outcome, &worst) {
                (Outcome::Converged, _) | (_, None) => true,
                (Outcome::Undecided(_), Some((Outcome::Differs(_), _))) => true,
                // Of equals the later one: what is missing of the round that was cut.
                (Outcome::Differs(these), Some((Outcome::Differs(others), _))) => {
                    these.len() <= others.len()
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
            trial: self.trial(machine, attempt, outcome),
            time,
            against,
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

    /// Compares at a visit of a loop head; whether the attempt is in the state of the reference there,
    /// or was at an earlier visit.
    fn compare(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        head: u32,
        side: &mut Side<'_>,
    ) -> bool {
        if side.are_followed_bytes_dead(attempt) {
            return true;
        }
        let nth = attempt.heads.get(&head).copied().unwrap_or(0) as usize;
        let mut same_head = side.boot.visits.iter().filter(|visit| visit.head == head);
        let Some(visit) = same_head.nth(nth) else {
            return false;
        };
        let bytes = side.boot.differing(visit, machine);
        let bytes = self.compared(machine, bytes, |&(offset, _)| offset);
        let follows = self.follows(attempt, side, visit.seen)
            || self.follows_from_loop(attempt, side, visit.seen, head);
        let registers = machine.live_registers() == visit.registers
            && side.is_asked_as_often(visit.asked, machine);
        side.last.clone_from(&bytes);
        side.follows = follows;
        side.compared_at = visit.seen;
        side.compared = true;
        if !follows || !registers {
            side.followed = None;
            return false;
        }
        if bytes.is_empty() {
            return true;
        }
        if side.followed.is_none() {
            side.followed = Some(bytes.into_iter().map(|(offset, _)| offset).collect());
        }
        false
    }

    /// Whether the world has seen what it should when the boot of a reference has made so many outputs.
    fn follows(&self, attempt: &Attempt, side: &Side<'_>, seen: usize) -> bool {
        let list = with(side.round, &side.boot.emissions[..seen]);
        self.is_right(&list, side.before, &attempt.emissions)
    }

    /// Whether an attempt shows what a list says, given what the world had seen before. What was set when
    /// the round began need not be set again.
    pub(super) fn is_right(
        &self,
        list: &[Emission],
        before: &[Emission],
        made: &[Emission],
    ) -> bool {
        let tags = self.setting.tags;
        emissions::follows(list, before, made, tags)
            || !self.shown.is_empty() && {
                let (list, made) = (with(&self.shown, list), with(&self.shown, made));
                emissions::follows(&list, before, &made, tags)
            }
    }

    /// The same if what boots show before they come to the loop is held against each other, and the rest
    /// of the round that was cut comes after that: whoever prints a line when it boots prints it first.
    fn follows_from_loop(
        &self,
        attempt: &Attempt,
        side: &Side<'_>,
        seen: usize,
        head: u32,
    ) -> bool {
        let first = side.boot.visits.iter().find(|visit| visit.head == head);
        let (Some(first), Some(&begun)) = (first, attempt.begun_loops.get(&head)) else {
            return false;
        };
        let (set_up, rest) = side.boot.emissions[..seen].split_at(first.seen.min(seen));
        let (own_set_up, own_rest) = attempt.emissions.split_at(begun);
        !set_up.is_empty()
            && self.is_right(set_up, &[], own_set_up)
            && self.is_right(&with(side.round, rest), side.before, own_rest)
    }

    /// What is compared at all of bytes that differ: not what nobody can read any more.
    pub(super) fn compared<T>(
        &self,
        machine: &Machine<'i>,
        mut bytes: Vec<T>,
        offset: impl Fn(&T) -> u32,
    ) -> Vec<T> {
        bytes.retain(|byte| {
            let offset = offset(byte);
            let mut ignored = self.setting.ignored.iter();
            !ignored.any(|range| range.contains(&offset)) && !machine.is_dead_local(offset)
        });
        bytes
    }

    /// What is left of a reference that the attempt has not agreed with.
    fn conclude(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        arrived: &Arrived,
        side: &mut Side<'_>,
    ) -> Outcome {
        let end = side.boot.end.as_ref();
        match (arrived, end) {
            (Arrived::Stopped(Stop::Faulted(fault)), _)
                if end.is_none_or(|(stop, _)| *stop != Stop::Faulted(fault.clone())) =>
            {
                Outcome::Differs(vec![self.crash(machine, fault)])
            }
            (Arrived::Stopped(stop), Some((other, memory))) => {
                self.at_end(machine, attempt, (stop, other), memory, side)
            }
            // One of the two comes to an end and the other one goes on.
            (Arrived::Nowhere, _) if attempt.is_stuck && side.boot.goes_on() => {
                Outcome::Differs(vec![Difference::NoProgress {
                    budget: machine.now() - attempt.begun,
                }])
            }
            (Arrived::Stopped(_), None) | (Arrived::AtHead(_) | Arrived::Nowhere, Some(_)) => {
                let is_late = attempt.visits > side.boot.visits.len() + VISITS;
                if matches!(arrived, Arrived::Nowhere)
                    || matches!(arrived, Arrived::AtHead(_)) && !is_late
                {
                    return Outcome::Undecided(Undecided::Budget {
                        budget: machine.now() - attempt.begun,
                    });
                }
                Outcome::Differs(vec![Difference::Path {
                    continuous: side.boot.visits.last().map_or(0, |visit| visit.head),
                    intermittent: user_operation(self.image, machine),
                }])
            }
            (Arrived::Nowhere, None) => Outcome::Undecided(Undecided::Budget {
                budget: machine.now() - attempt.begun,
            }),
            (Arrived::AtHead(_), None) => {
                if side.are_followed_bytes_dead(attempt) {
                    return Outcome::Converged;
                }
                if side.is_unread() {
                    return Outcome::Undecided(Undecided::Unread);
                }
                if !side.compared || self.first_boot.end.is_some() {
                    return Outcome::Undecided(Undecided::NoMeeting);
                }
                self.differs(machine, attempt, side)
            }
        }
    }

    /// Compares at the end of the program: all of non-volatile memory counts, and no stack.
    fn at_end(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        (stop, other): (&Stop, &Stop),
        memory: &[u8],
        side: &mut Side<'_>,
    ) -> Outcome {
        let kept = |offset: &u32| {
            let segment = self.image.layout().segment(*offset);
            segment.is_some_and(|segment| segment.nonvolatile && segment.kind != SegmentKind::Stack)
        };
        let bytes = self.compared(machine, boot::differing(machine, memory), |&offset| offset);
        side.last = bytes
            .into_iter()
            .filter(kept)
            .map(|offset| (offset, memory[offset as usize]))
            .collect();
        side.compared_at = side.boot.emissions.len();
        side.follows = self.follows(attempt, side, side.compared_at);
        let mut outcome = self.differs(machine, attempt, side);
        if let (Stop::Exited { status: one }, Stop::Exited { status: two }) = (other, stop)
            && one != two
        {
            let status = Difference::Output {
                continuous: format!("exit status {one}").into_bytes(),
                intermittent: format!("exit status {two}").into_bytes(),
                unexpected: Vec::new(),
            };
            outcome = match outcome {
                Outcome::Differs(mut differences) => {
                    differences.push(status);
                    Outcome::Differs(differences)
                }
                _ => Outcome::Differs(vec![status]),
            };
        }
        outcome
    }

    /// What differs where the two were compared last.
    fn differs(&self, machine: &Machine<'i>, attempt: &Attempt, side: &Side<'_>) -> Outcome {
        let mut differences = Vec::new();
        let lost = match side.follows {
            true => Vec::new(),
            false => self.lost(attempt, side),
        };
        if !side.follows && lost.is_empty() {
            // What the world sees from the quiet moment before the failure on.
            let continuous = match side.round.is_empty() {
                true => with(side.before, &side.boot.emissions),
                false => with(side.round, &side.boot.emissions),
            };
            let list = with(side.round, &side.boot.emissions[..side.compared_at]);
            let seen = (&list[..], side.before, &attempt.emissions[..]);
            let intermittent = with(side.before, &attempt.emissions);
            let (continuous, intermittent) = emissions::excerpts(&continuous, &intermittent);
            differences.push(Difference::Output {
                continuous: emissions::as_text(self.image, continuous),
                intermittent: emissions::as_text(self.image, intermittent),
                unexpected: emissions::unexpected(self.image, seen, self.setting.tags),
            });
        }
        differences.extend(lost);
        differences.extend(self.values(machine, &side.last));
        if differences.is_empty() {
            Outcome::Converged
        } else {
            Outcome::Differs(differences)
        }
    }

    /// The outputs of the round that was cut that the world never sees, if that is all that is wrong with
    /// what it sees.
    fn lost(&self, attempt: &Attempt, side: &Side<'_>) -> Vec<Difference> {
        let Some(rest) = side.round.strip_prefix(side.before) else {
            return Vec::new();
        };
        let tags = self.setting.tags;
        let list = with(side.before, &side.boot.emissions[..side.compared_at]);
        let is_all = emissions::follows(&list, side.before, &attempt.emissions, tags);
        let mut lost = Vec::new();
        for emission in rest.iter().filter(|_| is_all) {
            match emission {
                Emission::Text(_) => return Vec::new(),
                Emission::Output { index, args, .. } if !tags.optional.contains(index) => {
                    let difference = Difference::Lost {
                        output: *index,
                        args: args.clone(),
                    };
                    if !lost.contains(&difference) {
                        lost.push(difference);
                    }
                }
                Emission::Output { .. } => {}
            }
        }
        lost
    }

    /// The scalars that these bytes belong to: those that survive, or else all.
    pub(super) fn values(&self, machine: &Machine<'i>, bytes: &[(u32, u8)]) -> Vec<Difference> {
        let is_kept = |offset: u32| {
            let segment = self.image.layout().segment(offset);
            segment.is_some_and(|segment| segment.nonvolatile)
        };
        let kept: Vec<(u32, u8)> = bytes
            .iter()
            .copied()
            .filter(|&(offset, _)| is_kept(offset))
            .collect();
        let bytes = if kept.is_empty() { bytes } else { &kept };
        let stack = machine.call_stack();
        let memory = machine.memory();
        let mut differences: Vec<Difference> = Vec::new();
        let mut told = 0..0;
        for &(offset, _) in bytes {
            if told.contains(&offset) {
                continue;
            }
            let frame = stack.owner(offset);
            let part = self.objects.scalar(offset, frame);
            let inside = match part.object {
                Object::Segment(_) => part.start,
                _ => self.objects.inside(offset, frame),
            };
            let start = offset - (inside.saturating_sub(part.start) as u32).min(offset);
            told = start..start + ((part.end - part.start) as u32).max(1);
            let continuous = told.clone().map(|at| {
                let known = bytes.iter().find(|&&(offset, _)| offset == at);
                known.map_or(memory[at as usize], |&(_, byte)| byte)
            });
            differences.push(Difference::Value {
                part,
                offset: start,
                continuous: continuous.collect(),
                intermittent: memory[told.start as usize..told.end as usize].to_vec(),
            });
        }
        differences
    }

    fn crash(&self, machine: &Machine<'i>, fault: &Fault) -> Difference {
        Difference::Crash {
            fault: fault.clone(),
            pc: user_operation(self.image, machine),
        }
    }
}

/// One emission after the other.
pub(super) fn with(before: &[Emission], after: &[Emission]) -> Vec<Emission> {
    before.iter().chain(after).cloned().collect()
}

/// How an attempt compares with one reference.
pub(super) struct Side<'b> {
    boot: &'b Boot,
    /// What the world saw between the quiet moment before the failure and the failure.
    pub(super) before: &'b [Emission],
    /// When its quiet moment is.
    time: u64,
    /// How many of its first readings are those that were kept when power failed.
    kept: usize,
    /// Bytes that are all that differs since an earlier visit, and that nobody has read since.
    pub(super) followed: Option<Vec<u32>>,
    /// The bytes that differed last, with what the reference has there.
    last: Vec<(u32, u8)>,
    /// Whether the world has seen what it should.
    follows: bool,
    /// Whether there was a visit to compare at.
    compared: bool,
    /// How much the world had seen of the reference's boot there.
    compared_at: usize,
    /// Bytes that were read while they differed.
    read: BTreeSet<u32>,
    /// What the world sees of the round in this reference: all of it, if power fails after it.
    pub(super) round: &'b [Emission],
}

impl<'b> Side<'b> {
    fn new(reference: &'b Reference<'_>, before: &'b [Emission]) -> Self {
        Self {
            boot: &reference.boot,
            before,
            time: reference.time,
            kept: reference.kept,
            followed: None,
            last: Vec::new(),
            follows: true,
            compared: false,
            compared_at: 0,
            read: BTreeSet::new(),
            round: &[],
        }
    }

    /// Whether the reference has read what was kept, and apart from that as often as the attempt: only
    /// then the two will go on to read the same.
    pub(super) fn is_asked_as_often(&self, asked: usize, machine: &Machine<'_>) -> bool {
        self.kept == 0 || asked == boot::asked(machine) + self.kept
    }

    /// Whether bytes are followed that nobody has read yet.
    pub(super) fn is_unread(&self) -> bool {
        let followed = self.followed.as_ref();
        followed.is_some_and(|followed| !followed.iter().any(|offset| self.read.contains(offset)))
    }

    /// Drops followed bytes that were overwritten; whether none is left, so that the states were equal
    /// in all that matters.
    pub(super) fn are_followed_bytes_dead(&mut self, attempt: &Attempt) -> bool {
        let Some(followed) = &mut self.followed else {
            return false;
        };
        let is_read = |offset: &&u32| attempt.accesses.get(*offset) == Some(&Some(Access::Read));
        let read = self.read.len();
        self.read.extend(followed.iter().filter(is_read));
        if self.read.len() > read || followed.iter().any(|offset| is_read(&offset)) {
            self.followed = None;
            return false;
        }
        followed.retain(|offset| attempt.accesses.get(offset) != Some(&Some(Access::Overwritten)));
        followed.is_empty()
    }
}

/// The first access to a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Read,
    Overwritten,
}

/// The boot after a failure.
#[derive(Clone)]
pub(super) struct Attempt {
    begun: u64,
    counted: u64,
    pub(super) emissions: Vec<Emission>,
    /// How often each loop head has been visited before.
    pub(super) heads: FxHashMap<u32, u32>,
    /// How much the world had seen at the first visit of each.
    begun_loops: FxHashMap<u32, usize>,
    visits: usize,
    /// Whether it comes back to the same state again and again, and to no loop head.
    is_stuck: bool,
    /// Bytes that are followed, with their first access since.
    accesses: FxHashMap<u32, Option<Access>>,
    /// The operations that have written something.
    writers: FxHashSet<u32>,
    passes_head: bool,
}

impl Attempt {
    fn new(begun: u64) -> Self {
        Self {
            begun,
            counted: 0,
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
