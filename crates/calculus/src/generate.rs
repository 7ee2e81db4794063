//! Random programs: a function of a number, so that a failure is named by it.

use crate::program::Program;
use crate::state::{Location, Memory};
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names, Operator, Value};

/// Numbers that look random (SplitMix64), the same ones for the same seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.any() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Whether something happens that does `times` in `of` times.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What kind of programs.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The most instructions on a path.
    pub length: usize,
    /// The most inputs on a path.
    pub inputs: usize,
    /// Whether there are arrays.
    pub arrays: bool,
    /// Whether some variables are volatile.
    pub volatile: bool,
    /// The most values of variables at the start, from zero.
    pub values: usize,
    /// Whether variables hold truth values, which in C are numbers.
    pub truths: bool,
}

/// Programs for claims about all executions.
pub const SMALL: Shape = Shape {
    length: 9,
    inputs: 3,
    arrays: true,
    volatile: true,
    values: 3,
    truths: true,
};

/// Programs for claims about several definitions at once.
pub const SHORT: Shape = Shape {
    length: 6,
    inputs: 2,
    arrays: true,
    volatile: true,
    values: 3,
    truths: true,
};

/// Programs that mean the same in C.
pub const IN_C: Shape = Shape {
    truths: false,
    ..SHORT
};

/// Programs whose executions can be listed one by one.
pub const TINY: Shape = Shape {
    length: 4,
    inputs: 2,
    arrays: true,
    volatile: true,
    values: 2,
    truths: true,
};

const NONVOLATILE: [Name; 4] = [
    Name::letter(b'w'),
    Name::letter(b'x'),
    Name::letter(b'y'),
    Name::letter(b'z'),
];
const VOLATILE: Name = Name::letter(b't');
const ARRAY: Array = Array {
    name: Name::letter(b'a'),
    length: 2,
};

/// The program of this kind that belongs to a seed.
pub fn generate(seed: u64, shape: Shape) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        shape,
        used: 1 + usize::try_from(seed % 4).unwrap_or(0),
    };
    let mut command = generator.command(shape.length, shape.inputs, None);
    if !generator.random.chance(1, 8) {
        command = command.after(generator.checkpoint());
    }
    let (nonvolatile, volatile) = generator.memories();
    Program::new(nonvolatile, volatile, &command)
}

struct Generator {
    random: Random,
    shape: Shape,
    /// How many of the variables occur: few variables meet often.
    used: usize,
}

impl Generator {
    /// A command with so many instructions and inputs, after an input into `asked`.
    fn command(&mut self, length: usize, inputs: usize, asked: Option<Name>) -> Command {
        if length == 0 || self.random.chance(1, 14) {
            return Command::skip();
        }
        if self.random.chance(1, 5) {
            let condition = self.condition(asked);
            let yes = self.command(length - 1, inputs, asked);
            let no = self.command(length - 1, inputs, asked);
            return Command::new(Form::Branch(condition, yes, no));
        }
        let instruction = self.instruction(inputs > 0);
        let (inputs, asked) = match instruction {
            Instruction::Input(name) => (inputs - 1, Some(name)),
            _ => (inputs, asked),
        };
        self.command(length - 1, inputs, asked).after(instruction)
    }

    fn instruction(&mut self, may_ask: bool) -> Instruction {
        match self.random.below(16) {
            0..4 if may_ask => Instruction::Input(self.variable()),
            4 | 5 => self.checkpoint(),
            6 | 7 if self.shape.arrays => {
                let index = self.operand();
                Instruction::AssignElement(ARRAY, index, self.expression())
            }
            8 if self.random.chance(1, 4) => Instruction::Skip,
            _ => Instruction::Assign(self.variable(), self.expression()),
        }
    }

    /// A checkpoint that saves some variables, often none.
    fn checkpoint(&mut self) -> Instruction {
        let some = self.random.chance(1, 2);
        let arrays = self.shape.arrays.then_some(ARRAY.name);
        let saved = NONVOLATILE[..self.used]
            .iter()
            .copied()
            .chain(arrays)
            .filter(|_| some && self.random.chance(1, 2));
        Instruction::Checkpoint(saved.collect::<Names>())
    }

    fn variable(&mut self) -> Name {
        if self.shape.volatile && self.random.chance(1, 5) {
            VOLATILE
        } else {
            self.random.pick(&NONVOLATILE[..self.used])
        }
    }

    /// Most conditions are about the last input.
    fn condition(&mut self, asked: Option<Name>) -> Expression {
        let asked = asked.filter(|_| self.random.chance(2, 3));
        let left = match asked {
            Some(asked) => Expression::Variable(asked),
            None if self.shape.arrays && self.random.chance(1, 3) => {
                Expression::Element(ARRAY, Box::new(self.number()))
            }
            None => Expression::Variable(self.variable()),
        };
        let operator = self.random.pick(&[Operator::Greater, Operator::Equal]);
        Expression::binary(left, operator, self.number())
    }

    fn expression(&mut self) -> Expression {
        if self.random.chance(1, 3) {
            let operator = self.random.pick(&[
                Operator::Add,
                Operator::Add,
                Operator::Subtract,
                Operator::Or,
                match self.shape.truths {
                    true => Operator::Less,
                    false => Operator::Subtract,
                },
            ]);
            let left = self.operand();
            return Expression::binary(left, operator, self.operand());
        }
        self.operand()
    }

    fn operand(&mut self) -> Expression {
        match self.random.below(8) {
            0..3 => self.number(),
            3 if self.shape.arrays => {
                let index = if self.random.chance(1, 2) {
                    self.number()
                } else {
                    Expression::Variable(self.variable())
                };
                Expression::Element(ARRAY, Box::new(index))
            }
            _ => Expression::Variable(self.variable()),
        }
    }

    fn number(&mut self) -> Expression {
        Expression::number(self.random.pick(&[0, 1, 2, 3]))
    }

    fn memories(&mut self) -> (Memory, Memory) {
        let (mut nonvolatile, mut volatile) = (Memory::default(), Memory::default());
        for name in &NONVOLATILE[..self.used] {
            nonvolatile.set(Location::variable(*name), self.value());
        }
        if self.shape.arrays {
            for index in 0..ARRAY.length {
                let location = Location {
                    name: ARRAY.name,
                    index: Some(index),
                };
                nonvolatile.set(location, self.value());
            }
        }
        if self.shape.volatile {
            volatile.set(Location::variable(VOLATILE), self.value());
        }
        (nonvolatile, volatile)
    }

    fn value(&mut self) -> Value {
        let number = self.random.below(self.shape.values);
        Value::Number(i16::try_from(number).unwrap_or(0))
    }
}
