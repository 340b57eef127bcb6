//! What each score of an exponential mechanism is worth: proven and audited, with the global and with a smooth
//! sensitivity.

use posterity_core::accuracy::{DistanceLaw, Metric, prior_predictive};
use posterity_core::mechanism::{Mechanism, Space};
use posterity_core::model::{Counts, Prior};
use posterity_plot::{Axis, BarKind, Bars, Content, Panel, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{fits, setting, some};
use crate::contender::Contender;
use crate::mode::Mode;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue};

/// Every score with four calibrations, beside other mechanisms.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scores {
    prior: Prior,
    counts: CountsValue,
    quick: Option<CountsValue>,
    epsilon: EpsilonValue,
    scores: Vec<String>,
    beside: Vec<Contender>,
}

/// How the scale of a score is set.
const CALIBRATIONS: [&str; 4] = ["proven GS", "proven smooth", "audited GS", "audited smooth"];

/// Where axes begin, so that the shortest bar is seen.
const LEAST: f64 = 0.05;

/// What bars of mechanisms without a score are called.
const NO_SCORE: &str = "needs no score";

/// The powers of two among which the best gamma is looked for where the scale is that of the proof.
const GAMMAS: std::ops::RangeInclusive<i32> = -14..=4;

/// No more outcomes than this are listed.
const OUTCOMES: u64 = 1_000_000;

/// What the distance is measured in.
const METRICS: [Metric; 3] = [Metric::Hellinger, Metric::Tv, Metric::Kl];

/// Expected distances in each metric: at the data, and the mean over data that follow the prior.
#[derive(Clone, Copy)]
struct Worth {
    at: [f64; 3],
    mean: [f64; 3],
}

impl Procedure for Scores {
    fn check(&self) -> Result<(), String> {
        some("scores", &self.scores)?;
        for counts in [Some(&self.counts), self.quick.as_ref()].into_iter().flatten() {
            fits("scores", &self.prior, &counts.0)?;
        }
        for score in &self.scores {
            contender(CALIBRATIONS[0], score, None)?;
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let data = match (context.mode, &self.quick) {
            (Mode::Quick, Some(quick)) => &quick.0,
            _ => &self.counts.0,
        };
        let mut cells: Vec<(String, &str, Option<&Contender>)> = Vec::new();
        for score in &self.scores {
            cells.extend(CALIBRATIONS.map(|calibration| (score.clone(), calibration, None)));
        }
        cells.extend(self.beside.iter().map(|one| (one.to_string(), "mean", Some(one))));
        let found = context.compute(&cells, |(score, calibration, one)| match one {
            Some(one) => self.worth(one, data),
            None => self.best(score, calibration, data),
        })?;
        let mut table = ResultTable::default();
        for ((series, quantity, _), worth) in cells.iter().zip(&found) {
            for (index, metric) in METRICS.iter().enumerate() {
                let panel = metric.to_string();
                table.push(&panel, series, quantity, None, worth.at[index]);
                table.push(&panel, series, &format!("{quantity} over the prior"), None, worth.mean[index]);
            }
        }
        Ok((table, self.panels(&cells, &found, data.total())))
    }
}

impl Scores {
    /// One panel of bars for each metric.
    fn panels(
        &self,
        cells: &[(String, &str, Option<&Contender>)],
        found: &[Worth],
        n: u64,
    ) -> Vec<Vec<Panel>> {
        let mut groups: Vec<String> = self.scores.iter().map(|score| short(score)).collect();
        groups.extend(self.beside.iter().map(|one| short(&one.label())));
        let panel = |(index, metric): (usize, &Metric)| {
            let height = |group: usize, kind: &str| {
                let mine = |(series, quantity, _): &(String, &str, Option<&Contender>)| match self
                    .scores
                    .get(group)
                {
                    Some(name) => series == name && *quantity == kind,
                    None => kind == NO_SCORE && *series == self.beside[group - self.scores.len()].to_string(),
                };
                // What has no bar of a kind has no height there.
                cells.iter().position(mine).map_or(f64::NAN, |place| found[place].mean[index])
            };
            let kinds = CALIBRATIONS.iter().chain([&NO_SCORE]).enumerate().map(|(place, kind)| BarKind {
                label: (*kind).to_owned(),
                style: Style::plain(place),
                heights: (0..groups.len()).map(|group| height(group, kind)).collect(),
            });
            let bound = if *metric == Metric::Tv && self.prior.len() > 2 { " (upper bound)" } else { "" };
            Panel {
                title: format!("measured in {metric}{bound}, mean over the prior, n = {n}"),
                x: Axis::linear(""),
                // Bars differ by more than ten times.
                y: Axis::log(format!("{metric}{bound}")).including(LEAST),
                content: Content::Bars(Bars { groups: groups.clone(), kinds: kinds.collect() }),
            }
        };
        // Each panel takes a row, because it has many groups.
        METRICS.iter().enumerate().map(|one| vec![panel(one)]).collect()
    }

    /// A score with one calibration. Where the scale is that of the proof, the best gamma over the prior is taken.
    fn best(&self, score: &str, calibration: &str, data: &Counts) -> Result<Worth, String> {
        if calibration != CALIBRATIONS[1] {
            return self.worth(&contender(calibration, score, None)?, data);
        }
        let mut best: Option<Worth> = None;
        for power in GAMMAS {
            let worth = self.worth(&contender(calibration, score, Some(2f64.powi(power)))?, data)?;
            if best.is_none_or(|best| worth.mean[0] < best.mean[0]) {
                best = Some(worth);
            }
        }
        best.ok_or_else(|| "no gamma was tried".to_owned())
    }

    /// The expected distances of one mechanism.
    fn worth(&self, one: &Contender, data: &Counts) -> Result<Worth, String> {
        let mechanism = one.build(&setting(&self.prior, data.total(), &self.epsilon.0)?)?;
        let at = self.expected(&*mechanism, data)?;
        let mut mean = [0.0; 3];
        for counts in Space::Candidates.list(self.prior.len(), data.total()) {
            let share = prior_predictive(&self.prior, &counts);
            let counts = Counts::new(counts).map_err(|error| error.to_string())?;
            let here = self.expected(&*mechanism, &counts)?;
            mean.iter_mut().zip(here).for_each(|(sum, value)| *sum += share * value);
        }
        Ok(Worth { at, mean })
    }

    fn expected(&self, mechanism: &dyn Mechanism, counts: &Counts) -> Result<[f64; 3], String> {
        let law = mechanism.law(counts, OUTCOMES).map_err(|error| error.to_string())?;
        let mut values = [0.0; 3];
        for (value, metric) in values.iter_mut().zip(METRICS) {
            let distances = DistanceLaw::new(&law, &self.prior, metric).map_err(|error| error.to_string())?;
            *value = distances.mean();
        }
        Ok(values)
    }
}

/// What a score is called below its bars, where there is little room.
fn short(score: &str) -> String {
    match score.split_once(':') {
        Some(("chernoff", order)) => format!("C {order}"),
        _ => match score {
            "hellinger" => "H",
            "squared-hellinger" => "sq. H",
            "reverse-kl" => "rev. kl",
            "geometric" => "geom.",
            other => other,
        }
        .to_owned(),
    }
}

/// The mechanism that has a score with a calibration.
fn contender(calibration: &str, score: &str, gamma: Option<f64>) -> Result<Contender, String> {
    let text = match (calibration, gamma) {
        ("proven GS", _) => format!("ehd(score={score})"),
        ("audited GS", _) => format!("tight(ehd(score={score}))"),
        ("audited smooth", _) => format!("tight(ehds(gamma=auto, score={score}))"),
        (_, gamma) => format!("ehds(gamma={}, score={score})", gamma.unwrap_or(1.0)),
    };
    text.parse().map_err(|error: crate::contender::ContenderError| error.to_string())
}
