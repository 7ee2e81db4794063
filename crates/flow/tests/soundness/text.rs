//! Random programs as text of the IR.

use std::fmt::Write;

use crate::program::{ELEMENTS, Join, LOCALS, Place, Program, SCALARS, Statement, Value};

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
            Place::Crossed(row, column) => {
                let mut address = format!("g{SCALARS}");
                for (local, scale) in [(row, 4), (column, 2)] {
                    let index = self.define(&format!("load i16 s{local}"));
                    let index = self.define(&format!("and i16 {index}, 1"));
                    address = self.define(&format!("address {address}, {index} * {scale}"));
                }
                address
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
            Statement::Update(place, join, value, shown) => {
                let value = self.value(*value);
                let address = self.address(*place);
                let old = self.define(&format!("load i16 {address}"));
                let op = match join {
                    Join::Larger => "or",
                    Join::Smaller => "and",
                };
                let value = self.define(&format!("{op} i16 {old}, {value}"));
                self.line(&format!("store i16 {value} to {address}"));
                if let Some(local) = shown {
                    self.line(&format!("store i16 {value} to s{local}"));
                }
            }
            Statement::Clamp(place, join, value) => {
                let value = self.value(*value);
                let old = self.read(*place);
                let op = match join {
                    Join::Larger => "ult",
                    Join::Smaller => "ugt",
                };
                let condition = self.define(&format!("icmp {op} i16 {old}, {value}"));
                let (side, meet) = (self.fresh(), self.fresh());
                self.line(&format!("branch {condition}, #b{side}, #b{meet}"));
                self.start(side);
                let address = self.address(*place);
                self.line(&format!("store i16 {value} to {address}"));
                self.line(&format!("jump #b{meet}"));
                self.start(meet);
            }
            Statement::Once(scalar, limit, before, value, after) => {
                let old = self.read(Place::Scalar(*scalar));
                let condition = self.define(&format!("icmp ult i16 {old}, {limit}"));
                let (side, meet) = (self.fresh(), self.fresh());
                self.line(&format!("branch {condition}, #b{side}, #b{meet}"));
                self.start(side);
                let is_left = self.block(before) || {
                    self.line(&format!("store i16 {value} to g{scalar}"));
                    self.block(after)
                };
                if !is_left {
                    self.line(&format!("jump #b{meet}"));
                }
                self.start(meet);
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
