//! One figure of merit over a range of sizes, budgets, priors or smoothings.

use crate::bounds::{error_radius, scaled_limit};
use posterity_core::accuracy::{MAX_VARIABLES, limit};
use posterity_core::audit::{audit, audit_at};
use posterity_core::model::{Counts, Epsilon, Gamma, Prior, Setting};
use posterity_core::sensitivity::local;
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::{arranged, distinguished, titles, united};
use super::validity::{distinct, fits, repeated, setting, some, two_categories};
use crate::contender::{BEST_MEAN, Contender, EXACT_MEDIAN, PROBABILITIES, best_mean, styles};
use crate::delta::least_delta;
use crate::mode::Mode;
use crate::seed::stream;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue, MetricValue};
use posterity::number::digits;

/// Lines over a range.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sweep {
    over: Over,
    measure: Measure,
    epsilon: EpsilonValue,
    values: Vec<f64>,
    /// The values of a quick pass.
    quick: Option<Vec<f64>>,
    mechanisms: Vec<Contender>,
    #[serde(default)]
    beyond: Vec<Contender>,
    /// The number of releases of sampled means.
    #[serde(default = "usual_repetitions")]
    repetitions: usize,
    quick_repetitions: Option<usize>,
    /// The probability that the error radius is exceeded.
    #[serde(default = "usual_miss")]
    miss: f64,
    /// Whether the axes are spread by powers of ten.
    #[serde(default)]
    log_x: bool,
    #[serde(default)]
    log_y: bool,
    /// A line across all panels to compare with.
    rule: Option<Level>,
    panel: Vec<SweepPanel>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepPanel {
    title: String,
    prior: Prior,
    /// The data: fixed, or in these proportions where the size varies.
    counts: Option<CountsValue>,
    shape: Option<Vec<u64>>,
    /// The number of records where the share of the first category varies.
    n: Option<u64>,
    epsilon: Option<EpsilonValue>,
    mechanisms: Option<Vec<Contender>>,
    values: Option<Vec<f64>>,
    quick: Option<Vec<f64>>,
    measure: Option<Measure>,
    miss: Option<f64>,
    rule: Option<Level>,
}

/// A level with a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    label: String,
    at: f64,
}

/// What varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Over {
    /// The number of records.
    N,
    /// The smoothing of ehds.
    Gamma,
    /// The budget.
    Epsilon,
    /// A factor of the prior.
    Prior,
    /// The share of the first of two categories among n records.
    Share,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Measure {
    /// The exact mean distance at the data.
    Mean,
    /// The mean distance in many releases; the exact one beside it where it is known.
    SampledMean,
    /// The probability that the truth is released.
    Exact,
    /// The audited privacy loss.
    Loss,
    /// The privacy loss at the data and its neighbours.
    LossAtData,
    /// The audited privacy loss as a share of the budget, and the least delta at the budget.
    Profile,
    /// The exact mean over epsilon times the local sensitivity.
    MeanRatio,
    /// The error radius over epsilon times the local sensitivity.
    RadiusRatio,
    /// The mean distance over data that follow the prior, over the least possible.
    LimitRatio,
    /// The mean distance over data that follow the prior.
    PriorMean,
    /// The exact mean distance times the root of the data size, and its limit for balanced data.
    ScaledMean,
}

impl Measure {
    /// What it is called in the table.
    fn quantity(self) -> &'static str {
        match self {
            Self::Mean | Self::SampledMean => "mean",
            Self::Exact => "exact",
            Self::Loss => "loss",
            Self::Profile => "spent",
            Self::LossAtData => "loss at data",
            Self::MeanRatio => "mean ratio",
            Self::RadiusRatio => "radius ratio",
            Self::LimitRatio => "limit ratio",
            Self::PriorMean => "prior mean",
            Self::ScaledMean => "scaled mean",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Mean | Self::SampledMean => "mean distance",
            Self::Exact => "P(exact)",
            Self::Loss => "privacy loss",
            Self::Profile => "privacy loss / ε",
            Self::LossAtData => "loss at the data",
            Self::MeanRatio => "mean / (ε LS)",
            Self::RadiusRatio => "radius / (ε LS)",
            Self::LimitRatio => "mean / limit",
            Self::PriorMean => "mean over the prior",
            Self::ScaledMean => "mean distance × root of n",
        }
    }
}

fn usual_repetitions() -> usize {
    1_000
}

fn usual_miss() -> f64 {
    0.05
}

/// One x of one panel, and the mechanisms that are measured there.
struct Cell<'s> {
    panel: &'s SweepPanel,
    x: f64,
    contenders: Vec<Contender>,
}

/// A quantity with its value and its standard error.
type Number = (&'static str, f64, Option<f64>);

impl Procedure for Sweep {
    fn check(&self) -> Result<(), String> {
        some("mechanisms", &self.mechanisms)?;
        some("values", &self.values)?;
        some("panel", &self.panel)?;
        repeated(self.repetitions, self.quick_repetitions, "repetitions", "releases")?;
        let misses = self.panel.iter().filter_map(|panel| panel.miss).chain([self.miss]);
        if let Some(miss) = misses.into_iter().find(|miss| !(*miss > 0.0 && *miss < 1.0)) {
            return Err(format!("miss is {miss}; give a probability between 0 and 1"));
        }
        distinct(self.panel.iter().map(|panel| panel.title.as_str()))?;
        let lists = self.panel.iter().flat_map(|panel| [&panel.values, &panel.quick]).flatten();
        for &value in lists.chain([&self.values]).chain(&self.quick).flatten() {
            let whole = self.over != Over::N || (value.fract() == 0.0 && value < 1e12);
            let share = self.over == Over::Share;
            let positive = value > 0.0 || (share && value == 0.0);
            if !(value.is_finite() && positive && whole && (!share || value <= 1.0)) {
                return Err(format!("values: {value} is no {}; give positive numbers", self.axis()));
            }
        }
        for panel in &self.panel {
            let title = &panel.title;
            if panel.n.is_some() != (self.over == Over::Share) {
                return Err(format!("panel {title:?}: n is given if, and only if, the share varies"));
            }
            match (self.over, &panel.counts, &panel.shape) {
                (Over::Share, None, None) => two_categories(&panel.prior)?,
                (Over::Share, _, _) => {
                    return Err(format!(
                        "panel {title:?}: the share varies; give n, and leave counts and shape out"
                    ));
                }
                (Over::N, None, Some(shape)) => {
                    if shape.len() != panel.prior.len() || shape.iter().sum::<u64>() == 0 {
                        let k = panel.prior.len();
                        return Err(format!("panel {title:?}: shape needs {k} whole numbers, not all zero"));
                    }
                }
                (Over::N, _, _) => {
                    return Err(format!("panel {title:?}: the size varies; give shape and leave counts out"));
                }
                (_, Some(counts), None) => fits(title, &panel.prior, &counts.0)?,
                (_, _, _) => {
                    return Err(format!(
                        "panel {title:?}: the data are fixed; give counts and leave shape out"
                    ));
                }
            }
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let mut cells = Vec::new();
        for panel in &self.panel {
            let contenders = united(self.published(panel), &self.beyond);
            for x in self.values(context, panel) {
                if panel.measure.unwrap_or(self.measure) == Measure::LimitRatio {
                    // All mechanisms share the limit, which takes longest to compute.
                    cells.push(Cell { panel, x, contenders: contenders.clone() });
                } else {
                    let one = |one: &Contender| Cell { panel, x, contenders: vec![one.clone()] };
                    cells.extend(contenders.iter().map(one));
                }
            }
        }
        let found = context.compute(&cells, |cell| self.measure(context, cell))?;
        let mut table = ResultTable::default();
        for (cell, all) in cells.iter().zip(found) {
            for (contender, numbers) in cell.contenders.iter().zip(all) {
                for (quantity, value, error) in numbers {
                    let series = contender.to_string();
                    table.push_sampled(&cell.panel.title, &series, quantity, Some(cell.x), (value, error));
                }
            }
        }
        if self.over == Over::Gamma {
            self.compare_with_one(&mut table);
        }
        let panels = self.panel.iter().map(|panel| self.draw(panel, &table)).collect();
        Ok((table, arranged(panels)))
    }

    fn sampled(&self, mode: Mode) -> Option<usize> {
        let sampled = |panel: &SweepPanel| panel.measure.unwrap_or(self.measure) == Measure::SampledMean;
        self.panel.iter().any(sampled).then(|| self.repetitions(mode))
    }
}

impl Sweep {
    fn repetitions(&self, mode: Mode) -> usize {
        mode.choose(self.repetitions, self.quick_repetitions)
    }

    fn axis(&self) -> &'static str {
        match self.over {
            Over::N => "data size n",
            Over::Gamma => "smoothing γ",
            Over::Epsilon => "budget ε",
            Over::Prior => "prior parameter",
            Over::Share => "share of the first category",
        }
    }

    fn values(&self, context: &RunContext<'_>, panel: &SweepPanel) -> Vec<f64> {
        match (&panel.values, &panel.quick) {
            (Some(values), quick) => context.mode.choose(values, quick.as_ref()).clone(),
            (None, _) => context.mode.choose(&self.values, self.quick.as_ref()).clone(),
        }
    }

    fn published<'s>(&'s self, panel: &'s SweepPanel) -> &'s [Contender] {
        panel.mechanisms.as_deref().unwrap_or(&self.mechanisms)
    }

    /// The mechanisms of all panels, each once: the legend is shared, so that each has one look in all of them.
    fn everyone(&self) -> Vec<Contender> {
        let published = self.panel.iter().fold(Vec::new(), |all, panel| united(&all, self.published(panel)));
        united(&published, &self.beyond)
    }

    fn measure(&self, context: &RunContext<'_>, cell: &Cell<'_>) -> Result<Vec<Vec<Number>>, String> {
        let Inputs { counts, setting } = self.inputs(cell)?;
        let measure = cell.panel.measure.unwrap_or(self.measure);
        let least = match measure {
            Measure::LimitRatio => {
                Some(limit(&setting, MAX_VARIABLES).map_err(|error| error.to_string())?.value)
            }
            _ => None,
        };
        let one = |contender: &Contender| {
            let contender = match self.over {
                Over::Gamma => &contender.with_gamma(Gamma::new(cell.x).map_err(|error| error.to_string())?),
                _ => contender,
            };
            let mechanism = contender.build(&setting)?;
            let mechanism = &*mechanism;
            let quantity = measure.quantity();
            let metric = MetricValue::default().0;
            let mut bits =
                stream(context.seed, &[context.name, &cell.panel.title, &contender.words(), &digits(cell.x)]);
            let runs = self.repetitions(context.mode);
            let scale = || -> Result<f64, String> {
                let local = local(setting.prior(), &counts).map_err(|error| error.to_string())?;
                Ok(setting.epsilon().to_f64() * local)
            };
            Ok(match measure {
                Measure::Mean => {
                    let measured = contender.law(mechanism, &counts, metric, runs, &mut bits)?;
                    let (mean, error) = measured.mean();
                    let exact = measured.runs.is_none().then(|| measured.law.quantile(0.5));
                    let median = exact.map(|median| (EXACT_MEDIAN, median, None));
                    [(quantity, mean, error)].into_iter().chain(median).collect()
                }
                Measure::SampledMean => {
                    let (mean, error) = contender.sample(mechanism, &counts, metric, runs, &mut bits)?.mean();
                    let exact = contender.exact_beside(mechanism, &counts, metric)?;
                    let (best, left) = best_mean((mean, error), exact.as_ref().map(|law| law.mean()));
                    let exact = exact.map(|law| {
                        [("exact mean", law.mean(), None), (EXACT_MEDIAN, law.quantile(0.5), None)]
                    });
                    let sampled = [(quantity, mean, error), (BEST_MEAN, best, left)];
                    sampled.into_iter().chain(exact.into_iter().flatten()).collect()
                }
                Measure::Exact => {
                    let law = contender.law(mechanism, &counts, metric, runs, &mut bits)?.law;
                    vec![(quantity, law.probability_exact(), None)]
                }
                Measure::Loss => {
                    let found = audit(mechanism, &[], PROBABILITIES, &|_| ());
                    let loss = found.map_err(|error| format!("{contender}: {error}"))?.loss_up();
                    let spent = loss / setting.epsilon().to_f64();
                    vec![(quantity, loss, None), ("spent", spent, None)]
                }
                Measure::LossAtData => {
                    let found = audit_at(mechanism, &counts, &[], PROBABILITIES);
                    let loss = found.map_err(|error| format!("{contender}: {error}"))?.loss_up();
                    let spent = loss / setting.epsilon().to_f64();
                    vec![(quantity, loss, None), ("spent at data", spent, None)]
                }
                Measure::Profile => {
                    let epsilon = setting.epsilon().to_f64();
                    let found = audit(mechanism, &[epsilon], PROBABILITIES, &|_| ());
                    let found = found.map_err(|error| format!("{contender}: {error}"))?;
                    let loss = found.loss_up();
                    // An audit that finds nothing bounds delta by its rounding errors.
                    let delta = if loss <= epsilon {
                        0.0
                    } else {
                        least_delta(mechanism, epsilon)?.unwrap_or(found.profile_up()[0].1)
                    };
                    let given = contender.delta().map(|given| ("delta over given", delta / given, None));
                    let found =
                        [(quantity, loss / epsilon, None), ("loss", loss, None), ("delta", delta, None)];
                    found.into_iter().chain(given).collect()
                }
                Measure::MeanRatio => {
                    let (mean, error) = contender.law(mechanism, &counts, metric, runs, &mut bits)?.mean();
                    let scale = scale()?;
                    vec![(quantity, mean / scale, error.map(|error| error / scale))]
                }
                Measure::RadiusRatio => {
                    let found =
                        error_radius(mechanism, &counts, cell.panel.miss.unwrap_or(self.miss), u64::MAX);
                    vec![(quantity, found.map_err(|error| error.to_string())?.ratio, None)]
                }
                Measure::LimitRatio => {
                    let mean = contender.prior_mean(mechanism)?;
                    let least = least.unwrap_or(f64::NAN);
                    vec![(quantity, mean / least, None), ("prior mean", mean, None), ("limit", least, None)]
                }
                Measure::PriorMean => vec![(quantity, contender.prior_mean(mechanism)?, None)],
                Measure::ScaledMean => {
                    let root = (counts.total() as f64).sqrt();
                    let (mean, error) = contender.law(mechanism, &counts, metric, runs, &mut bits)?.mean();
                    let limit = scaled_limit(&contender.to_string(), setting.k(), setting.epsilon().to_f64());
                    let limit = limit.map(|limit| ("limit", limit, None));
                    [(quantity, root * mean, error.map(|error| root * error))]
                        .into_iter()
                        .chain(limit)
                        .collect()
                }
            })
        };
        cell.contenders.iter().map(one).collect()
    }

    /// Adds every number divided by that at gamma = 1, the value of the research.
    fn compare_with_one(&self, table: &mut ResultTable) {
        for panel in &self.panel {
            let quantity = panel.measure.unwrap_or(self.measure).quantity();
            for contender in united(self.published(panel), &self.beyond) {
                let series = contender.to_string();
                let curve = table.curve(&panel.title, &series, quantity);
                let Some(&(_, one)) = curve.iter().find(|point| point.0 == 1.0) else { continue };
                let name = format!("{quantity} over that at 1");
                curve
                    .iter()
                    .for_each(|&(x, value)| table.push(&panel.title, &series, &name, Some(x), value / one));
            }
        }
    }

    fn inputs(&self, cell: &Cell<'_>) -> Result<Inputs, String> {
        let panel = cell.panel;
        let epsilon = &panel.epsilon.as_ref().unwrap_or(&self.epsilon).0;
        let counts = match (&panel.shape, &panel.counts) {
            (Some(shape), _) => {
                Counts::new(apportioned(shape, cell.x as u64)).map_err(|error| error.to_string())?
            }
            (None, Some(counts)) => counts.0.clone(),
            (None, None) => {
                let n = panel.n.ok_or_else(|| format!("panel {:?} has no data", panel.title))?;
                let first = ((cell.x * n as f64).round() as u64).min(n);
                Counts::new(vec![first, n - first]).map_err(|error| error.to_string())?
            }
        };
        let epsilon: Epsilon = match self.over {
            Over::Epsilon => EpsilonValue::try_from(cell.x)?.0,
            _ => epsilon.clone(),
        };
        let prior = match self.over {
            Over::Prior => {
                let scaled = panel.prior.parameters().iter().map(|alpha| alpha * cell.x).collect();
                Prior::new(scaled).map_err(|error| error.to_string())?
            }
            _ => panel.prior.clone(),
        };
        let setting = setting(&prior, counts.total(), &epsilon)?;
        Ok(Inputs { counts, setting })
    }

    fn draw(&self, panel: &SweepPanel, table: &ResultTable) -> (Panel, Option<Panel>) {
        let measure = panel.measure.unwrap_or(self.measure);
        let all = united(self.published(panel), &self.beyond);
        let everyone = self.everyone();
        let styles = styles(&everyone);
        let lines = |chosen: &[Contender]| {
            let series = everyone.iter().zip(&styles).filter(|(one, _)| chosen.contains(one));
            let series = series.map(|(one, &style)| Series {
                label: one.label(),
                style,
                points: table.curve(&panel.title, &one.to_string(), measure.quantity()),
            });
            let rule = panel.rule.as_ref().or(self.rule.as_ref());
            let rules = rule.map(|rule| Rule::Across { label: rule.label.clone(), at: rule.at });
            let series = distinguished(series.collect(), self.panel.len());
            Lines { series, rules: rules.into_iter().collect() }
        };
        let heights: Vec<f64> =
            lines(&all).series.iter().flat_map(|one| one.points.iter().map(|point| point.1)).collect();
        let axis = |log: bool, label: &str| if log { Axis::log(label) } else { Axis::linear(label) };
        let panel_of = |title: String, chosen: &[Contender]| {
            let mut y = axis(self.log_y, measure.label());
            if !self.log_y {
                y = y.including(0.0);
            }
            // Both panels have the same axis.
            y.include.extend(&heights);
            Panel { title, x: axis(self.log_x, self.axis()), y, content: Content::Lines(lines(chosen)) }
        };
        let (first, second) = titles(&panel.title, !self.beyond.is_empty());
        let companion = (!self.beyond.is_empty()).then(|| panel_of(second, &self.beyond));
        (panel_of(first, self.published(panel)), companion)
    }
}

/// The data and the public inputs.
struct Inputs {
    counts: Counts,
    setting: Setting,
}

/// n records in these proportions; the remainder goes to the last category.
fn apportioned(shape: &[u64], n: u64) -> Vec<u64> {
    let total = u128::from(shape.iter().sum::<u64>());
    let mut counts: Vec<u64> =
        shape.iter().map(|&part| (u128::from(n) * u128::from(part) / total) as u64).collect();
    let rest = n - counts.iter().sum::<u64>();
    if let Some(last) = counts.last_mut() {
        *last += rest;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_category_takes_the_rest() {
        assert_eq!(apportioned(&[1, 1], 11), [5, 6]);
        assert_eq!(apportioned(&[1, 1, 1], 500), [166, 166, 168]);
        assert_eq!(apportioned(&[9, 1], 1_000_000), [900_000, 100_000]);
    }
}
