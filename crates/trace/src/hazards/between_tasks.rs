//! Volatile variables that carry something from one task to the next: after a reboot start-up code has
//! initialised them, and the task that comes next does not find what it was left.
//!
//! **Property.** A task reads what an earlier call of a task has written, and nobody else since.
//!
//! **Algorithm.** One execution. Every byte of a volatile variable remembers the call of a task that wrote
//! it last.
//!
//! **False positives.** What may be lost, such as a cache. **False negatives.** Paths that were not executed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use brownout_explore::{Monitor, Objects, watch};
use brownout_ir::{Func, Global, Origin};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, SegmentKind};

use super::unrestored::Commit;

/// A volatile variable that a task reads as an earlier one has left it.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Its name, as the user wrote it.
    pub name: String,
    pub(super) global: Global,
    /// The operation that commits before the task that reads it, if there is one.
    pub(super) pc: Option<u32>,
    /// The operation that reads it first.
    pub(super) reader: u32,
    /// The commits after which it is read, as many as are worth a power failure.
    pub(super) commits: Vec<Commit>,
}

/// The variables that an execution of at most `limit` instructions shows, or the part of it before
/// `monitor` said stop, by the operation that commits before the task that reads them.
pub fn carried_between_tasks(
    image: &Image,
    tasks: &[Func],
    limit: u64,
    monitor: &dyn Monitor,
) -> Vec<Carried> {
    let objects = Objects::new(image);
    let mut watched = Watch {
        image,
        objects: &objects,
        tasks,
        depth: 0,
        task: None,
        entered: 0,
        written: BTreeMap::new(),
        commit: None,
        commits: 0,
        carried: BTreeMap::new(),
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    watch(&mut machine, &mut watched, limit, monitor);
    watched.carried.into_values().collect()
}

struct Watch<'a> {
    image: &'a Image,
    objects: &'a Objects<'a>,
    tasks: &'a [Func],
    /// How many calls are in progress.
    depth: usize,
    /// How many there were when the task was called that is in progress.
    task: Option<usize>,
    /// How many calls of tasks there were.
    entered: u64,
    /// Which call of a task wrote a byte.
    written: BTreeMap<u32, u64>,
    /// The last commit, and the operation that made it.
    commit: Option<(u32, Commit)>,
    /// How many commits there were.
    commits: u64,
    carried: BTreeMap<(Option<u32>, Global), Carried>,
}

impl Watch<'_> {
    fn is_variable(&self, offset: u32) -> bool {
        let segment = self.image.layout().segment(offset);
        segment.is_some_and(|one| one.kind == SegmentKind::Globals && !one.nonvolatile)
    }

    fn leave_to(&mut self, depth: usize) {
        self.depth = depth;
        if self.task.is_some_and(|task| depth <= task) {
            self.task = None;
        }
    }
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        if self.task.is_none() || !self.is_variable(offset) {
            return;
        }
        let mut bytes = (offset..).take(bytes.len());
        let carried = bytes.any(|byte| {
            let written = self.written.get(&byte);
            written.is_some_and(|&written| written != self.entered)
        });
        if carried && let Some((global, _)) = self.objects.global(offset) {
            let data = &self.image.program().globals[global];
            if data.origin == Origin::User {
                let pc = self.commit.map(|(pc, _)| pc);
                let carried = self.carried.entry((pc, global));
                let carried = carried.or_insert_with(|| Carried {
                    name: data.variable.as_ref().unwrap_or(&data.name).clone(),
                    global,
                    pc,
                    reader: at.pc,
                    commits: Vec::new(),
                });
                let commit = self.commit.map(|(_, commit)| commit);
                carried
                    .commits
                    .extend(commit.filter(|commit| commit.is_next(&carried.commits)));
            }
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if !self.is_variable(offset) {
            return;
        }
        for byte in (offset..).take(new.len()) {
            match self.task {
                Some(_) => self.written.insert(byte, self.entered),
                None => self.written.remove(&byte),
            };
        }
    }

    fn call(&mut self, _: Moment, function: Func, _: u32) {
        if self.task.is_none() && self.tasks.contains(&function) {
            self.task = Some(self.depth);
            self.entered += 1;
        }
        self.depth += 1;
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        // A transition: from here on another task is in progress.
        self.entered += 1;
        self.commits += 1;
        let number = self.commits;
        let time = at.time;
        self.commit = Some((at.pc, Commit { number, time }));
        ControlFlow::Continue(())
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.leave_to(self.depth.saturating_sub(1));
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.leave_to(depth);
    }
}
