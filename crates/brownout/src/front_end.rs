//! From files to a program.
//!
//! C and C++ are compiled by clang. LLVM IR that somebody else made is read in a child
//! process, because damaged files can crash libLLVM: the child (`brownout
//! lift`) prints the program in our text format, preceded by one line that
//! lists what it could not translate.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use brownout_device::{Gap, Linked};
use brownout_ir::source::Place;
use brownout_ir::{Func, Id, Program};
use brownout_llvm::{Loader, Trust};
use serde_json::{Value, json};

use crate::child::{self, NoResult};
use crate::clang::{self, Compiled};
use crate::cli::LiftOptions;
use crate::console;
use crate::error::Error;
use crate::foreign;
use crate::language::Language;
use crate::persistent::{self, Declarations};
use crate::project::{self, Unit};
use crate::scratch::Scratch;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Source(Language),
    Assembly,
    Bitcode,
    Text,
}

fn kind(path: &Path) -> Result<Kind, Error> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.unwrap_or_default() {
        "ll" => Ok(Kind::Assembly),
        "bc" => Ok(Kind::Bitcode),
        "ir" => Ok(Kind::Text),
        extension => match Language::of(extension) {
            Some(language) => Ok(Kind::Source(language)),
            None => Err(Error::UnknownInput {
                path: path.to_owned(),
                foreign: foreign::recognise(path),
            }),
        },
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::File {
        path: path.to_owned(),
        error,
    })
}

/// What a program has to have.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// The function where execution begins.
    pub(crate) entry: &'w str,
    /// Whether some of its functions are interrupt handlers, whatever they look like.
    pub(crate) interrupts: bool,
    /// The programs that it starts, in the same boot.
    pub(crate) chain: &'w [Chained],
    /// Variables that all programs of the chain share.
    pub(crate) shared: &'w [&'w str],
}

/// A program that another one starts.
pub(crate) struct Chained {
    pub(crate) name: String,
    pub(crate) entry: String,
    /// The function that starts it.
    pub(crate) start: String,
    pub(crate) units: Vec<Unit>,
}

/// Reads, compiles and links `units`: one program, or one for each file that defines the entry.
pub(crate) fn load(units: &[Unit], target: &str, wanted: Wanted<'_>) -> Result<Vec<Linked>, Error> {
    for Unit { path, .. } in units {
        // A clear message before clang's.
        let data = std::fs::metadata(path).map_err(|error| Error::File {
            path: path.clone(),
            error,
        })?;
        if data.is_dir() {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(Error::File {
                path: path.clone(),
                error,
            });
        }
    }
    let kinds = units
        .iter()
        .map(|unit| kind(&unit.path))
        .collect::<Result<Vec<_>, _>>()?;
    let is_compiled = |kind: &Kind| matches!(kind, Kind::Source(_));
    if !wanted.chain.is_empty() && !kinds.iter().all(is_compiled) {
        return Err(Error::MixedInputs);
    }
    let linked = if kinds.contains(&Kind::Text) {
        let [Unit { path, .. }] = units else {
            return Err(Error::MixedInputs);
        };
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        let program = brownout_ir::parse(&text).map_err(|error| Error::Text {
            path: path.clone(),
            error,
        })?;
        alone((program, Vec::new()))
    } else if kinds.contains(&Kind::Bitcode) || kinds.contains(&Kind::Assembly) {
        let (mut program, gaps, mut declarations) = lift_in_child(units, &kinds, target)?;
        persistent::add_sources(&mut declarations, &program);
        persistent::mark(&mut program, &declarations);
        alone((program, gaps))
    } else {
        compile_and_lift(units, &kinds, target, wanted)?
    };
    for Linked { program, .. } in &linked {
        if let Err(problems) = brownout_ir::verify::verify(program) {
            let problems = problems.iter().take(5).map(ToString::to_string).collect();
            return Err(Error::Invalid { problems });
        }
    }
    Ok(linked)
}

/// Compiles files, and links them into one module without the C library.
pub(crate) fn bitcode(units: &[Unit], target: &str) -> Result<Vec<u8>, Error> {
    let mut loader = Loader::new();
    for unit in units {
        let compiled = compile(unit, kind(&unit.path)?, target)?;
        let name = unit.path.display().to_string();
        let added = loader.add(&name, &compiled.bitcode, Trust::Verified);
        added.map_err(Error::Llvm)?;
    }
    loader.bitcode().map_err(Error::Llvm)
}

/// The only program there is.
fn alone((program, gaps): (Program, Vec<Gap>)) -> Vec<Linked> {
    vec![Linked {
        name: None,
        program,
        gaps,
    }]
}

/// Compiles a file of the project.
fn compile(unit: &Unit, kind: Kind, target: &str) -> Result<Compiled, Error> {
    let Kind::Source(language) = kind else {
        return Err(Error::MixedInputs);
    };
    let source = clang::Source {
        path: &unit.path,
        language,
        target,
        flags: &unit.flags,
        joined: &unit.joined,
    };
    source.compile()
}

/// Compiles files on all cores.
fn compile_all(units: &[Unit], kinds: &[Kind], target: &str) -> Result<Vec<Compiled>, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    // Each takes the next file that nobody has taken.
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(unit), false) = (units.get(index), failed.load(Ordering::Relaxed)) else {
                return done;
            };
            let result = compile(unit, kinds[index], target);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((index, result));
        }
    };
    let mut results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores.min(units.len()))
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut results = match threads.is_empty() {
            // No thread can be had: then one after the other.
            true => work(),
            false => Vec::new(),
        };
        for thread in threads {
            // A thread that panicked is our bug: let it be seen.
            let done = thread.join();
            results.extend(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn compile_and_lift(
    units: &[Unit],
    kinds: &[Kind],
    target: &str,
    wanted: Wanted<'_>,
) -> Result<Vec<Linked>, Error> {
    let modules = compile_all(units, kinds, target)?;
    let mut declarations = Declarations::default();
    for (unit, module) in units.iter().zip(&modules) {
        declarations.read(&module.expanded, &unit.path.display().to_string());
    }
    let link = |members: &[usize]| {
        let (mut program, gaps) = link(units, &modules, members, target, wanted)?;
        persistent::mark(&mut program, &declarations);
        Ok((program, gaps))
    };
    let entries = entries(units, &modules, wanted.entry)?;
    // The same file twice is a slip, which linking tells, and no second program.
    let names: BTreeSet<_> = entries
        .iter()
        .map(|&entry| (&units[entry].path, &units[entry].part))
        .collect();
    if entries.len() < 2 || names.len() < entries.len() {
        let all: Vec<usize> = (0..units.len()).collect();
        return link(&all).map(alone);
    }
    let groups = project::groups(units, &entries).into_iter();
    groups
        .map(|group| {
            let (program, gaps) = link(&group.members)?;
            Ok(Linked {
                name: Some(group.name),
                program,
                gaps,
            })
        })
        .collect()
}

/// What Arduino puts around a sketch: the names of `setup` and `loop`, in C++ and in C.
const SKETCHES: [(&str, &str); 2] = [("_Z5setupv", "_Z4loopv"), ("setup", "loop")];

/// Links the modules of these numbers. A sketch gets the `main` that calls it.
fn link(
    units: &[Unit],
    modules: &[Compiled],
    members: &[usize],
    target: &str,
    wanted: Wanted<'_>,
) -> Result<(Program, Vec<Gap>), Error> {
    let mut loader = Loader::new();
    if wanted.interrupts {
        loader.expect_interrupts();
    }
    for &member in members {
        let name = units[member].path.display().to_string();
        loader
            .add(&name, &modules[member].bitcode, Trust::Verified)
            .map_err(Error::Llvm)?;
    }
    if wanted.entry == "main" && !loader.defines(wanted.entry) {
        let mut sketches = SKETCHES.into_iter();
        let sketch = sketches.find(|(setup, run)| loader.defines(setup) && loader.defines(run));
        if let Some((setup, run)) = sketch {
            let module = clang::compile_text(&sketch_main(setup, run), target)?;
            loader
                .add("the main function of the sketch", &module, Trust::Verified)
                .map_err(Error::Llvm)?;
        }
    }
    for chained in wanted.chain {
        add_chained(&mut loader, chained, wanted.shared, target)?;
    }
    finish(loader)
}

/// Adds a program that the ones before start: the function that does calls its entry.
fn add_chained(
    loader: &mut Loader,
    chained: &Chained,
    shared: &[&str],
    target: &str,
) -> Result<(), Error> {
    let mut modules = Vec::new();
    for unit in &chained.units {
        let compiled = compile(unit, kind(&unit.path)?, target)?;
        modules.push((unit.path.display().to_string(), compiled.bitcode));
    }
    let modules: Vec<(String, &[u8])> = modules
        .iter()
        .map(|(name, bitcode)| (name.clone(), &bitcode[..]))
        .collect();
    let Chained {
        name, entry, start, ..
    } = chained;
    loader
        .add_program(name, &modules, shared)
        .map_err(Error::Llvm)?;
    let entry = format!("{name}.{entry}");
    if !loader.defines(&entry) {
        let error = brownout_device::Error::NoEntry {
            name: entry,
            nearest: None,
        };
        return Err(error.into());
    }
    loader.divert(start);
    let text = format!(
        "_Noreturn void exit(int);\nint entry(void) __asm__(\"{entry}\");\n\
         void start(void) __asm__(\"{start}\");\nvoid start(void) {{ exit(entry()); }}\n"
    );
    let module = clang::compile_text(&text, target)?;
    loader
        .add("the start of a program", &module, Trust::Verified)
        .map_err(Error::Llvm)
}

fn sketch_main(setup: &str, run: &str) -> String {
    // Arduino enables interrupts before the sketch begins.
    format!(
        "void __brownout_enable(void);\n\
         void setup(void) __asm__(\"{setup}\");\nvoid loop(void) __asm__(\"{run}\");\n\
         int main(void) {{ __brownout_enable(); setup(); for (;;) loop(); }}\n"
    )
}

/// The modules that define the entry. Whether they do is looked at only if several mention it.
fn entries(units: &[Unit], modules: &[Compiled], entry: &str) -> Result<Vec<usize>, Error> {
    let mentions = |bytes: &[u8]| {
        let mut windows = bytes.windows(entry.len().max(1));
        windows.any(|window| window == entry.as_bytes())
    };
    let mut candidates: Vec<usize> = (0..modules.len())
        .filter(|&number| mentions(&modules[number].bitcode))
        .collect();
    if candidates.len() < 2 {
        return Ok(candidates);
    }
    let mut defining = Vec::new();
    for number in candidates.drain(..) {
        let mut loader = Loader::new();
        let name = units[number].path.display().to_string();
        loader
            .add(&name, &modules[number].bitcode, Trust::Verified)
            .map_err(Error::Llvm)?;
        if loader.defines(entry) {
            defining.push(number);
        }
    }
    Ok(defining)
}

fn finish(loader: Loader) -> Result<(Program, Vec<Gap>), Error> {
    let (program, unsupported) = loader.finish().map_err(Error::Llvm)?;
    let gaps = unsupported
        .into_iter()
        .map(|gap| Gap {
            what: gap.gap.to_string(),
            function: gap.function,
            place: gap.place,
        })
        .collect();
    Ok((program, gaps))
}

fn lift_in_child(
    units: &[Unit],
    kinds: &[Kind],
    target: &str,
) -> Result<(Program, Vec<Gap>, Declarations), Error> {
    // C files among them become temporary modules.
    let scratch = Scratch::new()?;
    let mut files = Vec::new();
    let mut declarations = Declarations::default();
    for (index, (unit, &kind)) in units.iter().zip(kinds).enumerate() {
        let path = &unit.path;
        if let Kind::Source(_) = kind {
            let compiled = compile(unit, kind, target)?;
            declarations.read(&compiled.expanded, &path.display().to_string());
            files.push(scratch.file(&format!("{index}.bc"), &compiled.bitcode)?);
        } else {
            read(path)?;
            files.push(path.clone());
        }
    }
    let names: Vec<String> = units
        .iter()
        .map(|unit| unit.path.display().to_string())
        .collect();
    let this = std::env::current_exe().map_err(|error| Error::File {
        path: "brownout".into(),
        error,
    })?;
    let mut command = Command::new(&this);
    command
        .arg("lift")
        .args(names.iter().map(|name| format!("--name={name}")))
        .arg("--")
        .args(&files);
    let output = child::run(&mut command, &[]).map_err(|error| match error {
        NoResult::System(error) => Error::File {
            path: this.clone(),
            error,
        },
        NoResult::Over => Error::Over,
    })?;
    let crashed = || Error::Crashed {
        names: names.join(", "),
    };
    match output.status.code() {
        Some(0) => {}
        // The child says what is wrong in its own words.
        Some(2) => {
            let message = String::from_utf8_lossy(&output.stderr);
            let message = message
                .trim()
                .strip_prefix("error: ")
                .unwrap_or(message.trim())
                .to_owned();
            return Err(Error::Lift { message });
        }
        _ => return Err(crashed()),
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let gaps: Value = serde_json::from_str(first).unwrap_or(Value::Null);
    let id = |value: &Value| value.as_u64().and_then(|index| usize::try_from(index).ok());
    let gaps = gaps
        .as_array()
        .into_iter()
        .flatten()
        .map(|gap| Gap {
            what: gap["what"].as_str().unwrap_or_default().to_owned(),
            function: id(&gap["function"]).map(Func::from_index),
            place: id(&gap["place"]).map(Place::from_index),
        })
        .collect();
    let program = brownout_ir::parse(rest).map_err(|_| crashed())?;
    Ok((program, gaps, declarations))
}

/// The hidden command `lift`.
pub(crate) fn lift(options: &LiftOptions) -> Result<ExitCode, Error> {
    let mut loader = Loader::new();
    for (index, path) in options.inputs.iter().enumerate() {
        let name = match options.names.get(index) {
            Some(name) => name.clone(),
            None => path.display().to_string(),
        };
        loader
            .add(&name, &read(path)?, Trust::Foreign)
            .map_err(Error::Llvm)?;
    }
    let (program, gaps) = finish(loader)?;
    let gaps: Vec<Value> = gaps
        .iter()
        .map(|gap| json!({ "what": gap.what, "function": gap.function.map(Id::index), "place": gap.place.map(Id::index) }))
        .collect();
    console::result(None, |out| {
        writeln!(out, "{}", Value::from(gaps))?;
        write!(out, "{program}")
    })?;
    Ok(ExitCode::SUCCESS)
}
