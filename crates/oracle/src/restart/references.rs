//! References: undisturbed executions whose power fails at quiet moments.

use std::collections::BTreeMap;

use super::rounds::Moment;
use super::{Failed, Judge};
use crate::clause::Clause;
use crate::device::{Device, Output, Place, Reading, Readings};
use crate::judge::{Repetition, Rest, run, run_to_end, run_to_visit};
use crate::outputs::{self, Extent};
use crate::verdict::Effect;

/// An undisturbed execution whose power failed at quiet moments.
#[derive(Clone)]
pub(super) struct Reference<'s> {
    /// At the last of these moments.
    pub(super) device: Device<'s>,
    /// What the world had seen of each boot before its last one.
    pub(super) seen: Vec<Vec<Output>>,
    /// What is wrong with the outputs of the boots that it stands for.
    pub(super) wrong: Vec<Effect>,
    /// The quiet moment before the failure, if this is the one after it.
    pub(super) before: Option<Device<'s>>,
}

impl<'s> Judge<'s, '_> {
    /// Executes to a quiet moment.
    fn run_to_moment(&self, device: &mut Device<'_>, moment: &Moment) -> Rest {
        let mut rounds = self.rounds();
        run(device, self.options, |device, _| {
            rounds.see(device);
            rounds.counts.get(&moment.head) >= Some(&moment.number)
        })
    }

    /// What the boots that failed read if the rest of each reads what the next ones do: what it had not asked for yet, or
    /// had lost, is asked for then. `kept` is what the first one had read that was not lost.
    pub(super) fn readings_of_rest(
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
    pub(super) fn references(
        &self,
        earlier: &[Failed<'s>],
        readings: &[Readings],
    ) -> Vec<Reference<'s>> {
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
                let mut boots = reference.seen.clone();
                if number > 0 {
                    boots.push(reference.device.outputs.clone());
                }
                let list = boots.concat();
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
                        seen: boots.clone(),
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
    pub(super) fn reboot(
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
    pub(super) fn goal(&self, first: &Failed<'s>) -> Option<Place> {
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
    pub(super) fn kept(
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
    pub(super) fn may_be_kept(&self, failed: &Failed<'s>) -> Vec<BTreeMap<Reading, u64>> {
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
}
