//! SARIF 2.1.0, as code scanning services and editors read it.
//!
//! The place of a result is its producer; the consumer and the checkpoint are related locations,
//! which the message links to. A confirmed result has the steps of its failure as a code flow: first
//! attempt, failure, restore, second attempt. One that was only located has the same in outline.

use brownout_diag::{Finding, Rule, Severity, SourcePlace, Words};
use serde_json::{Value, json};

use crate::document::{Boot, Document, Entry, Standing};
use crate::edit::{Edit, edits};
use crate::effects;
use crate::flow::{self, Importance, Stop};
use crate::json;
use crate::source::{self, Sources};
use crate::words;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The effects that the message spells out.
const EFFECTS: usize = 3;
/// The pairs beside the first one whose places are related locations.
const PAIRS: usize = 9;

/// The log of a check: one run for each program.
pub fn sarif(documents: &[Document<'_>]) -> Value {
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": documents.iter().map(run).collect::<Vec<_>>(),
    })
}

fn run(document: &Document<'_>) -> Value {
    let results = document
        .entries
        .iter()
        .map(|entry| result(entry, document.sources));
    let notifications = document
        .remarks
        .iter()
        .map(|remark| json!({ "level": "note", "message": message(remark) }));
    let mut run = json!({
        "tool": { "driver": {
            "name": "brownout",
            "semanticVersion": document.version,
            "shortDescription": { "text": "Finds what power failures do to firmware" },
            "rules": Rule::ALL.iter().map(|&rule| descriptor(rule)).collect::<Vec<_>>(),
        }},
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": document.complete,
            "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
        }],
        "results": results.collect::<Vec<_>>(),
    });
    if let Some(program) = document.program {
        run["automationDetails"] = json!({ "id": format!("{program}/") });
    }
    run
}

fn descriptor(rule: Rule) -> Value {
    let page = braces(rule.page());
    json!({
        "id": rule.name(),
        "defaultConfiguration": { "level": level(rule.severity()) },
        "properties": { "tags": ["reliability", "intermittent-computing"] },
        "shortDescription": message(rule.title()),
        "fullDescription": message(&rule.summary()),
        "help": { "text": page, "markdown": page },
    })
}

fn result(entry: &Entry<'_>, sources: &Sources) -> Value {
    let finding = entry.finding;
    let related = related(finding);
    let mut value = json!({
        "ruleId": finding.rule.name(),
        "ruleIndex": Rule::ALL.iter().position(|&rule| rule == finding.rule),
        "level": level(finding.severity),
        "message": { "text": text(finding, &related) },
        "partialFingerprints": { "brownout/v2": entry.fingerprint },
        "properties": properties(finding),
    });
    if let Some(place) = primary(finding) {
        value["locations"] = json!([location(place, sources)]);
    }
    let numbered = related.iter().zip(1..).map(|((label, place), id)| {
        let mut value = location(place, sources);
        value["id"] = id.into();
        value["message"] = message(label);
        value
    });
    value["relatedLocations"] = numbered.collect();
    if let Some(code_flow) = code_flow(entry, sources) {
        value["codeFlows"] = json!([code_flow]);
    }
    let fixes: Vec<Value> = edits(finding, sources)
        .iter()
        .filter_map(|edit| fix(edit, sources))
        .collect();
    if !fixes.is_empty() {
        value["fixes"] = fixes.into();
    }
    match &entry.standing {
        Standing::Open => {}
        Standing::New => value["baselineState"] = "new".into(),
        Standing::Updated => value["baselineState"] = "updated".into(),
        Standing::Known => value["baselineState"] = "unchanged".into(),
        Standing::Allowed { reason } => {
            value["suppressions"] = json!([{ "kind": "inSource", "justification": reason }]);
        }
    }
    value
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The message, what failures do, and links to the related locations.
fn text(finding: &Finding, related: &[(String, &SourcePlace)]) -> String {
    let mut text = braces(&finding.message);
    for effect in finding.effects.iter().take(EFFECTS) {
        text += &braces(&format!("; a power failure {}", effects::describe(effect)));
    }
    let links: Vec<String> = related
        .iter()
        .zip(1..)
        .map(|((label, _), id)| format!("[{}]({id})", brackets(&braces(label))))
        .collect();
    if !links.is_empty() {
        text += &format!(" ({})", links.join(", "));
    }
    text
}

fn properties(finding: &Finding) -> Value {
    let mut value = json!({ "evidence": finding.evidence.name() });
    let mut json = json::fields(finding);
    for name in ["object", "effects", "replay", "help", "notes"] {
        if let Some(field) = json.remove(name) {
            value[name] = field;
        }
    }
    if !finding.pairs.is_empty() {
        value["pairs"] = finding.pairs.len().into();
    }
    value
}

/// The place that a viewer shows for a finding.
fn primary(finding: &Finding) -> Option<&SourcePlace> {
    finding
        .producer
        .as_ref()
        .or(finding.branch.as_ref())
        .or(finding.consumer.as_ref())
}

/// The other places, with what they are.
fn related(finding: &Finding) -> Vec<(String, &SourcePlace)> {
    let consumed = words::labels(finding).consumer;
    let mut places: Vec<(String, &SourcePlace)> = Vec::new();
    let main = [
        (consumed, &finding.consumer),
        ("depends on the input here", &finding.branch),
    ];
    for (label, place) in main {
        places.extend(place.as_ref().map(|place| (label.to_owned(), place)));
    }
    let inputs = finding.inputs.iter().map(|place| ("input", place));
    let taint = finding
        .taint
        .iter()
        .map(|place| ("carries the input", place));
    places.extend(
        inputs
            .chain(taint)
            .map(|(label, place)| (label.to_owned(), place)),
    );
    let Words { consumer, producer } = finding.rule.done();
    for (number, pair) in finding.pairs.iter().enumerate().skip(1).take(PAIRS) {
        let both = [(consumer, &pair.consumer), (producer, &pair.producer)];
        let number = number + 1;
        places.extend(both.into_iter().filter_map(|(what, place)| {
            let label = format!("pair {number}: `{}` {what}", pair.object.name);
            Some((label, place.as_deref()?))
        }));
    }
    let history = finding.related.iter();
    places.extend(history.map(|related| (related.event.to_string(), &related.place)));
    places.retain(|(_, place)| primary(finding) != Some(place) || finding.producer.is_some());
    places
}

fn location(place: &SourcePlace, sources: &Sources) -> Value {
    let mut value = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.file) },
    }});
    if place.line > 0 {
        let mut region = json!({ "startLine": place.line });
        if let Some((start, end)) = source::columns(sources, place) {
            region["startColumn"] = start.into();
            region["endColumn"] = end.into();
        } else if place.column > 0 {
            region["startColumn"] = place.column.into();
        }
        if let Some(line) = source::line(sources, &place.file, place.line) {
            value["physicalLocation"]["contextRegion"] =
                json!({ "startLine": place.line, "snippet": { "text": line } });
        }
        value["physicalLocation"]["region"] = region;
    }
    if !place.function.is_empty() {
        value["logicalLocations"] = json!([{ "name": place.function, "kind": "function", "fullyQualifiedName": place.function }]);
    }
    value
}

/// The steps of the failure.
fn code_flow(entry: &Entry<'_>, sources: &Sources) -> Option<Value> {
    let stops = match entry.story {
        Some(story) => flow::told(story),
        None if entry.boots.is_empty() => flow::outlined(entry.finding),
        None => Vec::new(),
    };
    let stops = stops.iter().zip(1..);
    let mut locations: Vec<Value> = stops
        .map(|(stop, order)| thread_flow_location(stop, order, sources))
        .collect();
    locations.extend(boots(entry.boots, sources));
    if locations.is_empty() {
        return None;
    }
    let summary = match entry.story {
        Some(story) => format!("the power failure {} step by step", story.id),
        None if entry.boots.is_empty() => "how a power failure does harm here".to_owned(),
        None => "what the boots do that lead here".to_owned(),
    };
    Some(json!({ "message": message(&summary), "threadFlows": [{ "locations": locations }] }))
}

/// The boots of a finding, with their last operations and how they end.
fn boots(boots: &[Boot], sources: &Sources) -> Vec<Value> {
    let mut locations = Vec::new();
    for (boot, number) in boots.iter().zip(1..) {
        let operations = boot.operations.iter().map(|step| (step, "important"));
        for (step, importance) in operations.chain([(&boot.end, "essential")]) {
            let mut at = match &step.place {
                Some(place) => location(place, sources),
                None => json!({}),
            };
            at["message"] = message(&format!("boot {number}: {}", step.text));
            locations.push(json!({
                "location": at,
                "executionOrder": locations.len() + 1,
                "nestingLevel": number - 1,
                "importance": importance,
            }));
        }
    }
    locations
}

fn thread_flow_location(stop: &Stop<'_>, order: u32, sources: &Sources) -> Value {
    let mut at = match stop.place {
        Some(place) => location(place, sources),
        None => json!({}),
    };
    at["message"] = message(&format!("{}: {}", words::attempt(stop.attempt), stop.text));
    let state = stop.values.iter().filter_map(|watched| {
        let value = watched.value.as_ref()?;
        Some((watched.object.clone(), message(&value.intermittent)))
    });
    json!({
        "location": at,
        "executionOrder": order,
        "nestingLevel": stop.attempt,
        "kinds": [stop.kind.name()],
        "importance": match stop.importance {
            Importance::Essential => "essential",
            Importance::Important => "important",
            Importance::Unimportant => "unimportant",
        },
        "state": state.collect::<serde_json::Map<_, _>>(),
    })
}

fn fix(edit: &Edit, sources: &Sources) -> Option<Value> {
    let text = sources.get(&edit.file)?;
    let (start_line, start_column) = position(text, edit.range.start);
    let (end_line, end_column) = position(text, edit.range.end);
    Some(json!({
        "description": message(&edit.description),
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&edit.file) },
            "replacements": [{
                "deletedRegion": {
                    "startLine": start_line, "startColumn": start_column,
                    "endLine": end_line, "endColumn": end_column,
                },
                "insertedContent": { "text": edit.text },
            }],
        }],
    }))
}

/// Line and column, in characters, of a byte.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let line = text[..byte].matches('\n').count() + 1;
    let column = text[source::row_start(text, byte)..byte].chars().count() + 1;
    (line, column)
}

fn message(text: &str) -> Value {
    json!({ "text": braces(text) })
}

/// Braces mark placeholders in messages: those that are meant stand twice (§3.11.5).
fn braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Brackets in the text of a link (§3.11.6).
fn brackets(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// A path as a reference: relative ones are relative to wherever the tool was run.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    let path = path.strip_prefix("./").unwrap_or(path);
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{braces, brackets, uri};

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("./ä.c"), "%C3%A4.c");
        assert_eq!(uri("/x/a.c"), "file:///x/a.c");
        assert_eq!(uri("a:b.c"), "a%3Ab.c");
    }

    #[test]
    fn what_is_special_is_escaped() {
        assert_eq!(braces("{1, 2}"), "{{1, 2}}");
        assert_eq!(brackets("buf[3]"), "buf\\[3\\]");
    }
}
