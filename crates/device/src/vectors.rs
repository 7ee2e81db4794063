//! Which interrupt a handler handles, as its source says: `__attribute__((interrupt(TIMER0_A0_VECTOR)))`,
//! or `#pragma vector=TIMER0_A0_VECTOR` in front of it.
//!
//! Compilers only see a number, which means something else in every header. So the text of the file is
//! looked at in which debug information says that the handler is, without the preprocessor. A table of vectors says
//! it by its entries.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Program, Symbol};

use crate::prepared::ReadSource;

/// The names of interrupts, or their numbers, by handler.
pub(crate) fn vectors(
    program: &Program,
    handlers: &BTreeSet<&str>,
    sources: ReadSource<'_>,
) -> BTreeMap<String, String> {
    let functions = program.functions.values();
    let functions = functions.filter(|function| handlers.contains(function.name.as_str()));
    let places = functions.filter_map(|function| program.source.places.get(function.place?));
    let files = places.filter_map(|place| program.source.files.get(place.file));
    let files: BTreeSet<&String> = files.collect();
    let mut found = BTreeMap::new();
    for file in files {
        // A file that is gone says nothing.
        if let Some(bytes) = sources(file) {
            read(&String::from_utf8_lossy(&bytes), handlers, &mut found);
        }
    }
    found
}

/// The words of a text, as C has them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.split(move |character| !is_part(character))
        .filter(|word| !word.is_empty())
}

/// Reads a text. A declaration goes from one `;`, `{` or `}` to the next: an interrupt and a handler in
/// the same one belong together.
fn read(text: &str, handlers: &BTreeSet<&str>, found: &mut BTreeMap<String, String>) {
    for declaration in text.split([';', '{', '}']) {
        let (mut vector, mut handler) = (None, None);
        let mut all = words(declaration).peekable();
        while let Some(word) = all.next() {
            match word {
                // `__attribute__((interrupt)) void f(void)` names none.
                "interrupt" | "__interrupt__" | "vector" => {
                    let next = all.peek().copied();
                    vector = next.filter(|next| is_vector(next)).or(vector);
                }
                word if handlers.contains(word) => handler = Some(word),
                _ => {}
            }
        }
        if let (Some(handler), Some(vector)) = (handler, vector) {
            let known = found.entry(handler.to_owned());
            known.or_insert_with(|| vector.to_owned());
        }
    }
}

/// Whether a word may name an interrupt: `PORT1_VECTOR`, or a number.
fn is_vector(word: &str) -> bool {
    word.ends_with("_VECTOR") || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The entries of tables of interrupt vectors: which one it is, and the function.
pub(crate) fn entries(program: &Program) -> impl Iterator<Item = (u64, &str)> {
    let tables = program.globals.values().filter(|global| {
        let section = global.section.as_deref().unwrap_or_default();
        section.contains("vector") || section.contains("intvec")
    });
    let word = u64::from(program.target.pointer_bytes());
    let relocations = tables.filter_map(|global| global.init.as_ref());
    let relocations = relocations.flat_map(|init| &init.relocations);
    relocations.filter_map(move |relocation| match relocation.symbol {
        Symbol::Func(func) => Some((
            relocation.offset / word,
            program.functions[func].name.as_str(),
        )),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn interrupts_of_handlers() {
        let text = "\
#include <msp430.h>
static int x = 3;
#pragma vector = TIMER0_A0_VECTOR
__interrupt void timer(void) { x++; }
void __attribute__((interrupt(PORT1_VECTOR))) port(void)
{ x = 0; }
#if defined(__TI_COMPILER_VERSION__)
#pragma vector=ADC12_VECTOR
__interrupt void adc(void)
#elif defined(__GNUC__)
void __attribute__ ((interrupt(ADC12_VECTOR))) adc (void)
#endif
{ }
void wdt(void) __attribute__((interrupt(49)));
__attribute__((interrupt)) void plain(void) {}
void wdt(void) {}
";
        let handlers = BTreeSet::from(["timer", "port", "adc", "wdt", "plain"]);
        let mut found = BTreeMap::new();
        read(text, &handlers, &mut found);
        let found: Vec<(&str, &str)> = (found.iter())
            .map(|(handler, vector)| (handler.as_str(), vector.as_str()))
            .collect();
        let expected = [
            ("adc", "ADC12_VECTOR"),
            ("port", "PORT1_VECTOR"),
            ("timer", "TIMER0_A0_VECTOR"),
            ("wdt", "49"),
        ];
        assert_eq!(found, expected);
    }
}
