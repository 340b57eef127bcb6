//! The delta that mh needs at one pair of data sets with many categories (docs/proofs/mh.md).

use posterity_core::distance::{Pair, ln_bc};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::some;
use crate::table::ResultTable;

/// mh with one category of a small prior parameter, one of a middle one and many of a large one, at the data sets y,
/// which have all records in one large category, and x, where one of them is in the small category. Large categories
/// are exchangeable, so that candidates are listed by kinds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exchangeable {
    small: f64,
    middle: f64,
    large: f64,
    n: u64,
    epsilon: f64,
    delta: f64,
    /// Numbers of categories.
    values: Vec<u64>,
}

/// Counts: in the small category, in the middle one, in the large one of x and y, and in others that are not empty.
#[derive(Clone, Debug)]
struct Sort {
    counts: [u64; 3],
    rest: Vec<u64>,
}

impl Procedure for Exchangeable {
    fn check(&self) -> Result<(), String> {
        some("values", &self.values)?;
        if let Some(k) = self.values.iter().find(|k| **k < 4) {
            return Err(format!("values: {k} categories are too few; give at least 4"));
        }
        let numbers = [self.small, self.middle, self.large, self.epsilon, self.delta];
        if numbers.iter().any(|number| !(*number > 0.0 && number.is_finite())) || self.delta >= 1.0 {
            return Err(
                "small, middle, large, epsilon and delta are positive, and delta is below 1".to_owned()
            );
        }
        if !(2..=12).contains(&self.n) {
            return Err(format!("n is {}; give a number from 2 to 12", self.n));
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let found = context.compute(&self.values, |&k| Ok(self.measure(k)))?;
        let mut table = ResultTable::default();
        for (&k, [needed, spent]) in self.values.iter().zip(found) {
            table.push("", "mh", "delta over given", Some(k as f64), needed / self.delta);
            table.push("", "mh", "spent at the pair", Some(k as f64), spent);
        }
        let panel = |title: &str, quantity: &str, y: Axis| Panel {
            title: title.to_owned(),
            x: Axis::log("categories k"),
            y,
            content: Content::Lines(Lines {
                series: vec![Series {
                    label: "mh".to_owned(),
                    style: Style::plain(0),
                    points: table.curve("", "mh", quantity),
                }],
                rules: vec![Rule::Across { label: "what mh is given".to_owned(), at: 1.0 }],
            }),
        };
        let panels = vec![
            panel("delta", "delta over given", Axis::log("δ needed / δ given")),
            panel("epsilon", "spent at the pair", Axis::linear("loss / ε").including(0.9)),
        ];
        Ok((table, vec![panels]))
    }
}

impl Exchangeable {
    /// The delta that the pair needs at epsilon, and its loss over epsilon.
    fn measure(&self, k: u64) -> [f64; 2] {
        let sorts = self.sorts();
        let ln_candidates = ln_choose(self.n + k - 1, self.n);
        let ln_share = libm::log(0.5 * self.delta) - ln_candidates;
        let beta = libm::log1p(-0.5 * self.epsilon / ln_share);
        let [x, y] = [[1, 0, self.n - 1], [0, 0, self.n]].map(|data| self.law(data, &sorts, k, beta));
        let (mut needed, mut loss) = (0.0, 0.0_f64);
        for ((sort, p), q) in sorts.iter().zip(&x).zip(&y) {
            loss = loss.max(p - q);
            let excess = -libm::expm1((self.epsilon - (p - q)).min(0.0));
            needed += libm::exp(p + sort.ln_number(k)) * excess;
        }
        [needed, loss / self.epsilon]
    }

    /// The logarithms of the probabilities of one candidate of each sort.
    fn law(&self, data: [u64; 3], sorts: &[Sort], k: u64, beta: f64) -> Vec<f64> {
        let discounted = |sort: &Sort| {
            let apart: u64 = data.iter().zip(sort.counts).map(|(a, b)| a.saturating_sub(b)).sum();
            self.local(sort) * libm::exp(-beta * apart as f64)
        };
        let smooth = sorts.iter().map(discounted).fold(0.0, f64::max);
        let weight = |sort: &Sort| {
            let parameters = [self.small, self.middle, self.large];
            let own = parameters.iter().zip(data.iter().zip(sort.counts));
            let own = own.map(|(alpha, (a, b))| ln_bc(Pair::new(alpha + *a as f64, alpha + b as f64)));
            let rest = sort.rest.iter().map(|part| ln_bc(Pair::new(self.large, self.large + *part as f64)));
            -0.5 * self.epsilon * (-libm::expm1(own.chain(rest).sum())).sqrt() / smooth
        };
        let weights: Vec<f64> = sorts.iter().map(weight).collect();
        let total: f64 = weights.iter().zip(sorts).map(|(ln, sort)| libm::exp(ln + sort.ln_number(k))).sum();
        weights.into_iter().map(|ln| ln - libm::log(total)).collect()
    }

    /// The largest distance from data of a sort to data that differ in one record.
    fn local(&self, sort: &Sort) -> f64 {
        let [small, middle, large] = sort.counts;
        let mut all = vec![(self.small, small), (self.middle, middle), (self.large, large), (self.large, 0)];
        all.extend(sort.rest.iter().map(|part| (self.large, *part)));
        let mut most = 0.0_f64;
        for (giver, &(from, has)) in all.iter().enumerate().filter(|(_, (_, has))| *has > 0) {
            for (taker, &(to, holds)) in all.iter().enumerate() {
                if giver != taker {
                    let [has, holds] = [from + has as f64, to + holds as f64];
                    let ln = ln_bc(Pair::new(has, has - 1.0)) + ln_bc(Pair::new(holds, holds + 1.0));
                    most = most.max((-libm::expm1(ln)).sqrt());
                }
            }
        }
        most
    }

    /// All sorts of candidates.
    fn sorts(&self) -> Vec<Sort> {
        let n = self.n;
        let mut sorts = Vec::new();
        for small in 0..=n {
            for middle in 0..=n - small {
                for large in 0..=n - small - middle {
                    let left = n - small - middle - large;
                    let counts = [small, middle, large];
                    sorts.extend(partitions(left, left).into_iter().map(|rest| Sort { counts, rest }));
                }
            }
        }
        sorts
    }
}

impl Sort {
    /// The logarithm of the number of candidates of this sort among k categories.
    fn ln_number(&self, k: u64) -> f64 {
        let (mut free, mut sum) = (k - 3, 0.0);
        let mut parts = self.rest.as_slice();
        while let Some(first) = parts.first() {
            let alike = parts.iter().take_while(|part| *part == first).count();
            if alike as u64 > free {
                return f64::NEG_INFINITY;
            }
            sum += ln_choose(free, alike as u64);
            free -= alike as u64;
            parts = &parts[alike..];
        }
        sum
    }
}

/// All ways to write a total as a descending sum of parts, none above `most`.
fn partitions(total: u64, most: u64) -> Vec<Vec<u64>> {
    if total == 0 {
        return vec![Vec::new()];
    }
    let with = |first: u64| {
        let rest = partitions(total - first, first).into_iter();
        rest.map(move |rest| [first].into_iter().chain(rest).collect())
    };
    (1..=most.min(total)).rev().flat_map(with).collect()
}

/// The logarithm of the number of ways to choose `some` of `all`.
fn ln_choose(all: u64, some: u64) -> f64 {
    (0..some).map(|i| libm::log((all - i) as f64 / (i + 1) as f64)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Exchangeable {
        Exchangeable {
            small: 1000.0,
            middle: 10_650.0,
            large: 1e9,
            n: 3,
            epsilon: 4.0,
            delta: 1e-12,
            values: vec![300],
        }
    }

    /// If this fails, mh was not refuted by these numbers. They are from `tools/mh_counterexample.py`, 50 digits.
    #[test]
    fn the_counterexample() {
        let [needed, spent] = example().measure(300);
        assert!((needed / 3.6474e-10 - 1.0).abs() < 1e-4, "{needed}");
        assert!((spent - 1.002_97).abs() < 1e-5, "{spent}");
    }

    /// If this fails, candidates are missing or counted twice.
    #[test]
    fn sorts_hold_all_candidates() {
        for k in [4, 7, 300] {
            let sum: f64 = example().sorts().iter().map(|sort| sort.ln_number(k).exp()).sum();
            assert!((sum / ln_choose(k + 2, 3).exp() - 1.0).abs() < 1e-12, "{k}: {sum}");
        }
    }
}
