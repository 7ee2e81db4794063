//! Locate against the definition: the same pairs, silent or not, and no
//! occurrence that is not one.

use std::cell::Cell;
use std::collections::BTreeMap;

use brownout_diag::Rule;
use brownout_explore::{Exposure, Instance};
use brownout_trace::{DETAILED, Scope, locate};
use brownout_vm::Unobserved;

use crate::generate::{Choices, Taste};
use crate::pairs::{Occurrence, Pair, pairs};
use crate::support::{Case, Plan, for_programs, same, scope};

/// How Locate departs from the definition.
#[derive(PartialEq, Eq, Debug, Default)]
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

/// With the occurrences of so many pairs kept.
fn departures(case: &Case, exposure: Exposure, detailed: usize) -> Departures {
    // A checkpoint that may be anywhere may be the first instruction, too.
    let saved_at_start = match exposure {
        Exposure::Anywhere { .. } => &case.saved[..],
        Exposure::Region | Exposure::SinceCall { .. } => &[],
    };
    let naive = pairs(&case.image, exposure, &case.saved, saved_at_start);
    let scope = Scope {
        detailed,
        ..scope(exposure, &case.saved)
    };
    let located = locate(&case.image, scope, &|| false, &mut Unobserved);
    let expected: BTreeMap<Pair, bool> = naive
        .iter()
        .map(|(&pair, all)| (pair, all.iter().all(|occurrence| occurrence.silent)))
        .collect();
    let mut found = BTreeMap::new();
    let mut departures = Departures::default();
    let of_hazards = located.hazards.iter().map(|hazard| {
        let pair = Pair {
            rule: hazard.rule,
            object: hazard.part.object,
            consumer: hazard.consumer,
            producer: hazard.producer,
            checkpoint: hazard.checkpoint,
        };
        (pair, hazard.silent, hazard.instances.as_slice())
    });
    let of_others = located.further.iter().flat_map(|overwrites| {
        overwrites.readers.iter().map(|reader| {
            let pair = Pair {
                rule: overwrites.rule,
                object: overwrites.object,
                consumer: reader.consumer,
                producer: overwrites.producer,
                checkpoint: overwrites.checkpoint,
            };
            (pair, reader.silent, &[][..])
        })
    });
    for (pair, silent, instances) in of_hazards.chain(of_others) {
        assert_eq!(found.insert(pair, silent), None, "{pair:?} twice");
        match (expected.get(&pair), silent) {
            (None, silent) => departures.invented.push((pair, silent)),
            (Some(false), true) => departures.hushed.push(pair),
            (Some(true), false) => departures.loud.push(pair),
            _ => {}
        }
        let Some(all) = naive.get(&pair) else {
            continue;
        };
        for &instance in instances {
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
                silent,
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

fn check(plan: Plan, exposure: impl Fn(&mut Choices) -> Exposure) {
    for_programs(plan, |case, extra| {
        let exposure = exposure(extra);
        let detailed = extra.pick(&[DETAILED, 0, 20]);
        let departures = departures(case, exposure, detailed);
        same(&format!("{exposure:?}"), departures, Departures::default())
    });
}

const TASTE: Taste = Taste {
    statements: 14,
    saving_checkpoints: true,
    inputs: true,
    heap: false,
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
    check(plan, |_| Exposure::Region);
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
    check(plan, |extra| Exposure::Anywhere {
        depth: extra.pick(&[5, 1, 20, 60, 300]),
    });
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
    check(plan, |extra| Exposure::SinceCall {
        depth: extra.pick(&[20, 5, 60, 300]),
    });
}

/// Pairs on the heap, and changes of its map.
#[test]
fn heap() {
    let plan = Plan {
        programs: 1_000,
        seed: 14,
        taste: Taste {
            heap: true,
            ..TASTE
        },
        longest: 800,
        saves: true,
    };
    let changes = Cell::new(0);
    for_programs(plan, |case, extra| {
        let depth = extra.pick(&[20, 5, 60, 300]);
        let exposure = extra.pick(&[
            Exposure::Region,
            Exposure::Anywhere { depth },
            Exposure::SinceCall { depth },
        ]);
        let naive = pairs(&case.image, exposure, &case.saved, &case.saved);
        let of_the_map = naive.keys().filter(|pair| pair.rule == Rule::MemoryMap);
        changes.set(changes.get() + of_the_map.count());
        let departures = departures(case, exposure, DETAILED);
        same(&format!("{exposure:?}"), departures, Departures::default())
    });
    assert!(changes.get() > 500, "{changes:?}");
}
