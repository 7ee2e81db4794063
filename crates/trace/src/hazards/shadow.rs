//! Shadow memory: for every non-volatile byte, the places that have read it and may have to
//! read it again.
//!
//! Bytes are kept in *granules* of eight. An access touches one granule, rarely
//! two, and says with a mask which bytes it means; so nothing is lost against
//! one cell per byte, and the usual access costs one look. Of a granule that was
//! accessed, a [`Cell`] says which of its bytes are tracked, who has read it
//! ([`Readers`]) and which bytes were written in which region.

use std::ops::Range;

use brownout_vm::Image;
use rustc_hash::FxHashMap;

use crate::hazards::pairing::Write;
use crate::hazards::readers::{Cell, NOBODY, Place, Readers, SetNumber};
use crate::hazards::reads::{Reach, Reading, Reads, Window};
use crate::hazards::settled::{Settlements, Written};

/// Bytes of a granule.
pub(crate) const GRANULE: u32 = 8;

/// Granules for the tracked bytes. Memory that is not touched takes no room: tables of zeros come
/// into being a page at a time.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// For all granules of memory, which of their bytes are tracked.
    tracked: Vec<u8>,
    /// Conditional checkpoints only: granules with bytes that the last call saved, for which an
    /// earlier call governs, with its time; and the region of which that is so.
    since: FxHashMap<u32, (u32, [Option<u64>; 8])>,
    /// For all granules, their cell; [`UNSEEN`] before the first access.
    numbers: Vec<CellNumber>,
    cells: Vec<Cell>,
    readers: Readers,
    reads: Reads,
    /// A cache: the position of the last read that a place made of a granule.
    lately: Box<[u32; LATELY]>,
    settled: Settlements,
}

/// The number of a cell.
type CellNumber = u32;

/// The cell of granules that were not accessed yet.
const UNSEEN: CellNumber = 0;
/// The cell of all those without a tracked byte.
const UNTRACKED: CellNumber = 1;

/// How many entries that cache has.
const LATELY: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 14
};
/// How many reads are few for a write to look at.
const FEW: usize = if cfg!(debug_assertions) { 4 } else { 64 };

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

    /// Tracks the non-volatile bytes in `saved`, if there are any.
    pub(crate) fn only(image: &Image, saved: &[Range<u32>]) -> Option<Self> {
        let both = |(segment, range): (Range<u32>, &Range<u32>)| {
            range.start.max(segment.start)..range.end.min(segment.end)
        };
        let pairs = writable(image)
            .flat_map(|segment| saved.iter().map(move |range| (segment.clone(), range)));
        let mut ranges = pairs.map(both).filter(|range| !range.is_empty()).peekable();
        ranges.peek()?;
        let mut shadow = Self::new(image);
        for range in ranges {
            shadow.mark(range, |tracked, mask| *tracked |= mask);
        }
        Some(shadow)
    }

    fn new(image: &Image) -> Self {
        let end = image
            .layout()
            .segments()
            .iter()
            .map(|segment| segment.offsets.end)
            .max();
        let count = end.unwrap_or(0).div_ceil(GRANULE) as usize;
        Self {
            tracked: vec![0; count],
            since: FxHashMap::default(),
            numbers: vec![UNSEEN; count],
            cells: vec![Cell::default(); UNTRACKED as usize + 1],
            readers: Readers::new(),
            reads: Reads::new(),
            lately: Box::new([0; LATELY]),
            settled: Settlements::new(),
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

    /// Where the cell of the granule at `base` is.
    #[inline(always)]
    pub(crate) fn find(&mut self, base: u32) -> usize {
        match self.numbers.get(index(base)) {
            Some(&UNSEEN) => self.discover(base),
            Some(&number) => number as usize,
            None => UNTRACKED as usize,
        }
    }

    /// The granule is accessed for the first time.
    #[cold]
    #[inline(never)]
    fn discover(&mut self, base: u32) -> usize {
        let tracked = self.tracked[index(base)];
        let mut number = UNTRACKED;
        if tracked != 0 {
            number = self.cells.len() as CellNumber;
            self.cells.push(Cell::new(tracked));
        }
        self.numbers[index(base)] = number;
        number as usize
    }

    /// A cell.
    #[inline(always)]
    pub(crate) fn cell(&self, cell: usize) -> &Cell {
        &self.cells[cell]
    }

    /// Tracked bytes are written. What a checkpoint saves is as good as written in its region.
    #[inline(always)]
    pub(crate) fn write(&mut self, cell: usize, epoch: u32, mask: u8) {
        let cell = &mut self.cells[cell];
        cell.set_written(epoch, cell.written(epoch) | mask);
    }

    /// A checkpoint that may not commit saves the bytes of `mask`. For them it is as if it was
    /// not called: if it commits they are safe, and if it does not, nothing happened. `commit` is
    /// the time of the call before.
    pub(crate) fn pass_over(&mut self, base: u32, epoch: u32, commit: u64, mask: u8) {
        let before = epoch - 1;
        let cell = self.find(base);
        let cell = &mut self.cells[cell];
        cell.set_written(epoch, cell.written(before) & mask);
        let since = self.since.get(&base).filter(|since| since.0 == before);
        let mut governing = since.map_or([None; 8], |since| since.1);
        for (byte, governing) in governing.iter_mut().enumerate() {
            *governing = match *governing {
                _ if mask >> byte & 1 == 0 => None,
                Some(earlier) => Some(earlier),
                None => Some(commit),
            };
        }
        self.since.insert(base, (epoch, governing));
    }

    /// The bytes of `mask` that the same checkpoint call governs as the lowest of them, and its
    /// time, if it is not the last one.
    pub(crate) fn governing(&self, base: u32, epoch: u32, mask: u8) -> (u8, Option<u64>) {
        match self.since.get(&base) {
            Some((of, since)) if *of == epoch => {
                let first = since[mask.trailing_zeros() as usize & 7];
                let same = (0..8)
                    .filter(|&byte| since[byte] == first)
                    .fold(0, |same, byte| same | 1 << byte);
                (mask & same, first)
            }
            _ => (mask, None),
        }
    }

    /// Notes a read, for which there must be room, with its [decisive](Read::decisive)
    /// moment.
    #[inline(always)]
    pub(crate) fn note(
        &mut self,
        cell: usize,
        reading: Reading<Place>,
        moment: u64,
        window: Window,
    ) {
        let cell = &mut self.cells[cell];
        let (place, _) = self.readers.note(cell, &reading, moment, window);
        cell.head = self.reads.push(reading.by(place), cell.head);
    }

    /// Notes a read that matters until the end of the region: only the last one of a place does.
    #[inline(always)]
    pub(crate) fn note_once(&mut self, cell: usize, reading: Reading<Place>, window: Window) {
        let commit = reading.read.commit;
        let cell = &mut self.cells[cell];
        let (place, is_known) = self.readers.note(cell, &reading, commit, window);
        let reading = reading.by(place);
        let slot = late(&reading);
        if is_known {
            let last = self.lately[slot];
            if let Some(known) = self.reads.get(last, reading.base)
                && known.place == place
                && known.owner == reading.owner
                && known.value == reading.value
                && known.read.commit == commit
            {
                return self.reads.refresh(last, reading.read);
            }
        }
        cell.head = self.reads.push(reading, cell.head);
        self.lately[slot] = cell.head;
    }

    /// No read so far matters any more.
    #[inline]
    pub(crate) const fn forget_reads(&mut self) {
        self.reads.clear();
    }

    /// Whether there is no room for another read.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        self.reads.is_full()
    }

    /// Makes room for another read.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, reach: Reach) {
        for reading in self.reads.make_room(reach) {
            let cell = &mut self.cells[self.numbers[index(reading.base)] as usize];
            cell.head = self.reads.push(reading, cell.head);
        }
    }

    /// Whether the cache says that a write to a granule need not be compared with reads.
    #[inline(always)]
    pub(crate) fn is_settled(
        &self,
        read: (&Cell, SetNumber),
        written: &Written<'_>,
        reach: impl Fn() -> Reach,
    ) -> bool {
        self.settled.settle(&self.readers, read, written, reach)
    }

    /// A cell, and the set of places whose reads of its granule may still matter, if there are any.
    #[inline(always)]
    pub(crate) fn read(&self, cell: usize, window: Window) -> Option<(&Cell, SetNumber)> {
        let cell = &self.cells[cell];
        let readers = cell.readers(window);
        (readers != NOBODY).then_some((cell, readers))
    }

    /// Pairs a write with all reads of which not enough is known.
    pub(crate) fn meet(&mut self, write: &mut Write<'_, '_>, window: Window) {
        let cell = &mut self.cells[self.numbers[index(write.base)] as usize];
        let (base, reach) = (write.base, write.reach);
        let mut looked = 0;
        for (_, reading) in self.reads.chain(base, cell.head, reach) {
            looked += 1;
            write.look(&reading.by(self.readers.place(reading.place)));
        }
        write.learn();
        if !self.settled.learn(&self.readers, cell, write, window) {
            if looked > FEW {
                self.reads.thin(base, cell.head, reach);
            }
            let reads = self.reads.chain(base, cell.head, reach);
            let reads = reads.map(|(_, reading)| reading);
            self.readers.tighten(cell, reads, window);
            self.settled.learn(&self.readers, cell, write, window);
        }
    }
}

/// The slot of a place and a granule in the cache of last reads.
#[inline(always)]
const fn late(reading: &Reading) -> usize {
    // Neighbours beside each other.
    let mixed = reading.place.wrapping_mul(0x9e37_79b1) >> 16;
    mixed.wrapping_add(reading.base / GRANULE) as usize % LATELY
}

#[inline(always)]
const fn index(base: u32) -> usize {
    (base / GRANULE) as usize
}

/// The non-volatile stretches that a program can write.
fn writable(image: &Image) -> impl Iterator<Item = Range<u32>> {
    use brownout_vm::SegmentKind::{Globals, Heap, Stack, Window};
    image
        .layout()
        .segments()
        .iter()
        .filter(|segment| {
            segment.nonvolatile && matches!(segment.kind, Globals | Stack | Heap | Window)
        })
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
