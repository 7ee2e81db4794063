//! Where things come from: files, places, and the C types that give bytes of an
//! object their names.

use crate::entity::Arena;

crate::ids! {
    /// A source file.
    File "f";
    /// A source place.
    Place "p";
    /// A type of the source language.
    TypeId "t";
}

/// Files, places and types of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    /// File names as the compiler saw them.
    pub files: Arena<File, String>,
    /// Places.
    pub places: Arena<Place, PlaceData>,
    /// Types.
    pub types: Arena<TypeId, SourceType>,
}

/// A point in a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceData {
    /// The file.
    pub file: File,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// The function in the source, which differs from the function in the
    /// program when the code was inlined.
    pub function: String,
    /// The call that was inlined.
    pub inlined_at: Option<Place>,
}

/// A type of the source language, as far as naming parts of objects needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceType {
    /// Its name, possibly empty.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// What it is made of.
    pub kind: TypeKind,
}

/// The structure of a source type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// A number that is not negative.
    Unsigned,
    /// A number.
    Signed,
    /// A character.
    Char,
    /// A truth value.
    Bool,
    /// A floating-point number.
    Float,
    /// An address, and of what.
    Pointer(Option<TypeId>),
    /// An enumeration with its names.
    Enum(Vec<(String, i64)>),
    /// A structure or class.
    Struct(Vec<Field>),
    /// A union.
    Union(Vec<Field>),
    /// `count` elements in a row.
    #[allow(missing_docs, reason = "the variant documents its fields")]
    Array { element: TypeId, count: u64 },
    /// Something without parts that we know of.
    Opaque,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; empty for anonymous members.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it starts, in bits.
    pub bit_offset: u64,
    /// Its width in bits when it is a bit-field.
    pub bit_size: Option<u64>,
}

impl SourceMap {
    /// The path that names the bytes `[offset, offset + size)` of an object of
    /// type `ty`: `.x`, `[3].next`, or nothing for the whole object.
    pub fn path(&self, ty: TypeId, offset: u64, size: u64) -> String {
        let mut path = String::new();
        self.extend_path(&mut path, ty, offset, size, 0);
        path
    }

    /// The scalar that holds the byte at `offset` of an object of type `ty`:
    /// where it starts, how long it is, what it is.
    pub fn leaf(&self, ty: TypeId, offset: u64) -> Option<(u64, u64, TypeId)> {
        let (mut ty, mut start) = (ty, 0);
        for _ in 0..32 {
            let data = self.types.get(ty)?;
            let inside = offset.checked_sub(start)?;
            match &data.kind {
                TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                    let size = |field: &Field| self.types.get(field.ty).map_or(0, |ty| ty.size);
                    let field = fields.iter().find(|field| {
                        // Bit-fields share their storage: the structure's bytes are all there is to show.
                        field.bit_size.is_none()
                            && (field.bit_offset / 8..field.bit_offset / 8 + size(field))
                                .contains(&inside)
                    })?;
                    start += field.bit_offset / 8;
                    ty = field.ty;
                }
                TypeKind::Array { element, .. } => {
                    let width = self
                        .types
                        .get(*element)
                        .map(|ty| ty.size)
                        .filter(|size| *size > 0)?;
                    start += inside / width * width;
                    ty = *element;
                }
                TypeKind::Unsigned
                | TypeKind::Signed
                | TypeKind::Char
                | TypeKind::Bool
                | TypeKind::Float
                | TypeKind::Pointer(_)
                | TypeKind::Enum(_)
                | TypeKind::Opaque => {
                    return (inside < data.size).then_some((start, data.size, ty));
                }
            }
        }
        None
    }

    fn extend_path(&self, path: &mut String, ty: TypeId, offset: u64, size: u64, depth: u32) {
        // Types come from debug information and may be nonsense: bound the walk.
        let Some(data) = self.types.get(ty).filter(|_| depth < 32) else {
            return;
        };
        if offset == 0 && size >= data.size {
            return;
        }
        match &data.kind {
            TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                let holds = |field: &&Field| {
                    let start = field.bit_offset / 8;
                    let bytes = match field.bit_size {
                        Some(bits) => (field.bit_offset % 8 + bits).div_ceil(8),
                        None => self.types.get(field.ty).map_or(0, |ty| ty.size),
                    };
                    start <= offset && offset + size <= start + bytes
                };
                // A union has several answers: the first is as good as any.
                if let Some(field) = fields.iter().find(holds) {
                    if !field.name.is_empty() {
                        path.push('.');
                        path.push_str(&field.name);
                    }
                    if field.bit_size.is_none() {
                        let inner = offset - field.bit_offset / 8;
                        self.extend_path(path, field.ty, inner, size, depth + 1);
                    }
                }
            }
            TypeKind::Array { element, .. } => {
                let width = self.types.get(*element).map_or(0, |ty| ty.size);
                if width == 0 {
                    return;
                }
                let index = offset / width;
                if offset % width + size <= width {
                    path.push_str(&format!("[{index}]"));
                    self.extend_path(path, *element, offset % width, size, depth + 1);
                } else {
                    path.push_str(&format!("[{index}..{}]", (offset + size).div_ceil(width)));
                }
            }
            TypeKind::Unsigned
            | TypeKind::Signed
            | TypeKind::Char
            | TypeKind::Bool
            | TypeKind::Float
            | TypeKind::Pointer(_)
            | TypeKind::Enum(_)
            | TypeKind::Opaque => {}
        }
    }
}
