//! A scenario and a program, resolved once: what the user says of the device in the terms of the
//! program.
//!
//! [`prepare()`] takes a [`Linked`] program and a configuration, and makes a [`Prepared`] one: which
//! functions are inputs, outputs, checkpoints and tasks; which objects are non-volatile; where
//! checkpoints are placed and what they save; which handlers interrupts have; where execution begins.
//! [`Prepared::ready`] places it in memory. Code without a `main` is [set in
//! motion](Prepared::in_motion) by calls of its functions. [`setting()`] is the same knowledge in the
//! terms of static analysis.
//!
//! **Invariant:** nothing is executed here, no file is read and nothing is printed. Texts of source
//! files come from the caller ([`ReadSource`]).

pub mod answers;
mod bindings;
mod callbacks;
pub mod commits;
mod enabling;
mod error;
mod facts;
pub mod guess;
pub mod harness;
pub mod interrupts;
mod kernel;
mod motion;
mod nvic;
pub mod passed;
mod places;
mod prepare;
mod prepared;
mod registers;
mod results;
mod retained;
mod setting;
mod task_runtime;
mod traps;
mod uninitialised;
pub mod unknown;
pub mod unstarted;
mod vectors;

pub use bindings::{enlarge, memory_plan};
pub use callbacks::tasks;
pub use error::Error;
pub use kernel::KernelCall;
pub use motion::{Calls, InMotion, Invention};
pub use places::{describe, is_at};
pub use prepare::{Entry, assumptions, prepare, refuse_what_cannot_run};
pub use prepared::{
    CalledBack, Gap, Host, Linked, Prepared, ReadSource, Ready, STARTED_BY_KERNELS, Title,
};
pub use setting::{Told, analysed_program, as_fills, callable, setting, told, with_constants};
pub use task_runtime::TaskRuntime;
pub use vectors::words;
