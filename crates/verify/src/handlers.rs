//! What interrupt handlers, and other functions that may be called at any time, share with the program.
//!
//! Which of them come, and when, is the environment's, and the same for the last attempt and the continuous execution;
//! so what they leave in volatile memory is a reading for the program. What they leave in non-volatile memory,
//! and what failed attempts left there for them, is not followed.

use std::collections::BTreeSet;

use brownout_flow::Model;
use brownout_flow::contexts::Instance;
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::{END, Reason};
use brownout_ir::Op;

use crate::dataflow::{self, handler_nodes, touched};
use crate::outputs::outputs;
use crate::question::{Question, Volatile};

/// What handlers do that the proof does not follow.
pub(crate) fn obstacle(model: &Model<'_>, question: &Question) -> Option<String> {
    if question.handlers.is_empty() {
        return None;
    }
    let none = Cells::with_capacity(model.accesses.cells.len());
    let (mut read, mut written) = (none.clone(), none.clone());
    let roots = model.contexts.roots.iter();
    let roots = roots.filter(|root| !question.handlers.contains(&model.func(**root)));
    let first = |root: &Instance| model.flow.first(*root, model.contexts.body(*root)?.entry());
    let starts = model.flow.starts.iter();
    let commits = starts.filter(|start| matches!(start.reason, Reason::Checkpoint(_)));
    let others: Vec<u32> = roots
        .filter_map(first)
        .chain(commits.map(|start| start.node))
        .collect();
    // Where volatile memory is initialised, what handlers have seen before is gone.
    let are_readings = question.volatile != Volatile::Initialised;
    for node in model.flow.graph.reach(&others, |to| to != END) {
        touched(model, node, &mut none.clone(), &mut written);
        for (site, inst) in model.steps(node) {
            let is_load = matches!(inst.op, Op::Load { .. });
            let is_reading = is_load && model.accesses.inputs.contains(&site);
            if let Some(effects) = model
                .effects(site)
                .filter(|_| !(is_reading && are_readings))
            {
                for touch in &effects.reads {
                    read.insert_range(touch.cells.start as usize..touch.cells.end as usize);
                }
            }
        }
    }
    let commits: BTreeSet<Reason> = model.flow.starts.iter().map(|start| start.reason).collect();
    let mut handlers = question.handlers.iter();
    handlers.find_map(|handler| {
        let name = &model.program.functions[*handler].name;
        let called = |why: String| Some(format!("`{name}` may be called at any time{why}"));
        let nodes = handler_nodes(model, *handler);
        if nodes.is_empty() {
            return called(String::new());
        }
        if !outputs(model, question, &nodes).is_empty() {
            return called(" and has outputs".to_owned());
        }
        if let Some(what) = dataflow::obstacle(model, &nodes) {
            return called(format!(": {what}"));
        }
        let mut steps = nodes.iter().flat_map(|node| model.steps(*node));
        if steps.any(|(site, _)| commits.contains(&Reason::Checkpoint(site))) {
            return called(" and commits".to_owned());
        }
        let (mut reads, mut writes) = (none.clone(), none.clone());
        for node in &nodes {
            touched(model, *node, &mut reads, &mut writes);
        }
        let mut lasting = writes.clone();
        lasting.intersect_with(&model.nonvolatile);
        let mut seen = writes;
        seen.intersect_with(&read);
        let mut dirty = reads;
        dirty.intersect_with(&written);
        dirty.intersect_with(&model.nonvolatile);
        lasting.union_with(&seen);
        lasting.union_with(&dirty);
        let cell = lasting.ones().next()?;
        let object = model.object(cell as u32).name;
        called(format!(" and uses `{object}`"))
    })
}
