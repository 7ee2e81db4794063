//! Which values an integer can have, and which edges can be taken because of that.
//!
//! Property: intervals of unsigned values, per activation context. Algorithm: conditional
//! propagation over executable edges (Wegman and Zadeck, TOPLAS 1991) with intervals instead of
//! constants; conditions that dominate a block refine what is compared in it. Intervals of block
//! parameters that keep growing are widened (Cousot and Cousot, POPL 1977): first to the next number
//! that the function compares something with, where a loop is likely to end, then to the numbers that
//! are not negative, then to everything. When nothing changes any more, all values are computed again
//! from what was found, which narrows what was widened too far.
//!
//! False positives of what follows: an edge counts as possible unless this shows otherwise.
//! False negatives: none; every step keeps all values that can occur.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, Body, Callee, CastOp, Func, Global, Id, Op, Operand, Program, Terminator, Type, Value,
    eval,
};

use rustc_hash::FxHashMap;

use crate::graph::Graph;

mod interval;

pub use interval::Range;
use interval::{binary, compare, constrained};

/// No variable lies below, on any target.
const LOWEST_VARIABLE: u64 = 0x1000;

/// How often a block parameter may grow before it is widened, and before it can be anything.
const PATIENCE: u32 = 4;
/// How often it is widened to a number that something is compared with.
const LANDMARKS: u32 = 8;
/// How often everything is computed again from what was found.
const NARROWING: u32 = 2;
/// How many dominating conditions are looked at.
const CONDITIONS: usize = 16;

/// An address that is so many bytes after another one, by an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The other one.
    pub base: Operand,
    /// The fewest bytes.
    pub least: i64,
    /// The most bytes.
    pub most: i64,
}

/// What is known of one function in one context.
#[derive(Clone, Debug)]
pub struct Ranges {
    values: Vec<Option<Range>>,
    /// Addresses that are moved from others by an index of a known range.
    moved: FxHashMap<Value, Moved>,
    /// For each block, which of its edges can be taken; empty when the block is never reached.
    feasible: Vec<Vec<bool>>,
    reached: Vec<bool>,
}

impl Ranges {
    /// Whether an edge of a block can be taken.
    pub fn can_take(&self, block: Block, edge: usize) -> bool {
        let edges = &self.feasible[block.index()];
        edges.get(edge).copied().unwrap_or(false)
    }

    /// Whether a block can be reached.
    pub fn is_reached(&self, block: Block) -> bool {
        self.reached[block.index()]
    }

    /// How far an address is from the one that it is computed from, if that is known.
    pub fn moved(&self, address: Value) -> Option<Moved> {
        self.moved.get(&address).copied()
    }

    /// What an operand of that type can be.
    pub fn of(&self, operand: Operand, bits: u32) -> Range {
        match operand {
            Operand::Bits(value) if bits <= 64 => Range::exactly(value as u64),
            Operand::Value(value) => {
                self.values[value.index()].unwrap_or_else(|| Range::of_width(bits))
            }
            _ => Range::of_width(bits),
        }
    }
}

/// What inputs give, as far as somebody says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Readings {
    /// The results of input functions.
    pub functions: BTreeMap<Func, Range>,
    /// What is read from a register as a whole.
    pub registers: BTreeMap<Global, Range>,
}

/// Computes what the values of `body` can be when its parameters are in `arguments`.
pub fn ranges(
    program: &Program,
    readings: &Readings,
    body: &Body,
    dominators: &Dominators,
    arguments: &[Range],
) -> Ranges {
    let mut analysis = Propagation {
        program,
        readings,
        body,
        dominators,
        definitions: definitions(body),
        predecessors: predecessors(body),
        ranges: Ranges {
            values: vec![None; body.values.len()],
            moved: FxHashMap::default(),
            feasible: vec![Vec::new(); body.blocks.len()],
            reached: vec![false; body.blocks.len()],
        },
        landmarks: landmarks(body, arguments),
        grown: vec![0; body.values.len()],
    };
    let entry = body.entry();
    if let Some(data) = body.blocks.get(entry) {
        for (index, &param) in data.params.iter().enumerate() {
            let all = analysis.everything(param);
            let range = arguments.get(index).and_then(|range| range.meet(all));
            analysis.ranges.values[param.index()] = Some(range.unwrap_or(all));
        }
        analysis.run(&order(body));
    }
    analysis.ranges
}

/// The blocks in an order in which most come after their predecessors.
fn order(body: &Body) -> Vec<Block> {
    let mut graph = Graph::new(body.blocks.len());
    for (block, data) in body.blocks.iter() {
        for edge in data.terminator.edges() {
            graph.connect(block.index() as u32, edge.block.index() as u32);
        }
    }
    let order = graph.reverse_postorder(&[0]).into_iter();
    order.map(|node| Block::from_index(node as usize)).collect()
}

fn predecessors(body: &Body) -> Vec<u32> {
    let mut counts = vec![0; body.blocks.len()];
    for edge in body
        .blocks
        .values()
        .flat_map(|data| data.terminator.edges())
    {
        counts[edge.block.index()] += 1;
    }
    counts
}

/// Where each value is defined: the block and the position in it.
fn definitions(body: &Body) -> Vec<Option<(Block, u32)>> {
    let mut found = vec![None; body.values.len()];
    for (block, data) in body.blocks.iter() {
        for (index, inst) in data.insts.iter().enumerate() {
            for result in &inst.results {
                found[result.index()] = Some((block, index as u32));
            }
        }
    }
    found
}

/// The numbers that something is compared with, in order, and their neighbours: a loop that goes on while its counter is
/// not 8 has one that is at most 7.
fn landmarks(body: &Body, arguments: &[Range]) -> Vec<u64> {
    let mut numbers = BTreeSet::from([0]);
    let instructions = body.blocks.values().flat_map(|data| &data.insts);
    let constants = instructions.filter_map(|inst| match inst.op {
        Op::IntCompare {
            b: Operand::Bits(number),
            ..
        }
        | Op::IntCompare {
            a: Operand::Bits(number),
            ..
        } => u64::try_from(number).ok(),
        _ => None,
    });
    for number in constants.chain(arguments.iter().filter_map(|range| range.single())) {
        numbers.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
    }
    numbers.into_iter().collect()
}

struct Propagation<'p> {
    program: &'p Program,
    readings: &'p Readings,
    body: &'p Body,
    dominators: &'p Dominators,
    definitions: Vec<Option<(Block, u32)>>,
    /// How many edges lead to each block.
    predecessors: Vec<u32>,
    ranges: Ranges,
    /// Numbers to widen to, in order.
    landmarks: Vec<u64>,
    /// How often each value grew.
    grown: Vec<u32>,
}

impl Propagation<'_> {
    fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.program.target)
    }

    fn everything(&self, value: Value) -> Range {
        Range::of_width(self.bits(self.body.values[value]))
    }

    fn run(&mut self, order: &[Block]) {
        self.ranges.reached[self.body.entry().index()] = true;
        // A value can be used far from where it is defined: look at everything until nothing
        // changes. Block parameters grow a few times only.
        let mut news = true;
        while std::mem::take(&mut news) {
            for &block in order
                .iter()
                .filter(|block| self.dominators.is_reachable(**block))
            {
                if !self.ranges.reached[block.index()] {
                    continue;
                }
                news |= self.instructions(block);
                news |= self.leave(block);
            }
        }
        for _ in 0..NARROWING {
            self.narrow(order);
        }
        self.find_moved();
    }

    /// What the results of an instruction can be.
    fn result(&self, op: &Op, result: Value, block: Block) -> Range {
        let all = self.everything(result);
        let found = self.evaluate(op, block);
        found.and_then(|range| range.meet(all)).unwrap_or(all)
    }

    /// Evaluates a block; whether any of its values changed.
    fn instructions(&mut self, block: Block) -> bool {
        let body = self.body;
        let mut changed = false;
        for inst in &body.blocks[block].insts {
            for &result in &inst.results {
                let found = self.result(&inst.op, result, block);
                let slot = &mut self.ranges.values[result.index()];
                // Only ever grow, so that the iteration ends.
                let next = slot.map_or(found, |old| old.join(found));
                changed |= *slot != Some(next);
                *slot = Some(next);
            }
        }
        changed
    }

    /// Computes everything once more: what follows from ranges that hold all values holds all values.
    fn narrow(&mut self, order: &[Block]) {
        let body = self.body;
        let mut given: Vec<Option<Range>> = vec![None; body.values.len()];
        for &block in order {
            if !self.ranges.reached[block.index()] {
                continue;
            }
            let terminator = &body.blocks[block].terminator;
            for (index, edge) in terminator.edges().iter().enumerate() {
                if !self.ranges.can_take(block, index) {
                    continue;
                }
                let params = &body.blocks[edge.block].params;
                for (&param, &arg) in params.iter().zip(&edge.args) {
                    let range = self.passed(block, index, param, arg);
                    let slot = &mut given[param.index()];
                    *slot = Some(slot.map_or(range, |known| known.join(range)));
                }
            }
        }
        let meet = |slot: &mut Option<Range>, range: Range| {
            *slot = slot.map(|old| old.meet(range).unwrap_or(old));
        };
        let entry = &body.blocks[body.entry()].params;
        for (value, range) in given.iter().enumerate() {
            let is_argument = entry.iter().any(|param| param.index() == value);
            if let Some(range) = range.filter(|_| !is_argument) {
                meet(&mut self.ranges.values[value], range);
            }
        }
        for &block in order {
            if !self.ranges.reached[block.index()] {
                continue;
            }
            for inst in &body.blocks[block].insts {
                for &result in &inst.results {
                    let found = self.result(&inst.op, result, block);
                    meet(&mut self.ranges.values[result.index()], found);
                }
            }
        }
    }

    fn find_moved(&mut self) {
        let body = self.body;
        for (block, data) in body.blocks.iter() {
            if !self.ranges.reached[block.index()] {
                continue;
            }
            for inst in &data.insts {
                if let Some(&result) = inst.results.first()
                    && let Some(moved) = self.moved(&inst.op, block)
                {
                    self.ranges.moved.insert(result, moved);
                }
            }
        }
    }

    fn moved(&self, op: &Op, block: Block) -> Option<Moved> {
        let &Op::Address {
            base,
            index,
            scale,
            offset,
        } = op
        else {
            return None;
        };
        let bits = self.bits(Type::Ptr);
        let index = self.refined(index, bits, block);
        let is_positive = index.high <= Range::of_width(bits).high / 2;
        let bytes = |index: u64| {
            let index = eval::narrow::signed(bits, index);
            index.checked_mul(scale)?.checked_add(offset)
        };
        (scale > 0 && (is_positive || index.single().is_some())).then_some(())?;
        Some(Moved {
            base,
            least: bytes(index.low)?,
            most: bytes(index.high)?,
        })
    }

    /// Passes arguments along the edges that can be taken; whether there was any news.
    fn leave(&mut self, block: Block) -> bool {
        let body = self.body;
        let terminator = &body.blocks[block].terminator;
        let edges = terminator.edges();
        let taken = self.taken(terminator, block, edges.len());
        let mut feasible = std::mem::take(&mut self.ranges.feasible[block.index()]);
        feasible.resize(edges.len(), false);
        let mut news = false;
        for (index, edge) in edges.iter().enumerate() {
            if !feasible[index] && !taken[index] {
                continue;
            }
            news |= !std::mem::replace(&mut feasible[index], true);
            self.ranges.reached[edge.block.index()] = true;
            let params = &body.blocks[edge.block].params;
            for (&param, &arg) in params.iter().zip(&edge.args) {
                let given = self.passed(block, index, param, arg);
                news |= self.merge(param, given);
            }
        }
        self.ranges.feasible[block.index()] = feasible;
        news
    }

    /// What an edge of a block can give to a parameter.
    fn passed(&self, block: Block, edge: usize, param: Value, arg: Operand) -> Range {
        let bits = self.bits(self.body.values[param]);
        if bits > 64 {
            return Range::of_width(bits);
        }
        let range = self.refined(arg, bits, block);
        let limit = match &self.body.blocks[block].terminator {
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } if then.block != otherwise.block => {
                self.limited(*condition, edge == 0, arg, bits, range)
            }
            _ => None,
        };
        limit.and_then(|limit| range.meet(limit)).unwrap_or(range)
    }

    /// Adds what is given to a block parameter; whether that is news.
    fn merge(&mut self, param: Value, given: Range) -> bool {
        let all = self.everything(param);
        let old = self.ranges.values[param.index()];
        let joined = old.map_or(given, |old| old.join(given));
        if old == Some(joined) {
            return false;
        }
        let grown = &mut self.grown[param.index()];
        *grown += 1;
        let is_positive = joined.high <= all.high / 2;
        let next = match (*grown, old) {
            (..=PATIENCE, _) | (_, None) => joined,
            (grown, Some(old)) if is_positive && grown <= 2 * PATIENCE + LANDMARKS => {
                let landmarks: &[u64] = match grown <= PATIENCE + LANDMARKS {
                    true => &self.landmarks,
                    false => &[],
                };
                widened(old, joined, landmarks, all.high / 2)
            }
            _ => all,
        };
        self.ranges.values[param.index()] = Some(next);
        true
    }

    /// Which edges of a block can be taken.
    fn taken(&self, terminator: &Terminator, block: Block, count: usize) -> Vec<bool> {
        match terminator {
            Terminator::Branch { condition, .. } => {
                let range = self.ranges.of(*condition, 1);
                vec![range.high == 1, range.low == 0]
            }
            Terminator::Switch {
                ty, value, cases, ..
            } if self.bits(*ty) <= 64 => {
                let range = self.refined(*value, self.bits(*ty), block);
                let inside = |case: u128| {
                    u64::try_from(case).is_ok_and(|case| (range.low..=range.high).contains(&case))
                };
                let mut taken: Vec<bool> = cases.iter().map(|(case, _)| inside(*case)).collect();
                let covered = taken.iter().filter(|taken| **taken).count() as u64;
                taken.push(range.high - range.low >= covered);
                taken
            }
            _ => vec![true; count],
        }
    }

    /// What an operand can be, also if it is the address of a variable.
    fn known(&self, operand: Operand, bits: u32) -> Range {
        match operand {
            Operand::Global(global, offset) => self.address(global, offset, bits),
            operand => self.ranges.of(operand, bits),
        }
    }

    /// Variables lie above the numbers that stand for places in an EEPROM, unless the source says where they are.
    fn address(&self, global: Global, offset: i64, bits: u32) -> Range {
        let everything = Range::of_width(bits);
        let Some(data) = self.program.globals.get(global) else {
            return everything;
        };
        let is_inside = u64::try_from(offset).is_ok_and(|offset| offset <= data.size);
        let is_placed = (data.section.as_deref()).is_some_and(|name| name.contains(".location."));
        match is_inside && !is_placed && data.init.is_some() && bits >= 16 {
            true => Range {
                low: LOWEST_VARIABLE,
                ..everything
            },
            false => everything,
        }
    }

    /// What an operand can be in `block`, given the conditions that lead there.
    fn refined(&self, operand: Operand, bits: u32, block: Block) -> Range {
        let mut range = self.known(operand, bits);
        let mut at = block;
        for _ in 0..CONDITIONS {
            let Some(above) = self.dominators.immediate(at) else {
                break;
            };
            if let Some(limit) = self.condition(above, at, operand, bits, range) {
                // Contradictions mean dead code: not worth being clever about.
                range = range.meet(limit).unwrap_or(range);
            }
            at = above;
        }
        range
    }

    /// What the branch at the end of `above` says of `operand` in a block it dominates.
    fn condition(
        &self,
        above: Block,
        below: Block,
        operand: Operand,
        bits: u32,
        known: Range,
    ) -> Option<Range> {
        let Terminator::Branch {
            condition,
            then,
            otherwise,
        } = &self.body.blocks[above].terminator
        else {
            return None;
        };
        let only_way = |edge: &brownout_ir::Edge, other: &brownout_ir::Edge| {
            edge.block == below && other.block != below && self.predecessors[below.index()] == 1
        };
        let holds = if only_way(then, otherwise) {
            true
        } else if only_way(otherwise, then) {
            false
        } else {
            return None;
        };
        self.limited(*condition, holds, operand, bits, known)
    }

    /// What a condition says of `operand` if it holds, or if it does not.
    fn limited(
        &self,
        condition: Operand,
        holds: bool,
        operand: Operand,
        bits: u32,
        known: Range,
    ) -> Option<Range> {
        operand.value()?;
        let (block, index) = self.definitions[condition.value()?.index()]?;
        let Op::IntCompare { op, ty, a, b } = &self.body.blocks[block].insts[index as usize].op
        else {
            return None;
        };
        if self.bits(*ty) != bits {
            return None;
        }
        let (op, limit) = match (*a == operand, *b == operand) {
            (true, false) => (*op, self.ranges.of(*b, bits)),
            (false, true) => (op.swapped(), self.ranges.of(*a, bits)),
            _ => return None,
        };
        constrained(if holds { op } else { op.negated() }, limit, bits, known)
    }

    fn evaluate(&self, op: &Op, block: Block) -> Option<Range> {
        match op {
            Op::IntBinary { op, ty, a, b } => {
                let bits = self.bits(*ty);
                let of = |operand| (bits <= 64).then(|| self.refined(operand, bits, block));
                binary(*op, bits, of(*a)?, of(*b)?)
            }
            Op::IntCompare { op, ty, a, b } => {
                let bits = self.bits(*ty);
                if bits > 64 {
                    return None;
                }
                let a = self.refined(*a, bits, block);
                let b = self.refined(*b, bits, block);
                compare(*op, bits, a, b).map(|holds| Range::exactly(u64::from(holds)))
            }
            Op::Cast { op, from, to, a } => {
                let (from, to) = (self.bits(*from), self.bits(*to));
                if from > 64 || to > 64 {
                    return None;
                }
                let range = self.refined(*a, from, block);
                match op {
                    CastOp::ZExt => Some(range),
                    CastOp::PtrToInt if from == to => Some(range),
                    CastOp::SExt => (range.high <= Range::of_width(from).high / 2).then_some(range),
                    CastOp::Trunc => (range.high <= Range::of_width(to).high).then_some(range),
                    _ => None,
                }
            }
            Op::Select {
                ty,
                condition,
                a,
                b,
            } => {
                let bits = self.bits(*ty);
                let side = |operand, holds| {
                    let range = self.refined(operand, bits, block);
                    let limit = self.limited(*condition, holds, operand, bits, range);
                    limit.and_then(|limit| range.meet(limit)).unwrap_or(range)
                };
                (bits <= 64).then(|| side(*a, true).join(side(*b, false)))
            }
            Op::Load { ty, address, .. } => {
                let constant = self.constant(*ty, *address);
                constant.or_else(|| self.register(*ty, *address))
            }
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => self.readings.functions.get(func).copied(),
            _ => None,
        }
    }

    /// What a load from an input register gives.
    fn register(&self, ty: Type, address: Operand) -> Option<Range> {
        let Operand::Global(global, 0) = address else {
            return None;
        };
        let is_whole =
            self.program.globals.get(global)?.size == u64::from(ty.bytes(&self.program.target));
        let range = self.readings.registers.get(&global);
        range.filter(|_| is_whole).copied()
    }

    /// The value of a load from constant data.
    fn constant(&self, ty: Type, address: Operand) -> Option<Range> {
        let Operand::Global(global, offset) = address else {
            return None;
        };
        let data = self
            .program
            .globals
            .get(global)
            .filter(|data| data.constant)?;
        let init = data.init.as_ref()?;
        let bytes = ty.bytes(&self.program.target) as usize;
        let start = usize::try_from(offset).ok()?;
        let clear = init.relocations.iter().all(|relocation| {
            let at = relocation.offset as usize;
            at + usize::from(relocation.bytes) <= start || start + bytes <= at
        });
        if !clear || bytes > 8 || (start + bytes) as u64 > data.size {
            return None;
        }
        let byte = |index: usize| u64::from(init.bytes.get(start + index).copied().unwrap_or(0));
        Some(Range::exactly(
            (0..bytes).map(|index| byte(index) << (8 * index)).sum(),
        ))
    }
}

/// An interval that grew, with each end that did at the next landmark, or at `most` or 0 if there is none.
fn widened(old: Range, grown: Range, landmarks: &[u64], most: u64) -> Range {
    let below = |low: u64| landmarks.iter().rfind(|number| **number <= low);
    let above = |high: u64| landmarks.iter().find(|number| **number >= high);
    Range {
        low: match grown.low < old.low {
            true => below(grown.low).copied().unwrap_or(0),
            false => old.low,
        },
        high: match grown.high > old.high {
            true => above(grown.high).copied().unwrap_or(most).min(most),
            false => old.high,
        },
    }
}
