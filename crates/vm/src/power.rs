//! Marks and roll-backs, checkpoints and power failures.
//!
//! A *mark* is a bookmark of an analysis: rolling back to it restores the whole
//! machine. A *checkpoint* is the device's own: a power failure destroys
//! registers and volatile memory, and the restore puts back what the checkpoint
//! saved. Both rest on the undo log; neither copies memory.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use brownout_ir::{Origin, Retained};

use crate::image::Reboot;
use crate::layout::SegmentKind;
use crate::machine::{Machine, Processor, Stop};
use crate::readings::Attempt;
use crate::ticks::WAITS;

/// A moment to come back to.
#[derive(Clone, Debug)]
pub struct Mark {
    processor: Processor,
    journal: usize,
    time: u64,
    inputs_read: Vec<u64>,
    environment: Vec<i64>,
    input_delay: u64,
    interrupts_asked: u64,
    sleeps: u64,
    periods: Vec<u64>,
    ticks_awaited: [u64; WAITS],
    attempt: Option<Box<Attempt>>,
    checkpoint: Option<Checkpoint>,
    stopped: Option<Stop>,
    deepest: u64,
    heap_used: (u64, u64),
}

/// What a checkpoint committed.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    processor: Processor,
    journal: usize,
    /// Non-volatile offsets that are saved as well.
    saved: Vec<Range<u32>>,
    /// Bytes of heap in use.
    heap_in_use: u64,
    /// What is restored of volatile state, if not all of it.
    retained: Option<Arc<Retained>>,
}

/// How much of memory a reboot looks at at once.
const PAGE: usize = 4096;

impl Machine<'_> {
    /// Remembers this moment. The journal must be kept from here on.
    pub fn mark(&self) -> Mark {
        Mark {
            processor: self.processor.clone(),
            journal: self.journal.position(),
            time: self.time,
            inputs_read: self.inputs_read.clone(),
            environment: self.environment.clone(),
            input_delay: self.input_delay,
            interrupts_asked: self.interrupts_asked,
            sleeps: self.sleeps,
            periods: self.periods.clone(),
            ticks_awaited: self.ticks_awaited,
            attempt: self.attempt.clone(),
            checkpoint: self.checkpoint.clone(),
            stopped: self.stopped.clone(),
            deepest: self.deepest,
            heap_used: self.heap_used,
        }
    }

    /// Makes everything as it was at `mark`, an earlier moment of this machine.
    pub fn rollback(&mut self, mark: &Mark) {
        self.journal.undo(&mut self.memory, mark.journal);
        self.processor.clone_from(&mark.processor);
        self.time = mark.time;
        self.inputs_read.clone_from(&mark.inputs_read);
        self.environment.clone_from(&mark.environment);
        self.input_delay = mark.input_delay;
        self.interrupts_asked = mark.interrupts_asked;
        self.sleeps = mark.sleeps;
        self.periods.clone_from(&mark.periods);
        self.ticks_awaited = mark.ticks_awaited;
        self.attempt.clone_from(&mark.attempt);
        self.checkpoint.clone_from(&mark.checkpoint);
        self.stopped.clone_from(&mark.stopped);
        self.deepest = mark.deepest;
        self.heap_used = mark.heap_used;
    }

    /// Commits a checkpoint here: registers, volatile memory, and the
    /// non-volatile offsets in `saves`. From now on the journal is kept.
    pub fn commit(&mut self, saves: &[Range<u32>]) {
        self.journaling = true;
        self.checkpoint = Some(Checkpoint {
            processor: self.processor.clone(),
            journal: self.journal.position(),
            saved: saves.to_vec(),
            heap_in_use: self.heap_used.1,
            retained: self.retained(),
        });
    }

    /// Power fails, comes back, and the device restores its checkpoint or, if
    /// it has none, starts again. Time and environment go on.
    pub fn fail_power(&mut self) {
        self.stopped = None;
        let now = self.now();
        match (self.checkpoint.take(), self.image.bindings.reboot) {
            (Some(checkpoint), reboot) => {
                self.restore(&checkpoint);
                if reboot == Reboot::Task {
                    self.lose_variables();
                }
                // What it saved is in memory again: the next failure costs what is written from here on.
                // Unless not all of it is: the next failure needs what was there at the checkpoint.
                let journal = match &checkpoint.retained {
                    Some(retained) => {
                        self.lose_all_but(retained);
                        checkpoint.journal
                    }
                    None => self.journal.position(),
                };
                self.checkpoint = Some(Checkpoint {
                    journal,
                    ..checkpoint
                });
            }
            (None, _) => self.reboot(),
        }
        for register in self.cleared.clone().iter() {
            for offset in register.clone() {
                self.overwrite(offset, self.image.after_reset(offset));
            }
        }
        // Operations count from where their stretch of code began, and this is another stretch.
        self.time = 0;
        self.time = now.saturating_sub(self.now());
    }

    /// From here on these device registers are as a reset leaves them after every power failure: no
    /// checkpoint brings them back.
    pub fn clear_at_failures(&mut self, registers: &[Range<u32>]) {
        self.cleared = registers.into();
    }

    fn restore(&mut self, checkpoint: &Checkpoint) {
        let layout = &self.image.layout;
        let lost = |offset: u32| {
            layout
                .segment(offset)
                .is_some_and(|segment| !segment.nonvolatile)
                || checkpoint.saved.iter().any(|range| range.contains(&offset))
        };
        // Putting bytes back is a write like any other: an analysis can undo it.
        for (offset, old) in self.journal.before(checkpoint.journal, lost) {
            self.overwrite(offset, old);
        }
        self.processor.clone_from(&checkpoint.processor);
        if !self.heap_is_kept() {
            self.heap_used.1 = checkpoint.heap_in_use;
        }
    }

    /// Volatile variables and the heap are as start-up code leaves them. What the library keeps for the
    /// program, and device registers, are set up again.
    fn lose_variables(&mut self) {
        let image = self.image;
        let layout = &image.layout;
        let is_volatile = |offset: u32| {
            let segment = layout.segment(offset);
            segment.is_some_and(|segment| !segment.nonvolatile)
        };
        let users: BTreeSet<u32> = image
            .program
            .globals
            .iter()
            .filter(|(_, data)| data.origin == Origin::User && !data.constant)
            .map(|(global, _)| layout.offset_of(global))
            .filter(|&offset| is_volatile(offset))
            .collect();
        self.initialise_globals(|offset| users.contains(&offset));
        if self.heap_is_kept() {
            return;
        }
        let is_heap = |kind| matches!(kind, SegmentKind::Heap | SegmentKind::HeapMap);
        for segment in layout.segments().iter().filter(|one| is_heap(one.kind)) {
            self.clear(segment.offsets.clone());
        }
        self.heap_used.1 = 0;
    }

    /// Makes memory zero. Most of it was never touched: whole pages are looked at at once.
    fn clear(&mut self, offsets: Range<u32>) {
        for page in offsets.clone().step_by(PAGE) {
            let end = (page as usize + PAGE).min(offsets.end as usize);
            let bytes = &self.memory[page as usize..end];
            if bytes.iter().fold(0, |any, byte| any | byte) == 0 {
                continue;
            }
            for offset in page..end as u32 {
                if self.memory[offset as usize] != 0 {
                    self.overwrite(offset, 0);
                }
            }
        }
    }

    fn reboot(&mut self) {
        let image = self.image;
        for segment in image.layout.segments() {
            if !segment.nonvolatile {
                self.clear(segment.offsets.clone());
            }
        }
        if !self.heap_is_kept() {
            self.heap_used.1 = 0;
        }
        self.initialise_globals(|offset| {
            image
                .layout
                .segment(offset)
                .is_some_and(|segment| !segment.nonvolatile)
        });
        self.reset_registers();
        self.reset_processor();
    }

    /// Whether a boot from here may do something else than one from where another machine is: non-volatile
    /// memory, the surroundings, how far inputs have been read or whose turn it is to end a sleep differ.
    pub fn boots_otherwise(&self, other: &Machine<'_>) -> bool {
        let kept = self.image.layout.segments().iter();
        let mut kept = kept.filter(|segment| segment.nonvolatile);
        let is_other = kept.any(|segment| {
            let Range { start, end } = segment.offsets;
            let bytes = start as usize..end as usize;
            self.memory[bytes.clone()] != other.memory[bytes]
        });
        let interrupts = self.image.bindings.interrupts.as_ref();
        let turns = interrupts.map_or(1, |interrupts| interrupts.asleep.len().max(1) as u64);
        is_other
            || self.environment != other.environment
            || self.inputs_read != other.inputs_read
            || self.sleeps % turns != other.sleeps % turns
    }

    /// Whether heap blocks survive a power failure.
    fn heap_is_kept(&self) -> bool {
        self.image
            .layout
            .segment(self.image.layout.heap_map)
            .is_some_and(|map| map.nonvolatile)
    }

    /// Puts back `bytes` that a store at `offset` was about to overwrite: power fails in the
    /// middle of it. Can be rolled back.
    pub fn tear(&mut self, offset: u32, bytes: &[u8]) {
        for (offset, &byte) in (offset..).zip(bytes) {
            self.overwrite(offset, byte);
        }
    }

    pub(crate) fn overwrite(&mut self, offset: u32, value: u8) {
        if self.journaling {
            self.journal.record(&self.memory, offset, 1);
        }
        self.memory[offset as usize] = value;
    }

    /// The offsets written since `mark`, each once, in order.
    pub fn written_since(&self, mark: &Mark) -> Vec<u32> {
        self.journal.offsets(mark.journal)
    }

    /// What the bytes at `offsets` (in order) held at `mark`.
    pub fn bytes_at(&self, mark: &Mark, offsets: &[u32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = offsets
            .iter()
            .map(|&offset| self.memory[offset as usize])
            .collect();
        for (offset, old) in self.journal.before(mark.journal, |_| true) {
            if let Ok(index) = offsets.binary_search(&offset) {
                bytes[index] = old;
            }
        }
        bytes
    }

    /// The part of the stack that is in use.
    pub fn live_stack(&self) -> Range<u32> {
        let layout = &self.image.layout;
        let pointer = self.processor.sp.saturating_sub(layout.base);
        let pointer = u32::try_from(pointer).unwrap_or(u32::MAX);
        pointer.clamp(layout.stack.start, layout.stack.end)..layout.stack.end
    }

    /// Whether an offset is in the stack below everything in use: nobody can read it
    /// before it is written again.
    pub fn is_dead_stack(&self, offset: u32) -> bool {
        let layout = &self.image.layout;
        layout.stack.contains(&offset) && layout.base + u64::from(offset) < self.processor.sp
    }

    /// Makes everything as it is in `other`, a machine of the same image. Costs a copy of memory,
    /// and no undo log is kept from here on.
    pub fn become_like(&mut self, other: &Self) {
        self.memory.copy_from_slice(&other.memory);
        self.journal.clear();
        self.journaling = false;
        let mark = Mark {
            journal: 0,
            ..other.mark()
        };
        self.rollback(&mark);
        self.bounds = other.bounds;
        self.forced = Arc::clone(&other.forced);
        self.cleared = Arc::clone(&other.cleared);
    }

    /// Drops the undo log: earlier marks are void, and so is the checkpoint.
    pub fn forget(&mut self) {
        self.journal.clear();
        self.checkpoint = None;
    }
}
