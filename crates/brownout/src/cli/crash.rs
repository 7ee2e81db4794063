//! Options of `crash`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CheckFormat, ProgramOptions, Setting, seconds, threads};

/// Options of `crash`.
#[derive(Args, Debug)]
pub struct CrashOptions {
    /// The program.
    #[command(flatten)]
    pub program: ProgramOptions,

    /// What is non-volatile: globals, section:NAME, symbol:GLOB, !x [= memory.nonvolatile]
    #[arg(long, value_name = "LIST")]
    pub nv: Option<String>,

    /// How many power failures in a row, or `all` for any number [= explore.failures, default: 2]
    #[arg(long, value_name = "K")]
    pub failures: Option<String>,

    /// What an interrupted program operation of a flash part leaves [default: as `[[flash]]` says]
    #[arg(long, value_enum, value_name = "TEAR")]
    pub tear: Option<TearName>,

    /// Boot every state, also where another boot has read the same
    #[arg(long, hide = true)]
    pub no_memo: bool,

    /// Give up a boot after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub max_instructions: u64,

    /// Print what was found after this many seconds and stop
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,

    /// Memory that states may take, such as 500M or 2G [default: half of the machine's, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,

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

/// What an interrupted program operation leaves.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TearName {
    /// All or nothing
    None,
    /// Some first units
    Prefix,
    /// Any of the units
    AnyUnit,
    /// Any of the units, and one with any of its bits
    Bits,
}

impl CrashOptions {
    /// The options that are keys of the configuration.
    pub fn settings(&self) -> Vec<Setting> {
        let given = [
            ("nv", "memory.nonvolatile", &self.nv),
            ("failures", "explore.failures", &self.failures),
        ];
        let given = given.into_iter().filter_map(|(option, key, value)| {
            let value = value.as_ref()?;
            Some(Setting::of_option(option, key, value))
        });
        given.collect()
    }
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
