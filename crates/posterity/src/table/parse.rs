//! The grammar of readings and comparisons, and of sets of columns.

use super::names::SIGNS;
use super::number_of::NumberOf;
use super::term::{Range, Selection, Term};

/// A part of a text, and where it begins, in characters from one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    kind: TokenKind,
    text: String,
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    /// One of the characters that separate names.
    Sign,
    Word,
    /// A name in quotes, which is never a keyword.
    Quoted,
}

/// Reads a text from left to right. Errors say what is wrong and where.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    next: usize,
}

/// What is read of a number: which it is, of which column, and given what.
pub(super) type NumberRead = (NumberOf, String, Option<Vec<Term>>);

impl Parser {
    pub(super) fn new(text: &str) -> Result<Self, String> {
        Self::with_signs(text, SIGNS)
    }

    /// Reads a text in which these characters separate names.
    pub(crate) fn with_signs(text: &str, signs: &str) -> Result<Self, String> {
        Ok(Self { tokens: tokens(text, signs)?, next: 0 })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn is(&self, ahead: usize, kind: TokenKind, text: &str) -> bool {
        self.tokens.get(self.next + ahead).is_some_and(|token| token.kind == kind && token.text == text)
    }

    /// Takes a sign if it is next.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(0, TokenKind::Sign, sign);
        self.next += usize::from(found);
        found
    }

    /// Takes a word that is not in quotes if it is next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is(0, TokenKind::Word, word);
        self.next += usize::from(found);
        found
    }

    /// Takes a whole number that is not in quotes, if it is next and a sign or nothing follows it.
    pub(crate) fn take_number_before(&mut self, sign: &str) -> Option<String> {
        let ends = self.tokens.len() == self.next + 1 || self.is(1, TokenKind::Sign, sign);
        let is_number = |token: &&Token| {
            token.kind == TokenKind::Word && token.text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let number = self.peek().filter(|_| ends).filter(is_number)?.text.clone();
        self.next += 1;
        Some(number)
    }

    /// Takes a keyword if it is next and followed by a parenthesis.
    pub(super) fn call(&mut self, keyword: &str) -> bool {
        let found = self.is(0, TokenKind::Word, keyword) && self.is(1, TokenKind::Sign, "(");
        self.next += 2 * usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(self.missing(&format!("`{sign}`")) + &self.quotes()) }
    }

    fn missing(&self, what: &str) -> String {
        match self.peek() {
            Some(token) => format!("{what} is missing before {:?} at character {}", token.text, token.at),
            None => format!("{what} is missing at the end"),
        }
    }

    /// A name of a column, or a value.
    pub(crate) fn name(&mut self, what: &str) -> Result<String, String> {
        match self.peek() {
            Some(token) if token.kind != TokenKind::Sign => {
                let name = token.text.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.missing(what)),
        }
    }

    /// `mean(column)`, or another number of a column, with the condition if it stands inside: `median(age | ward)`.
    pub(super) fn number(&mut self) -> Result<Option<NumberRead>, String> {
        let Some(word) = NumberOf::WORDS.into_iter().find(|word| self.call(word)) else { return Ok(None) };
        let column = self.name("a name")?;
        let level = if word == "quantile" {
            self.expect(",")?;
            self.name("a number between 0 and 1")?
        } else {
            String::new()
        };
        let what = NumberOf::named(word, &level)?;
        let given = if self.take("|") { Some(self.terms()?) } else { None };
        self.expect(")")?;
        Ok(Some((what, column, given)))
    }

    /// `of all`.
    pub(super) fn of_all(&mut self) -> Result<bool, String> {
        if !self.take_word("of") {
            return Ok(false);
        }
        if self.take_word("all") { Ok(true) } else { Err(self.missing("`all`")) }
    }

    /// Terms with commas between them.
    pub(super) fn terms(&mut self) -> Result<Vec<Term>, String> {
        let mut terms: Vec<Term> = Vec::new();
        loop {
            let term = self.term()?;
            if terms.iter().any(|other| other.column == term.column) {
                return Err(twice(&term.column));
            }
            terms.push(term);
            if !self.take(",") {
                return Ok(terms);
            }
        }
    }

    fn term(&mut self) -> Result<Term, String> {
        let column = self.name("a name")?;
        let selection = if self.take("=") {
            Selection::Set(self.values()?)
        } else if self.take_word("in") {
            match self.range() {
                Some(range) => Selection::Range(range),
                None if self.is(0, TokenKind::Sign, "{") => Selection::Set(self.values()?),
                None => return Err(self.missing("`{`")),
            }
        } else if self.take_word("<") {
            if self.take("=") {
                return Err("a bin ends before its upper edge: write `<` without `=`".to_owned());
            }
            Selection::Range(Range::Below(self.name("an edge")?))
        } else if self.take_word(">") {
            if !self.take("=") {
                return Err("a bin begins with its lower edge: write `>=`".to_owned());
            }
            Selection::Range(Range::From(self.name("an edge")?))
        } else {
            Selection::Each
        };
        Ok(Term { column, selection })
    }

    /// `18..65`, if that is next.
    fn range(&mut self) -> Option<Range> {
        let token = self.peek().filter(|token| token.kind == TokenKind::Word)?;
        let (from, to) =
            token.text.split_once("..").filter(|(from, to)| !from.is_empty() && !to.is_empty())?;
        let range = Range::Between(from.to_owned(), to.to_owned());
        self.next += 1;
        Some(range)
    }

    /// One value, or several in braces.
    pub(super) fn values(&mut self) -> Result<Vec<String>, String> {
        if !self.take("{") {
            return Ok(vec![self.name("a value")?]);
        }
        let mut values: Vec<String> = Vec::new();
        loop {
            let value = self.name("a value")?;
            if values.contains(&value) {
                return Err(twice(&value));
            }
            values.push(value);
            if !self.take(",") {
                self.expect("}")?;
                return Ok(values);
            }
        }
    }

    /// One part of what is compared for each column: `A`, `{A, B}` or `(A, f)`.
    pub(super) fn operand(&mut self) -> Result<Vec<Vec<String>>, String> {
        if !self.take("(") {
            return Ok(vec![self.values()?]);
        }
        let mut parts = Vec::new();
        loop {
            parts.push(self.values()?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(parts);
            }
        }
    }

    pub(crate) fn end(&self) -> Result<(), String> {
        match self.peek() {
            None => Ok(()),
            Some(token) => {
                Err(format!("{:?} is not expected at character {}{}", token.text, token.at, self.quotes()))
            }
        }
    }

    /// Says how to write a name with blanks, if a word follows another one; nothing otherwise.
    pub(super) fn quotes(&self) -> String {
        let is_name =
            |token: &&Token| token.kind == TokenKind::Word && !["-", "/"].contains(&token.text.as_str());
        let word = |index: usize| self.tokens.get(index).filter(is_name);
        let before = self.next.checked_sub(1).and_then(word);
        match before.zip(word(self.next)) {
            Some((first, second)) => {
                format!("; if it is a part of one name, quote the name: \"{} {}\"", first.text, second.text)
            }
            None => String::new(),
        }
    }
}

fn twice(name: &str) -> String {
    format!("{name:?} is named twice")
}

fn tokens(text: &str, signs: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().zip(1..).peekable();
    while let Some((c, at)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        if signs.contains(c) {
            tokens.push(Token { kind: TokenKind::Sign, text: c.to_string(), at });
        } else if c == '"' || c == '\'' {
            let mut name = String::new();
            loop {
                match rest.next() {
                    // A quote that stands twice stands for itself.
                    Some((next, _)) if next == c => match rest.next_if(|(after, _)| *after == c) {
                        Some(_) => name.push(c),
                        None => break,
                    },
                    Some(('\\', _)) => name.extend(rest.next().map(|(escaped, _)| escaped)),
                    Some((next, _)) => name.push(next),
                    None => return Err(format!("the quote that begins at character {at} does not end")),
                }
            }
            tokens.push(Token { kind: TokenKind::Quoted, text: name, at });
        } else {
            let mut word = c.to_string();
            let inside =
                |(next, _): &(char, usize)| !next.is_whitespace() && !signs.contains(*next) && *next != '"';
            while let Some((next, _)) = rest.next_if(inside) {
                word.push(next);
            }
            tokens.push(Token { kind: TokenKind::Word, text: word, at });
        }
    }
    Ok(tokens)
}
