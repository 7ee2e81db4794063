//! When to give up: static analysis asks again and again whether its answer is still wanted.
//!
//! **Invariant:** an analysis that was given up has no result. A part of the sets that it solves says nothing
//! about the program.

use std::fmt;

/// How whoever asks for an analysis ends it.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt(pub fn() -> bool);

/// The analysis was given up before it had a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl Interrupt {
    /// Nobody ends it.
    pub const NEVER: Self = Self(|| false);

    /// Goes on, if that is still wanted.
    ///
    /// # Errors
    /// If it is not.
    pub fn go_on(self) -> Result<(), Stopped> {
        match self.0() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Self::NEVER
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("static analysis was given up")
    }
}

impl std::error::Error for Stopped {}
