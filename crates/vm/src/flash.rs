//! Operations of flash parts: functions that program, erase and read an object (semantics §5).
//!
//! The machine does what the part does when nothing interrupts it, and tells the observer of every
//! operation before it begins. What an interrupted one leaves is for those to say who let power
//! fail. Programming outside the part or where it cannot be programmed is a fault of the guest.

use std::fmt;

use brownout_ir::Global;
use brownout_scenario::{ArgumentExpression, FlashAction, Programming, Reprogram};

use crate::fault::{Access, Fault};
use crate::machine::Machine;
use crate::observer::Observer;

/// A flash part, in terms of the program.
#[derive(Clone, Debug)]
pub struct FlashPart {
    /// The object that stands for it.
    pub global: Global,
    /// Bytes that are erased at once.
    pub erase_block: u32,
    /// Operations on so many bytes stay in order, where the part reorders others.
    pub order_block: u32,
    /// Bytes that are programmed at once.
    pub program_unit: u32,
    /// What an erased byte holds.
    pub erased: u8,
    /// What programming does to what was there.
    pub programming: Programming,
    /// Whether what is not erased may be programmed.
    pub reprogram: Reprogram,
    /// The contents at the start, when they are not those of the object.
    pub image: Option<Vec<u8>>,
}

/// A function that reads or changes a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlashBinding {
    /// What it does.
    pub action: FlashAction,
    /// The part, by number; nothing if the address says which.
    pub part: Option<u32>,
    /// Where.
    pub address: Option<ArgumentExpression>,
    /// Whether addresses are pointers into the object rather than offsets in it.
    pub by_pointer: bool,
    /// A pointer to the data, or to where they go.
    pub data: Option<ArgumentExpression>,
    /// The data themselves, instead of a pointer to them.
    pub value: Option<ArgumentExpression>,
    /// How many bytes; nothing for all of the part.
    pub length: Option<ArgumentExpression>,
    /// What it returns.
    pub returns: ArgumentExpression,
}

/// An operation that is about to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlashOperation<'o> {
    /// What is done.
    pub action: FlashAction,
    /// The part, by number; nothing if the bytes are no part's.
    pub part: Option<u32>,
    /// The first byte that it changes.
    pub offset: u32,
    /// What it leaves when nothing interrupts it.
    pub new: &'o [u8],
}

/// How an operation goes wrong by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlashMisuse {
    /// It leaves the part.
    Outside {
        /// Its first byte, counted from the start of the part.
        offset: i64,
        /// How many bytes it is about.
        length: u64,
        /// How many the part has.
        size: u64,
    },
    /// It does not begin or end between two units or blocks.
    Misaligned {
        /// Its first byte, counted from the start of the part.
        offset: u64,
        /// How many bytes it is about.
        length: u32,
        /// Bytes of a unit or block.
        unit: u32,
    },
    /// It programs a unit that is not erased.
    NotErased,
}

impl fmt::Display for FlashMisuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside {
                offset,
                length,
                size,
            } => write!(
                f,
                "outside of the part: {length} bytes at offset {offset}, and the part has {size}"
            ),
            Self::Misaligned {
                offset,
                length,
                unit,
            } => write!(
                f,
                "not aligned to {unit} bytes: {length} bytes at offset {offset}"
            ),
            Self::NotErased => f.write_str(
                "where it is not erased (`reprogram = \"allow\"` in `[[flash]]` if the part can do that)",
            ),
        }
    }
}

/// A stretch of flash.
struct Stretch {
    part: Option<u32>,
    /// Its first byte.
    offset: u32,
    length: u32,
    /// Its first byte, counted from the start of the part.
    inside: u64,
}

impl Machine<'_> {
    /// Calls a function that reads or changes a flash part; gives what it returns.
    pub(crate) fn flash(
        &mut self,
        function: &FlashBinding,
        args: &[u64],
        observer: &mut dyn Observer,
    ) -> Result<u64, Fault> {
        let returned = self.operand(&function.returns, args, observer)?;
        let mask = self.image.layout.address_mask();
        let data = match &function.data {
            Some(data) => Some(self.operand(data, args, observer)? & mask),
            None => None,
        };
        if function.action == FlashAction::Sync {
            let operation = FlashOperation {
                action: FlashAction::Sync,
                part: function.part,
                offset: 0,
                new: &[],
            };
            observer.flash(self.moment(), &self.memory, &operation);
            return Ok(returned);
        }
        let stretch = self.stretch(function, args, observer)?;
        if stretch.length == 0 {
            return Ok(returned);
        }
        let address = self.image.layout.address(stretch.offset);
        match function.action {
            FlashAction::Read => {
                let bytes = self.read_bytes(address, stretch.length, observer)?;
                self.write_bytes(data.unwrap_or(0), &bytes, observer)?;
            }
            FlashAction::Program => {
                let data = match &function.value {
                    Some(value) => {
                        let value = self.operand(value, args, observer)?;
                        let mut bytes = value.to_le_bytes().to_vec();
                        bytes.resize(stretch.length as usize, 0);
                        bytes
                    }
                    None => self.read_bytes(data.unwrap_or(0), stretch.length, observer)?,
                };
                let new = self.programmed(&stretch, &data, address, observer)?;
                self.operate(FlashAction::Program, &stretch, &new, address, observer)?;
            }
            FlashAction::Erase => {
                let part = stretch.part.map(|part| self.part(part));
                if let Some(part) = part {
                    aligned(&stretch, part.erase_block, FlashAction::Erase, address)?;
                }
                let erased = part.map_or(0xff, |part| part.erased);
                let new = vec![erased; stretch.length as usize];
                self.operate(FlashAction::Erase, &stretch, &new, address, observer)?;
            }
            FlashAction::Sync => {}
        }
        self.pass_time(stretch.length);
        Ok(returned)
    }

    /// The value of an expression over arguments; what they point to is read like anything else.
    pub(crate) fn operand(
        &mut self,
        operand: &ArgumentExpression,
        args: &[u64],
        observer: &mut dyn Observer,
    ) -> Result<u64, Fault> {
        let mask = self.image.layout.address_mask();
        operand.value(args, &mut |address, size| {
            let bytes = self.read_bytes(address & mask, size, observer)?;
            let mut value = [0; 8];
            value[..bytes.len()].copy_from_slice(&bytes);
            Ok(u64::from_le_bytes(value))
        })
    }

    fn part(&self, number: u32) -> &FlashPart {
        &self.image.bindings.parts[number as usize]
    }

    /// Tells the observer, and does it.
    fn operate(
        &mut self,
        action: FlashAction,
        stretch: &Stretch,
        new: &[u8],
        address: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let operation = FlashOperation {
            action,
            part: stretch.part,
            offset: stretch.offset,
            new,
        };
        observer.flash(self.moment(), &self.memory, &operation);
        self.write_bytes(address, new, observer)?;
        Ok(())
    }

    /// What programming leaves.
    fn programmed(
        &self,
        stretch: &Stretch,
        data: &[u8],
        address: u64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<u8>, Fault> {
        let Some(part) = stretch.part.map(|part| self.part(part)) else {
            return Ok(data.to_vec());
        };
        aligned(stretch, part.program_unit, FlashAction::Program, address)?;
        let start = stretch.offset as usize;
        let old = &self.memory[start..start + data.len()];
        let is_erased = old.iter().all(|&byte| byte == part.erased);
        if part.reprogram == Reprogram::Error && !is_erased {
            // What is there ends the program.
            observer.load(self.moment(), stretch.offset, old);
            return Err(Fault::Flash {
                action: FlashAction::Program,
                address,
                misuse: FlashMisuse::NotErased,
            });
        }
        let bytes = old.iter().zip(data);
        Ok(match part.programming {
            Programming::Overwrite => data.to_vec(),
            // A bit that differs from the erased one stays so.
            Programming::And => bytes
                .map(|(old, new)| ((old ^ part.erased) | (new ^ part.erased)) ^ part.erased)
                .collect(),
        })
    }

    /// What a call is about.
    fn stretch(
        &mut self,
        function: &FlashBinding,
        args: &[u64],
        observer: &mut dyn Observer,
    ) -> Result<Stretch, Fault> {
        let layout = &self.image.layout;
        let mask = layout.address_mask();
        let given = match &function.address {
            Some(address) => self.operand(address, args, observer)? & mask,
            None => 0,
        };
        let length = match &function.length {
            Some(length) => Some(self.operand(length, args, observer)? & mask),
            None => None,
        };
        let parts = &self.image.bindings.parts;
        let of = |number: u32| {
            let global = parts[number as usize].global;
            let start = layout.global(global);
            start..start + self.image.program.globals[global].size
        };
        let part = match function.part {
            Some(part) => Some(part),
            None => (0..parts.len() as u32).find(|&part| of(part).contains(&given)),
        };
        let Some(number) = part else {
            // Memory that is no part's.
            let length = self.checked_length(given, length.unwrap_or(0), Access::Write)?;
            let offset = match length {
                0 => 0,
                length => self.resolve(given, length, Access::Write)?,
            };
            return Ok(Stretch {
                part: None,
                offset,
                length,
                inside: 0,
            });
        };
        let range = of(number);
        let size = range.end - range.start;
        let is_pointer = function.by_pointer || (given >= size && range.contains(&given));
        let length = length.unwrap_or(size);
        let outside = |address: u64, offset: i64| Fault::Flash {
            action: function.action,
            address,
            misuse: FlashMisuse::Outside {
                offset,
                length,
                size,
            },
        };
        let inside = match given.checked_sub(range.start) {
            Some(inside) if is_pointer => inside,
            None if is_pointer => {
                let offset = given.wrapping_sub(range.start) as i64;
                return Err(outside(given, offset));
            }
            _ => given,
        };
        match inside.checked_add(length) {
            Some(end) if end <= size => Ok(Stretch {
                part,
                offset: (range.start - layout.base + inside) as u32,
                length: length as u32,
                inside,
            }),
            _ => Err(outside(range.start.wrapping_add(inside), inside as i64)),
        }
    }
}

fn aligned(stretch: &Stretch, unit: u32, action: FlashAction, address: u64) -> Result<(), Fault> {
    let unit = unit.max(1);
    match stretch.inside.is_multiple_of(u64::from(unit)) && stretch.length.is_multiple_of(unit) {
        true => Ok(()),
        false => Err(Fault::Flash {
            action,
            address,
            misuse: FlashMisuse::Misaligned {
                offset: stretch.inside,
                length: stretch.length,
                unit,
            },
        }),
    }
}
