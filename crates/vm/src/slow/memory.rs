//! Stretches of memory: block copies, wide values, device registers.

use super::Machine;
use crate::fault::{Access, Fault};
use crate::observer::{Moment, Observer};

impl Machine<'_> {
    /// Copies and fills take as long as a loop over words would.
    pub(super) fn pass_time(&mut self, bytes: u32) {
        self.time += u64::from(bytes / u32::from(self.image.layout.pointer_bits / 8));
    }

    /// A length that stays inside memory, so that nothing huge is allocated for it.
    pub(super) fn checked_length(
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

    pub(super) fn copy<O: Observer, const JOURNAL: bool>(
        &mut self,
        to: u64,
        from: u64,
        length: u64,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let length = self.checked_length(from, length, Access::Read)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.read_bytes(from, length, observer)?;
        self.write_bytes::<O, JOURNAL>(to, &bytes, observer)?;
        self.pass_time(length);
        Ok(())
    }

    /// Reads a stretch of memory, observed.
    pub(super) fn read_bytes<O: Observer>(
        &mut self,
        address: u64,
        size: u32,
        observer: &mut O,
    ) -> Result<Vec<u8>, Fault> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let offset = self.read_slowly(address, size, self.moment(), observer)?;
        if O::ACCESSES {
            observer.load(self.moment(), &self.memory, offset, size);
        }
        Ok(self.memory[offset as usize..(offset + size) as usize].to_vec())
    }

    /// Writes a stretch of memory, observed and journalled.
    pub(super) fn write_bytes<O: Observer, const JOURNAL: bool>(
        &mut self,
        address: u64,
        bytes: &[u8],
        observer: &mut O,
    ) -> Result<(), Fault> {
        let size = bytes.len() as u32;
        if size == 0 {
            return Ok(());
        }
        let offset = self.resolve(address, size, Access::Write)?;
        if O::ACCESSES {
            observer.store(self.moment(), &self.memory, offset, bytes);
        }
        if JOURNAL {
            self.journal.record(&self.memory, offset, size);
        }
        self.memory[offset as usize..(offset + size) as usize].copy_from_slice(bytes);
        let mut value = [0; 8];
        let low = bytes.len().min(8);
        value[..low].copy_from_slice(&bytes[..low]);
        self.wrote_slowly(offset, u64::from_le_bytes(value), self.moment(), observer);
        Ok(())
    }

    /// The offset of a read that the fast path does not serve; an input register gets its next value.
    pub(crate) fn read_slowly<O: Observer>(
        &mut self,
        address: u64,
        size: u32,
        at: Moment,
        observer: &mut O,
    ) -> Result<u32, Fault> {
        let offset = self.resolve(address, size, Access::Read)?;
        if let Some(&(_, _, input)) = self
            .image
            .input_ranges
            .iter()
            .find(|(start, end, _)| (*start..*end).contains(&offset))
        {
            let value = self.next_input(input, size * 8, at, observer);
            let width = (size as usize).min(8);
            if self.journaling {
                self.journal.record(&self.memory, offset, width as u32);
            }
            self.memory[offset as usize..offset as usize + width]
                .copy_from_slice(&value.to_le_bytes()[..width]);
        }
        Ok(offset)
    }

    /// Tells the observer of writes to output registers.
    pub(crate) fn wrote_slowly<O: Observer>(
        &mut self,
        offset: u32,
        value: u64,
        at: Moment,
        observer: &mut O,
    ) {
        let ranges = &self.image.output_ranges;
        if let Some(&(_, _, output)) = ranges
            .iter()
            .find(|(start, end, _)| (*start..*end).contains(&offset))
        {
            observer.output(at, output, &[value]);
        }
    }
}
