//! What the compiler did not find. Headers: where the project has them, whose they are, and what to give. Names of a
//! vendor's header that is built in, of which not everything is.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::implied;

/// Something that was not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// A header.
    Header(MissingHeader),
    /// A name of a vendor's header that is built in.
    Name {
        /// The name.
        name: String,
        /// The header.
        header: String,
    },
}

impl Missing {
    /// What clang did not find when it compiled `source`, by what it says.
    pub(crate) fn of(said: &str, source: &Path) -> Option<Self> {
        let header = MissingHeader::of(said, source).map(Self::Header);
        header.or_else(|| {
            let (_, after) = said.split_once("use of undeclared identifier '")?;
            let (name, _) = after.split_once('\'')?;
            let is_constant = |letter: char| {
                letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
            };
            let (_, header) = implied::target(&[source.to_owned()])?;
            name.chars().all(is_constant).then(|| Self::Name {
                name: name.to_owned(),
                header,
            })
        })
    }

    /// What to do.
    pub(crate) fn help(&self) -> String {
        match self {
            Self::Header(header) => header.help(),
            Self::Name { name, header } => format!(
                "the `<{header}>` that is built in has the names of small programs only: give the folder of the vendor's own (`-- -Iinclude`), or the value (`-- -D{name}=1`)"
            ),
        }
    }
}

/// A header that was not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingHeader {
    /// Its name, as the program includes it.
    pub name: String,
    /// Folders of the project that have it.
    pub folders: Vec<PathBuf>,
}

/// So many entries of folders are looked at: a project with the packages of its vendor has less.
const MOST_ENTRIES: usize = 50_000;

/// So many folders are named.
const MOST_FOLDERS: usize = 3;

/// Packages that headers come with: how the names of the headers begin, what the package is, and what else to
/// say to brownout of a program for such a device.
const PACKAGES: [(&[&str], &str, &str); 12] = [
    (
        &["stm32"],
        "ST's STM32Cube",
        "`-D` with the name of the device (`-DSTM32L476xx`) and the chip: `--set chip=stm32l4`, `stm32l0`, `stm32g0` or `cortex-m4`; functions of the HAL are described by the profile `stm32-hal`, by themselves",
    ),
    (
        &["nrf"],
        "Nordic's nrfx or SDK",
        "`-D` with the name of the device (`-DNRF52840_XXAA`) and the chip: `--set chip=nrf52`",
    ),
    (&["am_"], "AmbiqSuite", "the chip: `--set chip=apollo4`"),
    (
        &["ch32"],
        "WCH's package of the device",
        "the chip: `--set chip=rv32`",
    ),
    (
        &["zephyr/", "devicetree"],
        "Zephyr",
        "`-p build`, the folder of `west build`, which has all flags; functions of Zephyr are described by a profile, by themselves",
    ),
    (
        &["freertos", "semphr", "queue.h", "task.h"],
        "FreeRTOS",
        "`--target`, or a chip; its functions are described by a profile, by themselves",
    ),
    (
        &["esp_", "nvs", "driver/"],
        "ESP-IDF",
        "`--target riscv32`, and `-p build`; its functions are described by a profile, by themselves",
    ),
    (
        &["driverlib", "ti/"],
        "TI's DriverLib or SDK",
        "the chip: `--set chip=msp430fr5994`; functions of DriverLib are described by a profile, by themselves",
    ),
    (
        &["msp430", "msp432"],
        "TI's support files",
        "either of them, or `<msp430.h>`, which is built in",
    ),
    (
        &["avr/", "util/"],
        "avr-libc",
        "it, or what is built in: `<avr/io.h>`, `<avr/eeprom.h>`, `<avr/interrupt.h>`, `<avr/sleep.h>`, `<avr/pgmspace.h>`",
    ),
    (
        &["arm_", "cmsis"],
        "ARM's CMSIS",
        "the chip: `--set chip=cortex-m4`; `<core_cm4.h>` and `<cmsis_compiler.h>` are built in",
    ),
    (
        &["pico/", "hardware/"],
        "the Pico SDK",
        "the chip: `--set chip=cortex-m0plus`, and `-p build`",
    ),
];

impl MissingHeader {
    /// The header that clang did not find when it compiled `source`, by what it says.
    fn of(said: &str, source: &Path) -> Option<Self> {
        let (before, _) = said.split_once("' file not found")?;
        let (_, name) = before.rsplit_once('\'')?;
        Some(Self {
            name: name.to_owned(),
            folders: folders_with(name, &project(source)),
        })
    }

    /// What to do.
    fn help(&self) -> String {
        let give = match self.folders.as_slice() {
            [] => {
                let folder = self.name.rsplit_once('/').map_or("", |(folder, _)| folder);
                let that_has_it = match folder {
                    "" => String::new(),
                    folder => format!(" that has `{folder}`"),
                };
                format!("give the folder{that_has_it} after `--`: `-- -Iinclude`")
            }
            [folder] => format!("it is here: give `-- -I{}`", folder.display()),
            folders => {
                let folders: Vec<String> = folders
                    .iter()
                    .map(|folder| format!("`-I{}`", folder.display()))
                    .collect();
                format!(
                    "it is here, give one of them after `--`: {}",
                    folders.join(", ")
                )
            }
        };
        let lowercase = self.name.to_lowercase();
        let package = PACKAGES.iter().find(|(names, _, _)| {
            let mut names = names.iter();
            names.any(|name| lowercase.starts_with(name))
        });
        let package = package.map_or(String::new(), |(_, package, further)| {
            format!("\nit comes with {package}, and such a program needs {further}")
        });
        format!(
            "{give}, or take the flags of the build: `-p build`{package}\n\
             built in are the headers of C, `<brownout.h>`, `<msp430.h>` and those of its chips, `<avr/io.h>` and its like, \
             `<core_cm4.h>` and those of other Cortex-M, `<stm32l0xx.h>`, `<stm32l4xx.h>`, `<stm32g0xx.h>` and `<nrf.h>`"
        )
    }
}

/// The folder of the project that a file belongs to: the nearest one above it that is a repository, or else the one
/// it is in.
fn project(source: &Path) -> PathBuf {
    let whole = std::path::absolute(source).unwrap_or_default();
    let repository = whole
        .ancestors()
        .skip(1)
        .find(|folder| folder.join(".git").exists());
    let beside = || source.parent().unwrap_or(Path::new("")).to_owned();
    let folder = repository.map_or_else(beside, Path::to_owned);
    // Folders are called what they are called from here.
    let here = std::env::current_dir().unwrap_or_default();
    match folder.strip_prefix(&here) {
        Ok(inside) => inside.to_owned(),
        Err(_) => folder,
    }
}

/// The folders in and below `root` from which `name` is found, those with the shortest way first.
fn folders_with(name: &str, root: &Path) -> Vec<PathBuf> {
    let mut waiting = VecDeque::from([root.to_owned()]);
    let mut found = Vec::new();
    let mut entries = 0;
    while let Some(folder) = waiting.pop_front() {
        if found.len() == MOST_FOLDERS || entries > MOST_ENTRIES {
            break;
        }
        if folder.join(name).is_file() {
            found.push(match folder.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => folder.clone(),
            });
        }
        let place = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => &folder,
        };
        // Folders that cannot be read have nothing to give.
        let Ok(children) = std::fs::read_dir(place) else {
            continue;
        };
        let mut children: Vec<PathBuf> = children
            .filter_map(Result::ok)
            .inspect(|_| entries += 1)
            // Links may lead in a circle.
            .filter(|child| child.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter(|child| !child.file_name().to_string_lossy().starts_with('.'))
            .map(|child| folder.join(child.file_name()))
            .collect();
        children.sort();
        waiting.extend(children);
    }
    found
}
