//! The sliding property of mh: the statement of a published lemma against its proof.

use crate::bounds::exact_step;
use posterity_core::mechanism::{Mechanism, mh};
use posterity_core::model::Prior;
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{fits, setting, some, two_categories};
use crate::table::ResultTable;
use crate::values::{CountsValue, DeltaValue, EpsilonValue};

/// `P(u = u(r)) / P(u = u(r) + k)`, bounded by `exp(-epsilon k/(2 S) + ln 2)` in the statement of lemma 5.3 of
/// 002_d2a24f2ea53ee1f7.txt and by `exp(+epsilon k/(2 S) + ln 2)` in its proof.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sliding {
    prior: Prior,
    counts: CountsValue,
    epsilon: EpsilonValue,
    delta: DeltaValue,
    /// The steps of r from the truth, one panel for each.
    from: Vec<i64>,
    /// The steps of the other candidate from the truth.
    steps: Vec<i64>,
}

const CURVES: [(&str, &str); 3] = [
    ("ratio", "exact ratio"),
    ("proof", "proof: exp(+ε k/2S + ln 2)"),
    ("statement", "statement: exp(−ε k/2S + ln 2)"),
];

impl Procedure for Sliding {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("from", &self.from)?;
        some("steps", &self.steps)?;
        fits("", &self.prior, &self.counts.0)
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let cells: Vec<(i64, i64)> =
            self.from.iter().flat_map(|&from| self.steps.iter().map(move |&step| (from, step))).collect();
        let counts = &self.counts.0;
        let mechanism = mh(setting(&self.prior, counts.total(), &self.epsilon.0)?, self.delta.0);
        let scale = mechanism.scale_down(counts).map_err(|error| error.to_string())?;
        let law = mechanism.law(counts, u64::MAX).map_err(|error| error.to_string())?;
        let step = |t: i64| {
            exact_step(&law, t)
                .ok_or_else(|| format!("steps: there is no candidate {t} steps away; choose fewer"))
        };
        let found = context.compute(&cells, |&(from, to)| {
            let (here, there) = (step(from)?, step(to)?);
            let exponent = scale * (there.distance - here.distance);
            let ratio = here.at_distance / there.at_distance;
            Ok([ratio, 2.0 * libm::exp(exponent), 2.0 * libm::exp(-exponent)])
        })?;
        let mut table = ResultTable::default();
        for (&(from, to), numbers) in cells.iter().zip(&found) {
            for ((quantity, _), value) in CURVES.iter().zip(numbers) {
                table.push(&title(from), "mh", quantity, Some(to as f64), *value);
            }
        }
        let panel = |&from: &i64| {
            let series = CURVES.iter().enumerate().map(|(index, (quantity, label))| Series {
                label: (*label).to_owned(),
                style: if index == 0 { Style::plain(0) } else { Style::plain(index).dashed() },
                points: table.curve(&title(from), "mh", quantity),
            });
            let panel = Panel {
                title: title(from),
                x: Axis::linear("steps of the other candidate"),
                y: Axis::log("ratio of probabilities"),
                content: Content::Lines(Lines { series: series.collect(), rules: Vec::new() }),
            };
            (panel, None)
        };
        let panels = self.from.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}

fn title(from: i64) -> String {
    format!("r is {from} steps from the truth")
}
