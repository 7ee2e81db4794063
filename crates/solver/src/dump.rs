//! Every question as a file that any SMT-LIB 2 solver reads.

use crate::smtlib::{PREAMBLE, Script};
use crate::terms::{Term, Terms};
use crate::{Answer, Solver};

/// A solver whose questions are told to somebody, with the answer that was given.
pub struct Dumping<'s> {
    solver: &'s mut dyn Solver,
    script: Script,
    told: &'s mut dyn FnMut(&str, &Answer),
}

impl<'s> Dumping<'s> {
    /// Tells `told` what `solver` is asked: the text of each question, and the answer.
    pub fn new(solver: &'s mut dyn Solver, told: &'s mut dyn FnMut(&str, &Answer)) -> Self {
        Self {
            solver,
            script: Script::default(),
            told,
        }
    }
}

impl Solver for Dumping<'_> {
    fn push(&mut self) {
        self.script.push();
        self.solver.push();
    }

    fn pop(&mut self) {
        self.script.pop();
        self.solver.pop();
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        self.script.assert(terms, term);
        self.solver.assert(terms, term);
    }

    fn check(&mut self) -> Answer {
        let answer = self.solver.check();
        let status = match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let body = self.script.text();
        let text = format!("{PREAMBLE}(set-info :status {status})\n{body}(check-sat)\n");
        (self.told)(&text, &answer);
        answer
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Option<u128> {
        self.solver.value(terms, term)
    }
}
