//! Words of other compilers that clang does not take: IAR's keywords and its `@`, attributes of interrupt handlers, and
//! the attributes and pragmas that put objects into non-volatile memory.
//!
//! The text of a file after the preprocessor is looked at for such words before it is compiled.
//! Keywords become macros; in files with `@ place`, that becomes an attribute in the same line, and attributes of handlers
//! become others ([`crate::handlers`]): clang reads these texts in the place of the files. Attributes and pragmas about
//! memory are left to [`crate::persistent`].

use brownout_device::words;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::handlers;
use crate::placing;
use crate::redefined;
use crate::tokens::quoted;

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

/// What a file needs to be compiled by clang.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Macros for keywords, as arguments of clang.
    pub(crate) definitions: Vec<String>,
    /// Files that cannot be compiled as they are, and the texts to read instead.
    pub(crate) rewritten: Vec<(PathBuf, String)>,
}

impl Dialect {
    /// What a file needs of which this is the text after the preprocessor, as far as there is one. Some
    /// files may have other texts already.
    pub(crate) fn of(expanded: &str, target: &str, mut rewritten: Vec<(PathBuf, String)>) -> Self {
        let mut definitions = Vec::new();
        let used: BTreeSet<&str> = words(expanded).collect();
        for (keyword, meaning) in KEYWORDS {
            // What the program defines itself is not there any more.
            if used.contains(keyword) {
                definitions.push(format!("-D{keyword}={meaning}"));
                // `__no_init int x @ ".fram"` is in one of two sections, either of them non-volatile.
                definitions.push("-Wno-section".to_owned());
            }
        }
        let mut is_placed = false;
        let may_place = expanded.contains('@');
        let is_meant = may_place || handlers::annotated(expanded, target).is_some();
        for path in files(expanded).iter().filter(|_| is_meant) {
            let known = rewritten.iter().position(|(known, _)| known == path);
            let text = match known {
                Some(known) => rewritten.swap_remove(known).1,
                // A file that cannot be read is clang's to complain about.
                None => match std::fs::read(path) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(_) => continue,
                },
            };
            let placed = may_place.then(|| without_places(&text)).flatten();
            is_placed |= placed.is_some();
            let changed = placed.is_some() || known.is_some();
            let text = placed.unwrap_or(text);
            match handlers::annotated(&text, target) {
                Some(text) => rewritten.push((path.clone(), text)),
                None if changed => rewritten.push((path.clone(), text)),
                None => {}
            }
        }
        if is_placed {
            let macros = [
                "-D__brownout_place(x)=__brownout_place_text(x)",
                "-D__brownout_place_text(x)=#x",
            ];
            definitions.extend(macros.map(str::to_owned));
        }
        Self {
            definitions,
            rewritten,
        }
    }

    /// Takes names out of headers; whether something is new in that.
    pub(crate) fn give_way(&mut self, names: &BTreeMap<PathBuf, BTreeSet<String>>) -> bool {
        let mut is_new = false;
        for (path, names) in names {
            let known = self.rewritten.iter().position(|(known, _)| known == path);
            let text = match known {
                Some(known) => self.rewritten.swap_remove(known).1,
                None => match std::fs::read_to_string(path) {
                    Ok(text) => text,
                    Err(_) => continue,
                },
            };
            let changed = redefined::without(&text, names);
            is_new |= changed != text;
            self.rewritten.push((path.clone(), changed));
        }
        is_new
    }
}

/// The files that a text after the preprocessor is made of.
fn files(expanded: &str) -> BTreeSet<PathBuf> {
    let directives = expanded.lines().filter_map(|line| line.strip_prefix('#'));
    let names = directives.filter_map(|directive| placing::marker(directive)?.1);
    names.map(PathBuf::from).collect()
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

#[cfg(test)]
mod tests {
    use super::without_places;

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
}
