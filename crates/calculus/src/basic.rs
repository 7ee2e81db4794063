//! Fig. 4: the basic system, checkpoints as in DINO.
//!
//! κ = (N, V, c) holds the part of non-volatile memory that the last checkpoint saved, all of
//! volatile memory, and the command after the checkpoint. Before the first checkpoint it holds the
//! start of the program and nothing non-volatile.

use crate::program::Program;
use crate::state::{Configuration, Memory};
use crate::syntax::{Command, Names};
use crate::system::System;

/// κ of the basic system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// `N|ω` at the last checkpoint.
    pub nonvolatile: Memory,
    /// V at the last checkpoint.
    pub volatile: Memory,
    /// The command after it.
    pub command: Command,
}

/// The basic system.
#[derive(Clone, Copy, Debug)]
pub struct Basic;

impl System for Basic {
    type Context = Context;

    fn start(&self, program: &Program) -> Configuration<Context> {
        program.start(Context {
            nonvolatile: Memory::default(),
            volatile: program.volatile.clone(),
            command: program.command().clone(),
        })
    }

    /// I/O-CP-CkPt: `(τ, κ, N, V, checkpoint(ω); c) ⇒ (τ + 1, (N|ω, V, c), N, V, c)`
    fn checkpoint(&self, at: &mut Configuration<Context>, saved: &Names, rest: &Command) {
        at.context = Context {
            nonvolatile: at.nonvolatile.restricted(saved),
            volatile: at.volatile.clone(),
            command: rest.clone(),
        };
    }

    /// I/O-CP-PowerFail: `(τ, κ, N, V, c) ⇒ (τ + 1, κ, N, reset(V), reboot(n))`
    fn power_failure(&self, at: &mut Configuration<Context>) {
        at.volatile = at.volatile.reset();
    }

    /// I/O-CP-Reboot: `(τ, (N, V, c), N', V', reboot(n)) ⇒ (τ + n, κ, N' ◁ N, V, c)`
    fn reboot(&self, at: &mut Configuration<Context>) {
        at.nonvolatile = at.nonvolatile.updated(&at.context.nonvolatile);
        at.volatile = at.context.volatile.clone();
        at.command = at.context.command.clone();
    }
}
