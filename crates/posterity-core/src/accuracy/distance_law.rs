//! The exact law of the distance between the released and the true posterior.

use std::fmt;
use std::str::FromStr;

use crate::distance::{
    LengthError, hellinger, hellinger_of_counts, kl_divergence, l1_distance, tv, tv_of_counts,
};
use crate::mechanism::OutputLaw;
use crate::model::{Dirichlet, Prior, PriorError};
use crate::special::Sum;

/// What a distance is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// The Hellinger distance of the posteriors, from 0 to 1.
    #[default]
    Hellinger,
    /// The sum of the absolute differences of the parameters.
    L1,
    /// The Kullback-Leibler divergence of the released posterior from the true one, `KL(true || released)`.
    Kl,
    /// The total variation distance of the posteriors, from 0 to 1. For three or more categories it is an upper bound,
    /// `H sqrt(2 - H^2)`.
    Tv,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Hellinger, Self::L1, Self::Kl, Self::Tv];

    /// The distance between the posteriors of the true and the released counts.
    pub(crate) fn between(self, prior: &Prior, truth: &[u64], released: &[u64]) -> Result<f64, PriorError> {
        match self {
            Self::Hellinger => hellinger_of_counts(prior, truth, released).map_err(wrong_length),
            Self::Tv => tv_of_counts(prior, truth, released).map(|[_, most]| most).map_err(wrong_length),
            Self::L1 | Self::Kl => self.of_posteriors(&prior.posterior(truth)?, &prior.posterior(released)?),
        }
    }

    /// The distance between the true and the released posterior.
    pub(crate) fn of_posteriors(self, truth: &Dirichlet, released: &Dirichlet) -> Result<f64, PriorError> {
        let distance = match self {
            Self::Hellinger => hellinger(truth, released),
            Self::L1 => l1_distance(truth, released),
            Self::Kl => kl_divergence(truth, released),
            Self::Tv => tv(truth, released).map(|[_, most]| most),
        };
        distance.map_err(wrong_length)
    }
}

fn wrong_length(error: LengthError) -> PriorError {
    PriorError::WrongLength { found: error.left, expected: error.right }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "hellinger" => Ok(Self::Hellinger),
            "l1" => Ok(Self::L1),
            "kl" => Ok(Self::Kl),
            "tv" => Ok(Self::Tv),
            other => Err(format!("there is no distance {other:?}; choose hellinger, l1, kl or tv")),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hellinger => "hellinger",
            Self::L1 => "l1",
            Self::Kl => "kl",
            Self::Tv => "tv",
        })
    }
}

/// The probability of each distance, in increasing order: outcomes at the same distance are put together.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceLaw {
    distances: Vec<f64>,
    probabilities: Vec<f64>,
    exact: f64,
}

impl DistanceLaw {
    /// Two distances are the same if they agree to this many parts: rounding separates what mathematics does not.
    const SAME: f64 = 1e-12;

    /// The law of the distance under an output law.
    ///
    /// # Errors
    /// [`PriorError`] if the prior is not the one that the law was made with.
    pub fn new(law: &OutputLaw, prior: &Prior, metric: Metric) -> Result<Self, PriorError> {
        let mut points = Vec::with_capacity(law.len());
        for outcome in law.outcomes() {
            let distance = match metric {
                Metric::Hellinger => outcome.distance,
                Metric::L1 | Metric::Kl | Metric::Tv => metric.between(prior, law.truth(), outcome.counts)?,
            };
            points.push((distance, outcome.probability));
        }
        Ok(Self::from_points(points, law.probability_exact()))
    }

    /// The law with these distances and probabilities, in any order.
    pub(crate) fn from_points(mut points: Vec<(f64, f64)>, exact: f64) -> Self {
        points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut distances, mut probabilities): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (distance, probability) in points {
            match (distances.last(), probabilities.last_mut()) {
                (Some(&last), Some(sum)) if distance - last <= Self::SAME * distance => *sum += probability,
                _ => {
                    distances.push(distance);
                    probabilities.push(probability);
                }
            }
        }
        Self { distances, probabilities, exact }
    }

    /// The distances with their probabilities, the nearest first.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (f64, f64)> {
        self.distances.iter().copied().zip(self.probabilities.iter().copied())
    }

    /// The expected distance.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.points().map(|(distance, probability)| distance * probability).collect::<Sum>().value()
    }

    /// The standard deviation of the distance.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let square =
            self.points().map(|(distance, probability)| probability * (distance - mean) * (distance - mean));
        libm::sqrt(square.collect::<Sum>().value())
    }

    /// The least distance that is not exceeded with probability `p`: the median for 1/2.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        let mut sum = Sum::default();
        for (distance, probability) in self.points() {
            sum.add(probability);
            // A share that is reached but for rounding counts as reached.
            if sum.value() >= p - 1e-13 {
                return distance;
            }
        }
        self.distances.last().copied().unwrap_or(0.0)
    }

    /// `P(distance >= c)`.
    #[must_use]
    pub fn at_least(&self, c: f64) -> f64 {
        let far = self.points().filter(|&(distance, _)| distance >= c);
        far.map(|(_, probability)| probability).collect::<Sum>().value()
    }

    /// The probabilities of the first intervals of this width from zero on, each at its centre.
    #[must_use]
    pub fn binned(&self, width: f64, bins: usize) -> Vec<(f64, f64)> {
        let mut sums = vec![0.0; bins];
        for (distance, probability) in self.points() {
            if let Some(sum) = sums.get_mut((distance / width) as usize) {
                *sum += probability;
            }
        }
        sums.into_iter().enumerate().map(|(index, sum)| ((index as f64 + 0.5) * width, sum)).collect()
    }

    /// Each probability at the nearest of these places, which increase; nothing if there are none.
    #[must_use]
    pub fn gathered(&self, places: &[f64]) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = places.iter().map(|&place| (place, 0.0)).collect();
        let mut nearest = 0;
        for (distance, probability) in self.points() {
            while places.get(nearest + 1).is_some_and(|next| next - distance < distance - places[nearest]) {
                nearest += 1;
            }
            if let Some(point) = points.get_mut(nearest) {
                point.1 += probability;
            }
        }
        points
    }

    /// The probability that the true posterior is released.
    #[must_use]
    pub fn probability_exact(&self) -> f64 {
        self.exact
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> DistanceLaw {
        DistanceLaw::from_points(vec![(0.375, 0.25), (0.0, 0.5), (0.25, 0.125), (0.9, 0.125)], 0.5)
    }

    #[test]
    fn intervals_hold_what_lies_within_them() {
        assert_eq!(law().binned(0.25, 3), [(0.125, 0.5), (0.375, 0.375), (0.625, 0.0)]);
        assert_eq!(law().binned(1.0, 1), [(0.5, 1.0)]);
    }

    #[test]
    fn what_lies_between_places_goes_to_the_nearest() {
        assert_eq!(law().gathered(&[0.1, 0.3, 0.5]), [(0.1, 0.5), (0.3, 0.375), (0.5, 0.125)]);
        assert_eq!(law().gathered(&[0.7]), [(0.7, 1.0)]);
        assert_eq!(law().gathered(&[]), []);
    }
}
