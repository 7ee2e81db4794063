//! Deliberate mistakes, each in one rule. The claim that the rule matters for has to notice.
//!
//! A check that has become too lenient accepts a program that is not correct (Theorem 4); one that has
//! become too strict rejects what collection has rewritten (Lemma 5); a collection that finds too
//! little violates Lemma 5, one that finds too much has an element too many; a system that does
//! something else is not related to the known one any more.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    reason = "tests that show what they found, and functions in tables"
)]

use brownout_calculus::basic::{self, Basic};
use brownout_calculus::claims::{self, Answer};
use brownout_calculus::collect::{Collected, Collection, Mended, Taint, collect_all, rewritten};
use brownout_calculus::correct::{Correctness, Scope, correct};
use brownout_calculus::explore::explore;
use brownout_calculus::generate::{SMALL, generate};
use brownout_calculus::idempotent::Idempotent;
use brownout_calculus::program::Program;
use brownout_calculus::redo::Redo;
use brownout_calculus::rejection::{Rejection, accepted};
use brownout_calculus::rio::{self, RepeatedInputs};
use brownout_calculus::shrink::shrink;
use brownout_calculus::state::{Configuration, Location, Memory, Observation};
use brownout_calculus::syntax::{
    Array, Command, Expression, Form, Instruction, Name, Names, Value,
};
use brownout_calculus::system::System;
use brownout_calculus::tasks;
use brownout_calculus::undo::Undo;
use brownout_calculus::war::{self, WriteAfterRead};

/// Among the first 50,000 programs is one that shows the mistake; it is printed, shrunk.
fn caught(mistake: &str, ask: impl Fn(&Program) -> Answer) {
    let fails = |program: &Program| matches!(ask(program), Answer::Fails(_));
    let seed = (0..50_000).find(|seed| fails(&generate(*seed, SMALL)));
    let seed = seed.unwrap_or_else(|| panic!("nobody notices: {mistake}"));
    let smallest = shrink(&generate(seed, SMALL), &fails);
    let Answer::Fails(reason) = ask(&smallest) else {
        panic!("shrinking lost the mistake: {mistake}")
    };
    println!("{mistake}: noticed in program {seed}, shrunk to\n{smallest}{reason}\n");
}

/// Theorem 4 for other checks, for the program and for versions of it that save a little too little.
fn theorem_4(accepts: impl Fn(&Program) -> bool, program: &Program) -> Answer {
    let mut versions = claims::one_less(&collect_all(program).0);
    versions.push(program.clone());
    let wrong = versions
        .iter()
        .find(|version| accepts(version) && !correct(version, &Scope::default()).holds());
    match wrong {
        Some(version) => Answer::Fails(format!("accepted, but not correct:\n{version}")),
        None => Answer::Holds,
    }
}

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

type At<S> = Configuration<<S as System>::Context>;

/// A system of which some parts are wrong and the others right.
struct Broken<S: System> {
    right: S,
    load: Option<fn(&S, &At<S>, Location) -> Option<Value>>,
    store: Option<fn(&S, &mut At<S>, Location, Value)>,
    checkpoint: Option<fn(&S, &mut At<S>, &Names, &Command)>,
    reboot: Option<fn(&S, &mut At<S>)>,
    jump: Option<fn(&S, &mut At<S>, Name) -> Option<Vec<Observation>>>,
}

impl<S: System> Broken<S> {
    fn new(right: S) -> Self {
        Self {
            right,
            load: None,
            store: None,
            checkpoint: None,
            reboot: None,
            jump: None,
        }
    }
}

impl<S: System> System for Broken<S> {
    type Context = S::Context;

    fn start(&self, program: &Program) -> At<S> {
        self.right.start(program)
    }

    fn load(&self, at: &At<S>, location: Location) -> Option<Value> {
        match self.load {
            Some(wrong) => wrong(&self.right, at, location),
            None => self.right.load(at, location),
        }
    }

    fn store(&self, at: &mut At<S>, location: Location, value: Value) {
        match self.store {
            Some(wrong) => wrong(&self.right, at, location, value),
            None => self.right.store(at, location, value),
        }
    }

    fn checkpoint(&self, at: &mut At<S>, saved: &Names, rest: &Command) {
        match self.checkpoint {
            Some(wrong) => wrong(&self.right, at, saved, rest),
            None => self.right.checkpoint(at, saved, rest),
        }
    }

    fn power_failure(&self, at: &mut At<S>) {
        self.right.power_failure(at);
    }

    fn reboot(&self, at: &mut At<S>) {
        match self.reboot {
            Some(wrong) => wrong(&self.right, at),
            None => self.right.reboot(at),
        }
    }

    fn jump(&self, at: &mut At<S>, target: Name) -> Option<Vec<Observation>> {
        match self.jump {
            Some(wrong) => wrong(&self.right, at, target),
            None => self.right.jump(at, target),
        }
    }
}

/// Accepted programs are not correct in a basic system with this mistake.
fn basic_is_caught(mistake: &str, breaks: fn(&mut Broken<Basic>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Basic);
        breaks(&mut system);
        let scope = Scope::default();
        let mut space = Correctness {
            system,
            program,
            scope: &scope,
        };
        if accepted(program).is_ok() && !explore(&mut space, scope.states).holds() {
            Answer::Fails("accepted, but not correct".to_owned())
        } else {
            Answer::Holds
        }
    });
}

#[test]
fn broken_checkpoints() {
    basic_is_caught("a reboot restores nothing non-volatile", |system| {
        system.reboot = Some(|_, at| {
            at.volatile = at.context.volatile.clone();
            at.command = at.context.command.clone();
        });
    });
    basic_is_caught("a reboot does not restore volatile memory", |system| {
        system.reboot = Some(|_, at| {
            at.nonvolatile = at.nonvolatile.updated(&at.context.nonvolatile);
            at.command = at.context.command.clone();
        });
    });
    basic_is_caught("a checkpoint does not save ω", |system| {
        system.checkpoint = Some(|right, at, _, rest| right.checkpoint(at, &Names::new(), rest));
    });
    basic_is_caught(
        "a checkpoint keeps the volatile memory of the first",
        |system| {
            system.checkpoint = Some(|_, at, saved, rest| {
                at.context = basic::Context {
                    nonvolatile: at.nonvolatile.restricted(saved),
                    command: rest.clone(),
                    volatile: at.context.volatile.clone(),
                };
            });
        },
    );
    basic_is_caught("execution goes on at the first checkpoint", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let first = at.context.command.clone();
            right.checkpoint(at, saved, rest);
            at.context.command = first;
        });
    });
}

fn undo_is_caught(mistake: &str, breaks: fn(&mut Broken<Undo>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Undo);
        breaks(&mut system);
        claims::undo(&system, program)
    });
}

#[test]
fn broken_undo_logs() {
    undo_is_caught("the log gets the new value", |system| {
        system.store = Some(|right, at, location, value| {
            right.store(at, location, value);
            if at.context.saved.contains(&location.name) {
                at.context.log.set(location, value);
            }
        });
    });
    undo_is_caught("every write is logged, not only the first", |system| {
        system.store = Some(|right, at, location, value| {
            let old = right.load(at, location);
            right.store(at, location, value);
            if at.context.saved.contains(&location.name)
                && let Some(old) = old
            {
                at.context.log.set(location, old);
            }
        });
    });
    undo_is_caught("a checkpoint keeps the log", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let log = at.context.log.clone();
            right.checkpoint(at, saved, rest);
            at.context.log = log;
        });
    });
    undo_is_caught("a reboot does not play the log back", |system| {
        system.reboot = Some(|right, at| {
            let nonvolatile = at.nonvolatile.clone();
            right.reboot(at);
            at.nonvolatile = nonvolatile;
        });
    });
}

fn redo_is_caught(mistake: &str, breaks: fn(&mut Broken<Redo>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Redo::default());
        breaks(&mut system);
        claims::redo(&system, program)
    });
}

#[test]
fn broken_redo_logs() {
    redo_is_caught("reads do not look into the log", |system| {
        system.load = Some(|_, at, location| {
            at.nonvolatile
                .get(location)
                .or_else(|| at.volatile.get(location))
        });
    });
    redo_is_caught("writes go past the log", |system| {
        system.store = Some(|_, at, location, value| store_in_place(at, location, value));
    });
    redo_is_caught("a checkpoint throws the log away", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            at.context.log = Memory::default();
            right.checkpoint(at, saved, rest);
        });
    });
    redo_is_caught("a reboot keeps the log", |system| {
        system.reboot = Some(|right, at| {
            let log = at.context.log.clone();
            right.reboot(at);
            at.context.log = log;
        });
    });
}

/// Writing to memory itself, in any system.
fn store_in_place<Context>(at: &mut Configuration<Context>, location: Location, value: Value) {
    if at.volatile.contains(location) {
        at.volatile.set(location, value);
    } else {
        at.nonvolatile.set(location, value);
    }
}

#[test]
fn broken_idempotent_regions() {
    fn is_caught(mistake: &str, breaks: fn(&mut Broken<Idempotent>)) {
        caught(mistake, |program| {
            let mut system = Broken::new(Idempotent);
            breaks(&mut system);
            claims::idempotent(&system, program)
        });
    }
    is_caught("a reboot does not restore volatile memory", |system| {
        system.reboot = Some(|right, at| {
            let volatile = at.volatile.clone();
            right.reboot(at);
            at.volatile = volatile;
        });
    });
    is_caught("execution goes on at the first checkpoint", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let first = at.context.command.clone();
            right.checkpoint(at, saved, rest);
            at.context.command = first;
        });
    });
    caught("regions are not cut", |program| {
        theorem_4(|_| true, &program.without_saves())
    });
}

#[test]
fn broken_tasks() {
    fn is_caught(mistake: &str, breaks: fn(&mut Broken<tasks::Tasks>)) {
        caught(mistake, |program| {
            let mut system = Broken::new(tasks::split(program).1);
            breaks(&mut system);
            claims::tasks(&system, program)
        });
    }
    is_caught("a reboot keeps private memory", |system| {
        system.reboot = Some(|right, at| {
            let private = at.context.private.clone();
            right.reboot(at);
            at.context.private = private;
        });
    });
    is_caught("a transition does not commit", |system| {
        system.jump = Some(|right, at, target| {
            at.context.private = Memory::default();
            right.jump(at, target)
        });
    });
    is_caught("a transition does not change the current task", |system| {
        system.jump = Some(|right, at, target| {
            let current = at.context.current;
            let observed = right.jump(at, target);
            at.context.current = current;
            observed
        });
    });
    is_caught("writes go past private memory", |system| {
        system.store = Some(|_, at, location, value| {
            if at.context.local.contains(location) {
                at.context.local.set(location, value);
            } else {
                store_in_place(at, location, value);
            }
        });
    });
}
