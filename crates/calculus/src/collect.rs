//! §7: collecting exclusive may-writes.
//!
//! `X; M; I ⊩RIO c ⟶ c' : X'` and `X; M ⊩taint c ⟶ c' : X'; M'` find what may be written on one side
//! of an input-dependent branch and not on the other (X), and write it into the checkpoints. M is what
//! must have been written, I what depends on inputs.
//!
//! **As printed, I/O-If-Tainted forgets.** Its premises start from `∅; M`, so what X held before, an
//! array written under an index that depends on an input, or under tainted control, is lost, and
//! Lemma 5 does not hold: `i := IN(); a[i] := 1; if i then { if i then … }` loses `a`.
//! [`Printed`] is that rule; [`Mended`], which starts from `X; M`, is what everything else here uses.
//!
//! Lemma 5 is about programs whose first command is a checkpoint: what is collected in front of the
//! first one has nowhere to go. Here it is returned, and the lemma reads `X; ∅; ∅ ⊩RIO c' : ok`.
//!
//! **Without taint** ([`Taint::Everywhere`], the variant EMW of §9.1): every branch is taken to depend
//! on an input. For indices taint is followed all the same.

use crate::program::Program;
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names};

/// Which branches are taken to depend on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taint {
    /// Those that do (taint-optimised EMW).
    Followed,
    /// All of them (EMW).
    Everywhere,
}

/// `X; M; I`
#[derive(Clone, Default, Debug)]
pub struct Collected {
    /// X: exclusive may-writes.
    pub exclusive: Names,
    /// M: must-writes.
    pub written: Names,
    /// I: what depends on inputs.
    pub tainted: Names,
}

/// The rules of collection.
pub trait Collection {
    /// dom(V): what checkpoints save anyway.
    fn volatile(&self) -> &Names;

    /// Which branches are taken to depend on inputs.
    fn taint(&self) -> Taint {
        Taint::Followed
    }

    /// `X; M; I ⊩RIO c ⟶ c' : X'`
    fn rio(&self, before: &Collected, command: &Command) -> (Command, Names) {
        let (form, exclusive) = match command.form() {
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => {
                (form.clone(), before.exclusive.clone())
            }
            Form::Sequence(Instruction::Checkpoint(saved), rest) => (
                self.checkpoint(before, saved, rest),
                before.exclusive.clone(),
            ),
            Form::Sequence(instruction, rest) => {
                let after = self.instruction(before, instruction);
                let (rest, exclusive) = self.rio(&after, rest);
                (Form::Sequence(instruction.clone(), rest), exclusive)
            }
            Form::Branch(condition, yes, no) => {
                if self.depends(before, condition) || self.taint() == Taint::Everywhere {
                    let (form, after) = self.if_dependent(before, condition, [yes, no]);
                    (form, after.exclusive)
                } else {
                    self.if_independent(before, condition, [yes, no])
                }
            }
        };
        (Command::at(command.point(), form), exclusive)
    }

    /// `I ∩ rd(e) ≠ ∅`
    fn depends(&self, before: &Collected, expression: &Expression) -> bool {
        !before.tainted.is_disjoint(&expression.reads())
    }

    /// Cp and Cp-Tainted: `∅; ∅; ∅ ⊩RIO c ⟶ c' : X'` rewrites `checkpoint()` to `checkpoint(X')`.
    /// What the checkpoint saves already stays.
    fn checkpoint(&self, _: &Collected, saved: &Names, rest: &Command) -> Form {
        let (rest, exclusive) = self.rio(&Collected::default(), rest);
        let saves = saved | &(&exclusive - self.volatile());
        Form::Sequence(Instruction::Checkpoint(saves), rest)
    }

    /// I/O-If-NDep (in the text of the example): what either side collects.
    fn if_independent(
        &self,
        before: &Collected,
        condition: &Expression,
        [yes, no]: [&Command; 2],
    ) -> (Form, Names) {
        let (yes, exclusive_yes) = self.rio(before, yes);
        let (no, exclusive_no) = self.rio(before, no);
        let form = Form::Branch(condition.clone(), yes, no);
        (form, &exclusive_yes | &exclusive_no)
    }

    /// I/O-If-Dep: from `X; M ⊩taint ci ⟶ ci' : Xi; Mi`, `(X1 ∪ X2 ∪ M1 ∪ M2) ∖ (M1 ∩ M2)`.
    fn if_dependent(
        &self,
        before: &Collected,
        condition: &Expression,
        [yes, no]: [&Command; 2],
    ) -> (Form, Collected) {
        let (yes, first) = self.tainted(before, yes);
        let (no, second) = self.tainted(before, no);
        let both = &first.written & &second.written;
        let either = &first.written | &second.written;
        let exclusive = &(&(&first.exclusive | &second.exclusive) | &either) - &both;
        let after = Collected {
            exclusive,
            written: both,
            tainted: before.tainted.clone(),
        };
        (Form::Branch(condition.clone(), yes, no), after)
    }

    /// I/O-If-Tainted, mended: as I/O-If-Dep, with `M1 ∩ M2` as well.
    fn if_tainted(
        &self,
        before: &Collected,
        condition: &Expression,
        sides: [&Command; 2],
    ) -> (Form, Collected) {
        self.if_dependent(before, condition, sides)
    }

    /// `X; M ⊩taint c ⟶ c' : X'; M'`
    fn tainted(&self, before: &Collected, command: &Command) -> (Command, Collected) {
        let (form, after) = match command.form() {
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => {
                (form.clone(), before.clone())
            }
            Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                (self.checkpoint(before, saved, rest), before.clone())
            }
            Form::Sequence(instruction, rest) => {
                let after = self.instruction_tainted(before, instruction);
                let (rest, after) = self.tainted(&after, rest);
                (Form::Sequence(instruction.clone(), rest), after)
            }
            Form::Branch(condition, yes, no) => self.if_tainted(before, condition, [yes, no]),
        };
        (Command::at(command.point(), form), after)
    }

    /// `X; M; I ⊩RIO ι : X'; M'; I'`
    fn instruction(&self, before: &Collected, instruction: &Instruction) -> Collected {
        match instruction {
            Instruction::Skip | Instruction::Checkpoint(_) => before.clone(),
            Instruction::Input(name) => self.get(before, *name),
            Instruction::Assign(name, value) => {
                if self.depends(before, value) {
                    self.assign_dependent(before, *name)
                } else {
                    self.dependence_clear(before, *name)
                }
            }
            Instruction::AssignElement(array, index, value) => {
                self.array_location(before, *array, index, value)
            }
        }
    }

    /// I/O-Get: `X; M ∪ x; I ∪ x`
    fn get(&self, before: &Collected, name: Name) -> Collected {
        let mut after = before.clone();
        after.written.insert(name);
        after.tainted.insert(name);
        after
    }

    /// I/O-Assign-Dep: `X; M ∪ x; I ∪ x`
    fn assign_dependent(&self, before: &Collected, name: Name) -> Collected {
        self.get(before, name)
    }

    /// I/O-Dep-Clear: `X; M ∪ x; I ∖ x`
    fn dependence_clear(&self, before: &Collected, name: Name) -> Collected {
        let mut after = before.clone();
        after.written.insert(name);
        after.tainted.remove(&name);
        after
    }

    /// I/O-Arr-Loc: an index that depends on an input gives `X ∪ a; M; I ∪ a`; a value that does, `I ∪ a`.
    fn array_location(
        &self,
        before: &Collected,
        array: Array,
        index: &Expression,
        value: &Expression,
    ) -> Collected {
        let mut after = before.clone();
        if self.depends(before, index) {
            after.exclusive.insert(array.name);
            after.tainted.insert(array.name);
        }
        if self.depends(before, value) {
            after.tainted.insert(array.name);
        }
        after
    }

    /// `X; M ⊩taint ι : X'; M'`. An array that is written under tainted control is in X (§9.2).
    fn instruction_tainted(&self, before: &Collected, instruction: &Instruction) -> Collected {
        let mut after = before.clone();
        match instruction {
            Instruction::Skip | Instruction::Checkpoint(_) => {}
            Instruction::Input(name) | Instruction::Assign(name, _) => {
                after.written.insert(*name);
            }
            Instruction::AssignElement(array, ..) => {
                after.exclusive.insert(array.name);
            }
        }
        after
    }
}

/// The rules, with I/O-If-Tainted mended.
#[derive(Clone, Debug)]
pub struct Mended {
    /// dom(V)
    pub volatile: Names,
    /// Which branches are taken to depend on inputs.
    pub taint: Taint,
}

impl Collection for Mended {
    fn volatile(&self) -> &Names {
        &self.volatile
    }

    fn taint(&self) -> Taint {
        self.taint
    }
}

/// The rules as printed.
#[derive(Clone, Debug)]
pub struct Printed {
    /// dom(V)
    pub volatile: Names,
}

impl Collection for Printed {
    fn volatile(&self) -> &Names {
        &self.volatile
    }

    /// I/O-If-Tainted: `∅; M ⊩taint ci ⟶ ci' : Xi; Mi`.
    fn if_tainted(
        &self,
        before: &Collected,
        condition: &Expression,
        sides: [&Command; 2],
    ) -> (Form, Collected) {
        let forgetful = Collected {
            exclusive: Names::new(),
            ..before.clone()
        };
        self.if_dependent(&forgetful, condition, sides)
    }
}

/// `∅; ∅; ∅ ⊩RIO c ⟶ c' : X`, by these rules: the rewritten program, and what would have to be saved at
/// its start.
pub fn rewritten(rules: &impl Collection, program: &Program) -> (Program, Names) {
    let (command, exclusive) = rules.rio(&Collected::default(), program.command());
    (program.rewritten(command), &exclusive - rules.volatile())
}

/// The program with checkpoints that save their exclusive may-writes, and what would have to be saved
/// at its start.
pub fn collect(program: &Program, taint: Taint) -> (Program, Names) {
    let rules = Mended {
        volatile: program.volatile.names(),
        taint,
    };
    rewritten(&rules, program)
}

/// The program with checkpoints that save what WARs and repeated inputs ask for, and what would have to
/// be saved at its start: what DINO would do, and what the paper adds to it.
pub fn collect_all(program: &Program) -> (Program, Names) {
    let (program, war) = crate::war::collect(&program.without_saves());
    let (program, exclusive) = collect(&program, Taint::Followed);
    (program, &war | &exclusive)
}
