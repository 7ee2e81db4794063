//! The pairs found so far, and enough occurrences of each.
//!
//! Pairs are sets of places: for each place that overwrites an object, in the regions of one
//! checkpoint, those that read it. Occurrences are kept as long as there are not very many pairs:
//! n statements that read and overwrite one variable are n² pairs, of which a place that overwrites
//! keeps the occurrences of a few. Of the others no more is known than that they are pairs, and
//! whether they are silent.

use std::collections::hash_map::Entry;
use std::ops::Range;

use brownout_diag::Rule;
use brownout_explore::{CheckpointCall, Context, Instance, Object, Part};
use rustc_hash::FxHashMap;

use crate::hazards::locate::{Hazard, Overwrites, Reader};

/// A place that overwrites an object in the regions of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Site {
    pub(crate) rule: Rule,
    pub(crate) object: Object,
    pub(crate) producer: u32,
    /// The checkpoint call before it, where regions begin at such calls.
    pub(crate) checkpoint: Option<CheckpointCall>,
}

/// Whether a write stores another value than was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occurrence {
    Loud,
    Silent,
}

/// Occurrences of one kind.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The bytes of the object that they concern.
    bytes: Range<u64>,
    /// The first of them.
    first: Vec<Instance>,
}

impl Seen {
    /// The bytes for which no more occurrences are needed.
    fn enough(&self) -> Option<Range<u64>> {
        (self.first.len() >= INSTANCES).then(|| self.bytes.clone())
    }
}

/// The bytes of an object for which no more occurrences of a pair are needed.
#[derive(Clone, Debug)]
pub(crate) struct Enough {
    /// Whatever value is stored.
    pub(crate) loud: Option<Range<u64>>,
    /// If the value is stored that was read: silent occurrences do not matter beside a loud one.
    pub(crate) silent: Option<Range<u64>>,
}

/// The occurrences of a pair.
#[derive(Clone, Debug, Default)]
struct Found {
    loud: Seen,
    silent: Seen,
    /// The calls that were in progress when the producer was executed.
    paths: Vec<Context>,
}

/// What is known of a pair.
#[derive(Clone, Debug)]
enum Known {
    /// Its occurrences: the number of their entry.
    Occurrences(u32),
    /// No more than that there is such a pair.
    Existence {
        /// The bytes of the object.
        bytes: Range<u32>,
        silent: bool,
    },
}

/// How many occurrences of a pair are kept.
const INSTANCES: usize = 8;
/// How many call paths of a pair are told apart.
const PATHS: usize = 64;
/// For how many pairs a place that overwrites keeps the occurrences, however many pairs there are in all.
const ALWAYS: u32 = 4;

/// All pairs of an execution.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// How many pairs may keep their occurrences before places that overwrite have to share.
    detailed: usize,
    numbers: FxHashMap<Site, u32>,
    sites: Vec<Kept>,
    /// What is known of each pair, by the number of the site that overwrites and the operation that reads.
    known: FxHashMap<(u32, u32), Known>,
    found: Vec<Found>,
    /// How many occurrences and call paths are kept.
    kept: usize,
}

/// A place that overwrites, and for how many of its pairs the occurrences are kept.
#[derive(Debug)]
struct Kept {
    site: Site,
    detailed: u32,
}

impl Pairs {
    /// No pairs yet, with room for the occurrences of so many pairs, and of some more.
    pub(crate) fn new(detailed: usize) -> Self {
        Self {
            detailed,
            numbers: FxHashMap::default(),
            sites: Vec::new(),
            known: FxHashMap::default(),
            found: Vec::new(),
            kept: 0,
        }
    }

    /// Notes an occurrence with the consumer `reader` that concerns `bytes` of the object. Returns the bytes for which no
    /// further occurrences in the same calls are needed.
    pub(crate) fn record(
        &mut self,
        site: Site,
        reader: u32,
        bytes: Range<u64>,
        instance: Instance,
        occurrence: Occurrence,
    ) -> Enough {
        let sites = &mut self.sites;
        let number = *self.numbers.entry(site).or_insert_with(|| {
            sites.push(Kept { site, detailed: 0 });
            sites.len() as u32 - 1
        });
        let number = match self.known.entry((number, reader)) {
            Entry::Occupied(mut known) => match known.get_mut() {
                Known::Occurrences(number) => *number,
                existence @ Known::Existence { .. } => return existence.widen(&bytes, occurrence),
            },
            Entry::Vacant(none) => {
                let kept = &mut sites[number as usize];
                if self.found.len() >= self.detailed && kept.detailed >= ALWAYS {
                    let known = none.insert(Known::Existence {
                        bytes: narrow(&bytes),
                        silent: true,
                    });
                    return known.widen(&bytes, occurrence);
                }
                let number = self.found.len() as u32;
                self.found.push(Found::default());
                kept.detailed += 1;
                none.insert(Known::Occurrences(number));
                number
            }
        };
        let found = &mut self.found[number as usize];
        let before = found.size();
        let enough = found.add(bytes, instance, occurrence);
        self.kept += found.size() - before;
        enough
    }

    /// How many pairs, occurrences and call paths are kept: grows with everything that is new.
    pub(crate) fn kept(&self) -> u64 {
        (self.kept + self.known.len()) as u64
    }

    /// The pairs with their occurrences, in a stable order, and those without.
    pub(crate) fn into_hazards(self) -> (Vec<Hazard>, Vec<Overwrites>) {
        let Self {
            sites,
            known,
            mut found,
            ..
        } = self;
        let mut hazards: Vec<(Site, Hazard)> = Vec::with_capacity(found.len());
        let bare = known.len().saturating_sub(found.len());
        let mut further: Vec<(u32, Reader)> = Vec::with_capacity(bare);
        #[expect(
            clippy::iter_over_hash_type,
            reason = "both lists are sorted afterwards"
        )]
        for ((number, consumer), known) in known {
            let site = sites[number as usize].site;
            match known {
                Known::Occurrences(number) => {
                    let found = std::mem::take(&mut found[number as usize]);
                    hazards.push((site, found.hazard(site, consumer)));
                }
                Known::Existence { bytes, silent } => further.push((
                    number,
                    Reader {
                        consumer,
                        bytes,
                        silent,
                    },
                )),
            }
        }
        hazards.sort_by_key(|(site, hazard)| {
            let first = hazard.instances.first().copied();
            (first, *site, hazard.consumer)
        });
        further.sort_unstable_by_key(|(number, reader)| (*number, reader.consumer));
        let together = further.chunk_by(|one, other| one.0 == other.0);
        let overwrites = together.map(|readers| {
            let site = sites[readers[0].0 as usize].site;
            Overwrites {
                rule: site.rule,
                object: site.object,
                producer: site.producer,
                checkpoint: site.checkpoint.map(CheckpointCall::pc),
                readers: readers.iter().map(|(_, reader)| reader.clone()).collect(),
            }
        });
        let overwrites = overwrites.collect();
        (
            hazards.into_iter().map(|(_, hazard)| hazard).collect(),
            overwrites,
        )
    }
}

/// Offsets in memory have 32 bits, and so has what lies in an object.
fn narrow(bytes: &Range<u64>) -> Range<u32> {
    bytes.start as u32..bytes.end as u32
}

impl Known {
    /// Notes one more occurrence of a pair whose occurrences are not kept.
    fn widen(&mut self, more: &Range<u64>, occurrence: Occurrence) -> Enough {
        let mut loud = None;
        if let Self::Existence { bytes, silent } = self {
            let narrow = narrow(more);
            match (*silent, occurrence) {
                (true, Occurrence::Loud) => (*bytes, *silent) = (narrow, false),
                (false, Occurrence::Silent) => {}
                (true, Occurrence::Silent) | (false, Occurrence::Loud) => {
                    *bytes = bytes.start.min(narrow.start)..bytes.end.max(narrow.end);
                }
            }
            loud = (!*silent).then(|| more.clone());
        }
        Enough {
            loud,
            silent: Some(more.clone()),
        }
    }
}

impl Found {
    /// How many occurrences and call paths it has.
    fn size(&self) -> usize {
        self.loud.first.len() + self.silent.first.len() + self.paths.len()
    }

    fn add(&mut self, bytes: Range<u64>, instance: Instance, occurrence: Occurrence) -> Enough {
        let seen = match occurrence {
            Occurrence::Loud => &mut self.loud,
            Occurrence::Silent => &mut self.silent,
        };
        if seen.first.is_empty() {
            seen.bytes = bytes;
        } else {
            seen.bytes = seen.bytes.start.min(bytes.start)..seen.bytes.end.max(bytes.end);
        }
        if seen.first.len() < INSTANCES && seen.first.last() != Some(&instance) {
            seen.first.push(instance);
        }
        if self.paths.len() < PATHS && !self.paths.contains(&instance.producer_calls) {
            self.paths.push(instance.producer_calls);
        }
        let (loud, silent) = (&self.loud, &self.silent);
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

    fn hazard(self, site: Site, consumer: u32) -> Hazard {
        let silent = self.loud.first.is_empty();
        let seen = if silent { self.silent } else { self.loud };
        Hazard {
            rule: site.rule,
            part: Part {
                object: site.object,
                start: seen.bytes.start,
                end: seen.bytes.end,
            },
            consumer,
            producer: site.producer,
            checkpoint: site.checkpoint.map(CheckpointCall::pc),
            silent,
            instances: seen.first,
            paths: self.paths,
        }
    }
}
