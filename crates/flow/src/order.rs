//! Names in the order that people expect, `buffer[3]` before `buffer[15]`, and in few words:
//! `table[0..4].key` for the keys of four elements.

use std::collections::BTreeMap;

/// A stretch of digits, or of anything else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// Digits: how many there are without leading zeros, then which.
    Number(usize, String),
    /// Everything else.
    Text(String),
}

/// What to sort a name by.
pub fn natural(name: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest
            .find(|letter: char| letter.is_ascii_digit() != is_digit)
            .unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        pieces.push(if is_digit {
            let digits = piece.trim_start_matches('0');
            Piece::Number(digits.len(), digits.to_owned())
        } else {
            Piece::Text(piece.to_owned())
        });
    }
    pieces
}

/// A name with the number in its first brackets taken out: what is before, the number, what
/// comes after.
fn element(name: &str) -> Option<(&str, u64, &str)> {
    let open = name.find('[')?;
    let close = open + name[open..].find(']')?;
    let index = name[open + 1..close].parse().ok()?;
    Some((&name[..open], index, &name[close + 1..]))
}

/// Names in their order; the same part of elements that follow each other is one. With each name
/// come the positions of those that it stands for.
pub fn runs(names: &[&str]) -> Vec<(String, Vec<usize>)> {
    let mut found: Vec<(String, Vec<usize>)> = Vec::new();
    let mut wholes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut parts: BTreeMap<(&str, &str), Vec<(u64, usize)>> = BTreeMap::new();
    for (position, name) in names.iter().enumerate() {
        match element(name) {
            Some((before, index, behind)) => {
                let part = parts.entry((before, behind)).or_default();
                part.push((index, position));
            }
            None => wholes.entry(name).or_default().push(position),
        }
    }
    for (name, positions) in wholes {
        found.push((name.to_owned(), positions));
    }
    for ((before, behind), mut elements) in parts {
        elements.sort_unstable();
        let follows = |a: &(u64, usize), b: &(u64, usize)| a.0 + 1 == b.0 || a.0 == b.0;
        for run in elements.chunk_by(follows) {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            let index = match last - first {
                0 => first.to_string(),
                _ => format!("{first}..{}", last + 1),
            };
            let positions = run.iter().map(|(_, position)| *position).collect();
            found.push((format!("{before}[{index}]{behind}"), positions));
        }
    }
    found.sort_by_cached_key(|(name, _)| natural(name));
    found
}

#[cfg(test)]
mod tests {
    use super::{natural, runs};

    #[test]
    fn elements_that_follow_each_other_are_one() {
        let names = ["t[1].k", "t[0].k", "t[0].v", "x", "t[3].k", "b[2]", "b[3]"];
        let found = runs(&names);
        let found: Vec<(&str, &[usize])> = found
            .iter()
            .map(|(name, positions)| (name.as_str(), positions.as_slice()))
            .collect();
        assert_eq!(
            found,
            [
                ("b[2..4]", &[5, 6][..]),
                ("t[0..2].k", &[1, 0]),
                ("t[0].v", &[2]),
                ("t[3].k", &[4]),
                ("x", &[3]),
            ]
        );
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let mut names = [
            "b[15]", "b[3].x10", "a", "b[3].x9", "b", "b[007]", "b[3]", "",
        ];
        names.sort_by_key(|name| natural(name));
        let sorted = [
            "", "a", "b", "b[3]", "b[3].x9", "b[3].x10", "b[007]", "b[15]",
        ];
        assert_eq!(names, sorted);
    }
}
