//! What depends on inputs that are read again after a power failure.
//!
//! Property: at every point of a region, the values and cells that another reading of an input of
//! the region could change, through data and through control. Algorithm: sets of tainted cells
//! (dense) and of tainted values that are still wanted (sparse) travel along the graph of the whole
//! program until nothing changes. A branch on a tainted condition taints, from the node on where
//! all its ways meet (its post-dominator), whatever its ways leave different: what they may write,
//! what they pass on, and what a loop counts. Between the branch and that node nothing changes:
//! given the way, its instructions do the same in every attempt. Overwriting with something
//! untainted clears; so does the end of the region. Values of a caller step over a call.
//!
//! Every tainted thing remembers the instruction that tainted it first and what that instruction
//! got it from; nodes are visited first come, first served, so that explanations are short.
//!
//! False positives: what may depend on an input but does not; callers that share a context.
//! False negatives: flows through memory that pointers reach in ways `points_to` does not see.

mod branch;
mod lasting;

pub use lasting::lasting;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use brownout_ir::{Callee, Id, Inst, Op, Operand, Terminator, Value};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::accesses::Effects;
use crate::contexts::{Instance, Site};
use crate::library;
use crate::liveness::Liveness;
use crate::model::Model;
use crate::patience::Stopped;
use crate::setting::{Fill, Length, Role};
use crate::supergraph::END;

/// Something tainted, where it is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// A value, by its number among those of all instances.
    Value(u32),
    /// A cell, as the node finds it.
    Cell(u32, u32),
    /// A branch, by its node.
    Branch(u32),
}

/// Where taint comes from: the instruction that made it, and what it was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The instruction; none where the fact was only passed on.
    pub site: Option<Site>,
    /// The fact before; none for an input.
    pub from: Option<Fact>,
}

/// The taint of one region.
#[derive(Debug, Default)]
pub struct Taint {
    /// What made each value tainted first.
    values: FxHashMap<u32, Cause>,
    /// What tainted a cell in a node, and where ways met.
    written: FxHashMap<(u32, u32), Cause>,
    met: FxHashMap<(u32, u32), Cause>,
    /// Where nodes are entered: the tainted cells, and the tainted values that are still wanted.
    cells: FxHashMap<u32, FixedBitSet>,
    wanted: FxHashMap<u32, BTreeSet<u32>>,
    /// Nodes that end with a branch on something tainted, with the cause, in order of discovery.
    pub branches: Vec<(u32, Cause)>,
    /// Writes through tainted addresses, with their nodes.
    pub stores: Vec<(u32, Site, Cause)>,
    /// Reads through tainted addresses.
    pub loads: BTreeMap<Site, Cause>,
    /// Writes of tainted values, and those that a tainted branch decides.
    pub writes: BTreeMap<Site, Cause>,
}

impl Taint {
    /// The instructions from an input to `cause`, in order.
    pub fn path(&self, model: &Model<'_>, cause: Cause) -> Vec<Site> {
        let mut path = Vec::new();
        let mut seen = BTreeSet::new();
        let mut at = Some(cause);
        while let Some(cause) = at {
            path.extend(cause.site);
            at = cause
                .from
                .filter(|fact| seen.insert(*fact))
                .and_then(|fact| self.cause(model, fact));
        }
        path.reverse();
        path.dedup();
        path
    }

    fn cause(&self, model: &Model<'_>, fact: Fact) -> Option<Cause> {
        match fact {
            Fact::Value(value) => self.values.get(&value).copied(),
            Fact::Branch(node) => {
                let mut branches = self.branches.iter();
                branches
                    .find(|(other, _)| *other == node)
                    .map(|(_, cause)| *cause)
            }
            Fact::Cell(cell, node) => self.writer(model, cell, node),
        }
    }

    /// What tainted a cell that a node finds tainted: the closest write before it.
    fn writer(&self, model: &Model<'_>, cell: u32, node: u32) -> Option<Cause> {
        let has = |node: u32| {
            self.cells
                .get(&node)
                .is_some_and(|set| set.contains(cell as usize))
        };
        if !has(node) {
            return self.written.get(&(cell, node)).copied();
        }
        let mut seen = BTreeSet::from([node]);
        let mut open = VecDeque::from([node]);
        while let Some(at) = open.pop_front() {
            if let Some(&cause) = self.met.get(&(cell, at)) {
                return Some(cause);
            }
            for &from in model.flow.graph.predecessors(at) {
                if let Some(&cause) = self.written.get(&(cell, from)) {
                    return Some(cause);
                }
                if has(from) && seen.insert(from) {
                    open.push_back(from);
                }
            }
        }
        None
    }

    /// The tainted cells where a node is entered.
    pub fn cells(&self, node: u32) -> impl Iterator<Item = u32> {
        let cells = self.cells.get(&node).into_iter();
        cells.flat_map(|cells| cells.ones().map(|cell| cell as u32))
    }

    /// The tainted values that are wanted where a node is entered, by number.
    pub fn values(&self, node: u32) -> impl Iterator<Item = u32> {
        self.wanted.get(&node).into_iter().flatten().copied()
    }
}

/// Follows the inputs of a region that starts at `start`.
///
/// # Errors
/// If that is not wanted any more.
pub fn taint(model: &Model<'_>, start: u32, liveness: &mut Liveness) -> Result<Taint, Stopped> {
    let region = model.flow.graph.reach(&[start], |to| to != END);
    Search::new(model, liveness, Passages::default()).follow(region)
}

struct Search<'m> {
    model: &'m Model<'m>,
    liveness: &'m mut Liveness,
    result: Taint,
    /// The nodes that have something to pass on, those that come first in the program before others: what several inputs
    /// lead to is passed on once.
    open: BTreeSet<(u32, u32)>,
    /// When a node's turn is.
    turn: FxHashMap<u32, u32>,
    seen_branches: FixedBitSet,
    seen_stores: BTreeSet<Site>,
    passages: Passages,
}

/// How taint gets beyond commits; of what is tainted within a region it does not.
#[derive(Default)]
struct Passages {
    /// Where execution goes on after a commit.
    beyond: FxHashMap<Site, Vec<u32>>,
    /// The nodes after calls, also of those that always commit.
    returns: FxHashMap<u32, u32>,
}

/// What is tainted at a point inside a node.
struct Local {
    node: u32,
    cells: FixedBitSet,
    values: BTreeSet<u32>,
}

impl<'m> Search<'m> {
    fn new(model: &'m Model<'m>, liveness: &'m mut Liveness, passages: Passages) -> Self {
        let count = model.flow.graph.len();
        Self {
            model,
            liveness,
            result: Taint::default(),
            open: BTreeSet::new(),
            turn: FxHashMap::default(),
            seen_branches: FixedBitSet::with_capacity(count),
            seen_stores: BTreeSet::new(),
            passages,
        }
    }

    /// Follows the inputs that some nodes read.
    fn follow(mut self, nodes: impl IntoIterator<Item = u32>) -> Result<Taint, Stopped> {
        let model = self.model;
        let reads = |&node: &u32| {
            let mut sites = model.steps(node).map(|(site, _)| site);
            sites.any(|site| model.accesses.inputs.contains(&site))
        };
        let inputs: Vec<u32> = nodes.into_iter().filter(reads).collect();
        let order = model.flow.graph.reverse_postorder(&inputs);
        self.turn = order.into_iter().zip(0..).collect();
        for node in inputs {
            self.visit(node);
        }
        while let Some((_, node)) = self.open.pop_first() {
            model.setting.interrupt.go_on()?;
            self.walk(node);
        }
        Ok(self.result)
    }

    fn number(&self, instance: Instance, value: Value) -> u32 {
        self.model.contexts.activation(instance).first_value + value.index() as u32
    }

    fn visit(&mut self, node: u32) {
        if node != END {
            // What comes after commits comes last.
            let turn = self.turn.get(&node).copied().unwrap_or(u32::MAX);
            self.open.insert((turn, node));
        }
    }

    /// A value becomes tainted; the first cause stays.
    fn made(&mut self, value: u32, cause: Cause) {
        self.result.values.entry(value).or_insert(cause);
    }

    /// A tainted value is wanted where a node is entered.
    fn carry_value(&mut self, node: u32, value: u32) {
        if node != END && self.result.wanted.entry(node).or_default().insert(value) {
            self.visit(node);
        }
    }

    fn carry_cells(&mut self, node: u32, cells: &FixedBitSet) {
        if node == END || cells.is_clear() {
            return;
        }
        let known = self.result.cells.entry(node).or_default();
        known.grow(cells.len());
        if !cells.is_subset(known) {
            known.union_with(cells);
            self.visit(node);
        }
    }

    fn walk(&mut self, node: u32) {
        let model = self.model;
        let mut cells = self.result.cells.get(&node).cloned().unwrap_or_default();
        cells.grow(model.accesses.cells.len());
        let mut local = Local {
            node,
            cells,
            values: self.result.wanted.get(&node).cloned().unwrap_or_default(),
        };
        for (site, inst) in model.steps(node) {
            self.step(site, inst, &mut local);
        }
        self.leave(node, &local);
    }

    fn operand(&self, local: &Local, instance: Instance, operand: Operand) -> Option<Fact> {
        let number = self.number(instance, operand.value()?);
        local
            .values
            .contains(&number)
            .then_some(Fact::Value(number))
    }

    /// What one instruction makes of what is tainted before it.
    fn step(&mut self, site: Site, inst: &Inst, local: &mut Local) {
        let model = self.model;
        let effects = model.effects(site);
        let is_input = model.accesses.inputs.contains(&site);
        let mut from = None;
        inst.op.visit_operands(&model.program.target, |used, _| {
            from = from.or_else(|| self.operand(local, site.instance, used));
        });
        if let (None, false, Some(effects)) = (from, is_input, effects) {
            if let Some(copied) = model.copied(effects) {
                self.copy(site, local, &copied);
                return;
            }
            from = touched(local, effects);
        }
        let read_through = match inst.op {
            Op::Load { address, .. } | Op::Copy { from: address, .. } => Some(address),
            _ => None,
        };
        if let Some(from) = read_through.and_then(|at| self.operand(local, site.instance, at)) {
            let cause = Cause {
                site: Some(site),
                from: Some(from),
            };
            self.result.loads.entry(site).or_insert(cause);
        }
        let cause = (is_input || from.is_some()).then_some(Cause {
            site: Some(site),
            from: from.filter(|_| !is_input),
        });
        // A call with code passes its arguments on; what it returns is followed there.
        let is_code = !model.contexts.callees(site).is_empty() && !is_input;
        if !is_code {
            for &result in &inst.results {
                let number = self.number(site.instance, result);
                match cause {
                    Some(cause) => {
                        self.made(number, cause);
                        local.values.insert(number);
                    }
                    // The next round of a loop defines it anew.
                    None => drop(local.values.remove(&number)),
                }
            }
        }
        let Some(effects) = effects else { return };
        for address in self.written_through(&inst.op) {
            if let Some(from) = self.operand(local, site.instance, address)
                && self.seen_stores.insert(site)
            {
                let cause = Cause {
                    site: Some(site),
                    from: Some(from),
                };
                self.result.stores.push((local.node, site, cause));
            }
        }
        if let Some(from) = self.decides_length(&inst.op, site, local)
            && self.seen_stores.insert(site)
        {
            let cause = Cause {
                site: Some(site),
                from,
            };
            self.result.stores.push((local.node, site, cause));
        }
        if let Some(cause) = cause.filter(|_| !effects.writes.is_empty()) {
            self.result.writes.entry(site).or_insert(cause);
        }
        for touch in &effects.writes {
            let range = touch.cells.start as usize..touch.cells.end as usize;
            match cause {
                Some(cause) => {
                    for cell in touch.cells.clone() {
                        self.result
                            .written
                            .entry((cell, local.node))
                            .or_insert(cause);
                    }
                    local.cells.insert_range(range);
                }
                None if touch.sure => local.cells.remove_range(range),
                None => {}
            }
        }
    }

    /// A copy of one exact place to another: each cell keeps what it has.
    fn copy(&mut self, site: Site, local: &mut Local, copied: &[(u32, u32)]) {
        let tainted: Vec<(u32, u32)> = copied
            .iter()
            .copied()
            .filter(|(from, _)| local.cells.contains(*from as usize))
            .collect();
        for (_, to) in copied {
            local.cells.set(*to as usize, false);
        }
        for (from, to) in tainted {
            let cause = Cause {
                site: Some(site),
                from: Some(Fact::Cell(from, local.node)),
            };
            self.result.writes.entry(site).or_insert(cause);
            self.result.written.entry((to, local.node)).or_insert(cause);
            local.cells.insert(to as usize);
        }
    }

    /// Passes facts on to what follows a node.
    fn leave(&mut self, node: u32, local: &Local) {
        let model = self.model;
        let successors = model.flow.graph.successors(node);
        let is_call = model.flow.calls(node);
        for &to in successors {
            self.carry_cells(to, &local.cells);
        }
        let Some(instance) = model.node(node).instance else {
            return;
        };
        let last = model.steps(node).last().map(|(site, _)| site);
        let beyond = last.and_then(|site| self.passages.beyond.get(&site));
        for to in beyond.cloned().unwrap_or_default() {
            self.carry_cells(to, &local.cells);
            self.carry(instance, to, local);
        }
        if let Some((site, terminator)) = model.terminator(node) {
            self.terminate(node, site, terminator, local);
        } else if let Some((site, inst)) = model.steps(node).last()
            && is_call
        {
            self.call(node, site, inst, local);
        } else {
            for &to in successors {
                self.carry(instance, to, local);
            }
        }
    }

    /// Values that a piece of the same function still wants.
    fn carry(&mut self, instance: Instance, to: u32, local: &Local) {
        let model = self.model;
        let target = model.node(to);
        if target.instance != Some(instance) || local.values.is_empty() {
            return;
        }
        let first = model.contexts.activation(instance).first_value;
        let begins = target.first == 0 && target.filled.is_empty();
        let wanted: Vec<u32> = {
            let alive = self.liveness.of(model, instance).entering(target.block);
            let values = local.values.iter().copied();
            values
                .filter(|&number| {
                    let value = number.wrapping_sub(first) as usize;
                    number >= first && (!begins || alive.contains(value))
                })
                .collect()
        };
        for number in wanted {
            self.carry_value(to, number);
        }
    }

    fn terminate(&mut self, node: u32, site: Site, terminator: &Terminator, local: &Local) {
        let model = self.model;
        let instance = site.instance;
        for &to in model.flow.graph.successors(node) {
            self.carry(instance, to, local);
        }
        let condition = match terminator {
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Switch { value, .. } => Some(*value),
            Terminator::Computed { address, .. } => Some(*address),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
        };
        if let Some(from) = condition.and_then(|it| self.operand(local, instance, it)) {
            self.branch(node, site, from);
        }
        if let Terminator::Return(values) = terminator {
            for &behind in model.flow.graph.successors(node) {
                for (operand, result) in values.iter().zip(self.results(behind)) {
                    if let Some(from) = self.operand(local, instance, *operand) {
                        self.pass(site, from, behind, result);
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
                if let Some(from) = self.operand(local, instance, arg) {
                    let number = self.number(instance, param);
                    self.made(
                        number,
                        Cause {
                            site: None,
                            from: Some(from),
                        },
                    );
                    self.carry_value(to, number);
                }
            }
        }
    }

    /// A tainted value is handed over to a value that entering a node defines.
    fn pass(&mut self, site: Site, from: Fact, node: u32, to: u32) {
        let cause = Cause {
            site: Some(site),
            from: Some(from),
        };
        self.made(to, cause);
        self.carry_value(node, to);
    }

    /// The values that a call before `behind` defines.
    fn results(&self, behind: u32) -> Vec<u32> {
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
            .map(|&result| self.number(instance, result))
            .collect()
    }

    fn call(&mut self, node: u32, site: Site, inst: &Inst, local: &Local) {
        let model = self.model;
        let Op::Call { callee, args, .. } = &inst.op else {
            return;
        };
        for &callee in model.contexts.callees(site) {
            let Some(body) = model.contexts.body(callee) else {
                continue;
            };
            let Some(entry) = model.flow.first(callee, body.entry()) else {
                continue;
            };
            let params = &body.blocks[body.entry()].params;
            for (&param, &arg) in params.iter().zip(args) {
                if let Some(from) = self.operand(local, site.instance, arg) {
                    self.pass(site, from, entry, self.number(callee, param));
                }
            }
        }
        if let Callee::Indirect(address) = callee
            && let Some(from) = self.operand(local, site.instance, *address)
        {
            self.branch(node, site, from);
        }
        let returns = [&model.flow.returns, &self.passages.returns];
        let behind = returns.iter().find_map(|nodes| nodes.get(&node)).copied();
        if let Some(behind) = behind {
            self.carry(site.instance, behind, local);
        }
    }

    /// What decides how far an input fills its buffers, if not an argument: what is tainted in memory that arguments point
    /// to, or nothing but the input itself.
    fn decides_length(&self, op: &Op, site: Site, local: &Local) -> Option<Option<Fact>> {
        let Op::Call {
            callee: Callee::Direct(func),
            args,
            ..
        } = op
        else {
            return None;
        };
        let Some(Role::Input(fills)) = self.model.setting.roles.get(func) else {
            return None;
        };
        let has = |length: Length| fills.iter().any(|fill| fill.length == length);
        if has(Length::Result) {
            return Some(None);
        }
        if !has(Length::Unknown) {
            return None;
        }
        let model = self.model;
        let targets = (args.iter()).flat_map(|&arg| model.points_to.of(site.instance, arg));
        let cells =
            targets.flat_map(|target| model.accesses.cells(target.object, i64::MIN, i64::MAX));
        let mut tainted = cells.filter(|&cell| local.cells.contains(cell as usize));
        let cell = tainted.next()?;
        Some(Some(Fact::Cell(cell, local.node)))
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
                    Some(Role::Input(fills)) => fills.iter().flat_map(Fill::places).collect(),
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

/// A tainted cell that an instruction may read.
fn touched(local: &Local, effects: &Effects) -> Option<Fact> {
    let mut cells = effects.reads.iter().flat_map(|touch| touch.cells.clone());
    let cell = cells.find(|&cell| local.cells.contains(cell as usize))?;
    Some(Fact::Cell(cell, local.node))
}
