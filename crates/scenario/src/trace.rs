//! A recorded input: values by order, by number or by time, and what comes after the last.
//!
//! A trace is the text of a CSV file. The value is the column called `value`, or the last one. With
//! a heading that has a column `time`, a row holds from that many executed instructions on; with
//! `index`, from that reading on (the first is 0); otherwise rows are read one after the other.
//!
//! **Invariant**: no trace is empty, and the keys of its rows grow from row to row.

/// What a trace gives after its last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// It begins again.
    Repeat,
    /// Its last value, for ever.
    Hold,
    /// Nothing: the execution ends there.
    Stop,
}

/// The values of a recorded input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    rows: Rows,
    /// What comes after them.
    pub at_end: AtEnd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    values: Vec<i64>,
    keys: Keys,
}

/// When a row holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Keys {
    Order,
    Index(Vec<u64>),
    Time(Vec<u64>),
}

/// What is wrong with a line of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadRow {
    /// The value is no integer.
    Value,
    /// The time or index is no integer from 0 on.
    Key,
    /// The time or index is not larger than that of the row before.
    Order,
}

impl Trace {
    pub(crate) fn new(rows: Rows, at_end: AtEnd) -> Trace {
        Trace { rows, at_end }
    }

    /// These values, one after the other.
    pub fn of_values(values: Vec<i64>, at_end: AtEnd) -> Trace {
        let keys = Keys::Order;
        Trace::new(Rows { values, keys }, at_end)
    }

    /// The value of reading number `index`, made after `time` instructions; `None` when there is
    /// none any more.
    pub fn value(&self, index: u64, time: u64) -> Option<i64> {
        let values = &self.rows.values;
        let (at, keys) = match &self.rows.keys {
            Keys::Order => {
                let length = values.len() as u64;
                let row = match self.at_end {
                    _ if index < length => index,
                    AtEnd::Repeat => index.checked_rem(length)?,
                    AtEnd::Hold => length.checked_sub(1)?,
                    AtEnd::Stop => return None,
                };
                return values.get(row as usize).copied();
            }
            Keys::Index(keys) => (index, keys),
            Keys::Time(keys) => (time, keys),
        };
        let end = end_of(keys);
        let at = match self.at_end {
            AtEnd::Repeat => at % end.max(1),
            AtEnd::Stop if at >= end => return None,
            AtEnd::Hold | AtEnd::Stop => at,
        };
        let row = keys.partition_point(|&key| key <= at);
        values.get(row.saturating_sub(1)).copied()
    }

    /// After how many readings it gives the same again and again, from reading number `index` on;
    /// nothing if it does not, or if that depends on the time.
    pub fn period(&self, index: u64) -> Option<u64> {
        let (last, end) = match &self.rows.keys {
            Keys::Order => (self.rows.values.len().checked_sub(1)? as u64, None),
            Keys::Index(keys) => {
                let last = keys.last().copied().unwrap_or(0);
                (last, Some(end_of(keys)))
            }
            Keys::Time(_) => return None,
        };
        match self.at_end {
            AtEnd::Repeat => Some(end.unwrap_or(last + 1).max(1)),
            AtEnd::Hold => (index >= last).then_some(1),
            AtEnd::Stop => None,
        }
    }

    /// What its rows say.
    pub fn values(&self) -> &[i64] {
        &self.rows.values
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows.values.len()
    }
}

/// Where the last row ends, which lasts as long as the one before it.
fn end_of(keys: &[u64]) -> u64 {
    let last = keys.last().copied().unwrap_or(0);
    let gap = match keys {
        [.., before, last] => last - before,
        _ => 1,
    };
    last.saturating_add(gap)
}

/// The columns that matter.
#[derive(Clone, Copy)]
struct Columns {
    value: Option<usize>,
    key: Option<(usize, Kind)>,
}

/// What makes keys of numbers.
type Kind = fn(Vec<u64>) -> Keys;

/// Reads the text of a trace file; `Ok(None)` when it has no rows.
///
/// Blank lines and lines that begin with `#` are skipped; a first line whose value is no number is a
/// heading. Numbers are decimal or `0x` hexadecimal. The error has the line, from 1.
pub(crate) fn parse(text: &str) -> Result<Option<Rows>, (u32, BadRow)> {
    let mut columns = Columns {
        value: None,
        key: None,
    };
    let (mut values, mut keys) = (Vec::new(), Vec::new());
    let mut first = true;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1u32..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let field = |index: Option<usize>| match index {
            Some(index) => fields.get(index).copied().unwrap_or(""),
            None => fields.last().copied().unwrap_or(""),
        };
        if std::mem::take(&mut first) && parse_number(field(None)).is_none() {
            columns = heading(&fields);
            continue;
        }
        values.push(parse_number(field(columns.value)).ok_or((number, BadRow::Value))?);
        if let Some((column, _)) = columns.key {
            let key = parse_number(field(Some(column))).and_then(|key| u64::try_from(key).ok());
            let key = key.ok_or((number, BadRow::Key))?;
            if keys.last().is_some_and(|&last| last >= key) {
                return Err((number, BadRow::Order));
            }
            keys.push(key);
        }
    }
    let keys = match columns.key {
        Some((_, kind)) => kind(keys),
        None => Keys::Order,
    };
    Ok((!values.is_empty()).then_some(Rows { values, keys }))
}

/// A recording in a table: its name, if it has one, and its values.
pub type Column = (Option<String>, Vec<i64>);

/// Several recordings in one table: a column for each, with its name if there is a heading.
///
/// Cells can be missing at the end of a column. Blank lines and lines that begin with `#` are skipped.
/// The error has the line, from 1.
pub fn columns(text: &str) -> Result<Vec<Column>, (u32, BadRow)> {
    let mut columns: Vec<Column> = Vec::new();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1u32..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if columns.is_empty() {
            let is_heading = fields.iter().any(|field| parse_number(field).is_none());
            let name = |field: &str| is_heading.then(|| field.trim_matches('"').to_owned());
            columns = fields
                .iter()
                .map(|field| (name(field), Vec::new()))
                .collect();
            if is_heading {
                continue;
            }
        }
        if fields.len() > columns.len() {
            return Err((number, BadRow::Value));
        }
        for (field, (_, values)) in fields.iter().zip(&mut columns) {
            if !field.is_empty() {
                values.push(parse_number(field).ok_or((number, BadRow::Value))?);
            }
        }
    }
    Ok(columns)
}

fn heading(fields: &[&str]) -> Columns {
    let column = |name: &str| {
        let mut found = fields.iter();
        found.position(|field| field.trim_matches('"').eq_ignore_ascii_case(name))
    };
    let time = column("time").map(|index| (index, Keys::Time as Kind));
    let index = column("index").map(|index| (index, Keys::Index as Kind));
    Columns {
        value: column("value"),
        key: time.or(index),
    }
}

fn parse_number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::{AtEnd, BadRow, Trace, parse};

    fn readings(text: &str, at_end: AtEnd, at: &[(u64, u64)]) -> Vec<Option<i64>> {
        let rows = parse(text).expect("no error").expect("rows");
        let trace = Trace::new(rows, at_end);
        at.iter()
            .map(|&(index, time)| trace.value(index, time))
            .collect()
    }

    /// What a text is read as.
    type Expected<'v> = Result<&'v [i64], (u32, BadRow)>;

    #[test]
    fn texts() {
        let cases: [(&str, Expected<'_>); 11] = [
            ("21\n22\n40\n", Ok(&[21, 22, 40])),
            ("time,value\n0,21\n1, 0x16\n", Ok(&[21, 22])),
            ("value,time\n5,0\n6,10\n", Ok(&[5, 6])),
            ("# room\n\n-5\r\n+6", Ok(&[-5, 6])),
            ("\u{feff}7", Ok(&[7])),
            ("", Ok(&[])),
            ("value\n1\nwarm\n", Err((3, BadRow::Value))),
            ("1\n99999999999999999999", Err((2, BadRow::Value))),
            ("time,value\nnoon,1\n", Err((2, BadRow::Key))),
            ("time,value\n-1,1\n", Err((2, BadRow::Key))),
            ("index,value\n4,1\n4,2\n", Err((3, BadRow::Order))),
        ];
        for (text, expected) in cases {
            let found = parse(text).map(|rows| rows.map_or_else(Vec::new, |rows| rows.values));
            assert_eq!(
                found.as_deref().map_err(|error| *error),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn rows_hold_until_the_next() {
        let text = "time,value\n10,1\n20,2\n40,3";
        let at = [(0, 0), (1, 10), (2, 19), (3, 20), (4, 39), (5, 41)];
        let expected = [1, 1, 1, 2, 2, 3].map(Some);
        assert_eq!(readings(text, AtEnd::Hold, &at), expected);
        let text = "index,value\n0,1\n3,2";
        let at = [(0, 99), (2, 99), (3, 99), (9, 0)];
        assert_eq!(readings(text, AtEnd::Hold, &at), [1, 1, 2, 2].map(Some));
    }

    #[test]
    fn ends() {
        let order: Vec<(u64, u64)> = (0..5).map(|index| (index, 0)).collect();
        let cases = [
            (AtEnd::Repeat, [Some(7), Some(8), Some(7), Some(8), Some(7)]),
            (AtEnd::Hold, [Some(7), Some(8), Some(8), Some(8), Some(8)]),
            (AtEnd::Stop, [Some(7), Some(8), None, None, None]),
        ];
        for (at_end, expected) in cases {
            assert_eq!(readings("7\n8", at_end, &order), expected, "{at_end:?}");
        }
        let times = [(0, 0), (1, 5), (2, 9), (3, 10), (4, 15)];
        let text = "time,value\n0,7\n5,8";
        let repeated = [7, 8, 8, 7, 8].map(Some);
        assert_eq!(readings(text, AtEnd::Repeat, &times), repeated);
        let stopped = [Some(7), Some(8), Some(8), None, None];
        assert_eq!(readings(text, AtEnd::Stop, &times), stopped);
    }

    #[test]
    fn nothing_panics() {
        for at_end in [AtEnd::Repeat, AtEnd::Hold, AtEnd::Stop] {
            assert_eq!(Trace::of_values(Vec::new(), at_end).value(3, 3), None);
            let text = format!("time,value\n{},1", i64::MAX);
            readings(&text, at_end, &[(u64::MAX, u64::MAX), (0, 0)]);
        }
    }
}
