//! What functions do to the memory that their callers pass.
//!
//! What a function reads there and never writes is told to it by its caller: an event, a message, a
//! configuration. What it writes is its own state between calls.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_ir::Func;

use crate::accesses::Touch;
use crate::model::Model;
use crate::objects::Kind;

/// The bytes behind each pointer argument, by function and number of the argument, that the function may read
/// and never writes; in order.
pub fn told_by_callers(model: &Model<'_>) -> BTreeMap<(Func, u32), Vec<Range<u64>>> {
    let mut read = Cells::new();
    for touch in model.accesses.reads() {
        note(model, touch, &mut read);
    }
    let mut written = Cells::new();
    for touch in model.accesses.writes() {
        note(model, touch, &mut written);
    }
    let mut told = BTreeMap::new();
    for (argument, cells) in read {
        let own = written.get(&argument);
        let is_told = |cell: &&Range<u64>| !own.is_some_and(|own| own.contains_key(&cell.start));
        let cells: Vec<Range<u64>> = cells.values().filter(is_told).cloned().collect();
        told.insert(argument, cells);
    }
    told
}

/// Cells of what arguments point to, by their first bytes: all of them are cut at the same places.
type Cells = BTreeMap<(Func, u32), BTreeMap<u64, Range<u64>>>;

fn note(model: &Model<'_>, touch: &Touch, cells: &mut Cells) {
    for cell in &model.accesses.cells[touch.cells.start as usize..touch.cells.end as usize] {
        let kind = model.points_to.objects.data(cell.object).kind;
        let (Kind::Parameter(instance, index), Ok(start), Ok(end)) =
            (kind, u64::try_from(cell.start), u64::try_from(cell.end))
        else {
            continue;
        };
        let argument = (model.contexts.activation(instance).func, index);
        let known = cells.entry(argument).or_default();
        known.insert(start, start..end);
    }
}
