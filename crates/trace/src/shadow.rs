//! Shadow memory: for every non-volatile byte, who has read it and may have to
//! read it again.
//!
//! Bytes are kept in *granules* of eight. An access touches one granule, rarely
//! two, and says with a mask which bytes it means; so nothing is lost against
//! one cell per byte, and the usual access costs one look.

use std::ops::Range;

use brownout_vm::Image;

use crate::granule::Granule;

/// Bytes of a granule.
pub(crate) const GRANULE: u32 = 8;

/// Granules for the tracked bytes.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// For all granules of memory, which of their bytes are tracked.
    tracked: Vec<u8>,
    /// Granules come into being a page at a time: a heap may be large and little used.
    pages: Vec<Option<Box<[Granule; PAGE]>>>,
}

/// Granules in a page.
const PAGE: usize = 1024;

impl Shadow {
    /// Tracks all non-volatile bytes but the constants and those in `saved`.
    pub(crate) fn without(image: &Image, saved: &[Range<u32>]) -> Self {
        let mut shadow = Self::new(image);
        for range in writable(image) {
            shadow.mark(range, |tracked, mask| *tracked |= mask);
        }
        for range in saved {
            shadow.mark(range.clone(), |tracked, mask| *tracked &= !mask);
        }
        shadow
    }

    /// Tracks the non-volatile bytes in `saved`.
    pub(crate) fn only(image: &Image, saved: &[Range<u32>]) -> Self {
        let mut shadow = Self::new(image);
        for segment in writable(image) {
            for range in saved {
                let both = range.start.max(segment.start)..range.end.min(segment.end);
                shadow.mark(both, |tracked, mask| *tracked |= mask);
            }
        }
        shadow
    }

    fn new(image: &Image) -> Self {
        let end = image
            .layout()
            .segments()
            .iter()
            .map(|segment| segment.offsets.end)
            .max();
        let count = end.unwrap_or(0).div_ceil(GRANULE) as usize;
        let mut pages = Vec::new();
        pages.resize_with(count.div_ceil(PAGE), || None);
        Self {
            tracked: vec![0; count],
            pages,
        }
    }

    fn mark(&mut self, range: Range<u32>, change: impl Fn(&mut u8, u8)) {
        // "Everything" is a range, too.
        let end = range.end.min(self.tracked.len() as u32 * GRANULE);
        let range = range.start.min(end)..end;
        let first = range.start.next_multiple_of(GRANULE);
        let last = range.end / GRANULE * GRANULE;
        if first >= last {
            return self.mark_ends(range, change);
        }
        // Heaps are large: what is whole is done at once.
        let whole = (first / GRANULE) as usize..(last / GRANULE) as usize;
        for tracked in &mut self.tracked[whole] {
            change(tracked, 0xff);
        }
        self.mark_ends(range.start..first, &change);
        self.mark_ends(last..range.end, change);
    }

    fn mark_ends(&mut self, range: Range<u32>, change: impl Fn(&mut u8, u8)) {
        for (base, mask, _) in granules(range.start, range.end.saturating_sub(range.start)) {
            if let Some(tracked) = self.tracked.get_mut((base / GRANULE) as usize) {
                change(tracked, mask);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tracked.iter().all(|&mask| mask == 0)
    }

    /// Which bytes of the granule at `base` are tracked.
    #[inline(always)]
    pub(crate) fn tracked(&self, base: u32) -> u8 {
        self.tracked
            .get((base / GRANULE) as usize)
            .copied()
            .unwrap_or(0)
    }

    /// The granule at `base`, some of whose bytes must be tracked.
    #[inline(always)]
    pub(crate) fn granule(&mut self, base: u32) -> &mut Granule {
        let index = (base / GRANULE) as usize;
        let page = self.pages[index / PAGE].get_or_insert_with(new_page);
        &mut page[index % PAGE]
    }
}

#[cold]
#[inline(never)]
fn new_page() -> Box<[Granule; PAGE]> {
    Box::new(std::array::from_fn(|_| Granule::default()))
}

/// The non-volatile stretches that a program can write.
fn writable(image: &Image) -> impl Iterator<Item = Range<u32>> {
    use brownout_vm::SegmentKind::{Globals, Heap, Stack};
    image
        .layout()
        .segments()
        .iter()
        .filter(|segment| segment.nonvolatile && matches!(segment.kind, Globals | Stack | Heap))
        .map(|segment| segment.offsets.clone())
}

/// The granules of a stretch: offset, mask, and how many bytes of the stretch came before.
#[inline]
pub(crate) fn granules(offset: u32, size: u32) -> impl Iterator<Item = (u32, u8, usize)> {
    let mut at = offset;
    let end = offset + size;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let base = at & !(GRANULE - 1);
        let count = (base + GRANULE).min(end) - at;
        let mask = ((1u16 << count) - 1) << (at - base);
        let before = (at - offset) as usize;
        at += count;
        Some((base, mask as u8, before))
    })
}
