//! The scenario: everything that the analyses need to know about the device and its surroundings.
//!
//! **Invariant**: every name in it exists in the program it was resolved for, every list is sorted
//! or in the order of the configuration, and nothing in it is a default left to the reader.

use crate::argument::ArgumentExpression;
use crate::chips::{Chip, EnableBits, Stretch};
use crate::error::Place;
use crate::expression::Expression;
use crate::policy::Policy;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::effect::Effect;
use crate::flash::{Explore, Flash};
use crate::glob;
use crate::values::ValueSource;

/// A profile, and what it says of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedProfile {
    /// What the configuration calls it.
    pub name: String,
    /// The functions and registers of the program that it describes.
    pub describes: Vec<String>,
    /// Whether one of these shows that the program uses what the profile is about.
    pub is_recognised: bool,
}

/// A device, how it is powered and what surrounds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The function where the program begins.
    pub entry: String,
    /// The target triple.
    pub target: String,
    /// Which memory survives a power failure.
    pub memory: Memory,
    /// When checkpoints commit.
    pub power: Power,
    /// What the program reads from its surroundings.
    pub inputs: Vec<Input>,
    /// What the program does to its surroundings.
    pub outputs: Vec<Output>,
    /// What volatile accesses to external objects are, when the scenario says.
    pub mmio: Option<Mmio>,
    /// Functions that do nothing and return zero.
    pub ignore: Vec<String>,
    /// Functions that write nothing and whose results depend on nothing but their arguments and
    /// what those point to.
    pub pure: Vec<String>,
    /// Files that are analysed and of which nothing is reported.
    pub runtime: Vec<String>,
    /// The values that describe the surroundings, with what they are at first.
    pub environment: BTreeMap<String, i64>,
    /// What is known of single variables.
    pub variables: Vec<Variable>,
    /// Inputs, or variables that hold their data, that must come from one power cycle.
    pub consistent: Vec<Vec<String>>,
    /// Peripherals whose registers are lost with power.
    pub peripherals: Vec<Peripheral>,
    /// What is called to execute code without a `main`; none means everything that others can call.
    pub harnesses: Vec<Harness>,
    /// What has to hold.
    pub invariants: Vec<Invariant>,
    /// Which functions are interrupt handlers, sorted.
    pub interrupts: Vec<Interrupt>,
    /// Handlers that never run: the user says so, or nothing enables them.
    pub idle_handlers: BTreeSet<String>,
    /// What counts when executions are compared.
    pub compare: Compare,
    /// The flash parts, in the order of the configuration.
    pub flash: Vec<Flash>,
    /// What is explored of power failures.
    pub explore: Explore,
    /// Registers of which nothing is known but that the program waits for them.
    pub awaited: BTreeSet<String>,
    /// The profiles in force.
    pub profiles: Vec<AppliedProfile>,
    /// What was assumed because nobody said it; each stands alone.
    pub notes: Vec<String>,
}

/// Which memory survives a power failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The global objects in non-volatile memory, by name.
    pub nonvolatile_globals: BTreeSet<String>,
    /// The global objects that are a test's notebook, by name: they survive, too.
    pub ghosts: BTreeSet<String>,
    /// Whether the stack is in non-volatile memory.
    pub stack: bool,
    /// Whether the heap is in non-volatile memory.
    pub heap: bool,
    /// What is non-volatile, in the words of the configuration: `globals`, `section:.nv`, `!symbol:x`.
    pub nonvolatile: Vec<String>,
    /// Whether memory that the callers of a library pass is non-volatile: nobody knows where they have it.
    pub passed: bool,
    /// Whether nobody said what is non-volatile, so that all globals are taken to be.
    pub is_assumed: bool,
    /// How many bytes a store writes at once; `None` when every store is atomic.
    pub atomic_write: Option<u32>,
    /// Whether somebody said so; the target's word else.
    pub is_atomic_given: bool,
    /// Global objects in sections that a linker script does not let load, by name.
    pub unloaded: BTreeSet<String>,
    /// What every byte of memory that nothing initialises holds before the first boot, when given.
    pub noinit: Option<u8>,
    /// The size of the stack in bytes, when given.
    pub stack_size: Option<u32>,
    /// The size of the heap in bytes, when given.
    pub heap_size: Option<u32>,
    /// The chip, if one is named.
    pub chip: Option<&'static Chip>,
    /// What is at fixed addresses, as far as that is known; the first that fits counts.
    pub map: Vec<Stretch>,
    /// Objects that the program writes and that may keep their contents without power, although nobody says so.
    pub doubts: Vec<Doubt>,
}

/// Something that a program says of objects, which may mean that they keep their contents without power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// A section, or words that are not understood.
    pub words: String,
    /// The names of the objects, sorted.
    pub objects: Vec<String>,
    /// Whether the words are a section.
    pub is_section: bool,
    /// Whether the section stands for an address.
    pub is_at_address: bool,
    /// Whether the words sound like it, or nobody knows what they say; there is nothing wrong with other sections.
    pub is_serious: bool,
}

impl Doubt {
    /// What a configuration calls these objects.
    pub fn selections(&self) -> Vec<String> {
        match self.is_section {
            true => vec![format!("section:{}", self.words)],
            false => {
                let names = self.objects.iter();
                names.map(|name| format!("symbol:{name}")).collect()
            }
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (self.objects.iter())
            .map(|name| format!("`{name}`"))
            .collect();
        let names = names.join(", ");
        match self.is_section {
            true => write!(f, "section `{}` ({names}) may be", self.words),
            false => write!(f, "what `{}` says of {names} is not understood", self.words),
        }
    }
}

/// When checkpoints commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Power {
    /// When a checkpoint commits.
    pub policy: Policy,
    /// The functions that commit, sorted.
    pub checkpoints: Vec<String>,
    /// The functions that are tasks, sorted.
    pub tasks: Vec<String>,
    /// The tasks of a program whose reboots begin at its entry, sorted: its own code finds the current one.
    pub restarted_tasks: Vec<String>,
    /// The functions that end a task, sorted.
    pub transitions: Vec<String>,
    /// The variables that name the current task, sorted: a store to one ends the task.
    pub current_task: Vec<String>,
    /// Where the tool itself places checkpoints, if anywhere.
    pub placement: Option<Placement>,
    /// The non-volatile objects that every checkpoint saves.
    pub saves: Saves,
    /// What single checkpoints save beyond that, in the order of the configuration.
    pub saves_at: Vec<SavesAt>,
}

/// What one checkpoint saves beyond what all of them do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavesAt {
    /// Where it is: `file:line`, or the name of a task.
    pub at: String,
    /// The objects and parts of objects, sorted.
    pub saved: Vec<Saved>,
    /// The names of the volatile state that it restores; none: all of it.
    pub volatile: Option<Vec<String>>,
    /// Where the configuration says so.
    pub place: Place,
}

/// An object, or a part of one, that a checkpoint saves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Saved {
    /// The object.
    pub symbol: String,
    /// The way to the part, such as `.x` or `[3].next`; nothing for all of the object.
    pub path: String,
}

/// Where the tool itself places checkpoints (EWSN'21 §6.1, after Mementos).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// At the end of every loop body.
    LoopLatch,
    /// After the return of every function.
    FunctionReturn,
}

/// The non-volatile objects that every checkpoint saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saves {
    /// All of them.
    Everything,
    /// These, sorted; none by default.
    Symbols(Vec<String>),
}

/// Where data crosses between the device and its surroundings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A function of the program.
    Function(String),
    /// A device register: a global object of the program.
    Register(String),
    /// A device register without a name: accesses that begin at an address.
    Address {
        /// The address as the configuration spells it.
        name: String,
        /// The address.
        address: u64,
    },
    /// The result of a function that fills a buffer: whether it succeeded.
    Result {
        /// What messages call it.
        name: String,
        /// The function.
        function: String,
    },
}

/// Something that the program reads from its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What is read.
    pub source: Source,
    /// Which values it gives.
    pub values: ValueSource,
    /// The bits of a register that come from outside; all of a function's.
    pub mask: Option<u64>,
    /// The buffers that it fills, and how far; else the result is the input.
    pub fills: Option<Fill>,
    /// How its data may age, when known.
    pub model: Option<Model>,
    /// Whether somebody said which values it gives; if not, others may come.
    pub is_declared: bool,
}

/// What an input function fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The buffers, in the order in which values go there.
    pub buffers: Vec<Buffer>,
    /// What the function returns, unless that is the length; nothing if nobody said it: then it may
    /// succeed or fail.
    pub returns: Option<i64>,
    /// Where the configuration says so, if it does.
    pub place: Option<Place>,
}

/// A buffer that an input function fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Where it is.
    pub pointer: ArgumentExpression,
    /// How many bytes are filled.
    pub length: Extent,
    /// How many bytes one value takes.
    pub width: u32,
}

/// How many bytes an input function fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As many as the arguments say.
    Computed(ArgumentExpression),
    /// As many as the function returns: its first value, before those of the buffer.
    Result,
    /// That many.
    Bytes(u32),
    /// As many as one has of what the pointer points to. Whoever knows the program's types puts the number
    /// in its place.
    Pointee,
}

impl Extent {
    /// The arguments that it is made of.
    pub fn mentioned(&self) -> impl Iterator<Item = u32> {
        let computed = match self {
            Self::Computed(length) => Some(length),
            Self::Result | Self::Bytes(_) | Self::Pointee => None,
        };
        computed.into_iter().flat_map(ArgumentExpression::mentioned)
    }
}

impl Fill {
    /// Whether the function returns how much it has filled.
    pub fn returns_length(&self) -> bool {
        let mut buffers = self.buffers.iter();
        buffers.any(|buffer| buffer.length == Extent::Result)
    }

    /// The buffers in words: `arg1` or `arg0, arg2`.
    pub fn names(&self) -> String {
        let names: Vec<String> = self
            .buffers
            .iter()
            .map(|it| it.pointer.to_string())
            .collect();
        names.join(", ")
    }
}

/// How input data may age (EWSN'21 §4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// It must be used in the power cycle in which it was read.
    MostRecent,
    /// It is meant to outlive power failures.
    LongTerm,
}

/// Something that the program does to its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What is called or written.
    pub source: Source,
    /// What repeating it is meant to do, when known.
    pub semantics: Option<Semantics>,
    /// The bits of a register that it is about; all of a function's.
    pub mask: Option<u64>,
    /// How it changes the environment.
    pub effect: Effect,
    /// How many instructions it takes, when it is not instantaneous.
    pub takes: Option<u64>,
}

/// What repeating an output does (EWSN'21 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// Nothing more than doing it once.
    Absolute,
    /// The same again.
    Relative,
    /// It must not be done twice.
    AtMostOnce,
}

/// What counts when an execution with power failures is compared with one without (semantics §2).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Compare {
    /// Globals that may differ, sorted.
    pub ignored: Vec<String>,
    /// Whether outputs count.
    pub outputs: Counts,
    /// Whether invariants count.
    pub invariants: Counts,
}

/// Whether something counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counts {
    /// It does.
    #[default]
    Yes,
    /// It does not.
    No,
}

/// What volatile accesses to external objects are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mmio {
    /// Reads are inputs.
    Input,
    /// Writes are outputs.
    Output,
    /// Plain memory that is lost with power.
    State,
}

/// What is known of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// A global, or `function::local`.
    pub name: String,
    /// Whether it is meant to change across a power failure.
    pub intermittence_aware: bool,
    /// How the data in it may age, when known.
    pub model: Option<Model>,
}

/// A function that is called to execute code without a `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The function.
    pub function: String,
    /// What it is called with; those that nobody named can be anything.
    pub args: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Whatever its type allows.
    Any,
    /// This number.
    Number(i64),
    /// The address of so many bytes of their own.
    Buffer(u32),
    /// The address of a global.
    Address(String),
}

/// An interrupt handler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interrupt {
    /// The function.
    pub function: String,
    /// When it comes.
    pub when: When,
    /// How urgent it is: one that is more urgent interrupts it. Less is more urgent.
    pub priority: u8,
    /// The bits of the chip one of which has to be set for it to come; none if they are not known.
    pub enables: Vec<EnableBits>,
}

/// When an interrupt comes (semantics §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Once per sleep.
    Sleep,
    /// Anywhere while interrupts are enabled.
    Enabled,
    /// After so many instructions, again and again.
    Every(u64),
    /// Not at all.
    Never,
}

/// A condition that has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// As the user wrote it.
    pub text: String,
    /// What it says.
    pub expression: Expression,
    /// When it has to; none means always.
    pub at: Option<Occasion>,
    /// Where it was written.
    pub place: Place,
}

/// When something has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// When a checkpoint commits.
    Checkpoint,
    /// When the program ends.
    Exit,
}

/// A peripheral whose registers are lost with power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peripheral {
    /// What to call it; its first register unless the configuration says.
    pub name: String,
    /// Its registers.
    pub registers: Vec<String>,
    /// The functions that rely on it.
    pub used_by: Vec<String>,
}

impl Scenario {
    /// Whether a file is a runtime's: nothing is reported of it.
    pub fn is_runtime(&self, file: &str) -> bool {
        let mut patterns = self.runtime.iter();
        patterns.any(|pattern| glob::matches_path(pattern, file))
    }

    /// The line that is always printed: `non-volatile: globals; policy: static (checkpoint)`.
    pub fn assumptions(&self) -> String {
        self.assumptions_of(|_| 0)
    }

    /// The same of a program that calls functions so many times: `static (3 calls of `checkpoint`)`.
    pub fn assumptions_of(&self, calls: impl Fn(&str) -> u64) -> String {
        let mut map = self.memory.map.iter();
        let nonvolatile = match &self.memory.nonvolatile[..] {
            [] if self.entry.is_empty() && self.memory.passed => "what callers pass".to_owned(),
            [] if !self.memory.is_assumed && map.any(|stretch| stretch.nonvolatile) => {
                "memory at fixed addresses".to_owned()
            }
            // `check` does not go by what is only assumed where nothing is saved.
            _ if self.memory.is_assumed && self.power.policy == Policy::Restart => {
                "globals (nothing says so)".to_owned()
            }
            [] => "nothing".to_owned(),
            parts => enumerate(parts),
        };
        let power = &self.power;
        let functions = power.checkpoints.iter();
        let mut commits: Vec<String> = functions
            .map(|name| match calls(name) {
                0 => name.clone(),
                1 => format!("1 call of `{name}`"),
                count => format!("{count} calls of `{name}`"),
            })
            .collect();
        commits.extend(power.placement.map(|placement| placement.name().to_owned()));
        let policy = match power.policy {
            Policy::Static if commits.is_empty() && self.entry.is_empty() => {
                "each call of a function is a region".to_owned()
            }
            Policy::Static if commits.is_empty() => "static (no checkpoint)".to_owned(),
            Policy::Static => format!("static ({})", enumerate(&commits)),
            Policy::Conditional { depth } => {
                let commits = enumerate(&commits);
                format!("conditional ({commits}), execution depth {depth}")
            }
            Policy::Reactive { depth } => format!("reactive, execution depth {depth}"),
            Policy::Restart => "restart: every reboot starts at the entry, and nothing is saved (--policy static, reactive or tasks if yours does more)".to_owned(),
            Policy::Tasks => {
                let mut parts = power.tasks.clone();
                if parts.is_empty() {
                    parts.extend_from_slice(&power.transitions);
                }
                let variables = power.current_task.iter();
                parts.extend(variables.map(|name| format!("assignments to `{name}`")));
                format!("tasks ({})", enumerate(&parts))
            }
        };
        let chip = self
            .memory
            .chip
            .iter()
            .map(|chip| format!("chip: {}; ", chip.name));
        let chip: String = chip.collect();
        let mut line = format!("{chip}non-volatile: {nonvolatile}; policy: {policy}");
        if let Some(bytes) = self
            .memory
            .atomic_write
            .filter(|_| self.memory.is_atomic_given)
        {
            let unit = if bytes == 1 { "byte" } else { "bytes" };
            line += &format!("; atomic write: {bytes} {unit}");
        }
        line
    }
}

impl Memory {
    /// Whether what is at an address is known.
    pub fn is_mapped(&self, address: u64) -> bool {
        let mut map = self.map.iter();
        map.any(|stretch| stretch.addresses.contains(&address))
    }

    /// Whether what is at an address keeps its contents without power.
    pub fn is_nonvolatile_at(&self, address: u64) -> bool {
        let mut map = self.map.iter();
        map.find(|stretch| stretch.addresses.contains(&address))
            .is_some_and(|stretch| stretch.nonvolatile)
    }

    /// Whether the global object of that name is in non-volatile memory.
    pub fn is_nonvolatile(&self, global: &str) -> bool {
        self.nonvolatile_globals.contains(global) || self.ghosts.contains(global)
    }
}

impl Placement {
    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Placement::LoopLatch => "loop-latch",
            Placement::FunctionReturn => "function-return",
        }
    }
}

impl Source {
    /// The name of the function or register.
    pub fn name(&self) -> &str {
        match self {
            Source::Function(name)
            | Source::Register(name)
            | Source::Address { name, .. }
            | Source::Result { name, .. } => name,
        }
    }

    /// Whether both are one, however its address is written.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Source::Address { address, .. }, Source::Address { address: other, .. }) => {
                address == other
            }
            _ => self == other,
        }
    }

    /// A device register, by its name or its address.
    pub(crate) fn register(name: &str) -> Self {
        let name = name.to_owned();
        match fixed_address(&name) {
            Some(address) => Source::Address { name, address },
            None => Source::Register(name),
        }
    }
}

/// The address that a configuration names instead of a register: `0x` and hexadecimal digits.
pub fn fixed_address(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("0x").or(name.strip_prefix("0X"))?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// At most four names, and how many more there are.
fn enumerate(names: &[String]) -> String {
    const SHOWN: usize = 4;
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}
