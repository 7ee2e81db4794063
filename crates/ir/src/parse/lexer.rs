//! Text to tokens, one at a time and without copying.

use std::borrow::Cow;

/// A piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// Letters, digits and underscores: keywords, ids, numbers, hex bytes.
    Word(&'t str),
    /// What stands between quotes, escapes not yet resolved.
    Text(&'t str),
    /// A quote without its partner.
    OpenText,
    /// `->`
    Arrow,
    /// Any other single character.
    Mark(char),
    /// Nothing is left.
    End,
}

/// Why a quoted text has no meaning, and at which byte of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BadEscape(pub(super) usize);

/// Reads tokens from a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token and the byte it starts at.
    pub(super) fn next(&mut self) -> (usize, Token<'t>) {
        self.skip_blanks();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let token = match bytes.get(start) {
            None => Token::End,
            Some(b'"') => self.quoted(),
            Some(byte) if is_word(*byte) => {
                let length = bytes[start..]
                    .iter()
                    .take_while(|byte| is_word(**byte))
                    .count();
                self.at += length;
                Token::Word(&self.text[start..self.at])
            }
            Some(b'-') if bytes.get(start + 1) == Some(&b'>') => {
                self.at += 2;
                Token::Arrow
            }
            Some(_) => match self.text[start..].chars().next() {
                Some(c) => {
                    self.at += c.len_utf8();
                    Token::Mark(c)
                }
                None => Token::End,
            },
        };
        (start, token)
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().take_while(|byte| **byte != b'\n').count();
                }
                _ => break,
            }
        }
    }

    /// A text ends at the next quote that no backslash precedes.
    fn quoted(&mut self) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut at = start;
        loop {
            match bytes.get(at) {
                None => {
                    self.at = bytes.len();
                    return Token::OpenText;
                }
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        // Both ends are next to quotes, so they lie between characters.
        self.text
            .get(start..at)
            .map_or(Token::OpenText, Token::Text)
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Resolves the escapes of a quoted text.
pub(super) fn unescape(text: &str) -> Result<Cow<'_, str>, BadEscape> {
    if !text.contains('\\') {
        return Ok(Cow::Borrowed(text));
    }
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(offset) = text[at..].find('\\') {
        let backslash = at + offset;
        result.push_str(&text[at..backslash]);
        let (c, length) = escape(&text[backslash + 1..]).ok_or(BadEscape(backslash))?;
        result.push(c);
        at = backslash + 1 + length;
    }
    result.push_str(&text[at..]);
    Ok(Cow::Owned(result))
}

/// The character an escape stands for and its length after the backslash.
fn escape(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes().first()? {
        b'n' => Some(('\n', 1)),
        b't' => Some(('\t', 1)),
        b'"' => Some(('"', 1)),
        b'\\' => Some(('\\', 1)),
        b'u' => {
            let digits = rest.strip_prefix("u{")?.split_once('}')?.0;
            let valid = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| valid)?;
            Some((char::from_u32(code)?, digits.len() + 3))
        }
        _ => None,
    }
}
