//! Shadow memory: for every non-volatile byte, who has read it and may have to
//! read it again.

use std::ops::Range;

use brownout_vm::Image;

/// A read that a power failure may repeat.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reader {
    /// The operation of the user's code.
    pub(crate) pc: u32,
    /// The activation or heap block that owned the byte.
    pub(crate) owner: u32,
    /// Which function's frame the byte was in (stack only), plus one.
    pub(crate) func: u32,
    /// Distance of the byte from that frame pointer.
    pub(crate) distance: i32,
    /// When it was read last.
    pub(crate) time: u64,
    /// When the governing checkpoint was called.
    pub(crate) commit: u64,
    /// The writer this reader was last paired with for good.
    pub(crate) settled: u32,
    /// What was read, once it is known.
    pub(crate) value: u8,
    /// Whether the byte has not been written since the read.
    pub(crate) fresh: bool,
}

/// What is known of one byte. All zero means nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// The region this speaks of.
    pub(crate) epoch: u32,
    /// Whether the byte was written, or saved, in that region.
    pub(crate) written: bool,
    pub(crate) readers: Vec<Reader>,
}

/// Cells for the tracked bytes.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// Tracked offsets: start, end, index of the first cell.
    ranges: Vec<(u32, u32, u32)>,
    /// Cells come into being a page at a time: a heap may be large and little used.
    pages: Vec<Option<Box<[Cell]>>>,
}

/// Cells in a page.
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
                pieces = pieces.into_iter().flat_map(|piece| cut(&piece, hole)).collect();
            }
            for piece in pieces {
                match ranges.last_mut() {
                    Some(last) if last.1 == piece.start => last.1 = piece.end,
                    _ => ranges.push((piece.start, piece.end, count)),
                }
                count += piece.end - piece.start;
            }
        }
        let mut pages = Vec::new();
        pages.resize_with((count as usize).div_ceil(PAGE), || None);
        Self { ranges, pages }
    }

    /// The cell of an offset, if the byte is tracked.
    #[inline]
    pub(crate) fn cell(&mut self, offset: u32) -> Option<&mut Cell> {
        for &(start, end, first) in &self.ranges {
            if offset.wrapping_sub(start) < end - start {
                let index = (first + (offset - start)) as usize;
                let page = self.pages[index / PAGE].get_or_insert_with(|| vec![Cell::default(); PAGE].into());
                return Some(&mut page[index % PAGE]);
            }
        }
        None
    }

    /// Whether any byte of a stretch is tracked.
    #[inline]
    pub(crate) fn touches(&self, offset: u32, size: u32) -> bool {
        self.ranges.iter().any(|&(start, end, _)| offset < end && start < offset + size)
    }
}

fn cut(piece: &Range<u32>, hole: &Range<u32>) -> Vec<Range<u32>> {
    let before = piece.start..piece.end.min(hole.start).max(piece.start);
    let after = piece.start.max(hole.end).min(piece.end)..piece.end;
    if hole.end <= piece.start || hole.start >= piece.end {
        return vec![piece.clone()];
    }
    [before, after].into_iter().filter(|range| !range.is_empty()).collect()
}
