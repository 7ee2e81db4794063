//! The proof of one region by the solver.
//!
//! Property (semantics §4): from every state at the start of the region, whatever an attempt with any
//! inputs has left when power failed, the next attempt does what the continuous execution does with
//! the same inputs: it gets to the same boundary, with the same outputs, and with the same state but
//! for what every continuation overwrites before it reads it.
//!
//! One failure is enough. The state after it is again a state at the start of the region, of which
//! the same has been shown, and being the same is transitive: so it is with any number of failures.
//! docs/proof.md has the argument in full.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::Model;
use brownout_flow::accesses::is_nonvolatile;
use brownout_flow::contexts::Site;
use brownout_flow::objects::{Kind, Object};
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::{Reason, Start};
use brownout_solver::{Answer, Binary, Bytes, Solver, Term};

use crate::alive::wanted;
use crate::contents::Lost;
use crate::dataflow::Liveness;
use crate::execute::{Attempt, Boundary, Failure, Obstacle, Run};
use crate::graph::RegionGraph;
use crate::question::{Question, Volatile, Why};
use crate::state::State;
use crate::world::{Side, World};

/// The most bytes that are compared one by one.
const COMPARED: i64 = 32;
/// How many loops can be closed.
const CLOSED: usize = 64;

/// What is known of a region beside its code.
pub struct Region<'m> {
    /// The program.
    pub model: &'m Model<'m>,
    /// What is known beside it.
    pub question: &'m Question,
    /// Where it starts.
    pub start: Start,
    /// What is saved of non-volatile memory, and restored then.
    pub saved: &'m Cells,
    /// What of volatile state is not restored then.
    pub lost: &'m Lost,
    /// What is still wanted after it.
    pub liveness: &'m Liveness,
}

/// An obligation that is open: after which instruction power fails, and why.
pub struct Unproved {
    /// The instruction, if it is known.
    pub failure: Option<Site>,
    /// Why.
    pub why: Why,
    /// The numbers of the solver's example, if it has one.
    pub example: Vec<u64>,
}

impl Region<'_> {
    /// Proves the region, or says why not.
    pub fn prove(&self, solver: Option<&mut dyn Solver>) -> Result<(), Unproved> {
        let unsupported = |what: &str| Unproved {
            failure: None,
            why: Why::Unsupported(what.to_owned()),
            example: Vec::new(),
        };
        let graph = RegionGraph::new(self.model, self.start.node)
            .map_err(|_| unsupported("a jump into a loop"))?;
        let mut closed = BTreeSet::new();
        let mut solver = solver;
        loop {
            let mut proof = Proof::new(self, &graph, &closed);
            let solver: Option<&mut dyn Solver> = match &mut solver {
                Some(solver) => Some(&mut **solver),
                None => None,
            };
            match proof.run(solver) {
                Ok(()) => return Ok(()),
                Err(Stop::Unproved(unproved)) => return Err(unproved),
                Err(Stop::Obstacle(Obstacle::Endless(head))) => {
                    if !closed.insert(head) || closed.len() > CLOSED {
                        return Err(unsupported("loops this deep"));
                    }
                }
                Err(Stop::Obstacle(Obstacle::Unsupported(what, place))) => {
                    let place = place.and_then(|place| self.line(place));
                    let at = place.map_or_else(String::new, |line| format!(" (line {line})"));
                    return Err(unsupported(&format!("{what}{at}")));
                }
            }
        }
    }

    fn line(&self, place: brownout_ir::source::Place) -> Option<u32> {
        let data = self.model.program.source.places.get(place)?;
        Some(data.line).filter(|line| *line > 0)
    }
}

enum Stop {
    Obstacle(Obstacle),
    Unproved(Unproved),
}

impl From<Obstacle> for Stop {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

struct Proof<'p> {
    region: &'p Region<'p>,
    graph: &'p RegionGraph,
    closed: &'p BTreeSet<u32>,
    world: World<'p>,
    summaries: BTreeMap<crate::graph::Stage, crate::closed::Summary>,
    registers: brownout_flow::liveness::Liveness,
}

impl<'p> Proof<'p> {
    fn new(region: &'p Region<'p>, graph: &'p RegionGraph, closed: &'p BTreeSet<u32>) -> Self {
        Self {
            region,
            graph,
            closed,
            world: World::new(
                region.model,
                region.question,
                region.start,
                region.lost.is_nothing() && region.question.volatile == Volatile::Restored,
            ),
            summaries: BTreeMap::new(),
            registers: brownout_flow::liveness::Liveness::default(),
        }
    }

    /// Compares the last attempt with the continuous execution for every failure.
    fn run(&mut self, mut solver: Option<&mut dyn Solver>) -> Result<(), Stop> {
        let begin = self.begin();
        let continuous = self.attempt(Side::Continuous, begin.clone(), vec![])?;
        let failed = self.attempt(Side::Failed, begin.clone(), vec![])?;
        let mut failures = failed.failures.clone();
        if self.changes_by_itself() {
            let model = self.region.model;
            let node = model.node(self.region.start.node);
            failures.insert(
                0,
                Failure {
                    site: Site {
                        instance: node
                            .instance
                            .unwrap_or_else(|| brownout_ir::Id::from_index(0)),
                        at: brownout_flow::contexts::At {
                            block: node.block,
                            index: node.first,
                        },
                    },
                    guard: begin.guard,
                    memory: BTreeMap::new(),
                    environment: begin.environment.clone(),
                    done: begin.done.clone(),
                },
            );
        }
        for failure in &failures {
            if self.leaves_nothing(failure, &begin) {
                continue;
            }
            let wrong = self.wrong(failure, &begin, &continuous)?;
            if self.world.terms.value(wrong) == Some(0) {
                continue;
            }
            let unproved = |why, example| {
                Stop::Unproved(Unproved {
                    failure: Some(failure.site),
                    why,
                    example,
                })
            };
            let Some(solver) = &mut solver else {
                return Err(unproved(Why::NoSolver, Vec::new()));
            };
            let (answer, example) = self.ask(&mut **solver, &continuous, &failed, failure, wrong);
            match answer {
                Answer::Unsat => {}
                Answer::Sat => return Err(unproved(Why::Shows, example)),
                Answer::Unknown(why) => return Err(unproved(Why::Limit(why), example)),
            }
        }
        Ok(())
    }

    fn ask(
        &mut self,
        solver: &mut dyn Solver,
        continuous: &Run,
        failed: &Run,
        failure: &Failure,
        wrong: Term,
    ) -> (Answer, Vec<u64>) {
        let terms = &self.world.terms;
        solver.push();
        let given = self
            .world
            .facts
            .iter()
            .chain(&continuous.required)
            .chain(&failed.required);
        for term in given.chain([&failure.guard, &wrong]) {
            solver.assert(terms, *term);
        }
        let answer = solver.check();
        let example = match answer {
            Answer::Sat => self.world.example(solver),
            Answer::Unsat | Answer::Unknown(_) => Vec::new(),
        };
        solver.pop();
        (answer, example)
    }

    /// The unknown state at the start of the region.
    fn begin(&mut self) -> State {
        let question = self.region.question;
        let values = question.environment + question.tagged().len();
        let terms = &mut self.world.terms;
        State {
            guard: terms.yes(),
            values: BTreeMap::new(),
            memory: BTreeMap::new(),
            readings: BTreeMap::new(),
            outputs: terms.variable(64),
            environment: (0..values).map(|_| terms.variable(64)).collect(),
            done: question.once().iter().map(|_| terms.no()).collect(),
        }
    }

    fn attempt(&mut self, side: Side, state: State, before: Vec<Term>) -> Result<Run, Obstacle> {
        let attempt = Attempt {
            world: &mut self.world,
            graph: self.graph,
            closed: self.closed,
            side,
            before,
            summaries: &mut self.summaries,
            pending: BTreeMap::new(),
            run: Run::default(),
        };
        attempt.follow(state)
    }

    /// Whether a reboot changes something even if the failed attempt did nothing.
    fn changes_by_itself(&self) -> bool {
        let question = self.region.question;
        question.volatile == Volatile::Initialised
            || !question.excluded.is_empty()
            || !self.region.lost.is_nothing()
    }

    /// Whether nothing of the failed attempt is left.
    fn leaves_nothing(&mut self, failure: &Failure, begin: &State) -> bool {
        if self.changes_by_itself() || failure.environment != begin.environment {
            return false;
        }
        let no = self.world.terms.no();
        if failure.done.iter().any(|done| *done != no) {
            return false;
        }
        let model = self.region.model;
        failure.memory.iter().all(|(object, bytes)| {
            let kind = model.points_to.objects.data(*object).kind;
            !is_nonvolatile(model.setting, kind)
                || self.is_saved(*object)
                || self.world.memory(*object) == *bytes
        })
    }

    /// Whether all that is known of an object is restored.
    fn is_saved(&self, object: Object) -> bool {
        let mut cells = self.region.model.accesses.cells(object, 0, i64::MAX);
        cells.all(|cell| self.region.saved.contains(cell as usize))
    }

    /// The state after the restore.
    fn restored(&mut self, failure: &Failure, begin: &State) -> Result<State, Obstacle> {
        let (region, model) = (self.region, self.region.model);
        let mut state = begin.clone();
        state.environment.clone_from(&failure.environment);
        for (object, bytes) in &failure.memory {
            let kind = model.points_to.objects.data(*object).kind;
            if !is_nonvolatile(model.setting, kind) || self.is_saved(*object) {
                continue;
            }
            let saved = |cell: u32| region.saved.contains(cell as usize);
            let contents = self.put_back(*object, *bytes, &saved)?;
            state.memory.insert(*object, contents);
        }
        for object in region.lost.objects(model).into_keys() {
            let unknown = self.world.arrays.unknown(&mut self.world.terms);
            let kept = |cell: u32| !region.lost.cells.contains(cell as usize);
            let contents = self.put_back(object, unknown, &kept)?;
            state.memory.insert(object, contents);
        }
        for &(instance, value) in &region.lost.values {
            let known = self.world.value(instance, value);
            let width = self.world.terms.width(known);
            let unknown = self.world.terms.variable(width);
            state.values.insert((instance, value), unknown);
        }
        let objects: Vec<Object> = model.points_to.objects.ids().collect();
        for object in objects {
            let Kind::Global(global) = model.points_to.objects.data(object).kind else {
                continue;
            };
            let data = &model.program.globals[global];
            let volatile = !model.setting.nonvolatile.contains(&global) && !data.constant;
            if self.region.question.excluded.contains(&global) {
                let unknown = self.world.arrays.unknown(&mut self.world.terms);
                state.memory.insert(object, unknown);
            } else if volatile && self.region.question.volatile == Volatile::Initialised {
                let initial = self.world.initial(global);
                state.memory.insert(object, initial);
            }
        }
        Ok(state)
    }

    /// The contents of an object with some cells put back as they were when the region started.
    fn put_back(
        &mut self,
        object: Object,
        bytes: Bytes,
        is_restored: &dyn Fn(u32) -> bool,
    ) -> Result<Bytes, Obstacle> {
        let model = self.region.model;
        let original = self.world.memory(object);
        let mut contents = bytes;
        for cell in model.accesses.cells(object, 0, i64::MAX) {
            if !is_restored(cell) {
                continue;
            }
            let cell = model.accesses.cells[cell as usize];
            let size = model.points_to.objects.data(object).size;
            let end = cell.end.min(size.unwrap_or(i64::MAX));
            if end.saturating_sub(cell.start) > 1024 {
                let what = "a large part of an object that is restored";
                return Err(Obstacle::Unsupported(what.to_owned(), None));
            }
            for index in cell.start..end {
                let world = &mut self.world;
                let index = world.terms.constant(world.pointer, index as u128);
                let byte = world.arrays.select(&mut world.terms, original, index);
                contents = world.arrays.store(contents, index, byte);
            }
        }
        Ok(contents)
    }

    /// Whether the attempt after a failure does anything that the continuous execution does not.
    fn wrong(
        &mut self,
        failure: &Failure,
        begin: &State,
        continuous: &Run,
    ) -> Result<Term, Obstacle> {
        let state = self.restored(failure, begin)?;
        let last = self.attempt(Side::Last, state, failure.done.clone())?;
        let mut wrong = self.world.terms.no();
        for required in &last.required {
            let not = self.world.terms.not(*required);
            wrong = self.world.terms.or(wrong, not);
        }
        let boundaries: BTreeSet<&Boundary> =
            continuous.ends.keys().chain(last.ends.keys()).collect();
        let no = self.world.terms.no();
        for boundary in boundaries {
            let (one, other) = (continuous.ends.get(boundary), last.ends.get(boundary));
            let reached = |state: Option<&State>| state.map_or(no, |state| state.guard);
            let elsewhere = self.world.terms.differ(reached(one), reached(other));
            wrong = self.world.terms.or(wrong, elsewhere);
            if let (Some(one), Some(other)) = (one, other) {
                let differs = self.differ(boundary, one, other);
                let here = self.world.terms.and(one.guard, differs);
                wrong = self.world.terms.or(wrong, here);
            }
        }
        Ok(wrong)
    }

    /// Whether two states at a boundary differ in anything that matters.
    fn differ(&mut self, boundary: &Boundary, one: &State, other: &State) -> Term {
        let mut wrong = self.world.terms.differ(one.outputs, other.outputs);
        for (a, b) in one.environment.iter().zip(&other.environment) {
            let differ = self.world.terms.differ(*a, *b);
            wrong = self.world.terms.or(wrong, differ);
        }
        for (a, b) in one.done.iter().zip(&other.done) {
            // What must not be repeated is done by nobody who would not do it anyway.
            let not = self.world.terms.not(*a);
            let more = self.world.terms.and(not, *b);
            wrong = self.world.terms.or(wrong, more);
        }
        if let Boundary::Commit(Reason::Checkpoint(site), _) = boundary {
            for (instance, value) in wanted(self.region.model, &mut self.registers, *site) {
                let a = one.value(&mut self.world, instance, value);
                let b = other.value(&mut self.world, instance, value);
                let differ = self.world.terms.differ(a, b);
                wrong = self.world.terms.or(wrong, differ);
            }
        }
        let none = Cells::with_capacity(self.region.model.accesses.cells.len());
        let alive = match boundary {
            Boundary::Commit(reason, _) => self.region.liveness.commits.get(reason),
            Boundary::End => Some(&self.region.liveness.end),
        };
        let alive = alive.unwrap_or(&none).clone();
        let objects: BTreeSet<Object> = one
            .memory
            .keys()
            .chain(other.memory.keys())
            .copied()
            .collect();
        for object in objects {
            let differ = self.contents_differ(object, &alive, one, other);
            wrong = self.world.terms.or(wrong, differ);
        }
        wrong
    }

    /// Whether an object holds something else in a part that matters.
    fn contents_differ(
        &mut self,
        object: Object,
        alive: &Cells,
        one: &State,
        other: &State,
    ) -> Term {
        let model = self.region.model;
        let data = model.points_to.objects.data(object);
        let mut wrong = self.world.terms.no();
        if matches!(data.kind, Kind::Global(global) if self.region.question.excluded.contains(&global))
        {
            return wrong;
        }
        let a = one.memory(&mut self.world, object);
        let b = other.memory(&mut self.world, object);
        if a == b {
            return wrong;
        }
        for cell in model.accesses.cells(object, 0, i64::MAX) {
            if !alive.contains(cell as usize) {
                continue;
            }
            let cell = model.accesses.cells[cell as usize];
            let end = cell.end.min(data.size.unwrap_or(i64::MAX));
            let pointer = self.world.pointer;
            if end.saturating_sub(cell.start) <= COMPARED {
                for index in cell.start..end {
                    let index = self.world.terms.constant(pointer, index as u128);
                    let differ = self.byte_differs(a, b, index);
                    wrong = self.world.terms.or(wrong, differ);
                }
            } else {
                // Some byte of it differs.
                let terms = &mut self.world.terms;
                let inside = terms.variable(pointer);
                let length = terms.constant(pointer, (end - cell.start) as u128);
                let within = terms.binary(Binary::ULess, inside, length);
                let index = terms.offset(inside, cell.start as u128);
                let differ = self.byte_differs(a, b, index);
                let differ = self.world.terms.and(within, differ);
                wrong = self.world.terms.or(wrong, differ);
            }
        }
        wrong
    }

    fn byte_differs(&mut self, a: Bytes, b: Bytes, index: Term) -> Term {
        let world = &mut self.world;
        let a = world.arrays.select(&mut world.terms, a, index);
        let b = world.arrays.select(&mut world.terms, b, index);
        world.terms.differ(a, b)
    }
}
