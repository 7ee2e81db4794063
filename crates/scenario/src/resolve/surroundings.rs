//! Inputs, outputs, variables and peripherals: configuration first, then annotations.
//!
//! An annotated object that the configuration also describes is one input, output or variable; the
//! annotation then only says what the configuration leaves open.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Resolver;
use crate::argument::ArgumentExpression;
use crate::config::{Config, is_script_file};
use crate::effect::{ARGUMENTS, Change, Effect, Operand};
use crate::error::{Place, Problem};
use crate::facts::Annotation;
use crate::glob;
use crate::read::Located;
use crate::scenario::{
    Buffer, Extent, Fill, Input, Model, Output, Peripheral, Semantics, Source, Variable,
    fixed_address,
};
use crate::schema::{InputSettings, Settings, SourceSettings};
use crate::script::Script;
use crate::suggest::nearest;
use crate::trace::{AtEnd, Trace};
use crate::values::ValueSource;

/// The values of the environment, with what they are at first.
type Environment = BTreeMap<String, i64>;

pub(super) fn inputs(
    resolver: &mut Resolver<'_>,
    config: &Config,
    environment: &Environment,
) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for settings in config.settings.inputs.iter().flatten() {
        let Some((source, place)) = source(resolver, "input", &settings.source) else {
            continue;
        };
        if inputs.iter().any(|input| input.source == source) {
            duplicate(resolver, "input", place, source.name());
            continue;
        }
        let Some(values) = values(resolver, config, settings, &source, environment) else {
            continue;
        };
        if let Some(Located {
            value,
            place: Place::Profile { .. },
        }) = settings.returns
        {
            let name = source.name();
            resolver.note(format!(
                "input `{name}` succeeds: it returns {value} (its profile says so; describe it without `returns` for failures)"
            ));
        }
        check_filled(resolver, settings, &source);
        inputs.push(Input {
            source,
            values,
            mask: settings.mask.as_ref().map(|mask| mask.value),
            fills: fill(settings),
            model: settings.model.as_ref().map(|model| model.value),
            is_declared: true,
        });
    }
    for (source, annotations) in annotated(resolver) {
        let model = annotations.iter().find_map(model_of);
        if let Some(input) = inputs.iter_mut().find(|input| input.source == source) {
            input.model = input.model.or(model);
        } else if let Some(declared) = annotations.iter().find_map(values_of) {
            let is_declared = matches!(declared, Some(ValueSource::Range { .. }));
            let values = declared.unwrap_or_else(|| without_values(resolver, &source));
            inputs.push(Input {
                values,
                source,
                mask: None,
                fills: None,
                model,
                is_declared,
            });
        }
    }
    inputs
}

/// Checks that a function has the arguments that say what it fills.
fn check_filled(resolver: &mut Resolver<'_>, settings: &InputSettings, source: &Source) {
    let Source::Function(function) = source else {
        return;
    };
    if let Some(fills) = &settings.fills {
        let mentioned = fills.value.iter().flat_map(ArgumentExpression::mentioned);
        for argument in mentioned {
            resolver.check_argument("input.fills", fills.place, function, argument, false);
        }
    }
    if let Some(lengths) = &settings.length {
        for argument in lengths.value.iter().flat_map(Extent::mentioned) {
            resolver.check_argument("input.length", lengths.place, function, argument, false);
        }
    }
}

/// The buffers that an input fills.
fn fill(settings: &InputSettings) -> Option<Fill> {
    let pointers = settings.fills.as_ref()?;
    let lengths = settings.length.as_ref().map_or(&[][..], |it| &it.value);
    let width = settings.width.as_ref().map(|width| width.value);
    let buffers = pointers.value.iter().enumerate().map(|(index, pointer)| {
        let length = lengths.get(index).or(lengths.first()).cloned();
        Buffer {
            pointer: pointer.clone(),
            length: length.unwrap_or(width.map_or(Extent::Pointee, Extent::Bytes)),
            width: width.unwrap_or(1),
        }
    });
    Some(Fill {
        buffers: buffers.collect(),
        returns: settings.returns.as_ref().map(|returns| returns.value),
        place: Some(pointers.place),
    })
}

fn values(
    resolver: &mut Resolver<'_>,
    config: &Config,
    settings: &InputSettings,
    source: &Source,
    environment: &Environment,
) -> Option<ValueSource> {
    let seed = settings.seed.as_ref().map(|seed| seed.value);
    let at_end = settings.at_end.as_ref().map(|at_end| at_end.value);
    if let Some(values) = &settings.values {
        let values = values.value.clone();
        return Some(match at_end {
            None | Some(AtEnd::Repeat) => ValueSource::Cycle(values),
            Some(at_end) => ValueSource::Trace(Arc::new(Trace::of_values(values, at_end))),
        });
    }
    if let Some(&[low, high]) = settings.range.as_ref().map(|range| &range.value[..]) {
        let seed = seed.unwrap_or(0);
        return Some(ValueSource::Range { low, high, seed });
    }
    if let Some(constant) = &settings.constant {
        return Some(ValueSource::Constant(constant.value));
    }
    if settings.clock.as_ref().is_some_and(|clock| clock.value) {
        return Some(ValueSource::Clock);
    }
    if let Some(trace) = &settings.trace {
        return recorded(resolver, config, trace, at_end, source);
    }
    if let Some(script) = &settings.script {
        let names = ["index".to_owned(), "time".to_owned()];
        let script = compiled(
            resolver,
            config,
            "input.script",
            script,
            environment,
            &names,
        );
        return script.map(ValueSource::Script);
    }
    Some(match seed {
        Some(seed) => ValueSource::Random { seed },
        None => without_values(resolver, source),
    })
}

fn recorded(
    resolver: &mut Resolver<'_>,
    config: &Config,
    trace: &Located<String>,
    at_end: Option<AtEnd>,
    source: &Source,
) -> Option<ValueSource> {
    let path = trace.value.clone();
    let Some(rows) = config.traces.get(&path) else {
        resolver.report("input.trace", trace.place, Problem::NotSupplied { path });
        return None;
    };
    if at_end.is_none() {
        let name = source.name();
        resolver.note(format!(
            "input `{name}` holds the last value of {path} when it ends (`at-end`)"
        ));
    }
    let trace = Trace::new(rows.clone(), at_end.unwrap_or(AtEnd::Hold));
    Some(ValueSource::Trace(Arc::new(trace)))
}

/// A script, in the configuration itself or in a file.
fn compiled(
    resolver: &mut Resolver<'_>,
    config: &Config,
    key: &str,
    script: &Located<String>,
    environment: &Environment,
    locals: &[String],
) -> Option<Arc<Script>> {
    let (file, text) = if is_script_file(&script.value) {
        let path = &script.value;
        let Some(text) = config.scripts.get(path) else {
            let path = path.clone();
            resolver.report(key, script.place, Problem::NotSupplied { path });
            return None;
        };
        (Some(path.as_str()), text)
    } else {
        (None, &script.value)
    };
    let names = environment.keys().map(String::as_str);
    let locals: Vec<&str> = locals.iter().map(String::as_str).collect();
    match Script::compile(file, text, names, &locals) {
        Ok(script) => Some(Arc::new(script)),
        Err(error) => {
            resolver.report(key, script.place, Problem::BadScript(error));
            None
        }
    }
}

fn without_values(resolver: &mut Resolver<'_>, source: &Source) -> ValueSource {
    let name = source.name();
    resolver.note(format!(
        "input `{name}` has no values: pseudo-random over its type and what it is compared with"
    ));
    ValueSource::Random { seed: 0 }
}

pub(super) fn outputs(
    resolver: &mut Resolver<'_>,
    config: &Config,
    environment: &Environment,
) -> Vec<Output> {
    let mut outputs: Vec<Output> = Vec::new();
    for settings in config.settings.outputs.iter().flatten() {
        let Some((source, place)) = source(resolver, "output", &settings.source) else {
            continue;
        };
        // Parts of a register are outputs of their own.
        let mask = settings.mask.as_ref().map(|mask| mask.value);
        let same = |output: &Output| output.source == source && output.mask == mask;
        if outputs.iter().any(same) {
            duplicate(resolver, "output", place, source.name());
            continue;
        }
        let effect = match (&settings.effect, &settings.script) {
            (Some(effect), _) => {
                check_changes(resolver, effect, environment);
                check_effect(resolver, effect, &source);
                Effect::Changes(effect.value.clone())
            }
            (None, Some(script)) => {
                let key = "output.script";
                let count = arguments(resolver, &source).unwrap_or(ARGUMENTS);
                let names = (0..count.min(ARGUMENTS)).map(|index| format!("arg{index}"));
                let names: Vec<String> = names.collect();
                match compiled(resolver, config, key, script, environment, &names) {
                    Some(script) => Effect::Script(script),
                    None => continue,
                }
            }
            (None, None) => Effect::default(),
        };
        outputs.push(Output {
            source,
            semantics: settings.semantics.as_ref().map(|semantics| semantics.value),
            mask,
            effect,
            takes: settings.takes.as_ref().map(|takes| takes.value),
        });
    }
    for (source, annotations) in annotated(resolver) {
        let mut semantics = annotations.iter().filter_map(semantics_of);
        let Some(semantics) = semantics.next() else {
            continue;
        };
        match outputs.iter_mut().find(|output| output.source == source) {
            Some(output) => output.semantics = output.semantics.or(semantics),
            None => outputs.push(Output {
                source,
                semantics,
                mask: None,
                effect: Effect::default(),
                takes: None,
            }),
        }
    }
    outputs
}

fn check_changes(
    resolver: &mut Resolver<'_>,
    effect: &Located<Vec<Change>>,
    environment: &Environment,
) {
    for change in &effect.value {
        let read = match &change.operand {
            Operand::Value(name) => Some(name),
            Operand::Argument(_) | Operand::Number(_) => None,
        };
        for name in [Some(&change.name), read].into_iter().flatten() {
            if !environment.contains_key(name) {
                let nearest = nearest(name, environment.keys().map(String::as_str));
                let problem = Problem::UnknownValue {
                    name: name.clone(),
                    nearest: nearest.map(str::to_owned),
                };
                resolver.report("output.effect", effect.place, problem);
            }
        }
    }
}

/// How many arguments there are when an output acts, if that is known: a register has what is written.
fn arguments(resolver: &Resolver<'_>, source: &Source) -> Option<usize> {
    match source {
        Source::Function(name) => {
            let count = resolver.functions.get(name.as_str())?.arguments?;
            Some(count as usize)
        }
        Source::Register(_) | Source::Address { .. } => Some(1),
        Source::Result { .. } => None,
    }
}

/// Checks that the arguments exist of which changes are made.
fn check_effect(resolver: &mut Resolver<'_>, effect: &Located<Vec<Change>>, source: &Source) {
    let operands = effect.value.iter().map(|change| &change.operand);
    let arguments = operands.filter_map(|operand| match operand {
        Operand::Argument(argument) => Some(*argument),
        Operand::Number(_) | Operand::Value(_) => None,
    });
    for argument in arguments {
        match source {
            Source::Function(function) => {
                let key = "output.effect";
                resolver.check_argument(key, effect.place, function, argument, false);
            }
            Source::Register(_) | Source::Address { .. } if argument > 0 => {
                let problem = Problem::BadForm {
                    found: format!("arg{argument}"),
                    expected: "of `arg0`, which is what is written to the register",
                };
                resolver.report("output.effect", effect.place, problem);
            }
            Source::Register(_) | Source::Address { .. } | Source::Result { .. } => {}
        }
    }
}

pub(super) fn variables(resolver: &mut Resolver<'_>, settings: &Settings) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    for settings in settings.variables.iter().flatten() {
        let Some(name) = &settings.name else { continue };
        resolver.check_variable("variable.name", name);
        if variables.iter().any(|variable| variable.name == name.value) {
            duplicate(resolver, "variable", name.place, &name.value);
            continue;
        }
        variables.push(Variable {
            name: name.value.clone(),
            intermittence_aware: settings
                .intermittence_aware
                .as_ref()
                .is_some_and(|on| on.value),
            model: settings.model.as_ref().map(|model| model.value),
        });
    }
    let globals = annotated(resolver).into_iter().filter_map(|it| match it {
        (Source::Register(name), annotations) => Some((name, annotations)),
        _ => None,
    });
    let locals = resolver.functions.values().flat_map(|function| {
        let locals = function.annotated_locals.iter();
        locals.map(|(local, texts)| (format!("{}::{local}", function.name), ours(texts)))
    });
    for (name, annotations) in globals.chain(locals) {
        let model = annotations.iter().find_map(model_of);
        let intermittence_aware = annotations.contains(&Annotation::IntermittenceAware);
        if model.is_none() && !intermittence_aware {
            continue;
        }
        match variables.iter_mut().find(|variable| variable.name == name) {
            Some(variable) => {
                variable.model = variable.model.or(model);
                variable.intermittence_aware |= intermittence_aware;
            }
            None => variables.push(Variable {
                name,
                intermittence_aware,
                model,
            }),
        }
    }
    variables
}

pub(super) fn consistent(
    resolver: &mut Resolver<'_>,
    settings: &Settings,
    inputs: &[Input],
) -> Vec<Vec<String>> {
    let groups = settings.consistent.iter().flatten();
    groups
        .map(|group| {
            for name in group {
                let is_input = |input: &Input| input.source.name() == name.value;
                if !inputs.iter().any(is_input) {
                    resolver.check_variable("consistent", name);
                }
            }
            group.iter().map(|name| name.value.clone()).collect()
        })
        .collect()
}

pub(super) fn peripherals(resolver: &mut Resolver<'_>, settings: &Settings) -> Vec<Peripheral> {
    let mut peripherals = Vec::new();
    for settings in settings.peripherals.iter().flatten() {
        let given = settings.registers.as_deref().unwrap_or(&[]);
        let registers = resolver.registers("peripheral.registers", given);
        let users = settings.used_by.as_deref().unwrap_or(&[]);
        let used_by = resolver.functions("peripheral.used-by", users);
        let name = settings.name.as_ref().map(|name| &name.value);
        peripherals.push(Peripheral {
            name: name.or(registers.first()).cloned().unwrap_or_default(),
            registers,
            used_by,
        });
    }
    peripherals
}

/// A function cannot both do nothing, or only compute, and be an input or output.
pub(super) fn check_roles(
    resolver: &mut Resolver<'_>,
    settings: &Settings,
    ignored: &[String],
    pure: &[String],
) {
    let inputs = settings.inputs.iter().flatten().map(|input| &input.source);
    let outputs = settings
        .outputs
        .iter()
        .flatten()
        .map(|output| &output.source);
    let described = inputs
        .map(|source| ("input.function", source))
        .chain(outputs.map(|source| ("output.function", source)));
    for (key, source) in described {
        let Some(function) = source.function.as_ref().or(source.pointer.as_ref()) else {
            continue;
        };
        for (other, names) in [("ignore", ignored), ("pure", pure)] {
            if names.contains(&function.value) {
                resolver.report(key, function.place, Problem::Conflict { other });
            }
        }
    }
    for name in settings.pure.iter().flatten() {
        if ignored
            .iter()
            .any(|other| glob::matches(&name.value, other))
        {
            resolver.report("pure", name.place, Problem::Conflict { other: "ignore" });
        }
    }
}

fn source(
    resolver: &mut Resolver<'_>,
    section: &str,
    settings: &SourceSettings,
) -> Option<(Source, Place)> {
    let before = resolver.errors.len();
    let found = if let Some(function) = &settings.function {
        let key = format!("{section}.function");
        if resolver.is_for_another_program(&key, function) {
            return None;
        }
        resolver.check_function(&key, function);
        (Source::Function(function.value.clone()), function.place)
    } else if let Some(pointer) = &settings.pointer {
        resolver.check_function(&format!("{section}.pointer"), pointer);
        (Source::Function(pointer.value.clone()), pointer.place)
    } else if let Some(register) = &settings.register {
        if fixed_address(&register.value).is_none() {
            resolver.check_symbol(&format!("{section}.register"), register);
        }
        (Source::register(&register.value), register.place)
    } else {
        return None;
    };
    (resolver.errors.len() == before).then_some(found)
}

fn duplicate(resolver: &mut Resolver<'_>, key: &str, place: Place, name: &str) {
    let name = name.to_owned();
    resolver.report(key, place, Problem::Duplicate { name });
}

/// Every annotated function and global with our annotations, functions first, each sorted by name.
fn annotated(resolver: &Resolver<'_>) -> Vec<(Source, Vec<Annotation>)> {
    let functions = resolver.functions.values().map(|function| {
        (
            Source::Function(function.name.to_owned()),
            function.annotations,
        )
    });
    let globals = resolver
        .globals
        .values()
        .map(|global| (Source::Register(global.name.to_owned()), global.annotations));
    functions
        .chain(globals)
        .filter(|(_, texts)| !texts.is_empty())
        .map(|(source, texts)| (source, ours(texts)))
        .collect()
}

fn ours(texts: &[String]) -> Vec<Annotation> {
    Annotation::all(texts).filter_map(Result::ok).collect()
}

/// What an annotated input gives, if that is said.
fn values_of(annotation: &Annotation) -> Option<Option<ValueSource>> {
    match annotation {
        Annotation::Input => Some(None),
        &Annotation::InputRange(low, high) => Some(Some(ValueSource::Range { low, high, seed: 0 })),
        Annotation::Clock => Some(Some(ValueSource::Clock)),
        Annotation::Nonvolatile
        | Annotation::Output(_)
        | Annotation::Model(_)
        | Annotation::IntermittenceAware
        | Annotation::Interrupt
        | Annotation::Ghost => None,
    }
}

fn model_of(annotation: &Annotation) -> Option<Model> {
    match annotation {
        Annotation::Model(model) => Some(*model),
        Annotation::Nonvolatile
        | Annotation::Input
        | Annotation::InputRange(..)
        | Annotation::Clock
        | Annotation::Output(_)
        | Annotation::IntermittenceAware
        | Annotation::Interrupt
        | Annotation::Ghost => None,
    }
}

fn semantics_of(annotation: &Annotation) -> Option<Option<Semantics>> {
    match annotation {
        Annotation::Output(semantics) => Some(*semantics),
        Annotation::Nonvolatile
        | Annotation::Input
        | Annotation::InputRange(..)
        | Annotation::Clock
        | Annotation::Model(_)
        | Annotation::IntermittenceAware
        | Annotation::Interrupt
        | Annotation::Ghost => None,
    }
}
