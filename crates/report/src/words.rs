//! The parts of a story in words: what every format says alike.

use std::sync::Arc;

use brownout_diag::{
    Action, AlsoContinuous, Amid, Compared, Continuous, Ending, Finding, Pair, ResumePoint,
    Retention, Rule, SourcePlace, Story, Words, plural,
};

/// Where a story begins.
pub(crate) fn beginning(story: &Story) -> String {
    match story.id.resume {
        ResumePoint::Commit(0) => "start of the program".to_owned(),
        ResumePoint::Commit(number) => format!("checkpoint {number}"),
        ResumePoint::Instruction(_) => "checkpoint before this".to_owned(),
    }
}

/// Where execution goes on after the failure.
pub(crate) fn return_to(story: &Story) -> String {
    match (story.id.resume, &story.checkpoint) {
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
    }
}

/// What the failure does to an object.
pub(crate) fn fate(story: &Story, retention: Retention, value: &Compared) -> String {
    let fate = match retention {
        Retention::Kept => "non-volatile: stays as it is",
        Retention::Restored => "restored",
        Retention::Lost => "a device register: no checkpoint saves it",
    };
    let origin = match story.id.resume {
        ResumePoint::Commit(0) => "start",
        ResumePoint::Commit(_) | ResumePoint::Instruction(_) => "checkpoint",
    };
    match &value.continuous {
        Continuous::Other(other) => format!("{fate}; was {other} at the {origin}"),
        Continuous::Same | Continuous::Elsewhere => fate.to_owned(),
    }
}

/// What a step does, and what the continuous execution does instead.
pub(crate) fn action(action: &Action) -> (String, Option<String>) {
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
        Action::Commit => ("reaches the next checkpoint".to_owned(), None),
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

/// The value of the continuous execution, if it is another one.
pub(crate) fn other(value: &Compared) -> Option<String> {
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

/// When power fails, as the beginning of a sentence that goes on with a place.
pub(crate) fn failure(amid: Option<Amid>) -> &'static str {
    match amid {
        None => "power fails after",
        Some(_) => "power fails in the middle of",
    }
}

/// How an attempt ends, unless power fails, and what the continuous execution does instead.
pub(crate) fn ending(ending: &Ending) -> Option<(String, Option<String>)> {
    Some(match ending {
        Ending::PowerFailure { .. } => return None,
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
        Ending::Met => (
            "is where a continuous run is, at another time".to_owned(),
            None,
        ),
        Ending::Followed => ("is followed up to here".to_owned(), None),
        Ending::GivenUp { budget } => (
            format!(
                "does not reach the next checkpoint within {}",
                plural(*budget, "instruction")
            ),
            None,
        ),
    })
}

/// What the attempt of this number, from 0, is called.
pub(crate) fn attempt(number: usize) -> String {
    match number {
        0 => "first attempt".to_owned(),
        1 => "second attempt".to_owned(),
        2 => "third attempt".to_owned(),
        number => format!("attempt {}", number + 1),
    }
}

/// The calls that lead to a place: `swap_run > write_magic (flash.c:41)`.
pub fn way(place: &SourcePlace) -> String {
    let calls = place.stack.join(" > ");
    match place.line {
        0 => calls,
        line => format!("{calls} ({}:{line})", place.file),
    }
}

/// A pair in one line: what, where and where.
pub(crate) fn pair_line(rule: Rule, pair: &Pair) -> String {
    let Words { consumer, producer } = rule.done();
    let object = match rule {
        Rule::MemoryMap => pair.object.name.clone(),
        _ => format!("`{}`", pair.object.name),
    };
    let part = |what: &str, place: &Option<Arc<SourcePlace>>| match place {
        Some(place) => format!("{what} at {place}"),
        None => what.to_owned(),
    };
    format!(
        "{object} {}, {}: {}",
        part(consumer, &pair.consumer),
        part(producer, &pair.producer),
        pair.evidence
    )
}

/// What stands beside the two places of a finding: with a failure, if one was emulated.
pub(crate) fn labels(finding: &Finding) -> Words {
    let labels = finding.rule.labels();
    match finding.effects.is_empty() {
        true => labels,
        false => Words {
            producer: finding.rule.failure(),
            ..labels
        },
    }
}
