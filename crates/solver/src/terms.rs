//! Terms: bit-vectors and what is computed from them, each kept once.
//!
//! A term is a number; equal terms have equal numbers, so that comparing them costs nothing. Truth
//! is a bit-vector of one bit. Every operator has the meaning that SMT-LIB gives it: shifts by too
//! much give zero (or the sign), a division by zero gives all ones.
//!
//! **Invariants**: building a term simplifies it where that is cheap: constants are folded, sums are
//! linear forms in a fixed order (so `x + 4 - x` is 4), and a condition that is known decides. A
//! simplified term has the value of the term that was asked for, whatever the variables are.
//! Constants have at most 128 bits; wider terms are never folded.

use rustc_hash::FxHashMap;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) u32);

/// An uninterpreted function from bit-vectors to a bit-vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(pub(crate) u32);

/// Operators of two operands of the same width. Comparisons give one bit.
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    And,
    Or,
    Xor,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    Shl,
    LShr,
    AShr,
    Equal,
    ULess,
    SLess,
}

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number.
    Constant(u128),
    /// Anything.
    Variable(u32),
    /// The sum of multiples of terms and a number, modulo the width.
    Sum(Vec<(Term, u128)>, u128),
    /// An operator.
    Binary(Binary, Term, Term),
    /// All bits turned over.
    Not(Term),
    /// The second if the first (one bit) is set, else the third.
    Choice(Term, Term, Term),
    /// Some bits, from the second number on.
    Extract(Term, u32),
    /// The first operand above the second.
    Concat(Term, Term),
    /// Widened with zeros.
    ZeroExtend(Term),
    /// Widened with the sign.
    SignExtend(Term),
    /// An uninterpreted function of some operands.
    Apply(Function, Vec<Term>),
}

impl Term {
    /// Its number: terms are numbered from 0 on.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Function {
    /// Its number: functions are numbered from 0 on.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    /// What it is made of.
    pub fn operands(&self) -> Vec<Term> {
        match self {
            Self::Constant(_) | Self::Variable(_) => vec![],
            Self::Sum(parts, _) => parts.iter().map(|(term, _)| *term).collect(),
            Self::Binary(_, a, b) | Self::Concat(a, b) => vec![*a, *b],
            Self::Not(a) | Self::Extract(a, _) | Self::ZeroExtend(a) | Self::SignExtend(a) => {
                vec![*a]
            }
            Self::Choice(a, b, c) => vec![*a, *b, *c],
            Self::Apply(_, operands) => operands.clone(),
        }
    }
}

/// All terms.
#[derive(Default, Debug)]
pub struct Terms {
    nodes: Vec<(Node, u32)>,
    known: FxHashMap<(Node, u32), Term>,
    functions: Vec<(Vec<u32>, u32)>,
    variables: u32,
}

/// The low `width` bits set.
pub const fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// A number of `width` bits with its sign.
const fn signed(width: u32, value: u128) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

impl Terms {
    /// No terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a term is.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize].0
    }

    /// How many bits it has.
    pub fn width(&self, term: Term) -> u32 {
        self.nodes[term.0 as usize].1
    }

    /// The widths of a function's operands, and of its result.
    pub fn signature(&self, function: Function) -> (&[u32], u32) {
        let (operands, result) = &self.functions[function.0 as usize];
        (operands, *result)
    }

    fn intern(&mut self, node: Node, width: u32) -> Term {
        let key = (node, width);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.known.insert(key, term);
        term
    }

    /// A number.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        self.intern(Node::Constant(value & mask(width)), width)
    }

    /// The value of a term that is a number.
    pub fn value(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// True.
    pub fn yes(&mut self) -> Term {
        self.constant(1, 1)
    }

    /// False.
    pub fn no(&mut self) -> Term {
        self.constant(1, 0)
    }

    /// A new variable.
    pub fn variable(&mut self, width: u32) -> Term {
        self.variables += 1;
        self.intern(Node::Variable(self.variables), width)
    }

    /// A new function.
    pub fn function(&mut self, operands: &[u32], result: u32) -> Function {
        self.functions.push((operands.to_vec(), result));
        Function(self.functions.len() as u32 - 1)
    }

    /// The value of a function.
    pub fn apply(&mut self, function: Function, operands: &[Term]) -> Term {
        let width = self.functions[function.0 as usize].1;
        self.intern(Node::Apply(function, operands.to_vec()), width)
    }

    /// The sum of two terms.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.linear(&[(a, 1), (b, 1)], 0)
    }

    /// The difference of two terms.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.linear(&[(a, 1), (b, u128::MAX)], 0)
    }

    /// A term plus a number.
    pub fn offset(&mut self, a: Term, by: u128) -> Term {
        self.linear(&[(a, 1)], by)
    }

    /// The sum of multiples of terms, at least one, and a number.
    pub fn linear(&mut self, parts: &[(Term, u128)], constant: u128) -> Term {
        let width = parts.first().map_or(1, |(term, _)| self.width(*term));
        let (mut sum, mut rest) = (Vec::new(), constant);
        for &(term, factor) in parts {
            match self.node(term) {
                Node::Constant(value) => {
                    rest = rest.wrapping_add(factor.wrapping_mul(*value));
                }
                Node::Sum(inner, value) => {
                    rest = rest.wrapping_add(factor.wrapping_mul(*value));
                    let inner = inner.iter();
                    sum.extend(inner.map(|(term, by)| (*term, by.wrapping_mul(factor))));
                }
                _ => sum.push((term, factor)),
            }
        }
        sum.sort_unstable_by_key(|(term, _)| *term);
        let mut merged: Vec<(Term, u128)> = Vec::with_capacity(sum.len());
        for (term, factor) in sum {
            match merged.last_mut() {
                Some(last) if last.0 == term => last.1 = last.1.wrapping_add(factor),
                _ => merged.push((term, factor)),
            }
        }
        merged
            .iter_mut()
            .for_each(|(_, factor)| *factor &= mask(width));
        merged.retain(|(_, factor)| *factor != 0);
        let rest = rest & mask(width);
        match merged[..] {
            [] => self.constant(width, rest),
            [(term, 1)] if rest == 0 => term,
            // One bit: a sum is an exclusive or.
            _ => self.intern(Node::Sum(merged, rest), width),
        }
    }

    /// The negative of a term.
    pub fn negate(&mut self, a: Term) -> Term {
        self.linear(&[(a, u128::MAX)], 0)
    }

    /// All bits turned over.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match *self.node(a) {
            Node::Constant(value) => self.constant(width, !value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// Both.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::And, a, b)
    }

    /// One or both.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Or, a, b)
    }

    /// Whether two terms are equal.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Equal, a, b)
    }

    /// Whether two terms differ.
    pub fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// An operator.
    pub fn binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width <= 128
            && let (Some(a), Some(b)) = (self.value(a), self.value(b))
        {
            let (width, value) = fold(op, width, a, b);
            return self.constant(width, value);
        }
        if let Some(simple) = self.simplified(op, a, b, width) {
            return simple;
        }
        // Numbers without a sign bit compare as those without a sign do.
        let is_positive = |term| self.upper(term) <= mask(width) >> 1;
        if op == Binary::SLess && width <= 128 && is_positive(a) && is_positive(b) {
            return self.binary(Binary::ULess, a, b);
        }
        let commutes = matches!(
            op,
            Binary::And | Binary::Or | Binary::Xor | Binary::Mul | Binary::Equal
        );
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        let width = match op {
            Binary::Equal | Binary::ULess | Binary::SLess => 1,
            _ => width,
        };
        self.intern(Node::Binary(op, a, b), width)
    }

    /// What an operator gives where that is plain to see.
    fn simplified(&mut self, op: Binary, a: Term, b: Term, width: u32) -> Option<Term> {
        let all = mask(width);
        let (x, y) = (self.value(a), self.value(b));
        let commutes = matches!(
            op,
            Binary::And | Binary::Or | Binary::Xor | Binary::Mul | Binary::Equal
        );
        // The number of a commuting operator comes second.
        let (a, b, number) = match (x, y) {
            (Some(x), None) if commutes => (b, a, Some(x)),
            (_, y) => (a, b, y),
        };
        let wide = width > 128;
        match (op, number) {
            (Binary::And, Some(0)) => Some(b),
            (Binary::And, Some(n)) if n == all && !wide => Some(a),
            (Binary::Or, Some(0)) | (Binary::Xor, Some(0)) => Some(a),
            (Binary::Or, Some(n)) if n == all && !wide => Some(b),
            (Binary::Xor, Some(n)) if n == all && !wide => Some(self.not(a)),
            (Binary::And | Binary::Or, None) if a == b => Some(a),
            (Binary::And, None) if self.is_opposite(a, b) => Some(self.constant(width, 0)),
            (Binary::Or, None) if self.is_opposite(a, b) && !wide => {
                Some(self.constant(width, all))
            }
            (Binary::Xor, None) if a == b => Some(self.constant(width, 0)),
            (Binary::Mul, Some(n)) => Some(self.linear(&[(a, n)], 0)),
            (Binary::Shl, Some(n)) if n >= u128::from(width) => Some(self.constant(width, 0)),
            (Binary::Shl, Some(n)) if n < 128 => Some(self.linear(&[(a, 1 << n)], 0)),
            (Binary::LShr, Some(n)) if n >= u128::from(width) => Some(self.constant(width, 0)),
            (Binary::LShr | Binary::AShr, Some(0)) => Some(a),
            (Binary::UDiv, Some(1)) => Some(a),
            (Binary::Equal, _) if a == b => Some(self.yes()),
            (Binary::Equal, Some(1)) if width == 1 => Some(a),
            (Binary::Equal, Some(0)) if width == 1 => Some(self.not(a)),
            (Binary::Equal, _) if !wide => self.compared(a, b, number),
            (Binary::ULess, Some(0)) => Some(self.no()),
            (Binary::ULess | Binary::SLess, _) if a == b => Some(self.no()),
            (Binary::ULess, Some(n)) if !wide && self.upper(a) < n => Some(self.yes()),
            (Binary::ULess, None) if x.is_some_and(|x| !wide && x >= self.upper(b)) => {
                Some(self.no())
            }
            _ => None,
        }
    }

    fn is_opposite(&self, a: Term, b: Term) -> bool {
        *self.node(a) == Node::Not(b) || *self.node(b) == Node::Not(a)
    }

    /// Equality that is decided by the difference, or by the sides of a choice between numbers.
    fn compared(&mut self, a: Term, b: Term, number: Option<u128>) -> Option<Term> {
        if let Some(number) = number {
            if self.upper(a) < number {
                return Some(self.no());
            }
            if let Node::Choice(condition, then, otherwise) = *self.node(a)
                && let (Some(then), Some(otherwise)) = (self.value(then), self.value(otherwise))
            {
                return Some(match (then == number, otherwise == number) {
                    (true, true) => self.yes(),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                    (false, false) => self.no(),
                });
            }
        }
        let difference = self.sub(a, b);
        let value = self.value(difference)?;
        Some(self.constant(1, u128::from(value == 0)))
    }

    /// A number that the term never exceeds.
    pub fn upper(&self, term: Term) -> u128 {
        let width = self.width(term);
        let own = match *self.node(term) {
            Node::Constant(value) => value,
            Node::ZeroExtend(inner) => self.upper(inner),
            Node::Binary(Binary::And, a, b) => self.shallow(a).min(self.shallow(b)),
            Node::Binary(Binary::URem, _, b) => match self.value(b) {
                Some(by) if by > 0 => by - 1,
                _ => u128::MAX,
            },
            Node::Binary(Binary::LShr, _, b) => match self.value(b) {
                Some(by) if by < u128::from(width) && width <= 128 => mask(width) >> by,
                _ => u128::MAX,
            },
            Node::Choice(_, a, b) => self.shallow(a).max(self.shallow(b)),
            _ => u128::MAX,
        };
        own.min(mask(width))
    }

    /// As [`Self::upper`], without looking deeper than one operator.
    fn shallow(&self, term: Term) -> u128 {
        match *self.node(term) {
            Node::Constant(value) => value,
            Node::ZeroExtend(inner) => mask(self.width(inner)),
            _ => mask(self.width(term)),
        }
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise {
            return then;
        }
        match self.value(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if let Node::Not(inner) = *self.node(condition) {
            return self.choice(inner, otherwise, then);
        }
        let width = self.width(then);
        if width == 1 {
            match (self.value(then), self.value(otherwise)) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => return self.not(condition),
                (Some(1), None) => return self.or(condition, otherwise),
                (Some(0), None) => {
                    let not = self.not(condition);
                    return self.and(not, otherwise);
                }
                (None, Some(0)) => return self.and(condition, then),
                (None, Some(1)) => {
                    let not = self.not(condition);
                    return self.or(not, then);
                }
                _ => {}
            }
        }
        // A choice within a choice by the same condition is made already.
        let then = match *self.node(then) {
            Node::Choice(same, inner, _) if same == condition => inner,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            Node::Choice(same, _, inner) if same == condition => inner,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        self.intern(Node::Choice(condition, then, otherwise), width)
    }

    /// `width` bits from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u32, width: u32) -> Term {
        let whole = self.width(a);
        if low == 0 && width == whole {
            return a;
        }
        match *self.node(a) {
            Node::Constant(value) => self.constant(width, value >> low),
            Node::Extract(inner, from) => self.extract(inner, from + low, width),
            Node::Concat(high, bottom) => {
                let split = self.width(bottom);
                if low >= split {
                    self.extract(high, low - split, width)
                } else if low + width <= split {
                    self.extract(bottom, low, width)
                } else {
                    self.intern(Node::Extract(a, low), width)
                }
            }
            Node::ZeroExtend(inner) => {
                let inside = self.width(inner);
                if low >= inside {
                    self.constant(width, 0)
                } else if low + width <= inside {
                    self.extract(inner, low, width)
                } else if low == 0 {
                    self.zero_extend(inner, width)
                } else {
                    self.intern(Node::Extract(a, low), width)
                }
            }
            Node::SignExtend(inner) if low + width <= self.width(inner) => {
                self.extract(inner, low, width)
            }
            _ => self.intern(Node::Extract(a, low), width),
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (upper, lower) = (self.width(high), self.width(low));
        let width = upper + lower;
        if width <= 128
            && let (Some(a), Some(b)) = (self.value(high), self.value(low))
        {
            return self.constant(width, (a << lower) | b);
        }
        // Neighbouring bits of one term.
        if let (Node::Extract(a, from), Node::Extract(b, to)) =
            (self.node(high).clone(), self.node(low).clone())
            && a == b
            && from == to + lower
        {
            return self.extract(a, to, width);
        }
        if let Node::Extract(a, from) = *self.node(high)
            && let Node::Concat(middle, rest) = *self.node(low)
            && let Node::Extract(b, to) = *self.node(middle)
            && a == b
            && from == to + self.width(middle)
        {
            let joined = self.extract(a, to, upper + self.width(middle));
            return self.concat(joined, rest);
        }
        if self.value(high) == Some(0) {
            return self.zero_extend(low, width);
        }
        self.intern(Node::Concat(high, low), width)
    }

    /// Widened to `width` bits with zeros.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) == width {
            return a;
        }
        match *self.node(a) {
            Node::Constant(value) if width <= 128 => self.constant(width, value),
            Node::ZeroExtend(inner) => self.zero_extend(inner, width),
            _ => self.intern(Node::ZeroExtend(a), width),
        }
    }

    /// Widened to `width` bits with the sign.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        let narrow = self.width(a);
        if narrow == width {
            return a;
        }
        match *self.node(a) {
            Node::Constant(value) if width <= 128 => {
                self.constant(width, signed(narrow, value) as u128)
            }
            Node::SignExtend(inner) => self.sign_extend(inner, width),
            Node::ZeroExtend(inner) => self.zero_extend(inner, width),
            _ => self.intern(Node::SignExtend(a), width),
        }
    }
}

/// What an operator gives for numbers, and how many bits that has.
fn fold(op: Binary, width: u32, a: u128, b: u128) -> (u32, u128) {
    let all = mask(width);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let truth = |holds: bool| (1, u128::from(holds));
    let small = u32::try_from(b).ok().filter(|by| *by < width);
    let value = match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::UDiv => a.checked_div(b).unwrap_or(all),
        Binary::URem => a.checked_rem(b).unwrap_or(a),
        Binary::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                all
            }
        }
        Binary::SDiv => sa.wrapping_div(sb) as u128,
        Binary::SRem if b == 0 => a,
        Binary::SRem => sa.wrapping_rem(sb) as u128,
        Binary::Shl => small.map_or(0, |by| a << by),
        Binary::LShr => small.map_or(0, |by| a >> by),
        Binary::AShr => (sa >> small.unwrap_or(width - 1)) as u128,
        Binary::Equal => return truth(a == b),
        Binary::ULess => return truth(a < b),
        Binary::SLess => return truth(sa < sb),
    };
    (width, value & all)
}
