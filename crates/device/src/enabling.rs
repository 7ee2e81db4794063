//! Which interrupt handlers are ever enabled, and by which bits of device registers.

use brownout_ir::{Body, Func, Function, Id, IntBinary, Op, Operand, Origin, Program, reach};
use brownout_scenario::{EnableBits, Scenario};
use brownout_vm::{Enable, RegisterPlace};

use crate::nvic;

/// The functions of the library that all ways to enable interrupts lead to.
pub(crate) const ENABLING: [&str; 2] = ["__brownout_enable", "__brownout_set_status"];

/// Whether there is code that could not be translated, so that nobody knows what it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    Nothing,
    Something,
}

/// Drops all handlers from the scenario of a program that never enables interrupts, and says so. Gives the bits of the
/// others that are looked at, in the order of the scenario; none: the handler comes anyway.
pub(crate) fn sort_out(
    program: &Program,
    scenario: &mut Scenario,
    start: Option<Func>,
    unseen: Unseen,
) -> Vec<Vec<Enable>> {
    if unseen == Unseen::Nothing && start.is_some_and(|start| !may_enable(program, scenario, start))
    {
        for interrupt in std::mem::take(&mut scenario.interrupts) {
            scenario.notes.push(format!(
                "`{}` does not run: the program never enables interrupts",
                interrupt.function
            ));
            scenario.idle_handlers.insert(interrupt.function);
        }
    }
    if unseen == Unseen::Nothing && start.is_some() {
        drop_masked(program, scenario);
    }
    let interrupts = scenario.interrupts.iter();
    interrupts
        .map(|interrupt| enables(program, &interrupt.enables))
        .collect()
}

/// Drops the handlers whose interrupts a program for a Cortex-M never enables in the interrupt controller, although
/// it enables others, and says so.
fn drop_masked(program: &Program, scenario: &mut Scenario) {
    let is_hidden = |function: &Function| {
        // The machine's own functions have no body.
        !function.name.starts_with("__brownout_") && is_hidden(function, scenario)
    };
    if !program.target.name.starts_with("thumb") || program.functions.values().any(is_hidden) {
        return;
    }
    let Some(enabled) = nvic::enabled(program) else {
        return;
    };
    scenario.interrupts.retain(|interrupt| {
        let name = &interrupt.function;
        let masked = nvic::number(program, name).filter(|number| !enabled.contains(number));
        if let Some(number) = masked {
            scenario.notes.push(format!(
                "`{name}` does not run: the program enables other interrupts, and never this one (number {number})"
            ));
            scenario.idle_handlers.insert(name.clone());
        }
        masked.is_none()
    });
}

/// Whether a function has no body, and nobody says that it is harmless. Also an input or output may be a driver,
/// which enables what it needs.
fn is_hidden(function: &Function, scenario: &Scenario) -> bool {
    let name = &function.name;
    let is_library = function.origin != Origin::User || name.starts_with("brownout_");
    let mut harmless = scenario.power.checkpoints.iter().chain(&scenario.pure);
    function.body.is_none() && !is_library && !harmless.any(|known| known == name)
}

/// Whether something may enable interrupts: code that calls what does, or a function without a body.
fn may_enable(program: &Program, scenario: &Scenario, start: Func) -> bool {
    // A Cortex-M begins with interrupts enabled.
    if program.target.name.starts_with("thumb") {
        return true;
    }
    let tasks = scenario.power.tasks.iter();
    let tasks = tasks.filter_map(|name| program.function(name));
    let roots: Vec<Func> = tasks.chain([start]).collect();
    let reached = reach::reachable(program, &roots);
    let mut functions = program.functions.iter();
    functions.any(|(func, function)| {
        let is_enabling = ENABLING.contains(&function.name.as_str());
        reached[func.index()] && (is_enabling || is_hidden(function, scenario))
    })
}

/// Where the program has the bits that let a handler come. None if it sets none of them itself: then
/// somebody does it of whom nothing is seen.
fn enables(program: &Program, bits: &[EnableBits]) -> Vec<Enable> {
    let set = bits.iter().flat_map(|bits| {
        let mut globals = program.globals.iter();
        let global = globals.find(|(_, data)| data.name == bits.register && data.init.is_none());
        let global = global.map(|(global, _)| RegisterPlace::Global(global));
        let places = global
            .into_iter()
            .chain([RegisterPlace::Address(bits.address)]);
        places.map(|place| Enable {
            place,
            mask: bits.mask,
        })
    });
    let set: Vec<Enable> = set.collect();
    match set.iter().any(|bits| sets(program, bits)) {
        true => set,
        false => Vec::new(),
    }
}

/// Whether the user's code stores something to a register that may have bits set.
fn sets(program: &Program, bits: &Enable) -> bool {
    let bodies = program.functions.values();
    let bodies = bodies.filter(|function| function.origin == Origin::User);
    let mut bodies = bodies.filter_map(|function| function.body.as_ref());
    bodies.any(|body| {
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        insts.any(|inst| match inst.op {
            Op::Store { address, value, .. } => {
                let is_there = match (address, bits.place) {
                    (Operand::Global(global, 0), RegisterPlace::Global(wanted)) => global == wanted,
                    (Operand::Bits(number), RegisterPlace::Address(wanted)) => {
                        number == u128::from(wanted)
                    }
                    _ => false,
                };
                is_there && may_have(body, value, bits.mask)
            }
            _ => false,
        })
    })
}

/// Whether a value may have some of these bits: unless it is a constant without them, or something of
/// which a constant keeps some bits only or to which it adds others.
fn may_have(body: &Body, mut value: Operand, mask: u64) -> bool {
    let has_bits = |number: u128| number as u64 & mask != 0;
    let made_by = |value: Operand| {
        let value = value.value()?;
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        insts.find(|inst| inst.results.contains(&value))
    };
    loop {
        match (value, made_by(value).map(|inst| &inst.op)) {
            (Operand::Bits(number), _) => return has_bits(number),
            (_, Some(Op::Cast { a, .. })) => value = *a,
            (_, Some(Op::IntBinary { op, a, b, .. })) => {
                return match (op, a, b) {
                    (IntBinary::And, Operand::Bits(_), _) => false,
                    (IntBinary::And, _, Operand::Bits(_)) => false,
                    (IntBinary::Or, Operand::Bits(number), _)
                    | (IntBinary::Or, _, Operand::Bits(number)) => has_bits(*number),
                    _ => true,
                };
            }
            _ => return true,
        }
    }
}
