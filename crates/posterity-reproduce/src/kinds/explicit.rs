//! The explicit (epsilon', delta) that a published proof gives for mh, beside what an audit finds.

use posterity_core::audit::audit;
use posterity_core::distance::hellinger_of_counts;
use posterity_core::mechanism::{Mechanism, Mh, mh};
use posterity_core::model::{Counts, Prior};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{setting, some, two_categories};
use crate::contender::PROBABILITIES;
use crate::table::ResultTable;
use crate::values::{DeltaValue, EpsilonValue};

/// What 002_d2a24f2ea53ee1f7.txt, lemma 5.5, says about mh: in the case that it takes for the largest, where r is the
/// posterior of x, `epsilon' = 2 ln 2 + epsilon H(x, x')/(2 S(x)) + epsilon/2` and
/// `delta = 2 exp(epsilon H(x, x')/(2 S(x))) (1 - card(R) exp(epsilon/(2 (1 - q))))`,
/// `q = S(x)/S(x') ln(NL(x)/NL(x'))`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explicit {
    prior: Prior,
    epsilon: EpsilonValue,
    delta: DeltaValue,
    values: Vec<u64>,
    quick: Option<Vec<u64>>,
}

/// What was found at one size.
struct Found {
    epsilon: f64,
    /// The least and the largest delta of the formula over all adjacent pairs.
    deltas: [f64; 2],
    loss: f64,
    /// The audited delta at epsilon'.
    audited: f64,
}

impl Procedure for Explicit {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("values", &self.values)?;
        match self.values.iter().chain(self.quick.iter().flatten()).find(|&&n| n == 0) {
            Some(_) => Err("values: 0 is no data size; give positive numbers".to_owned()),
            None => Ok(()),
        }
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let sizes = context.mode.choose(self.values.clone(), self.quick.clone());
        let found = context.compute(&sizes, |&n| self.measure(n))?;
        let mut table = ResultTable::default();
        for (&n, one) in sizes.iter().zip(&found) {
            let mut push = |series: &str, quantity: &str, value| {
                table.push("", series, quantity, Some(n as f64), value);
            };
            push("lemma 5.5", "epsilon", one.epsilon);
            push("lemma 5.5, least", "delta", one.deltas[0]);
            push("lemma 5.5, largest", "delta", one.deltas[1]);
            push("audit", "epsilon", one.loss);
            push("audit", "delta", one.audited);
        }
        let epsilon = self.epsilon.0.to_f64();
        let series = |label: &str, name: &str, quantity: &str, style| Series {
            label: label.to_owned(),
            style,
            points: table.curve("", name, quantity),
        };
        let panel = |title: &str, y: &str, series, rules| Panel {
            title: title.to_owned(),
            x: Axis::log("data size n"),
            y: Axis::linear(y).including(0.0),
            content: Content::Lines(Lines { series, rules }),
        };
        let first = panel(
            "epsilon",
            "ε of (ε, δ)",
            vec![
                series("ε' of lemma 5.5", "lemma 5.5", "epsilon", Style::plain(1).dashed()),
                series("audited loss, δ = 0", "audit", "epsilon", Style::mechanism(&Mh::DESCRIPTION)),
            ],
            vec![Rule::Across { label: "ε given to mh".to_owned(), at: epsilon }],
        );
        let second = panel(
            "delta",
            "δ at ε'",
            vec![
                series(
                    "formula, largest over pairs",
                    "lemma 5.5, largest",
                    "delta",
                    Style::plain(2).dashed(),
                ),
                series("formula, least over pairs", "lemma 5.5, least", "delta", Style::plain(3).dashed()),
                series("audited δ at ε'", "audit", "delta", Style::plain(0)),
            ],
            Vec::new(),
        );
        Ok((table, vec![vec![first, second]]))
    }
}

impl Explicit {
    fn measure(&self, n: u64) -> Result<Found, String> {
        let say = |error: &dyn std::fmt::Display| error.to_string();
        let epsilon = self.epsilon.0.to_f64();
        let mechanism = mh(setting(&self.prior, n, &self.epsilon.0)?, self.delta.0);
        let counts = |ones: u64| Counts::new(vec![ones, n - ones]).map_err(|error| say(&error));
        let mut scales = Vec::new();
        let mut normalisers = Vec::new();
        for ones in 0..=n {
            let data = counts(ones)?;
            scales.push(mechanism.scale_down(&data).map_err(|error| say(&error))?);
            let law = mechanism.ln_probabilities(&data).map_err(|error| say(&error))?;
            // The truth weighs one and is the likeliest, so its probability is one over the normaliser.
            normalisers.push(-law.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
        let mut found =
            Found { epsilon: 0.0, deltas: [f64::INFINITY, f64::NEG_INFINITY], loss: 0.0, audited: 0.0 };
        for x in 0..=n {
            for other in [x.checked_sub(1), (x < n).then_some(x + 1)].into_iter().flatten() {
                let distance = hellinger_of_counts(&self.prior, &[x, n - x], &[other, n - other]);
                let distance = distance.map_err(|error| say(&error))?;
                let (here, there) = (x as usize, other as usize);
                // The scale is epsilon / (2 S).
                let exponent = scales[here] * distance;
                found.epsilon = found.epsilon.max(2.0 * std::f64::consts::LN_2 + exponent + 0.5 * epsilon);
                let q = scales[there] / scales[here] * (normalisers[here] - normalisers[there]);
                let rest = 1.0 - (n + 1) as f64 * libm::exp(0.5 * epsilon / (1.0 - q));
                let delta = 2.0 * libm::exp(exponent) * rest;
                found.deltas = [found.deltas[0].min(delta), found.deltas[1].max(delta)];
            }
        }
        let audited =
            audit(&mechanism, &[found.epsilon], PROBABILITIES, &|_| ()).map_err(|error| say(&error))?;
        found.loss = audited.loss_up();
        // Where the loss is at most epsilon', nothing is left for delta.
        found.audited = if found.loss <= found.epsilon { 0.0 } else { audited.profile_up()[0].1 };
        Ok(found)
    }
}
