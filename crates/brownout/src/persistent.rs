//! Objects that other compilers keep in non-volatile memory, said in words that clang does not know:
//! `#pragma PERSISTENT(x)`, `NOINIT`, `DATA_SECTION`, `SET_DATA_SECTION` and `LOCATION` of TI's
//! compiler, `#pragma location` of IAR's, `__attribute__((persistent))`, `((noinit))` and
//! `((location(…)))` of GCC and TI.
//!
//! Such an object is given the section that these compilers put it into; one at an address is put
//! into a section `.location.ADDRESS`, which nobody takes for volatile without saying so. What is
//! read is the text of a file after the preprocessor, so that macros and headers do not matter; a
//! declaration is found by the file and the line that debug information names. For files that are given
//! as LLVM IR, the sources are read as they are. What the words mean is in [`crate::placing`].
//!
//! An object of an AVR's EEPROM that is declared without an initialiser (`EEMEM`) is erased at first; clang would make
//! zeros of that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use brownout_ir::{Global, Origin, Program};

use crate::declared::Text;
use crate::placing::Said;

/// What is said about where objects are.
#[derive(Default, Debug)]
pub(crate) struct Declarations {
    /// By file: declarations that say where what they declare is.
    placed: BTreeMap<String, Vec<Placed>>,
    /// The files of the texts that were read.
    files: BTreeSet<String>,
}

/// The section of an EEPROM, and what its bytes hold before anybody writes them.
const EEPROM: &str = ".eeprom";
const ERASED: u8 = 0xff;
/// The beginning of the sections that `EEMEM` makes, one for each declaration: they are that of the EEPROM.
const DECLARED: &str = ".eeprom.declared";

/// An object, and what is said about where it is.
#[derive(Debug)]
struct Placed {
    /// The first and the last line of its declaration.
    lines: (u32, u32),
    name: String,
    said: Said,
    is_initialised: bool,
}

impl Declarations {
    /// Reads the text of a translation unit that the preprocessor has made, or that of the file `file`
    /// itself. What a pragma names, or another declaration says, is about the objects of this text.
    pub(crate) fn read(&mut self, text: &str, file: &str) {
        let Text {
            mut declared,
            named,
        } = Text::read(text, file);
        for (name, said) in &named {
            let is_global =
                |it: &crate::declared::Declared<'_>| it.qualified.as_ref() == Some(name);
            let has_global = declared.iter().any(is_global);
            let meant = declared.iter_mut().filter(|it| match has_global {
                true => is_global(it),
                false => it.name == name,
            });
            meant.for_each(|declared| declared.said.add(said));
        }
        // A declaration in a header is about the definition, too.
        let mut elsewhere: BTreeMap<String, Said> = BTreeMap::new();
        for declared in &declared {
            if let Some(name) = &declared.qualified
                && declared.said != Said::default()
            {
                elsewhere
                    .entry(name.clone())
                    .or_default()
                    .add(&declared.said);
            }
        }
        for declared in declared {
            let mut said = declared.said;
            let other = declared.qualified.and_then(|name| elsewhere.get(&name));
            other.iter().for_each(|other| said.add(other));
            self.files.insert(declared.file.clone());
            if said != Said::default() {
                self.placed.entry(declared.file).or_default().push(Placed {
                    lines: declared.lines,
                    name: declared.name.to_owned(),
                    said,
                    is_initialised: declared.is_initialised,
                });
            }
        }
    }

    /// The object of this name that is declared in this line of a file.
    fn find(&self, name: &str, file: &str, line: u32) -> Option<&Placed> {
        // The compiler and debug information may name one file with more or fewer of its folders.
        let is_same = |other: &str| {
            let (one, other) = (Path::new(file), Path::new(other));
            one.ends_with(other) || other.ends_with(one)
        };
        let is_known = self.files.contains(file);
        let mut files = self.placed.iter();
        files.find_map(|(other, placed)| {
            let is_meant = if is_known {
                other == file
            } else {
                is_same(other)
            };
            let mut placed = placed.iter().filter(|_| is_meant);
            placed.find(|placed| {
                placed.name == name && (placed.lines.0..=placed.lines.1).contains(&line)
            })
        })
    }
}

/// Gives objects the sections that other compilers would.
pub(crate) fn mark(program: &mut Program, declarations: &Declarations) {
    // A place that is a macro of a text names a section.
    for global in program.globals.ids() {
        if let Some(section) = &mut program.globals[global].section
            && section.starts_with(DECLARED)
        {
            *section = EEPROM.to_owned();
        }
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
        let Some(placed) = declarations.find(name, file, place.line) else {
            continue;
        };
        match data.section.as_deref() {
            None => found.extend(placed.said.section().map(|section| (global, section))),
            Some(EEPROM) if !placed.is_initialised => erased.push(global),
            Some(section) if section.starts_with(".location.") && placed.said.is_noinit() => {
                found.push((global, format!(".noinit{section}")));
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

/// Adds what the sources say that debug information names, for modules that come without them.
pub(crate) fn add_sources(declarations: &mut Declarations, program: &Program) {
    for file in program.source.files.values() {
        // A file that is gone says nothing.
        if !declarations.files.contains(file)
            && let Ok(bytes) = std::fs::read(file)
        {
            declarations.read(&String::from_utf8_lossy(&bytes), file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Declarations;

    fn check(text: &str, cases: &[(&str, &str, u32, Option<&str>)]) {
        let mut declarations = Declarations::default();
        declarations.read(text, "main.c");
        for &(name, file, line, section) in cases {
            let found = declarations.find(name, file, line);
            let found = found.and_then(|placed| placed.said.section());
            assert_eq!(found.as_deref(), section, "{name}");
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
