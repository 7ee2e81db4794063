//! From pairs and emulated failures to findings: grouped, judged, explained.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_diag::{Evidence, Finding, ReplayId, ResumePoint, Rule, Severity};
use brownout_explore::{
    Context, Difference, Explored, Exposure, Harm, Horizon, Instance, Monitor, Object, Objects,
    Outcome, Patience, PowerFailure, Recovery, Rounds, Setting, Stage, Tags, Test, Trial,
    Undecided, departures, evaluate, explore, reader,
};
use brownout_vm::{Image, Observer, Stop};

use crate::endless::Endless;
use crate::hazards::defects::Defects;
use crate::hazards::explain::Explainer;
use crate::hazards::fixes::{self, Fixes};
use crate::hazards::grouping::{group, spare};
use crate::hazards::heap;
use crate::hazards::locate::{
    DETAILED, Hazard, Located, Overwrites, Reader, Scope, in_slices, locate,
};
use crate::hazards::torn::WideStores;
use crate::wording;

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// When reads are exposed.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: Vec<Range<u32>>,
    /// Objects that are meant to change across power failures (SEMANTICS §3.7).
    pub aware: Vec<Object>,
    /// How many bytes a store writes at once, if it can be torn.
    pub atomic_write: Option<u32>,
    /// Whether located hazards are emulated.
    pub evaluate: bool,
    /// Failures in a row per test; if nobody says how many, as many as the length of the execution allows.
    pub failures: Option<u32>,
    /// Threads.
    pub jobs: usize,
    /// Most instructions of the continuous execution.
    pub limit: u64,
    /// Offsets whose contents may differ.
    pub ignored: Vec<Range<u32>>,
    /// Those of them that are meant to: what follows from their contents may differ, too.
    pub meant: Vec<Range<u32>>,
    /// What outputs mean to the world.
    pub tags: Tags,
    /// What happens after a power failure.
    pub recovery: Recovery,
    /// How long a loop is executed in which nothing new happens.
    pub patience: Patience,
}

/// Executions of more instructions are checked with one failure at a time.
const SHORT: u64 = 200_000;

impl Request {
    /// How often power fails in a row in one region.
    pub(crate) fn failures_in_a_row(&self, located: &Located) -> u32 {
        self.failures
            .unwrap_or(if located.instructions <= SHORT { 3 } else { 1 })
    }

    pub(crate) fn setting(&self, located: &Located) -> Setting<'_> {
        Setting {
            exposure: self.exposure,
            saved: &self.saved,
            failures: self.failures_in_a_row(located),
            jobs: self.jobs,
            atomic_write: self.atomic_write,
            horizon: Horizon {
                limit: located.instructions,
                is_end: located.is_whole(),
            },
            ignored: &self.ignored,
            meant: &self.meant,
            tags: &self.tags,
        }
    }
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// Everything found, in a stable order.
    pub findings: Vec<Finding>,
    /// Pairs that store what was read: no errors.
    pub silent: Vec<Finding>,
    /// How the continuous execution ended; nothing of a program that was not executed.
    pub stop: Option<Stop>,
    /// The loop that it does not leave, if it was ended for that reason.
    pub endless: Option<Endless>,
    /// Instructions of the continuous execution.
    pub instructions: u64,
    /// Instructions of all emulated failures.
    pub emulated: u64,
    /// Emulated failures.
    pub tests: u64,
    /// Checkpoint calls executed.
    pub checkpoints: u64,
    /// Whether something was left out.
    pub interrupted: bool,
    /// The rounds of a loop without end, if it was ended because nothing new happened.
    pub rounds: Option<Rounds>,
    /// Variables that differ after a reboot whatever the program wrote, by name.
    pub lost: Vec<String>,
    /// Under `restart`: the operations that write something after an emulated failure.
    pub recovering: BTreeSet<u32>,
    /// In a loop without end: the operations that count in parts, and no carry of which was executed.
    pub uncarried: Vec<u32>,
}

impl Checked {
    /// Adds what other analyses found with so many emulated failures and instructions.
    pub fn add(&mut self, findings: &[Finding], tests: u64, emulated: u64) {
        self.findings.extend_from_slice(findings);
        self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        self.tests += tests;
        self.emulated += emulated;
    }
}

/// Locates, evaluates and explains. What the program writes goes to `also`.
/// When `monitor` says so, the rest is left out and the result is not complete.
pub fn check(
    image: &Image,
    request: &Request,
    monitor: &dyn Monitor,
    also: &mut dyn Observer,
) -> Checked {
    let scope = Scope {
        exposure: request.exposure,
        saved: &request.saved,
        extra: None,
        limit: request.limit,
        patience: request.patience,
        detailed: DETAILED,
    };
    monitor.begin(Stage::Locating, None);
    let mut located = locate(image, scope, &|| in_slices(monitor), also);
    let varied = located.varied();
    located.commits.retain(|&commit| commit <= varied);
    let scope = match located.standstill.is_some() || located.rounds.is_some() {
        true => Scope {
            limit: varied,
            ..scope
        },
        false => scope,
    };
    let defects = Defects::new(image, request);
    let explainer = Explainer::new(image, request, &located, &defects);
    let (mut loud, silent): (Vec<Group>, Vec<Group>) = group(&defects, &located)
        .into_iter()
        .partition(|group| !group.hazard.silent);
    let wide = request
        .atomic_write
        .map(|atomic| WideStores::of(image, atomic, request, &located, monitor));
    if let Some(wide) = &wide {
        for group in &mut loud {
            let Hazard {
                rule,
                producer,
                part,
                ..
            } = group.hazard;
            group.wide = wide.include(rule, producer, part);
        }
    }
    let mut work = Work::default();
    let mut spared = Vec::new();
    if request.evaluate {
        spared = spare(&defects, &mut loud);
        // Where not all pairs are emulated, further failures would not be the rest either.
        let exploration = match spared.is_empty() {
            true => EXPLORATION,
            false => EXPLORATION / 8,
        };
        work = emulate(image, request, &located, monitor, exploration, &mut loud);
    }
    let broken = heap::take_broken(&mut loud);
    let fixes = fixes::check(image, scope, &located, &loud, monitor);
    let interrupted = monitor.is_interrupted();
    let emulated = loud.len();
    loud.append(&mut spared);
    let is_meant = |object: Object| request.aware.contains(&object);
    let loud_groups = || {
        let groups = loud.iter();
        groups.filter(|group| !is_meant(group.hazard.part.object))
    };
    let is_loud =
        |overwrites: &Overwrites, reader: &Reader| !reader.silent && !is_meant(overwrites.object);
    let all = defects.collect(loud_groups(), &located.further, |overwrites, reader| {
        is_loud(overwrites, reader).then_some(overwrites.rule)
    });
    let mut findings = explainer.findings(&all, &fixes);
    if let Some(wide) = &wide {
        let torn: Vec<Group> = loud_groups().filter_map(Group::torn).collect();
        let torn = defects.collect(&torn, &located.further, |overwrites, reader| {
            let part = overwrites.part(reader);
            let is_wide = wide.include(overwrites.rule, overwrites.producer, part);
            (is_loud(overwrites, reader) && is_wide).then_some(Rule::TornWrite)
        });
        findings.extend(explainer.findings(&torn, &Fixes::default()));
    }
    findings.extend(explainer.leaks(&broken));
    if request.evaluate && !interrupted {
        findings.extend(explainer.unaware(&loud[..emulated]));
    }
    let silent = defects.collect(&silent, &located.further, |overwrites, reader| {
        reader.silent.then_some(overwrites.rule)
    });
    let mut silent = explainer.findings(&silent, &fixes);
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    silent.sort_by(|a, b| a.order().cmp(&b.order()));
    Checked {
        findings,
        silent,
        stop: Some(located.stop),
        endless: (located.standstill.as_ref()).map(|still| Endless::new(image, still)),
        instructions: located.instructions,
        emulated: work.instructions,
        tests: work.failures,
        checkpoints: located.checkpoints,
        interrupted,
        rounds: located.rounds,
        lost: work.lost,
        recovering: BTreeSet::new(),
        uncarried: Vec::new(),
    }
}

/// Hazards at the same places, with the same object in regions of the same checkpoint: a pair, and
/// what failures do there.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) hazard: Hazard,
    /// The operations that make it up: consumers and producers.
    pub(crate) operations: BTreeSet<(u32, u32)>,
    /// Harmful failures, the first one first.
    pub(crate) harm: Vec<Point>,
    /// Whether the producer stores more than is written at once.
    pub(crate) wide: bool,
    /// Failures in the middle of the producer that do other harm.
    pub(crate) torn: Vec<Point>,
    /// Failures emulated in the middle of the producer.
    pub(crate) tears: u64,
    /// Failures emulated.
    pub(crate) tests: u64,
    /// Whether all failures that can matter were emulated.
    pub(crate) exhausted: bool,
    /// Why a failure of it was not settled, if one was not.
    pub(crate) undecided: Option<Undecided>,
    /// Objects that are meant to change, and did.
    pub(crate) changed: BTreeSet<Object>,
}

impl Group {
    /// How well it is established.
    pub(crate) fn evidence(&self) -> Evidence {
        if !self.harm.is_empty() {
            Evidence::Confirmed
        } else if self.tests == 0 || self.undecided.is_some() {
            Evidence::Located
        } else {
            Evidence::Benign
        }
    }
}

/// A failure that does harm.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) failure: PowerFailure,
    pub(crate) trial: Trial,
    /// Where the path of the continuous execution is left, if it is and that is known.
    pub(crate) branch: Option<u32>,
}

impl Group {
    pub(crate) fn new(hazard: &Hazard) -> Self {
        Self {
            hazard: hazard.clone(),
            operations: BTreeSet::from([(hazard.consumer, hazard.producer)]),
            harm: Vec::new(),
            wide: false,
            torn: Vec::new(),
            tears: 0,
            tests: 0,
            exhausted: false,
            undecided: None,
            changed: BTreeSet::new(),
        }
    }

    /// Whether both are about the same write of the same object.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        let (own, other) = (&self.hazard, &other.hazard);
        own.rule == other.rule
            && own.part.object == other.part.object
            && own.producer == other.producer
    }

    /// The same pair as a store that power can fail in the middle of, if it is one.
    pub(crate) fn torn(&self) -> Option<Self> {
        (self.wide || !self.torn.is_empty()).then(|| Self {
            hazard: Hazard {
                rule: Rule::TornWrite,
                ..self.hazard.clone()
            },
            harm: self.torn.clone(),
            tests: self.tears,
            ..self.clone()
        })
    }
}

/// How much was emulated.
#[derive(Default)]
struct Work {
    failures: u64,
    instructions: u64,
    lost: Vec<String>,
}

/// Instructions above which a test is not repeated for further occurrences.
const DEAR: u64 = 500_000;
/// Instructions that are spent on looking further than the first occurrences.
const EXPLORATION: u64 = 50_000_000;

/// Emulates the first occurrence of every group, then, where that did no harm, the others, then
/// everything else that can be afforded.
fn emulate(
    image: &Image,
    request: &Request,
    located: &Located,
    monitor: &dyn Monitor,
    exploration: u64,
    groups: &mut Vec<Group>,
) -> Work {
    let mut work = Work::default();
    let objects = Objects::new(image);
    let test = |hazard: usize, instance: Instance| Test { instance, hazard };
    let first: Vec<Test> = groups
        .iter()
        .enumerate()
        .filter_map(|(index, group)| Some(test(index, *group.hazard.instances.first()?)))
        .collect();
    let mut harmless = BTreeSet::new();
    for round in 0..2 {
        let tests: Vec<Test> = match round {
            0 => first.clone(),
            // Long windows are emulated once: several times would be as many times as dear.
            _ => harmless
                .iter()
                .flat_map(|&index: &usize| {
                    let later = groups[index].hazard.instances.iter().skip(1);
                    later.map(move |&instance| test(index, instance))
                })
                .collect(),
        };
        for result in evaluate(image, request.setting(located), &tests, monitor) {
            work.failures += 1;
            work.instructions += result.instructions;
            let Test { instance, hazard } = result.test;
            let group = &mut groups[hazard];
            group.tests += 1;
            group
                .changed
                .extend(aware(&objects, request, &result.trial));
            if let Outcome::Undecided(why) = result.trial.outcome {
                group.undecided.get_or_insert(why);
            }
            if result.trial.differences().is_empty() {
                if round == 0 && result.instructions < DEAR {
                    harmless.insert(hazard);
                }
                continue;
            }
            let position = match request.exposure {
                Exposure::Anywhere { .. } => instance.consumed.saturating_sub(1),
                Exposure::Region | Exposure::SinceCall { .. } => instance.commit,
            };
            let failure = PowerFailure {
                checkpoint: position,
                failure: instance.produced,
                failures: result.trial.failures,
                again: None,
                torn: None,
            };
            group.harm.push(Point::new(failure, result.trial));
        }
    }
    let positions = positions(request.exposure, located, groups);
    let explored = explore(
        image,
        request.setting(located),
        &positions.chosen,
        exploration,
        monitor,
    );
    work.failures += explored.failures;
    work.lost = lost(image, &objects, &explored);
    work.instructions += explored.instructions;
    attribute(image, request, located, &explored, groups);
    for group in &mut *groups {
        group.exhausted = explored.complete && positions.all && explored.undecided == 0;
    }
    // What users can make something of comes first: it is what is replayed.
    for group in &mut *groups {
        for points in [&mut group.harm, &mut group.torn] {
            points.sort_by_key(|point| {
                let mut differences = point.trial.differences().iter();
                differences.all(|difference| wording::is_nameless(image, difference))
            });
        }
    }
    find_branches(image, request, located, monitor, groups);
    work
}

/// The names of volatile variables that a reboot loses and something reads after it.
fn lost(image: &Image, objects: &Objects<'_>, explored: &Explored) -> Vec<String> {
    // What is kept differs because of them.
    let is_lost = |offset: u32| {
        let segment = image.layout().segment(offset);
        segment.is_some_and(|segment| !segment.nonvolatile)
    };
    let lost = explored.lost.iter();
    let names = lost.filter_map(|difference| match difference {
        Difference::Value { part, offset, .. } if is_lost(*offset) => Some(objects.name(*part)),
        _ => None,
    });
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

/// Where the first harmful failure of each group makes the paths part.
fn find_branches(
    image: &Image,
    request: &Request,
    located: &Located,
    monitor: &dyn Monitor,
    groups: &mut [Group],
) {
    let mut points: Vec<&mut Point> = groups
        .iter_mut()
        .flat_map(|group| [group.harm.first_mut(), group.torn.first_mut()])
        .flatten()
        .filter(|point| {
            let mut differences = point.trial.differences().iter();
            differences.any(|difference| matches!(difference, Difference::Path { .. }))
        })
        .collect();
    let failures: Vec<PowerFailure> = points.iter().map(|point| point.failure).collect();
    let found = departures(image, request.setting(located), &failures, monitor);
    for point in &mut points {
        point.branch = found.get(&point.failure).copied();
    }
}

/// The objects that are meant to change and were found changed after a failure.
fn aware<'d>(
    objects: &'d Objects<'_>,
    request: &'d Request,
    trial: &'d Trial,
) -> impl Iterator<Item = Object> + 'd {
    trial
        .found
        .iter()
        .map(|&offset| objects.scalar(offset, None).object)
        .filter(|object| request.aware.contains(object))
}

/// Where checkpoints are tried.
struct Positions {
    chosen: Vec<u64>,
    /// Whether there are no others.
    all: bool,
}

/// The checkpoints after which everything is tried.
fn positions(exposure: Exposure, located: &Located, groups: &[Group]) -> Positions {
    match exposure {
        Exposure::Region | Exposure::SinceCall { .. } => Positions {
            chosen: std::iter::once(0)
                .chain(located.commits.iter().copied())
                .collect(),
            all: located.commits.len() as u64 == located.checkpoints,
        },
        Exposure::Anywhere { depth } => {
            let length = located.varied();
            let window = u128::from(depth.min(length));
            // About every eighth instruction is a producer, and each costs a window.
            if u128::from(length) * window * window / 8 <= u128::from(EXPLORATION) {
                return Positions {
                    chosen: (0..length).collect(),
                    all: true,
                };
            }
            let firsts = groups
                .iter()
                .filter_map(|group| group.hazard.instances.first())
                .map(|instance| instance.consumed.saturating_sub(1));
            Positions {
                chosen: firsts.collect::<BTreeSet<u64>>().into_iter().collect(),
                all: false,
            }
        }
    }
}

/// Gives harmful failures to the findings they belong to: those of the write before the failure.
fn attribute(
    image: &Image,
    request: &Request,
    located: &Located,
    explored: &Explored,
    groups: &mut Vec<Group>,
) {
    let objects = Objects::new(image);
    let mut by_pair: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    let mut by_producer: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        for &(consumer, producer) in &group.operations {
            by_pair.entry((consumer, producer)).or_default().push(index);
            by_producer.entry(producer).or_default().push(index);
        }
    }
    for harm in &explored.harm {
        let mut concerned: BTreeSet<usize> = harm
            .pairs
            .iter()
            .filter_map(|pair| by_pair.get(pair))
            .flatten()
            .copied()
            .collect();
        if concerned.is_empty() && !harm.pairs.is_empty() {
            // The allocator's own accesses are pairs of nobody; their producer is somebody's.
            concerned = harm
                .pairs
                .iter()
                .filter_map(|(_, producer)| by_producer.get(producer))
                .flatten()
                .copied()
                .collect();
        }
        for &index in &concerned {
            groups[index]
                .changed
                .extend(aware(&objects, request, &harm.trial));
        }
        if harm.trial.differences().is_empty() {
            continue;
        }
        if concerned.is_empty() {
            let stray = stray(image, request, located, harm, &objects);
            concerned.extend(stray.map(|stray| {
                let known = groups.iter().position(|group| stray.is_of(group));
                known.unwrap_or_else(|| {
                    groups.push(stray);
                    groups.len() - 1
                })
            }));
        }
        let point = Point::new(harm.failure, harm.trial.clone());
        for index in concerned {
            let group = &mut groups[index];
            let list = if harm.failure.torn.is_some() {
                &mut group.torn
            } else {
                &mut group.harm
            };
            list.push(point.clone());
        }
    }
    for (pair, trial) in &explored.open {
        for &index in by_pair.get(pair).into_iter().flatten() {
            if let Outcome::Undecided(why) = trial.outcome {
                groups[index].undecided.get_or_insert(why);
            }
        }
    }
    for (pair, tears) in &explored.tears {
        for &index in by_pair.get(pair).into_iter().flatten() {
            groups[index].tears += tears;
        }
    }
}

/// A write of a byte that the continuous execution does not read before, and that an attempt on
/// another path does.
fn stray(
    image: &Image,
    request: &Request,
    located: &Located,
    harm: &Harm,
    objects: &Objects<'_>,
) -> Option<Group> {
    let consumer = reader(image, request.setting(located), harm.failure, harm.offset);
    let (rule, producer) = heap::rule_of(image, objects, harm, || consumer)?;
    let hazard = Hazard {
        rule,
        part: objects.scalar(harm.offset, None),
        consumer: consumer.unwrap_or(producer),
        producer,
        checkpoint: None,
        instances: vec![Instance {
            commit: harm.failure.checkpoint,
            checkpoint: None,
            consumed: harm.failure.failure,
            produced: harm.failure.failure,
            consumer_calls: Context::OUTSIDE,
            producer_calls: Context::OUTSIDE,
        }],
        silent: false,
        paths: Vec::new(),
    };
    Some(Group::new(&hazard))
}

impl Point {
    pub(crate) fn new(failure: PowerFailure, trial: Trial) -> Self {
        Self {
            failure,
            trial,
            branch: None,
        }
    }

    /// What replays it, if it can be named.
    pub(crate) fn id(&self, request: &Request, located: &Located) -> Option<ReplayId> {
        let position = self.failure.checkpoint;
        let resume = match request.exposure {
            Exposure::Anywhere { .. } => ResumePoint::Instruction(position),
            Exposure::Region | Exposure::SinceCall { .. } if position == 0 => {
                ResumePoint::Commit(0)
            }
            Exposure::Region | Exposure::SinceCall { .. } => {
                ResumePoint::Commit(located.commits.binary_search(&position).ok()? as u64 + 1)
            }
        };
        let distance = self.failure.failure.saturating_sub(position);
        let further = match self.failure.again {
            Some(again) => vec![again],
            None => vec![distance; (self.failure.failures as usize).saturating_sub(1)],
        };
        Some(ReplayId {
            further,
            torn: self.failure.torn,
            ..ReplayId::new(resume, distance)
        })
    }
}

/// Whether a finding of these is an error.
pub(crate) fn is_error(group: &Group) -> bool {
    !group.hazard.silent
        && group.evidence() != Evidence::Benign
        && group.hazard.rule.severity() == Severity::Error
}
