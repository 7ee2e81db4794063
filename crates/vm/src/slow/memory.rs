//! Stretches of memory: block copies, wide values, device registers.

use super::Machine;
use crate::code::Source;
use crate::fault::{Access, Fault};
use crate::observer::{Arrival, Moment, Observer};

impl Machine<'_> {
    /// Copies and fills take as long as a loop over words would.
    pub(crate) fn pass_time(&mut self, bytes: u32) {
        self.time += u64::from(bytes / u32::from(self.image.layout.pointer_bits / 8));
    }

    /// A length that stays inside memory, so that nothing huge is allocated for it.
    pub(crate) fn checked_length(
        &self,
        address: u64,
        length: u64,
        access: Access,
    ) -> Result<u32, Fault> {
        match u32::try_from(length) {
            Ok(length) if length <= self.image.layout.size => Ok(length),
            _ => Err(Fault::Unmapped {
                address,
                size: u32::try_from(length).unwrap_or(u32::MAX),
                access,
            }),
        }
    }

    pub(super) fn copy(
        &mut self,
        to: Source,
        from: Source,
        length: Source,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let operands = [to, from, length];
        let [to, from, length] = operands.map(|operand| self.narrow(operand));
        let length = self.checked_length(from, length, Access::Read)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.read_bytes(from, length, observer)?;
        let from = self.resolve(from, length, Access::Read)?;
        let to = self.write_bytes(to, &bytes, observer)?;
        if observer.flow() {
            let chosen = self.registers_of(64, &operands);
            observer.copied(self.moment(), to, from, length, &chosen);
        }
        self.pass_time(length);
        Ok(())
    }

    pub(super) fn fill(
        &mut self,
        to: Source,
        byte: Source,
        length: Source,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let place = self.narrow(to);
        let size = self.checked_length(place, self.narrow(length), Access::Write)?;
        let bytes = vec![self.narrow(byte) as u8; size as usize];
        let offset = self.write_bytes(place, &bytes, observer)?;
        if observer.flow() && size > 0 {
            let (from, chosen) = (self.register_of(byte), self.registers_of(64, &[to, length]));
            observer.stored(self.moment(), from, offset, size, &chosen);
        }
        self.pass_time(size);
        Ok(())
    }

    /// Reads a stretch of memory, observed.
    pub(crate) fn read_bytes(
        &mut self,
        address: u64,
        size: u32,
        observer: &mut dyn Observer,
    ) -> Result<Vec<u8>, Fault> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let offset = self.read_slowly(address, size, self.moment(), observer)?;
        let bytes = &self.memory[offset as usize..(offset + size) as usize];
        if observer.accesses() {
            observer.load(self.moment(), offset, bytes);
        }
        Ok(bytes.to_vec())
    }

    /// Writes a stretch of memory, observed and journalled; gives its offset.
    pub(crate) fn write_bytes(
        &mut self,
        address: u64,
        bytes: &[u8],
        observer: &mut dyn Observer,
    ) -> Result<u32, Fault> {
        let size = bytes.len() as u32;
        if size == 0 {
            return Ok(0);
        }
        let offset = self.resolve(address, size, Access::Write)?;
        let before = self.number_at(offset, size);
        if observer.accesses() {
            observer.store(self.moment(), &self.memory, offset, bytes);
        }
        if self.journaling {
            self.journal.record(&self.memory, offset, size);
        }
        self.memory[offset as usize..(offset + size) as usize].copy_from_slice(bytes);
        let after = self.number_at(offset, size);
        self.wrote_slowly(offset, before, after, self.moment(), observer)?;
        Ok(offset)
    }

    /// The first bytes of a stretch of memory as a number.
    fn number_at(&self, offset: u32, size: u32) -> u64 {
        let mut value = [0; 8];
        let low = (size as usize).min(8);
        value[..low].copy_from_slice(&self.memory[offset as usize..offset as usize + low]);
        u64::from_le_bytes(value)
    }

    /// The offset of a read that the fast path does not serve; an input register gets its next value.
    pub(crate) fn read_slowly(
        &mut self,
        address: u64,
        size: u32,
        at: Moment,
        observer: &mut dyn Observer,
    ) -> Result<u32, Fault> {
        let offset = self.resolve(address, size, Access::Read)?;
        let image = self.image;
        let mut ranges = image.input_ranges.iter();
        if let Some(range) = ranges.find(|range| range.offsets.contains(&offset)) {
            let new = self.next_input(range.number, size * 8, at, observer)?;
            // Only some of the bits may come from outside.
            let value = new & range.mask | self.number_at(offset, size) & !range.mask;
            let width = (size as usize).min(8);
            if self.journaling {
                self.journal.record(&self.memory, offset, width as u32);
            }
            self.memory[offset as usize..offset as usize + width]
                .copy_from_slice(&value.to_le_bytes()[..width]);
            let size = width as u32;
            observer.arrive(at, range.number, Arrival::Memory { offset, size });
        }
        Ok(offset)
    }

    /// Makes the outputs that a write to a device register is. A write that leaves all bits of a
    /// part of a register as they were is none of that part.
    pub(crate) fn wrote_slowly(
        &mut self,
        offset: u32,
        before: u64,
        value: u64,
        at: Moment,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let image = self.image;
        for range in &image.output_ranges {
            let whole = range.mask == u64::MAX;
            if range.offsets.contains(&offset) && (whole || (before ^ value) & range.mask != 0) {
                let args = [value & range.mask];
                self.make_output(range.number, &args, None, at, observer)?;
            }
        }
        Ok(())
    }
}
