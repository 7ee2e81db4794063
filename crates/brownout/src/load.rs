//! Which programs the command line means: of one project, or one that a chain of programs makes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use brownout_device::Linked;
use brownout_ir::Program;
use brownout_scenario::Config;

use crate::clang;
use crate::cli::{ProgramOptions, Setting};
use crate::config;
use crate::console;
use crate::error::Error;
use crate::front_end::{self, Chained, Wanted};
use crate::implied;
use crate::limits;
use crate::linker;
use crate::project::{self, Unit};

/// Loads all programs that the command line means, or the one that it names.
pub(crate) fn load_all(options: &ProgramOptions) -> Result<(Vec<Linked>, config::Loaded), Error> {
    limits::memory(options.memory_limit).map_err(|error| Error::NoThread { error })?;
    let mut loaded = config::load(options)?;
    let options = &with_inputs(options, &mut loaded)?;
    let target = loaded.config.target();
    let mut units = project::units(options, &loaded.config)?;
    let chain = chain(&loaded, options)?;
    let shared: Vec<&str> = loaded.config.flash_objects().collect();
    let wanted = Wanted {
        entry: loaded.config.entry(),
        interrupts: loaded.config.names_interrupts(),
        chain: &chain,
        shared: &shared,
    };
    let mut linked = front_end::load(&units, target, wanted)?;
    let inlined = linked
        .iter()
        .find_map(|linked| inlined(&linked.program, &loaded.config));
    if let Some(name) = inlined {
        let mut sources = units.iter_mut().filter(|unit| unit.is_source()).peekable();
        console::note(&match sources.peek() {
            Some(_) => format!(
                "compiled with -fno-inline: clang inlines `{name}`, which means something here"
            ),
            None => {
                format!("`{name}` was inlined, and means nothing there: compile with -fno-inline")
            }
        });
        for unit in sources {
            unit.flags.push("-fno-inline".to_owned());
        }
        linked = front_end::load(&units, target, wanted)?;
    }
    limits::loaded()?;
    if let Some(wanted) = &options.program {
        let names: Vec<String> = linked
            .iter()
            .filter_map(|linked| linked.name.clone())
            .collect();
        linked.retain(|linked| linked.name.as_ref() == Some(wanted));
        if linked.is_empty() {
            return Err(Error::NoProgram {
                name: Some(wanted.clone()),
                names,
            });
        }
    }
    Ok((linked, loaded))
}

/// The options with the files that are meant. What linker scripts among them say goes to the configuration.
fn with_inputs(
    options: &ProgramOptions,
    loaded: &mut config::Loaded,
) -> Result<ProgramOptions, Error> {
    let mut options = options.clone();
    if options.inputs.is_empty() && options.project.is_none() {
        options.inputs = loaded.sources();
        options.project = match options.inputs.is_empty() {
            true => Some(project::found().ok_or(Error::NoInput)?),
            false => None,
        };
    }
    for path in linker::take_scripts(&mut options) {
        loaded.supply_linker_script(&path)?;
    }
    if !loaded.config.names_target()
        && let Some((target, header)) = implied::target(&options.inputs)
        && target != loaded.config.target()
    {
        loaded.set(&Setting::of_option("target", "target", target))?;
        console::note(&format!(
            "compiled for {target}, because of `{header}` (--target if it is another one)"
        ));
    }
    // Files are called what they are called from here.
    let here = std::env::current_dir().unwrap_or_default();
    for input in &mut options.inputs {
        if let Ok(inside) = input.strip_prefix(&here) {
            *input = match inside.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => inside.to_owned(),
            };
        }
    }
    Ok(options)
}

/// The program with the texts in `rewritten` in the place of those files, and the configuration; none if it is not made of
/// sources.
pub(crate) fn rewritten(
    options: &ProgramOptions,
    rewritten: &[(PathBuf, String)],
) -> Result<Option<(Linked, config::Loaded)>, Error> {
    let mut loaded = config::load(options)?;
    let options = with_inputs(options, &mut loaded)?;
    let mut units = project::units(&options, &loaded.config)?;
    if !units.iter().all(Unit::is_source) {
        return Ok(None);
    }
    let overlay = clang::overlay(rewritten)?;
    read_instead(&mut units, overlay.as_ref().map(|(_, path)| path.as_path()));
    let wanted = Wanted {
        entry: loaded.config.entry(),
        interrupts: loaded.config.names_interrupts(),
        chain: &[],
        shared: &[],
    };
    let mut linked = front_end::load(&units, loaded.config.target(), wanted)?;
    let is_meant = |linked: &Linked| options.program.is_none() || linked.name == options.program;
    linked.retain(is_meant);
    Ok(linked.pop().map(|linked| (linked, loaded)))
}

/// Lets clang read other texts in the place of some files. What means something is called, and not inlined, as in
/// the program that was looked at.
fn read_instead(units: &mut [Unit], overlay: Option<&Path>) {
    for unit in units {
        if let Some(path) = overlay {
            let path = path.display().to_string();
            unit.flags.extend(["-ivfsoverlay".to_owned(), path]);
        }
        unit.flags.push("-fno-inline".to_owned());
    }
}

/// The files of a program as one module without the C library, in the form of bitcode. They are compiled with the
/// texts in `rewritten` in the place of those that are there.
pub(crate) fn bitcode(
    options: &ProgramOptions,
    rewritten: &[(PathBuf, String)],
) -> Result<Vec<u8>, Error> {
    let mut loaded = config::load(options)?;
    let options = with_inputs(options, &mut loaded)?;
    let target = loaded.config.target();
    let mut units = project::units(&options, &loaded.config)?;
    if !units.iter().all(Unit::is_source) {
        return Err(Error::NoSources);
    }
    let overlay = clang::overlay(rewritten)?;
    read_instead(&mut units, overlay.as_ref().map(|(_, path)| path.as_path()));
    front_end::bitcode(&units, target)
}

/// A function that the configuration or an annotation says something about, and of which the compiler has
/// put a copy into another one: there it is not called.
fn inlined(program: &Program, config: &Config) -> Option<String> {
    let annotated = program.functions.values();
    let annotated: BTreeSet<&str> = annotated
        .filter(|function| !function.annotations.is_empty())
        .map(|function| function.name.as_str())
        .collect();
    let places = program.source.places.values();
    let copies: BTreeSet<&str> = places
        .filter(|place| place.inlined_at.is_some())
        .map(|place| place.function.as_str())
        .collect();
    let mut copies = copies.into_iter();
    let found = copies.find(|name| annotated.contains(name) || config.names_function(name))?;
    Some(found.to_owned())
}

/// The programs that the first one starts.
fn chain(loaded: &config::Loaded, options: &ProgramOptions) -> Result<Vec<Chained>, Error> {
    let programs = loaded.config.chain().into_iter();
    programs
        .map(|program| {
            let sources = program.sources.iter();
            let options = ProgramOptions {
                inputs: sources.map(|source| loaded.beside(source)).collect(),
                project: None,
                ..options.clone()
            };
            Ok(Chained {
                name: program.name.to_owned(),
                entry: program.entry.to_owned(),
                start: program.start.to_owned(),
                units: project::units(&options, &loaded.config)?,
            })
        })
        .collect()
}

/// Loads a program and nothing more.
pub(crate) fn load(options: &ProgramOptions) -> Result<(Linked, config::Loaded), Error> {
    let (mut linked, loaded) = load_all(options)?;
    match (linked.pop(), linked.is_empty()) {
        (Some(only), true) => Ok((only, loaded)),
        (last, _) => {
            linked.extend(last);
            Err(Error::NoProgram {
                name: None,
                names: linked
                    .into_iter()
                    .filter_map(|linked| linked.name)
                    .collect(),
            })
        }
    }
}
