//! Registers that are lost, as findings.

use std::collections::BTreeSet;

use brownout_diag::{
    Effect, Event, Evidence, Finding, Named, ObjectId, ObjectRef, Related, Replay, ReplayId, Rule,
    Segment, When,
};

use super::{Key, Lost, User, Watch};
use crate::wording;

impl Watch<'_> {
    /// What is lost: one defect is a register that was written at one place and is not set up again after one
    /// checkpoint, told where that matters first. Of a register that only the chip names, one such is enough.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut lost: Vec<(&Key, &Lost)> = Vec::new();
        for (key, occasions) in &self.lost {
            let mut occasions = occasions.iter().filter(|one| self.matters(key.0, one));
            lost.extend(occasions.next().map(|one| (key, one)));
        }
        let mut order = lost.clone();
        order.sort_by_key(|(key, lost)| (key.0, lost.relied));
        let mut told = BTreeSet::new();
        let mut first = BTreeSet::new();
        for (key, lost) in order {
            let defect = match self.registers.is_wanted(key.0) {
                true => (key.0, Some((key.1, lost.checkpoint))),
                false => (key.0, None),
            };
            if told.insert(defect) {
                first.insert(*key);
            }
        }
        lost.retain(|(key, _)| first.contains(*key));
        lost.into_iter()
            .map(|(key, lost)| self.finding(*key, lost))
            .collect()
    }

    /// Whether something is lost, as far as that is known.
    fn matters(&self, register: usize, lost: &Lost) -> bool {
        let is_same = lost.values.is_some_and(|(kept, reset)| kept == reset);
        let is_known = self.registers.is_reset_known(register);
        // What was not tried is not reported of a register that nobody asked for.
        let is_wanted = self.registers.is_wanted(register);
        !(is_same && is_known) && (is_wanted || lost.values.is_some())
    }

    fn finding(&self, (register, written, relied): Key, lost: &Lost) -> Finding {
        let name = self.registers.name(register);
        let user = match &lost.user {
            User::Used(user) => format!("`{user}` is used"),
            User::Read => "it is read".to_owned(),
            User::Sleep(handler) => format!("a sleep in which `{handler}` is awaited"),
        };
        let message = format!(
            "`{name}` was written before the last checkpoint, and is lost if power fails before {user}"
        );
        let mut finding = Finding::new(Rule::PeripheralState, Evidence::Located, message);
        match lost.values {
            Some((kept, reset)) if kept != reset => {
                finding.evidence = Evidence::Confirmed;
                finding.effects.push(Effect::Value {
                    object: Named::outside(name),
                    continuous: format!("{kept:#x}"),
                    intermittent: format!("{reset:#x}"),
                    when: When::Elsewhere,
                });
                let id = ReplayId {
                    resets_registers: true,
                    ..ReplayId::new(lost.resume, lost.fails - lost.committed)
                };
                finding.replay = Some(Replay::Failure(id));
            }
            // Whether a reset sets it to that is the device's affair.
            Some((kept, _)) => finding.notes.push(format!(
                "it holds {kept:#x}: nothing is lost if that is its value after a reset"
            )),
            None => {}
        }
        let offsets = self.registers.offsets_of(register);
        finding.object = Some(ObjectRef {
            name: name.to_owned(),
            whole: name.to_owned(),
            id: ObjectId::Outside(name.to_owned()),
            segment: Segment::Registers,
            offset: 0,
            size: u64::from(offsets.end - offsets.start),
        });
        finding.consumer = wording::place(self.image, relied);
        finding.producer = wording::place(self.image, written);
        let checkpoint = lost.checkpoint;
        if let Some(place) = checkpoint.and_then(|pc| wording::place(self.image, pc)) {
            finding.related.push(Related {
                event: Event::LastCheckpoint,
                place,
            });
        }
        finding.help = vec![format!("write `{name}` again after the checkpoint")];
        finding
    }
}
