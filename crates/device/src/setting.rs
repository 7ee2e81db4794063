//! What static analysis has to know of a program: the scenario in its terms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_flow::ranges::{Range as Span, Readings};
use brownout_flow::{
    Boundaries, Commits, Entries, Fill, Length, Model, Restart, Role, Saved, Setting,
};
use brownout_ir::source::Place;
use brownout_ir::{Func, Global, Id, Origin, Program, Terminator, Type, gifts, reach};
use brownout_scenario::{
    Exposure, Extent, Input, Mmio, Recovery, Saves, Scenario, Source, ValueSource,
};

use crate::interrupts;
use crate::prepared::Prepared;

/// What static analysis needs to know of a scenario. Without a start every function that others
/// can call is an entry.
pub fn setting(prepared: &Prepared, restart: Option<Restart>) -> Setting {
    let Prepared {
        program,
        scenario,
        start,
        ..
    } = prepared;
    let policy = scenario.power.policy;
    let commits = match (restart, policy.recovery(), policy.exposure()) {
        (_, Recovery::Restart, _) => Commits::Never,
        (None, _, Exposure::Anywhere { .. }) => Commits::Anywhere,
        (_, _, Exposure::SinceCall { .. }) => Commits::Perhaps,
        (_, _, Exposure::Region | Exposure::Anywhere { .. }) => Commits::Always,
    };
    let restart = match (restart, commits) {
        // Right before an input is where a checkpoint does least for it.
        (None, Commits::Anywhere) | (Some(Restart::Input), _) => Restart::Input,
        (Some(Restart::Function), _) => Restart::Function,
        (None | Some(Restart::Boundary), _) => Restart::Boundary,
    };
    let globals: BTreeMap<&str, Global> = program
        .globals
        .iter()
        .map(|(id, global)| (global.name.as_str(), id))
        .collect();
    let named = |name: &String| globals.get(name.as_str()).copied();
    Setting {
        entries: match *start {
            None => Entries::Library(callable(program)),
            Some(start) => Entries::Program(start, called_by_others(program, scenario, start)),
        },
        roles: roles(program, scenario),
        input_registers: input_registers(scenario, &globals),
        input_addresses: input_addresses(scenario),
        readings: readings(program, scenario, &globals),
        device_inputs: scenario.mmio == Some(Mmio::Input),
        nonvolatile: scenario
            .memory
            .nonvolatile_globals
            .iter()
            .filter_map(named)
            .collect(),
        stack: scenario.memory.stack,
        heap: scenario.memory.heap,
        passed: match *start {
            None => scenario.memory.passed,
            // All that its handlers and callbacks are passed is the program's.
            Some(_) => !scenario.memory.nonvolatile.is_empty(),
        },
        atomic_write: scenario.memory.atomic_write,
        saved: match &scenario.power.saves {
            Saves::Everything => Saved::Everything,
            Saves::Symbols(names) => Saved::Globals(names.iter().filter_map(named).collect()),
        },
        aware: scenario
            .variables
            .iter()
            .filter(|variable| variable.intermittence_aware)
            .filter_map(|variable| named(&variable.name))
            .collect(),
        restart,
        commits,
        boundaries: match policy.recovery() {
            Recovery::Task => Boundaries::Tasks,
            Recovery::Checkpoint | Recovery::Restart => Boundaries::Checkpoints,
        },
        tasks: match policy.recovery() {
            Recovery::Task => prepared.tasks().into_iter().collect(),
            Recovery::Checkpoint | Recovery::Restart => BTreeSet::new(),
        },
        gaps: gaps(prepared),
        deaths_are_ends: false,
        unpromoted: BTreeSet::new(),
        follows_decided: false,
        interrupt: prepared.interrupt,
    }
}

/// What could not be translated, in words.
fn gaps(prepared: &Prepared) -> BTreeMap<(Func, Option<Place>), String> {
    let program = &prepared.program;
    let gaps = prepared.gaps.iter().filter_map(|gap| {
        let func = gap.function?;
        let what = format!("{} in `{}`", gap.what, program.functions[func].name);
        Some(((func, gap.place), what))
    });
    gaps.collect()
}

/// Functions of a program that it does not call itself: interrupt handlers that run, tasks.
fn called_by_others(program: &Program, scenario: &Scenario, start: Func) -> Vec<Func> {
    let reached = reach::reachable(program, &[start]);
    let given = gifts::given_away(program);
    let is_given = |func: Func| given.iter().any(|&(callback, _)| callback == func);
    let functions = program.functions.iter().filter(|(func, function)| {
        let is_task = scenario.power.tasks.contains(&function.name);
        let is_idle = scenario.idle_handlers.contains(&function.name);
        let is_code = function.origin == Origin::User && function.body.is_some() && !is_idle;
        let is_unreached = function.exported && !reached[func.index()];
        is_code && (is_task || is_unreached || is_given(*func))
    });
    functions.map(|(func, _)| func).collect()
}

/// The functions that users of a library can call, by name or through a pointer that they may get hold
/// of: callbacks, tables of handlers. All of them if there are none.
pub fn callable(program: &Program) -> Vec<Func> {
    let defined = || {
        let functions = program.functions.iter();
        functions.filter(|(_, function)| {
            let is_users = function.origin == Origin::User && function.body.is_some();
            is_users && !is_deleting(&function.name)
        })
    };
    let taken = reach::address_taken(program);
    let entries: Vec<Func> = defined()
        .filter(|(func, function)| function.exported || taken.contains(func))
        .map(|(func, _)| func)
        .collect();
    if entries.is_empty() {
        defined().map(|(func, _)| func).collect()
    } else {
        entries
    }
}

/// Whether a function deletes an object of C++ from the heap, by its name: what its destructor does, another function does
/// as well.
fn is_deleting(name: &str) -> bool {
    name.starts_with("_ZN") && name.ends_with("D0Ev")
}

fn roles(program: &Program, scenario: &Scenario) -> BTreeMap<Func, Role> {
    let mut roles = BTreeMap::new();
    let mut give = |name: &str, role: Role| {
        if let Some(func) = program.function(name) {
            roles.insert(func, role);
        }
    };
    for name in &scenario.ignore {
        give(name, Role::Silent);
    }
    for name in &scenario.pure {
        give(name, Role::Pure);
    }
    for name in ["brownout_atomic_begin", "brownout_atomic_end"] {
        give(name, Role::Silent);
    }
    for name in &scenario.power.checkpoints {
        give(name, Role::Checkpoint);
    }
    for name in &scenario.power.transitions {
        let function = program.function(name).map(|func| &program.functions[func]);
        let body = function.and_then(|function| function.body.as_ref());
        // A runtime that never comes back goes on at tasks that are known by name.
        let is_left = body.is_none_or(|body| {
            let mut blocks = body.blocks.values();
            let returns = blocks.any(|data| matches!(data.terminator, Terminator::Return(_)));
            !returns && !scenario.power.tasks.is_empty()
        });
        if is_left {
            give(name, Role::Checkpoint);
        }
    }
    for output in &scenario.outputs {
        if let Source::Function(name) = &output.source {
            give(name, Role::Silent);
        }
    }
    for input in &scenario.inputs {
        if let Source::Function(name) = &input.source {
            give(name, Role::Input(as_fills(input.fills.as_ref())));
        }
    }
    roles
}

fn input_registers(scenario: &Scenario, globals: &BTreeMap<&str, Global>) -> BTreeSet<Global> {
    let inputs = scenario.inputs.iter();
    inputs
        .filter_map(|input| match &input.source {
            Source::Register(name) => globals.get(name.as_str()).copied(),
            Source::Function(_) | Source::Address { .. } | Source::Result { .. } => None,
        })
        .collect()
}

fn input_addresses(scenario: &Scenario) -> BTreeSet<u64> {
    let inputs = scenario.inputs.iter();
    inputs
        .filter_map(|input| match input.source {
            Source::Address { address, .. } => Some(address),
            Source::Function(_) | Source::Register(_) | Source::Result { .. } => None,
        })
        .collect()
}

/// What inputs give: the values and ranges that the scenario declares.
fn readings(program: &Program, scenario: &Scenario, globals: &BTreeMap<&str, Global>) -> Readings {
    let mut readings = Readings::default();
    let whole = |input: &&Input| input.is_declared && input.fills.is_none() && input.mask.is_none();
    for input in scenario.inputs.iter().filter(whole) {
        let (low, high) = match &input.values {
            ValueSource::Range { low, high, .. } => (*low, *high),
            ValueSource::Constant(value) => (*value, *value),
            ValueSource::Cycle(values) => match (values.iter().min(), values.iter().max()) {
                (Some(low), Some(high)) => (*low, *high),
                _ => continue,
            },
            _ => continue,
        };
        match &input.source {
            Source::Function(name) => {
                let func = program.function(name);
                let results = func.map_or(&[][..], |func| &program.functions[func].results);
                if let (Some(func), &[ty @ Type::Int(_)]) = (func, results)
                    && let Some(range) = Span::between(low, high, ty.bits(&program.target))
                {
                    readings.functions.insert(func, range);
                }
            }
            Source::Register(name) => {
                if let Some(&global) = globals.get(name.as_str())
                    && let bits = 8 * program.globals[global].size.min(8) as u32
                    && let Some(range) = Span::between(low, high, bits)
                {
                    readings.registers.insert(global, range);
                }
            }
            Source::Address { .. } | Source::Result { .. } => {}
        }
    }
    readings
}

/// Bytes behind pointer arguments that a function reads and never writes, by function and argument.
pub type Told = BTreeMap<(Func, u32), Vec<Range<u64>>>;

/// What the functions of a library are told by their callers through pointers.
pub fn told(prepared: &Prepared) -> Told {
    let setting = setting(prepared, None);
    let program = analysed_program(prepared);
    // Where nobody knows, callers are taken to tell nothing.
    Model::new(&program, &setting).map_or_else(
        |_| Told::new(),
        |model| brownout_flow::passed::told_by_callers(&model),
    )
}

/// A program as static analysis looks at it: handlers are called, and functions give what the scenario says.
pub fn analysed_program(prepared: &Prepared) -> Program {
    let interrupted = prepared.interrupts();
    let interrupted = interrupted.map(|found| interrupts::as_calls(&prepared.program, found));
    let program = interrupted.as_ref().unwrap_or(&prepared.program);
    with_constants(program, &prepared.scenario)
}

/// How static analysis takes buffers that are filled.
pub fn as_fills(fill: Option<&brownout_scenario::Fill>) -> Vec<Fill> {
    let buffers = fill.into_iter().flat_map(|fill| &fill.buffers);
    let fills = buffers.filter_map(|buffer| {
        let (argument, members) = buffer.pointer.as_reference()?;
        Some(Fill {
            argument,
            members: members
                .iter()
                .map(|member| member.place.offset as i64)
                .collect(),
            length: match &buffer.length {
                Extent::Computed(length) => match length.as_multiple() {
                    Some((argument, factor)) => Length::Argument(argument, factor),
                    None => Length::Unknown,
                },
                Extent::Bytes(bytes) => Length::Bytes(*bytes),
                Extent::Result => Length::Result,
                Extent::Pointee => Length::Unknown,
            },
        })
    });
    fills.collect()
}

/// The program with what the scenario says that functions always give: constants, and the results of those
/// that fill buffers. Another reading gives the same, so nothing depends on it. It is handed on by functions that
/// return it.
pub fn with_constants(program: &Program, scenario: &Scenario) -> Program {
    let known = scenario.inputs.iter().filter_map(|input| {
        let Source::Function(name) = &input.source else {
            return None;
        };
        let constant = match (&input.fills, &input.values) {
            (Some(fill), _) => fill.returns?,
            (None, ValueSource::Constant(constant)) => *constant,
            (None, _) => return None,
        };
        Some((program.function(name)?, constant))
    });
    brownout_flow::constants::with_constants(program, known.collect())
}
