//! What is known of eight bytes: who has read them and may have to read them
//! again, and about whose writes something is still to be learnt.
//!
//! Lists are searched rarely: a [`Hints`] table says where the wanted entry was
//! last time, and the entry itself says whether that is still so.

use crate::exposure::Exposure;
use crate::history::{History, Read};
use crate::shadow::GRANULE;
use crate::writers::{Acquaintance, Writer};

/// A place of the user's code that has read some bytes, and may have to do so again.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Reader {
    /// The operation.
    pub(crate) pc: u32,
    /// In whose frame.
    pub(crate) frame: Frame,
    /// The activation or the heap block that the bytes belong to.
    pub(crate) owner: u32,
    /// Its reads for this owner.
    pub(crate) own: History,
    /// Its reads for activations that are over (stack only).
    pub(crate) older: Option<Box<History>>,
}

impl Reader {
    /// Whether any of its reads matters now.
    #[inline]
    pub(crate) fn is_in(&self, reach: Reach) -> bool {
        reach.covers(self.own.latest())
            || self
                .older
                .as_ref()
                .is_some_and(|older| reach.covers(older.latest()))
    }
}

/// Where a granule lies on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Frame {
    /// The function whose frame it is, plus one.
    pub(crate) func: u32,
    /// Distance of the granule from the frame pointer.
    pub(crate) distance: i32,
}

/// Whose bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The activation or the heap block; 0 for none.
    pub(crate) number: u32,
    pub(crate) frame: Frame,
    /// What kind of memory it is.
    pub(crate) kind: Kind,
}

/// What owners there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Bytes that always belong to the same object.
    Fixed,
    /// Bytes of activations.
    Stack,
    /// Bytes of blocks.
    Heap,
}

/// Which reads still matter to a write now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) exposure: Exposure,
    /// When the last checkpoint was called.
    pub(crate) commit: u64,
    pub(crate) now: u64,
}

impl Reach {
    /// For how long at most reads matter.
    #[inline]
    const fn span(self) -> u64 {
        match self.exposure {
            Exposure::Region => u64::MAX,
            Exposure::Anywhere { depth } | Exposure::SinceCall { depth } => depth,
        }
    }

    /// Once not covered, a read never is again.
    #[inline]
    pub(crate) const fn covers(self, read: Read) -> bool {
        read.time != 0
            && match self.exposure {
                Exposure::Region => read.commit == self.commit,
                Exposure::Anywhere { depth } => self.now <= read.time + depth,
                Exposure::SinceCall { depth } => self.now <= read.commit + depth,
            }
    }
}

/// A read that is to be noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) pc: u32,
    pub(crate) mask: u8,
    pub(crate) owner: Owner,
    pub(crate) read: Read,
    /// What it gave, zero outside the mask.
    pub(crate) value: u64,
}

impl Reading {
    #[inline]
    fn is_by(&self, reader: &Reader) -> bool {
        reader.pc == self.pc && reader.own.mask() == self.mask && reader.frame == self.owner.frame
    }
}

/// From how many readers on those that no write can reach any more are dropped.
const MANY: usize = 256;

/// What is known of eight bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Granule {
    /// The region that `written` and `since` speak of.
    epoch: u32,
    /// Which bytes were written, or saved, in that region.
    pub(crate) written: u8,
    /// Which bytes were ever read.
    pub(crate) read: u8,
    /// Bytes that some acquaintance expects to be read as they were.
    pub(crate) quiet: u8,
    /// Whether readers had more than one owner.
    pub(crate) several_owners: bool,
    /// The highest owner of readers.
    pub(crate) newest_owner: u32,
    /// How often they were not.
    pub(crate) surprises: u32,
    /// Readers that may be in reach, see [`bit`]: those that read since `generation`, and those
    /// that did in the time before that.
    recent: [u64; 2],
    generation: u64,
    /// Conditional checkpoints only: bytes that the last call saved, for which an earlier
    /// call governs, with its time.
    since: Option<Box<[Option<u64>; 8]>>,
    pub(crate) readers: Vec<Reader>,
    pub(crate) writers: Vec<Acquaintance>,
}

impl Granule {
    /// Forgets what does not outlive a region.
    #[inline]
    pub(crate) fn enter(&mut self, epoch: u32) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.written = 0;
            self.since = None;
        }
    }

    /// A checkpoint saves the bytes of `mask`: in its own region they are as good as written.
    pub(crate) fn save(&mut self, epoch: u32, mask: u8) {
        self.enter(epoch);
        self.written |= mask;
    }

    /// A checkpoint that may not commit saves the bytes of `mask`. For them it is as if it was
    /// not called: if it commits they are safe, and if it does not, nothing happened. `commit` is
    /// the time of the call before.
    pub(crate) fn pass_over(&mut self, epoch: u32, commit: u64, mask: u8) {
        let (mut written, mut since) = (0, None);
        if self.epoch + 1 == epoch {
            written = self.written & mask;
            since = self.since.take();
        }
        let mut governing = since.unwrap_or_default();
        for (byte, governing) in governing.iter_mut().enumerate() {
            *governing = match *governing {
                _ if mask >> byte & 1 == 0 => None,
                Some(earlier) => Some(earlier),
                None => Some(commit),
            };
        }
        self.epoch = epoch;
        self.written = written;
        self.since = Some(governing);
    }

    /// The bytes of `mask` that the same checkpoint call governs as the lowest of them, and its
    /// time, if it is not the last one.
    #[inline(always)]
    pub(crate) fn governing(&self, mask: u8) -> (u8, Option<u64>) {
        match &self.since {
            None => (mask, None),
            Some(since) => governing(since, mask),
        }
    }

    /// Which bytes of `mask` are read as the checkpoint left them.
    #[inline]
    pub(crate) fn exposed(&self, exposure: Exposure, mask: u8) -> u8 {
        match exposure {
            Exposure::Anywhere { .. } => mask,
            Exposure::Region | Exposure::SinceCall { .. } => mask & !self.written,
        }
    }

    /// Notes a read.
    #[inline(always)]
    pub(crate) fn note(&mut self, reading: Reading, reach: Reach, hints: &mut Hints, offset: u32) {
        let near = hints.near(reading.pc, offset);
        let index = match self.readers.get(near) {
            Some(reader) if reading.is_by(reader) => near,
            _ => match self.search(&reading, hints, offset) {
                Some(index) => index,
                None => return self.meet_reader(&reading, reach),
            },
        };
        self.reads_now(index, reach);
        let reader = &mut self.readers[index];
        if reader.owner == reading.owner.number {
            let changed = reader.own.note(reading.read, reading.value);
            if changed & self.quiet != 0 {
                self.surprise();
            }
        } else {
            self.note_anew(index, &reading);
        }
    }

    #[inline(never)]
    fn search(&self, reading: &Reading, hints: &mut Hints, offset: u32) -> Option<usize> {
        let far = hints.far(reading.pc, offset);
        let index = match self.readers.get(far) {
            Some(reader) if reading.is_by(reader) => far,
            _ => self
                .readers
                .iter()
                .position(|reader| reading.is_by(reader))?,
        };
        hints.remember(reading.pc, offset, index);
        Some(index)
    }

    /// A read by a known reader, for another owner.
    #[inline(never)]
    fn note_anew(&mut self, index: usize, reading: &Reading) {
        let Reading {
            owner,
            read,
            value,
            mask,
            ..
        } = *reading;
        let reader = &mut self.readers[index];
        reader.owner = owner.number;
        let changed;
        if let (Kind::Stack, Some(older)) = (owner.kind, &mut reader.older) {
            older.append(&reader.own);
            changed = reader.own.restart(read, value);
        } else {
            changed = reader.own.differing(value, mask);
            let fresh = History::new(mask, read, value);
            let own = std::mem::replace(&mut reader.own, fresh);
            if owner.kind == Kind::Stack {
                reader.older = Some(Box::new(own));
            } else {
                // Another block at the same address is another object: nothing is known of it.
                for writer in &mut self.writers {
                    writer.forget(index, mask);
                }
            }
        }
        self.owned_by(owner.number);
        if changed & self.quiet != 0 {
            self.surprise();
        }
    }

    #[cold]
    #[inline(never)]
    fn meet_reader(&mut self, reading: &Reading, reach: Reach) {
        if self.readers.len() >= MANY && self.readers.len().is_power_of_two() {
            self.prune(reach);
        }
        let Reading { pc, owner, .. } = *reading;
        if self.readers.is_empty() {
            self.newest_owner = owner.number;
        }
        self.owned_by(owner.number);
        self.reads_now(self.readers.len(), reach);
        self.read |= reading.mask;
        self.readers.push(Reader {
            pc,
            frame: owner.frame,
            owner: owner.number,
            own: History::new(reading.mask, reading.read, reading.value),
            older: None,
        });
    }

    /// A generation is as long as reads are in reach: who did not read in the last two is not.
    #[inline]
    fn reads_now(&mut self, index: usize, reach: Reach) {
        let span = reach.span();
        let age = reach.now - self.generation;
        if age > span {
            let before = if age - span > span { 0 } else { self.recent[0] };
            self.recent = [0, before];
            self.generation = reach.now;
        }
        self.recent[0] |= bit(index);
    }

    /// The readers that may be in reach.
    #[inline]
    pub(crate) const fn recent(&self) -> u64 {
        self.recent[0] | self.recent[1]
    }

    #[inline]
    fn owned_by(&mut self, owner: u32) {
        if owner != self.newest_owner {
            self.several_owners = true;
            self.newest_owner = self.newest_owner.max(owner);
        }
    }

    /// What was expected of the readers has not come true.
    #[inline]
    fn surprise(&mut self) {
        self.surprises = self.surprises.wrapping_add(1);
        self.quiet = 0;
    }

    /// Forgets reads that no write can reach any more.
    fn prune(&mut self, reach: Reach) {
        let count = self.readers.len();
        self.readers.retain(|reader| reader.is_in(reach));
        if self.readers.len() < count {
            self.writers.clear();
            self.recent[0] = u64::MAX;
        }
    }

    /// Where `writer` is among the acquaintances.
    #[inline]
    pub(crate) fn find_writer(&mut self, writer: Writer, hints: &mut Hints, offset: u32) -> usize {
        let near = hints.near(writer.pc, offset);
        match self.writers.get(near) {
            Some(known) if known.writer == writer => near,
            _ => self.search_writer(writer, hints, offset),
        }
    }

    #[inline(never)]
    fn search_writer(&mut self, writer: Writer, hints: &mut Hints, offset: u32) -> usize {
        let far = hints.far(writer.pc, offset);
        let is = |known: &Acquaintance| known.writer == writer;
        let found = match self.writers.get(far) {
            Some(known) if is(known) => Some(far),
            _ => self.writers.iter().position(is),
        };
        let index = found.unwrap_or_else(|| {
            // Forgetting all only costs time.
            if self.writers.len() >= MANY {
                self.writers.clear();
            }
            self.writers.push(Acquaintance::new(writer));
            self.writers.len() - 1
        });
        hints.remember(writer.pc, offset, index);
        index
    }
}

#[cold]
#[inline(never)]
fn governing(since: &[Option<u64>; 8], mask: u8) -> (u8, Option<u64>) {
    let first = since[mask.trailing_zeros() as usize & 7];
    let same = (0..8)
        .filter(|&byte| since[byte] == first)
        .fold(0, |same, byte| same | 1 << byte);
    (mask & same, first)
}

/// Stands for the reader at `index` in a set of readers; for some others, too, if there are many.
#[inline]
pub(crate) const fn bit(index: usize) -> u64 {
    1 << (index % 64)
}

/// Where in the lists of granules the entries for some accesses were last time.
#[derive(Debug)]
pub(crate) struct Hints {
    /// By operation: neighbouring granules mostly have the same lists.
    near: Box<[u16; 1 << 16]>,
    /// By operation and offset.
    far: Box<[u16; 1 << 16]>,
}

impl Hints {
    pub(crate) fn new() -> Self {
        Self {
            near: Box::new([0; 1 << 16]),
            far: Box::new([0; 1 << 16]),
        }
    }

    #[inline]
    const fn near_slot(pc: u32, offset: u32) -> usize {
        (pc.wrapping_mul(GRANULE) | (offset % GRANULE)) as u16 as usize
    }

    #[inline]
    const fn far_slot(pc: u32, offset: u32) -> usize {
        let mixed = pc.wrapping_mul(0x9e37_79b1) ^ offset.wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize
    }

    #[inline]
    fn near(&self, pc: u32, offset: u32) -> usize {
        self.near[Self::near_slot(pc, offset)].into()
    }

    #[inline]
    fn far(&self, pc: u32, offset: u32) -> usize {
        self.far[Self::far_slot(pc, offset)].into()
    }

    #[inline]
    fn remember(&mut self, pc: u32, offset: u32, index: usize) {
        self.near[Self::near_slot(pc, offset)] = index as u16;
        self.far[Self::far_slot(pc, offset)] = index as u16;
    }
}
