//! Labels that travel with data: one per register and per byte of memory.
//!
//! An observer that follows data keeps its labels here and says how two of them join. The label
//! zero means "nothing known" and is what constants and untouched memory have. Memory can be large
//! and is mostly untouched: labels that are zero from the start cost nothing.
//!
//! **Invariant**: knows no instruction. What is derived from what, the machine says.

use std::ops::Range;

use brownout_vm::Register;

/// What is known of a value, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Label(pub(crate) u32);

impl Label {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self(0);
}

/// How labels combine when data does: commutative and associative, with [`Label::NONE`] as neutral
/// element.
pub(crate) trait Join {
    /// The label of a value made of two that have different labels, neither of them
    /// [`Label::NONE`].
    fn join(&mut self, one: Label, other: Label) -> Label;

    /// The label of a value made of any two.
    #[inline(always)]
    fn joined(&mut self, one: Label, other: Label) -> Label {
        if other == Label::NONE || one == other {
            one
        } else if one == Label::NONE {
            other
        } else {
            self.join(one, other)
        }
    }
}

/// The labels of a machine. They are kept as numbers, because memory of zeros is had for free.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    registers: Vec<u32>,
    memory: Vec<u32>,
}

impl Labels {
    /// Labels for memory of that many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            registers: vec![0; 1024],
            memory: vec![0; bytes],
        }
    }

    /// The label of what some registers hold together.
    #[inline(always)]
    pub(crate) fn of(&self, registers: &[Register], join: &mut impl Join) -> Label {
        let label = |register: &Register| {
            let label = self.registers.get(*register as usize).copied();
            Label(label.unwrap_or_default())
        };
        let labels = registers.iter().map(label);
        labels.fold(Label::NONE, |one, other| join.joined(one, other))
    }

    /// A register gets a value with that label.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: Register, label: Label) {
        match self.registers.get_mut(register as usize) {
            Some(place) => *place = label.0,
            None => self.grow(register, label),
        }
    }

    #[cold]
    fn grow(&mut self, register: Register, label: Label) {
        let length = (register as usize + 1).next_power_of_two();
        self.registers.resize(length, 0);
        self.registers[register as usize] = label.0;
    }

    /// The label of some bytes together.
    #[inline(always)]
    pub(crate) fn bytes(&self, offset: u32, size: u32, join: &mut impl Join) -> Label {
        let bytes = self.memory.get(range(offset, size)).unwrap_or_default();
        let labels = bytes.iter().copied().map(Label);
        labels.fold(Label::NONE, |one, other| join.joined(one, other))
    }

    /// Some bytes get a value with that label.
    #[inline(always)]
    pub(crate) fn set_bytes(&mut self, offset: u32, size: u32, label: Label) {
        if let Some(bytes) = self.memory.get_mut(range(offset, size)) {
            bytes.fill(label.0);
        }
    }

    /// Bytes take their labels along.
    pub(crate) fn copy(&mut self, to: u32, from: u32, size: u32) {
        let (from, to_range) = (range(from, size), range(to, size));
        if from.end.max(to_range.end) <= self.memory.len() {
            self.memory.copy_within(from, to as usize);
        }
    }

    /// How many labels there are, counting those that say nothing.
    pub(crate) fn len(&self) -> usize {
        self.registers.len() + self.memory.len()
    }

    /// Replaces every label but those that say nothing.
    pub(crate) fn replace(&mut self, mut new: impl FnMut(Label) -> Label) {
        let labels = self.registers.iter_mut().chain(&mut self.memory);
        for label in labels.filter(|label| **label != 0) {
            *label = new(Label(*label)).0;
        }
    }
}

fn range(offset: u32, size: u32) -> Range<usize> {
    offset as usize..offset as usize + size as usize
}

#[cfg(test)]
mod tests {
    use super::{Join, Label, Labels};

    /// Labels are sets of bits.
    struct Union;

    impl Join for Union {
        fn join(&mut self, one: Label, other: Label) -> Label {
            Label(one.0 | other.0)
        }
    }

    #[test]
    fn labels_travel() {
        let mut labels = Labels::new(16);
        labels.set(3, Label(1));
        labels.set(5000, Label(2));
        assert_eq!(labels.of(&[3, 5000, 7], &mut Union), Label(3));
        assert_eq!(labels.of(&[9999], &mut Union), Label::NONE);
        labels.set_bytes(4, 2, Label(3));
        labels.set_bytes(6, 1, Label(4));
        assert_eq!(labels.bytes(4, 4, &mut Union), Label(7));
        labels.copy(5, 4, 3);
        let bytes: Vec<u32> = (4..9)
            .map(|offset| labels.bytes(offset, 1, &mut Union).0)
            .collect();
        assert_eq!(bytes, [3, 3, 3, 4, 0]);
        // What lies outside has no label, and nothing breaks.
        labels.set_bytes(15, 4, Label(1));
        labels.copy(15, 0, 4);
        assert_eq!(labels.bytes(15, 4, &mut Union), Label::NONE);
    }
}
