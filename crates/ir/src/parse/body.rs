//! The code of functions: slots, blocks, instructions, terminators.

use super::tokens::Parser;
use super::{Failure, ParseProblem, Parsed};
use crate::entity::{Arena, Id};
use crate::inst::{Callee, Edge, Inst, Op, Operand, Service, Terminator};
use crate::ops::*;
use crate::program::{Block, BlockData, Body, Func, Global, ParameterData, Slot, SlotData, Value};
use crate::types::{Target, Type};

/// Operations that are not a family; `service` is the last.
const OTHER_OPS: [&str; 15] = [
    "load",
    "store",
    "address",
    "icmp",
    "fcmp",
    "select",
    "fma",
    "copy",
    "fill",
    "stack_alloc",
    "stack_save",
    "stack_restore",
    "call",
    "call_indirect",
    "service",
];

/// A definition met in the text.
struct Definition {
    at: usize,
    value: Value,
    ty: Type,
}

impl Parser<'_> {
    /// What follows the opening brace of a function.
    pub(super) fn body(&mut self, target: &Target) -> Parsed<Body> {
        let mut body = Body::default();
        let mut definitions = Vec::new();
        while self.accept("slot") {
            self.next_id(&body.slots)?;
            body.slots.push(self.slot()?);
        }
        while self.accept("parameter") {
            let number = self.number()?;
            let name = self.after("name", Self::text)?;
            let ty = self.after("typed", Self::id)?;
            body.parameters.insert(number, ParameterData { name, ty });
        }
        while !self.accept_mark('}') {
            self.next_id(&body.blocks)?;
            body.blocks.push(self.block(target, &mut definitions)?);
        }
        body.values = values(definitions)?;
        Ok(body)
    }

    fn slot(&mut self) -> Parsed<SlotData> {
        self.keyword("size")?;
        let size = self.number()?;
        self.keyword("align")?;
        let align = self.number()?;
        let name = self.after("name", Self::text)?;
        let ty = self.after("typed", Self::id)?;
        let mut annotations = Vec::new();
        while self.accept("annotate") {
            annotations.push(self.text()?);
        }
        let place = self.place()?;
        Ok(SlotData {
            size,
            align,
            name,
            ty,
            place,
            annotations,
        })
    }

    /// What follows the id of a block.
    fn block(&mut self, target: &Target, definitions: &mut Vec<Definition>) -> Parsed<BlockData> {
        let mut params = Vec::new();
        if self.is_mark('(') {
            params = self.enclosed('(', ')', |parser| {
                let at = parser.at();
                let value = parser.id()?;
                parser.mark(':')?;
                let ty = parser.ty()?;
                definitions.push(Definition { at, value, ty });
                Ok(value)
            })?;
        }
        self.mark(':')?;
        let mut insts = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                let place = self.place()?;
                return Ok(BlockData {
                    params,
                    insts,
                    terminator,
                    place,
                });
            }
            insts.push(self.inst(target, definitions)?);
        }
    }

    fn inst(&mut self, target: &Target, definitions: &mut Vec<Definition>) -> Parsed<Inst> {
        let mut results = Vec::new();
        let mut written = Vec::new();
        if self.is_id::<Value>() {
            self.list(&mut results, |parser| {
                let at = parser.at();
                let value = parser.id()?;
                let mut ty = None;
                if parser.accept_mark(':') {
                    ty = Some(parser.ty()?);
                }
                written.push((at, ty));
                Ok(value)
            })?;
            self.mark('=')?;
        }
        let op = self.op()?;
        for (index, (value, (at, ty))) in results.iter().zip(written).enumerate() {
            let Some(ty) = ty.or_else(|| op.result_type(index, target)) else {
                let problem = ParseProblem::NoType(*value);
                return Err(Failure { at, problem });
            };
            let value = *value;
            definitions.push(Definition { at, value, ty });
        }
        let place = self.place()?;
        Ok(Inst { op, results, place })
    }

    fn op(&mut self) -> Parsed<Op> {
        let word = self.word();
        if let Some(op) = IntBinary::from_name(word) {
            self.bump();
            let (ty, a) = (self.ty()?, self.operand()?);
            let b = self.next_operand()?;
            return Ok(Op::IntBinary { op, ty, a, b });
        }
        if let Some(op) = CastOp::from_name(word) {
            self.bump();
            let (from, a) = (self.ty()?, self.operand()?);
            self.keyword("to")?;
            let to = self.ty()?;
            return Ok(Op::Cast { op, from, to, a });
        }
        if let Some(op) = IntUnary::from_name(word) {
            self.bump();
            let (ty, a) = (self.ty()?, self.operand()?);
            return Ok(Op::IntUnary { op, ty, a });
        }
        if let Some(op) = IntTernary::from_name(word) {
            self.bump();
            let (ty, a) = (self.ty()?, self.operand()?);
            let (b, c) = (self.next_operand()?, self.next_operand()?);
            return Ok(Op::IntTernary { op, ty, a, b, c });
        }
        if let Some(op) = FloatBinary::from_name(word) {
            self.bump();
            let (ty, a) = (self.ty()?, self.operand()?);
            let b = self.next_operand()?;
            return Ok(Op::FloatBinary { op, ty, a, b });
        }
        if let Some(op) = FloatUnary::from_name(word) {
            self.bump();
            let (ty, a) = (self.ty()?, self.operand()?);
            return Ok(Op::FloatUnary { op, ty, a });
        }
        self.other_op(word)
    }

    /// Operations that are not a family.
    fn other_op(&mut self, word: &str) -> Parsed<Op> {
        if !OTHER_OPS.contains(&word) {
            return Err(self.expected("an operation"));
        }
        self.bump();
        Ok(match word {
            "load" => {
                let volatile = self.accept("volatile");
                let (ty, address) = (self.ty()?, self.operand()?);
                Op::Load {
                    ty,
                    address,
                    volatile,
                }
            }
            "store" => {
                let volatile = self.accept("volatile");
                let (ty, value) = (self.ty()?, self.operand()?);
                self.keyword("to")?;
                let address = self.operand()?;
                Op::Store {
                    ty,
                    address,
                    value,
                    volatile,
                }
            }
            "address" => {
                let (base, index) = (self.operand()?, self.next_operand()?);
                self.mark('*')?;
                let (scale, offset) = (self.signed()?, self.offset()?);
                Op::Address {
                    base,
                    index,
                    scale,
                    offset,
                }
            }
            "icmp" => {
                let op = IntPredicate::from_name(self.word())
                    .ok_or_else(|| self.expected("an integer comparison"))?;
                self.bump();
                let (ty, a) = (self.ty()?, self.operand()?);
                let b = self.next_operand()?;
                Op::IntCompare { op, ty, a, b }
            }
            "fcmp" => {
                let op = FloatPredicate::from_name(self.word())
                    .ok_or_else(|| self.expected("a floating-point comparison"))?;
                self.bump();
                let (ty, a) = (self.ty()?, self.operand()?);
                let b = self.next_operand()?;
                Op::FloatCompare { op, ty, a, b }
            }
            "select" => {
                let (ty, condition) = (self.ty()?, self.operand()?);
                let (a, b) = (self.next_operand()?, self.next_operand()?);
                Op::Select {
                    ty,
                    condition,
                    a,
                    b,
                }
            }
            "fma" => {
                let (ty, a) = (self.ty()?, self.operand()?);
                let (b, c) = (self.next_operand()?, self.next_operand()?);
                Op::FloatFma { ty, a, b, c }
            }
            "copy" => {
                let to = self.operand()?;
                let from = self.labelled("from")?;
                let length = self.labelled("length")?;
                Op::Copy { to, from, length }
            }
            "fill" => {
                let to = self.operand()?;
                let byte = self.labelled("with")?;
                let length = self.labelled("length")?;
                Op::Fill { to, byte, length }
            }
            "stack_alloc" => {
                let size = self.operand()?;
                self.keyword("align")?;
                let align = self.number()?;
                Op::StackAlloc { size, align }
            }
            "stack_save" => Op::StackSave,
            "stack_restore" => Op::StackRestore {
                pointer: self.operand()?,
            },
            "call" => {
                let callee = Callee::Direct(self.id()?);
                self.call(callee)?
            }
            "call_indirect" => {
                let callee = Callee::Indirect(self.operand()?);
                self.call(callee)?
            }
            _ => {
                let service = Service::from_name(self.word())
                    .ok_or_else(|| self.expected("the name of a service"))?;
                self.bump();
                let args = self.enclosed('(', ')', Self::operand)?;
                Op::Service { service, args }
            }
        })
    }

    /// What follows the callee.
    fn call(&mut self, callee: Callee) -> Parsed<Op> {
        let mut arg_types = Vec::new();
        let args = self.enclosed('(', ')', |parser| {
            arg_types.push(parser.ty()?);
            parser.operand()
        })?;
        let result_types = self.results()?;
        Ok(Op::Call {
            callee,
            args,
            arg_types,
            result_types,
        })
    }

    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let word = self.word();
        if !matches!(
            word,
            "jump" | "branch" | "switch" | "computed" | "return" | "unreachable"
        ) {
            return Ok(None);
        }
        self.bump();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.edge()?),
            "branch" => {
                let condition = self.operand()?;
                self.mark(',')?;
                let then = self.edge()?;
                self.mark(',')?;
                let otherwise = self.edge()?;
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                }
            }
            "switch" => {
                let (ty, value) = (self.ty()?, self.operand()?);
                let cases = self.enclosed('[', ']', |parser| {
                    let case = parser.bits()?;
                    parser.mark(':')?;
                    Ok((case, parser.edge()?))
                })?;
                self.keyword("else")?;
                let default = self.edge()?;
                Terminator::Switch {
                    ty,
                    value,
                    cases,
                    default,
                }
            }
            "computed" => {
                let address = self.operand()?;
                let targets = self.enclosed('[', ']', Self::edge)?;
                Terminator::Computed { address, targets }
            }
            "return" => {
                let mut values = Vec::new();
                if self.is_operand() {
                    self.list(&mut values, Self::operand)?;
                }
                Terminator::Return(values)
            }
            _ => Terminator::Unreachable,
        }))
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let block: Block = self.id()?;
        let mut args = Vec::new();
        if self.is_mark('(') {
            args = self.enclosed('(', ')', Self::operand)?;
        }
        Ok(Edge { block, args })
    }

    fn is_operand(&self) -> bool {
        self.is_number()
            || self.is_id::<Value>()
            || self.is_id::<Global>()
            || self.is_id::<Slot>()
            || self.is_id::<Func>()
    }

    fn operand(&mut self) -> Parsed<Operand> {
        if self.is_id::<Value>() {
            return self.id().map(Operand::Value);
        }
        if self.is_number() {
            return self.bits().map(Operand::Bits);
        }
        if self.is_id::<Global>() {
            return Ok(Operand::Global(self.id()?, self.offset()?));
        }
        if self.is_id::<Slot>() {
            return Ok(Operand::Slot(self.id()?, self.offset()?));
        }
        if self.is_id::<Func>() {
            let function = self.id()?;
            if self.accept_mark(':') {
                return Ok(Operand::BlockAddress(function, self.id()?));
            }
            return Ok(Operand::Func(function));
        }
        Err(self.expected("an operand"))
    }

    fn next_operand(&mut self) -> Parsed<Operand> {
        self.mark(',')?;
        self.operand()
    }

    fn labelled(&mut self, label: &'static str) -> Parsed<Operand> {
        self.keyword(label)?;
        self.operand()
    }
}

/// The types of all values, which must be defined once each and be dense.
fn values(definitions: Vec<Definition>) -> Parsed<Arena<Value, Type>> {
    let mut types = vec![None; definitions.len()];
    for Definition { at, value, ty } in &definitions {
        match types.get_mut(value.index()) {
            Some(Some(_)) => {
                let problem = ParseProblem::DefinedTwice(*value);
                return Err(Failure { at: *at, problem });
            }
            Some(empty) => *empty = Some(*ty),
            // Too large, so another one is missing: found below.
            None => {}
        }
    }
    let mut arena = Arena::new();
    for (index, ty) in types.into_iter().enumerate() {
        let Some(ty) = ty else {
            let missing = Value::from_index(index);
            let larger = definitions
                .iter()
                .find(|definition| definition.value > missing);
            return Err(Failure {
                at: larger.map_or(0, |definition| definition.at),
                problem: ParseProblem::NeverDefined(missing),
            });
        };
        arena.push(ty);
    }
    Ok(arena)
}
