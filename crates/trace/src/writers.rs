//! What is known of the pairs of a writer with the readers of a granule.
//!
//! A writer is *settled* when nothing is to be learnt from it as long as the
//! readers do as they did: of every byte, either enough is known whatever is
//! stored, or it is stored as it was always read and enough is known of that.
//! A reader that reads something else tells the granule.

use crate::calls::Context;
use crate::granule::{Frame, Granule, Kind, Owner, Reach, Reader, bit};

/// A place that writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Writer {
    /// The operation.
    pub(crate) pc: u32,
    /// In which calls.
    pub(crate) calls: Context,
    /// In whose frame.
    pub(crate) frame: Frame,
    /// The bytes of the granule.
    pub(crate) mask: u8,
}

/// For whom something was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whose {
    /// For whom it is written.
    Same = 0,
    /// For an earlier owner.
    Other = 1,
}

/// What is known of the pairs of a reader and a writer: the bytes of which there are enough
/// occurrences, by [`Whose`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known {
    /// Nothing is to be learnt of these, whatever is stored.
    pub(crate) loud: [u8; 2],
    /// Nothing is to be learnt of these when they are stored as they were read.
    pub(crate) silent: [u8; 2],
}

/// A reader about whose pairs with a writer something may be to be learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    /// Its index in the granule.
    pub(crate) reader: u32,
    /// The bytes that both access.
    pub(crate) common: u8,
    pub(crate) known: Known,
}

impl Pending {
    fn new(index: usize, reader: &Reader, writer: Writer, kind: Kind) -> Self {
        let common = reader.own.mask() & writer.mask;
        if kind != Kind::Stack {
            return Self::for_one_owner(index, common);
        }
        let mut known = Known::default();
        if reader.frame != writer.frame {
            // It cannot be the same activation.
            known.loud[Whose::Same as usize] = common;
        }
        Self {
            reader: index as u32,
            common,
            known,
        }
    }

    fn for_one_owner(index: usize, common: u8) -> Self {
        let mut known = Known::default();
        // There are no earlier owners.
        known.loud[Whose::Other as usize] = common;
        Self {
            reader: index as u32,
            common,
            known,
        }
    }

    fn is_done(&self) -> bool {
        self.known.loud[0] & self.known.loud[1] == self.common
    }
}

/// For whom a writer is settled, and on which conditions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled {
    /// With reads for the same owner, and with reads for others.
    pub(crate) whose: [bool; 2],
    /// As long as these bytes are stored, and read, as they were.
    pub(crate) quiet: u8,
}

impl Settled {
    /// Whatever happens.
    pub(crate) const EVER: Self = Self {
        whose: [true; 2],
        quiet: 0,
    };
}

/// What is known of one writer.
#[derive(Clone, Debug)]
pub(crate) struct Acquaintance {
    pub(crate) writer: Writer,
    settled: Settled,
    /// The bits of the quiet bytes.
    quiet: u64,
    /// What it stored last.
    value: u64,
    /// The granule's surprises when it was settled.
    surprises: u32,
    /// How many readers it has met.
    met: u32,
    pending: Vec<Pending>,
    /// The readers in `pending`, see [`bit`].
    awaiting: u64,
}

impl Acquaintance {
    pub(crate) fn new(writer: Writer) -> Self {
        Self {
            writer,
            settled: Settled::default(),
            quiet: 0,
            value: 0,
            surprises: 0,
            met: 0,
            pending: Vec::new(),
            awaiting: 0,
        }
    }

    /// What is known of the reader of `mask` at `index` in a heap block is not so any more.
    pub(crate) fn forget(&mut self, index: usize, mask: u8) {
        let common = mask & self.writer.mask;
        if common == 0 || index >= self.met as usize {
            return;
        }
        self.settled = Settled::default();
        self.pending
            .retain(|pending| pending.reader as usize != index);
        self.pending.push(Pending::for_one_owner(index, common));
        self.awaiting |= bit(index);
    }
}

impl Granule {
    /// Whether nothing is to be learnt from a write of `value` by the acquaintance at `index`.
    #[inline(always)]
    pub(crate) fn is_settled(&self, index: usize, owner: Owner, value: u64) -> bool {
        let writer = &self.writers[index];
        let Settled { whose, quiet } = writer.settled;
        let [same, other] = whose;
        let for_owner = if owner.kind != Kind::Stack || (same && other) {
            same
        } else if owner.number > self.newest_owner {
            other
        } else {
            same && owner.number == self.newest_owner && !self.several_owners
        };
        for_owner
            && writer.met as usize == self.readers.len()
            && (quiet == 0 || writer.surprises == self.surprises)
            && (writer.value ^ value) & writer.quiet == 0
    }

    /// Whether the acquaintance at `index` has readers that may be in reach and about whom something
    /// may be to be learnt.
    #[inline]
    pub(crate) fn is_awaited(&self, index: usize) -> bool {
        let writer = &self.writers[index];
        writer.met as usize != self.readers.len() || writer.awaiting & self.recent() != 0
    }

    /// Calls `pair` for every reader in reach about whose pair with the acquaintance at `index`
    /// something may be to be learnt. It gives whether the pair is settled.
    pub(crate) fn meet(
        &mut self,
        index: usize,
        kind: Kind,
        value: u64,
        reach: Reach,
        mut pair: impl FnMut(&Reader, &mut Pending) -> Settled,
    ) {
        let recent = self.recent();
        let acquaintance = &mut self.writers[index];
        let writer = acquaintance.writer;
        let met = acquaintance.met as usize;
        for (index, reader) in self.readers.iter().enumerate().skip(met) {
            if reader.own.mask() & writer.mask != 0 {
                let pending = Pending::new(index, reader, writer, kind);
                acquaintance.pending.push(pending);
            }
        }
        acquaintance.met = self.readers.len() as u32;
        let mut all = Settled::EVER;
        let readers = &self.readers;
        let mut awaiting = 0;
        acquaintance.pending.retain_mut(|pending| {
            let index = pending.reader as usize;
            let mut settled = Settled::default();
            if bit(index) & recent != 0 && readers[index].is_in(reach) {
                settled = pair(&readers[index], pending);
            }
            if pending.is_done() {
                return false;
            }
            awaiting |= bit(index);
            all.whose[0] &= settled.whose[0];
            all.whose[1] &= settled.whose[1];
            all.quiet |= settled.quiet;
            true
        });
        acquaintance.awaiting = awaiting;
        acquaintance.settled = all;
        if all.whose != [false; 2] {
            acquaintance.quiet = spread(all.quiet);
            acquaintance.value = value;
            acquaintance.surprises = self.surprises;
            self.quiet |= all.quiet;
        }
    }
}

/// The bits of a value that the bytes of a mask have.
#[inline]
pub(crate) const fn spread(mask: u8) -> u64 {
    // One copy of the mask per byte, each with its own bit kept, then made whole.
    let bits = (mask as u64).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let tops = (bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | bits) & 0x8080_8080_8080_8080;
    (tops >> 7).wrapping_mul(0xff)
}
