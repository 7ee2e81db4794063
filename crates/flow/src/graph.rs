//! The one graph type, and what follows from its shape alone.
//!
//! Nodes are numbered densely; [`Graph`] keeps both directions. Dominators come from `ir`;
//! post-dominators are the dominators of the reversed graph with one exit.

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Id};

/// A directed graph over `0..len()`.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    successors: Vec<Vec<u32>>,
    predecessors: Vec<Vec<u32>>,
}

impl Graph {
    /// A graph of `count` nodes without edges.
    pub fn new(count: usize) -> Self {
        Self {
            successors: vec![Vec::new(); count],
            predecessors: vec![Vec::new(); count],
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Adds a node.
    pub fn push(&mut self) -> u32 {
        self.successors.push(Vec::new());
        self.predecessors.push(Vec::new());
        self.successors.len() as u32 - 1
    }

    /// Adds an edge; one that exists already is not doubled.
    pub fn connect(&mut self, from: u32, to: u32) {
        if !self.successors[from as usize].contains(&to) {
            self.successors[from as usize].push(to);
            self.predecessors[to as usize].push(from);
        }
    }

    /// Where the edges of a node lead, in the order in which they were added.
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.successors[node as usize]
    }

    /// Where the edges to a node come from.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        &self.predecessors[node as usize]
    }

    /// The nodes that can be reached from `starts`, which count themselves; `enter` says
    /// whether an edge to a node may be taken.
    pub fn reach(&self, starts: &[u32], mut enter: impl FnMut(u32) -> bool) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut found = Vec::new();
        let mut open = Vec::new();
        for &start in starts {
            if !std::mem::replace(&mut seen[start as usize], true) {
                open.push(start);
            }
        }
        while let Some(node) = open.pop() {
            found.push(node);
            for &next in self.successors(node) {
                if !seen[next as usize] && enter(next) {
                    seen[next as usize] = true;
                    open.push(next);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The nodes in an order in which most nodes come after their predecessors.
    pub fn reverse_postorder(&self, starts: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        for &start in starts {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            let mut open = vec![(start, 0)];
            while let Some((node, next)) = open.last_mut() {
                let Some(&to) = self.successors[*node as usize].get(*next) else {
                    order.push(*node);
                    open.pop();
                    continue;
                };
                *next += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    open.push((to, 0));
                }
            }
        }
        order.reverse();
        order
    }

    /// The closest other node on every path from a node to `exit`. `None` for the exit, and for
    /// nodes that do not get there.
    pub fn post_dominators(&self, exit: u32) -> Vec<Option<u32>> {
        // Node 0 of the dominators' graph is the exit: swap it with ours.
        let swap = |node: u32| match node {
            0 => exit,
            node if node == exit => 0,
            node => node,
        };
        let reversed: Vec<Vec<usize>> = (0..self.len() as u32)
            .map(|node| {
                let predecessors = self.predecessors(swap(node)).iter();
                predecessors.map(|&from| swap(from) as usize).collect()
            })
            .collect();
        let tree = Dominators::of_graph(&reversed);
        (0..self.len() as u32)
            .map(|node| {
                let immediate = tree.immediate(Block::from_index(swap(node) as usize));
                immediate.map(|block| swap(block.index() as u32))
            })
            .collect()
    }

    /// Which nodes get to `exit`.
    pub fn reaching(&self, exit: u32) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut open = vec![exit];
        seen[exit as usize] = true;
        while let Some(node) = open.pop() {
            for &from in self.predecessors(node) {
                if !std::mem::replace(&mut seen[from as usize], true) {
                    open.push(from);
                }
            }
        }
        seen
    }

    /// Gives loops that never end a way to `exit`, from where a walk from `starts` comes back to
    /// them: those that `counts`, which is asked with the components of all nodes.
    pub fn open_endless_loops(
        &mut self,
        exit: u32,
        starts: &[u32],
        counts: impl Fn(u32, &[u32]) -> bool,
    ) {
        // Outer loops come first; leaving those is often enough.
        let order = self.reverse_postorder(starts);
        let heads = self.loop_heads(starts);
        let mut reaching = self.reaching(exit);
        let components = self.components();
        for head in order
            .into_iter()
            .filter(|node| heads.binary_search(node).is_ok())
        {
            if !reaching[head as usize] && counts(head, &components) {
                self.connect(head, exit);
                reaching = self.reaching(exit);
            }
        }
    }

    /// For every node, the number of its strongly connected component.
    pub fn components(&self) -> Vec<u32> {
        brownout_ir::components(&self.successors)
    }

    /// Which nodes can be reached from themselves.
    pub fn cyclic(&self) -> Vec<bool> {
        let component = self.components();
        let mut cyclic = vec![false; self.len()];
        for (node, successors) in self.successors.iter().enumerate() {
            for &to in successors {
                cyclic[node] |= component[to as usize] == component[node];
            }
        }
        // An edge inside a component makes all of it a cycle.
        let mut round = vec![false; self.len() + 1];
        for (node, &cyclic) in cyclic.iter().enumerate() {
            round[component[node] as usize] |= cyclic;
        }
        component
            .iter()
            .map(|&component| round[component as usize])
            .collect()
    }

    /// The targets of edges that close a cycle in a walk from `starts`: every cycle has one.
    pub fn loop_heads(&self, starts: &[u32]) -> Vec<u32> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut mark = vec![Mark::New; self.len()];
        let mut heads = Vec::new();
        for &start in starts {
            if mark[start as usize] != Mark::New {
                continue;
            }
            mark[start as usize] = Mark::Open;
            let mut open = vec![(start, 0)];
            while let Some((node, next)) = open.last_mut() {
                let Some(&to) = self.successors[*node as usize].get(*next) else {
                    mark[*node as usize] = Mark::Done;
                    open.pop();
                    continue;
                };
                *next += 1;
                match mark[to as usize] {
                    Mark::New => {
                        mark[to as usize] = Mark::Open;
                        open.push((to, 0));
                    }
                    Mark::Open => heads.push(to),
                    Mark::Done => {}
                }
            }
        }
        heads.sort_unstable();
        heads.dedup();
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use proptest::prelude::*;

    fn graphs() -> impl Strategy<Value = Graph> {
        (2_usize..12).prop_flat_map(|count| {
            prop::collection::vec((0..count as u32, 0..count as u32), 0..24).prop_map(
                move |edges| {
                    let mut graph = Graph::new(count);
                    edges.into_iter().for_each(|(a, b)| graph.connect(a, b));
                    graph
                },
            )
        })
    }

    /// Whether every path from `from` to `exit` passes `through`.
    fn on_every_path(graph: &Graph, from: u32, through: u32, exit: u32) -> bool {
        from == through || !graph.reach(&[from], |to| to != through).contains(&exit)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn post_dominators_agree_with_the_definition(graph in graphs(), exit in 0_u32..2) {
            let immediate = graph.post_dominators(exit);
            let reaching = graph.reaching(exit);
            for node in 0..graph.len() as u32 {
                let strict: Vec<u32> = (0..graph.len() as u32)
                    .filter(|&other| other != node && reaching[node as usize])
                    .filter(|&other| on_every_path(&graph, node, other, exit))
                    .collect();
                match immediate[node as usize] {
                    None => prop_assert!(node == exit || !reaching[node as usize]),
                    Some(closest) => {
                        prop_assert!(strict.contains(&closest));
                        for other in strict {
                            prop_assert!(on_every_path(&graph, closest, other, exit));
                        }
                    }
                }
            }
        }

        #[test]
        fn cyclic_agrees_with_the_definition(graph in graphs()) {
            let cyclic = graph.cyclic();
            let component = graph.components();
            for node in 0..graph.len() as u32 {
                let from = |node: u32| graph.reach(graph.successors(node), |_| true);
                prop_assert_eq!(cyclic[node as usize], from(node).contains(&node));
                for other in (0..graph.len() as u32).filter(|other| *other != node) {
                    let both = from(node).contains(&other) && from(other).contains(&node);
                    let same = component[node as usize] == component[other as usize];
                    prop_assert_eq!(both, same);
                }
            }
        }

        #[test]
        fn every_cycle_has_a_loop_head(graph in graphs()) {
            let starts: Vec<u32> = (0..graph.len() as u32).collect();
            let heads = graph.loop_heads(&starts);
            for node in 0..graph.len() as u32 {
                let around = graph.reach(graph.successors(node), |to| !heads.contains(&to));
                prop_assert!(heads.contains(&node) || !around.contains(&node)
                    || graph.successors(node).iter().any(|to| heads.contains(to)));
            }
        }
    }
}
