//! Loops in which a program waits for what callbacks of it set.
//!
//! Such a loop writes nothing but locals, calls nobody who writes, and reads what a callback may write.

use std::collections::BTreeSet;

use brownout_ir::{Block, Func, Global, Id, Inst, Op, Operand, Origin, Program, reach};

use crate::loops::{endless_heads, loop_bodies};

/// A loop that waits for a callback.
#[derive(Debug)]
pub(crate) struct Wait {
    /// Its head.
    pub(crate) head: Block,
    /// Its blocks.
    pub(crate) members: BTreeSet<Block>,
    /// Where it is looked at whether it has come: there, and before the loop.
    pub(crate) asks: Vec<Block>,
    /// The variables that it looks at.
    pub(crate) variables: BTreeSet<Global>,
}

/// What callbacks may write.
#[derive(Debug)]
pub(crate) struct Awaited {
    written: BTreeSet<Global>,
    /// Whether they also write through pointers.
    writes_anything: bool,
}

impl Awaited {
    pub(crate) fn new(program: &Program, callbacks: impl Iterator<Item = Func>) -> Self {
        let callbacks: Vec<Func> = callbacks.collect();
        let reached = reach::reachable(program, &callbacks);
        let mut awaited = Self {
            written: BTreeSet::new(),
            writes_anything: false,
        };
        let functions = program.functions.iter();
        let functions = functions
            .filter(|(func, function)| reached[func.index()] && function.origin == Origin::User);
        for inst in functions.flat_map(|(func, _)| insts(program, func)) {
            match written(inst) {
                Some(Operand::Global(global, _)) => _ = awaited.written.insert(global),
                Some(Operand::Value(_)) => awaited.writes_anything = true,
                _ => {}
            }
        }
        awaited
    }

    /// Such loops in a function.
    pub(crate) fn of(&self, program: &Program, func: Func) -> Vec<Wait> {
        let Some(body) = &program.functions[func].body else {
            return Vec::new();
        };
        let endless = endless_heads(&program.source, body);
        let loops = loop_bodies(body).into_iter();
        let loops = loops.filter(|(head, members)| {
            let insts = || members.iter().flat_map(|&block| &body.blocks[block].insts);
            !endless.contains(head)
                && insts().all(|inst| is_idle(program, inst, &mut BTreeSet::new()))
                && insts().any(|inst| self.is_awaited(program, inst, &mut BTreeSet::new()))
        });
        let waits = loops.map(|(head, members)| {
            let edges = |block: Block| body.blocks[block].terminator.edges().into_iter();
            let inside = members.iter().flat_map(|&block| edges(block));
            let exits: BTreeSet<Block> = inside
                .map(|edge| edge.block)
                .filter(|block| !members.contains(block))
                .collect();
            // Compilers ask once before the loop.
            let guards = body.blocks.iter().filter(|&(block, data)| {
                let leads = |to: &dyn Fn(Block) -> bool| edges(block).any(|edge| to(edge.block));
                let mut insts = data.insts.iter();
                !members.contains(&block)
                    && leads(&|to| to == head)
                    && leads(&|to| exits.contains(&to))
                    && insts.any(|inst| self.is_awaited(program, inst, &mut BTreeSet::new()))
            });
            let asks = guards.map(|(block, _)| block).chain([head]).collect();
            let loaded = members.iter().flat_map(|&block| &body.blocks[block].insts);
            let loaded = loaded.filter_map(|inst| match inst.op {
                Op::Load {
                    address: Operand::Global(global, _),
                    ..
                } => Some(global),
                _ => None,
            });
            Wait {
                head,
                asks,
                variables: loaded
                    .filter(|global| self.written.contains(global))
                    .collect(),
                members,
            }
        });
        waits.collect()
    }

    /// Whether an instruction, or what it calls, reads what callbacks may write.
    fn is_awaited(&self, program: &Program, inst: &Inst, seen: &mut BTreeSet<Func>) -> bool {
        match inst.op {
            Op::Load { address, .. } => match address {
                Operand::Global(global, _) => self.written.contains(&global),
                Operand::Value(_) => self.writes_anything,
                _ => false,
            },
            Op::Call { callee, .. } => callee.named().is_some_and(|callee| {
                let mut insts = insts(program, callee);
                seen.insert(callee) && insts.any(|inst| self.is_awaited(program, inst, seen))
            }),
            _ => false,
        }
    }
}

/// Whether an instruction, and what it calls, writes nothing but locals. What the library keeps is its own.
fn is_idle(program: &Program, inst: &Inst, seen: &mut BTreeSet<Func>) -> bool {
    match inst.op {
        Op::Call { callee, .. } => callee.named().is_some_and(|callee| {
            program.functions[callee].origin == Origin::Library
                || !seen.insert(callee)
                || insts(program, callee).all(|inst| is_idle(program, inst, seen))
        }),
        _ => matches!(written(inst), None | Some(Operand::Slot(..))),
    }
}

fn insts(program: &Program, func: Func) -> impl Iterator<Item = &Inst> {
    let body = program.functions[func].body.iter();
    let blocks = body.flat_map(|body| body.blocks.values());
    blocks.flat_map(|block| &block.insts)
}

/// Where an instruction writes.
const fn written(inst: &Inst) -> Option<Operand> {
    match inst.op {
        Op::Store { address, .. } => Some(address),
        Op::Copy { to, .. } | Op::Fill { to, .. } => Some(to),
        _ => None,
    }
}
