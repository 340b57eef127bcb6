//! Laws of sums of very many counts, by their characteristic functions.

use rustfft::num_complex::Complex;

use super::blocks::{Blocks, Division, are_together};
use super::mass::{Mass, Transforms, transform_size};
use crate::parallelism::Parallelism;
use crate::special::Sum;
use crate::special::lanes::{sum, sum_by_place, sum_of_pairs};

/// The law of one kind of count, around an anchor: `even[s] = p(anchor + s) + p(anchor - s)` and
/// `odd[s] = p(anchor + s) - p(anchor - s)`, with `even[0] = p(anchor)`.
#[derive(Clone, Debug)]
struct Folded {
    anchor: u64,
    even: Vec<f64>,
    odd: Vec<f64>,
    /// `E abs(c - anchor)`, which bounds the rounding of sums over the law.
    reach: f64,
    /// The steps after these weigh less than half an ulp of one together.
    felt: usize,
}

impl Folded {
    fn new(mass: &Mass) -> Self {
        let largest = mode(&mass.values);
        let anchor = mass.start + largest as u64;
        let (down, up) = (&mass.values[..largest], &mass.values[largest + 1..]);
        let (both, steps) = (down.len().min(up.len()), down.len().max(up.len()));
        let (mut even, mut odd) = (Vec::with_capacity(steps + 1), Vec::with_capacity(steps + 1));
        even.push(mass.values[largest]);
        odd.push(0.0);
        let pairs = || up[..both].iter().zip(down.iter().rev());
        even.extend(pairs().map(|(up, down)| up + down));
        odd.extend(pairs().map(|(up, down)| up - down));
        // At most one side has more.
        even.extend(up[both..].iter().chain(down[..down.len() - both].iter().rev()));
        odd.extend(
            up[both..].iter().copied().chain(down[..down.len() - both].iter().rev().map(|down| -down)),
        );
        let reach = sum_by_place(0.0, &even, |step, weight| step * weight);
        let mut tail = 0.0;
        let unfelt = even.iter().rev().take_while(|weight| {
            tail += **weight;
            tail <= 0.5 * f64::EPSILON
        });
        let felt = even.len() - unfelt.count();
        Self { anchor, even, odd, reach, felt }
    }
}

/// The law of the sum of many independent counts, at the frequencies `2 pi k/period`, and what is needed to leave one
/// count out of it.
///
/// `R(x) = (1/period) sum_k Phi(t_k) / phi(t_k) exp(-i t_k x)` over all k is the sum of the laws of the other counts at
/// `x`, `x + period`, `x - period` and so on. The period is so long that all but the first are negligible (Chernoff's
/// bound), and frequencies whose terms are negligible are left out (docs/proofs/tables.md, theorem 3).
#[derive(Debug)]
pub(crate) struct Waves {
    kinds: Vec<Folded>,
    period: f64,
    blocks: Blocks,
    /// The characteristic function of each kind: real and imaginary parts, frequencies from 1 on.
    phases: Vec<(Vec<f64>, Vec<f64>)>,
    /// The product over all cells, turned by the sum that is wanted.
    whole: (Vec<f64>, Vec<f64>),
    /// A bound on the relative error of the product at each frequency.
    errors: Vec<f64>,
    /// A bound on what other periods and the frequencies that are left out contribute to the sum of all counts.
    beyond: f64,
    /// A bound on what they contribute to the sum without one count.
    beyond_without: f64,
    /// The mean of the sum, a distance from it, and a bound on the probability that the sum is farther away.
    mean: f64,
    reach: f64,
    unlikely: f64,
}

/// The product of all characteristic functions at one frequency.
struct Product {
    /// Its real and its imaginary part.
    value: (f64, f64),
    /// Its size, and a bound on it.
    amount: f64,
    amount_up: f64,
    /// A bound on its relative error.
    error: f64,
    /// The least size of a factor.
    least: f64,
}

/// What the law of a sum is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// [`Waves::without`], near the total only.
    LeaveOneOut,
    /// [`Waves::sum`], everywhere.
    Sum,
}

/// A probability of `exp(-LEFT_OUT_EXPONENT)` may be left out.
const LEFT_OUT_EXPONENT: f64 = 52.0;

/// The most entries of the tables of cosines and sines.
const LARGEST: f64 = 3e7;

/// An entry of these tables takes about as long as this many terms of a sum.
const ENTRY: f64 = 20.0;

/// A product of characteristic functions does not matter if it is smaller than this.
const UNFELT: f64 = 1e-22;

/// The error of a factor is divided by its square when its count is left out. Where the product divided by that square is
/// above this, digits are lost.
const MOST_LOST: f64 = 50.0;

impl Waves {
    /// The sum of `cells[i]` counts of each law, near `total`; nothing if the sum is not one of so many similar counts
    /// that this is precise and takes at most so many terms of sums.
    pub(crate) fn new(
        laws: &[Mass],
        cells: &[u64],
        total: u64,
        purpose: Purpose,
        most_terms: f64,
        parallelism: Parallelism,
    ) -> Option<Self> {
        let kinds = parallelism.map(laws, Folded::new);
        let spread = Spread::new(laws, cells, parallelism);
        let widest = kinds.iter().map(|kind| kind.even.len()).max()?;
        let anchors: u128 =
            kinds.iter().zip(cells).map(|(kind, &cells)| u128::from(kind.anchor) * u128::from(cells)).sum();
        let wanted = i128::from(total) - i128::try_from(anchors).ok()?;
        // From the mean of the sum to what is left for any other count.
        let away = (spread.mean - total as f64).abs() + widest as f64 + spread.largest_shift;
        let (reach, beyond) = spread.chernoff(laws, cells, parallelism)?;
        let period = match purpose {
            Purpose::LeaveOneOut => (reach + away + 1.0).ceil(),
            // Every place within the reach of the mean is wanted, and the next period must be beyond the reach of it.
            Purpose::Sum => transform_size((2.0 * (reach + away) + 2.0).ceil() as usize) as f64,
        };
        let (highest, beyond_frequencies) = spread.highest_frequency(laws, cells, parallelism)?;
        let step = core::f64::consts::TAU / period;
        let frequencies = (highest / step).ceil().max(1.0);
        let division = Division::new(frequencies, frequencies * step);
        let entries = frequencies * division.blocks(widest) as f64;
        if entries > LARGEST || frequencies >= 0.5 * period {
            return None;
        }
        // At every frequency the transform of each law and, where the product matters, about half of them, a value for
        // each of its counts.
        let terms = kinds.iter().map(|kind| kind.felt as f64 + 0.5 * kind.even.len() as f64).sum::<f64>();
        if division.products(frequencies) * terms + ENTRY * entries > most_terms {
            return None;
        }
        let blocks = Blocks::new(division, widest, frequencies as usize, period as usize, parallelism);
        let phases =
            parallelism.map(&kinds, |kind| blocks.transform(&kind.even[..kind.felt], &kind.odd[..kind.felt]));
        let mut waves = Self {
            kinds,
            period,
            blocks,
            phases,
            whole: (Vec::new(), Vec::new()),
            errors: Vec::new(),
            beyond: beyond + beyond_frequencies,
            beyond_without: beyond + beyond_frequencies,
            mean: spread.mean,
            reach,
            unlikely: beyond,
        };
        waves.multiply(cells, wanted, purpose, parallelism)?;
        Some(waves)
    }

    /// The product of all characteristic functions, and how many frequencies matter.
    fn multiply(
        &mut self,
        cells: &[u64],
        wanted: i128,
        purpose: Purpose,
        parallelism: Parallelism,
    ) -> Option<()> {
        let turn = wanted.rem_euclid(self.period as i128) as f64 / self.period;
        let all = parallelism.map(0..self.phases[0].0.len(), |k| self.product(k, cells, turn));
        let last = all.iter().rposition(|product| product.amount > UNFELT).map_or(0, |place| place + 1);
        // No quotient is larger than the product divided by the least factor. Where no count is left out, nothing is
        // divided.
        let least = |product: &Product| if purpose == Purpose::Sum { 1.0 } else { product.least };
        if all[..last].iter().any(|one| one.amount > MOST_LOST * least(one) * least(one)) {
            return None;
        }
        // Terms after the last that matters are bounded by their sizes. A factor may be zero.
        let rest = |divisor: &dyn Fn(&Product) -> f64| -> f64 {
            let sum: f64 = all[last..].iter().map(|one| 2.0 * one.amount_up / divisor(one)).sum();
            if sum.is_nan() { f64::INFINITY } else { 2.0 * sum / self.period }
        };
        let (beyond, beyond_without) = (rest(&|_| 1.0), rest(&|one| one.least));
        if purpose == Purpose::LeaveOneOut && beyond_without == f64::INFINITY {
            return None;
        }
        self.beyond += beyond;
        self.beyond_without += beyond_without;
        self.whole = all[..last].iter().map(|one| one.value).unzip();
        self.errors = all[..last].iter().map(|one| one.error).collect();
        Some(())
    }

    /// The product of all characteristic functions at one frequency.
    fn product(&self, k: usize, cells: &[u64], turn: f64) -> Product {
        let (mut ln, mut angle, mut error) = (Sum::default(), Sum::default(), 0.0);
        let (mut size, mut least, mut ln_growth) = (0.0, f64::INFINITY, 0.0);
        for ((re, im), (kind, &cells)) in self.phases.iter().zip(self.kinds.iter().zip(cells)) {
            let (re, im, cells) = (re[k], im[k], cells as f64);
            let norm = re * re + im * im;
            let (part, turned) = (0.5 * cells * libm::log(norm), cells * libm::atan2(im, re));
            ln.add(part);
            angle.add(turned);
            size += part.abs() + turned.abs();
            let ulps = self.blocks.transform_ulps_up(kind.reach) / libm::sqrt(norm);
            error += cells * ulps;
            ln_growth += cells * ln_growth_up(f64::EPSILON * ulps);
            least = norm.min(least);
        }
        let amount = libm::exp(ln.value());
        let angle = angle.value() - core::f64::consts::TAU * ((turn * (k + 1) as f64) % 1.0);
        Product {
            value: (amount * libm::cos(angle), amount * libm::sin(angle)),
            amount,
            amount_up: 1.001 * amount * libm::exp(ln_growth),
            error: f64::EPSILON * (error + 4.0 * size + 8.0),
            least: libm::sqrt(least),
        }
    }

    /// The law of the sum of all counts but one of a kind, at `total - c` for every count c of its law, and a bound on
    /// the error of each.
    pub(crate) fn without(&self, kind: usize, law: &Mass) -> (Vec<f64>, f64) {
        let folded = &self.kinds[kind];
        let (re, im) = &self.phases[kind];
        let used = self.whole.0.len();
        let (mut cosine_part, mut sine_part) = (Vec::with_capacity(used), Vec::with_capacity(used));
        let mut error = 0.0;
        for k in 0..used {
            let norm = re[k] * re[k] + im[k] * im[k];
            let (a, b) = (self.whole.0[k], self.whole.1[k]);
            // The quotient of two complex numbers.
            let (x, y) = ((a * re[k] + b * im[k]) / norm, (b * re[k] - a * im[k]) / norm);
            error +=
                2.0 * libm::hypot(x, y) * (self.errors[k] + self.blocks.sums_ulps_up(used) * f64::EPSILON);
            cosine_part.push(x);
            sine_part.push(y);
        }
        let (cosines, sines) = self.blocks.sums(&cosine_part, &sine_part, folded.even.len());
        let value = |sum: f64| ((1.0 + 2.0 * sum) / self.period).max(0.0);
        let (before, after) = ((folded.anchor - law.start) as usize, (law.end() - folded.anchor) as usize);
        let mut values = Vec::with_capacity(law.values.len());
        let down = cosines[..=before].iter().zip(&sines[..=before]).skip(1).rev();
        values.extend(down.map(|(cosine, sine)| value(cosine + sine)));
        let up = cosines[..=after].iter().zip(&sines[..=after]);
        values.extend(up.map(|(cosine, sine)| value(cosine - sine)));
        (values, (error + 4.0 * f64::EPSILON) / self.period + self.beyond_without)
    }
}

impl Waves {
    /// The mean of the sum, a distance from it, and a bound on the probability that the sum is farther away.
    pub(crate) fn reach_up(&self) -> (f64, f64, f64) {
        (self.mean, self.reach, self.unlikely)
    }

    /// Adds a count that is as uncertain as the sum, whose law has weights within the reach of `total - sum` only.
    /// After this, [`Waves::without`] leaves out one of the other counts, where all sum to `total`. `before` is the
    /// number that the sum was turned by. It must have been made for [`Purpose::Sum`], whose period is long enough for
    /// both.
    pub(crate) fn add(&mut self, wide: &Mass, before: u64, total: u64, transforms: &Transforms) {
        let length = self.period as usize;
        let mut buffer = vec![Complex::new(0.0, 0.0); length];
        for (place, &value) in wide.values.iter().enumerate() {
            buffer[place % length].re += value;
        }
        let norm = libm::sqrt(buffer.iter().map(|value| value.norm_sqr()).sum());
        transforms.forward(&mut buffer);
        let error = transform_error_up(length, norm) + f64::EPSILON;
        let shift = i128::from(total) - i128::from(wide.start) - i128::from(before);
        let (real, imaginary) = &mut self.whole;
        for (k, (re, im)) in real.iter_mut().zip(imaginary.iter_mut()).enumerate() {
            // The transform has the opposite sign. A value below its error is replaced by that error.
            let mut factor = buffer[k + 1].conj();
            if factor.norm() < error {
                factor = Complex::new(error, 0.0);
            }
            let turned = (shift * (k as i128 + 1)).rem_euclid(length as i128) as f64 / self.period;
            let angle = -core::f64::consts::TAU * turned;
            let product = Complex::new(*re, *im) * factor * Complex::new(libm::cos(angle), libm::sin(angle));
            (*re, *im) = (product.re, product.im);
            self.errors[k] = 2.0 * (self.errors[k] + 3.0 * error / factor.norm() + 8.0 * f64::EPSILON);
        }
    }

    /// The law of the sum of all counts, as far as it is not negligible, where `total` is the number that the sum was
    /// turned by.
    pub(crate) fn sum(&self, total: u64, transforms: &Transforms) -> Mass {
        let length = self.period as usize;
        let mut buffer = vec![Complex::new(0.0, 0.0); length];
        buffer[0].re = 1.0;
        let mut error = 0.0;
        for (k, (&re, &im)) in self.whole.0.iter().zip(&self.whole.1).enumerate() {
            buffer[k + 1] = Complex::new(re, im);
            buffer[length - k - 1] = Complex::new(re, -im);
            error += 2.0 * libm::hypot(re, im) * self.errors[k];
        }
        let norm = libm::sqrt(buffer.iter().map(|value| value.norm_sqr()).sum());
        transforms.forward(&mut buffer);
        let rounding = transform_error_up(length, norm);
        // Half of a period below the total, and half above; nothing below zero.
        let below = (length as u64 / 2).min(total);
        let values = (0..length as u64 - (length as u64 / 2 - below)).map(|place| {
            let index = (place as i64 - below as i64).rem_euclid(length as i64) as usize;
            (buffer[index].re / self.period).max(0.0)
        });
        let values: Vec<f64> = values.collect();
        let error = (error + rounding + 4.0 * f64::EPSILON) / self.period + self.beyond;
        Mass { error, lost: self.beyond, ..Mass::new(total - below, values) }
    }
}

/// A bound on `ln(1 + error)`, which costs a logarithm only where the error is large.
fn ln_growth_up(error: f64) -> f64 {
    if error < 1e-3 { error } else { libm::log1p(error) }
}

/// A bound on the error of each value of a transform of this length, given the norm of what is transformed. As in a
/// convolution, it is a few ulps of the norm for each layer.
fn transform_error_up(length: usize, norm: f64) -> f64 {
    let layers = libm::log2(length as f64) + 2.0;
    16.0 * f64::EPSILON * layers * norm * libm::sqrt(length as f64)
}

/// How far the sum of many counts spreads.
struct Spread {
    mean: f64,
    variance: f64,
    /// The largest distance between the mean and the mode of a law.
    largest_shift: f64,
    means: Vec<f64>,
    /// For each law, `sum_c abs(p(c) - p(c-1))`, rounded up.
    variations: Vec<f64>,
}

/// What is known of one law, with counts from its first one on.
struct OfLaw {
    mean: f64,
    variance: f64,
    shift: f64,
    variation: f64,
}

impl Spread {
    fn new(laws: &[Mass], cells: &[u64], parallelism: Parallelism) -> Self {
        let of_laws = parallelism.map(laws, |law| {
            let mean = sum_by_place(0.0, &law.values, |place, p| place * p);
            let variance = sum_by_place(-mean, &law.values, |away, p| away * away * p);
            OfLaw {
                mean,
                variance,
                shift: (mean - mode(&law.values) as f64).abs(),
                variation: variation_up(&law.values),
            }
        });
        let weigh = |value: &dyn Fn(&OfLaw) -> f64| -> f64 {
            of_laws.iter().zip(cells).map(|(law, &cells)| cells as f64 * value(law)).collect::<Sum>().value()
        };
        let starts: f64 = laws.iter().zip(cells).map(|(law, &cells)| law.start as f64 * cells as f64).sum();
        Self {
            mean: starts + weigh(&|law| law.mean),
            variance: weigh(&|law| law.variance),
            largest_shift: of_laws.iter().map(|law| law.shift).fold(0.0, f64::max),
            means: of_laws.iter().map(|law| law.mean).collect(),
            variations: of_laws.iter().map(|law| law.variation).collect(),
        }
    }

    /// A distance from the mean that the sum exceeds with at most the second probability (Chernoff 1952). It holds too
    /// for the sum without one count, because the moment generating function of a centred count is at least one.
    fn chernoff(&self, laws: &[Mass], cells: &[u64], parallelism: Parallelism) -> Option<(f64, f64)> {
        if self.variance <= 0.0 {
            return None;
        }
        let best = libm::sqrt(2.0 * LEFT_OUT_EXPONENT / self.variance);
        // The powers below begin at `exp(-best mean)`, which must not vanish.
        if self.means.iter().any(|mean| best * mean > FARTHEST_MEAN) {
            return None;
        }
        // The cast saturates.
        let length = (LONGEST_CHORD / best) as usize + 1;
        let chords = parallelism.map(laws, |law| chords(&law.values, length));
        let bound = |tilt: f64| -> f64 {
            let (ratio, across) = (libm::exp(tilt * length as f64), libm::exp(tilt * (length - 1) as f64));
            let logs = parallelism.map(0..laws.len(), |kind| {
                // The powers are products, whose error is far below the slack that is added to the reach.
                let mut power = libm::exp(-tilt * self.means[kind]);
                let mut sum = 0.0;
                for &[first, last] in &chords[kind] {
                    let weight = first + last * across;
                    // Far out the power may be infinite; a weight of zero times that is nothing.
                    if weight > 0.0 {
                        sum += weight * power;
                    }
                    power *= ratio;
                }
                cells[kind] as f64 * libm::log(sum)
            });
            logs.iter().sum::<f64>()
        };
        let reach = |sign: f64| {
            let of = |tilt: f64| (bound(sign * tilt) + LEFT_OUT_EXPONENT) / tilt;
            [best, 0.5 * best].map(of).into_iter().fold(f64::INFINITY, f64::min)
        };
        let reach = 1.001 * reach(1.0).max(reach(-1.0));
        reach.is_finite().then(|| (reach, 4.0 * libm::exp(-LEFT_OUT_EXPONENT)))
    }

    /// A frequency beyond which the characteristic function of the sum without one count is negligible, and a bound on
    /// what is left out there, over all frequencies and divided by the period.
    fn highest_frequency(
        &self,
        laws: &[Mass],
        cells: &[u64],
        parallelism: Parallelism,
    ) -> Option<(f64, f64)> {
        let by_variations = self.highest_by_variations(cells);
        // Where steps are taken together, more frequencies cost less than looking for pairs.
        if by_variations.is_some_and(|(highest, _)| are_together(highest)) {
            return by_variations;
        }
        let of_laws = parallelism.map(laws, |law| paired(&law.values));
        let longest = of_laws.iter().map(Vec::len).max().unwrap_or(0);
        let pairs = (0..longest).map(|place| {
            let weights = of_laws.iter().map(|pairs| pairs.get(place).copied().unwrap_or(0.0));
            weights.zip(cells).map(|(weight, &cells)| cells as f64 * weight).collect::<Sum>().value()
        });
        let by_pairs = highest_by_pairs(&pairs.collect::<Vec<f64>>());
        let both = by_pairs.into_iter().chain(by_variations);
        both.reduce(|one, other| if other.0 < one.0 { other } else { one })
    }

    /// If the weights of a law go up and down by V in all, `abs(phi(t)) <= V/(2 sin(t/2))`: summation by parts. Wide
    /// laws fall fast by this bound, so that it does for fewer counts than that of pairs.
    fn highest_by_variations(&self, cells: &[u64]) -> Option<(f64, f64)> {
        let ln_up = |frequency: f64| {
            let size = 2.0 * libm::sin(0.5 * frequency);
            // The count that is left out may be the one with the smallest factor.
            let (mut sum, mut smallest) = (0.0, 0.0_f64);
            for (&variation, &cells) in self.variations.iter().zip(cells) {
                let one = libm::log(variation / size).min(0.0);
                sum += cells as f64 * one;
                smallest = smallest.min(one);
            }
            sum - smallest
        };
        let (mut low, mut high) = (0.0, core::f64::consts::PI);
        if ln_up(high) > -LEFT_OUT_EXPONENT {
            return None;
        }
        // The bound falls from frequency zero to pi.
        while high - low > 1e-3 * high {
            let middle = 0.5 * (low + high);
            if ln_up(middle) > -LEFT_OUT_EXPONENT {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some((high, libm::exp(-LEFT_OUT_EXPONENT)))
    }
}

/// A frequency beyond which the characteristic function is negligible, from the sums over all counts of the weights of their
/// pairs at the distances 1, 2, 4 and so on. If a law has pairs at a distance d of total weight q,
/// `abs(phi(t)) <= 1 - q (1 - abs(cos(d t/2)))`.
fn highest_by_pairs(pairs: &[f64]) -> Option<(f64, f64)> {
    let pi = core::f64::consts::PI;
    let distances = std::iter::successors(Some(1.0), |distance| Some(2.0 * distance));
    let (mut beyond, mut found) = (0.0, None);
    for (distance, pairs) in distances.zip(pairs) {
        // The frequencies from pi/(2 d) to pi/d are those of the distance d.
        let (low, high) = (0.5 * pi / distance, pi / distance);
        let exponent = (pairs - 1.0).max(0.0) * (1.0 - libm::cos(0.5 * distance * low));
        if exponent < LEFT_OUT_EXPONENT {
            break;
        }
        beyond += libm::exp(-exponent);
        // Within this octave or below, the frequency at which the bound is reached.
        let least = LEFT_OUT_EXPONENT / (pairs - 1.0);
        let from = 2.0 / distance * libm::acos((1.0 - least).clamp(-1.0, 1.0));
        found = Some(f64::min(found.unwrap_or(high), from));
    }
    // Each octave has a share of all frequencies, so the sum over them divided by the period is at most the bound.
    Some((found?, beyond + libm::exp(-LEFT_OUT_EXPONENT)))
}

/// The smallest positive number is about `exp(-744)`.
const FARTHEST_MEAN: f64 = 700.0;

/// The exponential function may grow by a factor of `exp(LONGEST_CHORD)` along a chord.
const LONGEST_CHORD: f64 = 0.05;

/// For each run of this number of weights, weights for its first and last place that together have the same sum and
/// mean. An exponential function is convex, so that these weights give it at least the same sum.
fn chords(values: &[f64], length: usize) -> Vec<[f64; 2]> {
    let chord = |weights: &[f64]| {
        let last = sum_by_place(0.0, weights, |place, weight| place * weight) / (length.max(2) - 1) as f64;
        [(sum(weights) - last).max(0.0), last]
    };
    values.chunks(length).map(chord).collect()
}

/// The place of the largest weight; the last one of equals.
fn mode(values: &[f64]) -> usize {
    let mut found = 0;
    for (place, value) in values.iter().enumerate() {
        if *value >= values[found] {
            found = place;
        }
    }
    found
}

/// `sum_c abs(p(c) - p(c-1))` over all counts, rounded up.
fn variation_up(values: &[f64]) -> f64 {
    let inner = sum_of_pairs(values.get(1..).unwrap_or_default(), values, |next, value| (next - value).abs());
    let ends = values.first().unwrap_or(&0.0) + values.last().unwrap_or(&0.0);
    (inner + ends) * (1.0 + 1e-9)
}

/// The weight of pairs at the distances 1, 2, 4 and so on: twice the sum of the smaller of both weights, over disjoint
/// pairs.
fn paired(values: &[f64]) -> Vec<f64> {
    let mut found = Vec::new();
    let mut distance = 1;
    while distance < values.len().max(2) && found.len() < 24 {
        let blocks = values.chunks(2 * distance);
        let sum: f64 = blocks
            .filter(|block| block.len() > distance)
            .map(|block| {
                let (low, high) = block.split_at(distance);
                sum_of_pairs(high, low, |high, low| if low < high { low } else { high })
            })
            .sum();
        found.push(2.0 * sum);
        distance *= 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the sum of many counts by waves is not their convolution, or its error is larger than stated.
    #[test]
    fn sums_of_many_counts_are_convolutions() {
        let law = |at: u64| {
            let distance = |count: u64| count.abs_diff(at) as f64;
            let raw = (0..=at + 112).map(|count| libm::exp(-0.5 * distance(count) - 0.05 * count as f64));
            let raw: Vec<f64> = raw.collect();
            let total: f64 = raw.iter().sum();
            Mass::new(0, raw.iter().map(|value| value / total).collect())
        };
        let laws: Vec<Mass> = [0, 1, 2, 4, 8, 9, 13, 15, 16].map(law).into();
        let cells = [30, 59, 59, 59, 59, 58, 58, 59, 59];
        let mean =
            |law: &Mass| law.values.iter().zip(0_u64..).map(|(p, count)| p * count as f64).sum::<f64>();
        let total: f64 = laws.iter().zip(&cells).map(|(law, &number)| number as f64 * mean(law)).sum();
        let total = total.round() as u64;
        let transforms = Transforms::default();
        let waves = Waves::new(&laws, &cells, total, Purpose::Sum, f64::INFINITY, Parallelism::OneThread)
            .expect("many");
        let found = waves.sum(total, &transforms);
        let mut expected = Mass::new(0, vec![1.0]);
        for (law, &number) in laws.iter().zip(&cells) {
            for _ in 0..number {
                expected = expected.convolve(law, 0, u64::MAX, &transforms).trimmed();
            }
        }
        let bound = found.error + expected.error + 1e-15;
        for sum in found.start.min(expected.start)..=found.end().max(expected.end()) {
            let difference = (found.at(sum) - expected.at(sum)).abs();
            assert!(difference <= bound, "{sum}: {} {} {bound}", found.at(sum), expected.at(sum));
        }
        assert!(found.error < 1e-13, "{}", found.error);
    }
}
