//! Functions that nobody describes: what is not known is not nothing (SEMANTICS §3.5).
//!
//! A function without a body may read the world outside. Where it is the only one that could, "nothing
//! found" would be a guess: it is said that nothing was analysed, with the lines that would change that.

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_ir::{Func, Function, Origin, Program, Type, reach};
use brownout_scenario::Scenario;

/// What a program calls that may read inputs.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// Functions without a body.
    pub(crate) functions: Vec<Func>,
    /// Functions that call through pointers of which it is not known where they point to.
    pub(crate) through_pointers: Vec<Func>,
}

/// Words in the names of functions that act on the world rather than ask it.
const ACTIONS: &[&str] = &[
    "write", "send", "put", "print", "log", "set", "tx", "transmit", "enable", "disable", "start",
    "stop", "toggle", "delay", "sleep", "wait", "reset", "register", "free", "lock", "unlock",
];

impl Unknown {
    /// Why the result says nothing about inputs, if no input is known and there may be some: with the
    /// lines of configuration that describe all functions in question.
    pub(crate) fn complaint(&self, program: &Program, scenario: &Scenario) -> Option<String> {
        if !scenario.inputs.is_empty() || scenario.mmio.is_some() {
            return None;
        }
        let functions: Vec<&Function> = self
            .functions
            .iter()
            .filter(|&&func| !takes_callbacks(program, func))
            .map(|&func| &program.functions[func])
            .filter(|function| function.origin == Origin::User && may_read(function))
            .collect();
        if functions.is_empty() && self.through_pointers.is_empty() {
            return None;
        }
        let mut text = "repeated inputs were not analysed: no input is known".to_owned();
        if !functions.is_empty() {
            let names = functions
                .iter()
                .map(|function| format!("`{}`", function.name));
            let names: Vec<String> = names.collect();
            let _ = write!(text, "; {} may read some", listed(&names));
        }
        if !self.through_pointers.is_empty() {
            let callers = self.through_pointers.iter();
            let callers = callers.map(|&func| format!("`{}`", program.functions[func].name));
            let callers: Vec<String> = callers.collect();
            let _ = write!(
                text,
                "; so may what {} through pointers",
                match callers.as_slice() {
                    [only] => format!("{only} calls"),
                    _ => format!("{} call", listed(&callers)),
                }
            );
        }
        if !functions.is_empty() {
            text.push_str(
                "\nhelp: say in brownout.toml what they are; a guess by their prototypes:\n",
            );
            for function in functions {
                text.push('\n');
                for line in description(function).lines() {
                    text.extend(["    ", line, "\n"]);
                }
            }
        }
        Some(text)
    }
}

/// What to say of functions that are given to others to call, that were not executed, and that nothing but
/// execution checks.
pub(crate) fn callbacks(program: &Program, unexecuted: &[String]) -> Option<String> {
    let given = reach::given_away(program);
    let mut names = BTreeSet::new();
    let mut takers = BTreeSet::new();
    for (func, taker) in given {
        let name = &program.functions[func].name;
        if unexecuted.contains(name) {
            names.insert(name.clone());
            takers.insert(program.functions[taker].name.clone());
        }
    }
    let first = names.first()?;
    let quoted = |names: &BTreeSet<String>| -> Vec<String> {
        names.iter().map(|name| format!("`{name}`")).collect()
    };
    let (is, does) = match names.len() {
        1 => ("is", "it does"),
        _ => ("are", "they do"),
    };
    Some(format!(
        "{} {is} given to {} and never called here: what {does} was not checked\nhelp: check each of them as the entry: brownout check --entry {first}",
        listed(&quoted(&names)),
        listed(&quoted(&takers)),
    ))
}

/// What to say of device registers that were read and that nothing describes.
pub(crate) fn registers(names: &BTreeSet<String>) -> Option<String> {
    let (is, it_gives, it) = match names.len() {
        0 => return None,
        1 => ("is", "it gives", "it"),
        _ => ("are", "they give", "them"),
    };
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut lines = format!(
        "{} {is} read, and nothing says what {it_gives}: taken to be 0\nhelp: describe {it} in brownout.toml, or say `mmio = \"input\"` for all registers:\n",
        listed(&quoted)
    );
    for name in names {
        _ = write!(lines, "\n    [[input]]\n    register = \"{name}\"\n");
    }
    Some(lines)
}

/// Some names; of many the first.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

/// Whether a function can hand something to its caller.
fn may_read(function: &Function) -> bool {
    !function.results.is_empty() || function.params.contains(&Type::Ptr)
}

/// Whether a function is given others to call: what these do is looked at, and it gives no readings.
pub(crate) fn takes_callbacks(program: &Program, func: Func) -> bool {
    let given = reach::given_away(program);
    given.iter().any(|&(_, taker)| taker == func)
}

/// The lines that describe a function as its prototype and name suggest.
pub(crate) fn description(function: &Function) -> String {
    let name = &function.name;
    let lower = name.to_lowercase();
    let is_action = ACTIONS.iter().any(|action| lower.contains(action));
    if is_action || !may_read(function) {
        return format!(
            "[[output]]    # or an input, or ignore = [\"{name}\"]\nfunction = \"{name}\"\n"
        );
    }
    let mut text =
        format!("[[input]]    # or an output, or ignore = [\"{name}\"]\nfunction = \"{name}\"\n");
    // The last pointer is the buffer: one before it is mostly the device.
    let buffer = function.params.iter().rposition(|ty| *ty == Type::Ptr);
    if let Some(buffer) = buffer {
        let is_length = |ty: &&Type| **ty != Type::Ptr;
        let length = function.params.get(buffer + 1).filter(is_length);
        let _ = writeln!(text, "fills = \"arg{buffer}\"");
        match length {
            Some(_) => _ = writeln!(text, "length = \"arg{}\"", buffer + 1),
            None => text.push_str("width = 1    # bytes\n"),
        }
        if !function.results.is_empty() {
            text.push_str("returns = 0    # success\n");
        }
    }
    text
}
