//! What a checkpoint restores, and what is lost if it does not restore all volatile state.
//!
//! **Invariant**: what is not known to be restored is lost. A lost cell or value is arbitrary after
//! every power failure, and the proof has to do without it.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::Model;
use brownout_flow::accesses::is_nonvolatile;
use brownout_flow::contexts::{Instance, Site};
use brownout_flow::liveness::Liveness;
use brownout_flow::objects::{Kind, Object};
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::Reason;
use brownout_ir::{Func, Retained, Value};

use crate::alive::wanted;

/// What a checkpoint restores.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The cells of non-volatile memory that it saves.
    pub saved: Cells,
    /// Whether it saves a stack in non-volatile memory, with all that calls leave there.
    pub stack: bool,
    /// What it restores of volatile state; none: all of it.
    pub volatile: Option<Kept>,
}

/// The volatile state that a checkpoint restores.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Cells of variables and stack objects.
    pub cells: Cells,
    /// Values in registers, of every activation of their function.
    pub values: BTreeSet<(Func, Value)>,
}

impl Kept {
    /// What of a program this is. Parts of cells do not count.
    pub fn new(model: &Model<'_>, retained: &Retained) -> Self {
        let mut cells = Cells::with_capacity(model.accesses.cells.len());
        for (index, cell) in model.accesses.cells.iter().enumerate() {
            let is_kept = match model.points_to.objects.data(cell.object).kind {
                Kind::Global(global) => {
                    let size = model.program.globals[global].size;
                    let end = u64::try_from(cell.end).unwrap_or(0).min(size);
                    let start = u64::try_from(cell.start).unwrap_or(0);
                    (start..end).all(|byte| retained.has_byte(global, byte))
                }
                Kind::Slot(instance, slot) => {
                    retained.slots.contains(&(model.func(instance), slot))
                }
                _ => false,
            };
            cells.set(index, is_kept);
        }
        Self {
            cells,
            values: retained.values.clone(),
        }
    }
}

/// What a power failure takes away from the region after a checkpoint.
#[derive(Debug)]
pub struct Lost {
    /// Cells of volatile memory.
    pub cells: Cells,
    /// Values in registers that are used again.
    pub values: BTreeSet<(Instance, Value)>,
}

impl Lost {
    /// Nothing at all.
    pub fn nothing(model: &Model<'_>) -> Self {
        Self {
            cells: Cells::with_capacity(model.accesses.cells.len()),
            values: BTreeSet::new(),
        }
    }

    /// Whether that is nothing.
    pub fn is_nothing(&self) -> bool {
        self.cells.is_clear() && self.values.is_empty()
    }

    /// What is lost where a region starts, or why nobody knows.
    pub fn new(model: &Model<'_>, start: Reason, volatile: Option<&Kept>) -> Result<Self, String> {
        let mut lost = Self::nothing(model);
        let (Reason::Checkpoint(site), Some(kept)) = (start, volatile) else {
            return Ok(lost);
        };
        lost.cells = losable(model, site)?;
        lost.cells.difference_with(&kept.cells);
        let used = wanted(model, &mut Liveness::default(), site);
        let is_lost = |(instance, value): &(Instance, Value)| {
            !kept.values.contains(&(model.func(*instance), *value))
        };
        lost.values = used.into_iter().filter(is_lost).collect();
        Ok(lost)
    }

    /// The cells by their objects.
    pub fn objects(&self, model: &Model<'_>) -> BTreeMap<Object, Vec<u32>> {
        let mut found: BTreeMap<Object, Vec<u32>> = BTreeMap::new();
        for cell in self.cells.ones() {
            let object = model.accesses.cells[cell].object;
            found.entry(object).or_default().push(cell as u32);
        }
        found
    }
}

/// The volatile cells that a checkpoint can leave out: the program's variables, and the stack objects
/// of the calls in progress.
pub fn losable(model: &Model<'_>, site: Site) -> Result<Cells, String> {
    let mut calls = BTreeSet::new();
    let mut at = Some(site.instance);
    while let Some(instance) = at {
        let activation = model.contexts.activation(instance);
        let is_root = model.contexts.roots.contains(&instance);
        let is_single = !activation.recursive && activation.caller.is_some() != is_root;
        // Values that stand for stack objects cannot be told apart from those in registers.
        let is_memory = model.setting.unpromoted.contains(&activation.func);
        if !calls.insert(instance) || !is_single || !is_memory {
            let name = &model.program.functions[activation.func].name;
            return Err(format!("volatile state of `{name}` that is not restored"));
        }
        at = activation.caller.map(|caller| caller.instance);
    }
    let mut cells = Cells::with_capacity(model.accesses.cells.len());
    for (index, cell) in model.accesses.cells.iter().enumerate() {
        let kind = model.points_to.objects.data(cell.object).kind;
        let can_be_lost = match kind {
            Kind::Global(global) => model.program.globals[global].is_variable(),
            Kind::Slot(instance, _) => calls.contains(&instance),
            _ => false,
        };
        cells.set(index, can_be_lost && !is_nonvolatile(model.setting, kind));
    }
    Ok(cells)
}
