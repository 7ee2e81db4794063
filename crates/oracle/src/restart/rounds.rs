//! The quiet moments of a boot, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::device::{Device, Place};
use crate::judge::{Options, Rest, outermost, run};

/// A quiet moment: a visit of the head of an outermost loop, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) head: Place,
    /// How many of them there have been in this boot.
    pub(super) number: u32,
}

/// Sees the quiet moments of a boot go by.
#[derive(Clone, Default)]
pub(super) struct Rounds {
    /// The heads of loops that only compute.
    pub(super) computing: BTreeSet<Place>,
    /// If the program stays in a loop: its head. What comes before is set-up, and one piece of work.
    pub(super) only: Option<Place>,
    /// The head of the outermost loop that the boot is in.
    pub(super) around: Option<Place>,
    pub(super) counts: BTreeMap<Place, u32>,
    /// The last of them.
    pub(super) latest: Option<Moment>,
}

impl Rounds {
    /// Sees a device after a step; whether that is a quiet moment.
    pub(super) fn see(&mut self, device: &Device<'_>) -> bool {
        let is_set_up = |head: &Place| self.only.as_ref().is_some_and(|only| only != head);
        let around =
            outermost(device).filter(|head| !self.computing.contains(head) && !is_set_up(head));
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
pub(super) fn run_first_boot(
    device: &mut Device<'_>,
    options: &Options,
) -> (Rest, BTreeSet<Place>) {
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
