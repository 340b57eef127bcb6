//! Prints what the readers see in files of Parquet or Arrow, for `tools/corpora.py`, which compares it with pyarrow: one
//! line of JSON for each file, with the values of every column or why it is not read.
//!
//! ```text
//! cargo run -p posterity-formats --example values -- one.parquet another.arrow
//! ```

use std::io::Write;
use std::sync::Mutex;

use posterity_formats::{
    ColumnHint, Field, Files, Format, Piece, ReadError, Source, Value, Visitor, Wanted, common_fields, read,
};
use serde_json::{Value as Json, json};

/// One column, told by its name.
struct Column {
    name: [String; 1],
    /// The values of each part of a file, by its place.
    parts: Mutex<Vec<(u32, u32, Vec<Json>)>>,
}

impl Wanted for Column {
    type Error = ReadError;

    fn columns(&self) -> &[String] {
        &self.name
    }

    fn find(&self, names: &[&str], _: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, ReadError> {
        Ok(names.iter().position(|name| *name == self.name[0]).into_iter().collect())
    }

    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, ReadError> {
        Ok(fields.iter().position(|field| field.name == self.name[0]).into_iter().collect())
    }

    fn absent(&self, _: usize) -> Result<(), ReadError> {
        Ok(())
    }

    fn has_unit(&self) -> bool {
        false
    }
}

/// The values of one part. They are handed over when the part ends.
struct Part<'a> {
    column: &'a Column,
    place: (u32, u32),
    values: Vec<Json>,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if let Ok(mut parts) = self.column.parts.lock() {
            parts.push((self.place.0, self.place.1, std::mem::take(&mut self.values)));
        }
    }
}

struct Look<'a>(&'a Column);

impl<'a> Visitor for Look<'a> {
    type Error = ReadError;
    type Wanted = Column;
    type Part = Part<'a>;

    fn wanted(&self) -> &Column {
        self.0
    }

    fn part(&self, file: u32, part: u32) -> Part<'a> {
        Part { column: self.0, place: (file, part), values: Vec::new() }
    }

    fn piece<P: Piece + ?Sized>(&self, part: &mut Part<'a>, piece: &P) -> Result<(), ReadError> {
        part.values.extend((0..piece.rows()).map(|row| shown(piece.value(0, row))));
        Ok(())
    }
}

/// A value with its kind, without rounding.
fn shown(value: Value<'_>) -> Json {
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    match value {
        Value::Missing => Json::Null,
        Value::Boolean(value) => json!(value),
        Value::Text(text) | Value::Literal(text) => json!({ "text": String::from_utf8_lossy(text) }),
        Value::Bytes(bytes) => json!({ "bytes": hexadecimal(bytes) }),
        Value::Integer(value) => json!({ "integer": value.to_string() }),
        Value::Decimal { mantissa, scale } => json!({ "decimal": [mantissa.to_string(), scale] }),
        Value::Single(value) => json!({ "float": format!("{:016x}", f64::from(value).to_bits()) }),
        Value::Double(value) => json!({ "float": format!("{:016x}", value.to_bits()) }),
        Value::Day(day) => json!({ "day": day }),
        Value::Instant { ticks, per_second } => {
            json!({ "ticks": ticks.to_string(), "per_second": per_second })
        }
        Value::Strange => json!("strange"),
    }
}

fn column(files: &Files, field: &Field) -> Json {
    let column = Column { name: [field.name.clone()], parts: Mutex::default() };
    let outcome = read(files, &Look(&column));
    let mut parts = column.parts.into_inner().unwrap_or_default();
    parts.sort_by_key(|(file, part, _)| (*file, *part));
    let values: Vec<Json> = parts.into_iter().flat_map(|(_, _, values)| values).collect();
    match outcome {
        Ok(()) => json!({ "name": field.name, "type": field.described, "values": values }),
        Err(error) => json!({ "name": field.name, "type": field.described, "refused": error.to_string() }),
    }
}

pub(crate) fn file(path: &str) -> Json {
    let format = if path.ends_with(".parquet") { Format::Parquet } else { Format::Arrow };
    let fields = Source::files(path).with_format(format).find().and_then(|files| {
        let fields = common_fields(&files)?;
        Ok(fields.iter().map(|field| column(&files, field)).collect::<Vec<Json>>())
    });
    match fields {
        Ok(columns) => json!({ "file": path, "columns": columns }),
        Err(error) => json!({ "file": path, "refused": error.to_string() }),
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    std::env::args().skip(1).try_for_each(|path| writeln!(out, "{}", file(&path)))
}
