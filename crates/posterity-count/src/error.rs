//! The errors of a count.

use posterity_core::model::CountsError;
use posterity_core::sampler::SourceError;
use posterity_formats::{ColumnHint, ReadError};
use thiserror::Error;

use crate::cells::{CellsError, MAX_MARGIN_CELLS};
use crate::filter::FilterError;
use crate::resemblance::Difference;
use crate::unit::UnitError;

/// Why a count failed. The message names files, columns and declared values, which are public. It never contains a
/// value of a record or the number of records at fault. It carries no error of another library, because those quote
/// values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The source cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
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
    #[error("no question is asked; checked at least one")]
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
    /// A rule by which a unit counts more than once, without a unit or with a public n.
    #[error(
        "the rule {rule:?} counts several records of a unit, which needs a unit and a private n; name the unit and the adjacency \
         add-remove, or choose random, first, mode or latest COLUMN"
    )]
    SeveralRecords {
        /// The rule.
        rule: String,
    },
    /// A set of columns that is none.
    #[error(
        "set {set} of columns names a column twice, out of order, or one that is not declared; name the positions of its columns \
         in rising order"
    )]
    MarginSet {
        /// The position of the set, from 1.
        set: usize,
    },
    /// Tables over sets of columns that have too many cells together.
    #[error(
        "the tables have more than {MAX_MARGIN_CELLS} cells together; ask for fewer sets of columns, for smaller ones, or declare \
         fewer values"
    )]
    TooManyMarginCells,
    /// A private filter with tables over sets of columns.
    #[error(
        "a private filter is not counted with tables over sets of columns; make it a filter, or count one table by itself"
    )]
    MarginsWithin,
    /// A rule by which a unit counts more than once, with tables over sets of columns.
    #[error(
        "the rule {rule:?} counts several records of a unit, and tables over sets of columns take one record of each; choose random, \
         first, mode or latest COLUMN"
    )]
    MarginsRule {
        /// The rule.
        rule: String,
    },
    /// A rule by which each question chooses its own record of a unit, where one record counts in all tables.
    #[error(
        "one record of a unit counts in all tables here, and by the rule {rule:?} each question would choose another; choose random \
         or latest COLUMN"
    )]
    TogetherRule {
        /// The rule.
        rule: String,
    },
    /// No such column.
    #[error("there is no column {column:?}; {hint}")]
    UnknownColumn {
        /// The name given.
        column: String,
        /// What may be said of the columns there are.
        hint: ColumnHint,
    },
    /// A rule by which a unit counts more than once, where it must count in one value.
    #[error(
        "the rule {rule:?} counts several records of a unit, and a unit counts in one value of a column whose values are not \
         declared; choose random, first, mode or latest COLUMN"
    )]
    SeveralValues {
        /// The rule.
        rule: String,
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
    /// A value that is not declared.
    #[error(
        "column {column:?} has a value outside the declared categories (`posterity check` shows it); declare it, or name a category \
         for other values"
    )]
    Outside {
        /// The column.
        column: String,
    },
    /// A value that is not declared and is almost a category. Which category, and in which way the value differs, is told; the
    /// value is not.
    #[error(
        "column {column:?} has a value outside the declared categories that differs from {category:?} only {differs}; declare that \
         spelling as an alias of {category:?} (`posterity check` shows it), or name a category for other values"
    )]
    Resembles {
        /// The column.
        column: String,
        /// The category.
        category: String,
        /// In which way the value differs from it, or from an alias of it.
        differs: Difference,
    },
    /// A number that no bin holds.
    #[error(
        "column {column:?} has a value outside the bins: below the first edge, at or above the last, or no number, such as NaN \
         (`posterity check` shows it); widen the bins, or name a category for other values"
    )]
    OutsideBins {
        /// The column.
        column: String,
    },
    /// A number with a decimal comma that a bin would hold if it were written with a point. It is never counted as another value
    /// without a word.
    #[error(
        "column {column:?} has a number with a decimal comma, such as 36,5, which is no number here (`posterity check` shows it); \
         write numbers with a decimal point"
    )]
    DecimalComma {
        /// The column.
        column: String,
    },
    /// A missing value.
    #[error(
        "column {column:?} has missing values (`posterity check` counts them); name the category they count to, or filter them out"
    )]
    Missing {
        /// The column.
        column: String,
    },
    /// A value that has no exact name.
    #[error(
        "column {column:?} has a value that is neither text nor a whole number nor a truth value, such as 1.5, and so has no exact \
         name (`posterity check` counts such values); store it as text or as an integer, or sort numbers into bins"
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
    #[error(
        "the unit column {column:?} has missing values (`posterity check` counts them); fill them in, or filter them out"
    )]
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
    /// A question on a cluster that one record could make fail, where n is private.
    #[error(
        "where n is private no record may make a count fail, and on a cluster {what}; {remedy}, or count without the cluster"
    )]
    ClusterAdjacency {
        /// What could fail.
        what: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A private filter on a cluster that could fail on a record.
    #[error(
        "on a cluster a private filter must not be able to fail on a record, as {filter:?} is where text is no number or truth \
         value; store numbers and truth values as such, or count without the cluster"
    )]
    ClusterWithin {
        /// The filter.
        filter: String,
    },
    /// Tables over sets of columns on a cluster, with a unit whose record has too many bits.
    #[error(
        "a cluster keeps one record of each unit in few numbers, and these columns need more: by the rule first all of them \
         together may have 2^62 combinations, by the rule random each may have 2^20 categories; choose the rule random, declare \
         fewer categories, or count without the cluster"
    )]
    ClusterRecord,
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

impl DataError {
    /// The same without the place of a fault; see [`ReadError::without_place`].
    #[must_use]
    pub fn without_place(self, source: &str) -> Self {
        match self {
            Self::Read(error) => Self::Read(error.without_place(source)),
            error => error,
        }
    }
}
