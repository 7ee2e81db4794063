//! Random libraries, and what brute force over inputs and power failures shows of them.
//!
//! Libraries have several functions, each with a static variable of the same name, structures with
//! the same members, memory that their users pass, and results; one has a number as argument, another one is told a
//! number by an output. A naive
//! interpreter of this file, which shares no code with the tool, calls every function in every state that up to
//! [`CALLS`] calls lead to, with all arguments, lets power fail after every write, with all readings before and
//! after it, and compares with the continuous call that reads what the last attempt read (or, where it did not
//! ask, what the failed one got). The call and its arguments are the same in all attempts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::rc::Rc;

/// Functions of a library.
const FUNCTIONS: usize = 3;
/// Calls in a row that lead to a state.
const CALLS: usize = 3;
/// Values that an input has: 0, 1, 2.
const VALUES: u8 = 3;
/// Members of the two structures.
const SHARED: [&str; 4] = ["a.x", "a.y", "b.x", "b.y"];
/// What each function has for itself: a static variable, and what its pointer points to.
const OWN: [&str; 3] = ["n", "p->x", "p->y"];
const WORDS: usize = SHARED.len() + FUNCTIONS * OWN.len();

type State = [u8; WORDS];
/// What each place that reads gives.
type Readings = [u8; 2];
/// What callers see besides: the result, by the name and the number of a word.
const RESULT: (&str, usize) = (Library::RESULT, WORDS);
/// The function with an argument, and how many values that has.
const WITH_ARGUMENT: usize = 0;
const ARGUMENTS: u8 = 4;
/// The function that an output tells a number, which has as many values: the same in all attempts of a call.
const WITH_ANSWER: usize = 1;

#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(u8),
    Word(usize),
    /// What was read last.
    Reading,
    /// The argument of the call, or what its output returns.
    Argument,
}

#[derive(Clone, Debug)]
enum Statement {
    /// The reading of this place.
    Read(usize),
    /// `word = (operand + more) & 3`.
    Assign(usize, Operand, u8, u32),
    /// `if (operand > bound)`, with its line.
    If(Operand, u8, Vec<Statement>, Vec<Statement>, u32),
}

/// A source of choices: the same seed gives the same library.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        // Steele, Lea and Flood, OOPSLA 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// The word of a function that its code may name.
fn word(random: &mut Random, function: usize) -> usize {
    let choice = random.below((SHARED.len() + OWN.len()) as u64) as usize;
    match choice.checked_sub(SHARED.len()) {
        None => choice,
        Some(own) => SHARED.len() + function * OWN.len() + own,
    }
}

fn has_number(function: usize) -> bool {
    function == WITH_ARGUMENT || function == WITH_ANSWER
}

fn operand(random: &mut Random, function: usize) -> Operand {
    match random.below(4) {
        0 => Operand::Constant(random.below(4) as u8),
        1 if has_number(function) && random.below(2) == 0 => Operand::Argument,
        1 => Operand::Reading,
        _ => Operand::Word(word(random, function)),
    }
}

fn statements(
    random: &mut Random,
    function: usize,
    depth: u32,
    reads: &mut usize,
) -> Vec<Statement> {
    let mut all = Vec::new();
    for _ in 0..=random.below(3) {
        let statement = match random.below(6) {
            0 | 1 if *reads < 2 => {
                *reads += 1;
                Statement::Read(*reads - 1)
            }
            2 | 3 if depth < 2 => {
                let on = match random.below(3) {
                    0 => Operand::Word(word(random, function)),
                    1 if has_number(function) => Operand::Argument,
                    _ => Operand::Reading,
                };
                let bound = random.below(3) as u8;
                let then = statements(random, function, depth + 1, reads);
                let other = match random.below(2) {
                    0 => Vec::new(),
                    _ => statements(random, function, depth + 1, reads),
                };
                Statement::If(on, bound, then, other, 0)
            }
            _ => {
                let to = word(random, function);
                Statement::Assign(to, operand(random, function), random.below(2) as u8, 0)
            }
        };
        all.push(statement);
    }
    all
}

fn name(word: usize) -> &'static str {
    match word.checked_sub(SHARED.len()) {
        _ if word == RESULT.1 => RESULT.0,
        None => SHARED[word],
        Some(own) => OWN[own % OWN.len()],
    }
}

fn text_of(operand: Operand) -> String {
    match operand {
        Operand::Constant(value) => value.to_string(),
        Operand::Word(word) => name(word).to_owned(),
        Operand::Reading => "v".to_owned(),
        Operand::Argument => "(k & 3)".to_owned(),
    }
}

/// Writes statements, one for each line, and notes the lines.
fn write(statements: &mut [Statement], text: &mut String) {
    for statement in statements {
        let line = text.lines().count() as u32 + 1;
        match statement {
            Statement::Read(_) => text.push_str("v = in();\n"),
            Statement::Assign(to, from, more, at) => {
                *at = line;
                let _ = writeln!(text, "{} = ({} + {more}) & 3;", name(*to), text_of(*from));
            }
            Statement::If(on, bound, then, other, at) => {
                *at = line;
                let _ = writeln!(text, "if ({} > {bound}) {{", text_of(*on));
                write(then, text);
                text.push_str("} else {\n");
                write(other, text);
                text.push_str("}\n");
            }
        }
    }
}

/// A random library, which brute force judges: how is told where this file begins.
#[derive(Debug)]
pub struct Library {
    functions: Vec<Function>,
    /// Its C program. The input is `in`, the output `out`.
    pub text: String,
}

#[derive(Debug)]
struct Function {
    body: Vec<Statement>,
    /// The word whose value at the start of the call is returned.
    returned: usize,
    /// The arguments that it is called with.
    arguments: std::ops::Range<u8>,
}

impl Library {
    /// What the result of a function is called among what can be wrong.
    pub const RESULT: &str = "result";

    /// The library of a seed: the same seed gives the same library.
    pub fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut text =
            "int in(void);\nint out(void);\nstruct s { unsigned char x, y; };\nstruct s a, b;\n"
                .to_owned();
        let mut functions = Vec::new();
        for function in 0..FUNCTIONS {
            let mut body = vec![Statement::Read(0)];
            body.extend(statements(&mut random, function, 0, &mut 1));
            let returned = word(&mut random, function);
            let (argument, answer, arguments) = match function {
                WITH_ARGUMENT => (", unsigned char k", "", 0..ARGUMENTS),
                WITH_ANSWER => ("", ", k = out()", 0..ARGUMENTS),
                _ => ("", "", 0..1),
            };
            let _ = writeln!(
                text,
                "int f{function}(struct s *p{argument}) {{\nstatic unsigned char n;\nint v = 0, r = {}{answer};",
                name(returned)
            );
            write(&mut body, &mut text);
            text.push_str("return r;\n}\n");
            functions.push(Function {
                body,
                returned,
                arguments,
            });
        }
        Self { functions, text }
    }

    /// What power failures in its calls can leave wrong, by brute force.
    pub fn harm(&self) -> Harm {
        let mut harm = Harm::default();
        let states = states(self);
        for (number, function) in self.functions.iter().enumerate() {
            for argument in function.arguments.clone() {
                let mut calls = Calls {
                    function,
                    argument,
                    complete: HashMap::new(),
                };
                for &state in &states {
                    for contents in all_contents() {
                        let state = passing(state, number, contents);
                        for first in all_readings() {
                            harm.add(&mut calls, state, first);
                        }
                    }
                }
            }
        }
        harm
    }
}

/// One call, or the part of it before a failure.
struct Call<'c> {
    state: State,
    readings: &'c dyn Fn(usize) -> u8,
    reading: u8,
    argument: u8,
    result: u8,
    /// Writes that are left before power fails.
    left: usize,
    asked: BTreeSet<usize>,
    /// What branches decided, by line.
    decided: BTreeMap<u32, bool>,
    /// The lines of the writes.
    written: Vec<u32>,
}

impl<'c> Call<'c> {
    fn run(
        function: &Function,
        argument: u8,
        state: State,
        readings: &'c dyn Fn(usize) -> u8,
        writes: usize,
    ) -> Self {
        let mut call = Self {
            state,
            readings,
            reading: 0,
            argument,
            result: state[function.returned],
            left: writes,
            asked: BTreeSet::new(),
            decided: BTreeMap::new(),
            written: Vec::new(),
        };
        call.all(&function.body);
        call
    }

    /// What callers can see afterwards, by word.
    fn seen(&self, word: usize) -> u8 {
        self.state.get(word).copied().unwrap_or(self.result)
    }

    fn value(&self, operand: Operand) -> u8 {
        match operand {
            Operand::Constant(value) => value,
            Operand::Word(word) => self.state[word],
            Operand::Reading => self.reading,
            Operand::Argument => self.argument,
        }
    }

    /// Whether power is still there afterwards.
    fn all(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Read(place) => {
                self.reading = (self.readings)(*place);
                self.asked.insert(*place);
                true
            }
            Statement::Assign(to, from, more, line) => {
                self.state[*to] = (self.value(*from) + more) & 3;
                self.written.push(*line);
                self.left -= 1;
                self.left > 0
            }
            Statement::If(on, bound, then, other, line) => {
                let is_more = self.value(*on) > *bound;
                self.decided.insert(*line, is_more);
                self.all(if is_more { then } else { other })
            }
        })
    }
}

fn all_readings() -> impl Iterator<Item = Readings> {
    let all = 0..VALUES.pow(2);
    all.map(|number| [number / VALUES, number % VALUES])
}

/// A state with other contents behind the pointer of a function.
fn passing(mut state: State, function: usize, contents: [u8; 2]) -> State {
    let own = SHARED.len() + function * OWN.len();
    state[own + 1..own + OWN.len()].copy_from_slice(&contents);
    state
}

/// The states that some calls lead to, whatever they read: what the pointer of each call points to may hold
/// anything, and nobody asks for it afterwards.
fn states(library: &Library) -> BTreeSet<State> {
    let mut known = BTreeSet::from([[0; WORDS]]);
    let mut last = known.clone();
    for _ in 0..CALLS {
        let mut next = BTreeSet::new();
        for &state in &last {
            for (function, called) in library.functions.iter().enumerate() {
                for contents in all_contents() {
                    let state = passing(state, function, contents);
                    for (readings, argument) in all_calls(called) {
                        let given = |place: usize| readings[place];
                        let end = Call::run(called, argument, state, &given, usize::MAX).state;
                        let end = passing(end, function, [0; 2]);
                        if known.insert(end) {
                            next.insert(end);
                        }
                    }
                }
            }
        }
        last = next;
    }
    known
}

fn all_calls(function: &Function) -> impl Iterator<Item = (Readings, u8)> {
    let arguments = function.arguments.clone();
    all_readings().flat_map(move |readings| arguments.clone().map(move |given| (readings, given)))
}

fn all_contents() -> impl Iterator<Item = [u8; 2]> {
    (0..16).map(|number| [number / 4, number % 4])
}

/// How a call ended, or the part of it before a failure.
struct Ended {
    /// What callers can see, by word; last the result.
    seen: [u8; WORDS + 1],
    state: State,
    asked: BTreeSet<usize>,
    decided: BTreeMap<u32, bool>,
    written: Vec<u32>,
}

/// Calls of a function with one argument. Those that power does not cut short are executed once for each
/// state and readings.
struct Calls<'l> {
    function: &'l Function,
    argument: u8,
    complete: HashMap<(State, Readings), Rc<Ended>>,
}

impl Calls<'_> {
    /// The first writes of a call.
    fn cut(&self, state: State, readings: Readings, writes: usize) -> Ended {
        let given = |place: usize| readings[place];
        let call = Call::run(self.function, self.argument, state, &given, writes);
        Ended {
            seen: std::array::from_fn(|word| call.seen(word)),
            state: call.state,
            asked: call.asked,
            decided: call.decided,
            written: call.written,
        }
    }

    fn whole(&mut self, state: State, readings: Readings) -> Rc<Ended> {
        if let Some(known) = self.complete.get(&(state, readings)) {
            return Rc::clone(known);
        }
        let ended = Rc::new(self.cut(state, readings, usize::MAX));
        self.complete.insert((state, readings), Rc::clone(&ended));
        ended
    }
}

/// What power failures in a call can leave wrong.
#[derive(Default, Debug)]
pub struct Harm {
    /// By branches that decide otherwise, and what is wrong then.
    pub branches: BTreeSet<(u32, &'static str)>,
    /// By writes right before the failure: a failure before them does not leave that wrong.
    pub writes: BTreeSet<(u32, &'static str)>,
}

impl Harm {
    /// Lets power fail after every write of a call that begins in a state and reads something first.
    fn add(&mut self, calls: &mut Calls<'_>, state: State, first: Readings) {
        let count = calls.whole(state, first).written.len();
        let cut: Vec<Ended> = (1..=count)
            .map(|writes| calls.cut(state, first, writes))
            .collect();
        for then in all_readings() {
            let mut wrong_before = Vec::new();
            for failed in &cut {
                let again = calls.whole(failed.state, then);
                // Where the last attempt does not ask, the continuous call reads what the failed one got.
                let matched = std::array::from_fn(|place| {
                    match again.asked.contains(&place) || !failed.asked.contains(&place) {
                        true => then[place],
                        false => first[place],
                    }
                });
                let continuous = calls.whole(state, matched);
                let mut wrong = Vec::new();
                if again.seen != continuous.seen {
                    let words = 0..=WORDS;
                    wrong.extend(
                        words
                            .map(|word| (word, again.seen[word], continuous.seen[word]))
                            .filter(|(_, one, other)| one != other),
                    );
                }
                for &difference in &wrong {
                    let word = difference.0;
                    for (line, side) in &failed.decided {
                        let others = [&again.decided, &continuous.decided];
                        let mut others = others.iter().filter_map(|it| it.get(line));
                        if others.any(|other| other != side) {
                            self.branches.insert((*line, name(word)));
                        }
                    }
                    if !wrong_before.contains(&difference)
                        && let Some(&line) = failed.written.last()
                    {
                        self.writes.insert((line, name(word)));
                    }
                }
                wrong_before = wrong;
            }
        }
    }
}
