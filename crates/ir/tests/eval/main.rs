//! Evaluation against simpler definitions of the same operators.

mod floats;
mod integers;

use proptest::prelude::*;

/// Words with many zeros or ones at either end, where the interesting cases are.
fn words() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        (any::<u128>(), 0_u32..128).prop_map(|(word, shift)| word >> shift),
        (any::<u128>(), 0_u32..128).prop_map(|(word, shift)| !(word >> shift)),
        (0_u32..128).prop_map(|bit| 1 << bit),
        (0_u32..128).prop_map(|bit| (1 << bit) - 1),
        0_u128..200,
    ]
}
