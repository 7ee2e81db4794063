//! Inputs, outputs, variables and peripherals: configuration first, then annotations.
//!
//! An annotated object that the configuration also describes is one input, output or variable; the
//! annotation then only says what the configuration leaves open.

use std::collections::BTreeMap;

use super::Resolver;
use crate::config::Config;
use crate::effect::{Change, Operand};
use crate::error::{Place, Problem};
use crate::facts::Annotation;
use crate::read::Located;
use crate::scenario::{Fill, Input, Model, Output, Peripheral, Semantics, Source, Variable};
use crate::schema::{InputSettings, Settings, SourceSettings};
use crate::suggest::nearest;
use crate::values::ValueSource;

pub(super) fn inputs(resolver: &mut Resolver<'_>, config: &Config) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for settings in config.settings.inputs.iter().flatten() {
        let Some((source, place)) = source(resolver, "input", &settings.source) else {
            continue;
        };
        if inputs.iter().any(|input| input.source == source) {
            duplicate(resolver, "input", place, source.name());
            continue;
        }
        let Some(values) = values(resolver, config, settings, &source) else {
            continue;
        };
        inputs.push(Input {
            source,
            values,
            fills: settings.fills.as_ref().map(|argument| Fill {
                argument: argument.value,
                length: settings.length.as_ref().map(|length| length.value),
            }),
            model: settings.model.as_ref().map(|model| model.value),
        });
    }
    for (source, annotations) in annotated(resolver) {
        let model = annotations.iter().find_map(model_of);
        if let Some(input) = inputs.iter_mut().find(|input| input.source == source) {
            input.model = input.model.or(model);
        } else if annotations.contains(&Annotation::Input) {
            inputs.push(Input {
                values: without_values(resolver, &source),
                source,
                fills: None,
                model,
            });
        }
    }
    inputs
}

fn values(
    resolver: &mut Resolver<'_>,
    config: &Config,
    settings: &InputSettings,
    source: &Source,
) -> Option<ValueSource> {
    let seed = settings.seed.as_ref().map(|seed| seed.value);
    if let Some(values) = &settings.values {
        return Some(ValueSource::Cycle(values.value.clone()));
    }
    if let Some(&[low, high]) = settings.range.as_ref().map(|range| &range.value[..]) {
        let seed = seed.unwrap_or(0);
        return Some(ValueSource::Range { low, high, seed });
    }
    if let Some(constant) = &settings.constant {
        return Some(ValueSource::Constant(constant.value));
    }
    if let Some(trace) = &settings.trace {
        let values = config.traces.get(&trace.value);
        if values.is_none() {
            let path = trace.value.clone();
            resolver.report(
                "input.trace",
                trace.place,
                Problem::TraceNotSupplied { path },
            );
        }
        return values.cloned().map(ValueSource::Cycle);
    }
    if let Some(script) = &settings.script {
        let instead = "give `values`, `range`, `constant` or `trace`";
        resolver.report(
            "input.script",
            script.place,
            Problem::Unsupported { instead },
        );
        return None;
    }
    Some(match seed {
        Some(seed) => ValueSource::Random { seed },
        None => without_values(resolver, source),
    })
}

fn without_values(resolver: &mut Resolver<'_>, source: &Source) -> ValueSource {
    let name = source.name();
    resolver.note(format!(
        "input `{name}` has no values: pseudo-random over its type, seed 0"
    ));
    ValueSource::Random { seed: 0 }
}

pub(super) fn outputs(
    resolver: &mut Resolver<'_>,
    settings: &Settings,
    environment: &BTreeMap<String, i64>,
) -> Vec<Output> {
    let mut outputs: Vec<Output> = Vec::new();
    for settings in settings.outputs.iter().flatten() {
        let Some((source, place)) = source(resolver, "output", &settings.source) else {
            continue;
        };
        if outputs.iter().any(|output| output.source == source) {
            duplicate(resolver, "output", place, source.name());
            continue;
        }
        if let Some(effect) = &settings.effect {
            check_changes(resolver, effect, environment);
        }
        outputs.push(Output {
            source,
            semantics: settings.semantics.as_ref().map(|semantics| semantics.value),
            changes: settings
                .effect
                .as_ref()
                .map_or_else(Vec::new, |effect| effect.value.clone()),
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
                changes: Vec::new(),
                takes: None,
            }),
        }
    }
    outputs
}

fn check_changes(
    resolver: &mut Resolver<'_>,
    effect: &Located<Vec<Change>>,
    environment: &BTreeMap<String, i64>,
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
    for (source, annotations) in annotated(resolver) {
        let Source::Register(name) = source else {
            continue;
        };
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

pub(super) fn consistent(resolver: &mut Resolver<'_>, settings: &Settings) -> Vec<Vec<String>> {
    let groups = settings.consistent.iter().flatten();
    groups
        .map(|group| {
            for name in group {
                resolver.check_variable("consistent", name);
            }
            group.iter().map(|name| name.value.clone()).collect()
        })
        .collect()
}

pub(super) fn peripherals(resolver: &mut Resolver<'_>, settings: &Settings) -> Vec<Peripheral> {
    let mut peripherals = Vec::new();
    for settings in settings.peripherals.iter().flatten() {
        let given = settings.registers.as_deref().unwrap_or(&[]);
        let registers = resolver.symbols("peripheral.registers", given);
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

/// A function cannot both do nothing and be an input or output.
pub(super) fn check_ignored(resolver: &mut Resolver<'_>, settings: &Settings, ignored: &[String]) {
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
        if let Some(function) = &source.function
            && ignored.contains(&function.value)
        {
            resolver.report(key, function.place, Problem::Conflict { other: "ignore" });
        }
    }
}

fn source(
    resolver: &mut Resolver<'_>,
    section: &str,
    settings: &SourceSettings,
) -> Option<(Source, Place)> {
    let before = resolver.errors.len();
    let found = match (&settings.function, &settings.register) {
        (Some(function), _) => {
            resolver.check_function(&format!("{section}.function"), function);
            (Source::Function(function.value.clone()), function.place)
        }
        (None, Some(register)) => {
            resolver.check_symbol(&format!("{section}.register"), register);
            (Source::Register(register.value.clone()), register.place)
        }
        (None, None) => return None,
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
        .map(|(source, texts)| {
            (
                source,
                Annotation::all(texts).filter_map(Result::ok).collect(),
            )
        })
        .collect()
}

fn model_of(annotation: &Annotation) -> Option<Model> {
    match annotation {
        Annotation::Model(model) => Some(*model),
        Annotation::Nonvolatile
        | Annotation::Input
        | Annotation::Output(_)
        | Annotation::IntermittenceAware => None,
    }
}

fn semantics_of(annotation: &Annotation) -> Option<Option<Semantics>> {
    match annotation {
        Annotation::Output(semantics) => Some(*semantics),
        Annotation::Nonvolatile
        | Annotation::Input
        | Annotation::Model(_)
        | Annotation::IntermittenceAware => None,
    }
}
