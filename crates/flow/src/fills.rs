//! Loops that write every element of a stretch of an object.
//!
//! Property: when a loop is left through its test, the stretch has been overwritten. Algorithm:
//! the loop's counters and pointers start at constants, and the test and the addresses depend on
//! nothing else, so the loop is counted through; the stores on all ways through each round cover
//! what they cover. What an inner loop overwrites is a store of the outer one: its address may
//! depend on the outer counters (`terms`).
//!
//! False negatives do not exist; false positives of what follows: loops of another shape (several
//! ways back, inner loops that start where the outer one is) are not seen to overwrite anything.

mod value;

use std::collections::BTreeMap;

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Id, Op, Operand, Program, Terminator, Type, Value};

use crate::ranges::Ranges;
use value::{Base, Known};

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
    /// Numbers from outside the loop that are added to it: they are the counters of outer loops.
    pub terms: Terms,
    /// The first byte.
    pub start: i64,
    /// One past the last byte.
    pub end: i64,
    /// The blocks of the loop.
    pub inside: Vec<Block>,
}

/// Numbers that nobody knows while a loop is counted, each with a factor.
pub type Terms = [Option<(Operand, i64)>; 2];

/// A loop with one way back.
#[derive(Clone, Debug)]
pub struct Natural {
    header: Block,
    latch: Block,
    inside: Vec<Block>,
}

/// How many rounds are counted.
const ROUNDS: usize = 4096;
/// How many stretches of bytes the rounds of a loop overwrite at most.
const SPANS: usize = 1 << 16;
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
    // Inner loops come first: outer ones are made of them.
    let mut order: Vec<&Natural> = loops.iter().collect();
    order.sort_by_key(|natural| natural.inside.len());
    for natural in order {
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

/// Something that is overwritten in a round.
#[derive(Clone, Copy, Debug)]
struct Write {
    at: Point,
    address: Base,
    /// The first byte behind the address, and the one after the last.
    span: (i64, i64),
}

/// Where in a round something is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    In(Block),
    /// When an inner loop is left by this edge.
    Leaving(Block, usize),
}

/// A block and the edges that lead to it.
type Arrivals = (Block, Vec<(Block, usize)>);

/// Bytes that a round overwrites.
type Span = (Base, i64, i64);

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
        let writes = self.writes(before, found);
        if writes.is_empty() {
            return;
        }
        let ways = self.ways();
        let mut written: Vec<Span> = Vec::new();
        let mut rounds = 0;
        loop {
            if before {
                match self.leaves(&round, condition, stay) {
                    Some(false) => {}
                    Some(true) => break,
                    None => return,
                }
            }
            written.extend(self.overwritten(&writes, &ways, &round));
            rounds += 1;
            if rounds > ROUNDS || written.len() > SPANS {
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
        for (base, start, end) in stretches(&written) {
            found.push(LoopFill {
                block: test,
                edge,
                base: base.operand,
                terms: base.terms,
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

    /// What a round may overwrite: its stores, and the stretches of inner loops.
    fn writes(&self, before: bool, inner: &[LoopFill]) -> Vec<Write> {
        let mut found = Vec::new();
        for &block in &self.natural.inside {
            if before && block == self.natural.header {
                continue;
            }
            for inst in &self.body.blocks[block].insts {
                if let Op::Store { ty, address, .. } = &inst.op
                    && address.value().is_some()
                {
                    found.push(Write {
                        at: Point::In(block),
                        address: Base::of(*address),
                        span: (0, i64::from(ty.bytes(&self.program.target))),
                    });
                }
            }
        }
        let inner = inner.iter().filter(|fill| {
            let inside = fill.inside.len() < self.natural.inside.len();
            inside && fill.inside.iter().all(|&block| self.is_inside(block))
        });
        found.extend(inner.map(|fill| Write {
            at: Point::Leaving(fill.block, fill.edge),
            address: Base {
                operand: fill.base,
                terms: fill.terms,
            },
            span: (fill.start, fill.end),
        }));
        found
    }

    /// What every way through a round overwrites.
    fn overwritten(&self, writes: &[Write], ways: &[Arrivals], round: &Round) -> Vec<Span> {
        let spans: Vec<(Point, Span)> = writes
            .iter()
            .filter_map(|write| Some((write.at, self.span(write, round)?)))
            .collect();
        let always = |at: Point| match at {
            Point::In(block) => self.dominators.dominates(block, self.natural.latch),
            Point::Leaving(..) => false,
        };
        let (sure, perhaps): (Vec<_>, Vec<_>) = spans.into_iter().partition(|(at, _)| always(*at));
        let mut all: Vec<Span> = sure.into_iter().map(|(_, span)| span).collect();
        if !perhaps.is_empty() {
            all.extend(self.on_all_ways(ways, &perhaps));
        }
        all
    }

    /// The bytes that a write overwrites in a round, if they are known.
    fn span(&self, write: &Write, round: &Round) -> Option<Span> {
        let known = self.evaluate(write.address.operand, Type::Ptr, round, 0);
        let Known::Address(mut base, mut at) = known else {
            return None;
        };
        for (operand, scale) in write.address.terms.into_iter().flatten() {
            (base, at) = self.moved(base, at, operand, (scale, 0), round, 0)?;
        }
        Some((base, at + write.span.0, at + write.span.1))
    }

    /// What each way from the header to the latch overwrites, going round no inner loop.
    fn on_all_ways(&self, ways: &[Arrivals], writes: &[(Point, Span)]) -> Vec<Span> {
        let mut leaving: BTreeMap<Block, Vec<Span>> = BTreeMap::new();
        for (block, arrivals) in ways {
            let mut here: Option<Vec<Span>> = None;
            for &(from, index) in arrivals {
                let mut way = leaving.get(&from).cloned().unwrap_or_default();
                let left = Point::Leaving(from, index);
                let passed = writes.iter().filter(|(at, _)| *at == left);
                way.extend(passed.map(|(_, span)| *span));
                match &mut here {
                    None => here = Some(way),
                    Some(here) => here.retain(|span| way.contains(span)),
                }
            }
            let mut here = here.unwrap_or_default();
            let own = writes.iter().filter(|(at, _)| *at == Point::In(*block));
            here.extend(own.map(|(_, span)| *span));
            leaving.insert(*block, here);
        }
        leaving.remove(&self.natural.latch).unwrap_or_default()
    }

    /// The blocks of the loop in an order in which only ways back go backwards, each with the edges
    /// that lead to it otherwise; none if an inner loop has several entries.
    fn ways(&self) -> Vec<Arrivals> {
        let order = self.forward();
        let mut ways: Vec<Arrivals> = order.iter().map(|&block| (block, Vec::new())).collect();
        for (position, &from) in order.iter().enumerate() {
            let edges = self.body.blocks[from].terminator.edges();
            for (index, edge) in edges.into_iter().enumerate() {
                if !self.is_inside(edge.block) || self.dominators.dominates(edge.block, from) {
                    continue;
                }
                let to = order.iter().position(|&block| block == edge.block);
                match to.filter(|&to| position < to) {
                    Some(to) => ways[to].1.push((from, index)),
                    None => return Vec::new(),
                }
            }
        }
        ways
    }

    /// The blocks of the loop, each after those that lead to it without a way back.
    fn forward(&self) -> Vec<Block> {
        let mut done = Vec::new();
        let mut open = vec![(self.natural.header, 0)];
        let mut seen = vec![self.natural.header];
        while let Some((block, next)) = open.pop() {
            match self.body.blocks[block].terminator.edges().get(next) {
                Some(edge) => {
                    open.push((block, next + 1));
                    if self.is_inside(edge.block) && !seen.contains(&edge.block) {
                        seen.push(edge.block);
                        open.push((edge.block, 0));
                    }
                }
                None => done.push(block),
            }
        }
        done.reverse();
        done
    }
}

/// What rounds cover: stretches without a gap, by what they are counted from.
fn stretches(written: &[Span]) -> Vec<Span> {
    let mut by_base: Vec<(Base, Vec<(i64, i64)>)> = Vec::new();
    for &(base, start, end) in written {
        match by_base.iter_mut().find(|(other, _)| *other == base) {
            Some((_, spans)) => spans.push((start, end)),
            None => by_base.push((base, vec![(start, end)])),
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
