//! What is to be proved, and what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use brownout_flow::contexts::Site;
use brownout_flow::supergraph::Reason;
use brownout_ir::source::Place;
use brownout_ir::{Func, Global, Retained};

use crate::contents::Contents;

/// What has to be known beside the program.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Why nothing can be proved whatever the program is, if there is something.
    pub refused: Option<String>,
    /// The functions that change the world outside.
    pub outputs: BTreeMap<Func, Output>,
    /// The device registers whose writes change the world outside.
    pub registers: BTreeMap<Global, Output>,
    /// What functions give that read the world outside, where somebody said it.
    pub inputs: BTreeMap<Func, Given>,
    /// What device registers give, where somebody said it.
    pub input_registers: BTreeMap<Global, Given>,
    /// How many values the environment has.
    pub environment: usize,
    /// How many bytes are written at once; none: every store is.
    pub atomic_write: Option<u32>,
    /// What a reboot does to volatile memory.
    pub volatile: Volatile,
    /// Functions that the hardware calls at any time.
    pub handlers: BTreeSet<Func>,
    /// Functions that nobody calls, by name: they are taken not to run.
    pub idle: Vec<String>,
    /// How often loops are gone round before they are not unrolled any more; none: as often as is usual.
    pub rounds: Option<u32>,
    /// What is restored at a start instead of what the program says.
    pub contents: BTreeMap<Reason, Contents>,
    /// What checkpoints restore of volatile state, by the place of their calls; the others restore all
    /// of it.
    pub retained: BTreeMap<Place, Arc<Retained>>,
    /// What may differ: objects that are meant to change across power failures, and those that are
    /// not compared.
    pub excluded: BTreeSet<Global>,
}

impl Question {
    /// The names of the outputs whose effect is what their tag says, in order.
    pub fn tagged(&self) -> Vec<&str> {
        self.named(|effect| matches!(effect, Effect::Absolute | Effect::Relative))
    }

    /// The names of the outputs that must not be repeated, in order.
    pub fn once(&self) -> Vec<&str> {
        self.named(|effect| *effect == Effect::AtMostOnce)
    }

    fn named(&self, wanted: impl Fn(&Effect) -> bool) -> Vec<&str> {
        let all = self.outputs.values().chain(self.registers.values());
        let named = all.filter(|output| wanted(&output.effect));
        let mut names: Vec<&str> = named.map(|output| output.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The number of a tagged output: in the environment, or among those that must not be repeated.
    pub fn number(&self, output: &Output) -> usize {
        let position = |names: Vec<&str>| names.iter().position(|name| *name == output.name);
        match output.effect {
            Effect::AtMostOnce => position(self.once()).unwrap_or(0),
            _ => self.environment + position(self.tagged()).unwrap_or(0),
        }
    }
}

/// The values that an input gives, cut to its width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// What users call the input.
    pub name: String,
    /// The values.
    pub values: Values,
}

/// Values that an input gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these, in any order.
    OneOf(Vec<i64>),
    /// All from the first to the last, both included.
    Within(i64, i64),
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Within(low, high) => write!(f, "{low} to {high}"),
            Self::OneOf(values) => {
                let values: BTreeSet<i64> = values.iter().copied().collect();
                let texts: Vec<String> = values.iter().take(8).map(i64::to_string).collect();
                let more = if values.len() > 8 { ", …" } else { "" };
                write!(f, "{}{more}", texts.join(", "))
            }
        }
    }
}

/// What changes the world outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A call of a function.
    Function(Func),
    /// A write of a device register.
    Register(Global),
    /// The end: what is returned, or the exit status.
    Result,
}

/// What a reboot does to volatile memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Volatile {
    /// It is restored with the checkpoint.
    #[default]
    Restored,
    /// Start-up code initialises it: tasks start with nothing else.
    Initialised,
    /// The program starts from its entry: it is as every execution finds it there.
    StartedOver,
}

/// What an output does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// What users call it.
    pub name: String,
    /// How it changes the environment.
    pub effect: Effect,
}

/// How an output changes the environment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Effect {
    /// It may be repeated; nothing more is said.
    #[default]
    Repeatable,
    /// What it does is replaced when it is done again.
    Absolute,
    /// What it does adds up.
    Relative,
    /// It must not be done twice.
    AtMostOnce,
    /// These changes, one after the other.
    Changes(Vec<Change>),
    /// A program that is not understood here.
    Unknown,
}

/// One change of one value of the environment. Values have 64 bits and wrap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Which value.
    pub value: usize,
    /// How it is combined with the operand.
    pub operator: Operator,
    /// With what.
    pub operand: Operand,
}

/// How a change combines the old value with the operand.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Assign,
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    ExclusiveOr,
}

/// What a change combines the old value with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An argument of the output, with its sign or without.
    Argument(u32),
    /// A number.
    Number(i64),
    /// Another value of the environment.
    Value(usize),
}

/// How many obligations there were, and who discharged them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Obligations {
    /// All: one for each part of memory and each output that a region changes.
    pub total: usize,
    /// Those that were settled without a solver: by sets of reads and writes, or because what attempts
    /// compute is the same term.
    pub dataflow: usize,
    /// Those for which a solver was asked, and answered.
    pub solver: usize,
}

/// An obligation that was not discharged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// Where execution goes on after a power failure.
    pub start: Reason,
    /// The cells concerned, if there are any.
    pub cells: Vec<u32>,
    /// The instruction after which power fails, if that is known.
    pub failure: Option<Site>,
    /// Why it is open.
    pub why: Why,
    /// What differs in the solver's example, each once.
    pub shown: Vec<Difference>,
    /// The outputs that this is about, and where they are.
    pub outputs: Vec<(String, Site)>,
    /// Numbers that inputs could give so that a power failure shows, as the solver's example has them.
    pub example: Vec<u64>,
}

/// Something in which the attempt after a power failure can differ from the continuous execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difference {
    /// What a part of memory holds at the next boundary.
    Cell(u32),
    /// A value in a register that is wanted after the next commit.
    Register,
    /// What is output, how often, or what that does to the world outside.
    Output(Seen),
    /// The exit status, or what a function returns to a library's user.
    Result,
    /// Which boundary it gets to.
    Way,
    /// It does what programs without faults never do.
    Fault,
    /// It comes to a loop that is not unrolled with something else in what the loop reads.
    Loop,
}

/// What of the outputs differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Seen {
    /// Which outputs there are, their arguments, or their order.
    Sequence,
    /// A value of the environment, by its number: those of the scenario first, then those of tagged outputs.
    Value(u32),
    /// An output that must not be repeated, by its number among these.
    Repeated(u32),
}

/// Why an obligation is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is a state from which a power failure shows; whether the program gets there was not
    /// asked.
    Shows,
    /// The solver gave up, and why.
    Limit(String),
    /// There is no solver.
    NoSolver,
    /// Something that the proof cannot follow.
    Unsupported(String),
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// How many regions there are.
    pub regions: usize,
    /// How many of them start at checkpoints.
    pub checkpoints: usize,
    /// The obligations.
    pub obligations: Obligations,
    /// Those that are open; nothing is proved unless there are none.
    pub open: Vec<Open>,
    /// What the proof takes for granted, each once.
    pub assumptions: Vec<String>,
}

impl Outcome {
    /// Whether no power failure shows, under the assumptions.
    pub fn is_proved(&self) -> bool {
        self.open.is_empty()
    }
}
