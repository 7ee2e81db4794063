//! Random programs are functions of a list of numbers, their choices: shrinking the list shrinks the
//! program.

use std::fmt::Debug;

/// A list of choices.
#[derive(Clone, Debug)]
pub struct Choices {
    choices: std::vec::IntoIter<u64>,
}

impl Choices {
    /// These choices, in order.
    pub fn new(choices: Vec<u64>) -> Self {
        Self {
            choices: choices.into_iter(),
        }
    }

    /// Whether there are none left: without, everything is as small as it can be.
    pub fn is_empty(&self) -> bool {
        self.choices.len() == 0
    }

    /// The next choice; zero when there are no more.
    pub fn any(&mut self) -> u64 {
        self.choices.next().unwrap_or(0)
    }

    /// A number below `end`; zero if there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        self.any() % end.max(1)
    }

    /// Whether something happens that does once in `one_in` times, and never without choices.
    pub fn chance(&mut self, one_in: u64) -> bool {
        self.any() % one_in == 1
    }

    /// One of the items; the first one without choices.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// Nothing if both are equal.
///
/// # Errors
/// Both sides, unless they are.
pub fn same<T: PartialEq + Debug>(what: &str, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{what}: {ours:#?}\nexpected {theirs:#?}"))
    }
}
