//! Why a source cannot be read.

use thiserror::Error;

use crate::column_hint::listed;
use crate::encoding::Encoding;
use crate::format::Format;
use crate::postgres_fault::PostgresFault;
use crate::text::MAX_RECORD;

/// Why a source cannot be read. The message names files and columns, which are public. It never contains a value of a
/// record or the number of a record at fault. It carries no error of another library, because those quote values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The delimiter cannot separate fields.
    #[error(
        "the delimiter {delimiter:?} cannot separate fields; choose one ASCII character that is no quote and no line break"
    )]
    Delimiter {
        /// The character.
        delimiter: char,
    },
    /// The source does not exist.
    #[error("there is no file, folder or match for {path:?}; check the path")]
    NotFound {
        /// The path.
        path: String,
    },
    /// A pattern that is not a glob.
    #[error("{path:?} does not exist, and is no valid pattern either; check the path")]
    Pattern {
        /// The pattern.
        path: String,
    },
    /// The system refuses to read.
    #[error("{path:?} cannot be read: {kind}; check that it is a file you may read")]
    Unreadable {
        /// The path.
        path: String,
        /// What the system says.
        kind: std::io::ErrorKind,
    },
    /// A file outside the only folder that may be read.
    #[error("{path:?} is not in the folder that may be read; put the file itself there, not a link to it")]
    Elsewhere {
        /// The path.
        path: String,
    },
    /// Something that is neither file nor folder.
    #[error("{path:?} is no regular file; save the records to a file first")]
    NotAFile {
        /// The path.
        path: String,
    },
    /// A folder without files.
    #[error("the folder {path:?} holds no files; name the folder that holds them, or a file")]
    NoFiles {
        /// The folder.
        path: String,
    },
    /// A folder within the folder, whose files would be left out unnoticed.
    #[error(
        "the folder {path:?} holds another folder, {name:?}; name the files by a pattern such as {path}/**/*.parquet"
    )]
    Subfolder {
        /// The folder.
        path: String,
        /// The one within.
        name: String,
    },
    /// The name of a file does not tell its format.
    #[error(
        "the name of {path:?} does not tell its format; give the format: csv, tsv, json, parquet, arrow or \
         sqlite. Save the sheet of a spreadsheet as CSV first"
    )]
    UnknownFormat {
        /// The file.
        path: String,
    },
    /// A file of a folder whose name does not tell its format, such as a README.
    #[error(
        "{path:?} is in the folder, and its name does not say that it holds records; move it, or name the files by a pattern such \
         as {folder}/**/*.csv"
    )]
    StrayFile {
        /// The file.
        path: String,
        /// The folder.
        folder: String,
    },
    /// Folders whose names hold columns, but not the same ones for all files.
    #[error(
        "the folders below {path:?} do not name the same columns for every file; lay them out as year=../part.parquet, all \
         alike, or name the files by a pattern"
    )]
    Partitions {
        /// The source.
        path: String,
    },
    /// A file without any column that can be read, where only columns of its folders are asked for.
    #[error(
        "a file of the source has only nested columns, so its records cannot be counted; add a flat column"
    )]
    NoFlatColumn,
    /// The standard input, and no format.
    #[error("standard input has no name that tells its format; give the format: csv, tsv or json")]
    InputFormat,
    /// The standard input in a format that is not read from its start to its end.
    #[error(
        "{format} is not read from standard input, because its parts are not in order; save it to a file first"
    )]
    InputOrder {
        /// The format.
        format: Format,
    },
    /// An encoding for a format that has none.
    #[error("an encoding is for csv, tsv and json; leave it out for {format}")]
    Encoded {
        /// The format.
        format: Format,
    },
    /// Text of another encoding than was asked for.
    #[error("the text is not {encoding}; check how the file was saved, and name its encoding")]
    NotEncoded {
        /// The encoding.
        encoding: Encoding,
    },
    /// UTF-16 whose order of bytes is not known.
    #[error(
        "{path:?} does not begin with the byte order mark of {encoding}; name the encoding utf-16le or utf-16be, by which byte \
         comes first"
    )]
    ByteOrder {
        /// The file.
        path: String,
        /// The encoding that was asked for.
        encoding: Encoding,
    },
    /// UTF-16 that was to be read as something else.
    #[error("{path:?} is UTF-16, by its first bytes; name the encoding {encodings}")]
    IsUtf16 {
        /// The file.
        path: String,
        /// What to name.
        encodings: &'static str,
    },
    /// A compressed file without the name of one.
    #[error(
        "{path:?} is compressed with gzip, by its first bytes; let its name end with .gz, or uncompress it"
    )]
    IsGzip {
        /// The file.
        path: String,
    },
    /// An archive.
    #[error(
        "{path:?} is a ZIP archive by its first bytes. If it is the file of a spreadsheet (.xlsx, .ods), save the sheet as CSV, or pass it \
         from Python; otherwise unpack it"
    )]
    IsZip {
        /// The file.
        path: String,
    },
    /// A number that JSON does not have.
    #[error(
        "{path:?} has NaN or Infinity, which are no numbers in JSON; write null for a missing number, or text in quotes"
    )]
    NotFinite {
        /// The file.
        path: String,
    },
    /// Files of several formats.
    #[error(
        "{first:?} and {second:?} are of different formats; name files of one format, all compressed or none"
    )]
    MixedFormats {
        /// A file.
        first: String,
        /// A file of another format.
        second: String,
    },
    /// One file under two names, whose records would count twice.
    #[error(
        "{first:?} and {second:?} are the same file, whose records would count twice; remove one of the links, or name the files \
         by a pattern that leaves it out"
    )]
    SameFile {
        /// A name of the file.
        first: String,
        /// Another name of it.
        second: String,
    },
    /// The file is empty.
    #[error("{path:?} is empty; remove it, or write its records")]
    EmptyFile {
        /// The file.
        path: String,
    },
    /// Files with different columns.
    #[error("{first:?} and {second:?} differ in their columns or the types of these; make them equal")]
    MixedColumns {
        /// A file.
        first: String,
        /// A file with other columns.
        second: String,
    },
    /// Two columns of one name.
    #[error("the source has two columns named {column:?}; rename one of them")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// Columns in memory of different lengths.
    #[error("the columns of the table differ in their number of values; make them equal")]
    UnequalColumns,
    /// A record that is too long.
    #[error("{path:?} has a record longer than {} MiB; check the line breaks and quotes, or store the file as Parquet", MAX_RECORD >> 20)]
    TooLong {
        /// The file.
        path: String,
    },
    /// A blank line where it may be a missing value or nothing.
    #[error("{path:?} has one column and a blank line; remove the line, or write \"\" for a missing value")]
    BlankLine {
        /// The file.
        path: String,
    },
    /// A quote that is never closed, so that the records after it would be part of the field.
    #[error(
        "{path:?} has a field with an opening quote and no closing one; close it, or double quotes that are text"
    )]
    OpenQuote {
        /// The file.
        path: String,
    },
    /// Neither one object per line nor an array of objects.
    #[error(
        "{path:?} holds neither one JSON object per line nor an array of objects; write each record as an object on a line of \
         its own"
    )]
    NotLines {
        /// The file.
        path: String,
    },
    /// An object with two values for one column.
    #[error("{path:?} has a record that names a column of the question twice; write each key once")]
    RepeatedKey {
        /// The file.
        path: String,
    },
    /// Rows of unequal length.
    #[error("a row has more or fewer fields than the header; quote fields that contain the delimiter")]
    FieldCount,
    /// Text that is not UTF-8.
    #[error("the text is not UTF-8; convert the file, or name its encoding, such as windows-1252 or utf-16")]
    NotUtf8,
    /// A file that does not follow its format.
    #[error("the source is not well-formed {format}; write it again, or check how it was made")]
    Malformed {
        /// The format.
        format: Format,
    },
    /// A file that is cut or overwritten.
    #[error("the source is damaged or not {format}; copy or write it again")]
    Damaged {
        /// The format.
        format: Format,
    },
    /// A part that does not fit into memory.
    #[error(
        "{path:?} has a page or batch too large to be held in memory; write smaller row groups or batches, such as of 100,000 \
         rows, or use fewer threads"
    )]
    LargePiece {
        /// The file.
        path: String,
    },
    /// A file that uses something which is not read here.
    #[error("{path:?} uses {what}, which is not read here; write it without, or as CSV")]
    UnsupportedFile {
        /// The file.
        path: String,
        /// What it uses.
        what: &'static str,
    },
    /// A compressed file that is cut or overwritten.
    #[error("{path:?} is damaged or not gzip; copy or compress it again")]
    DamagedGzip {
        /// The file.
        path: String,
    },
    /// A table of files that hold one table each.
    #[error(
        "a table or a view is named for sqlite files and for databases of PostgreSQL; leave it out for {format}"
    )]
    TableOf {
        /// The format.
        format: Format,
    },
    /// A format for what is no file.
    #[error("a format is for files, and this is a database of PostgreSQL; leave it out")]
    ServerFormat,
    /// A database, and no table of it.
    #[error(
        "{path:?} is a database, and the table to read is not named or not there; name one: {}",
        listed(tables)
    )]
    NoTable {
        /// The file, or the address of the database.
        path: String,
        /// The tables that it has.
        tables: Vec<String>,
    },
    /// A view that was named as a table.
    #[error(
        "{name:?} is a view, and a row of a view may depend on the records of many people; name a table, or name it as a view and \
         with a unit, if each of its rows depends on one unit only and never fails"
    )]
    View {
        /// The view.
        name: String,
    },
    /// A table that was named as a view.
    #[error("{name:?} is a table; name it as a table")]
    NotAView {
        /// The table.
        name: String,
    },
    /// A view without a unit.
    #[error(
        "a view needs a unit, because one record may stand in many of its rows; name the column that tells units apart, or name a \
         table"
    )]
    ViewUnit,
    /// SQLite refuses to read. Its message may quote values of records, so it is not repeated.
    #[error(
        "SQLite cannot read {path:?} (result code {code}); check that you may read the file and its folder, that no other program \
         locks it, and that it is whole (`PRAGMA integrity_check`)"
    )]
    Sqlite {
        /// The file.
        path: String,
        /// The result code of SQLite.
        code: i32,
    },
    /// A PostgreSQL server does not give its records.
    #[error("{address}: {fault}")]
    Postgres {
        /// Host, port and database.
        address: String,
        /// Why not.
        fault: PostgresFault,
    },
    /// No such table.
    #[error("the session has no table {table:?}; register it first")]
    UnknownTable {
        /// The name.
        table: String,
    },
}

impl ReadError {
    /// The same without the place of the fault. Where a source has several files, which of them has a bad record is a
    /// fact about that record; so the source is named, as it was given, in place of the file.
    ///
    /// No error tells a line, the number of a record, or a place within a file.
    ///
    /// ```
    /// use posterity_formats::ReadError;
    /// let error = ReadError::OpenQuote { path: "people-3.csv".into() };
    /// assert_eq!(error.without_place("people-*.csv"), ReadError::OpenQuote { path: "people-*.csv".into() });
    /// ```
    #[must_use]
    pub fn without_place(mut self, source: &str) -> Self {
        match &mut self {
            Self::TooLong { path }
            | Self::BlankLine { path }
            | Self::OpenQuote { path }
            | Self::NotLines { path }
            | Self::RepeatedKey { path }
            | Self::NotFinite { path }
            | Self::LargePiece { path }
            | Self::DamagedGzip { path } => source.clone_into(path),
            // These are about the question, the names of files and columns, or what a file declares, or name no file.
            Self::Delimiter { .. }
            | Self::NotFound { .. }
            | Self::Pattern { .. }
            | Self::Unreadable { .. }
            | Self::Elsewhere { .. }
            | Self::NotAFile { .. }
            | Self::NoFiles { .. }
            | Self::Subfolder { .. }
            | Self::UnknownFormat { .. }
            | Self::StrayFile { .. }
            | Self::Partitions { .. }
            | Self::NoFlatColumn
            | Self::InputFormat
            | Self::InputOrder { .. }
            | Self::Encoded { .. }
            | Self::NotEncoded { .. }
            | Self::ByteOrder { .. }
            | Self::IsUtf16 { .. }
            | Self::IsGzip { .. }
            | Self::IsZip { .. }
            | Self::MixedFormats { .. }
            | Self::SameFile { .. }
            | Self::EmptyFile { .. }
            | Self::MixedColumns { .. }
            | Self::DuplicateColumn { .. }
            | Self::UnequalColumns
            | Self::FieldCount
            | Self::NotUtf8
            | Self::Malformed { .. }
            | Self::Damaged { .. }
            | Self::UnsupportedFile { .. }
            | Self::TableOf { .. }
            | Self::NoTable { .. }
            | Self::View { .. }
            | Self::NotAView { .. }
            | Self::ViewUnit
            | Self::Sqlite { .. }
            | Self::ServerFormat
            | Self::Postgres { .. }
            | Self::UnknownTable { .. } => {}
        }
        self
    }
}
