//! How a smooth sensitivity discounts the sensitivity of other data sets by their distance.

/// The discount of a smooth sensitivity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decay {
    /// `1 / (1/LS + gamma d)`.
    Gamma(f64),
    /// `LS exp(-beta d)`.
    Beta(f64),
}

impl Decay {
    /// What a local sensitivity counts for at this distance. It grows with the sensitivity and falls with the distance.
    pub(crate) fn at(self, local: f64, distance: u64) -> f64 {
        match self {
            _ if distance == 0 => local,
            Self::Gamma(gamma) => 1.0 / (1.0 / local + gamma * distance as f64),
            Self::Beta(beta) => local * libm::exp(-beta * distance as f64),
        }
    }
}
