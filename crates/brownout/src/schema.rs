//! `brownout schema`: what can be said in a `brownout.toml`, as a JSON Schema for editors and as the
//! tables of the manual. Both are made of what the reader of the file asks for.

use std::process::ExitCode;

use brownout_scenario::{KeyDescription, Kind, Relation, Section, Shape, reference};
use serde_json::{Map, Value, json};

use crate::cli::{SchemaFormat, SchemaOptions};
use crate::console;
use crate::error::Error;

/// Text that is not empty.
const NOT_BLANK: &str = r"\S";

pub(crate) fn schema(options: &SchemaOptions) -> Result<ExitCode, Error> {
    let sections = reference();
    let text = match options.format {
        SchemaFormat::Json => format!("{:#}\n", json_schema(&sections)),
        SchemaFormat::Markdown => markdown(&sections),
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Draft 7, of which only keywords are used that are older than that: editors differ in what they
/// know.
fn json_schema(sections: &[Section]) -> Value {
    let mut document = Map::new();
    let mut members = Map::new();
    for section in sections {
        let table = table(section);
        let value = match section.shape {
            Shape::Document => {
                document = table;
                continue;
            }
            Shape::Table | Shape::Integers => Value::Object(table),
            Shape::List => {
                json!({ "description": section.about, "type": "array", "items": table })
            }
        };
        // A section inside another, or inside the entries of a list, comes after that.
        match section.name.split_once('.') {
            None => _ = members.insert(section.name.clone(), value),
            Some((outer, name)) => {
                if let Some(outer) = members.get_mut(outer) {
                    let entry = match outer["type"] == "array" {
                        true => &mut outer["items"],
                        false => outer,
                    };
                    entry["properties"][name] = value;
                }
            }
        }
    }
    if let Some(Value::Object(properties)) = document.get_mut("properties") {
        properties.extend(members);
    }
    let head = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "brownout.toml",
        "description": "The device that brownout analyses a program for.",
    });
    if let Value::Object(head) = head {
        document.extend(head);
    }
    Value::Object(document)
}

fn table(section: &Section) -> Map<String, Value> {
    let mut table = Map::new();
    table.insert("description".to_owned(), section.about.into());
    table.insert("type".to_owned(), "object".into());
    if section.shape == Shape::Integers {
        table.insert(
            "additionalProperties".to_owned(),
            json!({ "type": "integer" }),
        );
        return table;
    }
    let properties: Map<String, Value> = section
        .keys
        .iter()
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    table.insert("properties".to_owned(), properties.into());
    table.insert("additionalProperties".to_owned(), false.into());
    let conditions: Vec<Value> = section.relations.iter().map(condition).collect();
    if !conditions.is_empty() {
        table.insert("allOf".to_owned(), conditions.into());
    }
    table
}

fn condition(relation: &Relation) -> Value {
    let any = |keys: &[&str]| match keys {
        [key] => json!({ "required": [key] }),
        keys => {
            let each: Vec<Value> = keys
                .iter()
                .map(|key| json!({ "required": [key] }))
                .collect();
            json!({ "anyOf": each })
        }
    };
    match *relation {
        Relation::Required(keys) => any(keys),
        Relation::Apart(key, other) => json!({ "not": { "required": [key, other] } }),
        Relation::Needs(key, others) => {
            json!({ "anyOf": [{ "not": { "required": [key] } }, any(others)] })
        }
    }
}

fn property(key: &KeyDescription) -> Value {
    let text =
        |form: &Option<&str>| json!({ "type": "string", "pattern": form.unwrap_or(NOT_BLANK) });
    let mut value = match &key.kind {
        Kind::Text(form) => text(form),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Integer(range) => integer(*range.start(), *range.end()),
        Kind::IntegerOrWord(range, word) => json!({ "anyOf": [
            integer(*range.start(), *range.end()),
            { "const": word },
        ] }),
        Kind::Quantity(dimension) => {
            let units: Vec<&str> = dimension.units().iter().map(|&(unit, _)| unit).collect();
            // Both signs for micro.
            let units = units.join("|").replace('u', "[u\u{b5}\u{3bc}]");
            let number = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?";
            json!({ "type": ["number", "string"], "minimum": 0, "pattern": format!(r"^\s*{number}\s*({units})?\s*$") })
        }
        Kind::IntegerOrText => json!({ "type": ["integer", "string"] }),
        Kind::Integers(count) => {
            let mut list = json!({ "type": "array", "items": { "type": "integer" }, "minItems": count.start() });
            if *count.end() != usize::MAX {
                list["maxItems"] = (*count.end()).into();
            }
            list
        }
        Kind::Texts(form) => json!({ "type": "array", "items": text(form) }),
        Kind::NumbersOrTexts(form) => json!({ "type": "array", "items": {
            "type": ["integer", "string"], "pattern": form,
        } }),
        Kind::WordOrTexts(words) => json!({ "anyOf": [
            { "enum": words },
            { "type": "array", "items": text(&None) },
        ] }),
        Kind::Groups => {
            let texts = json!({ "type": "array", "items": { "type": "string" } });
            json!({ "anyOf": [texts, { "type": "array", "items": texts }] })
        }
    };
    let description = match key.default {
        "" => key.about.to_owned(),
        default => format!("{} Default: {default}.", key.about),
    };
    value["description"] = description.into();
    value
}

fn integer(low: i64, high: i64) -> Value {
    let mut value = json!({ "type": "integer" });
    if low != i64::MIN {
        value["minimum"] = low.into();
    }
    if high != i64::MAX {
        value["maximum"] = high.into();
    }
    value
}

/// The reference of the manual: a heading and a table for each section.
fn markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let heading = match section.shape {
            Shape::Document => "At the top".to_owned(),
            Shape::Table | Shape::Integers => format!("`[{}]`", section.name),
            Shape::List => format!("`[[{}]]`", section.name),
        };
        text += &format!("\n### {heading}\n\n");
        if !section.about.is_empty() {
            text += &format!("{}\n\n", section.about);
        }
        if section.shape == Shape::Integers {
            text += "Any key, with an integer.\n";
            continue;
        }
        text += "| key | value | meaning | without it |\n|---|---|---|---|\n";
        for key in &section.keys {
            let row = [
                format!("`{}`", key.name),
                value_in_words(&key.kind),
                key.about.to_owned(),
                key.default.to_owned(),
            ];
            // A bar in code would end the cell.
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        let rules: Vec<String> = section.relations.iter().map(rule_in_words).collect();
        if !rules.is_empty() {
            text += &format!("\n{}\n", rules.join(" "));
        }
    }
    text
}

fn value_in_words(kind: &Kind) -> String {
    match kind {
        Kind::Text(_) => "string".to_owned(),
        Kind::Choice(words) => any_of(words),
        Kind::Boolean => "`true` or `false`".to_owned(),
        Kind::Integer(range) => match (*range.start(), *range.end()) {
            (i64::MIN, i64::MAX) => "integer".to_owned(),
            (low, i64::MAX) => format!("integer from {low}"),
            (low, high) => format!("integer from {low} to {high}"),
        },
        Kind::Quantity(dimension) => {
            let units: Vec<String> = dimension
                .units()
                .iter()
                .map(|(unit, _)| format!("`{unit}`"))
                .collect();
            format!("number, or string with a unit: {}", units.join(", "))
        }
        Kind::IntegerOrWord(range, word) => {
            format!("{} to {}, or `\"{word}\"`", range.start(), range.end())
        }
        Kind::IntegerOrText => "integer or string".to_owned(),
        Kind::Integers(count) if count.start() == count.end() => {
            format!("list of {} integers", count.start())
        }
        Kind::Integers(_) => "list of integers".to_owned(),
        Kind::Texts(_) => "list of strings".to_owned(),
        Kind::NumbersOrTexts(_) => "list of numbers and strings".to_owned(),
        Kind::WordOrTexts(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            format!("list of strings, or {}", words.join(" or "))
        }
        Kind::Groups => "list of strings, or list of such lists".to_owned(),
    }
}

fn rule_in_words(relation: &Relation) -> String {
    match *relation {
        Relation::Required([key]) => format!("`{key}` is needed."),
        Relation::Required(keys) => format!("One of {} is needed.", any_of(keys)),
        Relation::Apart(key, other) => format!("`{key}` and `{other}` exclude each other."),
        Relation::Needs(key, others) => format!("`{key}` needs {}.", any_of(others)),
    }
}

/// "`a`, `b` or `c`".
fn any_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match &quoted[..] {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        one => one.concat(),
    }
}
