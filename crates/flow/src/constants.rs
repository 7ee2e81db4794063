//! Functions that give the same number in every call.
//!
//! What a scenario says that a function always returns holds for those that hand it on, too: a driver reads
//! registers through helpers of its own.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Callee, Func, Op, Program, Terminator, Type, results};

use crate::promote::{Accesses, promote};
use crate::ranges::{Readings, ranges};

/// How many helpers deep a number is followed.
const DEPTH: usize = 8;

/// The program with constants for what calls of the functions in `known` give, and for what functions that call
/// these give, where that is one number whatever else happens.
pub fn with_constants(program: &Program, known: BTreeMap<Func, i64>) -> Program {
    let mut known = known;
    let mut news: BTreeSet<Func> = known.keys().copied().collect();
    let mut changed = results::with_results(program, &known);
    for _ in 0..DEPTH {
        let callers = callers(&changed, &news);
        let more = callers
            .into_iter()
            .filter(|caller| !known.contains_key(caller))
            .filter_map(|caller| Some((caller, only_result(&changed, caller)?)));
        let more: BTreeMap<Func, i64> = more.collect();
        if more.is_empty() {
            break;
        }
        news = more.keys().copied().collect();
        changed = results::with_results(&changed, &more);
        known.extend(more);
    }
    changed
}

/// The functions that call some of these by their name.
fn callers(program: &Program, called: &BTreeSet<Func>) -> Vec<Func> {
    let functions = program.functions.iter();
    let callers = functions.filter(|(_, function)| {
        let blocks = function.body.iter().flat_map(|body| body.blocks.values());
        let mut insts = blocks.flat_map(|block| &block.insts);
        insts.any(|inst| match &inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => called.contains(callee),
            _ => false,
        })
    });
    callers.map(|(func, _)| func).collect()
}

/// The number that a function returns, if it is always the same.
fn only_result(program: &Program, func: Func) -> Option<i64> {
    let function = &program.functions[func];
    let &[ty @ Type::Int(_)] = &function.results[..] else {
        return None;
    };
    let body = function.body.as_ref().filter(|it| !it.blocks.is_empty())?;
    let body = promote(body, &program.target, Accesses::Drop);
    let bits = ty.bits(&program.target);
    let dominators = Dominators::new(&body);
    let ranges = ranges(program, &Readings::default(), &body, &dominators, &[]);
    let returns = body.blocks.iter().filter_map(|(block, data)| {
        let is_reached = ranges.is_reached(block);
        match &data.terminator {
            Terminator::Return(results) if is_reached => Some(results.first().copied()),
            _ => None,
        }
    });
    let numbers = returns.map(|result| ranges.of(result?, bits).single());
    let numbers: Option<BTreeSet<u64>> = numbers.collect();
    match numbers?.into_iter().collect::<Vec<u64>>()[..] {
        [number] => Some(number as i64),
        _ => None,
    }
}
