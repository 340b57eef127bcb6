//! The data size at which lshist overtakes ehd, published and exact.

use crate::bounds::{
    ehd_overtakes_lshist, exact_crossing, lshist_overtakes_ehd, lshist_overtakes_ehd_within_local,
};
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::some;
use crate::table::ResultTable;
use crate::values::EpsilonValue;

/// Sizes over budgets, one panel per number of steps; prior (1, 1), balanced data.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crossover {
    steps: Vec<u64>,
    values: Vec<f64>,
    /// No size above this is looked for.
    limit: u64,
}

const CURVES: [(&str, &str); 4] = [
    ("exact", "exact: lshist leads from here on"),
    ("corollary 4.5.1", "4.5.1: lshist leads above"),
    ("corollary 4.5.2", "4.5.2: ehd leads below"),
    ("corollary 4.5.3", "4.5.3: lshist within LS above"),
];

impl Procedure for Crossover {
    fn check(&self) -> Result<(), String> {
        some("steps", &self.steps)?;
        some("values", &self.values)?;
        self.values.iter().try_for_each(|&value| EpsilonValue::try_from(value).map(drop))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let cells: Vec<(u64, f64)> = self
            .steps
            .iter()
            .flat_map(|&steps| self.values.iter().map(move |&value| (steps, value)))
            .collect();
        let found = context.compute(&cells, |&(steps, value)| {
            let epsilon = EpsilonValue::try_from(value)?.0;
            let exact = exact_crossing(steps, &epsilon, self.limit).map_err(|error| error.to_string())?;
            exact.ok_or_else(|| {
                format!("limit: lshist does not lead up to n = {}; raise the limit", self.limit)
            })
        })?;
        let mut table = ResultTable::default();
        for (&(steps, value), exact) in cells.iter().zip(found) {
            let title = title(steps);
            let mut push = |series: &str, size: f64| table.push(&title, series, "size", Some(value), size);
            push("exact", exact as f64);
            push("corollary 4.5.1", lshist_overtakes_ehd(steps, value));
            push("corollary 4.5.2", ehd_overtakes_lshist(steps, value));
            if steps == 1 {
                push("corollary 4.5.3", lshist_overtakes_ehd_within_local(value));
            }
        }
        let panel = |&steps: &u64| {
            let title = title(steps);
            let series = CURVES.iter().enumerate().map(|(index, (name, label))| Series {
                label: (*label).to_owned(),
                style: if index == 0 { Style::plain(0) } else { Style::plain(index).dashed() },
                points: table.curve(&title, name, "size"),
            });
            let series = series.filter(|one| !one.points.is_empty()).collect();
            let panel = Panel {
                x: Axis::log("budget ε"),
                y: Axis::log("data size n"),
                content: Content::Lines(Lines { series, rules: Vec::new() }),
                title,
            };
            (panel, None)
        };
        let panels = self.steps.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}

fn title(steps: u64) -> String {
    format!("within {steps} step{}", if steps == 1 { "" } else { "s" })
}
