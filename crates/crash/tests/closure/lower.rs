//! Stores as programs of the intermediate representation, made ready.

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_ir::{Block, Func, Global, Id, parse, verify::verify};
use brownout_scenario::{ArgumentExpression, Effect, FlashAction, Reprogram, ValueSource};
use brownout_vm::{
    Binding, Bindings, FlashBinding, FlashPart, Image, MemoryPlan, OutputBinding, add_start,
};

use crate::store::{BLOCK, Condition, FLASH, Number, Step, Store, WORDS};

/// The globals: flash part, words, ghost, then data and texts.
const GHOST: usize = 2;

/// A function that is being written.
#[derive(Default)]
struct Body {
    blocks: Vec<String>,
    at: usize,
    values: usize,
    /// Blocks that are heads of loops.
    heads: Vec<usize>,
}

#[derive(Default)]
struct Writer {
    body: Body,
    data: Vec<Vec<u8>>,
    /// Functions that are complete.
    functions: Vec<String>,
    /// Heads of loops of all functions.
    heads: BTreeSet<(Func, Block)>,
}

/// The first function that is a call of the store: after main, program, erase, sync, the input and
/// the output.
const FIRST_CALL: usize = 6;

impl Writer {
    fn line(&mut self, text: &str) {
        let at = self.body.at;
        let _ = writeln!(self.body.blocks[at], "  {text}");
    }

    fn block(&mut self) -> usize {
        let number = self.body.blocks.len();
        self.body.blocks.push(format!("b{number}:\n"));
        number
    }

    fn value(&mut self, text: &str) -> String {
        let name = format!("v{}", self.body.values);
        self.body.values += 1;
        self.line(&format!("{name} = {text}"));
        name
    }

    fn data(&mut self, bytes: &[u8]) -> String {
        self.data.push(bytes.to_vec());
        format!("g{}", GHOST + self.data.len())
    }

    fn number(&mut self, number: &Number) -> String {
        match number {
            Number::Constant(value) => value.to_string(),
            Number::Flash(at) => {
                let byte = self.value(&format!("load i8 g0+{at}"));
                self.value(&format!("zext i8 {byte} to i32"))
            }
            Number::Word(index) => self.value(&format!("load i32 g1+{}", 4 * index)),
            Number::Reading => self.value("call fn4() -> i32"),
            Number::Ghost => self.value(&format!("load i32 g{GHOST}")),
            Number::Sum(a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                self.value(&format!("add i32 {a}, {b}"))
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> String {
        let (predicate, a, b) = match condition {
            Condition::Equal(a, b) => ("eq", a, b),
            Condition::Less(a, b) => ("ult", a, b),
        };
        let (a, b) = (self.number(a), self.number(b));
        self.value(&format!("icmp {predicate} i32 {a}, {b}"))
    }

    fn note_heads(&mut self, function: usize, body: &Body) {
        let function = Func::from_index(function);
        let heads = body.heads.iter();
        self.heads
            .extend(heads.map(|&head| (function, Block::from_index(head))));
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Program(at, bytes) => {
                    let data = self.data(bytes);
                    let length = bytes.len();
                    self.line(&format!("call fn1(ptr g0+{at}, ptr {data}, i32 {length})"));
                }
                Step::Erase(at) => self.line(&format!("call fn2(i32 {})", at / BLOCK)),
                Step::Sync => self.line("call fn3()"),
                Step::Say(number) => {
                    let value = self.number(number);
                    self.line(&format!("call fn5(i32 {value})"));
                }
                Step::Call(steps) => {
                    let outer = std::mem::take(&mut self.body);
                    self.block();
                    self.steps(steps);
                    self.line("return");
                    let body = std::mem::replace(&mut self.body, outer);
                    let number = FIRST_CALL + self.functions.len();
                    self.note_heads(number, &body);
                    self.functions.push(body.blocks.concat());
                    self.line(&format!("call fn{number}()"));
                }
                Step::From => self.line("service checkpoint_with(0, 0)"),
                Step::Store(index, number) => {
                    let value = self.number(number);
                    self.line(&format!("store i32 {value} to g1+{}", 4 * index));
                }
                Step::Note(number) => {
                    let value = self.number(number);
                    self.line(&format!("store i32 {value} to g{GHOST}"));
                }
                Step::If(condition, then, otherwise) => {
                    let condition = self.condition(condition);
                    let from = self.body.at;
                    let (first, second, after) = (self.block(), self.block(), self.block());
                    self.body.at = from;
                    self.line(&format!("branch {condition}, b{first}, b{second}"));
                    for (block, steps) in [(first, then), (second, otherwise)] {
                        self.body.at = block;
                        self.steps(steps);
                        self.line(&format!("jump b{after}"));
                    }
                    self.body.at = after;
                }
                Step::While(_, condition, steps) => {
                    let from = self.body.at;
                    let (head, round, after) = (self.block(), self.block(), self.block());
                    self.body.at = from;
                    self.line(&format!("jump b{head}"));
                    self.body.at = head;
                    self.body.heads.push(head);
                    let condition = self.condition(condition);
                    self.line(&format!("branch {condition}, b{round}, b{after}"));
                    self.body.at = round;
                    self.steps(steps);
                    self.line(&format!("jump b{head}"));
                    self.body.at = after;
                }
                Step::Assert(number, condition) => {
                    let condition = self.condition(condition);
                    let (fails, after) = (self.block(), self.block());
                    self.line(&format!("branch {condition}, b{after}, b{fails}"));
                    let text = self.data(format!("{number}\0").as_bytes());
                    self.body.at = fails;
                    self.line(&format!("service assert_fail({text}, {text}, 1, {text})"));
                    self.line("unreachable");
                    self.body.at = after;
                }
            }
        }
    }
}

/// The store as a program.
pub(crate) fn image(store: &Store) -> Image {
    let mut writer = Writer::default();
    writer.block();
    writer.steps(&store.steps);
    writer.line("return 0");
    let mut text = "target \"riscv32\" pointer 32\n\n".to_owned();
    let _ = writeln!(text, "global g0 \"flash\" size {FLASH} align 8 = {{}}");
    let _ = writeln!(
        text,
        "global g1 \"words\" size {} align 8 = {{}}",
        4 * WORDS
    );
    let _ = writeln!(text, "global g2 \"ghost\" size 4 align 4 = {{}}");
    for (index, data) in writer.data.iter().enumerate() {
        let hex: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
        let number = GHOST + 1 + index;
        let size = data.len();
        let _ = writeln!(
            text,
            "global g{number} \"d{number}\" size {size} align 1 constant = {{\n  hex {hex}\n}}"
        );
    }
    let body = std::mem::take(&mut writer.body);
    writer.note_heads(0, &body);
    let body = body.blocks.concat();
    let _ = write!(
        text,
        "\nfunction fn0 \"main\" () -> i32 exported {{\n{body}}}\n\nfunction fn1 \"program\" (ptr, ptr, i32) exported\n\nfunction fn2 \"erase\" (i32) exported\n\nfunction fn3 \"sync\" () exported\n\nfunction fn4 \"read\" () -> i32 exported\n\nfunction fn5 \"say\" (i32) exported\n"
    );
    for (index, body) in writer.functions.iter().enumerate() {
        let number = FIRST_CALL + index;
        let _ = write!(
            text,
            "\nfunction fn{number} \"call{number}\" () exported {{\n{body}}}\n"
        );
    }
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = verify(&program) {
        panic!("{}\n{text}", errors[0]);
    }
    let start = add_start(&mut program, Func::from_index(0));
    let plan = MemoryPlan {
        stack_size: Some(256),
        heap_size: Some(16),
        nonvolatile: (0..=GHOST).map(Global::from_index).collect(),
        stack_nonvolatile: false,
        heap_nonvolatile: false,
        ..MemoryPlan::default()
    };
    let operand = |text: &str| ArgumentExpression::parse(text).ok();
    let mut bindings = Bindings {
        loop_heads: writer.heads,
        ..Bindings::default()
    };
    let functions = [
        FlashBinding {
            action: FlashAction::Program,
            part: Some(0),
            address: operand("arg0"),
            by_pointer: true,
            data: operand("arg1"),
            value: None,
            length: operand("arg2"),
            returns: ArgumentExpression::number(0),
        },
        FlashBinding {
            action: FlashAction::Erase,
            part: Some(0),
            address: operand("arg0 * 8"),
            by_pointer: false,
            data: None,
            value: None,
            length: operand("8"),
            returns: ArgumentExpression::number(0),
        },
        FlashBinding {
            action: FlashAction::Sync,
            part: Some(0),
            address: None,
            by_pointer: false,
            data: None,
            value: None,
            length: None,
            returns: ArgumentExpression::number(0),
        },
    ];
    for (number, function) in (1..).zip(functions) {
        let binding = Binding::Flash(Box::new(function));
        bindings.functions.insert(Func::from_index(number), binding);
    }
    let external = [(4, Binding::Input(0)), (5, Binding::Output(0))];
    for (number, binding) in external {
        bindings.functions.insert(Func::from_index(number), binding);
    }
    let rest = store.rest.iter().map(|&value| value.into()).collect();
    bindings.inputs = vec![ValueSource::Cycle(rest)];
    bindings.input_names = vec!["read".to_owned()];
    bindings.outputs = vec![OutputBinding {
        name: "say".to_owned(),
        effect: Effect::default(),
        takes: 0,
    }];
    bindings.parts = vec![FlashPart {
        global: Global::from_index(0),
        erase_block: BLOCK as u32,
        order_block: BLOCK as u32,
        program_unit: store.unit as u32,
        erased: 0xff,
        programming: store.programming,
        reprogram: if store.reprogram {
            Reprogram::Allow
        } else {
            Reprogram::Error
        },
        image: None,
    }];
    Image::new(program, start, &plan, bindings).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
