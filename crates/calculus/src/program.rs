//! A program: a command, and the memories it starts in.

use crate::state::{Configuration, Memory};
use crate::syntax::{Command, Names};

/// A command with the N and V that it starts in. Its command is numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Non-volatile memory at the start.
    pub nonvolatile: Memory,
    /// Volatile memory at the start.
    pub volatile: Memory,
    command: Command,
}

impl Program {
    /// The program with this command, which gets its numbers here.
    pub fn new(nonvolatile: Memory, volatile: Memory, command: &Command) -> Self {
        Self {
            nonvolatile,
            volatile,
            command: command.numbered(),
        }
    }

    /// Its command.
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// The program whose checkpoints save what `saves` says for their point; all points stay.
    #[must_use]
    pub fn saving(&self, saves: &dyn Fn(u32, &Names) -> Names) -> Self {
        Self {
            command: self.command.saving(saves),
            ..self.clone()
        }
    }

    /// The program with another command that has the same points.
    #[must_use]
    pub fn rewritten(&self, command: Command) -> Self {
        Self {
            command,
            ..self.clone()
        }
    }

    /// The program with checkpoints that save nothing: what collection starts from.
    #[must_use]
    pub fn without_saves(&self) -> Self {
        self.saving(&|_, _| Names::new())
    }

    /// Where it starts, in a system that has this context at the start.
    pub fn start<Context>(&self, context: Context) -> Configuration<Context> {
        Configuration {
            time: 0,
            context,
            nonvolatile: self.nonvolatile.clone(),
            volatile: self.volatile.clone(),
            command: self.command.clone(),
        }
    }
}
