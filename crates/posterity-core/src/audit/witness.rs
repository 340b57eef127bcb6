//! The pair of data sets and the outcome that show a loss.

/// Where the loss is largest: `outcome` is `exp(loss)` times likelier at `from` than at `to`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The data set at which the outcome is likelier.
    pub from: Vec<u64>,
    /// The adjacent one.
    pub to: Vec<u64>,
    /// The released counts.
    pub outcome: Vec<u64>,
}
