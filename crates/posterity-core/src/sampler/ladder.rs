//! Draws of whole numbers whose weights are given by their ratios.

use dashu_base::Approximation;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::bits::{BitSource, SourceError};
use super::exp_enclosure::exp_enclosure;
use crate::pulse::beat;

/// A law on `0..=ratios.len()` with weights `w_0 = 1` and `w_{j+1} = w_j a_j / b_j exp(-rate)`, where the ratios
/// decrease.
///
/// The exact weights may be very long numbers, such as squares of binomial coefficients of a thousand. So a draw
/// inverts the cumulative law in floating point, with a bound on its error. The rare draw that floating point cannot
/// decide is repeated in exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    ratios: Vec<(UBig, UBig)>,
    rate: RBig,
    /// Sums of the weights, in units of the largest.
    cumulative: Vec<f64>,
    /// A bound on the relative error of a quotient of two of these sums.
    slack: f64,
}

impl Ladder {
    /// The law with these ratios `(a_j, b_j)`, all positive.
    pub(crate) fn new(ratios: Vec<(UBig, UBig)>, rate: RBig) -> Self {
        let near = rate.to_f64().value();
        let factor = libm::exp(-near);
        let quotients: Vec<f64> = ratios.iter().map(|(a, b)| to_f64(a) / to_f64(b) * factor).collect();
        // The ratios decrease, so the largest weight is where they first fall below one. All weights are computed from
        // there, so that none overflows.
        let top = quotients.partition_point(|&quotient| quotient >= 1.0);
        let mut weights = vec![1.0; ratios.len() + 1];
        for j in top..quotients.len() {
            weights[j + 1] = weights[j] * quotients[j];
        }
        for j in (0..top).rev() {
            weights[j] = weights[j + 1] / quotients[j];
        }
        let mut sum = 0.0;
        for weight in &mut weights {
            sum += *weight;
            *weight = sum;
        }
        // Every step rounds the two parts of the ratio, their quotient, the factor and the product: five ulps. The
        // rounded exponent of the factor adds `near` ulps. Each sum adds one, and a quotient doubles the error.
        let steps = ratios.len() as f64 + 2.0;
        // If a part of a ratio overflows, floating point knows nothing, and exact arithmetic decides every draw.
        let held = ratios.iter().all(|(a, b)| to_f64(a).is_finite() && to_f64(b).is_finite());
        let slack = if held { 4.0 * steps * (8.0 + near) * f64::EPSILON } else { f64::INFINITY };
        Self { ratios, rate, cumulative: weights, slack }
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact: the result is the number j whose interval of cumulative shares contains a uniform U. Floating point
    /// decides if the first 64 bits of U and the error bound of the shares allow it. Otherwise more bits and rational
    /// bounds decide.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub(crate) fn sample(&self, bits: &mut dyn BitSource) -> Result<usize, SourceError> {
        let word = bits.next_u64()?;
        match self.decide(word) {
            Some(j) => Ok(j),
            None => self.decide_exactly(word, bits),
        }
    }

    /// The result for every uniform number with these leading bits; none if floating point cannot decide.
    fn decide(&self, word: u64) -> Option<usize> {
        if !self.slack.is_finite() || self.slack > 1e-3 {
            return None;
        }
        let total = self.cumulative.last()?;
        // The uniform number is between the word and the next one, which is 2^-64 higher. The conversion rounds by
        // 2^-53.
        let u = word as f64 * (1.0 / 18_446_744_073_709_551_616.0);
        let margin = self.slack + 4.0 * f64::EPSILON;
        let share = |j: usize| self.cumulative[j] / total;
        let j = self.cumulative.partition_point(|&sum| sum <= u * total);
        if j == self.cumulative.len() {
            // The largest words are rounded up to one.
            return None;
        }
        // Shares that underflow are below 1e-300. They do not matter: if u is zero, nothing is decided, and otherwise u
        // is above 1e-20 and the margin above 1e-36.
        let above = j == 0 || share(j - 1) * (1.0 + margin) < u;
        let below = j + 1 == self.cumulative.len() || u * (1.0 + margin) + margin < share(j);
        (above && below).then_some(j)
    }

    /// Decides as [`Self::decide`], in exact arithmetic and with as many bits as needed.
    fn decide_exactly(&self, word: u64, bits: &mut dyn BitSource) -> Result<usize, SourceError> {
        let mut weights = vec![RBig::ONE];
        for (a, b) in &self.ratios {
            beat();
            let last = &weights[weights.len() - 1];
            weights.push(last * RBig::from_parts(IBig::from(a.clone()), b.clone()));
        }
        let mut u = UBig::from(word);
        let mut length = 64;
        loop {
            u = (u << 64) + UBig::from(bits.next_u64()?);
            length += 64;
            // Twice the bits of the uniform number, so that the bounds on the weights are the tighter ones.
            let precision = 2 * length;
            let scale = RBig::from(UBig::ONE << precision);
            let (mut low, mut high) = (vec![RBig::ZERO], vec![RBig::ZERO]);
            for (j, weight) in weights.iter().enumerate() {
                beat();
                let (below, above) = exp_enclosure(&(&self.rate * RBig::from(j as u64)), precision);
                low.push(&low[j] + weight * RBig::from(below) / &scale);
                high.push(&high[j] + weight * RBig::from(above) / &scale);
            }
            let one = RBig::from(UBig::ONE << length);
            let at_least = RBig::from(u.clone()) / &one * &low[weights.len()];
            let at_most = RBig::from(&u + UBig::ONE) / &one * &high[weights.len()];
            if let Some(j) = (0..weights.len()).find(|&j| high[j] <= at_least && at_most <= low[j + 1]) {
                return Ok(j);
            }
        }
    }
}

/// The nearest floating-point number; infinite if the value is too large.
fn to_f64(value: &UBig) -> f64 {
    match value.to_f64() {
        Approximation::Exact(value) | Approximation::Inexact(value, _) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    /// `C(m, j)^2 exp(-rate j)`.
    fn squares(m: u64, rate: RBig) -> Ladder {
        let square = |value: u64| UBig::from(value * value);
        Ladder::new((0..m).map(|j| (square(m - j), square(j + 1))).collect(), rate)
    }

    /// If this fails, floating point and exact arithmetic decide differently, at random numbers or near a border.
    #[test]
    fn floating_point_and_exact_arithmetic_decide_alike() {
        let mut bits = SeededBits::new(11);
        for (m, rate) in [(1, (1, 1_u8)), (2, (1, 100)), (9, (3, 2)), (40, (1, 5)), (3, (40, 1))] {
            let ladder = squares(m, RBig::from_parts(IBig::from(rate.0), UBig::from(rate.1)));
            let total = *ladder.cumulative.last().expect("not empty");
            let borders: Vec<u64> =
                ladder.cumulative.iter().map(|sum| (sum / total * 2f64.powi(64)) as u64).collect();
            let random = (0..200).map(|_| bits.next_u64().expect("seeded")).collect::<Vec<_>>();
            let beside = borders
                .iter()
                .flat_map(|&border| [border.saturating_sub(1 << 24), border.saturating_add(1 << 24)]);
            let mut decided = 0;
            for word in random.into_iter().chain(beside).chain([0, u64::MAX]) {
                if let Some(j) = ladder.decide(word) {
                    decided += 1;
                    assert_eq!(ladder.decide_exactly(word, &mut bits), Ok(j), "m {m} word {word}");
                }
            }
            assert!(decided >= 200, "only {decided} words were decided quickly");
        }
    }

    /// If this fails, floating point decides a word that contains a border, or exact arithmetic does not end there.
    #[test]
    fn borders_are_left_to_exact_arithmetic() {
        let ladder = squares(2, RBig::ONE);
        // Shares 1, 4 q, q^2 of 1 + 4 q + q^2 with q = 1/e.
        let q = libm::exp(-1.0);
        let border = (1.0 / (1.0 + 4.0 * q + q * q) * 2f64.powi(64)) as u64;
        assert_eq!(ladder.decide(border), None);
        let mut bits = SeededBits::new(1);
        assert!(ladder.decide_exactly(border, &mut bits).expect("seeded") <= 1);
    }

    /// The weights are 1 : 3 : 1, from ratios of which one part overflows in floating point.
    #[test]
    fn ratios_of_which_one_part_overflows() {
        let d = UBig::ONE << 1023;
        let ratios = vec![(&d * UBig::from(6_u8), &d * UBig::from(2_u8)), (d.clone(), &d * UBig::from(3_u8))];
        let ladder = Ladder::new(ratios, RBig::ZERO);
        let mut bits = SeededBits::new(9);
        let mut found = [0; 3];
        for _ in 0..500 {
            found[ladder.sample(&mut bits).expect("seeded")] += 1;
        }
        // Binomial(500, 1/5) and (500, 3/5): outside these with probability below 1e-8.
        assert!((45..=160).contains(&found[0]) && (230..=370).contains(&found[1]), "{found:?}");
    }

    /// If this fails, ratios whose parts both overflow in floating point are drawn wrongly.
    #[test]
    fn ratios_beyond_floating_point() {
        let huge = UBig::ONE << 3000;
        let ladder = Ladder::new(vec![(huge.clone(), huge)], RBig::ZERO);
        let mut bits = SeededBits::new(8);
        let ones = (0..400).filter(|_| ladder.sample(&mut bits) == Ok(1)).count();
        // Binomial(400, 1/2): outside 140..=260 with probability below 1e-8.
        assert!((140..=260).contains(&ones), "{ones}");
    }
}
