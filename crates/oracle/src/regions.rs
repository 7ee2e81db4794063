//! Policies with commits: `static`, `conditional`, `tasks` and `reactive`.
//!
//! A region is executed in attempts. The last attempt has to arrive at the region's next commit, or
//! at the end, with the state that the continuous execution has there; where neither comes, at the
//! same visit of the head of the outermost loop, counted since the checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use crate::clause::Clause;
use crate::device::{Device, Output, Place, Reading, Readings, Step};
use crate::follow::{Comparison, compare};
use crate::judge::{
    Judgements, Options, Repetition, Rest, is_stuck, outermost, run, run_to_visit, strikes,
};
use crate::outputs::{self, Extent};
use crate::setting::{Policy, Subject};
use crate::verdict::{Effect, Failure, Judged, Last, Verdict, Why};

/// A stretch of execution that begins with a commit.
struct Region<'s> {
    number: u32,
    /// The device right after the commit.
    origin: Device<'s>,
    /// Non-volatile memory that the checkpoint saved.
    saved: Vec<Range<u32>>,
    /// How far the device runs in it; none: to the next commit.
    depth: Option<u64>,
    /// The continuous execution with the readings of the scenario, where it is compared.
    undisturbed: Device<'s>,
    /// The head of the loop that it never leaves, if it neither commits nor ends.
    endless: Option<Place>,
}

/// An attempt that power ended.
struct Failed {
    outputs: Vec<Output>,
    made: Rc<BTreeMap<Reading, u64>>,
    next: Vec<u64>,
    /// Calls of checkpoints that did not commit.
    calls: u32,
    /// Visits of the head of the loop that the region never leaves.
    visits: u32,
}

struct Judge<'s, 'o> {
    subject: &'s Subject,
    options: &'o Options,
    power_on: Device<'s>,
    judgements: Judgements,
}

pub(crate) fn judge(subject: &Subject, options: &Options) -> Vec<Judged> {
    let mut judge = Judge {
        subject,
        options,
        power_on: Device::new(subject),
        judgements: Judgements::default(),
    };
    match subject.setting.policy {
        Policy::Conditional { depth } => judge.conditional(depth),
        Policy::Reactive { depth } => judge.reactive(depth),
        Policy::Static | Policy::Tasks | Policy::Restart => judge.every_commit(),
    }
    judge.judgements.list
}

impl<'s> Judge<'s, '_> {
    /// Every call commits: one region after the other.
    fn every_commit(&mut self) {
        let mut device = self.power_on.clone();
        let mut saved = Vec::new();
        for number in 0..=self.options.failing_rounds {
            let region = self.region(number, device.clone(), saved, None);
            self.explore(&region, &mut Vec::new(), region.origin.clone());
            let mut commit = None;
            let rest = run(&mut device, self.options, |_, step| {
                commit.clone_from(&step.checkpoint);
                commit.is_some()
            });
            let (Rest::Arrived, Some(ranges)) = (rest, commit) else {
                return;
            };
            saved = ranges;
        }
    }

    /// Every call may commit: from each the device runs for a while.
    fn conditional(&mut self, depth: u64) {
        let mut device = self.power_on.clone();
        let first = self.region(0, device.clone(), Vec::new(), None);
        self.explore(&first, &mut Vec::new(), first.origin.clone());
        for number in 1..=self.options.failing_rounds {
            let mut commit = None;
            let rest = run(&mut device, self.options, |_, step| {
                commit.clone_from(&step.checkpoint);
                commit.is_some()
            });
            let (Rest::Arrived, Some(ranges)) = (rest, commit) else {
                return;
            };
            let depth = (!self.options.lacks(Clause::AnyCheckpoint)).then_some(depth);
            let region = self.region(number, device.clone(), ranges, depth);
            self.explore(&region, &mut Vec::new(), region.origin.clone());
        }
    }

    /// A checkpoint may be anywhere: positions between two accesses to what survives or to the world
    /// are alike.
    fn reactive(&mut self, depth: u64) {
        let mut device = self.power_on.clone();
        let mut number = 0;
        let mut rounds = 0;
        let until = self.options.instructions;
        while device.stop.is_none() && device.machine.now() < until {
            let mut next = device.clone();
            let step = next.step();
            if is_event(&step, self.options) || step.is_load || number == 0 {
                let region = self.region(number, device.clone(), Vec::new(), Some(depth));
                self.explore(&region, &mut Vec::new(), region.origin.clone());
                number += 1;
                if let Some(head) = &region.endless {
                    rounds += u32::from(next.is_at(head));
                }
            } else if let Some(head) = outermost(&next) {
                rounds += u32::from(next.is_at(&head));
            }
            if rounds > self.options.failing_rounds {
                return;
            }
            device = next;
        }
    }

    fn region(
        &self,
        number: u32,
        mut origin: Device<'s>,
        saved: Vec<Range<u32>>,
        depth: Option<u64>,
    ) -> Region<'s> {
        let next = origin.readings.next.clone();
        origin.begin_attempt(Readings::new(BTreeMap::new(), next));
        let mut undisturbed = origin.clone();
        let commits = !matches!(self.subject.setting.policy, Policy::Reactive { .. });
        let rest = run(&mut undisturbed, self.options, |_, step| {
            commits && step.checkpoint.is_some()
        });
        let endless = match rest {
            Rest::UsedUp => outermost(&undisturbed),
            Rest::Arrived | Rest::Ended | Rest::Died => None,
        };
        // Before the first checkpoint nothing has been saved.
        let is_checkpointed =
            number > 0 || matches!(self.subject.setting.policy, Policy::Reactive { .. });
        let saved = match self.options.lacks(Clause::Saved) || !is_checkpointed {
            true => Vec::new(),
            false => saved
                .into_iter()
                .chain(self.subject.saves.clone())
                .collect(),
        };
        Region {
            number,
            origin,
            saved,
            depth,
            undisturbed,
            endless,
        }
    }

    /// Lets power fail everywhere in an attempt.
    fn explore(&mut self, region: &Region<'s>, failed: &mut Vec<Failed>, start: Device<'s>) {
        let mut device = start;
        let (mut calls, mut visits) = (0, 0);
        let mut before = None;
        if failed.is_empty() {
            let first = self.fail(region, failed, &device, (0, Last::Nothing), (0, 0), None);
            before = Some(first);
        }
        while region.depth.is_none_or(|depth| device.elapsed() < depth) {
            let step = device.step();
            if device.stop.is_some() || visits > self.options.failing_rounds {
                return;
            }
            if step.checkpoint.is_some() {
                if region.depth.is_none() {
                    return;
                }
                calls += 1;
            }
            let head = region.endless.as_ref();
            let is_visit = head.is_some_and(|head| device.is_at(head));
            visits += u32::from(is_visit);
            // A failure after one of these is compared later than one before it.
            let is_later = is_visit || step.checkpoint.is_some();
            if !is_later && !is_event(&step, self.options) {
                continue;
            }
            let line = self.subject.line(step.pc);
            let mut last = before;
            for strike in strikes(&device, &step, self.options) {
                let after = (line, strike.last);
                last = Some(self.fail(
                    region,
                    failed,
                    &strike.device,
                    after,
                    (calls, visits),
                    before,
                ));
            }
            before = last;
        }
    }

    /// Power fails in a device; judges that, and more failures if they are asked for.
    fn fail(
        &mut self,
        region: &Region<'s>,
        failed: &mut Vec<Failed>,
        device: &Device<'s>,
        (line, did): (u32, Last),
        (calls, visits): (u32, u32),
        before: Option<usize>,
    ) -> usize {
        failed.push(Failed {
            outputs: device.outputs.clone(),
            made: device.readings.made.clone(),
            next: device.readings.next.clone(),
            calls,
            visits,
        });
        let mut last = region.origin.restored(device, &region.saved);
        let loses = self.subject.setting.policy == Policy::Tasks
            && !self.options.lacks(Clause::TasksLoseVolatile);
        if loses {
            last.take_over(&self.subject.volatile_globals, &self.power_on);
        }
        let readings = match self.options.repetition {
            Repetition::Same => {
                let undisturbed = &region.undisturbed.readings;
                Readings::new(undisturbed.made.clone(), undisturbed.next.clone())
            }
            Repetition::Fresh => Readings::new(BTreeMap::new(), device.readings.next.clone()),
        };
        last.begin_attempt(readings);
        let verdict = self.verdict(region, failed, &last);
        let failure = Failure {
            region: region.number,
            number: failed.len() as u32,
            time: device.machine.now(),
            line,
            last: did,
        };
        let against = match &verdict {
            Verdict::Harm(effects) => vec![effects.clone()],
            Verdict::Harmless | Verdict::Undecided(_) => Vec::new(),
        };
        let judged = (verdict, against);
        let number = self.judgements.add(failure, judged, before, self.options);
        if failed.len() < self.options.failures as usize {
            self.explore(region, failed, last);
        }
        failed.pop();
        number
    }

    fn verdict(&self, region: &Region<'s>, failed: &[Failed], start: &Device<'s>) -> Verdict {
        let verdict = self.verdict_from(region, failed, start);
        let is_harm = matches!(verdict, Verdict::Harm(_));
        if is_harm && !self.options.lacks(Clause::AwareFlows) {
            // What flows from what is meant to differ is not there if that does not differ.
            let mut alike = start.clone();
            alike.take_over(&self.subject.aware, &region.origin);
            if self.verdict_from(region, failed, &alike) == Verdict::Harmless {
                return Verdict::Harmless;
            }
        }
        verdict
    }

    /// What the attempt comes to that begins here.
    fn verdict_from(&self, region: &Region<'s>, failed: &[Failed], start: &Device<'s>) -> Verdict {
        let calls = failed.last().map_or(0, |failed| failed.calls);
        let visits = failed.iter().map(|failed| failed.visits).max().unwrap_or(0);
        let visits = visits + self.options.rounds;
        let mut last = start.clone();
        let arrival = self.arrive(region, &mut last, calls, visits);
        let mut continuous = self.continuous(region, failed, start, &last);
        let wanted = self.arrive(region, &mut continuous, calls, visits);
        if self.options.lacks(Clause::QuietMoments) {
            let elapsed = continuous.elapsed();
            last = start.clone();
            run(&mut last, self.options, |device, _| {
                device.elapsed() >= elapsed
            });
            return self.held_against(region, failed, &last, &continuous);
        }
        match (&arrival, &wanted) {
            (_, Rest::Died) => Verdict::Undecided(Why::Dies),
            (_, Rest::UsedUp) => Verdict::Undecided(Why::Instructions),
            (Rest::Died, _) => Verdict::Harm(vec![Effect::Crash]),
            (Rest::UsedUp, _) => match is_stuck(&last, self.options) {
                true => Verdict::Harm(vec![Effect::NoProgress]),
                false => Verdict::Undecided(Why::Instructions),
            },
            (Rest::Arrived | Rest::Ended, Rest::Arrived | Rest::Ended) => {
                self.where_they_meet(region, failed, &last, &continuous)
            }
        }
    }

    /// Work that is not repeated may have had commits of its own, and so may recovery: where two executions are at
    /// different commits, the first later one that both come to decides, unless they agree at another. What differs in
    /// registers alone, or where nothing need commit, may be gone at the next ones, unless more differs there.
    fn where_they_meet(
        &self,
        region: &Region<'s>,
        failed: &[Failed],
        last: &Device<'s>,
        continuous: &Device<'s>,
    ) -> Verdict {
        let mut met = None;
        let may_go = |verdict: &Verdict| match verdict {
            Verdict::Harm(effects) => {
                region.depth.is_some() || effects.iter().all(Effect::is_in_locals)
            }
            Verdict::Harmless | Verdict::Undecided(_) => false,
        };
        let has_later = region.endless.is_none() && !self.options.lacks(Clause::LaterCommits);
        if is_same_place(last, continuous) {
            let verdict = self.held_against(region, failed, last, continuous);
            if !may_go(&verdict) {
                return match verdict {
                    Verdict::Harm(effects) if has_later => {
                        self.without_healed_registers(effects, region, failed, (last, continuous))
                    }
                    verdict => verdict,
                };
            }
            met = Some(verdict);
        }
        if has_later {
            // Who is at the same commit has to be in the same state at the same later ones.
            let is_in_step = met.is_some();
            let wanted = self.commits(continuous);
            for (number, last) in self.commits(last).iter().enumerate() {
                for (other, continuous) in wanted.iter().enumerate() {
                    if !is_same_place(last, continuous) || is_in_step && number != other {
                        continue;
                    }
                    let verdict = self.held_against(region, failed, last, continuous);
                    let is_harm = matches!(verdict, Verdict::Harm(_));
                    if verdict == Verdict::Harmless {
                        return verdict;
                    }
                    if is_in_step && is_harm && !may_go(&verdict) {
                        return met.unwrap_or(verdict);
                    }
                    met.get_or_insert(verdict);
                }
            }
        }
        met.unwrap_or_else(|| Verdict::Harm(vec![Effect::Path]))
    }

    /// The same without what differs in registers, if nothing comes of that by the next commit.
    fn without_healed_registers(
        &self,
        mut effects: Vec<Effect>,
        region: &Region<'s>,
        failed: &[Failed],
        (last, continuous): (&Device<'s>, &Device<'s>),
    ) -> Verdict {
        let (last, continuous) = (self.commits(last), self.commits(continuous));
        if let (Some(last), Some(continuous)) = (last.get(1), continuous.get(1))
            && effects.iter().any(Effect::is_in_registers)
            && is_same_place(last, continuous)
        {
            let known: BTreeSet<String> = effects.iter().map(Effect::subject).collect();
            let has_healed = match self.held_against(region, failed, last, continuous) {
                Verdict::Harmless => true,
                Verdict::Harm(later) => {
                    (later.iter()).all(|one| !one.is_in_locals() && known.contains(&one.subject()))
                }
                Verdict::Undecided(_) => false,
            };
            effects.retain(|effect| !has_healed || !effect.is_in_registers());
        }
        Verdict::Harm(effects)
    }

    /// A device, and the same one at its next commits, or at its end.
    fn commits(&self, device: &Device<'s>) -> Vec<Device<'s>> {
        const COMMITS: usize = 5;
        let mut commits = vec![device.clone()];
        let mut device = device.clone();
        while commits.len() < COMMITS && device.stop.is_none() {
            let rest = run(&mut device, self.options, |_, step| {
                step.checkpoint.is_some()
            });
            if !matches!(rest, Rest::Arrived | Rest::Ended) {
                break;
            }
            commits.push(device.clone());
        }
        commits
    }

    /// What differs where both executions are.
    fn held_against(
        &self,
        region: &Region<'s>,
        failed: &[Failed],
        last: &Device<'s>,
        continuous: &Device<'s>,
    ) -> Verdict {
        let seen: Vec<Output> = failed
            .iter()
            .flat_map(|failed| failed.outputs.clone())
            .collect();
        let setting = &self.subject.setting;
        let mut effects = Vec::new();
        effects.extend(outputs::wrong(
            &continuous.outputs,
            &last.outputs,
            &seen,
            Extent::Whole,
            setting,
            self.options,
        ));
        effects.extend(self.wrong_before(region, failed, continuous));
        match compare(last, continuous, self.options) {
            Comparison::Differ(more) => effects.extend(more),
            Comparison::Undecided(why) if effects.is_empty() => return Verdict::Undecided(why),
            Comparison::Agree | Comparison::Undecided(_) => {}
        }
        match effects.is_empty() {
            true => Verdict::Harmless,
            false => Verdict::Harm(effects),
        }
    }

    /// What is wrong with the outputs of failed attempts. Each is held against the continuous
    /// execution with its own readings; the first one is the beginning of that.
    fn wrong_before(
        &self,
        region: &Region<'s>,
        failed: &[Failed],
        continuous: &Device<'s>,
    ) -> Vec<Effect> {
        let own = !self.options.lacks(Clause::OwnReadings);
        let attempts = failed.iter().enumerate().skip(usize::from(own));
        let wrong = attempts.map(|(number, this)| {
            let earlier = &failed[..number];
            let seen: Vec<Output> = earlier
                .iter()
                .flat_map(|failed| failed.outputs.clone())
                .collect();
            let list = match own {
                false => continuous.outputs.clone(),
                true => {
                    let mut known = BTreeMap::new();
                    for failed in &failed[..=number] {
                        known.extend((*failed.made).clone());
                    }
                    let mut device = region.origin.clone();
                    device.begin_attempt(Readings::new(known, this.next.clone()));
                    let visits = this.visits + self.options.rounds;
                    self.arrive(region, &mut device, this.calls, visits);
                    device.outputs
                }
            };
            let (made, setting) = (&this.outputs, &self.subject.setting);
            outputs::wrong(&list, made, &seen, Extent::Beginning, setting, self.options)
        });
        wrong.flatten().collect()
    }

    /// The execution without failures that attempts are held against.
    fn continuous(
        &self,
        region: &Region<'s>,
        failed: &[Failed],
        start: &Device<'s>,
        last: &Device<'s>,
    ) -> Device<'s> {
        let mut device = region.origin.clone();
        if !self.options.lacks(Clause::AwareFlows) {
            device.take_over(&self.subject.aware, start);
        }
        let mut known = BTreeMap::new();
        if self.options.repetition == Repetition::Same || self.options.lacks(Clause::InputsByPlace)
        {
            known.extend((*region.undisturbed.readings.made).clone());
        }
        if !self.options.lacks(Clause::InputsByPlace) {
            if !self.options.lacks(Clause::ReadingsOfFailed) {
                for failed in failed {
                    known.extend((*failed.made).clone());
                }
            }
            known.extend((*last.readings.made).clone());
        }
        device.begin_attempt(Readings::new(known, last.readings.next.clone()));
        device
    }

    /// Executes to where attempts are compared: after `calls` checkpoints that did not commit, the
    /// next one; the end; or, in a loop without end, that many visits of its head.
    fn arrive(
        &self,
        region: &Region<'s>,
        device: &mut Device<'s>,
        calls: u32,
        visits: u32,
    ) -> Rest {
        if let Some(head) = &region.endless {
            return run_to_visit(device, head, visits, self.options);
        }
        let commits = !matches!(self.subject.setting.policy, Policy::Reactive { .. });
        let mut seen = 0;
        run(device, self.options, |_, step| {
            seen += u32::from(commits && step.checkpoint.is_some());
            seen > calls
        })
    }
}

/// Whether two executions are at the same place, or both at their end.
fn is_same_place(one: &Device<'_>, other: &Device<'_>) -> bool {
    match (&one.stop, &other.stop) {
        (None, None) => one.is_at(&other.place()),
        (Some(_), Some(_)) => true,
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Whether a failure right after an operation can be told from one right before it.
fn is_event(step: &Step, options: &Options) -> bool {
    options.every_instruction || step.is_output || step.is_input || !step.stores.is_empty()
}
