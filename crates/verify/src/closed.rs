//! Loops that are not unrolled: what they do is not known, but they do the same to the same.
//!
//! A closed loop is a function of what it reads: the values it uses, the memory it may read, the
//! readings still to come. The continuous execution gets unknown results; the last attempt gets the
//! same, and has to show that all that the loop reads is the same on both sides. An attempt that
//! fails may fail in the middle: then anything may be in what the loop may write.
//!
//! What the loop surely overwrites, by the sets of `flow`, is overwritten in the summary as well; so
//! "the loop fills the whole buffer before anything reads it" needs no more than this. Of loops that count
//! (`counted`) it is known how far they read and write. It is assumed that loops end.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::accesses::{Touch, is_nonvolatile};
use brownout_flow::contexts::{At, Instance, Site};
use brownout_flow::objects::Object;
use brownout_flow::supergraph::END;
use brownout_ir::{Op, Value};
use brownout_solver::{Binary, Function, Stretch, Term, within};

use crate::counted::Counted;
use crate::execute::{Attempt, Boundary, Failure, Obstacle};
use crate::graph::{Stage, successors};
use crate::question::{Difference, Effect, Seen};
use crate::state::State;
use crate::world::Side;

/// The most bytes of an object that are compared one by one.
const COMPARED: u128 = 64;

/// What a closed loop gives.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The state in which the continuous execution gets there.
    entered: State,
    /// What it computes.
    values: BTreeMap<(Instance, Value), Term>,
    /// Which bytes of which objects it changes, and to what.
    memory: BTreeMap<Object, (Function, Function)>,
    /// How often inputs were read when it ends.
    readings: BTreeMap<Site, Term>,
    /// What it does to outputs, to each value of the environment, and to each output that must not be
    /// repeated.
    outputs: Function,
    environment: Vec<Function>,
    done: Vec<Term>,
    /// Which way it is left.
    way: Term,
}

/// Stretches of bytes of objects.
type Stretches = BTreeMap<Object, BTreeSet<Stretch>>;

/// What a closed loop does to the world around it, by the sets of `flow`.
#[derive(Default)]
struct Reach {
    used: BTreeSet<(Instance, Value)>,
    defined: BTreeSet<(Instance, Value)>,
    reads: Stretches,
    writes: Stretches,
    /// What a loop that counts has surely overwritten when it is left by its test.
    overwrites: Stretches,
    counted: Option<Counted>,
    /// What holds of a loop that counts up to its bound, and stays in its objects.
    inside: Vec<Term>,
    inputs: BTreeSet<Site>,
    outputs: bool,
    exits: Vec<(u32, u32)>,
}

impl Attempt<'_, '_> {
    /// Passes a closed loop.
    pub(crate) fn summarise(&mut self, stage: &Stage, state: State) -> Result<(), Obstacle> {
        let reach = self.reach(stage.node, &state)?;
        let summary = match self.side {
            Side::Continuous => {
                let new = self.fresh(&reach, &state);
                self.summaries.insert(stage.clone(), new.clone());
                new
            }
            Side::Failed => self.fresh(&reach, &state),
            Side::Last => match self.summaries.get(stage).cloned() {
                Some(known) => {
                    let same = self.reads_the_same(&reach, &known.entered, &state);
                    // That it does not fault is known of the continuous execution, if that gets there.
                    let same = self.world.terms.and(same, known.entered.guard);
                    self.require(Difference::Loop, state.guard, same);
                    known
                }
                // The continuous execution never gets there.
                None => {
                    let no = self.world.terms.no();
                    self.require(Difference::Loop, state.guard, no);
                    return Ok(());
                }
            },
        };
        // The last attempt does the same to the same.
        if let (Side::Continuous | Side::Failed, &[(from, to)]) = (self.side, &reach.exits[..])
            && self.is_left_by_test(&reach, from, to)
        {
            for inside in &reach.inside {
                self.require(Difference::Fault, state.guard, *inside);
            }
        }
        if self.side == Side::Failed {
            self.fail_inside(&reach, &summary, &state);
        }
        if self.side == Side::Last && reach.outputs {
            let done = self.before.clone().into_iter().zip(&summary.done);
            for (output, (before, now)) in (0..).zip(done) {
                let again = self.world.terms.and(before, *now);
                let fine = self.world.terms.not(again);
                let what = Difference::Output(Seen::Repeated(output));
                self.require(what, state.guard, fine);
            }
        }
        if reach.exits.is_empty() {
            return self.halts(&reach, stage, state);
        }
        for (number, (from, to)) in reach.exits.iter().enumerate() {
            let number = self.world.terms.constant(16, number as u128);
            let taken = self.world.terms.equal(summary.way, number);
            let mut left = self.after(&reach, &summary, &state, *from, *to);
            left.guard = self.world.terms.and(state.guard, taken);
            self.go(stage, *to, left);
        }
        // It is left by one of its ways.
        let count = self.world.terms.constant(16, reach.exits.len() as u128);
        let ends = self.world.terms.binary(Binary::ULess, summary.way, count);
        self.world.facts.push(ends);
        Ok(())
    }

    /// Whether a loop that counts is left by its test on the way from one node to another.
    fn is_left_by_test(&self, reach: &Reach, from: u32, to: u32) -> bool {
        let (from, to) = (self.world.model.node(from), self.world.model.node(to));
        let (Some(counted), Some(instance)) = (&reach.counted, from.instance) else {
            return false;
        };
        from.terminates && counted.is_left(instance, from.block, to.block)
    }

    /// A loop without a way out is the end of the program, if it does nothing.
    fn halts(&mut self, reach: &Reach, stage: &Stage, state: State) -> Result<(), Obstacle> {
        if !reach.writes.is_empty() || reach.outputs {
            let place = self.world.model.terminator(stage.node);
            let place = place.and_then(|(site, _)| self.world.model.place(site));
            return Err(Obstacle::Unsupported(
                "a loop that never ends".to_owned(),
                place,
            ));
        }
        self.end(Boundary::End, state);
        Ok(())
    }

    /// Unknown results.
    fn fresh(&mut self, reach: &Reach, state: &State) -> Summary {
        let model = self.world.model;
        let pointer = self.world.pointer;
        let terms = &mut self.world.terms;
        let mut values = BTreeMap::new();
        for &(instance, value) in &reach.defined {
            if let Some(body) = model.contexts.body(instance) {
                let width = body.values[value].bits(&model.program.target);
                values.insert((instance, value), terms.variable(width));
            }
        }
        let mut memory = BTreeMap::new();
        for object in reach.writes.keys() {
            let changed = terms.function(&[pointer], 1);
            let bytes = terms.function(&[pointer], 8);
            memory.insert(*object, (changed, bytes));
        }
        let readings = reach
            .inputs
            .iter()
            .map(|site| (*site, terms.variable(32)))
            .collect();
        let widths = vec![64; state.environment.len()];
        Summary {
            entered: state.clone(),
            values,
            memory,
            readings,
            outputs: terms.function(&[64], 64),
            environment: widths.iter().map(|_| terms.function(&widths, 64)).collect(),
            done: state.done.iter().map(|_| terms.variable(1)).collect(),
            way: terms.variable(16),
        }
    }

    /// The state in which the loop is left from one node to another.
    fn after(
        &mut self,
        reach: &Reach,
        summary: &Summary,
        state: &State,
        from: u32,
        to: u32,
    ) -> State {
        let mut left = state.clone();
        left.values
            .extend(summary.values.iter().map(|(key, term)| (*key, *term)));
        let must = self.filled(reach, from, to);
        for (object, (changed, bytes)) in &summary.memory {
            let below = state.memory(self.world, *object);
            let may = reach.writes[object].iter().copied().collect();
            let must = must.get(object).into_iter().flatten().copied().collect();
            let above = self
                .world
                .arrays
                .overlay(below, *changed, *bytes, may, must);
            left.memory.insert(*object, above);
        }
        left.readings
            .extend(summary.readings.iter().map(|(site, term)| (*site, *term)));
        if reach.outputs {
            let terms = &mut self.world.terms;
            left.outputs = terms.apply(summary.outputs, &[state.outputs]);
            for (value, function) in left.environment.iter_mut().zip(&summary.environment) {
                *value = terms.apply(*function, &state.environment);
            }
            for (done, new) in left.done.iter_mut().zip(&summary.done) {
                *done = terms.or(*done, *new);
            }
        }
        left
    }

    /// What is surely overwritten when the loop is left from one node to another.
    fn filled(&mut self, reach: &Reach, from: u32, to: u32) -> Stretches {
        let model = self.world.model;
        let mut found = Stretches::new();
        for &next in model.flow.graph.successors(from) {
            if model.flow.graph.successors(next).contains(&to) {
                let touches = model.node(next).filled.iter();
                for cell in touches.flat_map(|touch| touch.cells.clone()) {
                    let object = model.accesses.cells[cell as usize].object;
                    let stretch = self.cell(cell);
                    found.entry(object).or_default().insert(stretch);
                }
            }
        }
        if self.is_left_by_test(reach, from, to) {
            for (object, stretches) in &reach.overwrites {
                found.entry(*object).or_default().extend(stretches);
            }
        }
        found
    }

    /// Where a cell lies in its object.
    fn cell(&mut self, cell: u32) -> Stretch {
        let cell = self.world.model.accesses.cells[cell as usize];
        let size = self.world.model.points_to.objects.data(cell.object).size;
        let end = cell.end.min(size.unwrap_or(i64::MAX));
        let pointer = self.world.pointer;
        let mut at = |byte: i64| self.world.terms.constant(pointer, byte.max(0) as u128);
        (at(cell.start), at(end))
    }

    /// Power fails somewhere in the loop.
    fn fail_inside(&mut self, reach: &Reach, summary: &Summary, state: &State) {
        let model = self.world.model;
        let mut memory = state.memory.clone();
        for (object, may) in &reach.writes {
            if !is_nonvolatile(model.setting, model.points_to.objects.data(*object).kind) {
                continue;
            }
            let below = state.memory(self.world, *object);
            let may = may.iter().copied().collect();
            let pointer = self.world.pointer;
            let changed = self.world.terms.function(&[pointer], 1);
            let bytes = self.world.terms.function(&[pointer], 8);
            let above = self
                .world
                .arrays
                .overlay(below, changed, bytes, may, vec![]);
            memory.insert(*object, above);
        }
        let (mut environment, mut done) = (state.environment.clone(), state.done.clone());
        if reach.outputs {
            let terms = &mut self.world.terms;
            environment
                .iter_mut()
                .for_each(|value| *value = terms.variable(64));
            done.iter_mut().for_each(|value| *value = terms.variable(1));
        }
        let instance = summary.values.keys().next().map(|(instance, _)| *instance);
        let node = model.node(self.world.start.node);
        let site = Site {
            instance: instance
                .or(node.instance)
                .unwrap_or_else(|| brownout_ir::Id::from_index(0)),
            at: At {
                block: node.block,
                index: node.first,
            },
        };
        self.run.failures.push(Failure {
            site,
            guard: state.guard,
            memory,
            environment,
            done,
        });
    }

    /// Whether two states are the same in all that the loop reads. That is asked of an attempt, so of many bytes it is
    /// enough that any one of them, whichever that is, is the same.
    fn reads_the_same(&mut self, reach: &Reach, one: &State, other: &State) -> Term {
        let mut same = self.world.terms.yes();
        for &(instance, value) in &reach.used {
            let a = one.value(self.world, instance, value);
            let b = other.value(self.world, instance, value);
            let equal = self.world.terms.equal(a, b);
            same = self.world.terms.and(same, equal);
        }
        for site in &reach.inputs {
            let a = one.readings(self.world, *site);
            let b = other.readings(self.world, *site);
            let equal = self.world.terms.equal(a, b);
            same = self.world.terms.and(same, equal);
        }
        for (object, stretches) in &reach.reads {
            let a = one.memory(self.world, *object);
            let b = other.memory(self.world, *object);
            if a == b {
                continue;
            }
            for &(start, end) in stretches {
                let world = &mut *self.world;
                let number = |term| world.terms.value(term);
                let indices: Vec<Term> = match (number(start), number(end)) {
                    (Some(start), Some(end)) if end.saturating_sub(start) <= COMPARED => {
                        let pointer = world.pointer;
                        let mut index = |index| world.terms.constant(pointer, index);
                        (start..end).map(&mut index).collect()
                    }
                    _ => vec![world.terms.variable(world.pointer)],
                };
                for index in indices {
                    let inside = within(&mut world.terms, &[(start, end)], index);
                    let a = world.arrays.select(&mut world.terms, a, index);
                    let b = world.arrays.select(&mut world.terms, b, index);
                    let differ = world.terms.differ(a, b);
                    let wrong = world.terms.and(inside, differ);
                    let fine = world.terms.not(wrong);
                    same = world.terms.and(same, fine);
                }
            }
        }
        same
    }

    /// What a loop uses, defines, reads and writes, and how it is left.
    fn reach(&mut self, head: u32, state: &State) -> Result<Reach, Obstacle> {
        let model = self.world.model;
        let members: BTreeSet<u32> = self.graph.members(head).into_iter().collect();
        let mut reach = Reach {
            counted: self.counted(head),
            ..Reach::default()
        };
        for &node in &members {
            let ends = model.flow.graph.successors(node).contains(&END);
            if ends {
                let what = "a loop of unknown length in which the region can end";
                return Err(Obstacle::Unsupported(what.to_owned(), None));
            }
            self.arriving(node, &mut reach.defined);
            for (site, inst) in model.steps(node) {
                self.step(site, &inst.op, &mut reach)?;
                self.accesses(site, &inst.op, &mut reach, state)?;
                let results = inst.results.iter().map(|value| (site.instance, *value));
                reach.defined.extend(results);
            }
            if let Some((site, terminator)) = model.terminator(node) {
                terminator.visit_operands(|operand| {
                    let value = operand.value().map(|value| (site.instance, value));
                    reach.used.extend(value);
                });
            }
            for next in successors(model, node) {
                if !members.contains(&next) {
                    reach.exits.push((node, next));
                    self.arriving(next, &mut reach.defined);
                }
            }
        }
        // What the head gets is used; what is computed inside before it is used is not, unless the
        // loop finds it there.
        let mut arriving = BTreeSet::new();
        self.arriving(head, &mut arriving);
        let inside: BTreeSet<(Instance, Value)> =
            reach.defined.difference(&arriving).copied().collect();
        let old = self.begun_before();
        reach
            .used
            .retain(|key| !inside.contains(key) || old.contains(&key.0));
        reach.used.extend(arriving);
        Ok(reach)
    }

    /// The activations that exist when the region starts: what their loops compute may be older.
    fn begun_before(&self) -> BTreeSet<Instance> {
        let model = self.world.model;
        let mut found = BTreeSet::new();
        let mut at = model.node(self.world.start.node).instance;
        while let Some(instance) = at.filter(|instance| !found.contains(instance)) {
            found.insert(instance);
            at = model
                .contexts
                .activation(instance)
                .caller
                .map(|site| site.instance);
        }
        found
    }

    /// The values that are given to whoever gets to a node: parameters of a block, results of a call.
    fn arriving(&self, node: u32, found: &mut BTreeSet<(Instance, Value)>) {
        let model = self.world.model;
        let data = model.node(node);
        let Some(instance) = data.instance else {
            return;
        };
        let Some(body) = model.contexts.body(instance) else {
            return;
        };
        let block = &body.blocks[data.block];
        let values = match data.first.checked_sub(1) {
            None => &block.params,
            Some(before) => &block.insts[before as usize].results,
        };
        found.extend(values.iter().map(|value| (instance, *value)));
    }

    fn step(&self, site: Site, op: &Op, reach: &mut Reach) -> Result<(), Obstacle> {
        let model = self.world.model;
        op.visit_operands(&model.program.target, |operand, _| {
            reach
                .used
                .extend(operand.value().map(|value| (site.instance, value)));
        });
        if model.accesses.inputs.contains(&site) {
            reach.inputs.insert(site);
            if let Op::Load {
                address, volatile, ..
            } = op
                && !self.is_device(site, *address, *volatile)
            {
                return Err(self.unsupported("a read of a register or of memory", site));
            }
        }
        match op {
            Op::Call {
                callee: brownout_ir::Callee::Direct(func),
                ..
            } => {
                let output = self.world.question.outputs.get(func);
                if output.is_some_and(|output| output.effect == Effect::Unknown) {
                    return Err(self.unsupported("an output with a script", site));
                }
                let known = model.contexts.code[brownout_ir::Id::index(*func)].is_some();
                reach.outputs |= output.is_some() || !known;
                if !known && !model.setting.roles.contains_key(func) {
                    self.only_reads(site, *func)?;
                }
                reach.inputs.extend((!known).then_some(site));
            }
            Op::Call { .. } if model.contexts.callees(site).len() != 1 => {
                return Err(self.unsupported("a call of one of several functions", site));
            }
            Op::Store { address, .. } => {
                let targets = model.points_to.of(site.instance, *address);
                reach.outputs |= targets.iter().any(|target| {
                    match model.points_to.objects.data(target.object).kind {
                        brownout_flow::objects::Kind::Global(global) => {
                            self.world.question.registers.contains_key(&global)
                        }
                        _ => false,
                    }
                });
            }
            Op::Service {
                service: brownout_ir::Service::Clock,
                ..
            } => {
                reach.inputs.insert(site);
            }
            Op::Service { .. } | Op::StackAlloc { .. } | Op::StackRestore { .. } => {
                return Err(self.unsupported("a service in a loop of unknown length", site));
            }
            _ => {}
        }
        if model.accesses.lost.contains(&site) {
            return Err(self.unsupported("memory through a pointer made from a number", site));
        }
        Ok(())
    }

    /// What an instruction of a loop reads and writes: the cells that `flow` names, or as far as the loop counts.
    fn accesses(
        &mut self,
        site: Site,
        op: &Op,
        reach: &mut Reach,
        state: &State,
    ) -> Result<(), Obstacle> {
        let model = self.world.model;
        let Some(effects) = model.effects(site) else {
            return Ok(());
        };
        let cells = |touches: &[Touch]| -> Vec<u32> {
            let touches = touches.iter();
            touches.flat_map(|touch| touch.cells.clone()).collect()
        };
        let object = |cell: &u32| model.accesses.cells[*cell as usize].object;
        let (reads, writes) = (cells(&effects.reads), cells(&effects.writes));
        for cell in &writes {
            let data = model.points_to.objects.data(object(cell));
            if !data.single || data.size.is_none() {
                return Err(self.unsupported("memory that is allocated or passed", site));
            }
        }
        let is_input = model.accesses.inputs.contains(&site);
        let target = &model.program.target;
        let access = match op {
            Op::Load { ty, address, .. } | Op::Store { ty, address, .. } if !is_input => {
                Some((*address, u128::from(ty.bytes(target))))
            }
            _ => None,
        };
        let mut touched = None;
        if let (Some(access), Some(counted)) = (access, reach.counted.clone()) {
            let objects: BTreeSet<Object> = reads.iter().chain(&writes).map(object).collect();
            let targets = model.points_to.of(site.instance, access.0);
            let mut targets = targets.iter().map(|target| target.object);
            let only = objects.first().copied();
            let only = only.filter(|only| objects.len() == 1 && targets.all(|it| it == *only));
            let whole = only.filter(|only| model.points_to.objects.data(*only).single);
            touched = whole.and_then(|object| {
                let touched = self.touched(&counted, site, access, object, state)?;
                Some((object, touched))
            });
        }
        if let Some((object, touched)) = touched {
            let side = match op {
                Op::Store { .. } => &mut reach.writes,
                _ => &mut reach.reads,
            };
            side.entry(object).or_default().insert(touched.may);
            reach.inside.extend(touched.inside);
            if let (Op::Store { .. }, Some(must)) = (op, touched.must) {
                reach.overwrites.entry(object).or_default().insert(must);
            }
            return Ok(());
        }
        if !is_input || !writes.is_empty() {
            for cell in reads {
                let stretch = self.cell(cell);
                reach
                    .reads
                    .entry(object(&cell))
                    .or_default()
                    .insert(stretch);
            }
        }
        for cell in writes {
            let stretch = self.cell(cell);
            reach
                .writes
                .entry(object(&cell))
                .or_default()
                .insert(stretch);
        }
        Ok(())
    }

    /// A function of the library that does nothing but what its model says.
    fn only_reads(&self, site: Site, func: brownout_ir::Func) -> Result<(), Obstacle> {
        let name = &self.world.model.program.functions[func].name;
        match brownout_flow::library::model(name) {
            Some(effects) if !effects.contains(&brownout_flow::library::Effect::Allocates) => {
                Ok(())
            }
            _ => Err(self.unsupported(&format!("`{name}`"), site)),
        }
    }
}
