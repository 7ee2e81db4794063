//! Objects that other compilers keep in non-volatile memory, said in words that clang does not know:
//! `#pragma PERSISTENT(x)` and `#pragma NOINIT(x)` of TI's compiler, `__attribute__((persistent))`
//! and `((noinit))` of GCC for MSP430, also behind a macro.
//!
//! Such an object is given the section that these compilers put it into. What is read is the text of
//! the files that declare globals; a declaration is found by the line that debug information names.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Global, Origin, Program};

/// What the words mean: the section that the compilers choose.
const WORDS: [(&str, &str); 4] = [
    ("persistent", ".persistent"),
    ("__persistent__", ".persistent"),
    ("noinit", ".noinit"),
    ("__noinit__", ".noinit"),
];

/// How many lines a declaration goes back from the one of its name.
const LINES: usize = 3;

/// Gives objects the sections that other compilers would.
pub(crate) fn mark(program: &mut Program) {
    let mut files: BTreeMap<String, Text> = BTreeMap::new();
    let mut found: Vec<(Global, &'static str)> = Vec::new();
    for (global, data) in program.globals.iter() {
        let place = data
            .place
            .and_then(|place| program.source.places.get(place));
        let (Some(place), None, Origin::User) = (place, &data.section, data.origin) else {
            continue;
        };
        let Some(file) = program.source.files.get(place.file) else {
            continue;
        };
        let text = files
            .entry(file.clone())
            .or_insert_with(|| Text::read(file));
        let name = data.variable.as_ref().unwrap_or(&data.name);
        found.extend(
            text.section(name, place.line)
                .map(|section| (global, section)),
        );
    }
    for (global, section) in found {
        program.globals[global].section = Some(section.to_owned());
    }
}

/// What a file says of objects.
#[derive(Default)]
struct Text {
    lines: Vec<String>,
    /// Objects that a pragma names.
    named: BTreeMap<String, &'static str>,
    /// Lines behind a pragma that names none.
    next: BTreeMap<u32, &'static str>,
    /// Macros that stand for such an attribute.
    macros: BTreeMap<String, &'static str>,
}

impl Text {
    fn read(file: &str) -> Self {
        // A file that is gone says nothing.
        let text = std::fs::read_to_string(file).unwrap_or_default();
        Self::parse(&text)
    }

    fn parse(text: &str) -> Self {
        let mut parsed = Self {
            lines: text.lines().map(str::to_owned).collect(),
            ..Self::default()
        };
        for (line, number) in text.lines().zip(1u32..) {
            let Some(directive) = line.trim_start().strip_prefix('#') else {
                continue;
            };
            let mut words = words(directive);
            match (words.next(), words.next()) {
                (Some("pragma"), Some(word)) => {
                    let Some(section) = section(&word.to_lowercase()) else {
                        continue;
                    };
                    match words.next() {
                        Some(name) => _ = parsed.named.insert(name.to_owned(), section),
                        None => _ = parsed.next.insert(number, section),
                    }
                }
                (Some("define"), Some(name)) => {
                    if let Some(section) = attribute(directive) {
                        parsed.macros.insert(name.to_owned(), section);
                    }
                }
                _ => {}
            }
        }
        parsed
    }

    /// The section of the object of this name that is declared in this line.
    fn section(&self, name: &str, line: u32) -> Option<&'static str> {
        if let Some(section) = self.named.get(name) {
            return Some(section);
        }
        let declaration = self.declaration(name, line);
        let by_macro = words(&declaration).find_map(|word| self.macros.get(word).copied());
        by_macro
            .or_else(|| attribute(&declaration))
            .or_else(|| self.by_pragma_above(line))
    }

    /// The text of a declaration: from the last `;`, `{` or `}` in front of the name to the next `;`.
    fn declaration(&self, name: &str, line: u32) -> String {
        let end = (line as usize).min(self.lines.len());
        let start = end.saturating_sub(LINES);
        let above = self.lines[start..end].iter();
        let lines: Vec<&str> = above
            .map(|line| match line.trim_start().starts_with('#') {
                // A directive ends what is in front of it.
                true => ";",
                false => line.split("//").next().unwrap_or_default(),
            })
            .collect();
        let text = lines.join("\n");
        let parts: Vec<&str> = text.split([';', '{', '}']).collect();
        let part = parts
            .iter()
            .rev()
            .find(|part| words(part).any(|word| word == name));
        part.copied().unwrap_or_default().to_owned()
    }

    /// A pragma without a name speaks of the next line of code.
    fn by_pragma_above(&self, line: u32) -> Option<&'static str> {
        let (&above, &section) = self.next.range(..line).next_back()?;
        let between = self.lines.get(above as usize..line as usize - 1)?;
        let is_blank =
            |line: &String| line.trim().is_empty() || line.trim_start().starts_with("//");
        between.iter().all(is_blank).then_some(section)
    }
}

/// The section that an attribute in a text asks for.
fn attribute(text: &str) -> Option<&'static str> {
    let words: BTreeSet<&str> = words(text).collect();
    let has_attribute = words.contains("__attribute__") || words.contains("__attribute");
    WORDS
        .iter()
        .find(|(word, _)| has_attribute && words.contains(word))
        .map(|&(_, section)| section)
}

fn section(word: &str) -> Option<&'static str> {
    let mut known = WORDS.iter();
    known
        .find(|(known, _)| *known == word)
        .map(|&(_, section)| section)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.split(move |character| !is_part(character))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn words_of_other_compilers() {
        let text = Text::parse(
            "\
#define NV __attribute__((persistent))
#pragma PERSISTENT(count)
int count = 0;
int plain;
int __attribute__((persistent)) before = 1;
int behind __attribute__((noinit));
NV int hidden;
#pragma NOINIT

int next;
int other; __attribute__((persistent)) int same_line; int last;
__attribute__((persistent))
static int
broken = 3;
struct { int x; } plain_too;
",
        );
        let cases = [
            ("count", 3, Some(".persistent")),
            ("plain", 4, None),
            ("before", 5, Some(".persistent")),
            ("behind", 6, Some(".noinit")),
            ("hidden", 7, Some(".persistent")),
            ("next", 10, Some(".noinit")),
            ("other", 11, None),
            ("same_line", 11, Some(".persistent")),
            ("last", 11, None),
            ("broken", 14, Some(".persistent")),
            ("plain_too", 15, None),
            ("beyond", 99, None),
        ];
        for (name, line, section) in cases {
            assert_eq!(text.section(name, line), section, "{name}");
        }
    }
}
