//! Tables in tables: sections, lists of them, and lists of lists.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Fields, Located, integer, type_name, wrong_type};
use crate::error::Problem;
use crate::reference::{Key, Kind, Shape};

impl<'t> Fields<'_, '_, 't> {
    /// A list of lists of strings; a single list can be given without the outer one.
    pub(crate) fn groups(&mut self, key: Key, slot: &mut Option<Vec<Vec<Located<String>>>>) {
        const EXPECTED: &str = "a list of lists of strings";
        let Some(value) = self.value(key, Kind::Groups) else {
            return;
        };
        let key = self.key(key.name);
        let DeValue::Array(array) = value.get_ref() else {
            let problem = wrong_type(EXPECTED, value.get_ref());
            self.reader.report(value.span().start, &key, problem);
            return;
        };
        let mut groups = Vec::new();
        let texts = |value: &Spanned<DeValue<'_>>| matches!(value.get_ref(), DeValue::String(_));
        let lists: Vec<&Spanned<DeValue<'_>>> = if array.iter().any(texts) {
            vec![value]
        } else {
            array.iter().collect()
        };
        for group in lists {
            let elements = match group.get_ref() {
                DeValue::Array(members) => members
                    .iter()
                    .map(|member| match member.get_ref() {
                        DeValue::String(text) => (member.span().start, Ok(text.to_string())),
                        other => (member.span().start, Err(wrong_type(EXPECTED, other))),
                    })
                    .collect(),
                other => vec![(group.span().start, Err(wrong_type(EXPECTED, other)))],
            };
            let mut members = None;
            self.assign_list(&key, &mut members, elements);
            groups.extend(members);
        }
        *slot = Some(groups);
    }

    /// A table whose keys the user chooses, each with an integer.
    pub(crate) fn named_integers(&mut self, key: Key, slot: &mut BTreeMap<String, Located<i64>>) {
        let path = self.key(key.name);
        self.reader.section(&path, key.about, Shape::Integers);
        let Some((table, _)) = self.table(key) else {
            return;
        };
        for (name, value) in table {
            match integer(value.get_ref(), &(i64::MIN..=i64::MAX)) {
                Ok(number) => {
                    let place = self.reader.place(value.span().start);
                    let located = Located {
                        value: number,
                        place,
                    };
                    slot.insert(name.get_ref().to_string(), located);
                }
                Err(problem) => {
                    let key = format!("{path}.{}", name.get_ref());
                    self.reader.report(value.span().start, &key, problem);
                }
            }
        }
    }

    /// A table of its own, read even when absent so that its keys are known.
    pub(crate) fn section(&mut self, key: Key, schema: impl FnOnce(&mut Fields<'_, '_, 't>)) {
        let (table, place) = match self.table(key) {
            Some((table, span)) => (Some(table), self.reader.place(span.start)),
            None => (None, self.place),
        };
        let path = self.key(key.name);
        let section = self.reader.section(&path, key.about, Shape::Table);
        Fields::read(self.reader, section, place, table, schema);
    }

    /// A list of tables, each read into a fresh `T`.
    pub(crate) fn sections<T: Default>(
        &mut self,
        key: Key,
        slot: &mut Option<Vec<T>>,
        schema: impl Fn(&mut Fields<'_, '_, 't>, &mut T),
    ) {
        let path = self.key(key.name);
        let section = self.reader.section(&path, key.about, Shape::List);
        self.asked.push(key.name);
        let Some(value) = self.find(key.name) else {
            let read = |fields: &mut Fields<'_, '_, 't>| schema(fields, &mut T::default());
            // Only to learn the keys: what an absent section lacks is no error.
            let before = self.reader.errors.len();
            Fields::read(self.reader, section, self.place, None, read);
            self.reader.errors.truncate(before);
            return;
        };
        let DeValue::Array(array) = value.get_ref() else {
            let found = type_name(value.get_ref());
            let problem = Problem::NotTables { found };
            self.reader.report(value.span().start, &path, problem);
            return;
        };
        let mut entries = Vec::new();
        for element in array {
            let DeValue::Table(table) = element.get_ref() else {
                let found = type_name(element.get_ref());
                let problem = Problem::NotTables { found };
                self.reader.report(element.span().start, &path, problem);
                continue;
            };
            let place = self.reader.place(element.span().start);
            let mut entry = T::default();
            Fields::read(self.reader, section, place, Some(table), |fields| {
                schema(fields, &mut entry);
            });
            entries.push(entry);
        }
        *slot = Some(entries);
    }

    /// A list of tables like [`Self::sections`]; a setting changes a key of all of them.
    pub(crate) fn settable_sections<T: Default>(
        &mut self,
        key: Key,
        slot: &mut Option<Vec<T>>,
        schema: impl Fn(&mut Fields<'_, '_, 't>, &mut T),
    ) {
        let value = self.find(key.name);
        let entries = slot.as_mut().filter(|entries| !entries.is_empty());
        let (Some(DeValue::Table(table)), Some(entries), true) = (
            value.map(Spanned::get_ref),
            entries,
            self.reader.is_setting(),
        ) else {
            self.sections(key, slot, schema);
            return;
        };
        let path = self.key(key.name);
        let section = self.reader.section(&path, key.about, Shape::List);
        self.asked.push(key.name);
        let before = self.reader.errors.len();
        for entry in entries {
            Fields::read(self.reader, section, self.place, Some(table), |fields| {
                schema(fields, entry);
            });
        }
        // What the one key needs beside it is there already, or was missed when that was read.
        let given = self.reader.errors.split_off(before).into_iter();
        let given = given.filter(|error| !matches!(error.problem, Problem::Missing { .. }));
        self.reader.errors.extend(given);
    }

    fn table(&mut self, key: Key) -> Option<(&'t DeTable<'t>, Range<usize>)> {
        self.asked.push(key.name);
        let value = self.find(key.name)?;
        match value.get_ref() {
            DeValue::Table(table) => Some((table, value.span())),
            other => {
                let problem = wrong_type("a table", other);
                let key = self.key(key.name);
                self.reader.report(value.span().start, &key, problem);
                None
            }
        }
    }
}
