//! Symbolic execution of one attempt at a region, all ways at once.
//!
//! Nodes are executed in the order of [`RegionGraph`]; where ways meet, states are joined. Loops are
//! unrolled as far as [`ROUNDS`] goes; those that go on are *closed* and summarised instead
//! ([`crate::closed`]). Calls are followed into the callee: every instance has one caller here.
//!
//! What a program without faults never does (dividing by zero, leaving an object) is *required* not to
//! happen. That is assumed of executions that continuous ones begin with, and has to be shown of the last
//! attempt. Aborts and failed assertions are ends: programs may have them, and come to them alike.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::{Kind, Object};
use brownout_flow::supergraph::Reason;
use brownout_ir::source::Place;
use brownout_ir::{Edge, Op, Operand, Service, Terminator, Type};
use brownout_solver::{Bytes, Term};

use crate::closed::Summary;
use crate::dataflow::dies;
use crate::graph::{RegionGraph, Stage, successors};
use crate::question::{Difference, Source};
use crate::state::State;
use crate::world::{Side, World};

/// How often loops are gone round.
pub const ROUNDS: u32 = 70;
/// How many nodes an attempt may have.
const NODES: usize = 40_000;
/// How many terms a region may have.
const TERMS: usize = 3_000_000;

/// Why an attempt cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The loop with this head goes on for too long.
    Endless(u32),
    /// Something that is not understood, and where.
    Unsupported(String, Option<Place>),
}

/// Where a region ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Boundary {
    /// A commit; the stage tells passages apart where a commit need not happen.
    Commit(Reason, Option<Stage>),
    /// The end of the program, or of the function that a library's user called.
    End,
    /// The program aborts, fails an assertion or traps.
    Death,
}

/// What a power failure leaves.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The instruction that was executed last, or torn.
    pub site: Site,
    /// Whether the attempt gets there.
    pub guard: Term,
    /// Memory that was written.
    pub memory: BTreeMap<Object, Bytes>,
    /// The environment.
    pub environment: Vec<Term>,
    /// Which outputs that must not be repeated were done.
    pub done: Vec<Term>,
}

/// What became of an attempt.
#[derive(Debug, Default)]
pub struct Run {
    /// The states at the boundaries.
    pub ends: BTreeMap<Boundary, State>,
    /// What must hold, or something went wrong that never should, and what that is.
    pub required: Vec<(Difference, Term)>,
    /// Where power can fail and leave something.
    pub failures: Vec<Failure>,
}

/// One attempt while it is followed.
pub struct Attempt<'w, 'm> {
    pub(crate) world: &'w mut World<'m>,
    pub(crate) graph: &'w RegionGraph,
    pub(crate) closed: &'w BTreeSet<u32>,
    pub(crate) side: Side,
    /// Which outputs that must not be repeated the failed attempt has done.
    pub(crate) before: Vec<Term>,
    pub(crate) summaries: &'w mut BTreeMap<Stage, Summary>,
    pub(crate) pending: BTreeMap<Stage, State>,
    pub(crate) run: Run,
}

impl Attempt<'_, '_> {
    /// Follows the attempt from a state at the start of the region.
    pub fn follow(mut self, state: State) -> Result<Run, Obstacle> {
        let start = self.graph.start(self.world.start.node);
        self.pending.insert(start, state);
        let mut nodes = 0;
        while let Some((stage, state)) = self.pending.pop_first() {
            if self.world.terms.value(state.guard) == Some(0) {
                continue;
            }
            nodes += 1;
            if nodes > NODES || self.world.terms.len() > TERMS {
                return Err(Obstacle::Unsupported(
                    "a region this large".to_owned(),
                    None,
                ));
            }
            if self.graph.is_head(stage.node) && self.closed.contains(&stage.node) {
                self.summarise(&stage, state)?;
                continue;
            }
            let rounds = self.world.question.rounds.unwrap_or(ROUNDS);
            if let Some(head) = self.graph.exceeded(&stage, rounds) {
                return Err(Obstacle::Endless(head));
            }
            self.node(&stage, state)?;
        }
        Ok(self.run)
    }

    /// What the last node of a straight piece of code is, and what comes after.
    fn node(&mut self, stage: &Stage, mut state: State) -> Result<(), Obstacle> {
        let model = self.world.model;
        let steps: Vec<_> = model.steps(stage.node).collect();
        let calls = model.flow.calls(stage.node);
        for (position, (site, inst)) in steps.iter().enumerate() {
            let last = position + 1 == steps.len();
            if last && calls {
                return self.call(stage, state, *site);
            }
            if last && self.is_commit(*site) {
                return self.commit(stage, state, *site);
            }
            match &inst.op {
                Op::Service {
                    service: Service::Exit,
                    args,
                } => {
                    let int = [self.world.model.program.int()];
                    self.finish(*site, args, &int, state);
                    return Ok(());
                }
                Op::Service {
                    service: Service::SetJump | Service::LongJump,
                    ..
                } => {
                    return Err(self.unsupported("a jump across functions", *site));
                }
                _ => {}
            }
            if dies(model, &inst.op) {
                self.end(Boundary::Death, state);
                return Ok(());
            }
            self.instruction(*site, inst, &mut state)?;
        }
        match model.terminator(stage.node) {
            Some((site, terminator)) => self.leave(stage, state, site, terminator),
            None => match successors(model, stage.node)[..] {
                [next] => {
                    self.go(stage, next, state);
                    Ok(())
                }
                _ => Err(Obstacle::Unsupported("control flow".to_owned(), None)),
            },
        }
    }

    fn is_commit(&self, site: Site) -> bool {
        let starts = self.world.model.flow.starts.iter();
        starts
            .into_iter()
            .any(|start| start.reason == Reason::Checkpoint(site))
    }

    /// Gets to a node with a state.
    pub(crate) fn go(&mut self, from: &Stage, node: u32, state: State) {
        let stage = self.graph.follow(from, node);
        match self.pending.remove(&stage) {
            Some(mut other) => {
                other.join(self.world, &state);
                self.pending.insert(stage, other);
            }
            None => _ = self.pending.insert(stage, state),
        }
    }

    pub(crate) fn end(&mut self, boundary: Boundary, state: State) {
        match self.run.ends.remove(&boundary) {
            Some(mut other) => {
                other.join(self.world, &state);
                self.run.ends.insert(boundary, other);
            }
            None => _ = self.run.ends.insert(boundary, state),
        }
    }

    fn commit(&mut self, stage: &Stage, state: State, site: Site) -> Result<(), Obstacle> {
        let reason = Reason::Checkpoint(site);
        let mut next = successors(self.world.model, stage.node);
        // The first commit that a program comes to has happened when power fails after it: somewhere the
        // program must go on then. Later ones that need not happen are passed as well.
        if self.world.start.reason == Reason::Entry {
            next.clear();
        }
        let passage = (!next.is_empty()).then(|| stage.clone());
        self.end(Boundary::Commit(reason, passage), state.clone());
        for node in next {
            self.go(stage, node, state.clone());
        }
        Ok(())
    }

    /// Requires something of all executions that get to a state; `what` they differ in from others if it does
    /// not hold.
    pub(crate) fn require(&mut self, what: Difference, guard: Term, condition: Term) {
        let terms = &mut self.world.terms;
        let not = terms.not(guard);
        let holds = terms.or(not, condition);
        if terms.value(holds) != Some(1) {
            self.run.required.push((what, holds));
        }
    }

    /// Nobody gets here.
    fn faults(&mut self, state: &State) {
        let no = self.world.terms.no();
        self.require(Difference::Fault, state.guard, no);
    }

    pub(crate) fn unsupported(&self, what: &str, site: Site) -> Obstacle {
        Obstacle::Unsupported(what.to_owned(), self.world.model.place(site))
    }

    fn call(&mut self, stage: &Stage, mut state: State, site: Site) -> Result<(), Obstacle> {
        let model = self.world.model;
        let &[callee] = model.contexts.callees(site) else {
            return Err(self.unsupported("a call of one of several functions", site));
        };
        let activation = model.contexts.activation(callee);
        if activation.recursive || activation.caller != Some(site) {
            return Err(self.unsupported("a function that calls itself", site));
        }
        let (Some(body), Some(inst)) = (model.contexts.body(callee), model.inst(site)) else {
            return Err(self.unsupported("a call", site));
        };
        let Op::Call {
            callee: whom,
            args,
            arg_types,
            ..
        } = &inst.op
        else {
            return Err(self.unsupported("a call", site));
        };
        if let brownout_ir::Callee::Indirect(address) = whom {
            let functions = model.points_to.functions(site.instance, *address);
            let &[func] = &functions[..] else {
                return Err(self.unsupported("a call of one of several functions", site));
            };
            // Nothing else can be called, but nobody knows yet that the address is this one.
            let expected = self.world.base(Kind::Code(func));
            let width = self.world.terms.width(expected);
            let found = self.operand(site.instance, *address, width, &state);
            let is_it = self.world.terms.equal(found, expected);
            self.require(Difference::Fault, state.guard, is_it);
        }
        let target = &model.program.target;
        for (index, param) in body.blocks[body.entry()].params.iter().enumerate() {
            let width = body.values[*param].bits(target);
            let arg = match (args.get(index), arg_types.get(index)) {
                (Some(arg), Some(ty)) if ty.bits(target) == width => {
                    self.operand(site.instance, *arg, width, &state)
                }
                (None, _) => self.world.terms.constant(width, 0),
                _ => return Err(self.unsupported("arguments of other types", site)),
            };
            state.values.insert((callee, *param), arg);
        }
        let Some(entry) = model.flow.first(callee, body.entry()) else {
            return Err(self.unsupported("a call", site));
        };
        self.go(stage, entry, state);
        Ok(())
    }

    /// What an operand is.
    pub(crate) fn operand(
        &mut self,
        instance: Instance,
        operand: Operand,
        width: u32,
        state: &State,
    ) -> Term {
        let world = &mut *self.world;
        let moved = |world: &mut World<'_>, kind: Kind, by: i64| {
            let base = world.base(kind);
            world.terms.offset(base, by as u128)
        };
        let address = match operand {
            Operand::Value(value) => state.value(world, instance, value),
            Operand::Bits(bits) => world.terms.constant(width, bits),
            Operand::Global(global, by) => moved(world, Kind::Global(global), by),
            Operand::Slot(slot, by) => moved(world, Kind::Slot(instance, slot), by),
            Operand::Func(func) => world.base(Kind::Code(func)),
            Operand::BlockAddress(func, block) => world.block(func, block),
        };
        let found = world.terms.width(address);
        crate::operators::resize(&mut world.terms, address, found, width)
    }

    fn leave(
        &mut self,
        stage: &Stage,
        state: State,
        site: Site,
        terminator: &Terminator,
    ) -> Result<(), Obstacle> {
        match terminator {
            Terminator::Jump(edge) => self.edge(stage, state, site, edge),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.operand(site.instance, *condition, 1, &state);
                let not = self.world.terms.not(condition);
                self.under(stage, &state, condition, site, then)?;
                self.under(stage, &state, not, site, otherwise)
            }
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                let width = ty.bits(&self.world.model.program.target);
                let value = self.operand(site.instance, *value, width, &state);
                let mut none = self.world.terms.yes();
                for (case, edge) in cases {
                    let case = self.world.terms.constant(width, *case);
                    let here = self.world.terms.equal(value, case);
                    // The first case that fits is taken.
                    let taken = self.world.terms.and(none, here);
                    self.under(stage, &state, taken, site, edge)?;
                    let not = self.world.terms.not(here);
                    none = self.world.terms.and(none, not);
                }
                self.under(stage, &state, none, site, default)
            }
            Terminator::Computed { .. } => Err(self.unsupported("a computed jump", site)),
            Terminator::Return(values) => self.give_back(stage, state, site, values),
            Terminator::Unreachable => {
                self.faults(&state);
                Ok(())
            }
        }
    }

    fn under(
        &mut self,
        stage: &Stage,
        state: &State,
        condition: Term,
        site: Site,
        edge: &Edge,
    ) -> Result<(), Obstacle> {
        let guard = self.world.terms.and(state.guard, condition);
        if self.world.terms.value(guard) == Some(0) {
            return Ok(());
        }
        let mut taken = state.clone();
        taken.guard = guard;
        self.edge(stage, taken, site, edge)
    }

    fn edge(
        &mut self,
        stage: &Stage,
        mut state: State,
        site: Site,
        edge: &Edge,
    ) -> Result<(), Obstacle> {
        let model = self.world.model;
        let Some(body) = model.contexts.body(site.instance) else {
            return Err(self.unsupported("a jump", site));
        };
        let Some(to) = model.flow.first(site.instance, edge.block) else {
            // The ranges of values say that nobody gets there.
            self.faults(&state);
            return Ok(());
        };
        if !successors(model, stage.node).contains(&to) {
            self.faults(&state);
            return Ok(());
        }
        let params = &body.blocks[edge.block].params;
        let mut arguments = Vec::new();
        for (param, arg) in params.iter().zip(&edge.args) {
            let width = body.values[*param].bits(&model.program.target);
            arguments.push((*param, self.operand(site.instance, *arg, width, &state)));
        }
        for (param, arg) in arguments {
            state.values.insert((site.instance, param), arg);
        }
        self.go(stage, to, state);
        Ok(())
    }

    /// The program ends with a status, or a function that a library's user called returns.
    fn finish(&mut self, site: Site, values: &[Operand], types: &[Type], mut state: State) {
        let target = &self.world.model.program.target;
        let mut results = Vec::new();
        for (value, ty) in values.iter().zip(types) {
            results.push(self.operand(site.instance, *value, ty.bits(target), &state));
        }
        state.result = match results[..] {
            [] => state.result,
            [one] if self.world.terms.width(one) <= 64 => self.world.terms.zero_extend(one, 64),
            _ => self.world.output(Source::Result, &results),
        };
        self.end(Boundary::End, state);
    }

    fn give_back(
        &mut self,
        stage: &Stage,
        mut state: State,
        site: Site,
        values: &[Operand],
    ) -> Result<(), Obstacle> {
        let model = self.world.model;
        if model.contexts.roots.contains(&site.instance) {
            let types = &model.program.functions[model.func(site.instance)].results;
            self.finish(site, values, types, state);
            return Ok(());
        }
        let Some(caller) = model.contexts.activation(site.instance).caller else {
            return Err(self.unsupported("a function with several callers", site));
        };
        let &[next] = &successors(model, stage.node)[..] else {
            return Err(self.unsupported("a return", site));
        };
        let (Some(inst), Some(body)) = (model.inst(caller), model.contexts.body(caller.instance))
        else {
            return Err(self.unsupported("a return", site));
        };
        let target = &model.program.target;
        let types = &model.program.functions[model.func(site.instance)].results;
        for (index, result) in inst.results.iter().enumerate() {
            let width = body.values[*result].bits(target);
            let value = match (
                values.get(index),
                types.get(index).map(|ty: &Type| ty.bits(target)),
            ) {
                (Some(value), Some(bits)) if bits == width => {
                    self.operand(site.instance, *value, width, &state)
                }
                (None, _) => self.world.terms.constant(width, 0),
                _ => return Err(self.unsupported("results of other types", site)),
            };
            state.values.insert((caller.instance, *result), value);
        }
        self.go(stage, next, state);
        Ok(())
    }
}
