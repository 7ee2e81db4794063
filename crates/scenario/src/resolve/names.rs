//! Functions of C++ and Rust, which a configuration may name as people write them.
//!
//! **Invariant**: afterwards every name of a function is one that linkers know, or one that the program does
//! not have.

use crate::error::{ConfigError, Problem};
use crate::facts::{FunctionFacts, ProgramFacts};
use crate::glob;
use crate::read::Located;
use crate::schema::Settings;

type Text = Option<Located<String>>;
type Texts = Option<Vec<Located<String>>>;

/// Puts the names that linkers know in the place of those that people write. What is wrong with these.
pub(super) fn link(settings: &mut Settings, facts: &ProgramFacts<'_>) -> Vec<ConfigError> {
    let mut names = Names {
        functions: facts.functions,
        errors: Vec::new(),
    };
    if facts
        .functions
        .iter()
        .all(|function| function.spellings.is_empty())
    {
        return names.errors;
    }
    names.one("entry", &mut settings.entry);
    let power = &mut settings.power;
    names.one("power.restart", &mut power.restart);
    names.all(&mut power.checkpoints);
    names.all(&mut power.tasks);
    names.all(&mut power.transitions);
    names.all(&mut settings.ignore);
    names.all(&mut settings.pure);
    for input in settings.inputs.iter_mut().flatten() {
        names.one("input.function", &mut input.source.function);
    }
    for output in settings.outputs.iter_mut().flatten() {
        names.one("output.function", &mut output.source.function);
    }
    for checkpoint in settings.checkpoints.iter_mut().flatten() {
        names.one("checkpoint.at", &mut checkpoint.at);
    }
    for peripheral in settings.peripherals.iter_mut().flatten() {
        names.all(&mut peripheral.used_by);
    }
    for harness in settings.harnesses.iter_mut().flatten() {
        names.one("harness.function", &mut harness.function);
    }
    for interrupt in settings.interrupts.iter_mut().flatten() {
        names.one("interrupt.function", &mut interrupt.function);
    }
    for part in settings.flash.iter_mut().flatten() {
        names.one("flash.program-function.name", &mut part.program.name);
        names.one("flash.erase-function.name", &mut part.erase.name);
        names.one("flash.read-function.name", &mut part.read.name);
        names.one("flash.sync-function", &mut part.sync);
    }
    names.all(&mut settings.explore.operations);
    names.errors
}

struct Names<'n> {
    functions: &'n [FunctionFacts<'n>],
    errors: Vec<ConfigError>,
}

impl<'n> Names<'n> {
    /// The functions that people write so, if none has that name for linkers.
    fn written(&self, name: &str) -> Vec<&'n FunctionFacts<'n>> {
        let mut functions = self.functions.iter();
        if functions.any(|function| glob::matches(name, function.name)) {
            return Vec::new();
        }
        // The types of parameters tell functions apart: who writes them means one.
        let is_spelled = |spelling: &String| without_blanks(spelling) == without_blanks(name);
        let functions = self.functions.iter();
        functions
            .filter(|function| function.spellings.iter().any(is_spelled))
            .collect()
    }

    /// A key that names one function.
    fn one(&mut self, key: &str, slot: &mut Text) {
        let Some(located) = slot else { return };
        match self.written(&located.value)[..] {
            [] => {}
            [function] => function.name.clone_into(&mut located.value),
            ref several => {
                let full = several.iter();
                let full = full.filter_map(|function| function.spellings.first().cloned());
                self.errors.push(ConfigError {
                    place: located.place,
                    key: key.to_owned(),
                    problem: Problem::Ambiguous {
                        name: located.value.clone(),
                        meanings: full.collect(),
                    },
                });
            }
        }
    }

    /// A key that names several functions, also by patterns: all that are written so.
    fn all(&self, slot: &mut Texts) {
        let Some(list) = slot else { return };
        let named = list.iter().flat_map(|located| {
            let mut meant = self.written(&located.value);
            if meant.is_empty() && located.value.contains("::") {
                meant = self.matching(&located.value);
            }
            match meant.is_empty() {
                true => vec![located.clone()],
                false => meant
                    .into_iter()
                    .map(|function| Located {
                        value: function.name.to_owned(),
                        place: located.place,
                    })
                    .collect(),
            }
        });
        *list = named.collect();
    }

    /// The functions whose names, as people write them, a pattern fits, if none has such a name for linkers.
    fn matching(&self, pattern: &str) -> Vec<&'n FunctionFacts<'n>> {
        let mut functions = self.functions.iter();
        if functions.any(|function| glob::matches(pattern, function.name)) {
            return Vec::new();
        }
        let functions = self.functions.iter();
        functions
            .filter(|function| {
                let mut spellings = function.spellings.iter();
                spellings.any(|spelling| glob::matches(pattern, spelling))
            })
            .collect()
    }
}

fn without_blanks(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace())
        .collect()
}
