//! One category's factor of the Bhattacharyya coefficient, for all its possible counts at once.

use crate::distance::{Pair, ln_bc};

/// `exp(ln_bc(alpha + c, value))` for the counts c of one category, divided by the largest of these factors.
///
/// Two steps up the counts multiply the factor by `s = ((a + v)/2) / sqrt(a (a+1))`, `a = alpha + c`, `v = value`: that
/// is the recurrence of the Gamma function. The complement of the factor follows with it,
/// `1 - E s = (1 - E) - E (s - 1)`. Away from `value` it only grows, so that it keeps its relative accuracy although it
/// may be far below the factor (docs/proofs/decoding.md).
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    /// `-ln` of the largest factor.
    pub(super) least: f64,
    pub(super) shares: Vec<Share>,
    /// `-ln` of the factors themselves, if they were computed.
    pub(super) costs: Option<Vec<f64>>,
}

/// A number between zero and one, with its complement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) kept: f64,
    pub(super) lost: f64,
}

/// After this many counts the recurrence starts anew, so that its rounding errors stay below 1e-14.
const RUN: usize = 64;

impl Share {
    pub(super) const ONE: Self = Self { kept: 1.0, lost: 0.0 };

    /// `exp(-cost)`.
    pub(super) fn of_cost(cost: f64) -> Self {
        Self { kept: libm::exp(-cost), lost: -libm::expm1(-cost) }
    }

    /// The product.
    #[inline]
    pub(super) fn times(self, other: Self) -> Self {
        Self { kept: self.kept * other.kept, lost: self.lost + self.kept * other.lost }
    }

    /// `1 - new/self`, where `scale` is multiplied to `new` first.
    pub(super) fn relative_loss(self, new: Self, scale: Self) -> f64 {
        // Where nothing is left of this one, a change makes no difference.
        if self.kept < f64::MIN_POSITIVE {
            return 0.0;
        }
        let more =
            if self.lost > 0.5 { 1.0 - new.kept / self.kept } else { (new.lost - self.lost) / self.kept };
        scale.lost + scale.kept * more
    }
}

impl Overlap {
    /// The factors of a list of counts.
    pub(super) fn of_list(alpha: f64, counts: &[u64], value: f64) -> Self {
        let costs: Vec<f64> =
            counts.iter().map(|&count| -ln_bc(Pair::new(alpha + count as f64, value))).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let shares = costs.iter().map(|cost| Share::of_cost(cost - least)).collect();
        Self { least, shares, costs: Some(costs) }
    }

    /// The factors of `length` counts from `first` on.
    pub(super) fn of_range(alpha: f64, first: u64, length: usize, value: f64) -> Self {
        let parameter = |index: usize| alpha + (first + index as u64) as f64;
        let cost = |index: usize| -ln_bc(Pair::new(parameter(index), value));
        // The count at or below the value, and the next one: the factor is largest at one of them. The cast saturates.
        let below = (libm::floor(value - parameter(0)).max(0.0) as usize).min(length - 1);
        let costs = [cost(below), if below + 1 < length { cost(below + 1) } else { f64::INFINITY }];
        let least = costs[0].min(costs[1]);
        let mut shares = vec![Share::ONE; length];
        for (share, cost) in shares[below..].iter_mut().zip(costs) {
            *share = Share::of_cost(cost - least);
        }
        let anchor = |index: usize| Share::of_cost(cost(index) - least);
        for index in below + 2..length {
            shares[index] = if (index - below) % RUN < 2 {
                anchor(index)
            } else {
                Step::new(parameter(index - 2), value).up(shares[index - 2])
            };
        }
        for index in (0..below).rev() {
            shares[index] = if (below + 1 - index) % RUN < 2 || index + 2 >= length {
                anchor(index)
            } else {
                Step::new(parameter(index), value).down(shares[index + 2])
            };
        }
        Self { least, shares, costs: None }
    }
}

/// The factor `s` from a count to the second next, and `s - 1`.
struct Step {
    factor: f64,
    gain: f64,
}

impl Step {
    #[inline]
    fn new(a: f64, value: f64) -> Self {
        let half = 0.5 * (value - a);
        let inverse = (1.0 / (a * (a + 1.0))).min(f64::MAX);
        // s^2 - 1
        let excess = (a * (2.0 * half - 1.0) + half * half) * inverse;
        // A square root is rounded correctly on every platform.
        let factor = if excess > -0.5 {
            (1.0 + excess).sqrt()
        } else {
            ((a + half) / a * ((a + half) / (a + 1.0))).sqrt()
        };
        Self { factor, gain: excess / (1.0 + factor) }
    }

    #[inline]
    fn up(&self, share: Share) -> Share {
        Share { kept: share.kept * self.factor, lost: share.lost - share.kept * self.gain }
    }

    #[inline]
    fn down(&self, share: Share) -> Share {
        let kept = share.kept / self.factor;
        // The gain of an infinite factor is not a number.
        let lost = if self.factor > 2.0 { 1.0 - kept } else { (share.lost + self.gain) / self.factor };
        Share { kept, lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the recurrence is not that of the Bhattacharyya coefficient, or loses digits.
    #[test]
    fn the_recurrence_agrees_with_the_definition() {
        for alpha in [1e-100, 1e-6, 0.5, 1.0, 7.25, 1e4, 1e9] {
            for first in [0, 1, 40, 3_300, 1_000_000_000] {
                for shift in [-30.0, -0.6, 0.0, 0.25, 11.0, 60.5, 400.0, 5_000.0] {
                    let value: f64 = alpha + first as f64 + shift;
                    if value <= 0.0 {
                        continue;
                    }
                    let length = 300;
                    let found = Overlap::of_range(alpha, first, length, value);
                    let counts: Vec<u64> = (first..first + length as u64).collect();
                    let listed = Overlap::of_list(alpha, &counts, value);
                    let offset = found.least - listed.least;
                    for (index, (one, other)) in found.shares.iter().zip(&listed.shares).enumerate() {
                        let at = format!("alpha {alpha} first {first} value {value} index {index}");
                        let other = other.times(Share::of_cost(-offset));
                        // The definition has the rounding error of its two costs.
                        let cost = -libm::log(other.kept.max(1e-300)) + listed.least;
                        let tolerance = 4e-14 * (other.lost.abs() + 0.01 * cost) + 4e-15 * listed.least;
                        assert!((one.lost - other.lost).abs() <= tolerance, "{at}: {one:?} {other:?}");
                        assert!(
                            (one.kept - other.kept).abs() <= 1e-13 * (1.0 + cost) * other.kept + 1e-300,
                            "{at}: {one:?} {other:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_ratio_and_its_complement() {
        let of = |kept: f64| Share { kept, lost: 1.0 - kept };
        for (old, new, scale) in [(0.9, 0.8, 1.0), (0.1, 0.4, 0.5), (0.7, 0.7, 2.0)] {
            let found = of(old).relative_loss(of(new), of(scale));
            assert!((found - (1.0 - scale * new / old)).abs() < 1e-15);
        }
        assert_eq!(of(0.0).relative_loss(of(0.5), Share::ONE), 0.0);
    }
}
