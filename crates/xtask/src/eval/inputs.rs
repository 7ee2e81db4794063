//! `cargo xtask eval inputs`: what becomes of suspicions about inputs, in the shape of OOPSLA'19
//! Tables 2 and 5: how many there are for each point where execution may go on, how many executions
//! confirm, refute or leave open, and what dynamic taint sees under power failures.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_testkit::{Error, Scratch, Tool, execute, execute_measured};
use serde_json::Value;

/// Drivers and the like among the programs of the tests: with their bugs, and repaired.
const PROGRAMS: &[&str] = &[
    "magnetometer_init",
    "magnetometer_read",
    "rfid_protocol",
    "concentrator",
    "device_context",
    "error_codes",
    "fills_global",
    "library_getter",
    "number_parsed",
    "out_parameter",
    "peak_in_loop",
    "register_input",
    "retries",
    "ring_buffer",
];

/// The rules that are about inputs which are read again.
const RULES: &str = "repeated-input,tainted-address";

/// One line of the data.
struct Row {
    name: String,
    lines: usize,
    /// Suspicions if execution goes on at the start of the function, right before the input, and
    /// where the policy says; with the milliseconds of the last.
    function: usize,
    input: usize,
    boundary: usize,
    milliseconds: f64,
    confirmed: usize,
    benign: usize,
    possible: usize,
    seconds: f64,
    /// What the last took, and what the check of the same program took that was compiled for a Cortex-M.
    memory: u64,
    cortex: Cost,
    /// Tainted writes and stale reads of dynamic taint; nothing for code without a `main`.
    taint: Option<(u64, u64)>,
}

/// What a check took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    /// KiB.
    memory: u64,
}

/// What a check may take.
const LIMIT: Cost = Cost {
    seconds: 5.0,
    memory: 500 << 10,
};

pub(super) fn run(tool: &Tool, folder: &Path) -> Result<ExitCode, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut rows = Vec::new();
    for name in PROGRAMS {
        for kind in ["fail", "pass"] {
            let file = format!("tests/ui/repeated-input/{kind}/{name}.c");
            let path = root.join(file);
            if path.is_file() {
                println!("{kind} {name} …");
                rows.push(measure(tool, name, kind, &path)?);
            }
        }
    }
    super::write(folder, "inputs.csv", table(&rows))?;
    super::write(folder, "inputs.md", page(&rows))?;
    let is_dear =
        |row: &&Row| row.cortex.seconds >= LIMIT.seconds || row.cortex.memory >= LIMIT.memory;
    let dear: Vec<&str> = rows
        .iter()
        .filter(is_dear)
        .map(|row| row.name.as_str())
        .collect();
    if dear.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "more than {} s or {} MiB for a Cortex-M: {}",
        LIMIT.seconds,
        LIMIT.memory >> 10,
        dear.join(", ")
    );
    Ok(ExitCode::FAILURE)
}

fn measure(tool: &Tool, name: &str, kind: &str, path: &Path) -> Result<Row, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    let scratch = Scratch::new(&std::env::temp_dir())?;
    let config: String = text
        .lines()
        .filter_map(|line| line.strip_prefix("//@ config: "))
        .map(|line| format!("{line}\n"))
        .collect();
    scratch.file("brownout.toml", config)?;
    let program = scratch.file("program.c", &text)?;
    let own: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//@ args: "))
        .flat_map(str::split_whitespace)
        .filter(|word| *word != "--static")
        .collect();
    let suspicions = |restart: &[&str]| {
        let (report, _) = check(tool, &program, &[&["--static"], restart].concat())?;
        let seconds = report["stats"]["total_seconds"].as_f64().unwrap_or(0.0);
        Ok::<_, Error>((findings(&report).len(), seconds))
    };
    let (function, _) = suspicions(&["--restart-at", "function"])?;
    let (input, _) = suspicions(&["--restart-at", "input"])?;
    let (boundary, seconds) = suspicions(&["--restart-at", "boundary"])?;
    let (report, cost) = check(tool, &program, &own)?;
    let target: &[&str] = match own.contains(&"--target") {
        true => &[],
        false => &["--target", "thumbv7m"],
    };
    let (_, cortex) = check(tool, &program, &[target, &own].concat())?;
    let with = |evidence: &str| {
        let findings = findings(&report);
        let matching = findings
            .iter()
            .filter(|finding| finding["evidence"] == evidence);
        matching.count()
    };
    Ok(Row {
        name: format!("{name} ({kind})"),
        lines: text.lines().count(),
        function,
        input,
        boundary,
        milliseconds: seconds * 1e3,
        confirmed: with("confirmed"),
        benign: with("benign"),
        possible: with("possible"),
        seconds: cost.seconds,
        memory: cost.memory,
        cortex,
        taint: taint(tool, &program)?,
    })
}

fn check(tool: &Tool, program: &PathBuf, extra: &[&str]) -> Result<(Value, Cost), Error> {
    let mut command = tool.command(["check", "-q", "--format", "json", "--only", RULES]);
    command.args(["--max-instructions", "300000"]);
    command.args(extra).arg(program);
    let begun = Instant::now();
    let (ended, memory) = execute_measured(&mut command, Duration::from_secs(120))?;
    let cost = Cost {
        seconds: begun.elapsed().as_secs_f64(),
        memory: memory.unwrap_or_default(),
    };
    let report = serde_json::from_slice(&ended.stdout).map_err(|error| Error::Failed {
        command: format!("{command:?}").replace('"', ""),
        message: format!("{error}: {}", ended.stderr),
    })?;
    Ok((report, cost))
}

/// What dynamic taint counts when power fails after 1, 2, 3, … writes.
fn taint(tool: &Tool, program: &PathBuf) -> Result<Option<(u64, u64)>, Error> {
    let mut command = tool.command(["run", "-q", "--format", "json", "--taint"]);
    command.args(["--schedule", "linear", "--max-instructions", "300000"]);
    let ended = execute(command.arg(program), Duration::from_secs(120))?;
    let report: Option<Value> = serde_json::from_slice(&ended.stdout).ok();
    Ok(report.and_then(|report| {
        let taint = &report["taint"];
        Some((taint["writes"].as_u64()?, taint["loads"].as_u64()?))
    }))
}

fn findings(report: &Value) -> Vec<&Value> {
    report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .collect()
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "program,lines,function,input,boundary,milliseconds,confirmed,benign,possible,seconds,MiB,\
         thumbv7m seconds,thumbv7m MiB,tainted writes,stale loads\n",
    );
    for row in rows {
        let (writes, loads) = counts(row);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.1},{},{},{},{:.2},{},{:.2},{},{writes},{loads}",
            row.name,
            row.lines,
            row.function,
            row.input,
            row.boundary,
            row.milliseconds,
            row.confirmed,
            row.benign,
            row.possible,
            row.seconds,
            row.memory >> 10,
            row.cortex.seconds,
            row.cortex.memory >> 10,
        );
    }
    text
}

/// The same to read.
fn page(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Suspicions about inputs, and what becomes of them\n\n\
         Made by `cargo xtask eval inputs`; the data are in [inputs.csv](inputs.csv). In the shape of \
         OOPSLA'19, Tables 2 and 5. *Suspicions*: what static analysis reports if execution goes on at \
         the start of the function, right before the input, or where the policy says (*boundary*). \
         *Confirmed*, *benign*, *possible*: what executions make of those for which the program was written (drivers: the start of the function). *Tainted writes* and \
         *stale loads*: what dynamic taint counts when power fails after 1, 2, 3, … writes to \
         non-volatile memory, in programs with a `main`. *s* and *MiB* are what that check took in all, \
         compilation included, for the MSP430 and for a Cortex-M (`thumbv7m`), where each has to take less than 5 s and \
         500 MiB.\n\n\
         | program | lines | function | input | boundary | ms | confirmed | benign | possible | s | MiB | s (thumbv7m) | MiB (thumbv7m) | tainted writes | stale loads |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (writes, loads) = counts(row);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {:.2} | {} | {:.2} | {} | {writes} | {loads} |",
            row.name,
            row.lines,
            row.function,
            row.input,
            row.boundary,
            row.milliseconds,
            row.confirmed,
            row.benign,
            row.possible,
            row.seconds,
            row.memory >> 10,
            row.cortex.seconds,
            row.cortex.memory >> 10,
        );
    }
    text
}

fn counts(row: &Row) -> (String, String) {
    match row.taint {
        Some((writes, loads)) => (writes.to_string(), loads.to_string()),
        None => (String::new(), String::new()),
    }
}
