//! Programs, functions, globals: the containers.

use std::collections::BTreeMap;

use crate::entity::Arena;
use crate::inst::{Inst, Op, Operand, Terminator};
use crate::source::{Place, SourceMap, TypeId};
use crate::types::{Target, Type};

crate::ids! {
    /// A function.
    Func "fn";
    /// A global object.
    Global "g";
    /// A basic block of one function.
    Block "b";
    /// A value of one function.
    Value "v";
    /// A stack object of one function.
    Slot "s";
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What it was compiled for.
    pub target: Target,
    /// All functions, with and without a body.
    pub functions: Arena<Func, Function>,
    /// All global objects.
    pub globals: Arena<Global, GlobalData>,
    /// Functions to run before the entry, in order.
    pub constructors: Vec<Func>,
    /// Functions to run after it, in order.
    pub destructors: Vec<Func>,
    /// How many `undef` and `poison` values were read as zero.
    pub undefined_values: u32,
    /// Where everything comes from.
    pub source: SourceMap,
}

impl Program {
    /// What the source says of parameter number `index`: unoptimised code keeps it in a stack object that has
    /// its name and type.
    pub fn parameter(&self, func: Func, index: usize) -> Option<ParameterData> {
        let body = self.functions[func].body.as_ref()?;
        let entry = &body.blocks[body.entry()];
        let param = *entry.params.get(index)?;
        if let Some(known) = body.parameters.get(&(index as u32)) {
            return Some(known.clone());
        }
        let slot = entry.insts.iter().find_map(|inst| match inst.op {
            Op::Store {
                address: Operand::Slot(slot, 0),
                value,
                ..
            } if value == param.into() => Some(slot),
            _ => None,
        })?;
        let slot = body.slots.get(slot)?;
        Some(ParameterData {
            name: slot.name.clone(),
            ty: slot.ty,
        })
    }

    /// The instructions of the user's code.
    pub fn user_instructions(&self) -> impl Iterator<Item = &Inst> {
        let users = self.functions.values();
        let users = users.filter(|function| function.origin == Origin::User);
        let bodies = users.filter_map(|function| function.body.as_ref());
        let blocks = bodies.flat_map(|body| body.blocks.values());
        blocks.flat_map(|block| &block.insts)
    }

    /// What the memory is called that whoever calls a function passes as argument number `index`.
    pub fn passed(&self, func: Func, index: usize) -> String {
        let name = self.parameter(func, index).and_then(|known| known.name);
        let name = name.unwrap_or_else(|| format!("argument {}", index + 1));
        format!("{}::{name}", self.functions[func].name)
    }

    /// A program with nothing in it.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            functions: Arena::new(),
            globals: Arena::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            undefined_values: 0,
            source: SourceMap::default(),
        }
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<Func> {
        self.functions
            .iter()
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    }

    /// The type C calls `int`.
    pub const fn int(&self) -> Type {
        self.target.int()
    }
}

/// Who wrote a function or global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user's sources.
    User,
    /// The C library that comes with the tool.
    Library,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// Types of its parameters. A variadic function has a last parameter of
    /// pointer type: the address of the area that holds the variable arguments.
    pub params: Vec<Type>,
    /// Types of its results (structures are returned as several values).
    pub results: Vec<Type>,
    /// Whether the last parameter is the area of variable arguments.
    pub variadic: bool,
    /// The parameters, by index, that are narrower than `int` and have a sign.
    pub signed: Vec<u32>,
    /// How it is declared in the source, as far as that is known: see [`crate::prototype`].
    pub prototype: Option<String>,
    /// Whether other translation units can see it.
    pub exported: bool,
    /// Who wrote it.
    pub origin: Origin,
    /// `__attribute__((annotate))` strings.
    pub annotations: Vec<String>,
    /// Where it is defined.
    pub place: Option<Place>,
    /// The code; a function without is bound by the scenario.
    pub body: Option<Body>,
}

/// The code of a function. Block 0 is the entry; its parameters are the function's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The blocks.
    pub blocks: Arena<Block, BlockData>,
    /// The type of every value.
    pub values: Arena<Value, Type>,
    /// The stack objects of an activation.
    pub slots: Arena<Slot, SlotData>,
    /// What the source says of parameters that optimised code keeps in registers, by number.
    pub parameters: BTreeMap<u32, ParameterData>,
}

/// What the source says of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterData {
    /// Its name.
    pub name: Option<String>,
    /// Its type.
    pub ty: Option<TypeId>,
}

impl Body {
    /// The block where execution starts.
    pub fn entry(&self) -> Block {
        crate::Id::from_index(0)
    }

    /// Whether the address of a stack object is used for anything but loads and stores, at offsets of
    /// which `is_known` is true.
    pub fn escapes(&self, target: &Target, slot: Slot, is_known: impl Fn(i64) -> bool) -> bool {
        let is_address =
            |operand: Operand| matches!(operand, Operand::Slot(other, _) if other == slot);
        let is_elsewhere = |address: Operand| matches!(address, Operand::Slot(other, offset) if other == slot && !is_known(offset));
        let mut escapes = false;
        for block in self.blocks.values() {
            for inst in &block.insts {
                match inst.op {
                    Op::Load { address, .. } => escapes |= is_elsewhere(address),
                    Op::Store { address, value, .. } => {
                        escapes |= is_address(value) || is_elsewhere(address);
                    }
                    ref op => {
                        op.visit_operands(target, |operand, _| escapes |= is_address(operand))
                    }
                }
            }
            block
                .terminator
                .visit_operands(|operand| escapes |= is_address(operand));
        }
        escapes
    }
}

/// A straight line of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// Values given by whoever jumps here.
    pub params: Vec<Value>,
    /// The instructions before the terminator.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub terminator: Terminator,
    /// The terminator's source place.
    pub place: Option<Place>,
}

/// A stack object: a local variable or a temporary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotData {
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// The variable's name, if it is one.
    pub name: Option<String>,
    /// The variable's type.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub place: Option<Place>,
    /// `__attribute__((annotate))` strings.
    pub annotations: Vec<String>,
}

/// A global object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalData {
    /// Its symbol; locals of functions are `function.name` as the compiler spells them.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// The linker section asked for.
    pub section: Option<String>,
    /// Never written.
    pub constant: bool,
    /// Whether other translation units can see it.
    pub exported: bool,
    /// Who wrote it.
    pub origin: Origin,
    /// The name and type in the source.
    pub variable: Option<String>,
    /// The type of the variable.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub place: Option<Place>,
    /// `__attribute__((annotate))` strings.
    pub annotations: Vec<String>,
    /// Contents at power-on; none means declared elsewhere: a device register.
    pub init: Option<Initializer>,
}

/// What a global holds at power-on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initializer {
    /// The leading bytes; what follows up to the size is zero.
    pub bytes: Vec<u8>,
    /// Addresses to be filled in.
    pub relocations: Vec<Relocation>,
}

/// Between what memory is called and the offset of the pointer in it that leads to further memory.
pub const BEHIND: &str = "->";

/// An address inside an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where in the object.
    pub offset: u64,
    /// How many bytes of the address are stored.
    pub bytes: u8,
    /// Whose address.
    pub symbol: Symbol,
    /// Whose address is taken off (tables of label differences).
    pub minus: Option<Symbol>,
    /// Added to the address.
    pub addend: i64,
}

/// Something with an address known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A global.
    Global(Global),
    /// A function.
    Func(Func),
    /// A block of a function.
    Block(Func, Block),
}
