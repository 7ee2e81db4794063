//! Bodies: blocks in an order where definitions come before uses, phi nodes as
//! block parameters, and the helpers every instruction's lowering uses.

use std::collections::HashMap;

use brownout_ir::{
    BlockData, Body, CastOp, Edge, Id, Inst, IntBinary, Op, Operand, ParameterData, Service, Slot,
    SlotData, Terminator, Type,
};

use brownout_ir::source::{Place, SourceMap};

use crate::error::Gap;
use crate::module::Lowering;
use crate::raw::{self, Opcode, Value, ValueKind};
use crate::variadic::Registers;

/// State of the translation of one function.
pub(crate) struct FunctionLowering<'l, 'm> {
    pub(crate) lowering: &'l mut Lowering<'m>,
    pub(crate) body: Body,
    /// The leaves of every value seen so far.
    values: HashMap<Value<'m>, Vec<Operand>>,
    /// Instructions of the block being built.
    insts: Vec<Inst>,
    /// The parameters of the function.
    parameters: Vec<brownout_ir::Value>,
    /// The address of the variable arguments, and the registers that those before them are in.
    pub(crate) variable_arguments: Option<(Operand, Registers)>,
    /// Where arguments that travel in memory are laid out: one area, as large as the largest call needs.
    pub(crate) outgoing: Option<Slot>,
}

/// Blocks that can be reached or whose address is taken, entry first, definitions before uses.
fn order<'m>(function: Value<'m>) -> Vec<raw::Block<'m>> {
    let blocks = function.blocks();
    let Some(&entry) = blocks.first() else {
        return Vec::new();
    };
    // Depth first without recursion; reversed postorder puts dominators first.
    let mut visited = std::collections::HashSet::from([entry]);
    let mut postorder = Vec::new();
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) => {
                if visited.insert(next) {
                    stack.push((next, next.successors()));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

/// Gives every block its number before any body is lowered, because a block's
/// address can be taken from anywhere.
pub(crate) fn number_blocks<'m>(lowering: &mut Lowering<'m>, function: Value<'m>) {
    let reachable = order(function);
    for (index, block) in reachable.iter().enumerate() {
        lowering.block_numbers.insert(*block, Id::from_index(index));
    }
    // Unreachable blocks share a last one that is never executed.
    for block in function.blocks() {
        lowering
            .block_numbers
            .entry(block)
            .or_insert_with(|| Id::from_index(reachable.len()));
    }
}

/// Lowers the body of a defined function.
pub(crate) fn lower<'m>(lowering: &mut Lowering<'m>, function: Value<'m>) {
    let Some(func) = lowering.func(function) else {
        return;
    };
    lowering.current = Some(func);
    let mut state = FunctionLowering {
        lowering,
        body: Body::default(),
        values: HashMap::new(),
        insts: Vec::new(),
        parameters: Vec::new(),
        variable_arguments: None,
        outgoing: None,
    };
    let head = state.lowering.program.functions[func].place;
    let blocks = order(function);
    let mut parameters: Vec<Vec<brownout_ir::Value>> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let mut params = Vec::new();
        if index == 0 {
            for param in function.params() {
                params.extend(state.define_parameter(param));
            }
            if function.global_type().is_variadic() {
                let area = state.body.values.push(Type::Ptr);
                let registers = Registers::after(&function.global_type().params(), |index| {
                    function.parameter_has(index, "byval")
                });
                state.variable_arguments = Some((area.into(), registers));
                params.push(area);
            }
        }
        for phi in block
            .instructions()
            .into_iter()
            .take_while(|inst| inst.opcode() == Opcode::LLVMPHI)
        {
            params.extend(state.define_parameter(phi));
        }
        if index == 0 {
            state.parameters.clone_from(&params);
        }
        parameters.push(params);
    }
    for (block, params) in blocks.iter().zip(parameters) {
        let mut terminator = Terminator::Unreachable;
        for inst in block.instructions() {
            // Stores of parameters have no place of their own: they happen where the function begins.
            state.lowering.place = inst
                .place()
                .and_then(|location| state.lowering.debug.place(location))
                .or(head);
            state.name_variables(inst);
            state.name_parameters(function, inst);
            match inst.opcode() {
                Opcode::LLVMPHI => {}
                Opcode::LLVMRet
                | Opcode::LLVMBr
                | Opcode::LLVMSwitch
                | Opcode::LLVMIndirectBr
                | Opcode::LLVMUnreachable
                | Opcode::LLVMInvoke
                | Opcode::LLVMCallBr => terminator = state.terminator(inst, *block),
                _ => state.instruction(inst),
            }
        }
        let mut block = BlockData {
            params,
            insts: std::mem::take(&mut state.insts),
            terminator,
            place: state.lowering.place,
        };
        give_lines(&mut block, &state.lowering.debug.source);
        state.body.blocks.push(block);
    }
    if function.blocks().len() > blocks.len() {
        let nowhere = BlockData {
            params: vec![],
            insts: vec![],
            terminator: Terminator::Unreachable,
            place: None,
        };
        state.body.blocks.push(nowhere);
    }
    let body = state.body;
    lowering.program.functions[func].body = Some(body);
    (lowering.current, lowering.place) = (None, None);
}

/// Optimised code merges places: what has no line of its own is where the closest instruction of its block is that has
/// one, preferably of the same function.
fn give_lines(block: &mut BlockData, source: &SourceMap) {
    let data = |place: Option<Place>| place.and_then(|place| source.places.get(place));
    let has_line = |place: Option<Place>| data(place).is_some_and(|data| data.line > 0);
    let places: Vec<Option<Place>> = (block.insts.iter().map(|inst| inst.place))
        .chain([block.place])
        .collect();
    if places.iter().all(|&place| has_line(place)) {
        return;
    }
    let closest = |index: usize| {
        let (before, after) = places.split_at(index);
        let near = before.iter().rev().chain(after).copied();
        let mut near = near.filter(|&place| has_line(place));
        let own = data(places[index]);
        let is_of_same = |place: &Option<Place>| {
            own.zip(data(*place)).is_some_and(|(own, other)| {
                (&own.function, own.inlined_at) == (&other.function, other.inlined_at)
            })
        };
        near.clone().find(is_of_same).or_else(|| near.next())
    };
    let own = block.insts.iter_mut().map(|inst| &mut inst.place);
    for (index, place) in own.chain([&mut block.place]).enumerate() {
        if !has_line(*place) {
            *place = closest(index).unwrap_or(*place);
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    fn define_parameter(&mut self, value: Value<'m>) -> Vec<brownout_ir::Value> {
        let types = self.lowering.types(value.ty());
        let values: Vec<brownout_ir::Value> = types
            .into_iter()
            .map(|ty| self.body.values.push(ty))
            .collect();
        self.values
            .insert(value, values.iter().map(|&value| value.into()).collect());
        values
    }

    /// Notes a gap at the current place. What follows in the block is not reached.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.lowering.gap(gap, self.lowering.place);
        self.insts.push(Inst {
            op: Op::Service {
                service: Service::Trap,
                args: vec![],
            },
            results: vec![],
            place: self.lowering.place,
        });
    }

    /// The leaves of an operand.
    pub(crate) fn leaves_of(&mut self, value: Value<'m>) -> Vec<Operand> {
        match value.value_kind() {
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind => {
                match self.values.get(&value) {
                    Some(leaves) => leaves.clone(),
                    // Its own lowering was a gap, which is noted already.
                    None => vec![Operand::Bits(0); self.lowering.types(value.ty()).len()],
                }
            }
            _ => self.constant(value),
        }
    }

    /// The one leaf of a scalar operand.
    pub(crate) fn scalar_of(&mut self, value: Value<'m>) -> Operand {
        self.leaves_of(value)
            .first()
            .copied()
            .unwrap_or(Operand::Bits(0))
    }

    /// Records what an instruction gives.
    pub(crate) fn define(&mut self, value: Value<'m>, leaves: Vec<Operand>) {
        self.values.insert(value, leaves);
    }

    /// Appends an instruction with one result.
    pub(crate) fn emit(&mut self, op: Op, ty: Type) -> Operand {
        let result = self.body.values.push(ty);
        self.insts.push(Inst {
            op,
            results: vec![result],
            place: self.lowering.place,
        });
        result.into()
    }

    /// Appends an instruction with any number of results.
    pub(crate) fn emit_many(&mut self, op: Op, types: &[Type]) -> Vec<Operand> {
        let results: Vec<brownout_ir::Value> =
            types.iter().map(|&ty| self.body.values.push(ty)).collect();
        let leaves = results.iter().map(|&value| value.into()).collect();
        self.insts.push(Inst {
            op,
            results,
            place: self.lowering.place,
        });
        leaves
    }

    /// Appends an instruction without a result.
    pub(crate) fn effect(&mut self, op: Op) {
        self.insts.push(Inst {
            op,
            results: vec![],
            place: self.lowering.place,
        });
    }

    pub(crate) fn word(&self) -> Type {
        Type::Int(self.lowering.program.target.pointer_bits)
    }

    pub(crate) fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.lowering.program.target)
    }

    pub(crate) fn cast(&mut self, op: CastOp, from: Type, to: Type, a: Operand) -> Operand {
        if from == to {
            a
        } else {
            self.emit(Op::Cast { op, from, to, a }, to)
        }
    }

    /// An integer made wider (with zeros) or narrower.
    pub(crate) fn resize(&mut self, a: Operand, from: Type, to: Type) -> Operand {
        match (a, to) {
            (Operand::Bits(bits), Type::Int(width)) => {
                Operand::Bits(bits & (u128::MAX >> (128 - u32::from(width))))
            }
            _ if self.bits(from) > self.bits(to) => self.cast(CastOp::Trunc, from, to, a),
            _ => self.cast(CastOp::ZExt, from, to, a),
        }
    }

    /// An index or size made as wide as a pointer, keeping its sign.
    pub(crate) fn as_word(&mut self, value: Value<'m>, from: Type) -> Operand {
        let word = self.word();
        let a = self.scalar_of(value);
        let (have, want) = (self.bits(from), self.bits(word));
        match a {
            Operand::Bits(bits) => {
                let signed = brownout_ir::eval::Signedness::Signed;
                Operand::Bits(brownout_ir::eval::resize(signed, have, want, bits))
            }
            _ if have > want => self.cast(CastOp::Trunc, from, word, a),
            _ => self.cast(CastOp::SExt, from, word, a),
        }
    }

    pub(crate) fn int_binary(
        &mut self,
        op: IntBinary,
        ty: Type,
        a: Operand,
        b: Operand,
    ) -> Operand {
        self.emit(Op::IntBinary { op, ty, a, b }, ty)
    }

    /// `base + offset`, without an instruction where the base is a known object.
    pub(crate) fn offset(&mut self, base: Operand, offset: i64) -> Operand {
        match base {
            _ if offset == 0 => base,
            Operand::Global(global, at) => Operand::Global(global, at.wrapping_add(offset)),
            Operand::Slot(slot, at) => Operand::Slot(slot, at.wrapping_add(offset)),
            Operand::Value(_) | Operand::Bits(_) | Operand::Func(_) | Operand::BlockAddress(..) => {
                let index = Operand::Bits(0);
                self.emit(
                    Op::Address {
                        base,
                        index,
                        scale: 0,
                        offset,
                    },
                    Type::Ptr,
                )
            }
        }
    }

    pub(crate) fn load(&mut self, ty: Type, address: Operand) -> Operand {
        self.emit(
            Op::Load {
                ty,
                address,
                volatile: false,
            },
            ty,
        )
    }

    pub(crate) fn store(&mut self, ty: Type, address: Operand, value: Operand) {
        self.effect(Op::Store {
            ty,
            address,
            value,
            volatile: false,
        });
    }

    pub(crate) fn new_slot(&mut self, size: u32, align: u32) -> Slot {
        self.body.slots.push(SlotData {
            size,
            align,
            name: None,
            ty: None,
            place: None,
            annotations: Vec::new(),
        })
    }

    /// Names the stack objects that debug records before `inst` speak of.
    fn name_variables(&mut self, inst: Value<'m>) {
        for (storage, variable) in self.lowering.debug.declared(inst) {
            let Some(storage) = storage else { continue };
            if let Some(&[Operand::Slot(slot, 0)]) = self.values.get(&storage).map(Vec::as_slice) {
                let variable = self.lowering.debug.variable(variable);
                let data = &mut self.body.slots[slot];
                let ty = self.lowering.debug.bounded(variable.ty, data.size.into());
                (data.name, data.ty, data.place) = (variable.name, ty, variable.place);
            }
        }
    }

    /// Names the parameters that debug records before `inst` speak of: those that have no stack object.
    fn name_parameters(&mut self, function: Value<'m>, inst: Value<'m>) {
        for (value, variable) in self.lowering.debug.valued(function, inst) {
            let leaves = value.and_then(|value| self.values.get(&value));
            // Structures that are passed as several values have no value of their own.
            let Some(&[Operand::Value(value)]) = leaves.map(Vec::as_slice) else {
                continue;
            };
            let number = self.parameters.iter().position(|known| *known == value);
            let Some(number) = number.map(|number| number as u32) else {
                continue;
            };
            if !self.body.parameters.contains_key(&number) {
                let variable = self.lowering.debug.variable(variable);
                let (name, ty) = (variable.name, variable.ty);
                let parameter = ParameterData { name, ty };
                self.body.parameters.insert(number, parameter);
            }
        }
    }

    fn edge(&mut self, from: raw::Block<'m>, to: raw::Block<'m>) -> Edge {
        let mut args = Vec::new();
        for phi in to
            .instructions()
            .into_iter()
            .take_while(|inst| inst.opcode() == Opcode::LLVMPHI)
        {
            if let Some((value, _)) = phi.incoming().into_iter().find(|(_, block)| *block == from) {
                args.extend(self.leaves_of(value));
            }
        }
        let block = self
            .lowering
            .block_numbers
            .get(&to)
            .copied()
            .unwrap_or(Id::from_index(0));
        Edge { block, args }
    }

    /// `asm goto`: it goes to one of the labels that it lists or on, as its operands say. Which one is not
    /// known: it cannot be executed.
    fn assembly_with_labels(&mut self, inst: Value<'m>, block: raw::Block<'m>) -> Terminator {
        self.gap(Gap::InlineAssembly("asm goto".to_owned()));
        let types = self.lowering.types(inst.ty());
        self.define(inst, vec![Operand::Bits(0); types.len()]);
        let word = self.word();
        let mut decides = Operand::Bits(0);
        for argument in inst.arguments() {
            let types = self.lowering.types(argument.ty());
            for (leaf, ty) in self.leaves_of(argument).into_iter().zip(types) {
                let number = match ty {
                    Type::Ptr => self.cast(CastOp::PtrToInt, ty, word, leaf),
                    Type::Int(_) => self.resize(leaf, ty, word),
                    _ => continue,
                };
                let both = Op::IntBinary {
                    op: IntBinary::Xor,
                    ty: word,
                    a: decides,
                    b: number,
                };
                decides = self.emit(both, word);
            }
        }
        let address = match decides {
            Operand::Bits(_) => decides,
            _ => self.cast(CastOp::IntToPtr, word, Type::Ptr, decides),
        };
        let targets = inst.successors();
        self.computed(address, targets, block)
    }

    /// A jump to one of some places, each listed once.
    fn computed(
        &mut self,
        address: Operand,
        targets: Vec<raw::Block<'m>>,
        block: raw::Block<'m>,
    ) -> Terminator {
        let mut seen = Vec::new();
        let mut edges = Vec::new();
        for target in targets {
            if !seen.contains(&target) {
                seen.push(target);
                edges.push(self.edge(block, target));
            }
        }
        Terminator::Computed {
            address,
            targets: edges,
        }
    }

    fn terminator(&mut self, inst: Value<'m>, block: raw::Block<'m>) -> Terminator {
        let targets = inst.successors();
        match inst.opcode() {
            Opcode::LLVMRet => Terminator::Return(match inst.operand_count() {
                0 => Vec::new(),
                _ => self.leaves_of(inst.operand(0)),
            }),
            Opcode::LLVMBr if inst.is_conditional() => {
                let condition = self.scalar_of(inst.condition());
                let then = self.edge(block, targets[0]);
                let otherwise = self.edge(block, targets[1]);
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                }
            }
            Opcode::LLVMBr => Terminator::Jump(self.edge(block, targets[0])),
            Opcode::LLVMSwitch => {
                let condition = inst.operand(0);
                let Some(ty) = crate::leaves::scalar(condition.ty()) else {
                    self.gap(Gap::Type(condition.ty().print()));
                    return Terminator::Unreachable;
                };
                let value = self.scalar_of(condition);
                let mut cases = Vec::new();
                for (case, target) in inst.switch_cases() {
                    let edge = self.edge(block, target);
                    if let Operand::Bits(bits) = self.scalar_of(case) {
                        cases.push((bits, edge));
                    }
                }
                Terminator::Switch {
                    ty,
                    value,
                    cases,
                    default: self.edge(block, targets[0]),
                }
            }
            Opcode::LLVMIndirectBr => {
                let address = self.scalar_of(inst.operand(0));
                self.computed(address, targets, block)
            }
            // Nothing unwinds here: an invoke is a call and a jump.
            Opcode::LLVMInvoke => {
                self.instruction(inst);
                Terminator::Jump(self.edge(block, targets[0]))
            }
            Opcode::LLVMCallBr => self.assembly_with_labels(inst, block),
            _ => Terminator::Unreachable,
        }
    }
}
