//! What the proof is told of a program and its scenario.
//!
//! **Invariant**: code that may run is told of. Of a program with an entry, a function that nobody calls, that
//! no data or code has the address of and that no hardware calls does not run, and that is listed.

use std::collections::BTreeSet;

use brownout_device::{Prepared, unknown};
use brownout_flow::objects::Kind;
use brownout_flow::{Entries, Model, Setting};
use brownout_ir::{
    Arena, BlockData, Func, Global, Id, Inst, Op, Origin, Program, Service, Terminator, gifts,
    reach,
};
use brownout_scenario::{
    Effect, Input, Operand, Operator, Recovery, Scenario, Semantics, Source, ValueSource, When,
};
use brownout_verify::{
    Change, Effect as Absorbed, Given, Output, Question, Values, Volatile, dataflow,
};

use super::unpromoted;

/// The program as the proof looks at it. Where nothing can call `atexit`, `exit` is the end and nothing else.
pub fn program(prepared: &Prepared) -> Program {
    let mut program = prepared.program.clone();
    let library = |name: &str| {
        let func = program.function(name)?;
        let function = &program.functions[func];
        (function.origin == Origin::Library && function.body.is_some()).then_some(func)
    };
    let (Some(exit), Some(start)) = (library("exit"), prepared.start) else {
        return program;
    };
    let mut roots = vec![start];
    roots.extend(others(prepared));
    let reached = reach::reachable(&program, &roots);
    if library("atexit").is_some_and(|at_exit| reached[at_exit.index()]) {
        return program;
    }
    if let Some(body) = &mut program.functions[exit].body {
        let params = body.blocks[body.entry()].params.clone();
        let mut blocks = Arena::new();
        let args = params.first().map(|&status| status.into());
        let end = Inst {
            op: Op::Service {
                service: Service::Exit,
                args: args.into_iter().collect(),
            },
            results: vec![],
            place: None,
        };
        blocks.push(BlockData {
            params,
            insts: vec![end],
            terminator: Terminator::Unreachable,
            place: None,
        });
        body.blocks = blocks;
    }
    program
}

/// What static analysis needs to know; readings of device registers are never taken for granted, and what
/// memory holds where the program dies counts.
pub fn setting(prepared: &Prepared) -> Setting {
    let mut setting = brownout_device::setting(prepared, None);
    setting.device_inputs = true;
    setting.deaths_are_ends = true;
    setting.unpromoted = unpromoted(prepared);
    if let Entries::Program(_, entries) = &mut setting.entries {
        *entries = others(prepared).into_iter().collect();
    }
    let left = left_by_handlers(prepared, &setting);
    setting.input_registers.extend(left);
    setting
}

/// The variables that handlers may write and that a power failure takes away: the program reads there what the
/// environment decides.
fn left_by_handlers(prepared: &Prepared, setting: &Setting) -> BTreeSet<Global> {
    let handlers = called_by_hardware(prepared);
    let program = program(prepared);
    let mut found = BTreeSet::new();
    if handlers.is_empty() {
        return found;
    }
    // Whoever asks afterwards is told that the analysis was given up.
    let Ok(model) = Model::new(&program, setting) else {
        return found;
    };
    let handlers = handlers.iter();
    let nodes = handlers.flat_map(|handler| dataflow::handler_nodes(&model, *handler));
    for (site, _) in nodes.flat_map(|node| model.steps(node)) {
        let writes = model
            .effects(site)
            .map_or(&[][..], |effects| &effects.writes);
        for cell in writes.iter().flat_map(|touch| touch.cells.clone()) {
            let object = model.accesses.cells[cell as usize].object;
            if let Kind::Global(global) = model.points_to.objects.data(object).kind
                && !setting.nonvolatile.contains(&global)
            {
                found.insert(global);
            }
        }
    }
    found
}

/// The functions of a program that somebody else calls: tasks, and what the hardware may call.
fn others(prepared: &Prepared) -> BTreeSet<Func> {
    let mut others = called_by_hardware(prepared);
    others.extend(prepared.tasks());
    others
}

/// The functions that the hardware, or code that is not seen, may call at any time: interrupt handlers,
/// those that functions without a body are given, and those that only data has the address of.
fn called_by_hardware(prepared: &Prepared) -> BTreeSet<Func> {
    let Some(start) = prepared.start else {
        return BTreeSet::new();
    };
    let Prepared {
        program, scenario, ..
    } = prepared;
    let interrupts = scenario.interrupts.iter();
    let interrupts = interrupts.filter(|interrupt| interrupt.when != When::Never);
    let interrupts = interrupts.filter_map(|interrupt| program.function(&interrupt.function));
    let mut found: BTreeSet<Func> = interrupts.collect();
    found.extend(gifts::given_away(program).iter().map(|(func, _)| *func));
    let mut roots = vec![start];
    roots.extend(&found);
    let reached = reach::reachable(program, &roots);
    let taken = reach::address_taken(program).into_iter();
    found.extend(taken.filter(|func| !reached[func.index()]));
    found.retain(|func| {
        let function = &program.functions[*func];
        let is_task = scenario.power.tasks.contains(&function.name);
        function.origin == Origin::User && function.body.is_some() && !is_task
    });
    found
}

/// The user's functions that nobody calls.
fn idle(prepared: &Prepared) -> Vec<String> {
    let Some(start) = prepared.start else {
        return Vec::new();
    };
    let program = &prepared.program;
    let mut roots = vec![start];
    roots.extend(others(prepared));
    let reached = reach::reachable(program, &roots);
    let functions = program.functions.iter();
    let idle = functions.filter(|(func, function)| {
        let is_code = function.origin == Origin::User && function.body.is_some();
        is_code && function.exported && !reached[func.index()]
    });
    idle.map(|(_, function)| function.name.clone()).collect()
}

/// What a scenario says that the proof does not follow.
fn unfollowed(scenario: &Scenario) -> Option<String> {
    if !scenario.flash.is_empty() {
        return Some("flash".to_owned());
    }
    if !scenario.memory.ghosts.is_empty() {
        return Some("ghosts".to_owned());
    }
    // Those at addresses are not seen, so their effect must not matter.
    let mut outputs = scenario.outputs.iter().filter(|output| {
        let unseen = matches!(
            output.source,
            Source::Address { .. } | Source::Result { .. }
        );
        unseen && (output.semantics.is_some() || !output.effect.is_empty())
    });
    if let Some(output) = outputs.next() {
        return Some(format!("output `{}` at an address", output.source.name()));
    }
    None
}

/// What the proof has to know beside the program.
pub fn question(prepared: &Prepared, setting: &Setting) -> Question {
    let Prepared {
        program, scenario, ..
    } = prepared;
    let names: Vec<&String> = scenario.environment.keys().collect();
    let mut question = Question {
        refused: unfollowed(scenario)
            .or_else(|| unknown::kept_at_addresses(program, scenario))
            .or_else(|| unknown::doubtful_objects(scenario))
            .or_else(|| {
                let words = "writes of which none is to non-volatile memory";
                unknown::keeps_nothing(prepared).then(|| words.to_owned())
            }),
        environment: names.len(),
        atomic_write: scenario.memory.atomic_write,
        volatile: match scenario.power.policy.recovery() {
            Recovery::Task => Volatile::Initialised,
            Recovery::Checkpoint => Volatile::Restored,
            Recovery::Restart => Volatile::StartedOver,
        },
        handlers: called_by_hardware(prepared),
        idle: idle(prepared),
        excluded: setting.aware.clone(),
        retained: prepared.bindings.retained.clone(),
        ..Question::default()
    };
    for input in scenario.inputs.iter().filter(|input| input.is_declared) {
        let Some(values) = given(input) else { continue };
        let name = input.source.name().to_owned();
        match &input.source {
            Source::Function(function) => {
                if let Some(func) = program.function(function) {
                    question.inputs.insert(func, Given { name, values });
                }
            }
            Source::Register(register) if input.mask.is_none() => {
                let mut globals = program.globals.iter();
                if let Some((global, _)) = globals.find(|(_, data)| data.name == *register) {
                    question
                        .input_registers
                        .insert(global, Given { name, values });
                }
            }
            Source::Register(_) | Source::Address { .. } | Source::Result { .. } => {}
        }
    }
    for output in &scenario.outputs {
        let effect = absorbed(output, &names);
        match &output.source {
            Source::Function(name) => {
                if let Some(func) = program.function(name) {
                    question.outputs.insert(
                        func,
                        Output {
                            name: name.clone(),
                            effect,
                        },
                    );
                }
            }
            Source::Register(name) => {
                let mut globals = program.globals.iter();
                if let Some((global, _)) = globals.find(|(_, data)| data.name == *name) {
                    question.registers.insert(
                        global,
                        Output {
                            name: name.clone(),
                            effect,
                        },
                    );
                }
            }
            Source::Address { .. } | Source::Result { .. } => {}
        }
    }
    question
}

/// What an input gives, if the scenario says so for all readings. A function that fills a buffer gives
/// what it returns.
fn given(input: &Input) -> Option<Values> {
    match (&input.fills, &input.values) {
        (Some(fill), _) => Some(Values::OneOf(vec![fill.returns?])),
        (None, ValueSource::Constant(value)) => Some(Values::OneOf(vec![*value])),
        (None, ValueSource::Cycle(values)) if values.is_empty() => Some(Values::OneOf(vec![0])),
        (None, ValueSource::Cycle(values)) => Some(Values::OneOf(values.clone())),
        (None, ValueSource::Range { low, high, .. }) => Some(Values::Within(*low, *high)),
        // What it was, or what a script says, depends on more than is followed here.
        (None, _) => None,
    }
}

/// How an output changes the environment.
fn absorbed(output: &brownout_scenario::Output, names: &[&String]) -> Absorbed {
    let changes = match &output.effect {
        Effect::Script(_) => return Absorbed::Unknown,
        Effect::Changes(changes) => changes,
    };
    let tagged = match output.semantics {
        Some(Semantics::Absolute) => Absorbed::Absolute,
        Some(Semantics::Relative) => Absorbed::Relative,
        Some(Semantics::AtMostOnce) => Absorbed::AtMostOnce,
        None => Absorbed::Repeatable,
    };
    if changes.is_empty() {
        return tagged;
    }
    let number = |name: &String| names.iter().position(|other| *other == name);
    let mut found = Vec::new();
    for change in changes {
        let operand = match &change.operand {
            Operand::Argument(index) => brownout_verify::Operand::Argument(*index),
            Operand::Number(number) => brownout_verify::Operand::Number(*number),
            Operand::Value(name) => match number(name) {
                Some(value) => brownout_verify::Operand::Value(value),
                None => return Absorbed::Unknown,
            },
        };
        let Some(value) = number(&change.name) else {
            return Absorbed::Unknown;
        };
        use brownout_verify::Operator as To;
        let operator = match change.operator {
            Operator::Assign => To::Assign,
            Operator::Add => To::Add,
            Operator::Subtract => To::Subtract,
            Operator::Multiply => To::Multiply,
            Operator::And => To::And,
            Operator::Or => To::Or,
            Operator::ExclusiveOr => To::ExclusiveOr,
        };
        found.push(Change {
            value,
            operator,
            operand,
        });
    }
    Absorbed::Changes(found)
}
