//! The story of a failure as JSON. Fields that do not apply are absent.

use brownout_diag::{
    Action, AlsoContinuous, Amid, Attempt, Compared, Continuous, Ending, ResumePoint, Retention,
    Step, Story, Watched,
};
use serde_json::{Map, Value, json};

use crate::json::{effect, place};

/// A story.
pub fn replay(story: &Story) -> Value {
    let resume = match story.id.resume {
        ResumePoint::Commit(number) => json!({ "checkpoint": number }),
        ResumePoint::Instruction(time) => json!({ "instruction": time }),
    };
    let mut value = json!({
        "id": story.id.to_string(),
        "resume": resume,
        "distance": story.id.distance,
        "distances": story.id.distances().collect::<Vec<_>>(),
        "failures": story.id.failures(),
        "values": values(&story.values),
        "attempts": story.attempts.iter().map(attempt).collect::<Vec<_>>(),
        "effects": story.effects.iter().map(effect).collect::<Vec<_>>(),
    });
    if let Some(at) = &story.checkpoint {
        value["place"] = place(at);
    }
    value
}

fn attempt(attempt: &Attempt) -> Value {
    let mut value = json!({
        "steps": attempt.steps.iter().map(step).collect::<Vec<_>>(),
        "end": ending(&attempt.ending),
        "values": values(&attempt.values),
    });
    if attempt.left_out > 0 {
        value["left_out"] = attempt.left_out.into();
    }
    if let Some(at) = &attempt.place {
        value["place"] = place(at);
    }
    value
}

fn step(step: &Step) -> Value {
    let mut value = action(&step.action);
    if let Some(at) = &step.place {
        value["place"] = place(at);
    }
    value["values"] = values(&step.values);
    if let Some(again) = &step.again {
        value["repeats"] = again.times.into();
        value["cycle"] = again.cycle.into();
        value["last"] = action(&again.last);
    }
    value
}

fn action(action: &Action) -> Value {
    match action {
        Action::Read { object, value } => with(json!({ "kind": "read", "object": object }), value),
        Action::Write { object, value } => {
            with(json!({ "kind": "write", "object": object }), value)
        }
        Action::Input { input, value } => with(json!({ "kind": "input", "input": input }), value),
        Action::Output { output, arguments } => {
            with(json!({ "kind": "output", "output": output }), arguments)
        }
        Action::Text { text } => with(json!({ "kind": "text" }), text),
        Action::PassedCheckpoint => json!({ "kind": "passed-checkpoint" }),
        Action::Commit => json!({ "kind": "commit" }),
        Action::Departure {
            continuous,
            intermittent,
        } => json!({
            "kind": "departure",
            "continuous": continuous.as_ref().map(place),
            "intermittent": intermittent.as_ref().map(place),
        }),
    }
}

/// Adds a value, and that of the continuous execution if it is another one.
fn with(mut fields: Value, value: &Compared) -> Value {
    fields["value"] = value.intermittent.clone().into();
    match &value.continuous {
        Continuous::Same => {}
        Continuous::Other(other) => fields["continuous"] = other.clone().into(),
        Continuous::Elsewhere => fields["continuous"] = Value::Null,
    }
    fields
}

fn values(list: &[Watched]) -> Value {
    let fields: Map<String, Value> = list
        .iter()
        .filter_map(|watched| {
            let retention = match watched.retention {
                Retention::Kept => "kept",
                Retention::Restored => "restored",
                Retention::Lost => "lost",
            };
            let value = with(
                json!({ "after_failure": retention }),
                watched.value.as_ref()?,
            );
            Some((watched.object.clone(), value))
        })
        .collect();
    Value::Object(fields)
}

fn ending(ending: &Ending) -> Value {
    match ending {
        Ending::PowerFailure { amid } => match amid {
            None => json!({ "kind": "power-failure" }),
            Some(Amid::Store { torn, size }) => {
                let bytes: Vec<u32> = (0..*size).filter(|byte| torn.has(*byte)).collect();
                json!({
                    "kind": "power-failure",
                    "torn": { "written": bytes.len(), "size": size, "bytes": bytes },
                })
            }
            Some(Amid::Output { done, takes }) => json!({
                "kind": "power-failure",
                "output": { "done": done, "takes": takes },
            }),
        },
        Ending::Committed => json!({ "kind": "checkpoint" }),
        Ending::Exited { status } => with(json!({ "kind": "exit" }), status),
        Ending::Crashed {
            crash,
            message,
            also_continuous,
        } => json!({
            "kind": "crash",
            "crash": crash.name(),
            "message": message,
            "also_continuous": *also_continuous == AlsoContinuous::Yes,
        }),
        Ending::WindowOver => json!({ "kind": "window-over" }),
        Ending::Met => json!({ "kind": "same-place" }),
        Ending::Followed => json!({ "kind": "followed" }),
        Ending::GivenUp { budget } => json!({ "kind": "no-progress", "budget": budget }),
    }
}
