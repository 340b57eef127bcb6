//! Normalisers of data sets next to each other, by polynomials with a proven error (docs/proofs/noise-aware.md, lemma
//! 4).
//!
//! For a fixed number of steps d the distance H(c, c + d) is analytic in c, and its real part is positive in a sector
//! around the line. So all weights `exp(-s H)` are at most one there, and Cauchy's formula bounds the error of a
//! polynomial through exact sums, in c as well as in the scale s.

use std::ops::RangeInclusive;

use super::sums::{Line, error_of_total};
use crate::audit::cost_table::most;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::special::kernel::{exponents, weigh};

/// Data sets next to each other.
pub(super) struct Stretch {
    range: RangeInclusive<usize>,
    /// How far candidates with a weight of their own are below and above their data set.
    reach: [usize; 2],
    /// Whether the weights of the others matter.
    far_matters: bool,
    counts: Nodes,
    scales: Nodes,
    /// Bounds on the errors of a polynomial in the counts and of one in the scales.
    errors: [f64; 2],
}

/// Where a polynomial in one variable is known.
struct Nodes {
    at: Vec<f64>,
    /// Of the barycentric formula (Berrut and Trefethen 2004).
    weights: Vec<f64>,
}

/// The most nodes in the counts and in the scales.
const MOST_NODES: [usize; 2] = [32, 24];

/// The error that is accepted of each variable.
const ACCEPTED: f64 = 1e-12;

/// Of the distance to where a function may no longer be analytic, the part that is used.
const PART: f64 = 0.99;

/// Scales within this part of each other are taken as one: their difference is below the rounding of a sum.
const ONE_SCALE: f64 = 1e-16;

impl Stretch {
    /// Nothing if the data sets are too near to an end of the line, or too many.
    pub(super) fn new(line: &Line, range: RangeInclusive<usize>, scales: &[f64]) -> Option<Self> {
        let (first, last, n) = (*range.start(), *range.end(), line.n as usize);
        let scales = &scales[range.clone()];
        let (least, most_of) =
            scales.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &s| (a.min(s), b.max(s)));
        let (furthest, far_matters) = line.furthest(least);
        // The first category costs least at the last data set, and the second one at the first.
        let below = |steps: usize| {
            line.category(0, last, last - steps) + line.category(1, n - first, n - first + steps)
        };
        let above = |steps: usize| {
            line.category(0, last, last + steps) + line.category(1, n - first, n - first - steps)
        };
        let reach =
            [most(first, |steps| below(steps) <= furthest), most(n - last, |steps| above(steps) <= furthest)];
        if reach[0] == first || reach[1] == n - last {
            return None;
        }
        let largest = (reach[0] + reach[1] + 1) as f64;
        let (start, end) = (first as f64, last as f64);
        let middle = 0.5 * (start + end);
        // Within this distance of the middle, imaginary parts are below the real parts of all arguments of Gamma.
        let room = (line.alpha[0] + middle - reach[0] as f64)
            .min(line.alpha[1] + n as f64 - middle - reach[1] as f64);
        let radius = PART * room * std::f64::consts::FRAC_1_SQRT_2;
        let whole = |node: f64| libm::round(node);
        let (counts, of_counts) = Nodes::least([start, end], radius, largest, MOST_NODES[0], whole)?;
        let (scales, of_scales) = if most_of - least <= ONE_SCALE * most_of {
            (Nodes::new(vec![least]), 0.0)
        } else {
            let radius = PART * 0.5 * (least + most_of);
            Nodes::least([least, most_of], radius, largest, MOST_NODES[1], |node| node)?
        };
        Some(Self { range, reach, far_matters, counts, scales, errors: [of_counts, of_scales] })
    }

    #[cfg(test)]
    pub(super) fn first(&self) -> usize {
        *self.range.start()
    }

    /// The number of sums.
    pub(super) fn sums_number(&self) -> usize {
        self.counts.at.len() * self.scales.at.len()
    }

    /// The number of weights that it takes.
    pub(super) fn work(&self) -> f64 {
        self.sums_number() as f64 * (self.reach[0] + self.reach[1] + 1) as f64
    }

    /// `ln Z` of its data sets, and a bound on what its error has beside that of a sum.
    pub(super) fn ln_totals(&self, line: &Line, scales: &[f64]) -> (Vec<f64>, f64) {
        /// This many data sets use the same room for their polynomials.
        const TOGETHER: usize = 1_024;
        let sums = Parallelism::AllCores.map(&self.counts.at, |&c| self.sums(line, c as usize));
        let of_sums = sums.iter().flat_map(|sums| sums.iter().zip(&self.scales.at));
        let of_sums = of_sums.map(|(&sum, &scale)| sum * error_of_total(sum, scale)).fold(0.0, f64::max);
        let far =
            if self.far_matters { (line.n as usize - self.reach[0] - self.reach[1]) as f64 } else { 0.0 };
        let one = |c: usize, [of_counts, of_scales]: &mut [Vec<f64>; 2]| {
            beat();
            let scale = scales[c];
            self.counts.lagrange(c as f64, of_counts);
            self.scales.lagrange(scale, of_scales);
            let at =
                |sums: &Vec<f64>| sums.iter().zip(&*of_scales).map(|(sum, part)| sum * part).sum::<f64>();
            let near: f64 = of_counts.iter().zip(&sums).map(|(part, sums)| part * at(sums)).sum();
            let [of_counts, of_scales] =
                [of_counts, of_scales].map(|parts| parts.iter().map(|part| part.abs()).sum::<f64>());
            let error = self.errors[1] + of_scales * (self.errors[0] + of_counts * of_sums);
            (near + far * libm::exp(-scale), error)
        };
        let (first, end) = (*self.range.start(), self.range.end() + 1);
        let found = Parallelism::AllCores.map((first..end).step_by(TOGETHER), |first| {
            let mut room = <[Vec<f64>; 2]>::default();
            (first..end.min(first + TOGETHER)).map(|c| one(c, &mut room)).collect::<Vec<(f64, f64)>>()
        });
        let found = found.concat();
        let error = found.iter().map(|(total, error)| error / total).fold(0.0, f64::max);
        (found.into_iter().map(|(total, _)| libm::log(total)).collect(), error)
    }

    /// The sums of weights at one data set within the reach, for every scale.
    fn sums(&self, line: &Line, c: usize) -> Vec<f64> {
        let length = self.reach[0] + self.reach[1] + 1;
        let (mut distances, mut scaled, mut weights) =
            (vec![0.0; length], vec![0.0; length], vec![0.0; length]);
        line.costs(c, c - self.reach[0], &mut distances);
        exponents(&mut distances, 1.0);
        let sum = |scale: &f64| {
            beat();
            scaled.iter_mut().zip(&distances).for_each(|(scaled, distance)| *scaled = scale * distance);
            weigh(&scaled, &mut weights, f64::INFINITY)
        };
        self.scales.at.iter().map(sum).collect()
    }
}

impl Nodes {
    fn new(at: Vec<f64>) -> Self {
        // In units of a quarter of the length the products neither over- nor underflow.
        let unit = 4.0 / (at[at.len() - 1] - at[0]);
        let weight = |node: &f64| {
            let others = at.iter().filter(|other| *other != node);
            1.0 / others.map(|other| (node - other) * unit).product::<f64>()
        };
        let weights = at.iter().map(weight).collect();
        Self { at, weights }
    }

    /// The fewest Chebyshev points between two ends, each moved a little, that reach the accepted error for every
    /// function that is at most `largest` on the circle of this radius around the middle; and that error.
    fn least(
        ends: [f64; 2],
        radius: f64,
        largest: f64,
        most_nodes: usize,
        moved: impl Fn(f64) -> f64,
    ) -> Option<(Self, f64)> {
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        // With fewer nodes the bound is above that of Chebyshev points in the middle of the circle.
        let ratio = 0.5 * half / radius;
        if !(radius > half && ratio < 0.5) {
            return None;
        }
        let fewest =
            libm::ceil(libm::log(ACCEPTED / (2.0 * largest)) / libm::log(ratio)).clamp(2.0, 1e3) as usize;
        (fewest..=most_nodes).find_map(|number| {
            let angle = |index: usize| std::f64::consts::PI * (index as f64 + 0.5) / number as f64;
            let at: Vec<f64> =
                (0..number).map(|index| moved(middle - half * libm::cos(angle(index)))).collect();
            if at.windows(2).any(|pair| pair[0] >= pair[1]) {
                return None;
            }
            let error = bound(&at, ends, radius, largest);
            (error <= ACCEPTED).then(|| (Self::new(at), error))
        })
    }

    /// The Lagrange polynomials at a place.
    fn lagrange(&self, place: f64, parts: &mut Vec<f64>) {
        parts.clear();
        if let Some(node) = self.at.iter().position(|&node| node == place) {
            parts.resize(self.at.len(), 0.0);
            parts[node] = 1.0;
            return;
        }
        parts.extend(self.at.iter().zip(&self.weights).map(|(node, weight)| weight / (place - node)));
        let total: f64 = parts.iter().sum();
        parts.iter_mut().for_each(|part| *part /= total);
    }
}

/// A bound on the error of the polynomial through these nodes anywhere between the ends, for a function that is analytic
/// within the circle around the middle and at most `largest` there.
fn bound(nodes: &[f64], ends: [f64; 2], radius: f64, largest: f64) -> f64 {
    let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
    let product = |place: f64| -> f64 {
        nodes.iter().map(|node| (place - node).abs() / (radius - (node - middle).abs())).product()
    };
    // Between two nodes the product of their distances is largest in the middle, and no other distance exceeds the larger
    // one of those at both nodes.
    let between = |pair: &[f64]| -> f64 {
        let parts = nodes.iter().map(|node| {
            let away = (pair[0] - node).abs().max((pair[1] - node).abs());
            let own = pair.contains(node);
            (if own { 0.5 * away } else { away }) / (radius - (node - middle).abs())
        });
        parts.product()
    };
    let outside = ends.map(product);
    let largest_product = nodes.windows(2).map(between).chain(outside).fold(0.0, f64::max);
    largest_product * largest * radius / (radius - half)
}
