//! Several moves at once, put in an order that loses nothing.

use crate::code::Slot;

/// Where a moved value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Slot(Slot),
    Const(u64),
    Frame(i32),
}

/// Orders parallel moves; cycles go through `spare`.
pub(super) fn sequence(mut pending: Vec<(Slot, From)>, spare: Slot) -> Vec<(Slot, From)> {
    pending.retain(|&(to, from)| from != From::Slot(to));
    let mut ordered = Vec::with_capacity(pending.len());
    while !pending.is_empty() {
        // A register that nobody still has to read can be written.
        let ready = pending
            .iter()
            .position(|&(to, _)| !pending.iter().any(|&(_, from)| from == From::Slot(to)));
        match ready {
            Some(index) => ordered.push(pending.remove(index)),
            None => {
                let (to, _) = pending[0];
                ordered.push((spare, From::Slot(to)));
                for (_, from) in &mut pending {
                    if *from == From::Slot(to) {
                        *from = From::Slot(spare);
                    }
                }
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Sequential execution of the order equals parallel execution of the moves.
        #[test]
        fn sequence_is_parallel(
            sources in proptest::collection::vec(prop_oneof![(0u16..8).prop_map(From::Slot), (100u64..103).prop_map(From::Const)], 0..8),
        ) {
            let moves: Vec<(Slot, From)> = sources.into_iter().enumerate().map(|(to, from)| (to as Slot, from)).collect();
            let read = |registers: &[u64], from: From| match from {
                From::Slot(slot) => registers[slot as usize],
                From::Const(value) => value,
                From::Frame(offset) => offset as u64,
            };
            let before: Vec<u64> = (0..9).collect();
            let mut parallel = before.clone();
            for &(to, from) in &moves {
                parallel[to as usize] = read(&before, from);
            }
            let mut sequential = before;
            for (to, from) in sequence(moves, 8) {
                sequential[to as usize] = read(&sequential, from);
            }
            prop_assert_eq!(&parallel[..8], &sequential[..8]);
        }
    }
}
