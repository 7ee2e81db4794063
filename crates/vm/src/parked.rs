//! Machines that wait for their turn: a search keeps thousands of them.
//!
//! **Invariant**: a parked machine takes as much memory as it differs from the machine that it was parked
//! beside, and wakes up beside the same one exactly as it was, but for its undo log and its checkpoint.

use crate::machine::Machine;

/// How many bytes are compared at once.
const STRETCH: usize = 64;

/// A machine without the memory that is as in another one.
#[derive(Clone, Debug)]
pub struct Parked<'i> {
    /// Its memory is empty.
    rest: Machine<'i>,
    /// What is different, by where it starts.
    memory: Vec<(usize, Box<[u8]>)>,
}

impl<'i> Machine<'i> {
    /// This machine as something that waits, beside a machine of the same image.
    pub fn park(&self, beside: &Machine<'_>) -> Parked<'i> {
        let stretches = self
            .memory
            .chunks(STRETCH)
            .zip(beside.memory.chunks(STRETCH));
        let different = stretches
            .enumerate()
            .filter(|(_, (one, other))| one != other);
        let memory = different.map(|(index, (own, _))| (index * STRETCH, own.into()));
        Parked {
            memory: memory.collect(),
            rest: self.without_memory(),
        }
    }

    fn without_memory(&self) -> Self {
        Self {
            memory: Vec::new(),
            journal: Default::default(),
            checkpoint: None,
            image: self.image,
            processor: self.processor.clone(),
            time: self.time,
            journaling: false,
            bounds: self.bounds,
            inputs_read: self.inputs_read.clone(),
            input_delay: self.input_delay,
            interrupts_asked: self.interrupts_asked,
            sleeps: self.sleeps,
            periods: self.periods.clone(),
            ticks_awaited: self.ticks_awaited,
            forced: self.forced.clone(),
            attempt: self.attempt.clone(),
            environment: self.environment.clone(),
            cleared: self.cleared.clone(),
            stopped: self.stopped.clone(),
            deepest: self.deepest,
            heap_used: self.heap_used,
        }
    }
}

impl<'i> Parked<'i> {
    /// The machine again, beside the one it was parked beside.
    pub fn wake(&self, beside: &Machine<'_>) -> Machine<'i> {
        let mut machine = self.rest.without_memory();
        machine.memory.clone_from(&beside.memory);
        for (start, bytes) in &self.memory {
            machine.memory[*start..*start + bytes.len()].copy_from_slice(bytes);
        }
        machine
    }
}
