//! One function: registers, then operations, then jump targets.
//!
//! Each kind of operation has its file; this one has what they share and the table that sends each
//! instruction to its file.

mod arithmetic;
mod call;
mod flow;
mod memory;
mod registers;

use brownout_ir::source::Place;
use brownout_ir::{Block, Body, Edge, Func, Id, Inst, Op as IrOp, Operand, Value};

use super::allocate::Assignment;
use super::moves::From;
use super::select::Form;
use super::values::Values;
use super::{Context, Decoded, TooLarge, frame};
use crate::code::{Code, Op, Slot, Slow, Source};

/// Registers kept for constants and cycles of moves.
const TEMPORARIES: u32 = 4;

/// Where a jump goes before addresses are known: a block, or an edge with moves.
type Label = u32;

struct Emitter<'c, 'p> {
    context: &'c mut Context<'p>,
    code: &'c mut Code,
    body: &'c Body,
    values: Values,
    slots: Assignment,
    slot_offsets: Vec<i32>,
    /// First temporary; the outgoing area starts behind the temporaries.
    temporaries: u32,
    next_temporary: u32,
    window: u32,
    outgoing: u32,
    /// IR instructions since time was last counted.
    tick: u32,
    place: Option<Place>,
    /// Operation of every label.
    labels: Vec<Option<u32>>,
    /// Edges that need moves, with their label.
    stubs: Vec<(Label, Edge)>,
}

pub(super) fn function(
    context: &mut Context<'_>,
    code: &mut Code,
    func: Func,
    body: &Body,
) -> Result<Decoded, TooLarge> {
    let values = Values::analyse(context, body);
    let slots = registers::registers(context, body, &values);
    let (slot_offsets, frame_bytes, frame_align) = frame(context.program, body);
    let data = &context.program.functions[func];
    let (params, results) = (data.params.clone(), data.results.clone());
    // Results travel in the first registers of the window; putting them there may need a temporary.
    let temporaries = slots.window.max(context.slots(&results).into());
    let window = temporaries + TEMPORARIES;
    let entry = code.ops.len() as u32;
    let mut emitter = Emitter {
        context,
        code,
        body,
        values,
        slots,
        slot_offsets,
        temporaries,
        next_temporary: 0,
        window,
        outgoing: 0,
        tick: 0,
        place: None,
        labels: vec![None; body.blocks.len()],
        stubs: Vec::new(),
    };
    emitter.blocks();
    // Labels of blocks come first, and blocks have operations of their own.
    let end = emitter.code.ops.len() as u32;
    let blocks = emitter.labels[..body.blocks.len()].iter().flatten();
    let blocks = blocks.copied().chain([end]).collect();
    emitter.edges_with_moves();
    emitter.resolve_labels(entry);
    let (outgoing, slot_offsets) = (emitter.outgoing, emitter.slot_offsets);
    let registers = match emitter.context.own_registers {
        true => emitter.slots.slots,
        false => Vec::new(),
    };
    if window + outgoing > u32::from(Slot::MAX) {
        return Err(TooLarge { function: func });
    }
    Ok(Decoded {
        entry,
        end: code.ops.len() as u32,
        blocks,
        window,
        outgoing,
        frame_bytes,
        frame_align,
        slot_offsets,
        registers,
        signature: context.signature(&params, &results),
        param_bits: params.iter().map(|&ty| context.bits(ty)).collect(),
    })
}

impl Emitter<'_, '_> {
    fn push(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.ticks.push(self.tick);
        self.code.places.push(self.place);
    }

    fn slow(&mut self, slow: Slow) {
        let index = self.code.slow.len() as u32;
        self.code.slow.push(slow);
        self.push(Op::Slow { index });
    }

    fn temporary(&mut self) -> Slot {
        // The last one belongs to cycles of moves.
        let slot = self.temporaries + self.next_temporary;
        self.next_temporary = (self.next_temporary + 1) % (TEMPORARIES - 1);
        slot as Slot
    }

    fn register(&self, value: Value) -> Slot {
        self.slots.slots[value.index()].unwrap_or(self.temporaries) as Slot
    }

    fn frame_offset(&self, slot: brownout_ir::Slot, offset: i64) -> i32 {
        (i64::from(self.slot_offsets[slot.index()]) + offset) as i32
    }

    fn from(&self, operand: Operand) -> From {
        match self.values.resolve(operand) {
            Operand::Value(value) => From::Slot(self.register(value)),
            Operand::Slot(slot, offset) => From::Frame(self.frame_offset(slot, offset)),
            constant => From::Const(self.context.constant(constant).unwrap_or(0) as u64),
        }
    }

    fn source(&self, operand: Operand) -> Source {
        match self.values.resolve(operand) {
            Operand::Value(value) => Source::Slot(self.register(value)),
            Operand::Slot(slot, offset) => Source::Frame(self.frame_offset(slot, offset)),
            constant => Source::Bits(self.context.constant(constant).unwrap_or(0)),
        }
    }

    fn move_to(&mut self, dst: Slot, from: From) {
        self.push(match from {
            From::Slot(a) => Op::Move { dst, a },
            From::Const(imm) => Op::Const { dst, imm },
            From::Frame(offset) => Op::FrameAddress { dst, offset },
        });
    }

    /// A register that holds the operand.
    fn in_register(&mut self, operand: Operand) -> Slot {
        match self.from(operand) {
            From::Slot(slot) => slot,
            from => {
                let slot = self.temporary();
                self.move_to(slot, from);
                slot
            }
        }
    }

    fn constant(&self, operand: Operand) -> Option<u64> {
        match self.from(operand) {
            From::Const(value) => Some(value),
            From::Slot(_) | From::Frame(_) => None,
        }
    }

    fn form(&mut self, a: Operand, b: Operand) -> Form {
        match (self.constant(a), self.constant(b)) {
            (_, Some(imm)) => Form::Immediate(self.in_register(a), imm),
            (Some(imm), None) => Form::Reversed(imm, self.in_register(b)),
            (None, None) => Form::Registers(self.in_register(a), self.in_register(b)),
        }
    }

    fn blocks(&mut self) {
        let body = self.body;
        for (block, data) in body.blocks.iter() {
            self.labels[block.index()] = Some(self.code.ops.len() as u32);
            self.tick = 0;
            let func = Func::from_index(self.code.functions.len());
            if self.context.loop_heads.contains(&(func, block)) {
                self.place = data.insts.first().map_or(data.place, |first| first.place);
                self.push(Op::LoopHead);
            }
            for (index, inst) in (0..).zip(&data.insts) {
                self.tick += 1;
                self.place = inst.place;
                self.next_temporary = 0;
                let points = self.context.interrupt_points;
                if points.contains(&(func, block, index)) {
                    self.push(Op::InterruptPoint);
                }
                self.instruction(inst);
            }
            self.tick += 1;
            self.place = data.place;
            self.next_temporary = 0;
            let end = data.insts.len() as u32;
            if self.context.interrupt_points.contains(&(func, block, end)) {
                self.push(Op::InterruptPoint);
            }
            self.terminator(&data.terminator, Block::from_index(block.index() + 1));
        }
    }

    fn instruction(&mut self, inst: &Inst) {
        if inst
            .results
            .iter()
            .any(|&result| self.values.is_free(result))
        {
            return;
        }
        let dst = inst
            .results
            .first()
            .map_or(0, |&result| self.register(result));
        match &inst.op {
            IrOp::IntBinary { op, ty, a, b } => self.int_binary(*op, *ty, dst, *a, *b),
            IrOp::IntUnary { op, ty, a } => {
                let (bits, a) = (self.context.bits(*ty), self.source(*a));
                self.slow(Slow::IntUnary {
                    op: *op,
                    bits,
                    dst,
                    a,
                });
            }
            IrOp::IntTernary { op, ty, a, b, c } => {
                let bits = self.context.bits(*ty);
                let (a, b, c) = (self.source(*a), self.source(*b), self.source(*c));
                self.slow(Slow::IntTernary {
                    op: *op,
                    bits,
                    dst,
                    a,
                    b,
                    c,
                });
            }
            IrOp::FloatBinary { op, ty, a, b } => self.float_binary(*op, *ty, dst, *a, *b),
            IrOp::FloatUnary { op, ty, a } => {
                let (kind, a) = (arithmetic::float_kind(*ty), self.source(*a));
                self.slow(Slow::FloatUnary {
                    op: *op,
                    kind,
                    dst,
                    a,
                });
            }
            IrOp::FloatFma { ty, a, b, c } => {
                let kind = arithmetic::float_kind(*ty);
                let (a, b, c) = (self.source(*a), self.source(*b), self.source(*c));
                self.slow(Slow::FloatFma { kind, dst, a, b, c });
            }
            IrOp::IntCompare { op, ty, a, b } => self.int_compare(*op, *ty, dst, *a, *b),
            IrOp::FloatCompare { op, ty, a, b } => self.float_compare(*op, *ty, dst, *a, *b),
            IrOp::Cast { op, from, to, a } => self.cast(*op, *from, *to, dst, *a),
            IrOp::Select {
                ty,
                condition,
                a,
                b,
            } => self.select(*ty, dst, *condition, *a, *b),
            IrOp::Address {
                base,
                index,
                scale,
                offset,
            } => self.address(dst, *base, *index, *scale, *offset),
            IrOp::Load { ty, address, .. } => self.load(*ty, dst, *address),
            IrOp::Store {
                ty, address, value, ..
            } => self.store(*ty, *address, *value),
            IrOp::Copy { to, from, length } => {
                let (to, from, length) =
                    (self.source(*to), self.source(*from), self.source(*length));
                self.slow(Slow::Copy { to, from, length });
            }
            IrOp::Fill { to, byte, length } => {
                let (to, byte, length) =
                    (self.source(*to), self.source(*byte), self.source(*length));
                self.slow(Slow::Fill { to, byte, length });
            }
            IrOp::StackAlloc { size, align } => {
                let size = self.source(*size);
                self.slow(Slow::StackAlloc {
                    dst,
                    size,
                    align: *align,
                });
            }
            IrOp::StackSave => self.slow(Slow::StackSave { dst }),
            IrOp::StackRestore { pointer } => {
                let pointer = self.source(*pointer);
                self.slow(Slow::StackRestore { pointer });
            }
            IrOp::Call {
                callee,
                args,
                arg_types,
                result_types,
            } => {
                self.call(*callee, args, arg_types, result_types, &inst.results);
            }
            IrOp::Service { service, args } => {
                let args = args.iter().map(|&arg| self.source(arg)).collect();
                let dst = inst.results.first().map(|_| dst);
                self.slow(Slow::Service {
                    service: *service,
                    dst,
                    args,
                });
            }
        }
    }
}
