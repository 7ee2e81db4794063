//! What instructions do.

use brownout_ir::*;
use brownout_vm::{Access, Binding, Fault, SegmentKind};

use super::memory::number;
use super::{Next, Reference};
use crate::record::Event;

impl Reference<'_> {
    pub(super) fn operation(&mut self, inst: &Inst) -> Result<Next, Fault> {
        let kind = |ty: Type| match ty {
            Type::Float(kind) => kind,
            Type::Int(_) | Type::Ptr => panic!("not a float"),
        };
        let value = match &inst.op {
            Op::IntBinary { op, ty, a, b } => {
                let value = eval::wide::binary(*op, self.bits(*ty), self.get(*a), self.get(*b));
                value.map_err(|eval::DivisionByZero| Fault::DivisionByZero)?
            }
            Op::IntUnary { op, ty, a } => eval::wide::unary(*op, self.bits(*ty), self.get(*a)),
            Op::IntTernary { op, ty, a, b, c } => eval::wide::ternary(
                *op,
                self.bits(*ty),
                self.get(*a),
                self.get(*b),
                self.get(*c),
            ),
            Op::FloatBinary { op, ty, a, b } => {
                eval::float_binary(*op, kind(*ty), self.get(*a), self.get(*b))
            }
            Op::FloatUnary { op, ty, a } => eval::float_unary(*op, kind(*ty), self.get(*a)),
            Op::FloatFma { ty, a, b, c } => {
                eval::float_fma(kind(*ty), self.get(*a), self.get(*b), self.get(*c))
            }
            Op::IntCompare { op, ty, a, b } => {
                eval::wide::compare(*op, self.bits(*ty), self.get(*a), self.get(*b)).into()
            }
            Op::FloatCompare { op, ty, a, b } => {
                eval::float_compare(*op, kind(*ty), self.get(*a), self.get(*b)).into()
            }
            Op::Cast { op, from, to, a } => eval::cast(
                *op,
                *from,
                self.bits(*from),
                *to,
                self.bits(*to),
                self.get(*a),
            ),
            Op::Select {
                condition, a, b, ..
            } => self.get(if self.get(*condition) != 0 { *a } else { *b }),
            Op::Address {
                base,
                index,
                scale,
                offset,
            } => {
                let scaled = self.get64(*index).wrapping_mul(*scale as u64);
                let sum = self
                    .get64(*base)
                    .wrapping_add(scaled)
                    .wrapping_add(*offset as u64);
                (sum & self.mask()).into()
            }
            Op::Load { ty, address, .. } => {
                let bytes = self.read(self.get64(*address), ty.bytes(&self.program.target))?;
                number(&bytes) & eval::wide::mask(self.bits(*ty))
            }
            Op::Store {
                ty, address, value, ..
            } => {
                let bytes = self.get(*value).to_le_bytes();
                self.write(
                    self.get64(*address),
                    &bytes[..ty.bytes(&self.program.target) as usize],
                )?;
                return Ok(Next::Instruction);
            }
            Op::Copy { to, from, length } => {
                let length = self.length(*from, *length, Access::Read)?;
                let bytes = self.read(self.get64(*from), length)?;
                self.write(self.get64(*to), &bytes)?;
                self.time += u64::from(length / self.word());
                return Ok(Next::Instruction);
            }
            Op::Fill { to, byte, length } => {
                let length = self.length(*to, *length, Access::Write)?;
                self.write(
                    self.get64(*to),
                    &vec![self.get(*byte) as u8; length as usize],
                )?;
                self.time += u64::from(length / self.word());
                return Ok(Next::Instruction);
            }
            Op::StackAlloc { size, align } => {
                let align = u64::from((*align).max(self.word()));
                let low = self.base + u64::from(self.segment(SegmentKind::Stack).start);
                let size = self.get64(*size);
                if size.saturating_add(align) > self.processor.sp - low {
                    return Err(Fault::StackOverflow);
                }
                self.processor.sp = (self.processor.sp - size) / align * align;
                self.stack_moved();
                self.processor.sp.into()
            }
            Op::StackSave => self.processor.sp.into(),
            Op::StackRestore { pointer } => {
                let stack = self.segment(SegmentKind::Stack);
                let pointer = self.get64(*pointer);
                let range = self.base + u64::from(stack.start)..=self.base + u64::from(stack.end);
                if !range.contains(&pointer) {
                    return Err(Fault::StackOverflow);
                }
                self.processor.sp = pointer;
                self.stack_moved();
                return Ok(Next::Instruction);
            }
            Op::Call {
                callee,
                args,
                arg_types,
                ..
            } => return self.call(*callee, args, arg_types),
            Op::Service { service, args } => {
                return self.service(*service, args, inst.results.first().copied());
            }
        };
        self.set(inst.results[0], value);
        Ok(Next::Instruction)
    }

    fn stack_moved(&mut self) {
        let pointer = (self.processor.sp - self.base) as u32;
        self.events.push(Event::Stack {
            time: self.time + 1,
            pointer,
        });
    }

    /// A length that is no longer than memory.
    pub(super) fn length(
        &self,
        address: Operand,
        length: Operand,
        access: Access,
    ) -> Result<u32, Fault> {
        let length = self.get64(length);
        if length <= self.memory.len() as u64 {
            return Ok(length as u32);
        }
        let size = u32::try_from(length).unwrap_or(u32::MAX);
        Err(Fault::Unmapped {
            address: self.get64(address),
            size,
            access,
        })
    }

    fn call(
        &mut self,
        callee: Callee,
        args: &[Operand],
        arg_types: &[Type],
    ) -> Result<Next, Fault> {
        let function = match callee {
            Callee::Direct(func) => func,
            Callee::Indirect(address) => {
                let address = self.get64(address);
                let function = self.layout.function_at(address);
                function.ok_or(Fault::WildCall { address })?
            }
        };
        let values: Vec<u128> = args.iter().map(|&arg| self.get(arg)).collect();
        let defined = self.program.functions[function].body.is_some();
        if defined && !self.bindings.functions.contains_key(&function) {
            self.enter(function, &values)?;
            return Ok(Next::Moved);
        }
        debug_assert_eq!(args.len(), arg_types.len());
        let args: Vec<u64> = values.iter().map(|&value| value as u64).collect();
        let value = self.external(function, &args)?;
        let (_, block, index) = self.here();
        let mut values = vec![0; self.body().blocks[block].insts[index].results.len()];
        if let Some(first) = values.first_mut() {
            *first = value.into();
        }
        self.give(&values);
        Ok(Next::Instruction)
    }

    fn external(&mut self, function: Func, args: &[u64]) -> Result<u64, Fault> {
        self.touched = true;
        let time = self.time + 1;
        match self.bindings.functions.get(&function) {
            Some(Binding::Checkpoint) => self.events.push(Event::Checkpoint {
                time,
                saves: vec![],
            }),
            Some(&Binding::Input(input)) => {
                let result = self.program.functions[function].results.first();
                let bits = result.map_or(64, |&ty| self.bits(ty));
                return Ok(self.next_input(input, bits));
            }
            Some(&Binding::Output(index)) => self.events.push(Event::Output {
                time,
                index,
                args: args.to_vec(),
            }),
            Some(Binding::Ignore) => {}
            Some(Binding::Fill(..) | Binding::Flash(_)) => unreachable!("never generated"),
            None => {
                return Err(Fault::WildCall {
                    address: self.layout.function(function),
                });
            }
        }
        Ok(0)
    }
}
