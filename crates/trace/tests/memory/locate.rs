//! Locate against the definition: the same pairs, silent or not, and no
//! occurrence that is not one.

use std::cell::Cell;
use std::collections::BTreeMap;

use brownout_trace::{Exposure, Instance, locate};
use brownout_vm::Unobserved;

use crate::generate::{Choices, Taste};
use crate::pairs::{Occurrence, Pair, pairs};
use crate::support::{Case, LONG, Plan, for_programs, same};

/// How Locate departs from the definition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Departures {
    /// Pairs that it does not find.
    missing: Vec<(Pair, bool)>,
    /// Pairs that are none.
    invented: Vec<(Pair, bool)>,
    /// Pairs that change something, said to be silent.
    hushed: Vec<Pair>,
    /// Silent pairs said to change something.
    loud: Vec<Pair>,
    /// Occurrences that are none.
    occurrences: Vec<(Pair, Instance)>,
}

fn departures(case: &Case, exposure: Exposure) -> Departures {
    // Known bug, see `known::saved_objects_before_the_first_checkpoint`.
    let naive = pairs(&case.image, exposure, &case.saved, &case.saved);
    let located = locate(
        &case.image,
        exposure,
        &case.saved,
        LONG,
        &|| false,
        &mut Unobserved,
    );
    let expected: BTreeMap<Pair, bool> = naive
        .iter()
        .map(|(&pair, all)| (pair, all.iter().all(|occurrence| occurrence.silent)))
        .collect();
    let mut found = BTreeMap::new();
    let mut departures = Departures::default();
    for hazard in &located.hazards {
        let (rule, object) = (hazard.rule, hazard.part.object);
        let pair = Pair {
            rule,
            object,
            consumer: hazard.consumer,
            producer: hazard.producer,
        };
        assert_eq!(found.insert(pair, hazard.silent), None, "{pair:?} twice");
        match (expected.get(&pair), hazard.silent) {
            (None, silent) => departures.invented.push((pair, silent)),
            (Some(false), true) => departures.hushed.push(pair),
            (Some(true), false) => departures.loud.push(pair),
            _ => {}
        }
        let Some(all) = naive.get(&pair) else {
            continue;
        };
        for &instance in &hazard.instances {
            let Instance {
                commit,
                consumed,
                produced,
                ..
            } = instance;
            if !all.contains(&Occurrence {
                consumed,
                produced,
                commit,
                silent: hazard.silent,
            }) {
                departures.occurrences.push((pair, instance));
            }
        }
    }
    let missing = expected
        .into_iter()
        .filter(|(pair, _)| !found.contains_key(pair));
    departures.missing = missing.collect();
    departures
}

/// Known bugs outside regions, see `known`: of several reads by one place only the last one's value and
/// checkpoint are kept, so an older read may be taken for silent, or for in reach; and what a conditional
/// checkpoint saves counts as saved even if it does not commit. The numbers of programs may only fall.
fn known(exposure: Exposure, mut departures: Departures) -> (Departures, bool) {
    let before = departures.clone();
    if exposure != Exposure::Region {
        departures.hushed.clear();
        departures.occurrences.clear();
    }
    if let Exposure::SinceCall { .. } = exposure {
        departures.invented.clear();
        departures.missing.clear();
    }
    let different = before != departures;
    (departures, different)
}

/// Checks programs; how many show a known bug.
fn check(plan: Plan, exposure: impl Fn(&mut Choices) -> Exposure) -> u32 {
    let bugs = Cell::new(0);
    for_programs(plan, |case, extra| {
        let exposure = exposure(extra);
        let (departures, bug) = known(exposure, departures(case, exposure));
        bugs.set(bugs.get() + u32::from(bug));
        same(&format!("{exposure:?}"), departures, Departures::default())
    });
    bugs.get()
}

const TASTE: Taste = Taste {
    statements: 14,
    saving_checkpoints: true,
    inputs: true,
};

#[test]
fn regions() {
    let plan = Plan {
        programs: 1_000,
        seed: 11,
        taste: TASTE,
        longest: 600,
        saves: true,
    };
    assert_eq!(check(plan, |_| Exposure::Region), 0);
}

#[test]
fn anywhere() {
    let plan = Plan {
        programs: 1_000,
        seed: 12,
        taste: TASTE,
        longest: 400,
        saves: true,
    };
    let bugs = check(plan, |extra| Exposure::Anywhere {
        depth: extra.pick(&[5, 1, 20, 60, 300]),
    });
    assert!(bugs <= 12, "{bugs} programs");
}

#[test]
fn since_the_call() {
    let plan = Plan {
        programs: 1_000,
        seed: 13,
        taste: TASTE,
        longest: 400,
        saves: true,
    };
    let bugs = check(plan, |extra| Exposure::SinceCall {
        depth: extra.pick(&[20, 5, 60, 300]),
    });
    assert!(bugs <= 15, "{bugs} programs");
}
