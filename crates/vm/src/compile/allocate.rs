//! Registers for values: linear scan over intervals, with hints that make block
//! parameters and their arguments share a register, so that most edges need no moves.

use std::collections::BTreeSet;

use brownout_ir::{Id, Value};

use super::liveness::Interval;

/// The register of every value.
pub(super) struct Assignment {
    pub(super) slots: Vec<Option<u32>>,
    /// How many registers are in use.
    pub(super) window: u32,
}

/// What the allocator has to know of a value.
pub(super) struct Request {
    pub(super) value: Value,
    pub(super) interval: Interval,
    /// Takes two registers.
    pub(super) wide: bool,
    /// Values it would like to share a register with.
    pub(super) hints: Vec<Value>,
}

/// Assigns registers. `fixed` values (the function's parameters) get the first ones, in order.
pub(super) fn assign(
    count: usize,
    fixed: &[(Value, bool)],
    mut requests: Vec<Request>,
) -> Assignment {
    let mut slots: Vec<Option<u32>> = vec![None; count];
    let mut window = 0;
    let mut reserved = Vec::new();
    for &(value, wide) in fixed {
        slots[value.index()] = Some(window);
        reserved.push((value, window, wide));
        window += 1 + u32::from(wide);
    }
    requests.sort_by_key(|request| (request.interval.start, request.value));
    let mut free: BTreeSet<u32> = BTreeSet::new();
    // Ends of the intervals in registers, soonest first.
    let mut active: BTreeSet<(u32, u32)> = BTreeSet::new();
    for request in requests {
        while let Some(&(end, slot)) = active.first() {
            if end >= request.interval.start {
                break;
            }
            active.pop_first();
            free.insert(slot);
        }
        if let Some((_, slot, wide)) = reserved
            .iter()
            .find(|(value, _, _)| *value == request.value)
        {
            if !wide {
                active.insert((request.interval.end, *slot));
            }
            continue;
        }
        if request.wide {
            // Pairs are rare: they keep their registers to themselves.
            slots[request.value.index()] = Some(window);
            window += 2;
            continue;
        }
        let hinted = request
            .hints
            .iter()
            .filter_map(|hint| slots[hint.index()])
            .find(|slot| free.contains(slot));
        let slot = hinted.or_else(|| free.first().copied()).unwrap_or_else(|| {
            window += 1;
            window - 1
        });
        free.remove(&slot);
        slots[request.value.index()] = Some(slot);
        active.insert((request.interval.end, slot));
    }
    Assignment { slots, window }
}
