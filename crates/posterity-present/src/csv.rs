//! Comma-separated values (RFC 4180). All tables of the project are written here.

use std::borrow::Cow;

use crate::hidden::shown;

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A text. Hidden characters are shown in it, and no spreadsheet takes it for a formula.
    Text(Cow<'a, str>),
    /// A number, in the digits in which it is written.
    Number(String),
    /// No value.
    Missing,
}

impl<'a> Cell<'a> {
    /// A text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A number in full.
    pub fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// A number in full, if there is one.
    pub fn optional(number: Option<impl ToString>) -> Self {
        number.map_or(Self::Missing, Self::number)
    }

    fn written(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => quoted(guarded(shown(text))),
            Self::Number(digits) => Cow::Borrowed(digits),
            Self::Missing => Cow::Borrowed(""),
        }
    }
}

/// One line, with its end. A header is a line of texts.
///
/// ```
/// use posterity::csv::{Cell, line};
/// let cells = [Cell::text("Zürich, east"), Cell::number(0.25), Cell::Missing, Cell::text("=1+1")];
/// assert_eq!(line(cells), "\"Zürich, east\",0.25,,'=1+1\n");
/// ```
#[must_use]
pub fn line<'a>(cells: impl IntoIterator<Item = Cell<'a>>) -> String {
    let mut text = String::new();
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text += &cell.written();
    }
    text.push('\n');
    text
}

/// The line with the names of the columns.
#[must_use]
pub fn header<'a>(names: impl IntoIterator<Item = impl Into<Cow<'a, str>>>) -> String {
    line(names.into_iter().map(Cell::text))
}

/// The characters with which spreadsheets begin a formula. Tabs and line ends, which they skip, are shown and begin with a
/// backslash.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A text that a spreadsheet would take for a formula begins with an apostrophe. A text that is a number is not run.
fn guarded(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.starts_with(FORMULA) && !is_number(&text) { Cow::Owned(format!("'{text}")) } else { text }
}

/// Whether a text is a number in digits.
fn is_number(text: &str) -> bool {
    text.ends_with(|last: char| last.is_ascii_digit() || last == '.') && text.parse::<f64>().is_ok()
}

/// Quotes a text where a reader would split it or cut it.
fn quoted(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_cut = text.starts_with(' ') || text.ends_with(' ');
    if is_cut || text.contains([',', '"']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_needed() {
        for (text, expected) in [
            ("plain", "plain"),
            ("x,y", "\"x,y\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            (" blank", "\" blank\""),
            ("blank ", "\"blank \""),
            ("a 'quote'", "a 'quote'"),
            ("", ""),
        ] {
            assert_eq!(line([Cell::text(text)]), format!("{expected}\n"));
        }
    }

    /// If this fails, whoever names a category runs a formula in the spreadsheet of whoever reads the release.
    #[test]
    fn texts_that_a_spreadsheet_would_run_are_guarded() {
        for (text, expected) in [
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("+1+1", "'+1+1"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\t=1", "\\t=1"),
            ("\r\n=1", "\\r\\n=1"),
            ("＝1+1", "'＝1+1"),
            ("-", "'-"),
            ("-inf", "'-inf"),
            ("-5", "-5"),
            ("+2.5e-3", "+2.5e-3"),
            ("1=1", "1=1"),
            ("[-1, 5)", "\"[-1, 5)\""),
        ] {
            assert_eq!(line([Cell::text(text)]), format!("{expected}\n"), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_written_in_full_and_are_never_guarded() {
        let cells =
            [Cell::number(-0.25), Cell::number(0.1 + 0.2), Cell::number(7_u64), Cell::optional(None::<f64>)];
        assert_eq!(line(cells), "-0.25,0.30000000000000004,7,\n");
    }
}
