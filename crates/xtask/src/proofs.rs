//! `cargo xtask proofs`: generated programs by the thousand, what is proved of them held against
//! every power failure (the test `soundness` of `verify`, with more programs than `cargo test` has).

use std::process::{Command, ExitCode};

use clap::Args;

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// How many programs
    #[arg(default_value_t = 50_000)]
    count: u64,

    /// The first seed; the others follow
    #[arg(long, default_value_t = 0)]
    start: u64,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "test",
            "--package",
            "brownout-verify",
            "--test",
            "soundness",
        ])
        .args(["what_is_proved_is_true", "--", "--nocapture"])
        .env("BROWNOUT_CASES", options.count.to_string())
        .env("BROWNOUT_SEED", options.start.to_string())
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    Ok(match status.success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
