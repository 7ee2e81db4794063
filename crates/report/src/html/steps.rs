//! A story as a table, and as the data of a timeline.

use std::fmt::Write as _;

use brownout_diag::{Action, Continuous, Story, Watched};
use serde_json::{Value, json};

use super::markup::escape;
use crate::flow::{self, Kind, Stop};
use crate::source::{self, Sources};
use crate::words;

/// All steps, for reading.
pub(super) fn table(story: &Story) -> String {
    let mut text = "<details class=\"steps\" open><summary>All steps</summary><div class=\"scroll\"><table><thead><tr>\
                    <th scope=\"col\">attempt</th><th scope=\"col\">place</th><th scope=\"col\">what happens</th></tr></thead><tbody>"
        .to_owned();
    for stop in flow::told(story) {
        let class = match (stop.kind, differs(&stop)) {
            (Kind::PowerFailure, _) => " class=\"failure\"",
            (_, true) => " class=\"differs\"",
            (_, false) => "",
        };
        let place = stop.place.map_or_else(String::new, |place| {
            format!("{}:{}", place.file, place.line)
        });
        let _ = write!(
            text,
            "<tr{class}><td>{}</td><td class=\"mono\">{}</td><td>{}</td></tr>",
            lane(stop.attempt),
            escape(&place),
            escape(&stop.text)
        );
    }
    text + "</tbody></table></div></details>"
}

/// The same for the script.
pub(super) fn data(story: &Story, sources: &Sources) -> Value {
    let stops = flow::told(story);
    stops.iter().map(|stop| entry(stop, sources)).collect()
}

fn entry(stop: &Stop<'_>, sources: &Sources) -> Value {
    let mut value = json!({
        "attempt": stop.attempt,
        "lane": lane(stop.attempt),
        "kind": kind(stop),
        "text": stop.text,
        "differs": differs(stop),
        "values": stop.values.iter().filter_map(watched).collect::<Vec<_>>(),
    });
    if let Some(place) = stop.place {
        value["file"] = place.file.clone().into();
        value["line"] = place.line.into();
        if let Some(line) = source::line(sources, &place.file, place.line) {
            value["source"] = line.into();
        }
    }
    value
}

fn lane(attempt: usize) -> String {
    words::attempt(attempt)
}

fn kind(stop: &Stop<'_>) -> &'static str {
    match stop.action {
        Some(Action::Read { .. }) => "read",
        Some(Action::Write { .. }) => "write",
        Some(Action::Input { .. }) => "input",
        Some(Action::Output { .. }) => "output",
        Some(Action::Text { .. }) => "text",
        Some(Action::Departure { .. }) => "departure",
        Some(Action::PassedCheckpoint | Action::Commit) => "step",
        None => stop.kind.name(),
    }
}

fn differs(stop: &Stop<'_>) -> bool {
    stop.action
        .is_some_and(|action| words::action(action).1.is_some())
}

fn watched(watched: &Watched) -> Option<Value> {
    let value = watched.value.as_ref()?;
    let mut fields = json!({ "object": watched.object, "now": value.intermittent });
    match &value.continuous {
        Continuous::Same => {}
        Continuous::Other(other) => fields["continuous"] = other.clone().into(),
        Continuous::Elsewhere => fields["continuous"] = "elsewhere".into(),
    }
    Some(fields)
}
