//! What checkpoints restore of volatile state: the names of the configuration, found in the program.
//!
//! A name is a variable or a part of one (`total`, `cal.x`), a local (`main::i`, also one without a
//! name: `main::s3`) or a register (`main::v12`); the last two as `brownout dump ir` numbers them.

use std::collections::BTreeMap;
use std::sync::Arc;

use brownout_ir::source::Place;
use brownout_ir::variables::{self, Variable};
use brownout_ir::{Callee, Id, Inst, Op, Program, Retained, Service, Slot, Value};
use brownout_scenario::{ConfigError, Exposure, Problem, Recovery, SavesAt, Scenario};

use crate::places;

/// What checkpoints restore, by their places; those that restore everything are not in it.
pub(crate) fn retained(
    program: &Program,
    scenario: &Scenario,
) -> Result<BTreeMap<Place, Arc<Retained>>, ConfigError> {
    let mut all = BTreeMap::new();
    for saves in &scenario.power.saves_at {
        let Some(names) = &saves.volatile else {
            continue;
        };
        let problem = |problem| ConfigError {
            place: saves.place,
            key: "checkpoint.volatile".to_owned(),
            problem,
        };
        let policy = scenario.power.policy;
        match (policy.recovery(), policy.exposure()) {
            // No call of a checkpoint function commits.
            (Recovery::Restart, _) | (_, Exposure::Anywhere { .. }) => continue,
            (Recovery::Checkpoint, Exposure::Region | Exposure::SinceCall { .. }) => {}
            (Recovery::Task, _) => {
                return Err(problem(Problem::BadForm {
                    found: names.join(", "),
                    expected: "nothing: a task that starts again finds volatile state as start-up code leaves it",
                }));
            }
        }
        let mut found = Retained::default();
        for name in names {
            add(program, name, &mut found).map_err(problem)?;
        }
        let found = Arc::new(found);
        for place in places(program, scenario, saves) {
            all.insert(place, Arc::clone(&found));
        }
    }
    Ok(all)
}

/// The places of a checkpoint.
fn places(program: &Program, scenario: &Scenario, saves: &SavesAt) -> Vec<Place> {
    let commits = |inst: &Inst| match &inst.op {
        Op::Service { service, .. } => *service == Service::CheckpointWith,
        Op::Call {
            callee: Callee::Direct(func),
            ..
        } => {
            let name = &program.functions[*func].name;
            scenario.power.checkpoints.contains(name)
        }
        _ => false,
    };
    let bodies = program.functions.values();
    let bodies = bodies.filter_map(|function| function.body.as_ref());
    let insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    let places = insts.filter(|inst| commits(inst));
    let places = places.filter_map(|inst| inst.place);
    let is_there = |place: &Place| {
        program.source.places.get(*place).is_some_and(|data| {
            let file = program.source.files.get(data.file);
            places::is_at(&saves.at, file.map_or("", String::as_str), data.line)
        })
    };
    places.filter(is_there).collect()
}

/// Adds what a name means.
fn add(program: &Program, name: &str, retained: &mut Retained) -> Result<(), Problem> {
    if let Some((function, local)) = name.split_once("::") {
        return add_local(program, (name, function, local), retained);
    }
    let at = name.find(['.', '[']).unwrap_or(name.len());
    // Symbols may have dots themselves.
    let whole = variables::named(program, name).map(|object| (object, ""));
    let part = || Some((variables::named(program, &name[..at])?, &name[at..]));
    let Some((Variable::Global(global), path)) = whole.or_else(part) else {
        let names = program.globals.values().map(|data| data.name.as_str());
        return Err(Problem::UnknownSymbol {
            name: name.to_owned(),
            nearest: brownout_scenario::nearest(name, names).map(str::to_owned),
        });
    };
    let data = &program.globals[global];
    let bytes = match path {
        "" => 0..data.size,
        path => match data.ty.and_then(|ty| program.source.part(ty, path)) {
            Some((bytes, _)) if bytes.end <= data.size => bytes,
            _ => {
                return Err(Problem::BadForm {
                    found: name.to_owned(),
                    expected: "a part that the object has",
                });
            }
        },
    };
    retained.globals.entry(global).or_default().push(bytes);
    Ok(())
}

fn add_local(
    program: &Program,
    (name, function, local): (&str, &str, &str),
    retained: &mut Retained,
) -> Result<(), Problem> {
    let Some(func) = program.function(function) else {
        let names = program.functions.values().map(|one| one.name.as_str());
        return Err(Problem::UnknownFunction {
            name: function.to_owned(),
            nearest: brownout_scenario::nearest(function, names).map(str::to_owned),
        });
    };
    let body = program.functions[func].body.as_ref();
    let slots = body.into_iter().flat_map(|body| body.slots.iter());
    // Several may have a name, each in a block of its own.
    let named = slots.filter(|(_, data)| data.name.as_deref() == Some(local));
    let named: Vec<Slot> = named.map(|(slot, _)| slot).collect();
    if !named.is_empty() {
        retained
            .slots
            .extend(named.into_iter().map(|slot| (func, slot)));
        return Ok(());
    }
    if let Some(Variable::Global(global)) = variables::named(program, name) {
        let size = program.globals[global].size;
        retained.globals.entry(global).or_default().push(0..size);
        return Ok(());
    }
    let number = |kind: char| local.strip_prefix(kind)?.parse::<usize>().ok();
    let slots = body.map_or(0, |body| body.slots.len());
    let values = body.map_or(0, |body| body.values.len());
    if let Some(slot) = number('s').filter(|slot| *slot < slots) {
        retained.slots.insert((func, Slot::from_index(slot)));
    } else if let Some(value) = number('v').filter(|value| *value < values) {
        retained.values.insert((func, Value::from_index(value)));
    } else {
        let known = variables::locals(program, func);
        let nearest = brownout_scenario::nearest(local, known.iter().map(String::as_str));
        return Err(Problem::UnknownLocal {
            name: name.to_owned(),
            function: function.to_owned(),
            nearest: nearest.map(|nearest| format!("{function}::{nearest}")),
        });
    }
    Ok(())
}
