//! Watching an execution: what happens to the watched objects and to the
//! world outside.

use std::ops::{ControlFlow, Range};

use brownout_explore::{Calls, Follower, Midway, Objects, Part, follow_calls, step};
use brownout_vm::{Image, Machine, Moment, Observer, Stop, Stream};

use super::watch::{Touched, WatchList};

/// Whether checkpoint calls end an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtCheckpoints {
    /// They commit, and it is over.
    Stop,
    /// They do not commit.
    Pass,
    /// They commit, and it is followed further.
    GoOn,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    /// The operation of the user's code.
    pub(crate) pc: u32,
    pub(crate) happening: Happening,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Happening {
    /// Watched bytes were read; what they held, once that is known.
    Read(Touched, Option<Vec<u8>>),
    /// Watched bytes were written; what they hold then.
    Write(Touched, Vec<u8>),
    Input(u32, u64),
    Output(u32, Vec<i64>),
    Text(Vec<u8>),
    PassedCheckpoint,
    Commit,
}

/// The observer.
#[derive(Debug)]
pub(crate) struct Recorder<'w, 'i> {
    watches: &'w WatchList<'i>,
    pub(crate) calls: Calls<'i>,
    at_checkpoints: AtCheckpoints,
    /// What happened since this was last emptied.
    pub(crate) events: Vec<Event>,
    /// For how many of them it is known what was read.
    known: usize,
    /// Whether anybody wants to know what happens, apart from what is output.
    is_watching: bool,
    /// Everything that was output, as a whole.
    pub(crate) output: Vec<u8>,
    /// The last output that was made, and when.
    last_output: Option<(u32, u64)>,
    /// The operation whose commit ended the execution.
    pub(crate) committed: Option<u32>,
}

impl Recorder<'_, '_> {
    fn note(&mut self, at: Moment, happening: Happening) {
        if !self.is_watching {
            return;
        }
        let pc = self.calls.blame(at.pc);
        self.events.push(Event { pc, happening });
    }

    /// The watched bytes of an access; the allocator's book-keeping is its own business.
    fn touched(&self, offset: u32, size: u32) -> Option<Touched> {
        if !self.is_watching || self.calls.in_allocator() {
            return None;
        }
        self.watches.touched(offset, size, &self.calls)
    }
}

impl Observer for Recorder<'_, '_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        let Some(touched) = self.touched(offset, bytes.len() as u32) else {
            return;
        };
        // The library reads byte by byte what is one object to the user.
        let again = self.events.last().is_some_and(
            |event| matches!(&event.happening, Happening::Read(last, None) if *last == touched),
        );
        if !(again && self.calls.in_library()) {
            self.note(at, Happening::Read(touched, None));
        }
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let Some(touched) = self.touched(offset, new.len() as u32) else {
            return;
        };
        // What was read is what is still there.
        for event in self.events.iter_mut().skip(self.known) {
            if let Happening::Read(read, value @ None) = &mut event.happening {
                *value = Some(read.bytes(memory).to_vec());
            }
        }
        self.known = self.events.len();
        let mut bytes = touched.bytes(memory).to_vec();
        for (byte, at) in bytes.iter_mut().zip(touched.offset..) {
            if let Some(new) = at.checked_sub(offset).and_then(|at| new.get(at as usize)) {
                *byte = *new;
            }
        }
        let in_library = self.calls.in_library();
        match self.events.last_mut() {
            Some(Event {
                happening: Happening::Write(last, value),
                ..
            }) if *last == touched && in_library => *value = bytes,
            _ => self.note(at, Happening::Write(touched, bytes)),
        }
    }

    follow_calls!();

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        match self.at_checkpoints {
            AtCheckpoints::Stop => {
                self.committed = Some(self.calls.blame(at.pc));
                ControlFlow::Break(())
            }
            AtCheckpoints::Pass => {
                self.note(at, Happening::PassedCheckpoint);
                ControlFlow::Continue(())
            }
            AtCheckpoints::GoOn => {
                self.note(at, Happening::Commit);
                ControlFlow::Continue(())
            }
        }
    }

    fn input(&mut self, at: Moment, index: u32, value: u64) {
        self.note(at, Happening::Input(index, value));
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.output
            .extend_from_slice(self.calls.image().output_text(index, args).as_bytes());
        let args = self.calls.image().output_arguments(index, args);
        self.last_output = Some((index, at.time));
        self.note(at, Happening::Output(index, args));
    }

    fn write(&mut self, at: Moment, _: Stream, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
        let pc = self.calls.blame(at.pc);
        match self.events.last_mut() {
            // One call of the library, one text.
            Some(Event {
                pc: last,
                happening: Happening::Text(text),
            }) if *last == pc => text.extend_from_slice(bytes),
            _ => self.note(at, Happening::Text(bytes.to_vec())),
        }
    }
}

impl Follower for Recorder<'_, '_> {
    fn in_library(&self) -> bool {
        self.calls.in_library()
    }

    fn is_over(&self) -> bool {
        self.committed.is_some()
    }
}

/// A machine on its way, watched.
#[derive(Debug)]
pub(crate) struct Execution<'w, 'i> {
    pub(crate) machine: Machine<'i>,
    pub(crate) recorder: Recorder<'w, 'i>,
    /// The operation of the user's code that was executed last.
    pub(crate) last: Option<u32>,
    until: u64,
    stop: Option<Stop>,
}

impl<'w, 'i> Execution<'w, 'i> {
    /// An execution that goes on from `machine`, inside of `calls`, for `budget` instructions.
    pub(crate) fn new(
        machine: Machine<'i>,
        calls: Calls<'i>,
        watches: &'w WatchList<'i>,
        at_checkpoints: AtCheckpoints,
        budget: u64,
    ) -> Self {
        let until = machine.now().saturating_add(budget);
        let recorder = Recorder {
            watches,
            calls,
            at_checkpoints,
            events: Vec::new(),
            known: 0,
            is_watching: true,
            output: Vec::new(),
            last_output: None,
            committed: None,
        };
        Self {
            machine,
            recorder,
            last: None,
            until,
            stop: (budget == 0).then_some(Stop::Paused),
        }
    }

    /// How it ended, once it has.
    pub(crate) fn ended(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Whether it came to an end by itself.
    pub(crate) fn is_finished(&self) -> bool {
        self.recorder.committed.is_some()
            || self.stop.as_ref().is_some_and(|stop| *stop != Stop::Paused)
    }

    /// Executes one operation of the user's code, with all that the library does for it.
    pub(crate) fn step(&mut self) {
        self.recorder.events.clear();
        self.recorder.known = 0;
        self.last = Some(self.recorder.calls.blame(self.machine.pc()));
        self.stop = step(&mut self.machine, &mut self.recorder, self.until);
        self.last = self.recorder.committed.or(self.last);
        let memory = self.machine.memory();
        for event in &mut self.recorder.events {
            if let Happening::Read(read, value @ None) = &mut event.happening {
                *value = Some(read.bytes(memory).to_vec());
            }
        }
    }

    /// The output that power fails in the middle of when time is up.
    pub(crate) fn midway(&self) -> Option<Midway> {
        Midway::at(self.machine.image(), self.recorder.last_output?, self.until)
    }

    /// Runs to the end without looking.
    pub(crate) fn finish(&mut self) {
        self.recorder.is_watching = false;
        let stop = self.machine.watch(&mut self.recorder, self.until);
        self.stop = Some(stop);
    }
}

/// Finds the non-volatile bytes that an execution reads and then overwrites.
#[derive(Debug)]
pub(crate) struct Overwritten<'a, 'i> {
    image: &'i Image,
    objects: &'a Objects<'i>,
    saved: &'a [Range<u32>],
    calls: Calls<'i>,
    /// What happened to each byte first, by offset. Zeros, which cost nothing where nobody looks.
    bytes: Vec<u8>,
    /// The scalars they belong to, in the order of their writes.
    pub(crate) parts: Vec<Part>,
}

impl<'a, 'i> Overwritten<'a, 'i> {
    const UNTOUCHED: u8 = 0;
    const READ: u8 = 1;
    const WRITTEN: u8 = 2;

    pub(crate) fn new(
        image: &'i Image,
        objects: &'a Objects<'i>,
        saved: &'a [Range<u32>],
        calls: Calls<'i>,
        memory: usize,
    ) -> Self {
        Self {
            image,
            objects,
            saved,
            calls,
            bytes: vec![Self::UNTOUCHED; memory],
            parts: Vec::new(),
        }
    }

    fn is_kept(&self, offset: u32) -> bool {
        let segment = self.image.layout().segment(offset);
        segment.is_some_and(|segment| segment.nonvolatile)
            && !self.saved.iter().any(|range| range.contains(&offset))
    }
}

impl Observer for Overwritten<'_, '_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, read: &[u8]) {
        for byte in self.bytes.iter_mut().skip(offset as usize).take(read.len()) {
            if *byte == Self::UNTOUCHED {
                *byte = Self::READ;
            }
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        for at in offset..offset.saturating_add(new.len() as u32) {
            let Some(byte) = self.bytes.get_mut(at as usize) else {
                return;
            };
            let first = std::mem::replace(byte, Self::WRITTEN);
            if first != Self::READ || self.calls.in_allocator() || !self.is_kept(at) {
                continue;
            }
            let (_, owner) = self.calls.owner(at);
            let frame = owner.map(|owner| (owner.func, i64::from(at) - i64::from(owner.frame)));
            let part = self.objects.scalar(at, frame);
            if !self.parts.contains(&part) {
                self.parts.push(part);
            }
        }
    }

    follow_calls!();
}
