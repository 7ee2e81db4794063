//! The way through the program that a power failure takes: first attempt, failure, restore, second
//! attempt, as a list of stops. Told from a story where there is one, outlined from the places of a
//! finding where there is none.

use brownout_diag::{Action, Ending, Finding, SourcePlace, Story, Watched};

use crate::words;

/// Steps of an attempt that are listed; the last ones lead to its end.
const STEPS: usize = 100;

/// One stop on the way.
#[derive(Clone, Debug)]
pub(crate) struct Stop<'s> {
    /// The attempt it belongs to, from 0.
    pub(crate) attempt: usize,
    pub(crate) kind: Kind,
    pub(crate) place: Option<&'s SourcePlace>,
    pub(crate) text: String,
    /// What a step does.
    pub(crate) action: Option<&'s Action>,
    pub(crate) importance: Importance,
    /// What the objects concerned are then.
    pub(crate) values: &'s [Watched],
}

/// What a stop is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Checkpoint,
    Step,
    PowerFailure,
    Restore,
    End,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Checkpoint => "checkpoint",
            Kind::Step => "step",
            Kind::PowerFailure => "power-failure",
            Kind::Restore => "restore",
            Kind::End => "end",
        }
    }
}

/// How much a stop matters to the reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Importance {
    Essential,
    Important,
    Unimportant,
}

/// The stops of a story.
pub(crate) fn told(story: &Story) -> Vec<Stop<'_>> {
    let mut stops = vec![Stop {
        attempt: 0,
        kind: Kind::Checkpoint,
        place: story.checkpoint.as_ref(),
        text: words::beginning(story),
        action: None,
        importance: Importance::Essential,
        values: &story.values,
    }];
    for (number, attempt) in story.attempts.iter().enumerate() {
        let stop = |kind, place, text| Stop {
            attempt: number,
            kind,
            place,
            text,
            action: None,
            importance: Importance::Essential,
            values: &attempt.values,
        };
        let steps = attempt.steps.len();
        for (index, step) in attempt.steps.iter().enumerate() {
            if index >= STEPS / 2 && index + STEPS / 2 < steps {
                continue;
            }
            let (action, continuous) = words::action(&step.action);
            let importance = match (&continuous, number) {
                (Some(_), _) => Importance::Essential,
                (None, 0) => Importance::Important,
                (None, _) => Importance::Unimportant,
            };
            let continuous = continuous.map(|other| format!(" (continuous run: {other})"));
            stops.push(Stop {
                importance,
                action: Some(&step.action),
                values: &step.values,
                ..stop(
                    Kind::Step,
                    step.place.as_ref(),
                    action + &continuous.unwrap_or_default(),
                )
            });
        }
        match words::ending(&attempt.ending) {
            None => {
                let place = attempt.place.as_ref();
                let amid = match attempt.ending {
                    Ending::PowerFailure { amid } => amid,
                    _ => None,
                };
                stops.push(stop(
                    Kind::PowerFailure,
                    place,
                    format!("{} this", words::failure(amid)),
                ));
                let values = attempt.values.iter().filter_map(|watched| {
                    let value = watched.value.as_ref()?;
                    let fate = words::fate(story, watched.retention, value);
                    Some(format!(
                        "; {} = {}, {fate}",
                        watched.object, value.intermittent
                    ))
                });
                let text = words::return_to(story) + &values.collect::<String>();
                stops.push(Stop {
                    attempt: number + 1,
                    ..stop(Kind::Restore, story.checkpoint.as_ref(), text)
                });
            }
            Some((text, continuous)) => {
                let continuous = continuous.map(|other| format!(" (continuous run: {other})"));
                let place = match attempt.ending {
                    Ending::GivenUp { .. } => None,
                    _ => attempt.place.as_ref(),
                };
                stops.push(stop(
                    Kind::End,
                    place,
                    text + &continuous.unwrap_or_default(),
                ));
            }
        }
    }
    stops
}

/// The stops that a finding implies: nothing was emulated, so nothing has a value.
pub(crate) fn outlined(finding: &Finding) -> Vec<Stop<'_>> {
    let (Some(consumer), Some(producer)) = (&finding.consumer, &finding.producer) else {
        return Vec::new();
    };
    let object = finding.object.as_ref();
    let object = object.map_or_else(|| "the object".to_owned(), |object| object.name.clone());
    let checkpoint = finding.related.first().map(|related| &related.place);
    let does = finding.rule.does();
    let stop = |attempt, kind, place, text: String| Stop {
        attempt,
        kind,
        place,
        text,
        action: None,
        importance: Importance::Essential,
        values: &[],
    };
    let resumes = "power is back: execution resumes here".to_owned();
    vec![
        stop(
            0,
            Kind::Checkpoint,
            checkpoint,
            "last checkpoint".to_owned(),
        ),
        stop(
            0,
            Kind::Step,
            Some(consumer),
            format!("{} {object}", does.consumer),
        ),
        stop(
            0,
            Kind::Step,
            Some(producer),
            format!("{} {object}", does.producer),
        ),
        stop(
            0,
            Kind::PowerFailure,
            Some(producer),
            "power may fail after this".to_owned(),
        ),
        stop(1, Kind::Restore, checkpoint, resumes),
        stop(
            1,
            Kind::End,
            Some(consumer),
            format!("{} {object} again, which is not what it was", does.consumer),
        ),
    ]
}
