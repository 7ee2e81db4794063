//! A random program before it is written down: as C, and as intermediate representation.

/// A variable of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// A non-volatile global of 16 bits.
    Kept(u32),
    /// A volatile global of 16 bits.
    Plain(u32),
    /// A local of 16 bits.
    Local(u32),
    /// An element of the non-volatile array; the variable is its index.
    Element(Index),
}

/// What selects an element of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Number(u32),
    Kept(u32),
    Local(u32),
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Number(i16),
    Of(Variable),
    /// A variable plus a number.
    Sum(Variable, i16),
    /// Two variables.
    Both(Variable, Variable),
}

/// A comparison of a variable with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) variable: Variable,
    pub(super) relation: Relation,
    pub(super) number: i16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Differs,
    Less,
}

/// A statement; its line is given when it is written down as C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) line: u32,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Assign(Variable, Expression),
    /// The non-volatile variable of 32 bits gets itself plus a number.
    Widen(u32),
    /// The non-volatile variable of 32 bits gets a number.
    Wide(u32),
    /// A variable gets what an input gives.
    Read(Variable, u32),
    Output(u32, Expression),
    Checkpoint,
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A local counts from 0.
    Repeat(u32, u32, Vec<Statement>),
    /// As long as a non-volatile variable is below a number; the body ends with counting it.
    Until(u32, i16, Vec<Statement>),
    Call(u32),
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    pub(super) kept: u32,
    pub(super) plain: u32,
    pub(super) locals: u32,
    pub(super) inputs: u32,
    pub(super) outputs: u32,
    /// Whether there is an array.
    pub(super) array: bool,
    /// What the variable of 32 bits holds at first, if there is one.
    pub(super) wide: Option<u32>,
    /// Whether locals are in registers, or in memory.
    pub(super) in_registers: bool,
    /// Functions without locals: helpers, or tasks.
    pub(super) functions: Vec<Vec<Statement>>,
    pub(super) setup: Vec<Statement>,
    /// What is repeated without end.
    pub(super) rounds: Option<Vec<Statement>>,
    pub(super) finish: Vec<Statement>,
    /// What `main` returns; none: 0.
    pub(super) status: Option<Expression>,
}

/// Elements of the array: a power of two.
pub(super) const ELEMENTS: u32 = 4;

impl From<What> for Statement {
    fn from(what: What) -> Self {
        Self { line: 0, what }
    }
}
