//! Reads typed fields out of a TOML table and remembers everything that is wrong.
//!
//! A section asks for each of its keys once, saying what it means; asking *is* the schema. Keys that
//! nobody asked for are unknown, and the keys that were asked for are what they are compared with and
//! what [`crate::reference`] tells. The text of a file and
//! a `--set` argument come through here alike; they differ only in where an offset lies and in that
//! a list of strings may be given as `a,b`.
//!
//! **Invariant**: a field is assigned only when its value is right; nothing panics on any text.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::energy::Dimension;
use crate::error::{ConfigError, Place, Problem};
use crate::reference::{Key, KeyDescription, Kind, Section, Shape};
use crate::suggest::nearest;

mod mixed;
mod relate;
mod tables;

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
    /// A profile, the one after so many.
    Profile(u32),
}

/// What came out of reading.
pub(crate) struct Outcome {
    /// In the order of the text.
    pub(crate) errors: Vec<ConfigError>,
    /// What was asked for.
    pub(crate) sections: Vec<Section>,
}

/// Collects errors and the keys that exist.
pub(crate) struct Reader<'s> {
    origin: Origin,
    text: &'s str,
    line_starts: Vec<usize>,
    sections: Vec<Section>,
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
            sections: Vec::new(),
            unknown: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Whether a `--set` argument is read.
    fn is_setting(&self) -> bool {
        matches!(self.origin, Origin::Setting(_))
    }

    /// Reads the whole table with `schema`.
    pub(crate) fn read<'t>(
        mut self,
        table: &'t Spanned<DeTable<'t>>,
        schema: impl FnOnce(&mut Fields<'_, '_, 't>),
    ) -> Outcome {
        let place = self.place(table.span().start);
        let section = self.section("", "", Shape::Document);
        Fields::read(&mut self, section, place, Some(table.get_ref()), schema);
        let keys = known_keys(&self.sections);
        let mut errors = self.errors;
        for (key, place) in self.unknown {
            let nearest = nearest_key(&key, &keys);
            errors.push(ConfigError {
                place,
                key,
                problem: Problem::UnknownKey { nearest },
            });
        }
        errors.sort_by_key(|error| error.place);
        Outcome {
            errors,
            sections: self.sections,
        }
    }

    /// The number of the section with this name.
    fn section(&mut self, name: &str, about: &'static str, shape: Shape) -> usize {
        let known = self.sections.iter().position(|known| known.name == name);
        known.unwrap_or_else(|| {
            self.sections.push(Section {
                name: name.to_owned(),
                about,
                shape,
                keys: Vec::new(),
                relations: Vec::new(),
            });
            self.sections.len() - 1
        })
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
            Origin::Profile(number) => Place::Profile {
                number,
                line: line as u32,
                column,
            },
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

/// The full names of all sections and keys.
fn known_keys(sections: &[Section]) -> Vec<String> {
    let full = |section: &Section| {
        let names: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
        let path = section.name.clone();
        let own = (!path.is_empty()).then(|| path.clone());
        own.into_iter()
            .chain(names.into_iter().map(move |name| join(&path, name)))
    };
    sections.iter().flat_map(full).collect()
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
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
    section: usize,
    place: Place,
    table: Option<&'t DeTable<'t>>,
    asked: Vec<&'static str>,
}

impl<'r, 's, 't> Fields<'r, 's, 't> {
    fn read(
        reader: &'r mut Reader<'s>,
        section: usize,
        place: Place,
        table: Option<&'t DeTable<'t>>,
        schema: impl FnOnce(&mut Fields<'_, '_, 't>),
    ) {
        let mut fields = Fields {
            reader,
            section,
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

    /// Reports something wrong with a key of this table; the empty key is the table itself.
    pub(crate) fn report(&mut self, key: &str, place: Place, problem: Problem) {
        let key = if key.is_empty() {
            self.path().to_owned()
        } else {
            self.key(key)
        };
        self.reader.errors.push(ConfigError {
            place,
            key,
            problem,
        });
    }

    pub(crate) fn text(&mut self, key: Key, slot: &mut Option<Located<String>>) {
        self.parsed(key, None, slot, |text| Ok(text.to_owned()));
    }

    /// A text that must not be empty and that `parse` understands; `form` is a regular expression
    /// that fits all of them.
    pub(crate) fn parsed<T>(
        &mut self,
        key: Key,
        form: Option<&'static str>,
        slot: &mut Option<Located<T>>,
        parse: impl FnOnce(&str) -> Result<T, Problem>,
    ) {
        self.scalar(key, Kind::Text(form), slot, |value| text(value, parse));
    }

    pub(crate) fn choice<T: Choice>(&mut self, key: Key, slot: &mut Option<Located<T>>) {
        let parse = |text: &str| {
            let known = T::NAMES.iter().position(|&name| name == text);
            match known.and_then(|index| T::VALUES.get(index)) {
                Some(&value) => Ok(value),
                None => Err(Problem::NotOneOf {
                    found: text.to_owned(),
                    allowed: T::NAMES,
                    nearest: nearest(text, T::NAMES.iter().copied()),
                }),
            }
        };
        self.scalar(key, Kind::Choice(T::NAMES), slot, |value| {
            text(value, parse)
        });
    }

    pub(crate) fn boolean(&mut self, key: Key, slot: &mut Option<Located<bool>>) {
        self.scalar(key, Kind::Boolean, slot, |value| match value {
            DeValue::Boolean(boolean) => Ok(*boolean),
            other => Err(wrong_type("true or false", other)),
        });
    }

    pub(crate) fn integer<T: TryFrom<i64>>(
        &mut self,
        key: Key,
        allowed: RangeInclusive<i64>,
        slot: &mut Option<Located<T>>,
    ) {
        self.scalar(key, Kind::Integer(allowed.clone()), slot, |value| {
            integer(value, &allowed)
        });
    }

    /// A number in SI base units, or a string with a unit.
    pub(crate) fn quantity(
        &mut self,
        key: Key,
        dimension: Dimension,
        slot: &mut Option<Located<f64>>,
    ) {
        self.scalar(key, Kind::Quantity(dimension), slot, |value| {
            let written = match value {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
                DeValue::Float(number) => number.as_str().to_owned(),
                other => return Err(wrong_type("a number or a string with a unit", other)),
            };
            dimension.parse(&written).ok_or(Problem::NotAQuantity {
                found: written,
                dimension,
            })
        });
    }

    pub(crate) fn texts(&mut self, key: Key, slot: &mut Option<Vec<Located<String>>>) {
        self.parsed_texts(key, None, slot, |text| Ok(text.to_owned()));
    }

    /// A list of strings that `parse` understands. A setting may give it as `a,b`.
    pub(crate) fn parsed_texts<T>(
        &mut self,
        key: Key,
        form: Option<&'static str>,
        slot: &mut Option<Vec<Located<T>>>,
        parse: impl Fn(&str) -> Result<T, Problem>,
    ) {
        if let Some(value) = self.value(key, Kind::Texts(form)) {
            self.list_of_texts(key, value, slot, parse);
        }
    }

    /// A list of strings, or one of some words that stand for them.
    pub(crate) fn word_or_texts(
        &mut self,
        key: Key,
        words: &'static [&'static str],
        slot: &mut Option<Vec<Located<String>>>,
    ) {
        let Some(value) = self.value(key, Kind::WordOrTexts(words)) else {
            return;
        };
        let word = value.get_ref().as_str();
        if let Some(word) = word.filter(|word| words.contains(word)) {
            let place = self.reader.place(value.span().start);
            let value = word.to_owned();
            *slot = Some(vec![Located { value, place }]);
        } else {
            self.list_of_texts(key, value, slot, |text| Ok(text.to_owned()));
        }
    }

    /// A list of numbers and of texts of a form, all of which `parse` understands.
    pub(crate) fn numbers_or_texts<T>(
        &mut self,
        key: Key,
        form: &'static str,
        slot: &mut Option<Vec<Located<T>>>,
        parse: impl Fn(&str) -> Result<T, Problem>,
    ) {
        let Some(value) = self.value(key, Kind::NumbersOrTexts(form)) else {
            return;
        };
        let DeValue::Array(array) = value.get_ref() else {
            return self.list_of_texts(key, value, slot, parse);
        };
        let key = self.key(key.name);
        let elements = array.iter().map(|element| {
            let parsed = match element.get_ref() {
                DeValue::String(text) => parse(text),
                other => integer(other, &(i64::MIN..=i64::MAX))
                    .map_err(|_| wrong_type("a list of numbers and texts", other))
                    .and_then(|number: i64| parse(&number.to_string())),
            };
            (element.span().start, parsed)
        });
        let elements = elements.collect();
        self.assign_list(&key, slot, elements);
    }

    fn list_of_texts<T>(
        &mut self,
        key: Key,
        value: &Spanned<DeValue<'_>>,
        slot: &mut Option<Vec<Located<T>>>,
        parse: impl Fn(&str) -> Result<T, Problem>,
    ) {
        let key = self.key(key.name);
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
                        let problem = wrong_type("a list of strings", other);
                        (element.span().start, Err(problem))
                    }
                })
                .collect(),
            (other, _) => vec![(
                value.span().start,
                Err(wrong_type("a list of strings", other)),
            )],
        };
        self.assign_list(&key, slot, elements);
    }

    /// A list of integers, of which there should be so many.
    pub(crate) fn integers(
        &mut self,
        key: Key,
        count: RangeInclusive<usize>,
        slot: &mut Option<Located<Vec<i64>>>,
    ) {
        let Some(value) = self.value(key, Kind::Integers(count)) else {
            return;
        };
        let key = self.key(key.name);
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

    fn scalar<T>(
        &mut self,
        key: Key,
        kind: Kind,
        slot: &mut Option<Located<T>>,
        decode: impl FnOnce(&DeValue<'t>) -> Result<T, Problem>,
    ) {
        let Some(value) = self.value(key, kind) else {
            return;
        };
        let Range { start, .. } = value.span();
        match decode(value.get_ref()) {
            Ok(value) => {
                let place = self.reader.place(start);
                *slot = Some(Located { value, place });
            }
            Err(problem) => {
                let key = self.key(key.name);
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

    fn value(&mut self, key: Key, kind: Kind) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key.name);
        let section = self.reader.sections.get_mut(self.section);
        if let Some(section) = section
            && section.keys.iter().all(|known| known.name != key.name)
        {
            section.keys.push(KeyDescription {
                name: key.name,
                about: key.about,
                default: key.default,
                kind,
            });
        }
        self.find(key.name)
    }

    fn find(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table?
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map(|(_, value)| value)
    }

    fn path(&self) -> &str {
        let section = self.reader.sections.get(self.section);
        section.map_or("", |section| &section.name)
    }

    fn key(&self, name: &str) -> String {
        join(self.path(), name)
    }
}

fn text<T>(
    value: &DeValue<'_>,
    parse: impl FnOnce(&str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    match value {
        DeValue::String(text) if text.trim().is_empty() => Err(Problem::Empty),
        DeValue::String(text) => parse(text),
        DeValue::Integer(_) => Err(Problem::WrongType {
            expected: "a string",
            found: "an integer without quotes",
        }),
        other => Err(wrong_type("a string", other)),
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
    let found = type_name(found);
    Problem::WrongType { expected, found }
}

/// What messages call the type of a value.
fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
