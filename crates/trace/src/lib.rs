//! Dynamic analyses of memory under power failures (EWSN'21 §3, §5.2, §5.3).
//!
//! [`locate`] watches one continuous execution and finds every pair of a
//! consumer and a producer that a power failure can turn around.
//! [`evaluate`] emulates those failures and says what they change.
//! [`replay`] tells one of them step by step.
//! [`check_inputs`], [`check_outputs`] and [`check_peripherals`] look at the world outside: data
//! that is too old, outputs that are repeated, registers that are lost.
//! [`intermittent`] lets power fail when the user wants, and compares.
//! [`brute_force`] emulates all failures there are: the oracle of the other two.
//!
//! **Invariant:** analyses only ask the machine; none of them knows how an
//! instruction works.

mod between_tasks;
mod blocks;
mod boots;
mod bounds;
mod brute;
mod defects;
mod endless;
mod explain;
mod findings;
mod fixes;
mod grouping;
mod inputs;
mod intermittent;
mod interrupts;
mod known;
mod labels;
mod locate;
mod neighbours;
mod outputs;
mod pairing;
mod pairs;
mod peripherals;
mod places;
mod readers;
mod reads;
mod replay;
mod restarts;
mod settled;
mod shadow;
mod signs;
mod together;
mod torn;
mod undescribed;
mod unrestored;
mod wording;

pub use between_tasks::lost_between_tasks;
pub use boots::{Boots, boot, follow_boots};
pub use bounds::{GAPS, Overrun, find_overrun, with_gaps};
pub use brute::{
    Attempt, BruteForce, Change, Cost, Limits, brute_force, brute_force_cost, layman_cost,
};
pub use endless::{Awaited, Endless};
pub use findings::{Checked, Recovery, Request, check};
pub use inputs::{InputsChecked, check_inputs};
pub use intermittent::{
    Broken, Comparison, EveryWrite, Failed, Line, Outages, Ran, Rhythm, Schedule, Torn,
    every_write, intermittent,
};
pub use interrupts::interrupt_places;
pub use locate::{
    Allocation, CodeLine, DETAILED, Hazard, Located, Overwrites, Reader, Scope, locate,
};
pub use neighbours::neighbours;
pub use outputs::{OutputsChecked, check_outputs};
pub use peripherals::{check_peripherals, device_registers, has_peripherals};
pub use replay::{ReplayError, ReplayRequest, Replayed, replay};
pub use restarts::check_restarts;
pub use signs::InputSigns;
pub use together::{Suspects, together};
pub use undescribed::undescribed;
pub use unrestored::{Unrestored, check_unrestored};
pub use wording::place;
