//! From inputs to the files of programs: what is compiled with which flags, and what belongs
//! together.
//!
//! Everything links into one program unless several files define the entry. Then each of these is a
//! program, with the files of its part of the build (where the database names parts) and with all
//! files whose part defines no entry: what they share.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use brownout_scenario::Config;

use crate::clang;
use crate::cli::ProgramOptions;
use crate::console;
use crate::database;
use crate::error::Error;
use crate::language::Language;
use crate::sketch::{self, Sketch};

/// A file to read or compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    /// Flags of its own, and those of the command line.
    pub(crate) flags: Vec<String>,
    /// The part of the build it belongs to.
    pub(crate) part: Option<String>,
    /// Further files of a sketch, which are appended to this one.
    pub(crate) joined: Vec<PathBuf>,
}

impl Unit {
    /// Whether it is compiled, and not LLVM IR already.
    pub(crate) fn is_source(&self) -> bool {
        let extension = self.path.extension().and_then(OsStr::to_str);
        extension.and_then(Language::of).is_some()
    }
}

/// A build in this folder, if there is one.
pub(crate) fn found() -> Option<PathBuf> {
    let folders = [".", "build"].map(PathBuf::from);
    folders
        .into_iter()
        .find(|folder| database::path(folder).is_file())
}

/// The files that the command line means, and how they are compiled.
pub(crate) fn units(options: &ProgramOptions, config: &Config) -> Result<Vec<Unit>, Error> {
    let mut units = named(options, config.target())?;
    let macros = config.chip().map_or(&[][..], |chip| &chip.defines);
    for unit in &mut units {
        // What the user says comes last.
        let defined = macros.iter().map(|name| format!("-D{name}"));
        unit.flags.splice(0..0, defined);
    }
    Ok(units)
}

/// The files that the command line names.
fn named(options: &ProgramOptions, target: &str) -> Result<Vec<Unit>, Error> {
    let mut units = Vec::new();
    if let Some(project) = &options.project {
        let all = of_database(&database::path(project), options, target)?;
        if options.inputs.is_empty() {
            return Ok(all);
        }
        for input in &options.inputs {
            units.extend(chosen(&all, input, project)?);
        }
        return Ok(units);
    }
    for input in &options.inputs {
        if input
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            units.extend(of_database(input, options, target)?);
            continue;
        }
        let unit = |path: PathBuf, joined: Vec<PathBuf>| Unit {
            path,
            flags: options.clang.clone(),
            part: None,
            joined,
        };
        let sketch = match input.is_dir() {
            true => Sketch::of_folder(input),
            false => Sketch::of_main(input),
        };
        match sketch {
            None => units.push(unit(input.clone(), Vec::new())),
            Some(sketch) => {
                units.push(unit(sketch.main, sketch.joined));
                units.extend(sketch.others.into_iter().map(|path| unit(path, Vec::new())));
            }
        }
    }
    Ok(join_sketches(units))
}

/// Several `.ino` files of one folder are one sketch. What a sketch has taken in already is not there twice.
fn join_sketches(units: Vec<Unit>) -> Vec<Unit> {
    let mut result: Vec<Unit> = Vec::new();
    for unit in units {
        let is_sketch = |unit: &Unit| unit.path.extension().is_some_and(|it| it == "ino");
        let folder = |unit: &Unit| unit.path.parent().map(Path::to_owned);
        let mut before = result.iter_mut().filter(|before| is_sketch(before));
        let Some(sketch) = before.find(|before| {
            is_sketch(&unit) && folder(before) == folder(&unit) && before.path != unit.path
        }) else {
            // The files beside a sketch may be named as well.
            let is_there = |before: &Unit| before.path == unit.path && before.part == unit.part;
            let is_of_sketch = result.iter().any(is_sketch) && !is_sketch(&unit);
            if !(is_of_sketch && result.iter().any(is_there)) {
                result.push(unit);
            }
            continue;
        };
        let mut files = std::mem::take(&mut sketch.joined);
        files.extend([sketch.path.clone(), unit.path]);
        files.extend(unit.joined);
        files.sort();
        files.dedup();
        if let Some((main, joined)) = sketch::in_order(files) {
            sketch.path = main;
            sketch.joined = joined;
        }
    }
    result
}

/// The compilations of one file.
fn chosen(all: &[Unit], input: &Path, project: &Path) -> Result<Vec<Unit>, Error> {
    let wanted = input.canonicalize().map_err(|error| Error::File {
        path: input.to_owned(),
        error,
    })?;
    let is_wanted = |unit: &&Unit| unit.path.canonicalize().is_ok_and(|path| path == wanted);
    let units: Vec<Unit> = all.iter().find(is_wanted).cloned().into_iter().collect();
    if units.is_empty() {
        return Err(Error::Database {
            path: database::path(project),
            problem: format!("does not compile {}", input.display()),
        });
    }
    Ok(units)
}

fn of_database(path: &Path, options: &ProgramOptions, target: &str) -> Result<Vec<Unit>, Error> {
    let database = database::read(path)?;
    if database.entries.is_empty() {
        return Err(Error::Database {
            path: path.to_owned(),
            problem: "compiles no C or C++ file".to_owned(),
        });
    }
    let flags: BTreeSet<&String> = database
        .entries
        .iter()
        .flat_map(|entry| &entry.flags)
        .collect();
    let unknown = clang::unknown_flags(target, flags.into_iter())?;
    if !options.quiet {
        let mut dropped: Vec<&str> = database.foreign.iter().map(String::as_str).collect();
        dropped.extend(unknown.iter().map(String::as_str));
        if !dropped.is_empty() {
            console::note(&format!(
                "flags that clang does not know are left out: {}",
                dropped.join(" ")
            ));
        }
        if database.others > 0 {
            console::note(&format!(
                "{}: left out because it is neither C nor C++: {}",
                path.display(),
                brownout_diag::plural(database.others as u64, "file")
            ));
        }
    }
    let unit = |entry: database::Entry| {
        let mut flags = entry.flags;
        flags.retain(|flag| !unknown.contains(flag));
        // The build has shown its warnings already.
        flags.push("-w".to_owned());
        flags.extend(options.clang.iter().cloned());
        Unit {
            path: entry.file,
            flags,
            part: entry.part,
            joined: Vec::new(),
        }
    };
    Ok(database.entries.into_iter().map(unit).collect())
}

/// A program: what to call it, and the numbers of its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) members: Vec<usize>,
}

/// Which files make up which program, if those numbered in `entries` define the entry.
pub(crate) fn groups(units: &[Unit], entries: &[usize]) -> Vec<Group> {
    let part_has_entry = |part: &Option<String>| {
        part.is_some() && entries.iter().any(|&entry| units[entry].part == *part)
    };
    let group = |&entry: &usize| {
        let own = &units[entry];
        let mut paths: BTreeSet<&Path> = BTreeSet::new();
        let belongs = |&number: &usize| {
            let unit = &units[number];
            if number == entry {
                return true;
            }
            if entries.contains(&number) {
                return false;
            }
            let same_part = own.part.is_some() && unit.part == own.part;
            same_part || !part_has_entry(&unit.part)
        };
        let members: Vec<usize> = (0..units.len()).filter(belongs).collect();
        // A file that several parts compile is there once.
        let members = members
            .into_iter()
            .filter(|&number| paths.insert(&units[number].path));
        Group {
            name: own.part.clone().unwrap_or_else(|| stem(&own.path)),
            members: members.collect(),
        }
    };
    let mut groups: Vec<Group> = entries.iter().map(group).collect();
    // Programs of one name are told apart by the path of their entry.
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    for (group, &entry) in groups.iter_mut().zip(entries) {
        if names.iter().filter(|name| **name == group.name).count() > 1 {
            group.name = units[entry].path.display().to_string();
        }
    }
    groups
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Unit, groups};

    fn unit(path: &str, part: &str) -> Unit {
        Unit {
            path: path.into(),
            flags: Vec::new(),
            joined: Vec::new(),
            part: (!part.is_empty()).then(|| part.to_owned()),
        }
    }

    fn grouped(units: &[Unit], entries: &[usize]) -> Vec<(String, Vec<usize>)> {
        let groups = groups(units, entries).into_iter();
        groups.map(|group| (group.name, group.members)).collect()
    }

    #[test]
    fn every_entry_is_a_program_with_what_is_shared() {
        let units = [unit("a.c", ""), unit("util.c", ""), unit("b.c", "")];
        assert_eq!(
            grouped(&units, &[0, 2]),
            [("a".to_owned(), vec![0, 1]), ("b".to_owned(), vec![1, 2])]
        );
    }

    #[test]
    fn parts_of_the_build_stay_together() {
        let units = [
            unit("x/main.c", "x"),
            unit("x/own.c", "x"),
            unit("y/main.c", "y"),
            unit("lib.c", "lib"),
            unit("lib.c", "lib2"),
        ];
        assert_eq!(
            grouped(&units, &[0, 2]),
            [
                ("x".to_owned(), vec![0, 1, 3]),
                ("y".to_owned(), vec![2, 3])
            ]
        );
    }

    #[test]
    fn names_are_different() {
        let units = [unit("x/main.c", ""), unit("y/main.c", "")];
        let names: Vec<String> = grouped(&units, &[0, 1])
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["x/main.c", "y/main.c"]);
    }
}
