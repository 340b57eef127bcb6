//! The scores at which the weights are cut into layers.

use super::ROUND_UP;
use crate::sampler::rounded_score::RoundedScore;
use crate::sampler::ruler::Ruler;

/// The scores at which the layers begin.
pub(super) struct LayerStarts {
    pub(super) starts: Vec<u64>,
    /// Whether only the true counts score below the second start. Otherwise other candidates have score zero too.
    pub(super) truth_alone: bool,
}

/// Chooses the scores at which the weights are cut. They go from zero, over the score of the nearest other candidate,
/// to the score beyond which the weights are almost constant.
pub(super) fn layer_starts(
    ruler: &dyn Ruler,
    counts: &[u64],
    scale: f64,
    ln_candidates: f64,
    most: usize,
) -> LayerStarts {
    let step = |category: usize, c: u64, r: u64| ruler.cost(category, c, r);
    let categories = || counts.iter().copied().enumerate();
    // In every other candidate some category has lost a record and another has gained one.
    let gained: Vec<f64> = categories().map(|(i, c)| step(i, c, c + 1)).collect();
    let least = |skip: usize| {
        let others = gained.iter().enumerate().filter(|&(j, _)| j != skip);
        others.map(|(_, &cost)| cost).fold(f64::INFINITY, f64::min)
    };
    let cheapest = gained.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(index, _)| index);
    let (first, second) = (gained[cheapest], least(cheapest));
    let moves = categories()
        .filter(|&(_, c)| c > 0)
        .map(|(i, c)| step(i, c, c - 1) + if i == cheapest { second } else { first });
    let nearest = moves.fold(f64::INFINITY, f64::min);
    // The loop below multiplies the cost, so it must not start at zero. No positive score belongs to so small a cost.
    let mut cost = nearest.max(1e-26);
    let furthest = ruler.furthest(scale, ln_candidates);
    let ratio = (1.0 + 1.0 / (counts.len() - 1) as f64).max(1.05);
    let ratio = ratio.max(libm::pow(furthest / cost, 1.0 / most as f64));
    let mut starts = vec![0, score_below(ruler, cost)];
    while cost < furthest {
        cost = (cost * ratio).min(furthest);
        starts.push(score_below(ruler, cost));
    }
    let truth_alone = starts[1] > 0;
    // Rounding may make two starts equal; keep them strictly increasing.
    let mut last = None;
    starts.retain(|&start| last.replace(start).is_none_or(|before| start > before));
    LayerStarts { starts, truth_alone }
}

/// A score such that every candidate of this cost or more has at least that score.
fn score_below(ruler: &dyn Ruler, cost: f64) -> u64 {
    let units = (ruler.share(cost) - ruler.error()) * (1_u64 << RoundedScore::BITS) as f64;
    // The conversion saturates at zero.
    libm::floor(units) as u64
}

/// A cost such that every candidate with a score below this one costs less.
pub(super) fn cost_above(ruler: &dyn Ruler, score: u64) -> f64 {
    let share = score as f64 / (1_u64 << RoundedScore::BITS) as f64 + ruler.error();
    ruler.cost_of(share) * ROUND_UP
}

/// `ln(exp(-scale start) - exp(-scale end))`, or `-scale start` without an end.
pub(super) fn ln_height(scale: f64, start: u64, end: Option<u64>) -> f64 {
    let unit = scale / (1_u64 << RoundedScore::BITS) as f64;
    let gap = end.map_or(0.0, |end| libm::log(-libm::expm1(-unit * (end - start) as f64)));
    gap - unit * start as f64
}
