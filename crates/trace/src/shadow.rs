//! Shadow memory: for every non-volatile byte, who has read it and may have to
//! read it again.
//!
//! Bytes are kept in *granules* of eight. An access touches one granule, rarely
//! two, and says with a mask which bytes it means; so nothing is lost against
//! one cell per byte, and the usual access costs one look.

use std::ops::Range;

use brownout_vm::Image;

/// Bytes of a granule.
pub(crate) const GRANULE: u32 = 8;

/// A read that a power failure may repeat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    /// The operation of the user's code.
    pub(crate) pc: u32,
    /// The activation that owned the bytes (stack only).
    pub(crate) owner: u32,
    /// Which function's frame they were in (stack only), plus one.
    pub(crate) func: u32,
    /// Distance of the granule from that frame pointer.
    pub(crate) distance: i32,
    /// When they were read last.
    pub(crate) time: u64,
    /// When the checkpoint before that was called.
    pub(crate) commit: u64,
    /// When they were last read for an earlier owner; 0 for never.
    pub(crate) before: u64,
    /// What was read, as far as it has been overwritten since.
    pub(crate) values: [u8; 8],
    /// Which bytes were read.
    pub(crate) mask: u8,
    /// Which of them have not been written since.
    pub(crate) fresh: u8,
}

/// What is known of eight bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Granule {
    /// The region this speaks of.
    pub(crate) epoch: u32,
    /// Which bytes were written, or saved, in that region.
    pub(crate) written: u8,
    pub(crate) readers: Vec<Reader>,
}

/// Granules for the tracked bytes.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// Tracked offsets: start, end, index of the first granule.
    ranges: Vec<(u32, u32, u32)>,
    /// Granules come into being a page at a time: a heap may be large and little used.
    pages: Vec<Option<Box<[Granule]>>>,
}

/// Granules in a page.
const PAGE: usize = 1024;

impl Shadow {
    /// Tracks all non-volatile bytes but the constants and those in `saved`.
    pub(crate) fn new(image: &Image, saved: &[Range<u32>]) -> Self {
        use brownout_vm::SegmentKind::{Globals, Heap, Stack};
        let mut ranges: Vec<(u32, u32, u32)> = Vec::new();
        let mut count = 0;
        for segment in image.layout().segments() {
            if !segment.nonvolatile || !matches!(segment.kind, Globals | Stack | Heap) {
                continue;
            }
            let mut pieces = vec![segment.offsets.clone()];
            for hole in saved {
                pieces = pieces
                    .into_iter()
                    .flat_map(|piece| cut(&piece, hole))
                    .collect();
            }
            for piece in pieces {
                match ranges.last_mut() {
                    Some(last) if last.1 == piece.start => last.1 = piece.end,
                    _ => {
                        ranges.push((piece.start, piece.end, count));
                    }
                }
                // Ranges start anywhere; one granule more covers the odd ends.
                count += (piece.end - piece.start).div_ceil(GRANULE) + 1;
            }
        }
        let mut pages = Vec::new();
        pages.resize_with((count as usize).div_ceil(PAGE), || None);
        Self { ranges, pages }
    }

    /// The granule of an offset and the mask of tracked bytes in it.
    #[inline]
    pub(crate) fn granule(&mut self, offset: u32) -> Option<(&mut Granule, u8)> {
        let base = offset & !(GRANULE - 1);
        for &(start, end, first) in &self.ranges {
            if offset < end && start < base + GRANULE {
                let index = (first + (base - (start & !(GRANULE - 1))) / GRANULE) as usize;
                let mut tracked = 0xffu8;
                if start > base {
                    tracked &= 0xff << (start - base);
                }
                if end < base + GRANULE {
                    tracked &= 0xff >> (base + GRANULE - end);
                }
                let page = self.pages[index / PAGE]
                    .get_or_insert_with(|| vec![Granule::default(); PAGE].into());
                return Some((&mut page[index % PAGE], tracked));
            }
        }
        None
    }

    /// Whether any byte of a stretch is tracked.
    #[inline]
    pub(crate) fn touches(&self, offset: u32, size: u32) -> bool {
        self.ranges
            .iter()
            .any(|&(start, end, _)| offset < end && start < offset + size)
    }
}

fn cut(piece: &Range<u32>, hole: &Range<u32>) -> Vec<Range<u32>> {
    let before = piece.start..piece.end.min(hole.start).max(piece.start);
    let after = piece.start.max(hole.end).min(piece.end)..piece.end;
    if hole.end <= piece.start || hole.start >= piece.end {
        return vec![piece.clone()];
    }
    [before, after]
        .into_iter()
        .filter(|range| !range.is_empty())
        .collect()
}
