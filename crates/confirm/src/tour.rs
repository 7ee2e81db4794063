//! Tours: executions from one state to the next commit, and what they did on the way.

use std::ops::{ControlFlow, Range};

use brownout_explore::Store;
use brownout_vm::{Image, Moment, Observer, Stream};

/// What an input gave.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Reading {
    pub(crate) input: u32,
    pub(crate) value: u64,
}

/// One thing that the world sees: an output with its number and arguments, or the letters of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Emission(Vec<u64>);

/// Whether the world may see these `outputs` of an attempt instead of those of the execution that it is held
/// against, having `seen` others before: it leaves out only what was seen (SEMANTICS §2), and outputs with
/// these numbers, which may get lost. Looks from the end: what is missing there is what matters.
pub(crate) fn follows(
    list: &[Emission],
    seen: &[&Emission],
    outputs: &[Emission],
    optional: &[u32],
) -> bool {
    let (mut seen, mut outputs) = (seen, outputs);
    for wanted in list.iter().rev() {
        if let Some((last, rest)) = outputs.split_last()
            && last == wanted
        {
            outputs = rest;
            continue;
        }
        let is_optional = |number: &u32| wanted.0.first() == Some(&u64::from(*number));
        if optional.iter().any(is_optional) {
            continue;
        }
        match seen.iter().rposition(|seen| *seen == wanted) {
            Some(index) => seen = &seen[..index],
            None => return false,
        }
    }
    outputs.is_empty()
}

/// A change of non-volatile memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// Executed instructions, that of the change included.
    pub(crate) time: u64,
    pub(crate) store: Store,
}

/// Whether a checkpoint ends a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtCheckpoints {
    Stop,
    Pass,
}

/// What an execution does.
#[derive(Clone, Debug)]
pub(crate) struct Tour<'n> {
    nonvolatile: &'n [Range<u32>],
    at_checkpoints: AtCheckpoints,
    /// When it began.
    pub(crate) begun: u64,
    /// What it read, in order.
    pub(crate) reads: Vec<Reading>,
    /// When it read that.
    pub(crate) times: Vec<u64>,
    pub(crate) changes: Vec<Change>,
    /// What the world saw of it, and when.
    pub(crate) outputs: Vec<(u64, Emission)>,
    /// When it came to a checkpoint that ended it, with what that saves.
    pub(crate) committed: Option<(u64, Vec<Range<u32>>)>,
}

impl<'n> Tour<'n> {
    pub(crate) fn new(
        nonvolatile: &'n [Range<u32>],
        at_checkpoints: AtCheckpoints,
        begun: u64,
    ) -> Self {
        Self {
            nonvolatile,
            at_checkpoints,
            begun,
            reads: Vec::new(),
            times: Vec::new(),
            changes: Vec::new(),
            outputs: Vec::new(),
            committed: None,
        }
    }
}

/// The non-volatile memory of an image.
pub(crate) fn nonvolatile(image: &Image) -> Vec<Range<u32>> {
    let segments = image.layout().segments().iter();
    segments
        .filter(|segment| segment.nonvolatile)
        .map(|segment| segment.offsets.clone())
        .collect()
}

/// Whether some range contains an offset.
pub(crate) fn contains(ranges: &[Range<u32>], offset: u32) -> bool {
    ranges.iter().any(|range| range.contains(&offset))
}

impl Observer for Tour<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let old = &memory[offset as usize..offset as usize + new.len()];
        if old != new && contains(self.nonvolatile, offset) {
            let store = Store {
                offset,
                old: old.to_vec(),
                new: new.to_vec(),
            };
            self.changes.push(Change {
                time: at.time,
                store,
            });
        }
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.at_checkpoints == AtCheckpoints::Pass {
            return ControlFlow::Continue(());
        }
        let saves = saves.iter().map(|&(offset, size)| offset..offset + size);
        self.committed = Some((at.time, saves.collect()));
        ControlFlow::Break(())
    }

    fn input(&mut self, at: Moment, input: u32, value: u64) {
        self.reads.push(Reading { input, value });
        self.times.push(at.time);
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        let number = u64::from(index);
        let output = [number].iter().chain(args).copied().collect();
        self.outputs.push((at.time, Emission(output)));
    }

    fn write(&mut self, at: Moment, _: Stream, bytes: &[u8]) {
        // No output has this number.
        let letters = bytes.iter().map(|&byte| u64::from(byte));
        let text = std::iter::once(u64::MAX).chain(letters).collect();
        self.outputs.push((at.time, Emission(text)));
    }
}
