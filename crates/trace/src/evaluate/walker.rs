//! Walks over a program once and emulates failures on the way.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use brownout_ir::Func;
use brownout_vm::{Bounds, Image, Machine, Mark, Moment, Observer, Stop, Stream};
use rustc_hash::FxHashMap;

use super::compare::{Comparison, End, Pause, Reference, Watch, ranges};
use super::exposed::{Exposed, Writing};
use super::window::Window;
use super::{
    Damage, Difference, DifferenceKind, Evaluation, Explored, Harm, Seen, Setting, Test,
    attempt_budget, beyond,
};
use crate::calls::Calls;
use crate::objects::Objects;

pub(super) struct Walker<'i> {
    image: &'i Image,
    saved: Vec<Range<u32>>,
    failures: u32,
    atomic_write: Option<u32>,
    machine: Machine<'i>,
    objects: Objects<'i>,
    calls: Calls<'i>,
    exposed: Exposed,
    /// What failures of pairs are known to do, from earlier windows and from this one.
    known: Arc<Known>,
    known_here: Known,
    /// Instructions executed; those executed one by one count for more.
    spent: u64,
}

/// What failures of pairs are known to do.
#[derive(Clone, Default)]
pub(super) struct Known(FxHashMap<(u32, u32), BTreeSet<DifferenceKind>>);

impl Known {
    fn has(&self, pair: (u32, u32), kind: DifferenceKind) -> bool {
        self.0.get(&pair).is_some_and(|kinds| kinds.contains(&kind))
    }

    pub(super) fn add(&mut self, pairs: &[(u32, u32)], damage: &Damage) {
        for &pair in pairs {
            let kinds = damage.differences.iter().map(Difference::kind);
            self.0.entry(pair).or_default().extend(kinds);
        }
    }
}

/// What it takes to execute a single instruction, in instructions executed at a stretch.
const SINGLE: u64 = 8;

/// A window whose continuous execution is known.
struct Scene {
    window: Window,
    /// Its start.
    mark: Mark,
    reference: Reference,
    /// The machine's time at the start.
    begun: u64,
    /// The continuous execution followed further, once that is needed.
    beyond: Option<Reference>,
    /// Places where attempts that took another path are compared, as far as they were needed.
    meetings: Vec<Meeting>,
}

/// A place of the continuous execution.
struct Meeting {
    reference: Reference,
    /// How often it has been there when it stops there.
    passes: u64,
}

/// How many places are tried: the end of the window and some behind it.
const MEETINGS: usize = 4;

/// What must be known of the continuous execution before an attempt can be judged.
enum Need {
    Beyond,
    Meeting,
}

/// Whether an attempt did what the continuous execution did, with other values at most.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Same,
    Another,
}

impl<'i> Walker<'i> {
    pub(super) fn new(image: &'i Image, setting: Setting<'_>) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        Self {
            image,
            saved: setting.saved.to_vec(),
            failures: setting.failures.max(1),
            machine,
            objects: Objects::new(image),
            calls: Calls::new(image),
            exposed: Exposed::new(image, setting.atomic_write),
            atomic_write: setting.atomic_write,
            known: Arc::default(),
            known_here: Known::default(),
            spent: 0,
        }
    }

    /// Emulates tests that are sorted by window and failure.
    pub(super) fn evaluate(
        &mut self,
        part: &[(Window, Test)],
        interrupt: &dyn Fn() -> bool,
    ) -> Vec<Evaluation> {
        let mut results = Vec::new();
        for group in part.chunk_by(|a, b| a.0 == b.0) {
            if interrupt() {
                break;
            }
            let Some(&(window, _)) = group.first() else {
                continue;
            };
            let Some(mut scene) = self.enter(window) else {
                continue;
            };
            for same in group.chunk_by(|a, b| a.1.instance.produced == b.1.instance.produced) {
                let Some(&(_, first)) = same.first() else {
                    continue;
                };
                if interrupt() {
                    break;
                }
                let before = self.spent;
                let (damage, _) = self.fail(&mut scene, first.instance.produced, &[], None);
                let instructions = self.spent - before;
                results.extend(same.iter().map(|&(_, test)| Evaluation {
                    test,
                    damage: damage.clone(),
                    instructions: instructions / same.len() as u64,
                }));
            }
            self.leave(&scene);
        }
        results
    }

    /// Emulates every failure of `windows` that can matter, spending at most about `allowance`
    /// instructions on each of them. What is `known` is not looked at closely.
    pub(super) fn explore(
        &mut self,
        windows: &[Window],
        known: &Arc<Known>,
        allowance: u64,
        interrupt: &dyn Fn() -> bool,
    ) -> Explored {
        self.known = Arc::clone(known);
        let mut explored = Explored {
            complete: true,
            ..Explored::default()
        };
        for &window in windows {
            if interrupt() {
                explored.complete = false;
                break;
            }
            let Some(mut scene) = self.enter(window) else {
                continue;
            };
            explored.windows += 1;
            let before = self.spent;
            self.explore_window(&mut scene, allowance, &mut explored);
            explored.instructions += scene.reference.length + self.spent - before;
            self.leave(&scene);
        }
        explored
    }

    fn explore_window(&mut self, scene: &mut Scene, allowance: u64, explored: &mut Explored) {
        let writings: Vec<Writing> = std::mem::take(&mut self.exposed.writings);
        self.known_here = Known::default();
        let begun = self.spent;
        let mut pairs: &[(u32, u32)] = &[];
        let mut departed = false;
        for writing in &writings {
            let producer = !writing.pairs.is_empty();
            if producer {
                pairs = &writing.pairs;
            } else if !departed {
                continue;
            }
            if self.spent - begun >= allowance {
                explored.complete = false;
                break;
            }
            let (damage, path) = self.fail(scene, writing.time, pairs, None);
            departed = if producer {
                path == Path::Another
            } else {
                departed
            };
            explored.failures += 1;
            if self.is_news(pairs, &damage.differences) {
                self.known_here.add(pairs, &damage);
                explored.harm.push(Harm {
                    checkpoint: scene.window.position(),
                    failure: writing.time,
                    pairs: pairs.to_vec(),
                    damage: damage.clone(),
                    torn: None,
                });
            }
            if let Some((offset, old)) = &writing.wide {
                self.tear(scene, writing, (*offset, old), &damage, explored);
            }
        }
    }

    /// Power fails inside a store, after every part of it that is written at once. What `whole` does,
    /// a failure after all of it, is not the tear's doing.
    fn tear(
        &mut self,
        scene: &mut Scene,
        writing: &Writing,
        (offset, old): (u32, &[u8]),
        whole: &Damage,
        explored: &mut Explored,
    ) {
        let step = self.atomic_write.unwrap_or(u32::MAX).max(1) as usize;
        // Parts are aligned as the device has them.
        let first = step - offset as usize % step;
        for written in (first..old.len()).step_by(step) {
            let tear = (offset + written as u32, &old[written..]);
            let (damage, _) = self.fail(scene, writing.time, &[], Some(tear));
            explored.failures += 1;
            if damage.differences.is_empty() || damage.differences == whole.differences {
                continue;
            }
            explored.harm.push(Harm {
                checkpoint: scene.window.position(),
                failure: writing.time,
                pairs: writing.pairs.clone(),
                damage,
                torn: Some(written as u32),
            });
            // One torn state is enough for a window.
            return;
        }
    }

    /// Whether some of the differences are not known of all of these pairs.
    fn is_news(&self, pairs: &[(u32, u32)], differences: &[Difference]) -> bool {
        let known = |difference: &Difference| {
            let kind = difference.kind();
            !pairs.is_empty()
                && pairs
                    .iter()
                    .all(|&pair| self.known.has(pair, kind) || self.known_here.has(pair, kind))
        };
        !differences.iter().all(known)
    }

    /// Goes to the start of a window, commits there and executes it continuously; nothing if the
    /// program ends before.
    fn enter(&mut self, window: Window) -> Option<Scene> {
        let saves = self.go_to(window)?;
        // From here on everything can be undone.
        self.machine.forget();
        self.machine.keep_journal(true);
        self.machine.commit(&saves);
        self.exposed.begin(&saves);
        let mark = self.machine.mark();
        let begun = self.machine.now();
        let reference = self.reference(window, &mark, window.budget(begun));
        Some(Scene {
            window,
            mark,
            reference,
            begun,
            beyond: None,
            meetings: Vec::new(),
        })
    }

    fn leave(&mut self, scene: &Scene) {
        self.machine.rollback(&scene.mark);
        self.machine.keep_journal(false);
        self.machine.forget();
    }

    /// Runs to the start of a window; what its checkpoint saves, or nothing if the program ends before.
    fn go_to(&mut self, window: Window) -> Option<Vec<Range<u32>>> {
        let mut way = Way {
            calls: &mut self.calls,
            wanted: None,
            saves: Vec::new(),
        };
        let until = match window {
            // Nothing has committed yet: the program starts again, and nothing is put back. A checkpoint
            // here that saves nothing is the same, and costs what was written instead of what exists.
            Window::Region { commit: 0 } | Window::Call { commit: 0, .. } => {
                return Some(Vec::new());
            }
            Window::Region { commit } | Window::Call { commit, .. } => {
                way.wanted = Some(commit);
                u64::MAX
            }
            Window::Span { start, .. } => start,
        };
        match self.machine.run(&mut way, until) {
            Stop::Paused => Some(self.saved.iter().cloned().chain(way.saves).collect()),
            Stop::Exited { .. } | Stop::Faulted(_) => None,
        }
    }

    /// Executes a window continuously, notes what can matter in it, and comes back.
    fn reference(&mut self, window: Window, mark: &Mark, budget: u64) -> Reference {
        let begun = self.machine.now();
        let mut seer = Seer {
            watch: Watch::new(self.image, Pause::of(window), begun),
            calls: self.calls.clone(),
            exposed: &mut self.exposed,
        };
        let stop = self.machine.run(&mut seer, begun.saturating_add(budget));
        let watch = seer.watch;
        self.conclude(stop, watch, mark, budget)
    }

    /// Executes on from a mark without a pause, and comes back.
    fn continuous(&mut self, mark: &Mark, budget: u64) -> Reference {
        let begun = self.machine.now();
        let mut watch = Watch::new(self.image, Pause::Never, begun);
        let stop = self.machine.run(&mut watch, begun.saturating_add(budget));
        self.conclude(stop, watch, mark, budget)
    }

    fn conclude(&mut self, stop: Stop, watch: Watch<'_>, mark: &Mark, budget: u64) -> Reference {
        let footprints = watch.footprints;
        let length = self.machine.now() - watch.begun;
        let end = self.end(stop, watch);
        let written = self
            .machine
            .written_since(mark)
            .into_iter()
            .map(|offset| (offset, self.machine.memory()[offset as usize]))
            .collect();
        let stack = self.machine.call_stack();
        let registers = self.machine.registers().to_vec();
        self.machine.rollback(mark);
        Reference {
            written,
            end,
            stack,
            registers,
            inputs: self.machine.inputs_read().to_vec(),
            budget,
            length,
            footprints,
        }
    }

    fn end(&self, stop: Stop, watch: Watch<'_>) -> End {
        End {
            stop,
            pc: self.machine.pc(),
            calls: self.machine.backtrace(),
            committed: watch.paused,
            output: watch.output,
        }
    }

    /// Runs on for `budget` instructions, or to a pause.
    fn advance(&mut self, pause: Pause, budget: u64) -> (End, u64) {
        let now = self.machine.now();
        let mut watch = Watch::new(self.image, pause, now);
        let stop = self.machine.run(&mut watch, now.saturating_add(budget));
        self.spent += self.machine.now() - now;
        let footprints = watch.footprints;
        (self.end(stop, watch), footprints)
    }

    /// Goes on with the first attempt to `failure`, lets power fail there as often as asked, compares,
    /// and comes back to the moment before the failure.
    ///
    /// `pairs` are whose failure it is: what is known of them need not be looked at closely. `tear` is
    /// what the store before the failure does not overwrite, and where.
    fn fail(
        &mut self,
        scene: &mut Scene,
        failure: u64,
        pairs: &[(u32, u32)],
        tear: Option<(u32, &[u8])>,
    ) -> (Damage, Path) {
        let pause = Pause::of(scene.window);
        let begun = self.machine.now();
        let (end, _) = self.advance(pause, failure.saturating_sub(begun));
        let mut moment = self.machine.mark();
        let mut path = Path::Same;
        let mut damage = Damage::none(1);
        if end.is_finished() {
            // The window is over before power can fail.
            return (damage, path);
        }
        let distance = failure.saturating_sub(scene.begun);
        // Once, then twice in a row, and so on: each may do harm that the others do not.
        let mut failures = 1;
        while failures <= self.failures {
            let (found, way) = match self.attempts(scene, distance, failures, pairs, tear) {
                Ok(result) => result,
                Err(need) => {
                    self.learn(scene, &need);
                    // Knowing more, the same failure again.
                    self.advance(pause, failure.saturating_sub(self.machine.now()));
                    moment = self.machine.mark();
                    continue;
                }
            };
            self.machine.rollback(&moment);
            if failures == 1 {
                path = way;
            }
            damage = found;
            if !damage.differences.is_empty() {
                break;
            }
            failures += 1;
        }
        (damage, path)
    }

    /// Goes back to the start of the window and finds out what is needed there.
    fn learn(&mut self, scene: &mut Scene, need: &Need) {
        self.machine.rollback(&scene.mark);
        let length = scene.reference.length;
        match need {
            Need::Beyond => {
                let budget = length + beyond(length);
                scene.beyond = Some(self.continuous(&scene.mark, budget));
            }
            Need::Meeting => {
                // The end of the window, then further and further behind it.
                let further = match scene.meetings.len() {
                    0 => 0,
                    count => (length / 4) << (count - 1),
                };
                let budget = scene.reference.budget + further;
                let reference = self.continuous(&scene.mark, budget);
                let passes = self.passes(&reference.end, reference.length);
                self.machine.rollback(&scene.mark);
                scene.meetings.push(Meeting { reference, passes });
            }
        }
    }

    /// How often an execution is at the place where it ends after `length` instructions.
    fn passes(&mut self, end: &End, length: u64) -> u64 {
        let until = self.machine.now() + length;
        let mut passes = 0;
        while self.machine.now() < until && self.machine.step() == Stop::Paused {
            passes += u64::from(self.is_at(end));
        }
        self.spent += length * SINGLE;
        passes.max(1)
    }

    fn is_at(&self, end: &End) -> bool {
        self.machine.pc() == end.pc && self.machine.backtrace() == end.calls
    }

    /// Power fails here; after `failures` of them the last attempt is compared.
    fn attempts(
        &mut self,
        scene: &Scene,
        distance: u64,
        failures: u32,
        pairs: &[(u32, u32)],
        tear: Option<(u32, &[u8])>,
    ) -> Result<(Damage, Path), Need> {
        if let Some((offset, old)) = tear {
            self.machine.tear(offset, old);
        }
        let (window, reference) = (scene.window, &scene.reference);
        let pause = Pause::of(window);
        for failure in 1..=failures {
            self.restore(reference);
            if failure < failures {
                let (end, footprints) = self.advance(pause, distance);
                if end.is_finished() {
                    // This attempt gets through before power can fail again.
                    let differences = self.differences(scene, reference, &end);
                    let damage = Damage::new(differences, Seen::AtItsEnd, failures);
                    return Ok((damage, Path::of(reference, footprints)));
                }
            }
        }
        let start = self.machine.mark();
        let budget = if window.is_region() {
            attempt_budget(reference.length)
        } else {
            reference.budget
        };
        let (end, footprints) = self.advance(pause, budget);
        let path = Path::of(reference, footprints);
        let differences = self.differences(scene, reference, &end);
        if differences.is_empty() {
            let only_registers =
                end.stop == Stop::Paused && self.machine.registers() != reference.registers;
            let damage = if only_registers {
                self.go_beyond(scene, &end, failures)?
            } else {
                Damage::none(failures)
            };
            return Ok((damage, path));
        }
        // An attempt that took another path may be early or late, which is no harm.
        if !window.is_region() && path == Path::Another && self.is_news(pairs, &differences) {
            self.machine.rollback(&start);
            if let Some(differences) = self.meet(scene)? {
                let damage = Damage::new(differences, Seen::WhereTheyMeet, failures);
                return Ok((damage, path));
            }
        }
        Ok((Damage::new(differences, Seen::AtItsEnd, failures), path))
    }

    /// Power fails and comes back.
    fn restore(&mut self, reference: &Reference) {
        self.machine.fail_power();
        // The attempt that counts reads what the continuous execution reads (OOPSLA'20, Def. 1).
        self.machine.replay_inputs(&reference.inputs);
    }

    fn differences(&self, scene: &Scene, reference: &Reference, end: &End) -> Vec<Difference> {
        let comparison = Comparison {
            image: self.image,
            objects: &self.objects,
            machine: &self.machine,
            mark: &scene.mark,
        };
        comparison.differences(scene.window, reference, end)
    }

    /// At the end of the window only registers are different: do they matter?
    fn go_beyond(&mut self, scene: &Scene, end: &End, failures: u32) -> Result<Damage, Need> {
        let reference = scene.beyond.as_ref().ok_or(Need::Beyond)?;
        let (mut later, _) = self.advance(Pause::Never, beyond(scene.reference.length));
        later.output.splice(0..0, end.output.iter().copied());
        let differences = self.differences(scene, reference, &later);
        Ok(Damage::new(differences, Seen::Afterwards, failures))
    }

    /// Follows the last attempt, from its start, to a place where the continuous execution was
    /// as often; what is different there, if there is such a place.
    fn meet(&mut self, scene: &Scene) -> Result<Option<Vec<Difference>>, Need> {
        let start = self.machine.mark();
        for number in 0..MEETINGS {
            let meeting = scene.meetings.get(number).ok_or(Need::Meeting)?;
            let reference = &meeting.reference;
            let budget = reference.budget.saturating_mul(2);
            let end = if reference.end.stop == Stop::Paused {
                self.follow(&reference.end, meeting.passes, budget)
            } else {
                Some(self.advance(Pause::Never, budget).0)
            };
            let met = end.map(|end| {
                let differences = self.differences(scene, reference, &end);
                (differences, end)
            });
            self.machine.rollback(&start);
            match met {
                Some((differences, end))
                    if reference.end.stop == Stop::Paused || end.stop != Stop::Paused =>
                {
                    return Ok(Some(differences));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Runs to where `end` is, the time that is the `passes`-th.
    fn follow(&mut self, end: &End, passes: u64, budget: u64) -> Option<End> {
        let now = self.machine.now();
        let mut watch = Watch::new(self.image, Pause::Never, now);
        let mut left = passes;
        while self.machine.now() < now.saturating_add(budget) {
            let next = self.machine.now() + 1;
            self.spent += SINGLE;
            if self.machine.run(&mut watch, next) != Stop::Paused {
                return None;
            }
            if self.is_at(end) {
                left -= 1;
                if left == 0 {
                    return Some(self.end(Stop::Paused, watch));
                }
            }
        }
        None
    }
}

impl Path {
    fn of(reference: &Reference, footprints: u64) -> Self {
        if reference.footprints == footprints {
            Self::Same
        } else {
            Self::Another
        }
    }
}

/// On the way to a window.
struct Way<'w, 'i> {
    calls: &'w mut Calls<'i>,
    /// Pause at the checkpoint of this time.
    wanted: Option<u64>,
    saves: Vec<Range<u32>>,
}

impl Observer for Way<'_, '_> {
    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.wanted != Some(at.time) {
            return ControlFlow::Continue(());
        }
        self.saves = ranges(saves);
        ControlFlow::Break(())
    }
}

/// Watches a continuous window.
struct Seer<'w, 'i> {
    watch: Watch<'i>,
    calls: Calls<'i>,
    exposed: &'w mut Exposed,
}

impl Observer for Seer<'_, '_> {
    const ACCESSES: bool = true;

    fn load(&mut self, at: Moment, memory: &[u8], offset: u32, size: u32) {
        self.watch.load(at, memory, offset, size);
        self.exposed.load(at, &self.calls, offset, size);
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.watch.store(at, memory, offset, new);
        self.exposed.store(
            at,
            &self.calls,
            offset,
            &memory[offset as usize..][..new.len()],
        );
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.watch.checkpoint(at, saves)
    }

    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {
        self.watch.write(at, stream, bytes);
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.watch.output(at, index, args);
    }
}
