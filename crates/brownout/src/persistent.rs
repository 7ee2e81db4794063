//! Objects that other compilers keep in non-volatile memory, said in words that clang does not know:
//! `#pragma PERSISTENT(x)`, `NOINIT`, `DATA_SECTION`, `SET_DATA_SECTION` and `LOCATION` of TI's
//! compiler, `#pragma location` of IAR's, `__attribute__((persistent))`, `((noinit))` and
//! `((location(…)))` of GCC and TI.
//!
//! Such an object is given the section that these compilers put it into; one at an address is put
//! into a section `.location.ADDRESS`, which nobody takes for volatile without saying so. What is
//! read is the text of a file after the preprocessor, so that macros and headers do not matter; a
//! declaration is found by the file and the line that debug information names. Files that are given
//! as LLVM IR are read as they are.
//!
//! An object of an AVR's EEPROM that is declared without an initialiser (`EEMEM`) is erased at first; clang would make
//! zeros of that.

use std::collections::BTreeMap;
use std::path::Path;

use brownout_device::words;
use brownout_ir::{Global, Origin, Program};

/// What attributes and pragmas mean: the section that compilers choose.
const WORDS: [(&str, &str); 4] = [
    ("persistent", ".persistent"),
    ("__persistent__", ".persistent"),
    ("noinit", ".noinit"),
    ("__noinit__", ".noinit"),
];

/// What is said about where objects are.
#[derive(Default, Debug)]
pub(crate) struct Declarations {
    /// By file: declarations that place what they declare.
    placed: BTreeMap<String, Vec<Placed>>,
    /// Objects that a pragma names, whatever file they are in.
    named: BTreeMap<String, String>,
    /// By file: declarations of what is in an EEPROM and has no initialiser.
    erased: BTreeMap<String, Vec<Placed>>,
}

/// The section of an EEPROM, and what its bytes hold before anybody writes them.
const EEPROM: &str = ".eeprom";
const ERASED: u8 = 0xff;

/// A declaration that places what it declares.
#[derive(Debug)]
struct Placed {
    first: u32,
    last: u32,
    /// The text, without what is in front of it.
    text: String,
    section: String,
}

/// A pragma.
enum Pragma {
    /// About an object.
    Object(String, String),
    /// About what is declared next.
    Next(String),
    /// About everything from here on; none ends that.
    Everything(Option<String>),
}

impl Declarations {
    /// Reads a text: one that the preprocessor has made, or that of the file `file` itself.
    pub(crate) fn read(&mut self, text: &str, file: &str) {
        let (mut file, mut line) = (file.to_owned(), 0u32);
        let mut current = String::new();
        let mut first = 0;
        let mut next: Option<String> = None;
        let mut everything: Option<String> = None;
        for content in text.lines() {
            line += 1;
            if let Some(directive) = content.trim_start().strip_prefix('#') {
                if let Some((number, name)) = marker(directive) {
                    (file, line) = (name.unwrap_or(file), number.saturating_sub(1));
                } else if let Some(pragma) = pragma(directive) {
                    match pragma {
                        Pragma::Object(name, section) => _ = self.named.insert(name, section),
                        Pragma::Next(section) => next = Some(section),
                        Pragma::Everything(section) => everything = section,
                    }
                }
                continue;
            }
            // Comments of files that no preprocessor has seen.
            let content = content.split("//").next().unwrap_or_default();
            for piece in content.split_inclusive([';', '{', '}']) {
                if current.trim().is_empty() {
                    current.clear();
                    first = line;
                }
                current.push_str(piece);
                current.push(' ');
                if !piece.ends_with([';', '{', '}']) {
                    continue;
                }
                let text = std::mem::take(&mut current);
                let is_eeprom = piece.ends_with(';') && text.contains("\".eeprom\"");
                if is_eeprom && !text.contains('=') {
                    self.erased.entry(file.clone()).or_default().push(Placed {
                        first,
                        last: line,
                        text,
                        section: EEPROM.to_owned(),
                    });
                    continue;
                }
                let said = attribute(&text)
                    .or_else(|| next.take())
                    .or_else(|| everything.clone());
                if let Some(section) = said {
                    self.placed.entry(file.clone()).or_default().push(Placed {
                        first,
                        last: line,
                        text,
                        section,
                    });
                }
            }
        }
    }

    /// The section of the object of this name that is declared in this line of a file.
    fn section(&self, name: &str, file: &str, line: u32) -> Option<&str> {
        if let Some(section) = self.named.get(name) {
            return Some(section);
        }
        find(&self.placed, name, file, line).map(|placed| placed.section.as_str())
    }
}

/// The declaration of the object of this name in this line of a file.
fn find<'d>(
    declarations: &'d BTreeMap<String, Vec<Placed>>,
    name: &str,
    file: &str,
    line: u32,
) -> Option<&'d Placed> {
    // The compiler and debug information may name one file with more or fewer of its folders.
    let is_same = |other: &str| {
        let (one, other) = (Path::new(file), Path::new(other));
        one.ends_with(other) || other.ends_with(one)
    };
    let files = declarations.iter().filter(|(other, _)| is_same(other));
    let placed = files.flat_map(|(_, placed)| placed);
    let mut placed = placed.filter(|placed| (placed.first..=placed.last).contains(&line));
    placed.find(|placed| words(&placed.text).any(|word| word == name))
}

/// Gives objects the sections that other compilers would.
pub(crate) fn mark(program: &mut Program, declarations: &Declarations) {
    // A place that is a macro of a text names a section.
    for global in program.globals.ids() {
        if let Some(section) = &mut program.globals[global].section
            && let Some((_, name)) = section.split_once(".location.\"")
            && let Some(name) = name.strip_suffix('"')
        {
            *section = name.to_owned();
        }
    }
    let mut found: Vec<(Global, String)> = Vec::new();
    let mut erased: Vec<Global> = Vec::new();
    for (global, data) in program.globals.iter() {
        let place = data
            .place
            .and_then(|place| program.source.places.get(place));
        let (Some(place), Origin::User) = (place, data.origin) else {
            continue;
        };
        let Some(file) = program.source.files.get(place.file) else {
            continue;
        };
        let name = data.variable.as_ref().unwrap_or(&data.name);
        match data.section.as_deref() {
            None => {
                let section = declarations.section(name, file, place.line);
                found.extend(section.map(|section| (global, section.to_owned())));
            }
            Some(EEPROM) => {
                let declared = find(&declarations.erased, name, file, place.line);
                erased.extend(declared.map(|_| global));
            }
            Some(_) => {}
        }
    }
    for global in erased {
        let data = &mut program.globals[global];
        let size = data.size as usize;
        if let Some(init) = &mut data.init {
            init.bytes = vec![ERASED; size];
        }
    }
    for (global, section) in found {
        program.globals[global].section = Some(section);
    }
}

/// What the sources say that debug information names, for programs that come without them.
pub(crate) fn of_sources(program: &Program) -> Declarations {
    let mut declarations = Declarations::default();
    for file in program.source.files.values() {
        // A file that is gone says nothing.
        if let Ok(bytes) = std::fs::read(file) {
            declarations.read(&String::from_utf8_lossy(&bytes), file);
        }
    }
    declarations
}

/// `# 12 "file.h" 2` or `#line 12 "file.h"`.
fn marker(directive: &str) -> Option<(u32, Option<String>)> {
    let rest = directive.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..end].parse().ok()?;
    let name = rest[end..].trim_start().strip_prefix('"');
    let name = name.and_then(|rest| rest.split('"').next());
    Some((number, name.map(|name| name.replace("\\\\", "\\"))))
}

/// A pragma that places objects.
fn pragma(directive: &str) -> Option<Pragma> {
    let rest = directive.trim_start().strip_prefix("pragma")?;
    let mut parts = words(rest);
    let word = parts.next()?;
    let text = rest.split('"').nth(1).map(str::to_owned);
    let lower = word.to_lowercase();
    match lower.as_str() {
        "persistent" | "noinit" => {
            let section = format!(".{lower}");
            Some(match parts.next() {
                Some(name) => Pragma::Object(name.to_owned(), section),
                None => Pragma::Next(section),
            })
        }
        "data_section" => {
            let inside = rest.split('(').nth(1)?.split('"').next()?;
            Some(match words(inside).next() {
                Some(name) => Pragma::Object(name.to_owned(), text?),
                None => Pragma::Next(text?),
            })
        }
        "set_data_section" => Some(Pragma::Everything(text)),
        // TI's: `LOCATION(x, 0x1800)` or `LOCATION(0x1800)`; IAR's: `location = 0x1800`, `= "name"`.
        "location" => {
            if let Some(section) = text {
                return Some(Pragma::Next(section));
            }
            let arguments: Vec<&str> = parts.collect();
            match arguments[..] {
                [address] => Some(Pragma::Next(location(address))),
                [name, address, ..] => Some(Pragma::Object(name.to_owned(), location(address))),
                [] => None,
            }
        }
        _ => None,
    }
}

fn location(address: &str) -> String {
    format!(".location.{address}")
}

/// The section that an attribute in a declaration asks for.
fn attribute(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(at) = rest.find("__attribute") {
        let behind = &rest[at + "__attribute".len()..];
        let open = behind.find('(')?;
        let inside = &behind[open..behind.len().min(open + inside(&behind[open..]))];
        let mut all = words(inside).peekable();
        while let Some(word) = all.next() {
            if let Some((_, section)) = WORDS.iter().find(|(known, _)| *known == word) {
                return Some((*section).to_owned());
            }
            if matches!(word, "location" | "__location__") {
                return all.peek().map(|address| location(address));
            }
        }
        rest = behind;
    }
    None
}

/// The length of what parentheses enclose.
fn inside(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth <= 1 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::Declarations;

    fn check(text: &str, cases: &[(&str, &str, u32, Option<&str>)]) {
        let mut declarations = Declarations::default();
        declarations.read(text, "main.c");
        for &(name, file, line, section) in cases {
            assert_eq!(declarations.section(name, file, line), section, "{name}");
        }
    }

    #[test]
    fn words_of_other_compilers() {
        check(
            "\
#pragma PERSISTENT(count)
int count = 0;
int plain;
int __attribute__((persistent)) before = 1;
int behind __attribute__((noinit));
#pragma NOINIT

int next;
int other; __attribute__((persistent)) int same_line; int last;
__attribute__((persistent))
static int
broken = 3;
struct { int x; } plain_too;
#pragma DATA_SECTION(log, \".fram_log\")
char log[8];
#pragma LOCATION(fixed, 0x1800)
int fixed;
int placed __attribute__((location(0x1900)));
#pragma location = 0x1980
int iar;
#pragma SET_DATA_SECTION(\".fram_all\")
int all;
#pragma SET_DATA_SECTION()
int after;
",
            &[
                ("count", "main.c", 2, Some(".persistent")),
                ("plain", "main.c", 3, None),
                ("before", "main.c", 4, Some(".persistent")),
                ("behind", "main.c", 5, Some(".noinit")),
                ("next", "main.c", 8, Some(".noinit")),
                ("other", "main.c", 9, None),
                ("same_line", "main.c", 9, Some(".persistent")),
                ("last", "main.c", 9, None),
                ("broken", "main.c", 12, Some(".persistent")),
                ("plain_too", "main.c", 13, None),
                ("log", "main.c", 15, Some(".fram_log")),
                ("fixed", "main.c", 17, Some(".location.0x1800")),
                ("placed", "main.c", 18, Some(".location.0x1900")),
                ("iar", "main.c", 20, Some(".location.0x1980")),
                ("all", "main.c", 22, Some(".fram_all")),
                ("after", "main.c", 24, None),
                ("beyond", "main.c", 99, None),
            ],
        );
    }

    #[test]
    fn files_after_the_preprocessor() {
        check(
            "# 1 \"main.c\"\n# 1 \"nv.h\" 1\nint x;\n# 3 \"main.c\" 2\n__attribute__((persistent)) int count;\n",
            &[
                ("x", "nv.h", 1, None),
                ("count", "main.c", 3, Some(".persistent")),
                ("count", "nv.h", 1, None),
            ],
        );
    }
}
