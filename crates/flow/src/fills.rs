//! Loops that write every element of a stretch of an array.
//!
//! Property: when a loop is left through its test, the stretch has been overwritten. Algorithm:
//! the counter starts at a constant and the test and the index depend on it alone, so the loop's
//! index values are computed by counting; a store that every round executes then covers them.
//!
//! False negatives do not exist; false positives of what follows: loops of another shape are not
//! seen to overwrite anything.

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Id, Op, Operand, Program, Terminator, Type, Value, eval};

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

/// How many rounds are counted.
const ROUNDS: usize = 1 << 16;
/// How many operations deep an index may depend on the counter.
const DEPTH: u32 = 8;

/// Finds the loops of a body that fill something.
pub fn loop_fills(program: &Program, body: &Body, dominators: &Dominators) -> Vec<LoopFill> {
    let mut definitions = vec![None; body.values.len()];
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    for (block, data) in body
        .blocks
        .iter()
        .filter(|(b, _)| dominators.is_reachable(*b))
    {
        for inst in &data.insts {
            for &result in &inst.results {
                definitions[result.index()] = Some((block, &inst.op));
            }
        }
        for edge in data.terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    let mut found = Vec::new();
    for header in body
        .blocks
        .ids()
        .filter(|block| dominators.is_reachable(*block))
    {
        let all = &predecessors[header.index()];
        let latches: Vec<Block> = all
            .iter()
            .copied()
            .filter(|&from| dominators.dominates(header, from))
            .collect();
        // One way back keeps the reasoning short; `continue` joins it in unoptimised code.
        let &[latch] = &latches[..] else { continue };
        let mut inside = vec![false; body.blocks.len()];
        inside[header.index()] = true;
        let mut open = vec![latch];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut inside[block.index()], true) {
                open.extend(&predecessors[block.index()]);
            }
        }
        let natural = Natural {
            program,
            body,
            dominators,
            definitions: &definitions,
            header,
            latch,
            inside,
        };
        natural.fills(&mut found);
    }
    found
}

struct Natural<'p> {
    program: &'p Program,
    body: &'p Body,
    dominators: &'p Dominators,
    definitions: &'p [Option<(Block, &'p Op)>],
    header: Block,
    latch: Block,
    inside: Vec<bool>,
}

impl Natural<'_> {
    fn fills(&self, found: &mut Vec<LoopFill>) {
        for test in [self.header, self.latch] {
            if let Some((edge, condition, stay)) = self.test(test) {
                let params = &self.body.blocks[self.header].params;
                for position in 0..params.len() {
                    self.counted(test, edge, condition, stay, position, found);
                }
            }
            if self.header == self.latch {
                break;
            }
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
        match (
            self.inside[then.block.index()],
            self.inside[otherwise.block.index()],
        ) {
            (true, false) => Some((1, *condition, 1)),
            (false, true) => Some((0, *condition, 0)),
            _ => None,
        }
    }

    fn counted(
        &self,
        test: Block,
        edge: usize,
        condition: Operand,
        stay: u64,
        position: usize,
        found: &mut Vec<LoopFill>,
    ) {
        let counter = self.body.blocks[self.header].params[position];
        let Some((start, next)) = self.counter(position) else {
            return;
        };
        let stores = self.stores(test);
        if stores.is_empty() {
            return;
        }
        let before = test == self.header && self.header != self.latch;
        let mut rounds: Vec<u64> = Vec::new();
        let mut value = start;
        loop {
            let goes_on = |value| self.evaluate(condition, 1, counter, value, 0);
            if before {
                match goes_on(value) {
                    Some(bit) if bit == stay => {}
                    Some(_) => break,
                    None => return,
                }
            }
            rounds.push(value);
            if rounds.len() > ROUNDS {
                return;
            }
            if !before {
                match goes_on(value) {
                    Some(bit) if bit == stay => {}
                    Some(_) => break,
                    None => return,
                }
            }
            let bits = self.bits(counter);
            match self.evaluate(next, bits, counter, value, 0) {
                Some(following) => value = following,
                None => return,
            }
        }
        for store in stores {
            if let Some((start, end)) = self.stretch(&store, counter, &rounds) {
                found.push(LoopFill {
                    block: test,
                    edge,
                    base: store.base,
                    start,
                    end,
                    inside: self.blocks(),
                });
            }
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let all = self.body.blocks.ids();
        all.filter(|block| self.inside[block.index()]).collect()
    }

    fn bits(&self, value: Value) -> u32 {
        self.body.values[value].bits(&self.program.target)
    }

    /// What a parameter of the header starts with, and what the next round gets.
    fn counter(&self, position: usize) -> Option<(u64, Operand)> {
        let mut start = None;
        let mut next = None;
        for (block, data) in self.body.blocks.iter() {
            if !self.dominators.is_reachable(block) {
                continue;
            }
            for edge in data.terminator.edges() {
                if edge.block != self.header {
                    continue;
                }
                let arg = *edge.args.get(position)?;
                let slot = if self.inside[block.index()] {
                    &mut next
                } else {
                    &mut start
                };
                if slot.replace(arg).is_some_and(|other| other != arg) {
                    return None;
                }
            }
        }
        match start? {
            Operand::Bits(bits) => Some((u64::try_from(bits).ok()?, next?)),
            _ => None,
        }
    }

    /// Stores that every round executes, through an index.
    fn stores(&self, test: Block) -> Vec<Indexed> {
        let before = test == self.header && self.header != self.latch;
        let mut found = Vec::new();
        for (block, data) in self.body.blocks.iter() {
            let every_round = self.inside[block.index()]
                && self.dominators.is_reachable(block)
                && self.dominators.dominates(block, self.latch)
                && !(before && block == self.header);
            if !every_round {
                continue;
            }
            for inst in &data.insts {
                if let Op::Store { ty, address, .. } = &inst.op
                    && let Some(store) = self.indexed(*ty, *address)
                {
                    found.push(store);
                }
            }
        }
        found
    }

    fn indexed(&self, ty: Type, address: Operand) -> Option<Indexed> {
        let (_, op) = self.definitions[address.value()?.index()]?;
        let Op::Address {
            base,
            index,
            scale,
            offset,
        } = *op
        else {
            return None;
        };
        let fixed = match base {
            Operand::Value(value) => match self.definitions[value.index()] {
                Some((block, _)) => !self.inside[block.index()],
                // A parameter of some block: fixed if that block is outside.
                None => self.is_outside(value),
            },
            _ => true,
        };
        (fixed && index.value().is_some()).then_some(Indexed {
            base,
            index,
            scale,
            offset,
            bytes: i64::from(ty.bytes(&self.program.target)),
        })
    }

    fn is_outside(&self, param: Value) -> bool {
        let blocks = self.body.blocks.iter();
        let mut holders = blocks.filter(|(_, data)| data.params.contains(&param));
        holders.all(|(block, _)| !self.inside[block.index()])
    }

    /// The bytes that a store covers over all rounds, if they have no gap.
    fn stretch(&self, store: &Indexed, counter: Value, rounds: &[u64]) -> Option<(i64, i64)> {
        let bits = u32::from(self.program.target.pointer_bits);
        let mut starts = Vec::with_capacity(rounds.len());
        for &round in rounds {
            let index = self.evaluate(store.index, bits, counter, round, 0)?;
            let index = eval::narrow::signed(bits, index);
            starts.push(index.checked_mul(store.scale)?.checked_add(store.offset)?);
        }
        starts.sort_unstable();
        let (&first, &last) = (starts.first()?, starts.last()?);
        let dense = starts
            .windows(2)
            .all(|pair| pair[1] - pair[0] <= store.bytes);
        dense.then_some((first, last + store.bytes))
    }

    /// The value of an operand when the counter has a value, if it depends on nothing else.
    fn evaluate(
        &self,
        operand: Operand,
        bits: u32,
        counter: Value,
        at: u64,
        depth: u32,
    ) -> Option<u64> {
        let value = match operand {
            Operand::Bits(value) => return u64::try_from(value).ok(),
            Operand::Value(value) => value,
            _ => return None,
        };
        if value == counter {
            return Some(at);
        }
        if depth > DEPTH || bits > 64 {
            return None;
        }
        let target = &self.program.target;
        let inner =
            |operand, ty: Type| self.evaluate(operand, ty.bits(target), counter, at, depth + 1);
        match self.definitions[value.index()]?.1 {
            Op::IntBinary { op, ty, a, b } if ty.bits(target) <= 64 => {
                eval::narrow::binary(*op, ty.bits(target), inner(*a, *ty)?, inner(*b, *ty)?).ok()
            }
            Op::IntCompare { op, ty, a, b } if ty.bits(target) <= 64 => {
                let (a, b) = (inner(*a, *ty)?, inner(*b, *ty)?);
                Some(u64::from(eval::narrow::compare(*op, ty.bits(target), a, b)))
            }
            Op::Cast { op, from, to, a } if from.bits(target) <= 64 && to.bits(target) <= 64 => {
                let a = inner(*a, *from)?;
                let (from, to) = (from.bits(target), to.bits(target));
                match op {
                    brownout_ir::CastOp::ZExt => Some(a),
                    brownout_ir::CastOp::SExt => {
                        let wide = eval::narrow::signed(from, a);
                        Some(eval::narrow::unsigned(to, wide))
                    }
                    brownout_ir::CastOp::Trunc => Some(a & eval::narrow::mask(to)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A store to `base + index * scale + offset`.
struct Indexed {
    base: Operand,
    index: Operand,
    scale: i64,
    offset: i64,
    bytes: i64,
}
