//! The error radius of lshist against the distance of so many steps.

use crate::bounds::error_radius;
use posterity_core::distance::hellinger_of_counts;
use posterity_core::mechanism::{Lshist, Spec};
use posterity_core::model::Prior;
use posterity_core::sensitivity::local;
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{fits, setting, some, two_categories};
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue};

/// The radius that lshist misses with probability `exp(-steps epsilon)`, beside the largest distance within so many
/// steps.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Radius {
    prior: Prior,
    counts: Vec<CountsValue>,
    epsilon: EpsilonValue,
    /// Numbers of steps `ln(1/gamma)/epsilon`, not only whole ones.
    values: Vec<f64>,
}

const CURVES: [(&str, &str); 4] = [
    ("radius", "error radius"),
    ("within", "largest H within the steps"),
    ("within, rounded up", "the same, steps rounded up"),
    ("steps times LS", "steps × LS"),
];

impl Procedure for Radius {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("counts", &self.counts)?;
        some("values", &self.values)?;
        if let Some(wrong) = self.values.iter().find(|value| !(value.is_finite() && **value > 0.0)) {
            return Err(format!("values: {wrong} is no number of steps; give positive numbers"));
        }
        self.counts.iter().try_for_each(|counts| fits(&counts.title(), &self.prior, &counts.0))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let cells: Vec<(&CountsValue, f64)> = self
            .counts
            .iter()
            .flat_map(|counts| self.values.iter().map(move |&steps| (counts, steps)))
            .collect();
        let found = context.compute(&cells, |&(counts, steps)| self.measure(counts, steps))?;
        let mut table = ResultTable::default();
        for (&(counts, steps), numbers) in cells.iter().zip(&found) {
            for ((quantity, _), value) in CURVES.iter().zip(numbers) {
                table.push(&counts.title(), "lshist", quantity, Some(steps), *value);
            }
        }
        let panel = |counts: &CountsValue| {
            let series = CURVES.iter().enumerate().map(|(index, (quantity, label))| Series {
                label: (*label).to_owned(),
                style: if index == 0 { Style::plain(0) } else { Style::plain(index).dashed() },
                points: table.curve(&counts.title(), "lshist", quantity),
            });
            let panel = Panel {
                title: format!("x = {}", counts.title()),
                x: Axis::linear("steps, ln(1/γ)/ε").including(0.0),
                y: Axis::linear("Hellinger distance").including(0.0),
                content: Content::Lines(Lines { series: series.collect(), rules: Vec::new() }),
            };
            (panel, None)
        };
        let panels = self.counts.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}

impl Radius {
    /// The numbers of [`CURVES`].
    fn measure(&self, counts: &CountsValue, steps: f64) -> Result<[f64; 4], String> {
        let counts = &counts.0;
        let say = |error: &dyn std::fmt::Display| error.to_string();
        let lshist = Spec::from(Lshist::default())
            .fit(setting(&self.prior, counts.total(), &self.epsilon.0)?)
            .map_err(|error| say(&error))?;
        let gamma = libm::exp(-steps * self.epsilon.0.to_f64());
        let radius = error_radius(&*lshist, counts, gamma, u64::MAX).map_err(|error| say(&error))?.radius;
        let truth = counts.as_slice();
        let within = |most: u64| -> Result<f64, String> {
            let mut largest = 0.0_f64;
            for (from, to) in [(0, 1), (1, 0)] {
                let moved = most.min(truth[from]);
                let mut other = truth.to_vec();
                other[from] -= moved;
                other[to] += moved;
                // The distance grows with the number of steps.
                let distance =
                    hellinger_of_counts(&self.prior, truth, &other).map_err(|error| say(&error))?;
                largest = largest.max(distance);
            }
            Ok(largest)
        };
        let local = local(&self.prior, counts).map_err(|error| say(&error))?;
        Ok([radius, within(steps.floor() as u64)?, within(steps.ceil() as u64)?, steps * local])
    }
}
