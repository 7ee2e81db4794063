//! From suspicion to proof by example: the inputs and the power failure that break a program.
//!
//! Static analysis says which variables an input that is read again *may* leave wrong. This crate
//! looks for an execution that does: values of the first attempt, a failure, values of the second,
//! perhaps another failure, and so on.
//!
//! **Property.** A [`Witness`] names an execution in which, at the next commit, the non-volatile
//! memory of a target differs from the continuous execution that reads the same as the last
//! attempt (OOPSLA'20, Def. 1), and does not when all attempts read that: it is the changed input
//! that does it.
//!
//! **Algorithm.** The states in which the program commits are explored breadth first
//! ([`search()`]). From each, every sequence of candidate [`values`] is run until the next commit.
//! Everything that such a run leaves behind at a power failure is a state to start again from;
//! failures between which nothing non-volatile is written leave the same behind and are one class.
//! From each of these states every sequence is run again and compared with the continuous run. What
//! failures in these runs leave behind that is new is treated likewise, up to a number of failures.
//!
//! **False positives.** None that survive: the caller replays a witness from the start with other
//! code than this before it believes it.
//!
//! **False negatives.** So many power failures per region; inputs from a list of candidates, unless
//! the scenario says which there are; budgets. [`Searched`] says what was covered.
//!
//! Beside the search, [`taint`] looks at single executions: who reads what an input of a failed
//! attempt has left behind?

mod instance;
pub mod search;
pub mod taint;
mod tour;
pub mod values;

pub use search::{Blame, BlamedWrite, INSTRUCTIONS, Searched, Setting, Target, Witness, search};
pub use taint::Taint;
pub use values::Domain;
