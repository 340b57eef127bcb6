//! Sensitivities of two categories along all data sets of a size.

use posterity_core::mechanism::mh_beta;
use posterity_core::model::{Counts, Prior};
use posterity_core::sensitivity::{PUBLISHED_GLOBAL, beta_smooth, gamma_smooth, global, local};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{setting, two_categories};
use crate::table::ResultTable;
use crate::values::{DeltaValue, EpsilonValue, GammaValue};
use posterity::number::brief;

/// The local sensitivity and smooth bounds on it over the number of ones.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SensitivityCurves {
    prior: Prior,
    n: u64,
    /// Other priors, for which only the global sensitivity is computed.
    #[serde(default)]
    others: Vec<Prior>,
    #[serde(default)]
    gamma: Vec<GammaValue>,
    /// With delta, the beta of mh.
    epsilon: EpsilonValue,
    delta: DeltaValue,
}

impl Procedure for SensitivityCurves {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        setting(&self.prior, self.n, &self.epsilon.0).map(drop)
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let beta = mh_beta(&setting(&self.prior, self.n, &self.epsilon.0)?, self.delta.0);
        let smooth: Vec<String> =
            self.gamma.iter().map(|gamma| format!("S, γ = {}", brief(gamma.0.value()))).collect();
        let cells: Vec<u64> = (0..=self.n).collect();
        let found = context.compute(&cells, |&ones| {
            let counts = Counts::new(vec![ones, self.n - ones]).map_err(|error| error.to_string())?;
            let say = |error: posterity_core::model::PriorError| error.to_string();
            let mut values = vec![("LS".to_owned(), local(&self.prior, &counts).map_err(say)?)];
            for (name, gamma) in smooth.iter().zip(&self.gamma) {
                values.push((name.clone(), gamma_smooth(&self.prior, &counts, gamma.0).map_err(say)?));
            }
            values.push(("S, beta".to_owned(), beta_smooth(&self.prior, &counts, beta).map_err(say)?));
            values.push(("GS".to_owned(), global(&self.prior, self.n)));
            values.push(("GS, published".to_owned(), PUBLISHED_GLOBAL));
            Ok((ones, values))
        })?;
        let mut table = ResultTable::default();
        let mut names: Vec<String> = Vec::new();
        for (ones, values) in found {
            for (name, value) in values {
                table.push("", &name, "sensitivity", Some(ones as f64), value);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        for (name, gamma) in smooth.iter().zip(&self.gamma) {
            for pair in table.curve("", name, "sensitivity").windows(2) {
                let step = (1.0 / pair[1].1 - 1.0 / pair[0].1).abs() / gamma.0.value();
                table.push("", name, "step of 1/S over gamma", Some(pair[1].0), step);
            }
        }
        for name in &names {
            // Where the local sensitivity is largest: at both ends, of which the first is named.
            table.push("", name, "end", None, 0.0);
            table.push("", name, "middle", None, (self.n / 2) as f64);
        }
        for prior in &self.others {
            let parameters: Vec<String> = prior.parameters().iter().map(|alpha| brief(*alpha)).collect();
            let panel = format!("prior ({})", parameters.join(", "));
            table.push(&panel, "GS", "sensitivity", None, global(prior, self.n));
            table.push(&panel, "GS, published", "sensitivity", None, PUBLISHED_GLOBAL);
        }
        table.push("", "S, beta", "beta", None, beta);
        let drawn = names.iter().filter(|name| *name != "GS, published").enumerate();
        let series = drawn
            .map(|(index, name)| Series {
                label: match name.as_str() {
                    "LS" => "local, LS".to_owned(),
                    "GS" => "global, GS".to_owned(),
                    "S, beta" => format!("smooth, beta = {}", brief(beta)),
                    other => other.replace("S, ", "smooth, "),
                },
                style: match name.as_str() {
                    "GS" => Style::plain(index).dashed().unmarked(),
                    // Smooth sensitivities with large gamma lie on it.
                    "LS" => Style::plain(index).unmarked(),
                    _ => Style::plain(index),
                },
                points: table.curve("", name, "sensitivity"),
            })
            .collect();
        let rules = vec![Rule::Across {
            label: format!("published constant, {}", brief(PUBLISHED_GLOBAL)),
            at: PUBLISHED_GLOBAL,
        }];
        let panel = Panel {
            title: String::new(),
            x: Axis::linear(format!("ones among n = {} records", self.n)),
            y: Axis::linear("sensitivity").including(0.0),
            content: Content::Lines(Lines { series, rules }),
        };
        Ok((table, vec![vec![panel]]))
    }
}
