//! §8, undo logging as in Chinchilla (TR §4, reconstructed: the rules are ours).
//!
//! A checkpoint copies nothing non-volatile. The first write to a location of ω after it notes the old
//! value in the log; a reboot plays the log back. κ = (L, V, c, ω).

use crate::basic;
use crate::program::Program;
use crate::state::{Configuration, Location, Memory};
use crate::syntax::{Command, Names, Value};
use crate::system::System;

/// κ of undo logging.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// L: what the locations held before they were first written.
    pub log: Memory,
    /// V at the last checkpoint.
    pub volatile: Memory,
    /// The command after it.
    pub command: Command,
    /// ω of the last checkpoint.
    pub saved: Names,
}

/// Undo logging.
#[derive(Clone, Copy, Debug)]
pub struct Undo;

impl System for Undo {
    type Context = Context;

    fn start(&self, program: &Program) -> Configuration<Context> {
        program.start(Context {
            log: Memory::default(),
            volatile: program.volatile.clone(),
            command: program.command().clone(),
            saved: Names::new(),
        })
    }

    /// Undo-Assign-Log, Undo-Assign: log, then write.
    fn store(&self, at: &mut Configuration<Context>, location: Location, value: Value) {
        if at.volatile.contains(location) {
            at.volatile.set(location, value);
            return;
        }
        let Context { log, saved, .. } = &mut at.context;
        if saved.contains(&location.name)
            && !log.contains(location)
            && let Some(old) = at.nonvolatile.get(location)
        {
            log.set(location, old);
        }
        at.nonvolatile.set(location, value);
    }

    /// Undo-Ckpt: the log is empty from here on.
    fn checkpoint(&self, at: &mut Configuration<Context>, saved: &Names, rest: &Command) {
        at.context = Context {
            log: Memory::default(),
            volatile: at.volatile.clone(),
            command: rest.clone(),
            saved: saved.clone(),
        };
    }

    /// Undo-PowerFail
    fn power_failure(&self, at: &mut Configuration<Context>) {
        at.volatile = at.volatile.reset();
    }

    /// Undo-Reboot: `N ◁ L`, and the log is empty.
    fn reboot(&self, at: &mut Configuration<Context>) {
        at.nonvolatile = at.nonvolatile.updated(&at.context.log);
        at.context.log = Memory::default();
        at.volatile = at.context.volatile.clone();
        at.command = at.context.command.clone();
    }
}

/// The relation to the basic system: the same memories and commands; what the basic system has saved is
/// in the log, or has not been written since.
pub fn related(basic: &Configuration<basic::Context>, undo: &Configuration<Context>) -> bool {
    let saved = undo.nonvolatile.restricted(&undo.context.saved);
    basic.erased() == undo.erased()
        && basic.context.volatile == undo.context.volatile
        && basic.context.command == undo.context.command
        && basic.context.nonvolatile == saved.updated(&undo.context.log)
}
