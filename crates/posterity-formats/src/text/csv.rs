//! Records of a CSV file: fields separated by a delimiter, some in quotes.
//!
//! A quote opens a field only at its start; within quotes two make one, and what follows a closing quote belongs to the
//! field as it stands. A line break of any kind ends a record, except within quotes. Blank lines are skipped.

use super::{MAX_RECORD, TextFlaw};
use crate::value::Value;

/// The names in the first record of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CsvHeader {
    pub(crate) names: Vec<String>,
    pub(crate) delimiter: u8,
}

/// What the parser does with a byte outside quotes: nothing, or end a field or a record.
const PLAIN: u8 = 0;
const FIELD: u8 = 1;
const RECORD: u8 = 2;

/// Finds the fields of records.
#[derive(Clone, Debug)]
pub(crate) struct Csv {
    delimiter: u8,
    classes: Box<[u8; 256]>,
    /// For each field of a record its position among the columns that are kept.
    kept: Vec<Option<usize>>,
    columns: usize,
    /// Whether text that is not UTF-8, a blank line in a file of one column, and a record of another length than the
    /// header are refused.
    strict: bool,
}

/// A field: where it begins and how long it is, in the block or, if it had to be written anew, aside.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    /// Twice the length, and one more if the field stands aside.
    length: u32,
}

/// The kept fields of whole records.
#[derive(Debug, Default)]
pub(crate) struct CsvPiece {
    block: Vec<u8>,
    /// Fields that differ from their bytes in the block, such as those with doubled quotes.
    aside: Vec<u8>,
    columns: Vec<Vec<Span>>,
    rows: usize,
    /// Where the record begins that the block does not end.
    rest: usize,
    /// Whether a field may not be UTF-8.
    bytes: bool,
}

impl Csv {
    /// A parser of records with this header that keeps the fields at these positions, in this order. If it is not
    /// strict, fields that are not UTF-8 are bytes, blank lines are nothing in a file of one column too, and a record of
    /// another length than the header, or of one that none may have, has no values.
    pub(crate) fn new(header: &CsvHeader, positions: &[usize], strict: bool) -> Self {
        let mut kept = vec![None; header.names.len()];
        for (column, &position) in positions.iter().enumerate() {
            kept[position] = Some(column);
        }
        Self {
            delimiter: header.delimiter,
            classes: classes(header.delimiter),
            kept,
            columns: positions.len(),
            strict,
        }
    }

    /// The records of a block that begins with one. If the block is not the last of its file, a record that does not
    /// end within it is left over. A block that cannot be read is given back.
    pub(crate) fn parse(&self, block: Vec<u8>, last: bool) -> Result<CsvPiece, (TextFlaw, Vec<u8>)> {
        match self.records(&block, last) {
            Ok(piece) => Ok(CsvPiece { block, ..piece }),
            Err(flaw) => Err((flaw, block)),
        }
    }

    /// What is found in a block, without the block.
    fn records(&self, block: &[u8], last: bool) -> Result<CsvPiece, TextFlaw> {
        let bytes = std::str::from_utf8(block).is_err();
        if bytes && self.strict {
            return Err(TextFlaw::NotUtf8);
        }
        let piece = if block.len() <= MAX_RECORD && memchr::memchr2(b'"', b'\r', block).is_none() {
            self.plain_records(block, last)?
        } else {
            self.by_fields(block, last)?
        };
        Ok(CsvPiece { bytes, ..piece })
    }

    /// The records of any block, field by field.
    fn by_fields(&self, block: &[u8], last: bool) -> Result<CsvPiece, TextFlaw> {
        let mut columns = vec![Vec::new(); self.columns];
        let mut parser = Fields { bytes: block, at: 0, aside: Vec::new(), classes: &self.classes, last };
        let mut rest = 0;
        let mut rows = 0;
        loop {
            let blank = parser.skip_breaks();
            if blank && self.strict && self.kept.len() == 1 {
                return Err(TextFlaw::BlankLine);
            }
            rest = parser.at.max(rest);
            if parser.at == block.len() {
                break;
            }
            let mut field = 0;
            let whole = loop {
                let Some((span, end)) = parser.field()? else { break false };
                match self.kept.get(field) {
                    Some(Some(column)) => columns[*column].push(span),
                    None if self.strict => return Err(TextFlaw::FieldCount),
                    Some(None) | None => {}
                }
                field += 1;
                if end == RECORD {
                    break true;
                }
            };
            if !whole {
                for column in &mut columns {
                    column.truncate(rows);
                }
                break;
            }
            let is_long = || block[rest..parser.at].trim_ascii_end().len() > MAX_RECORD;
            let flaw = if field != self.kept.len() {
                Some(TextFlaw::FieldCount)
            } else {
                (parser.at - rest > MAX_RECORD && is_long()).then_some(TextFlaw::TooLong)
            };
            match flaw {
                Some(flaw) if self.strict => return Err(flaw),
                Some(_) => leave_out(&mut columns, rows),
                None => {}
            }
            rows += 1;
            rest = parser.at;
        }
        Ok(CsvPiece { aside: parser.aside, columns, rows, rest, ..CsvPiece::default() })
    }
}

impl Csv {
    /// The same for a block without quotes, whose lines end with `\\n` alone: every delimiter and every line break is
    /// what it looks like, so they are searched for eight bytes at a time.
    fn plain_records(&self, block: &[u8], last: bool) -> Result<CsvPiece, TextFlaw> {
        let mut columns: Vec<Vec<Span>> = vec![Vec::new(); self.columns];
        let (mut rows, mut rest) = (0, 0);
        let (mut field, mut start) = (0, 0);
        let mut found = |at: usize, is_break: bool| {
            if is_break && field == 0 && at == start {
                if self.strict && self.kept.len() == 1 && at < block.len() {
                    return Err(TextFlaw::BlankLine);
                }
            } else {
                match self.kept.get(field) {
                    Some(Some(column)) => {
                        columns[*column]
                            .push(Span { start: start as u32, length: ((at - start) as u32) << 1 });
                    }
                    None if self.strict => return Err(TextFlaw::FieldCount),
                    Some(None) | None => {}
                }
                field += 1;
                if is_break {
                    match field == self.kept.len() {
                        true => {}
                        false if self.strict => return Err(TextFlaw::FieldCount),
                        false => leave_out(&mut columns, rows),
                    }
                    field = 0;
                    rows += 1;
                }
            }
            start = at + 1;
            if is_break {
                rest = start.min(block.len());
            }
            Ok(())
        };
        let (words, tail) = block.as_chunks::<8>();
        for (index, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let breaks = equal_bytes(word, b'\n');
            let mut all = breaks | equal_bytes(word, self.delimiter);
            while all != 0 {
                let lowest = all & all.wrapping_neg();
                found(8 * index + (lowest.trailing_zeros() / 8) as usize, breaks & lowest != 0)?;
                all ^= lowest;
            }
        }
        for (index, &byte) in tail.iter().enumerate() {
            if byte == b'\n' || byte == self.delimiter {
                found(8 * words.len() + index, byte == b'\n')?;
            }
        }
        // The end of the file ends a record too.
        if last && block.last().is_some_and(|&byte| byte != b'\n') {
            found(block.len(), true)?;
        }
        for column in &mut columns {
            column.truncate(rows);
        }
        Ok(CsvPiece { columns, rows, rest, ..CsvPiece::default() })
    }
}

impl CsvHeader {
    /// Reads the first record; nothing if it does not end within these bytes, which are not all.
    pub(crate) fn parse(start: &[u8], delimiter: u8, last: bool) -> Result<Option<(Self, usize)>, TextFlaw> {
        let classes = classes(delimiter);
        let mut parser = Fields { bytes: start, at: 0, aside: Vec::new(), classes: &classes, last };
        parser.skip_breaks();
        let mut names = Vec::new();
        if parser.at == start.len() {
            return Ok(last.then_some((Self { names, delimiter }, parser.at)));
        }
        loop {
            let Some((span, end)) = parser.field()? else { return Ok(None) };
            let name =
                std::str::from_utf8(span.bytes(start, &parser.aside)).map_err(|_| TextFlaw::NotUtf8)?;
            names.push(name.to_owned());
            if end == RECORD {
                return Ok(Some((Self { names, delimiter }, parser.at)));
            }
        }
    }
}

/// Puts a record without values in place of the one after so many, of which some fields may have been kept.
fn leave_out(columns: &mut [Vec<Span>], rows: usize) {
    for column in columns {
        column.truncate(rows);
        column.push(Span { start: 0, length: 0 });
    }
}

/// The highest bit of each of eight bytes that equals this one.
#[inline]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differs = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((differs & LOW) + LOW) | differs | LOW)
}

fn classes(delimiter: u8) -> Box<[u8; 256]> {
    let mut classes = Box::new([PLAIN; 256]);
    classes[usize::from(delimiter)] = FIELD;
    classes[usize::from(b'\n')] = RECORD;
    classes[usize::from(b'\r')] = RECORD;
    classes
}

impl Span {
    #[inline]
    fn bytes<'a>(self, block: &'a [u8], aside: &'a [u8]) -> &'a [u8] {
        let from = if self.length & 1 == 0 { block } else { aside };
        let start = self.start as usize;
        &from[start..start + (self.length >> 1) as usize]
    }
}

impl CsvPiece {
    /// How many records there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The value of a kept column. An empty field is a missing value.
    #[inline]
    pub(crate) fn value(&self, column: usize, row: usize) -> Value<'_> {
        match self.columns[column][row].bytes(&self.block, &self.aside) {
            [] => Value::Missing,
            bytes if self.bytes && std::str::from_utf8(bytes).is_err() => Value::Bytes(bytes),
            text => Value::Text(text),
        }
    }

    /// The bytes of the record that does not end within the block.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.block[self.rest..]
    }

    /// The block as it was given.
    pub(crate) fn into_block(self) -> Vec<u8> {
        self.block
    }
}

struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    aside: Vec<u8>,
    classes: &'a [u8; 256],
    /// The end of the bytes ends a record.
    last: bool,
}

impl Fields<'_> {
    /// Goes past line breaks, and says whether one of them was a line of its own.
    fn skip_breaks(&mut self) -> bool {
        let start = self.at;
        while let Some(b'\r' | b'\n') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.at > start
    }

    /// The next field and what ends it; nothing if the bytes end before it does.
    #[inline]
    fn field(&mut self) -> Result<Option<(Span, u8)>, TextFlaw> {
        if self.bytes.get(self.at) == Some(&b'"') {
            return self.quoted();
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|&byte| self.classes[usize::from(byte)] != PLAIN);
        self.ended(start, length.unwrap_or(rest.len()))
    }

    /// A field that ends after this many bytes.
    #[inline]
    fn ended(&mut self, start: usize, length: usize) -> Result<Option<(Span, u8)>, TextFlaw> {
        let span = Span { start: start as u32, length: (length as u32) << 1 };
        Ok(self.end(start + length).map(|end| (span, end)))
    }

    /// Goes past what ends a field at this place.
    #[inline]
    fn end(&mut self, at: usize) -> Option<u8> {
        match self.bytes.get(at) {
            None if !self.last => None,
            None => {
                self.at = at;
                Some(RECORD)
            }
            Some(&byte) => {
                let end = self.classes[usize::from(byte)];
                let pair = byte == b'\r' && self.bytes.get(at + 1) == Some(&b'\n');
                self.at = at + 1 + usize::from(pair);
                Some(end)
            }
        }
    }

    /// A field that begins with a quote.
    fn quoted(&mut self) -> Result<Option<(Span, u8)>, TextFlaw> {
        let start = self.at + 1;
        let mut from = start;
        let mut doubled = false;
        let close = loop {
            match memchr::memchr(b'"', &self.bytes[from..]) {
                None if self.last => return Err(TextFlaw::OpenQuote),
                None => return Ok(None),
                Some(offset) => {
                    let quote = from + offset;
                    if self.bytes.get(quote + 1) != Some(&b'"') {
                        break quote;
                    }
                    doubled = true;
                    from = quote + 2;
                }
            }
        };
        let after = &self.bytes[close + 1..];
        let tail = after.iter().position(|&byte| self.classes[usize::from(byte)] != PLAIN);
        let tail = tail.unwrap_or(after.len());
        if !doubled && tail == 0 {
            let span = Span { start: start as u32, length: ((close - start) as u32) << 1 };
            return Ok(self.end(close + 1).map(|end| (span, end)));
        }
        let begin = self.aside.len();
        let mut within = &self.bytes[start..close];
        while let Some(quote) = memchr::memchr(b'"', within) {
            self.aside.extend_from_slice(&within[..=quote]);
            within = &within[quote + 2..];
        }
        self.aside.extend_from_slice(within);
        self.aside.extend_from_slice(&self.bytes[close + 1..close + 1 + tail]);
        let length = (self.aside.len() - begin) as u32;
        let span = Span { start: begin as u32, length: length << 1 | 1 };
        Ok(self.end(close + 1 + tail).map(|end| (span, end)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header(names: &[&str]) -> CsvHeader {
        CsvHeader { names: names.iter().map(ToString::to_string).collect(), delimiter: b',' }
    }

    fn rows(piece: &CsvPiece, columns: usize) -> Vec<Vec<String>> {
        (0..piece.rows())
            .map(|row| {
                (0..columns)
                    .map(|column| match piece.value(column, row) {
                        Value::Text(text) => String::from_utf8(text.to_vec()).expect("UTF-8"),
                        _ => String::new(),
                    })
                    .collect()
            })
            .collect()
    }

    fn parsed(text: &str) -> Result<Vec<Vec<String>>, TextFlaw> {
        let csv = Csv::new(&header(&["a", "b"]), &[0, 1], true);
        csv.records(text.as_bytes(), true)?;
        csv.parse(text.as_bytes().to_vec(), true).map(|piece| rows(&piece, 2)).map_err(|(flaw, _)| flaw)
    }

    #[test]
    fn fields_and_quotes() {
        let table: [(&str, &[[&str; 2]]); 9] = [
            ("x,y\n", &[["x", "y"]]),
            ("x,y", &[["x", "y"]]),
            ("\n\r\nx,y\r\n\r\nz,\r\n", &[["x", "y"], ["z", ""]]),
            ("\"a,\nb\",\"\"\n", &[["a,\nb", ""]]),
            ("\"say \"\"so\"\"\",5\" pipe\n", &[["say \"so\"", "5\" pipe"]]),
            ("\"x\"y\",z\n", &[["xy\"", "z"]]),
            ("\"\"\"\",\"a\"\"\"\n", &[["\"", "a\""]]),
            ("x,y\rz,w\r", &[["x", "y"], ["z", "w"]]),
            (",\n", &[["", ""]]),
        ];
        for (text, expected) in table {
            assert_eq!(parsed(text).expect("parsed"), expected, "{text:?}");
        }
    }

    #[test]
    fn rejects() {
        let table = [
            ("x\n", TextFlaw::FieldCount),
            ("x,y,z\n", TextFlaw::FieldCount),
            ("x,\"y\n", TextFlaw::OpenQuote),
        ];
        for (text, flaw) in table {
            assert_eq!(parsed(text), Err(flaw), "{text:?}");
        }
        let one = Csv::new(&header(&["a"]), &[0], true);
        for text in ["x\n\ny\n", "\nx", "x\r\n\r\n"] {
            assert_eq!(one.records(text.as_bytes(), true).err(), Some(TextFlaw::BlankLine), "{text:?}");
        }
        assert_eq!(one.records(b"x\n\"\"\ny\n", true).map(|piece| piece.rows()), Ok(3));
        assert_eq!(one.records(b"\xff\n", true).err(), Some(TextFlaw::NotUtf8));
    }

    /// If this fails, one record that CSV allows has the whole file refused where no record may, or changes others.
    #[test]
    fn what_has_no_plain_meaning_is_left_if_asked_for() {
        let one = Csv::new(&header(&["a"]), &[0], false);
        for text in ["x\n\ny\n", "\nx\ny", "x\r\n\r\ny\r\n\r\n"] {
            let piece = one.parse(text.into(), true).expect("parsed");
            assert_eq!(rows(&piece, 1), [["x"], ["y"]], "{text:?}");
        }
        let two = Csv::new(&header(&["a", "b"]), &[0, 1], false);
        for text in [b"x,\xff\nz,w\n".as_slice(), b"x,\"\xff\"\nz,w\n"] {
            let piece = two.parse(text.to_vec(), true).expect("parsed");
            let values: Vec<Value<'_>> =
                (0..2).flat_map(|row| [piece.value(0, row), piece.value(1, row)]).collect();
            let text = |text: &'static str| Value::Text(text.as_bytes());
            assert_eq!(values, [text("x"), Value::Bytes(b"\xff"), text("z"), text("w")]);
        }
        assert!(two.parse("x,\"y\n".into(), true).is_err(), "where this record ends is not known");
    }

    /// If this fails, a record of another length has the whole file refused where no record may, or changes others.
    #[test]
    fn a_record_of_another_length_has_no_values_if_asked_for() {
        let csv = Csv::new(&header(&["a", "b"]), &[1, 0], false);
        let long = format!("\"{}\",y", "x\n".repeat(MAX_RECORD / 2));
        for bad in ["x", "x,y,z", "x,y,z,w,", "\"x\"", "\"x\",y,\"z\nw\"", long.as_str()] {
            for end in ["\n", "\r\n"] {
                let text = format!("1,2{end}{bad}{end}3,4{end}");
                for last in [false, true] {
                    let piece = csv.parse(text.clone().into(), last).expect("parsed");
                    let shown = &bad[..bad.len().min(20)];
                    assert_eq!(rows(&piece, 2), [["2", "1"], ["", ""], ["4", "3"]], "{shown:?}");
                    assert!(matches!(
                        (piece.value(0, 1), piece.value(1, 1)),
                        (Value::Missing, Value::Missing)
                    ));
                }
            }
        }
        let piece = csv.parse("1,2\nx".into(), true).expect("parsed");
        assert_eq!(rows(&piece, 2), [["2", "1"], ["", ""]], "the end of the file ends it too");
    }

    #[test]
    fn an_unfinished_record_is_left_over() {
        let csv = Csv::new(&header(&["a", "b"]), &[1], true);
        let piece = csv.parse("x,y\nz,\"w\n".into(), false).expect("parsed");
        assert_eq!((piece.rows(), piece.rest()), (1, "z,\"w\n".as_bytes()));
        let whole = csv.parse("x,y\n".into(), false).expect("parsed");
        assert_eq!((whole.rows(), whole.rest()), (1, b"".as_slice()));
    }

    #[test]
    fn headers() {
        let parse = |text: &str, last| {
            CsvHeader::parse(text.as_bytes(), b';', last)
                .map(|found| found.map(|(header, at)| (header.names, at)))
        };
        assert_eq!(parse("\n\"a b\";c\nx", false), Ok(Some((vec!["a b".into(), "c".into()], 9))));
        assert_eq!(parse("a;c", true), Ok(Some((vec!["a".into(), "c".into()], 3))));
        assert_eq!(parse("a;c", false), Ok(None));
        assert_eq!(parse("\n", true), Ok(Some((vec![], 1))));
    }

    /// What the search finds in plain text is what the parser of fields finds.
    #[test]
    fn plain_text_is_read_alike_both_ways() {
        let texts =
            ["", "\n", "x,y", "x,y\n", "\n\nx,y\n\nz,w\n\n", ",\n", ",", "x\n", "x,y,z\n", "x,y\nz", "é,ü\n"];
        for (strict, text) in [true, false].into_iter().flat_map(|strict| texts.map(|text| (strict, text))) {
            let csv = Csv::new(&header(&["a", "b"]), &[1, 0], strict);
            for last in [false, true] {
                let (plain, fields) =
                    (csv.plain_records(text.as_bytes(), last), csv.by_fields(text.as_bytes(), last));
                let seen = |piece: CsvPiece| {
                    let piece = CsvPiece { block: text.as_bytes().to_vec(), ..piece };
                    (rows(&piece, 2), piece.rest)
                };
                if last || text.ends_with('\n') || text.is_empty() {
                    assert_eq!(plain.map(seen), fields.map(seen), "{text:?} {last}");
                }
            }
        }
    }

    proptest! {
        /// The crate csv, an independent reader, finds the same fields.
        #[test]
        fn fields_are_those_of_another_reader(text in "([ab]|,|\"|\n|\r\n){0,40}") {
            let ours = parsed(&text);
            let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let theirs: Vec<Vec<String>> = reader
                .records()
                .map(|record| record.expect("text").iter().map(ToOwned::to_owned).collect())
                .collect();
            match ours {
                Ok(rows) => prop_assert_eq!(rows, theirs),
                Err(TextFlaw::FieldCount) => prop_assert!(theirs.iter().any(|row| row.len() != 2)),
                // That reader takes the end of the text for the closing quote.
                Err(flaw) => prop_assert_eq!(flaw, TextFlaw::OpenQuote),
            }
        }
    }
}
