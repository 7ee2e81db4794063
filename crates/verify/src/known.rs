//! What variables hold when a region starts, whatever happened before.
//!
//! Property: for every node and every cell of a global, a range that holds its contents in every continuous
//! execution that gets there. Non-volatile memory holds anything when the program starts; what is known of
//! it later was stored on every way.
//!
//! Algorithm: forward over the whole program, commits being passed. A store to one exact place makes its
//! cell known, every other write makes its cells unknown. Ranges that keep growing are given up.
//!
//! A proof may use that of a cell only if no power failure changes the cell: what holds at the start of the
//! region has to hold after every failed attempt, too ([`Known::lasting`]).

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::objects::{Kind, Object};
use brownout_flow::ranges::Range;
use brownout_flow::sets::Cells;
use brownout_flow::{Boundaries, Entries, Model};
use brownout_ir::{Op, Service};

use crate::dataflow::{following, touched};

/// How often a node may be looked at before ranges that grow there are given up.
const PATIENCE: u32 = 4;

/// The range of a cell that is known.
type Ranges = BTreeMap<u32, Range>;

/// For every node, what is known of cells when it is entered.
#[derive(Debug, Default)]
pub struct Known {
    entering: BTreeMap<u32, Ranges>,
}

/// What is known of some bytes of an object: they are a number without a sign, the lowest byte first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The first byte.
    pub start: i64,
    /// One past the last byte.
    pub end: i64,
    /// What they can be.
    pub range: Range,
}

impl Known {
    /// Follows all ways through a program. Nothing is known if somebody else may write its memory.
    pub fn new(model: &Model<'_>) -> Self {
        let Some((start, theirs)) = single_entry(model) else {
            return Self::default();
        };
        let following = following(model);
        let mut entering: BTreeMap<u32, Ranges> = BTreeMap::from([(start, Ranges::new())]);
        let mut visits: BTreeMap<u32, u32> = BTreeMap::new();
        let mut open = BTreeSet::from([start]);
        while let Some(node) = open.pop_first() {
            let mut ranges = entering[&node].clone();
            pass(model, node, &theirs, &mut ranges);
            for &next in &following[node as usize] {
                let Some(there) = entering.get_mut(&next) else {
                    entering.insert(next, ranges.clone());
                    open.insert(next);
                    continue;
                };
                let visits = visits.entry(next).or_default();
                if join(there, &ranges, *visits > PATIENCE) {
                    *visits += 1;
                    open.insert(next);
                }
            }
        }
        Self { entering }
    }

    /// What is known at a node of cells that are not `changed`.
    pub fn lasting(
        &self,
        model: &Model<'_>,
        node: u32,
        changed: &Cells,
    ) -> BTreeMap<Object, Vec<Fact>> {
        let mut found: BTreeMap<Object, Vec<Fact>> = BTreeMap::new();
        for (&cell, &range) in self.entering.get(&node).into_iter().flatten() {
            if !changed.contains(cell as usize) {
                let cell = model.accesses.cells[cell as usize];
                let (start, end) = (cell.start, cell.end);
                let fact = Fact { start, end, range };
                found.entry(cell.object).or_default().push(fact);
            }
        }
        found
    }
}

/// The node where a program starts, and the cells that others write who may come at any time. None if not
/// all that happens is seen.
fn single_entry(model: &Model<'_>) -> Option<(u32, Cells)> {
    let Entries::Program(start, _) = model.setting.entries else {
        return None;
    };
    let is_followed = model.setting.boundaries == Boundaries::Checkpoints
        && model.accesses.lost.is_empty()
        && model.accesses.unknown.is_empty()
        && model.flow.unresolved.is_empty()
        && model.setting.gaps.is_empty();
    let jumps = |node: u32| {
        let mut steps = model.steps(node);
        steps.any(|(_, inst)| match inst.op {
            Op::Service { service, .. } => service == Service::LongJump,
            _ => false,
        })
    };
    if !is_followed || (0..model.flow.nodes.len() as u32).any(jumps) {
        return None;
    }
    let first = |root| model.flow.first(root, model.contexts.body(root)?.entry());
    let roots = model.contexts.roots.iter().copied();
    let (mine, others): (Vec<_>, Vec<_>) = roots.partition(|root| model.func(*root) == start);
    let &[mine] = &mine[..] else {
        return None;
    };
    let none = Cells::with_capacity(model.accesses.cells.len());
    let (mut reads, mut writes) = (none.clone(), none);
    let following = following(model);
    let mut open: Vec<u32> = others.into_iter().filter_map(first).collect();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            touched(model, node, &mut reads, &mut writes);
            open.extend(&following[node as usize]);
        }
    }
    Some((first(mine)?, writes))
}

/// What is known after a node.
fn pass(model: &Model<'_>, node: u32, theirs: &Cells, ranges: &mut Ranges) {
    for (site, inst) in model.steps(node) {
        let Some(effects) = model.effects(site) else {
            continue;
        };
        for cell in effects.writes.iter().flat_map(|touch| touch.cells.clone()) {
            ranges.remove(&cell);
        }
        let (Op::Store { ty, value, .. }, [touch]) = (&inst.op, &effects.writes[..]) else {
            continue;
        };
        let index = touch.cells.start;
        if !touch.sure || touch.cells.len() != 1 || theirs.contains(index as usize) {
            continue;
        }
        let cell = model.accesses.cells[index as usize];
        let kind = model.points_to.objects.data(cell.object).kind;
        let width = ty.bits(&model.program.target);
        let fills = i64::from(width) == 8 * (cell.end - cell.start);
        if !fills || width > 64 || !matches!(kind, Kind::Global(_)) {
            continue;
        }
        let activation = model.contexts.activation(site.instance);
        let range = activation.ranges.of(*value, width);
        if range != Range::of_width(width) {
            ranges.insert(index, range);
        }
    }
}

/// Takes in what is known on another way; whether that is less than before.
fn join(there: &mut Ranges, other: &Ranges, is_impatient: bool) -> bool {
    let before = there.clone();
    there.retain(|cell, range| {
        let Some(other) = other.get(cell) else {
            return false;
        };
        let joined = Range {
            low: range.low.min(other.low),
            high: range.high.max(other.high),
        };
        let grows = joined != *range;
        *range = joined;
        !(grows && is_impatient)
    });
    *there != before
}
