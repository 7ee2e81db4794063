//! One attempt at a region: which outputs it makes.

use std::ops::{ControlFlow, Range};

use brownout_explore::Calls;
use brownout_ir::Func;
use brownout_vm::{Image, Moment, Observer};
use rustc_hash::FxHashMap;

use super::Site;

/// An output that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Emitted {
    pub(super) output: u32,
    /// The operation of the user's code.
    pub(super) pc: u32,
    /// Executed instructions, the first of the output included.
    pub(super) at: u64,
    /// How often the same place had made it before in this attempt.
    pub(super) nth: u32,
    pub(super) args: Vec<u64>,
    /// The arguments as numbers with a sign.
    pub(super) signed: Vec<i64>,
}

impl Emitted {
    pub(super) fn site(&self) -> Site {
        (self.output, self.pc)
    }

    /// Whether it is the same output of another attempt, whatever its arguments are.
    pub(super) fn is_same(&self, other: &Emitted) -> bool {
        self.site() == other.site() && self.nth == other.nth
    }
}

/// Notes outputs, and stops at commits.
#[derive(Clone)]
pub(super) struct Recorder<'i> {
    image: &'i Image,
    calls: Calls<'i>,
    pub(super) emitted: Vec<Emitted>,
    /// How many of them each place has made.
    counts: FxHashMap<Site, u32>,
    pub(super) checkpoints: u64,
    /// How many there were when the region began.
    begun: u64,
    /// What the last checkpoint saves, and where it is called.
    pub(super) saves: Vec<Range<u32>>,
    pub(super) checkpoint_pc: Option<u32>,
    /// When that was.
    pub(super) committed_at: u64,
    pub(super) stops_at_checkpoints: bool,
    /// Whether it only passes by, and nobody asks for outputs.
    pub(super) passes: bool,
}

impl<'i> Recorder<'i> {
    pub(super) fn new(image: &'i Image) -> Self {
        Self {
            image,
            calls: Calls::new(image),
            emitted: Vec::new(),
            counts: FxHashMap::default(),
            checkpoints: 0,
            begun: 0,
            saves: Vec::new(),
            checkpoint_pc: None,
            committed_at: 0,
            stops_at_checkpoints: true,
            passes: false,
        }
    }

    /// The device starts again from its entry.
    pub(super) fn start_again(&mut self) {
        self.calls = Calls::new(self.image);
        self.begin();
    }

    /// Whether the region has come to its end.
    pub(super) fn is_over(&self) -> bool {
        self.checkpoints != self.begun
    }

    /// A region begins.
    pub(super) fn begin(&mut self) {
        self.emitted.clear();
        self.counts.clear();
        self.begun = self.checkpoints;
    }
}

impl Observer for Recorder<'_> {
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        if self.passes {
            return;
        }
        let pc = self.calls.blame(at.pc);
        let count = self.counts.entry((index, pc)).or_default();
        let nth = *count;
        *count += 1;
        self.emitted.push(Emitted {
            output: index,
            pc,
            at: at.time,
            nth,
            args: args.to_vec(),
            signed: self.image.output_arguments(index, args),
        });
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if !self.stops_at_checkpoints {
            return ControlFlow::Continue(());
        }
        self.checkpoints += 1;
        self.checkpoint_pc = Some(self.calls.blame(at.pc));
        self.committed_at = at.time;
        self.saves = saves
            .iter()
            .map(|&(offset, size)| offset..offset + size)
            .collect();
        ControlFlow::Break(())
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
    }
}
