//! Documents in JSON, in which every hidden character is escaped.

use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use crate::hidden::is_hidden;
use crate::strict_json;

/// Writes a document, indented. Hidden characters of a name are written as `\u` and four digits, which every reader of
/// JSON reads as the same character, so that a terminal does not obey them.
///
/// # Errors
/// [`serde_json::Error`] if the document cannot be written.
pub fn write(out: impl Write, document: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    let form = Escaping(PrettyFormatter::new());
    document.serialize(&mut Serializer::with_formatter(out, form))
}

/// A document as JSON text.
///
/// ```
/// assert_eq!(posterity::json::text(&["\u{202e}"])?, "[\n  \"\\u202e\"\n]");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// As [`write()`].
pub fn text(document: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    write(&mut bytes, document)?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// Reads what a text of JSON holds. A key that stands twice in an object is refused: some readers take the first of its
/// values, and others the last.
///
/// ```
/// assert!(posterity::json::read::<serde_json::Value>(r#"{"epsilon": 1, "epsilon": 2}"#).is_err());
/// ```
///
/// # Errors
/// [`serde_json::Error`] if the text is no JSON, or does not hold that.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    strict_json::read(text)
}

/// The usual form, but for hidden characters.
struct Escaping(PrettyFormatter<'static>);

impl Formatter for Escaping {
    /// A piece of a text that needs no escape by the rules of JSON, which know of some control characters only.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((before, hidden, after)) = split_at_hidden(rest) {
            out.write_all(before.as_bytes())?;
            write!(out, "\\u{:04x}", u32::from(hidden))?;
            rest = after;
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

/// What is before the first hidden character, that character, and what is behind it.
fn split_at_hidden(text: &str) -> Option<(&str, char, &str)> {
    let place = text.find(is_hidden)?;
    let hidden = text[place..].chars().next()?;
    Some((&text[..place], hidden, &text[place + hidden.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// If this fails, a document says something else than the one that was made, or a name drives the terminal.
    #[test]
    fn hidden_characters_are_escaped_and_read_back() {
        let hidden: String = (0..0x3000).filter_map(char::from_u32).filter(|one| is_hidden(*one)).collect();
        for name in ["plain \"quoted\" \\ 東京", &hidden, &format!("a{hidden}b\u{202e}")] {
            let document = BTreeMap::from([(name.to_owned(), vec![name.to_owned(), String::new()])]);
            let written = text(&document).expect("written");
            assert!(!written.contains(|one| one != '\n' && is_hidden(one)), "{written}");
            let read: BTreeMap<String, Vec<String>> = serde_json::from_str(&written).expect("read");
            assert_eq!(read, document);
        }
    }

    #[test]
    fn all_else_is_in_the_usual_form() {
        let document = serde_json::json!({"a": [1, 2.5, null, true], "b": {}, "c": [], "d": "é\n"});
        assert_eq!(
            text(&document).expect("written"),
            serde_json::to_string_pretty(&document).expect("written")
        );
    }
}
