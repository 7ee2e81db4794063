//! Rare operations: wide values, block copies, services of the machine,
//! functions bound by the scenario, device registers.

mod external;
mod flow;
mod heap;
mod jump;
mod memory;
mod service;

use std::ops::ControlFlow;

use brownout_ir::eval;

use crate::code::{Slot, Slow, Source};
use crate::fault::{Access, Fault};
use crate::machine::Machine;
use crate::observer::{Moment, Observer};

/// What comes after a rare operation.
pub(crate) enum Next {
    /// The operation after it.
    Operation,
    /// Another one.
    Jump(u32),
    /// The one after it, but later.
    Pause,
    /// Nothing.
    Exit(i32),
}

impl Machine<'_> {
    fn register(&self, slot: Slot) -> u64 {
        self.processor.registers[self.processor.window as usize + usize::from(slot)]
    }

    fn set_register(&mut self, slot: Slot, value: u64) {
        let index = self.processor.window as usize + usize::from(slot);
        self.processor.registers[index] = value;
    }

    fn wide(&self, source: Source, bits: u32) -> u128 {
        match source {
            Source::Slot(slot) if Slow::is_wide(bits) => {
                u128::from(self.register(slot)) | u128::from(self.register(slot + 1)) << 64
            }
            Source::Slot(slot) => self.register(slot).into(),
            Source::Bits(value) => value,
            Source::Frame(offset) => {
                let address = self.processor.fp.wrapping_add(offset as u64);
                (address & self.image.layout.address_mask()).into()
            }
        }
    }

    fn narrow(&self, source: Source) -> u64 {
        self.wide(source, 64) as u64
    }

    fn set_wide(&mut self, slot: Slot, bits: u32, value: u128) {
        self.set_register(slot, value as u64);
        if Slow::is_wide(bits) {
            self.set_register(slot + 1, (value >> 64) as u64);
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        let pc = self.processor.pc;
        Moment {
            time: self.time + u64::from(self.image.code.ticks[pc as usize]),
            pc,
        }
    }

    /// Executes the rare operation `index`.
    pub(crate) fn slow(&mut self, index: u32, observer: &mut dyn Observer) -> Result<Next, Fault> {
        let image = self.image;
        let operation = &image.code.slow[index as usize];
        if observer.flow() {
            self.flow(operation, observer);
        }
        match operation {
            &Slow::IntBinary {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let (a, b) = (self.wide(a, bits), self.wide(b, bits));
                let value = eval::wide::binary(op, bits, a, b)
                    .map_err(|eval::DivisionByZero| Fault::DivisionByZero)?;
                let bits = if op.result(brownout_ir::Type::Ptr) == brownout_ir::Type::BOOL {
                    1
                } else {
                    bits
                };
                self.set_wide(dst, bits, value);
            }
            &Slow::IntUnary { op, bits, dst, a } => {
                let value = eval::wide::unary(op, bits, self.wide(a, bits));
                self.set_wide(dst, bits, value);
            }
            &Slow::IntTernary {
                op,
                bits,
                dst,
                a,
                b,
                c,
            } => {
                let value = eval::wide::ternary(
                    op,
                    bits,
                    self.wide(a, bits),
                    self.wide(b, bits),
                    self.wide(c, bits),
                );
                self.set_wide(dst, bits, value);
            }
            &Slow::IntCompare {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let holds = eval::wide::compare(op, bits, self.wide(a, bits), self.wide(b, bits));
                self.set_register(dst, holds.into());
            }
            &Slow::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let bits = kind.bits();
                let value = eval::float_binary(op, kind, self.wide(a, bits), self.wide(b, bits));
                self.set_wide(dst, bits, value);
            }
            &Slow::FloatUnary { op, kind, dst, a } => {
                let value = eval::float_unary(op, kind, self.wide(a, kind.bits()));
                self.set_wide(dst, kind.bits(), value);
            }
            &Slow::FloatFma { kind, dst, a, b, c } => {
                let bits = kind.bits();
                let value = eval::float_fma(
                    kind,
                    self.wide(a, bits),
                    self.wide(b, bits),
                    self.wide(c, bits),
                );
                self.set_wide(dst, bits, value);
            }
            &Slow::FloatCompare {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let bits = kind.bits();
                let holds = eval::float_compare(op, kind, self.wide(a, bits), self.wide(b, bits));
                self.set_register(dst, holds.into());
            }
            &Slow::Cast {
                op,
                from,
                from_bits,
                to,
                to_bits,
                dst,
                a,
            } => {
                let value = eval::cast(op, from, from_bits, to, to_bits, self.wide(a, from_bits));
                self.set_wide(dst, to_bits, value);
            }
            &Slow::WideSelect {
                dst,
                condition,
                a,
                b,
            } => {
                let chosen = if self.narrow(condition) != 0 { a } else { b };
                let value = self.wide(chosen, 128);
                self.set_wide(dst, 128, value);
            }
            &Slow::Load { bits, dst, address } => {
                let size = bits.div_ceil(8);
                let place = self.narrow(address);
                let bytes = self.read_bytes(place, size, observer)?;
                if observer.flow() {
                    let offset = self.resolve(place, size, Access::Read)?;
                    self.flow_load(offset, size, dst, address, observer);
                }
                let mut value = [0; 16];
                value[..bytes.len()].copy_from_slice(&bytes);
                let value = u128::from_le_bytes(value) & eval::wide::mask(bits);
                self.set_wide(dst, bits, value);
            }
            &Slow::Store {
                bits,
                address,
                value,
            } => {
                let size = bits.div_ceil(8) as usize;
                let bytes = self.wide(value, bits).to_le_bytes();
                let place = self.narrow(address);
                let offset = self.write_bytes(place, &bytes[..size], observer)?;
                if observer.flow() {
                    self.flow_store(offset, size as u32, value, address, observer);
                }
            }
            &Slow::Copy { to, from, length } => self.copy(to, from, length, observer)?,
            &Slow::Fill { to, byte, length } => self.fill(to, byte, length, observer)?,
            &Slow::StackAlloc { dst, size, align } => {
                let address = self.stack_alloc(self.narrow(size), align, observer)?;
                self.set_register(dst, address);
            }
            &Slow::StackSave { dst } => self.set_register(dst, self.processor.sp),
            &Slow::StackRestore { pointer } => {
                self.stack_restore(self.narrow(pointer), observer)?;
            }
            Slow::Service { service, dst, args } => {
                return self.service(*service, *dst, args, observer);
            }
            Slow::External {
                function,
                binding,
                args,
                dst,
            } => return self.external((*function, binding.as_ref()), args, dst, observer),
            Slow::Computed {
                address,
                targets,
                cost,
            } => {
                let address = self.narrow(*address);
                let Some(&(_, target)) = targets.iter().find(|(label, _)| *label == address) else {
                    return Err(Fault::WildJump { address });
                };
                self.time += u64::from(*cost);
                return Ok(Next::Jump(target));
            }
            Slow::Unreachable => return Err(Fault::Unreachable),
        }
        Ok(Next::Operation)
    }

    /// Makes room on the stack; gives its address.
    fn stack_alloc(
        &mut self,
        size: u64,
        align: u32,
        observer: &mut dyn Observer,
    ) -> Result<u64, Fault> {
        let layout = &self.image.layout;
        let room = self.processor.sp - (layout.base + u64::from(layout.stack.start));
        let align = u64::from(align.max(u32::from(layout.pointer_bits / 8)));
        if size.saturating_add(align) > room {
            return Err(Fault::StackOverflow);
        }
        let sp = (self.processor.sp - size) & !(align - 1);
        self.processor.sp = sp;
        self.deepest = self.deepest.min(sp);
        observer.stack(self.moment(), (sp - layout.base) as u32);
        Ok(sp)
    }

    fn stack_restore(&mut self, pointer: u64, observer: &mut dyn Observer) -> Result<(), Fault> {
        let layout = &self.image.layout;
        let low = layout.base + u64::from(layout.stack.start);
        if pointer < low || pointer > layout.base + u64::from(layout.stack.end) {
            return Err(Fault::StackOverflow);
        }
        self.processor.sp = pointer;
        observer.stack(self.moment(), (pointer - layout.base) as u32);
        Ok(())
    }
}

fn next(flow: ControlFlow<()>) -> Next {
    match flow {
        ControlFlow::Continue(()) => Next::Operation,
        ControlFlow::Break(()) => Next::Pause,
    }
}
