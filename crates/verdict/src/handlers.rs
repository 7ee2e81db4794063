//! Handlers that power cuts in the middle, and that do not come again.
//!
//! An interrupt is an input: that a handler came before a power failure says nothing of whether it comes after it. One that
//! writes several things leaves some of them then, as no execution without failures does. Emulation lets handlers come
//! where they came; whether one that stays away does harm is searched.
//!
//! **False negatives.** Writes through pointers, and what the search does not come to.

use std::collections::BTreeSet;
use std::sync::Arc;

use brownout_diag::{
    Evidence, Finding, Named, ObjectId, ObjectRef, Pair, Rule, Segment, SidedObject, SourcePlace,
};
use brownout_ir::{Callee, Func, Global, Op, Operand, Program};
use brownout_vm::Image;

use crate::compared;

/// A suspicion about every handler that writes non-volatile variables more than once.
pub(crate) fn cut(image: &Image) -> Vec<Finding> {
    let Some(interrupts) = &image.bindings().interrupts else {
        return Vec::new();
    };
    // A program that sleeps again is woken again by those that come in sleeps only.
    let handlers = (1..).zip(&interrupts.handlers);
    let handlers = handlers.filter(|(number, _)| interrupts.anywhere.contains(number));
    handlers
        .filter_map(|(_, &handler)| suspicion(image, handler))
        .collect()
}

/// Adds those that an execution shows, unless a write of the handler is told of already.
pub(crate) fn keep_confirmed(findings: &mut Vec<Finding>, mut cut: Vec<Finding>) {
    cut.retain(|finding| finding.evidence == Evidence::Confirmed);
    for mut finding in cut {
        let writes = finding
            .pairs
            .iter()
            .filter_map(|pair| pair.producer.as_ref());
        let writes: BTreeSet<_> = writes.map(|place| place.position()).collect();
        let is_told = findings.iter().any(|known| {
            let producer = known.producer.as_ref();
            known.evidence == Evidence::Confirmed
                && producer.is_some_and(|place| writes.contains(&place.position()))
        });
        if !is_told {
            finding.pairs.clear();
            findings.push(finding);
        }
    }
}

fn suspicion(image: &Image, handler: Func) -> Option<Finding> {
    let program = image.program();
    let mut writes = Vec::new();
    collect(program, handler, &mut BTreeSet::new(), &mut writes);
    let is_kept = |global: Global| {
        let segment = image.layout().segment(compared::offset(image, global));
        segment.is_some_and(|segment| segment.nonvolatile)
    };
    writes.retain(|write| is_kept(write.global));
    if writes.len() < 2 {
        return None;
    }
    let name = &program.functions[handler].name;
    let mut told = BTreeSet::new();
    let globals = writes.iter().map(|write| write.global);
    let globals = globals.filter(|global| told.insert(*global));
    let objects = globals.map(|global| object(program, global));
    let objects: Vec<ObjectRef> = objects.collect();
    let names: Vec<String> = objects
        .iter()
        .map(|object| format!("`{}`", object.name))
        .collect();
    let names = match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    };
    let message = format!(
        "the handler `{name}`, cut by a power failure, need not come again: {names} may be written in part"
    );
    let mut finding = Finding::new(Rule::RepeatedInput, Evidence::Possible, message);
    finding.help.push(format!(
        "save {names} in the checkpoint, or let the handler write one thing that the program acts upon"
    ));
    finding.pairs = writes
        .iter()
        .map(|write| Pair {
            object: Arc::new(Named::whole(
                program.globals[write.global].name.as_str(),
                variable(program, write.global),
            )),
            consumer: None,
            producer: Some(Arc::new(write.place.clone())),
            evidence: Evidence::Possible,
            witness: None,
        })
        .collect();
    finding.producer = writes.first().map(|write| write.place.clone());
    let sided = |object| SidedObject {
        object,
        sides: Vec::new(),
    };
    finding.variables = objects.into_iter().map(sided).collect();
    Some(finding)
}

fn object(program: &Program, global: Global) -> ObjectRef {
    let data = &program.globals[global];
    ObjectRef {
        name: data.name.clone(),
        whole: data.name.clone(),
        id: variable(program, global),
        segment: Segment::Globals,
        offset: 0,
        size: data.size,
    }
}

fn variable(program: &Program, global: Global) -> ObjectId {
    ObjectId::Variable(program.globals[global].name.clone())
}

/// A write of a handler.
struct Write {
    global: Global,
    place: SourcePlace,
}

/// The writes to variables of a function and those that it calls.
fn collect(program: &Program, func: Func, seen: &mut BTreeSet<Func>, writes: &mut Vec<Write>) {
    let function = &program.functions[func];
    let Some(body) = function.body.as_ref().filter(|_| seen.insert(func)) else {
        return;
    };
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        match inst.op {
            Op::Store {
                address: Operand::Global(global, _),
                ..
            } => {
                let place = inst
                    .place
                    .and_then(|place| program.source.places.get(place));
                let place = place.and_then(|place| {
                    Some(SourcePlace {
                        file: program.source.files.get(place.file)?.clone(),
                        line: place.line,
                        column: place.column,
                        function: function.name.clone(),
                        stack: Vec::new(),
                    })
                });
                writes.extend(place.map(|place| Write { global, place }));
            }
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => collect(program, callee, seen, writes),
            _ => {}
        }
    }
}
