//! Evaluate against brute force.
//!
//! **Each point.** For a checkpoint position and a failure point the two must say
//! the same: the same objects, the same crash, the same path and output. One works
//! on the undo log, the other on full copies ([`every_point`]).
//!
//! **Which points.** Brute force tries every position and every failure point.
//! Most of them cannot matter ([`enough_points`] checks each step):
//!
//! 1. A failure that is not right after a write to non-volatile memory leaves the
//!    same non-volatile memory as one right after the last such write before it, so
//!    it has the same outcome.
//! 2. Call a write of a byte a *producer* of a window if the byte was read in the
//!    window before, and not written before that read. Before the first producer of a
//!    window, all that the failed attempt wrote is written again before it is read,
//!    with the same values: a failure there changes nothing, and a window without
//!    producers has no harmful failure. (By induction over the re-execution: as long
//!    as every read gave what it gave in the continuous execution, path, addresses
//!    and values are those of the continuous execution.)
//! 3. Let `p` be a producer and `f` a later write, with no producer in between or at
//!    `f`. The bytes written after `p` up to `f` are, on the continuous path, written
//!    before they are read. So if the attempt after a failure at `p` executes the same
//!    operations on the same addresses as the continuous execution, the attempt after
//!    a failure at `f` does so as well, and both end in the same state.
//!
//! What does *not* hold is that failures right after producers are enough: when the
//! attempt after `p` takes another path, a failure at `f` can do harm that no failure
//! after a producer does (`known::harm_between_producers`). And the pairs of a window
//! act together: under `Anywhere` and `SinceCall`, the position in front of one
//! consumer and the producer of another pair are a point of their own
//! (`known::two_pairs_at_once`).
//!
//! **Which positions.** Under `Anywhere`, Evaluate puts checkpoints right before
//! consumers, brute force before every instruction. A position elsewhere has the
//! pairs of the next consumers, less those whose byte is written in between, but its
//! window ends, and the states are compared, earlier: there an object may be
//! different that is overwritten a few instructions later. Such objects are not
//! Evaluate's. [`producers_find_nearly_everything`] counts how often that happens.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use brownout_trace::{
    Attempt, BruteForce, Context, Damage, Difference, Exposure, Instance, Object, Outcome, Seen,
    Setting, Test, brute_force, brute_force_cost, evaluate, explore,
};
use brownout_vm::{Machine, Moment, Observer, SegmentKind};

use crate::copies;
use crate::generate::Taste;
use crate::pairs::{Window, windows};
use crate::support::{Case, LIMITS, Plan, for_programs, same};

/// A checkpoint position and a failure point.
pub(crate) type Point = (u64, u64);

/// Brute force knows no heap blocks.
fn plain(object: Object) -> Object {
    match object {
        Object::Block { .. } => Object::Segment(SegmentKind::Heap),
        other => other,
    }
}

/// What Evaluate says, in the words of brute force.
fn outcome_of(damage: &Damage) -> Outcome {
    let mut outcome = Outcome::default();
    for difference in &damage.differences {
        if damage.seen == Seen::Afterwards {
            if let Difference::Value { part, .. } = difference {
                outcome.afterwards.insert(plain(part.object));
            }
            continue;
        }
        match difference {
            Difference::Value { part, .. } => _ = outcome.objects.insert(plain(part.object)),
            Difference::Path { .. } => outcome.position = true,
            Difference::Output { .. } => outcome.output = true,
            Difference::Crash { fault, pc } => outcome.crash = Some((fault.clone(), *pc)),
            Difference::Broken { .. } => unreachable!("nothing has to hold"),
            Difference::NoProgress { .. } => outcome.no_progress = true,
        }
    }
    outcome
}

/// One failure at a time, on one thread.
pub(crate) fn setting(exposure: Exposure, saved: &[Range<u32>]) -> Setting<'_> {
    Setting {
        exposure,
        saved,
        failures: 1,
        jobs: 1,
        atomic_write: None,
    }
}

/// A point as Evaluate is asked for it.
pub(crate) fn test_of(exposure: Exposure, (checkpoint, failure): Point) -> Test {
    let (commit, consumed) = match exposure {
        Exposure::Anywhere { .. } => (0, checkpoint + 1),
        Exposure::Region | Exposure::SinceCall { .. } => (checkpoint, 0),
    };
    Test {
        instance: Instance {
            commit,
            checkpoint: None,
            consumed,
            produced: failure,
            consumer_calls: Context::OUTSIDE,
            producer_calls: Context::OUTSIDE,
        },
        hazard: 0,
    }
}

fn point_of(exposure: Exposure, test: &Test) -> Point {
    let Instance {
        commit,
        consumed,
        produced,
        ..
    } = test.instance;
    (
        if matches!(exposure, Exposure::Anywhere { .. }) {
            consumed - 1
        } else {
            commit
        },
        produced,
    )
}

/// What Evaluate finds at these points, without those where it finds nothing.
fn evaluated(case: &Case, exposure: Exposure, points: &BTreeSet<Point>) -> Vec<Attempt> {
    let tests: Vec<Test> = points
        .iter()
        .map(|&point| test_of(exposure, point))
        .collect();
    let results = evaluate(&case.image, setting(exposure, &case.saved), &tests, &|| {
        false
    });
    assert_eq!(results.len(), tests.len());
    let mut attempts: Vec<Attempt> = results
        .iter()
        .map(|result| {
            let (checkpoint, failure) = point_of(exposure, &result.test);
            Attempt {
                checkpoint,
                failure,
                outcome: outcome_of(&result.damage),
            }
        })
        .filter(|attempt| !attempt.outcome.is_same())
        .collect();
    attempts.sort_by_key(|attempt| (attempt.checkpoint, attempt.failure));
    attempts
}

fn oracle(case: &Case, exposure: Exposure) -> Result<BruteForce, String> {
    let brute = brute_force(&case.image, exposure, &case.saved, LIMITS, &|| false);
    let cost = brute_force_cost(&case.image, exposure, LIMITS.continuous);
    if u128::from(brute.executions) > cost.executions {
        return Err(format!(
            "{} executions, expected {cost:?}",
            brute.executions
        ));
    }
    if brute.complete {
        Ok(brute)
    } else {
        Err("brute force did not finish".to_owned())
    }
}

/// Objects and crashes.
fn harm<'a>(
    attempts: impl IntoIterator<Item = &'a Attempt>,
) -> (BTreeSet<Object>, BTreeSet<String>) {
    let mut harm = (BTreeSet::new(), BTreeSet::new());
    for attempt in attempts {
        harm.0.extend(attempt.outcome.objects.iter().copied());
        harm.0.extend(attempt.outcome.afterwards.iter().copied());
        harm.1.extend(
            attempt
                .outcome
                .crash
                .iter()
                .map(|crash| format!("{crash:?}")),
        );
    }
    harm
}

const TASTE: Taste = Taste {
    statements: 10,
    saving_checkpoints: true,
    inputs: true,
    heap: false,
};

fn plan(programs: u32, seed: u8) -> Plan {
    Plan {
        programs,
        seed,
        taste: TASTE,
        longest: 150,
        saves: true,
    }
}

/// The three exposures, the programs and the depths they are tried with.
fn for_exposures(programs: u32, seed: u8, test: impl Fn(&Case, Exposure) -> Result<(), String>) {
    for_programs(plan(programs, seed), |case, _| test(case, Exposure::Region));
    for_programs(plan(programs, seed + 1), |case, extra| {
        test(
            case,
            Exposure::Anywhere {
                depth: extra.pick(&[5, 10, 20, 40]),
            },
        )
    });
    for_programs(plan(programs, seed + 2), |case, extra| {
        test(
            case,
            Exposure::SinceCall {
                depth: extra.pick(&[10, 20, 40, 80]),
            },
        )
    });
}

/// The same with programs that use the heap.
fn for_heaps(programs: u32, seed: u8, test: impl Fn(&Case, Exposure) -> Result<(), String>) {
    let plan = Plan {
        taste: Taste {
            heap: true,
            ..TASTE
        },
        longest: 260,
        ..plan(programs, seed)
    };
    for_programs(plan, |case, extra| {
        let depth = extra.pick(&[10, 40, 100]);
        let exposure = extra.pick(&[
            Exposure::Region,
            Exposure::Region,
            Exposure::Anywhere { depth },
            Exposure::SinceCall { depth },
        ]);
        test(case, exposure)
    });
}

/// Every position, every failure after a write.
fn all_points(windows: &[Window]) -> BTreeSet<Point> {
    windows
        .iter()
        .flat_map(|window| window.writes.iter().map(|&write| (window.position, write)))
        .collect()
}

fn every_point(case: &Case, exposure: Exposure) -> Result<(), String> {
    let brute = oracle(case, exposure)?;
    let windows = windows(&case.image, exposure, &case.saved);
    let points = all_points(&windows);
    let ours = evaluated(case, exposure, &points);
    let theirs = brute
        .attempts
        .iter()
        .filter(|attempt| points.contains(&(attempt.checkpoint, attempt.failure)));
    same(
        &format!("{exposure:?}"),
        &ours,
        &theirs.cloned().collect::<Vec<_>>(),
    )?;
    // Nothing that only a failure at another point does.
    same(
        &format!("{exposure:?}, all points"),
        harm(&ours),
        harm(&brute.attempts),
    )?;
    same("objects", &harm(&brute.attempts).0, &brute.differing)
}

/// Evaluate, asked for every failure after a write, is brute force.
#[test]
fn evaluate_is_brute_force_at_every_point() {
    for_exposures(500, 21, every_point);
}

#[test]
fn evaluate_is_brute_force_on_the_heap() {
    for_heaps(150, 24, every_point);
}

/// What a window without other failures executes: operations and addresses.
#[derive(Default, PartialEq)]
struct Footprints {
    steps: Vec<(u32, u32)>,
    region: bool,
}

impl Observer for Footprints {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, _: &[u8]) {
        self.steps.push((at.pc, offset));
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, _: &[u8]) {
        self.steps.push((at.pc, offset));
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        if self.region {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Whether the attempt after a failure accesses what the continuous execution does.
fn follows(case: &Case, exposure: Exposure, (checkpoint, failure): Point) -> bool {
    let position = copies::position(&case.image, exposure, &case.saved, checkpoint);
    let until = copies::until(exposure, checkpoint).unwrap_or(1_000_000);
    let walk = |mut machine: Machine<'_>| {
        let mut seen = Footprints {
            region: exposure == Exposure::Region,
            ..Footprints::default()
        };
        machine.watch(&mut seen, until);
        seen
    };
    let mut failing = position.machine.clone();
    failing.run(&mut brownout_vm::Unobserved, failure);
    walk(position.restore(&case.image, &failing)) == walk(position.machine.clone())
}

fn enough_points(case: &Case, exposure: Exposure) -> Result<(), String> {
    let brute = oracle(case, exposure)?;
    let nothing = Outcome::default();
    let found: BTreeMap<Point, &Outcome> = brute
        .attempts
        .iter()
        .map(|attempt| ((attempt.checkpoint, attempt.failure), &attempt.outcome))
        .collect();
    let outcome = |point: Point| found.get(&point).copied().unwrap_or(&nothing);
    let windows = windows(&case.image, exposure, &case.saved);
    for window in &windows {
        let at = window.position;
        for &write in &window.writes {
            let before = window.producers.range(..=write).next_back();
            let expected = before.map_or(&nothing, |&producer| outcome((at, producer)));
            let ours = outcome((at, write));
            if ours != expected
                && before.is_none_or(|&producer| follows(case, exposure, (at, producer)))
            {
                return Err(format!(
                    "{exposure:?}, step 2 or 3 at {at}, {write}: {ours:?}, expected {expected:?}"
                ));
            }
        }
    }
    let by_position: BTreeMap<u64, &Window> = windows
        .iter()
        .map(|window| (window.position, window))
        .collect();
    for attempt in &brute.attempts {
        let window = by_position
            .get(&attempt.checkpoint)
            .ok_or("a position without a window")?;
        let write = window.writes.range(..=attempt.failure).next_back();
        let write = write.ok_or_else(|| {
            format!(
                "step 1 at {}, {}: no write",
                attempt.checkpoint, attempt.failure
            )
        })?;
        same(
            "step 1",
            &attempt.outcome,
            outcome((attempt.checkpoint, *write)),
        )?;
    }
    Ok(())
}

#[test]
fn some_points_are_enough() {
    for_exposures(300, 31, enough_points);
}

/// Exploring finds exactly the objects and crashes that brute force finds.
fn explored(case: &Case, exposure: Exposure, harmful: &Cell<u32>) -> Result<(), String> {
    let brute = oracle(case, exposure)?;
    let positions: Vec<u64> = windows(&case.image, exposure, &case.saved)
        .iter()
        .map(|window| window.position)
        .collect();
    let setting = setting(exposure, &case.saved);
    let explored = explore(&case.image, setting, &positions, u64::MAX, &|| false);
    if !explored.complete {
        return Err("not everything was explored".to_owned());
    }
    let ours: Vec<Attempt> = explored
        .harm
        .iter()
        .map(|harm| Attempt {
            checkpoint: harm.checkpoint,
            failure: harm.failure,
            outcome: outcome_of(&harm.damage),
        })
        .collect();
    harmful.set(harmful.get() + u32::from(!brute.attempts.is_empty()));
    same(&format!("{exposure:?}"), harm(&ours), harm(&brute.attempts))
}

#[test]
fn exploring_is_brute_force() {
    let harmful = Cell::new(0);
    for_exposures(700, 41, |case, exposure| explored(case, exposure, &harmful));
    assert!(harmful.get() > 400, "{harmful:?}");
}

#[test]
fn exploring_is_brute_force_on_the_heap() {
    let harmful = Cell::new(0);
    for_heaps(200, 44, |case, exposure| explored(case, exposure, &harmful));
    assert!(harmful.get() > 60, "{harmful:?}");
}
