//! The way to the checkpoint that a replay begins with.

use std::ops::{ControlFlow, Range};

use brownout_diag::ResumePoint;
use brownout_explore::{Calls, Readings, Turn, follow_calls};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

use super::{ReplayError, ReplayRequest};

/// The machine at the checkpoint.
pub(super) struct Position<'i> {
    pub(super) machine: Machine<'i>,
    pub(super) calls: Calls<'i>,
    /// When it commits.
    pub(super) time: u64,
    /// The operation that commits, or the one after the checkpoint if none does.
    pub(super) pc: Option<u32>,
    /// Non-volatile bytes it saves.
    pub(super) saves: Vec<Range<u32>>,
    /// Device registers that a failure clears.
    pub(super) cleared: Vec<Range<u32>>,
}

impl<'i> Position<'i> {
    pub(super) fn reach(
        image: &'i Image,
        request: &ReplayRequest<'_>,
    ) -> Result<Self, ReplayError> {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        if let Some(inputs) = &request.id.inputs {
            machine.force_inputs(Readings::new(inputs).of(Turn::Last));
        }
        let cleared = match request.id.resets_registers {
            true => request.registers.to_vec(),
            false => Vec::new(),
        };
        machine.clear_at_failures(&cleared);
        let mut way = Way {
            calls: Calls::new(image),
            wanted: None,
            passed: 0,
            commit: None,
        };
        let (time, pc, saves) = match request.id.resume {
            // Nothing has committed yet: the program starts again, and nothing is put back.
            ResumePoint::Commit(0) => (0, None, Vec::new()),
            ResumePoint::Commit(number) => {
                way.wanted = Some(number);
                let stop = machine.watch(&mut way, request.limit);
                match (way.commit.take(), stop) {
                    (Some((at, saves)), _) => {
                        let saves = request.saved.iter().cloned().chain(saves).collect();
                        (at.time, Some(way.calls.blame(at.pc)), saves)
                    }
                    (None, Stop::Paused) => {
                        return Err(ReplayError::LimitReached {
                            limit: request.limit,
                        });
                    }
                    (None, Stop::Exited { .. } | Stop::Faulted(_)) => {
                        return Err(ReplayError::NoSuchCheckpoint {
                            number,
                            executed: way.passed,
                        });
                    }
                }
            }
            ResumePoint::Instruction(time) => {
                let stop = machine.watch(&mut way, time.min(request.limit));
                if stop != Stop::Paused {
                    return Err(ReplayError::PastTheEnd {
                        instructions: time,
                        executed: machine.now(),
                    });
                }
                if time > request.limit {
                    return Err(ReplayError::LimitReached {
                        limit: request.limit,
                    });
                }
                let pc = way.calls.blame(machine.pc());
                (time, Some(pc), request.saved.to_vec())
            }
        };
        Ok(Self {
            machine,
            calls: way.calls,
            time,
            pc,
            saves,
            cleared,
        })
    }
}

/// Follows the calls and pauses at the checkpoint wanted.
struct Way<'i> {
    calls: Calls<'i>,
    wanted: Option<u64>,
    passed: u64,
    commit: Option<(Moment, Vec<Range<u32>>)>,
}

impl Observer for Way<'_> {
    follow_calls!();

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.passed += 1;
        if self.wanted != Some(self.passed) {
            return ControlFlow::Continue(());
        }
        let ranges = saves.iter().map(|&(offset, size)| offset..offset + size);
        self.commit = Some((at, ranges.collect()));
        ControlFlow::Break(())
    }
}
