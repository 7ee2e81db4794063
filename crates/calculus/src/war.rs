//! `⊩WAR c : ok` and the collection of WAR variables (TR §2.1 and §2.2, which the paper leaves out:
//! these rules are ours).
//!
//! A variable that an attempt reads before it has written it, and writes afterwards, shows the next
//! attempt another value. `N; W; R ⊩WAR c : ok` follows each path with N, what a reboot restores, W,
//! what has been written since the last checkpoint, and R, what has been read in front of its first
//! write, and asks of every write that it is in N or not in R.
//!
//! Arrays are treated as wholes: a read of one element puts the array into R whatever was written
//! before, because an assignment never writes all of it. DINO and Alpaca do the same.
//!
//! [`collect`] is the same judgement with the question turned round: it returns what N lacks, and
//! writes it into the checkpoints.

use crate::program::Program;
use crate::rejection::Rejection;
use crate::syntax::{Command, Expression, Form, Instruction, Name, Names};

/// The sets in front of `⊩WAR`.
#[derive(Clone, Default, Debug)]
pub struct Premises {
    /// N: what a reboot restores.
    pub restored: Names,
    /// W: what has been written.
    pub written: Names,
    /// R: what has been read before it was written.
    pub exposed: Names,
}

/// The rules of `⊩WAR`.
pub trait WriteAfterRead {
    /// dom(V)
    fn volatile(&self) -> &Names;

    /// `N; W; R ⊩WAR c : ok`
    ///
    /// # Errors
    /// The premise that does not hold.
    fn war(&self, premises: &Premises, command: &Command) -> Result<(), Rejection> {
        match command.form() {
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Ok(()),
            Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                self.war_checkpoint(premises, saved, rest)
            }
            Form::Sequence(instruction, rest) => {
                let (after, written) = self.war_instruction(premises, instruction);
                if let Some(name) = written
                    && self.must_be_restored(&after, name)
                    && !premises.restored.contains(&name)
                {
                    return Err(Rejection {
                        rule: "WAR-Assign",
                        name,
                        point: command.point(),
                    });
                }
                self.war(&after, rest)
            }
            Form::Branch(condition, yes, no) => {
                let after = self.war_read(premises, condition);
                self.war(&after, yes)?;
                self.war(&after, no)
            }
        }
    }

    /// WAR-Cp: `ω; ∅; ∅ ⊩WAR c : ok` gives `N; W; R ⊩WAR checkpoint(ω); c : ok`.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn war_checkpoint(&self, _: &Premises, saved: &Names, rest: &Command) -> Result<(), Rejection> {
        self.war(&self.fresh(saved), rest)
    }

    /// The sets after a checkpoint that saves this.
    fn fresh(&self, saved: &Names) -> Premises {
        Premises {
            restored: saved | self.volatile(),
            ..Premises::default()
        }
    }

    /// WAR-Assign: `x ∈ R` asks for `x ∈ N`. R is that after the reads of the same instruction.
    fn must_be_restored(&self, premises: &Premises, name: Name) -> bool {
        premises.exposed.contains(&name)
    }

    /// WAR-Read: `R ∪ (rd(e) ∖ W)`.
    fn war_read(&self, premises: &Premises, expression: &Expression) -> Premises {
        let mut after = premises.clone();
        let reads = expression.reads();
        after.exposed.extend(reads.difference(&premises.written));
        after
    }

    /// The sets after an instruction, and what it writes. An array is never in W.
    fn war_instruction(
        &self,
        premises: &Premises,
        instruction: &Instruction,
    ) -> (Premises, Option<Name>) {
        match instruction {
            Instruction::Skip | Instruction::Checkpoint(_) => (premises.clone(), None),
            Instruction::Input(name) => (self.war_write(premises.clone(), *name), Some(*name)),
            Instruction::Assign(name, value) => {
                let after = self.war_read(premises, value);
                (self.war_write(after, *name), Some(*name))
            }
            Instruction::AssignElement(array, index, value) => {
                let after = self.war_read(&self.war_read(premises, index), value);
                (after, Some(array.name))
            }
        }
    }

    /// WAR-Write: `W ∪ x`.
    fn war_write(&self, mut premises: Premises, name: Name) -> Premises {
        premises.written.insert(name);
        premises
    }

    /// `W; R ⊩WAR c ⟶ c' : D`: what a checkpoint in front of `c` has to save, and `c` with checkpoints
    /// that save what they have to, beside what they did.
    fn collect(&self, premises: &Premises, command: &Command) -> (Command, Names) {
        let (form, needed) = match command.form() {
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => {
                (form.clone(), Names::new())
            }
            Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                let (rest, needed) = self.collect(&self.fresh(&Names::new()), rest);
                let saves = saved | &needed;
                let form = Form::Sequence(Instruction::Checkpoint(saves), rest);
                (form, Names::new())
            }
            Form::Sequence(instruction, rest) => {
                let (after, written) = self.war_instruction(premises, instruction);
                let (rest, mut needed) = self.collect(&after, rest);
                needed.extend(written.filter(|name| {
                    self.must_be_restored(&after, *name) && !premises.restored.contains(name)
                }));
                (Form::Sequence(instruction.clone(), rest), needed)
            }
            Form::Branch(condition, yes, no) => {
                let after = self.war_read(premises, condition);
                let (yes, needed_yes) = self.collect(&after, yes);
                let (no, needed_no) = self.collect(&after, no);
                let form = Form::Branch(condition.clone(), yes, no);
                (form, &needed_yes | &needed_no)
            }
        };
        (Command::at(command.point(), form), needed)
    }
}

/// The rules as they are.
#[derive(Clone, Debug)]
pub struct Check {
    /// dom(V)
    pub volatile: Names,
}

impl WriteAfterRead for Check {
    fn volatile(&self) -> &Names {
        &self.volatile
    }
}

impl Check {
    /// The check for a program.
    pub fn of(program: &Program) -> Self {
        Self {
            volatile: program.volatile.names(),
        }
    }
}

/// `⊩WAR c : ok`. The start of the program is a checkpoint that saves nothing.
///
/// # Errors
/// The first premise that does not hold.
pub fn check(program: &Program) -> Result<(), Rejection> {
    check_from(program, &Names::new())
}

/// `N; ∅; ∅ ⊩WAR c : ok`, for a program that starts with `saved` restored.
///
/// # Errors
/// The first premise that does not hold.
pub fn check_from(program: &Program, saved: &Names) -> Result<(), Rejection> {
    let check = Check::of(program);
    check.war(&check.fresh(saved), program.command())
}

/// The program with checkpoints that save their WAR variables, and what would have to be saved at its
/// start.
pub fn collect(program: &Program) -> (Program, Names) {
    let check = Check::of(program);
    let (command, needed) = check.collect(&check.fresh(&Names::new()), program.command());
    (program.rewritten(command), needed)
}
