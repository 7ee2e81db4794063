//! Reads typed fields out of a TOML table and remembers everything that is wrong.
//!
//! A section asks for each of its keys once; asking *is* the schema. Keys that nobody asked for are
//! unknown, and the keys that were asked for are what they are compared with. The text of a file and
//! a `--set` argument come through here alike; they differ only in where an offset lies and in that
//! a list of texts may be given as `a,b`.
//!
//! **Invariant**: a field is assigned only when its value is right; nothing panics on any text.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::energy::Dimension;
use crate::error::{ConfigError, Place, Problem};
use crate::suggest::nearest;

/// A value with the place where it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

/// A text that stands for one of a few values.
pub(crate) trait Choice: Copy + 'static {
    /// The texts, in the order of [`Choice::VALUES`].
    const NAMES: &'static [&'static str];
    /// The values.
    const VALUES: &'static [Self];
}

/// Where the text being read comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// A file.
    Text,
    /// A `--set` argument, the one after so many.
    Setting(u32),
}

/// Collects errors and the keys that exist.
pub(crate) struct Reader<'s> {
    origin: Origin,
    text: &'s str,
    line_starts: Vec<usize>,
    keys: Vec<String>,
    unknown: Vec<(String, Place)>,
    errors: Vec<ConfigError>,
}

impl<'s> Reader<'s> {
    pub(crate) fn new(origin: Origin, text: &'s str) -> Reader<'s> {
        let line_ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(line_ends.map(|(end, _)| end + 1))
            .collect();
        Reader {
            origin,
            text,
            line_starts,
            keys: Vec::new(),
            unknown: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Reads the whole table with `schema`, then gives back the errors in the order of the text.
    pub(crate) fn read<'t>(
        mut self,
        table: &'t Spanned<DeTable<'t>>,
        schema: impl FnOnce(&mut Fields<'_, '_, 't>),
    ) -> Vec<ConfigError> {
        let place = self.place(table.span().start);
        Fields::read(
            &mut self,
            String::new(),
            place,
            Some(table.get_ref()),
            schema,
        );
        let mut errors = self.errors;
        for (key, place) in self.unknown {
            let nearest = nearest_key(&key, &self.keys);
            errors.push(ConfigError {
                place,
                key,
                problem: Problem::UnknownKey { nearest },
            });
        }
        errors.sort_by_key(|error| error.place);
        errors
    }

    /// The place of a byte offset.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or("");
        let column = before.chars().count() as u32 + 1;
        match self.origin {
            Origin::Text => Place::Text {
                line: line as u32,
                column,
            },
            Origin::Setting(number) => Place::Setting { number, column },
        }
    }

    fn report(&mut self, offset: usize, key: &str, problem: Problem) {
        let place = self.place(offset);
        self.errors.push(ConfigError {
            place,
            key: key.to_owned(),
            problem,
        });
    }
}

/// The key that may have been meant: a similar one of the same section, else the same elsewhere.
fn nearest_key(wrong: &str, keys: &[String]) -> Option<String> {
    let (section, name) = split_key(wrong);
    let siblings = keys.iter().map(|key| split_key(key));
    let similar = nearest(
        name,
        siblings
            .filter(|&(other, _)| other == section)
            .map(|(_, sibling)| sibling),
    );
    let elsewhere = || {
        let folded = name.to_lowercase().replace('_', "-");
        keys.iter().find(|key| split_key(key).1 == folded).cloned()
    };
    match similar {
        Some(similar) if section.is_empty() => Some(similar.to_owned()),
        Some(similar) => Some(format!("{section}.{similar}")),
        None => elsewhere(),
    }
}

fn split_key(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}

/// One table being read.
pub(crate) struct Fields<'r, 's, 't> {
    reader: &'r mut Reader<'s>,
    path: String,
    place: Place,
    table: Option<&'t DeTable<'t>>,
    asked: Vec<&'static str>,
}

impl<'r, 's, 't> Fields<'r, 's, 't> {
    fn read(
        reader: &'r mut Reader<'s>,
        path: String,
        place: Place,
        table: Option<&'t DeTable<'t>>,
        schema: impl FnOnce(&mut Fields<'_, '_, 't>),
    ) {
        let mut fields = Fields {
            reader,
            path,
            place,
            table,
            asked: Vec::new(),
        };
        schema(&mut fields);
        for (key, _) in table.into_iter().flatten() {
            let name: &str = key.get_ref();
            if !fields.asked.contains(&name) {
                let place = fields.reader.place(key.span().start);
                let path = fields.key(name);
                fields.reader.unknown.push((path, place));
            }
        }
    }

    /// Where the table is.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Reports something wrong with a key of this table; the empty key is the table itself.
    pub(crate) fn report(&mut self, key: &str, place: Place, problem: Problem) {
        let key = if key.is_empty() {
            self.path.clone()
        } else {
            self.key(key)
        };
        self.reader.errors.push(ConfigError {
            place,
            key,
            problem,
        });
    }

    pub(crate) fn text(&mut self, key: &'static str, slot: &mut Option<Located<String>>) {
        self.parsed(key, slot, |text| Ok(text.to_owned()));
    }

    /// A text that must not be empty and that `parse` understands.
    pub(crate) fn parsed<T>(
        &mut self,
        key: &'static str,
        slot: &mut Option<Located<T>>,
        parse: impl FnOnce(&str) -> Result<T, Problem>,
    ) {
        self.scalar(key, slot, |value| match value {
            DeValue::String(text) if text.trim().is_empty() => Err(Problem::Empty),
            DeValue::String(text) => parse(text),
            other => Err(wrong_type("text", other)),
        });
    }

    pub(crate) fn choice<T: Choice>(&mut self, key: &'static str, slot: &mut Option<Located<T>>) {
        self.parsed(key, slot, |text| {
            let known = T::NAMES.iter().position(|&name| name == text);
            match known.and_then(|index| T::VALUES.get(index)) {
                Some(&value) => Ok(value),
                None => Err(Problem::NotOneOf {
                    found: text.to_owned(),
                    allowed: T::NAMES,
                    nearest: nearest(text, T::NAMES.iter().copied()),
                }),
            }
        });
    }

    pub(crate) fn boolean(&mut self, key: &'static str, slot: &mut Option<Located<bool>>) {
        self.scalar(key, slot, |value| match value {
            DeValue::Boolean(boolean) => Ok(*boolean),
            other => Err(wrong_type("true or false", other)),
        });
    }

    pub(crate) fn integer<T: TryFrom<i64>>(
        &mut self,
        key: &'static str,
        allowed: RangeInclusive<i64>,
        slot: &mut Option<Located<T>>,
    ) {
        self.scalar(key, slot, |value| integer(value, &allowed));
    }

    /// A number in SI base units, or a text with a unit.
    pub(crate) fn quantity(
        &mut self,
        key: &'static str,
        dimension: Dimension,
        slot: &mut Option<Located<f64>>,
    ) {
        self.scalar(key, slot, |value| {
            let written = match value {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
                DeValue::Float(number) => number.as_str().to_owned(),
                other => return Err(wrong_type("a number or a text with a unit", other)),
            };
            dimension.parse(&written).ok_or(Problem::NotAQuantity {
                found: written,
                dimension,
            })
        });
    }

    pub(crate) fn texts(&mut self, key: &'static str, slot: &mut Option<Vec<Located<String>>>) {
        self.parsed_texts(key, slot, |text| Ok(text.to_owned()));
    }

    /// A list of texts that `parse` understands. A setting may give it as `a,b`.
    pub(crate) fn parsed_texts<T>(
        &mut self,
        key: &'static str,
        slot: &mut Option<Vec<Located<T>>>,
        parse: impl Fn(&str) -> Result<T, Problem>,
    ) {
        let Some(value) = self.value(key) else { return };
        let key = self.key(key);
        let elements: Vec<(usize, Result<T, Problem>)> = match (value.get_ref(), self.reader.origin)
        {
            (DeValue::String(text), Origin::Setting(_)) => text
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(|part| (value.span().start, parse(part)))
                .collect(),
            (DeValue::Array(array), _) => array
                .iter()
                .map(|element| match element.get_ref() {
                    DeValue::String(text) if text.trim().is_empty() => {
                        (element.span().start, Err(Problem::Empty))
                    }
                    DeValue::String(text) => (element.span().start, parse(text)),
                    other => {
                        let problem = wrong_type("a list of texts", other);
                        (element.span().start, Err(problem))
                    }
                })
                .collect(),
            (other, _) => vec![(
                value.span().start,
                Err(wrong_type("a list of texts", other)),
            )],
        };
        self.assign_list(&key, slot, elements);
    }

    pub(crate) fn integers(&mut self, key: &'static str, slot: &mut Option<Located<Vec<i64>>>) {
        let Some(value) = self.value(key) else { return };
        let key = self.key(key);
        let DeValue::Array(array) = value.get_ref() else {
            let problem = wrong_type("a list of integers", value.get_ref());
            self.reader.report(value.span().start, &key, problem);
            return;
        };
        let mut numbers = Vec::with_capacity(array.len());
        for element in array {
            match integer(element.get_ref(), &(i64::MIN..=i64::MAX)) {
                Ok(number) => numbers.push(number),
                Err(problem) => self.reader.report(element.span().start, &key, problem),
            }
        }
        if numbers.len() == array.len() {
            let place = self.reader.place(value.span().start);
            *slot = Some(Located {
                value: numbers,
                place,
            });
        }
    }

    /// A list of lists of texts; a single list can be given without the outer one.
    pub(crate) fn groups(
        &mut self,
        key: &'static str,
        slot: &mut Option<Vec<Vec<Located<String>>>>,
    ) {
        const EXPECTED: &str = "a list of lists of texts";
        let Some(value) = self.value(key) else { return };
        let key = self.key(key);
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
    pub(crate) fn named_integers(
        &mut self,
        key: &'static str,
        slot: &mut BTreeMap<String, Located<i64>>,
    ) {
        let Some((table, _)) = self.table(key) else {
            return;
        };
        let path = self.key(key);
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
    pub(crate) fn section(
        &mut self,
        key: &'static str,
        schema: impl FnOnce(&mut Fields<'_, '_, 't>),
    ) {
        let (table, place) = match self.table(key) {
            Some((table, span)) => (Some(table), self.reader.place(span.start)),
            None => (None, self.place),
        };
        let path = self.key(key);
        Fields::read(self.reader, path, place, table, schema);
    }

    /// A list of tables, each read into a fresh `T`.
    pub(crate) fn sections<T: Default>(
        &mut self,
        key: &'static str,
        slot: &mut Option<Vec<T>>,
        schema: impl Fn(&mut Fields<'_, '_, 't>, &mut T),
    ) {
        const EXPECTED: &str = "a list of tables";
        let value = self.value(key);
        let path = self.key(key);
        let Some(value) = value else {
            let read = |fields: &mut Fields<'_, '_, 't>| schema(fields, &mut T::default());
            // Only to learn the keys: what an absent section lacks is no error.
            let before = self.reader.errors.len();
            Fields::read(self.reader, path, self.place, None, read);
            self.reader.errors.truncate(before);
            return;
        };
        let DeValue::Array(array) = value.get_ref() else {
            let problem = wrong_type(EXPECTED, value.get_ref());
            self.reader.report(value.span().start, &path, problem);
            return;
        };
        let mut entries = Vec::new();
        for element in array {
            let DeValue::Table(table) = element.get_ref() else {
                let problem = wrong_type(EXPECTED, element.get_ref());
                self.reader.report(element.span().start, &path, problem);
                continue;
            };
            let place = self.reader.place(element.span().start);
            let mut entry = T::default();
            Fields::read(self.reader, path.clone(), place, Some(table), |fields| {
                schema(fields, &mut entry);
            });
            entries.push(entry);
        }
        *slot = Some(entries);
    }

    /// Whether the value under `key` is this text; for keys that take a word instead of a list.
    pub(crate) fn is_word(&self, key: &str, word: &str) -> bool {
        self.find(key).and_then(|value| value.get_ref().as_str()) == Some(word)
    }

    /// Whether the key is there, right or wrong.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    fn scalar<T>(
        &mut self,
        key: &'static str,
        slot: &mut Option<Located<T>>,
        decode: impl FnOnce(&DeValue<'t>) -> Result<T, Problem>,
    ) {
        let Some(value) = self.value(key) else { return };
        let Range { start, .. } = value.span();
        match decode(value.get_ref()) {
            Ok(value) => {
                let place = self.reader.place(start);
                *slot = Some(Located { value, place });
            }
            Err(problem) => {
                let key = self.key(key);
                self.reader.report(start, &key, problem);
            }
        }
    }

    fn assign_list<T>(
        &mut self,
        key: &str,
        slot: &mut Option<Vec<Located<T>>>,
        elements: Vec<(usize, Result<T, Problem>)>,
    ) {
        let wanted = elements.len();
        let mut values = Vec::with_capacity(wanted);
        for (offset, element) in elements {
            match element {
                Ok(value) => {
                    let place = self.reader.place(offset);
                    values.push(Located { value, place });
                }
                Err(problem) => self.reader.report(offset, key, problem),
            }
        }
        if values.len() == wanted {
            *slot = Some(values);
        }
    }

    fn table(&mut self, key: &'static str) -> Option<(&'t DeTable<'t>, Range<usize>)> {
        let value = self.value(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some((table, value.span())),
            other => {
                let problem = wrong_type("a table", other);
                let key = self.key(key);
                self.reader.report(value.span().start, &key, problem);
                None
            }
        }
    }

    fn value(&mut self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key);
        let path = self.key(key);
        if !self.reader.keys.contains(&path) {
            self.reader.keys.push(path);
        }
        self.find(key)
    }

    fn find(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table?
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map(|(_, value)| value)
    }

    fn key(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}

fn integer<T: TryFrom<i64>>(
    value: &DeValue<'_>,
    allowed: &RangeInclusive<i64>,
) -> Result<T, Problem> {
    let DeValue::Integer(written) = value else {
        return Err(wrong_type("an integer", value));
    };
    number(written)
        .filter(|number| allowed.contains(number))
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| Problem::OutOfRange {
            found: written.to_string(),
            low: *allowed.start(),
            high: *allowed.end(),
        })
}

fn number(written: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(written.as_str(), written.radix()).ok()
}

fn wrong_type(expected: &'static str, found: &DeValue<'_>) -> Problem {
    let found = match found {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Problem::WrongType { expected, found }
}
