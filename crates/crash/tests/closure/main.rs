//! On small stores the closure finds exactly what naive recursion over all power failures finds:
//! the same states, the same violations with the same fewest failures, broken by as many states.
//! With every pruning on and off, and for every number of threads, the result is the same.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests panic")]

mod lower;
mod naive;
mod store;

use std::collections::BTreeMap;
use std::sync::Mutex;

use brownout_crash::{
    Coverage, Explored, Gathered, Memo, Monitor, Overflow, Request, Shard, Shortfall, Violation,
};
use brownout_diag::Extent;
use brownout_ir::{Global, Id};
use brownout_scenario::splitmix64;
use brownout_testkit::Choices;

use store::Store;

struct Patient;

impl Monitor for Patient {
    fn is_interrupted(&self) -> bool {
        false
    }

    fn advance(&self, _: u64, _: u64, _: u32) {}
}

/// Wherever the program tells that it is at some place, it is where power failures begin.
fn from(store: &Store) -> Option<Vec<u32>> {
    let begins = store
        .steps
        .iter()
        .any(|step| matches!(step, store::Step::From));
    begins.then(|| (0..10_000).collect())
}

fn request(store: &Store, memo: Memo, jobs: usize) -> Request {
    Request {
        failures: Some(store.failures),
        tears: vec![(store.tear, store.erase_tear)],
        orders: vec![store.order],
        choices: store.choices(),
        atomic: store.atomic_operations(),
        listens: false,
        shard: None,
        atomic_write: store.atomic,
        ghosts: vec![Global::from_index(2)],
        from: from(store),
        until: None,
        instructions: 100_000,
        memory: 1 << 30,
        jobs,
        memo,
    }
}

/// What an exploration found, in the words of the naive one.
fn broken(explored: &Explored) -> BTreeMap<naive::Broken, (u32, u64)> {
    let mut broken = BTreeMap::new();
    for violation in &explored.violations {
        let text = &violation.assertion.text;
        let number = text
            .strip_prefix("`assert(")
            .and_then(|text| text.strip_suffix(")`"));
        let key = match (number, violation.assertion.name) {
            (Some(number), _) => naive::Broken::Assertion(number.parse().unwrap()),
            (None, "not-atomic") => naive::Broken::Half,
            (None, "endless-boot") => naive::Broken::Endless,
            (None, "other-end") => naive::Broken::OtherEnd,
            (None, "flash-not-erased") => naive::Broken::Misuse,
            (None, name) => panic!("{name}: {text}"),
        };
        let (fewest, states) = broken.entry(key).or_insert((violation.fewest, 0));
        *fewest = violation.fewest.min(*fewest);
        *states += violation.states;
        assert!(violation.fewest <= violation.failures.len() as u32);
    }
    broken
}

/// How often a case of a kind came up.
#[derive(Default, Debug)]
struct Tally {
    broken: u32,
    needs_two: u32,
    needs_three: u32,
    clean: u32,
    derived: u64,
    moved: u32,
    half: u32,
    reordered: u32,
    workloads: u32,
    only_some_workloads: u32,
    undecided: u32,
    endless: u32,
    other_end: u32,
    misuse: u32,
    breaks_by_itself: u32,
    torn_bits: u32,
    garbage: u32,
}

#[test]
fn the_closure_finds_what_naive_recursion_finds() {
    let cases = 1500;
    let mut tally = Tally::default();
    for seed in 0..cases {
        let choices = (0..200).map(|index| splitmix64(seed, index)).collect();
        let mut store = store::store(&mut Choices::new(choices));
        // Naive recursion takes what a boot leaves to the power of the failures.
        let workloads = store.values.pow(store.readings);
        let width = naive::width(&store).max(1);
        while workloads * width.saturating_pow(store.failures) > 8_000 && store.failures > 0 {
            store.failures -= 1;
        }
        let mut expected = naive::explore(&store);
        while expected.values().any(|found| found.is_too_long) && store.failures > 0 {
            store.failures -= 1;
            expected = naive::explore(&store);
        }
        if expected.values().any(|found| found.is_too_long) {
            tally.undecided += 1;
            continue;
        }
        let image = lower::image(&store);
        let explored =
            brownout_crash::explore(&image, &request(&store, Memo::On, 1), None, &Patient);
        let case = format!("seed {seed}: {store:#?}\n{:#?}", explored.coverage);
        assert!(explored.coverage.complete, "{case}");
        let states: usize = expected.values().map(|found| found.states.len()).sum();
        assert_eq!(explored.coverage.states, states as u64, "{case}");
        let varies = store.values > 0 && store.readings > 0;
        let count = varies.then_some(expected.len() as u64);
        assert_eq!(explored.coverage.workloads, count, "{case}");
        let found = broken(&explored);
        let mut wanted: BTreeMap<naive::Broken, (u32, u64)> = BTreeMap::new();
        for (key, (fewest, states)) in expected.values().flat_map(|found| &found.broken) {
            let entry = wanted.entry(*key).or_insert((*fewest, 0));
            *entry = (entry.0.min(*fewest), entry.1 + states.len() as u64);
        }
        assert_eq!(found, wanted, "{case}");
        for violation in &explored.violations {
            replays(&image, &store, violation, &case);
        }
        let plain = brownout_crash::explore(&image, &request(&store, Memo::Off, 1), None, &Patient);
        assert_eq!(same(&plain), same(&explored), "without memo, {case}");
        if seed % 16 == 0 {
            let threads =
                brownout_crash::explore(&image, &request(&store, Memo::On, 3), None, &Patient);
            assert_eq!(threads, explored, "with threads, {case}");
        }
        if seed % 16 == 0 {
            tally.moved += u32::from(moves_states(&image, &store, &explored, &case));
        }
        if seed % 4 == 0 {
            let shards = (0..3).map(|index| {
                let request = Request {
                    shard: Some(Shard { index, count: 3 }),
                    ..request(&store, Memo::On, 1)
                };
                brownout_crash::gather(&image, &request, None, &Patient)
            });
            let together = shards.reduce(Gathered::and).unwrap();
            let whole = request(&store, Memo::On, 1);
            let together = brownout_crash::conclude(&image, &whole, together);
            assert_eq!(same(&together), same(&explored), "in shards, {case}");
        }
        tally.clean += u32::from(wanted.is_empty());
        tally.broken += u32::from(!wanted.is_empty());
        let needs = |failures| wanted.values().any(|(fewest, _)| *fewest == failures);
        tally.needs_two += u32::from(needs(2));
        tally.needs_three += u32::from(needs(3));
        tally.derived += explored.coverage.derived;
        tally.half += u32::from(wanted.contains_key(&naive::Broken::Half));
        let mut ids = explored.violations.iter().map(|violation| &violation.id);
        let is_missing =
            |id: &brownout_diag::CrashId| id.points.iter().any(|point| !point.missing.is_empty());
        tally.endless += u32::from(wanted.contains_key(&naive::Broken::Endless));
        tally.other_end += u32::from(wanted.contains_key(&naive::Broken::OtherEnd));
        tally.misuse += u32::from(wanted.contains_key(&naive::Broken::Misuse));
        let by_itself = wanted.values().any(|(fewest, _)| *fewest == 0);
        tally.breaks_by_itself += u32::from(by_itself);
        let is_torn = |is_it: fn(&Extent) -> bool| {
            let mut ids = explored.violations.iter().map(|violation| &violation.id);
            ids.any(|id| id.points.iter().any(|point| is_it(&point.extent)))
        };
        tally.torn_bits += u32::from(is_torn(|extent| matches!(extent, Extent::Bits(..))));
        tally.garbage += u32::from(is_torn(|extent| matches!(extent, Extent::Mixture(_))));
        tally.reordered += u32::from(ids.any(is_missing));
        tally.workloads += u32::from(expected.len() > 1);
        let breaks = |found: &naive::Found| !found.broken.is_empty();
        let some = expected.values().any(breaks) && !expected.values().all(breaks);
        tally.only_some_workloads += u32::from(some);
    }
    // The cases are worth something.
    assert!(tally.clean > 300 && tally.broken > 300, "{tally:?}");
    assert!(tally.needs_two > 20 && tally.needs_three > 0, "{tally:?}");
    assert!(tally.derived > 1000 && tally.moved > 3, "{tally:?}");
    assert!(tally.endless > 20 && tally.other_end > 3, "{tally:?}");
    assert!(tally.misuse > 60, "{tally:?}");
    assert!(tally.torn_bits > 3 && tally.garbage > 3, "{tally:?}");
    assert!(
        tally.breaks_by_itself > 20 && tally.undecided < 200,
        "{tally:?}"
    );
    assert!(tally.half > 20 && tally.reordered > 10, "{tally:?}");
    assert!(
        tally.workloads > 50 && tally.only_some_workloads > 2,
        "{tally:?}"
    );
}

/// States that memory has no room for, in a list.
#[derive(Default)]
struct Elsewhere(Mutex<Vec<u8>>);

impl Overflow for Elsewhere {
    fn write(&self, bytes: &[u8]) -> Option<u64> {
        let mut all = self.0.lock().unwrap();
        let at = all.len() as u64;
        all.extend_from_slice(bytes);
        Some(at)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> bool {
        let all = self.0.lock().unwrap();
        let found = all.get(at as usize..at as usize + bytes.len());
        found.is_some_and(|found| {
            bytes.copy_from_slice(found);
            true
        })
    }
}

/// Explores with less and less memory: the result is the same, or says what is missing. Whether states
/// had to go elsewhere for it.
fn moves_states(
    image: &brownout_vm::Image,
    store: &Store,
    explored: &Explored,
    case: &str,
) -> bool {
    let mut has_moved = false;
    let less = |memory: &u64| Some(memory / 8 * 7).filter(|&memory| memory > 500);
    for memory in std::iter::successors(Some(64 << 10), less) {
        let request = Request {
            memory,
            ..request(store, Memo::On, 1)
        };
        let elsewhere = Elsewhere::default();
        let limited = brownout_crash::explore(image, &request, Some(&elsewhere), &Patient);
        if limited.coverage.complete {
            assert_eq!(same(&limited), same(explored), "with less memory, {case}");
            has_moved |= limited.coverage.moved > 0;
        } else {
            let shortfalls = &limited.coverage.shortfalls;
            assert_eq!(shortfalls, &[Shortfall::Memory], "{case}");
        }
    }
    has_moved
}

/// What does not depend on pruning. How many rounds of a loop are recorded does: one that was derived
/// from another boot has as many as that.
fn same(explored: &Explored) -> Explored {
    let mut explored = explored.clone();
    explored.coverage = Coverage {
        derived: 0,
        repeated: 0,
        instructions: 0,
        moved: 0,
        first_broken: None,
        ..explored.coverage
    };
    explored
}

/// An id leads to what it was given for.
fn replays(image: &brownout_vm::Image, store: &Store, violation: &Violation, case: &str) {
    let request = request(store, Memo::Off, 1);
    let id = violation.id.to_string().parse().unwrap();
    let followed = brownout_crash::replay(image, &request, &id, &Patient).unwrap();
    assert_eq!(followed.boots.len(), violation.failures.len() + 1, "{case}");
    let last = followed.boots.last().unwrap();
    let broken = last.broken.as_ref().map(|broken| broken.name);
    assert_eq!(broken, Some(violation.assertion.name), "{case}");
}
