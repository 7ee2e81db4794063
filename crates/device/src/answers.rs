//! What outputs return, in code without a `main`.
//!
//! A bus says whether it took what was written to it, and a driver goes on or gives up. An output is no input: that
//! another attempt is told something else is not what findings are about. So it returns the same in all calls that
//! one call of an entry function makes, whatever the attempt: what a variable of its own holds, into which the start
//! function puts a number that the search chose with the arguments.
//!
//! **Invariant**: only who executes the program sees these variables; to static analysis an output returns anything.

use std::collections::BTreeSet;

use brownout_flow::asked::{Asked, Outside, asked};
use brownout_ir::{
    Body, Callee, Func, Global, GlobalData, Initializer, Inst, Op, Operand, Origin, Program, Type,
    Value,
};

/// What an output returns.
#[derive(Debug)]
pub struct Answer {
    /// The output.
    pub output: String,
    /// The numbers that the program compares it with.
    pub asked: Vec<u64>,
    pub(crate) ty: Type,
    /// Where it is kept.
    pub(crate) variable: Global,
    /// Who looks at it.
    pub(crate) callers: BTreeSet<Func>,
}

/// The functions that look at what an output returns.
fn callers(program: &Program, output: Func) -> BTreeSet<Func> {
    let functions = program.functions.iter();
    let callers = functions.filter(|(_, function)| {
        let body = function.body.as_ref();
        body.is_some_and(|body| uses(program, body, output))
    });
    callers.map(|(func, _)| func).collect()
}

/// Whether a function uses what an output returns.
fn uses(program: &Program, body: &Body, output: Func) -> bool {
    let insts = body.blocks.values().flat_map(|block| &block.insts);
    let calls = insts.filter(|inst| is_call(inst, output));
    let results: BTreeSet<Value> = calls.flat_map(|inst| inst.results.clone()).collect();
    let mut is_used = false;
    let mut look = |operand: Operand| {
        is_used |= matches!(operand, Operand::Value(value) if results.contains(&value));
    };
    for block in body.blocks.values() {
        for inst in &block.insts {
            inst.op
                .visit_operands(&program.target, |operand, _| look(operand));
        }
        block.terminator.visit_operands(&mut look);
    }
    is_used
}

fn is_call(inst: &Inst, output: Func) -> bool {
    matches!(inst.op, Op::Call { callee: Callee::Direct(callee), .. } if callee == output)
}

/// Whether the program decides anything by what these functions return.
pub fn is_asked_for(program: &Program, outputs: impl IntoIterator<Item = Func>) -> bool {
    let mut outputs = outputs.into_iter();
    outputs.any(|output| !callers(program, output).is_empty())
}

/// Lets those of the outputs that return numbers, at which the program looks, return what a variable holds.
pub(crate) fn add(program: &mut Program, outputs: &BTreeSet<Func>) -> Vec<Answer> {
    let looked_at = outputs.iter().filter_map(|&output| {
        let callers = callers(program, output);
        match program.functions[output].results[..] {
            [ty @ Type::Int(1..=64)] if !callers.is_empty() => Some((output, ty, callers)),
            _ => None,
        }
    });
    let looked_at: Vec<(Func, Type, BTreeSet<Func>)> = looked_at.collect();
    if looked_at.is_empty() {
        return Vec::new();
    }
    let asked = asked(program, &|_| true, &|func| outputs.contains(&func));
    let answers = looked_at.into_iter().map(|(output, ty, callers)| {
        let variable = variable(program, output, ty);
        for &caller in &callers {
            if let Some(body) = &mut program.functions[caller].body {
                look_it_up(body, output, (variable, ty));
            }
        }
        let is_of = |asked: &&Asked| asked.of == Outside::Result(output);
        Answer {
            output: program.functions[output].name.clone(),
            asked: asked.iter().filter(is_of).map(|it| it.value).collect(),
            ty,
            variable,
            callers,
        }
    });
    answers.collect()
}

/// A variable for what an output returns.
fn variable(program: &mut Program, output: Func, ty: Type) -> Global {
    program.globals.push(GlobalData {
        name: format!("what {} returns", program.functions[output].name),
        size: ty.bytes(&program.target).into(),
        align: 8,
        section: None,
        constant: false,
        exported: false,
        origin: Origin::Library,
        variable: None,
        ty: None,
        place: None,
        annotations: vec![],
        init: Some(Initializer {
            bytes: vec![],
            relocations: vec![],
        }),
    })
}

/// After each call of `output`, its result is what the variable holds.
fn look_it_up(body: &mut Body, output: Func, (variable, ty): (Global, Type)) {
    let blocks: Vec<_> = body.blocks.ids().collect();
    for block in blocks {
        let insts = std::mem::take(&mut body.blocks[block].insts);
        for mut inst in insts {
            if !is_call(&inst, output) || inst.results.len() != 1 {
                body.blocks[block].insts.push(inst);
                continue;
            }
            let unused = body.values.push(ty);
            let results = std::mem::replace(&mut inst.results, vec![unused]);
            let load = Inst {
                op: Op::Load {
                    ty,
                    address: Operand::Global(variable, 0),
                    volatile: false,
                },
                results,
                place: inst.place,
            };
            body.blocks[block].insts.extend([inst, load]);
        }
    }
}
