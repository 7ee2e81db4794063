//! The table *program × failure → verdict*: small C programs with comments that say what power
//! failures do to them.
//!
//! ```c
//! //! What the program shows.
//! //@ static: harm                  a row: a policy, `fresh` if inputs give new values, a verdict
//! //@ input sense: 21 22            what inputs give, over and over
//! //@ ignore: page                  objects that are not compared
//! //@ task: a b                     functions that are tasks
//! //@ atomic-write: 2               bytes that are written at once
//! //@ depth: 60                     execution depth
//! //@ failures: 2                   how often power may fail
//! //@ nonvolatile-stack
//! count = count + 1;                //~ static: count, send
//! ```
//!
//! A mark says what a power failure right after the write in its line leaves wrong that a failure
//! right before it does not (`torn count`: only one in the middle of it); each `^` means a line
//! higher up. A row is right if these are all, no more and no fewer. A row whose verdict is `harm`
//! and that has no mark is about harm that no write causes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use brownout_ir::Program;
use brownout_scenario::ValueSource;

use crate::clause::Clause;
use crate::judge::{Options, Repetition, judge};
use crate::setting::{Policy, Setting, Subject};
use crate::verdict::{Judged, Verdict, own_effects};

/// What a power failure leaves wrong, and after which line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The line of the write.
    pub line: u32,
    /// Whether only a failure in the middle of it does.
    pub torn: bool,
    /// The object or output.
    pub subject: String,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The policy, without its depth.
    pub policy: Policy,
    /// What inputs give after a power failure.
    pub repetition: Repetition,
    /// Whether some failure does harm.
    pub is_harm: bool,
    /// What each write is to blame for.
    pub marks: BTreeSet<Mark>,
}

/// A program of the table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its rows.
    pub rows: Vec<Row>,
    directives: Vec<(String, String)>,
}

/// All programs of the table, by name.
///
/// # Errors
/// If they cannot be read, or a comment is not understood.
pub fn entries() -> Result<Vec<Entry>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let files = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let mut paths = Vec::new();
    for file in files {
        paths.push(file.map_err(|error| error.to_string())?.path());
    }
    paths.sort();
    paths.into_iter().map(Entry::read).collect()
}

impl Entry {
    fn read(path: PathBuf) -> Result<Self, String> {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Self::parse(name.clone(), path, &text).map_err(|problem| format!("{name}: {problem}"))
    }

    fn parse(name: String, path: PathBuf, text: &str) -> Result<Self, String> {
        let mut rows: Vec<Row> = Vec::new();
        let mut directives = Vec::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("//@ ")) {
            let (key, value) = line.split_once(": ").unwrap_or((line, ""));
            match circumstances(key) {
                Some((policy, repetition)) => rows.push(Row {
                    policy,
                    repetition,
                    is_harm: match value {
                        "harm" => true,
                        "harmless" => false,
                        _ => return Err(format!("`{value}` is no verdict")),
                    },
                    marks: BTreeSet::new(),
                }),
                None => directives.push((key.to_owned(), value.to_owned())),
            }
        }
        for (line, number) in text.lines().zip(1u32..) {
            let Some((_, mark)) = line.split_once("//~") else {
                continue;
            };
            let higher = mark.bytes().take_while(|&byte| byte == b'^').count();
            let (key, subjects) = mark[higher..]
                .trim()
                .split_once(": ")
                .ok_or_else(|| format!("line {number}: a mark needs a colon"))?;
            let row = circumstances(key).and_then(|wanted| {
                rows.iter_mut()
                    .find(|row| (row.policy, row.repetition) == wanted)
            });
            let row = row.ok_or_else(|| format!("line {number}: there is no row `{key}`"))?;
            for subject in subjects.split(", ") {
                row.marks.insert(Mark {
                    line: number - higher as u32,
                    torn: subject.starts_with("torn "),
                    subject: subject.trim_start_matches("torn ").to_owned(),
                });
            }
        }
        Ok(Self {
            name,
            path,
            rows,
            directives,
        })
    }

    /// What a row of a program is judged under.
    ///
    /// # Errors
    /// If a comment is not understood.
    pub fn setting(&self, program: &Program, row: &Row) -> Result<(Setting, Options), String> {
        let mut setting = Setting::of_annotations(program, row.policy);
        let mut options = Options {
            repetition: row.repetition,
            ..Options::default()
        };
        for (key, value) in &self.directives {
            let words = || value.split_whitespace().map(str::to_owned);
            let number = || {
                let number: Result<u32, _> = value.parse();
                number.map_err(|_| format!("`{value}` is no number"))
            };
            match key.as_str() {
                "ignore" => setting.ignored = words().collect(),
                "task" => setting.tasks = words().collect(),
                "atomic-write" => setting.atomic_write = Some(number()?),
                "failures" => {
                    options.failures = number()?;
                    // There are as many cases as pairs of failures.
                    (options.failing_rounds, options.rounds) = (2, 8);
                }
                "nonvolatile-stack" => setting.nonvolatile_stack = true,
                "depth" => match &mut setting.policy {
                    Policy::Conditional { depth } | Policy::Reactive { depth } => {
                        *depth = number()?.into();
                    }
                    Policy::Static | Policy::Tasks | Policy::Restart => {}
                },
                _ => {
                    let input = key.strip_prefix("input ");
                    let input = input.and_then(|name| {
                        let mut inputs = setting.inputs.iter_mut();
                        inputs.find(|(input, _)| input == name)
                    });
                    let (_, values) = input.ok_or_else(|| format!("`{key}` is not understood"))?;
                    let numbers: Result<Vec<i64>, _> = words().map(|word| word.parse()).collect();
                    let numbers = numbers.map_err(|_| format!("`{value}` are no numbers"))?;
                    *values = ValueSource::Cycle(numbers);
                }
            }
        }
        Ok((setting, options))
    }

    /// Judges a row; what is wrong with it if it is.
    ///
    /// # Errors
    /// If the verdicts are not those that the comments announce.
    pub fn check(
        &self,
        program: &Program,
        row: &Row,
        without: Option<Clause>,
    ) -> Result<(), String> {
        let (setting, options) = self.setting(program, row)?;
        let options = Options { without, ..options };
        let subject = Subject::new(program, &setting).map_err(|error| error.to_string())?;
        row.holds(&judge(&subject, &options))
    }
}

impl Row {
    /// Whether these verdicts are the ones announced.
    ///
    /// # Errors
    /// What is announced and not found, or found and not announced.
    pub fn holds(&self, judged: &[Judged]) -> Result<(), String> {
        let undecided = judged.iter().find_map(|judged| match &judged.verdict {
            Verdict::Undecided(why) => Some(format!("{why:?} at {:?}", judged.failure)),
            Verdict::Harmless | Verdict::Harm(_) => None,
        });
        if let Some(undecided) = undecided {
            return Err(format!("undecided: {undecided}"));
        }
        let found: BTreeSet<Mark> = judged
            .iter()
            .flat_map(|after| {
                let torn = after.failure.write();
                let torn = torn.is_some_and(|write| write.torn.is_some());
                let effects = own_effects(judged, after).into_iter();
                effects.map(move |effect| Mark {
                    line: after.failure.line,
                    torn,
                    subject: effect.subject(),
                })
            })
            .collect();
        // Harm that is there whether a store is torn or not is told once.
        let found: BTreeSet<Mark> = found
            .iter()
            .filter(|mark| {
                let whole = Mark {
                    torn: false,
                    ..(*mark).clone()
                };
                !mark.torn || !found.contains(&whole)
            })
            // What is wrong from the start of a region has no line.
            .filter(|mark| mark.line > 0)
            .cloned()
            .collect();
        let is_harm = judged
            .iter()
            .any(|judged| matches!(judged.verdict, Verdict::Harm(_)));
        if is_harm != self.is_harm {
            return Err(format!("harm: {is_harm}; found {found:?}"));
        }
        if found != self.marks {
            return Err(format!("found {found:?}\nannounced {:?}", self.marks));
        }
        Ok(())
    }
}

/// A policy, and what inputs give: `static`, `restart fresh`.
fn circumstances(text: &str) -> Option<(Policy, Repetition)> {
    let (policy, repetition) = match text.strip_suffix(" fresh") {
        Some(policy) => (policy, Repetition::Fresh),
        None => (text, Repetition::Same),
    };
    let policy = match policy {
        "static" => Policy::Static,
        "conditional" => Policy::Conditional { depth: 3000 },
        "tasks" => Policy::Tasks,
        "restart" => Policy::Restart,
        "reactive" => Policy::Reactive { depth: 60 },
        _ => return None,
    };
    Some((policy, repetition))
}
