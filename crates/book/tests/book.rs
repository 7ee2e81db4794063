//! The manual is a book that mdBook builds, without a warning.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use brownout_testkit::Scratch;

fn book(folder: &Path, output: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brownout-book"))
        .arg(folder)
        .arg(output)
        .output()
        .unwrap()
}

fn scratch() -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap()
}

#[test]
fn the_manual_builds_without_warnings() {
    let scratch = scratch();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let output = scratch.path().join("book");
    let ended = book(&docs, &output);
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{stderr}");
    assert_eq!(stderr, "");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let pages = summary.split("](").skip(1);
    for page in pages.map(|link| link.split(')').next().unwrap()) {
        let name = page
            .replace("README.md", "index.md")
            .replace(".md", ".html");
        let text = fs::read_to_string(output.join(&name)).unwrap();
        assert!(text.contains("<main>"), "{name}");
    }
}

#[test]
fn a_warning_is_an_error() {
    let scratch = scratch();
    fs::create_dir(scratch.path().join("src")).unwrap();
    scratch.file("book.toml", "[book]\n").unwrap();
    scratch.file("src/SUMMARY.md", "- [One](one.md)\n").unwrap();
    let output = scratch.path().join("book");
    scratch.file("src/one.md", "# One\n").unwrap();
    assert!(book(scratch.path(), &output).status.success());
    scratch
        .file("src/one.md", "# One\n\n<div>\n\nnever closed\n")
        .unwrap();
    let ended = book(scratch.path(), &output);
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("warn"));
}
