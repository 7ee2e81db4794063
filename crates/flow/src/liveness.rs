//! Which values of a function are still wanted where a block is entered.
//!
//! Property: a value is alive if some path uses it before the function is left. To hand it to a
//! parameter of a block that nobody uses is no use. Algorithm: the parameters that are used, then the
//! usual backward iteration over blocks, once per function.

use brownout_ir::{Block, Body, Id, Terminator, Value};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::contexts::Instance;
use crate::model::Model;

/// The values alive in functions, computed when somebody asks.
#[derive(Debug, Default)]
pub struct Liveness {
    functions: FxHashMap<usize, FunctionLiveness>,
}

/// The values alive in one function.
#[derive(Debug, Default)]
pub struct FunctionLiveness {
    /// Where each block is entered, without the block's own parameters.
    entering: Vec<FixedBitSet>,
    /// Parameters of blocks that somebody uses.
    used: FixedBitSet,
}

impl Liveness {
    /// The values alive in an instance's function.
    pub fn of<'l>(&'l mut self, model: &Model<'_>, instance: Instance) -> &'l FunctionLiveness {
        let func = model.func(instance).index();
        self.functions.entry(func).or_insert_with(|| {
            let body = model.contexts.body(instance);
            body.map_or_else(FunctionLiveness::default, |body| {
                FunctionLiveness::new(model, body)
            })
        })
    }
}

impl FunctionLiveness {
    fn new(model: &Model<'_>, body: &Body) -> Self {
        let mut liveness = Self {
            entering: Vec::new(),
            used: used_parameters(model, body),
        };
        liveness.entering = entering(model, body, &liveness);
        liveness
    }

    /// The values alive where a block is entered, without the block's own parameters.
    pub fn entering(&self, block: Block) -> &FixedBitSet {
        &self.entering[block.index()]
    }

    /// The values that the end of a block uses.
    pub fn visit_end(&self, body: &Body, end: &Terminator, mut visit: impl FnMut(Value)) {
        match end {
            Terminator::Branch { condition, .. } => {
                condition.value().into_iter().for_each(&mut visit)
            }
            Terminator::Switch { value, .. } => value.value().into_iter().for_each(&mut visit),
            Terminator::Computed { address, .. } => {
                address.value().into_iter().for_each(&mut visit)
            }
            Terminator::Return(values) => {
                let values = values.iter().filter_map(|value| value.value());
                values.for_each(&mut visit);
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for edge in end.edges() {
            let params = body.blocks[edge.block].params.iter();
            let used = params
                .zip(&edge.args)
                .filter(|(param, _)| self.used.contains(param.index()));
            used.filter_map(|(_, arg)| arg.value()).for_each(&mut visit);
        }
    }
}

/// The parameters of blocks that are used otherwise than for parameters that are not.
fn used_parameters(model: &Model<'_>, body: &Body) -> FixedBitSet {
    let mut used = FixedBitSet::with_capacity(body.values.len());
    let no_parameter = FunctionLiveness {
        entering: Vec::new(),
        used: used.clone(),
    };
    // The arguments that each parameter may get.
    let mut arguments: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for data in body.blocks.values() {
        for inst in &data.insts {
            inst.op.visit_operands(&model.program.target, |operand, _| {
                used.extend(operand.value().map(|value| value.index()));
            });
        }
        no_parameter.visit_end(body, &data.terminator, |value| used.insert(value.index()));
        for edge in data.terminator.edges() {
            for (&param, arg) in body.blocks[edge.block].params.iter().zip(&edge.args) {
                arguments.entry(param).or_default().extend(arg.value());
            }
        }
    }
    let mut open: Vec<Value> = used.ones().map(Value::from_index).collect();
    while let Some(value) = open.pop() {
        for argument in arguments.remove(&value).unwrap_or_default() {
            if !used.put(argument.index()) {
                open.push(argument);
            }
        }
    }
    used
}

/// The values alive where each block is entered, without the block's own parameters.
fn entering(model: &Model<'_>, body: &Body, liveness: &FunctionLiveness) -> Vec<FixedBitSet> {
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
        liveness.visit_end(body, &data.terminator, |value| used.insert(value.index()));
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
