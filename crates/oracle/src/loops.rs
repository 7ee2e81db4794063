//! The loops of a program: whose head is visited when a round is over.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Block, BlockData, Body, Id, Program, Terminator};
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
    /// By operation: whether it is in a block, and not between two.
    in_block: Vec<bool>,
}

impl Loops {
    pub(crate) fn new(image: &Image) -> Self {
        let mut heads = vec![None; image.operations()];
        let mut in_block = vec![false; image.operations()];
        for (func, function) in image.program().functions.iter() {
            let (Some(body), starts) = (&function.body, image.blocks(func)) else {
                continue;
            };
            if let (Some(&first), Some(&end)) = (starts.first(), starts.last()) {
                in_block[first as usize..end as usize].fill(true);
            }
            for Loop { head, blocks } in loops(image.program(), body) {
                for block in blocks {
                    let bounds = starts.get(block.index()).zip(starts.get(block.index() + 1));
                    if let Some((&start, &end)) = bounds {
                        let head = starts.get(head.index()).copied();
                        heads[start as usize..end as usize].fill(head);
                    }
                }
            }
        }
        Self { heads, in_block }
    }

    /// Whether an operation moves values on the way from block to block, which belongs to neither.
    pub(crate) fn is_between_blocks(&self, pc: u32) -> bool {
        self.in_block.get(pc as usize) == Some(&false)
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

/// Blocks that can all be reached from one another are a loop; its head is where it is entered, and of several
/// such blocks the one before which the fewest others go round, and then the one that comes first in the source.
fn loops(program: &Program, body: &Body) -> Vec<Loop> {
    let reached: BTreeMap<Block, Vec<Block>> = body
        .blocks
        .iter()
        .map(|(block, _)| (block, reached_from(body, block)))
        .collect();
    let Some((first, _)) = body.blocks.iter().next() else {
        return Vec::new();
    };
    let mut loops: Vec<Loop> = Vec::new();
    for &block in [first].iter().chain(&reached[&first]) {
        let is_known = loops.iter().any(|known| known.blocks.contains(&block));
        let around = reached[&block].iter().copied();
        let blocks: BTreeSet<Block> = around
            .filter(|other| reached[other].contains(&block))
            .collect();
        if is_known || blocks.is_empty() {
            continue;
        }
        let comes_from = |from: Block, to: Block| {
            let edges = body.blocks[from].terminator.edges();
            edges.iter().any(|edge| edge.block == to)
        };
        let is_entry = |to: Block| {
            let mut others = [first].into_iter().chain(reached[&first].iter().copied());
            to == first || others.any(|from| !blocks.contains(&from) && comes_from(from, to))
        };
        let entries: Vec<Block> = (blocks.iter().copied())
            .filter(|&to| is_entry(to))
            .collect();
        let head = entries.iter().copied().min_by_key(|&head| {
            let mut before = reached_without(body, first, head);
            before.insert(first);
            let goes_round = |block: &&Block| {
                let rest = reached_without(body, **block, head);
                blocks.contains(block) && before.contains(block) && rest.contains(block)
            };
            let rounds = before.iter().filter(goes_round).count();
            (rounds, line(program, &body.blocks[head]), head.index())
        });
        let head = acting(body, head.unwrap_or(block), &blocks);
        loops.push(Loop { head, blocks });
    }
    loops
}

/// The blocks that paths of at least one edge lead to that do not pass one block.
fn reached_without(body: &Body, from: Block, without: Block) -> BTreeSet<Block> {
    let mut found = BTreeSet::new();
    if from == without {
        return found;
    }
    let mut open = vec![from];
    while let Some(from) = open.pop() {
        for edge in body.blocks[from].terminator.edges() {
            if edge.block != without && found.insert(edge.block) {
                open.push(edge.block);
            }
        }
    }
    found
}

/// The line and the column at which a block begins, of the call if it was inlined.
fn line(program: &Program, block: &BlockData) -> (u32, u32) {
    let first = block.insts.iter().find_map(|inst| inst.place);
    let mut at = first
        .or(block.place)
        .map(|place| &program.source.places[place]);
    let mut line = (u32::MAX, u32::MAX);
    while let Some(place) = at {
        if place.line != 0 {
            line = (place.line, place.column);
        }
        at = place.inlined_at.map(|outer| &program.source.places[outer]);
    }
    line
}

/// The first block from a head on that does something, as long as there is one way only, the same whoever takes it, and
/// no other way there: an outer loop may begin with an inner one.
fn acting(body: &Body, head: Block, blocks: &BTreeSet<Block>) -> Block {
    let next = |block: Block| {
        let data = &body.blocks[block];
        let edges = data.terminator.edges();
        let [only] = edges.as_slice() else {
            return None;
        };
        let is_silent = data.insts.is_empty() && body.blocks[only.block].params.is_empty();
        let comes_here = |other: &BlockData| {
            let edges = other.terminator.edges();
            edges.iter().filter(|edge| edge.block == only.block).count()
        };
        let ways: usize = body.blocks.values().map(comes_here).sum();
        (is_silent && ways == 1 && matches!(data.terminator, Terminator::Jump(_)))
            .then_some(only.block)
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
