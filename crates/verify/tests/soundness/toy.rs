//! Toy programs: how they are generated, what they mean, how they are written as IR.
//!
//! A program is a list of steps over three non-volatile bytes, a non-volatile word, a non-volatile
//! array of four bytes and some volatile bytes. Its meaning is given here once more, in the plainest
//! way: nothing of the proof is used.

use std::fmt::Write;

/// How many volatile bytes there are: two for values, two for counters, one for bounds of loops.
pub(crate) const LOCALS: usize = 5;
/// The layout of non-volatile memory: three bytes, a word, an array of four.
pub(crate) const MEMORY: usize = 9;

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(u8),
    Byte(usize),
    Word,
    Element(Box<Expr>),
    /// The element that a counter is at.
    Walked(usize),
    Local(usize),
    /// A value in a register: what the first or second byte held when the program started.
    Register(usize),
    Input(usize),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    Add,
    Or,
    And,
    Xor,
    Equal,
    Less,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
    Byte(usize),
    Word,
    Element(Expr),
    Walked(usize),
    Local(usize),
}

/// What the world outside makes of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    Repeatable,
    Adds,
    Assigns,
    Ors,
    Absolute,
    Once,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Set(Place, Expr),
    JumpUnless(Expr, usize),
    Jump(usize),
    /// Commits, saving what the first bits say (three bytes, the word, the array), and restoring what
    /// the second say of volatile state (five bytes, two registers).
    Checkpoint(u8, u8),
    Output(Output, Expr),
    End,
    /// Ends with a status.
    Exit(Expr),
    Abort,
}

/// How many values are in registers.
pub(crate) const REGISTERS: usize = 2;
/// The volatile byte that bounds of loops are kept in.
const BOUND: usize = 4;
/// All volatile state.
pub(crate) const ALL_VOLATILE: u8 = 0x7f;
/// In a program that is not finished yet: the volatile state that it uses anywhere.
const USED: u8 = 0x80;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// Generates a program.
pub(crate) struct Generator<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) steps: Vec<Step>,
    pub(crate) inputs: usize,
    /// Which outputs it may use.
    pub(crate) outputs: Vec<Output>,
}

impl Generator<'_> {
    pub(crate) fn program(mut self) -> Vec<Step> {
        if self.random.below(3) > 0 {
            self.checkpoint();
        }
        let count = 2 + self.random.below(5);
        self.block(count, 0);
        let last = match self.random.below(2) {
            0 => Step::End,
            _ => Step::Exit(self.expression(1)),
        };
        self.steps.push(last);
        let used = used(&self.steps);
        for step in &mut self.steps {
            if let Step::Checkpoint(_, kept @ USED) = step {
                *kept = used;
            }
        }
        self.steps
    }

    fn block(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth < 2 { 13 } else { 9 }) {
            0..=6 => {
                let place = self.place();
                let value = self.expression(2);
                self.steps.push(Step::Set(place, value));
            }
            7 if !self.outputs.is_empty() => {
                let output = self.outputs[self.random.below(self.outputs.len())];
                let value = self.expression(1);
                self.steps.push(Step::Output(output, value));
            }
            7 | 8 => self.checkpoint(),
            9 | 10 => {
                let condition = self.expression(2);
                let branch = self.steps.len();
                self.steps.push(Step::End);
                let count = 1 + self.random.below(2);
                self.block(count, depth + 1);
                let jump = self.steps.len();
                self.steps.push(Step::End);
                self.steps[branch] = Step::JumpUnless(condition, self.steps.len());
                if self.random.below(2) == 0 {
                    self.block(1, depth + 1);
                }
                self.steps[jump] = Step::Jump(self.steps.len());
            }
            11 if self.random.below(4) == 0 => {
                let condition = self.expression(2);
                self.steps
                    .push(Step::JumpUnless(condition, self.steps.len() + 2));
                self.steps.push(Step::Abort);
            }
            _ => {
                let counter = 2 + depth;
                let mut rounds = Expr::Number(2 + self.random.below(3) as u8);
                // Half of the loops are as long as something says.
                if self.random.below(2) == 0 {
                    let (bound, three) = (self.expression(1), Expr::Number(3));
                    let bound = Expr::Binary(Operator::And, Box::new(bound), Box::new(three));
                    self.steps.push(Step::Set(Place::Local(BOUND), bound));
                    rounds = Expr::Local(BOUND);
                }
                self.steps
                    .push(Step::Set(Place::Local(counter), Expr::Number(0)));
                let head = self.steps.len();
                self.steps.push(Step::End);
                let count = 1 + self.random.below(2);
                // Most of the loops walk through the array.
                let mut value = self.expression(1);
                if self.random.below(3) == 0 {
                    let walked = Box::new(Expr::Walked(counter));
                    value = Expr::Binary(Operator::Add, walked, Box::new(value));
                }
                match self.random.below(4) {
                    0 => {}
                    1 => {
                        let place = Place::Element(Expr::Local(counter));
                        self.steps.push(Step::Set(place, value));
                    }
                    2 if self.random.below(2) == 0 => {
                        self.steps.push(Step::Set(Place::Local(0), value));
                    }
                    _ => self.steps.push(Step::Set(Place::Walked(counter), value)),
                }
                self.block(count, depth + 1);
                let next = Expr::Binary(
                    Operator::Add,
                    Box::new(Expr::Local(counter)),
                    Box::new(Expr::Number(1)),
                );
                self.steps.push(Step::Set(Place::Local(counter), next));
                self.steps.push(Step::Jump(head));
                let more = Expr::Binary(
                    Operator::Less,
                    Box::new(Expr::Local(counter)),
                    Box::new(rounds),
                );
                self.steps[head] = Step::JumpUnless(more, self.steps.len());
            }
        }
    }

    fn checkpoint(&mut self) {
        let saved = match self.random.below(4) {
            0 => 0,
            1 => 0x1f,
            _ => self.random.below(32) as u8,
        };
        let kept = match self.random.below(6) {
            0..=2 => ALL_VOLATILE,
            3 => USED,
            4 => ALL_VOLATILE ^ 1 << self.random.below(LOCALS + REGISTERS),
            _ => self.random.below(0x80) as u8,
        };
        self.steps.push(Step::Checkpoint(saved, kept));
    }

    fn place(&mut self) -> Place {
        match self.random.below(9) {
            0..=3 => Place::Byte(self.random.below(3)),
            4 => Place::Word,
            5 | 6 => Place::Element(self.expression(1)),
            _ => Place::Local(self.random.below(2)),
        }
    }

    fn expression(&mut self, depth: usize) -> Expr {
        match self.random.below(if depth > 0 { 12 } else { 7 }) {
            0 | 1 => Expr::Number([0, 1, 2, 4, 255][self.random.below(5)]),
            2 | 3 => Expr::Byte(self.random.below(3)),
            4 => Expr::Word,
            5 if self.random.below(3) == 0 => Expr::Register(self.random.below(REGISTERS)),
            5 | 6 => Expr::Local(self.random.below(2)),
            7 => Expr::Element(Box::new(self.expression(0))),
            8 if self.inputs < 3 => {
                self.inputs += 1;
                Expr::Input(self.inputs - 1)
            }
            _ => {
                use Operator::{Add, And, Equal, Less, Or, Xor};
                let operator = [Add, Or, And, Xor, Equal, Less][self.random.below(6)];
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                Expr::Binary(operator, Box::new(a), Box::new(b))
            }
        }
    }
}

/// The volatile state that some step reads.
fn used(steps: &[Step]) -> u8 {
    fn within(expr: &Expr) -> u8 {
        match expr {
            Expr::Number(_) | Expr::Byte(_) | Expr::Word | Expr::Input(_) => 0,
            Expr::Element(index) => within(index),
            Expr::Local(local) | Expr::Walked(local) => 1 << local,
            Expr::Register(register) => 1 << (LOCALS + register),
            Expr::Binary(_, a, b) => within(a) | within(b),
        }
    }
    let all = steps.iter().map(|step| match step {
        Step::Set(Place::Element(index), value) => within(index) | within(value),
        Step::Set(Place::Walked(counter), value) => 1 << counter | within(value),
        Step::Set(_, value)
        | Step::JumpUnless(value, _)
        | Step::Output(_, value)
        | Step::Exit(value) => within(value),
        Step::Jump(_) | Step::Checkpoint(..) | Step::End | Step::Abort => 0,
    });
    all.fold(0, |used, one| used | one)
}

pub(crate) fn apply(operator: Operator, a: u8, b: u8) -> u8 {
    match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Or => a | b,
        Operator::And => a & b,
        Operator::Xor => a ^ b,
        Operator::Equal => u8::from(a == b),
        Operator::Less => u8::from(a < b),
    }
}

/// The bytes that the bits of a checkpoint stand for.
pub(crate) fn saved(bits: u8) -> [bool; MEMORY] {
    let part = [0, 1, 2, 3, 3, 4, 4, 4, 4];
    part.map(|part| bits & (1 << part) != 0)
}

const OUTPUTS: [Output; 6] = [
    Output::Repeatable,
    Output::Adds,
    Output::Assigns,
    Output::Ors,
    Output::Absolute,
    Output::Once,
];

pub(crate) fn output_name(output: Output) -> &'static str {
    match output {
        Output::Repeatable => "say",
        Output::Adds => "turn",
        Output::Assigns => "set",
        Output::Ors => "mark",
        Output::Absolute => "aim",
        Output::Once => "fire",
    }
}

/// The program as IR.
pub(crate) fn ir(steps: &[Step]) -> String {
    let mut text = String::from("target \"msp430\" pointer 16\n\n");
    for (index, (name, size)) in [("x", 1), ("y", 1), ("z", 1), ("w", 2), ("a", 4)]
        .iter()
        .enumerate()
    {
        let _ = writeln!(
            text,
            "global g{index} \"{name}\" size {size} align 2 exported = {{}}"
        );
    }
    text.push_str("\nfunction fn0 \"main\" () -> i16 exported {\n");
    for local in 0..LOCALS {
        let _ = writeln!(text, "  slot s{local} size 1 align 1");
    }
    let _ = writeln!(text, "  slot s{LOCALS} size 64 align 2");
    let values = REGISTERS;
    let mut writer = Writer { text, values };
    // Locals are zero at the start.
    writer.text.push_str("b0:\n");
    for local in 0..LOCALS {
        let _ = writeln!(writer.text, "  store i8 0 to s{local}");
    }
    for register in 0..REGISTERS {
        let _ = writeln!(writer.text, "  v{register} = load i8 g{register}");
    }
    writer.text.push_str("  jump b1\n");
    for (index, step) in steps.iter().enumerate() {
        let _ = writeln!(writer.text, "b{}:", index + 1);
        writer.step(step, index + 1);
    }
    let mut text = writer.text;
    text.push_str("}\n");
    for input in 0..3 {
        let _ = writeln!(
            text,
            "\nfunction fn{} \"in{input}\" () -> i8 exported",
            input + 1
        );
    }
    for (index, output) in OUTPUTS.iter().enumerate() {
        let name = output_name(*output);
        let _ = writeln!(text, "\nfunction fn{} \"{name}\" (i8) exported", index + 4);
    }
    text
}

struct Writer {
    text: String,
    values: usize,
}

impl Writer {
    fn value(&mut self, what: &str) -> String {
        let name = format!("v{}", self.values);
        self.values += 1;
        let _ = writeln!(self.text, "  {name} = {what}");
        name
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Byte(index) => self.value(&format!("load i8 g{index}")),
            Expr::Word => {
                let word = self.value("load i16 g3");
                let low = self.value(&format!("trunc i16 {word} to i8"));
                let high = self.value(&format!("lshr i16 {word}, 8"));
                let high = self.value(&format!("trunc i16 {high} to i8"));
                self.value(&format!("xor i8 {low}, {high}"))
            }
            Expr::Element(index) => {
                let address = self.element(index);
                self.value(&format!("load i8 {address}"))
            }
            Expr::Walked(counter) => {
                let address = self.walked(*counter);
                self.value(&format!("load i8 {address}"))
            }
            Expr::Local(index) => self.value(&format!("load i8 s{index}")),
            Expr::Register(register) => format!("v{register}"),
            Expr::Input(input) => self.value(&format!("call fn{}() -> i8", input + 1)),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let spelled = match operator {
                    Operator::Add => format!("add i8 {a}, {b}"),
                    Operator::Or => format!("or i8 {a}, {b}"),
                    Operator::And => format!("and i8 {a}, {b}"),
                    Operator::Xor => format!("xor i8 {a}, {b}"),
                    Operator::Equal => format!("icmp eq i8 {a}, {b}"),
                    Operator::Less => format!("icmp ult i8 {a}, {b}"),
                };
                let result = self.value(&spelled);
                match operator {
                    Operator::Equal | Operator::Less => {
                        self.value(&format!("zext i1 {result} to i8"))
                    }
                    _ => result,
                }
            }
        }
    }

    fn element(&mut self, index: &Expr) -> String {
        let index = self.expr(index);
        let index = self.value(&format!("and i8 {index}, 3"));
        let index = self.value(&format!("zext i8 {index} to i16"));
        self.value(&format!("address g4, {index} * 1"))
    }

    fn walked(&mut self, counter: usize) -> String {
        let index = self.value(&format!("load i8 s{counter}"));
        let index = self.value(&format!("zext i8 {index} to i16"));
        self.value(&format!("address g4, {index} * 1"))
    }

    fn step(&mut self, step: &Step, block: usize) {
        let next = block + 1;
        match step {
            Step::Set(place, value) => {
                let value = self.expr(value);
                match place {
                    Place::Byte(index) => {
                        let _ = writeln!(self.text, "  store i8 {value} to g{index}");
                    }
                    Place::Word => {
                        let wide = self.value(&format!("zext i8 {value} to i16"));
                        let wide = self.value(&format!("mul i16 {wide}, 257"));
                        let _ = writeln!(self.text, "  store i16 {wide} to g3");
                    }
                    Place::Element(index) => {
                        let address = self.element(index);
                        let _ = writeln!(self.text, "  store i8 {value} to {address}");
                    }
                    Place::Walked(counter) => {
                        let address = self.walked(*counter);
                        let _ = writeln!(self.text, "  store i8 {value} to {address}");
                    }
                    Place::Local(index) => {
                        let _ = writeln!(self.text, "  store i8 {value} to s{index}");
                    }
                }
                let _ = writeln!(self.text, "  jump b{next}");
            }
            Step::JumpUnless(condition, to) => {
                let condition = self.expr(condition);
                let holds = self.value(&format!("icmp ne i8 {condition}, 0"));
                let _ = writeln!(self.text, "  branch {holds}, b{next}, b{}", to + 1);
            }
            Step::Jump(to) => _ = writeln!(self.text, "  jump b{}", to + 1),
            Step::Checkpoint(bits, _) => {
                let mut pairs = 0;
                for (index, size) in [1, 1, 1, 2, 4].into_iter().enumerate() {
                    if bits & (1 << index) != 0 {
                        let at = 6 * pairs;
                        let _ = writeln!(self.text, "  store ptr g{index} to s{LOCALS}+{at}");
                        let _ = writeln!(self.text, "  store i32 {size} to s{LOCALS}+{}", at + 2);
                        pairs += 1;
                    }
                }
                let _ = writeln!(self.text, "  service checkpoint_with(s{LOCALS}, {pairs})");
                let _ = writeln!(self.text, "  jump b{next}");
            }
            Step::Output(output, value) => {
                let value = self.expr(value);
                let index = OUTPUTS
                    .iter()
                    .position(|other| other == output)
                    .unwrap_or(0);
                let _ = writeln!(self.text, "  call fn{}(i8 {value})", index + 4);
                let _ = writeln!(self.text, "  jump b{next}");
            }
            Step::End => self.text.push_str("  return 0\n"),
            Step::Exit(value) => {
                let value = self.expr(value);
                let status = self.value(&format!("zext i8 {value} to i16"));
                let _ = writeln!(self.text, "  return {status}");
            }
            Step::Abort => self.text.push_str("  service abort()\n  unreachable\n"),
        }
    }
}
