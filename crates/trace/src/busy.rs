//! Reads of granules that many places read, by place.
//!
//! Where a write would have to look at many reads, each place has one *record*
//! instead: what it read last, and the reads before that which may still matter
//! because they gave something else or were for another owner. A place that
//! reads again changes its record, so the number of records does not grow with
//! time. What is new about the reads of a granule is stamped with a clock of
//! *events*: a write that has seen all events up to now has seen all there is.
//!
//! **Invariant.** Of the reads that were noted, whatever is stored for whatever
//! owner, the last one in reach that gave something else and the last one at all
//! are the record's last one or among its versions.

use crate::reads::{Frame, Novelty, Reach, Read, Reading, bytes, different};

/// When something new came up. Events are later than all positions of [`crate::reads`].
pub(crate) type Event = u64;

/// Before the first event.
pub(crate) const NO_EVENT: Event = 1 << 32;

/// A read that is not the last one of its place.
#[derive(Clone, Copy, Debug)]
struct Version {
    read: Read,
    value: u64,
    owner: u32,
    /// Whether it says something that no later one does, as far as is known.
    is_new: bool,
}

/// What one place has read of a granule.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) last: Reading,
    /// The oldest first.
    versions: Vec<Version>,
    /// When the last one brought something new.
    pub(crate) event: Event,
}

/// So many versions are looked through for those that say nothing new; at most 17 do.
const VERSIONS: usize = if cfg!(debug_assertions) { 3 } else { 40 };

impl Record {
    const fn new(reading: Reading, event: Event) -> Self {
        Self {
            last: reading,
            versions: Vec::new(),
            event,
        }
    }

    /// The reads before the last one that may matter, the newest first.
    pub(crate) fn earlier(&self, reach: Reach) -> impl Iterator<Item = Reading> {
        let in_reach = move |version: &&Version| reach.covers(version.read);
        let versions = self.versions.iter().rev().filter(in_reach);
        versions.map(|version| Reading {
            read: version.read,
            value: version.value,
            owner: version.owner,
            ..self.last
        })
    }

    /// The place has read once more, for `owner`, or something else: the last read becomes a version.
    #[inline(always)]
    fn keep_last(&mut self, owner: u32, reach: Reach) {
        let version = Version {
            read: self.last.read,
            value: self.last.value,
            owner: self.last.owner,
            is_new: true,
        };
        match self.versions.last_mut() {
            // Of two reads for one owner, or for earlier ones, that gave the same, the later matters.
            Some(before)
                if before.value == version.value
                    && (before.owner == version.owner || owner != version.owner) =>
            {
                *before = version;
            }
            _ => {
                if self.versions.len() >= VERSIONS {
                    self.tidy(reach);
                }
                self.versions.push(version);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn tidy(&mut self, reach: Reach) {
        let mut novelty = Novelty::after(&self.last);
        for version in self.versions.iter_mut().rev() {
            version.is_new =
                reach.covers(version.read) && novelty.learns(version.owner, version.value);
        }
        self.versions.retain(|version| version.is_new);
    }
}

/// The reads of a busy granule.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Offset of the granule.
    pub(crate) base: u32,
    pub(crate) records: Vec<Record>,
    /// When it was read last.
    pub(crate) latest: Read,
    /// The last owner for whom it was read.
    pub(crate) newest: u32,
    /// When a place read that had not.
    pub(crate) fresh: Event,
    /// When a place read whose last read did not matter any more.
    pub(crate) returned: Event,
    /// When a place read for another owner than before.
    pub(crate) renewed: Event,
    /// For every byte, when a place read something else than before.
    varied: [Event; 8],
    last_varied: Event,
}

impl Cell {
    pub(crate) const fn new(base: u32, event: Event) -> Self {
        Self {
            base,
            records: Vec::new(),
            latest: Read::NEVER,
            newest: 0,
            fresh: event,
            returned: event,
            renewed: event,
            varied: [event; 8],
            last_varied: event,
        }
    }

    /// Notes a read. The record of its place is looked for at `hint` first.
    #[inline(always)]
    pub(crate) fn note(
        &mut self,
        reading: Reading,
        reach: Reach,
        clock: &mut Event,
        hint: &mut u32,
    ) {
        self.latest = reading.read;
        self.newest = self.newest.max(reading.owner);
        let guess = self.records.get(*hint as usize);
        if !guess.is_some_and(|record| record.last.is_by_place_of(&reading)) {
            *hint = self.find(reading.pc, reading.mask, reading.frame);
        }
        let Some(record) = self.records.get_mut(*hint as usize) else {
            *clock += 1;
            self.fresh = *clock;
            return self.records.push(Record::new(reading, *clock));
        };
        let changed = different(record.last.value, reading.value);
        let is_renewed = record.last.owner != reading.owner;
        let has_returned = !reach.covers(record.last.read);
        if changed != 0 || is_renewed || has_returned {
            *clock += 1;
            record.event = *clock;
            if is_renewed {
                self.renewed = *clock;
            }
            if changed != 0 {
                self.last_varied = *clock;
                for byte in bytes(changed) {
                    self.varied[byte] = *clock;
                }
            }
            if has_returned {
                self.returned = *clock;
                record.versions.retain(|version| reach.covers(version.read));
            } else {
                record.keep_last(reading.owner, reach);
            }
            record.last.value = reading.value;
            record.last.owner = reading.owner;
        }
        record.last.read = reading.read;
    }

    /// The index of the record of a place; how many there are if it has none.
    #[inline(never)]
    fn find(&self, pc: u32, mask: u8, frame: Frame) -> u32 {
        let place = |record: &Record| (record.last.pc, record.last.mask, record.last.frame);
        let mut records = self.records.iter();
        let found = records.position(|record| place(record) == (pc, mask, frame));
        found.unwrap_or(self.records.len()) as u32
    }

    /// Whether no place has read something else in the bytes of `mask` since `event`.
    #[inline(always)]
    pub(crate) fn is_constant(&self, event: Event, mask: u8) -> bool {
        if mask == 0 || self.last_varied <= event {
            return true;
        }
        let varied = self.varied.iter().rev();
        let varied = varied.fold(0, |mask, &at| mask << 1 | u8::from(at > event));
        varied & mask == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exposure::Exposure;

    fn reach(depth: u64, now: u64) -> Reach {
        Reach {
            exposure: Exposure::Anywhere { depth },
            commit: 0,
            now,
        }
    }

    proptest! {
        /// The invariant, against a list of all reads.
        #[test]
        fn a_record_says_what_all_reads_of_its_place_say(
            raw in proptest::collection::vec((0..2u32, 0..3u64, 0..8u32, 1..6u64), 1..60),
            depth in 1..60u64,
        ) {
            let mut cell = Cell::new(8, NO_EVENT);
            let mut clock = NO_EVENT;
            let (mut owner, mut now) = (1, 0);
            let mut all: Vec<Reading> = Vec::new();
            for (pc, value, renewal, later) in raw {
                owner += u32::from(renewal == 0);
                now += later;
                let read = Read { time: now, ..Read::NEVER };
                let reading = Reading { read, value, base: 8, pc, owner, mask: 1, ..Reading::default() };
                cell.note(reading, reach(depth, now), &mut clock, &mut (pc ^ 1));
                all.push(reading);
            }
            let reach = reach(depth, now);
            for record in &cell.records {
                let pc = record.last.pc;
                let mut kept: Vec<Reading> = record.earlier(reach).collect();
                kept.insert(0, record.last);
                let of_place: Vec<Reading> =
                    all.iter().rev().filter(|reading| reading.pc == pc).copied().collect();
                for (stored, earlier) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
                    let last = |reads: &[Reading], loud: bool| {
                        let mut reads = reads.iter().filter(|reading| reach.covers(reading.read));
                        let found = reads.find(|reading| {
                            (reading.owner != record.last.owner) == earlier
                                && (!loud || reading.value != stored)
                        });
                        found.map(|reading| reading.read.time)
                    };
                    prop_assert_eq!(last(&kept, true), last(&of_place, true));
                    prop_assert_eq!(last(&kept, false), last(&of_place, false));
                }
            }
        }
    }
}
