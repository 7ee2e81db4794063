//! Static analysis: what can happen on every path, without running the program.
//!
//! Semantics §3.5: repeated inputs (OOPSLA'19) made sound, and the contents of a checkpoint
//! (OOPSLA'20). The parts, in the order in which they build on each other:
//!
//! * [`setting`], [`patience`]: what is told about a program, and whether the answer is still wanted;
//! * [`threads`], [`promote`], [`ranges`], [`fills`], [`constants`]: single functions made easy to read;
//! * [`contexts`], [`objects`], [`points_to`], [`accesses`]: who calls whom, who points where,
//!   what every instruction does to memory;
//! * [`graph`], [`supergraph`], [`mod@rereads`], [`mod@updates`], [`mod@meets`]: the flow of control of the whole
//!   program as one graph, what it says about single instructions, and that of one function;
//! * [`delivered`], [`fixpoint`], [`sets`], [`liveness`], [`taint`]: the questions asked of that graph;
//! * [`mod@asked`]: which values of inputs decide comparisons;
//! * [`mod@regions`], [`mod@findings`], [`summary`], [`order`], [`mod@dump`]: the answers.
//!
//! **Invariant:** nothing is executed here, and nothing is known of machines.

pub mod accesses;
pub mod asked;
pub mod assumptions;
pub mod constants;
pub mod contexts;
pub mod decided;
pub mod delivered;
pub mod dump;
pub mod fills;
pub mod findings;
pub mod fixpoint;
pub mod graph;
mod kept;
pub mod library;
pub mod liveness;
pub mod meets;
pub mod model;
mod names;
pub mod objects;
pub mod order;
pub mod passed;
pub mod patience;
pub mod points_to;
pub mod promote;
pub mod ranges;
pub mod regions;
pub mod rereads;
pub mod sets;
pub mod setting;
mod settled;
pub mod summary;
pub mod supergraph;
pub mod taint;
pub mod threads;
pub mod updates;

pub use findings::{Findings, Suspicion, findings, private};
pub use model::Model;
pub use patience::{Interrupt, Stopped};
pub use regions::{Region, regions};
pub use setting::{Boundaries, Commits, Entries, Fill, Length, Restart, Role, Saved, Setting};
