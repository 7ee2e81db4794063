//! §6.2: what executions write: `Run`, `Wt`, `FstWt`, `MstWt` and `MFstWt`.
//!
//! These are facts about executions, for all inputs of a domain, not approximations: the checks of §6.1
//! are held against them. (As printed, MstWt and MFstWt bind N, V and c a second time; we take them to
//! be the parameters.)

use std::collections::BTreeSet;

use crate::continuous::{continuous_step, ends_region, readings};
use crate::state::{Configuration, Location, Observation};
use crate::syntax::{Command, Form, Instruction, Value};

/// What a trace has done to locations.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Accesses {
    /// `Wt(T)`
    pub written: BTreeSet<Location>,
    /// `FstWt(T)`: written before it was read.
    pub first_written: BTreeSet<Location>,
    /// What was read before it was written.
    pub first_read: BTreeSet<Location>,
}

impl Accesses {
    /// One more step, which started from this configuration and observed this.
    pub fn step<Context>(&mut self, from: &Configuration<Context>, observed: &[Observation]) {
        for observation in observed {
            if let Observation::Read(location, _) = observation
                && !self.first_written.contains(location)
            {
                self.first_read.insert(*location);
            }
        }
        if let Some(location) = written(&from.command, observed) {
            self.written.insert(location);
            if !self.first_read.contains(&location) {
                self.first_written.insert(location);
            }
        }
    }
}

/// The location that the first instruction of a command writes, given what it observed.
pub fn written(command: &Command, observed: &[Observation]) -> Option<Location> {
    let Form::Sequence(instruction, _) = command.form() else {
        return None;
    };
    match instruction {
        Instruction::Skip | Instruction::Checkpoint(_) => None,
        Instruction::Assign(name, _) | Instruction::Input(name) => Some(Location::variable(*name)),
        Instruction::AssignElement(array, index, _) => {
            // The values read on the way to the index are those observed first.
            let mut reads = observed.iter().filter_map(|observation| match observation {
                Observation::Read(location, value) => Some((*location, *value)),
                Observation::Input(..) | Observation::Reboot | Observation::Checkpoint => None,
            });
            let reads = std::cell::RefCell::new(&mut reads);
            let load = |_| reads.borrow_mut().next().map(|(_, value)| value);
            let index = crate::evaluate::evaluate(index, &load, &mut Vec::new())?;
            Some(Location::element(*array, index))
        }
    }
}

/// `Run(σ, I, CP)` for all I: what each execution from here to the end of the region does.
pub fn runs(from: &Configuration<()>, domain: &[Value]) -> Vec<Accesses> {
    let mut runs = Vec::new();
    run(from, Accesses::default(), domain, &mut runs);
    runs
}

fn run(from: &Configuration<()>, accesses: Accesses, domain: &[Value], runs: &mut Vec<Accesses>) {
    if ends_region(&from.command) {
        runs.push(accesses);
        return;
    }
    for &reading in readings(&from.command, domain) {
        if let Some((to, observed)) = continuous_step(from, reading) {
            let mut accesses = accesses.clone();
            accesses.step(from, &observed);
            run(&to, accesses, domain, runs);
        }
    }
}

/// What all of them have.
fn common(mut sets: impl Iterator<Item = BTreeSet<Location>>) -> BTreeSet<Location> {
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |all, set| &all & &set)
}

/// `MstWt(N, V, c)`: written before the next checkpoint, whatever the inputs are.
pub fn must_write(from: &Configuration<()>, domain: &[Value]) -> BTreeSet<Location> {
    common(runs(from, domain).into_iter().map(|run| run.written))
}

/// `MFstWt(N, V, c)`: written before it is read, whatever the inputs are.
pub fn must_first_write(from: &Configuration<()>, domain: &[Value]) -> BTreeSet<Location> {
    common(runs(from, domain).into_iter().map(|run| run.first_written))
}
