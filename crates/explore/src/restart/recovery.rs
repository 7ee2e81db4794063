//! A second power failure, which cuts recovery short.
//!
//! **Property.** Power fails again while the boot after a failure is on its way to the loop in which the
//! failure was, or to the end of a program that has none. All of that way is one stretch: the failure
//! looks as if power had failed again when that boot began, which leaves what the first failure left, or
//! when it had come to the loop. So attempts are held against the references of the first failure, and
//! against these with one more boot: what a boot does anew by design, both do as often.
//!
//! **Algorithm.** Failures that do no harm by themselves are followed by others, after every write of the
//! boot that leaves non-volatile memory as no failure of the round did before, unless that had read something else. The
//! first of these writes that does harm is to blame.
//!
//! **False negatives.** More than two failures, torn stores of the boot, interrupts, programs that have
//! shown something before they are in a loop, and what a part of the budget leaves out.

use brownout_diag::Torn;
use std::collections::BTreeMap;
use std::sync::Arc;

use brownout_vm::{Machine, Readings, Stop};

use super::attempt::{Cut, CutBoot};
use super::blame::Judged;
use super::boot::{Arrived, Kept, Reference, References, World, differing, note_kept};
use super::compare::with;
use super::everywhere::note;
use super::round::{Round, Writing};
use super::scene::Scene;
use super::{FIRST_VISITS, LEAST_BUDGET, Pauses, RestartExplorer, Restarted, visited};
use crate::calls::Calls;
use crate::emissions::Emission;
use crate::stores::Tear;
use crate::{Outcome, PowerFailure};

/// So many instructions may be spent on second failures.
const BUDGET: u64 = 25_000_000;
/// After so many writes of one boot power fails again.
const WRITINGS: usize = 256;

/// Non-volatile memory where it is not as when the round began, and what the boot has read that power ended.
type Left = (Vec<(u32, u8)>, Readings);

/// What second failures in a round are held against, and what is known of them.
#[derive(Default)]
pub(super) struct Seconds<'i> {
    /// What failures come to, by what they leave.
    known: BTreeMap<Left, Outcome>,
    /// The references of the round after one more boot, with what the world has seen since.
    references: Option<Vec<(Reference<'i>, Vec<Emission>)>>,
}

impl<'i> RestartExplorer<'_, 'i> {
    /// Keeps in mind what the first failure here comes to.
    pub(super) fn know_first(
        &self,
        machine: &mut Machine<'i>,
        tear: Option<&Tear>,
        (before, outcome): (&Reference<'i>, &Outcome),
        seconds: &mut Seconds<'i>,
    ) {
        let moment = machine.mark();
        if let Some(tear) = tear {
            tear.apply(machine);
        }
        let left = self.left(machine, before);
        machine.rollback(&moment);
        seconds.known.insert(left, outcome.clone());
    }

    /// After a first failure here, lets power fail again after every write on the way of the next boot.
    pub(super) fn fail_again(
        &mut self,
        machine: &mut Machine<'i>,
        round: &Round<'i>,
        (writing, torn, tear): (&Writing, Option<Torn>, Option<&Tear>),
        against: &mut References<'_, 'i>,
        seconds: &mut Seconds<'i>,
        result: &mut Restarted,
    ) {
        // What the world has seen since the entry is not matched with two boots.
        let has_shown = (against.entry.as_ref()).is_some_and(|entry| !entry.emissions.is_empty());
        if has_shown || self.image.is_interruptible() || self.spent_on_seconds >= BUDGET {
            return;
        }
        let spent = self.spent;
        let moment = machine.mark();
        self.boot_after(machine, tear);
        let begun = machine.now();
        let mut boot = Round::new(Calls::new(self.image), None);
        let arrives = self.go(machine, &mut boot, against.goal, LEAST_BUDGET);
        self.spent += machine.now() - begun;
        machine.rollback(&moment);
        let mut inherited = Outcome::Converged;
        let writings = if arrives { &boot.writings[..] } else { &[] };
        let mut kept: Option<Vec<Kept>> = None;
        for second in writings.iter().take(WRITINGS) {
            let moment = machine.mark();
            self.boot_after(machine, tear);
            let kept = kept.get_or_insert_with(|| vec![Kept::at_beginning(machine)]);
            machine.advance(second.time);
            self.spent += second.time - begun;
            note_kept(kept, machine, self.read_in_round(machine));
            if self.is_in_round(machine) {
                machine.rollback(&moment);
                continue;
            }
            let left = self.left(machine, against.before);
            let known = seconds.known.get(&left).cloned();
            let outcome = known.unwrap_or_else(|| {
                let made = with(
                    &round.emissions[..writing.seen],
                    &boot.emissions[..second.seen],
                );
                let references = seconds
                    .references
                    .get_or_insert_with(|| self.after_one_more_boot(&against.list(), against.goal));
                let judged = self.fail_against(
                    machine,
                    &Cut::second(
                        &made,
                        CutBoot {
                            shown: second.seen,
                            kept,
                        },
                    ),
                    against,
                    references,
                );
                result.failures += 1;
                let failure = PowerFailure {
                    again: Some(second.time - begun),
                    torn,
                    ..PowerFailure::at(writing.time)
                };
                // What comes after a write that does harm only adds to it.
                if inherited == Outcome::Converged {
                    note(second, failure, &judged, [], result);
                }
                judged.trial.outcome
            });
            machine.rollback(&moment);
            seconds.known.insert(left, outcome.clone());
            inherited = outcome;
        }
        self.spent_on_seconds += self.spent - spent;
    }

    /// Power fails here, and a boot begins.
    fn boot_after(&self, machine: &mut Machine<'i>, tear: Option<&Tear>) {
        if let Some(tear) = tear {
            tear.apply(machine);
        }
        machine.fail_power();
        machine.begin_boot(Arc::clone(&self.first_boot.readings));
    }

    /// The head of the loop that boots are on their way to, if there is one: that of the round, or else
    /// of the loop that the program stays in.
    pub(super) fn goal(&self, round: Option<u32>) -> Option<u32> {
        let settled = self.first_boot.settled.as_ref();
        round.or_else(|| settled.map(|(settled, _)| visited(settled)))
    }

    /// Lets power fail here, and again so many instructions after the boot.
    pub(super) fn emulate_again(
        &mut self,
        scene: &mut Scene<'i>,
        (seen, tear, again): (usize, Option<&Tear>, u64),
    ) -> Judged {
        let Scene {
            machine,
            round,
            before,
            after,
            entry,
            goal,
            kept,
        } = scene;
        let references = &mut References {
            before,
            after: after.as_mut(),
            entry: entry.as_mut(),
            goal: *goal,
            kept: std::mem::take(kept),
        };
        let mut further = self.after_one_more_boot(&references.list(), references.goal);
        let moment = machine.mark();
        self.boot_after(machine, tear);
        let mut boot = Round::new(Calls::new(self.image), None);
        let until = machine.now().saturating_add(again);
        while machine.now() < until && machine.watch(&mut boot, until) == Stop::Paused {}
        machine.rollback(&moment);
        self.boot_after(machine, tear);
        let mut kept = vec![Kept::at_beginning(machine)];
        let writes = boot.writings.iter().map(|writing| writing.time);
        for moment in writes.filter(|&write| write < until).chain([until]) {
            machine.advance(moment);
            note_kept(&mut kept, machine, self.read_in_round(machine));
        }
        let made = with(&round.emissions[..seen], &boot.emissions);
        let cut_boot = CutBoot {
            shown: boot.emissions.len(),
            kept: &kept,
        };
        let cut = Cut::second(&made, cut_boot);
        let judged = self.fail_against(machine, &cut, references, &mut further);
        machine.rollback(&moment);
        judged
    }

    /// Runs to a loop head, or to the end; whether it gets there within so many instructions.
    pub(super) fn go(
        &self,
        machine: &mut Machine<'i>,
        observer: &mut impl Pauses,
        goal: Option<u32>,
        most: u64,
    ) -> bool {
        let until = machine.now() + most;
        loop {
            match self.to_head(machine, observer, until) {
                Arrived::AtHead(head) if Some(head) == goal => return true,
                Arrived::AtHead(_) => {}
                Arrived::Stopped(stop) => return !matches!(stop, Stop::Faulted(_)),
                Arrived::Nowhere => return false,
            }
        }
    }

    /// References whose boots come to the loop, where power fails again.
    pub(super) fn after_one_more_boot(
        &mut self,
        references: &[(&Reference<'i>, &[Emission])],
        goal: Option<u32>,
    ) -> Vec<(Reference<'i>, Vec<Emission>)> {
        let mut later = Vec::new();
        for (reference, seen) in references {
            let mut machine = reference.machine.clone();
            self.boot_after(&mut machine, None);
            let mut world = World::default();
            if self.go(&mut machine, &mut world, goal, LEAST_BUDGET) {
                let mut again = self.reference(&machine, FIRST_VISITS);
                again.time = reference.time;
                // Of a program that ends, what a boot does is its work.
                if self.first_boot.end.is_none() {
                    let set_ups = reference.set_ups.iter().copied();
                    again.set_ups = set_ups.chain([world.emissions.len()]).collect();
                }
                later.push((again, with(seen, &world.emissions)));
            }
        }
        later
    }

    /// What a failure here leaves.
    fn left(&self, machine: &Machine<'i>, before: &Reference<'i>) -> Left {
        let memory = machine.memory();
        let layout = self.image.layout();
        let changed = differing(machine, before.machine.memory()).into_iter();
        let changed = changed
            .filter(|&offset| layout.outlasts_calls(offset))
            .map(|offset| (offset, memory[offset as usize]));
        (changed.collect(), self.read_in_round(machine))
    }
}
