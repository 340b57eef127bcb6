//! Why a reading or a comparison cannot be made.

use posterity_core::model::LevelError;
use thiserror::Error;

/// Why a reading or a comparison cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReadingError {
    /// The counts are not noisy counts.
    #[error(
        "the number of records of a group is read from noise that adds up, and this mechanism has other noise; read the share, or \
         release by geometric or lattice"
    )]
    NoCounts,
    /// Counts, sums and quantiles are not drawn.
    #[error("there are draws of shares and means, not of counts, sums or quantiles; read the number itself")]
    CountSample,
    /// Where in its bin a number lies is not known.
    #[error(
        "where in its bin a number of the column {column:?} lies is not known, so a mean of it has no draws and no posterior of \
         its own; read its interval, or draw the shares of its bins"
    )]
    BinsSample {
        /// The column.
        column: String,
    },
    /// The noise leaves every share possible.
    #[error(
        "the noise is so wide that the release says nothing about this share, so it has no posterior; read its interval"
    )]
    NoPosterior,
    /// Several records of a unit count, and they are not independent.
    #[error(
        "several records of a unit count, and they depend on each other, so that nothing is said about a population; ask for \
         confidence intervals about the records"
    )]
    DependentRecords,
    /// Several records of a unit count, and a test is about independent ones.
    #[error(
        "several records of a unit count, and they depend on each other; tests are about independent records"
    )]
    DependentTest,
    /// The text is not a test.
    #[error(
        "{text:?} is no test: {problem}. Examples: `independence: outcome, ward`, `equal: outcome=yes | ward`, `trend: outcome=yes | \
         age`, `share: cured=yes = 0.8`"
    )]
    Test {
        /// The text.
        text: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// The text is not a reading.
    #[error(
        "{text:?} cannot be read: {problem}. Examples: `outcome`, `outcome, gender | ward`, `ward in {{A, B}}`, \
         `mean(score) | ward`; quote names and values with other characters: `\"blood type\"=\"0, negative\"`"
    )]
    Reading {
        /// The text.
        text: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// The text is not a comparison.
    #[error(
        "{text:?} cannot be compared: {problem}. Examples: `outcome=yes | ward: A - B` (difference), `outcome=yes | ward: A / B` \
         (ratio), `outcome=yes | ward: odds A / B` (odds ratio), `independence(outcome, ward)`"
    )]
    Contrast {
        /// The text.
        text: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// One record of each unit was drawn at random, which intervals about the records do not know.
    #[error(
        "each unit counts by one of its records, drawn at random, so the counts are not those of all records; ask about the \
         population, or count units by another rule"
    )]
    RandomRecords,
    /// Credible intervals come from a model of the population.
    #[error("credible intervals are about the population; ask for confidence intervals about the records")]
    CredibleRecords,
    /// A release of many tables has no credible intervals of numbers of records.
    #[error(
        "a release of many tables has credible intervals of shares, means and comparisons, but not of numbers of records; ask for \
         confidence intervals of those"
    )]
    NoCredible,
    /// A release of many tables has no measures of association.
    #[error(
        "a release of many tables has no measure of independence, which would need a posterior; compare the shares of two groups, such \
         as 'outcome=yes | ward: A - B'"
    )]
    NoIndependence,
    /// Nothing but the level of the intervals can be chosen.
    #[error("such a release is read in one way only; choose another level of its intervals, or nothing else")]
    Fixed,
    /// No released table has all columns of a reading.
    #[error(
        "no released table has {columns} together; those nearest to it are of {}. Read within one of them, or name the set in a new \
         release", held.join(" / ")
    )]
    NotTogether {
        /// The columns.
        columns: String,
        /// A few of the tables that there are.
        held: Vec<String>,
    },
    /// The release has no such column.
    #[error("the release has no column {column:?}; its columns are {}", quoted(columns))]
    UnknownColumn {
        /// The column.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A column has no such value.
    #[error("the column {column:?} has no value {value:?}; its values are {}", quoted(values))]
    UnknownValue {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// The values that it has.
        values: Vec<String>,
    },
    /// Several values of a column have the label by which one is asked for.
    #[error("{label:?} is the label of several values of {column:?}: {}; name the value", quoted(values))]
    SeveralWithLabel {
        /// The column.
        column: String,
        /// The label.
        label: String,
        /// The values that have it.
        values: Vec<String>,
    },
    /// The share of what is not known is asked for among what is known.
    #[error(
        "{value:?} is the category of missing or other values of {column:?}, and shares are among the records whose value is known; \
         ask for its share of all records: `{column}={value} of all`"
    )]
    Unknown {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// There are no edges, below which values would lie.
    #[error(
        "the column {column:?} is not sorted into bins, so nothing lies below an edge of it; name its values: `{column} in {{A, B}}`"
    )]
    NoBins {
        /// The column.
        column: String,
    },
    /// A number between the edges of bins, or beyond them.
    #[error(
        "{edge} is no edge at which bins of {column:?} can be divided here, and where in its bin a number lies is not known; the \
         nearest edges are {}", nearest.join(" and ")
    )]
    NoEdge {
        /// The column.
        column: String,
        /// What was given.
        edge: String,
        /// The edges on both sides of it.
        nearest: Vec<String>,
    },
    /// The values of a column have no order.
    #[error(
        "the value {value:?} of the column {column:?} is no number, so there is no quantile; declare the column in bins, or values \
         that are numbers"
    )]
    NoOrder {
        /// The column.
        column: String,
        /// A value.
        value: String,
    },
    /// What has confidence intervals only.
    #[error("{what} have confidence intervals only; ask for these")]
    ConfidenceOnly {
        /// What was asked for.
        what: &'static str,
    },
    /// The noise is not one that adds up.
    #[error(
        "{what} are read from noise that adds up, and this mechanism has other noise; release by geometric or lattice"
    )]
    NotAdditive {
        /// What was asked for.
        what: &'static str,
    },
    /// A column or a value is named twice.
    #[error("{what:?} is named twice; name it once")]
    Repeated {
        /// The column or value.
        what: String,
    },
    /// An expected value is asked of something that is not a number.
    #[error(
        "the value {value:?} of the column {column:?} is no number, so there is no mean; leave it out by a condition: \
         `mean({column}) | {column} in {{..}}` with the values that are numbers"
    )]
    NotNumeric {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// No cell satisfies the condition and what is asked.
    #[error("no cell of the table belongs to {reading:?}; its conditions contradict each other")]
    NoCells {
        /// The reading.
        reading: String,
    },
    /// The columns have more combinations of values than any release.
    #[error(
        "the values of the columns have more combinations than any release; the document was changed or damaged"
    )]
    TooManyCells,
    /// The number of categories is not that of the columns' values.
    #[error(
        "the document has {categories} categories, but the values of its columns have {cells} combinations; it was changed or damaged"
    )]
    Cells {
        /// The number of categories.
        categories: usize,
        /// The number of combinations.
        cells: usize,
    },
    /// The document is not one that a release can be read from.
    #[error("the document cannot be read: {reason}")]
    Document {
        /// What is wrong with it.
        reason: String,
    },
    /// A release of discovered categories has other readings.
    #[error("discovered categories are read as they are: {}", .known.join("; "))]
    NotDiscovered {
        /// What can be read.
        known: Vec<String>,
    },
    /// The level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// At most twenty names, in quotes.
fn quoted(names: &[String]) -> String {
    const MAX_NAMES: usize = 20;
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("{name:?}")).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
