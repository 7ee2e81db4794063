//! Arduino sketches: a folder whose files are one text, the one that is called like the folder first. Functions may be
//! used before they are defined, because Arduino's builder declares them.
//!
//! So a declaration is put in front of the first function that uses one too early, and places in the text stay what they
//! are. What the sketch declares itself, templates, and what is defined inside of something are left alone.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The files of a sketch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// The file that is compiled.
    pub(crate) main: PathBuf,
    /// The `.ino` files that are appended to it.
    pub(crate) joined: Vec<PathBuf>,
    /// C and C++ files that are compiled beside it.
    pub(crate) others: Vec<PathBuf>,
}

impl Sketch {
    /// The sketch that a folder is, if it has `.ino` files.
    pub(crate) fn of_folder(folder: &Path) -> Option<Self> {
        let mut files = files(folder);
        let (sketches, mut others): (Vec<_>, Vec<_>) = files
            .drain(..)
            .partition(|path| has_extension(path, &["ino"]));
        let (main, joined) = in_order(sketches)?;
        others.retain(|path| has_extension(path, &["c", "cpp"]));
        others.extend(below(&folder.join("src"), 0));
        Some(Self {
            main,
            joined,
            others,
        })
    }

    /// The sketch that a file means which is called like its folder.
    pub(crate) fn of_main(path: &Path) -> Option<Self> {
        let whole = std::path::absolute(path).ok()?;
        let is_main =
            has_extension(path, &["ino"]) && whole.parent()?.file_name() == path.file_stem();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        is_main.then(|| Self::of_folder(folder.unwrap_or(Path::new("."))))?
    }
}

/// The `.ino` files of one folder as Arduino's builder takes them: the one that is called like the folder first, then
/// by name.
pub(crate) fn in_order(mut files: Vec<PathBuf>) -> Option<(PathBuf, Vec<PathBuf>)> {
    files.sort();
    let is_main = |path: &PathBuf| {
        let whole = std::path::absolute(path).unwrap_or_default();
        whole.parent().and_then(Path::file_name) == path.file_stem()
    };
    let main = files.iter().position(is_main).unwrap_or(0);
    (main < files.len()).then(|| (files.remove(main), files))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| extensions.contains(&extension))
}

/// The files in a folder, by name. A folder that cannot be read has none.
fn files(folder: &Path) -> Vec<PathBuf> {
    let here = folder == Path::new(".");
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let entries = entries.filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| match here {
            true => PathBuf::from(entry.file_name()),
            false => folder.join(entry.file_name()),
        })
        .collect();
    files.sort();
    files
}

/// The C and C++ files in and below a folder.
fn below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = files(folder);
    found.retain(|path| has_extension(path, &["c", "cpp"]));
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let entries = entries.filter_map(Result::ok);
    // Links may lead in a circle.
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders.into_iter().filter(|_| depth < 16) {
        found.extend(below(&folder, depth + 1));
    }
    found
}

/// The files of a sketch as one text, in which every line knows its file.
pub(crate) fn joined(files: &[(&Path, String)]) -> String {
    let mut result = String::new();
    for (index, (path, text)) in files.iter().enumerate() {
        if index > 0 {
            let name = path.display().to_string();
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(result, "\n#line 1 \"{name}\"\n");
        }
        result.push_str(text);
    }
    result
}

/// A function that a text defines.
struct Definition<'t> {
    name: &'t str,
    /// What is before its body.
    head: &'t str,
    /// Where its head begins and its body ends.
    start: usize,
    end: usize,
}

/// The text of a sketch with the declarations that it lacks, if it lacks any.
pub(crate) fn with_declarations(text: &str) -> Option<String> {
    let code = blank(text);
    let (definitions, declared) = parts(&code);
    let mut added: Vec<(usize, String)> = Vec::new();
    for (index, definition) in definitions.iter().enumerate() {
        let before = &definitions[..index];
        let mut users = before.iter();
        let body = |user: &Definition<'_>| &code[user.start + user.head.len()..user.end];
        let user = users.find(|user| calls(body(user), definition.name));
        let Some(user) = user else { continue };
        let is_declared = declared
            .iter()
            .any(|&(at, declaration)| at < user.start && calls(declaration, definition.name));
        // Of functions with one name that differ in their parameters, each is declared.
        let is_known = before
            .iter()
            .any(|other| other.start < user.start && other.name == definition.name);
        if let Some(declaration) = declaration(definition)
            && !is_declared
            && !is_known
        {
            added.push((user.start, declaration));
        }
    }
    if added.is_empty() {
        return None;
    }
    added.sort_by_key(|&(at, _)| at);
    let mut result = String::new();
    let mut from = 0;
    for (at, declaration) in added {
        result.push_str(&text[from..at]);
        from = at;
        let line = line_at(text, at);
        let start_of_line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let column = text[start_of_line..at].chars().count();
        let _ = write!(result, "\n{declaration}\n#line {line}\n{:column$}", "");
    }
    result.push_str(&text[from..]);
    Some(result)
}

/// The number of the line at a place, as directives before it count.
fn line_at(text: &str, at: usize) -> usize {
    let mut line = 1;
    for before in text[..at]
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
    {
        let directive = before.strip_prefix("#line ").map(str::trim_start);
        let number = directive.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        line = number.unwrap_or(line + 1);
    }
    line
}

/// The same text with blanks in the place of comments, strings and directives.
fn blank(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_line_start = true;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '/' if rest.starts_with("//") => end_of_line(rest),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            '#' if is_line_start => end_of_line(rest),
            '"' | '\'' => end_of_quotes(rest, letter),
            _ => 0,
        };
        if length == 0 {
            is_line_start = letter == '\n' || (is_line_start && letter.is_whitespace());
            result.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        for byte in rest[..length].bytes() {
            result.push(if byte == b'\n' { '\n' } else { ' ' });
        }
        rest = &rest[length..];
    }
    result
}

/// The length of a line, with those that continue it.
fn end_of_line(text: &str) -> usize {
    let mut newlines = text.match_indices('\n').map(|(at, _)| at);
    let end = newlines.find(|&at| !text[..at].trim_end_matches('\r').ends_with('\\'));
    end.unwrap_or(text.len())
}

/// The length of a string or a character.
fn end_of_quotes(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            // A quote that does not end is none: an apostrophe in a number.
            '\n' => return 1,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// The functions that a text defines, and what it says outside of braces and ends with `;`, with where that begins.
fn parts(code: &str) -> (Vec<Definition<'_>>, Vec<(usize, &str)>) {
    let (mut definitions, mut declared) = (Vec::new(), Vec::new());
    let mut depth = 0usize;
    let (mut start, mut head): (usize, Option<&str>) = (0, None);
    for (at, letter) in code.char_indices() {
        match letter {
            '{' => {
                if depth == 0 {
                    head = Some(&code[start..at]);
                }
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                if depth > 0 {
                    continue;
                }
                if let Some((head, name)) =
                    head.take().and_then(|head| Some((head, defined(head)?)))
                {
                    let blanks = head.len() - head.trim_start().len();
                    definitions.push(Definition {
                        name,
                        head: head.trim(),
                        start: start + blanks,
                        end: at + 1,
                    });
                }
                start = at + 1;
            }
            ';' if depth == 0 => {
                declared.push((start, &code[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    (definitions, declared)
}

/// The name of the function that something before a brace defines.
fn defined(head: &str) -> Option<&str> {
    let head = head.trim();
    let open = head.find('(')?;
    let before = head[..open].trim_end();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = before
        .rfind(|letter| !is_part(letter))
        .map_or(0, |at| at + 1);
    let (ty, name) = before.split_at(start);
    let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    // Members, operators, templates, initialisers, and what has no type: a macro.
    let is_other = ty.trim().is_empty()
        || ty.contains(['=', '<', ':', '[', ']'])
        || before
            .split(|letter| !is_part(letter))
            .any(|word| word == "operator");
    (is_name && !is_other && head.ends_with(')')).then_some(name)
}

/// The declaration of a function, without default arguments.
fn declaration(definition: &Definition<'_>) -> Option<String> {
    let mut result = String::new();
    let (mut depth, mut is_default) = (0usize, false);
    for letter in definition.head.chars() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => {
                depth = depth.checked_sub(1)?;
                is_default &= depth > 0;
            }
            ',' if depth == 1 => is_default = false,
            '=' if depth == 1 => is_default = true,
            _ => {}
        }
        if !is_default {
            result.push(if letter == '\n' { ' ' } else { letter });
        }
    }
    (depth == 0).then(|| result.replace('\r', " ") + ";")
}

/// Whether a text calls, or declares, a function of this name.
fn calls(code: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].trim_start();
        !before.is_some_and(|letter| is_part(letter) || letter == '.') && {
            // Its address can be taken, too.
            after.starts_with(['(', ')', ',', ';', '}'])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{in_order, joined, with_declarations};
    use std::path::{Path, PathBuf};

    #[test]
    fn files_of_a_sketch_are_one_text_in_the_order_of_arduino() {
        let files = ["lamp/b.ino", "lamp/lamp.ino", "lamp/a.ino"].map(PathBuf::from);
        let (main, others) = in_order(files.to_vec()).unwrap();
        assert_eq!(main, Path::new("lamp/lamp.ino"));
        assert_eq!(others, ["lamp/a.ino", "lamp/b.ino"].map(PathBuf::from));
        assert_eq!(in_order(Vec::new()), None);

        let text = joined(&[
            (&main, "void setup() { on(); }\nvoid loop() { }".to_owned()),
            (&others[0], "int x;\nvoid on() { off(); }\n".to_owned()),
            (&others[1], "void off() { }\n".to_owned()),
        ]);
        let expected = "\nvoid on();\n#line 1\nvoid setup() { on(); }\nvoid loop() { }\n\
            #line 1 \"lamp/a.ino\"\nint x;\n\nvoid off();\n#line 2\nvoid on() { off(); }\n\n\
            #line 1 \"lamp/b.ino\"\nvoid off() { }\n";
        assert_eq!(with_declarations(&text).as_deref(), Some(expected));
    }

    #[test]
    fn functions_that_are_used_before_they_are_defined_are_declared() {
        let text = "int x; // one()\nvoid setup() { one(); two (3); every(three); }\n\
            void one ()\n{\n  x = 1;\n}\n static int two(int a,\n   int b = 2)\n { return a; }\n\
            inline void three() { }\nvoid loop() { one(); }\n";
        let expected = "int x; // one()\n\nvoid one ();\n#line 2\n\nstatic int two(int a,    int b );\n#line 2\n\
            \ninline void three();\n#line 2\nvoid setup() { one(); two (3); every(three); }\n\
            void one ()\n{\n  x = 1;\n}\n static int two(int a,\n   int b = 2)\n { return a; }\n\
            inline void three() { }\nvoid loop() { one(); }\n";
        assert_eq!(with_declarations(text).as_deref(), Some(expected));
    }

    #[test]
    fn what_needs_no_declaration_is_left_alone() {
        for text in [
            "void one(int);\nvoid setup() { one(1); }\nvoid one(int a) { }\nvoid loop() { }\n",
            "void one() { }\nvoid setup() { one(); }\nvoid loop() { one(); }\n",
            "void setup() { one(1); }\ntemplate <class T> void one(T a) { }\nvoid loop() { }\n",
            "void setup() { d.one(); }\nstruct D { void one() { } } d;\nvoid loop() { }\n",
            "void setup() { \"one()\"; /* one(); */ }\nvoid one() { }\n",
            "#ifdef A\nvoid setup() { }\n#else\nvoid setup() { }\n#endif\nvoid loop() { }\n",
            "void setup() { one(); }\nvoid D::one() { }\nint a[] = { 1, 2 };\n",
            "void setup() { '{'; }\n#define X one() {\nvoid one() { }",
            "}}} ) { ( }{",
            "",
        ] {
            assert_eq!(with_declarations(text), None, "{text}");
        }
    }
}
