//! What would mend a finding: suggestions that were tried.
//!
//! **Property.** A suggestion is given only if locating again, with it applied,
//! does not find the pair any more, and finds no pair that was not there before.
//!
//! **Algorithm.** Saving objects: bytes do not get in each other's way, so one run
//! with all of them saved judges each. A checkpoint before the line of a producer: one run for
//! each, because a checkpoint changes the regions of everything. What one statement reads and writes
//! no checkpoint can keep apart.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_diag::Rule;
use brownout_explore::{Exposure, Monitor, Object, Stage, global_bytes};
use brownout_ir::Origin;
use brownout_vm::{Image, Unobserved};

use crate::hazards::findings::{Group, is_error};
use crate::hazards::locate::{CodeLine, Hazard, Located, Scope, in_slices, locate};

/// A change that mends a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fix {
    /// Save the object in the checkpoint.
    Save(Object),
    /// A checkpoint before the line of this operation.
    Checkpoint {
        /// The operation.
        before: u32,
    },
}

/// What makes two pairs the same.
type Pair = (Rule, Object, u32, u32);

fn pair(hazard: &Hazard) -> Pair {
    (
        hazard.rule,
        hazard.part.object,
        hazard.consumer,
        hazard.producer,
    )
}

/// The fixes of every pair that has one.
#[derive(Default, Debug)]
pub(crate) struct Fixes(BTreeMap<Pair, Vec<Fix>>);

impl Fixes {
    pub(crate) fn of(&self, hazard: &Hazard) -> &[Fix] {
        self.0.get(&pair(hazard)).map_or(&[], Vec::as_slice)
    }
}

/// Longer executions are repeated once only, for what can be saved.
const LONG: u64 = 5_000_000;
/// How many places for a checkpoint are tried.
const PLACES: usize = 16;

/// Tries to mend the errors among `groups`.
pub(crate) fn check(
    image: &Image,
    scope: Scope<'_>,
    located: &Located,
    groups: &[Group],
    monitor: &dyn Monitor,
) -> Fixes {
    let mut fixes = Fixes::default();
    let errors: Vec<&Hazard> = groups
        .iter()
        .filter(|group| is_error(group))
        .map(|group| &group.hazard)
        .collect();
    let objects: BTreeMap<Object, Range<u32>> = errors
        .iter()
        .filter_map(|hazard| Some((hazard.part.object, global_bytes(image, hazard.part.object)?)))
        .collect();
    if objects.is_empty() {
        return fixes;
    }
    let attempt = |scope: Scope<'_>| -> Option<BTreeSet<Pair>> {
        let interrupt = || in_slices(monitor);
        let mended = locate(image, scope, &interrupt, &mut Unobserved);
        let loud = mended.hazards.iter().filter(|hazard| !hazard.silent);
        // Where there are very many pairs, not all of them are among the hazards.
        let is_whole = mended.further.is_empty() && mended.instructions == located.instructions;
        is_whole.then(|| loud.map(pair).collect())
    };
    monitor.begin(Stage::Mending, None);
    let saved: Vec<Range<u32>> = scope
        .saved
        .iter()
        .chain(objects.values())
        .cloned()
        .collect();
    let Some(left) = attempt(Scope {
        saved: &saved,
        ..scope
    }) else {
        return fixes;
    };
    for hazard in &errors {
        let object = hazard.part.object;
        if objects.contains_key(&object) && !left.contains(&pair(hazard)) {
            fixes
                .0
                .entry(pair(hazard))
                .or_default()
                .push(Fix::Save(object));
        }
    }
    if scope.exposure != Exposure::Region || located.instructions > LONG {
        return fixes;
    }
    let before: BTreeSet<Pair> = located
        .hazards
        .iter()
        .filter(|hazard| !hazard.silent)
        .map(pair)
        .collect();
    let mut places: BTreeMap<CodeLine, Option<BTreeSet<Pair>>> = BTreeMap::new();
    for hazard in &errors {
        let producer = hazard.producer;
        if hazard.rule != Rule::WriteAfterRead || !is_users(image, producer) {
            continue;
        }
        let Some(line) = apart(image, hazard) else {
            continue;
        };
        if !places.contains_key(&line) && (places.len() >= PLACES || monitor.is_interrupted()) {
            continue;
        }
        let left = places.entry(line).or_insert_with(|| {
            attempt(Scope {
                extra: Some(line),
                ..scope
            })
        });
        let mends = left
            .as_ref()
            .is_some_and(|left| !left.contains(&pair(hazard)) && left.is_subset(&before));
        if mends {
            let fix = Fix::Checkpoint { before: producer };
            fixes.0.entry(pair(hazard)).or_default().push(fix);
        }
    }
    fixes
}

/// The line of a producer, if its consumer is in another function or on a line above: what is read on
/// the same line or further down may be read by the statement that writes.
fn apart(image: &Image, hazard: &Hazard) -> Option<CodeLine> {
    let consumer = CodeLine::of(image, hazard.consumer)?;
    let producer = CodeLine::of(image, hazard.producer)?;
    (consumer.func != producer.func || consumer.line < producer.line).then_some(producer)
}

fn is_users(image: &Image, pc: u32) -> bool {
    let function = image.function(pc);
    function.is_some_and(|func| image.program().functions[func].origin == Origin::User)
}
