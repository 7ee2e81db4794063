//! `cargo xtask eval prove`: what proofs and the least checkpoints take, in the shape of VMCAI'18
//! Table 1: five kinds of programs, the bytes that checkpoints save by each way of choosing them, and
//! the time of proof and minimisation; how proofs grow with the program; how many false alarms of
//! static analysis are refuted.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_testkit::{Error, Scratch, Tool, execute};
use serde_json::Value;

/// The programs, in `tests/prove/kinds`.
const PROGRAMS: [&str; 5] = ["histogram", "sampler", "activity", "crc", "sense"];

/// How many regions generated programs have.
const SIZES: [usize; 4] = [5, 10, 20, 40];

/// What all registers of an MSP430 take, which DINO saves at every checkpoint (VMCAI'18, section 7).
const REGISTERS: usize = 16 * 2;

/// False alarms of static analysis that are known, in `tests/ui`.
const ALARMS: [&str; 2] = ["repeated-input", "tainted-address"];

/// One line of the table.
struct Row {
    name: String,
    checkpoints: usize,
    bytes: u64,
    everything: u64,
    dino: u64,
    exclusive: u64,
    minimise_seconds: f64,
    verdict: String,
    prove_seconds: f64,
}

pub(super) fn run(tool: &Tool, folder: &Path) -> Result<ExitCode, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut rows = Vec::new();
    for name in PROGRAMS {
        println!("{name} …");
        let path = root.join(format!("tests/prove/kinds/{name}.c"));
        let text = std::fs::read_to_string(&path).map_err(|error| Error::file(&path, error))?;
        rows.push(measure(tool, name, &text)?);
    }
    let mut growth = Vec::new();
    for size in SIZES {
        println!("{size} regions …");
        let scratch = Scratch::new(&std::env::temp_dir())?;
        let program = scratch.file("program.c", generated(size))?;
        let (document, seconds) = ask(tool, &["prove"], &program)?;
        let verdict = document["verdict"].as_str().unwrap_or("none").to_owned();
        growth.push((size, verdict, seconds));
    }
    let alarms = alarms(tool, &root)?;
    super::write(folder, "prove.csv", table(&rows))?;
    super::write(folder, "prove.md", page(&rows, &growth, alarms))?;
    Ok(ExitCode::SUCCESS)
}

/// The least checkpoints of a program, and the proof of the program that has them.
fn measure(tool: &Tool, name: &str, text: &str) -> Result<Row, Error> {
    let scratch = Scratch::new(&std::env::temp_dir())?;
    let program = scratch.file("program.c", text)?;
    let (document, minimise_seconds) = ask(tool, &["fix", "--minimise"], &program)?;
    let mut apply = tool.command(["fix", "--minimise", "--apply", "-q"]);
    execute(apply.arg(&program), Duration::from_secs(600))?;
    let (proof, prove_seconds) = ask(tool, &["prove"], &program)?;
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let baselines = &document["baselines"];
    Ok(Row {
        name: name.to_owned(),
        checkpoints: document["checkpoints"].as_array().map_or(0, Vec::len),
        bytes: number(&document["bytes"]),
        everything: number(&baselines["everything"]),
        dino: number(&baselines["dino"]),
        exclusive: number(&baselines["emw"]),
        minimise_seconds,
        verdict: proof["verdict"].as_str().unwrap_or("none").to_owned(),
        prove_seconds,
    })
}

/// The document of a command, and how long it took.
fn ask(tool: &Tool, words: &[&str], program: &Path) -> Result<(Value, f64), Error> {
    let mut command = tool.command(words.iter().copied());
    command.args(["-q", "--format", "json"]).arg(program);
    let begun = Instant::now();
    let ended = execute(&mut command, Duration::from_secs(600))?;
    let seconds = begun.elapsed().as_secs_f64();
    let document = serde_json::from_slice(&ended.stdout).map_err(|error| Error::Failed {
        command: format!("{command:?}").replace('"', ""),
        message: format!("{error}: {}", ended.stderr),
    })?;
    Ok((document, seconds))
}

/// A program with so many regions, each of which needs the solver and none of which needs to save
/// anything.
fn generated(regions: usize) -> String {
    let mut text = String::from(
        "#include <brownout.h>\nint sense(void) BROWNOUT_INPUT;\n\
         BROWNOUT_NV unsigned char flags, ring[8], start;\nint main(void) {\n",
    );
    for region in 0..regions {
        let bit = region % 8;
        let _ = write!(
            text,
            "    brownout_checkpoint();\n    flags |= 1 << {bit};\n    \
             ring[(start & 3) + 4] = ring[start & 3] + sense();\n",
        );
    }
    text.push_str("    brownout_checkpoint();\n    return 0;\n}\n");
    text
}

/// How many suspicions there are about programs that are known to be false alarms, and how many the
/// solver refutes.
fn alarms(tool: &Tool, root: &Path) -> Result<(usize, usize), Error> {
    let (mut all, mut left) = (0, 0);
    for rule in ALARMS {
        let folder = root.join("tests/ui").join(rule).join("pass");
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::file(&folder, error))?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else {
                continue;
            };
            if !text.contains("//@ known-bug: ") {
                continue;
            }
            let count = |more: &[&str]| {
                let words = [&["check", "--static"], more].concat();
                let (document, _) = ask(tool, &words, &file)?;
                Ok::<_, Error>(document["findings"].as_array().map_or(0, Vec::len))
            };
            all += count(&[])?;
            left += count(&["--prove"])?;
        }
    }
    Ok((all, all - left.min(all)))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "program,checkpoints,everything,all registers,dino,emw,minimised,minimise seconds,verdict,prove seconds\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{:.2},{},{:.2}",
            row.name,
            row.checkpoints,
            row.everything,
            REGISTERS * row.checkpoints,
            row.dino,
            row.exclusive,
            row.bytes,
            row.minimise_seconds,
            row.verdict,
            row.prove_seconds,
        );
    }
    text
}

/// The same to read.
fn page(rows: &[Row], growth: &[(usize, String, f64)], alarms: (usize, usize)) -> String {
    let mut text = String::from(
        "# Proofs and the least checkpoints\n\n\
         Made by `cargo xtask eval prove`; the data are in [prove.csv](prove.csv). In the shape of \
         VMCAI'18, Table 1, over own programs of its five kinds (`tests/prove/kinds`). Bytes are sums \
         over all checkpoints, live registers and locals included: *everything* that the program may \
         write, *DINO-like* (what is read and then written), *EMW* (OOPSLA'20), and *minimised*. The \
         paper's DINO saves all registers and all stack objects beside what is read and then written; \
         *all registers* is what the sixteen of an MSP430 alone take. The \
         sets are those of brownout's own static analysis, which knows loops that fill and ranges of \
         indices, so little is left to drop. What the solver does not settle in time is kept. The \
         *verdict* is that of `brownout prove` on the program with the calls that `brownout fix \
         --minimise --apply` has written into it.\n\n\
         | program | checkpoints | everything | all registers | DINO-like | EMW | minimised | minimisation, s | verdict | proof, s |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {:.2} | {} | {:.2} |",
            row.name,
            row.checkpoints,
            row.everything,
            REGISTERS * row.checkpoints,
            row.dino,
            row.exclusive,
            row.bytes,
            row.minimise_seconds,
            row.verdict,
            row.prove_seconds,
        );
    }
    text.push_str(
        "\n## Growth\n\nGenerated programs; every region but the first needs the solver.\n\n\
         | regions | verdict | s |\n|---|---|---|\n",
    );
    for (size, verdict, seconds) in growth {
        let _ = writeln!(text, "| {size} | {verdict} | {seconds:.2} |");
    }
    let (all, refuted) = alarms;
    let _ = write!(
        text,
        "\n## False alarms\n\nOf {all} suspicions of static analysis about the programs of `tests/ui` \
         that are known to be false alarms, `check --static --prove` refutes {refuted}.\n",
    );
    text
}
