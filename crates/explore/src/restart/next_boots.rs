//! Boots after the end of a program.
//!
//! A device that does one job in each boot is at a quiet moment when it has come to the end of one. What is left then of a job
//! that was cut before, and of that one alone, may be overwritten by the next jobs before anybody reads it, as it is in a loop
//! that goes on: the end of a longer message, a record that was not completed. What the job itself has written is its
//! result, and counts.

use std::sync::Arc;

use brownout_vm::{Machine, Mark, OtherReadings, SegmentKind, Stop};

use super::boot::{self, Arrived, Boot, World};
use super::compare::Side;
use super::{LEAST_BUDGET, RestartExplorer};
use crate::emissions::Emission;
use crate::{Difference, Outcome};

/// What differs after so many more boots is there to stay.
const NEXT_BOOTS: u32 = 24;

impl<'i> RestartExplorer<'_, 'i> {
    /// The outcome at the end of a boot, which began at a mark, if the next ones count, too: nothing differs if all that does
    /// is left of the boot that was cut, the world sees the same of the next boots, and after one of them memory is the same.
    /// `before` is the boot after a failure before the work that was cut.
    pub(super) fn after_next_boots(
        &mut self,
        (machine, begun): (&Machine<'i>, &Mark),
        arrived: &Arrived,
        (side, before): (&Side<'_>, &Boot),
        outcome: Outcome,
    ) -> Outcome {
        let is_value = |difference: &Difference| matches!(difference, Difference::Value { .. });
        let (Outcome::Differs(differences), Some((stop, memory)), Arrived::Stopped(own)) =
            (&outcome, &side.boot.end, arrived)
        else {
            return outcome;
        };
        if own != stop || !differences.iter().all(is_value) {
            return outcome;
        }
        let written = machine.written_since(begun);
        let is_left_over = |&offset: &u32| {
            let at = offset as usize;
            machine.memory()[at] != before.begun[at]
                && memory[at] == side.boot.begun[at]
                && written.binary_search(&offset).is_err()
        };
        if !self.kept_bytes(machine, memory).iter().all(is_left_over) {
            return outcome;
        }
        let mut attempt = machine.clone();
        let mut reference = machine.clone();
        for offset in boot::differing(machine, memory) {
            reference.tear(offset, &memory[offset as usize..][..1]);
        }
        for number in 1..=NEXT_BOOTS {
            let one = self.next_boot(&mut attempt, number);
            let other = self.next_boot(&mut reference, number);
            if one.is_none() || one != other {
                return outcome;
            }
            if self.kept_bytes(&attempt, reference.memory()).is_empty() {
                return Outcome::Converged;
            }
        }
        outcome
    }

    /// Executes the boot of a number to its end: how that is, and what the world sees. Each reads other values.
    fn next_boot(
        &mut self,
        machine: &mut Machine<'i>,
        number: u32,
    ) -> Option<(Stop, Vec<Emission>)> {
        machine.fail_power();
        machine.begin_boot(Arc::default());
        machine.read_otherwise(OtherReadings::Later(number));
        let begun = machine.now();
        let mut world = World::default();
        let end = loop {
            match self.to_head(machine, &mut world, begun + LEAST_BUDGET) {
                Arrived::AtHead(_) => {}
                Arrived::Stopped(Stop::Faulted(_)) | Arrived::Nowhere => break None,
                Arrived::Stopped(stop) => break Some(stop),
            }
        };
        self.spent += machine.now() - begun;
        Some((end?, world.emissions))
    }

    /// The bytes of non-volatile memory that differ from these and count at the end of a program: there is no stack then.
    pub(super) fn kept_bytes(&self, machine: &Machine<'i>, memory: &[u8]) -> Vec<u32> {
        let mut bytes = self.compared(machine, boot::differing(machine, memory), |&offset| offset);
        bytes.retain(|&offset| {
            let segment = self.image.layout().segment(offset);
            segment.is_some_and(|segment| segment.nonvolatile && segment.kind != SegmentKind::Stack)
        });
        bytes
    }
}
