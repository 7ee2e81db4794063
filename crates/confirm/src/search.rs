//! The search over all states in which a program commits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_diag::{ReplayId, ResumePoint};
use brownout_scenario::Exposure;
use brownout_vm::{Bounds, Image, Machine};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instance::{Behind, Explorer, Instance, fingerprint};
use crate::tour::nonvolatile;
use crate::values::Domain;

/// How many commits are explored before results are looked at: the same for any number of threads.
const BATCH: usize = 4;
/// How many commits are explored at all.
const INSTANCES: usize = 400;
/// Instructions in all, with what it takes to begin executions, for suspicions that nothing speaks against.
pub const INSTRUCTIONS: u64 = 250_000_000;

/// What may be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Where that would show.
    pub offsets: Vec<Range<u32>>,
    /// Whether harm counts that is done even if all attempts read the same.
    pub innate: bool,
    /// What has to be to blame.
    pub blame: Blame,
}

/// What has to be to blame for harm, so that it counts for a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// Whatever it is.
    Any,
    /// A branch, by its operations, that decides otherwise in the last attempt than in one that failed.
    Branch(BTreeSet<u32>),
    /// A write right before a power failure, by the operations that write or call whoever does.
    Write(BTreeSet<u32>),
}

/// What to search, and where.
pub struct Setting<'s> {
    /// When the device commits.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'s [Range<u32>],
    /// What inputs may give, by their number.
    pub domains: Vec<Domain>,
    /// What inputs may spell.
    pub texts: Vec<Vec<u8>>,
    /// Inputs that are not the program's but choose what is called.
    pub invented: Vec<u32>,
    /// Those of them that say what outputs return.
    pub answers: Vec<u32>,
    /// Offsets that nobody but the program's own functions can read.
    pub private: Vec<Range<u32>>,
    /// Numbers of outputs that may get lost.
    pub optional: Vec<u32>,
    /// How often power may fail between two commits.
    pub failures: u32,
    /// How many bytes a store writes at once, if it can be torn.
    pub atomic_write: Option<u32>,
    /// What to look for.
    pub targets: &'s [Target],
    /// Instructions in all.
    pub instructions: u64,
    /// Threads.
    pub jobs: usize,
    /// Whether to stop.
    pub interrupt: &'s (dyn Fn() -> bool + Sync),
}

impl Setting<'_> {
    pub(crate) fn is_interrupted(&self) -> bool {
        (self.interrupt)()
    }
}

/// A failure that makes a suspicion true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The number of the target that it shows.
    pub target: usize,
    /// The execution.
    pub id: ReplayId,
    /// The write that is to blame, if one is.
    pub write: Option<BlamedWrite>,
}

/// A write that is to blame for harm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlamedWrite {
    /// The operation of the user's code.
    pub operation: u32,
    /// The execution in which power fails right before it.
    pub before: ReplayId,
}

/// What was searched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// At most one for each target.
    pub witnesses: Vec<Witness>,
    /// Executions, from a commit to a failure or to the next commit.
    pub executions: u64,
    /// How many of them a fault ended, by its kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Instructions executed.
    pub instructions: u64,
    /// States in which the program committed.
    pub commits: u64,
    /// Instructions after which power could fail.
    pub points: u64,
    /// How many of the failures leave different states.
    pub classes: u64,
    /// Whether there is nothing else to try with as many failures per region as were asked for.
    pub exhausted: bool,
    /// Whether further failures would leave nothing behind that these did not.
    pub closed: bool,
}

/// Looks for a witness of each target that `accept` agrees with.
pub fn search(
    image: &Image,
    setting: &Setting<'_>,
    accept: &mut dyn FnMut(&Witness) -> bool,
) -> Searched {
    let nonvolatile = nonvolatile(image);
    let mut beginning = Machine::new(image);
    beginning.set_bounds(Bounds::Lenient);
    let beginning = &beginning;
    let mut regions = 0;
    let mut searched = Searched {
        exhausted: true,
        closed: true,
        ..Searched::default()
    };
    let mut done = vec![false; setting.targets.len()];
    let mut work = 0;
    let mut waiting = vec![first(beginning, setting)];
    let mut known: FxHashSet<u64> = waiting.iter().map(|first| first.fingerprint).collect();
    let mut visits: FxHashMap<u32, usize> = FxHashMap::default();
    while !waiting.is_empty() && !done.iter().all(|&done| done) {
        if regions >= INSTANCES || work >= setting.instructions || setting.is_interrupted() {
            searched.exhausted = false;
            break;
        }
        let batch = choose(&mut waiting, &mut visits);
        // Where nothing but the next call is chosen, power does not fail.
        regions += batch.iter().filter(|instance| instance.resumes).count();
        for behind in explore(setting, &nonvolatile, beginning, &batch, &done) {
            searched.executions += behind.executions;
            for (&fault, count) in &behind.faults {
                *searched.faults.entry(fault).or_default() += count;
            }
            searched.instructions += behind.instructions;
            work += behind.work();
            searched.points += behind.points;
            searched.classes += behind.classes;
            searched.commits += 1;
            searched.exhausted &= !behind.left_out;
            searched.closed &= behind.closed;
            for candidate in behind.candidates {
                let witness = Witness {
                    target: candidate.target,
                    id: candidate.id,
                    write: candidate.write,
                };
                if done[witness.target] {
                    continue;
                }
                if accept(&witness) {
                    done[witness.target] = true;
                    searched.witnesses.push(witness);
                } else {
                    // Something does harm there that only the search sees.
                    searched.exhausted = false;
                }
            }
            for next in behind.successors {
                if known.insert(next.fingerprint) {
                    waiting.push(next);
                }
            }
        }
    }
    searched.exhausted &= setting.exposure == Exposure::Region;
    searched.witnesses.sort_by_key(|witness| witness.target);
    searched
}

/// The program before its first instruction.
fn first<'i>(machine: &Machine<'i>, setting: &Setting<'_>) -> Instance<'i> {
    Instance {
        machine: machine.park(machine),
        pc: machine.pc(),
        fingerprint: fingerprint(machine),
        saves: Vec::new(),
        resume: ResumePoint::Commit(0),
        time: 0,
        history: vec![Vec::new(); setting.domains.len()],
        deviations: 0,
        resumes: !matches!(setting.exposure, Exposure::Anywhere { .. }),
    }
}

/// The commits to look at next: places seen least, then those closest to what the scenario says.
fn choose<'i>(
    waiting: &mut Vec<Instance<'i>>,
    visits: &mut FxHashMap<u32, usize>,
) -> Vec<Instance<'i>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH {
        let key = |instance: &Instance<'_>| {
            let seen = visits.get(&instance.pc).copied().unwrap_or(0);
            (seen, instance.deviations)
        };
        let best = (0..waiting.len()).min_by_key(|&index| (key(&waiting[index]), index));
        let Some(best) = best else { break };
        let instance = waiting.remove(best);
        *visits.entry(instance.pc).or_default() += 1;
        batch.push(instance);
    }
    batch
}

/// Explores what is after some commits, on several threads.
fn explore<'i>(
    setting: &Setting<'_>,
    nonvolatile: &[Range<u32>],
    beginning: &Machine<'i>,
    batch: &[Instance<'i>],
    done: &[bool],
) -> Vec<Behind<'i>> {
    let one = |instance: &Instance<'i>| {
        Explorer::new(setting, nonvolatile, instance, beginning, done).explore()
    };
    if setting.jobs <= 1 || batch.len() == 1 {
        return batch.iter().map(one).collect();
    }
    let size = batch.len().div_ceil(setting.jobs);
    let all = |part: &[Instance<'i>]| part.iter().map(&one).collect::<Vec<_>>();
    let all = &all;
    std::thread::scope(|scope| {
        let workers: Vec<_> = batch
            .chunks(size)
            .map(|part| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || all(part));
                // What no thread can be had for is done by this one.
                thread.map_err(|_| part)
            })
            .collect();
        let results = workers.into_iter().flat_map(|worker| match worker {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(part) => all(part),
        });
        results.collect()
    })
}
