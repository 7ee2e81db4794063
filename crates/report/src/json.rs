//! Findings as JSON. Fields that do not apply are absent.
//!
//! A finding may have millions of pairs: they are written one by one, never held as values.

use serde::ser::{Serialize, SerializeMap, Serializer};

use brownout_diag::{Effect, Finding, ObjectRef, OutputChange, Pair, SourcePlace};
use serde_json::{Map, Value, json};

/// One finding, to be written.
#[derive(Clone, Debug)]
pub struct JsonFinding<'f> {
    fields: Map<String, Value>,
    finding: &'f Finding,
}

/// One finding.
pub fn finding(finding: &Finding) -> JsonFinding<'_> {
    JsonFinding {
        fields: fields(finding),
        finding,
    }
}

impl JsonFinding<'_> {
    /// Adds a field.
    pub fn put(&mut self, name: &str, value: Value) {
        self.fields.insert(name.to_owned(), value);
    }
}

impl Serialize for JsonFinding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let is_before = |name: &str| name < PAIRS;
        for (name, value) in self.fields.iter().filter(|(name, _)| is_before(name)) {
            map.serialize_entry(name, value)?;
        }
        if !self.finding.pairs.is_empty() {
            map.serialize_entry(PAIRS, &Pairs(self.finding))?;
        }
        for (name, value) in self.fields.iter().filter(|(name, _)| !is_before(name)) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Where the pairs are, in the order of the names.
const PAIRS: &str = "pairs";

/// The pairs of a finding.
struct Pairs<'f>(&'f Finding);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.pairs.iter().map(|it| pair(it, self.0)))
    }
}

/// The fields of a finding but its pairs.
pub(crate) fn fields(finding: &Finding) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    put("rule", finding.rule.name().into());
    put("severity", finding.severity.name().into());
    put("evidence", finding.evidence.name().into());
    put("message", finding.message.clone().into());
    if let Some(concerned) = &finding.object {
        put("object", object(concerned));
    }
    for (name, value) in [
        ("consumer", &finding.consumer),
        ("producer", &finding.producer),
        ("branch", &finding.branch),
    ] {
        if let Some(value) = value {
            put(name, place(value));
        }
    }
    for (name, places) in [("inputs", &finding.inputs), ("taint", &finding.taint)] {
        if !places.is_empty() {
            put(name, places.iter().map(place).collect());
        }
    }
    if !finding.variables.is_empty() {
        let variables = finding.variables.iter().map(|variable| {
            let sides = variable.sides.iter().map(ToString::to_string);
            let mut value = object(&variable.object);
            value["sides"] = sides.collect::<Vec<_>>().into();
            value
        });
        put("variables", variables.collect());
    }
    if !finding.effects.is_empty() {
        put("effects", finding.effects.iter().map(effect).collect());
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|related| {
            let mut value = place(&related.place);
            value["label"] = related.event.to_string().into();
            value
        });
        put("related", related.collect());
    }
    if !finding.notes.is_empty() {
        put("notes", finding.notes.clone().into());
    }
    if let Some(replay) = &finding.replay {
        put("replay", replay.to_string().into());
    }
    if !finding.help.is_empty() {
        put("help", finding.help.clone().into());
    }
    fields
}

/// A read and a write. The object is named where it is not that of the finding.
fn pair(pair: &Pair, finding: &Finding) -> Value {
    let mut value = json!({ "evidence": pair.evidence.name() });
    for (name, at) in [("consumer", &pair.consumer), ("producer", &pair.producer)] {
        if let Some(at) = at {
            value[name] = place(at);
        }
    }
    let object = finding.object.as_ref().map(|object| object.name.as_str());
    if object != Some(&pair.object.name) {
        value["object"] = pair.object.name.as_str().into();
    }
    if let Some(witness) = &pair.witness {
        value["effects"] = witness.effects.iter().map(effect).collect();
        if let Some(replay) = &witness.replay {
            value["replay"] = replay.to_string().into();
        }
    }
    value
}

fn object(object: &ObjectRef) -> Value {
    json!({ "name": object.name, "segment": object.segment.name(), "offset": object.offset, "size": object.size })
}

/// A place in the source.
pub fn place(place: &SourcePlace) -> Value {
    let mut value = json!({
        "file": place.file, "line": place.line, "column": place.column, "function": place.function,
    });
    if !place.stack.is_empty() {
        value["stack"] = place.stack.clone().into();
    }
    value
}

/// An effect.
pub fn effect(effect: &Effect) -> Value {
    let mut value = match effect {
        Effect::Value {
            object,
            continuous,
            intermittent,
            ..
        } => {
            json!({ "object": object.name, "continuous": continuous, "intermittent": intermittent })
        }
        Effect::Path {
            branch,
            continuous,
            intermittent,
        } => json!({
            "branch": place(branch),
            "continuous": continuous.as_ref().map(place),
            "intermittent": intermittent.as_ref().map(place),
        }),
        Effect::Output { output, change } => {
            let (continuous, intermittent) = match change {
                OutputChange::Added { intermittent } => (None, Some(intermittent)),
                OutputChange::Lost { continuous } => (Some(continuous), None),
                OutputChange::Changed {
                    continuous,
                    intermittent,
                } => (Some(continuous), Some(intermittent)),
            };
            json!({ "output": output.to_string(), "change": change.name(), "continuous": continuous, "intermittent": intermittent })
        }
        Effect::Crash { crash, place: at } => {
            json!({ "crash": crash.name(), "place": at.as_ref().map(place) })
        }
        Effect::Invariant { expression } => json!({ "expression": expression }),
        Effect::NoProgress { budget } => json!({ "budget": budget }),
    };
    value["kind"] = effect.kind().into();
    value
}
