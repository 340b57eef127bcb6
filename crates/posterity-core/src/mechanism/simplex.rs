//! Lattice noise that releases possible counts only, with the weights that the boundary needs.

mod cholesky;
mod proposal;
mod weighting;

use super::{
    Decoding, Definition, Description, FitError, Guarantee, Likelihood, Mechanism, ReleaseError, Space,
};
use crate::model::{Counts, Drawn, Released, Setting, SettingError};
use crate::noise::{Evidence, Factor};
use crate::sampler::BitSource;
use crate::special::Sum;
use proposal::Proposal;
use weighting::Weighting;

/// The mechanism `simplex`, which has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simplex;

impl Simplex {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "simplex",
        summary: "lattice noise onto possible counts, for n up to about 100 and epsilon from about 0.5; epsilon-DP",
        private: true,
        proof: "docs/proofs/simplex.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: false,
        decodable: true,
        decoding: Decoding::Best,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Simplex {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(simplex(setting)?))
    }

    fn suits_advice(&self, setting: &Setting) -> bool {
        // For two categories it is the geometric mechanism.
        setting.k() > 2 && weighting::is_quick(setting)
    }
}

/// `P(r|c) ~ a_r exp(-rate d(c, r))` over the candidates r, where d is the number of records that differ and the
/// weights a are those for which the sum over r is the same for every c.
///
/// Where the weights are positive, no constraint of epsilon-DP has slack: this is the tight-constraints mechanism of
/// ElSalamouny, Chatzikokolakis and Palamidessi (2013), with the weighting of Leinster (2013). For two categories it is
/// the geometric mechanism. With three or more it is more accurate than `lattice`, whose noise leaves the possible
/// counts and has to be brought back.
///
/// The rate is less than epsilon by one part in 2^36, which pays for the rounding of the weights.
///
/// # Guarantee
/// epsilon-DP: before the mechanism exists, the sums are compared for all data sets in whole numbers, and found so
/// equal that rate and sums together lose at most epsilon (docs/proofs/simplex.md).
#[derive(Clone, Debug)]
pub struct NoisySimplex {
    setting: Setting,
    weighting: Weighting,
    proposal: Proposal,
}

/// The mechanism `simplex`.
///
/// ```
/// use posterity_core::mechanism::{Mechanism, simplex};
/// use posterity_core::model::{Counts, Prior, Setting};
/// // One record and three categories: randomised response tells the truth with probability e/(e+2).
/// let setting = Setting::new(Prior::uniform(3)?, 1, "1".parse()?)?;
/// let law = simplex(setting)?.law(&Counts::new(vec![0, 1, 0])?, 10)?;
/// let e = 1.0_f64.exp();
/// assert!((law.probability_exact() - e / (e + 2.0)).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FitError`] if there are too many candidates, or if a weight is not positive, which happens at small budgets.
pub fn simplex(setting: Setting) -> Result<NoisySimplex, FitError> {
    let weighting = Weighting::fit(&setting)?;
    let proposal = Proposal::new(setting.k(), setting.n(), &weighting);
    Ok(NoisySimplex { setting, weighting, proposal })
}

impl Mechanism for NoisySimplex {
    fn description(&self) -> &'static Description {
        &Simplex::DESCRIPTION
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
        let half_rate = 0.5 * self.weighting.rate().to_f64();
        let ln_largest = libm::log(self.weighting.largest() as f64);
        let mut all = Vec::new();
        Space::Candidates.for_each(self.setting.k(), self.setting.n(), |candidate| {
            let moved: u64 = candidate.iter().zip(counts.as_slice()).map(|(r, &c)| r.abs_diff(c)).sum();
            let weight = libm::log(self.weighting.weight(candidate) as f64) - ln_largest;
            all.push(weight - half_rate * moved as f64);
        });
        let ln_sum = libm::log(all.iter().map(|&ln| libm::exp(ln)).collect::<Sum>().value());
        all.iter_mut().for_each(|ln| *ln -= ln_sum);
        Ok(all)
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.setting.check(counts)?;
        Ok(Drawn::of_counts(self.proposal.draw(counts, &self.weighting, bits)?))
    }

    fn likelihood(&self) -> Option<&dyn Likelihood> {
        Some(self)
    }
}

/// As a function of the data, the law is that of lattice noise.
impl Likelihood for NoisySimplex {
    fn evidence(&self, released: &Released) -> Evidence {
        let rate = 0.5 * self.weighting.rate().to_f64();
        Evidence::new(released.as_slice().iter().map(|&at| Factor::TwoSided { rate, at }).collect())
    }

    /// What it draws are possible counts, which are released as they are.
    fn evidence_of_draw(&self, drawn: &Drawn) -> Evidence {
        self.evidence(&self.drawing().released(drawn, self.setting.n()))
    }
}
