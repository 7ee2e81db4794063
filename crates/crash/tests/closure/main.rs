//! On small stores the closure finds exactly what naive recursion over all power failures finds:
//! the same states, the same violations with the same fewest failures, broken by as many states.
//! With every pruning on and off, and for every number of threads, the result is the same.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests panic")]

mod lower;
mod naive;
mod store;

use std::collections::BTreeMap;

use brownout_crash::{Coverage, Explored, Memo, Monitor, Request, Violation};
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

fn request(store: &Store, memo: Memo, jobs: usize) -> Request {
    Request {
        failures: Some(store.failures),
        tears: vec![(store.tear, store.erase_tear)],
        atomic_write: store.atomic,
        ghosts: vec![Global::from_index(2)],
        from: None,
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
        let key = number.map(|number| number.parse().unwrap());
        broken.insert(key, (violation.fewest, violation.all_states));
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
}

#[test]
fn the_closure_finds_what_naive_recursion_finds() {
    let cases = 2000;
    let mut tally = Tally::default();
    for seed in 0..cases {
        let choices = (0..200).map(|index| splitmix64(seed, index)).collect();
        let mut store = store::store(&mut Choices::new(choices));
        // Naive recursion takes what a boot leaves to the power of the failures.
        let width = naive::width(&store).max(1);
        while width.pow(store.failures) > 8_000 {
            store.failures -= 1;
        }
        let expected = naive::explore(&store);
        let image = lower::image(&store);
        let explored = brownout_crash::explore(&image, &request(&store, Memo::On, 1), &Patient);
        let case = format!("seed {seed}: {store:#?}\n{:#?}", explored.coverage);
        assert!(explored.coverage.complete, "{case}");
        assert_eq!(
            explored.coverage.states,
            expected.states.len() as u64,
            "{case}"
        );
        let found = broken(&explored);
        let wanted: BTreeMap<naive::Broken, (u32, u64)> = expected
            .broken
            .iter()
            .map(|(key, (fewest, states))| (*key, (*fewest, states.len() as u64)))
            .collect();
        assert_eq!(found, wanted, "{case}");
        for violation in &explored.violations {
            replays(&image, &store, violation, &case);
        }
        let plain = brownout_crash::explore(&image, &request(&store, Memo::Off, 1), &Patient);
        assert_eq!(same(&plain), same(&explored), "without memo, {case}");
        if seed % 16 == 0 {
            let threads = brownout_crash::explore(&image, &request(&store, Memo::On, 3), &Patient);
            assert_eq!(threads, explored, "with threads, {case}");
        }
        tally.clean += u32::from(wanted.is_empty());
        tally.broken += u32::from(!wanted.is_empty());
        let needs = |failures| wanted.values().any(|(fewest, _)| *fewest == failures);
        tally.needs_two += u32::from(needs(2));
        tally.needs_three += u32::from(needs(3));
        tally.derived += explored.coverage.derived;
    }
    // The cases are worth something.
    assert!(tally.clean > 300 && tally.broken > 300, "{tally:?}");
    assert!(tally.needs_two > 20 && tally.needs_three > 0, "{tally:?}");
    assert!(tally.derived > 1000, "{tally:?}");
}

/// What does not depend on pruning.
fn same(explored: &Explored) -> Explored {
    let mut explored = explored.clone();
    explored.coverage = Coverage {
        derived: 0,
        instructions: 0,
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
