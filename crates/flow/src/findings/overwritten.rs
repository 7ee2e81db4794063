//! Reads of which an input decides whether the region has overwritten before what they read.
//!
//! Whether such a read with a later write is a pair, one execution cannot say: with other inputs the region
//! may not write first.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use crate::contexts::Site;
use crate::model::Model;
use crate::regions::{Pair, Region};
use crate::supergraph::END;
use crate::taint::{Cause, Taint};

/// The writes of a region that inputs decide, of this region or of earlier ones.
pub(super) struct Overwritten<'m> {
    model: &'m Model<'m>,
    /// With their nodes.
    writes: Vec<(u32, Site, Cause)>,
    /// The nodes of each read of a pair.
    reads: BTreeMap<Site, Vec<u32>>,
    reached: Reached,
}

impl<'m> Overwritten<'m> {
    pub(super) fn new(model: &'m Model<'m>, region: &Region, lasting: &Taint) -> Self {
        let mut found = Self {
            model,
            writes: Vec::new(),
            reads: BTreeMap::new(),
            reached: Reached::default(),
        };
        if lasting.writes.is_empty() {
            return found;
        }
        found.reads = (region.pairs.iter())
            .map(|pair| (pair.read, Vec::new()))
            .collect();
        for node in model.flow.graph.reach(&[region.start.node], |to| to != END) {
            for (site, _) in model.steps(node) {
                if let Some(&cause) = lasting.writes.get(&site) {
                    found.writes.push((node, site, cause));
                }
                if let Some(nodes) = found.reads.get_mut(&site) {
                    nodes.push(node);
                }
            }
        }
        found
    }

    /// What decides whether the read of a pair finds something that the region has written before.
    pub(super) fn decided(&mut self, pair: &Pair) -> Option<Cause> {
        let model = self.model;
        self.first_write(pair, |reached, (node, site), read| {
            let effects = model.effects(site);
            let mut written = effects.into_iter().flat_map(|effects| &effects.writes);
            site != pair.write
                && site != pair.read
                && written.any(|touch| touch.cells.contains(&pair.cell))
                && reached.leads(model, (node, site), (read, pair.read))
        })
    }

    /// What decides about a write that comes after the read of a pair: whether what the read leads to lasts.
    pub(super) fn decided_after(&mut self, pair: &Pair) -> Option<Cause> {
        let model = self.model;
        self.first_write(pair, |reached, write, read| {
            reached.leads(model, (read, pair.read), write)
        })
    }

    /// What decides about the first write of which `is_meant` holds, with some node of the read of a pair.
    fn first_write(
        &mut self,
        pair: &Pair,
        mut is_meant: impl FnMut(&mut Reached, (u32, Site), u32) -> bool,
    ) -> Option<Cause> {
        let nodes = self.reads.get(&pair.read)?;
        let write = self.writes.iter().find(|&&(node, site, _)| {
            (nodes.iter()).any(|&read| is_meant(&mut self.reached, (node, site), read))
        });
        write.map(|&(_, _, cause)| cause)
    }
}

/// The nodes that a node leads to in the region, once somebody had to know.
#[derive(Default)]
struct Reached(BTreeMap<u32, FixedBitSet>);

impl Reached {
    /// Whether the region can come from one instruction to another, each with its node.
    fn leads(&mut self, model: &Model<'_>, from: (u32, Site), to: (u32, Site)) -> bool {
        let nodes = (self.0.entry(from.0)).or_insert_with(|| reach(model, from.0));
        nodes.contains(to.0 as usize) || from.0 == to.0 && comes_before(model, from.0, from.1, to.1)
    }
}

/// The nodes after a node, before the region ends.
fn reach(model: &Model<'_>, node: u32) -> FixedBitSet {
    let graph = &model.flow.graph;
    let mut starts = graph.successors(node).to_vec();
    starts.retain(|&next| next != END);
    let mut reached = FixedBitSet::with_capacity(graph.len());
    for next in graph.reach(&starts, |to| to != END) {
        reached.insert(next as usize);
    }
    reached
}

/// Whether an instruction of a node comes before another one.
fn comes_before(model: &Model<'_>, node: u32, one: Site, other: Site) -> bool {
    let mut both = model.steps(node).map(|(site, _)| site);
    both.find(|&site| site == one || site == other) == Some(one)
}
