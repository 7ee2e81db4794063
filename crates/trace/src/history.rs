//! What repeated reads of the same bytes gave.
//!
//! A write pairs with every read that is still exposed, and is silent for those
//! that gave the very value it stores. To know whether any exposed read gave
//! another value, two reads are enough for each byte: the last one, and the last
//! one before it that gave something else. Whatever the write stores, the last
//! read that gave something else than that is one of the two.

use crate::calls::Context;

/// When something was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Read {
    /// When; 0 for never.
    pub(crate) time: u64,
    /// When the checkpoint before that was called.
    pub(crate) commit: u64,
    /// The calls in progress.
    pub(crate) calls: Context,
}

/// The reads of up to eight bytes by one place.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// When the latest one was, and so on; see [`Read`].
    time: u64,
    commit: u64,
    calls: Context,
    /// Which bytes are meant.
    mask: u8,
    /// Which of them gave another value before.
    varied: u8,
    /// What the latest one gave, byte by byte from the lowest; bytes that were not read are zero.
    value: u64,
    /// For each byte that varied, the last read that gave another value.
    others: Option<Box<Others>>,
}

/// A read for each byte.
#[derive(Clone, Debug, Default)]
struct Others {
    /// The one for the bytes of `mask`: mostly those that vary vary together.
    recent: Read,
    mask: u8,
    /// Those for the other bytes.
    each: [Read; 8],
}

impl Others {
    #[inline]
    fn set(&mut self, mask: u8, read: Read) {
        for byte in bytes(self.mask & !mask) {
            self.each[byte] = self.recent;
        }
        self.mask = mask;
        self.recent = read;
    }

    #[inline]
    fn at(&self, byte: usize) -> Read {
        if self.mask >> byte & 1 != 0 {
            self.recent
        } else {
            self.each[byte]
        }
    }
}

impl History {
    pub(crate) fn new(mask: u8, read: Read, value: u64) -> Self {
        Self {
            time: read.time,
            commit: read.commit,
            calls: read.calls,
            mask,
            varied: 0,
            value,
            others: None,
        }
    }

    #[inline]
    pub(crate) const fn mask(&self) -> u8 {
        self.mask
    }

    #[inline]
    pub(crate) const fn latest(&self) -> Read {
        Read {
            time: self.time,
            commit: self.commit,
            calls: self.calls,
        }
    }

    #[inline]
    fn set_latest(&mut self, read: Read) {
        self.time = read.time;
        self.commit = read.commit;
        self.calls = read.calls;
    }

    /// Adds a later read; the bytes that it gave otherwise than the one before.
    #[inline]
    pub(crate) fn note(&mut self, read: Read, value: u64) -> u8 {
        let mut changed = 0;
        if value != self.value {
            changed = different(self.value, value);
            self.vary(changed);
            self.value = value;
        }
        self.set_latest(read);
        changed
    }

    /// The bytes of `mask` will be others than the latest read gave.
    #[inline]
    fn vary(&mut self, mask: u8) {
        let latest = self.latest();
        self.others.get_or_insert_default().set(mask, latest);
        self.varied |= mask;
    }

    /// Adds later reads.
    #[inline]
    pub(crate) fn append(&mut self, later: &Self) {
        if self.value != later.value {
            self.vary(different(self.value, later.value));
        }
        if let (1.., Some(theirs)) = (later.varied, &later.others) {
            let ours = self.others.get_or_insert_default();
            for byte in bytes(later.varied) {
                ours.each[byte] = theirs.at(byte);
            }
            ours.mask &= !later.varied;
            self.varied |= later.varied;
        }
        self.value = later.value;
        self.set_latest(later.latest());
    }

    /// Forgets everything but one read; the bytes that it gave otherwise than the one before.
    #[inline]
    pub(crate) fn restart(&mut self, read: Read, value: u64) -> u8 {
        let changed = different(self.value, value);
        self.varied = 0;
        self.set_latest(read);
        self.value = value;
        changed
    }

    /// Which bytes of `mask` the last read gave otherwise than `value` has them.
    #[inline]
    pub(crate) fn differing(&self, value: u64, mask: u8) -> u8 {
        different(self.value, value) & mask
    }

    /// Which bytes gave more than one value.
    #[inline]
    pub(crate) fn varied(&self) -> u8 {
        self.varied
    }

    /// The last read of a byte that gave something else than the last read of all.
    #[inline]
    pub(crate) fn other(&self, byte: usize) -> Read {
        match &self.others {
            Some(others) if self.varied >> byte & 1 != 0 => others.at(byte),
            _ => Read::default(),
        }
    }
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

/// The bytes of a mask.
#[inline]
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
    use super::{History, Read, bytes, different};

    #[test]
    fn bytes_that_differ() {
        assert_eq!(different(0, 0), 0);
        assert_eq!(different(u64::MAX, 0), 0xff);
        for byte in 0..8 {
            for value in [1u64, 0x7f, 0x80, 0xff] {
                assert_eq!(different(value << (8 * byte), 0), 1 << byte);
            }
        }
        assert_eq!(bytes(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    /// Against a list of all reads, for every value a write may store.
    #[test]
    fn two_reads_are_enough() {
        for sequence in 0..3u32.pow(6) {
            let values: Vec<u64> = (0..6)
                .map(|n| u64::from(sequence / 3u32.pow(n) % 3))
                .collect();
            for split in 0..=values.len() {
                let mut parts: Vec<Option<History>> = vec![None, None];
                for (index, &value) in values.iter().enumerate() {
                    let read = Read {
                        time: index as u64 + 1,
                        ..Read::default()
                    };
                    match &mut parts[usize::from(index >= split)] {
                        Some(history) => {
                            history.note(read, value);
                        }
                        empty => *empty = Some(History::new(1, read, value)),
                    }
                }
                let history = parts.into_iter().flatten().reduce(|mut all, later| {
                    all.append(&later);
                    all
                });
                let history = history.unwrap_or_else(|| History::new(1, Read::default(), 0));
                for stored in 0..3 {
                    let expected = values.iter().rposition(|&value| value != stored);
                    let found = if history.differing(stored, 1) != 0 {
                        history.latest()
                    } else {
                        history.other(0)
                    };
                    assert_eq!(
                        found.time,
                        expected.map_or(0, |index| index as u64 + 1),
                        "{values:?} split at {split}, {stored} stored"
                    );
                }
            }
        }
    }
}
