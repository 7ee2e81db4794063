//! What instructions, calls and initial values say about where pointers point.

use brownout_ir::{
    Callee, CastOp, Func, Global, Inst, IntBinary, Op, Operand, Symbol, Terminator, Type, Value,
};

use super::{Pointer, Shift, Solver, Use};
use crate::contexts::{At, Instance, Site};
use crate::library::{self, Effect};
use crate::objects::{Kind, Target, is_function_pointer};
use crate::setting::{Entries, Restart};

impl Solver<'_> {
    pub(super) fn initial(&mut self, global: Global) {
        let program = self.program;
        let Some(init) = &program.globals[global].init else {
            return;
        };
        for relocation in &init.relocations {
            let kind = match relocation.symbol {
                Symbol::Global(global) => Kind::Global(global),
                Symbol::Func(func) => Kind::Code(func),
                Symbol::Block(..) => continue,
            };
            let object = self.object(Kind::Global(global));
            let pointee = self.object(kind);
            let cell = self.cell(Target::exactly(object, relocation.offset as i64));
            self.add(cell, Target::exactly(pointee, relocation.addend));
        }
    }

    /// Pointers that a library's users pass, and those of functions taken for themselves.
    pub(super) fn parameters(&mut self) {
        // The start of a program has no parameters that matter.
        let is_program = matches!(self.setting.entries, Entries::Program(..))
            && self.setting.restart != Restart::Function;
        for &root in &self.contexts.roots[usize::from(is_program)..] {
            let Some(body) = self.contexts.body(root) else {
                continue;
            };
            for (index, &param) in body.blocks[body.entry()].params.iter().enumerate() {
                let func = self.contexts.activation(root).func;
                let is_data = !is_function_pointer(self.program, func, index as u32);
                if body.values[param] == Type::Ptr && is_data {
                    let object = self.object(Kind::Parameter(root, index as u32));
                    let node = self.node(root, param);
                    self.add(node, Target::exactly(object, 0));
                }
            }
        }
    }

    pub(super) fn instance(&mut self, instance: Instance) {
        let contexts = self.contexts;
        let Some(body) = contexts.body(instance) else {
            return;
        };
        let ranges = &contexts.activation(instance).ranges;
        for (block, data) in body.blocks.iter() {
            if !ranges.is_reached(block) {
                continue;
            }
            for (index, inst) in data.insts.iter().enumerate() {
                let at = At {
                    block,
                    index: index as u32,
                };
                self.instruction(Site { instance, at }, inst);
            }
            for (index, edge) in data.terminator.edges().into_iter().enumerate() {
                if !ranges.can_take(block, index) {
                    continue;
                }
                let params = &body.blocks[edge.block].params;
                for (&param, &arg) in params.iter().zip(&edge.args) {
                    self.pass(instance, arg, instance, param);
                }
            }
        }
    }

    /// Hands an operand over to a value. A constant number is an address only where one is meant.
    fn pass(&mut self, instance: Instance, from: Operand, other: Instance, to: Value) {
        let is_number = matches!(from, Operand::Bits(_));
        let ty = self.contexts.body(other).map(|body| body.values[to]);
        if ty == Some(Type::Ptr) || !is_number {
            let to = self.node(other, to);
            self.flow(instance, from, to, Shift::By(0));
        }
    }

    fn flow(&mut self, instance: Instance, from: Operand, to: u32, shift: Shift) {
        if let Some(source) = self.source(instance, from) {
            self.feed(source, to, shift);
        }
    }

    fn instruction(&mut self, site: Site, inst: &Inst) {
        let instance = site.instance;
        let target = &self.program.target;
        let result = inst
            .results
            .first()
            .map(|&value| self.node(instance, value));
        match (&inst.op, result) {
            (Op::IntBinary { op, a, b, ty }, Some(to))
                if ty.bits(target) >= u32::from(target.pointer_bits) || *op == IntBinary::Or =>
            {
                self.arithmetic(instance, *op, *a, *b, to);
            }
            // A number that is cast is a number, unless it becomes an address.
            (Op::Cast { op, a, .. }, Some(to))
                if keeps_addresses(*op) && (a.value().is_some() || *op == CastOp::IntToPtr) =>
            {
                self.flow(instance, *a, to, Shift::By(0));
            }
            (
                Op::Select {
                    ty,
                    condition,
                    a,
                    b,
                },
                Some(to),
            ) => {
                let condition = self.contexts.activation(instance).ranges.of(*condition, 1);
                let taken = [(a, condition.high == 1), (b, condition.low == 0)];
                for &operand in taken
                    .iter()
                    .filter(|(_, taken)| *taken)
                    .map(|(one, _)| *one)
                {
                    if *ty == Type::Ptr || operand.value().is_some() {
                        self.flow(instance, operand, to, Shift::By(0));
                    }
                }
            }
            (
                Op::Address {
                    base,
                    index,
                    scale,
                    offset,
                },
                Some(to),
            ) => {
                let ranges = &self.contexts.activation(instance).ranges;
                let bits = u32::from(target.pointer_bits);
                let shift = match ranges.of(*index, bits).single() {
                    Some(index) => {
                        let index = brownout_ir::eval::narrow::signed(bits, index);
                        Shift::By(index.saturating_mul(*scale).saturating_add(*offset))
                    }
                    None => Shift::Indexed(*scale, *offset),
                };
                self.flow(instance, *base, to, shift);
            }
            (Op::Load { ty, address, .. }, Some(to)) => {
                let pointer = if *ty == Type::Ptr {
                    Pointer::Yes
                } else {
                    Pointer::Perhaps
                };
                let bytes = i64::from(ty.bytes(target));
                self.at(instance, *address, Use::Load { to, bytes, pointer });
            }
            (
                Op::Store {
                    ty, address, value, ..
                },
                _,
            ) => {
                let is_number = *ty != Type::Ptr && value.value().is_none();
                match self.source(instance, *value) {
                    Some(source) if !is_number => {
                        self.at(instance, *address, Use::Store(source));
                    }
                    // Objects that are accessed are objects, whatever is stored.
                    _ => {
                        let _ = self.source(instance, *address);
                    }
                }
            }
            (Op::Copy { to, from, length }, _) => {
                let length = self.length(instance, *length);
                self.at(instance, *to, Use::CopyTo(instance, *from, length));
            }
            (Op::Fill { to, .. }, _) => {
                let _ = self.source(instance, *to);
            }
            (Op::StackAlloc { .. }, Some(to)) => {
                let object = self.object(Kind::Stack(site));
                self.add(to, Target::exactly(object, 0));
            }
            (Op::Call { .. }, _) => self.call(site, inst),
            _ => {}
        }
    }

    fn length(&self, instance: Instance, length: Operand) -> i64 {
        let ranges = &self.contexts.activation(instance).ranges;
        let bits = u32::from(self.program.target.pointer_bits);
        let most = ranges.of(length, bits).high;
        i64::try_from(most).unwrap_or(crate::objects::UNBOUNDED)
    }

    fn arithmetic(&mut self, instance: Instance, op: IntBinary, a: Operand, b: Operand, to: u32) {
        let number = |operand: Operand| match operand {
            Operand::Bits(bits) => i64::try_from(bits as i128).ok(),
            _ => None,
        };
        let signed = |value: i64| {
            let bits = u32::from(self.program.target.pointer_bits);
            brownout_ir::eval::narrow::signed(bits, value as u64)
        };
        let (for_a, for_b) = match op {
            IntBinary::Add => (number(b).map(signed), number(a).map(signed)),
            IntBinary::Sub => (number(b).map(|by| -signed(by)), None),
            IntBinary::And | IntBinary::Or | IntBinary::Xor => (None, None),
            _ => return,
        };
        for (operand, by) in [(a, for_a), (b, for_b)] {
            // A plain number is an offset, not an address.
            if !matches!(operand, Operand::Bits(_)) {
                self.flow(instance, operand, to, by.map_or(Shift::Anywhere, Shift::By));
            }
        }
    }

    fn call(&mut self, site: Site, inst: &Inst) {
        let Op::Call { callee, args, .. } = &inst.op else {
            return;
        };
        let caller = site.instance;
        let contexts = self.contexts;
        let callees = contexts.callees(site);
        for &callee in callees {
            let Some(body) = contexts.body(callee) else {
                continue;
            };
            let params = &body.blocks[body.entry()].params;
            for (&param, &arg) in params.iter().zip(args) {
                self.pass(caller, arg, callee, param);
            }
            for data in body.blocks.values() {
                if let Terminator::Return(values) = &data.terminator {
                    for (&value, &result) in values.iter().zip(&inst.results) {
                        self.pass(callee, value, caller, result);
                    }
                }
            }
        }
        if let Callee::Direct(func) = *callee
            && callees.is_empty()
        {
            self.without_body(site, inst, func, args);
        }
    }

    fn without_body(&mut self, site: Site, inst: &Inst, func: Func, args: &[Operand]) {
        // Objects that are passed are objects, whatever is done with them.
        for &arg in args {
            if !matches!(arg, Operand::Bits(_)) {
                let _ = self.source(site.instance, arg);
            }
        }
        let function = &self.program.functions[func];
        let result = inst
            .results
            .first()
            .map(|&value| self.node(site.instance, value));
        let effects =
            library::model(&function.name).filter(|_| !self.setting.roles.contains_key(&func));
        let Some(effects) = effects else {
            // Some address that the program does not know, or one it passed.
            if let Some(to) = result.filter(|_| function.results.first() == Some(&Type::Ptr)) {
                let object = self.object(Kind::Returned(site));
                self.add(to, Target::exactly(object, 0));
                for &arg in args {
                    self.flow(site.instance, arg, to, Shift::Anywhere);
                }
            }
            return;
        };
        for effect in effects {
            match (*effect, result) {
                (Effect::Copies(to, from, extent), _) => {
                    let length = match extent {
                        library::Extent::Argument(length) => args
                            .get(length as usize)
                            .map_or(crate::objects::UNBOUNDED, |&length| {
                                self.length(site.instance, length)
                            }),
                        library::Extent::Any => crate::objects::UNBOUNDED,
                    };
                    if let (Some(&to), Some(&from)) =
                        (args.get(to as usize), args.get(from as usize))
                    {
                        self.at(site.instance, to, Use::CopyTo(site.instance, from, length));
                    }
                }
                (Effect::Returns(arg), Some(to)) => {
                    if let Some(&arg) = args.get(arg as usize) {
                        self.flow(site.instance, arg, to, Shift::By(0));
                    }
                }
                (Effect::ReturnsInside(arg), Some(to)) => {
                    if let Some(&arg) = args.get(arg as usize) {
                        self.flow(site.instance, arg, to, Shift::Anywhere);
                    }
                }
                (Effect::Allocates, Some(to)) => {
                    let object = self.object(Kind::Heap(site));
                    self.add(to, Target::exactly(object, 0));
                }
                _ => {}
            }
        }
    }
}

/// Whether what a cast gives can be the address that it was given, or a part of it.
const fn keeps_addresses(op: CastOp) -> bool {
    match op {
        CastOp::ZExt
        | CastOp::SExt
        | CastOp::Trunc
        | CastOp::Bitcast
        | CastOp::PtrToInt
        | CastOp::IntToPtr => true,
        CastOp::FloatToUInt
        | CastOp::FloatToSInt
        | CastOp::UIntToFloat
        | CastOp::SIntToFloat
        | CastOp::FloatExt
        | CastOp::FloatTrunc => false,
    }
}
