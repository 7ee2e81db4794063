//! What was computed lately: a table in which later results replace earlier ones. Two results that
//! would have the same place can both be kept.

use super::made::Made;

/// Results by two numbers. That of twice zero is known from the start: nothing.
#[derive(Clone, Debug)]
pub(super) struct Memo(Box<Table>);

#[derive(Clone, Debug)]
struct Table {
    keys: [(u32, u32); Memo::SLOTS],
    results: [Made; Memo::SLOTS],
}

impl Memo {
    const BITS: u32 = 12;
    const SLOTS: usize = 1 << Self::BITS;

    pub(super) fn new() -> Self {
        Self(Box::new(Table {
            keys: [(0, 0); Self::SLOTS],
            results: [Made::OF_NOTHING; Self::SLOTS],
        }))
    }

    #[inline(always)]
    fn slot(one: u32, other: u32) -> usize {
        let mixed = one
            .wrapping_mul(0x9e37_79b9)
            .wrapping_add(other.wrapping_mul(0x85eb_ca6b));
        (mixed >> (u32::BITS - Self::BITS)) as usize
    }

    #[inline(always)]
    pub(super) fn result(&self, one: u32, other: u32) -> Option<Made> {
        let slot = Self::slot(one, other);
        let key = &self.0.keys[slot];
        // Not compared as a whole: that would take more registers than the interpreter can spare.
        (key.0 == one && key.1 == other).then(|| self.0.results[slot])
    }

    /// Like [`Memo::result`], and looks at the second place as well.
    #[inline(always)]
    pub(super) fn recall(&mut self, one: u32, other: u32) -> Option<Made> {
        let first = self.result(one, other);
        first.or_else(|| self.result_in_second_place(one, other))
    }

    #[inline(never)]
    fn result_in_second_place(&mut self, one: u32, other: u32) -> Option<Made> {
        let (slot, table) = (Self::slot(one, other), &mut self.0);
        if table.keys[slot ^ 1] != (one, other) {
            return None;
        }
        table.keys.swap(slot, slot ^ 1);
        table.results.swap(slot, slot ^ 1);
        Some(table.results[slot])
    }

    pub(super) fn remember(&mut self, one: u32, other: u32, result: Made) {
        let (slot, table) = (Self::slot(one, other), &mut self.0);
        // What was used last stays.
        table.keys[slot ^ 1] = table.keys[slot];
        table.results[slot ^ 1] = table.results[slot];
        table.keys[slot] = (one, other);
        table.results[slot] = result;
    }
}

#[cfg(test)]
mod tests {
    use super::{Made, Memo};

    #[test]
    fn results_are_those_of_their_numbers() {
        let mut memo = Memo::new();
        let triple = |number: u32| Made::from_index_on(3 * number as usize);
        assert_eq!(memo.result(0, 0), Some(Made::OF_NOTHING));
        for number in 1..20_000 {
            memo.remember(number, 7, triple(number));
            assert_eq!(memo.result(number, 7), Some(triple(number)));
            assert_eq!(memo.result(7, number).filter(|_| number != 7), None);
        }
        let kept = (1..20_000).filter_map(|number| Some((number, memo.result(number, 7)?)));
        let kept: Vec<(u32, Made)> = kept.collect();
        assert!(kept.len() > 2000 && kept.len() <= 4096, "{}", kept.len());
        assert!(
            kept.iter()
                .all(|&(number, result)| result == triple(number))
        );
    }
}
