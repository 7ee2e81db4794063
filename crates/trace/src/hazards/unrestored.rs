//! Volatile state that a checkpoint does not restore, and that is used after a power failure.
//!
//! **Property.** `[[checkpoint]] volatile` names what a checkpoint restores; the rest is arbitrary
//! after a power failure (SEMANTICS §4). A task begins again with plain globals as start-up code leaves
//! them (SEMANTICS §1). That does harm if the attempt after it does not do what the
//! continuous execution does, wherever power fails: what is lost does not depend on it. Of tasks, harm is what lasts:
//! non-volatile memory, outputs that the world never sees, a crash. That a task sets up once more what a reboot
//! has switched off is as it should be.
//!
//! **Algorithm.** One continuous execution finds the checkpoints that do not restore everything, and the tasks that read
//! what an earlier one has left in volatile variables ([`super::between_tasks`]). Power
//! fails right after the first [`OCCURRENCES`] of each; what is lost becomes something else
//! (`vm::loss`), and the attempt is compared as any other.
//!
//! **False positives.** None of the definition: the difference was seen. Of several variables that a task reads, one may
//! do no harm.
//!
//! **False negatives.** Occurrences that are not emulated; contents that do harm where those of the
//! emulation do not; paths that were not executed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_diag::{Evidence, Finding, Replay, ReplayId, ResumePoint, Rule, Severity};
use brownout_explore::{
    Difference, Horizon, Monitor, Object, Objects, Outcome, Recovery, Setting, Trial,
    after_commits, watch,
};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

use super::between_tasks::Carried;
use crate::hazards::explain::undecided_note;
use crate::hazards::findings::Request;
use crate::wording;

/// How many occurrences of one checkpoint are emulated.
const OCCURRENCES: usize = 64;

/// What was found, and what that took.
#[derive(Debug, Default)]
pub struct Unrestored {
    /// The findings, one for each checkpoint and each task.
    pub findings: Vec<Finding>,
    /// The variables that findings of tasks are about.
    pub told: BTreeSet<String>,
    /// Power failures emulated.
    pub tests: u64,
    /// Instructions that they took.
    pub instructions: u64,
}

/// One commit of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Commit {
    pub(super) number: u64,
    pub(super) time: u64,
}

impl Commit {
    /// Whether power is to fail after this commit, too, if it fails after these.
    pub(super) fn is_next(&self, others: &[Self]) -> bool {
        others.len() < OCCURRENCES && others.last() != Some(self)
    }
}

/// What a commit leaves to be lost.
#[derive(Default)]
struct Suspicion<'c> {
    commits: Vec<Commit>,
    /// The variables that the task after it reads; none for a checkpoint that does not restore everything.
    carried: Vec<&'c Carried>,
}

/// Finds checkpoints that do not restore all that is used again, in one execution of at most `limit`
/// instructions, and tasks to which it matters that a reboot loses what is `carried`.
pub fn check_unrestored(
    image: &Image,
    request: &Request,
    carried: &[Carried],
    limit: u64,
    monitor: &dyn Monitor,
) -> Unrestored {
    let mut found = Unrestored::default();
    let mut suspicions: BTreeMap<u32, Suspicion<'_>> = BTreeMap::new();
    if request.recovery == Recovery::Task {
        for carried in carried {
            let Some(pc) = carried.pc else { continue };
            let suspicion = suspicions.entry(pc).or_default();
            suspicion.commits.extend(&carried.commits);
            suspicion.carried.push(carried);
        }
    }
    let mut commits = Commits {
        image,
        count: 0,
        met: BTreeMap::new(),
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    if suspicions.is_empty() && image.bindings().retained.is_empty() {
        return found;
    }
    let stop = watch(&mut machine, &mut commits, limit, monitor);
    let is_end = stop.is_some_and(|stop| stop != Stop::Paused);
    for (pc, commits) in commits.met {
        suspicions.entry(pc).or_default().commits = commits;
    }
    let horizon = Horizon {
        limit: machine.now(),
        is_end,
    };
    let setting = Setting {
        exposure: request.exposure,
        saved: &request.saved,
        failures: 1,
        jobs: 1,
        atomic_write: None,
        horizon,
        ignored: &request.ignored,
        meant: &request.meant,
        tags: &request.tags,
    };
    let commits = suspicions.values().flat_map(|suspicion| &suspicion.commits);
    let times: BTreeSet<u64> = commits.map(|commit| commit.time).collect();
    let times: Vec<u64> = times.into_iter().collect();
    let (trials, instructions) = after_commits(image, setting, &times, monitor);
    found.tests = trials.len() as u64;
    found.instructions = instructions;
    let objects = Objects::new(image);
    for (pc, suspicion) in suspicions {
        let tried = suspicion.commits.iter();
        let tried = tried.filter_map(|commit| Some((commit, trials.get(&commit.time)?)));
        let mut tried: Vec<(&Commit, &Trial)> = tried
            .filter(|(_, trial)| suspicion.is_shown_by(image, &trial.outcome))
            .collect();
        // What was seen counts for more than what was not settled.
        tried.sort_by_key(|(_, trial)| trial.differences().is_empty());
        let Some(&(commit, trial)) = tried.first() else {
            continue;
        };
        let mut finding = suspicion.finding(image, &objects, pc, commit);
        for difference in trial.differences() {
            let effects = wording::effects(image, &objects, difference, None, trial.when());
            finding.effects.extend(effects);
        }
        if let Outcome::Undecided(why) = trial.outcome {
            finding.evidence = Evidence::Located;
            finding.severity = Severity::Warning;
            finding.notes.push(undecided_note(why));
        }
        finding.replay = Some(Replay::Failure(ReplayId::new(
            ResumePoint::Commit(commit.number),
            0,
        )));
        found.findings.push(finding);
        let read = suspicion.carried.iter();
        let read = read.filter(|carried| carried.commits.contains(commit));
        found.told.extend(read.map(|carried| carried.name.clone()));
    }
    found
}

impl Suspicion<'_> {
    /// Whether what a power failure comes to is harm.
    fn is_shown_by(&self, image: &Image, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Converged => false,
            Outcome::Undecided(_) => true,
            Outcome::Differs(differences) => {
                self.carried.is_empty() || differences.iter().any(|one| lasts(image, one))
            }
        }
    }

    /// The finding about a commit after which power fails, without what comes of it.
    fn finding(&self, image: &Image, objects: &Objects<'_>, pc: u32, commit: &Commit) -> Finding {
        let read = self.carried.iter();
        let read: Vec<&&Carried> = read
            .filter(|carried| carried.commits.contains(commit))
            .collect();
        let (message, help) = match &read[..] {
            [] => (
                "not all that is used after this checkpoint is restored by it".to_owned(),
                "name all that is used in `volatile` of this `[[checkpoint]]`; `brownout fix --minimise` finds it"
                    .to_owned(),
            ),
            read => {
                let names: Vec<String> = read.iter().map(|one| format!("`{}`", one.name)).collect();
                let (names, verb) = (names.join(", "), if names.len() == 1 { "is" } else { "are" });
                (
                    format!("{names} {verb} volatile: a reboot loses what an earlier task has left there"),
                    format!("place {names} in non-volatile memory"),
                )
            }
        };
        let mut finding = Finding::new(Rule::LostState, Evidence::Confirmed, message);
        finding.producer = wording::place(image, pc);
        finding.consumer = (read.first()).and_then(|read| wording::place(image, read.reader));
        if let [only] = read[..] {
            let object = Object::Global(only.global);
            let size = objects.size(object).unwrap_or(0);
            finding.object = Some(wording::object(objects, object, size));
        }
        finding.help = vec![help];
        finding
    }
}

/// Whether something is wrong for good that a task leaves.
fn lasts(image: &Image, difference: &Difference) -> bool {
    match difference {
        Difference::Value { offset, .. } => {
            let segment = image.layout().segment(*offset);
            segment.is_some_and(|segment| segment.nonvolatile)
        }
        Difference::Output { lost, .. } => !lost.is_empty(),
        Difference::Lost { .. }
        | Difference::Crash { .. }
        | Difference::Broken { .. }
        | Difference::NoProgress { .. } => true,
        Difference::Path { .. } => false,
    }
}

/// The commits of checkpoints that do not restore everything, by operation.
struct Commits<'i> {
    image: &'i Image,
    count: u64,
    met: BTreeMap<u32, Vec<Commit>>,
}

impl Observer for Commits<'_> {
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.count += 1;
        let place = self.image.place(at.pc);
        let retained = &self.image.bindings().retained;
        if place.is_some_and(|place| retained.contains_key(&place)) {
            let met = self.met.entry(at.pc).or_default();
            let commit = Commit {
                number: self.count,
                time: at.time,
            };
            met.extend(Some(commit).filter(|commit| commit.is_next(met)));
        }
        ControlFlow::Continue(())
    }
}
