//! What dynamic taint costs: `cargo bench -p brownout --bench taint`.
//!
//! Every kernel is emulated plainly and with taint, in turns, in processor time. After a hundredth
//! of its instructions everything in its globals arrives as an input; what the kernel makes of it,
//! and all that it decides by it, is tainted from then on. The table is that of
//! `docs/PERFORMANCE.md`. A goal that is missed only warns. `cargo bench … -- NAME` measures some
//! kernels only.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_confirm::Taint;
use brownout_ir::Origin;
use brownout_testkit::{Error, cases};
use brownout_vm::{Arrival, Image, Machine, MemoryPlan, Moment, Observer, Unobserved};
use support::{processor_time, thousands};

/// The goal: taint against plain emulation.
const GOAL: f64 = 4.0;
const RUNS: usize = 5;

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
    println!("| kernel | by data | by control | no input | inputs |");
    println!("|---|---:|---:|---:|---:|");
    for case in cases(&kernels)? {
        if wanted.is_empty() || wanted.iter().any(|name| case.name.contains(name.as_str())) {
            ratios(&case.name, &case.sources)?;
        }
    }
    Ok(())
}

/// A line of the table.
fn ratios(name: &str, sources: &[PathBuf]) -> Result<(), Error> {
    let image = support::image(sources, &|_| MemoryPlan::default())?;
    let mut whole = Machine::new(&image);
    whole.advance(u64::MAX);
    let instructions = whole.now();
    let (mut plain, mut idle, mut tainted) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let mut writes = Default::default();
    // In turns, so that a disturbance of the machine does not hit one kind only.
    for _ in 0..RUNS {
        plain = plain.min(time(&image, &mut Unobserved, |machine, observer| {
            machine.run(observer, u64::MAX);
        })?);
        let mut taint = Taint::new(&image);
        idle = idle.min(time(&image, &mut taint, |machine, taint| {
            machine.run(taint, u64::MAX);
        })?);
        let mut taint = Taint::new(&image);
        tainted = tainted.min(time(&image, &mut taint, |machine, taint| {
            machine.run(taint, instructions / 100);
            let at = Moment {
                time: machine.now(),
                pc: machine.pc(),
            };
            for (offset, size) in globals(&image) {
                taint.arrive(at, 0, Arrival::Memory { offset, size });
            }
            machine.run(taint, u64::MAX);
        })?);
        writes = taint.tainted_writes();
    }
    let ratio = |time: Duration| time.as_secs_f64() / plain.as_secs_f64();
    println!(
        "| {name} | {} | {} | {:.1} | {:.1} |",
        thousands(writes.by_data),
        thousands(writes.by_control),
        ratio(idle),
        ratio(tainted)
    );
    if ratio(tainted) > GOAL {
        let figure = ratio(tainted);
        eprintln!("warning: taint of {name} is {figure:.2}, the goal is {GOAL:.2}");
    }
    Ok(())
}

/// The offsets and sizes of the user's variables.
fn globals(image: &Image) -> Vec<(u32, u32)> {
    let base = image.layout().address(0);
    let globals = image.program().globals.iter();
    let users = globals.filter(|(_, global)| global.origin == Origin::User && !global.constant);
    users
        .map(|(global, data)| {
            let offset = image.layout().global(global) - base;
            (offset as u32, data.size as u32)
        })
        .collect()
}

fn time<O: Observer>(
    image: &Image,
    observer: &mut O,
    run: impl Fn(&mut Machine<'_>, &mut O),
) -> Result<Duration, Error> {
    let mut machine = Machine::new(image);
    let begun = processor_time()?;
    run(&mut machine, observer);
    Ok(processor_time()?.saturating_sub(begun))
}
