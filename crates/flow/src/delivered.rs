//! What becomes of the data that inputs put into memory.
//!
//! **Property:** a call is listed if no way through the program leads from it to a read of what it has filled.
//! **False positives:** none; ways that no execution takes only make data look read.

use std::collections::BTreeSet;

use brownout_ir::source::Place;
use brownout_ir::{Callee, Func, Op};
use fixedbitset::FixedBitSet;

use crate::contexts::Site;
use crate::model::Model;

/// The calls of a function, as far as execution gets to them, that fill something which nobody reads afterwards.
pub fn never_read(model: &Model<'_>, func: Func) -> BTreeSet<Place> {
    let starts: Vec<u32> = model.flow.starts.iter().map(|start| start.node).collect();
    let reached = reachable(model, &starts);
    let mut unread = BTreeSet::new();
    let mut read = BTreeSet::new();
    for node in reached.ones().map(|node| node as u32) {
        for (site, inst) in model.steps(node) {
            let Op::Call {
                callee: Callee::Direct(callee),
                ..
            } = inst.op
            else {
                continue;
            };
            let Some(place) = inst.place.filter(|_| callee == func) else {
                continue;
            };
            match is_read(model, node, site) {
                true => read.insert(place),
                false => unread.insert(place),
            };
        }
    }
    // One call is looked at once for each way to the function that makes it.
    unread.difference(&read).copied().collect()
}

/// Whether something that a call writes may be read after it.
fn is_read(model: &Model<'_>, node: u32, call: Site) -> bool {
    let Some(effects) = model.effects(call).filter(|it| !it.writes.is_empty()) else {
        return true;
    };
    let reads = |site: Site| {
        let reads = model.effects(site).map(|effects| &effects.reads[..]);
        reads.unwrap_or_default().iter().any(|read| {
            let mut written = effects.writes.iter().map(|write| &write.cells);
            written.any(|cells| cells.start < read.cells.end && read.cells.start < cells.end)
        })
    };
    let mut behind = model.steps(node).map(|(site, _)| site);
    if behind.any(|site| site.at.index > call.at.index && reads(site)) {
        return true;
    }
    let later = reachable(model, model.flow.graph.successors(node));
    later
        .ones()
        .any(|node| model.steps(node as u32).any(|(site, _)| reads(site)))
}

/// The nodes that some nodes lead to, and these themselves.
fn reachable(model: &Model<'_>, from: &[u32]) -> FixedBitSet {
    let mut reached = FixedBitSet::with_capacity(model.flow.nodes.len());
    let mut open = from.to_vec();
    while let Some(node) = open.pop() {
        if !reached.put(node as usize) {
            open.extend(model.flow.graph.successors(node));
        }
    }
    reached
}
