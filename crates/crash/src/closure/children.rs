//! The states that power failures in one boot leave.

use brownout_diag::Extent;

use super::{Closure, Flight, Level};
use crate::atomic;
use crate::boot::Recording;
use crate::operation::Operation;
use crate::scratch::Child;
use crate::state::{Origin, StateId};
use crate::unsynced::Unsynced;

/// One operation of a boot that power fails inside of.
struct Change<'c> {
    operation: &'c Operation,
    number: u32,
    new: &'c [u8],
    path: u32,
    outside: Option<u32>,
}

/// What failures in one boot leave.
struct Leaves<'l> {
    parent: StateId,
    level: Level,
    next: &'l mut Vec<StateId>,
    /// Every one, for those who judge operations of the program.
    left: Vec<(Origin, StateId)>,
    /// The state after each operation.
    whole: Vec<Option<StateId>>,
}

impl Closure<'_> {
    /// The states that a failure in this boot leaves.
    pub(super) fn children(
        &mut self,
        id: StateId,
        recording: &Recording,
        level: Level,
        next: &mut Vec<StateId>,
    ) {
        let setting = self.setting;
        let paths: Vec<u32> = recording
            .paths
            .iter()
            .map(|path| self.paths.number(path.clone()))
            .collect();
        let outsides: Vec<u32> = recording
            .outside
            .iter()
            .map(|outside| self.states.outside(outside.clone()))
            .collect();
        let mut unsynced = Unsynced::new(setting.image, setting.request, setting.nonvolatile);
        let mut leaves = Leaves {
            parent: id,
            level,
            next,
            left: Vec::new(),
            whole: vec![None; recording.operations.len()],
        };
        // Failures begin in the first boot at some place, and are everywhere after that.
        let before = if id == 0 { recording.before } else { 0 };
        for (operation, number) in recording.operations.iter().zip(0..) {
            let path = paths[operation.path as usize];
            let outside = operation.outside.map(|index| outsides[index as usize]);
            let change = Change {
                operation,
                number,
                new: recording.new_bytes(operation),
                path,
                outside,
            };
            unsynced.wait(recording, number);
            let old = self.scratch.bytes(operation.offset, change.new.len());
            if number == before {
                self.leave_at_once(recording, number, &paths, &unsynced, &mut leaves);
            }
            if number >= before {
                let mut cut = 0;
                self.cut(&change, &old, &[], &mut cut, &mut leaves);
                let (sets, is_sample) = unsynced.missing(Some(operation));
                self.sampled += u64::from(is_sample && self.tells(level));
                for missing in sets {
                    unsynced.undo(&missing, &mut self.scratch, &mut self.states);
                    self.cut(&change, &old, &missing, &mut cut, &mut leaves);
                    unsynced.redo(&missing, &mut self.scratch, &mut self.states);
                }
            }
            unsynced.begin(recording, number, old);
            self.scratch
                .apply(&mut self.states, operation.offset, change.new, outside);
        }
        if before as usize == recording.operations.len() {
            unsynced.wait(recording, before);
            self.leave_at_once(recording, before, &paths, &unsynced, &mut leaves);
        }
        let Leaves { left, whole, .. } = leaves;
        if setting.request.atomic.is_some() && atomic::said(recording).is_some() {
            self.note_flights(id, recording, left, &whole);
        }
    }

    /// The states that a failure right where failures begin leaves, before an operation.
    fn leave_at_once(
        &mut self,
        recording: &Recording,
        number: u32,
        paths: &[u32],
        unsynced: &Unsynced<'_>,
        leaves: &mut Leaves<'_>,
    ) {
        // Before the first operation nothing has changed.
        let Some(last) = number.checked_sub(1) else {
            return;
        };
        let operation = &recording.operations[last as usize];
        let nothing = Change {
            operation,
            number: last,
            new: &[],
            path: paths[operation.path as usize],
            outside: None,
        };
        // These come after all cuts of that operation.
        let mut cut = u32::MAX / 2;
        self.leave(&nothing, &[], &Extent::Whole, &[], &mut cut, leaves);
        let (sets, is_sample) = unsynced.missing(None);
        self.sampled += u64::from(is_sample && self.tells(leaves.level));
        for missing in sets {
            unsynced.undo(&missing, &mut self.scratch, &mut self.states);
            self.leave(&nothing, &[], &Extent::Whole, &missing, &mut cut, leaves);
            unsynced.redo(&missing, &mut self.scratch, &mut self.states);
        }
    }

    /// The states that a failure inside and after one operation leaves, without some before it.
    fn cut(
        &mut self,
        change: &Change<'_>,
        old: &[u8],
        missing: &[u8],
        cut: &mut u32,
        leaves: &mut Leaves<'_>,
    ) {
        let Operation { kind, offset, .. } = *change.operation;
        let extents = self.cuts.extents(kind, offset, old, change.new);
        self.sampled += u64::from(extents.is_sample && self.tells(leaves.level));
        for extent in &extents.extents {
            let torn = self.cuts.torn(kind, offset, (old, change.new), extent);
            if let Some(torn) = torn {
                self.leave(change, &torn, extent, missing, cut, leaves);
            }
        }
        self.leave(change, change.new, &Extent::Whole, missing, cut, leaves);
    }

    /// The state that one failure leaves.
    fn leave(
        &mut self,
        change: &Change<'_>,
        bytes: &[u8],
        extent: &Extent,
        missing: &[u8],
        cut: &mut u32,
        leaves: &mut Leaves<'_>,
    ) {
        let offset = change.operation.offset;
        let child: Child = self
            .scratch
            .child(&mut self.states, offset, bytes, change.outside);
        let level = leaves.level;
        let is_mine = self.is_mine(level, child.sum);
        let origin = || Origin {
            parent: leaves.parent,
            operation: change.number,
            extent: extent.clone(),
            missing: missing.to_vec(),
            cut: *cut,
            path: change.path,
        };
        let is_judged = self.setting.request.atomic.is_some();
        let is_whole = *extent == Extent::Whole && missing.is_empty();
        let found = self.scratch.find(&self.states, &child);
        let is_first_again = found == Some(0) && self.begins_late;
        let state = match found.filter(|_| !is_first_again) {
            Some(state) => {
                let counts = match level.is_next_last {
                    true => is_mine,
                    false => self.tells(level),
                };
                self.coverage.repeated += u64::from(counts);
                Some(state)
            }
            None if is_mine => {
                let state = self
                    .scratch
                    .insert(&mut self.states, &child, Some(origin()));
                leaves.next.push(state);
                if is_first_again {
                    self.again = Some(state);
                }
                Some(state)
            }
            None if is_judged && is_whole => Some(match is_first_again {
                // It says the same.
                true => 0,
                false => {
                    let state = self
                        .scratch
                        .insert(&mut self.states, &child, Some(origin()));
                    leaves.next.push(state);
                    self.borrowed.insert(state);
                    state
                }
            }),
            None => None,
        };
        if let (Some(state), true) = (state, is_judged) {
            if is_whole {
                leaves.whole[change.number as usize] = Some(state);
            }
            leaves.left.push((origin(), state));
        }
        *cut += 1;
    }

    /// Notes which states are inside of operations of the program, and which are around them.
    fn note_flights(
        &mut self,
        id: StateId,
        recording: &Recording,
        left: Vec<(Origin, StateId)>,
        whole: &[Option<StateId>],
    ) {
        let spans = atomic::spans(recording);
        for (origin, child) in left {
            let Some(span) = spans.get(origin.operation as usize) else {
                continue;
            };
            // What never ends is never done.
            let flight = recording.flights.get(origin.operation as usize);
            if flight.is_some() && flight.copied() == recording.unfinished {
                continue;
            }
            let without = match span.start {
                0 => Some(id),
                start => whole[start as usize - 1],
            };
            let with = whole.get(span.end as usize - 1).copied().flatten();
            let (Some(without), Some(with)) = (without, with) else {
                continue;
            };
            if child != without && child != with {
                self.flights.push(Flight {
                    origin,
                    child,
                    without,
                    with,
                });
            }
        }
    }
}
