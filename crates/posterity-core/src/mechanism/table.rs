//! A mechanism given by its probabilities, for tests. It is not an exponential mechanism and has no likelihood.

use super::{Description, Geometric, Guarantee, Mechanism, ReleaseError, Space};
use crate::fixture::uniform;
use crate::model::{Counts, Drawn, Setting, SettingError};
use crate::sampler::{BitSource, uniform_unit};

/// Draws a candidate with the probability that a table states.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    setting: Setting,
    /// The probabilities of all candidates at given counts, in the order of the candidates.
    law: fn(&[u64]) -> Vec<f64>,
}

impl Table {
    /// The mechanism of a law, with the uniform prior over k categories and n records.
    pub(crate) fn new(k: usize, n: u64, law: fn(&[u64]) -> Vec<f64>) -> Self {
        Self { setting: uniform(k, n, "1"), law }
    }
}

impl Mechanism for Table {
    /// Tests need a name, so the table borrows that of a mechanism whose noise is known.
    fn description(&self) -> &'static Description {
        &Geometric::DESCRIPTION
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None { reason: "it is a table" }
    }

    fn space(&self) -> Space {
        Space::Candidates
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.setting.check(counts)?;
        Ok((self.law)(counts.as_slice()).into_iter().map(libm::log).collect())
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        let law = self.law(counts, 1_000).map_err(|_| SettingError::NoRecords)?;
        let mut left = uniform_unit(bits)?;
        let drawn = law.outcomes().find(|outcome| {
            left -= outcome.probability;
            left <= 0.0
        });
        Ok(Drawn::of_counts(
            drawn.map_or_else(|| counts.as_slice().to_vec(), |outcome| outcome.counts.to_vec()),
        ))
    }
}
