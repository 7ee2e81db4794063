//! The outputs of a program: which there are, which differences are about, and what nobody describes.

use std::collections::BTreeSet;

use brownout_flow::Model;
use brownout_flow::contexts::Site;
use brownout_flow::objects::Kind;
use brownout_ir::{Callee, Op};

use crate::question::{Difference, Effect, Output, Question, Seen};

/// The device registers that the program writes and nobody describes, in words.
pub(crate) fn ignored_registers(model: &Model<'_>, question: &Question) -> BTreeSet<String> {
    let nodes = 0..model.flow.nodes.len() as u32;
    let sites = nodes.flat_map(|node| model.steps(node).map(|(site, _)| site));
    let effects = sites.filter_map(|site| model.effects(site));
    let written = effects.flat_map(|effects| &effects.writes);
    let cells: BTreeSet<u32> = written.flat_map(|touch| touch.cells.clone()).collect();
    let objects = cells
        .into_iter()
        .map(|cell| model.accesses.cells[cell as usize].object);
    let named = objects.filter_map(|object| match model.points_to.objects.data(object).kind {
        Kind::Global(global) => {
            let data = &model.program.globals[global];
            let is_described = question.registers.contains_key(&global)
                || model.setting.nonvolatile.contains(&global);
            let name = data.variable.as_ref().unwrap_or(&data.name);
            (data.init.is_none() && !is_described).then(|| format!("`{name}`"))
        }
        Kind::Absolute => Some("device registers at fixed addresses".to_owned()),
        _ => None,
    });
    named.collect()
}

/// The outputs of some nodes whose effect matters.
pub(crate) fn outputs<'q>(
    model: &Model<'_>,
    question: &'q Question,
    nodes: &[u32],
) -> BTreeSet<&'q str> {
    let all = all_outputs(model, question, nodes).into_iter();
    let matters = all.filter(|(_, output)| output.effect != Effect::Repeatable);
    matters.map(|(_, output)| output.name.as_str()).collect()
}

/// The outputs of some nodes, and where they are.
fn all_outputs<'q>(
    model: &Model<'_>,
    question: &'q Question,
    nodes: &[u32],
) -> Vec<(Site, &'q Output)> {
    let steps = nodes.iter().flat_map(|node| model.steps(*node));
    let outputs = steps.filter_map(|(site, inst)| {
        let output = match &inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => question.outputs.get(func),
            Op::Store { address, .. } => {
                let targets = model.points_to.of(site.instance, *address);
                let mut kinds = targets
                    .iter()
                    .map(|target| model.points_to.objects.data(target.object).kind);
                kinds.find_map(|kind| match kind {
                    Kind::Global(global) => question.registers.get(&global),
                    _ => None,
                })
            }
            _ => None,
        };
        Some((site, output?))
    });
    outputs.collect()
}

/// The outputs that some differences are about.
pub(crate) fn outputs_of(
    model: &Model<'_>,
    question: &Question,
    shown: &[Difference],
    nodes: &[u32],
) -> Vec<(String, Site)> {
    let is_about = |output: &Output| {
        shown.iter().any(|difference| match difference {
            Difference::Output(Seen::Sequence) => true,
            Difference::Output(Seen::Value(value)) => match &output.effect {
                Effect::Changes(changes) => {
                    changes.iter().any(|change| change.value == *value as usize)
                }
                Effect::Absolute | Effect::Relative => question.number(output) == *value as usize,
                Effect::Repeatable | Effect::AtMostOnce | Effect::Unknown => false,
            },
            Difference::Output(Seen::Repeated(number)) => {
                output.effect == Effect::AtMostOnce && question.number(output) == *number as usize
            }
            _ => false,
        })
    };
    let all = all_outputs(model, question, nodes).into_iter();
    let about = all.filter(|(_, output)| is_about(output));
    about
        .map(|(site, output)| (output.name.clone(), site))
        .collect()
}
