//! What becomes of a byte that differs: it is followed to its next access (SEMANTICS §2).
//!
//! Two executions that agree in everything but some bytes go on alike until one of these is read. So
//! it is enough to look at the continuous execution: a byte that it reads next makes a difference,
//! one that it overwrites next makes none.
//!
//! **Algorithm.** What was found out once holds for all earlier moments back to the one that was
//! asked about, and is remembered. That a byte is never accessed again is known from one execution
//! that notes when each was accessed last.

use std::collections::BTreeMap;

use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};
use rustc_hash::FxHashMap;

/// The next access to a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NextAccess {
    /// It is read.
    Read,
    /// It is overwritten without having been read.
    Overwritten,
    /// The execution ends without having touched it.
    Never,
    /// The execution was not followed far enough to tell.
    Unknown,
}

/// Next accesses as far as they are known.
pub(super) struct Future {
    /// By byte and the moment from which on this holds: when the access is, and what it is.
    known: BTreeMap<(u32, u64), (u64, NextAccess)>,
    /// When each byte is accessed last, once somebody had to know, and what an access after that
    /// is: none, if the execution comes to an end.
    last: Option<(Vec<u64>, NextAccess)>,
    horizon: Horizon,
}

/// How far the continuous execution is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// Instructions that it is followed for.
    pub limit: u64,
    /// Whether nothing new comes after that: it ends there, or does nothing any more.
    pub is_end: bool,
}

impl Horizon {
    /// What is not accessed up to the horizon.
    const fn beyond(self) -> NextAccess {
        if self.is_end {
            NextAccess::Never
        } else {
            NextAccess::Unknown
        }
    }
}

/// How far a search goes before it is found out what is never accessed again.
const CLOSE: u64 = 100_000;
/// How many accesses are remembered.
const MOST: usize = 1 << 20;
/// After stretches of this length it is found out whether the program does anything new.
const IDLE: u64 = 1 << 20;
/// Loops of up to so many operations in which nothing changes are recognised.
const LONGEST_LOOP: u32 = 1 << 12;
/// The shortest stretch that is executed before one looks again.
const STRETCH: u64 = 1_000;

impl Future {
    pub(super) fn new(horizon: Horizon) -> Self {
        Self {
            known: BTreeMap::new(),
            last: None,
            horizon,
        }
    }

    /// The first access to a byte after a moment, if that is known.
    pub(super) fn next(&self, offset: u32, after: u64) -> Option<NextAccess> {
        let mut known = self.known.range((offset, 0)..=(offset, after));
        if let Some((_, &(at, access))) = known.next_back()
            && after < at
        {
            return Some(access);
        }
        let (last, then) = self.last.as_ref()?;
        (after >= last.get(offset as usize).copied().unwrap_or(0)).then_some(*then)
    }

    /// Finds out what becomes of `wanted` after a moment. The machine is where the continuous
    /// execution is then; it is left somewhere later. Gives the instructions executed.
    pub(super) fn follow(&mut self, machine: &mut Machine<'_>, after: u64, wanted: &[u32]) -> u64 {
        if self.known.len() > MOST {
            self.known.clear();
        }
        let begun = machine.now();
        let mut search = Search {
            open: wanted.iter().map(|&offset| (offset, ())).collect(),
            found: Vec::new(),
        };
        let mut spent = 0;
        let mut stretch = STRETCH;
        let ending = loop {
            if search.open.is_empty() {
                break NextAccess::Unknown;
            }
            if machine.now() >= self.horizon.limit {
                let is_still = machine.standstill(LONGEST_LOOP).is_some();
                go_round(machine, &mut search);
                break match is_still {
                    true => NextAccess::Never,
                    false => self.horizon.beyond(),
                };
            }
            if machine.now() - begun > CLOSE && self.last.is_none() {
                spent += self.find_last(machine.image());
                let settled: Vec<u32> = search.open.keys().copied().collect();
                for offset in settled {
                    if self.next(offset, after).is_some() {
                        search.open.remove(&offset);
                    }
                }
                continue;
            }
            let until = machine
                .now()
                .saturating_add(stretch)
                .min(self.horizon.limit);
            if !goes_on(machine, &mut search, until) {
                break NextAccess::Never;
            }
            stretch = stretch.saturating_mul(2);
        };
        for (offset, at, access) in search.found {
            self.known.insert((offset, after), (at, access));
        }
        let untouched = search.open.into_keys();
        self.known
            .extend(untouched.map(|offset| ((offset, after), (u64::MAX, ending))));
        spent + machine.now() - begun
    }

    /// Executes the program once and notes when every byte is accessed last.
    fn find_last(&mut self, image: &Image) -> u64 {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        let mut seen = LastAccess(vec![0; image.layout().bytes() as usize]);
        let mut stretch = IDLE;
        let then = loop {
            if machine.now() >= self.horizon.limit {
                go_round(&mut machine, &mut seen);
                break self.horizon.beyond();
            }
            let until = machine
                .now()
                .saturating_add(stretch)
                .min(self.horizon.limit);
            if !goes_on(&mut machine, &mut seen, until) {
                break NextAccess::Never;
            }
            stretch = stretch.saturating_mul(2);
        };
        self.last = Some((seen.0, then));
        machine.now()
    }
}

/// Runs to a moment; whether anything comes after it. A program that does nothing any more, in a
/// loop that it never leaves, is at its end.
fn goes_on(machine: &mut Machine<'_>, observer: &mut dyn Observer, until: u64) -> bool {
    let begun = machine.now();
    match machine.watch(observer, until) {
        Stop::Exited { .. } | Stop::Faulted(_) => false,
        Stop::Paused if machine.now() - begun < IDLE => true,
        Stop::Paused => {
            let is_still = machine.standstill(LONGEST_LOOP).is_some();
            if is_still {
                go_round(machine, observer);
            }
            !is_still
        }
    }
}

/// Runs through a loop that the program never leaves: what it does not access there, it never accesses.
fn go_round(machine: &mut Machine<'_>, observer: &mut dyn Observer) {
    machine.watch(observer, machine.now() + 2 * u64::from(LONGEST_LOOP));
}

/// Notes the first access to each of some bytes.
struct Search {
    open: FxHashMap<u32, ()>,
    found: Vec<(u32, u64, NextAccess)>,
}

impl Search {
    #[inline]
    fn note(&mut self, at: Moment, offset: u32, size: u32, access: NextAccess) {
        for offset in offset..offset + size {
            if self.open.remove(&offset).is_some() {
                self.found.push((offset, at.time, access));
            }
        }
    }
}

impl Observer for Search {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.note(at, offset, bytes.len() as u32, NextAccess::Read);
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.note(at, offset, new.len() as u32, NextAccess::Overwritten);
    }
}

/// Notes when every byte is accessed.
struct LastAccess(Vec<u64>);

impl LastAccess {
    #[inline]
    fn note(&mut self, at: Moment, offset: u32, size: u32) {
        let bytes = self.0.iter_mut().skip(offset as usize).take(size as usize);
        bytes.for_each(|last| *last = at.time);
    }
}

impl Observer for LastAccess {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.note(at, offset, bytes.len() as u32);
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.note(at, offset, new.len() as u32);
    }
}
