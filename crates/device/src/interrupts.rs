//! Interrupt handlers: what the program shows of them, and how they are put into the machine.

use std::collections::BTreeSet;
use std::ops::Range;

use brownout_ir::{
    BlockData, Body, Callee, Func, Inst, IntBinary, Op, Operand, Origin, Program, Service,
    Terminator, Type, reach,
};
use brownout_scenario::{Scenario, When};
use brownout_vm::{InterruptSchedule, Interrupts};

use crate::enabling::{self, ENABLING, Unseen};
use crate::traps::traps;
use crate::vectors;

/// Functions of the library whose argument says whether the processor goes to sleep.
const SETTING_STATUS: [&str; 4] = [
    "__bis_SR_register",
    "__bis_status_register",
    "_BIS_SR",
    "_bis_SR_register",
];
/// The bit of the status that puts the processor to sleep.
const ASLEEP: u128 = 16;
/// Entries of a Cortex-M's table of vectors that are the stack, the reset, faults and calls of a
/// system.
const FIRST_INTERRUPT: u64 = 15;
/// Those of them that are faults. Who handles these as well, and never returns, stands for whatever has no handler of its
/// own.
const FAULTS: Range<u64> = 2..FIRST_INTERRUPT;

/// Whether the program sleeps until something happens.
pub fn sleeps(program: &Program) -> bool {
    let users = program.functions.values();
    let users = users.filter(|function| function.origin == Origin::User);
    let bodies = users.filter_map(|function| function.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    insts.any(|inst| {
        let Op::Call {
            callee: Callee::Direct(callee),
            args,
            ..
        } = &inst.op
        else {
            return false;
        };
        let name = program.functions[*callee].name.as_str();
        let is_asleep = |arg: &Operand| match arg {
            Operand::Bits(bits) => bits & ASLEEP != 0,
            _ => true,
        };
        let by_status = SETTING_STATUS.contains(&name) && args.first().is_some_and(is_asleep);
        let by_mode = name
            .strip_prefix("__low_power_mode_")
            .is_some_and(|mode| mode != "off_on_exit");
        by_status || by_mode || name == "__brownout_wait"
    })
}

/// The globals that the program does more with than read them, by name.
pub fn written(program: &Program) -> BTreeSet<String> {
    let mut written = BTreeSet::new();
    let bodies = program.functions.values();
    let bodies = bodies.filter_map(|function| function.body.as_ref());
    for inst in bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts)) {
        if let Op::Load { .. } = inst.op {
            continue;
        }
        inst.op.visit_operands(&program.target, |operand, _| {
            if let Operand::Global(global, _) = operand {
                written.insert(program.globals[global].name.clone());
            }
        });
    }
    written
}

/// The globals that the user's code loads, by name.
pub fn read(program: &Program) -> BTreeSet<String> {
    let insts = user_blocks(program).flat_map(|block| &block.insts);
    let read = insts.filter_map(|inst| match inst.op {
        Op::Load {
            address: Operand::Global(global, _),
            ..
        } => Some(program.globals[global].name.clone()),
        _ => None,
    });
    read.collect()
}

/// The constants that the user's code compares something with, or looks for the bits of.
pub fn constants(program: &Program) -> BTreeSet<u128> {
    let mut constants = BTreeSet::new();
    for block in user_blocks(program) {
        for inst in &block.insts {
            let (a, b, ty) = match &inst.op {
                Op::IntCompare { a, b, ty, .. } => (a, b, ty),
                Op::IntBinary {
                    op: IntBinary::And,
                    a,
                    b,
                    ty,
                } => (a, b, ty),
                _ => continue,
            };
            let all = ty.bits(&program.target);
            let all = u128::MAX >> (128 - all.clamp(1, 128));
            for operand in [a, b] {
                // What takes a bit or two away is looked for nowhere.
                if let Operand::Bits(bits) = operand
                    && (all ^ *bits).count_ones() > 2
                {
                    constants.insert(*bits);
                }
            }
        }
        if let Terminator::Switch { cases, .. } = &block.terminator {
            constants.extend(cases.iter().map(|&(value, _)| value));
        }
    }
    constants
}

fn user_blocks(program: &Program) -> impl Iterator<Item = &BlockData> {
    let users = program.functions.values();
    let users = users.filter(|function| function.origin == Origin::User);
    let bodies = users.filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.blocks.values())
}

/// The functions in tables of interrupt vectors, and those that the program sets as handlers, by name.
pub fn vectors(program: &Program) -> Vec<String> {
    let entries: Vec<(u64, &str)> = vectors::entries(program).collect();
    let faults = entries.iter().filter(|(entry, _)| FAULTS.contains(entry));
    let faults: BTreeSet<&str> = faults.map(|&(_, name)| name).collect();
    let stands_for_nothing = |name: &str| {
        let function = program.function(name);
        let body = function.and_then(|func| program.functions[func].body.as_ref());
        body.is_some_and(|body| never_returns(body) && (faults.contains(name) || is_idle(body)))
    };
    let listed = entries
        .iter()
        .filter(|&&(entry, name)| entry >= FIRST_INTERRUPT && !stands_for_nothing(name));
    let mut names: BTreeSet<String> = listed.map(|&(_, name)| name.to_owned()).collect();
    names.extend(traps(program));
    names.into_iter().collect()
}

/// Whether a function ends in a loop without end, or in something that ends the program.
fn never_returns(body: &Body) -> bool {
    let mut blocks = body.blocks.values();
    !blocks.any(|block| matches!(block.terminator, Terminator::Return(_)))
}

/// Whether a function neither writes nor calls anything.
fn is_idle(body: &Body) -> bool {
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.all(|inst| {
        matches!(
            inst.op,
            Op::Load { .. } | Op::Cast { .. } | Op::IntBinary { .. } | Op::IntCompare { .. }
        )
    })
}

/// Puts handlers into a program, in the order of the scenario: the first has number 1. `unseen` says whether
/// there is code that could not be translated.
pub(crate) fn install(
    program: &mut Program,
    scenario: &mut Scenario,
    start: Option<Func>,
    unseen: Unseen,
) -> Option<Interrupts> {
    let bits = enabling::sort_out(program, scenario, start, unseen);
    let named = |name: &String| program.function(name);
    let found = scenario.interrupts.iter().zip(bits);
    let found =
        found.filter_map(|(interrupt, bits)| Some((named(&interrupt.function)?, interrupt, bits)));
    let (mut handlers, mut urgencies, mut enabling) = (Vec::new(), Vec::new(), Vec::new());
    for (func, interrupt, bits) in found.take(usize::from(u8::MAX - 1)) {
        handlers.push((func, interrupt.when));
        urgencies.push((func, interrupt.priority));
        enabling.push(bits);
    }
    let support = brownout_vm::add_handlers(program, &urgencies);
    let Some(support) = support else {
        // Without the library's part nothing enables interrupts.
        let names = scenario.interrupts.iter();
        scenario.notes.extend(names.map(|interrupt| {
            format!(
                "`{}` does not run: the program never enables interrupts",
                interrupt.function
            )
        }));
        return None;
    };
    let numbered = || (1..=u8::MAX).zip(handlers.iter().map(|&(_, when)| when));
    let anywhere: Vec<u8> = numbered()
        .filter(|&(_, when)| when == When::Enabled)
        .map(|(number, _)| number)
        .collect();
    let periodic: Vec<(u8, u64)> = numbered()
        .filter_map(|(number, when)| match when {
            When::Every(period) => Some((number, period)),
            When::Sleep | When::Enabled | When::Never => None,
        })
        .collect();
    let wakes: Vec<bool> = (urgencies.iter())
        .map(|&(func, _)| brownout_vm::can_wake(program, func))
        .collect();
    let passing = (1..=u8::MAX).zip(&wakes).filter(|(_, wakes)| !**wakes);
    let passing = passing.filter(|_| wakes.contains(&true));
    Some(Interrupts {
        passing: passing.map(|(number, _)| number).collect(),
        handle: support.handle,
        sleep: support.sleep,
        status: support.status,
        level: support.level,
        handlers: urgencies.iter().map(|&(func, _)| func).collect(),
        priorities: urgencies.iter().map(|&(_, priority)| priority).collect(),
        anywhere,
        asleep: numbered().map(|(number, _)| number).collect(),
        periodic,
        enables: enabling,
        points: BTreeSet::new(),
        schedule: InterruptSchedule::default(),
        ticks: None,
    })
}

/// Finds the places between instructions at which handlers may come, once the program is as it is going
/// to be executed.
pub fn place(program: &Program, interrupts: &mut Interrupts) {
    if !interrupts.anywhere.is_empty() || !interrupts.periodic.is_empty() {
        let is_open = |func| {
            let handler = interrupts.handlers.iter().position(|&known| known == func);
            handler.is_none_or(|handler| is_interrupted(program, interrupts, handler))
        };
        interrupts.points = brownout_vm::interrupt_points(program, &is_open);
    }
}

/// Whether others may interrupt a handler: more urgent ones, or any if it enables interrupts.
fn is_interrupted(program: &Program, interrupts: &Interrupts, handler: usize) -> bool {
    let priority = interrupts.priorities[handler];
    if interrupts.priorities.iter().any(|&other| other < priority) {
        return true;
    }
    let mut view = program.clone();
    // What the library does afterwards is no part of the handler.
    view.functions[interrupts.handle].body = None;
    let reached = reach::reachable(&view, &[interrupts.handlers[handler]]);
    let mut enabling = ENABLING.iter().filter_map(|name| program.function(name));
    enabling.any(|enabling| reached[brownout_ir::Id::index(enabling)])
}

/// The program with its interrupts as calls, for analyses that look at all paths: at every point handlers
/// may run, or none.
pub fn as_calls(program: &Program, interrupts: &Interrupts) -> Program {
    let mut program = program.clone();
    let function = &program.functions[interrupts.handle];
    let (arg_types, result_types) = (function.params.clone(), function.results.clone());
    // From the end of each block, so that places stay where they are.
    for &(func, block, index) in interrupts.points.iter().rev() {
        let Some(body) = &mut program.functions[func].body else {
            continue;
        };
        let data = &body.blocks[block];
        let place = (data.insts.get(index as usize)).map_or(data.place, |inst| inst.place);
        let handlers = body.values.push(Type::Int(64));
        let ask = Inst {
            op: Op::Service {
                service: Service::AwaitInterrupt,
                args: vec![],
            },
            results: vec![handlers],
            place,
        };
        let call = Inst {
            op: Op::Call {
                callee: Callee::Direct(interrupts.handle),
                args: vec![handlers.into()],
                arg_types: arg_types.clone(),
                result_types: result_types.clone(),
            },
            results: vec![],
            place,
        };
        let at = index as usize;
        body.blocks[block].insts.splice(at..at, [ask, call]);
    }
    program
}
