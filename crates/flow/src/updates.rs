//! Stores that do the same when they are done again: `flags |= 4`, `config &= ~mask`, `if (low > x) low = x;`.
//!
//! Property: an *update* reads a location and writes it again as its meet or join with something else: bitwise, or
//! in the order of numbers. Whoever else reads the location, the read of an update tells nobody anything. If
//! all writes of a location are updates of one lattice, with the same operands in every attempt, or overwrite it,
//! then the first few of them followed by all of them leave what all of them leave. For in a lattice that is a
//! product of two-element chains, as bit strings are, and as orders can be embedded in, each write maps a component
//! to itself or to a constant: either all of them keep it, or the last one that does not decides.
//!
//! Algorithm: the value that is stored is a tree of operators of one lattice over the value that was loaded from the
//! same address, which nobody else uses (the result may be used: that is a read after the store); or a branch compares the two and its one side does nothing but store the
//! other. Nothing is stored or called in between.
//!
//! False negatives: trees that go through memory or several blocks.

use brownout_ir::{
    Block, Body, CastOp, Edge, Id, IntBinary, IntPredicate, Op, Operand, Target, Terminator, Type,
    Value, eval,
};
use rustc_hash::FxHashMap;

use crate::contexts::At;
use crate::rereads::{definitions, is_same};

/// The lattice of which an update is a meet or join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lattice {
    /// Every bit by itself.
    Bits,
    /// Numbers without a sign.
    Unsigned,
    /// Numbers with a sign.
    Signed,
}

/// A load and the store that goes with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) load: At,
    pub(crate) store: At,
    pub(crate) lattice: Lattice,
    /// Whether what is stored is used besides: as if it were read again after the store.
    pub(crate) shown: bool,
}

/// The updates of a body.
pub(crate) fn updates(target: &Target, body: &Body) -> Vec<Update> {
    let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
    let mut entered: FxHashMap<Block, usize> = FxHashMap::default();
    let mut count = |operand: Operand| {
        if let Operand::Value(value) = operand {
            *uses.entry(value).or_default() += 1;
        }
    };
    for data in body.blocks.values() {
        for inst in &data.insts {
            inst.op.visit_operands(target, |operand, _| count(operand));
        }
        data.terminator.visit_operands(&mut count);
        for edge in data.terminator.edges() {
            *entered.entry(edge.block).or_default() += 1;
        }
    }
    let search = Search {
        target,
        body,
        uses,
        entered,
        definitions: definitions(body),
    };
    let mut found = Vec::new();
    for (block, data) in body.blocks.iter() {
        found.extend((0..data.insts.len()).filter_map(|index| search.straight(block, index)));
        found.extend(search.branches(block));
    }
    found
}

struct Search<'b> {
    target: &'b Target,
    body: &'b Body,
    uses: FxHashMap<Value, usize>,
    /// How many edges lead to each block.
    entered: FxHashMap<Block, usize>,
    definitions: Vec<Option<&'b Op>>,
}

impl Search<'_> {
    /// The instruction of a block that defines a value that is used once.
    fn only(&self, block: Block, operand: Operand) -> Option<(usize, &Op)> {
        let uses = self.uses.get(&operand.value()?);
        self.defined(block, operand).filter(|_| uses == Some(&1))
    }

    /// The instruction of a block that defines a value.
    fn defined(&self, block: Block, operand: Operand) -> Option<(usize, &Op)> {
        let value = operand.value()?;
        let insts = &self.body.blocks[block].insts;
        let index = insts
            .iter()
            .position(|inst| inst.results.contains(&value))?;
        Some((index, &insts[index].op))
    }

    /// Whether nothing of a stretch of a block writes or calls.
    fn is_quiet(&self, block: Block, mut range: std::ops::Range<usize>) -> bool {
        let insts = &self.body.blocks[block].insts;
        range.all(|index| is_quiet(&insts[index].op))
    }

    /// A store of what is computed from the same location, without a branch.
    fn straight(&self, block: Block, index: usize) -> Option<Update> {
        let Op::Store {
            ty: ty @ Type::Int(_),
            address,
            value,
            ..
        } = self.body.blocks[block].insts[index].op
        else {
            return None;
        };
        let shape = Shape {
            is_top: true,
            ..Shape::default()
        };
        let (load, lattice) = self.tree(block, value, ty, address, shape)?;
        let stored = value.value().and_then(|value| self.uses.get(&value));
        (load < index && self.is_quiet(block, load + 1..index)).then_some(Update {
            load: at(block, load),
            store: at(block, index),
            lattice,
            shown: stored != Some(&1),
        })
    }

    /// The load at the bottom of a tree of operators of one lattice.
    fn tree(
        &self,
        block: Block,
        value: Operand,
        ty: Type,
        address: Operand,
        shape: Shape,
    ) -> Option<(usize, Lattice)> {
        let (index, op) = match shape.is_top {
            true => self.defined(block, value)?,
            false => self.only(block, value)?,
        };
        let shape = Shape {
            is_top: false,
            ..shape
        };
        match *op {
            Op::Load {
                ty: loaded,
                address: from,
                ..
            } => {
                let is_it = loaded == ty && is_same(&self.definitions, from, address);
                let lattice = shape.lattice.filter(|_| is_it)?;
                // An order is that of the whole number.
                let is_whole = lattice == Lattice::Bits || !shape.is_cast;
                is_whole.then_some((index, lattice))
            }
            Op::Cast {
                op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc,
                a,
                ..
            } => {
                let shape = Shape {
                    is_cast: true,
                    ..shape
                };
                self.tree(block, a, ty, address, shape)
            }
            Op::IntBinary { op, a, b, .. } => {
                let lattice = match op {
                    IntBinary::And | IntBinary::Or => Lattice::Bits,
                    IntBinary::UMin | IntBinary::UMax => Lattice::Unsigned,
                    IntBinary::SMin | IntBinary::SMax => Lattice::Signed,
                    _ => return None,
                };
                if shape.lattice.is_some_and(|known| known != lattice) {
                    return None;
                }
                let shape = Shape {
                    lattice: Some(lattice),
                    ..shape
                };
                let side = |operand| self.tree(block, operand, ty, address, shape);
                side(a).or_else(|| side(b))
            }
            _ => None,
        }
    }

    /// `if (x > limit) x = limit;`.
    fn branches(&self, block: Block) -> Vec<Update> {
        let Terminator::Branch {
            condition,
            then,
            otherwise,
        } = &self.body.blocks[block].terminator
        else {
            return Vec::new();
        };
        let Some((_, &Op::IntCompare { op, a, b, .. })) = self.only(block, *condition) else {
            return Vec::new();
        };
        let sides = [(op, then, otherwise), (op.negated(), otherwise, then)];
        let orders = [(a, b), (b, a)];
        let mut found = Vec::new();
        for (predicate, side, meet) in sides {
            for (old, limit) in orders {
                found.extend(self.clamp(block, predicate, (old, limit), side, meet));
            }
        }
        found
    }

    fn clamp(
        &self,
        block: Block,
        predicate: IntPredicate,
        (old, limit): (Operand, Operand),
        side: &Edge,
        meet: &Edge,
    ) -> Option<Update> {
        let (mut index, mut op) = self.only(block, old)?;
        let mut widened = None;
        if let Op::Cast {
            op: cast @ (CastOp::ZExt | CastOp::SExt),
            a,
            to,
            ..
        } = *op
        {
            widened = Some((cast, to));
            (index, op) = self.only(block, a)?;
        }
        let Op::Load {
            ty: ty @ Type::Int(_),
            address,
            ..
        } = *op
        else {
            return None;
        };
        let insts = self.body.blocks[block].insts.len();
        let only_way = self.entered.get(&side.block) == Some(&1) && side.args.is_empty();
        if !only_way || !self.is_quiet(block, index + 1..insts) {
            return None;
        }
        let data = &self.body.blocks[side.block];
        let Terminator::Jump(on) = &data.terminator else {
            return None;
        };
        let mut loud = (0..data.insts.len()).filter(|&at| !is_quiet(&data.insts[at].op));
        let (store, None) = (loud.next()?, loud.next()) else {
            return None;
        };
        let Op::Store {
            ty: stored,
            address: to,
            value,
            ..
        } = data.insts[store].op
        else {
            return None;
        };
        let is_it = on == meet
            && stored == ty
            && is_same(&self.definitions, to, address)
            && self.is_limit(value, limit, ty, widened);
        let lattice = match (predicate, widened) {
            // Whatever it was, it is that now.
            (IntPredicate::Ne, _) => Lattice::Bits,
            (IntPredicate::Eq, _) => return None,
            (_, Some((CastOp::ZExt, _))) => Lattice::Unsigned,
            (predicate, Some(_)) if !is_signed(predicate) => return None,
            (_, Some(_)) => Lattice::Signed,
            (predicate, None) if is_signed(predicate) => Lattice::Signed,
            (_, None) => Lattice::Unsigned,
        };
        is_it.then_some(Update {
            load: at(block, index),
            store: at(side.block, store),
            lattice,
            shown: false,
        })
    }

    /// Whether what is stored is what was compared with, widened in the same way.
    fn is_limit(
        &self,
        value: Operand,
        limit: Operand,
        ty: Type,
        widened: Option<(CastOp, Type)>,
    ) -> bool {
        let bits = |ty: Type| ty.bits(self.target);
        if let (Operand::Bits(value), Operand::Bits(limit)) = (value, limit) {
            return match widened {
                None => value == limit,
                Some((cast, to)) => eval::cast(cast, ty, bits(ty), to, bits(to), value) == limit,
            };
        }
        let defined = |operand: Operand| {
            let value = operand.value();
            value.and_then(|value| self.definitions[value.index()])
        };
        let Some((cast, to)) = widened else {
            return is_same(&self.definitions, value, limit);
        };
        let Some(&Op::Cast {
            op, a, to: wide, ..
        }) = defined(limit)
        else {
            return false;
        };
        // What was widened for the comparison may have been made narrow again.
        let narrowed = match defined(value) {
            Some(&Op::Cast {
                op: CastOp::Trunc,
                a: wide,
                ..
            }) => is_same(&self.definitions, wide, limit),
            _ => false,
        };
        let narrow = a.value().map(|value| self.body.values[value]);
        let is_widened = (op, wide) == (cast, to) && narrow == Some(ty);
        is_widened && (narrowed || is_same(&self.definitions, value, a))
    }
}

/// What is known of a tree from its top.
#[derive(Clone, Copy, Default)]
struct Shape {
    lattice: Option<Lattice>,
    is_cast: bool,
    /// Whether it is looked at from its top.
    is_top: bool,
}

fn at(block: Block, index: usize) -> At {
    At {
        block,
        index: index as u32,
    }
}

const fn is_signed(predicate: IntPredicate) -> bool {
    matches!(
        predicate,
        IntPredicate::SLt | IntPredicate::SLe | IntPredicate::SGt | IntPredicate::SGe
    )
}

/// Whether an operation neither writes nor calls.
pub(crate) const fn is_quiet(op: &Op) -> bool {
    !matches!(
        op,
        Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Call { .. } | Op::Service { .. }
    )
}
