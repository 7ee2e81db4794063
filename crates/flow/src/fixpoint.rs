//! The one fixpoint engine.
//!
//! States are lattice values that grow by [`Lattice::join`]; the direction is a type; an analysis
//! says what a node does to a state. A node that no path has reached has no state, which is the
//! bottom of every lattice.

use std::collections::BTreeSet;

use crate::graph::Graph;
use crate::patience::{Interrupt, Stopped};

/// A value that only grows.
pub trait Lattice: Clone {
    /// Takes in what another path says; whether that is news.
    fn join(&mut self, other: &Self) -> bool;
}

/// Which way facts travel.
pub trait Direction {
    /// The nodes that facts go to.
    fn next(graph: &Graph, node: u32) -> &[u32];
    /// An order in which most nodes come after those that facts come from.
    fn order(graph: &Graph, starts: &[u32]) -> Vec<u32>;
}

/// Along the edges.
#[derive(Clone, Copy, Debug)]
pub struct Forward;

/// Against the edges.
#[derive(Clone, Copy, Debug)]
pub struct Backward;

impl Direction for Forward {
    fn next(graph: &Graph, node: u32) -> &[u32] {
        graph.successors(node)
    }

    fn order(graph: &Graph, starts: &[u32]) -> Vec<u32> {
        graph.reverse_postorder(starts)
    }
}

impl Direction for Backward {
    fn next(graph: &Graph, node: u32) -> &[u32] {
        graph.predecessors(node)
    }

    fn order(graph: &Graph, _: &[u32]) -> Vec<u32> {
        let all: Vec<u32> = (0..graph.len() as u32).collect();
        let mut order = graph.reverse_postorder(&all);
        order.reverse();
        order
    }
}

/// A question about all paths.
pub trait Analysis {
    /// Which way facts travel.
    type Direction: Direction;
    /// What is known at a point.
    type State: Lattice;

    /// What a node makes of a state.
    fn pass(&self, node: u32, state: &mut Self::State);
}

/// What is known where each node is entered, in the direction of the analysis.
#[derive(Debug)]
pub struct Results<S> {
    states: Vec<Option<S>>,
}

impl<S: Lattice> Results<S> {
    /// What is known where a node is entered; none if no path gets there.
    pub fn entering(&self, node: u32) -> Option<&S> {
        self.states[node as usize].as_ref()
    }

    /// What is known where a node is left.
    pub fn leaving<A: Analysis<State = S>>(&self, analysis: &A, node: u32) -> Option<S> {
        let mut state = self.entering(node)?.clone();
        analysis.pass(node, &mut state);
        Some(state)
    }
}

/// Solves an analysis from the given nodes on.
///
/// # Errors
/// If the solution is not wanted any more.
pub fn solve<A: Analysis>(
    graph: &Graph,
    starts: &[(u32, A::State)],
    analysis: &A,
    interrupt: Interrupt,
) -> Result<Results<A::State>, Stopped> {
    let nodes: Vec<u32> = starts.iter().map(|(node, _)| *node).collect();
    let order = A::Direction::order(graph, &nodes);
    let mut rank = vec![u32::MAX; graph.len()];
    for (position, &node) in order.iter().enumerate() {
        rank[node as usize] = position as u32;
    }
    let mut states: Vec<Option<A::State>> = vec![None; graph.len()];
    let mut open: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (node, state) in starts {
        let changed = match &mut states[*node as usize] {
            Some(old) => old.join(state),
            none => {
                *none = Some(state.clone());
                true
            }
        };
        if changed {
            open.insert((rank[*node as usize], *node));
        }
    }
    while let Some((_, node)) = open.pop_first() {
        interrupt.go_on()?;
        let Some(mut state) = states[node as usize].clone() else {
            continue;
        };
        analysis.pass(node, &mut state);
        for &to in A::Direction::next(graph, node) {
            let news = match &mut states[to as usize] {
                Some(old) => old.join(&state),
                none => {
                    *none = Some(state.clone());
                    true
                }
            };
            if news {
                open.insert((rank[to as usize], to));
            }
        }
    }
    Ok(Results { states })
}
