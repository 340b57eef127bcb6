//! Laws of sums of very many counts, by their characteristic functions.

use rustfft::num_complex::Complex;

use super::mass::{Mass, Transforms};
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// The law of one kind of count, around an anchor: `even[s] = p(anchor + s) + p(anchor - s)` and
/// `odd[s] = p(anchor + s) - p(anchor - s)`, with `even[0] = p(anchor)`.
#[derive(Clone, Debug)]
struct Folded {
    anchor: u64,
    even: Vec<f64>,
    odd: Vec<f64>,
    /// `E abs(c - anchor)`, which bounds the rounding of sums over the law.
    reach: f64,
}

impl Folded {
    fn new(mass: &Mass) -> Self {
        let largest =
            mass.values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(index, _)| index);
        let anchor = mass.start + largest as u64;
        let steps = largest.max(mass.values.len() - 1 - largest);
        let at =
            |index: Option<usize>| index.and_then(|index| mass.values.get(index)).copied().unwrap_or(0.0);
        let (mut even, mut odd) = (Vec::with_capacity(steps + 1), Vec::with_capacity(steps + 1));
        even.push(at(Some(largest)));
        odd.push(0.0);
        for step in 1..=steps {
            let (up, down) = (at(largest.checked_add(step)), at(largest.checked_sub(step)));
            even.push(up + down);
            odd.push(up - down);
        }
        let reach = even.iter().enumerate().map(|(step, weight)| step as f64 * weight).sum();
        Self { anchor, even, odd, reach }
    }
}

/// The law of the sum of many independent counts, at the frequencies `2 pi k/period`, and what is needed to leave one count
/// out of it.
///
/// `R(x) = (1/period) sum_k Phi(t_k) / phi(t_k) exp(-i t_k x)` over all k is the sum of the laws of the other counts at `x`,
/// `x + period`, `x - period` and so on. The period is so long that all but the first are negligible (Chernoff's bound), and
/// frequencies whose terms are negligible are left out (docs/proofs/tables.md, theorem 3).
#[derive(Debug)]
pub(crate) struct Waves {
    kinds: Vec<Folded>,
    period: f64,
    /// `cos(t_k s)` and `sin(t_k s)`, for each step s all frequencies from 1 on.
    cosines: Vec<f64>,
    sines: Vec<f64>,
    frequencies: usize,
    /// The characteristic function of each kind: real and imaginary parts, frequencies from 1 on.
    phases: Vec<(Vec<f64>, Vec<f64>)>,
    /// The product over all cells, turned by the sum that is wanted.
    whole: (Vec<f64>, Vec<f64>),
    /// A bound on the relative error of the product at each frequency.
    errors: Vec<f64>,
    /// A bound on what other periods and the frequencies that are left out contribute.
    beyond: f64,
}

/// What may be left out: `exp(-LEAST)`.
const LEAST: f64 = 62.0;

/// The most entries of the tables of cosines and sines.
const LARGEST: f64 = 3e7;

impl Waves {
    /// The sum of `cells[i]` counts of each law, near `total`; nothing if the sum is not one of so many similar counts that this
    /// is quick and precise.
    pub(crate) fn new(laws: &[Mass], cells: &[u64], total: u64, parallelism: Parallelism) -> Option<Self> {
        let kinds = parallelism.map(laws, Folded::new);
        let spread = Spread::new(laws, cells, parallelism);
        let widest = kinds.iter().map(|kind| kind.even.len()).max()?;
        let anchors: u128 =
            kinds.iter().zip(cells).map(|(kind, &cells)| u128::from(kind.anchor) * u128::from(cells)).sum();
        let wanted = i128::from(total) - i128::try_from(anchors).ok()?;
        // From the mean of the sum to what is left for any other count.
        let away = (spread.mean - total as f64).abs() + widest as f64 + spread.largest_shift;
        let (reach, beyond) = spread.chernoff(laws, cells, parallelism)?;
        let period = (reach + away + 1.0).ceil();
        let (highest, beyond_frequencies) = spread.highest_frequency()?;
        let step = core::f64::consts::TAU / period;
        let frequencies = (highest / step).ceil().max(1.0);
        if frequencies * widest as f64 > LARGEST || frequencies >= 0.5 * period {
            return None;
        }
        let frequencies = frequencies as usize;
        let (mut cosines, mut sines) = (Vec::new(), Vec::new());
        let tables = parallelism.map(0..widest, |s| {
            // The product is a whole number, so the angle is reduced exactly.
            let angle = |k: usize| ((s * k) as f64 % period) / period * core::f64::consts::TAU;
            (1..=frequencies)
                .map(|k| (libm::cos(angle(k)), libm::sin(angle(k))))
                .unzip::<f64, f64, Vec<f64>, Vec<f64>>()
        });
        for (cosine, sine) in tables {
            cosines.extend(cosine);
            sines.extend(sine);
        }
        let phases = parallelism.map(&kinds, |kind| transform(kind, &cosines, &sines, frequencies));
        let mut waves = Self {
            kinds,
            period,
            cosines,
            sines,
            frequencies,
            phases,
            whole: (Vec::new(), Vec::new()),
            errors: Vec::new(),
            beyond: beyond + beyond_frequencies,
        };
        waves.multiply(cells, wanted)?;
        Some(waves)
    }

    /// The product of all characteristic functions, and how many frequencies matter.
    fn multiply(&mut self, cells: &[u64], wanted: i128) -> Option<()> {
        let (mut real, mut imaginary) = (Vec::new(), Vec::new());
        let turn = wanted.rem_euclid(self.period as i128) as f64 / self.period;
        let mut last = 0;
        for k in 0..self.frequencies {
            let (mut ln, mut angle, mut error) = (Sum::default(), Sum::default(), 0.0);
            let mut size = 0.0;
            for ((re, im), (kind, &cells)) in self.phases.iter().zip(self.kinds.iter().zip(cells)) {
                let (re, im, cells) = (re[k], im[k], cells as f64);
                let norm = re * re + im * im;
                let (part, turned) = (0.5 * cells * libm::log(norm), cells * libm::atan2(im, re));
                ln.add(part);
                angle.add(turned);
                size += part.abs() + turned.abs();
                error += cells * (kind.reach + 4.0) / libm::sqrt(norm);
            }
            // All terms of a sum over a law are added from the smallest on, so that its rounding is at most half an ulp of each
            // tail of the law; with the rounding of the tables that is less than `reach + 4` ulps.
            self.errors.push(f64::EPSILON * (error + 4.0 * size + 8.0));
            let amount = libm::exp(ln.value());
            let angle = angle.value() - core::f64::consts::TAU * ((turn * (k + 1) as f64) % 1.0);
            real.push(amount * libm::cos(angle));
            imaginary.push(amount * libm::sin(angle));
            if amount > 1e-22 {
                last = k + 1;
            }
        }
        // The least size of a factor at each frequency: no quotient is larger than the product divided by it.
        let least = |k: usize| {
            let norms = self.phases.iter().map(|(re, im)| re[k] * re[k] + im[k] * im[k]);
            libm::sqrt(norms.fold(f64::INFINITY, f64::min))
        };
        // A count that could not be left out without losing digits.
        if (0..last).any(|k| least(k) < 0.14) {
            return None;
        }
        // Terms after the last that matters are bounded by their sizes.
        let rest: f64 = (last..real.len()).map(|k| (real[k].abs() + imaginary[k].abs()) / least(k)).sum();
        if rest.is_nan() {
            return None;
        }
        self.beyond += 2.0 * rest / self.period;
        real.truncate(last);
        imaginary.truncate(last);
        self.errors.truncate(last);
        self.whole = (real, imaginary);
        Some(())
    }

    /// The law of the sum of all counts but one of a kind, at `total - c` for every count c of its law, and a bound on the
    /// error of each.
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
            error += 2.0 * libm::hypot(x, y) * (self.errors[k] + (8.0 + used as f64) * f64::EPSILON);
            cosine_part.push(x);
            sine_part.push(y);
        }
        let row = |table: &[f64], step: usize, parts: &[f64]| -> f64 {
            table[step * self.frequencies..][..used].iter().zip(parts).map(|(entry, part)| entry * part).sum()
        };
        let sums: Vec<(f64, f64)> = (0..folded.even.len())
            .map(|step| (row(&self.cosines, step, &cosine_part), row(&self.sines, step, &sine_part)))
            .collect();
        let values = (law.start..=law.end()).map(|count| {
            let (cosine, sine) = sums[count.abs_diff(folded.anchor) as usize];
            let sine = if count >= folded.anchor { -sine } else { sine };
            ((1.0 + 2.0 * (cosine + sine)) / self.period).max(0.0)
        });
        (values.collect(), (error + 4.0 * f64::EPSILON) / self.period + self.beyond)
    }
}

impl Waves {
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
        // As in a convolution: the error of a transform is a few ulps of its norm for each of its layers.
        let layers = libm::log2(length as f64) + 1.0;
        let rounding = 16.0 * f64::EPSILON * layers * norm * libm::sqrt(length as f64);
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

/// The characteristic function of a law around its anchor, at all frequencies.
fn transform(kind: &Folded, cosines: &[f64], sines: &[f64], frequencies: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut re, mut im) = (vec![0.0; frequencies], vec![0.0; frequencies]);
    // From the far end inwards, so that small terms are added first.
    for step in (0..kind.even.len()).rev() {
        let (even, odd) = (kind.even[step], kind.odd[step]);
        let rows = step * frequencies..(step + 1) * frequencies;
        for ((re, im), (cosine, sine)) in
            re.iter_mut().zip(&mut im).zip(cosines[rows.clone()].iter().zip(&sines[rows]))
        {
            *re += even * cosine;
            *im += odd * sine;
        }
    }
    (re, im)
}

/// How far the sum of many counts spreads.
struct Spread {
    mean: f64,
    variance: f64,
    /// The largest distance between the mean and the mode of a law.
    largest_shift: f64,
    /// For distances 1, 2, 4 and so on, `sum_i q_i`, where `q_i` is the weight of pairs at this distance in a law.
    pairs: Vec<f64>,
    means: Vec<f64>,
}

impl Spread {
    fn new(laws: &[Mass], cells: &[u64], parallelism: Parallelism) -> Self {
        let of_laws = parallelism.map(laws, |law| {
            let mean: f64 = law.values.iter().zip(0_u64..).map(|(p, index)| p * index as f64).sum();
            let square = |(p, index): (&f64, u64)| p * (index as f64 - mean) * (index as f64 - mean);
            let variance: f64 = law.values.iter().zip(0_u64..).map(square).sum();
            let largest =
                law.values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
            (mean, variance, (mean - largest as f64).abs(), paired(&law.values))
        });
        let weigh = |value: &dyn Fn(&(f64, f64, f64, Vec<f64>)) -> f64| -> f64 {
            of_laws.iter().zip(cells).map(|(law, &cells)| cells as f64 * value(law)).collect::<Sum>().value()
        };
        let starts: f64 = laws.iter().zip(cells).map(|(law, &cells)| law.start as f64 * cells as f64).sum();
        let longest = of_laws.iter().map(|law| law.3.len()).max().unwrap_or(0);
        let pairs = (0..longest).map(|place| weigh(&|law| law.3.get(place).copied().unwrap_or(0.0)));
        Self {
            mean: starts + weigh(&|law| law.0),
            variance: weigh(&|law| law.1),
            largest_shift: of_laws.iter().map(|law| law.2).fold(0.0, f64::max),
            pairs: pairs.collect(),
            means: of_laws.iter().map(|law| law.0).collect(),
        }
    }

    /// A distance from the mean that the sum exceeds with at most the second probability (Chernoff 1952). It holds too for the
    /// sum without one count, because the moment generating function of a centred count is at least one.
    fn chernoff(&self, laws: &[Mass], cells: &[u64], parallelism: Parallelism) -> Option<(f64, f64)> {
        if self.variance <= 0.0 {
            return None;
        }
        let bound = |tilt: f64| -> f64 {
            let logs = parallelism.map(0..laws.len(), |kind| {
                let mean = self.means[kind];
                // The powers are products, whose error is far below the slack that is added to the reach.
                let (mut power, ratio) = (libm::exp(-tilt * mean), libm::exp(tilt));
                let mut sum = 0.0;
                for p in &laws[kind].values {
                    sum += p * power;
                    power *= ratio;
                }
                cells[kind] as f64 * libm::log(sum)
            });
            logs.iter().sum::<f64>()
        };
        let best = libm::sqrt(2.0 * LEAST / self.variance);
        let reach = |sign: f64| {
            let of = |tilt: f64| (bound(sign * tilt) + LEAST) / tilt;
            [best, 0.5 * best].map(of).into_iter().fold(f64::INFINITY, f64::min)
        };
        let reach = 1.001 * reach(1.0).max(reach(-1.0));
        reach.is_finite().then(|| (reach, 4.0 * libm::exp(-LEAST)))
    }

    /// A frequency beyond which the characteristic function of the sum without one count is negligible, and a bound on what
    /// is left out there, over all frequencies and divided by the period.
    ///
    /// If a law has pairs at a distance d of total weight q, `abs(phi(t)) <= 1 - q (1 - abs(cos(d t/2)))`.
    fn highest_frequency(&self) -> Option<(f64, f64)> {
        let pi = core::f64::consts::PI;
        let exponent = |place: usize, from: f64| {
            let half = 0.5 * f64::from(1_u32 << place) * from;
            (self.pairs[place] - 1.0).max(0.0) * (1.0 - libm::cos(half))
        };
        // The frequencies from pi/(2 d) to pi/d are those of the distance d.
        let (mut beyond, mut found) = (0.0, None);
        for place in 0..self.pairs.len() {
            let distance = f64::from(1_u32 << place);
            let (low, high) = (0.5 * pi / distance, pi / distance);
            if exponent(place, low) >= LEAST {
                beyond += libm::exp(-exponent(place, low));
                // Within this octave or below, the frequency at which the bound is reached.
                let least = LEAST / (self.pairs[place] - 1.0);
                let from = 2.0 / distance * libm::acos((1.0 - least).clamp(-1.0, 1.0));
                found = Some(found.unwrap_or(high).min(from));
            } else {
                break;
            }
        }
        // Each octave has a share of all frequencies, so the sum over them divided by the period is at most the bound.
        Some((found?, beyond + libm::exp(-LEAST)))
    }
}

/// The weight of pairs at the distances 1, 2, 4 and so on: twice the sum of the smaller of both weights, over disjoint pairs.
fn paired(values: &[f64]) -> Vec<f64> {
    let mut found = Vec::new();
    let mut distance = 1;
    while distance < values.len().max(2) && found.len() < 24 {
        let blocks = values.chunks(2 * distance);
        let sum: f64 = blocks
            .filter(|block| block.len() > distance)
            .map(|block| {
                let (low, high) = block.split_at(distance);
                low.iter().zip(high).map(|(low, high)| low.min(*high)).sum::<f64>()
            })
            .sum();
        found.push(2.0 * sum);
        distance *= 2;
    }
    found
}
