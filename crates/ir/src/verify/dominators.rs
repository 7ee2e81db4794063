//! Which blocks are on every path to a block.
//!
//! The algorithm of Lengauer and Tarjan (TOPLAS 1979) with simple path
//! compression: `O(edges · log blocks)`, without recursion.

use crate::entity::Id;
use crate::program::{Block, Body};

/// The dominator tree of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominators {
    /// For each block its immediate dominator.
    immediate: Vec<Option<Block>>,
    /// For each block the interval of its subtree in a walk over the tree;
    /// empty for unreachable blocks.
    interval: Vec<(u32, u32)>,
}

const NONE: usize = usize::MAX;

impl Dominators {
    /// Computes the tree. Edges to blocks that do not exist are ignored.
    pub fn new(body: &Body) -> Self {
        let count = body.blocks.len();
        let successors: Vec<Vec<usize>> = body
            .blocks
            .values()
            .map(|block| {
                let edges = block.terminator.edges().into_iter();
                let targets = edges.map(|edge| edge.block.index());
                targets.filter(|target| *target < count).collect()
            })
            .collect();
        Self::of_graph(&successors)
    }

    /// The tree of any graph, given by the successors of its nodes; node 0 is the entry.
    /// Nodes are named as blocks are.
    pub fn of_graph(successors: &[Vec<usize>]) -> Self {
        let walk = Walk::new(successors);
        let dominator = walk.immediate_dominators(successors);
        let reached = walk.order.len();

        // Dominators have smaller numbers, so sizes of subtrees add up from
        // the back and intervals are handed out from the front.
        let mut size = vec![1_u32; reached];
        for node in (1..reached).rev() {
            size[dominator[node]] += size[node];
        }
        let mut next = vec![0_u32; reached];
        let mut immediate = vec![None; successors.len()];
        let mut interval = vec![(0, 0); successors.len()];
        for node in 0..reached {
            let mut start = 0;
            if node > 0 {
                let parent = dominator[node];
                start = next[parent];
                next[parent] += size[node];
                immediate[walk.order[node]] = Some(Block::from_index(walk.order[parent]));
            }
            next[node] = start + 1;
            interval[walk.order[node]] = (start, start + size[node]);
        }
        Self {
            immediate,
            interval,
        }
    }

    /// Whether control can get to `block` from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.interval
            .get(block.index())
            .is_some_and(|(start, end)| start < end)
    }

    /// The closest other block on every path to `block`; none for the entry
    /// and for unreachable blocks.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.immediate.get(block.index()).copied().flatten()
    }

    /// Whether `a` is on every path to `b`. Both must be reachable; a block
    /// dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.interval.get(a.index()), self.interval.get(b.index())) {
            (Some(a), Some(b)) => a.0 <= b.0 && b.1 <= a.1 && b.0 < b.1,
            _ => false,
        }
    }
}

/// A depth-first walk from the entry: blocks by number, numbers by block,
/// parents by number.
struct Walk {
    order: Vec<usize>,
    number: Vec<usize>,
    parent: Vec<usize>,
}

impl Walk {
    fn new(successors: &[Vec<usize>]) -> Self {
        let mut walk = Self {
            order: Vec::new(),
            number: vec![NONE; successors.len()],
            parent: Vec::new(),
        };
        if successors.is_empty() {
            return walk;
        }
        walk.visit(0, NONE);
        let mut open = vec![(0, 0)];
        while let Some((block, next)) = open.last_mut() {
            let from = *block;
            let Some(&to) = successors[from].get(*next) else {
                open.pop();
                continue;
            };
            *next += 1;
            if walk.number[to] == NONE {
                walk.visit(to, walk.number[from]);
                open.push((to, 0));
            }
        }
        walk
    }

    fn visit(&mut self, block: usize, parent: usize) {
        self.number[block] = self.order.len();
        self.order.push(block);
        self.parent.push(parent);
    }

    /// By number; the entry's is meaningless.
    fn immediate_dominators(&self, successors: &[Vec<usize>]) -> Vec<usize> {
        let reached = self.order.len();
        let mut predecessors = vec![Vec::new(); reached];
        for (number, block) in self.order.iter().enumerate() {
            for successor in &successors[*block] {
                predecessors[self.number[*successor]].push(number);
            }
        }
        let mut forest = Forest::new(reached);
        let mut dominator = vec![0; reached];
        let mut bucket = vec![Vec::new(); reached];
        for node in (1..reached).rev() {
            for &predecessor in &predecessors[node] {
                let best = forest.best(predecessor);
                forest.semi[node] = forest.semi[node].min(forest.semi[best]);
            }
            bucket[forest.semi[node]].push(node);
            let parent = self.parent[node];
            forest.ancestor[node] = parent;
            for other in std::mem::take(&mut bucket[parent]) {
                let best = forest.best(other);
                let decided = forest.semi[best] >= forest.semi[other];
                dominator[other] = if decided { parent } else { best };
            }
        }
        for node in 1..reached {
            if dominator[node] != forest.semi[node] {
                dominator[node] = dominator[dominator[node]];
            }
        }
        dominator
    }
}

/// The part of the walk's tree already processed.
struct Forest {
    semi: Vec<usize>,
    label: Vec<usize>,
    ancestor: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Self {
            semi: (0..count).collect(),
            label: (0..count).collect(),
            ancestor: vec![NONE; count],
            path: Vec::new(),
        }
    }

    /// The node with the least semidominator between `node` and its root.
    fn best(&mut self, node: usize) -> usize {
        if self.ancestor[node] == NONE {
            return node;
        }
        let mut at = node;
        while self.ancestor[self.ancestor[at]] != NONE {
            self.path.push(at);
            at = self.ancestor[at];
        }
        while let Some(at) = self.path.pop() {
            let above = self.ancestor[at];
            if self.semi[self.label[above]] < self.semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
        self.label[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reachable from the entry without passing through `without`.
    fn reachable(successors: &[Vec<usize>], without: usize) -> Vec<bool> {
        let mut seen = vec![false; successors.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if block != without && !std::mem::replace(&mut seen[block], true) {
                open.extend(&successors[block]);
            }
        }
        seen
    }

    fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
        (1_usize..14).prop_flat_map(|count| {
            prop::collection::vec(prop::collection::vec(0..count, 0..4), count)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn agree_with_the_definition(successors in graphs()) {
            let dominators = Dominators::of_graph(&successors);
            let all = reachable(&successors, NONE);
            for a in 0..successors.len() {
                let without = reachable(&successors, a);
                let block = Block::from_index(a);
                prop_assert_eq!(dominators.is_reachable(block), all[a]);
                for b in (0..successors.len()).filter(|b| all[a] && all[*b]) {
                    let found = dominators.dominates(block, Block::from_index(b));
                    prop_assert_eq!(found, !without[b], "{} {}", a, b);
                }
            }
        }

        #[test]
        fn immediate_is_the_closest(successors in graphs()) {
            let dominators = Dominators::of_graph(&successors);
            let blocks = || (0..successors.len()).map(Block::from_index);
            for block in blocks() {
                let strict = |a: Block| a != block && dominators.dominates(a, block);
                match dominators.immediate(block) {
                    None => prop_assert!(!blocks().any(strict)),
                    Some(immediate) => {
                        prop_assert!(strict(immediate));
                        let others = blocks().filter(|a| strict(*a));
                        for other in others {
                            prop_assert!(dominators.dominates(other, immediate));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn long_chains_need_no_stack() {
        let count = 300_000;
        let successors: Vec<_> = (0..count)
            .map(|block| vec![(block + 1) % count, block / 2])
            .collect();
        let dominators = Dominators::of_graph(&successors);
        let last = Block::from_index(count - 1);
        assert_eq!(
            dominators.immediate(last),
            Some(Block::from_index(count - 2))
        );
    }
}
