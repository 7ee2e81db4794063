//! Test programs that are data: C files with directives at their top.
//!
//! A directive is a line `//@ key: text` among the comment lines that a file
//! begins with: `flags` are more arguments for the compiler, `known-bug` says
//! that today's result is wrong and why.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// One program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// Its files.
    pub sources: Vec<PathBuf>,
    /// More arguments for the compiler.
    pub flags: Vec<String>,
    /// Why the result is expected to be wrong.
    pub known_bug: Option<String>,
    /// What it has to print, where that does not come from the native build.
    pub expected: Option<String>,
}

impl Case {
    /// The program made of `sources`.
    ///
    /// # Errors
    /// If a file cannot be read or has an unknown directive.
    pub fn new(name: &str, sources: Vec<PathBuf>) -> Result<Self, Error> {
        let mut case = Self {
            name: name.to_owned(),
            sources,
            flags: vec![],
            known_bug: None,
            expected: None,
        };
        for path in &case.sources {
            let text = fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
            for line in text.lines().take_while(|line| line.starts_with("//")) {
                let Some(directive) = line.strip_prefix("//@") else {
                    continue;
                };
                match directive.trim().split_once(':') {
                    Some(("flags", flags)) => case
                        .flags
                        .extend(flags.split_whitespace().map(str::to_owned)),
                    Some(("known-bug", why)) => case.known_bug = Some(why.trim().to_owned()),
                    _ => {
                        return Err(Error::Directive {
                            path: path.clone(),
                            line: line.to_owned(),
                        });
                    }
                }
            }
        }
        Ok(case)
    }
}

/// Every C file in `folder` as a program.
///
/// # Errors
/// If one of them cannot be read or has an unknown directive.
pub fn cases(folder: &Path) -> Result<Vec<Case>, Error> {
    c_files(folder)?
        .into_iter()
        .map(|path| Case::new(&stem(&path), vec![path]))
        .collect()
}

/// Every C file in `folder` as a program; the file `.expected` beside it is what it has to print.
///
/// # Errors
/// If a file cannot be read, above all a missing `.expected`.
pub fn expected_cases(folder: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = cases(folder)?;
    for case in &mut cases {
        let path = case.sources[0].with_extension("expected");
        case.expected = Some(fs::read_to_string(&path).map_err(|error| Error::file(path, error))?);
    }
    Ok(cases)
}

/// Every folder in `folder` whose name begins with `prefix`; all its C files are one program.
///
/// # Errors
/// If one of them cannot be read or has an unknown directive.
pub fn folder_cases(folder: &Path, prefix: &str) -> Result<Vec<Case>, Error> {
    let folders = entries(folder)?
        .into_iter()
        .filter(|path| path.is_dir() && stem(path).starts_with(prefix));
    folders
        .map(|path| Case::new(&stem(&path), c_files(&path)?))
        .collect()
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn c_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = entries(folder)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    Ok(files)
}

/// What is in a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = || {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>, _>>()
    };
    let mut entries = read().map_err(|error| Error::file(folder, error))?;
    entries.sort();
    Ok(entries)
}
