//! §8.2 and Fig. 10: task-based systems, as Alpaca.
//!
//! A program is a map T from tasks to (ω, c); `toTask(j)` ends a task. Memory is task-shared (Ts, here
//! the non-volatile memory of the configuration), task-local (Tl, a volatile part, here the volatile
//! memory, and a non-volatile one) and task-private (Tp), which works as a redo log. κ = (T, i); the map
//! never changes, so it belongs to the system and not to the configuration.
//!
//! A task has to write its local variables before it reads them ([`initialises_locals`]), and what it
//! needs saved has to be in its ω ([`accepted`]).
//!
//! [`translated`] is `T ⇝ Ψ`: a task becomes a label in front of a checkpoint, a transition a jump.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::Program;
use crate::redo::{self, Redo};
use crate::rejection::Rejection;
use crate::rio::RepeatedInputs;
use crate::state::{Configuration, Location, Memory, Observation};
use crate::syntax::{Command, Form, Instruction, Name, Names, Value};
use crate::system::System;
use crate::war::WriteAfterRead;
use crate::{rio, war};

/// κ of tasks, but for the map, with the memories that only tasks have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// i: the current task.
    pub current: Name,
    /// Tp: task-private memory.
    pub private: Memory,
    /// The non-volatile part of Tl.
    pub local: Memory,
}

/// A task: ω and c.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// ω
    pub saved: Names,
    /// c
    pub command: Command,
}

/// A task-based program, which is also the system that executes it.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// T
    pub map: BTreeMap<Name, Task>,
    /// The first task.
    pub first: Name,
    /// Non-volatile variables that are local to tasks.
    pub local: Names,
}

impl System for Tasks {
    type Context = Context;

    /// The memories are those of the program; its command is not used.
    fn start(&self, program: &Program) -> Configuration<Context> {
        let shared = &program.nonvolatile.names() - &self.local;
        let mut start = program.start(Context {
            current: self.first,
            private: Memory::default(),
            local: program.nonvolatile.restricted(&self.local),
        });
        start.nonvolatile = program.nonvolatile.restricted(&shared);
        if let Some(task) = self.map.get(&self.first) {
            start.command = task.command.clone();
        }
        start
    }

    /// Tsk-Rd: private memory comes first.
    fn load(&self, at: &Configuration<Context>, location: Location) -> Option<Value> {
        at.context
            .private
            .get(location)
            .or_else(|| at.nonvolatile.get(location))
            .or_else(|| at.context.local.get(location))
            .or_else(|| at.volatile.get(location))
    }

    /// Tsk-Assign: ω to private memory, other shared variables in place, local ones in place.
    fn store(&self, at: &mut Configuration<Context>, location: Location, value: Value) {
        let saved = |task: &Task| task.saved.contains(&location.name);
        if at.volatile.contains(location) {
            at.volatile.set(location, value);
        } else if at.context.local.contains(location) {
            at.context.local.set(location, value);
        } else if self.map.get(&at.context.current).is_some_and(saved) {
            at.context.private.set(location, value);
        } else {
            at.nonvolatile.set(location, value);
        }
    }

    /// There are none.
    fn checkpoint(&self, _: &mut Configuration<Context>, _: &Names, _: &Command) {}

    /// Tsk-PowerFail: volatile local memory is lost.
    fn power_failure(&self, at: &mut Configuration<Context>) {
        at.volatile = at.volatile.reset();
    }

    /// Tsk-Reboot: the current task from its start, without private memory.
    fn reboot(&self, at: &mut Configuration<Context>) {
        at.context.private = Memory::default();
        if let Some(task) = self.map.get(&at.context.current) {
            at.command = task.command.clone();
        }
    }

    /// Tsk-Trans: `((T, i), Ts, Tp, Tl, toTask(j)) ⇒ ((T, j), Ts ◁ Tp, ∅, Tl, c)`
    fn jump(&self, at: &mut Configuration<Context>, target: Name) -> Option<Vec<Observation>> {
        at.command = self.map.get(&target)?.command.clone();
        at.nonvolatile = at.nonvolatile.updated(&at.context.private);
        at.context.private = Memory::default();
        at.context.current = target;
        Some(vec![Observation::Checkpoint])
    }
}

/// `ω ⊩WAR c : ok` and `ω ⊩RIO c : ok` for every task.
///
/// # Errors
/// The first premise that does not hold.
pub fn accepted(tasks: &Tasks, volatile: &Names) -> Result<(), Rejection> {
    let restored = volatile | &tasks.local;
    let war = war::Check {
        volatile: restored.clone(),
    };
    let rio = rio::Check { volatile: restored };
    tasks.map.values().try_for_each(|task| {
        war.war(&war.fresh(&task.saved), &task.command)?;
        rio.rio(&rio.fresh(&task.saved), &task.command)
    })
}

/// Whether every task writes these variables before it reads them.
pub fn initialises_locals(tasks: &Tasks, local: &Names) -> bool {
    tasks
        .map
        .values()
        .all(|task| exposed(&task.command, &Names::new()).is_disjoint(local))
}

/// What a command may read before it has written it.
fn exposed(command: &Command, written: &Names) -> Names {
    match command.form() {
        Form::Sequence(instruction, rest) => {
            let (reads, writes) = match instruction {
                Instruction::Assign(name, value) => (value.reads(), Some(*name)),
                Instruction::AssignElement(_, index, value) => {
                    (&index.reads() | &value.reads(), None)
                }
                Instruction::Input(name) => (Names::new(), Some(*name)),
                Instruction::Skip | Instruction::Checkpoint(_) => (Names::new(), None),
            };
            let mut after = written.clone();
            after.extend(writes);
            &(&reads - written) | &exposed(rest, &after)
        }
        Form::Branch(condition, yes, no) => {
            let sides = &exposed(yes, written) | &exposed(no, written);
            &(&condition.reads() - written) | &sides
        }
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Names::new(),
    }
}

/// The translation of Fig. 10 the other way round: each checkpoint of a program becomes a transition to
/// a task of its own. Volatile variables that outlive a checkpoint become shared ones.
pub fn split(program: &Program) -> (Program, Tasks) {
    let mut tasks = Tasks {
        map: BTreeMap::new(),
        first: label(u32::MAX),
        local: Names::new(),
    };
    let command = tasks.add(program.command());
    let first = Task {
        saved: Names::new(),
        command,
    };
    tasks.map.insert(tasks.first, first);
    let volatile = program.volatile.names();
    let outlive: BTreeSet<Name> = volatile
        .into_iter()
        .filter(|name| !initialises_locals(&tasks, &Names::from([*name])))
        .collect();
    let mut program = program.clone();
    program.nonvolatile = program
        .nonvolatile
        .updated(&program.volatile.restricted(&outlive));
    program.volatile = program
        .volatile
        .restricted(&(&program.volatile.names() - &outlive));
    // One variable that every task initialises is local and non-volatile.
    tasks.local = program
        .nonvolatile
        .names()
        .into_iter()
        .filter(|name| initialises_locals(&tasks, &Names::from([*name])))
        .filter(|name| program.nonvolatile.contains(Location::variable(*name)))
        .filter(|name| tasks.map.values().all(|task| !task.saved.contains(name)))
        .take(1)
        .collect();
    (program, tasks)
}

/// The name of the task at a point.
fn label(point: u32) -> Name {
    let text = if point == u32::MAX {
        "start".to_owned()
    } else {
        format!("task{point}")
    };
    Name::new(&text).unwrap_or(Name::letter(b'T'))
}

impl Tasks {
    /// A command with its checkpoints turned into transitions; what follows them becomes tasks.
    fn add(&mut self, command: &Command) -> Command {
        let form = match command.form() {
            Form::Sequence(Instruction::Checkpoint(saved), rest) => {
                let task = Task {
                    saved: saved.clone(),
                    command: self.add(rest),
                };
                self.map.insert(label(command.point()), task);
                Form::ToTask(label(command.point()))
            }
            Form::Sequence(instruction, rest) => {
                Form::Sequence(instruction.clone(), self.add(rest))
            }
            Form::Branch(condition, yes, no) => {
                let yes = self.add(yes);
                Form::Branch(condition.clone(), yes, self.add(no))
            }
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => form.clone(),
        };
        Command::at(command.point(), form)
    }
}

/// `⟦c⟧`: transitions become jumps.
pub fn translated_command(command: &Command) -> Command {
    let form = match command.form() {
        Form::ToTask(task) => Form::Goto(*task),
        Form::Sequence(instruction, rest) => {
            Form::Sequence(instruction.clone(), translated_command(rest))
        }
        Form::Branch(condition, yes, no) => Form::Branch(
            condition.clone(),
            translated_command(yes),
            translated_command(no),
        ),
        form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_)) => form.clone(),
    };
    Command::at(command.point(), form)
}

/// `T ⇝ Ψ`: `i ↦ (ω, c) ⇝ ℓi : checkpoint(ω); ⟦c⟧`.
pub fn translated(tasks: &Tasks) -> Redo {
    let labelled = |(name, task): (&Name, &Task)| {
        let command = translated_command(&task.command);
        (
            *name,
            command.after(Instruction::Checkpoint(task.saved.clone())),
        )
    };
    Redo {
        code: tasks.map.iter().map(labelled).collect(),
    }
}

/// `⟦c_t⟧ = c_r`
fn translates(task: &Command, redo: &Command) -> bool {
    task.point() == redo.point()
        && match (task.form(), redo.form()) {
            (Form::ToTask(target), Form::Goto(label)) => target == label,
            (Form::Sequence(one, task), Form::Sequence(other, redo)) => {
                one == other && translates(task, redo)
            }
            (Form::Branch(one, yes, no), Form::Branch(other, redo_yes, redo_no)) => {
                one == other && translates(yes, redo_yes) && translates(no, redo_no)
            }
            (task, redo) => task == redo,
        }
}

/// `Σ_TSK ⇝ Ψ, Σ_RL`, with the locals that the current attempt has written: only those have to be equal
/// (`V_r ≈ Tl_V`).
pub fn related(
    tasks: &Tasks,
    code: &Redo,
    redo: &Configuration<redo::Context>,
    task: &Configuration<Context>,
    initialised: &BTreeSet<Location>,
) -> bool {
    let Some(current) = tasks.map.get(&task.context.current) else {
        return false;
    };
    // After `goto ℓ` the redo log stands in front of the checkpoint at ℓ.
    let at_label = match task.command.form() {
        Form::ToTask(target) => code.code.get(target) == Some(&redo.command),
        Form::Reboot(_) | Form::Skip | Form::Sequence(..) | Form::Branch(..) | Form::Goto(_) => {
            false
        }
    };
    let locals = initialised
        .iter()
        .filter(|location| task.volatile.contains(**location))
        .all(|location| redo.volatile.get(*location) == task.volatile.get(*location));
    (at_label || translates(&task.command, &redo.command))
        && translates(&current.command, &redo.context.command)
        && redo.context.saved == current.saved
        && redo.context.log == task.context.private
        && redo.nonvolatile == task.nonvolatile.updated(&task.context.local)
        && redo.volatile.names().is_subset(&task.volatile.names())
        && locals
}
