//! Code without a `main` in motion: its functions are called with whatever is possible.
//!
//! The generated start function calls the library's functions one after the other, until it is told to stop.
//! Which one, and with which numbers as arguments, are inputs like any other, so that the search chooses them.
//! Pointers point to memory of their own, zero at first but for the pointers in it; numbers in it that the
//! function only reads are chosen like its arguments. What a function returns its caller sees: it is an output.
//!
//! The device commits before it chooses a call and before it makes it: static analysis, too, takes the entry of
//! a function as the start of a region. So the call and its arguments are the same in every attempt.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_ir::source::{Place, SourceType, TypeId, TypeKind};
use brownout_ir::{
    Arena, BEHIND, Block, BlockData, Body, Callee, CastOp, Edge, FloatKind, Func, Function,
    GlobalData, Id, Initializer, Inst, Op, Operand, Origin, Program, Relocation, Service, Symbol,
    Terminator, Type, reach,
};
use brownout_scenario::Argument;

use crate::answers::Answer;

/// Bytes behind a pointer to something of unknown size.
const UNKNOWN: u64 = 64;
/// How many things of a kind are behind a pointer: it may be an array.
const ELEMENTS: u64 = 16;
/// Fewer, if so many bytes are not enough for them: memory is small.
const LARGE: u64 = 1024;
/// So many pointers are followed from an argument.
const DEPTH: usize = 2;
/// So many numbers behind a pointer are chosen.
const NUMBERS: usize = 8;
/// So many outputs are told what to return in one call.
const ANSWERS: usize = 6;
/// What numbers of floating point are chosen as.
const WHOLE: Type = Type::Int(16);

/// What was added to a program.
#[derive(Debug)]
pub struct Harness {
    /// Where execution begins.
    pub start: Func,
    /// Its inputs: functions without a body. The first one chooses what is called, by the number of the call;
    /// any other number ends the program.
    pub inputs: Vec<Invented>,
    /// The names of its outputs: functions without a body that get what calls return.
    pub outputs: Vec<String>,
    /// What can be called.
    pub calls: Vec<Called>,
    /// What outputs return.
    pub answers: Vec<Answer>,
    /// Whether these are all calls that there are, but for numbers that nobody has tried.
    pub is_complete: bool,
    /// Memory behind pointer arguments.
    pub buffers: Vec<String>,
    /// Pointer arguments, as [`Program::passed`] calls what they point to, that point to globals instead.
    pub given: Vec<(String, String)>,
}

/// An input that chooses what is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invented {
    /// The function that stands for it.
    pub name: String,
    /// What it gives.
    pub gives: Gives,
}

/// What an invented input gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// The number of a call, of so many; after them the number of none.
    Calls(u64),
    /// An argument of a function.
    Argument(Func),
    /// What an output returns, by its number among the answers.
    Answer(usize),
}

/// What can be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Called {
    /// The function.
    pub function: String,
    /// The arguments that the search chooses, and which of the inputs give them.
    pub args: Vec<(String, usize)>,
    /// The same of what outputs return while it runs.
    pub answers: Vec<(String, usize)>,
}

/// A call to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Of this function.
    pub function: Func,
    /// With these arguments; those behind them can be anything.
    pub args: Vec<Argument>,
    /// Bytes behind its pointer arguments, by their numbers, that it reads and never writes.
    pub told: BTreeMap<u32, Vec<Range<u64>>>,
}

/// Adds a start that makes the calls `entries` and says what outputs return in them.
pub fn add(program: &mut Program, entries: &[Call], answers: Vec<Answer>) -> Harness {
    let is_number = |ty: &Type| matches!(ty, Type::Int(_));
    let mut functions = entries.iter().map(|call| &program.functions[call.function]);
    let is_complete = functions.all(|function| function.params.iter().all(is_number));
    let mut builder = Builder {
        inputs: Vec::new(),
        outputs: Vec::new(),
        calls: Vec::new(),
        answers: &answers,
        buffers: Vec::new(),
        given: Vec::new(),
        body: Body::default(),
        program,
    };
    let start = builder.start(entries);
    Harness {
        start,
        inputs: builder.inputs,
        outputs: builder.outputs,
        calls: builder.calls,
        is_complete,
        buffers: builder.buffers,
        given: builder.given,
        answers,
    }
}

struct Builder<'p> {
    program: &'p mut Program,
    inputs: Vec<Invented>,
    outputs: Vec<String>,
    calls: Vec<Called>,
    answers: &'p [Answer],
    buffers: Vec<String>,
    given: Vec<(String, String)>,
    body: Body,
}

impl Builder<'_> {
    fn start(&mut self, entries: &[Call]) -> Func {
        let int = self.program.int();
        let choice = self.input(
            "which function is called".to_owned(),
            int,
            Gives::Calls(entries.len() as u64),
        );
        // Blocks: 0 begins, 1 chooses, 2 ends, the others call.
        let (head, end) = (block(1), block(2));
        let mut blocks = Arena::new();
        let mut insts = Vec::new();
        for func in self.program.constructors.clone() {
            self.call(func, vec![], &mut insts);
        }
        blocks.push(data(vec![], insts, Terminator::Jump(edge(head))));
        let mut insts = vec![commit(None)];
        let chosen = self.call(choice, vec![], &mut insts);
        let cases = (0..entries.len()).map(|index| (index as u128, edge(block(3 + index))));
        let terminator = Terminator::Switch {
            ty: int,
            value: chosen.first().copied().unwrap_or(Operand::Bits(0)),
            cases: cases.collect(),
            default: edge(end),
        };
        blocks.push(data(vec![], insts, terminator));
        let exit = Inst {
            op: Op::Service {
                service: Service::Exit,
                args: vec![Operand::Bits(0)],
            },
            results: vec![],
            place: None,
        };
        blocks.push(data(vec![], vec![exit], Terminator::Unreachable));
        for entry in entries {
            let mut insts = Vec::new();
            let args = self.arguments(entry, &mut insts);
            self.call_of(entry.function, args, &mut insts);
            blocks.push(data(vec![], insts, Terminator::Jump(edge(head))));
        }
        self.body.blocks = blocks;
        let body = std::mem::take(&mut self.body);
        self.function("__brownout_start".to_owned(), vec![], vec![], Some(body))
    }

    /// Commits, calls `entry` and hands on what it returns.
    fn call_of(&mut self, entry: Func, args: Vec<Operand>, insts: &mut Vec<Inst>) {
        insts.push(commit(self.program.functions[entry].place));
        let results = self.call(entry, args, insts);
        let types = self.program.functions[entry].results.clone();
        if let ([result], [Type::Int(1..=64)]) = (&results[..], &types[..]) {
            let shown = format!("result of {}", self.program.functions[entry].name);
            let shown = unique(shown, |name| self.program.function(name).is_some());
            let output = self.function(shown.clone(), types, vec![], None);
            self.outputs.push(shown);
            self.call(output, vec![*result], insts);
        }
    }

    /// What a function is called with.
    fn arguments(&mut self, call: &Call, insts: &mut Vec<Inst>) -> Vec<Operand> {
        let entry = call.function;
        let params = self.program.functions[entry].params.clone();
        let function = self.program.functions[entry].name.clone();
        let mut called = Called {
            function: function.clone(),
            args: Vec::new(),
            answers: self.answered(entry, insts),
        };
        let mut args = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let parameter = self.program.parameter(entry, index).unwrap_or_default();
            let name = parameter.name;
            let name = name.unwrap_or_else(|| format!("argument {}", index + 1));
            let wanted = call.args.get(index).unwrap_or(&Argument::Any);
            args.push(match (wanted, ty) {
                (Argument::Number(number), Type::Int(bits)) => {
                    Operand::Bits(*number as u128 & (u128::MAX >> (128 - u32::from(bits))))
                }
                (Argument::Number(number), _) => Operand::Bits(*number as u64 as u128),
                (Argument::Address(global), _) => {
                    let passed = self.program.passed(entry, index);
                    self.given.push((passed, global.clone()));
                    self.address(global)
                }
                (Argument::Buffer(bytes), _) => {
                    let pointee = parameter.ty.and_then(|ty| pointee(self.program, ty));
                    self.memory(
                        self.program.passed(entry, index),
                        &name,
                        pointee,
                        (*bytes).into(),
                    )
                }
                (Argument::Any, Type::Ptr) => {
                    let pointee = parameter.ty.and_then(|ty| pointee(self.program, ty));
                    let buffer = self.buffer(self.program.passed(entry, index), &name, pointee);
                    let told = call
                        .told
                        .get(&(index as u32))
                        .map_or(&[][..], Vec::as_slice);
                    for number in numbers(self.program, pointee, &name, told) {
                        self.tell(entry, &number, buffer, &mut called, insts);
                    }
                    buffer
                }
                (Argument::Any, Type::Int(_) | Type::Float(_)) => {
                    called.args.push((name.clone(), self.inputs.len()));
                    self.chosen(entry, format!("`{name}` of `{function}`"), ty, insts)
                }
            });
        }
        self.calls.push(called);
        args
    }

    /// Puts what the search chooses where those outputs look that a call of `entry` may come to. It comes before
    /// the arguments: an output that fails ends most calls, whatever they are given.
    fn answered(&mut self, entry: Func, insts: &mut Vec<Inst>) -> Vec<(String, usize)> {
        let reached = reach::reachable(self.program, &[entry]);
        let answers = self.answers;
        let looked_at = answers.iter().enumerate().filter(|(_, answer)| {
            let mut callers = answer.callers.iter();
            callers.any(|caller| reached[caller.index()])
        });
        let mut told = Vec::new();
        for (number, answer) in looked_at.take(ANSWERS) {
            told.push((answer.output.clone(), self.inputs.len()));
            let function = &self.program.functions[entry].name;
            let name = format!("what `{}` returns in `{function}`", answer.output);
            let input = self.input(name, answer.ty, Gives::Answer(number));
            let results = self.call(input, vec![], insts);
            insts.push(Inst {
                op: Op::Store {
                    ty: answer.ty,
                    address: Operand::Global(answer.variable, 0),
                    value: results.first().copied().unwrap_or(Operand::Bits(0)),
                    volatile: false,
                },
                results: vec![],
                place: None,
            });
        }
        told
    }

    /// A number of a type that the search chooses for a call of `entry`; of floating point a whole one.
    fn chosen(&mut self, entry: Func, name: String, ty: Type, insts: &mut Vec<Inst>) -> Operand {
        let whole = match ty {
            Type::Float(_) => WHOLE,
            ty => ty,
        };
        let input = self.input(name, whole, Gives::Argument(entry));
        let results = self.call(input, vec![], insts);
        let number = results.first().copied().unwrap_or(Operand::Bits(0));
        if whole == ty {
            return number;
        }
        let converted = self.body.values.push(ty);
        insts.push(Inst {
            op: Op::Cast {
                op: CastOp::SIntToFloat,
                from: whole,
                to: ty,
                a: number,
            },
            results: vec![converted],
            place: None,
        });
        converted.into()
    }

    /// Puts a number that the search chooses into memory.
    fn tell(
        &mut self,
        entry: Func,
        number: &Number,
        buffer: Operand,
        called: &mut Called,
        insts: &mut Vec<Inst>,
    ) {
        let Operand::Global(global, start) = buffer else {
            return;
        };
        let function = &self.program.functions[entry].name;
        let shown = format!("`{}` of `{function}`", number.name);
        called.args.push((number.name.clone(), self.inputs.len()));
        let value = self.chosen(entry, shown, number.ty, insts);
        insts.push(Inst {
            op: Op::Store {
                ty: number.ty,
                address: Operand::Global(global, start + number.offset as i64),
                value,
                volatile: false,
            },
            results: vec![],
            place: None,
        });
    }

    /// Where a global is; the scenario has made sure that it exists.
    fn address(&self, name: &str) -> Operand {
        let mut globals = self.program.globals.iter();
        let found = globals.find(|(_, data)| data.name == name);
        found.map_or(Operand::Bits(0), |(global, _)| Operand::Global(global, 0))
    }

    /// Memory for a pointer to point to, as much as its type asks for.
    fn buffer(&mut self, name: String, shown: &str, pointee: Option<TypeId>) -> Operand {
        let ty = pointee.and_then(|ty| self.program.source.types.get(ty));
        let size = ty.map_or(UNKNOWN, |ty| {
            let element = ty.size.max(1);
            element * (LARGE / element).clamp(1, ELEMENTS)
        });
        self.memory(name, shown, pointee, size)
    }

    fn memory(&mut self, name: String, shown: &str, pointee: Option<TypeId>, size: u64) -> Operand {
        let name = unique(name, |name| {
            self.program.globals.values().any(|data| data.name == name)
        });
        let relocations = match name.matches(BEHIND).count() < DEPTH {
            true => self.pointers(&name, shown, pointee),
            false => Vec::new(),
        };
        let ty = pointee.map(|ty| self.several(ty, size));
        let global = self.program.globals.push(GlobalData {
            name: name.clone(),
            size,
            align: 8,
            section: None,
            constant: false,
            exported: false,
            origin: Origin::User,
            variable: Some(format!("*{shown}")),
            ty,
            place: None,
            annotations: vec![],
            init: Some(Initializer {
                bytes: vec![],
                relocations,
            }),
        });
        self.buffers.push(name);
        Operand::Global(global, 0)
    }

    /// The type of so many bytes of numbers of a type; others are taken to be one.
    fn several(&mut self, element: TypeId, size: u64) -> TypeId {
        let types = &mut self.program.source.types;
        let Some(data) = types.get(element) else {
            return element;
        };
        let is_number = matches!(
            data.kind,
            TypeKind::Unsigned
                | TypeKind::Signed
                | TypeKind::Char
                | TypeKind::Bool
                | TypeKind::Float
                | TypeKind::Enum(_)
        );
        let count = size.checked_div(data.size).unwrap_or(0);
        match is_number && count > 1 {
            true => types.push(SourceType {
                name: String::new(),
                size,
                kind: TypeKind::Array { element, count },
            }),
            false => element,
        }
    }

    /// The pointers in a structure and in those that are parts of it: where they are, what they are called, and
    /// what they point to.
    fn members(&self, ty: TypeId) -> Vec<(u64, String, Option<TypeId>)> {
        let types = &self.program.source.types;
        let mut found = Vec::new();
        let mut open = vec![(ty, 0, String::new(), 0)];
        while let Some((ty, start, path, depth)) = open.pop() {
            let Some(TypeKind::Struct(fields)) = types.get(ty).map(|ty| &ty.kind) else {
                continue;
            };
            for field in fields {
                let offset = start + field.bit_offset / 8;
                let name = match (path.is_empty(), field.name.is_empty()) {
                    (_, true) => path.clone(),
                    (true, false) => field.name.clone(),
                    (false, false) => format!("{path}.{}", field.name),
                };
                match types.get(field.ty).map(|ty| &ty.kind) {
                    Some(&TypeKind::Pointer(to)) => found.push((offset, name, to)),
                    Some(TypeKind::Struct(_)) if depth < DEPTH => {
                        open.push((field.ty, offset, name, depth + 1));
                    }
                    _ => {}
                }
            }
        }
        found.sort_by_key(|(offset, _, _)| *offset);
        found
    }

    /// Addresses in memory for an object of a type: its users have set its pointers.
    fn pointers(&mut self, name: &str, shown: &str, ty: Option<TypeId>) -> Vec<Relocation> {
        let mut relocations = Vec::new();
        for (offset, path, to) in ty.map_or_else(Vec::new, |ty| self.members(ty)) {
            let memory = self.buffer(
                format!("{name}{BEHIND}{offset}"),
                &format!("{shown}->{path}"),
                to,
            );
            if let Operand::Global(global, _) = memory {
                relocations.push(Relocation {
                    offset,
                    bytes: self.program.target.pointer_bits / 8,
                    symbol: Symbol::Global(global),
                    minus: None,
                    addend: 0,
                });
            }
        }
        relocations
    }

    /// A function that gives what the search wants.
    fn input(&mut self, name: String, ty: Type, gives: Gives) -> Func {
        let name = unique(name, |name| self.program.function(name).is_some());
        self.inputs.push(Invented {
            name: name.clone(),
            gives,
        });
        self.function(name, vec![], vec![ty], None)
    }

    fn function(
        &mut self,
        name: String,
        params: Vec<Type>,
        results: Vec<Type>,
        body: Option<Body>,
    ) -> Func {
        self.program.functions.push(Function {
            name,
            params,
            results,
            variadic: false,
            signed: vec![],
            prototype: None,
            exported: false,
            origin: Origin::Library,
            annotations: vec![],
            place: None,
            body,
        })
    }

    fn call(&mut self, func: Func, args: Vec<Operand>, insts: &mut Vec<Inst>) -> Vec<Operand> {
        let function = &self.program.functions[func];
        let (arg_types, result_types) = (function.params.clone(), function.results.clone());
        let results: Vec<_> = (result_types.iter())
            .map(|&ty| self.body.values.push(ty))
            .collect();
        let operands = results.iter().map(|&value| value.into()).collect();
        insts.push(Inst {
            op: Op::Call {
                callee: Callee::Direct(func),
                args,
                arg_types,
                result_types,
            },
            results,
            place: None,
        });
        operands
    }
}

/// A number in memory.
struct Number {
    name: String,
    offset: u64,
    ty: Type,
}

/// The numbers in what a pointer points to that lie in some ranges of bytes, the first ones.
fn numbers(
    program: &Program,
    pointee: Option<TypeId>,
    pointer: &str,
    wanted: &[Range<u64>],
) -> Vec<Number> {
    let mut found = Vec::new();
    let Some(ty) = pointee else {
        return found;
    };
    let types = &program.source.types;
    let size = types.get(ty).map_or(0, |ty| ty.size);
    let is_structure = types
        .get(ty)
        .is_some_and(|ty| matches!(ty.kind, TypeKind::Struct(_)));
    let is_wanted = |offset: u64, size: u64| {
        let mut wanted = wanted.iter();
        wanted.any(|range| range.start < offset + size && offset < range.end)
    };
    for element in 0..ELEMENTS {
        let start = element * size;
        if size == 0 || found.len() >= NUMBERS || !is_wanted(start, size) {
            continue;
        }
        let name = match (is_structure, element) {
            (true, 0) => format!("{pointer}->"),
            (true, _) => format!("{pointer}[{element}]."),
            (false, _) => format!("{pointer}[{element}]"),
        };
        collect(program, ty, (start, name), &is_wanted, &mut found);
    }
    found
}

fn collect(
    program: &Program,
    ty: TypeId,
    (start, name): (u64, String),
    is_wanted: &dyn Fn(u64, u64) -> bool,
    found: &mut Vec<Number>,
) {
    let Some(data) = program.source.types.get(ty) else {
        return;
    };
    if found.len() >= NUMBERS || !is_wanted(start, data.size) {
        return;
    }
    match &data.kind {
        TypeKind::Unsigned
        | TypeKind::Signed
        | TypeKind::Char
        | TypeKind::Bool
        | TypeKind::Enum(_)
            if matches!(data.size, 1 | 2 | 4 | 8) =>
        {
            // A truth value is one bit.
            let bits = match data.kind {
                TypeKind::Bool => 1,
                _ => data.size as u8 * 8,
            };
            found.push(Number {
                name: named(&name),
                offset: start,
                ty: Type::Int(bits),
            });
        }
        TypeKind::Float if matches!(data.size, 4 | 8) => {
            let kind = match data.size {
                4 => FloatKind::Single,
                _ => FloatKind::Double,
            };
            found.push(Number {
                name: named(&name),
                offset: start,
                ty: Type::Float(kind),
            });
        }
        TypeKind::Struct(fields) => {
            for field in fields.iter().filter(|field| field.bit_size.is_none()) {
                let joint = match name.ends_with("->") || name.ends_with('.') {
                    true => "",
                    false => ".",
                };
                let place = (
                    start + field.bit_offset / 8,
                    format!("{name}{joint}{}", field.name),
                );
                collect(program, field.ty, place, is_wanted, found);
            }
        }
        TypeKind::Array { element, count } => {
            let size = program.source.types.get(*element).map_or(0, |ty| ty.size);
            for index in 0..(*count).min(UNKNOWN) {
                if found.len() >= NUMBERS {
                    break;
                }
                let place = (start + index * size, format!("{name}[{index}]"));
                collect(program, *element, place, is_wanted, found);
            }
        }
        TypeKind::Unsigned
        | TypeKind::Signed
        | TypeKind::Char
        | TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Float
        | TypeKind::Pointer(_)
        | TypeKind::Union(_)
        | TypeKind::Opaque => {}
    }
}

/// The name of a number, without what would join it to that of a part.
fn named(path: &str) -> String {
    let name = path.trim_end_matches("->").trim_end_matches('.');
    name.to_owned()
}

/// A name that nothing has yet.
fn unique(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2u32..).map(|number| format!("{name} ({number})"));
    let mut candidates = std::iter::once(name.clone()).chain(numbered);
    let free = candidates.find(|candidate| !is_taken(candidate));
    free.unwrap_or(name)
}

fn block(index: usize) -> Block {
    Id::from_index(index)
}

fn edge(block: Block) -> Edge {
    Edge {
        block,
        args: vec![],
    }
}

/// The device commits here.
fn commit(place: Option<Place>) -> Inst {
    Inst {
        op: Op::Service {
            service: Service::CheckpointWith,
            args: vec![Operand::Bits(0), Operand::Bits(0)],
        },
        results: vec![],
        place,
    }
}

fn data(params: Vec<brownout_ir::Value>, insts: Vec<Inst>, terminator: Terminator) -> BlockData {
    BlockData {
        params,
        insts,
        terminator,
        place: None,
    }
}

fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    let (_, _, leaf) = program.source.leaf(ty, 0)?;
    match program.source.types.get(leaf)?.kind {
        TypeKind::Pointer(to) => to,
        _ => None,
    }
}
