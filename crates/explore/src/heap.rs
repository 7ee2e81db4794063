//! The heap blocks of the continuous execution: what differences on the heap are told of.

use std::collections::BTreeMap;

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) size: u32,
    /// The operation of the user's code that allocated it.
    pub(super) allocated_at: u32,
}

/// Blocks by their first offset, as changes of those before: none where one was given back.
#[derive(Clone, Default, Debug)]
pub(super) struct Blocks(BTreeMap<u32, Option<Block>>);

impl Blocks {
    pub(super) fn allocate(&mut self, offset: u32, block: Block) {
        self.0.insert(offset, Some(block));
    }

    /// Gives back a block of those before, or of these.
    pub(super) fn free(&mut self, offset: u32) {
        self.0.insert(offset, None);
    }

    /// Gives back a block; there are none before these.
    pub(super) fn remove(&mut self, offset: u32) {
        self.0.remove(&offset);
    }

    /// The block at an offset and where it begins, if these come after `before`.
    pub(super) fn at(&self, before: &Self, offset: u32) -> Option<(u32, Block)> {
        let here = |blocks: &Self| {
            let (&start, block) = blocks
                .0
                .range(..=offset)
                .rev()
                .find(|(_, block)| block.is_some())?;
            let block = (*block)?;
            (offset < start + block.size).then_some((start, block))
        };
        here(self).or_else(|| here(before).filter(|(start, _)| !self.0.contains_key(start)))
    }
}
