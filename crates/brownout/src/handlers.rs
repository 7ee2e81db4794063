//! Attributes that say that a function is an interrupt handler, and that clang drops or refuses: `[[interrupt]]` of C23 and
//! C++, and on an MSP430 those of GCC that name no vector.
//!
//! They become the annotation that says so to everybody. Which interrupt it is stays in the file, where
//! `device::vectors` reads it.

use crate::tokens::quoted;

/// The names of the attribute.
const NAMES: [&str; 2] = ["interrupt", "__interrupt__"];
/// What it becomes between `[[` and `]]`.
const STANDARD: &str = "clang::annotate(\"brownout:interrupt\"), gnu::used";
/// What it becomes in an attribute of GCC.
const GNU: &str = "__annotate__(\"brownout:interrupt\"), __used__";

/// A text with attributes that clang takes; none if nothing has to be changed.
pub(crate) fn annotated(text: &str, target: &str) -> Option<String> {
    if !text.contains("interrupt") {
        return None;
    }
    // Elsewhere clang takes the attribute without a vector.
    let is_msp430 = target.starts_with("msp430");
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(letter) = rest.chars().next() {
        let skipped = match letter {
            '"' | '\'' => quoted(rest, letter),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '[' if rest.starts_with("[[") => {
                let meaning = |item: &str| match item.strip_prefix("gnu::") {
                    Some(item) if is_msp430 && NAMES.contains(&item) => Some(STANDARD),
                    Some(_) => None,
                    None => is_named(item).then_some(STANDARD),
                };
                if let Some((list, length)) = list(rest, "[[", "]]")
                    && let Some(list) = replaced(list, meaning)
                {
                    result.push_str(&format!("[[{list}]]"));
                    rest = &rest[length..];
                    changed = true;
                    continue;
                }
                2
            }
            letter if is_part(letter) => {
                let word = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
                let behind = rest[word..].trim_start();
                let is_attribute = matches!(&rest[..word], "__attribute__" | "__attribute");
                let meaning = |item: &str| NAMES.contains(&item).then_some(GNU);
                if is_attribute
                    && is_msp430
                    && let Some((list, length)) = list(behind, "((", "))")
                    && let Some(list) = replaced(list, meaning)
                {
                    result.push_str(&format!("__attribute__(({list}))"));
                    rest = &behind[length..];
                    changed = true;
                    continue;
                }
                word
            }
            letter => letter.len_utf8(),
        };
        result.push_str(&rest[..skipped]);
        rest = &rest[skipped..];
    }
    changed.then_some(result)
}

/// Whether an attribute is this one, with or without a vector.
fn is_named(item: &str) -> bool {
    let name = item.split('(').next().unwrap_or_default();
    NAMES.contains(&name.trim_end())
}

/// What is between `open` at the start of a text and the `close` that belongs to it, and how much of the text both of
/// them and that are. None if the text begins otherwise, or nothing closes it.
fn list<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, usize)> {
    let inner = text.strip_prefix(open)?;
    let mut depth = 0usize;
    for (at, letter) in inner.char_indices() {
        if depth == 0 && inner[at..].starts_with(close) {
            return Some((&inner[..at], open.len() + at + close.len()));
        }
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// A list with their meaning in the place of those items that have one; none if there are none.
fn replaced(list: &str, meaning: impl Fn(&str) -> Option<&'static str>) -> Option<String> {
    let mut items: Vec<&str> = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    let is_any = items.iter().any(|item| meaning(item.trim()).is_some());
    is_any.then(|| {
        let items = items
            .iter()
            .map(|item| meaning(item.trim()).unwrap_or(item));
        items.collect::<Vec<&str>>().join(",")
    })
}

#[cfg(test)]
mod tests {
    use super::annotated;

    #[test]
    fn attributes_become_annotations() {
        let standard = "[[clang::annotate(\"brownout:interrupt\"), gnu::used]] void f(void);";
        let gnu = "void __attribute__((__annotate__(\"brownout:interrupt\"), __used__)) f(void);";
        let cases = [
            ("[[interrupt]] void f(void);", Some(standard)),
            ("[[interrupt(PORT1_VECTOR)]] void f(void);", Some(standard)),
            ("[[interrupt ( ADC(1, 2) )]] void f(void);", Some(standard)),
            ("[[gnu::interrupt]] void f(void);", Some(standard)),
            ("[[gnu::interrupt(9)]] void f(void);", None),
            ("void __attribute__((interrupt)) f(void);", Some(gnu)),
            ("void __attribute__ (( __interrupt__ )) f(void);", Some(gnu)),
            ("void __attribute__((interrupt(9))) f(void);", None),
            ("// [[interrupt]]\nchar *s = \"[[interrupt]]\";", None),
            (
                "[[noreturn]] void interrupt(void); int x = a[b[interrupt]];",
                None,
            ),
            ("[[interrupt", None),
        ];
        for (text, expected) in cases {
            assert_eq!(annotated(text, "msp430").as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn other_attributes_of_the_list_stay() {
        let text = "[[nodiscard, interrupt]] int f(); int g() __attribute__((interrupt, used));";
        let found = annotated(text, "msp430");
        let expected = "[[nodiscard,clang::annotate(\"brownout:interrupt\"), gnu::used]] int f(); \
                        int g() __attribute__((__annotate__(\"brownout:interrupt\"), __used__, used));";
        assert_eq!(found.as_deref(), Some(expected));
        assert_eq!(
            annotated("void g(void) __attribute__((interrupt));", "thumbv7m"),
            None
        );
    }
}
