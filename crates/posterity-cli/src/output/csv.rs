//! Comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use super::sheet::{Sheet, Value};

/// Writes a header and the rows, with numbers in full.
pub(super) fn export(out: &mut impl Write, sheet: Sheet<'_>) -> io::Result<()> {
    let header: Vec<Cow<'_, str>> = sheet.columns.iter().map(|column| quoted(&column.name)).collect();
    writeln!(out, "{}", header.join(","))?;
    for row in sheet.rows {
        for (index, value) in row.iter().enumerate() {
            if index > 0 {
                out.write_all(b",")?;
            }
            write_value(out, value)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_value(out: &mut impl Write, value: &Value<'_>) -> io::Result<()> {
    match value {
        Value::Text(text) | Value::Warning(text) => out.write_all(quoted(text).as_bytes()),
        Value::Whole(number) => write!(out, "{number}"),
        Value::Real(number) => write!(out, "{number}"),
        Value::Truth(truth) => write!(out, "{truth}"),
        Value::Missing => Ok(()),
    }
}

/// Quotes a text where it must be quoted.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Column;
    use super::*;

    #[test]
    fn values_are_written_in_full_and_texts_are_quoted_where_needed() {
        let columns = vec![Column::text("name"), Column::number("value"), Column::text("sure")];
        let rows = vec![
            vec![Value::text("plain"), Value::Real(0.1 + 0.2), Value::Truth(true)],
            vec![Value::text("say \"a, b\""), Value::Whole(7), Value::Missing],
        ];
        let mut out = Vec::new();
        export(&mut out, Sheet::new(columns, rows)).expect("written");
        let expected = "name,value,sure\nplain,0.30000000000000004,true\n\"say \"\"a, b\"\"\",7,\n";
        assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
    }
}
