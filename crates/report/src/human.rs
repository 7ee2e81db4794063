//! Findings for people: source snippets with all places of the story marked.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use brownout_diag::{Event, Finding, Severity, SourcePlace, Words};

use crate::effects;
use crate::extent::extent;
use crate::source::Sources;
use crate::words;

/// How many effects are spelled out.
const EFFECTS: usize = 5;

/// How many pairs of a finding are told, the first one by marks in the source.
const PAIRS: usize = 3;

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What is needed to understand and mend it.
    Usual,
    /// All effects and pairs, and the calls that led to each place, too.
    Everything,
}

/// Renders one finding and names those that the same power failure shows. `arguments` is what
/// `brownout replay` needs behind the id.
pub fn human(
    finding: &Finding,
    together: &[&Finding],
    sources: &Sources,
    renderer: &Renderer,
    arguments: &str,
    detail: Detail,
) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let marks = marks(finding);
    let title = level
        .primary_title(finding.message.as_str())
        .id(finding.rule.name());
    let mut group = Group::with_title(title);
    // The file of the primary place comes first, then the others.
    let mut files: Vec<&str> = Vec::new();
    for mark in &marks {
        if !files.contains(&mark.place.file.as_str()) {
            files.push(&mark.place.file);
        }
    }
    for file in files {
        let Some(text) = sources.get(file) else {
            continue;
        };
        let mut snippet = Snippet::source(text.as_str()).path(file);
        let mut any = false;
        for mark in marks.iter().filter(|mark| mark.place.file == file) {
            if let Some(range) = extent(text, mark.place.line, mark.place.column) {
                snippet = snippet.annotation(mark.kind.span(range).label(mark.label.as_str()));
                any = true;
            }
        }
        if any {
            group = group.element(snippet);
        }
    }
    for mark in marks
        .iter()
        .filter(|mark| !sources.contains_key(&mark.place.file))
    {
        group = group.element(Level::NOTE.message(format!("{} at {}", mark.label, mark.place)));
    }
    let spelled_out = match detail {
        Detail::Usual => EFFECTS,
        Detail::Everything => usize::MAX,
    };
    for effect in finding.effects.iter().take(spelled_out) {
        let text = format!("it {}", effects::describe(effect));
        group = group.element(Level::NOTE.with_name("effect").message(text));
    }
    if finding.effects.len() > spelled_out {
        let text = format!("… and {} more", finding.effects.len() - spelled_out);
        group = group.element(Level::NOTE.with_name("effect").message(text));
    }
    for line in pairs(finding, detail) {
        group = group.element(Level::NOTE.with_name("pair").message(line));
    }
    for other in together {
        let text = format!("the same power failure shows: {}", in_brief(other));
        group = group.element(Level::NOTE.with_name("together").message(text));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if detail == Detail::Everything {
        for call in calls(finding) {
            group = group.element(Level::NOTE.message(call));
        }
    }
    if !finding.help.is_empty() {
        group = group.element(Level::HELP.message(finding.help.join(", or ")));
    }
    if let Some(replay) = &finding.replay {
        let command = format!("brownout replay {replay} {arguments}");
        group = group.element(Level::NOTE.with_name("replay").message(command));
    }
    let rendered = renderer.render(&[group]);
    match marks.first() {
        Some(mark) => positioned(rendered, mark.place, sources),
        None => rendered,
    }
}

/// The pairs of a finding that are told in words: the first one is marked in the source.
fn pairs(finding: &Finding, detail: Detail) -> Vec<String> {
    let told = match detail {
        Detail::Usual => PAIRS - 1,
        Detail::Everything => usize::MAX,
    };
    let others = finding.pairs.iter().skip(1);
    let mut lines: Vec<String> = others
        .take(told)
        .map(|pair| format!("also {}", words::pair_line(finding.rule, pair)))
        .collect();
    let more = finding.pairs.len().saturating_sub(1 + lines.len());
    if more > 0 {
        lines.push(format!(
            "… and {} of a read and a write: -v lists them",
            brownout_diag::plural(more as u64, "more pair")
        ));
    }
    lines
}

/// A finding in one line.
fn in_brief(finding: &Finding) -> String {
    let place = finding.primary();
    let place = place.map_or_else(String::new, |place| format!(", at {place}"));
    format!("[{}] {}{place}", finding.rule, finding.message)
}

/// The renderer prints where the underlined statement begins; the position that the other formats
/// give, and that editors jump to, is the place itself.
fn positioned(rendered: String, place: &SourcePlace, sources: &Sources) -> String {
    let underlined = sources.get(&place.file).and_then(|text| {
        let range = extent(text, place.line, place.column)?;
        let row = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        Some(text[row..range.start].chars().count() + 1)
    });
    let Some((column, arrow)) = underlined.zip(rendered.find("-->")) else {
        return rendered;
    };
    if place.column == 0 {
        return rendered;
    }
    let (title, rest) = rendered.split_at(arrow);
    let printed = format!("{}:{}:{column}", place.file, place.line);
    let wanted = format!("{}:{}:{}", place.file, place.line, place.column);
    format!("{title}{}", rest.replacen(&printed, &wanted, 1))
}

/// The calls that led to the places of a finding.
fn calls(finding: &Finding) -> Vec<String> {
    let places = [&finding.consumer, &finding.producer, &finding.branch];
    let path = |place: &SourcePlace| {
        let line = place.line;
        (!place.stack.is_empty()).then(|| format!("line {line} in {}", place.stack.join(" > ")))
    };
    let mut calls: Vec<String> = places.into_iter().flatten().filter_map(path).collect();
    calls.dedup();
    calls
}

struct Mark<'f> {
    place: &'f SourcePlace,
    label: String,
    kind: AnnotationKind,
}

/// The way from an input to what depends on it, without its ends.
fn steps(finding: &Finding) -> Vec<Mark<'_>> {
    let ends = finding
        .inputs
        .iter()
        .chain(&finding.branch)
        .chain(&finding.producer);
    let ends: Vec<_> = ends.map(|place| (&place.file, place.line)).collect();
    let mut shown: Vec<(&String, u32)> = Vec::new();
    let mut steps = Vec::new();
    for place in &finding.taint {
        let line = (&place.file, place.line);
        // One mark in a line is enough to follow.
        if !ends.contains(&line) && !shown.contains(&line) {
            shown.push(line);
            steps.push(Mark {
                place,
                label: "depends on the input".to_owned(),
                kind: AnnotationKind::Context,
            });
        }
    }
    steps
}

/// The places of a finding in the order of the story, the producer as the primary one.
fn marks(finding: &Finding) -> Vec<Mark<'_>> {
    let Words { consumer, producer } = words::labels(finding);
    let mut marks = Vec::new();
    let same = finding.consumer.as_ref().map(SourcePlace::position)
        == finding.producer.as_ref().map(SourcePlace::position);
    if let Some(place) = &finding.producer {
        let label = if same {
            format!("{consumer}; {producer}")
        } else {
            producer.to_owned()
        };
        marks.push(Mark {
            place,
            label,
            kind: AnnotationKind::Primary,
        });
    }
    if let (Some(place), false) = (&finding.consumer, same) {
        marks.push(Mark {
            place,
            label: consumer.to_owned(),
            kind: AnnotationKind::Context,
        });
    }
    if let Some(place) = &finding.branch {
        marks.push(Mark {
            place,
            label: "the input decides here".to_owned(),
            kind: AnnotationKind::Primary,
        });
    }
    for place in &finding.inputs {
        marks.push(Mark {
            place,
            label: "input".to_owned(),
            kind: AnnotationKind::Context,
        });
    }
    marks.extend(steps(finding));
    // What is to be looked at first is the primary mark.
    if let [produced, consumed] = &mut marks[..]
        && finding.primary() == Some(consumed.place)
    {
        std::mem::swap(&mut produced.kind, &mut consumed.kind);
        marks.swap(0, 1);
    }
    for related in &finding.related {
        let label = match &related.event {
            Event::LastCheckpoint => "execution resumes here after a power failure".to_owned(),
            event @ Event::TaskBegins(_) => format!("{event} again here after a power failure"),
            Event::Other(words) => words.clone(),
        };
        marks.push(Mark {
            place: &related.place,
            label,
            kind: AnnotationKind::Context,
        });
    }
    marks
}

#[cfg(test)]
mod tests {
    use annotate_snippets::Renderer;
    use brownout_diag::{Event, Evidence, Finding, Related, Rule, SourcePlace};

    use super::{Detail, Sources, human};

    const TEXT: &str = "int count;\nint main(void) {\n    checkpoint();\n    int i = count;\n    \
                        count = i + 1;\n}\n";

    fn place(file: &str, line: u32, column: u32) -> SourcePlace {
        SourcePlace {
            file: file.into(),
            line,
            column,
            function: "main".into(),
            stack: Vec::new(),
        }
    }

    fn finding(consumer_file: &str) -> Finding {
        let message = "`count` is read, then overwritten before the next checkpoint";
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, message);
        finding.consumer = Some(place(consumer_file, 4, 13));
        finding.producer = Some(place("sense.c", 5, 11));
        finding.related.push(Related {
            event: Event::LastCheckpoint,
            place: place("sense.c", 3, 5),
        });
        finding
    }

    fn rendered(finding: &Finding) -> String {
        let sources = ["sense.c", "other.c"].map(|file| (file.to_owned(), TEXT.to_owned()));
        let sources: Sources = sources.into_iter().collect();
        human(
            finding,
            &[],
            &sources,
            &Renderer::plain(),
            "sense.c",
            Detail::Usual,
        )
    }

    #[test]
    fn the_position_is_the_place_and_the_statement_is_underlined() {
        let expected = "\
error[war]: `count` is read, then overwritten before the next checkpoint
 --> sense.c:5:11
  |
3 |     checkpoint();
  |     ------------ execution resumes here after a power failure
4 |     int i = count;
  |             ----- first read
5 |     count = i + 1;
  |     ^^^^^^^^^^^^^ overwritten here";
        assert_eq!(rendered(&finding("sense.c")), expected);
    }

    #[test]
    fn the_file_of_the_producer_comes_first() {
        let expected = "\
error[war]: `count` is read, then overwritten before the next checkpoint
 --> sense.c:5:11
  |
3 |     checkpoint();
  |     ------------ execution resumes here after a power failure
4 |     int i = count;
5 |     count = i + 1;
  |     ^^^^^^^^^^^^^ overwritten here
  |
 ::: other.c:4:13
  |
4 |     int i = count;
  |             ----- first read";
        assert_eq!(rendered(&finding("other.c")), expected);
    }
}
