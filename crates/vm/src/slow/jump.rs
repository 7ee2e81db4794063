//! `setjmp` and `longjmp`: a buffer in guest memory that nothing is believed of.

use brownout_ir::Service;

use super::{Machine, Next};
use crate::code::{Op, Slot, Slow};
use crate::fault::Fault;
use crate::observer::{Observer, Register};

impl Machine<'_> {
    /// Words as wide as a pointer; the operation number of `setjmp` needs two on small targets.
    pub(super) fn write_words(
        &mut self,
        address: u64,
        words: &[u64],
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let width = usize::from(self.image.layout.pointer_bits / 8);
        let mut bytes = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let width = if index == 3 { width.max(4) } else { width };
            bytes.extend_from_slice(&word.to_le_bytes()[..width]);
        }
        let offset = self.write_bytes(address, &bytes, observer)?;
        if observer.flow() {
            observer.stored(self.moment(), None, offset, bytes.len() as u32, &[]);
        }
        Ok(())
    }

    /// Goes back to where `buffer` says, with a `value` made of the registers `from`.
    pub(super) fn long_jump(
        &mut self,
        buffer: u64,
        value: u64,
        from: &[Register],
        observer: &mut dyn Observer,
    ) -> Result<Next, Fault> {
        let width = usize::from(self.image.layout.pointer_bits / 8);
        let widths = [width, width, width, width.max(4), width];
        let bytes = self.read_bytes(buffer, widths.iter().sum::<usize>() as u32, observer)?;
        let mut words = [0u64; 5];
        let mut at = 0;
        for (word, width) in words.iter_mut().zip(widths) {
            let mut padded = [0; 8];
            padded[..width].copy_from_slice(&bytes[at..at + width]);
            *word = u64::from_le_bytes(padded);
            at += width;
        }
        let [frames, fp, sp, pc, slot] = words;
        let depth = usize::try_from(frames).unwrap_or(usize::MAX);
        let target = depth
            .checked_sub(1)
            .and_then(|last| self.processor.frames.get(last))
            .copied();
        let alive = target.and_then(|frame| {
            self.function_code(frame.function as usize)
                .map(|code| (frame, code))
        });
        let low = self.image.layout.base + u64::from(self.image.layout.stack.start);
        match alive {
            // The buffer is the guest's to overwrite: nothing in it is trusted.
            Some((frame, code))
                if frame.frame_pointer == fp
                    && (low..=fp).contains(&sp)
                    && (u64::from(code.entry)..u64::from(code.end)).contains(&pc)
                    && self.is_set_jump(pc as u32, slot) =>
            {
                // The window of a frame is where its callee's caller window points.
                let window = match self.processor.frames.get(depth) {
                    Some(callee) => callee.caller_window,
                    None => self.processor.window,
                };
                self.processor.frames.truncate(depth);
                // The generated start function is not a call.
                observer.unwind(self.moment(), depth - 1);
                self.processor.window = window;
                self.processor.fp = fp;
                self.processor.sp = sp;
                // Time since the `setjmp` was counted when its stretch of code ended.
                self.time += u64::from(self.image.code.ticks[self.processor.pc as usize]);
                self.time = self
                    .time
                    .saturating_sub(self.image.code.ticks[pc as usize].into());
                self.set_register(slot as Slot, if value == 0 { 1 } else { value });
                self.flow_wide(slot as Slot, 64, from, observer);
                Ok(Next::Jump(pc as u32 + 1))
            }
            _ => Err(Fault::DeadJump),
        }
    }

    /// Whether an operation is a `setjmp` that leaves its result in `slot`.
    pub(super) fn is_set_jump(&self, pc: u32, slot: u64) -> bool {
        let code = &self.image.code;
        let Some(&Op::Slow { index }) = code.ops.get(pc as usize) else {
            return false;
        };
        match &code.slow[index as usize] {
            Slow::Service {
                service: Service::SetJump,
                dst,
                ..
            } => dst.map_or(0, u64::from) == slot,
            _ => false,
        }
    }
}
