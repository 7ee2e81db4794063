//! The loops of a program: whose head is visited when a round is over.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Func, Id};
use brownout_vm::Image;

use crate::device::Place;

/// A natural loop.
#[derive(Clone, Debug)]
struct Loop {
    head: Block,
    blocks: BTreeSet<Block>,
}

/// All loops, by function.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    functions: BTreeMap<Func, Vec<Loop>>,
}

impl Loops {
    pub(crate) fn new(image: &Image) -> Self {
        let functions = image.program().functions.iter();
        let bodies = functions.filter_map(|(func, function)| Some((func, function.body.as_ref()?)));
        Self {
            functions: bodies.map(|(func, body)| (func, loops(body))).collect(),
        }
    }

    /// The head of the outermost loop around an operation: of the oldest call in progress that is in
    /// a loop, its largest loop.
    pub(crate) fn outermost(&self, image: &Image, path: &[u32], pc: u32) -> Option<Place> {
        let operations = path.iter().copied().chain([pc]);
        operations.enumerate().find_map(|(level, pc)| {
            let head = self.around(image, pc)?;
            let path = path[..level].to_vec();
            Some(Place { path, pc: head })
        })
    }

    /// The first operation of the largest loop of its function that an operation is in.
    fn around(&self, image: &Image, pc: u32) -> Option<u32> {
        let func = image.function(pc)?;
        let starts = image.blocks(func);
        let block = starts
            .partition_point(|&start| start <= pc)
            .checked_sub(1)?;
        let block = Block::from_index(block);
        let around = self.functions.get(&func)?.iter();
        let around = around.filter(|found| found.blocks.contains(&block));
        let largest = around.max_by_key(|found| found.blocks.len())?;
        starts.get(largest.head.index()).copied()
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
