//! Nothing panics on any text, and what is accepted is accepted again.

use brownout_scenario::{Config, FunctionFacts, GlobalFacts, Place, ProgramFacts, Scenario};
use proptest::prelude::*;

const FULL: &str = include_str!("full.toml");

/// Pieces that make mutated texts likely to stay near the grammar.
const PIECES: &[&str] = &[
    "\n",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "'",
    "\"",
    "\"\"\"",
    "#",
    "\\u0000",
    "µ",
    "\u{feff}",
    "\r",
    "0x",
    "-1",
    "99999999999999999999",
    "1e400",
    "nan",
    "inf",
    "true",
    "2026-01-01",
    "[[input]]",
    "[power]",
    "input",
    "values",
    "range = [9, 0]",
    "seed = -1",
    "effect = 'a += argh'",
    "!",
    "*",
    "section:",
    "all",
];

/// Runs everything that takes a text.
fn exercise(text: &str) {
    let functions = [FunctionFacts {
        name: "main",
        defined: true,
        locals: &["t".to_owned()],
        ..FunctionFacts::default()
    }];
    let globals = [GlobalFacts {
        name: "count",
        ..GlobalFacts::default()
    }];
    let facts = ProgramFacts {
        functions: &functions,
        globals: &globals,
        ..ProgramFacts::default()
    };
    let lines = text.split('\n').count() as u32;
    match Config::parse(text) {
        Ok(mut config) => {
            let _ = config.energy();
            for path in config
                .missing_files()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
            {
                let _ = config.supply(&path, text);
            }
            match Scenario::resolve(&config, &facts) {
                Ok(scenario) => assert!(scenario.assumptions().contains("policy")),
                Err(errors) => assert!(!errors.is_empty()),
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(!error.to_string().is_empty());
                let inside = match error.place {
                    Place::Text { line, column } => (1..=lines).contains(&line) && column >= 1,
                    Place::Setting { .. }
                    | Place::Profile { .. }
                    | Place::Annotation
                    | Place::Default => false,
                };
                assert!(inside, "{error:?}");
            }
        }
    }
    let _ = Config::default().set(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn any_setting(key in "[a-z.-]{0,12}", value in any::<String>()) {
        let mut config = Config::default();
        let _ = config.set(&format!("{key}={value}"));
        for key in ["entry", "memory.nonvolatile", "power.saves", "energy.clock", "input", "environment.x"] {
            let _ = config.set(&format!("{key}={value}"));
        }
    }

    #[test]
    fn mutated_configurations(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..30usize, prop::sample::select(PIECES)), 1..6)
    ) {
        let mut letters: Vec<char> = FULL.chars().collect();
        for (at, removed, piece) in edits {
            let start = at.index(letters.len());
            let end = (start + removed).min(letters.len());
            letters.splice(start..end, piece.chars());
        }
        exercise(&letters.into_iter().collect::<String>());
    }
}

#[test]
fn every_prefix_and_every_missing_line() {
    for (end, _) in FULL.char_indices() {
        exercise(&FULL[..end]);
    }
    let lines: Vec<&str> = FULL.lines().collect();
    for missing in 0..lines.len() {
        let mut rest = lines.clone();
        rest.remove(missing);
        exercise(&rest.join("\n"));
    }
}

#[test]
fn deep_and_long_texts() {
    for piece in [
        "[", "{a=", "a.", "[[a]]\n", "'", "\n", "=", "x=1\n", "1,", "arg0;",
    ] {
        let text = piece.repeat(20_000);
        exercise(&text);
        exercise(&format!("consistent = {text}"));
        exercise(&format!(
            "[[output]]\nfunction = 'f'\neffect = '{}'",
            text.replace('\'', "")
        ));
        let _ = Config::default().set(&format!("memory.nonvolatile={text}"));
    }
}

#[test]
fn a_syntax_error_stands_alone() {
    let cases = [
        (
            "entry = \n[memory]\natomic-write = 0\n[[input]]\nfunction = read\n",
            "1:9: string values must be quoted, expected literal string",
        ),
        (
            "[memory\nstack-size = 512\n",
            "1:8: unclosed table, expected `]`",
        ),
        (
            "[memory]\nnonvolatile = ['globals'\nstack-size = 512\n",
            "3:1: missing comma between array elements, expected `,`",
        ),
        (
            "entry = 'main\n[memory]\nstack-size = 512\n",
            "1:14: invalid literal string, expected `'`",
        ),
    ];
    for (text, expected) in cases {
        let errors = Config::parse(text).expect_err("wrong");
        let found: Vec<String> = errors
            .iter()
            .map(|error| format!("{}: {error}", error.place))
            .collect();
        assert_eq!(found, [expected], "{text}");
    }
}
