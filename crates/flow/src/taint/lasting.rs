//! What depends on inputs of any region, earlier ones included.
//!
//! After a power failure such a thing is what it was, so it does no harm by being read again. But of a
//! read and a write whose addresses depend on it, one execution says nothing: whether they meet, other
//! inputs decide.
//!
//! False negatives: what the ways of a branch leave different, if they meet after a commit only.

use rustc_hash::FxHashMap;

use super::{Passages, Search, Taint};
use crate::liveness::Liveness;
use crate::model::Model;
use crate::patience::Stopped;
use crate::setting::Boundaries;
use crate::supergraph::Reason;

/// Follows all inputs of a program, also beyond commits.
///
/// # Errors
/// If that is not wanted any more.
pub fn lasting(model: &Model<'_>) -> Result<Taint, Stopped> {
    let nodes = 0..model.flow.graph.len() as u32;
    let mut liveness = Liveness::default();
    Search::new(model, &mut liveness, passages(model)).follow(nodes)
}

fn passages(model: &Model<'_>) -> Passages {
    let mut passages = Passages::default();
    let starts: Vec<u32> = model.flow.starts.iter().map(|start| start.node).collect();
    for start in &model.flow.starts {
        if let Reason::Checkpoint(site) = start.reason {
            let beyond = passages.beyond.entry(site).or_default();
            beyond.push(start.node);
            // After a transition any task may come next.
            if model.setting.boundaries == Boundaries::Tasks {
                beyond.extend(&starts);
            }
        }
    }
    let all = || 0..model.flow.graph.len() as u32;
    let mut first = FxHashMap::default();
    for index in all() {
        let node = model.node(index);
        if let Some(instance) = node.instance.filter(|_| node.filled.is_empty()) {
            first.insert((instance, node.block, node.first), index);
        }
    }
    for index in all().filter(|&index| model.flow.calls(index)) {
        let node = model.node(index);
        let behind = node
            .instance
            .and_then(|instance| first.get(&(instance, node.block, node.last)));
        passages
            .returns
            .extend(behind.map(|&behind| (index, behind)));
    }
    passages
}
