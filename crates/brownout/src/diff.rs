//! Changes of lines as a unified diff that `git apply` and `patch` take, and applied.

use std::fmt::Write;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// A change: one line replaced, or one put before the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    /// The line, from 1; none for a new first line.
    line: Option<usize>,
    text: String,
}

impl Edit {
    pub(crate) fn replace(line: usize, text: String) -> Self {
        let line = Some(line);
        Self { line, text }
    }

    pub(crate) fn insert(text: String) -> Self {
        Self { line: None, text }
    }

    /// Whether it puts a line before the first.
    pub(crate) fn is_insertion(&self) -> bool {
        self.line.is_none()
    }

    /// The lines of the old file that it touches, from 0.
    fn touched(&self) -> std::ops::Range<usize> {
        match self.line {
            Some(line) => line - 1..line,
            None => 0..0,
        }
    }
}

/// The text with the changes, which are in order.
pub(crate) fn applied(source: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(source.len());
    for edit in edits.iter().filter(|edit| edit.line.is_none()) {
        let _ = writeln!(result, "{}", edit.text);
    }
    for (index, line) in source.split_inclusive('\n').enumerate() {
        match edits.iter().find(|edit| edit.line == Some(index + 1)) {
            Some(edit) => {
                let ending = &line[line.trim_end_matches(['\n', '\r']).len()..];
                let _ = write!(result, "{}{ending}", edit.text);
            }
            None => result.push_str(line),
        }
    }
    result
}

/// A path without detours, such as `./a.c` and `b/../a.c`, which `git apply` refuses.
fn plain(file: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in file.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The changes, which are in order, as a diff of the file.
pub(crate) fn unified(file: &str, source: &str, edits: &[Edit]) -> String {
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let name = plain(file);
    let mut text = format!("--- a/{name}\n+++ b/{name}\n");
    let mut rest = edits;
    let mut shift = 0usize;
    while let Some(first) = rest.first() {
        // Changes whose context touches are one hunk.
        let mut end = first.touched().end;
        let mut count = 1;
        while let Some(next) = rest.get(count)
            && next.touched().start <= end + 2 * CONTEXT
        {
            end = next.touched().end;
            count += 1;
        }
        let (hunk, later) = rest.split_at(count);
        let from = first.touched().start.saturating_sub(CONTEXT);
        let to = (end + CONTEXT).min(lines.len());
        let inserted = hunk.iter().filter(|edit| edit.line.is_none()).count();
        let (old, new) = (to - from, to - from + inserted);
        let start = |from: usize, count: usize| if count == 0 { from } else { from + 1 };
        let _ = writeln!(
            text,
            "@@ -{},{old} +{},{new} @@",
            start(from, old),
            start(from + shift, new)
        );
        for edit in hunk.iter().filter(|edit| edit.line.is_none()) {
            let _ = writeln!(text, "+{}", edit.text);
        }
        for (index, line) in lines.iter().enumerate().take(to).skip(from) {
            match hunk.iter().find(|edit| edit.line == Some(index + 1)) {
                Some(edit) => {
                    let content = line.trim_end_matches(['\n', '\r']);
                    push(&mut text, '-', line);
                    push(
                        &mut text,
                        '+',
                        &format!("{}{}", edit.text, &line[content.len()..]),
                    );
                }
                None => push(&mut text, ' ', line),
            }
        }
        shift += inserted;
        rest = later;
    }
    text
}

/// A line of a hunk; one without an end says so.
fn push(text: &mut String, mark: char, line: &str) {
    text.push(mark);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, applied, unified};

    #[test]
    fn hunks_have_context() {
        let source = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12";
        let edits = [
            Edit::insert("0".to_owned()),
            Edit::replace(2, "two".to_owned()),
            Edit::replace(12, "twelve".to_owned()),
        ];
        assert_eq!(
            unified("./x.c", source, &edits),
            "--- a/x.c\n+++ b/x.c\n@@ -1,5 +1,6 @@\n+0\n 1\n-2\n+two\n 3\n 4\n 5\n\
             @@ -9,4 +10,4 @@\n 9\n 10\n 11\n-12\n\\ No newline at end of file\n\
             +twelve\n\\ No newline at end of file\n"
        );
        assert_eq!(
            applied(source, &edits),
            "0\n1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve"
        );
    }
}
