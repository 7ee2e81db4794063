//! How inputs and outputs behave: the tables beside the findings, one rendering per format.

use std::fmt::Write as _;

use brownout_diag::{Behaviour, InputBehaviour, OutputBehaviour, Repetition, SourcePlace};
use serde_json::{Value, json};

use crate::json::place;

/// How many places are listed for people.
const PLACES: usize = 4;

/// The behaviour of an input in one line.
pub fn input_line(input: &InputBehaviour) -> String {
    let InputBehaviour {
        input: name,
        behaviour,
        here,
        later,
    } = input;
    let mut line = match behaviour {
        Behaviour::MostRecent | Behaviour::LongTerm => {
            format!("input `{name}` behaves {behaviour}")
        }
        Behaviour::Both => format!("input `{name}` behaves most-recent and long-term"),
        Behaviour::Unused => format!("input `{name}` is read, and its data is never used"),
    };
    let groups = [
        ("used in the power cycle of its reading", here),
        ("used in a later power cycle", later),
    ];
    for (what, places) in groups {
        if !places.is_empty() {
            let _ = write!(line, "; {what}: {}", listed(places));
        }
    }
    line
}

/// The behaviour of an output in one line.
pub fn output_line(output: &OutputBehaviour) -> String {
    let times = match output.repeated {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    let place = output.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!(" at {}", short(place)));
    let name = &output.output;
    let is = match output.repetition {
        Repetition::Absolute | Repetition::Relative => format!("is {}", output.repetition),
        Repetition::Varies => "is absolute at times, relative at others".to_owned(),
    };
    format!("output `{name}`{place} {is}, repeated {times}")
}

/// The behaviour of an input as JSON.
pub fn input_json(input: &InputBehaviour) -> Value {
    json!({
        "input": input.input,
        "behaviour": input.behaviour.name(),
        "same_power_cycle": input.here.iter().map(place).collect::<Vec<_>>(),
        "later_power_cycle": input.later.iter().map(place).collect::<Vec<_>>(),
    })
}

/// The behaviour of an output as JSON.
pub fn output_json(output: &OutputBehaviour) -> Value {
    let mut value = json!({
        "output": output.output,
        "repetition": output.repetition.name(),
        "repeated": output.repeated,
    });
    if let Some(at) = &output.place {
        value["place"] = place(at);
    }
    value
}

fn listed(places: &[SourcePlace]) -> String {
    let mut lines: Vec<String> = places.iter().map(short).collect();
    lines.dedup();
    let shown: Vec<&str> = lines.iter().take(PLACES).map(String::as_str).collect();
    match lines.len().saturating_sub(PLACES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn short(place: &SourcePlace) -> String {
    format!("{}:{}", place.file, place.line)
}
