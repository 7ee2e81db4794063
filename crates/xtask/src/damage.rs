//! `cargo xtask damage`: thousands of damaged inputs of every kind. None may crash the tool, make it
//! panic or hang, or be refused without a message.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, thread};

use brownout_testkit::damage::{Fate, Kind, Patient};
use brownout_testkit::{Error, Scratch, Tool};
use clap::Args;

use crate::csmith::{build_folder, build_tool};

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// How many of each kind
    #[arg(long, default_value_t = 1000)]
    count: u64,

    /// The first number; the others follow
    #[arg(long, default_value_t = 0)]
    start: u64,

    /// Only this kind
    #[arg(long, value_parser = kind)]
    kind: Option<Kind>,

    /// How many at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,

    /// The tool; it is built if none is given
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

fn kind(name: &str) -> Result<Kind, String> {
    let names = Kind::ALL.map(Kind::name).join(", ");
    let mut kinds = Kind::ALL.into_iter();
    kinds
        .find(|kind| kind.name() == name)
        .ok_or_else(|| format!("there are {names}"))
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let build = build_folder();
    let folder = build.join("damage");
    fs::create_dir_all(&folder).map_err(|error| Error::file(&folder, error))?;
    let tool = match &options.tool {
        Some(path) => Tool::new(path),
        None => build_tool(&build)?,
    };
    let mut harmful = 0;
    for kind in Kind::ALL {
        if options.kind.is_some_and(|only| only != kind) {
            continue;
        }
        let scratch = Scratch::new(&folder)?;
        let patient = Patient::new(kind, &tool, scratch.path())?;
        let next = AtomicU64::new(options.start);
        let end = options.start.saturating_add(options.count);
        let (accepted, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        let harm = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let work = || -> Result<(), Error> {
                let scratch = Scratch::new(&folder)?;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        return Ok(());
                    }
                    match patient.survive(number, scratch.path()) {
                        Ok(Fate::Accepted) => _ = accepted.fetch_add(1, Ordering::Relaxed),
                        Ok(Fate::Refused) => _ = refused.fetch_add(1, Ordering::Relaxed),
                        Err(what) => {
                            let kept = folder.join(format!("{kind}-{number}"));
                            fs::write(&kept, patient.damaged(number))
                                .map_err(|error| Error::file(&kept, error))?;
                            println!("{kind} {number}: {what}\nkept as {}", kept.display());
                            if let Ok(mut harm) = harm.lock() {
                                harm.push(number);
                            }
                        }
                    }
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
        let harm = harm.into_inner().unwrap_or_default();
        println!(
            "{kind}: {} damaged, {} accepted, {} refused, {} harmful {harm:?}",
            options.count,
            accepted.into_inner(),
            refused.into_inner(),
            harm.len(),
        );
        harmful += harm.len();
    }
    match harmful {
        0 => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::FAILURE),
    }
}
