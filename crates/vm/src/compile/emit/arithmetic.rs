//! Arithmetic, comparisons, casts and choices.

use brownout_ir::{
    CastOp, FloatBinary, FloatKind, FloatPredicate, IntBinary, IntPredicate, Operand, Type,
};

use super::Emitter;
use crate::code::{Op, Slot, Slow};
use crate::compile::select::{self, Form};

impl Emitter<'_, '_> {
    pub(super) fn int_binary(
        &mut self,
        op: IntBinary,
        ty: Type,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        let bits = self.context.bits(ty);
        // Zero-extended values divide the same at every width.
        let width = match op {
            IntBinary::UDiv | IntBinary::URem if bits <= 64 => 64,
            _ => bits,
        };
        let probe = select::binary(op, width, 0, Form::Registers(0, 0));
        if bits > 64 || probe.is_none() {
            let (a, b) = (self.source(a), self.source(b));
            return self.slow(Slow::IntBinary {
                op,
                bits,
                dst,
                a,
                b,
            });
        }
        let form = self.form(a, b);
        if let Some(op) = select::binary(op, width, dst, form) {
            self.push(op);
        }
    }

    pub(super) fn int_compare(
        &mut self,
        op: IntPredicate,
        ty: Type,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        let bits = self.context.bits(ty);
        if bits > 64 || select::compare(op, bits, 0, Form::Registers(0, 0)).is_none() {
            let (a, b) = (self.source(a), self.source(b));
            return self.slow(Slow::IntCompare {
                op,
                bits,
                dst,
                a,
                b,
            });
        }
        let form = self.form(a, b);
        let (op, form) = match form {
            Form::Reversed(imm, register) => (op.swapped(), Form::Immediate(register, imm)),
            form => (op, form),
        };
        if let Some(op) = select::compare(op, bits, dst, form) {
            self.push(op);
        }
    }

    pub(super) fn float_binary(
        &mut self,
        op: FloatBinary,
        ty: Type,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        let kind = float_kind(ty);
        if select::float(op, kind, dst, 0, 0).is_none() {
            let (a, b) = (self.source(a), self.source(b));
            return self.slow(Slow::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            });
        }
        let (a, b) = (self.in_register(a), self.in_register(b));
        if let Some(op) = select::float(op, kind, dst, a, b) {
            self.push(op);
        }
    }

    pub(super) fn float_compare(
        &mut self,
        op: FloatPredicate,
        ty: Type,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        let kind = float_kind(ty);
        if kind.bits() > 64 {
            let (a, b) = (self.source(a), self.source(b));
            return self.slow(Slow::FloatCompare {
                op,
                kind,
                dst,
                a,
                b,
            });
        }
        let (a, b) = (self.in_register(a), self.in_register(b));
        self.push(Op::FloatCompare {
            dst,
            a,
            b,
            op,
            kind,
        });
    }

    pub(super) fn cast(&mut self, op: CastOp, from: Type, to: Type, dst: Slot, a: Operand) {
        let (from_bits, to_bits) = (self.context.bits(from), self.context.bits(to));
        match op {
            CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr
                if from_bits <= 64 && to_bits < from_bits =>
            {
                let a = self.in_register(a);
                self.push(Op::And64Imm {
                    dst,
                    a,
                    imm: brownout_ir::eval::narrow::mask(to_bits),
                });
            }
            CastOp::SExt if to_bits <= 64 => {
                let a = self.in_register(a);
                let (shift, mask) = (
                    (64 - from_bits) as u8,
                    brownout_ir::eval::narrow::mask(to_bits),
                );
                self.push(Op::SignExtend {
                    dst,
                    a,
                    shift,
                    mask,
                });
            }
            _ => {
                let a = self.source(a);
                self.slow(Slow::Cast {
                    op,
                    from,
                    from_bits,
                    to,
                    to_bits,
                    dst,
                    a,
                });
            }
        }
    }

    pub(super) fn select(
        &mut self,
        ty: Type,
        dst: Slot,
        condition: Operand,
        a: Operand,
        b: Operand,
    ) {
        if self.context.is_wide(ty) {
            let (condition, a, b) = (self.source(condition), self.source(a), self.source(b));
            return self.slow(Slow::WideSelect {
                dst,
                condition,
                a,
                b,
            });
        }
        let condition = self.in_register(condition);
        let op = match (self.constant(a), self.constant(b)) {
            (_, Some(imm)) => Op::SelectImm {
                dst,
                condition,
                a: self.in_register(a),
                imm,
            },
            (Some(imm), None) => Op::SelectRev {
                dst,
                condition,
                a: self.in_register(b),
                imm,
            },
            (None, None) => Op::Select {
                dst,
                condition,
                a: self.in_register(a),
                b: self.in_register(b),
            },
        };
        self.push(op);
    }
}

pub(super) fn float_kind(ty: Type) -> FloatKind {
    match ty {
        Type::Float(kind) => kind,
        // The verifier rejects floating-point arithmetic on anything else.
        Type::Int(_) | Type::Ptr => FloatKind::Double,
    }
}
