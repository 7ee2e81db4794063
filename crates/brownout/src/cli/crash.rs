//! Options of `crash`.

use std::path::PathBuf;

use brownout_crash::Shard;
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

    /// Vary so many readings of each input that has `values` or a `range` [= explore.workload]
    #[arg(long, value_name = "N")]
    pub workload: Option<u32>,

    /// `atomic`: operations of the program must be done or not done, by what the next boot prints
    /// and outputs [= explore.oracle]
    #[arg(long, value_name = "ORACLE")]
    pub oracle: Option<String>,

    /// Boot a share of the states, the I-th of N from 1 on, and put what it found into `--store`
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "store")]
    pub shard: Option<Shard>,

    /// Put together what all shards found
    #[arg(long, requires = "store", conflicts_with = "shard")]
    pub merge: bool,

    /// The folder where shards put what they found
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,

    /// Boot every state, also where another boot has read the same
    #[arg(long, hide = true)]
    pub no_memo: bool,

    /// Give up a boot after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub max_instructions: u64,

    /// Print what was found after this many seconds and stop
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,

    /// Write a test of the first finding, which `brownout run FILE` executes
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,

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
    /// The options that are keys of the configuration and describe the device: a replay needs them.
    pub fn device(&self) -> Vec<Setting> {
        let nonvolatile = self.nv.iter();
        let nonvolatile =
            nonvolatile.map(|list| Setting::of_option("nv", "memory.nonvolatile", list));
        let workload = self
            .workload
            .map(|length| format!("explore.workload={length}"));
        let oracle = self.oracle.as_ref();
        let oracle = oracle.map(|oracle| format!("explore.oracle={oracle}"));
        // Other commands know these as keys only.
        let keys = workload.into_iter().chain(oracle).map(|text| Setting {
            option: "--set".to_owned(),
            value: text.clone(),
            text,
        });
        nonvolatile.chain(keys).collect()
    }

    /// All options that are keys of the configuration.
    pub fn settings(&self) -> Vec<Setting> {
        let failures = self.failures.iter();
        let failures =
            failures.map(|most| Setting::of_option("failures", "explore.failures", most));
        self.device().into_iter().chain(failures).collect()
    }
}

/// `I/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(one, all)| Some((one.parse().ok()?, all.parse().ok()?)));
    match numbers {
        Some((number, count)) if (1..=count).contains(&number) => Ok(Shard {
            index: number - 1,
            count,
        }),
        _ => Err("must be I/N, such as 1/4 for the first of four".to_owned()),
    }
}
