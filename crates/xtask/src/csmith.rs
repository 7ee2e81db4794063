//! `cargo xtask csmith`: differential testing with random programs.
//!
//! Each seed is one program by csmith. It is emulated without optimisation and
//! with `-O2`; both must give what the native build gives, or, for targets
//! that this computer is not, the same as each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, thread};

use brownout_testkit::csmith::{self, Skipped, Verdict};
use brownout_testkit::{Error, Tool};
use clap::Args;

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,

    /// The first seed; the others follow
    #[arg(long, default_value_t = 1)]
    start: u64,

    /// How many at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,

    /// What to emulate; the native build is the judge for x86_64, for others `-O0` is
    #[arg(long, default_value = "x86_64")]
    target: String,

    /// The tool; it is built if none is given
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

/// What became of the programs so far.
#[derive(Default)]
struct Tally {
    same: u64,
    /// Programs that cannot be compared, by why.
    skipped: BTreeMap<Skipped, Vec<u64>>,
    wrong: Vec<u64>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let build = build_folder();
    let folder = build.join("csmith").join(&options.target);
    fs::create_dir_all(&folder).map_err(|error| Error::file(&folder, error))?;
    let tool = match &options.tool {
        Some(path) => Tool::new(path),
        None => build_tool(&build)?,
    };
    let next = AtomicU64::new(options.start);
    let end = options.start.saturating_add(options.count);
    let tally = Mutex::new(Tally::default());
    thread::scope(|scope| {
        let work = || -> Result<(), Error> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= end {
                    return Ok(());
                }
                let verdict = csmith::check(&tool, &options.target, seed, &folder)?;
                count(&tally, &folder, seed, verdict)?;
            }
        };
        let threads: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })?;
    let tally = tally
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    println!(
        "{} programs for {}: {} same, {} wrong, {} skipped (seeds {}..={})",
        options.count,
        options.target,
        tally.same,
        tally.wrong.len(),
        tally.skipped.values().map(Vec::len).sum::<usize>(),
        options.start,
        end.saturating_sub(1)
    );
    for (why, seeds) in &tally.skipped {
        println!("{} skipped because {why}: {seeds:?}", seeds.len());
    }
    if tally.wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let mut wrong = tally.wrong;
    wrong.sort_unstable();
    println!(
        "wrong seeds: {wrong:?}; the programs are in {}",
        folder.display()
    );
    Ok(ExitCode::FAILURE)
}

/// Enters a verdict; the source of a program that went well is not kept.
fn count(tally: &Mutex<Tally>, folder: &Path, seed: u64, verdict: Verdict) -> Result<(), Error> {
    let mut tally = tally
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    match verdict {
        Verdict::Same => tally.same += 1,
        Verdict::Skipped(why) => tally.skipped.entry(why).or_default().push(seed),
        Verdict::Wrong { .. } => {
            println!("seed {seed}: {verdict}");
            tally.wrong.push(seed);
            return Ok(());
        }
    }
    let source = csmith::source(folder, seed);
    // A program that took too long to generate does not exist.
    if source.exists() {
        fs::remove_file(&source).map_err(|error| Error::file(source, error))
    } else {
        Ok(())
    }
}

/// Where cargo builds: this program is in a folder of it.
pub(crate) fn build_folder() -> PathBuf {
    let this = env::current_exe().unwrap_or_default();
    this.ancestors()
        .nth(2)
        .map_or_else(|| PathBuf::from("target"), Path::to_owned)
}

/// Builds the tool in the release profile.
pub(crate) fn build_tool(build: &Path) -> Result<Tool, Error> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(&cargo);
    command
        .args([
            "build",
            "--release",
            "--package",
            "brownout",
            "--bin",
            "brownout",
            "--target-dir",
        ])
        .arg(build);
    let status = command.status().map_err(|error| Error::Start {
        command: cargo,
        error,
    })?;
    if !status.success() {
        return Err(Error::Failed {
            command: format!("{command:?}").replace('"', ""),
            message: String::new(),
        });
    }
    Ok(Tool::new(build.join("release").join("brownout")))
}
