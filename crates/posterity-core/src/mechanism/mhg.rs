//! M_H with the gamma-smooth sensitivity, as the research defines it: it loses up to twice its epsilon.

use dashu_ratio::RBig;

use super::ehds::ehds;
use super::exponential::Exponential;
use super::{Basis, Decoding, Definition, Description, FitError, Guarantee, Mechanism, ReleaseError, Space};
use crate::model::{Counts, Drawn, Epsilon, Gamma, Setting, SettingError};
use crate::sampler::BitSource;

/// The mechanism `mhg`, which has no parameters: gamma is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mhg;

impl Mhg {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "mhg",
        summary: "exponential mechanism with half the noise of ehds; loses and is charged TWICE the epsilon given",
        private: true,
        proof: "docs/proofs/exponential.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: true,
        decodable: false,
        decoding: Decoding::AsPublished,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Mhg {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(mhg(setting)))
    }

    /// Twice its epsilon. Only a budget above half of the largest number cannot be doubled; no more than that is spent.
    fn promised(&self, epsilon: &Epsilon) -> Epsilon {
        Epsilon::from_rational(epsilon.rational() * RBig::from(2_u8)).unwrap_or_else(|_| epsilon.clone())
    }

    /// It never is the best way to spend an epsilon: ehds is the same at twice the budget.
    fn suits_advice(&self, _setting: &Setting) -> bool {
        false
    }
}

/// `P(r) ~ exp(-epsilon H / (2 S(c)))` over all candidates, where S is the 1-smooth sensitivity
/// (002_d2a24f2ea53ee1f7.txt, definition 6).
///
/// # Guarantee
/// 2 epsilon-DP: it is ehds with gamma = 1 at twice the budget (docs/proofs/exponential.md; 002, lemma 5.6), and that is
/// promised and charged. In real numbers 1.157 epsilon is proven. Whoever wants its accuracy for less takes
/// `ehds(sharp)`.
#[must_use]
pub fn mhg(setting: Setting) -> DoubledEhds {
    let doubled = Setting::new(setting.prior().clone(), setting.n(), Mhg.promised(setting.epsilon()));
    let inner = ehds(doubled.unwrap_or_else(|_| setting.clone()), Gamma::ONE);
    DoubledEhds { setting, inner }
}

/// The exponential mechanism ehds at twice the epsilon of its setting.
#[derive(Clone, Debug)]
pub struct DoubledEhds {
    setting: Setting,
    inner: Exponential,
}

impl Mechanism for DoubledEhds {
    fn description(&self) -> &'static Description {
        &Mhg::DESCRIPTION
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Pure { epsilon: self.inner.setting().epsilon().clone(), basis: Basis::Proof }
    }

    fn space(&self) -> Space {
        self.inner.space()
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.inner.ln_probabilities(counts)
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.inner.draw(counts, bits)
    }

    fn draw_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Drawn>, ReleaseError> {
        self.inner.draw_many(counts, number, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::hellinger_of_counts;
    use crate::fixture::uniform;
    use crate::sensitivity::gamma_smooth;

    /// The law is that of definition 6, `exp(-epsilon H / (2 S))`, and what is promised is 2 epsilon.
    #[test]
    fn it_is_definition_6_and_promises_twice_its_epsilon() {
        let setting = uniform(2, 20, "0.5");
        let counts = Counts::new(vec![7, 13]).expect("valid");
        let mechanism = mhg(setting.clone());
        let smooth = gamma_smooth(setting.prior(), &counts, Gamma::ONE).expect("fits");
        let weight = |ones: u64| {
            let distance = hellinger_of_counts(setting.prior(), counts.as_slice(), &[ones, 20 - ones]);
            (-0.5 * distance.expect("fits") / (2.0 * smooth)).exp()
        };
        let total: f64 = (0..=20).map(weight).sum();
        for (ones, ln) in (0..=20).zip(mechanism.ln_probabilities(&counts).expect("fits")) {
            assert!((ln.exp() - weight(ones) / total).abs() < 1e-10, "{ones}");
        }
        let twice = ehds(uniform(2, 20, "1"), Gamma::ONE);
        assert_eq!(mechanism.ln_probabilities(&counts), twice.ln_probabilities(&counts));
        let promised = Guarantee::Pure { epsilon: "1".parse().expect("positive"), basis: Basis::Proof };
        assert_eq!(mechanism.guarantee(), promised);
        assert_eq!(mechanism.setting().epsilon().to_string(), "0.5");
        assert!(!Mhg.suits_advice(&setting));
    }

    /// A budget that cannot be doubled is spent once, and no more is promised.
    #[test]
    fn the_largest_budget_is_not_doubled() {
        let mechanism = mhg(uniform(2, 3, "1e308"));
        let promised = Guarantee::Pure { epsilon: "1e308".parse().expect("positive"), basis: Basis::Proof };
        assert_eq!(mechanism.guarantee(), promised);
    }
}
