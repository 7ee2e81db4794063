//! Checkpoint functions of runtimes that nobody has named: a guess by their names.
//!
//! Such a function has no body, gives nothing back and is told nothing through pointers.

use brownout_ir::{Origin, Program, Type, readable};

/// What of a name says that a function commits.
const COMMITS: &[&str] = &["checkpoint", "taskboundary", "savecontext", "savestate"];

/// What says so of a name where no function has one of those: a state machine has transitions as well.
const LEADING_ON: &[&str] = &["transition", "nexttask"];

/// What of such a name says that it does something else.
const OTHERS: &[&str] = &[
    "init", "enable", "disable", "restore", "load", "print", "register", "config", "reset",
];

/// The functions that a program calls to commit, by their names.
pub fn guessed(program: &Program) -> Vec<String> {
    let named = [COMMITS, LEADING_ON].map(|parts| named(program, parts));
    let mut named = named.into_iter();
    named.find(|names| !names.is_empty()).unwrap_or_default()
}

fn named(program: &Program, parts: &[&str]) -> Vec<String> {
    let functions = program.functions.values().filter(|function| {
        let has = |parts: &[&str]| {
            let name = readable(&function.name).to_lowercase().replace('_', "");
            parts.iter().any(|part| name.contains(part))
        };
        function.origin == Origin::User
            && function.body.is_none()
            && function.results.is_empty()
            && !function.params.contains(&Type::Ptr)
            && has(parts)
            && !has(OTHERS)
    });
    functions.map(|function| function.name.clone()).collect()
}
