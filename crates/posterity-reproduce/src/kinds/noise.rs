//! A published bound on the l1 norm of Laplace noise.

use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::some;
use crate::bounds::l1_tail;
use crate::table::ResultTable;

/// `P(||noise||_1 >= m ln(m/gamma) 2/epsilon)` for noise on m counts, of scale 2/epsilon for every m and of scale
/// m/epsilon (000_e4035a1182772560.txt, section 3.1). It does not depend on epsilon.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Noise {
    /// Orders m of the Dirichlet distribution.
    values: Vec<u32>,
    /// Probabilities gamma that the bound is about, one panel for each.
    miss: Vec<f64>,
}

const CURVES: [(&str, &str); 2] = [("scale 2/ε", "noise of scale 2/ε"), ("scale m/ε", "noise of scale m/ε")];

impl Procedure for Noise {
    fn check(&self) -> Result<(), String> {
        some("values", &self.values)?;
        some("miss", &self.miss)?;
        if let Some(wrong) = self.values.iter().find(|&&m| m < 2) {
            return Err(format!("values: {wrong} is no order of a Dirichlet distribution; give at least 2"));
        }
        match self.miss.iter().find(|&&miss| !(miss > 0.0 && miss < 1.0)) {
            Some(wrong) => Err(format!("miss is {wrong}; give probabilities between 0 and 1")),
            None => Ok(()),
        }
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let cells: Vec<(f64, u32)> =
            self.miss.iter().flat_map(|&miss| self.values.iter().map(move |&m| (miss, m))).collect();
        let found = context.compute(&cells, |&(miss, m)| {
            let order = f64::from(m);
            // In units of the scale 2/epsilon.
            let bound = order * libm::log(order / miss);
            Ok([l1_tail(m, bound), l1_tail(m, bound * 2.0 / order)])
        })?;
        let mut table = ResultTable::default();
        for (&(miss, m), probabilities) in cells.iter().zip(&found) {
            for ((series, _), probability) in CURVES.iter().zip(probabilities) {
                let place = Some(f64::from(m));
                table.push(&title(miss), series, "probability", place, *probability);
                table.push(&title(miss), series, "over gamma", place, probability / miss);
            }
        }
        let panel = |&miss: &f64| {
            let series = CURVES.iter().enumerate().map(|(index, (name, label))| Series {
                label: (*label).to_owned(),
                style: Style::plain(index + 1),
                points: table.curve(&title(miss), name, "probability"),
            });
            let panel = Panel {
                title: title(miss),
                x: Axis::linear("order m"),
                y: Axis::log("P(l1 norm reaches the bound)"),
                content: Content::Lines(Lines {
                    series: series.collect(),
                    rules: vec![Rule::Across { label: "γ, the stated probability".to_owned(), at: miss }],
                }),
            };
            (panel, None)
        };
        let panels = self.miss.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }
}

fn title(miss: f64) -> String {
    format!("γ = {miss}")
}
