//! §8.1 and Fig. 9: redo logging.
//!
//! Writes to locations of ω go to the log and not to memory; a checkpoint applies the log, a reboot
//! throws it away. κ = (L, V, c, ω). A read finds what the log has first.
//!
//! After the last instruction the log of the last region has not been applied. What the program has
//! left is `N ◁ L`, which is what the relation to the basic system is about.

use std::collections::BTreeMap;

use crate::basic;
use crate::program::Program;
use crate::state::{Configuration, Location, Memory, Observation};
use crate::syntax::{Command, Name, Names, Value};
use crate::system::System;

/// κ of redo logging.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// L: what has been written to locations of ω.
    pub log: Memory,
    /// V at the last checkpoint.
    pub volatile: Memory,
    /// The command after it.
    pub command: Command,
    /// ω of the last checkpoint.
    pub saved: Names,
}

/// Redo logging, with the code context Ψ of §8.2, which is empty for programs without jumps.
#[derive(Clone, Default, Debug)]
pub struct Redo {
    /// Ψ: labels, and the checkpoints that they stand in front of.
    pub code: BTreeMap<Name, Command>,
}

impl System for Redo {
    type Context = Context;

    fn start(&self, program: &Program) -> Configuration<Context> {
        program.start(Context {
            log: Memory::default(),
            volatile: program.volatile.clone(),
            command: program.command().clone(),
            saved: Names::new(),
        })
    }

    /// Redo-Rd-Log, Redo-Rd: the log comes first.
    fn load(&self, at: &Configuration<Context>, location: Location) -> Option<Value> {
        at.context
            .log
            .get(location)
            .or_else(|| at.nonvolatile.get(location))
            .or_else(|| at.volatile.get(location))
    }

    /// Redo-Assign-Log, Redo-Assign
    fn store(&self, at: &mut Configuration<Context>, location: Location, value: Value) {
        if at.volatile.contains(location) {
            at.volatile.set(location, value);
        } else if at.context.saved.contains(&location.name) {
            at.context.log.set(location, value);
        } else {
            at.nonvolatile.set(location, value);
        }
    }

    /// Redo-Ckpt: `N ◁ L`, and the log is empty from here on.
    fn checkpoint(&self, at: &mut Configuration<Context>, saved: &Names, rest: &Command) {
        at.nonvolatile = at.nonvolatile.updated(&at.context.log);
        at.context = Context {
            log: Memory::default(),
            volatile: at.volatile.clone(),
            command: rest.clone(),
            saved: saved.clone(),
        };
    }

    /// Redo-PowerFail
    fn power_failure(&self, at: &mut Configuration<Context>) {
        at.volatile = at.volatile.reset();
    }

    /// Redo-Reboot: the log is lost, memory stays.
    fn reboot(&self, at: &mut Configuration<Context>) {
        at.context.log = Memory::default();
        at.volatile = at.context.volatile.clone();
        at.command = at.context.command.clone();
    }

    /// Goto: `goto ℓ` is the checkpoint at ℓ. Nothing is observed.
    fn jump(&self, at: &mut Configuration<Context>, target: Name) -> Option<Vec<Observation>> {
        at.command = self.code.get(&target)?.clone();
        Some(Vec::new())
    }
}

/// The relation to the basic system: `N_d = N_r ◁ L`, where only ω is in the log; and what the basic
/// system has saved is still in `N_r`.
pub fn related(basic: &Configuration<basic::Context>, redo: &Configuration<Context>) -> bool {
    let log = &redo.context.log;
    basic.nonvolatile == redo.nonvolatile.updated(log)
        && log.names().is_subset(&redo.context.saved)
        && basic.volatile == redo.volatile
        && basic.command == redo.command
        && basic.context.volatile == redo.context.volatile
        && basic.context.command == redo.context.command
        && basic.context.nonvolatile == redo.nonvolatile.restricted(&redo.context.saved)
}
