//! Programs are run by the tool and must do what they do natively.
//!
//! Tests are data, in `tests/run` of the repository: every C file there and
//! every folder `m_*` is a program that is compared with its native build;
//! `portable/` and `msp430/` have the output to expect beside each program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{
    Case, Error, Outcome, Scratch, Tool, cases, compare, expected_cases, folder_cases, native,
};
use libtest_mimic::{Arguments, Failed, Trial};

/// All levels of optimisation that matter.
const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-Os"];

/// Targets that portable programs run on.
const TARGETS: &[&str] = &["msp430", "riscv32", "thumbv6m", "i386", "x86_64"];

/// How long a native program may take.
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            #[allow(clippy::print_stderr, reason = "there is no test that could say it")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("tests/run");
    let mut trials = Vec::new();
    for case in cases(&folder)?
        .into_iter()
        .chain(folder_cases(&folder, "m_")?)
    {
        trials.push(trial(format!("native/{}", case.name), case, like_native));
    }
    for case in expected_cases(&folder.join("portable"))? {
        for &target in TARGETS {
            let name = format!("portable/{}/{target}", case.name);
            trials.push(trial(name, case.clone(), move |case| {
                as_expected(case, target, &["-O0", "-O2"])
            }));
        }
    }
    for case in expected_cases(&folder.join("msp430"))? {
        trials.push(trial(format!("msp430/{}", case.name), case, |case| {
            as_expected(case, "msp430", LEVELS)
        }));
    }
    let library = root.join("crates/llvm/runtime/test/small.c");
    for target in ["msp430", "riscv32", "thumbv6m"] {
        let case = Case::new("small", vec![library.clone()])?;
        trials.push(trial(
            format!("library/small/{target}"),
            case,
            move |case| on_both(case, target),
        ));
    }
    Ok(trials)
}

/// A test that `check` holds for `case`, or that it does not if that is known.
fn trial(
    name: String,
    case: Case,
    check: impl FnOnce(&Case) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::test(name, move || match (check(&case), &case.known_bug) {
        (result, None) => result,
        (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some(why)) => {
            Err(format!("the known bug is gone, remove its directive: {why}").into())
        }
    })
}

/// The program does in the emulator, at every level, what it does natively; there the level makes no difference.
fn like_native(case: &Case) -> Result<(), Failed> {
    let expected = natively(&case.sources, &flags(case, "-O1"))?;
    for level in LEVELS {
        emulate(case, "x86_64", &flags(case, level))
            .and_then(|found| compare(&expected, &found))
            .map_err(|error| format!("x86_64 {level}: {error}"))?;
    }
    Ok(())
}

/// The program prints what is expected, at every level, and returns 0.
fn as_expected(case: &Case, target: &str, levels: &[&str]) -> Result<(), Failed> {
    let expected = Outcome {
        output: case.expected.clone().unwrap_or_default(),
        status: 0,
    };
    for level in levels {
        emulate(case, target, &flags(case, level))
            .and_then(|found| compare(&expected, &found))
            .map_err(|error| format!("{target} {level}: {error}"))?;
    }
    Ok(())
}

/// The program prints on a small target what it prints natively.
fn on_both(case: &Case, target: &str) -> Result<(), Failed> {
    let flags = flags(case, "-O1");
    let expected = natively(&case.sources, &flags)?;
    Ok(compare(&expected, &emulate(case, target, &flags)?)?)
}

fn flags(case: &Case, level: &str) -> Vec<String> {
    ["-w", level]
        .map(str::to_owned)
        .into_iter()
        .chain(case.flags.iter().cloned())
        .collect()
}

fn natively(sources: &[PathBuf], flags: &[String]) -> Result<Outcome, Error> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let program = scratch.path().join("program");
    native::build(sources, flags, &program)?;
    native::run(&program, NATIVE_LIMIT)
}

fn emulate(case: &Case, target: &str, flags: &[String]) -> Result<Outcome, Error> {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    tool.emulate(target, &case.sources, flags)?
        .outcome()
        .cloned()
}
