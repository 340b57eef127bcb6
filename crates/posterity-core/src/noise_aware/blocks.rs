//! Fourier sums over many steps and frequencies, block by block.

use crate::parallelism::Parallelism;
use crate::special::lanes::{dot, sum};

/// Within a block, cosines and sines are polynomials of the distance from its middle. For angles of at most one, this
/// many terms are off by less than `1/19! < 1e-17`.
const TERMS: usize = 19;

/// Shorter blocks gain nothing.
const SHORTEST: f64 = 4.0 * TERMS as f64;

/// For fewer frequencies, single steps are as quick.
const FEWEST: f64 = 2.0 * TERMS as f64;

/// How steps are divided into blocks, of which only the middles are looked up in tables of cosines and sines.
///
/// With c the middle of a block, `cos((c + d) t) = cos(ct) cos(dt) - sin(ct) sin(dt)`, and the same for the sine. With
/// blocks of one step that is all; longer ones take a few terms of the power series of `cos(dt)` and `sin(dt)`
/// (docs/proofs/tables.md, theorem 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    /// The steps of a block.
    length: usize,
    terms: usize,
}

/// Whether steps would be taken together, if this is the highest frequency and there are many.
pub(super) fn are_together(highest: f64) -> bool {
    2.0 / highest >= SHORTEST
}

impl Division {
    /// The quicker of single steps and long blocks, for this number of frequencies up to the highest one.
    pub(super) fn new(frequencies: f64, highest: f64) -> Self {
        if !are_together(highest) || frequencies < FEWEST {
            return Self { length: 1, terms: 1 };
        }
        let length = (2.0 / highest).floor();
        Self { length: length.min(f64::from(u32::MAX)) as usize, terms: TERMS }
    }

    /// The number of blocks into which this number of steps is divided.
    pub(super) fn blocks(self, steps: usize) -> usize {
        steps.div_ceil(self.length)
    }

    /// How many products a sum over one step takes, for this number of frequencies.
    pub(super) fn products(self, frequencies: f64) -> f64 {
        if self.length == 1 {
            return frequencies;
        }
        let terms = self.terms as f64;
        2.0 * terms + terms * frequencies / self.length as f64
    }

    fn middle(self, block: usize) -> usize {
        block * self.length + self.length / 2
    }

    /// The distances of the steps of a block from its middle, in units of half its length.
    fn distances(self) -> Vec<f64> {
        let half = (self.length / 2) as f64;
        (0..self.length).map(|place| (place as f64 - half) / half.max(1.0)).collect()
    }
}

/// Tables of `cos(t_k c)` and `sin(t_k c)` for the middles c of all blocks, at the frequencies `t_k = 2 pi k/period`,
/// `k = 1, 2, ..`.
#[derive(Debug)]
pub(super) struct Blocks {
    division: Division,
    frequencies: usize,
    /// For each block all frequencies.
    cosines: Vec<f64>,
    sines: Vec<f64>,
    /// `(h t_k)^j/j!` with h half a block, with the signs of the power series of cosine and sine; for each j all
    /// frequencies.
    powers: Vec<Vec<f64>>,
    /// `h t_k` at the highest frequency, at most one.
    widest_angle: f64,
    distances: Vec<f64>,
}

impl Blocks {
    pub(super) fn new(
        division: Division,
        steps: usize,
        frequencies: usize,
        period: usize,
        parallelism: Parallelism,
    ) -> Self {
        let at = |place: usize| {
            let angle = place as f64 / period as f64 * core::f64::consts::TAU;
            (libm::cos(angle), libm::sin(angle))
        };
        // The product of step and frequency is a whole number, so the angle is reduced exactly.
        let places =
            |block: usize| (1..=frequencies).map(move |k| division.middle(block) % period * k % period);
        let number = division.blocks(steps);
        let rows: Vec<(Vec<f64>, Vec<f64>)> = if period < number * frequencies {
            let circle = parallelism.map(0..period, at);
            parallelism.map(0..number, |block| places(block).map(|place| circle[place]).unzip())
        } else {
            parallelism.map(0..number, |block| places(block).map(at).unzip())
        };
        let (cosines, sines): (Vec<Vec<f64>>, Vec<Vec<f64>>) = rows.into_iter().unzip();
        let half = (division.length / 2) as f64;
        let angle = |k: usize| half * (k as f64 / period as f64 * core::f64::consts::TAU);
        let mut powers = vec![vec![1.0; frequencies]];
        for j in 1..division.terms {
            // The signs are + + - - and so on.
            let sign = if j % 2 == 0 { -1.0 } else { 1.0 };
            let next = powers[j - 1].iter().zip(1..).map(|(power, k)| sign * power * angle(k) / j as f64);
            powers.push(next.collect());
        }
        Self {
            division,
            frequencies,
            cosines: cosines.concat(),
            sines: sines.concat(),
            powers,
            widest_angle: angle(frequencies),
            distances: division.distances(),
        }
    }

    /// `sum_s even[s] cos(s t_k)` and `sum_s odd[s] sin(s t_k)` for all frequencies.
    pub(super) fn transform(&self, even: &[f64], odd: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut re, mut im) = (vec![0.0; self.frequencies], vec![0.0; self.frequencies]);
        // From the far end inwards, so that small terms are added first.
        for block in (0..self.division.blocks(even.len())).rev() {
            let steps = block * self.division.length..((block + 1) * self.division.length).min(even.len());
            let (cosines, sines) = self.tables(block);
            if self.division.terms == 1 {
                add_scaled(&mut re, even[block], cosines);
                add_scaled(&mut im, odd[block], sines);
                continue;
            }
            // Of both laws the terms with `cos(dt)` and those with `sin(dt)`.
            let parts = |weights: &[f64]| {
                let mut parts = [vec![0.0; self.frequencies], vec![0.0; self.frequencies]];
                for ((j, power), moment) in self.powers.iter().enumerate().zip(self.moments(weights)) {
                    add_scaled(&mut parts[j % 2], moment, power);
                }
                parts
            };
            let ([even_cosines, even_sines], [odd_cosines, odd_sines]) =
                (parts(&even[steps.clone()]), parts(&odd[steps]));
            for k in 0..self.frequencies {
                re[k] += cosines[k] * even_cosines[k] - sines[k] * even_sines[k];
                im[k] += sines[k] * odd_cosines[k] + cosines[k] * odd_sines[k];
            }
        }
        (re, im)
    }

    /// The cosines and sines of a block.
    fn tables(&self, block: usize) -> (&[f64], &[f64]) {
        let row = block * self.frequencies..(block + 1) * self.frequencies;
        (&self.cosines[row.clone()], &self.sines[row])
    }

    /// `sum_s weights[s] d_s^j` for all terms, with the distances d from the middle of a block.
    fn moments(&self, weights: &[f64]) -> Vec<f64> {
        let mut products = weights.to_vec();
        let mut moments = Vec::with_capacity(self.division.terms);
        for j in 0..self.division.terms {
            if j > 0 {
                products.iter_mut().zip(&self.distances).for_each(|(product, distance)| *product *= distance);
            }
            moments.push(sum(&products));
        }
        moments
    }

    /// A bound on the rounding of [`Blocks::transform`], in ulps, for a law whose mean step is `reach` and whose weights
    /// sum to one at most (docs/proofs/tables.md).
    pub(super) fn transform_ulps_up(&self, reach: f64) -> f64 {
        let Division { length, terms } = self.division;
        libm::exp(self.widest_angle) * (0.5 * (reach / length as f64 + (length + terms) as f64) + 12.0)
    }

    /// `sum_k cosine_part[k] cos(s t_k)` for each step s from 0 on, and `sum_k sine_part[k] sin(s t_k)`. There may be
    /// parts of fewer frequencies.
    pub(super) fn sums(&self, cosine_part: &[f64], sine_part: &[f64], steps: usize) -> (Vec<f64>, Vec<f64>) {
        if self.division.terms == 1 {
            let of = |block| {
                let (cosines, sines) = self.tables(block);
                (dot(cosine_part, cosines), dot(sine_part, sines))
            };
            return (0..steps).map(of).unzip();
        }
        let scaled = |parts: &[f64]| -> Vec<Vec<f64>> {
            let scale =
                |power: &Vec<f64>| power.iter().zip(parts).map(|(power, part)| power * part).collect();
            self.powers.iter().map(scale).collect()
        };
        let (of_cosines, of_sines) = (scaled(cosine_part), scaled(sine_part));
        let mut sums = (Vec::with_capacity(steps), Vec::with_capacity(steps));
        for block in 0..self.division.blocks(steps) {
            let (cosines, sines) = self.tables(block);
            // The coefficients of the powers of the distance from the middle.
            let (mut first, mut second) = ([0.0; TERMS], [0.0; TERMS]);
            for (j, (of_cosines, of_sines)) in of_cosines.iter().zip(&of_sines).enumerate() {
                (first[j], second[j]) = if j % 2 == 0 {
                    (dot(of_cosines, cosines), dot(of_sines, sines))
                } else {
                    (-dot(of_cosines, sines), dot(of_sines, cosines))
                };
            }
            let left = steps - block * self.division.length;
            let here = &self.distances[..left.min(self.distances.len())];
            polynomials(&first, here, &mut sums.0);
            polynomials(&second, here, &mut sums.1);
        }
        sums
    }

    /// A bound on the rounding of [`Blocks::sums`] over this number of frequencies, in ulps of the sum of the sizes of
    /// all parts.
    pub(super) fn sums_ulps_up(&self, used: usize) -> f64 {
        libm::exp(self.widest_angle) * (10.0 + used as f64 + 3.0 * (self.division.terms - 1) as f64)
    }
}

fn add_scaled(sums: &mut [f64], factor: f64, values: &[f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

/// `sum_j coefficients[j] x^j` for each x.
fn polynomials(coefficients: &[f64; TERMS], points: &[f64], values: &mut Vec<f64>) {
    /// The number of points whose sums do not wait for each other.
    const LANES: usize = 4;
    let (groups, rest) = points.as_chunks::<LANES>();
    for group in groups {
        let mut sums = [0.0; LANES];
        for coefficient in coefficients.iter().rev() {
            for lane in 0..LANES {
                sums[lane] = sums[lane] * group[lane] + coefficient;
            }
        }
        values.extend_from_slice(&sums);
    }
    values.extend(
        rest.iter().map(|x| coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: usize = 4_001;
    const STEPS: usize = 950;

    fn both() -> [Blocks; 2] {
        let single = Division { length: 1, terms: 1 };
        let long = Division::new(100.0, core::f64::consts::TAU * 7.0 / PERIOD as f64);
        assert!(long.length > 100 && long.terms == TERMS, "{long:?}");
        [single, long].map(|division| Blocks::new(division, STEPS, 7, PERIOD, Parallelism::OneThread))
    }

    fn angle(step: usize, k: usize) -> f64 {
        core::f64::consts::TAU * ((step * k) % PERIOD) as f64 / PERIOD as f64
    }

    /// If this fails, a characteristic function is wrong, or farther off than its bound says.
    #[test]
    fn transforms_are_the_sums_of_their_definition() {
        let even: Vec<f64> = (0..STEPS).map(|step| libm::exp(-0.01 * step as f64) * 0.009_9).collect();
        let odd: Vec<f64> =
            even.iter().enumerate().map(|(step, p)| p * ((step % 7) as f64 / 7.0 - 0.4)).collect();
        let reach: f64 = even.iter().enumerate().map(|(step, p)| step as f64 * p).sum();
        for blocks in both() {
            let (re, im) = blocks.transform(&even, &odd);
            for k in 1..=7 {
                let of = |weights: &[f64], wave: fn(f64) -> f64| -> f64 {
                    weights.iter().enumerate().map(|(step, p)| p * wave(angle(step, k))).sum()
                };
                let bound = 2.0 * f64::EPSILON * blocks.transform_ulps_up(reach);
                assert!((re[k - 1] - of(&even, libm::cos)).abs() <= bound, "{k} {:?}", blocks.division);
                assert!((im[k - 1] - of(&odd, libm::sin)).abs() <= bound, "{k} {:?}", blocks.division);
            }
        }
    }

    /// If this fails, the law of a sum is wrong, or farther off than its bound says.
    #[test]
    fn sums_are_those_of_their_definition() {
        let parts: (Vec<f64>, Vec<f64>) =
            ([0.9, -0.5, 0.3, 0.2, -0.1].into(), [0.1, 0.4, -0.3, 0.6, 0.2].into());
        let sizes: f64 = parts.0.iter().chain(&parts.1).map(|part| part.abs()).sum();
        for blocks in both() {
            let (cosines, sines) = blocks.sums(&parts.0, &parts.1, STEPS);
            assert_eq!((cosines.len(), sines.len()), (STEPS, STEPS));
            let bound = f64::EPSILON * sizes * (blocks.sums_ulps_up(5) + 5.0);
            for (step, found) in cosines.into_iter().zip(sines).enumerate() {
                let of = |parts: &[f64], wave: fn(f64) -> f64| -> f64 {
                    parts.iter().zip(1..).map(|(part, k)| part * wave(angle(step, k))).sum()
                };
                assert!((found.0 - of(&parts.0, libm::cos)).abs() <= bound, "{step} {:?}", blocks.division);
                assert!((found.1 - of(&parts.1, libm::sin)).abs() <= bound, "{step} {:?}", blocks.division);
            }
        }
    }
}
