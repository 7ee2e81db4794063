//! Random programs the way `clang -O0` writes them: variables in memory, a load
//! for every use and a store for every assignment, a few values kept in
//! registers. A program is a function of a list of numbers, its choices, so that
//! shrinking the list shrinks the program.
//!
//! What they contain: scalars and arrays, global and local; branches, loops that
//! count in a register or in memory; calls with pointers to the caller's
//! variables, bounded recursion, functions of the library; copies and fills, also
//! overlapping ones; `alloca`; checkpoints with and without a list of what to
//! save; inputs and outputs; traps and divisions that only a wrong value reaches.
//! Every loop ends whatever its counter holds.

mod heap;

pub(crate) use heap::POINTERS;

use std::fmt::Write as _;

pub(crate) use brownout_testkit::Choices;

/// Which of the rarer things programs may contain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    /// Statements of the entry function.
    pub(crate) statements: u64,
    /// Checkpoints that save more than others.
    pub(crate) saving_checkpoints: bool,
    /// Inputs.
    pub(crate) inputs: bool,
    /// Heap blocks.
    pub(crate) heap: bool,
}

/// Functions by number.
pub(crate) const HELPER: usize = 1;
pub(crate) const RECURSIVE: usize = 2;
pub(crate) const CHECKPOINT: usize = 3;
pub(crate) const INPUT: usize = 4;
pub(crate) const OUTPUT: usize = 5;

/// Globals: name, size, bytes of an element.
pub(crate) const GLOBALS: [(&str, u32, u32); 6] = [
    ("x", 2, 2),
    ("y", 2, 2),
    ("z", 2, 2),
    ("c", 1, 1),
    ("words", 8, 2),
    ("bytes", 6, 1),
];
/// The lists of what checkpoints save follow.
const LISTS: usize = 2;

/// The text of a program.
pub(crate) fn generate(choices: &mut Choices, taste: Taste) -> String {
    let mut text = "target \"t\" pointer 16\ntype t0 = unsigned \"word\" size 2\ntype t1 = array \"\" size 8 of t0 count 4\n".to_owned();
    for (number, (name, size, _)) in GLOBALS.iter().enumerate() {
        let typed = match number {
            0 | 1 => " typed t0",
            4 => " typed t1",
            _ => "",
        };
        let start = choices.below(4);
        let _ = writeln!(
            text,
            "global g{number} \"{name}\" size {size} align {}{typed} = {{ hex {start:02x} }}",
            size.min(&2)
        );
    }
    for list in 0..LISTS {
        let number = GLOBALS.len() + list;
        let mut entries = String::from("hex ");
        let mut addresses = String::new();
        for entry in 0..2 {
            let global = choices.below(GLOBALS.len() as u64) as usize;
            let size = GLOBALS[global].1;
            let start = choices.below(size.into()) as u32;
            let length = 1 + choices.below((size - start).into()) as u32;
            let _ = write!(entries, "0000{length:02x}000000");
            let _ = write!(addresses, " at {} = g{global}+{start} bytes 2", entry * 6);
        }
        let _ = writeln!(
            text,
            "global g{number} \"list{list}\" size 12 align 2 constant = {{ {entries}{addresses} }}"
        );
    }
    if taste.heap {
        text.push_str(heap::GLOBAL);
    }
    let mut library = None;
    for function in 0..CHECKPOINT {
        let name = ["main", "helper", "recursive"][function];
        let body = Body::new(choices, function, taste).build();
        let origin = if function == HELPER && *library.get_or_insert_with(|| choices.chance(4)) {
            " library"
        } else {
            ""
        };
        let signature = if function == 0 {
            "() -> i16"
        } else {
            "(i16, ptr) -> i16"
        };
        let _ = write!(
            text,
            "function fn{function} \"{name}\" {signature}{origin} {{\n{body}}}\n"
        );
    }
    text.push_str(
        "function fn3 \"checkpoint\" ()\nfunction fn4 \"input\" () -> i16\nfunction fn5 \"output\" (i16)\n",
    );
    if taste.heap {
        text.push_str(heap::FUNCTIONS);
    }
    text
}

/// A function in the making.
struct Body<'c> {
    choices: &'c mut Choices,
    function: usize,
    taste: Taste,
    /// The text of each block.
    blocks: Vec<String>,
    current: usize,
    values: usize,
    /// Values in scope.
    scope: Vec<usize>,
    /// Sizes and elements of stack objects.
    slots: Vec<(u32, u32)>,
    /// Stack objects that statements may use: not the counters of loops.
    variables: Vec<usize>,
    nesting: u32,
    recursed: bool,
}

impl<'c> Body<'c> {
    fn new(choices: &'c mut Choices, function: usize, taste: Taste) -> Self {
        Self {
            choices,
            function,
            taste,
            blocks: vec![String::new()],
            current: 0,
            values: 0,
            scope: Vec::new(),
            slots: Vec::new(),
            variables: Vec::new(),
            nesting: 0,
            recursed: false,
        }
    }

    fn build(mut self) -> String {
        if self.function != 0 {
            self.values = 2;
            self.scope.push(0);
        }
        for _ in 0..1 + self.choices.below(2) {
            let slot = self.slot(2, 2);
            self.variables.push(slot);
        }
        if self.choices.chance(3) {
            let slot = self.slot(6, 2);
            self.variables.push(slot);
        }
        // Most locals are initialised, as most are in C.
        if !self.choices.chance(8) {
            for slot in self.variables.clone() {
                let value = self.choices.below(3);
                match self.slots[slot].0 {
                    2 => self.line(&format!("store i16 {value} to s{slot}")),
                    size => self.line(&format!("fill s{slot} with {value} length {size}")),
                }
            }
        }
        if self.taste.heap && self.function == 0 && !self.choices.chance(4) {
            self.first_blocks();
        }
        let count = if self.function == 0 {
            self.taste.statements
        } else {
            self.taste.statements / 3 + 1
        };
        self.statements(count);
        let result = self.value(1);
        self.line(&format!("return {result}"));
        let mut text = String::new();
        for (slot, (size, _)) in self.slots.iter().enumerate() {
            let _ = writeln!(text, " slot s{slot} size {size} align 2 name \"l{slot}\"");
        }
        for (number, block) in self.blocks.iter().enumerate() {
            if block.starts_with('(') {
                let _ = write!(text, "b{number}{block}");
            } else if number == 0 && self.function != 0 {
                let _ = write!(text, "b0(v0: i16, v1: ptr):\n{block}");
            } else {
                let _ = write!(text, "b{number}:\n{block}");
            }
        }
        text
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.blocks[self.current], " {line}");
    }

    /// An instruction with a result.
    fn emit(&mut self, instruction: &str) -> String {
        let value = self.values;
        self.values += 1;
        self.line(&format!("v{value} = {instruction}"));
        format!("v{value}")
    }

    fn block(&mut self) -> usize {
        self.blocks.push(String::new());
        self.blocks.len() - 1
    }

    fn slot(&mut self, size: u32, element: u32) -> usize {
        self.slots.push((size, element));
        self.slots.len() - 1
    }

    /// An address and the bytes of what is there.
    fn location(&mut self) -> (String, u32) {
        match self.choices.below(10) {
            0..5 => {
                let global = self.choices.below(4) as usize;
                (format!("g{global}"), GLOBALS[global].2)
            }
            5 | 6 => {
                let slot = self.choices.pick(&self.variables.clone());
                if self.slots[slot].0 == 2 {
                    (format!("s{slot}"), 2)
                } else {
                    self.element(&format!("s{slot}"), 2, 2)
                }
            }
            7 => self.element("g4", 4, 2),
            8 => self.element("g5", 4, 1),
            _ if self.function != 0 => ("v1".to_owned(), 2),
            _ => ("g0".to_owned(), 2),
        }
    }

    /// An element of an array: at a fixed place, or where a value says.
    fn element(&mut self, array: &str, count: u64, size: u32) -> (String, u32) {
        let index = self.choices.below(count);
        if self.choices.chance(2) {
            return (format!("{array}+{}", index * u64::from(size)), size);
        }
        let value = self.value(1);
        let index = self.emit(&format!("and i16 {value}, {}", count - 1));
        // Counts are powers of two, or an element is left out.
        (
            self.emit(&format!("address {array}, {index} * {size}")),
            size,
        )
    }

    fn load(&mut self, (address, size): &(String, u32)) -> String {
        let value = self.emit(&format!("load i{} {address}", size * 8));
        if *size == 2 {
            value
        } else {
            self.emit(&format!("zext i8 {value} to i16"))
        }
    }

    fn store(&mut self, (address, size): &(String, u32), value: &str) {
        let value = if *size == 2 {
            value.to_owned()
        } else {
            self.narrow(value)
        };
        self.line(&format!("store i{} {value} to {address}", size * 8));
    }

    fn narrow(&mut self, value: &str) -> String {
        match value.parse::<u64>() {
            Ok(number) => (number & 0xff).to_string(),
            Err(_) => self.emit(&format!("trunc i16 {value} to i8")),
        }
    }

    /// A 16-bit operand.
    fn value(&mut self, depth: u32) -> String {
        match self.choices.below(10) {
            0..3 => self.choices.below(5).to_string(),
            3 | 4 if !self.scope.is_empty() => {
                format!("v{}", self.choices.pick(&self.scope.clone()))
            }
            5 | 6 if depth > 0 => {
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                let op = self
                    .choices
                    .pick(&["add", "sub", "mul", "xor", "and", "or"]);
                self.emit(&format!("{op} i16 {a}, {b}"))
            }
            _ => {
                let location = self.location();
                let value = self.load(&location);
                if self.choices.chance(3)
                    && let Ok(number) = value[1..].parse()
                {
                    self.scope.push(number);
                }
                value
            }
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(1), self.value(0));
        let op = self.choices.pick(&["eq", "ne", "ult", "ugt"]);
        self.emit(&format!("icmp {op} i16 {a}, {b}"))
    }

    fn statements(&mut self, count: u64) {
        for _ in 0..1 + self.choices.below(count) {
            if self.choices.is_empty() {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        if self.taste.heap && self.choices.chance(2) {
            return self.heap();
        }
        match self.choices.below(28) {
            0..6 => {
                let value = self.value(1);
                let location = self.location();
                self.store(&location, &value);
            }
            6..10 => {
                let location = self.location();
                let old = self.load(&location);
                let other = self.value(0);
                let op = self.choices.pick(&["add", "sub", "xor"]);
                let new = self.emit(&format!("{op} i16 {old}, {other}"));
                self.store(&location, &new);
            }
            10..13 if self.nesting < 2 => self.branch(),
            13 | 14 if self.nesting < 2 => self.repeat(),
            15 | 16 => self.call(),
            17 | 18 => self.line(&format!("call fn{CHECKPOINT}()")),
            19 if self.taste.saving_checkpoints => {
                let list = GLOBALS.len() + self.choices.below(LISTS as u64) as usize;
                let count = 1 + self.choices.below(2);
                self.line(&format!("service checkpoint_with(g{list}, {count})"));
            }
            20 => self.copy(),
            21 => {
                let global = self.choices.below(GLOBALS.len() as u64) as usize;
                self.line(&format!(
                    "service write(1, g{global}, {})",
                    GLOBALS[global].1
                ));
            }
            22 if self.taste.inputs => {
                let value = self.emit(&format!("call fn{INPUT}() -> i16"));
                let location = self.location();
                self.store(&location, &value);
            }
            23 => {
                let value = self.value(1);
                self.line(&format!("call fn{OUTPUT}(i16 {value})"));
            }
            24 => self.trap(),
            25 => {
                let (a, b) = (self.value(0), self.value(0));
                let divisor = self.emit(&format!("xor i16 {b}, 7"));
                let value = self.emit(&format!("udiv i16 {a}, {divisor}"));
                let location = self.location();
                self.store(&location, &value);
            }
            26 => self.dynamic(),
            _ => {
                let global = self.choices.pick(&[4usize, 5]);
                let byte = self.value(0);
                let byte = self.narrow(&byte);
                let length = 1 + self.choices.below(6);
                self.line(&format!("fill g{global} with {byte} length {length}"));
            }
        }
    }

    fn copy(&mut self) {
        let (to, from) = (
            self.choices.pick(&[4usize, 5]),
            self.choices.pick(&[4usize, 5]),
        );
        let (at, begin) = (self.choices.below(3), self.choices.below(3));
        let length = 1 + self.choices.below(4);
        self.line(&format!(
            "copy g{to}+{at} from g{from}+{begin} length {length}"
        ));
    }

    fn nested(&mut self, count: u64) {
        let scope = self.scope.len();
        self.nesting += 1;
        self.statements(count);
        self.nesting -= 1;
        self.scope.truncate(scope);
    }

    fn branch(&mut self) {
        let condition = self.condition();
        let (then, otherwise, after) = (self.block(), self.block(), self.block());
        self.line(&format!("branch {condition}, b{then}, b{otherwise}"));
        self.current = then;
        self.nested(3);
        self.line(&format!("jump b{after}"));
        self.current = otherwise;
        if self.choices.chance(2) {
            self.nested(2);
        }
        self.line(&format!("jump b{after}"));
        self.current = after;
    }

    fn repeat(&mut self) {
        let times = 2 + self.choices.below(2);
        let (head, after) = (self.block(), self.block());
        if self.choices.chance(2) {
            let counter = self.values;
            self.values += 1;
            self.line(&format!("jump b{head}(0)"));
            self.current = head;
            self.blocks[head] = format!("(v{counter}: i16):\n");
            let scope = self.scope.len();
            self.scope.push(counter);
            self.nested(3);
            self.scope.truncate(scope);
            let next = self.emit(&format!("add i16 v{counter}, 1"));
            let more = self.emit(&format!("icmp ult i16 {next}, {times}"));
            self.line(&format!("branch {more}, b{head}({next}), b{after}"));
        } else {
            let counter = self.slot(2, 2);
            let body = self.block();
            self.line(&format!("store i16 0 to s{counter}"));
            self.line(&format!("jump b{head}"));
            self.current = head;
            let value = self.emit(&format!("load i16 s{counter}"));
            let more = self.emit(&format!("icmp ult i16 {value}, {times}"));
            self.line(&format!("branch {more}, b{body}, b{after}"));
            self.current = body;
            self.nested(3);
            let value = self.emit(&format!("load i16 s{counter}"));
            let next = self.emit(&format!("add i16 {value}, 1"));
            self.line(&format!("store i16 {next} to s{counter}"));
            self.line(&format!("jump b{head}"));
        }
        self.current = after;
    }

    fn call(&mut self) {
        let pointer = match self.choices.below(3) {
            0 => format!("s{}", self.variables[0]),
            1 => "g1".to_owned(),
            _ => "g4+2".to_owned(),
        };
        if self.function == RECURSIVE {
            if self.recursed || self.nesting > 0 {
                return;
            }
            self.recursed = true;
            let fuel = self.emit("and i16 v0, 3");
            let more = self.emit(&format!("icmp ne i16 {fuel}, 0"));
            let (then, after) = (self.block(), self.block());
            self.line(&format!("branch {more}, b{then}, b{after}"));
            self.current = then;
            let less = self.emit(&format!("sub i16 {fuel}, 1"));
            self.emit(&format!(
                "call fn{RECURSIVE}(i16 {less}, ptr {pointer}) -> i16"
            ));
            self.line(&format!("jump b{after}"));
            self.current = after;
            return;
        }
        let callee = if self.function == HELPER || self.choices.chance(3) {
            RECURSIVE
        } else {
            HELPER
        };
        let argument = self.value(0);
        let result = self.emit(&format!(
            "call fn{callee}(i16 {argument}, ptr {pointer}) -> i16"
        ));
        if self.choices.chance(2) {
            let location = self.location();
            self.store(&location, &result);
        }
    }

    /// Dies if a condition holds that should not.
    fn trap(&mut self) {
        let value = self.value(1);
        let bound = self.choices.pick(&[20, 7, 60_000]);
        let condition = self.emit(&format!("icmp ugt i16 {value}, {bound}"));
        let (then, after) = (self.block(), self.block());
        self.line(&format!("branch {condition}, b{then}, b{after}"));
        self.current = then;
        self.line("service trap()");
        self.line("unreachable");
        self.current = after;
    }

    /// Memory from `alloca`, for a while.
    fn dynamic(&mut self) {
        let saved = self.emit("stack_save");
        let address = self.emit("stack_alloc 4 align 2");
        let value = self.value(0);
        self.store(&(address.clone(), 2), &value);
        let value = self.load(&(address.clone(), 2));
        let location = self.location();
        self.store(&location, &value);
        if self.choices.chance(2) {
            self.store(&(address, 2), "3");
        }
        self.line(&format!("stack_restore {saved}"));
    }
}
