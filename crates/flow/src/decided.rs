//! Branches that an earlier branch has decided.
//!
//! `if (ok) …; unlock(); if (ok) …;` has two branches and two ways through it, not four. Here the code between the
//! branches gets a copy for each way that the second one is known to take, so that no analysis takes the others.
//!
//! **Algorithm.** What an edge says is that some value is among some numbers: comparisons with constants, widenings and
//! negations are looked through. What the edges say that dominate a way into a block decides the block's branch on the
//! same value, if all numbers that are left lead to the same edge. A value of SSA form does not change between the two:
//! whoever computes it anew passes the first branch again.
//!
//! **Invariant**: the executions of the body stay the same; blocks are added, none changes its number. Values of a copied
//! block that others use become locals for a moment; [`promote`] finds out where their copies meet.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, Body, CastOp, Edge, Id, Inst, IntBinary, IntPredicate, Op, Operand, Slot, SlotData,
    Target, Terminator, Type, Value,
};

use crate::promote::{Accesses, has_predecessors, promote};
use crate::threads::copied;

/// How many instructions a block may have that is copied.
const SIZE: usize = 32;
/// How many blocks of one function are taken apart.
const ROUNDS: usize = 64;
/// How many branches above a block are looked at.
const DEPTH: usize = 32;
/// How many instructions are looked through.
const STEPS: usize = 8;

/// The body without branches that other branches have decided.
pub fn decided(body: Body, target: &Target, accesses: Accesses) -> Body {
    let mut body = body;
    for _ in 0..ROUNDS {
        // A function that begins with a loop has no place for parameters of its first block.
        let may_demote = accesses == Accesses::Drop && !has_predecessors(&body, body.entry());
        let Some(plan) = View::new(&body, target).plan(may_demote) else {
            break;
        };
        plan.apply(&mut body, target);
        if !plan.used.is_empty() {
            body = promote(&body, target, Accesses::Drop);
        }
    }
    body
}

/// An edge of a block, by its number.
type Way = (Block, usize);

/// A block whose branch is decided on some ways into it.
struct Plan {
    block: Block,
    /// The ways into it by the edge that it takes then. If it is the same on all ways there is no copy.
    ways: BTreeMap<usize, Vec<Way>>,
    is_open: bool,
    /// Its values that others use.
    used: Vec<Value>,
}

impl Plan {
    /// Changes the body.
    fn apply(&self, body: &mut Body, target: &Target) {
        let edge = |terminator: &Terminator, number: usize| -> Option<Edge> {
            let edges = terminator.edges();
            edges.get(number).map(|&edge| edge.clone())
        };
        if let (&[&only], false) = (&self.ways.keys().collect::<Vec<_>>()[..], self.is_open) {
            let terminator = &mut body.blocks[self.block].terminator;
            if let Some(edge) = edge(terminator, only) {
                *terminator = Terminator::Jump(edge);
            }
            return;
        }
        for &value in &self.used {
            demote(body, target, self.block, value);
        }
        for (&taken, ways) in &self.ways {
            let copy = copied(body, self.block, |terminator| edge(terminator, taken));
            let copy = body.blocks.push(copy);
            for &(from, number) in ways {
                if let Some(edge) = body.blocks[from].terminator.edges_mut().get_mut(number) {
                    edge.block = copy;
                }
            }
        }
    }
}

/// Lets others load a value of a block from a local that the block stores it to.
fn demote(body: &mut Body, target: &Target, block: Block, value: Value) {
    let ty = body.values[value];
    let bytes = ty.bytes(target);
    let slot: Slot = body.slots.push(SlotData {
        size: bytes,
        align: bytes.next_power_of_two(),
        name: None,
        ty: None,
        place: None,
        annotations: Vec::new(),
    });
    let address = Operand::Slot(slot, 0);
    let store = Inst {
        op: Op::Store {
            ty,
            address,
            value: value.into(),
            volatile: false,
        },
        results: Vec::new(),
        place: None,
    };
    let insts = &mut body.blocks[block].insts;
    let defined = insts.iter().position(|inst| inst.results.contains(&value));
    insts.insert(defined.map_or(0, |index| index + 1), store);
    let others: Vec<Block> = body.blocks.ids().filter(|other| *other != block).collect();
    for other in others {
        if !uses(&body.blocks[other], target, |used| used == value) {
            continue;
        }
        let loaded = body.values.push(ty);
        let rename = |operand: &mut Operand| {
            if *operand == Operand::Value(value) {
                *operand = loaded.into();
            }
        };
        let data = &mut body.blocks[other];
        for inst in &mut data.insts {
            inst.op.change_operands(rename);
        }
        data.terminator.change_operands(rename);
        let load = Inst {
            op: Op::Load {
                ty,
                address,
                volatile: false,
            },
            results: vec![loaded],
            place: None,
        };
        data.insts.insert(0, load);
    }
}

/// Whether a block uses some value.
fn uses(data: &brownout_ir::BlockData, target: &Target, is_it: impl Fn(Value) -> bool) -> bool {
    let mut found = false;
    let mut look = |operand: Operand| {
        found |= matches!(operand, Operand::Value(value) if is_it(value));
    };
    for inst in &data.insts {
        inst.op.visit_operands(target, |operand, _| look(operand));
    }
    data.terminator.visit_operands(&mut look);
    found
}

/// A body and what is known of it.
struct View<'b> {
    body: &'b Body,
    target: &'b Target,
    dominators: Dominators,
    definitions: Vec<Option<&'b Inst>>,
    /// The block that defines a value.
    homes: Vec<Option<Block>>,
    /// The ways into a block.
    ways: Vec<Vec<Way>>,
    /// What the edges of a block say.
    said: Vec<Vec<Option<Fact>>>,
}

/// Some value is among some numbers.
#[derive(Clone)]
struct Fact {
    value: Value,
    numbers: Numbers,
}

impl<'b> View<'b> {
    fn new(body: &'b Body, target: &'b Target) -> Self {
        let mut definitions = vec![None; body.values.len()];
        let mut homes = vec![None; body.values.len()];
        let mut ways = vec![Vec::new(); body.blocks.len()];
        for (block, data) in body.blocks.iter() {
            for param in &data.params {
                homes[param.index()] = Some(block);
            }
            for inst in &data.insts {
                for result in &inst.results {
                    definitions[result.index()] = Some(inst);
                    homes[result.index()] = Some(block);
                }
            }
            for (number, edge) in data.terminator.edges().iter().enumerate() {
                ways[edge.block.index()].push((block, number));
            }
        }
        let mut view = Self {
            body,
            target,
            dominators: Dominators::new(body),
            definitions,
            homes,
            ways,
            said: Vec::new(),
        };
        let blocks = body.blocks.values();
        view.said = blocks.map(|data| view.says(&data.terminator)).collect();
        view
    }

    /// What each edge says.
    fn says(&self, terminator: &Terminator) -> Vec<Option<Fact>> {
        match terminator {
            Terminator::Branch { condition, .. } => [1, 0]
                .map(|number| self.fact(*condition, Type::Int(1), Numbers::one(number)))
                .into(),
            Terminator::Switch {
                ty, value, cases, ..
            } => {
                let bits = ty.bits(self.target);
                if bits > 64 {
                    return vec![None; cases.len() + 1];
                }
                let mut others = Numbers::all(bits);
                for (number, _) in cases {
                    let others_than = Numbers::one(*number as u64).complement(bits);
                    others = others.common(&others_than);
                }
                let numbers = cases
                    .iter()
                    .map(|(number, _)| Numbers::one(*number as u64))
                    .chain([others]);
                numbers
                    .map(|numbers| self.fact(*value, *ty, numbers))
                    .collect()
            }
            other => vec![None; other.edges().len()],
        }
    }

    /// What it says that an operand is among some numbers.
    fn fact(&self, operand: Operand, ty: Type, numbers: Numbers) -> Option<Fact> {
        let (mut operand, mut ty, mut numbers) = (operand, ty, numbers);
        for _ in 0..STEPS {
            let Operand::Value(value) = operand else {
                return None;
            };
            let definition = self.definitions[value.index()];
            let through = definition.and_then(|inst| self.through(inst, ty, &numbers));
            match through {
                Some(before) => (operand, ty, numbers) = before,
                None => return Some(Fact { value, numbers }),
            }
        }
        None
    }

    /// What it says of an operand of an instruction that its result is among some numbers.
    fn through(
        &self,
        inst: &Inst,
        ty: Type,
        numbers: &Numbers,
    ) -> Option<(Operand, Type, Numbers)> {
        match inst.op {
            Op::IntCompare {
                op,
                ty,
                a,
                b: Operand::Bits(constant),
            } => {
                let bits = ty.bits(self.target);
                let holds = match (numbers.has(0), numbers.has(1)) {
                    (false, true) => op,
                    (true, false) => op.negated(),
                    _ => return None,
                };
                (bits <= 64).then(|| (a, ty, Numbers::compared(holds, bits, constant as u64)))
            }
            Op::Cast {
                op: CastOp::ZExt,
                from,
                a,
                ..
            } => {
                let bits = from.bits(self.target);
                (bits <= 64).then(|| (a, from, numbers.common(&Numbers::all(bits))))
            }
            Op::Cast {
                op: CastOp::Trunc,
                a: Operand::Value(wide),
                ..
            } => {
                let inner = self.definitions[wide.index()]?;
                match inner.op {
                    Op::Cast {
                        op: CastOp::ZExt,
                        from,
                        a,
                        ..
                    } if from.bits(self.target) <= ty.bits(self.target) => {
                        let all = Numbers::all(from.bits(self.target));
                        Some((a, from, numbers.common(&all)))
                    }
                    _ => None,
                }
            }
            Op::IntBinary {
                op: IntBinary::Xor,
                ty: Type::Int(1),
                a,
                b: Operand::Bits(1),
                ..
            } => Some((a, Type::Int(1), numbers.complement(1))),
            _ => None,
        }
    }

    /// A block to take apart.
    fn plan(&self, may_demote: bool) -> Option<Plan> {
        let mut asked: BTreeMap<Value, usize> = BTreeMap::new();
        for said in &self.said {
            let values = said.iter().flatten().map(|fact| fact.value);
            for value in values.collect::<BTreeSet<_>>() {
                *asked.entry(value).or_default() += 1;
            }
        }
        let blocks = self.body.blocks.ids();
        let mut again = blocks.filter(|block| {
            let value = self.asked(*block);
            value.is_some_and(|value| asked.get(&value).is_some_and(|&count| count > 1))
        });
        again.find_map(|block| self.plan_of(block, may_demote))
    }

    /// The value that decides a block's branch.
    fn asked(&self, block: Block) -> Option<Value> {
        let mut values = self.said[block.index()].iter();
        let first = values.next()?.as_ref()?.value;
        let is_same = |fact: &Option<Fact>| fact.as_ref().is_some_and(|fact| fact.value == first);
        values.all(is_same).then_some(first)
    }

    fn plan_of(&self, block: Block, may_demote: bool) -> Option<Plan> {
        let value = self.asked(block)?;
        let data = &self.body.blocks[block];
        let is_loop = || {
            let mut ways = self.ways[block.index()].iter();
            ways.any(|&(from, _)| self.dominators.dominates(block, from))
        };
        if block == self.body.entry()
            || !self.dominators.is_reachable(block)
            || data.insts.len() > SIZE
            || self.homes[value.index()] == Some(block)
            || is_loop()
        {
            return None;
        }
        let mut plan = Plan {
            block,
            ways: BTreeMap::new(),
            is_open: false,
            used: Vec::new(),
        };
        for &way in &self.ways[block.index()] {
            match self.taken(block, value, way) {
                Some(edge) => plan.ways.entry(edge).or_default().push(way),
                None => plan.is_open = true,
            }
        }
        if plan.ways.is_empty() {
            return None;
        }
        let results = data.insts.iter().flat_map(|inst| &inst.results);
        let own: BTreeSet<Value> = data.params.iter().chain(results).copied().collect();
        let others = self.body.blocks.iter().filter(|(other, _)| *other != block);
        let others: Vec<_> = others.map(|(_, data)| data).collect();
        let is_used = |value: &&Value| {
            let mut others = others.iter();
            others.any(|data| uses(data, self.target, |used| used == **value))
        };
        plan.used = own.iter().filter(is_used).copied().collect();
        (may_demote || plan.used.is_empty()).then_some(plan)
    }

    /// The edge that a block takes after it was come to on a way, if that is known.
    fn taken(&self, block: Block, value: Value, way: Way) -> Option<usize> {
        // Where a jump leads to that is computed is not changed by changing an edge.
        if matches!(
            self.body.blocks[way.0].terminator,
            Terminator::Computed { .. }
        ) {
            return None;
        }
        let mut known: Option<Numbers> = None;
        let mut learn = |fact: &Option<Fact>| {
            if let Some(fact) = fact.as_ref().filter(|fact| fact.value == value) {
                known = Some(match &known {
                    Some(known) => known.common(&fact.numbers),
                    None => fact.numbers.clone(),
                });
            }
        };
        learn(&self.said[way.0.index()][way.1]);
        let mut at = Some(way.0);
        for _ in 0..DEPTH {
            let Some(here) = at else { break };
            if let [(from, number)] = self.ways[here.index()][..] {
                learn(&self.said[from.index()][number]);
            }
            at = self
                .dominators
                .immediate(here)
                .filter(|above| *above != here);
        }
        let known = known.filter(|known| !known.is_empty())?;
        let said = self.said[block.index()].iter();
        let mut leads = said.map(|fact| {
            let numbers = fact.as_ref().map(|fact| &fact.numbers);
            numbers.is_some_and(|numbers| known.common(numbers) == known)
        });
        leads.position(|leads| leads)
    }
}

/// Some of the numbers of a width: intervals in order, with others between them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Numbers(Vec<(u64, u64)>);

impl Numbers {
    fn greatest(bits: u32) -> u64 {
        u64::MAX >> (64 - bits.clamp(1, 64))
    }

    fn all(bits: u32) -> Self {
        Self(vec![(0, Self::greatest(bits))])
    }

    fn one(number: u64) -> Self {
        Self(vec![(number, number)])
    }

    /// Those that compare so with a constant.
    fn compared(predicate: IntPredicate, bits: u32, constant: u64) -> Self {
        let least_negative = 1 << (bits.clamp(1, 64) - 1);
        let below = |bound: u64| match bound.checked_sub(1) {
            Some(last) => Self(vec![(0, last)]),
            None => Self(Vec::new()),
        };
        match predicate {
            IntPredicate::Eq => Self::one(constant),
            IntPredicate::ULt => below(constant),
            // Negative numbers come first if the sign counts.
            IntPredicate::SLt if constant >= least_negative => {
                Self(vec![(least_negative, Self::greatest(bits))]).common(&below(constant))
            }
            IntPredicate::SLt => {
                let Self(mut numbers) = below(constant);
                numbers.push((least_negative, Self::greatest(bits)));
                Self(numbers).joined()
            }
            IntPredicate::UGt | IntPredicate::SGt => {
                let less = match predicate {
                    IntPredicate::UGt => IntPredicate::ULt,
                    _ => IntPredicate::SLt,
                };
                let less = Self::compared(less, bits, constant).complement(bits);
                less.common(&Self::one(constant).complement(bits))
            }
            IntPredicate::Ne
            | IntPredicate::UGe
            | IntPredicate::ULe
            | IntPredicate::SGe
            | IntPredicate::SLe => {
                Self::compared(predicate.negated(), bits, constant).complement(bits)
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, number: u64) -> bool {
        self.0
            .iter()
            .any(|&(low, high)| (low..=high).contains(&number))
    }

    /// Intervals that touch become one.
    fn joined(self) -> Self {
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (low, high) in self.0 {
            match joined.last_mut() {
                Some(last) if last.1.checked_add(1) == Some(low) => last.1 = high,
                _ => joined.push((low, high)),
            }
        }
        Self(joined)
    }

    /// All others of so many bits.
    fn complement(&self, bits: u32) -> Self {
        let mut others = Vec::new();
        let mut next = Some(0);
        for &(low, high) in &self.0 {
            if let Some(next) = next.filter(|&next| next < low) {
                others.push((next, low - 1));
            }
            next = high.checked_add(1);
        }
        let greatest = Self::greatest(bits);
        if let Some(next) = next.filter(|&next| next <= greatest) {
            others.push((next, greatest));
        }
        Self(others)
    }

    /// Those in both.
    fn common(&self, other: &Self) -> Self {
        let pairs = self
            .0
            .iter()
            .flat_map(|one| other.0.iter().map(move |other| (one, other)));
        let common = pairs.map(|(one, other)| (one.0.max(other.0), one.1.min(other.1)));
        Self(common.filter(|(low, high)| low <= high).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brownout_ir::eval::narrow;

    const PREDICATES: [IntPredicate; 10] = [
        IntPredicate::Eq,
        IntPredicate::Ne,
        IntPredicate::ULt,
        IntPredicate::ULe,
        IntPredicate::UGt,
        IntPredicate::UGe,
        IntPredicate::SLt,
        IntPredicate::SLe,
        IntPredicate::SGt,
        IntPredicate::SGe,
    ];

    #[test]
    fn comparisons_are_those_of_the_machine() {
        for bits in 1..=4 {
            for predicate in PREDICATES {
                for constant in 0..1 << bits {
                    let numbers = Numbers::compared(predicate, bits, constant);
                    let others = numbers.complement(bits);
                    for number in 0..1 << bits {
                        let holds = narrow::compare(predicate, bits, number, constant);
                        assert_eq!(
                            numbers.has(number),
                            holds,
                            "{predicate:?} {number} {constant}"
                        );
                        assert_eq!(others.has(number), !holds);
                    }
                    assert!(numbers.common(&others).is_empty());
                }
            }
        }
    }
}
