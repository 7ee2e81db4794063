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
//! loop of the first one, or to the end. That way is one stretch: quiet are its beginning and its goal.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::clause::Clause;
use crate::device::{Device, Output, Place, Reading, Readings, Step};
use crate::follow::{Comparison, compare};
use crate::judge::{
    Judgements, Options, Repetition, Rest, is_stuck, outermost, run, run_to_end, run_to_visit,
    strikes,
};
use crate::outputs::{self, Extent};
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

/// A quiet moment: a visit of the head of an outermost loop, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Moment {
    head: Place,
    /// How many of them there have been in this boot.
    number: u32,
}

/// Sees the quiet moments of a boot go by.
#[derive(Clone, Default)]
struct Rounds {
    /// The heads of loops that only compute.
    computing: BTreeSet<Place>,
    /// The head of the outermost loop that the boot is in.
    around: Option<Place>,
    counts: BTreeMap<Place, u32>,
    /// The last of them.
    latest: Option<Moment>,
}

impl Rounds {
    /// Sees a device after a step; whether that is a quiet moment.
    fn see(&mut self, device: &Device<'_>) -> bool {
        let around = outermost(device).filter(|head| !self.computing.contains(head));
        let was_around = std::mem::replace(&mut self.around, around.clone());
        let left = was_around.filter(|head| around.as_ref() != Some(head));
        let visited = around.filter(|head| device.is_at(head));
        let mut is_quiet = false;
        for head in left.into_iter().chain(visited) {
            let count = self.counts.entry(head.clone()).or_default();
            *count += 1;
            let number = *count;
            self.latest = Some(Moment { head, number });
            is_quiet = true;
        }
        is_quiet
    }
}

/// Executes the first boot without failures, and finds the loops in which it only computes, and those in which it only
/// waits: while it is in such a loop, it neither outputs anything nor stores anything that lasts.
fn run_first_boot(device: &mut Device<'_>, options: &Options) -> (Rest, BTreeSet<Place>) {
    let mut visited = None;
    let mut is_silent = true;
    let (mut silent, mut others) = (BTreeSet::new(), BTreeSet::new());
    let (mut entered, mut working) = (BTreeSet::new(), BTreeSet::new());
    let rest = run(device, options, |device, step| {
        let around = outermost(device);
        // A loop that is left and entered again has not made a round in between.
        visited = visited.take().filter(|head| around.as_ref() == Some(head));
        is_silent &= !step.is_input && !step.is_output;
        let Some(head) = around else { return false };
        if step.is_output || !step.stores.is_empty() {
            working.insert(head.clone());
        }
        entered.insert(head.clone());
        if device.is_at(&head) {
            let round = std::mem::replace(&mut is_silent, true);
            if visited.replace(head.clone()) == Some(head.clone()) {
                if round { &mut silent } else { &mut others }.insert(head);
            }
        }
        false
    });
    silent.retain(|head| !others.contains(head));
    silent.extend(entered.difference(&working).cloned());
    if rest != Rest::Ended
        && let Some(last) = visited
    {
        silent.remove(&last);
    }
    (rest, silent)
}

/// An undisturbed execution whose power failed at quiet moments.
#[derive(Clone)]
struct Reference<'s> {
    /// At the last of these moments.
    device: Device<'s>,
    /// What the world had seen before its last boot.
    seen: Vec<Output>,
    /// What is wrong with the outputs of the boots that it stands for.
    wrong: Vec<Effect>,
    /// The quiet moment before the failure, if this is the one after it.
    before: Option<Device<'s>>,
}

/// What differs after so many rounds of a loop without end is there to stay.
const LATE_ROUNDS: u32 = 96;

/// By how many readings boots after a failure are further than the first one, at most.
const LATER: u32 = 2;

struct Judge<'s, 'o> {
    subject: &'s Subject,
    options: &'o Options,
    power_on: Device<'s>,
    /// The first boot without failures, to its end or as far as it goes.
    undisturbed: Device<'s>,
    /// The head of the loop that the program does not leave.
    endless: Option<Place>,
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
            ..Rounds::default()
        }
    }

    /// Executes to a quiet moment.
    fn run_to_moment(&self, device: &mut Device<'_>, moment: &Moment) -> Rest {
        let mut rounds = self.rounds();
        run(device, self.options, |device, _| {
            rounds.see(device);
            rounds.counts.get(&moment.head) >= Some(&moment.number)
        })
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
            Repetition::Same => {
                let undisturbed = &self.undisturbed.readings;
                Readings::new(undisturbed.made.clone(), undisturbed.next.clone())
            }
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
        let least = against.iter().rev().min_by_key(|effects| effects.len());
        let verdict = match (undecided, least) {
            (None, Some(effects)) => Verdict::Harm(effects.clone()),
            (why, _) => Verdict::Undecided(why.unwrap_or(Why::Instructions)),
        };
        (verdict, against)
    }

    /// What the boots that failed read if the rest of each reads what the next ones do: what it had not asked for yet, or
    /// had lost, is asked for then. `kept` is what the first one had read that was not lost.
    fn readings_of_rest(
        &self,
        failed: &[Failed<'s>],
        kept: &BTreeMap<Reading, u64>,
        start: &Device<'s>,
    ) -> Vec<Readings> {
        let mut last = start.clone();
        match &self.endless {
            Some(head) => run_to_visit(&mut last, head, self.options.rounds, self.options),
            None => run_to_end(&mut last, self.options),
        };
        let mut next = (*last.readings.made).clone();
        let mut readings = Vec::new();
        for (number, failed) in failed.iter().enumerate().rev() {
            let Readings {
                made, next: list, ..
            } = &failed.device.readings;
            let kept = if number == 0 { kept } else { &**made };
            readings.push(Readings::new(Reading::once_more(kept, &next), list.clone()));
            next.extend((**made).clone());
        }
        readings.reverse();
        readings
    }

    /// The undisturbed executions whose power fails at quiet moments before or after the failures, with these readings
    /// if there are some.
    fn references(&self, earlier: &[Failed<'s>], readings: &[Readings]) -> Vec<Reference<'s>> {
        let mut references = vec![Reference {
            device: self.power_on.clone(),
            seen: Vec::new(),
            wrong: Vec::new(),
            before: None,
        }];
        let mut seen: Vec<Output> = Vec::new();
        for (number, failed) in earlier.iter().enumerate() {
            let mut next = Vec::new();
            for reference in references {
                let mut boot = match number {
                    0 => reference.device.clone(),
                    _ => self.reboot(&reference, &earlier[..number], &failed.device),
                };
                if let Some(readings) = readings.get(number) {
                    boot.begin_attempt(readings.clone());
                }
                let mut list = reference.seen.clone();
                if number > 0 {
                    list.extend(reference.device.outputs.clone());
                }
                let moments = match number {
                    0 => self.moments(&boot, failed),
                    _ => self.ends_of_way(&boot, &earlier[0]),
                };
                for (index, moment) in moments.iter().enumerate() {
                    let is_after = index > 0 && index + 1 == moments.len();
                    let mut wrong = reference.wrong.clone();
                    wrong.extend(self.wrong_in_boot(&list, &boot, &failed.device, &seen));
                    next.push(Reference {
                        device: moment.clone(),
                        seen: list.clone(),
                        wrong,
                        before: is_after.then(|| moments[index - 1].clone()),
                    });
                }
            }
            references = next;
            seen.extend(failed.device.outputs.clone());
        }
        references
    }

    /// A boot of a reference, with the readings of the boot that it is held against, and what that finds in objects
    /// that are meant to differ.
    fn reboot(
        &self,
        reference: &Reference<'s>,
        failed: &[Failed<'s>],
        other: &Device<'s>,
    ) -> Device<'s> {
        let mut boot = self.power_on.restored(&reference.device, &[]);
        if let Some(failed) = failed.last()
            && !self.options.lacks(Clause::AwareFlows)
        {
            boot.take_over(&self.subject.aware, &failed.device);
        }
        let mut known = BTreeMap::new();
        if self.options.lacks(Clause::SameInputsFromBoot) {
            boot.begin_attempt(Readings::new(known, reference.device.readings.next.clone()));
            return boot;
        }
        if self.options.repetition == Repetition::Same {
            known.extend((*self.undisturbed.readings.made).clone());
        }
        if !self.options.lacks(Clause::ReadingsOfFailed) {
            for failed in failed {
                known.extend((*failed.device.readings.made).clone());
            }
        }
        known.extend((*other.readings.made).clone());
        boot.begin_attempt(Readings::new(known, other.readings.next.clone()));
        boot
    }

    /// The head of the loop that boots after a failure are on their way to, if there is one.
    fn goal(&self, first: &Failed<'s>) -> Option<Place> {
        let inside = first.moment.as_ref().filter(|_| first.is_inside);
        let head = inside.map(|moment| moment.head.clone());
        head.or_else(|| self.endless.clone())
    }

    /// The quiet moments of a boot that has not come to its goal yet.
    fn ends_of_way(&self, boot: &Device<'s>, first: &Failed<'s>) -> Vec<Device<'s>> {
        let mut goal = boot.clone();
        let rest = match self.goal(first) {
            Some(head) => run_to_visit(&mut goal, &head, 1, self.options),
            None => run_to_end(&mut goal, self.options),
        };
        let mut moments = vec![boot.clone()];
        if matches!(rest, Rest::Arrived | Rest::Ended) {
            moments.push(goal);
        }
        moments
    }

    /// The quiet moments before and after a failure, in a boot that starts like `boot`.
    fn moments(&self, boot: &Device<'s>, failed: &Failed<'s>) -> Vec<Device<'s>> {
        let mut moments = Vec::new();
        let options = self.options;
        let inside = failed.moment.as_ref().filter(|_| failed.is_inside);
        if !options.lacks(Clause::MomentBefore) {
            if inside.is_none() {
                moments.push(boot.clone());
            }
            if let Some(moment) = &failed.moment {
                let mut device = boot.clone();
                if self.run_to_moment(&mut device, moment) == Rest::Arrived {
                    moments.push(device);
                }
            }
        }
        if !options.lacks(Clause::MomentAfter) {
            let mut device = boot.clone();
            let mut rest = match inside {
                Some(Moment { head, number }) => {
                    let (head, number) = (head.clone(), number + 1);
                    self.run_to_moment(&mut device, &Moment { head, number })
                }
                None => run_to_end(&mut device, options),
            };
            if rest == Rest::UsedUp
                && inside.is_none()
                && let Some(endless) = &self.endless
            {
                device = boot.clone();
                rest = run_to_visit(&mut device, endless, 1, options);
            }
            if matches!(rest, Rest::Arrived | Rest::Ended) {
                moments.push(device);
            }
        }
        moments
    }

    /// What is wrong with the outputs of a boot that failed, held against one that did not. The first
    /// boot is the beginning of the undisturbed execution.
    fn wrong_in_boot(
        &self,
        list: &[Output],
        boot: &Device<'s>,
        failed: &Device<'s>,
        seen: &[Output],
    ) -> Vec<Effect> {
        if seen.is_empty() && list.is_empty() {
            return Vec::new();
        }
        let mut whole = boot.clone();
        let until = failed.outputs.len() + seen.len() + list.len();
        run(&mut whole, self.options, |device, _| {
            device.outputs.len() > until
        });
        let list: Vec<Output> = list.iter().chain(&whole.outputs).cloned().collect();
        let setting = &self.subject.setting;
        outputs::wrong(
            &list,
            &failed.outputs,
            seen,
            Extent::Beginning,
            setting,
            self.options,
        )
    }

    /// What the failed boot had read since the quiet moment of a reference, and may have kept.
    fn kept(
        &self,
        reference: &Reference<'s>,
        failed: &[Failed<'s>],
    ) -> Vec<BTreeMap<Reading, u64>> {
        let [failed] = failed else { return Vec::new() };
        if self.options.lacks(Clause::ReadingsOfFailed) {
            return Vec::new();
        }
        let mut kept = self.may_be_kept(failed);
        for read in &mut kept {
            read.retain(|reading, _| !reference.device.readings.made.contains_key(reading));
        }
        kept.retain(|read| !read.is_empty());
        kept
    }

    /// What may have been kept of what a boot had read when power failed: all of it, or what it had read at one of its
    /// writes before, for power cut off what came of the rest.
    fn may_be_kept(&self, failed: &Failed<'s>) -> Vec<BTreeMap<Reading, u64>> {
        let all = &failed.device.readings.made;
        let earlier = failed.read.iter().rev();
        let earlier = earlier.filter(|_| !self.options.lacks(Clause::LostReading));
        let mut kept: Vec<_> = [all]
            .into_iter()
            .chain(earlier)
            .map(|read| (**read).clone())
            .collect();
        kept.dedup();
        kept
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
        let (mut last, arrival, mut booted, wanted, set_up) = loop {
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
            let (wanted, set_up) = arrive(&mut booted);
            // Later boots may stay in another loop than the first one.
            if (&arrival, &wanted) == (&Rest::UsedUp, &Rest::UsedUp) {
                let other = outermost(&booted);
                if other.is_some() && other != endless && outermost(&last) == other {
                    endless = other;
                    continue;
                }
            }
            break (last, arrival, booted, wanted, (set_up, own_set_up));
        };
        if options.lacks(Clause::QuietMoments) {
            let elapsed = booted.elapsed();
            last = start.clone();
            run(&mut last, options, |device, _| device.elapsed() >= elapsed);
        } else {
            match (&arrival, &wanted) {
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
        let mut earlier = reference.seen.clone();
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
            // What a boot shows before its loop because of the round, the round need not have shown.
            let (Some(before), false) = (&reference.before, options.lacks(Clause::ShownInstead))
            else {
                return false;
            };
            let quiet = Reference {
                device: before.clone(),
                seen: Vec::new(),
                wrong: Vec::new(),
                before: None,
            };
            let mut without_round = self.reboot(&quiet, failed, &last);
            if let Some(head) = &endless {
                run_to_visit(&mut without_round, head, 1, options);
            }
            let is_owed = |output: &&Output| {
                !boot[..set_up.0.min(boot.len())].contains(output)
                    || without_round.outputs.contains(output)
            };
            let begun = (reference.seen.len() + before.outputs.len()).min(earlier.len());
            let (known, round) = earlier.split_at(begun);
            let owed: Vec<Output> = round.iter().filter(is_owed).cloned().collect();
            wrong(&[known, &owed, &boot].concat(), &last.outputs, &seen).is_empty()
        };
        let mut effects = reference.wrong.clone();
        let in_order = wrong(&[&earlier[..], &boot].concat(), &last.outputs, &seen);
        if !in_order.is_empty() && !is_right_from_loop() && !is_shown_instead() {
            effects.extend(in_order);
        }
        match compare(&last, &booted, options) {
            Comparison::Differ(more) => effects.extend(more),
            Comparison::Undecided(why) if effects.is_empty() => return Verdict::Undecided(why),
            Comparison::Agree | Comparison::Undecided(_) => {}
        }
        match effects.is_empty() {
            true => Verdict::Harmless,
            false => Verdict::Harm(effects),
        }
    }
}

/// Whether a failure right after an operation can be told from one right before it.
fn is_event(step: &Step, options: &Options) -> bool {
    options.every_instruction || step.is_output || step.is_input || !step.stores.is_empty()
}
