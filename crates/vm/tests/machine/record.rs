//! Everything an observer sees, as data.

use std::ops::ControlFlow;

use brownout_ir::Func;
use brownout_vm::{Moment, Observer, Stream};

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named after the hooks")]
pub(crate) enum Event {
    Load {
        time: u64,
        offset: u32,
        size: u32,
    },
    /// The last `hidden` bytes are the decoder's own business.
    Store {
        time: u64,
        offset: u32,
        old: Vec<u8>,
        new: Vec<u8>,
        hidden: usize,
    },
    Call {
        time: u64,
        function: Func,
        frame: u32,
    },
    Return {
        time: u64,
        function: Func,
    },
    Stack {
        time: u64,
        pointer: u32,
    },
    Unwind {
        time: u64,
        depth: usize,
    },
    Allocate {
        time: u64,
        offset: u32,
        size: u32,
    },
    Free {
        time: u64,
        offset: u32,
    },
    Checkpoint {
        time: u64,
        saves: Vec<(u32, u32)>,
    },
    Input {
        time: u64,
        index: u32,
        value: u64,
    },
    Output {
        time: u64,
        index: u32,
        args: Vec<u64>,
    },
    Write {
        time: u64,
        stream: Stream,
        bytes: Vec<u8>,
    },
}

/// Writes everything down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) events: Vec<Event>,
    /// Whether checkpoint calls pause the machine.
    pub(crate) pausing: bool,
}

impl Observer for Recorder {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.events.push(Event::Load {
            time: at.time,
            offset,
            size: bytes.len() as u32,
        });
    }
    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let old = memory[offset as usize..offset as usize + new.len()].to_vec();
        self.events.push(Event::Store {
            time: at.time,
            offset,
            old,
            new: new.to_vec(),
            hidden: 0,
        });
    }
    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.events.push(Event::Call {
            time: at.time,
            function,
            frame,
        });
    }
    fn ret(&mut self, at: Moment, function: Func) {
        self.events.push(Event::Return {
            time: at.time,
            function,
        });
    }
    fn stack(&mut self, at: Moment, pointer: u32) {
        self.events.push(Event::Stack {
            time: at.time,
            pointer,
        });
    }
    fn unwind(&mut self, at: Moment, depth: usize) {
        self.events.push(Event::Unwind {
            time: at.time,
            depth,
        });
    }
    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        self.events.push(Event::Allocate {
            time: at.time,
            offset,
            size,
        });
    }
    fn free(&mut self, at: Moment, offset: u32) {
        self.events.push(Event::Free {
            time: at.time,
            offset,
        });
    }
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.events.push(Event::Checkpoint {
            time: at.time,
            saves: saves.to_vec(),
        });
        if self.pausing {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
    fn input(&mut self, at: Moment, index: u32, value: u64) {
        self.events.push(Event::Input {
            time: at.time,
            index,
            value,
        });
    }
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.events.push(Event::Output {
            time: at.time,
            index,
            args: args.to_vec(),
        });
    }
    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {
        self.events.push(Event::Write {
            time: at.time,
            stream,
            bytes: bytes.to_vec(),
        });
    }
}

/// Only what leaves the device: for runs that must not see every access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    pub(crate) events: Vec<Event>,
}

impl Observer for Outside {
    fn input(&mut self, at: Moment, index: u32, value: u64) {
        self.events.push(Event::Input {
            time: at.time,
            index,
            value,
        });
    }
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.events.push(Event::Output {
            time: at.time,
            index,
            args: args.to_vec(),
        });
    }
    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {
        self.events.push(Event::Write {
            time: at.time,
            stream,
            bytes: bytes.to_vec(),
        });
    }
}

/// Those of `events` that leave the device.
pub(crate) fn outside(events: &[Event]) -> Vec<Event> {
    let leaves = |event: &&Event| {
        matches!(
            event,
            Event::Input { .. } | Event::Output { .. } | Event::Write { .. }
        )
    };
    events.iter().filter(leaves).cloned().collect()
}

/// The first difference between what the machine did and what the reference did.
pub(crate) fn first_difference(machine: &[Event], reference: &[Event]) -> Option<String> {
    for (index, (ours, theirs)) in machine.iter().zip(reference).enumerate() {
        let mut ours = ours.clone();
        let mut theirs = theirs.clone();
        if let (
            Event::Store { old, new, .. },
            Event::Store {
                old: their_old,
                new: their_new,
                hidden,
                ..
            },
        ) = (&mut ours, &mut theirs)
        {
            for bytes in [old, new, their_old, their_new] {
                bytes.truncate(bytes.len().saturating_sub(*hidden));
            }
            *hidden = 0;
        }
        if ours != theirs {
            return Some(format!(
                "event {index}: machine {ours:?}, reference {theirs:?}"
            ));
        }
    }
    (machine.len() != reference.len()).then(|| {
        format!(
            "machine has {} events, reference {}",
            machine.len(),
            reference.len()
        )
    })
}
