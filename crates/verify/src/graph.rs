//! A region as a graph: the nodes between a start and the next boundaries, in an order in which
//! loops are nested (a weak topological order, Bourdoncle 1993).
//!
//! **Invariants**: every node of the graph has one position; a loop is a position of the level it
//! lies in, and its head is the first position within it. An edge that is no way back leads to a
//! later position. A loop that is entered other than at its head is refused.

use std::cmp::Ordering;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::Model;
use brownout_flow::supergraph::END;

/// The nodes of a region and how its loops are nested.
#[derive(Debug)]
pub struct RegionGraph {
    /// For every node, the loops around it (their heads, outermost first) with the position of each
    /// loop, and the position of the node itself.
    places: BTreeMap<u32, Placement>,
}

#[derive(Clone, Debug)]
struct Placement {
    loops: Vec<(u32, u32)>,
    position: u32,
}

/// Where an execution is: a node, and how often each loop around it has been gone round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Positions and rounds, from the outside in.
    order: Vec<u32>,
    /// The node.
    pub node: u32,
}

impl PartialOrd for Stage {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stage {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.order, self.node).cmp(&(&other.order, other.node))
    }
}

/// A region whose loops cannot be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Irreducible;

/// The nodes that follow a node within its region; what a finished loop has overwritten is told
/// elsewhere, so nodes that stand for that are passed over.
pub fn successors(model: &Model<'_>, node: u32) -> Vec<u32> {
    let graph = &model.flow.graph;
    let mut found = Vec::new();
    for &next in graph.successors(node) {
        if next == END {
            continue;
        }
        if model.node(next).filled.is_empty() {
            found.push(next);
        } else {
            found.extend(graph.successors(next).iter().filter(|&&next| next != END));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl RegionGraph {
    /// The region that starts at a node.
    pub fn new(model: &Model<'_>, start: u32) -> Result<Self, Irreducible> {
        let mut edges: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if let Entry::Vacant(entry) = edges.entry(node) {
                open.extend(entry.insert(successors(model, node)).iter());
            }
        }
        let mut graph = Self {
            places: BTreeMap::new(),
        };
        let nodes: Vec<u32> = edges.keys().copied().collect();
        graph.arrange(&edges, &nodes, start, &[]);
        graph.verify(&edges)?;
        Ok(graph)
    }

    /// Gives positions to the nodes of one level, whose ways in lead to `entry`.
    fn arrange(
        &mut self,
        edges: &BTreeMap<u32, Vec<u32>>,
        nodes: &[u32],
        entry: u32,
        loops: &[(u32, u32)],
    ) {
        let components = components(edges, nodes, entry, loops.last().map(|(head, _)| *head));
        for (position, component) in components.iter().enumerate() {
            let position = position as u32;
            match component[..] {
                [node]
                    if !edges[&node].contains(&node) || Some(node) == loops.last().map(|l| l.0) =>
                {
                    let loops = loops.to_vec();
                    self.places.insert(node, Placement { loops, position });
                }
                // The head is the node through which the component was found.
                _ => {
                    let head = component[0];
                    let mut inner = loops.to_vec();
                    inner.push((head, position));
                    self.arrange(edges, component, head, &inner);
                }
            }
        }
    }

    fn verify(&self, edges: &BTreeMap<u32, Vec<u32>>) -> Result<(), Irreducible> {
        for (from, next) in edges {
            for to in next {
                let target = &self.places[to].loops;
                let source = &self.places[from].loops;
                let shared = source
                    .iter()
                    .zip(target)
                    .take_while(|(a, b)| a == b)
                    .count();
                // What is entered, is entered at its head, one loop at a time.
                let entered = &target[shared..];
                let fine = entered.iter().all(|(head, _)| head == to);
                if !fine {
                    return Err(Irreducible);
                }
            }
        }
        Ok(())
    }

    /// The stage at which the region starts.
    pub fn start(&self, node: u32) -> Stage {
        let rounds = vec![0; self.places[&node].loops.len()];
        self.stage(node, &rounds)
    }

    /// The stage that follows another by an edge to `node`.
    pub fn follow(&self, from: &Stage, node: u32) -> Stage {
        let (source, target) = (&self.places[&from.node].loops, &self.places[&node].loops);
        let mut rounds: Vec<u32> = Vec::new();
        for (index, (head, _)) in target.iter().enumerate() {
            let same = source.get(index).is_some_and(|(other, _)| other == head)
                && rounds.len() == index
                && source[..=index] == target[..=index];
            let round = match same {
                true => from.order[2 * index + 1],
                false => 0,
            };
            let again = same && node == *head;
            rounds.push(round + u32::from(again));
        }
        self.stage(node, &rounds)
    }

    fn stage(&self, node: u32, rounds: &[u32]) -> Stage {
        let place = &self.places[&node];
        let mut order = Vec::with_capacity(2 * rounds.len() + 1);
        for ((_, position), round) in place.loops.iter().zip(rounds) {
            order.extend([*position, *round]);
        }
        order.push(place.position);
        Stage { order, node }
    }

    /// The head of the loop that was gone round more often than `limit`, at a stage.
    pub fn exceeded(&self, stage: &Stage, limit: u32) -> Option<u32> {
        let loops = self.places[&stage.node].loops.iter().enumerate();
        let mut over = loops.filter(|(index, _)| stage.order[2 * index + 1] > limit);
        over.next().map(|(_, (head, _))| *head)
    }

    /// Whether a node is the head of a loop.
    pub fn is_head(&self, node: u32) -> bool {
        self.places[&node]
            .loops
            .last()
            .is_some_and(|(head, _)| *head == node)
    }

    /// The heads of all loops.
    pub fn heads(&self) -> BTreeSet<u32> {
        let nodes = self.places.keys().copied();
        nodes.filter(|node| self.is_head(*node)).collect()
    }

    /// The nodes of the loop with a head.
    pub fn members(&self, head: u32) -> Vec<u32> {
        let places = self.places.iter();
        places
            .filter(|(_, place)| place.loops.iter().any(|(other, _)| *other == head))
            .map(|(node, _)| *node)
            .collect()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.places.keys().copied()
    }
}

/// The strongly connected components of a level in topological order, without the edges back to
/// the head of the loop that the level is. Each begins with the node it is entered at.
fn components(
    edges: &BTreeMap<u32, Vec<u32>>,
    nodes: &[u32],
    entry: u32,
    head: Option<u32>,
) -> Vec<Vec<u32>> {
    let index: BTreeMap<u32, usize> = nodes.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let next = |node: u32| -> Vec<u32> {
        let all = edges[&node].iter().copied();
        all.filter(|to| index.contains_key(to) && Some(*to) != head)
            .collect()
    };
    // Tarjan's algorithm without recursion.
    let count = nodes.len();
    let (mut number, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let mut counter = 0;
    let mut work = vec![(entry, 0_usize)];
    while let Some((node, edge)) = work.pop() {
        let at = index[&node];
        if edge == 0 {
            if number[at] != usize::MAX {
                continue;
            }
            number[at] = counter;
            low[at] = counter;
            counter += 1;
            stack.push(node);
            on_stack[at] = true;
        }
        let successors = next(node);
        if edge > 0 {
            let before = index[&successors[edge - 1]];
            if on_stack[before] {
                low[at] = low[at].min(low[before]);
            }
        }
        if let Some(&to) = successors.get(edge) {
            work.push((node, edge + 1));
            if number[index[&to]] == usize::MAX {
                work.push((to, 0));
            }
        } else if low[at] == number[at] {
            let mut component = Vec::new();
            while let Some(member) = stack.pop() {
                on_stack[index[&member]] = false;
                component.push(member);
                if member == node {
                    break;
                }
            }
            component.reverse();
            found.push(component);
        }
    }
    found.reverse();
    found
}
