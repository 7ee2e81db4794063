//! Which bytes survive, and what kind each is of.
//!
//! Non-volatile memory is numbered in pages of [`PAGE`] bytes, each inside one segment, so that a
//! page never mixes what survives with what does not.
//!
//! **Invariant**: a byte has a page exactly if its segment is non-volatile and can be written.

use std::ops::Range;

use brownout_ir::Global;
use brownout_vm::{Image, SegmentKind};

use crate::Request;

/// Bytes of a page.
pub(crate) const PAGE: usize = 64;

/// The contents of a page; a short one is filled up with zeros.
pub(crate) type Page = [u8; PAGE];

/// What is changed when a byte is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Nature {
    /// Plain non-volatile memory.
    Plain,
    /// The notebook of a test.
    Ghost,
    /// A flash part, by number.
    Part(u32),
}

/// A stretch of non-volatile memory.
#[derive(Clone, Debug)]
struct Stretch {
    offsets: Range<u32>,
    first_page: u32,
}

/// Non-volatile memory.
#[derive(Clone, Debug)]
pub(crate) struct Nonvolatile {
    stretches: Vec<Stretch>,
    /// Bounds of everything: most accesses are decided by these.
    bounds: Range<u32>,
    /// Where objects are that are not plain, sorted.
    special: Vec<(Range<u32>, Nature)>,
    pages: u32,
}

/// Where an object is.
pub(crate) fn offset(image: &Image, global: Global) -> u32 {
    image.layout().offset_of(global)
}

impl Nonvolatile {
    pub(crate) fn new(image: &Image, request: &Request) -> Self {
        let mut stretches = Vec::new();
        let mut pages = 0;
        for segment in image.layout().segments() {
            if !segment.nonvolatile || segment.kind == SegmentKind::Constants {
                continue;
            }
            let length = segment.offsets.end - segment.offsets.start;
            stretches.push(Stretch {
                offsets: segment.offsets.clone(),
                first_page: pages,
            });
            pages += length.div_ceil(PAGE as u32);
        }
        let start = stretches.iter().map(|stretch| stretch.offsets.start).min();
        let end = stretches.iter().map(|stretch| stretch.offsets.end).max();
        let place = |global| {
            let start = offset(image, global);
            start..start + image.program().globals[global].size as u32
        };
        let ghosts = request
            .ghosts
            .iter()
            .map(|&ghost| (place(ghost), Nature::Ghost));
        let parts = image.bindings().parts.iter().zip(0..);
        let parts = parts.map(|(part, number)| (place(part.global), Nature::Part(number)));
        let mut special: Vec<(Range<u32>, Nature)> = ghosts.chain(parts).collect();
        special.sort_unstable_by_key(|(range, _)| range.start);
        Self {
            stretches,
            bounds: start.unwrap_or(0)..end.unwrap_or(0),
            special,
            pages,
        }
    }

    /// How many pages there are.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// Whether any byte of an access survives.
    #[inline(always)]
    pub(crate) fn touches(&self, offset: u32, length: usize) -> bool {
        let end = u64::from(offset) + length as u64;
        u64::from(self.bounds.start) < end
            && offset < self.bounds.end
            && (self.stretches.iter()).any(|stretch| {
                u64::from(stretch.offsets.start) < end && offset < stretch.offsets.end
            })
    }

    /// Whether a byte survives.
    #[inline(always)]
    pub(crate) fn contains(&self, offset: u32) -> bool {
        self.bounds.contains(&offset)
            && self
                .stretches
                .iter()
                .any(|stretch| stretch.offsets.contains(&offset))
    }

    /// What kind a byte is of.
    pub(crate) fn nature(&self, offset: u32) -> Nature {
        let after = self
            .special
            .partition_point(|(range, _)| range.start <= offset);
        let found = after
            .checked_sub(1)
            .and_then(|index| self.special.get(index));
        match found {
            Some((range, nature)) if range.contains(&offset) => *nature,
            _ => Nature::Plain,
        }
    }

    /// The part or ghost that a byte belongs to.
    pub(crate) fn object(&self, offset: u32) -> Option<Range<u32>> {
        let found = self
            .special
            .iter()
            .find(|(range, _)| range.contains(&offset));
        found.map(|(range, _)| range.clone())
    }

    /// The page of a byte, and where in it the byte is.
    pub(crate) fn page(&self, offset: u32) -> Option<(u32, usize)> {
        let stretch = (self.stretches.iter()).find(|stretch| stretch.offsets.contains(&offset))?;
        let inside = (offset - stretch.offsets.start) as usize;
        Some((stretch.first_page + (inside / PAGE) as u32, inside % PAGE))
    }

    /// The bytes of a page.
    pub(crate) fn offsets(&self, page: u32) -> Range<u32> {
        let after = self
            .stretches
            .partition_point(|stretch| stretch.first_page <= page);
        let Some(stretch) = after
            .checked_sub(1)
            .and_then(|index| self.stretches.get(index))
        else {
            return 0..0;
        };
        let start = stretch.offsets.start + (page - stretch.first_page) * PAGE as u32;
        start..(start + PAGE as u32).min(stretch.offsets.end)
    }

    /// What a page holds in `memory`.
    pub(crate) fn contents(&self, memory: &[u8], page: u32) -> Page {
        let mut contents = [0; PAGE];
        let offsets = self.offsets(page);
        let bytes = &memory[offsets.start as usize..offsets.end as usize];
        contents[..bytes.len()].copy_from_slice(bytes);
        contents
    }
}
