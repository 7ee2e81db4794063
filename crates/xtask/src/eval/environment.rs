//! `cargo xtask eval environment`: what following inputs takes for one to four of them, beside
//! executing every region again, in the shape of EWSN'21 Fig. 11.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{Error, Tool, execute};
use serde_json::Value;

use super::sensing::Sensing;
use crate::plot::{Bars, Series};

/// Sensors of the largest configuration.
const INPUTS: usize = 4;
/// Each time is the shortest of so many.
const REPETITIONS: usize = 5;

/// One line of the data: instructions and seconds.
struct Row {
    inputs: usize,
    plain: (f64, f64),
    followed: (f64, f64),
    /// The same with four readings a round, of however many inputs.
    spread: (f64, f64),
    again: (f64, f64),
}

pub(super) fn run(tool: &Tool, folder: &Path) -> Result<ExitCode, Error> {
    let mut rows = Vec::new();
    for inputs in 1..=INPUTS {
        println!("{inputs} inputs …");
        rows.push(measure(tool, inputs)?);
    }
    super::write(folder, "environment.csv", table(&rows))?;
    let picture = |title: &str, unit, value: fn(&(f64, f64)) -> f64| {
        let series = |name, part: fn(&Row) -> &(f64, f64)| Series {
            name,
            values: rows.iter().map(|row| value(part(row))).collect(),
        };
        Bars {
            title: title.to_owned(),
            unit,
            groups: rows
                .iter()
                .map(|row| format!("{} inputs", row.inputs))
                .collect(),
            series: vec![
                series("locate", |row| &row.plain),
                series("follow inputs", |row| &row.followed),
                series("follow inputs, the same readings", |row| &row.spread),
                series("every region again", |row| &row.again),
            ],
        }
        .svg()
    };
    let instructions = picture("Instructions executed", "instructions", |figures| figures.0);
    super::write(folder, "environment-instructions.svg", instructions)?;
    let time = picture("Time", "seconds", |figures| figures.1);
    super::write(folder, "environment-time.svg", time)?;
    Ok(ExitCode::SUCCESS)
}

fn measure(tool: &Tool, inputs: usize) -> Result<Row, Error> {
    let usual = Sensing::of(inputs);
    let spread = Sensing {
        spread: true,
        ..usual
    };
    let check = |sensing: Sensing, extra: &[&str]| -> Result<Value, Error> {
        let mut command = sensing.check(tool, extra);
        let ended = execute(&mut command, Duration::from_secs(600))?;
        serde_json::from_slice(&ended.stdout).map_err(|error| Error::Failed {
            command: format!("{command:?}").replace('"', ""),
            message: format!("{error}: {}", ended.stderr),
        })
    };
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let mut row = Row {
        inputs,
        plain: (0.0, f64::MAX),
        followed: (0.0, f64::MAX),
        spread: (0.0, f64::MAX),
        again: (0.0, f64::MAX),
    };
    for _ in 0..REPETITIONS {
        for (sensing, figures) in [(usual, &mut row.followed), (spread, &mut row.spread)] {
            let followed = check(sensing, &["--only", "stale-input", "--no-evaluate"])?;
            let stats = &followed["stats"];
            figures.0 = number(&stats["input_instructions"]);
            figures.1 = figures.1.min(number(&stats["input_seconds"]));
        }
        let plain = check(usual, &["--only", "war", "--no-evaluate"])?;
        let stats = &plain["stats"];
        row.plain.0 = number(&stats["instructions"]);
        row.plain.1 = row.plain.1.min(number(&stats["emulation_seconds"]));
    }
    let again = check(usual, &["--brute-force"])?;
    row.again.0 = number(&again["brute_force"]["instructions"]);
    row.again.1 = number(&again["brute_force"]["seconds"]);
    Ok(row)
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "inputs,locate instructions,follow instructions,follow same readings instructions,\
         every region again instructions,locate seconds,follow seconds,\
         follow same readings seconds,every region again seconds\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.4},{:.4},{:.4},{:.4}",
            row.inputs,
            row.plain.0,
            row.followed.0,
            row.spread.0,
            row.again.0,
            row.plain.1,
            row.followed.1,
            row.spread.1,
            row.again.1
        );
    }
    text
}
