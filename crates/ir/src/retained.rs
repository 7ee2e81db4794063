//! What a checkpoint restores of volatile state, if not all of it (semantics §1, §4).
//!
//! After a power failure everything else that is volatile is arbitrary: variables, stack objects of
//! calls in progress, values in registers. Where execution goes on, and which calls are in progress,
//! is always restored; so are the heap, locals of variable size, and what the library keeps.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::program::{Func, Global, GlobalData, Origin, Program, Slot, Value};

/// The volatile state that a checkpoint restores.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Retained {
    /// Stretches of variables, in bytes from their start.
    pub globals: BTreeMap<Global, Vec<Range<u64>>>,
    /// Stack objects, of every activation of the function.
    pub slots: BTreeSet<(Func, Slot)>,
    /// Values in registers, of every activation of the function.
    pub values: BTreeSet<(Func, Value)>,
}

impl Retained {
    /// Whether a byte of a variable is restored.
    pub fn has_byte(&self, global: Global, byte: u64) -> bool {
        let parts = self.globals.get(&global).into_iter().flatten();
        parts.into_iter().any(|part| part.contains(&byte))
    }
}

impl GlobalData {
    /// Whether it is the program's own variable, which a checkpoint can leave out.
    pub fn is_variable(&self) -> bool {
        self.origin == Origin::User && !self.constant && self.init.is_some()
    }
}

impl Program {
    /// What configuration calls a stack object: `function::name`, or its number if it has no name.
    pub fn slot_name(&self, func: Func, slot: Slot) -> String {
        let function = &self.functions[func];
        let data = function.body.as_ref().and_then(|body| body.slots.get(slot));
        match data.and_then(|data| data.name.as_ref()) {
            Some(name) => format!("{}::{name}", function.name),
            None => format!("{}::{slot}", function.name),
        }
    }

    /// What configuration calls a value in a register: `function::v12`, as `dump ir` numbers it.
    pub fn value_name(&self, func: Func, value: Value) -> String {
        format!("{}::{value}", self.functions[func].name)
    }
}
