//! Which locals in memory still matter.
//!
//! A local of a call in progress is dead where nobody can read it any more: its address is used for nothing but
//! loads and stores of its function, and no path from where that function goes on leads to such a load.

use std::collections::BTreeSet;

use brownout_ir::{Block, Body, Func, Id, Op, Operand, Service, Slot};

use crate::machine::Machine;

/// So many gaps of one local are known.
const GAPS: usize = 256;

impl Machine<'_> {
    /// Whether an offset is in a local that no path from here reads. Nothing is known of locals in functions
    /// that `longjmp` may come back to.
    pub fn is_dead_local(&self, offset: u32) -> bool {
        let target = &self.image.program.target;
        self.local(offset).is_some_and(|(body, slot, _, block)| {
            !sets_jump(body)
                && !body.escapes(target, slot, |_| true)
                && !is_loaded_from(body, slot, block)
        })
    }

    /// Whether an offset is in a local, in a gap between members of it: what such bytes hold is left to chance.
    pub fn is_gap_of_local(&self, offset: u32) -> bool {
        self.local(offset).is_some_and(|(body, slot, inside, _)| {
            let source = &self.image.program.source;
            let gaps = body.slots[slot].ty.map(|ty| source.padding(ty, GAPS));
            gaps.is_some_and(|gaps| gaps.iter().any(|gap| gap.contains(&inside)))
        })
    }

    /// The local at an offset, in its function, how far inside it that is, and the block in which that function goes on.
    fn local(&self, offset: u32) -> Option<(&Body, Slot, u64, Block)> {
        let layout = &self.image.layout;
        if !layout.stack.contains(&offset) {
            return None;
        }
        let address = (layout.base + u64::from(offset)).cast_signed();
        let mut goes_on = self.processor.pc;
        for frame in self.processor.frames.iter().rev() {
            let distance = address - frame.frame_pointer.cast_signed();
            let code = self.image.code.functions.get(frame.function as usize)?;
            let code = code.as_ref()?;
            if (-i64::from(code.frame_bytes)..0).contains(&distance) {
                let func = Func::from_index(frame.function as usize);
                let body = self.image.program.functions[func].body.as_ref()?;
                let mut slots = body.slots.iter().zip(&code.slot_offsets);
                let there = slots.find(|((_, data), start)| {
                    let start = i64::from(**start);
                    (start..start + i64::from(data.size)).contains(&distance)
                });
                // Behind the last block are ways between blocks: of these nothing is known.
                let index = code.blocks.partition_point(|&start| start <= goes_on);
                let index = index.checked_sub(1).filter(|&at| at < body.blocks.len())?;
                let ((slot, _), start) = there?;
                let inside = distance.abs_diff(i64::from(*start));
                return Some((body, slot, inside, Block::from_index(index)));
            }
            goes_on = frame.return_to;
        }
        None
    }
}

/// Whether execution may come back to the middle of a function.
fn sets_jump(body: &Body) -> bool {
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            inst.op,
            Op::Service {
                service: Service::SetJump,
                ..
            }
        )
    })
}

/// Whether a path from a block leads to a load of a local.
fn is_loaded_from(body: &Body, slot: Slot, from: Block) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::from([from]));
    while let Some(block) = open.pop() {
        let block = &body.blocks[block];
        let loads = |op: &Op| matches!(op, Op::Load { address: Operand::Slot(used, _), .. } if *used == slot);
        if block.insts.iter().any(|inst| loads(&inst.op)) {
            return true;
        }
        for edge in block.terminator.edges() {
            if seen.insert(edge.block) {
                open.push(edge.block);
            }
        }
    }
    false
}
