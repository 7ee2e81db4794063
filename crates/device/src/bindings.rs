//! What the scenario says of functions, registers and memory, in the terms of the machine.

mod asked;
mod flash;

pub(crate) use flash::{resolve_fill, resolve_members};

use std::collections::BTreeMap;

use brownout_ir::names::{self, Integer};
use brownout_ir::{Func, Global, Origin, Program};
use brownout_scenario::{ConfigError, Problem, Recovery, Scenario, Source, placed_at};
use brownout_vm::{
    Binding, Bindings, DeviceRegister, EnvironmentPlan, Invariant, MemoryPlan, OutputBinding,
    Reboot, RegisterPlace, ResetValue, Variable,
};

/// What devices have whose processors are not of 16 bits, roughly. Memory is copied for every power failure.
const STACK_OF_A_DEVICE: u32 = 64 << 10;
const HEAP_OF_A_DEVICE: u32 = 256 << 10;

/// Memory at fixed addresses is there as a whole up to this size, and else where the program names it.
const LARGEST_STRETCH: u64 = 64 << 10;

/// Gives a program that is only run the memory of a computer, unless the user said how much it has.
pub fn enlarge(scenario: &mut Scenario) {
    scenario.memory.stack_size.get_or_insert(8 << 20);
    scenario.memory.heap_size.get_or_insert(64 << 20);
}

/// Where memory is and what survives.
pub fn memory_plan(program: &Program, scenario: &Scenario) -> MemoryPlan {
    let nonvolatile = program
        .globals
        .iter()
        .filter(|(_, global)| scenario.memory.is_nonvolatile(&global.name))
        .map(|(id, _)| id)
        .collect();
    let of_a_device = program.target.pointer_bytes() >= 4;
    let size = |given: Option<u32>, usual: u32| given.or(of_a_device.then_some(usual));
    MemoryPlan {
        stack_size: size(scenario.memory.stack_size, STACK_OF_A_DEVICE),
        heap_size: match brownout_vm::allocates(program) {
            true => size(scenario.memory.heap_size, HEAP_OF_A_DEVICE),
            false => scenario.memory.heap_size,
        },
        nonvolatile,
        stack_nonvolatile: scenario.memory.stack,
        heap_nonvolatile: scenario.memory.heap,
        nonvolatile_addresses: scenario
            .memory
            .map
            .iter()
            .filter(|stretch| stretch.nonvolatile)
            .map(|stretch| stretch.addresses.clone())
            .collect(),
        placed: placed(program),
        // What a chip has is large, and there where the program names it.
        mapped: (scenario.memory.map.iter())
            .filter(|stretch| stretch.is_given())
            .map(|stretch| stretch.addresses.clone())
            .filter(|addresses| addresses.end - addresses.start <= LARGEST_STRETCH)
            .collect(),
        contents: (scenario.memory.map.iter())
            .filter_map(|stretch| {
                let length = stretch.addresses.end - stretch.addresses.start;
                let mut image = stretch.image.clone()?;
                image.truncate(usize::try_from(length).unwrap_or(usize::MAX));
                Some((stretch.addresses.start, image))
            })
            .collect(),
    }
}

/// Variables and constants of the user's that the source puts at an address.
fn placed(program: &Program) -> Vec<(Global, u64)> {
    let globals = program.globals.iter();
    let defined = globals.filter(|(_, data)| data.origin == Origin::User && data.init.is_some());
    let placed = defined.filter_map(|(global, data)| {
        let address = placed_at(data.section.as_deref()?)?;
        Some((global, address))
    });
    placed.collect()
}

/// Whether a checkpoint function does something besides committing, which is executed.
pub(crate) fn keeps_body(program: &Program, scenario: &Scenario, func: Func) -> bool {
    let function = &program.functions[func];
    let body = function.body.as_ref();
    let does_something = body.is_some_and(|body| {
        let mut blocks = body.blocks.values();
        body.blocks.len() > 1 || blocks.any(|block| !block.insts.is_empty())
    });
    let commits = scenario.power.policy.recovery() != Recovery::Restart;
    commits && does_something && function.origin == Origin::User
}

/// What functions and registers are to the world outside.
pub(crate) fn bindings(program: &Program, scenario: &Scenario) -> Bindings {
    let mut bindings = Bindings {
        reboot: match scenario.power.policy.recovery() {
            Recovery::Task => Reboot::Task,
            Recovery::Checkpoint | Recovery::Restart => Reboot::Restore,
        },
        ..Bindings::default()
    };
    let mut bind = |name: &str, binding: Binding| {
        if let Some(func) = program.function(name) {
            bindings.functions.insert(func, binding);
        }
    };
    for name in &scenario.ignore {
        bind(name, Binding::Ignore);
    }
    let checkpoint = match scenario.power.policy.recovery() {
        // Nothing commits.
        Recovery::Restart => Binding::Ignore,
        Recovery::Checkpoint | Recovery::Task => Binding::Checkpoint,
    };
    for name in &scenario.power.checkpoints {
        let func = program.function(name);
        if func.is_none_or(|func| !keeps_body(program, scenario, func)) {
            bind(name, checkpoint.clone());
        }
    }
    // A transition that the runtime defines ends a task; one with a body ends it at its entry and
    // is executed.
    for name in &scenario.power.transitions {
        let is_code = program
            .function(name)
            .is_some_and(|func| program.functions[func].body.is_some());
        if !is_code {
            bind(name, Binding::Checkpoint);
        }
    }
    // Reserved: they mark code, they do not run any.
    for name in ["brownout_atomic_begin", "brownout_atomic_end"] {
        bind(name, Binding::Ignore);
    }
    for (name, function) in flash::functions(program, scenario) {
        bind(&name, Binding::Flash(Box::new(function.clone())));
        // Programs of a chain have functions of the same name.
        let suffix = format!(".{name}");
        let others = program.functions.values().map(|function| &function.name);
        for other in others.filter(|other| other.ends_with(&suffix)) {
            bind(other, Binding::Flash(Box::new(function.clone())));
        }
    }
    for (number, output) in scenario.outputs.iter().enumerate() {
        if let Source::Function(name) = &output.source {
            bind(name, Binding::Output(number as u32));
        }
    }
    for (number, input) in scenario.inputs.iter().enumerate() {
        if let Source::Function(name) = &input.source {
            let number = number as u32;
            let result = scenario.inputs.iter().position(|input| {
                matches!(&input.source, Source::Result { function, .. } if function == name)
            });
            let result = result.map(|result| result as u32);
            let fill = input.fills.clone();
            let filled = fill.map(|fill| Binding::Fill(number, fill, result));
            bind(name, filled.unwrap_or(Binding::Input(number)));
        }
    }
    bindings.parts = flash::parts(program, scenario);
    let globals: BTreeMap<&str, Global> = program
        .globals
        .iter()
        .map(|(id, global)| (global.name.as_str(), id))
        .collect();
    let register = |number: usize, source: &Source, mask: Option<u64>| {
        let place = match source {
            Source::Register(name) => RegisterPlace::Global(*globals.get(name.as_str())?),
            Source::Address { address, .. } => RegisterPlace::Address(*address),
            Source::Function(_) | Source::Result { .. } => return None,
        };
        Some(DeviceRegister {
            place,
            number: number as u32,
            mask: mask.unwrap_or(u64::MAX),
        })
    };
    let inputs = scenario.inputs.iter();
    bindings.input_registers = (inputs.clone().enumerate())
        .filter_map(|(number, input)| register(number, &input.source, input.mask))
        .collect();
    bindings.input_names = (inputs.clone())
        .map(|input| input.source.name().to_owned())
        .collect();
    bindings.inputs = asked::sources(program, scenario);
    let outputs = scenario.outputs.iter();
    bindings.output_registers = (outputs.clone().enumerate())
        .filter_map(|(number, output)| register(number, &output.source, output.mask))
        .collect();
    bindings.outputs = outputs
        .map(|output| OutputBinding {
            name: output.source.name().to_owned(),
            effect: output.effect.clone(),
            takes: output.takes.unwrap_or(0),
        })
        .collect();
    let known = (scenario.memory.chip.iter()).flat_map(|chip| &chip.registers);
    for (register, value) in known.filter_map(|register| Some((register, register.reset?))) {
        // A program has a register by its name or by its address.
        let global = globals.get(register.name.as_str()).copied();
        let global = global.filter(|&global| program.globals[global].init.is_none());
        let global = global.map(RegisterPlace::Global);
        for place in global
            .into_iter()
            .chain([RegisterPlace::Address(register.address)])
        {
            bindings.resets.push(ResetValue {
                place,
                width: register.width as u32,
                value,
            });
        }
    }
    bindings.environment = EnvironmentPlan {
        names: scenario.environment.keys().cloned().collect(),
        initial: scenario.environment.values().copied().collect(),
    };
    bindings
}

/// What has to hold, in terms of memory.
///
/// # Errors
/// If a condition is about something that is no integer of the program.
pub(crate) fn invariants(
    program: &Program,
    scenario: &Scenario,
) -> Result<Vec<Invariant>, Vec<ConfigError>> {
    let mut errors = Vec::new();
    let mut invariants = Vec::new();
    for invariant in &scenario.invariants {
        let mut variables = Vec::new();
        for name in invariant.expression.names() {
            match names::integer(program, name) {
                Ok(integer) => variables.push(variable(integer)),
                Err(problem) => errors.push(ConfigError {
                    place: invariant.place,
                    key: "invariant.expr".to_owned(),
                    problem: Problem::BadExpression {
                        found: name.clone(),
                        problem: format!("is wrong: {problem}"),
                    },
                }),
            }
        }
        invariants.push(Invariant {
            text: invariant.text.clone(),
            expression: invariant.expression.clone(),
            variables,
            at: invariant.at,
        });
    }
    if errors.is_empty() {
        Ok(invariants)
    } else {
        Err(errors)
    }
}

/// An integer of the program as one of an invariant.
fn variable(integer: Integer) -> Variable {
    let Integer {
        global,
        start,
        shift,
        bits,
        signed,
    } = integer;
    Variable {
        global,
        start,
        shift,
        bits,
        signed,
    }
}
