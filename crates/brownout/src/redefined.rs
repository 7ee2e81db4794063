//! Names of our headers that a program defines otherwise: `static inline void __delay_cycles(…)`, where
//! its own compiler has a builtin of that name, or no such name at all.
//!
//! What a program says comes first. Clang finds the conflict; the header is then read without the name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What clang says of a second meaning, up to the name.
const CONFLICTS: [&str; 3] = [
    ": error: static declaration of '",
    ": error: conflicting types for '",
    ": error: redefinition of '",
];

/// The names of each header below `folder` that get into the way of a program, by what clang said of it.
pub(crate) fn names(said: &str, folder: &Path) -> BTreeMap<PathBuf, BTreeSet<String>> {
    let mut found: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut conflict = None;
    for line in said.lines() {
        if line.contains(": error: ") {
            conflict = CONFLICTS.iter().find_map(|message| {
                let (_, name) = line.split_once(message)?;
                name.split_once('\'').map(|(name, _)| name)
            });
        } else if let Some((place, _)) = line.split_once(": note: previous ")
            && let Some(name) = conflict.take()
            && let Some(header) = file(place).filter(|file| file.starts_with(folder))
        {
            let names = found.entry(header.to_owned()).or_default();
            names.insert(name.to_owned());
        }
    }
    found
}

/// The file of `file:line:column`.
fn file(place: &str) -> Option<&Path> {
    let (place, _column) = place.rsplit_once(':')?;
    let (file, _line) = place.rsplit_once(':')?;
    Some(Path::new(file))
}

/// The text of a header in which something else has these names.
pub(crate) fn without(text: &str, names: &BTreeSet<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        if names.contains(&rest[..word]) {
            result.push_str("__brownout_unused_");
        }
        let next = rest[word..]
            .find(is_part)
            .map_or(rest.len(), |at| word + at);
        result.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{names, without};
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn only_names_of_our_headers() {
        let said = "\
a.c:2:20: error: static declaration of '__delay_cycles' follows non-static declaration
    2 | static inline void __delay_cycles(unsigned long n) {}
/our/include/msp430.h:120:6: note: previous declaration is here
b.h:1:5: error: conflicting types for 'own'
c.h:1:6: note: previous declaration is here
b.h:1:5: error: expected ';'
/our/include/msp430.h:121:6: note: previous definition is here
b.h:9:5: error: redefinition of 'dint' as different kind of symbol
/our/include/msp430.h:99:6: note: previous declaration is here
";
        let found = names(said, Path::new("/our"));
        let found: Vec<_> = found.iter().collect();
        let expected = ["__delay_cycles", "dint"].map(str::to_owned);
        assert_eq!(
            found,
            [(
                &Path::new("/our/include/msp430.h").to_owned(),
                &BTreeSet::from(expected)
            )]
        );
    }

    #[test]
    fn whole_words_only() {
        let names = BTreeSet::from(["dint".to_owned()]);
        for (text, expected) in [
            ("void dint(void);", "void __brownout_unused_dint(void);"),
            ("void __dint(void); dint2", "void __dint(void); dint2"),
            ("(dint)", "(__brownout_unused_dint)"),
            ("dint", "__brownout_unused_dint"),
            ("", ""),
        ] {
            assert_eq!(without(text, &names), expected);
        }
    }
}
