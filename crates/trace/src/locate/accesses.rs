//! Accesses to memory as [`Locate`] sees them: a read is noted, a write is
//! paired with the readers about whom something is to be learnt.
//!
//! What an access usually needs is inlined into one function for reads and one
//! for writes; the rest is kept out of the way.

use brownout_ir::Id;
use brownout_vm::{Moment, Observer};

use super::Locate;
use crate::granule::{Frame, Kind, Owner, Reading};
use crate::history::Read;
use crate::pairing::Write;
use crate::shadow::{GRANULE, granules};
use crate::writers::{Writer, spread};

impl<O: Observer> Locate<'_, '_, O> {
    /// An access that lies in one granule.
    #[inline(never)]
    pub(super) fn load_within(&mut self, at: Moment, offset: u32, mask: u8, value: u64) {
        let at = self.blame(at, offset);
        self.read(at, offset & !(GRANULE - 1), mask, value);
    }

    #[inline(never)]
    pub(super) fn store_within(&mut self, at: Moment, offset: u32, mask: u8, value: u64) {
        let at = self.blame(at, offset);
        self.write(at, offset & !(GRANULE - 1), mask, value);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn load_across(&mut self, at: Moment, memory: &[u8], offset: u32, size: u32) {
        let at = self.blame(at, offset);
        for (base, mask, from) in granules(offset, size) {
            let first = offset as usize + from;
            let bytes = &memory[first..first + mask.count_ones() as usize];
            self.read(at, base, mask, number(bytes) << (8 * mask.trailing_zeros()));
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn store_across(&mut self, at: Moment, offset: u32, new: &[u8]) {
        let at = self.blame(at, offset);
        for (base, mask, from) in granules(offset, new.len() as u32) {
            let bytes = &new[from..from + mask.count_ones() as usize];
            self.write(at, base, mask, number(bytes) << (8 * mask.trailing_zeros()));
        }
    }

    /// The operation of the user's code that makes an access.
    #[inline]
    fn blame(&mut self, at: Moment, offset: u32) -> Moment {
        let at = Moment {
            pc: self.calls.blame(at.pc),
            ..at
        };
        if self.heap.contains(&offset) {
            self.use_block(at, at.pc, offset);
        }
        at
    }

    /// Who owns the byte at `offset` of the granule at `base`.
    #[inline(always)]
    fn owner(&self, offset: u32, base: u32) -> Owner {
        let mut owner = Owner {
            number: 0,
            frame: Frame::default(),
            kind: Kind::Fixed,
        };
        if self.stack.contains(&offset) {
            let (number, activation) = self.calls.owner(offset);
            (owner.number, owner.kind) = (number, Kind::Stack);
            if let Some(activation) = activation {
                owner.frame = Frame {
                    func: activation.func.index() as u32 + 1,
                    distance: base as i32 - activation.frame as i32,
                };
            }
        } else if self.heap.contains(&offset) {
            (owner.number, owner.kind) = (self.blocks.at(offset), Kind::Heap);
        }
        owner
    }

    /// The bytes of `mask` in the granule at `base` are read; `value` is zero outside the mask.
    #[inline(always)]
    fn read(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let mut rest = mask & self.shadow.tracked(base);
        while rest != 0 {
            let mut reading = self.reading(at, base, rest, value, self.commit);
            let reach = self.reach(at.time);
            let granule = self.shadow.granule(base);
            granule.enter(self.epoch);
            // Mostly one call governs all bytes.
            let (together, governing) = granule.governing(rest);
            let exposed = granule.exposed(self.exposure, together);
            if exposed != mask {
                reading.mask = exposed;
                reading.value &= spread(exposed);
            }
            if let Some(commit) = governing {
                reading.read.commit = commit;
            }
            if exposed != 0 {
                let offset = base | rest.trailing_zeros();
                granule.note(reading, reach, &mut self.reader_hints, offset);
            }
            rest &= !together;
        }
        if self.initial.is_some() {
            self.read_initially(at, base, mask, value);
        }
    }

    #[inline(always)]
    fn reading(&self, at: Moment, base: u32, mask: u8, value: u64, commit: u64) -> Reading {
        Reading {
            pc: at.pc,
            mask,
            owner: self.owner(base + mask.trailing_zeros(), base),
            read: Read {
                time: at.time,
                commit,
                calls: self.calls.context(),
            },
            value,
        }
    }

    /// The same for bytes that every checkpoint saves, before there is one.
    #[cold]
    #[inline(never)]
    fn read_initially(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let Some(mut initial) = self.initial.take() else {
            return;
        };
        let tracked = mask & initial.tracked(base);
        if tracked != 0 {
            let granule = initial.granule(base);
            let exposed = granule.exposed(self.exposure, tracked);
            if exposed != 0 {
                let value = value & spread(exposed);
                let reading = self.reading(at, base, exposed, value, 0);
                let reach = self.reach(at.time);
                granule.note(reading, reach, &mut self.reader_hints, base);
            }
        }
        self.initial = Some(initial);
    }

    /// The bytes of `mask` in the granule at `base` become those of `value`, which is zero outside
    /// the mask.
    #[inline(always)]
    fn write(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let tracked = mask & self.shadow.tracked(base);
        if tracked != 0 {
            let (writer, owner) = self.writer(at, base, tracked);
            let granule = self.shadow.granule(base);
            granule.enter(self.epoch);
            granule.written |= tracked;
            if granule.read & tracked != 0 {
                let offset = base | tracked.trailing_zeros();
                let index = granule.find_writer(writer, &mut self.writer_hints, offset);
                let value = if tracked == mask {
                    value
                } else {
                    value & spread(tracked)
                };
                if !granule.is_settled(index, owner, value) && granule.is_awaited(index) {
                    self.pair(Area::Usual, at, base, owner, index, value);
                }
            }
        }
        if self.initial.is_some() {
            self.write_initially(at, base, mask, value);
        }
    }

    #[inline(always)]
    fn writer(&self, at: Moment, base: u32, mask: u8) -> (Writer, Owner) {
        let owner = self.owner(base + mask.trailing_zeros(), base);
        let writer = Writer {
            pc: at.pc,
            calls: self.calls.context(),
            frame: owner.frame,
            mask,
        };
        (writer, owner)
    }

    /// The same for bytes that every checkpoint saves, before there is one.
    #[cold]
    #[inline(never)]
    fn write_initially(&mut self, at: Moment, base: u32, mask: u8, value: u64) {
        let tracked = mask
            & self
                .initial
                .as_ref()
                .map_or(0, |initial| initial.tracked(base));
        if tracked == 0 {
            return;
        }
        let (writer, owner) = self.writer(at, base, tracked);
        if let Some(initial) = &mut self.initial {
            let granule = initial.granule(base);
            granule.written |= tracked;
            let index = granule.find_writer(writer, &mut self.writer_hints, base);
            self.pair(
                Area::Initial,
                at,
                base,
                owner,
                index,
                value & spread(tracked),
            );
        }
    }

    /// Pairs a write by the acquaintance at `index` with all readers of whom something may be to be
    /// learnt.
    #[inline(never)]
    fn pair(&mut self, area: Area, at: Moment, base: u32, owner: Owner, index: usize, value: u64) {
        let reach = self.reach(at.time);
        let granule = match (area, &mut self.initial) {
            (Area::Usual, _) => self.shadow.granule(base),
            (Area::Initial, Some(initial)) => initial.granule(base),
            (Area::Initial, None) => return,
        };
        let mut write = Write {
            writer: granule.writers[index].writer,
            owner,
            base,
            value,
            checkpoint: self.checkpoint,
            objects: &self.objects,
            blocks: &self.blocks,
            pairs: &mut self.pairs,
            reach,
        };
        granule.meet(index, owner.kind, value, reach, |reader, pending| {
            write.pair(reader, pending)
        });
    }
}

/// Which shadow memory is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    /// Of the bytes that are not in every checkpoint.
    Usual,
    /// Of those that are, before there is one.
    Initial,
}

/// Up to eight bytes as a number, the first lowest.
#[inline]
pub(super) fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// The mask of an access that lies in one granule.
#[inline]
pub(super) const fn mask_within(offset: u32, size: u32) -> Option<u8> {
    let from = offset % GRANULE;
    if from + size <= GRANULE && size != 0 {
        Some(((0xff >> (GRANULE - size)) << from) as u8)
    } else {
        None
    }
}
