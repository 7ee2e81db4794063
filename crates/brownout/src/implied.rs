//! What a program is for, by the headers of vendors that its sources include.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How names of headers begin, and what programs that include them are compiled for. The first that fits counts.
const TARGETS: &[(&[&str], &str)] = &[
    (&["msp430"], "msp430"),
    (
        &["stm32c0", "stm32f0", "stm32g0", "stm32l0", "stm32u0"],
        "thumbv6m",
    ),
    (&["stm32"], "thumbv7m"),
    (
        &["nrf.h", "nrf5", "nrfx", "nrf_gpio", "nrf_delay", "nrf_drv"],
        "thumbv7m",
    ),
    (&["am_mcu", "am_bsp", "am_util"], "thumbv7m"),
    (&["core_cm0", "pico/", "rp2040"], "thumbv6m"),
    (
        &[
            "core_cm",
            "cmsis_gcc",
            "cmsis_compiler",
            "arm_math",
            "em_device",
        ],
        "thumbv7m",
    ),
    (&["zephyr/"], "thumbv7m"),
    (&["ch32v", "gd32vf", "esp_"], "riscv32"),
];

/// So many files are looked at: the headers of a driver that lie beside it, and what they include.
const MOST_FILES: usize = 64;

/// What the headers that sources include say of the target, and the header that says so. Nothing if they are of several
/// targets: a driver for all of them.
pub(crate) fn target(sources: &[PathBuf]) -> Option<(&'static str, String)> {
    let mut waiting: Vec<PathBuf> = sources.to_vec();
    let mut known: BTreeSet<PathBuf> = sources.iter().cloned().collect();
    let mut found: Option<(&'static str, String)> = None;
    while let Some(file) = waiting.pop() {
        // What cannot be read is told by the compiler.
        let is_file = std::fs::metadata(&file).is_ok_and(|data| data.is_file());
        let Some(Ok(bytes)) = is_file.then(|| std::fs::read(&file)) else {
            continue;
        };
        for header in included(&String::from_utf8_lossy(&bytes)) {
            let beside = file.parent().unwrap_or(Path::new("")).join(header);
            if beside.is_file() {
                // The program's own, whatever it is called.
                if known.len() < MOST_FILES && known.insert(beside.clone()) {
                    waiting.push(beside);
                }
            } else if let Some(target) = target_of(header) {
                match &found {
                    Some((other, _)) if *other != target => return None,
                    _ => _ = found.get_or_insert_with(|| (target, header.to_owned())),
                }
            }
        }
    }
    found
}

/// What programs that include a header are compiled for, if it says.
fn target_of(header: &str) -> Option<&'static str> {
    let name = header.to_lowercase();
    let mut targets = TARGETS.iter();
    let found = targets.find(|(headers, _)| headers.iter().any(|header| name.starts_with(header)));
    found.map(|&(_, target)| target)
}

/// The headers that a text includes.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let name = directive.strip_prefix("include")?.trim_start();
        let end = match name.chars().next()? {
            '<' => '>',
            '"' => '"',
            _ => return None,
        };
        name[1..].split(end).next()
    })
}

#[cfg(test)]
mod tests {
    use super::{included, target_of};

    #[test]
    fn headers_are_found_in_directives() {
        let text = "#include <a.h>\n # include \"b/c.h\" // why\n#define X <d.h>\nint e;\n#include MACRO\n";
        assert_eq!(included(text).collect::<Vec<_>>(), ["a.h", "b/c.h"]);
    }

    #[test]
    fn families_have_their_targets() {
        assert_eq!(target_of("stm32l0xx_hal.h"), Some("thumbv6m"));
        assert_eq!(target_of("stm32f4xx.h"), Some("thumbv7m"));
        assert_eq!(target_of("core_cm0plus.h"), Some("thumbv6m"));
        assert_eq!(target_of("msp430fr5969.h"), Some("msp430"));
        assert_eq!(target_of("nRF24L01.h"), None);
        assert_eq!(target_of("FreeRTOS.h"), None);
    }
}
