//! Every operator as a term means what `ir::eval` says it computes, at every width that programs use.
//!
//! Twice: with numbers as operands, which terms fold, and with unknowns that are required to be these
//! numbers, which a solver computes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use brownout_ir::eval::{cast, wide};
use brownout_ir::{CastOp, IntBinary, IntPredicate, IntTernary, IntUnary, Type};
use brownout_solver::{Answer, Limits, Process, Solver, Term, Terms, mask};
use brownout_verify::operators::{
    Operators, int_binary, int_compare, int_ternary, int_unary, resize,
};

const WIDTHS: [u32; 10] = [1, 2, 7, 8, 16, 24, 32, 33, 64, 128];

/// Numbers at which operators change their behaviour, and some others.
fn samples(width: u32, salt: u128) -> Vec<u128> {
    let all = mask(width);
    let half = 1 << (width - 1);
    let odd = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834_u128.wrapping_mul(2 * salt + 1);
    let mut found = vec![
        0,
        1,
        2,
        3,
        all,
        all - 1,
        half,
        half - 1,
        half + 1,
        u128::from(width),
        u128::from(width) - 1,
        odd,
        odd >> 7,
    ];
    found.iter_mut().for_each(|value| *value &= all);
    found.sort_unstable();
    found.dedup();
    found
}

/// One question: a term over unknowns, their values, and what it must be.
struct Check {
    term: Term,
    given: Vec<(Term, u128)>,
    expected: u128,
    what: String,
}

/// Asks for all at once that one of them is wrong, and if so which.
fn settle(terms: &mut Terms, checks: &[Check]) {
    let command = ["z3", "-in"].map(str::to_owned).to_vec();
    let limits = Limits {
        time: Duration::from_secs(120),
        ..Limits::default()
    };
    let mut solver = Process::new(command, limits);
    for part in checks.chunks(150) {
        solver.push();
        let mut wrong = terms.no();
        for check in part {
            // Every check has its own unknowns.
            for (variable, value) in &check.given {
                let value = terms.constant(terms.width(*variable), *value);
                let equal = terms.equal(*variable, value);
                solver.assert(terms, equal);
            }
            let expected = terms.constant(terms.width(check.term), check.expected);
            let differs = terms.differ(check.term, expected);
            wrong = terms.or(wrong, differs);
        }
        solver.assert(terms, wrong);
        let answer = solver.check();
        if answer != Answer::Unsat {
            let found: Vec<&str> = part
                .iter()
                .filter(|check| solver.value(terms, check.term) != Some(check.expected))
                .map(|check| check.what.as_str())
                .collect();
            panic!("{answer:?}: {found:?}");
        }
        solver.pop();
    }
}

/// Checks an operator on numbers at once, and notes the question for the solver.
fn note(
    terms: &mut Terms,
    checks: &mut Vec<Check>,
    widths: &[u32],
    values: &[u128],
    expected: u128,
    what: &str,
    build: &mut dyn FnMut(&mut Terms, &[Term]) -> Term,
) {
    let numbers: Vec<Term> = widths
        .iter()
        .zip(values)
        .map(|(width, value)| terms.constant(*width, *value))
        .collect();
    let folded = build(terms, &numbers);
    assert_eq!(terms.value(folded), Some(expected), "{what} {values:x?}");
    let unknown: Vec<Term> = widths.iter().map(|width| terms.variable(*width)).collect();
    let term = build(terms, &unknown);
    let given = unknown.into_iter().zip(values.iter().copied()).collect();
    checks.push(Check {
        term,
        given,
        expected,
        what: format!("{what} {values:x?}"),
    });
}

#[test]
fn binary_operators() {
    let (mut terms, mut checks) = (Terms::new(), Vec::new());
    for &op in IntBinary::ALL {
        for width in WIDTHS {
            for (index, a) in samples(width, 1).into_iter().enumerate() {
                for (other, b) in samples(width, 2).into_iter().enumerate() {
                    let Ok(expected) = wide::binary(op, width, a, b) else {
                        continue;
                    };
                    let what = format!("{op} i{width}");
                    let numbers = [terms.constant(width, a), terms.constant(width, b)];
                    let (folded, defined) = int_binary(&mut terms, op, numbers[0], numbers[1]);
                    // Products of more than 128 bits are not folded.
                    let wide = width > 64
                        && matches!(op, IntBinary::UMulOverflow | IntBinary::SMulOverflow);
                    if !wide {
                        assert_eq!(terms.value(folded), Some(expected), "{what} {a:x} {b:x}");
                    }
                    if let Some(defined) = defined {
                        assert_eq!(terms.value(defined), Some(1), "{what} {a:x} {b:x}");
                    }
                    // The solver gets a part of them: each pair of kinds of numbers once per operator.
                    let hard = matches!(
                        op,
                        IntBinary::UDiv
                            | IntBinary::SDiv
                            | IntBinary::URem
                            | IntBinary::SRem
                            | IntBinary::UMulOverflow
                            | IntBinary::SMulOverflow
                    );
                    let every = if hard { 29 } else { 7 };
                    if !(index + 3 * other + width as usize).is_multiple_of(every) {
                        continue;
                    }
                    let unknown = [terms.variable(width), terms.variable(width)];
                    let (term, _) = int_binary(&mut terms, op, unknown[0], unknown[1]);
                    checks.push(Check {
                        term,
                        given: vec![(unknown[0], a), (unknown[1], b)],
                        expected,
                        what: format!("{what} {a:x} {b:x}"),
                    });
                }
            }
        }
    }
    settle(&mut terms, &checks);
}

#[test]
fn divisions_by_zero_have_no_result() {
    let mut terms = Terms::new();
    for op in [
        IntBinary::UDiv,
        IntBinary::SDiv,
        IntBinary::URem,
        IntBinary::SRem,
    ] {
        for width in WIDTHS {
            let (a, zero) = (terms.variable(width), terms.constant(width, 0));
            let (_, defined) = int_binary(&mut terms, op, a, zero);
            assert_eq!(defined.and_then(|defined| terms.value(defined)), Some(0));
        }
    }
}

#[test]
fn other_integer_operators() {
    let (mut terms, mut checks) = (Terms::new(), Vec::new());
    for width in WIDTHS {
        for a in samples(width, 3) {
            for &op in IntUnary::ALL {
                if op == IntUnary::ByteSwap && width % 16 != 0 {
                    continue;
                }
                let expected = wide::unary(op, width, a);
                let what = format!("{op} i{width}");
                note(
                    &mut terms,
                    &mut checks,
                    &[width],
                    &[a],
                    expected,
                    &what,
                    &mut |terms, it| int_unary(terms, op, it[0]),
                );
            }
            for b in samples(width, 4).into_iter().step_by(3) {
                for &op in IntPredicate::ALL {
                    let expected = u128::from(wide::compare(op, width, a, b));
                    let what = format!("{op} i{width}");
                    let widths = [width, width];
                    note(
                        &mut terms,
                        &mut checks,
                        &widths,
                        &[a, b],
                        expected,
                        &what,
                        &mut |terms, it| int_compare(terms, op, it[0], it[1]),
                    );
                }
                for c in samples(width, 5).into_iter().step_by(4) {
                    for &op in IntTernary::ALL {
                        let expected = wide::ternary(op, width, a, b, c);
                        let what = format!("{op} i{width}");
                        let widths = [width; 3];
                        note(
                            &mut terms,
                            &mut checks,
                            &widths,
                            &[a, b, c],
                            expected,
                            &what,
                            &mut |terms, it| int_ternary(terms, op, it[0], it[1], it[2]),
                        );
                    }
                }
            }
        }
    }
    // Remainders are hard on solvers, and so is everything wide: that is left to folding.
    let hard = |check: &Check| {
        check.given.iter().any(|(it, _)| {
            let width = terms.width(*it);
            width > 33 || check.given.len() == 3 && !width.is_power_of_two()
        })
    };
    let checks: Vec<Check> = checks
        .into_iter()
        .filter(|check| !hard(check))
        .step_by(7)
        .collect();
    settle(&mut terms, &checks);
}

#[test]
fn conversions() {
    let (mut terms, mut checks) = (Terms::new(), Vec::new());
    let mut operators = Operators::default();
    for op in [CastOp::ZExt, CastOp::SExt, CastOp::Trunc, CastOp::Bitcast] {
        for from in WIDTHS {
            for to in WIDTHS {
                let fits = match op {
                    CastOp::Trunc => to < from,
                    CastOp::Bitcast => to == from,
                    _ => to > from,
                };
                if !fits {
                    continue;
                }
                let (source, target) = (Type::Int(from as u8), Type::Int(to as u8));
                for a in samples(from, 6) {
                    let expected = cast(op, source, from, target, to, a);
                    let what = format!("{op} i{from} to i{to}");
                    note(
                        &mut terms,
                        &mut checks,
                        &[from],
                        &[a],
                        expected,
                        &what,
                        &mut |terms, it| operators.cast(terms, op, (target, to), it[0]),
                    );
                }
            }
        }
    }
    let term = terms.variable(16);
    assert_eq!(resize(&mut terms, term, 16, 16), term);
    settle(&mut terms, &checks);
}
