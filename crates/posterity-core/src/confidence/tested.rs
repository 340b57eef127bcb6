//! The test of one stated share.

use super::binomial::expectation;
use super::joint::{Joint, Table};
use super::subject::Subject;
use super::sums::{GroupSum, MOST_DRAWN, Sums, Within};
use crate::noise::FoldedNoise;

/// What tests of stated shares of a condition have in common: the condition, and the counts that it may have.
///
/// The share is that of a group of the condition. The hypothesis is that it is at most p, and large noisy counts of the
/// group speak against it. That it is at least p is the same of the others of the condition and `1 - p`.
///
/// # Guarantee
/// [`Tested::p_value_up`] is at least the probability, under every share of at most p and every true count of the
/// condition, of a statistic at least as large as the one that was found, except for the probability `beta` that the count
/// is outside its set (docs/proofs/ordered.md, theorem 1). Nothing between listed counts is interpolated.
pub struct Tested<'a> {
    sums: &'a Sums,
    about: Subject,
    /// The counts of the condition, from the least to the most; nothing where the condition is everything and n public.
    counts: Option<[u64; 2]>,
}

/// How exactly a p-value is found that nobody compares with a size.
const CLOSE: f64 = 1e-6;

/// The most counts of the condition at which a tail is computed. After them the bounds of what is left count.
const EVALUATIONS: usize = 4_000;

/// What binomial sums leave out, with room to spare.
const LEFT_OUT: f64 = 1e-11;

/// What is enough to know of a largest tail.
#[derive(Clone, Copy)]
enum Enough {
    /// Whether it is above this.
    Size(f64),
    /// The tail itself.
    Value,
}

impl<'a> Tested<'a> {
    /// Tests of shares of a condition with these cells. The true count of the condition is outside of the set that is
    /// looked at with probability `beta` at most. Nothing if the noise is too wide.
    #[must_use]
    pub fn new(
        sums: &'a Sums,
        condition: GroupSum,
        everything: bool,
        about: Subject,
        beta: f64,
    ) -> Option<Self> {
        if everything {
            return Some(Self { sums, about, counts: None });
        }
        let drawn = condition.drawn.clamp(-MOST_DRAWN, MOST_DRAWN);
        let (low, high) = sums.noise(condition)?.middle(0.5 * beta);
        let inside = |count: i64| count.clamp(0, sums.records() as i64) as u64;
        let least = inside(drawn.saturating_sub(high));
        Some(Self { sums, about, counts: Some([least, inside(drawn.saturating_sub(low)).max(least)]) })
    }

    /// Whether the condition may have no records.
    #[must_use]
    pub fn may_be_empty(&self) -> bool {
        self.counts.is_some_and(|[least, _]| least == 0)
    }

    /// The p-value of the hypothesis that the share of the group is at most p, from above; 1 if the noise is too wide.
    #[must_use]
    pub fn p_value_up(&self, within: Within, p: f64) -> f64 {
        self.largest(within, p, Enough::Value).unwrap_or(1.0)
    }

    /// Whether a test of this size rejects that the share of the group is at most p.
    #[must_use]
    pub fn is_larger(&self, within: Within, p: f64, size: f64) -> bool {
        self.largest(within, p, Enough::Size(size)).is_some_and(|value| value <= size)
    }

    fn largest(&self, within: Within, p: f64, enough: Enough) -> Option<f64> {
        let clamp = |y: i64| y.clamp(-MOST_DRAWN, MOST_DRAWN);
        let (u, v) = (clamp(within.group.drawn), clamp(within.others.drawn));
        let Some([least, most]) = self.counts else {
            return Some(self.of_everything(u, &*self.sums.noise(within.group)?, p));
        };
        let joint: &Joint = &*self.sums.joint(within.group, within.others)?;
        let (u, v) = (u as f64, v as f64);
        let tails = Tails {
            p,
            // A number on the edge is in the tail, however it is rounded.
            statistic: (1.0 - p) * u - p * v - 1e-9 * (1.0 + u.abs() + v.abs()),
            noise: joint.table(p),
            more: joint.lost() + LEFT_OUT,
        };
        Some(match self.about {
            Subject::Records => tails.of_noise(),
            Subject::Population => tails.largest(least, most, enough),
        })
    }

    /// The tail where n records are in the condition.
    fn of_everything(&self, y: i64, noise: &FoldedNoise, p: f64) -> f64 {
        let n = self.sums.records();
        match self.about {
            // A count that is p n but for rounding satisfies the hypothesis.
            Subject::Records => noise.at_least(y - libm::floor(p * n as f64 + 1e-9) as i64),
            Subject::Population => {
                let tail = |count: u64| noise.at_least(y - count as i64);
                expectation(n, p, y - noise.end(), y - noise.start(), tail) + LEFT_OUT
            }
        }
    }
}

/// The tails of the statistic `C - p c + N` at one share p, by the count c of the condition.
struct Tails {
    p: f64,
    statistic: f64,
    noise: Table,
    /// What is added to each.
    more: f64,
}

impl Tails {
    /// Where the condition's records are what is asked about, and nothing but noise is uncertain.
    fn of_noise(&self) -> f64 {
        self.noise.at_least(self.statistic) + self.more
    }

    /// `P(Bin(most, p) + N >= statistic + p least)`. It is the tail at a count if both are that count, and at least that of
    /// every count between them: no more records have the value, and no less is taken away.
    fn between(&self, least: u64, most: u64) -> f64 {
        let at = self.statistic + self.p * least as f64;
        let (low, high) =
            (libm::floor(at - self.noise.end()) as i64, libm::ceil(at - self.noise.start()) as i64);
        expectation(most, self.p, low, high, |part| self.noise.at_least(at - part as f64)) + self.more
    }

    /// The largest tail between two counts, or a bound on it. Ranges whose bound is low enough are not divided further.
    fn largest(&self, least: u64, most: u64, enough: Enough) -> f64 {
        let mut best = self.between(least, least).max(self.between(most, most));
        let (mut ranges, mut evaluations) = (vec![(least, most)], 0);
        // A bound on what was given up.
        let mut beyond: f64 = 0.0;
        while let Some((low, high)) = ranges.pop() {
            if matches!(enough, Enough::Size(size) if best > size) {
                return best;
            }
            if high - low <= 1 {
                continue;
            }
            let bound = self.between(low, high);
            let wanted = match enough {
                Enough::Size(size) => size,
                Enough::Value => best + CLOSE,
            };
            if bound <= wanted {
                beyond = beyond.max(bound);
                continue;
            }
            if evaluations >= EVALUATIONS {
                beyond = beyond.max(bound);
                continue;
            }
            evaluations += 1;
            let middle = low + (high - low) / 2;
            best = best.max(self.between(middle, middle));
            ranges.extend([(low, middle), (middle, high)]);
        }
        best.max(beyond).min(1.0)
    }
}
