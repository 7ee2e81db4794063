//! Power failures after the writes of a round.
//!
//! A round of a loop has few writes, and power fails after each. The way through set-up code, with loops
//! that only compute, may have a hundred thousand: of what one operation writes again and again, the
//! first writes are followed by a failure, the last ones, and fewer and fewer in between.

use std::collections::BTreeMap;
use std::rc::Rc;

use brownout_vm::Machine;

use super::blame::Judged;
use super::boot::{References, note_kept};
use super::recovery::Seconds;
use super::round::{Round, Writing};
use super::{RestartExplorer, Restarted};
use crate::stores::{self, Tear};
use crate::{Harm, Outcome, PowerFailure, Trial};

/// After every one of so many writes of a round power fails.
const ALL: usize = 1 << 10;
/// If there are more: after so many of the first ones of each operation and so many of the last ones, and
/// after a part of those in between.
const FIRST: usize = 64;
const LAST: usize = 16;

/// Which writes of a round are followed by a failure. Those of one library call are, or are not.
fn chosen(writings: &[Writing]) -> Vec<bool> {
    if writings.len() <= ALL {
        return vec![true; writings.len()];
    }
    let is_one_call = |a: &Writing, b: &Writing| a.call.is_some() && a.call == b.call;
    let calls = || writings.chunk_by(is_one_call);
    let mut totals: BTreeMap<u32, usize> = BTreeMap::new();
    for call in calls() {
        *totals.entry(call[0].pc).or_default() += 1;
    }
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut chosen = Vec::with_capacity(writings.len());
    for call in calls() {
        let pc = call[0].pc;
        let count = counts.entry(pc).or_default();
        // Sixteen of each power of two.
        let step = (count.next_power_of_two() / 32).max(1);
        let is_chosen =
            *count < FIRST || count.is_multiple_of(step) || *count + LAST >= totals[&pc];
        *count += 1;
        chosen.extend(std::iter::repeat_n(is_chosen, call.len()));
    }
    chosen
}

impl<'i> RestartExplorer<'_, 'i> {
    /// Lets power fail after every write of a round.
    pub(super) fn fail_everywhere(
        &mut self,
        machine: &mut Machine<'i>,
        round: &Round<'i>,
        references: &mut References<'_, 'i>,
        goes_on: &dyn Fn(u64) -> bool,
        result: &mut Restarted,
    ) {
        let mut seconds = Seconds::default();
        // What a failure right before the write does, and right before the call that it belongs to.
        let mut inherited: Option<Rc<Judged>> = None;
        let (mut call, mut before_call) = (None, None);
        // How much the world had seen at the last write.
        let mut seen = 0;
        let chosen = chosen(&round.writings);
        for (number, writing) in round.writings.iter().enumerate() {
            // What a write inherits is what a failure after the one before it does.
            let is_chosen = chosen[number];
            if !is_chosen && !chosen.get(number + 1).is_some_and(|&next| next) {
                continue;
            }
            if !goes_on(self.spent) {
                result.complete = false;
                return;
            }
            let last = machine.mark();
            machine.advance(writing.time);
            let readings = self.read_in_round(machine);
            note_kept(&mut references.kept, machine, readings);
            let whole = Rc::new(self.fail(machine, round, writing.seen, None, references));
            result.failures += 1;
            let does_harm = |judged: &Judged| judged.trial.outcome != Outcome::Converged;
            if does_harm(&whole)
                && writing.seen > seen
                && inherited.as_deref().is_some_and(does_harm)
            {
                // What the world has seen since the last write may have put it right.
                machine.rollback(&last);
                machine.advance(writing.time - 1);
                let before = self.fail(machine, round, writing.seen, None, references);
                inherited = Some(Rc::new(before));
                result.failures += 1;
                machine.advance(writing.time);
            }
            seen = writing.seen;
            if writing.call.is_none() || writing.call != call {
                (call, before_call) = (writing.call, inherited.take());
            }
            inherited = Some(Rc::clone(&whole));
            if !is_chosen {
                continue;
            }
            let failure = PowerFailure::at(writing.time);
            note(writing, failure, &whole, before_call.as_deref(), result);
            let outcome = &whole.trial.outcome;
            self.know_first(machine, None, (&*references.before, outcome), &mut seconds);
            if whole.is_like_references() {
                let first = (writing, None, None);
                self.fail_again(machine, round, first, references, &mut seconds, result);
            }
            if let Some(atomic) = self.setting.atomic_write {
                for cut in stores::tears(self.image.layout(), &writing.stores, atomic) {
                    let tear = Tear::new(&writing.stores, cut);
                    let torn = self.fail(machine, round, writing.seen, tear.as_ref(), references);
                    result.failures += 1;
                    let failure = PowerFailure {
                        torn: Some(cut),
                        ..PowerFailure::at(writing.time)
                    };
                    let others = before_call.as_deref().into_iter().chain([&*whole]);
                    note(writing, failure, &torn, others, result);
                    let outcome = &torn.trial.outcome;
                    self.know_first(
                        machine,
                        tear.as_ref(),
                        (&*references.before, outcome),
                        &mut seconds,
                    );
                    if torn.is_like_references() {
                        let first = (writing, Some(cut), tear.as_ref());
                        self.fail_again(machine, round, first, references, &mut seconds, result);
                    }
                }
            }
        }
    }
}

/// Boots at quiet moments that die are looked into so often: each time the execution begins anew.
const DYING_BOOTS: u32 = 4;

impl RestartExplorer<'_, '_> {
    /// Lets power fail after the last write before a quiet moment at which a boot dies: the round of that write may have been
    /// like many others, and not have been tried.
    pub(super) fn fail_at_last_write(&mut self, time: u64, limit: u64, result: &mut Restarted) {
        if self.dying_boots >= DYING_BOOTS {
            return;
        }
        self.dying_boots += 1;
        let shown = std::mem::take(&mut self.shown);
        let scene = self.approach(time, None, limit);
        self.spent += time;
        if let Ok(mut scene) = scene
            && let Some(at) = (scene.round.writings.iter()).position(|writing| writing.time == time)
        {
            let writing = &scene.round.writings[at];
            let references = &mut References {
                before: &mut scene.before,
                after: scene.after.as_mut(),
                entry: scene.entry.as_mut(),
                goal: scene.goal,
                kept: scene.kept,
            };
            let judged = self.fail(
                &mut scene.machine,
                &scene.round,
                writing.seen,
                None,
                references,
            );
            result.failures += 1;
            note(writing, PowerFailure::at(time), &judged, None, result);
        }
        self.shown = shown;
    }
}

/// Notes what a failure does that others do not.
pub(super) fn note<'o>(
    writing: &Writing,
    failure: PowerFailure,
    judged: &Judged,
    others: impl IntoIterator<Item = &'o Judged>,
    result: &mut Restarted,
) {
    let mut outcome = judged.trial.outcome.clone();
    for other in others {
        outcome = outcome.in_common(judged.without(other, writing));
    }
    match outcome {
        Outcome::Converged => {}
        Outcome::Undecided(why) => {
            let open = (writing.pc, writing.offset, why);
            if !result.undecided.contains(&open) {
                result.undecided.push(open);
            }
        }
        Outcome::Differs(_) => result.harm.push(Harm {
            failure,
            pairs: Vec::new(),
            producer: writing.pc,
            offset: writing.offset,
            trial: Trial {
                outcome,
                ..judged.trial.clone()
            },
        }),
    }
}
