//! What the analyses of memory cost: `cargo bench -p brownout --bench analysis`.
//!
//! Locating against plain emulation of the same program, kernel by kernel, everything non-volatile,
//! in processor time and in turns; then whole checks from start to exit, and how memory grows with
//! the length of an execution. The tables are those of `docs/PERFORMANCE.md`. A goal that is
//! missed only warns. `cargo bench … -- NAME` measures some kernels only.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_explore::{Exposure, Patience};
use brownout_ir::{Origin, Program};
use brownout_testkit::{Error, Tool, cases, execute};
use brownout_trace::{DETAILED, Scope, locate};
use brownout_vm::{Bounds, Image, Machine, MemoryPlan, Placement, Unobserved, place_checkpoints};
use support::{processor_time, thousands};

/// The goals: locating against plain emulation under `static` and `reactive`, and a whole check.
const STATIC: f64 = 3.0;
const REACTIVE: f64 = 4.0;
const CHECK: Duration = Duration::from_secs(2);

const RUNS: usize = 5;
const DEPTH: u64 = 3_000;
const LIMIT: Duration = Duration::from_secs(600);
const EVERYTHING: &str = "globals,stack,heap";

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Error> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/kernels");
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    println!("| kernel | static | static, loop-latch | reactive ({DEPTH}) |");
    println!("|---|---:|---:|---:|");
    for case in cases(&kernels)? {
        if wanted.is_empty() || wanted.iter().any(|name| case.name.contains(name.as_str())) {
            ratios(&case.name, &case.sources)?;
        }
    }
    if wanted.is_empty() {
        checks(&kernels)?;
        growth(&kernels)?;
    }
    Ok(())
}

/// A line of the first table.
fn ratios(name: &str, sources: &[PathBuf]) -> Result<(), Error> {
    let bare = support::image(sources, &|program| everything(program))?;
    let latched = support::image(sources, &|program| {
        place_checkpoints(program, Placement::LoopLatch, &|_| false);
        everything(program)
    })?;
    let anywhere = Exposure::Anywhere { depth: DEPTH };
    let (mut plain, mut plain_latched) = (Duration::MAX, Duration::MAX);
    let (mut region, mut latch, mut reactive) = (Duration::MAX, Duration::MAX, Duration::MAX);
    // In turns, so that a disturbance of the machine does not hit one kind only.
    for _ in 0..RUNS {
        plain = plain.min(emulate(&bare)?);
        region = region.min(trace(&bare, Exposure::Region)?);
        reactive = reactive.min(trace(&bare, anywhere)?);
        plain_latched = plain_latched.min(emulate(&latched)?);
        latch = latch.min(trace(&latched, Exposure::Region)?);
    }
    let ratio = |time: Duration, plain: Duration| time.as_secs_f64() / plain.as_secs_f64();
    let (region, latch, reactive) = (
        ratio(region, plain),
        ratio(latch, plain_latched),
        ratio(reactive, plain),
    );
    println!("| {name} | {region:.1} | {latch:.1} | {reactive:.1} |");
    for (what, figure, goal) in [
        ("static", region, STATIC),
        ("static, loop-latch", latch, STATIC),
        ("reactive", reactive, REACTIVE),
    ] {
        if figure > goal {
            eprintln!("warning: {what} of {name} is {figure:.2}, the goal is {goal:.2}");
        }
    }
    Ok(())
}

/// All that the user's code can write.
fn everything(program: &Program) -> MemoryPlan {
    let globals = program.globals.iter();
    let users = globals.filter(|(_, global)| global.origin == Origin::User && !global.constant);
    MemoryPlan {
        nonvolatile: users.map(|(global, _)| global).collect(),
        stack_nonvolatile: true,
        heap_nonvolatile: true,
        ..MemoryPlan::default()
    }
}

fn emulate(image: &Image) -> Result<Duration, Error> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let begun = processor_time()?;
    machine.run(&mut Unobserved, u64::MAX);
    Ok(processor_time()?.saturating_sub(begun))
}

fn trace(image: &Image, exposure: Exposure) -> Result<Duration, Error> {
    let scope = Scope {
        exposure,
        saved: &[],
        extra: None,
        limit: u64::MAX,
        patience: Patience::default(),
        detailed: DETAILED,
    };
    let begun = processor_time()?;
    let located = locate(image, scope, &|| false, &mut Unobserved);
    let taken = processor_time()?.saturating_sub(begun);
    std::hint::black_box(located);
    Ok(taken)
}

const POLICIES: [(&str, &[&str]); 2] = [
    (
        "reactive, 3,000",
        &["--policy", "reactive", "--execution-depth", "3000"],
    ),
    (
        "static, loop-latch",
        &["--policy", "static", "--place", "loop-latch"],
    ),
];

/// Whole checks, with evaluation, from start to exit.
fn checks(kernels: &Path) -> Result<(), Error> {
    println!("\n| program | instructions | policy | seconds |\n|---|---:|---|---:|");
    for (name, file, rounds) in [
        ("CRC-32", "crc32_bitwise.c", "-DROUNDS=1u"),
        ("AES-128", "aes128.c", "-DROUNDS=3u"),
    ] {
        for (policy, arguments) in POLICIES {
            let mut best = Duration::MAX;
            let mut instructions = 0;
            for _ in 0..RUNS {
                let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
                let mut command =
                    tool.command(["check", "-q", "--format", "json", "--nv", EVERYTHING]);
                command.args(arguments).arg(kernels.join(file));
                command.args(["--", rounds, "-DBUF_LEN=256u"]);
                let begun = Instant::now();
                let ended = execute(&mut command, LIMIT)?;
                best = best.min(begun.elapsed());
                let document: serde_json::Value =
                    serde_json::from_slice(&ended.stdout).map_err(|error| Error::Failed {
                        command: format!("{command:?}").replace('"', ""),
                        message: format!("{error}: {}", ended.stderr),
                    })?;
                instructions = document["stats"]["instructions"].as_u64().unwrap_or(0);
            }
            let seconds = best.as_secs_f64();
            println!(
                "| {name} | {} | {policy} | {seconds:.2} |",
                thousands(instructions)
            );
            if best > CHECK {
                eprintln!("warning: {name}, {policy}, takes {seconds:.2} s, the goal is 2 s");
            }
        }
    }
    Ok(())
}

/// How much memory locating takes in executions of 10⁷ and 10⁸ instructions.
fn growth(kernels: &Path) -> Result<(), Error> {
    println!("\n| rounds of `statemachine` | policy | peak memory, MB |\n|---:|---|---:|");
    for rounds in ["50", "500"] {
        for (policy, arguments) in POLICIES {
            let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
            let check = tool.command(["check", "-q", "--no-evaluate", "--nv", EVERYTHING]);
            let mut command = std::process::Command::new("/usr/bin/time");
            command.args(["-f", "%M"]).arg(check.get_program());
            command.args(check.get_args()).args(arguments);
            command.arg(kernels.join("statemachine.c"));
            command.args(["--", "-O1", &format!("-DROUNDS={rounds}u")]);
            let ended = execute(&mut command, LIMIT)?;
            let peak = ended
                .stderr
                .lines()
                .last()
                .and_then(|line| line.parse::<u64>().ok());
            let peak = peak.map_or_else(|| "?".to_owned(), |peak| (peak / 1024).to_string());
            println!("| {rounds} | {policy} | {peak} |");
        }
    }
    Ok(())
}
