//! Labels that travel with data: one per register and per byte of memory.
//!
//! An observer that follows data (commit clocks, taint, freshness) keeps its labels here and says
//! how two of them join. A label is a small copyable value; the default one means "nothing known"
//! and is what constants and untouched memory have.
//!
//! **Invariant**: knows no instruction. What is derived from what, the machine says.

use std::ops::Range;

use brownout_vm::Register;

/// How labels combine when data does: commutative, with the default label as neutral element.
pub(crate) trait Join<L> {
    /// The label of a value made of two.
    fn join(&mut self, one: L, other: L) -> L;
}

/// The labels of a machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels<L> {
    registers: Vec<L>,
    memory: Vec<L>,
}

impl<L: Copy + PartialEq + Default> Labels<L> {
    /// Labels for memory of that many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            registers: vec![L::default(); 1024],
            memory: vec![L::default(); bytes],
        }
    }

    /// The label of what some registers hold together.
    #[inline(always)]
    pub(crate) fn of(&self, registers: &[Register], join: &mut impl Join<L>) -> L {
        let mut label = L::default();
        for &register in registers {
            let other = self.registers.get(register as usize).copied();
            label = joined(label, other.unwrap_or_default(), join);
        }
        label
    }

    /// A register gets a value with that label.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: Register, label: L) {
        match self.registers.get_mut(register as usize) {
            Some(place) => *place = label,
            None => self.grow(register, label),
        }
    }

    #[cold]
    fn grow(&mut self, register: Register, label: L) {
        let length = (register as usize + 1).next_power_of_two();
        self.registers.resize(length, L::default());
        self.registers[register as usize] = label;
    }

    /// The label of some bytes together.
    #[inline(always)]
    pub(crate) fn bytes(&self, offset: u32, size: u32, join: &mut impl Join<L>) -> L {
        let Some(bytes) = self.memory.get(range(offset, size)) else {
            return L::default();
        };
        let mut label = L::default();
        let mut last = L::default();
        for &byte in bytes {
            if byte != last {
                label = joined(label, byte, join);
                last = byte;
            }
        }
        label
    }

    /// Some bytes get a value with that label.
    #[inline(always)]
    pub(crate) fn set_bytes(&mut self, offset: u32, size: u32, label: L) {
        if let Some(bytes) = self.memory.get_mut(range(offset, size)) {
            bytes.fill(label);
        }
    }

    /// Bytes take their labels along.
    pub(crate) fn copy(&mut self, to: u32, from: u32, size: u32) {
        let (from, to_range) = (range(from, size), range(to, size));
        if from.end.max(to_range.end) <= self.memory.len() {
            self.memory.copy_within(from, to as usize);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.registers.len() + self.memory.len()
    }

    /// Replaces every label but those that say nothing.
    pub(crate) fn replace(&mut self, mut new: impl FnMut(L) -> L) {
        // Most of memory never had a label: several bytes are looked at at once.
        for some in [&mut self.registers, &mut self.memory] {
            for some in some.chunks_mut(32) {
                if some.iter().all(|label| *label == L::default()) {
                    continue;
                }
                for label in some.iter_mut().filter(|label| **label != L::default()) {
                    *label = new(*label);
                }
            }
        }
    }

    /// The labels of some bytes, to be looked at or replaced.
    pub(crate) fn bytes_mut(&mut self, offset: u32, size: u32) -> &mut [L] {
        self.memory.get_mut(range(offset, size)).unwrap_or_default()
    }
}

fn range(offset: u32, size: u32) -> Range<usize> {
    offset as usize..offset as usize + size as usize
}

/// The label of a value made of two, either of which may be the default one.
#[inline(always)]
pub(crate) fn joined<L: Copy + PartialEq + Default>(
    one: L,
    other: L,
    join: &mut impl Join<L>,
) -> L {
    if other == L::default() || one == other {
        one
    } else if one == L::default() {
        other
    } else {
        join.join(one, other)
    }
}

#[cfg(test)]
mod tests {
    use super::{Join, Labels};

    /// Sets of up to eight things.
    struct Union;

    impl Join<u8> for Union {
        fn join(&mut self, one: u8, other: u8) -> u8 {
            one | other
        }
    }

    #[test]
    fn labels_travel() {
        let mut labels: Labels<u8> = Labels::new(16);
        labels.set(3, 1);
        labels.set(5000, 2);
        assert_eq!(labels.of(&[3, 5000, 7], &mut Union), 3);
        assert_eq!(labels.of(&[9999], &mut Union), 0);
        labels.set_bytes(4, 2, 3);
        labels.set_bytes(6, 1, 4);
        assert_eq!(labels.bytes(4, 4, &mut Union), 7);
        labels.copy(5, 4, 3);
        assert_eq!(labels.bytes_mut(4, 5), [3, 3, 3, 4, 0]);
        // What lies outside has no label, and nothing breaks.
        labels.set_bytes(15, 4, 1);
        labels.copy(15, 0, 4);
        assert_eq!(labels.bytes(15, 4, &mut Union), 0);
    }
}
