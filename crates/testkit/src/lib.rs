//! The harness that tests, benchmarks and chores share: build a C program
//! natively and run it, run the tool, compare what came out, make random choices.
//!
//! **Invariant:** no product crate depends on this one, and this one on none of
//! them: the tool is seen as its users see it, as a process.

mod case;
mod compare;
pub mod csmith;
pub mod damage;
mod error;
mod libraries;
pub mod native;
mod process;
mod random;
mod schema;
mod scratch;
mod tool;

pub use case::{Case, cases, expected_cases, folder_cases};
pub use compare::{Outcome, compare};
pub use error::Error;
pub use libraries::{Harm, Library};
pub use process::{Ended, execute, execute_measured};
pub use random::{Choices, same};
pub use schema::violations;
pub use scratch::Scratch;
pub use tool::{Report, Tool};
