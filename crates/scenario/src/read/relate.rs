//! What holds for the keys of one table together: checked, and remembered for the reference.

use super::Fields;
use crate::error::{Place, Problem};
use crate::reference::Relation;

impl Fields<'_, '_, '_> {
    /// One of the keys has to be there.
    pub(crate) fn require(&mut self, keys: &'static [&'static str]) {
        self.relate(Relation::Required(keys));
        if !keys.iter().any(|key| self.has(key)) {
            let wanted = any_of(keys);
            self.report("", self.place, Problem::Missing { wanted });
        }
    }

    /// At most one of the keys may be there; the first one stays.
    pub(crate) fn at_most_one(&mut self, keys: &'static [&'static str]) {
        for (index, &first) in keys.iter().enumerate() {
            for &other in &keys[index + 1..] {
                self.relate(Relation::Apart(first, other));
            }
        }
        let mut given = keys.iter().filter(|key| self.has(key));
        let Some(&first) = given.next() else { return };
        let others: Vec<&'static str> = given.copied().collect();
        for key in others {
            self.conflict(key, first);
        }
    }

    /// `key` excludes each of the others.
    pub(crate) fn apart(&mut self, key: &'static str, others: &'static [&'static str]) {
        for &other in others {
            self.relate(Relation::Apart(key, other));
        }
        if let Some(&other) = others.iter().find(|other| self.has(other)) {
            self.conflict(key, other);
        }
    }

    /// `key` makes sense only with one of the others.
    pub(crate) fn needs(&mut self, key: &'static str, others: &'static [&'static str]) {
        self.relate(Relation::Needs(key, others));
        if !others.iter().any(|other| self.has(other)) {
            let wanted = any_of(others);
            self.complain(key, Problem::Missing { wanted });
        }
    }

    fn conflict(&mut self, key: &str, other: &'static str) {
        self.complain(key, Problem::Conflict { other });
    }

    /// Reports a problem of a key that is there, unless something is wrong with it already.
    fn complain(&mut self, key: &str, problem: Problem) {
        if let Some(place) = self.place_of(key)
            && self.reader.errors.iter().all(|error| error.place != place)
        {
            self.report(key, place, problem);
        }
    }

    /// Whether the key is there, right or wrong.
    fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    fn place_of(&self, key: &str) -> Option<Place> {
        let value = self.find(key)?;
        Some(self.reader.place(value.span().start))
    }

    fn relate(&mut self, relation: Relation) {
        let section = self.reader.sections.get_mut(self.section);
        if let Some(section) = section
            && !section.relations.contains(&relation)
        {
            section.relations.push(relation);
        }
    }
}

/// "`a` or `b`".
fn any_of(keys: &[&str]) -> String {
    keys.iter()
        .map(|key| format!("`{key}`"))
        .collect::<Vec<_>>()
        .join(" or ")
}
