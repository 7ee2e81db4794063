//! What services do.

use brownout_ir::*;
use brownout_vm::{Access, Assertion, Fault, SegmentKind, Stream};

use super::memory::number;
use super::{Next, Reference};
use crate::record::Event;

impl Reference<'_> {
    pub(super) fn service(
        &mut self,
        service: Service,
        args: &[Operand],
        result: Option<Value>,
    ) -> Result<Next, Fault> {
        let time = self.time + 1;
        let arg = |index: usize| self.get64(args[index]);
        let heap = self.segment(SegmentKind::Heap);
        let value = match service {
            Service::Write => {
                let length = self.length(args[1], args[2], Access::Read)?;
                let stream = if arg(0) == 2 {
                    Stream::Error
                } else {
                    Stream::Output
                };
                let bytes = self.read(arg(1), length)?;
                self.touched = true;
                self.events.push(Event::Write {
                    time,
                    stream,
                    bytes,
                });
                0
            }
            Service::Exit => {
                let bits = self.bits(self.program.target.int());
                return Ok(Next::Exit(eval::narrow::signed(bits, arg(0)) as i32));
            }
            Service::Abort => return Err(Fault::Aborted),
            Service::Trap => return Err(Fault::Trap),
            Service::AssertFail => {
                let (expression, file) = (self.text(arg(0)), self.text(arg(1)));
                return Err(Fault::AssertionFailed {
                    assertion: Assertion::Written {
                        expression,
                        place: format!("{file}:{}", arg(2)),
                    },
                });
            }
            Service::HeapStart => self.base + u64::from(heap.start),
            Service::HeapSize => (heap.end - heap.start).into(),
            Service::HeapAllocated => {
                let (offset, size) = self.block(arg(0), arg(1))?;
                self.mark_heap(offset, size, 1);
                if size > 0 {
                    self.mark_heap(offset, 1, 2);
                }
                self.events.push(Event::Allocate {
                    time,
                    offset: heap.start + offset,
                    size,
                });
                0
            }
            Service::HeapFreed => {
                let map = self.segment(SegmentKind::HeapMap);
                let start = arg(0).wrapping_sub(self.base + u64::from(heap.start));
                let mut size = 0;
                while start + size < u64::from(heap.end - heap.start)
                    && self.memory[(u64::from(map.start) + start + size) as usize]
                        == if size == 0 { 2 } else { 1 }
                {
                    size += 1;
                }
                let (offset, size) = self.block(arg(0), size)?;
                self.mark_heap(offset, size, 0);
                self.mark_heap(offset, size.min(1), 3);
                self.events.push(Event::Free {
                    time,
                    offset: heap.start + offset,
                });
                0
            }
            Service::BadFree => {
                let map = self.segment(SegmentKind::HeapMap);
                let start = arg(0).wrapping_sub(self.base + u64::from(heap.start));
                let again = start < u64::from(heap.end - heap.start)
                    && self.memory[(u64::from(map.start) + start) as usize] == 3;
                let address = arg(0);
                return Err(Fault::AssertionFailed {
                    assertion: if again {
                        Assertion::NotFreed { address }
                    } else {
                        Assertion::IsBlock { address }
                    },
                });
            }
            Service::SetJump => {
                let words = [
                    self.processor.frames.len() as u64,
                    self.processor.fp,
                    self.processor.sp,
                    self.jumps.len() as u64,
                    0,
                ];
                self.jumps.push(self.here());
                let width = self.word() as usize;
                let mut bytes = Vec::new();
                for (word, width) in words.iter().zip([width, width, width, width.max(4), width]) {
                    bytes.extend_from_slice(&word.to_le_bytes()[..width]);
                }
                let buffer = self.get64(args[0]);
                self.write_hiding(buffer, &bytes, width.max(4) + width)?;
                0
            }
            Service::LongJump => return self.long_jump(self.get64(args[0]), self.get64(args[1])),
            Service::FrameAddress => {
                if arg(0) == 0 {
                    self.processor.fp
                } else {
                    0
                }
            }
            Service::ReturnAddress => {
                if arg(0) == 0 {
                    self.frame().token
                } else {
                    0
                }
            }
            Service::Clock => time,
            Service::AwaitInterrupt => 0,
            Service::CheckpointWith => {
                let saves = self.saves(self.get64(args[0]), self.get64(args[1]))?;
                self.touched = true;
                self.events.push(Event::Checkpoint { time, saves });
                0
            }
        };
        if let Some(result) = result {
            self.set(result, value.into());
        }
        Ok(Next::Instruction)
    }

    fn long_jump(&mut self, buffer: u64, value: u64) -> Result<Next, Fault> {
        let width = self.word() as usize;
        let widths = [width, width, width, width.max(4), width];
        let bytes = self.read(buffer, widths.iter().sum::<usize>() as u32)?;
        let mut words = vec![];
        let mut rest = bytes.as_slice();
        for width in widths {
            words.push(number(&rest[..width]) as u64);
            rest = &rest[width..];
        }
        let (depth, fp, sp) = (words[0] as usize, words[1], words[2]);
        let known = self.jumps.get(words[3] as usize).copied();
        let (Some((function, block, index)), true) = (known, depth > 0) else {
            return Err(Fault::DeadJump);
        };
        let alive = self.processor.frames.get(depth - 1);
        if alive.is_none_or(|frame| frame.function != function || frame.frame_pointer != fp) {
            return Err(Fault::DeadJump);
        }
        let low = self.base + u64::from(self.segment(SegmentKind::Stack).start);
        if sp < low || sp > fp {
            return Err(Fault::DeadJump);
        }
        self.events.push(Event::Unwind {
            time: self.time + 1,
            depth: depth - 1,
        });
        self.processor.frames.truncate(depth);
        self.processor.fp = fp;
        self.processor.sp = sp;
        let frame = self.frame();
        frame.block = block;
        frame.index = index;
        let result = self.body().blocks[block].insts[index]
            .results
            .first()
            .copied();
        if let Some(result) = result {
            self.set(result, value.max(1).into());
        }
        self.frame().index += 1;
        Ok(Next::Moved)
    }

    /// A heap block as offset into the heap and size.
    fn block(&self, address: u64, size: u64) -> Result<(u32, u32), Fault> {
        let heap = self.segment(SegmentKind::Heap);
        let offset = address.wrapping_sub(self.base + u64::from(heap.start));
        match offset.checked_add(size) {
            Some(end) if end <= u64::from(heap.end - heap.start) => {
                Ok((offset as u32, size as u32))
            }
            _ => Err(Fault::Unmapped {
                address,
                size: size as u32,
                access: Access::Write,
            }),
        }
    }

    fn mark_heap(&mut self, offset: u32, size: u32, with: u8) {
        self.touched = true;
        let start = (self.segment(SegmentKind::HeapMap).start + offset) as usize;
        self.memory[start..start + size as usize].fill(with);
    }

    fn text(&self, address: u64) -> String {
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

    fn saves(&mut self, list: u64, count: u64) -> Result<Vec<(u32, u32)>, Fault> {
        let (width, long) = (self.word(), self.word().max(4));
        let mut saves = vec![];
        for index in 0..count {
            let bytes = self.read(list + index * u64::from(width + long), width + long)?;
            let (address, size) = bytes.split_at(width as usize);
            let (address, size) = (number(address) as u64, number(size) as u32);
            if size > 0 {
                saves.push((self.resolve(address, size, Access::Read)?, size));
            }
        }
        Ok(saves)
    }
}
