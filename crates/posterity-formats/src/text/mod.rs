//! Files of text: CSV and TSV, and JSON with one object per line or an array of them.

mod array_lines;
mod blocks;
mod csv;
mod decode;
mod json;
mod read;
mod signature;

use std::io;

pub use read::common_names;
pub(crate) use read::read_text;

/// The longest record, in bytes, that a text file may hold.
pub const MAX_RECORD: usize = 8 << 20;

/// What is wrong with a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextFlaw {
    /// A record longer than [`MAX_RECORD`].
    TooLong,
    /// A blank line in a file of one column.
    BlankLine,
    /// A line that is no JSON object.
    NotLines,
    /// A JSON object that names a column twice.
    RepeatedKey,
    /// A quote that is never closed.
    OpenQuote,
    /// A record with more or fewer fields than the header.
    FieldCount,
    /// Text that is not UTF-8.
    NotUtf8,
    /// A line that begins and ends as a JSON object, and is none.
    Malformed,
    /// The same, with a number that JSON does not have.
    NotFinite,
    /// Text that is not of the encoding that was given.
    NotEncoded,
    /// UTF-16 whose first bytes do not say which byte of a unit comes first, or say another one.
    ByteOrder,
    /// The file is not text of the encoding that was asked for, and its first bytes say what it is.
    Other(Signature),
    /// The compressed file is damaged.
    Gzip,
    /// The system refuses to read.
    Unreadable(std::io::ErrorKind),
}

/// What the first bytes of a file say, if it is not what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    /// Compressed with gzip.
    Gzip,
    /// A ZIP archive, which the files of spreadsheets are.
    Zip,
    /// UTF-16 with a byte order mark.
    Utf16,
    /// UTF-16 without one.
    Utf16Unmarked,
}

/// What is wrong with text that is turned into other text while it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// See [`TextFlaw::ByteOrder`].
    Order,
    /// The file ends within a unit of UTF-16.
    Half,
    /// Brackets and commas that make no array.
    Array,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the text does not follow its format")
    }
}

impl std::error::Error for Broken {}

impl From<Broken> for io::Error {
    fn from(broken: Broken) -> Self {
        Self::new(io::ErrorKind::InvalidData, broken)
    }
}

/// The byte order mark of UTF-8, which may stand at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";
