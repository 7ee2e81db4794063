//! Fig. 3, left column: the syntax of the modelling language.
//!
//! ```text
//! values        v ::= n | true | false | in(τ)
//! expressions   e ::= x | v | e1 bop e2 | a[e']
//! instructions  ι ::= x := e | a[e] := e' | x := IN() | skip | checkpoint(ω) | reboot(n)
//! commands      c ::= ι | ι; c | if e then c1 else c2
//! locations   loc ::= x | a[n]
//! ```
//!
//! Three readings of ours:
//!
//! * a single `ι` is `ι; skip`, so every command ends in [`Form::Skip`], a branch, or (§8.2) a jump;
//! * `in(τ)` is not a value of its own in memory: it is the number that the environment shows at
//!   time τ, and whoever takes a step says which one that is. A claim about all environments is a
//!   claim about all such choices, because no two readings happen at the same time;
//! * every command of a program has a number, its [point](Command::point). That is what it means for
//!   two executions to be at the same place, and why equal text at two places is not one place.
//!
//! **Invariant:** branches never merge; the parser lifts what follows a branch into both sides, as §4
//! says is always possible, and both copies have the same points.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The longest name.
pub const LONGEST_NAME: usize = 12;

/// The name of a variable, an array, a task or a label: a plain value of a few bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name([u8; LONGEST_NAME]);

impl Name {
    /// The name with this text, if it is a letter or `_` followed by letters, digits or `_`, and not
    /// too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; LONGEST_NAME];
        let first = text.bytes().next()?;
        let fits = text.len() <= LONGEST_NAME
            && (first.is_ascii_alphabetic() || first == b'_')
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        fits.then(|| {
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            Self(bytes)
        })
    }

    /// The name of one letter.
    pub const fn letter(letter: u8) -> Self {
        let mut bytes = [0; LONGEST_NAME];
        bytes[0] = letter;
        Self(bytes)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self
            .0
            .iter()
            .take_while(|&&byte| byte != 0)
            .map(|&byte| char::from(byte))
            .collect();
        f.pad(&text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of variables and arrays: ω, and what the static judgements are about. An array stands for
/// all of its elements (`aⁿ`).
pub type Names = BTreeSet<Name>;

/// A value. Arithmetic wraps at 16 bits, as `int` does on the devices in question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// `n`, and what an input has given.
    Number(i16),
    /// `true` and `false`.
    Boolean(bool),
}

impl Value {
    /// As a number; a truth value is 1 or 0.
    pub fn number(self) -> i16 {
        match self {
            Self::Number(number) => number,
            Self::Boolean(truth) => i16::from(truth),
        }
    }

    /// As a truth value; a number is true unless it is zero.
    pub fn truth(self) -> bool {
        self.number() != 0
    }
}

/// `bop`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `|`, bit by bit
    Or,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `=`
    Equal,
}

/// An array and the number of its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// Its name.
    pub name: Name,
    /// How many elements it has; at least one.
    pub length: u8,
}

/// An expression `e`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// `x`
    Variable(Name),
    /// `v`
    Constant(Value),
    /// `e1 bop e2`
    Binary(Box<Expression>, Operator, Box<Expression>),
    /// `a[e']`. Indices are taken modulo the length: the paper assumes that they are in bounds.
    Element(Array, Box<Expression>),
}

impl Expression {
    /// A number.
    pub fn number(number: i16) -> Self {
        Self::Constant(Value::Number(number))
    }

    /// `left operator right`
    pub fn binary(left: Self, operator: Operator, right: Self) -> Self {
        Self::Binary(Box::new(left), operator, Box::new(right))
    }

    /// `rd(e)`: the variables and arrays that evaluating it reads.
    pub fn reads(&self) -> Names {
        let mut reads = Names::new();
        self.add_reads(&mut reads);
        reads
    }

    fn add_reads(&self, reads: &mut Names) {
        match self {
            Self::Variable(name) => {
                reads.insert(*name);
            }
            Self::Constant(_) => {}
            Self::Binary(left, _, right) => {
                left.add_reads(reads);
                right.add_reads(reads);
            }
            Self::Element(array, index) => {
                index.add_reads(reads);
                reads.insert(array.name);
            }
        }
    }
}

/// An instruction `ι`. (`reboot(n)` never stands in a program: see [`Form::Reboot`].)
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Instruction {
    /// `x := e`
    Assign(Name, Expression),
    /// `a[e] := e'`
    AssignElement(Array, Expression, Expression),
    /// `x := IN()`
    Input(Name),
    /// `skip`
    Skip,
    /// `checkpoint(ω)`
    Checkpoint(Names),
}

/// What a command is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `skip` at the end: the program has terminated.
    Skip,
    /// `ι; c`
    Sequence(Instruction, Command),
    /// `if e then c1 else c2`
    Branch(Expression, Command, Command),
    /// `reboot(n)`: power has failed for `n` ticks.
    Reboot(u32),
    /// `goto ℓ` (§8.2)
    Goto(Name),
    /// `toTask(i)` (§8.2)
    ToTask(Name),
}

/// A command `c`, with its number in the program.
#[derive(Clone, Debug)]
pub struct Command {
    point: u32,
    form: Rc<Form>,
}

impl Command {
    /// A command that has the number `point`.
    pub fn at(point: u32, form: Form) -> Self {
        Self {
            point,
            form: Rc::new(form),
        }
    }

    /// A command that has no number yet.
    pub fn new(form: Form) -> Self {
        Self::at(0, form)
    }

    /// `skip`
    pub fn skip() -> Self {
        Self::new(Form::Skip)
    }

    /// `ι; self`
    pub fn after(self, instruction: Instruction) -> Self {
        Self::new(Form::Sequence(instruction, self))
    }

    /// What it is.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Its number: where in the program it is.
    pub fn point(&self) -> u32 {
        self.point
    }

    /// Whether the program has terminated.
    pub fn is_skip(&self) -> bool {
        matches!(self.form(), Form::Skip)
    }

    /// The same command with its parts numbered in the order of the text. What was lifted into both
    /// sides of a branch is one place, and gets one number.
    pub fn numbered(&self) -> Self {
        self.number(&mut HashMap::new())
    }

    fn number(&self, known: &mut HashMap<*const Form, (u32, Option<Self>)>) -> Self {
        let key = Rc::as_ptr(&self.form);
        if let Some((_, Some(command))) = known.get(&key) {
            return command.clone();
        }
        let point = u32::try_from(known.len()).unwrap_or(u32::MAX);
        known.insert(key, (point, None));
        let form = match self.form() {
            Form::Sequence(instruction, rest) => {
                Form::Sequence(instruction.clone(), rest.number(known))
            }
            Form::Branch(condition, yes, no) => {
                let yes = yes.number(known);
                Form::Branch(condition.clone(), yes, no.number(known))
            }
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => form.clone(),
        };
        let command = Self::at(point, form);
        known.insert(key, (point, Some(command.clone())));
        command
    }

    /// The same command with each checkpoint saving what `saves` says for its point.
    pub fn saving(&self, saves: &dyn Fn(u32, &Names) -> Names) -> Self {
        let form = match self.form() {
            Form::Sequence(Instruction::Checkpoint(saved), rest) => Form::Sequence(
                Instruction::Checkpoint(saves(self.point, saved)),
                rest.saving(saves),
            ),
            Form::Sequence(instruction, rest) => {
                Form::Sequence(instruction.clone(), rest.saving(saves))
            }
            Form::Branch(condition, yes, no) => {
                Form::Branch(condition.clone(), yes.saving(saves), no.saving(saves))
            }
            form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => form.clone(),
        };
        Self::at(self.point, form)
    }

    /// Its checkpoints, in the order of the text.
    pub fn checkpoints(&self) -> Vec<(u32, &Names)> {
        let commands = self.from_checkpoints().into_iter();
        commands
            .filter_map(|command| match command.form() {
                Form::Sequence(Instruction::Checkpoint(saved), _) => Some((command.point, saved)),
                _ => None,
            })
            .collect()
    }

    /// The commands that begin with its checkpoints, in the order of the text.
    pub fn from_checkpoints(&self) -> Vec<&Self> {
        let mut commands = Vec::new();
        match self.form() {
            Form::Sequence(instruction, rest) => {
                if let Instruction::Checkpoint(_) = instruction {
                    commands.push(self);
                }
                commands.extend(rest.from_checkpoints());
            }
            Form::Branch(_, yes, no) => {
                commands.extend(yes.from_checkpoints());
                commands.extend(no.from_checkpoints());
            }
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => {}
        }
        commands
    }
}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
            && (Rc::ptr_eq(&self.form, &other.form) || self.form == other.form)
    }
}

impl Eq for Command {}

impl Hash for Command {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.point.hash(state);
    }
}
