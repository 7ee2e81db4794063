//! Rounds: what happens between two quiet moments of an undisturbed execution.

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use brownout_vm::{Moment, Observer, Standstill, Stop, Stream};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::Pauses;
use crate::calls::{Calls, follow_calls};
use crate::emissions::Emission;
use crate::parts::Parts;
use crate::stores::Store;

/// A write to non-volatile memory.
pub(super) struct Writing {
    pub(super) time: u64,
    /// The operation of the user's code.
    pub(super) pc: u32,
    /// The call of the library that writes, if it is one.
    pub(super) call: Option<u32>,
    pub(super) offset: u32,
    pub(super) stores: Vec<Store>,
    /// Which of the first bytes from `offset` on it changes, if it counts.
    pub(super) changes: u8,
    /// How many things the world had seen since the quiet moment before.
    pub(super) seen: usize,
}

/// How an undisturbed execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// By itself.
    Stopped(Stop),
    /// It does nothing any more.
    Idle(Standstill),
    /// It was followed no further.
    Nowhere,
}

impl Ended {
    pub(super) fn stop(&self) -> Stop {
        match self {
            Self::Stopped(stop) => stop.clone(),
            Self::Idle(_) | Self::Nowhere => Stop::Paused,
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
    /// The operations that have accessed memory, in this round or before.
    pub(super) accessed: Vec<bool>,
    /// How many of them did so for the first time.
    pub(super) places: u64,
    pub(super) passes_head: bool,
    /// What operations store and look at in parts.
    pub(super) parts: Parts,
}

impl<'i> Round<'i> {
    pub(super) fn new(calls: Calls<'i>, atomic_write: Option<u32>) -> Self {
        Self {
            calls,
            atomic_write,
            writings: Vec::new(),
            emissions: Vec::new(),
            emitted: Vec::new(),
            accessed: Vec::new(),
            places: 0,
            passes_head: false,
            parts: Parts::default(),
        }
    }

    /// The operations that write to non-volatile memory and those that the world sees something of.
    pub(super) fn events(&self) -> impl Iterator<Item = u32> + '_ {
        let writings = self.writings.iter().map(|writing| writing.pc);
        writings.chain(self.emitted.iter().map(|&(_, pc)| pc))
    }

    /// Where each operation writes.
    pub(super) fn written(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let writings = self.writings.iter();
        writings.map(|writing| (writing.pc, writing.offset))
    }

    /// Which bytes each operation changes: a counter that carries changes more of them than otherwise.
    pub(super) fn changes(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.writings
            .iter()
            .map(|writing| (writing.pc, writing.changes))
    }

    /// What tells rounds apart: where non-volatile memory is written and the world sees something, and what comes after
    /// what. How often a loop inside the round goes round makes no difference.
    pub(super) fn course(&self) -> u64 {
        let mut steps = FxHashSet::default();
        let mut course = 0u64;
        let mut last = u32::MAX;
        for pc in self.events() {
            let step = (std::mem::replace(&mut last, pc), pc);
            if steps.insert(step) {
                course = course.wrapping_add(FxBuildHasher.hash_one(step));
            }
        }
        course.wrapping_add(FxBuildHasher.hash_one(last))
    }

    fn touch(&mut self, pc: u32) {
        if let Some(accessed) = self.accessed.get_mut(pc as usize) {
            self.places += u64::from(!*accessed);
            *accessed = true;
        }
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

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.touch(at.pc);
        let image = self.calls.image();
        self.parts.load(image, (at.pc, offset), bytes);
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.touch(at.pc);
        let layout = self.calls.image().layout();
        let old = &memory[offset as usize..][..new.len()];
        // The stack begins anew with every boot.
        if !layout.outlasts_calls(offset) {
            return;
        }
        let unit = self.atomic_write.unwrap_or(u32::MAX);
        let place = (at.pc, offset);
        self.parts.store(&self.calls, place, (old, new), unit);
        if old == new {
            return;
        }
        let pc = self.calls.blame(at.pc);
        let store = self.atomic_write.map(|_| Store {
            offset,
            old: old.to_vec(),
            new: new.to_vec(),
        });
        // A copy changes what is not the same already.
        let first = old.iter().zip(new).position(|(old, new)| old != new);
        let offset = offset + first.unwrap_or(0) as u32;
        let changes = changes(old, new, unit);
        match self.writings.last_mut() {
            // Several stores of one instruction are one write.
            Some(last) if last.time == at.time => last.stores.extend(store),
            _ => self.writings.push(Writing {
                time: at.time,
                pc,
                call: self.calls.library_call(),
                offset,
                stores: store.into_iter().collect(),
                changes,
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

/// What tells the changes of one operation apart: which bytes a counter changes; of anything else, whether power can
/// fail in the middle.
fn changes(old: &[u8], new: &[u8], unit: u32) -> u8 {
    let middle = old.len().min(unit as usize);
    let is_divided = old[..middle] != new[..middle] && old[middle..] != new[middle..];
    match carries(old, new) {
        0 if is_divided => u8::MAX,
        carries => carries,
    }
}

/// Which of the first bytes change if the number that they are goes up or down by little: the carries of a
/// counter. What a sensor gives changes any of them.
fn carries(old: &[u8], new: &[u8]) -> u8 {
    const LITTLE: u64 = 1 << 8;
    let number = |bytes: &[u8]| {
        let bytes = bytes.iter().take(8).rev();
        bytes.fold(0u64, |number, &byte| (number << 8) | u64::from(byte))
    };
    let bits = 8 * old.len().min(8) as u32;
    let difference = number(new).wrapping_sub(number(old)) << (64 - bits);
    let least = LITTLE << (64 - bits);
    let counts = difference <= least || difference.wrapping_neg() <= least;
    let differs = |(index, (old, new)): (usize, (&u8, &u8))| u8::from(old != new) << index;
    let bytes = old.iter().zip(new).take(8).enumerate();
    match counts {
        true => bytes.map(differs).fold(0, |all, one| all | one),
        false => 0,
    }
}
