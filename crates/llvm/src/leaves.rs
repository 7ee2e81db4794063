//! Aggregates and vectors as lists of scalars.
//!
//! Every LLVM type is flattened into *leaves*: scalars with their byte offset in
//! memory. An integer has one leaf, `{i32, [2 x ptr]}` has three.

use brownout_ir::{FloatKind, Type};

use crate::error::Gap;
use crate::raw::{self, Layout, TypeKind};
use crate::wide;

/// A scalar inside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    pub(crate) ty: Type,
    /// Byte offset in memory. Elements of bit vectors share bytes: see [`packed_bits`].
    pub(crate) offset: u64,
}

/// Values with more scalars than this are a sign of code no C compiler emits.
const MOST_LEAVES: u64 = 1 << 16;

/// The scalar type of a first-class scalar.
pub(crate) fn scalar(ty: raw::Type<'_>) -> Option<Type> {
    Some(match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => {
            let bits = u8::try_from(ty.int_bits())
                .ok()
                .filter(|bits| *bits <= 128)?;
            Type::Int(bits)
        }
        TypeKind::LLVMPointerTypeKind => Type::Ptr,
        TypeKind::LLVMHalfTypeKind => Type::Float(FloatKind::Half),
        TypeKind::LLVMFloatTypeKind => Type::Float(FloatKind::Single),
        TypeKind::LLVMDoubleTypeKind => Type::Float(FloatKind::Double),
        TypeKind::LLVMX86_FP80TypeKind => Type::Float(FloatKind::Extended),
        TypeKind::LLVMFP128TypeKind => Type::Float(FloatKind::Quad),
        _ => return None,
    })
}

/// The leaves of a type; none for `void`.
pub(crate) fn leaves(layout: Layout<'_>, ty: raw::Type<'_>) -> Result<Vec<Leaf>, Gap> {
    let mut all = Vec::new();
    collect(layout, ty, 0, &mut all)?;
    Ok(all)
}

fn collect(
    layout: Layout<'_>,
    ty: raw::Type<'_>,
    offset: u64,
    all: &mut Vec<Leaf>,
) -> Result<(), Gap> {
    let gap = || Gap::Type(ty.print());
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => {}
        TypeKind::LLVMStructTypeKind => {
            if !ty.is_sized() {
                return Err(gap());
            }
            for (index, field) in ty.fields().into_iter().enumerate() {
                collect(
                    layout,
                    field,
                    offset + layout.field_offset(ty, index as u32),
                    all,
                )?;
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let (element, count) = (ty.element(), ty.array_length());
            if count > MOST_LEAVES || all.len() as u64 > MOST_LEAVES {
                return Err(gap());
            }
            let size = layout.size(element);
            for index in 0..count {
                collect(layout, element, offset + index * size, all)?;
            }
        }
        TypeKind::LLVMVectorTypeKind => {
            let element = scalar(ty.element()).ok_or_else(gap)?;
            let bits = element_bits(layout, element);
            if ty.vector_length() > MOST_LEAVES {
                return Err(gap());
            }
            for index in 0..ty.vector_length() {
                all.push(Leaf {
                    ty: element,
                    offset: offset + index * u64::from(bits) / 8,
                });
            }
        }
        _ => match wide::width(ty) {
            Some(bits) => {
                for (index, limb) in wide::limb_types(bits).into_iter().enumerate() {
                    all.push(Leaf {
                        ty: limb,
                        offset: offset + 8 * index as u64,
                    });
                }
            }
            None => all.push(Leaf {
                ty: scalar(ty).ok_or_else(gap)?,
                offset,
            }),
        },
    }
    Ok(())
}

pub(crate) fn element_bits(layout: Layout<'_>, element: Type) -> u32 {
    match element {
        Type::Int(bits) => bits.into(),
        Type::Ptr => layout.pointer_bits().into(),
        Type::Float(kind) => kind.bits(),
    }
}

/// For a vector whose elements are not whole bytes: the width of one element.
/// Such a vector is stored as one integer.
pub(crate) fn packed_bits(ty: raw::Type<'_>) -> Option<u32> {
    if ty.kind() != TypeKind::LLVMVectorTypeKind {
        return None;
    }
    match scalar(ty.element()) {
        Some(Type::Int(bits)) if bits % 8 != 0 => Some(bits.into()),
        _ => None,
    }
}

/// How many leaves a type has, and which are those of the member at `indices`.
pub(crate) fn member(
    layout: Layout<'_>,
    ty: raw::Type<'_>,
    indices: &[u32],
) -> Result<std::ops::Range<usize>, Gap> {
    let mut ty = ty;
    let mut start = 0;
    for &index in indices {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let fields = ty.fields();
                for field in &fields[..index as usize] {
                    start += leaves(layout, *field)?.len();
                }
                ty = fields[index as usize];
            }
            TypeKind::LLVMArrayTypeKind => {
                ty = ty.element();
                start += index as usize * leaves(layout, ty)?.len();
            }
            _ => return Err(Gap::Type(ty.print())),
        }
    }
    Ok(start..start + leaves(layout, ty)?.len())
}
