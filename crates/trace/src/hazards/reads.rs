//! The reads that a power failure can repeat, in the order in which they were made.
//!
//! Noting a read appends one entry to a ring and links it to the one before of
//! the same granule; nothing is searched. A write follows the links as far as
//! reads are in reach. Positions in the ring are counted modulo 2³²: one that is
//! too old is recognised by its distance, or by an entry of another granule.
//!
//! What is out of reach is overwritten. When a reach is so long that the ring
//! would grow with time, reads that no write needs are dropped: of those that
//! one place made of the same bytes, the last one is kept, and for each byte the
//! last one before it with another value. Whatever a write stores, the last read
//! that gave another value than that is one of the two.

use std::collections::hash_map::Entry;

use brownout_explore::{Context, Exposure};
use rustc_hash::FxHashMap;

use crate::hazards::readers::PlaceNumber;

/// The moment of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Read {
    /// The instruction that read.
    pub(crate) time: u64,
    /// When the last checkpoint before it was called.
    pub(crate) commit: u64,
    /// The calls in progress.
    pub(crate) calls: Context,
}

impl Read {
    /// The moment that decides until when the read matters.
    #[inline(always)]
    pub(crate) const fn decisive(self, exposure: Exposure) -> u64 {
        match exposure {
            Exposure::Anywhere { .. } => self.time,
            Exposure::Region | Exposure::SinceCall { .. } => self.commit,
        }
    }
}

/// Where a granule lies on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Frame {
    /// The function whose frame it is, plus one; 0 for none.
    pub(crate) func: u32,
    /// Distance of the granule from the frame pointer.
    pub(crate) distance: i32,
}

/// Some bytes of a granule are read by a place, kept by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading<P = PlaceNumber> {
    pub(crate) read: Read,
    /// What it gave, the first byte lowest, zero outside the bytes that the place reads.
    pub(crate) value: u64,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// The activation or the heap block that the bytes belong to; 0 for none.
    pub(crate) owner: u32,
    pub(crate) place: P,
}

impl<P> Reading<P> {
    /// The same, with the place in another form.
    #[inline(always)]
    pub(crate) fn by<Q>(self, place: Q) -> Reading<Q> {
        Reading {
            read: self.read,
            value: self.value,
            base: self.base,
            owner: self.owner,
            place,
        }
    }
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
    /// Whether a read matters. Once it does not, it never does again.
    #[inline]
    pub(crate) const fn covers(self, read: Read) -> bool {
        self.covers_since(read.decisive(self.exposure))
    }

    /// Whether a read with that [decisive](Read::decisive) moment matters.
    #[inline]
    pub(crate) const fn covers_since(self, moment: u64) -> bool {
        match self.exposure {
            Exposure::Region => moment == self.commit,
            Exposure::Anywhere { depth } => self.now <= moment + depth,
            // The program starts again from its entry only as long as no checkpoint was called: once some
            // were, one of them has committed.
            Exposure::SinceCall { depth } => {
                self.now <= moment + depth && (moment > 0 || self.commit == 0)
            }
        }
    }

    /// Whether neither this read nor any before it matters.
    #[inline]
    pub(crate) const fn is_past(self, read: Read) -> bool {
        match self.exposure {
            Exposure::Region => read.commit != self.commit,
            Exposure::Anywhere { depth } | Exposure::SinceCall { depth } => {
                self.now > read.time + depth
            }
        }
    }
}

/// A stretch of time. A read matters in its window and, unless a region ends with it, in the next
/// one, but never longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) number: u64,
    /// The last moment of the window.
    pub(crate) end: u64,
}

impl Window {
    /// The window of a moment, where reads matter for some time.
    pub(crate) const fn at(now: u64, depth: u64) -> Self {
        let length = depth.saturating_add(1);
        // Cells without reads are in window 0.
        let passed = now / length;
        Self {
            number: passed + 2,
            end: (passed * length).saturating_add(length - 1),
        }
    }

    /// The window of the region with that number.
    pub(crate) const fn region(number: u64) -> Self {
        Self {
            number: 2 * number,
            end: u64::MAX,
        }
    }
}

/// A read among those of its granule.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    reading: Reading,
    /// The position of the next older one.
    previous: u32,
}

/// Entries to begin with. Where tables are small in debug builds, it is for the tests: they see what
/// happens when a table is full.
const SMALL: usize = if cfg!(debug_assertions) {
    1 << 4
} else {
    1 << 8
};
/// From how many entries on reads that no write needs are dropped.
const LARGE: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 16
};

/// All reads in reach.
#[derive(Debug)]
pub(crate) struct Reads {
    /// Its length is a power of two.
    ring: Vec<Link>,
    oldest: u32,
    next: u32,
}

impl Reads {
    pub(crate) fn new() -> Self {
        // Position 0 is none, until positions have come round.
        Self {
            ring: vec![Link::default(); SMALL],
            oldest: 1,
            next: 1,
        }
    }

    #[inline(always)]
    const fn slot(&self, position: u32) -> usize {
        position as usize & (self.ring.len() - 1)
    }

    const fn len(&self) -> usize {
        self.next.wrapping_sub(self.oldest) as usize
    }

    /// Whether there is no room for one more.
    #[inline]
    pub(crate) const fn is_full(&self) -> bool {
        self.len() == self.ring.len()
    }

    /// Whether the read at a position has not been dropped.
    #[inline]
    pub(crate) const fn is_live(&self, position: u32) -> bool {
        position.wrapping_sub(self.oldest) < self.next.wrapping_sub(self.oldest)
    }

    /// Adds a read, for which there must be room, before the one at `head`; its position.
    #[inline(always)]
    pub(crate) fn push(&mut self, reading: Reading, head: u32) -> u32 {
        let (slot, position) = (self.slot(self.next), self.next);
        self.ring[slot] = Link {
            reading,
            previous: head,
        };
        self.next = position.wrapping_add(1);
        position
    }

    /// The read at a position, if it is there and one of that granule.
    #[inline(always)]
    pub(crate) fn get(&self, position: u32, base: u32) -> Option<&Reading> {
        let entry = &self.ring[self.slot(position)];
        (entry.reading.base == base && self.is_live(position)).then_some(&entry.reading)
    }

    /// The read at a position that is live.
    fn at(&self, position: u32) -> &Reading {
        &self.ring[self.slot(position)].reading
    }

    /// The same place reads the same again.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, position: u32, read: Read) {
        let slot = self.slot(position);
        self.ring[slot].reading.read = read;
    }

    /// The reads of a granule that matter, the last one first, the position of which is `head`.
    #[inline(always)]
    pub(crate) fn chain(
        &self,
        base: u32,
        head: u32,
        reach: Reach,
    ) -> impl Iterator<Item = (u32, &Reading)> {
        let mut position = head;
        std::iter::from_fn(move || {
            loop {
                let (at, entry) = (position, &self.ring[self.slot(position)]);
                if entry.reading.base != base
                    || !self.is_live(position)
                    || reach.is_past(entry.reading.read)
                {
                    return None;
                }
                position = entry.previous;
                if reach.covers(entry.reading.read) {
                    return Some((at, &entry.reading));
                }
            }
        })
    }

    /// Drops all of them.
    pub(crate) const fn clear(&mut self) {
        self.oldest = self.next;
    }

    /// Drops the reads of a granule that no write needs, or that do not matter any more.
    #[cold]
    #[inline(never)]
    pub(crate) fn thin(&mut self, base: u32, head: u32, reach: Reach) {
        let mut is_new = novelty();
        let chain = self.chain(base, head, reach);
        let kept: Vec<u32> = chain
            .filter(|(_, reading)| is_new(reading))
            .map(|(position, _)| position)
            .collect();
        let none = self.oldest.wrapping_sub(1);
        for (index, &position) in kept.iter().enumerate() {
            let slot = self.slot(position);
            self.ring[slot].previous = kept.get(index + 1).copied().unwrap_or(none);
        }
    }

    /// Makes room. What was there is given back if positions have changed: it must be added again.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, reach: Reach) -> Vec<Reading> {
        // They are in the order of time: the first one that may matter is found by halving.
        let (mut past, mut end) = (0, self.len() as u32);
        while past < end {
            let middle = past.midpoint(end);
            if reach.is_past(self.at(self.oldest.wrapping_add(middle)).read) {
                past = middle + 1;
            } else {
                end = middle;
            }
        }
        self.oldest = self.oldest.wrapping_add(past);
        let half = self.ring.len() / 2;
        if self.len() <= half {
            return Vec::new();
        }
        let mut kept = self.live();
        if self.ring.len() >= LARGE {
            kept = essential(&kept);
        }
        let size = if kept.len() > half {
            self.ring.len() * 2
        } else {
            self.ring.len()
        };
        self.ring = vec![Link::default(); size];
        self.oldest = self.next;
        kept
    }

    /// All of them, the oldest first.
    fn live(&self) -> Vec<Reading> {
        (0..self.len() as u32)
            .map(|index| *self.at(self.oldest.wrapping_add(index)))
            .collect()
    }
}

/// The reads of the same bytes by one place for one owner, as far as later ones have been seen.
struct Kept {
    /// The value of the last read.
    value: u64,
    /// The bytes for which an earlier read with another value has been found.
    varied: u8,
}

impl Kept {
    /// Whether the next earlier read has, in some byte, the first value that is not that of the last read.
    fn learns(&mut self, value: u64) -> bool {
        let news = different(self.value, value) & !self.varied;
        self.varied |= news;
        news != 0
    }
}

/// Which reads of the same bytes by one place have to be kept, from the newest to the oldest.
struct Novelty {
    /// The owner of the bytes at the last read.
    owner: u32,
    own: Kept,
    /// The reads that were made of all earlier owners.
    older: Option<Kept>,
}

impl Novelty {
    /// Nothing but the last read has been seen.
    const fn after(last: &Reading) -> Self {
        Self {
            owner: last.owner,
            own: Kept {
                value: last.value,
                varied: 0,
            },
            older: None,
        }
    }

    /// Whether the next earlier read has to be kept.
    fn learns(&mut self, owner: u32, value: u64) -> bool {
        if self.owner == owner {
            return self.own.learns(value);
        }
        match &mut self.older {
            Some(older) => older.learns(value),
            None => {
                self.older = Some(Kept { value, varied: 0 });
                true
            }
        }
    }
}

/// A question that is asked about reads, the newest first: whether the read has to be kept beside later ones.
fn novelty() -> impl FnMut(&Reading) -> bool {
    let mut places: FxHashMap<(u32, PlaceNumber), Novelty> = FxHashMap::default();
    move |reading| match places.entry((reading.base, reading.place)) {
        Entry::Occupied(mut known) => known.get_mut().learns(reading.owner, reading.value),
        Entry::Vacant(none) => {
            none.insert(Novelty::after(reading));
            true
        }
    }
}

/// The reads that have to be kept, the oldest first like `reads`.
fn essential(reads: &[Reading]) -> Vec<Reading> {
    let mut is_new = novelty();
    let newest_first = reads.iter().rev();
    let mut kept: Vec<Reading> = newest_first
        .filter(|reading| is_new(reading))
        .copied()
        .collect();
    kept.reverse();
    kept
}

/// The bytes in which two values differ.
#[inline]
pub(crate) const fn different(one: u64, other: u64) -> u8 {
    let bits = one ^ other;
    // The top bit of every byte that is not zero, then all of them side by side.
    let low = 0x7f7f_7f7f_7f7f_7f7f;
    let tops = (((bits & low) + low) | bits) & !low;
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The bits of a value that the bytes of a mask have.
#[inline(always)]
pub(crate) const fn spread(mask: u8) -> u64 {
    SPREAD[mask as usize]
}

/// The bits of all masks.
static SPREAD: [u64; 256] = {
    let mut all = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut byte = 0;
        while byte < 8 {
            if mask >> byte & 1 != 0 {
                all[mask] |= 0xff << (8 * byte);
            }
            byte += 1;
        }
        mask += 1;
    }
    all
};

/// The bytes of a mask.
#[inline(always)]
pub(crate) fn bytes(mask: u8) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let byte = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (byte < 8).then_some(byte)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reading(base: u32, place: PlaceNumber, time: u64) -> Reading {
        Reading {
            read: Read {
                time,
                ..Read::default()
            },
            base,
            place,
            ..Reading::default()
        }
    }

    fn within(depth: u64, now: u64) -> Reach {
        Reach {
            exposure: Exposure::Anywhere { depth },
            commit: 0,
            now,
        }
    }

    fn times(reads: &Reads, base: u32, head: u32, reach: Reach) -> Vec<u64> {
        let chain = reads.chain(base, head, reach);
        chain.map(|(_, reading)| reading.read.time).collect()
    }

    #[test]
    fn a_chain_has_the_reads_of_one_granule_in_reach() {
        let mut reads = Reads::new();
        let (mut head, mut other) = (0, 0);
        for time in 1..=5 {
            head = reads.push(reading(8, 1, time), head);
            other = reads.push(reading(16, 1, time), other);
        }
        assert_eq!(times(&reads, 8, head, within(9, 6)), [5, 4, 3, 2, 1]);
        assert_eq!(times(&reads, 8, head, within(2, 6)), [5, 4]);
        assert_eq!(times(&reads, 8, 0, within(9, 6)), [0; 0]);
    }

    #[test]
    fn positions_that_are_too_old_are_recognised() {
        let mut reads = Reads::new();
        let first = reads.push(reading(8, 1, 1), 0);
        let mut now = 1;
        while !reads.is_full() {
            now += 1;
            reads.push(reading(16, 1, now), 0);
        }
        assert!(reads.get(first, 8).is_some());
        assert_eq!(reads.get(first, 16), None);
        assert_eq!(reads.make_room(within(1, now)), []);
        assert!(!reads.is_live(first));
        assert_eq!(reads.get(first, 8), None);
    }

    /// A byte that a write stores, paired by the rule of [`essential`]: when the last read was that gave
    /// something else, and the last one at all.
    fn last(reads: &[Reading], earlier_owner: bool, byte: u8) -> [Option<u64>; 2] {
        let newest = reads.iter().map(|reading| reading.owner).max();
        let seen = reads
            .iter()
            .rev()
            .filter(|reading| (Some(reading.owner) != newest) == earlier_owner);
        let mut loud = seen
            .clone()
            .filter(|reading| reading.value & 0xff != byte.into());
        [loud.next(), seen.clone().next()].map(|read| read.map(|reading| reading.read.time))
    }

    proptest! {
        #[test]
        fn what_is_dropped_says_nothing_new(
            raw in proptest::collection::vec((0..2u32, 0..3u64, any::<bool>()), 0..40),
        ) {
            let mut owner = 1;
            let mut reads = Vec::new();
            for (time, &(place, value, renewed)) in raw.iter().enumerate() {
                owner += u32::from(renewed && time % 7 == 0);
                reads.push(Reading { value, owner, ..reading(8, place, time as u64) });
            }
            let kept = essential(&reads);
            // Owners are compared with the last one of the place.
            for place in 0..2 {
                let of = |all: &[Reading]| -> Vec<Reading> {
                    all.iter().filter(|reading| reading.place == place).copied().collect()
                };
                for byte in 0..4 {
                    for earlier in [false, true] {
                        prop_assert_eq!(
                            last(&of(&reads), earlier, byte),
                            last(&of(&kept), earlier, byte)
                        );
                    }
                }
                // Two values and two owners of one byte that differs: the last and another one of each.
                prop_assert!(of(&kept).len() <= 4);
            }
        }

        #[test]
        fn thinning_keeps_what_says_something_new(
            raw in proptest::collection::vec((0..3u32, 0..3u64, any::<bool>()), 0..15),
            depth in 1..15u64,
        ) {
            let mut reads = Reads::new();
            let (mut head, mut noise) = (0, 0);
            for (time, &(place, value, other)) in raw.iter().enumerate() {
                let base = if other { 16 } else { 8 };
                let last = if other { &mut noise } else { &mut head };
                *last = reads.push(Reading { value, ..reading(base, place, time as u64) }, *last);
            }
            let reach = within(depth, raw.len() as u64);
            let chain = |reads: &Reads, base: u32, head: u32| -> Vec<Reading> {
                let chain = reads.chain(base, head, reach);
                let mut chain: Vec<Reading> = chain.map(|(_, reading)| *reading).collect();
                chain.reverse();
                chain
            };
            let (before, others) = (chain(&reads, 8, head), chain(&reads, 16, noise));
            reads.thin(8, head, reach);
            prop_assert_eq!(chain(&reads, 8, head), essential(&before));
            prop_assert_eq!(chain(&reads, 16, noise), others);
        }

        #[test]
        fn masks_are_bytes(one: u64, other: u64, mask: u8) {
            let differs = |byte: usize| one.to_le_bytes()[byte] != other.to_le_bytes()[byte];
            for byte in 0..8 {
                prop_assert_eq!(different(one, other) >> byte & 1 != 0, differs(byte));
                let bits = spread(mask).to_le_bytes()[byte];
                prop_assert_eq!(bits, if mask >> byte & 1 != 0 { 0xff } else { 0 });
            }
            let set: Vec<usize> = (0..8).filter(|byte| mask >> byte & 1 != 0).collect();
            prop_assert_eq!(bytes(mask).collect::<Vec<_>>(), set);
        }
    }
}
