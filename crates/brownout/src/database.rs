//! `compile_commands.json`: what a build compiles, and with which flags.
//!
//! Flags that say how to build rather than what the code means (outputs, dependency files, the
//! machine) are left out; so are those that only GCC knows.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::language::Language;

/// One compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The source file, as seen from here.
    pub(crate) file: PathBuf,
    /// The flags that matter, with paths as seen from here.
    pub(crate) flags: Vec<String>,
    /// The part of the build it belongs to, where the build says so.
    pub(crate) part: Option<String>,
}

/// What a database says.
#[derive(Debug, Default)]
pub(crate) struct Database {
    pub(crate) entries: Vec<Entry>,
    /// Flags that were left out because only GCC knows them, sorted.
    pub(crate) foreign: Vec<String>,
    /// Files that are neither C nor C++.
    pub(crate) others: usize,
}

/// The database in a folder, or the file itself.
pub(crate) fn path(given: &Path) -> PathBuf {
    if given.is_dir() {
        given.join("compile_commands.json")
    } else {
        given.to_owned()
    }
}

/// Reads a database.
pub(crate) fn read(path: &Path) -> Result<Database, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::File {
        path: path.to_owned(),
        error,
    })?;
    let problem = |problem: &str| Error::Database {
        path: path.to_owned(),
        problem: problem.to_owned(),
    };
    let document: Value =
        serde_json::from_str(&text).map_err(|error| problem(&format!("not JSON: {error}")))?;
    let list = document
        .as_array()
        .ok_or_else(|| problem("not a list of compilations"))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let here = std::env::current_dir().unwrap_or_default();
    let mut database = Database::default();
    for (number, value) in (1..).zip(list) {
        let words = words(value)
            .ok_or_else(|| problem(&format!("entry {number} has no `arguments` or `command`")))?;
        let file = value["file"]
            .as_str()
            .ok_or_else(|| problem(&format!("entry {number} has no `file`")))?;
        let directory = base.join(value["directory"].as_str().unwrap_or(""));
        // Links resolved, as the current folder is.
        let directory = directory
            .canonicalize()
            .or_else(|_| std::path::absolute(&directory))
            .unwrap_or(directory);
        let file = relative(&tidy(&directory.join(file)), &here);
        if !is_source(&file) {
            database.others += 1;
            continue;
        }
        let (flags, foreign) = choose(&words, &directory, &here);
        database.foreign.extend(foreign);
        let output = value["output"].as_str().map(str::to_owned);
        let entry = Entry {
            part: output
                .or_else(|| output_of(&words))
                .and_then(|output| part(&output)),
            file,
            flags,
        };
        if !database.entries.contains(&entry) {
            database.entries.push(entry);
        }
    }
    database.foreign.sort();
    database.foreign.dedup();
    Ok(database)
}

/// Whether a file is C or C++.
fn is_source(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| Language::of(extension).is_some())
}

/// A path without `.` and `..`, as far as it has names.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if tidy.file_name().is_some() => {
                tidy.pop();
            }
            component => tidy.push(component),
        }
    }
    tidy
}

/// A path as seen from a folder; what has nothing in common with it stays as it is.
fn relative(path: &Path, here: &Path) -> PathBuf {
    let mut from = here.components().peekable();
    let mut to = path.components().peekable();
    let mut common = 0;
    while let (Some(a), Some(b)) = (from.peek(), to.peek())
        && a == b
    {
        from.next();
        to.next();
        common += 1;
    }
    // The root alone says nothing.
    if common < 2 {
        return path.to_owned();
    }
    let up = from.map(|_| std::path::Component::ParentDir);
    let relative: PathBuf = up.chain(to).collect();
    if relative.as_os_str().is_empty() {
        return PathBuf::from(".");
    }
    relative
}

/// The command of an entry, in words.
fn words(entry: &Value) -> Option<Vec<String>> {
    match (&entry["arguments"], &entry["command"]) {
        (Value::Array(words), _) => words
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect(),
        (_, Value::String(command)) => Some(split(command)),
        _ => None,
    }
}

/// The words of a command line or a response file: quotes and backslashes as a shell knows them.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                if let Some(next) = letters.next() {
                    word.get_or_insert_default().push(next);
                }
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Flags whose value is the next word, and that say how to build.
const BUILD_PAIRS: [&str; 9] = [
    "-o", "-MF", "-MT", "-MQ", "-Xlinker", "-target", "-T", "-u", "-x",
];
/// Flags with a path in the next word, or right after them in the same one.
const PATHS: [&str; 8] = [
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-L",
];
/// Flags that only GCC knows, or that clang takes otherwise.
const FOREIGN: [&str; 24] = [
    "-specs=",
    "--specs=",
    "-fno-tree-",
    "-ftree-",
    "-fno-ipa-",
    "-fipa-",
    "-fconserve-stack",
    "-fno-reorder-",
    "-freorder-",
    "-fno-var-tracking",
    "-fvar-tracking",
    "-fno-toplevel-reorder",
    "-fno-if-conversion",
    "-fno-gcse",
    "-fgcse",
    "-fno-allow-store-data-races",
    "-fno-code-hoisting",
    "-fno-isolate-erroneous-paths",
    "-fno-stack-limit",
    "-fno-shrink-wrap",
    "-fira-",
    "-flto-partition=",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
];

/// The flags that matter, and those that only GCC knows.
fn choose(words: &[String], directory: &Path, here: &Path) -> (Vec<String>, Vec<String>) {
    let (mut flags, mut foreign) = (Vec::new(), Vec::new());
    // The compiler, and what stands before it, such as `ccache`.
    let mut words = words
        .iter()
        .skip_while(|word| !word.starts_with('-') && !is_source(Path::new(word)));
    while let Some(word) = words.next() {
        let word = word.as_str();
        let seen = |path: &str| {
            let path = relative(&tidy(&directory.join(path)), here);
            path.display().to_string()
        };
        if BUILD_PAIRS.contains(&word) {
            words.next();
        } else if let Some(&flag) = PATHS.iter().find(|&&flag| word == flag) {
            let path = words.next().map(String::as_str).unwrap_or_default();
            flags.extend([flag.to_owned(), seen(path)]);
        } else if let Some(path) = word.strip_prefix("-I") {
            flags.push(format!("-I{}", seen(path)));
        } else if let Some(path) = word.strip_prefix('@') {
            let inner = std::fs::read_to_string(directory.join(path)).unwrap_or_default();
            let (more, unknown) = choose(&split(&inner), directory, here);
            flags.extend(more);
            foreign.extend(unknown);
        } else if FOREIGN.iter().any(|prefix| word.starts_with(prefix)) {
            foreign.push(word.to_owned());
        } else if word == "-D" || word == "-U" {
            let name = words.next().map(String::as_str).unwrap_or_default();
            flags.push(format!("{word}{name}"));
        } else if matters(word) {
            flags.push(word.to_owned());
        }
    }
    (flags, foreign)
}

/// Whether a flag changes what the code means. The machine is brownout's own affair (`--target`).
fn matters(word: &str) -> bool {
    let kept = ["-D", "-U", "-O", "-std=", "-f", "-ansi"];
    let left_out = [
        "-flto",
        "-fdiagnostics",
        "-fdebug",
        "-ffile-prefix",
        "-fmacro-prefix",
        "-fsanitize",
        "-fprofile",
        "-fstack-usage",
        "-fdump-",
    ];
    kept.iter().any(|prefix| word.starts_with(prefix))
        && !left_out.iter().any(|prefix| word.starts_with(prefix))
}

fn output_of(words: &[String]) -> Option<String> {
    let at = words.iter().position(|word| word == "-o")?;
    words.get(at + 1).cloned()
}

/// `app` for `…/CMakeFiles/app.dir/main.c.o`.
fn part(output: &str) -> Option<String> {
    let (_, rest) = output.rsplit_once("CMakeFiles/")?;
    let (name, _) = rest.split_once(".dir/")?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{choose, part, relative, split, tidy};

    #[test]
    fn command_lines_are_split_as_a_shell_does() {
        let cases: &[(&str, &[&str])] = &[
            ("gcc  -c a.c", &["gcc", "-c", "a.c"]),
            (r#"-DX="a b" 'c d'"#, &["-DX=a b", "c d"]),
            (r#"-DX=\"s\" "" x\ y"#, &["-DX=\"s\"", "", "x y"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(split(text), *expected, "{text}");
        }
    }

    #[test]
    fn flags_are_chosen() {
        let command = "ccache msp430-gcc -mmcu=msp430fr5994 -Iinc -I ../x -include pre.h -DA=1 -D B -O2 -std=c11 \
                       -fno-tree-vectorize -MMD -MF a.d -Wall -g3 -c -o a.o a.c";
        let (flags, foreign) = choose(&split(command), Path::new("/p/build"), Path::new("/p"));
        let expected = [
            "-Ibuild/inc",
            "-I",
            "x",
            "-include",
            "build/pre.h",
            "-DA=1",
            "-DB",
            "-O2",
            "-std=c11",
        ];
        assert_eq!(flags, expected);
        assert_eq!(foreign, ["-fno-tree-vectorize"]);
    }

    #[test]
    fn parts_and_paths() {
        assert_eq!(
            part("CMakeFiles/app.dir/src/main.c.o").as_deref(),
            Some("app")
        );
        assert_eq!(part("main.o"), None);
        assert_eq!(tidy(Path::new("/a/./b/../c.c")), Path::new("/a/c.c"));
        assert_eq!(tidy(Path::new("../c.c")), Path::new("../c.c"));
        let seen = |path, here| relative(Path::new(path), Path::new(here));
        assert_eq!(seen("/p/src/a.c", "/p"), Path::new("src/a.c"));
        assert_eq!(seen("/p/src/a.c", "/p/build/x"), Path::new("../../src/a.c"));
        assert_eq!(seen("/q/a.c", "/p"), Path::new("/q/a.c"));
        assert_eq!(seen("/p", "/p"), Path::new("."));
    }
}
