//! Loops that write every element of a stretch of an object.
//!
//! Property: when a loop is left through its test, the stretch has been overwritten. Algorithm:
//! the loop's counters and pointers start at constants, and the test and the addresses depend on
//! nothing else, so the loop is counted through; the stores that every round executes cover what
//! they cover.
//!
//! False negatives do not exist; false positives of what follows: loops of another shape (nested
//! ones, stores on one of several ways through a round) are not seen to overwrite anything.

use std::collections::BTreeMap;

use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, Body, CastOp, Id, IntPredicate, Op, Operand, Program, Terminator, Type, Value, eval,
};

use crate::ranges::Ranges;

/// A stretch that is overwritten when an edge is taken, provided that no round of the loop begins
/// or ends a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopFill {
    /// The block that tests.
    pub block: Block,
    /// Its edge that leaves the loop.
    pub edge: usize,
    /// The address that the stretch is counted from.
    pub base: Operand,
    /// The first byte.
    pub start: i64,
    /// One past the last byte.
    pub end: i64,
    /// The blocks of the loop.
    pub inside: Vec<Block>,
}

/// A loop with one way back.
#[derive(Clone, Debug)]
pub struct Natural {
    header: Block,
    latch: Block,
    inside: Vec<Block>,
}

/// How many rounds are counted.
const ROUNDS: usize = 4096;
/// How many operations deep an address may depend on a counter.
const DEPTH: u32 = 12;

/// The loops of a body with one way back that store something.
pub fn loops(body: &Body, dominators: &Dominators) -> Vec<Natural> {
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    let reachable = |block: &Block| dominators.is_reachable(*block);
    for block in body.blocks.ids().filter(reachable) {
        for edge in body.blocks[block].terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    let mut found = Vec::new();
    for header in body.blocks.ids().filter(reachable) {
        let back = predecessors[header.index()].iter().copied();
        let latches: Vec<Block> = back
            .filter(|&from| dominators.dominates(header, from))
            .collect();
        let &[latch] = &latches[..] else { continue };
        let mut inside = vec![false; body.blocks.len()];
        inside[header.index()] = true;
        let mut open = vec![latch];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut inside[block.index()], true) {
                open.extend(&predecessors[block.index()]);
            }
        }
        let inside: Vec<Block> = body
            .blocks
            .ids()
            .filter(|block| inside[block.index()])
            .collect();
        let mut insts = inside.iter().flat_map(|block| &body.blocks[*block].insts);
        if insts.any(|inst| matches!(inst.op, Op::Store { .. })) {
            found.push(Natural {
                header,
                latch,
                inside,
            });
        }
    }
    found
}

/// What the loops of a body overwrite, given what its values can be.
pub fn loop_fills(
    program: &Program,
    body: &Body,
    dominators: &Dominators,
    loops: &[Natural],
    ranges: &Ranges,
) -> Vec<LoopFill> {
    if loops.is_empty() {
        return Vec::new();
    }
    let mut definitions = vec![None; body.values.len()];
    for data in body.blocks.values() {
        for inst in &data.insts {
            for &result in &inst.results {
                definitions[result.index()] = Some(&inst.op);
            }
        }
    }
    let mut found = Vec::new();
    for natural in loops {
        let counting = Counting {
            program,
            body,
            dominators,
            definitions: &definitions,
            natural,
            ranges,
        };
        for test in [natural.header, natural.latch] {
            counting.fills(test, &mut found);
            if natural.header == natural.latch {
                break;
            }
        }
    }
    found
}

/// What is known of a value in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Number(u64),
    /// An address, counted from a constant operand or a value from outside the loop.
    Address(Operand, i64),
    Nothing,
}

type Round = BTreeMap<Value, Known>;

struct Counting<'p> {
    program: &'p Program,
    body: &'p Body,
    dominators: &'p Dominators,
    definitions: &'p [Option<&'p Op>],
    natural: &'p Natural,
    ranges: &'p Ranges,
}

impl Counting<'_> {
    fn is_inside(&self, block: Block) -> bool {
        self.natural.inside.binary_search(&block).is_ok()
    }

    fn fills(&self, test: Block, found: &mut Vec<LoopFill>) {
        let Some((edge, condition, stay)) = self.test(test) else {
            return;
        };
        let Some((mut round, next)) = self.counters() else {
            return;
        };
        let before = test == self.natural.header && self.natural.header != self.natural.latch;
        let stores = self.stores(before);
        if stores.is_empty() {
            return;
        }
        let mut written: Vec<Vec<Known>> = vec![Vec::new(); stores.len()];
        let mut rounds = 0;
        loop {
            if before && self.leaves(&round, condition, stay) != Some(false) {
                if self.leaves(&round, condition, stay).is_none() {
                    return;
                }
                break;
            }
            for (store, written) in stores.iter().zip(&mut written) {
                written.push(self.evaluate(store.0, Type::Ptr, &round, 0));
            }
            rounds += 1;
            if rounds > ROUNDS {
                return;
            }
            if !before {
                match self.leaves(&round, condition, stay) {
                    Some(false) => {}
                    Some(true) => break,
                    None => return,
                }
            }
            let following = next.iter().map(|(param, operand)| {
                let ty = self.body.values[*param];
                (*param, self.evaluate(*operand, ty, &round, 0))
            });
            round = following.collect();
        }
        for (base, start, end) in stretches(&stores, &written) {
            found.push(LoopFill {
                block: test,
                edge,
                base,
                start,
                end,
                inside: self.natural.inside.clone(),
            });
        }
    }

    /// The edge of `test` that leaves the loop, its condition, and the value that stays inside.
    fn test(&self, test: Block) -> Option<(usize, Operand, u64)> {
        let Terminator::Branch {
            condition,
            then,
            otherwise,
        } = &self.body.blocks[test].terminator
        else {
            return None;
        };
        match (self.is_inside(then.block), self.is_inside(otherwise.block)) {
            (true, false) => Some((1, *condition, 1)),
            (false, true) => Some((0, *condition, 0)),
            _ => None,
        }
    }

    /// Whether the test leaves the loop in a round, if that is known.
    fn leaves(&self, round: &Round, condition: Operand, stay: u64) -> Option<bool> {
        match self.evaluate(condition, Type::BOOL, round, 0) {
            Known::Number(bit) => Some(bit != stay),
            Known::Address(..) | Known::Nothing => None,
        }
    }

    /// What the parameters of the header start with, and what the next round gives them.
    fn counters(&self) -> Option<(Round, Vec<(Value, Operand)>)> {
        let params = &self.body.blocks[self.natural.header].params;
        let mut start: Vec<Option<Operand>> = vec![None; params.len()];
        let mut next = start.clone();
        let mut differs = vec![false; params.len()];
        for (block, data) in self.body.blocks.iter() {
            if !self.dominators.is_reachable(block) {
                continue;
            }
            for edge in data.terminator.edges() {
                if edge.block != self.natural.header {
                    continue;
                }
                let side = if self.is_inside(block) {
                    &mut next
                } else {
                    &mut start
                };
                for (position, &arg) in edge.args.iter().enumerate() {
                    let known = side.get_mut(position)?;
                    differs[position] |= known.replace(arg).is_some_and(|other| other != arg);
                }
            }
        }
        let mut round = Round::new();
        let mut following = Vec::new();
        for (position, &param) in params.iter().enumerate() {
            let (Some(first), Some(then)) = (start[position], next[position]) else {
                continue;
            };
            if differs[position] {
                continue;
            }
            round.insert(param, self.outside(first, self.body.values[param]));
            following.push((param, then));
        }
        Some((round, following))
    }

    /// What an operand from outside the loop is.
    fn outside(&self, operand: Operand, ty: Type) -> Known {
        match operand {
            Operand::Bits(bits) => u64::try_from(bits).map_or(Known::Nothing, Known::Number),
            Operand::Global(global, offset) => Known::Address(Operand::Global(global, 0), offset),
            Operand::Slot(slot, offset) => Known::Address(Operand::Slot(slot, 0), offset),
            Operand::Value(_) if ty == Type::Ptr => Known::Address(operand, 0),
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

    /// The addresses and sizes of stores that every round executes.
    fn stores(&self, before: bool) -> Vec<(Operand, i64)> {
        let mut found = Vec::new();
        for &block in &self.natural.inside {
            let every_round = self.dominators.dominates(block, self.natural.latch)
                && !(before && block == self.natural.header);
            if !every_round {
                continue;
            }
            for inst in &self.body.blocks[block].insts {
                if let Op::Store { ty, address, .. } = &inst.op
                    && address.value().is_some()
                {
                    found.push((*address, i64::from(ty.bytes(&self.program.target))));
                }
            }
        }
        found
    }

    /// The value of an operand in a round, if it depends on the counters alone.
    fn evaluate(&self, operand: Operand, ty: Type, round: &Round, depth: u32) -> Known {
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
                let width = u32::from(target.pointer_bits);
                let index = number(*index, target.size_type());
                let by = index.and_then(|index| {
                    let index = eval::narrow::signed(width, index);
                    index.checked_mul(*scale)?.checked_add(*offset)
                });
                return match (inner(*base, Type::Ptr), by) {
                    (Known::Address(base, at), Some(by)) => Known::Address(base, at + by),
                    _ => Known::Nothing,
                };
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

/// What stores cover over all rounds: stretches without a gap, by what they are counted from.
fn stretches(stores: &[(Operand, i64)], written: &[Vec<Known>]) -> Vec<(Operand, i64, i64)> {
    let mut by_base: Vec<(Operand, Vec<(i64, i64)>)> = Vec::new();
    for (&(_, bytes), written) in stores.iter().zip(written) {
        for known in written {
            if let Known::Address(base, at) = *known {
                let span = (at, at + bytes);
                match by_base.iter_mut().find(|(other, _)| *other == base) {
                    Some((_, spans)) => spans.push(span),
                    None => by_base.push((base, vec![span])),
                }
            }
        }
    }
    let mut found = Vec::new();
    for (base, mut spans) in by_base {
        spans.sort_unstable();
        let mut open: Option<(i64, i64)> = None;
        for (start, end) in spans {
            match &mut open {
                Some((_, last)) if start <= *last => *last = (*last).max(end),
                _ => {
                    found.extend(open.map(|(start, end)| (base, start, end)));
                    open = Some((start, end));
                }
            }
        }
        found.extend(open.map(|(start, end)| (base, start, end)));
    }
    found
}
