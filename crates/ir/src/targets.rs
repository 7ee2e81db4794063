//! The targets that programs are compiled for: to add one, add a row to [`TARGETS`].
//!
//! **Invariant**: uses nothing but the language, because the build script of `llvm`, which compiles
//! the C library for every target, reads this file as well.

/// A target that is known.
#[derive(Clone, Copy, Debug)]
pub struct KnownTarget {
    /// What users call it.
    pub name: &'static str,
    /// What clang calls it.
    pub triple: &'static str,
    /// The first parts of triples that mean it; `arm*` are all that begin with `arm`. The first row
    /// that fits is meant.
    pub architectures: &'static [&'static str],
}

/// All of them.
pub const TARGETS: &[KnownTarget] = &[
    KnownTarget {
        name: "msp430",
        triple: "msp430",
        architectures: &["msp430"],
    },
    KnownTarget {
        name: "riscv32",
        triple: "riscv32-unknown-elf",
        architectures: &["riscv32", "riscv32imac", "riscv32imc"],
    },
    KnownTarget {
        name: "thumbv6m",
        triple: "thumbv6m-none-eabi",
        architectures: &["thumbv6m", "armv6m"],
    },
    // The C library is the same for every other 32-bit ARM.
    KnownTarget {
        name: "thumbv7m",
        triple: "thumbv7m-none-eabi",
        architectures: &["thumb*", "arm*"],
    },
    KnownTarget {
        name: "i386",
        triple: "i386-linux-gnu",
        architectures: &["i386", "i486", "i586", "i686"],
    },
    KnownTarget {
        name: "x86_64",
        triple: "x86_64-linux-gnu",
        architectures: &["x86_64"],
    },
];

/// The target that a triple, or the name that users know, means.
pub fn known_target(triple: &str) -> Option<&'static KnownTarget> {
    let architecture = triple.split('-').next().unwrap_or_default();
    let is_meant = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => architecture.starts_with(start),
        None => architecture == *pattern,
    };
    TARGETS
        .iter()
        .find(|target| target.architectures.iter().any(is_meant))
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, known_target};

    #[test]
    fn names_and_triples_mean_their_targets() {
        let name = |triple| known_target(triple).map(|target| target.name);
        for target in TARGETS {
            assert_eq!(name(target.name), Some(target.name));
            assert_eq!(name(target.triple), Some(target.name));
        }
        let cases = [
            ("armv6m-none-eabi", Some("thumbv6m")),
            ("thumbv7em-none-eabi", Some("thumbv7m")),
            ("armv7-none-eabi", Some("thumbv7m")),
            ("i686-pc-linux-gnu", Some("i386")),
            ("riscv64", None),
            ("avr", None),
            ("", None),
        ];
        for (triple, expected) in cases {
            assert_eq!(name(triple), expected, "{triple}");
        }
    }
}
