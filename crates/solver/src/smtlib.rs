//! Terms as SMT-LIB 2 text.
//!
//! Every term gets a name the first time it is needed, so that text stays as small as the terms
//! are. **Invariant**: what a level defines is forgotten with the level.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::terms::{Binary, Node, Term, Terms};

/// Text for one solver: what it has been told, level by level.
#[derive(Debug)]
pub struct Script {
    levels: Vec<Level>,
}

#[derive(Default, Debug)]
struct Level {
    terms: FxHashSet<Term>,
    functions: FxHashSet<u32>,
    text: String,
}

/// What every solver is told first.
pub(crate) const PREAMBLE: &str = "(set-option :produce-models true)\n(set-logic QF_UFBV)\n";

impl Default for Script {
    fn default() -> Self {
        Self {
            levels: vec![Level::default()],
        }
    }
}

impl Script {
    /// A new level; the text for it.
    pub fn push(&mut self) -> String {
        self.levels.push(Level::default());
        "(push 1)\n".to_owned()
    }

    /// The last level is forgotten; the text for it.
    pub fn pop(&mut self) -> String {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
        "(pop 1)\n".to_owned()
    }

    /// The text that requires a term.
    pub fn assert(&mut self, terms: &Terms, term: Term) -> String {
        let mut text = self.define(terms, term);
        let _ = writeln!(text, "(assert (= {} #b1))", name(terms, term));
        self.keep(&text);
        text
    }

    /// The text that asks for the value of a term, if it has a name.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<String> {
        let question = format!("(get-value ({}))\n", name(terms, term));
        self.is_defined(term).then_some(question)
    }

    /// The text that names a term and all it is made of.
    pub fn define(&mut self, terms: &Terms, term: Term) -> String {
        let mut text = String::new();
        let mut open = vec![(term, false)];
        while let Some((term, ready)) = open.pop() {
            if self.is_defined(term) || terms.value(term).is_some() {
                continue;
            }
            if ready {
                self.one(terms, term, &mut text);
            } else {
                open.push((term, true));
                let operands = terms.node(term).operands();
                open.extend(operands.into_iter().map(|term| (term, false)));
            }
        }
        text
    }

    /// Whether nothing has been required so far.
    pub fn is_bare(&self) -> bool {
        self.levels.iter().all(|level| level.text.is_empty())
    }

    /// All that holds at present, as one text.
    pub fn text(&self) -> String {
        let levels = self.levels.iter().map(|level| level.text.as_str());
        levels.collect::<Vec<_>>().join("(push 1)\n")
    }

    fn keep(&mut self, text: &str) {
        if let Some(level) = self.levels.last_mut() {
            level.text.push_str(text);
        }
    }

    /// Notes text that was made by [`Self::define`].
    pub fn defined(&mut self, text: &str) {
        self.keep(text);
    }

    fn is_defined(&self, term: Term) -> bool {
        self.levels.iter().any(|level| level.terms.contains(&term))
    }

    fn one(&mut self, terms: &Terms, term: Term, text: &mut String) {
        if let Node::Apply(function, _) = terms.node(term)
            && !self
                .levels
                .iter()
                .any(|level| level.functions.contains(&function.0))
        {
            let (operands, result) = terms.signature(*function);
            let operands: Vec<String> = operands
                .iter()
                .map(|width| format!("(_ BitVec {width})"))
                .collect();
            let _ = writeln!(
                text,
                "(declare-fun f{} ({}) (_ BitVec {result}))",
                function.0,
                operands.join(" ")
            );
            if let Some(level) = self.levels.last_mut() {
                level.functions.insert(function.0);
            }
        }
        let width = terms.width(term);
        let _ = match terms.node(term) {
            Node::Variable(_) => {
                writeln!(text, "(declare-const t{} (_ BitVec {width}))", term.0)
            }
            _ => writeln!(
                text,
                "(define-fun t{} () (_ BitVec {width}) {})",
                term.0,
                expression(terms, term)
            ),
        };
        if let Some(level) = self.levels.last_mut() {
            level.terms.insert(term);
        }
    }
}

fn number(width: u32, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

/// A term by its name, or by its value.
pub(crate) fn name(terms: &Terms, term: Term) -> String {
    match terms.value(term) {
        Some(value) => number(terms.width(term), value),
        None => format!("t{}", term.0),
    }
}

fn expression(terms: &Terms, term: Term) -> String {
    let width = terms.width(term);
    let n = |term: &Term| name(terms, *term);
    match terms.node(term) {
        Node::Constant(value) => number(width, *value),
        Node::Variable(_) => name(terms, term),
        Node::Sum(parts, constant) => {
            let mut sum: Vec<String> = parts
                .iter()
                .map(|(part, factor)| match factor {
                    1 => n(part),
                    _ => format!("(bvmul {} {})", number(width, *factor), n(part)),
                })
                .collect();
            if *constant != 0 || sum.len() < 2 {
                sum.push(number(width, *constant));
            }
            format!("(bvadd {})", sum.join(" "))
        }
        Node::Binary(op, a, b) => {
            let (a, b) = (n(a), n(b));
            let operator = match op {
                Binary::And => "bvand",
                Binary::Or => "bvor",
                Binary::Xor => "bvxor",
                Binary::Mul => "bvmul",
                Binary::UDiv => "bvudiv",
                Binary::URem => "bvurem",
                Binary::SDiv => "bvsdiv",
                Binary::SRem => "bvsrem",
                Binary::Shl => "bvshl",
                Binary::LShr => "bvlshr",
                Binary::AShr => "bvashr",
                Binary::Equal => "bvcomp",
                Binary::ULess => return format!("(ite (bvult {a} {b}) #b1 #b0)"),
                Binary::SLess => return format!("(ite (bvslt {a} {b}) #b1 #b0)"),
            };
            format!("({operator} {a} {b})")
        }
        Node::Not(a) => format!("(bvnot {})", n(a)),
        Node::Choice(a, b, c) => format!("(ite (= {} #b1) {} {})", n(a), n(b), n(c)),
        Node::Extract(a, low) => format!("((_ extract {} {low}) {})", low + width - 1, n(a)),
        Node::Concat(a, b) => format!("(concat {} {})", n(a), n(b)),
        Node::ZeroExtend(a) => {
            format!("((_ zero_extend {}) {})", width - terms.width(*a), n(a))
        }
        Node::SignExtend(a) => {
            format!("((_ sign_extend {}) {})", width - terms.width(*a), n(a))
        }
        Node::Apply(function, operands) => {
            let operands: Vec<String> = operands.iter().map(n).collect();
            format!("(f{} {})", function.0, operands.join(" "))
        }
    }
}
