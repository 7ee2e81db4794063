//! Names for bytes: the object they belong to and the part of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::{Named, ObjectId, Segment};
use brownout_ir::allocation::{self, Allocated, Count};
use brownout_ir::source::{BitField, TypeId};
use brownout_ir::variables::{self, Variable};
use brownout_ir::{Func, Global, Id, Program};
use brownout_vm::{Image, SegmentKind};

/// An object of the program, independent of the execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A global variable.
    Global(Global),
    /// A stack object of a function.
    Local(Func, brownout_ir::Slot),
    /// The return address and saved frame pointer of a function.
    Linkage(Func),
    /// Stack memory without a variable: `alloca`, outgoing arguments.
    Stack(Func),
    /// A block allocated at an operation of the user's code.
    Block {
        /// The operation.
        allocated_at: u32,
    },
    /// Something else in a segment.
    Segment(SegmentKind),
}

impl Object {
    /// The variable of a name: a global, or `function::local`.
    pub fn named(program: &Program, name: &str) -> Option<Self> {
        variables::named(program, name).map(Self::from)
    }
}

impl From<Variable> for Object {
    fn from(variable: Variable) -> Self {
        match variable {
            Variable::Global(global) => Self::Global(global),
            Variable::Local(func, slot) => Self::Local(func, slot),
        }
    }
}

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// The object.
    pub object: Object,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// Looks up objects of an image.
#[derive(Debug)]
pub struct Objects<'i> {
    /// The program.
    pub image: &'i Image,
    /// Globals by their first offset.
    globals: Vec<(u32, Global)>,
    /// What blocks hold, by the operation that allocated them, as far as somebody asked.
    blocks: RefCell<BTreeMap<u32, Option<Allocated>>>,
}

impl<'i> Objects<'i> {
    /// The objects of `image`.
    pub fn new(image: &'i Image) -> Self {
        let mut globals: Vec<(u32, Global)> = image
            .program()
            .globals
            .ids()
            .map(|global| (image.layout().offset_of(global), global))
            .collect();
        globals.sort_unstable();
        Self {
            image,
            globals,
            blocks: RefCell::default(),
        }
    }

    /// The global at an offset, and the byte in it.
    pub fn global(&self, offset: u32) -> Option<(Global, u64)> {
        let index = self
            .globals
            .partition_point(|(start, _)| *start <= offset)
            .checked_sub(1)?;
        let (start, global) = self.globals[index];
        let inside = u64::from(offset - start);
        (inside < self.image.program().globals[global].size).then_some((global, inside))
    }

    /// The offset of a global.
    pub fn offset_of(&self, global: Global) -> Option<u32> {
        let found = self.globals.iter().find(|(_, other)| *other == global);
        found.map(|(offset, _)| *offset)
    }

    /// The source type of an object, if it has one.
    pub fn type_of(&self, object: Object) -> Option<TypeId> {
        let program = self.image.program();
        match object {
            Object::Global(global) => program.globals[global].ty,
            Object::Local(func, slot) => program.functions[func]
                .body
                .as_ref()
                .and_then(|body| body.slots.get(slot))
                .and_then(|slot| slot.ty),
            Object::Linkage(_) | Object::Stack(_) | Object::Block { .. } | Object::Segment(_) => {
                None
            }
        }
    }

    /// The object of `func` that lies `distance` bytes from its frame pointer, and the byte in it.
    pub fn local(&self, func: Func, distance: i64) -> (Object, u64) {
        if distance >= 0 {
            return (Object::Linkage(func), distance as u64);
        }
        let function = &self.image.program().functions[func];
        let slots = function.body.as_ref().map(|body| &body.slots);
        for (index, &start) in self.image.frame_slots(func).iter().enumerate() {
            let slot = brownout_ir::Slot::from_index(index);
            let size = slots
                .and_then(|slots| slots.get(slot))
                .map_or(0, |slot| slot.size);
            let inside = distance - i64::from(start);
            if (0..i64::from(size)).contains(&inside) {
                return (Object::Local(func, slot), inside as u64);
            }
        }
        (Object::Stack(func), 0)
    }

    /// Whether a number of more than so many bytes is, or may be, at an offset. Members of a structure that is copied
    /// as a whole are numbers of their own: nothing carries from one to the next.
    pub fn has_number_wider_than(&self, bytes: u32, offset: u32) -> bool {
        self.number_at(offset).is_none_or(|width| width > bytes)
    }

    /// How many bytes the number has that an address is in, if its type is known.
    pub fn number_at(&self, offset: u32) -> Option<u32> {
        let globals = &self.image.program().globals;
        self.global(offset)
            .filter(|(global, _)| globals[*global].ty.is_some())?;
        let number = self.scalar(offset, None);
        u32::try_from(number.end - number.start).ok()
    }

    /// The scalar that holds a byte, as a part of its object. `frame` is the
    /// activation that owns the byte if it is on the stack.
    pub fn scalar(&self, offset: u32, frame: Option<(Func, i64)>) -> Part {
        let program = self.image.program();
        let (object, inside, ty) = match (self.global(offset), frame) {
            (Some((global, inside)), _) => {
                (Object::Global(global), inside, program.globals[global].ty)
            }
            (None, Some((func, distance))) => {
                let (object, inside) = self.local(func, distance);
                let ty = match object {
                    Object::Local(func, slot) => program.functions[func]
                        .body
                        .as_ref()
                        .and_then(|body| body.slots.get(slot))
                        .and_then(|slot| slot.ty),
                    _ => None,
                };
                (object, inside, ty)
            }
            (None, None) => {
                let kind = self
                    .image
                    .layout()
                    .segment(offset)
                    .map_or(SegmentKind::Window, |segment| segment.kind);
                return Part {
                    object: Object::Segment(kind),
                    start: offset.into(),
                    end: u64::from(offset) + 1,
                };
            }
        };
        match ty.and_then(|ty| program.source.leaf(ty, inside)) {
            Some((start, size, _)) => Part {
                object,
                start,
                end: start + size,
            },
            None => {
                let bytes = match ty.map(|ty| program.source.bit_fields(ty, inside)) {
                    Some(fields) if !fields.is_empty() => storage(&fields),
                    _ => inside..inside + 1,
                };
                Part {
                    object,
                    start: bytes.start,
                    end: bytes.end,
                }
            }
        }
    }

    /// The bit-fields that are stored in a part, in order: what the user calls them, their bits
    /// counted from the start of the part, and their types. None if it is no storage of bit-fields.
    pub fn bit_fields(&self, part: Part) -> Vec<(String, Range<u64>, TypeId)> {
        let Some(ty) = self.type_of(part.object) else {
            return Vec::new();
        };
        let fields = self.image.program().source.bit_fields(ty, part.start);
        if fields.is_empty() || storage(&fields) != (part.start..part.end) {
            return Vec::new();
        }
        let name = self.whole_name(part.object);
        let first = part.start * 8;
        fields
            .into_iter()
            .map(|field| {
                let bits = field.bits.start - first..field.bits.end - first;
                (part_of(&name, &field.path), bits, field.ty)
            })
            .collect()
    }

    /// What a whole object is called.
    pub fn whole_name(&self, object: Object) -> String {
        let end = self.size(object).unwrap_or(0);
        self.name(Part {
            object,
            start: 0,
            end,
        })
    }

    /// What the blocks hold that an operation allocates, if that is known.
    fn allocated(&self, allocated_at: u32) -> Option<Allocated> {
        let find = || {
            let func = self.image.function(allocated_at)?;
            allocation::allocated(self.image.program(), func, self.image.place(allocated_at)?)
        };
        *self
            .blocks
            .borrow_mut()
            .entry(allocated_at)
            .or_insert_with(find)
    }

    /// The scalar that holds a byte of an object: where it starts, how long it is, what it is.
    pub fn leaf(&self, object: Object, offset: u64) -> Option<(u64, u64, TypeId)> {
        let source = &self.image.program().source;
        let Object::Block { allocated_at } = object else {
            return source.leaf(self.type_of(object)?, offset);
        };
        let block = self.allocated(allocated_at)?;
        let first = offset / block.size * block.size;
        let (start, size, ty) = source.leaf(block.element, offset - first)?;
        Some((first + start, size, ty))
    }

    /// The scalar that holds a byte of a heap block of `size` bytes; a word, if nothing is known of
    /// its type.
    pub fn in_block(&self, allocated_at: u32, size: u64, inside: u64) -> Part {
        let object = Object::Block { allocated_at };
        if let Some((start, length, _)) = self.leaf(object, inside)
            && start + length <= size
        {
            return Part {
                object,
                start,
                end: start + length,
            };
        }
        let target = &self.image.program().target;
        let word = u64::from(target.int().bits(target) / 8).max(1);
        let start = inside / word * word;
        Part {
            object,
            start,
            end: (start + word).min(size),
        }
    }

    /// Where in its object a byte lies.
    pub fn inside(&self, offset: u32, frame: Option<(Func, i64)>) -> u64 {
        match (self.global(offset), frame) {
            (Some((_, inside)), _) => inside,
            (None, Some((func, distance))) => self.local(func, distance).1,
            (None, None) => 0,
        }
    }

    /// What a user calls some bytes of an object: `cal.x`, `buf[3]`.
    pub fn name(&self, part: Part) -> String {
        let program = self.image.program();
        let path = |ty: Option<TypeId>| match ty {
            Some(ty) => program.source.path(ty, part.start, part.end - part.start),
            None => String::new(),
        };
        match part.object {
            Object::Global(global) => {
                let data = &program.globals[global];
                let name = data.variable.as_deref().unwrap_or(&data.name);
                let path = match (path(data.ty), data.ty) {
                    // What a pointer points to has no name of its own.
                    (path, Some(ty)) if path.is_empty() && name.starts_with('*') => {
                        program.source.only_member(ty)
                    }
                    (path, _) => path,
                };
                part_of(name, &path)
            }
            Object::Local(func, slot) => {
                let data = program.functions[func]
                    .body
                    .as_ref()
                    .and_then(|body| body.slots.get(slot));
                match data.and_then(|slot| slot.name.as_ref().map(|name| (name, slot.ty))) {
                    Some((name, ty)) => format!("{name}{}", path(ty)),
                    None => format!("temporary of {}", program.functions[func].name),
                }
            }
            Object::Linkage(func) => format!("return address of {}", program.functions[func].name),
            Object::Stack(func) => format!("stack of {}", program.functions[func].name),
            Object::Block { allocated_at } => {
                let from = match self.place(allocated_at) {
                    Some(place) => format!(" from {place}"),
                    None => String::new(),
                };
                format!("heap block{from}{}", self.block_path(allocated_at, part))
            }
            Object::Segment(SegmentKind::Window) => {
                let offset = u32::try_from(part.start).unwrap_or(u32::MAX);
                format!("{:#06x}", self.image.layout().address(offset))
            }
            Object::Segment(SegmentKind::Heap) => "heap".to_owned(),
            Object::Segment(kind) => self.before(part.start).map_or_else(
                || segment_of(kind).name().to_owned(),
                |name| format!("memory after {name}"),
            ),
        }
    }

    /// The name of the last global in front of an offset that belongs to none: whoever gets there has
    /// gone past its end.
    fn before(&self, offset: u64) -> Option<&str> {
        let after = self
            .globals
            .partition_point(|&(start, _)| u64::from(start) <= offset);
        let (_, global) = self.globals.get(after.checked_sub(1)?)?;
        let layout = self.image.layout();
        let here = layout.segment(u32::try_from(offset).ok()?)?.kind;
        let there = layout.segment(self.globals[after - 1].0)?.kind;
        (here == there).then(|| self.image.program().globals[*global].name.as_str())
    }

    /// What names some bytes of a block; nothing for the whole of it.
    fn block_path(&self, allocated_at: u32, part: Part) -> String {
        let Some(block) = self.allocated(allocated_at) else {
            return match part.start {
                0 => String::new(),
                start => format!(", byte {start}"),
            };
        };
        let (first, last) = (
            part.start / block.size,
            part.end.saturating_sub(1) / block.size,
        );
        let whole = part.end == 0;
        match (block.count, first == last) {
            _ if whole => String::new(),
            (Count::Several, false) => format!("[{first}..{}]", last + 1),
            (Count::One, false) => String::new(),
            (count, true) => {
                let index = match count {
                    Count::One => String::new(),
                    Count::Several => format!("[{first}]"),
                };
                let inside = part.start - first * block.size;
                let source = &self.image.program().source;
                let path = source.path(block.element, inside, part.end - part.start);
                format!("{index}{path}")
            }
        }
    }

    /// Some bytes of an object in what findings say.
    pub fn named(&self, part: Part) -> Named {
        Named {
            name: self.name(part),
            whole: self.whole_name(part.object),
            id: self.id(part),
        }
    }

    /// Which object some bytes belong to, in the terms of findings.
    pub fn id(&self, part: Part) -> ObjectId {
        let program = self.image.program();
        let function = |func: Func| program.functions[func].name.clone();
        match part.object {
            Object::Global(global) => ObjectId::Variable(program.globals[global].name.clone()),
            Object::Local(func, slot) => ObjectId::Local {
                function: function(func),
                slot: slot.index() as u32,
            },
            Object::Linkage(func) | Object::Stack(func) => ObjectId::Frame(Some(function(func))),
            Object::Block { allocated_at } => match self.position(allocated_at) {
                Some((file, line, column)) => ObjectId::Block {
                    file: file.to_owned(),
                    line,
                    column,
                },
                None => ObjectId::BlockOf(allocated_at),
            },
            Object::Segment(SegmentKind::Window) => {
                let offset = u32::try_from(part.start).unwrap_or(u32::MAX);
                ObjectId::Address(self.image.layout().address(offset))
            }
            Object::Segment(kind) => ObjectId::Segment(segment_of(kind)),
        }
    }

    /// The segment an object lies in.
    pub fn segment(&self, object: Object) -> Segment {
        match object {
            Object::Global(_) => Segment::Globals,
            Object::Local(..) | Object::Linkage(_) | Object::Stack(_) => Segment::Stack,
            Object::Block { .. } => Segment::Heap,
            Object::Segment(kind) => segment_of(kind),
        }
    }

    /// How many bytes an object has, if that is fixed.
    pub fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(global) => Some(self.image.program().globals[global].size),
            Object::Local(func, slot) => self.image.program().functions[func]
                .body
                .as_ref()
                .and_then(|body| body.slots.get(slot))
                .map(|slot| slot.size.into()),
            Object::Linkage(_) | Object::Stack(_) | Object::Block { .. } | Object::Segment(_) => {
                None
            }
        }
    }

    /// `file:line` of an operation.
    fn place(&self, pc: u32) -> Option<String> {
        let (file, line, _) = self.position(pc)?;
        Some(format!("{file}:{line}"))
    }

    /// File, line and column of an operation.
    fn position(&self, pc: u32) -> Option<(&str, u32, u32)> {
        let source = &self.image.program().source;
        let data = source.places.get(self.image.place(pc)?)?;
        Some((source.files.get(data.file)?, data.line, data.column))
    }
}

/// What a part is called of a variable, or of what a pointer points to, which has the pointer's name.
fn part_of(name: &str, path: &str) -> String {
    match (name.strip_prefix('*'), path.strip_prefix('.')) {
        (Some(pointer), Some(field)) => format!("{pointer}->{field}"),
        (Some(_), None) if path == "[0]" => name.to_owned(),
        (Some(pointer), None) if !path.is_empty() => format!("{pointer}{path}"),
        _ => format!("{name}{path}"),
    }
}

/// What to add to the offset of a global to have its address.
pub(crate) fn base(image: &Image) -> u64 {
    let first = image.layout().segments().first();
    first.map_or(0, |segment| {
        segment.address - u64::from(segment.offsets.start)
    })
}

/// Where an object is, if that is always the same.
pub fn global_bytes(image: &Image, object: Object) -> Option<Range<u32>> {
    let Object::Global(global) = object else {
        return None;
    };
    let start = image.layout().offset_of(global);
    let size = u32::try_from(image.program().globals[global].size).ok()?;
    Some(start..start + size)
}

/// The bytes that bit-fields share.
fn storage(fields: &[BitField]) -> Range<u64> {
    let start = fields.iter().map(|field| field.bits.start / 8).min();
    let end = fields.iter().map(|field| field.bits.end.div_ceil(8)).max();
    start.unwrap_or(0)..end.unwrap_or(0)
}

fn segment_of(kind: SegmentKind) -> Segment {
    match kind {
        SegmentKind::Constants => Segment::Constants,
        SegmentKind::Globals => Segment::Globals,
        SegmentKind::Stack => Segment::Stack,
        SegmentKind::Heap | SegmentKind::HeapMap => Segment::Heap,
        SegmentKind::Registers | SegmentKind::Window => Segment::Registers,
    }
}
