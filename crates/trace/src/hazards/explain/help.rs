//! What findings say about mending them.

use brownout_diag as diag;
use brownout_diag::{
    Effect, Evidence, Finding, Named, ObjectId, OutputChange, Related, Rule, SourcePlace,
};
use brownout_explore::{Exposure, Object, Recovery};

use super::Explainer;
use crate::hazards::defects::DefectKey;
use crate::hazards::findings::Group;
use crate::hazards::fixes::{Fix, Fixes};

impl Explainer<'_> {
    /// Says how a finding can be mended: by the `tried` fixes, and by what no emulation can try.
    pub(super) fn add_help(&self, finding: &mut Finding, key: DefectKey<'_>, tried: Vec<Fix>) {
        if key.rule == Rule::TornWrite {
            finding.help = self.torn_help(key.whole);
            return;
        }
        finding.help = match self.request.recovery {
            Recovery::Checkpoint | Recovery::Task => self.help(&tried, finding),
            Recovery::Restart => self.restart_help(finding).into_iter().collect(),
        };
        let meant = meant(finding);
        if meant.is_some() {
            finding.help.extend(self.counts_events(finding));
        }
        finding.help.extend(meant);
        finding.fixes = self.fixes(&tried, finding);
    }

    /// What to say about a counter in a handler that is taken to come once in every sleep.
    fn counts_events(&self, finding: &Finding) -> Option<String> {
        let handler = &finding.producer.as_ref()?.function;
        let interrupts = self.image.bindings().interrupts.as_ref()?;
        let functions = &self.image.program().functions;
        let number = (1..=u8::MAX)
            .zip(&interrupts.handlers)
            .find_map(|(number, func)| (functions[*func].name == *handler).then_some(number))?;
        (!interrupts.anywhere.contains(&number)).then(|| {
            format!(
                "if `{handler}` counts what really happened, and does not come once in every sleep: `when = \"enabled\"` in its `[[interrupt]]`"
            )
        })
    }

    /// The checkpoint that has to save something. Where checkpoints may not commit, all of them have to.
    fn saving_checkpoint<'f>(&self, finding: &'f Finding) -> Option<&'f Related> {
        let is_sure = self.request.exposure == Exposure::Region;
        finding.related.first().filter(|_| is_sure)
    }

    fn help(&self, fixes: &[Fix], finding: &Finding) -> Vec<String> {
        let checkpoint = self.saving_checkpoint(finding);
        fixes
            .iter()
            .map(|fix| match fix {
                Fix::Save(object) => {
                    let name = self.objects().whole_name(*object);
                    if self.visible_name(*object).is_none() {
                        return format!(
                            "declare `{name}` outside its function, and save it in the checkpoint"
                        );
                    }
                    match checkpoint {
                        Some(related) => format!(
                            "save `{name}` in the checkpoint at {}:{}",
                            related.place.file, related.place.line
                        ),
                        None if matches!(self.request.exposure, Exposure::Anywhere { .. }) => {
                            format!(
                                "let the runtime save `{name}` with the registers (`power.saves` in brownout.toml)"
                            )
                        }
                        None => format!(
                            "save `{name}` in every checkpoint (`power.saves` in brownout.toml)"
                        ),
                    }
                }
                Fix::Checkpoint { before } => between(finding, self.place(*before)),
            })
            .collect()
    }

    /// What an object is called everywhere in the source: a static variable of a function is known in
    /// that function only, and the program calls it otherwise.
    fn visible_name(&self, object: Object) -> Option<String> {
        let name = self.objects().whole_name(object);
        let is_visible = match object {
            Object::Global(global) => self.image.program().globals[global].name == name,
            _ => true,
        };
        is_visible.then_some(name)
    }

    /// What to do where nothing is saved: a reboot has to find all of the work done, or nothing of it.
    fn restart_help(&self, finding: &Finding) -> Option<String> {
        let own = finding.object.as_ref()?;
        if finding.evidence != Evidence::Confirmed {
            return None;
        }
        // What is around something that has no name but its address is not what a user would write.
        let called = match own.id {
            ObjectId::Address(_) | ObjectId::Segment(_) => &own.name,
            _ => &own.whole,
        };
        let is_lost = |effect: &Effect| {
            let Effect::Output { change, .. } = effect else {
                return false;
            };
            matches!(change, OutputChange::Lost { .. })
        };
        let is_stuck = |effect: &Effect| matches!(effect, Effect::NoProgress { .. });
        if finding.effects.iter().any(is_stuck) {
            return Some(format!(
                "put `{0}` right when the device boots, before the loop that it never leaves then; or write `{0}` and what else belongs to this work to a copy, and switch to it with one store",
                called
            ));
        }
        if finding.effects.iter().all(is_lost) {
            return Some(format!(
                "write `{}` after the output, if that may be made twice; else keep in non-volatile memory what is still to be output, or output what is kept when the device boots, too, and tag the output `semantics = \"absolute\"`",
                called
            ));
        }
        let others = finding.effects.iter().filter_map(|effect| match effect {
            Effect::Value { object, .. } if self.survives(&object.id) => {
                Some((&object.id, &object.whole))
            }
            _ => None,
        });
        let mut named = vec![(&own.id, called)];
        for other in others {
            if !named.contains(&other) && named.len() < NAMED {
                named.push(other);
            }
        }
        let names: Vec<&str> = named.iter().map(|(_, whole)| whole.as_str()).collect();
        let names = names.join("`, `");
        Some(format!(
            "write `{names}` and what else belongs to this work to a copy, and switch to it with one store when all of it is there"
        ))
    }

    /// Whether an object is a variable in non-volatile memory.
    fn survives(&self, id: &ObjectId) -> bool {
        let mut globals = self.image.program().globals.iter();
        let layout = self.image.layout();
        id.variable().is_some_and(|name| {
            globals.any(|(global, data)| {
                data.name == *name && layout.outlasts_calls(layout.offset_of(global))
            })
        })
    }

    /// The fixes that have a place in the source.
    fn fixes(&self, fixes: &[Fix], finding: &Finding) -> Vec<diag::Fix> {
        let checkpoint = self.saving_checkpoint(finding);
        let checkpoint = checkpoint.map(|related| related.place.clone());
        let place = |fix: &Fix| match *fix {
            Fix::Save(object) => Some(diag::Fix::Save {
                object: self.visible_name(object)?,
                checkpoint: checkpoint.clone(),
            }),
            Fix::Checkpoint { before } => Some(diag::Fix::Checkpoint {
                before: self.place(before)?,
            }),
        };
        fixes.iter().filter_map(place).collect()
    }
}

/// How many objects help names.
const NAMED: usize = 3;

/// What to say about a counter whose only harm is that it counts a power failure: that may be meant.
fn meant(finding: &Finding) -> Option<String> {
    let (consumer, producer) = (finding.consumer.as_ref()?, finding.producer.as_ref()?);
    let is_statement = (&consumer.file, consumer.line) == (&producer.file, producer.line);
    let own = finding.object.as_ref()?;
    let name = &own.name;
    let is_it = |other: &Named| other.id == own.id && other.name == *name;
    let of_itself =
        |effect: &Effect| matches!(effect, Effect::Value { object, .. } if is_it(object));
    let is_counter = finding.rule == Rule::WriteAfterRead
        && finding.evidence == Evidence::Confirmed
        && finding.effects.iter().all(of_itself);
    // Tags are for whole variables.
    let is_variable = matches!(own.id, ObjectId::Variable(_) | ObjectId::Local { .. });
    let is_whole = is_variable && *name == own.whole;
    (is_statement && is_counter && is_whole).then(|| {
        format!("declare `{name}` BROWNOUT_INTERMITTENCE_AWARE if it is meant to count power failures, too")
    })
}

/// The fixes that mend all pairs of a finding that are as well established as it is: others may not
/// have been tried.
pub(super) fn common(fixes: &Fixes, groups: &[&Group], evidence: Evidence) -> Vec<Fix> {
    let mut worst = groups.iter().filter(|group| group.evidence() == evidence);
    let Some(first) = worst.next() else {
        return Vec::new();
    };
    let mut common = fixes.of(&first.hazard).to_vec();
    worst.for_each(|group| common.retain(|fix| fixes.of(&group.hazard).contains(fix)));
    common
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
