//! What can go wrong on the way in, and what we cannot translate.

use std::fmt;

use brownout_ir::source::Place;
use brownout_ir::{Func, TARGETS};

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A file with nothing in it.
    Empty {
        /// The file.
        name: String,
    },
    /// LLVM does not accept the file.
    Parse {
        /// The file.
        name: String,
        /// What LLVM says.
        message: String,
    },
    /// The file was made by a clang that is too old.
    Old {
        /// The file.
        name: String,
        /// The version of that clang, if the file says so.
        version: Option<u32>,
    },
    /// The file does not fit those before it.
    Link {
        /// The file.
        name: String,
        /// What does not fit.
        message: String,
    },
    /// The file was compiled for another target than those before it.
    OtherTarget {
        /// The file.
        name: String,
        /// Its target.
        found: String,
        /// Theirs.
        expected: String,
    },
    /// A target we do not know.
    UnknownTarget {
        /// The triple.
        triple: String,
    },
    /// A module that does not say how large its types are.
    NoLayout {
        /// Its triple.
        triple: String,
    },
    /// No module was given.
    Nothing,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { name } => write!(f, "{name}: the file is empty"),
            Self::Parse { name, message } => {
                write!(f, "{name}: not valid LLVM IR: {}", message.trim_end())
            }
            Self::Old { name, version } => {
                let by = match version {
                    Some(version) => format!("by clang {version}"),
                    None => "by an old compiler".to_owned(),
                };
                write!(f, "{name}: made {by}; recompile with clang 13 or later")
            }
            Self::Link { name, message } => write!(f, "{name}: cannot be linked: {message}"),
            Self::OtherTarget {
                name,
                found,
                expected,
            } => {
                write!(
                    f,
                    "{name}: compiled for `{found}`, the files before it for `{expected}`"
                )
            }
            Self::UnknownTarget { triple } => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                let names = names.join(", ");
                write!(
                    f,
                    "target `{triple}` is not supported; supported are {names}"
                )
            }
            Self::NoLayout { triple } => write!(
                f,
                "a module for `{triple}` does not say how large its types are: `target datalayout`, which clang writes, is missing"
            ),
            Self::Nothing => f.write_str("no input"),
        }
    }
}

impl std::error::Error for Error {}

/// Something in the program that has no translation yet: our gap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is.
    pub gap: Gap,
    /// The function it is in; none for global data.
    pub function: Option<Func>,
    /// Where.
    pub place: Option<Place>,
}

/// The kinds of gap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Assembly that is neither empty nor a known instruction.
    InlineAssembly(String),
    /// An LLVM intrinsic.
    Intrinsic(String),
    /// An LLVM instruction.
    Instruction(String),
    /// A type without a translation, such as integers of more than 128 bits.
    Type(String),
    /// A constant expression.
    Constant(String),
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InlineAssembly(text) => write!(f, "inline assembly `{}`", text.escape_debug()),
            Self::Intrinsic(name) => write!(f, "intrinsic `{name}`"),
            Self::Instruction(name) => write!(f, "instruction `{name}`"),
            Self::Type(name) => write!(f, "type `{name}`"),
            Self::Constant(text) => write!(f, "constant `{text}`"),
        }
    }
}
