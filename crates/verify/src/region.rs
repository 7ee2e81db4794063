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
use brownout_flow::supergraph::{END, Start};
use brownout_solver::{Answer, Bytes, Solver, Tables, Term};

use crate::contents::Lost;
use crate::dataflow::Liveness;
use crate::execute::{Attempt, Failure, Obstacle, Run};
use crate::graph::RegionGraph;
use crate::known::Fact;
use crate::question::{Difference, Question, Volatile, Why};
use crate::state::State;
use crate::world::{Side, World};

/// How many bytes opaque reads of tables may be of so that exact ones are tried, too.
const HIDDEN: usize = 1 << 14;
/// Of how many power failures it is asked at once whether any can show.
const TOGETHER: usize = 12;
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
    /// What memory holds when it starts, in every attempt.
    pub known: &'m BTreeMap<Object, Vec<Fact>>,
}

/// An obligation that is open: after which instruction power fails, and why.
pub struct Unproved {
    /// The instruction, if it is known.
    pub failure: Option<Site>,
    /// Why.
    pub why: Why,
    /// What differs in the solver's example, if it has one.
    pub shown: Vec<Difference>,
    /// The numbers of that example.
    pub example: Vec<u64>,
}

/// A power failure that may show, and what would be different then.
type Suspect<'f> = (&'f Failure, Vec<(Difference, Term)>);

impl Unproved {
    fn of(failure: &Failure, why: Why) -> Self {
        Self {
            failure: Some(failure.site),
            why,
            shown: Vec::new(),
            example: Vec::new(),
        }
    }
}

impl Region<'_> {
    /// Proves the region, or says why not; whether a solver had to answer.
    pub fn prove(&self, solver: &mut dyn Solver) -> Result<bool, Unproved> {
        let unsupported = |what: &str| Unproved {
            failure: None,
            why: Why::Unsupported(what.to_owned()),
            shown: Vec::new(),
            example: Vec::new(),
        };
        let graph = RegionGraph::new(self.model, self.start.node)
            .map_err(|_| unsupported("a jump into a loop"))?;
        // Most loops do not matter. With all of them closed, questions are small.
        let mut heads = graph.heads();
        heads.retain(|head| {
            let mut members = graph.members(*head).into_iter();
            !members.any(|node| self.model.flow.graph.successors(node).contains(&END))
        });
        if !heads.is_empty() {
            let mut closed = Proof::new(self, &graph, &heads, Tables::Opaque);
            if closed.run(solver).is_ok() {
                return Ok(closed.asked);
            }
        }
        self.unrolled(&graph, solver)
    }

    /// Proves the region with its loops unrolled, those that go on for too long closed.
    fn unrolled(&self, graph: &RegionGraph, solver: &mut dyn Solver) -> Result<bool, Unproved> {
        let unsupported = |what: &str| Unproved {
            failure: None,
            why: Why::Unsupported(what.to_owned()),
            shown: Vec::new(),
            example: Vec::new(),
        };
        let mut closed = BTreeSet::new();
        let mut tables = Tables::Opaque;
        loop {
            let mut proof = Proof::new(self, graph, &closed, tables);
            let outcome = proof.run(solver);
            let hidden = proof.world.arrays.hidden();
            match outcome {
                Ok(()) => return Ok(proof.asked),
                // That may be because of what tables do not hold.
                Err(Stop::Unproved(unproved))
                    if unproved.why == Why::Shows && (1..=HIDDEN).contains(&hidden) =>
                {
                    tables = Tables::Exact;
                }
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

/// One try to prove a region.
pub(crate) struct Proof<'p> {
    pub(crate) region: &'p Region<'p>,
    graph: &'p RegionGraph,
    closed: &'p BTreeSet<u32>,
    pub(crate) world: World<'p>,
    summaries: BTreeMap<crate::graph::Stage, crate::closed::Summary>,
    pub(crate) registers: brownout_flow::liveness::Liveness,
    /// Whether a solver was asked.
    asked: bool,
}

impl<'p> Proof<'p> {
    fn new(
        region: &'p Region<'p>,
        graph: &'p RegionGraph,
        closed: &'p BTreeSet<u32>,
        tables: Tables,
    ) -> Self {
        Self {
            region,
            graph,
            closed,
            world: World::new(
                region.model,
                region.question,
                region.start,
                region.lost.is_nothing() && region.question.volatile == Volatile::Restored,
                region.known,
                tables,
            ),
            summaries: BTreeMap::new(),
            registers: brownout_flow::liveness::Liveness::default(),
            asked: false,
        }
    }

    /// Compares the last attempt with the continuous execution for every failure.
    fn run(&mut self, solver: &mut dyn Solver) -> Result<(), Stop> {
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
        let mut open: Vec<Suspect<'_>> = Vec::new();
        for (number, failure) in failures.iter().enumerate() {
            if !self.leaves_nothing(failure, &begin) {
                let differences = self.wrong(failure, &begin, &continuous)?;
                if !differences.is_empty() {
                    open.push((failure, differences));
                }
            }
            if open.len() == TOGETHER || number + 1 == failures.len() {
                self.settle(solver, &continuous, &failed, &open)?;
                open.clear();
            }
        }
        Ok(())
    }

    /// Asks whether some failures can show: all at once, and one by one only if that is too much for the solver.
    fn settle(
        &mut self,
        solver: &mut dyn Solver,
        continuous: &Run,
        failed: &Run,
        suspects: &[Suspect<'_>],
    ) -> Result<(), Stop> {
        if suspects.is_empty() {
            return Ok(());
        }
        self.asked = true;
        let runs = (continuous, failed);
        let mut settled = self.ask(solver, runs, suspects);
        if suspects.len() > 1
            && matches!(&settled, Err(unproved) if matches!(unproved.why, Why::Limit(_)))
        {
            let mut alone = suspects.chunks(1);
            settled = alone.try_for_each(|suspect| self.ask(solver, runs, suspect));
        }
        settled.map_err(Stop::Unproved)
    }

    /// Whether something differs.
    fn any_of(&mut self, differences: &[(Difference, Term)]) -> Term {
        let mut any = self.world.terms.no();
        for (_, differs) in differences {
            any = self.world.terms.or(any, *differs);
        }
        any
    }

    /// Asks whether one of these failures can show, and for an example of the first that does there.
    fn ask(
        &mut self,
        solver: &mut dyn Solver,
        (continuous, failed): (&Run, &Run),
        suspects: &[Suspect<'_>],
    ) -> Result<(), Unproved> {
        let mut any = self.world.terms.no();
        let mut shows: Vec<Term> = Vec::new();
        for (failure, differences) in suspects {
            let wrong = self.any_of(differences);
            let wrong = self.world.terms.and(failure.guard, wrong);
            any = self.world.terms.or(any, wrong);
            shows.push(wrong);
        }
        let terms = &self.world.terms;
        solver.push();
        let required = continuous.required.iter();
        let required = required.chain(&failed.required).map(|(_, holds)| holds);
        let given = self.world.facts.iter().chain(required);
        for term in given.chain([&any]) {
            solver.assert(terms, *term);
        }
        let answer = solver.check();
        let mut is_true = |term: Term| solver.value(terms, term) == Some(1);
        let number = match answer {
            Answer::Sat => shows.iter().position(|&shows| is_true(shows)),
            Answer::Unsat | Answer::Unknown(_) => None,
        };
        let (failure, differences) = &suspects[number.unwrap_or(0)];
        let settled = match answer {
            Answer::Unsat => Ok(()),
            Answer::Unknown(why) => Err(Unproved::of(failure, Why::Limit(why))),
            Answer::Sat => {
                let differ = differences.iter().filter(|(_, term)| is_true(*term));
                let differ: BTreeSet<Difference> = differ.map(|(what, _)| *what).collect();
                Err(Unproved {
                    shown: differ.into_iter().collect(),
                    example: self.world.example(solver),
                    ..Unproved::of(failure, Why::Shows)
                })
            }
        };
        solver.pop();
        settled
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
            result: terms.constant(64, 0),
        }
    }

    pub(crate) fn attempt(
        &mut self,
        side: Side,
        state: State,
        before: Vec<Term>,
    ) -> Result<Run, Obstacle> {
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
    pub(crate) fn restored(&mut self, failure: &Failure, begin: &State) -> Result<State, Obstacle> {
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
}
