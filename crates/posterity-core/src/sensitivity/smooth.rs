//! Smooth upper bounds on the local sensitivity.
//!
//! Both are a maximum over all data sets of the local sensitivity, discounted by the distance. While records are taken
//! out of one category, `1/LS` is concave and `ln LS` convex (docs/proofs/sensitivity.md). So for each ordered pair
//! of categories (i, j) only the ends matter: `c_i` is unchanged or drained to one record, `c_j` is unchanged or
//! drained to none. Each category thus has two choices as source and two as target. The best pair of choices is
//! found in O(k log k), or in O(k log^2 k) if the first search pairs a category with itself.

use super::step_cost;
use crate::distance::from_cost;
use crate::model::{Counts, Gamma, Prior, PriorError};

/// The gamma-smooth sensitivity `S_gamma(c) = max over c' of 1 / (1/LS(c') + gamma d(c, c'))`.
///
/// ```
/// use posterity_core::{model::{Counts, Gamma, Prior}, sensitivity::{gamma_smooth, global, local}};
/// let (prior, counts) = (Prior::uniform(3)?, Counts::new(vec![20, 30, 10])?);
/// let smooth = gamma_smooth(&prior, &counts, Gamma::ONE)?;
/// assert!(local(&prior, &counts)? <= smooth && smooth <= global(&prior, 60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PriorError::WrongLength`] if there are not as many counts as prior parameters.
pub fn gamma_smooth(prior: &Prior, counts: &Counts, gamma: Gamma) -> Result<f64, PriorError> {
    gamma_smooth_of(prior, counts, gamma.value(), from_cost)
}

/// The gamma-smooth sensitivity of a score that is the given function of `-ln BC` between adjacent posteriors. One over
/// that function must be concave wherever one over the Hellinger distance is, and convex in the cost
/// (docs/proofs/scores.md).
pub(crate) fn gamma_smooth_of(
    prior: &Prior,
    counts: &Counts,
    gamma: f64,
    score: impl Fn(f64) -> f64,
) -> Result<f64, PriorError> {
    let least = least_penalised(prior, counts, &|cost, distance| 1.0 / score(cost) + gamma * distance)?;
    Ok(1.0 / least)
}

/// The beta-smooth sensitivity `S_beta(c) = max over c' of LS(c') exp(-beta d(c, c'))` for `beta >= 0` (Nissim,
/// Raskhodnikova and Smith 2007, definition 2.2).
///
/// ```
/// use posterity_core::{model::{Counts, Prior}, sensitivity::{beta_smooth, global}};
/// let (prior, counts) = (Prior::uniform(3)?, Counts::new(vec![20, 30, 10])?);
/// // Without a discount for the distance, it is the global sensitivity.
/// assert!((beta_smooth(&prior, &counts, 0.0)? / global(&prior, 60) - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PriorError::WrongLength`] if there are not as many counts as prior parameters.
pub fn beta_smooth(prior: &Prior, counts: &Counts, beta: f64) -> Result<f64, PriorError> {
    beta_smooth_of(prior, counts, beta, from_cost)
}

/// The beta-smooth sensitivity of a score as in [`gamma_smooth_of`].
pub(crate) fn beta_smooth_of(
    prior: &Prior,
    counts: &Counts,
    beta: f64,
    score: impl Fn(f64) -> f64,
) -> Result<f64, PriorError> {
    let least = least_penalised(prior, counts, &|cost, distance| beta * distance - libm::log(score(cost)))?;
    Ok(libm::exp(-least))
}

/// One category as source or target of a move: what it adds to the cost, and how many records are taken out of it
/// first.
#[derive(Clone, Copy, Debug)]
struct Choice {
    category: usize,
    cost: f64,
    moved: u64,
}

/// The least `penalty(cost, distance)` over all moves of one record in all data sets of the same size.
///
/// The penalty must be decreasing and convex in the cost and increasing in the distance.
fn least_penalised(
    prior: &Prior,
    counts: &Counts,
    penalty: &impl Fn(f64, f64) -> f64,
) -> Result<f64, PriorError> {
    let alpha = prior.parameters();
    if counts.len() != alpha.len() {
        return Err(PriorError::WrongLength { found: alpha.len(), expected: counts.len() });
    }
    let counts = counts.as_slice();
    if let (&[first, second], &[left, right]) = (alpha, counts) {
        let there = on_the_line((first, left), (second, right), penalty);
        return Ok(there.min(on_the_line((second, right), (first, left), penalty)));
    }
    let mut drained = Vec::with_capacity(counts.len());
    let (mut one_less, mut now) = (Two::default(), Two::default());
    for (category, (&alpha, &c)) in alpha.iter().zip(counts).enumerate() {
        drained.push(Choice { category, cost: step_cost(alpha, 0), moved: c });
        now.offer(Choice { category, cost: step_cost(alpha, c), moved: 0 });
        if c > 0 {
            one_less.offer(Choice { category, cost: step_cost(alpha, c - 1), moved: 0 });
        }
    }
    drained.sort_unstable_by(|a, b| a.moved.cmp(&b.moved).then(b.cost.total_cmp(&a.cost)));
    let filled = drained.iter().copied().filter(|choice| choice.moved > 0);
    let sources = undominated(one_less.iter(), filled, |c| c - 1);
    let targets = undominated(now.iter(), drained.iter().copied(), |c| c);
    let best = least_pair(&sources, &targets, penalty);
    // An empty category must first receive the record that it gives away. This adds one to the distance. The record may
    // come from the target, which then loses one record at no further distance.
    let empty = drained.iter().copied().take_while(|choice| choice.moved == 0);
    let empty = undominated(std::iter::empty(), empty, |c| c);
    let lent = one_less.iter().map(|choice| Choice { moved: 1, ..choice });
    let lenders = undominated(lent, drained.iter().copied(), |c| c.max(1));
    Ok(best.min(least_pair(&empty, &lenders, penalty)))
}

/// The choice of largest cost, and that of largest cost in another category, among choices that move the same number of
/// records. The best pair needs no other choices.
#[derive(Default)]
struct Two {
    first: Option<Choice>,
    second: Option<Choice>,
}

impl Two {
    /// Takes a choice of a category that was not offered before.
    fn offer(&mut self, choice: Choice) {
        if self.first.is_none_or(|first| choice.cost > first.cost) {
            self.second = self.first.replace(choice);
        } else if self.second.is_none_or(|second| choice.cost > second.cost) {
            self.second = Some(choice);
        }
    }

    fn iter(&self) -> impl Iterator<Item = Choice> {
        self.first.into_iter().chain(self.second)
    }
}

/// The least penalty of a move from i to j if there are only two categories. Draining one category fills the other, so
/// the data sets form a line. Its ends have one record and all records in i.
fn on_the_line(
    (alpha, c): (f64, u64),
    (other_alpha, other): (f64, u64),
    penalty: &impl Fn(f64, f64) -> f64,
) -> f64 {
    let n = c + other;
    let at = |x: u64| penalty(step_cost(alpha, x - 1) + step_cost(other_alpha, n - x), x.abs_diff(c) as f64);
    let ends = at(1).min(at(n));
    if c == 0 { ends } else { ends.min(at(c)) }
}

/// The choices that the best pair may need, in order of increasing cost. A choice is left out if two others, of two
/// different categories, are at least as good: one of these two can replace it whatever its partner is.
///
/// The `kept` choices move the fewest records and come first. The drained choices follow by increasing count; `moves`
/// turns the count into the number of records moved.
fn undominated(
    kept: impl Iterator<Item = Choice>,
    drained: impl Iterator<Item = Choice>,
    moves: impl Fn(u64) -> u64,
) -> Vec<Choice> {
    let drained = drained.map(|choice| Choice { moved: moves(choice.moved), ..choice });
    let (mut first, mut second): (Option<Choice>, Option<Choice>) = (None, None);
    let mut choices: Vec<Choice> = kept
        .chain(drained)
        .filter(|&choice| {
            if second.is_some_and(|second| second.cost >= choice.cost) {
                return false;
            }
            match first {
                None => first = Some(choice),
                Some(best) if best.category == choice.category => {
                    if choice.cost > best.cost {
                        first = Some(choice);
                    }
                }
                Some(best) if choice.cost > best.cost => (first, second) = (Some(choice), Some(best)),
                Some(_) => second = Some(choice),
            }
            true
        })
        .collect();
    choices.sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost));
    choices
}

/// The least penalty of a source and a target of different categories.
fn least_pair(sources: &[Choice], targets: &[Choice], penalty: &impl Fn(f64, f64) -> f64) -> f64 {
    let mut best = Best { value: f64::INFINITY, same: false };
    best.search(sources, targets, penalty);
    if !best.same {
        return best.value;
    }
    // The numbers of two different categories differ in some bit. So for each bit, search the sources that have it set
    // with the targets that have not, and the other way round.
    let mut best = Best { value: f64::INFINITY, same: false };
    let largest = sources.iter().chain(targets).map(|choice| choice.category).max().unwrap_or(0);
    for bit in 0..usize::BITS - largest.leading_zeros() {
        let split = |choices: &[Choice], set: bool| -> Vec<Choice> {
            choices.iter().copied().filter(|choice| (choice.category >> bit & 1 == 1) == set).collect()
        };
        best.search(&split(sources, true), &split(targets, false), penalty);
        best.search(&split(sources, false), &split(targets, true), penalty);
    }
    best.value
}

/// The least penalty so far, and whether its pair has the same category on both sides.
struct Best {
    value: f64,
    same: bool,
}

impl Best {
    /// Minimises over all pairs by divide and conquer; both lists are in order of increasing cost. The penalty is
    /// convex in the sum of the costs, so the best target of a source of larger cost never has a larger cost (inverse
    /// Monge).
    fn search(&mut self, sources: &[Choice], targets: &[Choice], penalty: &impl Fn(f64, f64) -> f64) {
        if sources.is_empty() || targets.is_empty() {
            return;
        }
        let middle = sources.len() / 2;
        let source = sources[middle];
        let (mut least, mut at) = (f64::INFINITY, 0);
        for (index, target) in targets.iter().enumerate() {
            let value = penalty(source.cost + target.cost, (source.moved + target.moved) as f64);
            if value < least {
                (least, at) = (value, index);
            }
        }
        if least < self.value {
            *self = Self { value: least, same: source.category == targets[at].category };
        }
        self.search(&sources[..middle], &targets[at..], penalty);
        self.search(&sources[middle + 1..], &targets[..=at], penalty);
    }
}
