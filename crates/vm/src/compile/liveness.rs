//! Live ranges of values, as one interval each over a linear order of blocks.
//!
//! Holes in a live range are ignored: an interval only has to cover it. What is
//! live around a loop is live through its blocks, which the data flow sees.

use brownout_ir::{Block, Body, Id, Value};

/// First and last position of a value; positions count instructions in block order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A set of values.
#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }
    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
    fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }
    /// Adds all of `other`; whether anything was new.
    fn union(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 != 0)
                .map(move |bit| word * 64 + bit)
        })
    }
}

/// What a block does to values, in order.
pub(super) struct BlockUses {
    pub(super) params: Vec<Value>,
    /// For every instruction, then the terminator: values read, values defined.
    pub(super) steps: Vec<(Vec<Value>, Vec<Value>)>,
    pub(super) successors: Vec<Block>,
}

/// The interval of every value that is used or defined; positions of block starts.
pub(super) fn intervals(body: &Body, blocks: &[BlockUses]) -> (Vec<Option<Interval>>, Vec<u32>) {
    let count = body.values.len();
    let mut live_in = vec![Bits::new(count); blocks.len()];
    // Values only used inside their own block never enter the data flow: most of them.
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in blocks.iter().enumerate().rev() {
            let mut live = Bits::new(count);
            for successor in &block.successors {
                live.union(&live_in[successor.index()]);
            }
            for (uses, defs) in block.steps.iter().rev() {
                for def in defs {
                    live.remove(def.index());
                }
                for value in uses {
                    live.insert(value.index());
                }
            }
            for param in &block.params {
                live.remove(param.index());
            }
            changed |= live_in[index].union(&live);
        }
    }
    let mut intervals: Vec<Option<Interval>> = vec![None; count];
    let mut starts = Vec::with_capacity(blocks.len());
    let mut position = 0;
    let mut cover = |value: usize, at: u32| match &mut intervals[value] {
        Some(interval) => {
            interval.start = interval.start.min(at);
            interval.end = interval.end.max(at);
        }
        none => *none = Some(Interval { start: at, end: at }),
    };
    for (index, block) in blocks.iter().enumerate() {
        starts.push(position);
        for value in live_in[index].iter() {
            cover(value, position);
        }
        for param in &block.params {
            cover(param.index(), position);
        }
        position += 1;
        for (uses, defs) in &block.steps {
            for value in uses {
                cover(value.index(), position);
            }
            for value in defs {
                cover(value.index(), position + 1);
            }
            position += 2;
        }
        let end = position;
        for successor in &block.successors {
            for value in live_in[successor.index()].iter() {
                cover(value, end);
            }
        }
        position += 1;
    }
    (intervals, starts)
}
