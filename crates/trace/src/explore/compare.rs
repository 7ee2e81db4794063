//! What is different at the end of a window.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_ir::Func;
use brownout_vm::{CallStack, Image, Machine, Mark, Moment, Observer, SegmentKind, Stop, Stream};

use super::heap::Blocks;
use super::window::Window;
use super::{Difference, Halt, attempt_budget};
use crate::calls::user_operation;
use crate::objects::{Object, Objects};

/// The continuous execution of a window.
pub(super) struct Reference {
    /// The last value of every byte it wrote.
    pub(super) written: BTreeMap<u32, u8>,
    /// What became of heap blocks.
    pub(super) blocks: Blocks,
    /// Its state of affairs at the end.
    pub(super) end: End,
    /// The stack there.
    pub(super) stack: CallStack,
    /// The registers there.
    pub(super) registers: Vec<u64>,
    /// Which inputs were next at the start.
    pub(super) inputs: Vec<u64>,
    /// The most instructions it could have taken.
    pub(super) budget: u64,
    /// Those it took.
    pub(super) length: u64,
    /// The way it took.
    pub(super) footprints: u64,
}

/// How and where an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub(super) stop: Stop,
    pub(super) pc: u32,
    /// The calls in progress, innermost first.
    pub(super) calls: Vec<(Func, u32)>,
    /// Whether it ended at a commit.
    pub(super) committed: bool,
    pub(super) output: Vec<u8>,
    /// The invariants that do not hold, by number.
    pub(super) broken: Vec<u32>,
}

impl End {
    /// Whether it came to an end by itself.
    pub(super) fn is_finished(&self) -> bool {
        self.stop != Stop::Paused || self.committed
    }

    /// What ended it.
    pub(super) fn halt(&self) -> Halt {
        if self.committed {
            Halt::Commit
        } else if self.stop != Stop::Paused {
            Halt::Stop
        } else {
            Halt::Rest
        }
    }

    /// Whether both are at the same place of the program.
    fn is_where(&self, other: &Self) -> bool {
        self.pc == other.pc && self.calls == other.calls
    }
}

/// Compares executions of a window.
pub(super) struct Comparison<'c, 'i> {
    pub(super) image: &'i Image,
    pub(super) objects: &'c Objects<'i>,
    pub(super) machine: &'c Machine<'i>,
    /// The start of the window.
    pub(super) mark: &'c Mark,
    /// The heap blocks there.
    pub(super) blocks: &'c Blocks,
}

impl Comparison<'_, '_> {
    /// What is not as in the continuous execution.
    pub(super) fn differences(
        &self,
        window: Window,
        reference: &Reference,
        end: &End,
    ) -> Vec<Difference> {
        if let Stop::Faulted(fault) = &end.stop
            && end.stop != reference.end.stop
        {
            let fault = fault.clone();
            let pc = user_operation(self.image, self.machine);
            return vec![Difference::Crash { fault, pc }];
        }
        if window.is_region() && !end.is_finished() && reference.end.is_finished() {
            let budget = attempt_budget(reference.length);
            return vec![Difference::NoProgress { budget }];
        }
        let broken = end.broken.iter().copied();
        let mut differences: Vec<Difference> = broken
            .filter(|invariant| !reference.end.broken.contains(invariant))
            .map(|invariant| Difference::Broken { invariant })
            .collect();
        if end.output != reference.end.output {
            differences.push(Difference::Output {
                continuous: reference.end.output.clone(),
                intermittent: end.output.clone(),
            });
        }
        // Ending with another status is an output; ending elsewhere is another path.
        match (&reference.end.stop, &end.stop) {
            (
                Stop::Exited { status: continuous },
                Stop::Exited {
                    status: intermittent,
                },
            ) => {
                if continuous != intermittent {
                    differences.push(Difference::Output {
                        continuous: format!("exit status {continuous}").into_bytes(),
                        intermittent: format!("exit status {intermittent}").into_bytes(),
                    });
                }
            }
            (continuous, intermittent)
                if continuous == intermittent && end.is_where(&reference.end) => {}
            _ => differences.push(Difference::Path {
                continuous: reference.end.pc,
                intermittent: end.pc,
            }),
        }
        self.compare_memory(reference, &mut differences);
        differences
    }

    fn compare_memory(&self, reference: &Reference, differences: &mut Vec<Difference>) {
        let layout = self.image.layout();
        let mut offsets: Vec<u32> = self.machine.written_since(self.mark);
        offsets.extend(reference.written.keys());
        offsets.sort_unstable();
        offsets.dedup();
        let original = self.machine.bytes_at(self.mark, &offsets);
        let memory = self.machine.memory();
        let stack = self.machine.call_stack();
        let continuous = |offset: u32| match (
            reference.written.get(&offset),
            offsets.binary_search(&offset),
        ) {
            (Some(&byte), _) => byte,
            (None, Ok(index)) => original[index],
            (None, Err(_)) => memory[offset as usize],
        };
        let mut seen: Option<(u32, u32)> = None;
        for &offset in &offsets {
            if continuous(offset) == memory[offset as usize] {
                continue;
            }
            let frame = stack.owner(offset);
            let hidden = match layout.segment(offset).map(|segment| segment.kind) {
                Some(SegmentKind::HeapMap) => true,
                // A stack object is different only if it lives in both executions.
                Some(SegmentKind::Stack) => {
                    frame.is_none() || frame != reference.stack.owner(offset)
                }
                _ => false,
            };
            if hidden {
                continue;
            }
            if seen.is_some_and(|(start, end)| (start..end).contains(&offset)) {
                continue;
            }
            let (part, start) = match reference.blocks.at(self.blocks, offset) {
                Some((start, block)) => {
                    let inside = u64::from(offset - start);
                    let size = block.size.into();
                    let part = self.objects.in_block(block.allocated_at, size, inside);
                    (part, start + part.start as u32)
                }
                None => {
                    let part = self.objects.scalar(offset, frame);
                    let inside = match part.object {
                        Object::Segment(_) => part.start,
                        _ => self.objects.inside(offset, frame),
                    };
                    let inside = inside.saturating_sub(part.start) as u32;
                    (part, offset - inside.min(offset))
                }
            };
            let end = start + (part.end - part.start) as u32;
            seen = Some((start, end));
            differences.push(Difference::Value {
                part,
                offset: start,
                continuous: (start..end).map(continuous).collect(),
                intermittent: memory[start as usize..end as usize].to_vec(),
            });
        }
    }
}

/// Pauses at checkpoints and keeps output and footprints.
pub(super) struct Watch<'i> {
    image: &'i Image,
    pause: Pause,
    /// Whether it paused.
    pub(super) paused: bool,
    /// What the checkpoint saves that it paused at.
    pub(super) saves: Vec<Range<u32>>,
    pub(super) output: Vec<u8>,
    /// A hash of all accesses, with how many instructions of the window came before.
    pub(super) footprints: u64,
    /// When the window began.
    pub(super) begun: u64,
}

/// Where to pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// Nowhere.
    Never,
    /// At the next checkpoint.
    AtNext,
}

impl Pause {
    /// Where attempts at a window pause.
    pub(super) const fn of(window: Window) -> Self {
        if window.is_region() {
            Self::AtNext
        } else {
            Self::Never
        }
    }
}

impl<'i> Watch<'i> {
    pub(super) fn new(image: &'i Image, pause: Pause, begun: u64) -> Self {
        Self {
            image,
            pause,
            paused: false,
            saves: Vec::new(),
            output: Vec::new(),
            footprints: 0,
            begun,
        }
    }

    #[inline]
    fn tread(&mut self, at: Moment, offset: u32) {
        let step = (at.time - self.begun) ^ u64::from(at.pc) << 40 ^ u64::from(offset) << 20;
        self.footprints =
            (self.footprints.rotate_left(5) ^ step).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    #[inline]
    fn load(&mut self, at: Moment, offset: u32, _: &[u8]) {
        self.tread(at, offset);
    }

    #[inline]
    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        self.tread(at, offset);
    }

    fn checkpoint(&mut self, _: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.pause == Pause::Never {
            return ControlFlow::Continue(());
        }
        self.paused = true;
        self.saves = ranges(saves);
        ControlFlow::Break(())
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        self.output
            .extend_from_slice(self.image.output_text(index, args).as_bytes());
    }
}

/// Stretches as a checkpoint reports them.
pub(super) fn ranges(saves: &[(u32, u32)]) -> Vec<Range<u32>> {
    saves
        .iter()
        .map(|&(offset, size)| offset..offset + size)
        .collect()
}
