//! The flow of data through rare operations, for observers that follow it.
//!
//! **Invariant**: called only for observers with [`Observer::flow`]; changes nothing.

use super::Machine;
use crate::code::{Slot, Slow, Source};
use crate::observer::{Observer, Register};

impl Machine<'_> {
    /// The number of a register of the current window.
    pub(super) fn number(&self, slot: Slot) -> Register {
        self.processor.window + Register::from(slot)
    }

    /// The first register of an operand that has one.
    pub(super) fn register_of(&self, source: Source) -> Option<Register> {
        match source {
            Source::Slot(slot) => Some(self.number(slot)),
            Source::Bits(_) | Source::Frame(_) => None,
        }
    }

    /// All registers of operands of that width.
    pub(super) fn registers_of(&self, bits: u32, sources: &[Source]) -> Vec<Register> {
        let mut registers = Vec::with_capacity(2 * sources.len());
        for register in sources
            .iter()
            .filter_map(|&source| self.register_of(source))
        {
            registers.push(register);
            if Slow::is_wide(bits) {
                registers.push(register + 1);
            }
        }
        registers
    }

    /// A value of that width, made of the registers `from`, goes to `dst`.
    pub(super) fn flow_wide(
        &self,
        dst: Slot,
        bits: u32,
        from: &[Register],
        observer: &mut dyn Observer,
    ) {
        observer.derive(self.number(dst), from);
        if Slow::is_wide(bits) {
            observer.derive(self.number(dst) + 1, from);
        }
    }

    /// What an operation does to registers, as far as it does not depend on memory.
    pub(super) fn flow(&self, operation: &Slow, observer: &mut dyn Observer) {
        let mut derive = |dst: Slot, to_bits: u32, from_bits: u32, sources: &[Source]| {
            let from = self.registers_of(from_bits, sources);
            self.flow_wide(dst, to_bits, &from, observer);
        };
        match operation {
            &Slow::IntBinary {
                bits, dst, a, b, ..
            } => derive(dst, bits, bits, &[a, b]),
            &Slow::IntUnary { bits, dst, a, .. } => derive(dst, bits, bits, &[a]),
            &Slow::IntTernary {
                bits, dst, a, b, c, ..
            } => derive(dst, bits, bits, &[a, b, c]),
            &Slow::IntCompare {
                bits, dst, a, b, ..
            } => derive(dst, 1, bits, &[a, b]),
            &Slow::FloatBinary {
                kind, dst, a, b, ..
            } => {
                derive(dst, kind.bits(), kind.bits(), &[a, b]);
            }
            &Slow::FloatUnary { kind, dst, a, .. } => derive(dst, kind.bits(), kind.bits(), &[a]),
            &Slow::FloatFma { kind, dst, a, b, c } => {
                derive(dst, kind.bits(), kind.bits(), &[a, b, c]);
            }
            &Slow::FloatCompare {
                kind, dst, a, b, ..
            } => derive(dst, 1, kind.bits(), &[a, b]),
            &Slow::Cast {
                from_bits,
                to_bits,
                dst,
                a,
                ..
            } => derive(dst, to_bits, from_bits, &[a]),
            &Slow::WideSelect {
                dst,
                condition,
                a,
                b,
            } => {
                let chosen = if self.narrow(condition) != 0 { a } else { b };
                let mut from = self.registers_of(64, &[condition]);
                from.extend(self.registers_of(128, &[chosen]));
                self.flow_wide(dst, 128, &from, observer);
            }
            &Slow::StackAlloc { dst, .. } | &Slow::StackSave { dst } => derive(dst, 64, 64, &[]),
            Slow::Service {
                dst: Some(dst),
                args,
                ..
            } => derive(*dst, 64, 64, args),
            &Slow::Computed { address, .. } => {
                observer.decide(self.moment(), &self.registers_of(64, &[address]));
            }
            // What these do is known once their addresses are.
            Slow::Load { .. }
            | Slow::Store { .. }
            | Slow::Copy { .. }
            | Slow::Fill { .. }
            | Slow::External { .. }
            | Slow::Service { dst: None, .. }
            | Slow::StackRestore { .. }
            | Slow::Unreachable => {}
        }
    }

    /// A load of up to two registers.
    pub(super) fn flow_load(
        &self,
        offset: u32,
        size: u32,
        dst: Slot,
        address: Source,
        observer: &mut dyn Observer,
    ) {
        let address = self.registers_of(64, &[address]);
        let (at, to) = (self.moment(), self.number(dst));
        observer.loaded(at, to, offset, size.min(8), &address);
        if size > 8 {
            observer.loaded(at, to + 1, offset + 8, size - 8, &address);
        }
    }

    /// A store of up to two registers.
    pub(super) fn flow_store(
        &self,
        offset: u32,
        size: u32,
        value: Source,
        address: Source,
        observer: &mut dyn Observer,
    ) {
        let address = self.registers_of(64, &[address]);
        let (at, from) = (self.moment(), self.register_of(value));
        observer.stored(at, from, offset, size.min(8), &address);
        if size > 8 {
            let from = from.map(|from| from + 1);
            observer.stored(at, from, offset + 8, size - 8, &address);
        }
    }
}
