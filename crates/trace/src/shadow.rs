//! Shadow memory: for every non-volatile byte, who has read it and may have to
//! read it again.
//!
//! Bytes are kept in *granules* of eight. An access touches one granule, rarely
//! two, and says with a mask which bytes it means; so nothing is lost against
//! one cell per byte, and the usual access costs one look.

use std::ops::Range;

use brownout_vm::Image;

use crate::calls::Context;
use crate::exposure::Exposure;
use crate::history::{History, Read};

/// Bytes of a granule.
pub(crate) const GRANULE: u32 = 8;

/// A place of the user's code that has read some bytes, and may have to do so again.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    /// The operation.
    pub(crate) pc: u32,
    /// Which function's frame they were in (stack only), plus one.
    pub(crate) func: u32,
    /// Distance of the granule from that frame pointer.
    pub(crate) distance: i32,
    /// The activation or the heap block that the bytes belong to.
    pub(crate) owner: u32,
    /// Its reads for this owner.
    pub(crate) own: History,
    /// Its reads for activations that are over (stack only).
    pub(crate) older: Option<Box<History>>,
}

/// Whose bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The activation or the heap block; 0 for none.
    pub(crate) number: u32,
    /// The function of the activation, plus one.
    pub(crate) func: u32,
    /// Distance of the granule from its frame pointer.
    pub(crate) distance: i32,
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

/// Readers of the very same bytes of a granule.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    /// Which bytes.
    pub(crate) mask: u8,
    /// The one that read last.
    last: usize,
    pub(crate) list: Vec<Reader>,
    writers: Vec<Acquaintance>,
    /// The writer that was asked for last.
    last_writer: usize,
}

/// A place that writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Writer {
    /// The operation.
    pub(crate) pc: u32,
    /// The bytes of the granule.
    pub(crate) mask: u8,
    /// In which calls.
    pub(crate) calls: Context,
}

/// What is known of the pairs of a writer with some readers.
#[derive(Clone, Debug)]
struct Acquaintance {
    writer: Writer,
    /// By reader; those that came later are missing.
    known: Vec<Known>,
    /// Whether nothing at all is to be learnt any more.
    complete: bool,
}

/// What is known of a pair of places: a set of flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known(u8);

impl Known {
    /// Enough occurrences with an effect, reader and writer having the same owner.
    pub(crate) const LOUD_SAME: Self = Self(1);
    /// Enough occurrences with an effect, the reader having had an earlier owner.
    pub(crate) const LOUD_OTHER: Self = Self(2);
    /// Enough silent ones, for the same owner.
    pub(crate) const SILENT_SAME: Self = Self(4);
    /// Enough silent ones, for an earlier owner.
    pub(crate) const SILENT_OTHER: Self = Self(8);
    /// Nothing is to be learnt, whatever is stored for whomever.
    pub(crate) const ALL: Self = Self(3);

    #[inline]
    pub(crate) const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    pub(crate) const fn with(self, flags: Self) -> Self {
        Self(self.0 | flags.0)
    }
}

/// How many writers are remembered; forgetting one only costs time.
const WRITERS: usize = 32;
/// From how many readers on those that no write can reach any more are dropped.
const MANY: usize = 64;

impl Readers {
    fn new(mask: u8) -> Self {
        Self {
            mask,
            last: 0,
            list: Vec::new(),
            writers: Vec::new(),
            last_writer: 0,
        }
    }

    /// Notes a read of `value` by `pc`.
    #[inline]
    fn note(&mut self, pc: u32, owner: Owner, read: Read, value: u64, reach: Reach) {
        let is = |reader: &Reader| {
            reader.pc == pc && reader.func == owner.func && reader.distance == owner.distance
        };
        let known = match self.list.get(self.last) {
            Some(reader) if is(reader) => Some(self.last),
            _ => self.list.iter().position(is),
        };
        let Some(index) = known else {
            if self.list.len() >= MANY && self.list.len().is_power_of_two() {
                self.prune(reach);
            }
            self.last = self.list.len();
            self.list.push(Reader {
                pc,
                func: owner.func,
                distance: owner.distance,
                owner: owner.number,
                own: History::new(read, value),
                older: None,
            });
            for writer in &mut self.writers {
                writer.complete = false;
            }
            return;
        };
        self.last = index;
        let reader = &mut self.list[index];
        if reader.owner == owner.number {
            reader.own.note(read, value);
            return;
        }
        reader.owner = owner.number;
        if owner.kind == Kind::Heap {
            // Another block at the same address is another object: nothing is known of it.
            reader.own.restart(read, value);
            for writer in &mut self.writers {
                writer.complete = false;
                if let Some(known) = writer.known.get_mut(index) {
                    *known = Known::default();
                }
            }
            return;
        }
        match &mut reader.older {
            Some(older) => {
                older.append(&reader.own);
                reader.own.restart(read, value);
            }
            older => {
                let own = std::mem::replace(&mut reader.own, History::new(read, value));
                *older = Some(Box::new(own));
            }
        }
    }

    /// Forgets reads that no write can reach any more.
    fn prune(&mut self, reach: Reach) {
        let count = self.list.len();
        self.list.retain_mut(|reader| {
            let gone = reader
                .older
                .as_ref()
                .is_some_and(|older| !reach.covers(older.latest()));
            if gone {
                reader.older = None;
            }
            reader.older.is_some() || reach.covers(reader.own.latest())
        });
        if self.list.len() < count {
            self.writers.clear();
        }
    }

    /// Calls `pair` for every reader about whose pair with `writer` something is to be learnt, and
    /// remembers what is known afterwards.
    #[inline]
    pub(crate) fn meet_writer(
        &mut self,
        writer: Writer,
        mut pair: impl FnMut(&Reader, Known) -> Known,
    ) {
        let index = match self.writers.get(self.last_writer) {
            Some(known) if known.writer == writer => self.last_writer,
            _ => match self.writers.iter().position(|known| known.writer == writer) {
                Some(index) => index,
                None => self.meet(writer),
            },
        };
        self.last_writer = index;
        let acquaintance = &mut self.writers[index];
        if acquaintance.complete {
            return;
        }
        acquaintance.known.resize(self.list.len(), Known::default());
        let mut complete = true;
        for (reader, known) in self.list.iter().zip(&mut acquaintance.known) {
            if !known.has(Known::ALL) {
                *known = pair(reader, *known);
                complete &= known.has(Known::ALL);
            }
        }
        acquaintance.complete = complete;
    }

    fn meet(&mut self, writer: Writer) -> usize {
        let stranger = Acquaintance {
            writer,
            known: Vec::new(),
            complete: false,
        };
        if self.writers.len() < WRITERS {
            self.writers.push(stranger);
            return self.writers.len() - 1;
        }
        let index = (self.last_writer + 1) % WRITERS;
        self.writers[index] = stranger;
        index
    }
}

/// Which reads still matter to a write now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) exposure: Exposure,
    pub(crate) now: u64,
}

impl Reach {
    #[inline]
    pub(crate) const fn covers(self, read: Read) -> bool {
        read.time != 0
            && match self.exposure {
                Exposure::Region => true,
                Exposure::Anywhere { depth } => self.now <= read.time + depth,
                Exposure::SinceCall { depth } => self.now <= read.commit + depth,
            }
    }
}

/// What is known of eight bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Granule {
    /// The region this speaks of.
    epoch: u32,
    /// Which bytes were written, or saved, in that region.
    pub(crate) written: u8,
    /// Conditional checkpoints only: bytes that the last call saved, for which an earlier
    /// call governs, with its time.
    since: Option<Box<[Option<u64>; 8]>>,
    pub(crate) readers: Vec<Readers>,
}

impl Granule {
    /// Forgets what an earlier region knew.
    #[inline]
    pub(crate) fn enter(&mut self, epoch: u32, exposure: Exposure) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.written = 0;
            self.since = None;
            if exposure == Exposure::Region {
                self.readers.clear();
            }
        }
    }

    /// A checkpoint saves the bytes of `mask`: in its own region they are as good as written.
    pub(crate) fn save(&mut self, epoch: u32, mask: u8) {
        self.enter(epoch, Exposure::Region);
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
    #[inline]
    pub(crate) fn governing(&self, mask: u8) -> (u8, Option<u64>) {
        let Some(since) = &self.since else {
            return (mask, None);
        };
        let first = since[mask.trailing_zeros() as usize & 7];
        let same = (0..8)
            .filter(|&byte| since[byte] == first)
            .fold(0, |same, byte| same | 1 << byte);
        (mask & same, first)
    }

    /// Notes a read of the bytes of `mask`.
    #[inline]
    pub(crate) fn note(
        &mut self,
        pc: u32,
        owner: Owner,
        mask: u8,
        read: Read,
        value: u64,
        reach: Reach,
    ) {
        let index = match self.readers.iter().position(|readers| readers.mask == mask) {
            Some(index) => index,
            None => {
                self.readers.push(Readers::new(mask));
                self.readers.len() - 1
            }
        };
        self.readers[index].note(pc, owner, read, value, reach);
    }
}

/// Granules for the tracked bytes.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// For all granules of memory, which of their bytes are tracked.
    tracked: Vec<u8>,
    /// Granules come into being a page at a time: a heap may be large and little used.
    pages: Vec<Option<Box<[Granule]>>>,
}

/// Granules in a page.
const PAGE: usize = 1024;

impl Shadow {
    /// Tracks all non-volatile bytes but the constants and those in `saved`.
    pub(crate) fn without(image: &Image, saved: &[Range<u32>]) -> Self {
        let mut shadow = Self::new(image);
        for range in writable(image) {
            shadow.mark(range, |tracked, mask| *tracked |= mask);
        }
        for range in saved {
            shadow.mark(range.clone(), |tracked, mask| *tracked &= !mask);
        }
        shadow
    }

    /// Tracks the non-volatile bytes in `saved`.
    pub(crate) fn only(image: &Image, saved: &[Range<u32>]) -> Self {
        let mut shadow = Self::new(image);
        for segment in writable(image) {
            for range in saved {
                let both = range.start.max(segment.start)..range.end.min(segment.end);
                shadow.mark(both, |tracked, mask| *tracked |= mask);
            }
        }
        shadow
    }

    fn new(image: &Image) -> Self {
        let end = image
            .layout()
            .segments()
            .iter()
            .map(|segment| segment.offsets.end)
            .max();
        let count = end.unwrap_or(0).div_ceil(GRANULE) as usize;
        let mut pages = Vec::new();
        pages.resize_with(count.div_ceil(PAGE), || None);
        Self {
            tracked: vec![0; count],
            pages,
        }
    }

    fn mark(&mut self, range: Range<u32>, change: impl Fn(&mut u8, u8)) {
        // "Everything" is a range, too.
        let end = range.end.min(self.tracked.len() as u32 * GRANULE);
        let range = range.start.min(end)..end;
        let first = range.start.next_multiple_of(GRANULE);
        let last = range.end / GRANULE * GRANULE;
        if first >= last {
            return self.mark_ends(range, change);
        }
        // Heaps are large: what is whole is done at once.
        let whole = (first / GRANULE) as usize..(last / GRANULE) as usize;
        for tracked in &mut self.tracked[whole] {
            change(tracked, 0xff);
        }
        self.mark_ends(range.start..first, &change);
        self.mark_ends(last..range.end, change);
    }

    fn mark_ends(&mut self, range: Range<u32>, change: impl Fn(&mut u8, u8)) {
        for (base, mask, _) in granules(range.start, range.end.saturating_sub(range.start)) {
            if let Some(tracked) = self.tracked.get_mut((base / GRANULE) as usize) {
                change(tracked, mask);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tracked.iter().all(|&mask| mask == 0)
    }

    /// Which bytes of the granule at `base` are tracked.
    #[inline]
    pub(crate) fn tracked(&self, base: u32) -> u8 {
        self.tracked
            .get((base / GRANULE) as usize)
            .copied()
            .unwrap_or(0)
    }

    /// The granule at `base`, some of whose bytes must be tracked.
    #[inline]
    pub(crate) fn granule(&mut self, base: u32) -> &mut Granule {
        let index = (base / GRANULE) as usize;
        let page =
            self.pages[index / PAGE].get_or_insert_with(|| vec![Granule::default(); PAGE].into());
        &mut page[index % PAGE]
    }
}

/// The non-volatile stretches that a program can write.
fn writable(image: &Image) -> impl Iterator<Item = Range<u32>> {
    use brownout_vm::SegmentKind::{Globals, Heap, Stack};
    image
        .layout()
        .segments()
        .iter()
        .filter(|segment| segment.nonvolatile && matches!(segment.kind, Globals | Stack | Heap))
        .map(|segment| segment.offsets.clone())
}

/// The granules of a stretch: offset, mask, and how many bytes of the stretch came before.
#[inline]
pub(crate) fn granules(offset: u32, size: u32) -> impl Iterator<Item = (u32, u8, usize)> {
    let mut at = offset;
    let end = offset + size;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let base = at & !(GRANULE - 1);
        let count = (base + GRANULE).min(end) - at;
        let mask = ((1u16 << count) - 1) << (at - base);
        let before = (at - offset) as usize;
        at += count;
        Some((base, mask as u8, before))
    })
}
