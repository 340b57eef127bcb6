//! A toy: every candidate with the same probability, whatever the data.

use super::{
    Decoding, Definition, Description, FitError, Guarantee, Mechanism, ReleaseError, Space,
};
use crate::model::{Counts, Drawn, Setting, SettingError};
use crate::sampler::{BitSource, CandidateError, ln_candidates, uniform_candidate};

/// The mechanism `uniform`, which has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl Uniform {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "uniform",
        summary: "a uniform draw that ignores the data; epsilon-DP for every epsilon, and useless",
        private: true,
        proof: "docs/proofs/noisy-counts.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: false,
        decodable: false,
        decoding: Decoding::AsPublished,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Uniform {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(UniformCandidate { setting }))
    }
}

/// `P(r) = 1 / C(n+k-1, k-1)` for every candidate r.
///
/// # Guarantee
/// epsilon-DP for every epsilon: the law does not depend on the data.
#[derive(Clone, Debug)]
pub struct UniformCandidate {
    setting: Setting,
}

impl Mechanism for UniformCandidate {
    fn description(&self) -> &'static Description {
        &Uniform::DESCRIPTION
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::proven(&self.setting)
    }

    fn space(&self) -> Space {
        Space::Candidates
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.setting.check(counts)?;
        let (k, n) = (self.setting.k(), self.setting.n());
        Ok(vec![-ln_candidates(k, n); self.space().size(k, n) as usize])
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.setting.check(counts)?;
        match uniform_candidate(self.setting.k(), self.setting.n(), bits) {
            Ok(candidate) => Ok(Drawn::of_counts(candidate)),
            Err(CandidateError::Source(error)) => Err(error.into()),
            // A setting has at least two categories, and no more records than the sampler takes.
            Err(_) => Err(SettingError::NoRecords.into()),
        }
    }
}
