//! Services of the machine: what no instruction can do.

use brownout_ir::{Service, eval};

use super::{Machine, Next, next};
use crate::code::{Slot, Source};
use crate::fault::{Access, Assertion, Fault};
use crate::layout::{FIRST, FREED, USABLE};
use crate::observer::{Observer, Stream};

impl Machine<'_> {
    pub(super) fn service(
        &mut self,
        service: Service,
        dst: Option<Slot>,
        args: &[Source],
        observer: &mut dyn Observer,
    ) -> Result<Next, Fault> {
        let image = self.image;
        let sources = args;
        let args: Vec<u64> = args.iter().map(|&source| self.narrow(source)).collect();
        let at = self.moment();
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let int_bits = image.program.target.int().bits(&image.program.target);
        let give = |machine: &mut Self, value: u64| {
            if let Some(dst) = dst {
                machine.set_register(dst, value);
            }
        };
        match service {
            Service::Write => {
                let length = self.checked_length(arg(1), arg(2), Access::Read)?;
                let bytes = self.read_bytes(arg(1), length, observer)?;
                let stream = if arg(0) == 2 {
                    Stream::Error
                } else {
                    Stream::Output
                };
                observer.write(at, stream, &bytes);
            }
            Service::Exit => return Ok(Next::Exit(eval::narrow::signed(int_bits, arg(0)) as i32)),
            Service::Abort => return Err(Fault::Aborted),
            Service::Trap => return Err(Fault::Trap),
            Service::AssertFail => {
                let (expression, file) = (self.guest_text(arg(0)), self.guest_text(arg(1)));
                return Err(Fault::AssertionFailed {
                    assertion: Assertion::Written {
                        expression,
                        place: format!("{file}:{}", arg(2)),
                    },
                });
            }
            Service::HeapStart => {
                give(self, image.layout.base + u64::from(image.layout.heap.start))
            }
            Service::HeapSize => give(
                self,
                (image.layout.heap.end - image.layout.heap.start).into(),
            ),
            Service::HeapAllocated => {
                let (offset, size) = self.mark_heap(arg(0), arg(1), FIRST, USABLE)?;
                self.heap_used.1 += u64::from(size);
                self.heap_used.0 = self.heap_used.0.max(self.heap_used.1);
                observer.allocate(at, offset, size);
            }
            Service::HeapFreed => {
                let size = self.usable_length(arg(0));
                let (offset, size) = self.mark_heap(arg(0), size, FREED, 0)?;
                self.heap_used.1 = self.heap_used.1.saturating_sub(size.into());
                observer.free(at, offset);
            }
            Service::BadFree => {
                let address = arg(0);
                let assertion = match self.heap_marks(address).first() {
                    Some(&FREED) => Assertion::NotFreed { address },
                    _ => Assertion::IsBlock { address },
                };
                return Err(Fault::AssertionFailed { assertion });
            }
            Service::SetJump => {
                // The buffer holds: frame number, frame pointer, stack pointer, operation, register of the result.
                let frames = self.processor.frames.len() as u64;
                let slot = dst.map_or(0, u64::from);
                let words = [
                    frames,
                    self.processor.fp,
                    self.processor.sp,
                    u64::from(self.processor.pc),
                    slot,
                ];
                self.write_words(arg(0), &words, observer)?;
                give(self, 0);
            }
            Service::LongJump => {
                let from = self.registers_of(64, sources.get(1..2).unwrap_or_default());
                return self.long_jump(arg(0), arg(1), &from, observer);
            }
            Service::FrameAddress => give(self, if arg(0) == 0 { self.processor.fp } else { 0 }),
            Service::ReturnAddress => {
                let token = self.processor.frames.last().map_or(0, |frame| frame.token);
                give(self, if arg(0) == 0 { token } else { 0 });
            }
            Service::Clock => give(self, at.time),
            Service::AwaitInterrupt => {
                let handlers = self.await_interrupt();
                give(self, handlers);
            }
            Service::CheckpointWith => {
                let saves = self.saved_ranges(arg(0), arg(1), observer)?;
                return Ok(next(observer.checkpoint(at, &saves)));
            }
        }
        Ok(Next::Operation)
    }

    /// A string of the guest, for messages.
    pub(super) fn guest_text(&self, address: u64) -> String {
        let mut text = Vec::new();
        for at in address..address.saturating_add(200) {
            match self.resolve(at, 1, Access::Read) {
                Ok(offset) if self.memory[offset as usize] != 0 => {
                    text.push(self.memory[offset as usize])
                }
                _ => break,
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The (address, size) pairs of `brownout_checkpoint_with`, as offsets.
    pub(super) fn saved_ranges(
        &mut self,
        list: u64,
        count: u64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(u32, u32)>, Fault> {
        let width = u32::from(self.image.layout.pointer_bits / 8);
        // `unsigned long` has four bytes on the smallest targets.
        let size_width = width.max(4);
        let mut saves = Vec::new();
        for index in 0..count.min(64) {
            let at = list + index * u64::from(width + size_width);
            let bytes = self.read_bytes(at, width + size_width, observer)?;
            let number = |bytes: &[u8]| {
                bytes
                    .iter()
                    .rev()
                    .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
            };
            let (address, size) = (
                number(&bytes[..width as usize]),
                number(&bytes[width as usize..]),
            );
            let size = self.checked_length(address, size, Access::Read)?;
            if size > 0 {
                saves.push((self.resolve(address, size, Access::Read)?, size));
            }
        }
        Ok(saves)
    }
}
