//! Everything that keeps the tool from doing its job. Each ends in exit code 2.

use std::fmt;
use std::io;
use std::path::PathBuf;

use brownout_device::Error as Resolving;
use brownout_scenario::{ConfigError, Doubt, Place};
use brownout_verdict::crash::Refusal;

use crate::foreign::Foreign;
use crate::limits;
use crate::missing::Missing;

/// What to do when there is nothing to start at.
const CHOOSE_ENTRY: &str = "`--entry NAME` chooses where execution starts";

/// Why there is no result.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// An input that is no file we know.
    UnknownInput {
        /// The input.
        path: PathBuf,
        /// What it is, and the line that makes it readable, if it is known.
        foreign: Option<Foreign>,
    },
    /// Nothing says what to read.
    NoInput,
    /// No such command.
    NoCommand {
        /// Its name.
        name: String,
    },
    /// A quantity without its unit.
    NoUnit {
        /// The option.
        option: &'static str,
        /// The number.
        value: String,
        /// An example with a unit.
        example: &'static str,
    },
    /// Some inputs cannot be combined.
    MixedInputs,
    /// Bitcode is wanted of something else than sources.
    NoSources,
    /// The compiler cannot be started.
    NoClang {
        /// What was tried.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// The compiler rejected a file; it said why.
    Clang {
        /// The file.
        path: PathBuf,
        /// What it did not find.
        missing: Option<Missing>,
    },
    /// The compiler itself crashed.
    ClangCrashed {
        /// The file.
        path: PathBuf,
        /// What it says about that.
        reason: String,
    },
    /// The time is over, or the user wants to stop, before there is anything to tell.
    Over,
    /// Static analysis had to come to its end before it had a result.
    Unanalysed {
        /// Why.
        reason: &'static str,
    },
    /// LLVM input that cannot be used.
    Llvm(brownout_llvm::Error),
    /// Reading a module ended the process that read it.
    Crashed {
        /// The files.
        names: String,
    },
    /// The module's reader reported an error.
    Lift {
        /// Its message.
        message: String,
    },
    /// Text that is not our IR.
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: brownout_ir::ParseError,
    },
    /// IR that breaks its rules.
    Invalid {
        /// The first few.
        problems: Vec<String>,
    },
    /// The configuration is wrong.
    Config {
        /// All that is wrong, each with where it was said, if anybody said it.
        errors: Vec<(Option<String>, ConfigError)>,
    },
    /// A program and a scenario that make no device.
    Device(brownout_device::Error),
    /// Nothing that `crash` can explore.
    Crash(Refusal),
    /// What shards left cannot be put together.
    Shards {
        /// The folder.
        path: PathBuf,
        /// What is wrong, as the end of a sentence about it.
        problem: String,
    },
    /// Power failures that break nothing are no test.
    HarmlessCrash {
        /// The id.
        id: String,
    },
    /// A boot has no such operation.
    NoSuchFailure {
        /// The id.
        id: String,
        /// The boot.
        boot: usize,
        /// How many operations it has.
        operations: u64,
    },
    /// No such function to show.
    NoFunction {
        /// The name asked for.
        name: String,
    },
    /// A replay id that cannot be read.
    ReplayId {
        /// The id as it was given.
        id: String,
        /// What is wrong with it.
        error: brownout_diag::ReplayIdError,
    },
    /// A failure that cannot be replayed.
    Replay {
        /// Why.
        error: brownout_trace::ReplayError,
        /// A name that exists, if a name does not.
        nearest: Option<String>,
    },
    /// No such chip.
    NoChip {
        /// The name asked for.
        name: String,
        /// The nearest one that is known.
        nearest: Option<String>,
    },
    /// No such profile.
    NoProfile {
        /// The name asked for.
        name: String,
        /// The nearest one that is known.
        nearest: Option<String>,
    },
    /// No such rule to explain.
    NoRule {
        /// The name asked for.
        name: String,
        /// The nearest one.
        nearest: Option<String>,
    },
    /// A format that cannot say what was asked for.
    NotInFormat {
        /// The format.
        format: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A compilation database that cannot be used.
    Database {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Several programs where one is needed, or none of that name.
    NoProgram {
        /// The name asked for.
        name: Option<String>,
        /// Those that there are.
        names: Vec<String>,
    },
    /// A file that is no baseline.
    NoBaseline {
        /// The file.
        path: PathBuf,
    },
    /// Git cannot tell what changed.
    Git {
        /// Why.
        message: String,
    },
    /// Nothing is said about the device's energy.
    NoEnergy,
    /// A table of inputs that cannot be used.
    Inputs {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A power supply that cannot be used.
    Supply {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: brownout_scenario::BadSupply,
    },
    /// No code at a line where power is to fail.
    NoCode {
        /// The line, as it was given.
        at: String,
        /// The nearest lines with code.
        nearest: Vec<u32>,
    },
    /// A failure that breaks nothing cannot be a test.
    Harmless {
        /// Which.
        id: Box<brownout_diag::ReplayId>,
    },
    /// A test that cannot be executed.
    Test {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The device has no energy left after a checkpoint.
    NoDepth,
    /// The system gives no thread.
    NoThread {
        /// Why.
        error: io::Error,
    },
}

impl Error {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownInput { foreign: Some(foreign), .. } => Some(foreign.help.clone()),
            Self::UnknownInput { .. } => {
                Some("inputs are C and C++ files, LLVM IR (.ll, .bc), brownout's own IR (.ir) or a compile_commands.json".to_owned())
            }
            Self::NoInput => Some(
                "give files, name them as `sources` in brownout.toml, or have a compile_commands.json here or in build/"
                    .to_owned(),
            ),
            Self::NoUnit { example, .. } => Some(format!("such as `{example}`")),
            Self::Clang { missing: Some(missing), .. } => Some(missing.help()),
            Self::NoClang { .. } => {
                Some("install the Debian package `clang-22`, or set BROWNOUT_CLANG to a clang of LLVM 22".to_owned())
            }
            Self::Device(Resolving::Missing { names, part }) => {
                let first = names.first().map_or("read_sensor", String::as_str);
                let (files, they_are) = match names.len() {
                    1 => ("its source file", "it is"),
                    _ => ("their source files", "they are"),
                };
                let flash = part.as_ref().map_or_else(String::new, |part| format!(
                    "\n\n    [[flash]]    # reads, programs or erases the part\n    object = \"{part}\"\n    \
                     read-function = {{ name = \"{first}\", address = \"arg0\", data = \"arg1\", length = \"arg2\" }}"
                ));
                Some(format!(
                    "give {files} too, or let `brownout init` guess what {they_are}, or say in brownout.toml, one of\n\
                     \n    ignore = [\"{first}\"]    # does nothing\n\
                     \n    [[input]]    # gives readings\n    function = \"{first}\"\n    values = [1, 2, 3]\n\
                     \n    [[output]]    # acts on the world outside\n    function = \"{first}\"\n\
                     \n    [power]    # commits\n    checkpoints = [\"{first}\"]{flash}"
                ))
            }
            Self::Test { .. } => Some("`brownout replay ID --export FILE` writes tests".to_owned()),
            Self::NoCode { nearest, .. } if !nearest.is_empty() => {
                let lines: Vec<String> = nearest.iter().map(u32::to_string).collect();
                Some(format!("the nearest lines with code: {}", lines.join(", ")))
            }
            Self::NoEnergy => Some("`capacitance`, `v-trigger`, `v-min`, `current` and `clock` are needed".to_owned()),
            Self::Device(Resolving::NoCheckpoint { .. }) => {
                Some("it is `file:line` of a call that commits, or the name of a task".to_owned())
            }
            Self::Device(Resolving::NothingNonvolatile(doubts)) if !doubts.is_empty() => {
                let names: Vec<String> = doubts.iter().flat_map(Doubt::selections).collect();
                let chip = match doubts.iter().any(|doubt| doubt.is_at_address) {
                    true => "name the chip (`brownout chips`), or say",
                    false => "say",
                };
                Some(format!(
                    "{chip} in brownout.toml which of them keep their contents without power:\n\n    [memory]\n    nonvolatile = {names:?}\n"
                ))
            }
            Self::Device(Resolving::NothingNonvolatile(_)) => Some(
                "say what is in non-volatile memory (`--nv globals`, `--nv section:.fram`, `BROWNOUT_NV`), or name the checkpoints (`power.checkpoints`, `--policy`)".to_owned(),
            ),
            Self::Device(Resolving::NoEntry { nearest: Some(nearest), .. }) => Some(format!("did you mean `{nearest}`?")),
            Self::Device(Resolving::NoEntry { nearest: None, .. }) => Some(CHOOSE_ENTRY.to_owned()),
            Self::NoRule { nearest: Some(nearest), .. }
            | Self::NoChip { nearest: Some(nearest), .. }
            | Self::NoProfile { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            Self::NoProfile { nearest: None, .. } => Some("`brownout profiles` lists those that are known".to_owned()),
            Self::NoChip { nearest: None, .. } => Some("`brownout chips` lists those that are known".to_owned()),
            Self::NoRule { nearest: None, .. } => {
                let names: Vec<&str> = brownout_diag::Rule::names().collect();
                Some(format!("there are {}", names.join(", ")))
            }
            Self::Replay { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::Device(Resolving::Unsupported { .. }) => Some(
                "the code can be left out with a macro (`__BROWNOUT__` is defined), or its function described as an \
                 input, an output or ignored in brownout.toml"
                    .to_owned(),
            ),
            Self::Config { errors } => errors
                .iter()
                .any(|(_, error)| error.key == "entry" && error.place == Place::Default)
                .then(|| CHOOSE_ENTRY.to_owned()),
            Self::NoProgram { names, .. } if names.is_empty() => {
                Some("there is only one: leave `--program` out".to_owned())
            }
            Self::NoProgram { names, .. } => {
                Some(format!("`--program NAME` chooses one of {}", names.join(", ")))
            }
            Self::NoBaseline { .. } => {
                Some("`--write-baseline FILE` writes one".to_owned())
            }
            Self::Crashed { .. } => Some("the file is damaged, or made by another version of LLVM".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => {
                write!(f, "{}: {}", path.display(), system_message(error))
            }
            Self::UnknownInput {
                path,
                foreign: Some(foreign),
            } => write!(f, "{}: {}", path.display(), foreign.what),
            Self::UnknownInput { path, .. } => {
                write!(f, "{}: not a kind of file brownout reads", path.display())
            }
            Self::NoCommand { name } => write!(f, "there is no command `{name}`"),
            Self::NoInput => f.write_str("nothing says what to read"),
            Self::NoUnit { option, value, .. } => {
                write!(f, "`--{option} {value}`: the unit is missing")
            }
            Self::NoSources => f.write_str(
                "instrumented bitcode is made of C and C++ sources: their calls are changed",
            ),
            Self::MixedInputs => {
                f.write_str("a file of brownout's own IR is a whole program: give it alone")
            }
            Self::NoClang { command, error } => write!(
                f,
                "`{command}` cannot be started: {}",
                system_message(error)
            ),
            Self::Clang { path, .. } => write!(f, "{}: clang could not compile it", path.display()),
            Self::ClangCrashed { path, reason } => {
                write!(
                    f,
                    "{}: clang crashed while compiling it: {reason}",
                    path.display()
                )
            }
            Self::Over => f.write_str(limits::why_over()),
            Self::Unanalysed { reason } => write!(f, "{reason}, and there is no result"),
            Self::Llvm(error) => error.fmt(f),
            Self::Crashed { names } => {
                write!(f, "{names}: not valid LLVM IR (reading it crashed LLVM)")
            }
            Self::Lift { message } => f.write_str(message),
            Self::Text { path, error } => write!(f, "{}:{error}", path.display()),
            Self::Invalid { problems } => {
                write!(
                    f,
                    "the intermediate representation is not valid: {}",
                    problems.join("; ")
                )
            }
            Self::Config { errors } => {
                for (index, (source, error)) in errors.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "\n" })?;
                    if let Some(source) = source {
                        write!(f, "{source}: ")?;
                    }
                    error.fmt(f)?;
                }
                Ok(())
            }
            Self::Device(error) => error.fmt(f),
            Self::Crash(refusal) => refusal.fmt(f),
            Self::Shards { path, problem } => write!(f, "{} {problem}", path.display()),
            Self::HarmlessCrash { id } => {
                write!(f, "`{id}` breaks nothing: there is nothing to test")
            }
            Self::NoSuchFailure {
                id,
                boot,
                operations,
            } => write!(
                f,
                "`{id}`: boot {boot} has {operations} operations, and this is none of them or cannot be left like that"
            ),
            Self::NoFunction { name } => write!(f, "the program has no function `{name}`"),
            Self::ReplayId { id, error } => write!(f, "`{id}`: {error}"),
            Self::Replay { error, .. } => error.fmt(f),
            Self::NoProfile { name, .. } => write!(f, "there is no profile `{name}`"),
            Self::NoChip { name, .. } => write!(f, "there is no chip `{name}`"),
            Self::NoRule { name, .. } => write!(f, "there is no rule `{name}`"),
            Self::NotInFormat { format, option } => {
                write!(
                    f,
                    "`--format {format}` cannot show the result of `{option}`"
                )
            }
            Self::Database { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::NoProgram {
                name: Some(name), ..
            } => {
                write!(f, "there is no program `{name}`")
            }
            Self::NoProgram { name: None, names } => {
                write!(f, "these are {} programs", names.len())
            }
            Self::NoBaseline { path } => {
                write!(
                    f,
                    "{}: not a baseline of this version of brownout",
                    path.display()
                )
            }
            Self::Git { message } => write!(f, "git cannot tell what changed: {message}"),
            Self::NoEnergy => {
                f.write_str("nothing says what energy the device has: `[energy]` is missing")
            }
            Self::Harmless { id } => write!(
                f,
                "`{id}` does no harm: it would be a test that cannot fail"
            ),
            Self::Test { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::Inputs { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::Supply { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::NoCode { at, .. } => write!(f, "`--fail-at {at}`: there is no code"),
            Self::NoDepth => {
                f.write_str("with these figures the device does not survive its checkpoint")
            }
            Self::NoThread { error } => {
                write!(f, "no thread can be started: {}", system_message(error))
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Device(error) => Self::Device(error),
            refusal => Self::Crash(refusal),
        }
    }
}

impl From<Resolving> for Error {
    fn from(error: Resolving) -> Self {
        Self::Device(error)
    }
}

/// The system's message without its number.
fn system_message(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

impl From<limits::Over> for Error {
    fn from(_: limits::Over) -> Self {
        Self::Over
    }
}

impl From<brownout_flow::Stopped> for Error {
    fn from(_: brownout_flow::Stopped) -> Self {
        Self::Unanalysed {
            reason: limits::why_half_up(),
        }
    }
}
