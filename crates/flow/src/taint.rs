//! What depends on inputs that are read again after a power failure.
//!
//! Property: at every point of a region, the values and cells that another reading of an input of
//! the region could change, through data and through control. Algorithm: facts (node, value or
//! cell) are followed breadth first along the graph of the whole program, so that the first way
//! found to a fact is a shortest one and explains it. A branch on a tainted condition taints, from
//! the node on where all its ways meet (its post-dominator), whatever its ways leave different:
//! what they may write, what they pass on, and what a loop counts. Between the branch and that
//! node nothing changes: given the way, its instructions do the same in every attempt. Overwriting with
//! something untainted clears; so does the end of the region. Values of a caller step over a call.
//!
//! False positives: what may depend on an input but does not; callers that share a context.
//! False negatives: flows through memory that pointers reach in ways `points_to` does not see.

use std::collections::VecDeque;

use brownout_ir::{Block, Body, Callee, Id, Inst, Op, Operand, Terminator, Value};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::accesses::Touch;
use crate::contexts::{Instance, Site};
use crate::library;
use crate::model::Model;
use crate::setting::{Restart, Role};
use crate::supergraph::END;

/// Something tainted: a value of an instance or a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// A value, by its number among those of all instances.
    Value(u32),
    /// A cell.
    Cell(u32),
}

/// A fact where a node is entered.
type Point = (u32, Fact);

/// Where a fact comes from: the instruction that made it, and what it was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The instruction; none where the fact was only passed on.
    pub site: Option<Site>,
    /// The fact before; none for an input.
    pub from: Option<Point>,
}

/// The taint of one region.
#[derive(Debug, Default)]
pub struct Taint {
    facts: FxHashMap<Point, Cause>,
    /// How many intermediate facts were named.
    links: u32,
    /// Nodes that end with a branch on something tainted, with the cause, in order of discovery.
    pub branches: Vec<(u32, Cause)>,
    /// Writes through tainted addresses, with their nodes.
    pub stores: Vec<(u32, Site, Cause)>,
}

impl Taint {
    /// The instructions from an input to `cause`, in order.
    pub fn path(&self, cause: Cause) -> Vec<Site> {
        let mut path = Vec::new();
        let mut at = Some(cause);
        while let Some(cause) = at {
            path.extend(cause.site);
            at = cause.from.and_then(|point| self.facts.get(&point).copied());
        }
        path.reverse();
        path.dedup();
        path
    }

    /// The facts where a node is entered, sorted.
    pub fn entering(&self, node: u32) -> Vec<Fact> {
        let facts = self.facts.keys().filter(|(at, _)| *at == node);
        let mut facts: Vec<Fact> = facts.map(|(_, fact)| *fact).collect();
        facts.sort_unstable();
        facts
    }
}

/// Facts about single functions that following values needs.
#[derive(Debug, Default)]
pub struct Liveness {
    /// For each function, the values alive where each block is entered.
    blocks: FxHashMap<usize, Vec<FixedBitSet>>,
}

impl Liveness {
    fn of<'l>(&'l mut self, model: &Model<'_>, instance: Instance) -> &'l [FixedBitSet] {
        let func = model.func(instance).index();
        self.blocks.entry(func).or_insert_with(|| {
            model
                .contexts
                .body(instance)
                .map_or_else(Vec::new, |body| live(model, body))
        })
    }
}

/// The values alive where each block is entered, without the block's own parameters.
fn live(model: &Model<'_>, body: &Body) -> Vec<FixedBitSet> {
    let count = body.values.len();
    let empty = FixedBitSet::with_capacity(count);
    let mut used = vec![empty.clone(); body.blocks.len()];
    let mut defined = vec![empty.clone(); body.blocks.len()];
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); body.blocks.len()];
    for (block, data) in body.blocks.iter() {
        let (used, defined) = (&mut used[block.index()], &mut defined[block.index()]);
        defined.extend(data.params.iter().map(|value| value.index()));
        for inst in &data.insts {
            inst.op.visit_operands(&model.program.target, |operand, _| {
                used.extend(operand.value().map(|value| value.index()));
            });
            defined.extend(inst.results.iter().map(|value| value.index()));
        }
        data.terminator
            .visit_operands(|operand| used.extend(operand.value().map(|value| value.index())));
        // Values are defined before they are used.
        used.difference_with(defined);
        for edge in data.terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    let mut entering = used;
    let mut open: Vec<Block> = body.blocks.ids().collect();
    while let Some(block) = open.pop() {
        for &from in &predecessors[block.index()] {
            let mut through = entering[block.index()].clone();
            through.difference_with(&defined[from.index()]);
            if !through.is_subset(&entering[from.index()]) {
                entering[from.index()].union_with(&through);
                open.push(from);
            }
        }
    }
    entering
}

/// Follows the inputs of a region that starts at `start`.
pub fn taint(model: &Model<'_>, start: u32, liveness: &mut Liveness) -> Taint {
    let mut search = Search {
        model,
        liveness,
        result: Taint::default(),
        open: VecDeque::new(),
        seen_branches: FixedBitSet::with_capacity(model.flow.graph.len()),
        seen_stores: FxHashMap::default(),
    };
    let region = model.flow.graph.reach(&[start], |to| to != END);
    for &node in &region {
        let sites = model.steps(node).map(|(site, _)| site);
        if sites
            .into_iter()
            .any(|site| model.accesses.inputs.contains(&site))
        {
            search.walk(node, None);
        }
    }
    while let Some(point) = search.open.pop_front() {
        search.walk(point.0, Some(point));
    }
    search.result
}

struct Search<'m> {
    model: &'m Model<'m>,
    liveness: &'m mut Liveness,
    result: Taint,
    open: VecDeque<Point>,
    seen_branches: FixedBitSet,
    seen_stores: FxHashMap<Site, ()>,
}

/// What is tainted inside a node, with its cause.
#[derive(Default)]
struct Local {
    facts: Vec<(Fact, Cause)>,
}

impl Local {
    fn cause(&self, fact: Fact) -> Option<Cause> {
        let mut facts = self.facts.iter();
        facts
            .find(|(other, _)| *other == fact)
            .map(|(_, cause)| *cause)
    }

    fn add(&mut self, fact: Fact, cause: Cause) {
        if self.cause(fact).is_none() {
            self.facts.push((fact, cause));
        }
    }

    fn touched(&self, touches: &[Touch]) -> Option<Cause> {
        let mut cells = self.facts.iter().filter_map(|(fact, cause)| match fact {
            Fact::Cell(cell) => Some((*cell, *cause)),
            Fact::Value(_) => None,
        });
        cells
            .find(|(cell, _)| touches.iter().any(|touch| touch.cells.contains(cell)))
            .map(|(_, cause)| cause)
    }
}

impl<'m> Search<'m> {
    fn value(&self, instance: Instance, value: Value) -> Fact {
        let first = self.model.contexts.activation(instance).first_value;
        Fact::Value(first + value.index() as u32)
    }

    fn found(&mut self, node: u32, fact: Fact, cause: Cause) {
        if node == END {
            return;
        }
        let point = (node, fact);
        if let std::collections::hash_map::Entry::Vacant(entry) = self.result.facts.entry(point) {
            entry.insert(cause);
            self.open.push_back(point);
        }
    }

    /// Follows one fact through a node; without one, what the node's inputs give.
    fn walk(&mut self, node: u32, point: Option<Point>) {
        let model = self.model;
        let mut local = Local::default();
        if let Some(point) = point {
            let passed = Cause {
                site: None,
                from: Some(point),
            };
            local.add(point.1, passed);
        }
        for (site, inst) in model.steps(node) {
            self.step(node, site, inst, &mut local, point.is_none());
        }
        self.leave(node, &local);
    }

    /// What one instruction makes of what is tainted before it.
    fn step(&mut self, node: u32, site: Site, inst: &Inst, local: &mut Local, begin: bool) {
        let model = self.model;
        let instance = site.instance;
        let mut cause = None;
        if begin && model.accesses.inputs.contains(&site) {
            cause = Some(Cause {
                site: Some(site),
                from: None,
            });
        }
        let operand = |this: &Self, local: &Local, operand: Operand| {
            let value = operand.value()?;
            local.cause(this.value(instance, value))
        };
        if cause.is_none() {
            inst.op.visit_operands(&model.program.target, |used, _| {
                cause =
                    cause.or_else(|| operand(self, local, used).map(|from| self.chain(site, from)));
            });
        }
        let effects = model.effects(site);
        if let (Some(effects), None) = (effects, cause) {
            if let Some(copied) = model.copied(effects) {
                self.copy(site, local, &copied);
                return;
            }
            cause = local
                .touched(&effects.reads)
                .map(|from| self.chain(site, from));
        }
        // A call with code passes its arguments on; what it returns is followed there.
        let is_code =
            !model.contexts.callees(site).is_empty() && !model.accesses.inputs.contains(&site);
        if let (Some(cause), false) = (cause, is_code) {
            for &result in &inst.results {
                local.add(self.value(instance, result), cause);
            }
        }
        let Some(effects) = effects else { return };
        for address in self.written_through(&inst.op) {
            if let Some(from) = operand(self, local, address) {
                let cause = self.chain(site, from);
                if self.seen_stores.insert(site, ()).is_none() {
                    self.result.stores.push((node, site, cause));
                }
            }
        }
        for touch in &effects.writes {
            match cause {
                Some(cause) => {
                    for cell in touch.cells.clone() {
                        local.add(Fact::Cell(cell), cause);
                    }
                }
                None if touch.sure => local.facts.retain(|(fact, _)| match fact {
                    Fact::Cell(cell) => !touch.cells.contains(cell),
                    Fact::Value(_) => true,
                }),
                None => {}
            }
        }
    }

    /// A copy of one exact place to another: each cell keeps what it has.
    fn copy(&mut self, site: Site, local: &mut Local, copied: &[(u32, u32)]) {
        let tainted: Vec<(u32, Cause)> = copied
            .iter()
            .filter_map(|&(from, to)| Some((to, local.cause(Fact::Cell(from))?)))
            .collect();
        local.facts.retain(|(fact, _)| match fact {
            Fact::Cell(cell) => !copied.iter().any(|(_, to)| to == cell),
            Fact::Value(_) => true,
        });
        for (to, from) in tainted {
            let cause = self.chain(site, from);
            local.add(Fact::Cell(to), cause);
        }
    }

    /// A fact made at `site` of one with the given cause. Causes inside a node name an
    /// instruction of it, so chains are kept by remembering intermediate facts.
    fn chain(&mut self, site: Site, from: Cause) -> Cause {
        match from.site {
            None => Cause {
                site: Some(site),
                from: from.from,
            },
            Some(_) => {
                let link = self.link(from);
                Cause {
                    site: Some(site),
                    from: Some(link),
                }
            }
        }
    }

    /// A point that stands for an intermediate fact, so that explanations can refer to it.
    fn link(&mut self, cause: Cause) -> Point {
        // Numbers that no value and no cell has.
        let number = u32::MAX - self.result.links;
        self.result.links += 1;
        let point = (u32::MAX, Fact::Value(number));
        self.result.facts.insert(point, cause);
        point
    }

    /// Passes facts on to what follows a node.
    fn leave(&mut self, node: u32, local: &Local) {
        let model = self.model;
        let graph = &model.flow.graph;
        let successors: Vec<u32> = graph.successors(node).to_vec();
        // A function that is restarted by itself finds what it is given as it was.
        let enters = model.setting.restart != Restart::Function || !model.flow.calls(node);
        let behind = model.flow.returns.get(&node).copied();
        for &(fact, cause) in &local.facts {
            if let Fact::Cell(_) = fact {
                let onwards = successors.iter().copied().filter(|_| enters);
                for to in onwards.chain(behind.filter(|_| !enters)) {
                    self.found(to, fact, cause);
                }
            }
        }
        let Some(instance) = model.node(node).instance else {
            return;
        };
        if let Some((site, terminator)) = model.terminator(node) {
            self.terminate(node, site, terminator, local);
        } else if let Some((site, inst)) = model.steps(node).last()
            && model.flow.calls(node)
        {
            self.call(node, site, inst, local);
        } else {
            for &to in &successors {
                self.carry(instance, to, local);
            }
        }
    }

    /// Values that a piece of the same function still wants.
    fn carry(&mut self, instance: Instance, to: u32, local: &Local) {
        let model = self.model;
        let target = model.node(to);
        if target.instance != Some(instance) {
            return;
        }
        let first = model.contexts.activation(instance).first_value;
        let alive = (target.first == 0 && target.filled.is_empty())
            .then(|| self.liveness.of(model, instance)[target.block.index()].clone());
        for &(fact, cause) in &local.facts {
            if let Fact::Value(number) = fact {
                let value = number.wrapping_sub(first) as usize;
                let wanted = alive.as_ref().is_none_or(|alive| alive.contains(value));
                if number >= first && wanted {
                    self.found(to, fact, cause);
                }
            }
        }
    }

    fn terminate(&mut self, node: u32, site: Site, terminator: &Terminator, local: &Local) {
        let model = self.model;
        let instance = site.instance;
        for &to in model.flow.graph.successors(node) {
            self.carry(instance, to, local);
        }
        let cause = |this: &Self, operand: Operand| {
            let value = operand.value()?;
            local.cause(this.value(instance, value))
        };
        let condition = match terminator {
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Switch { value, .. } => Some(*value),
            Terminator::Computed { address, .. } => Some(*address),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
        };
        if let Some(from) = condition.and_then(|condition| cause(self, condition)) {
            let cause = self.chain(site, from);
            self.branch(node, cause);
        }
        if let Terminator::Return(values) = terminator {
            for &behind in model.flow.graph.successors(node) {
                for (operand, result) in values.iter().zip(self.results(behind)) {
                    if let Some(from) = cause(self, *operand) {
                        let cause = self.chain(site, from);
                        self.found(behind, result, cause);
                    }
                }
            }
            return;
        }
        let Some(body) = model.contexts.body(instance) else {
            return;
        };
        for edge in terminator.edges() {
            let Some(to) = model.flow.first(instance, edge.block) else {
                continue;
            };
            let params = &body.blocks[edge.block].params;
            for (&param, &arg) in params.iter().zip(&edge.args) {
                if let Some(from) = cause(self, arg) {
                    self.found(to, self.value(instance, param), from);
                }
            }
        }
    }

    /// The values that a call before `behind` defines.
    fn results(&self, behind: u32) -> Vec<Fact> {
        let node = self.model.node(behind);
        let (Some(instance), Some(index)) = (node.instance, node.first.checked_sub(1)) else {
            return vec![];
        };
        let Some(body) = self.model.contexts.body(instance) else {
            return vec![];
        };
        let inst = &body.blocks[node.block].insts[index as usize];
        let results = inst.results.iter();
        results
            .map(|&result| self.value(instance, result))
            .collect()
    }

    fn call(&mut self, node: u32, site: Site, inst: &Inst, local: &Local) {
        let model = self.model;
        let Op::Call { callee, args, .. } = &inst.op else {
            return;
        };
        let cause = |this: &Self, operand: Operand| {
            let value = operand.value()?;
            local.cause(this.value(site.instance, value))
        };
        let alone = model.setting.restart == Restart::Function;
        let callees = model.contexts.callees(site).iter().filter(|_| !alone);
        for &callee in callees {
            let Some(body) = model.contexts.body(callee) else {
                continue;
            };
            let Some(entry) = model.flow.first(callee, body.entry()) else {
                continue;
            };
            let params = &body.blocks[body.entry()].params;
            for (&param, &arg) in params.iter().zip(args) {
                if let Some(from) = cause(self, arg) {
                    let cause = self.chain(site, from);
                    self.found(entry, self.value(callee, param), cause);
                }
            }
        }
        if let Callee::Indirect(address) = callee
            && let Some(from) = cause(self, *address)
        {
            let cause = self.chain(site, from);
            self.branch(node, cause);
        }
        if let Some(&behind) = model.flow.returns.get(&node) {
            self.carry(site.instance, behind, local);
        }
    }

    /// A branch that an input decides: what its ways leave different depends on it.
    fn branch(&mut self, node: u32, cause: Cause) {
        if self.seen_branches.put(node as usize) {
            return;
        }
        self.result.branches.push((node, cause));
        let model = self.model;
        let meet = model.flow.post_dominators[node as usize];
        let Some(meet) = meet.filter(|meet| *meet != END) else {
            return;
        };
        let link = self.link(cause);
        let decided = Cause {
            site: None,
            from: Some(link),
        };
        let influence = model.flow.influence(node);
        self.meet(node, &influence, meet, decided);
        self.counted(&influence, meet, decided);
        for &inside in &influence {
            for (site, _) in model.steps(inside) {
                let Some(effects) = model.effects(site) else {
                    continue;
                };
                let cause = Cause {
                    site: Some(site),
                    from: Some(link),
                };
                for cell in effects.writes.iter().flat_map(|touch| touch.cells.clone()) {
                    self.found(meet, Fact::Cell(cell), cause);
                }
            }
        }
    }

    /// Values that a loop defines and that are wanted behind it depend on how often it went round.
    fn counted(&mut self, influence: &[u32], meet: u32, cause: Cause) {
        let model = self.model;
        let target = model.node(meet);
        let Some(instance) = target.instance.filter(|_| target.first == 0) else {
            return;
        };
        let Some(body) = model.contexts.body(instance) else {
            return;
        };
        let alive = self.liveness.of(model, instance)[target.block.index()].clone();
        for &inside in influence {
            let node = model.node(inside);
            if node.instance != Some(instance) || !node.filled.is_empty() {
                continue;
            }
            let params = body.blocks[node.block]
                .params
                .iter()
                .filter(|_| node.first == 0);
            let results = model.steps(inside).flat_map(|(_, inst)| &inst.results);
            for &value in params.chain(results) {
                if alive.contains(value.index()) {
                    self.found(meet, self.value(instance, value), cause);
                }
            }
        }
    }

    /// What is defined where the ways meet depends on the way taken if the ways disagree.
    fn meet(&mut self, branch: u32, influence: &[u32], meet: u32, cause: Cause) {
        let mut given: Vec<(Fact, Vec<(Option<Instance>, Operand)>)> = Vec::new();
        let from = |node: &u32| *node == branch || influence.binary_search(node).is_ok();
        let predecessors = self.model.flow.graph.predecessors(meet).to_vec();
        for predecessor in predecessors.into_iter().filter(from) {
            for (fact, operand) in self.passed(predecessor, meet) {
                let instance = self.model.node(predecessor).instance;
                let one = (instance, operand);
                match given.iter_mut().find(|(other, _)| *other == fact) {
                    Some((_, operands)) => operands.push(one),
                    None => given.push((fact, vec![one])),
                }
            }
        }
        for (fact, operands) in given {
            if operands.windows(2).any(|pair| pair[0] != pair[1]) {
                self.found(meet, fact, cause);
            }
        }
    }

    /// What a node passes to the values defined by entering another.
    fn passed(&self, from: u32, to: u32) -> Vec<(Fact, Operand)> {
        let model = self.model;
        let Some((site, terminator)) = model.terminator(from) else {
            // The way through a finished loop.
            return match model.flow.graph.predecessors(from) {
                [before] if !model.node(from).filled.is_empty() => self.passed_by(*before, to),
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

    fn passed_by(&self, from: u32, to: u32) -> Vec<(Fact, Operand)> {
        match self.model.terminator(from) {
            Some((site, terminator)) => self.arguments(site, terminator, to),
            None => vec![],
        }
    }

    fn arguments(&self, site: Site, terminator: &Terminator, to: u32) -> Vec<(Fact, Operand)> {
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
                    .map(|(&param, &arg)| (self.value(instance, param), arg))
            })
            .collect()
    }

    /// The operands that say where an instruction writes, and how far.
    fn written_through(&self, op: &Op) -> Vec<Operand> {
        match op {
            Op::Store { address, .. } => vec![*address],
            Op::Copy { to, length, .. } | Op::Fill { to, length, .. } => vec![*to, *length],
            Op::Call {
                callee: Callee::Direct(func),
                args,
                ..
            } => {
                let function = &self.model.program.functions[*func];
                let places = match self.model.setting.roles.get(func) {
                    Some(Role::Input(Some(fill))) => fill.places(),
                    Some(_) => vec![],
                    None => library::places(library::model(&function.name).unwrap_or(&[])),
                };
                let places = places.into_iter();
                places
                    .filter_map(|index| args.get(index as usize).copied())
                    .collect()
            }
            _ => vec![],
        }
    }
}
