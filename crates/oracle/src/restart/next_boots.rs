//! A job for each boot: what is left of one that was cut.
//!
//! When a program has come to its end, or does nothing any more, all of non-volatile memory counts; but not what a boot that
//! was cut has left there, and nobody has written since, if the next boots show that nobody reads it: the world sees the same
//! of each, and after one of them memory is the same.

use std::collections::{BTreeMap, BTreeSet};

use super::Judge;
use crate::clause::Clause;
use crate::device::{Device, Output, Place, Reading, Readings};
use crate::follow::differing_at_end;
use crate::judge::{Rest, run};

/// What differs after so many boots is there to stay.
const NEXT_BOOTS: u32 = 24;

impl<'s> Judge<'s, '_> {
    /// Whether all that differs between two boots that have come to rest is left over. Both are given as they began,
    /// and as they are now; `before` is the quiet moment before the failure.
    pub(super) fn is_left_over(
        &self,
        attempt: (&Device<'s>, &Device<'s>),
        reference: (&Device<'s>, &Device<'s>),
        before: &Device<'s>,
        at_rest: &Option<(Place, u32)>,
    ) -> bool {
        if self.options.lacks(Clause::LeftOver) {
            return false;
        }
        let mut written = self.written(attempt.0, at_rest);
        written.extend(self.written(reference.0, at_rest));
        let is_left = |&offset: &u32| {
            let at = offset as usize;
            !written.contains(&offset)
                && attempt.1.machine.memory()[at] != before.machine.memory()[at]
        };
        let differing = differing_at_end(attempt.1, reference.1, self.options);
        differing.iter().all(is_left) && self.is_forgotten(attempt.1, reference.1, at_rest)
    }

    /// Whether the next boots of two devices show the same, and leave the same sooner or later.
    fn is_forgotten(
        &self,
        attempt: &Device<'s>,
        reference: &Device<'s>,
        at_rest: &Option<(Place, u32)>,
    ) -> bool {
        let mut attempt = attempt.clone();
        let mut reference = reference.clone();
        for number in 1..=NEXT_BOOTS {
            let one = self.next_boot(&mut attempt, number, at_rest);
            let other = self.next_boot(&mut reference, number, at_rest);
            if one.is_none() || one != other {
                return false;
            }
            if differing_at_end(&attempt, &reference, self.options).is_empty() {
                return true;
            }
        }
        false
    }

    /// Power fails and comes back, and the boot comes to rest: what the world sees of it. Inputs give later values.
    fn next_boot(
        &self,
        device: &mut Device<'s>,
        number: u32,
        at_rest: &Option<(Place, u32)>,
    ) -> Option<Vec<Output>> {
        *device = self.power_on.restored(device, &[]);
        let readings = &self.undisturbed.readings.made;
        let later: BTreeMap<Reading, u64> = Reading::later(readings, number, self.subject);
        device.begin_attempt(Readings::new(later, Vec::new()));
        let comes_to_rest = self.come_to_rest(device, at_rest, |_| {});
        comes_to_rest.then(|| device.outputs.clone())
    }

    /// What a boot writes on its way.
    fn written(&self, begun: &Device<'s>, at_rest: &Option<(Place, u32)>) -> BTreeSet<u32> {
        let mut written = BTreeSet::new();
        self.come_to_rest(&mut begun.clone(), at_rest, |offset| {
            written.insert(offset);
        });
        written
    }

    /// Executes to the end or, of a program that has none, to a visit of the loop in which it does nothing more.
    fn come_to_rest(
        &self,
        device: &mut Device<'s>,
        at_rest: &Option<(Place, u32)>,
        mut written: impl FnMut(u32),
    ) -> bool {
        let mut visits = 0;
        let rest = run(device, self.options, |device, step| {
            for store in &step.stores {
                let start = store.offset;
                (start..start + store.new.len() as u32).for_each(&mut written);
            }
            at_rest.as_ref().is_some_and(|(head, wanted)| {
                visits += u32::from(device.is_at(head));
                visits >= *wanted
            })
        });
        match at_rest {
            None => rest == Rest::Ended,
            Some(_) => rest == Rest::Arrived,
        }
    }
}
