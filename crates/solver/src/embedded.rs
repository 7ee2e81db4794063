//! The solver that is compiled in: bitwuzla, asked in the text that any other solver gets.
//!
//! **Invariants**: every question is a session of its own, so nothing of one is left in the next. A
//! question that takes too long, or lets this process grow by more memory than is allowed, is given up.
//! Bitwuzla asks whether to go on from inside its search; reading the text and simplifying it are not
//! interrupted.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use brownout_bitwuzla::{Answer as Said, Session};

use crate::smtlib::{PREAMBLE, Script, name};
use crate::terms::{Term, Terms};
use crate::{Answer, Limits, Solver};

/// How often memory is looked at.
const PATIENCE: Duration = Duration::from_millis(20);

/// A solver in this process.
#[derive(Debug)]
pub struct Embedded {
    limits: Limits,
    /// Whether nothing is to be asked any more.
    is_over: fn() -> bool,
    script: Script,
    /// The last question, if it has an example.
    session: Option<Session>,
}

impl Embedded {
    /// A solver within limits.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            is_over: || false,
            script: Script::default(),
            session: None,
        }
    }

    /// As soon as `is_over`, nothing is waited for and nothing is asked any more.
    #[must_use]
    pub fn until(self, is_over: fn() -> bool) -> Self {
        Self { is_over, ..self }
    }
}

/// Why a question was given up.
#[derive(Clone, Copy)]
enum Exceeded {
    Nothing,
    Stopped,
    Time,
    Memory,
}

/// Whether a question is to be given up; notes why.
fn watch(limits: Limits, is_over: fn() -> bool, why: Rc<Cell<Exceeded>>) -> impl FnMut() -> bool {
    let begun = Instant::now();
    let at_first = resident();
    let mut looked = begun;
    move || {
        let now = Instant::now();
        if now - begun >= limits.time {
            why.set(Exceeded::Time);
            return true;
        }
        if now - looked < PATIENCE {
            return false;
        }
        looked = now;
        if is_over() {
            why.set(Exceeded::Stopped);
            return true;
        }
        let grown = resident()
            .zip(at_first)
            .map(|(now, then)| now.saturating_sub(then));
        if grown.is_some_and(|grown| grown > limits.memory) {
            why.set(Exceeded::Memory);
            return true;
        }
        false
    }
}

/// Bytes of memory that this process has, if the system says so.
fn resident() -> Option<u64> {
    let said = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = said.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

impl Solver for Embedded {
    fn push(&mut self) {
        self.session = None;
        self.script.push();
    }

    fn pop(&mut self) {
        self.session = None;
        self.script.pop();
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        self.session = None;
        self.script.assert(terms, term);
    }

    fn check(&mut self) -> Answer {
        self.session = None;
        let unknown = |why: &str| Answer::Unknown(why.to_owned());
        if (self.is_over)() {
            return unknown("stopped before there was an answer");
        }
        let why = Rc::new(Cell::new(Exceeded::Nothing));
        let mut over = watch(self.limits, self.is_over, Rc::clone(&why));
        // A limit of no time at all is over before it begins.
        let is_over = over();
        let Some(mut session) = Session::new(over).filter(|_| !is_over) else {
            return unknown("no answer");
        };
        let said = session.check(&format!("{PREAMBLE}{}", self.script.text()));
        match (said, why.get()) {
            (Said::Sat, _) => {
                self.session = Some(session);
                Answer::Sat
            }
            // An answer that was found although it was told to stop is one all the same.
            (Said::Unsat, _) => Answer::Unsat,
            (Said::Failed, _) => unknown("the solver failed"),
            (Said::Unknown, Exceeded::Time) => {
                Answer::Unknown(format!("no answer within {:?}", self.limits.time))
            }
            (Said::Unknown, Exceeded::Memory) => unknown("the solver took too much memory"),
            (Said::Unknown, Exceeded::Stopped) => unknown("stopped before there was an answer"),
            (Said::Unknown, Exceeded::Nothing) => unknown("the solver does not know"),
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Option<u128> {
        match terms.value(term) {
            Some(value) => Some(value),
            None => self.session.as_mut()?.value(&name(terms, term)),
        }
    }
}
