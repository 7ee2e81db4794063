//! What a program is judged under: when power may fail, what survives, what the program exchanges
//! with its surroundings.
//!
//! Names, not numbers: a setting can be written as a `brownout.toml` ([`Setting::toml`]), so that
//! the tool can be asked about the same program under the same circumstances.

use std::fmt::Write;
use std::ops::Range;

use crate::loops::Loops;
use brownout_ir::{Global, Program};
use brownout_scenario::ValueSource;
use brownout_vm::{Binding, Bindings, Image, ImageError, MemoryPlan, OutputBinding, SegmentKind};

/// When a checkpoint commits (semantics §1). Depths are execution depths, in instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every call of a checkpoint function commits.
    Static,
    /// Every such call may or may not commit.
    Conditional {
        /// How far the device runs after a checkpoint.
        depth: u64,
    },
    /// The entry of a task commits; a reboot starts the current task again without what is volatile.
    Tasks,
    /// Nothing ever commits: every reboot starts at the entry.
    Restart,
    /// A checkpoint may commit before any instruction.
    Reactive {
        /// How far the device runs after a checkpoint.
        depth: u64,
    },
}

impl Policy {
    /// Its name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Conditional { .. } => "conditional",
            Self::Tasks => "tasks",
            Self::Restart => "restart",
            Self::Reactive { .. } => "reactive",
        }
    }
}

/// What is said of an output (semantics §3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tag {
    /// Nothing: it may be repeated and must not be lost.
    #[default]
    None,
    /// Repeating it changes nothing.
    Absolute,
    /// Repeating it changes the environment again.
    Relative,
    /// It must not be repeated and may be lost.
    AtMostOnce,
}

/// What a program is judged under.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// When checkpoints commit.
    pub policy: Policy,
    /// Globals that survive a power failure.
    pub nonvolatile: Vec<String>,
    /// Whether the stack survives.
    pub nonvolatile_stack: bool,
    /// Functions that commit.
    pub checkpoints: Vec<String>,
    /// Functions that are tasks.
    pub tasks: Vec<String>,
    /// Globals that every checkpoint saves.
    pub saves: Vec<String>,
    /// Input functions and what they give, in order.
    pub inputs: Vec<(String, ValueSource)>,
    /// Output functions.
    pub outputs: Vec<(String, Tag)>,
    /// Globals that are meant to change across a power failure.
    pub aware: Vec<String>,
    /// Globals that are not compared.
    pub ignored: Vec<String>,
    /// How many bytes a store writes at once; none if every store is atomic.
    pub atomic_write: Option<u32>,
    /// Bytes of stack.
    pub stack_size: u32,
    /// Bytes of heap.
    pub heap_size: u32,
}

impl Setting {
    /// A setting in which nothing is said of the program.
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            nonvolatile: Vec::new(),
            nonvolatile_stack: false,
            checkpoints: Vec::new(),
            tasks: Vec::new(),
            saves: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            aware: Vec::new(),
            ignored: Vec::new(),
            atomic_write: None,
            stack_size: 512,
            heap_size: 0,
        }
    }

    /// What the annotations of `brownout.h` in a program say. Inputs give 0, 1, 2 … 7 over and over
    /// until somebody says what they give.
    pub fn of_annotations(program: &Program, policy: Policy) -> Self {
        let mut setting = Self::new(policy);
        for data in program.globals.values() {
            for annotation in &data.annotations {
                match annotation.as_str() {
                    "brownout:nv" => setting.nonvolatile.push(data.name.clone()),
                    "brownout:intermittence-aware" => setting.aware.push(data.name.clone()),
                    _ => {}
                }
            }
        }
        for function in program.functions.values() {
            let name = function.name.clone();
            if ["checkpoint", "brownout_checkpoint"].contains(&name.as_str()) {
                setting.checkpoints.push(name.clone());
            }
            for annotation in &function.annotations {
                let name = name.clone();
                match annotation.as_str() {
                    "brownout:input" => {
                        let values = ValueSource::Cycle((0..8).collect());
                        setting.inputs.push((name, values));
                    }
                    "brownout:output" => setting.outputs.push((name, Tag::None)),
                    "brownout:output:absolute" => setting.outputs.push((name, Tag::Absolute)),
                    "brownout:output:relative" => setting.outputs.push((name, Tag::Relative)),
                    "brownout:output:at_most_once" => setting.outputs.push((name, Tag::AtMostOnce)),
                    _ => {}
                }
            }
        }
        setting
    }

    /// The setting as a `brownout.toml`.
    pub fn toml(&self) -> String {
        let list = |names: &[String], prefix: &str| {
            let names = names.iter();
            let quoted: Vec<String> = names.map(|name| format!("\"{prefix}{name}\"")).collect();
            format!("[{}]", quoted.join(", "))
        };
        let mut text = String::from("target = \"msp430\"\n\n[memory]\n");
        let mut kept = list(&self.nonvolatile, "symbol:");
        if self.nonvolatile_stack {
            kept = kept.replacen('[', "[\"stack\", ", 1).replace(", ]", "]");
        }
        // Writing to a string never fails.
        let _ = writeln!(text, "nonvolatile = {kept}");
        let _ = match self.atomic_write {
            Some(bytes) => writeln!(text, "atomic-write = {bytes}"),
            None => writeln!(text, "atomic-write = \"any\""),
        };
        let _ = writeln!(text, "stack-size = {}", self.stack_size);
        let _ = writeln!(text, "\n[power]\npolicy = \"{}\"", self.policy.name());
        match self.policy {
            Policy::Conditional { depth } | Policy::Reactive { depth } => {
                let _ = writeln!(text, "execution-depth = {depth}");
            }
            Policy::Static | Policy::Tasks | Policy::Restart => {}
        }
        for (key, names) in [
            ("checkpoints", &self.checkpoints),
            ("tasks", &self.tasks),
            ("saves", &self.saves),
        ] {
            if !names.is_empty() {
                let _ = writeln!(text, "{key} = {}", list(names, ""));
            }
        }
        if !self.ignored.is_empty() {
            let ignored = list(&self.ignored, "symbol:");
            let _ = writeln!(text, "\n[compare]\nignore = {ignored}");
        }
        for (name, values) in &self.inputs {
            let _ = writeln!(text, "\n[[input]]\nfunction = \"{name}\"");
            let _ = match values {
                ValueSource::Cycle(values) => writeln!(text, "values = {values:?}"),
                ValueSource::Constant(value) => writeln!(text, "constant = {value}"),
                ValueSource::Range { low, high, seed } => {
                    writeln!(text, "range = [{low}, {high}]\nseed = {seed}")
                }
                ValueSource::Random { .. }
                | ValueSource::Clock
                | ValueSource::Probing { .. }
                | ValueSource::Trace(_)
                | ValueSource::Script(_) => Ok(()),
            };
        }
        for (name, tag) in &self.outputs {
            let _ = writeln!(text, "\n[[output]]\nfunction = \"{name}\"");
            let semantics = match tag {
                Tag::None => continue,
                Tag::Absolute => "absolute",
                Tag::Relative => "relative",
                Tag::AtMostOnce => "at-most-once",
            };
            let _ = writeln!(text, "semantics = \"{semantics}\"");
        }
        for name in &self.aware {
            let _ = writeln!(
                text,
                "\n[[variable]]\nname = \"{name}\"\nintermittence-aware = true"
            );
        }
        text
    }
}

/// Why a program cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unjudgeable {
    /// It has no `main` with a body.
    NoMain,
    /// A global or a task in the setting is not in the program.
    Unknown(String),
    /// The machine does not take it.
    Image(ImageError),
}

impl std::fmt::Display for Unjudgeable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMain => write!(f, "the program has no `main`"),
            Self::Unknown(name) => write!(f, "the program has no `{name}`"),
            Self::Image(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unjudgeable {}

/// A global object, by the bytes it occupies.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) offsets: Range<u32>,
}

/// A program under a setting, placed in memory.
#[derive(Debug)]
pub struct Subject {
    pub(crate) image: Image,
    pub(crate) setting: Setting,
    pub(crate) objects: Vec<Object>,
    /// By offset: whether the byte survives a power failure.
    pub(crate) survives: Vec<bool>,
    /// By offset: whether the byte belongs to an object that `[compare]` leaves out.
    pub(crate) ignored: Vec<bool>,
    /// By offset: whether the byte belongs to an intermittence-aware object.
    pub(crate) aware: Vec<bool>,
    /// By offset: whether the byte belongs to a global that start-up code initialises.
    pub(crate) volatile_globals: Vec<bool>,
    /// The bytes that every checkpoint saves.
    pub(crate) saves: Vec<Range<u32>>,
    pub(crate) loops: Loops,
}

impl Subject {
    /// Places a program in memory and binds it to its surroundings.
    ///
    /// # Errors
    /// If the setting names something that the program does not have, or it does not fit.
    pub fn new(program: &Program, setting: &Setting) -> Result<Self, Unjudgeable> {
        let mut program = program.clone();
        let main = program
            .function("main")
            .filter(|&main| program.functions[main].body.is_some());
        let main = main.ok_or(Unjudgeable::NoMain)?;
        let start = brownout_vm::add_start(&mut program, main);
        for task in &setting.tasks {
            let task = program
                .function(task)
                .ok_or_else(|| Unjudgeable::Unknown(task.clone()))?;
            brownout_vm::checkpoint_at_entry(&mut program, task);
        }
        let bindings = bindings(&program, setting);
        let kept = globals(&program, &setting.nonvolatile)?;
        let plan = MemoryPlan {
            stack_size: Some(setting.stack_size),
            heap_size: Some(setting.heap_size),
            nonvolatile: kept,
            stack_nonvolatile: setting.nonvolatile_stack,
            heap_nonvolatile: false,
            ..MemoryPlan::default()
        };
        let image = Image::new(program, start, &plan, bindings).map_err(Unjudgeable::Image)?;
        Self::of_image(image, setting.clone())
    }

    fn of_image(image: Image, setting: Setting) -> Result<Self, Unjudgeable> {
        let segments = image.layout().segments();
        let size = segments.iter().map(|segment| segment.offsets.end).max();
        let size = size.unwrap_or(0) as usize;
        let mut survives = vec![false; size];
        let mut volatile_globals = vec![false; size];
        for segment in segments {
            let is_volatile = segment.kind == SegmentKind::Globals && !segment.nonvolatile;
            let is_memory = !matches!(segment.kind, SegmentKind::Constants | SegmentKind::HeapMap);
            for offset in segment.offsets.clone() {
                survives[offset as usize] = segment.nonvolatile && is_memory;
                volatile_globals[offset as usize] = is_volatile;
            }
        }
        let objects: Vec<Object> = image
            .program()
            .globals
            .iter()
            .filter_map(|(global, data)| {
                let start = offset_of(&image, image.layout().global(global))?;
                let offsets = start..start + u32::try_from(data.size).ok()?;
                let name = data.name.clone();
                Some(Object { name, offsets })
            })
            .collect();
        let marked = |names: &[String]| {
            let mut marks = vec![false; size];
            for name in names {
                let object = objects.iter().find(|object| object.name == *name);
                let object = object.ok_or_else(|| Unjudgeable::Unknown(name.clone()))?;
                marks[object.offsets.start as usize..object.offsets.end as usize].fill(true);
            }
            Ok(marks)
        };
        let saves = marked(&setting.saves)?;
        let saves = (0..size as u32).filter(|&offset| saves[offset as usize]);
        Ok(Self {
            ignored: marked(&setting.ignored)?,
            aware: marked(&setting.aware)?,
            saves: saves.map(|offset| offset..offset + 1).collect(),
            loops: Loops::new(&image),
            survives,
            volatile_globals,
            objects,
            setting,
            image,
        })
    }

    /// What a byte belongs to, as a user would call it.
    pub(crate) fn name_of(&self, offset: u32) -> String {
        let mut objects = self.objects.iter();
        if let Some(object) = objects.find(|object| object.offsets.contains(&offset)) {
            return object.name.clone();
        }
        let kind = self
            .image
            .layout()
            .segment(offset)
            .map(|segment| segment.kind);
        match kind {
            Some(SegmentKind::Stack) => "locals",
            Some(SegmentKind::Heap | SegmentKind::HeapMap) => "heap",
            _ => "memory",
        }
        .to_owned()
    }

    /// The bytes of what a byte belongs to: a variable or, if that is larger than any number, the word
    /// of it. What happens to one element of an array is not the harm of another.
    pub(crate) fn extent_of(&self, offset: u32) -> Range<u32> {
        let mut objects = self.objects.iter();
        let Some(object) = objects.find(|object| object.offsets.contains(&offset)) else {
            return offset..offset + 1;
        };
        let all = object.offsets.clone();
        let word = self.image.program().target.pointer_bytes();
        if all.end - all.start <= 2 * word {
            return all;
        }
        let start = all.start + (offset - all.start) / word * word;
        start..(start + word).min(all.end)
    }

    /// The line of the source that an operation comes from; 0 if nobody knows.
    pub(crate) fn line(&self, pc: u32) -> u32 {
        let source = &self.image.program().source;
        let mut place = self.image.place(pc);
        let mut line = 0;
        // Of inlined code the innermost line is meant.
        if let Some(data) = place.take().and_then(|place| source.places.get(place)) {
            line = data.line;
        }
        line
    }
}

/// The offset of an address that some segment has.
pub(crate) fn offset_of(image: &Image, address: u64) -> Option<u32> {
    let mut segments = image.layout().segments().iter();
    segments.find_map(|segment| {
        let size = u64::from(segment.offsets.end - segment.offsets.start);
        let inside = address.checked_sub(segment.address)?;
        (inside < size && segment.kind != SegmentKind::HeapMap)
            .then(|| segment.offsets.start + inside as u32)
    })
}

fn globals(program: &Program, names: &[String]) -> Result<Vec<Global>, Unjudgeable> {
    let find = |name: &String| {
        let mut globals = program.globals.iter();
        let found = globals.find(|(_, data)| data.name == *name);
        found
            .map(|(global, _)| global)
            .ok_or_else(|| Unjudgeable::Unknown(name.clone()))
    };
    names.iter().map(find).collect()
}

fn bindings(program: &Program, setting: &Setting) -> Bindings {
    let mut bindings = Bindings::default();
    // A function that the program does not have is never called.
    let mut bind = |name: &String, binding: Binding| {
        if let Some(func) = program.function(name) {
            bindings.functions.insert(func, binding);
        }
    };
    for name in &setting.checkpoints {
        bind(name, Binding::Checkpoint);
    }
    for ((name, _), number) in setting.inputs.iter().zip(0..) {
        bind(name, Binding::Input(number));
    }
    for ((name, _), number) in setting.outputs.iter().zip(0..) {
        bind(name, Binding::Output(number));
    }
    let inputs = setting.inputs.iter();
    bindings.inputs = inputs.clone().map(|(_, values)| values.clone()).collect();
    bindings.input_names = inputs.map(|(name, _)| name.clone()).collect();
    let outputs = setting.outputs.iter();
    bindings.outputs = outputs
        .map(|(name, _)| OutputBinding {
            name: name.clone(),
            ..OutputBinding::default()
        })
        .collect();
    bindings
}
