//! Splitting a filter into words and signs.

use std::fmt;

use posterity_formats::{MAX_DIGITS, MAX_EXPONENT, Number};

use super::error::FilterError;
use super::expression::{Arithmetic, Comparator};

/// A word or sign of a filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word of the language, in any case.
    Keyword(Keyword),
    /// A name without quotes.
    Name(String),
    /// A name in double quotes.
    Quoted(String),
    /// Text in single quotes.
    Text(String),
    /// A number without sign.
    Number(Number),
    /// `=` and the like.
    Comparison(Comparator),
    /// `+` and the like.
    Arithmetic(Arithmetic),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    /// `AND`
    And,
    /// `BETWEEN`
    Between,
    /// `ESCAPE`
    Escape,
    /// `FALSE`
    False,
    /// `IN`
    In,
    /// `IS`
    Is,
    /// `LIKE`
    Like,
    /// `NOT`
    Not,
    /// `NULL`
    Null,
    /// `OR`
    Or,
    /// `TRUE`
    True,
}

const KEYWORDS: [(&str, Keyword); 11] = [
    ("AND", Keyword::And),
    ("BETWEEN", Keyword::Between),
    ("ESCAPE", Keyword::Escape),
    ("FALSE", Keyword::False),
    ("IN", Keyword::In),
    ("IS", Keyword::Is),
    ("LIKE", Keyword::Like),
    ("NOT", Keyword::Not),
    ("NULL", Keyword::Null),
    ("OR", Keyword::Or),
    ("TRUE", Keyword::True),
];

/// Longer signs come before those that they begin with.
const SIGNS: [(&str, Token); 15] = [
    ("==", Token::Comparison(Comparator::Equal)),
    ("=", Token::Comparison(Comparator::Equal)),
    ("<>", Token::Comparison(Comparator::Unequal)),
    ("!=", Token::Comparison(Comparator::Unequal)),
    ("<=", Token::Comparison(Comparator::AtMost)),
    ("<", Token::Comparison(Comparator::Less)),
    (">=", Token::Comparison(Comparator::AtLeast)),
    (">", Token::Comparison(Comparator::Greater)),
    ("+", Token::Arithmetic(Arithmetic::Plus)),
    ("-", Token::Arithmetic(Arithmetic::Minus)),
    ("*", Token::Arithmetic(Arithmetic::Times)),
    ("/", Token::Arithmetic(Arithmetic::Over)),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
];

/// The remedy for casts.
pub(super) const NO_CAST: &str = "no cast is needed: a value is a number where it is compared with a number, a date where it \
                                  is compared with DATE '2020-01-31', and TEXT(column) is what is written there";

const DOTTED: &str = "a name with a dot goes in double quotes: \"a.b\"";

const COMMENT: &str = "leave comments out; a minus after a minus needs a blank between them";

const VARIABLE: &str = "write the value itself: a number, or text in single quotes";

const BITS: &str = "it computes with + - * / only, and joins conditions by AND, OR and NOT";

/// Signs that SQL has and a filter does not allow: the sign, its name, and the remedy.
const FORBIDDEN: [(&str, &str, &str); 19] = [
    ("||", "the operator ||", "compare the columns one by one, and join the conditions by AND"),
    ("::", "a cast", NO_CAST),
    ("->", "the operator ->", "store what it gives in a column of its own"),
    (";", "a semicolon", "a filter is one condition, without a semicolon"),
    ("--", "a comment", COMMENT),
    ("/*", "a comment", COMMENT),
    ("#", "the sign #", "leave comments out; a name with this sign goes in double quotes"),
    ("?", "a placeholder", VARIABLE),
    ("$", "a variable", VARIABLE),
    ("@", "a variable", VARIABLE),
    (":", "a variable", VARIABLE),
    ("`", "a backquote", "names go in double quotes, and text in single quotes"),
    ("[", "a bracket", "names go in double quotes, and text in single quotes"),
    ("%", "the operator %", "store the remainder in a column of its own"),
    ("~", "the operator ~", "LIKE is the only match of patterns"),
    ("^", "the operator ^", BITS),
    ("&", "the operator &", BITS),
    ("|", "the operator |", BITS),
    (".", "a dot", DOTTED),
];

/// The words and signs of a filter.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = token(first, rest)?;
        if matches!(token, Token::Name(_) | Token::Quoted(_)) && after.starts_with('.') {
            return Err(forbidden("a dotted name", DOTTED));
        }
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// The first word or sign, and what follows it.
fn token(first: char, text: &str) -> Result<(Token, &str), FilterError> {
    match first {
        '\'' => {
            let (text, rest) = quoted(text, '\'').ok_or_else(|| open("text", "'it''s'"))?;
            Ok((Token::Text(text), rest))
        }
        '"' => {
            let (name, rest) = quoted(text, '"').ok_or_else(|| open("a name", "\"the \"\"best\"\"\""))?;
            Ok((Token::Quoted(name), rest))
        }
        _ if starts_number(text) => number(text),
        _ if starts_name(first) => Ok(word(text)),
        _ => sign(first, text),
    }
}

/// What stands between quotes, with double quotes made single, and what follows; `None` if the quote is never closed.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut rest = text.strip_prefix(quote)?;
    loop {
        let (part, after) = rest.split_once(quote)?;
        content.push_str(part);
        match after.strip_prefix(quote) {
            Some(after) => {
                content.push(quote);
                rest = after;
            }
            None => return Some((content, after)),
        }
    }
}

fn starts_number(text: &str) -> bool {
    text.strip_prefix('.').unwrap_or(text).starts_with(|first: char| first.is_ascii_digit())
}

fn starts_name(first: char) -> bool {
    first.is_alphabetic() || first == '_'
}

fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn number(text: &str) -> Result<(Token, &str), FilterError> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    if text[end..].starts_with('.') {
        end += 1 + digits(&text[end + 1..]);
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        match digits(&exponent[sign..]) {
            0 => {}
            count => end += 1 + sign + count,
        }
    }
    let (shown, rest) = text.split_at(end);
    if rest.starts_with(|next: char| continues_name(next) || next == '.') {
        let end = rest.find(|next: char| !continues_name(next) && next != '.').unwrap_or(rest.len());
        let shown = brief(&text[..shown.len() + end]);
        return Err(invalid(format!(
            "{shown} is neither a number nor a name; a name that begins with a digit goes in double quotes"
        )));
    }
    let number = Number::parse(shown.as_bytes()).ok_or_else(|| {
        invalid(format!(
            "the number {} has more than {MAX_DIGITS} digits or an exponent beyond {MAX_EXPONENT}",
            brief(shown)
        ))
    })?;
    Ok((Token::Number(number), rest))
}

fn word(text: &str) -> (Token, &str) {
    let end = text.find(|next: char| !continues_name(next)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let keyword = KEYWORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    let token = match keyword {
        Some((_, keyword)) => Token::Keyword(*keyword),
        None => Token::Name(word.to_owned()),
    };
    (token, rest)
}

fn sign(first: char, text: &str) -> Result<(Token, &str), FilterError> {
    if let Some((_, what, remedy)) = FORBIDDEN.iter().find(|(sign, ..)| text.starts_with(sign)) {
        return Err(forbidden(*what, remedy));
    }
    for (sign, token) in SIGNS {
        if let Some(rest) = text.strip_prefix(sign) {
            return Ok((token, rest));
        }
    }
    let message = match first {
        '‘' | '’' | '“' | '”' | '„' | '«' | '»' => {
            format!("{first} is a quote of print; write ' around text and \" around names")
        }
        _ => format!("{first:?} has no meaning there; a name with this character goes in double quotes"),
    };
    Err(invalid(message))
}

fn open(what: &str, example: &str) -> FilterError {
    invalid(format!(
        "{what} has an opening quote and no closing one; double a quote that belongs to it: {example}"
    ))
}

pub(super) fn invalid(message: impl Into<String>) -> FilterError {
    FilterError::Invalid { message: message.into() }
}

pub(super) fn forbidden(what: impl Into<String>, remedy: &'static str) -> FilterError {
    FilterError::Forbidden { what: what.into(), remedy }
}

/// The beginning of a text, for a message.
pub(super) fn brief(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The token, almost as it was written.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyword(keyword) => {
                let name = KEYWORDS.iter().find(|(_, other)| other == keyword);
                f.write_str(name.map_or("", |(name, _)| name))
            }
            Self::Name(name) => f.write_str(&brief(name)),
            Self::Quoted(name) => write!(f, "\"{}\"", brief(name)),
            Self::Text(text) => write!(f, "'{}'", brief(text)),
            Self::Number(number) => f.write_str(&brief(&number.to_string())),
            Self::Comparison(comparison) => f.write_str(comparison.symbol()),
            Self::Arithmetic(operator) => f.write_str(operator.symbol()),
            Self::Open => f.write_str("("),
            Self::Close => f.write_str(")"),
            Self::Comma => f.write_str(","),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_and_word_is_read() {
        let shown = |text: &str| {
            tokens(text).expect(text).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("a==1<>b!=.5<=c<d>=e>f"), "a = 1 <> b <> 0.5 <= c < d >= e > f");
        assert_eq!(shown("(-1.5e1+x)*2/3,'it''s',\"a\"\"b\""), "( - 15 + x ) * 2 / 3 , 'it's' , \"a\"b\"");
        assert_eq!(
            shown("And oR nOt between like escape is null true false in"),
            "AND OR NOT BETWEEN LIKE ESCAPE IS NULL TRUE FALSE IN"
        );
        assert_eq!(shown("größe _x Δ2 ınd\u{a0}android"), "größe _x Δ2 ınd android");
        assert_eq!(shown("  "), "");
        assert_eq!(shown("1-1 1.-.5"), "1 - 1 1 - 0.5");
    }
}
