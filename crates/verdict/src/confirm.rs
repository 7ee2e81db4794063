//! Suspicions of static analysis made certain, where an execution can be found that shows them.
//!
//! `brownout_confirm` searches; what it finds is replayed from the start of the program by the code
//! that `brownout replay` uses, and is believed only if that sees the harm, too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use brownout_confirm::{Blame, Domain, Searched, Setting, Target, Witness, values};
use brownout_device::harness::Gives;
use brownout_device::{Invention, answers};
use brownout_diag as diag;
use brownout_diag::{
    Effect, Evidence, Finding, InputValues, ObjectId, ObjectRef, ReplayId, ResumePoint, Rule,
    Segment, Severity, SourcePlace, plural,
};
use brownout_explore::Monitor;
use brownout_ir::source::Place;
use brownout_ir::{Func, Global, Program};
use brownout_scenario::{Scenario, Source};
use brownout_trace::InputSigns;
use brownout_vm::{Binding, Image, Invariant, SegmentKind};

use crate::compared;
use crate::options::{Effort, Options};
use crate::replays::{self, Replays};

/// How often power fails between two checkpoints, if the user does not say.
const FAILURES: u32 = 3;
/// How many effects of a confirmed finding are told.
const EFFECTS: usize = 3;

/// What was searched, for documents.
#[derive(Default)]
pub(crate) struct Confirmed {
    pub(crate) executions: u64,
    /// How many of them a fault ended, by its kind.
    pub(crate) faults: BTreeMap<&'static str, u64>,
    pub(crate) instructions: u64,
    /// What has to hold and was broken by a failure that no suspicion is about.
    pub(crate) broken: Vec<(String, ReplayId)>,
    /// Whether a limit ended the search before every suspicion had its execution.
    pub(crate) is_cut_short: bool,
}

/// What is known about the code, and how long to search in it.
pub(crate) struct Search<'s> {
    /// Whether the emulated execution came to the code of a finding.
    pub(crate) reached: &'s dyn Fn(&Finding) -> bool,
    /// Variables that nobody but the program's own functions can read.
    pub(crate) private: &'s [Global],
    pub(crate) effort: Effort,
}

/// Tries to confirm what static analysis suspects. A suspicion is dropped only if every
/// execution was tried and the code that it is about was reached.
pub(crate) fn confirm(
    image: &Image,
    scenario: &Scenario,
    invention: Option<&Invention>,
    search: &Search<'_>,
    options: &Options<'_>,
    findings: &mut [Finding],
    monitor: &dyn Monitor,
) -> Confirmed {
    let is_searched = |finding: &Finding| {
        let rules = [
            Rule::RepeatedInput,
            Rule::TaintedAddress,
            Rule::WriteAfterRead,
        ];
        finding.evidence == Evidence::Possible && rules.contains(&finding.rule)
    };
    let suspicions: Vec<usize> = (0..findings.len())
        .filter(|&index| is_searched(&findings[index]))
        .collect();
    if suspicions.is_empty() {
        return Confirmed::default();
    }
    let mut targets: Vec<Target> = suspicions
        .iter()
        .map(|&index| target(image, &findings[index], invention))
        .collect();
    // What has to hold is looked for, too.
    let invariants = image.bindings().invariants.iter();
    targets.extend(invariants.map(|invariant| concerned(image, invariant)));
    let saved = compared::saved(image, scenario);
    let mut constants = options.suggested.clone().unwrap_or_default();
    constants.extend(values::constants(image.program()));
    let setting = Setting {
        exposure: scenario.power.policy.exposure(),
        saved: &saved,
        domains: domains(image.program(), &constants, scenario, invention),
        texts: match scenario.inputs.iter().any(|input| input.fills.is_some()) {
            true => values::texts(image.program()),
            false => values::lines(image.program(), &constants),
        },
        invented: invention.map_or_else(Vec::new, |invention| invention.inputs().collect()),
        answers: invention.map_or_else(Vec::new, Invention::answers),
        private: match invention {
            // Where the user says what is called, other calls may see more.
            Some(_) if scenario.harnesses.is_empty() => offsets_of_all(image, search.private),
            _ => Vec::new(),
        },
        optional: compared::tags(scenario).optional,
        failures: options.failures.unwrap_or(FAILURES),
        atomic_write: scenario.memory.atomic_write,
        targets: &targets,
        instructions: match search.effort {
            Effort::Full => brownout_confirm::INSTRUCTIONS,
            Effort::Slight => brownout_confirm::INSTRUCTIONS / 64,
        },
        jobs: options.jobs(),
        interrupt: &|| monitor.is_interrupted(),
    };
    let witnesses = Witnesses {
        image,
        replays: Replays::new(image, scenario, options.max_instructions).within(REACH),
    };
    let mut seen: BTreeMap<usize, Vec<Effect>> = BTreeMap::new();
    let mut in_vain: BTreeMap<usize, u32> = BTreeMap::new();
    let searched = brownout_confirm::search(image, &setting, &mut |witness| {
        let in_vain = in_vain.entry(witness.target).or_default();
        if *in_vain >= IN_VAIN || monitor.is_interrupted() {
            return false;
        }
        let invariant = witness.target.checked_sub(suspicions.len());
        let effects = witnesses.effects(witness, invariant);
        let is_seen = effects.is_some();
        *in_vain += u32::from(!is_seen);
        seen.extend(effects.map(|effects| (witness.target, effects)));
        is_seen
    });
    let (mut shown, mut broken) = (BTreeMap::new(), Vec::new());
    for witness in &searched.witnesses {
        let Some(effects) = seen.remove(&witness.target) else {
            continue;
        };
        let Some(invariant) = witness.target.checked_sub(suspicions.len()) else {
            shown.insert(witness.target, (witness, effects));
            continue;
        };
        // What breaks an invariant says more than any other witness of the suspicion about its
        // variables, or of one that holds anyway.
        let is_about = |number: &usize| overlap(&targets[*number], &targets[witness.target]);
        let owner = (0..suspicions.len()).find(is_about);
        match owner.or_else(|| shown.keys().next().copied()) {
            Some(owner) => _ = shown.insert(owner, (witness, effects)),
            None => broken.push((
                image.bindings().invariants[invariant].text.clone(),
                witness.id.clone(),
            )),
        }
    }
    let names = replays::surroundings(scenario).0;
    let signs = InputSigns::new(image);
    // Outputs return what was chosen, or 0: who looks at others may do something else.
    let bound = image.bindings().functions.iter();
    let outputs = bound.filter(|(_, binding)| matches!(binding, Binding::Output(_)));
    let is_all_tried = searched.exhausted
        && !answers::is_asked_for(image.program(), outputs.map(|(&func, _)| func));
    for (number, &index) in suspicions.iter().enumerate() {
        let finding = &mut findings[index];
        match shown.remove(&number) {
            Some((witness, effects)) => {
                if let Some(write) = &witness.write {
                    put_first(finding, image, write.operation);
                }
                if witness.id.torn.is_some() {
                    call_torn(finding, scenario.memory.atomic_write);
                }
                raise(finding, &witness.id, effects, (&names, &signs), invention);
            }
            None => {
                let is_given_up = in_vain.get(&number).is_some_and(|&times| times >= IN_VAIN);
                let is_exhausted = is_all_tried && !is_given_up && (search.reached)(finding);
                lower(finding, &searched, setting.failures, is_exhausted);
            }
        }
    }
    Confirmed {
        executions: searched.executions,
        faults: searched.faults,
        instructions: searched.instructions,
        broken,
        is_cut_short: monitor.is_interrupted() && searched.witnesses.len() < targets.len(),
    }
}

/// Where it shows that something does not hold.
fn concerned(image: &Image, invariant: &Invariant) -> Target {
    let variables = invariant.variables.iter();
    Target {
        offsets: variables
            .map(|variable| {
                let start = compared::offset(image, variable.global) + variable.start as u32;
                start..start + (variable.shift + variable.bits).div_ceil(8)
            })
            .collect(),
        innate: false,
        blame: Blame::Any,
    }
}

fn overlap(one: &Target, other: &Target) -> bool {
    one.offsets.iter().any(|range| {
        let mut others = other.offsets.iter();
        others.any(|other| range.start < other.end && other.start < range.end)
    })
}

/// Where a finding would show in memory.
fn target(image: &Image, finding: &Finding, invention: Option<&Invention>) -> Target {
    let objects = finding.variables.iter().map(|variable| &variable.object);
    Target {
        offsets: objects
            .chain(&finding.object)
            .chain(&finding.also)
            .flat_map(|object| offsets_of(image, object, invention))
            .collect(),
        innate: finding.rule == Rule::WriteAfterRead || is_about_handler(finding),
        blame: blame(image, finding),
    }
}

/// What has to be to blame for harm, so that it counts for a finding.
fn blame(image: &Image, finding: &Finding) -> Blame {
    let producers = finding
        .pairs
        .iter()
        .filter_map(|pair| pair.producer.as_deref());
    let places: Vec<&SourcePlace> = match finding.rule {
        _ if is_about_handler(finding) => producers.collect(),
        Rule::RepeatedInput => finding.branch.iter().collect(),
        Rule::WriteAfterRead => producers.collect(),
        _ => return Blame::Any,
    };
    // Nobody can look at what has no place in the code.
    match operations_at(image, &places) {
        operations if operations.is_empty() => Blame::Any,
        operations if finding.branch.is_some() => Blame::Branch(operations),
        operations => Blame::Write(operations),
    }
}

/// Whether a finding is about an interrupt, and not about a branch that a reading decides.
fn is_about_handler(finding: &Finding) -> bool {
    finding.rule == Rule::RepeatedInput && finding.branch.is_none()
}

/// The operations at some places.
fn operations_at(image: &Image, wanted: &[&SourcePlace]) -> BTreeSet<u32> {
    let source = &image.program().source;
    let places: BTreeSet<Place> = source
        .places
        .iter()
        .filter(|(_, place)| {
            wanted.iter().any(|wanted| {
                place.line == wanted.line
                    && place.column == wanted.column
                    && source.files.get(place.file) == Some(&wanted.file)
            })
        })
        .map(|(number, _)| number)
        .collect();
    let operations = 0..image.operations() as u32;
    let is_there = |pc: u32| image.place(pc).is_some_and(|place| places.contains(&place));
    operations.filter(|&pc| is_there(pc)).collect()
}

/// The very bytes of an object. Of one that has no name, such as what a pointer in a structure points to,
/// nobody knows where it is.
fn offsets_of(image: &Image, object: &ObjectRef, invention: Option<&Invention>) -> Vec<Range<u32>> {
    let mut globals = image.program().globals.iter();
    // What a pointer points to may be a variable.
    let symbol = object.id.variable().map(|symbol| {
        let mut given = invention.iter().flat_map(|made| &made.harness.given);
        let given = given.find(|(passed, _)| passed == symbol);
        given.map_or(symbol, |(_, global)| global)
    });
    if let Some((global, data)) = globals.find(|(_, data)| Some(data.name.as_str()) == symbol) {
        let start = compared::offset(image, global);
        let end = (object.offset + object.size).min(data.size) as u32;
        return std::iter::once(start + object.offset as u32..start + end).collect();
    }
    let segment = |kind: SegmentKind| {
        let segments = image.layout().segments().iter();
        let segments = segments.filter(|segment| segment.kind == kind);
        segments.map(|segment| segment.offsets.clone()).collect()
    };
    match object.segment {
        Segment::Stack => segment(SegmentKind::Stack),
        Segment::Heap => segment(SegmentKind::Heap),
        Segment::Constants | Segment::Globals | Segment::Registers => Vec::new(),
    }
}

/// The offsets of some globals.
fn offsets_of_all(image: &Image, globals: &[Global]) -> Vec<Range<u32>> {
    let extents = globals
        .iter()
        .map(|&global| compared::extent(image, global));
    extents.collect()
}

fn domains(
    program: &Program,
    constants: &[u64],
    scenario: &Scenario,
    invention: Option<&Invention>,
) -> Vec<Domain> {
    let gives = |input: usize| invention.and_then(|made| made.gives(input as u32));
    // All arguments of a function are compared in the same code.
    let mut behind: BTreeMap<Func, Vec<u64>> = BTreeMap::new();
    let inputs = scenario.inputs.iter().enumerate();
    inputs
        .map(|(number, input)| match gives(number) {
            Some(Gives::Calls(count)) => Domain::below(count + 1),
            Some(Gives::Argument(func)) => {
                let constants = behind.entry(func);
                let find = || values::constants_behind(program, func);
                Domain::open(constants.or_insert_with(find))
            }
            Some(Gives::Answer(number)) => {
                let answers = invention.map_or(&[][..], |made| &made.harness.answers);
                Domain::status(answers.get(number).map_or(&[][..], |it| &it.asked))
            }
            None if matches!(input.source, Source::Result { .. }) => Domain::open(constants),
            None => Domain::new(&input.values, constants),
        })
        .collect()
}

/// What a search finds is replayed for so many instructions: it looks at short regions.
const REACH: u64 = 2_000_000;
/// A suspicion of which so many witnesses do not hold when they are replayed stays one.
const IN_VAIN: u32 = 32;

/// Replays what the search found.
struct Witnesses<'w> {
    image: &'w Image,
    replays: Replays<'w>,
}

impl Witnesses<'_> {
    /// The effects of a witness, if it holds; one of an invariant must break it.
    fn effects(&self, witness: &Witness, invariant: Option<usize>) -> Option<Vec<Effect>> {
        // What is printed is what is tried.
        let id = witness.id.to_string().parse().ok()?;
        if self.replays.judge(&id).ok()?.differences().is_empty() {
            return None;
        }
        let replayed = self.replays.replay(&id, &[]).ok()?;
        let mut effects = replayed.story.effects;
        if let Some(write) = &witness.write {
            // What a failure right before the write does is not its doing.
            let before = write.before.to_string().parse().ok()?;
            let before = self.replays.replay(&before, &[]).ok();
            let before = before.map_or_else(Vec::new, |before| before.story.effects);
            effects.retain(|effect| !before.contains(effect));
            if effects.is_empty() {
                return None;
            }
        }
        if let Some(invariant) = invariant {
            let expression = &self.image.bindings().invariants.get(invariant)?.text;
            let is_it = |effect: &Effect| matches!(effect, Effect::Invariant { expression: other } if other == expression);
            if !effects.iter().any(is_it) {
                return None;
            }
        }
        effects.truncate(EFFECTS);
        Some(effects)
    }
}

/// The pair that this operation writes becomes the first one of a finding.
fn put_first(finding: &mut Finding, image: &Image, operation: u32) {
    let is_it = |pair: &diag::Pair| {
        let producer = pair.producer.as_deref();
        producer.is_some_and(|place| operations_at(image, &[place]).contains(&operation))
    };
    let Some(number) = finding.pairs.iter().position(is_it) else {
        return;
    };
    finding.pairs[..=number].rotate_right(1);
    let first = &finding.pairs[0];
    finding.consumer = first.consumer.as_deref().cloned();
    finding.producer = first.producer.as_deref().cloned();
}

/// It takes a failure in the middle of the write to do the harm.
fn call_torn(finding: &mut Finding, atomic: Option<u32>) {
    let Some(object) = &finding.object else {
        return;
    };
    let atomic = u64::from(atomic.unwrap_or(1));
    let parts = plural(atomic, "byte");
    // What is that short is written as a part of something else.
    let name = match object.size > atomic {
        true => &object.name,
        false => &object.whole,
    };
    let quoted = (format!("`{}`", object.name), format!("`{name}`"));
    finding.rule = Rule::TornWrite;
    finding.message = format!("`{name}` can be half written when power fails");
    finding.help.retain(|help| help.starts_with("save"));
    for help in &mut finding.help {
        *help = help.replace(&quoted.0, &quoted.1);
    }
    finding.help.push(format!(
        "keep `{name}` in parts of {parts} that are written at once"
    ));
    finding.fixes.clear();
}

/// An execution shows it.
fn raise(
    finding: &mut Finding,
    id: &ReplayId,
    effects: Vec<Effect>,
    (names, signs): (&[String], &InputSigns),
    invention: Option<&Invention>,
) {
    finding.evidence = Evidence::Confirmed;
    finding.effects = effects;
    // What the finding is about comes first.
    let variables = finding.variables.iter().map(|variable| &variable.object);
    let own: Vec<(&ObjectId, &String)> = variables
        .chain(&finding.object)
        .map(|object| (&object.id, &object.name))
        .collect();
    finding.effects.sort_by_key(|effect| match effect {
        Effect::Value { object, .. } => !own.contains(&(&object.id, &object.name)),
        _ => true,
    });
    finding.replay = Some(diag::Replay::Failure(id.clone()));
    if let Some(pair) = finding.pairs.first_mut() {
        pair.evidence = Evidence::Confirmed;
        pair.witness = Some(Arc::new(diag::Witness {
            replay: Some(id.clone()),
            effects: finding.effects.clone(),
        }));
    }
    let Some(inputs) = &id.inputs else { return };
    finding
        .notes
        .extend(invention.and_then(|made| calls(made, id, signs)));
    for (number, name) in names.iter().enumerate() {
        if invention.is_some_and(|made| made.gives(number as u32).is_some()) {
            continue;
        }
        let given = |inputs: &Vec<InputValues>| {
            let values = inputs.get(number).map(|input| input.values.as_slice());
            let values = values.unwrap_or_default().iter();
            let values = values.map(|&value| signs.text(number as u32, value));
            listed(&values.collect::<Vec<_>>())
        };
        let failed = [&inputs.first].into_iter().chain(&inputs.between);
        let failed: Vec<String> = failed.map(given).collect();
        let last = given(&inputs.again);
        let is_told = failed
            .iter()
            .any(|values| *values != last && !values.is_empty());
        if is_told {
            let name = match name.contains('`') {
                true => name.clone(),
                false => format!("`{name}`"),
            };
            finding.notes.push(readings(&name, &failed, &last));
        }
    }
}

/// The calls of an execution of code without a `main`, in which power fails in one, and those after it.
fn calls(invention: &Invention, id: &ReplayId, signs: &InputSigns) -> Option<String> {
    let values = &id.inputs.as_ref()?.again;
    let given = |input: usize| values.get(input).map_or(&[][..], |input| &input.values);
    let first = invention.first as usize;
    let mut used = vec![0; invention.harness.inputs.len()];
    let mut texts = Vec::new();
    for &number in given(first) {
        let Some(called) = invention.harness.calls.get(number as usize) else {
            break;
        };
        let args = called.args.iter().map(|(name, input)| {
            let value = given(first + input).get(used[*input]).copied();
            used[*input] += 1;
            let value = signs.text((first + input) as u32, value.unwrap_or(0));
            format!("{name} = {value}")
        });
        let args: Vec<String> = args.collect();
        let answers = called.answers.iter().filter_map(|(output, input)| {
            let value = given(first + input).get(used[*input]).copied();
            used[*input] += 1;
            let value = signs.text((first + input) as u32, value.filter(|&value| value != 0)?);
            Some(format!("`{output}` returning {value}"))
        });
        let answers: Vec<String> = answers.collect();
        let mut text = format!("`{}({})`", called.function, args.join(", "));
        if !answers.is_empty() {
            text.push_str(&format!(" with {}", answers.join(" and ")));
        }
        texts.push(text);
    }
    // Each call is chosen after one commit and made after another.
    let ResumePoint::Commit(commit) = id.resume else {
        return None;
    };
    let failing = (commit as usize / 2).checked_sub(1)?;
    let before = texts.get(..failing)?.join(", ");
    let (fails, after) = texts.get(failing..)?.split_first()?;
    let mut text = match before.is_empty() {
        true => format!("power fails in {fails}"),
        false => format!("after {before}, power fails in {fails}"),
    };
    if !after.is_empty() {
        text.push_str(&format!("; {} shows it", after.join(", ")));
    }
    Some(text)
}

/// Values in words, those that come again and again told once: `196, 0 (28 times)`.
fn listed(values: &[String]) -> String {
    let runs = values.chunk_by(|one, other| one == other);
    let runs = runs.flat_map(|run| match run {
        [value, _, _, ..] => vec![format!("{value} ({} times)", run.len())],
        few => few.to_vec(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// What an input gives in each attempt, the last one aside.
fn readings(name: &str, failed: &[String], last: &str) -> String {
    let last = match last {
        "" => "is not read any more".to_owned(),
        values => format!("gives {values}"),
    };
    if let [values] = failed {
        return format!("{name} gives {values} before the power failure; after it {last}");
    }
    let before: Vec<String> = failed
        .iter()
        .zip(1..)
        .map(|(values, number)| {
            let values = match values.as_str() {
                "" => "nothing",
                values => values,
            };
            let number = match number {
                1 => "the first power failure".to_owned(),
                2 => "the second".to_owned(),
                3 => "the third".to_owned(),
                number => format!("number {number}"),
            };
            format!("{values} before {number}")
        })
        .collect();
    format!("{name} gives {}; after that {last}", before.join(", "))
}

/// No execution was found that shows it.
fn lower(finding: &mut Finding, searched: &Searched, failures: u32, is_exhausted: bool) {
    let covered = format!(
        "{} from {}, {} in {} of power failures",
        plural(searched.executions, "execution"),
        plural(searched.commits, "committed state"),
        plural(searched.points, "point"),
        match searched.classes {
            1 => "1 class".to_owned(),
            classes => format!("{classes} classes"),
        },
    );
    let often = match failures {
        _ if is_exhausted && searched.closed => "any number of power failures".to_owned(),
        1 => "one power failure".to_owned(),
        failures => format!("up to {failures} power failures"),
    };
    if is_exhausted {
        finding.evidence = Evidence::Benign;
        finding.severity = Severity::Note;
        for pair in &mut finding.pairs {
            pair.evidence = Evidence::Benign;
        }
        finding.notes.push(format!(
            "no values that the inputs can have do harm with {often} per region: {covered}"
        ));
    } else {
        finding.notes.push(format!(
            "not confirmed with {often} per region, in {covered}"
        ));
    }
}
