//! `check` and `prove` as a library: asks all analyses, merges what they find, decides what it is worth.
//!
//! A program comes in resolved ([`brownout_device::Prepared`]); what goes out is an [`Outcome`]: findings
//! with their evidence, what was covered, and what is not known.
//!
//! ```
//! use brownout_device::{Entry, Host, Linked, prepare};
//! use brownout_flow::Interrupt;
//! use brownout_scenario::Config;
//! use brownout_verdict::{Options, check};
//!
//! // Any front end will do; this is the text of the intermediate representation. It counts in
//! // non-volatile memory: a power failure after the store counts twice.
//! let text = r#"
//! target "msp430" pointer 16
//! global g0 "count" size 2 align 2 = {}
//! function fn0 "main" () -> i16 {
//! b0:
//!   v0 = load i16 g0
//!   v1 = add i16 v0, 1
//!   store i16 v1 to g0
//!   return 0
//! }
//! "#;
//! let program = brownout_ir::parse(text)?;
//! let config = Config::parse("[memory]\nnonvolatile = [\"globals\"]\n[power]\npolicy = \"reactive\"\n").map_err(|errors| format!("{errors:?}"))?;
//! let host = Host { sources: &|_| None, interrupt: Interrupt::NEVER };
//! let linked = Linked { name: None, program, gaps: Vec::new() };
//! let prepared = prepare(linked, None, &config, Entry::Needed, host)?;
//! let outcome = check(prepared, &Options::default(), &|| false)?;
//! let finding = &outcome.checked.findings[0];
//! assert_eq!(finding.rule, brownout_diag::Rule::WriteAfterRead);
//! assert_eq!(finding.evidence, brownout_diag::Evidence::Confirmed);
//! assert!(outcome.is_complete());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** no file is read here, no process started and nothing printed.

mod alone;
mod boots;
mod check;
mod circumstances;
pub mod compared;
mod confirm;
mod coverage;
pub mod crash;
mod endless;
mod environment;
mod faults;
mod flash;
mod handlers;
mod in_turn;
mod interrupts;
mod occasions;
mod options;
mod outcome;
pub mod prove;
mod readings;
mod replays;
mod static_check;
mod stories;

pub use check::check;
pub use endless::{rests, waits};
pub use environment::Surroundings;
pub use faults::{ProgramFault, backtrace};
pub use occasions::{Occasions, occasions};
pub use options::{Effort, MakeSolver, Options};
pub use outcome::Outcome;
pub use replays::Replays;
pub use stories::{Stories, stories};
