//! Which functions an execution can get to.

use std::collections::BTreeSet;

use crate::entity::Id;
use crate::inst::{Callee, Op, Operand};
use crate::program::{Func, Global, Program, Symbol};

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
