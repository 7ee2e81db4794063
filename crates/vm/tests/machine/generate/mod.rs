//! Random programs that run: no undefined behaviour, no endless loops (runs are
//! cut short anyway). A program is a function of a list of numbers, its
//! choices, so that shrinking the list shrinks the program.
//!
//! What they contain: several functions, direct and computed calls, bounded
//! recursion; loops, switches, computed jumps; block parameters that change
//! places; loads and stores of every width to globals, stack objects, the heap,
//! device registers; `Copy`, `Fill`, `StackAlloc`; `setjmp`; services; functions
//! bound to inputs, outputs and checkpoints. Blocks are in random order.

mod expression;
mod function;
mod statement;

use std::collections::BTreeMap;

use brownout_ir::*;
use brownout_scenario::ValueSource;
pub(crate) use brownout_testkit::Choices;
use brownout_vm::{Binding, Bindings, DeviceRegister, MemoryPlan, add_start};

use crate::support::Setup;

/// Choices of types.
trait Types {
    fn int_type(&mut self) -> Type;
    fn float_type(&mut self) -> Type;
    fn ty(&mut self) -> Type;
    fn types(&mut self, up_to: u64) -> Vec<Type>;
}

impl Types for Choices {
    fn int_type(&mut self) -> Type {
        Type::Int(self.pick(&[16, 8, 32, 64, 1, 8, 16, 32, 64, 128, 24, 33, 65, 80]))
    }

    fn float_type(&mut self) -> Type {
        use FloatKind::*;
        Type::Float(self.pick(&[Single, Double, Half, Extended, Quad]))
    }

    fn ty(&mut self) -> Type {
        match self.below(8) {
            6 => self.float_type(),
            7 => Type::Ptr,
            _ => self.int_type(),
        }
    }

    fn types(&mut self, up_to: u64) -> Vec<Type> {
        (0..self.below(up_to + 1)).map(|_| self.ty()).collect()
    }
}

/// The numbers of the parts of a generated program.
pub(crate) struct Parts {
    /// Functions with random bodies; 0 is the entry.
    functions: usize,
    /// Calls `longjmp`.
    thrower: Func,
    input: Func,
    output: Func,
    checkpoint: Func,
    ignored: Func,
    /// Variables: global and size.
    variables: Vec<Global>,
    /// Constants.
    constants: Vec<Global>,
    /// Pointers to the last two functions.
    table: Global,
    /// A `setjmp` buffer for each function.
    buffers: Vec<Global>,
    /// Device registers: plain, input, output.
    registers: [Global; 3],
}

/// A program with everything it needs.
pub(crate) fn generate(choices: &mut Choices) -> Setup {
    let pointer_bits = choices.pick(&[16, 32, 64]);
    let mut program = Program::new(Target {
        name: "test".into(),
        pointer_bits,
    });
    let parts = declare(choices, &mut program);
    for index in 0..parts.functions {
        let func = Func::from_index(index);
        let body = function::Builder::build(choices, &program, &parts, func);
        program.functions[func].body = Some(body);
    }
    program.functions[parts.thrower].body = Some(function::thrower(&program, parts.thrower));
    if let Err(errors) = verify::verify(&program) {
        panic!("{}\n{program}", errors[0]);
    }
    let start = add_start(&mut program, Func::from_index(0));
    let nonvolatile = parts
        .variables
        .iter()
        .chain(&parts.buffers)
        .copied()
        .filter(|_| choices.chance(2))
        .collect();
    let plan = MemoryPlan {
        stack_size: Some(choices.pick(&[2048, 2048, 2048, 512])),
        heap_size: Some(128),
        nonvolatile,
        stack_nonvolatile: choices.chance(2),
        heap_nonvolatile: choices.chance(2),
        ..MemoryPlan::default()
    };
    Setup {
        start,
        plan,
        bindings: bindings(&parts),
        program,
    }
}

fn bindings(parts: &Parts) -> Bindings {
    let functions = BTreeMap::from([
        (parts.input, Binding::Input(0)),
        (parts.output, Binding::Output(0)),
        (parts.checkpoint, Binding::Checkpoint),
        (parts.ignored, Binding::Ignore),
    ]);
    let whole = |global, number| DeviceRegister {
        place: brownout_vm::RegisterPlace::Global(global),
        number,
        mask: u64::MAX,
    };
    Bindings {
        functions,
        inputs: vec![
            ValueSource::Cycle(vec![7, -3, 1 << 40, 0]),
            ValueSource::Random { seed: 5 },
        ],
        input_registers: vec![whole(parts.registers[1], 1)],
        output_registers: vec![whole(parts.registers[2], 1)],
        ..Bindings::default()
    }
}

fn declare(choices: &mut Choices, program: &mut Program) -> Parts {
    let int = program.target.int();
    let functions = 1 + choices.below(4) as usize;
    let shapes = [
        (choices.types(3), choices.types(2)),
        (choices.types(6), choices.types(9)),
    ];
    for index in 0..functions {
        let (mut params, results) = match index {
            0 => (vec![], vec![int]),
            _ => shapes[choices.pick(&[0, 0, 1])].clone(),
        };
        if index > 0 {
            // How deep it may still go.
            params.insert(0, Type::Int(16));
        }
        declare_function(program, &format!("f{index}"), params, results);
    }
    let thrower = declare_function(
        program,
        "throw",
        vec![Type::Int(16), Type::Ptr, int],
        vec![],
    );
    let input = declare_function(program, "input", vec![], vec![choices.int_type()]);
    let types = choices.types(3);
    let output = declare_function(program, "output", types, vec![]);
    let checkpoint = declare_function(program, "checkpoint", vec![], vec![]);
    let (types, results) = (choices.types(2), choices.types(2));
    let ignored = declare_function(program, "ignored", types, results);
    let mut variables = vec![];
    for index in 0..1 + choices.below(4) {
        let size = 16 + choices.below(64);
        let bytes = (0..choices.below(size))
            .map(|at| (at * 37 + index) as u8)
            .collect();
        variables.push(declare_global(
            choices,
            program,
            &format!("x{index}"),
            size,
            false,
            Some(bytes),
        ));
    }
    let bytes = (0..32).map(|at| (at * 91 + 3) as u8).collect();
    let constants = vec![declare_global(choices, program, "k", 32, true, Some(bytes))];
    let table = declare_global(choices, program, "table", 16, true, Some(vec![]));
    let pointer = program.target.pointer_bytes();
    if let Some(init) = &mut program.globals[table].init {
        init.relocations = (0..2)
            .map(|index| Relocation {
                offset: u64::from(pointer) * index,
                bytes: pointer as u8,
                symbol: Symbol::Func(Func::from_index(
                    (functions - 1).saturating_sub(index as usize),
                )),
                minus: None,
                addend: 0,
            })
            .collect();
    }
    let buffers = (0..functions)
        .map(|index| {
            declare_global(
                choices,
                program,
                &format!("b{index}"),
                40,
                false,
                Some(vec![]),
            )
        })
        .collect();
    let registers = ["plain", "sensor", "port"]
        .map(|name| declare_global(choices, program, name, 16, false, None));
    Parts {
        functions,
        thrower,
        input,
        output,
        checkpoint,
        ignored,
        variables,
        constants,
        table,
        buffers,
        registers,
    }
}

fn declare_function(
    program: &mut Program,
    name: &str,
    params: Vec<Type>,
    results: Vec<Type>,
) -> Func {
    program.functions.push(Function {
        name: name.to_owned(),
        params,
        results,
        variadic: false,
        signed: vec![],
        prototype: None,
        exported: true,
        origin: Origin::User,
        annotations: vec![],
        place: None,
        body: None,
    })
}

fn declare_global(
    choices: &mut Choices,
    program: &mut Program,
    name: &str,
    size: u64,
    constant: bool,
    bytes: Option<Vec<u8>>,
) -> Global {
    program.globals.push(GlobalData {
        name: name.to_owned(),
        size,
        align: 1 << choices.below(5),
        section: None,
        constant,
        exported: true,
        origin: Origin::User,
        variable: None,
        ty: None,
        place: None,
        annotations: vec![],
        init: bytes.map(|bytes| Initializer {
            bytes,
            relocations: vec![],
        }),
    })
}
