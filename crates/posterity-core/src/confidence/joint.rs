//! The noise of a group and of the other cells of its condition, jointly.

use crate::noise::FoldedNoise;
use crate::pulse::beat;

/// The joint law of the noise A of a group and B of the others of its condition, on bins of numbers. Where a bin has
/// more than one number, its weight is a bound from above.
#[derive(Debug)]
pub(super) struct Joint {
    a: Vec<Bin>,
    b: Vec<Bin>,
    /// By bins of A, and then by bins of B.
    weights: Vec<f64>,
    /// A bound on the weight of all that is left out.
    lost: f64,
    mean_of_group: f64,
    mean_of_others: f64,
    /// The variance of A, the variance of B, and their covariance.
    moments: [f64; 3],
}

/// Both ends of a range of numbers.
#[derive(Clone, Copy, Debug)]
struct Bin {
    low: i64,
    high: i64,
}

/// The mass of either tail of A and of B that is left out.
const CUT: f64 = 5e-7;

/// The most bins of A and of B.
const BINS: usize = 128;

/// The most numbers, or ranges of numbers, whose weights are added one by one.
const PARTS: usize = 512;

/// The tail of `(1-p) A - p B`, rounded up to a grid.
pub(super) struct Table {
    start: f64,
    step: f64,
    /// One divided by the step.
    steps: f64,
    at_least: Vec<f64>,
}

/// The number of points of the grid.
const POINTS: usize = 2_048;

impl Joint {
    /// The law of A and B, from the laws of each given the total noise, and those of A, of B and of all other noise
    /// before it is known. One of the latter may be missing: it takes whatever the others leave.
    pub(super) fn new(laws: [&FoldedNoise; 2], free: [Option<&FoldedNoise>; 3], total: i64) -> Option<Self> {
        let [a, b] = laws.map(bins);
        let (fine_a, fine_b) = (divided(&a), divided(&b));
        let weight = |law: Option<&FoldedNoise>, bin: Bin| {
            law.map_or((bin.high - bin.low + 1) as f64, |law| {
                (bin.low..=bin.high).map(|z| law.probability(z)).sum()
            })
        };
        let of_b: Vec<f64> = fine_b.iter().map(|(_, bin)| weight(free[1], *bin)).collect();
        let mut weights = vec![0.0; a.len() * b.len()];
        for &(place, bin) in &fine_a {
            beat();
            let of_a = weight(free[0], bin);
            let row = &mut weights[place * b.len()..(place + 1) * b.len()];
            for (&(other, beside), of_b) in fine_b.iter().zip(&of_b) {
                let rest = match free[2] {
                    None => 1.0,
                    Some(law) => largest(law, total - bin.high - beside.high, total - bin.low - beside.low),
                };
                row[other] += of_a * of_b * rest;
            }
        }
        let scale = normaliser(laws[0], free, total)?;
        weights.iter_mut().for_each(|weight| *weight /= scale);
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return None;
        }
        let [mean_of_group, mean_of_others] = laws.map(FoldedNoise::mean);
        let mut joint =
            Self { a, b, weights, lost: 4.0 * CUT, mean_of_group, mean_of_others, moments: [0.0; 3] };
        joint.moments = [laws[0].variance(), laws[1].variance(), joint.covariance(sum)];
        Some(joint)
    }

    /// The law of B and A.
    pub(super) fn transposed(&self) -> Self {
        let (rows, columns) = (self.a.len(), self.b.len());
        let places = (0..columns).flat_map(|b| (0..rows).map(move |a| a * columns + b));
        let [of_a, of_b, both] = self.moments;
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            weights: places.map(|place| self.weights[place]).collect(),
            lost: self.lost,
            mean_of_others: self.mean_of_group,
            mean_of_group: self.mean_of_others,
            moments: [of_b, of_a, both],
        }
    }

    fn covariance(&self, sum: f64) -> f64 {
        let middle = |bin: &Bin| 0.5 * (bin.low + bin.high) as f64;
        let moment = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            let rows = self.weights.chunks(self.b.len()).zip(&self.a);
            let row = |(row, a): (&[f64], &Bin)| -> f64 {
                row.iter().zip(&self.b).map(|(weight, b)| weight * of(middle(a), middle(b))).sum()
            };
            rows.map(row).sum::<f64>() / sum
        };
        moment(&|a, b| a * b) - moment(&|a, _| a) * moment(&|_, b| b)
    }

    /// The mean of B.
    pub(super) fn mean_of_others(&self) -> f64 {
        self.mean_of_others
    }

    /// The variance of `(1-p) A - p B`.
    pub(super) fn variance(&self, p: f64) -> f64 {
        let [a, b, both] = self.moments;
        ((1.0 - p) * (1.0 - p) * a + p * p * b - 2.0 * p * (1.0 - p) * both).max(0.0)
    }

    /// A bound on the weight of all that is left out.
    pub(super) fn lost(&self) -> f64 {
        self.lost
    }

    /// The tail of `(1-p) A - p B`. It is never too small, but for what is left out.
    pub(super) fn table(&self, p: f64) -> Table {
        let first = |bins: &[Bin]| bins.first().map_or(0.0, |bin| bin.low as f64);
        let last = |bins: &[Bin]| bins.last().map_or(0.0, |bin| bin.high as f64);
        let start = (1.0 - p) * first(&self.a) - p * last(&self.b);
        let end = (1.0 - p) * last(&self.a) - p * first(&self.b);
        let step = ((end - start) / (POINTS - 2) as f64).max(1e-6);
        let mut at_least = vec![0.0; POINTS];
        let shifts: Vec<f64> = self.b.iter().map(|bin| p * bin.low as f64 / step).collect();
        for (row, bin) in self.weights.chunks(self.b.len()).zip(&self.a) {
            // Rounded up, but not for the last digit of a number that is on the grid.
            let base = ((1.0 - p) * bin.high as f64 - start) / step + (1.0 - 1e-6);
            for (weight, shift) in row.iter().zip(&shifts) {
                // A small type, because the conversion to it is one instruction.
                let place = ((base - shift) as i32).clamp(0, POINTS as i32 - 1);
                at_least[place as usize] += weight;
            }
        }
        let mut sum = 0.0;
        for value in at_least.iter_mut().rev() {
            sum += *value;
            *value = sum.min(1.0);
        }
        Table { start, step, steps: 1.0 / step, at_least }
    }
}

impl Table {
    /// `P(N >= x)`.
    pub(super) fn at_least(&self, x: f64) -> f64 {
        let place = (x - self.start) * self.steps - 1e-6;
        if place <= 0.0 {
            return 1.0;
        }
        // Rounded up.
        let whole = place as u32;
        let up = whole as usize + usize::from(place > f64::from(whole));
        self.at_least.get(up).copied().unwrap_or(0.0)
    }

    /// Below this every tail is one.
    pub(super) fn start(&self) -> f64 {
        self.start
    }

    /// Above this every tail is zero.
    pub(super) fn end(&self) -> f64 {
        self.start + self.step * (POINTS - 1) as f64
    }
}

/// The middle of a law in bins: narrow ones where it has much mass.
fn bins(law: &FoldedNoise) -> Vec<Bin> {
    let (low, high) = law.middle(CUT);
    let numbers = (high - low + 1) as usize;
    if numbers <= BINS {
        return (low..=high).map(|z| Bin { low: z, high: z }).collect();
    }
    // The error of a bin grows with its width and its mass; the cube root balances both.
    let density = |z: i64| libm::cbrt(law.probability(z));
    let share = (low..=high).map(density).sum::<f64>() / BINS as f64;
    let mut bins = Vec::with_capacity(BINS + 1);
    let (mut from, mut sum) = (low, 0.0);
    for z in low..=high {
        sum += density(z);
        if sum >= share || z == high {
            bins.push(Bin { low: from, high: z });
            from = z + 1;
            sum = 0.0;
        }
    }
    bins
}

/// The bins in parts whose weights are added one by one, each with the place of its bin.
fn divided(bins: &[Bin]) -> Vec<(usize, Bin)> {
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else { return Vec::new() };
    let width = (last.high - first.low + 1) as usize;
    let step = width.div_ceil(PARTS) as i64;
    let parts = bins.iter().enumerate().flat_map(|(place, bin)| {
        let starts = (bin.low..=bin.high).step_by(step as usize);
        starts.map(move |low| (place, Bin { low, high: (low + step - 1).min(bin.high) }))
    });
    parts.collect()
}

/// The largest probability between two numbers: the law rises to its mode and then falls.
fn largest(law: &FoldedNoise, low: i64, high: i64) -> f64 {
    if low == high {
        return law.probability(low);
    }
    let mode = libm::round(law.mean()) as i64;
    // The mode of a sum of many is within one of its mean.
    let near = (mode - 1..=mode + 1).filter(|z| (low..=high).contains(z)).map(|z| law.probability(z));
    near.fold(law.probability(low).max(law.probability(high)), f64::max)
}

/// The sum of all weights, for which the joint law would have to be added up: it is the ratio of a weight of A alone to
/// the probability of A given the total.
fn normaliser(of_a: &FoldedNoise, free: [Option<&FoldedNoise>; 3], total: i64) -> Option<f64> {
    let z = libm::round(of_a.mean()) as i64;
    let own = free[0].map_or(1.0, |law| law.probability(z));
    let beside = match (free[1], free[2]) {
        (Some(b), Some(rest)) => {
            let terms = (b.start()..=b.end()).map(|w| b.probability(w) * rest.probability(total - z - w));
            terms.sum::<f64>()
        }
        // What takes the rest makes every sum possible.
        _ => 1.0,
    };
    let normaliser = own * beside / of_a.probability(z);
    (normaliser > 0.0 && normaliser.is_finite()).then_some(normaliser)
}
