//! Which suspected pairs of a read and a write one execution goes through in one region.
//!
//! Static analysis suspects pairs on all paths. The execution that was emulated has the last word on a
//! pair only if it went through both, in this order, in a region that begins where the pair is suspected: then
//! locating has seen whether the read is exposed, and evaluating what a failure does. That both were executed at
//! some time says nothing: they may lie on two paths of which the execution never took one after the
//! other. Where a checkpoint may be skipped or be anywhere, the order alone counts: how far apart two
//! places are is what executions know and static analysis does not.
//!
//! A local variable is another object in every call, and static analysis does not tell them apart: what
//! it suspects of one is settled once both places were executed.

use std::ops::ControlFlow;

use brownout_explore::{Calls, Exposure, Monitor, follow_calls, watch};
use brownout_vm::{Image, Machine, Moment, Observer};
use rustc_hash::FxHashMap;

/// A read and a write that are suspected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Suspects {
    /// The number of the place that reads.
    pub read: usize,
    /// The number of the place that writes.
    pub written: usize,
    /// Whether it is a local variable that is read and written.
    pub is_local: bool,
    /// Where the region begins in which they are suspected.
    pub start: Start,
}

/// Where a region begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Start {
    /// With the program.
    Entry,
    /// At a call of a checkpoint, by the number of its place.
    Checkpoint(usize),
    /// Not known, or of no importance.
    Anywhere,
}

/// For each of `suspects` whether an execution of up to `limit` instructions settles it. `places` has
/// the operations of each place.
pub fn together(
    image: &Image,
    exposure: Exposure,
    limit: u64,
    places: &[Vec<u32>],
    suspects: &[Suspects],
    monitor: &dyn Monitor,
) -> Vec<bool> {
    let mut observer = Together {
        calls: Calls::new(image),
        exposure,
        commit: 0,
        start: Some(Start::Entry),
        places: FxHashMap::default(),
        suspects: vec![Vec::new(); places.len()],
        last: vec![None; places.len()],
        writes: vec![false; places.len()],
        happened: vec![false; suspects.len()],
    };
    for (number, suspects) in suspects.iter().enumerate() {
        let Suspects {
            read,
            written,
            start,
            ..
        } = *suspects;
        observer.suspects[written].push((number, read, start));
        let checkpoint = match start {
            Start::Checkpoint(place) => Some(place),
            Start::Entry | Start::Anywhere => None,
        };
        for place in [read, written].into_iter().chain(checkpoint) {
            let operations = places[place].iter();
            observer.places.extend(operations.map(|&pc| (pc, place)));
        }
    }
    let mut machine = Machine::new(image);
    watch(&mut machine, &mut observer, limit, monitor);
    let settled = suspects.iter().zip(&observer.happened);
    settled
        .map(|(suspects, happened)| {
            let both = observer.last[suspects.read].is_some() && observer.writes[suspects.written];
            *happened || suspects.is_local && both
        })
        .collect()
}

/// Sees reads and writes at the places of suspects.
struct Together<'i> {
    calls: Calls<'i>,
    exposure: Exposure,
    /// When the region began, and where; nothing if nobody suspects anything there.
    commit: u64,
    start: Option<Start>,
    /// The place of an operation, if somebody asks about it.
    places: FxHashMap<u32, usize>,
    /// For each place that writes the suspects that were not seen together yet, where they read, and where
    /// their region begins.
    suspects: Vec<Vec<(usize, usize, Start)>>,
    /// For each place the beginning of the region of its last read.
    last: Vec<Option<u64>>,
    /// For each place whether it has written.
    writes: Vec<bool>,
    happened: Vec<bool>,
}

impl Together<'_> {
    fn read(&mut self, at: Moment) {
        if let Some(&place) = self.places.get(&self.calls.blame(at.pc)) {
            self.last[place] = Some(self.commit);
        }
    }

    fn written(&mut self, at: Moment) {
        let Some(&place) = self.places.get(&self.calls.blame(at.pc)) else {
            return;
        };
        self.writes[place] = true;
        self.suspects[place].retain(|&(suspect, read, start)| {
            let is_there = start == Start::Anywhere || Some(start) == self.start;
            let is_one_region = self.last[read].is_some_and(|commit| match self.exposure {
                Exposure::Region => commit == self.commit && is_there,
                Exposure::SinceCall { .. } | Exposure::Anywhere { .. } => true,
            });
            self.happened[suspect] = is_one_region;
            !is_one_region
        });
    }
}

impl Observer for Together<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, _: u32, _: &[u8]) {
        self.read(at);
    }

    fn store(&mut self, at: Moment, _: &[u8], _: u32, _: &[u8]) {
        self.written(at);
    }

    // Functions that the scenario describes may read and write what they are given.

    fn input(&mut self, at: Moment, _: u32, _: u64) {
        self.read(at);
        self.written(at);
    }

    fn output(&mut self, at: Moment, _: u32, _: &[u64]) {
        self.read(at);
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.commit = at.time;
        let place = self.places.get(&self.calls.blame(at.pc));
        self.start = place.map(|&place| Start::Checkpoint(place));
        ControlFlow::Continue(())
    }

    follow_calls!();
}
