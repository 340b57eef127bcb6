//! The errors of a count.

use posterity_core::model::CountsError;
use posterity_core::sampler::SourceError;
use thiserror::Error;

use crate::cells::CellsError;
use crate::column_hint::ColumnHint;
use crate::filter::FilterError;
use crate::format::Format;
use crate::text::MAX_RECORD;
use crate::unit::UnitError;

/// Why a count failed. The message names files, columns and declared values, which are public. It never contains a value
/// of a record or the number of records at fault. It carries no error of another library, because those quote values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The question declares no categories.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The filter is wrong, or has no answer for some record.
    #[error("the filter {filter:?} {error}")]
    Filter {
        /// The filter.
        filter: String,
        /// What is wrong with it.
        error: FilterError,
    },
    /// The private filter is wrong, or has no answer for some record.
    #[error("the private filter {filter:?} {error}")]
    Within {
        /// The filter.
        filter: String,
        /// What is wrong with it.
        error: FilterError,
    },
    /// No question is asked.
    #[error("no question is asked; ask at least one")]
    NoQuestions,
    /// Questions that cannot be counted together.
    #[error(
        "question {question} has another {what} than the first, and questions that are counted together have the same; count it by \
         itself"
    )]
    MixedQuestions {
        /// The position of the question, from 1.
        question: usize,
        /// What differs.
        what: &'static str,
    },
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
    /// A pattern that is no glob.
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
    #[error("the name of {path:?} does not tell its format; give the format: csv, json, parquet or arrow")]
    UnknownFormat {
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
    /// No such column.
    #[error("there is no column {column:?}; {hint}")]
    UnknownColumn {
        /// The name given.
        column: String,
        /// What may be said of the columns there are.
        hint: ColumnHint,
    },
    /// A column whose type has no exact printed form.
    #[error("column {column:?} is of type {kind}, {remedy}")]
    UnsupportedType {
        /// The column.
        column: String,
        /// Its type.
        kind: String,
        /// What the type lacks, and what to do.
        remedy: &'static str,
    },
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
    /// Not one object per line.
    #[error(
        "{path:?} does not hold one JSON object per line; write each record as an object on a line of its own"
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
    #[error("the text is not UTF-8; convert the file to UTF-8")]
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
    /// A value that is not declared.
    #[error(
        "column {column:?} has a value outside the declared categories; declare it, or name a category for other values"
    )]
    Outside {
        /// The column.
        column: String,
    },
    /// A missing value.
    #[error("column {column:?} has missing values; name the category they count to, or filter them out")]
    Missing {
        /// The column.
        column: String,
    },
    /// A value that has no exact name.
    #[error(
        "column {column:?} has a value that is neither text nor a whole number nor a truth value, and so has no exact name; \
         store it as text, or sort numbers into bins"
    )]
    Unnamed {
        /// The column.
        column: String,
    },
    /// A value that is neither earlier nor later than others.
    #[error(
        "column {column:?} has a value without an order; order the records of a unit by numbers, dates or text"
    )]
    Unordered {
        /// The column.
        column: String,
    },
    /// A record without a unit.
    #[error("the unit column {column:?} has missing values; fill them in, or filter them out")]
    MissingUnit {
        /// The column.
        column: String,
    },
    /// Nothing to count.
    #[error("there are no records to count; check the source and the filter")]
    NoRecords,
    /// More records than the arithmetic is proven for.
    #[error(transparent)]
    Counts(CountsError),
    /// No such table.
    #[error("the session has no table {table:?}; register it first")]
    UnknownTable {
        /// The name.
        table: String,
    },
    /// The address is not valid.
    #[error("{address:?} is no address of a cluster; write df://host:port, such as df://scheduler:50050")]
    ClusterAddress {
        /// What was given.
        address: String,
    },
    /// The cluster does not answer.
    #[error(
        "the cluster {address} does not answer; check the address, that its scheduler runs, and that no firewall blocks it"
    )]
    ClusterUnreachable {
        /// The address.
        address: String,
    },
    /// A source that executors on other machines cannot read.
    #[error(
        "a cluster reads Parquet and uncompressed CSV files, and {path:?} is {kind}; store it as Parquet, or count without the cluster"
    )]
    ClusterFormat {
        /// The source.
        path: String,
        /// What it is.
        kind: String,
    },
    /// A private filter on a cluster.
    #[error("a private filter is not counted on a cluster; count on this machine")]
    ClusterWithin,
    /// A rule for units that a query cannot follow.
    #[error(
        "a cluster counts each unit by a random record or by the one whose category is declared first, not by the rule {rule:?}; \
         choose random or first, or count without the cluster"
    )]
    ClusterRule {
        /// The rule.
        rule: String,
    },
    /// A number that a cluster does not read, and this machine does.
    #[error(
        "column {column:?} is text, and has a number with an exponent, or with more than 37 digits before the point or \
         38 after it, which a cluster does not read; write it as a shorter decimal, or count without the cluster"
    )]
    ClusterNumber {
        /// The column.
        column: String,
    },
    /// The cluster failed. Its message may quote values of records, so it is not repeated.
    #[error(
        "the cluster {address} did not finish the count; check that scheduler, executors and this program are of the same \
         version, that every executor sees the files under the same paths, and what their logs say"
    )]
    Cluster {
        /// The address.
        address: String,
    },
    /// The memory that was allowed does not suffice.
    #[error("counting needs more memory than allowed; allow more, or use fewer threads")]
    Memory,
    /// The units could not be counted.
    #[error(transparent)]
    Units(#[from] UnitError),
    /// The random source, by which one record of each unit is drawn, failed.
    #[error(transparent)]
    Random(#[from] SourceError),
    /// The count was stopped.
    #[error("the count was stopped; nothing was counted")]
    Stopped,
    /// The system gave no threads.
    #[error("the system gave no threads to count with; try again, or use fewer threads")]
    Threads,
    /// A reader failed. Its message may quote values of records, so it is not repeated.
    #[error("the source could not be read; check that it is complete and not being written")]
    Unforeseen,
    /// The query engine failed. Its message may quote values of records, so it is not repeated.
    #[error("the query engine failed {stage}; check that the source is complete and not being written")]
    Engine {
        /// What it was doing.
        stage: &'static str,
    },
}

impl From<CountsError> for DataError {
    fn from(error: CountsError) -> Self {
        match error {
            CountsError::NoRecords => Self::NoRecords,
            error => Self::Counts(error),
        }
    }
}
