//! Transitions of a runtime that is not there: a call of one does not return, and the task that its
//! argument names comes next; if it names none, the tasks take turns (SEMANTICS §1).
//!
//! The first transition stays on the stack and goes round from task to task; every other one jumps back
//! to it. So the stack does not grow, and a task that returns is followed by the next in turn. What this
//! needs is kept in variables of the library, which a power failure leaves as they were when the task
//! began.

use std::collections::BTreeSet;

use brownout_ir::{
    Arena, Block, BlockData, Body, Callee, Edge, Func, Function, Global, GlobalData, Id,
    Initializer, Inst, IntPredicate, Op, Operand, Origin, Program, Service, Symbol, Terminator,
    Type, Value, reach,
};

/// The function that goes round, which is given the number of the task that comes next.
pub(crate) const TRANSITION: &str = "__brownout_transition";

/// Enough for what a jump needs to know.
const JUMP_WORDS: u32 = 8;

/// Gives transitions a body, which leads to one of the tasks.
pub fn add_transitions(program: &mut Program, transitions: &[Func], tasks: &[Func]) {
    let named = names(program);
    let go = add_rounds(program, tasks);
    for &transition in transitions {
        choose(program, transition, go, &named, tasks);
    }
}

/// Cuts blocks after calls of functions that do not return. What came after them stays in blocks that nothing leads to.
pub fn end_after_calls(program: &mut Program, functions: &[Func]) {
    let ends = |inst: &Inst| match &inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => functions.contains(callee),
        _ => false,
    };
    for (_, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        for block in body.blocks.ids().collect::<Vec<_>>() {
            let data = &mut body.blocks[block];
            let Some(call) = data.insts.iter().position(ends) else {
                continue;
            };
            let never = BlockData {
                params: vec![],
                insts: data.insts.split_off(call + 1),
                terminator: std::mem::replace(&mut data.terminator, Terminator::Unreachable),
                place: data.place,
            };
            body.blocks.push(never);
        }
    }
}

/// The functions that arguments of transitions may name, sorted.
pub fn nameable_tasks(program: &Program) -> Vec<Func> {
    let named = names(program).into_iter().map(|(_, task)| task);
    let named: BTreeSet<Func> = named.collect();
    named.into_iter().collect()
}

/// What a pointer may point to that names a task: the function itself, or an object that holds the
/// address of one function and of no other.
fn names(program: &Program) -> Vec<(Operand, Func)> {
    let is_task = |func: &Func| {
        let function = &program.functions[*func];
        function.body.is_some() && function.origin == Origin::User
    };
    let functions = reach::address_taken(program).into_iter().filter(is_task);
    let mut named: Vec<(Operand, Func)> =
        functions.map(|func| (Operand::Func(func), func)).collect();
    for (global, data) in program.globals.iter() {
        let relocations = data.init.iter().flat_map(|init| &init.relocations);
        let held = relocations.filter_map(|relocation| match relocation.symbol {
            Symbol::Func(func) => Some(func),
            _ => None,
        });
        let held: Vec<Func> = held.filter(is_task).collect();
        if let [task] = held[..] {
            named.push((Operand::Global(global, 0), task));
        }
    }
    named
}

/// Builds the blocks of a function one after the other.
pub(crate) struct Builder {
    pub(crate) body: Body,
    blocks: Arena<Block, BlockData>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self {
            body: Body::default(),
            blocks: Arena::new(),
        }
    }

    pub(crate) fn block(&mut self, params: Vec<Value>, insts: Vec<Inst>, terminator: Terminator) {
        self.blocks.push(BlockData {
            params,
            insts,
            terminator,
            place: None,
        });
    }

    pub(crate) fn finish(mut self) -> Body {
        self.body.blocks = self.blocks;
        self.body
    }
}

pub(crate) fn edge(block: usize) -> Edge {
    Edge {
        block: Block::from_index(block),
        args: vec![],
    }
}

pub(crate) fn inst(results: Vec<Value>, op: Op) -> Inst {
    Inst {
        results,
        op,
        place: None,
    }
}

pub(crate) fn load(result: Value, ty: Type, address: Operand) -> Inst {
    let volatile = false;
    inst(
        vec![result],
        Op::Load {
            ty,
            address,
            volatile,
        },
    )
}

pub(crate) fn store(ty: Type, address: Operand, value: Operand) -> Inst {
    let volatile = false;
    inst(
        vec![],
        Op::Store {
            ty,
            address,
            value,
            volatile,
        },
    )
}

fn service(results: Vec<Value>, service: Service, args: Vec<Operand>) -> Inst {
    inst(results, Op::Service { service, args })
}

/// A variable of the library.
pub(crate) fn variable(program: &mut Program, name: &str, size: u32) -> Global {
    program.globals.push(GlobalData {
        name: name.to_owned(),
        size: size.into(),
        align: program.target.pointer_bytes(),
        section: None,
        constant: false,
        exported: false,
        origin: Origin::Library,
        variable: None,
        ty: None,
        place: None,
        annotations: vec![],
        init: Some(Initializer {
            bytes: vec![],
            relocations: vec![],
        }),
    })
}

/// The function that goes round from task to task. The number of a task that is too large stands for the
/// next one in turn.
fn add_rounds(program: &mut Program, tasks: &[Func]) -> Func {
    let int = program.int();
    let word = program.target.pointer_bytes();
    let bytes = int.bits(&program.target) / 8;
    let place =
        |program: &mut Program, name, size| Operand::Global(variable(program, name, size), 0);
    let jump = place(program, "__brownout_task_jump", JUMP_WORDS * word.max(4));
    let goes = place(program, "__brownout_task_goes", bytes);
    let next = place(program, "__brownout_task_next", bytes);
    let turn = place(program, "__brownout_task_turn", bytes);
    let mut builder = Builder::new();
    let mut value = |ty: Type| builder.body.values.push(ty);
    let (asked, is_going) = (value(int), value(int));
    let (jumped, chosen, last) = (value(int), value(int), value(int));
    let (following, is_last, in_turn) = (value(int), value(Type::Int(1)), value(int));
    let calls: Vec<(Inst, usize)> = (4..)
        .zip(tasks)
        .map(|(block, &task)| {
            let function = &program.functions[task];
            let results = function.results.iter();
            let call = Op::Call {
                callee: Callee::Direct(task),
                args: vec![Operand::Bits(0); function.params.len()],
                arg_types: function.params.clone(),
                result_types: function.results.clone(),
            };
            let results = results.map(|&ty| value(ty)).collect();
            (inst(results, call), block)
        })
        .collect();
    // 0: which task comes next, and whether somebody goes round already.
    builder.block(
        vec![asked],
        vec![store(int, next, asked.into()), load(is_going, int, goes)],
        Terminator::Switch {
            ty: int,
            value: is_going.into(),
            cases: vec![(0, edge(2))],
            default: edge(1),
        },
    );
    // 1: back to whoever goes round.
    let back = service(vec![], Service::LongJump, vec![jump, Operand::Bits(1)]);
    builder.block(vec![], vec![back], Terminator::Unreachable);
    // 2: whoever comes first goes round.
    let mark = service(vec![jumped], Service::SetJump, vec![jump]);
    builder.block(
        vec![],
        vec![store(int, goes, Operand::Bits(1)), mark],
        Terminator::Jump(edge(3)),
    );
    // 3: the head of the loop.
    let in_turn_block = 4 + tasks.len();
    let cases = (0..)
        .zip(&calls)
        .map(|(number, (_, block))| (number, edge(*block)));
    builder.block(
        vec![],
        vec![load(chosen, int, next)],
        Terminator::Switch {
            ty: int,
            value: chosen.into(),
            cases: cases.collect(),
            default: edge(in_turn_block),
        },
    );
    // A task that returns is followed by the next one in turn.
    let nobody = Operand::Bits(tasks.len() as u128);
    for (call, _) in calls {
        builder.block(
            vec![],
            vec![call, store(int, next, nobody)],
            Terminator::Jump(edge(3)),
        );
    }
    let add = Op::IntBinary {
        op: brownout_ir::IntBinary::Add,
        ty: int,
        a: last.into(),
        b: Operand::Bits(1),
    };
    let compare = Op::IntCompare {
        op: IntPredicate::Eq,
        ty: int,
        a: following.into(),
        b: nobody,
    };
    let select = Op::Select {
        ty: int,
        condition: is_last.into(),
        a: Operand::Bits(0),
        b: following.into(),
    };
    builder.block(
        vec![],
        vec![
            load(last, int, turn),
            store(int, next, last.into()),
            inst(vec![following], add),
            inst(vec![is_last], compare),
            inst(vec![in_turn], select),
            store(int, turn, in_turn.into()),
        ],
        Terminator::Jump(edge(3)),
    );
    program.functions.push(Function {
        prototype: None,
        name: TRANSITION.to_owned(),
        params: vec![int],
        results: vec![],
        variadic: false,
        signed: vec![],
        exported: false,
        origin: Origin::Library,
        annotations: vec![],
        place: None,
        body: Some(builder.finish()),
    })
}

/// Gives a transition a body that finds the task that its arguments name.
fn choose(
    program: &mut Program,
    transition: Func,
    go: Func,
    named: &[(Operand, Func)],
    tasks: &[Func],
) {
    let int = program.int();
    let function = &program.functions[transition];
    let mut builder = Builder::new();
    let params: Vec<Value> = (function.params.iter())
        .map(|&ty| builder.body.values.push(ty))
        .collect();
    let pointers: Vec<Value> = (params.iter().zip(&function.params))
        .filter(|(_, ty)| **ty == Type::Ptr)
        .map(|(&value, _)| value)
        .collect();
    let questions = pointers.iter().flat_map(|&pointer| {
        let named = named.iter();
        named.filter_map(move |&(name, task)| {
            let number = tasks.iter().position(|&one| one == task)?;
            Some((pointer, name, number))
        })
    });
    let questions: Vec<(Value, Operand, usize)> = questions.collect();
    // A block for each question, one that does not know, and one for each answer.
    let count = questions.len();
    let call = |number: usize| {
        let op = Op::Call {
            callee: Callee::Direct(go),
            args: vec![Operand::Bits(number as u128)],
            arg_types: vec![int],
            result_types: vec![],
        };
        inst(vec![], op)
    };
    for (index, &(pointer, symbol, _)) in questions.iter().enumerate() {
        let same = builder.body.values.push(Type::Int(1));
        let compare = Op::IntCompare {
            op: IntPredicate::Eq,
            ty: Type::Ptr,
            a: pointer.into(),
            b: symbol,
        };
        let params = match index {
            0 => params.clone(),
            _ => vec![],
        };
        builder.block(
            params,
            vec![inst(vec![same], compare)],
            Terminator::Branch {
                condition: same.into(),
                then: edge(count + 1 + index),
                otherwise: edge(index + 1),
            },
        );
    }
    let unknown = match count {
        0 => params,
        _ => vec![],
    };
    builder.block(unknown, vec![call(tasks.len())], Terminator::Unreachable);
    for (_, _, task) in questions {
        builder.block(vec![], vec![call(task)], Terminator::Unreachable);
    }
    program.functions[transition].body = Some(builder.finish());
}
