//! The power failures beside one that is known: right after every write to non-volatile memory
//! between its checkpoint and the next. Code changes, and moves a failure by some instructions.

use std::ops::ControlFlow;

use brownout_diag::{ReplayId, ResumePoint};
use brownout_explore::{Readings, Turn};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer};

/// How many instructions of a region are looked at.
const REACH: u64 = 1_000_000;

/// The same failure at other distances from its checkpoint, in order.
pub fn neighbours(image: &Image, id: &ReplayId, limit: u64) -> Vec<ReplayId> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    if let Some(inputs) = &id.inputs {
        machine.force_inputs(Readings::new(inputs).of(Turn::Failing(0)));
    }
    let mut writes = Writes {
        image,
        missing: match id.resume {
            ResumePoint::Commit(number) => number,
            ResumePoint::Instruction(_) => 0,
        },
        begun: match id.resume {
            ResumePoint::Commit(0) => Some(0),
            ResumePoint::Commit(_) => None,
            ResumePoint::Instruction(time) => Some(time),
        },
        pauses: matches!(id.resume, ResumePoint::Commit(_)),
        distances: Vec::new(),
    };
    if writes.begun.is_none() {
        machine.watch(&mut writes, limit);
    }
    if let Some(begun) = writes.begun {
        machine.watch(&mut writes, begun.saturating_add(REACH).min(limit));
    }
    let distances = writes.distances.into_iter();
    distances
        .map(|distance| {
            let mut other = ReplayId {
                torn: None,
                ..id.clone()
            };
            // Of several failures the last one moves.
            *other.further.last_mut().unwrap_or(&mut other.distance) = distance;
            other
        })
        .collect()
}

/// Notes how far writes are from the checkpoint wanted.
struct Writes<'i> {
    image: &'i Image,
    /// Checkpoints up to the one wanted.
    missing: u64,
    /// When that was.
    begun: Option<u64>,
    /// Whether the next checkpoint ends it.
    pauses: bool,
    distances: Vec<u64>,
}

impl Observer for Writes<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        let segment = self.image.layout().segment(offset);
        if let Some(begun) = self.begun
            && segment.is_some_and(|segment| segment.nonvolatile)
            && at.time > begun
        {
            let distance = at.time - begun;
            if self.distances.last() != Some(&distance) {
                self.distances.push(distance);
            }
        }
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        if !self.pauses {
            return ControlFlow::Continue(());
        }
        if self.missing == 0 {
            return ControlFlow::Break(());
        }
        self.missing -= 1;
        if self.missing == 0 {
            self.begun = Some(at.time);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
