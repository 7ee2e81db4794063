//! Losing registers: the failure between their last write and those who rely on it, emulated.

use std::ops::Range;

use brownout_explore::LONGEST_REGION;
use brownout_vm::{Bounds, Machine};

use super::{Key, Watch};

/// Lets power fail before each register is relied upon, and finds out what it holds then.
pub(super) fn emulate(watch: &mut Watch<'_>, saved: &[Range<u32>], interrupt: &dyn Fn() -> bool) {
    let mut order: Vec<(u64, u64, u64, Key, usize)> = Vec::new();
    for (&key, occasions) in &watch.lost {
        for (index, lost) in occasions.iter().enumerate() {
            // Before it is relied upon, or after it was set up again.
            let judged = lost.renewed.unwrap_or(lost.relied.saturating_sub(1));
            if judged.saturating_sub(lost.committed) <= LONGEST_REGION {
                order.push((lost.committed, lost.fails, judged, key, index));
            }
        }
    }
    order.sort_unstable();
    // One machine passes by them all.
    let mut machine = Machine::new(watch.image);
    machine.set_bounds(Bounds::Strict);
    machine.clear_at_failures(&watch.offsets());
    for (committed, fails, judged, key, index) in order {
        if interrupt() {
            return;
        }
        machine.advance(committed);
        machine.forget();
        machine.commit(saved);
        let mark = machine.mark();
        let inputs = machine.inputs_read();
        let begun = machine.now();
        machine.advance(judged);
        let taken = machine.now() - begun;
        let kept = watch.value(&machine, key.0);
        machine.rollback(&mark);
        machine.advance(fails);
        machine.fail_power();
        machine.replay_inputs(&inputs);
        let again = machine.now();
        machine.advance(again + taken);
        let reset = watch.value(&machine, key.0);
        machine.rollback(&mark);
        machine.forget();
        machine.keep_journal(false);
        let lost = watch.lost.get_mut(&key);
        if let Some(lost) = lost.and_then(|lost| lost.get_mut(index)) {
            lost.values = Some((kept, reset));
        }
    }
}

impl Watch<'_> {
    /// What a register holds.
    fn value(&self, machine: &Machine<'_>, register: usize) -> u64 {
        let Range { start, end } = self.registers.offsets_of(register);
        let bytes = &machine.memory()[start as usize..end as usize];
        let low = bytes.iter().take(8).rev();
        low.fold(0, |value, byte| value << 8 | u64::from(*byte))
    }
}
