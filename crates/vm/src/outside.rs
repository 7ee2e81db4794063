//! Memory outside of the main range: pages that the program names by number, and in them the objects
//! that have an address of their own.
//!
//! Pages that touch are one run: an access may go from one object, or piece of a page, into the next.

use std::ops::Range;

use brownout_ir::{Global, Program};

use crate::layout::{LARGE_BASE, MemoryPlan, SMALL_BASE, SegmentKind};

/// A run of addresses with memory behind them.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) addresses: Range<u64>,
    /// Where the first of them is.
    pub(crate) offset: u32,
}

impl Run {
    /// The offset of an access, if all of it lies in the run.
    pub(crate) fn offset(&self, address: u64, size: u32) -> Option<u32> {
        let end = address.checked_add(size.into())?;
        let inside = self.addresses.start <= address && end <= self.addresses.end;
        inside.then(|| self.offset + (address - self.addresses.start) as u32)
    }
}

/// Where the main range begins unless something is in its way.
pub(crate) fn main_base(program: &Program) -> u64 {
    match program.target.pointer_bits {
        16 => SMALL_BASE,
        _ => LARGE_BASE,
    }
}

/// What has an address: objects, and stretches of memory.
#[derive(Debug, Default)]
pub(crate) struct Fixed {
    /// Where the main range begins without them, and the size of pages.
    base: u64,
    page: u64,
    /// The objects, by address.
    objects: Vec<(Range<u64>, Global, SegmentKind)>,
    stretches: Vec<Range<u64>>,
}

impl Fixed {
    pub(crate) fn new(program: &Program, plan: &MemoryPlan) -> Self {
        // What addresses of the target do not reach cannot be there.
        let (null, end) = match program.target.pointer_bits {
            16 => (16, 1 << 16),
            bits => (0x1000, 1u64.checked_shl(bits.into()).unwrap_or(u64::MAX)),
        };
        let is_reached = |range: &Range<u64>| null <= range.start && range.end <= end;
        let objects = plan.placed.iter().map(|&(global, address)| {
            let data = &program.globals[global];
            let kind = match data.constant {
                true => SegmentKind::Constants,
                false => SegmentKind::Globals,
            };
            let range = address..address.saturating_add(data.size.max(1));
            (range, global, kind)
        });
        let objects = objects.filter(|(range, _, _)| is_reached(range));
        let mut objects: Vec<_> = objects.collect();
        objects.sort_by_key(|(range, global, _)| (range.start, *global));
        Self {
            base: main_base(program),
            page: match program.target.pointer_bits {
                16 => 0x100,
                _ => 0x1000,
            },
            objects,
            stretches: (plan.mapped.iter())
                .filter(|range| is_reached(range))
                .cloned()
                .collect(),
        }
    }

    fn ranges(&self) -> impl Iterator<Item = &Range<u64>> {
        let objects = self.objects.iter().map(|(range, _, _)| range);
        objects.chain(&self.stretches)
    }

    /// Where the main range may begin: as usual, or behind something that has an address.
    pub(crate) fn bases(&self) -> Vec<u64> {
        let ends = self.ranges().map(|range| range.end);
        let ends = ends.map(|end| end.next_multiple_of(self.page));
        let mut behind: Vec<u64> = ends.filter(|&end| end > self.base).collect();
        behind.sort_unstable();
        behind.dedup();
        std::iter::once(self.base).chain(behind).collect()
    }

    /// Whether something with an address lies in a range.
    pub(crate) fn overlaps(&self, range: &Range<u64>) -> bool {
        let mut ranges = self.ranges();
        ranges.any(|one| one.start < range.end && range.start < one.end)
    }

    /// The address of an object, if it has one.
    pub(crate) fn address(&self, global: Global) -> Option<u64> {
        let mut objects = self.objects.iter();
        objects
            .find(|(_, other, _)| *other == global)
            .map(|(range, _, _)| range.start)
    }

    /// An address in every page that something with an address lies in.
    pub(crate) fn pages(&self) -> impl Iterator<Item = u64> {
        let page = self.page;
        self.ranges().flat_map(move |range| {
            let first = range.start / page * page;
            let pages = (first..range.end).step_by(page as usize);
            let start = range.start;
            pages.map(move |address| address.max(start))
        })
    }

    /// The pieces of a window: objects, and what is between them. Of objects that share addresses, the
    /// first one counts.
    pub(crate) fn pieces(
        &self,
        window: &Range<u64>,
        plan: &MemoryPlan,
    ) -> Vec<(SegmentKind, Range<u64>, bool)> {
        let mut pieces = Vec::new();
        let between = |pieces: &mut Vec<_>, range: Range<u64>| {
            let parts = by_keeping(range, &plan.nonvolatile_addresses);
            let parts = parts.into_iter();
            pieces.extend(parts.map(|(part, is_kept)| (SegmentKind::Window, part, is_kept)));
        };
        let mut at = window.start;
        for (range, global, kind) in &self.objects {
            let start = range.start.max(at);
            let end = range.end.min(window.end);
            if start >= end {
                continue;
            }
            if at < start {
                between(&mut pieces, at..start);
            }
            let keeps = *kind == SegmentKind::Constants || plan.nonvolatile.contains(global);
            pieces.push((*kind, start..end, keeps));
            at = end;
        }
        if at < window.end {
            between(&mut pieces, at..window.end);
        }
        pieces
    }
}

/// The parts of a range that keep their contents without power, and those that do not, in order.
fn by_keeping(range: Range<u64>, kept: &[Range<u64>]) -> Vec<(Range<u64>, bool)> {
    let borders = kept.iter().flat_map(|kept| [kept.start, kept.end]);
    let inside = borders.filter(|border| range.start < *border && *border < range.end);
    let mut borders: Vec<u64> = [range.start, range.end].into_iter().chain(inside).collect();
    borders.sort_unstable();
    borders.dedup();
    let parts = borders.windows(2).map(|pair| {
        let is_kept = kept.iter().any(|kept| kept.contains(&pair[0]));
        (pair[0]..pair[1], is_kept)
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::by_keeping;

    /// Every address is what the stretches say of it, whether or not they begin and end with a page.
    #[test]
    fn stretches_inside_of_a_page() {
        let kept = [0x2850..0x2864, 0x2f00..0x4000, 0x1000..0x2010];
        let parts = by_keeping(0x2000..0x3000, &kept);
        for address in 0x2000..0x3000 {
            let wanted = kept.iter().any(|range| range.contains(&address));
            let found: Vec<bool> = (parts.iter())
                .filter(|(part, _)| part.contains(&address))
                .map(|&(_, is_kept)| is_kept)
                .collect();
            assert_eq!(found, [wanted], "{address:#x}");
        }
    }
}
