//! Dynamic analyses of memory under power failures (EWSN'21 §3, §5.2, §5.3).
//!
//! [`locate`](locate()) watches one continuous execution and finds every pair of a
//! consumer and a producer that a power failure can turn around.
//! [`check`] emulates those failures and says what they change.
//! [`replay`] tells one of them step by step.
//! [`check_inputs`], [`check_outputs`] and [`check_peripherals`] look at the world outside: data
//! that is too old, outputs that are repeated, registers that are lost.
//! [`intermittent`] lets power fail when the user wants, and compares.
//! [`brute_force`] emulates all failures there are: the oracle of the other two.
//!
//! **Invariant:** analyses only ask the machine; none of them knows how an
//! instruction works.

mod boots;
mod bounds;
mod brute;
mod endless;
mod hazards;
mod inputs;
mod intermittent;
mod interrupts;
mod neighbours;
mod outputs;
mod peripherals;
mod replay;
mod signs;
mod undescribed;
mod wording;

pub use boots::{Boots, BootsTo, boot, follow_boots};
pub use bounds::{GAPS, Overrun, find_overrun, with_gaps};
pub use brute::{
    Attempt, BruteForce, Change, Cost, Limits, brute_force, brute_force_cost, layman_cost,
};
pub use endless::{Awaited, Endless, FIRST_LOOK, endless};
pub use hazards::{
    Allocation, Carried, Checked, CodeLine, DETAILED, Hazard, Located, Overwrites, Reader, Request,
    Scope, Start, Suspects, Unrestored, carried_between_tasks, check, check_restarts,
    check_unrestored, locate, together,
};
pub use inputs::{InputsChecked, check_inputs};
pub use intermittent::{
    Broken, Compared, Comparison, EveryWrite, Failed, Line, Outages, Ran, Rhythm, Schedule, Torn,
    every_write, intermittent,
};
pub use interrupts::interrupt_places;
pub use neighbours::neighbours;
pub use outputs::{OutputsChecked, check_outputs};
pub use peripherals::{check_peripherals, device_registers, has_peripherals};
pub use replay::{ReplayError, ReplayRequest, Replayed, judge, replay};
pub use signs::InputSigns;
pub use undescribed::undescribed;
pub use wording::place;
