//! §6.1: `N; I; M ⊩RIO c : ok`, the check that repeated inputs leave nothing behind.
//!
//! N is what a reboot restores, I what depends on inputs since the last checkpoint, M what has been
//! written since then. As long as control does not depend on an input, every attempt writes the same
//! variables. After a branch that does, `N; M ⊩taint c : ok` holds every write against what is written
//! on *all* paths from that branch.
//!
//! The paper gives RIO-Cp, RIO-If-NDep, RIO-If-Dep and RIO-Assign-Tainted. The others, and
//! `M ⊩mstWt c : M'`, are ours. Two readings: volatile variables count as restored, for they are; and
//! an array is never in M, because an assignment writes one element of it. (The example's must-write
//! set is {b, i, x} in §6.1 and Fig. 8, and {b, x} in §6.2, though its input is assigned on every path;
//! we take the former.)
//!
//! Each rule is a method, so that a test can break one and keep the others.

use crate::program::Program;
use crate::rejection::Rejection;
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names};

/// The sets in front of `⊩RIO`. Under `⊩taint`, I is not used.
#[derive(Clone, Debug)]
pub struct Premises {
    /// N: what a reboot restores: ω, and volatile memory.
    pub restored: Names,
    /// I: what depends on inputs.
    pub tainted: Names,
    /// M: what has been written.
    pub written: Names,
}

/// The rules of `⊩RIO`, `⊩taint` and `⊩mstWt`.
pub trait RepeatedInputs {
    /// dom(V)
    fn volatile(&self) -> &Names;

    /// `N; I; M ⊩RIO c : ok`
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio(&self, premises: &Premises, command: &Command) -> Result<(), Rejection> {
        match command.form() {
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Ok(()),
            Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                self.rio_checkpoint(premises, saved, rest)
            }
            Form::Sequence(instruction, rest) => {
                let after = self.rio_instruction(premises, instruction, command.point())?;
                self.rio(&after, rest)
            }
            Form::Branch(condition, yes, no) => {
                if self.depends(premises, condition) {
                    self.rio_if_dependent(premises, command, [yes, no])
                } else {
                    self.rio_if_independent(premises, [yes, no])
                }
            }
        }
    }

    /// `I ∩ rd(e) ≠ ∅`
    fn depends(&self, premises: &Premises, expression: &Expression) -> bool {
        !premises.tainted.is_disjoint(&expression.reads())
    }

    /// RIO-Cp: `ω; ∅; ∅ ⊩RIO c : ok` gives `N; I; M ⊩RIO checkpoint(ω); c : ok`.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_checkpoint(&self, _: &Premises, saved: &Names, rest: &Command) -> Result<(), Rejection> {
        self.rio(&self.fresh(saved), rest)
    }

    /// The sets after a checkpoint that saves this.
    fn fresh(&self, saved: &Names) -> Premises {
        Premises {
            restored: saved | self.volatile(),
            tainted: Names::new(),
            written: Names::new(),
        }
    }

    /// RIO-If-NDep: the branch goes the same way in every attempt.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_if_independent(
        &self,
        premises: &Premises,
        sides: [&Command; 2],
    ) -> Result<(), Rejection> {
        sides.iter().try_for_each(|side| self.rio(premises, side))
    }

    /// RIO-If-Dep: `M ⊩mstWt if e then c1 else c2 : M'` and `N; M' ⊩taint ci : ok`.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_if_dependent(
        &self,
        premises: &Premises,
        branch: &Command,
        sides: [&Command; 2],
    ) -> Result<(), Rejection> {
        let premises = Premises {
            written: self.must_write(&premises.written, branch),
            ..premises.clone()
        };
        sides
            .iter()
            .try_for_each(|side| self.tainted(&premises, side))
    }

    /// `N; I; M ⊩RIO ι : ok`, with the sets after it. Ours.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_instruction(
        &self,
        premises: &Premises,
        instruction: &Instruction,
        point: u32,
    ) -> Result<Premises, Rejection> {
        match instruction {
            Instruction::Skip | Instruction::Checkpoint(_) => Ok(premises.clone()),
            Instruction::Input(name) => Ok(self.rio_input(premises, *name)),
            Instruction::Assign(name, value) => Ok(self.rio_assign(premises, *name, value)),
            Instruction::AssignElement(array, index, value) => {
                self.rio_assign_element(premises, *array, index, value, point)
            }
        }
    }

    /// RIO-In: what has been read depends on an input.
    fn rio_input(&self, premises: &Premises, name: Name) -> Premises {
        let mut after = premises.clone();
        after.tainted.insert(name);
        after.written.insert(name);
        after
    }

    /// RIO-Assign: dependence goes from the value to the variable, or is gone.
    fn rio_assign(&self, premises: &Premises, name: Name, value: &Expression) -> Premises {
        let mut after = premises.clone();
        if self.depends(premises, value) {
            after.tainted.insert(name);
        } else {
            after.tainted.remove(&name);
        }
        after.written.insert(name);
        after
    }

    /// RIO-Assign-Element: an input that decides which element is written asks for the whole array.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_assign_element(
        &self,
        premises: &Premises,
        array: Array,
        index: &Expression,
        value: &Expression,
        point: u32,
    ) -> Result<Premises, Rejection> {
        let mut after = premises.clone();
        let index_depends = self.depends(premises, index);
        if index_depends && !premises.restored.contains(&array.name) {
            return Err(Rejection {
                rule: "RIO-Assign-Element",
                name: array.name,
                point,
            });
        }
        if index_depends || self.depends(premises, value) {
            after.tainted.insert(array.name);
        }
        Ok(after)
    }

    /// `N; M ⊩taint c : ok`
    ///
    /// # Errors
    /// The premise that does not hold.
    fn tainted(&self, premises: &Premises, command: &Command) -> Result<(), Rejection> {
        match command.form() {
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Ok(()),
            Form::Sequence(instruction, rest) => match instruction {
                Instruction::Checkpoint(saved) => self.rio_checkpoint(premises, saved, rest),
                Instruction::Skip => self.tainted(premises, rest),
                Instruction::Input(name) | Instruction::Assign(name, _) => {
                    self.rio_assign_tainted(premises, *name, command.point())?;
                    self.tainted(premises, rest)
                }
                Instruction::AssignElement(array, ..) => {
                    self.rio_assign_tainted(premises, array.name, command.point())?;
                    self.tainted(premises, rest)
                }
            },
            Form::Branch(_, yes, no) => {
                self.tainted(premises, yes)?;
                self.tainted(premises, no)
            }
        }
    }

    /// RIO-Assign-Tainted: `x ∈ M ∪ N`.
    ///
    /// # Errors
    /// The premise that does not hold.
    fn rio_assign_tainted(
        &self,
        premises: &Premises,
        name: Name,
        point: u32,
    ) -> Result<(), Rejection> {
        if premises.written.contains(&name) || premises.restored.contains(&name) {
            Ok(())
        } else {
            Err(Rejection {
                rule: "RIO-Assign-Tainted",
                name,
                point,
            })
        }
    }

    /// `M ⊩mstWt c : M'`: what is written before `c`, or on all paths from it to the next checkpoint.
    fn must_write(&self, written: &Names, command: &Command) -> Names {
        match command.form() {
            Form::Skip
            | Form::Reboot(_)
            | Form::Goto(_)
            | Form::ToTask(_)
            | Form::Sequence(Instruction::Checkpoint(_), _) => written.clone(),
            Form::Sequence(Instruction::Skip | Instruction::AssignElement(..), rest) => {
                self.must_write(written, rest)
            }
            Form::Sequence(Instruction::Assign(name, _) | Instruction::Input(name), rest) => {
                let mut written = written.clone();
                written.insert(*name);
                self.must_write(&written, rest)
            }
            Form::Branch(_, yes, no) => self.must_write_branch(
                &self.must_write(written, yes),
                &self.must_write(written, no),
            ),
        }
    }

    /// What both sides of a branch write.
    fn must_write_branch(&self, yes: &Names, no: &Names) -> Names {
        yes & no
    }
}

/// The rules as they are.
#[derive(Clone, Debug)]
pub struct Check {
    /// dom(V)
    pub volatile: Names,
}

impl RepeatedInputs for Check {
    fn volatile(&self) -> &Names {
        &self.volatile
    }
}

/// `⊩RIO c : ok`. The start of the program is a checkpoint that saves nothing.
///
/// # Errors
/// The first premise that does not hold.
pub fn check(program: &Program) -> Result<(), Rejection> {
    check_from(program, &Names::new())
}

/// `N; ∅; ∅ ⊩RIO c : ok`, for a program that starts with `saved` restored.
///
/// # Errors
/// The first premise that does not hold.
pub fn check_from(program: &Program, saved: &Names) -> Result<(), Rejection> {
    let check = Check {
        volatile: program.volatile.names(),
    };
    check.rio(&check.fresh(saved), program.command())
}
