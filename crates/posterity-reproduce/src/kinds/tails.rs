//! Published bounds on the tail of the distance, and the number N(n) that one of them asks for.

use crate::bounds::TailBounds;
use posterity_core::model::{Counts, Prior};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::{arranged, distinguished};
use super::validity::{fits, setting, some, two_categories};
use crate::contender::Contender;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue};

/// `P(H >= c)` with its bounds at one data set, and the least normaliser over all data sets of a size.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tails {
    prior: Prior,
    counts: CountsValue,
    epsilon: EpsilonValue,
    /// Exponential mechanisms.
    mechanisms: Vec<Contender>,
    /// Distances c.
    values: Vec<f64>,
    /// Sizes at which all data sets are looked at.
    sizes: Vec<u64>,
    quick: Option<Vec<u64>>,
    /// The limits of the least normaliser, in the order of the mechanisms.
    #[serde(default)]
    limits: Vec<f64>,
}

const CURVES: [(&str, &str); 5] = [
    ("exact", "exact"),
    ("with NL", "|R| exp(−s c)/NL"),
    ("as printed", "|R| exp(−2 s c)/NL, as printed"),
    ("with 1", "|R| exp(−s c)"),
    ("with N(n)", "|R| exp(−s c)/N(n)"),
];

/// The normalisers of all data sets of a size: the least, where it is, and those at balanced data and at an edge.
struct Normalisers {
    least: f64,
    at: f64,
    balanced: f64,
    edge: f64,
}

impl Procedure for Tails {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("mechanisms", &self.mechanisms)?;
        some("values", &self.values)?;
        some("sizes", &self.sizes)?;
        fits("", &self.prior, &self.counts.0)?;
        match self.mechanisms.iter().find(|one| !one.mechanism().tunable) {
            Some(other) => {
                Err(format!("mechanisms: {other} is no exponential mechanism; choose ehd, ehds or mh"))
            }
            None => Ok(()),
        }
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let sizes = context.mode.choose(self.sizes.clone(), self.quick.clone());
        let bounds = context.compute(&self.mechanisms, |one| self.bounds(one))?;
        let cells: Vec<(&Contender, u64)> =
            self.mechanisms.iter().flat_map(|one| sizes.iter().map(move |&n| (one, n))).collect();
        let normalisers = context.compute(&cells, |&(one, n)| self.normalisers(one, n))?;
        let mut table = ResultTable::default();
        for (contender, rows) in self.mechanisms.iter().zip(&bounds) {
            for (&c, row) in self.values.iter().zip(rows) {
                for (quantity, value) in row {
                    table.push("", &contender.to_string(), quantity, Some(c), *value);
                }
            }
        }
        for (&(contender, n), found) in cells.iter().zip(&normalisers) {
            let mut push = |quantity: &str, value| {
                table.push("", &contender.to_string(), quantity, Some(n as f64), value);
            };
            push("N(n)", found.least);
            push("ones at N(n)", found.at);
            push("NL, balanced", found.balanced);
            push("NL, edge", found.edge);
        }
        let mut panels: Vec<(Panel, Option<Panel>)> = Vec::new();
        for contender in &self.mechanisms {
            panels.push((self.tail(contender, &table), None));
        }
        for (index, contender) in self.mechanisms.iter().enumerate() {
            panels.push((self.numbers(contender, index, &table), None));
        }
        Ok((table, arranged(panels)))
    }
}

impl Tails {
    /// The tail and its bounds at every distance.
    fn bounds(&self, contender: &Contender) -> Result<Vec<Vec<(&'static str, f64)>>, String> {
        let counts = &self.counts.0;
        let n = counts.total();
        let mechanism = contender.build(&setting(&self.prior, n, &self.epsilon.0)?)?;
        let exponential =
            mechanism.tunable().ok_or_else(|| format!("{contender}: no exponential mechanism"))?;
        let scale = exponential.scale_down(counts).map_err(|error| error.to_string())?;
        let least = self.normalisers(contender, n)?.least;
        let one = |&c: &f64| {
            let found =
                TailBounds::new(exponential, counts, c, u64::MAX).map_err(|error| error.to_string())?;
            Ok(vec![
                ("exact", found.tight),
                ("with NL", found.loose),
                ("with N(n)", found.loosest / least),
                ("with 1", found.loosest),
                // The research has twice the scale in the exponent.
                ("as printed", found.loose * libm::exp(-scale * c)),
            ])
        };
        self.values.iter().map(one).collect()
    }

    /// The normaliser of a data set is one over the probability of the truth, which weighs one.
    fn normalisers(&self, contender: &Contender, n: u64) -> Result<Normalisers, String> {
        let mechanism = contender.build(&setting(&self.prior, n, &self.epsilon.0)?)?;
        let normaliser = |ones: u64| -> Result<f64, String> {
            let counts = Counts::new(vec![ones, n - ones]).map_err(|error| error.to_string())?;
            let law = mechanism.ln_probabilities(&counts).map_err(|error| error.to_string())?;
            let truth = law.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Ok(libm::exp(-truth))
        };
        let mut found = Normalisers { least: f64::INFINITY, at: 0.0, balanced: 0.0, edge: 0.0 };
        for ones in 0..=n {
            let here = normaliser(ones)?;
            if here < found.least {
                (found.least, found.at) = (here, ones as f64);
            }
            if ones == n / 2 {
                found.balanced = here;
            }
            if ones == 0 {
                found.edge = here;
            }
        }
        Ok(found)
    }

    fn tail(&self, contender: &Contender, table: &ResultTable) -> Panel {
        let series = CURVES.iter().enumerate().map(|(index, (quantity, label))| {
            let points = table.curve("", &contender.to_string(), quantity);
            let style = if index == 0 { Style::plain(0) } else { Style::plain(index).dashed() };
            let points = points.into_iter().map(|(c, value)| (c, value.min(1.0))).collect();
            Series { label: (*label).to_owned(), style, points }
        });
        Panel {
            title: format!("{}: P(H at least c)", contender.label()),
            x: Axis::linear("distance c").including(0.0),
            y: Axis::linear("probability, at most 1").including(0.0).including(1.0),
            content: Content::Lines(Lines { series: distinguished(series.collect(), 1), rules: Vec::new() }),
        }
    }

    fn numbers(&self, contender: &Contender, index: usize, table: &ResultTable) -> Panel {
        let curves = [
            ("NL, edge", "NL at (0, n)"),
            ("NL, balanced", "NL at balanced data"),
            ("N(n)", "N(n): the least NL"),
        ];
        let series = curves.iter().enumerate().map(|(index, (quantity, label))| Series {
            label: (*label).to_owned(),
            style: Style::plain(index + 4),
            points: table.curve("", &contender.to_string(), quantity),
        });
        let limit = self.limits.get(index).map(|&at| Rule::Across { label: "limit of N(n)".to_owned(), at });
        Panel {
            title: format!("{}: normalisers", contender.label()),
            x: Axis::log("data size n"),
            y: Axis::log("normaliser").including(1.0),
            content: Content::Lines(Lines {
                series: distinguished(series.collect(), self.mechanisms.len()),
                rules: limit.into_iter().collect(),
            }),
        }
    }
}
