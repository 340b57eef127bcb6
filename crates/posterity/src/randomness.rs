//! Where the randomness of a count comes from.

use posterity_core::sampler::{BitSource, SeededBits};

use crate::system_bits::SystemBits;

/// What draws one record of each unit, where a question asks for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// The operating system.
    System,
    /// A seed that anyone may know: for experiments.
    Seed(u64),
}

impl Randomness {
    /// Whether counts by this rule depend on a seed, so that anyone can repeat which records were drawn.
    #[cfg(feature = "data")]
    pub(crate) fn seeds(self, unit: Option<&String>, rule: &posterity_count::PerUnit) -> bool {
        unit.is_some() && rule.draws() && self != Self::System
    }

    /// The bits by which records of units are drawn. A seed gives other bits here than for the noise. For records that
    /// are counted in memory; see [`Data::counted`](crate::Data::counted).
    #[must_use]
    pub fn bits_of_data(self) -> Box<dyn BitSource> {
        match self {
            Self::System => Box::new(SystemBits::new()),
            Self::Seed(seed) => Box::new(SeededBits::new(!seed)),
        }
    }
}
