//! Replay ids of power failures that a program recovers from by itself (semantics §5).
//!
//! `b1.op22.8/b2.op1`: power fails in the first boot when 8 bytes of its 22nd operation are done,
//! and in the second boot after its first operation. `.mHEX` instead of the bytes: the units of
//! the operation that are done, as a mask. `.8xHEX` besides: these bits of the next unit are done,
//! too. `.gN`: the N-th mixture of old and erased contents. Neither: after the operation. `~HEX`
//! after that: the operations since the last wait that are missing, as a mask.
//! `w3:` before all that: the third workload, where inputs choose among several.
//!
//! **Invariant**: what is printed is read back as the same id.

use std::fmt;
use std::str::FromStr;

/// Power failures in a row, each in a boot of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrashId {
    /// What inputs give, by the number of the workload, if there are several.
    pub workload: Option<u64>,
    /// Where power fails, boot by boot.
    pub points: Vec<CrashPoint>,
}

/// A power failure in one boot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrashPoint {
    /// The operation, from 1.
    pub operation: u64,
    /// How much of it is done.
    pub extent: Extent,
    /// Which operations before it are not done, on parts that reorder them: bit 0 of the first byte
    /// is the oldest one since the last wait.
    pub missing: Vec<u8>,
}

/// How much of an operation is done when power fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its first bytes.
    Bytes(u32),
    /// Some of its units: bit 0 of the first byte is the first one.
    Units(Vec<u8>),
    /// Its first bytes, and some bits of the unit after them: bit 0 of the first byte first.
    Bits(u32, Vec<u8>),
    /// A mixture of old and new contents.
    Mixture(u32),
}

/// Why a text is not such an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashIdError {
    /// A part does not begin with `b` and the number of the boot.
    NoBoot,
    /// It does not go on with `.op` and a number.
    NoOperation,
    /// What comes then is neither bytes nor a mask.
    UnknownExtent,
}

impl fmt::Display for CrashIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBoot => "must name the boots in order, as in `b1.op22.8/b2.op1`",
            Self::NoOperation => "must name an operation of each boot, as in `b1.op22`",
            Self::UnknownExtent => "must end with bytes (`.8`), a mask of units (`.m5`) or nothing",
        })
    }
}

/// No operation is cut into more units; more is a slip.
const LONGEST_MASK: usize = 1 << 16;

fn write_hex(f: &mut fmt::Formatter<'_>, mask: &[u8]) -> fmt::Result {
    let end = mask
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |at| at + 1);
    match mask[..end].split_last() {
        None => f.write_str("0"),
        Some((last, rest)) => {
            write!(f, "{last:x}")?;
            rest.iter()
                .rev()
                .try_for_each(|byte| write!(f, "{byte:02x}"))
        }
    }
}

fn read_hex(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if text.is_empty() || !is_hex || text.len() > LONGEST_MASK {
        return None;
    }
    let digits: Vec<u8> = text
        .bytes()
        .rev()
        .map(|digit| (digit as char).to_digit(16).unwrap_or(0) as u8)
        .collect();
    let mut mask: Vec<u8> = digits
        .chunks(2)
        .map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 4))
        .collect();
    while mask.last() == Some(&0) {
        mask.pop();
    }
    Some(mask)
}

impl fmt::Display for CrashId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(workload) = self.workload {
            write!(f, "w{workload}:")?;
        }
        if self.points.is_empty() {
            return f.write_str("b1");
        }
        for (index, point) in self.points.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            write!(f, "b{}.op{}", index + 1, point.operation)?;
            match &point.extent {
                Extent::Whole => {}
                Extent::Bytes(bytes) => write!(f, ".{bytes}")?,
                Extent::Units(mask) => {
                    f.write_str(".m")?;
                    write_hex(f, mask)?;
                }
                Extent::Bits(bytes, mask) => {
                    write!(f, ".{bytes}x")?;
                    write_hex(f, mask)?;
                }
                Extent::Mixture(number) => write!(f, ".g{number}")?,
            }
            if !point.missing.is_empty() {
                f.write_str("~")?;
                write_hex(f, &point.missing)?;
            }
        }
        Ok(())
    }
}

impl FromStr for CrashId {
    type Err = CrashIdError;

    fn from_str(text: &str) -> Result<Self, CrashIdError> {
        let (workload, text) = match text.strip_prefix('w').and_then(|rest| rest.split_once(':')) {
            Some((number, rest)) => (
                Some(number.parse().map_err(|_| CrashIdError::NoBoot)?),
                rest,
            ),
            None => (None, text),
        };
        if text == "b1" {
            return Ok(Self {
                workload,
                points: Vec::new(),
            });
        }
        let points: Result<Vec<CrashPoint>, CrashIdError> = text
            .split('/')
            .enumerate()
            .map(|(index, part)| point(index + 1, part))
            .collect();
        Ok(Self {
            workload,
            points: points?,
        })
    }
}

fn point(boot: usize, text: &str) -> Result<CrashPoint, CrashIdError> {
    let (text, missing) = match text.split_once('~') {
        Some((text, mask)) => (text, read_hex(mask).ok_or(CrashIdError::UnknownExtent)?),
        None => (text, Vec::new()),
    };
    let mut parts = text.splitn(3, '.');
    if parts.next() != Some(format!("b{boot}").as_str()) {
        return Err(CrashIdError::NoBoot);
    }
    let operation = parts.next().and_then(|part| part.strip_prefix("op"));
    let operation = operation
        .and_then(|digits| digits.parse().ok())
        .filter(|&operation: &u64| operation > 0)
        .ok_or(CrashIdError::NoOperation)?;
    let extent = match parts.next() {
        None => Some(Extent::Whole),
        Some(text) => extent(text),
    };
    Ok(CrashPoint {
        operation,
        extent: extent.ok_or(CrashIdError::UnknownExtent)?,
        missing,
    })
}

fn extent(text: &str) -> Option<Extent> {
    if let Some(mask) = text.strip_prefix('m') {
        return Some(Extent::Units(read_hex(mask)?));
    }
    if let Some(number) = text.strip_prefix('g') {
        return Some(Extent::Mixture(number.parse().ok()?));
    }
    if let Some((bytes, mask)) = text.split_once('x') {
        return Some(Extent::Bits(bytes.parse().ok()?, read_hex(mask)?));
    }
    Some(Extent::Bytes(text.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{CrashId, CrashIdError};

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "b1",
            "b1.op22.8/b2.op1",
            "b1.op1.m1f05",
            "b1.op3.16x80",
            "b1.op2.g3/b2.op2.m0/b3.op9",
            "w12:b1.op4",
            "b1.op7.8~5/b2.op3~102",
        ] {
            let id: CrashId = text.parse().unwrap();
            assert_eq!(id.to_string(), text);
        }
    }

    #[test]
    fn others_are_refused() {
        let cases = [
            ("", CrashIdError::NoBoot),
            ("b2.op1", CrashIdError::NoBoot),
            ("b1.op1/b1.op2", CrashIdError::NoBoot),
            ("b1", CrashIdError::NoBoot),
            ("b1.22", CrashIdError::NoOperation),
            ("b1.op0", CrashIdError::NoOperation),
            ("b1.op1.q", CrashIdError::UnknownExtent),
            ("b1.op1.m", CrashIdError::UnknownExtent),
            ("b1.op1.-3", CrashIdError::UnknownExtent),
            ("b1.op1~", CrashIdError::UnknownExtent),
            ("b1.op1~x", CrashIdError::UnknownExtent),
        ];
        for (text, error) in cases.into_iter().filter(|(text, _)| *text != "b1") {
            assert_eq!(text.parse::<CrashId>(), Err(error), "{text}");
        }
    }
}
