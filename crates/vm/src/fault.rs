//! What a guest can die of. A fault is a result, not an error of the tool.

use std::fmt;

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
    /// `assert` failed.
    AssertionFailed {
        /// The text of the condition.
        expression: String,
        /// Where, as the program says.
        place: String,
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
    /// A call with arguments of the wrong shape.
    WrongSignature {
        /// The function.
        function: String,
    },
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
                    "{access} of {} at address {address:#x}, where nothing is mapped",
                    bytes(*size)
                )
            }
            Self::OutsideBlock {
                address,
                size,
                access,
            } => {
                write!(
                    f,
                    "{access} of {} at address {address:#x}, outside every live heap block",
                    bytes(*size)
                )
            }
            Self::ReadOnly { address } => {
                write!(f, "write to read-only data at address {address:#x}")
            }
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::Unreachable => f.write_str("execution reached code marked unreachable"),
            Self::AssertionFailed { expression, place } => {
                write!(f, "assertion `{expression}` failed at {place}")
            }
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
