//! Heap blocks by their definition: a list of all there ever were, of all their uses, and of all
//! changes of the map.

use std::ops::Range;

use brownout_diag::Rule;
use brownout_explore::{Exposure, Object};
use brownout_vm::Moment;

use super::{Call, Log, Occurrence, Pair};

/// A heap block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    bytes: Range<u32>,
    pub(super) allocated_at: u32,
    allocated: usize,
    /// When it was given back, in the order of the log.
    freed: Option<usize>,
}

/// A use of a block: when, and by which operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    block: usize,
    order: usize,
    time: u64,
    pc: u32,
}

/// A block is given back, or handed out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    block: usize,
    order: usize,
    pc: u32,
    /// When the call of the user's code that does it is over.
    done: Option<u64>,
}

impl Log<'_> {
    /// The live block at an offset, by number.
    pub(super) fn block_at(&self, offset: u32) -> Option<usize> {
        let live = |block: &Block| block.freed.is_none() && block.bytes.contains(&offset);
        self.blocks.iter().position(live)
    }

    pub(super) fn in_allocator(&self) -> bool {
        self.activations
            .iter()
            .any(|activation| activation.allocator)
    }

    pub(super) fn note_use(&mut self, block: usize, at: Moment) {
        self.uses.push(Use {
            block,
            order: self.order,
            time: at.time,
            pc: self.blame(at.pc),
        });
    }

    fn note_change(&mut self, block: usize, at: Moment) {
        self.changes.push(Change {
            block,
            order: self.order,
            pc: self.blame(at.pc),
            done: None,
        });
    }

    /// Uses of blocks that are given back, or handed out again, afterwards.
    pub(super) fn map_changes(&self, exposure: Exposure) -> Vec<(Pair, Occurrence)> {
        let mut found = Vec::new();
        for change in &self.changes {
            let Some(done) = change.done else { continue };
            let earlier = |used: &&Use| used.block == change.block && used.order <= change.order;
            for used in self.uses.iter().filter(earlier) {
                let block = &self.blocks[used.block];
                let before = |call: &&Call| call.order < used.order;
                let Some(call) = self.calls.iter().rev().find(before) else {
                    continue;
                };
                let next = self.calls.iter().find(|next| next.order > call.order);
                // What is allocated after the checkpoint is allocated again.
                let exposed = block.allocated < call.order;
                let reached = match exposure {
                    Exposure::Region => {
                        exposed && next.is_none_or(|next| next.order > change.order)
                    }
                    // Once a checkpoint was called, one has committed.
                    Exposure::SinceCall { depth } => {
                        let is_start = self
                            .calls
                            .first()
                            .is_some_and(|first| first.order == call.order);
                        let is_left =
                            is_start && next.is_some_and(|next| next.order < change.order);
                        exposed && done <= call.time + depth && !is_left
                    }
                    Exposure::Anywhere { depth } => done <= used.time + depth,
                };
                if !reached {
                    continue;
                }
                let pair = Pair {
                    rule: Rule::MemoryMap,
                    object: Object::Block {
                        allocated_at: block.allocated_at,
                    },
                    consumer: used.pc,
                    producer: change.pc,
                    checkpoint: self.checkpoint(exposure, change.order),
                };
                let occurrence = Occurrence {
                    consumed: used.time,
                    produced: done,
                    commit: call.time,
                    silent: false,
                };
                found.push((pair, occurrence));
            }
        }
        found
    }

    /// Changes are over when the library is left.
    pub(super) fn settle(&mut self, at: Moment) {
        let in_library = self
            .activations
            .last()
            .is_some_and(|last| last.user.is_some());
        if !in_library {
            for change in self
                .changes
                .iter_mut()
                .filter(|change| change.done.is_none())
            {
                change.done = Some(at.time);
            }
        }
    }

    pub(super) fn hand_out(&mut self, at: Moment, offset: u32, size: u32) {
        if !self.heap.contains(&offset) {
            return;
        }
        let bytes = offset..offset + size;
        // Blocks that were given back, some bytes of which nobody has been handed since.
        for number in 0..self.blocks.len() {
            let gone = &self.blocks[number];
            let Some(freed) = gone.freed else { continue };
            let since = self.blocks.iter().filter(|block| block.allocated > freed);
            let fresh = |byte: &u32| !since.clone().any(|block| block.bytes.contains(byte));
            if gone
                .bytes
                .clone()
                .filter(|byte| bytes.contains(byte))
                .any(|byte| fresh(&byte))
            {
                self.note_change(number, at);
            }
        }
        self.blocks.push(Block {
            bytes,
            allocated_at: self.blame(at.pc),
            allocated: self.order,
            freed: None,
        });
    }

    pub(super) fn give_back(&mut self, at: Moment, offset: u32) {
        let live = |block: &Block| block.freed.is_none() && block.bytes.start == offset;
        if let Some(number) = self.blocks.iter().position(live) {
            self.note_use(number, at);
            self.note_change(number, at);
            self.blocks[number].freed = Some(self.order);
        }
    }
}
