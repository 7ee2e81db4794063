//! Questions about bit-vectors, and the solvers that answer them.
//!
//! [`Terms`] holds what is asked about, [`Bytes`] are byte arrays over it, [`Solver`] is whoever
//! answers: an SMT-LIB 2 solver in a process of its own ([`Process`]), or one that is compiled in
//! (`Embedded`, with the feature `embedded`). [`Dumping`] writes every question to somebody as SMT-LIB
//! text.
//!
//! **Invariants**: nothing here knows programs. An answer that did not come in time or within the
//! memory allowed is [`Answer::Unknown`]; a solver that fails in any way says that, and never
//! [`Answer::Unsat`].

mod bytes;
mod dump;
#[cfg(feature = "embedded")]
mod embedded;
mod process;
mod smtlib;
mod terms;

pub use bytes::{Arrays, Bytes, Stretch, Tables, within};
pub use dump::Dumping;
#[cfg(feature = "embedded")]
pub use embedded::Embedded;
pub use process::Process;
pub use smtlib::Script;
pub use terms::{Binary, Function, Node, Term, Terms, mask};

use std::time::Duration;

/// What a solver says about all that was asserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Some values make it true.
    Sat,
    /// No values do.
    Unsat,
    /// Nobody knows, and why.
    Unknown(String),
}

/// How much a solver may take for one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(20),
            memory: 2 << 30,
        }
    }
}

/// Whoever answers.
pub trait Solver {
    /// Assertions from here on can be taken back.
    fn push(&mut self);

    /// Takes back all assertions since the last [`Self::push`].
    fn pop(&mut self);

    /// Requires a term of one bit to be 1.
    fn assert(&mut self, terms: &Terms, term: Term);

    /// Whether all that is required can be.
    fn check(&mut self) -> Answer;

    /// The value of a term in the example that the last check found, if it has at most 128 bits and
    /// something that was asserted is made of it.
    fn value(&mut self, terms: &Terms, term: Term) -> Option<u128>;
}
