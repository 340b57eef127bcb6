//! The weights of all pairs of counts of a group and of the rest of its block.

use std::ops::RangeInclusive;

use rustfft::num_complex::Complex;

use super::bins::{Bin, Chebyshev, Level, OFF, bins};
use crate::noise_aware::{BetaMixture, Mass, Transforms, norm, transform_size};
use crate::pulse::beat;
use crate::special::Sum;

/// Laws of independent counts of a group, of the rest of its block and of everything else, given that they sum to n, as
/// far as they are looked at.
pub(super) struct Pairs<'a> {
    pub(super) group: (&'a Mass, RangeInclusive<u64>),
    pub(super) others: (&'a Mass, RangeInclusive<u64>),
    pub(super) outside: &'a Mass,
    /// The counts of the block.
    pub(super) block: RangeInclusive<u64>,
    pub(super) n: u64,
    /// The sum of the weights of all pairs.
    pub(super) likely: f64,
}

/// In how many levels the counts of a group are looked at. More would hardly save points.
const LEVELS: u64 = 16;

/// The weights of the counts of the group, from the first one on, beside one point.
struct Column {
    point: f64,
    first: u64,
    weights: Vec<f64>,
}

impl Pairs<'_> {
    /// The counts of the rest of the block in bins, for a group with this prior parameter; none if the count of the block
    /// is known.
    pub(super) fn bins(&self, alpha: f64) -> Vec<Bin> {
        if self.known().is_some() {
            return Vec::new();
        }
        bins(self.others.1.clone(), &self.levels(alpha), |counts| {
            counts.map(|count| self.others.0.at(count)).sum::<f64>()
        })
    }

    /// The counts of the group in a few levels. Beside a count of the rest of the block, the group and everything else
    /// together weigh no more than the weight of one of them times the largest weight of the other.
    fn levels(&self, alpha: f64) -> Vec<Level> {
        let (law, counts) = (self.group.0, self.group.1.clone());
        let outside = self.outside.largest();
        let step = (counts.end() - counts.start()) / LEVELS + 1;
        let level = |first: u64| {
            let last = (first + step - 1).min(*counts.end());
            let weights = || (first..=last).map(|count| law.at(count));
            let most = (outside * weights().sum::<f64>()).min(weights().fold(0.0, f64::max));
            Level { largest: alpha + last as f64, most: most / self.likely }
        };
        counts.clone().step_by(step as usize).map(level).collect()
    }

    /// How many weights the mixture has with these bins.
    pub(super) fn number(&self, bins: &[Bin]) -> f64 {
        let parts = |counts: &RangeInclusive<u64>| self.parts_beside(counts.clone()).count() as f64;
        match self.known() {
            Some(_) => parts(&self.others.1),
            None => bins.iter().map(|bin| bin.columns() * parts(&bin.counts)).sum(),
        }
    }

    /// The count of the block, if there is only one.
    fn known(&self) -> Option<u64> {
        (self.block.start() == self.block.end()).then(|| *self.block.start())
    }

    /// The counts of the group beside any of these counts of the rest of the block.
    fn parts_beside(&self, beside: RangeInclusive<u64>) -> RangeInclusive<u64> {
        let first = self.block.start().saturating_sub(*beside.end()).max(*self.group.1.start());
        match self.block.end().checked_sub(*beside.start()) {
            Some(last) => first..=last.min(*self.group.1.end()),
            // No count, because the first one is above zero.
            None => first.max(1)..=0,
        }
    }

    /// The mixture of Beta distributions over all pairs, by parts: one if the count of the block is known, and otherwise
    /// one for each count of the rest of the block, or for each point of its bins. The second result bounds what taking
    /// counts together adds to the error of a tail.
    pub(super) fn parts(
        &self,
        (alpha, beside): (f64, f64),
        bins: &[Bin],
        transforms: &Transforms,
    ) -> (Vec<BetaMixture>, f64) {
        let (mut columns, mut rounding) = (Vec::new(), 0.0);
        columns.extend(self.known().map(|count| self.within(count)));
        for bin in bins {
            beat();
            let (more, error) = self.binned(bin, transforms);
            columns.extend(more);
            rounding += error;
        }
        columns.retain(|column| column.weights.iter().any(|weight| *weight != 0.0));
        let total = columns.iter().flat_map(|column| &column.weights).copied().collect::<Sum>().value();
        let part = |Column { point, first, mut weights }| {
            weights.iter_mut().for_each(|weight| *weight /= total);
            match self.known() {
                Some(count) => BetaMixture::new(alpha, beside, count, first, weights),
                None => BetaMixture::beside(alpha, beside, point, first, weights),
            }
        };
        let off = if bins.iter().any(|bin| bin.points.is_some()) { OFF } else { 0.0 };
        (columns.into_iter().map(part).collect(), off + rounding / total)
    }

    /// The weights of the counts of the group if the block has this count.
    fn within(&self, count: u64) -> Column {
        let range = (*self.group.1.start()).max(count.saturating_sub(*self.others.1.end()))
            ..=(*self.group.1.end()).min(count.saturating_sub(*self.others.1.start()));
        let weight = |part| self.group.0.at(part) * self.others.0.at(count - part);
        Column { point: count as f64, first: *range.start(), weights: range.map(weight).collect() }
    }

    /// The columns of a bin, and a bound on the sum of the errors of their weights by rounding.
    ///
    /// With the polynomials L of the points, the weight of a count a of the group at the point j is
    /// `g(a) sum_b L_j(b) o(b) r(n - a - b)`, with the laws g of the group, o of the rest of the block and r of everything
    /// else: a convolution for each point. Two of them are the parts of one complex number.
    fn binned(&self, bin: &Bin, transforms: &Transforms) -> (Vec<Column>, f64) {
        let Some(points) = &bin.points else {
            return (bin.counts.clone().map(|beside| self.beside(beside)).collect(), 0.0);
        };
        let counts = self.parts_beside(bin.counts.clone());
        let number = (bin.counts.end() - bin.counts.start()) as usize + 1;
        let size = transform_size(counts.clone().count() + number);
        let mut rest = self.rest_from(counts.start() + bin.counts.start(), size);
        let norm = norm(&rest);
        transforms.forward(&mut rest);
        // Backwards, because a larger count leaves less to everything else.
        let shares: Vec<Vec<f64>> =
            bin.counts.clone().rev().map(|count| self.shares(points, count)).collect();
        let mut columns = Vec::with_capacity(points.len());
        let mut error = 0.0;
        for two in (0..points.len()).step_by(2) {
            let both = [two, two + 1]
                .map(|point| shares.iter().map(move |of| of.get(point).copied().unwrap_or(0.0)));
            let [re, im] = both;
            let mut buffer: Vec<Complex<f64>> = re.zip(im).map(|(re, im)| Complex::new(re, im)).collect();
            buffer.resize(size, Complex::default());
            // Both parts may be off by it, and each meets all counts of the group, whose weights sum to at most one.
            error += 2.0 * transforms.convolve(&mut buffer, &rest, norm);
            let sums = &buffer[number - 1..];
            let mut column = |point: usize, of: fn(&Complex<f64>) -> f64| {
                let weights =
                    counts.clone().zip(sums).map(|(part, sum)| self.group.0.at(part) * of(sum)).collect();
                columns.push(Column { point: points.at(point), first: *counts.start(), weights });
            };
            column(two, |sum| sum.re);
            if two + 1 < points.len() {
                column(two + 1, |sum| sum.im);
            }
        }
        (columns, error)
    }

    /// The weights of everything else beside `number` blocks from this count on; zero where the block is cut off.
    fn rest_from(&self, first: u64, number: usize) -> Vec<Complex<f64>> {
        let weight = |block: u64| match self.n.checked_sub(block) {
            Some(rest) if self.block.contains(&block) => self.outside.at(rest),
            _ => 0.0,
        };
        (first..).take(number).map(|block| Complex::new(weight(block), 0.0)).collect()
    }

    /// The weight of a count of the rest of the block, shared among the points of its bin.
    fn shares(&self, points: &Chebyshev, count: u64) -> Vec<f64> {
        let weight = self.others.0.at(count);
        let mut shares = points.polynomials(count as f64);
        shares.iter_mut().for_each(|share| *share *= weight);
        shares
    }

    /// The weights of the group's counts at a single count of the rest of the block.
    fn beside(&self, beside: u64) -> Column {
        let counts = self.parts_beside(beside..=beside);
        let first = *counts.start();
        let own = self.others.0.at(beside);
        let weight = |part| self.group.0.at(part) * own * self.outside.at(self.n - part - beside);
        Column { point: beside as f64, first, weights: counts.map(weight).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::beta::cdf;

    /// A law with a kink, as that of a noisy count has one.
    fn kinked(start: u64, length: u64, at: f64, rate: f64) -> Mass {
        let weight = |count: u64| libm::exp(-rate * (count as f64 - at).abs());
        let values: Vec<f64> = (start..start + length).map(weight).collect();
        let total: f64 = values.iter().sum();
        Mass::new(start, values.iter().map(|value| value / total).collect())
    }

    /// If this fails, counts that are taken together do not give the tails of the sum over all pairs.
    #[test]
    fn tails_are_those_of_the_sum_over_all_pairs() {
        let transforms = Transforms::default();
        for (group, others, outside) in [
            (kinked(0, 150, 40.0, 0.1), kinked(0, 300, 130.0, 0.06), kinked(4_600, 400, 4_830.0, 0.05)),
            (
                kinked(1_000, 220, 1_100.2, 0.08),
                kinked(3_000, 260, 3_100.7, 0.08),
                kinked(600, 500, 810.0, 0.03),
            ),
        ] {
            let range = |mass: &Mass| mass.start..=mass.end();
            let pairs = Pairs {
                group: (&group, range(&group)),
                others: (&others, range(&others)),
                outside: &outside,
                // Not all that the laws allow, so that its ends matter.
                block: group.start + others.start + 20..=group.end() + others.end() - 120,
                n: 5_000,
                likely: 1.0,
            };
            let likely = range(&others).flat_map(|count| pairs.beside(count).weights).sum();
            let pairs = Pairs { likely, ..pairs };
            let bins = pairs.bins(0.5);
            assert!(bins.iter().any(|bin| bin.points.is_some()));
            let (parts, error) = pairs.parts((0.5, 1.5), &bins, &transforms);
            assert!(error < OFF + 1e-11, "{error:e}");
            let mean: f64 = parts.iter().map(BetaMixture::mean).sum();
            for x in [0.9 * mean, mean, 1.02 * mean, 1.2 * mean] {
                let (mut tail, mut total) = (Sum::default(), Sum::default());
                for count in range(&others) {
                    let column = pairs.beside(count);
                    for (part, weight) in (column.first..).zip(column.weights) {
                        tail.add(weight * cdf(x, 0.5 + part as f64, 1.5 + count as f64));
                        total.add(weight);
                    }
                }
                let found: f64 = parts.iter().map(|part| part.cdf(x)).sum();
                let off = (found - tail.value() / total.value()).abs();
                assert!(off < 2e-11, "{x}: {found}, off by {off:e}");
            }
        }
    }
}
