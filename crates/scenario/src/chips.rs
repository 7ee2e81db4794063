//! Chips as data: one TOML file each, in the folder `chips` of this crate.
//!
//! A chip says what its memory is (what is non-volatile, by address), how much a store writes at once,
//! where its registers are and what they hold after a reset, and which interrupts it has. The
//! configuration names one with `chip = "…"`; what it says itself wins over the chip. What a file does
//! not say is not known: nothing is guessed.
//!
//! **Invariant**: every file is read once, completely, by the tests: stretches of memory, peripherals
//! and registers do not overlap, registers lie in peripherals, and names are unique.

use std::ops::Range;
use std::sync::OnceLock;

use toml::de::{DeTable, DeValue};

/// The files.
const FILES: [&str; 14] = [
    include_str!("../chips/apollo4.toml"),
    include_str!("../chips/cortex-m0plus.toml"),
    include_str!("../chips/cortex-m33.toml"),
    include_str!("../chips/cortex-m4.toml"),
    include_str!("../chips/msp430fr2433.toml"),
    include_str!("../chips/msp430fr5739.toml"),
    include_str!("../chips/msp430fr5969.toml"),
    include_str!("../chips/msp430fr5994.toml"),
    include_str!("../chips/msp430fr6989.toml"),
    include_str!("../chips/nrf52.toml"),
    include_str!("../chips/rv32.toml"),
    include_str!("../chips/stm32g0.toml"),
    include_str!("../chips/stm32l0.toml"),
    include_str!("../chips/stm32l4.toml"),
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
    "nrf52",
    "rv32",
    "stm32g0",
    "stm32l0",
    "stm32l4",
];

/// The same as a form of text, for editors: letters may be small or not.
pub(crate) const FORM: &str = "^([aA][pP][oO][lL][lL][oO]4|[cC][oO][rR][tT][eE][xX]-[mM](0[pP][lL][uU][sS]|33|4)|[mM][sS][pP]430[fF][rR](2433|5739|5969|5994|6989)|[nN][rR][fF]52|[rR][vV]32|[sS][tT][mM]32([gG]0|[lL]0|[lL]4))$";

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
    /// How large its stack can be.
    pub stack_size: Option<u32>,
    /// How large its heap can be.
    pub heap_size: Option<u32>,
    /// Its memory, by address.
    pub memory: Vec<Stretch>,
    /// Its peripherals, by address.
    pub peripherals: Vec<Block>,
    /// Its registers, as far as they are known.
    pub registers: Vec<ChipRegister>,
    /// Its interrupts.
    pub vectors: Vec<Vector>,
    /// Registers that start-up code sets on every boot.
    pub startup: Vec<String>,
    /// Registers that hold what the chip computes from others: no readings of the world outside.
    pub computed: Vec<String>,
    /// Macros that are defined where programs for it are compiled.
    pub defines: Vec<String>,
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
    /// What it holds at first, if the configuration says so.
    pub image: Option<Vec<u8>>,
}

impl Stretch {
    /// Whether the configuration has it, and not the chip.
    pub fn is_given(&self) -> bool {
        self.name.is_empty()
    }
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
    /// What it holds after a reset, if that is known.
    pub reset: Option<u64>,
    /// Whether the device changes it by itself: nobody relies on what was written.
    pub changes: bool,
    /// Whether what is written leaves the device.
    pub output: bool,
    /// Whether what is written makes the device program or erase flash, which is not emulated.
    pub flash: bool,
    /// The registers that have to be set up before it means anything.
    pub needs: Vec<String>,
}

/// A peripheral: a block of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What the vendor calls it.
    pub name: String,
    /// Its addresses.
    pub addresses: Range<u64>,
}

/// An interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// What the vendor calls it, and what else it is called.
    pub names: Vec<String>,
    /// Its number.
    pub number: u64,
    /// The bits one of which has to be set for the interrupt to come; none if they are not known.
    pub enables: Vec<EnableBits>,
}

/// Bits of a register that let interrupts come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnableBits {
    /// The register, by name.
    pub register: String,
    /// Where it is.
    pub address: u64,
    /// The bits, any of which is enough.
    pub mask: u64,
    /// Registers that have to be set up as well, or the interrupt never comes.
    pub needs: Vec<String>,
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

    /// The register of that name.
    pub fn register(&self, name: &str) -> Option<&ChipRegister> {
        self.registers.iter().find(|register| register.name == name)
    }

    /// The register that an address lies in.
    pub fn register_at(&self, address: u64) -> Option<&ChipRegister> {
        let mut registers = self.registers.iter();
        registers.find(|register| {
            (register.address..register.address + register.width).contains(&address)
        })
    }

    /// Whether a program relies on what it writes into a register: start-up code does not set it on
    /// every boot, the device does not change it, and what it holds after a reset is known.
    pub fn is_relied_upon(&self, register: &ChipRegister) -> bool {
        register.reset.is_some() && !register.changes && !self.startup.contains(&register.name)
    }

    /// Whether a register, or the half of one, holds what the chip computes from others.
    pub fn computes(&self, name: &str) -> bool {
        let half = name.strip_suffix("_L").or(name.strip_suffix("_H"));
        let name = half.unwrap_or(name);
        self.computed.iter().any(|computed| computed == name)
    }

    /// The interrupt that a program means by a name or a number.
    pub fn vector(&self, word: &str) -> Option<&Vector> {
        let mut vectors = self.vectors.iter();
        let number = word.parse().ok();
        vectors.find(|vector| {
            Some(vector.number) == number || vector.names.iter().any(|name| name == word)
        })
    }
}

/// A file as a chip; nothing if something is missing or of the wrong kind, which a test rules out.
fn read(text: &'static str) -> Option<Chip> {
    let table = DeTable::parse(text).ok()?.into_inner();
    let registers = tables(&table, "register")?.into_iter().map(register);
    let registers = registers.collect::<Option<Vec<_>>>()?;
    let memory = tables(&table, "memory")?.into_iter().map(|table| {
        Some(Stretch {
            name: string(table, "name")?,
            addresses: addresses(table)?,
            nonvolatile: table.get("nonvolatile")?.get_ref().as_bool()?,
            image: None,
        })
    });
    let peripherals = tables(&table, "peripheral")?.into_iter().map(|table| {
        Some(Block {
            name: string(table, "name")?,
            addresses: addresses(table)?,
        })
    });
    let vectors = tables(&table, "vector")?.into_iter();
    let vectors = vectors.map(|table| vector(table, &registers));
    let size = |key: &str| match table.get(key) {
        Some(_) => u32::try_from(number(&table, key)?).ok().map(Some),
        None => Some(None),
    };
    Some(Chip {
        name: string(&table, "name")?,
        about: string(&table, "about")?,
        target: string(&table, "target")?,
        atomic_write: u32::try_from(number(&table, "atomic-write")?).ok()?,
        stack_size: size("stack-size")?,
        heap_size: size("heap-size")?,
        memory: memory.collect::<Option<Vec<_>>>()?,
        peripherals: peripherals.collect::<Option<Vec<_>>>()?,
        vectors: vectors.collect::<Option<Vec<_>>>()?,
        registers,
        startup: strings(&table, "startup")?,
        computed: strings(&table, "computed")?,
        defines: strings(&table, "defines")?,
        text,
    })
}

fn register(table: &DeTable<'_>) -> Option<ChipRegister> {
    let reset = match table.get("reset") {
        Some(_) => Some(number(table, "reset")?),
        None => None,
    };
    let flag = |key: &str| match table.get(key) {
        Some(flag) => flag.get_ref().as_bool(),
        None => Some(false),
    };
    Some(ChipRegister {
        name: string(table, "name")?,
        address: number(table, "at")?,
        width: number(table, "width")?,
        reset,
        changes: flag("changes")?,
        output: flag("output")?,
        flash: flag("flash")?,
        needs: strings(table, "needs")?,
    })
}

fn vector(table: &DeTable<'_>, registers: &[ChipRegister]) -> Option<Vector> {
    let mut names = vec![string(table, "name")?];
    names.extend(strings(table, "also")?);
    let enables = tables(table, "enable")?.into_iter().map(|table| {
        let name = string(table, "register")?;
        let register = registers.iter().find(|register| register.name == name)?;
        Some(EnableBits {
            register: name,
            address: register.address,
            mask: number(table, "mask")?,
            needs: strings(table, "needs")?,
        })
    });
    Some(Vector {
        names,
        number: number(table, "number")?,
        enables: enables.collect::<Option<Vec<_>>>()?,
    })
}

fn addresses(table: &DeTable<'_>) -> Option<Range<u64>> {
    let start = number(table, "at")?;
    Some(start..start + number(table, "size")?)
}

/// A list of texts; empty if there is none.
fn strings(table: &DeTable<'_>, key: &str) -> Option<Vec<String>> {
    match table.get(key).map(|value| value.get_ref()) {
        None => Some(Vec::new()),
        Some(DeValue::Array(texts)) => {
            let texts = texts.iter().map(|text| text.get_ref().as_str());
            texts.map(|text| text.map(str::to_owned)).collect()
        }
        Some(_) => None,
    }
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

/// A list of tables; empty if there is none.
fn tables<'t>(table: &'t DeTable<'t>, key: &str) -> Option<Vec<&'t DeTable<'t>>> {
    let array = match table.get(key).map(|value| value.get_ref()) {
        None => return Some(Vec::new()),
        Some(DeValue::Array(array)) => array,
        Some(_) => return None,
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

    /// Ranges that have nothing in common, each with a name.
    fn assert_apart<'a>(
        chip: &Chip,
        ranges: impl Iterator<Item = (&'a str, std::ops::Range<u64>)> + Clone,
    ) {
        for (index, (name, one)) in ranges.clone().enumerate() {
            assert!(one.start < one.end, "{}: {name}", chip.name);
            for (other, range) in ranges.clone().skip(index + 1) {
                let apart = one.end <= range.start || range.end <= one.start;
                assert!(apart, "{}: {name} and {other}", chip.name);
                assert_ne!(name, other, "{}", chip.name);
            }
        }
    }

    #[test]
    fn nothing_overlaps() {
        for chip in Chip::all() {
            let memory = chip.memory.iter();
            let memory = memory.map(|one| (one.name.as_str(), one.addresses.clone()));
            let peripherals = chip.peripherals.iter();
            let peripherals = peripherals.map(|one| (one.name.as_str(), one.addresses.clone()));
            assert_apart(chip, memory.chain(peripherals));
            let registers = chip.registers.iter();
            let registers = registers.map(|one| {
                let end = one.address + one.width;
                (one.name.as_str(), one.address..end)
            });
            assert_apart(chip, registers);
            assert!(chip.memory.iter().any(|stretch| stretch.nonvolatile));
            assert!(chip.memory.iter().any(|stretch| !stretch.nonvolatile));
        }
    }

    #[test]
    fn registers_are_where_they_are_said_to_be() {
        for chip in Chip::all() {
            let is_known = |name: &String| chip.register(name).is_some();
            for register in &chip.registers {
                let name = format!("{}: {}", chip.name, register.name);
                let end = register.address + register.width;
                let mut peripherals = chip.peripherals.iter();
                assert!(
                    peripherals.any(|block| {
                        block.addresses.start <= register.address && end <= block.addresses.end
                    }),
                    "{name} lies in no peripheral"
                );
                assert!(matches!(register.width, 1 | 2 | 4), "{name}");
                assert_eq!(register.address % register.width, 0, "{name}");
                let limit = 1u64 << (8 * register.width);
                assert!(register.reset.is_none_or(|reset| reset < limit), "{name}");
                assert!(register.needs.iter().all(is_known), "{name}");
                assert!(!register.needs.contains(&register.name), "{name}");
            }
            assert!(chip.startup.iter().all(is_known), "{}", chip.name);
        }
    }

    #[test]
    fn vectors_are_told_apart() {
        for chip in Chip::all() {
            let mut numbers: Vec<u64> = chip.vectors.iter().map(|one| one.number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), chip.vectors.len(), "{}", chip.name);
            let names = chip.vectors.iter().flat_map(|one| &one.names);
            let mut names: Vec<&String> = names.collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", chip.name);
            for vector in &chip.vectors {
                assert_eq!(chip.vector(&vector.names[0]), Some(vector));
                assert_eq!(chip.vector(&vector.number.to_string()), Some(vector));
                for bits in &vector.enables {
                    let register = chip.register(&bits.register).expect(&bits.register);
                    assert_eq!(register.address, bits.address);
                    let limit = 1u64 << (8 * register.width);
                    assert!(bits.mask > 0 && bits.mask < limit, "{}", bits.register);
                    let mut needs = bits.needs.iter();
                    assert!(needs.all(|name| chip.register(name).is_some()), "{bits:?}");
                }
            }
        }
    }

    #[test]
    fn sizes_fit_the_memory() {
        for chip in Chip::all() {
            let ram = chip.memory.iter().filter(|one| !one.nonvolatile);
            let ram: u64 = ram.map(|one| one.addresses.end - one.addresses.start).sum();
            for size in [chip.stack_size, chip.heap_size].into_iter().flatten() {
                assert!(u64::from(size) <= ram, "{}", chip.name);
            }
        }
    }
}
