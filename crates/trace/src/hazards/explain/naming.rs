//! What findings call the bytes that they are about.

use brownout_diag::{Effect, Named, Rule, When};
use brownout_explore::{Difference, Part};

use super::Explainer;
use crate::hazards::findings::Group;
use crate::wording;

/// A bit-field that a finding is about alone.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Field {
    /// Its bits in its object: from one on, up to another.
    pub(super) bits: (u64, u64),
    pub(super) name: String,
}

impl Explainer<'_> {
    /// What some bytes of an object are called in the findings of a rule.
    pub(super) fn part_name(&self, rule: Rule, part: Part) -> String {
        match rule {
            Rule::MemoryMap => self.objects().whole_name(part.object),
            _ => self.objects().name(part),
        }
    }

    /// Some bytes of an object in the findings of a rule.
    pub(super) fn named(&self, rule: Rule, part: Part) -> Named {
        Named {
            name: self.part_name(rule, part),
            ..self.objects().named(part)
        }
    }

    /// The one bit-field that a pair is about, of several that share their bytes.
    pub(super) fn bit_field(&self, group: &Group) -> Option<Field> {
        let part = group.hazard.part;
        let name = self.name(group);
        let mut fields = self.objects().bit_fields(part).into_iter();
        fields
            .find(|(field, ..)| *field == name)
            .map(|(name, bits, _)| Field {
                bits: (part.start * 8 + bits.start, part.start * 8 + bits.end),
                name,
            })
    }

    /// What the object of a pair is called. Accesses to a bit-field are accesses to all that share its
    /// bytes: if failures change one of them only, that is the one.
    pub(super) fn name(&self, group: &Group) -> String {
        let part = group.hazard.part;
        let fields = self.objects().bit_fields(part);
        if fields.is_empty() || group.hazard.rule == Rule::MemoryMap {
            return self.part_name(group.hazard.rule, part);
        }
        let mut changed: Vec<String> = group
            .harm
            .iter()
            .flat_map(|point| point.trial.differences())
            .filter(|difference| matches!(difference, Difference::Value { part: other, .. } if *other == part))
            .flat_map(|difference| wording::effects(self.image, self.objects(), difference, None, When::Elsewhere))
            .filter_map(|effect| match effect {
                Effect::Value { object, .. } => Some(object.name),
                _ => None,
            })
            .collect();
        changed.sort();
        changed.dedup();
        match (changed.as_slice(), fields.as_slice()) {
            ([only], _) | (_, [(only, ..)]) => only.clone(),
            _ => self.objects().name(part),
        }
    }
}
