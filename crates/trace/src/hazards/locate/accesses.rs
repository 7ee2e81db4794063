//! Accesses to memory as [`Locate`] sees them: a read is noted, a write is
//! paired with the readers of which not enough is known.
//!
//! What an access usually needs is inlined into one function for reads and one
//! for writes; the rest is kept out of the way.

use brownout_explore::Exposure;
use brownout_ir::Id;
use brownout_vm::Moment;

use super::Locate;
use crate::hazards::pairing::{Kind, Owner, Write};
use crate::hazards::readers::Place;
use crate::hazards::reads::{Frame, Read, Reading, spread};
use crate::hazards::settled::{Writer, Written};
use crate::hazards::shadow::{GRANULE, granules};

impl Locate<'_, '_> {
    /// An operation accesses memory.
    #[inline(always)]
    fn touch(&mut self, pc: u32) {
        let accessed = &mut self.accessed[pc as usize];
        self.places += u64::from(!*accessed);
        *accessed = true;
    }

    /// So many bytes, at most eight, are read.
    #[inline(never)]
    pub(super) fn load_number<const SIZE: u32>(&mut self, at: Moment, offset: u32, value: u64) {
        self.touch(at.pc);
        let Some(pc) = self.calls.visible(at.pc) else {
            return;
        };
        if self.extra.is_some() {
            self.imagine_checkpoint(at);
        }
        let at = self.blame(at, pc, offset);
        let from = offset % GRANULE;
        if self.initial.is_some() || from + SIZE > GRANULE {
            return self.read_all(at, offset, &value.to_le_bytes()[..SIZE as usize]);
        }
        let mask = ((1u16 << SIZE) - 1) << from;
        self.read(at, offset - from, mask as u8, value << (8 * from));
    }

    /// So many bytes, at most eight, are written.
    #[inline(never)]
    pub(super) fn store_number<const SIZE: u32>(&mut self, at: Moment, offset: u32, value: u64) {
        self.touch(at.pc);
        let Some(pc) = self.calls.visible(at.pc) else {
            return;
        };
        if self.extra.is_some() {
            self.imagine_checkpoint(at);
        }
        let at = self.blame(at, pc, offset);
        let from = offset % GRANULE;
        if self.initial.is_some() || from + SIZE > GRANULE {
            return self.write_all(at, offset, &value.to_le_bytes()[..SIZE as usize]);
        }
        let mask = ((1u16 << SIZE) - 1) << from;
        self.write(at, offset - from, mask as u8, value << (8 * from));
    }

    /// Any number of bytes are read.
    #[cold]
    #[inline(never)]
    pub(super) fn load_bytes(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.touch(at.pc);
        let Some(pc) = self.calls.visible(at.pc) else {
            return;
        };
        if self.extra.is_some() {
            self.imagine_checkpoint(at);
        }
        let at = self.blame(at, pc, offset);
        self.read_all(at, offset, bytes);
    }

    /// Bytes of several granules, or some that every checkpoint may save, are read.
    #[cold]
    #[inline(never)]
    fn read_all(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        for (base, mask, from) in granules(offset, bytes.len() as u32) {
            let bytes = &bytes[from..from + mask.count_ones() as usize];
            let value = number(bytes) << (8 * mask.trailing_zeros());
            self.read(at, base, mask, value);
            self.read_initially(at, base, mask, value);
        }
    }

    /// Any number of bytes are written.
    #[cold]
    #[inline(never)]
    pub(super) fn store_bytes(&mut self, at: Moment, offset: u32, new: &[u8]) {
        self.touch(at.pc);
        let Some(pc) = self.calls.visible(at.pc) else {
            return;
        };
        if self.extra.is_some() {
            self.imagine_checkpoint(at);
        }
        let at = self.blame(at, pc, offset);
        self.write_all(at, offset, new);
    }

    /// Bytes of several granules, or some that every checkpoint may save, are written.
    #[cold]
    #[inline(never)]
    fn write_all(&mut self, at: Moment, offset: u32, new: &[u8]) {
        for (base, mask, from) in granules(offset, new.len() as u32) {
            let bytes = &new[from..from + mask.count_ones() as usize];
            let value = number(bytes) << (8 * mask.trailing_zeros());
            self.write(at, base, mask, value);
            self.write_initially(at, base, mask, value);
        }
    }

    /// An access as one by the operation `pc` of the user's code.
    #[inline(always)]
    fn blame(&mut self, at: Moment, pc: u32, offset: u32) -> Moment {
        if at.time > self.window.end {
            self.next_window(at.time);
        }
        let at = Moment { pc, ..at };
        if self.heap.contains(&offset) {
            self.use_block(at, at.pc, offset);
        }
        at
    }

    /// Who owns the byte at `offset` of the granule at `base`.
    #[inline(always)]
    fn owner(&self, offset: u32, base: u32) -> Owner {
        if self.stack.contains(&offset) {
            let (number, activation) = self.calls.owner(offset);
            let frame = activation.map_or_else(Frame::default, |activation| Frame {
                func: activation.func.index() as u32 + 1,
                distance: base as i32 - activation.frame as i32,
            });
            return Owner {
                number,
                frame,
                kind: Kind::Stack,
            };
        }
        let frame = Frame::default();
        if self.heap.contains(&offset) {
            let number = self.findings.blocks.at(offset);
            return Owner {
                number,
                frame,
                kind: Kind::Heap,
            };
        }
        Owner {
            number: 0,
            frame,
            kind: Kind::Fixed,
        }
    }

    /// The bytes of `mask` in the granule at `base` are read; `value` is zero outside the mask.
    #[inline(always)]
    fn read(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let cell = self.shadow.find(base);
        let tracked = mask & self.shadow.cell(cell).tracked;
        if tracked == 0 {
            return;
        }
        match self.exposure {
            Exposure::Anywhere { .. } => {
                self.make_room_if_full(at.time);
                let reading = self.reading(at, base, tracked, value, self.commit);
                self.shadow.note(cell, reading, at.time, self.window);
            }
            Exposure::Region => {
                let exposed = tracked & !self.shadow.cell(cell).written(self.epoch);
                if exposed != 0 {
                    self.make_room_if_full(at.time);
                    let reading = self.reading(at, base, exposed, value, self.commit);
                    self.shadow.note_once(cell, reading, self.window);
                }
            }
            Exposure::SinceCall { .. } => self.read_since_call(at, base, tracked, value),
        }
    }

    #[inline(always)]
    fn make_room_if_full(&mut self, now: u64) {
        if self.shadow.is_full() {
            let reach = self.reach(now);
            self.shadow.make_room(reach);
        }
    }

    #[inline(always)]
    fn reading(&self, at: Moment, base: u32, mask: u8, value: u64, commit: u64) -> Reading<Place> {
        let owner = self.owner(base + mask.trailing_zeros(), base);
        Reading {
            base,
            owner: owner.number,
            read: Read {
                time: at.time,
                commit,
                calls: self.calls.context(),
            },
            value: value & spread(mask),
            place: Place {
                pc: at.pc,
                mask,
                frame: owner.frame,
            },
        }
    }

    /// The last checkpoint call that did not save them governs bytes: mostly the same for all.
    #[inline(never)]
    fn read_since_call(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let reach = self.reach(at.time);
        let cell = self.shadow.find(base);
        let mut rest = mask;
        while rest != 0 {
            let (together, governing) = self.shadow.governing(base, self.epoch, rest);
            let exposed = together & !self.shadow.cell(cell).written(self.epoch);
            let commit = governing.unwrap_or(self.commit);
            let reading = self.reading(at, base, exposed, value, commit);
            if exposed != 0 && reach.covers(reading.read) {
                self.make_room_if_full(at.time);
                // Other bytes that the operation reads may have a later call.
                self.shadow.note(cell, reading, self.commit, self.window);
            }
            rest &= !together;
        }
    }

    /// The same for bytes that every checkpoint saves, before there is one.
    #[cold]
    #[inline(never)]
    fn read_initially(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let Some(mut initial) = self.initial.take() else {
            return;
        };
        let cell = initial.find(base);
        let exposed = mask & initial.cell(cell).tracked & !initial.cell(cell).written(INITIAL);
        if exposed != 0 {
            let reach = self.reach(at.time);
            if initial.is_full() {
                initial.make_room(reach);
            }
            let reading = self.reading(at, base, exposed, value, 0);
            let moment = reading.read.decisive(reach.exposure);
            initial.note(cell, reading, moment, self.window);
        }
        self.initial = Some(initial);
    }

    /// The bytes of `mask` in the granule at `base` become those of `value`, which is zero outside
    /// the mask.
    #[inline(always)]
    fn write(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let cell = self.shadow.find(base);
        let tracked = mask & self.shadow.cell(cell).tracked;
        if tracked != 0 {
            if !matches!(self.exposure, Exposure::Anywhere { .. }) {
                self.shadow.write(cell, self.epoch, tracked);
            }
            self.pair(Area::Usual, cell, at, base, tracked, value);
        }
    }

    /// The same for bytes that every checkpoint saves, before there is one.
    #[cold]
    #[inline(never)]
    fn write_initially(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        if let Some(initial) = &mut self.initial {
            let cell = initial.find(base);
            let tracked = mask & initial.cell(cell).tracked;
            if tracked != 0 {
                initial.write(cell, INITIAL, tracked);
                self.pair(Area::Initial, cell, at, base, tracked, value);
            }
        }
    }

    /// Pairs a write with all reads of which not enough is known.
    #[inline(always)]
    fn pair(&mut self, area: Area, cell: usize, at: Moment, base: u32, mask: u8, value: u64) {
        let shadow = match (area, &self.initial) {
            (Area::Usual, _) => &self.shadow,
            (Area::Initial, Some(initial)) => initial,
            (Area::Initial, None) => return,
        };
        let Some(read) = shadow.read(cell, self.window) else {
            return;
        };
        let owner = self.owner(base + mask.trailing_zeros(), base);
        let value = value & spread(mask);
        let writer = Writer {
            pc: at.pc,
            calls: self.calls.context(),
            region: self.region,
            frame: owner.frame,
            block: match owner.kind {
                Kind::Heap => owner.number,
                Kind::Fixed | Kind::Stack => 0,
            },
            mask,
            kind: owner.kind,
        };
        let written = Written {
            writer: &writer,
            owner: owner.number,
            base,
            value,
        };
        if !shadow.is_settled(read, &written, || self.reach(at.time)) {
            self.meet(area, at.time, base, writer, owner, value);
        }
    }

    #[inline(never)]
    fn meet(&mut self, area: Area, now: u64, base: u32, writer: Writer, owner: Owner, value: u64) {
        let reach = self.reach(now);
        let shadow = match (area, &mut self.initial) {
            (Area::Usual, _) => &mut self.shadow,
            (Area::Initial, Some(initial)) => initial,
            (Area::Initial, None) => return,
        };
        let mut write = Write {
            writer,
            owner,
            base,
            value,
            checkpoint: self.checkpoint,
            reach,
            findings: &mut self.findings,
        };
        shadow.meet(&mut write, self.window);
    }
}

/// The number of the region before the first checkpoint.
const INITIAL: u32 = 0;

/// The two shadow memories.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    /// That of the bytes that not every checkpoint saves.
    Usual,
    /// That of the bytes that every checkpoint saves, used until the first checkpoint has committed.
    Initial,
}

/// Up to eight bytes as a number, the first lowest.
#[inline(always)]
pub(super) fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [one] => one.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {
            let highest_first = bytes.iter().rev();
            highest_first.fold(0, |number, &byte| number << 8 | u64::from(byte))
        }
    }
}
