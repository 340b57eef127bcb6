//! The law of the distance, one line per mechanism.

use posterity_core::distance::hellinger_of_counts;
use posterity_core::model::Prior;
use posterity_plot::{Axis, Content, Lines, Panel, Series};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::{arranged, distinguished, titles, united};
use super::validity::{distinct, fits, repeated, setting, some};
use crate::contender::{Contender, Measured, styles};
use crate::seed::stream;
use crate::table::{ResultRow, ResultTable};
use crate::values::{CountsValue, EpsilonValue, MetricValue};

/// Probabilities by distance from the true posterior, at given data.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Laws {
    epsilon: EpsilonValue,
    mechanisms: Vec<Contender>,
    #[serde(default)]
    beyond: Vec<Contender>,
    /// Releases of a mechanism with too many outcomes to list.
    #[serde(default = "usual_repetitions")]
    repetitions: usize,
    /// The same in a quick pass.
    quick: Option<usize>,
    panel: Vec<LawPanel>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct LawPanel {
    title: String,
    prior: Prior,
    counts: CountsValue,
    epsilon: Option<EpsilonValue>,
    /// The largest distance that is drawn.
    reach: f64,
    /// The width of the intervals that probabilities are summed over, for three and more categories.
    bin: Option<f64>,
}

fn usual_repetitions() -> usize {
    4_000
}

impl Procedure for Laws {
    fn check(&self) -> Result<(), String> {
        some("mechanisms", &self.mechanisms)?;
        some("panel", &self.panel)?;
        repeated(self.repetitions, self.quick, "repetitions and quick", "releases")?;
        distinct(self.panel.iter().map(|panel| panel.title.as_str()))?;
        for panel in &self.panel {
            fits(&panel.title, &panel.prior, &panel.counts.0)?;
            let positive = |value: f64| value.is_finite() && value > 0.0;
            if !positive(panel.reach) || !panel.bin.is_none_or(positive) {
                return Err(format!(
                    "panel {:?}: reach and bin are distances; give positive numbers",
                    panel.title
                ));
            }
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let contenders = united(&self.mechanisms, &self.beyond);
        let cells: Vec<(&LawPanel, &Contender)> =
            self.panel.iter().flat_map(|panel| contenders.iter().map(move |one| (panel, one))).collect();
        let found = context.compute(&cells, |(panel, contender)| {
            let measured = self.measure(context, panel, contender)?;
            Ok((curve(panel, contender, &measured)?, measured))
        })?;
        let mut table = ResultTable::default();
        for ((panel, contender), (curve, measured)) in cells.iter().zip(&found) {
            let (title, series) = (&panel.title, contender.to_string());
            for &(distance, probability) in curve {
                table.push(title, &series, "law", Some(distance), probability);
            }
            let law = &measured.law;
            table.push_sampled(title, &series, "mean", None, measured.mean());
            for (name, value) in [
                ("q1", law.quantile(0.25)),
                ("median", law.quantile(0.5)),
                ("q3", law.quantile(0.75)),
                ("exact", law.probability_exact()),
            ] {
                table.push(title, &series, name, None, value);
            }
        }
        let panels = self.panel.iter().map(|panel| self.draw(panel, &contenders, &table)).collect();
        Ok((table, arranged(panels)))
    }
}

impl Laws {
    fn measure(
        &self,
        context: &RunContext<'_>,
        panel: &LawPanel,
        contender: &Contender,
    ) -> Result<Measured, String> {
        let epsilon = &panel.epsilon.as_ref().unwrap_or(&self.epsilon).0;
        let counts = &panel.counts.0;
        let mechanism = contender.build(&setting(&panel.prior, counts.total(), epsilon)?)?;
        let mut bits = stream(context.seed, &[context.name, &panel.title, &contender.words()]);
        let runs = context.mode.choose(self.repetitions, self.quick);
        contender.law(&*mechanism, counts, MetricValue::default().0, runs, &mut bits)
    }

    fn draw(
        &self,
        panel: &LawPanel,
        contenders: &[Contender],
        table: &ResultTable,
    ) -> (Panel, Option<Panel>) {
        let styles = styles(contenders);
        let label = match (panel.prior.len(), panel.bin) {
            (2, _) => "probability".to_owned(),
            (_, bin) => format!("probability per {}", bin.unwrap_or(panel.reach / 30.0)),
        };
        let lines = |chosen: &[Contender]| {
            let series = contenders.iter().zip(&styles).filter(|(one, _)| chosen.contains(one));
            let series = series.map(|(one, &style)| {
                let points = table.curve(&panel.title, &one.to_string(), "law");
                let points = points.into_iter().filter(|point| point.0 <= panel.reach).collect();
                Series { label: one.label(), style, points }
            });
            Lines { series: distinguished(series.collect(), self.panel.len()), rules: Vec::new() }
        };
        // Both panels have the same axis.
        let everything = lines(contenders);
        let top =
            everything.series.iter().flat_map(|one| &one.points).map(|point| point.1).fold(0.0, f64::max);
        let (first, second) = titles(&panel.title, !self.beyond.is_empty());
        // The legend is shared, and a mechanism may be exact in another panel.
        let is_sampled = |one: &&Contender| {
            let mine = |row: &&ResultRow| row.panel == panel.title && row.series == one.to_string();
            table.rows().iter().filter(mine).any(|row| row.error.is_some())
        };
        let titled = |title: String, chosen: &[Contender]| {
            let sampled: Vec<String> = chosen.iter().filter(is_sampled).map(Contender::label).collect();
            if sampled.is_empty() { title } else { format!("{title}; {} sampled", sampled.join(", ")) }
        };
        let panel_of = |title: String, chosen: &[Contender]| Panel {
            title: titled(title, chosen),
            x: Axis::linear("Hellinger distance").including(0.0).including(panel.reach),
            y: Axis::linear(label.clone()).including(0.0).including(top),
            content: Content::Lines(lines(chosen)),
        };
        let companion = (!self.beyond.is_empty()).then(|| panel_of(second, &self.beyond));
        (panel_of(first, &self.mechanisms), companion)
    }
}

/// The curve of a law: the probability of each candidate's distance for two categories, sums over intervals for more,
/// where distances are dense and single probabilities erratic.
fn curve(panel: &LawPanel, contender: &Contender, measured: &Measured) -> Result<Vec<(f64, f64)>, String> {
    if panel.prior.len() > 2 {
        let width = panel.bin.unwrap_or(panel.reach / 30.0);
        return Ok(measured.law.binned(width, (panel.reach / width - 1e-9).ceil() as usize));
    }
    let counts = panel.counts.0.as_slice();
    let n = panel.counts.0.total();
    let mut places = Vec::new();
    for ones in 0..=n {
        let distance = hellinger_of_counts(&panel.prior, counts, &[ones, n - ones]);
        places.push(distance.map_err(|error| format!("{contender}: {error}"))?);
    }
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| *a - *b <= 1e-12 * *a);
    // An outcome that is not a candidate, such as counts that do not sum to n, is counted at the nearest distance.
    Ok(measured.law.gathered(&places))
}
