//! Dead ends: places that an undisturbed program never comes to, and where a boot stays for ever and does nothing.

use brownout_vm::{Machine, SegmentKind, Standstill, Stop};

use super::boot::{Arrived, References, World};
use super::{FIRST_VISITS, LEAST_BUDGET, LONGEST_LOOP, RestartExplorer};

/// What a program writes in several rounds fits again after so many.
const ROUNDS_TO_LIFE: u32 = 64;

impl<'i> RestartExplorer<'_, 'i> {
    /// Whether a boot has come to a loop that an undisturbed program without end never comes to, does nothing there, and
    /// stays for ever. Firmware that finds its memory damaged mostly dies so.
    pub(super) fn is_dead_end(&self, machine: &mut Machine<'i>, arrived: &Arrived) -> bool {
        let loops = match arrived {
            Arrived::AtHead(head) => vec![*head],
            Arrived::Stopped(Stop::Paused) => self.loops.all_around(machine),
            Arrived::Stopped(_) | Arrived::Nowhere => Vec::new(),
        };
        let mut is_stuck = || {
            let standstill = machine.standstill(LONGEST_LOOP);
            standstill.is_some_and(|still| !self.waits_for_the_world(&still))
        };
        self.first_boot.is_never_in(&loops) && is_stuck()
    }

    /// Whether boots come out of a dead end again if power fails a few rounds later: what the program writes in several
    /// rounds does not fit in between. A device that has done its work for good stays where it is.
    pub(super) fn is_dead_end_passing(&mut self, references: &References<'_, 'i>) -> bool {
        let Some(after) = references.after.as_deref() else {
            return false;
        };
        let mut machine = after.reference.machine.clone();
        for _ in 0..ROUNDS_TO_LIFE {
            let begun = machine.now();
            let goes_on = self.go(
                &mut machine,
                &mut World::default(),
                references.goal,
                LEAST_BUDGET,
            );
            self.spent += machine.now() - begun;
            if !goes_on {
                return false;
            }
            let boot = self.reference(&machine, FIRST_VISITS).boot;
            if boot.end.is_none() && !self.first_boot.never_comes_to(&boot) {
                return true;
            }
        }
        false
    }

    /// Whether a loop waits for what a peripheral may do.
    pub(super) fn waits_for_the_world(&self, standstill: &Standstill) -> bool {
        let mut reads = standstill.reads.iter();
        standstill.waits
            && reads.any(|&(offset, _)| {
                let segment = self.image.layout().segment(offset);
                let kind = segment.map(|segment| segment.kind);
                matches!(kind, Some(SegmentKind::Registers | SegmentKind::Window))
            })
    }
}
