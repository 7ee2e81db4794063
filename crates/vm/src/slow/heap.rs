//! The heap map: which bytes of the heap belong to a block.

use super::Machine;
use crate::fault::{Access, Fault};
use crate::layout::{FIRST, USABLE};

impl Machine<'_> {
    /// Marks the first byte and the rest of a stretch of heap; gives offset and size.
    pub(super) fn mark_heap(
        &mut self,
        address: u64,
        size: u64,
        first: u8,
        rest: u8,
    ) -> Result<(u32, u32), Fault> {
        let layout = &self.image.layout;
        let offset = address.wrapping_sub(layout.base + u64::from(layout.heap.start));
        let length = u64::from(layout.heap.end - layout.heap.start);
        if offset.checked_add(size).is_none_or(|end| end > length) {
            return Err(Fault::Unmapped {
                address,
                size: size as u32,
                access: Access::Write,
            });
        }
        let (offset, size) = (offset as u32, size as u32);
        let start = layout.heap_map + offset;
        if self.journaling {
            self.journal.record(&self.memory, start, size);
        }
        self.memory[start as usize..(start + size) as usize].fill(rest);
        if size > 0 {
            self.memory[start as usize] = first;
        }
        Ok((layout.heap.start + offset, size))
    }

    /// The marks of the heap from `address` on; none for addresses outside.
    pub(super) fn heap_marks(&self, address: u64) -> &[u8] {
        let layout = &self.image.layout;
        let offset = address.wrapping_sub(layout.base + u64::from(layout.heap.start));
        if offset >= u64::from(layout.heap.end - layout.heap.start) {
            return &[];
        }
        let start = (u64::from(layout.heap_map) + offset) as usize;
        &self.memory[start..layout.size as usize]
    }

    /// The length of the block at `address`.
    pub(super) fn usable_length(&self, address: u64) -> u64 {
        self.heap_marks(address)
            .iter()
            .enumerate()
            .take_while(|&(index, &mark)| mark == if index == 0 { FIRST } else { USABLE })
            .count() as u64
    }
}
