//! Rounds: what happens between two quiet moments of an undisturbed execution.

use std::ops::ControlFlow;

use brownout_vm::{Moment, Observer, SegmentKind, Stop, Stream};

use super::Pauses;
use crate::calls::{Calls, follow_calls};
use crate::explore::emissions::Emission;
use crate::explore::stores::Store;

/// A write to non-volatile memory.
pub(super) struct Writing {
    pub(super) time: u64,
    /// The operation of the user's code.
    pub(super) pc: u32,
    /// The call of the library that writes, if it is one.
    pub(super) call: Option<u32>,
    pub(super) offset: u32,
    pub(super) stores: Vec<Store>,
    /// How many things the world had seen since the quiet moment before.
    pub(super) seen: usize,
}

/// How an undisturbed execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// By itself.
    Stopped(Stop),
    /// It does nothing any more.
    Idle,
    /// It was followed no further.
    Nowhere,
}

impl Ended {
    pub(super) fn stop(self) -> Stop {
        match self {
            Self::Stopped(stop) => stop,
            Self::Idle | Self::Nowhere => Stop::Paused,
        }
    }
}

/// What happens between two quiet moments.
pub(super) struct Round<'i> {
    pub(super) calls: Calls<'i>,
    pub(super) atomic_write: Option<u32>,
    pub(super) writings: Vec<Writing>,
    pub(super) emissions: Vec<Emission>,
    /// When the world saw each of them, and the operation of the user's code.
    pub(super) emitted: Vec<(u64, u32)>,
    pub(super) passes_head: bool,
}

impl<'i> Round<'i> {
    pub(super) fn new(calls: Calls<'i>, atomic_write: Option<u32>) -> Self {
        Self {
            calls,
            atomic_write,
            writings: Vec::new(),
            emissions: Vec::new(),
            emitted: Vec::new(),
            passes_head: false,
        }
    }

    /// The operations that write to non-volatile memory and those that the world sees something of.
    pub(super) fn events(&self) -> impl Iterator<Item = u32> + '_ {
        let writings = self.writings.iter().map(|writing| writing.pc);
        writings.chain(self.emitted.iter().map(|&(_, pc)| pc))
    }

    /// How many things the world had seen at a moment.
    pub(super) fn seen_at(&self, time: u64) -> usize {
        self.emitted
            .partition_point(|&(emitted, _)| emitted <= time)
    }

    fn emit(&mut self, at: Moment, emission: Emission) {
        self.emitted.push((at.time, self.calls.blame(at.pc)));
        self.emissions.push(emission);
    }
}

impl Pauses for Round<'_> {
    fn passes_head(&mut self) -> bool {
        std::mem::take(&mut self.passes_head)
    }
}

impl Observer for Round<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let layout = self.calls.image().layout();
        let segment = layout.segment(offset);
        let old = &memory[offset as usize..][..new.len()];
        // The stack begins anew with every boot.
        let is_kept = segment.is_some_and(|one| one.nonvolatile && one.kind != SegmentKind::Stack);
        if !is_kept || old == new {
            return;
        }
        let store = self.atomic_write.map(|_| Store {
            offset,
            old: old.to_vec(),
        });
        match self.writings.last_mut() {
            // Several stores of one instruction are one write.
            Some(last) if last.time == at.time => last.stores.extend(store),
            _ => self.writings.push(Writing {
                time: at.time,
                pc: self.calls.blame(at.pc),
                call: self.calls.library_call(),
                offset,
                stores: store.into_iter().collect(),
                seen: self.emissions.len(),
            }),
        }
    }

    fn loop_head(&mut self, _: Moment) -> ControlFlow<()> {
        self.passes_head = true;
        ControlFlow::Break(())
    }

    fn write(&mut self, at: Moment, _: Stream, bytes: &[u8]) {
        self.emit(at, Emission::Text(bytes.to_vec()));
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        let args = args.to_vec();
        self.emit(at, Emission::Output { index, args });
    }

    follow_calls!();
}
