//! Where things come from: files, places, and the C types that give bytes of an
//! object their names.

use std::ops::Range;

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
    /// An address, and of what, if that is known.
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

/// Bytes between members, as they are found.
struct Gaps {
    most: usize,
    found: Vec<Range<u64>>,
    visits: u32,
}

impl Gaps {
    /// What alignment asks for is shorter.
    const WIDEST: u64 = 8;
    /// Types lie in types so deep.
    const DEEPEST: u32 = 32;
    /// So many types are looked at: a type may name itself, or others again and again.
    const VISITS: u32 = 1 << 16;

    /// Notes a gap in a structure that begins at `start`.
    fn note(&mut self, start: u64, gap: Range<u64>) -> Option<()> {
        let is_gap = gap.start < gap.end && gap.end - gap.start < Self::WIDEST;
        if is_gap && self.found.len() < self.most {
            let bytes = start.checked_add(gap.start)?..start.checked_add(gap.end)?;
            self.found.push(bytes);
        }
        Some(())
    }
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

/// A bit-field of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitField {
    /// Its path in the object, such as `.tries`.
    pub path: String,
    /// Its bits, from the start of the object.
    pub bits: Range<u64>,
    /// Its declared type.
    pub ty: TypeId,
}

/// Bits of the largest object that there can be.
const MOST_BITS: u64 = 1 << 48;

/// The bit-fields among `fields`, of a structure at `start`, that share bytes with the byte
/// `inside`, or with others that do.
fn shared(fields: &[Field], start: u64, inside: u64, path: &str) -> Vec<BitField> {
    let bits = |field: &Field| {
        let width = field.bit_size.filter(|width| *width > 0)?;
        let end = field.bit_offset.checked_add(width)?;
        // Debug information may be nonsense; no object is this large.
        (end < MOST_BITS).then_some(field.bit_offset..end)
    };
    if start.max(inside) >= MOST_BITS / 8 {
        return Vec::new();
    }
    let mut bytes = inside..inside + 1;
    let overlaps = |field: &Field, bytes: &Range<u64>| {
        let bits = bits(field)?;
        (bits.start < bytes.end * 8 && bytes.start * 8 < bits.end).then_some(bits)
    };
    // Each one that overlaps can only make it longer: at most as often as there are fields.
    for _ in fields {
        for field in fields {
            if let Some(bits) = overlaps(field, &bytes) {
                bytes.start = bytes.start.min(bits.start / 8);
                bytes.end = bytes.end.max(bits.end.div_ceil(8));
            }
        }
    }
    let fields = fields.iter().filter_map(|field| {
        let bits = overlaps(field, &bytes)?;
        Some(BitField {
            path: format!("{path}.{}", field.name),
            bits: start * 8 + bits.start..start * 8 + bits.end,
            ty: field.ty,
        })
    });
    fields.filter(|field| !field.path.ends_with('.')).collect()
}

impl SourceMap {
    /// Whether a member lies inside a structure of `size` bytes.
    pub fn holds(&self, size: u64, field: &Field) -> bool {
        let bits = match field.bit_size {
            Some(bits) => Some(bits),
            None => (self.types.get(field.ty)).and_then(|ty| ty.size.checked_mul(8)),
        };
        let end = bits.and_then(|bits| field.bit_offset.checked_add(bits));
        end.is_some_and(|end| end.div_ceil(8) <= size)
    }

    /// Whether so many elements fit into an array of `size` bytes.
    pub fn holds_elements(&self, size: u64, element: TypeId, count: u64) -> bool {
        let bytes = (self.types.get(element)).and_then(|ty| ty.size.checked_mul(count));
        bytes.is_some_and(|bytes| bytes <= size)
    }

    /// The path that names the bytes `[offset, offset + size)` of an object of
    /// type `ty`: `.x`, `[3].next`, or nothing for the whole object.
    pub fn path(&self, ty: TypeId, offset: u64, size: u64) -> String {
        let mut path = String::new();
        self.extend_path(&mut path, ty, offset, size, 0);
        path
    }

    /// The path to the only member of a structure, and on to that of this one: `.open`, `.gate.open`; nothing for
    /// other types. The bytes are those of the whole object, which [`path`](Self::path) has no name for.
    pub fn only_member(&self, ty: TypeId) -> String {
        let mut path = String::new();
        let mut ty = ty;
        for _ in 0..32 {
            let Some(TypeKind::Struct(fields)) = self.types.get(ty).map(|ty| &ty.kind) else {
                break;
            };
            let [field] = &fields[..] else { break };
            if field.name.is_empty() || field.bit_size.is_some() {
                break;
            }
            path.push('.');
            path.push_str(&field.name);
            ty = field.ty;
        }
        path
    }

    /// The bytes of an object of type `ty` that a path names, and their type: the inverse of
    /// [`path`](Self::path), but for stretches of arrays.
    pub fn part(&self, ty: TypeId, path: &str) -> Option<(Range<u64>, TypeId)> {
        let mut bytes = 0..self.types.get(ty)?.size;
        let (mut ty, mut rest) = (ty, path);
        while !rest.is_empty() {
            let inner = match (&self.types.get(ty)?.kind, rest.strip_prefix('.')) {
                (TypeKind::Struct(fields) | TypeKind::Union(fields), Some(names)) => {
                    let end = names.find(['.', '[']).unwrap_or(names.len());
                    rest = &names[end..];
                    let (inner, inner_ty) = self.member(fields, &names[..end], 0)?;
                    ty = inner_ty;
                    inner
                }
                (TypeKind::Array { element, count }, None) => {
                    let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
                    rest = after;
                    let index: u64 = index.parse().ok().filter(|index| index < count)?;
                    let width = self.types.get(*element)?.size;
                    ty = *element;
                    let start = index.checked_mul(width)?;
                    start..start.checked_add(width)?
                }
                _ => return None,
            };
            bytes = bytes.start.checked_add(inner.start)?..bytes.start.checked_add(inner.end)?;
        }
        Some((bytes, ty))
    }

    /// The bytes of a type that belong to no member of a structure, up to `most` stretches of them. A longer gap than
    /// alignment makes is no padding: something is there that is not described.
    pub fn padding(&self, ty: TypeId, most: usize) -> Vec<Range<u64>> {
        let mut gaps = Gaps {
            most,
            found: Vec::new(),
            visits: 0,
        };
        // Where debug information contradicts itself, nothing is known to be padding.
        match self.find_gaps(ty, 0, 0, &mut gaps) {
            Some(()) => gaps.found,
            None => Vec::new(),
        }
    }

    fn find_gaps(&self, ty: TypeId, start: u64, depth: u32, gaps: &mut Gaps) -> Option<()> {
        gaps.visits += 1;
        if depth > Gaps::DEEPEST || gaps.visits > Gaps::VISITS {
            return None;
        }
        let data = self.types.get(ty)?;
        match &data.kind {
            TypeKind::Struct(fields) => {
                let mut fields: Vec<&Field> = fields.iter().collect();
                fields.sort_by_key(|field| field.bit_offset);
                let mut end = 0;
                for field in &fields {
                    let first = field.bit_offset / 8;
                    gaps.note(start, end..first)?;
                    let size = match field.bit_size {
                        Some(bits) => (field.bit_offset % 8).checked_add(bits)?.div_ceil(8),
                        None => {
                            self.find_gaps(field.ty, start.checked_add(first)?, depth + 1, gaps)?;
                            self.types.get(field.ty)?.size
                        }
                    };
                    end = end.max(first.checked_add(size)?);
                }
                match fields.is_empty() {
                    true => Some(()),
                    false => gaps.note(start, end..data.size),
                }
            }
            TypeKind::Array { element, count } => {
                let width = self.types.get(*element)?.size;
                for index in 0..*count {
                    let before = gaps.found.len();
                    let at = start.checked_add(index.checked_mul(width)?)?;
                    self.find_gaps(*element, at, depth + 1, gaps)?;
                    if gaps.found.len() == before {
                        break;
                    }
                }
                Some(())
            }
            // Which member of a union is there nobody says.
            TypeKind::Union(_)
            | TypeKind::Unsigned
            | TypeKind::Signed
            | TypeKind::Char
            | TypeKind::Bool
            | TypeKind::Float
            | TypeKind::Pointer(_)
            | TypeKind::Enum(_)
            | TypeKind::Opaque => Some(()),
        }
    }

    /// The bytes of a member, also of one in a member without a name.
    fn member(&self, fields: &[Field], name: &str, depth: u32) -> Option<(Range<u64>, TypeId)> {
        let found = fields.iter().find(|field| field.name == name);
        if let Some(field) = found.filter(|_| !name.is_empty()) {
            let start = field.bit_offset / 8;
            let size = match field.bit_size {
                Some(bits) => (field.bit_offset % 8).checked_add(bits)?.div_ceil(8),
                None => self.types.get(field.ty)?.size,
            };
            return Some((start..start.checked_add(size)?, field.ty));
        }
        let mut nameless = fields.iter().filter(|field| field.name.is_empty());
        nameless.find_map(|field| {
            let (TypeKind::Struct(inner) | TypeKind::Union(inner)) =
                &self.types.get(field.ty).filter(|_| depth < 32)?.kind
            else {
                return None;
            };
            let (bytes, ty) = self.member(inner, name, depth + 1)?;
            let start = field.bit_offset / 8;
            Some((
                start.checked_add(bytes.start)?..start.checked_add(bytes.end)?,
                ty,
            ))
        })
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

    /// The bit-fields that share storage with the byte at `offset` of an object of type `ty`, in
    /// order; none if there is something else.
    pub fn bit_fields(&self, ty: TypeId, offset: u64) -> Vec<BitField> {
        let (mut ty, mut start, mut path) = (ty, 0, String::new());
        for _ in 0..32 {
            let Some(data) = self.types.get(ty) else {
                break;
            };
            let Some(inside) = offset.checked_sub(start) else {
                break;
            };
            match &data.kind {
                TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                    let size = |field: &Field| self.types.get(field.ty).map_or(0, |ty| ty.size);
                    let holds = |field: &&Field| {
                        let first = field.bit_offset / 8;
                        let bytes = first..first.saturating_add(size(field));
                        field.bit_size.is_none() && bytes.contains(&inside)
                    };
                    let Some(field) = fields.iter().find(holds) else {
                        return shared(fields, start, inside, &path);
                    };
                    if !field.name.is_empty() {
                        path.push('.');
                        path.push_str(&field.name);
                    }
                    start += field.bit_offset / 8;
                    ty = field.ty;
                }
                TypeKind::Array { element, .. } => {
                    let width = self.types.get(*element).map_or(0, |ty| ty.size);
                    let Some(index) = inside.checked_div(width) else {
                        break;
                    };
                    path.push_str(&format!("[{index}]"));
                    start += index * width;
                    ty = *element;
                }
                TypeKind::Unsigned
                | TypeKind::Signed
                | TypeKind::Char
                | TypeKind::Bool
                | TypeKind::Float
                | TypeKind::Pointer(_)
                | TypeKind::Enum(_)
                | TypeKind::Opaque => break,
            }
        }
        Vec::new()
    }

    /// The smallest field of an object of type `ty` that holds all of `bytes`, or the whole object.
    /// Elements of arrays and members of unions are no fields of their own; bit-fields that share
    /// bytes are one.
    pub fn field(&self, ty: TypeId, bytes: &Range<u64>) -> Range<u64> {
        let size = |ty: TypeId| self.types.get(ty).map_or(0, |ty| ty.size);
        let (mut ty, mut field) = (ty, 0..size(ty));
        for _ in 0..32 {
            let Some(TypeKind::Struct(fields)) = self.types.get(ty).map(|ty| &ty.kind) else {
                break;
            };
            let start = field.start;
            let holds = |inner: &Range<u64>| inner.start <= bytes.start && bytes.end <= inner.end;
            let plain = fields.iter().filter(|field| field.bit_size.is_none());
            let mut plain = plain.map(|field| {
                let first = start.saturating_add(field.bit_offset / 8);
                (first..first.saturating_add(size(field.ty)), field.ty)
            });
            if let Some((inner, inner_ty)) = plain.find(|(inner, _)| holds(inner)) {
                (ty, field) = (inner_ty, inner);
                continue;
            }
            let bits = shared(fields, start, bytes.start.saturating_sub(start), "");
            let first = bits.iter().map(|bits| bits.bits.start / 8).min();
            let end = bits.iter().map(|bits| bits.bits.end.div_ceil(8)).max();
            if let Some(storage) = first.zip(end).map(|(first, end)| first..end)
                && holds(&storage)
            {
                field = storage;
            }
            break;
        }
        field
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
                // Bytes that bit-fields share are none of them alone.
                let of_bits = |field: &&Field| field.bit_size.is_some();
                if fields.iter().filter(holds).filter(of_bits).count() > 1 {
                    return;
                }
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

#[cfg(test)]
mod tests {
    use super::{Field, SourceMap, SourceType, TypeId, TypeKind};
    use crate::entity::Id;

    fn field(name: &str, ty: TypeId, bit_offset: u64, bit_size: Option<u64>) -> Field {
        Field {
            name: name.to_owned(),
            ty,
            bit_offset,
            bit_size,
        }
    }

    /// `struct { char a; struct { short b; unsigned c : 3; }; struct { int d[2]; } e[3]; }`.
    fn example() -> (SourceMap, TypeId) {
        let mut map = SourceMap::default();
        let mut add = |size, kind| {
            map.types.push(SourceType {
                name: String::new(),
                size,
                kind,
            })
        };
        let byte = add(1, TypeKind::Char);
        let short = add(2, TypeKind::Signed);
        let int = add(4, TypeKind::Signed);
        let bits = vec![field("b", short, 0, None), field("c", int, 16, Some(3))];
        let nameless = add(4, TypeKind::Struct(bits));
        let pair = add(
            8,
            TypeKind::Array {
                element: int,
                count: 2,
            },
        );
        let element = add(8, TypeKind::Struct(vec![field("d", pair, 0, None)]));
        let elements = add(24, TypeKind::Array { element, count: 3 });
        let whole = vec![
            field("a", byte, 0, None),
            field("", nameless, 16, None),
            field("e", elements, 64, None),
        ];
        let whole = add(32, TypeKind::Struct(whole));
        (map, whole)
    }

    #[test]
    fn padding_is_what_no_member_has() {
        let (map, ty) = example();
        assert_eq!(map.padding(ty, 8), [1..2, 5..6, 6..8]);
        assert_eq!(map.padding(ty, 1).len(), 1);
    }

    #[test]
    fn types_that_contradict_themselves_have_no_padding() {
        let mut map = SourceMap::default();
        let itself = TypeId::from_index(0);
        for (size, offset) in [(8, 16), (8, 0), (u64::MAX, u64::MAX - 7)] {
            let fields = vec![
                field("a", itself, offset, None),
                field("b", itself, 0, None),
            ];
            let record = SourceType {
                name: String::new(),
                size,
                kind: TypeKind::Struct(fields),
            };
            map.types = [record].into_iter().collect();
            assert_eq!(map.padding(itself, 8), []);
        }
    }

    #[test]
    fn what_a_path_names_has_that_path() {
        let (map, ty) = example();
        let mut named = 0;
        for start in 0..32 {
            for size in 1..=32 - start {
                let path = map.path(ty, start, size);
                // Stretches of arrays have no path of their own, and padding that of what it is in.
                let Some((bytes, _)) = map.part(ty, &path) else {
                    assert!(path.contains(".."), "{path}");
                    continue;
                };
                assert!(bytes.start <= start && start + size <= bytes.end, "{path}");
                assert_eq!(map.path(ty, bytes.start, bytes.end - bytes.start), path);
                named += 1;
            }
        }
        assert!(named > 100, "{named}");
        let part = |path| map.part(ty, path).map(|(bytes, _)| bytes);
        assert_eq!(part(".e[2].d[1]"), Some(28..32));
        assert_eq!(part(".c"), Some(4..5));
        for wrong in [".x", ".e[3]", ".e.d", "[0]", ".a.b", ".", ".e[", ".e[-1]"] {
            assert_eq!(part(wrong), None, "{wrong}");
        }
    }
}
