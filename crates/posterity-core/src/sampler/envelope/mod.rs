//! Exact draws from an exponential mechanism over the candidate simplex, without enumerating it.
//!
//! The weight of a candidate r is `w(r) = exp(-scale score(r))`, where the score is the rounded Hellinger distance
//! `sqrt(1 - exp(-L))` of the cost `L(r) = sum_i l_i(r_i)`, and each `l_i` grows with the distance of `r_i` from
//! `c_i`. The weights are cut into layers at scores `q_0 = 0 < q_1 < .. < q_J` (docs/proofs/envelope.md): with
//! `V(r) = exp(-scale q_j)` for the largest `q_j <= score(r)`,
//!
//! `w(r) = V(r) exp(-scale (score(r) - q_j))`, `V(r) = sum_j G_j [score(r) < q_{j+1}] + G_J`,
//! `G_j = exp(-scale q_j) - exp(-scale q_{j+1})`, `G_J = exp(-scale q_J)`.
//!
//! Each layer is drawn by rejection. Its proposals come from a law that is easy to draw from and that, times its
//! weight, is at least `G_j`:
//!
//! - the first layer has only the true counts, and the last one has all candidates, drawn uniformly;
//! - the candidates of a layer in between have `L < b`, and the indicator of this set is at most `exp(theta (b - L))`.
//!   That is a product over the categories. One category, the *pivot* with the largest count, is left out of the
//!   product, because the other counts determine its count;
//! - each factor `exp(-theta l_i)` is bounded by a step function on pieces that widen with the distance from `c_i`.
//!
//! So the cost of a draw grows with k and the logarithm of n, not with the number of candidates.

mod layers;
mod step_function;

use std::f64::consts::LN_2;
use std::sync::Arc;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

use super::bits::{BitSource, SourceError, uniform_u128};
use super::exp_enclosure::exp_enclosure;
use super::rounded_score::RoundedScore;
use super::ruler::{HellingerRuler, Ruler};
use super::simplex::{candidates, ln_candidates, unchecked_candidate};
use crate::model::{Counts, Prior};
use crate::special::Sum;
use layers::{LayerStarts, cost_above, layer_starts, ln_height};
use step_function::{Axis, Factor, Tilt};

/// The most entries of the tables of all layers together. With more, the layers are made coarser.
const TABLE_SIZE: usize = 10_000_000;

/// The weights of the layers are whole multiples of 2^-80 of the largest.
const WEIGHT_BITS: i32 = 80;

/// Upper bounds are multiplied by this factor, which is larger than their rounding error.
const ROUND_UP: f64 = 1.0 + 1e-9;

/// Draws counts r with probability proportional to `exp(-scale score(r))`.
///
/// ```
/// use posterity_core::sampler::{EnvelopeSampler, SeededBits};
/// use posterity_core::model::{Counts, Prior};
/// let sampler = EnvelopeSampler::new(&Prior::uniform(2)?, &Counts::new(vec![400, 600])?, 20.0)?;
/// let released = sampler.sample(&mut SeededBits::new(1))?;
/// assert_eq!(released.iter().sum::<u64>(), 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EnvelopeSampler {
    ruler: Arc<dyn Ruler>,
    counts: Vec<u64>,
    n: u64,
    scale: f64,
    pivot: usize,
    axes: Vec<Axis>,
    layers: Vec<Layer>,
    total: u128,
    /// All weights are in units of two to this power.
    exponent: i32,
    candidates: UBig,
    ln_candidates: f64,
}

/// The candidates whose score is below `end`, with the height `G = exp(-scale start) - exp(-scale end)`.
#[derive(Clone)]
struct Layer {
    /// First score, in units of the grid.
    start: u64,
    /// First score of the next layer; none for the last, which holds all candidates.
    end: Option<u64>,
    /// Weight of the proposals of this layer.
    weight: u128,
    proposals: Proposals,
}

/// The law that proposals of a layer are drawn from.
#[derive(Clone)]
enum Proposals {
    /// The true counts.
    Truth,
    /// Independent categories, each drawn from a step function. The pivot takes the rest.
    Product(Vec<Factor>),
    /// The uniform law on the simplex.
    Uniform,
}

/// Hides the counts, because they are private.
impl std::fmt::Debug for EnvelopeSampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EnvelopeSampler")
            .field("k", &self.counts.len())
            .field("n", &self.n)
            .finish_non_exhaustive()
    }
}

/// Why there is no sampler for these values.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// The prior is for another number of categories.
    #[error("the prior has {prior} parameters for {counts} counts; give one parameter per count")]
    Categories {
        /// The number of parameters of the prior.
        prior: usize,
        /// The number of counts.
        counts: usize,
    },
    /// The scale is not one that the sampler supports.
    #[error(
        "the scale is {value:e}; give zero, or a number from {:e} to {:e}",
        EnvelopeSampler::MIN_SCALE,
        EnvelopeSampler::MAX_SCALE
    )]
    Scale {
        /// The scale.
        value: f64,
    },
}

impl EnvelopeSampler {
    /// The least scale other than zero, 2^-60. With a smaller one the heights of the layers could underflow.
    pub const MIN_SCALE: f64 = 1.0 / (1_u64 << 60) as f64;

    /// The largest scale, 2^30. At this scale a candidate has hardly any weight unless its score is below 2^-25.
    pub const MAX_SCALE: f64 = (1_u64 << 30) as f64;

    /// The largest scale of a score that is measured in a unit other than one, 2^40.
    pub(crate) const MAX_WIDE_SCALE: f64 = (1_u64 << 40) as f64;

    /// Prepares the draws for given counts under a prior. This needs no randomness.
    ///
    /// # Errors
    /// [`EnvelopeError`] if prior and counts have different lengths, or the scale is neither zero nor from
    /// [`EnvelopeSampler::MIN_SCALE`] to [`EnvelopeSampler::MAX_SCALE`].
    pub fn new(prior: &Prior, counts: &Counts, scale: f64) -> Result<Self, EnvelopeError> {
        if prior.len() != counts.len() {
            return Err(EnvelopeError::Categories { prior: prior.len(), counts: counts.len() });
        }
        if scale != 0.0 && !(Self::MIN_SCALE..=Self::MAX_SCALE).contains(&scale) {
            return Err(EnvelopeError::Scale { value: scale });
        }
        Ok(Self::unchecked(prior.parameters(), counts.as_slice(), scale))
    }

    /// [`EnvelopeSampler::new`] for values that were checked before.
    fn unchecked(alpha: &[f64], counts: &[u64], scale: f64) -> Self {
        Self::with_ruler(Arc::new(HellingerRuler::new(alpha)), counts, scale)
    }

    /// The sampler of another score, for values that were checked before.
    pub(crate) fn with_ruler(ruler: Arc<dyn Ruler>, counts: &[u64], scale: f64) -> Self {
        let alpha = ruler.alpha();
        let n: u64 = counts.iter().sum();
        let k = counts.len();
        let size = |i: usize| alpha[i] + counts[i] as f64;
        let pivot = (0..k).max_by(|&i, &j| size(i).total_cmp(&size(j))).unwrap_or(0);
        let dimension = (k - 1) as f64;
        let widening = if dimension > 300.0 { 0.15 } else { (1.5 / dimension).clamp(0.03, 0.15) };
        let axes: Vec<Axis> =
            (0..k).filter(|&i| i != pivot).map(|i| Axis::new(&*ruler, i, counts[i], n, widening)).collect();

        let ln_candidates = ln_candidates(k, n);
        // Each layer with the logarithm of the weight that makes its proposals lie above its height.
        let mut planned: Vec<(f64, Layer)> = Vec::new();
        let pieces: usize = axes.iter().map(|axis| axis.starts.len()).sum();
        let LayerStarts { starts, truth_alone } =
            layer_starts(&*ruler, counts, scale, ln_candidates, (TABLE_SIZE / pieces.max(1)).max(8));
        let mut tilt = Tilt::new(dimension, ruler.strength(dimension));
        for (j, &start) in starts.iter().enumerate() {
            let end = starts.get(j + 1).copied();
            let (ln_cover, proposals) = match end {
                Some(_) if j == 0 && truth_alone => (0.0, Proposals::Truth),
                None => (ln_candidates, Proposals::Uniform),
                Some(end) => {
                    let (ln_cover, factors) = tilt.cover(&axes, n, cost_above(&*ruler, end));
                    // The uniform law covers the layer too. It is taken if it has less weight.
                    if ln_cover < ln_candidates {
                        (ln_cover, Proposals::Product(factors))
                    } else {
                        (ln_candidates, Proposals::Uniform)
                    }
                }
            };
            let ln_weight = ln_cover + ln_height(scale, start, end);
            // At scale zero only the last layer has a height.
            if ln_weight > f64::NEG_INFINITY {
                planned.push((ln_weight, Layer { start, end, weight: 0, proposals }));
            }
        }
        let largest = planned.iter().map(|(ln_weight, _)| *ln_weight).fold(f64::NEG_INFINITY, f64::max);
        let exponent = libm::ceil(largest / LN_2) as i32 - WEIGHT_BITS;
        // The logarithms are sums over the categories, so their rounding error grows with k.
        let round_up = 1.0 + 1e-9 * k as f64;
        let layers: Vec<Layer> = planned
            .into_iter()
            .map(|(ln_weight, layer)| {
                let units = libm::exp(ln_weight - f64::from(exponent) * LN_2) * round_up;
                // Every layer gets at least one unit.
                Layer { weight: (libm::ceil(units) as u128).max(1), ..layer }
            })
            .collect();
        Self {
            ruler,
            counts: counts.to_vec(),
            n,
            scale,
            pivot,
            axes,
            total: layers.iter().map(|layer| layer.weight).sum(),
            layers,
            exponent,
            candidates: candidates(k, n),
            ln_candidates,
        }
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact: the counts r are returned with probability `exp(-scale score(r))` over the sum of that over all
    /// candidates (docs/proofs/envelope.md).
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample(&self, bits: &mut dyn BitSource) -> Result<Vec<u64>, SourceError> {
        loop {
            let layer = self.choose(bits)?;
            if let Some(candidate) = self.propose(layer, bits)?
                && self.keep(layer, &candidate, Filter::On, bits)?
            {
                return Ok(candidate);
            }
        }
    }

    /// The score of a candidate.
    #[must_use]
    pub fn score(&self, candidate: &[u64]) -> RoundedScore {
        self.ruler.score(&self.counts, candidate)
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// The logarithm of the total weight of the proposals. The share of proposals that are kept is the total weight of
    /// the candidates divided by this one.
    #[must_use]
    pub fn ln_mass(&self) -> f64 {
        libm::log(self.total as f64) + f64::from(self.exponent) * LN_2
    }

    /// Draws a layer with probability proportional to its weight.
    fn choose(&self, bits: &mut dyn BitSource) -> Result<&Layer, SourceError> {
        let mut choice = uniform_u128(self.total, bits)?;
        let mut chosen = &self.layers[0];
        for layer in &self.layers {
            chosen = layer;
            if choice < layer.weight {
                break;
            }
            choice -= layer.weight;
        }
        Ok(chosen)
    }

    /// Draws a candidate from the proposals of one layer; none if the pivot would be negative.
    fn propose(&self, layer: &Layer, bits: &mut dyn BitSource) -> Result<Option<Vec<u64>>, SourceError> {
        let factors = match &layer.proposals {
            Proposals::Truth => return Ok(Some(self.counts.clone())),
            Proposals::Uniform => return unchecked_candidate(self.counts.len(), self.n, bits).map(Some),
            Proposals::Product(factors) => factors,
        };
        let mut candidate = vec![0; self.counts.len()];
        let mut rest = self.n;
        for (axis, factor) in self.axes.iter().zip(factors) {
            let count = factor.sample(axis, bits)?;
            let Some(left) = rest.checked_sub(count) else { return Ok(None) };
            rest = left;
            candidate[axis.category] = count;
        }
        candidate[self.pivot] = rest;
        Ok(Some(candidate))
    }

    /// Whether to keep a proposal: true with probability `G exp(-scale (score - q)) / (2^exponent weight density)` if
    /// the candidate lies in the layer, where q is the start of the last layer that does not begin above its score.
    fn keep(
        &self,
        layer: &Layer,
        candidate: &[u64],
        filter: Filter,
        bits: &mut dyn BitSource,
    ) -> Result<bool, SourceError> {
        let score = self.score(candidate).units();
        if layer.end.is_some_and(|end| score >= end) {
            return Ok(false);
        }
        let begun = self.layers.partition_point(|layer| layer.start <= score);
        // How far the score is above the start of its own layer. The first layer that was kept may start above the
        // score; then this is zero.
        let above = if begun == 0 { 0 } else { score - self.layers[begun - 1].start };
        let drawn = bits.next_u64()?;
        if filter == Filter::On {
            let height = ln_height(self.scale, layer.start + above, layer.end.map(|end| end + above));
            let cover = libm::log(layer.weight as f64)
                + self.ln_density(layer, candidate)
                + f64::from(self.exponent) * LN_2;
            // A generous bound on the rounding error of the two logarithms (docs/proofs/envelope.md).
            let size = 1000.0 + self.ln_candidates + self.scale + 200.0 * candidate.len() as f64;
            let error = size * 64.0 * f64::EPSILON;
            if libm::log(drawn as f64 + 1.0) - 64.0 * LN_2 + error < height - cover - error {
                return Ok(true);
            }
            if drawn > 0 && libm::log(drawn as f64) - 64.0 * LN_2 - error > height - cover + error {
                return Ok(false);
            }
        }
        self.keep_exactly(layer, candidate, above, drawn, bits)
    }

    /// Decides as [`Self::keep`], in exact arithmetic and with as many more random bits as needed.
    fn keep_exactly(
        &self,
        layer: &Layer,
        candidate: &[u64],
        above: u64,
        drawn: u64,
        bits: &mut dyn BitSource,
    ) -> Result<bool, SourceError> {
        // The scale is finite, so the conversion does not fail.
        let scale = RBig::try_from(self.scale).unwrap_or(RBig::ZERO);
        let exponent = |score: u64| {
            &scale * RBig::from_parts(IBig::from(score), UBig::ONE << RoundedScore::BITS as usize)
        };
        let near = exponent(layer.start + above);
        let far = layer.end.map(|end| exponent(end + above));
        let shift = RBig::from(UBig::ONE << self.exponent.unsigned_abs() as usize);
        let unit = if self.exponent >= 0 { shift } else { RBig::ONE / shift };
        let cover = self.density(layer, candidate) * RBig::from(layer.weight) * unit;
        let mut uniform = UBig::from(drawn);
        let mut length = 64;
        loop {
            let precision = length + 64;
            let (mut low, mut high) = exp_enclosure(&near, precision);
            if let Some(far) = &far {
                let (far_low, far_high) = exp_enclosure(far, precision);
                low = if far_high < low { low - far_high } else { UBig::ZERO };
                high = if far_low < high { high - far_low } else { UBig::ZERO };
            }
            // uniform / 2^length * cover against low / 2^precision and high / 2^precision
            let scaled = |end: UBig| RBig::from(end << 64) * &cover;
            if scaled(&uniform + UBig::ONE) <= RBig::from(low) {
                return Ok(true);
            }
            if scaled(uniform.clone()) >= RBig::from(high) {
                return Ok(false);
            }
            uniform = (uniform << 64) + UBig::from(bits.next_u64()?);
            length += 64;
        }
    }

    /// The logarithm of the probability that the proposals of a layer give to a candidate, in floating point.
    fn ln_density(&self, layer: &Layer, candidate: &[u64]) -> f64 {
        match &layer.proposals {
            Proposals::Truth => 0.0,
            Proposals::Uniform => -self.ln_candidates,
            Proposals::Product(factors) => {
                let parts =
                    self.axes.iter().zip(factors).map(|(axis, factor)| {
                        libm::log(factor.height(axis, candidate) as f64) - factor.ln_total
                    });
                // A plain sum would have an error that grows with the square of the number of categories.
                parts.collect::<Sum>().value()
            }
        }
    }

    /// The probability of a candidate under the proposals, exactly.
    fn density(&self, layer: &Layer, candidate: &[u64]) -> RBig {
        match &layer.proposals {
            Proposals::Truth => RBig::ONE,
            Proposals::Uniform => RBig::from_parts(IBig::ONE, self.candidates.clone()),
            Proposals::Product(factors) => {
                let mut numerator = UBig::ONE;
                let mut denominator = UBig::ONE;
                for (axis, factor) in self.axes.iter().zip(factors) {
                    numerator *= UBig::from(factor.height(axis, candidate));
                    denominator *= UBig::from(factor.total());
                }
                RBig::from_parts(IBig::from(numerator), denominator)
            }
        }
    }
}

/// Whether floating point may decide a comparison where its error bound allows that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    On,
    #[cfg(test)]
    Off,
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;
    use crate::mechanism::Space;
    use crate::sampler::SeededBits;

    fn made(prior: usize, counts: &[u64], scale: f64) -> Result<EnvelopeSampler, EnvelopeError> {
        let prior = Prior::uniform(prior).expect("valid");
        EnvelopeSampler::new(&prior, &Counts::new(counts.to_vec()).expect("valid"), scale)
    }

    #[test]
    fn accepts() {
        for scale in [0.0, -0.0, EnvelopeSampler::MIN_SCALE, 1.0, EnvelopeSampler::MAX_SCALE] {
            let sampler = made(2, &[2, 3], scale).expect("a supported scale");
            let drawn = sampler.sample(&mut SeededBits::new(1)).expect("seeded");
            assert_eq!(drawn.iter().sum::<u64>(), 5);
        }
    }

    #[test]
    fn rejects() {
        let lengths = made(2, &[2, 3, 4], 1.0).err();
        assert_eq!(lengths, Some(EnvelopeError::Categories { prior: 2, counts: 3 }));
        let (least, most) = (EnvelopeSampler::MIN_SCALE, EnvelopeSampler::MAX_SCALE);
        for value in [-1.0, -f64::MIN_POSITIVE, least.next_down(), most.next_up(), f64::INFINITY] {
            assert_eq!(made(2, &[2, 3], value).err(), Some(EnvelopeError::Scale { value }));
        }
        let nan = made(2, &[2, 3], f64::NAN);
        assert!(matches!(nan.err(), Some(EnvelopeError::Scale { value }) if value.is_nan()));
    }

    /// Samplers for difficult settings: skewed priors, empty categories, weights from equal to one point only.
    fn samplers() -> Vec<EnvelopeSampler> {
        let mut random = Random::new(7);
        let mut all = Vec::new();
        for (k, n) in [(2, 1), (2, 40), (2, 300), (3, 1), (3, 25), (4, 12), (5, 7), (6, 5)] {
            for scale in [0.0, 0.01, 1.0, 10.0, 300.0, 1e6] {
                let alpha = random.prior(k, 0.05, 20.0);
                all.push(EnvelopeSampler::unchecked(&alpha, &random.counts(k, n), scale));
                let mut corner = vec![0; k];
                corner[k / 2] = n;
                all.push(EnvelopeSampler::unchecked(&vec![1.0; k], &corner, scale));
                // Priors so small that a category without records has almost no probability.
                let light = [1e-160, 1e-200, 1e-300, 5e-324][random.below(4) as usize];
                let mut alpha = vec![light; k];
                alpha[0] = 1.0;
                all.push(EnvelopeSampler::unchecked(&alpha, &random.counts(k, n), scale));
                all.push(EnvelopeSampler::unchecked(&vec![light; k], &random.counts(k, n), scale));
                // One prior parameter so large that no record changes it, and others that records change.
                alpha[0] = 1e24;
                all.push(EnvelopeSampler::unchecked(&alpha, &random.counts(k, n), scale));
                // Priors so large that no data changes the posterior: every candidate has score zero.
                all.push(EnvelopeSampler::unchecked(&vec![1e30; k], &corner, scale));
            }
        }
        all
    }

    /// The probability that this candidate is kept when this layer proposes it, by definition.
    fn kept(sampler: &EnvelopeSampler, layer: &Layer, candidate: &[u64]) -> f64 {
        let score = sampler.score(candidate).units();
        let start =
            sampler.layers.iter().map(|layer| layer.start).filter(|&start| start <= score).max().unwrap_or(0);
        let unit = sampler.scale / (1_u64 << RoundedScore::BITS) as f64;
        let cover = (sampler.ln_density(layer, candidate) + f64::from(sampler.exponent) * LN_2).exp()
            * layer.weight as f64;
        let height = match layer.end {
            Some(end) if score >= end => 0.0,
            Some(end) => (-unit * layer.start as f64).exp() * -(-unit * (end - layer.start) as f64).exp_m1(),
            None => (-unit * layer.start as f64).exp(),
        };
        height * (-unit * (score - start) as f64).exp() / cover
    }

    /// If this fails, some candidate is drawn more or less often than its weight says, so the law is wrong.
    #[test]
    fn the_layers_cover_and_add_up_to_the_weights() {
        for sampler in samplers() {
            let mut mass = 0.0;
            Space::Candidates.for_each(sampler.counts.len(), sampler.n, |candidate| {
                let weight = (-sampler.scale * sampler.score(candidate).distance()).exp();
                let mut sum = 0.0;
                for layer in &sampler.layers {
                    let kept = kept(&sampler, layer, candidate);
                    let density = sampler.ln_density(layer, candidate).exp();
                    let proposed = match layer.proposals {
                        Proposals::Truth if candidate != sampler.counts => 0.0,
                        _ => density * layer.weight as f64 * (f64::from(sampler.exponent) * LN_2).exp(),
                    };
                    if proposed > 0.0 {
                        assert!(
                            kept <= 1.0,
                            "{candidate:?} at {:?}: kept with probability {kept}",
                            sampler.counts
                        );
                        sum += kept * proposed;
                    }
                }
                assert!(
                    (sum - weight).abs() <= 1e-12 * weight + 1e-300,
                    "{candidate:?}: {sum} instead of {weight}"
                );
                mass += weight;
            });
            let share = (mass.ln() - sampler.ln_mass()).exp();
            let EnvelopeSampler { ruler, counts, scale, .. } = &sampler;
            assert!(
                share > 0.02,
                "{ruler:?} counts {counts:?} scale {scale}: {share} of the proposals are kept"
            );
        }
    }

    /// If this fails, the floating-point density is further from the exact one than the comparisons allow for.
    #[test]
    fn the_two_densities_agree() {
        for (seed, sampler) in samplers().iter().enumerate() {
            let mut random = Random::new(seed as u64);
            for layer in &sampler.layers {
                let candidate = random.counts(sampler.counts.len(), sampler.n);
                let exact = sampler.density(layer, &candidate).to_f64().value().ln();
                assert!((exact - sampler.ln_density(layer, &candidate)).abs() < 1e-11);
            }
        }
    }

    /// If this fails, the pieces of an axis overlap or leave out counts.
    #[test]
    fn factors_cover_their_axis() {
        for sampler in samplers() {
            for layer in &sampler.layers {
                let Proposals::Product(factors) = &layer.proposals else { continue };
                for (axis, factor) in sampler.axes.iter().zip(factors) {
                    let sum: u128 = (0..=sampler.n).map(|r| u128::from(factor.heights[axis.piece(r)])).sum();
                    assert_eq!(sum, factor.total());
                    assert!(axis.starts[0] == 0 && axis.starts.is_sorted());
                }
            }
        }
    }

    /// If this fails, floating point decides differently from exact arithmetic with the same random bits.
    #[test]
    fn the_filter_changes_no_decision() {
        for (seed, sampler) in samplers().into_iter().enumerate() {
            let mut bits = SeededBits::new(seed as u64);
            for _ in 0..20 {
                let layer = sampler.choose(&mut bits).expect("seeded");
                let Some(candidate) = sampler.propose(layer, &mut bits).expect("seeded") else { continue };
                let mut same = bits.clone();
                let kept = sampler.keep(layer, &candidate, Filter::On, &mut bits).expect("seeded");
                assert_eq!(kept, sampler.keep(layer, &candidate, Filter::Off, &mut same).expect("seeded"));
            }
        }
    }
}
