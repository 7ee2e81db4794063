//! The whole program as one graph.
//!
//! Nodes are straight pieces of code of instances, cut where something happens that regions care
//! about: calls, checkpoints, inputs, jumps across functions. Calls and returns are edges like any
//! other, so that every analysis is an analysis of one graph.
//!
//! **Invariants**: node 0 is the end of a region: the next commit, or the end of the program. A
//! checkpoint that always commits leads there and nowhere else; where execution goes on is a node
//! of [`Supergraph::starts`]. Code that only dies (aborts, fails an assertion) gets to the end
//! only if the setting says so, and a loop that does nothing never does; another loop that never ends
//! does, from its head, because nobody waits forever.

mod turn;

use std::ops::Range;

use brownout_ir::{Block, Callee, Id, Op, Program, Terminator};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::accesses::{Accesses, Touch};
use crate::contexts::{At, Contexts, Instance, Site};
use crate::fills::LoopFill;
use crate::graph::Graph;
use crate::patience::Stopped;
use crate::points_to::PointsTo;
use crate::setting::{Commits, Entries, Restart, Setting};
use turn::{Turn, instances_that_commit};

/// The node that ends every region.
pub const END: u32 = 0;

/// A straight piece of code.
#[derive(Clone, Debug)]
pub struct Node {
    /// Whose code it is; none for the end.
    pub instance: Option<Instance>,
    /// The block.
    pub block: Block,
    /// The first instruction.
    pub first: u32,
    /// One past the last instruction.
    pub last: u32,
    /// Whether the block's terminator belongs to it.
    pub terminates: bool,
    /// What a finished loop has overwritten when this node is passed.
    pub filled: Vec<Touch>,
}

/// Where a region starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The first node of the region.
    pub node: u32,
    /// What execution goes on after.
    pub reason: Reason,
}

/// What execution goes on after.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The start of the program.
    Entry,
    /// A checkpoint.
    Checkpoint(Site),
    /// The entry of a function.
    Function(Instance),
    /// The moment before an input.
    Input(Site),
}

/// The graph.
#[derive(Debug)]
pub struct Supergraph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Their edges.
    pub graph: Graph,
    /// Where regions start.
    pub starts: Vec<Start>,
    /// The first node of each block of each instance.
    first: FxHashMap<(Instance, Block), u32>,
    /// For calls: the node after them, if the callee can get there without a commit.
    pub returns: FxHashMap<u32, u32>,
    /// The nodes that end with a call of code.
    calls: FixedBitSet,
    /// For every node, the closest node that every way to the end passes.
    pub post_dominators: Vec<Option<u32>>,
    /// Which nodes get to the end.
    pub ends: Vec<bool>,
    /// Calls through pointers with no known target.
    pub unresolved: Vec<Site>,
}

/// Builds the graph.
///
/// # Errors
/// If it is not wanted any more.
pub fn supergraph(
    program: &Program,
    setting: &Setting,
    contexts: &Contexts,
    points_to: &PointsTo,
    accesses: &Accesses,
) -> Result<Supergraph, Stopped> {
    let mut builder = Builder {
        program,
        setting,
        contexts,
        points_to,
        accesses,
        commits: instances_that_commit(setting, contexts),
        nodes: Vec::new(),
        graph: Graph::default(),
        starts: Vec::new(),
        first: FxHashMap::default(),
        pieces: Vec::new(),
        behind: FxHashMap::default(),
        calls: Vec::new(),
        resumes: Vec::new(),
        long_jumps: Vec::new(),
        beginnings: Vec::new(),
        unresolved: Vec::new(),
    };
    builder.node(None, Block::from_index(0), 0, 0);
    for instance in contexts.ids() {
        let first = builder.nodes.len() as u32;
        builder.cut(instance);
        builder.pieces.push(first..builder.nodes.len() as u32);
    }
    for instance in contexts.ids() {
        setting.interrupt.go_on()?;
        builder.connect(instance);
    }
    builder.begin();
    Ok(builder.finish())
}

struct Builder<'p> {
    program: &'p Program,
    setting: &'p Setting,
    contexts: &'p Contexts,
    points_to: &'p PointsTo,
    accesses: &'p Accesses,
    commits: Vec<bool>,
    nodes: Vec<Node>,
    graph: Graph,
    starts: Vec<Start>,
    first: FxHashMap<(Instance, Block), u32>,
    /// The nodes of each instance.
    pieces: Vec<Range<u32>>,
    /// The node after a call.
    behind: FxHashMap<Site, u32>,
    /// The nodes that end with a call.
    calls: Vec<u32>,
    /// The nodes where a long jump can arrive.
    resumes: Vec<u32>,
    long_jumps: Vec<u32>,
    /// Where execution can begin or go on.
    beginnings: Vec<u32>,
    unresolved: Vec<Site>,
}

impl Builder<'_> {
    fn node(&mut self, instance: Option<Instance>, block: Block, first: u32, last: u32) -> u32 {
        self.nodes.push(Node {
            instance,
            block,
            first,
            last,
            terminates: false,
            filled: Vec::new(),
        });
        self.graph.push()
    }

    /// Makes the nodes of an instance and connects the pieces of each block.
    fn cut(&mut self, instance: Instance) {
        let contexts = self.contexts;
        let Some(body) = contexts.body(instance) else {
            return;
        };
        for (block, data) in body.blocks.iter() {
            if !contexts.activation(instance).ranges.is_reached(block) {
                continue;
            }
            let mut at = self.node(Some(instance), block, 0, 0);
            self.first.insert((instance, block), at);
            for (index, inst) in data.insts.iter().enumerate() {
                let index = index as u32;
                let site = Site {
                    instance,
                    at: At { block, index },
                };
                let turn = self.turn(site, inst);
                // Inputs and checkpoints begin a node of their own.
                if matches!(turn, Turn::Input | Turn::Checkpoint)
                    && self.nodes[at as usize].first < index
                {
                    let next = self.node(Some(instance), block, index, index);
                    self.graph.connect(at, next);
                    at = next;
                }
                self.nodes[at as usize].last = index + 1;
                if turn == Turn::Plain {
                    continue;
                }
                let next = self.node(Some(instance), block, index + 1, index + 1);
                self.after(site, turn, at, next);
                at = next;
            }
            self.nodes[at as usize].terminates = true;
        }
    }

    /// Connects a node that ends with something special to the one after it.
    fn after(&mut self, site: Site, turn: Turn, at: u32, next: u32) {
        match turn {
            Turn::Plain => {}
            Turn::Call => {
                self.behind.insert(site, next);
                self.calls.push(at);
            }
            Turn::Checkpoint if self.setting.commits == Commits::Never => {
                self.graph.connect(at, next);
            }
            Turn::Checkpoint => {
                self.graph.connect(at, END);
                self.beginnings.push(next);
                if self.setting.commits != Commits::Always {
                    self.graph.connect(at, next);
                }
                if self.setting.restart != Restart::Input {
                    self.starts.push(Start {
                        node: next,
                        reason: Reason::Checkpoint(site),
                    });
                }
            }
            Turn::Input => {
                self.graph.connect(at, next);
                if self.setting.restart == Restart::Input {
                    self.starts.push(Start {
                        node: at,
                        reason: Reason::Input(site),
                    });
                }
            }
            Turn::SetJump => {
                self.graph.connect(at, next);
                self.resumes.push(next);
            }
            Turn::LongJump => self.long_jumps.push(at),
            Turn::Exit => self.graph.connect(at, END),
            Turn::Dies if self.setting.deaths_are_ends => self.graph.connect(at, END),
            Turn::Dies => {}
        }
    }

    /// Connects the blocks of an instance with each other and with what they call.
    fn connect(&mut self, instance: Instance) {
        let contexts = self.contexts;
        let Some(body) = contexts.body(instance) else {
            return;
        };
        for index in self.pieces[instance.index()].clone() {
            let node = &self.nodes[index as usize];
            let (block, last, terminates) = (node.block, node.last, node.terminates);
            let data = &body.blocks[block];
            if terminates {
                self.leave(instance, block, index, &data.terminator);
            } else if last > 0 {
                let at = At {
                    block,
                    index: last - 1,
                };
                let site = Site { instance, at };
                if let Some(&behind) = self.behind.get(&site) {
                    self.call(site, index, behind);
                }
            }
        }
    }

    fn leave(&mut self, instance: Instance, block: Block, node: u32, terminator: &Terminator) {
        let before = self.nodes[node as usize].first.checked_sub(1);
        if *terminator == Terminator::Unreachable
            && before.is_some_and(|index| {
                self.behind.contains_key(&Site {
                    instance,
                    at: At { block, index },
                })
            })
        {
            // The compiler was told that the call before does not return, and it does: into
            // assembly that is not understood, such as the start of the next task.
            self.graph.connect(node, END);
        }
        let activation = self.contexts.activation(instance);
        for (index, edge) in terminator.edges().into_iter().enumerate() {
            if !activation.ranges.can_take(block, index) {
                continue;
            }
            let Some(&to) = self.first.get(&(instance, edge.block)) else {
                continue;
            };
            let filled = self.filled(instance, block, index);
            if filled.is_empty() {
                self.graph.connect(node, to);
            } else {
                let passed = self.node(Some(instance), edge.block, 0, 0);
                self.nodes[passed as usize].filled = filled;
                self.graph.connect(node, passed);
                self.graph.connect(passed, to);
            }
        }
    }

    /// What the loops left by an edge have overwritten.
    fn filled(&self, instance: Instance, block: Block, edge: usize) -> Vec<Touch> {
        let fills = self.contexts.activation(instance).fills.iter();
        let mut filled = Vec::new();
        let here = |fill: &&LoopFill| fill.block == block && fill.edge == edge;
        for fill in fills.filter(here) {
            // What depends on the counter of an outer loop is known when that one is left.
            if fill.terms.iter().any(Option::is_some) {
                continue;
            }
            if fill
                .inside
                .iter()
                .any(|&inside| self.cuts(instance, inside))
            {
                continue;
            }
            let targets = self.points_to.of(instance, fill.base);
            let &[target] = &targets[..] else { continue };
            let data = self.points_to.objects.data(target.object);
            if !target.is_exact() || !data.single {
                continue;
            }
            let (start, end) = (target.start + fill.start, target.start + fill.end);
            let cells = self.accesses.cells(target.object, start, end);
            let inside = |index: u32| {
                let cell = &self.accesses.cells[index as usize];
                start <= cell.start && cell.end <= end
            };
            let whole: Vec<u32> = cells.filter(|&cell| inside(cell)).collect();
            if let (Some(&first), Some(&last)) = (whole.first(), whole.last()) {
                filled.push(Touch {
                    cells: first..last + 1,
                    sure: true,
                });
            }
        }
        filled
    }

    fn call(&mut self, site: Site, node: u32, behind: u32) {
        let contexts = self.contexts;
        let callees = contexts.callees(site);
        let known = self.known_without_code(site);
        if callees.is_empty() && !known {
            // Nobody knows whom it calls: it is passed over, and the user is told.
            self.unresolved.push(site);
        }
        if callees.is_empty() || known {
            self.graph.connect(node, behind);
        }
        for &callee in callees {
            let Some(body) = contexts.body(callee) else {
                continue;
            };
            if let Some(&entry) = self.first.get(&(callee, body.entry())) {
                self.graph.connect(node, entry);
            }
            for last in self.returning(callee) {
                self.graph.connect(last, behind);
            }
        }
    }

    /// Whether a call through a pointer can call a function that is not what its body says.
    fn known_without_code(&self, site: Site) -> bool {
        let body = self.contexts.body(site.instance);
        let inst = body.map(|body| &body.blocks[site.at.block].insts[site.at.index as usize]);
        match inst.map(|inst| &inst.op) {
            Some(Op::Call {
                callee: Callee::Indirect(address),
                ..
            }) => {
                let functions = self.points_to.functions(site.instance, *address);
                let code = &self.contexts.code;
                functions.iter().any(|func| code[func.index()].is_none())
            }
            _ => false,
        }
    }

    /// The nodes that return from an instance.
    fn returning(&self, instance: Instance) -> Vec<u32> {
        let Some(body) = self.contexts.body(instance) else {
            return vec![];
        };
        let mut found = Vec::new();
        for (block, data) in body.blocks.iter() {
            if !matches!(data.terminator, Terminator::Return(_)) {
                continue;
            }
            // The last piece of a block follows its first one in the numbering.
            if let Some(&first) = self.first.get(&(instance, block)) {
                let pieces = self.nodes[first as usize..].iter().enumerate();
                let last = pieces
                    .take_while(|(_, node)| node.instance == Some(instance) && node.block == block)
                    .find(|(_, node)| node.terminates);
                found.extend(last.map(|(offset, _)| first + offset as u32));
            }
        }
        found
    }

    /// Connects the ends of the program with its beginnings.
    fn begin(&mut self) {
        let roots = self.contexts.roots.clone();
        for root in roots {
            let Some(body) = self.contexts.body(root) else {
                continue;
            };
            let Some(&entry) = self.first.get(&(root, body.entry())) else {
                continue;
            };
            self.beginnings.push(entry);
            for last in self.returning(root) {
                self.graph.connect(last, END);
            }
            let is_start = matches!(self.setting.entries, Entries::Program(..))
                && self.contexts.roots.first() == Some(&root);
            let reason = match self.setting.restart {
                Restart::Input if self.setting.commits != Commits::Anywhere => continue,
                Restart::Input | Restart::Boundary if is_start => Reason::Entry,
                Restart::Input | Restart::Boundary | Restart::Function => Reason::Function(root),
            };
            self.starts.push(Start {
                node: entry,
                reason,
            });
        }
        for jump in self.long_jumps.clone() {
            for resume in self.resumes.clone() {
                self.graph.connect(jump, resume);
            }
        }
    }

    fn finish(mut self) -> Supergraph {
        let mut graph = std::mem::take(&mut self.graph);
        graph.open_endless_loops(END, &self.beginnings, |head, components| {
            self.does_something(head, components)
        });
        self.graph = graph;
        let ends = self.graph.reaching(END);
        let post_dominators = self.graph.post_dominators(END);
        let returns = self.returns();
        let mut calls = FixedBitSet::with_capacity(self.nodes.len());
        calls.extend(self.calls.iter().map(|&node| node as usize));
        self.starts.sort_by_key(|start| start.reason);
        Supergraph {
            nodes: self.nodes,
            graph: self.graph,
            starts: self.starts,
            first: self.first,
            returns,
            calls,
            post_dominators,
            ends,
            unresolved: self.unresolved,
        }
    }

    /// Whether the loop around a node does anything but go round: one that does not is a device
    /// that has stopped.
    fn does_something(&self, head: u32, components: &[u32]) -> bool {
        let component = components[head as usize];
        let nodes = (0..self.nodes.len()).filter(|&node| components[node] == component);
        nodes.into_iter().any(|node| {
            let data = &self.nodes[node];
            let Some(instance) = data.instance else {
                return false;
            };
            let Some(body) = self.contexts.body(instance) else {
                return false;
            };
            let insts = &body.blocks[data.block].insts;
            let insts = &insts[data.first as usize..data.last as usize];
            insts.iter().any(|inst| does_something(&inst.op))
        })
    }

    /// For every call node, the node after it if some callee gets there without a commit.
    fn returns(&self) -> FxHashMap<u32, u32> {
        let mut found = FxHashMap::default();
        for (index, node) in self.nodes.iter().enumerate() {
            let Some(instance) = node.instance.filter(|_| !node.terminates && node.last > 0) else {
                continue;
            };
            let at = At {
                block: node.block,
                index: node.last - 1,
            };
            let Some(&behind) = self.behind.get(&Site { instance, at }) else {
                continue;
            };
            let callees = self.contexts.callees(Site { instance, at });
            let passes = callees.is_empty()
                || self.known_without_code(Site { instance, at })
                || callees.iter().any(|callee| self.passes(*callee));
            if passes {
                found.insert(index as u32, behind);
            }
        }
        found
    }

    /// Whether an instance can return without a commit on the way.
    fn passes(&self, instance: Instance) -> bool {
        if !self.commits[instance.index()] || self.setting.commits != Commits::Always {
            return true;
        }
        let Some(body) = self.contexts.body(instance) else {
            return true;
        };
        let Some(&entry) = self.first.get(&(instance, body.entry())) else {
            return false;
        };
        // Leaving the instance upwards must not count: stop at its own returns.
        let lasts = self.returning(instance);
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![entry];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            if lasts.contains(&node) {
                return true;
            }
            open.extend(self.graph.successors(node));
        }
        false
    }
}

impl Supergraph {
    /// The first node of a block of an instance.
    pub fn first(&self, instance: Instance, block: Block) -> Option<u32> {
        self.first.get(&(instance, block)).copied()
    }

    /// Whether a node ends with a call of code.
    pub fn calls(&self, node: u32) -> bool {
        self.calls.contains(node as usize)
    }

    /// The nodes that a branch decides about: those between it and where all its ways meet.
    pub fn influence(&self, branch: u32) -> Vec<u32> {
        self.ways(self.graph.successors(branch), branch)
    }

    /// The nodes on the ways from some successors of a branch to where all its ways meet.
    pub fn ways(&self, from: &[u32], branch: u32) -> Vec<u32> {
        let meet = self.post_dominators[branch as usize];
        let is_between = |to: &u32| Some(*to) != meet && *to != END;
        let mut found: FxHashSet<u32> = FxHashSet::default();
        let mut open: Vec<u32> = from.iter().copied().filter(is_between).collect();
        while let Some(node) = open.pop() {
            if found.insert(node) {
                let next = self.graph.successors(node).iter().copied();
                open.extend(next.filter(is_between));
            }
        }
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// Whether an operation matters to anybody but its own activation.
pub(crate) fn does_something(op: &Op) -> bool {
    match op {
        Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Call { .. } => true,
        Op::Load { volatile, .. } => *volatile,
        Op::Service { .. } => true,
        _ => false,
    }
}
