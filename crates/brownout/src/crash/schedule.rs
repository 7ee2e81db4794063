//! `brownout run --schedule` on programs that change flash: failure points are counted by operations,
//! and what an interrupted one leaves is tried, too.

use std::process::ExitCode;
use std::time::Instant;

use brownout_crash::{End, Rhythm, Scheduled};
use brownout_diag::plural;
use brownout_explore::Monitor;
use serde_json::json;

use super::{Watched, explored, prepare, words};
use crate::cli::{CheckFormat, Format, Rhythm as Wanted, RunOptions};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::present;
use crate::progress::Progress;
use crate::ready;

/// How many power failures are told.
const TOLD: usize = 10;

/// Runs with the power failures of a schedule.
pub(crate) fn schedule(options: &RunOptions, wanted: Wanted) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let settings = options.device.settings();
    let (ready, mut request) = prepare(&options.program, &settings, options.max_instructions)?;
    if !options.program.quiet {
        ready::tell(&ready.scenario, ready.image.program());
    }
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    let watched = Watched::new(&progress);
    let arguments = present::arguments(&options.program, None, &settings);
    let rhythm = match wanted {
        Wanted::Linear => Rhythm::Linear,
        Wanted::Log => Rhythm::Log,
        Wanted::Random { seed } => Rhythm::Random { seed },
        Wanted::EveryWrite | Wanted::Exhaustive { .. } => {
            request.failures = match wanted {
                Wanted::Exhaustive { failures } => failures.or(request.failures),
                _ => Some(1),
            };
            request.jobs = std::thread::available_parallelism().map_or(1, usize::from);
            let format = match options.format {
                Format::Human => CheckFormat::Human,
                Format::Json => CheckFormat::Json,
            };
            let outcome = explored(&ready, &request, &watched, arguments, begun);
            progress.end();
            return outcome.print(format, options.output.as_deref(), &options.program);
        }
    };
    let run = brownout_crash::schedule(&ready.image, &request, rhythm, &watched);
    progress.end();
    let failures = match brownout_crash::replay(&ready.image, &request, &run.id, &watched) {
        Ok(followed) => followed.boots,
        Err(_) => Vec::new(),
    };
    let strikes: Vec<String> = (failures.iter().zip(1..))
        .filter_map(|(boot, number)| {
            let failure = boot.failure.as_ref()?;
            let way = words::way(failure.place.as_ref());
            Some(format!("{}   {way}", words::strike(failure, number)))
        })
        .collect();
    console::result(options.output.as_deref(), |out| match options.format {
        Format::Human => out.write_all(&run.text),
        Format::Json => {
            let status = match run.end {
                End::Exited { status } => Some(status),
                _ => None,
            };
            let document = document::of(json!({
                "output": String::from_utf8_lossy(&run.text),
                "exit_status": status,
                "fault": run.broken.as_ref().map(|broken| json!({
                    "name": broken.name, "message": broken.text,
                })),
                "complete": !run.is_interrupted,
                "replay": run.id.to_string(),
                "failures": strikes,
                "stats": {
                    "instructions": run.instructions,
                    "power_failures": run.id.points.len(),
                    "total_seconds": begun.elapsed().as_secs_f64(),
                },
            }));
            writeln!(out, "{document:#}")
        }
    })?;
    if !options.program.quiet && options.format == Format::Human {
        summary(&run, &strikes);
    }
    Ok(ExitCode::from(verdict(&run, &arguments)))
}

fn summary(run: &Scheduled, strikes: &[String]) {
    let ended = match &run.end {
        End::Exited { status } => format!("then exit status {status}"),
        End::Arrived => "then the place where a boot is done".to_owned(),
        End::Settled(_) => "then the program settled".to_owned(),
        End::Died(_) => "then the program died".to_owned(),
        End::Undecided => "then no end".to_owned(),
    };
    let failures = plural(run.id.points.len() as u64, "power failure");
    console::line(&format!("{failures}, {ended}"));
    for strike in strikes.iter().take(TOLD) {
        console::line(&format!("  {strike}"));
    }
    if strikes.len() > TOLD {
        console::line(&format!("  … and {} more", strikes.len() - TOLD));
    }
}

fn verdict(run: &Scheduled, arguments: &str) -> u8 {
    if let Some(broken) = &run.broken {
        let verb = match broken.is_stated() {
            true => " does not hold",
            false => "",
        };
        console::line(&format!("error: {}{verb}", broken.text));
        console::line(&format!(
            "  = replay: brownout replay {} {arguments}",
            run.id
        ));
        return 1;
    }
    if run.is_interrupted {
        console::line("error: stopped before a boot came to its end");
        return 2;
    }
    if run.points == 0 {
        console::line(words::NOTHING_TRIED);
        return 2;
    }
    0
}
