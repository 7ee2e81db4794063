//! What code and data say about where addresses get to.

use super::solve::{Call, Shift, Solver, Use};
use super::{Object, Offset};
use crate::eval::narrow;
use crate::inst::{Callee, Inst, Op, Operand};
use crate::ops::IntBinary;
use crate::program::{Block, Func, Origin, Program, Symbol};
use crate::types::{Target, Type};

/// All constraints of a program.
pub(super) fn constraints(program: &Program) -> Solver<'_> {
    let mut solver = Solver::new(program);
    for (global, data) in program.globals.iter() {
        for relocation in data.init.iter().flat_map(|init| &init.relocations) {
            let place = match relocation.symbol {
                Symbol::Global(to) => (Object::Global(to), Offset::At(relocation.addend)),
                Symbol::Func(func) => (Object::Function(func), Offset::At(0)),
                Symbol::Block(..) => continue,
            };
            let at = Offset::At(relocation.offset as i64);
            let cell = solver.cell((Object::Global(global), at));
            solver.add(cell, place);
        }
    }
    for (func, function) in program.functions.iter() {
        let Some(body) = function
            .body
            .as_ref()
            .filter(|_| is_followed(program, func))
        else {
            continue;
        };
        for (block, data) in body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                instruction(&mut solver, (func, block, index), inst);
            }
            for edge in data.terminator.edges() {
                let params = &body.blocks[edge.block].params;
                for (&param, &arg) in params.iter().zip(&edge.args) {
                    let to = solver.node(func, param);
                    solver.flow(func, arg, to, Shift::By(0));
                }
            }
        }
    }
    solver
}

/// Whether the body of a function says what it does with addresses: functions of the library move memory in pieces.
pub(super) fn is_followed(program: &Program, func: Func) -> bool {
    let function = &program.functions[func];
    function.body.is_some() && function.origin == Origin::User
}

fn instruction<'p>(solver: &mut Solver<'p>, at: (Func, Block, usize), inst: &'p Inst) {
    let func = at.0;
    let target = &solver.program.target;
    let result = inst.results.first().map(|&value| solver.node(func, value));
    match (&inst.op, result) {
        (Op::Cast { a, .. }, Some(to)) => solver.flow(func, *a, to, Shift::By(0)),
        (Op::Select { a, b, .. }, Some(to)) => {
            solver.flow(func, *a, to, Shift::By(0));
            solver.flow(func, *b, to, Shift::By(0));
        }
        (Op::IntBinary { op, a, b, .. }, Some(to)) => {
            let by = |other: Operand| match (op, other) {
                (IntBinary::Add, Operand::Bits(bits)) => Shift::By(signed(bits, target)),
                _ => Shift::Anywhere,
            };
            solver.flow(func, *a, to, by(*b));
            solver.flow(func, *b, to, by(*a));
        }
        (
            &Op::Address {
                base,
                index,
                scale,
                offset,
            },
            Some(to),
        ) => {
            let shift = match index {
                Operand::Bits(bits) => {
                    let by = signed(bits, target).saturating_mul(scale);
                    Shift::By(by.saturating_add(offset))
                }
                _ => Shift::Indexed(scale, offset),
            };
            solver.flow(func, base, to, shift);
        }
        (&Op::Load { ty, address, .. }, Some(to)) => {
            for part in parts(ty, target) {
                solver.at(func, address, Use::Load(to, part));
            }
        }
        (
            &Op::Store {
                ty, address, value, ..
            },
            _,
        ) => {
            if let Some(source) = solver.source(func, value) {
                for part in parts(ty, target) {
                    solver.at(func, address, Use::Store(source, part));
                }
            }
        }
        (&Op::Copy { to, from, .. }, _) => copy(solver, func, to, from),
        (Op::StackAlloc { .. }, Some(to)) => {
            solver.add(to, (Object::Result(func, at.1, at.2), Offset::At(0)));
        }
        (
            Op::Call {
                callee,
                args,
                result_types,
                ..
            },
            _,
        ) => {
            let call = solver.calls.len();
            solver.calls.push(Call {
                callee: *callee,
                at,
                args,
                results: &inst.results,
            });
            match (callee.named(), *callee) {
                (Some(callee), _) if is_followed(solver.program, callee) => {
                    solver.enter(call, callee);
                }
                (Some(callee), _) | (None, Callee::Direct(callee)) => {
                    let is_of_library = solver.program.functions[callee].origin == Origin::Library;
                    if is_of_library {
                        // It may copy from one place to another.
                        for &to in args {
                            let others = args.iter().filter(|&&from| from != to);
                            others.for_each(|&from| copy(solver, func, to, from));
                        }
                    }
                    if let (Some(to), Some(Type::Ptr)) = (result, result_types.first()) {
                        // A new block, or what it was given.
                        solver.add(to, (Object::Result(func, at.1, at.2), Offset::At(0)));
                        for &arg in args {
                            solver.flow(func, arg, to, Shift::By(0));
                        }
                    }
                }
                (None, Callee::Indirect(callee)) => solver.at(func, callee, Use::Call(call)),
            }
        }
        _ => {}
    }
}

/// Where addresses are in what an access moves: some of them may be moved together, as one number.
fn parts(ty: Type, target: &Target) -> impl Iterator<Item = i64> {
    let pointer = i64::from(target.pointer_bytes());
    let count = i64::from(ty.bytes(target)) / pointer;
    (0..count).map(move |part| part * pointer)
}

fn copy(solver: &mut Solver<'_>, func: Func, to: Operand, from: Operand) {
    if let Some(from) = solver.source(func, from) {
        solver.at(func, to, Use::CopyTo(from));
    }
}

fn signed(bits: u128, target: &Target) -> i64 {
    narrow::signed(u32::from(target.pointer_bits), bits as u64)
}
