//! What can be wrong with a configuration, and where.
//!
//! **Invariant**: every error names the full dotted key. Its text stands alone; the caller puts the
//! file name and the [`Place`] before it.

use crate::script::ScriptError;
use crate::trace::BadRow;
use std::fmt;

use crate::energy::Dimension;

/// One thing that is wrong with the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigError {
    /// Where it was said.
    pub place: Place,
    /// The full dotted key, such as `memory.nonvolatile`.
    pub key: String,
    /// What is wrong.
    pub problem: Problem,
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The text of the configuration.
    Text {
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
    },
    /// A `--set` of the command line.
    Setting {
        /// How many were applied before it.
        number: u32,
        /// The column in characters within the argument, from 1.
        column: u32,
    },
    /// The text of a profile.
    Profile {
        /// How many the configuration names before it.
        number: u32,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
    },
    /// An annotation in the program.
    Annotation,
    /// Nobody said anything.
    Default,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Not TOML.
    Syntax {
        /// What the TOML reader said.
        message: String,
    },
    /// A `--set` without key or value.
    NotASetting,
    /// No such key.
    UnknownKey {
        /// The key that may have been meant.
        nearest: Option<String>,
    },
    /// A value of another type.
    WrongType {
        /// The type that the key takes.
        expected: &'static str,
        /// The type that was given.
        found: &'static str,
    },
    /// A number outside of its bounds.
    OutOfRange {
        /// The number as written.
        found: String,
        /// The smallest that is allowed.
        low: i64,
        /// The largest that is allowed.
        high: i64,
    },
    /// A text that is none of those allowed.
    NotOneOf {
        /// The text.
        found: String,
        /// What is allowed.
        allowed: &'static [&'static str],
        /// The one that may have been meant.
        nearest: Option<&'static str>,
    },
    /// A text that is not a quantity of the dimension.
    NotAQuantity {
        /// The text.
        found: String,
        /// What the key takes.
        dimension: Dimension,
    },
    /// A text of another form than the key takes.
    BadForm {
        /// The text.
        found: String,
        /// The form, such as `argN`.
        expected: &'static str,
    },
    /// A condition that cannot be read, or means nothing in the program.
    BadExpression {
        /// The condition.
        found: String,
        /// What is wrong, as the end of a sentence about it.
        problem: String,
    },
    /// One table, or something else, where there can be several.
    NotTables {
        /// The type that was given.
        found: &'static str,
    },
    /// A function does not have as many arguments.
    NoArgument {
        /// The argument, from 0.
        argument: u32,
        /// Whether nobody has named it: it is what the key stands for if it is absent.
        is_default: bool,
        /// The function.
        function: String,
        /// How many it has.
        count: u32,
    },
    /// A name that several functions have.
    Ambiguous {
        /// The name.
        name: String,
        /// Their full names.
        meanings: Vec<String>,
    },
    /// Two tables say different things of one object.
    Contradiction {
        /// The object.
        name: String,
    },
    /// Something that must not be empty is.
    Empty,
    /// A range that ends before it begins.
    Reversed {
        /// Its first number.
        low: i64,
        /// Its second number.
        high: i64,
    },
    /// Two keys that exclude each other.
    Conflict {
        /// The other key.
        other: &'static str,
    },
    /// A section lacks a key.
    Missing {
        /// What it needs, such as "`function` or `register`".
        wanted: String,
    },
    /// The same thing is described twice.
    Duplicate {
        /// Its name.
        name: String,
    },
    /// The program has no such function.
    UnknownFunction {
        /// The name or pattern.
        name: String,
        /// The name that may have been meant.
        nearest: Option<String>,
    },
    /// The program has no such function to start at.
    UnknownEntry {
        /// The name.
        name: String,
        /// The names that may have been meant, the likeliest first.
        near: Vec<String>,
        /// Some that could have been meant, when none is near.
        defined: Vec<String>,
    },
    /// The program only declares the function.
    UndefinedFunction {
        /// The name.
        name: String,
    },
    /// The program has no such symbol.
    UnknownSymbol {
        /// The name or pattern.
        name: String,
        /// The name that may have been meant.
        nearest: Option<String>,
    },
    /// The function has no such variable that would be in memory.
    UnknownLocal {
        /// The name, with the function.
        name: String,
        /// The function.
        function: String,
        /// The name that may have been meant, with the function.
        nearest: Option<String>,
    },
    /// No object of the program is in such a section.
    UnknownSection {
        /// The name or pattern.
        name: String,
        /// The name that may have been meant.
        nearest: Option<String>,
    },
    /// `[environment]` has no such value.
    UnknownValue {
        /// The name.
        name: String,
        /// The name that may have been meant.
        nearest: Option<String>,
    },
    /// An annotation of ours that does not exist.
    UnknownAnnotation {
        /// The text after `brownout:`.
        annotation: String,
        /// The one that may have been meant.
        nearest: Option<&'static str>,
    },
    /// The energy does not outlast a checkpoint.
    NoExecutionDepth,
    /// A trace or script file that was not supplied.
    NotSupplied {
        /// The path as written.
        path: String,
    },
    /// A trace file without a value.
    EmptyFile {
        /// The path as written.
        path: String,
    },
    /// A trace file with a line that is no number.
    BadTrace {
        /// The path as written.
        path: String,
        /// The line, from 1.
        line: u32,
        /// What is wrong with it.
        row: BadRow,
    },
    /// A script that cannot be understood.
    BadScript(ScriptError),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column } | Place::Profile { line, column, .. } => {
                write!(formatter, "{line}:{column}")
            }
            Place::Setting { column, .. } => write!(formatter, "--set:{column}"),
            Place::Annotation => formatter.write_str("annotation"),
            Place::Default => formatter.write_str("default"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.problem {
            Problem::Syntax { message } if key.is_empty() => formatter.write_str(message),
            Problem::Syntax { message } => write!(formatter, "`{key}`: {message}"),
            Problem::NotASetting => {
                write!(
                    formatter,
                    "`{key}` is not a setting, write `section.key=value`"
                )
            }
            Problem::UnknownKey { nearest } => {
                write!(formatter, "unknown key `{key}`")?;
                did_you_mean(formatter, nearest.as_deref())
            }
            Problem::WrongType { expected, found } => {
                write!(formatter, "`{key}` must be {expected}, found {found}")
            }
            Problem::OutOfRange { found, low, high } => {
                write!(formatter, "`{key}` is {found}, must be ")?;
                match *high {
                    i64::MAX => write!(formatter, "at least {low}"),
                    high => write!(formatter, "between {low} and {high}"),
                }
            }
            Problem::NotOneOf {
                found,
                allowed,
                nearest,
            } => {
                write!(formatter, "`{key}` is `{found}`, must be one of `")?;
                write!(formatter, "{}`", allowed.join("`, `"))?;
                did_you_mean(formatter, *nearest)
            }
            Problem::NotAQuantity { found, dimension } => {
                let units: Vec<_> = dimension.units().iter().map(|&(unit, _)| unit).collect();
                let units = units.join("`, `");
                write!(
                    formatter,
                    "`{key}` is `{found}`, must be a number with unit `{units}`"
                )
            }
            Problem::BadForm { found, expected } => {
                write!(formatter, "`{key}` is `{found}`, must be {expected}")
            }
            Problem::NotTables { found } => {
                write!(
                    formatter,
                    "`{key}` must be a list of tables, as in `[[{key}]]`, found {found}"
                )
            }
            Problem::NoArgument {
                argument,
                is_default,
                function,
                count,
            } => {
                let is = match is_default {
                    true => "is not given, which means",
                    false => "mentions",
                };
                write!(
                    formatter,
                    "`{key}` {is} `arg{argument}`, but `{function}` has "
                )?;
                match count {
                    0 => formatter.write_str("no arguments"),
                    1 => formatter.write_str("1 argument, arg0"),
                    2 => formatter.write_str("2 arguments, arg0 and arg1"),
                    count => write!(formatter, "{count} arguments, arg0 to arg{}", count - 1),
                }
            }
            Problem::Ambiguous { name, meanings } => {
                let meanings = meanings.join("` or `");
                write!(
                    formatter,
                    "`{key}` is `{name}`, which several functions are called: write `{meanings}`"
                )
            }
            Problem::Contradiction { name } => {
                write!(
                    formatter,
                    "`{key}`: another `[[flash]]` says something else of `{name}`"
                )
            }
            Problem::Empty => write!(formatter, "`{key}` is empty"),
            Problem::Reversed { low, high } => {
                write!(
                    formatter,
                    "`{key}` ends at {high}, before it begins at {low}"
                )
            }
            Problem::Conflict { other } => {
                write!(formatter, "`{key}` cannot be given together with `{other}`")
            }
            Problem::BadExpression { found, problem } => {
                write!(formatter, "`{key}`: `{found}` {problem}")
            }
            Problem::Missing { wanted } => write!(formatter, "`{key}` needs {wanted}"),
            Problem::Duplicate { name } => write!(formatter, "`{key}` describes `{name}` twice"),
            Problem::UnknownFunction { name, nearest } => unknown(
                formatter,
                key,
                name,
                "the program has no such function",
                nearest.as_deref(),
            ),
            Problem::UnknownEntry {
                name,
                near,
                defined,
            } => {
                let absent = "the program has no such function";
                write!(formatter, "`{key}` names `{name}`, but {absent}")?;
                match (near.as_slice(), defined.as_slice()) {
                    ([], []) => Ok(()),
                    ([], defined) => {
                        write!(formatter, ", it defines `{}`", defined.join("`, `"))
                    }
                    (near, _) => did_you_mean(formatter, Some(&near.join("` or `"))),
                }
            }
            Problem::UndefinedFunction { name } => {
                write!(
                    formatter,
                    "`{key}` is `{name}`, which the program declares but does not define"
                )
            }
            Problem::UnknownSymbol { name, nearest } => unknown(
                formatter,
                key,
                name,
                "the program has no such symbol",
                nearest.as_deref(),
            ),
            Problem::UnknownLocal {
                name,
                function,
                nearest,
            } => unknown(
                formatter,
                key,
                name,
                &format!("`{function}` has no such variable in memory"),
                nearest.as_deref(),
            ),
            Problem::UnknownSection { name, nearest } => unknown(
                formatter,
                key,
                name,
                "no object of the program is in such a section",
                nearest.as_deref(),
            ),
            Problem::UnknownValue { name, nearest } => {
                write!(
                    formatter,
                    "`{key}` names `{name}`, which `environment` does not have"
                )?;
                did_you_mean(formatter, nearest.as_deref())
            }
            Problem::UnknownAnnotation {
                annotation,
                nearest,
            } => {
                write!(
                    formatter,
                    "`{key}` has the unknown annotation `{annotation}`"
                )?;
                did_you_mean(formatter, *nearest)
            }
            Problem::NoExecutionDepth => {
                write!(
                    formatter,
                    "`{key}` leaves no instruction after a checkpoint, raise `capacitance` or `v-trigger`"
                )
            }
            Problem::NotSupplied { path } => {
                write!(formatter, "`{key}` is `{path}`, which could not be read")
            }
            Problem::EmptyFile { path } => write!(formatter, "`{key}`: {path} has no values"),
            Problem::BadTrace { path, line, row } => {
                let wrong = match row {
                    BadRow::Value => "has no integer as its value",
                    BadRow::Key => "has no integer from 0 on as its time or index",
                    BadRow::Order => "has a time or index that is not after that of the row before",
                };
                write!(formatter, "`{key}`: {path}:{line} {wrong}")
            }
            Problem::BadScript(error) => write!(formatter, "`{key}`: {error}"),
        }
    }
}

fn unknown(
    formatter: &mut fmt::Formatter<'_>,
    key: &str,
    name: &str,
    absent: &str,
    nearest: Option<&str>,
) -> fmt::Result {
    write!(formatter, "`{key}` names `{name}`, but {absent}")?;
    did_you_mean(formatter, nearest)
}

fn did_you_mean(formatter: &mut fmt::Formatter<'_>, nearest: Option<&str>) -> fmt::Result {
    match nearest {
        Some(nearest) => write!(formatter, ", did you mean `{nearest}`?"),
        None => Ok(()),
    }
}
