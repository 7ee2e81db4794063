//! `cargo xtask eval`: the figures of the documentation, as data and pictures in
//! `docs/evaluation`. `memory`: what locating, evaluating and brute force take, in the shape of
//! EWSN'21 Figs 9 and 10.

mod environment;
mod following;
mod inputs;
mod prove;
mod sensing;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{Error, Tool, execute};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::csmith::{build_folder, build_tool};
use crate::plot::{Bars, Series};

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// Which figures
    #[arg(value_enum)]
    subject: Subject,

    /// Where they go
    #[arg(long, default_value = "docs/evaluation")]
    output: PathBuf,

    /// The tool; it is built if none is given
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// The memory rules
    Memory,
    /// Inputs and their age
    Environment,
    /// Inputs and their age, in instructions of the host
    Following,
    /// Inputs that are read again
    Inputs,
    /// Proofs and the least checkpoints
    Prove,
}

/// A kernel of the benchmark, made small.
struct Program {
    name: &'static str,
    file: &'static str,
    defines: &'static [&'static str],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "crc",
        file: "crc32_bitwise.c",
        defines: &["-DROUNDS=1u", "-DBUF_LEN=256u"],
    },
    Program {
        name: "aes",
        file: "aes128.c",
        defines: &["-DROUNDS=1u", "-DBUF_LEN=256u"],
    },
    Program {
        name: "fft",
        file: "fft_fixed.c",
        defines: &["-DROUNDS=1", "-DN=32"],
    },
    Program {
        name: "sort",
        file: "quicksort.c",
        defines: &["-DROUNDS=1", "-DN=200"],
    },
    Program {
        name: "matrix",
        file: "matmul.c",
        defines: &["-DROUNDS=1", "-DN=8"],
    },
    Program {
        name: "states",
        file: "statemachine.c",
        defines: &["-DROUNDS=1u", "-DSTREAM_LEN=256u"],
    },
];

const POLICIES: &[(&str, &[&str])] = &[
    (
        "reactive",
        &["--policy", "reactive", "--execution-depth", "3000"],
    ),
    ("static", &["--policy", "static", "--place", "loop-latch"]),
];

/// One line of the data.
struct Row {
    program: &'static str,
    policy: &'static str,
    located: (f64, f64),
    evaluated: (f64, f64),
    /// Instructions that brute force would execute, with and without a policy.
    brute: f64,
    layman: f64,
    errors: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let tool = match &options.tool {
        Some(path) => Tool::new(path),
        None => build_tool(&build_folder())?,
    };
    match options.subject {
        Subject::Memory => memory(&tool, &options.output),
        Subject::Environment => environment::run(&tool, &options.output),
        Subject::Following => following::run(&tool, &options.output),
        Subject::Inputs => inputs::run(&tool, &options.output),
        Subject::Prove => prove::run(&tool, &options.output),
    }
}

fn memory(tool: &Tool, folder: &Path) -> Result<ExitCode, Error> {
    let mut rows = Vec::new();
    for program in PROGRAMS {
        for (policy, arguments) in POLICIES {
            println!("{} {policy} …", program.name);
            rows.push(measure(tool, program, policy, arguments)?);
        }
    }
    let write = |name: &str, text: String| write(folder, name, text);
    write("memory.csv", table(&rows))?;
    for (policy, _) in POLICIES {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.policy == *policy).collect();
        write(
            &format!("memory-instructions-{policy}.svg"),
            instructions(&rows, policy),
        )?;
        write(&format!("memory-time-{policy}.svg"), time(&rows, policy))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Puts a file into a folder.
fn write(folder: &Path, name: &str, text: String) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|error| Error::file(&path, error))
}

fn measure(
    tool: &Tool,
    program: &Program,
    policy: &'static str,
    arguments: &[&str],
) -> Result<Row, Error> {
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../brownout/benches/kernels")
        .join(program.file);
    let check = |extra: &[&str]| -> Result<Value, Error> {
        let mut command = tool.command(["check", "-q", "--format", "json"]);
        command
            .args(["--nv", "globals,stack,heap", "--target", "riscv32"])
            .args(arguments)
            .args(extra)
            .arg(&kernel)
            .arg("--")
            .args(program.defines);
        let ended = execute(&mut command, Duration::from_secs(600))?;
        serde_json::from_slice(&ended.stdout).map_err(|error| Error::Failed {
            command: format!("{command:?}").replace('"', ""),
            message: format!("{error}: {}", ended.stderr),
        })
    };
    let number = |value: &Value| match value {
        Value::String(text) => text.parse().unwrap_or(0.0),
        value => value.as_f64().unwrap_or(0.0),
    };
    let located = check(&["--no-evaluate"])?;
    let evaluated = check(&[])?;
    let brute = check(&["--brute-force", "--time-limit", "0"])?;
    let expected = &brute["brute_force"]["expected"];
    let figures = |document: &Value| {
        let stats = &document["stats"];
        let instructions = number(&stats["instructions"]) + number(&stats["emulated_instructions"]);
        (instructions, number(&stats["emulation_seconds"]))
    };
    let findings = evaluated["findings"].as_array();
    Ok(Row {
        program: program.name,
        policy,
        located: figures(&located),
        evaluated: figures(&evaluated),
        brute: number(&expected["instructions"]),
        layman: number(&expected["layman_instructions"]),
        errors: findings.map_or(0, |findings| {
            let errors = findings
                .iter()
                .filter(|finding| finding["severity"] == "error");
            errors.count()
        }),
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "program,policy,locate instructions,evaluate instructions,brute force instructions,\
         without a policy,locate seconds,evaluate seconds,errors\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{:.4},{:.4},{}",
            row.program,
            row.policy,
            row.located.0,
            row.evaluated.0,
            row.brute,
            row.layman,
            row.located.1,
            row.evaluated.1,
            row.errors
        );
    }
    text
}

fn series(name: &'static str, rows: &[&Row], value: fn(&Row) -> f64) -> Series {
    Series {
        name,
        values: rows.iter().map(|row| value(row)).collect(),
    }
}

fn instructions(rows: &[&Row], policy: &str) -> String {
    Bars {
        title: format!("Instructions executed ({policy})"),
        unit: "instructions",
        groups: rows.iter().map(|row| row.program.to_owned()).collect(),
        series: vec![
            series("locate", rows, |row| row.located.0),
            series("locate and evaluate", rows, |row| row.evaluated.0),
            series("brute force (expected)", rows, |row| row.brute),
            series("without a policy (eq. 5)", rows, |row| row.layman),
        ],
    }
    .svg()
}

fn time(rows: &[&Row], policy: &str) -> String {
    Bars {
        title: format!("Time ({policy})"),
        unit: "seconds",
        groups: rows.iter().map(|row| row.program.to_owned()).collect(),
        series: vec![
            series("locate", rows, |row| row.located.1),
            series("locate and evaluate", rows, |row| row.evaluated.1),
        ],
    }
    .svg()
}
