//! Comma-separated values (RFC 4180). All tables of the project are written here.

use std::borrow::Cow;
use std::io::{self, Write};

use posterity::hidden::shown;

use crate::sheet::{Sheet, Value};

/// A header and the rows, with numbers in full.
///
/// ```
/// use posterity_present::{Column, Sheet, Value, csv};
/// let columns = vec![Column::text("ward"), Column::number("share"), Column::text("note"), Column::text("code")];
/// let row = vec![Value::text("Zürich, east"), Value::Real(0.25), Value::Missing, Value::text("=1+1")];
/// assert_eq!(csv::text(Sheet::new(columns, [row])), "ward,share,note,code\n\"Zürich, east\",0.25,,'=1+1\n");
/// ```
#[must_use]
pub fn text(sheet: Sheet<'_>) -> String {
    let mut text = header(&sheet);
    for row in sheet.rows {
        text += &line(row.iter().map(written));
    }
    text
}

/// Writes a sheet as CSV, row by row.
///
/// # Errors
/// What writing to `out` ends with.
pub fn write(out: &mut impl Write, sheet: Sheet<'_>) -> io::Result<()> {
    out.write_all(header(&sheet).as_bytes())?;
    for row in sheet.rows {
        out.write_all(line(row.iter().map(written)).as_bytes())?;
    }
    Ok(())
}

fn header(sheet: &Sheet<'_>) -> String {
    line(sheet.columns.iter().map(|column| safe(&column.name)))
}

fn line<'a>(cells: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut text = cells.collect::<Vec<_>>().join(",");
    text.push('\n');
    text
}

fn written<'a>(value: &'a Value<'_>) -> Cow<'a, str> {
    match value {
        Value::Text(text) | Value::Warning(text) => safe(text),
        Value::Whole(number) => Cow::Owned(number.to_string()),
        Value::Real(number) => Cow::Owned(number.to_string()),
        Value::Truth(true) => Cow::Borrowed("true"),
        Value::Truth(false) => Cow::Borrowed("false"),
        Value::Missing => Cow::Borrowed(""),
    }
}

/// A text in which hidden characters are shown, and that no spreadsheet takes for a formula.
fn safe(text: &str) -> Cow<'_, str> {
    quoted(guarded(shown(text)))
}

/// The characters with which spreadsheets begin a formula. Tabs and line ends, which they skip, are shown and begin
/// with a backslash.
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
    use crate::sheet::Column;

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
            assert_eq!(safe(text), expected);
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
            assert_eq!(safe(text), expected);
        }
    }

    #[test]
    fn values_are_written_in_full() {
        let columns = vec![Column::text("name"), Column::number("value"), Column::text("sure")];
        let rows = || {
            [
                vec![Value::text("plain"), Value::Real(0.1 + 0.2), Value::Truth(true)],
                vec![Value::text("say \"a, b\""), Value::Whole(7), Value::Missing],
                vec![Value::text(""), Value::Real(-0.25), Value::Truth(false)],
            ]
        };
        let expected =
            "name,value,sure\nplain,0.30000000000000004,true\n\"say \"\"a, b\"\"\",7,\n,-0.25,false\n";
        let mut out = Vec::new();
        write(&mut out, Sheet::new(columns.clone(), rows())).expect("written");
        assert_eq!(out, expected.as_bytes());
        assert_eq!(text(Sheet::new(columns, rows())), expected);
    }
}
