//! The values of inputs as C means them: with a sign or without.
//!
//! A function without a body has no type in the debug information of its callers. What they do with
//! its result tells: the variable that takes it, how it is widened, compared, divided and shifted.

use std::collections::BTreeMap;

use brownout_ir::eval::{Signedness, narrow};
use brownout_ir::source::{TypeId, TypeKind};
use brownout_ir::{
    Body, Callee, CastOp, Func, IntBinary, IntPredicate, Op, Operand, Program, Value,
};
use brownout_vm::{Binding, Image};

/// How the values of inputs are written.
#[derive(Clone, Debug)]
pub struct InputSigns {
    /// The widths of those that have a sign, by number.
    signed: BTreeMap<u32, u32>,
}

impl InputSigns {
    /// Looks at how a program uses its inputs.
    pub fn new(image: &Image) -> Self {
        let program = image.program();
        let functions = image.bindings().functions.iter();
        let inputs = functions.filter_map(|(&func, binding)| match binding {
            Binding::Input(number) => Some((*number, func)),
            _ => None,
        });
        let signed = inputs.filter_map(|(number, func)| {
            let ty = program.functions[func].results.first()?;
            let bits = ty.bits(&program.target);
            // As it is with the arguments of outputs: from `int` on numbers have a sign.
            let usual = match bits >= program.target.int().bits(&program.target) {
                true => Signedness::Signed,
                false => Signedness::Unsigned,
            };
            let sign = evidence(program, func).unwrap_or(usual);
            (sign == Signedness::Signed && bits <= u64::BITS).then_some((number, bits))
        });
        Self {
            signed: signed.collect(),
        }
    }

    /// A value of an input.
    pub fn text(&self, number: u32, value: u64) -> String {
        match self.signed.get(&number) {
            Some(&bits) => narrow::signed(bits, value & narrow::mask(bits)).to_string(),
            None => value.to_string(),
        }
    }
}

/// What the first caller that cares takes the result of a function for.
fn evidence(program: &Program, func: Func) -> Option<Signedness> {
    let bodies = program.functions.values();
    let mut bodies = bodies.filter_map(|function| function.body.as_ref());
    bodies.find_map(|body| {
        let insts = || body.blocks.values().flat_map(|block| &block.insts);
        insts().find_map(|inst| {
            let Op::Call { callee, .. } = &inst.op else {
                return None;
            };
            let result = inst
                .results
                .first()
                .filter(|_| *callee == Callee::Direct(func))?;
            let stored = insts().find_map(|inst| variable(program, body, &inst.op, *result));
            stored.or_else(|| insts().find_map(|inst| operator(&inst.op, *result)))
        })
    })
}

/// What the variable is that takes a value.
fn variable(program: &Program, body: &Body, op: &Op, taken: Value) -> Option<Signedness> {
    let Op::Store { address, value, .. } = op else {
        return None;
    };
    if *value != Operand::Value(taken) {
        return None;
    }
    match *address {
        Operand::Slot(slot, offset) => sign(program, body.slots[slot].ty?, offset),
        Operand::Global(global, offset) => sign(program, program.globals[global].ty?, offset),
        _ => None,
    }
}

fn sign(program: &Program, ty: TypeId, offset: i64) -> Option<Signedness> {
    let (_, _, leaf) = program.source.leaf(ty, u64::try_from(offset).ok()?)?;
    match program.source.types.get(leaf)?.kind {
        TypeKind::Signed => Some(Signedness::Signed),
        TypeKind::Unsigned | TypeKind::Char | TypeKind::Bool | TypeKind::Pointer(_) => {
            Some(Signedness::Unsigned)
        }
        _ => None,
    }
}

/// What an operator takes a value for.
fn operator(op: &Op, value: Value) -> Option<Signedness> {
    let taken = Operand::Value(value);
    match op {
        Op::Cast { op, a, .. } if *a == taken => match op {
            CastOp::SExt | CastOp::SIntToFloat => Some(Signedness::Signed),
            CastOp::ZExt | CastOp::UIntToFloat => Some(Signedness::Unsigned),
            _ => None,
        },
        Op::IntCompare { op, a, b, .. } if *a == taken || *b == taken => match op {
            IntPredicate::SLt | IntPredicate::SLe | IntPredicate::SGt | IntPredicate::SGe => {
                Some(Signedness::Signed)
            }
            IntPredicate::ULt | IntPredicate::ULe | IntPredicate::UGt | IntPredicate::UGe => {
                Some(Signedness::Unsigned)
            }
            IntPredicate::Eq | IntPredicate::Ne => None,
        },
        Op::IntBinary { op, a, .. } if *a == taken => match op {
            IntBinary::SDiv | IntBinary::SRem | IntBinary::AShr => Some(Signedness::Signed),
            IntBinary::UDiv | IntBinary::URem | IntBinary::LShr => Some(Signedness::Unsigned),
            _ => None,
        },
        _ => None,
    }
}
