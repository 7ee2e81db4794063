//! A naive judge of programs with interrupt handlers: every moment at which a handler may come, and every
//! power failure after a write to non-volatile memory, on whole copies of a state of a few words. Shares
//! no code with the engine.
//!
//! The definition is that of the documentation. Interrupts are inputs, and those of a failed attempt were
//! real events: an attempt is held against every execution without failures that has the interrupts of
//! the last attempt and any of those of the failed one. With commits these come where they came in the
//! failed attempt, or all of them at the commit. Under `restart` they come at the quiet moment before the
//! failure.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Coming, KEPT, Policy, Program, Step, VARIABLES};

type Memory = [i16; VARIABLES];

/// Which handlers come: by step of the main program and by how often an attempt was there before.
pub(crate) type Arrivals = BTreeMap<(usize, Option<u32>), Vec<usize>>;

/// How many rounds of a main loop are executed.
const ROUNDS: usize = 24;
/// In how many of them power fails.
const FAILING_ROUNDS: usize = 4;
/// In how many boots of a program that ends, if it sleeps for its handlers; else in the first one.
const FAILING_BOOTS: usize = 3;

/// Where an execution is.
#[derive(Clone, Debug)]
struct State {
    memory: Memory,
    at: usize,
    value: i16,
    /// The handler that runs: where it is and its value.
    handler: Option<(usize, i16)>,
    /// Handlers that came at the same time and run next.
    queue: Vec<usize>,
    /// Whether it was asked already who comes before the next step.
    asked: bool,
    enabled: bool,
    /// How often this attempt was at each step.
    visits: BTreeMap<usize, u32>,
    /// How many sleeps there were.
    sleeps: usize,
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Did {
    Read(usize),
    Wrote(usize),
    Committed,
    VisitedHead,
    Ended,
    Nothing,
}

impl State {
    fn power_on(memory: Memory) -> Self {
        Self {
            memory,
            at: 0,
            value: 0,
            handler: None,
            queue: Vec::new(),
            asked: false,
            enabled: false,
            visits: BTreeMap::new(),
            sleeps: 0,
        }
    }

    /// Power fails in `self`, and comes back in the state of `origin`.
    fn restored(&self, origin: &Self) -> Self {
        let mut state = origin.clone();
        state.memory[..KEPT].copy_from_slice(&self.memory[..KEPT]);
        state
    }

    /// An attempt begins here.
    fn begin(mut self) -> Self {
        self.visits.clear();
        self
    }
}

/// Which handler came, where and for the how manieth time.
type Event = (usize, u32, usize);

/// One step of an execution: what it did, the state after it, and the interrupts until then.
struct Moment {
    did: Did,
    after: State,
    events: usize,
}

/// A stretch of execution.
struct Trace {
    moments: Vec<Moment>,
    events: Vec<Event>,
}

/// Until when an execution goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Commit,
    End,
    Rounds(usize),
}

/// Whether boots after a failure do harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Harm {
    None,
    /// If certain handlers end their sleeps.
    InSomeOrder,
    /// Whichever handlers end their sleeps, and those of the boots that they are held against.
    InEveryOrder,
}

/// Judges one program.
pub(crate) struct Judge<'p> {
    program: &'p Program,
}

/// What is to blame.
#[derive(Clone, Default, Debug)]
pub(crate) struct Blame {
    /// Variables after one of whose writes a failure does harm, and before which it does not.
    pub(crate) surely: BTreeSet<usize>,
    /// Variables after one of whose writes a failure does harm.
    pub(crate) at_all: BTreeSet<usize>,
    /// Variables after one of whose writes a failure does harm if the next attempt sees other interrupts: a handler that was
    /// cut does not come again, or another one ends the sleep.
    pub(crate) otherwise: BTreeSet<usize>,
    /// Variables that are read and then written in one region.
    pub(crate) pairs: BTreeSet<usize>,
}

impl Blame {
    pub(crate) fn join(&mut self, other: Self) {
        self.surely.extend(other.surely);
        self.at_all.extend(other.at_all);
        self.otherwise.extend(other.otherwise);
        self.pairs.extend(other.pairs);
    }
}

impl<'p> Judge<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// The places and handlers for which it can matter that one comes.
    pub(crate) fn moments(&self) -> Vec<(usize, usize)> {
        if self.program.coming == Coming::Asleep {
            return Vec::new();
        }
        let main = self.program.steps[..self.program.main_end].iter();
        let places = main.enumerate().filter(|(_, step)| step.is_interruptible());
        let handlers = 0..self.program.entries.len();
        places
            .flat_map(|(at, _)| handlers.clone().map(move |handler| (at, handler)))
            .collect()
    }

    /// What is to blame if handlers come so.
    pub(crate) fn blame(&self, arrivals: &Arrivals) -> Blame {
        match self.program.policy {
            Policy::Static => self.regions(arrivals),
            Policy::Reactive => self.reactive(arrivals),
            Policy::Restart => self.restart(arrivals),
        }
    }

    /// Executes one step, and says what it did.
    fn step(&self, state: &mut State, arrivals: &Arrivals, events: &mut Vec<Event>) -> Did {
        let steps = &self.program.steps;
        if let Some((at, value)) = state.handler {
            let (mut at, mut value) = (at, value);
            let did = self.execute(&mut state.memory, &mut at, &mut value);
            state.handler = Some((at, value));
            if steps[at] == Step::Return {
                state.handler = None;
            }
            return did;
        }
        if let Some(&next) = state.queue.first() {
            state.queue.remove(0);
            state.handler = Some((self.program.entries[next], 0));
            return Did::Nothing;
        }
        let step = steps[state.at];
        if !state.asked && step.is_interruptible() {
            state.asked = true;
            let nth = state.visits.entry(state.at).or_default();
            let visit = *nth;
            *nth += 1;
            if state.enabled {
                let every = arrivals.get(&(state.at, None)).into_iter().flatten();
                let this = arrivals.get(&(state.at, Some(visit))).into_iter().flatten();
                for &handler in every.chain(this) {
                    events.push((state.at, visit, handler));
                    state.queue.push(handler);
                }
                if !state.queue.is_empty() {
                    return Did::Nothing;
                }
            }
        }
        state.asked = false;
        match step {
            Step::Checkpoint => {
                state.at += 1;
                Did::Committed
            }
            Step::Enable => {
                (state.at, state.enabled) = (state.at + 1, true);
                Did::Nothing
            }
            Step::Disable => {
                (state.at, state.enabled) = (state.at + 1, false);
                Did::Nothing
            }
            Step::Sleep => {
                (state.at, state.enabled) = (state.at + 1, true);
                let turn = state.sleeps % self.program.entries.len();
                state.sleeps += 1;
                state.queue.push(turn);
                Did::Nothing
            }
            Step::Head => {
                state.at += 1;
                Did::VisitedHead
            }
            Step::End => Did::Ended,
            _ => self.execute(&mut state.memory, &mut state.at, &mut state.value),
        }
    }

    /// Executes what handlers and the main program have in common.
    fn execute(&self, memory: &mut Memory, at: &mut usize, value: &mut i16) -> Did {
        let step = self.program.steps[*at];
        *at += 1;
        match step {
            Step::Constant(constant) => *value = constant,
            Step::Add(more) => *value = value.wrapping_add(more),
            Step::Load(from) => {
                *value = memory[from];
                return Did::Read(from);
            }
            Step::Store(to) => {
                memory[to] = *value;
                return Did::Wrote(to);
            }
            Step::Unless(wanted, to) if *value != wanted => *at = to,
            Step::Jump(to) => *at = to,
            _ => {}
        }
        Did::Nothing
    }

    fn run(&self, start: &State, arrivals: &Arrivals, until: Until) -> Trace {
        let mut state = start.clone();
        let mut trace = Trace {
            moments: Vec::new(),
            events: Vec::new(),
        };
        let mut rounds = 0;
        loop {
            let did = self.step(&mut state, arrivals, &mut trace.events);
            rounds += usize::from(did == Did::VisitedHead);
            trace.moments.push(Moment {
                did,
                after: state.clone(),
                events: trace.events.len(),
            });
            let is_over = match until {
                Until::Commit => did == Did::Committed,
                Until::End => false,
                Until::Rounds(most) => rounds >= most,
            };
            if is_over || did == Did::Ended {
                return trace;
            }
        }
    }

    /// The variables in which an attempt differs from an execution without failures, both at the same
    /// place, and that matter: they are read before they are overwritten, or stay different for good.
    fn differences(
        &self,
        attempt: &State,
        other: &State,
        has_ended: bool,
        arrivals: &Arrivals,
    ) -> BTreeSet<usize> {
        let differing = (0..VARIABLES).filter(|&at| attempt.memory[at] != other.memory[at]);
        let differing: BTreeSet<usize> = differing.collect();
        if has_ended || differing.is_empty() {
            return differing.into_iter().filter(|&at| at < KEPT).collect();
        }
        let future = self.run(other, arrivals, Until::Rounds(ROUNDS));
        let matters = |variable: &usize| {
            let accesses = future.moments.iter().map(|moment| moment.did);
            let mut accesses =
                accesses.filter(|did| [Did::Read(*variable), Did::Wrote(*variable)].contains(did));
            match accesses.next() {
                Some(Did::Read(_)) => true,
                Some(_) => false,
                None => *variable < KEPT,
            }
        };
        differing.into_iter().filter(matters).collect()
    }

    fn pairs(trace: &Trace) -> BTreeSet<usize> {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        let mut pairs = BTreeSet::new();
        for moment in &trace.moments {
            match moment.did {
                Did::Read(variable) if !written.contains(&variable) => {
                    read.insert(variable);
                }
                Did::Wrote(variable) => {
                    written.insert(variable);
                    if variable < KEPT && read.contains(&variable) {
                        pairs.insert(variable);
                    }
                }
                _ => {}
            }
        }
        pairs
    }

    /// `static`: one region after the other.
    fn regions(&self, arrivals: &Arrivals) -> Blame {
        let mut blame = Blame::default();
        let mut origin = State::power_on([0; VARIABLES]);
        loop {
            let trace = self.run(&origin, arrivals, Until::Commit);
            blame.pairs.extend(Self::pairs(&trace));
            let does_harm = |failed: &State, events: &[Event], arrivals: &Arrivals| {
                self.is_harm(&origin, failed, events, arrivals, Until::Commit)
            };
            Self::walk(&trace, &origin, arrivals, &does_harm, &mut blame);
            if self.program.coming == Coming::Asleep {
                let mut other = origin.clone();
                other.sleeps += 1;
                let does_harm = |failed: &State, events: &[Event], arrivals: &Arrivals| {
                    self.is_harm(&other, failed, events, arrivals, Until::Commit)
                };
                let mut by_other = Blame::default();
                Self::walk(&trace, &origin, arrivals, &does_harm, &mut by_other);
                blame.otherwise.extend(by_other.at_all);
            }
            let Some(last) = trace.moments.last() else {
                return blame;
            };
            if last.did != Did::Committed {
                return blame;
            }
            origin = last.after.clone().begin();
        }
    }

    /// Whether a failure after every write of a trace does harm.
    fn walk(
        trace: &Trace,
        start: &State,
        arrivals: &Arrivals,
        does_harm: &dyn Fn(&State, &[Event], &Arrivals) -> bool,
        blame: &mut Blame,
    ) {
        let mut before: (&State, usize) = (start, 0);
        for moment in &trace.moments {
            let events = &trace.events[..moment.events];
            if let Did::Wrote(variable) = moment.did
                && variable < KEPT
            {
                if does_harm(&moment.after, events, arrivals) {
                    blame.at_all.insert(variable);
                    if !does_harm(before.0, &trace.events[..before.1], arrivals) {
                        blame.surely.insert(variable);
                    }
                }
                if let Some(cut) = events.last().filter(|_| moment.after.handler.is_some())
                    && does_harm(&moment.after, events, &without(arrivals, cut))
                {
                    blame.otherwise.insert(variable);
                }
            }
            before = (&moment.after, moment.events);
        }
    }

    /// Whether an attempt after a failure arrives with another state than every execution without
    /// failures that it may be held against.
    fn is_harm(
        &self,
        origin: &State,
        failed: &State,
        events: &[Event],
        arrivals: &Arrivals,
        until: Until,
    ) -> bool {
        let attempt = self.run(&failed.restored(origin), arrivals, until);
        let Some(arrived) = attempt.moments.last() else {
            return false;
        };
        let agrees = |origin: &State, arrivals_there: &Arrivals| {
            let other = self.run(origin, arrivals_there, until);
            other.moments.last().is_some_and(|other| {
                let has_ended = other.did == Did::Ended;
                other.did == arrived.did
                    && other.after.at == arrived.after.at
                    && self
                        .differences(&arrived.after, &other.after, has_ended, arrivals)
                        .is_empty()
            })
        };
        let mut sets = subsets(events);
        !sets.any(|chosen| {
            let mut more = arrivals.clone();
            for &(at, nth, handler) in &chosen {
                more.entry((at, Some(nth))).or_default().insert(0, handler);
            }
            agrees(origin, &more) || agrees(&self.after_handlers(origin, &chosen), arrivals)
        })
    }

    /// A state in which handlers have run, one after the other.
    fn after_handlers(&self, state: &State, events: &[Event]) -> State {
        let mut state = state.clone();
        for &(_, _, handler) in events {
            state.handler = Some((self.program.entries[handler], 0));
            while state.handler.is_some() {
                self.step(&mut state, &Arrivals::new(), &mut Vec::new());
            }
        }
        state
    }

    /// `reactive`: every moment starts a region that goes to the end.
    fn reactive(&self, arrivals: &Arrivals) -> Blame {
        let mut blame = Blame::default();
        let all = self.run(&State::power_on([0; VARIABLES]), arrivals, Until::End);
        let first = State::power_on([0; VARIABLES]);
        let origins = std::iter::once(&first).chain(all.moments.iter().map(|moment| &moment.after));
        for origin in origins {
            let origin = origin.clone();
            let trace = self.run(&origin, arrivals, Until::End);
            blame.pairs.extend(Self::pairs(&trace));
            let does_harm = |failed: &State, events: &[Event], arrivals: &Arrivals| {
                self.is_harm(&origin, failed, events, arrivals, Until::End)
            };
            Self::walk(&trace, &origin, arrivals, &does_harm, &mut blame);
        }
        blame
    }

    /// `restart`: every boot begins at the entry. Power fails in one of the first few boots, which all handlers begin that may.
    fn restart(&self, arrivals: &Arrivals) -> Blame {
        let mut blame = Blame::default();
        let mut starts: BTreeSet<Memory> = BTreeSet::from([[0; VARIABLES]]);
        let boots = match self.program.coming {
            Coming::Asleep => FAILING_BOOTS,
            Coming::Anywhere => 1,
        };
        for _ in 0..boots {
            let mut ends = BTreeSet::new();
            for memory in starts {
                for first in self.orders() {
                    let mut start = State::power_on(memory);
                    start.sleeps = first;
                    let trace = self.run(&start, arrivals, Until::Rounds(FAILING_ROUNDS + 1));
                    self.fail_in_boot(&trace, &start, arrivals, &mut blame);
                    if let Some(Did::Ended) = trace.moments.last().map(|last| last.did) {
                        let last = trace.moments.last().map(|last| &last.after);
                        ends.extend(last.map(|last| last.restored(&start).memory));
                    }
                }
            }
            starts = ends;
        }
        blame
    }

    /// Lets power fail after every write of a boot.
    fn fail_in_boot(&self, trace: &Trace, start: &State, arrivals: &Arrivals, blame: &mut Blame) {
        // The quiet moment that comes next, from every moment on.
        let mut after = Vec::new();
        let mut next = trace.moments.last().map(|last| &last.after);
        for moment in trace.moments.iter().rev() {
            after.push(next);
            if matches!(moment.did, Did::VisitedHead | Did::Ended) {
                next = Some(&moment.after);
            }
        }
        after.reverse();
        let mut quiet: (&State, usize) = (start, 0);
        let mut before: Option<(State, usize)> = None;
        for (moment, after) in trace.moments.iter().zip(after) {
            let harm = |failed: &State, until: usize, arrivals: &Arrivals| {
                let events = &trace.events[quiet.1..until];
                self.lasting(failed, quiet.0, after, events, arrivals)
            };
            if let Did::Wrote(variable) = moment.did
                && variable < KEPT
            {
                let harm_here = harm(&moment.after, moment.events, arrivals);
                if harm_here == Harm::InEveryOrder {
                    blame.at_all.insert(variable);
                    let was_harm = before.as_ref().is_some_and(|(state, events)| {
                        harm(state, *events, arrivals) == Harm::InEveryOrder
                    });
                    if !was_harm {
                        blame.surely.insert(variable);
                    }
                }
                if harm_here == Harm::InSomeOrder {
                    blame.otherwise.insert(variable);
                }
                let cut = trace.events[..moment.events].last();
                if let Some(cut) = cut.filter(|_| moment.after.handler.is_some())
                    && harm(&moment.after, moment.events, &without(arrivals, cut)) != Harm::None
                {
                    blame.otherwise.insert(variable);
                }
            }
            before = Some((moment.after.clone(), moment.events));
            if moment.did == Did::VisitedHead {
                quiet = (&moment.after, moment.events);
            }
        }
    }

    /// Whether a boot after a failure stays different from every boot after a failure at a quiet moment.
    fn lasting(
        &self,
        failed: &State,
        quiet: &State,
        after: Option<&State>,
        events: &[Event],
        arrivals: &Arrivals,
    ) -> Harm {
        let mut references: Vec<State> = after.cloned().into_iter().collect();
        references.extend(subsets(events).map(|chosen| self.after_handlers(quiet, &chosen)));
        // What would have come in the rest of the round has not happened, or others come.
        for first in self.orders() {
            let mut failed = failed.clone();
            failed.sleeps += first;
            let rest = self.run(&failed, &Arrivals::new(), Until::Rounds(1));
            references.extend(rest.moments.last().map(|last| last.after.clone()));
        }
        // The handlers that end the sleeps of the boot after the failure are real: the reference has the same. Whether it
        // could have had others is left open.
        let booted = |first: usize| -> Vec<Trace> {
            let boots = references.iter();
            boots
                .map(|reference| self.boot(reference, first, arrivals))
                .collect()
        };
        let references: Vec<Vec<Trace>> = self.orders().map(booted).collect();
        let (mut somewhere, mut everywhere) = (false, true);
        for first in self.orders() {
            let attempt = self.boot(failed, first, arrivals);
            let agrees = |boots: &Vec<Trace>| {
                (boots.iter()).any(|reference| self.agree(&attempt, reference, arrivals))
            };
            somewhere |= !agrees(&references[first]);
            everywhere &= !references.iter().any(agrees);
        }
        match (everywhere, somewhere) {
            (true, _) => Harm::InEveryOrder,
            (false, true) => Harm::InSomeOrder,
            (false, false) => Harm::None,
        }
    }

    /// The handlers that may end the first sleep of a boot; the others follow in turns.
    fn orders(&self) -> std::ops::Range<usize> {
        match self.program.coming {
            Coming::Asleep => 0..self.program.entries.len(),
            Coming::Anywhere => 0..1,
        }
    }

    /// A boot, for some rounds.
    fn boot(&self, failed: &State, first: usize, arrivals: &Arrivals) -> Trace {
        let mut power_on = State::power_on([0; VARIABLES]);
        power_on.sleeps = first;
        self.run(&failed.restored(&power_on), arrivals, Until::Rounds(ROUNDS))
    }

    /// Whether two boots agree at some visit of the head of the loop, or at the end.
    fn agree(&self, attempt: &Trace, reference: &Trace, arrivals: &Arrivals) -> bool {
        fn quiet(trace: &Trace) -> impl Iterator<Item = &Moment> {
            let is_quiet = |did: Did| matches!(did, Did::VisitedHead | Did::Ended);
            trace
                .moments
                .iter()
                .filter(move |moment| is_quiet(moment.did))
        }
        quiet(attempt)
            .zip(quiet(reference))
            .any(|(attempt, reference)| {
                let has_ended = reference.did == Did::Ended;
                attempt.did == reference.did
                    && self
                        .differences(&attempt.after, &reference.after, has_ended, arrivals)
                        .is_empty()
            })
    }
}

/// The same arrivals, but a handler does not come where it came.
fn without(arrivals: &Arrivals, &(at, _, handler): &Event) -> Arrivals {
    let mut arrivals = arrivals.clone();
    for ((place, _), handlers) in &mut arrivals {
        if *place == at {
            handlers.retain(|other| *other != handler);
        }
    }
    arrivals
}

/// All that a list of events may be without some of them.
fn subsets(events: &[Event]) -> impl Iterator<Item = Vec<Event>> {
    // More than a few are not told apart.
    const MOST: usize = 6;
    let latest = events[events.len().saturating_sub(MOST)..].to_vec();
    let earlier = events[..events.len() - latest.len()].to_vec();
    (0..1u32 << latest.len()).map(move |chosen| {
        let latest = latest.iter().enumerate();
        let latest = latest.filter(|(number, _)| chosen >> number & 1 == 1);
        let latest = latest.map(|(_, event)| *event);
        earlier.iter().copied().chain(latest).collect()
    })
}
