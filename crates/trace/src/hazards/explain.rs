//! Findings in the words of the user: places, names, effects, help.

mod help;
mod naming;
mod pairs;

use std::collections::BTreeMap;

use brownout_diag::{
    Effect, Event, Evidence, Finding, Locus, ObjectRef, Pair, Related, Replay, Rule, Segment,
    Severity, SourcePlace, Subject,
};
use brownout_explore::{
    Context, Difference, DifferenceKind, Exposure, Instance, Object, Objects, Part, Recovery,
    Undecided,
};
use brownout_vm::{Image, Reboot};

use self::help::common;
use self::naming::Field;
use self::pairs::Told;
use crate::hazards::defects::{self, Defect, DefectKey, Defects, Where, Whole};
use crate::hazards::findings::{Group, Point, Request};
use crate::hazards::fixes::Fixes;
use crate::hazards::locate::{Allocation, Located};
use crate::wording;

/// How many call paths are listed.
const PATHS: usize = 5;
/// How many functions of a call path are listed.
const LONG_PATH: usize = 12;

pub(crate) struct Explainer<'a> {
    image: &'a Image,
    request: &'a Request,
    located: &'a Located,
    defects: &'a Defects<'a>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(
        image: &'a Image,
        request: &'a Request,
        located: &'a Located,
        defects: &'a Defects<'a>,
    ) -> Self {
        Self {
            image,
            request,
            located,
            defects,
        }
    }

    fn objects(&self) -> &Objects<'a> {
        self.defects.objects()
    }

    /// The source place of an operation; inlined code is where the user wrote it.
    fn place(&self, pc: u32) -> Option<SourcePlace> {
        self.defects.places().shared(pc).as_deref().cloned()
    }

    /// What a power failure goes back to: a checkpoint, or the beginning of a task.
    fn resumes(&self, place: &SourcePlace) -> Event {
        let image = self.image;
        let program = image.program();
        let task = program.function(&place.function);
        let task = task.and_then(|task| program.source.places.get(program.functions[task].place?));
        let is_entry = task.is_some_and(|entry| entry.line == place.line);
        match image.bindings().reboot {
            Reboot::Task if is_entry => Event::TaskBegins(place.function.clone()),
            Reboot::Task | Reboot::Restore => Event::LastCheckpoint,
        }
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

    /// The findings that defects are. Bit-fields that share their bytes are told apart if failures
    /// change one of them only.
    pub(crate) fn findings(&self, defects: &[Defect<'_, '_>], fixes: &Fixes) -> Vec<Finding> {
        let mut findings = Vec::with_capacity(defects.len());
        for defect in defects {
            let mut bare = self.bare(defect);
            let mut fields: BTreeMap<Option<Field>, Vec<Told<'_>>> = BTreeMap::new();
            for &group in &defect.groups {
                let field = self.bit_field(group);
                fields.entry(field).or_default().push(self.told(group));
            }
            if fields.is_empty() {
                fields.insert(None, Vec::new());
            }
            for (field, told) in fields {
                let bare = std::mem::take(&mut bare);
                findings.push(self.finding(defect, field, told, bare, fixes));
            }
        }
        findings
    }

    /// One finding: its first pair is the one that users can make most of.
    fn finding(
        &self,
        defect: &Defect<'_, '_>,
        field: Option<Field>,
        mut told: Vec<Told<'_>>,
        bare: Vec<Pair>,
        fixes: &Fixes,
    ) -> Finding {
        let key = defect.key;
        told.sort_by_key(|told| {
            let rank = told.pair.evidence.rank();
            (rank, told.telling, told.positions)
        });
        let groups: Vec<&Group> = told.iter().map(|told| told.group).collect();
        let object = self.object(key, field.as_ref(), &told, &bare);
        let of_told = told.iter().map(|told| told.pair.evidence);
        let of_bare = bare.first().map(|pair| pair.evidence);
        let evidence = defects::gravest(of_told.chain(of_bare));
        let is_alone = told.first().is_some_and(|told| {
            let hazard = &told.group.hazard;
            hazard.consumer == hazard.producer
        });
        let message = self.message(key.rule, &object.name, is_alone);
        let mut finding = Finding::new(key.rule, evidence, message);
        let is_error = !defect.silent && evidence != Evidence::Benign;
        finding.severity = match (is_error, evidence) {
            (false, _) => Severity::Note,
            // Something was tried, and did not settle it.
            (true, Evidence::Located) if self.request.evaluate => Severity::Warning,
            (true, _) => key.rule.severity(),
        };
        let (id, bits) = self.defects.id(key.whole);
        finding.subject = Some(Subject {
            bits: field.as_ref().map_or(bits, |field| field.bits),
            name: field.map_or_else(|| self.defects.name(key.whole), |field| field.name),
            object: id,
            locus: self.locus(key, &groups),
        });
        finding.object = Some(object);
        finding.notes = match key.rule {
            Rule::TornWrite => self.torn_notes(evidence, &groups),
            _ => self.notes(evidence, defect.silent, &groups),
        };
        let emulated = groups.iter().filter(|group| group.tests > 0).count();
        if evidence == Evidence::Located && self.request.evaluate && emulated > 0 {
            let all = told.len() + bare.len();
            finding.notes.push(format!(
                "power failures were emulated for {emulated} of {all} pairs of a read and a write: none did harm"
            ));
        }
        // Pairs that were not emulated come between those that do harm and those that do not.
        let located =
            told.partition_point(|told| !Evidence::Located.is_graver_than(told.pair.evidence));
        let calls = told.first().filter(|_| located > 0 || bare.is_empty());
        let calls = calls.map(|told| &told.group.hazard);
        let mut pairs: Vec<Pair> = told.into_iter().map(|told| told.pair).collect();
        pairs.reserve_exact(bare.len());
        pairs.splice(located..located, bare);
        finding.pairs = pairs;
        finding.lead_with(0);
        if let Some(hazard) = calls {
            let first = hazard.instances.first();
            let calls = |which: fn(&Instance) -> Context| first.map(which);
            finding.consumer = self.place_in(hazard.consumer, calls(|first| first.consumer_calls));
            finding.producer = self.place_in(hazard.producer, calls(|first| first.producer_calls));
        }
        if let Some(Subject {
            locus: Locus::Checkpoint(place),
            ..
        }) = &finding.subject
        {
            finding.related.push(Related {
                event: self.resumes(place),
                place: place.clone(),
            });
        }
        if is_error {
            self.add_help(&mut finding, key, common(fixes, &groups, evidence));
        }
        finding
    }

    /// What a finding is about: all that its pairs concern, if they concern one object, else the whole.
    fn object(
        &self,
        key: DefectKey<'_>,
        field: Option<&Field>,
        told: &[Told<'_>],
        bare: &[Pair],
    ) -> ObjectRef {
        let mut parts = told.iter().map(|told| told.group.hazard.part);
        let first = parts.next();
        let together = first.and_then(|first| {
            parts.try_fold(first, |all, part| {
                (all.object == part.object).then(|| Part {
                    object: all.object,
                    start: all.start.min(part.start),
                    end: all.end.max(part.end),
                })
            })
        });
        let whole = match key.whole {
            Whole::Part(object, start, end) => Some(Part { object, start, end }),
            Whole::Frame(_) | Whole::Library(_) => None,
        };
        let part = match key.whole {
            // What the library does inside is nobody's business.
            Whole::Library(_) => None,
            _ if bare.is_empty() => together,
            _ => whole,
        };
        let name = match (field, part, told) {
            (Some(field), ..) => field.name.clone(),
            (None, Some(_), [only]) if bare.is_empty() => only.pair.object.name.clone(),
            (None, Some(part), _) => self.part_name(key.rule, part),
            (None, None, _) => self.defects.name(key.whole),
        };
        let extent = part.or(whole).or(first);
        let segment = extent.map_or(Segment::Stack, |part| self.objects().segment(part.object));
        let (whole, id) = match part {
            Some(part) => (
                self.objects().whole_name(part.object),
                self.objects().id(part),
            ),
            None => (self.defects.name(key.whole), self.defects.id(key.whole).0),
        };
        ObjectRef {
            name,
            whole,
            id,
            segment,
            offset: extent.map_or(0, |part| part.start),
            size: extent.map_or(0, |part| part.end.saturating_sub(part.start)),
        }
    }

    fn locus(&self, key: DefectKey<'_>, groups: &[&Group]) -> Locus {
        match key.locus {
            Where::Start => Locus::Start,
            Where::Function(file, function) => Locus::Function {
                file: file.to_owned(),
                function: function.to_owned(),
            },
            Where::Checkpoint(_, pc) => {
                let calls = groups.iter().filter_map(|group| group.hazard.checkpoint);
                let place = self.place(calls.min().unwrap_or(pc));
                Locus::Checkpoint(place.unwrap_or_default())
            }
        }
    }

    fn torn_notes(&self, evidence: Evidence, groups: &[&Group]) -> Vec<String> {
        if evidence != Evidence::Benign {
            return self.notes(evidence, false, groups);
        }
        let tears: u64 = groups.iter().map(|group| group.tears).sum();
        vec![format!(
            "{} in the middle of it {} emulated: no harm that a failure after it does not do",
            match tears {
                1 => "1 power failure".to_owned(),
                count => format!("{count} power failures"),
            },
            if tears == 1 { "was" } else { "were" }
        )]
    }

    fn torn_help(&self, whole: Whole) -> Vec<String> {
        let name = match whole {
            Whole::Part(object, ..) => self.objects().whole_name(object),
            Whole::Frame(_) | Whole::Library(_) => self.defects.name(whole),
        };
        let size = match self.request.atomic_write {
            Some(1) => "1 byte".to_owned(),
            bytes => format!("{} bytes", bytes.unwrap_or(0)),
        };
        vec![match self.request.recovery {
            Recovery::Checkpoint | Recovery::Task => format!(
                "save `{name}` in the checkpoint, or keep it in parts of {size} that are written at once"
            ),
            Recovery::Restart => format!(
                "write a copy of `{name}` and switch to it with one store, or keep it in parts of {size} that are written at once"
            ),
        }]
    }

    fn notes(&self, evidence: Evidence, is_silent: bool, groups: &[&Group]) -> Vec<String> {
        let mut notes = Vec::new();
        if evidence == Evidence::Benign {
            let failures = match groups.iter().map(|group| group.tests).sum() {
                1u64 => "1 power failure was emulated: it".to_owned(),
                count => format!("{count} power failures were emulated: they"),
            };
            let often = self.request.failures_in_a_row(self.located);
            let rest = match (groups.iter().all(|group| group.exhausted), often) {
                (true, 1) => "; there are no others that could, one at a time".to_owned(),
                (true, often) => {
                    format!("; up to {often} in a row, there are no others that could")
                }
                (false, _) => String::new(),
            };
            notes.push(format!("{failures} changed nothing that lasts{rest}"));
        }
        let harm = groups.iter().flat_map(|group| &group.harm);
        let fewest = harm.map(|point| point.failure.failures).min();
        if let Some(fewest) = fewest.filter(|&fewest| fewest > 1) {
            notes.push(format!("it takes {fewest} power failures in a row"));
        }
        if evidence == Evidence::Located
            && let Some(undecided) = groups.iter().find_map(|group| group.undecided)
        {
            notes.push(undecided_note(undecided));
        }
        if is_silent {
            notes.push("every write stores the very value that was read".to_owned());
        }
        let mut paths: Vec<Context> = Vec::new();
        for path in groups.iter().flat_map(|group| &group.hazard.paths) {
            if !paths.contains(path) {
                paths.push(*path);
            }
        }
        if paths.len() > 1 {
            let listed: Vec<String> = paths
                .iter()
                .take(PATHS)
                .map(|&calls| abridged(&self.names(calls)))
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

    /// Says what is wrong; `alone` if nobody else is known to read what is written.
    fn message(&self, rule: Rule, name: &str, alone: bool) -> String {
        if self.request.recovery == Recovery::Restart && rule != Rule::TornWrite {
            return match alone {
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
        match rule {
            Rule::TornWrite => format!("`{name}` can be half written when power fails"),
            Rule::ActivationRecord => {
                format!("`{name}` is used, then its stack memory is reused {when}")
            }
            Rule::MemoryMap => {
                format!("the {name} is used, then given back or handed out again {when}")
            }
            _ => format!("`{name}` is read, then overwritten {when}"),
        }
    }

    /// What a harmful failure does: what happens to the object itself comes first.
    fn effects(&self, point: &Point, about: Option<Object>) -> Vec<Effect> {
        let mut effects: Vec<Effect> = Vec::new();
        let mut known: Vec<DifferenceKind> = Vec::new();
        let mut differences: Vec<&Difference> = point.trial.differences().iter().collect();
        let is_nameless = |difference: &Difference| wording::is_nameless(self.image, difference);
        let any_named = differences
            .iter()
            .any(|difference| !is_nameless(difference));
        differences.sort_by_key(|difference| match difference {
            Difference::Value { part, .. } => Some(part.object) != about,
            _ => false,
        });
        for difference in differences {
            let key = difference.kind();
            let meant = matches!(&key, DifferenceKind::Value(object, _) if self.request.aware.contains(object));
            let nameless = any_named && is_nameless(difference);
            if known.contains(&key) || meant || nameless {
                continue;
            }
            known.push(key);
            let branch = point.branch.and_then(|pc| self.place(pc));
            let worded = wording::effects(
                self.image,
                self.objects(),
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
        effects
    }

    /// Allocations that a power failure repeats, and the first of the `broken` heaps that failures inside the
    /// allocator leave.
    pub(crate) fn leaks(&self, broken: &[Group]) -> Vec<Finding> {
        let allocations = &self.located.allocations;
        let mut findings: Vec<Finding> = allocations
            .iter()
            .map(|allocation| self.leak(allocation))
            .collect();
        let number = |group: &Group| {
            let mut calls = allocations.iter();
            calls.position(|allocation| allocation.pc == group.hazard.producer)
        };
        let known = broken.iter().find(|group| number(group).is_some());
        let Some(group) = known.or(broken.first()) else {
            return findings;
        };
        let number = number(group).unwrap_or_else(|| {
            let message = "the heap does not survive a power failure inside this call";
            let mut finding = Finding::new(Rule::HeapLeak, Evidence::Located, message);
            finding.producer = self.place(group.hazard.producer);
            findings.push(finding);
            findings.len() - 1
        });
        let finding = &mut findings[number];
        if let Some(witness) = self.told(group).pair.witness {
            finding.effects = witness.effects.clone();
            finding.replay = witness.replay.clone().map(Replay::Failure);
        }
        finding.notes.push(
            "that is what a power failure inside the allocator does: it is brownout's own, and that of the device may \
             survive it"
                .to_owned(),
        );
        findings
    }

    /// An allocation that a power failure repeats.
    fn leak(&self, allocation: &Allocation) -> Finding {
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
                let size = self.objects().size(object).unwrap_or(0);
                let about = wording::object(self.objects(), object, size);
                let message = format!(
                    "`{}` is meant to change across a power failure, and none changes it",
                    about.name
                );
                let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, message);
                finding.object = Some(about);
                let pair = groups
                    .iter()
                    .find(|group| group.hazard.part.object == object);
                finding.consumer = pair.and_then(|group| self.place(group.hazard.consumer));
                finding.producer = pair.and_then(|group| self.place(group.hazard.producer));
                let declared = wording::declaration(self.image, object);
                finding
                    .related
                    .extend(declared.filter(|_| pair.is_none()).map(|place| Related {
                        event: Event::Other("it is declared here".to_owned()),
                        place,
                    }));
                finding
            })
            .collect()
    }
}

/// Why it is not settled whether a failure does harm.
pub(crate) fn undecided_note(undecided: Undecided) -> String {
    match undecided {
        Undecided::Budget { budget } => format!(
            "undecided: the attempt after a power failure got nowhere within {budget} instructions"
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

/// A call path; of a long one its ends.
fn abridged(names: &[String]) -> String {
    if names.len() <= LONG_PATH {
        return names.join(" > ");
    }
    let (first, last) = (
        &names[..LONG_PATH / 2],
        &names[names.len() - LONG_PATH / 2..],
    );
    format!("{} > … > {}", first.join(" > "), last.join(" > "))
}
