//! Invariants of function bodies.

use super::{Dominators, Problem, Site, Verifier};
use crate::entity::Id;
use crate::inst::{Callee, Edge, Inst, Op, Operand, Terminator};
use crate::ops::{CastOp, IntUnary};
use crate::program::{Block, BlockData, Body, Func, Function, Value};
use crate::types::Type;

/// A point in a body: before the instructions of a block is 0, at the first of
/// them 1, and so on; the terminator comes after the last.
#[derive(Clone, Copy)]
struct Point {
    block: Block,
    index: usize,
}

/// What uses are checked against.
struct Context<'p> {
    id: Func,
    function: &'p Function,
    body: &'p Body,
    dominators: Dominators,
    /// Where each value is defined.
    definitions: Vec<Option<Point>>,
}

impl Verifier<'_> {
    pub(super) fn body(&mut self, id: Func, function: &Function, body: &Body) {
        for (slot, data) in body.slots.iter() {
            let site = Site::Slot(id, slot);
            self.align(site, data.align);
            self.object_type(site, data.ty, data.size.into());
            self.place(site, data.place);
        }
        for data in body.parameters.values() {
            self.object_type(Site::Function(id), data.ty, u64::MAX);
        }
        for ty in body.values.values() {
            self.ty(Site::Function(id), *ty);
        }
        let Some(entry) = body.blocks.get(body.entry()) else {
            return self.report(Site::Function(id), Problem::NoEntry);
        };
        let types = entry.params.iter().map(|param| body.values.get(*param));
        if !types.eq(function.params.iter().map(Some)) {
            self.report(Site::Block(id, body.entry()), Problem::EntryParameters);
        }
        let context = Context {
            id,
            function,
            body,
            dominators: Dominators::new(body),
            definitions: self.definitions(id, body),
        };
        for (block, data) in body.blocks.iter() {
            self.block(&context, block, data);
        }
    }

    /// Finds where values are defined and checks that each is, once.
    fn definitions(&mut self, id: Func, body: &Body) -> Vec<Option<Point>> {
        let mut definitions = vec![None; body.values.len()];
        for (block, data) in body.blocks.iter() {
            for value in &data.params {
                let site = Site::Block(id, block);
                self.define(site, &mut definitions, *value, Point { block, index: 0 });
            }
            for (index, inst) in data.insts.iter().enumerate() {
                let site = Site::Inst(id, block, index);
                let index = index + 1;
                for value in &inst.results {
                    self.define(site, &mut definitions, *value, Point { block, index });
                }
            }
        }
        for (index, definition) in definitions.iter().enumerate() {
            if definition.is_none() {
                let value = Value::from_index(index);
                self.report(Site::Function(id), Problem::NeverDefined(value));
            }
        }
        definitions
    }

    fn define(
        &mut self,
        site: Site,
        definitions: &mut [Option<Point>],
        value: Value,
        point: Point,
    ) {
        match definitions.get_mut(value.index()) {
            None => self.report(site, Problem::NoSuchValue(value)),
            Some(Some(_)) => self.report(site, Problem::DefinedTwice(value)),
            Some(empty) => *empty = Some(point),
        }
    }

    fn block(&mut self, context: &Context<'_>, block: Block, data: &BlockData) {
        for (index, inst) in data.insts.iter().enumerate() {
            let site = Site::Inst(context.id, block, index);
            let index = index + 1;
            self.inst(context, site, Point { block, index }, inst);
        }
        let site = Site::Terminator(context.id, block);
        let index = data.insts.len() + 1;
        self.place(site, data.place);
        self.terminator(context, site, Point { block, index }, &data.terminator);
    }

    fn inst(&mut self, context: &Context<'_>, site: Site, point: Point, inst: &Inst) {
        let target = &self.program.target;
        self.place(site, inst.place);
        self.op(site, &inst.op);
        inst.op.visit_operands(target, |operand, ty| {
            self.operand(context, site, point, operand, ty);
        });
        let (expected, found) = (inst.op.result_count(target), inst.results.len());
        if expected != found {
            self.report(site, Problem::ResultCount { expected, found });
        }
        for (index, value) in inst.results.iter().enumerate() {
            let expected = inst.op.result_type(index, target);
            let found = context.body.values.get(*value).copied();
            if let (Some(expected), Some(found)) = (expected, found)
                && expected != found
            {
                let value = *value;
                self.report(
                    site,
                    Problem::ResultType {
                        value,
                        expected,
                        found,
                    },
                );
            }
        }
    }

    fn operand(
        &mut self,
        context: &Context<'_>,
        site: Site,
        point: Point,
        operand: Operand,
        expected: Type,
    ) {
        match operand {
            Operand::Value(value) => {
                let Some(found) = context.body.values.get(value).copied() else {
                    return self.report(site, Problem::NoSuchValue(value));
                };
                if found != expected {
                    self.report(
                        site,
                        Problem::OperandType {
                            operand,
                            expected,
                            found,
                        },
                    );
                }
                if !context.dominates(value, point) {
                    self.report(site, Problem::NotDominated(value));
                }
                return;
            }
            Operand::Bits(bits) => {
                if !fits(bits, expected.bits(&self.program.target)) {
                    let ty = expected;
                    self.report(site, Problem::ConstantTooWide { bits, ty });
                }
                return;
            }
            Operand::Global(global, _) => self.global_id(site, global),
            Operand::Slot(slot, _) => {
                if context.body.slots.get(slot).is_none() {
                    self.report(site, Problem::NoSuchSlot(slot));
                }
            }
            Operand::Func(function) => self.function_id(site, function),
            Operand::BlockAddress(function, block) => self.block_address(site, function, block),
        }
        if expected != Type::Ptr {
            self.report(site, Problem::AddressAs { operand, expected });
        }
    }

    /// What operand and result types do not say.
    fn op(&mut self, site: Site, op: &Op) {
        let integer = |ty: Type| matches!(ty, Type::Int(_));
        let integer_or_pointer = |ty: Type| matches!(ty, Type::Int(_) | Type::Ptr);
        let float = |ty: Type| matches!(ty, Type::Float(_));
        match op {
            Op::IntBinary { op, ty, .. } => {
                self.operator(site, op.name(), *ty, integer_or_pointer);
            }
            Op::IntCompare { op, ty, .. } => {
                self.operator(site, op.name(), *ty, integer_or_pointer);
            }
            Op::IntUnary { op, ty, .. } => {
                self.operator(site, op.name(), *ty, integer);
                if *op == IntUnary::ByteSwap && !ty.bits(&self.program.target).is_multiple_of(8) {
                    self.report(site, Problem::ByteSwapWidth(*ty));
                }
            }
            Op::IntTernary { op, ty, .. } => self.operator(site, op.name(), *ty, integer),
            Op::FloatBinary { op, ty, .. } => self.operator(site, op.name(), *ty, float),
            Op::FloatUnary { op, ty, .. } => self.operator(site, op.name(), *ty, float),
            Op::FloatCompare { op, ty, .. } => self.operator(site, op.name(), *ty, float),
            Op::FloatFma { ty, .. } => self.operator(site, "fma", *ty, float),
            Op::Cast { op, from, to, .. } => self.cast(site, *op, *from, *to),
            Op::Select { ty, .. } | Op::Load { ty, .. } | Op::Store { ty, .. } => {
                self.ty(site, *ty);
            }
            Op::StackAlloc { align, .. } => self.align(site, *align),
            Op::Call {
                callee,
                args,
                arg_types,
                result_types,
            } => {
                for ty in arg_types.iter().chain(result_types) {
                    self.ty(site, *ty);
                }
                if args.len() != arg_types.len() {
                    let (types, arguments) = (arg_types.len(), args.len());
                    self.report(site, Problem::ArgumentTypesCount { types, arguments });
                }
                self.callee(site, *callee, arg_types, result_types);
            }
            Op::Service { service, args } => {
                let expected = service.parameters(&self.program.target).len();
                let found = args.len();
                if expected != found {
                    self.report(site, Problem::ArgumentCount { expected, found });
                }
            }
            Op::Address { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::StackSave
            | Op::StackRestore { .. } => {}
        }
    }

    fn operator(
        &mut self,
        site: Site,
        operator: &'static str,
        ty: Type,
        allowed: impl Fn(Type) -> bool,
    ) {
        self.ty(site, ty);
        if !allowed(ty) {
            self.report(site, Problem::OperatorType { operator, ty });
        }
    }

    fn cast(&mut self, site: Site, op: CastOp, from: Type, to: Type) {
        use Type::{Float, Int, Ptr};
        self.ty(site, from);
        self.ty(site, to);
        let target = &self.program.target;
        let (source, result) = (from.bits(target), to.bits(target));
        let legal = match (op, from, to) {
            (CastOp::ZExt | CastOp::SExt, Int(_), Int(_)) => source < result,
            (CastOp::Trunc, Int(_), Int(_)) => source > result,
            (CastOp::FloatToUInt | CastOp::FloatToSInt, Float(_), Int(_)) => true,
            (CastOp::UIntToFloat | CastOp::SIntToFloat, Int(_), Float(_)) => true,
            (CastOp::FloatExt, Float(_), Float(_)) => source < result,
            (CastOp::FloatTrunc, Float(_), Float(_)) => source > result,
            (CastOp::Bitcast, _, _) => source == result && (from == Ptr) == (to == Ptr),
            (CastOp::PtrToInt, Ptr, Int(_)) | (CastOp::IntToPtr, Int(_), Ptr) => true,
            _ => false,
        };
        if !legal {
            let operator = op.name();
            self.report(site, Problem::CastTypes { operator, from, to });
        }
    }

    fn callee(&mut self, site: Site, callee: Callee, arg_types: &[Type], result_types: &[Type]) {
        let Callee::Direct(id) = callee else { return };
        match self.program.functions.get(id) {
            None => self.report(site, Problem::NoSuchFunction(id)),
            Some(function) => {
                if function.params != arg_types || function.results != result_types {
                    self.report(site, Problem::CallSignature(id));
                }
            }
        }
    }

    fn terminator(
        &mut self,
        context: &Context<'_>,
        site: Site,
        point: Point,
        terminator: &Terminator,
    ) {
        match terminator {
            Terminator::Jump(_) | Terminator::Unreachable => {}
            Terminator::Branch { condition, .. } => {
                self.operand(context, site, point, *condition, Type::BOOL);
            }
            Terminator::Switch {
                ty, value, cases, ..
            } => {
                self.operand(context, site, point, *value, *ty);
                self.switch(site, *ty, cases);
            }
            Terminator::Computed { address, targets } => {
                self.operand(context, site, point, *address, Type::Ptr);
                let mut sorted: Vec<&Edge> = targets.iter().collect();
                sorted.sort_by_key(|edge| edge.block);
                for pair in sorted.windows(2) {
                    if let [first, second] = *pair
                        && first.block == second.block
                        && first.args != second.args
                    {
                        self.report(site, Problem::ComputedTwice(first.block));
                    }
                }
            }
            Terminator::Return(values) => {
                let results = &context.function.results;
                let (expected, found) = (results.len(), values.len());
                if expected != found {
                    self.report(site, Problem::ReturnCount { expected, found });
                }
                for (value, ty) in values.iter().zip(results) {
                    self.operand(context, site, point, *value, *ty);
                }
            }
        }
        let mut jumps_to_entry = false;
        for edge in terminator.edges() {
            self.edge(context, site, point, edge);
            jumps_to_entry |= edge.block == context.body.entry();
        }
        if jumps_to_entry {
            self.report(site, Problem::EntryHasPredecessor(point.block));
        }
    }

    fn switch(&mut self, site: Site, ty: Type, cases: &[(u128, Edge)]) {
        self.ty(site, ty);
        if !matches!(ty, Type::Int(_)) {
            self.report(site, Problem::SwitchType(ty));
        }
        let mut sorted: Vec<u128> = cases.iter().map(|(case, _)| *case).collect();
        sorted.sort_unstable();
        for case in &sorted {
            if !fits(*case, ty.bits(&self.program.target)) {
                self.report(site, Problem::CaseTooWide { case: *case, ty });
            }
        }
        for pair in sorted.windows(2) {
            if let [first, second] = *pair
                && first == second
            {
                self.report(site, Problem::CaseTwice(first));
            }
        }
    }

    fn edge(&mut self, context: &Context<'_>, site: Site, point: Point, edge: &Edge) {
        let block = edge.block;
        let Some(data) = context.body.blocks.get(block) else {
            return self.report(site, Problem::NoSuchBlock(block));
        };
        let (expected, found) = (data.params.len(), edge.args.len());
        if expected != found {
            self.report(
                site,
                Problem::EdgeArguments {
                    block,
                    expected,
                    found,
                },
            );
        }
        for (arg, param) in edge.args.iter().zip(&data.params) {
            // A parameter without a type was reported where it is defined.
            if let Some(ty) = context.body.values.get(*param) {
                self.operand(context, site, point, *arg, *ty);
            }
        }
    }
}

impl Context<'_> {
    /// Whether `value` is defined on every path to `point`.
    fn dominates(&self, value: Value, point: Point) -> bool {
        if !self.dominators.is_reachable(point.block) {
            return true;
        }
        match self.definitions.get(value.index()) {
            Some(Some(definition)) if definition.block == point.block => {
                definition.index < point.index
            }
            Some(Some(definition)) => self.dominators.dominates(definition.block, point.block),
            // Reported as never defined.
            Some(None) | None => true,
        }
    }
}

/// Whether a constant has no more than `width` bits.
const fn fits(bits: u128, width: u32) -> bool {
    width >= 128 || bits >> width == 0
}
