//! What a branch that an input decides leaves different where its ways meet.

use std::collections::BTreeMap;

use brownout_ir::{Id, Operand, Terminator};
use fixedbitset::FixedBitSet;

use super::{Cause, Fact, Search};
use crate::contexts::{Instance, Site};
use crate::supergraph::END;

impl Search<'_> {
    /// A branch that an input decides: what its ways leave different depends on it.
    pub(super) fn branch(&mut self, node: u32, site: Site, from: Fact) {
        if self.seen_branches.put(node as usize) {
            return;
        }
        let cause = Cause {
            site: Some(site),
            from: Some(from),
        };
        self.result.branches.push((node, cause));
        let model = self.model;
        let meet = model.flow.post_dominators[node as usize];
        let influence = model.flow.influence(node);
        let decided = Cause {
            site: None,
            from: Some(Fact::Branch(node)),
        };
        for site in influence.iter().flat_map(|&inside| model.steps(inside)) {
            let writes = model.effects(site.0).map(|effects| &effects.writes);
            if writes.is_some_and(|writes| !writes.is_empty()) {
                self.result.writes.entry(site.0).or_insert(decided);
            }
        }
        let Some(meet) = meet.filter(|meet| *meet != END) else {
            return;
        };
        self.meet(node, &influence, meet);
        self.counted(node, &influence, meet);
        let mut written = FixedBitSet::with_capacity(model.accesses.cells.len());
        for &inside in &influence {
            for (site, _) in model.steps(inside) {
                let Some(effects) = model.effects(site) else {
                    continue;
                };
                let cause = Cause {
                    site: Some(site),
                    from: Some(Fact::Branch(node)),
                };
                for cell in effects.writes.iter().flat_map(|touch| touch.cells.clone()) {
                    self.result.met.entry((cell, meet)).or_insert(cause);
                    written.insert(cell as usize);
                }
            }
        }
        self.carry_cells(meet, &written);
    }

    fn decided(&mut self, branch: u32, node: u32, value: u32) {
        let cause = Cause {
            site: None,
            from: Some(Fact::Branch(branch)),
        };
        self.made(value, cause);
        self.carry_value(node, value);
    }

    /// Values that a loop defines and that are wanted after it depend on how often it went round.
    fn counted(&mut self, branch: u32, influence: &[u32], meet: u32) {
        let model = self.model;
        let target = model.node(meet);
        let Some(instance) = target.instance.filter(|_| target.first == 0) else {
            return;
        };
        let Some(body) = model.contexts.body(instance) else {
            return;
        };
        let mut found = Vec::new();
        let alive = self.liveness.of(model, instance).entering(target.block);
        for &inside in influence {
            let node = model.node(inside);
            if node.instance != Some(instance) || !node.filled.is_empty() {
                continue;
            }
            let params = body.blocks[node.block].params.iter();
            let params = params.filter(|_| node.first == 0);
            let results = model.steps(inside).flat_map(|(_, inst)| &inst.results);
            found.extend(
                params
                    .chain(results)
                    .filter(|value| alive.contains(value.index())),
            );
        }
        for value in found {
            self.decided(branch, meet, self.number(instance, value));
        }
    }

    /// What is defined where the ways meet depends on the way taken if the ways disagree.
    fn meet(&mut self, branch: u32, influence: &[u32], meet: u32) {
        let mut given: BTreeMap<u32, Vec<(Option<Instance>, Operand)>> = BTreeMap::new();
        let from = |node: &u32| *node == branch || influence.binary_search(node).is_ok();
        let predecessors = self.model.flow.graph.predecessors(meet);
        for &predecessor in predecessors.iter().filter(|node| from(node)) {
            for (value, operand) in self.passed(predecessor, meet) {
                let instance = self.model.node(predecessor).instance;
                given.entry(value).or_default().push((instance, operand));
            }
        }
        for (value, operands) in given {
            if operands.windows(2).any(|pair| pair[0] != pair[1]) {
                self.decided(branch, meet, value);
            }
        }
    }

    /// What a node passes to the values defined by entering another.
    fn passed(&self, from: u32, to: u32) -> Vec<(u32, Operand)> {
        let model = self.model;
        let Some((site, terminator)) = model.terminator(from) else {
            // The way through a finished loop.
            return match model.flow.graph.predecessors(from) {
                [before] if !model.node(from).filled.is_empty() => {
                    let before = model.terminator(*before);
                    before.map_or_else(Vec::new, |(site, it)| self.arguments(site, it, to))
                }
                _ => vec![],
            };
        };
        match terminator {
            Terminator::Return(values) => {
                let results = self.results(to).into_iter();
                results.zip(values.iter().copied()).collect()
            }
            _ => self.arguments(site, terminator, to),
        }
    }

    fn arguments(&self, site: Site, terminator: &Terminator, to: u32) -> Vec<(u32, Operand)> {
        let model = self.model;
        let instance = site.instance;
        let Some(body) = model.contexts.body(instance) else {
            return vec![];
        };
        let edges = terminator.edges().into_iter();
        edges
            .filter(|edge| model.flow.first(instance, edge.block) == Some(to))
            .flat_map(|edge| {
                let params = body.blocks[edge.block].params.iter();
                params
                    .zip(&edge.args)
                    .map(|(&param, &arg)| (self.number(instance, param), arg))
            })
            .collect()
    }
}
