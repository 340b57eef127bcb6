//! The table of probabilities at some steps from the truth.

use crate::bounds::{exact_step, lsdim_step, lshist_step};
use posterity_core::model::Prior;
use posterity_plot::{Axis, BarKind, Bars, Content, Panel};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{fits, setting, some, two_categories};
use crate::contender::{Contender, styles};
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue};

/// Probabilities of releases some steps from the truth, beside the closed form where one was printed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Steps {
    prior: Prior,
    counts: CountsValue,
    epsilon: EpsilonValue,
    mechanisms: Vec<Contender>,
    /// How many steps up from the truth.
    steps: Vec<i64>,
}

impl Procedure for Steps {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("mechanisms", &self.mechanisms)?;
        some("steps", &self.steps)?;
        fits("", &self.prior, &self.counts.0)
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let n = self.counts.0.total();
        let found = context.compute(&self.mechanisms, |contender| {
            let mechanism = contender.build(&setting(&self.prior, n, &self.epsilon.0)?)?;
            let law = mechanism.law(&self.counts.0, u64::MAX).map_err(|error| error.to_string())?;
            let steps = self.steps.iter().map(|&step| {
                exact_step(&law, step)
                    .ok_or_else(|| format!("steps: there is no candidate {step} steps away; choose fewer"))
            });
            steps.collect::<Result<Vec<_>, String>>()
        })?;
        let epsilon = self.epsilon.0.to_f64();
        let mut table = ResultTable::default();
        for (contender, steps) in self.mechanisms.iter().zip(&found) {
            let series = contender.to_string();
            for (&step, exact) in self.steps.iter().zip(steps) {
                let mut push =
                    |quantity: &str, value| table.push("", &series, quantity, Some(step as f64), value);
                push("distance", exact.distance);
                push("candidate", exact.probability);
                push("at distance", exact.at_distance);
                match contender.mechanism().name {
                    "lsdim" => push("closed form", lsdim_step(2, epsilon, step)),
                    "lshist" => push("closed form", lshist_step(2, epsilon, step)),
                    _ => (),
                }
            }
        }
        let styles = styles(&self.mechanisms);
        let panel = |title: &str, quantity: &str| Panel {
            title: title.to_owned(),
            x: Axis::linear("steps from the truth"),
            y: Axis::linear("probability"),
            content: Content::Bars(Bars {
                groups: self.steps.iter().map(i64::to_string).collect(),
                kinds: self
                    .mechanisms
                    .iter()
                    .zip(&styles)
                    .map(|(contender, &style)| BarKind {
                        label: contender.label(),
                        style,
                        heights: table
                            .curve("", &contender.to_string(), quantity)
                            .into_iter()
                            .map(|point| point.1)
                            .collect(),
                    })
                    .collect(),
            }),
        };
        let row = vec![
            panel("one candidate, t steps up", "candidate"),
            panel("all at the distance c(t)", "at distance"),
        ];
        Ok((table, vec![row]))
    }
}
