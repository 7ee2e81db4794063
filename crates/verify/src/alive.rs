//! The values that are still wanted after a commit: they are in registers that it saves.

use std::collections::BTreeSet;

use brownout_flow::Model;
use brownout_flow::contexts::{At, Instance, Site};
use brownout_flow::liveness::Liveness;
use brownout_ir::{Id, Value};

/// The values wanted after the instruction at a site, in its activation and in those that wait for
/// it to return.
pub fn wanted(
    model: &Model<'_>,
    liveness: &mut Liveness,
    site: Site,
) -> BTreeSet<(Instance, Value)> {
    let mut found = BTreeSet::new();
    let mut at = Some(site);
    let mut seen = BTreeSet::new();
    while let Some(site) = at.filter(|site| seen.insert(*site)) {
        after(model, liveness, site, &mut found);
        at = model.contexts.activation(site.instance).caller;
    }
    found
}

fn after(
    model: &Model<'_>,
    liveness: &mut Liveness,
    site: Site,
    found: &mut BTreeSet<(Instance, Value)>,
) {
    let Site {
        instance,
        at: At { block, index },
    } = site;
    let Some(body) = model.contexts.body(instance) else {
        return;
    };
    let data = &body.blocks[block];
    let liveness = liveness.of(model, instance);
    let mut alive: BTreeSet<Value> = BTreeSet::new();
    for edge in data.terminator.edges() {
        let there = liveness.entering(edge.block).ones();
        alive.extend(there.map(Value::from_index));
        for param in &body.blocks[edge.block].params {
            alive.remove(param);
        }
    }
    liveness.visit_end(body, &data.terminator, |value| {
        alive.insert(value);
    });
    for inst in data.insts.iter().skip(index as usize + 1).rev() {
        for result in &inst.results {
            alive.remove(result);
        }
        inst.op.visit_operands(&model.program.target, |operand, _| {
            alive.extend(operand.value())
        });
    }
    // What the instruction itself gives is not there yet.
    for result in data
        .insts
        .get(index as usize)
        .iter()
        .flat_map(|inst| &inst.results)
    {
        alive.remove(result);
    }
    found.extend(alive.into_iter().map(|value| (instance, value)));
}
