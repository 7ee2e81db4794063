//! The reference's memory: every access checked byte range by byte range.

use std::ops::Range;

use brownout_ir::*;
use brownout_vm::{Access, Bounds, Fault, Layout, SegmentKind};

use super::Reference;
use crate::record::Event;

/// Memory at power-on.
pub(super) fn initial(program: &Program, layout: &Layout, base: u64) -> Vec<u8> {
    let size = layout
        .segments()
        .iter()
        .map(|segment| segment.offsets.end)
        .max()
        .unwrap_or(0);
    let mut memory = vec![0; size as usize];
    let symbol = |symbol: Symbol| match symbol {
        Symbol::Global(global) => layout.global(global),
        Symbol::Func(func) => layout.function(func),
        Symbol::Block(func, block) => layout.block(func, block),
    };
    for (global, data) in program.globals.iter() {
        let Some(init) = &data.init else { continue };
        let start = (layout.global(global) - base) as usize;
        memory[start..start + init.bytes.len()].copy_from_slice(&init.bytes);
        for relocation in &init.relocations {
            let value = symbol(relocation.symbol)
                .wrapping_sub(relocation.minus.map_or(0, symbol))
                .wrapping_add(relocation.addend as u64);
            for index in 0..usize::from(relocation.bytes) {
                memory[start + relocation.offset as usize + index] = (value >> (8 * index)) as u8;
            }
        }
    }
    memory
}

impl Reference<'_> {
    /// The offsets of a kind of segment; nothing if there is none.
    pub(super) fn segment(&self, kind: SegmentKind) -> Range<u32> {
        let mut segments = self
            .layout
            .segments()
            .iter()
            .filter(|segment| segment.kind == kind);
        let Some(first) = segments.next() else {
            return 0..0;
        };
        first.offsets.start..segments.next_back().unwrap_or(first).offsets.end
    }

    /// The offset of an access, or why there is none.
    pub(super) fn resolve(&self, address: u64, size: u32, access: Access) -> Result<u32, Fault> {
        let inside = |segment: &&brownout_vm::Segment| {
            let start = u128::from(segment.address);
            let length = u128::from(segment.offsets.end - segment.offsets.start);
            u128::from(address) >= start && u128::from(address) < start + length
        };
        let mapped = self
            .layout
            .segments()
            .iter()
            .filter(|segment| segment.kind != SegmentKind::HeapMap)
            .find(inside);
        let missing = || {
            let null = if self.program.target.pointer_bits == 16 {
                16
            } else {
                0x1000
            };
            if address < null {
                Fault::NullAccess {
                    address,
                    size,
                    access,
                }
            } else {
                Fault::Unmapped {
                    address,
                    size,
                    access,
                }
            }
        };
        let segment = mapped.ok_or_else(missing)?;
        let offset = segment.offsets.start + (address - segment.address) as u32;
        // Everything below the heap is one piece; all else is one by itself.
        let end = match segment.kind {
            SegmentKind::Constants | SegmentKind::Globals => self.segment(SegmentKind::Stack).end,
            _ => segment.offsets.end,
        };
        let everything = self
            .segment(SegmentKind::Registers)
            .end
            .max(self.segment(SegmentKind::Heap).end);
        if segment.kind != SegmentKind::Window && offset + size > everything {
            return Err(missing());
        }
        if access == Access::Write && segment.kind == SegmentKind::Constants {
            return Err(Fault::ReadOnly { address });
        }
        let strict = self.bounds == Bounds::Strict && segment.kind == SegmentKind::Heap;
        if strict && !self.usable(offset, size) {
            return Err(Fault::OutsideBlock {
                address,
                size,
                access,
            });
        }
        if offset + size > end {
            return Err(missing());
        }
        Ok(offset)
    }

    fn usable(&self, offset: u32, size: u32) -> bool {
        let heap = self.segment(SegmentKind::Heap);
        let map = self.segment(SegmentKind::HeapMap);
        (offset..offset + size).all(|at| {
            heap.contains(&at)
                && matches!(self.memory[(map.start + (at - heap.start)) as usize], 1 | 2)
        })
    }

    pub(super) fn read(&mut self, address: u64, size: u32) -> Result<Vec<u8>, Fault> {
        if size == 0 {
            return Ok(vec![]);
        }
        self.touched = true;
        let offset = self.resolve(address, size, Access::Read)?;
        if let Some(input) = self.register_number(&self.bindings.input_registers, offset) {
            let value = self.next_input(input, size * 8);
            for index in 0..size.min(8) {
                self.memory[(offset + index) as usize] = (value >> (8 * index)) as u8;
            }
        }
        self.events.push(Event::Load {
            time: self.time + 1,
            offset,
            size,
        });
        Ok(self.memory[offset as usize..(offset + size) as usize].to_vec())
    }

    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.write_hiding(address, bytes, 0)
    }

    /// A write whose last `hidden` bytes are not the machine's.
    pub(super) fn write_hiding(
        &mut self,
        address: u64,
        bytes: &[u8],
        hidden: usize,
    ) -> Result<(), Fault> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.touched = true;
        let size = bytes.len() as u32;
        let offset = self.resolve(address, size, Access::Write)?;
        let range = offset as usize..(offset + size) as usize;
        let old = self.memory[range.clone()].to_vec();
        self.events.push(Event::Store {
            time: self.time + 1,
            offset,
            old,
            new: bytes.to_vec(),
            hidden,
        });
        self.memory[range].copy_from_slice(bytes);
        for at in offset..offset + size {
            if at < offset + size - hidden as u32 {
                self.opaque.remove(&at);
            } else {
                self.opaque.insert(at);
            }
        }
        if let Some(index) = self.register_number(&self.bindings.output_registers, offset) {
            let value = number(&bytes[..bytes.len().min(8)]) as u64;
            self.events.push(Event::Output {
                time: self.time + 1,
                index,
                args: vec![value],
            });
        }
        Ok(())
    }

    fn register_number(
        &self,
        registers: &[brownout_vm::DeviceRegister],
        offset: u32,
    ) -> Option<u32> {
        let found = registers.iter().find(|register| {
            let brownout_vm::RegisterPlace::Global(global) = register.place else {
                return false;
            };
            let start = (self.layout.global(global) - self.base) as u32;
            let size = self.program.globals[global].size.max(1) as u32;
            (start..start + size).contains(&offset)
        });
        found.map(|register| register.number)
    }

    pub(super) fn next_input(&mut self, input: u32, bits: u32) -> u64 {
        self.touched = true;
        let index = self.inputs_read[input as usize];
        self.inputs_read[input as usize] += 1;
        let reading = brownout_scenario::Reading {
            index,
            time: self.time,
            bits: bits.min(64),
        };
        let mut none = brownout_scenario::Surroundings {
            names: &[],
            values: &mut [],
        };
        let value = self.bindings.inputs[input as usize].value(reading, &mut none);
        let value = value.expect("lists and numbers have a value for every reading");
        self.events.push(Event::Input {
            time: self.time + 1,
            index: input,
            value,
        });
        value
    }

    pub(super) fn read_word(&mut self, address: u64) -> Result<u64, Fault> {
        let bytes = self.read(address, self.word())?;
        Ok(number(&bytes) as u64)
    }

    pub(super) fn write_word(&mut self, address: u64, value: u64) -> Result<(), Fault> {
        let width = self.word() as usize;
        self.write(address, &value.to_le_bytes()[..width])
    }

    /// Power fails with nothing committed: the device starts again.
    pub(crate) fn reboot(&mut self) {
        let fresh = initial(self.program, self.layout, self.base);
        for segment in self
            .layout
            .segments()
            .iter()
            .filter(|segment| !segment.nonvolatile)
        {
            let range = segment.offsets.start as usize..segment.offsets.end as usize;
            self.memory[range.clone()].copy_from_slice(&fresh[range]);
        }
        self.reset();
        self.stop = None;
    }

    /// Power fails: back to a copy of everything made at the checkpoint, except
    /// what is non-volatile and not saved, and except time and environment.
    pub(crate) fn restore(&mut self, commit: &Self, saved: &[Range<u32>]) {
        for segment in self.layout.segments() {
            for offset in segment.offsets.clone() {
                if !segment.nonvolatile || saved.iter().any(|range| range.contains(&offset)) {
                    self.memory[offset as usize] = commit.memory[offset as usize];
                }
            }
        }
        self.opaque.extend(&commit.opaque);
        self.processor = commit.processor.clone();
        self.stop = None;
    }
}

/// Bytes as a number.
pub(super) fn number(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u128::from(byte))
}
