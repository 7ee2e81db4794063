//! What values are in one round of a loop that is counted through.

use brownout_ir::{CastOp, Id, IntPredicate, Op, Operand, Type, Value, eval};

use super::{Counting, DEPTH, Round, Terms};

/// What is known of a value in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Number(u64),
    /// An address, counted from a constant operand or a value from outside the loop.
    Address(Base, i64),
    Nothing,
}

/// What an address is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Base {
    pub(super) operand: Operand,
    pub(super) terms: Terms,
}

impl Base {
    pub(super) const fn of(operand: Operand) -> Self {
        Self {
            operand,
            terms: [None, None],
        }
    }

    /// With one more number added; none if there are too many.
    fn plus(mut self, term: (Operand, i64)) -> Option<Self> {
        *self.terms.iter_mut().find(|known| known.is_none())? = Some(term);
        Some(self)
    }
}

impl Counting<'_> {
    /// What an operand from outside the loop is.
    pub(super) fn outside(&self, operand: Operand, ty: Type) -> Known {
        match operand {
            Operand::Bits(bits) => u64::try_from(bits).map_or(Known::Nothing, Known::Number),
            Operand::Global(global, offset) => {
                Known::Address(Base::of(Operand::Global(global, 0)), offset)
            }
            Operand::Slot(slot, offset) => Known::Address(Base::of(Operand::Slot(slot, 0)), offset),
            Operand::Value(_) if ty == Type::Ptr => Known::Address(Base::of(operand), 0),
            Operand::Value(_) => {
                let bits = ty.bits(&self.program.target);
                let single = self
                    .ranges
                    .of(operand, bits)
                    .single()
                    .filter(|_| bits <= 64);
                single.map_or(Known::Nothing, Known::Number)
            }
            Operand::Func(_) | Operand::BlockAddress(..) => Known::Nothing,
        }
    }

    /// An address moved by an index: a number, or something that does not change in the loop.
    pub(super) fn moved(
        &self,
        base: Base,
        at: i64,
        index: Operand,
        (scale, offset): (i64, i64),
        round: &Round,
        depth: u32,
    ) -> Option<(Base, i64)> {
        let target = &self.program.target;
        match self.evaluate(index, target.size_type(), round, depth) {
            Known::Number(index) => {
                let index = eval::narrow::signed(u32::from(target.pointer_bits), index);
                let by = index.checked_mul(scale)?.checked_add(offset)?;
                Some((base, at.checked_add(by)?))
            }
            Known::Nothing if self.is_invariant(index, 0) => {
                Some((base.plus((index, scale))?, at.checked_add(offset)?))
            }
            Known::Nothing | Known::Address(..) => None,
        }
    }

    /// Whether an operand is the same in all rounds.
    fn is_invariant(&self, operand: Operand, depth: u32) -> bool {
        let Operand::Value(value) = operand else {
            return true;
        };
        let inner = |operand: &Operand| self.is_invariant(*operand, depth + 1);
        !self.is_defined_inside(value)
            || depth < DEPTH
                && match self.definitions[value.index()] {
                    Some(Op::IntBinary { a, b, .. }) => inner(a) && inner(b),
                    Some(Op::Cast { a, .. }) => inner(a),
                    _ => false,
                }
    }

    /// The value of an operand in a round, if it depends on the counters alone.
    pub(super) fn evaluate(&self, operand: Operand, ty: Type, round: &Round, depth: u32) -> Known {
        let Operand::Value(value) = operand else {
            return self.outside(operand, ty);
        };
        if let Some(&known) = round.get(&value) {
            return known;
        }
        let target = &self.program.target;
        let inner = |operand, ty: Type| self.evaluate(operand, ty, round, depth + 1);
        let number = |operand, ty: Type| match inner(operand, ty) {
            Known::Number(number) if ty.bits(target) <= 64 => Some(number),
            _ => None,
        };
        let bits = |ty: Type| ty.bits(target);
        let op = self.definitions[value.index()];
        let Some(op) = op.filter(|_| depth < DEPTH && self.is_computed_inside(value)) else {
            return if self.is_defined_inside(value) {
                Known::Nothing
            } else {
                self.outside(operand, ty)
            };
        };
        let result = match op {
            Op::IntBinary { op, ty, a, b } => number(*a, *ty)
                .zip(number(*b, *ty))
                .and_then(|(a, b)| eval::narrow::binary(*op, bits(*ty), a, b).ok()),
            Op::IntCompare { op, ty, a, b } => {
                return compare(*op, bits(*ty), inner(*a, *ty), inner(*b, *ty));
            }
            Op::Cast { op, from, to, a } => number(*a, *from).and_then(|a| match op {
                CastOp::ZExt => Some(a),
                CastOp::SExt if bits(*to) <= 64 => Some(eval::narrow::unsigned(
                    bits(*to),
                    eval::narrow::signed(bits(*from), a),
                )),
                CastOp::Trunc => Some(a & eval::narrow::mask(bits(*to))),
                _ => None,
            }),
            Op::Address {
                base,
                index,
                scale,
                offset,
            } => {
                let Known::Address(base, at) = inner(*base, Type::Ptr) else {
                    return Known::Nothing;
                };
                let moved = self.moved(base, at, *index, (*scale, *offset), round, depth + 1);
                return moved.map_or(Known::Nothing, |(base, at)| Known::Address(base, at));
            }
            _ => None,
        };
        result.map_or(Known::Nothing, Known::Number)
    }

    fn is_computed_inside(&self, value: Value) -> bool {
        self.definitions[value.index()].is_some() && self.is_defined_inside(value)
    }

    fn is_defined_inside(&self, value: Value) -> bool {
        self.natural.inside.iter().any(|&block| {
            let data = &self.body.blocks[block];
            data.params.contains(&value)
                || data.insts.iter().any(|inst| inst.results.contains(&value))
        })
    }
}

/// Compares numbers, or addresses that are counted from the same place.
fn compare(op: IntPredicate, bits: u32, a: Known, b: Known) -> Known {
    let holds = match (a, b) {
        (Known::Number(a), Known::Number(b)) if bits <= 64 => eval::narrow::compare(op, bits, a, b),
        (Known::Address(base, a), Known::Address(other, b)) if base == other => match op {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::ULt | IntPredicate::SLt => a < b,
            IntPredicate::ULe | IntPredicate::SLe => a <= b,
            IntPredicate::UGt | IntPredicate::SGt => a > b,
            IntPredicate::UGe | IntPredicate::SGe => a >= b,
        },
        _ => return Known::Nothing,
    };
    Known::Number(u64::from(holds))
}
