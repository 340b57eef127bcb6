//! The laws of single counts within their windows, and what the windows leave out.

use super::logs::Logs;
use super::mass::Mass;
use super::window::{Weight, Window};
use crate::parallelism::Parallelism;

/// The laws of counts at a tilt, one for each weight, before the condition that all counts sum to n.
pub(super) struct Laws {
    pub(super) tilt: f64,
    pub(super) logs: Vec<Logs>,
    pub(super) laws: Vec<Mass>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Laws {
    /// The laws within narrowed windows. `windows` are those before they were narrowed.
    pub(super) fn new(
        weights: &[Weight<'_>],
        windows: &[Window],
        narrow: &[Window],
        logs: Vec<Logs>,
        tilt: f64,
        parallelism: Parallelism,
    ) -> Self {
        let laws = parallelism.map(0..logs.len(), |i| {
            let (law, unit) = logs[i].weights(tilt);
            let left_out = LeftOut {
                beyond: weights[i].outside(windows[i], tilt, unit),
                largest: weights[i].largest_up(narrow[i], law.largest(), tilt, unit),
                total: 1.0 + weights[i].outside(narrow[i], tilt, unit),
            };
            (law, left_out)
        });
        let (laws, left_out) = laws.into_iter().unzip();
        Self { tilt, logs, laws, left_out }
    }
}

/// Bounds on the weight of one category's counts, in units of the weight inside its narrowed window.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftOut {
    /// The weight beyond the window before it was narrowed.
    pub(super) beyond: f64,
    /// The largest weight of a single count.
    pub(super) largest: f64,
    /// The weight of all counts.
    pub(super) total: f64,
}

impl LeftOut {
    /// A bound on the joint weight of all counts that sum to n and of which at least one is outside its window. All but
    /// one of the other counts may have any value. The last one is determined by the sum, so it contributes its largest
    /// weight and not its total weight.
    pub(super) fn joint_up(all: &[Self]) -> f64 {
        // The count that is determined by the sum is that of the category with the smallest quotient of largest and
        // total weight, or of the next category if that one is outside its window.
        let gain = |one: &Self| if one.total.is_finite() { one.largest / one.total } else { 0.0 };
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| gain(&all[a]).total_cmp(&gain(&all[b])));
        let [first, second] = [0, 1].map(|place| order.get(place).copied().unwrap_or(0));
        let one = |i: usize, rest: usize, others: f64| all[i].beyond * all[rest].largest * others;
        let mut sum = 0.0;
        if all[first].beyond > 0.0 {
            let others = (0..all.len()).filter(|&j| j != first && j != second);
            sum += one(first, second, others.map(|j| all[j].total).product());
        }
        // The products of all totals but two, from the products up to each category and from each category on.
        let kept = |j: &usize| *j != first;
        let mut after: Vec<f64> = Vec::with_capacity(all.len());
        let mut product = 1.0;
        for j in (0..all.len()).rev().filter(kept) {
            after.push(product);
            product *= all[j].total;
        }
        let mut before = 1.0;
        for (i, after) in (0..all.len()).filter(kept).zip(after.into_iter().rev()) {
            if all[i].beyond > 0.0 {
                sum += one(i, first, before * after);
            }
            before *= all[i].total;
        }
        sum
    }
}
