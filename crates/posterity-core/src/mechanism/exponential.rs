//! Exponential mechanisms: the family of ehd, ehdl, ehds and mh. The score is the Hellinger distance unless another is
//! chosen.

use std::sync::{Arc, OnceLock};

use super::far::{LARGEST_SCORE_COST, reach, reach_of};
use super::kept_scores::KeptScores;
use super::law::costs;
use super::{Basis, Description, Guarantee, JointLikelihood, Mechanism, ReleaseError, Space};
use crate::distance::{Pair, ln_bc};
use crate::exponential_likelihood::{Normalisers, Scaled};
use crate::model::{Counts, Drawn, Gamma, PriorError, Released, Setting, SettingError};
use crate::noise_aware::{NoiseAware, NoiseAwareError};
use crate::pulse::beat;
use crate::sampler::{BitSource, CostKind, EnvelopeSampler, RoundedScore, Ruler, SCORE_ERROR};
use crate::score::{Decay, FittedScore, ScoreError, Scoring, hellinger};
use crate::special::Sum;

/// A bound on the relative rounding error of a sensitivity, 2^-40.
const SENSITIVITY_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

/// `P(r) ~ exp(-scale(c) score(c, r))` over all candidates, where the scale is epsilon over a constant and a
/// sensitivity.
#[derive(Clone, Debug)]
pub struct Exponential {
    description: &'static Description,
    setting: Setting,
    scoring: Scoring,
    score: Arc<dyn FittedScore>,
    ruler: Arc<dyn Ruler>,
    kept: Arc<KeptScores>,
    divisor: Divisor,
    /// What epsilon is divided by, before the sensitivity.
    factor: f64,
    guarantee: Guarantee,
    /// What takes the place of `epsilon / factor` in the scale, if the scale was found by audit.
    multiplier: Option<f64>,
    /// What its releases say about all data sets, once somebody asks.
    normalisers: Arc<OnceLock<Result<Normalisers, NoiseAwareError>>>,
}

/// What the score is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Divisor {
    /// One number for all data sets.
    Constant(f64),
    /// The local sensitivity.
    Local,
    /// The gamma-smooth sensitivity, whose inverse may also change.
    GammaSmooth {
        /// The most that it may change by.
        gamma: Gamma,
        /// Whether the constant beside it is the smallest that is proven, and not the published one.
        sharp: bool,
    },
    /// The beta-smooth sensitivity.
    BetaSmooth(f64),
}

impl Exponential {
    /// The mechanism with the Hellinger distance as its score.
    pub(crate) fn new(
        description: &'static Description,
        setting: Setting,
        divisor: Divisor,
        guarantee: Guarantee,
    ) -> Self {
        let scoring = Scoring::default();
        let score = hellinger(setting.prior(), setting.n());
        let ruler = score.ruler();
        let kept = Arc::default();
        let normalisers = Arc::default();
        let factor = factor_up(&*score, divisor);
        Self {
            description,
            setting,
            scoring,
            score,
            ruler,
            kept,
            divisor,
            factor,
            guarantee,
            multiplier: None,
            normalisers,
        }
    }

    /// The same mechanism with another score. A constant sensitivity becomes the global one of that score.
    ///
    /// # Errors [`ScoreError`] if the score does not exist for this prior and number of records, or if its errors
    /// cannot be enclosed. The Hellinger distance always exists, and its errors always can.
    pub(crate) fn with_score(self, scoring: Scoring) -> Result<Self, ScoreError> {
        let score = scoring.fit(self.setting.prior(), self.setting.n())?;
        if scoring == self.scoring {
            return Ok(self);
        }
        let divisor = match self.divisor {
            Divisor::Constant(_) => Divisor::Constant(score.global()),
            other => other,
        };
        let ruler = score.ruler();
        let factor = factor_up(&*score, divisor);
        let (kept, normalisers) = (Arc::default(), Arc::default());
        Ok(Self { scoring, score, ruler, kept, divisor, factor, normalisers, ..self })
    }

    /// What candidates are scored by.
    #[must_use]
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The score's global sensitivity, and the local and the smooth one at these counts. The smooth one is that of the
    /// mechanism, or the gamma-smooth one with gamma = 1 if the mechanism uses another.
    ///
    /// # Errors
    /// [`SettingError`] if the counts do not fit the setting.
    pub fn sensitivities(&self, counts: &Counts) -> Result<Sensitivities, SettingError> {
        self.setting.check(counts)?;
        let decay = match self.divisor {
            Divisor::GammaSmooth { gamma, .. } => Decay::Gamma(gamma.value()),
            Divisor::BetaSmooth(beta) => Decay::Beta(beta),
            Divisor::Constant(_) | Divisor::Local => Decay::Gamma(Gamma::ONE.value()),
        };
        Ok(Sensitivities {
            global: self.score.global(),
            local: self.score.local(counts).map_err(unfit)?,
            smooth: self.score.smooth(counts, decay).map_err(unfit)?,
        })
    }

    /// The same mechanism with scale `multiplier / sensitivity`, whatever that loses: nothing is promised.
    ///
    /// A multiplier that is negative or no number stands for zero, with which every release is as likely as any other.
    /// One that is too large for the sampler, or infinite, stands for the largest that is not.
    ///
    /// ```
    /// use posterity_core::mechanism::{Mechanism, ehdl};
    /// use posterity_core::model::{Counts, Prior, Setting};
    /// let mechanism = ehdl(Setting::new(Prior::uniform(2)?, 9, "1".parse()?)?);
    /// let counts = Counts::new(vec![4, 5])?;
    /// for multiplier in [f64::NAN, f64::NEG_INFINITY, -1.0] {
    ///     assert_eq!(mechanism.clone().with_multiplier(multiplier).scale_down(&counts)?, 0.0);
    /// }
    /// assert!(mechanism.with_multiplier(f64::INFINITY).scale_down(&counts)?.is_finite());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_multiplier(self, multiplier: f64) -> Self {
        let reason = "its scale was set by hand";
        // The other order of the two comparisons would let NaN through.
        let multiplier = if multiplier > 0.0 { multiplier.min(f64::MAX) } else { 0.0 };
        Self {
            multiplier: Some(multiplier),
            guarantee: Guarantee::None { reason },
            normalisers: Arc::default(),
            ..self
        }
    }

    /// The same mechanism, known by an audit to lose at most the epsilon of its setting.
    pub(crate) fn audited(self) -> Self {
        let epsilon = self.setting.epsilon().clone();
        Self { guarantee: Guarantee::Pure { epsilon, basis: Basis::Audit }, ..self }
    }

    /// The factor of the score at these counts, rounded so that no more than epsilon is spent
    /// (docs/proofs/exponential.md).
    ///
    /// # Errors
    /// [`SettingError`] if the counts do not fit the setting.
    pub fn scale_down(&self, counts: &Counts) -> Result<f64, SettingError> {
        self.setting.check(counts)?;
        let (score, unit) = (&self.score, self.score.unit());
        let sensitivity = match self.divisor {
            Divisor::Constant(value) => Ok(value),
            Divisor::Local => score.local(counts),
            Divisor::BetaSmooth(beta) => score.smooth(counts, Decay::Beta(beta)),
            Divisor::GammaSmooth { gamma, .. } => score.smooth(counts, Decay::Gamma(gamma.value())),
        };
        let sensitivity = sensitivity.map_err(unfit)? / unit;
        let above = sensitivity * (1.0 + SENSITIVITY_ERROR) + 2.0 * SCORE_ERROR;
        let multiplier =
            self.multiplier.unwrap_or_else(|| self.setting.epsilon().to_f64_down() / self.factor);
        let scale_of = |above: f64| multiplier / above;
        // A budget too small for the arithmetic spends nothing. That is decided without the data: no data set has a
        // scale above this one, nor one more than 2^40 times below it.
        if scale_of(2.0 * SCORE_ERROR) < EnvelopeSampler::MIN_SCALE / SCORE_ERROR {
            return Ok(0.0);
        }
        Ok((scale_of(above) * (1.0 - 8.0 * f64::EPSILON)).min(self.most_scale()))
    }

    /// No data set has a larger scale.
    pub(crate) fn scale_up(&self) -> f64 {
        let multiplier = self.multiplier.unwrap_or_else(|| self.setting.epsilon().to_f64_down() / 2.0);
        let inverse = match self.divisor {
            Divisor::Constant(sensitivity) => 1.0 / sensitivity,
            Divisor::Local | Divisor::GammaSmooth { .. } | Divisor::BetaSmooth(_) => {
                self.score.most_inverse()
            }
        };
        (multiplier * inverse * self.score.unit()).min(self.most_scale())
    }

    /// How candidates are scored.
    pub(crate) fn ruler(&self) -> &dyn Ruler {
        &*self.ruler
    }

    /// The sampler for these counts.
    ///
    /// # Errors
    /// [`SettingError`] if the counts do not fit the setting.
    pub fn sampler(&self, counts: &Counts) -> Result<EnvelopeSampler, SettingError> {
        let scale = self.scale_down(counts)?;
        // The setting has checked the counts, and the scale is within the bounds of the sampler.
        Ok(EnvelopeSampler::with_ruler(Arc::clone(&self.ruler), counts.as_slice(), scale))
    }
}

/// What epsilon is divided by: the most by which `score/sensitivity` of all candidates may spread between two adjacent
/// data sets, from the one that falls most to the one that grows most (docs/proofs/exponential.md). Without a proof it
/// is the 2 of the definition.
fn factor_up(score: &dyn FittedScore, divisor: Divisor) -> f64 {
    let Divisor::GammaSmooth { gamma, sharp } = divisor else { return 2.0 };
    // The rounding of 1/S makes its steps up to 4 rho B larger than gamma, where B bounds 1/(S + 2 eta) whatever the
    // data: by one over the least local sensitivity, and by 1/(2 eta).
    let eta = SCORE_ERROR * score.unit();
    let bound = score.most_inverse().min(0.5 / eta);
    let steps = gamma.value() + 4.0 * SENSITIVITY_ERROR * bound;
    if !sharp {
        return 2.0 * (1.0 + score.largest() * steps);
    }
    let plain = 2.0 + score.largest() * steps;
    // A score that is rounded rises by up to 2 eta more over S, and is up to eta larger.
    let finer = score.rise_up(steps).map(|rise| 1.0 + rise + eta * (2.0 * bound + steps));
    finer.map_or(plain, |finer| plain.min(finer))
}

/// The sensitivities of a score: everywhere, at one data set, and smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivities {
    /// The largest local sensitivity of all data sets.
    pub global: f64,
    /// The largest change of any candidate's score when one record changes.
    pub local: f64,
    /// The largest discounted local sensitivity.
    pub smooth: f64,
}

impl Exponential {
    /// The scores of all candidates, as parts of the unit.
    fn scores(&self, counts: &[u64]) -> Vec<f64> {
        let (k, n) = (self.setting.k(), self.setting.n());
        if k == 2 {
            // Beyond this every score is the largest.
            let reach = match self.ruler.kind() {
                CostKind::Overlap => reach_of(self.setting.prior(), n, LARGEST_SCORE_COST),
                CostKind::Sum | CostKind::Bound => n,
            };
            let largest = RoundedScore::from_share(self.ruler.share(f64::INFINITY)).distance();
            let score = |r: u64| {
                beat();
                if r.abs_diff(counts[0]) > reach {
                    largest
                } else {
                    self.ruler.score(counts, &[r, n - r]).distance()
                }
            };
            return (0..=n).map(score).collect();
        }
        let costs_of = |(i, &c): (usize, &u64)| (0..=n).map(|r| self.ruler.cost(i, c, r)).collect();
        let costs: Vec<Vec<f64>> = counts.iter().enumerate().map(costs_of).collect();
        let mut all = Vec::with_capacity(Space::Candidates.size(k, n) as usize);
        Space::Candidates.for_each(k, n, |candidate| {
            let mut parts = candidate.iter().zip(&costs).map(|(&r, costs)| costs[r as usize]);
            all.push(self.ruler.score_of_costs(&mut parts).distance());
        });
        all
    }

    /// By how many powers of two gammas that suit the score are above those that suit the Hellinger distance.
    pub(crate) fn gamma_shift(&self) -> i32 {
        if self.scoring.is_hellinger() {
            return 0;
        }
        let (k, n) = (self.setting.k() as u64, self.setting.n());
        // Data that are as balanced as possible show the usual size of a sensitivity.
        let Ok(counts) = Counts::new((0..k).map(|i| n / k + u64::from(i < n % k)).collect()) else {
            return 0;
        };
        let usual = hellinger(self.setting.prior(), n).local(&counts);
        let (Ok(usual), Ok(local)) = (usual, self.score.local(&counts)) else { return 0 };
        libm::round(libm::log2(usual / local)) as i32
    }

    /// The largest scale that the sampler is used with. Scores in units other than one have larger ones.
    fn most_scale(&self) -> f64 {
        if self.score.unit() > 2.0 { EnvelopeSampler::MAX_WIDE_SCALE } else { EnvelopeSampler::MAX_SCALE }
    }
}

/// The counts were checked before, so this does not happen; the other errors concern making a prior.
fn unfit(error: PriorError) -> SettingError {
    match error {
        PriorError::WrongLength { found, expected } => {
            SettingError::Categories { prior: found, counts: expected }
        }
        _ => SettingError::NoRecords,
    }
}

impl Mechanism for Exponential {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee.clone()
    }

    fn space(&self) -> Space {
        Space::Candidates
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        let scale = self.scale_down(counts)?;
        let (k, n) = (self.setting.k(), self.setting.n());
        let alpha = self.setting.prior().parameters();
        let mut all = if !self.scoring.is_hellinger() {
            let scores = self.kept.get(counts.as_slice(), || self.scores(counts.as_slice()));
            scores.iter().map(|score| -scale * score).collect()
        } else if let (&[first, second], &[c, other]) = (alpha, counts.as_slice()) {
            ln_weights_of_two([first, second], [c, other], reach(self.setting.prior(), n), scale)
        } else {
            let categories = alpha.iter().zip(counts.as_slice());
            let costs: Vec<Vec<f64>> = categories.map(|(&alpha, &c)| costs(alpha, c, n)).collect();
            let mut all = Vec::with_capacity(Space::Candidates.size(k, n) as usize);
            Space::Candidates.for_each(k, n, |candidate| {
                let parts = candidate.iter().zip(&costs).map(|(&r, costs)| costs[r as usize]);
                all.push(-scale * RoundedScore::from_costs(parts).distance());
            });
            all
        };
        // Most outcomes are far from the data and weigh the same.
        let far = libm::exp(-scale);
        let weight = |&ln: &f64| if ln == -scale { far } else { libm::exp(ln) };
        // The true counts weigh one, so the sum neither over- nor underflows.
        let ln_total = libm::log(all.iter().map(weight).collect::<Sum>().value());
        all.iter_mut().for_each(|ln| *ln -= ln_total);
        Ok(all)
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        Ok(Drawn::of_counts(self.sampler(counts)?.sample(bits)?))
    }

    fn draw_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Drawn>, ReleaseError> {
        let sampler = self.sampler(counts)?;
        let one = |_| {
            beat();
            Ok(Drawn::of_counts(sampler.sample(bits)?))
        };
        (0..number).map(one).collect()
    }

    fn tunable(&self) -> Option<&Exponential> {
        Some(self)
    }

    /// The normalisers of other scores than the Hellinger distance are not known for all data sets.
    fn joint_likelihood(&self) -> Option<&dyn JointLikelihood> {
        (self.scoring == Scoring::default()).then_some(self)
    }
}

impl Exponential {
    /// What its releases say about all data sets, computed once.
    fn prepared(&self) -> &Result<Normalisers, NoiseAwareError> {
        // The computation runs on all cores. While it waits for them, this thread may begin another task that comes
        // here too, so it must not hold a lock.
        match self.normalisers.get() {
            Some(known) => known,
            None => {
                let found = Normalisers::new(self);
                self.normalisers.get_or_init(|| found)
            }
        }
    }
}

impl JointLikelihood for Exponential {
    fn posterior(&self, released: &Released) -> Result<NoiseAware, NoiseAwareError> {
        self.prepared().as_ref().map_err(Clone::clone)?.posterior(&self.setting, released)
    }

    fn prepare(&self) {
        self.prepared();
    }
}

impl Scaled for Exponential {
    fn name(&self) -> &'static str {
        self.description.name
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn scale(&self, counts: &Counts) -> f64 {
        // There is a scale at all counts that fit the setting. Without one, nothing is known of the likelihood.
        self.scale_down(counts).unwrap_or(f64::NAN)
    }
}

/// `-scale score` of all outcomes for two categories. Only outcomes within the reach are evaluated; the score of the
/// others is one (docs/proofs/audit.md, lemma 1 and 2).
fn ln_weights_of_two(alpha: [f64; 2], counts: [u64; 2], reach: u64, scale: f64) -> Vec<f64> {
    let [c, other] = counts;
    let n = c + other;
    let mut all = vec![-scale; n as usize + 1];
    for r in c.saturating_sub(reach)..=c.saturating_add(reach).min(n) {
        beat();
        let pairs = [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], other, n - r)];
        all[r as usize] =
            -scale * RoundedScore::from_costs(pairs.into_iter().map(|pair| -ln_bc(pair))).distance();
    }
    all
}
