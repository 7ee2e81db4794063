//! Which writes of a region can matter: those to bytes that the region has read
//! before it wrote them.

use std::ops::Range;

use brownout_vm::{Image, Moment};

use super::stores::Store;
use crate::calls::Calls;

/// A write to non-volatile memory.
#[derive(Clone, Debug)]
pub(super) struct Writing {
    /// When.
    pub(super) time: u64,
    /// The operation of the user's code.
    pub(super) pc: u32,
    /// The call of the library that writes, if it is one: what it does belongs together.
    pub(super) call: Option<u32>,
    /// The first byte written.
    pub(super) offset: u32,
    /// For a producer, the pairs it belongs to: consumer and producer.
    pub(super) pairs: Vec<(u32, u32)>,
    /// What the instruction stores, if stores can be torn.
    pub(super) stores: Vec<Store>,
}

/// What happened to a byte in the region, if anything: the region this speaks of, and the last of
/// its readers in `readers`, counted from 1, if it was read before it was written. All zeros at the
/// start, so that memory which is not used costs nothing.
type Byte = [u32; 2];

/// No reader: the byte was written first.
const NOBODY: u32 = 0;
/// So many readers of a byte are told apart.
const READERS: usize = 8;

/// Whether power can fail in the middle of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tearing {
    Never,
    Possible,
}

/// Watches one region after the other.
#[derive(Debug)]
pub(super) struct Exposed {
    /// Offsets that are non-volatile and can be written, in order.
    kept: Vec<Range<u32>>,
    bytes: Vec<Byte>,
    region: u32,
    /// Operations that read, each with the next one for the same byte.
    readers: Vec<(u32, u32)>,
    /// What the region's checkpoint saves.
    saved: Vec<Range<u32>>,
    /// Whether stores can be torn.
    tearing: Tearing,
    pub(super) writings: Vec<Writing>,
}

impl Exposed {
    pub(super) fn new(image: &Image, tearing: Tearing) -> Self {
        let segments = image.layout().segments();
        let end = segments.iter().map(|segment| segment.offsets.end).max();
        Self {
            kept: segments
                .iter()
                .filter(|segment| segment.nonvolatile)
                .map(|segment| segment.offsets.clone())
                .collect(),
            bytes: vec![[0; 2]; end.unwrap_or(0) as usize],
            region: 0,
            readers: Vec::new(),
            saved: Vec::new(),
            tearing,
            writings: Vec::new(),
        }
    }

    /// A region begins whose checkpoint saves `saved`.
    pub(super) fn begin(&mut self, saved: &[Range<u32>]) {
        self.region += 1;
        self.readers.clear();
        self.writings.clear();
        self.saved = saved.to_vec();
    }

    fn is_kept(&self, offset: u32) -> bool {
        self.kept.iter().any(|range| range.contains(&offset))
            && !self.saved.iter().any(|range| range.contains(&offset))
    }

    pub(super) fn load(&mut self, at: Moment, calls: &Calls<'_>, offset: u32, size: u32) {
        let pc = calls.blame(at.pc);
        for offset in offset..offset + size {
            if !self.is_kept(offset) {
                continue;
            }
            let byte = &mut self.bytes[offset as usize];
            let first = match *byte {
                [region, _] if region != self.region => NOBODY,
                // Written first.
                [_, NOBODY] => continue,
                [_, reader] => reader,
            };
            let mut known = 0;
            let mut next = first;
            while let Some(&(reader, further)) = reader(&self.readers, next) {
                if reader == pc {
                    break;
                }
                known += 1;
                next = further;
            }
            if next == NOBODY && known < READERS {
                self.readers.push((pc, first));
                *byte = [self.region, self.readers.len() as u32];
            }
        }
    }

    /// `old` is about to be overwritten by `new` at `offset`.
    pub(super) fn store(
        &mut self,
        at: Moment,
        calls: &Calls<'_>,
        offset: u32,
        (old, new): (&[u8], &[u8]),
    ) {
        let pc = calls.blame(at.pc);
        let (start, size) = (offset, old.len() as u32);
        let mut kept = false;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for offset in offset..offset + size {
            if !self.is_kept(offset) {
                continue;
            }
            kept = true;
            let byte = &mut self.bytes[offset as usize];
            if byte[0] != self.region {
                *byte = [self.region, NOBODY];
            }
            let mut next = byte[1];
            while let Some(&(reader, further)) = reader(&self.readers, next) {
                if !pairs.contains(&(reader, pc)) {
                    pairs.push((reader, pc));
                }
                next = further;
            }
        }
        if kept {
            let store = (self.tearing == Tearing::Possible).then(|| Store {
                offset: start,
                old: old.to_vec(),
                new: new.to_vec(),
            });
            let writing = Writing {
                time: at.time,
                pc,
                call: calls.library_call(),
                offset: start,
                pairs,
                stores: store.into_iter().collect(),
            };
            self.note(writing);
        }
    }

    /// Several stores of one instruction are one point: power does not fail between them.
    fn note(&mut self, writing: Writing) {
        match self.writings.last_mut() {
            Some(last) if last.time == writing.time => {
                for pair in writing.pairs {
                    if !last.pairs.contains(&pair) {
                        last.pairs.push(pair);
                    }
                }
                last.stores.extend(writing.stores);
            }
            _ => self.writings.push(writing),
        }
    }
}

/// A reader by its number, counted from 1.
fn reader(readers: &[(u32, u32)], number: u32) -> Option<&(u32, u32)> {
    readers.get((number as usize).checked_sub(1)?)
}
