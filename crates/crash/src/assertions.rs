//! Assertions that no boot comes to: what they say is checked nowhere.
//!
//! Where an assertion begins, a service is called that tells the observer, as in [`crate::mark`].
//!
//! **Invariant**: an assertion is only called unexecuted if no boot came to anything of it. Where the compiler has
//! melted its condition with one before it, both count as executed.

use std::collections::BTreeSet;

use brownout_ir::source::{Place, SourceMap};
use brownout_ir::{Block, Callee, Func, Inst, Op, Operand, Origin, Program, Service};
use brownout_vm::Image;

/// What headers let an assertion call that fails.
const FAILURES: [&str; 4] = ["__assert_fail", "__assert_func", "__assert", "_assert"];

/// File, line and column.
pub type Position = (String, u32, u32);

/// Lets the program tell when it comes to one of its assertions.
pub fn mark_assertions(program: &mut Program) {
    let source = program.source.clone();
    let mut marks: Vec<(Func, Block, Place)> = Vec::new();
    for (func, block, place) in failures(program) {
        let Some(body) = &program.functions[func].body else {
            continue;
        };
        let wanted = position(&source, place);
        let blocks = body.blocks.iter().filter(|&(other, data)| {
            let leads_there = (data.terminator.edges().iter()).any(|edge| edge.block == block);
            let is_of_it = |at: &Option<Place>| {
                at.is_some_and(|at| wanted.is_some() && position(&source, at) == wanted)
            };
            let mut places = data.insts.iter().map(|inst| &inst.place);
            other != block && (leads_there || is_of_it(&data.place) || places.any(is_of_it))
        });
        marks.extend(blocks.map(|(block, _)| (func, block, place)));
    }
    for (func, block, place) in marks {
        let Some(body) = &mut program.functions[func].body else {
            continue;
        };
        let insts = &mut body.blocks[block].insts;
        let is_of_it = |inst: &Inst| {
            let at = inst.place.and_then(|at| position(&source, at));
            at.is_some() && at == position(&source, place)
        };
        let at = insts.iter().position(is_of_it).unwrap_or(insts.len());
        let mark = Inst {
            op: Op::Service {
                service: Service::CheckpointWith,
                args: vec![Operand::Bits(0), Operand::Bits(0)],
            },
            results: vec![],
            place: Some(place),
        };
        insts.insert(at, mark);
    }
}

/// The assertions of the user's that no boot came to, if boots passed these operations.
pub fn unexecuted(image: &Image, passed: &BTreeSet<u32>) -> Vec<Position> {
    let program = image.program();
    let source = &program.source;
    let all = failures(program).into_iter();
    let all: BTreeSet<Position> = all
        .filter_map(|(.., place)| position(source, place))
        .collect();
    let passed = passed.iter().filter_map(|&pc| image.place(pc));
    let passed: BTreeSet<Position> = passed.filter_map(|at| position(source, at)).collect();
    all.difference(&passed).cloned().collect()
}

/// The blocks in which assertions fail, with their places.
fn failures(program: &Program) -> Vec<(Func, Block, Place)> {
    let fails = |inst: &Inst| match &inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => FAILURES.contains(&program.functions[*callee].name.as_str()),
        _ => false,
    };
    let users = program.functions.iter();
    let users = users.filter(|(_, function)| function.origin == Origin::User);
    let bodies = users.filter_map(|(func, function)| Some((func, function.body.as_ref()?)));
    let blocks = bodies.flat_map(|(func, body)| {
        (body.blocks.iter()).map(move |(block, data)| (func, block, data))
    });
    let failing = blocks.filter_map(|(func, block, data)| {
        let call = data.insts.iter().find(|inst| fails(inst))?;
        let place = call.place?;
        position(&program.source, place).map(|_| (func, block, place))
    });
    failing.collect()
}

/// Where a place is, if the compiler knows the line.
fn position(source: &SourceMap, place: Place) -> Option<Position> {
    let data = source.places.get(place)?;
    let file = source.files.get(data.file)?.clone();
    (data.line > 0).then_some((file, data.line, data.column))
}
