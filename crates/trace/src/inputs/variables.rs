//! The bytes that tagged variables occupy at the moment.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_explore::{Object, Objects, global_bytes};
use brownout_ir::{Func, Id};
use brownout_vm::Image;

use super::tags::{Tags, Variable};

/// A local variable.
#[derive(Clone, Debug)]
struct Local {
    func: Func,
    /// Its bytes, from the frame pointer on.
    bytes: Range<i64>,
    variable: Variable,
}

/// Which byte belongs to which variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// The variables that exist just now, by their first byte: the byte after them, and which.
    present: BTreeMap<u32, (u32, Variable)>,
    locals: Vec<Local>,
    /// The locals of calls in progress: how deep the call is, and their first byte.
    calls: Vec<(usize, u32)>,
}

impl Variables {
    /// The variables that the scenario speaks of, before the first call.
    pub(super) fn new(image: &Image, objects: &Objects<'_>, tags: &Tags) -> Self {
        let mut variables = Self::default();
        for (variable, tagged) in tags.variables() {
            if let Some(bytes) = global_bytes(image, tagged.object) {
                variables.present.insert(bytes.start, (bytes.end, variable));
            }
            if let Object::Local(func, slot) = tagged.object
                && let Some(&start) = image.frame_slots(func).get(slot.index())
            {
                let start = i64::from(start);
                let size = objects.size(tagged.object).unwrap_or(0) as i64;
                variables.locals.push(Local {
                    func,
                    bytes: start..start + size,
                    variable,
                });
            }
        }
        variables
    }

    /// The variable that a byte belongs to.
    pub(super) fn at(&self, offset: u32) -> Option<Variable> {
        let (_, &(end, variable)) = self.present.range(..=offset).next_back()?;
        (offset < end).then_some(variable)
    }

    /// A function is called, as the call that is that deep.
    pub(super) fn enter(&mut self, func: Func, frame: u32, depth: usize) {
        for local in self.locals.iter().filter(|local| local.func == func) {
            let place = |distance: i64| u32::try_from(i64::from(frame) + distance);
            if let (Ok(start), Ok(end)) = (place(local.bytes.start), place(local.bytes.end)) {
                self.present.insert(start, (end, local.variable));
                self.calls.push((depth, start));
            }
        }
    }

    /// All calls deeper than this have ended.
    pub(super) fn leave(&mut self, depth: usize) {
        while let Some((_, start)) = self.calls.pop_if(|(deeper, _)| *deeper > depth) {
            self.present.remove(&start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Func, Id, Local, Variable, Variables};

    #[test]
    fn locals_are_where_their_calls_are() {
        let (func, other) = (Func::from_index(1), Func::from_index(2));
        let mut variables = Variables {
            locals: vec![Local {
                func,
                bytes: -8..-4,
                variable: Variable(0),
            }],
            ..Variables::default()
        };
        let held = |variables: &Variables| -> Vec<u32> {
            (0..80)
                .filter(|&byte| variables.at(byte).is_some())
                .collect()
        };
        // A recursion, and a function without such variables in between.
        variables.enter(func, 60, 1);
        variables.enter(other, 50, 2);
        variables.enter(func, 40, 3);
        assert_eq!(held(&variables), [32, 33, 34, 35, 52, 53, 54, 55]);
        variables.leave(2);
        assert_eq!(held(&variables), [52, 53, 54, 55]);
        variables.leave(0);
        assert_eq!(held(&variables), []);
        // A frame that does not fit into memory has no variables.
        variables.enter(func, 4, 1);
        assert_eq!(held(&variables), []);
    }
}
