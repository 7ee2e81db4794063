//! Which writes bring no news.
//!
//! Of every read in reach a write learns whether they are a pair, and whether a
//! silent one. Once enough is known of a pair, there is nothing to be learnt, so a
//! place that writes the same granule again looks at the reads only that have come
//! since, unless it stores something else where it matters, or for another owner.
//! All that is a table of what some places have seen; forgetting costs time only.

use crate::busy::{Cell, Event, NO_EVENT};
use crate::calls::Context;
use crate::pairing::{Kind, Matters, Owner, Write};
use crate::reads::{Frame, Reads, spread};

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

/// Whether nothing is to be learnt from a write and reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) settled: bool,
    /// It is so as long as these bytes are stored as they were.
    pub(crate) quiet: u8,
}

impl Side {
    const SETTLED: Self = Self {
        settled: true,
        quiet: 0,
    };

    const UNKNOWN: Self = Self {
        settled: false,
        quiet: 0,
    };

    const fn and(self, other: Self) -> Self {
        Self {
            settled: self.settled && other.settled,
            quiet: self.quiet | other.quiet,
        }
    }
}

/// Whether nothing is to be learnt from a write and the reads it has seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// As it was.
    pub(crate) own: Side,
    /// Had they all been for its owner (stack only).
    pub(crate) same: Side,
    /// Had they all been for earlier owners (stack only).
    pub(crate) other: Side,
    /// Had those mattered that did not any more, whoever owned them (busy granules only).
    pub(crate) absent: Side,
}

impl Verdict {
    /// Whatever happens.
    const SETTLED: Self = Self {
        own: Side::SETTLED,
        same: Side::SETTLED,
        other: Side::SETTLED,
        absent: Side::SETTLED,
    };

    /// Nothing is known.
    const UNKNOWN: Self = Self {
        own: Side::UNKNOWN,
        same: Side::UNKNOWN,
        other: Side::UNKNOWN,
        absent: Side::UNKNOWN,
    };

    /// What it is for a later owner.
    const fn later(self) -> Self {
        Self {
            own: self.other,
            ..self
        }
    }

    /// What it is if any of the reads may have been for any owner.
    const fn mixed(self) -> Self {
        Self {
            own: self.same.and(self.other),
            ..self
        }
    }
}

/// What a write has seen.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Settlement {
    writer: Writer,
    base: u32,
    /// What it stored, and for whom.
    value: u64,
    owner: u32,
    /// The last read it has seen: a position, or an event if the granule was busy.
    seen: u64,
    /// The highest owner it has seen.
    newest: u32,
    verdict: Verdict,
}

impl Settlement {
    const NONE: Self = Self {
        writer: Writer {
            pc: 0,
            calls: Context::OUTSIDE,
            frame: Frame {
                func: 0,
                distance: 0,
            },
            mask: 0,
        },
        base: 0,
        value: 0,
        owner: 0,
        seen: 0,
        newest: 0,
        verdict: Verdict::UNKNOWN,
    };

    /// Whether nothing is to be learnt from another write of the same place that stores `value`.
    #[inline(always)]
    const fn holds(&self, side: Side, value: u64) -> bool {
        side.settled && (side.quiet == 0 || (self.value ^ value) & spread(side.quiet) == 0)
    }

    /// The last position it has seen, and what of it is true of the reads up to that and another write
    /// of the same place.
    #[inline(always)]
    fn applies_few(&self, reads: &Reads, owner: Owner, value: u64) -> Option<(u32, Verdict)> {
        let verdict = if owner.number == self.owner {
            self.verdict
        } else if owner.kind == Kind::Stack && owner.number > self.newest {
            self.verdict.later()
        } else {
            return None;
        };
        let position = u32::try_from(self.seen).ok()?;
        (self.holds(verdict.own, value) && reads.is_live(position)).then_some((position, verdict))
    }

    /// Whether a write of the same place brings no news, to the reads of a granule the last of
    /// which is at `head`.
    #[inline(always)]
    pub(crate) fn settles_few(
        &mut self,
        reads: &Reads,
        head: u32,
        owner: Owner,
        value: u64,
    ) -> bool {
        match self.applies_few(reads, owner, value) {
            Some((position, verdict)) if position == head => {
                self.owner = owner.number;
                self.newest = self.newest.max(owner.number);
                self.verdict = verdict;
                true
            }
            _ => false,
        }
    }

    /// Pairs a write with such reads; at how many it has looked.
    pub(crate) fn meet_few(
        &mut self,
        reads: &Reads,
        head: u32,
        write: &mut Write<'_, '_>,
    ) -> usize {
        let (owner, value) = (write.owner, write.value);
        let mut newest = owner.number;
        let (mut until, mut verdict) = (None, Verdict::SETTLED);
        if let Some((position, known)) = self.applies_few(reads, owner, value) {
            newest = newest.max(self.newest);
            (until, verdict) = (Some(position), known);
        }
        let mut looked = 0;
        for reading in reads.chain(write.base, head, until, write.reach) {
            looked += 1;
            newest = newest.max(reading.owner);
            write.look(reading, &mut verdict);
        }
        write.learn();
        *self = Self {
            value,
            owner: owner.number,
            seen: head.into(),
            newest,
            verdict,
            ..*self
        };
        looked
    }

    /// What of it is true of the places of a busy granule that it has seen and another write of the
    /// same place, and whether that is all they say.
    #[inline(always)]
    fn applies_many(&self, cell: &Cell, owner: Owner, value: u64) -> Option<(Verdict, bool)> {
        let mut verdict = self.verdict;
        // Places that read once more what they read bring no news, but their owners may.
        let mut are_owners_known = true;
        if owner.kind == Kind::Stack && owner.number > cell.newest {
            verdict = verdict.later();
        } else if owner.number == self.owner && self.holds(verdict.own, value) {
            are_owners_known = cell.renewed <= self.seen;
        } else if owner.kind == Kind::Stack {
            verdict = verdict.mixed();
        } else {
            return None;
        }
        let mut side = verdict.own;
        if cell.returned > self.seen {
            side = side.and(verdict.absent);
        }
        let is_all = are_owners_known
            && cell.fresh <= self.seen
            && self.holds(side, value)
            && cell.is_constant(self.seen, side.quiet);
        (self.holds(verdict.own, value) && self.seen >= NO_EVENT).then_some((verdict, is_all))
    }

    /// Whether a write of the same place brings no news, to the reads of a busy granule; `now` is the
    /// last event.
    #[inline(always)]
    pub(crate) fn settles_many(
        &mut self,
        cell: &Cell,
        now: Event,
        owner: Owner,
        value: u64,
    ) -> bool {
        match self.applies_many(cell, owner, value) {
            Some((verdict, true)) => {
                self.owner = owner.number;
                self.seen = now;
                self.verdict = verdict;
                true
            }
            _ => false,
        }
    }

    /// Pairs a write with such reads.
    pub(crate) fn meet_many(&mut self, cell: &Cell, now: Event, write: &mut Write<'_, '_>) {
        let (owner, value) = (write.owner, write.value);
        let (mut seen, mut verdict) = (0, Verdict::SETTLED);
        if let Some((known, _)) = self.applies_many(cell, owner, value) {
            (seen, verdict) = (self.seen, known);
        }
        look_closely(cell, seen, write, &mut verdict);
        *self = Self {
            value,
            owner: owner.number,
            seen: now,
            newest: owner.number,
            verdict,
            ..*self
        };
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
        Self(vec![Settlement::NONE; SETTLEMENTS])
    }

    /// What a place has seen when it wrote a granule last; nothing if that is forgotten.
    #[inline(always)]
    pub(crate) fn of(&mut self, writer: Writer, base: u32) -> &mut Settlement {
        let offset = base | writer.mask.trailing_zeros();
        let mixed = writer.pc.wrapping_mul(0x9e37_79b1) ^ offset.wrapping_mul(0x85eb_ca6b);
        let settlement = &mut self.0[(mixed >> 16) as usize % SETTLEMENTS];
        if settlement.base != base || settlement.writer != writer {
            *settlement = Settlement {
                writer,
                base,
                ..Settlement::NONE
            };
        }
        settlement
    }
}

/// Looks at the reads of a busy granule that brought news since `seen`.
fn look_closely(cell: &Cell, seen: Event, write: &mut Write<'_, '_>, verdict: &mut Verdict) {
    for record in &cell.records {
        if record.event <= seen || record.last.mask & write.writer.mask == 0 {
            continue;
        }
        // If values matter, so does what the same place read before.
        let mut matters = Matters::BOTH;
        if write.reach.covers(record.last.read) {
            matters = write.look(&record.last, verdict);
        } else {
            write.look_back(&record.last, &mut verdict.absent);
        }
        if matters == Matters::NEITHER {
            continue;
        }
        for reading in record.earlier(write.reach) {
            if matters.includes(write.whose(&reading)) {
                write.look(&reading, verdict);
            }
        }
    }
    write.learn();
}
