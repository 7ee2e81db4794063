//! Every key of `brownout.toml`, with its type and bounds.
//!
//! One function per section, one line per key; the reader turns that into errors, suggestions and
//! assignments. Settings that exclude each other within one section are found here; what needs the
//! program is left to [`crate::resolve`].
//!
//! **Invariant**: `None` means that nobody said anything, never a default.

use std::collections::BTreeMap;

use crate::effect::{self, Change};
use crate::energy::Dimension;
use crate::error::{Place, Problem};
use crate::read::{Choice, Fields, Located};
use crate::scenario::{Extent, Mmio, Model, Placement, Semantics};
use crate::suggest::nearest;
use crate::trace::AtEnd;

type Texts = Option<Vec<Located<String>>>;
type Text = Option<Located<String>>;

/// No memory of a device of this class is larger; more is a slip.
const LARGEST_SIZE: i64 = 1 << 30;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    pub(crate) target: Text,
    pub(crate) entry: Text,
    pub(crate) mmio: Option<Located<Mmio>>,
    pub(crate) ignore: Texts,
    pub(crate) consistent: Option<Vec<Vec<Located<String>>>>,
    pub(crate) memory: MemorySettings,
    pub(crate) power: PowerSettings,
    pub(crate) energy: EnergySettings,
    pub(crate) inputs: Option<Vec<InputSettings>>,
    pub(crate) outputs: Option<Vec<OutputSettings>>,
    pub(crate) environment: BTreeMap<String, Located<i64>>,
    pub(crate) variables: Option<Vec<VariableSettings>>,
    pub(crate) peripherals: Option<Vec<PeripheralSettings>>,
    pub(crate) registers: Option<Vec<RegisterSettings>>,
    pub(crate) harnesses: Option<Vec<HarnessSettings>>,
    pub(crate) invariants: Option<Vec<InvariantSettings>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MemorySettings {
    pub(crate) nonvolatile: Option<Vec<Located<Selection>>>,
    pub(crate) atomic_write: Option<Located<u32>>,
    pub(crate) stack_size: Option<Located<u32>>,
    pub(crate) heap_size: Option<Located<u32>>,
}

/// One element of `memory.nonvolatile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    Put(Segment),
    TakeOut(Segment),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Globals,
    Stack,
    Heap,
    Section(String),
    Symbol(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PowerSettings {
    pub(crate) policy: Option<Located<PolicyName>>,
    pub(crate) checkpoints: Texts,
    pub(crate) tasks: Texts,
    pub(crate) transitions: Texts,
    pub(crate) execution_depth: Option<Located<u64>>,
    pub(crate) placement: Option<Located<Option<Placement>>>,
    pub(crate) saves: Texts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyName {
    Static,
    Conditional,
    Reactive,
    Tasks,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnergySettings {
    pub(crate) capacitance: Option<Located<f64>>,
    pub(crate) trigger_voltage: Option<Located<f64>>,
    pub(crate) minimum_voltage: Option<Located<f64>>,
    pub(crate) current: Option<Located<f64>>,
    pub(crate) clock: Option<Located<f64>>,
    pub(crate) checkpoint_time: Option<Located<f64>>,
}

/// `function` or `register`: exactly one of them is set once the section was read without error.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SourceSettings {
    pub(crate) function: Text,
    pub(crate) register: Text,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InputSettings {
    pub(crate) source: SourceSettings,
    pub(crate) values: Option<Located<Vec<i64>>>,
    pub(crate) range: Option<Located<Vec<i64>>>,
    pub(crate) constant: Option<Located<i64>>,
    pub(crate) seed: Option<Located<u64>>,
    pub(crate) trace: Text,
    pub(crate) script: Text,
    pub(crate) at_end: Option<Located<AtEnd>>,
    pub(crate) mask: Option<Located<u64>>,
    pub(crate) fills: Option<Located<u32>>,
    pub(crate) length: Option<Located<Extent>>,
    pub(crate) width: Option<Located<u32>>,
    pub(crate) returns: Option<Located<i64>>,
    pub(crate) model: Option<Located<Model>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OutputSettings {
    pub(crate) source: SourceSettings,
    pub(crate) semantics: Option<Located<Semantics>>,
    pub(crate) effect: Option<Located<Vec<Change>>>,
    pub(crate) script: Text,
    pub(crate) mask: Option<Located<u64>>,
    pub(crate) takes: Option<Located<u64>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VariableSettings {
    pub(crate) name: Text,
    pub(crate) intermittence_aware: Option<Located<bool>>,
    pub(crate) model: Option<Located<Model>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PeripheralSettings {
    pub(crate) name: Text,
    pub(crate) registers: Texts,
    pub(crate) used_by: Texts,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RegisterSettings {
    pub(crate) name: Text,
    pub(crate) mmio: Option<Located<Mmio>>,
    pub(crate) mask: Option<Located<u64>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HarnessSettings {
    pub(crate) name: Text,
    pub(crate) entry: Text,
    pub(crate) inputs: Texts,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InvariantSettings {
    pub(crate) name: Text,
    pub(crate) at: Text,
    pub(crate) holds: Text,
}

impl Choice for PolicyName {
    const NAMES: &'static [&'static str] = &["static", "conditional", "reactive", "tasks"];
    const VALUES: &'static [PolicyName] = &[
        PolicyName::Static,
        PolicyName::Conditional,
        PolicyName::Reactive,
        PolicyName::Tasks,
    ];
}

impl Choice for Option<Placement> {
    const NAMES: &'static [&'static str] = &["none", "loop-latch", "function-return"];
    const VALUES: &'static [Option<Placement>] = &[
        None,
        Some(Placement::LoopLatch),
        Some(Placement::FunctionReturn),
    ];
}

impl Choice for Model {
    const NAMES: &'static [&'static str] = &["most-recent", "long-term"];
    const VALUES: &'static [Model] = &[Model::MostRecent, Model::LongTerm];
}

impl Choice for Semantics {
    const NAMES: &'static [&'static str] = &["absolute", "relative"];
    const VALUES: &'static [Semantics] = &[Semantics::Absolute, Semantics::Relative];
}

impl Choice for AtEnd {
    const NAMES: &'static [&'static str] = &["repeat", "hold", "stop"];
    const VALUES: &'static [AtEnd] = &[AtEnd::Repeat, AtEnd::Hold, AtEnd::Stop];
}

impl Choice for Mmio {
    const NAMES: &'static [&'static str] = &["input", "output", "state"];
    const VALUES: &'static [Mmio] = &[Mmio::Input, Mmio::Output, Mmio::State];
}

/// Reads a whole document over what is there already.
pub(crate) fn document(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    fields.text("target", &mut settings.target);
    fields.text("entry", &mut settings.entry);
    fields.choice("mmio", &mut settings.mmio);
    fields.texts("ignore", &mut settings.ignore);
    fields.groups("consistent", &mut settings.consistent);
    fields.section("memory", |fields| memory(fields, &mut settings.memory));
    fields.section("power", |fields| power(fields, &mut settings.power));
    fields.section("energy", |fields| energy(fields, &mut settings.energy));
    fields.sections("input", &mut settings.inputs, input);
    fields.sections("output", &mut settings.outputs, output);
    fields.named_integers("environment", &mut settings.environment);
    fields.sections("variable", &mut settings.variables, variable);
    fields.sections("peripheral", &mut settings.peripherals, peripheral);
    fields.sections("register", &mut settings.registers, register);
    fields.sections("harness", &mut settings.harnesses, harness);
    fields.sections("invariant", &mut settings.invariants, invariant);
}

fn memory(fields: &mut Fields<'_, '_, '_>, memory: &mut MemorySettings) {
    fields.parsed_texts("nonvolatile", &mut memory.nonvolatile, selection);
    fields.integer("atomic-write", 1..=64, &mut memory.atomic_write);
    fields.integer("stack-size", 1..=LARGEST_SIZE, &mut memory.stack_size);
    fields.integer("heap-size", 1..=LARGEST_SIZE, &mut memory.heap_size);
}

fn power(fields: &mut Fields<'_, '_, '_>, power: &mut PowerSettings) {
    fields.choice("policy", &mut power.policy);
    fields.texts("checkpoints", &mut power.checkpoints);
    fields.texts("tasks", &mut power.tasks);
    fields.texts("transition", &mut power.transitions);
    fields.integer("execution-depth", 1..=i64::MAX, &mut power.execution_depth);
    fields.choice("place", &mut power.placement);
    if fields.is_word("saves", "all") {
        let mut word = None;
        fields.text("saves", &mut word);
        power.saves = word.map(|word| vec![word]);
    } else {
        fields.texts("saves", &mut power.saves);
    }
}

fn energy(fields: &mut Fields<'_, '_, '_>, energy: &mut EnergySettings) {
    fields.quantity(
        "capacitance",
        Dimension::Capacitance,
        &mut energy.capacitance,
    );
    fields.quantity("v-trigger", Dimension::Voltage, &mut energy.trigger_voltage);
    fields.quantity("v-min", Dimension::Voltage, &mut energy.minimum_voltage);
    fields.quantity("current", Dimension::Current, &mut energy.current);
    fields.quantity("clock", Dimension::Frequency, &mut energy.clock);
    fields.quantity(
        "checkpoint-time",
        Dimension::Duration,
        &mut energy.checkpoint_time,
    );
}

fn input(fields: &mut Fields<'_, '_, '_>, input: &mut InputSettings) {
    source(fields, &mut input.source);
    fields.integers("values", &mut input.values);
    fields.integers("range", &mut input.range);
    fields.integer("constant", i64::MIN..=i64::MAX, &mut input.constant);
    fields.integer("seed", 0..=i64::MAX, &mut input.seed);
    fields.text("trace", &mut input.trace);
    fields.text("script", &mut input.script);
    fields.parsed("fills", &mut input.fills, |text| {
        effect::parse_argument(text).ok_or_else(|| bad_form(text, "an argument such as `arg0`"))
    });
    fields.parsed("length", &mut input.length, extent);
    fields.integer("width", 1..=8, &mut input.width);
    fields.integer("returns", i64::MIN..=i64::MAX, &mut input.returns);
    fields.choice("at-end", &mut input.at_end);
    fields.integer("mask", 1..=i64::MAX, &mut input.mask);
    fields.choice("model", &mut input.model);
    exclude_value_sources(fields, input);
    if let Some(values) = input.values.take_if(|values| values.value.is_empty()) {
        fields.report("values", values.place, Problem::Empty);
    }
    if let Some(Located { value, place }) = &input.range {
        match value[..] {
            [low, high] if low <= high => {}
            [low, high] => fields.report("range", *place, Problem::Reversed { low, high }),
            _ => {
                let problem = bad_form(&format!("{value:?}"), "two integers, `[low, high]`");
                fields.report("range", *place, problem);
            }
        }
    }
    fill(fields, input);
    let mask = input.mask.as_ref().map(|mask| mask.place);
    register_only(fields, "mask", mask, &input.source);
    let (Some(at_end), None, None) = (&input.at_end, &input.trace, &input.values) else {
        return;
    };
    let wanted = "`trace` or `values`";
    fields.report("at-end", at_end.place, Problem::Missing { wanted });
}

/// What only makes sense for a function that fills a buffer.
fn fill(fields: &mut Fields<'_, '_, '_>, input: &InputSettings) {
    let Some(fills) = &input.fills else {
        let given = [
            ("length", input.length.as_ref().map(|length| length.place)),
            ("width", input.width.as_ref().map(|width| width.place)),
            (
                "returns",
                input.returns.as_ref().map(|returns| returns.place),
            ),
        ];
        for (key, place) in given {
            if let Some(place) = place {
                fields.report(key, place, Problem::Missing { wanted: "`fills`" });
            }
        }
        return;
    };
    let place = fills.place;
    if input.source.register.is_some() {
        fields.report("fills", place, Problem::Conflict { other: "register" });
    } else if !fields.has("length") && !fields.has("width") {
        let wanted = "`length` or `width`";
        fields.report("fills", place, Problem::Missing { wanted });
    }
    if let (
        Some(Located {
            value: Extent::Result,
            ..
        }),
        Some(returns),
    ) = (&input.length, &input.returns)
    {
        let other = "length = \"result\"";
        fields.report("returns", returns.place, Problem::Conflict { other });
    }
}

/// A key that says something about the bits of a register.
fn register_only(
    fields: &mut Fields<'_, '_, '_>,
    key: &'static str,
    place: Option<Place>,
    source: &SourceSettings,
) {
    if let (Some(place), None) = (place, &source.register) {
        let wanted = "`register`";
        fields.report(key, place, Problem::Missing { wanted });
    }
}

/// Of all keys that say which values an input reads, only the first may be given.
fn exclude_value_sources(fields: &mut Fields<'_, '_, '_>, input: &InputSettings) {
    let given: [(&'static str, Option<Place>); 5] = [
        ("values", input.values.as_ref().map(|located| located.place)),
        ("range", input.range.as_ref().map(|located| located.place)),
        (
            "constant",
            input.constant.as_ref().map(|located| located.place),
        ),
        ("trace", input.trace.as_ref().map(|located| located.place)),
        ("script", input.script.as_ref().map(|located| located.place)),
    ];
    let mut given = given
        .into_iter()
        .filter_map(|(key, place)| Some((key, place?)));
    let Some((first, _)) = given.next() else {
        return;
    };
    for (key, place) in given {
        fields.report(key, place, Problem::Conflict { other: first });
    }
    if let (Some(seed), false) = (&input.seed, first == "range") {
        fields.report("seed", seed.place, Problem::Conflict { other: first });
    }
}

fn output(fields: &mut Fields<'_, '_, '_>, output: &mut OutputSettings) {
    source(fields, &mut output.source);
    fields.choice("semantics", &mut output.semantics);
    fields.parsed("effect", &mut output.effect, |text| {
        effect::parse(text).ok_or_else(|| bad_form(text, "a change such as `angle += arg0`"))
    });
    fields.text("script", &mut output.script);
    if let (Some(script), Some(_)) = (&output.script, &output.effect) {
        let place = script.place;
        fields.report("script", place, Problem::Conflict { other: "effect" });
    }
    fields.integer("takes", 1..=i64::MAX, &mut output.takes);
    fields.integer("mask", 1..=i64::MAX, &mut output.mask);
    let mask = output.mask.as_ref().map(|mask| mask.place);
    register_only(fields, "mask", mask, &output.source);
}

fn source(fields: &mut Fields<'_, '_, '_>, source: &mut SourceSettings) {
    fields.text("function", &mut source.function);
    fields.text("register", &mut source.register);
    match (&source.function, &source.register) {
        (Some(_), Some(register)) => {
            let place = register.place;
            fields.report("register", place, Problem::Conflict { other: "function" });
        }
        (None, None) if !fields.has("function") && !fields.has("register") => {
            let wanted = "`function` or `register`";
            fields.report("", fields.place(), Problem::Missing { wanted });
        }
        (Some(_), None) | (None, Some(_) | None) => {}
    }
}

fn variable(fields: &mut Fields<'_, '_, '_>, variable: &mut VariableSettings) {
    fields.text("name", &mut variable.name);
    fields.boolean("intermittence-aware", &mut variable.intermittence_aware);
    fields.choice("model", &mut variable.model);
    require(fields, "name", "`name`");
}

fn peripheral(fields: &mut Fields<'_, '_, '_>, peripheral: &mut PeripheralSettings) {
    fields.text("name", &mut peripheral.name);
    fields.texts("registers", &mut peripheral.registers);
    fields.texts("used-by", &mut peripheral.used_by);
    require(fields, "registers", "`registers`");
}

fn register(fields: &mut Fields<'_, '_, '_>, register: &mut RegisterSettings) {
    fields.text("name", &mut register.name);
    fields.choice("mmio", &mut register.mmio);
    fields.integer("mask", 1..=i64::MAX, &mut register.mask);
    require(fields, "name", "`name`");
    require(fields, "mmio", "`mmio`");
}

fn harness(fields: &mut Fields<'_, '_, '_>, harness: &mut HarnessSettings) {
    fields.text("name", &mut harness.name);
    fields.text("entry", &mut harness.entry);
    fields.texts("inputs", &mut harness.inputs);
}

fn invariant(fields: &mut Fields<'_, '_, '_>, invariant: &mut InvariantSettings) {
    fields.text("name", &mut invariant.name);
    fields.text("at", &mut invariant.at);
    fields.text("holds", &mut invariant.holds);
}

fn require(fields: &mut Fields<'_, '_, '_>, key: &str, wanted: &'static str) {
    if !fields.has(key) {
        fields.report("", fields.place(), Problem::Missing { wanted });
    }
}

fn selection(text: &str) -> Result<Selection, Problem> {
    match text.strip_prefix('!') {
        Some(rest) => segment(rest.trim()).map(Selection::TakeOut),
        None => segment(text).map(Selection::Put),
    }
}

fn segment(text: &str) -> Result<Segment, Problem> {
    const ALLOWED: &[&str] = &["globals", "stack", "heap", "section:NAME", "symbol:GLOB"];
    let wrong = |nearest| Problem::NotOneOf {
        found: text.to_owned(),
        allowed: ALLOWED,
        nearest,
    };
    match (text, text.split_once(':')) {
        ("globals", _) => Ok(Segment::Globals),
        ("stack", _) => Ok(Segment::Stack),
        ("heap", _) => Ok(Segment::Heap),
        (_, Some(("section", name))) if !name.is_empty() => Ok(Segment::Section(name.to_owned())),
        (_, Some(("symbol", name))) if !name.is_empty() => Ok(Segment::Symbol(name.to_owned())),
        (_, Some((kind, _))) => {
            let nearest = nearest(kind, ["section", "symbol"]);
            Err(wrong(match nearest {
                Some("section") => Some("section:NAME"),
                Some(_) => Some("symbol:GLOB"),
                None => None,
            }))
        }
        (_, None) => Err(wrong(nearest(text, ALLOWED[..3].iter().copied()))),
    }
}

fn extent(text: &str) -> Result<Extent, Problem> {
    if let Some(argument) = effect::parse_argument(text) {
        return Ok(Extent::Argument(argument));
    }
    match text.parse::<u32>() {
        Ok(bytes) if bytes > 0 => Ok(Extent::Bytes(bytes)),
        Ok(_) | Err(_) if text == "result" => Ok(Extent::Result),
        Ok(_) | Err(_) => Err(bad_form(text, "`argN`, `result` or a number of bytes")),
    }
}

fn bad_form(found: &str, expected: &'static str) -> Problem {
    Problem::BadForm {
        found: found.to_owned(),
        expected,
    }
}
