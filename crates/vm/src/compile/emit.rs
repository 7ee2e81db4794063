//! One function: registers, then operations, then jump targets.

use std::collections::HashMap;

use brownout_ir::source::Place;
use brownout_ir::{
    Block, Body, Callee, CastOp, Edge, FloatKind, Func, Id, Inst, IntBinary, IntPredicate,
    Op as IrOp, Operand, Service, Terminator, Type, Value,
};

use super::allocate::{self, Assignment, Request};
use super::liveness::{self, BlockUses, Interval};
use super::moves::{self, From};
use super::select::{self, BranchOperand, Form, Mode};
use super::values::{Values, is_wide};
use super::{Context, Decoded, TooLarge, frame, successor_blocks};
use crate::code::{Code, IndirectCall, Op, Packed, Slot, Slow, Source, SwitchTable, words};

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
    let slots = registers(context, body, &values);
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
    emitter.edges_with_moves();
    emitter.resolve_labels(entry);
    let (outgoing, slot_offsets) = (emitter.outgoing, emitter.slot_offsets);
    if window + outgoing > u32::from(Slot::MAX) {
        return Err(TooLarge { function: func });
    }
    Ok(Decoded {
        entry,
        end: code.ops.len() as u32,
        window,
        outgoing,
        frame_bytes,
        frame_align,
        slot_offsets,
        signature: context.signature(&params, &results),
        param_bits: params.iter().map(|&ty| context.bits(ty)).collect(),
    })
}

fn registers(context: &Context<'_>, body: &Body, values: &Values) -> Assignment {
    let blocks: Vec<BlockUses> = body
        .blocks
        .iter()
        .map(|(block, data)| {
            let mut steps: Vec<(Vec<Value>, Vec<Value>)> = data
                .insts
                .iter()
                .map(|inst| {
                    let free = inst.results.iter().any(|&result| values.is_free(result));
                    if free {
                        (vec![], vec![])
                    } else {
                        (
                            values.reads(&context.program.target, &inst.op),
                            inst.results.clone(),
                        )
                    }
                })
                .collect();
            steps.push((values.terminator_reads(&data.terminator), vec![]));
            BlockUses {
                params: data.params.clone(),
                steps,
                successors: successor_blocks(body, block),
            }
        })
        .collect();
    let (mut intervals, _) = liveness::intervals(body, &blocks);
    if calls_set_jump(body) {
        // A `longjmp` comes back to the middle of the function, where values are
        // needed again that were not any more: no register serves two.
        for interval in intervals.iter_mut().flatten() {
            *interval = Interval {
                start: 0,
                end: u32::MAX,
            };
        }
    }
    // Parameters and their arguments like to share.
    let mut hints: HashMap<Value, Vec<Value>> = HashMap::new();
    for data in body.blocks.values() {
        for edge in data.terminator.edges() {
            for (&param, &arg) in body.blocks[edge.block].params.iter().zip(&edge.args) {
                if let Operand::Value(arg) = values.resolve(arg) {
                    hints.entry(param).or_default().push(arg);
                    hints.entry(arg).or_default().push(param);
                }
            }
        }
    }
    let requests = body
        .values
        .ids()
        .filter_map(|value| {
            let interval = intervals[value.index()]?;
            let hints = hints.remove(&value).unwrap_or_default();
            Some(Request {
                value,
                interval,
                wide: is_wide(context, body, value),
                hints,
            })
        })
        .collect();
    let fixed: Vec<(Value, bool)> = body.blocks[body.entry()]
        .params
        .iter()
        .map(|&param| (param, is_wide(context, body, param)))
        .collect();
    allocate::assign(body.values.len(), &fixed, requests)
}

fn calls_set_jump(body: &Body) -> bool {
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            inst.op,
            IrOp::Service {
                service: Service::SetJump,
                ..
            }
        )
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
            for inst in &data.insts {
                self.tick += 1;
                self.place = inst.place;
                self.next_temporary = 0;
                self.instruction(inst);
            }
            self.tick += 1;
            self.place = data.place;
            self.next_temporary = 0;
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
            IrOp::FloatBinary { op, ty, a, b } => {
                let kind = float_kind(*ty);
                let (x, y) = (self.source(*a), self.source(*b));
                if select::float(*op, kind, dst, 0, 0).is_none() {
                    return self.slow(Slow::FloatBinary {
                        op: *op,
                        kind,
                        dst,
                        a: x,
                        b: y,
                    });
                }
                let (a, b) = (self.in_register(*a), self.in_register(*b));
                if let Some(op) = select::float(*op, kind, dst, a, b) {
                    self.push(op);
                }
            }
            IrOp::FloatUnary { op, ty, a } => {
                let (kind, a) = (float_kind(*ty), self.source(*a));
                self.slow(Slow::FloatUnary {
                    op: *op,
                    kind,
                    dst,
                    a,
                });
            }
            IrOp::FloatFma { ty, a, b, c } => {
                let kind = float_kind(*ty);
                let (a, b, c) = (self.source(*a), self.source(*b), self.source(*c));
                self.slow(Slow::FloatFma { kind, dst, a, b, c });
            }
            IrOp::IntCompare { op, ty, a, b } => self.int_compare(*op, *ty, dst, *a, *b),
            IrOp::FloatCompare { op, ty, a, b } => {
                let kind = float_kind(*ty);
                if kind.bits() > 64 {
                    let (a, b) = (self.source(*a), self.source(*b));
                    return self.slow(Slow::FloatCompare {
                        op: *op,
                        kind,
                        dst,
                        a,
                        b,
                    });
                }
                let (a, b) = (self.in_register(*a), self.in_register(*b));
                self.push(Op::FloatCompare {
                    dst,
                    a,
                    b,
                    op: *op,
                    kind,
                });
            }
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

    fn int_binary(&mut self, op: IntBinary, ty: Type, dst: Slot, a: Operand, b: Operand) {
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

    fn int_compare(&mut self, op: IntPredicate, ty: Type, dst: Slot, a: Operand, b: Operand) {
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
            Form::Reversed(imm, register) => (select::swapped(op), Form::Immediate(register, imm)),
            form => (op, form),
        };
        if let Some(op) = select::compare(op, bits, dst, form) {
            self.push(op);
        }
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, dst: Slot, a: Operand) {
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

    fn select(&mut self, ty: Type, dst: Slot, condition: Operand, a: Operand, b: Operand) {
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

    fn address(&mut self, dst: Slot, base: Operand, index: Operand, scale: i64, offset: i64) {
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
    fn mode(&mut self, address: Operand) -> (Mode, Packed) {
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

    fn load(&mut self, ty: Type, dst: Slot, address: Operand) {
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

    fn store(&mut self, ty: Type, address: Operand, value: Operand) {
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

    /// The moves of values into registers from `to` on.
    fn moves_to(&self, to: u32, values: &[Operand], types: &[Type]) -> Vec<(Slot, From)> {
        let mut moves = Vec::new();
        let mut at = to;
        for (&value, &ty) in values.iter().zip(types) {
            moves.extend(self.value_moves(at as Slot, value, ty));
            at += 1 + u32::from(self.context.is_wide(ty));
        }
        moves
    }

    /// One move, or two for a pair of registers.
    fn value_moves(&self, to: Slot, value: Operand, ty: Type) -> Vec<(Slot, From)> {
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

    fn emit_moves(&mut self, moves: Vec<(Slot, From)>) {
        let spare = (self.temporaries + TEMPORARIES - 1) as Slot;
        for (to, from) in moves::sequence(moves, spare) {
            self.move_to(to, from);
        }
    }

    fn call(
        &mut self,
        callee: Callee,
        args: &[Operand],
        arg_types: &[Type],
        result_types: &[Type],
        results: &[Value],
    ) {
        if let Callee::Direct(func) = callee
            && (self.context.program.functions[func].body.is_none() || (self.context.bound)(func))
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

    fn external(
        &mut self,
        function: Func,
        args: &[Operand],
        arg_types: &[Type],
        result_types: &[Type],
        results: &[Value],
    ) {
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
            args,
            dst,
        });
    }

    fn terminator(&mut self, terminator: &Terminator, next: Block) {
        let cost = self.tick;
        match terminator {
            Terminator::Jump(edge) => self.go(edge, next, cost),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => self.branch(*condition, then, otherwise, next),
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => self.switch(*ty, *value, cases, default),
            Terminator::Computed { address, targets } => {
                let address = self.source(*address);
                let func = self.current_function_addresses(targets);
                self.slow(Slow::Computed {
                    address,
                    targets: func,
                    cost,
                });
            }
            Terminator::Return(values) => {
                let types: Vec<Type> = values
                    .iter()
                    .zip(self.result_types())
                    .map(|(_, ty)| ty)
                    .collect();
                let moves = self.moves_to(0, values, &types);
                self.emit_moves(moves);
                self.push(Op::Return { cost });
            }
            Terminator::Unreachable => self.slow(Slow::Unreachable),
        }
    }

    fn result_types(&self) -> Vec<Type> {
        // The function being decoded is the next one without code.
        let func = Func::from_index(self.code.functions.len());
        self.context.program.functions[func].results.clone()
    }

    fn current_function_addresses(&mut self, targets: &[Edge]) -> Vec<(u64, u32)> {
        let func = Func::from_index(self.code.functions.len());
        targets
            .iter()
            .map(|edge| {
                let address = self.context.layout.block(func, edge.block)
                    & self.context.layout.address_mask();
                (address, self.label(edge))
            })
            .collect()
    }

    fn edge_moves(&self, edge: &Edge) -> Vec<(Slot, From)> {
        let mut moves = Vec::new();
        for (&param, &arg) in self.body.blocks[edge.block].params.iter().zip(&edge.args) {
            // A parameter that nobody reads has no register.
            if self.slots.slots[param.index()].is_some() {
                moves.extend(self.value_moves(self.register(param), arg, self.body.values[param]));
            }
        }
        moves.retain(|&(to, from)| from != From::Slot(to));
        moves
    }

    /// The label of an edge: its block, or a stub that makes the moves first.
    fn label(&mut self, edge: &Edge) -> Label {
        if self.edge_moves(edge).is_empty() {
            return edge.block.index() as Label;
        }
        let label = self.labels.len() as Label;
        self.labels.push(None);
        self.stubs.push((label, edge.clone()));
        label
    }

    /// Moves and a jump, which is left out when the block follows anyway.
    fn go(&mut self, edge: &Edge, next: Block, cost: u32) {
        let moves = self.edge_moves(edge);
        self.emit_moves(moves);
        if edge.block != next || cost > 0 {
            self.push(Op::Jump {
                then: edge.block.index() as Label,
                cost,
            });
        }
    }

    fn branch(&mut self, condition: Operand, then: &Edge, otherwise: &Edge, next: Block) {
        let cost = self.tick;
        if let Some(known) = self.constant(condition) {
            return self.go(if known & 1 != 0 { then } else { otherwise }, next, cost);
        }
        let condition = self.values.resolve(condition);
        let folded = condition
            .value()
            .and_then(|value| self.values.compares.get(&value).copied());
        let (op, bits, a, b) = match folded {
            Some(folded) => (folded.op, folded.bits, folded.a, folded.b),
            None => (IntPredicate::Ne, 1, condition, Operand::Bits(0)),
        };
        // Falling through is cheaper than jumping.
        let (op, taken, fallen) = if then.block == next {
            (select::negated(op), otherwise, then)
        } else {
            (op, then, otherwise)
        };
        let (op, a, b) = if self.constant(a).is_some() {
            (select::swapped(op), b, a)
        } else {
            (op, a, b)
        };
        let a = self.in_register(a);
        let immediate = self.constant(b).and_then(|constant| {
            if select::is_signed(op) {
                i32::try_from(brownout_ir::eval::narrow::signed(bits, constant)).ok()
            } else {
                u32::try_from(constant).ok().map(|constant| constant as i32)
            }
        });
        let b = match immediate {
            Some(immediate) => BranchOperand::Immediate(immediate),
            None => BranchOperand::Register(self.in_register(b)),
        };
        let then = self.label(taken);
        if let Some(op) = select::branch(op, bits, a, b, then, cost) {
            self.push(op);
        }
        self.tick = 0;
        self.go(fallen, next, 0);
    }

    fn switch(&mut self, ty: Type, value: Operand, cases: &[(u128, Edge)], default: &Edge) {
        let cost = self.tick;
        let mut labelled: Vec<(u128, u32)> = cases
            .iter()
            .map(|(case, edge)| (*case, self.label(edge)))
            .collect();
        labelled.sort_by_key(|(case, _)| *case);
        let default = self.label(default);
        let table = if self.context.is_wide(ty) {
            SwitchTable::Wide {
                cases: labelled,
                default,
            }
        } else {
            let (low, high) = (
                labelled.first().map_or(0, |case| case.0),
                labelled.last().map_or(0, |case| case.0),
            );
            if (high - low) < 4 * labelled.len() as u128 + 8 {
                let mut targets = vec![default; (high - low) as usize + 1];
                for (case, target) in labelled {
                    targets[(case - low) as usize] = target;
                }
                SwitchTable::Dense {
                    low: low as u64,
                    targets,
                    default,
                }
            } else {
                SwitchTable::Sparse {
                    cases: labelled
                        .into_iter()
                        .map(|(case, to)| (case as u64, to))
                        .collect(),
                    default,
                }
            }
        };
        let a = if self.context.is_wide(ty) && !matches!(self.source(value), Source::Slot(_)) {
            // A constant pair: put it where the table can read it.
            let slot = self.temporaries as Slot;
            for (to, from) in self.value_moves(slot, value, ty) {
                self.move_to(to, from);
            }
            slot
        } else {
            self.in_register(value)
        };
        let index = self.code.switches.len() as u32;
        self.code.switches.push(table);
        self.push(Op::Switch {
            a,
            table: index,
            cost,
        });
    }

    fn edges_with_moves(&mut self) {
        self.tick = 0;
        for (label, edge) in std::mem::take(&mut self.stubs) {
            self.labels[label as usize] = Some(self.code.ops.len() as u32);
            let moves = self.edge_moves(&edge);
            self.emit_moves(moves);
            self.push(Op::Jump {
                then: edge.block.index() as Label,
                cost: 0,
            });
        }
    }

    fn resolve_labels(&mut self, entry: u32) {
        let labels = std::mem::take(&mut self.labels);
        let at = |label: &mut u32| *label = labels[*label as usize].unwrap_or(0);
        for op in &mut self.code.ops[entry as usize..] {
            match op {
                Op::Switch { table, .. } => match &mut self.code.switches[*table as usize] {
                    SwitchTable::Dense {
                        targets, default, ..
                    } => {
                        targets.iter_mut().for_each(at);
                        at(default);
                    }
                    SwitchTable::Sparse { cases, default } => {
                        cases.iter_mut().for_each(|(_, target)| at(target));
                        at(default);
                    }
                    SwitchTable::Wide { cases, default } => {
                        cases.iter_mut().for_each(|(_, target)| at(target));
                        at(default);
                    }
                },
                Op::Slow { index } => {
                    if let Slow::Computed { targets, .. } = &mut self.code.slow[*index as usize] {
                        targets.iter_mut().for_each(|(_, target)| at(target));
                    }
                }
                op => {
                    if let Some(then) = select::target(op) {
                        at(then);
                    }
                }
            }
        }
    }
}

fn float_kind(ty: Type) -> FloatKind {
    match ty {
        Type::Float(kind) => kind,
        // The verifier rejects floating-point arithmetic on anything else.
        Type::Int(_) | Type::Ptr => FloatKind::Double,
    }
}
