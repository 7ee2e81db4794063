//! Words of other compilers that clang does not take: IAR's keywords and its `@`, and the attributes
//! and pragmas that put objects into non-volatile memory.
//!
//! The text of a file and of the headers beside it is looked at for such words before it is compiled.
//! Keywords become macros; in texts with `@ place`, that becomes an attribute in the same line, and
//! clang reads these texts in the place of the files. What needs the preprocessor (attributes behind
//! macros) is left to [`crate::persistent`].

use brownout_device::words;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Keywords of IAR's compilers, and what they mean to clang.
const KEYWORDS: [(&str, &str); 18] = [
    ("__no_init", "__attribute__((section(\".noinit\")))"),
    ("__persistent", "__attribute__((section(\".persistent\")))"),
    ("__root", "__attribute__((used))"),
    ("__ramfunc", ""),
    ("__data16", ""),
    ("__data20", ""),
    ("__near", ""),
    ("__far", ""),
    ("__huge", ""),
    ("__flash", "const"),
    ("__eeprom", "__attribute__((section(\".eeprom\")))"),
    ("__ro_placement", ""),
    ("__intrinsic", ""),
    ("__monitor", ""),
    ("__task", ""),
    ("__raw", ""),
    ("__cc_version1", ""),
    ("__cc_version2", ""),
];

/// Words that may say something about where an object is.
const PLACING: [&str; 13] = [
    "persistent",
    "__persistent__",
    "noinit",
    "__noinit__",
    "PERSISTENT",
    "NOINIT",
    "DATA_SECTION",
    "SET_DATA_SECTION",
    "LOCATION",
    "location",
    "data_alignment",
    "default_variable_attributes",
    "EEMEM",
];

/// Enough for the headers of a project; what is beyond is not looked at.
const MOST_FILES: usize = 400;

/// What a file needs to be compiled by clang.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Macros for keywords, as arguments of clang.
    pub(crate) definitions: Vec<String>,
    /// Files that cannot be compiled as they are, and the texts to read instead.
    pub(crate) rewritten: Vec<(PathBuf, String)>,
    /// Whether attributes or pragmas may place objects.
    pub(crate) places_objects: bool,
}

impl Dialect {
    /// Adds what another file of the same text needs.
    pub(crate) fn add(&mut self, other: Self) {
        self.places_objects |= other.places_objects;
        for definition in other.definitions {
            if !self.definitions.contains(&definition) {
                self.definitions.push(definition);
            }
        }
        for (path, text) in other.rewritten {
            if !self.rewritten.iter().any(|(known, _)| *known == path) {
                self.rewritten.push((path, text));
            }
        }
    }

    /// Looks at a file and at the headers beside it, as far as flags say where these are.
    pub(crate) fn of(path: &Path, flags: &[String]) -> Self {
        let mut dialect = Self::default();
        let mut defined = BTreeSet::new();
        let mut used = BTreeSet::new();
        for (path, text) in texts(path, flags) {
            for line in text.lines() {
                if let Some(directive) = line.trim_start().strip_prefix('#')
                    && let Some(name) = directive.trim_start().strip_prefix("define")
                {
                    defined.extend(words(name).next().map(str::to_owned));
                }
            }
            for word in words(&text) {
                if let Some((keyword, _)) = KEYWORDS.iter().find(|(keyword, _)| *keyword == word) {
                    used.insert(*keyword);
                }
                dialect.places_objects |= PLACING.contains(&word);
            }
            let rewritten = without_places(&text);
            dialect.rewritten.extend(rewritten.map(|text| (path, text)));
        }
        for (keyword, meaning) in KEYWORDS {
            if used.contains(keyword) && !defined.contains(keyword) {
                dialect.definitions.push(format!("-D{keyword}={meaning}"));
                // `__no_init int x @ ".fram"` is in one of two sections, either of them non-volatile.
                dialect.definitions.push("-Wno-section".to_owned());
            }
        }
        if !dialect.rewritten.is_empty() {
            let macros = [
                "-D__brownout_place(x)=__brownout_place_text(x)",
                "-D__brownout_place_text(x)=#x",
            ];
            dialect.definitions.extend(macros.map(str::to_owned));
        }
        dialect
    }
}

/// The texts of a file and of what it includes by `#include "…"`, the file itself first.
fn texts(path: &Path, flags: &[String]) -> Vec<(PathBuf, String)> {
    let mut folders = Vec::new();
    let mut arguments = flags.iter();
    while let Some(flag) = arguments.next() {
        match flag
            .strip_prefix("-I")
            .or_else(|| flag.strip_prefix("-iquote"))
        {
            Some("") => folders.extend(arguments.next().map(PathBuf::from)),
            Some(folder) => folders.push(PathBuf::from(folder)),
            None => {}
        }
    }
    let mut seen = BTreeSet::from([path.to_owned()]);
    let mut wanted = vec![path.to_owned()];
    let mut texts = Vec::new();
    while let Some(path) = wanted.pop()
        && texts.len() < MOST_FILES
    {
        // A file that cannot be read is clang's to complain about.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let beside = path.parent().unwrap_or(Path::new(""));
        for name in text.lines().filter_map(included) {
            let places = std::iter::once(beside).chain(folders.iter().map(PathBuf::as_path));
            let found = places
                .map(|folder| folder.join(name))
                .find(|path| path.is_file());
            wanted.extend(found.filter(|path| seen.insert(path.clone())));
        }
        texts.push((path, text));
    }
    texts
}

/// The name in `#include "name"` or `#include <name>`.
fn included(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("include")?.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    rest.get(1..)?.split(close).next()
}

/// The text with attributes in the place of `@ 0x1800` and `@ ".section"`; none if there are none.
fn without_places(text: &str) -> Option<String> {
    if !text.contains('@') {
        return None;
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(letter) = rest.chars().next() {
        let skipped = match letter {
            '"' | '\'' => quoted(rest, letter),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '@' if is_placement(&result, rest) => {
                let place = rest[1..].trim_start();
                let start = rest.len() - place.len();
                let length = match place.starts_with('"') {
                    true => quoted(place, '"'),
                    false => place
                        .find(|c: char| !c.is_alphanumeric() && c != '_')
                        .unwrap_or(place.len()),
                };
                let name = &place[..length];
                let section = match name.strip_prefix('"') {
                    Some(_) => name.to_owned(),
                    // It may be a macro, of a number or of a section.
                    None => {
                        let kept = match drop_no_init(&mut result) {
                            true => ".noinit",
                            false => "",
                        };
                        format!("\"{kept}.location.\" __brownout_place({name})")
                    }
                };
                if length > 0 {
                    result.push_str(&format!("__attribute__((section({section})))"));
                    rest = &rest[start + length..];
                    changed = true;
                    continue;
                }
                1
            }
            letter => letter.len_utf8(),
        };
        result.push_str(&rest[..skipped]);
        rest = &rest[skipped..];
    }
    changed.then_some(result)
}

/// Whether the `@` at the start of `rest`, after `before`, says where a declared object is. Elsewhere it
/// is part of what a macro makes text of: `STR(@name)`, `#define PAIR(a, b) a@b`.
fn is_placement(before: &str, rest: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_joined = before.ends_with(is_part) && rest[1..].starts_with(is_part);
    let declared = before
        .trim_end()
        .ends_with(|letter| is_part(letter) || letter == ']' || letter == ')');
    declared && !(is_joined && line.trim_start().starts_with('#'))
}

/// Takes `__no_init` out of the declaration at the end of a text, because an object is in one section only;
/// whether it was there.
fn drop_no_init(text: &mut String) -> bool {
    const WORD: &str = "__no_init";
    let start = text.rfind([';', '{', '}']).map_or(0, |end| end + 1);
    let found = text[start..].rfind(WORD);
    if let Some(at) = found {
        let word = start + at..start + at + WORD.len();
        text.replace_range(word, &" ".repeat(WORD.len()));
    }
    found.is_some()
}

/// The length of a string or character constant.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            // A constant ends with its line at the latest.
            '\n' => return at,
            letter if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{included, without_places};

    #[test]
    fn places_become_attributes() {
        let cases = [
            ("int x;", None),
            ("// a@b\nchar c = '@';", None),
            ("#define PAIR(a, b) a@b\nchar *c = STR(@name);", None),
            ("const char *s = \"a@b\"; /* @ */", None),
            (
                "__no_init int x @ 0x1800;",
                Some(
                    "          int x __attribute__((section(\".noinit.location.\" __brownout_place(0x1800))));",
                ),
            ),
            (
                "int y @ \".FRAM\" = 3; // @ home",
                Some("int y __attribute__((section(\".FRAM\"))) = 3; // @ home"),
            ),
            ("x @", None),
        ];
        for (text, expected) in cases {
            assert_eq!(without_places(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn headers_are_found() {
        assert_eq!(included("#include \"a.h\""), Some("a.h"));
        assert_eq!(included("  #  include <b/c.h> // d"), Some("b/c.h"));
        assert_eq!(included("#define X"), None);
        assert_eq!(included("#include NAME"), None);
    }
}
