//! Which functions an execution can get to.

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::Id;
use crate::inst::{Callee, Op, Operand, Terminator};
use crate::program::{Block, Body, Func, Global, Program, Slot, Symbol, Value};

/// For every function, whether it can be called from `roots`: directly, or
/// through an address that reachable code or data mentions.
pub fn reachable(program: &Program, roots: &[Func]) -> Vec<bool> {
    let mut found = vec![false; program.functions.len()];
    let mut seen_globals = vec![false; program.globals.len()];
    let mut work: Vec<Item> = roots.iter().map(|&root| Item::Func(root)).collect();
    while let Some(item) = work.pop() {
        match item {
            Item::Func(func) if !std::mem::replace(&mut found[func.index()], true) => {
                visit_function(program, func, &mut work);
            }
            Item::Global(global) if !std::mem::replace(&mut seen_globals[global.index()], true) => {
                visit_global(program, global, &mut work);
            }
            Item::Func(_) | Item::Global(_) => {}
        }
    }
    found
}

/// Functions that somebody may call through a pointer: data or code has their address.
pub fn address_taken(program: &Program) -> BTreeSet<Func> {
    let mut taken = BTreeSet::new();
    for global in program.globals.values() {
        let relocations = global.init.iter().flat_map(|init| &init.relocations);
        let symbols = relocations.map(|relocation| relocation.symbol);
        taken.extend(symbols.filter_map(|symbol| match symbol {
            Symbol::Func(func) => Some(func),
            Symbol::Global(_) | Symbol::Block(..) => None,
        }));
    }
    let mut mention = |operand: Operand| {
        if let Operand::Func(func) = operand {
            taken.insert(func);
        }
    };
    let bodies = program.functions.values();
    for body in bodies.filter_map(|function| function.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                inst.op
                    .visit_operands(&program.target, |operand, _| mention(operand));
            }
            block.terminator.visit_operands(&mut mention);
        }
    }
    taken
}

/// A function that is given to another one, which has no body and may call it whenever it likes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gift {
    /// What is given.
    pub function: Func,
    /// Who is given it.
    pub to: Func,
    /// Where: the function that makes the call, the block, and the number of the instruction in it.
    pub at: (Func, Block, usize),
    /// Which argument it is, or leads to it: a table or a structure that holds it.
    pub argument: usize,
}

/// Functions that are given to others, and to whom.
pub fn given_away(program: &Program) -> BTreeSet<(Func, Func)> {
    let gifts = gifts(program).into_iter();
    gifts.map(|gift| (gift.function, gift.to)).collect()
}

/// All calls that give functions to others: their addresses, or those of tables and structures that hold them, are
/// arguments of functions without a body.
pub fn gifts(program: &Program) -> Vec<Gift> {
    let mut gifts = Vec::new();
    let stored = stored_in_globals(program);
    for (caller, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        let in_slots = stored_in_slots(program, body, &stored);
        let in_values = held_by_values(program, body);
        for (block, data) in body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                let Op::Call {
                    callee: Callee::Direct(to),
                    args,
                    ..
                } = &inst.op
                else {
                    continue;
                };
                if program.functions[*to].body.is_some() {
                    continue;
                }
                for (argument, operand) in args.iter().enumerate() {
                    let held = match *operand {
                        Operand::Func(func) => BTreeSet::from([func]),
                        Operand::Global(global, _) => held_by(program, global, &stored),
                        Operand::Slot(slot, _) => in_slots.get(&slot).cloned().unwrap_or_default(),
                        Operand::Value(value) => in_values.get(&value).cloned().unwrap_or_default(),
                        Operand::Bits(_) | Operand::BlockAddress(..) => BTreeSet::new(),
                    };
                    gifts.extend(held.into_iter().map(|function| Gift {
                        function,
                        to: *to,
                        at: (caller, block, index),
                        argument,
                    }));
                }
            }
        }
    }
    gifts
}

/// The functions that code puts into globals.
fn stored_in_globals(program: &Program) -> BTreeMap<Global, BTreeSet<Func>> {
    let mut stored: BTreeMap<Global, BTreeSet<Func>> = BTreeMap::new();
    let bodies = program.functions.values();
    let bodies = bodies.filter_map(|function| function.body.as_ref());
    let blocks = bodies.flat_map(|body| body.blocks.values());
    for inst in blocks.flat_map(|block| &block.insts) {
        if let Op::Store {
            address: Operand::Global(global, _),
            value: Operand::Func(func),
            ..
        } = inst.op
        {
            stored.entry(global).or_default().insert(func);
        }
    }
    stored
}

/// The functions that a body puts into its own objects, one by one or with a table that it copies.
fn stored_in_slots(
    program: &Program,
    body: &Body,
    stored: &BTreeMap<Global, BTreeSet<Func>>,
) -> BTreeMap<Slot, BTreeSet<Func>> {
    let mut slots: BTreeMap<Slot, BTreeSet<Func>> = BTreeMap::new();
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        match inst.op {
            Op::Store {
                address: Operand::Slot(slot, _),
                value: Operand::Func(func),
                ..
            } => _ = slots.entry(slot).or_default().insert(func),
            Op::Copy {
                to: Operand::Slot(slot, _),
                from: Operand::Global(global, _),
                ..
            } => {
                let held = held_by(program, global, stored);
                slots.entry(slot).or_default().extend(held);
            }
            _ => {}
        }
    }
    slots
}

/// The functions that values of a body may be, where that is easy to see: those of local variables, and what functions
/// give that give nothing else, such as the conversion of a lambda.
fn held_by_values(program: &Program, body: &Body) -> BTreeMap<Value, BTreeSet<Func>> {
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    let mut in_variables: BTreeMap<(Slot, i64), BTreeSet<Func>> = BTreeMap::new();
    for inst in insts() {
        if let Op::Store {
            address: Operand::Slot(slot, offset),
            value: Operand::Func(func),
            ..
        } = inst.op
        {
            let held = in_variables.entry((slot, offset)).or_default();
            held.insert(func);
        }
    }
    let held = insts().filter_map(|inst| {
        let &[value] = &inst.results[..] else {
            return None;
        };
        let held = match inst.op {
            Op::Load {
                address: Operand::Slot(slot, offset),
                ..
            } => in_variables.get(&(slot, offset)).cloned()?,
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => BTreeSet::from([always_given(program, callee)?]),
            _ => return None,
        };
        Some((value, held))
    });
    held.collect()
}

/// The function whose address a function gives wherever it returns.
fn always_given(program: &Program, func: Func) -> Option<Func> {
    let body = program.functions[func].body.as_ref()?;
    let mut given = BTreeSet::new();
    for block in body.blocks.values() {
        if let Terminator::Return(results) = &block.terminator {
            match results[..] {
                [Operand::Func(func)] => given.insert(func),
                _ => return None,
            };
        }
    }
    given.first().copied().filter(|_| given.len() == 1)
}

/// The functions that can be found from a global on: by its initial contents, those of the globals that it
/// points to, and what code puts there.
fn held_by(
    program: &Program,
    global: Global,
    stored: &BTreeMap<Global, BTreeSet<Func>>,
) -> BTreeSet<Func> {
    let mut held = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![Item::Global(global)];
    while let Some(item) = work.pop() {
        match item {
            Item::Func(func) => _ = held.insert(func),
            Item::Global(global) if seen.insert(global) => {
                held.extend(stored.get(&global).into_iter().flatten());
                visit_global(program, global, &mut work);
            }
            Item::Global(_) => {}
        }
    }
    held
}

enum Item {
    Func(Func),
    Global(Global),
}

fn visit_function(program: &Program, func: Func, work: &mut Vec<Item>) {
    let Some(body) = &program.functions[func].body else {
        return;
    };
    let mut mention = |operand: Operand| match operand {
        Operand::Func(func) | Operand::BlockAddress(func, _) => work.push(Item::Func(func)),
        Operand::Global(global, _) => work.push(Item::Global(global)),
        Operand::Value(_) | Operand::Bits(_) | Operand::Slot(..) => {}
    };
    for block in body.blocks.values() {
        for inst in &block.insts {
            inst.op
                .visit_operands(&program.target, |operand, _| mention(operand));
            if let Op::Call {
                callee: Callee::Direct(func),
                ..
            } = inst.op
            {
                mention(Operand::Func(func));
            }
        }
        block.terminator.visit_operands(&mut mention);
    }
}

fn visit_global(program: &Program, global: Global, work: &mut Vec<Item>) {
    let relocations = program.globals[global]
        .init
        .iter()
        .flat_map(|init| &init.relocations);
    for symbol in relocations
        .flat_map(|relocation| [Some(relocation.symbol), relocation.minus])
        .flatten()
    {
        work.push(match symbol {
            Symbol::Global(global) => Item::Global(global),
            Symbol::Func(func) | Symbol::Block(func, _) => Item::Func(func),
        });
    }
}
