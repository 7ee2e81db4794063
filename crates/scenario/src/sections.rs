//! Sections that keep their contents without power, by custom: one table for everyone.
//!
//! Names are compared without regard to case and without a leading dot. What is in no row but looks
//! like non-volatile memory is pointed out ([`Custom::Suspect`]), never silently volatile.

use crate::scenario::fixed_address;

use Extent::{Prefix, Word};
use Filling::{Image, Nobody, StartUp};

/// How much of a section's name a row of the table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// A word, after which anything comes that does not continue it (`nv`, `nv_2`, `nv.count`).
    Word,
    /// The beginning, whatever comes after it.
    Prefix,
}

/// Who writes what a section holds when the program starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Filling {
    /// The image of the program, once.
    Image,
    /// Nobody: it holds anything before the first boot.
    Nobody,
    /// The start-up code of some toolchain, at every boot; programs that keep something there have their own.
    StartUp,
}

/// The table: a name, how much of the section's name it is, and what fills it.
const SECTIONS: [(&str, Extent, Filling); 29] = [
    // Runtimes for intermittent computing.
    ("nv", Word, Image),
    ("nvm", Word, Image),
    ("nvram", Prefix, Image),
    // GCC and TI, the attribute `persistent`.
    ("persistent", Word, Image),
    // TI, the pragmas `PERSISTENT` and `NOINIT`.
    ("TI.persistent", Word, Image),
    ("TI.noinit", Word, Nobody),
    // GCC and TI, the attribute `noinit`.
    ("noinit", Word, Nobody),
    // IAR, `__no_init`.
    ("no_init", Word, Nobody),
    // Raspberry Pi Pico, `__uninitialized_ram`; ESP32, `RTC_NOINIT_ATTR`.
    ("uninitialized_data", Word, Nobody),
    ("rtc_noinit", Word, Nobody),
    // TI's examples; IAR has `FRAM`.
    ("fram", Prefix, Image),
    ("ext_fram", Prefix, Image),
    ("feram", Prefix, Image),
    // Everspin, Ambiq.
    ("mram", Prefix, Image),
    ("reram", Prefix, Image),
    // AVR.
    ("eeprom", Word, Image),
    // STM32: memory with a battery of its own.
    ("backup", Word, Nobody),
    ("bkpsram", Word, Nobody),
    ("bkp_sram", Word, Nobody),
    // MSP430: information memory.
    ("infomem", Prefix, Image),
    ("infoA", Word, Image),
    ("infoB", Word, Image),
    ("infoC", Word, Image),
    ("infoD", Word, Image),
    // IAR, `__persistent`.
    ("DATA16_P", Word, Image),
    ("DATA20_P", Word, Image),
    // GCC, MSP430: memory beyond 64 KiB is FRAM.
    ("upper.data", Word, StartUp),
    ("upper.bss", Word, StartUp),
    ("upper.", Prefix, Image),
];

/// The row of the table for a section, if one is about it.
fn filling(section: &str) -> Option<Filling> {
    let name = plain(section);
    let mut rows = SECTIONS.iter();
    rows.find(|&&(known, extent, _)| begins_with(name, known, extent))
        .map(|&(_, _, filling)| filling)
}

/// Sections of ordinary memory.
const ORDINARY: [&str; 13] = [
    "data", "bss", "common", "sdata", "sbss", "tdata", "tbss", "dtcm", "itcm", "ccmram", "ram",
    "heap", "nvic",
];

/// Beginnings of words in names of sections that may be non-volatile; `.rtc.data` of the ESP32 keeps what it holds
/// in deep sleep only.
const SUSPECT_WORDS: [&str; 2] = ["nv", "rtc"];

/// Parts of names of sections that may be non-volatile.
const SUSPECT: [&str; 10] = [
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
    let name = plain(section);
    if filling(section).is_some() {
        Custom::Nonvolatile
    } else if ORDINARY.iter().any(|known| begins_with(name, known, Word)) {
        Custom::Volatile
    } else if is_suspect(&name.to_lowercase()) {
        Custom::Suspect
    } else {
        Custom::Unknown
    }
}

/// Whether a name in small letters sounds like non-volatile memory.
fn is_suspect(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphabetic());
    words.any(|word| SUSPECT_WORDS.iter().any(|start| word.starts_with(start)))
        || SUSPECT.iter().any(|part| name.contains(part))
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
        && (extent == Prefix || !rest.starts_with(char::is_alphabetic))
}

/// Whether nobody puts anything into a section before the first boot, so that it holds anything then.
pub fn is_uninitialised(section: &str) -> bool {
    filling(section) == Some(Nobody)
}

/// Whether the start-up code of some toolchain sets a section anew at every boot, although it keeps its contents
/// without power.
pub(crate) fn may_be_set_at_boot(section: &str) -> bool {
    filling(section) == Some(StartUp)
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
    use super::{custom, is_uninitialised, may_be_set_at_boot};

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
    fn sections_that_start_up_code_may_set() {
        for section in [".upper.data", ".upper.bss", ".upper.bss.count"] {
            assert!(may_be_set_at_boot(section), "{section}");
        }
        for section in [
            ".upper.persistent",
            ".upper.database",
            ".persistent",
            ".data",
        ] {
            assert!(!may_be_set_at_boot(section), "{section}");
        }
    }

    #[test]
    fn sections_by_custom() {
        let cases = [
            (".nv", Nonvolatile),
            (".nv_vars", Nonvolatile),
            (".nv.count", Nonvolatile),
            (".nvic_table", Volatile),
            (".canvas", Unknown),
            (".my_nvdata", Suspect),
            (".nvdata", Suspect),
            (".rtc.data", Suspect),
            (".rtc_noinit.3", Nonvolatile),
            (".uninitialized_data.boots", Nonvolatile),
            (".ext_fram_log", Nonvolatile),
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
            (".upper.bss.count", Nonvolatile),
            (".upper.persistent", Nonvolatile),
            (".upper", Unknown),
            (".upperware", Unknown),
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
