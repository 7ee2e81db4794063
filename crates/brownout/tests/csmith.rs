//! The first random programs by csmith: the tool must give what the native build
//! gives, without optimisation and with `-O2`. More of them: `cargo xtask csmith`.
//!
//! Every seed up to the last one is tried. Those that cannot be compared are listed with
//! why, and have to be as listed.

use std::path::Path;
use std::process::ExitCode;

use brownout_testkit::csmith::{self, Skipped, Verdict};
use brownout_testkit::{Scratch, Tool};
use libtest_mimic::{Arguments, Failed, Trial};

/// How many programs are tried.
const SEEDS: u64 = 45;

/// Those that cannot be compared.
const LEFT_OUT: &[(u64, Skipped)] = &[(20, Skipped::Native), (22, Skipped::Native)];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = if csmith::is_installed() {
        (1..=SEEDS).map(trial).collect()
    } else {
        vec![Trial::test("csmith_is_installed", missing)]
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(seed: u64) -> Trial {
    let left_out = LEFT_OUT.iter().find(|(other, _)| *other == seed);
    let left_out = left_out.map(|(_, why)| *why);
    let name = match left_out {
        Some(why) => format!("seed_{seed} is left out: {why}"),
        None => format!("seed_{seed}"),
    };
    Trial::test(name, move || check(seed, left_out))
}

fn check(seed: u64, left_out: Option<Skipped>) -> Result<(), Failed> {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    match (
        csmith::check(&tool, "x86_64", seed, scratch.path())?,
        left_out,
    ) {
        (Verdict::Same, None) => Ok(()),
        (Verdict::Skipped(why), Some(expected)) if why == expected => Ok(()),
        (verdict, _) => Err(verdict.to_string().into()),
    }
}

/// Without csmith there is nothing to compare; where tests must be complete that is a failure.
fn missing() -> Result<(), Failed> {
    let required = ["CI", "BROWNOUT_REQUIRE_CSMITH"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    let message =
        "csmith is not installed: no random programs are compared (`make setup` installs it)";
    if required {
        return Err(message.into());
    }
    #[allow(
        clippy::print_stderr,
        reason = "a test that does nothing has to say so"
    )]
    {
        eprintln!("{message}");
    }
    Ok(())
}
