//! Heap blocks in use, what used them, and what became of those before them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use brownout_explore::Object;
use brownout_vm::SegmentKind;

use crate::hazards::locate::Allocation;
use crate::hazards::reads::Read;

/// A heap block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) size: u32,
    number: u32,
    /// The operation of the user's code that allocated it.
    pub(crate) allocated_at: u32,
    /// The region it was allocated in.
    epoch: u32,
    pub(crate) uses: Vec<Use>,
}

/// The last use of a block by a place of the user's code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) pc: u32,
    pub(crate) epoch: u32,
    pub(crate) read: Read,
}

impl Block {
    /// Notes a use. A block allocated in this region is allocated again when the region is
    /// repeated, unless a checkpoint may have come in between (`exposed_at_once`).
    fn note(&mut self, used: Use, exposed_at_once: bool) -> bool {
        if self.epoch == used.epoch && !exposed_at_once {
            return false;
        }
        match self.uses.iter_mut().find(|earlier| earlier.pc == used.pc) {
            Some(earlier) => *earlier = used,
            None => self.uses.push(used),
        }
        true
    }
}

/// All blocks.
#[derive(Default, Debug)]
pub(crate) struct Blocks {
    /// The blocks in use, by first offset.
    live: BTreeMap<u32, Block>,
    /// Bytes that were given back and not handed out since, by first offset: where they end, and
    /// whose they were, if uses of that block may still be exposed.
    gone: BTreeMap<u32, (u32, Rc<Block>)>,
    /// How many blocks there have been.
    number: u32,
    allocations: BTreeMap<u32, Allocation>,
}

impl Blocks {
    fn live_at(&self, offset: u32) -> Option<(u32, &Block)> {
        let (&start, block) = self.live.range(..=offset).next_back()?;
        (offset < start + block.size).then_some((start, block))
    }

    /// The number of the live block at an offset; 0 for none.
    pub(crate) fn at(&self, offset: u32) -> u32 {
        self.live_at(offset).map_or(0, |(_, block)| block.number)
    }

    /// The live block at an offset as an object, and the byte in it.
    pub(crate) fn object(&self, offset: u32) -> (Object, u64) {
        match self.live_at(offset) {
            Some((start, block)) => (
                Object::Block {
                    allocated_at: block.allocated_at,
                },
                u64::from(offset - start),
            ),
            None => (Object::Segment(SegmentKind::Heap), 0),
        }
    }

    pub(crate) fn allocate(
        &mut self,
        offset: u32,
        size: u32,
        allocated_at: u32,
        epoch: u32,
        when: (u64, u64),
    ) {
        self.number += 1;
        self.allocations
            .entry(allocated_at)
            .or_insert(Allocation {
                pc: allocated_at,
                blocks: 0,
                first: when,
            })
            .blocks += 1;
        let block = Block {
            size,
            number: self.number,
            allocated_at,
            epoch,
            uses: Vec::new(),
        };
        self.live.insert(offset, block);
    }

    /// A use of the block at an offset.
    pub(crate) fn touch(&mut self, offset: u32, used: Use, exposed_at_once: bool) {
        if let Some((_, block)) = self.live.range_mut(..=offset).next_back() {
            block.note(used, exposed_at_once);
        }
    }

    /// Gives a block back: that is a use of it, too, and done twice, it is a double free.
    pub(crate) fn free(&mut self, offset: u32, used: Use, exposed_at_once: bool) -> Option<Block> {
        let mut block = self.live.remove(&offset)?;
        if block.note(used, exposed_at_once) && block.size > 0 {
            let end = offset + block.size;
            self.gone.insert(offset, (end, Rc::new(block.clone())));
        }
        Some(block)
    }

    /// The blocks that were given back and had some of the bytes at `offsets`, which are handed out
    /// again now.
    pub(crate) fn take_gone(&mut self, offsets: Range<u32>) -> Vec<Block> {
        let starts: Vec<u32> = self
            .gone
            .range(..offsets.end)
            .filter(|(_, (end, _))| *end > offsets.start)
            .map(|(start, _)| *start)
            .collect();
        let mut taken: Vec<Rc<Block>> = Vec::new();
        for start in starts {
            let Some((end, block)) = self.gone.remove(&start) else {
                continue;
            };
            // The rest is still to be had.
            for rest in [start..offsets.start, offsets.end..end] {
                if !rest.is_empty() {
                    self.gone.insert(rest.start, (rest.end, Rc::clone(&block)));
                }
            }
            if !taken.iter().any(|other| Rc::ptr_eq(other, &block)) {
                taken.push(block);
            }
        }
        taken.iter().map(|block| Block::clone(block)).collect()
    }

    /// A region is over: what was used in it is not exposed any more.
    pub(crate) fn forget_gone(&mut self) {
        if !self.gone.is_empty() {
            self.gone.clear();
        }
    }

    /// Where blocks were allocated, in the order of the code.
    pub(crate) fn allocations(&self) -> Vec<Allocation> {
        self.allocations.values().copied().collect()
    }
}
