//! Names for bytes: the object they belong to and the part of it.

use brownout_ir::source::TypeId;
use brownout_ir::{Func, Global, Id};
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
    pub fn named(program: &brownout_ir::Program, name: &str) -> Option<Self> {
        if let Some((function, local)) = name.split_once("::") {
            let func = program.function(function)?;
            let slots = &program.functions[func].body.as_ref()?.slots;
            let (slot, _) = slots
                .iter()
                .find(|(_, slot)| slot.name.as_deref() == Some(local))?;
            return Some(Self::Local(func, slot));
        }
        let (global, _) = program
            .globals
            .iter()
            .find(|(_, global)| global.variable.as_deref().unwrap_or(&global.name) == name)?;
        Some(Self::Global(global))
    }
}

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    image: &'i Image,
    /// Globals by their first offset.
    globals: Vec<(u32, Global)>,
}

impl<'i> Objects<'i> {
    /// The objects of `image`.
    pub fn new(image: &'i Image) -> Self {
        let base = image.layout().segments().first().map_or(0, |segment| {
            segment.address - u64::from(segment.offsets.start)
        });
        let mut globals: Vec<(u32, Global)> = image
            .program()
            .globals
            .ids()
            .map(|global| ((image.layout().global(global) - base) as u32, global))
            .collect();
        globals.sort_unstable();
        Self { image, globals }
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
    pub(crate) fn offset_of(&self, global: Global) -> Option<u32> {
        let found = self.globals.iter().find(|(_, other)| *other == global);
        found.map(|(offset, _)| *offset)
    }

    /// The source type of an object, if it has one.
    pub(crate) fn type_of(&self, object: Object) -> Option<TypeId> {
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
            None => Part {
                object,
                start: inside,
                end: inside + 1,
            },
        }
    }

    /// Where in its object a byte lies.
    pub(crate) fn inside(&self, offset: u32, frame: Option<(Func, i64)>) -> u64 {
        match (self.global(offset), frame) {
            (Some((_, inside)), _) => inside,
            (None, Some((func, distance))) => self.local(func, distance).1,
            (None, None) => 0,
        }
    }

    /// The bytes of a scalar as the user would write its value.
    pub fn value(&self, part: Part, bytes: &[u8]) -> String {
        use brownout_ir::source::TypeKind;
        let program = self.image.program();
        let ty = self.type_of(part.object);
        let leaf = ty.and_then(|ty| program.source.leaf(ty, part.start));
        let kind = leaf
            .and_then(|(_, _, ty)| program.source.types.get(ty))
            .map(|ty| &ty.kind);
        let mut wide = [0; 16];
        let length = bytes.len().min(16);
        wide[..length].copy_from_slice(&bytes[..length]);
        let unsigned = u128::from_le_bytes(wide);
        let bits = (length as u32 * 8).max(1);
        match kind {
            Some(TypeKind::Signed | TypeKind::Enum(_)) => {
                brownout_ir::eval::wide::signed(bits, unsigned).to_string()
            }
            Some(TypeKind::Bool) => (unsigned & 1 != 0).to_string(),
            Some(TypeKind::Char) if (0x20..0x7f).contains(&unsigned) => {
                format!("'{}'", unsigned as u8 as char)
            }
            Some(TypeKind::Float) if length == 4 => f32::from_bits(unsigned as u32).to_string(),
            Some(TypeKind::Float) if length == 8 => f64::from_bits(unsigned as u64).to_string(),
            Some(TypeKind::Pointer(_)) => format!("{unsigned:#x}"),
            Some(TypeKind::Unsigned | TypeKind::Char) | None => unsigned.to_string(),
            Some(_) => format!("{unsigned:#x}"),
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
                format!(
                    "{}{}",
                    data.variable.as_deref().unwrap_or(&data.name),
                    path(data.ty)
                )
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
            Object::Block { allocated_at } => match self.place(allocated_at) {
                Some(place) => format!("heap block from {place}"),
                None => "heap block".to_owned(),
            },
            Object::Segment(kind) => segment_name(kind).to_owned(),
        }
    }

    /// The segment an object lies in.
    pub fn segment(&self, object: Object) -> &'static str {
        match object {
            Object::Global(_) => "globals",
            Object::Local(..) | Object::Linkage(_) | Object::Stack(_) => "stack",
            Object::Block { .. } => "heap",
            Object::Segment(kind) => segment_name(kind),
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
        let source = &self.image.program().source;
        let data = source.places.get(self.image.place(pc)?)?;
        Some(format!("{}:{}", source.files.get(data.file)?, data.line))
    }
}

fn segment_name(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Constants => "constants",
        SegmentKind::Globals => "globals",
        SegmentKind::Stack => "stack",
        SegmentKind::Heap | SegmentKind::HeapMap => "heap",
        SegmentKind::Registers | SegmentKind::Window => "registers",
    }
}
