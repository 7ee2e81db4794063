//! Which values of a function are still wanted where a block is entered.
//!
//! Property: a value is alive if some path uses it before the function is left. Algorithm: the
//! usual backward iteration over blocks, once per function.

use brownout_ir::{Block, Body, Id};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::contexts::Instance;
use crate::model::Model;

/// The values alive at the blocks of functions, computed when somebody asks.
#[derive(Debug, Default)]
pub struct Liveness {
    /// For each function, the values alive where each block is entered.
    blocks: FxHashMap<usize, Vec<FixedBitSet>>,
}

impl Liveness {
    /// The values alive where each block of an instance's function is entered, without the
    /// block's own parameters.
    pub fn of<'l>(&'l mut self, model: &Model<'_>, instance: Instance) -> &'l [FixedBitSet] {
        let func = model.func(instance).index();
        self.blocks.entry(func).or_insert_with(|| {
            model
                .contexts
                .body(instance)
                .map_or_else(Vec::new, |body| live(model, body))
        })
    }
}

/// The values alive where each block is entered, without the block's own parameters.
fn live(model: &Model<'_>, body: &Body) -> Vec<FixedBitSet> {
    let count = body.values.len();
    let empty = FixedBitSet::with_capacity(count);
    let mut used = vec![empty.clone(); body.blocks.len()];
    let mut defined = vec![empty.clone(); body.blocks.len()];
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    for (block, data) in body.blocks.iter() {
        let (used, defined) = (&mut used[block.index()], &mut defined[block.index()]);
        defined.extend(data.params.iter().map(|value| value.index()));
        for inst in &data.insts {
            inst.op.visit_operands(&model.program.target, |operand, _| {
                used.extend(operand.value().map(|value| value.index()));
            });
            defined.extend(inst.results.iter().map(|value| value.index()));
        }
        data.terminator
            .visit_operands(|operand| used.extend(operand.value().map(|value| value.index())));
        // Values are defined before they are used.
        used.difference_with(defined);
        for edge in data.terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    let mut entering = used;
    let mut open: Vec<Block> = body.blocks.ids().collect();
    while let Some(block) = open.pop() {
        for &from in &predecessors[block.index()] {
            let mut through = entering[block.index()].clone();
            through.difference_with(&defined[from.index()]);
            if !through.is_subset(&entering[from.index()]) {
                entering[from.index()].union_with(&through);
                open.push(from);
            }
        }
    }
    entering
}
