//! What programs announce, and whether it is what was found.

use std::fmt::Write;

use libtest_mimic::Failed;
use serde_json::Value;

/// Something a program says will be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Announcement {
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
pub(crate) fn announcements(text: &str) -> Result<Vec<Announcement>, Failed> {
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

    /// Whether it announces an error.
    pub(crate) fn is_error(&self) -> bool {
        self.kind == Kind::Finding("error")
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

/// The pairs of a finding.
pub(crate) fn pairs(finding: &Value) -> &[Value] {
    finding["pairs"].as_array().map_or(&[], Vec::as_slice)
}

/// What a finding shows is what its first pair is, and no other pair is better established.
pub(crate) fn is_of_first(finding: &Value, first: &Value) -> String {
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
pub(crate) struct Found {
    rule: String,
    severity: String,
    produced: Option<u64>,
    consumed: Option<u64>,
    /// The message, the evidence and the effects.
    text: String,
}

impl Found {
    pub(crate) fn read(finding: &Value) -> Vec<Self> {
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

    pub(crate) fn show(&self) -> String {
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
pub(crate) fn differences(announcements: &[Announcement], found: &[Found]) -> String {
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
