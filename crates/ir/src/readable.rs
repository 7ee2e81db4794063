//! Names of C++ and Rust as people write them.

use std::borrow::Cow;

/// What mangled names begin with.
const MARKS: [&str; 2] = ["_Z", "_R"];

/// A text with names of functions as people write them, `Meter::poll()`, where it has names as linkers do,
/// `_ZN5Meter4pollEv`.
pub fn readable(text: &str) -> Cow<'_, str> {
    let next_mark = |text: &str| MARKS.iter().filter_map(|mark| text.find(mark)).min();
    if next_mark(text).is_none() {
        return Cow::Borrowed(text);
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = next_mark(rest) {
        let (before, name) = rest.split_at(start);
        result.push_str(before);
        let end = name.find(|letter| !is_word(letter)).unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        // In quotes it is for linkers: lines of a configuration. But not if it is a call, which an output may be.
        let is_quoted = before.ends_with('"') && !after.starts_with('(');
        // Lines of an output are told in one, with `\n` between them.
        let is_inside = before.ends_with(is_word) && !before.ends_with("\\n");
        let spelled = match is_quoted || is_inside {
            true => None,
            false => demangled(name),
        };
        match spelled {
            // A call has its own arguments: `_ZN5Meter4pollEi(3)`.
            Some(spelled) if after.starts_with('(') => result.push_str(without_types(&spelled)),
            Some(spelled) => result.push_str(&spelled),
            None => result.push_str(name),
        }
        rest = after;
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// How people write the name of a function that linkers know: with the types of its parameters, and without. Nothing
/// if they write it as linkers do.
pub fn spellings(name: &str) -> Vec<String> {
    let is_marked = MARKS.iter().any(|mark| name.starts_with(mark));
    let Some(spelled) = is_marked.then(|| demangled(name)).flatten() else {
        return Vec::new();
    };
    let short = without_types(&spelled).to_owned();
    match short == spelled {
        true => vec![spelled],
        false => vec![spelled, short],
    }
}

fn demangled(name: &str) -> Option<String> {
    if let Some(of_rust) = of_rust(name) {
        return Some(of_rust);
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    symbol.demangle().ok()
}

/// A name of Rust without the hash that tells versions of a crate apart. The names of old compilers look like those
/// of C++ but for that hash.
fn of_rust(name: &str) -> Option<String> {
    let is_of_rust = name.starts_with("_R") || name.contains("17h");
    let symbol = rustc_demangle::try_demangle(name).ok()?;
    is_of_rust.then(|| format!("{symbol:#}"))
}

/// The name of a function without the types of its parameters.
fn without_types(spelled: &str) -> &str {
    let end = spelled.rfind(')').and_then(|end| {
        let mut depth = 0;
        let start = spelled[..=end].char_indices().rev().find(|&(_, letter)| {
            match letter {
                ')' => depth += 1,
                '(' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        Some(start?.0)
    });
    end.map_or(spelled, |end| &spelled[..end])
}

#[cfg(test)]
mod tests {
    use super::{readable, spellings};

    #[test]
    fn names_can_be_written_without_types() {
        let both = ["Meter::isOver(int) const", "Meter::isOver"];
        assert_eq!(spellings("_ZNK5Meter6isOverEi"), both);
        assert_eq!(
            spellings("_ZN4node5store17h0123456789abcdefE"),
            ["node::store"]
        );
        assert!(spellings("main").is_empty());
        assert!(spellings("_RX_PIN").is_empty());
    }

    #[test]
    fn names_are_spelled_as_in_the_source() {
        assert_eq!(
            readable("`_Z3adch` and `_ZN5Meter4pollEv()` in x_Z3adch"),
            "`adc(unsigned char)` and `Meter::poll()` in x_Z3adch"
        );
        assert_eq!(readable("_ZNK5Meter6isOverEi(1, 2)"), "Meter::isOver(1, 2)");
        let output = "it outputs \"_Z4seenii(4, 1)\"";
        assert_eq!(readable(output), "it outputs \"seen(4, 1)\"");
        assert_eq!(
            readable("_Z4seenii(4, 1)\\n_Z4sentt(2)"),
            "seen(4, 1)\\nsent(2)"
        );
        assert_eq!(readable("nothing, _Z"), "nothing, _Z");
        assert_eq!(
            readable("`_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check`, `_RX_PIN`, TX_RX"),
            "`core::panicking::panic_bounds_check`, `_RX_PIN`, TX_RX"
        );
        assert_eq!(
            readable("_ZN4node5store17h0123456789abcdefE(1)"),
            "node::store(1)"
        );
        let line = "function = \"_Z3adch\"";
        assert_eq!(readable(line), line);
    }
}
