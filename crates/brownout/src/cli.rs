//! The command line.

mod crash;
mod failures;
mod names;

pub use crash::{CrashOptions, TearName};
pub use failures::{AtLine, FailureOptions, Rhythm};

use names::{CHIP, COMMAND, PAGE, PLACE, POLICY, PROFILE, RULE, TARGET};

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::database;
use brownout_diag::Rule;
use brownout_flow::Restart;
use brownout_verdict::Effort;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Finds what power failures do to firmware.
#[derive(Parser, Debug)]
#[command(name = "brownout", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find what power failures do to a program
    Check(CheckOptions),
    /// Emulate a program: its output on stdout, a summary on stderr
    Run(RunOptions),
    /// Boot every state that power failures can leave: flash stores, file systems, bootloaders
    Crash(CrashOptions),
    /// Show one power failure step by step: what happens, and where it departs from a continuous run
    Replay(ReplayOptions),
    /// What checkpoints have to save, as a patch and as configuration
    Fix(FixOptions),
    /// Prove that no power failure shows, or find one that does
    Prove(ProveOptions),
    /// What a rule means, with an example and its repair
    Explain(ExplainOptions),
    /// The chips that a configuration can name, or one in full
    Chips(ChipsOptions),
    /// The profiles of libraries and kernels that a configuration can name, or one in full
    Profiles(ProfilesOptions),
    /// Print what can be said in a brownout.toml, as a JSON Schema for editors
    Schema(SchemaOptions),
    /// Print the completions of a shell
    Completions(CompletionsOptions),
    /// Print the manual page, or that of a command
    Man(ManOptions),
    /// Write a brownout.toml from what the program shows
    Init(InitOptions),
    /// Show what the tool sees
    Dump(DumpOptions),
    /// The execution depth of a device: how many instructions it still executes after a checkpoint
    Ed(EdOptions),
    /// Translate modules and print the result; used to read untrusted bitcode at arm's length
    #[command(hide = true)]
    Lift(LiftOptions),
}

/// Options of every command that reads a program.
#[derive(Args, Debug, Clone)]
pub struct ProgramOptions {
    /// C and C++ files, LLVM IR (.ll, .bc), the tool's own IR (.ir) or a compile_commands.json; several
    /// are linked into one program, or into one for each `main` [default: `sources` of brownout.toml]
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Folder with a compile_commands.json: its flags for the inputs, or all that it compiles
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub project: Option<PathBuf>,

    /// The program to look at, if there are several
    #[arg(long, value_name = "NAME")]
    pub program: Option<String>,

    /// Arguments for clang, unchanged (`-I`, `-D`, `-O1`, …)
    #[arg(last = true, value_name = "CLANG_ARGS")]
    pub clang: Vec<String>,

    /// Configuration; default: `brownout.toml` in the folder of the first input (or that it is) or above it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Whether a configuration that is only found does not count.
    #[arg(skip)]
    pub without_found_config: bool,

    /// What to compile C files for: msp430, riscv32, thumbv6m, thumbv7m, i386, x86_64 [default: msp430]
    #[arg(long, value_name = "TRIPLE", value_parser = TARGET, hide_possible_values = true)]
    pub target: Option<String>,

    /// Function where execution starts [default: main]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// Set a key of the configuration
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE", value_parser = Setting::given)]
    pub settings: Vec<Setting>,

    /// Memory that the command may take, such as 500M or 2G [default: half of the machine's, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,

    /// Print results only
    #[arg(short, long)]
    pub quiet: bool,

    /// Print more: call paths, silent pairs
    #[arg(short, long)]
    pub verbose: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// A key of the configuration that is set on the command line.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The option, or what stands for it in messages.
    pub option: String,
    /// Its value, as the user wrote it.
    pub value: String,
    /// `section.key=value`.
    pub text: String,
}

impl Setting {
    /// `--option value`, which is short for `--set key=value`.
    pub fn of_option(option: &str, key: &str, value: &str) -> Self {
        Self {
            option: format!("--{option}"),
            value: value.to_owned(),
            text: format!("{key}={value}"),
        }
    }

    fn given(text: &str) -> Result<Self, Infallible> {
        Ok(Self {
            option: "--set".to_owned(),
            value: text.to_owned(),
            text: text.to_owned(),
        })
    }
}

/// Options of `run`.
#[derive(Args, Debug)]
pub struct RunOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// The device.
    #[command(flatten)]
    pub device: DeviceOptions,

    /// When power fails.
    #[command(flatten)]
    pub failures: FailureOptions,

    /// What inputs give: a CSV file with a column for each, named as it, in the order of reading
    #[arg(long = "inputs", value_name = "FILE")]
    pub readings: Option<PathBuf>,

    /// Follow inputs: tell who reads what an attempt that failed has left behind
    #[arg(long)]
    pub taint: bool,

    /// Compare with a continuous run that reads what was not undone; exit code 1 if they differ
    #[arg(long)]
    pub compare: bool,

    /// Give up after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub max_instructions: u64,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,

    /// Write the result to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Threads to use; a single run needs one
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
}

/// Options that describe the device.
#[derive(Args, Clone, Debug)]
pub struct DeviceOptions {
    /// What is non-volatile: globals, stack, heap, section:NAME, symbol:GLOB, !x [= memory.nonvolatile]
    #[arg(long, value_name = "LIST")]
    pub nv: Option<String>,

    /// When checkpoints commit: static, conditional, reactive, restart, tasks [= power.policy]
    #[arg(long, value_name = "POLICY", value_parser = POLICY, hide_possible_values = true)]
    pub policy: Option<String>,

    /// Instructions a device still executes after a checkpoint [= power.execution-depth]
    #[arg(long, value_name = "N")]
    pub execution_depth: Option<u64>,

    /// Put checkpoints into the program: none, loop-latch, function-return [= power.place]
    #[arg(long, value_name = "WHERE", value_parser = PLACE, hide_possible_values = true)]
    pub place: Option<String>,
}

/// Options of `replay`.
#[derive(Args, Debug)]
pub struct ReplayOptions {
    /// The failure, as `check` or `crash` names it, such as c3:f41 or b1.op22.8/b2.op1
    #[arg(value_name = "ID")]
    pub id: String,

    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// The device.
    #[command(flatten)]
    pub device: DeviceOptions,

    /// Objects to show: `count`, `cal.x`, `buf[3]`, `function::local` [default: those concerned]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub values: Vec<String>,

    /// Give up after this many instructions before the checkpoint
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub max_instructions: u64,

    /// How to print the steps
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,

    /// Write the steps to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write a test instead, which `brownout run FILE` executes and which fails while the bug exists
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
}

/// Options of `check`.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// Where a proof has failed: values that inputs are tried with before others, from the solver's
    /// examples. All that is possible is searched for then, whatever decides about it.
    #[arg(skip)]
    pub suggested: Option<Vec<u64>>,

    /// How long to search for executions that make suspicions certain.
    #[arg(skip)]
    pub effort: Effort,

    /// The device.
    #[command(flatten)]
    pub device: DeviceOptions,

    /// Emulate the power failures (the default)
    #[arg(long, conflicts_with = "no_evaluate")]
    pub evaluate: bool,

    /// Only locate hazards, do not emulate failures
    #[arg(long)]
    pub no_evaluate: bool,

    /// Let power fail up to N times between two checkpoints (default: three times, and once in executions of
    /// more than 200,000 instructions)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub failures: Option<u32>,

    /// Try every power failure at every place instead, and say what that takes
    #[arg(long, conflicts_with_all = ["no_evaluate", "evaluate"])]
    pub brute_force: bool,

    /// Let the solver refute what static analysis suspects: what it proves impossible is not reported
    #[arg(long)]
    pub prove: bool,

    /// Only analyse, do not emulate: all paths, no inputs needed; libraries without `main`, too
    #[arg(long = "static", conflicts_with_all = ["no_evaluate", "evaluate", "brute_force"])]
    pub only_static: bool,

    /// Where static analysis lets execution go on after a power failure [default: as the policy says]
    #[arg(long, value_enum, value_name = "WHERE")]
    pub restart_at: Option<RestartAt>,

    /// Also show pairs that store the very value that was read (as `-v` does)
    #[arg(long)]
    pub show_silent: bool,

    /// Only these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RULE, hide_possible_values = true)]
    pub only: Vec<Rule>,

    /// Not these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RULE, hide_possible_values = true)]
    pub skip: Vec<Rule>,

    /// Only findings that this baseline does not have count
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write a baseline with everything found; without `--baseline` nothing else is reported
    #[arg(long, value_name = "FILE", conflicts_with = "only_changed")]
    pub write_baseline: Option<PathBuf>,

    /// Only findings that touch lines changed since this git revision
    #[arg(long, value_name = "REV")]
    pub only_changed: Option<String>,

    /// Give up after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub max_instructions: u64,

    /// Print what was found after this many seconds and stop
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,

    /// How to print the findings
    #[arg(long, value_enum, default_value_t = CheckFormat::Human, value_name = "FORMAT")]
    pub format: CheckFormat,

    /// Write the findings to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
}

/// Options of `brownout prove`: those of `brownout check`, which searches for a counterexample.
#[derive(Args, Debug)]
pub struct ProveOptions {
    /// The program, the device, and how to search and print.
    #[command(flatten)]
    pub check: CheckOptions,

    /// SMT-LIB 2 solver to ask, such as `z3 -in` [default: the first of bitwuzla, z3 and cvc5 that
    /// is installed]
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,

    /// How long the solver may take for one question [default: 20 s]
    #[arg(long, value_name = "MILLISECONDS")]
    pub solver_time: Option<u64>,

    /// Write every question to a file in this folder
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
}

impl DeviceOptions {
    /// The options that are keys of the configuration.
    pub fn settings(&self) -> Vec<Setting> {
        let depth = self.execution_depth.map(|depth| depth.to_string());
        let given = [
            ("nv", "memory.nonvolatile", &self.nv),
            ("policy", "power.policy", &self.policy),
            ("place", "power.place", &self.place),
            ("execution-depth", "power.execution-depth", &depth),
        ];
        given
            .into_iter()
            .filter_map(|(option, key, value)| {
                value
                    .as_ref()
                    .map(|value| Setting::of_option(option, key, value))
            })
            .collect()
    }
}

/// Puts the words of `@FILE` in the place of it, up to `--`. What cannot be read stays as it is, and
/// is then refused as an input.
pub fn with_response_files(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut clang = false;
    for argument in arguments {
        clang |= argument == "--";
        let text = argument
            .to_str()
            .filter(|_| !clang)
            .and_then(|argument| argument.strip_prefix('@'))
            .and_then(|path| std::fs::read_to_string(path).ok());
        match text {
            Some(text) => words.extend(database::split(&text).into_iter().map(OsString::from)),
            None => words.push(argument),
        }
    }
    words
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&seconds| Duration::try_from_secs_f64(seconds).is_ok())
        .ok_or_else(|| "must be a number of seconds, 0 or more".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&threads| threads > 0)
        .ok_or_else(|| "must be a number of threads, 1 or more".to_owned())
}

/// A number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let shift = match unit.trim_end_matches(['b', 'B', 'i']) {
        "" => Some(0),
        "k" | "K" => Some(10),
        "m" | "M" => Some(20),
        "g" | "G" => Some(30),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift))
        .ok_or_else(|| "must be a number of bytes, such as 500M or 2G".to_owned())
}

/// Where execution goes on after a power failure.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestartAt {
    /// After the last checkpoint, at the start of the task or program
    Boundary,
    /// At the start of the function, as if each were a task
    Function,
    /// Right before an input
    Input,
}

impl From<RestartAt> for Restart {
    fn from(at: RestartAt) -> Self {
        match at {
            RestartAt::Boundary => Self::Boundary,
            RestartAt::Function => Self::Function,
            RestartAt::Input => Self::Input,
        }
    }
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFormat {
    /// For people
    Human,
    /// One line per finding
    Concise,
    /// For programs: one JSON document
    Json,
    /// For code scanning and editors: SARIF 2.1.0
    Sarif,
    /// One self-contained page
    Html,
}

/// Options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Options of `man`.
#[derive(Args, Debug)]
pub struct ManOptions {
    /// The command
    #[arg(value_name = "COMMAND", value_parser = COMMAND, hide_possible_values = true)]
    pub command: Option<String>,
}

/// Options of `explain`.
#[derive(Args, Debug)]
pub struct ExplainOptions {
    /// The rule, such as war; without one, all are listed
    #[arg(value_name = "RULE", value_parser = PAGE, hide_possible_values = true)]
    pub rule: Option<String>,
}

/// Options of `init`.
#[derive(Args, Debug)]
pub struct InitOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// Where to write it [default: brownout.toml beside the first input]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `chips`.
#[derive(Args, Debug)]
pub struct ChipsOptions {
    /// The chip, such as msp430fr5969; without one, all are listed
    #[arg(value_name = "NAME", value_parser = CHIP, hide_possible_values = true)]
    pub name: Option<String>,
}

/// Options of `profiles`.
#[derive(Args, Debug)]
pub struct ProfilesOptions {
    /// The profile, such as stm32-hal; without one, all are listed
    #[arg(value_name = "NAME", value_parser = PROFILE, hide_possible_values = true)]
    pub name: Option<String>,
}

/// Options of `dump`.
#[derive(Args, Debug)]
pub struct DumpOptions {
    /// What to show
    #[arg(value_enum, value_name = "WHAT")]
    pub what: Dump,

    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// Only this function (`ir`)
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Print graphs for Graphviz (`flow:…`)
    #[arg(long)]
    pub graphviz: bool,

    /// Where static analysis lets execution go on after a power failure [default: as the policy says]
    #[arg(long, value_enum, value_name = "WHERE")]
    pub restart_at: Option<RestartAt>,

    /// Write to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `fix`.
#[derive(Args, Clone, Debug)]
pub struct FixOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// The device.
    #[command(flatten)]
    pub device: DeviceOptions,

    /// Print the patch and what to write into brownout.toml (the default)
    #[arg(long)]
    pub print: bool,

    /// Change the files
    #[arg(long, conflicts_with_all = ["print", "output"])]
    pub apply: bool,

    /// Write the program as LLVM bitcode whose checkpoints save what they have to
    #[arg(long, value_name = "FILE")]
    pub bitcode: Option<PathBuf>,

    /// Save the least that is enough, and prove that it is
    #[arg(long)]
    pub minimise: bool,

    /// With `--minimise`: SMT-LIB 2 solver to ask, such as `z3 -in` [default: the first of
    /// bitwuzla, z3 and cvc5 that is installed]
    #[arg(long, value_name = "COMMAND", requires = "minimise")]
    pub solver: Option<String>,

    /// With `--minimise`: how to print it
    #[arg(long, value_enum, default_value_t = CheckFormat::Human, value_name = "FORMAT", requires = "minimise")]
    pub format: CheckFormat,

    /// Where static analysis lets execution go on after a power failure [default: as the policy says]
    #[arg(long, value_enum, value_name = "WHERE")]
    pub restart_at: Option<RestartAt>,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,

    /// Write to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `ed`.
#[derive(Args, Debug)]
pub struct EdOptions {
    /// A brownout.toml with an `energy` section
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,

    /// Capacitance of the energy buffer, such as 10uF
    #[arg(long, value_name = "C")]
    pub capacitance: Option<String>,

    /// Voltage at which a checkpoint is triggered
    #[arg(long, value_name = "V")]
    pub v_trigger: Option<String>,

    /// Voltage below which the device is off
    #[arg(long, value_name = "V")]
    pub v_min: Option<String>,

    /// Current drawn, such as 270uA
    #[arg(long, value_name = "I")]
    pub current: Option<String>,

    /// Clock frequency, such as 1MHz
    #[arg(long, value_name = "F")]
    pub clock: Option<String>,

    /// Time a checkpoint takes, such as 1.4ms
    #[arg(long, value_name = "T")]
    pub checkpoint_time: Option<String>,
}

/// Options of `schema`.
#[derive(Args, Debug)]
pub struct SchemaOptions {
    /// How to print it
    #[arg(long, value_enum, default_value_t = SchemaFormat::Json, value_name = "FORMAT")]
    pub format: SchemaFormat,

    /// Write to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How `schema` prints.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaFormat {
    /// A JSON Schema
    Json,
    /// The tables of the manual
    Markdown,
}

/// Options of the hidden command `lift`.
#[derive(Args, Debug)]
pub struct LiftOptions {
    /// LLVM modules, in text or bitcode.
    pub inputs: Vec<PathBuf>,

    /// What to call each of them in messages: modules made of C files are temporary.
    #[arg(long = "name")]
    pub names: Vec<String>,
}

/// What `dump` can show.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The intermediate representation, as text that can be read again
    Ir,
    /// What each checkpoint saves and what it has to
    Regions,
    /// The flow of control of the whole program
    #[value(name = "flow:graph")]
    FlowGraph,
    /// Where pointers point
    #[value(name = "flow:points-to")]
    FlowPointsTo,
    /// What has been overwritten and read since the start of each region
    #[value(name = "flow:since")]
    FlowSince,
    /// What is overwritten until the end of the region
    #[value(name = "flow:until")]
    FlowUntil,
    /// What depends on inputs
    #[value(name = "flow:taint")]
    FlowTaint,
    /// Every object: where it is, whether power failures spare it and why, what saves it
    Memory,
}

/// How results are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people
    Human,
    /// For programs: one JSON document
    Json,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On terminals, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
