//! A driver in the style of each profile: `brownout init`, then `brownout check`, with no line of either
//! changed, finds the bug that was planted, confirmed, and nothing else; the mended driver is fine.
//!
//! Tests are data, in `tests/drivers` of the repository: at least one file for each profile, which is called like
//! it, or like it with more after a dot; `own.*` are drivers that no profile is for.
//! `//~ rule object` stands at the line where the bug is: the branch that an input decides, or the write.
//! With `-DMENDED` the same file is the driver without the bug.
//!
//! In `tests/judged` are larger drivers, written after the public interfaces of parts by somebody who had not looked
//! at the analysis, with a verdict on everything that is reported of them, optimised and not: `//~ rule object` is
//! true, `//? rule object` false by the semantics, `@O0` or `@O1` after it says that only that level has it. At
//! most one report in ten is false.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{Ended, Error, Scratch, Tool, execute};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Long enough for every driver, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// What drivers are called that no profile is for.
const OWN: &str = "own";

/// What the compiler is told for the driver without its bug.
const MENDED: &[&str] = &["--", "-DMENDED"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            #[allow(clippy::print_stderr, reason = "there is no test that could say it")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/drivers");
    let entries = fs::read_dir(&folder).map_err(|error| Error::file(&folder, error))?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.sort_unstable();
    let mut drivers = BTreeSet::new();
    let mut trials = Vec::new();
    for source in sources {
        let name = source.file_stem().unwrap_or_default();
        let title = name.to_string_lossy().into_owned();
        let name = title.split('.').next().unwrap_or_default().to_owned();
        if name != OWN {
            drivers.insert(name.clone());
        }
        trials.push(Trial::test(title, move || driver(&source, &name)));
    }
    trials.extend(judged()?);
    trials.push(Trial::test("every_profile_has_a_driver", move || {
        let listed = run(&Scratch::new(scratch())?, &["profiles"])?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let profiles = listed
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        let profiles: BTreeSet<String> = profiles.map(str::to_owned).collect();
        match profiles == drivers {
            true => Ok(()),
            false => Err(format!("{profiles:?} are not {drivers:?}").into()),
        }
    }));
    Ok(trials)
}

/// The levels of optimisation that drivers are judged at.
const LEVELS: [&str; 2] = ["O0", "O1"];

/// What is said of a report.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Verdict {
    line: u64,
    rule: String,
    object: String,
    is_true: bool,
}

/// The drivers with a verdict on each report.
fn judged() -> Result<Vec<Trial>, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/judged");
    let entries = fs::read_dir(&folder).map_err(|error| Error::file(&folder, error))?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.sort_unstable();
    let mut trials = Vec::new();
    let mut counts = [(0, 0); LEVELS.len()];
    for source in sources {
        let text = fs::read_to_string(&source).map_err(|error| Error::file(&source, error))?;
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        for (level, count) in LEVELS.into_iter().zip(&mut counts) {
            let verdicts = verdicts(&text, level);
            count.0 += verdicts.iter().filter(|verdict| !verdict.is_true).count();
            count.1 += verdicts.len();
            let title = format!("judged.{name}.{level}");
            let source = source.clone();
            trials.push(Trial::test(title, move || judge(&source, level, &verdicts)));
        }
    }
    trials.push(Trial::test("one_report_in_ten_is_false", move || {
        let is_few = |(wrong, all): &(usize, usize)| wrong * 10 <= *all && *all > 100;
        match counts.iter().all(is_few) {
            true => Ok(()),
            false => Err(format!("false, and all: {counts:?}").into()),
        }
    }));
    Ok(trials)
}

/// What a file says of the reports on it at a level.
fn verdicts(text: &str, level: &str) -> Vec<Verdict> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let marks = line.match_indices("//").map(|(at, _)| &line[at + 2..]);
        for mark in marks {
            let is_true = match mark.as_bytes().first() {
                Some(b'~') => true,
                Some(b'?') => false,
                _ => continue,
            };
            let (mark, _) = mark[1..].split_once("//").unwrap_or((&mark[1..], ""));
            for said in mark.split(';') {
                let (said, only) = said.split_once('@').unwrap_or((said, level));
                let Some((rule, object)) = said.trim().split_once(' ') else {
                    continue;
                };
                if only.trim() == level {
                    found.push(Verdict {
                        line: number,
                        rule: rule.to_owned(),
                        object: object.to_owned(),
                        is_true,
                    });
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// Everything that is reported has a verdict, and everything that has one is reported.
fn judge(source: &Path, level: &str, verdicts: &[Verdict]) -> Result<(), Failed> {
    let flag = format!("-{level}");
    let (_, checked) = checked(source, &["--", &flag])?;
    let document: Value = serde_json::from_slice(&checked.stdout)
        .map_err(|error| format!("{error}\n{}", checked.stderr))?;
    let mut reported: BTreeSet<(u64, String, String)> = BTreeSet::new();
    for (rule, objects, line, _) in reports(&document)? {
        let object = objects.split(", ").next().unwrap_or_default();
        reported.insert((line, rule, object.to_owned()));
    }
    let announced: BTreeSet<(u64, String, String)> = verdicts
        .iter()
        .map(|verdict| (verdict.line, verdict.rule.clone(), verdict.object.clone()))
        .collect();
    match reported == announced {
        true => Ok(()),
        false => {
            let new: Vec<_> = reported.difference(&announced).collect();
            let gone: Vec<_> = announced.difference(&reported).collect();
            Err(format!("without a verdict: {new:?}\nnot reported: {gone:?}").into())
        }
    }
}

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Runs the tool in a folder.
fn run(folder: &Scratch, arguments: &[&str]) -> Result<Ended, Error> {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let mut command = tool.command(arguments);
    command.current_dir(folder.path());
    execute(&mut command, LIMIT)
}

fn driver(source: &Path, name: &str) -> Result<(), Failed> {
    let text = fs::read_to_string(source)?;
    let planted: BTreeSet<(String, String, u64)> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| {
            let (_, mark) = line.split_once("//~ ")?;
            let (rule, object) = mark.split_once(' ')?;
            Some((rule.to_owned(), object.to_owned(), number))
        })
        .collect();
    if planted.is_empty() {
        return Err("no bug is planted".into());
    }
    let (found, told) = found(source, name, &[])?;
    let confirmed: BTreeSet<_> = planted
        .into_iter()
        .map(|(rule, object, line)| (rule, object, line, "confirmed".to_owned()))
        .collect();
    if found != confirmed || told.status != Some(1) {
        return Err(format!("found {found:?}\n{}", told.stderr).into());
    }
    let (found, told) = self::found(source, name, MENDED)?;
    match found.is_empty() && told.status == Some(0) {
        true => Ok(()),
        false => Err(format!("mended: found {found:?}\n{}", told.stderr).into()),
    }
}

/// What is found: rule, object, line and evidence.
type Found = BTreeSet<(String, String, u64, String)>;

/// Writes a configuration for a driver and checks the driver with it; what was written, and what was said.
fn checked(source: &Path, flags: &[&str]) -> Result<(String, Ended), Failed> {
    let folder = Scratch::new(scratch())?;
    let file = source.file_name().unwrap_or_default().to_string_lossy();
    folder.file(&file, fs::read(source)?)?;
    let written = run(&folder, &[&["init", &file][..], flags].concat())?;
    if written.status != Some(0) {
        return Err(written.stderr.into());
    }
    let config = fs::read_to_string(folder.path().join("brownout.toml"))?;
    let arguments = [&["check", "--format", "json"][..], flags].concat();
    Ok((config, run(&folder, &arguments)?))
}

/// What is found in a driver with the configuration that is written for it.
fn found(source: &Path, name: &str, flags: &[&str]) -> Result<(Found, Ended), Failed> {
    let (config, checked) = checked(source, flags)?;
    let profile = format!("profile = [\"{name}\"]\n");
    let is_recognised = match name {
        OWN => !config.contains("profile = ["),
        _ => config.contains(&profile),
    };
    if !is_recognised {
        return Err(format!("the profile was not recognised:\n{config}").into());
    }
    let document: Value = serde_json::from_slice(&checked.stdout)
        .map_err(|error| format!("{error}\n{}", checked.stderr))?;
    Ok((reports(&document)?, checked))
}

/// The findings of a document.
fn reports(document: &Value) -> Result<Found, Failed> {
    let findings = document["findings"].as_array();
    let findings = findings.ok_or("there is no list of findings")?;
    let found = findings.iter().map(|finding| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let variables = finding["variables"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> = variables
            .iter()
            .map(|object| text(&object["name"]))
            .collect();
        let place = match finding["branch"].is_null() {
            true => &finding["producer"],
            false => &finding["branch"],
        };
        let object = match names.is_empty() {
            true => text(&finding["object"]["name"]),
            false => names.join(", "),
        };
        (
            text(&finding["rule"]),
            object,
            place["line"].as_u64().unwrap_or_default(),
            text(&finding["evidence"]),
        )
    });
    Ok(found.collect())
}
