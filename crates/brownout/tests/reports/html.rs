//! `--format html`, in a real browser: it loads, filters, scrubs, asks for nothing and complains of
//! nothing; and what is in it is there without scripting.

use std::fs;

use std::process::Command;

use brownout_testkit::{Scratch, execute};
use serde_json::Value;

use crate::{LIMIT, printed, project, scratch};

const PROGRAM: &str = "\
#include <brownout.h>
#include <stdio.h>
#include <stdlib.h>

BROWNOUT_NV int count;
BROWNOUT_NV int limit = 3;

static void record(int value)
{
    count = count + value;
}

int main(void)
{
    for (int day = 0; day < 4; day++) {
        brownout_checkpoint();
        record(day + 1);
        printf(\"</script><b>%d\\n\", count);
        limit = limit + 1;
    }
    char *block = malloc(4);
    brownout_checkpoint();
    return block != 0;
}
";

/// The page about the program.
fn page(scratch: &Scratch) -> String {
    scratch.file("days.c", PROGRAM).unwrap();
    let nv = "symbol:count,symbol:limit,heap";
    printed(
        1,
        scratch.path(),
        &["check", "-q", "--format", "html", "--nv", nv, "days.c"],
    )
}

/// Runs the browser on a file; what it prints.
fn browse(scratch: &Scratch, file: &str, arguments: &[&str]) -> (String, String) {
    let path = scratch.path().canonicalize().unwrap();
    let profile = format!("--user-data-dir={}", path.join("profile").display());
    let mut command = Command::new("chromium");
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
        ])
        .args([
            "--no-first-run",
            "--disable-background-networking",
            "--virtual-time-budget=4000",
        ])
        .arg(profile)
        .args(arguments)
        .arg(format!("file://{}", path.join(file).display()));
    let ended = execute(&mut command, LIMIT).expect("the Debian package `chromium` is needed");
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    (
        String::from_utf8_lossy(&ended.stdout).into_owned(),
        ended.stderr,
    )
}

/// What the script of the test finds out in the page.
const SELF_TEST: &str = r##"
<script>
(() => {
  const report = {};
  const visible = () => [...document.querySelectorAll(".finding")].filter((f) => !f.hidden).length;
  const filters = document.getElementById("filters");
  const choose = (name, value) => {
    filters.elements[name].value = value;
    filters.dispatchEvent(new Event("input", { bubbles: true }));
  };
  report.all = visible();
  choose("rule", "heap-leak"); report.leaks = visible(); choose("rule", "");
  choose("evidence", "confirmed"); report.confirmed = visible(); choose("evidence", "");
  choose("file", "days.c"); report.file = visible(); choose("file", "");
  choose("words", "limit is read, then"); report.words = visible(); choose("words", "");
  report.again = visible();
  const timeline = document.querySelector(".timeline");
  const scrub = timeline.querySelector("input[type=range]");
  const moment = () => timeline.querySelector(".moment").textContent;
  const seen = [];
  for (let step = 0; step <= Number(scrub.max); step += 1) {
    scrub.value = String(step);
    scrub.dispatchEvent(new Event("input"));
    seen.push(moment());
  }
  report.moments = seen;
  report.lanes = timeline.querySelectorAll(".lane").length;
  report.dots = timeline.querySelectorAll(".track .dot").length;
  report.failures = timeline.querySelectorAll(".track .dot.power-failure").length;
  report.differs = timeline.querySelectorAll(".track .dot.differs").length;
  timeline.querySelectorAll(".track .dot")[0].click();
  report.clicked = moment();
  report.now = document.querySelectorAll(".source li.now").length;
  report.scrubName = scrub.getAttribute("aria-label");
  report.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
  report.unlabelled = [...document.querySelectorAll("input, select, button, a, [role=img]")].filter((element) =>
    !element.closest("label") && !element.getAttribute("aria-label") && !element.textContent.trim()).length;
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((heading) => Number(heading.tagName[1]));
  report.skipped = levels.filter((level, index) => index > 0 && level > levels[index - 1] + 1).length;
  report.firstLevel = levels.filter((level) => level === 1).length;
  report.language = document.documentElement.lang;
  // Contrast of text with what is behind it (WCAG 2.1).
  const part = (channel) => { const c = channel / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const colour = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length > 3 && n[3] === 0 ? null : n.slice(0, 3); };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) { const c = colour(getComputedStyle(at).backgroundColor); if (c) return c; }
    return [255, 255, 255];
  };
  let worst = 21;
  for (const element of document.querySelectorAll("h1, h2, h3, h4, p, li, span, td, th, summary, label, a, code")) {
    if (!element.textContent.trim() || !element.getClientRects().length || element.closest("svg")) continue;
    const [a, b] = [luminance(colour(getComputedStyle(element).color)), luminance(behind(element))];
    worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  report.contrast = worst;
  const pins = [...document.querySelectorAll(".overview .pin")];
  report.pins = pins.filter((pin) => document.querySelector(pin.getAttribute("href"))).length;
  report.places = pins.filter((pin) => pin.classList.contains("place")).length;
  report.cut = [...document.querySelectorAll(".source")].filter((box) => box.scrollWidth > box.clientWidth).length;
  report.width = window.innerWidth;
  report.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const result = document.createElement("pre");
  result.id = "self-test";
  result.textContent = JSON.stringify(report);
  document.body.append(result);
})();
</script>
"##;

/// What the test script says, and what the browser logs.
fn self_test(scratch: &Scratch, page: &str, arguments: &[&str]) -> (Value, String) {
    scratch
        .file(
            "test.html",
            page.replace("</body>", &format!("{SELF_TEST}</body>")),
        )
        .unwrap();
    let mut arguments = arguments.to_vec();
    arguments.push("--dump-dom");
    let (dom, log) = browse(scratch, "test.html", &arguments);
    let (_, rest) = dom
        .split_once("id=\"self-test\">")
        .unwrap_or_else(|| panic!("the script died:\n{log}"));
    let json = rest.split("</pre>").next().unwrap();
    let json = json
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    (serde_json::from_str(&json).unwrap(), log)
}

#[test]
fn the_page_works_in_a_browser() {
    let scratch = scratch();
    let page = page(&scratch);
    // As narrow as a window can be.
    let narrow = &[
        "--window-size=400,900",
        "--blink-settings=preferredColorScheme=0",
    ][..];
    for arguments in [&["--window-size=1280,900"][..], narrow] {
        let (report, log) = self_test(&scratch, &page, arguments);
        assert!(!log.contains(":CONSOLE"), "{log}");
        let number = |name: &str| report[name].as_u64().unwrap();
        assert_eq!(number("all"), number("again"));
        assert_eq!(number("all"), number("file"));
        assert_eq!(number("leaks"), 1);
        assert!(
            number("confirmed") >= 2 && number("confirmed") < number("all"),
            "{report:#}"
        );
        assert_eq!(number("words"), 1, "{report:#}");
        assert_eq!((number("lanes"), number("failures")), (2, 1), "{report:#}");
        assert!(number("differs") > 0, "{report:#}");
        let moments = report["moments"].as_array().unwrap();
        assert_eq!(moments.len() as u64, number("dots"));
        let said = |text: &str| {
            moments
                .iter()
                .any(|moment| moment.as_str().unwrap().contains(text))
        };
        for text in [
            "first attempt: reads count: 0",
            "power fails",
            "second attempt: back to checkpoint 1",
            "reads count: 1",
        ] {
            assert!(said(text), "{text}: {moments:#?}");
        }
        assert!(report["clicked"].as_str().unwrap().contains("checkpoint 1"));
        assert!(number("now") > 0);
        assert_eq!(report["requests"], serde_json::json!([]));
        assert_eq!(
            (
                number("unlabelled"),
                number("skipped"),
                number("firstLevel")
            ),
            (0, 0, 1),
            "{report:#}"
        );
        assert_eq!(report["language"], "en");
        assert!(report["contrast"].as_f64().unwrap() >= 4.5, "{report:#}");
        assert_eq!(number("wide"), 0, "the page is wider than the window");
        assert_eq!(number("cut"), 0, "code is cut off: {report:#}");
        // Every finding is in the picture of the run, the leak by its place.
        assert_eq!((number("pins"), number("places")), (number("all"), 1));
        if arguments == narrow {
            assert!(number("width") <= 500, "{report:#}");
        }
    }
}

#[test]
fn places_are_called_what_they_are() {
    let sources = ["main.c", "climate.c", "frost.c", "report.c", "water.c"];
    let sources = sources.map(|name| format!("examples/greenhouse/as-found/{name}"));
    let mut words = vec!["check", "-q", "--format", "html"];
    words.extend(sources.iter().map(String::as_str));
    let page = printed(1, &project(""), &words);
    let articles = page.split("<article ").skip(1);
    for article in articles {
        let (rule, _) = article
            .split_once("data-rule=\"")
            .unwrap()
            .1
            .split_once('"')
            .unwrap();
        let wanted = match rule {
            "repeated-input" => vec!["← the input decides here", "← execution resumes here"],
            "output-semantics" => vec!["← if power fails here:"],
            "stale-input" => vec!["← read here", "← used here"],
            "peripheral-state" => vec!["← set up here", "← relied upon here"],
            "war" => vec!["← first read", "← if power fails right after this write:"],
            other => panic!("{other}"),
        };
        for text in wanted {
            assert!(article.contains(text), "{rule}: {text}\n{article}");
        }
    }
}

#[test]
fn screenshots_are_not_empty() {
    let scratch = scratch();
    scratch.file("page.html", page(&scratch)).unwrap();
    scratch
        .file("empty.html", "<!DOCTYPE html><title>empty</title>")
        .unwrap();
    for width in ["1280", "400"] {
        let size = format!("--window-size={width},1200");
        let shoot = |file: &str, name: &str| {
            let path = scratch.path().canonicalize().unwrap().join(name);
            browse(
                &scratch,
                file,
                &[&size, &format!("--screenshot={}", path.display())],
            );
            fs::read(path).unwrap().len()
        };
        let (page, empty) = (
            shoot("page.html", "page.png"),
            shoot("empty.html", "empty.png"),
        );
        assert!(page > 5 * empty, "{width}: {page} and {empty} bytes");
    }
}

#[test]
fn everything_is_there_without_scripting_and_from_nowhere_else() {
    let scratch = scratch();
    let page = page(&scratch);
    let without: String = page.split("<script").next().unwrap().to_owned();
    for text in [
        "<h1>2 errors that power failures cause</h1>",
        "<code>count</code> is read, then overwritten",
        "execution resumes here",
        "power fails after this",
        "save <code>count</code> in the checkpoint",
        "brownout replay c1:",
        "regions between checkpoints",
    ] {
        assert!(without.contains(text), "{text}\n{without}");
    }
    for reference in ["src=", "url(", "@import", "http://", "https://"] {
        assert!(!page.contains(reference), "{reference}");
    }
    // Text of the program is text: the script that carries it ends where it should.
    assert_eq!(page.matches("</script>").count(), 2);
    let again = self::page(&scratch);
    assert!(page == again, "two runs print the same bytes");
}
