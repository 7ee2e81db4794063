//! Why a check does not accept a program.

use std::fmt;

use crate::program::Program;
use crate::syntax::Name;

/// What the start of a program is called where a checkpoint would be named.
pub const START: &str = "the start of the program";

/// A premise that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The rule.
    pub rule: &'static str,
    /// What should have been saved.
    pub name: Name,
    /// The point of the instruction that writes it.
    pub point: u32,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}` would have to be saved, for the write at point {}",
            self.rule, self.name, self.point
        )
    }
}

/// `⊩WAR c : ok` and `⊩RIO c : ok`, the premises of Theorem 4.
///
/// # Errors
/// The first premise that does not hold.
pub fn accepted(program: &Program) -> Result<(), Rejection> {
    crate::war::check(program)?;
    crate::rio::check(program)
}
