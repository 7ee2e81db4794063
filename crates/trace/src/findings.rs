//! From pairs and emulated failures to findings: grouped, named, explained.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::{
    Crash, Effect, Evidence, Finding, ObjectRef, OutputChange, Related, Rule, Severity, SourcePlace,
};
use brownout_ir::Origin;
use brownout_vm::{Fault, Image, Machine, Observer, Stop, Unobserved};

use crate::evaluate::{Difference, Evaluation, Test, evaluate};
use crate::exposure::Exposure;
use crate::locate::{Hazard, Located, locate};
use crate::objects::{Object, Objects, Part};

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// When reads are exposed.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: Vec<Range<u32>>,
    /// Whether located hazards are emulated.
    pub evaluate: bool,
    /// Failures in a row per test.
    pub failures: u32,
    /// Threads.
    pub jobs: usize,
    /// Most instructions of the continuous execution.
    pub limit: u64,
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// Everything found, in a stable order.
    pub findings: Vec<Finding>,
    /// Pairs that store what was read: no errors.
    pub silent: Vec<Finding>,
    /// How the continuous execution ended.
    pub stop: Stop,
    /// Instructions of the continuous execution.
    pub instructions: u64,
    /// Instructions of all emulated failures.
    pub emulated: u64,
    /// Emulated failures.
    pub tests: usize,
    /// Checkpoint calls executed.
    pub checkpoints: u64,
    /// Whether something was left out.
    pub interrupted: bool,
}

/// Locates, evaluates and explains. What the program writes goes to `also`.
/// When `interrupt` says so, the rest is left out and the result is not complete.
pub fn check<O: Observer>(
    image: &Image,
    request: &Request,
    interrupt: &(dyn Fn() -> bool + Sync),
    also: &mut O,
) -> Checked {
    let located = locate(
        image,
        request.exposure,
        &request.saved,
        request.limit,
        &interrupt,
        also,
    );
    let explainer = Explainer {
        image,
        objects: Objects::new(image),
        request,
    };
    let groups = explainer.group(&located);
    let (loud, silent): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| !group.hazard.silent);
    let results = if request.evaluate {
        run_tests(image, request, interrupt, &loud)
    } else {
        Vec::new()
    };
    let emulated = results.iter().map(|result| result.instructions).sum();
    let mut by_group: BTreeMap<usize, Vec<Evaluation>> = BTreeMap::new();
    let tests = results.len();
    let interrupted = interrupt();
    for result in results {
        by_group.entry(result.test.hazard).or_default().push(result);
    }
    let stacks = explainer.stacks(loud.iter().chain(&silent));
    let explain =
        |group: &Group, results: &[Evaluation]| explainer.finding(group, results, &stacks);
    let mut findings: Vec<Finding> = loud
        .iter()
        .enumerate()
        .map(|(index, group)| explain(group, by_group.get(&index).map_or(&[][..], Vec::as_slice)))
        .collect();
    let mut silent: Vec<Finding> = silent.iter().map(|group| explain(group, &[])).collect();
    findings.sort_by(|a, b| a.identity().cmp(&b.identity()));
    silent.sort_by(|a, b| a.identity().cmp(&b.identity()));
    Checked {
        findings,
        silent,
        stop: located.stop,
        instructions: located.instructions,
        emulated,
        tests,
        checkpoints: located.checkpoints,
        interrupted,
    }
}

/// Instructions above which a test is not repeated for further occurrences.
const DEAR: u64 = 500_000;

/// Emulates the first occurrence of every group, then, where that did no harm, the others.
fn run_tests(
    image: &Image,
    request: &Request,
    interrupt: &(dyn Fn() -> bool + Sync),
    groups: &[Group],
) -> Vec<Evaluation> {
    let run = |tests: &[Test]| {
        evaluate(
            image,
            request.exposure,
            &request.saved,
            tests,
            request.failures,
            request.jobs,
            interrupt,
        )
    };
    let test = |(hazard, group): (usize, &Group), index: usize| {
        group
            .hazard
            .instances
            .get(index)
            .map(|&instance| Test { instance, hazard })
    };
    let first: Vec<Test> = groups
        .iter()
        .enumerate()
        .filter_map(|pair| test(pair, 0))
        .collect();
    let mut results = run(&first);
    // Long windows are emulated once: sixteen times would be sixteen times as dear.
    let harmless: Vec<usize> = results
        .iter()
        .filter(|result| result.differences.is_empty() && result.instructions < DEAR)
        .map(|result| result.test.hazard)
        .collect();
    let more: Vec<Test> = harmless
        .into_iter()
        .flat_map(|hazard| {
            groups[hazard]
                .hazard
                .instances
                .iter()
                .skip(1)
                .map(move |&instance| Test { instance, hazard })
        })
        .collect();
    results.extend(run(&more));
    results
}

/// Hazards that are one defect: same rule, object and places.
#[derive(Clone, Debug)]
struct Group {
    hazard: Hazard,
}

struct Explainer<'a> {
    image: &'a Image,
    objects: Objects<'a>,
    request: &'a Request,
}

type Stacks = BTreeMap<u64, Vec<String>>;

impl Explainer<'_> {
    fn group(&self, located: &Located) -> Vec<Group> {
        type Position = Option<(String, u32, u32)>;
        let mut groups: BTreeMap<(Rule, Object, Position, Position), Hazard> = BTreeMap::new();
        for hazard in &located.hazards {
            let position = |pc| {
                self.place(pc)
                    .map(|place| (place.file, place.line, place.column))
            };
            let key = (
                hazard.rule,
                hazard.part.object,
                position(hazard.consumer),
                position(hazard.producer),
            );
            match groups.get_mut(&key) {
                Some(group) => merge(group, hazard),
                None => {
                    groups.insert(key, hazard.clone());
                }
            }
        }
        groups
            .into_values()
            .map(|hazard| Group { hazard })
            .collect()
    }

    /// The source place of an operation; inlined code is where the user wrote it.
    fn place(&self, pc: u32) -> Option<SourcePlace> {
        let source = &self.image.program().source;
        let data = source.places.get(self.image.place(pc)?)?;
        Some(SourcePlace {
            file: source.files.get(data.file)?.clone(),
            line: data.line,
            column: data.column,
            function: data.function.clone(),
            stack: Vec::new(),
        })
    }

    /// The calls in progress at the first occurrence of every group, outermost first.
    fn stacks<'g>(&self, groups: impl Iterator<Item = &'g Group>) -> Stacks {
        let mut times: Vec<u64> = groups
            .filter_map(|group| group.hazard.instances.first())
            .flat_map(|instance| [instance.consumed, instance.produced])
            .collect();
        times.sort_unstable();
        times.dedup();
        let mut machine = Machine::new(self.image);
        let mut stacks = Stacks::new();
        let program = self.image.program();
        for time in times {
            machine.run(&mut Unobserved, time.saturating_sub(1));
            let names = machine
                .backtrace()
                .into_iter()
                .rev()
                .filter(|(func, _)| program.functions[*func].origin == Origin::User)
                .map(|(func, _)| program.functions[func].name.clone())
                .collect();
            stacks.insert(time, names);
        }
        stacks
    }

    fn finding(&self, group: &Group, results: &[Evaluation], stacks: &Stacks) -> Finding {
        let hazard = &group.hazard;
        let name = self.objects.name(hazard.part);
        let confirmed: Option<&Evaluation> =
            results.iter().find(|result| !result.differences.is_empty());
        let evidence = match (results.is_empty(), confirmed) {
            (true, _) => Evidence::Located,
            (false, Some(_)) => Evidence::Confirmed,
            (false, None) => Evidence::Benign,
        };
        let mut finding = Finding::new(hazard.rule, evidence, self.message(hazard, &name));
        if evidence == Evidence::Benign || hazard.silent {
            finding.severity = Severity::Note;
        }
        let at = |pc: u32, time: Option<u64>| {
            self.place(pc).map(|place| SourcePlace {
                stack: time
                    .and_then(|time| stacks.get(&time).cloned())
                    .unwrap_or_default(),
                ..place
            })
        };
        let first = hazard.instances.first();
        finding.object = Some(ObjectRef {
            name: name.clone(),
            segment: self.objects.segment(hazard.part.object).to_owned(),
            offset: hazard.part.start,
            size: hazard.part.end - hazard.part.start,
        });
        finding.consumer = at(hazard.consumer, first.map(|instance| instance.consumed));
        finding.producer = at(hazard.producer, first.map(|instance| instance.produced));
        if let Some(place) = first
            .and_then(|instance| instance.checkpoint)
            .and_then(|pc| self.place(pc))
            && !matches!(self.request.exposure, Exposure::Anywhere { .. })
        {
            finding.related.push(Related {
                label: "last checkpoint".to_owned(),
                place,
            });
        }
        if let Some(result) = confirmed {
            // What happens to the object itself comes first.
            let mut differences = result.differences.clone();
            differences.sort_by_key(|difference| match difference {
                Difference::Value { part, .. } => part.object != hazard.part.object,
                _ => false,
            });
            finding.effects = self.effects(&differences);
        }
        if evidence == Evidence::Benign {
            let occurrences = if results.len() == 1 {
                "occurrence"
            } else {
                "occurrences"
            };
            finding.notes.push(format!(
                "{} {occurrences} emulated: the power failure changed nothing that lasts",
                results.len()
            ));
        }
        if hazard.silent {
            finding
                .notes
                .push("every write stores the very value that was read".to_owned());
        }
        if finding.severity == Severity::Error {
            finding.help = self.help(hazard, &finding);
        }
        finding
    }

    fn message(&self, hazard: &Hazard, name: &str) -> String {
        let when = match self.request.exposure {
            Exposure::Region | Exposure::SinceCall { .. } => "before the next checkpoint",
            Exposure::Anywhere { .. } => "before power may fail",
        };
        match hazard.rule {
            Rule::ActivationRecord => {
                format!("`{name}` is used, then its stack memory is reused {when}")
            }
            Rule::MemoryMap => {
                format!("the {name} is used, then given back or handed out again {when}")
            }
            _ => format!("`{name}` is read, then overwritten {when}"),
        }
    }

    fn effects(&self, differences: &[Difference]) -> Vec<Effect> {
        differences
            .iter()
            .map(|difference| self.effect(difference))
            .collect()
    }

    fn effect(&self, difference: &Difference) -> Effect {
        match difference {
            Difference::Value {
                part,
                continuous,
                intermittent,
            } => Effect::Value {
                object: self.objects.name(*part),
                continuous: self.objects.value(*part, continuous),
                intermittent: self.objects.value(*part, intermittent),
            },
            Difference::Path {
                continuous,
                intermittent,
            } => Effect::Path {
                branch: self.place(*intermittent).unwrap_or_default(),
                continuous: self.place(*continuous),
                intermittent: self.place(*intermittent),
            },
            Difference::Output {
                continuous,
                intermittent,
            } => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                Effect::Output {
                    output: "text".to_owned(),
                    change: OutputChange::Changed {
                        continuous: text(continuous),
                        intermittent: text(intermittent),
                    },
                }
            }
            Difference::Crash { fault, pc } => Effect::Crash {
                crash: crash(fault),
                place: self.place(*pc),
            },
            Difference::NoProgress { budget } => Effect::NoProgress { budget: *budget },
        }
    }

    fn help(&self, hazard: &Hazard, finding: &Finding) -> Vec<String> {
        let Part {
            object: Object::Global(global),
            ..
        } = hazard.part
        else {
            return Vec::new();
        };
        let data = &self.image.program().globals[global];
        let name = data.variable.as_deref().unwrap_or(&data.name);
        match finding.related.first() {
            Some(related) => vec![format!(
                "save `{name}` in the checkpoint at {}:{}",
                related.place.file, related.place.line
            )],
            None => vec![format!(
                "save `{name}` in every checkpoint (`power.saves` in brownout.toml)"
            )],
        }
    }
}

fn merge(group: &mut Hazard, other: &Hazard) {
    group.part.start = group.part.start.min(other.part.start);
    group.part.end = group.part.end.max(other.part.end);
    if group.silent && !other.silent {
        group.instances.clear();
        group.silent = false;
    }
    if group.silent == other.silent {
        group.instances.extend(other.instances.iter().copied());
        group.instances.sort_unstable();
        group.instances.dedup();
    }
}

fn crash(fault: &Fault) -> Crash {
    match fault {
        Fault::NullAccess { .. }
        | Fault::Unmapped { .. }
        | Fault::OutsideBlock { .. }
        | Fault::ReadOnly { .. } => Crash::BadAccess,
        Fault::AssertionFailed { .. } | Fault::Aborted => Crash::FailedAssertion,
        Fault::WildCall { .. }
        | Fault::WildJump { .. }
        | Fault::WildReturn { .. }
        | Fault::DeadJump => Crash::WildJump,
        Fault::StackOverflow => Crash::StackOverflow,
        Fault::DivisionByZero | Fault::Unreachable | Fault::Trap | Fault::WrongSignature { .. } => {
            Crash::Trap
        }
    }
}
