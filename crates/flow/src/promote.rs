//! Local variables as values.
//!
//! Unoptimised code keeps every local in a stack object. Objects that are only loaded and stored
//! as wholes become SSA values with block parameters where they are used later (Cytron et al., TOPLAS 1991), so that one and
//! the same analysis sees constants, ranges and pointers at every level of optimisation.
//!
//! **Invariant**: the control flow of the body does not change. Where the stack is non-volatile
//! the loads and stores stay, because they are accesses to memory that matters.

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Id, Inst, Op, Operand, Slot, Target, Type, Value};
use fixedbitset::FixedBitSet;

/// What happens to the accesses of promoted objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accesses {
    /// They stay; only the values they give are known.
    Keep,
    /// They go.
    Drop,
}

/// The body with promotable stack objects turned into values.
pub fn promote(body: &Body, target: &Target, accesses: Accesses) -> Body {
    let mut types = promotable(body, target);
    let dominators = Dominators::new(body);
    // A block parameter of the entry is an argument of the function: nothing may be added.
    if has_predecessors(body, body.entry()) {
        types.iter_mut().for_each(|ty| *ty = None);
    }
    let mut result = body.clone();
    let merged = place_parameters(&mut result, &types, &dominators);
    Renaming {
        types: &types,
        merged: &merged,
        values: vec![None; result.values.len()],
        accesses,
    }
    .run(&mut result, &dominators);
    result
}

/// Whether some block leads to this one.
pub(crate) fn has_predecessors(body: &Body, block: Block) -> bool {
    let mut edges = body
        .blocks
        .values()
        .flat_map(|data| data.terminator.edges());
    edges.any(|edge| edge.block == block)
}

/// For every slot that is only loaded and stored as a whole, its type.
fn promotable(body: &Body, target: &Target) -> Vec<Option<Type>> {
    #[derive(Clone, Copy)]
    enum Use {
        Never,
        As(Type),
        Otherwise,
    }
    let mut uses = vec![Use::Never; body.slots.len()];
    let escape = |uses: &mut Vec<Use>, operand: Operand| {
        if let Operand::Slot(slot, _) = operand {
            uses[slot.index()] = Use::Otherwise;
        }
    };
    let whole = |uses: &mut Vec<Use>, address: Operand, ty: Type, volatile: bool| {
        let Operand::Slot(slot, offset) = address else {
            return;
        };
        let data = &body.slots[slot];
        let fits = offset == 0 && !volatile && data.size == ty.bytes(target);
        uses[slot.index()] = match uses[slot.index()] {
            Use::Never if fits => Use::As(ty),
            Use::As(other) if fits && other == ty => Use::As(ty),
            Use::Never | Use::As(_) | Use::Otherwise => Use::Otherwise,
        };
    };
    for block in body.blocks.values() {
        for inst in &block.insts {
            match &inst.op {
                Op::Load {
                    ty,
                    address,
                    volatile,
                } => whole(&mut uses, *address, *ty, *volatile),
                Op::Store {
                    ty,
                    address,
                    value,
                    volatile,
                } => {
                    escape(&mut uses, *value);
                    whole(&mut uses, *address, *ty, *volatile);
                }
                op => op.visit_operands(target, |operand, _| escape(&mut uses, operand)),
            }
        }
        let terminator = &block.terminator;
        terminator.visit_operands(|operand| escape(&mut uses, operand));
    }
    uses.into_iter()
        .map(|used| match used {
            Use::As(ty) => Some(ty),
            Use::Never | Use::Otherwise => None,
        })
        .collect()
}

/// The blocks that use a promoted slot.
#[derive(Clone, Default)]
struct Uses {
    /// Those that store to it.
    stores: Vec<Block>,
    /// Those that load what another block has stored.
    loads: Vec<Block>,
}

fn uses(body: &Body, types: &[Option<Type>]) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); types.len()];
    for (block, data) in body.blocks.iter() {
        for inst in &data.insts {
            let (slot, is_store) = match inst.op {
                Op::Store {
                    address: Operand::Slot(slot, _),
                    ..
                } => (slot, true),
                Op::Load {
                    address: Operand::Slot(slot, _),
                    ..
                } => (slot, false),
                _ => continue,
            };
            let Uses { stores, loads } = &mut uses[slot.index()];
            if stores.last() == Some(&block) {
                continue;
            }
            match is_store {
                true => stores.push(block),
                false if loads.last() == Some(&block) => {}
                false => loads.push(block),
            }
        }
    }
    uses
}

/// Adds the block parameters that merge the values of promoted slots, where these are used later; gives them by block.
fn place_parameters(
    body: &mut Body,
    types: &[Option<Type>],
    dominators: &Dominators,
) -> Vec<Vec<(Slot, Value)>> {
    let count = body.blocks.len();
    let predecessors = predecessors(body, dominators);
    let frontier = frontiers(body, dominators, &predecessors);
    let mut merged: Vec<Vec<(Slot, Value)>> = vec![Vec::new(); count];
    let mut last_slot = vec![usize::MAX; count];
    for (index, uses) in uses(body, types).into_iter().enumerate() {
        let Some(ty) = types[index] else { continue };
        let live = live(&uses, &predecessors);
        let mut open = uses.stores;
        while let Some(block) = open.pop() {
            for &at in &frontier[block.index()] {
                let is_live = live.contains(at.index());
                if is_live && std::mem::replace(&mut last_slot[at.index()], index) != index {
                    let value = body.values.push(ty);
                    body.blocks[at].params.push(value);
                    merged[at.index()].push((Slot::from_index(index), value));
                    open.push(at);
                }
            }
        }
    }
    merged
}

/// The blocks at whose start it matters what a slot holds.
fn live(uses: &Uses, predecessors: &[Vec<Block>]) -> FixedBitSet {
    let mut stores = FixedBitSet::with_capacity(predecessors.len());
    stores.extend(uses.stores.iter().map(|block| block.index()));
    let mut live = FixedBitSet::with_capacity(predecessors.len());
    let mut open = uses.loads.clone();
    while let Some(block) = open.pop() {
        if !live.put(block.index()) {
            let before = predecessors[block.index()].iter();
            open.extend(before.filter(|from| !stores.contains(from.index())));
        }
    }
    live
}

/// For every block, the reachable blocks that lead to it.
fn predecessors(body: &Body, dominators: &Dominators) -> Vec<Vec<Block>> {
    let mut predecessors = vec![Vec::new(); body.blocks.len()];
    for (block, data) in body
        .blocks
        .iter()
        .filter(|(b, _)| dominators.is_reachable(*b))
    {
        for edge in data.terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    predecessors
}

/// For every block, the blocks where its dominance ends.
fn frontiers(body: &Body, dominators: &Dominators, predecessors: &[Vec<Block>]) -> Vec<Vec<Block>> {
    let mut frontier: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    for block in body
        .blocks
        .ids()
        .filter(|block| dominators.is_reachable(*block))
    {
        let stop = dominators.immediate(block);
        for &predecessor in &predecessors[block.index()] {
            let mut at = Some(predecessor);
            while let Some(runner) = at.filter(|_| at != stop) {
                if !frontier[runner.index()].contains(&block) {
                    frontier[runner.index()].push(block);
                }
                at = dominators.immediate(runner);
            }
        }
    }
    frontier
}

struct Renaming<'a> {
    types: &'a [Option<Type>],
    merged: &'a [Vec<(Slot, Value)>],
    /// What a value that was loaded from a promoted slot is called now.
    values: Vec<Option<Operand>>,
    accesses: Accesses,
}

impl Renaming<'_> {
    /// Walks the dominator tree from the entry; without recursion.
    fn run(mut self, body: &mut Body, dominators: &Dominators) {
        let mut children: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
        for block in body.blocks.ids() {
            if let Some(parent) = dominators.immediate(block) {
                children[parent.index()].push(block);
            }
        }
        // What has not been stored yet is arbitrary; zero is as good as anything.
        let unknown = vec![Operand::Bits(0); self.types.len()];
        let mut open = vec![(body.entry(), unknown)];
        while let Some((block, mut current)) = open.pop() {
            if body.blocks.get(block).is_none() {
                continue;
            }
            self.rename(body, block, &mut current);
            for &child in &children[block.index()] {
                open.push((child, current.clone()));
            }
        }
    }

    fn rename(&mut self, body: &mut Body, block: Block, current: &mut [Operand]) {
        for &(slot, value) in &self.merged[block.index()] {
            current[slot.index()] = value.into();
        }
        let data = &mut body.blocks[block];
        let mut insts = std::mem::take(&mut data.insts);
        insts.retain_mut(|inst| self.keep(inst, current));
        data.insts = insts;
        data.terminator
            .change_operands(|operand| self.change(operand));
        for edge in data.terminator.edges_mut() {
            let merged = &self.merged[edge.block.index()];
            edge.args
                .extend(merged.iter().map(|(slot, _)| current[slot.index()]));
        }
    }

    /// Renames the operands of an instruction; whether it stays.
    fn keep(&mut self, inst: &mut Inst, current: &mut [Operand]) -> bool {
        inst.op.change_operands(|operand| self.change(operand));
        let promoted = |slot: Slot| self.types[slot.index()].is_some();
        match inst.op {
            Op::Load {
                address: Operand::Slot(slot, _),
                ..
            } if promoted(slot) => {
                for result in &inst.results {
                    self.values[result.index()] = Some(current[slot.index()]);
                }
                self.accesses == Accesses::Keep
            }
            Op::Store {
                address: Operand::Slot(slot, _),
                value,
                ..
            } if promoted(slot) => {
                current[slot.index()] = value;
                self.accesses == Accesses::Keep
            }
            _ => true,
        }
    }

    fn change(&self, operand: &mut Operand) {
        if let Operand::Value(value) = *operand
            && let Some(Some(now)) = self.values.get(value.index())
        {
            *operand = *now;
        }
    }
}
