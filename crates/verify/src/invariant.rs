//! Loops that are not unrolled, by what holds in each of their rounds.
//!
//! The last attempt and the continuous execution go round a loop together. Of both, one round is followed,
//! from any state that the loop can have at its head. Between the two states *relations* are assumed: the
//! same in a value, in all bytes of an object, in those bytes of it that the rounds before have gone through.
//! They have to hold when the loop is entered, and again after the round; those that do not are given up, and
//! the others are tried again (Houdini: Flanagan and Leino, FME 2001). What is left at the ways out is enough
//! or not.
//!
//! Both have to go round equally often: where one leaves the loop and the other does not, they differ. An
//! attempt that fails does so in any round. It is assumed that loops end.
//!
//! **Invariant**: nothing is taken for a relation that is not claimed, and every claim is part of the question.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::{Kind, Object};
use brownout_ir::{CastOp, Op, Operand, Value};
use brownout_solver::{Bytes, Term};

use crate::closed::Reach;
use crate::execute::{Attempt, Obstacle};
use crate::graph::Stage;
use crate::question::Difference;
use crate::state::State;
use crate::world::Side;

/// Something in which both executions are the same at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// A value that the head is given.
    Value(Instance, Value),
    /// All bytes of an object.
    Contents(Object),
    /// The bytes of an object that the walk with this number has gone through.
    Walked(Object, usize),
    /// How often an input was read.
    Reading(Site),
    /// What was output.
    Outputs,
    /// A value of the environment.
    Environment(usize),
    /// Whether an output that must not be repeated was done.
    Done(usize),
}

/// A relation at the head of a loop.
pub type Claim = (u32, Relation);

/// The relations that are not claimed any more.
pub type Dropped = BTreeSet<Claim>;

/// What the continuous execution does in one round of a loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// How it enters the loop.
    entered: State,
    /// How it begins the round.
    begun: State,
    /// How it comes back to the head, if it does.
    back: Option<State>,
}

/// An object that a loop goes through: what is added to its start for a value at the head, and how far the bytes
/// lie apart.
#[derive(Clone, Copy, Debug)]
struct Walk {
    value: (Instance, Value),
    cast: Option<CastOp>,
    scale: i64,
    offset: i64,
}

impl Attempt<'_, '_> {
    /// Gets to the head of a closed loop, with the relations in `dropped` given up. The loop is entered, or gone
    /// round.
    pub(crate) fn round(
        &mut self,
        stage: &Stage,
        state: State,
        dropped: &Dropped,
    ) -> Result<(), Obstacle> {
        let (key, round) = self.graph.entry(stage);
        let entered = *self.entered.entry(key).or_insert(round);
        if round > entered {
            return self.come_back(stage, state, dropped);
        }
        let reach = self.reach(stage.node)?;
        if reach.exits.is_empty() {
            return self.summarise(stage, state);
        }
        let begun = match self.side {
            Side::Continuous => {
                let begun = self.any_round(&reach, stage.node, &state);
                let round = Round {
                    entered: state,
                    begun: begun.clone(),
                    back: None,
                };
                self.rounds.insert(stage.clone(), round);
                begun
            }
            Side::Failed => self.any_round(&reach, stage.node, &state),
            Side::Last => {
                let Some(theirs) = self.rounds.get(stage).cloned() else {
                    // The continuous execution never gets there.
                    let no = self.world.terms.no();
                    self.require(Difference::Loop, state.guard, no);
                    return Ok(());
                };
                self.require(Difference::Loop, state.guard, theirs.entered.guard);
                self.claim(
                    &reach,
                    stage.node,
                    dropped,
                    &theirs,
                    (&theirs.entered, &state),
                );
                self.related_round(&reach, stage.node, dropped, &theirs, &state)
            }
        };
        self.node(stage, begun)
    }

    /// Comes back to the head after a round.
    fn come_back(
        &mut self,
        stage: &Stage,
        state: State,
        dropped: &Dropped,
    ) -> Result<(), Obstacle> {
        let first = self.graph.one_round_before(stage);
        match self.side {
            Side::Failed => {}
            Side::Continuous => {
                if let Some(round) = self.rounds.get_mut(&first) {
                    round.back = Some(state);
                }
            }
            Side::Last => {
                let theirs = self.rounds.get(&first).cloned();
                let Some((theirs, back)) = theirs.and_then(|it| Some((it.clone(), it.back?)))
                else {
                    let no = self.world.terms.no();
                    self.require(Difference::Way, state.guard, no);
                    return Ok(());
                };
                self.require(Difference::Way, state.guard, back.guard);
                self.require(Difference::Way, back.guard, state.guard);
                let reach = self.reach(stage.node)?;
                self.claim(&reach, stage.node, dropped, &theirs, (&back, &state));
            }
        }
        Ok(())
    }

    /// A state that an execution can have at the head of a loop that it enters with `state`.
    fn any_round(&mut self, reach: &Reach, head: u32, state: &State) -> State {
        let mut begun = state.clone();
        let mut arriving = BTreeSet::new();
        self.arriving(head, &mut arriving);
        for (instance, value) in arriving {
            let any = self.world.any_value(instance, value);
            begun.values.insert((instance, value), any);
        }
        for object in reach.writes.keys() {
            let contents = self.any_contents(reach, *object, state);
            begun.memory.insert(*object, contents);
        }
        for site in &reach.inputs {
            let count = self.world.terms.variable(32);
            begun.readings.insert(*site, count);
        }
        if reach.outputs {
            let terms = &mut self.world.terms;
            begun.outputs = terms.variable(64);
            for value in &mut begun.environment {
                *value = terms.variable(64);
            }
            for done in &mut begun.done {
                let now = terms.variable(1);
                *done = terms.or(*done, now);
            }
        }
        begun
    }

    /// What an object holds that a loop may have written to.
    fn any_contents(&mut self, reach: &Reach, object: Object, state: &State) -> Bytes {
        let below = state.memory(self.world, object);
        let pointer = self.world.pointer;
        let changed = self.world.terms.function(&[pointer], 1);
        let bytes = self.world.terms.function(&[pointer], 8);
        let may = reach.writes.get(&object).cloned().unwrap_or_default();
        let arrays = &mut self.world.arrays;
        arrays.overlay(below, changed, bytes, may, vec![])
    }

    /// As [`Self::any_round`], the same as theirs in all that is claimed.
    fn related_round(
        &mut self,
        reach: &Reach,
        head: u32,
        dropped: &Dropped,
        theirs: &Round,
        state: &State,
    ) -> State {
        let mut begun = self.any_round(reach, head, state);
        for relation in self.relations(reach, head, dropped) {
            match relation {
                Relation::Value(instance, value) => {
                    let same = theirs.begun.value(self.world, instance, value);
                    begun.values.insert((instance, value), same);
                }
                Relation::Contents(object) => {
                    let same = theirs.begun.memory(self.world, object);
                    begun.memory.insert(object, same);
                }
                Relation::Walked(object, number) => {
                    let walks = self.walks(head);
                    let Some(walk) = walks.get(&object).and_then(|walks| walks.get(number)) else {
                        continue;
                    };
                    let (from, to) = self.walked(walk, &theirs.entered, &theirs.begun);
                    let inside = theirs.begun.memory(self.world, object);
                    let outside = begun.memory(self.world, object);
                    let contents = self.world.arrays.between((from, to), inside, outside);
                    begun.memory.insert(object, contents);
                }
                Relation::Reading(site) => {
                    let same = theirs.begun.readings(self.world, site);
                    begun.readings.insert(site, same);
                }
                Relation::Outputs => begun.outputs = theirs.begun.outputs,
                Relation::Environment(index) => {
                    begun.environment[index] = theirs.begun.environment[index];
                }
                Relation::Done(index) => begun.done[index] = theirs.begun.done[index],
            }
        }
        begun
    }

    /// Claims that relations hold between the continuous execution's state and this attempt's.
    fn claim(
        &mut self,
        reach: &Reach,
        head: u32,
        dropped: &Dropped,
        theirs: &Round,
        (one, other): (&State, &State),
    ) {
        for relation in self.relations(reach, head, dropped) {
            let holds = match relation {
                Relation::Value(instance, value) => {
                    let a = one.value(self.world, instance, value);
                    let b = other.value(self.world, instance, value);
                    self.world.terms.equal(a, b)
                }
                Relation::Contents(object) => {
                    let size = self.world.model.points_to.objects.data(object).size;
                    let end = self
                        .world
                        .terms
                        .constant(self.world.pointer, size.unwrap_or(0) as u128);
                    let start = self.world.terms.constant(self.world.pointer, 0);
                    self.same_between(object, (start, end), one, other)
                }
                Relation::Walked(object, number) => {
                    let walks = self.walks(head);
                    let Some(walk) = walks.get(&object).and_then(|walks| walks.get(number)) else {
                        continue;
                    };
                    let range = self.walked(walk, &theirs.entered, one);
                    self.same_between(object, range, one, other)
                }
                Relation::Reading(site) => {
                    let a = one.readings(self.world, site);
                    let b = other.readings(self.world, site);
                    self.world.terms.equal(a, b)
                }
                Relation::Outputs => self.world.terms.equal(one.outputs, other.outputs),
                Relation::Environment(index) => {
                    let (a, b) = (one.environment[index], other.environment[index]);
                    self.world.terms.equal(a, b)
                }
                Relation::Done(index) => self.world.terms.equal(one.done[index], other.done[index]),
            };
            let claim = (head, relation);
            let known = self.claims.iter().position(|known| *known == claim);
            let number = known.unwrap_or(self.claims.len());
            if known.is_none() {
                self.claims.push(claim);
            }
            self.require(Difference::Invariant(number as u32), other.guard, holds);
        }
    }

    /// Whether an object holds the same in all bytes of a range. Where that is not so, there is a byte that
    /// shows it.
    fn same_between(
        &mut self,
        object: Object,
        (from, to): (Term, Term),
        one: &State,
        other: &State,
    ) -> Term {
        let a = one.memory(self.world, object);
        let b = other.memory(self.world, object);
        if a == b {
            return self.world.terms.yes();
        }
        let world = &mut *self.world;
        let index = world.terms.variable(world.pointer);
        let inside = brownout_solver::is_between(&mut world.terms, index, (from, to));
        let a = world.arrays.select(&mut world.terms, a, index);
        let b = world.arrays.select(&mut world.terms, b, index);
        let equal = world.terms.equal(a, b);
        let outside = world.terms.not(inside);
        world.terms.or(outside, equal)
    }

    /// The relations that are claimed at a head: of every object the strongest one.
    fn relations(&self, reach: &Reach, head: u32, dropped: &Dropped) -> Vec<Relation> {
        let is_claimed = |relation: &Relation| !dropped.contains(&(head, *relation));
        let mut arriving = BTreeSet::new();
        self.arriving(head, &mut arriving);
        let values = arriving.into_iter();
        let mut found: Vec<Relation> = values
            .map(|(instance, value)| Relation::Value(instance, value))
            .collect();
        found.extend(reach.inputs.iter().map(|site| Relation::Reading(*site)));
        if reach.outputs {
            found.push(Relation::Outputs);
            let question = self.world.question;
            let values = question.environment + question.tagged().len();
            found.extend((0..values).map(Relation::Environment));
            found.extend((0..question.once().len()).map(Relation::Done));
        }
        found.retain(is_claimed);
        let walks = self.walks(head);
        for object in reach.writes.keys() {
            let count = walks.get(object).map_or(0, Vec::len);
            let whole = [Relation::Contents(*object)].into_iter();
            let parts = (0..count).map(|number| Relation::Walked(*object, number));
            found.extend(whole.chain(parts).find(is_claimed));
        }
        found
    }

    /// How a loop goes through objects that it writes to.
    fn walks(&self, head: u32) -> BTreeMap<Object, Vec<Walk>> {
        let model = self.world.model;
        let mut arriving = BTreeSet::new();
        self.arriving(head, &mut arriving);
        let mut found: BTreeMap<Object, Vec<Walk>> = BTreeMap::new();
        let members = self.graph.members(head);
        for (site, inst) in members.iter().flat_map(|node| model.steps(*node)) {
            let Op::Store { address, .. } = &inst.op else {
                continue;
            };
            let Some(Op::Address {
                base,
                index,
                scale,
                offset,
            }) = self.made_by(site.instance, *address)
            else {
                continue;
            };
            let (kind, start) = match *base {
                Operand::Global(global, start) => (Kind::Global(global), start),
                Operand::Slot(slot, start) => (Kind::Slot(site.instance, slot), start),
                _ => continue,
            };
            let Some(object) = model.points_to.objects.known(kind) else {
                continue;
            };
            let (value, cast) = match self.made_by(site.instance, *index) {
                Some(Op::Cast { op, a, .. }) => (a.value(), Some(*op)),
                _ => (index.value(), None),
            };
            let cast_known = matches!(cast, None | Some(CastOp::ZExt | CastOp::SExt));
            let Some(value) = value.map(|value| (site.instance, value)) else {
                continue;
            };
            if cast_known && arriving.contains(&value) {
                found.entry(object).or_default().push(Walk {
                    value,
                    cast,
                    scale: *scale,
                    offset: start + offset,
                });
            }
        }
        found
    }

    /// The instruction that makes an operand.
    fn made_by(&self, instance: Instance, operand: Operand) -> Option<&Op> {
        let value = operand.value()?;
        let body = self.world.model.contexts.body(instance)?;
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        let inst = insts.find(|inst| inst.results.contains(&value));
        inst.map(|inst| &inst.op)
    }

    /// The bytes that a walk has gone through between two states.
    fn walked(&mut self, walk: &Walk, from: &State, to: &State) -> (Term, Term) {
        let mut place = |state: &State| {
            let (instance, value) = walk.value;
            let index = state.value(self.world, instance, value);
            let pointer = self.world.pointer;
            let terms = &mut self.world.terms;
            let width = terms.width(index);
            let index = match walk.cast {
                Some(CastOp::SExt) if width < pointer => terms.sign_extend(index, pointer),
                _ => crate::operators::resize(terms, index, width, pointer),
            };
            terms.linear(&[(index, walk.scale as u128)], walk.offset as u128)
        };
        (place(from), place(to))
    }
}
