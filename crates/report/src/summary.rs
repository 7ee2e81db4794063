//! The last lines for people: what was found, by rule and evidence; what was assumed; what was not
//! covered; what it took.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use brownout_diag::{Evidence, Finding, Replay, Rule, Severity, plural};

/// Functions that are named; the rest are counted.
const NAMED: usize = 5;

/// A check in figures.
#[derive(Clone, Debug, Default)]
pub struct Totals<'t> {
    /// The program, if it is one of several.
    pub program: Option<&'t str>,
    /// Whether something was left unchecked.
    pub incomplete: bool,
    /// The findings that count.
    pub findings: Vec<&'t Finding>,
    /// Findings that a baseline has.
    pub known: usize,
    /// Findings that a comment allows.
    pub allowed: usize,
    /// Findings that touch no changed line.
    pub untouched: usize,
    /// Findings among those that count that were emulated, did no harm, and are not shown.
    pub benign: usize,
    /// Findings whose writes store what was read, which are not shown.
    pub silent: usize,
    /// What was assumed because nobody said it.
    pub assumed: &'t [String],
    /// What a static analysis is sound except for.
    pub except: &'t [String],
    /// Functions of the program that were never executed.
    pub unexecuted: &'t [String],
    /// Lines that write non-volatile memory and were never executed.
    pub unwritten: &'t [String],
    /// The last boot that was executed, if there are more which may do something new.
    pub last_boot: Option<u32>,
    /// How many executions of code without an entry a fault ended, by its kind.
    pub faults: Option<&'t BTreeMap<&'static str, u64>>,
    /// Instructions of the continuous execution.
    pub instructions: u64,
    /// Checkpoint calls executed.
    pub checkpoints: u64,
    /// Power failures emulated.
    pub failures: u64,
    /// Instructions these took.
    pub emulated: u64,
}

/// The closing summary.
pub fn summary(totals: &Totals<'_>) -> String {
    let aside = totals.known + totals.allowed + totals.untouched;
    let counts = match (severities(&totals.findings), aside) {
        (Some(counts), _) => counts,
        (None, _) if totals.incomplete => {
            "nothing found in what was checked, which is not everything".to_owned()
        }
        (None, 0) => "nothing found".to_owned(),
        (None, _) => "nothing new".to_owned(),
    };
    let mut text = match totals.program {
        Some(program) => format!("summary of {program}: {counts}\n"),
        None => format!("summary: {counts}\n"),
    };
    for (rule, counts) in by_rule(&totals.findings) {
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(evidence, count)| format!("{count} {evidence}"))
            .collect();
        let _ = writeln!(text, "  {rule}: {}", counts.join(", "));
    }
    if let Some(witnesses) = witnesses(&totals.findings) {
        let _ = writeln!(text, "  shown by: {witnesses}");
    }
    let aside = [
        (totals.known, "known from the baseline"),
        (totals.allowed, "allowed by a comment"),
        (totals.untouched, "on lines that did not change"),
    ];
    for (count, why) in aside {
        if count > 0 {
            let _ = writeln!(
                text,
                "  left out: {} {why}",
                plural(count as u64, "finding")
            );
        }
    }
    let unshown = [
        (totals.benign, "that does no harm", "that do no harm"),
        (
            totals.silent,
            "that writes what it has read",
            "that write what they have read",
        ),
    ];
    for (count, one, several) in unshown {
        if count > 0 {
            let what = if count == 1 { one } else { several };
            let findings = plural(count as u64, "finding");
            let _ = writeln!(text, "  not shown: {findings} {what} (-v)");
        }
    }
    for note in totals.assumed {
        let _ = writeln!(text, "  assumed: {note}");
    }
    for exception in totals.except {
        let _ = writeln!(text, "  sound except: {exception}");
    }
    if let Some(functions) = unexecuted(totals.unexecuted) {
        let _ = writeln!(text, "  not covered: {functions}");
    }
    if let Some(lines) = unwritten(totals.unwritten) {
        let _ = writeln!(text, "  not covered: {lines}");
    }
    if let Some(boot) = totals.last_boot {
        let _ = writeln!(
            text,
            "  not covered: boots after the first {boot}, which find other contents of non-volatile memory"
        );
    }
    for (fault, count) in totals.faults.into_iter().flatten() {
        let executions = plural(*count, "execution");
        let _ = writeln!(text, "  not to the end: {executions}, ended by {fault}");
    }
    if totals.instructions == 0 {
        let _ = match totals.emulated {
            0 => write!(text, "  checked: all paths, none of them executed"),
            emulated => write!(
                text,
                "  checked: all paths; {} to confirm what was found ({})",
                plural(totals.failures, "execution"),
                plural(emulated, "instruction"),
            ),
        };
        return text;
    }
    let _ = write!(
        text,
        "  checked: {}, {}; {} emulated ({})",
        plural(totals.instructions, "instruction"),
        plural(totals.checkpoints, "checkpoint"),
        plural(totals.failures, "power failure"),
        plural(totals.emulated, "instruction"),
    );
    text
}

fn severities(findings: &[&Finding]) -> Option<String> {
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let count = findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count();
        (count > 0).then(|| plural(count as u64, severity.name()))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// The order in which evidence is counted.
const COUNTED: [Evidence; 5] = [
    Evidence::Possible,
    Evidence::Located,
    Evidence::Confirmed,
    Evidence::Benign,
    Evidence::Refuted,
];

/// How many findings of each rule there are with each evidence.
fn by_rule(findings: &[&Finding]) -> BTreeMap<Rule, Vec<(Evidence, usize)>> {
    let rules: BTreeSet<Rule> = findings.iter().map(|finding| finding.rule).collect();
    let counted = |rule: Rule| {
        let count = |evidence: Evidence| {
            let found = findings.iter();
            found
                .filter(|finding| finding.rule == rule && finding.evidence == evidence)
                .count()
        };
        let counts = COUNTED.map(|evidence| (evidence, count(evidence)));
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        (rule, counts.collect())
    };
    rules.into_iter().map(counted).collect()
}

/// How many power failures show what was confirmed, if they show several findings at once.
fn witnesses(findings: &[&Finding]) -> Option<String> {
    let confirmed = findings
        .iter()
        .filter(|finding| finding.evidence == Evidence::Confirmed);
    let shown: Vec<&Replay> = confirmed
        .filter_map(|finding| finding.replay.as_ref())
        .collect();
    let distinct: BTreeSet<&&Replay> = shown.iter().collect();
    (distinct.len() < shown.len()).then(|| {
        let findings = plural(shown.len() as u64, "finding");
        let executions = plural(distinct.len() as u64, "execution");
        format!("{executions} for {findings}")
    })
}

/// What to say of lines that were not executed.
fn unwritten(lines: &[String]) -> Option<String> {
    let named = lines.iter().take(NAMED).map(String::as_str);
    let named = named.collect::<Vec<_>>().join(", ");
    match lines.len() {
        0 => None,
        1 => Some(format!(
            "{named} writes non-volatile memory and was never executed"
        )),
        count if count <= NAMED => Some(format!(
            "{named} write non-volatile memory and were never executed"
        )),
        count => Some(format!(
            "{named} and {} write non-volatile memory and were never executed",
            plural((count - NAMED) as u64, "other line")
        )),
    }
}

fn unexecuted(functions: &[String]) -> Option<String> {
    let named: Vec<String> = functions
        .iter()
        .take(NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    let rest = functions.len().saturating_sub(NAMED) as u64;
    match (named.len(), rest) {
        (0, _) => None,
        (1, _) => Some(format!("{} was never called", named[0])),
        (_, 0) => Some(format!("{} were never called", named.join(", "))),
        (_, rest) => Some(format!(
            "{} and {} were never called",
            named.join(", "),
            plural(rest, "other function")
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use brownout_diag::{Evidence, Finding, Replay, Rule};

    use super::{Totals, summary};

    #[test]
    fn everything_is_counted_and_nothing_else() {
        let mut war = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "");
        war.replay = Some(Replay::Failure("c0:f41".parse().unwrap()));
        let other = Finding::new(Rule::WriteAfterRead, Evidence::Located, "");
        let leak = Finding::new(Rule::HeapLeak, Evidence::Located, "");
        let assumed = ["inputs are random".to_owned()];
        let functions = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned);
        let faults = BTreeMap::from([("a division by zero", 2)]);
        let totals = Totals {
            findings: vec![&war, &leak, &other, &war],
            known: 1,
            benign: 2,
            silent: 1,
            assumed: &assumed,
            unexecuted: &functions,
            unwritten: &[],
            last_boot: Some(3),
            faults: Some(&faults),
            instructions: 1,
            failures: 2,
            ..Totals::default()
        };
        let expected = "\
summary: 3 errors, 1 note
  war: 1 located, 2 confirmed
  heap-leak: 1 located
  shown by: 1 execution for 2 findings
  left out: 1 finding known from the baseline
  not shown: 2 findings that do no harm (-v)
  not shown: 1 finding that writes what it has read (-v)
  assumed: inputs are random
  not covered: `a`, `b`, `c`, `d`, `e` and 2 other functions were never called
  not covered: boots after the first 3, which find other contents of non-volatile memory
  not to the end: 2 executions, ended by a division by zero
  checked: 1 instruction, 0 checkpoints; 2 power failures emulated (0 instructions)";
        assert_eq!(summary(&totals), expected);
        let nothing = summary(&Totals::default());
        assert_eq!(
            nothing,
            "summary: nothing found\n  checked: all paths, none of them executed"
        );
    }
}
