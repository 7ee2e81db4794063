//! Whether what has to hold does.

use brownout_ir::eval;
use brownout_scenario::Occasion;

use crate::image::Variable;
use crate::machine::Machine;

impl Machine<'_> {
    /// The invariants that have to hold on this occasion and do not, by number.
    pub fn broken(&self, occasion: Occasion) -> Vec<u32> {
        let invariants = self.image.bindings.invariants.iter().zip(0..);
        let wanted = invariants.filter(|(invariant, _)| {
            let expected = invariant.at.is_none_or(|at| at == occasion);
            expected && {
                let value = |index: usize| {
                    let variable = invariant.variables.get(index);
                    variable.map_or(0, |variable| self.variable(variable))
                };
                invariant.expression.value(&value) == 0
            }
        });
        wanted.map(|(_, number)| number).collect()
    }

    fn variable(&self, variable: &Variable) -> i64 {
        let object = self.image.layout.offset_of(variable.global) as usize;
        let start = object + variable.start as usize;
        let mut bytes = [0; 16];
        let width = (variable.shift + variable.bits).div_ceil(8) as usize;
        // Names were resolved in the program: what they mean lies inside memory.
        if let Some(found) = self.memory.get(start..start + width.min(16)) {
            bytes[..found.len()].copy_from_slice(found);
        }
        let value = (u128::from_le_bytes(bytes) >> variable.shift) as u64;
        let mask = u64::MAX
            .checked_shr(64 - variable.bits.clamp(1, 64))
            .unwrap_or(0);
        match variable.signed {
            true => eval::wide::signed(variable.bits, u128::from(value & mask)) as i64,
            false => (value & mask) as i64,
        }
    }
}
