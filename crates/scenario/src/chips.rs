//! Chips as data: one TOML file each, in the folder `chips` of this crate.
//!
//! A chip says what its memory is (what is non-volatile, by address), how much a store writes at once,
//! and where its registers are. The configuration names one with `chip = "…"`; what it says itself
//! wins over the chip.
//!
//! **Invariant**: every file is read once, completely, by the tests: stretches of memory do not
//! overlap, registers lie in none of them, and names are unique.

use std::ops::Range;
use std::sync::OnceLock;

use toml::de::{DeTable, DeValue};

/// The files.
const FILES: [&str; 10] = [
    include_str!("../chips/apollo4.toml"),
    include_str!("../chips/cortex-m0plus.toml"),
    include_str!("../chips/cortex-m33.toml"),
    include_str!("../chips/cortex-m4.toml"),
    include_str!("../chips/msp430fr2433.toml"),
    include_str!("../chips/msp430fr5739.toml"),
    include_str!("../chips/msp430fr5969.toml"),
    include_str!("../chips/msp430fr5994.toml"),
    include_str!("../chips/msp430fr6989.toml"),
    include_str!("../chips/rv32.toml"),
];

/// Their names.
pub(crate) const NAMES: &[&str] = &[
    "apollo4",
    "cortex-m0plus",
    "cortex-m33",
    "cortex-m4",
    "msp430fr2433",
    "msp430fr5739",
    "msp430fr5969",
    "msp430fr5994",
    "msp430fr6989",
    "rv32",
];

/// The same as a form of text, for editors: letters may be small or not.
pub(crate) const FORM: &str = "^([aA][pP][oO][lL][lL][oO]4|[cC][oO][rR][tT][eE][xX]-[mM](0[pP][lL][uU][sS]|33|4)|[mM][sS][pP]430[fF][rR](2433|5739|5969|5994|6989)|[rR][vV]32)$";

/// A chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// What the configuration calls it.
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// What programs for it are compiled for.
    pub target: String,
    /// How many bytes a store writes at once.
    pub atomic_write: u32,
    /// Its memory, by address.
    pub memory: Vec<Stretch>,
    /// Its registers, as far as they are known.
    pub registers: Vec<ChipRegister>,
    /// Registers that start-up code sets on every boot.
    pub startup: Vec<String>,
    /// The file.
    pub text: &'static str,
}

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// What it is called; empty if it has no name.
    pub name: String,
    /// Its addresses.
    pub addresses: Range<u64>,
    /// Whether it keeps its contents without power.
    pub nonvolatile: bool,
}

/// A device register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipRegister {
    /// What the vendor calls it.
    pub name: String,
    /// Where it is.
    pub address: u64,
    /// How many bytes it has.
    pub width: u64,
}

impl Chip {
    /// All chips, by name.
    pub fn all() -> &'static [Chip] {
        static CHIPS: OnceLock<Vec<Chip>> = OnceLock::new();
        CHIPS.get_or_init(|| FILES.iter().filter_map(|text| read(text)).collect())
    }

    /// The chip of that name, in whatever case.
    pub fn named(name: &str) -> Option<&'static Chip> {
        let mut chips = Self::all().iter();
        chips.find(|chip| chip.name.eq_ignore_ascii_case(name))
    }
}

/// A file as a chip; nothing if something is missing or of the wrong kind, which a test rules out.
fn read(text: &'static str) -> Option<Chip> {
    let table = DeTable::parse(text).ok()?.into_inner();
    let startup = match table.get("startup")?.get_ref() {
        DeValue::Array(names) => names
            .iter()
            .map(|name| name.get_ref().as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    let memory = tables(&table, "memory")?.into_iter().map(|table| {
        let start = number(table, "at")?;
        Some(Stretch {
            name: string(table, "name")?,
            addresses: start..start + number(table, "size")?,
            nonvolatile: table.get("nonvolatile")?.get_ref().as_bool()?,
        })
    });
    let registers = tables(&table, "register").unwrap_or_default();
    let registers = registers.into_iter().map(|table| {
        Some(ChipRegister {
            name: string(table, "name")?,
            address: number(table, "at")?,
            width: number(table, "width")?,
        })
    });
    Some(Chip {
        name: string(&table, "name")?,
        about: string(&table, "about")?,
        target: string(&table, "target")?,
        atomic_write: u32::try_from(number(&table, "atomic-write")?).ok()?,
        memory: memory.collect::<Option<Vec<_>>>()?,
        registers: registers.collect::<Option<Vec<_>>>()?,
        startup,
        text,
    })
}

fn string(table: &DeTable<'_>, key: &str) -> Option<String> {
    table.get(key)?.get_ref().as_str().map(str::to_owned)
}

fn number(table: &DeTable<'_>, key: &str) -> Option<u64> {
    let DeValue::Integer(number) = table.get(key)?.get_ref() else {
        return None;
    };
    u64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
}

fn tables<'t>(table: &'t DeTable<'t>, key: &str) -> Option<Vec<&'t DeTable<'t>>> {
    let DeValue::Array(array) = table.get(key)?.get_ref() else {
        return None;
    };
    array
        .iter()
        .map(|entry| match entry.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Chip, FILES, NAMES};

    #[test]
    fn every_file_is_a_chip() {
        assert_eq!(Chip::all().len(), FILES.len());
        for chip in Chip::all() {
            assert_eq!(Chip::named(&chip.name.to_uppercase()), Some(chip));
            assert!(chip.about.len() < 80, "{}", chip.name);
        }
        let names: Vec<&str> = Chip::all().iter().map(|chip| chip.name.as_str()).collect();
        assert_eq!(names, NAMES);
    }

    #[test]
    fn nothing_overlaps() {
        for chip in Chip::all() {
            for (index, one) in chip.memory.iter().enumerate() {
                assert!(one.addresses.start < one.addresses.end, "{}", chip.name);
                for other in &chip.memory[index + 1..] {
                    let apart = one.addresses.end <= other.addresses.start
                        || other.addresses.end <= one.addresses.start;
                    assert!(apart, "{}: {} and {}", chip.name, one.name, other.name);
                }
            }
            for (index, register) in chip.registers.iter().enumerate() {
                let end = register.address + register.width;
                let inside = chip.memory.iter().find(|stretch| {
                    register.address < stretch.addresses.end && stretch.addresses.start < end
                });
                assert_eq!(inside, None, "{}: {}", chip.name, register.name);
                for other in &chip.registers[index + 1..] {
                    assert_ne!(register.name, other.name, "{}", chip.name);
                    let apart =
                        end <= other.address || other.address + other.width <= register.address;
                    assert!(apart, "{}: {} and {}", chip.name, register.name, other.name);
                }
            }
            for name in &chip.startup {
                let known = chip.registers.iter().any(|register| register.name == *name);
                assert!(known, "{}: {name} is no register", chip.name);
            }
            assert!(chip.memory.iter().any(|stretch| stretch.nonvolatile));
            assert!(chip.memory.iter().any(|stretch| !stretch.nonvolatile));
        }
    }
}
