//! What the output analysis found, in the words of the user.

use brownout_diag::{
    Effect, Event, Evidence, Finding, Named, Outlet, OutputBehaviour, OutputChange, Related,
    Repetition, Replay, ReplayId, ResumePoint, Rule, Severity, When,
};
use brownout_scenario::{Exposure, Recovery, Scenario, Semantics};
use brownout_vm::Image;

use super::{Repeated, Strike, Walk};
use crate::wording;

/// Tags that do not hold, and outputs whose order matters.
pub(super) fn findings(image: &Image, scenario: &Scenario, walk: &Walk<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (&(output, pc), verdict) in &walk.verdicts {
        let tag = scenario.outputs.get(output as usize);
        let repeated = match tag.and_then(|output| output.semantics) {
            Some(Semantics::Absolute) => verdict.first_relative.as_ref(),
            // One repetition that counts is all that can be asked for.
            Some(Semantics::Relative) if verdict.relative == 0 => verdict.first_absolute.as_ref(),
            Some(Semantics::AtMostOnce) => verdict.first_again.as_ref(),
            Some(Semantics::Relative) | None => None,
        };
        if let Some(repeated) = repeated {
            let is_once = tag.is_some_and(|tag| tag.semantics == Some(Semantics::AtMostOnce));
            findings.push(match is_once {
                true => twice(image, output, pc, repeated),
                false => mismatch(image, output, pc, repeated),
            });
        }
    }
    for (&(first, second), &(value, one, other)) in &walk.disordered {
        let (name, later) = (name(image, first.0), name(image, second.0));
        let value = &image.bindings().environment.names[value];
        let message = format!(
            "`{name}` and `{later}` do not commute: `{value}` is {one} after both, {other} the other way round"
        );
        let mut finding = Finding::new(Rule::OutputSemantics, Evidence::Located, message);
        finding.severity = Severity::Note;
        finding.consumer = wording::place(image, first.1);
        finding.producer = wording::place(image, second.1);
        // Elsewhere both can be in one region whatever lies between them.
        let policy = scenario.power.policy;
        if policy.exposure() == Exposure::Region && policy.recovery() != Recovery::Restart {
            finding.help = vec!["put a checkpoint between them".to_owned()];
        }
        findings.push(finding);
    }
    findings
}

/// An output that must not be made twice, and is.
fn twice(image: &Image, output: u32, pc: u32, repeated: &Repeated) -> Finding {
    let name = name(image, output);
    let message =
        format!("`{name}` is to be made at most once, and is made again after a power failure");
    let mut finding = Finding::new(Rule::OutputSemantics, Evidence::Confirmed, message);
    finding.producer = wording::place(image, pc);
    finding.effects = vec![Effect::Output {
        output: Outlet::Named(name.to_owned()),
        change: OutputChange::Added {
            intermittent: wording::arguments(image, output, &repeated.first.args),
        },
    }];
    finding.help = vec![
        "remember in non-volatile memory that it is going to be made, before it is made".to_owned(),
    ];
    told(image, &mut finding, repeated);
    finding
}

fn mismatch(image: &Image, output: u32, pc: u32, repeated: &Repeated) -> Finding {
    let output = name(image, output);
    let names = &image.bindings().environment.names;
    let when = match repeated.strike {
        Strike::During(_) => "when power fails in the middle of it",
        Strike::Before | Strike::After => "when power fails after it",
    };
    let message = match repeated.changed.first() {
        Some((value, once, twice)) => format!(
            "`{output}` is meant to be absolute, but repeating it {when} leaves `{}` = {twice} instead of {once}",
            names[*value]
        ),
        None => format!("`{output}` is meant to be relative, but repeating it changes nothing"),
    };
    let mut finding = Finding::new(Rule::OutputSemantics, Evidence::Confirmed, message);
    finding.producer = wording::place(image, pc);
    finding.effects = repeated
        .changed
        .iter()
        .map(|(value, once, twice)| Effect::Value {
            object: Named::outside(&names[*value]),
            continuous: once.to_string(),
            intermittent: twice.to_string(),
            when: When::Elsewhere,
        })
        .collect();
    finding.help = match repeated.changed.first() {
        Some(_) => vec![
            "set the state instead of changing it".to_owned(),
            "remember in non-volatile memory that it was done, or tag it as relative".to_owned(),
        ],
        None => vec!["tag it as absolute".to_owned()],
    };
    told(image, &mut finding, repeated);
    finding
}

/// How outputs behave, by place.
pub(super) fn behaviours(image: &Image, walk: &Walk<'_>) -> Vec<OutputBehaviour> {
    let row = |(&(output, pc), verdict): (&super::Site, &super::Verdict)| OutputBehaviour {
        output: name(image, output).to_owned(),
        place: wording::place(image, pc),
        repetition: verdict.repetition(),
        repeated: verdict.absolute + verdict.relative,
    };
    let described = walk.verdicts.iter();
    let described = described.filter(|(_, verdict)| verdict.absolute + verdict.relative > 0);
    let mut rows: Vec<OutputBehaviour> = described.map(row).collect();
    rows.sort_by(|a, b| (&a.place, &a.output).cmp(&(&b.place, &b.output)));
    // Operations at one place are one output to the user.
    rows.dedup_by(|later, kept| {
        let same = later.place == kept.place && later.output == kept.output;
        if same {
            if later.repetition != kept.repetition {
                kept.repetition = Repetition::Varies;
            }
            kept.repeated += later.repeated;
        }
        same
    });
    rows
}

fn told(image: &Image, finding: &mut Finding, repeated: &Repeated) {
    if let Some(place) = repeated.checkpoint.and_then(|pc| wording::place(image, pc)) {
        finding.related.push(Related {
            event: Event::LastCheckpoint,
            place,
        });
    }
    let resume = match repeated.commits {
        Some(commits) => ResumePoint::Commit(commits),
        None => ResumePoint::Instruction(repeated.start),
    };
    finding.replay = Some(Replay::Failure(ReplayId::new(resume, repeated.distance)));
}

fn name(image: &Image, output: u32) -> &str {
    let outputs = &image.bindings().outputs;
    outputs
        .get(output as usize)
        .map_or("output", |output| &output.name)
}
