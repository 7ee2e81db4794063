//! One boot of one state: what it does to non-volatile memory, and how it ends.
//!
//! A boot starts at the entry, with volatile memory as start-up code leaves it, and is executed
//! without failure. It ends where the program ends, dies, settles in a loop in which nothing
//! changes, comes to the place where a boot is done, or when a limit is reached.
//!
//! **Invariant**: what is recorded depends on the state alone, and of its memory only on the bytes
//! that are recorded as read: another state that has these boots alike.

use std::collections::BTreeSet;

use brownout_scenario::Occasion;
use brownout_vm::{Machine, Observer, Stop};

use crate::calls::Path;
use crate::closure::Setting;
use crate::operation::Operation;
use crate::places;
use crate::recorder::{Circumstances, Recorder};
use crate::report::Assertion;
use crate::state::{Outside, State, States};
use crate::workload::{Reading, Workload};

/// A loop in which nothing changes: its operations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Settled(pub(crate) BTreeSet<u32>);

/// How a boot ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ends.
    Exited {
        /// Its status.
        status: i32,
    },
    /// It comes to the place where a boot is done.
    Arrived,
    /// It stays in a loop.
    Settled(Settled),
    /// It dies.
    Died(Box<Assertion>),
    /// A limit was reached before any of this.
    Undecided,
}

/// What one boot did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Recording {
    pub(crate) operations: Vec<Operation>,
    /// The calls that operations belong to, by number from 1, if somebody judges these.
    pub(crate) flights: Vec<u32>,
    /// How many operations came before each wait for the end of all, and the part that waits.
    pub(crate) syncs: Vec<(u32, u32)>,
    /// Readings that workloads vary, in their order.
    pub(crate) readings: Vec<Reading>,
    /// What the program said, if somebody judges that.
    pub(crate) text: Option<Vec<u8>>,
    /// How many bytes of that came before each operation.
    pub(crate) said: Vec<u32>,
    /// The first operation that is a plain store into a flash part.
    pub(crate) bypass: Option<u32>,
    /// What operations leave, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// The calls that led to operations, by the numbers that operations have.
    pub(crate) paths: Vec<Path>,
    /// Bytes that it read before it wrote them: where, and how many, one after the other.
    pub(crate) reads: Vec<(u32, u32)>,
    /// What these bytes held.
    pub(crate) read: Vec<u8>,
    /// What is outside after operations that change it.
    pub(crate) outside: Vec<Outside>,
    /// How many operations came before the place where failures begin.
    pub(crate) before: u32,
    pub(crate) end: End,
    /// What has to hold at the end and does not, by number.
    pub(crate) broken: Vec<u32>,
    pub(crate) instructions: u64,
}

impl Recording {
    /// What an operation leaves.
    pub(crate) fn new_bytes(&self, operation: &Operation) -> &[u8] {
        &self.bytes[operation.new.start as usize..operation.new.end as usize]
    }
}

/// Boots states, one after the other.
pub(crate) struct Booter<'b> {
    setting: Setting<'b>,
    workload: &'b Workload,
    machine: Machine<'b>,
}

/// How many instructions are executed before the first look for a loop without end.
const FIRST_SLICE: u64 = 200_000;

/// Between two looks at the monitor.
const LONGEST_SLICE: u64 = 20_000_000;

/// Operations of the longest loop that is recognised, which reads a whole part, say; and of one that
/// is looked for often.
const LONGEST_LOOP: u64 = 1 << 20;
const SHORT_LOOP: u32 = 32;

/// Looking for a loop takes a small part of the time since the last look.
const LOOKS: u64 = 16;

impl<'b> Booter<'b> {
    pub(crate) fn new(setting: Setting<'b>, workload: &'b Workload) -> Self {
        Self {
            setting,
            workload,
            machine: setting.fresh.clone(),
        }
    }

    /// Boots a state, with a limit on its instructions.
    pub(crate) fn boot(&mut self, states: &States<'_>, state: &State, limit: u64) -> Recording {
        self.machine.become_like(self.setting.fresh);
        for &(page, contents) in states.pages(state).iter() {
            let offsets = self.setting.nonvolatile.offsets(page);
            let length = offsets.len();
            let bytes = &states.page(contents)[..length];
            self.machine.tear(offsets.start, bytes);
        }
        self.machine
            .set_environment(states.outside_of(state.outside));
        self.execute(limit)
    }

    fn execute(&mut self, limit: u64) -> Recording {
        let circumstances = Circumstances {
            image: self.setting.image,
            request: self.setting.request,
            nonvolatile: self.setting.nonvolatile,
            workload: self.workload,
            limit,
        };
        let environment = self.machine.environment().to_vec();
        let mut recorder = Box::new(Recorder::new(circumstances, environment));
        let mut slice = FIRST_SLICE;
        let end = loop {
            let now = self.machine.now();
            if now >= limit || self.setting.monitor.is_interrupted() {
                break End::Undecided;
            }
            let until = now.saturating_add(slice).min(limit);
            match self.machine.run(&mut recorder, until) {
                Stop::Exited { status } => break End::Exited { status },
                Stop::Faulted(fault) => {
                    let mut trace = self.machine.backtrace();
                    trace.reverse();
                    let place = places::frames(self.setting.image, &trace);
                    break End::Died(Box::new(Assertion::of_fault(&fault, place)));
                }
                Stop::Paused if recorder.has_arrived => break End::Arrived,
                Stop::Paused => {}
            }
            let longest = match std::mem::take(&mut recorder.asks) {
                true => SHORT_LOOP,
                false => {
                    slice = (2 * slice).min(LONGEST_SLICE);
                    (slice / LOOKS).min(LONGEST_LOOP) as u32
                }
            };
            if self.machine.standstill(longest).is_some() {
                break End::Settled(self.settled(longest));
            }
        };
        let broken = match end {
            End::Exited { .. } | End::Arrived | End::Settled(_) => {
                recorder.note_invariants(self.machine.memory());
                self.machine.broken(Occasion::Exit)
            }
            End::Died(_) | End::Undecided => Vec::new(),
        };
        recorder.finish(end, broken, self.machine.now())
    }

    /// The operations of the loop that the machine is in; it is not looked at any more.
    fn settled(&mut self, longest: u32) -> Settled {
        struct Executed(BTreeSet<u32>);
        impl Observer for Executed {
            fn flow(&self) -> bool {
                true
            }
            fn execute(&mut self, pc: u32) {
                self.0.insert(pc);
            }
        }
        let mut executed = Executed(BTreeSet::new());
        for _ in 0..longest {
            if self.machine.watch_operation(&mut executed) != Stop::Paused {
                break;
            }
        }
        Settled(executed.0)
    }
}
