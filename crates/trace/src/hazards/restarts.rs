//! Findings of programs that start again at their entry after every power failure: policy `restart`
//! (SEMANTICS §3.1).
//!
//! Every write of non-volatile memory is a candidate, and the consumer is whoever reads it first after
//! the boot: recovery takes paths that no continuous execution takes. So nothing is located; failures
//! are emulated after every write, and only harm and what is undecided is told.

use std::sync::Arc;

use brownout_diag::Rule;
use brownout_explore::{
    Context, Difference, Harm, Instance, Monitor, Object, Objects, Part, Stage, Undecided, restart,
};
use brownout_vm::{Image, Observer, Readings, SegmentKind, Stop};

use crate::endless::Endless;
use crate::hazards::defects::Defects;
use crate::hazards::explain::Explainer;
use crate::hazards::findings::{Checked, Group, Point, Request};
use crate::hazards::fixes::Fixes;
use crate::hazards::heap;
use crate::hazards::locate::{Hazard, Located};

/// Instructions that are spent on emulating failures.
const BUDGET: u64 = 100_000_000;

/// Checks a program under `restart`. What it does without failures goes to `also`.
pub fn check_restarts(
    image: &Image,
    request: &Request,
    monitor: &dyn Monitor,
    also: &mut dyn Observer,
) -> Checked {
    monitor.begin(Stage::Exploring, None);
    let nothing = Located {
        hazards: Vec::new(),
        further: Vec::new(),
        stop: Stop::Paused,
        standstill: None,
        rounds: None,
        instructions: 0,
        commits: Vec::new(),
        checkpoints: 0,
        allocations: Vec::new(),
        call_paths: Vec::new(),
    };
    let setting = request.setting(&nothing);
    let extent = (request.limit, request.patience);
    let restarted = restart::explore(image, setting, extent, BUDGET, monitor, also);
    let located = Located {
        stop: restarted.stop.clone(),
        instructions: restarted.instructions,
        ..nothing
    };
    let objects = Objects::new(image);
    let mut groups: Vec<Group> = Vec::new();
    if request.evaluate {
        let first = restarted
            .harm
            .iter()
            .map(|harm| (&restarted.readings, harm));
        let later = restarted
            .later
            .iter()
            .map(|(readings, harm)| (readings, harm));
        let mut harm: Vec<_> = first.chain(later).collect();
        // What one failure does is not told of two; and what does more than lie elsewhere in flash comes first.
        harm.sort_by_key(|(_, harm)| {
            let is_second = harm.failure.again.is_some();
            (is_second, is_only_in_flash(image, harm))
        });
        for (readings, harm) in harm {
            add_harm(image, &objects, readings, harm, &mut groups);
        }
        for &(pc, offset, why) in &restarted.undecided {
            add_undecided(&objects, (pc, offset, why), &mut groups);
        }
    }
    let defects = Defects::new(image, request);
    let explainer = Explainer::new(image, request, &located, &defects);
    groups.retain(|group| !request.aware.contains(&group.hazard.part.object));
    let broken = heap::take_broken(&mut groups);
    let torn: Vec<Group> = groups.iter().filter_map(Group::torn).collect();
    groups.retain(|group| group.torn.is_empty() || !group.harm.is_empty());
    let mut findings = explainer.leaks(&broken);
    for groups in [&groups, &torn] {
        let defects = defects.collect(groups, &[], |_, _| None);
        findings.extend(explainer.findings(&defects, &Fixes::default()));
    }
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    let endless = restarted.idle.as_ref();
    let endless = endless.map(|still| Endless::new(image, still));
    Checked {
        findings,
        silent: Vec::new(),
        stop: Some(located.stop),
        endless,
        instructions: located.instructions,
        emulated: restarted.emulated,
        tests: restarted.failures,
        checkpoints: 0,
        // Where a limit ended the execution itself, that is said instead.
        interrupted: monitor.is_interrupted()
            || (!restarted.complete
                && (restarted.rounds.is_some()
                    || restarted.idle.is_some()
                    || restarted.stop != Stop::Paused)),
        rounds: restarted.rounds,
        lost: Vec::new(),
        recovering: restarted.recovering.into_iter().collect(),
        uncarried: match restarted.rounds {
            Some(_) => restarted.uncarried,
            None => Vec::new(),
        },
    }
}

fn hazard(rule: Rule, part: Part, producer: u32) -> Hazard {
    Hazard {
        rule,
        part,
        consumer: producer,
        producer,
        checkpoint: None,
        instances: vec![Instance {
            commit: 0,
            checkpoint: None,
            consumed: 0,
            produced: 0,
            consumer_calls: Context::OUTSIDE,
            producer_calls: Context::OUTSIDE,
        }],
        silent: false,
        paths: Vec::new(),
    }
}

fn add_harm(
    image: &Image,
    objects: &Objects<'_>,
    readings: &Arc<Readings>,
    harm: &Harm,
    groups: &mut Vec<Group>,
) {
    let consumer = || restart::reader(image, readings, harm.failure, harm.offset);
    let Some((rule, producer)) = heap::rule_of(image, objects, harm, consumer) else {
        return;
    };
    let candidate = hazard(rule, objects.scalar(harm.offset, None), producer);
    let known = groups.iter().position(|group| {
        group.hazard.part.object == candidate.part.object && group.hazard.producer == producer
    });
    let index = known.unwrap_or_else(|| {
        groups.push(Group::new(&Hazard {
            consumer: consumer().unwrap_or(producer),
            ..candidate
        }));
        groups.len() - 1
    });
    let group = &mut groups[index];
    group.tests += 1;
    let point = Point::new(harm.failure, harm.trial.clone());
    match harm.failure.torn {
        None => group.harm.push(point),
        Some(_) => {
            group.tears += 1;
            group.torn.push(point);
        }
    }
}

/// Whether nothing differs but what flash parts hold: where a record lies may differ and be right.
fn is_only_in_flash(image: &Image, harm: &Harm) -> bool {
    let parts = || image.bindings().parts.iter();
    let is_in_part = |offset: u32| {
        parts().any(|part| {
            let start = image.layout().offset_of(part.global);
            let inside = offset.checked_sub(start).map(u64::from);
            inside.is_some_and(|inside| inside < image.program().globals[part.global].size)
        })
    };
    let mut differences = harm.trial.differences().iter();
    differences.all(|difference| match difference {
        Difference::Value { offset, .. } => is_in_part(*offset),
        _ => false,
    })
}

fn add_undecided(
    objects: &Objects<'_>,
    (pc, offset, why): (u32, u32, Undecided),
    groups: &mut Vec<Group>,
) {
    let part = objects.scalar(offset, None);
    // A block that leaks is memory that nobody reads again.
    let is_told = match part.object {
        Object::Segment(SegmentKind::Heap) => why != Undecided::Unread,
        object => !heap::is_nameless(object),
    };
    if !is_told {
        return;
    }
    let candidate = Group {
        tests: 1,
        undecided: Some(why),
        ..Group::new(&hazard(Rule::WriteAfterRead, part, pc))
    };
    if !groups.iter().any(|group| candidate.is_of(group)) {
        groups.push(candidate);
    }
}
