//! A sketch as intermediate representation: what a compiler would make of the C, with locals in
//! memory or in registers.

use brownout_ir::source::{File, Place, PlaceData};
use brownout_ir::{
    Block, BlockData, Body, Callee, Edge, Func, Function, Global, GlobalData, Id, Initializer,
    Inst, IntBinary, IntPredicate, Op, Operand, Origin, Program, Slot, SlotData, Target,
    Terminator, Type, Value,
};

use super::sketch::{
    Condition, ELEMENTS, Expression, Index, Relation, Sketch, Statement, Variable, What,
};
use crate::setting::Setting;

const WORD: Type = Type::Int(16);
const WIDE: Type = Type::Int(32);

/// The program.
pub(super) fn lower(sketch: &Sketch, setting: &Setting) -> Program {
    let mut program = Program::new(Target {
        name: "msp430".to_owned(),
        pointer_bits: 16,
    });
    program.source.files.push("case.c".to_owned());
    let names = Names::declare(&mut program, sketch, setting);
    for (body, &func) in sketch.functions.iter().zip(&names.parts) {
        let mut function = Builder::new(&mut program, &names, sketch, func, 0);
        function.statements(body);
        function.finish(Terminator::Return(vec![]));
    }
    let mut main = Builder::new(&mut program, &names, sketch, names.main, sketch.locals);
    main.statements(&sketch.setup);
    let last = match &sketch.rounds {
        Some(body) => {
            let head = main.new_block();
            main.jump(head);
            main.statements(body);
            Terminator::Jump(main.edge(head))
        }
        None => {
            main.statements(&sketch.finish);
            let status = sketch.status.map(|status| main.expression(status));
            Terminator::Return(vec![status.unwrap_or(Operand::Bits(0))])
        }
    };
    main.finish(last);
    program
}

/// Where everything is.
struct Names {
    kept: Vec<Global>,
    plain: Vec<Global>,
    array: Option<Global>,
    wide: Option<Global>,
    main: Func,
    parts: Vec<Func>,
    inputs: Vec<Func>,
    outputs: Vec<Func>,
    checkpoint: Func,
}

impl Names {
    fn declare(program: &mut Program, sketch: &Sketch, setting: &Setting) -> Self {
        let mut global = |name: String, size: u64, bytes: Vec<u8>| {
            program.globals.push(GlobalData {
                variable: Some(name.clone()),
                name,
                size,
                align: 2,
                section: None,
                constant: false,
                exported: true,
                origin: Origin::User,
                ty: None,
                place: None,
                annotations: vec![],
                init: Some(Initializer {
                    bytes,
                    relocations: vec![],
                }),
            })
        };
        let kept = (0..sketch.kept).map(|number| global(format!("nv{number}"), 2, vec![]));
        let kept = kept.collect();
        let plain = (0..sketch.plain).map(|number| global(format!("ram{number}"), 2, vec![]));
        let plain = plain.collect();
        let size = 2 * u64::from(ELEMENTS);
        let array = sketch.array.then(|| global("log".to_owned(), size, vec![]));
        let wide = sketch
            .wide
            .map(|value| global("wide".to_owned(), 4, value.to_le_bytes().to_vec()));
        let mut function = |name: &str, params: Vec<Type>, results: Vec<Type>| {
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
        };
        let main = function("main", vec![], vec![WORD]);
        let parts = (0..sketch.functions.len())
            .map(|number| function(&format!("part{number}"), vec![], vec![]))
            .collect();
        let inputs = setting.inputs.iter();
        let inputs = inputs.map(|(name, _)| function(name, vec![], vec![WORD]));
        let inputs = inputs.collect();
        let outputs = setting.outputs.iter();
        let outputs = outputs.map(|(name, _)| function(name, vec![WORD], vec![]));
        let outputs = outputs.collect();
        let checkpoint = function("checkpoint", vec![], vec![]);
        Self {
            kept,
            plain,
            array,
            wide,
            main,
            parts,
            inputs,
            outputs,
            checkpoint,
        }
    }
}

/// A function that grows.
struct Builder<'p> {
    program: &'p mut Program,
    names: &'p Names,
    func: Func,
    body: Body,
    /// The block that grows.
    block: Block,
    /// Locals in registers: what they hold now. Blocks take them as parameters.
    registers: Vec<Operand>,
    /// Locals in memory.
    slots: Vec<Slot>,
    place: Option<Place>,
}

impl<'p> Builder<'p> {
    fn new(
        program: &'p mut Program,
        names: &'p Names,
        sketch: &Sketch,
        func: Func,
        locals: u32,
    ) -> Self {
        let mut body = Body::default();
        let block = body.blocks.push(empty());
        let mut builder = Self {
            program,
            names,
            func,
            body,
            block,
            registers: Vec::new(),
            slots: Vec::new(),
            place: None,
        };
        if sketch.in_registers {
            builder.registers = vec![Operand::Bits(0); locals as usize];
        } else {
            for number in 0..locals {
                let slot = builder.body.slots.push(SlotData {
                    size: 2,
                    align: 2,
                    name: Some(format!("local{number}")),
                    ty: None,
                    place: None,
                    annotations: vec![],
                });
                builder.slots.push(slot);
                builder.store(WORD, Operand::Slot(slot, 0), Operand::Bits(0));
            }
        }
        builder
    }

    fn finish(mut self, terminator: Terminator) {
        self.body.blocks[self.block].terminator = terminator;
        self.program.functions[self.func].body = Some(self.body);
    }

    /// A block that takes the locals.
    fn new_block(&mut self) -> Block {
        let mut data = empty();
        let params = self.registers.iter().map(|_| self.body.values.push(WORD));
        data.params = params.collect();
        self.body.blocks.push(data)
    }

    /// The way to a block from here.
    fn edge(&self, block: Block) -> Edge {
        Edge {
            block,
            args: self.registers.clone(),
        }
    }

    /// Ends the block that grows; the next one grows instead.
    fn end(&mut self, terminator: Terminator, next: Block) {
        self.body.blocks[self.block].terminator = terminator;
        self.body.blocks[self.block].place = self.place;
        self.block = next;
        let params = self.body.blocks[next].params.iter();
        self.registers = params.map(|&value| Operand::Value(value)).collect();
    }

    fn jump(&mut self, to: Block) {
        let edge = self.edge(to);
        self.end(Terminator::Jump(edge), to);
    }

    fn branch(&mut self, condition: Operand, then: Block, otherwise: Block) -> Terminator {
        Terminator::Branch {
            condition,
            then: self.edge(then),
            otherwise: self.edge(otherwise),
        }
    }

    fn emit(&mut self, op: Op, result: Option<Type>) -> Operand {
        let value: Option<Value> = result.map(|ty| self.body.values.push(ty));
        self.body.blocks[self.block].insts.push(Inst {
            op,
            results: value.into_iter().collect(),
            place: self.place,
        });
        value.map_or(Operand::Bits(0), Operand::Value)
    }

    fn store(&mut self, ty: Type, address: Operand, value: Operand) {
        let op = Op::Store {
            ty,
            address,
            value,
            volatile: false,
        };
        self.emit(op, None);
    }

    fn load(&mut self, ty: Type, address: Operand) -> Operand {
        let op = Op::Load {
            ty,
            address,
            volatile: false,
        };
        self.emit(op, Some(ty))
    }

    fn add(&mut self, ty: Type, a: Operand, b: Operand) -> Operand {
        let op = IntBinary::Add;
        self.emit(Op::IntBinary { op, ty, a, b }, Some(ty))
    }

    fn call(&mut self, func: Func, args: Vec<Operand>) -> Operand {
        let function = &self.program.functions[func];
        let (arg_types, result_types) = (function.params.clone(), function.results.clone());
        let result = result_types.first().copied();
        let op = Op::Call {
            callee: Callee::Direct(func),
            args,
            arg_types,
            result_types,
        };
        self.emit(op, result)
    }

    /// The address of a variable that is in memory.
    fn address(&mut self, variable: Variable) -> Option<Operand> {
        Some(match variable {
            Variable::Kept(number) => Operand::Global(self.names.kept[number as usize], 0),
            Variable::Plain(number) => Operand::Global(self.names.plain[number as usize], 0),
            Variable::Local(number) => Operand::Slot(*self.slots.get(number as usize)?, 0),
            Variable::Element(index) => {
                let array = self.names.array?;
                let index = match index {
                    Index::Number(number) => {
                        return Some(Operand::Global(array, 2 * i64::from(number)));
                    }
                    Index::Kept(number) => self.value(Variable::Kept(number)),
                    Index::Local(number) => self.value(Variable::Local(number)),
                };
                let masked = Op::IntBinary {
                    op: IntBinary::And,
                    ty: WORD,
                    a: index,
                    b: Operand::Bits((ELEMENTS - 1).into()),
                };
                let index = self.emit(masked, Some(WORD));
                let address = Op::Address {
                    base: Operand::Global(array, 0),
                    index,
                    scale: 2,
                    offset: 0,
                };
                self.emit(address, Some(Type::Ptr))
            }
        })
    }

    fn value(&mut self, variable: Variable) -> Operand {
        if let Variable::Local(number) = variable
            && let Some(&register) = self.registers.get(number as usize)
        {
            return register;
        }
        match self.address(variable) {
            Some(address) => self.load(WORD, address),
            None => Operand::Bits(0),
        }
    }

    fn assign(&mut self, to: Variable, value: Operand) {
        if let Variable::Local(number) = to
            && let Some(register) = self.registers.get_mut(number as usize)
        {
            *register = value;
            return;
        }
        if let Some(address) = self.address(to) {
            self.store(WORD, address, value);
        }
    }

    fn expression(&mut self, expression: Expression) -> Operand {
        match expression {
            Expression::Number(number) => bits(number),
            Expression::Of(variable) => self.value(variable),
            Expression::Sum(variable, number) => {
                let value = self.value(variable);
                self.add(WORD, value, bits(number))
            }
            Expression::Both(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.add(WORD, a, b)
            }
        }
    }

    fn condition(&mut self, condition: Condition) -> Operand {
        let a = self.value(condition.variable);
        let op = match condition.relation {
            Relation::Equal => IntPredicate::Eq,
            Relation::Differs => IntPredicate::Ne,
            Relation::Less => IntPredicate::SLt,
        };
        let compare = Op::IntCompare {
            op,
            ty: WORD,
            a,
            b: bits(condition.number),
        };
        self.emit(compare, Some(Type::Int(1)))
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            let function = self.program.functions[self.func].name.clone();
            self.place = Some(self.program.source.places.push(PlaceData {
                file: File::from_index(0),
                line: statement.line,
                column: 1,
                function,
                inlined_at: None,
            }));
            self.statement(&statement.what);
        }
    }

    fn statement(&mut self, what: &What) {
        match what {
            What::Assign(to, value) => {
                let value = self.expression(*value);
                self.assign(*to, value);
            }
            What::Widen(number) => {
                let Some(wide) = self.names.wide else { return };
                let address = Operand::Global(wide, 0);
                let value = self.load(WIDE, address);
                let value = self.add(WIDE, value, Operand::Bits((*number).into()));
                self.store(WIDE, address, value);
            }
            What::Wide(number) => {
                let Some(wide) = self.names.wide else { return };
                let value = Operand::Bits((*number).into());
                self.store(WIDE, Operand::Global(wide, 0), value);
            }
            What::Read(to, input) => {
                let value = self.call(self.names.inputs[*input as usize], vec![]);
                self.assign(*to, value);
            }
            What::Output(output, value) => {
                let value = self.expression(*value);
                self.call(self.names.outputs[*output as usize], vec![value]);
            }
            What::Checkpoint => _ = self.call(self.names.checkpoint, vec![]),
            What::Call(number) => _ = self.call(self.names.parts[*number as usize], vec![]),
            What::If(condition, then, otherwise) => {
                let condition = self.condition(*condition);
                let blocks = [(); 3].map(|()| self.new_block());
                let [first, second, join] = blocks;
                let branch = self.branch(condition, first, second);
                self.end(branch, first);
                self.statements(then);
                let edge = self.edge(join);
                self.end(Terminator::Jump(edge), second);
                self.statements(otherwise);
                self.jump(join);
            }
            What::Repeat(local, times, body) => {
                let counter = Variable::Local(*local);
                self.assign(counter, Operand::Bits(0));
                let condition = Condition {
                    variable: counter,
                    relation: Relation::Less,
                    number: *times as i16,
                };
                self.repeat(condition, Some(counter), body);
            }
            What::Until(number, bound, body) => {
                let counter = Variable::Kept(*number);
                let condition = Condition {
                    variable: counter,
                    relation: Relation::Less,
                    number: *bound,
                };
                self.repeat(condition, None, body);
            }
        }
    }

    /// A loop, perhaps with something that it counts.
    fn repeat(&mut self, condition: Condition, counter: Option<Variable>, body: &[Statement]) {
        let [head, inside, after] = [(); 3].map(|()| self.new_block());
        self.jump(head);
        let condition = self.condition(condition);
        let branch = self.branch(condition, inside, after);
        self.end(branch, inside);
        self.statements(body);
        if let Some(counter) = counter {
            let next = self.expression(Expression::Sum(counter, 1));
            self.assign(counter, next);
        }
        let edge = self.edge(head);
        self.end(Terminator::Jump(edge), after);
    }
}

fn empty() -> BlockData {
    BlockData {
        params: vec![],
        insts: vec![],
        terminator: Terminator::Unreachable,
        place: None,
    }
}

fn bits(number: i16) -> Operand {
    Operand::Bits(u128::from(number as u16))
}
