//! Notched box plots of simulated distances.

use posterity_core::model::Prior;
use posterity_plot::{Axis, BoxGroups, Content, NotchedBox, Panel, Spread};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::{arranged, titles, united};
use super::validity::{distinct, fits, repeated, setting, some};
use crate::contender::{BEST_MEAN, Contender, EXACT_MEDIAN, Measured, best_mean, styles};
use crate::mode::Mode;
use crate::seed::stream;
use crate::table::ResultTable;
use crate::values::{CountsValue, EpsilonValue, MetricValue};

/// The spread of the distance in many releases, one box per mechanism.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Boxes {
    epsilon: EpsilonValue,
    mechanisms: Vec<Contender>,
    #[serde(default)]
    beyond: Vec<Contender>,
    repetitions: usize,
    quick: Option<usize>,
    /// If given, all panels are drawn beside each other over one axis of this name.
    together: Option<String>,
    panel: Vec<BoxPanel>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxPanel {
    title: String,
    prior: Prior,
    counts: CountsValue,
    epsilon: Option<EpsilonValue>,
    #[serde(default)]
    distance: MetricValue,
}

/// What is known of one box.
struct Sampled {
    measured: Measured,
    /// The exact mean and median, where the law can be listed and nothing is decoded.
    exact: Option<(f64, f64)>,
}

impl Procedure for Boxes {
    fn check(&self) -> Result<(), String> {
        some("mechanisms", &self.mechanisms)?;
        some("panel", &self.panel)?;
        repeated(self.repetitions, self.quick, "repetitions and quick", "releases")?;
        distinct(self.panel.iter().map(|panel| panel.title.as_str()))?;
        self.panel.iter().try_for_each(|panel| fits(&panel.title, &panel.prior, &panel.counts.0))
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let runs = self.repetitions(context.mode);
        let contenders = united(&self.mechanisms, &self.beyond);
        let cells: Vec<(&BoxPanel, &Contender)> =
            self.panel.iter().flat_map(|panel| contenders.iter().map(move |one| (panel, one))).collect();
        let found = context.compute(&cells, |(panel, contender)| {
            let epsilon = &panel.epsilon.as_ref().unwrap_or(&self.epsilon).0;
            let counts = &panel.counts.0;
            let mechanism = contender.build(&setting(&panel.prior, counts.total(), epsilon)?)?;
            let metric = panel.distance.0;
            let mut bits = stream(context.seed, &[context.name, &panel.title, &contender.words()]);
            let measured = contender.sample(&*mechanism, counts, metric, runs, &mut bits)?;
            let exact = contender.exact_beside(&*mechanism, counts, metric)?;
            Ok(Sampled { measured, exact: exact.map(|law| (law.mean(), law.quantile(0.5))) })
        })?;
        let mut table = ResultTable::default();
        let mut boxes = Vec::new();
        let styles = styles(&contenders);
        for (index, ((panel, contender), sampled)) in cells.iter().zip(&found).enumerate() {
            let (title, series) = (&panel.title, contender.to_string());
            let mean = sampled.measured.mean();
            table.push_sampled(title, &series, "mean", None, mean);
            table.push_sampled(
                title,
                &series,
                BEST_MEAN,
                None,
                best_mean(mean, sampled.exact.map(|exact| exact.0)),
            );
            let spread = Spread::new(&sampled.measured.law, runs);
            let one = NotchedBox {
                label: contender.lines(),
                style: styles[index % contenders.len()],
                pale: !contender.is_private(),
                spread,
            };
            for (name, value) in [
                ("least", spread.least),
                ("q1", spread.q1),
                ("median", spread.median),
                ("q3", spread.q3),
                ("most", spread.most),
                ("notch", spread.notch),
            ] {
                table.push(title, &series, name, None, value);
            }
            if let Some((mean, median)) = sampled.exact {
                table.push(title, &series, "exact mean", None, mean);
                table.push(title, &series, EXACT_MEDIAN, None, median);
            }
            boxes.push((*panel, *contender, one));
        }
        if let Some(label) = &self.together {
            return Ok((table, self.side_by_side(label, &boxes)));
        }
        let mut panels = Vec::new();
        for panel in &self.panel {
            let chosen = |from: &[Contender]| -> Vec<NotchedBox> {
                let one = |contender: &Contender| {
                    let mine = |(of, who, _): &&(&BoxPanel, &Contender, NotchedBox)| {
                        std::ptr::eq(*of, panel) && *who == contender
                    };
                    boxes.iter().find(mine).map(|(_, _, one)| one.clone())
                };
                from.iter().filter_map(one).collect()
            };
            let (first, second) = titles(&panel.title, !self.beyond.is_empty());
            let all = [chosen(&self.mechanisms), chosen(&self.beyond)];
            let top = all.iter().flatten().map(|one| one.spread.top()).fold(0.0, f64::max);
            let panel_of = |title: String, boxes: Vec<NotchedBox>| Panel {
                title,
                x: Axis::linear(""),
                // Both panels have the same axis.
                y: Axis::linear(panel.distance.label()).including(0.0).including(top),
                content: Content::Boxes(boxes),
            };
            let [published, beyond] = all;
            let companion = (!beyond.is_empty()).then(|| panel_of(second, beyond));
            panels.push((panel_of(first, published), companion));
        }
        Ok((table, arranged(panels)))
    }

    fn sampled(&self, mode: Mode) -> Option<usize> {
        Some(self.repetitions(mode))
    }
}

impl Boxes {
    fn repetitions(&self, mode: Mode) -> usize {
        mode.choose(self.repetitions, self.quick)
    }

    /// One panel for the published mechanisms and one for those beyond, each with one group of boxes for every data
    /// set.
    fn side_by_side(&self, label: &str, boxes: &[(&BoxPanel, &Contender, NotchedBox)]) -> Vec<Vec<Panel>> {
        let top = boxes.iter().map(|(_, _, one)| one.spread.top()).fold(0.0, f64::max);
        let row = |title: &str, chosen: &[Contender]| {
            let group = |panel: &BoxPanel| {
                let mine =
                    boxes.iter().filter(|(of, who, _)| std::ptr::eq(*of, panel) && chosen.contains(who));
                (panel.title.clone(), mine.map(|(_, _, one)| one.clone()).collect())
            };
            let kinds = chosen.iter().map(|one| {
                if one.is_private() { one.label() } else { format!("{} (pale: no promise)", one.label()) }
            });
            vec![Panel {
                title: title.to_owned(),
                x: Axis::linear(label),
                y: Axis::linear(self.panel[0].distance.label()).including(0.0).including(top),
                content: Content::Groups(BoxGroups {
                    groups: self.panel.iter().map(group).collect(),
                    kinds: kinds.collect(),
                }),
            }]
        };
        let (first, second) = titles("", !self.beyond.is_empty());
        let mut rows = vec![row(&first, &self.mechanisms)];
        if !self.beyond.is_empty() {
            rows.push(row(&second, &self.beyond));
        }
        rows
    }
}
