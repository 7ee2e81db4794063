//! Operations of parts that reorder them (`order = "until-sync"`): those since the last call of the
//! function that waits for all may be missing while later ones are done.
//!
//! Operations on one erase block, or on one unit of a part that is not erased, stay in order: one that is
//! missing keeps later ones on its blocks from being done. Of those that are in flight, the last one may be torn.
//!
//! **Invariant**: [`Unsynced::missing`] gives every set of operations that can be missing, or says
//! that it does not.

use std::ops::Range;

use brownout_scenario::Order;
use brownout_vm::Image;

use crate::Request;
use crate::boot::Recording;
use crate::nonvolatile::{Nature, Nonvolatile};
use crate::operation::{Kind, Operation};
use crate::scratch::Scratch;
use crate::state::States;

/// More sets than so many are not tried one by one.
const MOST_SETS: usize = 1024;

/// An operation that need not be done when a later one is.
struct Flying {
    part: u32,
    blocks: Range<u32>,
    offset: u32,
    old: Vec<u8>,
    new: Vec<u8>,
    number: u32,
}

impl Flying {
    fn meets(&self, part: u32, blocks: &Range<u32>) -> bool {
        self.part == part && self.blocks.start < blocks.end && blocks.start < self.blocks.end
    }
}

/// Operations since the last wait.
pub(crate) struct Unsynced<'u> {
    image: &'u Image,
    request: &'u Request,
    nonvolatile: &'u Nonvolatile,
    flying: Vec<Flying>,
    /// How many waits were seen.
    waits: usize,
}

impl<'u> Unsynced<'u> {
    pub(crate) fn new(
        image: &'u Image,
        request: &'u Request,
        nonvolatile: &'u Nonvolatile,
    ) -> Self {
        Self {
            image,
            request,
            nonvolatile,
            flying: Vec::new(),
            waits: 0,
        }
    }

    /// The waits before an operation, by its number from 0, have happened.
    pub(crate) fn wait(&mut self, recording: &Recording, number: u32) {
        while let Some(&(at, part)) = recording.syncs.get(self.waits)
            && at <= number
        {
            self.flying.retain(|flying| flying.part != part);
            self.waits += 1;
        }
    }

    /// An operation begins, where `old` is.
    pub(crate) fn begin(&mut self, recording: &Recording, number: u32, old: Vec<u8>) {
        let operation = &recording.operations[number as usize];
        if let Some((part, blocks)) = self.blocks(operation)
            && self.request.orders.get(part as usize) == Some(&Order::UntilSync)
        {
            self.flying.push(Flying {
                part,
                blocks,
                offset: operation.offset,
                old,
                new: recording.new_bytes(operation).to_vec(),
                number,
            });
        }
    }

    /// The part and the blocks of an operation.
    fn blocks(&self, operation: &Operation) -> Option<(u32, Range<u32>)> {
        let Nature::Part(part) = self.nonvolatile.nature(operation.offset) else {
            return None;
        };
        if !matches!(operation.kind, Kind::Program | Kind::Erase) {
            return None;
        }
        let block = self.image.bindings().parts.get(part as usize)?.order_block;
        let start = self.nonvolatile.object(operation.offset)?.start;
        let first = operation.offset - start;
        let last = first + (operation.new.end - operation.new.start).max(1) - 1;
        Some((part, first / block..last / block + 1))
    }

    /// The sets of operations that can be missing when `operation` is done, none of them empty: bit
    /// 0 of the first byte is the oldest. Whether there are more.
    pub(crate) fn missing(&self, operation: Option<&Operation>) -> (Vec<Vec<u8>>, bool) {
        if self.flying.is_empty() {
            return (Vec::new(), false);
        }
        let blocks = operation.and_then(|operation| self.blocks(operation));
        // All sets, as long as there are few.
        let mut sets: Vec<Vec<bool>> = vec![Vec::new()];
        let mut is_sample = false;
        for (index, flying) in self.flying.iter().enumerate() {
            let is_wanted = (blocks.as_ref()).is_some_and(|(part, of)| flying.meets(*part, of));
            let mut longer = Vec::new();
            for set in sets {
                let mut earlier = set.iter().zip(&self.flying);
                let is_held = earlier
                    .any(|(missing, other)| *missing && other.meets(flying.part, &flying.blocks));
                // What the operation needs is done, and so is what that needs.
                for missing in [false, true] {
                    if !(missing && is_wanted || !missing && is_held) {
                        let mut set = set.clone();
                        set.push(missing);
                        longer.push(set);
                    }
                }
            }
            sets = longer;
            if sets.len() > MOST_SETS {
                is_sample = true;
                // The first ones miss the latest operations; a few of each are enough to go on with.
                let keep = MOST_SETS / 2;
                let step = sets.len().div_ceil(keep);
                sets = sets.into_iter().step_by(step).collect();
            }
            debug_assert!(sets.iter().all(|set| set.len() == index + 1));
        }
        let masks = sets
            .into_iter()
            .filter(|set| set.contains(&true))
            .map(|set| {
                let mut mask = vec![0u8; set.len().div_ceil(8)];
                for (index, _) in set.iter().enumerate().filter(|(_, missing)| **missing) {
                    mask[index / 8] |= 1 << (index % 8);
                }
                while mask.last() == Some(&0) {
                    mask.pop();
                }
                mask
            });
        (masks.collect(), is_sample)
    }

    /// The operations of a set, by number from 0. Nothing if there are not as many.
    pub(crate) fn numbers(&self, missing: &[u8]) -> Option<Vec<u32>> {
        let indices = (0..8 * missing.len()).filter(|bit| missing[bit / 8] >> (bit % 8) & 1 == 1);
        indices
            .map(|index| Some(self.flying.get(index)?.number))
            .collect()
    }

    /// Makes memory as it is without some operations.
    pub(crate) fn undo(&self, missing: &[u8], scratch: &mut Scratch<'_>, states: &mut States<'_>) {
        for flying in self.chosen(missing).rev() {
            scratch.apply(states, flying.offset, &flying.old, None);
        }
    }

    /// Does these operations again.
    pub(crate) fn redo(&self, missing: &[u8], scratch: &mut Scratch<'_>, states: &mut States<'_>) {
        for flying in self.chosen(missing) {
            scratch.apply(states, flying.offset, &flying.new, None);
        }
    }

    fn chosen<'c>(&'c self, missing: &'c [u8]) -> impl DoubleEndedIterator<Item = &'c Flying> {
        let flying = self.flying.iter().enumerate();
        flying
            .filter(|(index, _)| {
                let byte = missing.get(index / 8);
                byte.is_some_and(|byte| byte >> (index % 8) & 1 == 1)
            })
            .map(|(_, flying)| flying)
    }
}
