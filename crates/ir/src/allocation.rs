//! What allocations are for: the type of the pointer that their result is assigned to.
//!
//! `struct node *n = malloc(sizeof *n)` makes one `struct node`; blocks whose size is not that of
//! one are arrays. Where the pointer goes elsewhere first, nothing is known.

use crate::inst::{Callee, Inst, Op, Operand};
use crate::program::{Func, Function, Origin, Program};
use crate::source::{Place, TypeId, TypeKind};

/// What an allocated block holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocated {
    /// The type of what is in it; its size is not zero.
    pub element: TypeId,
    /// Bytes of one of them.
    pub size: u64,
    /// How many there are.
    pub count: Count,
}

/// How many elements a block has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Just one.
    One,
    /// An array of them, or nobody knows.
    Several,
}

/// What the blocks hold that a library call of `func` at `place` allocates.
pub fn allocated(program: &Program, func: Func, place: Place) -> Option<Allocated> {
    let function = &program.functions[func];
    let body = function.body.as_ref()?;
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    let mut calls = insts().filter(|inst| inst.place == Some(place) && is_library(program, inst));
    // Of several calls at one place nobody knows which it was.
    let (call, None) = (calls.next()?, calls.next()) else {
        return None;
    };
    let result = *call.results.first()?;
    let element = insts().find_map(|inst| match &inst.op {
        Op::Store { address, value, .. } if value.value() == Some(result) => {
            target(program, function, *address)
        }
        _ => None,
    })?;
    let size = program.source.types.get(element)?.size;
    let count = if requested(call) == Some(u128::from(size)) {
        Count::One
    } else {
        Count::Several
    };
    (size > 0).then_some(Allocated {
        element,
        size,
        count,
    })
}

fn is_library(program: &Program, inst: &Inst) -> bool {
    let Op::Call {
        callee: Callee::Direct(func),
        ..
    } = &inst.op
    else {
        return false;
    };
    program.functions[*func].origin == Origin::Library && !inst.results.is_empty()
}

/// What a pointer variable at an address points to.
fn target(program: &Program, function: &Function, address: Operand) -> Option<TypeId> {
    let (ty, offset) = match address {
        Operand::Global(global, offset) => (program.globals[global].ty?, offset),
        Operand::Slot(slot, offset) => (function.body.as_ref()?.slots.get(slot)?.ty?, offset),
        Operand::Value(_) | Operand::Bits(_) | Operand::Func(_) | Operand::BlockAddress(..) => {
            return None;
        }
    };
    let (_, _, leaf) = program.source.leaf(ty, u64::try_from(offset).ok()?)?;
    match program.source.types.get(leaf)?.kind {
        TypeKind::Pointer(target) => target,
        _ => None,
    }
}

/// The bytes that a call of `malloc` or `calloc` asks for, if they are constant.
fn requested(call: &Inst) -> Option<u128> {
    let Op::Call { args, .. } = &call.op else {
        return None;
    };
    args.iter().try_fold(1u128, |product, arg| match arg {
        Operand::Bits(bits) => product.checked_mul(*bits),
        _ => None,
    })
}
