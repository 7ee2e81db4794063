//! What a guest can die of. A fault is a result, not an error of the tool.

use std::fmt;

use brownout_scenario::FlashAction;

use crate::flash::FlashMisuse;
use crate::image::Image;

/// Why the guest stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Access near address zero.
    NullAccess {
        /// The address.
        address: u64,
        /// Bytes.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// Access to an address where nothing is.
    Unmapped {
        /// The address.
        address: u64,
        /// Bytes.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// Heap access outside every live block.
    OutsideBlock {
        /// The address.
        address: u64,
        /// Bytes.
        size: u32,
        /// Read or write.
        access: Access,
    },
    /// Write to read-only data.
    ReadOnly {
        /// The address.
        address: u64,
    },
    /// Division by zero.
    DivisionByZero,
    /// The end of a function without a return, or `__builtin_unreachable`.
    Unreachable,
    /// Something does not hold that must.
    AssertionFailed {
        /// What.
        assertion: Assertion,
    },
    /// `abort` was called.
    Aborted,
    /// A trap instruction.
    Trap,
    /// No stack left.
    StackOverflow,
    /// A call through a pointer that is not a function.
    WildCall {
        /// The pointer.
        address: u64,
    },
    /// A computed jump to something that is not one of its targets.
    WildJump {
        /// The address.
        address: u64,
    },
    /// The return address in the stack is not the one that was put there.
    WildReturn {
        /// What was found.
        found: u64,
    },
    /// `longjmp` to a frame that is gone.
    DeadJump,
    /// The trace of an input is over, and the scenario wants the execution to end there. Never
    /// seen outside of the machine: it makes an exit of it.
    InputEnded,
    /// An operation of a flash part that the part cannot do.
    Flash {
        /// What it was to do.
        action: FlashAction,
        /// Where.
        address: u64,
        /// What is wrong.
        misuse: FlashMisuse,
    },
    /// A script of the scenario failed: not the program's fault.
    Script {
        /// The input or output it belongs to.
        name: String,
        /// What happened, and where in the script.
        error: brownout_scenario::ScriptError,
    },
    /// A call through a pointer with arguments that no target's conventions bring to the callee.
    WrongSignature {
        /// The function.
        function: String,
    },
}

impl Fault {
    /// What it is, without where.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NullAccess { .. } => "an access near address 0",
            Self::Unmapped { .. } => "an access where there is no memory",
            Self::OutsideBlock { .. } => "an access outside of heap blocks",
            Self::ReadOnly { .. } => "a write to constant data",
            Self::DivisionByZero => "a division by zero",
            Self::Unreachable => "the end of a function without a return",
            Self::AssertionFailed { .. } => "a failed assertion",
            Self::Aborted => "`abort`",
            Self::Trap => "a trap",
            Self::StackOverflow => "a stack overflow",
            Self::WildCall { .. } | Self::WrongSignature { .. } => {
                "a call of what is no such function"
            }
            Self::WildJump { .. } => "a jump to nowhere",
            Self::WildReturn { .. } => "a return to nowhere",
            Self::DeadJump => "a `longjmp` to a frame that is gone",
            Self::InputEnded => "the end of its inputs",
            Self::Flash { .. } => "an operation that flash cannot do",
            Self::Script { .. } => "an error of a script",
        }
    }
}

/// What must hold, by the program's word or by that of the C library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assertion {
    /// An `assert` of the program.
    Written {
        /// The text of the condition.
        expression: String,
        /// Where, as the program says.
        place: String,
    },
    /// What is freed or resized was not freed before.
    NotFreed {
        /// The address.
        address: u64,
    },
    /// What is freed or resized is a heap block.
    IsBlock {
        /// The address.
        address: u64,
    },
}

impl Assertion {
    const fn name(&self) -> &'static str {
        match self {
            Self::Written { .. } => "failed-assertion",
            Self::NotFreed { .. } => "double-free",
            Self::IsBlock { .. } => "invalid-free",
        }
    }

    /// What it means that it failed.
    fn complain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { expression, place } => {
                write!(f, "assertion `{expression}` failed at {place}")
            }
            Self::NotFreed { address } => write!(
                f,
                "double free: the heap block at address {address:#x} was freed before"
            ),
            Self::IsBlock { address } => write!(
                f,
                "invalid free: no heap block begins at address {address:#x}"
            ),
        }
    }
}

/// Read or write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

impl Fault {
    /// A name for programs to go by.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NullAccess { .. } => "null-pointer",
            Self::Unmapped { .. } => "unmapped",
            Self::OutsideBlock { .. } => "outside-block",
            Self::ReadOnly { .. } => "read-only",
            Self::DivisionByZero => "division-by-zero",
            Self::Unreachable => "unreachable",
            Self::AssertionFailed { assertion } => assertion.name(),
            Self::Aborted => "abort",
            Self::Trap => "trap",
            Self::StackOverflow => "stack-overflow",
            Self::WildCall { .. } => "wild-call",
            Self::WildJump { .. } => "wild-jump",
            Self::WildReturn { .. } => "wild-return",
            Self::DeadJump => "dead-jump",
            Self::WrongSignature { .. } => "wrong-signature",
            Self::Flash { misuse, .. } => match misuse {
                FlashMisuse::Outside { .. } => "flash-outside",
                FlashMisuse::Misaligned { .. } => "flash-misaligned",
                FlashMisuse::NotErased => "flash-not-erased",
            },
            Self::InputEnded => "input-ended",
            Self::Script { .. } => "script",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f, |address| format!("address {address:#x}"))
    }
}

/// A fault of a program whose objects have names.
#[derive(Clone, Copy)]
pub struct Named<'n> {
    /// The fault.
    pub fault: &'n Fault,
    /// The program.
    pub image: &'n Image,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What runs over the end of a flash part is told from its start.
        let part = |address: u64| {
            let parts = self.image.bindings().parts.iter();
            let starts = parts.filter_map(|part| {
                let inside = address.checked_sub(self.image.layout().global(part.global))?;
                Some((part.global, inside))
            });
            starts.min_by_key(|&(_, inside)| inside)
        };
        let name = |address| {
            let object = match self.fault {
                Fault::Flash { .. } => part(address),
                _ => self.image.object_at(address),
            };
            match object {
                Some((global, inside)) => {
                    let data = &self.image.program().globals[global];
                    let name = data.variable.as_ref().unwrap_or(&data.name);
                    match inside {
                        0 => format!("`{name}`"),
                        inside => format!("`{name}+{inside:#x}`"),
                    }
                }
                None => format!("address {address:#x}"),
            }
        };
        self.fault.describe(f, name)
    }
}

impl Fault {
    /// Tells what happened, with addresses as `name` tells them.
    fn describe(&self, f: &mut fmt::Formatter<'_>, name: impl Fn(u64) -> String) -> fmt::Result {
        match self {
            Self::NullAccess {
                address,
                size,
                access,
            } => {
                write!(
                    f,
                    "null pointer: {access} of {} at address {address:#x}",
                    bytes(*size)
                )
            }
            Self::Unmapped {
                address,
                size,
                access,
            } => {
                write!(
                    f,
                    "{access} of {} at {}, where nothing is mapped",
                    bytes(*size),
                    name(*address)
                )
            }
            Self::OutsideBlock {
                address,
                size,
                access,
            } => {
                write!(
                    f,
                    "{access} of {} at {}, outside every live heap block",
                    bytes(*size),
                    name(*address)
                )
            }
            Self::ReadOnly { address } => {
                write!(f, "write to read-only data at {}", name(*address))
            }
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::Unreachable => f.write_str("execution reached code marked unreachable"),
            Self::AssertionFailed { assertion } => assertion.complain(f),
            Self::Aborted => f.write_str("the program called `abort`"),
            Self::Trap => f.write_str("the program executed a trap"),
            Self::StackOverflow => f.write_str(
                "stack overflow; `memory.stack-size` in brownout.toml sets the size of the stack",
            ),
            Self::WildCall { address } => {
                write!(f, "call of address {address:#x}, which is not a function")
            }
            Self::WildJump { address } => {
                write!(f, "jump to address {address:#x}, which is not a label")
            }
            Self::WildReturn { found } => {
                write!(
                    f,
                    "return to address {found:#x}: the return address in the stack was overwritten"
                )
            }
            Self::Flash {
                action,
                address,
                misuse,
            } => {
                let action = match action {
                    FlashAction::Program => "program",
                    FlashAction::Erase => "erase",
                    FlashAction::Read => "read",
                    FlashAction::Sync => "sync",
                };
                write!(f, "flash {action} at {}, {misuse}", name(*address))
            }
            Self::InputEnded => f.write_str("the trace of an input is over"),
            Self::Script { name, error } => write!(f, "`{name}`: {error}"),
            Self::DeadJump => f.write_str("`longjmp` to a function that has returned"),
            Self::WrongSignature { function } => {
                write!(
                    f,
                    "`{function}` is called with arguments that do not fit its definition"
                )
            }
        }
    }
}

fn bytes(count: u32) -> String {
    match count {
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    }
}
