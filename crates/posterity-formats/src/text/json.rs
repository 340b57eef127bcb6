//! Records of a JSON file: one object per line. An array of objects comes as lines too.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{MAX_RECORD, TextFlaw};
use crate::value::Value;

/// Finds the values of the columns that are kept.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    names: Vec<String>,
    /// Whether a value without a plain meaning is refused.
    strict: bool,
    /// Whether a line that is no object is a record without values.
    leaves_out: bool,
}

/// A value: what it is, and where in the block its text stands or, if it had to be written anew, aside.
#[derive(Clone, Copy, Debug)]
struct Cell {
    kind: CellKind,
    start: u32,
    length: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Absent,
    Null,
    True,
    False,
    Number,
    Text,
    TextAside,
    Nested,
}

/// The kept values of whole records.
#[derive(Debug, Default)]
pub(crate) struct JsonPiece {
    block: Vec<u8>,
    aside: Vec<u8>,
    columns: Vec<Vec<Cell>>,
    rows: usize,
}

impl Json {
    /// A parser that keeps the columns of these names, of the lines of a file or of the elements of an array. If it is
    /// not strict, a key that stands twice has a value of no known type, and an object with half of a surrogate pair has
    /// no values. The same holds of any line that is no object. An array with such an element is no array, and stays
    /// refused.
    pub(crate) fn new(names: &[String], strict: bool, is_array: bool) -> Self {
        Self { names: names.to_vec(), strict, leaves_out: !strict && !is_array }
    }

    /// The records of a block of whole lines.
    pub(crate) fn parse(&self, block: Vec<u8>) -> Result<JsonPiece, TextFlaw> {
        let piece = self.records(&block)?;
        Ok(JsonPiece { block, ..piece })
    }

    /// What is found in a block, without the block.
    fn records(&self, block: &[u8]) -> Result<JsonPiece, TextFlaw> {
        let lines: Box<dyn Iterator<Item = Option<&str>>> = match std::str::from_utf8(block) {
            Ok(text) => Box::new(text.split('\n').map(Some)),
            Err(_) if self.leaves_out => {
                let lines = block.split(|&byte| byte == b'\n');
                Box::new(lines.map(|line| std::str::from_utf8(line).ok()))
            }
            Err(_) => return Err(TextFlaw::NotUtf8),
        };
        let mut piece = JsonPiece { columns: vec![Vec::new(); self.names.len()], ..JsonPiece::default() };
        let mut record = vec![None; self.names.len()];
        for line in lines {
            if line.is_some_and(|line| line.trim_ascii().is_empty() && line.len() <= MAX_RECORD) {
                continue;
            }
            match line.map_or(Err(TextFlaw::NotUtf8), |line| self.object(line, &mut record)) {
                Err(_) if self.leaves_out => record.fill(None),
                found => found?,
            }
            piece.add(&record, block)?;
        }
        Ok(piece)
    }

    /// The kept values of a line that is an object.
    fn object<'de>(&self, line: &'de str, record: &mut Vec<Option<Found<'de>>>) -> Result<(), TextFlaw> {
        if line.len() > MAX_RECORD {
            return Err(TextFlaw::TooLong);
        }
        let line = line.trim_ascii();
        if !(line.starts_with('{') && line.ends_with('}')) {
            return Err(TextFlaw::NotLines);
        }
        record.fill(None);
        let mut repeated = false;
        let mut reader = serde_json::Deserializer::from_str(line);
        let keys = Keys { json: self, record, repeated: &mut repeated };
        let done = reader.deserialize_map(keys).and_then(|()| reader.end());
        if repeated && self.strict {
            return Err(TextFlaw::RepeatedKey);
        }
        done.map_err(|_| if has_infinite(line) { TextFlaw::NotFinite } else { TextFlaw::Malformed })?;
        // Wherever it stands, so that a record means the same whatever is asked.
        if !self.strict && has_half_pair(line.as_bytes()) {
            record.fill(None);
        }
        Ok(())
    }
}

impl JsonPiece {
    /// Adds a record, whose values stand in a block.
    fn add(&mut self, record: &[Option<Found<'_>>], block: &[u8]) -> Result<(), TextFlaw> {
        for (column, value) in self.columns.iter_mut().zip(record) {
            column.push(match value {
                None => ABSENT,
                Some(Found::Once(value)) => cell(value, block, &mut self.aside)?,
                Some(Found::Twice) => NESTED,
            });
        }
        self.rows += 1;
        Ok(())
    }

    /// How many records there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The value of a kept column.
    #[inline]
    pub(crate) fn value(&self, column: usize, row: usize) -> Value<'_> {
        let cell = self.columns[column][row];
        let within = |bytes| -> &[u8] {
            let bytes: &Vec<u8> = bytes;
            &bytes[cell.start as usize..(cell.start + cell.length) as usize]
        };
        match cell.kind {
            CellKind::Absent | CellKind::Null => Value::Missing,
            CellKind::True => Value::Boolean(true),
            CellKind::False => Value::Boolean(false),
            CellKind::Number => Value::Literal(within(&self.block)),
            CellKind::Text => Value::Text(within(&self.block)),
            CellKind::TextAside => Value::Text(within(&self.aside)),
            CellKind::Nested => Value::Strange,
        }
    }

    /// Whether some record has the key of this column.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.columns[column].iter().any(|cell| cell.kind != CellKind::Absent)
    }
}

/// The cell of a value that stands somewhere in a block.
fn cell(value: &str, block: &[u8], aside: &mut Vec<u8>) -> Result<Cell, TextFlaw> {
    // A slice of the block: the difference of addresses is its place.
    let start = (value.as_ptr() as usize).wrapping_sub(block.as_ptr() as usize);
    let whole = |kind| Cell { kind, start: start as u32, length: value.len() as u32 };
    Ok(match value.as_bytes() {
        [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => {
            Cell { kind: CellKind::Text, start: start as u32 + 1, length: inner.len() as u32 }
        }
        [b'"', ..] => {
            let meant: String = serde_json::from_str(value).map_err(|_| TextFlaw::Malformed)?;
            let start = aside.len() as u32;
            aside.extend_from_slice(meant.as_bytes());
            Cell { kind: CellKind::TextAside, start, length: meant.len() as u32 }
        }
        [b'n', ..] => whole(CellKind::Null),
        [b't', ..] => whole(CellKind::True),
        [b'f', ..] => whole(CellKind::False),
        [b'{' | b'[', ..] => whole(CellKind::Nested),
        _ => whole(CellKind::Number),
    })
}

/// Whether the text of an object has an escape that is half of a surrogate pair.
fn has_half_pair(object: &[u8]) -> bool {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\\', &object[from..]) {
        let at = from + found;
        from = match (surrogate(object, at), surrogate(object, at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..)) => at + 12,
            (Some(_), _) => return true,
            // Whatever is escaped is no backslash that escapes.
            (None, _) => (at + 2).min(object.len()),
        };
    }
    false
}

/// The surrogate whose escape stands at a place.
fn surrogate(object: &[u8], at: usize) -> Option<u16> {
    let digits = object.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..0xe000).contains(&code).then_some(code)
}

/// Whether a line has a number that JSON does not have, outside of text.
fn has_infinite(line: &str) -> bool {
    let (mut outside, mut escaped) = (true, false);
    line.char_indices().any(|(at, character)| {
        let quote = character == '"' && !escaped;
        escaped = !outside && !escaped && character == '\\';
        outside ^= quote;
        outside && (line[at..].starts_with("NaN") || line[at..].starts_with("Infinity"))
    })
}

/// A value that is not there.
const ABSENT: Cell = Cell { kind: CellKind::Absent, start: 0, length: 0 };

/// A value of which nothing is read.
const NESTED: Cell = Cell { kind: CellKind::Nested, start: 0, length: 0 };

/// The text of a value.
#[derive(Clone, Copy)]
enum Found<'de> {
    Once(&'de str),
    /// Its key stands twice, and which value is meant is not known.
    Twice,
}

/// Reads an object, and keeps the text of the values of named keys.
struct Keys<'a, 'de> {
    json: &'a Json,
    record: &'a mut Vec<Option<Found<'de>>>,
    repeated: &'a mut bool,
}

impl<'de> Visitor<'de> for Keys<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(found) = map.next_key_seed(Name(&self.json.names))? {
            match found {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(column) => {
                    let value: &'de RawValue = map.next_value()?;
                    if self.record[column].replace(Found::Once(value.get())).is_some() {
                        *self.repeated = true;
                        if self.json.strict {
                            return Err(A::Error::custom("a key stands twice"));
                        }
                        self.record[column] = Some(Found::Twice);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Finds a key among names.
struct Name<'a>(&'a [String]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| name == key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<String>, TextFlaw> {
        read(text, true)
    }

    fn read(text: &str, strict: bool) -> Result<Vec<String>, TextFlaw> {
        read_as(text.as_bytes(), strict, false)
    }

    fn read_as(text: &[u8], strict: bool, is_array: bool) -> Result<Vec<String>, TextFlaw> {
        let json = Json::new(&["a".into(), "b".into()], strict, is_array);
        json.parse(text.to_vec()).map(|piece| {
            (0..piece.rows())
                .map(|row| format!("{:?} {:?}", shown(piece.value(0, row)), shown(piece.value(1, row))))
                .collect()
        })
    }

    fn shown(value: Value<'_>) -> String {
        match value {
            Value::Text(text) => format!("text {}", String::from_utf8_lossy(text)),
            Value::Literal(text) => format!("number {}", String::from_utf8_lossy(text)),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_value_is_read_by_itself() {
        let table = [
            (r#"{"a":1,"b":"x"}"#, r#""number 1" "text x""#),
            (r#"{"b":1.50,"a":"1"}"#, r#""text 1" "number 1.50""#),
            (r#" {"a":null,"c":[1,{"a":2}]} "#, r#""Missing" "Missing""#),
            (r#"{"a":true,"b":false}"#, r#""Boolean(true)" "Boolean(false)""#),
            (r#"{"a":{"b":1},"b":[]}"#, r#""Strange" "Strange""#),
            (r#"{"a":"x\"y","b":"\u00e4"}"#, r#""text x\"y" "text ä""#),
            (
                r#"{"\u0061":-1e400,"b":123456789012345678901234567890}"#,
                r#""number -1e400" "number 123456789012345678901234567890""#,
            ),
            (r#"{"a":"","b":"\\"}"#, r#""text " "text \\""#),
        ];
        for (text, expected) in table {
            assert_eq!(parsed(text), Ok(vec![expected.to_owned()]), "{text}");
        }
        assert_eq!(parsed("\n{}\r\n\n{}\n").map(|rows| rows.len()), Ok(2));
    }

    #[test]
    fn rejects() {
        let table = [
            ("[1]", TextFlaw::NotLines),
            ("{\"a\":\n1}", TextFlaw::NotLines),
            ("{\"a\":1} x", TextFlaw::NotLines),
            ("{\"a\":1}{}", TextFlaw::Malformed),
            ("{\"a\":yes}", TextFlaw::Malformed),
            ("{\"a\":01}", TextFlaw::Malformed),
            ("{\"a\":NaN}", TextFlaw::NotFinite),
            ("{\"b\":\"\\\"\",\"a\":-Infinity}", TextFlaw::NotFinite),
            ("{\"a\":\"NaN\",}", TextFlaw::Malformed),
            ("{\"a\":\"\\ud800\"}", TextFlaw::Malformed),
            ("{\"a\":1,\"a\":1}", TextFlaw::RepeatedKey),
        ];
        for (text, flaw) in table {
            assert_eq!(parsed(text), Err(flaw), "{text}");
        }
    }

    /// If this fails, one record that JSON allows has the whole file refused where no record may.
    #[test]
    fn what_has_no_plain_meaning_is_strange_if_asked_for() {
        let table = [
            (r#"{"a":1,"a":1,"b":2}"#, r#""Strange" "number 2""#),
            (r#"{"a":1,"a":2,"b":2,"a":"x"}"#, r#""Strange" "number 2""#),
            (r#"{"a":"x","b":"\ud800"}"#, r#""Missing" "Missing""#),
        ];
        for (text, expected) in table {
            for is_array in [false, true] {
                assert_eq!(
                    read_as(text.as_bytes(), false, is_array),
                    Ok(vec![expected.to_owned()]),
                    "{text}"
                );
            }
            assert!(read(text, true).is_err(), "{text}");
        }
    }

    /// If this fails, what a record means depends on the columns that are asked for.
    #[test]
    fn half_of_a_pair_is_found_wherever_it_stands() {
        let table = [
            (r#"{"a":"x","c":"\ud800"}"#, true),
            (r#"{"a":"x","c":["\udc00"]}"#, true),
            (r#"{"a":"x","c":"\uD83D\u0061"}"#, true),
            (r#"{"a":"x","c":"\ud83d\ud83d\ude00"}"#, true),
            (r#"{"a":"x","c":"\ud83d\ude00\ude00"}"#, true),
            (r#"{"a":"x","c":"\\\ud83d"}"#, true),
            (r#"{"a":"x","c":"\ud83d\ude00"}"#, false),
            (r#"{"a":"x","c":"\\ud83d"}"#, false),
            (r#"{"a":"x","c":"\ue000\ud7ff\n\""}"#, false),
            (r#"{"a":"x"}"#, false),
        ];
        for (text, half) in table {
            assert_eq!(has_half_pair(text.as_bytes()), half, "{text}");
            let expected = if half { r#""Missing" "Missing""# } else { r#""text x" "Missing""# };
            assert_eq!(read(text, false), Ok(vec![expected.to_owned()]), "{text}");
            assert_eq!(read(text, true), Ok(vec![r#""text x" "Missing""#.to_owned()]), "{text}");
        }
    }

    /// If this fails, one line that is no object has the whole file refused where no record may, or changes what
    /// another line holds.
    #[test]
    fn a_line_that_is_no_object_has_no_values_if_asked_for() {
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_RECORD));
        let table: [&[u8]; 19] = [
            b"{\"a\":NaN}",
            b"{\"a\":1,\"c\":-Infinity}",
            b"{\"a\":\"caf\xe9\"}",
            b"{\"a\":\"x\",\"c\":\"\xff\"}",
            b"{\"a\":\"x\ty\"}",
            b"{\"a\":1,\"c\":\"\t\"}",
            b"{\"\\ud800\":1,\"a\":1}",
            b"{\"a\":1,\"b\":\"\\udc00\"}",
            b"{\"a\":1,}",
            b"{\"a\":1",
            b"{\"a\":1} {\"a\":1}",
            b"{\"a\":yes}",
            b"{\"a\":01}",
            b"\"x\"",
            b"[1]",
            b"x",
            b"\0",
            b"}",
            long.as_bytes(),
        ];
        for bad in table {
            let text = [b"{\"a\":1}\n", bad, b"\r\n \n{\"b\":\"x\"}\n"].concat();
            let expected = [r#""number 1" "Missing""#, r#""Missing" "Missing""#, r#""Missing" "text x""#];
            let shown = String::from_utf8_lossy(&bad[..bad.len().min(40)]);
            assert_eq!(read_as(&text, false, false), Ok(expected.map(str::to_owned).to_vec()), "{shown}");
            assert!(read_as(&text, true, false).is_err(), "{shown}");
        }
        // An element of an array is not left out of it: such an array is no JSON.
        for bad in table.iter().filter(|bad| !bad.windows(4).any(|four| four == b"udc0")) {
            let shown = String::from_utf8_lossy(&bad[..bad.len().min(40)]);
            assert!(read_as(bad, false, true).is_err(), "{shown}");
        }
    }

    /// Nesting takes no stack, whether the value is asked for or not.
    #[test]
    fn deep_values_do_no_harm() {
        for key in ["a", "x"] {
            let deep = format!("{{\"{key}\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
            let expected = if key == "a" { r#""Strange" "Missing""# } else { r#""Missing" "Missing""# };
            assert_eq!(parsed(&deep), Ok(vec![expected.to_owned()]));
        }
    }

    /// As many keys as fit are read in one pass.
    #[test]
    fn many_keys_take_no_longer_than_their_text() {
        let keys: Vec<String> = (0..50_000).map(|i| format!("\"key{i}\":{i}")).collect();
        let text = format!("{{{},\"a\":7}}", keys.join(","));
        let start = std::time::Instant::now();
        assert_eq!(parsed(&text), Ok(vec![r#""number 7" "Missing""#.to_owned()]));
        assert!(start.elapsed().as_secs() < 2);
    }
}
