//! The machine: a value that executes programs and survives power failures.
//!
//! An [`Image`] is a program made ready once: decoded, placed in memory, bound
//! to its environment. A [`Machine`] is the state of one execution of it:
//! memory, registers, frames, time. It can be paused at any instruction,
//! marked, rolled back, checkpointed and struck by a power failure.
//!
//! **Invariant:** a machine holds no clock, no random numbers, no files and no
//! threads, and does not use the host's stack for the guest's calls: what it
//! does next depends on its state alone.

mod awaited;
mod callbacks;
mod code;
mod compile;
mod copy;
mod delays;
mod exec;
mod exit;
mod fault;
mod flash;
mod frames;
mod image;
mod interrupts;
mod invariant;
mod journal;
mod layout;
mod live;
mod locals;
mod loops;
mod loss;
mod machine;
mod main_loop;
mod observer;
mod outside;
mod parked;
mod placement;
mod power;
mod readings;
mod slow;
mod standstill;
mod start;
mod tasks;
mod ticks;
mod waits;
mod windows;

pub use callbacks::{Callback, Passed, Registration, add_callbacks, never_returns};
pub use copy::CallStack;
pub use delays::skip_delays;
pub use fault::{Access, Assertion, Fault, Named};
pub use flash::{FlashBinding, FlashMisuse, FlashOperation, FlashPart};
pub use image::{
    Binding, Bindings, DeviceRegister, EnvironmentPlan, Image, ImageError, Invariant,
    OutputBinding, Reboot, RegisterPlace, ResetValue, Variable,
};
pub use interrupts::{
    Elsewhere, Enable, InterruptSchedule, InterruptSupport, Interrupts, add_handlers,
    interrupt_points, join_handlers,
};
pub use layout::{DoesNotFit, Layout, MemoryPlan, Segment, SegmentKind, allocates};
pub use loops::{Loops, can_wake, endless_heads, loop_bodies};
pub use machine::{Afterwards, Bounds, Forced, Frame, Machine, Stop, is_allocator};
pub use main_loop::with_rounds_of_inner_loop;
pub use observer::{Arrival, Both, Moment, Observer, Register, Stream, Unobserved, Witness};
pub use parked::Parked;
pub use placement::{
    Placement, checkpoint_after_calls, checkpoint_at_entry, checkpoint_before_stores,
    place_checkpoints, save_at, save_nothing,
};
pub use power::Mark;
pub use readings::{OtherReadings, ReadingPlace, Readings};
pub use standstill::{Anchor, Standstill};
pub use start::add_start;
pub use tasks::{add_transitions, end_after_calls, nameable_tasks};
pub use ticks::Ticks;
pub use windows::{device_addresses, is_device_address, passed_addresses};
