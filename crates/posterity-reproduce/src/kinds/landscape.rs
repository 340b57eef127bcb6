//! What each data set adds to a smooth sensitivity.

use posterity_core::mechanism::mh_beta;
use posterity_core::model::{Counts, Prior};
use posterity_core::sensitivity::{beta_smooth, gamma_smooth, local};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{fits, setting, some, two_categories};
use crate::table::ResultTable;
use crate::values::{CountsValue, DeltaValue, EpsilonValue, GammaValue};
use posterity::number::brief;

/// `1/(1/LS(x') + gamma d)` and `LS(x') exp(-beta d)` over all x', for given x.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Landscape {
    prior: Prior,
    counts: Vec<CountsValue>,
    gamma: Vec<GammaValue>,
    /// With delta, the beta of mh.
    epsilon: EpsilonValue,
    delta: DeltaValue,
}

impl Procedure for Landscape {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("counts", &self.counts)?;
        some("gamma", &self.gamma)?;
        self.counts.iter().try_for_each(|counts| fits(&counts.title(), &self.prior, &counts.0))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let found = context.compute(&self.counts, |data| self.around(data))?;
        let mut table = ResultTable::default();
        let mut panels = Vec::new();
        for (data, curves) in self.counts.iter().zip(found) {
            let title = data.title();
            let truth = data.0.as_slice()[0] as f64;
            let mut series = Vec::new();
            for (index, curve) in curves.into_iter().enumerate() {
                let mut most = (0.0, 0.0);
                for (ones, value) in curve.values.into_iter().enumerate() {
                    table.push(&title, &curve.name, "discounted", Some(ones as f64), value);
                    if value > most.1 {
                        most = (ones as f64, value);
                    }
                }
                table.push(&title, &curve.name, "maximum", None, most.1);
                table.push(&title, &curve.name, "maximum distance", None, (most.0 - truth).abs());
                table.push(&title, &curve.name, "closed form", None, curve.closed);
                table.push(&title, &curve.name, "truth", None, truth);
                let style = Style::plain(index + 1);
                let points = table.curve(&title, &curve.name, "discounted");
                series.push(Series { label: curve.label, style, points });
            }
            let panel = Panel {
                title: format!("x = {title}"),
                x: Axis::linear(format!("ones of x', of n = {}", data.0.total())),
                y: Axis::log("discounted LS(x')"),
                content: Content::Lines(Lines {
                    series,
                    rules: vec![Rule::Upright { label: "x".to_owned(), at: truth }],
                }),
            };
            panels.push((panel, None));
        }
        Ok((table, arranged(panels)))
    }
}

impl Landscape {
    fn around(&self, data: &CountsValue) -> Result<Vec<DiscountedCurve>, String> {
        let (n, truth) = (data.0.total(), data.0.as_slice()[0]);
        let beta = mh_beta(&setting(&self.prior, n, &self.epsilon.0)?, self.delta.0);
        let say = |error: posterity_core::model::PriorError| error.to_string();
        let mut locals = Vec::new();
        for ones in 0..=n {
            let counts = Counts::new(vec![ones, n - ones]).map_err(|error| error.to_string())?;
            locals.push((local(&self.prior, &counts).map_err(say)?, ones.abs_diff(truth) as f64));
        }
        let mut curves = Vec::new();
        for gamma in &self.gamma {
            let value = gamma.0.value();
            curves.push(DiscountedCurve {
                name: format!("gamma {}", brief(value)),
                label: format!("1/(1/LS + γ d), γ = {}", brief(value)),
                values: locals.iter().map(|(ls, d)| 1.0 / (1.0 / ls + value * d)).collect(),
                closed: gamma_smooth(&self.prior, &data.0, gamma.0).map_err(say)?,
            });
        }
        curves.push(DiscountedCurve {
            name: "beta".to_owned(),
            label: format!("LS exp(−beta d), beta = {}", brief(beta)),
            values: locals.iter().map(|(ls, d)| ls * libm::exp(-beta * d)).collect(),
            closed: beta_smooth(&self.prior, &data.0, beta).map_err(say)?,
        });
        Ok(curves)
    }
}

struct DiscountedCurve {
    name: String,
    label: String,
    values: Vec<f64>,
    closed: f64,
}
