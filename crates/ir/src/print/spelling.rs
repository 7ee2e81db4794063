//! How the small things are spelled: lists, numbers, strings, keywords.

use std::fmt::{self, Display, Formatter};

use crate::source::TypeKind;
use crate::types::Type;

/// A comma-separated list.
pub(super) struct List<'a, T>(pub(super) &'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", separator(index))?;
        }
        Ok(())
    }
}

/// The results of a function: ` -> i16, ptr` or nothing.
pub(super) struct Results<'a>(pub(super) &'a [Type]);

impl Display for Results<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, " -> {}", List(self.0))
    }
}

/// A constant: decimal when a human would count to it.
pub(super) struct Number(pub(super) u128);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 < 0x8000 {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:#x}", self.0)
        }
    }
}

/// `+4`, `-4`, or nothing for zero.
pub(super) struct Offset(pub(super) i64);

impl Display for Offset {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return Ok(());
        }
        write!(f, "{:+}", self.0)
    }
}

/// A string in quotes.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", Escaped(self.0))
    }
}

/// A string on one line.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let special = |c: char| c.is_control() || matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}');
        let mut rest = self.0;
        while let Some(at) = rest.find(special) {
            f.write_str(&rest[..at])?;
            rest = &rest[at..];
            let Some(c) = rest.chars().next() else { break };
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                _ => write!(f, "\\u{{{:x}}}", c as u32)?,
            }
            rest = &rest[c.len_utf8()..];
        }
        f.write_str(rest)
    }
}

pub(super) const fn separator(index: usize) -> &'static str {
    if index == 0 { "" } else { ", " }
}

pub(super) const fn comma(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

impl TypeKind {
    /// The word for it in the text format.
    pub(crate) const fn keyword(&self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Signed => "signed",
            Self::Char => "char",
            Self::Bool => "bool",
            Self::Float => "float",
            Self::Pointer(_) => "pointer",
            Self::Enum(_) => "enum",
            Self::Struct(_) => "struct",
            Self::Union(_) => "union",
            Self::Array { .. } => "array",
            Self::Opaque => "opaque",
        }
    }
}
