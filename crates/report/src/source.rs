//! Source texts and what is where in them.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::SourcePlace;

use crate::extent::extent;

/// Texts of source files by name.
pub type Sources = BTreeMap<String, String>;

/// The text of a line, from 1, without its end.
pub(crate) fn line<'s>(sources: &'s Sources, file: &str, line: u32) -> Option<&'s str> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    sources.get(file)?.lines().nth(index)
}

/// What a place underlines: columns of its line, in characters, from 1; the second is behind it.
pub(crate) fn columns(sources: &Sources, place: &SourcePlace) -> Option<(usize, usize)> {
    let text = sources.get(&place.file)?;
    let range = extent(text, place.line, place.column)?;
    let start = row_start(text, range.start);
    let column = |byte: usize| text[start..byte].chars().count() + 1;
    Some((column(range.start), column(range.end)))
}

/// The text that a place underlines, and where it is in its file.
pub(crate) fn underlined<'s>(
    sources: &'s Sources,
    place: &SourcePlace,
) -> Option<(Range<usize>, &'s str)> {
    let text = sources.get(&place.file)?;
    let range = extent(text, place.line, place.column)?;
    Some((range.clone(), &text[range]))
}

/// Where the line begins that a byte is on.
pub(crate) fn row_start(text: &str, byte: usize) -> usize {
    text[..byte].rfind('\n').map_or(0, |end| end + 1)
}
