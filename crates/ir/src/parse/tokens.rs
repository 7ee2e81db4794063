//! The parser's hands: looking at the next token and taking it, as one of the
//! small things everything else is made of.

use super::lexer::{Lexer, Token, unescape};
use super::{Failure, ParseProblem, Parsed};
use crate::entity::Id;
use crate::source::Place;
use crate::types::Type;

/// A text with one token of foresight.
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    at: usize,
    token: Token<'t>,
    /// Zero bytes asked for so far.
    pub(super) zeros: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lexer = Lexer::new(text);
        let (at, token) = lexer.next();
        Self {
            lexer,
            at,
            token,
            zeros: 0,
        }
    }

    pub(super) fn bump(&mut self) {
        (self.at, self.token) = self.lexer.next();
    }

    /// The byte the next token starts at.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) fn at_end(&self) -> bool {
        self.token == Token::End
    }

    /// The next token if it is a word, else nothing.
    pub(super) const fn word(&self) -> &'t str {
        match self.token {
            Token::Word(word) => word,
            _ => "",
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == word
    }

    pub(super) fn is_number(&self) -> bool {
        self.word().starts_with(|c: char| c.is_ascii_digit())
    }

    pub(super) fn is_id<I: Id>(&self) -> bool {
        id_digits::<I>(self.word()).is_some()
    }

    pub(super) const fn failure(&self, problem: ParseProblem) -> Failure {
        Failure {
            at: self.at,
            problem,
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> Failure {
        let found = match self.token {
            Token::Word(word) => quote(word),
            Token::Text(_) => "a text".to_owned(),
            Token::OpenText => return self.failure(ParseProblem::UnclosedText),
            Token::Arrow => "`->`".to_owned(),
            Token::Mark(c) => format!("`{}`", c.escape_debug()),
            Token::End => "the end".to_owned(),
        };
        self.failure(ParseProblem::Expected { expected, found })
    }

    pub(super) fn accept(&mut self, keyword: &str) -> bool {
        let found = self.is_word(keyword);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn keyword(&mut self, keyword: &'static str) -> Parsed<()> {
        if self.accept(keyword) {
            Ok(())
        } else {
            Err(self.expected(keyword))
        }
    }

    /// What follows `keyword`, if that is next.
    pub(super) fn after<T>(
        &mut self,
        keyword: &str,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<Option<T>> {
        if self.accept(keyword) {
            parse(self).map(Some)
        } else {
            Ok(None)
        }
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    pub(super) fn accept_mark(&mut self, mark: char) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.accept_mark(mark) {
            return Ok(());
        }
        Err(self.expected(match mark {
            '(' => "`(`",
            ')' => "`)`",
            '{' => "`{`",
            '}' => "`}`",
            '[' => "`[`",
            ']' => "`]`",
            ':' => "`:`",
            ',' => "`,`",
            '*' => "`*`",
            '=' => "`=`",
            _ => "another mark",
        }))
    }

    /// One or more, separated by commas.
    pub(super) fn list<T>(
        &mut self,
        items: &mut Vec<T>,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<()> {
        loop {
            items.push(item(self)?);
            if !self.accept_mark(',') {
                return Ok(());
            }
        }
    }

    /// A list between `open` and `close`, possibly empty.
    pub(super) fn enclosed<T>(
        &mut self,
        open: char,
        close: char,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        self.mark(open)?;
        if !self.accept_mark(close) {
            self.list(&mut items, item)?;
            self.mark(close)?;
        }
        Ok(items)
    }

    pub(super) fn text(&mut self) -> Parsed<String> {
        let Token::Text(raw) = self.token else {
            return Err(self.expected("a text in quotes"));
        };
        let text = unescape(raw).map_err(|bad| Failure {
            at: self.at + 1 + bad.0,
            problem: ParseProblem::UnknownEscape,
        })?;
        self.bump();
        Ok(text.into_owned())
    }

    pub(super) fn bits(&mut self) -> Parsed<u128> {
        let word = self.word();
        let (digits, radix) = match word.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (word, 10),
        };
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(self.expected("a number"));
        }
        // Only digits: the one way to fail is to have too many of them.
        let number = u128::from_str_radix(digits, radix)
            .map_err(|_| self.failure(ParseProblem::NumberTooLarge))?;
        self.bump();
        Ok(number)
    }

    pub(super) fn number<T: TryFrom<u128>>(&mut self) -> Parsed<T> {
        let too_large = self.failure(ParseProblem::NumberTooLarge);
        self.bits()?.try_into().map_err(|_| too_large)
    }

    pub(super) fn signed(&mut self) -> Parsed<i64> {
        if self.accept_mark('-') {
            self.negative()
        } else {
            self.number()
        }
    }

    fn negative(&mut self) -> Parsed<i64> {
        let too_large = self.failure(ParseProblem::NumberTooLarge);
        let magnitude: u64 = self.number()?;
        0_i64.checked_sub_unsigned(magnitude).ok_or(too_large)
    }

    /// `+4`, `-4` or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        if self.accept_mark('+') {
            self.number()
        } else if self.accept_mark('-') {
            self.negative()
        } else {
            Ok(0)
        }
    }

    pub(super) fn id<I: Id>(&mut self) -> Parsed<I> {
        let Some(digits) = id_digits::<I>(self.word()) else {
            return Err(self.expected(match I::PREFIX {
                "fn" => "a function such as `fn0`",
                "g" => "a global such as `g0`",
                "b" => "a block such as `b0`",
                "v" => "a value such as `v0`",
                "s" => "a slot such as `s0`",
                "f" => "a file such as `f0`",
                "p" => "a place such as `p0`",
                "t" => "a type such as `t0`",
                _ => "an id",
            }));
        };
        let number: u32 = digits
            .parse()
            .map_err(|_| self.failure(ParseProblem::NumberTooLarge))?;
        self.bump();
        Ok(I::from_index(number as usize))
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let ty = Type::from_name(self.word()).ok_or_else(|| self.expected("a type"))?;
        self.bump();
        Ok(ty)
    }

    /// `-> i16, ptr` or nothing.
    pub(super) fn results(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.token == Token::Arrow {
            self.bump();
            self.list(&mut types, Self::ty)?;
        }
        Ok(types)
    }

    /// `@p3` or nothing.
    pub(super) fn place(&mut self) -> Parsed<Option<Place>> {
        if self.accept_mark('@') {
            self.id().map(Some)
        } else {
            Ok(None)
        }
    }
}

/// The digits of an id, if `word` is one.
fn id_digits<I: Id>(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(I::PREFIX)?;
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then_some(digits)
}

/// A word in backticks, cut short if it is long. Words are ASCII.
pub(super) fn quote(word: &str) -> String {
    match word.get(..40) {
        Some(start) => format!("`{start}…`"),
        None => format!("`{word}`"),
    }
}
