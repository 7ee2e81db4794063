//! Which writes bring no news.
//!
//! Of every read in reach a write learns whether they are a pair, and whether a silent one. Once
//! enough is known of the pairs of two places for a stretch of bytes, there is nothing to be learnt
//! from more of them: from loud ones, whatever is read and stored; from silent ones as long as that
//! is the same. So what a place has to learn when it writes depends on the set of places that have
//! read, and is the same in all granules that they have read, as far as the stretch goes.
//! All that is a table; forgetting costs time only, and what is settled remains so.

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
    /// In which calls.
    pub(crate) calls: Context,
    /// Behind which checkpoint call, where regions begin at such calls.
    pub(crate) region: Option<CheckpointCall>,
    /// In whose frame.
    pub(crate) frame: Frame,
    /// The block, on the heap; 0 elsewhere.
    pub(crate) block: u32,
    /// The bytes of the granule.
    pub(crate) mask: u8,
    /// What kind of memory it is.
    pub(crate) kind: Kind,
}

/// Bytes of which something may be to be learnt of reads by one place.
#[derive(Clone, Debug)]
pub(crate) enum Openness {
    /// If they are stored otherwise than they were read (none: nothing at all), in these granules.
    Quiet(u8, Range<u32>),
    /// Whatever is stored.
    Open,
}

/// So many operations that are open are kept in mind.
const OPEN: usize = 4;

/// What a place has to learn when it writes what the places of a set have read.
///
/// One of them fills a line of the cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Settlement {
    writer: Writer,
    readers: SetNumber,
    owners: Owners,
    /// Bytes that matter if they are stored otherwise than they were read.
    quiet: u8,
    /// How many operations are open; one more than there is room for if they are too many.
    open_count: u8,
    /// Those of which something is to be learnt if they have read lately.
    open: [u32; OPEN],
    /// In which granules this is so.
    bases: Range<u32>,
    /// How much was known.
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

    /// Whether there is nothing to be learnt from a write.
    #[inline(always)]
    fn holds(&self, cell: &Cell, value: u64, readers: &Readers, reach: impl Fn() -> Reach) -> bool {
        cell.always_gave(value, self.quiet)
            && (self.open_count == 0 || self.is_out_of_reach(readers, reach()))
    }

    /// Whether none of the operations that are open has read lately.
    #[inline(never)]
    fn is_out_of_reach(&self, readers: &Readers, reach: Reach) -> bool {
        let open = self.open.get(..self.open_count.into());
        open.is_some_and(|open| open.iter().all(|&pc| !readers.is_in_reach(pc, reach)))
    }

    /// Looks what is to be learnt.
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

/// How many are remembered.
const SETTLEMENTS: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 13
};
/// Bytes for which one is looked up.
const CHUNK: u32 = 1 << 9;

/// What some places have to learn.
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

    /// Whether a write to what the places of a set have read brings no news, as far as can be seen
    /// at once. Which reads are in reach is asked rarely.
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

    /// Remembers what a write has to learn, if that is not known or more is known now; whether another
    /// one would be settled.
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

/// What is written.
#[derive(Debug)]
pub(crate) struct Written<'w> {
    pub(crate) writer: &'w Writer,
    /// For whom.
    pub(crate) owner: u32,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// What, zero outside the mask of the writer.
    pub(crate) value: u64,
}
