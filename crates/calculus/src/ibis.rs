//! §9.3: the comparison of may-write sets that IBIS (OOPSLA'19) makes, and why it is not enough.
//!
//! For each input-dependent branch IBIS compares what may be written on its two sides. Equal sets are
//! taken to mean that nothing is left behind. But a variable that *may* be written on both sides need
//! not be written on either: [`crate::example::IBIS_MISSES`].

use crate::collect::{Collected, Collection, Mended, Taint};
use crate::program::Program;
use crate::syntax::{Command, Form, Instruction, Names};

/// Whether the may-write sets of the sides are equal at every branch that depends on an input.
pub fn accepts(program: &Program) -> bool {
    let rules = Mended {
        volatile: program.volatile.names(),
        taint: Taint::Followed,
    };
    accepts_command(&rules, &Collected::default(), program.command())
}

fn accepts_command(rules: &Mended, before: &Collected, command: &Command) -> bool {
    match command.form() {
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => true,
        Form::Sequence(Instruction::Checkpoint(_), rest) => {
            accepts_command(rules, &Collected::default(), rest)
        }
        Form::Sequence(instruction, rest) => {
            accepts_command(rules, &rules.instruction(before, instruction), rest)
        }
        Form::Branch(condition, yes, no) => {
            let agree = !rules.depends(before, condition) || may_write(yes) == may_write(no);
            agree && accepts_command(rules, before, yes) && accepts_command(rules, before, no)
        }
    }
}

/// What may be written before the next checkpoint.
pub fn may_write(command: &Command) -> Names {
    match command.form() {
        Form::Skip
        | Form::Reboot(_)
        | Form::Goto(_)
        | Form::ToTask(_)
        | Form::Sequence(Instruction::Checkpoint(_), _) => Names::new(),
        Form::Sequence(instruction, rest) => {
            let mut written = may_write(rest);
            match instruction {
                Instruction::Assign(name, _) | Instruction::Input(name) => {
                    written.insert(*name);
                }
                Instruction::AssignElement(array, ..) => {
                    written.insert(array.name);
                }
                Instruction::Skip | Instruction::Checkpoint(_) => {}
            }
            written
        }
        Form::Branch(_, yes, no) => &may_write(yes) | &may_write(no),
    }
}
