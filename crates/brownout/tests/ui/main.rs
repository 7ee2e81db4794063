//! Programs are checked by the tool and every finding must be announced.
//!
//! Tests are data, in `tests/ui` of the repository: `<rule>/fail/name.c` has a
//! bug, `<rule>/pass/name.c` is the same program repaired. Announcements stand at
//! the line they speak of:
//!
//! ```c
//! int t = count;      //~ NOTE [war] read here
//! count = t + 1;      //~ ERROR [war] `count`; `count` = 2 instead of 1
//! ```
//!
//! `//~` speaks of its own line, `//~^` of the line above (one more line for each
//! `^`), `//~|` of the same line as the announcement before it. `ERROR`, `WARNING`
//! and `NOTE` with a rule announce one pair of a finding, or one finding without pairs, whose
//! producer (for `repeated-input` the branch) is on that line and
//! whose [text](Found::text) has all the pieces that follow, separated by `; `.
//! `NOTE [rule] read here` or `used here` announces the consumer's line of
//! pairs that are themselves announced.
//!
//! Every pair must be announced exactly once and every announcement met; how many findings
//! the pairs are is announced by `//@ findings:`. The exit status is 1 for `fail`, 0 for
//! `pass`, and 2 for those that say under `unknown` what stays so. Directives are listed at [`Case::directive`].
//!
//! Where the answer is another one, the whole of it stands in a file beside the program,
//! and has to be exactly that, so that neither a crash nor another wrong answer passes:
//! * `name.O1`: what is found at `-O1`, where that is not what is announced. Every program
//!   is checked at `-O1` as well, unless its `flags` say at which level it is compiled.
//! * `name.today`: what is found today by a program with a `known-bug`.
//! * `name.possible`: the suspicions that no execution shows, of a program that says
//!   under `possible` why there are some.
//!
//! `BROWNOUT_BLESS=1 cargo test --test ui` writes these files, and removes those that are not
//! needed any more: read what changed before believing it.

mod announce;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{Ended, Error, Scratch, Tool, execute};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

use self::announce::{Announcement, Found, announcements, differences, is_of_first, pairs};

/// The rules that have cases.
const RULES: &[&str] = &[
    "war",
    "activation-record",
    "memory-map",
    "torn-write",
    "repeated-input",
    "tainted-address",
    "stale-input",
    "output-semantics",
    "peripheral-state",
    "lost-state",
];

/// The rules about memory.
const MEMORY_RULES: &[&str] = &["war", "activation-record", "memory-map", "torn-write"];

/// The rules that static analysis suspects and an execution can confirm.
const SUSPICIONS: &[&str] = &["repeated-input", "tainted-address"];

/// Enough instructions for programs that never end.
const ENOUGH: &str = "300000";

/// Long enough for every case, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ui");
    let mut trials = Vec::new();
    for rule in RULES {
        for verdict in [Verdict::Fail, Verdict::Pass] {
            for source in sources(&root.join(rule).join(verdict.folder()))? {
                let name = source
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                if SUSPICIONS.contains(rule) {
                    let source = source.clone();
                    trials.push(Trial::test(
                        format!("confirm {rule}/{}/{name}", verdict.folder()),
                        move || Case::read(source, verdict)?.is_confirmed(),
                    ));
                }
                let optimised = source.clone();
                trials.push(Trial::test(
                    format!("{rule}/{}/{name} -O1", verdict.folder()),
                    move || Case::read(optimised, verdict)?.holds_when_optimised(),
                ));
                trials.push(Trial::test(
                    format!("{rule}/{}/{name}", verdict.folder()),
                    move || {
                        let case = Case::read(source, verdict)?;
                        case.has_twin()?;
                        let document = case.holds()?;
                        let is_mendable = MEMORY_RULES.contains(rule) && verdict == Verdict::Fail;
                        match document {
                            Some(document) if is_mendable => case.is_mended(&document),
                            _ => Ok(()),
                        }
                    },
                ));
            }
        }
    }
    Ok(trials)
}

/// Every C or C++ file and every sketch in `folder`, sorted by name.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut sources = fs::read_dir(folder)
        .and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(|error| Error::file(folder, error))?;
    sources.retain(|path| {
        let extension = path.extension().unwrap_or_default();
        ["c", "cpp", "ino"].iter().any(|known| extension == *known)
    });
    sources.sort();
    Ok(sources)
}

/// What is expected of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Errors are found.
    Fail,
    /// None are.
    Pass,
}

impl Verdict {
    fn folder(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Pass => "pass",
        }
    }

    fn exit_status(self) -> i32 {
        match self {
            Self::Fail => 1,
            Self::Pass => 0,
        }
    }
}

/// One program with what is to be said about it.
#[derive(Debug)]
struct Case {
    source: PathBuf,
    verdict: Verdict,
    /// Options of the tool that describe the device.
    options: Vec<String>,
    /// Other options of `check`.
    check_options: Vec<String>,
    /// Arguments of the compiler.
    flags: Vec<String>,
    /// The text of `brownout.toml`, if there is one.
    config: String,
    known_bug: Option<String>,
    /// Why no execution shows everything that static analysis suspects.
    possible: Option<String>,
    /// Whether something stays unknown.
    is_open: bool,
    /// How many findings there are, by rule.
    findings: Vec<(String, usize)>,
    announcements: Vec<Announcement>,
}

impl Case {
    fn read(source: PathBuf, verdict: Verdict) -> Result<Self, Failed> {
        let text = fs::read_to_string(&source).map_err(|error| Error::file(&source, error))?;
        let mut case = Self {
            source,
            verdict,
            options: Vec::new(),
            check_options: Vec::new(),
            flags: Vec::new(),
            config: String::new(),
            known_bug: None,
            possible: None,
            is_open: false,
            findings: Vec::new(),
            announcements: announcements(&text)?,
        };
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            if let Some(directive) = line.strip_prefix("//@") {
                case.directive(directive.trim())
                    .ok_or_else(|| Error::Directive {
                        path: case.source.clone(),
                        line: line.to_owned(),
                    })?;
            }
        }
        let errors = case.announcements.iter().any(Announcement::is_error);
        match (verdict, errors) {
            (Verdict::Fail, false) => Err("a program that fails must announce an error".into()),
            (Verdict::Pass, true) => Err("a program that passes cannot announce an error".into()),
            (Verdict::Fail, true) | (Verdict::Pass, false) => Ok(case),
        }
    }

    /// Understands `key: text`. A key may stand on several lines.
    fn directive(&mut self, text: &str) -> Option<()> {
        let (key, value) = text.split_once(':')?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        let mut option = |name: &str| {
            self.options
                .extend([name.to_owned(), value.trim().to_owned()])
        };
        match key {
            "nv" => option("--nv"),
            "policy" => option("--policy"),
            "depth" => option("--execution-depth"),
            "target" => option("--target"),
            "set" => option("--set"),
            // Any other options of `check`.
            "args" => self
                .check_options
                .extend(value.split_whitespace().map(str::to_owned)),
            // Arguments of the compiler.
            "flags" => self
                .flags
                .extend(value.split_whitespace().map(str::to_owned)),
            // A line of `brownout.toml`.
            "config" => self.config.extend([value, "\n"]),
            // Today's answer is wrong, and why.
            "known-bug" => self.known_bug = Some(value.trim().to_owned()),
            // Something stays unknown, and why: the check is not complete.
            "unknown" => self.is_open = true,
            // Not every suspicion can be confirmed, and why.
            "possible" => self.possible = Some(value.trim().to_owned()),
            // How many findings of a rule there are, such as `war 2`.
            "findings" => {
                let (rule, count) = value.trim().split_once(' ')?;
                self.findings.push((rule.to_owned(), count.parse().ok()?));
            }
            _ => return None,
        }
        Some(())
    }

    /// Each bug has its repair beside it.
    fn has_twin(&self) -> Result<(), Failed> {
        let twin = || {
            Some(
                self.source
                    .parent()?
                    .parent()?
                    .join("pass")
                    .join(self.source.file_name()?),
            )
        };
        match (self.verdict, twin()) {
            (Verdict::Fail, Some(twin)) if !twin.exists() => {
                Err(format!("the repaired program is missing: {}", twin.display()).into())
            }
            _ => Ok(()),
        }
    }

    /// What is found is what is announced; if that is known not to be so, it is what it is known to
    /// be today. The document of the former is given.
    fn holds(&self) -> Result<Option<Value>, Failed> {
        let checked = self.check()?;
        match (&self.known_bug, checked.complaint.is_empty()) {
            (None, true) => Ok(checked.document),
            (None, false) => Err(checked.told()),
            (Some(why), true) => {
                Err(format!("the known bug is gone, remove its directive: {why}").into())
            }
            (Some(_), false) => {
                self.is_known("today", Some(&checked.answer))?;
                Ok(None)
            }
        }
    }

    /// The same at `-O1`, where another answer may be known.
    fn holds_when_optimised(mut self) -> Result<(), Failed> {
        if self.flags.iter().any(|flag| flag.starts_with("-O")) {
            return self.is_known("O1", None);
        }
        self.flags.push("-O1".to_owned());
        let checked = self.check()?;
        let differs = !checked.complaint.is_empty();
        self.is_known("O1", differs.then_some(&checked.answer))
            .map_err(|failed| {
                let why = failed.message().unwrap_or_default();
                format!("{why}\n{}{}", checked.complaint, checked.shown).into()
            })
    }

    /// An answer is the one that stands beside the program; there is no such file if there is none.
    fn is_known(&self, kind: &str, answer: Option<&String>) -> Result<(), Failed> {
        let path = self.source.with_extension(kind);
        let known = fs::read_to_string(&path).ok();
        if known.as_ref() == answer {
            return Ok(());
        }
        let shown = path.display();
        if std::env::var_os("BROWNOUT_BLESS").is_some() {
            let written = match answer {
                Some(answer) => fs::write(&path, answer),
                None => fs::remove_file(&path),
            };
            return written.map_err(|error| Error::file(&path, error).into());
        }
        Err(match (known, answer) {
            (Some(known), Some(answer)) => {
                format!("{shown} says\n{known}\nbut the answer is\n{answer}")
            }
            (None, Some(answer)) => format!("{shown} is missing, and the answer is\n{answer}"),
            (_, None) => format!("{shown} is not needed any more"),
        }
        .into())
    }

    /// Runs the tool on the program; the document it prints, how it ended, and the command.
    fn run(&self, arguments: &[&str]) -> Result<(Value, Ended, String), Failed> {
        self.run_on(&self.source, arguments, "json")
    }

    /// The same on a changed program and in another format.
    fn run_on(
        &self,
        source: &Path,
        arguments: &[&str],
        format: &str,
    ) -> Result<(Value, Ended, String), Failed> {
        let (document, ended, shown) = self.try_to_run(source, arguments, format)?;
        let document = document.ok_or_else(|| Error::NotAReport {
            command: shown.clone(),
            printed: ended.stderr.clone(),
        })?;
        Ok((document, ended, shown))
    }

    /// The same, without a document if none is printed.
    fn try_to_run(
        &self,
        source: &Path,
        arguments: &[&str],
        format: &str,
    ) -> Result<(Option<Value>, Ended, String), Failed> {
        let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
        let mut command =
            Tool::new(env!("CARGO_BIN_EXE_brownout")).command(arguments.iter().copied());
        // Names in messages are short and the same everywhere.
        let folder = self.source.parent().unwrap_or(Path::new("."));
        command.current_dir(source.parent().unwrap_or(folder));
        command.args(["--format", format]).args(&self.options);
        if !self.config.is_empty() {
            command
                .arg("--config")
                .arg(scratch.file("brownout.toml", &self.config)?);
        }
        command.arg(source.file_name().unwrap_or_default());
        command.arg("--").args(&self.flags);
        if source != self.source {
            command.arg("-I").arg(folder);
        }
        let shown = format!("{command:?}").replace('"', "");
        let ended = execute(&mut command, LIMIT)?;
        let document = serde_json::from_slice(&ended.stdout).ok();
        Ok((document, ended, shown))
    }

    /// The replay of what is confirmed, a finding or one of its pairs, shows some effects; if it is
    /// about memory, all those that were told, beside what other writes before the failure do.
    fn replays(&self, finding: &Value, confirmed: &Value) -> Result<(), Failed> {
        let effects = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let known = effects(&confirmed["effects"]);
        // Doing an output again may be said to change nothing.
        if confirmed["evidence"] != "confirmed" || known.is_empty() {
            return Ok(());
        }
        let Some(id) = confirmed["replay"].as_str() else {
            return Err(format!("confirmed without a replay: {confirmed:#}").into());
        };
        // A task is a program of its own.
        let task = finding["program"].as_str();
        let entry = task.map_or_else(Vec::new, |task| vec!["--entry", task]);
        let arguments = [&["replay", id], &entry[..]].concat();
        let (document, ended, shown) = self.run(&arguments)?;
        let told = effects(&document["replay"]["effects"]);
        // What is done to the world outside shows elsewhere, too.
        let of_memory = MEMORY_RULES
            .iter()
            .any(|of_memory| finding["rule"] == *of_memory);
        let is_missing = |effect: &Value| of_memory && !told.contains(effect);
        if known.iter().any(is_missing) || told.is_empty() || ended.status != Some(1) {
            let complaint = format!(
                "the replay shows {told:#?}\nthe finding has {known:#?}\n{shown}\n{}",
                ended.stderr
            );
            return Err(complaint.into());
        }
        Ok(())
    }

    /// Every edit that is offered removes the finding that it is offered for, and adds no other to those of
    /// the document.
    fn is_mended(&self, document: &Value) -> Result<(), Failed> {
        let mut arguments = vec!["check"];
        arguments.extend(self.check_options.iter().map(String::as_str));
        let (log, ..) = self.run_on(&self.source, &arguments, "sarif")?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let results = list(&log["runs"][0]["results"]);
        let before = errors(document);
        let text = fs::read_to_string(&self.source)?;
        for fix in results.iter().flat_map(|result| list(&result["fixes"])) {
            let changes = &fix["artifactChanges"][0];
            let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
            let name = self.source.file_name().unwrap_or_default();
            let name = name.to_str().unwrap_or_default();
            if changes["artifactLocation"]["uri"] != name {
                continue;
            }
            let mended = edited(&text, &changes["replacements"][0]);
            let file = scratch.file(name, &mended)?;
            // Its linker script lies beside it.
            let script = self.source.with_extension("cmd");
            if script.is_file() {
                fs::copy(&script, file.with_extension("cmd"))?;
            }
            let (after, _, shown) = self.run_on(&file, &arguments, "json")?;
            let after = errors(&after);
            let is_new = |error: &&(String, String)| !before.contains(error);
            if after.len() >= before.len() || after.iter().any(|error| is_new(&error)) {
                return Err(format!(
                    "{}: {before:?} became {after:?}\n{shown}\n{mended}",
                    fix["description"]["text"]
                )
                .into());
            }
        }
        Ok(())
    }

    /// Without `--static`, every suspicion of a program that fails is confirmed, and replays; none
    /// is of one that passes. If some are known to stay suspicions, it is exactly those.
    fn is_confirmed(&self) -> Result<(), Failed> {
        let (unconfirmed, shown) = self.unconfirmed()?;
        match (&self.possible, unconfirmed.is_empty()) {
            (None, true) => Ok(()),
            (None, false) => Err(format!("{unconfirmed}{shown}").into()),
            (Some(why), true) => {
                Err(format!("all is confirmed, remove the directive: {why}").into())
            }
            (Some(_), false) => self.is_known("possible", Some(&unconfirmed)),
        }
    }

    /// The suspicions that are not confirmed, or are although they should not, one in a line; and
    /// the command.
    fn unconfirmed(&self) -> Result<(String, String), Failed> {
        let mut arguments = vec!["check", "--max-instructions", ENOUGH];
        let options = self.check_options.iter().map(String::as_str);
        arguments.extend(options.filter(|option| *option != "--static"));
        let (document, ended, shown) = self.try_to_run(&self.source, &arguments, "json")?;
        let Some(document) = document else {
            return Ok((refusal(&ended, &shown)?, shown));
        };
        let mut complaint = String::new();
        for finding in document["findings"].as_array().into_iter().flatten() {
            let is_suspicion = SUSPICIONS.iter().any(|rule| finding["rule"] == *rule);
            if !is_suspicion {
                continue;
            }
            let is_confirmed = finding["evidence"] == "confirmed";
            if is_confirmed == (self.verdict == Verdict::Pass) {
                let text = |name: &str| finding[name].as_str().unwrap_or_default();
                let _ = writeln!(complaint, "{}: {}", text("evidence"), text("message"));
            }
            if is_confirmed {
                let id = finding["replay"].as_str().unwrap_or_default();
                let (replayed, ended, shown) = self.run(&["replay", id])?;
                let effects = replayed["replay"]["effects"].as_array();
                if ended.status != Some(1) || effects.is_none_or(Vec::is_empty) {
                    return Err(format!("nothing happens: {shown}").into());
                }
            }
        }
        Ok((complaint, shown))
    }

    /// Checks the program.
    fn check(&self) -> Result<Checked, Failed> {
        let mut arguments = vec!["check"];
        arguments.extend(self.check_options.iter().map(String::as_str));
        let (document, ended, shown) = self.try_to_run(&self.source, &arguments, "json")?;
        let Some(document) = document else {
            let answer = refusal(&ended, &shown)?;
            return Ok(Checked {
                document: None,
                complaint: answer.clone(),
                answer,
                shown,
                stderr: ended.stderr,
            });
        };
        let findings = || document["findings"].as_array().into_iter().flatten();
        let mut complaint = String::new();
        for finding in findings() {
            let pairs = pairs(finding);
            match pairs.first() {
                None => self.replays(finding, finding)?,
                Some(first) => complaint.push_str(&is_of_first(finding, first)),
            }
            for pair in pairs {
                self.replays(finding, pair)?;
            }
        }
        let found: Vec<Found> = findings().flat_map(Found::read).collect();
        complaint.push_str(&differences(&self.announcements, &found));
        for (rule, expected) in &self.findings {
            let of_rule = findings().filter(|finding| finding["rule"] == rule.as_str());
            let count = of_rule.count();
            if count != *expected {
                let _ = writeln!(complaint, "{count} findings [{rule}] instead of {expected}");
            }
        }
        let status = ended.status;
        let status = status.map_or("none".to_owned(), |status| status.to_string());
        let mut answer = format!("exit status {status}\n");
        for found in &found {
            answer.extend([&found.show(), "\n"]);
        }
        let expected = match self.is_open {
            true => 2,
            false => self.verdict.exit_status(),
        };
        if ended.status != Some(expected) {
            let _ = writeln!(complaint, "exit status {status} instead of {expected}");
        }
        if document["complete"] == self.is_open {
            complaint.push_str(match self.is_open {
                true => "the check is complete\n",
                false => "the check is not complete\n",
            });
        }
        if document["complete"] != true {
            answer.push_str("the check is not complete\n");
        }
        Ok(Checked {
            document: Some(document),
            answer,
            complaint,
            shown,
            stderr: ended.stderr,
        })
    }
}

/// What a check said.
struct Checked {
    /// As the tool prints it, unless it refused.
    document: Option<Value>,
    /// All of it.
    answer: String,
    /// What of it was not expected.
    complaint: String,
    /// The command.
    shown: String,
    stderr: String,
}

impl Checked {
    fn told(&self) -> Failed {
        format!("{}{}\n{}", self.complaint, self.shown, self.stderr).into()
    }
}

/// What the tool says if it refuses a program: the compiler may have left out what the configuration
/// speaks of, or a function has no body. Any other end without a document is a failure.
fn refusal(ended: &Ended, shown: &str) -> Result<String, Failed> {
    let mut answer = String::from("exit status 2\n");
    let lines = ended.stderr.lines();
    for line in lines.filter(|line| line.starts_with("error: ")) {
        // The configuration is in another folder every time.
        let start = line.find("brownout.toml").unwrap_or("error: ".len());
        answer.extend(["error: ", &line[start..], "\n"]);
    }
    match ended.status == Some(2) && answer.lines().count() > 1 {
        true => Ok(answer),
        false => Err(format!("{:?}: {shown}\n{}", ended.status, ended.stderr).into()),
    }
}

/// The rules and objects of the errors of a document.
fn errors(document: &Value) -> Vec<(String, String)> {
    let findings = document["findings"].as_array().into_iter().flatten();
    let errors = findings.filter(|finding| finding["severity"] == "error");
    errors
        .map(|error| {
            (
                error["rule"].to_string(),
                error["object"]["name"].to_string(),
            )
        })
        .collect()
}

/// A text with one replacement of a SARIF fix.
fn edited(text: &str, replacement: &Value) -> String {
    let region = &replacement["deletedRegion"];
    let byte = |line: &str, column: &str| {
        let number = |name: &str| region[name].as_u64().unwrap_or(1) as usize - 1;
        let rows = text.split_inclusive('\n');
        let before: usize = rows.clone().take(number(line)).map(str::len).sum();
        let row = rows.clone().nth(number(line)).unwrap_or_default();
        let inside = row.chars().take(number(column)).map(char::len_utf8);
        before + inside.sum::<usize>()
    };
    let range = byte("startLine", "startColumn")..byte("endLine", "endColumn");
    let mut text = text.to_owned();
    let inserted = replacement["insertedContent"]["text"].as_str();
    text.replace_range(range, inserted.unwrap_or_default());
    text
}
