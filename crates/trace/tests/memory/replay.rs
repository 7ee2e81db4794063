//! Replay against Evaluate: the same failure, the same end.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use brownout_diag::{Compared, Ending, ReplayId, ResumePoint};
use brownout_trace::{
    Damage, Difference, Exposure, Object, ReplayError, ReplayRequest, Replayed, Seen, Setting,
    evaluate, replay,
};
use brownout_vm::{Image, Machine, Moment, Observer};

use crate::evaluate::{Point, setting, test_of};
use crate::generate::{GLOBALS, Taste};
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

pub(crate) fn commits(image: &Image) -> Vec<u64> {
    let mut commits = Commits(vec![0]);
    Machine::new(image).run(&mut commits, LONG);
    commits.0
}

/// The id of a point.
pub(crate) fn id_of(exposure: Exposure, commits: &[u64], (at, failure): Point) -> ReplayId {
    let resume = match exposure {
        Exposure::Anywhere { .. } => ResumePoint::Instruction(at),
        Exposure::Region | Exposure::SinceCall { .. } => {
            let number = commits.iter().position(|&commit| commit == at);
            ResumePoint::Commit(number.expect("a commit there") as u64)
        }
    };
    ReplayId::new(resume, failure - at)
}

pub(crate) fn replayed(
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
        registers: &[],
        limit: LONG,
    };
    replay(&case.image, &request)
}

/// What Evaluate says, with up to so many failures in a row.
fn evaluated(case: &Case, exposure: Exposure, point: Point, failures: u32) -> Damage {
    let tests = [test_of(exposure, point)];
    let setting = Setting {
        failures,
        ..setting(exposure, &case.saved)
    };
    let result = evaluate(&case.image, setting, &tests, &|| false).pop();
    result.expect("one result").damage
}

/// The globals that differ in the end, going by the values that the story shows.
fn differing(case: &Case, told: &Replayed) -> BTreeSet<Object> {
    let values = &told.story.attempts.last().expect("attempts").values;
    let differing = values
        .iter()
        .filter(|watched| watched.value.as_ref().is_some_and(Compared::differs));
    differing
        .filter_map(|watched| Object::named(case.image.program(), &watched.object))
        .collect()
}

/// The globals among the differences.
fn globals(damage: &Damage) -> BTreeSet<Object> {
    let differences = damage.differences.iter();
    let objects = differences.filter_map(|difference| match difference {
        Difference::Value { part, .. } => Some(part.object),
        _ => None,
    });
    objects
        .filter(|object| matches!(object, Object::Global(_)))
        .collect()
}

/// Whether memory is compared at all.
fn is_compared(damage: &Damage) -> bool {
    !damage.differences.iter().any(|difference| {
        matches!(
            difference,
            Difference::Crash { .. } | Difference::NoProgress { .. }
        )
    })
}

/// The story of a failure ends as Evaluate says: the values it shows are those that differ.
fn agrees(
    case: &Case,
    exposure: Exposure,
    id: ReplayId,
    expected: &Damage,
) -> Result<Replayed, String> {
    let ours =
        replayed(case, exposure, id.clone(), &[]).map_err(|error| format!("{id}: {error}"))?;
    same(&id.to_string(), &ours.damage, expected)?;
    // What is looked at does not change what happens.
    let names: Vec<String> = GLOBALS.iter().map(|global| global.0.to_owned()).collect();
    let named =
        replayed(case, exposure, id.clone(), &names).map_err(|error| format!("{id}: {error}"))?;
    same("named", &named.damage, expected)?;
    if is_compared(expected) {
        let what = format!("{id}: values in the end, seen {:?}", expected.seen);
        same(&what, differing(case, &named), globals(expected))?;
    }
    Ok(ours)
}

fn agree(case: &Case, exposure: Exposure, seen: &Tally) -> Result<(), String> {
    let commits = commits(&case.image);
    let points = windows(&case.image, exposure, &case.saved)
        .into_iter()
        .flat_map(|window| {
            let writes = window.writes.into_iter();
            writes.map(move |write| (window.position, write))
        });
    for point in points.take(40) {
        let mut id = id_of(exposure, &commits, point);
        let expected = evaluated(case, exposure, point, 1);
        let ours = agrees(case, exposure, id.clone(), &expected)?;
        same("attempts", ours.story.attempts.len(), 2)?;
        same(
            "the first attempt",
            &ours.story.attempts[0].ending,
            &Ending::PowerFailure { amid: None },
        )?;
        if expected.differences.is_empty() {
            id.further = vec![id.distance];
            let expected = evaluated(case, exposure, point, 2);
            agrees(case, exposure, id, &expected)?;
        } else {
            let count = match expected.seen {
                Seen::AtItsEnd => &seen.at_the_end,
                Seen::WhereTheyMeet => &seen.where_they_meet,
                Seen::Afterwards => &seen.afterwards,
            };
            count.set(count.get() + 1);
        }
    }
    Ok(())
}

/// Harmful failures, by when their harm was seen.
#[derive(Debug, Default)]
struct Tally {
    at_the_end: Cell<u32>,
    where_they_meet: Cell<u32>,
    afterwards: Cell<u32>,
}

/// A replay ends as Evaluate says, whatever is watched on the way.
#[test]
fn a_replay_ends_as_evaluate_says() {
    let seen = Tally::default();
    let taste = Taste {
        statements: 10,
        saving_checkpoints: true,
        inputs: true,
        heap: false,
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
            agree(case, exposure, &seen)
        },
    );
    assert!(
        seen.at_the_end.get() > 300 && seen.where_they_meet.get() > 30 && seen.afterwards.get() > 5,
        "{seen:?}"
    );
}
