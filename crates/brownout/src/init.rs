//! `brownout init`: a `brownout.toml` from what the program shows, to be read and corrected.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use brownout_device::commits;
use brownout_device::guess::{self, Guess};
use brownout_device::{
    Entry, KernelCall, Prepared, STARTED_BY_KERNELS, TaskRuntime, interrupts, passed, unknown,
    words,
};
use brownout_ir::{Func, Origin, Program};
use brownout_scenario::{
    AppliedProfile, ArgumentExpression, Buffer, Chip, Fill, Policy, Profile, Scenario,
    is_checkpoint,
};

use crate::cli::{InitOptions, ProgramOptions, Setting};
use crate::console;
use crate::error::Error;
use crate::load;
use crate::ready;

/// What the file is called.
const NAME: &str = "brownout.toml";

pub(crate) fn init(options: &InitOptions) -> Result<ExitCode, Error> {
    let folder = options
        .program
        .inputs
        .first()
        .and_then(|input| input.parent());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let path = match &options.output {
        Some(path) => path.clone(),
        None => folder.map_or_else(|| PathBuf::from(NAME), |folder| folder.join(NAME)),
    };
    if path.exists() {
        return Err(Error::File {
            path,
            error: std::io::ErrorKind::AlreadyExists.into(),
        });
    }
    // A file in a folder above is about other programs, unless it says which files this one has.
    let prepared = prepare(&ProgramOptions {
        without_found_config: !options.program.inputs.is_empty(),
        ..options.program.clone()
    })?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let text = text(&prepared, &sources(&options.program.inputs, beside));
    console::result(Some(&path), |out| out.write_all(text.as_bytes()))?;
    console::note(&format!(
        "{} is written: read it, correct what is guessed, then `brownout check`",
        path.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The program with the chip that its sources name, the tasks that its transitions name, and with the profiles that fit it: of all that there
/// are, those that describe something by which they are recognised.
fn prepare(options: &ProgramOptions) -> Result<Prepared, Error> {
    let (linked, mut loaded) = load::load(options)?;
    if let Some(chip) = chip(&linked.program) {
        loaded.set(&Setting::of_option("chip", "chip", &chip.name))?;
    }
    if let Some(name) = entry_of_kernel(&linked.program).filter(|_| options.entry.is_none()) {
        loaded.set(&Setting::of_option("set", "entry", name))?;
    }
    if let Some(runtime) = TaskRuntime::of(&linked.program) {
        let settings = [
            ("power.policy", "tasks".to_owned()),
            ("power.tasks", runtime.tasks.join(",")),
            ("power.transition", runtime.transition),
        ];
        for (key, value) in settings
            .into_iter()
            .chain(runtime.entry.map(|name| ("entry", name)))
        {
            loaded.set(&Setting::of_option("set", key, &value))?;
        }
    } else if let commits = commits::guessed(&linked.program)
        && !commits.is_empty()
    {
        let names = commits.join(",");
        loaded.set(&Setting::of_option("set", "power.checkpoints", &names))?;
    }
    let mut with = |names: &[&str]| {
        let setting = Setting::of_option("profile", "profile", &names.join(","));
        loaded.set(&setting)?;
        ready::prepare_linked(linked.clone(), None, &loaded, Entry::Optional)
    };
    let all: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
    let first = with(&all)?;
    let fitting = first.scenario.profiles.iter();
    let fitting = fitting.filter(|profile| profile.is_recognised);
    let fitting: Vec<&str> = fitting.map(|profile| profile.name.as_str()).collect();
    with(&fitting)
}

/// Where a program without a `main` begins, if that is known by the name.
fn entry_of_kernel(program: &Program) -> Option<&'static str> {
    let is_defined = |name: &str| {
        let func = program.function(name);
        func.is_some_and(|func| program.functions[func].body.is_some())
    };
    let mut entries = STARTED_BY_KERNELS.into_iter();
    entries.find(|entry| !is_defined("main") && is_defined(entry))
}

/// The chip that the sources name, in an `#include` or in a comment, if it is one only.
fn chip(program: &Program) -> Option<&'static Chip> {
    let functions = program.functions.values();
    let functions = functions.filter(|function| function.origin == Origin::User);
    let places = functions.filter_map(|function| program.source.places.get(function.place?));
    let files: BTreeSet<_> = places.map(|place| place.file).collect();
    let mut named = BTreeSet::new();
    for file in files {
        let Some(file) = program.source.files.get(file) else {
            continue;
        };
        // A file that is gone names nothing.
        let Ok(bytes) = std::fs::read(file) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let words = words(&text).map(|word| word.trim_matches('_').to_lowercase());
        for word in words {
            // Boards are called after their chips, MSP-EXP430FR5969, and headers begin with them: stm32l4xx_hal.h.
            let chips = Chip::all().iter();
            let chips = chips.filter(|chip| {
                word.ends_with(chip.name.trim_start_matches("msp")) || word.starts_with(&chip.name)
            });
            named.extend(chips.map(|chip| &chip.name));
        }
    }
    let only = named.pop_first().filter(|_| named.is_empty())?;
    Chip::named(only).filter(|chip| chip.target == program.target.name)
}

/// The inputs as a file in that folder names them.
fn sources(inputs: &[PathBuf], folder: &Path) -> Vec<String> {
    let names = inputs.iter().map(|input| as_seen_from(input, folder));
    names.map(|name| name.display().to_string()).collect()
}

/// A path as a file in that folder names it.
fn as_seen_from(path: &Path, folder: &Path) -> PathBuf {
    if let Ok(inside) = path.strip_prefix(folder) {
        return inside.to_owned();
    }
    let whole = |path: &Path| {
        let path = match path.as_os_str().is_empty() {
            true => Path::new("."),
            false => path,
        };
        std::fs::canonicalize(path)
    };
    let (Ok(target), Ok(folder)) = (whole(path), whole(folder)) else {
        return path.to_owned();
    };
    let shared = (target.components().zip(folder.components()))
        .take_while(|(one, other)| one == other)
        .count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    up.chain(target.components().skip(shared)).collect()
}

/// A list as TOML.
fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("[{}]", quoted.join(", "))
}

fn text(prepared: &Prepared, sources: &[String]) -> String {
    let scenario = &prepared.scenario;
    let mut text =
        "# What brownout has to know of this program. Guesses say so: correct them.\n".to_owned();
    match scenario.memory.chip {
        Some(chip) => {
            let name = &chip.name;
            _ = writeln!(text, "chip = {name:?}    # a guess: the sources name it");
        }
        None => _ = writeln!(text, "target = {:?}", scenario.target),
    }
    match prepared.start {
        Some(_) => _ = writeln!(text, "entry = {:?}", scenario.entry),
        None => text.push_str(
            "# There is no `main`: a library or a driver. Each call of a function is a region.\n",
        ),
    }
    if !sources.is_empty() {
        let _ = writeln!(text, "sources = {}", list(sources));
    }
    profiles(&mut text, &scenario.profiles);
    let Undescribed {
        ignored,
        kernel,
        others,
    } = undescribed(prepared);
    if !ignored.is_empty() {
        text.push_str(
            "# These are given functions to call, which are looked at wherever that is, or only wait.\n",
        );
        let _ = writeln!(text, "ignore = {}", list(&ignored));
    }
    memory(&mut text, scenario, prepared.start.is_some());
    power(&mut text, prepared);
    if !others.is_empty() {
        text.push_str("\n# Functions without a body: guesses by name and prototype.\n");
    }
    for func in others {
        text.push('\n');
        text.push_str(&guess::description(&prepared.program, func));
    }
    if !kernel.is_empty() {
        text.push_str(
            "\n# The kernel, as one task sees it: what it waits for comes, what it is sent are readings.\n",
        );
    }
    for (func, call) in kernel {
        text.push('\n');
        text.push_str(&of_kernel(&prepared.program, func, call));
    }
    registers(&mut text, prepared);
    text
}

/// The profiles that describe something, and what.
fn profiles(text: &mut String, profiles: &[AppliedProfile]) {
    if profiles.is_empty() {
        return;
    }
    text.push_str("# `brownout profiles NAME` shows what a profile says of these:\n");
    for profile in profiles {
        let described = unknown::listed(&profile.describes);
        let _ = writeln!(text, "# {}: {described}", profile.name);
    }
    let names: Vec<String> = profiles
        .iter()
        .map(|profile| profile.name.clone())
        .collect();
    let _ = writeln!(text, "profile = {}", list(&names));
}

/// The lines that describe a function of the kernel.
fn of_kernel(program: &Program, func: Func, call: KernelCall) -> String {
    let name = &program.functions[func].name;
    let mut text = format!("[[input]]\nfunction = {name:?}\n");
    match call {
        KernelCall::Nothing | KernelCall::Succeeds => text.push_str("constant = 1\n"),
        KernelCall::Receives { argument } => {
            let (length, width) = passed::extent(None, passed::least(program, func, argument));
            let item = Fill {
                buffers: vec![Buffer {
                    pointer: ArgumentExpression::argument(argument as u32),
                    length,
                    width: width as u32,
                }],
                returns: Some(1),
                place: None,
            };
            text += &guess::lines(&item);
            text.push_str("returns = 1\n");
        }
    }
    text
}

/// How many constants are worth listing.
const MOST_VALUES: usize = 16;

/// Device registers that the program reads and never writes are inputs, most of which give something
/// that it looks for.
fn registers(text: &mut String, prepared: &Prepared) {
    let program = &prepared.program;
    let written = interrupts::written(program);
    let read = interrupts::read(program);
    let described = &prepared.scenario.inputs;
    let accessed_as_volatile = unknown::volatile_globals(program);
    let registers = program.globals.iter().filter(|(id, global)| {
        let name = &global.name;
        // Plain variables are those of another file: they give the same in every attempt.
        accessed_as_volatile.contains(id)
            && global.init.is_none()
            && global.origin == Origin::User
            && !written.contains(name)
            && read.contains(name)
            && matches!(global.size, 1 | 2 | 4)
            && !described.iter().any(|input| input.is_declared && input.source.name() == name)
            // A chip's registers that say which interrupt it was give the numbers of all of them.
            && !(prepared.scenario.memory.chip.is_some() && name.ends_with("IV"))
    });
    let registers: Vec<(&String, u64)> = registers
        .map(|(_, global)| (&global.name, global.size))
        .collect();
    if registers.is_empty() || prepared.scenario.mmio.is_some() {
        return;
    }
    text.push_str(
        "\n# Registers that the program only reads. The values are those that it compares something with.\n",
    );
    let constants = interrupts::constants(program);
    for (name, size) in registers {
        let _ = writeln!(text, "\n[[input]]\nregister = {name:?}");
        let bits = (8 * size).min(31);
        let fits = |value: &&u128| **value < 1 << bits;
        let values: Vec<u128> = constants.iter().filter(fits).copied().collect();
        if (1..=MOST_VALUES).contains(&values.len()) {
            let mixed = mixed(&values, bits, name.len() as u64);
            let _ = writeln!(text, "values = [{}]    # a guess", mixed.join(", "));
        }
    }
}

/// Values in no order, with others among them, more of these where few are known: in order, two registers would go round
/// together, and one value would always come after the same.
fn mixed(values: &[u128], bits: u64, seed: u64) -> Vec<String> {
    let count = values.len() as u64;
    let number = |index: u64| brownout_scenario::splitmix64(seed, index);
    let others = 4 / count.min(4);
    let chosen = (0..6 * count + 1).map(|index| match number(index) % 8 < others {
        true => u128::from(number(!index) % (1 << bits)),
        false => values[(number(!index) % count) as usize],
    });
    let all = values.iter().copied().chain(chosen);
    all.map(|value| value.to_string()).collect()
}

fn memory(text: &mut String, scenario: &Scenario, is_program: bool) {
    text.push_str("\n[memory]\n");
    let memory = &scenario.memory;
    let nonvolatile = list(&memory.nonvolatile);
    // Start-up code initialises what is not known to be non-volatile: nothing would be left to check.
    if memory.is_assumed && is_program && scenario.power.policy == Policy::Restart {
        text.push_str(
            "# No variable is in a section that is known to be non-volatile. Name yours:\n\
             # section:NAME, symbol:GLOB, globals, stack, heap.\n",
        );
        let _ = writeln!(text, "# nonvolatile = {nonvolatile}");
        return;
    }
    if memory.nonvolatile.is_empty() {
        text.push_str(
            "# A guess: plain variables are in RAM. Name those that are not: section:NAME, symbol:GLOB, globals, stack, heap.\n",
        );
        if !is_program {
            text.push_str("# What callers of the library pass is taken to be non-volatile.\n");
        }
        text.push_str("# nonvolatile = [\"globals\"]\n");
        return;
    }
    if memory.is_assumed {
        text.push_str(
            "# A guess: no variable is in a section that is known to be non-volatile. Name yours:\n\
             # section:NAME, symbol:GLOB, globals, stack, heap.\n",
        );
    }
    let _ = writeln!(text, "nonvolatile = {nonvolatile}");
}

fn power(text: &mut String, prepared: &Prepared) {
    let power = &prepared.scenario.power;
    let guessed = commits::guessed(&prepared.program);
    let mut names = power.checkpoints.iter();
    let is_guessed = names.any(|name| guessed.contains(name) && !is_checkpoint(name));
    text.push_str("\n[power]\n");
    if prepared.start.is_none() {
        text.push_str("# policy = \"static\"\n");
        if is_guessed {
            let names = list(&power.checkpoints);
            let _ = writeln!(text, "checkpoints = {names}    # a guess by their names");
        }
        return;
    }
    let why = match power.policy {
        Policy::Static if is_guessed => {
            "a guess: checkpoints are called, by their names; \"tasks\" if they lead to other functions"
        }
        Policy::Static => "checkpoints are called",
        Policy::Restart => {
            "no checkpoint is called: every reboot starts at the entry; \"reactive\" or \"tasks\" if yours does more"
        }
        Policy::Tasks => "a guess: a function is told which task comes next",
        Policy::Conditional { .. } | Policy::Reactive { .. } => "it was asked for",
    };
    let _ = writeln!(text, "policy = {:?}    # {why}", power.policy.name());
    match power.policy {
        Policy::Static => {
            let _ = writeln!(text, "checkpoints = {}", list(&power.checkpoints));
        }
        Policy::Tasks => {
            let _ = writeln!(text, "tasks = {}", list(&power.tasks));
            let _ = writeln!(text, "transition = {}", list(&power.transitions));
        }
        _ => {}
    }
}

/// The functions without a body that nothing describes yet.
#[derive(Default)]
struct Undescribed {
    /// Those that are given functions to call, or that only wait.
    ignored: Vec<String>,
    /// Those of a kernel.
    kernel: Vec<(Func, KernelCall)>,
    others: Vec<Func>,
}

fn undescribed(prepared: &Prepared) -> Undescribed {
    let program = &prepared.program;
    let functions = program.functions.iter().filter(|(func, function)| {
        function.origin == Origin::User
            && function.body.is_none()
            && !function.name.starts_with("__brownout_")
            && !prepared.scenario.power.transitions.contains(&function.name)
            && (!prepared.bindings.functions.contains_key(func) || prepared.guessed.contains(func))
    });
    let mut found = Undescribed::default();
    for (func, function) in functions {
        let name = function.name.clone();
        if unknown::takes_callbacks(program, func) {
            found.ignored.push(name);
            continue;
        }
        match KernelCall::of(program, func) {
            Some(KernelCall::Nothing) => found.ignored.push(name),
            Some(call) => found.kernel.push((func, call)),
            None if matches!(Guess::of(program, func), Guess::Waits) => found.ignored.push(name),
            None => found.others.push(func),
        }
    }
    found
}
