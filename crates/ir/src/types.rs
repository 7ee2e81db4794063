//! Value types and the few facts about a target that give them a size.

use std::fmt;

/// The type of a value.
///
/// A pointer is an integer of the target's width. It has a type of its own so
/// that analyses see where integers become addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Type {
    /// An integer of 1 to 128 bits, kept zero-extended.
    Int(u8),
    /// An address.
    Ptr,
    /// A floating-point number.
    Float(FloatKind),
}

/// The floating-point formats C programs meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// x87 80-bit extended.
    Extended,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Half => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::Extended => 80,
            Self::Quad => 128,
        }
    }
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Self = Self::Int(1);

    /// Width in bits on `target`.
    pub const fn bits(self, target: &Target) -> u32 {
        match self {
            Self::Int(bits) => bits as u32,
            Self::Ptr => target.pointer_bits as u32,
            Self::Float(kind) => kind.bits(),
        }
    }

    /// How many bytes a load or store of this type touches.
    pub const fn bytes(self, target: &Target) -> u32 {
        self.bits(target).div_ceil(8)
    }

    /// The type with this spelling in the text format.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ptr" => Self::Ptr,
            "f16" => Self::Float(FloatKind::Half),
            "f32" => Self::Float(FloatKind::Single),
            "f64" => Self::Float(FloatKind::Double),
            "f80" => Self::Float(FloatKind::Extended),
            "f128" => Self::Float(FloatKind::Quad),
            _ => {
                let bits = name.strip_prefix('i')?.parse().ok()?;
                (1..=128).contains(&bits).then_some(Self::Int(bits))?
            }
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(bits) => write!(f, "i{bits}"),
            Self::Ptr => f.write_str("ptr"),
            Self::Float(kind) => write!(f, "f{}", kind.bits()),
        }
    }
}

/// What the representation has to know of the machine a program was compiled for.
/// All supported targets are little-endian.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The name the user knows it by (`msp430`, `riscv32`, …).
    pub name: String,
    /// Width of an address: 16, 32 or 64.
    pub pointer_bits: u8,
}

impl Target {
    /// Bytes of an address.
    pub const fn pointer_bytes(&self) -> u32 {
        self.pointer_bits as u32 / 8
    }

    /// The type C calls `int`.
    pub const fn int(&self) -> Type {
        Type::Int(if self.pointer_bits == 16 { 16 } else { 32 })
    }

    /// The integer as wide as an address: C's `size_t`, and the type of every length.
    pub const fn size_type(&self) -> Type {
        Type::Int(self.pointer_bits)
    }
}
