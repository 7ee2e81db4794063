//! §8, idempotent regions as in Ratchet (TR §4, reconstructed: rules and placement are ours).
//!
//! Checkpoints save volatile memory and nothing else. In return there are more of them: [`placed`] cuts
//! a program so that no region needs anything saved. A write that a region has read before gets a
//! checkpoint between the two; for that, the value is first computed into a volatile register. The
//! paper asks for WARs only; for inputs there is a checkpoint in front of every branch and every array
//! index that depends on one, after which it does not.

use crate::basic;
use crate::program::Program;
use crate::rio::{self, RepeatedInputs};
use crate::state::{Configuration, Location, Memory};
use crate::syntax::{Command, Expression, Form, Instruction, Name, Names, Value};
use crate::system::System;
use crate::war::{self, WriteAfterRead};

/// κ of idempotent regions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// V at the last checkpoint.
    pub volatile: Memory,
    /// The command after it.
    pub command: Command,
}

/// Idempotent regions.
#[derive(Clone, Copy, Debug)]
pub struct Idempotent;

impl System for Idempotent {
    type Context = Context;

    fn start(&self, program: &Program) -> Configuration<Context> {
        program.start(Context {
            volatile: program.volatile.clone(),
            command: program.command().clone(),
        })
    }

    /// Idem-Ckpt: `(τ, κ, N, V, checkpoint(); c) ⇒ (τ + 1, (V, c), N, V, c)`
    fn checkpoint(&self, at: &mut Configuration<Context>, _: &Names, rest: &Command) {
        at.context = Context {
            volatile: at.volatile.clone(),
            command: rest.clone(),
        };
    }

    /// Idem-PowerFail
    fn power_failure(&self, at: &mut Configuration<Context>) {
        at.volatile = at.volatile.reset();
    }

    /// Idem-Reboot: non-volatile memory stays as it is.
    fn reboot(&self, at: &mut Configuration<Context>) {
        at.volatile = at.context.volatile.clone();
        at.command = at.context.command.clone();
    }
}

/// The relation to the basic system, which has saved nothing non-volatile.
pub fn related(basic: &Configuration<basic::Context>, idempotent: &Configuration<Context>) -> bool {
    basic.erased() == idempotent.erased()
        && basic.context.nonvolatile.is_empty()
        && basic.context.volatile == idempotent.context.volatile
        && basic.context.command == idempotent.context.command
}

/// The registers that cuts use: for a value, and for an index.
const VALUE: Name = Name::letter(b'R');
const INDEX: Name = Name::letter(b'Q');

/// The program with its regions cut until they are idempotent. What its checkpoints saved, they save no
/// longer.
pub fn placed(program: &Program) -> Program {
    let mut volatile = program.volatile.clone();
    for register in [VALUE, INDEX] {
        volatile.set(Location::variable(register), Value::Number(0));
    }
    let placement = Placement {
        war: war::Check {
            volatile: volatile.names(),
        },
        rio: rio::Check {
            volatile: volatile.names(),
        },
    };
    let bare = program.without_saves();
    let command = placement.command(&placement.region(), bare.command());
    Program::new(bare.nonvolatile, volatile, &command)
}

struct Placement {
    war: war::Check,
    rio: rio::Check,
}

/// What a region has done so far.
struct Region {
    war: war::Premises,
    rio: rio::Premises,
}

impl Placement {
    /// A region that has done nothing.
    fn region(&self) -> Region {
        Region {
            war: self.war.fresh(&Names::new()),
            rio: self.rio.fresh(&Names::new()),
        }
    }

    fn command(&self, region: &Region, command: &Command) -> Command {
        match command.form() {
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => command.clone(),
            Form::Sequence(instruction @ Instruction::Checkpoint(_), rest) => self
                .command(&self.region(), rest)
                .after(instruction.clone()),
            Form::Sequence(instruction, rest) => self.instruction(region, instruction, rest),
            Form::Branch(condition, ..) if self.rio.depends(&region.rio, condition) => {
                self.cut(self.command(&self.region(), command))
            }
            Form::Branch(condition, yes, no) => {
                let after = Region {
                    war: self.war.war_read(&region.war, condition),
                    rio: region.rio.clone(),
                };
                let yes = self.command(&after, yes);
                Command::new(Form::Branch(
                    condition.clone(),
                    yes,
                    self.command(&after, no),
                ))
            }
        }
    }

    fn instruction(&self, region: &Region, instruction: &Instruction, rest: &Command) -> Command {
        let (war, written) = self.war.war_instruction(&region.war, instruction);
        let exposed = written.is_some_and(|name| {
            self.war.must_be_restored(&war, name) && !region.war.restored.contains(&name)
        });
        let rio = self.rio.rio_instruction(&region.rio, instruction, 0);
        match rio {
            Ok(rio) if !exposed => {
                let rest = self.command(&Region { war, rio }, rest);
                rest.after(instruction.clone())
            }
            Ok(_) | Err(_) => {
                let (first, last) = split(instruction);
                let region = self.region();
                let (war, _) = self.war.war_instruction(&region.war, &last);
                let rio = self.rio.rio_instruction(&region.rio, &last, 0);
                let rio = rio.unwrap_or(region.rio);
                let rest = self.command(&Region { war, rio }, rest).after(last);
                first
                    .into_iter()
                    .rev()
                    .fold(self.cut(rest), |rest, instruction| rest.after(instruction))
            }
        }
    }

    fn cut(&self, rest: Command) -> Command {
        rest.after(Instruction::Checkpoint(Names::new()))
    }
}

/// An instruction in two: what reads, and what writes.
fn split(instruction: &Instruction) -> (Vec<Instruction>, Instruction) {
    let register = Expression::Variable;
    match instruction {
        Instruction::Assign(name, value) => (
            vec![Instruction::Assign(VALUE, value.clone())],
            Instruction::Assign(*name, register(VALUE)),
        ),
        Instruction::AssignElement(array, index, value) => (
            vec![
                Instruction::Assign(INDEX, index.clone()),
                Instruction::Assign(VALUE, value.clone()),
            ],
            Instruction::AssignElement(*array, register(INDEX), register(VALUE)),
        ),
        Instruction::Input(_) | Instruction::Skip | Instruction::Checkpoint(_) => {
            (Vec::new(), instruction.clone())
        }
    }
}
