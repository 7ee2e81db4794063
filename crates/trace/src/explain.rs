//! Findings in the words of the user: places, names, effects, help.

use std::cell::Cell;

use brownout_diag as diag;
use brownout_diag::{
    Action, Effect, Evidence, Finding, ObjectRef, Related, ReplayId, Rule, Severity, SourcePlace,
};
use brownout_vm::Image;

use crate::calls::Context;
use crate::evaluate::{Difference, DifferenceKind};
use crate::exposure::Exposure;
use crate::findings::{Group, Point, Request, is_error};
use crate::fixes::{Fix, Fixes};
use crate::locate::{Allocation, Hazard, Instance, Located};
use crate::objects::{Object, Objects, Part};
use crate::replay::{ReplayRequest, replay};
use crate::wording;

/// How many call paths are listed.
const PATHS: usize = 5;
/// Longer windows are not replayed to find the branch where paths part.
const LONGEST_REPLAY: u64 = 100_000;
/// A replay copies the machine a few times; so many bytes of memory may be copied in all.
const COPIES: u64 = 256 << 20;

pub(crate) struct Explainer<'a> {
    image: &'a Image,
    objects: Objects<'a>,
    request: &'a Request,
    located: &'a Located,
    /// How many findings may still be replayed.
    replays: Cell<u64>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(image: &'a Image, request: &'a Request, located: &'a Located) -> Self {
        let segments = image.layout().segments().iter();
        let bytes = segments
            .map(|segment| u64::from(segment.offsets.end))
            .max()
            .unwrap_or(0);
        Self {
            image,
            objects: Objects::new(image),
            request,
            located,
            replays: Cell::new((COPIES / bytes.max(1)).max(2)),
        }
    }

    /// The source place of an operation; inlined code is where the user wrote it.
    pub(crate) fn place(&self, pc: u32) -> Option<SourcePlace> {
        wording::place(self.image, pc)
    }

    fn place_in(&self, pc: u32, calls: Option<Context>) -> Option<SourcePlace> {
        self.place(pc).map(|place| SourcePlace {
            stack: calls.map(|calls| self.names(calls)).unwrap_or_default(),
            ..place
        })
    }

    /// The functions of a call path, outermost first.
    fn names(&self, calls: Context) -> Vec<String> {
        let functions = &self.image.program().functions;
        let path = self.located.call_paths.get(calls.index());
        path.into_iter()
            .flatten()
            .map(|&func| functions[func].name.clone())
            .collect()
    }

    pub(crate) fn finding(&self, group: &Group, fixes: &Fixes) -> Finding {
        let hazard = &group.hazard;
        let name = self.objects.name(hazard.part);
        let evidence = group.evidence();
        let mut finding = Finding::new(hazard.rule, evidence, self.message(hazard, &name));
        if !is_error(group) {
            finding.severity = Severity::Note;
        }
        let first = hazard.instances.first();
        finding.object = Some(ObjectRef {
            name,
            segment: self.objects.segment(hazard.part.object).to_owned(),
            offset: hazard.part.start,
            size: hazard.part.end - hazard.part.start,
        });
        let calls = |which: fn(&Instance) -> Context| first.map(which);
        finding.consumer = self.place_in(hazard.consumer, calls(|first| first.consumer_calls));
        finding.producer = self.place_in(hazard.producer, calls(|first| first.producer_calls));
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
        finding.effects = self.effects(&group.harm, Some(hazard.part.object));
        finding.replay = replay_text(&group.harm);
        finding.notes = self.notes(group);
        if is_error(group) {
            finding.help = self.help(fixes.of(hazard), &finding);
            finding.fixes = self.fixes(fixes.of(hazard), &finding);
        }
        finding
    }

    /// A store that power can fail in the middle of.
    pub(crate) fn torn(&self, group: &Group) -> Finding {
        let whole = Group {
            harm: group.torn.clone(),
            torn: Vec::new(),
            ..group.clone()
        };
        let mut finding = self.finding(&whole, &Fixes::default());
        let name = self.objects.name(group.hazard.part);
        finding.rule = Rule::TornWrite;
        finding.severity = Rule::TornWrite.severity();
        finding.message = format!("`{name}` can be half written when power fails");
        finding.help = vec![format!(
            "save `{}` in the checkpoint, or keep it in parts of {} that are written at once",
            self.whole_name(group.hazard.part.object),
            match self.request.atomic_write {
                Some(1) => "1 byte".to_owned(),
                bytes => format!("{} bytes", bytes.unwrap_or(0)),
            }
        )];
        finding
    }

    fn notes(&self, group: &Group) -> Vec<String> {
        let mut notes = Vec::new();
        if group.evidence() == Evidence::Benign {
            let failures = match group.tests {
                1 => "1 power failure was emulated: it".to_owned(),
                count => format!("{count} power failures were emulated: they"),
            };
            let rest = if group.exhausted {
                "; there are no others that could"
            } else {
                ""
            };
            notes.push(format!("{failures} changed nothing that lasts{rest}"));
        }
        if group.hazard.silent {
            notes.push("every write stores the very value that was read".to_owned());
        }
        let paths = &group.hazard.paths;
        if paths.len() > 1 {
            let listed: Vec<String> = paths
                .iter()
                .take(PATHS)
                .map(|&calls| self.names(calls).join(" > "))
                .collect();
            let more = match paths.len().saturating_sub(PATHS) {
                0 => String::new(),
                count => format!(", and {count} more"),
            };
            let count = paths.len();
            notes.push(format!(
                "in {count} call paths: {}{more}",
                listed.join(", ")
            ));
        }
        notes
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

    /// What harmful failures do: all of the first one's effects, and what only others have.
    fn effects(&self, harm: &[Point], about: Option<Object>) -> Vec<Effect> {
        let mut effects: Vec<Effect> = Vec::new();
        let mut known: Vec<DifferenceKind> = Vec::new();
        let all = || harm.iter().flat_map(|point| &point.damage.differences);
        let any_named = all().any(|difference| !self.is_nameless(difference));
        for (index, point) in harm.iter().enumerate() {
            // What happens to the object itself comes first.
            let mut differences: Vec<&Difference> = point.damage.differences.iter().collect();
            differences.sort_by_key(|difference| match difference {
                Difference::Value { part, .. } => Some(part.object) != about,
                _ => false,
            });
            for difference in differences {
                let key = difference.kind();
                let meant = matches!(&key, DifferenceKind::Value(object, _) if self.request.aware.contains(object));
                let nameless = any_named && self.is_nameless(difference);
                if known.contains(&key) || meant || nameless {
                    continue;
                }
                known.push(key);
                let branch = match (difference, index) {
                    (Difference::Path { .. }, 0) => point.id.and_then(|id| self.branch(id)),
                    _ => None,
                };
                effects.push(wording::effect(
                    self.image,
                    &self.objects,
                    difference,
                    branch.as_ref(),
                ));
            }
        }
        effects
    }

    /// Whether it is a place of the compiler's, which the user cannot know.
    fn is_nameless(&self, difference: &Difference) -> bool {
        let Difference::Value { part, .. } = difference else {
            return false;
        };
        match part.object {
            Object::Local(func, slot) => {
                let body = self.image.program().functions[func].body.as_ref();
                let slot = body.and_then(|body| body.slots.get(slot));
                slot.is_none_or(|slot| slot.name.is_none())
            }
            Object::Stack(_) | Object::Segment(_) => true,
            Object::Global(_) | Object::Linkage(_) | Object::Block { .. } => false,
        }
    }

    /// Where the attempt after a failure leaves the path of the continuous execution.
    fn branch(&self, id: ReplayId) -> Option<SourcePlace> {
        let left = self.replays.get();
        if id.distance > LONGEST_REPLAY || left == 0 {
            return None;
        }
        self.replays.set(left - 1);
        let request = ReplayRequest {
            id,
            exposure: self.request.exposure,
            saved: &self.request.saved,
            names: &[],
            inputs: &[],
            outputs: &[],
            limit: self.request.limit,
        };
        let replayed = replay(self.image, &request).ok()?;
        let steps = replayed.story.attempts.last()?.steps.iter();
        steps
            .filter(|step| matches!(step.action, Action::Departure { .. }))
            .find_map(|step| step.place.clone())
    }

    fn help(&self, fixes: &[Fix], finding: &Finding) -> Vec<String> {
        let checkpoint = finding.related.first();
        fixes
            .iter()
            .map(|fix| match fix {
                Fix::Save(object) => {
                    let name = self.whole_name(*object);
                    match checkpoint {
                        Some(related) => format!(
                            "save `{name}` in the checkpoint at {}:{}",
                            related.place.file, related.place.line
                        ),
                        None => format!(
                            "save `{name}` in every checkpoint (`power.saves` in brownout.toml)"
                        ),
                    }
                }
                Fix::Checkpoint { before } => between(finding, self.place(*before)),
            })
            .collect()
    }

    /// The fixes that have a place in the source.
    fn fixes(&self, fixes: &[Fix], finding: &Finding) -> Vec<diag::Fix> {
        let checkpoint = finding.related.first().map(|related| related.place.clone());
        let place = |fix: &Fix| match *fix {
            Fix::Save(object) => Some(diag::Fix::Save {
                object: self.whole_name(object),
                checkpoint: checkpoint.clone(),
            }),
            Fix::Checkpoint { before } => Some(diag::Fix::Checkpoint {
                before: self.place(before)?,
            }),
        };
        fixes.iter().filter_map(place).collect()
    }

    /// What a whole object is called.
    fn whole_name(&self, object: Object) -> String {
        match object {
            Object::Global(global) => {
                let data = &self.image.program().globals[global];
                data.variable.clone().unwrap_or_else(|| data.name.clone())
            }
            _ => self.objects.name(Part {
                object,
                start: 0,
                end: self.objects.size(object).unwrap_or(0),
            }),
        }
    }

    /// An allocation that a power failure repeats.
    pub(crate) fn leak(&self, allocation: &Allocation) -> Finding {
        let what = match allocation.blocks {
            1 => "a block allocated here leaks",
            _ => "blocks allocated here leak",
        };
        let message = format!("{what} when power fails before the next checkpoint");
        let mut finding = Finding::new(Rule::HeapLeak, Evidence::Located, message);
        finding.producer = self.place(allocation.pc);
        finding
    }

    /// Objects that are meant to notice power failures, and do not (SEMANTICS §3.7).
    pub(crate) fn unaware(&self, groups: &[Group]) -> Vec<Finding> {
        let changes = |object: Object| {
            groups
                .iter()
                .filter(|group| group.hazard.part.object == object)
                .any(|group| group.changed.contains(&object))
        };
        self.request
            .aware
            .iter()
            .filter(|&&object| !changes(object))
            .map(|&object| {
                let name = self.whole_name(object);
                let message = format!(
                    "`{name}` is meant to change across a power failure, and none changes it"
                );
                let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, message);
                finding.object = Some(ObjectRef {
                    name,
                    segment: self.objects.segment(object).to_owned(),
                    offset: 0,
                    size: self.objects.size(object).unwrap_or(0),
                });
                let pair = groups
                    .iter()
                    .find(|group| group.hazard.part.object == object);
                finding.consumer = pair.and_then(|group| self.place(group.hazard.consumer));
                finding.producer = pair.and_then(|group| self.place(group.hazard.producer));
                finding
            })
            .collect()
    }
}

/// A checkpoint between the two places of a finding.
fn between(finding: &Finding, before: Option<SourcePlace>) -> String {
    match (&finding.consumer, &finding.producer) {
        (Some(consumer), Some(producer))
            if consumer.file == producer.file
                && consumer.function == producer.function
                && consumer.line < producer.line =>
        {
            format!(
                "put a checkpoint between lines {} and {}",
                consumer.line, producer.line
            )
        }
        (_, producer) => match before.as_ref().or(producer.as_ref()) {
            Some(place) => format!(
                "put a checkpoint right before {}:{}",
                place.file, place.line
            ),
            None => "put a checkpoint right before the write".to_owned(),
        },
    }
}

fn replay_text(harm: &[Point]) -> Option<String> {
    harm.first()
        .and_then(|point| point.id)
        .map(|id| id.to_string())
}
