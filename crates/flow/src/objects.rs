//! Abstract objects and the addresses that pointers can hold.
//!
//! An object stands for one or more objects of an execution. It is *single* if it stands for at
//! most one at any time: only then does a write through an exact address surely overwrite it.

use std::collections::BTreeMap;

use brownout_ir::source::{SourceMap, TypeId, TypeKind};
use brownout_ir::{Func, Global, Id, Program, Slot};

use crate::contexts::{Contexts, Instance, Site};

brownout_ir::ids! {
    /// An abstract object.
    Object "o";
}

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A global.
    Global(Global),
    /// A stack object of an activation.
    Slot(Instance, Slot),
    /// Memory allocated on the stack by an instruction.
    Stack(Site),
    /// Blocks allocated on the heap by a call.
    Heap(Site),
    /// A function: not memory that is read or written.
    Code(Func),
    /// Memory at addresses that the program names by number.
    Absolute,
    /// What a parameter of a library's entry points to.
    Parameter(Instance, u32),
    /// What an unknown function returns the address of.
    Returned(Site),
    /// What a pointer in memory that the program did not fill points to.
    Behind(Object, i64),
}

/// An abstract object.
#[derive(Clone, Debug)]
pub struct ObjectData {
    /// What it stands for.
    pub kind: Kind,
    /// Bytes; `None` when unknown.
    pub size: Option<i64>,
    /// Whether it stands for at most one object at a time.
    pub single: bool,
    /// Its type in the source.
    pub ty: Option<TypeId>,
}

/// Addresses in an object: one, any of a range, or the same part of any element of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The object.
    pub object: Object,
    /// The first address, from the start of the object.
    pub start: i64,
    /// The end of what accesses can touch; the same as `start` when the address is exact.
    pub end: i64,
    /// The part of each element; none if it can be any address of the range.
    pub part: Option<ElementPart>,
}

/// A part of each element of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElementPart {
    /// How many bytes an element has.
    pub stride: i64,
    /// Where in it the part begins.
    pub inside: i64,
    /// How many bytes accesses can touch; 0 when the address in the element is exact.
    pub width: i64,
}

impl Target {
    /// An exact address.
    pub const fn exactly(object: Object, offset: i64) -> Self {
        Self {
            object,
            start: offset,
            end: offset,
            part: None,
        }
    }

    /// Any address of a range.
    pub const fn within(object: Object, start: i64, end: i64) -> Self {
        Self {
            object,
            start,
            end,
            part: None,
        }
    }

    /// Whether it is one address.
    pub const fn is_exact(self) -> bool {
        self.start == self.end
    }

    /// The stretches that an access of so many bytes touches one of.
    pub fn spans(self, bytes: i64) -> Vec<(i64, i64)> {
        let whole = vec![self.span(bytes)];
        let Some(ElementPart {
            stride,
            inside,
            width,
        }) = self.part
        else {
            return whole;
        };
        let bytes = bytes.max(width);
        let elements = (self.end - self.start) / stride;
        let is_part = inside + bytes <= stride && bytes < stride;
        if !is_part || elements > ELEMENTS {
            return whole;
        }
        let first = self.start + inside;
        let starts = (0..elements).map(|element| first + element * stride);
        starts.map(|start| (start, start + bytes)).collect()
    }

    /// Whether accesses of so many bytes can touch the same byte.
    pub fn meets(self, bytes: i64, other: Self, others: i64) -> bool {
        let (a, b) = (self.span(bytes), other.span(others));
        let apart = |a: (i64, i64), b: (i64, i64)| a.1 <= b.0 || b.1 <= a.0;
        if apart(a, b) {
            return false;
        }
        // Parts of elements of the same array; a part that reaches into the next one is anywhere.
        let Some(stride) = self.part.or(other.part).map(|part| part.stride) else {
            return true;
        };
        let within = |target: Self, bytes: i64| match target.part {
            Some(part) => {
                (part.stride == stride).then(|| (part.inside, part.inside + bytes.max(part.width)))
            }
            None if target.is_exact() => {
                let array = if self.part.is_some() { self } else { other };
                let inside = (target.start - array.start).checked_rem_euclid(stride)?;
                Some((inside, inside.saturating_add(bytes)))
            }
            None => None,
        };
        let same = self.part.is_none() || other.part.is_none() || self.start == other.start;
        match (within(self, bytes), within(other, others)) {
            (Some(a), Some(b)) if same && a.1 <= stride && b.1 <= stride => !apart(a, b),
            _ => true,
        }
    }

    /// The bytes that an access of so many bytes touches some of.
    pub const fn span(self, bytes: i64) -> (i64, i64) {
        if self.is_exact() {
            (self.start, self.start.saturating_add(bytes))
        } else {
            (self.start, self.end)
        }
    }
}

/// The end of objects of unknown size.
pub const UNBOUNDED: i64 = i64::MAX / 4;
/// How many elements an array has whose elements' parts are kept apart when the index is unknown.
const ELEMENTS: i64 = 64;
/// How deep memory that the program did not fill is followed.
const DEPTH: usize = 6;
/// How many objects of one type are told apart on the way there.
const ALIKE: usize = 2;

/// All abstract objects.
#[derive(Debug, Default)]
pub struct Objects {
    data: Vec<ObjectData>,
    known: BTreeMap<Kind, Object>,
}

impl Objects {
    /// The object, new or known.
    pub fn object(&mut self, kind: Kind, program: &Program, contexts: &Contexts) -> Object {
        if let Some(&known) = self.known.get(&kind) {
            return known;
        }
        let (size, single, ty) = match kind {
            Kind::Global(global) => {
                let data = &program.globals[global];
                (Some(data.size as i64), true, data.ty)
            }
            Kind::Slot(instance, slot) => {
                let slot = contexts
                    .body(instance)
                    .and_then(|body| body.slots.get(slot));
                let size = slot.map(|slot| i64::from(slot.size));
                let single = !contexts.activation(instance).recursive;
                (size, single, slot.and_then(|slot| slot.ty))
            }
            Kind::Parameter(instance, index) => {
                let func = contexts.activation(instance).func;
                let parameter = program.parameter(func, index as usize);
                let ty = parameter.and_then(|parameter| parameter.ty);
                (
                    None,
                    true,
                    ty.and_then(|ty| pointee(&program.source, ty, 0)),
                )
            }
            Kind::Behind(above, offset) => {
                let ty = self.data[above.index()].ty;
                let ty = ty.and_then(|ty| pointee(&program.source, ty, offset));
                (None, true, ty)
            }
            Kind::Absolute => (None, true, None),
            Kind::Heap(site) => (None, contexts.is_executed_once(site), None),
            Kind::Stack(_) | Kind::Returned(_) => (None, false, None),
            Kind::Code(_) => (Some(0), true, None),
        };
        let object = Object::from_index(self.data.len());
        self.data.push(ObjectData {
            kind,
            size,
            single,
            ty,
        });
        self.known.insert(kind, object);
        object
    }

    /// The object behind a pointer in memory that the program did not fill.
    pub fn behind(
        &mut self,
        target: Target,
        program: &Program,
        contexts: &Contexts,
    ) -> Option<Object> {
        let inside = target.part.map_or(0, |part| part.inside);
        let offset = target.start + inside;
        let ty = self.data[target.object.index()].ty;
        let ty = ty.and_then(|ty| pointee(&program.source, ty, offset));
        let mut above = Vec::new();
        let mut at = target.object;
        loop {
            above.push(at);
            match self.data[at.index()].kind {
                Kind::Behind(next, _) => at = next,
                Kind::Parameter(..) | Kind::Returned(_) => break,
                Kind::Global(global) if program.globals[global].init.is_none() => break,
                _ => return None,
            }
        }
        // Lists and trees: everything further down is one object for each type.
        let is_alike = |object: &Object| self.data[object.index()].ty == ty;
        let mut same = above.iter().copied().filter(is_alike);
        let further = same.next().filter(|_| same.count() + 1 >= ALIKE);
        let further = further.or_else(|| above.first().copied().filter(|_| above.len() > DEPTH));
        if let Some(object) = further {
            self.data[object.index()].single = false;
            return Some(object);
        }
        let kind = Kind::Behind(target.object, offset);
        let behind = self.object(kind, program, contexts);
        if !target.is_exact() || !self.data[target.object.index()].single {
            self.data[behind.index()].single = false;
        }
        Some(behind)
    }

    /// What is known of an object.
    pub fn data(&self, object: Object) -> &ObjectData {
        &self.data[object.index()]
    }

    /// The object that stands for something, if any pointer or access knows it.
    pub fn known(&self, kind: Kind) -> Option<Object> {
        self.known.get(&kind).copied()
    }

    /// The object behind a pointer in memory that the program did not fill, if the program knows of it.
    pub fn known_behind(&self, target: Target) -> Option<Object> {
        let inside = target.part.map_or(0, |part| part.inside);
        self.known(Kind::Behind(target.object, target.start + inside))
    }

    /// All objects.
    pub fn ids(&self) -> impl Iterator<Item = Object> + use<> {
        (0..self.data.len()).map(Object::from_index)
    }

    /// A target moved by `by` bytes. What is somewhere in an array stays there.
    pub fn shifted(&self, target: Target, by: i64) -> Target {
        if let Some(part) = target.part {
            let inside = part.inside.saturating_add(by);
            let part = match by.checked_rem(part.stride) {
                // To the same part of another element.
                Some(0) => Some(part),
                _ if (0..part.stride).contains(&inside) && part.width == 0 => {
                    Some(ElementPart { inside, ..part })
                }
                _ => None,
            };
            return Target { part, ..target };
        }
        if !target.is_exact() {
            return target;
        }
        let size = self.data(target.object).size.unwrap_or(UNBOUNDED);
        let start = target.start.saturating_add(by);
        if (0..=size).contains(&start) {
            Target::exactly(target.object, start)
        } else {
            self.anywhere(target)
        }
    }

    /// Any address in the object of a target.
    pub fn anywhere(&self, target: Target) -> Target {
        let size = self.data(target.object).size.unwrap_or(UNBOUNDED);
        Target::within(target.object, 0, size.max(1))
    }

    /// A target indexed by an unknown multiple of `scale`: anywhere in the array it is in.
    ///
    /// Indexing beyond the end of an array is undefined in C and taken not to happen.
    pub fn indexed(&self, source: &SourceMap, target: Target, scale: i64, offset: i64) -> Target {
        let ty = self.data(target.object).ty;
        let array = |at: i64| ty.and_then(|ty| array(source, ty, at, scale));
        if let Some(part) = target.part {
            // An array in each element: looked up in the first one.
            let at = target.start + part.inside.saturating_add(offset);
            let inner = array(at).filter(|(start, end)| {
                target.start <= *start && *end <= target.start + part.stride && part.width == 0
            });
            let part = inner.map(|(start, end)| ElementPart {
                inside: start - target.start,
                width: end - start,
                ..part
            });
            return Target { part, ..target };
        }
        if !target.is_exact() {
            return target;
        }
        let at = target.start.saturating_add(offset);
        let Some((start, end)) = array(at) else {
            return self.anywhere(target);
        };
        Target {
            part: (scale > 1).then(|| ElementPart {
                stride: scale,
                inside: (at - start).rem_euclid(scale),
                width: 0,
            }),
            ..Target::within(target.object, start, end)
        }
    }

    /// The smallest array of the object's type that holds both targets; else the whole object.
    pub fn covering(&self, source: &SourceMap, a: Target, b: Target) -> Target {
        let (low, high) = (a.start.min(b.start), a.end.max(b.end));
        let mut at = self.data(a.object).ty.map(|ty| (ty, 0));
        let mut best = None;
        for _ in 0..32 {
            let Some((ty, start)) = at else { break };
            let Some(data) = source.types.get(ty) else {
                break;
            };
            let end = start + data.size as i64;
            if low < start || high > end {
                break;
            }
            if let TypeKind::Array { .. } = data.kind {
                best = Some((start, end));
            }
            at = part(source, ty, start, low);
        }
        match best {
            Some((start, end)) => Target::within(a.object, start, end),
            None => self.anywhere(a),
        }
    }
}

/// Whether a parameter points to a function.
pub fn is_function_pointer(program: &Program, func: Func, index: u32) -> bool {
    let types = &program.source.types;
    let ty = program
        .parameter(func, index as usize)
        .and_then(|parameter| types.get(parameter.ty?));
    let Some(TypeKind::Pointer(Some(to))) = ty.map(|ty| &ty.kind) else {
        return false;
    };
    let pointee = types.get(*to);
    pointee.is_some_and(|ty| ty.size == 0 && matches!(ty.kind, TypeKind::Opaque))
}

/// What the pointer at `offset` of an object of a type points to.
fn pointee(source: &SourceMap, ty: TypeId, offset: i64) -> Option<TypeId> {
    let size = source.types.get(ty)?.size;
    let inside = u64::try_from(offset).ok()?.checked_rem(size)?;
    let (_, _, leaf) = source.leaf(ty, inside)?;
    match source.types.get(leaf)?.kind {
        TypeKind::Pointer(to) => to,
        _ => None,
    }
}

/// The array with elements of `scale` bytes that holds the byte at `offset`.
fn array(source: &SourceMap, ty: TypeId, offset: i64, scale: i64) -> Option<(i64, i64)> {
    let (mut ty, mut start) = (ty, 0);
    let mut found = None;
    for _ in 0..32 {
        let data = source.types.get(ty)?;
        if let TypeKind::Array { element, .. } = data.kind
            && source.types.get(element).map(|ty| ty.size as i64) == Some(scale)
        {
            found = Some((start, start + data.size as i64));
        }
        match part(source, ty, start, offset) {
            Some((inner, at)) => (ty, start) = (inner, at),
            None => break,
        }
    }
    found
}

/// The part of a type that holds the byte at `offset`, and where it starts.
fn part(source: &SourceMap, ty: TypeId, start: i64, offset: i64) -> Option<(TypeId, i64)> {
    let inside = u64::try_from(offset - start).ok()?;
    let size = |ty: TypeId| source.types.get(ty).map_or(0, |ty| ty.size);
    match &source.types.get(ty)?.kind {
        TypeKind::Struct(fields) => {
            let field = fields.iter().find(|field| {
                let first = field.bit_offset / 8;
                field.bit_size.is_none() && (first..first + size(field.ty)).contains(&inside)
            })?;
            Some((field.ty, start + (field.bit_offset / 8) as i64))
        }
        TypeKind::Array { element, .. } => {
            let width = size(*element);
            let index = inside.checked_div(width)?;
            Some((*element, start + (index * width) as i64))
        }
        // A union is several things at once.
        _ => None,
    }
}
