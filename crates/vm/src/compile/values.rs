//! What becomes of every value: a register, another name, or part of the
//! operation that uses it.

use std::collections::HashMap;

use brownout_ir::{Body, CastOp, IntPredicate, Op, Operand, Target, Terminator, Type, Value};

use super::Context;

/// Address arithmetic that melts into its accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoldedAddress {
    pub(super) base: Operand,
    pub(super) index: Operand,
    pub(super) scale: i64,
    pub(super) offset: i64,
}

/// A comparison that melts into its branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoldedCompare {
    pub(super) op: IntPredicate,
    pub(super) bits: u32,
    pub(super) a: Operand,
    pub(super) b: Operand,
}

/// The fate of the values of one function.
pub(super) struct Values {
    alias: HashMap<Value, Operand>,
    pub(super) addresses: HashMap<Value, FoldedAddress>,
    pub(super) compares: HashMap<Value, FoldedCompare>,
}

impl Values {
    pub(super) fn analyse(context: &Context<'_>, body: &Body) -> Self {
        let mut values = Self {
            alias: HashMap::new(),
            addresses: HashMap::new(),
            compares: HashMap::new(),
        };
        if !context.own_registers {
            values.find_aliases(context, body);
            values.find_folds(context, body);
        }
        values
    }

    /// Looks through other names.
    pub(super) fn resolve(&self, operand: Operand) -> Operand {
        let mut operand = operand;
        while let Operand::Value(value) = operand
            && let Some(&target) = self.alias.get(&value)
        {
            operand = target;
        }
        operand
    }

    /// Whether the value needs no register of its own.
    pub(super) fn is_free(&self, value: Value) -> bool {
        self.alias.contains_key(&value)
            || self.addresses.contains_key(&value)
            || self.compares.contains_key(&value)
    }

    fn find_aliases(&mut self, context: &Context<'_>, body: &Body) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                let Op::Cast { op, from, to, a } = inst.op else {
                    continue;
                };
                // Pointers become narrower integers, and wider integers pointers: that cuts bits off.
                let same_bits = context.bits(from) <= context.bits(to) && context.bits(to) <= 64;
                let same = match op {
                    CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
                        same_bits
                    }
                    CastOp::SExt
                    | CastOp::Trunc
                    | CastOp::FloatToUInt
                    | CastOp::FloatToSInt
                    | CastOp::UIntToFloat
                    | CastOp::SIntToFloat
                    | CastOp::FloatExt
                    | CastOp::FloatTrunc => false,
                };
                if let (true, [result]) = (same, inst.results.as_slice()) {
                    self.alias.insert(*result, a);
                }
            }
        }
    }

    fn find_folds(&mut self, context: &Context<'_>, body: &Body) {
        let mut definitions: HashMap<Value, (usize, &Op)> = HashMap::new();
        // Uses that a fold can serve, and all uses, by value.
        let mut served: HashMap<Value, u32> = HashMap::new();
        let mut total: HashMap<Value, u32> = HashMap::new();
        for (index, block) in body.blocks.values().enumerate() {
            for inst in &block.insts {
                for operand in operands(&context.program.target, &inst.op) {
                    if let Operand::Value(value) = self.resolve(operand) {
                        *total.entry(value).or_default() += 1;
                    }
                }
                if let [result] = inst.results.as_slice() {
                    definitions.insert(*result, (index, &inst.op));
                }
            }
            for operand in terminator_operands(&block.terminator) {
                if let Operand::Value(value) = self.resolve(operand) {
                    *total.entry(value).or_default() += 1;
                }
            }
        }
        for (index, block) in body.blocks.values().enumerate() {
            let mut serve = |operand: Operand| {
                if let Operand::Value(value) = self.resolve(operand)
                    && definitions.get(&value).is_some_and(|(at, _)| *at == index)
                {
                    *served.entry(value).or_default() += 1;
                }
            };
            for inst in &block.insts {
                match inst.op {
                    Op::Load { ty, address, .. } | Op::Store { ty, address, .. }
                        if matches!(context.bits(ty), 8 | 16 | 32 | 64) =>
                    {
                        serve(address);
                    }
                    _ => {}
                }
            }
            if let Terminator::Branch { condition, .. } = block.terminator {
                serve(condition);
            }
        }
        for (&value, &count) in &sorted(&served) {
            if total.get(&value) != Some(&count) {
                continue;
            }
            match definitions.get(&value).map(|&(_, op)| op) {
                Some(&Op::Address {
                    base,
                    index,
                    scale,
                    offset,
                }) if (0..=i64::from(u16::MAX)).contains(&scale)
                    && i32::try_from(offset).is_ok() =>
                {
                    let folded = FoldedAddress {
                        base: self.resolve(base),
                        index: self.resolve(index),
                        scale,
                        offset,
                    };
                    let fits = match folded.index {
                        Operand::Value(_) => true,
                        Operand::Bits(index) => {
                            let bits = context.program.target.pointer_bits.into();
                            let index = brownout_ir::eval::narrow::signed(bits, index as u64);
                            let total = index
                                .checked_mul(scale)
                                .and_then(|scaled| scaled.checked_add(offset));
                            total.is_some_and(|total| i32::try_from(total).is_ok())
                        }
                        // An address as an index: nobody writes that to be fast.
                        Operand::Global(..)
                        | Operand::Slot(..)
                        | Operand::Func(_)
                        | Operand::BlockAddress(..) => false,
                    };
                    if fits && !matches!(folded.base, Operand::Bits(_)) {
                        self.addresses.insert(value, folded);
                    }
                }
                Some(&Op::IntCompare { op, ty, a, b }) if count == 1 => {
                    let bits = context.bits(ty);
                    if bits <= 64 && (!op.is_signed() || matches!(bits, 8 | 16 | 32 | 64)) {
                        let folded = FoldedCompare {
                            op,
                            bits,
                            a: self.resolve(a),
                            b: self.resolve(b),
                        };
                        self.compares.insert(value, folded);
                    }
                }
                _ => {}
            }
        }
        // An address must not be built on another folded one.
        let chained: Vec<Value> = self
            .addresses
            .iter()
            .filter(|(_, folded)| {
                [folded.base, folded.index].iter().any(|operand| {
                    operand
                        .value()
                        .is_some_and(|value| self.addresses.contains_key(&value))
                })
            })
            .map(|(&value, _)| value)
            .collect();
        for value in chained {
            self.addresses.remove(&value);
        }
    }

    /// The values an instruction reads from registers.
    pub(super) fn reads(&self, target: &Target, op: &Op) -> Vec<Value> {
        let mut reads = Vec::new();
        for operand in operands(target, op) {
            self.read(operand, &mut reads);
        }
        reads
    }

    /// The values a terminator reads from registers.
    pub(super) fn terminator_reads(&self, terminator: &Terminator) -> Vec<Value> {
        let mut reads = Vec::new();
        for operand in terminator_operands(terminator) {
            self.read(operand, &mut reads);
        }
        reads
    }

    fn read(&self, operand: Operand, reads: &mut Vec<Value>) {
        let Operand::Value(value) = self.resolve(operand) else {
            return;
        };
        if let Some(folded) = self.addresses.get(&value) {
            reads.extend(
                [folded.base, folded.index]
                    .iter()
                    .filter_map(|operand| operand.value()),
            );
        } else if let Some(folded) = self.compares.get(&value) {
            reads.extend(
                [folded.a, folded.b]
                    .iter()
                    .filter_map(|operand| operand.value()),
            );
        } else {
            reads.push(value);
        }
    }
}

/// In order of the values, so that decoding is deterministic.
fn sorted(map: &HashMap<Value, u32>) -> std::collections::BTreeMap<Value, u32> {
    map.iter().map(|(&value, &count)| (value, count)).collect()
}

/// The operands of an instruction.
pub(crate) fn operands(target: &Target, op: &Op) -> Vec<Operand> {
    let mut all = Vec::new();
    op.visit_operands(target, |operand, _| all.push(operand));
    all
}

/// The operands of a terminator, edge arguments included.
pub(crate) fn terminator_operands(terminator: &Terminator) -> Vec<Operand> {
    let mut all = Vec::new();
    terminator.visit_operands(|operand| all.push(operand));
    all
}

/// Whether a type's values take two registers.
pub(super) fn is_wide(context: &Context<'_>, body: &Body, value: Value) -> bool {
    let ty: Type = body.values[value];
    context.is_wide(ty)
}
