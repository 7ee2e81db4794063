//! A cache of the writes that need no look at single reads.
//!
//! Every write is compared with each read that a power failure can repeat: the two may be a pair, and
//! the pair may be silent. Once enough occurrences of a pair of places are known for a stretch of
//! bytes, further ones add nothing: loud ones whatever is read and stored, silent ones as long as the
//! bytes that are stored are those that were read. So whether a write has to be compared with reads
//! depends on the writing place and on the set of places that have read, and is the same in all
//! granules of the stretch. An entry that is lost costs time only; an entry never becomes wrong.

use std::ops::Range;

use brownout_explore::{CheckpointCall, Context};

use crate::hazards::known::Whose;
use crate::hazards::pairing::{Kind, Write};
use crate::hazards::readers::{Cell, NOBODY, Owners, Readers, SetNumber};
use crate::hazards::reads::{Frame, Reach, Window};

/// A place that writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Writer {
    /// The operation.
    pub(crate) pc: u32,
    /// The calls in progress.
    pub(crate) calls: Context,
    /// The checkpoint call that began the region, where regions begin at such calls.
    pub(crate) region: Option<CheckpointCall>,
    /// The function whose frame is written, and the place in it.
    pub(crate) frame: Frame,
    /// The number of the heap block that is written; 0 outside the heap.
    pub(crate) block: u32,
    /// The bytes of the granule that are written.
    pub(crate) mask: u8,
    /// What kind of memory it is.
    pub(crate) kind: Kind,
}

/// When a write has to be compared with the reads that one place has made of its bytes.
#[derive(Clone, Debug)]
pub(crate) enum Openness {
    /// Only if one of these bytes is stored with another value than was read; this holds in the granules of
    /// the range. An empty mask: never.
    Quiet(u8, Range<u32>),
    /// Always.
    Open,
}

/// How many reading operations an entry can name that always have to be looked at.
const OPEN: usize = 4;

/// An entry of the cache: when a write by one place has to be compared with the reads of a set of places.
///
/// An entry fills one cache line of the processor.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Settlement {
    writer: Writer,
    readers: SetNumber,
    owners: Owners,
    /// The write has to be compared with reads if one of these bytes is stored with another value than was read.
    quiet: u8,
    /// How many operations `open` has; one more than there is room for if they are too many.
    open_count: u8,
    /// Reading operations with which the write has to be compared if their last read is in reach.
    open: [u32; OPEN],
    /// The granules for which the entry holds.
    bases: Range<u32>,
    /// How much was known of pairs when the entry was made.
    knowledge: u32,
}

const _: () = assert!(size_of::<Settlement>() == 64);

impl Settlement {
    const NONE: Self = Self {
        writer: Writer {
            pc: 0,
            calls: Context::OUTSIDE,
            region: None,
            frame: Frame {
                func: 0,
                distance: 0,
            },
            block: 0,
            mask: 0,
            kind: Kind::Fixed,
        },
        readers: NOBODY,
        owners: Owners::Same,
        quiet: 0,
        open_count: 0,
        open: [0; OPEN],
        bases: 0..0,
        knowledge: 0,
    };

    #[inline(always)]
    fn applies(&self, writer: &Writer, readers: SetNumber, owners: Owners, base: u32) -> bool {
        self.readers == readers
            && self.owners == owners
            && self.writer == *writer
            && self.bases.contains(&base)
    }

    /// Whether a write need not be compared with single reads.
    #[inline(always)]
    fn holds(&self, cell: &Cell, value: u64, readers: &Readers, reach: impl Fn() -> Reach) -> bool {
        cell.always_gave(value, self.quiet)
            && (self.open_count == 0 || self.is_out_of_reach(readers, reach()))
    }

    /// Whether no read of the open operations is in reach any more.
    #[inline(never)]
    fn is_out_of_reach(&self, readers: &Readers, reach: Reach) -> bool {
        let open = self.open.get(..self.open_count.into());
        open.is_some_and(|open| open.iter().all(|&pc| !readers.is_in_reach(pc, reach)))
    }

    /// Makes an entry from what is known of the pairs with all places of the set.
    #[inline(never)]
    fn survey(readers: &Readers, set: SetNumber, owners: Owners, write: &Write<'_, '_>) -> Self {
        let mut settlement = Self {
            writer: write.writer,
            readers: set,
            owners,
            bases: 0..u32::MAX,
            knowledge: write.findings.memory.knowledge(),
            ..Self::NONE
        };
        let whose: &[Whose] = match owners {
            Owners::Same => &[Whose::Same],
            // Another block at the same address is another object.
            Owners::Other if write.writer.kind == Kind::Heap => &[],
            Owners::Mixed if write.writer.kind == Kind::Heap => &[Whose::Same],
            Owners::Other => &[Whose::Other],
            Owners::Mixed => &[Whose::Same, Whose::Other],
        };
        let Some(places) = readers.places(set) else {
            settlement.open_count = OPEN as u8 + 1;
            return settlement;
        };
        for place in places {
            if place.mask & write.writer.mask == 0 {
                continue;
            }
            for &whose in whose {
                match write.openness(&place, whose) {
                    Openness::Quiet(bytes, range) => {
                        settlement.quiet |= bytes;
                        let bases = &mut settlement.bases;
                        *bases = bases.start.max(range.start)..bases.end.min(range.end);
                    }
                    Openness::Open => {
                        settlement.add_open(place.pc);
                    }
                }
            }
        }
        settlement
    }

    fn add_open(&mut self, pc: u32) {
        let count = usize::from(self.open_count);
        if !self.open[..count.min(OPEN)].contains(&pc) {
            if let Some(open) = self.open.get_mut(count) {
                *open = pc;
            }
            self.open_count = (count + 1).min(OPEN + 1) as u8;
        }
    }
}

/// How many entries the cache has.
const SETTLEMENTS: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 13
};
/// How many neighbouring bytes share an entry.
const CHUNK: u32 = 1 << 9;

/// The cache.
#[derive(Debug)]
pub(crate) struct Settlements(Box<[Settlement; SETTLEMENTS]>);

impl Settlements {
    pub(crate) fn new() -> Self {
        Self(Box::new([Settlement::NONE; SETTLEMENTS]))
    }

    #[inline(always)]
    const fn slot(writer: &Writer, readers: SetNumber, base: u32) -> usize {
        let bytes = ((base / CHUNK) << 3) | writer.mask.trailing_zeros();
        let mixed = writer.pc.wrapping_mul(0x9e37_79b1)
            ^ bytes.wrapping_mul(0x85eb_ca6b)
            ^ readers.wrapping_mul(0xc2b2_ae35);
        (mixed >> 16) as usize % SETTLEMENTS
    }

    /// Whether the cache says that a write need not be compared with the reads that the places of a set have
    /// made. `reach`, which says which reads a power failure can repeat, is called only where it matters.
    #[inline(always)]
    pub(crate) fn settle(
        &self,
        readers: &Readers,
        (cell, set): (&Cell, SetNumber),
        written: &Written<'_>,
        reach: impl Fn() -> Reach,
    ) -> bool {
        let owners = cell.owners(written.owner);
        let settlement = &self.0[Self::slot(written.writer, set, written.base)];
        settlement.applies(written.writer, set, owners, written.base)
            && settlement.holds(cell, written.value, readers, reach)
    }

    /// Makes the entry of a write anew if there is none or more has become known of its pairs. Whether the same
    /// write would now be settled.
    pub(crate) fn learn(
        &mut self,
        readers: &Readers,
        cell: &Cell,
        write: &Write<'_, '_>,
        window: Window,
    ) -> bool {
        let (set, owners) = (cell.readers(window), cell.owners(write.owner.number));
        if set == NOBODY {
            return true;
        }
        let settlement = &mut self.0[Self::slot(&write.writer, set, write.base)];
        if !settlement.applies(&write.writer, set, owners, write.base)
            || settlement.knowledge != write.findings.memory.knowledge()
        {
            *settlement = Settlement::survey(readers, set, owners, write);
        }
        let written = Written {
            writer: &write.writer,
            owner: write.owner.number,
            base: write.base,
            value: write.value,
        };
        self.settle(readers, (cell, set), &written, || write.reach)
    }
}

/// One write to a granule.
#[derive(Debug)]
pub(crate) struct Written<'w> {
    pub(crate) writer: &'w Writer,
    /// The activation or heap block that is written; 0 for none.
    pub(crate) owner: u32,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// The value that is stored, zero outside the mask of the writer.
    pub(crate) value: u64,
}
