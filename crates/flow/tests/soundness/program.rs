//! Small random programs with inputs: as trees, as text of the IR, and executed naively.

use std::fmt::Write;

/// How many scalar variables are in non-volatile memory.
pub(crate) const SCALARS: usize = 4;
/// How many elements the array in non-volatile memory has.
pub(crate) const ELEMENTS: usize = 4;
/// All non-volatile words: scalars, then the array.
pub(crate) const WORDS: usize = SCALARS + ELEMENTS;
/// How many local variables there are; they are volatile.
const LOCALS: usize = 3;

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Scalar(usize),
    Element(usize),
    /// An element chosen by a local.
    Indexed(usize),
    Local(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Constant(u16),
    Of(Place),
    Plus(Place, u16),
    Sum(Place, Place),
    And(Place, u16),
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Place, Value),
    Input(Place),
    /// `if (value < limit)`.
    If(Value, u16, Vec<Self>, Vec<Self>),
    /// A switch on the low two bits.
    Switch(Value, Vec<Vec<Self>>),
    /// A local counts up to a limit.
    Count(usize, u16, Vec<Self>),
    /// A local counts up to another local's low two bits.
    CountTo(usize, usize, Vec<Self>),
    /// `set(&place, value)`.
    Set(Place, Value),
    /// `maybe(&place, condition, value)`: a function with a branch.
    Maybe(Place, Value, Value),
    /// Copies the first scalar and the second into elements, as one block.
    CopyPair,
    /// Fills the array.
    Clear,
    /// The number tells the checkpoints apart.
    Checkpoint(usize),
    Return,
}

/// A generator of numbers: the same ones every time.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

/// A random program.
pub(crate) struct Program {
    /// Non-volatile memory at first.
    pub(crate) memory: [u16; WORDS],
    pub(crate) statements: Vec<Statement>,
    pub(crate) checkpoints: usize,
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Self {
        let mut program = Self {
            memory: [0; WORDS],
            statements: Vec::new(),
            checkpoints: 0,
        };
        let count = 3 + random.below(6);
        program.statements = program.block(random, count, 0, LOCALS);
        program
    }

    /// Locals from `free` on count loops further out: nobody else writes those.
    fn block(
        &mut self,
        random: &mut Random,
        count: usize,
        depth: usize,
        free: usize,
    ) -> Vec<Statement> {
        (0..count)
            .map(|_| self.statement(random, depth, free))
            .collect()
    }

    fn statement(&mut self, random: &mut Random, depth: usize, free: usize) -> Statement {
        let kinds = if depth < 3 { 20 } else { 12 };
        match random.below(kinds) {
            0..=3 => Statement::Assign(target(random, free), value(random)),
            4..=6 => Statement::Input(target(random, free)),
            7 => Statement::Set(memory(random), value(random)),
            8 => Statement::Maybe(memory(random), value(random), value(random)),
            9 => match random.below(6) {
                0 => Statement::Return,
                1 => Statement::Clear,
                2 => Statement::CopyPair,
                _ => Statement::Assign(target(random, free), value(random)),
            },
            10 => {
                self.checkpoints += 1;
                Statement::Checkpoint(self.checkpoints - 1)
            }
            11 => Statement::Assign(memory(random), value(random)),
            12..=16 => {
                let (then, otherwise) = (1 + random.below(3), random.below(3));
                Statement::If(
                    value(random),
                    1 + random.below(2) as u16,
                    self.block(random, then, depth + 1, free),
                    self.block(random, otherwise, depth + 1, free),
                )
            }
            17 => {
                let arms = (0..3)
                    .map(|_| {
                        let count = random.below(3);
                        self.block(random, count, depth + 1, free)
                    })
                    .collect();
                Statement::Switch(value(random), arms)
            }
            kind if free > 1 => {
                let count = 1 + random.below(2);
                let counter = free - 1;
                let body = self.block(random, count, depth + 1, counter);
                if kind == 18 {
                    Statement::Count(counter, 1 + random.below(3) as u16, body)
                } else {
                    Statement::CountTo(counter, random.below(counter), body)
                }
            }
            _ => Statement::Assign(target(random, free), value(random)),
        }
    }
}

fn memory(random: &mut Random) -> Place {
    match random.below(6) {
        0 => Place::Element(random.below(ELEMENTS)),
        1 => Place::Indexed(random.below(LOCALS)),
        _ => Place::Scalar(random.below(SCALARS)),
    }
}

fn target(random: &mut Random, free: usize) -> Place {
    if free > 0 && random.below(3) == 0 {
        Place::Local(random.below(free))
    } else {
        memory(random)
    }
}

fn any(random: &mut Random) -> Place {
    if random.below(2) == 0 {
        Place::Local(random.below(LOCALS))
    } else {
        memory(random)
    }
}

fn value(random: &mut Random) -> Value {
    match random.below(6) {
        0 | 1 => Value::Constant(random.below(4) as u16),
        2 | 3 => Value::Of(any(random)),
        4 => match random.below(2) {
            0 => Value::Plus(any(random), 1 + random.below(3) as u16),
            _ => Value::And(any(random), 1 + random.below(3) as u16),
        },
        _ => Value::Sum(any(random), any(random)),
    }
}

/// The state of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) words: [u16; WORDS],
    pub(crate) locals: [u16; LOCALS],
    /// The last checkpoint passed; the end is the number behind the last one.
    pub(crate) at: Option<usize>,
    /// How many inputs were read since the region began.
    pub(crate) read: usize,
}

/// An execution that goes on from a commit, or stops early.
pub(crate) struct Execution<'p> {
    program: &'p Program,
    inputs: &'p dyn Fn(usize) -> u16,
    /// The commit (0: the start) where `dirty` takes the place of memory and inputs begin anew.
    pub(crate) commit: usize,
    pub(crate) dirty: Option<[u16; WORDS]>,
    /// Inputs from the commit on.
    pub(crate) then: &'p dyn Fn(usize) -> u16,
    /// Stop after so many writes behind the commit.
    pub(crate) writes: Option<usize>,
    /// Stop at the commit itself.
    freeze: bool,
    state: State,
    commits: usize,
    total: usize,
    written: usize,
    steps: usize,
}

/// Why an execution stops.
enum Stop {
    /// The next commit, the end, or enough writes.
    There,
    Endless,
}

impl<'p> Execution<'p> {
    pub(crate) fn new(
        program: &'p Program,
        inputs: &'p dyn Fn(usize) -> u16,
        commit: usize,
        then: &'p dyn Fn(usize) -> u16,
    ) -> Self {
        Self {
            program,
            inputs,
            commit,
            dirty: None,
            then,
            writes: None,
            freeze: false,
            state: State {
                words: program.memory,
                locals: [0; LOCALS],
                at: None,
                read: 0,
            },
            commits: 0,
            total: 0,
            written: 0,
            steps: 0,
        }
    }

    /// Executes up to the end of the region behind the commit; the state there, the number of
    /// writes in the region, and the checkpoint where it began. None if there is no such commit
    /// or no end.
    pub(crate) fn run(mut self) -> Option<(State, usize, Option<usize>)> {
        let mut began = None;
        if self.commit == 0 {
            self.begin();
            if self.freeze {
                return Some((self.state, 0, None));
            }
        }
        let statements = &self.program.statements;
        let stop = self.block(statements, &mut began);
        match stop {
            Err(Stop::Endless) => return None,
            Err(Stop::There) => {}
            Ok(_) => self.state.at = Some(self.program.checkpoints),
        }
        (self.commits >= self.commit).then_some((self.state, self.written, began))
    }

    /// Memory at a commit.
    pub(crate) fn memory_at(
        program: &'p Program,
        inputs: &'p dyn Fn(usize) -> u16,
        commit: usize,
    ) -> Option<[u16; WORDS]> {
        let mut execution = Self::new(program, inputs, commit, inputs);
        execution.freeze = true;
        let (state, ..) = execution.run()?;
        Some(state.words)
    }

    fn begin(&mut self) {
        if let Some(dirty) = self.dirty {
            self.state.words = dirty;
        }
        self.state.read = 0;
    }

    fn in_region(&self) -> bool {
        self.commits == self.commit
    }

    /// Whether the program returned.
    fn block(&mut self, block: &'p [Statement], began: &mut Option<usize>) -> Result<bool, Stop> {
        for statement in block {
            if self.statement(statement, began)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn statement(
        &mut self,
        statement: &'p Statement,
        began: &mut Option<usize>,
    ) -> Result<bool, Stop> {
        self.steps += 1;
        if self.steps > 2_000 {
            return Err(Stop::Endless);
        }
        match statement {
            Statement::Assign(place, value) | Statement::Set(place, value) => {
                let value = self.value(*value);
                self.write(*place, value)?;
            }
            Statement::Input(place) => {
                let value = if self.in_region() {
                    self.state.read += 1;
                    (self.then)(self.state.read - 1)
                } else {
                    self.total += 1;
                    (self.inputs)(self.total - 1)
                };
                self.write(*place, value)?;
            }
            Statement::If(value, limit, then, otherwise) => {
                let side = if self.value(*value) < *limit {
                    then
                } else {
                    otherwise
                };
                return self.block(side, began);
            }
            Statement::Switch(value, arms) => {
                let arm = usize::from(self.value(*value) & 3).min(arms.len() - 1);
                return self.block(&arms[arm], began);
            }
            Statement::Count(counter, limit, body) => {
                self.state.locals[*counter] = 0;
                while self.state.locals[*counter] < *limit {
                    if self.block(body, began)? {
                        return Ok(true);
                    }
                    self.state.locals[*counter] += 1;
                }
            }
            Statement::CountTo(counter, limit, body) => {
                self.state.locals[*counter] = 0;
                while self.state.locals[*counter] < self.state.locals[*limit] & 3 {
                    self.steps += 1;
                    if self.steps > 2_000 {
                        return Err(Stop::Endless);
                    }
                    if self.block(body, began)? {
                        return Ok(true);
                    }
                    self.state.locals[*counter] += 1;
                }
            }
            Statement::Maybe(place, condition, value) => {
                let (condition, value) = (self.value(*condition), self.value(*value));
                if condition != 0 {
                    self.write(*place, value)?;
                }
            }
            Statement::CopyPair => {
                for index in 0..2 {
                    let value = self.state.words[index];
                    self.write(Place::Element(index), value)?;
                }
            }
            Statement::Clear => {
                for index in 0..ELEMENTS {
                    self.write(Place::Element(index), 7)?;
                }
            }
            Statement::Checkpoint(number) => {
                if self.in_region() {
                    self.state.at = Some(*number);
                    return Err(Stop::There);
                }
                self.commits += 1;
                if self.in_region() {
                    *began = Some(*number);
                    self.begin();
                    if self.freeze {
                        return Err(Stop::There);
                    }
                }
            }
            Statement::Return => return Ok(true),
        }
        Ok(false)
    }

    fn index(&self, place: Place) -> Option<usize> {
        match place {
            Place::Scalar(scalar) => Some(scalar),
            Place::Element(element) => Some(SCALARS + element),
            Place::Indexed(local) => Some(SCALARS + usize::from(self.state.locals[local] & 3)),
            Place::Local(_) => None,
        }
    }

    fn read(&self, place: Place) -> u16 {
        match (place, self.index(place)) {
            (_, Some(index)) => self.state.words[index],
            (Place::Local(local), None) => self.state.locals[local],
            (_, None) => 0,
        }
    }

    fn value(&self, value: Value) -> u16 {
        match value {
            Value::Constant(constant) => constant,
            Value::Of(place) => self.read(place),
            Value::Plus(place, by) => self.read(place).wrapping_add(by),
            Value::Sum(a, b) => self.read(a).wrapping_add(self.read(b)),
            Value::And(place, mask) => self.read(place) & mask,
        }
    }

    fn write(&mut self, place: Place, value: u16) -> Result<(), Stop> {
        match (place, self.index(place)) {
            (_, Some(index)) => {
                self.state.words[index] = value;
                if self.in_region() {
                    self.written += 1;
                    if self.writes == Some(self.written) {
                        return Err(Stop::There);
                    }
                }
            }
            (Place::Local(local), None) => self.state.locals[local] = value,
            (_, None) => {}
        }
        Ok(())
    }
}

/// The program as text of the IR.
pub(crate) fn text(program: &Program) -> String {
    let mut writer = Writer {
        text: String::new(),
        values: 0,
        blocks: 1,
    };
    writer.text.push_str("#b0:\n");
    for local in 0..LOCALS {
        let _ = writeln!(writer.text, "  store i16 0 to s{local}");
    }
    if !writer.block(&program.statements) {
        writer.text.push_str("  return 0\n");
    }
    let mut text = String::from("target \"msp430\" pointer 16\n\n");
    text.push_str("type t0 = signed \"int\" size 2\n");
    let _ = writeln!(
        text,
        "type t1 = array \"\" size {} of t0 count {ELEMENTS}\n",
        2 * ELEMENTS
    );
    for scalar in 0..SCALARS {
        let _ = writeln!(
            text,
            "global g{scalar} \"x{scalar}\" size 2 align 2 exported variable \"x{scalar}\" typed t0 = {{}}"
        );
    }
    let _ = writeln!(
        text,
        "global g{SCALARS} \"array\" size {} align 2 exported variable \"array\" typed t1 = {{}}\n",
        2 * ELEMENTS
    );
    text.push_str("function fn0 \"main\" () -> i16 exported {\n");
    for local in 0..LOCALS {
        let _ = writeln!(text, "  slot s{local} size 2 align 2");
    }
    text.push_str(&numbered(&writer.text));
    text.push_str("}\n\nfunction fn1 \"input\" () -> i16 exported\n\n");
    text.push_str("function fn2 \"set\" (ptr, i16) {\nb0(v0: ptr, v1: i16):\n  store i16 v1 to v0\n  return\n}\n\n");
    text.push_str(
        "function fn3 \"maybe\" (ptr, i16, i16) {\nb0(v0: ptr, v1: i16, v2: i16):\n  v3 = icmp ne i16 v1, 0\n  branch v3, b1, b2\nb1:\n  call fn2(ptr v0, i16 v2)\n  jump b2\nb2:\n  return\n}\n\n",
    );
    for number in 0..program.checkpoints {
        let _ = writeln!(
            text,
            "function fn{} \"checkpoint{number}\" () exported\n",
            4 + number
        );
    }
    text
}

/// Blocks and values numbered in the order in which they are defined, as the text format wants it.
fn numbered(text: &str) -> String {
    let mut names = std::collections::BTreeMap::new();
    let mut next = [0, 0];
    for line in text.lines() {
        let line = line.trim_start();
        let defined = line
            .split(['(', ')', ':', ' ', ','])
            .filter(|word| word.starts_with('#'));
        let is_block = line.starts_with("#b");
        let defined = defined.take(if is_block {
            usize::MAX
        } else {
            usize::from(line.starts_with('#'))
        });
        for name in defined {
            let kind = usize::from(name.starts_with("#v"));
            names.insert(name.to_owned(), format!("{}{}", &name[1..2], next[kind]));
            next[kind] += 1;
        }
    }
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest[2..]
            .find(|letter: char| !letter.is_ascii_digit())
            .map_or(rest.len(), |end| end + 2);
        result.push_str(&names[&rest[..end]]);
        rest = &rest[end..];
    }
    result + rest
}

struct Writer {
    text: String,
    values: usize,
    blocks: usize,
}

impl Writer {
    fn define(&mut self, what: &str) -> String {
        let name = format!("#v{}", self.values);
        self.values += 1;
        let _ = writeln!(self.text, "  {name} = {what}");
        name
    }

    fn line(&mut self, what: &str) {
        let _ = writeln!(self.text, "  {what}");
    }

    fn fresh(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn start(&mut self, block: usize) {
        let _ = writeln!(self.text, "#b{block}:");
    }

    fn address(&mut self, place: Place) -> String {
        match place {
            Place::Scalar(scalar) => format!("g{scalar}"),
            Place::Element(0) => format!("g{SCALARS}"),
            Place::Element(element) => format!("g{SCALARS}+{}", 2 * element),
            Place::Indexed(local) => {
                let index = self.define(&format!("load i16 s{local}"));
                let index = self.define(&format!("and i16 {index}, 3"));
                self.define(&format!("address g{SCALARS}, {index} * 2"))
            }
            Place::Local(local) => format!("s{local}"),
        }
    }

    fn read(&mut self, place: Place) -> String {
        let address = self.address(place);
        self.define(&format!("load i16 {address}"))
    }

    fn value(&mut self, value: Value) -> String {
        match value {
            Value::Constant(constant) => constant.to_string(),
            Value::Of(place) => self.read(place),
            Value::Plus(place, by) => {
                let read = self.read(place);
                self.define(&format!("add i16 {read}, {by}"))
            }
            Value::Sum(a, b) => {
                let (a, b) = (self.read(a), self.read(b));
                self.define(&format!("add i16 {a}, {b}"))
            }
            Value::And(place, mask) => {
                let read = self.read(place);
                self.define(&format!("and i16 {read}, {mask}"))
            }
        }
    }

    /// Whether the block has been left for good.
    fn block(&mut self, block: &[Statement]) -> bool {
        block.iter().any(|statement| self.statement(statement))
    }

    fn arm(&mut self, from: usize, arm: &[Statement], to: usize) {
        self.start(from);
        if !self.block(arm) {
            self.line(&format!("jump #b{to}"));
        }
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Assign(place, value) => {
                let value = self.value(*value);
                let address = self.address(*place);
                self.line(&format!("store i16 {value} to {address}"));
            }
            Statement::Input(place) => {
                let value = self.define("call fn1() -> i16");
                let address = self.address(*place);
                self.line(&format!("store i16 {value} to {address}"));
            }
            Statement::Set(place, value) => {
                let value = self.value(*value);
                let address = self.address(*place);
                self.line(&format!("call fn2(ptr {address}, i16 {value})"));
            }
            Statement::Maybe(place, condition, value) => {
                let (condition, value) = (self.value(*condition), self.value(*value));
                let address = self.address(*place);
                self.line(&format!(
                    "call fn3(ptr {address}, i16 {condition}, i16 {value})"
                ));
            }
            Statement::If(value, limit, then, otherwise) => {
                let value = self.value(*value);
                let condition = self.define(&format!("icmp ult i16 {value}, {limit}"));
                let (a, b, meet) = (self.fresh(), self.fresh(), self.fresh());
                self.line(&format!("branch {condition}, #b{a}, #b{b}"));
                self.arm(a, then, meet);
                self.arm(b, otherwise, meet);
                self.start(meet);
            }
            Statement::Switch(value, arms) => {
                let value = self.value(*value);
                let value = self.define(&format!("and i16 {value}, 3"));
                let blocks: Vec<usize> = arms.iter().map(|_| self.fresh()).collect();
                let meet = self.fresh();
                let last = arms.len() - 1;
                let cases: Vec<String> = blocks[..last]
                    .iter()
                    .enumerate()
                    .map(|(case, block)| format!("{case}: #b{block}"))
                    .collect();
                self.line(&format!(
                    "switch i16 {value} [{}] else #b{}",
                    cases.join(", "),
                    blocks[last]
                ));
                for (block, arm) in blocks.iter().zip(arms) {
                    self.arm(*block, arm, meet);
                }
                self.start(meet);
            }
            Statement::Count(counter, limit, body) => {
                let limit = limit.to_string();
                self.counted(*counter, body, |_| limit.clone());
            }
            Statement::CountTo(counter, limit, body) => {
                let limit = *limit;
                self.counted(*counter, body, |writer| {
                    let limit = writer.define(&format!("load i16 s{limit}"));
                    writer.define(&format!("and i16 {limit}, 3"))
                });
            }
            Statement::CopyPair => {
                for index in 0..2 {
                    let value = self.read(Place::Scalar(index));
                    let address = self.address(Place::Element(index));
                    self.line(&format!("store i16 {value} to {address}"));
                }
            }
            Statement::Clear => {
                // A loop with a counter of its own, as a compiler writes it.
                let (head, body, done) = (self.fresh(), self.fresh(), self.fresh());
                let (counter, next) = (
                    format!("#v{}", self.values),
                    format!("#v{}", self.values + 1),
                );
                self.values += 2;
                self.line(&format!("jump #b{head}(0)"));
                let _ = writeln!(self.text, "#b{head}({counter}: i16):");
                let more = self.define(&format!("icmp ult i16 {counter}, {ELEMENTS}"));
                self.line(&format!("branch {more}, #b{body}, #b{done}"));
                self.start(body);
                let address = self.define(&format!("address g{SCALARS}, {counter} * 2"));
                self.line(&format!("store i16 7 to {address}"));
                self.line(&format!("{next} = add i16 {counter}, 1"));
                self.line(&format!("jump #b{head}({next})"));
                self.start(done);
            }
            Statement::Checkpoint(number) => self.line(&format!("call fn{}()", 4 + number)),
            Statement::Return => {
                self.line("return 0");
                return true;
            }
        }
        false
    }

    fn counted(&mut self, counter: usize, body: &[Statement], limit: impl Fn(&mut Self) -> String) {
        let (head, inside, latch, done) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(&format!("store i16 0 to s{counter}"));
        self.line(&format!("jump #b{head}"));
        self.start(head);
        let value = self.define(&format!("load i16 s{counter}"));
        let limit = limit(self);
        let more = self.define(&format!("icmp ult i16 {value}, {limit}"));
        self.line(&format!("branch {more}, #b{inside}, #b{done}"));
        self.arm(inside, body, latch);
        self.start(latch);
        let value = self.define(&format!("load i16 s{counter}"));
        let next = self.define(&format!("add i16 {value}, 1"));
        self.line(&format!("store i16 {next} to s{counter}"));
        self.line(&format!("jump #b{head}"));
        self.start(done);
    }
}
