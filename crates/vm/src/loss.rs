//! Volatile state that a checkpoint does not restore.
//!
//! It is arbitrary after a power failure. Here every byte of it becomes another one than it was at the
//! checkpoint, always the same: what depends on it shows. Values of one bit turn over.

use std::sync::Arc;

use brownout_ir::{Func, Id, Retained, eval};

use crate::machine::Machine;

/// What lost bytes are combined with, by exclusive or.
const PATTERN: u64 = 0xa5a5_a5a5_a5a5_a5a5;

impl Machine<'_> {
    /// What the checkpoint that was executed last restores of volatile state, if not all of it.
    pub(crate) fn retained(&self) -> Option<Arc<Retained>> {
        let retained = &self.image.bindings.retained;
        if retained.is_empty() {
            return None;
        }
        let last = (self.pc() as usize).checked_sub(1)?;
        let place = (*self.image.code.places.get(last)?)?;
        retained.get(&place).cloned()
    }

    /// Loses all volatile state that can be lost but this.
    pub(crate) fn lose_all_but(&mut self, retained: &Retained) {
        self.lose_variables_but(retained);
        self.lose_frames_but(retained);
    }

    /// The same for a machine that stands at its checkpoint and whose volatile memory was put back by
    /// somebody else.
    pub fn lose_unrestored(&mut self) {
        if let Some(retained) = self.retained() {
            self.lose_all_but(&retained);
        }
    }

    fn is_volatile(&self, offset: u32) -> bool {
        let segment = self.image.layout.segment(offset);
        segment.is_some_and(|segment| !segment.nonvolatile)
    }

    fn lose_byte(&mut self, offset: u32) {
        let old = self.memory[offset as usize];
        self.overwrite(offset, old ^ PATTERN as u8);
    }

    fn lose_variables_but(&mut self, retained: &Retained) {
        let image = self.image;
        let variables = image.program.globals.iter();
        for (global, data) in variables.filter(|(_, data)| data.is_variable()) {
            let start = image.layout.offset_of(global);
            if !self.is_volatile(start) {
                continue;
            }
            for byte in 0..data.size {
                if !retained.has_byte(global, byte) {
                    self.lose_byte(start + byte as u32);
                }
            }
        }
    }

    /// Stack objects and values of all calls in progress.
    fn lose_frames_but(&mut self, retained: &Retained) {
        let image = self.image;
        let processor = &self.processor;
        let (mut at, mut window) = (processor.pc, processor.window);
        for frame in processor.frames.clone().into_iter().rev() {
            let func = Func::from_index(frame.function as usize);
            let body = image.program.functions[func].body.as_ref();
            if let (Some(code), Some(body)) = (self.function_code(frame.function as usize), body) {
                for (slot, data) in body.slots.iter() {
                    if retained.slots.contains(&(func, slot)) {
                        continue;
                    }
                    let base = i64::from(code.slot_offsets[slot.index()]);
                    let start = frame.frame_pointer.wrapping_add_signed(base);
                    for byte in 0..u64::from(data.size) {
                        let offset = start.wrapping_add(byte).wrapping_sub(image.layout.base);
                        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
                        if image.layout.stack.contains(&offset) && self.is_volatile(offset) {
                            self.lose_byte(offset);
                        }
                    }
                }
                let live = image.live_before(frame.function as usize, at);
                for (value, ty) in body.values.iter() {
                    let register = code.registers.get(value.index()).copied().flatten();
                    let Some(register) = register else { continue };
                    if retained.values.contains(&(func, value)) {
                        continue;
                    }
                    let bits = ty.bits(&image.program.target);
                    for (word, bits) in [bits.min(64), bits.saturating_sub(64)].iter().enumerate() {
                        let register = register as usize + word;
                        if *bits > 0 && live.contains(&register) {
                            let lost = PATTERN & eval::narrow::mask(*bits);
                            self.lose_register(window as usize + register, lost);
                        }
                    }
                }
            }
            (at, window) = (frame.return_to, frame.caller_window);
        }
    }

    fn lose_register(&mut self, register: usize, lost: u64) {
        if let Some(register) = self.processor.registers.get_mut(register) {
            *register ^= lost;
        }
    }
}
