//! Ways that a local variable keeps apart.
//!
//! Unoptimised C++ leaves a scope whose objects have destructors through one block for all ways out: a hidden local
//! remembers where each of them goes on. Here every way gets a copy of such a block, so that it does not look as if a
//! `return` could go on after the scope.
//!
//! **Invariant**: the executions of the body stay the same; blocks are added, none changes its number.

use std::collections::BTreeMap;

use brownout_ir::{Block, BlockData, Body, Edge, Id, Op, Operand, Slot, Target, Terminator, Value};

/// How many instructions a block may have that is copied.
const SIZE: usize = 32;
/// How many blocks one function may get more.
const COPIES: usize = 64;
/// How many such blocks in a row are taken apart.
const DEPTH: usize = 4;

/// The body in which blocks that go on where a local says are copied for each number that it is known to hold.
pub fn taken_apart(body: &Body, target: &Target) -> Body {
    let mut body = body.clone();
    let mut copies = 0;
    for _ in 0..DEPTH {
        let before = copies;
        let blocks: Vec<Block> = body.blocks.iter().map(|(block, _)| block).collect();
        for block in blocks {
            if let Some(slot) = chooser(&body, target, block) {
                copies += take_apart(&mut body, block, slot, COPIES - copies);
            }
        }
        if copies == before {
            break;
        }
    }
    body
}

/// The hidden local whose number alone says how a block goes on, if the block can be copied.
fn chooser(body: &Body, target: &Target, block: Block) -> Option<Slot> {
    let data = &body.blocks[block];
    let Terminator::Switch {
        value: Operand::Value(chosen),
        ..
    } = data.terminator
    else {
        return None;
    };
    if block == body.entry() || data.insts.len() > SIZE || !data.params.is_empty() {
        return None;
    }
    let loaded = data.insts.iter().find(|inst| inst.results == [chosen])?;
    let Op::Load {
        address: Operand::Slot(slot, 0),
        volatile: false,
        ..
    } = loaded.op
    else {
        return None;
    };
    // What a variable of the user's decides is told where it is decided.
    if body.slots[slot].name.is_some() {
        return None;
    }
    let stays = data
        .insts
        .iter()
        .all(|inst| stored(&inst.op, slot).is_none());
    (stays
        && !body.escapes(target, slot, |offset| offset == 0)
        && is_on_its_own(body, target, block))
    .then_some(slot)
}

/// What an instruction puts into a slot, if it does.
fn stored(op: &Op, slot: Slot) -> Option<Operand> {
    match op {
        Op::Store {
            address: Operand::Slot(other, _),
            value,
            ..
        } if *other == slot => Some(*value),
        _ => None,
    }
}

fn has_operand(op: &Op, target: &Target, is_it: impl Fn(Operand) -> bool) -> bool {
    let mut found = false;
    op.visit_operands(target, |operand, _| found |= is_it(operand));
    found
}

/// Whether nothing outside a block uses a value that it computes.
fn is_on_its_own(body: &Body, target: &Target, block: Block) -> bool {
    let own: Vec<Value> = (body.blocks[block].insts.iter())
        .flat_map(|inst| inst.results.iter().copied())
        .collect();
    let is_own =
        |operand: Operand| matches!(operand, Operand::Value(value) if own.contains(&value));
    let mut others = body.blocks.iter().filter(|(other, _)| *other != block);
    !others.any(|(_, data)| {
        let mut used = false;
        data.terminator
            .visit_operands(|operand| used |= is_own(operand));
        used || data
            .insts
            .iter()
            .any(|inst| has_operand(&inst.op, target, is_own))
    })
}

/// Copies a block for each number with which others jump there; how many copies that makes.
fn take_apart(body: &mut Body, block: Block, slot: Slot, room: usize) -> usize {
    let mut by_number: BTreeMap<u128, Vec<Block>> = BTreeMap::new();
    let mut is_open = false;
    for (from, data) in body.blocks.iter() {
        let leads = data
            .terminator
            .edges()
            .iter()
            .any(|edge| edge.block == block);
        if !leads {
            continue;
        }
        match (&data.terminator, held(body, from, slot)) {
            (Terminator::Jump(_), Some(number)) => by_number.entry(number).or_default().push(from),
            _ => is_open = true,
        }
    }
    let ways = by_number.len() + usize::from(is_open);
    if ways < 2 || by_number.len() > room {
        return 0;
    }
    let count = by_number.len();
    for (number, from) in by_number {
        let copy = copied(body, block, |terminator| match terminator {
            Terminator::Switch { cases, default, .. } => {
                let case = cases.iter().find(|(case, _)| *case == number);
                Some(case.map_or(default, |(_, edge)| edge).clone())
            }
            _ => None,
        });
        let copy = body.blocks.push(copy);
        for from in from {
            for edge in body.blocks[from].terminator.edges_mut() {
                edge.block = copy;
            }
        }
    }
    count
}

/// The number that a slot holds at the end of a block, if the block says so or the only way to it.
fn held(body: &Body, block: Block, slot: Slot) -> Option<u128> {
    let mut at = block;
    for _ in 0..DEPTH {
        let mut stores = body.blocks[at].insts.iter().rev();
        if let Some(value) = stores.find_map(|inst| stored(&inst.op, slot)) {
            return match value {
                Operand::Bits(number) => Some(number),
                _ => None,
            };
        }
        let before = body.blocks.iter().filter(|(_, data)| {
            let edges = data.terminator.edges();
            edges.iter().any(|edge| edge.block == at)
        });
        let before: Vec<Block> = before.map(|(before, _)| before).collect();
        let &[only] = &before[..] else { return None };
        at = only;
    }
    None
}

/// A copy of a block, with other names for its values, that always takes one of its edges.
pub(crate) fn copied(
    body: &mut Body,
    block: Block,
    taken: impl Fn(&Terminator) -> Option<Edge>,
) -> BlockData {
    let mut data = body.blocks[block].clone();
    let mut renamed: BTreeMap<usize, Value> = BTreeMap::new();
    let results = data.insts.iter_mut().flat_map(|inst| &mut inst.results);
    for value in data.params.iter_mut().chain(results) {
        let copy = body.values.push(body.values[*value]);
        renamed.insert(value.index(), copy);
        *value = copy;
    }
    let rename = |operand: &mut Operand| {
        if let Operand::Value(value) = operand
            && let Some(copy) = renamed.get(&value.index())
        {
            *operand = Operand::Value(*copy);
        }
    };
    for inst in &mut data.insts {
        inst.op.change_operands(rename);
    }
    data.terminator.change_operands(rename);
    if let Some(edge) = taken(&data.terminator) {
        data.terminator = Terminator::Jump(edge);
    }
    data
}
