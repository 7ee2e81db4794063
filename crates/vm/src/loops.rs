//! The outermost loops of a program: where a device that never commits is at rest between two rounds
//! (SEMANTICS §2, `restart`).
//!
//! A loop is a natural one: its *head* is on every path into it. It is *outermost* if it lies in no
//! other loop, and neither does any of the calls that lead to it.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Callee, Func, Id, Op, Origin, Program, reach};

use crate::image::Image;
use crate::machine::Machine;

/// The loops of the user's functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// Heads of loops that lie in no other loop of their function.
    heads: BTreeSet<(Func, Block)>,
    /// For every function, which of its blocks are in a loop.
    inside: BTreeMap<Func, Vec<bool>>,
}

impl Loops {
    /// Finds the loops of a program that starts at `start`. Heads are those that can be outermost.
    pub fn new(program: &Program, start: Func) -> Self {
        let mut loops = Self::default();
        let mut heads: BTreeMap<Func, Vec<Block>> = BTreeMap::new();
        for (func, function) in program.functions.iter() {
            let Some(body) = &function.body else { continue };
            let (outermost, inside) = natural_loops(body);
            loops.inside.insert(func, inside);
            if function.origin == Origin::User {
                heads.insert(func, outermost);
            }
        }
        for func in loops.entered_outside_loops(program, start) {
            let outermost = heads.remove(&func).unwrap_or_default();
            let outermost = outermost.into_iter().map(|head| (func, head));
            loops.heads.extend(outermost);
        }
        loops
    }

    /// The heads, for [`crate::Bindings::loop_heads`].
    pub fn heads(&self) -> &BTreeSet<(Func, Block)> {
        &self.heads
    }

    /// Functions that can be called with no loop around any of the calls.
    fn entered_outside_loops(&self, program: &Program, start: Func) -> BTreeSet<Func> {
        let mut found = BTreeSet::from([start]);
        let mut open = vec![start];
        let taken = reach::address_taken(program);
        while let Some(func) = open.pop() {
            let Some(body) = &program.functions[func].body else {
                continue;
            };
            for (block, data) in body.blocks.iter() {
                if self.contains(func, block) {
                    continue;
                }
                for inst in &data.insts {
                    let callees: Vec<Func> = match &inst.op {
                        Op::Call {
                            callee: Callee::Direct(callee),
                            ..
                        } => vec![*callee],
                        Op::Call {
                            callee: Callee::Indirect(_),
                            ..
                        } => taken.iter().copied().collect(),
                        _ => continue,
                    };
                    open.extend(callees.into_iter().filter(|&callee| found.insert(callee)));
                }
            }
        }
        found
    }

    fn contains(&self, func: Func, block: Block) -> bool {
        let inside = self.inside.get(&func);
        inside.is_some_and(|inside| inside.get(block.index()).copied().unwrap_or(false))
    }

    /// Whether a machine that has just passed the head of a loop has passed an outermost one: none of
    /// the calls in progress lies in a loop.
    pub fn is_outermost(&self, machine: &Machine<'_>) -> bool {
        let calls = machine.backtrace();
        let mut callers = calls.iter().skip(1);
        callers.all(|&(func, pc)| {
            let block = block_of(machine.image(), func, pc);
            block.is_none_or(|block| !self.contains(func, block))
        })
    }
}

/// The block that an operation belongs to.
fn block_of(image: &Image, func: Func, pc: u32) -> Option<Block> {
    let index = image.blocks(func).partition_point(|&start| start <= pc);
    index.checked_sub(1).map(Block::from_index)
}

/// The heads of the loops that lie in no other, and for every block whether it is in a loop.
fn natural_loops(body: &Body) -> (Vec<Block>, Vec<bool>) {
    let dominators = Dominators::new(body);
    let count = body.blocks.len();
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut latches: BTreeMap<Block, Vec<Block>> = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        if !dominators.is_reachable(block) {
            continue;
        }
        for edge in data.terminator.edges() {
            if let Some(predecessors) = predecessors.get_mut(edge.block.index()) {
                predecessors.push(block);
            }
            if dominators.dominates(edge.block, block) {
                latches.entry(edge.block).or_default().push(block);
            }
        }
    }
    let mut bodies: BTreeMap<Block, BTreeSet<Block>> = BTreeMap::new();
    for (head, latches) in latches {
        let mut members = BTreeSet::from([head]);
        let mut open = latches;
        while let Some(block) = open.pop() {
            if members.insert(block) {
                open.extend_from_slice(&predecessors[block.index()]);
            }
        }
        bodies.insert(head, members);
    }
    let mut inside = vec![false; count];
    for block in bodies.values().flatten() {
        inside[block.index()] = true;
    }
    let is_outermost = |head: Block| {
        let mut others = bodies.iter().filter(|&(other, _)| *other != head);
        !others.any(|(_, members)| members.contains(&head))
    };
    let heads = bodies.keys().copied();
    (heads.filter(|&head| is_outermost(head)).collect(), inside)
}
