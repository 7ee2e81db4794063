//! Addresses, loads and stores.

use brownout_ir::{IntBinary, Operand, Type};

use super::Emitter;
use crate::code::{Op, Packed, Slot, Slow};
use crate::compile::moves::From;
use crate::compile::select::{self, Form, Mode};

impl Emitter<'_, '_> {
    pub(super) fn address(
        &mut self,
        dst: Slot,
        base: Operand,
        index: Operand,
        scale: i64,
        offset: i64,
    ) {
        let pointer = self.context.program.target.pointer_bits.into();
        let small = i32::try_from(scale).is_ok() && i32::try_from(offset).is_ok();
        if let Some(index) = self.constant(index).filter(|_| true) {
            let total = offset.wrapping_add((index as i64).wrapping_mul(scale)) as u64;
            let imm = total & brownout_ir::eval::narrow::mask(pointer);
            let a = self.in_register(base);
            if let Some(op) = select::binary(IntBinary::Add, pointer, dst, Form::Immediate(a, imm))
            {
                self.push(op);
            }
        } else if small {
            let (base, index) = (self.in_register(base), self.in_register(index));
            self.push(Op::Address {
                dst,
                base,
                index,
                offset: offset as i32,
                scale: scale as i32,
            });
        } else {
            // Elements of two gigabytes: one step at a time.
            let mask = brownout_ir::eval::narrow::mask(pointer);
            let index = self.in_register(index);
            let scaled = self.temporary();
            let steps = [
                select::binary(
                    IntBinary::Mul,
                    pointer,
                    scaled,
                    Form::Immediate(index, scale as u64 & mask),
                ),
                select::binary(
                    IntBinary::Add,
                    pointer,
                    scaled,
                    Form::Immediate(scaled, offset as u64 & mask),
                ),
            ];
            for op in steps.into_iter().flatten() {
                self.push(op);
            }
            let base = self.in_register(base);
            if let Some(op) =
                select::binary(IntBinary::Add, pointer, dst, Form::Registers(base, scaled))
            {
                self.push(op);
            }
        }
    }

    /// The addressing mode of an access.
    pub(super) fn mode(&mut self, address: Operand) -> (Mode, Packed) {
        let address = self.values.resolve(address);
        let folded = address
            .value()
            .and_then(|value| self.values.addresses.get(&value).copied());
        let (base, index, scale, offset) = match folded {
            Some(folded) => (folded.base, folded.index, folded.scale, folded.offset),
            None => (address, Operand::Bits(0), 0, 0),
        };
        let (index, offset) = match self.constant(index) {
            Some(constant) => {
                let bits = self.context.program.target.pointer_bits.into();
                let constant = brownout_ir::eval::narrow::signed(bits, constant);
                (None, offset.wrapping_add(constant.wrapping_mul(scale)))
            }
            None => (Some(self.in_register(index)), offset),
        };
        let packed = |base, offset: i64| Packed {
            base,
            index: index.unwrap_or(0),
            scale: scale as u16,
            offset: offset as u32,
        };
        match self.from(base) {
            From::Const(at) => {
                let at = at.wrapping_add(offset as u64) & self.context.layout.address_mask();
                match u32::try_from(at) {
                    Ok(at) if index.is_some() => (Mode::AbsoluteIndexed, packed(0, at.into())),
                    Ok(at) => (Mode::Absolute, packed(0, at.into())),
                    // Beyond four gigabytes nothing is mapped, but the fault must name the address.
                    Err(_) => {
                        let slot = self.temporary();
                        self.push(Op::Const { dst: slot, imm: at });
                        (
                            if index.is_some() {
                                Mode::Indexed
                            } else {
                                Mode::Base
                            },
                            packed(slot, 0),
                        )
                    }
                }
            }
            From::Frame(at) => {
                let mode = if index.is_some() {
                    Mode::FrameIndexed
                } else {
                    Mode::Frame
                };
                (mode, packed(0, i64::from(at) + offset))
            }
            From::Slot(base) => (
                if index.is_some() {
                    Mode::Indexed
                } else {
                    Mode::Base
                },
                packed(base, offset),
            ),
        }
    }

    pub(super) fn load(&mut self, ty: Type, dst: Slot, address: Operand) {
        let bits = self.context.bits(ty);
        if !matches!(bits, 8 | 16 | 32 | 64) {
            let address = self.source(address);
            return self.slow(Slow::Load { bits, dst, address });
        }
        let (mode, at) = self.mode(address);
        if let Some(op) = select::load(bits, mode, dst, at) {
            self.push(op);
        }
    }

    pub(super) fn store(&mut self, ty: Type, address: Operand, value: Operand) {
        let bits = self.context.bits(ty);
        if !matches!(bits, 8 | 16 | 32 | 64) {
            let (address, value) = (self.source(address), self.source(value));
            return self.slow(Slow::Store {
                bits,
                address,
                value,
            });
        }
        let src = self.in_register(value);
        let (mode, at) = self.mode(address);
        if let Some(op) = select::store(bits, mode, src, at) {
            self.push(op);
        }
    }
}
