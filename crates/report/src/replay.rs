//! The story of a failure for people: one line per step, source on the left,
//! what happens on the right, the continuous run beside it where it differs.

use std::fmt::Write as _;

use brownout_diag::{
    Action, AlsoContinuous, Attempt, Compared, Continuous, Ending, ResumePoint, Retention,
    SourcePlace, Step, Story, Watched,
};

use crate::effects;
use crate::human::Sources;

/// The widest piece of source text.
const WIDEST_SOURCE: usize = 44;
/// The widest description that still shares its line with the continuous run.
const WIDEST_ACTION: usize = 44;

/// Renders a story.
pub fn replay(story: &Story, sources: &Sources) -> String {
    let mut text = headline(story);
    let mut printer = Printer {
        sources,
        source_width: source_width(story, sources),
        action_width: action_width(story),
        heading: None,
    };
    for (number, attempt) in story.attempts.iter().enumerate() {
        let _ = writeln!(text, "\n{}", ordinal(number));
        let mut lines = Vec::new();
        if number == 0 {
            lines.push(checkpoint_line(story));
        }
        lines.extend(attempt_lines(attempt));
        printer.print(&mut text, &lines);
        if attempt.ending == Ending::PowerFailure {
            failure(&mut text, story, attempt);
        }
    }
    text.push('\n');
    conclusion(&mut text, story);
    text
}

/// One line of a table.
struct Line<'s> {
    place: Option<&'s SourcePlace>,
    action: String,
    continuous: Option<String>,
}

fn headline(story: &Story) -> String {
    let id = story.id;
    let times = match id.failures.get() {
        1 => "power fails".to_owned(),
        2 => "power fails twice in a row,".to_owned(),
        times => format!("power fails {times} times in a row,"),
    };
    let instructions = plural(id.distance, "instruction");
    let behind = match id.resume {
        ResumePoint::Commit(0) => "the start of the program".to_owned(),
        ResumePoint::Commit(number) => format!("checkpoint {number}"),
        ResumePoint::Instruction(time) => {
            format!("a checkpoint behind instruction {time}")
        }
    };
    format!("replay {id}: {times} {instructions} after {behind}\n")
}

fn checkpoint_line(story: &Story) -> Line<'_> {
    let what = match story.id.resume {
        ResumePoint::Commit(0) => "start of the program".to_owned(),
        ResumePoint::Commit(number) => format!("checkpoint {number}"),
        ResumePoint::Instruction(_) => "checkpoint before this".to_owned(),
    };
    Line {
        place: story.checkpoint.as_ref(),
        action: with_values(what, &story.values),
        continuous: None,
    }
}

/// `what: a = 1, b = 2`.
fn with_values(what: String, values: &[Watched]) -> String {
    let list: Vec<String> = values
        .iter()
        .filter_map(|watched| {
            let value = watched.value.as_ref()?;
            Some(format!("{} = {}", watched.object, value.intermittent))
        })
        .collect();
    if list.is_empty() {
        what
    } else {
        format!("{what}: {}", list.join(", "))
    }
}

fn attempt_lines(attempt: &Attempt) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for cycle in cycles(&attempt.steps) {
        for step in cycle {
            let (action, continuous) = describe(&step.action);
            lines.push(Line {
                place: step.place.as_ref(),
                action,
                continuous,
            });
        }
        lines.extend(again(cycle));
    }
    if attempt.left_out > 0 {
        let steps = plural(attempt.left_out, "step");
        lines.push(note(format!("… and {steps} that are not shown")));
    }
    if let Some(line) = ending(attempt) {
        lines.push(line);
    }
    lines
}

/// Steps of one loop together; all others alone.
fn cycles(steps: &[Step]) -> Vec<&[Step]> {
    let repeats = |step: &Step| {
        let again = step.again.as_ref();
        again.map(|again| (again.times, again.cycle))
    };
    steps
        .chunk_by(|a, b| repeats(a) == repeats(b))
        .flat_map(|chunk| {
            let length = chunk
                .first()
                .and_then(repeats)
                .map_or(1, |(_, cycle)| cycle);
            chunk.chunks(length.max(1))
        })
        .collect()
}

/// How often the steps of a loop repeat, and what the last of them did in the end.
fn again(cycle: &[Step]) -> Option<Line<'static>> {
    let again = cycle.last()?.again.as_ref()?;
    let times = match again.times {
        1 => "once more".to_owned(),
        times => format!("{times} more times"),
    };
    let steps = match cycle.len() {
        1 => String::new(),
        count => format!("these {count} steps "),
    };
    let (last, continuous) = describe(&again.last);
    let last = match (&again.last, cycle.len()) {
        (Action::Read { value, .. } | Action::Write { value, .. }, 1) => {
            format!("last value {}", value.intermittent)
        }
        (Action::PassedCheckpoint, _) => return Some(note(format!("… {steps}{times}"))),
        _ => format!("last: {last}"),
    };
    Some(Line {
        continuous,
        ..note(format!("… {steps}{times}, {last}"))
    })
}

/// A line that belongs to no place.
fn note(action: String) -> Line<'static> {
    Line {
        place: None,
        action,
        continuous: None,
    }
}

fn describe(action: &Action) -> (String, Option<String>) {
    match action {
        Action::Read { object, value } => (
            format!("reads {object}: {}", value.intermittent),
            other(value),
        ),
        Action::Write { object, value } => (
            format!("sets {object} = {}", value.intermittent),
            other(value),
        ),
        Action::Input { input, value } => (
            format!("input {input} gives {}", value.intermittent),
            other(value),
        ),
        Action::Output { output, arguments } => (
            format!("output {output}({})", arguments.intermittent),
            other(arguments).map(|arguments| format!("{output}({arguments})")),
        ),
        Action::Text { text } => (
            format!("prints {:?}", text.intermittent),
            other(text).map(|text| format!("{text:?}")),
        ),
        Action::PassedCheckpoint => ("checkpoint call, does not commit".to_owned(), None),
        Action::Departure {
            continuous,
            intermittent,
        } => {
            if continuous == intermittent {
                return ("leaves the path".to_owned(), None);
            }
            let line = |place: &Option<SourcePlace>| place.as_ref().map(|place| place.line);
            let spell = if line(continuous) == line(intermittent) {
                in_full
            } else {
                in_brief
            };
            (
                format!("leaves the path: goes to {}", spell(intermittent)),
                Some(format!("goes to {}", spell(continuous))),
            )
        }
    }
}

fn other(value: &Compared) -> Option<String> {
    match &value.continuous {
        Continuous::Other(other) => Some(other.clone()),
        Continuous::Same | Continuous::Elsewhere => None,
    }
}

fn in_brief(place: &Option<SourcePlace>) -> String {
    match place {
        Some(place) => format!("line {}", place.line),
        None => "code without a place".to_owned(),
    }
}

fn in_full(place: &Option<SourcePlace>) -> String {
    match place {
        Some(place) => place.to_string(),
        None => "code without a place".to_owned(),
    }
}

fn ending(attempt: &Attempt) -> Option<Line<'_>> {
    let (action, continuous) = match &attempt.ending {
        Ending::PowerFailure => return None,
        Ending::Committed => ("reaches the next checkpoint".to_owned(), None),
        Ending::Exited { status } => (
            format!("the program ends with status {}", status.intermittent),
            other(status),
        ),
        Ending::Crashed {
            crash,
            message,
            also_continuous,
        } => (
            format!("crashes ({crash}): {message}"),
            Some(match also_continuous {
                AlsoContinuous::Yes => "crashes as well".to_owned(),
                AlsoContinuous::No => "goes on".to_owned(),
            }),
        ),
        Ending::WindowOver => ("the energy of the device ends here".to_owned(), None),
        Ending::GivenUp { budget } => (
            format!(
                "does not reach the next checkpoint within {}",
                plural(*budget, "instruction")
            ),
            None,
        ),
    };
    let place = match attempt.ending {
        // Where it happens to be when the budget is over says nothing.
        Ending::GivenUp { .. } => None,
        _ => attempt.place.as_ref(),
    };
    Some(Line {
        place,
        action,
        continuous,
    })
}

/// What the failure leaves behind.
fn failure(text: &mut String, story: &Story, attempt: &Attempt) {
    let after = match &attempt.place {
        Some(place) => format!(" after {}:{}", place.file, place.line),
        None => String::new(),
    };
    let _ = writeln!(text, "\npower fails{after}");
    let back = match (story.id.resume, &story.checkpoint) {
        (ResumePoint::Commit(0), _) => "the program starts again".to_owned(),
        (ResumePoint::Commit(number), Some(place)) => {
            format!("back to checkpoint {number}, {}:{}", place.file, place.line)
        }
        (ResumePoint::Instruction(_), Some(place)) => {
            format!(
                "back to the checkpoint, before {}:{}",
                place.file, place.line
            )
        }
        (_, None) => "back to the checkpoint".to_owned(),
    };
    let _ = writeln!(text, "  {back}");
    let width = attempt
        .values
        .iter()
        .filter_map(|watched| Some(assignment(watched, watched.value.as_ref()?).chars().count()))
        .max();
    let origin = match story.id.resume {
        ResumePoint::Commit(0) => "start",
        ResumePoint::Commit(_) | ResumePoint::Instruction(_) => "checkpoint",
    };
    for watched in &attempt.values {
        let Some(value) = &watched.value else {
            continue;
        };
        let fate = match watched.retention {
            Retention::Kept => "non-volatile: stays as it is",
            Retention::Restored => "restored",
        };
        let at_checkpoint = match &value.continuous {
            Continuous::Other(other) => format!("; was {other} at the {origin}"),
            Continuous::Same | Continuous::Elsewhere => String::new(),
        };
        let _ = writeln!(
            text,
            "  {:width$}  {fate}{at_checkpoint}",
            assignment(watched, value),
            width = width.unwrap_or_default()
        );
    }
}

fn assignment(watched: &Watched, value: &Compared) -> String {
    format!("{} = {}", watched.object, value.intermittent)
}

fn conclusion(text: &mut String, story: &Story) {
    if story.effects.is_empty() {
        text.push_str("no difference: a continuous run ends in the same state\n");
        return;
    }
    text.push_str("the power failure\n");
    for effect in &story.effects {
        let _ = writeln!(text, "  {}", effects::describe(effect));
    }
}

fn ordinal(number: usize) -> String {
    match number {
        0 => "first attempt".to_owned(),
        1 => "second attempt".to_owned(),
        2 => "third attempt".to_owned(),
        number => format!("attempt {}", number + 1),
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 {
        format!("1 {word}")
    } else {
        format!("{count} {word}s")
    }
}

/// Prints lines in columns, with a heading where the file or the function changes.
struct Printer<'s> {
    sources: &'s Sources,
    source_width: usize,
    action_width: usize,
    heading: Option<(String, String)>,
}

impl Printer<'_> {
    fn print(&mut self, text: &mut String, lines: &[Line<'_>]) {
        self.heading = None;
        let mut last = None;
        for line in lines {
            let mut number = String::new();
            let mut source = String::new();
            if let Some(place) = line.place {
                let heading = (place.file.clone(), place.function.clone());
                if self.heading.as_ref() != Some(&heading) {
                    let _ = writeln!(text, "  --> {}, in {}", place.file, place.function);
                    self.heading = Some(heading);
                    last = None;
                }
                if last != Some(place.line) {
                    number = place.line.to_string();
                    source = source_line(self.sources, place).unwrap_or_default();
                }
                last = Some(place.line);
            }
            let mut row = format!(
                "  {number:>4} | {source:source_width$}  {}",
                line.action,
                source_width = self.source_width
            );
            if let Some(continuous) = &line.continuous {
                let padding = self
                    .action_width
                    .saturating_sub(line.action.chars().count());
                let _ = write!(row, "{:padding$}  (continuous run: {continuous})", "");
            }
            let _ = writeln!(text, "{}", row.trim_end());
        }
    }
}

/// The text of a source line, shortened.
fn source_line(sources: &Sources, place: &SourcePlace) -> Option<String> {
    let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
    let line = sources.get(&place.file)?.lines().nth(index)?.trim();
    if line.chars().count() <= WIDEST_SOURCE {
        return Some(line.to_owned());
    }
    let start: String = line.chars().take(WIDEST_SOURCE - 1).collect();
    Some(start + "…")
}

fn source_width(story: &Story, sources: &Sources) -> usize {
    let lines = story.attempts.iter().flat_map(attempt_lines);
    lines
        .filter_map(|line| line.place)
        .chain(story.checkpoint.as_ref())
        .filter_map(|place| source_line(sources, place))
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0)
}

fn action_width(story: &Story) -> usize {
    story
        .attempts
        .iter()
        .flat_map(attempt_lines)
        .filter(|line| line.continuous.is_some())
        .map(|line| line.action.chars().count())
        .filter(|&width| width <= WIDEST_ACTION)
        .max()
        .unwrap_or(0)
}
