//! What a forecast assumes of the data, which nobody has seen.

/// What a forecast assumes of the data, which nobody has seen.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Assumed {
    /// Theta is drawn from the prior and the records from theta.
    Prior,
    /// The counts of all records.
    Counts(Vec<u64>),
}
