//! Curves with markers.

use plotters::prelude::{Color, DrawingBackend};
use plotters::style::text_anchor::HPos;

use super::frame::Frame;
use super::legend::LegendEntry;
use super::pen::{across, at, line, marker, path};
use crate::axis::Ruler;
use crate::canvas::{Canvas, Drawn, INK};
use crate::style::Style;

/// Curves over one pair of axes, with lines to compare them with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The curves; the first is drawn last, on top.
    pub series: Vec<Series>,
    /// Lines across the panel.
    pub rules: Vec<Rule>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called in the legend.
    pub label: String,
    /// How it looks.
    pub style: Style,
    /// Its points from left to right. A point that is not finite makes a gap.
    pub points: Vec<(f64, f64)>,
}

/// A straight line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// A horizontal line, such as a bound.
    Across {
        /// What it is called in the legend.
        label: String,
        /// Its height.
        at: f64,
    },
    /// A vertical line, such as the truth.
    Upright {
        /// What it is called, beside its upper end.
        label: String,
        /// Its place.
        at: f64,
    },
}

/// The least distance between two markers of a curve.
const APART: f64 = 24.0;

impl Lines {
    /// All places on the axis below.
    pub(crate) fn places(&self) -> impl Iterator<Item = f64> {
        let upright = self.rules.iter().filter_map(|rule| match rule {
            Rule::Upright { at, .. } => Some(*at),
            Rule::Across { .. } => None,
        });
        self.series.iter().flat_map(|one| one.points.iter().map(|point| point.0)).chain(upright)
    }

    /// All heights.
    pub(crate) fn heights(&self) -> Vec<f64> {
        let across = self.rules.iter().filter_map(|rule| match rule {
            Rule::Across { at, .. } => Some(*at),
            Rule::Upright { .. } => None,
        });
        self.series.iter().flat_map(|one| one.points.iter().map(|point| point.1)).chain(across).collect()
    }

    pub(crate) fn legend(&self) -> Vec<LegendEntry> {
        let series =
            self.series.iter().map(|one| LegendEntry::Curve { label: one.label.clone(), style: one.style });
        let rules = self.rules.iter().filter_map(|rule| match rule {
            Rule::Across { label, .. } => Some(LegendEntry::Rule { label: label.clone() }),
            Rule::Upright { .. } => None,
        });
        series.chain(rules).collect()
    }
}

pub(crate) fn draw<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    lines: &Lines,
    x: &Ruler,
    y: &Ruler,
    frame: Frame,
) -> Drawn<D> {
    for rule in &lines.rules {
        match rule {
            Rule::Across { at, .. } => {
                across(canvas, (frame.left, frame.right), y.at(*at))?;
            }
            Rule::Upright { at: place, label } => {
                let place = x.at(*place);
                line(canvas, (place, frame.top), (place, frame.bottom), canvas.stroke(&INK.mix(0.6), 1.0))?;
                // The label is on the side with more room.
                let (beside, pos) = if place < 0.5 * (frame.left + frame.right) {
                    (place + 4.0, HPos::Left)
                } else {
                    (place - 4.0, HPos::Right)
                };
                canvas.write(label, at(canvas, beside, frame.top + 7.0), 11.5, pos)?;
            }
        }
    }
    for series in lines.series.iter().rev() {
        let places: Vec<Option<(f64, f64)>> = series
            .points
            .iter()
            .map(|&(a, b)| (a.is_finite() && b.is_finite()).then(|| (x.at(a), y.at(b))))
            .map(|place| place.filter(|place| frame.contains(*place)))
            .collect();
        for run in places.split(Option::is_none) {
            let run: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
            path(canvas, &run, series.style)?;
        }
        let mut last: Option<(f64, f64)> = None;
        for &(a, b) in places.iter().flatten() {
            if last.is_none_or(|(x, y)| (a - x).hypot(b - y) >= APART) {
                marker(canvas, series.style, (a, b))?;
                last = Some((a, b));
            }
        }
    }
    Ok(())
}
