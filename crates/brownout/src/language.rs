//! The languages that clang compiles for us, and how.

/// The languages that clang compiles for us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
    /// An Arduino sketch: C++ that begins with `#include <Arduino.h>`.
    Sketch,
}

impl Language {
    /// Of a file with this extension.
    pub(crate) fn of(extension: &str) -> Option<Self> {
        match extension {
            "c" | "i" | "C" => Some(Self::C),
            "cpp" | "cc" | "cxx" | "c++" | "CPP" | "ii" => Some(Self::Cpp),
            "ino" => Some(Self::Sketch),
            _ => None,
        }
    }

    /// How firmware is compiled; flags of the user come after these.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            // Old code that newer compilers refuse; that it is odd is still said.
            Self::C => &[
                "-Wno-error=implicit-function-declaration",
                "-Wno-error=implicit-int",
                "-Wno-error=int-conversion",
                "-Wno-error=incompatible-pointer-types",
                "-Wno-error=incompatible-function-pointer-types",
                "-Wno-error=return-mismatch",
                "-Wno-error=return-type",
            ],
            Self::Cpp => CPP,
            Self::Sketch => SKETCH,
        }
    }
}

const CPP: &[&str] = &[
    "-std=gnu++17",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fstandalone-debug",
];
const SKETCH: &[&str] = &[
    "-std=gnu++17",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fstandalone-debug",
    "-include",
    "Arduino.h",
];
