//! Linker scripts, as far as they say where sections of variables lie: `MEMORY` with its regions, and `SECTIONS`
//! with the region of each section. Scripts of GNU's linker and of TI's (`.cmd`) are understood.
//!
//! Where a script places a section is known better than its name: a region at an address that the chip knows is
//! what the chip says, another one is what its own name says ([`crate::sections`]). What is not understood of a
//! script changes nothing.

use crate::glob;

/// A region of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Its name in the script; empty for a mere address.
    pub(crate) name: String,
    /// Where it begins, if that is a number.
    pub(crate) origin: Option<u64>,
}

/// Where linker scripts place sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    regions: Vec<Region>,
    /// Patterns of sections, and the regions that they go to.
    placed: Vec<(String, String)>,
    /// Patterns of sections that are not part of the image (`NOLOAD`).
    unloaded: Vec<String>,
}

impl Layout {
    /// Adds what a script says.
    pub(crate) fn read(&mut self, text: &str) {
        let tokens = tokens(text);
        let mut rest = &tokens[..];
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            let Some((body, behind)) = block(after) else {
                continue;
            };
            match first.as_str() {
                "MEMORY" => self.regions.extend(regions(body)),
                "SECTIONS" => {
                    self.placed.extend(placed(body));
                    self.unloaded.extend(unloaded(body));
                }
                _ => continue,
            }
            rest = behind;
        }
    }

    /// Whether a script says that nothing is loaded into a section.
    pub(crate) fn is_unloaded(&self, section: &str) -> bool {
        let mut unloaded = self.unloaded.iter();
        unloaded.any(|pattern| glob::matches(pattern, section))
    }

    /// The region that a section lies in, if some script says so.
    pub(crate) fn region(&self, section: &str) -> Option<Region> {
        let mut placed = self.placed.iter();
        let (_, name) = placed.find(|(pattern, _)| glob::matches(pattern, section))?;
        let known = self.regions.iter().find(|region| region.name == *name);
        Some(known.cloned().unwrap_or_else(|| Region {
            name: name.clone(),
            origin: number(name),
        }))
    }
}

/// The sections that output sections take in which are marked: `.log (NOLOAD) : { *(.log.*) }`, TI's `type = NOLOAD`.
fn unloaded(tokens: &[String]) -> Vec<String> {
    let mut unloaded = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some((body, after)) = (token == "{").then(|| block(&tokens[at..])).flatten() else {
            continue;
        };
        // What stands before the braces goes back to the statement before.
        let is_end = |token: &String| matches!(token.as_str(), "}" | ";" | "{");
        let start = tokens[..at]
            .iter()
            .rposition(is_end)
            .map_or(0, |end| end + 1);
        let head = &tokens[start..at];
        let colon = head.iter().rposition(|token| token == ":");
        // A region and what follows it belong to the statement before.
        let name = colon.and_then(|colon| {
            let mut names = head[..colon].iter();
            names.rfind(|token| is_section(token))
        });
        let is_marked = (head.windows(2)).any(|words| words[0] == "(" && words[1] == "NOLOAD");
        let behind = after.iter().position(is_end).unwrap_or(after.len());
        let behind = &after[..behind];
        let is_ti = behind.windows(3).any(|words| {
            words[0].eq_ignore_ascii_case("type") && words[1] == "=" && words[2] == "NOLOAD"
        });
        if is_marked || is_ti {
            unloaded.extend(name.into_iter().chain(patterns(body)).cloned());
        }
    }
    unloaded
}

/// Words, and single signs; comments are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            first if first.is_whitespace() => first.len_utf8(),
            '"' => {
                let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                tokens.push(rest[1..length].trim_end_matches('"').to_owned());
                length
            }
            first => {
                let is_word = |c: char| c.is_alphanumeric() || "._$*?[]-/!~".contains(c);
                let length = match is_word(first) {
                    true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                    false => first.len_utf8(),
                };
                tokens.push(rest[..length].to_owned());
                length
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// What is between the braces that a text begins with, and what comes after them.
fn block(tokens: &[String]) -> Option<(&[String], &[String])> {
    if tokens.first().map(String::as_str) != Some("{") {
        return None;
    }
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&tokens[1..at], &tokens[at + 1..]));
        }
    }
    None
}

/// `NAME (rwx) : ORIGIN = 0x1000, LENGTH = 2K`, any number of them.
fn regions(tokens: &[String]) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut name = None;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", String::as_str);
        match (token.to_lowercase().as_str(), next) {
            ("origin" | "org" | "o", "=") => regions.extend(name.take().map(|name| Region {
                name,
                origin: tokens.get(at + 2).and_then(|origin| number(origin)),
            })),
            // `(rwx)` stands between a name and its colon.
            (word, ":" | "(") if word != ")" => name = Some(token.clone()),
            _ => {}
        }
    }
    regions
}

/// Which patterns of sections go to which region.
fn placed(tokens: &[String]) -> Vec<(String, String)> {
    let mut placed = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        // A statement: what it is about, what it contains, where that goes.
        let end = rest
            .iter()
            .position(|token| matches!(token.as_str(), "{" | ";" | ">"))
            .unwrap_or(rest.len());
        let (head, after) = rest.split_at(end);
        let (body, after) = match block(after) {
            Some(both) => both,
            None => (&[][..], after),
        };
        let (region, after) = region_of(after);
        // A brace that is never closed, or a region without a name, is left out.
        rest = match after.len() < rest.len() {
            true => after,
            false => &rest[1..],
        };
        let mut inside = match head
            .iter()
            .any(|token| token == "GROUP" || token == "UNION")
        {
            true => placed_in_group(body),
            false => {
                let name = head.iter().filter(|token| is_section(token)).take(1);
                let patterns = name.chain(patterns(body)).cloned();
                patterns.map(|pattern| (pattern, None)).collect()
            }
        };
        placed.extend(
            inside
                .drain(..)
                .filter_map(|(pattern, own)| Some((pattern, own.or_else(|| region.clone())?))),
        );
    }
    placed
}

/// The same of a group, whose members may have regions of their own.
fn placed_in_group(tokens: &[String]) -> Vec<(String, Option<String>)> {
    let own = placed(tokens);
    let others = tokens.iter().filter(|token| is_section(token));
    let others = others.map(|token| (token.clone(), None));
    let own = own
        .into_iter()
        .map(|(pattern, region)| (pattern, Some(region)));
    own.chain(others).collect()
}

/// The sections that are named in what an output section contains: `*(.fram .fram.*)`, `KEEP(*(SORT(.x)))`.
fn patterns(body: &[String]) -> impl Iterator<Item = &String> {
    let mut depth = 0;
    body.iter().filter(move |token| {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth > 0 && is_section(token)
    })
}

/// Whether a word can be the name of a section, and not of a file, a function or a number.
fn is_section(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().unwrap_or(' ');
    let begins = first == '.' || first == '_' || first.is_alphabetic();
    let is_plain = !word.ends_with(".o") && !word.ends_with(".a") && !word.contains('/');
    let is_function = [
        "KEEP",
        "SORT",
        "SORT_BY_NAME",
        "SORT_BY_ALIGNMENT",
        "ALIGN",
        "EXCLUDE_FILE",
        "NOLOAD",
    ];
    begins && word != "." && is_plain && !is_function.contains(&word)
}

/// The region after `>`, as far as a statement goes; and what comes after the statement. Where contents are loaded
/// from (`AT>`) does not matter.
fn region_of(tokens: &[String]) -> (Option<String>, &[String]) {
    let mut region = None;
    let mut rest = tokens;
    loop {
        let words: Vec<&str> = rest.iter().take(3).map(String::as_str).collect();
        rest = match words[..] {
            [">", ">", name] => {
                region.get_or_insert(name.to_owned());
                &rest[3..]
            }
            [">", name, ..] => {
                region.get_or_insert(name.to_owned());
                &rest[2..]
            }
            ["AT", ">", _] => &rest[3..],
            // Further attributes of TI's and of GNU's: `ALIGN(2)`, `| FRAM2`, `=0xff`, `:text`.
            ["|" | "=" | ":", _, ..] => &rest[2..],
            ["," | ";", ..] => &rest[1..],
            ["(", _, ")"] => &rest[3..],
            [word, "(", ..] if is_attribute(word) => {
                let end = rest.iter().position(|token| token == ")");
                &rest[end.map_or(rest.len(), |end| end + 1)..]
            }
            _ => return (region, rest),
        };
    }
}

/// Whether a word is an attribute of TI's linker (`ALIGN`, `RUN_START`), and does not begin another statement.
fn is_attribute(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && word != "GROUP" && word != "UNION"
}

/// A number as scripts write it: `0x1800`, `512`, `2K`.
fn number(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix(['K', 'k']) {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    let number = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::Layout;

    /// The name of a region and where it begins, if a section is placed at all.
    type Placed<'t> = Option<(&'t str, Option<u64>)>;

    #[track_caller]
    fn check(script: &str, expected: &[(&str, Placed<'_>)]) {
        let mut layout = Layout::default();
        layout.read(script);
        for &(section, wanted) in expected {
            let region = layout.region(section);
            let found = region
                .as_ref()
                .map(|region| (region.name.as_str(), region.origin));
            assert_eq!(found, wanted, "{section} in {layout:?}");
        }
    }

    #[test]
    fn scripts_of_gnu() {
        check(
            "/* a device */ ENTRY(Reset_Handler)\nMEMORY\n{\n  RAM (xrw) : ORIGIN = 0x20000000, LENGTH = 64K\n\
             FRAM_EXT (rw) : ORIGIN = 0x60000000, LENGTH = 8K\n FLASH (rx) : org = 0x08000000, len = 1M\n}\n\
             _end = ORIGIN(RAM) + LENGTH(RAM);\nSECTIONS\n{\n  .text : { . = ALIGN(4); *(.text .text*) KEEP(*(.init)) } > FLASH\n\
             .data : { _s = .; *(.data .data.*) } > RAM AT> FLASH\n  .log (NOLOAD) : ALIGN(8) { KEEP(*(SORT(.log.*))) *(.log LOGVARS) } >FRAM_EXT =0xff\n\
             .bss : { *(.bss) *(COMMON) } > RAM\n  /DISCARD/ : { *(.comment) }\n .last 0x40000000 : { *(.last) }\n}\n",
            &[
                (".log", Some(("FRAM_EXT", Some(0x6000_0000)))),
                (".log.a", Some(("FRAM_EXT", Some(0x6000_0000)))),
                ("LOGVARS", Some(("FRAM_EXT", Some(0x6000_0000)))),
                (".data.x", Some(("RAM", Some(0x2000_0000)))),
                ("COMMON", Some(("RAM", Some(0x2000_0000)))),
                (".text", Some(("FLASH", Some(0x0800_0000)))),
                (".comment", None),
                (".last", None),
                (".other", None),
            ],
        );
    }

    #[test]
    fn sections_that_are_not_loaded() {
        let mut layout = Layout::default();
        layout.read(
            "SECTIONS {\n .data : { *(.data) } > RAM AT> FLASH\n .log (NOLOAD) : ALIGN(8) { KEEP(*(.log.*)) } > FRAM\n\
             .bss (NOLOAD) : { *(.bss) } > RAM\n .fram : { *(.fram) } > FRAM\n .keep : {} > FRAM type = NOLOAD\n .last : {} > FRAM\n}",
        );
        let unloaded = [".log", ".log.a", ".bss", ".keep"];
        for section in [".data", ".log", ".log.a", ".bss", ".fram", ".keep", ".last"] {
            assert_eq!(
                layout.is_unloaded(section),
                unloaded.contains(&section),
                "{section} in {layout:?}"
            );
        }
    }

    #[test]
    fn scripts_of_ti() {
        check(
            "MEMORY {\n TINYRAM : origin = 0xA, length = 0x16\n RAM : origin = 0x1C00, length = 0x0800\n\
             INFOA : origin = 0x1980, length = 0x0080\n FRAM : origin = 0x4400, length = 0xBB80\n}\nSECTIONS {\n\
             GROUP(RW_IPE) { GROUP(READ_WRITE_MEMORY) { .TI.persistent : {} .cio : {} .settings : {} } ALIGN(0x0400), RUN_START(fram_rw_start)\n\
             GROUP(IPENCAPSULATED_MEMORY) { .ipestruct : {} } } > 0x4400\n\
             .cinit : {} > FRAM\n .bss : {} > RAM\n .infoA : {} > INFOA\n .calibration : > INFOA\n .stack : {} > RAM (HIGH)\n .far : {} >> FRAM | FRAM2\n}\n",
            &[
                (".TI.persistent", Some(("0x4400", Some(0x4400)))),
                (".settings", Some(("0x4400", Some(0x4400)))),
                (".bss", Some(("RAM", Some(0x1c00)))),
                (".infoA", Some(("INFOA", Some(0x1980)))),
                (".calibration", Some(("INFOA", Some(0x1980)))),
                (".far", Some(("FRAM", Some(0x4400)))),
                (".nowhere", None),
            ],
        );
    }

    #[test]
    fn what_is_no_script_says_nothing() {
        for text in [
            "",
            "SECTIONS {",
            "MEMORY",
            "SECTIONS { .x : { *( } > }",
            "int main(void) { return 0; }",
            "\"",
            "/*",
        ] {
            check(text, &[(".x", None)]);
        }
    }
}
