//! Values as the user would write them: numbers, characters, the names of enumerations, and what a
//! pointer points to.

use std::ops::Range;

use brownout_ir::eval::wide;
use brownout_ir::source::{TypeId, TypeKind};

use crate::objects::{Object, Objects, Part, base};

impl Objects<'_> {
    /// The bytes of a scalar as the user would write its value.
    pub fn value(&self, part: Part, bytes: &[u8]) -> String {
        let leaf = self.leaf(part.object, part.start);
        let kind = leaf.and_then(|(_, _, ty)| self.kind(ty));
        let length = bytes.len().min(16);
        let value = number(bytes);
        let bits = (length as u32 * 8).max(1);
        match kind {
            Some(TypeKind::Signed) => wide::signed(bits, value).to_string(),
            Some(TypeKind::Enum(names)) => enumerator(names, bits, value),
            Some(TypeKind::Bool) => (value & 1 != 0).to_string(),
            Some(TypeKind::Char) if (0x20..0x7f).contains(&value) => {
                format!("'{}'", value as u8 as char)
            }
            Some(TypeKind::Float) if length == 4 => f32::from_bits(value as u32).to_string(),
            Some(TypeKind::Float) if length == 8 => f64::from_bits(value as u64).to_string(),
            Some(TypeKind::Pointer(to)) => self
                .pointed_to(value as u64, *to)
                .unwrap_or_else(|| format!("{value:#x}")),
            Some(TypeKind::Unsigned | TypeKind::Char) | None => value.to_string(),
            Some(_) => format!("{value:#x}"),
        }
    }

    /// Some bits as the user would write their value.
    pub fn bits_value(&self, ty: TypeId, bytes: &[u8], bits: Range<u64>) -> String {
        let width = (bits.end - bits.start).clamp(1, 127) as u32;
        let value = (number(bytes) >> bits.start.min(127)) & ((1 << width) - 1);
        match self.kind(ty) {
            Some(TypeKind::Signed) => wide::signed(width, value).to_string(),
            Some(TypeKind::Enum(names)) => enumerator(names, width, value),
            Some(TypeKind::Bool) => (value != 0).to_string(),
            _ => value.to_string(),
        }
    }

    fn kind(&self, ty: TypeId) -> Option<&TypeKind> {
        let data = self.image.program().source.types.get(ty)?;
        Some(&data.kind)
    }

    /// What an address of something of type `to` points to: `&buf[3]`, `&handler`. None for addresses
    /// in no global, and for null.
    fn pointed_to(&self, address: u64, to: Option<TypeId>) -> Option<String> {
        let program = self.image.program();
        if let Some(function) = self.image.layout().function_at(address) {
            return Some(format!("&{}", program.functions[function].name));
        }
        let offset = u32::try_from(address.checked_sub(base(self.image))?).ok()?;
        let (global, start) = self.global(offset)?;
        let object = Object::Global(global);
        let size = self.size(object).unwrap_or(0);
        let pointed = to.and_then(|to| program.source.types.get(to));
        let bytes = match pointed.map(|ty| ty.size) {
            Some(bytes) if bytes > 0 && start.checked_add(bytes)? <= size => bytes,
            // A pointer to anything: the whole, or what is there.
            _ if start == 0 => size,
            _ => self.leaf(object, start).map_or(1, |(_, bytes, _)| bytes),
        };
        let name = self.name(Part {
            object,
            start,
            end: start + bytes,
        });
        // Texts have no name of their own.
        (!name.starts_with('.')).then(|| format!("&{name}"))
    }
}

/// Up to 16 bytes as a number.
fn number(bytes: &[u8]) -> u128 {
    let mut wide = [0; 16];
    let length = bytes.len().min(16);
    wide[..length].copy_from_slice(&bytes[..length]);
    u128::from_le_bytes(wide)
}

/// `RUNNING (2)`, or the number alone if the enumeration has no name for it.
fn enumerator(names: &[(String, i64)], bits: u32, value: u128) -> String {
    let signed = wide::signed(bits, value);
    // Without a negative name, numbers are not negative either.
    let number = match names.is_empty() || names.iter().any(|(_, value)| *value < 0) {
        true => signed,
        false => value as i128,
    };
    match names.iter().find(|(_, value)| i128::from(*value) == number) {
        Some((name, _)) => format!("{name} ({number})"),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::enumerator;

    #[test]
    fn enumerations() {
        let names = |list: &[(&str, i64)]| -> Vec<(String, i64)> {
            let names = list.iter();
            names
                .map(|&(name, value)| (name.to_owned(), value))
                .collect()
        };
        let states = names(&[("IDLE", 0), ("RUNNING", 2), ("TOP", 0xffff)]);
        let errors = names(&[("OK", 0), ("FAILED", -1)]);
        assert_eq!(enumerator(&states, 16, 2), "RUNNING (2)");
        assert_eq!(enumerator(&states, 16, 0xffff), "TOP (65535)");
        assert_eq!(enumerator(&states, 16, 7), "7");
        assert_eq!(enumerator(&errors, 16, 0xffff), "FAILED (-1)");
        assert_eq!(enumerator(&errors, 16, 0xfffe), "-2");
        assert_eq!(enumerator(&[], 16, 0xffff), "-1");
    }
}
