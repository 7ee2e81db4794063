//! What a configuration can name of a program, and the scenario that the two make.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::variables;
use brownout_ir::{Func, Function, Origin, Program, Type};
use brownout_scenario::{Config, FunctionFacts, GlobalFacts, Parameter, ProgramFacts, Scenario};

use crate::error::Error;
use crate::interrupts;
use crate::prepared::ReadSource;
use crate::registers::registers;
use crate::unknown;
use crate::vectors::vectors;

/// What a configuration can name of a function of the user's.
struct UserFunction {
    func: Func,
    locals: Vec<String>,
    annotated_locals: Vec<(String, Vec<String>)>,
    parameters: Vec<Parameter>,
    spellings: Vec<String>,
}

/// The variables of a function of which the source says something.
fn annotated_locals(function: &Function) -> Vec<(String, Vec<String>)> {
    let slots = function.body.iter().flat_map(|body| body.slots.values());
    let annotated = slots.filter(|slot| !slot.annotations.is_empty());
    annotated
        .filter_map(|slot| Some((slot.name.clone()?, slot.annotations.clone())))
        .collect()
}

pub(crate) fn resolve(
    program: &Program,
    config: &Config,
    is_library: bool,
    sources: ReadSource<'_>,
) -> Result<Scenario, Error> {
    let users = program.functions.iter();
    let users: Vec<UserFunction> = users
        .filter(|(_, function)| function.origin == Origin::User)
        .map(|(func, function)| {
            let parameters = function.params.iter().map(|ty| match ty {
                Type::Ptr => Parameter::Pointer,
                _ => Parameter::Value,
            });
            UserFunction {
                func,
                locals: variables::locals(program, func),
                annotated_locals: annotated_locals(function),
                parameters: parameters.collect(),
                spellings: brownout_ir::spellings(&function.name),
            }
        })
        .collect();
    let handlers = users.iter().map(|user| &program.functions[user.func]);
    let handlers = handlers.filter(|function| !function.annotations.is_empty());
    let handlers: BTreeSet<&str> = handlers.map(|function| function.name.as_str()).collect();
    let vectors = match config.chip() {
        Some(_) => vectors(program, &handlers, sources),
        None => BTreeMap::new(),
    };
    let functions: Vec<FunctionFacts<'_>> = users
        .iter()
        .map(|user| {
            let function = &program.functions[user.func];
            FunctionFacts {
                name: &function.name,
                defined: function.body.is_some(),
                annotations: &function.annotations,
                spellings: &user.spellings,
                parameters: &user.parameters,
                arguments: (!function.variadic).then_some(function.params.len() as u32),
                locals: &user.locals,
                annotated_locals: &user.annotated_locals,
                vector: vectors.get(&function.name).map(String::as_str),
            }
        })
        .collect();
    let written = interrupts::written(program);
    let devices = unknown::volatile_globals(program);
    let globals: Vec<GlobalFacts<'_>> = program
        .globals
        .iter()
        .filter(|(_, global)| global.origin == Origin::User)
        .map(|(id, global)| GlobalFacts {
            name: &global.name,
            section: global.section.as_deref(),
            annotations: &global.annotations,
            size: global.size,
            is_constant: global.constant,
            // Other files of a library define its plain variables.
            is_external: global.init.is_none()
                && (!is_library || global.constant || devices.contains(&id)),
            is_only_read: !written.contains(&global.name),
        })
        .collect();
    let registers = registers(program);
    let polled: Vec<(String, u64)> = (registers.polled.iter())
        .map(|(register, &bits)| (register.name(program), bits))
        .collect();
    let facts = ProgramFacts {
        target: Some(&program.target.name),
        functions: &functions,
        globals: &globals,
        addresses: &brownout_vm::device_addresses(program),
        read_addresses: &registers.read_addresses,
        polled: &polled,
        passed_addresses: &brownout_vm::passed_addresses(program),
        is_library,
        sleeps: interrupts::sleeps(program),
        vectors: &interrupts::vectors(program),
        dropped: &dropped(program, config, sources),
    };
    Scenario::resolve(config, &facts).map_err(Error::Config)
}

/// Tasks of the configuration that the program does not have any more, although its sources name them.
fn dropped(program: &Program, config: &Config, sources: ReadSource<'_>) -> Vec<String> {
    let missing = config
        .tasks()
        .filter(|name| program.function(name).is_none());
    let missing: Vec<&str> = missing.collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let texts = program.source.files.values();
    // A file that is gone names nothing.
    let texts = texts.filter_map(|file| String::from_utf8(sources(file)?).ok());
    let texts: Vec<String> = texts.collect();
    let is_function = |text: &str, name: &str| {
        let mut behind = text
            .match_indices(name)
            .map(|(at, _)| &text[at + name.len()..]);
        behind.any(|rest| rest.trim_start().starts_with('('))
    };
    let is_named = |name: &str| texts.iter().any(|text| is_function(text, name));
    let named = missing.into_iter().filter(|name| is_named(name));
    named.map(str::to_owned).collect()
}
