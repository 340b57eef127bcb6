//! Differences and ratios of two shares.

use super::subject::Subject;
use super::sums::{Interval, Sums};

/// A share that is compared with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedShare {
    /// Its interval.
    pub interval: Interval,
    /// Its interval that is missed half as often.
    pub wide: [f64; 2],
}

impl ComparedShare {
    /// Of an interval at any level.
    ///
    /// # Errors
    /// Those of the interval.
    pub fn new<E>(level: f64, at: impl Fn(f64) -> Result<Interval, E>) -> Result<Self, E> {
        Ok(Self { interval: at(level)?, wide: at(half_of_misses(level))?.ends })
    }

    /// Whether an end is that of all shares, and not one that a test rejected.
    fn is_cut(&self, end: usize) -> bool {
        let [low, high] = self.interval.ends;
        low < high && [low <= 0.0, high >= 1.0][end]
    }
}

/// The level of intervals that are missed half as often. Two of them hold at once at least as often as the level says.
#[must_use]
pub fn half_of_misses(level: f64) -> f64 {
    0.5 * (1.0 + level)
}

/// How two shares are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The first minus the second.
    Difference,
    /// The first divided by the second.
    Ratio,
    /// The odds of the first divided by those of the second.
    OddsRatio,
}

/// An interval for a difference or a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContrastInterval {
    /// Both ends. The upper end of a ratio may be infinite.
    pub ends: [f64; 2],
    /// The comparison of both estimates, if there is one.
    pub estimate: Option<f64>,
}

/// One of two shares that are compared: its cells and those of its condition.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The cells of the group.
    pub group: &'a [usize],
    /// The cells for which the condition holds, with those of the group.
    pub condition: &'a [usize],
    /// The share.
    pub share: &'a ComparedShare,
}

impl Scale {
    /// The interval for a difference or a ratio of two shares.
    ///
    /// Its ends come from those of both shares and the correlation of their errors (the method of variance estimates
    /// recovery: Zou and Donner 2008; of ratios Donner and Zou 2012). That is measured, and not proven.
    ///
    /// The distance of an estimate from an end says how large an error may be only if a test rejected what is beyond the
    /// end. Where the interval of a share ends because shares end there, or where a condition may be empty, the end is that
    /// of two intervals that hold at once (docs/proofs/intervals.md, "Differences and ratios").
    #[must_use]
    pub fn interval(self, shares: [&ComparedShare; 2], correlation: f64) -> ContrastInterval {
        let joined = self.joined(shares.map(|share| &share.interval), correlation);
        let apart = self.apart(shares.map(|share| share.wide));
        let unknown = shares.iter().any(|share| share.interval.may_be_empty);
        let end = |end: usize| {
            let is_apart = unknown || shares[0].is_cut(end) || shares[1].is_cut(1 - end);
            if is_apart { apart[end] } else { joined.ends[end] }
        };
        ContrastInterval { ends: [end(0), end(1)], ..joined }
    }

    /// What follows if both shares are within these ends.
    fn apart(self, [one, other]: [[f64; 2]; 2]) -> [f64; 2] {
        let divided = |one: [f64; 2], other: [f64; 2]| {
            let low = if one[0] > 0.0 { one[0] / other[1] } else { 0.0 };
            [low, if other[0] > 0.0 { one[1] / other[0] } else { f64::INFINITY }]
        };
        match self {
            Self::Difference => [one[0] - other[1], one[1] - other[0]],
            Self::Ratio => divided(one, other),
            Self::OddsRatio => divided(one.map(odds), other.map(odds)),
        }
    }

    fn joined(self, shares: [&Interval; 2], correlation: f64) -> ContrastInterval {
        let [first, second] = shares.map(Ends::new);
        let [one, other] = shares.map(|share| share.estimate);
        let estimates = one.zip(other);
        match self {
            Self::Difference => ContrastInterval {
                ends: difference(first, second, correlation),
                estimate: estimates.map(|(one, other)| one - other),
            },
            Self::Ratio => ContrastInterval {
                ends: ratio(first, second, correlation),
                estimate: estimates.map(|(one, other)| one / other).filter(|ratio| *ratio >= 0.0),
            },
            Self::OddsRatio => ContrastInterval {
                ends: ratio(first.odds(), second.odds(), correlation),
                estimate: estimates
                    .map(|(one, other)| one / (1.0 - one) * (1.0 - other) / other)
                    .filter(|ratio| *ratio >= 0.0),
            },
        }
    }
}

impl Sums {
    /// The interval for a difference or a ratio of two shares: see [`Scale::interval`].
    #[must_use]
    pub fn contrast(&self, sides: [Side<'_>; 2], about: Subject, scale: Scale) -> ContrastInterval {
        let weights = sides.map(|side| {
            let whole = side.condition.len() == self.cells();
            let count = if whole { Some(self.size()) } else { self.expected(side.condition) };
            side.weights(self.cells(), count?)
        });
        let covariance = |a: &[f64], b: &[f64]| {
            let sampling = if about == Subject::Population { self.sampling_covariance(a, b) } else { 0.0 };
            sampling + self.noise_covariance(a, b)
        };
        scale.interval(sides.map(|side| side.share), correlation(&weights, covariance))
    }
}

impl Sums {
    /// The correlation of two weighted sums of the noise of all cells; zero if one has no noise.
    #[must_use]
    pub fn noise_correlation(&self, one: &[f64], other: &[f64]) -> f64 {
        let padded = |weights: &[f64]| {
            // What is not there has no weight.
            let mut weights = weights.to_vec();
            weights.resize(self.cells(), 0.0);
            Some(weights)
        };
        correlation(&[padded(one), padded(other)], |a, b| self.noise_covariance(a, b))
    }
}

/// The correlation of two weighted sums; zero if there are none.
#[must_use]
pub fn correlation(weights: &[Option<Vec<f64>>; 2], covariance: impl Fn(&[f64], &[f64]) -> f64) -> f64 {
    let [Some(one), Some(other)] = weights else { return 0.0 };
    let scale = covariance(one, one).max(0.0) * covariance(other, other).max(0.0);
    let correlation = covariance(one, other) / libm::sqrt(scale);
    if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 }
}

impl Side<'_> {
    /// The weights `(1_S - p 1_T)/c_T` of all cells: to first order the error of a share is the sum of the errors of
    /// the cells with these weights. There are none without an estimate, or if the condition has no records.
    #[must_use]
    pub fn weights(&self, cells: usize, count: f64) -> Option<Vec<f64>> {
        let share = self.share.interval.estimate?.clamp(0.0, 1.0);
        if count <= 0.0 {
            return None;
        }
        let mut weights = vec![0.0; cells];
        self.condition.iter().for_each(|&cell| weights[cell] -= share / count);
        self.group.iter().for_each(|&cell| weights[cell] += 1.0 / count);
        Some(weights)
    }
}

/// An estimate between the ends of its interval.
#[derive(Clone, Copy, Debug)]
struct Ends {
    low: f64,
    at: f64,
    high: f64,
}

impl Ends {
    fn new(interval: &Interval) -> Self {
        let [low, high] = interval.ends;
        Self { low, at: interval.shown(), high }
    }

    fn odds(self) -> Self {
        Self { low: odds(self.low), at: odds(self.at), high: odds(self.high) }
    }
}

fn odds(share: f64) -> f64 {
    if share >= 1.0 { f64::INFINITY } else { share / (1.0 - share) }
}

fn difference(first: Ends, second: Ends, correlation: f64) -> [f64; 2] {
    let joined = |a: f64, b: f64| libm::sqrt((a * a + b * b - 2.0 * correlation * a * b).max(0.0));
    let at = first.at - second.at;
    [
        (at - joined(first.at - first.low, second.high - second.at)).max(-1.0),
        (at + joined(first.high - first.at, second.at - second.low)).min(1.0),
    ]
}

fn ratio(first: Ends, second: Ends, correlation: f64) -> [f64; 2] {
    let low = lower_ratio(first, second, correlation);
    let inverse = lower_ratio(second, first, correlation);
    [low, if inverse > 0.0 { 1.0 / inverse } else { f64::INFINITY }]
}

/// The least ratio r for which the interval of `first - r second` holds zero.
fn lower_ratio(first: Ends, second: Ends, correlation: f64) -> f64 {
    let (below, above) = (first.at - first.low, second.high - second.at);
    let c = first.at * first.at - below * below;
    if c <= 0.0 || !above.is_finite() {
        return 0.0;
    }
    if first.at.is_infinite() {
        // Odds at their upper end: the least ratio that both intervals allow.
        return first.low / second.high;
    }
    let a = second.at * second.at - above * above;
    let b = first.at * second.at - correlation * below * above;
    c / (b + libm::sqrt((b * b - a * c).max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the formula for ratios does not invert that for differences.
    #[test]
    fn ratios_invert_differences() {
        let first = Ends { low: 0.2, at: 0.3, high: 0.42 };
        let second = Ends { low: 0.4, at: 0.45, high: 0.52 };
        for correlation in [-0.4, 0.0, 0.3] {
            let [low, high] = ratio(first, second, correlation);
            let scaled = |r: f64| Ends { low: r * second.low, at: r * second.at, high: r * second.high };
            assert!(difference(first, scaled(low), correlation)[0].abs() < 1e-12);
            assert!(difference(first, scaled(high), correlation)[1].abs() < 1e-12);
            assert!(low < 0.3 / 0.45 && 0.3 / 0.45 < high);
        }
        let none = Ends { low: 0.0, at: 0.0, high: 0.1 };
        assert_eq!(ratio(none, second, 0.0)[0], 0.0);
        assert_eq!(ratio(second, none, 0.0)[1], f64::INFINITY);
        assert!(ratio(none, second, 0.0)[1] < 0.3);
    }
}
