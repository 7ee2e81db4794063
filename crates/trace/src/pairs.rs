//! The pairs found so far, and enough occurrences of each.

use std::ops::Range;

use brownout_diag::Rule;
use rustc_hash::FxHashMap;

use crate::calls::Context;
use crate::locate::{Hazard, Instance};
use crate::objects::{Object, Part};

/// What makes two occurrences the same pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) rule: Rule,
    pub(crate) object: Object,
    pub(crate) consumer: u32,
    pub(crate) producer: u32,
}

/// Whether a write stores something else than was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occurrence {
    Loud,
    Silent,
}

/// Occurrences of one kind.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The bytes of the object.
    bytes: Range<u64>,
    first: Vec<Instance>,
}

impl Seen {
    /// The bytes of which enough is known.
    fn enough(&self) -> Option<Range<u64>> {
        (self.first.len() >= INSTANCES).then(|| self.bytes.clone())
    }
}

/// Bytes of an object of whose occurrences enough are known.
#[derive(Clone, Debug)]
pub(crate) struct Enough {
    /// Whatever is stored.
    pub(crate) loud: Option<Range<u64>>,
    /// If what was read is stored: silent ones do not matter beside a loud one.
    pub(crate) silent: Option<Range<u64>>,
}

#[derive(Clone, Debug, Default)]
struct Found {
    loud: Seen,
    silent: Seen,
    /// Calls in which the producer was seen.
    paths: Vec<Context>,
}

/// How many occurrences of a pair are kept.
const INSTANCES: usize = 8;
/// How many call paths of a pair are told apart.
const PATHS: usize = 64;

/// All pairs of an execution.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    found: FxHashMap<Key, Found>,
    /// How many occurrences and call paths are kept.
    kept: u64,
}

impl Pairs {
    /// Notes an occurrence that concerns `bytes` of the object; of which bytes nothing is to be learnt
    /// from further ones in the same calls.
    pub(crate) fn record(
        &mut self,
        key: Key,
        bytes: Range<u64>,
        instance: Instance,
        occurrence: Occurrence,
    ) -> Enough {
        let found = self.found.entry(key).or_default();
        let seen = match occurrence {
            Occurrence::Loud => &mut found.loud,
            Occurrence::Silent => &mut found.silent,
        };
        if seen.first.is_empty() {
            seen.bytes = bytes.clone();
        } else {
            seen.bytes = seen.bytes.start.min(bytes.start)..seen.bytes.end.max(bytes.end);
        }
        if seen.first.len() < INSTANCES && seen.first.last() != Some(&instance) {
            seen.first.push(instance);
            self.kept += 1;
        }
        if found.paths.len() < PATHS && !found.paths.contains(&instance.producer_calls) {
            found.paths.push(instance.producer_calls);
            self.kept += 1;
        }
        let (loud, silent) = (&found.loud, &found.silent);
        Enough {
            loud: loud.enough(),
            silent: match (loud.first.is_empty(), silent.first.is_empty()) {
                (true, _) => silent.enough(),
                (false, true) => Some(loud.bytes.clone()),
                (false, false) => {
                    let start = loud.bytes.start.min(silent.bytes.start);
                    Some(start..loud.bytes.end.max(silent.bytes.end))
                }
            },
        }
    }

    /// How many occurrences and call paths are kept: grows with everything that is new.
    pub(crate) const fn kept(&self) -> u64 {
        self.kept
    }

    /// The pairs as hazards, in a stable order.
    pub(crate) fn hazards(self) -> Vec<Hazard> {
        let mut all: Vec<(Key, Found)> = self.found.into_iter().collect();
        all.sort_by_key(|(key, found)| {
            let first = found.loud.first.first().or(found.silent.first.first());
            (first.copied(), *key)
        });
        all.into_iter()
            .map(|(key, found)| {
                let silent = found.loud.first.is_empty();
                let seen = if silent { found.silent } else { found.loud };
                Hazard {
                    rule: key.rule,
                    part: Part {
                        object: key.object,
                        start: seen.bytes.start,
                        end: seen.bytes.end,
                    },
                    consumer: key.consumer,
                    producer: key.producer,
                    silent,
                    instances: seen.first,
                    paths: found.paths,
                }
            })
            .collect()
    }
}
