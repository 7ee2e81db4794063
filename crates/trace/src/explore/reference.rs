//! Scenes: windows whose continuous execution is known, with the machine at their start.

use std::ops::{ControlFlow, Range};

use brownout_scenario::Occasion;
use brownout_vm::{Mark, Moment, Observer, Stop, Stream};

use super::compare::{End, Pause, Reference, Watch, ranges};
use super::exposed::Exposed;
use super::heap::{Block, Blocks};
use super::walker::Walker;
use super::window::Window;
use crate::calls::{Calls, follow_calls};
use crate::readings::Turn;

/// A window whose continuous execution is known.
pub(super) struct Scene {
    pub(super) window: Window,
    /// Its start.
    pub(super) mark: Mark,
    pub(super) reference: Reference,
    /// The machine's time at the start.
    pub(super) begun: u64,
    /// The continuous execution followed further, once that is needed.
    pub(super) beyond: Option<Reference>,
    /// Places where attempts that took another path are compared, as far as they were needed.
    pub(super) meetings: Vec<Meeting>,
}

/// A place of the continuous execution.
pub(super) struct Meeting {
    pub(super) reference: Reference,
    /// How often it has been there when it stops there.
    pub(super) passes: u64,
}

impl Walker<'_> {
    /// Goes to the start of a window, commits there and executes it continuously; nothing if the
    /// program ends before.
    pub(super) fn enter(&mut self, window: Window) -> Option<Scene> {
        self.read(Turn::Last);
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

    pub(super) fn leave(&mut self, scene: &Scene) {
        self.machine.rollback(&scene.mark);
        self.machine.keep_journal(false);
        self.machine.forget();
    }

    /// Runs to the start of a window; what its checkpoint saves, or nothing if the program ends before.
    pub(super) fn go_to(&mut self, window: Window) -> Option<Vec<Range<u32>>> {
        let mut way = Way {
            calls: &mut self.calls,
            blocks: &mut self.blocks,
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
        match self.machine.watch(&mut way, until) {
            Stop::Paused => Some(self.saved.iter().cloned().chain(way.saves).collect()),
            Stop::Exited { .. } | Stop::Faulted(_) => None,
        }
    }

    /// Executes a window continuously, notes what can matter in it, and comes back.
    pub(super) fn reference(&mut self, window: Window, mark: &Mark, budget: u64) -> Reference {
        let begun = self.machine.now();
        let mut seer = Seer {
            watch: Watch::new(self.image, Pause::of(window), begun),
            calls: self.calls.clone(),
            blocks: Blocks::default(),
            exposed: Some(&mut self.exposed),
        };
        let stop = self.machine.watch(&mut seer, begun.saturating_add(budget));
        let (watch, blocks) = (seer.watch, seer.blocks);
        self.conclude(stop, watch, blocks, mark, budget)
    }

    /// Executes on from a mark without a pause, and comes back.
    pub(super) fn continuous(&mut self, mark: &Mark, budget: u64) -> Reference {
        let begun = self.machine.now();
        let mut seer = Seer {
            watch: Watch::new(self.image, Pause::Never, begun),
            calls: self.calls.clone(),
            blocks: Blocks::default(),
            exposed: None,
        };
        let stop = self.machine.watch(&mut seer, begun.saturating_add(budget));
        let (watch, blocks) = (seer.watch, seer.blocks);
        self.conclude(stop, watch, blocks, mark, budget)
    }

    pub(super) fn conclude(
        &mut self,
        stop: Stop,
        watch: Watch<'_>,
        blocks: Blocks,
        mark: &Mark,
        budget: u64,
    ) -> Reference {
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
            blocks,
            end,
            stack,
            registers,
            inputs: self.machine.inputs_read().to_vec(),
            budget,
            length,
            footprints,
        }
    }

    pub(super) fn end(&self, stop: Stop, watch: Watch<'_>) -> End {
        let broken = match (&stop, watch.paused) {
            (_, true) => self.machine.broken(Occasion::Checkpoint),
            (Stop::Exited { .. }, false) => self.machine.broken(Occasion::Exit),
            (Stop::Paused | Stop::Faulted(_), false) => Vec::new(),
        };
        End {
            stop,
            pc: self.machine.pc(),
            calls: self.machine.backtrace(),
            committed: watch.paused,
            output: watch.output,
            broken,
        }
    }
}

/// On the way to a window.
struct Way<'w, 'i> {
    calls: &'w mut Calls<'i>,
    blocks: &'w mut Blocks,
    /// Pause at the checkpoint of this time.
    wanted: Option<u64>,
    saves: Vec<Range<u32>>,
}

impl Observer for Way<'_, '_> {
    follow_calls!();

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        let allocated_at = self.calls.blame(at.pc);
        self.blocks.allocate(offset, Block { size, allocated_at });
    }

    fn free(&mut self, _: Moment, offset: u32) {
        self.blocks.remove(offset);
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
    /// What becomes of the blocks.
    blocks: Blocks,
    /// Notes what can matter, if that is wanted.
    exposed: Option<&'w mut Exposed>,
}

impl Observer for Seer<'_, '_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.watch.load(at, offset, bytes);
        if let Some(exposed) = &mut self.exposed {
            exposed.load(at, &self.calls, offset, bytes.len() as u32);
        }
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.watch.store(at, memory, offset, new);
        if let Some(exposed) = &mut self.exposed {
            let old = &memory[offset as usize..][..new.len()];
            exposed.store(at, &self.calls, offset, old);
        }
    }

    follow_calls!();

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        let allocated_at = self.calls.blame(at.pc);
        self.blocks.allocate(offset, Block { size, allocated_at });
    }

    fn free(&mut self, _: Moment, offset: u32) {
        self.blocks.free(offset);
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
