//! `cargo xtask model`: the formal model of OOPSLA'20.
//!
//! With a FILE in the paper's syntax: its sets, whether the checks accept it, and a failing schedule if
//! there is one. With `--sweep N`: every claim of the paper, and ours, for N random programs. With
//! `--bridge N`: what static analysis finds for N random programs as C, against the paper's rules, and
//! what `check` confirms and `prove` proves of N, against what is harmless and repeatable.
//! `docs/model.md` is about all of it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{fs, thread};

use brownout_calculus::bridge::{compare, printed};
use brownout_calculus::c::library;
use brownout_calculus::claims::{CLAIMS, Claim, Count};
use brownout_calculus::correct::Scope;
use brownout_calculus::generate::{SMALL, Shape, generate};
use brownout_calculus::parse::parse;
use brownout_calculus::report::report;
use brownout_calculus::syntax::Value;
use brownout_testkit::{Scratch, Tool};
use clap::Args;

use crate::csmith::{build_folder, build_tool};

/// Options of the chore.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Options {
    /// A program in the paper's syntax
    #[arg(conflicts_with_all = ["sweep", "bridge"])]
    file: Option<PathBuf>,

    /// The values that inputs of the program can have
    #[arg(long, value_delimiter = ',', default_values_t = [0, 3], allow_negative_numbers = true)]
    inputs: Vec<i16>,

    /// How often power may fail in one region; any number of times if nothing is said
    #[arg(long, value_name = "K")]
    failures: Option<u8>,

    /// Ask every claim of this many random programs
    #[arg(long, value_name = "N")]
    sweep: Option<u64>,

    /// Compare static analysis with the rules for this many random programs
    #[arg(long, value_name = "N")]
    bridge: Option<u64>,

    /// The first program; the others follow
    #[arg(long, default_value_t = 0)]
    start: u64,

    /// How many at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,

    /// The tool; it is built if none is given
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    if let Some(file) = &options.file {
        return tell(file, options);
    }
    if let Some(count) = options.sweep {
        return Ok(sweep(
            options.start..options.start.saturating_add(count),
            options.jobs,
        ));
    }
    if let Some(count) = options.bridge {
        return bridge(options.start..options.start.saturating_add(count), options);
    }
    Err("nothing to do: give a FILE, `--sweep N` or `--bridge N`".to_owned())
}

/// Everything about the program in a file.
fn tell(file: &Path, options: &Options) -> Result<ExitCode, String> {
    let text = fs::read_to_string(file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    let program = parse(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let scope = Scope {
        domain: options.inputs.iter().copied().map(Value::Number).collect(),
        failures: options.failures,
        ..Scope::default()
    };
    print!("{}", report(&program, &scope));
    Ok(ExitCode::SUCCESS)
}

/// Every claim, of all these programs.
fn sweep(seeds: Range<u64>, jobs: u8) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for claim in CLAIMS {
        match sweep_claim(claim, &seeds, jobs) {
            Ok(Count { programs, hold }) => {
                println!(
                    "{}: {programs} programs, {hold} with its premises",
                    claim.name
                );
            }
            Err(counterexample) => {
                println!("{counterexample}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// One claim, of all these programs, several at a time.
fn sweep_claim(claim: &Claim, seeds: &Range<u64>, jobs: u8) -> Result<Count, String> {
    let share = (seeds.end - seeds.start).div_ceil(u64::from(jobs)).max(1);
    let parts = (0..u64::from(jobs)).map(|job| {
        let start = seeds.start.saturating_add(job * share).min(seeds.end);
        start..start.saturating_add(share).min(seeds.end)
    });
    thread::scope(|scope| {
        // A counterexample is told as text: programs stay in their thread.
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(|| claim.sweep(part).map_err(|found| found.to_string())))
            .collect();
        let mut total = Count::default();
        for thread in threads {
            let count = thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            total.programs += count.programs;
            total.hold += count.hold;
        }
        Ok(total)
    })
}

/// How many programs are compiled at once.
const BATCH: usize = 50;

/// Static analysis against the rules, for programs with and without arrays.
fn bridge(range: Range<u64>, options: &Options) -> Result<ExitCode, String> {
    let build = build_folder();
    let tool = match &options.tool {
        Some(path) => Tool::new(path),
        None => build_tool(&build).map_err(|error| error.to_string())?,
    };
    let scratch = Scratch::new(&build).map_err(|error| error.to_string())?;
    let plain = Shape {
        arrays: false,
        ..SMALL
    };
    let seeds: Vec<u64> = range.clone().collect();
    let mut code = ExitCode::SUCCESS;
    for (what, shape) in [("without arrays", plain), ("with arrays", SMALL)] {
        let (mut elements, mut wrong) = (0, 0);
        for batch in seeds.chunks(BATCH) {
            for (seed, compared) in compare_batch(&tool, &scratch, batch, shape)? {
                match compared {
                    Ok(more) => elements += more,
                    Err(problem) => {
                        println!("program {seed}: {problem}\n{}", generate(seed, shape));
                        wrong += 1;
                        code = ExitCode::FAILURE;
                    }
                }
            }
        }
        println!(
            "{} programs {what}: {elements} elements of sets agree, {wrong} programs wrong",
            seeds.len()
        );
    }
    // What `check` confirms is compared by a test, which knows how.
    let tested = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["test", "--package", "brownout", "--test", "model", "check_"])
        .env(
            "BROWNOUT_PROGRAMS",
            format!("{}..{}", range.start, range.end),
        )
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !tested.success() {
        code = ExitCode::FAILURE;
    }
    Ok(code)
}

/// What the comparison says of one program: how many elements agree, or what does not.
type Compared = Result<usize, String>;

/// What the comparison says of each program, all compiled at once.
fn compare_batch(
    tool: &Tool,
    scratch: &Scratch,
    seeds: &[u64],
    shape: Shape,
) -> Result<Vec<(u64, Compared)>, String> {
    let programs: Vec<_> = seeds.iter().map(|seed| generate(*seed, shape)).collect();
    let file = scratch.file("programs.c", library(&programs));
    let file = file.map_err(|error| error.to_string())?;
    let ended = tool.run(["dump".as_ref(), "regions".as_ref(), file.as_os_str()]);
    let ended = ended.map_err(|error| error.to_string())?;
    let sets = printed(&programs, &String::from_utf8_lossy(&ended.stdout));
    let compared = programs.iter().zip(sets).map(|(program, sets)| {
        let sets = sets.ok_or_else(|| format!("no sets for some start\n{}", ended.stderr))?;
        compare(program, &sets)
    });
    Ok(seeds.iter().copied().zip(compared).collect())
}
