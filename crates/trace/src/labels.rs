//! Labels that travel with data: one per register and per byte of memory.
//!
//! An observer that follows data (commit clocks, taint, freshness) keeps its labels here and says
//! how two of them join. A label is a number in disguise; the default one is zero, means "nothing
//! known" and is what constants and untouched memory have. Memory can be large, and most of it is
//! never touched: what is zero from the start costs nothing.
//!
//! **Invariant**: knows no instruction. What is derived from what, the machine says.

use std::marker::PhantomData;
use std::ops::Range;

use brownout_vm::Register;

/// A label: zero is the default one.
pub(crate) trait Label: Copy + PartialEq + Default + From<u32> + Into<u32> {}

impl<L: Copy + PartialEq + Default + From<u32> + Into<u32>> Label for L {}

/// How labels combine when data does: commutative, with the default label as neutral element.
pub(crate) trait Join<L> {
    /// The label of a value made of two.
    fn join(&mut self, one: L, other: L) -> L;
}

/// The labels of a machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels<L> {
    registers: Vec<u32>,
    memory: Vec<u32>,
    kind: PhantomData<L>,
}

impl<L: Label> Labels<L> {
    /// Labels for memory of that many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            registers: vec![0; 1024],
            memory: vec![0; bytes],
            kind: PhantomData,
        }
    }

    /// The label of what some registers hold together.
    #[inline(always)]
    pub(crate) fn of(&self, registers: &[Register], join: &mut impl Join<L>) -> L {
        let mut label = L::default();
        for &register in registers {
            let other = self.registers.get(register as usize).copied();
            label = joined(label, L::from(other.unwrap_or_default()), join);
        }
        label
    }

    /// A register gets a value with that label.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: Register, label: L) {
        match self.registers.get_mut(register as usize) {
            Some(place) => *place = label.into(),
            None => self.grow(register, label),
        }
    }

    #[cold]
    fn grow(&mut self, register: Register, label: L) {
        let length = (register as usize + 1).next_power_of_two();
        self.registers.resize(length, 0);
        self.registers[register as usize] = label.into();
    }

    /// The label of some bytes together.
    #[inline(always)]
    pub(crate) fn bytes(&self, offset: u32, size: u32, join: &mut impl Join<L>) -> L {
        let Some(bytes) = self.memory.get(range(offset, size)) else {
            return L::default();
        };
        let mut label = L::default();
        let mut last = 0;
        for &byte in bytes {
            if byte != last {
                label = joined(label, L::from(byte), join);
                last = byte;
            }
        }
        label
    }

    /// Some bytes get a value with that label.
    #[inline(always)]
    pub(crate) fn set_bytes(&mut self, offset: u32, size: u32, label: L) {
        if let Some(bytes) = self.memory.get_mut(range(offset, size)) {
            bytes.fill(label.into());
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
                if some.iter().all(|label| *label == 0) {
                    continue;
                }
                for label in some.iter_mut().filter(|label| **label != 0) {
                    *label = new(L::from(*label)).into();
                }
            }
        }
    }

    /// The label of a byte.
    pub(crate) fn byte(&self, offset: u32) -> L {
        let byte = self.memory.get(offset as usize).copied();
        L::from(byte.unwrap_or_default())
    }
}

fn range(offset: u32, size: u32) -> Range<usize> {
    offset as usize..offset as usize + size as usize
}

/// The label of a value made of two, either of which may be the default one.
#[inline(always)]
pub(crate) fn joined<L: Label>(one: L, other: L, join: &mut impl Join<L>) -> L {
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

    /// Sets of some things.
    struct Union;

    impl Join<u32> for Union {
        fn join(&mut self, one: u32, other: u32) -> u32 {
            one | other
        }
    }

    #[test]
    fn labels_travel() {
        let mut labels: Labels<u32> = Labels::new(16);
        labels.set(3, 1);
        labels.set(5000, 2);
        assert_eq!(labels.of(&[3, 5000, 7], &mut Union), 3);
        assert_eq!(labels.of(&[9999], &mut Union), 0);
        labels.set_bytes(4, 2, 3);
        labels.set_bytes(6, 1, 4);
        assert_eq!(labels.bytes(4, 4, &mut Union), 7);
        labels.copy(5, 4, 3);
        let bytes: Vec<u32> = (4..9).map(|offset| labels.byte(offset)).collect();
        assert_eq!(bytes, [3, 3, 3, 4, 0]);
        // What lies outside has no label, and nothing breaks.
        labels.set_bytes(15, 4, 1);
        labels.copy(15, 0, 4);
        assert_eq!(labels.bytes(15, 4, &mut Union), 0);
    }
}
