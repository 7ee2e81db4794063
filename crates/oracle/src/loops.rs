//! The loops of a program: whose head is visited when a round is over.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Block, Body, Id, Terminator};
use brownout_vm::Image;

use crate::device::Place;

/// A loop that lies in no other of its function.
#[derive(Clone, Debug)]
struct Loop {
    head: Block,
    blocks: BTreeSet<Block>,
}

/// The loops of a program.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    /// By operation: the first operation of the outermost loop of its function that it is in.
    heads: Vec<Option<u32>>,
}

impl Loops {
    pub(crate) fn new(image: &Image) -> Self {
        let mut heads = vec![None; image.operations()];
        for (func, function) in image.program().functions.iter() {
            let (Some(body), starts) = (&function.body, image.blocks(func)) else {
                continue;
            };
            for Loop { head, blocks } in loops(body) {
                for block in blocks {
                    let bounds = starts.get(block.index()).zip(starts.get(block.index() + 1));
                    if let Some((&start, &end)) = bounds {
                        let head = starts.get(head.index()).copied();
                        heads[start as usize..end as usize].fill(head);
                    }
                }
            }
        }
        Self { heads }
    }

    /// The head of the outermost loop around an operation: of the oldest call in progress that is in
    /// a loop, that loop.
    pub(crate) fn outermost(&self, path: &[u32], pc: u32) -> Option<Place> {
        let operations = path.iter().copied().chain([pc]);
        operations.enumerate().find_map(|(level, pc)| {
            let head = self.heads.get(pc as usize).copied().flatten()?;
            let path = path[..level].to_vec();
            Some(Place { path, pc: head })
        })
    }
}

/// Blocks that can all be reached from one another are a loop; its head is the one of them that is
/// closest to the first block of the function.
fn loops(body: &Body) -> Vec<Loop> {
    let reached: BTreeMap<Block, Vec<Block>> = body
        .blocks
        .iter()
        .map(|(block, _)| (block, reached_from(body, block)))
        .collect();
    let Some((first, _)) = body.blocks.iter().next() else {
        return Vec::new();
    };
    let mut loops: Vec<Loop> = Vec::new();
    for &head in [first].iter().chain(&reached[&first]) {
        let is_known = loops.iter().any(|known| known.blocks.contains(&head));
        let around = reached[&head].iter().copied();
        let blocks: BTreeSet<Block> = around
            .filter(|block| reached[block].contains(&head))
            .collect();
        if !is_known && !blocks.is_empty() {
            let head = acting(body, head, &blocks);
            loops.push(Loop { head, blocks });
        }
    }
    loops
}

/// The first block from a head on that does something, as long as there is one way only, and the same
/// whoever takes it.
fn acting(body: &Body, head: Block, blocks: &BTreeSet<Block>) -> Block {
    let next = |block: Block| {
        let data = &body.blocks[block];
        let edges = data.terminator.edges();
        let [only] = edges.as_slice() else {
            return None;
        };
        let is_silent = data.insts.is_empty() && body.blocks[only.block].params.is_empty();
        (is_silent && matches!(data.terminator, Terminator::Jump(_))).then_some(only.block)
    };
    let ways = std::iter::successors(Some(head), |&block| next(block));
    ways.take(blocks.len()).last().unwrap_or(head)
}

/// The blocks that paths of at least one edge from a block lead to, closer ones first.
fn reached_from(body: &Body, block: Block) -> Vec<Block> {
    let edges = |block: Block| body.blocks[block].terminator.edges();
    let mut found = Vec::new();
    let mut next = 0;
    let mut from = Some(block);
    while let Some(block) = from {
        for edge in edges(block) {
            if !found.contains(&edge.block) {
                found.push(edge.block);
            }
        }
        from = found.get(next).copied();
        next += 1;
    }
    found
}
