//! The loops of a program: whose head is visited when a round is over.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Id};
use brownout_vm::Image;

use crate::device::Place;

/// A natural loop.
#[derive(Clone, Debug)]
struct Loop {
    head: Block,
    blocks: BTreeSet<Block>,
}

/// The loops of a program.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    /// By operation: the first operation of the largest loop of its function that it is in.
    heads: Vec<Option<u32>>,
}

impl Loops {
    pub(crate) fn new(image: &Image) -> Self {
        let mut heads = vec![None; image.operations()];
        for (func, function) in image.program().functions.iter() {
            let (Some(body), starts) = (&function.body, image.blocks(func)) else {
                continue;
            };
            let mut loops = loops(body);
            // Larger loops overwrite those inside them.
            loops.sort_by_key(|found| found.blocks.len());
            for Loop { head, blocks } in loops {
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
    /// a loop, its largest loop.
    pub(crate) fn outermost(&self, path: &[u32], pc: u32) -> Option<Place> {
        let operations = path.iter().copied().chain([pc]);
        operations.enumerate().find_map(|(level, pc)| {
            let head = self.heads.get(pc as usize).copied().flatten()?;
            let path = path[..level].to_vec();
            Some(Place { path, pc: head })
        })
    }
}

fn loops(body: &Body) -> Vec<Loop> {
    let dominators = Dominators::new(body);
    let mut loops: BTreeMap<Block, BTreeSet<Block>> = BTreeMap::new();
    let mut predecessors: BTreeMap<Block, Vec<Block>> = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        for edge in data.terminator.edges() {
            predecessors.entry(edge.block).or_default().push(block);
        }
    }
    for (latch, data) in body.blocks.iter() {
        for edge in data.terminator.edges() {
            let head = edge.block;
            if !dominators.is_reachable(latch) || !dominators.dominates(head, latch) {
                continue;
            }
            let blocks = loops.entry(head).or_insert_with(|| BTreeSet::from([head]));
            let mut pending = vec![latch];
            while let Some(block) = pending.pop() {
                if blocks.insert(block) {
                    pending.extend(predecessors.get(&block).into_iter().flatten());
                }
            }
        }
    }
    let found = loops.into_iter();
    found.map(|(head, blocks)| Loop { head, blocks }).collect()
}
