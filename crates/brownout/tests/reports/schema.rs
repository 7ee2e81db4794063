//! `brownout schema`: the committed files are what it prints, and it says what the reader does.

use std::fs;
use std::path::Path;

use brownout_scenario::{Config, Section, Shape, reference};
use brownout_testkit::violations;
use expect_test::expect_file;
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use crate::{document, printed, project};

fn schema() -> Value {
    document(0, Path::new("."), &["schema"])
}

fn to_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => {
            json!(i64::from_str_radix(number.as_str(), number.radix()).unwrap())
        }
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().unwrap()),
        DeValue::Boolean(boolean) => json!(boolean),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(array) => array.iter().map(|item| to_json(item.get_ref())).collect(),
        DeValue::Table(table) => table_to_json(table),
    }
}

fn table_to_json(table: &DeTable<'_>) -> Value {
    let member = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = name.get_ref();
        (name.to_string(), to_json(value.get_ref()))
    };
    Value::Object(table.iter().map(member).collect())
}

/// What the schema has against a text.
fn complaints(schema: &Value, text: &str) -> Vec<String> {
    let table = DeTable::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    violations(schema, &table_to_json(table.get_ref()))
}

#[test]
fn the_schema_in_the_docs_is_up_to_date() {
    let text = printed(0, Path::new("."), &["schema"]);
    expect_file![project("docs/brownout.schema.json")].assert_eq(&text);
}

#[test]
fn the_reference_in_the_docs_is_up_to_date() {
    const MARK: &str = "<!-- From here on: brownout schema --format markdown -->\n";
    let page = project("docs/configuration.md");
    let written = fs::read_to_string(&page).unwrap();
    let (before, _) = written.split_once(MARK).unwrap();
    let tables = printed(0, Path::new("."), &["schema", "--format", "markdown"]);
    expect_file![page].assert_eq(&format!("{before}{MARK}{tables}"));
}

#[test]
fn everything_is_described() {
    for section in reference() {
        assert_eq!(
            section.about.is_empty(),
            section.shape == Shape::Document,
            "{}",
            section.name
        );
        for key in &section.keys {
            assert!(key.about.ends_with('.'), "{}.{}", section.name, key.name);
        }
    }
}

/// Every configuration there is: of examples and tests, and in pages that show one.
#[test]
fn what_is_used_follows_the_schema() {
    let schema = schema();
    let mut checked = 0;
    let mut check = |text: &str, path: &Path| {
        assert_eq!(
            complaints(&schema, text),
            [] as [&str; 0],
            "{}",
            path.display()
        );
        checked += 1;
    };
    for path in crate::files_under("") {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") if path.ends_with("brownout.toml") || path.ends_with("full.toml") => {
                check(&text, &path);
            }
            Some("md") => {
                for (language, block) in crate::docs::blocks(&text) {
                    if language == "toml" {
                        check(&block, &path);
                    }
                }
            }
            _ => {}
        }
    }
    assert!(checked > 5, "{checked}");
}

const VALUES: &[&str] = &[
    "''",
    "' '",
    "'x'",
    "'static'",
    "'none'",
    "'all'",
    "'arg0'",
    "'arg12345'",
    "'result'",
    "'16'",
    "'0'",
    "'most-recent'",
    "'hold'",
    "'absolute'",
    "'state'",
    "'angle += arg0'",
    "'10uF'",
    "'10 µF'",
    "'1.5e3mA'",
    "'2V'",
    "'3 parsec'",
    "'1MHz'",
    "'1.4ms'",
    "1",
    "0",
    "-1",
    "9",
    "65",
    "0x0fff",
    "9223372036854775807",
    "1.5",
    "true",
    "[]",
    "[1]",
    "[1, 2]",
    "[1, 2, 3]",
    "['x']",
    "['']",
    "['x', 1]",
    "['globals', '!stack', 'section:.nv', 'symbol:a*']",
    "['!  heap']",
    "['section:']",
    "['global']",
    "[['x', 'y'], ['z']]",
    "[['x'], 'y']",
    "{ a = 1 }",
    "{}",
    "[{}]",
];

/// A document with this section, which has these lines.
fn text_of(section: &Section, lines: &str) -> String {
    match section.shape {
        Shape::Document => lines.to_owned(),
        Shape::Table | Shape::Integers => format!("[{}]\n{lines}", section.name),
        Shape::List => format!("[[{}]]\n{lines}", section.name),
    }
}

/// What the schema cannot know: effects, lengths and conditions have grammars of their own, and a number is a number in
/// whatever base.
fn beyond_the_schema(section: &Section, lines: &str) -> bool {
    let result = lines.contains("length = 'result'") && lines.contains("returns = ");
    let hexadecimal = section.name == "energy" && lines.contains("= 0x");
    let grammars = ["effect = '", "expr = '", "length = '"];
    let grammar = grammars.iter().any(|key| lines.contains(key));
    grammar || result || hexadecimal
}

#[track_caller]
fn compare(schema: &Value, section: &Section, lines: &str) -> bool {
    let text = text_of(section, lines);
    let read = Config::parse(&text);
    let complaints = complaints(schema, &text);
    match read {
        Ok(_) => assert_eq!(complaints, [] as [&str; 0], "{text}"),
        Err(errors) if complaints.is_empty() => {
            assert!(beyond_the_schema(section, lines), "{text}: {errors:?}");
        }
        Err(_) => return false,
    }
    true
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let schema = schema();
    let (mut right, mut wrong) = (0, 0);
    for section in reference() {
        let bases: &[&str] = match section.name.as_str() {
            "input" | "output" => &["", "function = 'f'", "register = 'R'"],
            "variable" => &["", "name = 'v'"],
            "peripheral" => &["", "registers = ['R']"],
            "register" => &["", "name = 'R'\nmmio = 'state'"],
            _ => &[""],
        };
        let mut names: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
        names.push("unknown");
        for base in bases {
            let mut good: Vec<String> = Vec::new();
            for name in &names {
                if base.contains(&format!("{name} = ")) {
                    continue;
                }
                for value in VALUES {
                    let line = format!("{name} = {value}");
                    if compare(&schema, &section, &format!("{base}\n{line}")) {
                        right += 1;
                    } else {
                        wrong += 1;
                    }
                    // On its own it may lack something that another key brings.
                    let alone = Config::parse(&text_of(&section, &line));
                    let missing = |error: &brownout_scenario::ConfigError| {
                        matches!(error.problem, brownout_scenario::Problem::Missing { .. })
                    };
                    if alone.map_or_else(|errors| errors.iter().all(missing), |_| true) {
                        good.push(line);
                    }
                }
            }
            for (index, first) in good.iter().enumerate() {
                for second in &good[index + 1..] {
                    let name = |line: &str| line.split(' ').next().map(str::to_owned);
                    if name(first) != name(second) {
                        compare(&schema, &section, &format!("{base}\n{first}\n{second}"));
                    }
                }
            }
        }
    }
    assert!(right > 100 && wrong > 1000, "{right} {wrong}");
}
