//! The sliding and the dilation property of mh as two documents state them.

use posterity_core::mechanism::{Mechanism, OutputLaw, mh, mh_beta};
use posterity_core::model::Prior;
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{fits, setting, some, two_categories};
use crate::bounds::{ExactStep, exact_step};
use crate::table::ResultTable;
use crate::values::{CountsValue, DeltaValue, EpsilonValue};

/// Lemmas 2.1 and 2.2 of 000_e4035a1182772560.txt and lemma 5.4 of 002_d2a24f2ea53ee1f7.txt at given data, for each
/// candidate r above the truth. All bound `P(u = u(r))`:
///
/// - sliding: by `exp(epsilon/2) P(u = u(t)) + delta/2`, for all scores of t that are at most S(x) worse;
/// - dilation: by `exp(epsilon/2) P(u = exp(lambda) u(r)) + delta/2`, for all lambda up to beta;
/// - lemma 5.4: as dilation, with `delta'/2 = 1 - card(R) exp(epsilon/(2 (1 - exp(lambda))))` for `delta/2`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lemmas {
    prior: Prior,
    counts: Vec<CountsValue>,
    epsilon: EpsilonValue,
    delta: DeltaValue,
    /// How many steps of r from the truth.
    steps: i64,
}

const CURVES: [(&str, &str); 3] =
    [("left", "P(u = u(r))"), ("sliding", "sliding, lemma 2.1"), ("dilation", "dilation, lemma 2.2")];

impl Procedure for Lemmas {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("counts", &self.counts)?;
        if self.steps < 1 {
            return Err(format!("steps is {}; give a positive number", self.steps));
        }
        self.counts.iter().try_for_each(|counts| fits(&counts.title(), &self.prior, &counts.0))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let found = context.compute(&self.counts, |counts| self.measure(counts))?;
        let mut table = ResultTable::default();
        for (counts, numbers) in self.counts.iter().zip(found) {
            for (quantity, step, value) in numbers {
                table.push(&counts.title(), "mh", quantity, Some(step as f64), value);
            }
        }
        let panel = |counts: &CountsValue| {
            let series = CURVES.iter().enumerate().map(|(index, (quantity, label))| Series {
                label: (*label).to_owned(),
                style: if index == 0 { Style::plain(0) } else { Style::plain(index).dashed() },
                points: table.curve(&counts.title(), "mh", quantity),
            });
            let panel = Panel {
                title: counts.title(),
                x: Axis::linear("steps of r from the truth"),
                y: Axis::log("probability"),
                content: Content::Lines(Lines { series: series.collect(), rules: Vec::new() }),
            };
            (panel, None)
        };
        let panels = self.counts.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}

impl Lemmas {
    /// The probability of each distance with the least of its bounds.
    fn measure(&self, counts: &CountsValue) -> Result<Vec<(&'static str, i64, f64)>, String> {
        let counts = &counts.0;
        let setting = setting(&self.prior, counts.total(), &self.epsilon.0)?;
        let (epsilon, beta) = (setting.epsilon().to_f64(), mh_beta(&setting, self.delta.0));
        let candidates = counts.total() as f64 + 1.0;
        let mechanism = mh(setting, self.delta.0);
        let scale = mechanism.scale_down(counts).map_err(|error| error.to_string())?;
        let sensitivity = 0.5 * epsilon / scale;
        let law = mechanism.law(counts, u64::MAX).map_err(|error| error.to_string())?;
        let all = steps(&law);
        let half = 0.5 * self.delta.0.value();
        let mut numbers = Vec::new();
        for step in 0..=self.steps {
            let Some(r) = exact_step(&law, step) else { break };
            let least = |allowed: &dyn Fn(&ExactStep) -> bool| {
                let bounds =
                    all.iter().filter(|t| allowed(t)).map(|t| libm::exp(0.5 * epsilon) * t.at_distance);
                bounds.fold(f64::INFINITY, f64::min) + half
            };
            let slides = |t: &ExactStep| t.distance <= r.distance + sensitivity;
            let dilates =
                |t: &ExactStep| t.distance > r.distance && t.distance <= r.distance * libm::exp(beta);
            numbers.push(("left", step, r.at_distance));
            numbers.push(("sliding", step, least(&slides)));
            if r.distance > 0.0 {
                // Where no candidate has the score exp(lambda) u(r), its probability is zero.
                let dilation = least(&dilates);
                numbers.push(("dilation", step, if dilation.is_finite() { dilation } else { half }));
                numbers.push(("number at the distance", step, (r.at_distance / r.probability).round()));
            }
        }
        for (name, lambda) in [("half delta', lambda = beta", beta), ("half delta', lambda = -beta", -beta)] {
            let half = 1.0 - candidates * libm::exp(0.5 * epsilon / (1.0 - libm::exp(lambda)));
            numbers.push((name, 0, half));
        }
        Ok(numbers)
    }
}

/// Every candidate, on both sides of the truth.
fn steps(law: &OutputLaw) -> Vec<ExactStep> {
    let far = law.len() as i64;
    (-far..=far).filter_map(|step| exact_step(law, step)).collect()
}
