//! What continuous integration needs: baselines, comments that allow findings, changed lines.

use std::path::Path;
use std::process::Command;

use crate::{SENSE, document, list, printed, ran, scratch};

#[test]
fn a_baseline_makes_known_findings_silent() {
    let scratch = scratch();
    let folder = scratch.path();
    scratch.file("sense.c", SENSE).unwrap();
    let check = ["check", "-q", "--format", "concise", "sense.c"];
    let write = [&check[..], &["--write-baseline", "known.json"]].concat();
    let compare = [&check[..], &["--baseline", "known.json"]].concat();
    assert_eq!(printed(0, folder, &write), "");
    assert_eq!(printed(0, folder, &compare), "");
    // The same finding elsewhere is known, another one is new.
    scratch.file("sense.c", format!("\n\n{SENSE}")).unwrap();
    assert_eq!(printed(0, folder, &compare), "");
    let more = SENSE
        .replace("int count;", "int count, other;")
        .replace("    count = i + 1;\n", "    count = i + 1;\n    other++;\n");
    scratch.file("sense.c", &more).unwrap();
    let new = printed(1, folder, &compare);
    assert!(new.lines().count() == 1 && new.contains("`other`"), "{new}");
    let sarif = document(
        1,
        folder,
        &[
            "check",
            "--format",
            "sarif",
            "--baseline",
            "known.json",
            "sense.c",
        ],
    );
    let states: Vec<&str> = list(&sarif["runs"][0]["results"])
        .iter()
        .map(|result| result["baselineState"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["unchanged", "new"]);
}

#[test]
fn what_is_gone_from_the_baseline_is_said() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    ran(
        0,
        scratch.path(),
        &["check", "sense.c", "--write-baseline", "known.json"],
    );
    scratch
        .file("sense.c", SENSE.replace("count = i + 1", "i = i + 1"))
        .unwrap();
    let ended = ran(
        0,
        scratch.path(),
        &["check", "sense.c", "--baseline", "known.json"],
    );
    assert!(
        ended.stderr.contains("note: 1 finding of the baseline"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_note_that_becomes_an_error_is_new() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    let baseline = ["--write-baseline", "known.json"];
    ran(
        0,
        scratch.path(),
        &[&["check", "sense.c"], &baseline[..]].concat(),
    );
    let text = std::fs::read_to_string(scratch.path().join("known.json")).unwrap();
    scratch
        .file("known.json", text.replace("\"error\"", "\"note\""))
        .unwrap();
    ran(
        1,
        scratch.path(),
        &["check", "sense.c", "--baseline", "known.json"],
    );
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    scratch.file("known.json", "{}").unwrap();
    let ended = ran(
        2,
        scratch.path(),
        &["check", "sense.c", "--baseline", "known.json"],
    );
    assert!(
        ended.stderr.contains("error: known.json: not a baseline"),
        "{}",
        ended.stderr
    );
    let ended = ran(
        2,
        scratch.path(),
        &["check", "sense.c", "--baseline", "none.json"],
    );
    assert!(
        ended.stderr.contains("error: none.json: no such file"),
        "{}",
        ended.stderr
    );
}

#[test]
fn comments_allow_findings() {
    let at_producer = SENSE.replace(
        "    count = i + 1;",
        "    // brownout: allow(war) readings may count twice\n    count = i + 1;",
    );
    let at_consumer = SENSE.replace(
        "int i = count;",
        "int i = count; /* brownout: allow(war) readings may count twice */",
    );
    for text in [at_producer, at_consumer] {
        let scratch = scratch();
        scratch.file("sense.c", &text).unwrap();
        assert_eq!(printed(0, scratch.path(), &["check", "-q", "sense.c"]), "");
        let ended = ran(0, scratch.path(), &["check", "sense.c"]);
        assert!(
            ended.stderr.contains("left out: 1 finding allowed"),
            "{}",
            ended.stderr
        );
        assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
        let log = document(
            0,
            scratch.path(),
            &["check", "--format", "sarif", "sense.c"],
        );
        let suppression = &log["runs"][0]["results"][0]["suppressions"][0];
        assert_eq!(suppression["kind"], "inSource");
        assert_eq!(suppression["justification"], "readings may count twice");
    }
}

#[test]
fn comments_that_allow_nothing_are_reported() {
    let cases = [
        (
            "// brownout: allow(war)",
            1,
            "sense.c:11:20: warning: the comment gives no reason",
        ),
        (
            "// brownout: allow(wra) meant",
            1,
            "there is no rule `wra`: did you mean `war`?",
        ),
        (
            "// brownout: allow(heap-leak) meant",
            1,
            "`allow(heap-leak)` is not needed",
        ),
    ];
    for (comment, status, expected) in cases {
        let scratch = scratch();
        let text = SENSE.replace("count = i + 1;", &format!("count = i + 1; {comment}"));
        scratch.file("sense.c", &text).unwrap();
        let ended = ran(status, scratch.path(), &["check", "sense.c"]);
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{arguments:?}");
}

#[test]
fn only_findings_on_changed_lines() {
    let scratch = scratch();
    let folder = scratch.path();
    scratch.file("sense.c", SENSE).unwrap();
    git(folder, &["init", "-q"]);
    let check = [
        "check",
        "-q",
        "--format",
        "concise",
        "sense.c",
        "--only-changed",
        "HEAD",
    ];
    let ended = ran(2, folder, &check);
    assert!(
        ended.stderr.contains("git cannot tell what changed"),
        "{}",
        ended.stderr
    );
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
    assert_eq!(printed(0, folder, &check), "");
    let more = SENSE
        .replace("int count;", "int count, other;")
        .replace("    return 0;", "    other++;\n    return 0;");
    scratch.file("sense.c", &more).unwrap();
    let found = printed(1, folder, &check);
    assert!(
        found.lines().count() == 1 && found.contains("`other`"),
        "{found}"
    );
    // A line that went away between the two places is a change, too.
    git(folder, &["commit", "-q", "-a", "-m", "second"]);
    let gone = more.replace("    printf(\"reading %d\\n\", i);\n", "");
    scratch.file("sense.c", &gone).unwrap();
    let found = printed(1, folder, &check);
    assert!(
        found.lines().count() == 1 && found.contains("`count`"),
        "{found}"
    );
    // A file that git does not know yet is new as a whole.
    std::fs::rename(folder.join("sense.c"), folder.join("new.c")).unwrap();
    let found = printed(
        1,
        folder,
        &[
            "check",
            "-q",
            "--format",
            "concise",
            "new.c",
            "--only-changed",
            "HEAD",
        ],
    );
    assert_eq!(found.lines().count(), 2, "{found}");
    let ended = ran(2, folder, &["check", "new.c", "--only-changed", "--help"]);
    assert!(ended.stderr.contains("error: "), "{}", ended.stderr);
}
