//! The words, constants and signs of a text in C or C++.

/// A word, a constant or a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    pub(crate) line: u32,
}

impl Token<'_> {
    pub(crate) fn is_name(&self) -> bool {
        let first = self.text.chars().next();
        first.is_some_and(|letter| letter.is_alphabetic() || letter == '_')
    }
}

/// Takes a text apart.
pub(crate) struct Scanner<'t> {
    rest: &'t str,
    line: u32,
    begins_line: bool,
}

pub(crate) enum Piece<'t> {
    Token(Token<'t>),
    /// A line after its `#`.
    Directive(&'t str),
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            rest: text,
            line: 1,
            begins_line: true,
        }
    }

    /// What follows is in this line, as a directive says.
    pub(crate) fn goes_on_at(&mut self, line: u32) {
        self.line = line;
    }

    pub(crate) fn next(&mut self) -> Option<Piece<'t>> {
        loop {
            let letter = self.rest.chars().next()?;
            let text = self.rest;
            if letter == '\n' {
                self.take(1);
                self.begins_line = true;
            } else if letter.is_whitespace() || letter == '\\' {
                self.take(letter.len_utf8());
            } else if text.starts_with("//") {
                self.take(text.find('\n').unwrap_or(text.len()));
            } else if let Some(comment) = text.strip_prefix("/*") {
                self.take(comment.find("*/").map_or(text.len(), |end| end + 4));
            } else if letter == '#' && self.begins_line {
                let mut end = 0;
                loop {
                    let line = text[end..].find('\n').map_or(text.len(), |at| end + at);
                    let is_continued = text[end..line].trim_end().ends_with('\\');
                    if !is_continued || line == text.len() {
                        end = line;
                        break;
                    }
                    end = line + 1;
                }
                // The line that a directive names is the next one.
                self.take((end + 1).min(text.len()));
                return Some(Piece::Directive(&text[1..end]));
            } else {
                self.begins_line = false;
                let line = self.line;
                let taken = self.take(length(text, letter));
                return Some(Piece::Token(Token { text: taken, line }));
            }
        }
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        let lines = taken.bytes().filter(|byte| *byte == b'\n').count();
        self.line = self
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.rest = rest;
        taken
    }
}

/// The length of the token at the beginning of a text.
fn length(text: &str, letter: char) -> usize {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    if let Some(raw) = text.strip_prefix("R\"")
        && let Some((delimiter, inside)) = raw.split_once('(')
        && delimiter.len() <= 16
    {
        let end = inside.find(&format!("){delimiter}\""));
        return end.map_or(text.len(), |end| {
            2 + delimiter.len() + 1 + end + delimiter.len() + 2
        });
    }
    if letter.is_ascii_digit() {
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let joins = letter == '\'' && letters.peek().is_some_and(|(_, next)| is_part(*next));
            if !is_part(letter) && letter != '.' && !joins {
                return at;
            }
        }
        return text.len();
    }
    if is_part(letter) {
        return text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    }
    match letter {
        '"' | '\'' => quoted(text, letter),
        ':' if text.starts_with("::") => 2,
        // Comparisons are no assignments.
        '=' | '!' | '<' | '>' if text[1..].starts_with('=') => 2,
        letter => letter.len_utf8(),
    }
}

/// The length of a string or character constant.
pub(crate) fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            // A constant ends with its line at the latest.
            '\n' => return at,
            letter if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
