//! Words that say where an object is: attributes, keywords and pragmas of other compilers, and what
//! they mean. What is not known to have nothing to do with that is kept in its own words, so that
//! somebody is told.

use brownout_device::words;

use crate::tokens::Token;

/// What is said about where an object is.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// The section that it is in.
    section: Option<String>,
    /// The address that it is at.
    address: Option<String>,
    /// Whether it is kept, and whether anything initialises it then.
    kept: Option<Kept>,
    /// Words that are not understood.
    unknown: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Persistent,
    Noinit,
}

impl Said {
    fn in_section(section: &str) -> Self {
        Self {
            section: Some(section.to_owned()),
            ..Self::default()
        }
    }

    fn kept(kept: Kept) -> Self {
        Self {
            kept: Some(kept),
            ..Self::default()
        }
    }

    fn unknown(words: String) -> Self {
        Self {
            unknown: Some(words),
            ..Self::default()
        }
    }

    /// Adds what is said further away from the name.
    pub(crate) fn add(&mut self, other: &Self) {
        self.section = self.section.take().or_else(|| other.section.clone());
        self.address = self.address.take().or_else(|| other.address.clone());
        self.kept = self.kept.or(other.kept);
        self.unknown = self.unknown.take().or_else(|| other.unknown.clone());
    }

    pub(crate) fn is_noinit(&self) -> bool {
        self.kept == Some(Kept::Noinit)
    }

    /// The section that other compilers put such an object into. One at an address is in a section
    /// `.location.ADDRESS`; one of which nobody knows where it is, in one that is called like what says so.
    pub(crate) fn section(&self) -> Option<String> {
        if let Some(address) = &self.address {
            let kept = if self.is_noinit() { ".noinit" } else { "" };
            return Some(format!("{kept}.location.{address}"));
        }
        let kept = self.kept.map(|kept| match kept {
            Kept::Persistent => ".persistent".to_owned(),
            Kept::Noinit => ".noinit".to_owned(),
        });
        let section = self.section.clone().or(kept);
        section.or_else(|| self.unknown.clone())
    }
}

/// A pragma.
pub(crate) enum Pragma {
    /// About an object.
    Object(String, Said),
    /// About what is declared next.
    Next(Said),
    /// About everything from here on, up to the next one with this word; none ends that.
    Everything(String, Option<Said>),
}

/// Attributes that say nothing about where an object is, or that clang understands itself.
const HARMLESS: [&str; 51] = [
    "section",
    "aligned",
    "packed",
    "used",
    "unused",
    "maybe_unused",
    "weak",
    "weakref",
    "alias",
    "ifunc",
    "visibility",
    "deprecated",
    "unavailable",
    "annotate",
    "may_alias",
    "mode",
    "vector_size",
    "ext_vector_type",
    "tls_model",
    "common",
    "nocommon",
    "cleanup",
    "transparent_union",
    "designated_init",
    "nonstring",
    "retain",
    "copy",
    "no_reorder",
    "externally_visible",
    "selectany",
    "dllimport",
    "dllexport",
    "init_priority",
    "no_destroy",
    "require_constant_initialization",
    "no_unique_address",
    "uninitialized",
    "address_space",
    "progmem",
    "io",
    "io_low",
    "lower",
    "either",
    "zero_init",
    "model",
    "scalar_storage_order",
    "warn_if_not_aligned",
    "btf_decl_tag",
    "noreturn",
    "const",
    "error",
];

/// What the attribute in these brackets says.
pub(crate) fn attribute(tokens: &[Token<'_>]) -> Said {
    let mut said = Said::default();
    let mut at = 0;
    let mut depth = 0usize;
    // Brackets of the attribute itself; those of arguments are skipped.
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            text if token.is_name() => {
                // `gnu::persistent`, `using gnu: persistent`
                let is_prefix = tokens
                    .get(at)
                    .is_some_and(|it| matches!(it.text, "::" | ":"));
                if is_prefix || text == "using" {
                    continue;
                }
                let mut end = at;
                if tokens.get(at).is_some_and(|it| it.text == "(") {
                    let mut open = 0usize;
                    while let Some(token) = tokens.get(end) {
                        end += 1;
                        match token.text {
                            "(" => open += 1,
                            ")" => open = open.saturating_sub(1),
                            _ => {}
                        }
                        if open == 0 {
                            break;
                        }
                    }
                }
                said.add(&single(text, &tokens[at..end]));
                at = end;
            }
            _ => {}
        }
    }
    said
}

/// What a single attribute with these arguments says.
fn single(name: &str, arguments: &[Token<'_>]) -> Said {
    let plain = name
        .strip_prefix("__")
        .and_then(|name| name.strip_suffix("__"));
    let name = plain.unwrap_or(name);
    match name {
        "persistent" => Said::kept(Kept::Persistent),
        "noinit" => Said::kept(Kept::Noinit),
        "location" | "at" | "address" if !arguments.is_empty() => place(arguments),
        "section" => {
            let mut text = String::new();
            for token in arguments {
                text.push_str(token.text.trim_matches(['"', '(', ')']));
            }
            Said::in_section(&text)
        }
        // Memory that start-up code may or may not set.
        "upper" => Said::unknown(".upper".to_owned()),
        name if HARMLESS.contains(&name) => Said::default(),
        name => Said::unknown(format!("__attribute__(({name}))")),
    }
}

/// What a place says: an address or the name of a section.
pub(crate) fn place(tokens: &[Token<'_>]) -> Said {
    if let Some(text) = tokens.iter().find(|token| token.text.starts_with('"')) {
        return Said::in_section(text.text.trim_matches('"'));
    }
    let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let mut inner = &texts[..];
    while let ["(", rest @ .., ")"] = inner {
        inner = rest;
    }
    Said {
        address: Some(inner.concat()),
        ..Said::default()
    }
}

/// What a keyword of IAR's compilers says.
pub(crate) fn keyword(word: &str) -> Option<Said> {
    match word {
        "__no_init" => Some(Said::kept(Kept::Noinit)),
        "__persistent" => Some(Said::kept(Kept::Persistent)),
        "__eeprom" => Some(Said::in_section(".eeprom")),
        _ => None,
    }
}

/// `# 12 "file.h" 2` or `#line 12 "file.h"`.
pub(crate) fn marker(directive: &str) -> Option<(u32, Option<String>)> {
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

/// Pragmas that place nothing but code and constants, or that clang understands.
const OTHERS: [&str; 8] = [
    "gcc",
    "clang",
    "stdc",
    "omp",
    "data_alignment",
    "retain",
    "required",
    "message",
];
/// The beginnings of such pragmas.
const CODE: [&str; 6] = ["code", "const", "func", "set_code", "text", "swi"];
/// Parts of the words of pragmas that place objects.
const PLACING: [&str; 18] = [
    "section",
    "seg",
    "location",
    "persist",
    "noinit",
    "no_init",
    "attribute",
    "nvm",
    "nvram",
    "fram",
    "eeprom",
    "place",
    "memory",
    "udata",
    "idata",
    "address",
    "bss",
    "data",
];

/// A pragma that places objects.
pub(crate) fn pragma(directive: &str) -> Option<Pragma> {
    let rest = directive.trim_start().strip_prefix("pragma")?;
    let mut parts = words(rest);
    let word = parts.next()?;
    let text = rest.split('"').nth(1).map(str::to_owned);
    let lower = word.to_lowercase();
    let section = |text: String| Said::in_section(&text);
    match lower.as_str() {
        "persistent" | "noinit" => {
            let said = match lower.as_str() {
                "noinit" => Said::kept(Kept::Noinit),
                _ => Said::kept(Kept::Persistent),
            };
            Some(match parts.next() {
                Some(name) => Pragma::Object(name.to_owned(), said),
                None => Pragma::Next(said),
            })
        }
        "data_section" => {
            let inside = rest.split('(').nth(1)?.split('"').next()?;
            Some(match words(inside).next() {
                Some(name) => Pragma::Object(name.to_owned(), section(text?)),
                None => Pragma::Next(section(text?)),
            })
        }
        "set_data_section" => Some(Pragma::Everything(lower, text.map(section))),
        // TI's: `LOCATION(x, 0x1800)` or `LOCATION(0x1800)`; IAR's: `location = 0x1800`, `= "name"`.
        "location" => {
            let value = |value: &str| {
                let value = value.trim().trim_start_matches('=').trim();
                place(&[Token {
                    text: value,
                    line: 0,
                }])
            };
            if text.is_some() || rest.contains('=') {
                return match text {
                    Some(text) => Some(Pragma::Next(section(text))),
                    None => rest
                        .split_once('=')
                        .map(|(_, text)| Pragma::Next(value(text))),
                };
            }
            let inside = rest.split_once('(')?.1;
            let inside = inside.rsplit_once(')').map_or(inside, |(inside, _)| inside);
            Some(match inside.split_once(',') {
                Some((name, address)) => Pragma::Object(name.trim().to_owned(), value(address)),
                None => Pragma::Next(value(inside)),
            })
        }
        // IAR's, for the next declaration: `object_attribute = __no_init`.
        "object_attribute" | "type_attribute" => {
            let mut said = Said::default();
            for word in parts {
                said.add(&keyword(word).unwrap_or_default());
            }
            Some(Pragma::Next(said))
        }
        // IAR's, for all declarations: `= __no_init @ ".FRAM"`, up to `=` alone.
        "default_variable_attributes" => {
            let (_, value) = rest.split_once('=')?;
            let mut said = Said::default();
            let (keywords, placed) = value.split_once('@').unwrap_or((value, ""));
            for word in words(keywords) {
                said.add(&keyword(word).unwrap_or_default());
            }
            if !placed.trim().is_empty() {
                let token = Token {
                    text: placed.trim(),
                    line: 0,
                };
                said.add(&place(&[token]));
            }
            let is_end = value.trim().is_empty();
            Some(Pragma::Everything(lower, (!is_end).then_some(said)))
        }
        "dataseg" => {
            let name = parts.last().filter(|name| *name != "default");
            let name = text.or_else(|| name.map(str::to_owned));
            Some(Pragma::Everything(lower, name.map(section)))
        }
        _ => not_understood(rest, &lower),
    }
}

/// A pragma that may place objects in a way that nobody here knows.
fn not_understood(rest: &str, word: &str) -> Option<Pragma> {
    // `#pragma arm section zidata = ".nv"`
    let mut parts = words(rest).skip(1);
    let second = parts.next().unwrap_or_default().to_lowercase();
    let is_arm = word == "arm" && second == "section";
    let is_other = OTHERS.contains(&word) || CODE.iter().any(|code| word.starts_with(code));
    if !is_arm && (is_other || !PLACING.iter().any(|part| word.contains(part))) {
        return None;
    }
    let argument = if is_arm {
        parts.next()
    } else {
        Some(second.as_str())
    };
    let is_end = argument.is_none_or(|argument| matches!(argument, "" | "default" | "pop"));
    let words = format!(
        "#pragma {}",
        rest.split_whitespace().collect::<Vec<_>>().join(" ")
    );
    Some(Pragma::Everything(
        word.to_owned(),
        (!is_end).then(|| Said::unknown(words)),
    ))
}
