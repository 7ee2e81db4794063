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
    latest: Read,
    /// What it gave, byte by byte from the lowest; bytes that were not read are zero.
    value: u64,
    /// For each byte, the last read that gave another value than `value` has.
    others: Option<Box<[Read; 8]>>,
}

impl History {
    pub(crate) fn new(read: Read, value: u64) -> Self {
        Self {
            latest: read,
            value,
            others: None,
        }
    }

    pub(crate) fn latest(&self) -> Read {
        self.latest
    }

    /// Adds a later read.
    #[inline]
    pub(crate) fn note(&mut self, read: Read, value: u64) {
        if value != self.value {
            let latest = self.latest;
            let others = self.others.get_or_insert_default();
            for byte in bytes(different(self.value, value)) {
                others[byte] = latest;
            }
            self.value = value;
        }
        self.latest = read;
    }

    /// Adds later reads.
    pub(crate) fn append(&mut self, later: &Self) {
        let differs = different(self.value, later.value);
        match &later.others {
            Some(theirs) => {
                let latest = self.latest;
                let ours = self.others.get_or_insert_default();
                for (byte, (our, their)) in ours.iter_mut().zip(theirs.iter()).enumerate() {
                    if their.time != 0 {
                        *our = *their;
                    } else if differs >> byte & 1 != 0 {
                        *our = latest;
                    }
                }
            }
            None if differs != 0 => {
                let latest = self.latest;
                let ours = self.others.get_or_insert_default();
                for byte in bytes(differs) {
                    ours[byte] = latest;
                }
            }
            None => {}
        }
        self.value = later.value;
        self.latest = later.latest;
    }

    /// Forgets everything but one read.
    pub(crate) fn restart(&mut self, read: Read, value: u64) {
        if let Some(others) = &mut self.others {
            others.fill(Read::default());
        }
        self.latest = read;
        self.value = value;
    }

    /// Whether all reads gave what `value` has in the bytes of `bits`; may miss that.
    #[inline]
    pub(crate) const fn is_always(&self, value: u64, bits: u64) -> bool {
        self.others.is_none() && (self.value ^ value) & bits == 0
    }

    /// Which bytes of `mask` the last read gave otherwise than `value` has them.
    #[inline]
    pub(crate) fn differing(&self, value: u64, mask: u8) -> u8 {
        different(self.value, value) & mask
    }

    /// The last read of a byte that gave something else than the last read of all.
    pub(crate) fn other(&self, byte: usize) -> Read {
        self.others
            .as_ref()
            .map_or_else(Read::default, |others| others[byte])
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
pub(crate) fn bytes(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |byte| mask >> byte & 1 != 0)
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
                        Some(history) => history.note(read, value),
                        empty => *empty = Some(History::new(read, value)),
                    }
                }
                let history = parts.into_iter().flatten().reduce(|mut all, later| {
                    all.append(&later);
                    all
                });
                let history = history.unwrap_or_else(|| History::new(Read::default(), 0));
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
