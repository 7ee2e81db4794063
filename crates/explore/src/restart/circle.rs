//! Executions that come back to a state that they have been in: they do for ever what they have done.

use brownout_vm::{Machine, SegmentKind};

use super::boot::{Arrived, World, differing};
use super::{RestartExplorer, visited};

/// So many instructions are executed to come back.
const FAR: u64 = 4_000_000;

impl<'i> RestartExplorer<'_, 'i> {
    /// Whether an execution that is at the head of a loop comes back there in the same state without having read
    /// anything.
    pub(super) fn is_in_a_circle(&self, machine: &Machine<'i>) -> bool {
        if self.image.is_interruptible() {
            return false;
        }
        let mut later = machine.clone();
        let mut world = World::default();
        let until = machine.now() + FAR;
        // The allocator goes by it; no variable lies there.
        let has_equal_heap_map = |later: &Machine<'i>| {
            let segments = self.image.layout().segments().iter();
            let mut maps = segments.filter(|segment| segment.kind == SegmentKind::HeapMap);
            maps.all(|map| {
                let bytes = map.offsets.start as usize..map.offsets.end as usize;
                later.memory()[bytes.clone()] == machine.memory()[bytes]
            })
        };
        while let Arrived::AtHead(head) = self.to_head(&mut later, &mut world, until) {
            if world.has_read() {
                return false;
            }
            if head == visited(machine)
                && later.live_registers() == machine.live_registers()
                && differing(&later, machine.memory()).is_empty()
                && has_equal_heap_map(&later)
            {
                return true;
            }
        }
        false
    }
}
