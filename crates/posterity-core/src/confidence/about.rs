//! Of what an interval is.

/// Of what an interval is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum About {
    /// The proportions behind the data: the records are independent draws from a population.
    #[default]
    Population,
    /// The records themselves.
    Records,
}
