//! The pairs of a finding. There may be very many, of which only a few are known in detail.

use std::sync::Arc;

use brownout_diag::{Evidence, Named, Pair, Witness};
use brownout_explore::{Difference, Part};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Explainer;
use crate::hazards::defects::Defect;
use crate::hazards::findings::Group;
use crate::hazards::locate::Hazard;
use crate::hazards::places::{PlaceNumber, Position};
use crate::wording;

/// A pair on its way into a finding.
pub(super) struct Told<'g> {
    pub(super) pair: Pair,
    pub(super) group: &'g Group,
    pub(super) telling: Telling,
    /// Where the consumer and the producer are.
    pub(super) positions: [Option<Position>; 2],
}

/// A pair of which no more is known than that it is one: numbers of places, and of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Bare {
    producer: PlaceNumber,
    consumer: PlaceNumber,
    name: u32,
}

/// How much users can make of a failure; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Telling {
    Itself,
    Named,
    Nameless,
}

impl Explainer<'_> {
    /// A pair, and what its first failure does.
    pub(super) fn told<'g>(&self, group: &'g Group) -> Told<'g> {
        let places = self.defects.places();
        let Hazard {
            consumer,
            producer,
            part,
            ..
        } = group.hazard;
        let witness = group.harm.first().map(|point| {
            Arc::new(Witness {
                replay: point.id(self.request, self.located),
                effects: self.effects(point, Some(part.object)),
            })
        });
        Told {
            pair: Pair {
                object: Arc::new(Named {
                    name: self.name(group),
                    ..self.objects().named(part)
                }),
                consumer: places.shared(consumer),
                producer: places.shared(producer),
                evidence: group.evidence(),
                witness,
            },
            group,
            telling: self.telling(group),
            positions: [places.position(consumer), places.position(producer)],
        }
    }

    /// The other pairs of a defect, each once, in the order of their places.
    pub(super) fn bare(&self, defect: &Defect<'_, '_>) -> Vec<Pair> {
        let places = self.defects.places();
        let mut names: Vec<Arc<Named>> = Vec::new();
        let mut numbers: FxHashMap<Part, u32> = FxHashMap::default();
        let mut name = |part: Part, names: &mut Vec<Arc<Named>>| {
            *numbers.entry(part).or_insert_with(|| {
                names.push(Arc::new(self.named(defect.key.rule, part)));
                names.len() as u32 - 1
            })
        };
        let mut known: FxHashSet<Bare> = FxHashSet::default();
        if !defect.further.is_empty() {
            for group in &defect.groups {
                let hazard = &group.hazard;
                known.insert(Bare {
                    producer: places.number(hazard.producer),
                    consumer: places.number(hazard.consumer),
                    name: name(hazard.part, &mut names),
                });
            }
        }
        let mut all: Vec<Bare> = Vec::with_capacity(defect.further.len());
        for (overwrites, reader) in &defect.further {
            let bare = Bare {
                producer: places.number(overwrites.producer),
                consumer: places.number(reader.consumer),
                name: name(overwrites.part(reader), &mut names),
            };
            if !known.contains(&bare) {
                all.push(bare);
            }
        }
        all.sort_unstable();
        all.dedup();
        let pair = |bare: &Bare| Pair {
            object: Arc::clone(&names[bare.name as usize]),
            consumer: places.place(bare.consumer),
            producer: places.place(bare.producer),
            evidence: Evidence::Located,
            witness: None,
        };
        all.iter().map(pair).collect()
    }

    fn telling(&self, group: &Group) -> Telling {
        let Some(point) = group.harm.first() else {
            return Telling::Nameless;
        };
        let object = group.hazard.part.object;
        let differences = point.trial.differences();
        let is_itself = |difference: &Difference| matches!(difference, Difference::Value { part, .. } if part.object == object);
        if differences.iter().any(is_itself) {
            return Telling::Itself;
        }
        let is_nameless = |difference: &Difference| wording::is_nameless(self.image, difference);
        match differences.iter().all(is_nameless) {
            true => Telling::Nameless,
            false => Telling::Named,
        }
    }
}
