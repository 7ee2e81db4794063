//! What is different where a continuous execution and an attempt are compared.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_ir::Func;
use brownout_vm::{CallStack, Image, Machine, Mark, Moment, Observer, SegmentKind, Stop, Stream};

use super::emissions::{self, Emission, Tags, Timed};
use super::heap::Blocks;
use super::{Difference, Halt};
use crate::calls::user_operation;
use crate::objects::{Object, Objects};

/// A moment of the continuous execution at which attempts are compared with it.
pub(super) struct Point {
    /// The last value of every byte that was written since the region began.
    pub(super) written: BTreeMap<u32, u8>,
    /// What became of heap blocks.
    pub(super) blocks: Blocks,
    pub(super) end: End,
    /// The stack there.
    pub(super) stack: CallStack,
    /// The registers there that still matter.
    pub(super) registers: Vec<u64>,
    /// When that is.
    pub(super) time: u64,
    /// Instructions executed since the region began.
    pub(super) length: u64,
    /// How often the execution has been at that place then, if that was counted.
    pub(super) visits: u64,
    /// The head of the loop that it has just passed, if it is such a place.
    pub(super) head: Option<u32>,
}

/// How and where an execution came to rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub(super) stop: Stop,
    pub(super) pc: u32,
    /// The calls in progress, innermost first.
    pub(super) calls: Vec<(Func, u32)>,
    /// Whether it ended at a commit.
    pub(super) committed: bool,
    /// What the world saw on the way.
    pub(super) emissions: Vec<Timed>,
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

    /// Whether both are at the same place of the program, or at its end.
    pub(super) fn is_where(&self, other: &Self) -> bool {
        match (&self.stop, &other.stop) {
            (Stop::Exited { .. }, Stop::Exited { .. }) => true,
            _ => {
                self.stop == other.stop
                    && self.committed == other.committed
                    && self.pc == other.pc
                    && self.calls == other.calls
            }
        }
    }

    /// What the world saw.
    pub(super) fn seen(&self) -> Vec<Emission> {
        let emissions = self.emissions.iter();
        emissions.map(|(_, emission)| emission.clone()).collect()
    }
}

/// What is different at a point, apart from memory.
pub(super) struct Compared {
    /// Differences that need not be followed.
    pub(super) differences: Vec<Difference>,
    /// Bytes that differ: whether that matters, their next access tells.
    pub(super) bytes: Vec<u32>,
    /// Whether registers differ that still matter.
    pub(super) registers: bool,
}

/// Compares an attempt with a point of the continuous execution.
pub(super) struct Comparison<'c, 'i> {
    pub(super) image: &'i Image,
    pub(super) objects: &'c Objects<'i>,
    /// The attempt.
    pub(super) machine: &'c Machine<'i>,
    /// The start of the region.
    pub(super) mark: &'c Mark,
    /// The heap blocks there.
    pub(super) blocks: &'c Blocks,
    /// What is not compared.
    pub(super) ignored: &'c [Range<u32>],
    /// What outputs mean to the world.
    pub(super) tags: &'c Tags,
}

impl Comparison<'_, '_> {
    /// What is not as at `point`, if the world had seen `before` when the attempt began.
    pub(super) fn compare(&self, point: &Point, end: &End, before: &[Emission]) -> Compared {
        if let Stop::Faulted(fault) = &end.stop
            && end.stop != point.end.stop
        {
            let fault = fault.clone();
            let pc = user_operation(self.image, self.machine);
            return Compared {
                differences: vec![Difference::Crash { fault, pc }],
                bytes: Vec::new(),
                registers: false,
            };
        }
        let broken = end.broken.iter().copied();
        let mut differences: Vec<Difference> = broken
            .filter(|invariant| !point.end.broken.contains(invariant))
            .map(|invariant| Difference::Broken { invariant })
            .collect();
        let (continuous, intermittent) = (point.end.seen(), end.seen());
        if !emissions::follows(&continuous, before, &intermittent, self.tags) {
            let seen = (&continuous[..], before, &intermittent[..]);
            let emissions::Wrong { unexpected, lost } =
                emissions::wrong(self.image, seen, self.tags);
            differences.push(Difference::Output {
                continuous: emissions::as_text(self.image, &continuous),
                intermittent: emissions::as_text(self.image, &intermittent),
                unexpected,
                lost,
            });
        }
        if let (
            Stop::Exited { status: continuous },
            Stop::Exited {
                status: intermittent,
            },
        ) = (&point.end.stop, &end.stop)
            && continuous != intermittent
        {
            differences.push(Difference::exit_status(*continuous, *intermittent));
        }
        let together = end.is_where(&point.end);
        if !together {
            differences.push(Difference::Path {
                continuous: point.end.pc,
                intermittent: end.pc,
            });
        }
        Compared {
            differences,
            bytes: self.bytes(point),
            registers: together
                && end.stop == Stop::Paused
                && self.machine.live_registers() != point.registers,
        }
    }

    /// The bytes that differ and can still be accessed.
    fn bytes(&self, point: &Point) -> Vec<u32> {
        let layout = self.image.layout();
        let mut offsets: Vec<u32> = self.machine.written_since(self.mark);
        offsets.extend(point.written.keys());
        offsets.sort_unstable();
        offsets.dedup();
        let original = self.machine.bytes_at(self.mark, &offsets);
        let memory = self.machine.memory();
        let stack = self.machine.call_stack();
        let ended = point.end.stop != Stop::Paused;
        let differing = offsets.iter().zip(&original).filter(|&(offset, original)| {
            let continuous = point.written.get(offset).unwrap_or(original);
            memory[*offset as usize] != *continuous
        });
        differing
            .map(|(&offset, _)| offset)
            .filter(
                |&offset| match layout.segment(offset).map(|segment| segment.kind) {
                    Some(SegmentKind::HeapMap) => false,
                    // A stack object is different only if it lives in both executions.
                    Some(SegmentKind::Stack) => {
                        let owner = stack.owner(offset);
                        !ended
                            && owner.is_some()
                            && owner == point.stack.owner(offset)
                            && !self.machine.is_gap_of_local(offset)
                    }
                    _ => true,
                },
            )
            .filter(|offset| !self.ignored.iter().any(|range| range.contains(offset)))
            .collect()
    }

    /// The differences that these bytes make, scalar by scalar.
    pub(super) fn values(&self, point: &Point, bytes: &[u32]) -> Vec<Difference> {
        let stack = self.machine.call_stack();
        let memory = self.machine.memory();
        let continuous = |range: Range<u32>| -> Vec<u8> {
            let offsets: Vec<u32> = range.collect();
            let original = self.machine.bytes_at(self.mark, &offsets);
            let values = offsets.iter().zip(original);
            values
                .map(|(offset, original)| point.written.get(offset).copied().unwrap_or(original))
                .collect()
        };
        let mut differences = Vec::new();
        let mut told: Option<(u32, u32)> = None;
        for &offset in bytes {
            if told.is_some_and(|(start, end)| (start..end).contains(&offset)) {
                continue;
            }
            let (part, start) = match point.blocks.at(self.blocks, offset) {
                Some((start, block)) => {
                    let inside = u64::from(offset - start);
                    let size = block.size.into();
                    let part = self.objects.in_block(block.allocated_at, size, inside);
                    (part, start + part.start as u32)
                }
                None => {
                    let frame = stack.owner(offset);
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
            told = Some((start, end));
            differences.push(Difference::Value {
                part,
                offset: start,
                continuous: continuous(start..end),
                intermittent: memory[start as usize..end as usize].to_vec(),
            });
        }
        differences
    }
}

/// Pauses at checkpoints and keeps what the world sees, and footprints.
pub(super) struct Watch {
    pause: Pause,
    /// Whether it paused.
    pub(super) paused: bool,
    /// What the checkpoint saves that it paused at.
    pub(super) saves: Vec<Range<u32>>,
    pub(super) emissions: Vec<Timed>,
    /// A hash of all accesses, with how many instructions of the region came before.
    pub(super) footprints: u64,
    /// When the region, or the attempt, began.
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

impl Watch {
    pub(super) fn new(pause: Pause, begun: u64) -> Self {
        Self {
            pause,
            paused: false,
            saves: Vec::new(),
            emissions: Vec::new(),
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

impl Observer for Watch {
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

    fn write(&mut self, at: Moment, _: Stream, bytes: &[u8]) {
        let time = at.time - self.begun;
        self.emissions.push((time, Emission::Text(bytes.to_vec())));
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        let args = args.to_vec();
        let time = at.time - self.begun;
        self.emissions
            .push((time, Emission::Output { index, args }));
    }
}

/// Stretches as a checkpoint reports them.
pub(super) fn ranges(saves: &[(u32, u32)]) -> Vec<Range<u32>> {
    saves
        .iter()
        .map(|&(offset, size)| offset..offset + size)
        .collect()
}
