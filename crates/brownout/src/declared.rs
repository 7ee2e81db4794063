//! What a text in C or C++ declares, as far as that says where objects are: the attributes, keywords and
//! pragmas at each name.
//!
//! The text is one that the preprocessor has made, or that of a file. It is read by its brackets: a
//! declaration ends with `;`, the body of a type and an initialiser belong to it, and what other braces
//! enclose is read by itself. What is no declaration is read like one, and declares nothing that anybody
//! asks for.

use crate::placing::{self, Pragma, Said};
use crate::tokens::{Piece, Scanner, Token};

/// A name that a text declares.
#[derive(Debug)]
pub(crate) struct Declared<'t> {
    pub(crate) file: String,
    /// The first and the last line of the declaration.
    pub(crate) lines: (u32, u32),
    pub(crate) name: &'t str,
    /// The name with those of the namespaces and classes around it; none in a function.
    pub(crate) qualified: Option<String>,
    pub(crate) is_initialised: bool,
    pub(crate) said: Said,
}

/// What a text says.
#[derive(Default, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) declared: Vec<Declared<'t>>,
    /// What pragmas say of objects that they name.
    pub(crate) named: Vec<(String, Said)>,
}

/// What stands for braces and what they enclose.
const BRACES: &str = "{}";

/// What braces enclose.
#[derive(Clone, PartialEq, Eq)]
enum Braces {
    /// The names in it are those of the text, or of this namespace.
    Namespace(String),
    /// The body of a class, which is a part of a declaration.
    Class(String),
    /// An initialiser, or a function in an expression.
    Part,
    /// Code.
    Block,
}

/// The declaration that is being read, and the braces that it is in.
struct Frame<'t> {
    braces: Braces,
    tokens: Vec<Token<'t>>,
    /// Parentheses and brackets that are open.
    open: usize,
    /// What pragmas say of this declaration, while braces in it are read.
    next: Option<Said>,
}

impl<'t> Text<'t> {
    /// Reads a text that begins in a file of this name.
    pub(crate) fn read(text: &'t str, file: &str) -> Self {
        let mut reader = Reader {
            text: Self::default(),
            file: file.to_owned(),
            frames: vec![Frame::new(Braces::Namespace(String::new()))],
            next: None,
            everything: Vec::new(),
        };
        let mut scanner = Scanner::new(text);
        while let Some(piece) = scanner.next() {
            match piece {
                Piece::Token(token) => reader.token(token),
                Piece::Directive(directive) => {
                    if let Some((number, name)) = placing::marker(directive) {
                        reader.file = name.unwrap_or(reader.file);
                        scanner.goes_on_at(number);
                    } else if let Some(pragma) = placing::pragma(directive) {
                        reader.pragma(pragma);
                    }
                }
            }
        }
        reader.text
    }
}

struct Reader<'t> {
    text: Text<'t>,
    file: String,
    frames: Vec<Frame<'t>>,
    /// What pragmas say of what is declared next.
    next: Option<Said>,
    /// What pragmas say of everything from here on, by the word that ends it.
    everything: Vec<(String, Said)>,
}

impl<'t> Frame<'t> {
    fn new(braces: Braces) -> Self {
        Self {
            braces,
            tokens: Vec::new(),
            open: 0,
            next: None,
        }
    }

    /// What a brace opens after what has been read.
    fn opens(&self) -> Braces {
        if self.open > 0 {
            return Braces::Part;
        }
        let tokens = without_attributes(&self.tokens);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let has = |wanted: &[&str]| texts.iter().any(|text| wanted.contains(text));
        if has(&["namespace"]) {
            return Braces::Namespace(
                texts
                    .last()
                    .map_or("", |name| *name)
                    .replace("namespace", ""),
            );
        }
        if texts.first() == Some(&"extern") && texts.get(1).is_some_and(|it| it.starts_with('"')) {
            return Braces::Namespace(String::new());
        }
        if has(&["="]) {
            return Braces::Part;
        }
        if has(&["("]) || texts.len() < 2 && !has(&TYPES) {
            return Braces::Block;
        }
        let of_type = texts.iter().rposition(|text| TYPES.contains(text));
        if let Some(at) = of_type
            && !texts.contains(&BRACES)
        {
            let name = texts.get(at + 1).filter(|name| is_name(name));
            return Braces::Class(name.copied().unwrap_or_default().to_owned());
        }
        // `int x{3};`
        match tokens.last() {
            Some(last) if last.is_name() || last.text == "]" => Braces::Part,
            _ => Braces::Block,
        }
    }
}

const TYPES: [&str; 4] = ["struct", "union", "class", "enum"];

fn is_name(text: &str) -> bool {
    Token { text, line: 0 }.is_name()
}

impl<'t> Reader<'t> {
    fn pragma(&mut self, pragma: Pragma) {
        match pragma {
            Pragma::Object(name, said) => self.text.named.push((name, said)),
            Pragma::Next(said) => self.next.get_or_insert_default().add(&said),
            Pragma::Everything(word, said) => {
                self.everything.retain(|(known, _)| *known != word);
                self.everything.extend(said.map(|said| (word, said)));
            }
        }
    }

    fn token(&mut self, token: Token<'t>) {
        let is_inside = self.frames.len() > 1;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match token.text {
            "{" => {
                let braces = frame.opens();
                match braces {
                    Braces::Class(_) | Braces::Part => frame.next = self.next.take(),
                    // A function is what a pragma before it is about.
                    Braces::Block if !frame.tokens.is_empty() => self.next = None,
                    Braces::Block | Braces::Namespace(_) => {}
                }
                self.frames.push(Frame::new(braces));
            }
            "}" if is_inside => {
                let ended = self.frames.pop().map(|frame| frame.braces);
                let Some(frame) = self.frames.last_mut() else {
                    return;
                };
                match ended {
                    Some(Braces::Class(_) | Braces::Part) => {
                        self.next = frame.next.take().or_else(|| self.next.take());
                        frame.tokens.push(Token {
                            text: BRACES,
                            line: token.line,
                        });
                    }
                    _ => frame.tokens.clear(),
                }
            }
            ";" if frame.open == 0 => {
                let tokens = std::mem::take(&mut frame.tokens);
                self.declaration(&tokens, token.line);
            }
            // Labels, and `public:`.
            ":" if frame.open == 0
                && (frame.tokens.len() == 1
                    || frame.tokens.first().is_some_and(|it| it.text == "case")) =>
            {
                frame.tokens.clear();
            }
            text => {
                match text {
                    "(" | "[" => frame.open += 1,
                    ")" | "]" => frame.open = frame.open.saturating_sub(1),
                    _ => {}
                }
                frame.tokens.push(token);
            }
        }
    }

    /// A declaration up to its `;`, which is in this line.
    fn declaration(&mut self, tokens: &[Token<'t>], last: u32) {
        let Some(first) = tokens.first() else {
            return;
        };
        if matches!(first.text, "typedef" | "using" | "return" | "goto") {
            return;
        }
        let mut scope = Some(String::new());
        for frame in &self.frames {
            scope = match (&frame.braces, scope) {
                (Braces::Namespace(name) | Braces::Class(name), Some(scope)) => {
                    let separator = if name.is_empty() { "" } else { "::" };
                    Some(scope + name + separator)
                }
                _ => None,
            };
        }
        let mut for_all = Said::default();
        let mut found = Vec::new();
        for (index, declarator) in split(tokens).enumerate() {
            let (items, mut said) = (Declarator::of(declarator), Said::default());
            for (at, of_attribute) in &items.said {
                match items.name {
                    // What is before the first name is about all of them.
                    Some((name, _)) if index == 0 && *at < name => for_all.add(of_attribute),
                    None if index == 0 => for_all.add(of_attribute),
                    _ => said.add(of_attribute),
                }
            }
            if let Some((at, path)) = items.name {
                found.push((declarator[at].text, path, items.is_initialised, said));
            }
        }
        if found.is_empty() {
            return;
        }
        let next = self.next.take();
        for (name, path, is_initialised, mut said) in found {
            said.add(&for_all);
            next.iter().for_each(|next| said.add(next));
            self.everything.iter().for_each(|(_, all)| said.add(all));
            self.text.declared.push(Declared {
                file: self.file.clone(),
                lines: (first.line.min(last), last),
                name,
                qualified: scope.as_ref().map(|scope| format!("{scope}{path}")),
                is_initialised,
                said,
            });
        }
    }
}

/// The parts of a declaration between its commas.
fn split<'d, 't>(tokens: &'d [Token<'t>]) -> impl Iterator<Item = &'d [Token<'t>]> {
    let (mut open, mut angles, mut is_value) = (0usize, 0usize, false);
    let mut before = "";
    tokens.split(move |token| {
        let mut ends = false;
        match token.text {
            "(" | "[" => open += 1,
            ")" | "]" => open = open.saturating_sub(1),
            "=" if open == 0 => is_value = true,
            "<" if open == 0 && !is_value && is_name(before) => angles += 1,
            ">" if open == 0 => angles = angles.saturating_sub(1),
            "," if open == 0 && angles == 0 => {
                ends = true;
                is_value = false;
            }
            _ => {}
        }
        before = token.text;
        ends
    })
}

/// What a part of a declaration consists of.
struct Declarator {
    /// Where its name is, and the name with those before `::`.
    name: Option<(usize, String)>,
    /// What is said about where objects are, and where.
    said: Vec<(usize, Said)>,
    is_initialised: bool,
}

/// Words before parentheses that hold neither parameters nor a declarator.
const OPERATORS: [&str; 9] = [
    "typeof",
    "__typeof__",
    "__typeof",
    "decltype",
    "_Atomic",
    "_BitInt",
    "alignas",
    "_Alignas",
    "__declspec",
];

impl Declarator {
    fn of(tokens: &[Token<'_>]) -> Self {
        let mut said = Vec::new();
        let mut name = None;
        let mut is_initialised = false;
        let mut is_settled = false;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let end = group(tokens, at + 1);
            if let Some(end_of_attribute) = attribute_at(tokens, at) {
                let inside = tokens.get(at + 1..end_of_attribute).unwrap_or_default();
                said.push((at, placing::attribute(inside)));
                at = end_of_attribute;
                continue;
            }
            if let Some(of_keyword) = placing::keyword(token.text) {
                said.push((at, of_keyword));
                at += 1;
                continue;
            }
            let text = token.text;
            if text == "@" && !is_initialised {
                said.push((at, placing::place(&tokens[at + 1..end])));
                at = end;
            } else if matches!(text, "asm" | "__asm__" | "__asm") || OPERATORS.contains(&text) {
                at = if tokens.get(at + 1).is_some_and(|it| it.text == "(") {
                    end
                } else {
                    at + 1
                };
            } else if matches!(text, "=" | ":") {
                is_initialised |= text == "=";
                is_settled = true;
                at += 1;
            } else if is_settled {
                at += 1;
            } else if TYPES.contains(&text) {
                // The name of a type, if it has one.
                at += 1;
                while let Some(end) = attribute_at(tokens, at) {
                    at = end;
                }
                at += usize::from(tokens.get(at).is_some_and(Token::is_name));
            } else if text == "[" {
                at = group(tokens, at);
            } else if text == "(" {
                let pointer = tokens
                    .get(at + 1)
                    .is_some_and(|it| matches!(it.text, "*" | "&" | "^"));
                let end = group(tokens, at);
                if pointer {
                    name = (at..end).find(|&at| {
                        tokens[at].is_name() && !matches!(tokens[at].text, "const" | "volatile")
                    });
                }
                is_settled = name.is_some();
                at = end;
            } else {
                if token.is_name() {
                    name = Some(at);
                }
                is_initialised |= text == BRACES && name.is_some();
                at += 1;
            }
        }
        Self {
            name: name.map(|at| (at, path(tokens, at))),
            said,
            is_initialised,
        }
    }
}

/// The name at a place with those before `::`, without arguments of templates.
fn path(tokens: &[Token<'_>], at: usize) -> String {
    let mut path = tokens[at].text.to_owned();
    let mut at = at;
    while at >= 2 && tokens[at - 1].text == "::" {
        at -= 2;
        if tokens[at].text == ">" {
            let mut depth = 0usize;
            while at > 0 {
                match tokens[at].text {
                    ">" => depth += 1,
                    "<" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                at -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        path = format!("{}::{path}", tokens[at].text);
    }
    path
}

/// Where an attribute that begins here ends.
fn attribute_at(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
    if is(at, "__attribute__") || is(at, "__attribute") {
        return Some(group(tokens, at + 1));
    }
    (is(at, "[") && is(at + 1, "[")).then(|| group(tokens, at))
}

/// Where the group ends that begins here: brackets and what they enclose, or a token.
fn group(tokens: &[Token<'_>], start: usize) -> usize {
    let mut open = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text {
            "(" | "[" => open += 1,
            ")" | "]" => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn without_attributes<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut rest = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match attribute_at(tokens, at) {
            Some(end) => at = end,
            None => {
                rest.push(*token);
                at += 1;
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn texts_that_end_anywhere() {
        let text = "#pragma location=\nstruct { int (*a[3])(void); } __attribute__((persistent)) x[2] = { {1}, }, \
            y @ 0x18; template<class T> [[gnu::noinit]] int A<T>::b{2}; void f() { case 1: R\"(\"; '\\'";
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            Text::read(&text[..end], "a.c");
            Text::read(&text[end..], "a.c");
        }
    }
}
