//! `brownout init`: a `brownout.toml` from what the program shows, to be read and corrected.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use brownout_ir::{Func, Function, Origin};
use brownout_scenario::{AppliedProfile, Policy, Profile, Scenario};

use crate::cli::{InitOptions, ProgramOptions, Setting};
use crate::console;
use crate::error::Error;
use crate::ready::{self, Entry, Prepared};
use crate::unknown::{self, Guess};

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
    let prepared = prepare(&options.program)?;
    let text = text(&prepared, &sources(&options.program.inputs, folder));
    console::result(Some(&path), |out| out.write_all(text.as_bytes()))?;
    console::note(&format!(
        "{} is written: read it, correct what is guessed, then `brownout check`",
        path.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The program with the profiles that fit it: of all that there are, those that describe something by
/// which they are recognised.
fn prepare(options: &ProgramOptions) -> Result<Prepared, Error> {
    let (linked, mut loaded) = ready::load(options)?;
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

/// The inputs as the file names them, which stands beside the first.
fn sources(inputs: &[PathBuf], folder: Option<&Path>) -> Vec<String> {
    let folder = folder.unwrap_or(Path::new(""));
    let inside = inputs.iter().map(|input| input.strip_prefix(folder));
    inside
        .map_while(|input| Some(input.ok()?.display().to_string()))
        .collect()
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
    let _ = writeln!(text, "target = {:?}", scenario.target);
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
    let (ignored, others) = undescribed(prepared);
    if !ignored.is_empty() {
        text.push_str(
            "# These are given functions to call, which are looked at wherever that is, or only wait.\n",
        );
        let names: Vec<String> = ignored
            .iter()
            .map(|function| function.name.clone())
            .collect();
        let _ = writeln!(text, "ignore = {}", list(&names));
    }
    memory(&mut text, scenario);
    power(&mut text, scenario, prepared.start.is_some());
    if !others.is_empty() {
        text.push_str("\n# Functions without a body: guesses by name and prototype.\n");
    }
    for function in others {
        text.push('\n');
        text.push_str(&unknown::description(function));
    }
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

fn memory(text: &mut String, scenario: &Scenario) {
    text.push_str("\n[memory]\n");
    let memory = &scenario.memory;
    if memory.is_assumed {
        text.push_str(
            "# A guess: no variable is in a section that is known to be non-volatile. Name yours:\n\
             # section:NAME, symbol:GLOB, globals, stack, heap.\n",
        );
    }
    let _ = writeln!(text, "nonvolatile = {}", list(&memory.nonvolatile));
}

fn power(text: &mut String, scenario: &Scenario, is_program: bool) {
    let power = &scenario.power;
    text.push_str("\n[power]\n");
    if !is_program {
        text.push_str("# policy = \"static\"\n");
        return;
    }
    let why = match power.policy {
        Policy::Static => "checkpoints are called",
        Policy::Restart => {
            "no checkpoint is called: every reboot starts at the entry; \"reactive\" or \"tasks\" if yours does more"
        }
        Policy::Tasks => "tasks are named",
        Policy::Conditional { .. } | Policy::Reactive { .. } => "it was asked for",
    };
    let _ = writeln!(text, "policy = {:?}    # {why}", power.policy.name());
    if power.policy == Policy::Static {
        let _ = writeln!(text, "checkpoints = {}", list(&power.checkpoints));
    }
}

/// The functions without a body that nothing describes yet: those that are given functions to call or
/// that only wait, and the others.
fn undescribed(prepared: &Prepared) -> (Vec<&Function>, Vec<&Function>) {
    let program = &prepared.program;
    let functions = program.functions.iter().filter(|(func, function)| {
        function.origin == Origin::User
            && function.body.is_none()
            && (!prepared.bindings.functions.contains_key(func) || prepared.guessed.contains(func))
    });
    let (ignored, others): (Vec<_>, Vec<_>) = functions.partition(|(func, function)| {
        unknown::takes_callbacks(program, *func) || matches!(Guess::of(function), Guess::Waits)
    });
    (without_names(ignored), without_names(others))
}

fn without_names(found: Vec<(Func, &Function)>) -> Vec<&Function> {
    found.into_iter().map(|(_, function)| function).collect()
}
