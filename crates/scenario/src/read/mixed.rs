//! Keys that take an integer or a text.

use std::ops::RangeInclusive;

use toml::de::DeValue;

use super::{Fields, Located, integer, text, wrong_type};
use crate::error::Problem;
use crate::reference::{Key, Kind};

impl Fields<'_, '_, '_> {
    /// An integer, or one word: then there is none.
    pub(crate) fn integer_or_word<T: TryFrom<i64>>(
        &mut self,
        key: Key,
        allowed: RangeInclusive<i64>,
        word: &'static str,
        slot: &mut Option<Located<Option<T>>>,
    ) {
        let kind = Kind::IntegerOrWord(allowed.clone(), word);
        self.scalar(key, kind, slot, |value| match value {
            DeValue::String(text) if *text == word => Ok(None),
            other => integer(other, &allowed).map(Some),
        });
    }

    /// An integer, or a text that `parse` understands.
    pub(crate) fn integer_or_text<T>(
        &mut self,
        key: Key,
        slot: &mut Option<Located<T>>,
        from_integer: impl FnOnce(i64) -> T,
        parse: impl FnOnce(&str) -> Result<T, Problem>,
    ) {
        self.scalar(key, Kind::IntegerOrText, slot, |value| match value {
            DeValue::String(_) => text(value, parse),
            DeValue::Integer(_) => integer(value, &(i64::MIN..=i64::MAX)).map(from_integer),
            other => Err(wrong_type("an integer or an expression", other)),
        });
    }
}
