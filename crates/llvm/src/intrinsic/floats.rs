//! Intrinsics that take floating-point numbers apart or put them together.

use brownout_ir::{CastOp, FloatBinary, FloatUnary, IntBinary, Op, Operand, Type};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::Value;

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn power(&mut self, inst: Value<'m>) {
        let from = leaves::scalar(inst.operand(1).ty()).unwrap_or(Type::Int(32));
        let power = self.scalar_of(inst.operand(1));
        let bases = self.leaves_of(inst.operand(0));
        let types = self.lowering.types(inst.ty());
        let results = bases
            .into_iter()
            .zip(types)
            .map(|(a, ty)| {
                let b = self.cast(CastOp::SIntToFloat, from, ty, power);
                let op = FloatBinary::Pow;
                self.emit(Op::FloatBinary { op, ty, a, b }, ty)
            })
            .collect();
        self.define(inst, results);
    }

    /// `lround` and its like.
    pub(super) fn round_to_integer(&mut self, inst: Value<'m>, op: FloatUnary, name: &str) {
        let (Some(from), Some(to)) = (
            leaves::scalar(inst.operand(0).ty()),
            leaves::scalar(inst.ty()),
        ) else {
            return self.gap(Gap::Intrinsic(name.to_owned()));
        };
        let a = self.scalar_of(inst.operand(0));
        let rounded = self.emit(Op::FloatUnary { op, ty: from, a }, from);
        let result = self.cast(CastOp::FloatToSInt, from, to, rounded);
        self.define(inst, vec![result]);
    }

    /// `a * 2^b` through two steps, so that neither factor overflows on its own.
    pub(super) fn load_exponent(&mut self, inst: Value<'m>) {
        let (Some(ty), Some(from)) = (
            leaves::scalar(inst.ty()),
            leaves::scalar(inst.operand(1).ty()),
        ) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        let (a, power) = (
            self.scalar_of(inst.operand(0)),
            self.scalar_of(inst.operand(1)),
        );
        // Wide enough for the numbers that it is computed with.
        let (power, from) = match self.bits(from) < 32 {
            true => (
                self.cast(CastOp::SExt, from, Type::Int(32), power),
                Type::Int(32),
            ),
            false => (power, from),
        };
        let half = self.int_binary(IntBinary::SDiv, from, power, Operand::Bits(2));
        let rest = self.int_binary(IntBinary::Sub, from, power, half);
        let mut result = a;
        for exponent in [half, rest] {
            let exponent = self.cast(CastOp::SIntToFloat, from, ty, exponent);
            let factor = self.emit(
                Op::FloatUnary {
                    op: FloatUnary::Exp2,
                    ty,
                    a: exponent,
                },
                ty,
            );
            result = self.emit(
                Op::FloatBinary {
                    op: FloatBinary::Mul,
                    ty,
                    a: result,
                    b: factor,
                },
                ty,
            );
        }
        self.define(inst, vec![result]);
    }

    pub(super) fn two_results(&mut self, inst: Value<'m>, stem: &str) {
        let types = self.lowering.types(inst.ty());
        let (&[ty, _], a) = (types.as_slice(), self.scalar_of(inst.operand(0))) else {
            return self.gap(Gap::Intrinsic(stem.to_owned()));
        };
        let function = |op| Op::FloatUnary { op, ty, a };
        match stem {
            "sincos" => {
                let sine = self.emit(function(FloatUnary::Sin), ty);
                let cosine = self.emit(function(FloatUnary::Cos), ty);
                self.define(inst, vec![sine, cosine]);
            }
            "modf" => {
                let whole = self.emit(function(FloatUnary::Trunc), ty);
                let difference = self.emit(
                    Op::FloatBinary {
                        op: FloatBinary::Sub,
                        ty,
                        a,
                        b: whole,
                    },
                    ty,
                );
                // Nothing is left of an infinity or a whole number, but its sign is.
                let op = brownout_ir::FloatPredicate::OEq;
                let condition = self.emit(
                    Op::FloatCompare {
                        op,
                        ty,
                        a,
                        b: whole,
                    },
                    Type::BOOL,
                );
                let rest = self.emit(
                    Op::Select {
                        ty,
                        condition,
                        a: Operand::Bits(0),
                        b: difference,
                    },
                    ty,
                );
                let rest = self.emit(
                    Op::FloatBinary {
                        op: FloatBinary::CopySign,
                        ty,
                        a: rest,
                        b: a,
                    },
                    ty,
                );
                self.define(inst, vec![rest, whole]);
            }
            _ => self.gap(Gap::Intrinsic(format!("llvm.{stem}"))),
        }
    }

    /// `llvm.is.fpclass`: a mask of classes, tested on the bits.
    pub(super) fn classify(&mut self, inst: Value<'m>) {
        use brownout_ir::IntPredicate::{Eq, Ne, UGt, ULt};
        let (Some(Type::Float(kind)), Operand::Bits(mask)) = (
            leaves::scalar(inst.operand(0).ty()),
            self.scalar_of(inst.operand(1)),
        ) else {
            return self.gap(Gap::Intrinsic("llvm.is.fpclass of vectors".to_owned()));
        };
        use brownout_ir::FloatKind;
        let (width, mantissa) = match kind {
            FloatKind::Half => (16u8, 10u32),
            FloatKind::Single => (32, 23),
            FloatKind::Double => (64, 52),
            FloatKind::Extended => (80, 63),
            FloatKind::Quad => (128, 112),
        };
        let ty = Type::Int(width);
        let a = self.scalar_of(inst.operand(0));
        let bits = self.cast(CastOp::Bitcast, Type::Float(kind), ty, a);
        let sign_bit = 1u128 << (width - 1);
        // The x87 format has an explicit leading one.
        let explicit = if kind == FloatKind::Extended {
            1u128 << 63
        } else {
            0
        };
        let infinity = ((sign_bit - 1) >> mantissa << mantissa) | explicit;
        let smallest_normal = (1u128 << if explicit != 0 { 64 } else { mantissa }) | explicit;
        let quiet = 1u128 << (mantissa - 1);
        let magnitude = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(sign_bit - 1));
        let sign = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(sign_bit));
        let compare = |this: &mut Self, op, a, b| {
            this.emit(
                Op::IntCompare {
                    op,
                    ty,
                    a,
                    b: Operand::Bits(b),
                },
                Type::BOOL,
            )
        };
        let negative = compare(self, Ne, sign, 0);
        let positive = compare(self, Eq, sign, 0);
        let not_number = compare(self, UGt, magnitude, infinity);
        let quiet_bit = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(quiet));
        let is_quiet = compare(self, Ne, quiet_bit, 0);
        let is_signalling = compare(self, Eq, quiet_bit, 0);
        let infinite = compare(self, Eq, magnitude, infinity);
        let below_infinity = compare(self, ULt, magnitude, infinity);
        let at_least_normal = compare(self, UGt, magnitude, smallest_normal - 1);
        let zero = compare(self, Eq, magnitude, 0);
        let not_zero = compare(self, Ne, magnitude, 0);
        let below_normal = compare(self, ULt, magnitude, smallest_normal);
        let both = |this: &mut Self, a, b| this.int_binary(IntBinary::And, Type::BOOL, a, b);
        let normal = both(self, below_infinity, at_least_normal);
        let subnormal = both(self, not_zero, below_normal);
        let tests = [
            (0x001, not_number, is_signalling),
            (0x002, not_number, is_quiet),
            (0x004, infinite, negative),
            (0x008, normal, negative),
            (0x010, subnormal, negative),
            (0x020, zero, negative),
            (0x040, zero, positive),
            (0x080, subnormal, positive),
            (0x100, normal, positive),
            (0x200, infinite, positive),
        ];
        let mut result = Operand::Bits(0);
        for (bit, a, b) in tests {
            if mask & bit != 0 {
                let found = both(self, a, b);
                result = self.int_binary(IntBinary::Or, Type::BOOL, result, found);
            }
        }
        self.define(inst, vec![result]);
    }
}
