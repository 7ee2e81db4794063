//! Findings in words.

use std::collections::BTreeMap;

use brownout_diag::{Event, Evidence, Finding, ObjectRef, Related, Rule, Side, SidedObject};

use super::{Draft, Restarts};
use crate::order::{natural, runs};
use crate::setting::Boundaries;

/// How many steps from an input to a branch are told.
const STEPS: usize = 12;
/// How many writes are shown.
const WRITES: usize = 4;
/// How many names a message has.
const NAMES: usize = 4;

/// `a`, `a and b`, `a, b and c`, with backticks; at most a few.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = names.collect();
    let mut shown: Vec<String> = all
        .iter()
        .take(NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    if all.len() > NAMES {
        shown.push(format!("{} more", all.len() - NAMES));
    }
    match shown.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn resumes(draft: &Draft, finding: &mut Finding) {
    for (restart, place) in draft.resumes.iter().take(3) {
        match (restart, place) {
            (Restarts::Checkpoint, Some(place)) => finding.related.push(Related {
                event: Event::LastCheckpoint,
                place: place.clone(),
            }),
            (Restarts::Task, Some(place)) => finding.related.push(Related {
                event: Event::Other("last transition between tasks".to_owned()),
                place: place.clone(),
            }),
            (Restarts::Function, Some(place)) => finding.related.push(Related {
                event: Event::Other("execution resumes at the start of this function".to_owned()),
                place: place.clone(),
            }),
            (Restarts::Entry, _) => {
                finding
                    .notes
                    .push("after a power failure execution starts from the beginning".to_owned());
            }
            (Restarts::Input, _) => {
                finding.notes.push(
                    "after a power failure execution resumes right before the input".to_owned(),
                );
            }
            (Restarts::Checkpoint | Restarts::Task | Restarts::Function, None) => {}
        }
    }
    finding.notes.dedup();
}

/// Where to save something, if there are checkpoints to save it in.
fn save(draft: &Draft, names: &str) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    for (restart, place) in &draft.resumes {
        match (restart, place) {
            (Restarts::Checkpoint, Some(place)) => {
                places.push(format!("at {}:{}", place.file, place.line));
            }
            (Restarts::Task, Some(place)) => places.push(format!("`{}`", place.function)),
            _ => return None,
        }
    }
    places.dedup();
    let tasks = matches!(draft.resumes.first(), Some((Restarts::Task, _)));
    Some(match (&places[..], tasks) {
        ([], _) => return None,
        ([place], false) => format!("save {names} in the checkpoint {place}"),
        ([first, others @ ..], false) if others.len() < 3 => format!(
            "save {names} in the checkpoints {first}, {}",
            others.join(", ").replace("at ", "")
        ),
        (_, false) => format!("save {names} in every checkpoint"),
        ([place], true) => format!("save {names} when task {place} starts"),
        ([first, others @ ..], true) if others.len() < 3 => format!(
            "save {names} when the tasks {first}, {} start",
            others.join(", ")
        ),
        (_, true) => format!("save {names} when a task starts"),
    })
}

/// What users call the places where execution goes on after this defect.
fn boundaries(draft: &Draft) -> Boundaries {
    let mut resumes = draft.resumes.iter();
    match resumes.any(|(restarts, _)| *restarts == Restarts::Task) {
        true => Boundaries::Tasks,
        false => Boundaries::Checkpoints,
    }
}

/// What to put between two instructions so that they are not repeated together.
fn separate(draft: &Draft, first: &str, second: &str) -> String {
    let what = match boundaries(draft) {
        Boundaries::Checkpoints => "a checkpoint",
        Boundaries::Tasks => "a transition to another task",
    };
    format!("put {what} between {first} and {second}")
}

/// The variables of a draft, in the order of their names; elements that share their sides are one.
fn variables(draft: &mut Draft) -> Vec<SidedObject> {
    let mut by_sides: BTreeMap<Vec<Side>, Vec<ObjectRef>> = BTreeMap::new();
    for variable in std::mem::take(&mut draft.variables).into_values() {
        let objects = by_sides.entry(variable.sides).or_default();
        objects.push(variable.object);
    }
    let mut all = Vec::new();
    for (sides, objects) in by_sides {
        let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
        for (name, members) in runs(&names) {
            let members = || members.iter().map(|&member| &objects[member]);
            let Some(first) = members().next() else {
                continue;
            };
            let start = members().map(|object| object.offset).min().unwrap_or(0);
            let ends = members().map(|object| object.offset + object.size);
            all.push(SidedObject {
                object: ObjectRef {
                    name,
                    whole: first.whole.clone(),
                    id: first.id.clone(),
                    segment: first.segment,
                    offset: start,
                    size: ends.max().unwrap_or(start) - start,
                },
                sides: sides.clone(),
            });
        }
    }
    // Names that pointers make up come last.
    all.sort_by_cached_key(|variable| {
        let name = &variable.object.name;
        (name.starts_with('*'), natural(name))
    });
    all
}

pub(super) fn word_decision(mut draft: Draft) -> Finding {
    let variables = variables(&mut draft);
    let names = list(variables.iter().map(|it| it.object.name.as_str()));
    let verb = if variables.len() == 1 { "is" } else { "are" };
    let message = format!(
        "an input that is read again after a power failure decides whether {names} {verb} written"
    );
    let mut finding = Finding::new(Rule::RepeatedInput, Evidence::Possible, message);
    finding.help.extend(save(&draft, &names));
    finding.help.push(format!(
        "write {names} on every side of the branch, or before it in every attempt"
    ));
    resumes(&draft, &mut finding);
    for (name, place) in draft.writes.iter().take(WRITES) {
        finding.related.push(Related {
            event: Event::Other(format!("`{name}` is written in this branch")),
            place: place.clone(),
        });
    }
    finding.inputs = draft.inputs;
    finding.taint = draft.taint;
    finding.taint.truncate(STEPS);
    finding.branch = Some(draft.place);
    finding.variables = variables;
    finding.also = draft.also;
    finding
}

pub(super) fn word_stray(mut draft: Draft) -> Finding {
    let mut variables = variables(&mut draft);
    // Which elements can be meant says the array.
    for variable in &mut variables {
        let name = &mut variable.object.name;
        if let Some((array, range)) = name.rsplit_once('[')
            && range.contains("..")
        {
            *name = array.to_owned();
        }
    }
    let names = list(variables.iter().map(|it| it.object.name.as_str()));
    let message = format!(
        "an input that is read again after a power failure decides where in {names} is written"
    );
    let mut finding = Finding::new(Rule::TaintedAddress, Evidence::Possible, message);
    finding.help.extend(save(&draft, &names));
    let separated = separate(&draft, "the input", "the write");
    finding.help.push(separated);
    resumes(&draft, &mut finding);
    finding.inputs = draft.inputs;
    finding.taint = draft.taint;
    finding.taint.truncate(STEPS);
    finding.producer = Some(draft.place);
    finding.variables = variables;
    finding.also = draft.also;
    finding
}

pub(super) fn word_war(mut draft: Draft) -> Finding {
    let parts: Vec<&str> = draft.parts.iter().map(String::as_str).collect();
    if let (Some(object), [(part, _)]) = (&mut draft.object, &runs(&parts)[..]) {
        object.name.clone_from(part);
    }
    let name = draft
        .object
        .as_ref()
        .map_or("", |object| &object.name)
        .to_owned();
    let next = match boundaries(&draft) {
        Boundaries::Checkpoints => "checkpoint",
        Boundaries::Tasks => "task",
    };
    let message = format!("`{name}` may be read, then overwritten before the next {next}");
    let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Possible, message);
    finding.help.extend(save(&draft, &format!("`{name}`")));
    let is_one_statement =
        (draft.read.file == draft.place.file) && draft.read.line == draft.place.line;
    finding.help.push(match is_one_statement {
        // Nothing goes between the two.
        true => format!("keep the new value in a copy, and store it to `{name}` after a {next}"),
        false => separate(&draft, "the read", "the write"),
    });
    resumes(&draft, &mut finding);
    if !draft.others.is_empty() {
        let others = list(draft.others.iter().map(String::as_str));
        finding.notes.push(format!("so may {others}"));
    }
    finding.inputs = draft.inputs;
    finding.taint = draft.taint;
    finding.taint.truncate(STEPS);
    finding.object = draft.object;
    finding.also = draft.also;
    finding.subject = draft.subject;
    finding.consumer = Some(draft.read);
    finding.producer = Some(draft.place);
    finding
}
