//! Files of text: CSV, and JSON with one object per line.

mod blocks;
mod csv;
mod json;
mod read;

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
    /// The compressed file is damaged.
    Gzip,
    /// The system refuses to read.
    Unreadable(std::io::ErrorKind),
}

/// The byte order mark, which may stand at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";
