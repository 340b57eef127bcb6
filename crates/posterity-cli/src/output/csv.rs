//! Comma-separated values.

use std::io::{self, Write};

use posterity::csv::{Cell, header, line};

use super::sheet::{Sheet, Value};

/// Writes a header and the rows, with numbers in full.
pub(super) fn export(out: &mut impl Write, sheet: Sheet<'_>) -> io::Result<()> {
    let names = sheet.columns.iter().map(|column| &*column.name);
    out.write_all(header(names).as_bytes())?;
    for row in sheet.rows {
        out.write_all(line(row.into_iter().map(cell)).as_bytes())?;
    }
    Ok(())
}

fn cell(value: Value<'_>) -> Cell<'_> {
    match value {
        Value::Text(text) | Value::Warning(text) => Cell::Text(text),
        Value::Whole(number) => Cell::number(number),
        Value::Real(number) => Cell::number(number),
        Value::Truth(truth) => Cell::text(if truth { "true" } else { "false" }),
        Value::Missing => Cell::Missing,
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
