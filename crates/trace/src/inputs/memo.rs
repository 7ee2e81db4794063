//! What was computed lately: a table in which later results replace earlier ones.

/// Results by two numbers. Those of nothing, twice zero, are known from the start: zero.
#[derive(Clone, Debug)]
pub(super) struct Memo(Vec<(u64, u32)>);

impl Memo {
    const BITS: u32 = 10;

    pub(super) fn new() -> Self {
        Self(vec![(0, 0); 1 << Self::BITS])
    }

    #[inline(always)]
    fn key(one: u32, other: u32) -> (u64, usize) {
        let key = u64::from(one) << 32 | u64::from(other);
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        (key, slot as usize)
    }

    #[inline(always)]
    pub(super) fn result(&self, one: u32, other: u32) -> Option<u32> {
        let (key, slot) = Self::key(one, other);
        let (known, result) = self.0[slot];
        (known == key).then_some(result)
    }

    pub(super) fn remember(&mut self, one: u32, other: u32, result: u32) {
        let (key, slot) = Self::key(one, other);
        self.0[slot] = (key, result);
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn results_are_those_of_their_numbers() {
        let mut memo = Memo::new();
        assert_eq!(memo.result(0, 0), Some(0));
        for number in 1..5000 {
            memo.remember(number, 7, number * 3);
            assert_eq!(memo.result(number, 7), Some(number * 3));
            assert_eq!(memo.result(7, number).filter(|_| number != 7), None);
        }
        let kept = (1..5000).filter_map(|number| Some((number, memo.result(number, 7)?)));
        let kept: Vec<(u32, u32)> = kept.collect();
        assert!(kept.len() > 500 && kept.len() <= 1024, "{}", kept.len());
        assert!(kept.iter().all(|(number, result)| *result == number * 3));
    }
}
