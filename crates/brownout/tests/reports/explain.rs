//! `brownout explain`: the pages are complete, and their programs do what they say.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::{document, list, printed, project, ran, scratch};

/// The code blocks of a page in a language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// The rules that have a page, by the files there are.
fn pages() -> Vec<String> {
    let folder = project("docs/rules");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn every_page_is_printed_as_it_is() {
    let scratch = scratch();
    for rule in pages() {
        let page = fs::read_to_string(project(&format!("docs/rules/{rule}.md"))).unwrap();
        assert_eq!(printed(0, scratch.path(), &["explain", &rule]), page);
        for section in ["What happens", "Example", "Repaired", "What to do", "Paper"] {
            assert!(
                page.contains(&format!("\n## {section}\n")),
                "{rule}: {section}"
            );
        }
    }
}

#[test]
fn the_programs_are_what_the_pages_say() {
    for rule in pages() {
        let page = fs::read_to_string(project(&format!("docs/rules/{rule}.md"))).unwrap();
        let programs = blocks(&page, "c");
        let commands = blocks(&page, "console");
        let ([example, repaired], [first, second]) = (&programs[..], &commands[..]) else {
            panic!("{rule}: an example and its repair, each with its command");
        };
        let scratch = scratch();
        scratch.file("example.c", example).unwrap();
        scratch.file("repaired.c", repaired).unwrap();
        // The first is for the example, the last for its repair; most pages have one for both.
        let configurations = blocks(&page, "toml");
        let configure = |configuration: Option<&&str>| {
            if let Some(configuration) = configuration {
                scratch.file("brownout.toml", configuration).unwrap();
            }
        };
        configure(configurations.first());
        let check = |command: &str, status: i32| {
            let command = command.strip_prefix("$ brownout ").unwrap();
            let mut words: Vec<&str> = command.split_whitespace().collect();
            words.extend(["--format", "json"]);
            document(status, scratch.path(), &words)
        };
        let leak = rule == "heap-leak";
        let found = check(first, i32::from(!leak));
        let severity = if leak { "note" } else { "error" };
        let rules: BTreeSet<&str> = list(&found["findings"])
            .iter()
            .filter(|finding| finding["severity"] == severity)
            .map(|finding| finding["rule"].as_str().unwrap())
            .collect();
        assert_eq!(rules, BTreeSet::from([rule.as_str()]));
        configure(configurations.last());
        let left = check(second, 0);
        assert_eq!(list(&left["findings"]), &[] as &[Value], "{rule}, repaired");
    }
}

#[test]
fn an_unknown_rule_is_refused_with_the_nearest() {
    let scratch = scratch();
    for (name, nearest) in [
        ("wra", "war"),
        ("Torn_Write", "torn-write"),
        ("heap", "heap-leak"),
    ] {
        let ended = ran(2, scratch.path(), &["explain", name]);
        assert_eq!(
            ended.stderr,
            format!("error: there is no rule `{name}`\nhelp: did you mean `{nearest}`?\n")
        );
    }
    let ended = ran(2, scratch.path(), &["explain", "something-else"]);
    assert!(
        ended.stderr.contains("help: there are war, "),
        "{}",
        ended.stderr
    );
}
