//! Replay against Evaluate: the same failure, the same end.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use brownout_diag::{Ending, ReplayId, ResumePoint};
use brownout_trace::{
    Difference, Exposure, ReplayError, ReplayRequest, Replayed, Seen, Setting, evaluate, replay,
};
use brownout_vm::{Image, Machine, Moment, Observer};

use crate::evaluate::{Point, setting, test_of};
use crate::generate::Taste;
use crate::pairs::windows;
use crate::support::{Case, LONG, Plan, for_programs, same};

/// Notes when checkpoints are called.
struct Commits(Vec<u64>);

impl Observer for Commits {
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.0.push(at.time);
        ControlFlow::Continue(())
    }
}

fn commits(image: &Image) -> Vec<u64> {
    let mut commits = Commits(vec![0]);
    Machine::new(image).run(&mut commits, LONG);
    commits.0
}

/// The id of a point.
fn id_of(exposure: Exposure, commits: &[u64], (at, failure): Point) -> ReplayId {
    let resume = match exposure {
        Exposure::Anywhere { .. } => ResumePoint::Instruction(at),
        Exposure::Region | Exposure::SinceCall { .. } => {
            let number = commits.iter().position(|&commit| commit == at);
            ResumePoint::Commit(number.expect("a commit there") as u64)
        }
    };
    ReplayId::new(resume, failure - at)
}

fn replayed(
    case: &Case,
    exposure: Exposure,
    id: ReplayId,
    names: &[String],
) -> Result<Replayed, ReplayError> {
    let request = ReplayRequest {
        id,
        exposure,
        saved: &case.saved,
        names,
        inputs: &[],
        outputs: &[],
        limit: LONG,
    };
    replay(&case.image, &request)
}

/// What Evaluate says of the end of the window, with up to so many failures in a row.
fn evaluated(
    case: &Case,
    exposure: Exposure,
    point: Point,
    failures: u32,
) -> Option<Vec<Difference>> {
    let tests = [test_of(exposure, point)];
    let setting = Setting {
        failures,
        ..setting(exposure, &case.saved)
    };
    let damage = evaluate(&case.image, setting, &tests, &|| false)
        .pop()
        .expect("one result")
        .damage;
    (damage.seen == Seen::AtItsEnd).then_some(damage.differences)
}

fn agree(case: &Case, exposure: Exposure, harmful: &Cell<u32>) -> Result<(), String> {
    let commits = commits(&case.image);
    let points = windows(&case.image, exposure, &case.saved)
        .into_iter()
        .flat_map(|window| {
            let writes = window.writes.into_iter();
            writes.map(move |write| (window.position, write))
        });
    for point in points.take(40) {
        let mut id = id_of(exposure, &commits, point);
        let Some(expected) = evaluated(case, exposure, point, 1) else {
            continue;
        };
        let ours = replayed(case, exposure, id, &[]).map_err(|error| format!("{id}: {error}"))?;
        same(&id.to_string(), &ours.differences, &expected)?;
        same("effects", ours.story.effects.len(), expected.len())?;
        same("attempts", ours.story.attempts.len(), 2)?;
        same(
            "the first attempt",
            &ours.story.attempts[0].ending,
            &Ending::PowerFailure,
        )?;
        // What is looked at does not change what happens.
        let named = replayed(case, exposure, id, &["x".to_owned(), "words[1]".to_owned()]);
        let named = named.map_err(|error| format!("{id}: {error}"))?;
        same("named", &named.differences, &expected)?;
        if expected.is_empty() {
            id.failures = NonZeroU32::MIN.saturating_add(1);
            let Some(expected) = evaluated(case, exposure, point, 2) else {
                continue;
            };
            let ours = replayed(case, exposure, id, &[]).map_err(|error| error.to_string())?;
            same(&id.to_string(), &ours.differences, &expected)?;
        } else {
            harmful.set(harmful.get() + 1);
        }
    }
    Ok(())
}

/// A replay ends as Evaluate says, whatever is watched on the way.
#[test]
fn a_replay_ends_as_evaluate_says() {
    let harmful = Cell::new(0);
    let taste = Taste {
        statements: 10,
        saving_checkpoints: true,
        inputs: true,
    };
    for_programs(
        Plan {
            programs: 900,
            seed: 61,
            taste,
            longest: 250,
            saves: true,
        },
        |case, extra| {
            let depth = extra.pick(&[10, 20, 60]);
            let exposure = extra.pick(&[
                Exposure::Region,
                Exposure::Anywhere { depth },
                Exposure::SinceCall { depth },
            ]);
            agree(case, exposure, &harmful)
        },
    );
    assert!(harmful.get() > 300, "{harmful:?}");
}
