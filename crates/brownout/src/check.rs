//! `brownout check`: find everything.

use std::process::ExitCode;
use std::time::Instant;

use brownout_scenario::Recovery;
use brownout_verdict::ProgramFault;

use crate::brute_force;
use crate::cli::{CheckFormat, CheckOptions};
use crate::console;
use crate::error::Error;
use crate::examined::{Outcome, examine, tell, unchecked};
use crate::judge::Judge;
use crate::limits;
use crate::present;
use crate::progress::Progress;
use crate::ready;

pub(crate) fn check(options: &CheckOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    let mut judge = Judge::new(options)?;
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    if options.brute_force {
        let ready = ready::ready(&program_options)?;
        if !options.program.quiet {
            console::note(&brownout_device::assumptions(
                &ready.scenario,
                ready.image.program(),
            ));
        }
        return brute_force::run(options, &ready.scenario, &ready.image, &progress);
    }
    let mut outcomes = Vec::new();
    for prepared in ready::prepare_all(&program_options, brownout_device::Entry::Optional)? {
        if !options.program.quiet && options.format != CheckFormat::Concise {
            let assumptions = brownout_device::assumptions(&prepared.scenario, &prepared.program);
            console::note(&format!("{}{assumptions}", prepared.title.prefix()));
        }
        let outcome = examine(options, prepared, &mut judge, &progress)?;
        tell(options, &outcome);
        outcomes.push(outcome);
    }
    judge.write_baseline(outcomes.iter().map(Outcome::judged))?;
    present::present(options, &outcomes, &judge.remarks())?;
    let mut has_errors = outcomes.iter().any(Outcome::has_errors);
    let mut is_settled = !outcomes.iter().any(Outcome::is_undecided);
    for outcome in &outcomes {
        for (expression, id) in &outcome.breakable {
            console::line(&format!(
                "error: a power failure breaks {expression}, see `brownout replay {id}`"
            ));
            has_errors = true;
        }
        for broken in &outcome.broken {
            let place = broken.place.as_ref();
            let place = place.map_or_else(String::new, |place| {
                format!(" at {}:{}", place.file, place.line)
            });
            console::line(&format!(
                "error: {} does not hold{place}, even without a power failure",
                broken.expression
            ));
            is_settled = false;
        }
        if outcome.is_unfinished {
            let why = limits::why_half_up();
            console::line(&format!(
                "error: {why}: what other paths than the executed ones do was not checked"
            ));
            is_settled = false;
        }
        // The summary names these lines.
        is_settled &= outcome.unwritten.is_empty();
        for unknown in &outcome.unknown {
            console::line(&format!("error: {unknown}"));
            is_settled = false;
        }
        if let Some(overrun) = &outcome.overrun {
            print_fault("warning", overrun);
        }
        let several = options.failures.is_some_and(|failures| failures > 1);
        if several && outcome.scenario.power.policy.recovery() == Recovery::Restart {
            console::line(
                "error: under policy `restart` power fails once per execution; more than that (`--failures`) was not checked",
            );
            is_settled = false;
        }
        if let Some(text) = unchecked(outcome, options) {
            console::line(&format!("error: {}{text}", outcome.title.prefix()));
            let places = outcome.death.iter().flat_map(|death| &death.backtrace);
            places.for_each(|line| console::line(line));
            is_settled = false;
        }
    }
    Ok(ExitCode::from(match (has_errors, is_settled) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 0,
    }))
}

/// Says what the program does wrong by itself, with its place.
fn print_fault(severity: &str, fault: &ProgramFault) {
    console::line(&format!("{severity}: {}", fault.message));
    fault.backtrace.iter().for_each(|line| console::line(line));
}
