//! Attempts: a boot after a power failure, compared with the boots of both references.

use std::ops::ControlFlow;
use std::sync::Arc;

use brownout_ir::Func;
use brownout_vm::{Machine, Moment, Observer, Readings, Standstill, Stop, Stream};
use rustc_hash::{FxHashMap, FxHashSet};

use super::blame::Judged;
use super::boot::{Arrived, Kept, Reference, References};
use super::compare::{Side, with};
use super::completed::{Completed, FREQUENT_READINGS, LATER_READINGS, before_others};
use super::further::FAR;
use super::round::Round;
use super::{
    FIRST_VISITS, LATE_VISITS, LEAST_BUDGET, LONGEST_LOOP, Pauses, RestartExplorer, VISITS,
};
use crate::emissions::Emission;
use crate::stores::Tear;
use crate::{Difference, Halt, Outcome, Reached, Seen, Trial, Undecided};

/// Boots that come back to the same state within so many operations are stuck: a counter of 16 bits that
/// missed its end has come round again by then.
const LONGEST_CIRCLE: u32 = 1 << 20;

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

/// A power failure as its references are told of it.
pub(super) struct Cut<'f> {
    /// What the world has seen since the quiet moment before.
    pub(super) made: &'f [Emission],
    /// What of the write before it is not there.
    pub(super) tear: Option<&'f Tear>,
    /// If it is the second one, in the boot after the first: what is known of that boot.
    boot: Option<CutBoot<'f>>,
}

/// A boot after a power failure that is cut as well.
#[derive(Clone, Copy)]
pub(super) struct CutBoot<'f> {
    /// How much of what the world has seen it has shown.
    pub(super) shown: usize,
    /// What it had read at its last writes, the latest first.
    pub(super) kept: &'f [Kept],
}

impl<'f> Cut<'f> {
    /// A second failure, in this boot.
    pub(super) fn second(made: &'f [Emission], boot: CutBoot<'f>) -> Self {
        Self {
            made,
            tear: None,
            boot: Some(boot),
        }
    }

    pub(super) const fn is_second(&self) -> bool {
        self.boot.is_some()
    }

    /// What the boot that is cut as well may have kept of what it has read; nothing if there is none.
    fn kept_by_boot(&self) -> Vec<Readings> {
        let kept = self.boot.map_or(&[][..], |boot| boot.kept);
        match kept {
            [] => vec![Readings::new()],
            kept => kept.iter().map(|kept| kept.readings.clone()).collect(),
        }
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
        references: &mut References<'_, 'i>,
    ) -> Judged {
        let cut = Cut {
            made: &round.emissions[..seen.min(round.emissions.len())],
            tear,
            boot: None,
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
        if self.image.is_interruptible() || !machine.interrupts().is_empty() {
            let mut interrupted = self.with_handlers(machine, cut.made, references);
            if !interrupted.is_empty() {
                judged = self.fail_against(machine, cut, references, &mut interrupted);
            }
        }
        if is_settled(&judged) || self.first_boot.all.is_empty() {
            return judged;
        }
        // What comes in after an output may be an answer to it: the world knows what it would have been.
        let is_free = cut.made.is_empty();
        let mut completed = Vec::new();
        for readings in [&FREQUENT_READINGS[..], &LATER_READINGS] {
            let mut others =
                self.completed_with_other_readings(machine, cut.made, readings, references);
            if is_free
                && let Some(settled) = self.fail_otherwise(machine, cut, references, &mut others)
            {
                return settled;
            }
            completed.append(&mut others);
        }
        // But that there was no answer makes no difference to a boot that asks again.
        let mut repeated = self.repeated_by_boots(cut.made, completed, references);
        let settled = self.fail_otherwise(machine, cut, references, &mut repeated);
        settled.unwrap_or(judged)
    }

    /// The same, held against rounds that were completed in another way, too; what it comes to, if that is no harm.
    fn fail_otherwise(
        &mut self,
        machine: &mut Machine<'i>,
        cut: &Cut<'_>,
        references: &mut References<'_, 'i>,
        others: &mut [Completed<'i>],
    ) -> Option<Judged> {
        if others.is_empty() {
            return None;
        }
        let judged = self.fail_against(machine, cut, references, others);
        (judged.trial.outcome == Outcome::Converged).then_some(Judged {
            reads_otherwise: true,
            ..judged
        })
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
        // Who ended a sleep is read again if the boot sleeps again, whatever else was kept.
        let kept = references.kept.clone().into_iter();
        let kept = kept.flat_map(|kept| {
            let mut awake = kept.readings.clone();
            awake.retain(|place, _| !place.is_sleep());
            let is_other = !awake.is_empty() && awake != kept.readings;
            [kept.readings].into_iter().chain(is_other.then_some(awake))
        });
        let by_boot = cut.kept_by_boot();
        let mut kept = kept.flat_map(|round| {
            let by_boot = by_boot.iter().cloned();
            by_boot.map(move |boot| (round.clone(), boot))
        });
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
            let mut attempt = Attempt::new(machine.now(), cut.boot.map_or(0, |boot| boot.shown));
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
