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
use brownout_vm::{Anchor, Machine, Standstill, Stop, Unobserved};

use crate::calls::Path;
use crate::closure::Setting;
use crate::operation::Operation;
use crate::places;
use crate::recorder::{Circumstances, Recorder};
use crate::report::Assertion;
use crate::state::{Outside, State, States};
use crate::workload::{Reading, Workload};

/// A loop in which nothing changes: its operations, without those of functions that it calls.
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
    /// The marks that it passed, in order.
    pub(crate) passed: BTreeSet<u32>,
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
    /// The call that is in progress in the loop that the boot settles in, if somebody judges calls.
    pub(crate) unfinished: Option<u32>,
}

impl Recording {
    /// What an operation leaves.
    pub(crate) fn new_bytes(&self, operation: &Operation) -> &[u8] {
        &self.bytes[operation.new.start as usize..operation.new.end as usize]
    }
}

/// What of a boot is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interest {
    /// Everything.
    All,
    /// How it ends and what it read: nobody asks what failures in it leave.
    End,
}

/// Boots states, one after the other.
pub(crate) struct Booter<'b> {
    setting: Setting<'b>,
    workload: &'b Workload,
    interest: Interest,
    machine: Machine<'b>,
}

/// How long a boot may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Most instructions.
    pub(crate) limit: u64,
    /// Those of the undisturbed boot: one that takes many more may be one without end.
    pub(crate) usual: u64,
}

/// A boot after a failure may take so many times longer than the undisturbed one, and so many
/// instructions in any case.
const PATIENCE: u64 = 64;
const LEAST: u64 = 20_000_000;

/// Instructions of a small program.
const SMALL: u64 = 2_500;

impl Patience {
    /// With the undisturbed boot.
    pub(crate) fn first(limit: u64) -> Self {
        Self {
            limit,
            usual: SMALL,
        }
    }

    /// With boots after that, which took so many instructions.
    pub(crate) fn later(undisturbed: u64, limit: u64) -> Self {
        Self {
            limit: limit.min(undisturbed.saturating_mul(PATIENCE).max(LEAST)),
            usual: undisturbed,
        }
    }
}

/// How many instructions are executed before the first look for a loop without end.
const FIRST_SLICE: u64 = 200_000;

/// Between two looks at the monitor.
const LONGEST_SLICE: u64 = 20_000_000;

/// Operations of the longest loop that is recognised, which reads a whole part, say; and of one that
/// is looked for often.
const LONGEST_LOOP: u64 = 1 << 20;
const SHORT_LOOP: u64 = 32;

/// Looking for a loop takes a small part of the time since the last look.
const LOOKS: u64 = 16;

/// And a smaller one where a loop is passed often.
const OFTEN: u64 = 64;

impl<'b> Booter<'b> {
    pub(crate) fn new(setting: Setting<'b>, workload: &'b Workload, interest: Interest) -> Self {
        Self {
            setting,
            workload,
            interest,
            machine: setting.fresh.clone(),
        }
    }

    /// Boots a state, with this patience.
    pub(crate) fn boot(
        &mut self,
        states: &States<'_>,
        state: &State,
        patience: Patience,
    ) -> Recording {
        self.machine.become_like(self.setting.fresh);
        for &(page, contents) in states.pages(state).iter() {
            let offsets = self.setting.nonvolatile.offsets(page);
            let length = offsets.len();
            let bytes = &states.page(contents)[..length];
            self.machine.tear(offsets.start, bytes);
        }
        self.machine
            .set_environment(states.outside_of(state.outside));
        self.execute(patience)
    }

    fn execute(&mut self, patience: Patience) -> Recording {
        let limit = patience.limit;
        let circumstances = Circumstances {
            image: self.setting.image,
            request: self.setting.request,
            nonvolatile: self.setting.nonvolatile,
            workload: self.workload,
            interest: self.interest,
            patience,
        };
        let environment = self.machine.environment().to_vec();
        let mut recorder = Box::new(Recorder::new(circumstances, environment));
        let mut slice = FIRST_SLICE;
        let mut looked = 0;
        let mut until = 0;
        let mut anchor: Option<Anchor> = None;
        let end = loop {
            let now = self.machine.now();
            if now >= until {
                if now >= limit || self.setting.monitor.is_interrupted() {
                    break End::Undecided;
                }
                until = now.saturating_add(slice).min(limit);
            }
            match self.machine.run(&mut recorder, until) {
                Stop::Exited { status } => break End::Exited { status },
                Stop::Faulted(fault) => {
                    let mut trace = self.machine.backtrace();
                    trace.reverse();
                    let place = places::frames(self.setting.image, &trace);
                    break End::Died(Box::new(Assertion::of_fault(
                        self.setting.image,
                        &fault,
                        place,
                    )));
                }
                Stop::Paused if recorder.has_arrived => break End::Arrived,
                Stop::Paused => {}
            }
            if std::mem::take(&mut recorder.has_come_round) {
                let round = anchor
                    .as_ref()
                    .map(|anchor| self.machine.round_since(anchor));
                if let Some(round) = round.flatten() {
                    break End::Settled(self.settled(0, round));
                }
                // The state to compare with is left further and further behind (Brent 1980).
                if recorder.rounds.is_power_of_two() {
                    anchor = Some(self.machine.anchor(|input| recorder.is_varied(input)));
                }
                if !recorder.asks {
                    continue;
                }
            }
            let now = self.machine.now();
            let since = now - std::mem::replace(&mut looked, now);
            let longest = match std::mem::take(&mut recorder.asks) {
                true if recorder.is_slow(now) => since / OFTEN,
                true => SHORT_LOOP,
                false => {
                    slice = (2 * slice).min(LONGEST_SLICE);
                    match recorder.is_slow(now) {
                        // It has few better things to do than to go round.
                        true => slice / 2,
                        false => slice / LOOKS,
                    }
                }
            };
            let longest = longest.clamp(SHORT_LOOP, LONGEST_LOOP) as u32;
            let is_over = |standstill: &Standstill| {
                let mut inputs = standstill.inputs.iter();
                !inputs.any(|&input| recorder.is_varied(input))
            };
            if let Some(found) = self.machine.repetition(longest).filter(is_over) {
                break End::Settled(self.settled(found.after, found.round));
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

    /// The operations of the loop that the machine is in after some instructions, a round of which
    /// takes so many; it is not looked at any more.
    fn settled(&mut self, after: u64, round: u64) -> Settled {
        let begin = self.machine.now() + after;
        let _ = self.machine.advance(begin);
        // Two loops may call the same functions.
        let mut outermost = usize::MAX;
        let mut executed = BTreeSet::new();
        while self.machine.now() <= begin + round {
            let depth = self.machine.depth();
            if depth < outermost {
                outermost = depth;
                executed.clear();
            }
            if depth == outermost {
                executed.insert(self.machine.pc());
            }
            if self.machine.watch_operation(&mut Unobserved) != Stop::Paused {
                break;
            }
        }
        Settled(executed)
    }
}
