//! When power fails next.
//!
//! Everything but a number of instructions is found out by a scout: a copy of the machine that goes
//! ahead, so the execution itself knows when it is going to fail, as devices that checkpoint in
//! time do.

use brownout_explore::Monitor;
use brownout_scenario::{Supply, splitmix64};
use brownout_vm::{Image, Machine, Moment, Observer, Stop};

use super::SLICE;

/// How far a scout goes before it looks around.
const STRIDE: u64 = 1 << 16;

/// Instructions that a random supply lasts at most, at first.
const SHORT: u64 = 1000;

/// Power failures, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// When execution gets to these lines.
    pub at: Vec<Line>,
    /// After so many instructions in all; in order.
    pub after: Vec<u64>,
    /// Again and again.
    pub rhythm: Option<Rhythm>,
}

/// A line of the source that execution gets to for the nth time.
#[derive(Clone, Debug)]
pub struct Line {
    /// Which operations belong to it.
    pub operations: Vec<bool>,
    /// How many times are still to come, this one included.
    pub times: u64,
}

/// What makes power fail again and again.
#[derive(Clone, Debug)]
pub enum Rhythm {
    /// After one write to non-volatile memory, then after two, then after three.
    Linear {
        /// How many next.
        writes: u64,
    },
    /// After one write, then after two, four, eight.
    Log {
        /// How many next.
        writes: u64,
    },
    /// After a random number of instructions, more and more if there is no progress.
    Random {
        /// What the numbers follow from.
        seed: u64,
        /// How many have been used.
        used: u64,
        /// The most instructions.
        most: u64,
    },
    /// As a power supply has it.
    Supply(Box<Supply>),
}

/// A power failure to come, in instructions executed in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outage {
    /// When it is.
    pub(super) at: u64,
    /// When the device notices, if the supply says so.
    pub(super) warning: Option<u64>,
}

impl Rhythm {
    /// Writes to non-volatile memory: 1, 2, 3, …
    pub fn linear() -> Self {
        Self::Linear { writes: 1 }
    }

    /// Writes to non-volatile memory: 1, 2, 4, …
    pub fn log() -> Self {
        Self::Log { writes: 1 }
    }

    /// Random, but always the same for the same seed.
    pub fn random(seed: u64) -> Self {
        Self::Random {
            seed,
            used: 0,
            most: SHORT,
        }
    }

    /// The next power failure of a machine that has just got power.
    fn next(&mut self, machine: &Machine<'_>, progress: Progress, limit: u64) -> Option<Outage> {
        let now = machine.now();
        let at = match self {
            Self::Linear { writes } => {
                let after = *writes;
                *writes += 1;
                after_writes(machine, after, limit)?
            }
            Self::Log { writes } => {
                let after = *writes;
                *writes = writes.saturating_mul(2);
                after_writes(machine, after, limit)?
            }
            Self::Random { seed, used, most } => {
                if progress == Progress::None {
                    *most = most.saturating_mul(2);
                }
                let random = splitmix64(*seed, *used);
                *used += 1;
                now.saturating_add(1 + random % *most)
            }
            Self::Supply(supply) => {
                let lasting = supply.next()?;
                return Some(Outage {
                    at: now.saturating_add(lasting.instructions?),
                    warning: lasting.warning.map(|warning| now.saturating_add(warning)),
                });
            }
        };
        Some(Outage { at, warning: None })
    }
}

/// Whether the last attempt has made progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// There was none, or it committed.
    Some,
    /// It did not get to a checkpoint.
    None,
}

impl Schedule {
    /// Whether power never fails.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty() && self.after.is_empty() && self.rhythm.is_none()
    }

    /// The next power failure of a machine that has just got power.
    pub(super) fn next(
        &mut self,
        machine: &Machine<'_>,
        progress: Progress,
        limit: u64,
    ) -> Option<Outage> {
        if let Some(rhythm) = &mut self.rhythm {
            return rhythm.next(machine, progress, limit);
        }
        let now = machine.now();
        self.after.retain(|&after| after > now);
        let after = self.after.first().copied();
        let line = match self.at.is_empty() {
            true => None,
            false => self.next_line(machine, after.unwrap_or(limit).min(limit)),
        };
        let at = line.or(after)?;
        Some(Outage { at, warning: None })
    }

    /// When execution gets to one of the lines as often as wanted, if that is before `limit`.
    fn next_line(&mut self, machine: &Machine<'_>, limit: u64) -> Option<u64> {
        let mut scout = machine.clone();
        // Whether the last operation of each call in progress was on each line.
        let mut on: Vec<Vec<bool>> = vec![Vec::new(); self.at.len()];
        while scout.now() < limit {
            let (pc, depth) = (scout.pc() as usize, scout.depth());
            for (line, on) in self.at.iter_mut().zip(&mut on) {
                on.resize(depth, false);
                let here = line.operations.get(pc).is_some_and(|&here| here);
                let before = on.last_mut().map(|last| std::mem::replace(last, here));
                if here && before != Some(true) {
                    line.times = line.times.saturating_sub(1);
                }
            }
            if self.at.iter().any(|line| line.times == 0) {
                self.at.retain(|line| line.times > 0);
                return Some(scout.now());
            }
            if scout.step() != Stop::Paused {
                return None;
            }
        }
        None
    }
}

/// When a machine has made so many writes to non-volatile memory.
fn after_writes(machine: &Machine<'_>, writes: u64, limit: u64) -> Option<u64> {
    let mut scout = machine.clone();
    let mut count = Writes {
        image: machine.image(),
        missing: writes,
        last: None,
    };
    while count.missing > 0 {
        let until = scout.now().saturating_add(STRIDE).min(limit);
        if scout.watch(&mut count, until) != Stop::Paused || scout.now() >= limit {
            break;
        }
    }
    (count.missing == 0).then_some(count.last).flatten()
}

/// When each write to non-volatile memory is made, if the program comes to an end within `limit` instructions.
pub(super) fn all_writes(
    mut machine: Machine<'_>,
    limit: u64,
    monitor: &dyn Monitor,
) -> Option<Vec<u64>> {
    let mut times = Times {
        image: machine.image(),
        times: Vec::new(),
    };
    while machine.now() < limit && !monitor.is_interrupted() {
        let until = machine.now().saturating_add(SLICE).min(limit);
        if machine.watch(&mut times, until) != Stop::Paused {
            return Some(times.times);
        }
    }
    None
}

struct Writes<'i> {
    image: &'i Image,
    missing: u64,
    last: Option<u64>,
}

impl Observer for Writes<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        if self.missing > 0 && is_nonvolatile(self.image, offset) {
            self.missing -= 1;
            self.last = Some(at.time);
        }
    }
}

struct Times<'i> {
    image: &'i Image,
    times: Vec<u64>,
}

impl Observer for Times<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        if is_nonvolatile(self.image, offset) && self.times.last() != Some(&at.time) {
            self.times.push(at.time);
        }
    }
}

pub(super) fn is_nonvolatile(image: &Image, offset: u32) -> bool {
    let segment = image.layout().segment(offset);
    segment.is_some_and(|segment| segment.nonvolatile)
}
