//! Inline assembly about control and status registers of RISC-V: `csrrs $0, mstatus, $1`.
//!
//! The library keeps these registers (`__brownout_csr`), and knows which bit of `mstatus` enables interrupts. What
//! hardware alone writes has no value here: reading it is unsupported.

/// The library's function: a number for the register, what happens to it, a value; it returns what was there.
pub(crate) const FUNCTION: &str = "__brownout_csr";

/// What an instruction does to a register, as the library has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    Write = 0,
    Set = 1,
    Clear = 2,
}

/// A number that an instruction is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// The operand of this number.
    Operand(usize),
    /// A constant.
    Number(u32),
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    /// The operand that gets what was in the register.
    pub(crate) to: Option<usize>,
    /// The register.
    pub(crate) number: u32,
    pub(crate) how: How,
    pub(crate) value: Given,
}

/// Registers that hardware writes, or that count.
const LIVE: &[&str] = &[
    "mcause",
    "mip",
    "mepc",
    "mtval",
    "scause",
    "sip",
    "sepc",
    "stval",
    "cycle",
    "cycleh",
    "time",
    "timeh",
    "instret",
    "instreth",
    "mcycle",
    "mcycleh",
    "minstret",
    "minstreth",
];

/// What a statement in small letters does, if it is about such a register and can be followed.
pub(crate) fn access(statement: &str) -> Option<Access> {
    let (name, operands) = statement.split_once(' ')?;
    let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
    let nothing = Given::Number(0);
    let (to, register, how, value) = match (name, operands[..].as_ref()) {
        ("csrr", &[to, register]) => (to, register, How::Set, nothing),
        ("csrw" | "csrwi", &[register, value]) => ("zero", register, How::Write, given(value)?),
        ("csrs" | "csrsi", &[register, value]) => ("zero", register, How::Set, given(value)?),
        ("csrc" | "csrci", &[register, value]) => ("zero", register, How::Clear, given(value)?),
        ("csrrw" | "csrrwi", &[to, register, value]) => (to, register, How::Write, given(value)?),
        ("csrrs" | "csrrsi", &[to, register, value]) => (to, register, How::Set, given(value)?),
        ("csrrc" | "csrrci", &[to, register, value]) => (to, register, How::Clear, given(value)?),
        _ => return None,
    };
    let to = match to {
        "zero" | "x0" => None,
        to => Some(operand(to)?),
    };
    if to.is_some() && LIVE.contains(&register) {
        return None;
    }
    Some(Access {
        to,
        number: number(register),
        how,
        value,
    })
}

fn given(text: &str) -> Option<Given> {
    match text {
        "zero" | "x0" => Some(Given::Number(0)),
        _ => operand(text)
            .map(Given::Operand)
            .or_else(|| Some(Given::Number(parsed(text)?))),
    }
}

/// The number of an operand: `$1`, `${1:z}`.
fn operand(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let text = text.trim_start_matches('{').trim_end_matches('}');
    text.split(':').next()?.parse().ok()
}

fn parsed(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// What a register is known by: its number, as far as that matters, else one made from its name.
fn number(register: &str) -> u32 {
    // The status of the processor, and where its handlers begin.
    let known = match register {
        "mstatus" => Some(0x300),
        "mtvec" => Some(0x305),
        "stvec" => Some(0x105),
        _ => parsed(register),
    };
    known.unwrap_or_else(|| {
        let bytes = register.bytes();
        bytes.fold(0x811c_9dc5, |hash: u32, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Access, Given, How, access};

    #[test]
    fn instructions() {
        let enable = Access {
            to: None,
            number: 0x300,
            how: How::Set,
            value: Given::Number(8),
        };
        assert_eq!(access("csrsi mstatus, 8"), Some(enable));
        assert_eq!(access("csrs 0x300,0x8"), Some(enable));
        let swap = Access {
            to: Some(0),
            number: 0x300,
            how: How::Write,
            value: Given::Operand(1),
        };
        assert_eq!(access("csrrw $0, mstatus, ${1:z}"), Some(swap));
        assert!(access("csrw mtvec, $0").is_some());
        assert!(access("csrw mcause, zero").is_some());
        // What hardware writes, and what is no such instruction.
        assert_eq!(access("csrr $0, mcause"), None);
        assert_eq!(access("csrr a0, mstatus"), None);
        assert_eq!(access("mret"), None);
    }
}
