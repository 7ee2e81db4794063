//! What can be said in a `brownout.toml`: every section and key, as plain data.
//!
//! Nothing here is written by hand: the description is what the reader asks for
//! ([`crate::read`]), so it cannot differ from what is understood. The JSON Schema for editors and
//! the reference of the manual are made of it.
//!
//! **Invariant**: what [`crate::Config::parse`] accepts is within the description. It may accept
//! less: what needs more than one look at the text (an effect, `low` before `high`) is not told.

use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::DeTable;

use crate::energy::Dimension;
use crate::read::{Origin, Reader};
use crate::schema::{self, Settings};

/// A table of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name; the document itself has none.
    pub name: String,
    /// What it is for.
    pub about: &'static str,
    /// How it is written.
    pub shape: Shape,
    /// Its keys, in the order of the reference.
    pub keys: Vec<KeyDescription>,
    /// What else holds for its keys.
    pub relations: Vec<Relation>,
}

/// How a section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The document itself.
    Document,
    /// `[name]`, once.
    Table,
    /// `[[name]]`, as often as there is something to describe.
    List,
    /// `[name]` with integers under keys that the user chooses.
    Integers,
}

/// One key of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDescription {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// What holds without it; empty if nothing does.
    pub default: &'static str,
    /// What it takes.
    pub kind: Kind,
}

/// What a key takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A string that is not empty; if there is a regular expression, of this form.
    Text(Option<&'static str>),
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Boolean,
    /// An integer within bounds.
    Integer(RangeInclusive<i64>),
    /// An integer within bounds, or one word instead of it.
    IntegerOrWord(RangeInclusive<i64>, &'static str),
    /// An integer, or any text.
    IntegerOrText,
    /// A number in SI base units, or a string with a unit.
    Quantity(Dimension),
    /// Integers, so many of them.
    Integers(RangeInclusive<usize>),
    /// Texts, each of this form.
    Texts(Option<&'static str>),
    /// Numbers, and strings of this form.
    NumbersOrTexts(&'static str),
    /// Texts, or one of these words instead of them.
    WordOrTexts(&'static [&'static str]),
    /// Strings, or lists of strings.
    Groups,
}

/// What holds for keys of one section together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One of the keys has to be there.
    Required(&'static [&'static str]),
    /// Two keys exclude each other.
    Apart(&'static str, &'static str),
    /// A key makes sense only with one of the others.
    Needs(&'static str, &'static [&'static str]),
}

/// Every section, the document itself first.
pub fn reference() -> Vec<Section> {
    let nothing = Spanned::new(0..0, DeTable::new());
    let mut settings = Settings::default();
    Reader::new(Origin::Text, "")
        .read(&nothing, |fields| schema::document(fields, &mut settings))
        .sections
}

/// A key that a section asks for.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) default: &'static str,
}

/// A key and what it means.
pub(crate) const fn key(name: &'static str, about: &'static str) -> Key {
    Key {
        name,
        about,
        default: "",
    }
}

impl Key {
    /// The same with what holds when nobody says anything.
    pub(crate) const fn default(self, default: &'static str) -> Key {
        Key { default, ..self }
    }
}
