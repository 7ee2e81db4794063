//! Calls, and the moves that bring values where they are expected.

use brownout_ir::{Callee, Func, Id, Operand, Type, Value};

use super::{Emitter, TEMPORARIES};
use crate::code::{IndirectCall, Op, Slot, Slow, Source, words};
use crate::compile::moves::{self, From};
use crate::image::Binding;

impl Emitter<'_, '_> {
    /// The moves of values into registers from `to` on.
    pub(super) fn moves_to(
        &self,
        to: u32,
        values: &[Operand],
        types: &[Type],
    ) -> Vec<(Slot, From)> {
        let mut moves = Vec::new();
        let mut at = to;
        for (&value, &ty) in values.iter().zip(types) {
            moves.extend(self.value_moves(at as Slot, value, ty));
            at += 1 + u32::from(self.context.is_wide(ty));
        }
        moves
    }

    /// One move, or two for a pair of registers.
    pub(super) fn value_moves(&self, to: Slot, value: Operand, ty: Type) -> Vec<(Slot, From)> {
        if !self.context.is_wide(ty) {
            return vec![(to, self.from(value))];
        }
        match self.source(value) {
            Source::Slot(slot) => vec![(to, From::Slot(slot)), (to + 1, From::Slot(slot + 1))],
            Source::Bits(bits) => vec![
                (to, From::Const(bits as u64)),
                (to + 1, From::Const((bits >> 64) as u64)),
            ],
            Source::Frame(offset) => vec![(to, From::Frame(offset)), (to + 1, From::Const(0))],
        }
    }

    pub(super) fn emit_moves(&mut self, moves: Vec<(Slot, From)>) {
        let spare = (self.temporaries + TEMPORARIES - 1) as Slot;
        for (to, from) in moves::sequence(moves, spare) {
            self.move_to(to, from);
        }
    }

    pub(super) fn call(
        &mut self,
        callee: Callee,
        args: &[Operand],
        arg_types: &[Type],
        result_types: &[Type],
        results: &[Value],
    ) {
        if let Callee::Direct(func) = callee
            && (self.context.program.functions[func].body.is_none()
                || self.context.bound.contains_key(&func))
        {
            return self.external(func, args, arg_types, result_types, results);
        }
        // The target is read before arguments are laid out: temporaries are few.
        let target = match callee {
            Callee::Direct(_) => 0,
            Callee::Indirect(operand) => {
                let from = self.from(operand);
                let slot = (self.temporaries + TEMPORARIES - 1) as Slot;
                match from {
                    From::Slot(slot) => slot,
                    from => {
                        self.move_to(slot, from);
                        slot
                    }
                }
            }
        };
        let out = self.window;
        for (to, from) in self.moves_to(out, args, arg_types) {
            self.move_to(to, from);
        }
        let (arg_slots, result_slots) = (
            self.context.slots(arg_types),
            self.context.slots(result_types),
        );
        self.outgoing = self.outgoing.max(arg_slots.max(result_slots).into());
        let site = self.code.sites.len() as u32;
        let cost = self.tick;
        match callee {
            Callee::Direct(func) => self.push(Op::Call {
                function: func.index() as u32,
                site,
                cost,
            }),
            Callee::Indirect(_) => {
                let call = self.code.calls.len() as u32;
                let signature = self.context.signature(arg_types, result_types);
                let bits = |types: &[Type]| types.iter().map(|&ty| self.context.bits(ty)).collect();
                let (arg_bits, result_bits) = (bits(arg_types), bits(result_types));
                self.code.calls.push(IndirectCall {
                    signature,
                    arg_slots,
                    arg_bits,
                    result_bits,
                    ends_in_pointer: arg_types.last() == Some(&Type::Ptr),
                });
                self.push(Op::CallIndirect {
                    target,
                    call,
                    site,
                    cost,
                });
            }
        }
        self.code.sites.push(self.code.ops.len() as u32);
        self.tick = 0;
        let mut at = out;
        for (&result, &ty) in results.iter().zip(result_types) {
            let dst = self.register(result);
            for (word, bits) in words(self.context.bits(ty)).enumerate() {
                let (dst, a) = (dst + word as Slot, at as Slot);
                // A computed callee may give something wider than the caller thinks.
                self.push(match callee {
                    Callee::Indirect(_) if bits < 64 => Op::And64Imm {
                        dst,
                        a,
                        imm: brownout_ir::eval::narrow::mask(bits),
                    },
                    Callee::Direct(_) | Callee::Indirect(_) => Op::Move { dst, a },
                });
                at += 1;
            }
        }
    }

    pub(super) fn external(
        &mut self,
        function: Func,
        args: &[Operand],
        arg_types: &[Type],
        result_types: &[Type],
        results: &[Value],
    ) {
        if let Some(op) = self.bound_operation(function, results) {
            return self.push(op);
        }
        let args = args
            .iter()
            .zip(arg_types)
            .map(|(&arg, &ty)| (self.source(arg), self.context.bits(ty)))
            .collect();
        let dst = results
            .iter()
            .zip(result_types)
            .map(|(&value, &ty)| (self.register(value), self.context.bits(ty)))
            .collect();
        self.slow(Slow::External {
            function,
            binding: self.context.bound.get(&function).cloned(),
            args,
            dst,
        });
    }

    /// Checkpoints and readings in their usual form have operations of their own: what their
    /// arguments are does not matter.
    fn bound_operation(&self, function: Func, results: &[Value]) -> Option<Op> {
        match (self.context.bound.get(&function)?, results) {
            (Binding::Checkpoint, []) => Some(Op::Checkpoint),
            (&Binding::Input(input), &[result]) => {
                let declared = &self.context.program.functions[function].results;
                let bits = declared.first().map(|&ty| self.context.bits(ty))?;
                let dst = self.register(result);
                (bits <= u64::BITS).then_some(Op::Input {
                    dst,
                    bits: bits as u8,
                    input,
                })
            }
            _ => None,
        }
    }
}
