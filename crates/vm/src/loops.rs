//! The outermost loops of a program: where a device that never commits is at rest between two rounds
//! (SEMANTICS §2, `restart`).
//!
//! A loop is a natural one: its *head* is on every path into it. It is *outermost* if it lies in no
//! other loop, and neither does any of the calls that lead to it.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Callee, Func, Id, Op, Origin, Program, Terminator, reach};

use crate::image::Image;
use crate::interrupts::SLEEP;
use crate::machine::Machine;

/// The loops of the user's functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// Heads of loops that lie in no other loop of their function.
    heads: BTreeSet<(Func, Block)>,
    /// Those of them that no path leaves: the program is in such a loop to the end.
    endless: BTreeSet<(Func, Block)>,
    /// For every function, which of its blocks are in a loop.
    inside: BTreeMap<Func, Vec<bool>>,
    /// Where the program sleeps, if nothing ends a sleep: then handlers are all there is.
    last_sleep: Option<Func>,
}

impl Loops {
    /// Finds the loops of a program that starts at `start`. Heads are those that can be outermost.
    pub fn new(program: &Program, start: Func) -> Self {
        let mut loops = Self::default();
        let mut heads: BTreeMap<Func, Vec<Block>> = BTreeMap::new();
        for (func, function) in program.functions.iter() {
            let Some(body) = &function.body else { continue };
            let found = natural_loops(body);
            loops.inside.insert(func, found.inside);
            // Where a program sleeps, it goes round from interrupt to interrupt.
            let sleeps = function.name == SLEEP;
            if function.origin == Origin::User || sleeps {
                let is_last = sleeps && !wakes(program);
                loops.last_sleep = loops.last_sleep.or(is_last.then_some(func));
                let endless = match is_last {
                    true => &found.outermost,
                    false => &found.endless,
                };
                loops
                    .endless
                    .extend(endless.iter().map(|&head| (func, head)));
                heads.insert(func, found.outermost);
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

    /// The operations at which loops begin that no path leaves.
    pub fn endless(&self, image: &Image) -> BTreeSet<u32> {
        let heads = self.endless.intersection(&self.heads);
        heads
            .filter_map(|&(func, block)| image.blocks(func).get(block.index()).copied())
            .collect()
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
        if self.last_sleep.is_some() && calls.first().map(|&(func, _)| func) == self.last_sleep {
            return true;
        }
        let mut callers = calls.iter().skip(1);
        callers.all(|&(func, pc)| {
            let block = block_of(machine.image(), func, pc);
            block.is_none_or(|block| !self.contains(func, block))
        })
    }
}

/// Whether the user's code can end a sleep.
fn wakes(program: &Program) -> bool {
    let users = program.functions.values();
    let users = users.filter(|function| function.origin == Origin::User);
    let bodies = users.filter_map(|function| function.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    insts.any(|inst| match inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => {
            let name = program.functions[callee].name.as_str();
            name.ends_with("_on_exit") || name == "_BIC_SR_IRQ"
        }
        _ => false,
    })
}

/// The block that an operation belongs to.
fn block_of(image: &Image, func: Func, pc: u32) -> Option<Block> {
    let index = image.blocks(func).partition_point(|&start| start <= pc);
    index.checked_sub(1).map(Block::from_index)
}

/// The blocks of each loop, by its head.
pub(crate) fn loop_bodies(body: &Body) -> BTreeMap<Block, BTreeSet<Block>> {
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
    bodies
}

/// The loops of one function.
struct NaturalLoops {
    /// The heads of those that lie in no other.
    outermost: Vec<Block>,
    /// The heads of those that no path leaves, other than to the program's death.
    endless: Vec<Block>,
    /// For every block whether it is in a loop.
    inside: Vec<bool>,
}

fn natural_loops(body: &Body) -> NaturalLoops {
    let bodies = loop_bodies(body);
    let count = body.blocks.len();
    let mut inside = vec![false; count];
    for block in bodies.values().flatten() {
        inside[block.index()] = true;
    }
    let is_outermost = |head: Block| {
        let mut others = bodies.iter().filter(|&(other, _)| *other != head);
        !others.any(|(_, members)| members.contains(&head))
    };
    let dying = dying(body);
    let is_endless = |members: &BTreeSet<Block>| {
        let mut targets = members.iter().flat_map(|&block| {
            let edges = body.blocks[block].terminator.edges();
            edges.into_iter().map(|edge| edge.block)
        });
        targets.all(|target| members.contains(&target) || dying[target.index()])
    };
    let endless = bodies.iter().filter(|(_, members)| is_endless(members));
    NaturalLoops {
        endless: endless.map(|(&head, _)| head).collect(),
        outermost: bodies
            .keys()
            .copied()
            .filter(|&head| is_outermost(head))
            .collect(),
        inside,
    }
}

/// For every block whether all paths from it come to where the program dies, such as a failed
/// assertion.
fn dying(body: &Body) -> Vec<bool> {
    let mut dying = vec![false; body.blocks.len()];
    loop {
        let mut changed = false;
        for (block, data) in body.blocks.iter() {
            let edges = data.terminator.edges();
            let all = match data.terminator {
                Terminator::Unreachable => true,
                _ => !edges.is_empty() && edges.iter().all(|edge| dying[edge.block.index()]),
            };
            changed |= all && !std::mem::replace(&mut dying[block.index()], all);
        }
        if !changed {
            return dying;
        }
    }
}
