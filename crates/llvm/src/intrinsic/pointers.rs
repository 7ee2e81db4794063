//! Intrinsics about lengths and pointers.

use brownout_ir::{CastOp, IntBinary, Op, Operand, Type};

use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::Value;

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn length(&mut self, inst: Value<'m>, operand: usize) -> Operand {
        let word = self.word();
        let from = leaves::scalar(inst.operand(operand).ty()).unwrap_or(word);
        let a = self.scalar_of(inst.operand(operand));
        self.resize(a, from, word)
    }

    pub(super) fn mask_pointer(&mut self, inst: Value<'m>) {
        let word = self.word();
        let mask_ty = leaves::scalar(inst.operand(1).ty()).unwrap_or(word);
        let a = self.scalar_of(inst.operand(0));
        let mask = self.scalar_of(inst.operand(1));
        let mask = self.resize(mask, mask_ty, word);
        let number = self.cast(CastOp::PtrToInt, Type::Ptr, word, a);
        let masked = self.int_binary(IntBinary::And, word, number, mask);
        let result = self.cast(CastOp::IntToPtr, word, Type::Ptr, masked);
        self.define(inst, vec![result]);
    }

    /// A table of distances from its own start: the pointer that an entry stands for.
    pub(super) fn load_relative(&mut self, inst: Value<'m>) {
        let word = self.word();
        let base = self.scalar_of(inst.operand(0));
        let from = leaves::scalar(inst.operand(1).ty()).unwrap_or(word);
        let index = self.as_word(inst.operand(1), from);
        let entry = self.bytes_behind(base, index);
        let distance = self.load(Type::Int(32), entry);
        let index = match self.bits(word) {
            32 => distance,
            16 => self.cast(CastOp::Trunc, Type::Int(32), word, distance),
            _ => self.cast(CastOp::SExt, Type::Int(32), word, distance),
        };
        let pointer = self.bytes_behind(base, index);
        self.define(inst, vec![pointer]);
    }

    fn bytes_behind(&mut self, base: Operand, index: Operand) -> Operand {
        let address = Op::Address {
            base,
            index,
            scale: 1,
            offset: 0,
        };
        self.emit(address, Type::Ptr)
    }
}
