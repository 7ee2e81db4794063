//! The reads that a power failure can repeat, in the order in which they were made.
//!
//! Noting a read appends one entry to a ring and links it to the one before of
//! the same granule; nothing is searched. A write follows the links as far as
//! reads are in reach. Positions in the ring are counted modulo 2³²: one that is
//! too old is recognised by its distance, or by an entry of another granule.
//!
//! What is out of reach is overwritten. When a reach is so long that the ring
//! would grow with time, reads that say nothing new are dropped: of those that
//! one place made of the same bytes, the last one matters, and for each byte the
//! last one that gave something else. Whatever a write stores, the last read
//! that gave something else than that is one of the two.

use rustc_hash::FxHashMap;

use crate::calls::Context;
use crate::exposure::Exposure;

/// When something was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Read {
    /// When.
    pub(crate) time: u64,
    /// When the checkpoint before that was called.
    pub(crate) commit: u64,
    /// The calls in progress.
    pub(crate) calls: Context,
}

/// Where a granule lies on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Frame {
    /// The function whose frame it is, plus one; 0 for none.
    pub(crate) func: u32,
    /// Distance of the granule from the frame pointer.
    pub(crate) distance: i32,
}

/// Some bytes of a granule are read by a place of the user's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) read: Read,
    /// What it gave, the first byte lowest, zero outside the mask.
    pub(crate) value: u64,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// The operation.
    pub(crate) pc: u32,
    /// The activation or the heap block that the bytes belong to; 0 for none.
    pub(crate) owner: u32,
    /// In whose frame.
    pub(crate) frame: Frame,
    /// The bytes.
    pub(crate) mask: u8,
}

impl Reading {
    /// Whether the same place read the same bytes for the same owner.
    #[inline(always)]
    pub(crate) fn is_by_place_of(&self, other: &Self) -> bool {
        self.base == other.base
            && self.pc == other.pc
            && self.mask == other.mask
            && self.frame == other.frame
            && self.owner == other.owner
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
        match self.exposure {
            Exposure::Region => read.commit == self.commit,
            Exposure::Anywhere { depth } => self.now <= read.time + depth,
            Exposure::SinceCall { depth } => self.now <= read.commit + depth,
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

/// A read among those of its granule.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Entry {
    reading: Reading,
    links: Links,
}

/// Positions of other reads of the granule. In busy granules a place is in the list once: what it
/// read before that is behind its last read.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    /// The next older one.
    previous: u32,
    /// The next newer one, if that one's next older one is this.
    newer: u32,
    /// What the same place read before for the same owner, if that gave something else.
    earlier: u32,
}

/// Entries to begin with. Where tables are small in debug builds, it is for the tests: they see what
/// happens when a table is full.
const SMALL: usize = if cfg!(debug_assertions) {
    1 << 4
} else {
    1 << 10
};
/// From how many entries on those that say nothing new are dropped.
const LARGE: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 16
};

/// All reads in reach.
#[derive(Debug)]
pub(crate) struct Reads {
    /// Its length is a power of two.
    ring: Vec<Entry>,
    oldest: u32,
    next: u32,
}

impl Reads {
    pub(crate) fn new() -> Self {
        // Position 0 is none, until positions have come round.
        Self {
            ring: vec![Entry::default(); SMALL],
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

    /// Whether a position is not too old.
    #[inline]
    pub(crate) const fn is_live(&self, position: u32) -> bool {
        position.wrapping_sub(self.oldest) < self.next.wrapping_sub(self.oldest)
    }

    /// Adds a read, for which there must be room, before the one at `head`; its position.
    #[inline(always)]
    pub(crate) fn push(&mut self, reading: Reading, head: u32) -> u32 {
        let (slot, position) = (self.slot(self.next), self.next);
        let links = Links {
            previous: head,
            ..Links::default()
        };
        self.ring[slot] = Entry { reading, links };
        self.next = position.wrapping_add(1);
        position
    }

    /// Adds a read to those of a busy granule. It takes the place of the one at `known`, which the
    /// same place made.
    pub(crate) fn push_once(&mut self, reading: Reading, head: u32, known: Option<u32>) -> u32 {
        let base = reading.base;
        let (mut head, mut earlier) = (head, 0);
        if let Some(known) = known {
            let Entry {
                reading: before,
                links,
            } = self.ring[self.slot(known)];
            earlier = if before.value == reading.value {
                links.earlier
            } else {
                known
            };
            let newer = self.slot(links.newer);
            if head == known {
                head = links.previous;
            } else if self.get(links.newer, base).is_some()
                && self.ring[newer].links.previous == known
            {
                self.ring[newer].links.previous = links.previous;
                self.link_newer(links.previous, base, links.newer);
            }
        }
        self.link_newer(head, base, self.next);
        let position = self.push(reading, head);
        let slot = self.slot(position);
        self.ring[slot].links.earlier = earlier;
        position
    }

    fn link_newer(&mut self, position: u32, base: u32, newer: u32) {
        if self.get(position, base).is_some() {
            let slot = self.slot(position);
            self.ring[slot].links.newer = newer;
        }
    }

    /// The read by the same place as the one at `position` that gave something else.
    pub(crate) fn earlier(&self, position: u32) -> u32 {
        self.ring[self.slot(position)].links.earlier
    }

    /// Whether `position` comes after `other`, which is live.
    #[inline(always)]
    pub(crate) const fn is_newer(&self, position: u32, other: u32) -> bool {
        self.is_live(position) && self.next.wrapping_sub(position) < self.next.wrapping_sub(other)
    }

    /// The read at a position, if it is there and one of that granule.
    #[inline(always)]
    pub(crate) fn get(&self, position: u32, base: u32) -> Option<&Reading> {
        let entry = &self.ring[self.slot(position)];
        (entry.reading.base == base && self.is_live(position)).then_some(&entry.reading)
    }

    /// The read at a position that is live.
    pub(crate) fn at(&self, position: u32) -> &Reading {
        &self.ring[self.slot(position)].reading
    }

    /// The same place reads the same again.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, position: u32, read: Read) {
        let slot = self.slot(position);
        self.ring[slot].reading.read = read;
    }

    /// The reads of a granule that matter, the last one first, with their positions: from `head` down
    /// to, but without, `until`.
    #[inline(always)]
    pub(crate) fn chain(
        &self,
        base: u32,
        head: u32,
        until: Option<u32>,
        reach: Reach,
    ) -> impl Iterator<Item = (u32, &Reading)> {
        // How far back it goes: the last one is 1 back.
        let end = self
            .next
            .wrapping_sub(until.unwrap_or(self.oldest.wrapping_sub(1)));
        let mut position = head;
        std::iter::from_fn(move || {
            loop {
                let entry = &self.ring[self.slot(position)];
                let at = position;
                let back = self.next.wrapping_sub(at);
                if back == 0
                    || back >= end
                    || entry.reading.base != base
                    || reach.is_past(entry.reading.read)
                {
                    return None;
                }
                position = entry.links.previous;
                if reach.covers(entry.reading.read) {
                    return Some((at, &entry.reading));
                }
            }
        })
    }

    /// Makes room. What was there is given back if positions have changed: it must be added again.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, reach: Reach) -> Vec<Reading> {
        while self.oldest != self.next && reach.is_past(self.at(self.oldest).read) {
            self.oldest = self.oldest.wrapping_add(1);
        }
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
        self.ring = vec![Entry::default(); size];
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

/// What is kept of the reads of the same bytes by one place for one owner.
struct Kept {
    /// What the last one gave.
    value: u64,
    /// For which bytes there is one that gave something else.
    varied: u8,
}

impl Kept {
    /// Whether an earlier read says something new.
    fn learns(&mut self, value: u64) -> bool {
        let news = different(self.value, value) & !self.varied;
        self.varied |= news;
        news != 0
    }
}

/// The same for the last owner, and for all before it.
struct Owners {
    last: u32,
    own: Kept,
    older: Option<Kept>,
}

/// The reads that say something which no later one does, the oldest first like `reads`.
fn essential(reads: &[Reading]) -> Vec<Reading> {
    let mut places: FxHashMap<(u32, u32, u8, Frame), Owners> = FxHashMap::default();
    let is_new = |reading: &&Reading| {
        let Reading {
            base,
            pc,
            mask,
            frame,
            owner,
            value,
            ..
        } = **reading;
        let kept = || Kept { value, varied: 0 };
        let place = (base, pc, mask, frame);
        let Some(owners) = places.get_mut(&place) else {
            let first = Owners {
                last: owner,
                own: kept(),
                older: None,
            };
            places.insert(place, first);
            return true;
        };
        if owners.last == owner {
            return owners.own.learns(value);
        }
        match &mut owners.older {
            Some(older) => older.learns(value),
            None => {
                owners.older = Some(kept());
                true
            }
        }
    };
    let mut kept: Vec<Reading> = reads.iter().rev().filter(is_new).copied().collect();
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
#[inline]
pub(crate) const fn spread(mask: u8) -> u64 {
    // One copy of the mask per byte, each with its own bit kept, then made whole.
    let bits = (mask as u64).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let tops = (bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | bits) & 0x8080_8080_8080_8080;
    (tops >> 7).wrapping_mul(0xff)
}

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
