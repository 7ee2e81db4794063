//! What each checkpoint saves and what it has to save.

use std::collections::{BTreeMap, BTreeSet};

use brownout_diag::SourcePlace;
use brownout_ir::{Op, Operand};

use crate::accesses::Cell;
use crate::findings::restart;
use crate::model::Model;
use crate::objects::Kind;
use crate::order::{natural, runs};
use crate::patience::Stopped;
use crate::regions::{Region, conservative};
use crate::sets::Cells;
use crate::setting::Boundaries;
use crate::supergraph::Reason;

/// Some bytes of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What users call them.
    pub name: String,
    /// How many there are.
    pub bytes: u64,
    /// The symbol of the global that they are in.
    pub symbol: Option<String>,
    /// Whether the name can be written anywhere in the program.
    pub global: bool,
}

/// What execution goes on after, as far as saving is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Saver {
    /// A call in the source that commits.
    Call,
    /// A commit that no call stands for: one that the tool has put there, or an assignment that
    /// ends a task.
    Placed,
    /// The start of a task, by name.
    Task(String),
    /// Nothing that could save: a start of the program, an input.
    Nothing,
}

/// All there is to know of what one checkpoint saves.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Where execution goes on, in words.
    pub what: String,
    /// Where that is.
    pub place: Option<SourcePlace>,
    /// What could save there.
    pub saver: Saver,
    /// What it saves.
    pub declared: Vec<Part>,
    /// What it has to save because it is read and then overwritten.
    pub war: Vec<Part>,
    /// What it has to save because inputs decide whether or where it is written.
    pub inputs: Vec<Part>,
    /// What it would have to save if inputs could decide every branch.
    pub any_branch: Vec<Part>,
    /// What it has to save and does not.
    pub missing: Vec<Part>,
    /// What it saves and does not have to.
    pub superfluous: Vec<Part>,
}

/// One summary per start, in the order of the source; contexts of one place are taken together.
///
/// # Errors
/// If they are not wanted any more.
pub fn summaries(model: &Model<'_>, regions: &[Region]) -> Result<Vec<Summary>, Stopped> {
    struct Merged {
        summary: Summary,
        declared: Cells,
        war: Cells,
        inputs: Cells,
        any: Cells,
    }
    let mut merged: BTreeMap<(Option<SourcePlace>, String), Merged> = BTreeMap::new();
    for region in regions {
        let (_, place) = restart(model, region.start);
        let place = place.map(|place| SourcePlace {
            stack: Vec::new(),
            ..place
        });
        let what = describe(model, region.start.reason);
        let none = Cells::with_capacity(model.accesses.cells.len());
        let entry = merged
            .entry((place.clone(), what.clone()))
            .or_insert_with(|| Merged {
                summary: Summary {
                    what,
                    place,
                    saver: saver(model, region.start.reason),
                    declared: Vec::new(),
                    war: Vec::new(),
                    inputs: Vec::new(),
                    any_branch: Vec::new(),
                    missing: Vec::new(),
                    superfluous: Vec::new(),
                },
                declared: region.saved.clone(),
                war: none.clone(),
                inputs: none.clone(),
                any: none,
            });
        entry.declared.intersect_with(&region.saved);
        entry.war.union_with(&region.war);
        entry.inputs.union_with(&region.exclusive(model));
        entry.any.union_with(&conservative(model, region.start)?);
    }
    let summaries = merged.into_values().map(|merged| {
        let mut declared = merged.declared;
        declared.intersect_with(&model.nonvolatile);
        let mut needed = merged.war.clone();
        needed.union_with(&merged.inputs);
        let mut missing = needed.clone();
        missing.difference_with(&declared);
        let mut superfluous = declared.clone();
        superfluous.difference_with(&needed);
        Summary {
            declared: parts(model, &declared),
            war: parts(model, &merged.war),
            inputs: parts(model, &merged.inputs),
            any_branch: parts(model, &merged.any),
            missing: parts(model, &missing),
            superfluous: parts(model, &superfluous),
            ..merged.summary
        }
    });
    Ok(summaries.collect())
}

fn describe(model: &Model<'_>, reason: Reason) -> String {
    let name = |instance| &model.program.functions[model.func(instance)].name;
    match reason {
        Reason::Entry => "start of the program".to_owned(),
        Reason::Checkpoint(_) => match saver(model, reason) {
            Saver::Task(name) => format!("task `{name}`"),
            Saver::Placed if model.setting.boundaries == Boundaries::Tasks => {
                "transition".to_owned()
            }
            Saver::Call | Saver::Placed | Saver::Nothing => "checkpoint".to_owned(),
        },
        Reason::Function(instance) => format!("start of `{}`", name(instance)),
        Reason::Input(_) => "before the input".to_owned(),
    }
}

/// What could save something that execution after `reason` needs.
fn saver(model: &Model<'_>, reason: Reason) -> Saver {
    let Reason::Checkpoint(site) = reason else {
        return Saver::Nothing;
    };
    let function = &model.program.functions[model.func(site.instance)];
    let Some(inst) = model.inst(site) else {
        return Saver::Nothing;
    };
    let placed =
        matches!(&inst.op, Op::Service { args, .. } if args.first() == Some(&Operand::Bits(0)));
    let is_tasks = model.setting.boundaries == Boundaries::Tasks;
    match inst.op {
        _ if is_tasks && inst.place == function.place => Saver::Task(function.name.clone()),
        Op::Service { .. } if placed || is_tasks => Saver::Placed,
        _ => Saver::Call,
    }
}

/// Cells as parts: those that follow each other are one where users have a name for them.
pub fn parts(model: &Model<'_>, cells: &Cells) -> Vec<Part> {
    let mut whole: Vec<Cell> = Vec::new();
    for index in cells.ones() {
        let cell = model.accesses.cells[index];
        // A whole object, if all of its cells are there.
        let size = model.points_to.objects.data(cell.object).size;
        let all = model.accesses.cells(cell.object, 0, i64::MAX);
        if all.clone().count() > 1 && all.clone().all(|index| cells.contains(index as usize)) {
            let end = size.unwrap_or(cell.end);
            if whole.last().is_none_or(|last| last.object != cell.object) {
                whole.push(Cell {
                    object: cell.object,
                    start: 0,
                    end,
                });
            }
        } else {
            whole.push(cell);
        }
    }
    let parts: Vec<Part> = whole
        .into_iter()
        .map(|cell| {
            let data = model.points_to.objects.data(cell.object);
            let end = data.size.map_or(cell.end, |size| cell.end.min(size));
            let symbol = match data.kind {
                Kind::Global(global) => Some(model.program.globals[global].name.clone()),
                _ => None,
            };
            Part {
                name: model.name(cell.object, cell.start, end),
                bytes: (end - cell.start) as u64,
                // A local of a function has a dot in its symbol.
                global: symbol.as_ref().is_some_and(|name| !name.contains('.')),
                symbol,
            }
        })
        .collect();
    // Several functions may have a static variable of one name.
    let mut objects: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        objects
            .entry(part.symbol.as_deref())
            .or_default()
            .push(index);
    }
    let together = objects.values().flat_map(|of_object| {
        let names = of_object.iter().map(|&index| parts[index].name.as_str());
        let names: Vec<&str> = names.collect();
        let runs = runs(&names).into_iter();
        runs.filter_map(|(name, members)| {
            let members = members.iter().map(|&member| &parts[of_object[member]]);
            together(name, &members.collect::<Vec<_>>())
        })
    });
    let mut together: Vec<Part> = together.collect();
    together.sort_by_cached_key(|part| natural(&part.name));
    together
}

/// Parts of one object that follow each other as one, which users call by a `name`.
fn together(name: String, members: &[&Part]) -> Option<Part> {
    let first: Part = (*members.first()?).clone();
    // One name can stand for the same bytes in several contexts.
    let distinct = members.iter().map(|part| (part.name.as_str(), part.bytes));
    let distinct: BTreeSet<(&str, u64)> = distinct.collect();
    Some(Part {
        name,
        bytes: distinct.iter().map(|(_, bytes)| bytes).sum(),
        ..first
    })
}
