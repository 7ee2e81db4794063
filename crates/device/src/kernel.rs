//! Calls of FreeRTOS in programs that come without the kernel, as one task sees them: what it waits for
//! comes, what it asks for is given, and what it is sent are readings of the world outside.
//!
//! Names are those that the compiler sees: many calls are macros for a few functions of the kernel.

use brownout_ir::{Func, Program};

/// What names of the kernel begin with.
const PREFIXES: &[&str] = &[
    "xQueue",
    "uxQueue",
    "vQueue",
    "xSemaphore",
    "vSemaphore",
    "xTask",
    "vTask",
    "ulTask",
    "uxTask",
    "pcTask",
    "xEventGroup",
    "vEventGroup",
    "uxEventGroup",
    "xTimer",
    "vTimer",
    "vPort",
    "xPort",
];

/// What a call of the kernel is to the task that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KernelCall {
    /// It lets others run.
    Nothing,
    /// It says that it was done, or gives what was asked for.
    Succeeds,
    /// It also puts an item where this argument points to.
    Receives {
        /// The argument.
        argument: usize,
    },
}

impl KernelCall {
    /// What a function is, by its name.
    pub fn of(program: &Program, func: Func) -> Option<Self> {
        let function = &program.functions[func];
        let name = function.name.as_str();
        if !PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            return None;
        }
        let is_queue = name.starts_with("xQueue");
        if is_queue && (name.contains("Receive") || name.contains("Peek")) {
            return Some(Self::Receives { argument: 1 });
        }
        Some(match function.results.is_empty() {
            true => Self::Nothing,
            false => Self::Succeeds,
        })
    }
}
