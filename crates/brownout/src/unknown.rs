//! Functions that nobody describes: what is not known is not nothing (SEMANTICS §3.5).
//!
//! A function without a body may read the world outside. Where it is the only one that could, "nothing
//! found" would be a guess: it is said that nothing was analysed, with the lines that would change that.

use std::fmt::Write;

use brownout_ir::{Func, Function, Origin, Program, Type};
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
                text.push_str(&lines(function));
            }
        }
        Some(text)
    }
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

/// The lines that describe a function as its prototype and name suggest.
fn lines(function: &Function) -> String {
    let name = &function.name;
    let lower = name.to_lowercase();
    if ACTIONS.iter().any(|action| lower.contains(action)) {
        return format!(
            "\n    [[output]]    # or an input, or ignore = [\"{name}\"]\n    function = \"{name}\"\n"
        );
    }
    let mut text = format!(
        "\n    [[input]]    # or an output, or ignore = [\"{name}\"]\n    function = \"{name}\"\n"
    );
    let is_number = |index: usize| {
        function
            .params
            .get(index)
            .is_some_and(|ty| *ty != Type::Ptr)
    };
    // The last pointer is the buffer: one before it is mostly the device.
    let buffer = function.params.iter().rposition(|ty| *ty == Type::Ptr);
    if let Some(buffer) = buffer {
        let _ = writeln!(text, "    fills = \"arg{buffer}\"");
        match is_number(buffer + 1) {
            true => _ = writeln!(text, "    length = \"arg{}\"", buffer + 1),
            false => text.push_str("    width = 1    # bytes\n"),
        }
        if !function.results.is_empty() {
            text.push_str("    returns = 0    # success\n");
        }
    }
    text
}
