//! Two categories and a score that follows from the Bhattacharyya coefficient: the outcomes near the data are evaluated,
//! and all others have the same probability.
//!
//! Near are those whose cost is below [`FAR_COST`], less than `sqrt(62 A)` records away from the data, where A is the
//! sum of the prior parameters and n. So an audit evaluates about `15.8 n sqrt(A)` probabilities. Each takes a few
//! nanoseconds, because its cost comes from a [`CostTable`].

use super::cost_table::{CostTable, most};
use super::estimate::{Estimates, SCORE_DIFFERENCE, negligible};
use super::scope::AuditError;
use crate::mechanism::{Exponential, FAR_COST, Mechanism, reach};
use crate::model::Counts;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::Ruler;
use crate::special::kernel::{excess, spread, weigh};

/// Estimates what all pairs of adjacent data sets lose.
pub(super) fn estimate(
    mechanism: &Exponential,
    epsilons: &[f64],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Estimates, AuditError> {
    let band = Band::new(mechanism)?;
    let n = band.scales.len() - 1;
    let factors: Vec<f64> = epsilons.iter().map(|&epsilon| libm::exp(epsilon)).collect();
    // A chunk computes one row that belongs to the chunk before it.
    let chunk = n.div_ceil(64 * rayon::current_num_threads()).max(32);
    let values = Parallelism::AllCores.map((0..n).step_by(chunk), |start| {
        let end = (start + chunk).min(n);
        let mut values = Vec::with_capacity((end - start) * (1 + epsilons.len()));
        let (mut row, mut next) = (Row::default(), Row::default());
        row.fill(&band, start);
        for c in start..end {
            beat();
            next.fill(&band, c + 1);
            band.compare(&row, &next, c, &factors, &mut values);
            std::mem::swap(&mut row, &mut next);
            progress(1);
        }
        values
    });
    progress(1);
    let scales = band.scales.windows(2).map(|pair| pair[0] + pair[1]).collect();
    let pair = move |c: usize| [c, c + 1].map(|c| vec![c as u64, (n - c) as u64]);
    // The cost table knows the true score of other scores than the Hellinger distance, and not how it was computed.
    let own = if mechanism.scoring().is_hellinger() { 0.0 } else { band.ruler.error() };
    Ok(Estimates::new(scales, SCORE_DIFFERENCE + own, values.concat(), pair))
}

/// What is known about all data sets. A data set is named by its first count.
struct Band<'a> {
    costs: CostTable,
    ruler: &'a dyn Ruler,
    /// The score of outcomes that are not near, as a part of the unit.
    far: f64,
    scales: Vec<f64>,
    /// The first and the last outcome near each data set. Neither ever decreases.
    edges: Vec<[usize; 2]>,
    negligible: f64,
}

impl<'a> Band<'a> {
    fn new(mechanism: &'a Exponential) -> Result<Self, AuditError> {
        let setting = mechanism.setting();
        let n = setting.n();
        let alpha = setting.prior().parameters();
        let costs = CostTable::new([alpha[0], alpha[1]], n);
        let scale = |c| Ok::<f64, AuditError>(mechanism.scale_down(&Counts::new(vec![c, n - c])?)?);
        let scales = Parallelism::AllCores.try_map(0..=n, scale)?;
        let (reach, last) = (reach(setting.prior(), n) as usize, n as usize);
        let mut edges = Parallelism::AllCores.map(0..=last, |c| {
            let below = most(c.min(reach), |steps| costs.cost(c, c - steps) <= FAR_COST);
            let above = most((last - c).min(reach), |steps| costs.cost(c, c + steps) <= FAR_COST);
            [c - below, c + above]
        });
        // The edges are monotone already, except perhaps for rounding.
        for c in 0..last {
            edges[c + 1][1] = edges[c + 1][1].max(edges[c][1]);
        }
        for c in (0..last).rev() {
            edges[c][0] = edges[c][0].min(edges[c + 1][0]);
        }
        let ruler = mechanism.ruler();
        let far = ruler.share(f64::INFINITY);
        Ok(Self { costs, ruler, far, scales, edges, negligible: negligible(last + 1) })
    }

    /// Appends the loss and the deltas of the pair (c, c+1).
    fn compare(&self, row: &Row, next: &Row, c: usize, factors: &[f64], values: &mut Vec<f64>) {
        let (start, end) = (self.edges[c][0], self.edges[c + 1][1] + 1);
        let far = (self.scales.len() - (end - start)) as f64;
        let range = |of: &Row| start - of.start..end - of.start;
        let (here, there) = (&row.exponents[range(row)], &next.exponents[range(next)]);
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        if far > 0.0 {
            let difference = self.far * row.scale - self.far * next.scale;
            ends = (difference, difference);
        }
        let (least, largest) = spread(here, there, ends);
        let shift = libm::log(next.total / row.total);
        values.push((shift - least).abs().max((shift - largest).abs()));
        let (here, there) = (&row.weights[range(row)], &next.weights[range(next)]);
        let (p, q) = (1.0 / row.total, 1.0 / next.total);
        for factor in factors {
            let one =
                excess((here, p), (there, factor * q)) + far * (row.far * p - factor * next.far * q).max(0.0);
            let two =
                excess((there, q), (here, factor * p)) + far * (next.far * q - factor * row.far * p).max(0.0);
            values.push(one.max(two));
        }
    }
}

/// The law of one data set, over the outcomes near itself or a neighbour.
#[derive(Default)]
struct Row {
    start: usize,
    scale: f64,
    /// The scale times the score, the logarithm of one over the weight.
    exponents: Vec<f64>,
    weights: Vec<f64>,
    /// The weight of each of the other outcomes.
    far: f64,
    /// The sum of all weights.
    total: f64,
}

impl Row {
    fn fill(&mut self, band: &Band<'_>, c: usize) {
        let last = band.edges.len() - 1;
        self.start = band.edges[c.saturating_sub(1)][0];
        self.scale = band.scales[c];
        let length = band.edges[(c + 1).min(last)][1] + 1 - self.start;
        self.exponents.resize(length, 0.0);
        self.weights.resize(length, 0.0);
        band.costs.costs(c, self.start, &mut self.exponents);
        band.ruler.exponents(&mut self.exponents, self.scale);
        self.far = libm::exp(-band.far * self.scale);
        self.total = weigh(&self.exponents, &mut self.weights, band.negligible)
            + (band.edges.len() - length) as f64 * self.far;
    }
}
