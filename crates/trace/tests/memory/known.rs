//! The smallest programs for what once was wrong, and for what is known and not
//! mended: the latter assert today's answer and say what the right one is.

use std::collections::BTreeSet;

use brownout_trace::{
    Difference, Evaluation, Exposure, Object, Request, Setting, brute_force, check, evaluate,
    explore, locate,
};
use brownout_vm::Unobserved;

use crate::evaluate::{setting, test_of};
use crate::support::{Case, Keeps, LIMITS, LONG, scope};

const HEAD: &str = "target \"t\" pointer 16\n\
    global g0 \"x\" size 2 align 2 = { hex 00 }\n\
    global g1 \"y\" size 2 align 2 = { hex 00 }\n\
    global g2 \"z\" size 2 align 2 = { hex 00 }\n\
    global g3 \"list\" size 6 align 2 constant = { hex 000002000000 at 0 = g0 bytes 2 }\n";
const TAIL: &str = "function fn1 \"checkpoint\" ()\nfunction fn2 \"input\" () -> i16\nfunction fn3 \"output\" (i16)\n";

/// A program with the globals `x`, `y`, `z` in non-volatile memory.
fn case(main: &str, saved: &[usize]) -> Case {
    let text = format!("{HEAD}function fn0 \"main\" () -> i16 {{\n{main}}}\n{TAIL}");
    Case::new(
        &text,
        &Keeps {
            globals: vec![0, 1, 2],
            stack: false,
            heap: false,
            saved: saved.to_vec(),
        },
    )
}

/// Global variables by number that brute force finds different.
fn oracle(case: &Case, exposure: Exposure) -> BTreeSet<String> {
    let brute = brute_force(&case.image, exposure, &case.saved, LIMITS, &|| false);
    assert!(brute.complete);
    names(brute.differing)
}

fn names(objects: impl IntoIterator<Item = Object>) -> BTreeSet<String> {
    let name = |object| match object {
        Object::Global(global) => global.to_string(),
        other => format!("{other:?}"),
    };
    objects.into_iter().map(name).collect()
}

/// What Evaluate finds for all located hazards.
fn pipeline(case: &Case, exposure: Exposure) -> Vec<Evaluation> {
    let located = locate(
        &case.image,
        scope(exposure, &case.saved),
        &|| false,
        &mut Unobserved,
    );
    let instances = located
        .hazards
        .iter()
        .filter(|hazard| !hazard.silent)
        .flat_map(|hazard| &hazard.instances);
    let tests: Vec<_> = instances
        .map(|&instance| brownout_trace::Test {
            instance,
            hazard: 0,
        })
        .collect();
    evaluate(&case.image, setting(exposure, &case.saved), &tests, &|| {
        false
    })
}

fn objects(evaluations: &[Evaluation]) -> BTreeSet<String> {
    names(
        evaluations
            .iter()
            .flat_map(|evaluation| &evaluation.damage.differences)
            .filter_map(|difference| match difference {
                Difference::Value { part, .. } => Some(part.object),
                _ => None,
            }),
    )
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// How many loud and silent hazards are located.
fn located(case: &Case, exposure: Exposure) -> (usize, usize) {
    let located = locate(
        &case.image,
        scope(exposure, &case.saved),
        &|| false,
        &mut Unobserved,
    );
    let silent = located
        .hazards
        .iter()
        .filter(|hazard| hazard.silent)
        .count();
    (located.hazards.len() - silent, silent)
}

/// What exploring all positions finds.
fn explored(case: &Case, exposure: Exposure) -> BTreeSet<String> {
    let positions: Vec<u64> = crate::pairs::windows(&case.image, exposure, &case.saved)
        .iter()
        .map(|window| window.position)
        .collect();
    let setting = setting(exposure, &case.saved);
    let explored = explore(&case.image, setting, &positions, u64::MAX, &|| false);
    let differences = explored
        .harm
        .iter()
        .flat_map(|harm| &harm.damage.differences);
    names(differences.filter_map(|difference| match difference {
        Difference::Value { part, .. } => Some(part.object),
        _ => None,
    }))
}

/// Power that fails after `y = 7` leaves a 7 where a continuous run has 0; right after the producer,
/// `x = 1`, re-execution happens to do no harm to `y`. Exploring fails after the writes behind it, too,
/// because the attempt takes another path.
#[test]
fn harm_between_producers() {
    let case = case(
        "b0:\n v0 = load i16 g0\n v1 = icmp eq i16 v0, 0\n branch v1, b1, b2\n\
         b1:\n store i16 1 to g0\n store i16 7 to g1\n store i16 0 to g1\n jump b2\nb2:\n return 0\n",
        &[],
    );
    assert_eq!(oracle(&case, Exposure::Region), set(&["g1"]));
    assert_eq!(objects(&pipeline(&case, Exposure::Region)), set(&[]));
    assert_eq!(explored(&case, Exposure::Region), set(&["g1"]));
}

/// `z` is wrong only if both `x` and `y` are read again, from a checkpoint before both, with a failure
/// after the second write; no pair alone is that point, but exploring tries all producers of a window.
#[test]
fn two_pairs_at_once() {
    let case = case(
        "b0:\n v0 = load i16 g0\n v1 = load i16 g1\n store i16 1 to g0\n store i16 1 to g1\n\
         v2 = and i16 v0, v1\n store i16 v2 to g2\n return 0\n",
        &[],
    );
    let anywhere = Exposure::Anywhere { depth: 20 };
    assert_eq!(oracle(&case, anywhere), set(&["g2"]));
    assert_eq!(objects(&pipeline(&case, anywhere)), set(&[]));
    assert_eq!(explored(&case, anywhere), set(&["g2"]));
    // In a region the checkpoint is the same for both.
    assert_eq!(objects(&pipeline(&case, Exposure::Region)), set(&["g2"]));
}

/// The wrong value of `x` is in a register when the checkpoint commits, and in `y` only later.
#[test]
fn harm_in_a_register() {
    let case = case(
        "b0:\n v0 = load i16 g0\n store i16 5 to g0\n call fn1()\n store i16 v0 to g1\n return 0\n",
        &[],
    );
    assert_eq!(oracle(&case, Exposure::Region), set(&["g1"]));
    assert_eq!(objects(&pipeline(&case, Exposure::Region)), set(&["g1"]));
}

/// An attempt that skips something because it is done already is early, not wrong.
#[test]
fn early_is_not_wrong() {
    let case = case(
        "b0:\n v0 = load i16 g0\n v1 = icmp eq i16 v0, 0\n branch v1, b1, b2(0)\n\
         b1:\n store i16 7 to g1\n store i16 1 to g0\n jump b2(0)\n\
         b2(v2: i16):\n v3 = add i16 v2, 1\n v4 = icmp ult i16 v3, 50\n store i16 v3 to g2\n branch v4, b2(v3), b3\n\
         b3:\n return 0\n",
        &[],
    );
    for exposure in [
        Exposure::Anywhere { depth: 40 },
        Exposure::SinceCall { depth: 40 },
    ] {
        assert_eq!(oracle(&case, exposure), set(&[]));
        assert_eq!(explored(&case, exposure), set(&[]));
    }
}

/// Mended: every checkpoint saves `x`, but the program fails before the first one: nothing is saved,
/// and this is a `war` like any other.
#[test]
fn saved_objects_before_the_first_checkpoint() {
    let case = case(
        "b0:\n v0 = load i16 g0\n v1 = add i16 v0, 1\n store i16 v1 to g0\n call fn1()\n return 0\n",
        &[0],
    );
    for exposure in [Exposure::Region, Exposure::SinceCall { depth: 20 }] {
        assert_eq!(oracle(&case, exposure), set(&["g0"]));
        assert_eq!(located(&case, exposure), (1, 0));
    }
}

/// Mended: the loop reads 0, writes 5, reads 5, writes 5. The second write is silent for the second
/// read, but not for the first one, which a checkpoint may precede as well.
#[test]
fn an_older_read_is_silent() {
    let case = case(
        "b0:\n jump b1(0)\nb1(v0: i16):\n v1 = load i16 g0\n v2 = icmp eq i16 v0, 0\n branch v2, b2, b3\n\
         b2:\n store i16 5 to g0\n jump b1(1)\nb3:\n store i16 5 to g0\n return 0\n",
        &[],
    );
    assert_eq!(located(&case, Exposure::Anywhere { depth: 20 }), (2, 0));
    assert_eq!(located(&case, Exposure::Region), (2, 0));
}

/// Mended: a read in an earlier activation keeps its own checkpoint. The first call reads `l` at 5 in the
/// window of the checkpoint at 4, which is over at 11; the second one writes at 12.
#[test]
fn an_older_activation_with_a_newer_checkpoint() {
    let text = format!(
        "{HEAD}function fn0 \"main\" () -> i16 {{\nb0:\n call fn4()\n call fn4()\n return 0\n}}\n{TAIL}\
         function fn4 \"f\" () {{\n slot s0 size 2 align 2 name \"l\"\nb0:\n store i16 1 to s0\n call fn1()\n \
         v0 = load i16 s0\n store i16 v0 to s0\n return\n}}\n"
    );
    let case = Case::new(
        &text,
        &Keeps {
            globals: vec![],
            stack: true,
            heap: false,
            saved: vec![],
        },
    );
    let since = Exposure::SinceCall { depth: 7 };
    let located = locate(
        &case.image,
        scope(since, &case.saved),
        &|| false,
        &mut Unobserved,
    );
    let instances = located.hazards.iter().flat_map(|hazard| &hazard.instances);
    for instance in instances {
        assert!(instance.commit < instance.consumed, "{instance:?}");
        assert!(instance.produced <= instance.commit + 7, "{instance:?}");
    }
}

/// Mended: a conditional checkpoint that saves `x` may not commit; then `x` is not saved, and the window
/// of the call before it is still open.
#[test]
fn a_saving_call_that_may_not_commit() {
    let case = case(
        "b0:\n service checkpoint_with(g3, 1)\n v0 = load i16 g0\n v1 = add i16 v0, 1\n store i16 v1 to g0\n return 0\n",
        &[],
    );
    let since = Exposure::SinceCall { depth: 20 };
    assert_eq!(oracle(&case, since), set(&["g0"]));
    assert_eq!(located(&case, since), (1, 0));
}

/// Mended: what a conditional checkpoint saves is restored when it is the one that committed.
#[test]
fn a_saving_call_that_commits() {
    let case = case(
        "b0:\n service checkpoint_with(g3, 1)\n v0 = load i16 g1\n v1 = add i16 v0, 1\n store i16 v1 to g1\n\
         v2 = load i16 g0\n v3 = add i16 v2, 1\n store i16 v3 to g0\n v4 = load i16 g2\n store i16 9 to g2\n return 0\n",
        &[],
    );
    let since = Exposure::SinceCall { depth: 20 };
    let tests = [test_of(since, (2, 11))];
    let results = evaluate(&case.image, setting(since, &case.saved), &tests, &|| false);
    assert_eq!(objects(&results), set(&["g1"]));
}

/// Mended: the attempt that counts reads the inputs of the continuous execution; another reading is no
/// effect of the failure (OOPSLA'20, Def. 1).
#[test]
fn inputs_are_not_effects() {
    let case = case(
        "b0:\n v0 = call fn2() -> i16\n store i16 v0 to g1\n v1 = load i16 g0\n store i16 3 to g0\n return 0\n",
        &[],
    );
    for exposure in [Exposure::Region, Exposure::Anywhere { depth: 20 }] {
        let results = pipeline(&case, exposure);
        assert_eq!((results.len(), objects(&results)), (1, set(&[])));
        assert_eq!(oracle(&case, exposure), set(&[]));
    }
}

/// Mended: the second attempt reaches the checkpoint before power can fail for the second time.
#[test]
fn a_commit_is_the_end_of_all_attempts() {
    let case = case(
        "b0:\n v0 = load i16 g0\n v1 = icmp eq i16 v0, 0\n branch v1, b1, b2\n\
         b1:\n v2 = load i16 g1\n v3 = add i16 v2, 1\n store i16 v3 to g1\n store i16 1 to g0\n jump b2\n\
         b2:\n call fn1()\n v4 = load i16 g2\n v5 = add i16 v4, 1\n store i16 v5 to g2\n return 0\n",
        &[],
    );
    let test = test_of(Exposure::Region, (0, 8));
    for failures in 1..4 {
        let setting = Setting {
            failures,
            ..setting(Exposure::Region, &case.saved)
        };
        let results = evaluate(&case.image, setting, &[test], &|| false);
        assert_eq!(results[0].damage.differences, [], "{failures} failures");
    }
}

/// Mended: the same operation of the same function, but one call deeper.
#[test]
fn depth_of_recursion_is_a_place() {
    let text = format!(
        "{HEAD}function fn0 \"main\" () -> i16 {{\nb0:\n v0 = load i16 g0\n store i16 1 to g0\n \
         v1 = call fn4(i16 v0) -> i16\n return 0\n}}\n{TAIL}\
         function fn4 \"dive\" (i16) -> i16 {{\nb0(v0: i16):\n v1 = icmp eq i16 v0, 0\n branch v1, b1, b2\n\
         b1:\n call fn1()\n return 0\nb2:\n v2 = call fn4(i16 0) -> i16\n return v2\n}}\n"
    );
    let case = Case::new(
        &text,
        &Keeps {
            globals: vec![0, 1, 2],
            stack: false,
            heap: false,
            saved: vec![],
        },
    );
    let results = pipeline(&case, Exposure::Region);
    let brute = brute_force(&case.image, Exposure::Region, &[], LIMITS, &|| false);
    assert!(
        brute
            .attempts
            .iter()
            .all(|attempt| attempt.outcome.position)
            && !brute.attempts.is_empty()
    );
    assert!(
        matches!(results[0].damage.differences[..], [Difference::Path { .. }]),
        "{results:?}"
    );
}

fn request(exposure: Exposure) -> Request {
    Request {
        exposure,
        saved: Vec::new(),
        aware: Vec::new(),
        atomic_write: None,
        evaluate: true,
        failures: 1,
        jobs: 1,
        limit: LONG,
    }
}

/// Mended: a checkpoint in front of an operation was said to come between what it reads and what it
/// writes.
#[test]
fn no_checkpoint_comes_inside_an_operation() {
    // The upper byte of `x` moves down and that of `y` follows: read and written by one operation.
    let case = case(
        "b0:\n store i16 7 to g1\n call fn1()\n copy g0 from g0+1 length 2\n return 0\n",
        &[],
    );
    let checked = check(
        &case.image,
        &request(Exposure::Region),
        &|| false,
        &mut Unobserved,
    );
    let apart = checked.findings.iter().filter(|finding| {
        let mut help = finding.help.iter();
        help.any(|help| help.contains("put a checkpoint"))
    });
    assert!(!checked.findings.is_empty());
    assert_eq!(apart.count(), 0, "{:#?}", checked.findings);
}

/// Mended: a benign finding said that no other failure can do harm, with some never tried.
#[test]
fn not_all_positions_are_tried_in_long_programs() {
    let text = |times: u32| {
        format!(
            "b0:\n jump b1(0)\nb1(v0: i16):\n v1 = load i16 g0\n store i16 v0 to g0\n \
             v2 = add i16 v0, 1\n v3 = icmp ult i16 v2, {times}\n branch v3, b1(v2), b2\n\
             b2:\n store i16 0 to g0\n return 0\n"
        )
    };
    for (times, all) in [(20, true), (20_000, false)] {
        let case = case(&text(times), &[]);
        let exposure = Exposure::Anywhere { depth: 200 };
        let checked = check(&case.image, &request(exposure), &|| false, &mut Unobserved);
        let notes = checked.findings.iter().flat_map(|finding| &finding.notes);
        let claims = notes.filter(|note| note.contains("no others"));
        assert_eq!(claims.count() > 0, all, "{times}: {:#?}", checked.findings);
    }
}
