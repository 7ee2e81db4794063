//! The variables that a scenario speaks of, and the bytes that they occupy just now.

use std::num::NonZeroU32;
use std::ops::Range;

use brownout_ir::{Func, Id};
use brownout_vm::Image;

use crate::objects::{Object, Objects, global_bytes};

/// One of these variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Holder(NonZeroU32);

impl Holder {
    pub(super) fn new(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Its index among those that the scenario speaks of.
    pub(super) fn index(self) -> usize {
        self.number() as usize - 1
    }

    /// What tells one from others, and from zero.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.0.get()
    }
}

/// A local variable.
#[derive(Clone, Debug)]
struct Local {
    func: Func,
    /// Its bytes, from the frame pointer on.
    bytes: Range<i64>,
    holder: Holder,
}

/// Which byte belongs to which variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    /// By offset; nothing at all if there are none.
    bytes: Vec<Option<NonZeroU32>>,
    locals: Vec<Local>,
    /// The locals of calls in progress: how deep the call is, and their bytes.
    live: Vec<(usize, Range<u32>)>,
}

impl Holders {
    /// These variables, in memory of that many bytes.
    pub(super) fn new(
        image: &Image,
        objects: &Objects<'_>,
        variables: &[Object],
        memory: usize,
    ) -> Self {
        let mut holders = Self::default();
        if variables.is_empty() {
            return holders;
        }
        holders.bytes = vec![None; memory];
        for (index, &object) in variables.iter().enumerate() {
            let holder = Holder::new(index);
            if let Some(bytes) = global_bytes(image, object) {
                holders.fill(bytes, Some(holder));
            }
            if let Object::Local(func, slot) = object
                && let Some(&start) = image.frame_slots(func).get(slot.index())
            {
                let start = i64::from(start);
                let size = objects.size(object).unwrap_or(0) as i64;
                holders.locals.push(Local {
                    func,
                    bytes: start..start + size,
                    holder,
                });
            }
        }
        holders
    }

    fn fill(&mut self, bytes: Range<u32>, holder: Option<Holder>) {
        let bytes = bytes.start as usize..bytes.end as usize;
        if let Some(bytes) = self.bytes.get_mut(bytes) {
            bytes.fill(holder.map(|holder| holder.0));
        }
    }

    /// The variable that a byte belongs to.
    #[inline(always)]
    pub(super) fn at(&self, offset: u32) -> Option<Holder> {
        let holder = self.bytes.get(offset as usize)?;
        holder.map(Holder)
    }

    /// A function is called, and is then that deep.
    pub(super) fn enter(&mut self, func: Func, frame: u32, depth: usize) {
        for index in 0..self.locals.len() {
            let local = &self.locals[index];
            if local.func != func {
                continue;
            }
            let place = |distance: i64| u32::try_from(i64::from(frame) + distance);
            if let (Ok(start), Ok(end)) = (place(local.bytes.start), place(local.bytes.end)) {
                let holder = local.holder;
                self.fill(start..end, Some(holder));
                self.live.push((depth, start..end));
            }
        }
    }

    /// All calls deeper than this have ended.
    pub(super) fn leave(&mut self, depth: usize) {
        while let Some((_, bytes)) = self.live.pop_if(|(deeper, _)| *deeper > depth) {
            self.fill(bytes, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Func, Holder, Holders, Id, Local};

    #[test]
    fn locals_are_where_their_calls_are() {
        let (func, other) = (Func::from_index(1), Func::from_index(2));
        let holder = Holder::new(0);
        assert_eq!((holder.index(), holder.number()), (0, 1));
        let mut holders = Holders {
            bytes: vec![None; 64],
            locals: vec![Local {
                func,
                bytes: -8..-4,
                holder,
            }],
            live: Vec::new(),
        };
        let held = |holders: &Holders| -> Vec<u32> {
            (0..80).filter(|&byte| holders.at(byte).is_some()).collect()
        };
        // A recursion, and a function without such variables in between.
        holders.enter(func, 60, 1);
        holders.enter(other, 50, 2);
        holders.enter(func, 40, 3);
        assert_eq!(held(&holders), [32, 33, 34, 35, 52, 53, 54, 55]);
        holders.leave(2);
        assert_eq!(held(&holders), [52, 53, 54, 55]);
        holders.leave(0);
        assert_eq!(held(&holders), []);
        // What does not fit into memory is nowhere.
        holders.enter(func, 4, 1);
        assert_eq!(held(&holders), []);
    }
}
