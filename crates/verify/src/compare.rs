//! The attempt after a power failure held against the continuous execution.

use std::collections::BTreeSet;

use brownout_flow::objects::{Kind, Object};
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::Reason;
use brownout_solver::{Binary, Bytes, Term};

use crate::alive::wanted;
use crate::execute::{Boundary, Failure, Obstacle, Run};
use crate::question::{Difference, Seen};
use crate::region::Proof;
use crate::state::State;
use crate::world::Side;

/// The most bytes that are compared one by one.
const COMPARED: i64 = 32;

impl Proof<'_> {
    /// What the attempt after a failure may do that the continuous execution does not, and when.
    pub(crate) fn wrong(
        &mut self,
        failure: &Failure,
        begin: &State,
        continuous: &Run,
    ) -> Result<Vec<(Difference, Term)>, Obstacle> {
        let state = self.restored(failure, begin)?;
        let last = self.attempt(Side::Last, state, failure.done.clone())?;
        let mut wrong = Vec::new();
        for (what, holds) in &last.required {
            wrong.push((*what, self.world.terms.not(*holds)));
        }
        let boundaries: BTreeSet<&Boundary> =
            continuous.ends.keys().chain(last.ends.keys()).collect();
        let no = self.world.terms.no();
        for boundary in boundaries {
            let (one, other) = (continuous.ends.get(boundary), last.ends.get(boundary));
            let reached = |state: Option<&State>| state.map_or(no, |state| state.guard);
            let elsewhere = self.world.terms.differ(reached(one), reached(other));
            wrong.push((Difference::Way, elsewhere));
            if let (Some(one), Some(other)) = (one, other) {
                for (what, differs) in self.differ(boundary, one, other) {
                    wrong.push((what, self.world.terms.and(one.guard, differs)));
                }
            }
        }
        wrong.retain(|(_, differs)| self.world.terms.value(*differs) != Some(0));
        Ok(wrong)
    }

    /// What differs between two states at a boundary, of all that matters, and when.
    fn differ(
        &mut self,
        boundary: &Boundary,
        one: &State,
        other: &State,
    ) -> Vec<(Difference, Term)> {
        let mut wrong = Vec::new();
        let said = self.world.terms.differ(one.outputs, other.outputs);
        wrong.push((Difference::Output(Seen::Sequence), said));
        let ended = self.world.terms.differ(one.result, other.result);
        wrong.push((Difference::Result, ended));
        for (value, (a, b)) in (0..).zip(one.environment.iter().zip(&other.environment)) {
            let what = Difference::Output(Seen::Value(value));
            wrong.push((what, self.world.terms.differ(*a, *b)));
        }
        for (output, (a, b)) in (0..).zip(one.done.iter().zip(&other.done)) {
            // What must not be repeated is done by nobody who would not do it anyway.
            let not = self.world.terms.not(*a);
            let what = Difference::Output(Seen::Repeated(output));
            wrong.push((what, self.world.terms.and(not, *b)));
        }
        if let Boundary::Commit(Reason::Checkpoint(site), _) = boundary {
            for (instance, value) in wanted(self.region.model, &mut self.registers, *site) {
                let a = one.value(&mut self.world, instance, value);
                let b = other.value(&mut self.world, instance, value);
                wrong.push((Difference::Register, self.world.terms.differ(a, b)));
            }
        }
        let none = Cells::with_capacity(self.region.model.accesses.cells.len());
        let alive = match boundary {
            Boundary::Commit(reason, _) => self.region.liveness.commits.get(reason),
            Boundary::End | Boundary::Death => Some(&self.region.liveness.end),
        };
        let alive = alive.unwrap_or(&none).clone();
        let objects: BTreeSet<Object> = one
            .memory
            .keys()
            .chain(other.memory.keys())
            .copied()
            .collect();
        for object in objects {
            self.contents_differ(object, &alive, one, other, &mut wrong);
        }
        wrong
    }

    /// The parts of an object that matter and may hold something else, and when.
    fn contents_differ(
        &mut self,
        object: Object,
        alive: &Cells,
        one: &State,
        other: &State,
        wrong: &mut Vec<(Difference, Term)>,
    ) {
        let model = self.region.model;
        let data = model.points_to.objects.data(object);
        if matches!(data.kind, Kind::Global(global) if self.region.question.excluded.contains(&global))
        {
            return;
        }
        let a = one.memory(&mut self.world, object);
        let b = other.memory(&mut self.world, object);
        if a == b {
            return;
        }
        for number in model.accesses.cells(object, 0, i64::MAX) {
            if !alive.contains(number as usize) {
                continue;
            }
            let cell = model.accesses.cells[number as usize];
            let end = cell.end.min(data.size.unwrap_or(i64::MAX));
            let pointer = self.world.pointer;
            let mut differs = self.world.terms.no();
            if end.saturating_sub(cell.start) <= COMPARED {
                for index in cell.start..end {
                    let index = self.world.terms.constant(pointer, index as u128);
                    let differ = self.byte_differs(a, b, index);
                    differs = self.world.terms.or(differs, differ);
                }
            } else {
                // Some byte of it differs.
                let terms = &mut self.world.terms;
                let inside = terms.variable(pointer);
                let length = terms.constant(pointer, (end - cell.start) as u128);
                let within = terms.binary(Binary::ULess, inside, length);
                let index = terms.offset(inside, cell.start as u128);
                let differ = self.byte_differs(a, b, index);
                differs = self.world.terms.and(within, differ);
            }
            wrong.push((Difference::Cell(number), differs));
        }
    }

    fn byte_differs(&mut self, a: Bytes, b: Bytes, index: Term) -> Term {
        let world = &mut self.world;
        let a = world.arrays.select(&mut world.terms, a, index);
        let b = world.arrays.select(&mut world.terms, b, index);
        world.terms.differ(a, b)
    }
}
