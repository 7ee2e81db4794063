//! Callbacks of a kernel that is not there: functions that a program gives to others, which call them later.
//!
//! The program is executed as it is up to where it has done what it does by itself: it returns, comes to a loop that
//! no path leaves, or calls somebody who does not come back. From then on the callbacks that it has given away by then
//! are called, with what was given with them: one in each round, in turn with the rounds of the program's own loop, for
//! ever. So each call of one is a round of its own, between two quiet moments (SEMANTICS §2). A task that never
//! returns is called once instead, and goes round by itself. Where the program waits for what only a callback sets
//! (`while (!done) sleep();`), callbacks are called in turn until it has come; a loop of which every round waits so
//! gives them no other turns.
//!
//! What this needs is kept in variables of the library, which are volatile: every boot gives callbacks away again.

use std::collections::BTreeSet;

use brownout_ir::source::Place;
use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, BlockData, Body, Callee, Edge, Func, Function, Id, Inst, IntBinary, IntPredicate, Op,
    Operand, Origin, Program, Terminator, Type, Value, reach,
};

use crate::awaited::{Awaited, Wait};
use crate::loops::{endless_heads, loop_bodies};
use crate::tasks::{Builder, edge, inst, load, store, variable};

/// The function of the library that calls the callback whose turn it is.
const CALLBACK: &str = "__brownout_callback";

/// A function that the program gives to others to call.
#[derive(Clone, Debug)]
pub struct Callback {
    /// The function.
    pub function: Func,
    /// Where it is given to them.
    pub registrations: Vec<Registration>,
}

/// A call that gives a function to others.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The function that makes the call, the block, and the number of the instruction in it.
    pub at: (Func, Block, usize),
    /// The function that is called, and keeps the callback.
    pub to: Func,
    /// What has to be the address of the function then: an execution may have put another one there. None if that is not
    /// known, or the function itself is an argument.
    pub holder: Option<Passed>,
    /// What comes with it, by the number of the callback's parameter; the others are zero.
    pub passed: Vec<(usize, Passed)>,
}

/// What a callback is given when it is called: an argument of the call that registers it, or what lies behind that at
/// that moment.
#[derive(Clone, Debug)]
pub struct Passed {
    argument: Operand,
    /// From each pointer the bytes to the next one.
    offsets: Vec<i64>,
}

impl Passed {
    /// An argument.
    pub const fn itself(argument: Operand) -> Self {
        Self::held(argument, Vec::new())
    }

    /// What lies so many bytes behind an argument, or behind what lies there, and so on.
    pub const fn held(argument: Operand, offsets: Vec<i64>) -> Self {
        Self { argument, offsets }
    }
}

/// Whether a function goes round for ever once it is called, as tasks of a kernel do.
pub fn never_returns(program: &Program, func: Func) -> bool {
    let Some(body) = &program.functions[func].body else {
        return false;
    };
    let mut found = BTreeSet::from([body.entry()]);
    let mut open = vec![body.entry()];
    while let Some(block) = open.pop() {
        let terminator = &body.blocks[block].terminator;
        if let Terminator::Return(_) = terminator {
            return false;
        }
        let next = terminator.edges().into_iter().map(|edge| edge.block);
        open.extend(next.filter(|&block| found.insert(block)));
    }
    !endless_heads(&program.source, body).is_empty()
}

/// Lets callbacks be called once a program that begins at `entry` has given them away. One that never returns has to
/// be the only one.
pub fn add_callbacks(program: &mut Program, entry: Func, callbacks: &[Callback]) {
    let known: Vec<Known> = callbacks
        .iter()
        .map(|callback| Known::new(program, callback.function))
        .collect();
    register(program, callbacks, &known);
    let goes_round = callbacks
        .iter()
        .any(|callback| never_returns(program, callback.function));
    let waits = Awaited::new(program, callbacks.iter().map(|callback| callback.function));
    let control = Control {
        call: add_turns(program, &known),
        waits,
        registered: known.iter().map(|known| known.registered).collect(),
        goes_round,
    };
    for func in handing_over(program, entry, callbacks) {
        control.take_over_loops(program, func);
    }
    control.take_over_ends(program, entry);
}

/// A callback and the variables that say whether it was given away, and with what.
struct Known {
    function: Func,
    registered: Operand,
    arguments: Vec<Operand>,
}

impl Known {
    fn new(program: &mut Program, function: Func) -> Self {
        let data = &program.functions[function];
        let (name, count) = (data.name.clone(), data.params.len());
        let bytes = program.target.pointer_bytes();
        let mut place = |what: String| Operand::Global(variable(program, &what, bytes), 0);
        Self {
            function,
            registered: place(format!("__brownout_registered.{name}")),
            arguments: (0..count)
                .map(|index| place(format!("__brownout_argument.{name}.{index}")))
                .collect(),
        }
    }

    /// Calls it with what was given with it.
    fn call(&self, program: &Program, builder: &mut Builder) -> Vec<Inst> {
        let function = &program.functions[self.function];
        let mut insts = Vec::new();
        let mut args = Vec::new();
        for (&ty, &argument) in function.params.iter().zip(&self.arguments) {
            args.push(match ty {
                Type::Ptr => {
                    let value = builder.body.values.push(ty);
                    insts.push(load(value, ty, argument));
                    value.into()
                }
                _ => Operand::Bits(0),
            });
        }
        let results = function.results.iter();
        let results = results.map(|&ty| builder.body.values.push(ty)).collect();
        let call = Op::Call {
            callee: Callee::Direct(self.function),
            args,
            arg_types: function.params.clone(),
            result_types: function.results.clone(),
        };
        insts.push(inst(results, call));
        insts
    }
}

/// Notes at every call that gives a callback away that it was, and what was given with it.
fn register(program: &mut Program, callbacks: &[Callback], known: &[Known]) {
    let mut sites: Vec<(&Registration, &Known)> = callbacks
        .iter()
        .zip(known)
        .flat_map(|(callback, known)| {
            let registrations = callback.registrations.iter();
            registrations.map(move |registration| (registration, known))
        })
        .collect();
    // From the end of each block, so that places stay where they are.
    sites.sort_by_key(|(registration, _)| std::cmp::Reverse(registration.at));
    let int = program.int();
    let bytes = program.target.pointer_bytes();
    let nothing = Operand::Global(variable(program, "__brownout_nothing", bytes), 0);
    for (registration, known) in sites {
        let (caller, block, index) = registration.at;
        let Some(body) = &mut program.functions[caller].body else {
            continue;
        };
        let mut notes = Notes {
            body,
            insts: Vec::new(),
            condition: None,
            nothing,
        };
        if let Some(holder) = &registration.holder {
            notes.compare(holder, known.function);
        }
        notes.set(int, known.registered, Operand::Bits(1));
        for (parameter, passed) in &registration.passed {
            let (parameter, given) = (*parameter, notes.value(passed));
            notes.set(Type::Ptr, known.arguments[parameter], given);
        }
        let insts = notes.insts;
        body.blocks[block].insts.splice(index..index, insts);
    }
}

/// Instructions that note something about a callback, if a condition holds.
struct Notes<'b> {
    body: &'b mut Body,
    insts: Vec<Inst>,
    condition: Option<Operand>,
    /// Where zero lies, which is read where a pointer is null.
    nothing: Operand,
}

impl Notes<'_> {
    fn load(&mut self, ty: Type, address: Operand) -> Operand {
        let value = self.body.values.push(ty);
        self.insts.push(load(value, ty, address));
        value.into()
    }

    fn value(&mut self, passed: &Passed) -> Operand {
        let mut value = passed.argument;
        for &offset in &passed.offsets {
            let address = self.behind(value, offset);
            value = self.load(Type::Ptr, address);
        }
        value
    }

    /// So many bytes behind a pointer. What is behind null is nothing.
    fn behind(&mut self, pointer: Operand, offset: i64) -> Operand {
        match pointer {
            Operand::Global(global, start) => return Operand::Global(global, start + offset),
            Operand::Slot(slot, start) => return Operand::Slot(slot, start + offset),
            _ => {}
        }
        let (is_null, there, chosen) = (
            self.body.values.push(Type::Int(1)),
            self.body.values.push(Type::Ptr),
            self.body.values.push(Type::Ptr),
        );
        let compare = Op::IntCompare {
            op: IntPredicate::Eq,
            ty: Type::Ptr,
            a: pointer,
            b: Operand::Bits(0),
        };
        let address = Op::Address {
            base: pointer,
            index: Operand::Bits(0),
            scale: 1,
            offset,
        };
        let select = Op::Select {
            ty: Type::Ptr,
            condition: is_null.into(),
            a: self.nothing,
            b: there.into(),
        };
        self.insts.extend([
            inst(vec![is_null], compare),
            inst(vec![there], address),
            inst(vec![chosen], select),
        ]);
        chosen.into()
    }

    /// The condition: this is the address of a function.
    fn compare(&mut self, holder: &Passed, function: Func) {
        let held = self.value(holder);
        let same = self.body.values.push(Type::Int(1));
        let compare = Op::IntCompare {
            op: IntPredicate::Eq,
            ty: Type::Ptr,
            a: held,
            b: Operand::Func(function),
        };
        self.insts.push(inst(vec![same], compare));
        self.condition = Some(same.into());
    }

    fn set(&mut self, ty: Type, variable: Operand, new: Operand) {
        let mut value = new;
        if let Some(condition) = self.condition {
            let old = self.load(ty, variable);
            let chosen = self.body.values.push(ty);
            let select = Op::Select {
                ty,
                condition,
                a: new,
                b: old,
            };
            self.insts.push(inst(vec![chosen], select));
            value = chosen.into();
        }
        self.insts.push(store(ty, variable, value));
    }
}

/// The function that calls the callback whose turn it is, if it was given away; whether it did. After the last one
/// there is a turn in which nobody is called.
fn add_turns(program: &mut Program, callbacks: &[Known]) -> Func {
    let int = program.int();
    let bytes = program.target.pointer_bytes();
    let turn = Operand::Global(variable(program, "__brownout_callback_turn", bytes), 0);
    let mut builder = Builder::new();
    let mut value = |ty: Type| builder.body.values.push(ty);
    let (now, following, next) = (value(int), value(int), value(int));
    let is_last = value(Type::Int(1));
    let count = callbacks.len();
    let add = Op::IntBinary {
        op: IntBinary::Add,
        ty: int,
        a: now.into(),
        b: Operand::Bits(1),
    };
    let compare = Op::IntCompare {
        op: IntPredicate::Eq,
        ty: int,
        a: following.into(),
        b: Operand::Bits(count as u128 + 1),
    };
    let select = Op::Select {
        ty: int,
        condition: is_last.into(),
        a: Operand::Bits(0),
        b: following.into(),
    };
    // Blocks: 0 chooses, 1 calls nobody; each callback has one that asks for it, and one that calls it.
    let asks = |number: usize| edge(2 + 2 * number);
    let cases = (0..count).map(|number| (number as u128, asks(number)));
    builder.block(
        vec![],
        vec![
            load(now, int, turn),
            inst(vec![following], add),
            inst(vec![is_last], compare),
            inst(vec![next], select),
            store(int, turn, next.into()),
        ],
        Terminator::Switch {
            ty: int,
            value: now.into(),
            cases: cases.collect(),
            default: edge(1),
        },
    );
    let answer = |called: u128| Terminator::Return(vec![Operand::Bits(called)]);
    builder.block(vec![], vec![], answer(0));
    for (number, callback) in callbacks.iter().enumerate() {
        let registered = builder.body.values.push(int);
        builder.block(
            vec![],
            vec![load(registered, int, callback.registered)],
            Terminator::Switch {
                ty: int,
                value: registered.into(),
                cases: vec![(0, edge(1))],
                default: edge(3 + 2 * number),
            },
        );
        let call = callback.call(program, &mut builder);
        builder.block(vec![], call, answer(1));
    }
    program.functions.push(Function {
        prototype: None,
        name: CALLBACK.to_owned(),
        params: vec![],
        results: vec![int],
        variadic: false,
        signed: vec![],
        exported: false,
        origin: Origin::Library,
        annotations: vec![],
        place: None,
        body: Some(builder.finish()),
    })
}

/// The functions in which a program that begins at `entry` may go round for ever by itself.
fn handing_over(program: &Program, entry: Func, callbacks: &[Callback]) -> Vec<Func> {
    let given: Vec<Func> = callbacks.iter().map(|callback| callback.function).collect();
    let of_others = reach::reachable(program, &given);
    let mut found = BTreeSet::from([entry]);
    let mut open = vec![entry];
    while let Some(func) = open.pop() {
        let body = program.functions[func].body.iter();
        for inst in body.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts)) {
            if let Op::Call {
                callee: Callee::Direct(callee),
                ..
            } = inst.op
                && program.functions[callee].origin == Origin::User
                && found.insert(callee)
            {
                open.push(callee);
            }
        }
    }
    found.retain(|&func| func == entry || !of_others[func.index()]);
    found.into_iter().collect()
}

/// Who gets control where a program hands it over.
struct Control {
    /// Calls the callback whose turn it is.
    call: Func,
    /// Where the program waits for them.
    waits: Awaited,
    /// Whether callbacks were given away, one by one.
    registered: Vec<Operand>,
    /// Whether the call does not return.
    goes_round: bool,
}

impl Control {
    /// Puts a round for callbacks before each round of loops that no path leaves, or a turn after each round of those
    /// that wait for one.
    fn take_over_loops(&self, program: &mut Program, func: Func) {
        let int = program.int();
        let waiting = match self.goes_round {
            true => Vec::new(),
            false => self.waits.of(program, func),
        };
        let source = &program.source;
        let Some(body) = &mut program.functions[func].body else {
            return;
        };
        let endless = endless_heads(source, body).into_iter();
        let waits = |&head: &Block| waiting.iter().any(|wait| waits_again(body, head, wait));
        let endless: Vec<Block> = endless.filter(|head| !waits(head)).collect();
        for wait in waiting {
            self.wait(body, int, wait.head);
        }
        for head in endless {
            let data = &body.blocks[head];
            let places = data.insts.iter().map(|inst| inst.place);
            let place = places.chain([data.place]).flatten().next();
            let types = data.params.iter().map(|&param| body.values[param]);
            let types: Vec<Type> = types.collect();
            let params: Vec<Value> = types.into_iter().map(|ty| body.values.push(ty)).collect();
            let before = body.blocks.len();
            for (_, block) in body.blocks.iter_mut() {
                if let Terminator::Computed { .. } = block.terminator {
                    continue;
                }
                for edge in block.terminator.edges_mut() {
                    if edge.block == head {
                        edge.block = Block::from_index(before);
                    }
                }
            }
            let on = Edge {
                block: head,
                args: params.iter().map(|&param| param.into()).collect(),
            };
            match self.goes_round {
                true => self.take_over(body, int, params, Terminator::Jump(on), place),
                false => {
                    let again = Edge {
                        block: Block::from_index(before),
                        args: on.args.clone(),
                    };
                    let (call, called) = self.call(body, int, place);
                    body.blocks.push(BlockData {
                        params,
                        insts: vec![call],
                        terminator: Terminator::Switch {
                            ty: int,
                            value: called.into(),
                            cases: vec![(0, on)],
                            default: again,
                        },
                        place,
                    });
                }
            }
        }
    }

    /// Gives callbacks a turn after each round of a loop.
    fn wait(&self, body: &mut Body, int: Type, head: Block) {
        let Some(members) = loop_bodies(body).remove(&head) else {
            return;
        };
        let place = body.blocks[head].place;
        let types = body.blocks[head]
            .params
            .iter()
            .map(|&param| body.values[param]);
        let types: Vec<Type> = types.collect();
        let params: Vec<Value> = types.into_iter().map(|ty| body.values.push(ty)).collect();
        let turn = Block::from_index(body.blocks.len());
        for &block in &members {
            for edge in body.blocks[block].terminator.edges_mut() {
                if edge.block == head {
                    edge.block = turn;
                }
            }
        }
        let (call, _) = self.call(body, int, place);
        let args = params.iter().map(|&param| param.into()).collect();
        body.blocks.push(BlockData {
            params,
            insts: vec![call],
            terminator: Terminator::Jump(Edge { block: head, args }),
            place,
        });
    }

    /// Goes on with callbacks where a function returns, or calls somebody else who does not, if there is nothing else.
    fn take_over_ends(&self, program: &mut Program, func: Func) {
        let int = program.int();
        let source = &program.source;
        let functions = &program.functions;
        let is_elsewhere = |data: &BlockData| match data.insts.last().map(|inst| &inst.op) {
            Some(&Op::Call {
                callee: Callee::Direct(callee),
                ..
            }) => functions[callee].body.is_none(),
            _ => false,
        };
        let Some(body) = &functions[func].body else {
            return;
        };
        let ends = |wanted: &dyn Fn(&BlockData) -> bool| -> Vec<Block> {
            let blocks = body.blocks.iter().filter(|(_, data)| wanted(data));
            blocks.map(|(block, _)| block).collect()
        };
        let mut ending = ends(&|data| matches!(data.terminator, Terminator::Return(_)));
        if ending.is_empty() && endless_heads(source, body).is_empty() {
            ending = ends(&|data| data.terminator == Terminator::Unreachable && is_elsewhere(data));
        }
        let Some(body) = &mut program.functions[func].body else {
            return;
        };
        for block in ending {
            let data = &mut body.blocks[block];
            let place = data.place;
            let end = std::mem::replace(&mut data.terminator, Terminator::Unreachable);
            let before = body.blocks.len();
            self.take_over(body, int, vec![], end, place);
            body.blocks[block].terminator = Terminator::Jump(edge(before));
        }
    }

    /// Adds blocks, the first of which asks whether callbacks were given away: then nobody else comes any more.
    fn take_over(
        &self,
        body: &mut Body,
        int: Type,
        params: Vec<Value>,
        otherwise: Terminator,
        place: Option<Place>,
    ) {
        let mut params = Some(params);
        let first = body.blocks.len();
        let (given, not_given) = (
            first + self.registered.len(),
            first + self.registered.len() + 1,
        );
        for (number, &registered) in self.registered.iter().enumerate() {
            let value = body.values.push(int);
            let next = match number + 1 == self.registered.len() {
                true => edge(not_given),
                false => edge(first + number + 1),
            };
            body.blocks.push(BlockData {
                params: params.take().unwrap_or_default(),
                insts: vec![load(value, int, registered)],
                terminator: Terminator::Switch {
                    ty: int,
                    value: value.into(),
                    cases: vec![(0, next)],
                    default: edge(given),
                },
                place,
            });
        }
        let (call, _) = self.call(body, int, place);
        body.blocks.push(BlockData {
            params: vec![],
            insts: vec![call],
            terminator: match self.goes_round {
                true => Terminator::Unreachable,
                false => Terminator::Jump(edge(given)),
            },
            place,
        });
        body.blocks.push(BlockData {
            params: vec![],
            insts: vec![],
            terminator: otherwise,
            place,
        });
    }

    fn call(&self, body: &mut Body, int: Type, place: Option<Place>) -> (Inst, Value) {
        let called = body.values.push(int);
        let op = Op::Call {
            callee: Callee::Direct(self.call),
            args: vec![],
            arg_types: vec![],
            result_types: vec![int],
        };
        let call = Inst {
            op,
            results: vec![called],
            place,
        };
        (call, called)
    }
}

/// Whether a loop waits in every round, for what it takes back itself.
fn waits_again(body: &Body, head: Block, wait: &Wait) -> bool {
    let Some(members) = loop_bodies(body).remove(&head) else {
        return false;
    };
    let mut insts = members.iter().flat_map(|&block| &body.blocks[block].insts);
    let takes_back = insts.any(|inst| match inst.op {
        Op::Store {
            address: Operand::Global(global, _),
            ..
        } => wait.variables.contains(&global),
        _ => false,
    });
    let dominators = Dominators::new(body);
    let goes_back = |block: &&Block| {
        let edges = body.blocks[**block].terminator.edges();
        edges.iter().any(|edge| edge.block == head)
    };
    let last: Vec<Block> = members.iter().filter(goes_back).copied().collect();
    let mut asks = wait.asks.iter().filter(|block| members.contains(block));
    takes_back && asks.any(|&block| last.iter().all(|&last| dominators.dominates(block, last)))
}
