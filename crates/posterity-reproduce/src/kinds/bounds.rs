//! Published bounds on `P(H < t)` beside the exact probability.

use crate::bounds::within;
use posterity_core::model::Prior;
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{fits, setting, some, two_categories};
use crate::contender::Contender;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue};
use posterity::number::brief;

/// Theorem 4.5 of the research against exact laws, one panel for each mechanism and data set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    prior: Prior,
    data: Vec<Data>,
    /// Some of lszhang, lshist, ehd and ehdl.
    mechanisms: Vec<Contender>,
    /// The largest t.
    reach: f64,
    /// How many t, evenly spread.
    points: usize,
}

/// The counts, and the budget there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    counts: CountsValue,
    epsilon: EpsilonValue,
}

impl Data {
    /// The name of a panel.
    fn title(&self, contender: &Contender) -> String {
        format!("{contender}, {}, ε = {}", self.counts.title(), brief(self.epsilon.0.to_f64()))
    }
}

const PARTS: [(&str, &str); 4] =
    [("exact", "exact"), ("lower", "lower bound"), ("equal", "said to be equal"), ("upper", "upper bound")];

impl Procedure for Bounds {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("mechanisms", &self.mechanisms)?;
        some("data", &self.data)?;
        self.data.iter().try_for_each(|data| fits("", &self.prior, &data.counts.0))?;
        if self.points == 0 || !(self.reach > 0.0 && self.reach <= 1.0) {
            return Err(format!(
                "reach is {} and points {}; give a distance from 0 to 1 and a positive number",
                self.reach, self.points
            ));
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let panels: Vec<(&Contender, &Data)> =
            self.data.iter().flat_map(|data| self.mechanisms.iter().map(move |one| (one, data))).collect();
        // Each t lies in the middle of an interval, so that it is not a distance that occurs.
        let middle = |i: usize| self.reach * (i as f64 + 0.5) / self.points as f64;
        let cells: Vec<(&Contender, &Data, f64)> = panels
            .iter()
            .flat_map(|&(one, data)| (0..self.points).map(move |i| (one, data, middle(i))))
            .collect();
        let found = context.compute(&cells, |&(contender, data, t)| {
            let counts = &data.counts.0;
            let mechanism = contender.build(&setting(&self.prior, counts.total(), &data.epsilon.0)?)?;
            within(&*mechanism, counts, t, u64::MAX).map_err(|error| format!("{contender}: {error}"))
        })?;
        let mut table = ResultTable::default();
        for ((contender, data, t), found) in cells.iter().zip(found) {
            let (title, series) = (data.title(contender), contender.to_string());
            let published = found.published;
            let parts = [Some(found.exact), Some(published.lower), published.equal, published.upper];
            for ((quantity, _), value) in PARTS.iter().zip(parts) {
                if let Some(value) = value {
                    table.push(&title, &series, quantity, Some(*t), value);
                }
            }
        }
        let panel = |&(contender, data): &(&Contender, &Data)| {
            let title = data.title(contender);
            let series = PARTS.iter().enumerate().map(|(index, (quantity, label))| {
                let points = table.curve(&title, &contender.to_string(), quantity);
                Series {
                    label: (*label).to_owned(),
                    style: match index {
                        0 => Style::plain(0),
                        1 => Style::plain(1).unmarked(),
                        2 => Style::plain(3).dashed().unmarked(),
                        _ => Style::plain(2).dotted().unmarked(),
                    },
                    // Every probability is at most one, so a larger bound is drawn at one.
                    points: points.into_iter().map(|(t, value)| (t, value.min(1.0))).collect(),
                }
            });
            let series = series.filter(|one| !one.points.is_empty()).collect();
            let panel = Panel {
                title: title.clone(),
                x: Axis::linear("t").including(0.0),
                y: Axis::linear("P(H < t)").including(0.0).including(1.0),
                content: Content::Lines(Lines { series, rules: Vec::new() }),
            };
            (panel, None)
        };
        let panels = panels.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}
