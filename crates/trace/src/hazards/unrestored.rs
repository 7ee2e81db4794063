//! Volatile state that a checkpoint does not restore, and that is used after a power failure.
//!
//! **Property.** `[[checkpoint]] volatile` names what a checkpoint restores; the rest is arbitrary
//! after a power failure (SEMANTICS §4). That does harm if the attempt after it does not do what the
//! continuous execution does, wherever power fails: what is lost does not depend on it.
//!
//! **Algorithm.** One continuous execution finds the checkpoints that do not restore everything. Power
//! fails right after the first [`OCCURRENCES`] of each; what is lost becomes something else
//! (`vm::loss`), and the attempt is compared as any other.
//!
//! **False positives.** None of the definition: the difference was seen.
//!
//! **False negatives.** Occurrences that are not emulated; contents that do harm where those of the
//! emulation do not; paths that were not executed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use brownout_diag::{Evidence, Finding, Replay, ReplayId, ResumePoint, Rule, Severity};
use brownout_explore::{Horizon, Monitor, Objects, Outcome, Setting, after_commits, watch};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

use crate::hazards::explain::undecided_note;
use crate::hazards::findings::Request;
use crate::wording;

/// How many occurrences of one checkpoint are emulated.
const OCCURRENCES: usize = 64;

/// What was found, and what that took.
#[derive(Debug, Default)]
pub struct Unrestored {
    /// The findings, one for each checkpoint.
    pub findings: Vec<Finding>,
    /// Power failures emulated.
    pub tests: u64,
    /// Instructions that they took.
    pub instructions: u64,
}

/// Finds checkpoints that do not restore all that is used again, in one execution of at most `limit`
/// instructions.
pub fn check_unrestored(
    image: &Image,
    request: &Request,
    limit: u64,
    monitor: &dyn Monitor,
) -> Unrestored {
    let mut found = Unrestored::default();
    if image.bindings().retained.is_empty() {
        return found;
    }
    let mut commits = Commits {
        image,
        count: 0,
        met: BTreeMap::new(),
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let stop = watch(&mut machine, &mut commits, limit, monitor);
    let is_end = stop.is_some_and(|stop| stop != Stop::Paused);
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
    let mut times: Vec<u64> = commits.met.values().flatten().map(|met| met.time).collect();
    times.sort_unstable();
    let (trials, instructions) = after_commits(image, setting, &times, monitor);
    found.tests = trials.len() as u64;
    found.instructions = instructions;
    let objects = Objects::new(image);
    for (pc, met) in commits.met {
        let tried = met
            .iter()
            .filter_map(|met| Some((met, trials.get(&met.time)?)));
        let mut tried: Vec<_> = tried
            .filter(|(_, trial)| trial.outcome != Outcome::Converged)
            .collect();
        // What was seen counts for more than what was not settled.
        tried.sort_by_key(|(_, trial)| trial.differences().is_empty());
        let Some((met, trial)) = tried.first() else {
            continue;
        };
        let message = "not all that is used after this checkpoint is restored by it".to_owned();
        let mut finding = Finding::new(Rule::LostState, Evidence::Confirmed, message);
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
            ResumePoint::Commit(met.number),
            0,
        )));
        finding.producer = wording::place(image, pc);
        finding.help = vec![
            "name all that is used in `volatile` of this `[[checkpoint]]`; `brownout fix --minimise` finds it"
                .to_owned(),
        ];
        found.findings.push(finding);
    }
    found
}

/// One commit of a checkpoint.
struct Met {
    number: u64,
    time: u64,
}

/// The commits of checkpoints that do not restore everything, by operation.
struct Commits<'i> {
    image: &'i Image,
    count: u64,
    met: BTreeMap<u32, Vec<Met>>,
}

impl Observer for Commits<'_> {
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.count += 1;
        let place = self.image.place(at.pc);
        let retained = &self.image.bindings().retained;
        if place.is_some_and(|place| retained.contains_key(&place)) {
            let met = self.met.entry(at.pc).or_default();
            if met.len() < OCCURRENCES {
                met.push(Met {
                    number: self.count,
                    time: at.time,
                });
            }
        }
        ControlFlow::Continue(())
    }
}
