//! Two categories: the data sets form a line. Normalisers are sums over the candidates near their data set, or
//! polynomials through such sums with a proven error.

use std::ops::RangeInclusive;

use super::simplex::MAX_WORK;
use super::stretch::Stretch;
use super::sums::Line;
use super::{Normalisers, ROUNDING, SAME_SCALE, Scaled, scale_of};
use crate::parallelism::Parallelism;

/// The normalisers of all data sets.
///
/// # Errors
/// The work, if it is too much.
pub(super) fn normalisers(law: &dyn Scaled, alpha: [f64; 2]) -> Result<Normalisers, f64> {
    let n = law.setting().n();
    // Under equal prior parameters both halves of the line are the same.
    let mirrored = alpha[0] == alpha[1];
    let last = if mirrored { n / 2 } else { n };
    let mut scales = Parallelism::AllCores.map(0..=last, |c| scale_of(law, &[c, n - c]));
    let line = Line::new(alpha, n);
    let parts = parts(&line, 0..=scales.len() - 1, &scales);
    let work = parts.iter().map(|part| part.work(&line, &scales)).sum::<f64>() * line.price();
    if work.is_nan() || work > MAX_WORK {
        return Err(work);
    }
    let found = Parallelism::AllCores.map(&parts, |part| part.ln_totals(&line, &scales));
    let error = found.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    let mut ln_totals = found.into_iter().flat_map(|(ln_totals, _)| ln_totals).collect::<Vec<f64>>();
    if mirrored {
        for values in [&mut scales, &mut ln_totals] {
            let half = n.div_ceil(2) as usize;
            values.extend_from_within(..half);
            let other = values.len() - half;
            values[other..].reverse();
        }
    }
    let rounding = scales.iter().copied().fold(0.0, f64::max) * SAME_SCALE;
    Ok(Normalisers { scales, ln_totals, error: error + rounding + ROUNDING })
}

/// Fewer data sets than these are summed one by one.
const SUMMED: usize = 256;

/// Data sets next to each other, and how their normalisers are found.
///
/// Polynomials are worth their proof: one release by `ehds` with 100,000 records takes 0.2 s of processor time at epsilon 0.1,
/// and 2.8 s if all parts are summed; with 1,000,000 records at epsilon 1 it is 1.3 s and 4.9 s
/// (`cargo run --release -p posterity-core --example parts -- ehds 2 100000 0.1`).
enum Part {
    Summed(RangeInclusive<usize>),
    Interpolated(Stretch),
}

/// Divides data sets until each part is short, or can be interpolated.
fn parts(line: &Line, all: RangeInclusive<usize>, scales: &[f64]) -> Vec<Part> {
    let (mut open, mut parts) = (vec![all], Vec::new());
    while let Some(range) = open.pop() {
        let (first, last) = (*range.start(), *range.end());
        let stretch = if last - first < SUMMED { None } else { Stretch::new(line, range.clone(), scales) };
        match stretch.filter(|stretch| stretch.sums_number() <= last - first) {
            Some(stretch) => parts.push(Part::Interpolated(stretch)),
            None if last - first < SUMMED => parts.push(Part::Summed(range)),
            None => {
                let middle = first.midpoint(last);
                open.extend([middle + 1..=last, first..=middle]);
            }
        }
    }
    parts
}

impl Part {
    /// The number of weights that it takes, about.
    fn work(&self, line: &Line, scales: &[f64]) -> f64 {
        match self {
            Self::Interpolated(stretch) => stretch.work(),
            Self::Summed(range) => {
                let near = line.near(*range.end(), scales[*range.end()]);
                (range.end() - range.start() + 1) as f64 * near.len() as f64
            }
        }
    }

    /// `ln Z` of its data sets, and a bound on what its error has beside that of the distances in a sum.
    fn ln_totals(&self, line: &Line, scales: &[f64]) -> (Vec<f64>, f64) {
        match self {
            Self::Interpolated(stretch) => stretch.ln_totals(line, scales),
            Self::Summed(range) => {
                let mut room = Default::default();
                let sums = range.clone().map(|c| libm::log(line.total(c, scales[c], &mut room)));
                (sums.collect(), 0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::super::sums::error_of_total;
    use super::*;

    /// If this fails, a polynomial is farther from the sums than its bound. Scales have kinks, as smooth sensitivities do.
    #[test]
    fn stretches_are_as_near_to_the_sums_as_they_say() {
        let mut random = Random::new(32);
        let (mut largest, mut interpolated) = (0.0_f64, 0);
        for case in 0..60 {
            let alpha = if case % 2 == 0 { [1.0, 1.0] } else { [random.log_uniform(1e-3, 1e4), 2.5] };
            let n = 20_000 + random.below(60_000);
            let line = Line::new(alpha, n);
            let (scale, steep) = (random.log_uniform(0.05, 3_000.0), random.uniform(0.0, 1e-3));
            let scales: Vec<f64> = (0..=n as usize)
                .map(|c| if case % 3 == 0 { scale } else { scale * (1.0 + steep * (c % 977) as f64) })
                .collect();
            for part in parts(&line, 0..=n as usize, &scales) {
                let Part::Interpolated(stretch) = &part else { continue };
                let (found, bound) = part.ln_totals(&line, &scales);
                assert!(bound < 1e-7, "n {n} scale {scale}: {bound:e}");
                for _ in 0..3 {
                    let place = random.below(found.len() as u64) as usize;
                    let c = stretch.first() + place;
                    let total = line.total(c, scales[c], &mut Default::default());
                    let error = (found[place] - libm::log(total)).abs();
                    let allowed = bound + error_of_total(total, scales[c]);
                    largest = largest.max(error / allowed);
                    assert!(error <= allowed, "n {n} c {c} scale {scale}: {error:e} {allowed:e}");
                    interpolated += 1;
                }
            }
        }
        println!("largest error, as a part of what is allowed: {largest}; {interpolated} interpolations");
        assert!(interpolated > 500, "{interpolated} interpolations");
    }
}
