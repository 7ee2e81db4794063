//! The story of a failure for people: one line per step, source on the left,
//! what happens on the right, the continuous run beside it where it differs.

use std::fmt::Write as _;

use brownout_diag::{
    Action, Amid, Attempt, Compared, Ending, ResumePoint, SourcePlace, Step, Story, Torn, Watched,
};

use crate::effects;
use crate::source::{self, Sources};
use crate::words;

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
        let _ = writeln!(text, "\n{}", words::attempt(number));
        let mut lines = Vec::new();
        if number == 0 {
            lines.push(checkpoint_line(story));
        }
        lines.extend(attempt_lines(attempt));
        printer.print(&mut text, &lines);
        if let Ending::PowerFailure { amid } = attempt.ending {
            failure(&mut text, story, attempt, amid);
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
    let id = &story.id;
    let times = match id.failures() {
        1 => "power fails".to_owned(),
        2 => "power fails twice in a row,".to_owned(),
        times => format!("power fails {times} times in a row,"),
    };
    let is_same = id.further.iter().all(|&distance| distance == id.distance);
    let instructions = match id.further.split_last() {
        Some((last, others)) if !is_same => {
            let others = [&id.distance].into_iter().chain(others);
            let others: Vec<String> = others.map(u64::to_string).collect();
            let last = brownout_diag::plural(*last, "instruction");
            format!("{} and {last}", others.join(", "))
        }
        _ => brownout_diag::plural(id.distance, "instruction"),
    };
    let behind = match id.resume {
        ResumePoint::Commit(0) => "the start of the program".to_owned(),
        ResumePoint::Commit(number) => format!("checkpoint {number}"),
        ResumePoint::Instruction(time) => {
            format!("a checkpoint after instruction {time}")
        }
    };
    format!("replay {id}: {times} {instructions} after {behind}\n")
}

fn checkpoint_line(story: &Story) -> Line<'_> {
    Line {
        place: story.checkpoint.as_ref(),
        action: with_values(words::beginning(story), &story.values),
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
            let (action, continuous) = words::action(&step.action);
            lines.push(Line {
                place: step.place.as_ref(),
                action,
                continuous,
            });
        }
        lines.extend(again(cycle));
    }
    if attempt.left_out > 0 {
        let steps = brownout_diag::plural(attempt.left_out, "step");
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
    let (last, continuous) = words::action(&again.last);
    let last = match (&again.last, cycle.len()) {
        (Action::Read { value, .. } | Action::Write { value, .. }, 1) => {
            format!("last value {}", value.intermittent)
        }
        (Action::PassedCheckpoint | Action::Commit, _) => {
            return Some(note(format!("… {steps}{times}")));
        }
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

fn ending(attempt: &Attempt) -> Option<Line<'_>> {
    let (action, continuous) = words::ending(&attempt.ending)?;
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

/// Which bytes of a torn store are written.
fn written(torn: Torn, size: u32) -> String {
    let bits = match torn {
        Torn::First(count) => {
            return format!("  {count} of the {size} bytes that it stores are written\n");
        }
        Torn::Bytes(bits) => bits,
    };
    let bytes: Vec<u32> = (0..size).filter(|byte| torn.has(*byte)).collect();
    let is_last = bits.trailing_zeros() + bytes.len() as u32 == size;
    let which = match bytes.len() {
        1 if is_last => "the last one is".to_owned(),
        count if is_last => format!("the last {count} are"),
        count => {
            let numbers: Vec<String> = bytes.iter().map(|byte| (byte + 1).to_string()).collect();
            let verb = if count == 1 { "is" } else { "are" };
            format!("number {} {verb}", numbers.join(", "))
        }
    };
    format!("  of the {size} bytes that it stores, {which} written\n")
}

/// What the failure leaves behind.
fn failure(text: &mut String, story: &Story, attempt: &Attempt, amid: Option<Amid>) {
    let when = words::failure(amid);
    let after = match (&attempt.place, amid) {
        (Some(place), _) => format!("{when} {}:{}", place.file, place.line),
        (None, Some(Amid::Store { .. })) => format!("{when} a store"),
        (None, Some(Amid::Output { .. })) => format!("{when} an output"),
        (None, None) => "power fails".to_owned(),
    };
    let _ = writeln!(text, "\n{after}");
    let how_far = match amid {
        Some(Amid::Store { torn, size }) => written(torn, size),
        Some(Amid::Output { done, takes }) => {
            format!("  {done} of the {takes} instructions that the output takes have passed\n")
        }
        None => String::new(),
    };
    text.push_str(&how_far);
    let _ = writeln!(text, "  {}", words::return_to(story));
    let width = attempt
        .values
        .iter()
        .filter_map(|watched| Some(assignment(watched, watched.value.as_ref()?).chars().count()))
        .max();
    for watched in &attempt.values {
        let Some(value) = &watched.value else {
            continue;
        };
        let _ = writeln!(
            text,
            "  {:width$}  {}",
            assignment(watched, value),
            words::fate(story, watched.retention, value),
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
    text.push_str(match story.id.failures() {
        1 => "the power failure\n",
        _ => "the last power failure\n",
    });
    for effect in &story.effects {
        let _ = writeln!(text, "  {}", effects::describe(effect));
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
            let mut code = String::new();
            if let Some(place) = line.place {
                let heading = (place.file.clone(), place.function.clone());
                if self.heading.as_ref() != Some(&heading) {
                    let _ = writeln!(text, "  --> {}, in {}", place.file, place.function);
                    self.heading = Some(heading);
                    last = None;
                }
                if last != Some(place.line) {
                    number = place.line.to_string();
                    code = source_line(self.sources, place).unwrap_or_default();
                }
                last = Some(place.line);
            }
            let mut row = format!(
                "  {number:>4} | {code:source_width$}  {}",
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
    let line = source::line(sources, &place.file, place.line)?.trim();
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
