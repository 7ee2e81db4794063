//! What profiles say of the functions that a program has, added to what the configuration says.
//!
//! **Invariant**: a profile describes functions without a body, and commits; the program's own code says
//! more about itself than a profile can. What the configuration describes itself, or an earlier profile, is
//! left alone.

use crate::argument::ArgumentExpression;
use crate::config::Config;
use crate::facts::{FunctionFacts, Parameter, ProgramFacts};
use crate::glob;
use crate::profiles::Read;
use crate::read::Located;
use crate::scenario::{AppliedProfile, Extent, fixed_address};
use crate::schema::{InputSettings, Settings, SourceSettings};

/// The configuration with what its profiles say of this program, and which of them said what.
pub(super) fn merged(config: &Config, facts: &ProgramFacts<'_>) -> (Config, Vec<AppliedProfile>) {
    let mut merged = config.clone();
    let mut applied = Vec::new();
    for (name, profile) in config.profiles() {
        let describes = add(&mut merged.settings, &profile, facts);
        let is_mark = |name: &String| match &profile.marks {
            Some(marks) => marks.iter().any(|mark| glob::matches(&mark.value, name)),
            None => true,
        };
        applied.push(AppliedProfile {
            name: name.to_owned(),
            is_recognised: describes.iter().any(is_mark),
            describes,
        });
    }
    (merged, applied)
}

/// Adds what a profile says. The names of the program that it describes.
fn add(settings: &mut Settings, profile: &Read, facts: &ProgramFacts<'_>) -> Vec<String> {
    let profile = &profile.settings;
    let before = settings.clone();
    let mut names = Vec::new();
    for input in profile.inputs.iter().flatten() {
        let fits = |function: &FunctionFacts<'_>| fits(function, input);
        for (source, name) in sources(&input.source, &before, &names, facts, &fits) {
            let input = InputSettings {
                source,
                ..input.clone()
            };
            settings.inputs.get_or_insert_default().push(input);
            names.push(name);
        }
    }
    for output in profile.outputs.iter().flatten() {
        for (source, name) in sources(&output.source, &before, &names, facts, &|_| true) {
            let output = crate::schema::OutputSettings {
                source,
                ..output.clone()
            };
            settings.outputs.get_or_insert_default().push(output);
            names.push(name);
        }
    }
    let power = &mut settings.power;
    let lists = [
        (&profile.ignore, &mut settings.ignore, Which::Undefined),
        (&profile.pure, &mut settings.pure, Which::Undefined),
        (
            &profile.power.checkpoints,
            &mut power.checkpoints,
            Which::All,
        ),
        (&profile.power.tasks, &mut power.tasks, Which::All),
        (
            &profile.power.transitions,
            &mut power.transitions,
            Which::All,
        ),
    ];
    for (patterns, list, which) in lists {
        for pattern in patterns.iter().flatten() {
            for name in matching(pattern, which, &before, &names, facts) {
                list.get_or_insert_default().push(Located {
                    value: name.clone(),
                    place: pattern.place,
                });
                names.push(name);
            }
        }
    }
    for interrupt in profile.interrupts.iter().flatten() {
        let Some(name) = &interrupt.function else {
            continue;
        };
        let mut functions = facts.functions.iter();
        let mut said = before.interrupts.iter().flatten();
        if functions.any(|function| function.name == name.value)
            && !said.any(|said| said.function.as_ref().map(|said| &said.value) == Some(&name.value))
        {
            let interrupts = settings.interrupts.get_or_insert_default();
            interrupts.push(interrupt.clone());
            names.push(name.value.clone());
        }
    }
    for (name, value) in &profile.environment {
        let known = settings.environment.entry(name.clone());
        known.or_insert_with(|| value.clone());
    }
    let runtime = profile.runtime.iter().flatten().cloned();
    settings.runtime.get_or_insert_default().extend(runtime);
    names
}

/// Which functions a name of a profile can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those without a body.
    Undefined,
    All,
}

/// The functions that a pattern means and that nobody has described.
fn matching(
    pattern: &Located<String>,
    which: Which,
    before: &Settings,
    names: &[String],
    facts: &ProgramFacts<'_>,
) -> Vec<String> {
    let functions = facts.functions.iter();
    let functions = functions.filter(|function| {
        (which == Which::All || !function.defined)
            && glob::matches(&pattern.value, function.name)
            && !is_described(before, function)
            && !names.iter().any(|name| name == function.name)
    });
    functions.map(|function| function.name.to_owned()).collect()
}

/// What a source of a profile is in this program: one for each function that it means.
fn sources(
    source: &SourceSettings,
    before: &Settings,
    names: &[String],
    facts: &ProgramFacts<'_>,
    fits: &dyn Fn(&FunctionFacts<'_>) -> bool,
) -> Vec<(SourceSettings, String)> {
    if let Some(register) = &source.register {
        let mut globals = facts.globals.iter();
        let is_there = fixed_address(&register.value).is_some()
            || globals.any(|global| global.name == register.value);
        let inputs = before.inputs.iter().flatten().map(|input| &input.source);
        let outputs = before.outputs.iter().flatten().map(|output| &output.source);
        let mut said = inputs
            .chain(outputs)
            .filter_map(|said| said.register.as_ref());
        let is_said = said.any(|said| said.value == register.value);
        return match is_there && !is_said {
            true => vec![(source.clone(), register.value.clone())],
            false => Vec::new(),
        };
    }
    let Some(pattern) = source.function.as_ref().or(source.pointer.as_ref()) else {
        return Vec::new();
    };
    let found = matching(pattern, Which::Undefined, before, names, facts).into_iter();
    let found = found.filter(|name| {
        let mut functions = facts.functions.iter();
        functions.any(|function| function.name == name && fits(function))
    });
    found
        .map(|name| {
            let located = Some(Located {
                value: name.clone(),
                place: pattern.place,
            });
            let source = match source.function {
                Some(_) => SourceSettings {
                    function: located,
                    ..SourceSettings::default()
                },
                None => SourceSettings {
                    pointer: located,
                    ..SourceSettings::default()
                },
            };
            (source, name)
        })
        .collect()
}

/// Whether a function can be what a profile says: where it fills a buffer, there is a pointer to one, and there is
/// what says how long that is.
fn fits(function: &FunctionFacts<'_>, input: &InputSettings) -> bool {
    let pointers = input.fills.iter().flat_map(|fills| &fills.value);
    let mut arguments = pointers.filter_map(ArgumentExpression::as_reference);
    let lengths = input.length.iter().flat_map(|lengths| &lengths.value);
    let mut mentioned = lengths.flat_map(Extent::mentioned);
    let is_there = |argument| function.arguments.is_none_or(|count| argument < count);
    mentioned.all(is_there)
        && arguments
            .all(|(at, _)| function.parameters.get(at as usize) == Some(&Parameter::Pointer))
}

/// Whether the configuration, an annotation or an earlier profile says what a function is.
fn is_described(settings: &Settings, function: &FunctionFacts<'_>) -> bool {
    let name = function.name;
    let inputs = settings.inputs.iter().flatten().map(|input| &input.source);
    let outputs = settings
        .outputs
        .iter()
        .flatten()
        .map(|output| &output.source);
    let mut sources = inputs.chain(outputs);
    let power = &settings.power;
    let lists = [
        &settings.ignore,
        &settings.pure,
        &power.checkpoints,
        &power.tasks,
        &power.transitions,
    ];
    let mut patterns = lists.into_iter().flatten().flatten();
    function
        .annotations
        .iter()
        .any(|text| text.starts_with("brownout:"))
        || sources.any(|source| {
            let named = source.function.as_ref().or(source.pointer.as_ref());
            named.is_some_and(|named| named.value == name)
        })
        || patterns.any(|pattern| glob::matches(&pattern.value, name))
}
