//! The least that checkpoints have to save (semantics §4, VMCAI'18 §6).
//!
//! Property: the result is *1-minimal*: all regions are proved with it, and without any single element
//! some region is not. Algorithm: from the sets of OOPSLA'20, united with what the program saves
//! anyway, elements are dropped in a fixed order, the largest first, then by name, as long as the
//! proof holds, until none can be dropped; every step is a proof from scratch. Saving more is not
//! always better (of two variables that have to agree, either both are saved or none), so elements
//! are what users can name: variables and fields, arrays as a whole; of volatile state, which starts
//! from all that is used again, variables, stack objects of calls in progress, and values in
//! registers.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::{At, Site};
use brownout_flow::objects::{Kind, Object};
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::Reason;
use brownout_flow::{Model, Region};
use brownout_ir::{Func, Value};
use brownout_solver::Solver;

use crate::alive::wanted;
use crate::contents::{Contents, Kept, losable};
use crate::dataflow::Liveness;
use crate::prove::Prover;
use crate::question::{Open, Why};

/// One checkpoint of the program.
#[derive(Clone, Debug)]
pub struct Minimised {
    /// One of its places in the program.
    pub site: Site,
    /// What it has to save, in order: non-volatile memory, volatile memory, registers.
    pub saved: Vec<Element>,
    /// The cells of non-volatile memory among that.
    pub cells: Cells,
    /// Bytes of volatile state that it has to restore beyond that, because all that is used again is
    /// restored: whether it could do with less is not known.
    pub volatile: Option<u64>,
    /// Bytes that others would save.
    pub baselines: Baselines,
}

/// One thing that has to be saved.
#[derive(Clone, Debug)]
pub struct Element {
    /// What kind of thing.
    pub kind: ElementKind,
    /// Its cells, in order.
    pub cells: Vec<u32>,
    /// What users call it.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// What is open if it is not saved.
    pub without: Why,
}

/// What kind of thing is saved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ElementKind {
    /// A part of non-volatile memory.
    Nonvolatile,
    /// A part of volatile memory.
    Volatile,
    /// A value in a register.
    Register(Func, Value),
}

/// How many bytes others would save.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Baselines {
    /// Registers, volatile memory, and all non-volatile memory that the program may write.
    pub everything: u64,
    /// Registers, live volatile memory, and what is read and then written (DINO).
    pub dino: u64,
    /// The same, and what inputs decide about (OOPSLA'20).
    pub exclusive: u64,
}

/// What came of it.
#[derive(Debug)]
pub enum Minimum {
    /// The checkpoints, by place in the program.
    Found(Vec<Minimised>),
    /// Not even saving all of that is proved to be enough; this is open.
    Open(Vec<Open>),
}

/// Searches the least that the checkpoints of a program have to save.
pub fn minimise(
    model: &Model<'_>,
    prover: &Prover<'_>,
    regions: &[Region],
    solver: &mut dyn Solver,
) -> Minimum {
    let mut groups: BTreeMap<(Func, At), Vec<&Region>> = BTreeMap::new();
    let mut open = Vec::new();
    for region in regions {
        match region.start.reason {
            Reason::Checkpoint(site) => {
                groups
                    .entry((model.func(site.instance), site.at))
                    .or_default()
                    .push(region);
            }
            _ => {
                let contents = prover.contents(region);
                open.extend(prover.region(region, &contents, Some(solver)).open);
            }
        }
    }
    let liveness = Liveness::new(model);
    let mut found = Vec::new();
    for group in groups.values() {
        let Some(Reason::Checkpoint(site)) = group.first().map(|region| region.start.reason) else {
            continue;
        };
        let mut wanted = Cells::with_capacity(model.accesses.cells.len());
        for region in group {
            wanted.union_with(&region.war);
            wanted.union_with(&region.exclusive(model));
            wanted.union_with(&region.saved);
        }
        wanted.intersect_with(&model.nonvolatile);
        let everything = volatile(model, &liveness, site);
        let mut candidates = elements(model, &wanted, ElementKind::Nonvolatile);
        let nonvolatile = candidates.len();
        let mut restores = Restores::Everything;
        if let Ok(found) = used_again(model, &liveness, group) {
            candidates.extend(found);
            restores = Restores::Chosen;
        }
        let contents = |kept: &[Element], restores| contents(model, kept, restores);
        let mut first = holds(prover, group, &contents(&candidates, restores), solver);
        if first.is_some() && restores == Restores::Chosen {
            // It may hold if what is not used again is restored, too.
            candidates.truncate(nonvolatile);
            restores = Restores::Everything;
            first = holds(prover, group, &contents(&candidates, restores), solver);
        }
        if let Some(first) = first {
            open.push(first);
            continue;
        }
        let mut kept = candidates;
        kept.sort_by(|a, b| (b.bytes, &a.name).cmp(&(a.bytes, &b.name)));
        // What was needed beside others may not be needed without them: until nothing can be dropped.
        loop {
            let before = kept.len();
            let mut index = 0;
            while index < kept.len() {
                let mut dropped = kept.remove(index);
                let without = holds(prover, group, &contents(&kept, restores), solver);
                if let Some(without) = without {
                    dropped.without = without.why;
                    kept.insert(index, dropped);
                    index += 1;
                }
            }
            if kept.len() == before {
                break;
            }
        }
        kept.sort_by(|a, b| (a.kind, &a.cells).cmp(&(b.kind, &b.cells)));
        found.push(Minimised {
            site,
            cells: contents(&kept, restores).saved,
            saved: kept,
            volatile: (restores == Restores::Everything).then_some(everything),
            baselines: baselines(model, group, everything),
        });
    }
    match open.is_empty() {
        true => Minimum::Found(found),
        false => Minimum::Open(open),
    }
}

/// What is open if all regions of a checkpoint restore this.
fn holds(
    prover: &Prover<'_>,
    group: &[&Region],
    contents: &Contents,
    solver: &mut dyn Solver,
) -> Option<Open> {
    group
        .iter()
        .find_map(|region| prover.region(region, contents, Some(&mut *solver)).open)
}

/// What is restored of volatile state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Restores {
    /// All of it.
    Everything,
    /// The elements that were chosen.
    Chosen,
}

/// Elements as the contents of a checkpoint.
fn contents(model: &Model<'_>, kept: &[Element], restores: Restores) -> Contents {
    let cells = |kind: ElementKind| {
        let mut cells = Cells::with_capacity(model.accesses.cells.len());
        let elements = kept.iter().filter(|element| element.kind == kind);
        let all = elements.flat_map(|element| &element.cells);
        cells.extend(all.map(|cell| *cell as usize));
        cells
    };
    let values = kept.iter().filter_map(|element| match element.kind {
        ElementKind::Register(func, value) => Some((func, value)),
        ElementKind::Nonvolatile | ElementKind::Volatile => None,
    });
    Contents {
        saved: cells(ElementKind::Nonvolatile),
        stack: false,
        volatile: (restores == Restores::Chosen).then(|| Kept {
            cells: cells(ElementKind::Volatile),
            values: values.collect(),
        }),
    }
}

/// The volatile state that is used again after a checkpoint.
fn used_again(
    model: &Model<'_>,
    liveness: &Liveness,
    group: &[&Region],
) -> Result<Vec<Element>, String> {
    let program = model.program;
    let mut variables = Cells::with_capacity(model.accesses.cells.len());
    let mut slots: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut values = BTreeSet::new();
    let mut registers = brownout_flow::liveness::Liveness::default();
    for region in group {
        let Reason::Checkpoint(site) = region.start.reason else {
            continue;
        };
        let mut used = losable(model, site)?;
        if let Some(alive) = liveness.commits.get(&region.start.reason) {
            used.intersect_with(alive);
        }
        for cell in used.ones() {
            let object = model.accesses.cells[cell].object;
            match model.points_to.objects.data(object).kind {
                Kind::Slot(instance, slot) => {
                    let name = program.slot_name(model.func(instance), slot);
                    let cells = slots.entry(name).or_default();
                    cells.extend(model.accesses.cells(object, 0, i64::MAX));
                }
                _ => variables.insert(cell),
            }
        }
        let wanted = wanted(model, &mut registers, site);
        values.extend(
            wanted
                .into_iter()
                .map(|(at, value)| (model.func(at), value)),
        );
    }
    let mut found = elements(model, &variables, ElementKind::Volatile);
    for (name, mut cells) in slots {
        cells.sort_unstable();
        cells.dedup();
        let first = cells
            .first()
            .map(|cell| model.accesses.cells[*cell as usize]);
        let size = first.and_then(|cell| model.points_to.objects.data(cell.object).size);
        found.push(Element {
            kind: ElementKind::Volatile,
            cells,
            name,
            bytes: size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0),
            without: Why::NoSolver,
        });
    }
    for (func, value) in values {
        let body = program.functions[func].body.as_ref();
        let bytes = body.map_or(0, |body| body.values[value].bytes(&program.target));
        found.push(Element {
            kind: ElementKind::Register(func, value),
            cells: Vec::new(),
            name: program.value_name(func, value),
            bytes: u64::from(bytes),
            without: Why::NoSolver,
        });
    }
    Ok(found)
}

/// What can be named of some cells: a cell that is a variable or a field, or all cells of an object of
/// which some cell has no such name.
fn elements(model: &Model<'_>, cells: &Cells, kind: ElementKind) -> Vec<Element> {
    let mut objects: BTreeMap<Object, Vec<u32>> = BTreeMap::new();
    for cell in cells.ones() {
        let object = model.accesses.cells[cell].object;
        objects.entry(object).or_default().push(cell as u32);
    }
    let mut found = Vec::new();
    let mut add = |name: String, cells: Vec<u32>| {
        found.push(Element {
            kind,
            bytes: cells.iter().map(|cell| bytes(model, *cell)).sum(),
            cells,
            name,
            without: Why::NoSolver,
        });
    };
    for (object, cells) in objects {
        let name = |cell: &u32| model.object(*cell).name;
        let is_field = |cell: &u32| !name(cell).contains('[') && !name(cell).contains("..");
        if cells.iter().all(is_field) {
            cells.iter().for_each(|cell| add(name(cell), vec![*cell]));
        } else {
            let size = model.points_to.objects.data(object).size;
            let whole = model.name(object, 0, size.unwrap_or(i64::MAX));
            add(whole, model.accesses.cells(object, 0, i64::MAX).collect());
        }
    }
    found
}

fn bytes(model: &Model<'_>, cell: u32) -> u64 {
    let data = model.accesses.cells[cell as usize];
    let size = model
        .points_to
        .objects
        .data(data.object)
        .size
        .unwrap_or(data.end);
    u64::try_from(data.end.min(size) - data.start).unwrap_or(0)
}

fn total(model: &Model<'_>, cells: &Cells) -> u64 {
    cells.ones().map(|cell| bytes(model, cell as u32)).sum()
}

/// Bytes of registers and volatile memory that are wanted after a commit.
fn volatile(model: &Model<'_>, liveness: &Liveness, site: Site) -> u64 {
    let mut registers = brownout_flow::liveness::Liveness::default();
    let values = wanted(model, &mut registers, site);
    let target = &model.program.target;
    let values: u64 = values
        .iter()
        .filter_map(|(instance, value)| {
            let body = model.contexts.body(*instance)?;
            Some(u64::from(body.values[*value].bytes(target)))
        })
        .sum();
    let mut alive = liveness
        .commits
        .get(&Reason::Checkpoint(site))
        .cloned()
        .unwrap_or_else(|| Cells::with_capacity(model.accesses.cells.len()));
    alive.difference_with(&model.nonvolatile);
    values + total(model, &alive)
}

fn baselines(model: &Model<'_>, group: &[&Region], volatile: u64) -> Baselines {
    let none = Cells::with_capacity(model.accesses.cells.len());
    let (mut war, mut exclusive) = (none.clone(), none.clone());
    for region in group {
        war.union_with(&region.war);
        exclusive.union_with(&region.exclusive(model));
    }
    exclusive.union_with(&war);
    exclusive.intersect_with(&model.nonvolatile);
    // All that is written anywhere, whole objects at a time.
    let (mut reads, mut written) = (none.clone(), none);
    for node in 0..model.flow.nodes.len() as u32 {
        crate::dataflow::touched(model, node, &mut reads, &mut written);
    }
    let objects: BTreeSet<_> = written
        .ones()
        .map(|cell| model.accesses.cells[cell].object)
        .collect();
    let memory: i64 = objects
        .iter()
        .filter_map(|object| model.points_to.objects.data(*object).size)
        .sum();
    Baselines {
        everything: volatile + u64::try_from(memory).unwrap_or(0),
        dino: volatile + total(model, &war),
        exclusive: volatile + total(model, &exclusive),
    }
}
