//! Findings in the words of the user: places, names, effects, help.

use brownout_diag as diag;
use brownout_diag::{
    Effect, Evidence, Finding, ObjectRef, Related, Rule, Severity, SourcePlace, When,
};
use brownout_vm::Image;

use crate::calls::Context;
use crate::explore::{Difference, DifferenceKind, Undecided};
use crate::exposure::Exposure;
use crate::findings::{Group, Point, Recovery, Request, is_error};
use crate::fixes::{Fix, Fixes};
use crate::locate::{Allocation, Hazard, Instance, Located};
use crate::objects::{Object, Objects};
use crate::wording;

/// How many call paths are listed.
const PATHS: usize = 5;

pub(crate) struct Explainer<'a> {
    image: &'a Image,
    objects: Objects<'a>,
    request: &'a Request,
    located: &'a Located,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(image: &'a Image, request: &'a Request, located: &'a Located) -> Self {
        Self {
            image,
            objects: Objects::new(image),
            request,
            located,
        }
    }

    /// The source place of an operation; inlined code is where the user wrote it.
    pub(crate) fn place(&self, pc: u32) -> Option<SourcePlace> {
        wording::place(self.image, pc)
    }

    fn place_in(&self, pc: u32, calls: Option<Context>) -> Option<SourcePlace> {
        let mut stack = calls.map(|calls| self.names(calls)).unwrap_or_default();
        if !stack.is_empty() {
            stack.extend(wording::inlined(self.image, pc));
        }
        self.place(pc).map(|place| SourcePlace { stack, ..place })
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
        let name = self.name(group);
        let evidence = group.evidence();
        let mut finding = Finding::new(hazard.rule, evidence, self.message(hazard, &name));
        if !is_error(group) {
            finding.severity = Severity::Note;
        } else if group.undecided.is_some() && group.harm.is_empty() {
            finding.severity = Severity::Warning;
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
        finding.replay = self.replay_text(&group.harm);
        finding.notes = self.notes(group);
        if is_error(group) {
            finding.help = self.help(fixes.of(hazard), &finding);
            finding.fixes = self.fixes(fixes.of(hazard), &finding);
        }
        finding
    }

    /// What the object of a pair is called. Accesses to a bit-field are accesses to all that share its
    /// bytes: if failures change one of them only, that is the one.
    fn name(&self, group: &Group) -> String {
        let part = group.hazard.part;
        if group.hazard.rule == Rule::MemoryMap {
            return self.objects.whole_name(part.object);
        }
        let fields = self.objects.bit_fields(part);
        if fields.is_empty() {
            return self.objects.name(part);
        }
        let mut changed: Vec<String> = group
            .harm
            .iter()
            .flat_map(|point| point.trial.differences())
            .filter(|difference| matches!(difference, Difference::Value { part: other, .. } if *other == part))
            .flat_map(|difference| wording::effects(self.image, &self.objects, difference, None, When::Elsewhere))
            .filter_map(|effect| match effect {
                Effect::Value { object, .. } => Some(object),
                _ => None,
            })
            .collect();
        changed.sort();
        changed.dedup();
        match (changed.as_slice(), fields.as_slice()) {
            ([only], _) | (_, [(only, ..)]) => only.clone(),
            _ => self.objects.name(part),
        }
    }

    /// A store that power can fail in the middle of.
    pub(crate) fn torn(&self, group: &Group) -> Finding {
        let whole = Group {
            harm: group.torn.clone(),
            tests: group.tears,
            ..group.clone()
        };
        let mut finding = self.finding(&whole, &Fixes::default());
        let name = self.name(&whole);
        finding.rule = Rule::TornWrite;
        finding.message = format!("`{name}` can be half written when power fails");
        if !is_error(&whole) {
            finding.notes = vec![format!(
                "{} in the middle of it {} emulated: no harm that a failure after it does not do",
                match group.tears {
                    1 => "1 power failure".to_owned(),
                    count => format!("{count} power failures"),
                },
                if group.tears == 1 { "was" } else { "were" }
            )];
            return finding;
        }
        finding.help = vec![format!(
            "save `{}` in the checkpoint, or keep it in parts of {} that are written at once",
            self.objects.whole_name(group.hazard.part.object),
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
        if let (Some(undecided), true) = (group.undecided, group.harm.is_empty()) {
            notes.push(undecided_note(undecided));
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
        if self.request.recovery == Recovery::Restart {
            return match hazard.consumer == hazard.producer {
                true => {
                    format!("`{name}` is written, and a reboot right after it does not recover")
                }
                false => format!(
                    "`{name}` is overwritten, and a reboot right after it reads what does not fit"
                ),
            };
        }
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

    /// What the first harmful failure does, which is the one that can be replayed.
    fn effects(&self, harm: &[Point], about: Option<Object>) -> Vec<Effect> {
        let mut effects: Vec<Effect> = Vec::new();
        let mut known: Vec<DifferenceKind> = Vec::new();
        let harm = &harm[..harm.len().min(1)];
        let all = || harm.iter().flat_map(|point| point.trial.differences());
        let any_named = all().any(|difference| !wording::is_nameless(self.image, difference));
        for point in harm {
            // What happens to the object itself comes first.
            let mut differences: Vec<&Difference> = point.trial.differences().iter().collect();
            differences.sort_by_key(|difference| match difference {
                Difference::Value { part, .. } => Some(part.object) != about,
                _ => false,
            });
            for difference in differences {
                let key = difference.kind();
                let meant = matches!(&key, DifferenceKind::Value(object, _) if self.request.aware.contains(object));
                let nameless = any_named && wording::is_nameless(self.image, difference);
                if known.contains(&key) || meant || nameless {
                    continue;
                }
                known.push(key);
                let branch = point.branch.and_then(|pc| self.place(pc));
                let worded = wording::effects(
                    self.image,
                    &self.objects,
                    difference,
                    branch.as_ref(),
                    point.trial.when(),
                );
                // Crashes that differ in addresses only read the same.
                for effect in worded {
                    if !effects.contains(&effect) {
                        effects.push(effect);
                    }
                }
            }
        }
        effects
    }

    fn replay_text(&self, harm: &[Point]) -> Option<String> {
        let id = harm.first()?.id(self.request, self.located)?;
        Some(id.to_string())
    }

    fn help(&self, fixes: &[Fix], finding: &Finding) -> Vec<String> {
        let checkpoint = finding.related.first();
        fixes
            .iter()
            .map(|fix| match fix {
                Fix::Save(object) => {
                    let name = self.objects.whole_name(*object);
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
                object: self.objects.whole_name(object),
                checkpoint: checkpoint.clone(),
            }),
            Fix::Checkpoint { before } => Some(diag::Fix::Checkpoint {
                before: self.place(before)?,
            }),
        };
        fixes.iter().filter_map(place).collect()
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
                let name = self.objects.whole_name(object);
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

/// Why it is not settled whether a failure does harm.
fn undecided_note(undecided: Undecided) -> String {
    match undecided {
        Undecided::Budget { budget } => format!(
            "undecided: the attempt after a power failure did not come to the next checkpoint within {budget} instructions"
        ),
        Undecided::Registers => {
            "undecided: registers differ after a power failure, and nothing that was executed shows whether that matters"
                .to_owned()
        }
        Undecided::Unread => {
            "undecided: memory differs after a power failure, and nothing that was executed reads it again"
                .to_owned()
        }
        Undecided::NoMeeting => {
            "undecided: the attempt after a power failure takes another path, and no place was found where the two can be compared"
                .to_owned()
        }
        Undecided::Before => {
            "undecided: a power failure right before this write was not settled".to_owned()
        }
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
