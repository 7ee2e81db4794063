//! Code without a `main` in motion: its functions are called with whatever is possible.
//!
//! The generated start function calls the library's functions a few times in a row. Which one, and
//! with which numbers as arguments, are inputs like any other, so that the search chooses them.
//! Pointers point to memory of their own, zero at first but for the pointers in it. The device commits before every call:
//! static analysis, too, takes the entry of a function as the start of a region.

use brownout_ir::source::{TypeId, TypeKind};
use brownout_ir::{
    Arena, BEHIND, Block, BlockData, Body, Callee, Edge, Func, Function, GlobalData, Initializer,
    Inst, IntBinary, IntPredicate, Op, Operand, Origin, Program, Relocation, Service, Symbol,
    Terminator, Type,
};
use brownout_scenario::Argument;

/// How many calls are made in a row.
const CALLS: u128 = 4;
/// Bytes behind a pointer to something of unknown size.
const UNKNOWN: u64 = 64;
/// How many things of a kind are behind a pointer: it may be an array.
const ELEMENTS: u64 = 16;
/// Fewer, if so many bytes are not enough for them: memory is small.
const LARGE: u64 = 1024;
/// So many pointers are followed from an argument.
const DEPTH: usize = 2;

/// What was added to a program.
#[derive(Debug)]
pub struct Harness {
    /// Where execution begins.
    pub start: Func,
    /// The names of its inputs: functions without a body.
    pub inputs: Vec<Invented>,
    /// Memory behind pointer arguments.
    pub buffers: Vec<String>,
}

/// An input that chooses what is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invented {
    /// The function that stands for it.
    pub name: String,
    /// How many values it has, if that is known.
    pub values: Option<u64>,
}

/// A call to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Of this function.
    pub function: Func,
    /// With these arguments; those behind them can be anything.
    pub args: Vec<Argument>,
}

/// Adds a start that makes the calls `entries`.
pub fn add(program: &mut Program, entries: &[Call]) -> Harness {
    let mut builder = Builder {
        inputs: Vec::new(),
        buffers: Vec::new(),
        body: Body::default(),
        program,
    };
    let start = builder.start(entries);
    Harness {
        start,
        inputs: builder.inputs,
        buffers: builder.buffers,
    }
}

struct Builder<'p> {
    program: &'p mut Program,
    inputs: Vec<Invented>,
    buffers: Vec<String>,
    body: Body,
}

impl Builder<'_> {
    fn start(&mut self, entries: &[Call]) -> Func {
        let int = self.program.int();
        let entered = entries.iter().map(|entry| entry.function);
        let wrappers: Vec<Func> = entered.map(|entry| self.wrapper(entry)).collect();
        let choice = self.input(
            "which function is called".to_owned(),
            int,
            Some(entries.len() as u64 + 1),
        );
        // Blocks: 0 begins, 1 chooses, 2 ends, the others call.
        let (head, end) = (block(1), block(2));
        let mut blocks = Arena::new();
        let mut insts = Vec::new();
        for func in self.program.constructors.clone() {
            self.call(func, vec![], &mut insts);
        }
        blocks.push(data(vec![], insts, jump(head, vec![Operand::Bits(0)])));
        let count = self.body.values.push(int);
        let mut insts = Vec::new();
        let chosen = self.call(choice, vec![], &mut insts);
        let over = self.value(
            Type::BOOL,
            Op::IntCompare {
                op: IntPredicate::ULt,
                ty: int,
                a: count.into(),
                b: Operand::Bits(CALLS),
            },
            &mut insts,
        );
        let number = self.value(
            int,
            Op::Select {
                ty: int,
                condition: over,
                a: chosen.first().copied().unwrap_or(Operand::Bits(0)),
                b: Operand::Bits(entries.len() as u128),
            },
            &mut insts,
        );
        let next = self.value(
            int,
            Op::IntBinary {
                op: IntBinary::Add,
                ty: int,
                a: count.into(),
                b: Operand::Bits(1),
            },
            &mut insts,
        );
        let cases = (0..entries.len()).map(|index| (index as u128, edge(block(3 + index))));
        let terminator = Terminator::Switch {
            ty: int,
            value: number,
            cases: cases.collect(),
            default: edge(end),
        };
        blocks.push(data(vec![count], insts, terminator));
        let exit = Inst {
            op: Op::Service {
                service: Service::Exit,
                args: vec![Operand::Bits(0)],
            },
            results: vec![],
            place: None,
        };
        blocks.push(data(vec![], vec![exit], Terminator::Unreachable));
        for (entry, &wrapper) in entries.iter().zip(&wrappers) {
            let mut insts = Vec::new();
            let args = self.arguments(entry, &mut insts);
            self.call(wrapper, args, &mut insts);
            blocks.push(data(vec![], insts, jump(head, vec![next])));
        }
        self.body.blocks = blocks;
        let body = std::mem::take(&mut self.body);
        self.function("__brownout_start".to_owned(), vec![], vec![], Some(body))
    }

    /// Commits, then calls `entry`.
    fn wrapper(&mut self, entry: Func) -> Func {
        let name = format!("__brownout_call_{}", self.program.functions[entry].name);
        let params = self.program.functions[entry].params.clone();
        let outer = std::mem::take(&mut self.body);
        let values: Vec<_> = params.iter().map(|&ty| self.body.values.push(ty)).collect();
        let mut insts = vec![Inst {
            op: Op::Service {
                service: Service::CheckpointWith,
                args: vec![Operand::Bits(0), Operand::Bits(0)],
            },
            results: vec![],
            place: self.program.functions[entry].place,
        }];
        let args = values.iter().map(|&value| value.into()).collect();
        self.call(entry, args, &mut insts);
        self.body
            .blocks
            .push(data(values, insts, Terminator::Return(vec![])));
        let body = std::mem::replace(&mut self.body, outer);
        self.function(name, params, vec![], Some(body))
    }

    /// What a function is called with.
    fn arguments(&mut self, call: &Call, insts: &mut Vec<Inst>) -> Vec<Operand> {
        let entry = call.function;
        let params = self.program.functions[entry].params.clone();
        let function = self.program.functions[entry].name.clone();
        let mut args = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let slot = self.program.parameter(entry, index).cloned();
            let name = slot.as_ref().and_then(|slot| slot.name.clone());
            let name = name.unwrap_or_else(|| format!("argument {}", index + 1));
            let wanted = call.args.get(index).unwrap_or(&Argument::Any);
            args.push(match (wanted, ty) {
                (Argument::Number(number), Type::Int(bits)) => {
                    Operand::Bits(*number as u128 & (u128::MAX >> (128 - u32::from(bits))))
                }
                (Argument::Number(number), _) => Operand::Bits(*number as u64 as u128),
                (Argument::Address(global), _) => self.address(global),
                (Argument::Buffer(bytes), _) => {
                    let pointee = slot.and_then(|slot| pointee(self.program, slot.ty?));
                    self.memory(
                        self.program.passed(entry, index),
                        &name,
                        pointee,
                        (*bytes).into(),
                    )
                }
                (Argument::Any, Type::Ptr) => {
                    let pointee = slot.and_then(|slot| pointee(self.program, slot.ty?));
                    self.buffer(self.program.passed(entry, index), &name, pointee)
                }
                (Argument::Any, Type::Int(_)) => {
                    let input = self.input(format!("`{name}` of `{function}`"), ty, None);
                    let results = self.call(input, vec![], insts);
                    results.first().copied().unwrap_or(Operand::Bits(0))
                }
                (Argument::Any, Type::Float(_)) => Operand::Bits(0),
            });
        }
        args
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
        let global = self.program.globals.push(GlobalData {
            name: name.clone(),
            size,
            align: 8,
            section: None,
            constant: false,
            exported: false,
            origin: Origin::User,
            variable: Some(format!("*{shown}")),
            ty: pointee,
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

    /// Addresses in memory for an object of a type: its users have set its pointers.
    fn pointers(&mut self, name: &str, shown: &str, ty: Option<TypeId>) -> Vec<Relocation> {
        let kind = ty.and_then(|ty| self.program.source.types.get(ty));
        let Some(TypeKind::Struct(fields)) = kind.map(|ty| ty.kind.clone()) else {
            return Vec::new();
        };
        let mut relocations = Vec::new();
        for field in fields {
            let kind = self.program.source.types.get(field.ty);
            let Some(&TypeKind::Pointer(to)) = kind.map(|ty| &ty.kind) else {
                continue;
            };
            let offset = field.bit_offset / 8;
            let memory = self.buffer(
                format!("{name}{BEHIND}{offset}"),
                &format!("{shown}->{}", field.name),
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
    fn input(&mut self, name: String, ty: Type, values: Option<u64>) -> Func {
        let name = unique(name, |name| self.program.function(name).is_some());
        self.inputs.push(Invented {
            name: name.clone(),
            values,
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
            exported: false,
            origin: Origin::Library,
            annotations: vec![],
            place: None,
            body,
        })
    }

    fn value(&mut self, ty: Type, op: Op, insts: &mut Vec<Inst>) -> Operand {
        let value = self.body.values.push(ty);
        insts.push(Inst {
            op,
            results: vec![value],
            place: None,
        });
        value.into()
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

/// A name that nothing has yet.
fn unique(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2u32..).map(|number| format!("{name} ({number})"));
    let mut candidates = std::iter::once(name.clone()).chain(numbered);
    let free = candidates.find(|candidate| !is_taken(candidate));
    free.unwrap_or(name)
}

fn block(index: usize) -> Block {
    brownout_ir::Id::from_index(index)
}

fn edge(block: Block) -> Edge {
    Edge {
        block,
        args: vec![],
    }
}

fn jump(block: Block, args: Vec<Operand>) -> Terminator {
    Terminator::Jump(Edge { block, args })
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
