//! Reads of what the same attempt has written, at an address that nobody knows.
//!
//! Property: whenever the load is executed, a store to the very same address has been executed
//! before, and no region begins in between: the load does not see what a failed attempt left.
//! Algorithm: the store's block dominates the load's, both addresses are the same computation from
//! the same values, and no way back from the load to the store passes the start of a region. A
//! value that dominates the store is not defined again between the store and the load, else there
//! would be a way to the load around the store.
//!
//! False negatives: addresses that are computed from memory, ways that are long.

use std::collections::BTreeSet;

use brownout_ir::{Body, Id, Op, Operand, Program, Type, Value};
use rustc_hash::FxHashMap;

use crate::accesses::Accesses;
use crate::contexts::{At, Contexts, Instance, Site};
use crate::patience::Stopped;
use crate::setting::Setting;
use crate::supergraph::Supergraph;

/// How many nodes a way from a store to a load has at most.
const WAY: usize = 64;
/// How many operations deep an address is compared.
const DEPTH: u32 = 12;

/// The loads of what the same attempt has written.
///
/// # Errors
/// If they are not wanted any more.
pub fn rereads(
    program: &Program,
    setting: &Setting,
    contexts: &Contexts,
    accesses: &Accesses,
    flow: &Supergraph,
) -> Result<BTreeSet<Site>, Stopped> {
    let starts: BTreeSet<u32> = flow.starts.iter().map(|start| start.node).collect();
    let mut nodes: FxHashMap<Instance, Vec<u32>> = FxHashMap::default();
    for (index, node) in flow.nodes.iter().enumerate() {
        if let Some(instance) = node.instance.filter(|_| node.filled.is_empty()) {
            nodes.entry(instance).or_default().push(index as u32);
        }
    }
    let mut found = BTreeSet::new();
    for instance in contexts.ids() {
        setting.interrupt.go_on()?;
        let Some(body) = contexts.body(instance) else {
            continue;
        };
        let search = Search {
            program,
            body,
            contexts,
            flow,
            instance,
            starts: &starts,
            nodes: nodes.get(&instance).map_or(&[], Vec::as_slice),
            definitions: definitions(body),
        };
        let stores = search.stores();
        let unsure = |site: &Site| {
            let effects = accesses.of(*site);
            effects.is_some_and(|effects| effects.reads.iter().any(|touch| !touch.sure))
        };
        let loads = search.loads().into_iter();
        for (at, address, bytes) in loads.filter(|(at, ..)| unsure(&Site { instance, at: *at })) {
            let mut same = stores.iter().filter(|(_, other, written)| {
                *written >= bytes && is_same(&search.definitions, address, *other)
            });
            if same.any(|(store, ..)| search.is_before(*store, at)) {
                found.insert(Site { instance, at });
            }
        }
    }
    Ok(found)
}

/// Whether two operands are the same computation from the same values.
pub(crate) fn is_same(definitions: &[Option<&Op>], a: Operand, b: Operand) -> bool {
    is_same_within(definitions, a, b, 0)
}

fn is_same_within(definitions: &[Option<&Op>], a: Operand, b: Operand, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Operand::Value(a), Operand::Value(b)) = (a, b) else {
        return false;
    };
    let defined = |value: Value| definitions[value.index()];
    let (Some(a), Some(b)) = (defined(a), defined(b)) else {
        return false;
    };
    let same = |a: &Operand, b: &Operand| is_same_within(definitions, *a, *b, depth + 1);
    depth < DEPTH
        && match (a, b) {
            (
                Op::Address {
                    base,
                    index,
                    scale,
                    offset,
                },
                Op::Address {
                    base: other,
                    index: number,
                    scale: factor,
                    offset: by,
                },
            ) => scale == factor && offset == by && same(base, other) && same(index, number),
            (
                Op::Cast { op, from, to, a },
                Op::Cast {
                    op: other,
                    from: source,
                    to: target,
                    a: b,
                },
            ) => (op, from, to) == (other, source, target) && same(a, b),
            (
                Op::IntBinary { op, ty, a, b },
                Op::IntBinary {
                    op: other,
                    ty: width,
                    a: c,
                    b: d,
                },
            ) => (op, ty) == (other, width) && same(a, c) && same(b, d),
            _ => false,
        }
}

/// The instruction that defines each value.
pub(crate) fn definitions(body: &Body) -> Vec<Option<&Op>> {
    let mut definitions = vec![None; body.values.len()];
    for inst in body.blocks.values().flat_map(|data| &data.insts) {
        for &result in &inst.results {
            definitions[result.index()] = Some(&inst.op);
        }
    }
    definitions
}

struct Search<'s> {
    program: &'s Program,
    body: &'s Body,
    contexts: &'s Contexts,
    flow: &'s Supergraph,
    instance: Instance,
    starts: &'s BTreeSet<u32>,
    /// The nodes of the instance.
    nodes: &'s [u32],
    definitions: Vec<Option<&'s Op>>,
}

/// An access: where, through which address, how many bytes.
type Access = (At, Operand, u32);

impl Search<'_> {
    fn accesses(&self, pick: impl Fn(&Op) -> Option<(Operand, Type)>) -> Vec<Access> {
        let mut found = Vec::new();
        for (block, data) in self.body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                let index = index as u32;
                if let Some((address, ty)) = pick(&inst.op)
                    && address.value().is_some()
                {
                    let bytes = ty.bytes(&self.program.target);
                    found.push((At { block, index }, address, bytes));
                }
            }
        }
        found
    }

    fn stores(&self) -> Vec<Access> {
        self.accesses(|op| match op {
            Op::Store { ty, address, .. } => Some((*address, *ty)),
            _ => None,
        })
    }

    fn loads(&self) -> Vec<Access> {
        self.accesses(|op| match op {
            Op::Load { ty, address, .. } => Some((*address, *ty)),
            _ => None,
        })
    }

    /// Whether a store is executed before a load whenever the load is, in the same region.
    fn is_before(&self, store: At, load: At) -> bool {
        let (Some(from), Some(to)) = (self.node(store), self.node(load)) else {
            return false;
        };
        if from == to {
            return store.index < load.index;
        }
        let func = self.contexts.activation(self.instance).func;
        let code = self.contexts.code[func.index()].as_ref();
        let dominates = match store.block == load.block {
            true => store.index < load.index,
            false => code.is_some_and(|code| code.dominators.dominates(store.block, load.block)),
        };
        dominates && self.is_undisturbed(from, to)
    }

    /// Whether no region begins on any way from one node to another.
    fn is_undisturbed(&self, from: u32, to: u32) -> bool {
        let mut seen = BTreeSet::from([to]);
        let mut open = vec![to];
        while let Some(node) = open.pop() {
            if self.starts.contains(&node) || seen.len() > WAY {
                return false;
            }
            for &before in self.flow.graph.predecessors(node) {
                if before != from && seen.insert(before) {
                    open.push(before);
                }
            }
        }
        true
    }

    /// The node that an instruction is in.
    fn node(&self, at: At) -> Option<u32> {
        let mut nodes = self.nodes.iter().copied();
        nodes.find(|&node| {
            let data = &self.flow.nodes[node as usize];
            data.block == at.block && (data.first..data.last).contains(&at.index)
        })
    }
}
