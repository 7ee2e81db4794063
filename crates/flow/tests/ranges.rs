//! Every value that an execution computes lies in its range.
//!
//! Random functions over bytes, with branches and loops that end or do not, are executed for every pair of arguments by a
//! naive interpreter of this file, whose arithmetic is that of Rust's own integers.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::fmt::Write;

use brownout_flow::promote::{Accesses, promote};
use brownout_flow::ranges::{Ranges, Readings, ranges};
use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, Body, CastOp, Edge, Id, IntBinary, IntPredicate, Op, Operand, Terminator, Type, Value,
};
use proptest::prelude::*;

/// The variables of a function: two arguments, two locals.
const VARIABLES: usize = 4;
/// How many blocks an execution passes at most.
const BLOCKS: usize = 200;

#[derive(Clone, Copy, Debug)]
enum Term {
    Number(u8),
    Variable(usize),
}

#[derive(Clone, Debug)]
struct Condition {
    predicate: &'static str,
    a: usize,
    b: Term,
}

#[derive(Clone, Debug)]
enum Statement {
    Assign(usize, &'static str, Term, Term),
    /// The one or the other, by a condition.
    Choose(usize, Condition, Term, Term),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    /// A byte of an array is written.
    Store(usize, bool),
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        prop_oneof![0..12_u8, any::<u8>()].prop_map(Term::Number),
        (0..VARIABLES).prop_map(Term::Variable),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let predicates = vec![
        "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge",
    ];
    let predicate = proptest::sample::select(predicates);
    (predicate, 0..VARIABLES, term()).prop_map(|(predicate, a, b)| Condition { predicate, a, b })
}

fn statement() -> impl Strategy<Value = Statement> {
    let operations = vec![
        "add", "add", "add", "sub", "mul", "and", "or", "xor", "udiv", "sdiv", "urem", "srem",
        "shl", "lshr", "ashr", "umin", "umax", "smin", "smax",
    ];
    let operation = proptest::sample::select(operations);
    let simple = prop_oneof![
        4 => (0..VARIABLES, operation, term(), term())
            .prop_map(|(to, operation, a, b)| Statement::Assign(to, operation, a, b)),
        1 => (0..VARIABLES, condition(), term(), term())
            .prop_map(|(to, on, a, b)| Statement::Choose(to, on, a, b)),
        1 => (0..VARIABLES, any::<bool>()).prop_map(|(index, signed)| Statement::Store(index, signed)),
    ];
    simple.prop_recursive(3, 12, 3, |inner| {
        let block = proptest::collection::vec(inner, 0..4);
        prop_oneof![
            (condition(), block.clone(), block.clone())
                .prop_map(|(on, then, other)| Statement::If(on, then, other)),
            (condition(), block, 0..VARIABLES).prop_map(|(on, mut body, counter)| {
                // Most loops count.
                let next = [Term::Variable(counter), Term::Number(1)];
                body.push(Statement::Assign(counter, "add", next[0], next[1]));
                Statement::While(on, body)
            }),
        ]
    })
}

/// Writes a function as text of the IR.
struct Writer {
    text: String,
    values: usize,
    blocks: usize,
}

impl Writer {
    fn value(&mut self, what: std::fmt::Arguments<'_>) -> usize {
        let _ = writeln!(self.text, "  v{} = {what}", self.values);
        self.values += 1;
        self.values - 1
    }

    fn term(&mut self, term: Term) -> String {
        match term {
            Term::Number(number) => number.to_string(),
            Term::Variable(variable) => {
                format!("v{}", self.value(format_args!("load i8 s{variable}")))
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> usize {
        let a = self.term(Term::Variable(condition.a));
        let b = self.term(condition.b);
        self.value(format_args!("icmp {} i8 {a}, {b}", condition.predicate))
    }

    fn all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(to, operation, a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                let result = self.value(format_args!("{operation} i8 {a}, {b}"));
                let _ = writeln!(self.text, "  store i8 v{result} to s{to}");
            }
            Statement::Choose(to, on, a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                let on = self.condition(on);
                let result = self.value(format_args!("select i8 v{on}, {a}, {b}"));
                let _ = writeln!(self.text, "  store i8 v{result} to s{to}");
            }
            Statement::Store(index, signed) => {
                let index = self.term(Term::Variable(*index));
                let cast = if *signed { "sext" } else { "zext" };
                let index = self.value(format_args!("{cast} i8 {index} to i16"));
                let address = self.value(format_args!("address g0, v{index} * 2 + 4"));
                let _ = writeln!(self.text, "  store i8 1 to v{address}");
            }
            Statement::If(on, then, other) => {
                let on = self.condition(on);
                let [first, second, after] = self.new_blocks();
                let _ = writeln!(self.text, "  branch v{on}, #{first}, #{second}\n#{first}:");
                self.all(then);
                let _ = writeln!(self.text, "  jump #{after}\n#{second}:");
                self.all(other);
                let _ = writeln!(self.text, "  jump #{after}\n#{after}:");
            }
            Statement::While(on, body) => {
                let [head, inside, after] = self.new_blocks();
                let _ = writeln!(self.text, "  jump #{head}\n#{head}:");
                let on = self.condition(on);
                let _ = writeln!(self.text, "  branch v{on}, #{inside}, #{after}\n#{inside}:");
                self.all(body);
                let _ = writeln!(self.text, "  jump #{head}\n#{after}:");
            }
        }
    }

    fn new_blocks(&mut self) -> [usize; 3] {
        self.blocks += 3;
        std::array::from_fn(|index| self.blocks - 3 + index)
    }
}

fn text(statements: &[Statement]) -> String {
    let mut writer = Writer {
        text: "b0(v0: i8, v1: i8):\n  store i8 v0 to s0\n  store i8 v1 to s1\n  store i8 0 to s2\n  store i8 7 to s3\n"
            .to_owned(),
        values: 2,
        blocks: 1,
    };
    writer.all(statements);
    writer.text.push_str("  return\n");
    // Blocks are numbered in the order in which they stand.
    let mut body = writer.text;
    let order: Vec<usize> = body
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.strip_suffix(':')?.parse().ok())
        .collect();
    for block in (1..writer.blocks).rev() {
        let place = order.iter().position(|found| *found == block).unwrap() + 1;
        body = body.replace(&format!("#{block}:"), &format!("b{place}:"));
        body = body.replace(&format!("#{block}\n"), &format!("b{place}\n"));
        body = body.replace(&format!("#{block},"), &format!("b{place},"));
    }
    let slots: String = (0..VARIABLES)
        .map(|slot| format!("  slot s{slot} size 1 align 1\n"))
        .collect();
    format!(
        "target \"msp430\" pointer 16\n\nglobal g0 \"array\" size 900 align 2 exported = {{}}\n\n\
         function fn0 \"f\" (i8, i8) exported {{\n{slots}{body}}}\n"
    )
}

/// One execution, which notes whatever is outside of its range.
struct Execution<'b> {
    body: &'b Body,
    ranges: &'b Ranges,
    values: Vec<u64>,
}

impl Execution<'_> {
    fn get(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Bits(bits) => bits as u64,
            Operand::Value(value) => self.values[value.index()],
            other => panic!("{other:?}"),
        }
    }

    fn set(&mut self, value: Value, number: u64) {
        self.values[value.index()] = number;
        if let Type::Int(bits) = self.body.values[value] {
            let range = self.ranges.of(Operand::Value(value), u32::from(bits));
            let is_inside = (range.low..=range.high).contains(&number);
            assert!(
                is_inside,
                "v{} is {number}, not in {range:?}",
                value.index()
            );
        }
    }

    /// From the start; ends early where something is undefined.
    fn run(&mut self, arguments: [u8; 2]) -> Option<()> {
        let body = self.body;
        let mut at = body.entry();
        for (param, argument) in body.blocks[at].params.iter().zip(arguments) {
            self.set(*param, u64::from(argument));
        }
        for _ in 0..BLOCKS {
            assert!(self.ranges.is_reached(at), "b{} is reached", at.index());
            for inst in &body.blocks[at].insts {
                let Some(&result) = inst.results.first() else {
                    continue;
                };
                let number = self.evaluate(&inst.op, result)?;
                self.set(result, number);
            }
            at = self.next(at)?;
        }
        None
    }

    fn next(&mut self, at: Block) -> Option<Block> {
        let body = self.body;
        let (index, edge): (usize, &Edge) = match &body.blocks[at].terminator {
            Terminator::Jump(edge) => (0, edge),
            Terminator::Branch {
                condition, then, ..
            } if self.get(*condition) == 1 => (0, then),
            Terminator::Branch { otherwise, .. } => (1, otherwise),
            _ => return None,
        };
        assert!(
            self.ranges.can_take(at, index),
            "edge {index} of b{} is taken",
            at.index()
        );
        let given: Vec<u64> = edge.args.iter().map(|&arg| self.get(arg)).collect();
        for (&param, number) in body.blocks[edge.block].params.iter().zip(given) {
            self.set(param, number);
        }
        Some(edge.block)
    }

    fn evaluate(&self, op: &Op, result: Value) -> Option<u64> {
        Some(match op {
            Op::IntBinary { op, a, b, .. } => {
                let byte = binary(*op, self.get(*a) as u8, self.get(*b) as u8)?;
                u64::from(byte)
            }
            Op::IntCompare { op, a, b, .. } => {
                let (a, b) = (self.get(*a) as u8, self.get(*b) as u8);
                let (signed_a, signed_b) = (a as i8, b as i8);
                u64::from(match op {
                    IntPredicate::Eq => a == b,
                    IntPredicate::Ne => a != b,
                    IntPredicate::ULt => a < b,
                    IntPredicate::ULe => a <= b,
                    IntPredicate::UGt => a > b,
                    IntPredicate::UGe => a >= b,
                    IntPredicate::SLt => signed_a < signed_b,
                    IntPredicate::SLe => signed_a <= signed_b,
                    IntPredicate::SGt => signed_a > signed_b,
                    IntPredicate::SGe => signed_a >= signed_b,
                })
            }
            Op::Cast { op, a, .. } => {
                let byte = self.get(*a) as u8;
                match op {
                    CastOp::ZExt => u64::from(byte),
                    CastOp::SExt => u64::from(i16::from(byte as i8) as u16),
                    other => panic!("{other:?}"),
                }
            }
            Op::Select {
                condition, a, b, ..
            } => match self.get(*condition) {
                1 => self.get(*a),
                _ => self.get(*b),
            },
            Op::Address { index, .. } => {
                let bytes = i64::from(self.get(*index) as u16 as i16) * 2 + 4;
                if let Some(moved) = self.ranges.moved(result) {
                    let is_inside = (moved.least..=moved.most).contains(&bytes);
                    assert!(is_inside, "moved by {bytes}, not within {moved:?}");
                }
                0
            }
            other => panic!("{other:?}"),
        })
    }
}

fn binary(op: IntBinary, a: u8, b: u8) -> Option<u8> {
    let (signed_a, signed_b) = (a as i8, b as i8);
    let shift = u32::from(b);
    Some(match op {
        IntBinary::Add => a.wrapping_add(b),
        IntBinary::Sub => a.wrapping_sub(b),
        IntBinary::Mul => a.wrapping_mul(b),
        IntBinary::And => a & b,
        IntBinary::Or => a | b,
        IntBinary::Xor => a ^ b,
        IntBinary::UDiv => a.checked_div(b)?,
        IntBinary::URem => a.checked_rem(b)?,
        IntBinary::SDiv => signed_a.checked_div(signed_b)? as u8,
        IntBinary::SRem => signed_a.checked_rem(signed_b)? as u8,
        // More than the width is undefined.
        IntBinary::Shl => a.checked_shl(shift)?,
        IntBinary::LShr => a.checked_shr(shift)?,
        IntBinary::AShr => signed_a.checked_shr(shift)? as u8,
        IntBinary::UMin => a.min(b),
        IntBinary::UMax => a.max(b),
        IntBinary::SMin => signed_a.min(signed_b) as u8,
        IntBinary::SMax => signed_a.max(signed_b) as u8,
        other => panic!("{other:?}"),
    })
}

fn analysed(statements: &[Statement]) -> (Body, Ranges) {
    let text = text(statements);
    let program = brownout_ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (_, function) = program.functions.iter().next().unwrap();
    let body = function.body.as_ref().unwrap();
    let body = promote(body, &program.target, Accesses::Drop);
    let dominators = Dominators::new(&body);
    let ranges = ranges(&program, &Readings::default(), &body, &dominators, &[]);
    (body, ranges)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_value_lies_in_its_range(
        statements in proptest::collection::vec(statement(), 1..6),
        arguments in proptest::collection::vec(any::<[u8; 2]>(), 8),
    ) {
        let (body, ranges) = analysed(&statements);
        let ends = [0, 1, 7, 8, 127, 128, 255].into_iter();
        let ends = ends.flat_map(|a| [0, 3, 127, 128, 255].into_iter().map(move |b| [a, b]));
        for pair in ends.chain(arguments) {
            let values = vec![0; body.values.len()];
            let mut execution = Execution { body: &body, ranges: &ranges, values };
            execution.run(pair);
        }
    }
}

/// How far the only address of a function is from the start of the array.
fn moved(statements: &[Statement]) -> Option<(i64, i64)> {
    let (body, ranges) = analysed(statements);
    let found = (body.values.ids()).find_map(|value| ranges.moved(value));
    found.map(|moved| (moved.least, moved.most))
}

fn below(a: usize, b: Term) -> Condition {
    let predicate = "slt";
    Condition { predicate, a, b }
}

/// `for (; goes_on; counter++) array[counter] = 1;`.
fn counted_while(counter: usize, goes_on: Condition) -> Statement {
    let one = Term::Number(1);
    let next = Statement::Assign(counter, "add", Term::Variable(counter), one);
    Statement::While(goes_on, vec![Statement::Store(counter, true), next])
}

/// `for (; counter < end; counter++) array[counter] = 1;`.
fn counted(counter: usize, end: Term) -> Statement {
    counted_while(counter, below(counter, end))
}

#[test]
fn a_loop_that_counts_to_a_number_stays_below_it() {
    assert_eq!(moved(&[counted(2, Term::Number(8))]), Some((4, 18)));
}

#[test]
fn a_loop_that_counts_until_it_is_at_a_number_stays_below_it() {
    let goes_on = Condition {
        predicate: "ne",
        a: 2,
        b: Term::Number(8),
    };
    assert_eq!(moved(&[counted_while(2, goes_on)]), Some((4, 18)));
}

#[test]
fn a_loop_that_counts_to_a_masked_number_stays_below_it() {
    let masked = Statement::Assign(0, "and", Term::Variable(0), Term::Number(7));
    let all = [masked, counted(2, Term::Variable(0))];
    assert_eq!(moved(&all), Some((4, 16)));
}

#[test]
fn a_loop_that_counts_to_a_clamped_number_stays_below_it() {
    let clamp = |to| Statement::Assign(0, "add", Term::Number(to), Term::Number(0));
    let too_many = Condition {
        predicate: "sgt",
        a: 0,
        b: Term::Number(9),
    };
    let negative = below(0, Term::Number(0));
    let all = [
        Statement::If(negative, vec![clamp(0)], vec![]),
        Statement::If(too_many, vec![clamp(9)], vec![]),
        counted(2, Term::Variable(0)),
    ];
    assert_eq!(moved(&all), Some((4, 20)));
}

#[test]
fn a_loop_that_counts_to_anything_is_not_bounded_by_it() {
    assert_eq!(
        moved(&[counted(2, Term::Variable(0))]),
        Some((4, 4 + 126 * 2))
    );
}
