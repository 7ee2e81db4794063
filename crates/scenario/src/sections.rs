//! Sections that keep their contents without power, by custom: one table for everyone.
//!
//! Names are compared without regard to case and without a leading dot. What is in no row but looks
//! like non-volatile memory is pointed out ([`Custom::Suspect`]), never silently volatile.

use crate::scenario::fixed_address;

/// How much of a section's name a row of the table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// A word, after which anything comes that does not continue it (`nv`, `nv_2`, `nv.count`).
    Word,
    /// The beginning, whatever comes after it.
    Prefix,
}

/// The table: a name, how much of the section's name it is, and whose it is.
const SECTIONS: [(&str, Extent, &str); 24] = [
    ("nv", Extent::Word, "runtimes for intermittent computing"),
    ("nvm", Extent::Word, "several vendors"),
    ("nvram", Extent::Prefix, "several vendors"),
    ("persistent", Extent::Word, "GCC and TI, `persistent`"),
    ("TI.persistent", Extent::Word, "TI, `PERSISTENT`"),
    ("TI.noinit", Extent::Word, "TI, `NOINIT`"),
    ("noinit", Extent::Word, "GCC and TI, `noinit`"),
    ("no_init", Extent::Word, "IAR, `__no_init`"),
    ("fram", Extent::Prefix, "TI's examples"),
    ("FRAM", Extent::Word, "IAR"),
    ("feram", Extent::Prefix, "several vendors"),
    ("mram", Extent::Prefix, "Everspin, Ambiq"),
    ("reram", Extent::Prefix, "several vendors"),
    ("eeprom", Extent::Word, "AVR"),
    (
        "backup",
        Extent::Word,
        "STM32: memory with a battery of its own",
    ),
    ("bkpsram", Extent::Word, "STM32"),
    ("bkp_sram", Extent::Word, "STM32"),
    ("infomem", Extent::Prefix, "MSP430: information memory"),
    ("infoA", Extent::Word, "MSP430: information memory"),
    ("infoB", Extent::Word, "MSP430: information memory"),
    ("infoC", Extent::Word, "MSP430: information memory"),
    ("infoD", Extent::Word, "MSP430: information memory"),
    ("DATA16_P", Extent::Word, "IAR, `__persistent`"),
    ("DATA20_P", Extent::Word, "IAR, `__persistent`"),
];

/// Sections of ordinary memory.
const ORDINARY: [&str; 12] = [
    "data", "bss", "common", "sdata", "sbss", "tdata", "tbss", "dtcm", "itcm", "ccmram", "ram",
    "heap",
];

/// Words in names of sections that may be non-volatile.
const SUSPECT: [&str; 11] = [
    "nv",
    "fram",
    "mram",
    "flash",
    "eeprom",
    "persist",
    "retain",
    "retention",
    "backup",
    "noinit",
    "location",
];

/// What custom says of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Custom {
    /// It keeps its contents without power.
    Nonvolatile,
    /// It may: its name sounds like it.
    Suspect,
    /// Nobody knows it.
    Unknown,
    /// It does not.
    Volatile,
}

/// What custom says of a section of this name.
pub(crate) fn custom(section: &str) -> Custom {
    // That part of an MSP430 is FRAM.
    if section.starts_with(".upper.") {
        return Custom::Nonvolatile;
    }
    let name = plain(section);
    if SECTIONS
        .iter()
        .any(|&(known, extent, _)| begins_with(name, known, extent))
    {
        Custom::Nonvolatile
    } else if ORDINARY
        .iter()
        .any(|known| begins_with(name, known, Extent::Word))
    {
        Custom::Volatile
    } else if SUSPECT
        .iter()
        .any(|word| name.to_lowercase().contains(word))
    {
        Custom::Suspect
    } else {
        Custom::Unknown
    }
}

/// The name of a section without the dot, and without the half of an MSP430's memory that it is in.
fn plain(section: &str) -> &str {
    let section = section
        .strip_prefix(".lower")
        .or_else(|| section.strip_prefix(".either"))
        .unwrap_or(section);
    section.strip_prefix('.').unwrap_or(section)
}

fn begins_with(name: &str, known: &str, extent: Extent) -> bool {
    let (Some(start), Some(rest)) = (name.get(..known.len()), name.get(known.len()..)) else {
        return false;
    };
    start.eq_ignore_ascii_case(known)
        && (extent == Extent::Prefix || !rest.starts_with(char::is_alphabetic))
}

/// The table in words, for the manual: names and whose they are.
pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    SECTIONS.iter().map(|&(name, _, whose)| (name, whose))
}

/// Sections of the table that nothing initialises: neither the image of the program nor start-up code.
const UNINITIALISED: [&str; 6] = [
    "noinit",
    "no_init",
    "TI.noinit",
    "backup",
    "bkpsram",
    "bkp_sram",
];

/// Whether nobody puts anything into a section before the first boot, so that it holds anything then.
pub fn is_uninitialised(section: &str) -> bool {
    let name = plain(section);
    UNINITIALISED
        .iter()
        .any(|known| begins_with(name, known, Extent::Word))
}

/// The address in the name of a section that stands for one: `.location.0x1980`, or
/// `.noinit.location.0x1980` if start-up code leaves what is there alone.
pub fn placed_at(section: &str) -> Option<u64> {
    let (_, address) = section.split_once(".location.")?;
    let address = address.trim_matches(['(', ')', ' ']);
    let address = address.trim_end_matches(['u', 'U', 'l', 'L']);
    fixed_address(address).or_else(|| address.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::Custom::{Nonvolatile, Suspect, Unknown, Volatile};
    use super::{custom, is_uninitialised};

    #[test]
    fn sections_that_nobody_initialises() {
        for section in [
            ".noinit",
            ".noinit.location.0x1880",
            ".either.noinit",
            ".no_init",
            ".TI.noinit",
            ".BKPSRAM",
        ] {
            assert!(is_uninitialised(section), "{section}");
        }
        for section in [
            ".nv",
            ".persistent",
            ".fram_vars",
            ".eeprom",
            ".backups",
            ".data",
            "",
        ] {
            assert!(!is_uninitialised(section), "{section}");
        }
    }

    #[test]
    fn sections_by_custom() {
        let cases = [
            (".nv", Nonvolatile),
            (".nv_vars", Nonvolatile),
            (".nv.count", Nonvolatile),
            (".nvic_table", Suspect),
            (".persistent", Nonvolatile),
            (".persistent.count", Nonvolatile),
            (".persistent1", Nonvolatile),
            (".TI.persistent", Nonvolatile),
            (".fram_vars", Nonvolatile),
            (".framdata", Nonvolatile),
            ("FRAMVARS", Nonvolatile),
            (".FRAM", Nonvolatile),
            (".mram", Nonvolatile),
            (".nvram", Nonvolatile),
            (".nvram_log", Nonvolatile),
            (".backup", Nonvolatile),
            (".backup_ram", Nonvolatile),
            (".noinit", Nonvolatile),
            (".no_init", Nonvolatile),
            (".NVM", Nonvolatile),
            (".infoA", Nonvolatile),
            (".eeprom", Nonvolatile),
            ("DATA16_P", Nonvolatile),
            (".upper.data", Nonvolatile),
            (".upper.bss", Nonvolatile),
            (".lower.persistent", Nonvolatile),
            (".lower.data", Volatile),
            (".either.noinit", Nonvolatile),
            (".data", Volatile),
            (".data.count", Volatile),
            (".bss", Volatile),
            (".flash_log", Suspect),
            (".my_fram", Suspect),
            (".location.0x1800", Suspect),
            (".hot", Unknown),
            ("", Unknown),
            (".pérsistent", Unknown),
        ];
        for (section, expected) in cases {
            assert_eq!(custom(section), expected, "{section}");
        }
    }
}
