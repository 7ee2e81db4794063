//! One self-contained page: everything is readable without scripting, which adds filters and
//! timelines. Nothing is loaded from anywhere; the page's own policy forbids it.

mod flash;
mod markup;
mod overview;
mod steps;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use brownout_diag::{Event, Finding, Severity, Words, plural};
use serde_json::Value;

use crate::document::{Document, Entry, Standing};
use crate::effects;
use crate::source::Sources;
use crate::words;
use markup::{code, escape};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
/// Pairs of a finding that are listed.
const PAIRS: usize = 500;
/// Lines shown around a marked one.
const AROUND: u32 = 2;

/// The page about a check.
pub fn html(documents: &[Document<'_>]) -> String {
    let entries = || documents.iter().flat_map(|document| &document.entries);
    let counted = entries().filter(|entry| entry.standing.counts());
    let count = |severity: Severity| {
        let entries = counted.clone();
        entries
            .filter(|entry| entry.finding.severity == severity)
            .count()
    };
    let (errors, notes) = (count(Severity::Error), count(Severity::Note));
    let verdict = match (errors, documents.iter().all(|document| document.complete)) {
        (0, true) => "nothing that power failures break was found".to_owned(),
        (0, false) => "nothing was found in what was checked, which is not everything".to_owned(),
        (errors, _) => format!(
            "{} that power failures cause",
            plural(errors as u64, "error")
        ),
    };
    let mut stories = serde_json::Map::new();
    let mut body = String::new();
    let mut number = 0;
    for document in documents {
        if let Some(program) = document.program {
            let _ = write!(body, "<h2>{}</h2>", escape(program));
        }
        body += &overview::section(document, number + 1);
        body += "<h2>Findings</h2>";
        if number == 0 {
            body += &filters(entries().count());
        }
        if document.entries.is_empty() {
            body += "<p class=\"card\">None.</p>";
        }
        for entry in &document.entries {
            number += 1;
            body += &article(entry, number, document.sources);
            if let Some(story) = entry.story {
                stories.insert(number.to_string(), steps::data(story, document.sources));
            }
        }
        body += &remarks(document);
    }
    // `</script>` in a string of the program must not end ours.
    let data = Value::Object(stories).to_string().replace('<', "\\u003c");
    let version = documents.first().map_or("", |document| document.version);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>brownout: {verdict}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header class=\"page\"><p class=\"brand\">brownout</p><h1>{}</h1>{}</header>\n<main>\n{body}</main>\n\
         <footer><p>brownout {}</p></footer>\n\
         <script type=\"application/json\" id=\"stories\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        capital(&verdict),
        tiles(documents, errors, notes),
        escape(version),
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    escape(&(first.unwrap_or_default() + letters.as_str()))
}

fn tiles(documents: &[Document<'_>], errors: usize, notes: usize) -> String {
    let sum = |figure: fn(&Document<'_>) -> u64| documents.iter().map(figure).sum::<u64>();
    let tile = |class: &str, figure: u64, what: &str| {
        format!(
            "<li class=\"{class}\"><strong>{}</strong>{what}</li>",
            grouped(figure)
        )
    };
    let class = if errors == 0 { "fine" } else { "bad" };
    [
        "<ul class=\"tiles\">".to_owned(),
        tile(class, errors as u64, "errors"),
        tile("", notes as u64, "notes"),
        tile(
            "",
            sum(|document| document.overview.failures),
            "power failures emulated",
        ),
        tile(
            "",
            sum(|document| document.overview.instructions),
            "instructions executed",
        ),
        "</ul>".to_owned(),
    ]
    .concat()
}

/// `12 345 678`.
fn grouped(figure: u64) -> String {
    let digits = figure.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

fn filters(findings: usize) -> String {
    if findings == 0 {
        return String::new();
    }
    let select = |name: &str| {
        format!(
            "<label>{name}<select name=\"{name}\"><option value=\"\">all</option></select></label>"
        )
    };
    format!(
        "<form id=\"filters\" class=\"filters\" aria-label=\"filter the findings\" hidden>{}{}{}\
         <label>text<input name=\"words\" type=\"search\"></label>\
         <output id=\"count\" aria-live=\"polite\"></output></form>",
        select("rule"),
        select("evidence"),
        select("file")
    )
}

fn article(entry: &Entry<'_>, number: usize, sources: &Sources) -> String {
    let finding = entry.finding;
    let marks = marks(finding);
    let files: Vec<&str> = marks.keys().map(|(file, _)| *file).collect();
    let severity = finding.severity.name();
    let mut text = format!(
        "<article class=\"finding card {severity}\" id=\"finding-{number}\" aria-labelledby=\"title-{number}\" \
         data-rule=\"{}\" data-evidence=\"{}\" data-file=\"{}\"><p class=\"chips\">",
        finding.rule,
        finding.evidence,
        escape(&unique(&files).join("\n")),
    );
    let _ = write!(
        text,
        "<span class=\"chip {severity}\">{severity}</span><span class=\"chip\">{}</span><span class=\"chip\">{}</span>",
        finding.rule, finding.evidence
    );
    let standing = match &entry.standing {
        Standing::Open => None,
        Standing::New => Some("new".to_owned()),
        Standing::Updated => Some("known, with a new pair".to_owned()),
        Standing::Known => Some("known from the baseline".to_owned()),
        Standing::Allowed { reason } => Some(format!("allowed: {reason}")),
    };
    if let Some(standing) = standing {
        let _ = write!(text, "<span class=\"chip\">{}</span>", escape(&standing));
    }
    let _ = write!(
        text,
        "</p><h3 id=\"title-{number}\">{}</h3>",
        code(&finding.message)
    );
    for file in unique(&files) {
        text += &excerpt(file, &marks, sources);
    }
    let effects = finding.effects.iter().map(effects::describe);
    text += &list("A power failure", effects);
    text += &pairs(finding);
    text += &list("Remarks", finding.notes.iter().cloned());
    text += &list("What to do", finding.help.iter().cloned());
    text += &flash::boots(entry.boots);
    if let Some(story) = entry.story {
        let _ = write!(
            text,
            "<h4>The failure, step by step</h4><div class=\"timeline\" data-story=\"{number}\" hidden></div>{}",
            steps::table(story)
        );
    }
    if let Some(replay) = &finding.replay {
        let _ = write!(
            text,
            "<p class=\"soft\">Replay it with</p><p class=\"command mono\">brownout replay {} …</p>",
            escape(&replay.to_string())
        );
    }
    let _ = write!(
        text,
        "<details><summary>What <code>{}</code> means</summary><p>{}</p></details>",
        finding.rule,
        escape(&finding.rule.summary())
    );
    text + "</article>\n"
}

/// All pairs of a finding that has several, as far as anybody reads them.
fn pairs(finding: &Finding) -> String {
    let count = finding.pairs.len();
    if count < 2 {
        return String::new();
    }
    let rows = finding.pairs.iter().take(PAIRS);
    let rows: String = rows
        .map(|pair| {
            let line = code(&words::pair_line(finding.rule, pair));
            let replay = pair.witness.as_ref().and_then(|it| it.replay.as_ref());
            let replay = replay.map_or_else(String::new, |id| {
                format!(" <span class=\"mono\">{}</span>", escape(&id.to_string()))
            });
            format!("<li>{line}{replay}</li>")
        })
        .collect();
    let more = match count.saturating_sub(PAIRS) {
        0 => String::new(),
        more => format!("<li>… and {} more</li>", grouped(more as u64)),
    };
    format!(
        "<details><summary>{} pairs of a read and a write</summary><ul class=\"plain\">{rows}{more}</ul></details>",
        grouped(count as u64)
    )
}

fn unique<'t>(list: &[&'t str]) -> Vec<&'t str> {
    let mut unique: Vec<&str> = Vec::new();
    for item in list {
        if !unique.contains(item) {
            unique.push(item);
        }
    }
    unique
}

fn list(title: &str, items: impl Iterator<Item = String>) -> String {
    let items: String = items
        .map(|item| format!("<li>{}</li>", code(&item)))
        .collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<h4>{title}</h4><ul class=\"plain\">{items}</ul>")
}

/// What a marked line is.
#[derive(Clone, Copy)]
enum Mark {
    Consumer,
    Producer,
    Other,
}

/// The lines of a finding and what they are.
type Marks<'f> = BTreeMap<(&'f str, u32), Vec<(Mark, String)>>;

fn marks(finding: &Finding) -> Marks<'_> {
    let mut marks = Marks::new();
    let Words { consumer, producer } = words::labels(finding);
    let main = [
        (&finding.consumer, Mark::Consumer, consumer),
        (&finding.producer, Mark::Producer, producer),
        (&finding.branch, Mark::Producer, "the input decides here"),
    ];
    for (place, mark, why) in main {
        if let Some(place) = place {
            let at = marks.entry((place.file.as_str(), place.line)).or_default();
            at.push((mark, why.to_owned()));
        }
    }
    let inputs = finding.inputs.iter();
    let inputs = inputs.map(|place| (place, "input".to_owned()));
    let related = finding.related.iter().map(|related| {
        let why = match &related.event {
            Event::LastCheckpoint => "execution resumes here".to_owned(),
            event => event.to_string(),
        };
        (&related.place, why)
    });
    for (place, why) in inputs.chain(related) {
        let at = marks.entry((place.file.as_str(), place.line)).or_default();
        // An input that is the producer, too, is told as that.
        if why != "input" || at.is_empty() {
            at.push((Mark::Other, why));
        }
    }
    for place in &finding.taint {
        let at = marks.entry((place.file.as_str(), place.line)).or_default();
        if at.is_empty() {
            at.push((Mark::Other, "depends on the input".to_owned()));
        }
    }
    marks
}

/// The marked lines of a file with those around them.
fn excerpt(file: &str, marks: &Marks<'_>, sources: &Sources) -> String {
    let mut text = format!(
        "<div class=\"source\" data-file=\"{0}\" tabindex=\"0\" role=\"group\" aria-label=\"source of {0}\"><div class=\"name\">{0}</div><ol>",
        escape(file)
    );
    let source: Vec<&str> = match sources.get(file) {
        Some(source) => source.lines().collect(),
        None => Vec::new(),
    };
    let marked: Vec<u32> = marks
        .keys()
        .filter(|(name, _)| *name == file)
        .map(|(_, line)| *line)
        .collect();
    let mut last = 0;
    for &line in &marked {
        let from = line.saturating_sub(AROUND).max(last + 1);
        let to = (line + AROUND).min(source.len() as u32).max(line);
        if last > 0 && from > last + 1 {
            text += "<li class=\"gap\"><span class=\"n\">⋮</span></li>";
        }
        for number in from..=to {
            let why = marks.get(&(file, number));
            let row = source.get(number as usize - 1).copied().unwrap_or_default();
            let class = if why.is_some() {
                " class=\"marked\""
            } else {
                ""
            };
            let _ = write!(
                text,
                "<li{class} data-line=\"{number}\"><span class=\"n\">{number}</span><span class=\"text\">{}</span>",
                escape(row)
            );
            for (mark, why) in why.into_iter().flatten() {
                let class = match mark {
                    Mark::Consumer => "consumer",
                    Mark::Producer => "producer",
                    Mark::Other => "other",
                };
                let _ = write!(text, "<span class=\"why {class}\">← {}</span>", escape(why));
            }
            text += "</li>";
        }
        last = to.max(last);
    }
    text + "</ol></div>"
}

fn remarks(document: &Document<'_>) -> String {
    let items: String = document
        .remarks
        .iter()
        .map(|remark| format!("<li>{}</li>", code(remark)))
        .collect();
    format!("<h2>What was assumed</h2><ul class=\"plain card\">{items}</ul>")
}
