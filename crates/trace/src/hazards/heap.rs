//! Which rule a harmful write belongs to that nothing was located for: the heap has rules of its own.
//!
//! Failures inside the allocator are told with the leaks, as a note: the allocator that is executed is our own, and
//! that of the device may survive them.

use brownout_diag::Rule;
use brownout_explore::{Difference, Harm, Object, Objects};
use brownout_ir::{Callee, Func, Op, Origin};
use brownout_vm::{Image, SegmentKind, is_allocator};

use crate::hazards::findings::{Group, is_error};

/// The rule that a harmful failure after a write breaks, and the operation that breaks it, given who reads what was
/// written; nothing if the write is to memory that has no name, or if all it does is to leak a block.
pub(crate) fn rule_of(
    image: &Image,
    objects: &Objects<'_>,
    harm: &Harm,
    consumer: impl FnOnce() -> Option<u32>,
) -> Option<(Rule, u32)> {
    match objects.scalar(harm.offset, None).object {
        Object::Segment(SegmentKind::Heap) if !shows_outside(image, harm) => None,
        Object::Segment(SegmentKind::Heap) => {
            let by_allocator = |pc: &u32| is_by_allocator(image, *pc);
            let writer = Some(harm.producer).filter(by_allocator);
            match writer.or_else(|| consumer().filter(by_allocator)) {
                Some(call) => Some((Rule::HeapLeak, call)),
                None => Some((Rule::WriteAfterRead, harm.producer)),
            }
        }
        object if is_nameless(object) => None,
        _ => Some((Rule::WriteAfterRead, harm.producer)),
    }
}

/// Whether memory has neither a name nor an address that the program knows, nor is of the heap.
pub(crate) fn is_nameless(object: Object) -> bool {
    let has_address = |kind| matches!(kind, SegmentKind::Window | SegmentKind::Heap);
    matches!(object, Object::Segment(kind) if !has_address(kind))
}

/// Takes out what failures inside the allocator do, apart from calls that other findings are about.
pub(crate) fn take_broken(groups: &mut Vec<Group>) -> Vec<Group> {
    let (mut broken, others): (Vec<Group>, Vec<Group>) = std::mem::take(groups)
        .into_iter()
        .partition(|group| group.hazard.rule == Rule::HeapLeak);
    broken.retain(|group| {
        let is_same = |other: &Group| other.hazard.producer == group.hazard.producer;
        !others.iter().any(|other| is_error(other) && is_same(other))
    });
    *groups = others;
    broken
}

/// Whether a failure after a write to the heap does more than to make the next attempt allocate another block:
/// blocks are compared up to their addresses (SEMANTICS §2), so neither what lies on the heap nor pointers to it
/// count.
fn shows_outside(image: &Image, harm: &Harm) -> bool {
    let layout = image.layout();
    let is_heap = |kind: SegmentKind| matches!(kind, SegmentKind::Heap | SegmentKind::HeapMap);
    let on_heap = |offset: u32| layout.segment(offset).is_some_and(|at| is_heap(at.kind));
    let heap = layout
        .segments()
        .iter()
        .find(|segment| segment.kind == SegmentKind::Heap);
    let is_pointer = |bytes: &[u8]| {
        let address = bytes
            .iter()
            .rev()
            .fold(0, |address, &byte| (address << 8) | u64::from(byte));
        bytes.len() == image.program().target.pointer_bytes() as usize
            && heap.is_some_and(|heap| {
                let length = heap.offsets.end - heap.offsets.start;
                (heap.address..heap.address + u64::from(length)).contains(&address)
            })
    };
    harm.trial
        .differences()
        .iter()
        .any(|difference| match difference {
            Difference::Value {
                offset,
                continuous,
                intermittent,
                ..
            } => !(on_heap(*offset) || is_pointer(continuous) || is_pointer(intermittent)),
            _ => true,
        })
}

/// Whether an operation calls a function of the library that changes the heap's books.
fn is_by_allocator(image: &Image, pc: u32) -> bool {
    let (Some(func), Some(place)) = (image.function(pc), image.place(pc)) else {
        return false;
    };
    let program = image.program();
    let callees = |func: Func| {
        let blocks = program.functions[func]
            .body
            .iter()
            .flat_map(|body| body.blocks.values());
        blocks
            .flat_map(|block| &block.insts)
            .filter_map(|inst| match inst.op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if program.functions[callee].origin == Origin::Library => {
                    Some((inst.place, callee))
                }
                _ => None,
            })
    };
    let mut open: Vec<Func> = callees(func)
        .filter(|(at, _)| *at == Some(place))
        .map(|(_, callee)| callee)
        .collect();
    let mut known = open.clone();
    while let Some(func) = open.pop() {
        if is_allocator(&program.functions[func].name) {
            return true;
        }
        for (_, callee) in callees(func) {
            if !known.contains(&callee) {
                known.push(callee);
                open.push(callee);
            }
        }
    }
    false
}
