//! Which writes bring no news.
//!
//! Of every read in reach a write learns whether they are a pair, and whether a
//! silent one. Once enough is known of a pair, there is nothing to be learnt, so a
//! place that writes the same granule again looks at the reads only that have come
//! since, unless it stores something else where it matters, or for another owner.
//! All that is a table of what some places have seen; forgetting costs time only.

use crate::calls::Context;
use crate::pairing::{Kind, Owner, Write};
use crate::reads::{Frame, Reads, spread};
use crate::shadow::Cell;

/// A place that writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// Whether nothing is to be learnt from a write and the reads it has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verdict {
    /// As it was.
    pub(crate) own: bool,
    /// Had they been for an earlier owner than its (stack only).
    pub(crate) other: bool,
    /// As long as these bytes are stored as they were.
    pub(crate) quiet: u8,
}

impl Verdict {
    /// Whatever happens.
    pub(crate) const SETTLED: Self = Self {
        own: true,
        other: true,
        quiet: 0,
    };
}

/// What a write has seen.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Settlement {
    writer: Writer,
    base: u32,
    /// The last read it has seen.
    position: u32,
    /// What it stored, and for whom.
    value: u64,
    owner: u32,
    /// The highest owner it has seen.
    newest: u32,
    verdict: Verdict,
}

impl Settlement {
    /// What of it is true of another write of the same place.
    #[inline(always)]
    fn applies(&self, owner: Owner, value: u64) -> Option<Verdict> {
        let mut verdict = self.verdict;
        if owner.number != self.owner {
            if owner.kind != Kind::Stack || owner.number <= self.newest {
                return None;
            }
            verdict.own = verdict.other;
        }
        let same = verdict.quiet == 0 || (self.value ^ value) & spread(verdict.quiet) == 0;
        (verdict.own && same).then_some(verdict)
    }
}

/// How many that are.
const SETTLEMENTS: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 12
};

/// What some places have seen.
#[derive(Debug)]
pub(crate) struct Settlements(Vec<Settlement>);

impl Settlements {
    pub(crate) fn new() -> Self {
        Self(vec![Settlement::default(); SETTLEMENTS])
    }

    /// Pairs a write with the reads of its granule, the last of which is at `head`; at how many it
    /// has looked. A busy granule has a cell.
    #[inline(always)]
    pub(crate) fn meet(
        &mut self,
        reads: &Reads,
        head: u32,
        cell: Option<&Cell>,
        write: &mut Write<'_, '_>,
    ) -> usize {
        let Write {
            base,
            writer,
            owner,
            value,
            reach,
            ..
        } = *write;
        let offset = base | writer.mask.trailing_zeros();
        let mixed = writer.pc.wrapping_mul(0x9e37_79b1) ^ offset.wrapping_mul(0x85eb_ca6b);
        let settlement = &mut self.0[(mixed >> 16) as usize % SETTLEMENTS];
        let mut until = None;
        let mut verdict = Verdict::SETTLED;
        let mut newest = owner.number;
        if settlement.base == base
            && settlement.writer == writer
            && reads.is_live(settlement.position)
            && let Some(known) = settlement.applies(owner, value)
        {
            newest = newest.max(settlement.newest);
            // Places that read once more what they read for the same owner bring no news.
            let is_quiet = match cell {
                Some(cell) => cell.is_quiet(reads, settlement.position, known.quiet),
                None => settlement.position == head,
            };
            if is_quiet {
                settlement.position = head;
                settlement.owner = owner.number;
                settlement.newest = newest;
                settlement.verdict = known;
                return 0;
            }
            until = Some(settlement.position);
            verdict = known;
        }
        let mut looked = 0;
        for (mut position, mut reading) in reads.chain(base, head, until, reach) {
            looked += 1;
            let common = reading.mask & writer.mask;
            if common == 0 {
                continue;
            }
            newest = newest.max(reading.owner);
            // If values matter, so does what the same place read before.
            while write.look(position, reading, common, &mut verdict) {
                position = reads.earlier(position);
                let is_seen = until.is_some_and(|until| !reads.is_newer(position, until));
                match reads.get(position, base) {
                    Some(earlier) if reach.covers(earlier.read) && !is_seen => reading = earlier,
                    _ => break,
                }
            }
        }
        write.learn(reads);
        *settlement = Settlement {
            writer,
            base,
            position: head,
            value,
            owner: owner.number,
            newest,
            verdict,
        };
        looked
    }
}
