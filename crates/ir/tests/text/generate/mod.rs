//! Random valid programs. A program is a function of a list of numbers, its
//! choices, so that shrinking the list shrinks the program.

mod function;

use brownout_ir::source::{Field, PlaceData, SourceType, TypeId, TypeKind};
use brownout_ir::*;
use proptest::prelude::*;

/// Valid programs.
pub(crate) fn programs() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u64>(), 0..1500)
        .prop_map(|choices| program(&mut Choices::new(choices)))
}

pub(crate) struct Choices {
    choices: std::vec::IntoIter<u64>,
}

impl Choices {
    fn new(choices: Vec<u64>) -> Self {
        Self {
            choices: choices.into_iter(),
        }
    }

    /// The next choice; zero when there are no more.
    fn any(&mut self) -> u64 {
        self.choices.next().unwrap_or(0)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.any() % end.max(1) as u64) as usize
    }

    fn chance(&mut self) -> bool {
        self.any() & 1 == 1
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn signed(&mut self) -> i64 {
        match self.below(5) {
            0 | 1 => 0,
            2 => self.below(100) as i64 - 50,
            3 => self.pick(&[i64::MIN, i64::MAX, -1]),
            _ => self.any() as i64,
        }
    }

    fn id<I: Id>(&mut self, count: usize) -> Option<I> {
        (count > 0 && self.chance()).then(|| I::from_index(self.below(count)))
    }

    fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "x", "count", "\"", "\\", "\n", ";", "\u{0}", "é", "🦀", "\u{2028}", "{", "\r", "\t",
            "\u{7f}", " ",
        ];
        (0..self.below(5)).map(|_| self.pick(PIECES)).collect()
    }

    fn texts(&mut self) -> Vec<String> {
        (0..self.below(3)).map(|_| self.text()).collect()
    }

    fn align(&mut self) -> u32 {
        1 << self.below(8)
    }

    fn float(&mut self) -> Type {
        use FloatKind::*;
        Type::Float(self.pick(&[Half, Single, Double, Extended, Quad]))
    }

    fn int(&mut self) -> Type {
        let wide = 1 + self.below(128) as u8;
        Type::Int(self.pick(&[1, 8, 16, 16, 32, 64, wide]))
    }

    fn ty(&mut self) -> Type {
        match self.below(4) {
            0 => Type::Ptr,
            1 => self.float(),
            _ => self.int(),
        }
    }

    fn types(&mut self) -> Vec<Type> {
        (0..self.below(4)).map(|_| self.ty()).collect()
    }

    fn origin(&mut self) -> Origin {
        self.pick(&[Origin::User, Origin::Library])
    }
}

fn program(choices: &mut Choices) -> Program {
    let target = Target {
        name: choices.text(),
        pointer_bits: choices.pick(&[16, 32, 64]),
    };
    let mut program = Program::new(target);
    program.undefined_values = choices.below(3) as u32;
    source(choices, &mut program);
    let globals = choices.below(4);
    // The shapes first, so that references can point forward.
    let count = 1 + choices.below(4);
    let mut blocks = Vec::new();
    for _ in 0..count {
        let mut function = Function {
            name: choices.text(),
            params: choices.types(),
            results: choices.types(),
            variadic: choices.chance(),
            signed: (0..choices.below(3))
                .map(|_| choices.any() as u32)
                .collect(),
            prototype: choices.chance().then(|| choices.text()),
            exported: choices.chance(),
            origin: choices.origin(),
            annotations: choices.texts(),
            place: choices.id(program.source.places.len()),
            body: None,
        };
        if function.variadic {
            function.params.push(Type::Ptr);
        }
        program.functions.push(function);
        blocks.push(if choices.below(4) == 3 {
            0
        } else {
            1 + choices.below(6)
        });
    }
    for _ in 0..globals {
        let global = global(choices, &program, globals, &blocks);
        program.globals.push(global);
    }
    for id in program.functions.ids() {
        if blocks[id.index()] > 0 {
            let body = function::FunctionBuilder::build(choices, &program, id, &blocks);
            program.functions[id].body = Some(body);
        }
        if program.functions[id].params.is_empty() {
            program.constructors.push(id);
            program.destructors.insert(0, id);
        }
    }
    program
}

fn source(choices: &mut Choices, program: &mut Program) {
    let source = &mut program.source;
    for _ in 0..choices.below(3) {
        source.files.push(choices.text());
    }
    for index in 0..choices.below(5) {
        if source.files.is_empty() {
            break;
        }
        source.places.push(PlaceData {
            file: Id::from_index(choices.below(source.files.len())),
            line: choices.any() as u32,
            column: choices.below(80) as u32,
            function: choices.text(),
            inlined_at: choices.id(index),
        });
    }
    let types = choices.below(5);
    for _ in 0..types {
        let fields = |choices: &mut Choices| {
            let field = |choices: &mut Choices| Field {
                name: choices.text(),
                ty: Id::from_index(choices.below(types)),
                bit_offset: choices.any(),
                bit_size: choices.chance().then(|| choices.any()),
            };
            (0..choices.below(3)).map(|_| field(choices)).collect()
        };
        let kind = match choices.below(11) {
            0 => TypeKind::Unsigned,
            1 => TypeKind::Signed,
            2 => TypeKind::Char,
            3 => TypeKind::Bool,
            4 => TypeKind::Float,
            5 => TypeKind::Pointer(
                choices
                    .chance()
                    .then(|| Id::from_index(choices.below(types))),
            ),
            6 => TypeKind::Enum(
                (0..choices.below(3))
                    .map(|_| (choices.text(), choices.signed()))
                    .collect(),
            ),
            7 => TypeKind::Struct(fields(choices)),
            8 => TypeKind::Union(fields(choices)),
            9 => TypeKind::Array {
                element: Id::from_index(choices.below(types)),
                count: choices.any(),
            },
            _ => TypeKind::Opaque,
        };
        source.types.push(SourceType {
            name: choices.text(),
            size: choices.any(),
            kind,
        });
    }
    // What lies outside its type is left out.
    let all = source.clone();
    for id in all.types.ids() {
        let ty = &mut source.types[id];
        match &mut ty.kind {
            TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                fields.retain(|field| all.holds(ty.size, field));
            }
            TypeKind::Array { element, count }
                if !all.holds_elements(ty.size, *element, *count) =>
            {
                *count = 0;
            }
            _ => {}
        }
    }
}

/// The type of an object of so many bytes, if it has one.
pub(crate) fn type_of_object(
    choices: &mut Choices,
    program: &Program,
    size: u64,
) -> Option<TypeId> {
    let types = &program.source.types;
    let ty = choices.id(types.len())?;
    (types[ty].size <= size).then_some(ty)
}

fn global(
    choices: &mut Choices,
    program: &Program,
    globals: usize,
    blocks: &[usize],
) -> GlobalData {
    let mut bytes = Vec::new();
    for _ in 0..choices.below(5) {
        let run = choices.below(40);
        let byte = choices.pick(&[0, 0, 1, 0xff, 0x80]);
        bytes.resize(bytes.len() + run, byte);
    }
    let mut size = bytes.len() as u64 + choices.pick(&[0, 7, 1 << 60]);
    let mut relocations = Vec::new();
    for index in 0..choices.below(4) as u64 {
        let minus = choices.chance().then(|| symbol(choices, globals, blocks));
        let bytes = 1 + choices.below(program.target.pointer_bytes() as usize) as u8;
        let symbol = symbol(choices, globals, blocks);
        relocations.push(Relocation {
            offset: index * 8,
            bytes,
            symbol,
            minus,
            addend: choices.signed(),
        });
        size = size.max(index * 8 + 8);
    }
    GlobalData {
        name: choices.text(),
        size,
        align: choices.align(),
        section: choices.chance().then(|| choices.text()),
        constant: choices.chance(),
        exported: choices.chance(),
        origin: choices.origin(),
        variable: choices.chance().then(|| choices.text()),
        ty: type_of_object(choices, program, size),
        place: choices.id(program.source.places.len()),
        annotations: choices.texts(),
        init: choices
            .chance()
            .then_some(Initializer { bytes, relocations }),
    }
}

fn symbol(choices: &mut Choices, globals: usize, blocks: &[usize]) -> Symbol {
    let function = choices.below(blocks.len());
    match choices.below(3) {
        0 => Symbol::Global(Id::from_index(choices.below(globals))),
        1 if blocks[function] > 0 => Symbol::Block(
            Id::from_index(function),
            Id::from_index(choices.below(blocks[function])),
        ),
        _ => Symbol::Func(Id::from_index(function)),
    }
}
