//! The values that are worth trying.
//!
//! **Invariant**: the order is that of preference and depends on the program and scenario alone.

use std::collections::BTreeSet;

use brownout_flow::asked::asked;
use brownout_ir::{
    FloatKind, Func, GlobalData, Id, IntBinary, Op, Operand, Origin, Program, Terminator, Type,
    reach,
};
use brownout_scenario::ValueSource;

/// How many values of a range count as all of them.
const ALL: i128 = 64;
/// How many values that comparisons ask for are tried.
const ASKED: usize = 40;
/// How many of one function that only says how it went.
const STATUS: usize = 12;
/// How many values of the program's code are tried in all.
const CONSTANTS: usize = 80;
/// How many numbers of a constant table are.
const TABLE: usize = 16;
/// How many texts of the program are, where inputs fill buffers and where they give letters.
const TEXTS: usize = 12;
const LINES: usize = 8;

/// The values that an input may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Best first.
    pub values: Vec<u64>,
    /// Whether it can have no others.
    pub complete: bool,
}

impl Domain {
    /// The numbers below `count`, and nothing else.
    pub fn below(count: u64) -> Self {
        Self {
            values: (0..count).collect(),
            complete: true,
        }
    }

    /// Success and failure as functions tell it, and the numbers that a program compares that with.
    pub fn status(asked: &[u64]) -> Self {
        let usual = [0, 1].into_iter();
        let values = usual.chain(asked.iter().copied().take(STATUS));
        Self::of(values.chain([u64::MAX]), false)
    }

    /// Whatever the program compares with, and the ends of the types.
    pub fn open(constants: &[u64]) -> Self {
        Self::of(constants.iter().copied().chain(boundaries()), false)
    }

    /// The values that a scenario gives to an input of a program with these `constants`.
    pub fn new(source: &ValueSource, constants: &[u64]) -> Self {
        let open = |seen: &[i64]| {
            let seen = seen.iter().map(|&value| value as u64);
            Self::of(
                seen.chain(constants.iter().copied()).chain(boundaries()),
                false,
            )
        };
        match source {
            ValueSource::Cycle(values) => Self::of(values.iter().map(|&value| value as u64), true),
            ValueSource::Constant(value) => Self::of([*value as u64], true),
            ValueSource::Range { low, high, .. } => {
                let count = i128::from(*high) - i128::from(*low) + 1;
                if count <= ALL {
                    return Self::of((*low..=*high).map(|value| value as u64), true);
                }
                let inside = |value: &u64| (*low..=*high).contains(&(*value as i64));
                let ends = [*low, *high, low.wrapping_add(1), high.wrapping_sub(1)];
                let ends = ends.into_iter().map(|value| value as u64);
                let grid = (0..16).map(|step| (i128::from(*low) + count * step / 16) as i64 as u64);
                let all = constants.iter().copied().chain(boundaries());
                Self::of(all.filter(inside).chain(ends).chain(grid), false)
            }
            ValueSource::Trace(trace) => open(trace.values()),
            ValueSource::Random { .. } | ValueSource::Clock | ValueSource::Script(_) => open(&[]),
            ValueSource::Probing { otherwise, .. } => Self::new(otherwise, constants),
        }
    }

    fn of(values: impl IntoIterator<Item = u64>, complete: bool) -> Self {
        let mut values = distinct(values);
        if values.is_empty() {
            values.push(0);
        }
        Self { values, complete }
    }
}

/// Each value once, where it comes first.
fn distinct(values: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    let values = values.into_iter();
    values.filter(|&value| seen.insert(value)).collect()
}

/// Ends of types, single bits, and a few between.
fn boundaries() -> impl Iterator<Item = u64> {
    let first = [
        0,
        1,
        u64::MAX,
        2,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        10,
        100,
        1000,
        10_000,
    ];
    let bits = (2..32).map(|bit| 1 << bit);
    first
        .into_iter()
        .chain(3..=16)
        .chain(bits)
        .chain([0x7fff_ffff, 0xffff_ffff, 1 << 63])
}

/// What the user's code asks of inputs, what it compares other things with, and the numbers next to
/// that.
pub fn constants(program: &Program) -> Vec<u64> {
    constants_of(program, |_| true)
}

/// The same, as far as the functions that one calls want it.
pub fn constants_behind(program: &Program, func: Func) -> Vec<u64> {
    let reached = reach::reachable(program, &[func]);
    constants_of(program, |func| reached[func.index()])
}

fn constants_of(program: &Program, counts: impl Fn(Func) -> bool) -> Vec<u64> {
    let mut found = Constants::default();
    let asked = asked(program, &counts, &|_| false);
    let values: Vec<u64> = asked.iter().map(|asked| asked.value).collect();
    for value in distinct(values).into_iter().take(ASKED) {
        found.add(value);
    }
    let users = program
        .functions
        .iter()
        .filter(|(func, function)| function.origin == Origin::User && counts(*func));
    for body in users.filter_map(|(_, function)| function.body.as_ref()) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                match &inst.op {
                    Op::IntCompare { ty, a, b, .. } => found.around(program, *ty, &[*a, *b]),
                    Op::IntBinary {
                        op: IntBinary::And | IntBinary::Or | IntBinary::Xor,
                        a,
                        b,
                        ..
                    } => found.exactly(&[*a, *b]),
                    Op::FloatCompare { ty, a, b, .. } => found.float(*ty, &[*a, *b]),
                    _ => {}
                }
            }
            if let Terminator::Switch { ty, cases, .. } = &block.terminator {
                for (value, _) in cases {
                    found.around(program, *ty, &[Operand::Bits(*value)]);
                }
            }
        }
    }
    let tables = program.globals.values();
    for table in tables.filter(|global| global.constant && global.origin == Origin::User) {
        found.table(program, table);
    }
    found.values
}

/// The words in the user's code.
fn words(program: &Program) -> impl Iterator<Item = &[u8]> {
    let constants = (program.globals.values())
        .filter(|global| global.constant && global.origin == Origin::User);
    let bytes = constants.filter_map(|global| Some(&global.init.as_ref()?.bytes));
    let is_text = |bytes: &[u8]| {
        (bytes.iter()).all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
    };
    bytes.filter_map(move |bytes| {
        // Zeros at the end of initial values are not written down.
        let end = bytes.iter().position(|&byte| byte == 0);
        Some(&bytes[..end.unwrap_or(bytes.len())]).filter(|text| !text.is_empty() && is_text(text))
    })
}

/// The texts that the user's code knows, and numbers in digits.
pub fn texts(program: &Program) -> Vec<Vec<u8>> {
    let words: Vec<&[u8]> = words(program).take(TEXTS).collect();
    let mut texts: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
    let numbers = [&b"1"[..], b"99", b"12345", b"-1"];
    texts.extend(numbers.iter().map(|digits| digits.to_vec()));
    for word in words {
        for digits in &numbers[..3] {
            for between in [&b" "[..], b"="] {
                texts.push([word, between, digits].concat());
            }
        }
    }
    texts
}

/// The texts that the user's code may put together letter by letter, where it compares with these
/// `constants`: its words, but for those that are printed, with what may end or follow them.
pub fn lines(program: &Program, constants: &[u64]) -> Vec<Vec<u8>> {
    let asked = |letter: &&u8| constants.contains(&u64::from(**letter));
    let ends: Vec<&u8> = b"\n\r;".iter().filter(asked).collect();
    let between: Vec<&u8> = b" =:,".iter().filter(asked).collect();
    let words = words(program).filter(|word| !word.contains(&b'%'));
    let mut lines = Vec::new();
    for word in words.take(LINES) {
        let more = between
            .iter()
            .map(|&&between| [word, &[between], b"99"].concat());
        for line in std::iter::once(word.to_vec()).chain(more) {
            let ended = ends.iter().map(|&&end| [&line[..], &[end]].concat());
            lines.extend(ended);
            lines.push(line);
        }
    }
    lines
}

#[derive(Default)]
struct Constants {
    values: Vec<u64>,
}

impl Constants {
    fn add(&mut self, value: u64) {
        if self.values.len() < CONSTANTS && !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    fn around(&mut self, program: &Program, ty: Type, operands: &[Operand]) {
        let bits = ty.bits(&program.target);
        for operand in operands {
            if let Operand::Bits(value) = operand {
                let value = brownout_ir::eval::wide::signed(bits, *value) as i64;
                for near in [value, value.wrapping_add(1), value.wrapping_sub(1)] {
                    self.add(near as u64);
                }
            }
        }
    }

    fn exactly(&mut self, operands: &[Operand]) {
        for operand in operands {
            if let Operand::Bits(value) = operand {
                self.add(*value as u64);
            }
        }
    }

    /// The first numbers of a table that things may be looked up in.
    fn table(&mut self, program: &Program, table: &GlobalData) {
        let leaf = (table.ty).and_then(|ty| program.source.leaf(ty, 0));
        let size = leaf.and_then(|(_, _, leaf)| program.source.types.get(leaf));
        let size = size.map_or(1, |ty| ty.size.clamp(1, 8) as usize);
        let bytes = table.init.as_ref().map_or(&[][..], |init| &init.bytes);
        for number in bytes.chunks(size).take(TABLE) {
            let mut value = [0; 8];
            value[..number.len()].copy_from_slice(number);
            self.add(u64::from_le_bytes(value));
        }
    }

    /// The whole numbers next to it.
    fn float(&mut self, ty: Type, operands: &[Operand]) {
        for operand in operands {
            let Operand::Bits(bits) = operand else {
                continue;
            };
            let value = match ty {
                Type::Float(FloatKind::Single) => f64::from(f32::from_bits(*bits as u32)),
                Type::Float(FloatKind::Double) => f64::from_bits(*bits as u64),
                _ => continue,
            };
            for near in [value.floor(), value.ceil(), value + 1.0, value - 1.0] {
                self.add(near as i64 as u64);
            }
        }
    }
}
