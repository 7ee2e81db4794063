//! Judging every power failure of a program.

use crate::clause::Clause;
use crate::device::{Device, Place, Step, Store};
use crate::regions;
use crate::restart;
use crate::setting::{Policy, Subject};
use crate::verdict::{Effect, Failure, Judged, Last, Verdict, Write};

/// What inputs give an attempt after a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// What they gave the failed attempt at the same places: memory alone can do harm.
    Same,
    /// What comes next: the world has moved on.
    Fresh,
}

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Options {
    /// What inputs give after a power failure.
    pub repetition: Repetition,
    /// How often power may fail in a region, or under `restart` in all.
    pub failures: u32,
    /// Whether power fails after every instruction, not only where that can make a difference.
    pub every_instruction: bool,
    /// Instructions that an execution may take until it arrives where it is compared.
    pub instructions: u64,
    /// Rounds of endless loops until states are compared.
    pub rounds: u32,
    /// Rounds of endless loops, and regions, in which power fails.
    pub failing_rounds: u32,
    /// A clause of the definition that is left out.
    pub without: Option<Clause>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            repetition: Repetition::Same,
            failures: 1,
            every_instruction: false,
            instructions: 20_000,
            rounds: 24,
            failing_rounds: 12,
            without: None,
        }
    }
}

impl Options {
    /// Whether a clause is left out.
    pub(crate) fn lacks(&self, clause: Clause) -> bool {
        self.without == Some(clause)
    }
}

/// Lets power fail wherever the policy allows it and judges each failure.
pub fn judge(subject: &Subject, options: &Options) -> Vec<Judged> {
    match subject.setting.policy {
        Policy::Static | Policy::Conditional { .. } | Policy::Tasks | Policy::Reactive { .. } => {
            regions::judge(subject, options)
        }
        Policy::Restart => restart::judge(subject, options),
    }
}

/// Where a power failure strikes: a device right after an operation, and what that did.
pub(crate) struct Struck<'s> {
    pub(crate) device: Device<'s>,
    pub(crate) last: Last,
}

/// The ways in which power can fail right after an operation, or in the middle of what it stores;
/// the last one is after it.
pub(crate) fn strikes<'s>(device: &Device<'s>, step: &Step, options: &Options) -> Vec<Struck<'s>> {
    let mut strikes = Vec::new();
    for store in &step.stores {
        let Some(unit) = device.subject.setting.atomic_write.filter(|&unit| unit > 0) else {
            continue;
        };
        if options.lacks(Clause::TornStores) {
            continue;
        }
        for written in tears(store, unit) {
            let mut torn = device.clone();
            torn.stop = None;
            torn.tear(store, unit, &written);
            strikes.push(Struck {
                device: torn,
                last: Last::Write(write(device.subject, store, Some(written))),
            });
        }
    }
    let last = match step.stores.first() {
        Some(store) => Last::Write(write(device.subject, store, None)),
        None if step.is_output => Last::Output,
        None if step.is_input => Last::Input,
        None => Last::Nothing,
    };
    strikes.push(Struck {
        device: device.clone(),
        last,
    });
    strikes
}

fn write(subject: &Subject, store: &Store, torn: Option<Vec<bool>>) -> Write {
    Write {
        object: subject.name_of(store.offset),
        offset: store.offset,
        size: store.new.len() as u32,
        torn,
    }
}

/// A single store writes its units in any order; a longer stretch is copied from its start.
fn tears(store: &Store, unit: u32) -> Vec<Vec<bool>> {
    const WIDEST_STORE: usize = 8;
    let last = store.offset + store.new.len() as u32 - 1;
    let units = (last / unit - store.offset / unit + 1) as usize;
    if units < 2 {
        return Vec::new();
    }
    if store.new.len() <= WIDEST_STORE {
        let subsets = 1..(1u32 << units) - 1;
        let is_written = |subset: u32| (0..units).map(|unit| subset >> unit & 1 == 1).collect();
        return subsets.map(is_written).collect();
    }
    let prefixes = 1..units;
    let prefix = |length: usize| (0..units).map(|unit| unit < length).collect();
    prefixes.map(prefix).collect()
}

/// The list of judged failures, as it grows.
#[derive(Default)]
pub(crate) struct Judgements {
    pub(crate) list: Vec<Judged>,
}

impl Judgements {
    /// Adds one; its number.
    pub(crate) fn add(
        &mut self,
        failure: Failure,
        (verdict, against): (Verdict, Vec<Vec<Effect>>),
        before: Option<usize>,
        options: &Options,
    ) -> usize {
        let before = before.filter(|_| !options.lacks(Clause::Cause));
        self.list.push(Judged {
            failure,
            verdict,
            against,
            before,
        });
        self.list.len() - 1
    }
}

/// How an execution came to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Where it was sent.
    Arrived,
    /// The program ended.
    Ended,
    /// The program died.
    Died,
    /// The instructions were used up.
    UsedUp,
}

/// Executes until `is_there` says so, after every operation; never where it is already.
pub(crate) fn run<'s>(
    device: &mut Device<'s>,
    options: &Options,
    mut is_there: impl FnMut(&Device<'s>, &Step) -> bool,
) -> Rest {
    let until = device.machine.now() + options.instructions;
    loop {
        match &device.stop {
            Some(brownout_vm::Stop::Faulted(_)) => return Rest::Died,
            Some(_) => return Rest::Ended,
            None if device.machine.now() >= until => return Rest::UsedUp,
            None => {}
        }
        let step = device.step();
        if device.stop.is_none() && is_there(device, &step) {
            return Rest::Arrived;
        }
    }
}

/// Executes until a place has been visited that many times.
pub(crate) fn run_to_visit(
    device: &mut Device<'_>,
    head: &Place,
    visits: u32,
    options: &Options,
) -> Rest {
    let mut seen = u32::from(device.is_at(head));
    if seen >= visits {
        return Rest::Arrived;
    }
    run(device, options, |device, _| {
        seen += u32::from(device.is_at(head));
        seen >= visits
    })
}

/// Executes to the end.
pub(crate) fn run_to_end(device: &mut Device<'_>, options: &Options) -> Rest {
    run(device, options, |_, _| false)
}

/// The head of the outermost loop that an execution is in.
pub(crate) fn outermost(device: &Device<'_>) -> Option<Place> {
    let loops = &device.subject.loops;
    loops.outermost(&device.path, device.machine.pc())
}

/// Whether an execution is in a state in which it has been before, without asking the world for
/// anything since: it will never get out.
pub(crate) fn is_stuck(device: &Device<'_>, options: &Options) -> bool {
    let mut device = device.clone();
    let (mut anchor, mut distance, mut most) = (device.clone(), 0u64, 1u64);
    let rest = run(&mut device, options, |device, step| {
        distance += 1;
        let machine = &device.machine;
        if step.is_input {
            // Whatever came before may not come again.
            (distance, anchor) = (0, device.clone());
            return false;
        }
        let is_same = machine.pc() == anchor.machine.pc()
            && device.path == anchor.path
            && machine.registers() == anchor.machine.registers()
            && machine.memory() == anchor.machine.memory();
        if !is_same && distance >= most {
            (distance, most) = (0, 2 * most);
            anchor = device.clone();
        }
        is_same
    });
    rest == Rest::Arrived
}
