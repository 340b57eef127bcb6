//! Curves with markers.

use plotters::prelude::{Color, DrawingBackend, EmptyElement, PathElement, Polygon, WHITE};
use plotters::style::text_anchor::HPos;

use crate::axis::Ruler;
use crate::canvas::{Canvas, Drawn, INK};
use crate::figure::{Frame, at, line};
use crate::legend::Key;
use crate::palette;
use crate::style::{Line, Style};

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
    /// Its points from left to right. What is not finite is a gap.
    pub points: Vec<(f64, f64)>,
}

/// A straight line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// At a height, such as a bound.
    Across {
        /// What it is called in the legend.
        label: String,
        /// Its height.
        at: f64,
    },
    /// At a place, such as the truth.
    Upright {
        /// What it is called, beside its upper end.
        label: String,
        /// Its place.
        at: f64,
    },
}

/// Widths of curves, distances between markers and their size.
pub(crate) const STROKE: f64 = 1.8;
const APART: f64 = 24.0;
pub(crate) const MARKER: f64 = 3.4;
/// Lengths of dashes, dots and gaps.
const DASHES: (f64, f64) = (7.0, 4.0);
const DOTS: (f64, f64) = (1.8, 3.0);

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

    pub(crate) fn keys(&self) -> Vec<Key> {
        let series = self.series.iter().map(|one| Key::Curve { label: one.label.clone(), style: one.style });
        let rules = self.rules.iter().filter_map(|rule| match rule {
            Rule::Across { label, .. } => Some(Key::Rule { label: label.clone() }),
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
                // To the side with more room.
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
            .map(|place| place.filter(|place| inside(frame, *place)))
            .collect();
        for run in places.split(Option::is_none) {
            let run: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
            path(canvas, &run, series.style)?;
        }
        let mut last: Option<(f64, f64)> = None;
        for &(a, b) in places.iter().flatten() {
            if last.is_none_or(|(x, y)| (a - x).hypot(b - y) >= APART) || series.style.line == Line::None {
                marker(canvas, series.style, (a, b))?;
                last = Some((a, b));
            }
        }
    }
    Ok(())
}

/// Whether a place is between the axes; a logarithm of zero is not.
fn inside(frame: Frame, (x, y): (f64, f64)) -> bool {
    let slack = 2.0;
    (frame.left - slack..=frame.right + slack).contains(&x)
        && (frame.top - slack..=frame.bottom + slack).contains(&y)
}

/// The line of a bound.
pub(crate) fn across<D: DrawingBackend>(canvas: &Canvas<'_, D>, (from, to): (f64, f64), y: f64) -> Drawn<D> {
    let style = canvas.stroke(&INK, 1.2);
    let mut x = from;
    while x < to {
        line(canvas, (x, y), ((x + 2.5).min(to), y), style)?;
        x += 5.0;
    }
    Ok(())
}

pub(crate) fn marker<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    style: Style,
    (x, y): (f64, f64),
) -> Drawn<D> {
    let Some(name) = style.marker else { return Ok(()) };
    let outline = |radius: f64| palette::marker(name, radius * f64::from(canvas.px(1.0)));
    let place = at(canvas, x, y);
    canvas.area.draw(&(EmptyElement::at(place) + Polygon::new(outline(MARKER), style.colour.filled())))?;
    if style.hollow {
        let inner = Polygon::new(outline(MARKER - 1.4), WHITE.filled());
        canvas.area.draw(&(EmptyElement::at(place) + inner))?;
    }
    Ok(())
}

/// A line through places on the page.
pub(crate) fn path<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    places: &[(f64, f64)],
    style: Style,
) -> Drawn<D> {
    let stroke = canvas.stroke(&style.colour, STROKE);
    let (on, off) = match style.line {
        Line::None => return Ok(()),
        Line::Solid => {
            // One by one: the joints of a steep path would overshoot.
            for pair in places.windows(2) {
                line(canvas, pair[0], pair[1], stroke)?;
            }
            return Ok(());
        }
        Line::Dashed => DASHES,
        Line::Dotted => DOTS,
    };
    // How far into the pattern the last piece ended.
    let mut phase = 0.0;
    for pair in places.windows(2) {
        let ((x, y), (dx, dy)) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        let length = dx.hypot(dy);
        let point = |along: f64| (x + dx * along / length, y + dy * along / length);
        let mut along = 0.0;
        while along < length {
            let drawn = phase < on;
            let next = (along + if drawn { on - phase } else { on + off - phase }).min(length);
            if drawn {
                let (from, to) = (point(along), point(next));
                let ends = [at(canvas, from.0, from.1), at(canvas, to.0, to.1)];
                canvas.area.draw(&PathElement::new(ends, stroke))?;
            }
            phase = (phase + next - along) % (on + off);
            // A pattern that is over but for rounding is over.
            if on + off - phase < 1e-6 {
                phase = 0.0;
            } else if (phase - on).abs() < 1e-6 {
                phase = on;
            }
            along = next;
        }
    }
    Ok(())
}
