//! A fixed set of random programs by csmith: the tool must give what the
//! native build gives, without optimisation and with `-O2`. More of them:
//! `cargo xtask csmith`.

use std::path::Path;
use std::process::ExitCode;

use brownout_testkit::csmith::{self, Verdict};
use brownout_testkit::{Scratch, Tool};
use libtest_mimic::{Arguments, Failed, Trial};

/// Chosen to be quick, with programs of every size.
const SEEDS: &[u64] = &[
    1, 3, 5, 6, 8, 12, 13, 14, 17, 18, 19, 21, 23, 24, 31, 32, 33, 34, 36, 37, 38, 40, 41, 43, 44,
    45,
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = if csmith::is_installed() {
        SEEDS
            .iter()
            .map(|&seed| Trial::test(format!("seed_{seed}"), move || check(seed)))
            .collect()
    } else {
        vec![Trial::test("csmith_is_installed", missing)]
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(seed: u64) -> Result<(), Failed> {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    match csmith::check(&tool, "x86_64", seed, scratch.path())? {
        Verdict::Same => Ok(()),
        verdict @ (Verdict::Skipped | Verdict::Wrong { .. }) => Err(verdict.to_string().into()),
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
