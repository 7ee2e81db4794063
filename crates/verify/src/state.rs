//! The symbolic state of an attempt at one place.
//!
//! **Invariant**: where ways meet, a state has the parts of the way that was taken: its guard says
//! which. What a state does not mention is as it was when the region started.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::Object;
use brownout_ir::Value;
use brownout_solver::{Bytes, Term};

use crate::world::World;

/// A state, and the condition under which an attempt gets there.
#[derive(Clone, Debug)]
pub struct State {
    /// Whether the attempt gets there.
    pub guard: Term,
    /// Values that were computed since the start of the region.
    pub values: BTreeMap<(Instance, Value), Term>,
    /// Memory that was written, or that a power failure left other than it was.
    pub memory: BTreeMap<Object, Bytes>,
    /// How often each input was read, 32 bits.
    pub readings: BTreeMap<Site, Term>,
    /// A value that stands for all outputs so far, in order.
    pub outputs: Term,
    /// The values of the environment, those of the scenario first, then one for each tagged output.
    pub environment: Vec<Term>,
    /// For each output that must not be repeated, whether it was done.
    pub done: Vec<Term>,
    /// At the end: the exit status, or what is returned to a library's user, 64 bits.
    pub result: Term,
}

impl State {
    /// What a value is.
    pub fn value(&self, world: &mut World<'_>, instance: Instance, value: Value) -> Term {
        match self.values.get(&(instance, value)) {
            Some(known) => *known,
            None => world.value(instance, value),
        }
    }

    /// What an object holds.
    pub fn memory(&self, world: &mut World<'_>, object: Object) -> Bytes {
        match self.memory.get(&object) {
            Some(known) => *known,
            None => world.memory(object),
        }
    }

    /// How often an input was read.
    pub fn readings(&self, world: &mut World<'_>, site: Site) -> Term {
        match self.readings.get(&site) {
            Some(known) => *known,
            None => world.terms.constant(32, 0),
        }
    }

    /// Takes in the state of another way to the same place.
    pub fn join(&mut self, world: &mut World<'_>, other: &Self) {
        let guard = other.guard;
        let values: BTreeSet<(Instance, Value)> = self
            .values
            .keys()
            .chain(other.values.keys())
            .copied()
            .collect();
        for key in values {
            let (a, b) = (
                self.value(world, key.0, key.1),
                other.value(world, key.0, key.1),
            );
            let chosen = world.terms.choice(guard, b, a);
            self.values.insert(key, chosen);
        }
        let objects: BTreeSet<Object> = self
            .memory
            .keys()
            .chain(other.memory.keys())
            .copied()
            .collect();
        for object in objects {
            let (a, b) = (self.memory(world, object), other.memory(world, object));
            let chosen = world.arrays.choice(&world.terms, guard, b, a);
            self.memory.insert(object, chosen);
        }
        let sites: BTreeSet<Site> = self
            .readings
            .keys()
            .chain(other.readings.keys())
            .copied()
            .collect();
        for site in sites {
            let (a, b) = (self.readings(world, site), other.readings(world, site));
            let chosen = world.terms.choice(guard, b, a);
            self.readings.insert(site, chosen);
        }
        let terms = &mut world.terms;
        self.outputs = terms.choice(guard, other.outputs, self.outputs);
        self.result = terms.choice(guard, other.result, self.result);
        for (mine, others) in self.environment.iter_mut().zip(&other.environment) {
            *mine = terms.choice(guard, *others, *mine);
        }
        for (mine, others) in self.done.iter_mut().zip(&other.done) {
            *mine = terms.choice(guard, *others, *mine);
        }
        self.guard = terms.or(self.guard, guard);
    }
}
