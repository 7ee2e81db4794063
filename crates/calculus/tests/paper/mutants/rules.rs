//! Mistakes in the rules of the checks and of collection.

use brownout_calculus::claims::Answer;
use brownout_calculus::collect::{Collected, Collection, Mended, Taint, rewritten};
use brownout_calculus::program::Program;
use brownout_calculus::rejection::Rejection;
use brownout_calculus::rio::{self, RepeatedInputs};
use brownout_calculus::syntax::{Array, Command, Expression, Form, Instruction, Name, Names};
use brownout_calculus::war::{self, WriteAfterRead};

use super::{caught, theorem_4};

/// Lemma 5 for other checks and rules.
fn lemma_5(rules: &impl Collection, check: &impl RepeatedInputs, program: &Program) -> Answer {
    let (rewritten, start) = rewritten(rules, &program.without_saves());
    match check.rio(&check.fresh(&start), rewritten.command()) {
        Ok(()) => Answer::Holds,
        Err(rejection) => Answer::Fails(rejection.to_string()),
    }
}

/// A wrong version of a set of rules: a type whose methods replace those of the trait.
macro_rules! wrong {
    ($name:ident: $rules:ident { $($body:tt)* }) => {
        struct $name(Names);
        impl $rules for $name {
            fn volatile(&self) -> &Names {
                &self.0
            }
            $($body)*
        }
    };
}

/// A check of repeated inputs that is too lenient.
macro_rules! lenient_rio {
    ($name:ident { $($body:tt)* }) => {{
        wrong!($name: RepeatedInputs { $($body)* });
        caught(stringify!($name), |program| {
            let check = $name(program.volatile.names());
            let accepts = |program: &Program| {
                war::check(program).is_ok()
                    && check.rio(&check.fresh(&Names::new()), program.command()).is_ok()
            };
            theorem_4(accepts, program)
        });
    }};
}

/// A check of repeated inputs that is too strict.
macro_rules! strict_rio {
    ($name:ident { $($body:tt)* }) => {{
        wrong!($name: RepeatedInputs { $($body)* });
        caught(stringify!($name), |program| {
            let volatile = program.volatile.names();
            let rules = Mended { volatile: volatile.clone(), taint: Taint::Followed };
            lemma_5(&rules, &$name(volatile), program)
        });
    }};
}

#[test]
fn lenient_checks_of_repeated_inputs() {
    lenient_rio!(InputsDoNotTaint {
        fn rio_input(&self, premises: &rio::Premises, name: Name) -> rio::Premises {
            let mut after = premises.clone();
            after.written.insert(name);
            after
        }
    });
    lenient_rio!(MustWriteByUnion {
        fn must_write_branch(&self, yes: &Names, no: &Names) -> Names {
            yes | no
        }
    });
    lenient_rio!(WritesSurviveCheckpoints {
        fn rio_checkpoint(
            &self,
            premises: &rio::Premises,
            saved: &Names,
            rest: &Command,
        ) -> Result<(), Rejection> {
            let mut fresh = self.fresh(saved);
            fresh.written = premises.written.clone();
            self.rio(&fresh, rest)
        }
    });
    lenient_rio!(SavedByEarlierCheckpoints {
        fn rio_checkpoint(
            &self,
            premises: &rio::Premises,
            saved: &Names,
            rest: &Command,
        ) -> Result<(), Rejection> {
            let mut fresh = self.fresh(saved);
            fresh.restored.extend(&premises.restored);
            self.rio(&fresh, rest)
        }
    });
    lenient_rio!(AssignmentsDoNotPropagate {
        fn rio_assign(&self, premises: &rio::Premises, name: Name, _: &Expression) -> rio::Premises {
            let mut after = premises.clone();
            after.tainted.remove(&name);
            after.written.insert(name);
            after
        }
    });
    lenient_rio!(TaintedWritesUnchecked {
        fn rio_assign_tainted(&self, _: &rio::Premises, _: Name, _: u32) -> Result<(), Rejection> {
            Ok(())
        }
    });
    lenient_rio!(OneSideOfABranch {
        fn rio_if_dependent(
            &self,
            premises: &rio::Premises,
            branch: &Command,
            [yes, _]: [&Command; 2],
        ) -> Result<(), Rejection> {
            let premises = rio::Premises {
                written: self.must_write(&premises.written, branch),
                ..premises.clone()
            };
            self.tainted(&premises, yes)
        }
    });
    lenient_rio!(BranchesNeverDepend {
        fn rio_if_dependent(
            &self,
            premises: &rio::Premises,
            _: &Command,
            sides: [&Command; 2],
        ) -> Result<(), Rejection> {
            self.rio_if_independent(premises, sides)
        }
    });
    lenient_rio!(IndicesUnchecked {
        fn rio_assign_element(
            &self,
            premises: &rio::Premises,
            array: Array,
            index: &Expression,
            value: &Expression,
            _: u32,
        ) -> Result<rio::Premises, Rejection> {
            let mut after = premises.clone();
            if self.depends(premises, index) || self.depends(premises, value) {
                after.tainted.insert(array.name);
            }
            Ok(after)
        }
    });
    lenient_rio!(ArraysDoNotPropagate {
        fn rio_assign_element(
            &self,
            premises: &rio::Premises,
            array: Array,
            index: &Expression,
            _: &Expression,
            point: u32,
        ) -> Result<rio::Premises, Rejection> {
            if self.depends(premises, index) && !premises.restored.contains(&array.name) {
                return Err(Rejection { rule: "", name: array.name, point });
            }
            Ok(premises.clone())
        }
    });
}

#[test]
fn strict_checks_of_repeated_inputs() {
    strict_rio!(TaintSurvivesCheckpoints {
        fn rio_checkpoint(
            &self,
            premises: &rio::Premises,
            saved: &Names,
            rest: &Command,
        ) -> Result<(), Rejection> {
            let mut fresh = self.fresh(saved);
            fresh.tainted = premises.tainted.clone();
            self.rio(&fresh, rest)
        }
    });
    strict_rio!(TaintIsNeverCleared {
        fn rio_assign(&self, premises: &rio::Premises, name: Name, value: &Expression) -> rio::Premises {
            let mut after = premises.clone();
            if self.depends(premises, value) {
                after.tainted.insert(name);
            }
            after.written.insert(name);
            after
        }
    });
    strict_rio!(MustWritesForgotten {
        fn rio_if_dependent(
            &self,
            premises: &rio::Premises,
            _: &Command,
            sides: [&Command; 2],
        ) -> Result<(), Rejection> {
            sides.iter().try_for_each(|side| self.tainted(premises, side))
        }
    });
    strict_rio!(VolatileCountsAsLost {
        fn fresh(&self, saved: &Names) -> rio::Premises {
            rio::Premises {
                restored: saved.clone(),
                tainted: Names::new(),
                written: Names::new(),
            }
        }
    });
}

/// A check of WARs that is too lenient.
macro_rules! lenient_war {
    ($name:ident { $($body:tt)* }) => {{
        wrong!($name: WriteAfterRead { $($body)* });
        caught(stringify!($name), |program| {
            let check = $name(program.volatile.names());
            let accepts = |program: &Program| {
                rio::check(program).is_ok()
                    && check.war(&check.fresh(&Names::new()), program.command()).is_ok()
            };
            theorem_4(accepts, program)
        });
    }};
}

#[test]
fn lenient_checks_of_writes_after_reads() {
    lenient_war!(NothingIsExposed {
        fn must_be_restored(&self, _: &war::Premises, _: Name) -> bool {
            false
        }
    });
    lenient_war!(OwnReadsDoNotCount {
        fn war_instruction(
            &self,
            premises: &war::Premises,
            instruction: &Instruction,
        ) -> (war::Premises, Option<Name>) {
            match instruction {
                Instruction::Assign(name, _) => {
                    (self.war_write(premises.clone(), *name), Some(*name))
                }
                _ => war::Check { volatile: self.0.clone() }.war_instruction(premises, instruction),
            }
        }
    });
    lenient_war!(WritesSurviveCheckpoints {
        fn war_checkpoint(
            &self,
            premises: &war::Premises,
            saved: &Names,
            rest: &Command,
        ) -> Result<(), Rejection> {
            let mut fresh = self.fresh(saved);
            fresh.written = premises.written.clone();
            self.war(&fresh, rest)
        }
    });
    lenient_war!(OneElementIsTheArray {
        fn war_instruction(
            &self,
            premises: &war::Premises,
            instruction: &Instruction,
        ) -> (war::Premises, Option<Name>) {
            let right = war::Check { volatile: self.0.clone() };
            let (after, written) = right.war_instruction(premises, instruction);
            match written {
                Some(name) => (self.war_write(after, name), written),
                None => (after, written),
            }
        }
    });
    lenient_war!(ConditionsDoNotRead {
        fn war(&self, premises: &war::Premises, command: &Command) -> Result<(), Rejection> {
            let right = war::Check { volatile: self.0.clone() };
            match command.form() {
                Form::Branch(_, yes, no) => {
                    self.war(premises, yes)?;
                    self.war(premises, no)
                }
                Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                    self.war(&self.fresh(saved), rest)
                }
                Form::Sequence(instruction, rest) => {
                    let alone = Command::skip().after(instruction.clone());
                    right.war(premises, &alone)?;
                    self.war(&self.war_instruction(premises, instruction).0, rest)
                }
                _ => Ok(()),
            }
        }
    });
}

/// A collection that finds too little.
macro_rules! forgetful {
    ($name:ident { $($body:tt)* }) => {{
        wrong!($name: Collection { $($body)* });
        caught(stringify!($name), |program| {
            let volatile = program.volatile.names();
            let check = rio::Check { volatile: volatile.clone() };
            lemma_5(&$name(volatile), &check, program)
        });
    }};
}

#[test]
fn collections_that_find_too_little() {
    forgetful!(AsPrinted {
        fn if_tainted(
            &self,
            before: &Collected,
            condition: &Expression,
            sides: [&Command; 2],
        ) -> (Form, Collected) {
            let forgetful = Collected { exclusive: Names::new(), ..before.clone() };
            self.if_dependent(&forgetful, condition, sides)
        }
    });
    forgetful!(InputsDoNotTaint {
        fn get(&self, before: &Collected, name: Name) -> Collected {
            self.dependence_clear(before, name)
        }
    });
    forgetful!(AssignmentsDoNotPropagate {
        fn assign_dependent(&self, before: &Collected, name: Name) -> Collected {
            self.dependence_clear(before, name)
        }
    });
    forgetful!(MustWritesByUnion {
        fn if_dependent(
            &self,
            before: &Collected,
            condition: &Expression,
            [yes, no]: [&Command; 2],
        ) -> (Form, Collected) {
            let (yes, first) = self.tainted(before, yes);
            let (no, second) = self.tainted(before, no);
            let either = &first.written | &second.written;
            let after = Collected {
                exclusive: &(&first.exclusive | &second.exclusive) - &either,
                written: either,
                tainted: before.tainted.clone(),
            };
            (Form::Branch(condition.clone(), yes, no), after)
        }
    });
    forgetful!(ArraysUnderTaintedControl {
        fn instruction_tainted(&self, before: &Collected, instruction: &Instruction) -> Collected {
            let mut after = before.clone();
            if let Instruction::Input(name) | Instruction::Assign(name, _) = instruction {
                after.written.insert(*name);
            }
            after
        }
    });
    forgetful!(OneSideOfAnIndependentBranch {
        fn if_independent(
            &self,
            before: &Collected,
            condition: &Expression,
            [yes, no]: [&Command; 2],
        ) -> (Form, Names) {
            let (yes, exclusive) = self.rio(before, yes);
            let (no, _) = self.rio(before, no);
            (Form::Branch(condition.clone(), yes, no), exclusive)
        }
    });
    forgetful!(IndicesForgotten {
        fn array_location(
            &self,
            before: &Collected,
            array: Array,
            index: &Expression,
            value: &Expression,
        ) -> Collected {
            let mut after = before.clone();
            if self.depends(before, index) || self.depends(before, value) {
                after.tainted.insert(array.name);
            }
            after
        }
    });
}

/// A collection that finds too much: an element can be taken away and the checks still accept.
#[test]
fn collections_that_find_too_much() {
    wrong!(NothingIsSubtracted: Collection {
        fn if_dependent(
            &self,
            before: &Collected,
            condition: &Expression,
            [yes, no]: [&Command; 2],
        ) -> (Form, Collected) {
            let (yes, first) = self.tainted(before, yes);
            let (no, second) = self.tainted(before, no);
            let either = &first.written | &second.written;
            let after = Collected {
                exclusive: &(&first.exclusive | &second.exclusive) | &either,
                written: &first.written & &second.written,
                tainted: before.tainted.clone(),
            };
            (Form::Branch(condition.clone(), yes, no), after)
        }
    });
    caught("NothingIsSubtracted", |program| {
        let bare = program.without_saves();
        let (collected, _) = rewritten(&NothingIsSubtracted(bare.volatile.names()), &bare);
        let superfluous = collected
            .command()
            .checkpoints()
            .into_iter()
            .any(|(point, saved)| {
                saved.iter().any(|name| {
                    let less = collected.saving(&|at, saved| {
                        let mut saved = saved.clone();
                        if at == point {
                            saved.remove(name);
                        }
                        saved
                    });
                    rio::check(&less).is_ok()
                })
            });
        if superfluous {
            Answer::Fails("an element too many".to_owned())
        } else {
            Answer::Holds
        }
    });
}
