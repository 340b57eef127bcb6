//! Columns of text as a Parquet file (<https://parquet.apache.org/docs/file-format/>), for rows that were fitted to a release.
//!
//! Every column is a dictionary of its values and the place of each row's value in it. There is one group of rows, nothing
//! is missing, and nothing is compressed: places of few bits are short already.

use std::io::{self, Write};

/// A column of text: its values, and the place of each row's value among them.
#[derive(Clone, Copy, Debug)]
pub struct TextColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values.
    pub values: &'a [String],
    /// The place of each row's value.
    pub places: &'a [u16],
}

/// The first and the last bytes of every file.
const MAGIC: &[u8] = b"PAR1";

/// The most rows of one page. Pages with 16 bits for each row then have a size that the format can state.
const PAGE_ROWS: usize = 1 << 20;

/// Writes columns of equal lengths.
///
/// # Errors
/// What writing to `out` ends with.
pub fn write(out: &mut impl Write, columns: &[TextColumn<'_>]) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut written = MAGIC.len() as i64;
    let mut chunks = Vec::with_capacity(columns.len());
    for column in columns {
        let first = dictionary_page(column);
        let others: Vec<u8> =
            column.places.chunks(PAGE_ROWS).flat_map(|rows| data_page(column, rows)).collect();
        out.write_all(&first)?;
        out.write_all(&others)?;
        let bytes = (first.len() + others.len()) as i64;
        chunks.push(Chunk { dictionary: written, data: written + first.len() as i64, bytes });
        written += bytes;
    }
    let footer = footer(columns, &chunks);
    out.write_all(&footer)?;
    out.write_all(&(footer.len() as u32).to_le_bytes())?;
    out.write_all(MAGIC)
}

/// Where the pages of a column stand in the file.
struct Chunk {
    dictionary: i64,
    data: i64,
    bytes: i64,
}

// Numbers of the format: kinds of pages, encodings and types.
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const RLE_DICTIONARY: i64 = 8;
const BYTE_ARRAY: i64 = 6;
const UTF8: i64 = 0;
const REQUIRED: i64 = 0;
const UNCOMPRESSED: i64 = 0;

/// All values, each with its length before it.
fn dictionary_page(column: &TextColumn<'_>) -> Vec<u8> {
    let value = |value: &String| [&(value.len() as u32).to_le_bytes(), value.as_bytes()].concat();
    let values: Vec<u8> = column.values.iter().flat_map(value).collect();
    let mut header = page_header(DICTIONARY_PAGE, values.len());
    header.structure(7, |page| {
        page.i32(1, column.values.len() as i64);
        page.i32(2, PLAIN);
    });
    [header.end(), values].concat()
}

/// The places of some rows.
fn data_page(column: &TextColumn<'_>, rows: &[u16]) -> Vec<u8> {
    let places = packed(rows, width(column.values.len()));
    let mut header = page_header(DATA_PAGE, places.len());
    header.structure(5, |page| {
        page.i32(1, rows.len() as i64);
        page.i32(2, RLE_DICTIONARY);
        page.i32(3, RLE);
        page.i32(4, RLE);
    });
    [header.end(), places].concat()
}

fn page_header(kind: i64, bytes: usize) -> Thrift {
    let mut header = Thrift::default();
    header.i32(1, kind);
    header.i32(2, bytes as i64);
    header.i32(3, bytes as i64);
    header
}

/// How many bits the places of this many values need.
fn width(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).max(1).leading_zeros()
}

/// Places of `width` bits each, the first in the lowest bits: one run of groups of eight, filled up with zeros.
fn packed(rows: &[u16], width: u32) -> Vec<u8> {
    let groups = rows.len().div_ceil(8);
    let mut bytes = vec![width as u8];
    bytes.extend(varint((groups as u64) << 1 | 1));
    let (mut waiting, mut bits) = (0_u64, 0);
    for index in 0..8 * groups {
        waiting |= u64::from(rows.get(index).copied().unwrap_or(0)) << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            bits -= 8;
        }
    }
    bytes
}

/// What the file holds, and where.
fn footer(columns: &[TextColumn<'_>], chunks: &[Chunk]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |column| column.places.len()) as i64;
    let mut file = Thrift::default();
    file.i32(1, 1);
    let root = Thrift::of(|root| {
        root.text(4, "rows");
        root.i32(5, columns.len() as i64);
    });
    file.structures(
        2,
        std::iter::once(root).chain(columns.iter().map(|column| element(column.name))).collect(),
    );
    file.i64(3, rows);
    let group = Thrift::of(|group| {
        group.structures(
            1,
            columns.iter().zip(chunks).map(|(column, chunk)| column_chunk(column, chunk)).collect(),
        );
        group.i64(2, chunks.iter().map(|chunk| chunk.bytes).sum());
        group.i64(3, rows);
    });
    file.structures(4, vec![group]);
    file.text(6, concat!("posterity version ", env!("CARGO_PKG_VERSION")));
    file.end()
}

/// A column of the schema.
fn element(name: &str) -> Thrift {
    Thrift::of(|element| {
        element.i32(1, BYTE_ARRAY);
        element.i32(3, REQUIRED);
        element.text(4, name);
        element.i32(6, UTF8);
        // The logical type is a union, of which text is the first.
        element.structure(10, |logical| logical.structure(1, |_| ()));
    })
}

fn column_chunk(column: &TextColumn<'_>, chunk: &Chunk) -> Thrift {
    Thrift::of(|one| {
        one.i64(2, chunk.dictionary);
        one.structure(3, |about| {
            about.i32(1, BYTE_ARRAY);
            about.list(2, I32, &[zigzag(PLAIN), zigzag(RLE_DICTIONARY)]);
            about.list(3, BINARY, &[binary(column.name)]);
            about.i32(4, UNCOMPRESSED);
            about.i64(5, column.places.len() as i64);
            about.i64(6, chunk.bytes);
            about.i64(7, chunk.bytes);
            about.i64(9, chunk.data);
            about.i64(11, chunk.dictionary);
        });
    })
}

/// A structure in Thrift's compact protocol: fields in rising order, each with the distance from the one before.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

// Types of fields.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    fn of(fill: impl FnOnce(&mut Self)) -> Self {
        let mut one = Self::default();
        fill(&mut one);
        one
    }

    /// All bytes, with the mark of the end.
    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    fn field(&mut self, field: u8, kind: u8, value: &[u8]) {
        // No two fields that are written here are 16 or more apart.
        self.bytes.push((field - self.last) << 4 | kind);
        self.bytes.extend_from_slice(value);
        self.last = field;
    }

    fn i32(&mut self, field: u8, value: i64) {
        self.field(field, I32, &zigzag(value));
    }

    fn i64(&mut self, field: u8, value: i64) {
        self.field(field, I64, &zigzag(value));
    }

    fn text(&mut self, field: u8, text: &str) {
        self.field(field, BINARY, &binary(text));
    }

    fn structure(&mut self, field: u8, fill: impl FnOnce(&mut Self)) {
        self.field(field, STRUCT, &Self::of(fill).end());
    }

    fn structures(&mut self, field: u8, all: Vec<Self>) {
        self.list(field, STRUCT, &all.into_iter().map(Self::end).collect::<Vec<_>>());
    }

    fn list(&mut self, field: u8, kind: u8, items: &[Vec<u8>]) {
        let head = match items.len() {
            short @ 0..15 => vec![(short as u8) << 4 | kind],
            long => [vec![0xf0 | kind], varint(long as u64)].concat(),
        };
        self.field(field, LIST, &[head, items.concat()].concat());
    }
}

/// A number in groups of seven bits, the lowest first.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A number whose sign is in the lowest bit.
fn zigzag(value: i64) -> Vec<u8> {
    varint((value << 1 ^ value >> 63) as u64)
}

fn binary(text: &str) -> Vec<u8> {
    [varint(text.len() as u64), text.as_bytes().to_vec()].concat()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use posterity::data::{Column, Question, Resources, Source, count};
    use posterity_core::sampler::SeededBits;

    use super::*;

    /// If this fails, rows that are written are not those that are read. The reader of the project checks every byte that
    /// it needs; that pyarrow reads the same is tested in Python.
    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.parquet");
        for (sizes, rows) in
            [(vec![2, 3], 1), (vec![2, 300, 5], 1003), (vec![4; 20], 64), (vec![9], PAGE_ROWS + 9)]
        {
            let values: Vec<Vec<String>> =
                sizes.iter().map(|&size| (0..size).map(|value| format!("né {value}")).collect()).collect();
            let places: Vec<Vec<u16>> = (0..sizes.len())
                .map(|column| {
                    (0..rows).map(|row| ((row * 7 + row / 3 + column) % sizes[column]) as u16).collect()
                })
                .collect();
            let names: Vec<String> = (0..sizes.len()).map(|column| format!("c{column}")).collect();
            let columns: Vec<TextColumn<'_>> = (0..sizes.len())
                .map(|at| TextColumn { name: &names[at], values: &values[at], places: &places[at] })
                .collect();
            let mut file = std::fs::File::create(&path).expect("a file");
            write(&mut file, &columns).expect("written");
            // Neighbours together, so that rows that slip are seen.
            for two in columns.windows(2.min(columns.len())) {
                let declared = two.iter().map(|column| Column::new(column.name, column.values.to_vec()));
                let (question, source) =
                    (Question::new(declared.collect()), Source::files(path.to_string_lossy()));
                let go_on = |_| ControlFlow::Continue(());
                let found = count(&source, &question, &mut SeededBits::new(1), &Resources::default(), &go_on);
                let cells = two.iter().map(|column| column.values.len()).product();
                let mut expected = vec![0_u64; cells];
                for row in 0..rows {
                    let cell = two
                        .iter()
                        .fold(0, |cell, one| cell * one.values.len() + usize::from(one.places[row]));
                    expected[cell] += 1;
                }
                assert_eq!(found.expect("read").counts.as_slice(), expected, "{sizes:?}");
            }
        }
    }

    #[test]
    fn bits_are_packed_from_the_lowest() {
        // The example of the format's description: 0 to 7 with three bits each.
        let rows: Vec<u16> = (0..8).collect();
        assert_eq!(packed(&rows, 3), [3, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!([1, 2, 3, 4, 5, 256, 257, 65_535].map(width), [1, 1, 2, 2, 3, 8, 9, 16]);
    }
}
