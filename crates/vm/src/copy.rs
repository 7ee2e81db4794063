//! A machine from outside, for analyses that compare two machines or work on
//! full copies of one: where its calls stand, which inputs it has read, and a
//! way to build a state byte by byte.

use brownout_ir::{Func, Id};

use crate::machine::Machine;

/// The calls in progress and the stack they occupy: a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallStack {
    /// Functions and offsets of their frame pointers, oldest first.
    frames: Vec<(Func, u32)>,
    /// Offsets from here up are in use.
    low: u32,
    /// One past the highest offset of the stack.
    high: u32,
    /// Bytes of the return address and saved frame pointer above a frame pointer.
    linkage: u32,
}

impl CallStack {
    /// The activation that owns a byte of the stack in use: its function, and how far
    /// the byte lies from its frame pointer. None for bytes nobody uses.
    pub fn owner(&self, offset: u32) -> Option<(Func, i64)> {
        if !(self.low..self.high).contains(&offset) {
            return None;
        }
        let &(func, frame) = self
            .frames
            .iter()
            .rev()
            .find(|(_, frame)| offset < frame + self.linkage)?;
        Some((func, i64::from(offset) - i64::from(frame)))
    }
}

impl Machine<'_> {
    /// The calls in progress.
    pub fn call_stack(&self) -> CallStack {
        let layout = &self.image.layout;
        let offset = |address: u64| address.wrapping_sub(layout.base) as u32;
        let frames = self.processor.frames.iter();
        CallStack {
            frames: frames
                .map(|frame| {
                    (
                        Func::from_index(frame.function as usize),
                        offset(frame.frame_pointer),
                    )
                })
                .collect(),
            low: offset(self.processor.sp),
            high: layout.stack.end,
            linkage: 2 * u32::from(layout.pointer_bits / 8),
        }
    }

    /// What has come from outside so far: how often each input was read, the environment, and
    /// the time as inputs see it. For [`Machine::replay_inputs`].
    pub fn inputs_read(&self) -> Vec<u64> {
        let environment = self.environment.iter().map(|&value| value as u64);
        let counts = self.inputs_read.iter().copied();
        let time = self.now().wrapping_sub(self.input_delay);
        counts.chain(environment).chain([time]).collect()
    }

    /// How often each input was read so far.
    pub fn times_read(&self) -> &[u64] {
        &self.inputs_read
    }

    /// Lets inputs be read again: the values that were next when `outside` was
    /// [`Machine::inputs_read`]; if it was [`Machine::times_read`], the environment and the time stay. Two attempts are
    /// comparable only if they read the same.
    pub fn replay_inputs(&mut self, outside: impl AsRef<[u64]>) {
        let outside = outside.as_ref().iter().copied();
        let counts = self.inputs_read.iter_mut();
        let mut rest = outside.clone().skip(counts.len());
        counts.zip(outside).for_each(|(count, then)| *count = then);
        let environment = self.environment.iter_mut();
        environment
            .zip(rest.by_ref())
            .for_each(|(value, then)| *value = then as i64);
        if let Some(time) = rest.next() {
            self.input_delay = self.now().wrapping_sub(time);
        }
    }

    /// Puts `bytes` at `offset`, unobserved and not in the undo log: for copies that
    /// are never rolled back. What lies outside memory is left out.
    pub fn set_memory(&mut self, offset: u32, bytes: &[u8]) {
        let size = self.image.layout.size as usize;
        let start = (offset as usize).min(size);
        let end = (start + bytes.len()).min(size);
        self.memory[start..end].copy_from_slice(&bytes[..end - start]);
    }
}
