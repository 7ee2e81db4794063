//! A label for every register and byte of memory: does it depend on an input, since when, on which?
//!
//! Time is cut into epochs by commits and reboots. A label is the epoch in which something became
//! tainted, above the number of an input; so comparing a label with the last one of an epoch tells
//! whether it is older. Commits and reboots move these lines and touch no label. There are 255
//! epochs; when they are used up, the pages that have labels are walked through and numbered anew.
//!
//! Most of memory never gets a label and is never touched here: its labels are zeros that the host
//! need not even provide.
//!
//! **Invariant**: knows neither instructions nor which bytes lose their contents without power.

use std::ops::Range;

use brownout_vm::Register;

/// Bytes of memory that are walked through together.
const PAGE: usize = 4096;

/// When something became tainted, and by which input; the larger, the later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Label(u16);

impl Label {
    /// Of what depends on nothing from outside.
    pub(super) const NONE: Self = Self(0);

    const fn new(epoch: u8, input: u8) -> Self {
        Self((epoch as u16) << 8 | input as u16)
    }

    /// The last label of an epoch.
    const fn end_of(epoch: u8) -> Self {
        Self::new(epoch, u8::MAX)
    }

    /// The number of the input.
    pub(super) const fn input(self) -> u8 {
        self.0 as u8
    }
}

/// The labels of a machine, and the time.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    registers: Vec<Label>,
    /// The labels of all bytes, bare.
    memory: Vec<u16>,
    /// The pages that have labels.
    labelled: Vec<bool>,
    epoch: u8,
    /// Labels up to this one are of readings that a commit has made permanent: they are no taint any more.
    committed: Label,
    /// Labels after `committed` and up to this one are of readings that a power failure has made stale.
    lost: Label,
}

impl Labels {
    /// Labels for memory of that many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            registers: vec![Label::NONE; 1024],
            memory: vec![0; bytes],
            labelled: vec![false; bytes / PAGE + 1],
            epoch: 1,
            committed: Label::end_of(0),
            lost: Label::end_of(0),
        }
    }

    /// The label of what an input gives now.
    pub(super) fn now(&self, input: u8) -> Label {
        Label::new(self.epoch, input)
    }

    /// Whether something is tainted by an input that was read since the last reboot.
    #[inline(always)]
    pub(super) fn is_fresh(&self, label: Label) -> bool {
        label > self.lost
    }

    /// Whether something is tainted by an input that was read before the last reboot.
    #[inline(always)]
    pub(super) fn is_stale(&self, label: Label) -> bool {
        label > self.committed && label <= self.lost
    }

    /// Nothing is tainted any more.
    pub(super) fn commit(&mut self) {
        if self.epoch == u8::MAX {
            self.renumber(|_| Label::NONE);
            self.labelled.fill(false);
            self.epoch = 0;
        }
        self.committed = Label::end_of(self.epoch);
        self.lost = self.committed;
        self.epoch += 1;
    }

    /// Nothing is fresh any more.
    pub(super) fn reboot(&mut self) {
        if self.epoch == u8::MAX {
            let committed = self.committed;
            self.renumber(|label| match label > committed {
                true => Label::new(1, label.input()),
                false => Label::NONE,
            });
            self.committed = Label::end_of(0);
            self.epoch = 1;
        }
        self.lost = Label::end_of(self.epoch);
        self.epoch += 1;
    }

    /// Begins to count epochs anew, with other labels for bytes.
    #[cold]
    fn renumber(&mut self, renumbered: impl Fn(Label) -> Label) {
        // Registers are never stale: what they hold comes from the checkpoint.
        self.registers.fill(Label::NONE);
        let pages = self.memory.chunks_mut(PAGE).zip(&self.labelled);
        for (page, _) in pages.filter(|&(_, &labelled)| labelled) {
            for label in page {
                *label = renumbered(Label(*label)).0;
            }
        }
    }

    /// The label of what some registers hold together.
    #[inline(always)]
    pub(super) fn of(&self, registers: &[Register]) -> Label {
        let mut label = Label::NONE;
        for &register in registers {
            if let Some(&other) = self.registers.get(register as usize) {
                label = label.max(other);
            }
        }
        label
    }

    /// A register gets a value with that label.
    #[inline(always)]
    pub(super) fn set(&mut self, register: Register, label: Label) {
        match self.registers.get_mut(register as usize) {
            Some(place) => *place = label,
            None => self.grow(register, label),
        }
    }

    #[cold]
    fn grow(&mut self, register: Register, label: Label) {
        let length = (register as usize + 1).next_power_of_two();
        self.registers.resize(length, Label::NONE);
        self.registers[register as usize] = label;
    }

    /// The label that some bytes have in common.
    #[inline(always)]
    pub(super) fn common(&self, offset: u32, size: u32) -> Option<Label> {
        let bytes = self.memory.get(range(offset, size))?;
        let first = *bytes.first()?;
        let differ = bytes.iter().fold(0, |bits, byte| bits | byte ^ first);
        (differ == 0).then_some(Label(first))
    }

    /// The label of a byte.
    pub(super) fn byte(&self, offset: u32) -> Label {
        let label = self.memory.get(offset as usize);
        Label(label.copied().unwrap_or_default())
    }

    /// Some bytes get a value with that label.
    #[inline(always)]
    pub(super) fn fill(&mut self, offset: u32, size: u32, label: Label) {
        let range = range(offset, size);
        let pages = range.start / PAGE..range.end.div_ceil(PAGE);
        if let Some(bytes) = self.memory.get_mut(range) {
            bytes.fill(label.0);
            self.labelled[pages].fill(true);
        }
    }

    /// Some bytes get a value that depends on nothing.
    #[inline(always)]
    pub(super) fn clear(&mut self, offset: u32, size: u32) {
        if let Some(bytes) = self.memory.get_mut(range(offset, size)) {
            bytes.fill(0);
        }
    }

    /// Bytes take their labels along. To be filled again where they have some.
    pub(super) fn copy(&mut self, to: u32, from: u32, size: u32) {
        let (from, end) = (range(from, size), range(to, size).end);
        if from.end.max(end) <= self.memory.len() {
            self.memory.copy_within(from, to as usize);
        }
    }
}

fn range(offset: u32, size: u32) -> Range<usize> {
    offset as usize..offset as usize + size as usize
}

#[cfg(test)]
mod tests {
    use super::{Label, Labels};

    #[test]
    fn labels_grow_old() {
        let mut labels = Labels::new(8);
        let early = labels.now(3);
        labels.fill(0, 2, early);
        labels.set(5000, early);
        assert!(labels.is_fresh(early) && !labels.is_stale(early));
        labels.reboot();
        assert!(!labels.is_fresh(early) && labels.is_stale(early));
        let late = labels.now(0);
        assert!(labels.is_fresh(late) && late > early);
        assert_eq!(labels.of(&[1, 5000, 70_000]).input(), 3);
        labels.commit();
        assert!(
            [early, late]
                .iter()
                .all(|&label| !labels.is_fresh(label) && !labels.is_stale(label))
        );
    }

    #[test]
    fn epochs_are_used_again() {
        let mut labels = Labels::new(10_000);
        labels.fill(0, 1, labels.now(1));
        labels.commit();
        labels.fill(5_000, 1, labels.now(2));
        for number in 0..2000 {
            labels.reboot();
            labels.set(1, labels.now(4));
            labels.fill(9_999, 1, labels.now(4));
            let [old, stale, fresh, never] = [0, 5_000, 9_999, 3].map(|offset| labels.byte(offset));
            assert!(!labels.is_fresh(old) && !labels.is_stale(old), "{number}");
            assert!(labels.is_stale(stale) && stale.input() == 2, "{number}");
            assert!(labels.is_fresh(fresh) && labels.is_fresh(labels.of(&[1])));
            assert_eq!(never, Label::NONE);
        }
        for _ in 0..2000 {
            labels.commit();
            let all = [0, 5_000, 9_999, 3].map(|offset| labels.byte(offset));
            assert!(
                all.iter()
                    .all(|&label| !labels.is_fresh(label) && !labels.is_stale(label))
            );
            labels.fill(0, 1, labels.now(4));
            assert!(labels.is_fresh(labels.byte(0)));
        }
    }

    #[test]
    fn bytes_have_a_label_in_common_or_not() {
        let mut labels = Labels::new(8);
        labels.fill(2, 4, labels.now(1));
        assert_eq!(labels.common(2, 4), Some(labels.now(1)));
        assert_eq!(labels.common(1, 4), None);
        labels.copy(4, 0, 4);
        assert_eq!(labels.common(4, 2), Some(Label::NONE));
        // What lies outside has no label, and nothing breaks.
        labels.fill(6, 4, labels.now(1));
        labels.copy(6, 0, 4);
        assert_eq!(labels.common(6, 4), None);
        assert_eq!(labels.byte(9), Label::NONE);
    }
}
