//! Laws of numbers with a given mean, near the noisy counts.

/// How many records are added at the number that is farthest on the side of the candidate mean, `-ln 0.025`: where as
/// many are expected, none is seen with probability 0.025. Without them a number that few records have, and none was
/// seen of, would have no share.
const UNSEEN: f64 = 3.688_879_454_113_936;

/// The law with the weights `b_i exp(x s_i)`, with x such that it has a given mean: of all laws with that mean it is the
/// nearest to the weights b, in relative entropy.
pub(super) struct Tilted {
    scores: Vec<f64>,
    /// The estimates without negative ones, and what was not seen at the least number: a test for the lower end asks
    /// whether the mean may be smaller.
    weights: Vec<f64>,
}

impl Tilted {
    /// Scores between 0 and 1, with the estimates of their counts.
    pub(super) fn new(scores: &[f64], estimates: &[f64]) -> Self {
        let mut weights: Vec<f64> = estimates.iter().map(|count| count.max(0.0)).collect();
        let least = (0..scores.len()).min_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        if let Some(least) = least {
            weights[least] += UNSEEN;
        }
        // Some share of the largest number must be there for every mean to be possible.
        let most = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        if let Some(most) = most.filter(|&most| weights[most] <= 0.0) {
            weights[most] = 1e-9;
        }
        Self { scores: scores.to_vec(), weights }
    }

    /// The shares of the law with a mean between 0 and 1.
    pub(super) fn at(&self, mean: f64) -> Vec<f64> {
        if mean <= 0.0 || mean >= 1.0 {
            let end = if mean <= 0.0 { 0.0 } else { 1.0 };
            return self.scores.iter().map(|&score| f64::from(u8::from(score == end))).collect();
        }
        // The mean grows with the tilt.
        let (mut low, mut high) = (-1.0, 1.0);
        while self.mean(low) > mean && low > -1e6 {
            low *= 2.0;
        }
        while self.mean(high) < mean && high < 1e6 {
            high *= 2.0;
        }
        let mut tilt = 0.0_f64.clamp(low, high);
        for _ in 0..100 {
            let shares = self.shares(tilt);
            let found = self.mean_of(&shares);
            let gap = found - mean;
            if gap > 0.0 {
                high = tilt
            } else {
                low = tilt
            }
            if gap.abs() <= 1e-12 || high - low <= 1e-13 * (1.0 + tilt.abs()) {
                return shares;
            }
            // The derivative of the mean is the variance.
            let squares = shares.iter().zip(&self.scores).map(|(share, score)| share * score * score);
            let variance = squares.sum::<f64>() - found * found;
            let next = tilt - gap / variance;
            tilt = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        self.shares(tilt)
    }

    fn mean(&self, tilt: f64) -> f64 {
        self.mean_of(&self.shares(tilt))
    }

    fn mean_of(&self, shares: &[f64]) -> f64 {
        shares.iter().zip(&self.scores).map(|(share, score)| share * score).sum()
    }

    fn shares(&self, tilt: f64) -> Vec<f64> {
        let logs = || {
            let terms = self.weights.iter().zip(&self.scores);
            terms.map(|(&weight, score)| libm::log(weight) + tilt * score)
        };
        let most = logs().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs().map(|log| libm::exp(log - most)).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the law of a candidate has another mean, or is not the nearest one.
    #[test]
    fn laws_have_the_mean() {
        let scores = [0.0, 0.1, 0.4, 1.0];
        for counts in
            [[400.0, 60.0, -3.0, 2.0], [0.0, 0.0, 5.0, 0.0], [-8.0, -1.0, -2.0, -1.0], [1.0, 0.0, 0.0, 9.0]]
        {
            let tilted = Tilted::new(&scores, &counts);
            for mean in [0.0, 1e-7, 0.003, 0.2, 0.5, 0.97, 1.0 - 1e-6, 1.0] {
                let shares = tilted.at(mean);
                let found: f64 = shares.iter().zip(scores).map(|(share, score)| share * score).sum();
                assert!((found - mean).abs() < 1e-9, "{counts:?} {mean}: {found}");
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                // The logarithm of the ratio to the weights is a straight line in the score.
                if mean > 0.0
                    && mean < 1.0
                    && shares.iter().all(|share| *share > 1e-200)
                    && counts[1] > 0.0
                    && counts[3] > 0.0
                {
                    let log = |i: usize| (shares[i] / tilted.weights[i]).ln();
                    let slope = |i: usize, j: usize| (log(j) - log(i)) / (scores[j] - scores[i]);
                    assert!(
                        (slope(0, 1) - slope(1, 3)).abs() < 1e-6 * (1.0 + slope(0, 3).abs()),
                        "{counts:?} {mean}"
                    );
                }
            }
        }
    }
}
