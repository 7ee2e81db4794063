//! Torn stores, located (`memory.atomic-write`): which producers store more of non-volatile memory
//! than the device writes at once.
//!
//! **Property.** A located pair whose producer, in the same execution, makes a store to the object
//! that is wider than an atomic write: power can fail in the middle of it, and what was read is then
//! neither the old value nor the new one.
//!
//! **Algorithm.** One more continuous execution, in which wide stores are noted for the line of the
//! user's code that makes them.
//!
//! **False positives.** Half a store may be the whole of it or nothing, if only one half changes.
//! `evaluate` says.
//!
//! **False negatives.** Paths that were not executed.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::Rule;
use brownout_explore::{Calls, Monitor, Part, follow_calls, global_bytes, watch};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer};

use crate::hazards::findings::Request;
use crate::hazards::locate::Located;

/// The wide stores of an execution.
#[derive(Debug)]
pub(crate) struct WideStores<'i> {
    image: &'i Image,
    atomic: u32,
    calls: Calls<'i>,
    /// Where each operation of the user's code stores, in stretches.
    stores: BTreeMap<u32, Vec<Range<u32>>>,
}

impl<'i> WideStores<'i> {
    /// Executes `image` as far as it was for `located`.
    pub(crate) fn of(
        image: &'i Image,
        atomic: u32,
        request: &Request,
        located: &Located,
        monitor: &dyn Monitor,
    ) -> Self {
        let mut wide = Self {
            image,
            atomic,
            calls: Calls::new(image),
            stores: BTreeMap::new(),
        };
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Strict);
        let limit = located.instructions.min(request.limit);
        watch(&mut machine, &mut wide, limit, monitor);
        wide
    }

    /// Whether the producer of a pair is among them.
    pub(crate) fn include(&self, rule: Rule, producer: u32, part: Part) -> bool {
        // What changes the heap's map is no store of the user's.
        if !matches!(rule, Rule::WriteAfterRead | Rule::ActivationRecord) {
            return false;
        }
        let Some(stores) = self.stores.get(&producer) else {
            return false;
        };
        match global_bytes(self.image, part.object) {
            Some(object) => {
                let start = object.start + part.start as u32;
                let end = object.start + part.end as u32;
                stores
                    .iter()
                    .any(|store| store.start < end && start < store.end)
            }
            None => true,
        }
    }
}

impl Observer for WideStores<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        let size = new.len() as u32;
        let address = self.image.layout().address(offset);
        let inside = (address % u64::from(self.atomic.max(1))) as u32;
        if inside + size <= self.atomic || self.calls.is_hidden() {
            return;
        }
        let segment = self.image.layout().segment(offset);
        if !segment.is_some_and(|segment| segment.nonvolatile) {
            return;
        }
        let end = offset + size;
        let stores = self.stores.entry(self.calls.blame(at.pc)).or_default();
        // Loops store one after the other, or again at the same place.
        match stores
            .iter_mut()
            .find(|store| store.start <= end && offset <= store.end)
        {
            Some(store) => *store = store.start.min(offset)..store.end.max(end),
            None => stores.push(offset..end),
        }
    }

    follow_calls!();
}
