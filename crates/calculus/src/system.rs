//! What all systems have in common: the rules for ordinary instructions (TR §1.2, "standard"), and
//! the five places at which the systems of §4 and §8 differ.
//!
//! A system says how it reads and writes a location, what it does at a checkpoint, when power fails
//! and at a reboot, and where a jump goes. [`System::step`] is the rest. A deliberately wrong system
//! overrides one of the five and is otherwise the right one.
//!
//! **Time.** Instructions take one tick, branches none: with that reading the times of Fig. 6 come
//! out (`b := …` at 0, `in(1)`, the failure after `y := …` at 4, `in(9)` after a reboot at 8).

use std::fmt::Debug;
use std::hash::Hash;

use crate::evaluate::evaluate;
use crate::program::Program;
use crate::state::{Configuration, Location, Observation};
use crate::syntax::{Command, Expression, Form, Instruction, Name, Names, Value};

/// A way of executing programs.
pub trait System {
    /// κ
    type Context: Clone + Eq + Hash + Debug;

    /// The configuration in which a program starts.
    fn start(&self, program: &Program) -> Configuration<Self::Context>;

    /// The value of a location, where the program would read it.
    fn load(&self, at: &Configuration<Self::Context>, location: Location) -> Option<Value> {
        at.nonvolatile
            .get(location)
            .or_else(|| at.volatile.get(location))
    }

    /// Writes a location. Locations never move from one memory to the other.
    fn store(&self, at: &mut Configuration<Self::Context>, location: Location, value: Value) {
        if at.volatile.contains(location) {
            at.volatile.set(location, value);
        } else {
            at.nonvolatile.set(location, value);
        }
    }

    /// `checkpoint(ω); rest`: what it does to contexts and memories.
    fn checkpoint(&self, at: &mut Configuration<Self::Context>, saved: &Names, rest: &Command);

    /// What a power failure does to contexts and memories.
    fn power_failure(&self, at: &mut Configuration<Self::Context>);

    /// What a reboot does to contexts, memories and the command.
    fn reboot(&self, at: &mut Configuration<Self::Context>);

    /// `goto ℓ` and `toTask(i)` (§8.2): the command that comes next, and what is observed. Stuck in
    /// systems that have neither.
    fn jump(
        &self,
        _at: &mut Configuration<Self::Context>,
        _target: Name,
    ) -> Option<Vec<Observation>> {
        None
    }

    /// One step, if there is one: `(τ, κ, N, V, c) ⇒O (τ', κ', N', V', c')`. An input gives `reading`.
    fn step(
        &self,
        from: &Configuration<Self::Context>,
        reading: Value,
    ) -> Option<(Configuration<Self::Context>, Vec<Observation>)> {
        let mut observed = Vec::new();
        let mut to = from.clone();
        match from.command.form() {
            Form::Skip => return None,
            Form::Sequence(instruction, rest) => {
                to.time += 1;
                to.command = rest.clone();
                self.instruction(from, &mut to, instruction, rest, reading, &mut observed)?;
            }
            Form::Branch(condition, yes, no) => {
                let taken = self.evaluate(from, condition, &mut observed)?.truth();
                to.command = if taken { yes.clone() } else { no.clone() };
            }
            Form::Reboot(duration) => {
                to.time += duration;
                self.reboot(&mut to);
                observed.push(Observation::Reboot);
            }
            Form::Goto(target) | Form::ToTask(target) => {
                observed = self.jump(&mut to, *target)?;
            }
        }
        Some((to, observed))
    }

    /// The rules for the instruction in front of `rest`.
    fn instruction(
        &self,
        from: &Configuration<Self::Context>,
        to: &mut Configuration<Self::Context>,
        instruction: &Instruction,
        rest: &Command,
        reading: Value,
        observed: &mut Vec<Observation>,
    ) -> Option<()> {
        match instruction {
            Instruction::Skip => {}
            Instruction::Assign(name, expression) => {
                let value = self.evaluate(from, expression, observed)?;
                self.store(to, Location::variable(*name), value);
            }
            Instruction::AssignElement(array, index, expression) => {
                let index = self.evaluate(from, index, observed)?;
                let value = self.evaluate(from, expression, observed)?;
                self.store(to, Location::element(*array, index), value);
            }
            Instruction::Input(name) => {
                observed.push(Observation::Input(from.time, reading));
                self.store(to, Location::variable(*name), reading);
            }
            Instruction::Checkpoint(saved) => {
                self.checkpoint(to, saved, rest);
                observed.push(Observation::Checkpoint);
            }
        }
        Some(())
    }

    /// `N, V ⊢ e ⇓r v`, with this system's way of reading.
    fn evaluate(
        &self,
        at: &Configuration<Self::Context>,
        expression: &Expression,
        reads: &mut Vec<Observation>,
    ) -> Option<Value> {
        evaluate(expression, &|location| self.load(at, location), reads)
    }

    /// Power fails, for `duration` ticks: possible at every step, also after the last one.
    fn fail(
        &self,
        from: &Configuration<Self::Context>,
        duration: u32,
    ) -> Configuration<Self::Context> {
        let mut to = from.clone();
        to.time += 1;
        self.power_failure(&mut to);
        to.command = Command::new(Form::Reboot(duration));
        to
    }
}

/// Whether the next step asks for an input.
pub fn asks(command: &Command) -> bool {
    matches!(command.form(), Form::Sequence(Instruction::Input(_), _))
}
