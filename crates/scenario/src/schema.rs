//! Every key of `brownout.toml`, with its type and bounds.
//!
//! One function per section, one question per key; the reader turns that into errors, suggestions,
//! assignments, and the reference that editors and the manual show. Settings that exclude each other within one section are found here; what needs the
//! program is left to [`crate::resolve`].
//!
//! **Invariant**: `None` means that nobody said anything, never a default.

mod chain;
mod executions;
mod flash;
mod interrupts;
mod profile;
mod registers;

pub(crate) use chain::ChainSettings;
use executions::{HarnessSettings, InvariantSettings, harness, invariant};
pub(crate) use flash::{CallSettings, ExploreSettings, FlashSettings};
pub(crate) use interrupts::WhenName;
use interrupts::{InterruptSettings, interrupt};
pub(crate) use profile::profile;
use registers::{PeripheralSettings, RegisterSettings, peripheral, register};

use std::collections::BTreeMap;

use crate::argument::ArgumentExpression;
use crate::chips::{self, Chip};
use crate::effect::{self, Change};
use crate::energy::Dimension;
use crate::error::Problem;
use crate::read::{Choice, Fields, Located};
use crate::reference::{Key, key};
use crate::scenario::{Extent, Mmio, Model, Placement, Semantics, fixed_address};
use crate::suggest::nearest;
use crate::trace::AtEnd;

type Texts = Option<Vec<Located<String>>>;
type Text = Option<Located<String>>;

/// No memory of a device of this class is larger; more is a slip.
const LARGEST_SIZE: i64 = 1 << 30;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    pub(crate) target: Text,
    pub(crate) entry: Text,
    pub(crate) chip: Option<Located<&'static Chip>>,
    pub(crate) profiles: Texts,
    pub(crate) sources: Texts,
    pub(crate) mmio: Option<Located<Mmio>>,
    pub(crate) ignore: Texts,
    pub(crate) pure: Texts,
    pub(crate) runtime: Texts,
    pub(crate) consistent: Option<Vec<Vec<Located<String>>>>,
    pub(crate) memory: MemorySettings,
    pub(crate) power: PowerSettings,
    pub(crate) checkpoints: Option<Vec<CheckpointSettings>>,
    pub(crate) energy: EnergySettings,
    pub(crate) compare: CompareSettings,
    pub(crate) inputs: Option<Vec<InputSettings>>,
    pub(crate) outputs: Option<Vec<OutputSettings>>,
    pub(crate) environment: BTreeMap<String, Located<i64>>,
    pub(crate) variables: Option<Vec<VariableSettings>>,
    pub(crate) peripherals: Option<Vec<PeripheralSettings>>,
    pub(crate) registers: Option<Vec<RegisterSettings>>,
    pub(crate) harnesses: Option<Vec<HarnessSettings>>,
    pub(crate) invariants: Option<Vec<InvariantSettings>>,
    pub(crate) interrupts: Option<Vec<InterruptSettings>>,
    pub(crate) flash: Option<Vec<FlashSettings>>,
    pub(crate) explore: ExploreSettings,
    pub(crate) chain: Option<Vec<ChainSettings>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MemorySettings {
    pub(crate) nonvolatile: Option<Vec<Located<Selection>>>,
    pub(crate) atomic_write: Option<Located<Option<u32>>>,
    pub(crate) ghost: Texts,
    pub(crate) noinit: Option<Located<u8>>,
    pub(crate) stack_size: Option<Located<u32>>,
    pub(crate) heap_size: Option<Located<u32>>,
    pub(crate) map: Option<Vec<StretchSettings>>,
}

/// Memory at a fixed address.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StretchSettings {
    pub(crate) at: Option<Located<u64>>,
    pub(crate) size: Option<Located<u64>>,
    pub(crate) nonvolatile: Option<Located<bool>>,
    pub(crate) image: Option<Located<String>>,
}

/// One element of `memory.nonvolatile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    Put(Segment),
    TakeOut(Segment),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Globals,
    Stack,
    Heap,
    Section(String),
    Symbol(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PowerSettings {
    pub(crate) policy: Option<Located<PolicyName>>,
    pub(crate) checkpoints: Texts,
    pub(crate) tasks: Texts,
    pub(crate) transitions: Texts,
    pub(crate) execution_depth: Option<Located<u64>>,
    pub(crate) restart: Text,
    pub(crate) placement: Option<Located<Option<Placement>>>,
    pub(crate) saves: Texts,
}

impl Settings {
    /// What inputs and outputs are connected to.
    pub(crate) fn connections(&self) -> impl Iterator<Item = &SourceSettings> {
        let inputs = self.inputs.iter().flatten().map(|input| &input.source);
        let outputs = self.outputs.iter().flatten().map(|output| &output.source);
        inputs.chain(outputs)
    }
}

/// What one checkpoint saves beyond what all of them do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CheckpointSettings {
    pub(crate) at: Text,
    pub(crate) saves: Texts,
    pub(crate) volatile: Texts,
}

/// What is compared after a power failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompareSettings {
    pub(crate) ignore: Option<Vec<Located<Compared>>>,
    pub(crate) only: Option<Vec<Located<Compared>>>,
}

/// One thing that is compared, or is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Outputs,
    Invariants,
    Symbol(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyName {
    Static,
    Conditional,
    Reactive,
    Restart,
    Tasks,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnergySettings {
    pub(crate) capacitance: Option<Located<f64>>,
    pub(crate) trigger_voltage: Option<Located<f64>>,
    pub(crate) start_voltage: Option<Located<f64>>,
    pub(crate) minimum_voltage: Option<Located<f64>>,
    pub(crate) current: Option<Located<f64>>,
    pub(crate) clock: Option<Located<f64>>,
    pub(crate) checkpoint_time: Option<Located<f64>>,
}

/// `function` or `register`: exactly one of them is set once the section was read without error.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SourceSettings {
    pub(crate) function: Text,
    pub(crate) register: Text,
    pub(crate) pointer: Text,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InputSettings {
    pub(crate) source: SourceSettings,
    pub(crate) values: Option<Located<Vec<i64>>>,
    pub(crate) range: Option<Located<Vec<i64>>>,
    pub(crate) constant: Option<Located<i64>>,
    pub(crate) clock: Option<Located<bool>>,
    pub(crate) seed: Option<Located<u64>>,
    pub(crate) trace: Text,
    pub(crate) script: Text,
    pub(crate) at_end: Option<Located<AtEnd>>,
    pub(crate) mask: Option<Located<u64>>,
    pub(crate) fills: Option<Located<Vec<ArgumentExpression>>>,
    pub(crate) length: Option<Located<Vec<Extent>>>,
    pub(crate) width: Option<Located<u32>>,
    pub(crate) returns: Option<Located<i64>>,
    pub(crate) model: Option<Located<Model>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OutputSettings {
    pub(crate) source: SourceSettings,
    pub(crate) semantics: Option<Located<Semantics>>,
    pub(crate) effect: Option<Located<Vec<Change>>>,
    pub(crate) script: Text,
    pub(crate) mask: Option<Located<u64>>,
    pub(crate) takes: Option<Located<u64>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VariableSettings {
    pub(crate) name: Text,
    pub(crate) intermittence_aware: Option<Located<bool>>,
    pub(crate) model: Option<Located<Model>>,
}

impl Choice for PolicyName {
    const NAMES: &'static [&'static str] =
        &["static", "conditional", "reactive", "restart", "tasks"];
    const VALUES: &'static [PolicyName] = &[
        PolicyName::Static,
        PolicyName::Conditional,
        PolicyName::Reactive,
        PolicyName::Restart,
        PolicyName::Tasks,
    ];
}

impl Choice for Option<Placement> {
    const NAMES: &'static [&'static str] = &["none", "loop-latch", "function-return"];
    const VALUES: &'static [Option<Placement>] = &[
        None,
        Some(Placement::LoopLatch),
        Some(Placement::FunctionReturn),
    ];
}

impl Choice for Model {
    const NAMES: &'static [&'static str] = &["most-recent", "long-term"];
    const VALUES: &'static [Model] = &[Model::MostRecent, Model::LongTerm];
}

impl Choice for Semantics {
    const NAMES: &'static [&'static str] = &["absolute", "relative", "at-most-once"];
    const VALUES: &'static [Semantics] = &[
        Semantics::Absolute,
        Semantics::Relative,
        Semantics::AtMostOnce,
    ];
}

impl Choice for AtEnd {
    const NAMES: &'static [&'static str] = &["repeat", "hold", "stop"];
    const VALUES: &'static [AtEnd] = &[AtEnd::Repeat, AtEnd::Hold, AtEnd::Stop];
}

impl Choice for Mmio {
    const NAMES: &'static [&'static str] = &["input", "output", "state"];
    const VALUES: &'static [Mmio] = &[Mmio::Input, Mmio::Output, Mmio::State];
}

/// Reads a whole document over what is there already.
pub(crate) fn document(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    const TARGET: Key = key(
        "target",
        "What C files are compiled for: `msp430`, `riscv32`, `thumbv6m`, `thumbv7m`, `i386`, `x86_64` or a triple that begins with one of them.",
    );
    const SOURCES: Key = key(
        "sources",
        "The files of the program, as seen from this file: what is read if the command line names none.",
    );
    const MMIO: Key = key(
        "mmio",
        "What device registers are that nothing else describes.",
    );
    const CHECKPOINT: Key = key(
        "checkpoint",
        "What one checkpoint or task saves beyond `power.saves`.",
    );
    const CONSISTENT: Key = key(
        "consistent",
        "Inputs and variables that must come from the same power cycle; several sets as lists in a list.",
    );
    fields.text(TARGET.default("`msp430`"), &mut settings.target);
    let entry = key("entry", "The function where execution starts.");
    fields.text(entry.default("`main`"), &mut settings.entry);
    let chip = key(
        "chip",
        "The chip: target, memory map, what is non-volatile by address, how much a store writes at once, sizes of stack and heap, registers with what they hold after a reset, interrupts with the bits that enable them. `brownout chips` lists them.",
    );
    fields.parsed(chip, Some(chips::FORM), &mut settings.chip, |text| {
        Chip::named(text).ok_or_else(|| Problem::NotOneOf {
            found: text.to_owned(),
            allowed: chips::NAMES,
            nearest: nearest(text, chips::NAMES.iter().copied()),
        })
    });
    profile::names(fields, &mut settings.profiles);
    fields.texts(SOURCES, &mut settings.sources);
    fields.choice(MMIO, &mut settings.mmio);
    harmless(fields, settings);
    fields.groups(CONSISTENT, &mut settings.consistent);
    fields.section(
        key("memory", "What survives a power failure, and sizes."),
        |fields| memory(fields, &mut settings.memory),
    );
    fields.section(
        key("power", "When power fails and what checkpoints do."),
        |fields| power(fields, &mut settings.power),
    );
    fields.sections(CHECKPOINT, &mut settings.checkpoints, checkpoint);
    fields.section(
        key(
            "energy",
            "The electrical side of the device. Gives `power.execution-depth` where that is absent; everything but `checkpoint-time` is needed then.",
        ),
        |fields| energy(fields, &mut settings.energy),
    );
    fields.section(
        key(
            "compare",
            "What counts when an execution with power failures is compared with one without.",
        ),
        |fields| compare(fields, &mut settings.compare),
    );
    surroundings(fields, settings);
}

/// Functions that do nothing that matters.
fn harmless(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    const IGNORE: Key = key(
        "ignore",
        "Functions that are called and do nothing. Globs are allowed.",
    );
    const PURE: Key = key(
        "pure",
        "Functions that write nothing and whose results depend on nothing but their arguments and what those point to; for static analysis. Globs are allowed.",
    );
    fields.texts(IGNORE, &mut settings.ignore);
    fields.texts(PURE, &mut settings.pure);
    const RUNTIME: Key = key(
        "runtime",
        "Files of a runtime or a library that is somebody else's to mend, as in `\"libchain/*\"`: they are analysed, and nothing is reported of them. Globs are allowed.",
    );
    fields.texts(RUNTIME, &mut settings.runtime);
}

fn compare(fields: &mut Fields<'_, '_, '_>, compare: &mut CompareSettings) {
    const IGNORE: Key = key(
        "ignore",
        "What may differ, with all that follows from it: `symbol:GLOB`.",
    );
    const ONLY: Key = key(
        "only",
        "Nothing but this counts: `outputs`, `invariants` or `symbol:GLOB`.",
    );
    const SYMBOL: &str = r"^symbol:[\s\S]+$";
    const ANY: &str = r"^(outputs|invariants|symbol:[\s\S]+)$";
    fields.parsed_texts(
        IGNORE,
        Some(SYMBOL),
        &mut compare.ignore,
        |text| match compared(text) {
            Ok(Compared::Symbol(symbol)) => Ok(Compared::Symbol(symbol)),
            _ => Err(bad_form(text, "`symbol:GLOB`")),
        },
    );
    fields.parsed_texts(ONLY, Some(ANY), &mut compare.only, compared);
}

fn compared(text: &str) -> Result<Compared, Problem> {
    match (text, text.strip_prefix("symbol:")) {
        ("outputs", _) => Ok(Compared::Outputs),
        ("invariants", _) => Ok(Compared::Invariants),
        (_, Some(symbol)) if !symbol.is_empty() => Ok(Compared::Symbol(symbol.to_owned())),
        _ => Err(bad_form(text, "`outputs`, `invariants` or `symbol:GLOB`")),
    }
}

/// What is outside of the device, and what is to hold.
fn surroundings(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    const REGISTER: Key = key(
        "register",
        "A device register, or several by a glob, that is not as `mmio` says.",
    );
    const PERIPHERAL: Key = key(
        "peripheral",
        "Device registers that are lost with power, and who relies on them.",
    );
    const HARNESS: Key = key(
        "harness",
        "A function that is called to execute code without a `main`. Without any, all that others can call are.",
    );
    const INVARIANT: Key = key(
        "invariant",
        "What has to hold in all executions that are tried; a power failure that breaks it is an error.",
    );
    world(fields, settings);
    let variable_key = key(
        "variable",
        "A tag of a variable; it wins over that of an input.",
    );
    fields.sections(variable_key, &mut settings.variables, variable);
    fields.sections(PERIPHERAL, &mut settings.peripherals, peripheral);
    fields.sections(REGISTER, &mut settings.registers, register);
    fields.sections(HARNESS, &mut settings.harnesses, harness);
    fields.sections(INVARIANT, &mut settings.invariants, invariant);
    handlers(fields, settings);
    const FLASH: Key = key(
        "flash",
        "A flash part: non-volatile memory that only operations change.",
    );
    fields.settable_sections(FLASH, &mut settings.flash, flash::flash);
    const EXPLORE: Key = key("explore", "What `brownout crash` explores.");
    fields.section(EXPLORE, |fields| {
        flash::explore(fields, &mut settings.explore);
    });
    const CHAIN: Key = key(
        "chain",
        "A program that the one before it starts, in the same boot: an application after its bootloader.",
    );
    fields.sections(CHAIN, &mut settings.chain, chain::chain);
}

/// When interrupt handlers run.
fn handlers(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    let interrupt_key = key(
        "interrupt",
        "When an interrupt handler runs. Handlers are found by the interrupt attribute, tables of vectors and the names of CMSIS; others are named here.",
    );
    fields.sections(interrupt_key, &mut settings.interrupts, interrupt);
}

/// What the device reads of the world outside, and how it changes it.
fn world(fields: &mut Fields<'_, '_, '_>, settings: &mut Settings) {
    const ENVIRONMENT: Key = key(
        "environment",
        "The values that outputs change and scripts see, with what they are at the start.",
    );
    const INPUT: Key = key(
        "input",
        "A function or register that reads the world outside. Without values: pseudo-random over its type, and in every second reading something that the program compares it with; a note says so.",
    );
    const OUTPUT: Key = key(
        "output",
        "A function or register that acts on the world outside.",
    );
    fields.sections(INPUT, &mut settings.inputs, input);
    fields.sections(OUTPUT, &mut settings.outputs, output);
    fields.named_integers(ENVIRONMENT, &mut settings.environment);
}

fn memory(fields: &mut Fields<'_, '_, '_>, memory: &mut MemorySettings) {
    const NONVOLATILE: Key = key(
        "nonvolatile",
        "What survives: `globals`, `stack`, `heap`, `section:NAME` or `symbol:GLOB`; `!x` takes x out again.",
    )
    .default("objects in sections such as `.persistent` or `.nv`; if there are none, `globals`");
    const FORM: &str = r"^(!\s*)?(globals|stack|heap|section:[\s\S]+|symbol:[\s\S]+)$";
    const ATOMIC: Key = key(
        "atomic-write",
        "Bytes that a store writes at once; power can fail in the middle of wider ones. `\"any\"`: every store is written as a whole.",
    )
    .default("the word of the target: 2 on `msp430`, 4 on 32-bit targets, 8 on `x86_64`");
    let stack =
        key("stack-size", "Bytes of the stack.").default("that of the chip, else 8 KiB on 16-bit targets, 64 KiB on 32-bit ones, else 8 MiB; 8 MiB where `run` has no power failures");
    let heap =
        key("heap-size", "Bytes of the heap.").default("that of the chip, else 8 KiB on 16-bit targets, 256 KiB on 32-bit ones, else 64 MiB; 64 MiB where `run` has no power failures");
    fields.parsed_texts(NONVOLATILE, Some(FORM), &mut memory.nonvolatile, selection);
    fields.integer_or_word(ATOMIC, 1..=64, "any", &mut memory.atomic_write);
    const GHOST: Key = key(
        "ghost",
        "The notebook of a test (`symbol:GLOB`): it survives power failures, and power does not fail in the middle of writing it.",
    );
    let form = Some(r"^symbol:[\s\S]+$");
    fields.parsed_texts(GHOST, form, &mut memory.ghost, flash::ghost);
    const NOINIT: Key = key(
        "noinit",
        "What every byte of memory that nothing initialises (`.noinit`) holds before the first boot.",
    )
    .default("bytes that look random");
    fields.integer(NOINIT, 0..=255, &mut memory.noinit);
    fields.integer(stack, 1..=LARGEST_SIZE, &mut memory.stack_size);
    fields.integer(heap, 1..=LARGEST_SIZE, &mut memory.heap_size);
    let map = key("map", "Memory at fixed addresses, beside that of the chip.");
    fields.sections(
        map,
        &mut memory.map,
        |fields, stretch: &mut StretchSettings| {
            let at = key("at", "Its first address: `\"0x1800\"`.");
            fields.parsed(at, Some("^0[xX][0-9a-fA-F]+$"), &mut stretch.at, |text| {
                fixed_address(text).ok_or_else(|| bad_form(text, "`0x` and hexadecimal digits"))
            });
            let size = key("size", "How many bytes it has.");
            fields.integer(size, 1..=LARGEST_SIZE, &mut stretch.size);
            let nonvolatile = key(
                "nonvolatile",
                "Whether it keeps its contents without power.",
            );
            fields.boolean(nonvolatile.default("`false`"), &mut stretch.nonvolatile);
            let image = key("image", "A file with what it holds at first.");
            fields.text(image.default("zero"), &mut stretch.image);
            fields.require(&["at"]);
            fields.require(&["size"]);
        },
    );
}

fn power(fields: &mut Fields<'_, '_, '_>, power: &mut PowerSettings) {
    const POLICY: Key = key(
        "policy",
        "When checkpoints commit: wherever one is called (`static`), called ones that the energy asks for (`conditional`), anywhere, just before power fails (`reactive`), never (`restart`: every reboot starts at the entry), or between tasks (`tasks`).",
    )
    .default("`tasks` if tasks are named, `static` if there is a checkpoint function, `reactive` if there is an execution depth, else `restart`");
    const DEPTH: Key = key(
        "execution-depth",
        "Instructions that still execute on one charge, with policies `reactive` and `conditional`.",
    )
    .default("from `[energy]`, else 3000");
    const PLACE: Key = key(
        "place",
        "Checkpoints that the tool puts into the program: at the end of every round of a loop, or of every function.",
    )
    .default("`none`");
    const SAVES: Key = key(
        "saves",
        "Non-volatile objects that every checkpoint saves and a restore brings back, or `\"all\"`.",
    );
    fields.choice(POLICY, &mut power.policy);
    commits(fields, power);
    fields.integer(DEPTH, 1..=i64::MAX, &mut power.execution_depth);
    let restart = key(
        "restart",
        "With policy `tasks`, the function that a reboot runs first, the entry: the runtime's own code finds the current task, as under policy `restart`. Without it the task itself begins again.",
    );
    fields.text(restart, &mut power.restart);
    fields.choice(PLACE, &mut power.placement);
    fields.word_or_texts(SAVES, &["all"], &mut power.saves);
}

/// What commits.
fn commits(fields: &mut Fields<'_, '_, '_>, power: &mut PowerSettings) {
    const CHECKPOINTS: Key = key("checkpoints", "Functions that commit. Globs are allowed.")
        .default("`checkpoint`, `brownout_checkpoint`, `__mementos_checkpoint`, `ctpl_enter…`");
    const TASKS: Key = key(
        "tasks",
        "Functions that are tasks, with policy `tasks`. Globs are allowed.",
    );
    const TRANSITION: Key = key(
        "transition",
        "What ends a task, with policy `tasks`: functions that are called, or variables that name the current task and are assigned right before it returns. Globs are allowed.",
    );
    fields.texts(CHECKPOINTS, &mut power.checkpoints);
    fields.texts(TASKS, &mut power.tasks);
    fields.texts(TRANSITION, &mut power.transitions);
}

fn checkpoint(fields: &mut Fields<'_, '_, '_>, checkpoint: &mut CheckpointSettings) {
    let at = key(
        "at",
        "`file:line` of the checkpoint, or the name of a task.",
    );
    fields.text(at, &mut checkpoint.at);
    let saves = key(
        "saves",
        "Non-volatile objects, with globs, or parts of them: `cal.x`, `log[3]`.",
    );
    fields.texts(saves, &mut checkpoint.saves);
    let volatile = key(
        "volatile",
        "What it restores of volatile state: all of it, what is used again (`\"live\"`, which makes no difference), or these variables, `function::local`s and registers (`function::v12`, as `dump ir` numbers them). The rest is arbitrary after a power failure.",
    )
    .default("`\"all\"`");
    fields.word_or_texts(volatile, &["all", "live"], &mut checkpoint.volatile);
    fields.require(&["at"]);
    fields.require(&["saves", "volatile"]);
}

fn energy(fields: &mut Fields<'_, '_, '_>, energy: &mut EnergySettings) {
    let capacitance = key("capacitance", "Of the capacitor that feeds the device.");
    let trigger = key("v-trigger", "Voltage at which a checkpoint is taken.");
    let minimum = key("v-min", "Voltage at which the processor stops.");
    let current = key("current", "What the device draws.");
    let clock = key("clock", "Instructions per second.");
    let time = key("checkpoint-time", "How long a checkpoint takes.").default("0");
    fields.quantity(capacitance, Dimension::Capacitance, &mut energy.capacitance);
    fields.quantity(trigger, Dimension::Voltage, &mut energy.trigger_voltage);
    let start = key(
        "v-on",
        "Voltage at which the device starts (`run --power`).",
    );
    fields.quantity(start, Dimension::Voltage, &mut energy.start_voltage);
    fields.quantity(minimum, Dimension::Voltage, &mut energy.minimum_voltage);
    fields.quantity(current, Dimension::Current, &mut energy.current);
    fields.quantity(clock, Dimension::Frequency, &mut energy.clock);
    fields.quantity(time, Dimension::Duration, &mut energy.checkpoint_time);
}

fn input(fields: &mut Fields<'_, '_, '_>, input: &mut InputSettings) {
    const AT_END: Key = key(
        "at-end",
        "What comes after the last row of a `trace` or the last of the `values`: the first again, the last over and over, or the end of the run.",
    )
    .default("`repeat` for `values`, `hold` for a `trace`");
    const SCRIPT: Key = key(
        "script",
        "Computes each value: a script, or a file `*.script` beside `brownout.toml`.",
    );
    source(fields, &mut input.source);
    let values = key("values", "What is read, over and over.");
    fields.integers(values, 1..=usize::MAX, &mut input.values);
    let range = key(
        "range",
        "Pseudo-random from the first to the second, both included.",
    );
    fields.integers(range, 2..=2, &mut input.range);
    let constant = key("constant", "Always this value.");
    fields.integer(constant, i64::MIN..=i64::MAX, &mut input.constant);
    let clock = key(
        "clock",
        "Tells the time since the device has booted: it never goes back, and between two readings a moment passes, or hours.",
    );
    fields.boolean(clock.default("`false`"), &mut input.clock);
    let seed = key("seed", "Begins the pseudo-random values.").default("0");
    fields.integer(seed, 0..=i64::MAX, &mut input.seed);
    let trace = key("trace", "A recording: a CSV file beside `brownout.toml`.");
    fields.text(trace, &mut input.trace);
    fields.text(SCRIPT, &mut input.script);
    fields.choice(AT_END, &mut input.at_end);
    fill(fields, input);
    fields.integer(MASK, 1..=i64::MAX, &mut input.mask);
    fields.choice(MODEL, &mut input.model);
    fields.at_most_one(&["values", "range", "constant", "clock", "trace", "script"]);
    fields.apart("seed", &["values", "constant", "clock", "trace", "script"]);
    fields.apart("clock", &["fills"]);
    fields.needs("at-end", &["trace", "values"]);
    fields.needs("mask", &["register"]);
    if let Some(values) = input.values.take_if(|values| values.value.is_empty()) {
        fields.report("values", values.place, Problem::Empty);
    }
    if let Some(Located { value, place }) = &input.range {
        match value[..] {
            [low, high] if low <= high => {}
            [low, high] => fields.report("range", *place, Problem::Reversed { low, high }),
            _ => {
                let problem = bad_form(&format!("{value:?}"), "two integers, `[low, high]`");
                fields.report("range", *place, problem);
            }
        }
    }
}

/// What only makes sense for a function that fills a buffer.
fn fill(fields: &mut Fields<'_, '_, '_>, input: &mut InputSettings) {
    const FILLS: Key = key(
        "fills",
        "The function writes its values where this argument (`arg0`, …) points to, or a member of what it points to (`arg1->readBuf`); several are separated by `,`.",
    );
    const LENGTH: Key = key(
        "length",
        "Bytes that are written: a number as a string, something computed from arguments (`arg2 * 2`), or `result`: the first value is the length and what is returned. One for all buffers, or as many as there are, separated by `,`.",
    )
    .default("`width`; without that, what the pointer points to");
    let form = r"^\s*arg[0-9]{1,3}(->[^,\s]+)*\s*(,\s*arg[0-9]{1,3}(->[^,\s]+)*\s*)*$";
    fields.parsed(FILLS, Some(form), &mut input.fills, |text| {
        text.split(',').map(pointer).collect()
    });
    fields.parsed(LENGTH, None, &mut input.length, |text| {
        text.split(',').map(extent).collect()
    });
    let width = key("width", "Bytes of one value in the buffer.").default("1");
    fields.integer(width, 1..=8, &mut input.width);
    let returns = key("returns", "What the function returns.")
        .default("0, and with a `main` what the program compares it with; where suspicions are confirmed, anything");
    fields.integer(returns, i64::MIN..=i64::MAX, &mut input.returns);
    for key in ["length", "width", "returns"] {
        fields.needs(key, &["fills"]);
    }
    fields.apart("fills", &["register"]);
    if let (Some(fills), Some(length)) = (&input.fills, &input.length)
        && !matches!(length.value.len(), 1)
        && length.value.len() != fills.value.len()
    {
        let problem = bad_form(
            &length.value.len().to_string(),
            "one for all buffers, or one for each",
        );
        fields.report("length", length.place, problem);
    }
    let by_result = |length: &Located<Vec<Extent>>| length.value.contains(&Extent::Result);
    if let (Some(length), Some(returns)) = (&input.length, &input.returns)
        && by_result(length)
    {
        let other = "length = \"result\"";
        fields.report("returns", returns.place, Problem::Conflict { other });
    }
}

/// What `output.effect` can be.
const CHANGE: &str = "a change such as `angle += arg0`: a value, one of `=`, `+=`, `-=`, `*=`, `&=`, `|=`, `^=`, and a value, an \
     argument or a number; what that cannot say, `script` does";

fn output(fields: &mut Fields<'_, '_, '_>, output: &mut OutputSettings) {
    const SEMANTICS: Key = key(
        "semantics",
        "Whether doing it twice is as doing it once (`absolute`) or not (`relative`).",
    )
    .default("a table says what it is");
    const EFFECT: Key = key(
        "effect",
        "How it changes `[environment]`: `angle += arg0`; with `=`, `+=`, `-=`, `*=`, `&=`, `|=`, `^=`, several separated by `;`.",
    );
    const SCRIPT: Key = key(
        "script",
        "The same as a script, or a file `*.script` beside `brownout.toml`.",
    );
    const TAKES: Key = key(
        "takes",
        "Instructions that it takes; power can fail between them.",
    );
    source(fields, &mut output.source);
    fields.choice(SEMANTICS, &mut output.semantics);
    fields.parsed(EFFECT, None, &mut output.effect, |text| {
        effect::parse(text).ok_or_else(|| bad_form(text, CHANGE))
    });
    fields.text(SCRIPT, &mut output.script);
    fields.integer(TAKES, 1..=i64::MAX, &mut output.takes);
    fields.integer(MASK, 1..=i64::MAX, &mut output.mask);
    fields.apart("script", &["effect"]);
    fields.needs("mask", &["register"]);
}

fn source(fields: &mut Fields<'_, '_, '_>, source: &mut SourceSettings) {
    let function = key("function", "The name of the function.");
    fields.text(function, &mut source.function);
    let register = key(
        "register",
        "The name of the device register, or its address as in `\"0x0140\"`.",
    );
    fields.text(register, &mut source.register);
    let pointer = key(
        "pointer",
        "Where the program keeps a pointer to the function, as in `\"struct dev.read\"`.",
    );
    // Where a type has a name of its own, nobody would write `struct` in front of it.
    fields.parsed(pointer, None, &mut source.pointer, |text| {
        let is_member = text.contains('.') && !text.contains("::");
        Ok(match is_member && !text.starts_with("struct ") {
            true => format!("struct {text}"),
            false => text.to_owned(),
        })
    });
    fields.require(&["function", "register", "pointer"]);
    fields.at_most_one(&["function", "register", "pointer"]);
}

const MASK: Key = key("mask", "The bits of the register that are meant.").default("all");
const MODEL: Key = key(
    "model",
    "Whether it has to be used in the power cycle in which it was read (`most-recent`) or may be older (`long-term`).",
);

fn variable(fields: &mut Fields<'_, '_, '_>, variable: &mut VariableSettings) {
    const AWARE: Key = key(
        "intermittence-aware",
        "It is meant to change across a power failure: that is no finding, and it is one if none changes it.",
    )
    .default("`false`");
    let name = key(
        "name",
        "A global, or `function::local`, which may be static.",
    );
    fields.text(name, &mut variable.name);
    fields.boolean(AWARE, &mut variable.intermittence_aware);
    fields.choice(MODEL, &mut variable.model);
    fields.require(&["name"]);
}

fn selection(text: &str) -> Result<Selection, Problem> {
    match text.strip_prefix('!') {
        Some(rest) => segment(rest.trim()).map(Selection::TakeOut),
        None => segment(text).map(Selection::Put),
    }
}

fn segment(text: &str) -> Result<Segment, Problem> {
    const ALLOWED: &[&str] = &["globals", "stack", "heap", "section:NAME", "symbol:GLOB"];
    let wrong = |nearest| Problem::NotOneOf {
        found: text.to_owned(),
        allowed: ALLOWED,
        nearest,
    };
    match (text, text.split_once(':')) {
        ("globals", _) => Ok(Segment::Globals),
        ("stack", _) => Ok(Segment::Stack),
        ("heap", _) => Ok(Segment::Heap),
        (_, Some(("section", name))) if !name.is_empty() => Ok(Segment::Section(name.to_owned())),
        (_, Some(("symbol", name))) if !name.is_empty() => Ok(Segment::Symbol(name.to_owned())),
        (_, Some((kind, _))) => {
            let nearest = nearest(kind, ["section", "symbol"]);
            Err(wrong(match nearest {
                Some("section") => Some("section:NAME"),
                Some(_) => Some("symbol:GLOB"),
                None => None,
            }))
        }
        (_, None) => Err(wrong(nearest(text, ALLOWED[..3].iter().copied()))),
    }
}

/// Where a buffer is: an argument, or a pointer in what one points to.
fn pointer(text: &str) -> Result<ArgumentExpression, Problem> {
    let expected = "an argument such as `arg0`, or a member such as `arg0->data`";
    let pointer = ArgumentExpression::parse(text.trim()).ok();
    pointer
        .filter(|pointer| pointer.as_reference().is_some())
        .ok_or_else(|| bad_form(text, expected))
}

fn extent(text: &str) -> Result<Extent, Problem> {
    let expected = "`argN`, `result` or a number of bytes";
    let text = text.trim();
    match text.parse::<u32>() {
        Ok(bytes) if bytes > 0 => Ok(Extent::Bytes(bytes)),
        Err(_) if text == "result" => Ok(Extent::Result),
        Err(_) => match ArgumentExpression::parse(text) {
            Ok(computed) if computed.is_of_arguments() => Ok(Extent::Computed(computed)),
            Ok(_) | Err(_) => Err(bad_form(text, expected)),
        },
        Ok(_) => Err(bad_form(text, expected)),
    }
}

fn bad_form(found: &str, expected: &'static str) -> Problem {
    Problem::BadForm {
        found: found.to_owned(),
        expected,
    }
}
