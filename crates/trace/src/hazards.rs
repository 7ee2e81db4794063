//! Pairs of a read and a write that a power failure turns around, and state that it loses.
//!
//! [`locate`](locate()) observes one continuous execution: `locate` and `shadow` note what is read, `readers` and
//! `settled` remember what is known of a place, `pairing` decides what a write makes of the reads before it, `pairs`
//! keeps the result. [`check`] emulates the failures of what was located and explores others, [`check_restarts`] does
//! so for programs without checkpoints; `defects` and `grouping` say which pairs are one finding, `fixes` tries what
//! would mend it, `explain` words it.

mod between_tasks;
mod blocks;
mod defects;
mod explain;
mod findings;
mod fixes;
mod grouping;
mod heap;
mod known;
mod locate;
mod pairing;
mod pairs;
mod places;
mod readers;
mod reads;
mod restarts;
mod settled;
mod shadow;
mod together;
mod torn;
mod unrestored;

pub use between_tasks::{Carried, carried_between_tasks};
pub use findings::{Checked, Request, check};
pub use locate::{
    Allocation, CodeLine, DETAILED, Hazard, Located, Overwrites, Reader, Scope, locate,
};
pub use restarts::check_restarts;
pub use together::{Start, Suspects, together};
pub use unrestored::{Unrestored, check_unrestored};
