//! The SMT solver Bitwuzla, linked in.
//!
//! Terms of `brownout-solver` are handed over one by one, each once. Time and memory are limited for
//! every question by Bitwuzla itself.
//!
//! **Invariant**: this is the only crate with unsafe code for a solver. All terms and sorts belong to
//! one term manager, which lives as long as the solver and is released last.

use std::ffi::{CStr, CString, c_char};

use bitwuzla_sys as sys;
use brownout_solver::{Answer, Binary, Function, Limits, Node, Solver, Term, Terms};
// Its C++ library is what Bitwuzla calls; unnamed, it would not be linked.
use cadical_sys as _;

/// A solver.
pub struct Bitwuzla {
    manager: *mut sys::BitwuzlaTermManager,
    options: *mut sys::BitwuzlaOptions,
    solver: *mut sys::Bitwuzla,
    terms: Vec<Option<sys::BitwuzlaTerm>>,
    functions: Vec<Option<sys::BitwuzlaTerm>>,
    levels: u64,
}

impl std::fmt::Debug for Bitwuzla {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bitwuzla").finish_non_exhaustive()
    }
}

impl Bitwuzla {
    /// A solver with these limits for every question.
    pub fn new(limits: Limits) -> Self {
        let milliseconds = u64::try_from(limits.time.as_millis())
            .unwrap_or(u64::MAX)
            .max(1);
        // SAFETY: objects are made and used as Bitwuzla's documentation says; the options live as
        // long as the solver.
        unsafe {
            let manager = sys::bitwuzla_term_manager_new();
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_TIME_LIMIT_PER, milliseconds);
            let megabytes = (limits.memory >> 20).max(1);
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_MEMORY_LIMIT, megabytes);
            let solver = sys::bitwuzla_new(manager, options);
            Self {
                manager,
                options,
                solver,
                terms: Vec::new(),
                functions: Vec::new(),
                levels: 0,
            }
        }
    }

    /// Hands a term over.
    fn term(&mut self, terms: &Terms, term: Term) -> sys::BitwuzlaTerm {
        let mut open = vec![(term, false)];
        while let Some((at, ready)) = open.pop() {
            if self.known(at).is_some() {
                continue;
            }
            if ready {
                let made = self.make(terms, at);
                if self.terms.len() <= at.index() {
                    self.terms.resize(terms.len().max(at.index() + 1), None);
                }
                self.terms[at.index()] = Some(made);
            } else {
                open.push((at, true));
                open.extend(
                    terms
                        .node(at)
                        .operands()
                        .into_iter()
                        .map(|term| (term, false)),
                );
            }
        }
        self.part(term)
    }

    fn known(&self, term: Term) -> Option<sys::BitwuzlaTerm> {
        self.terms.get(term.index()).copied().flatten()
    }

    /// A term that was handed over before.
    fn part(&self, term: Term) -> sys::BitwuzlaTerm {
        self.known(term).unwrap_or_default()
    }

    fn sort(&self, width: u32) -> sys::BitwuzlaSort {
        // SAFETY: the manager is alive.
        unsafe { sys::bitwuzla_mk_bv_sort(self.manager, u64::from(width)) }
    }

    fn number(&self, width: u32, value: u128) -> sys::BitwuzlaTerm {
        let text = CString::new(value.to_string()).unwrap_or_default();
        // SAFETY: the text is a decimal number that fits the sort, and is copied.
        unsafe { sys::bitwuzla_mk_bv_value(self.manager, self.sort(width), text.as_ptr(), 10) }
    }

    fn two(
        &self,
        kind: sys::BitwuzlaKind,
        a: sys::BitwuzlaTerm,
        b: sys::BitwuzlaTerm,
    ) -> sys::BitwuzlaTerm {
        // SAFETY: both terms belong to this manager and have the same width.
        unsafe { sys::bitwuzla_mk_term2(self.manager, kind, a, b) }
    }

    fn three(
        &self,
        kind: sys::BitwuzlaKind,
        a: sys::BitwuzlaTerm,
        b: sys::BitwuzlaTerm,
        c: sys::BitwuzlaTerm,
    ) -> sys::BitwuzlaTerm {
        // SAFETY: all terms belong to this manager.
        unsafe { sys::bitwuzla_mk_term3(self.manager, kind, a, b, c) }
    }

    /// A truth value as a bit.
    fn bit(&self, truth: sys::BitwuzlaTerm) -> sys::BitwuzlaTerm {
        self.three(
            sys::BITWUZLA_KIND_ITE,
            truth,
            self.number(1, 1),
            self.number(1, 0),
        )
    }

    /// A bit as a truth value.
    fn truth(&self, bit: sys::BitwuzlaTerm) -> sys::BitwuzlaTerm {
        self.two(sys::BITWUZLA_KIND_EQUAL, bit, self.number(1, 1))
    }

    fn function(&mut self, terms: &Terms, function: Function) -> sys::BitwuzlaTerm {
        let index = function.index();
        if let Some(Some(known)) = self.functions.get(index) {
            return *known;
        }
        let (operands, result) = terms.signature(function);
        let mut domain: Vec<sys::BitwuzlaSort> =
            operands.iter().map(|width| self.sort(*width)).collect();
        // SAFETY: the sorts belong to this manager; the array is read only during the call.
        let made = unsafe {
            let sort = sys::bitwuzla_mk_fun_sort(
                self.manager,
                domain.len() as u64,
                domain.as_mut_ptr(),
                self.sort(result),
            );
            sys::bitwuzla_mk_const(self.manager, sort, std::ptr::null::<c_char>())
        };
        if self.functions.len() <= index {
            self.functions.resize(index + 1, None);
        }
        self.functions[index] = Some(made);
        made
    }

    /// Makes a term whose parts are known.
    fn make(&mut self, terms: &Terms, term: Term) -> sys::BitwuzlaTerm {
        let width = terms.width(term);
        match terms.node(term) {
            Node::Constant(value) => self.number(width, *value),
            // SAFETY: the sort belongs to this manager; no name is given.
            Node::Variable(_) => unsafe {
                sys::bitwuzla_mk_const(self.manager, self.sort(width), std::ptr::null::<c_char>())
            },
            Node::Sum(parts, constant) => {
                let mut sum = self.number(width, *constant);
                for (part, factor) in parts {
                    let mut part = self.part(*part);
                    if *factor != 1 {
                        let factor = self.number(width, *factor);
                        part = self.two(sys::BITWUZLA_KIND_BV_MUL, factor, part);
                    }
                    sum = self.two(sys::BITWUZLA_KIND_BV_ADD, sum, part);
                }
                sum
            }
            Node::Binary(op, a, b) => self.binary(*op, self.part(*a), self.part(*b)),
            // SAFETY: the operands of all that follows belong to this manager.
            Node::Not(a) => unsafe {
                sys::bitwuzla_mk_term1(self.manager, sys::BITWUZLA_KIND_BV_NOT, self.part(*a))
            },
            Node::Choice(a, b, c) => {
                let condition = self.truth(self.part(*a));
                self.three(
                    sys::BITWUZLA_KIND_ITE,
                    condition,
                    self.part(*b),
                    self.part(*c),
                )
            }
            // SAFETY: as above; the bits exist.
            Node::Extract(a, low) => unsafe {
                sys::bitwuzla_mk_term1_indexed2(
                    self.manager,
                    sys::BITWUZLA_KIND_BV_EXTRACT,
                    self.part(*a),
                    u64::from(low + width - 1),
                    u64::from(*low),
                )
            },
            Node::Concat(a, b) => {
                self.two(sys::BITWUZLA_KIND_BV_CONCAT, self.part(*a), self.part(*b))
            }
            Node::ZeroExtend(a) => self.extend(
                sys::BITWUZLA_KIND_BV_ZERO_EXTEND,
                *a,
                width - terms.width(*a),
            ),
            Node::SignExtend(a) => self.extend(
                sys::BITWUZLA_KIND_BV_SIGN_EXTEND,
                *a,
                width - terms.width(*a),
            ),
            Node::Apply(function, operands) => {
                let function = self.function(terms, *function);
                let mut all = vec![function];
                all.extend(operands.iter().map(|operand| self.part(*operand)));
                // SAFETY: the operands fit the function; the array is read only during the call.
                unsafe {
                    sys::bitwuzla_mk_term(
                        self.manager,
                        sys::BITWUZLA_KIND_APPLY,
                        all.len() as u32,
                        all.as_mut_ptr(),
                    )
                }
            }
        }
    }

    fn extend(&self, kind: sys::BitwuzlaKind, a: Term, by: u32) -> sys::BitwuzlaTerm {
        // SAFETY: the operand belongs to this manager.
        unsafe { sys::bitwuzla_mk_term1_indexed1(self.manager, kind, self.part(a), u64::from(by)) }
    }

    fn binary(&self, op: Binary, a: sys::BitwuzlaTerm, b: sys::BitwuzlaTerm) -> sys::BitwuzlaTerm {
        let kind = match op {
            Binary::And => sys::BITWUZLA_KIND_BV_AND,
            Binary::Or => sys::BITWUZLA_KIND_BV_OR,
            Binary::Xor => sys::BITWUZLA_KIND_BV_XOR,
            Binary::Mul => sys::BITWUZLA_KIND_BV_MUL,
            Binary::UDiv => sys::BITWUZLA_KIND_BV_UDIV,
            Binary::URem => sys::BITWUZLA_KIND_BV_UREM,
            Binary::SDiv => sys::BITWUZLA_KIND_BV_SDIV,
            Binary::SRem => sys::BITWUZLA_KIND_BV_SREM,
            Binary::Shl => sys::BITWUZLA_KIND_BV_SHL,
            Binary::LShr => sys::BITWUZLA_KIND_BV_SHR,
            Binary::AShr => sys::BITWUZLA_KIND_BV_ASHR,
            Binary::Equal => sys::BITWUZLA_KIND_BV_COMP,
            Binary::ULess => return self.bit(self.two(sys::BITWUZLA_KIND_BV_ULT, a, b)),
            Binary::SLess => return self.bit(self.two(sys::BITWUZLA_KIND_BV_SLT, a, b)),
        };
        self.two(kind, a, b)
    }
}

impl Drop for Bitwuzla {
    fn drop(&mut self) {
        // SAFETY: each is deleted once, users before what they use.
        unsafe {
            sys::bitwuzla_delete(self.solver);
            sys::bitwuzla_options_delete(self.options);
            sys::bitwuzla_term_manager_delete(self.manager);
        }
    }
}

impl Solver for Bitwuzla {
    fn push(&mut self) {
        self.levels += 1;
        // SAFETY: the solver is alive.
        unsafe { sys::bitwuzla_push(self.solver, 1) }
    }

    fn pop(&mut self) {
        if self.levels > 0 {
            self.levels -= 1;
            // SAFETY: there is a level to take back.
            unsafe { sys::bitwuzla_pop(self.solver, 1) }
        }
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let term = self.term(terms, term);
        // SAFETY: the term is a truth value of this manager.
        unsafe { sys::bitwuzla_assert(self.solver, self.truth(term)) }
    }

    fn check(&mut self) -> Answer {
        // SAFETY: the solver is alive.
        match unsafe { sys::bitwuzla_check_sat(self.solver) } {
            sys::BITWUZLA_SAT => Answer::Sat,
            sys::BITWUZLA_UNSAT => Answer::Unsat,
            _ => Answer::Unknown("no answer within the limits".to_owned()),
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Option<u128> {
        let term = self.term(terms, term);
        // SAFETY: the last check said that there are values; the text is copied at once.
        let text = unsafe {
            let value = sys::bitwuzla_get_value(self.solver, term);
            CStr::from_ptr(sys::bitwuzla_term_value_get_str(value))
                .to_str()
                .ok()?
                .to_owned()
        };
        u128::from_str_radix(&text, 2).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_examples() {
        let mut terms = Terms::new();
        let mut solver = Bitwuzla::new(Limits::default());
        let x = terms.variable(16);
        let f = terms.function(&[16], 8);
        let square = terms.binary(Binary::Mul, x, x);
        let target = terms.constant(16, 1521);
        let hit = terms.equal(square, target);
        solver.assert(&terms, hit);
        assert_eq!(solver.check(), Answer::Sat);
        let found = solver.value(&terms, x).unwrap_or(0);
        assert_eq!(found.wrapping_mul(found) & 0xffff, 1521);
        solver.push();
        let (y, one) = (terms.variable(16), terms.constant(16, 1));
        let same = terms.equal(x, y);
        let (a, b) = (terms.apply(f, &[x]), terms.apply(f, &[y]));
        let apart = terms.differ(a, b);
        solver.assert(&terms, same);
        solver.assert(&terms, apart);
        assert_eq!(solver.check(), Answer::Unsat);
        solver.pop();
        assert_eq!(solver.check(), Answer::Sat);
        let small = terms.binary(Binary::ULess, x, one);
        solver.assert(&terms, small);
        assert_eq!(solver.check(), Answer::Unsat);
    }

    #[test]
    fn what_takes_too_long_is_unknown() {
        let mut terms = Terms::new();
        let time = std::time::Duration::from_millis(1);
        let mut solver = Bitwuzla::new(Limits {
            time,
            ..Limits::default()
        });
        let (x, y) = (terms.variable(64), terms.variable(64));
        let product = terms.binary(Binary::Mul, x, y);
        let target = terms.constant(64, 18_446_743_979_220_271_189);
        let one = terms.constant(64, 1);
        let hit = terms.equal(product, target);
        let (a, b) = (
            terms.binary(Binary::ULess, one, x),
            terms.binary(Binary::ULess, one, y),
        );
        for term in [hit, a, b] {
            solver.assert(&terms, term);
        }
        assert!(matches!(solver.check(), Answer::Unknown(_)));
    }
}
