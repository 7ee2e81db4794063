//! Policy `restart`: nothing ever commits, every boot starts at the entry.
//!
//! Quiet are the visits of the head of the outermost loop around the failure, the one before and the
//! one after it; leaving the loop counts as a visit. A loop that the first boot leaves, and between whose
//! visits it neither reads an input nor outputs anything, only computes: its visits are not quiet. Without
//! such a loop quiet are the entry, the moment when the last such loop was left, and the end. A reference is the undisturbed execution whose
//! power fails at one of these moments. From the boot on both get the same inputs, and they have to
//! agree sooner or later: a round is done or not done, in the end never half.
//!
//! A second failure, after one that does no harm by itself, strikes while the boot is on its way to the
//! loop of the first one, or to the end. That way is one stretch: quiet are its beginning and its goal. Other loops on
//! that way have rounds and quiet moments of their own: a second failure does not strike there.

mod next_boots;
mod references;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::references::Reference;
use self::rounds::{Moment, Rounds, run_first_boot};
use crate::clause::Clause;
use crate::device::{Device, Output, Place, Reading, Readings, Step};
use crate::follow::{Comparison, compare};
use crate::judge::{
    Judgements, Options, Repetition, Rest, is_stuck, outermost, run, run_to_end, run_to_visit,
    strikes,
};
use crate::outputs::{self, Extent, Piece};
use crate::setting::Subject;
use crate::verdict::{Effect, Failure, Judged, Last, Verdict, Why};

/// A boot that power ended.
struct Failed<'s> {
    /// The device when power failed.
    device: Device<'s>,
    /// The last quiet moment before, unless that is the entry.
    moment: Option<Moment>,
    /// Whether the failure is in that moment's loop.
    is_inside: bool,
    /// What the boot had read at each of its writes.
    read: Vec<Rc<BTreeMap<Reading, u64>>>,
}

/// What differs after so many rounds of a loop without end is there to stay.
const LATE_ROUNDS: u32 = 96;

/// By how many readings boots after a failure are further than the first one, at most.
const LATER: u32 = 2;
/// A round that was cut is completed with so many other readings.
const OTHER_READINGS: u64 = 8;

struct Judge<'s, 'o> {
    subject: &'s Subject,
    options: &'o Options,
    power_on: Device<'s>,
    /// The first boot without failures, to its end or as far as it goes.
    undisturbed: Device<'s>,
    /// The head of the loop that the program does not leave.
    endless: Option<Place>,
    /// Whether it does nothing in that loop.
    does_nothing_more: bool,
    /// The heads of loops that only compute.
    computing: BTreeSet<Place>,
    judgements: Judgements,
}

pub(crate) fn judge(subject: &Subject, options: &Options) -> Vec<Judged> {
    let power_on = Device::new(subject);
    let mut undisturbed = power_on.clone();
    let (rest, mut computing) = run_first_boot(&mut undisturbed, options);
    if options.lacks(Clause::Computations) {
        computing.clear();
    }
    let endless = match rest {
        Rest::UsedUp => outermost(&undisturbed),
        Rest::Arrived | Rest::Ended | Rest::Died => None,
    };
    let mut judge = Judge {
        subject,
        options,
        power_on: power_on.clone(),
        does_nothing_more: endless.is_some() && is_stuck(&undisturbed, options),
        undisturbed,
        endless,
        computing,
        judgements: Judgements::default(),
    };
    // The world need not be as it was: boots after a failure may also find what inputs gave later.
    let readings = judge.undisturbed.readings.made.clone();
    let later = if readings.is_empty() { 0 } else { LATER };
    for later in 0..=later {
        judge.undisturbed.readings.made = Reading::later(&readings, later, subject).into();
        judge.explore(&mut Vec::new(), power_on.clone());
    }
    judge.judgements.list
}

impl<'s> Judge<'s, '_> {
    fn rounds(&self) -> Rounds {
        Rounds {
            computing: self.computing.clone(),
            only: (self.endless.clone()).filter(|_| !self.options.lacks(Clause::SetUp)),
            ..Rounds::default()
        }
    }

    /// Lets power fail everywhere in a boot.
    fn explore(&mut self, failed: &mut Vec<Failed<'s>>, start: Device<'s>) {
        let mut device = start;
        let mut rounds = self.rounds();
        let goal = failed.first().map(|first| self.goal(first));
        let mut read = vec![Rc::default()];
        let mut before =
            Some(self.fail(failed, &device, (&rounds, &read), (0, Last::Nothing), None));
        let until = device.machine.now() + self.options.instructions;
        while device.machine.now() < until {
            let step = device.step();
            if device.stop.is_some() {
                return;
            }
            let is_quiet = rounds.see(&device);
            let endless = self
                .endless
                .as_ref()
                .and_then(|head| rounds.counts.get(head));
            if endless.is_some_and(|&visits| visits > self.options.failing_rounds) {
                return;
            }
            if let Some(Some(goal)) = &goal
                && device.is_at(goal)
            {
                return;
            }
            if !is_quiet && !is_event(&step, self.options) {
                continue;
            }
            let is_in_other = goal.is_some() && rounds.around.is_some();
            if is_in_other && !self.options.lacks(Clause::OtherRounds) {
                continue;
            }
            let line = self.subject.line(step.pc);
            let mut last = before;
            for strike in strikes(&device, &step, self.options) {
                let after = (line, strike.last);
                last = Some(self.fail(failed, &strike.device, (&rounds, &read), after, before));
            }
            if !step.stores.is_empty() {
                read.push(Rc::clone(&device.readings.made));
            }
            before = last;
        }
    }

    fn fail(
        &mut self,
        failed: &mut Vec<Failed<'s>>,
        device: &Device<'s>,
        (rounds, read): (&Rounds, &[Rc<BTreeMap<Reading, u64>>]),
        (line, did): (u32, Last),
        before: Option<usize>,
    ) -> usize {
        failed.push(Failed {
            device: device.clone(),
            moment: (rounds.latest.clone()).filter(|_| !self.options.lacks(Clause::LoopHeads)),
            is_inside: rounds.around.is_some(),
            read: read.to_vec(),
        });
        let mut last = self.power_on.restored(device, &[]);
        let readings = match self.options.repetition {
            Repetition::Same => Readings::new(self.undisturbed.readings.made.clone(), Vec::new()),
            Repetition::Fresh => Readings::new(BTreeMap::new(), device.readings.next.clone()),
        };
        last.begin_attempt(readings);
        let judged = self.verdict(failed, &last);
        let failure = Failure {
            region: 0,
            number: failed.len() as u32,
            time: device.machine.now(),
            line,
            last: did,
        };
        let is_harmless = judged.0 == Verdict::Harmless;
        let number = self.judgements.add(failure, judged, before, self.options);
        if is_harmless && failed.len() < self.options.failures as usize {
            self.explore(failed, last);
        }
        failed.pop();
        number
    }

    /// Harmless if one reference agrees; else what differs from the one that differs least, of equals
    /// the last: what is missing of the round that was cut. Also what differs from each.
    fn verdict(&self, failed: &[Failed<'s>], start: &Device<'s>) -> (Verdict, Vec<Vec<Effect>>) {
        let mut against: Vec<Vec<Effect>> = Vec::new();
        let mut undecided = None;
        for reference in self.references(failed, &[]) {
            let verdict = self.held_against(&reference, failed, start, None);
            let kept = self.kept(&reference, failed);
            let mut asked = kept.iter().map(Some);
            if verdict == Verdict::Harmless
                || asked.any(|kept| {
                    self.held_against(&reference, failed, start, kept) == Verdict::Harmless
                })
            {
                return (Verdict::Harmless, Vec::new());
            }
            match verdict {
                Verdict::Harmless => {}
                Verdict::Undecided(why) => _ = undecided.get_or_insert(why),
                Verdict::Harm(effects) => against.push(effects),
            }
        }
        let is_alike = |reference: &Reference<'s>| {
            self.held_against(reference, failed, start, None) == Verdict::Harmless
        };
        let first = failed
            .first()
            .filter(|_| !self.options.lacks(Clause::RestReadsAlike));
        let first = first.filter(|_| !self.subject.setting.inputs.is_empty());
        for kept in first.map_or_else(Vec::new, |first| self.may_be_kept(first)) {
            let rest = self.readings_of_rest(failed, &kept, start);
            if self.references(failed, &rest).iter().any(is_alike) {
                return (Verdict::Harmless, Vec::new());
            }
        }
        if self.agrees_with_other_readings(failed, &is_alike) {
            return (Verdict::Harmless, Vec::new());
        }
        let least = against.iter().rev().min_by_key(|effects| effects.len());
        let verdict = match (undecided, least) {
            (None, Some(effects)) => Verdict::Harm(effects.clone()),
            (why, _) => Verdict::Undecided(why.unwrap_or(Why::Instructions)),
        };
        (verdict, against)
    }

    /// Whether one reference agrees if the round that was cut reads something else from the failure on: what it would have
    /// got there, nobody knows. But if it had shown something, that may be an answer.
    fn agrees_with_other_readings(
        &self,
        failed: &[Failed<'s>],
        is_alike: &dyn Fn(&Reference<'s>) -> bool,
    ) -> bool {
        let [failed_once] = failed else { return false };
        let reads_nothing = self.subject.setting.inputs.is_empty();
        if reads_nothing || self.options.lacks(Clause::OtherReadings) {
            return false;
        }
        let next = &failed_once.device.readings.next;
        let mut completed = Vec::new();
        for kept in self.may_be_kept(failed_once) {
            let kept = Rc::new(kept);
            for by in 1..=OTHER_READINGS {
                let later = next.iter().map(|next| next + by).collect();
                let readings = Readings::new(Rc::clone(&kept), later);
                for reference in self.references(failed, &[readings]) {
                    let Some(before) = &reference.before else {
                        continue;
                    };
                    let has_shown_nothing = before.outputs == failed_once.device.outputs;
                    if has_shown_nothing && is_alike(&reference) {
                        return true;
                    }
                    completed.push(reference);
                }
            }
        }
        (self.with_less_sent(failed, completed).iter()).any(is_alike)
    }

    /// Of these references and that with the readings of the undisturbed execution, those whose boots begin with all that the
    /// round has shown, where other readings make them begin with something else; without what the round had not shown yet
    /// when power failed.
    fn with_less_sent(
        &self,
        failed: &[Failed<'s>],
        mut completed: Vec<Reference<'s>>,
    ) -> Vec<Reference<'s>> {
        let shows_nothing = self.undisturbed.outputs.is_empty();
        if shows_nothing || self.options.lacks(Clause::SentAgain) {
            return Vec::new();
        }
        let as_it_was = self.references(failed, &[]).into_iter();
        completed.extend(as_it_was.filter(|reference| reference.before.is_some()));
        let of_round = |reference: &Reference<'s>| -> Vec<Output> {
            let known = (reference.before.as_ref()).map_or(0, |before| before.outputs.len());
            reference.device.outputs[known..].to_vec()
        };
        let sends_again = |reference: &Reference<'s>| {
            let sent = of_round(reference);
            let mut boot = self.reboot(reference, failed, &self.undisturbed);
            run(&mut boot, self.options, |device, _| {
                device.outputs.len() >= sent.len()
            });
            boot.outputs.starts_with(&sent)
        };
        let again: Vec<bool> = completed.iter().map(sends_again).collect();
        let depends = |sent: &[Output]| {
            let mut others = completed.iter().zip(&again);
            others.any(|(other, again)| !again && of_round(other) == sent)
        };
        let mut less = Vec::new();
        for (reference, again) in completed.iter().zip(&again) {
            let sent = of_round(reference);
            if *again && !sent.is_empty() && depends(&sent) {
                let mut reference = reference.clone();
                let shown = failed[0].device.outputs.len();
                reference.device.outputs.truncate(shown);
                less.push(reference);
            }
        }
        less
    }

    /// What differs from the boot of a reference, which first reads once more what was `kept`. What differs in a loop
    /// without end may be gone some rounds later: a mean that forgets, a number that overflows.
    fn held_against(
        &self,
        reference: &Reference<'s>,
        failed: &[Failed<'s>],
        start: &Device<'s>,
        kept: Option<&BTreeMap<Reading, u64>>,
    ) -> Verdict {
        let held_against = |rounds| self.held_against_at(rounds, reference, failed, start, kept);
        if self.options.lacks(Clause::LaterVisits) {
            return held_against(1);
        }
        let verdict = held_against(self.options.rounds);
        match (&verdict, &self.endless) {
            (Verdict::Harm(_), Some(_)) if held_against(LATE_ROUNDS) == Verdict::Harmless => {
                Verdict::Harmless
            }
            _ => verdict,
        }
    }

    /// The same after so many rounds of a loop without end.
    fn held_against_at(
        &self,
        rounds: u32,
        reference: &Reference<'s>,
        failed: &[Failed<'s>],
        start: &Device<'s>,
        kept: Option<&BTreeMap<Reading, u64>>,
    ) -> Verdict {
        let options = self.options;
        let mut endless = self.endless.clone();
        let (mut last, arrival, begun, mut booted, wanted, set_up) = loop {
            // Also how much the world has seen when the loop begins.
            let arrive = |device: &mut Device<'s>| match &endless {
                Some(head) => {
                    let mut first = device.clone();
                    run_to_visit(&mut first, head, 1, options);
                    let set_up = first.outputs.len();
                    (run_to_visit(device, head, rounds, options), set_up)
                }
                None => (run_to_end(device, options), 0),
            };
            let mut last = start.clone();
            let (arrival, own_set_up) = arrive(&mut last);
            let mut booted = self.reboot(reference, failed, &last);
            if let Some(kept) = kept {
                let mut others = (*self.undisturbed.readings.made).clone();
                others.extend((*last.readings.made).clone());
                let readings = Reading::once_more(kept, &others);
                booted.begin_attempt(Readings::new(readings, last.readings.next.clone()));
            }
            let begun = booted.clone();
            let (wanted, set_up) = arrive(&mut booted);
            // Later boots may stay in another loop than the first one.
            if (&arrival, &wanted) == (&Rest::UsedUp, &Rest::UsedUp) {
                let other = outermost(&booted);
                if other.is_some() && other != endless && outermost(&last) == other {
                    endless = other;
                    continue;
                }
            }
            break (last, arrival, begun, booted, wanted, (set_up, own_set_up));
        };
        if options.lacks(Clause::QuietMoments) {
            let elapsed = booted.elapsed();
            last = start.clone();
            run(&mut last, options, |device, _| device.elapsed() >= elapsed);
        } else {
            match (&arrival, &wanted) {
                // A boot of a program without end must not die wherever power fails.
                (Rest::Died, _) if self.endless.is_some() => {
                    return Verdict::Harm(vec![Effect::Crash]);
                }
                (_, Rest::Died) => return Verdict::Undecided(Why::Dies),
                (Rest::Died, _) => return Verdict::Harm(vec![Effect::Crash]),
                (Rest::UsedUp, _) => {
                    let effect = match is_stuck(&last, options) {
                        true => Effect::NoProgress,
                        false => return Verdict::Undecided(Why::Instructions),
                    };
                    return Verdict::Harm(vec![effect]);
                }
                (_, Rest::UsedUp) => {
                    return match is_stuck(&booted, options) {
                        true => Verdict::Harm(vec![Effect::Path]),
                        false => Verdict::Undecided(Why::Instructions),
                    };
                }
                (Rest::Arrived, Rest::Ended) | (Rest::Ended, Rest::Arrived) => {
                    return Verdict::Harm(vec![Effect::Path]);
                }
                (Rest::Arrived, Rest::Arrived) | (Rest::Ended, Rest::Ended) => {}
            }
        }
        let seen: Vec<Output> = (failed.iter())
            .flat_map(|failed| failed.device.outputs.clone())
            .collect();
        // Who has read what was kept, and apart from that as often, goes on to read the same.
        let as_often = |kept: &BTreeMap<Reading, u64>| {
            booted.readings.made.len() == last.readings.made.len() + kept.len()
        };
        if !kept.is_none_or(as_often) {
            return Verdict::Undecided(Why::Instructions);
        }
        let mut earlier = reference.seen.concat();
        earlier.extend(reference.device.outputs.clone());
        let setting = &self.subject.setting;
        let wrong = |list: &[Output], made: &[Output], seen: &[Output]| {
            outputs::wrong(list, made, seen, Extent::Whole, setting, options)
        };
        let boot = std::mem::take(&mut booted.outputs);
        let is_right_from_loop = || {
            // What a boot shows before its loop, it shows before it completes the round that was cut.
            let (set_up, own) = set_up;
            let (set_up, rest) = boot.split_at(set_up.min(boot.len()));
            let (own_set_up, own_rest) = last.outputs.split_at(own.min(last.outputs.len()));
            !set_up.is_empty()
                && wrong(set_up, own_set_up, &[]).is_empty()
                && wrong(&[&earlier[..], rest].concat(), own_rest, &seen).is_empty()
        };
        let is_shown_instead = || {
            let shown = &boot[..set_up.0.min(boot.len())];
            let owed = self.owed(reference, failed, (shown, &endless), &last);
            !options.lacks(Clause::ShownInstead)
                && wrong(&[&owed[..], &boot].concat(), &last.outputs, &seen).is_empty()
        };
        let mut effects = reference.wrong.clone();
        let in_order = wrong(&[&earlier[..], &boot].concat(), &last.outputs, &seen);
        if !in_order.is_empty() && !is_right_from_loop() && !is_shown_instead() {
            effects.extend(in_order);
        }
        match compare(&last, &booted, options) {
            Comparison::Differ(more) => {
                let is_at_rest = arrival == Rest::Ended || self.does_nothing_more;
                let at_rest = endless.map(|head| (head, rounds));
                let before = reference.before.as_ref().unwrap_or(&reference.device);
                let (own, its) = ((start, &last), (&begun, &booted));
                let is_value = |effect: &Effect| matches!(effect, Effect::Value { .. });
                if !(is_at_rest
                    && more.iter().all(is_value)
                    && self.is_left_over(own, its, before, &at_rest))
                {
                    effects.extend(more);
                }
            }
            Comparison::Undecided(why) if effects.is_empty() => return Verdict::Undecided(why),
            Comparison::Agree | Comparison::Undecided(_) => {}
        }
        match effects.is_empty() {
            true => Verdict::Harmless,
            false => Verdict::Harm(effects),
        }
    }

    /// What the world is to see before the boot of a reference, without what that shows before its loop in its stead:
    /// what it shows there because of the round, and what it makes again in the same order, if that is enough.
    fn owed(
        &self,
        reference: &Reference<'s>,
        failed: &[Failed<'s>],
        (shown, endless): (&[Output], &Option<Place>),
        last: &Device<'s>,
    ) -> Vec<Output> {
        let setting = &self.subject.setting;
        let without_round = reference.before.as_ref().map(|before| {
            let quiet = Reference {
                device: before.clone(),
                seen: Vec::new(),
                wrong: Vec::new(),
                before: None,
            };
            let mut without_round = self.reboot(&quiet, failed, last);
            if let Some(head) = endless {
                run_to_visit(&mut without_round, head, 1, self.options);
            }
            without_round.outputs
        });
        let is_because_of_round = |output: &Output| {
            let without_round = without_round.as_ref();
            shown.contains(output) && without_round.is_some_and(|others| !others.contains(output))
        };
        let of_last_boot = &reference.device.outputs;
        let begun = (reference.before.as_ref()).map_or(of_last_boot.len(), |it| it.outputs.len());
        let (known, round) = of_last_boot.split_at(begun.min(of_last_boot.len()));
        let is_set_up = |number: usize| endless.is_some() && (number > 0 || !failed[0].is_inside);
        let without = |outputs: &[Output], again: &BTreeSet<usize>| -> Vec<Output> {
            let left = (0..)
                .zip(outputs)
                .filter(|(number, _)| !again.contains(number));
            left.map(|(_, output)| output.clone()).collect()
        };
        let mut owed = Vec::new();
        for (number, outputs) in reference.seen.iter().enumerate() {
            let again = match is_set_up(number) {
                true => outputs::made_again(outputs, Piece::SetUp, shown, setting),
                false => BTreeSet::new(),
            };
            owed.extend(without(outputs, &again));
        }
        owed.extend(known.iter().cloned());
        let piece = match is_set_up(reference.seen.len()) {
            true => Piece::SetUp,
            false => Piece::Round,
        };
        let again = outputs::made_again(round, piece, shown, setting);
        let mut of_round = without(round, &again);
        of_round.retain(|output| !is_because_of_round(output));
        owed.extend(of_round);
        owed
    }
}

/// Whether a failure right after an operation can be told from one right before it.
fn is_event(step: &Step, options: &Options) -> bool {
    options.every_instruction || step.is_output || step.is_input || !step.stores.is_empty()
}
