//! How much the score of each candidate changes between adjacent data sets.

use posterity_core::distance::hellinger_of_counts;
use posterity_core::model::Prior;
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{distinct, fits, some, two_categories};
use crate::table::ResultTable;
use crate::values::CountsValue;

/// `max over adjacent x' of abs(H(BI(x), r) - H(BI(x'), r))` for every candidate r.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Candidates {
    prior: Prior,
    counts: Vec<CountsValue>,
}

impl Procedure for Candidates {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("counts", &self.counts)?;
        let titles: Vec<String> = self.counts.iter().map(CountsValue::title).collect();
        distinct(titles.iter().map(String::as_str))?;
        self.counts.iter().try_for_each(|counts| fits(&counts.title(), &self.prior, &counts.0))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let found = context.compute(&self.counts, |data| self.changes(data))?;
        let mut table = ResultTable::default();
        let mut panels = Vec::new();
        for (data, changes) in self.counts.iter().zip(found) {
            let title = data.title();
            let truth = data.0.as_slice()[0] as f64;
            for (ones, change) in changes.into_iter().enumerate() {
                table.push(&title, "change", "change", Some(ones as f64), change);
            }
            table.push(&title, "change", "truth", None, truth);
            let series = vec![Series {
                label: "largest change over adjacent data".to_owned(),
                style: Style::plain(1),
                points: table.curve(&title, "change", "change"),
            }];
            let panel = Panel {
                title: format!("x = {title}"),
                x: Axis::linear(format!("ones of r, of n = {}", data.0.total())),
                y: Axis::linear("change of the score").including(0.0),
                content: Content::Lines(Lines {
                    series,
                    rules: vec![Rule::Upright { label: "r = BI(x)".to_owned(), at: truth }],
                }),
            };
            panels.push((panel, None));
        }
        Ok((table, arranged(panels)))
    }
}

impl Candidates {
    fn changes(&self, data: &CountsValue) -> Result<Vec<f64>, String> {
        let n = data.0.total();
        let truth = data.0.as_slice();
        let neighbours: Vec<[u64; 2]> = [truth[0].checked_sub(1), Some(truth[0] + 1)]
            .into_iter()
            .flatten()
            .filter(|&ones| ones <= n)
            .map(|ones| [ones, n - ones])
            .collect();
        let distance = |from: &[u64], to: &[u64]| {
            hellinger_of_counts(&self.prior, from, to).map_err(|error| error.to_string())
        };
        (0..=n)
            .map(|ones| {
                let candidate = [ones, n - ones];
                let here = distance(truth, &candidate)?;
                let mut most = 0.0_f64;
                for neighbour in &neighbours {
                    most = most.max((distance(neighbour, &candidate)? - here).abs());
                }
                Ok(most)
            })
            .collect()
    }
}
