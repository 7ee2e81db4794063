//! Intrinsics of ARM's microcontrollers, as CMSIS and `arm_acle.h` use them: barriers and hints,
//! exclusive accesses (there is one core), saturation.

use brownout_ir::{IntBinary, Op, Operand, Type};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::Value;

impl<'m> FunctionLowering<'_, 'm> {
    /// `llvm.arm.STEM`.
    pub(super) fn arm(&mut self, inst: Value<'m>, stem: &str, name: &str) {
        let result = leaves::scalar(inst.ty());
        match (stem, result) {
            // Nothing is out of order, and nobody else looks.
            ("hint" | "dmb" | "dsb" | "isb" | "dbg" | "clrex", _) => {}
            ("ssat" | "usat", Some(ty)) => {
                let value = self.scalar_of(inst.operand(0));
                let Operand::Bits(bits @ 0..=32) = self.scalar_of(inst.operand(1)) else {
                    return self.gap(Gap::Intrinsic(name.to_owned()));
                };
                let mask = u128::from(u32::MAX);
                let (low, high) = match stem {
                    "usat" => (0, (1u128 << bits) - 1),
                    _ => {
                        let half = 1u128 << (bits.max(1) - 1);
                        (half.wrapping_neg() & mask, half - 1)
                    }
                };
                let low = self.int_binary(IntBinary::SMax, ty, value, Operand::Bits(low));
                let both = self.int_binary(IntBinary::SMin, ty, low, Operand::Bits(high & mask));
                self.define(inst, vec![both]);
            }
            ("qadd" | "qsub", Some(ty)) => {
                let (a, b) = (
                    self.scalar_of(inst.operand(0)),
                    self.scalar_of(inst.operand(1)),
                );
                let op = match stem {
                    "qadd" => IntBinary::SAddSat,
                    _ => IntBinary::SSubSat,
                };
                let sum = self.int_binary(op, ty, a, b);
                self.define(inst, vec![sum]);
            }
            ("ldrex" | "ldaex", Some(ty)) => {
                let address = self.scalar_of(inst.operand(0));
                let Some(width) = inst.element_attribute(0) else {
                    return self.gap(Gap::Intrinsic(name.to_owned()));
                };
                let value = self.load(width, address);
                let value = self.resize(value, width, ty);
                self.define(inst, vec![value]);
            }
            ("strex" | "stlex", Some(_)) => {
                let value = self.scalar_of(inst.operand(0));
                let address = self.scalar_of(inst.operand(1));
                let (Some(width), Some(from)) = (
                    inst.element_attribute(1),
                    leaves::scalar(inst.operand(0).ty()),
                ) else {
                    return self.gap(Gap::Intrinsic(name.to_owned()));
                };
                let value = self.resize(value, from, width);
                self.store(width, address, value);
                // It always succeeds.
                self.define(inst, vec![Operand::Bits(0)]);
            }
            ("get.fpscr", Some(_)) => self.define(inst, vec![Operand::Bits(0)]),
            ("set.fpscr", _) => {}
            ("cls", Some(ty)) => {
                // As many bits as equal the sign, without it.
                let a = self.scalar_of(inst.operand(0));
                let op = IntBinary::AShr;
                let sign = self.int_binary(op, ty, a, Operand::Bits(31));
                let folded = self.int_binary(IntBinary::Xor, ty, a, sign);
                let op = brownout_ir::IntUnary::LeadingZeros;
                let zeros = self.emit(Op::IntUnary { op, ty, a: folded }, ty);
                let count = self.int_binary(IntBinary::Sub, ty, zeros, Operand::Bits(1));
                self.define(inst, vec![count]);
            }
            _ => {
                let types: Vec<Type> = self.lowering.types(inst.ty());
                self.gap(Gap::Intrinsic(name.to_owned()));
                self.define(inst, vec![Operand::Bits(0); types.len()]);
            }
        }
    }
}
