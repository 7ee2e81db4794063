//! How much source text a place means: debug information only says where it starts.

use std::ops::Range;

/// The bytes of `text` to underline for a place at `line` and `column` (from 1).
pub(crate) fn extent(text: &str, line: u32, column: u32) -> Option<Range<usize>> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)? as usize)
        .map(str::len)
        .sum();
    let row = text[start..].split('\n').next()?.trim_end_matches('\r');
    if row.trim().is_empty() {
        return None;
    }
    let whole = || {
        let indent = row.len() - row.trim_start().len();
        indent..row.trim_end().len()
    };
    let at = (column as usize).saturating_sub(1);
    let range = if column == 0 || at >= row.len() || !row.is_char_boundary(at) {
        whole()
    } else {
        token(row, at)
    };
    Some(start + range.start..start + range.end)
}

/// The identifier, call or statement at `at`.
fn token(row: &str, at: usize) -> Range<usize> {
    let bytes = row.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if is_word(bytes[at]) {
        let mut end = at;
        while end < bytes.len() && is_word(bytes[end]) {
            end += 1;
        }
        // A call reaches to its closing parenthesis.
        if bytes.get(end) == Some(&b'(')
            && let Some(close) = closing(bytes, end)
        {
            end = close + 1;
        }
        return at..end;
    }
    // An operator: the statement around it.
    let start = row[..at]
        .rfind([';', '{', '}'])
        .map_or(0, |index| index + 1);
    let start = start + (row[start..].len() - row[start..].trim_start().len());
    let end = row[at..]
        .find(';')
        .map_or(row.trim_end().len(), |index| at + index);
    start.min(at)..end.max(at + 1)
}

fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0u32;
    for (index, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::extent;

    #[test]
    fn underlines_what_a_reader_expects() {
        let text = "int x;\n    count = i + 1;\n    checkpoint(a, (b));  int i = count;\n\n";
        let cases = [
            (2, 11, Some("count = i + 1")),
            (2, 5, Some("count")),
            (3, 5, Some("checkpoint(a, (b))")),
            (3, 34, Some("count")),
            (2, 0, Some("count = i + 1;")),
            (2, 99, Some("count = i + 1;")),
            (4, 1, None),
            (9, 1, None),
            (0, 1, None),
        ];
        for (line, column, expected) in cases {
            assert_eq!(
                extent(text, line, column).map(|range| &text[range]),
                expected,
                "{line}:{column}"
            );
        }
    }
}
