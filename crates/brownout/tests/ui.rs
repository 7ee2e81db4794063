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
//! the pairs are is announced by `//@ findings:`. The exit status is 1 for `fail` and 0 for
//! `pass`. Directives are listed at [`Case::directive`].

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brownout_testkit::{Ended, Error, Scratch, Tool, execute};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

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
                if MEMORY_RULES.contains(rule) && verdict == Verdict::Fail {
                    let source = source.clone();
                    trials.push(Trial::test(format!("mend {rule}/{name}"), move || {
                        Case::read(source, verdict)?.is_mended()
                    }));
                }
                if SUSPICIONS.contains(rule) {
                    let source = source.clone();
                    trials.push(Trial::test(
                        format!("confirm {rule}/{}/{name}", verdict.folder()),
                        move || Case::read(source, verdict)?.is_confirmed(),
                    ));
                }
                trials.push(Trial::test(
                    format!("{rule}/{}/{name}", verdict.folder()),
                    move || {
                        let case = Case::read(source, verdict)?;
                        case.has_twin()?;
                        case.holds()
                    },
                ));
            }
        }
    }
    Ok(trials)
}

/// Every C or C++ file in `folder`, sorted by name.
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
        extension == "c" || extension == "cpp"
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
        let errors = case
            .announcements
            .iter()
            .any(|announcement| announcement.kind == Kind::Finding("error"));
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

    /// What is found is what is announced, unless that is known not to be so.
    fn holds(&self) -> Result<(), Failed> {
        match (self.check(), &self.known_bug) {
            (result, None) => result,
            (Err(_), Some(_)) => Ok(()),
            (Ok(()), Some(why)) => {
                Err(format!("the known bug is gone, remove its directive: {why}").into())
            }
        }
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
        let document = serde_json::from_slice(&ended.stdout).map_err(|_| Error::NotAReport {
            command: shown.clone(),
            printed: ended.stderr.clone(),
        })?;
        Ok((document, ended, shown))
    }

    /// The replay of what is confirmed, a finding or one of its pairs, shows some effects; if it is
    /// about memory, all those that were told, beside what other writes before the failure do.
    fn replays(&self, rule: &Value, confirmed: &Value) -> Result<(), Failed> {
        let effects = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let known = effects(&confirmed["effects"]);
        // Doing an output again may be said to change nothing.
        if confirmed["evidence"] != "confirmed" || known.is_empty() {
            return Ok(());
        }
        let Some(id) = confirmed["replay"].as_str() else {
            return Err(format!("confirmed without a replay: {confirmed:#}").into());
        };
        let (document, ended, shown) = self.run(&["replay", id])?;
        let told = effects(&document["replay"]["effects"]);
        // What is done to the world outside shows elsewhere, too.
        let of_memory = MEMORY_RULES.iter().any(|of_memory| rule == of_memory);
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

    /// Every edit that is offered removes the finding that it is offered for, and adds no other.
    fn is_mended(&self) -> Result<(), Failed> {
        if self.known_bug.is_some() {
            return Ok(());
        }
        let mut arguments = vec!["check"];
        arguments.extend(self.check_options.iter().map(String::as_str));
        let (log, ..) = self.run_on(&self.source, &arguments, "sarif")?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let results = list(&log["runs"][0]["results"]);
        if results
            .iter()
            .all(|result| list(&result["fixes"]).is_empty())
        {
            return Ok(());
        }
        let (before, ..) = self.run(&arguments)?;
        let before = errors(&before);
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
    /// is of one that passes.
    fn is_confirmed(&self) -> Result<(), Failed> {
        let mut complaint = match self.unconfirmed() {
            Ok(complaint) => complaint,
            Err(failed) => failed.message().unwrap_or("failed").to_owned(),
        };
        match (&self.possible, complaint.is_empty()) {
            (Some(why), true) => {
                complaint = format!("all is confirmed, remove the directive: {why}");
            }
            (Some(_), false) => complaint.clear(),
            (None, _) => {}
        }
        match complaint.is_empty() {
            true => Ok(()),
            false => Err(complaint.into()),
        }
    }

    fn unconfirmed(&self) -> Result<String, Failed> {
        let mut arguments = vec!["check", "--max-instructions", ENOUGH];
        let options = self.check_options.iter().map(String::as_str);
        arguments.extend(options.filter(|option| *option != "--static"));
        let (document, _, shown) = self.run(&arguments)?;
        let mut complaint = String::new();
        for finding in document["findings"].as_array().into_iter().flatten() {
            let is_suspicion = SUSPICIONS.iter().any(|rule| finding["rule"] == *rule);
            if !is_suspicion {
                continue;
            }
            let is_confirmed = finding["evidence"] == "confirmed";
            if is_confirmed == (self.verdict == Verdict::Pass) {
                let _ = writeln!(complaint, "{}: {}", finding["evidence"], finding["message"]);
            }
            if is_confirmed {
                let id = finding["replay"].as_str().unwrap_or_default();
                let (replayed, ended, shown) = self.run(&["replay", id])?;
                let effects = replayed["replay"]["effects"].as_array();
                if ended.status != Some(1) || effects.is_none_or(Vec::is_empty) {
                    let _ = writeln!(complaint, "nothing happens: {shown}");
                }
            }
        }
        if !complaint.is_empty() {
            complaint.push_str(&shown);
        }
        Ok(complaint)
    }

    fn check(&self) -> Result<(), Failed> {
        let mut arguments = vec!["check"];
        arguments.extend(self.check_options.iter().map(String::as_str));
        let (document, ended, shown) = self.run(&arguments)?;
        let findings = || document["findings"].as_array().into_iter().flatten();
        let mut complaint = String::new();
        for finding in findings() {
            let pairs = pairs(finding);
            match pairs.first() {
                None => self.replays(&finding["rule"], finding)?,
                Some(first) => complaint.push_str(&is_of_first(finding, first)),
            }
            for pair in pairs {
                self.replays(&finding["rule"], pair)?;
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
        if ended.status != Some(self.verdict.exit_status()) {
            let _ = writeln!(
                complaint,
                "exit status {:?} instead of {}",
                ended.status,
                self.verdict.exit_status()
            );
        }
        if document["complete"] != true {
            complaint.push_str("the check is not complete\n");
        }
        if complaint.is_empty() {
            Ok(())
        } else {
            Err(format!("{complaint}{shown}\n{}", ended.stderr).into())
        }
    }
}

/// Something a program says will be found.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Announcement {
    /// The line it speaks of.
    line: u64,
    kind: Kind,
    rule: String,
    /// All of them are in the text of the finding.
    pieces: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A finding of this severity, by the line of its producer or branch.
    Finding(&'static str),
    /// The line of a consumer.
    Consumer,
}

/// The announcements in a program.
fn announcements(text: &str) -> Result<Vec<Announcement>, Failed> {
    let mut announcements: Vec<Announcement> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((_, comment)) = line.split_once("//~") else {
            continue;
        };
        let said = comment.trim_start_matches(['^', '|']);
        let marks = comment.len() - said.len();
        let above = match (comment.starts_with('|'), announcements.last()) {
            (true, Some(last)) => last.line,
            (true, None) => {
                return Err(
                    format!("line {number}: `//~|` without an announcement before it").into(),
                );
            }
            (false, _) => number - marks as u64,
        };
        let announcement = Announcement::parse(above, said.trim())
            .ok_or_else(|| format!("line {number}: no announcement: `//~{comment}`"))?;
        announcements.push(announcement);
    }
    Ok(announcements)
}

impl Announcement {
    /// Reads `SEVERITY [rule] piece; piece`.
    fn parse(line: u64, text: &str) -> Option<Self> {
        let (severity, rest) = text.split_once(" [")?;
        let (rule, pieces) = rest.split_once(']')?;
        let pieces: Vec<String> = pieces.trim().split("; ").map(str::to_owned).collect();
        let kind = match severity {
            "NOTE" if matches!(pieces[0].as_str(), "read here" | "used here") => Kind::Consumer,
            "ERROR" => Kind::Finding("error"),
            "WARNING" => Kind::Finding("warning"),
            "NOTE" => Kind::Finding("note"),
            _ => return None,
        };
        Some(Self {
            line,
            kind,
            rule: rule.to_owned(),
            pieces,
        })
    }

    /// Whether this is what was found.
    fn is_met(&self, found: &Found) -> bool {
        found.rule == self.rule
            && match self.kind {
                Kind::Finding(severity) => {
                    found.severity == severity
                        && found.produced == Some(self.line)
                        && self.pieces.iter().all(|piece| found.text.contains(piece))
                }
                Kind::Consumer => found.consumed == Some(self.line),
            }
    }

    fn show(&self) -> String {
        let kind = match self.kind {
            Kind::Finding(severity) => severity,
            Kind::Consumer => "consumer",
        };
        format!(
            "line {}: {kind} [{}] {}",
            self.line,
            self.rule,
            self.pieces.join("; ")
        )
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

/// The pairs of a finding.
fn pairs(finding: &Value) -> &[Value] {
    finding["pairs"].as_array().map_or(&[], Vec::as_slice)
}

/// What a finding shows is what its first pair is, and no other pair is better established.
fn is_of_first(finding: &Value, first: &Value) -> String {
    let mut complaint = String::new();
    for field in ["consumer", "producer"] {
        let same = |part: &str| finding[field][part] == first[field][part];
        if !["file", "line", "column"].into_iter().all(same) {
            let _ = writeln!(
                complaint,
                "{field} is not that of the first pair: {finding:#}"
            );
        }
    }
    for field in ["effects", "replay", "evidence"] {
        let none = |value: &Value| value.is_null() || *value == Value::Array(Vec::new());
        let (of_finding, of_first) = (&finding[field], &first[field]);
        if of_finding != of_first && !(none(of_finding) && none(of_first)) {
            let _ = writeln!(
                complaint,
                "{field} is not that of the first pair: {finding:#}"
            );
        }
    }
    complaint
}

/// A pair of a finding of the tool, or a finding that has none.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    rule: String,
    severity: String,
    produced: Option<u64>,
    consumed: Option<u64>,
    /// The message, the evidence and the effects.
    text: String,
}

impl Found {
    fn read(finding: &Value) -> Vec<Self> {
        match pairs(finding) {
            [] => vec![Self::part(finding, finding)],
            pairs => {
                let pairs = pairs.iter();
                pairs.map(|pair| Self::part(finding, pair)).collect()
            }
        }
    }

    /// What a finding says of one of its pairs, or of itself.
    fn part(finding: &Value, part: &Value) -> Self {
        let field = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let mut message = field(finding, "message");
        if let (Some(whole), Some(object)) =
            (finding["object"]["name"].as_str(), part["object"].as_str())
        {
            message = message.replace(whole, object);
        }
        let evidence = field(part, "evidence");
        let mut text = format!("{message}; {evidence}");
        for effect in part["effects"].as_array().into_iter().flatten() {
            let part = |name: &str| effect[name].as_str().unwrap_or_default();
            let _ = match part("kind") {
                "value" => write!(
                    text,
                    "; `{}` = {} instead of {}",
                    part("object"),
                    part("intermittent"),
                    part("continuous")
                ),
                "output" => {
                    write!(
                        text,
                        "; output {:?} instead of {:?}",
                        part("intermittent"),
                        part("continuous")
                    )
                }
                "crash" => write!(text, "; crash {}", part("crash")),
                kind => write!(text, "; {kind}"),
            };
        }
        Self {
            rule: field(finding, "rule"),
            severity: match evidence.as_str() {
                "benign" => "note".to_owned(),
                _ => field(finding, "severity"),
            },
            produced: ["producer", "branch"]
                .iter()
                .find_map(|place| part[place]["line"].as_u64()),
            consumed: part["consumer"]["line"].as_u64(),
            text,
        }
    }

    fn show(&self) -> String {
        let line =
            |line: Option<u64>| line.map_or("nowhere".to_owned(), |line| format!("line {line}"));
        let (produced, consumed) = (line(self.produced), line(self.consumed));
        format!(
            "{produced}: {} [{}] {} (consumer: {consumed})",
            self.severity, self.rule, self.text
        )
    }
}

/// What is announced but not found and the other way round, in words.
fn differences(announcements: &[Announcement], found: &[Found]) -> String {
    let is_finding = |announcement: &&Announcement| matches!(announcement.kind, Kind::Finding(_));
    let (findings, consumers): (Vec<&Announcement>, Vec<&Announcement>) =
        announcements.iter().partition(is_finding);
    let mut met_by: Vec<Option<usize>> = vec![None; found.len()];
    let unmet: Vec<&Announcement> = (0..findings.len())
        .filter(|&index| {
            !assign(
                index,
                &findings,
                found,
                &mut met_by,
                &mut vec![false; found.len()],
            )
        })
        .map(|index| findings[index])
        .chain(
            consumers
                .into_iter()
                .filter(|announcement| !found.iter().any(|found| announcement.is_met(found))),
        )
        .collect();
    let surplus: Vec<&Found> = found
        .iter()
        .zip(&met_by)
        .filter(|(_, by)| by.is_none())
        .map(|(found, _)| found)
        .collect();
    let mut text = String::new();
    if !unmet.is_empty() {
        text.push_str("announced, not found:\n");
        unmet
            .iter()
            .for_each(|announcement| text.extend(["  ", &announcement.show(), "\n"]));
    }
    if !surplus.is_empty() {
        text.push_str("found, not announced:\n");
        surplus
            .iter()
            .for_each(|found| text.extend(["  ", &found.show(), "\n"]));
    }
    text
}

/// Gives an announcement a finding of its own, moving others to another one where they have it.
fn assign(
    announcement: usize,
    announcements: &[&Announcement],
    found: &[Found],
    met_by: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for index in 0..found.len() {
        if tried[index] || !announcements[announcement].is_met(&found[index]) {
            continue;
        }
        tried[index] = true;
        let free = match met_by[index] {
            None => true,
            Some(other) => assign(other, announcements, found, met_by, tried),
        };
        if free {
            met_by[index] = Some(announcement);
            return true;
        }
    }
    false
}
